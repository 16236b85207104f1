"""A browser with the pages of a running service: errors that a user would not see make the test fail, too."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.pages.robot import Robot
from tests.support.serving import served

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no page is looked at")

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first is the same engine without the windows of a browser: opening a page takes 0.4 s of CPU, not 0.6."""
PHONE = {"width": 390, "height": 844}
ANSWERED = "the server responded with a status of 4"
"""The beginning of what a browser itself logs about an answer with status 4xx."""
ADDRESS_BAR = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
"""What Chromium draws below its address bar: in each new window a process of its own, which takes 0.6 s of CPU."""
PLAYWRIGHT_FEATURES = (
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
)
"""What Playwright itself turns off; Chromium only reads the last list that it is given."""
SPARE_RENDERER = "SpareRendererForSitePerProcess"
"""A process that Chromium starts in advance for each user; in the tests nearly every page has a user of its own."""
ARGUMENTS = (
    "--no-sandbox",
    "--renderer-process-limit=1",  # for each user: a page loads in the process that its window has begun with
    f"--disable-features={','.join((*PLAYWRIGHT_FEATURES, *ADDRESS_BAR, SPARE_RENDERER))}",
)
FONT_SIZE = 16
"""The default font size of Chromium, in pixels."""
PATIENCE = 120_000
"""Milliseconds that a page may take: no test waits for their end, and the machine may be busy."""


def chromium() -> str:
    """The path of an installed Chromium, by default that in CHROMIUM; "" if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """A browser for the tests of this package only: while it is there, an event loop is running in this thread."""
    path = chromium()
    if not path:
        pytest.skip("there is no Chromium (CHROMIUM says where it is): no page is looked at")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    with served() as (address, _):
        yield address


def elsewhere(requested: str, address: str) -> list[str]:
    """A complaint about a request to another origin."""
    if requested.startswith(("data:", "blob:")) or urlsplit(requested).netloc == urlsplit(address).netloc:
        return []
    return [f"asked elsewhere: {requested}"]


class Windows:
    """Windows of the browser, which one test after another uses.

    The first page in a new window takes three times the CPU time of a page in a used one. What was loaded stays in the
    cache; everything else that a test did with its window is undone.
    """

    MOST_UNUSED = 8

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.unused: list[tuple[dict[str, Any], Any]] = []

    def take(self, options: dict[str, Any]) -> Any:
        """The page of a window with these options."""
        for index, (others, page) in enumerate(self.unused):
            if others == options:
                del self.unused[index]
                return page
        font_size, context_options = options["font_size"], {key: options[key] for key in options if key != "font_size"}
        context = self.browser.new_context(**context_options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        if font_size != FONT_SIZE:
            # This holds as long as the window does: no later session takes it back.
            context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": font_size}})
        return page

    def give_back(self, options: dict[str, Any], page: Any) -> None:
        """Clears what is left in a window, for the next test that wants one with these options."""
        if page.is_closed():
            return
        if "storage_state" in options:
            page.context.close()
            return
        page.unroute_all(behavior="ignoreErrors")
        page.goto("about:blank")
        tools = page.context.new_cdp_session(page)
        tools.send("Storage.clearDataForOrigin", {"origin": options["base_url"], "storageTypes": "all"})
        tools.send("Page.resetNavigationHistory")
        tools.detach()
        page.context.set_offline(False)
        page.set_viewport_size(options["viewport"])
        page.emulate_media(
            media="null",
            color_scheme=options["color_scheme"],
            forced_colors=options.get("forced_colors", "none"),
        )
        self.unused.append((options, page))
        if len(self.unused) > self.MOST_UNUSED:
            self.unused.pop(0)[1].context.close()


@pytest.fixture(scope="package")
def windows(browser: Any) -> Windows:
    return Windows(browser)


Opener = Callable[..., Robot]


@pytest.fixture
def visit(windows: Windows, address: str) -> Iterator[Opener]:
    """Opens a page in a window of its own: `visit("/score/palazzo", language="it", dark=True, width=320)`.

    `font_size` is the size that a user sets in the browser. The page is that of the service that all tests
    share, or of the one `at` another address. Other windows know nothing of what is stored in this one.

    The test fails if anything was logged, thrown, refused by the policy, or requested from another origin.
    """
    taken, faults = list[tuple[dict[str, Any], Any, dict[str, Callable[[Any], None]]]](), list[str]()

    def open_page(
        path: str,
        *,
        language: str = "en",
        dark: bool = False,
        width: int = 0,
        touch: bool = True,
        reader: type[Robot] = Robot,
        font_size: int = FONT_SIZE,
        at: str = address,
        **others: Any,
    ) -> Robot:
        options = {
            "font_size": font_size,
            "base_url": at,
            "locale": language,
            "color_scheme": "dark" if dark else "light",
            "viewport": {"width": width or PHONE["width"], "height": 900 if width >= 900 else PHONE["height"]},
            "has_touch": touch,
            "reduced_motion": "reduce",
            **others,
        }
        page = windows.take(options)
        robot = reader(page)
        watchers: dict[str, Callable[[Any], None]] = {
            "pageerror": lambda error: faults.append(f"thrown: {error}"),
            "console": lambda entry: (
                faults.append(f"said: {entry.text}")
                if entry.type in ("error", "warning") and not (robot.may_lose_the_service or ANSWERED in entry.text)
                else None
            ),
            "request": lambda request: faults.extend(elsewhere(request.url, at)),
        }
        taken.append((options, page, watchers))
        for event, watcher in watchers.items():
            page.on(event, watcher)
        page.goto(path)
        robot.settle()
        return robot

    yield open_page
    for options, page, watchers in taken:
        windows.give_back(options, page)
        for event, watcher in watchers.items():
            page.remove_listener(event, watcher)
    assert not faults


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, as `make test-pages` installs it from its lock."""
    path = Path(__file__).resolve().parents[2] / "tools" / "pages" / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.skip("axe-core is not installed (`make test-pages` does it, with Node): no accessibility is looked at")
    return path.read_text("utf-8")
