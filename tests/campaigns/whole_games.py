"""Whole games of every title in the pages, by what is in sight: make campaign NAME=whole-games

Against a planning player: on a phone and on a wide screen, light and dark, by tapping rings, the tray and buttons; and
once per title with the keyboard alone. At every decision, header, bar and actions keep their place, and what can be
tapped lies under nothing. The record has to be legal to its end, with the points the page shows; axe-core finds nothing
in the states on the way and at the end.
"""

import argparse
import sys
from random import Random
from typing import Any, NamedTuple

from capomastro import Record, pages
from tests.campaigns.turns import IDLE, TABLE, phone
from tests.pages.conftest import AXE_CORE
from tests.pages.robot import KeyboardRobot, Robot, number
from tests.pages.test_play import PLAY_ON

SEED = 11
STRETCH = 40
"""Taps after which axe-core looks at the page."""
MOST_STRETCHES = 100


class Window(NamedTuple):
    """How a page is looked at."""

    width: int
    height: int
    scheme: str


WINDOWS = (
    Window(390, 620, "light"),
    Window(390, 620, "dark"),
    Window(1280, 800, "light"),
    Window(1280, 800, "dark"),
)


def sat_down(page: Any, game: str, words: str = "") -> None:
    page.goto(f"/play/{game}?lang=en{words}")
    page.wait_for_function(f"() => {TABLE}?.setup")
    page.evaluate(
        f"""async (seed) => {{
          const {{ LocalTable }} = await import({TABLE}.files + "/play/table.js");
          const settings = {{ game: {TABLE}.game, names: ["Ada", "Bruno"], unnamed: [], options: {{}}, seed }};
          const kinds = ["person", "planning"];
          await {TABLE}.openTable(await LocalTable.start({{ ...settings, kinds }}, {TABLE}.ask));
        }}""",
        str(SEED),
    )
    page.wait_for_function(IDLE)


def is_over(page: Any) -> bool:
    over: bool = page.evaluate(f"() => {TABLE}.acting === 'over'")
    return over


def faults_at_the_end(page: Any) -> list[str]:
    replay = Record.from_document(page.evaluate(f"() => {TABLE}.table.record()")).replay()
    if not replay.legal or not replay.result:
        return ["the record is not a whole game"]
    rows = page.locator(".places li").all()
    shown = {row.locator("[data-name]").inner_text(): number(row.locator(".points").inner_text()) for row in rows}
    right = dict(zip(("Ada", "Bruno"), replay.result.totals, strict=True))
    return [] if shown == right else [f"the page shows {shown}, not {right}"]


def by_tapping(page: Any, game: str, axe: str) -> tuple[str, list[str]]:
    """Plays by what is in sight; what was done, and what was wrong."""
    sat_down(page, game)
    robot, faults, done, places = Robot(page), list[str](), dict[str, int](), set[str]()
    for stretch in range(MOST_STRETCHES):
        played = page.evaluate(PLAY_ON, [STRETCH, SEED + stretch])
        for kind in ("picture", "tray", "actions"):
            done[kind] = done.get(kind, 0) + played[kind]
        places |= set(played["moved"])
        faults += robot.complaints(axe)
        if is_over(page):
            break
    if len(places) > 1:
        faults.append(f"header, bar or actions moved: {places}")
    return f"{sum(done.values())} taps {done}", [*faults, *faults_at_the_end(page)]


def by_keys(page: Any, game: str, axe: str) -> tuple[str, list[str]]:
    """Plays with the keyboard alone, with the choices in words; the focus is never lost."""
    sat_down(page, game, "&words")
    robot, random, faults, pressed = KeyboardRobot(page), Random(SEED), list[str](), 0
    while not is_over(page) and pressed < STRETCH * MOST_STRETCHES:
        pressed += 1
        play = page.locator(".actions .main:not([aria-disabled=true])")
        listed = page.locator(".choices button:not(.pale):not([aria-checked=true]), .segments button")
        others = page.locator(".actions button:not(.main, [aria-disabled=true])")
        is_listed = listed.count() and not (others.count() and pressed % 3 == 0)
        offered = play if play.count() else listed if is_listed else others
        offered = offered if offered.count() else page.locator(".choices button, .segments button")
        robot.press(offered.nth(random.randrange(offered.count())))
        page.wait_for_function(IDLE)
        if not page.evaluate("() => document.activeElement !== document.body"):
            faults.append("the focus is lost")
        if pressed % STRETCH == 0:
            faults += robot.complaints(axe)
    return f"{pressed} presses", [*faults, *faults_at_the_end(page)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=pages.pads(), action="append")
    wanted = parser.parse_args()
    axe = AXE_CORE.read_text("utf-8")
    found = 0
    with phone() as page:
        for game in wanted.game or pages.pads():
            for window in WINDOWS:
                page.set_viewport_size({"width": window.width, "height": window.height})
                page.emulate_media(color_scheme=window.scheme)
                done, faults = by_tapping(page, game, axe)
                print(
                    f"{game}, {window.width} × {window.height}, {window.scheme}: {done}",
                    *faults,
                    sep="\n  ",
                    flush=True,
                )
                found += len(faults)
            done, faults = by_keys(page, game, axe)
            print(f"{game}, keyboard: {done}", *faults, sep="\n  ", flush=True)
            found += len(faults)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
