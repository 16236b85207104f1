"""A browser with the pages of a running service: errors that a user would not see make the test fail, too."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
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
AXE_CORE = Path(__file__).resolve().parents[2] / "tools" / "pages" / "node_modules" / "axe-core" / "axe.min.js"
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


class Window(NamedTuple):
    """A page with a user of its own, and the tools of a developer on it."""

    page: Any
    tools: Any
    kept: dict[str, Any]
    """What the window was made with; it can only be changed in a new one."""


class Windows:
    """Windows of the browser, which one test after another uses.

    The first page in a new window takes three times the CPU time of a page in a used one. So language, colours and size
    are changed in a used one; what was loaded stays in the cache, and everything else that a test did is undone.
    """

    MOST_UNUSED = 8

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.unused: list[Window] = []

    def take(self, kept: dict[str, Any], language: str, dark: bool, viewport: dict[str, int]) -> Window:
        """A window of this kind, set to a language, a preference and a size."""
        window = next((one for one in self.unused if one.kept == kept), None)
        if window is None:
            window = self.opened(kept)
        else:
            self.unused.remove(window)
        page, tools, _ = window
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme="dark" if dark else "light")
        tools.send("Emulation.setLocaleOverride", {"locale": language})
        tools.send("Emulation.setUserAgentOverride", {"userAgent": "Chromium", "acceptLanguage": language})
        return window

    def opened(self, kept: dict[str, Any]) -> Window:
        context = self.browser.new_context(**{key: kept[key] for key in kept if key != "font_size"})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        tools = context.new_cdp_session(page)
        if kept["font_size"] != FONT_SIZE:
            # This holds as long as the window does: no later session takes it back.
            tools.send("Page.setFontSizes", {"fontSizes": {"standard": kept["font_size"]}})
        return Window(page, tools, kept)

    def give_back(self, window: Window) -> None:
        """Clears what is left in a window, for the next test that wants one of its kind."""
        page, tools, kept = window
        if page.is_closed():
            return
        if "storage_state" in kept:
            page.context.close()
            return
        page.unroute_all(behavior="ignoreErrors")
        page.goto("about:blank")
        tools.send("Storage.clearDataForOrigin", {"origin": kept["base_url"], "storageTypes": "all"})
        tools.send("Page.resetNavigationHistory")
        page.context.set_offline(False)
        page.emulate_media(media="null", forced_colors=kept.get("forced_colors", "none"))
        self.unused.append(window)
        if len(self.unused) > self.MOST_UNUSED:
            self.unused.pop(0).page.context.close()


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
    taken, faults = list[tuple[Window, dict[str, Callable[[Any], None]]]](), list[str]()

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
        kept = {"font_size": font_size, "base_url": at, "has_touch": touch, "reduced_motion": "reduce", **others}
        viewport = {"width": width or PHONE["width"], "height": 900 if width >= 900 else PHONE["height"]}
        window = windows.take(kept, language, dark, viewport)
        page = window.page
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
        taken.append((window, watchers))
        for event, watcher in watchers.items():
            page.on(event, watcher)
        page.goto(path)
        robot.settle()
        return robot

    yield open_page
    for window, watchers in taken:
        windows.give_back(window)
        for event, watcher in watchers.items():
            window.page.remove_listener(event, watcher)
    assert not faults


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, as `make test-pages` installs it from its lock."""
    if not AXE_CORE.exists():
        pytest.skip("axe-core is not installed (`make test-pages` does it, with Node): no accessibility is looked at")
    return AXE_CORE.read_text("utf-8")
