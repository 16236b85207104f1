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
from tests.pages.test_distance import agreed, at_home
from tests.pages.test_play import READY, TABLE, kept, sat_down
from tests.pages.test_replay import record_text
from tests.support.documents import as_document
from tests.support.random_positions import random_positions

WORDS = pages.FILES / "words"
NAMES = ".setup ol input[type=text]"


def wording(kind: str, language: str, key: str) -> str:
    words: dict[str, str] = json.loads((WORDS / f"{kind}{'.' if kind else ''}{language}.json").read_text("utf-8"))
    return words[key]


def test_whoever_is_to_get_a_sealed_table_is_named_with_their_own_mark(visit: Opener, axe: str) -> None:
    ada, bruno = at_home(visit, "palazzo", "Ada", "Bruno")
    agreed([ada, bruno])
    ada.tap("Join")
    assert ada.robot.text("#turn") == "Pass the table on to Bruno"
    assert marks(ada.robot) == ["player1"]
    assert ada.robot.complaints(axe) == []
    bruno.receive(ada.offered_text())
    assert marks(bruno.robot) == ["player1"], "who is to join sees their own mark"
    assert bruno.robot.complaints(axe) == []
    bruno.tap("Join")
    assert bruno.robot.text("#turn") == "Pass the table on to Ada"
    assert marks(bruno.robot) == ["player0"]
    assert ada.page.locator(".log").count() == 0, "nothing has happened, and a heading says that something has"


def marks(robot: Robot) -> list[str]:
    """Whose marks stand before the title of what is to be done."""
    return [one.get_attribute("class").split()[1] for one in robot.page.locator("#turn .mark").all()]


def test_two_players_cannot_have_the_same_name(visit: Opener, axe: str) -> None:
    robot = visit("/play/palazzo", language="de")
    page = robot.page
    fields = page.locator(NAMES)
    fields.nth(0).fill("Ada")
    fields.nth(1).fill(" ada ")
    assert page.locator(".setup .finding").count() == 0, "the name may still be being typed"
    page.locator("form.setup [type=submit]").click()
    sentence = wording("play", "de", "play.same-name").replace("{name}", "ada")
    assert robot.text(".setup .finding") == sentence
    assert fields.nth(1).evaluate("(it) => it === document.activeElement")
    assert fields.nth(1).get_attribute("aria-invalid") == "true"
    assert (
        page.evaluate(
            "() => document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent"
        )
        == sentence
    )
    assert robot.complaints(axe) == []
    page.locator("section.setup .button.wide").click()
    page.locator("#received").wait_for()
    page.locator("section.setup .button.wide").first.click()
    assert page.locator(".taken").count() == 0, "nobody is invited to a table at which two have one name"
    assert fields.nth(1).evaluate("(it) => it === document.activeElement")
    fields.nth(1).fill("Bruno")
    assert page.locator(".setup .finding").count() == 0
    page.locator("form.setup [type=submit]").click()
    page.wait_for_function(READY)


def test_a_name_that_a_place_has_by_default_is_taken_too(visit: Opener) -> None:
    robot = visit("/play/palazzo")
    robot.page.locator(NAMES).nth(0).fill("Player 2")
    robot.tap("Begin")
    assert robot.text(".setup .finding").startswith("There is already a player called Player 2.")


@pytest.mark.parametrize(
    ("language", "game", "key"),
    [("it", "campanile", "move_medium_marker"), ("de", "fifth-avenue", "six_lots")],
)
def test_an_option_is_called_the_same_where_a_game_is_played_and_where_it_is_scored(
    visit: Opener, language: str, game: str, key: str
) -> None:
    label = wording(game, language, f"{game}.option.{key}")
    for page in ("play", "score"):
        robot = visit(f"/{page}/{game}", language=language)
        assert label in [one.inner_text() for one in robot.page.get_by_role("checkbox").all()], page


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


def test_one_button_is_filled_and_nobody_is_left_in_the_dark_about_an_invitation(visit: Opener) -> None:
    ada, bruno = at_home(visit, "palazzo", "Ada", "Bruno")
    filled = ".button.main"
    assert "is not kept here until you take a place" in ada.robot.text("main")
    ada.tap("Ada")
    assert ada.page.locator(filled).all_inner_texts() == ["Copy the link"]
    assert "you find it again under “Games at a distance in this browser”" in ada.robot.text("main")
    bruno.receive(ada.offered_text())
    bruno.tap("Bruno")
    assert bruno.page.locator(filled).all_inner_texts() == ["Create the table"]
    assert not bruno.page.locator(".distance code").first.is_visible(), "locks are for those who look for them"
    bruno.page.locator("summary", has_text="Compare the locks").click()
    assert len(bruno.robot.text(".distance code").split()) == 3


WIDE_ENOUGH = """(select) => {
  const { width } = select.getBoundingClientRect();
  const copy = select.cloneNode(true);
  Object.assign(copy.style, { width: "auto", flex: "none", position: "absolute" });
  select.parentNode.append(copy);
  const needed = copy.getBoundingClientRect().width;
  copy.remove();
  return width >= needed - 1;
}"""


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_a_choice_of_who_plays_is_not_cut_off(visit: Opener, language: str) -> None:
    page = visit("/play/campanile", language=language, width=1280).page
    assert page.locator(".setup ol select").first.evaluate(WIDE_ENOUGH)
    assert page.locator(NAMES).first.bounding_box()["width"] > 160


def test_a_choice_among_options_is_not_cut_off_with_large_letters(visit: Opener) -> None:
    robot = visit("/play/palazzo", width=360, font_size=32)
    assert robot.page.locator(".setup .option select").evaluate(WIDE_ENOUGH)
    assert robot.sideways() <= 0


def test_a_moment_is_not_broken_within_the_day_or_the_time(visit: Opener) -> None:
    page = visit("/play/palazzo").page
    moment = page.evaluate(f"async () => (await import(`${{{TABLE}.files}}/dialogs.js`)).moment('2026-11-23T12:16:00')")
    assert moment.split(" ") == ["Nov\u00a023,", "2026,", "12:16\u00a0PM"]


def test_the_focus_goes_to_what_is_asked_once_a_game_has_begun(visit: Opener) -> None:
    robot = visit("/play/campanile")
    robot.page.locator(NAMES).first.focus()
    robot.page.keyboard.press("Enter")
    robot.page.wait_for_function(READY)
    robot.page.wait_for_function("() => document.activeElement.id === 'turn'")


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
