"""The pages to play on, as people see them: marks, names, and how choices are offered."""

import json
import zlib
from base64 import urlsafe_b64encode
from collections import Counter
from itertools import cycle
from typing import Any

import pytest

from capomastro import Position, Record, pages
from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.test_play import READY, TABLE, kept, sat_down
from tests.pages.test_replay import record_text
from tests.support.documents import as_document
from tests.support.random_positions import random_positions

WORDS = pages.FILES / "words"


def wording(kind: str, language: str, key: str) -> str:
    words: dict[str, str] = json.loads((WORDS / f"{kind}{'.' if kind else ''}{language}.json").read_text("utf-8"))
    return words[key]


GROUPS = f"""async (lists) => {{
  const {{ byNumber }} = await import(`${{{TABLE}.files}}/play/choice.js`);
  return lists.map((legal) => byNumber(legal.map((one) => ({{ ...one, targets: [] }}))));
}}"""
MOST_MOVES = 60


@pytest.mark.parametrize("game", pages.pads())
def test_moves_that_differ_in_a_number_are_said_together(visit: Opener, game: str) -> None:
    """None is lost, and the common sentence with the number put in says what the move says."""
    page = visit(f"/play/{game}").page
    positions = [*random_positions(game, 2, names=["Ada", "Bruno"], seed="7")][::9]
    for language in pages.LANGUAGES:
        lists = [as_choices(position, language) for position in positions]
        together = 0
        for legal, groups in zip(lists, page.evaluate(GROUPS, lists), strict=True):
            assert Counter(json.dumps(choice["move"]) for group in groups for choice in group["choices"]) == Counter(
                json.dumps(one["move"]) for one in legal
            )
            for group in groups:
                together += len(group["choices"]) > 1
                for choice, number in zip(group["choices"], group["numbers"], strict=bool(group["label"])):
                    assert as_words(group["label"], number) == as_words(choice["text"].replace(number, "…", 1), number)
        assert together or game != "campanile"


def as_choices(position: Position, language: str) -> list[dict[str, Any]]:
    return [
        {"move": as_document(move), "text": position.sentence(move, language)}
        for move in [*position.legal_moves][:MOST_MOVES]
    ]


def as_words(text: str, number: str) -> list[str]:
    """The words around the number; without the one after a 1: it is singular in one sentence, plural in the other."""
    words = text.split()
    at = words.index("…")
    return words[: at + 1] + words[at + 1 + (number == "1") :]


def test_floors_are_chosen_by_their_number(visit: Opener, axe: str) -> None:
    robot = sat_down(visit("/play/campanile"), "Ada", "Bruno", kinds={1: "random"})
    page = robot.page
    page.locator("game-board [data-place='/seats/0/hand'] > [data-state=next]").first.click()
    group = page.locator(".ways").get_by_role("group")
    assert group.get_attribute("aria-label").endswith("by … floors.")
    assert robot.complaints(axe) == []
    assert robot.too_small() == []
    assert page.locator(".ways button").all_inner_texts() == ["1", "2", "3"]
    robot.press(group.get_by_role("button", name="by 2 floors."))
    page.wait_for_function(READY)
    played = next(move for move in kept(robot)["record"]["moves"] if move["type"] == "play-card")
    assert played["floors"] == 2


BAR = """() => {
  const drawn = document.querySelector("game-board").shadowRoot.querySelector("svg");
  const [, top] = drawn.getAttribute("viewBox").split(" ").map(Number);
  const bar = [...drawn.children].filter(({ tagName }) => tagName === "rect")[1];
  const said = drawn.querySelector(":scope > .bold.on-bar");
  const box = said.getBBox();
  const end = bar.y.baseVal.value + bar.height.baseVal.value;
  const above = box.y - Math.max(top, bar.y.baseVal.value);
  return { above, below: end - box.y - box.height, moves: drawn.textContent.includes("· move") };
}"""


@pytest.mark.parametrize(("game", "width"), list(zip(pages.pads(), cycle((390, 1280)))))
def test_the_bar_has_no_empty_line(visit: Opener, game: str, width: int) -> None:
    robot = sat_down(visit(f"/play/{game}", width=width), "Ada", "Bruno", kinds={1: "random"})
    bar = robot.page.evaluate(BAR)
    assert not bar["moves"]
    assert abs(bar["above"] - bar["below"]) <= 6, bar
    frame = robot.page.locator("div.frame").bounding_box()
    drawn = robot.page.locator("game-board > svg, game-board svg").first.bounding_box()["height"]
    assert abs(frame["height"] - drawn) <= 8, "the frame is as high as the picture"


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


@pytest.mark.parametrize(("game", "name"), LAST_STEPS)
def test_the_log_does_not_repeat_the_bills_above_it(visit: Opener, game: str, name: str) -> None:
    record = Record.from_text(record_text(game, name))
    robot = visit(f"/play/{game}#{link_to(record)}")
    robot.page.wait_for_function(READY)
    assert robot.page.locator(".bill").count() == record.players
    last = robot.page.locator(".log li").first
    told = last.locator("p:not(.gains)").all_inner_texts()
    assert [one.removesuffix(" Rule") for one in told] == LAST_STEPS[game, name]
    assert last.locator(".gains").count() == 1


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
    robot.page.locator(".ways button").first.click()
    robot.page.wait_for_function(READY)
