"""Accessibility of every page in every state, with all settings of the device."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from capomastro import pages
from tests.pages.conftest import Opener
from tests.pages.parameters import first_of
from tests.pages.robot import Robot
from tests.pages.sheets import link_to, sheet_of

LONG = "Maximiliane-Charlotte von Hohenstein-Wit"
"""A name of 40 characters, with hardly any place for a line break."""
RECORDS = {"palazzo": "four-plan", "campanile": "five-plan", "carrara": "tie-by-blocks", "fifth-avenue": "four-plan"}
"""Whole tables; those of Carrara and Fifth Avenue end in a tie that has to be broken."""

SURROUNDINGS = {
    "en-light-phone": {"language": "en", "dark": False, "width": 390},
    "de-dark-small": {"language": "de", "dark": True, "width": 320},
    "it-light-wide": {"language": "it", "dark": False, "width": 1280},
    "es-dark-phone": {"language": "es", "dark": True, "width": 360},
}
"""In English the pages are also checked with letters twice as large, with forced colours and in print."""
BROKEN: dict[str, Callable[[dict[str, Any]], None]] = {
    "palazzo": lambda sheet: sheet["seats"][0].update(palaces=[["brick-1-1"], ["brick-1-1", "brick-2-1"]]),
    "campanile": lambda sheet: sheet["towers"]["a"].update(rows=[{"seat": 0, "markers": ["large", "large"]}]),
    "carrara": lambda sheet: sheet["seats"][0].update(objects=40),
    "fifth-avenue": lambda sheet: sheet["districts"].update(
        {"times-square": {"orange": {"owner": 0, "buildings": 2}, "green": {"owner": 0, "buildings": 1}}}
    ),
}
"""A change that makes a table impossible at one place."""


def table(game: str) -> dict[str, Any]:
    sheet = sheet_of(game, RECORDS[game])
    sheet["seats"][-1]["name"] = LONG
    return sheet


def opened(robot: Robot, sheet: dict[str, Any]) -> None:
    """Opens the result of a table from a link."""
    robot.page.goto(link_to(sheet))
    robot.settle()


def typed_in(robot: Robot) -> None:
    """Goes from a link to the pad itself, with all entries."""
    robot.page.locator("main.result .keep").click()
    robot.page.wait_for_selector(".pad-part")
    robot.scored()


def states(visit: Opener, game: str, **surroundings: Any) -> Iterator[tuple[str, Robot]]:
    """Every state of the pad of a game, one after the other in one browser."""
    robot = visit(f"/score/{game}", **surroundings)
    yield "who plays", robot
    robot.sit_down("Ada", "Bruno", LONG)
    yield "nothing typed in", robot
    opened(robot, table(game))
    robot.page.wait_for_selector(".places li")
    robot.page.wait_for_selector(".applied li")
    yield "result", robot
    if game == WITH_DIALOGS:
        robot.page.locator(".bill a").first.click()
        robot.page.wait_for_selector("dialog p")
        yield "a rule", robot
        robot.close_dialog()
        robot.page.locator(".shares button").nth(2).click()
        robot.page.wait_for_selector("dialog svg.qr path")
        yield "QR code", robot
        robot.close_dialog()
    typed_in(robot)
    yield "all typed in", robot
    if game == WITH_DIALOGS:
        robot.page.locator("header .icon[aria-haspopup]").click()
        robot.page.wait_for_selector("dialog .menu")
        yield "menu", robot
        robot.close_dialog()
    for place in PLACES[game]:
        robot.page.locator(place).first.click()
        yield place, robot
    sheet = table(game)
    BROKEN[game](sheet)
    opened(robot, sheet)
    robot.page.wait_for_selector("main.result :is(.impossible, .finding)")
    yield "result of what cannot be", robot
    typed_in(robot)
    robot.page.locator(".wrong-foot .link").click()
    robot.page.wait_for_selector(".finding")
    yield "what cannot be", robot


PLACES = {
    "palazzo": (".either button:last-child", ".either button:first-child"),
    "campanile": tuple(f".steps button:nth-child({step})" for step in (1, 2, 3)),
    "carrara": tuple(f".figures tbody tr:nth-child({row}) button" for row in (2, 3, 4)),
    "fifth-avenue": (
        *(".map .place:last-child", ".little-map"),
        *(".map .place:first-child", ".little-map"),
        *(".map .district", ".little-map"),
    ),
}
"""The buttons that lead to another pad below, one after the other."""
WITH_DIALOGS = "palazzo"
"""The pads of all games open the same dialogs."""
DIALOGS = ("a rule", "QR code", "menu")
BRIEF = ("nothing typed in", "result", "all typed in", "what cannot be")
"""The states that are checked with all settings."""
FULLEST = ("result", "all typed in")
"""Those that axe looks at in another language, narrow and dark, or wide."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "surroundings"),
    [
        *((game, SURROUNDINGS["en-light-phone"]) for game in RECORDS),
        ("fifth-avenue", SURROUNDINGS["de-dark-small"]),
        ("campanile", SURROUNDINGS["it-light-wide"]),
        ("carrara", SURROUNDINGS["es-dark-phone"]),
    ],
)
def test_every_state_of_a_pad_is_accessible(visit: Opener, axe: str, game: str, surroundings: dict[str, Any]) -> None:
    """Each is reached once and checked in every way before the next: reaching takes longer than checking."""
    language = surroundings["language"]
    found = dict[str, Any]()
    fills: dict[str, set[str]] = {"light": set(), "dark": set()}
    for state, robot in states(visit, game, **surroundings):
        if language != "en" and state not in BRIEF:
            continue
        found[state] = unreadable(robot)
        is_new = state != "result of what cannot be" or game == WITH_DIALOGS  # says the same for all games
        if (language == "en" and is_new) or state in FULLEST:
            found[state] += robot.complaints(axe, "dialog" if state in DIALOGS else None)
        if language != "en":
            continue
        if state not in (*FULLEST, *PLACES[game]):  # these are looked at below, in narrower windows
            found[f"{state}, letters twice as large"] = twice_as_large(robot)
        for scheme in ("dark", "light") if state in BRIEF else ("dark",):
            found[f"{state}, forced colours, {scheme}"] = without_an_outline(robot, scheme)
            if state == "result" and game == "fifth-avenue":  # with the longest bills
                found[f"{state}, letters in forced colours, {scheme}"] = robot.hard_to_read(axe)
            fills[scheme] |= fills_of_marks(robot)
            if state == "result":
                found[f"on paper, {scheme}"] = on_paper(robot, game, scheme)
        robot.page.emulate_media(media="screen", forced_colors="none", color_scheme="light")
    assert {state: complaints for state, complaints in found.items() if complaints} == {}
    if language == "en":
        assert min(map(len, fills.values())) >= 3, "forced colours take the colours from the marks of players"


@pytest.mark.parametrize("surroundings", SURROUNDINGS.values(), ids=SURROUNDINGS)
def test_the_start_page_is_accessible(visit: Opener, axe: str, surroundings: dict[str, Any]) -> None:
    robot = visit("/", **surroundings)
    assert unreadable(robot) == []
    if surroundings["language"] in ("en", "de"):  # light and dark, wide enough and narrow
        assert robot.complaints(axe) == []


def unreadable(robot: Robot) -> list[str]:
    return [*robot.too_small(), *robot.cut_off(), *sideways(robot)]


def sideways(robot: Robot) -> list[str]:
    over = robot.sideways()
    return [f"{over} pixels wider than the window"] if over > 0 else []


# --- larger, fewer colours, on paper ---------------------------------------------------------------------------------


def twice_as_large(robot: Robot) -> list[str]:
    """As set in the browser: all sizes follow, and nothing is cut off or leaves the window."""
    before = robot.page.viewport_size
    robot.page.set_viewport_size({**before, "width": 640})
    robot.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    found = [*robot.cut_off(), *sideways(robot)]
    robot.page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    robot.page.set_viewport_size(before)
    return found


BROKEN_WORDS = r"""(places) => [...document.querySelectorAll(places)].flatMap((one) => {
  const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.parentElement.checkVisibility() || text.parentElement.getBoundingClientRect().width <= 1) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})"""
"""The words in these places that are broken over two lines, without a hyphen."""
HEADINGS = "h1, h2, .where, .brand span"
LABELS = "th, label, button, select, summary, .band, .ply, .floors, .places"


@pytest.mark.long
@pytest.mark.longest
def test_headings_stay_whole_on_a_phone_with_letters_twice_as_large(visit: Opener) -> None:
    """As set in the browser, so that the layout follows; German has the longest words."""
    robot = visit("/", language="de", font_size=32)
    for path in (
        "/",
        "/replay",
        "/book",
        *(f"/score/{game}" for game in RECORDS),
        *(f"/play/{game}" for game in RECORDS),
    ):
        robot.page.goto(path)
        robot.settle()
        assert (path, robot.page.evaluate(BROKEN_WORDS, HEADINGS), sideways(robot)) == (path, [], [])
        if path.startswith("/score"):
            robot.sit_down()
            assert (path, robot.page.evaluate(BROKEN_WORDS, HEADINGS)) == (path, [])


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "language"),
    [*((game, "de") for game in RECORDS), ("carrara", "it")],
)
def test_labels_stay_whole_on_a_phone_with_letters_twice_as_large(visit: Opener, game: str, language: str) -> None:
    robot = visit("/", language=language, font_size=32, width=360)
    sheet = sheet_of(game, RECORDS[game])

    def broken() -> list[str]:
        return [*robot.page.evaluate(BROKEN_WORDS, LABELS), *robot.cut_off(), *sideways(robot)]

    opened(robot, sheet)
    robot.page.wait_for_selector(".places li")
    found = {"result": broken()}
    typed_in(robot)
    found["pad"] = broken()
    for place in PLACES[game]:
        robot.page.locator(place).first.click()
        found[place] = broken()
    assert {place: words for place, words in found.items() if words} == {}


def test_the_viewer_stays_whole_on_a_phone_with_letters_twice_as_large(visit: Opener) -> None:
    robot = visit("/replay", language="de", font_size=32, width=360)
    robot.page.locator(".choose button").first.click()
    robot.page.locator("move-list a:visible").first.wait_for()
    assert [*robot.page.evaluate(BROKEN_WORDS, f"{LABELS}, move-list a"), *sideways(robot)] == []


@pytest.mark.parametrize("path", first_of([*(f"/score/{game}" for game in RECORDS), "/", "/rules/palazzo"]))
def test_pages_fit_at_200_percent_zoom(visit: Opener, path: str) -> None:
    """A window of 1280 or 640 pixels at 200 %."""
    robot = visit(path, width=640, language="de", device_scale_factor=2)
    for width in (640, 320):
        robot.page.set_viewport_size({"width": width, "height": 844})
        assert [*robot.cut_off(), *sideways(robot)] == [], width


def without_an_outline(robot: Robot, scheme: str) -> list[str]:
    """What forced colours hide: there, chosen elements need an outline, and impossible ones a frame."""
    robot.page.emulate_media(forced_colors="active", color_scheme=scheme)
    assert robot.page.evaluate("(scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches", scheme)
    assert robot.page.evaluate("() => matchMedia('(forced-colors: active)').matches")
    bare: list[str] = robot.page.evaluate(
        "() => [...document.querySelectorAll('[aria-pressed=true], [aria-selected=true], .found')]"
        ".filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).outlineWidth) < 2)"
        ".map((one) => one.outerHTML.slice(0, 120))"
    )
    return bare


def fills_of_marks(robot: Robot) -> set[str]:
    """The colours of the marks of players."""
    fill = "() => [...document.querySelectorAll('.mark .outline')].map((one) => getComputedStyle(one).fill)"
    return set(robot.page.evaluate(fill))


def on_paper(robot: Robot, game: str, scheme: str) -> list[str]:
    """Everything wrong with a printed result.

    It must be black on white whatever the screen shows, have nothing to tap, and all points with their rules.
    """
    page = robot.page
    page.emulate_media(media="print", forced_colors="none", color_scheme=scheme)
    colours = page.evaluate(
        "() => [document.body, ...document.querySelectorAll('main, h1, .why, .bill, .bill td, .applied a')]"
        ".map((one) => getComputedStyle(one)).map((one) => `${one.color} on ${one.backgroundColor}`)"
    )
    wrong = {
        "something to tap": page.locator("button:visible, input:visible, header:visible").count() > 0,
        "not black": not {one.split(" on ")[0] for one in colours} <= {"rgb(0, 0, 0)", "rgb(51, 51, 51)"},
        "not on white": not {one.split(" on ")[1] for one in colours} <= {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"},
        "not all bills": page.locator(".bill:visible").count() != len(table(game)["seats"]),
        "broken": page.locator(".bill").first.evaluate("(one) => getComputedStyle(one).breakInside") != "avoid",
        "no PDF": not page.pdf(format="A4").startswith(b"%PDF"),
    }
    page.emulate_media(media="screen")
    return [what for what, is_so in wrong.items() if is_so]


def test_every_listed_game_has_a_pad() -> None:
    assert sorted(RECORDS) == sorted(BROKEN) == sorted(PLACES) == pages.pads()
