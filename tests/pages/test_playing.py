"""The pages to play on, as people see them: marks, names, and how choices are offered."""

import json
import zlib
from base64 import urlsafe_b64encode

import pytest

from capomastro import Record, pages
from tests.pages.conftest import Opener
from tests.pages.parameters import first_of
from tests.pages.robot import Robot
from tests.pages.test_play import READY, TABLE, kept, sat_down
from tests.pages.test_replay import record_text

WORDS = pages.FILES / "words"


def wording(kind: str, language: str, key: str) -> str:
    words: dict[str, str] = json.loads((WORDS / f"{kind}{'.' if kind else ''}{language}.json").read_text("utf-8"))
    return words[key]


def test_a_moment_is_not_broken_within_the_day_or_the_time(visit: Opener) -> None:
    page = visit("/play/palazzo").page
    moment = page.evaluate(f"async () => (await import(`${{{TABLE}.files}}/dialogs.js`)).moment('2026-11-23T12:16:00')")
    assert moment.split(" ") == ["Nov\u00a023,", "2026,", "12:16\u00a0PM"]


def test_what_is_wrong_with_a_link_is_said_where_a_game_begins(visit: Opener, axe: str) -> None:
    robot = visit("/play/palazzo#dabc")
    robot.page.locator(".setup .finding").wait_for()
    assert robot.text(".setup .finding") == wording("", "en", "link.bad")
    assert robot.page.locator(".bar.wrong").count() == 0
    assert robot.complaints(axe) == []


LAST_STEPS = {
    ("palazzo", "three-plan"): [
        "Player 2 chooses: buy or auction tiles.",
        "Rider 5 of 5 is drawn.",
        "The game is over.",
    ],
    ("campanile", "five-plan"): [
        "Player 3 takes 1 card of style B.",
        "A card is turned up: Finito.",
        "Scoring of the Finito: tower C, rank 1, height 19.",
        "Scoring of the Finito: tower D, rank 2, height 18.",
        "Scoring of the Finito: tower B, rank 3, height 17.",
        "Scoring of the Finito: tower A, rank 4, height 17.",
        "Scoring of the Finito: tower E, rank 5, height 14.",
        "The game is over.",
    ],
    ("carrara", "start-acting"): [
        "Player 3 scores the type palace: 10 points, 0 coins; objects: crown.",
        "The game is over.",
    ],
    ("fifth-avenue", "three-stop"): [
        "Player 3 orders a building stop: 42nd Street West.",
        "Player 1, building stop in 42nd Street West: 1 point.",
        "Player 3, building stop in 42nd Street West: 2 points.",
        "The game ends; the final scoring follows.",
        "The game is over.",
    ],
}
"""The last step of recorded games, in words: not the lines of the bills, but what moved markers on the track."""


def link_to(record: Record) -> str:
    """A record as the fragment of a link, packed as the pages pack it."""
    packing = zlib.compressobj(wbits=-15)
    packed = packing.compress(record.text().encode()) + packing.flush()
    return "n" + urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.mark.parametrize(("game", "name"), first_of(LAST_STEPS))
def test_the_log_does_not_repeat_the_bills_above_it(visit: Opener, game: str, name: str) -> None:
    record = Record.from_text(record_text(game, name))
    robot = visit(f"/play/{game}#{link_to(record)}")
    robot.page.wait_for_function(READY)
    assert robot.page.locator(".bill").count() == record.players
    last = robot.page.locator(".log li").first
    told = last.locator("p:not(.gains)").all_inner_texts()
    assert [one.removesuffix(" Rule") for one in told] == LAST_STEPS[game, name]
    assert last.locator(".gains").count() == 1


@pytest.mark.long
@pytest.mark.parametrize("sent", ["a recorded game", "an invitation"])
def test_back_leads_from_what_a_link_has_opened_to_the_table_before(visit: Opener, sent: str) -> None:
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno")
    page, before = robot.page, kept(robot)
    if sent == "an invitation":
        terms = {"game": "palazzo", "names": ["Ada", "Bruno"], "options": {}, "draws": "witnessed", "nonce": "0" * 20}
        page.evaluate(
            """async (terms) => {
              const { packed } = await import(document.querySelector("game-table").files + "/sealed.js");
              location.hash = await packed({ invitation: { ...terms, locks: [null, null] } });
            }""",
            terms,
        )
        page.locator("#invitation").wait_for()
    else:
        link = link_to(Record.from_text(record_text("palazzo", "two-plan")))
        page.evaluate("(link) => { location.hash = `${link}.30`; }", link)
        page.wait_for_function(f"() => {TABLE}.table?.ply >= 30 && ({READY})()")
    page.go_back()
    page.wait_for_function(f"(id) => {TABLE}.table?.id === id && ({READY})()", arg=before["id"])
    assert page.locator(".now").count()
    assert page.url.endswith(before["id"])
    assert kept(robot)["record"] == before["record"]


def test_a_window_that_lags_behind_catches_up_instead_of_taking_moves_back(visit: Opener) -> None:
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno")
    late = Robot(robot.page.context.new_page())
    late.page.goto(robot.page.url)
    for window in (robot, late):
        ready(window)
    play_first(robot)
    before = kept(robot)
    play_first(late)
    assert kept(robot) == before
    assert kept(late) == before
    told = wording("play", "en", "play.gone-on")
    late.page.get_by_text(told).wait_for()
    assert late.page.evaluate(f"() => {TABLE}.table.ply") == len(before["record"]["moves"])
    late.page.close()


def ready(robot: Robot) -> None:
    """Waits until the player whose turn it is can choose, if need be with the device in their hands."""
    robot.page.wait_for_function(READY)
    handed_over = robot.button("I am ")
    if handed_over.count():
        handed_over.click()
        robot.page.wait_for_function(READY)


def play_first(robot: Robot) -> None:
    robot.page.locator(".actions button").first.click()
    robot.page.wait_for_function(READY)


TASK_IN_SIGHT = """() => {
  const bar = document.querySelector(".said").getBoundingClientRect();
  const task = document.createRange();
  task.selectNodeContents(document.querySelector("#turn").lastChild);
  const { left, right, top, bottom } = task.getBoundingClientRect();
  const isWithin = left >= bar.left && right <= bar.right + 1 && bottom <= bar.bottom + 1;
  return [Math.round((bottom - top) / 19), isWithin];
}"""
"""On how many lines the bar says what is to be done, and whether all of it can be seen."""


def test_a_long_name_leaves_room_for_what_is_to_be_done(visit: Opener) -> None:
    names = (f"{name}-Friederike von Hohenlohe-Langenburg" for name in ("Ada", "Bea"))
    robot = sat_down(visit("/play/palazzo"), *names)
    page = robot.page
    here = page.locator(".actions button", has_text="I am ")
    for move, told in (("Draw 2 tiles", 0), ("Call an auction", 0), ("Pass", 1)):
        if here.count():
            here.click()
            page.wait_for_function(READY)
        robot.button(move).wait_for()
        assert page.locator(".said .before").count() == told
        assert page.evaluate(TASK_IN_SIGHT) == [1, True], move
        robot.tap(move)
        page.wait_for_function(READY)
