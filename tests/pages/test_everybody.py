"""Whether everybody can use every page in every state, whatever they have set on their device."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from capomastro import pages
from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.sheets import link_to, sheet_of

LONG = "Maximiliane-Charlotte von Hohenstein-Wit"
"""A name of 40 characters, with hardly a place to break it."""
RECORDS = {"palazzo": "four-plan", "campanile": "five-plan", "carrara": "tie-by-blocks", "fifth-avenue": "four-plan"}
"""Whole tables; those of Carrara and Fifth Avenue end in a tie that has to be broken."""

SURROUNDINGS = {
    "en-light-phone": {"language": "en", "dark": False, "width": 390},
    "de-dark-small": {"language": "de", "dark": True, "width": 320},
    "it-light-wide": {"language": "it", "dark": False, "width": 1280},
    "es-dark-phone": {"language": "es", "dark": True, "width": 360},
}
BROKEN: dict[str, Callable[[dict[str, Any]], None]] = {
    "palazzo": lambda sheet: sheet["seats"][0].update(palaces=[["brick-1-1"], ["brick-1-1", "brick-2-1"]]),
    "campanile": lambda sheet: sheet["towers"]["a"].update(rows=[{"seat": 0, "markers": ["large", "large"]}]),
    "carrara": lambda sheet: sheet["seats"][0].update(objects=40),
    "fifth-avenue": lambda sheet: sheet["districts"].update(
        {"times-square": {"orange": {"owner": 0, "buildings": 2}, "green": {"owner": 0, "buildings": 1}}}
    ),
}
"""What makes a table impossible at one place."""


def table(game: str) -> dict[str, Any]:
    sheet = sheet_of(game, RECORDS[game])
    sheet["seats"][-1]["name"] = LONG
    return sheet


def typed_in(robot: Robot) -> None:
    """From a link to the pad itself, with everything typed in."""
    robot.page.locator("main.result .keep").click()
    robot.page.wait_for_selector(".pad-part")
    robot.scored()


def states(visit: Opener, game: str, **surroundings: Any) -> Iterator[tuple[str, Robot]]:
    """Every state of the pad of a game, one after the other."""
    robot = visit(f"/score/{game}", **surroundings)
    yield "who plays", robot
    robot.sit_down("Ada", "Bruno", LONG)
    yield "nothing typed in", robot
    robot = visit(link_to(table(game)), **surroundings)
    robot.page.wait_for_selector(".places li")
    robot.page.wait_for_selector(".applied li")
    yield "result", robot
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
    robot.page.locator("header .icon[aria-haspopup]").click()
    robot.page.wait_for_selector("dialog .menu")
    yield "menu", robot
    robot.page.locator("dialog .menu button").nth(2).click()
    robot.page.wait_for_selector("dialog .kept")
    yield "tables that are kept", robot
    robot.close_dialog()
    for place in PLACES[game]:
        robot.page.locator(place).first.click()
        yield place, robot
    sheet = table(game)
    BROKEN[game](sheet)
    robot = visit(link_to(sheet), **surroundings)
    robot.page.wait_for_selector(".finding")
    yield "result of what cannot be", robot
    typed_in(robot)
    robot.page.locator(".bar.wrong button").click()
    robot.page.wait_for_selector(".finding")
    yield "what cannot be", robot


PLACES = {
    "palazzo": (".either button:last-child", ".either button:first-child"),
    "campanile": (".stepper .count", ".column", ".pad-foot .button:not(.main):last-of-type"),
    "carrara": tuple(f".figures tbody tr:nth-child({row}) button" for row in (2, 3, 4)),
    "fifth-avenue": (".map .place:last-child", ".map .place:first-child", ".map .district", ".little-map"),
}
"""What leads to another pad below; the one after the other."""
BRIEF = ("nothing typed in", "result", "all typed in", "what cannot be")
"""The states that are looked at in all surroundings."""


@pytest.mark.parametrize("surroundings", SURROUNDINGS.values(), ids=SURROUNDINGS)
@pytest.mark.parametrize("game", RECORDS)
def test_every_state_of_a_pad(visit: Opener, axe: str, game: str, surroundings: dict[str, Any]) -> None:
    found = dict[str, Any]()
    for state, robot in states(visit, game, **surroundings):
        if surroundings["language"] in ("it", "es") and state not in BRIEF:
            continue
        found[state] = [*robot.complaints(axe), *robot.too_small(), *robot.cut_off(), *sideways(robot)]
    assert {state: complaints for state, complaints in found.items() if complaints} == {}


@pytest.mark.parametrize(
    ("path", "surroundings"),
    [
        *(("/", surroundings) for surroundings in SURROUNDINGS.values()),
        *zip((f"/rules/{game}" for game in RECORDS), SURROUNDINGS.values(), strict=True),
    ],
)
def test_pages_to_read(visit: Opener, axe: str, path: str, surroundings: dict[str, Any]) -> None:
    robot = visit(path, **surroundings)
    assert [*robot.complaints(axe), *robot.too_small(), *robot.cut_off(), *sideways(robot)] == []


def sideways(robot: Robot) -> list[str]:
    over = robot.sideways()
    return [f"{over} pixels wider than the window"] if over > 0 else []


# --- larger, fewer colours, on paper ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", RECORDS)
def test_letters_twice_as_large(visit: Opener, game: str) -> None:
    """As readers set it in their browser: all sizes follow, and nothing is cut off or leads out of the window."""
    found = dict[str, Any]()
    for state, robot in states(visit, game, width=640):
        robot.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        found[state] = [*robot.cut_off(), *sideways(robot)]
    assert {state: complaints for state, complaints in found.items() if complaints} == {}


@pytest.mark.parametrize("path", ["/", "/rules/palazzo", *(f"/score/{game}" for game in RECORDS)])
@pytest.mark.parametrize("width", [640, 320])
def test_zoomed_to_twice_the_size(visit: Opener, path: str, width: int) -> None:
    """A window of 1280 or 640 pixels at 200 %."""
    robot = visit(path, width=width, language="de", device_scale_factor=2)
    assert [*robot.cut_off(), *sideways(robot)] == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", RECORDS)
def test_forced_colours(visit: Opener, axe: str, game: str, dark: bool) -> None:
    """What is chosen has an outline, what cannot be a frame; marks of players keep their colours."""
    seen = set[str]()
    for state, robot in states(visit, game, dark=dark, forced_colors="active"):
        assert robot.page.evaluate("() => matchMedia('(forced-colors: active)').matches")
        bare = robot.page.evaluate(
            "() => [...document.querySelectorAll('[aria-pressed=true], [aria-selected=true], .found')]"
            ".filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).outlineWidth) < 2)"
            ".map((one) => one.outerHTML.slice(0, 120))"
        )
        assert bare == [], state
        seen |= set(
            robot.page.evaluate(
                "() => [...document.querySelectorAll('.mark .outline')].map((one) => getComputedStyle(one).fill)"
            )
        )
    assert len(seen) >= 3


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", RECORDS)
def test_a_result_on_paper(visit: Opener, game: str, dark: bool) -> None:
    """Black on white whatever the screen has, without anything to tap, all points and their rules."""
    robot = visit(link_to(table(game)), dark=dark)
    robot.page.wait_for_selector(".applied li")
    robot.page.emulate_media(media="print")
    assert robot.page.locator("button:visible, input:visible, header:visible").count() == 0
    colours = robot.page.evaluate(
        "() => [document.body, ...document.querySelectorAll('main, h1, .why, .bill, .bill td, .applied a')]"
        ".map((one) => getComputedStyle(one)).map((one) => `${one.color} on ${one.backgroundColor}`)"
    )
    assert {colour.split(" on ")[0] for colour in colours} <= {"rgb(0, 0, 0)", "rgb(51, 51, 51)"}
    assert {colour.split(" on ")[1] for colour in colours} <= {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}
    assert robot.page.locator(".bill:visible").count() == len(table(game)["seats"])
    assert robot.page.locator(".bill").first.evaluate("(one) => getComputedStyle(one).breakInside") == "avoid"
    assert robot.page.pdf(format="A4").startswith(b"%PDF")


def test_there_is_a_pad_for_each_of_these() -> None:
    assert sorted(RECORDS) == sorted(BROKEN) == sorted(PLACES) == pages.pads()
