"""The viewer: a recorded game, position by position, its first illegal move, its variations and notes."""

import gzip
import json
import re
from copy import deepcopy
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from capomastro import pages
from tests.pages.conftest import PATIENCE, Opener
from tests.pages.parameters import first_of
from tests.pages.robot import Robot

NAMES = ["Ada", "Bruno", "Cleo", "Dora", "Elio"]
RECORDS = Path(__file__).resolve().parents[2] / "conformance"
VIEWER = "document.querySelector('replay-viewer')"
DRAWN = f"() => {VIEWER}.pictures?.known.has({VIEWER}.at)"
PACKED = f"() => {VIEWER}.link"
TITLE = "(board) => board.shadowRoot.querySelector('svg').getAttribute('aria-label')"
DRAWING = "(board) => board.shadowRoot.textContent"
SEATS = re.compile(r"(?:seat|sitz|posto|asiento) \d", re.IGNORECASE)
MOST_BYTES_OF_A_PAGE = 1_500_000
MOST_NODES = 9_000
"""Maximum number of nodes of the page with a record of 776 moves."""


@cache
def record_text(game: str, name: str) -> str:
    return (RECORDS / game / "records" / f"{name}.json").read_text("utf-8")


def recorded(game: str, name: str = "three-plan") -> dict[str, Any]:
    """A recorded game whose players have names."""
    record: dict[str, Any] = json.loads(record_text(game, name))
    return {**record, "names": NAMES[: record["players"]]}


def unnamed(game: str, name: str = "three-plan") -> dict[str, Any]:
    record: dict[str, Any] = json.loads(record_text(game, name))
    assert "names" not in record
    return record


def with_slip(record: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The same game of Palazzo with one card less in the payment of a purchase, and the index of this move."""
    slipped = deepcopy(record)
    at, move = next(
        (at, move) for at, move in enumerate(slipped["moves"]) if move["type"] == "buy" and len(move["payment"]) > 1
    )
    move["payment"].pop()
    return slipped, at


def out_of_turn(record: dict[str, Any]) -> dict[str, Any]:
    """The game of Palazzo without move 61: the next player's move comes too early."""
    return {**record, "moves": [*record["moves"][:60], *record["moves"][61:]]}


OPEN = "(text) => document.querySelector('replay-door').open(text)"


def opened(robot: Robot, record: dict[str, Any]) -> Robot:
    """Opens a record as from a file, and waits for its first position."""
    robot.page.evaluate(OPEN, json.dumps(record))
    return shown(robot)


def pasted(robot: Robot, record: dict[str, Any] | str) -> Robot:
    """The same with a text that is pasted: setting it takes longer than all the rest."""
    robot.page.locator("[aria-controls=pasted][aria-expanded=false]").click()
    robot.page.locator("#typed").fill(record if isinstance(record, str) else json.dumps(record))
    robot.page.locator(".opening button[type=submit]").click()
    return shown(robot)


def shown(robot: Robot) -> Robot:
    robot.page.locator(".viewer").wait_for()
    robot.page.wait_for_function(DRAWN)
    return robot


def list_of_moves(robot: Robot) -> str:
    """The list of moves, including those that are not scrolled to."""
    text: str = robot.page.locator("move-list").text_content()
    return text


def evaluated(robot: Robot, of_viewer: str) -> Any:
    """A member of the viewer."""
    return robot.page.evaluate(f"() => {VIEWER}.{of_viewer}")


def go(robot: Robot, to: int) -> None:
    robot.page.evaluate(f"(to) => {VIEWER}.go(to)", to)
    robot.page.wait_for_function(DRAWN)


def words(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((pages.FILES / "words" / f"replay.{language}.json").read_text("utf-8"))
    return found


# --- functions of the modules ----------------------------------------------------------------------------------------

TREE = """async (files) => {
  const tree = await import(files + "/replay/tree.js");
  const comments = await import(files + "/replay/comments.js");
  const { blockIn, treeOf, variationMoves, withComments, movesIn } = comments;
  const lines = (root) => tree.pathsIn(root).map((path) => tree.movesOf(root, path).join(""));
  const bare = ({ id, branches, ...branch }) => ({ ...branch, branches: branches.map(bare) });
  const moves = ["a", "b", "c", "d"];
  const root = tree.newBranch(0, moves);
  const one = tree.played({ tree: root, path: [], position: 2 }, "x");
  const two = tree.played({ tree: one.tree, path: one.path, position: 3 }, "y");
  const other = tree.played({ tree: two.tree, path: [], position: 1 }, "z");
  const deep = tree.played({ tree: other.tree, path: [1], position: 3 }, "q");
  const noted = tree.withNote({ tree: deep.tree, path: [1], position: 3 }, " why\\n(not) ");
  const all = tree.withNote({ tree: noted, path: [1], position: 1 }, "| of the record");
  const head = "game: go\\n\\na\\nb\\nc\\nd\\n\\ntotals: 1\\n";
  const text = withComments(head, all, (move) => move);
  const again = treeOf(blockIn(text), ({ moves }) => moves);
  const up = tree.promoted(all, [1, 0]);
  const main = tree.promoted(up.tree, [1]);
  return {
    known: [
      tree.played({ tree: all, path: [], position: 1 }, "b"),
      tree.played({ tree: all, path: [], position: 1 }, "z"),
      tree.played({ tree: all, path: [1], position: 2 }, "c"),
    ].map(({ isNew, path, position }) => [isNew, path, position]),
    paths: tree.pathsIn(all).map((path) => [tree.labelOf(path), tree.movesOf(all, path).join("")]),
    found: [tree.pathOf(all, "b1"), tree.pathOf(all, ""), tree.pathOf(all, "c") ?? null],
    many: tree.labelOf([27, 1, 0]),
    owners: [1, 2, 3, 4].map((position) => tree.ownerOf(all, [1, 0], position)),
    notes: [3, 1].map((position) => tree.noteAt({ tree: all, path: [1, 0], position })),
    text,
    same: JSON.stringify(bare(again)) === JSON.stringify(bare(all)),
    stays: withComments(head, again, (move) => move) === text,
    moves: variationMoves(all).join(""),
    without: tree.pathsIn(tree.without(all, [1])).map(tree.labelOf),
    promoted: [tree.movesOf(up.tree, up.path).join(""), lines(up.tree)],
    main: [main.tree.moves.join(""), lines(main.tree), main.tree.notes],
    // nobody could play it: a note, and nothing is lost
    unplayable: treeOf(blockIn("game: go\\n\\na\\n#( fly away\\n#| # far"), (one) => (one.ply ? undefined : one.moves)),
    commented: blockIn("game: go\\n\\na   # first\\n#( b  # or\\n"),
    lines: movesIn(head),
  };
}"""
TEXT = """\
game: go

a
# | of the record
#( z
b
#( x
#| # why
#| # (not)
#| #( q
#| y
c
d

totals: 1
"""


def test_a_tree_has_variations_and_notes_and_is_written_as_comments(visit: Opener) -> None:
    robot = visit("/replay")
    found = robot.page.evaluate(TREE, robot.page.locator("replay-door").get_attribute("files"))
    assert found["known"] == [[False, [], 2], [False, [0], 2], [False, [], 3]]
    assert found["paths"] == [["a", "az"], ["b", "abxy"], ["b1", "abxq"]]
    assert found["found"] == [[1, 0], [], None]
    assert found["many"] == "ab2a"
    assert found["owners"] == [[], [], [1], [1, 0]]
    assert found["notes"] == ["why\n(not)", "| of the record"]
    assert found["text"] == TEXT
    assert found["same"]
    assert found["stays"]
    assert found["moves"] == "zxyq"
    assert found["without"] == ["a"]
    assert found["promoted"] == ["abxq", ["az", "abxq", "abxy"]]
    assert found["main"] == ["abxq", ["az", "abcd", "abxy"], {"1": "| of the record", "3": "why\n(not)"}]
    assert found["unplayable"]["notes"] == {"1": "( fly away\n| # far"}
    assert found["commented"]["notes"] == {"1": "first"}
    assert found["commented"]["blocks"][0]["notes"] == {"2": "or"}
    assert found["lines"] == ["a", "b", "c", "d"]


def test_links_are_packed_and_none_unpacks_to_too_much(visit: Opener) -> None:
    robot = visit("/replay#nonsense")
    robot.page.locator("[role=alert]").wait_for()
    assert "This link is damaged." in robot.text("[role=alert]")
    ways = robot.page.evaluate(
        """async (files) => {
            const link = await import(files + "/link.js");
            const packed = await link.packedRecord("x".repeat(1_000_000));
            const bomb = "n" + (await link.deflated("x".repeat(2_000_000)));
            const kept = (await link.unpackedRecord(packed)).length;
            const refused = await link.unpackedRecord(bomb).catch((error) => error.message);
            return [kept, await link.packedRecord("x".repeat(2_000_000)) ?? null, refused];
        }""",
        robot.page.locator("replay-door").get_attribute("files"),
    )
    assert ways == [1_000_000, None, "too large"]


# --- opening a game --------------------------------------------------------------------------------------------------

DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "game.capo"));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
}"""


def test_the_same_game_can_be_opened_from_json_notation_gzip_drop_link_and_this_device(visit: Opener) -> None:
    record = recorded("palazzo", "nothing-to-sell")
    robot = pasted(visit("/replay", permissions=["clipboard-read", "clipboard-write"]), record)
    seen = list_of_moves(robot)
    assert evaluated(robot, "at") == 0
    go(robot, 7)
    robot.page.wait_for_function("() => location.hash.endsWith('.7')")
    link = robot.page.url
    robot.tap("Copy the link to this position")
    robot.page.get_by_text("The link to this position is copied.").wait_for()
    assert robot.page.evaluate("() => navigator.clipboard.readText()") == link
    notation = evaluated(robot, "notation")
    assert notation.startswith("game: palazzo\n")

    def other_game() -> None:
        robot.tap("Menu")
        robot.tap("Open another game")

    other_game()
    row = robot.page.locator(".choose button", has_text="Palazzo: Ada ").first
    points = [player["total"] for player in record["result"]["players"]]
    standing = ", ".join(f"{name} {points[seat]}" for seat, name in enumerate(record["names"])).replace("-", "−")
    assert f"Palazzo: {standing}" in row.inner_text()
    assert f"over, {len(record['moves'])} moves · today" in row.inner_text()
    row.click()
    assert list_of_moves(shown(robot)) == seen
    robot.page.wait_for_function(PACKED)
    other_game()
    assert robot.page.locator(".choose button", has_text="Palazzo: Ada ").count() == 1
    assert list_of_moves(pasted(robot, notation)) == seen
    other_game()
    packed = gzip.compress(json.dumps(record).encode())
    robot.page.locator("input[type=file]").set_input_files(
        {"name": "game.json.gz", "mimeType": "application/gzip", "buffer": packed}
    )
    assert list_of_moves(shown(robot)) == seen
    robot.page.evaluate(DROP, json.dumps(recorded("carrara")))
    robot.page.wait_for_function(f"() => {VIEWER}.record.game === 'carrara'")
    shown(robot).page.locator(".plot .points button").last.click()
    robot.page.locator("dialog").get_by_role("link", name="Rule").first.click()
    robot.page.get_by_role("dialog", name="Rule", exact=True).get_by_role("link", name="All rules").wait_for()

    by_link = shown(visit(link[link.index("/replay") :]))
    assert list_of_moves(by_link) == seen
    assert evaluated(by_link, "at") == 7


@pytest.mark.parametrize("language", first_of(reversed(pages.LANGUAGES)))
def test_examples_are_there_in_every_language_one_for_each_game_and_one_with_a_mistake(
    visit: Opener, language: str
) -> None:
    robot = visit("/replay", language=language)
    examples = json.loads(pages.files()["replay/examples/index.json"].content)
    rows = robot.page.locator(".choose button")
    assert rows.count() == len(examples)
    wrong = next(at for at, one in enumerate(examples) if one["mistake"])
    robot.page.evaluate("() => scrollTo(0, 1000)")
    rows.nth(wrong).click()
    shown(robot)
    assert robot.page.evaluate("() => scrollY") == 0
    text, slip = words(language), evaluated(robot, "at") + 1
    assert robot.text(".verdict b") == text["replay.verdict.illegal-move"].replace("{number}", str(slip))
    assert robot.page.locator(".viewer").get_attribute("aria-label") == text["replay.viewer"]
    heard = list_of_moves(robot) + robot.page.locator("main").inner_text()
    assert [fault for fault in ("seat ", "{", "replay.", "undefined") if fault in heard] == []


def test_the_examples_are_games_of_the_kit() -> None:
    examples = json.loads(pages.files()["replay/examples/index.json"].content)
    assert [one["game"] for one in examples if not one["mistake"]] == pages.pads()
    kit = {
        json.dumps(json.loads(path.read_text("utf-8"))["moves"]): path
        for game in pages.pads()
        for path in (RECORDS / game / "records").glob("*.json")
    }
    for one in examples:
        example = json.loads(pages.files()[f"replay/examples/{one['file']}.json"].content)
        assert (example["game"], example["players"], len(example["moves"])) == (
            one["game"],
            one["players"],
            one["plies"],
        )
        assert (json.dumps(example["moves"]) in kit) != one["mistake"]


REPLAYS, NOTATIONS = "**/games/palazzo/replays", "**/games/palazzo/records"
LATE = "(text) => { window.late = document.querySelector('replay-door').open(text); }"


def sent(robot: Robot, path: str, held: list[Any]) -> None:
    """Sends what was held back, and waits for the game that asked for it."""
    for route in held:
        route.continue_()
    robot.page.unroute(path)
    robot.page.evaluate("() => window.late")


@pytest.mark.long
def test_a_game_that_comes_late_does_not_take_the_place_of_another(visit: Opener) -> None:
    robot = visit("/replay")
    held = robot.held_back(REPLAYS)
    robot.page.evaluate(LATE, record_text("palazzo", "two-plan"))
    opened(robot, recorded("carrara"))
    sent(robot, REPLAYS, held)
    assert evaluated(robot, "record.game") == "carrara"
    assert robot.page.locator("replay-viewer").count() == 1


@pytest.mark.long
def test_a_link_that_comes_late_is_not_put_into_the_address_of_another_game(visit: Opener) -> None:
    robot = visit("/replay")
    held = robot.held_back(NOTATIONS)
    robot.page.evaluate(LATE, record_text("palazzo", "two-plan"))
    shown(robot)
    robot.tap("Menu")
    robot.tap("Open another game")
    robot.page.locator(".opening").wait_for()
    opened(robot, recorded("carrara"))
    sent(robot, NOTATIONS, held)
    assert robot.page.url.partition("#")[2].startswith(evaluated(robot, "link"))


NO_RECORDS = {
    "{": "This text begins like JSON, but it is not",
    "hello": "This is not a recorded game",
    '{"game": "chess"}': "There is no game “chess” here.",
    "game: go\n": "There is no game “go” here.",
    '{"game": "palazzo", "players": 3, "moves": "none"}': "The record cannot be read as it is.",
    "game: palazzo\nplayers: 3\n\nfly away\n": "The record cannot be read as it is.",
}


def test_it_explains_why_something_is_not_a_record(visit: Opener) -> None:
    robot = visit("/replay")
    robot.tap("Paste it")
    alert = robot.page.locator("[role=alert]")
    for text, why in NO_RECORDS.items():
        robot.page.locator("#typed").fill(text)
        robot.tap("Check it")
        alert.filter(has_text=why).wait_for()
        assert robot.page.locator("#typed").input_value() == text
        robot.page.evaluate("() => document.querySelector('replay-door').setState({ failure: undefined })")
        assert alert.count() == 0


def test_lines_of_a_record_end_with_a_line_feed_and_nothing_else(visit: Opener) -> None:
    """The comment is one line: the game is not the one that it names."""
    robot = pasted(visit("/replay"), "# once\u2028game: chess\x85game: go\n\ngame: carrara\nplayers: 2\n")
    assert "Carrara" in robot.text("h1")


# --- the verdict -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", first_of([390, 1280]))
def test_a_slip_is_found_and_shown_where_it_happened(visit: Opener, width: int) -> None:
    record, at = with_slip(recorded("palazzo"))
    robot = opened(visit("/replay", width=width), record)
    assert robot.text(".verdict b") == f"Not legal at move {at + 1}"
    assert evaluated(robot, "at") == at
    assert robot.text(".steer .now").startswith(f"Move {at} of {at}.")
    card = robot.page.locator(".slip-card")
    assert card.is_visible() == (width == 1280)
    if width == 390:
        robot.page.locator(".verdict summary").click()
    text = card.inner_text()
    assert f"{NAMES[record['moves'][at]['seat']]} buys" in text
    assert "The payment is worth" in text
    assert card.locator("dd a").inner_text() != "palazzo.buy.price"
    assert card.locator("dd .tag").inner_text() in {"rulebook", "our ruling"}
    assert card.locator(".near button").count() > 0
    heights = "(all) => all.map((one) => one.getBoundingClientRect().height)"
    assert max(card.locator(".near .small").evaluate_all(heights)) < 30, "a label in one line"
    wrong = robot.page.locator("move-list .wrong")
    assert wrong.count() == 1
    assert "Not legal." in wrong.text_content()
    in_sight = """(one) => {
      const [own, shown] = [one.getBoundingClientRect(), one.closest('move-list').getBoundingClientRect()];
      return own.top >= shown.top - 1 && own.bottom <= shown.bottom + 1;
    }"""
    assert wrong.evaluate(in_sight)
    card.locator("dd a").click()
    assert robot.page.locator("dialog p").first.inner_text() == card.locator("dd a").inner_text()
    robot.close_dialog()


def test_a_legal_game_and_a_wrong_result_are_reported(visit: Opener) -> None:
    record = recorded("campanile", "two-plan")
    robot = opened(visit("/replay"), record)
    assert robot.text(".verdict b") == "Every move is legal"
    assert "The result is right." in robot.text(".verdict")
    assert robot.page.locator(".slip-card").count() == 0
    right = [player["total"] for player in record.pop("result")["players"]]
    robot.page.evaluate(DROP, json.dumps({**record, "totals": [right[0] + 1, *right[1:]]}))
    robot.page.locator(".verdict summary").click()
    assert robot.text(".verdict b") == "Every move is legal, the result is wrong"
    card = robot.text(".slip-card")
    assert f"Ada, in all: recorded {right[0] + 1}, computed {right[0]}." in card
    assert "Bruno" not in card


@pytest.mark.parametrize("language", first_of(["de", "en"]))
def test_players_without_names_are_called_the_same_everywhere(visit: Opener, language: str) -> None:
    names = [words(language)["replay.player"].replace("{number}", str(seat + 1)) for seat in range(3)]
    record = out_of_turn(unnamed("palazzo"))
    robot = opened(visit("/replay", language=language, width=1280), record)
    for place in ("move-list", ".steer .now", ".legend", ".slip-card", ".slip-card .near", ".standing-here"):
        assert any(name in robot.page.locator(place).text_content() for name in names), place
    drawn = robot.page.locator("replay-board").evaluate(DRAWING)
    assert [name for name in names if name not in drawn] == []
    assert SEATS.findall(robot.page.locator("main").text_content() + drawn) == []
    robot.page.wait_for_function(PACKED)
    assert "names" not in evaluated(robot, "notation")
    assert evaluated(robot, "record") == record


# --- stepping --------------------------------------------------------------------------------------------------------


CHANGE_IN_SIGHT = """() => {
  const rings = [...document.querySelector("replay-board").shadowRoot.querySelectorAll(".ring")];
  const below = document.querySelector(".steer").getBoundingClientRect().top;
  const boxes = rings.map((one) => one.getBoundingClientRect());
  return boxes.length && boxes.some(({ top, bottom }) => top >= 0 && bottom <= below);
}"""


def test_it_steps_by_keys_buttons_numbers_and_words_on_the_whole_page(visit: Opener) -> None:
    record, slip = with_slip(recorded("palazzo"))
    robot = opened(visit("/replay"), record)
    keys, page = robot.page.keyboard, robot.page
    turns = evaluated(robot, "line.turns")
    assert page.evaluate("() => document.activeElement.tagName") == "H1"

    def pressed(key: str) -> int:
        keys.press(key)
        at: int = evaluated(robot, "at")
        return at

    assert pressed("Home") == 0
    assert robot.text(".steer .now").startswith("Before the first move. ")
    assert robot.text("#happening") == "Before the first move"
    assert pressed("ArrowRight") == 1
    assert robot.text("#happening") == "What move 1 did"
    assert pressed("ArrowRight") == 2
    assert pressed("ArrowLeft") == 1
    assert pressed("ArrowDown") == turns[1]["from"]
    assert pressed("ArrowDown") == turns[2]["from"]
    assert pressed("ArrowUp") == turns[1]["from"]
    for _ in range(12):
        pressed("ArrowDown")
        page.wait_for_function(CHANGE_IN_SIGHT, timeout=10_000)
    assert pressed("m") == slip
    assert page.locator(".verdict").first.get_attribute("open") is not None
    assert pressed("ArrowRight") == slip
    assert page.get_by_text("This is the last position.").is_visible()
    assert pressed("End") == slip
    assert pressed("?") == slip
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.wait_for()
    assert dialog.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0
    assert pressed("ArrowLeft") == slip, "a dialog has its own keys"
    page.get_by_label("Single letters are keys").uncheck()
    robot.close_dialog()
    go(robot, 3)
    assert pressed("m") == 3, "who dictates can do without letters"
    page.locator("[name=wanted]").fill("12")
    assert pressed("Enter") == 12
    page.locator("[name=wanted]").fill("MARBLE")
    assert pressed("ArrowLeft") == 12, "a field has its own keys"
    first = pressed("Enter")
    assert "marble" in evaluated(robot, f"line.course[{first - 1}]")["text"].lower()
    assert pressed("Enter") > first
    page.locator("[name=wanted]").fill("nobody says this")
    before = evaluated(robot, "at")
    assert pressed("Enter") == before
    assert page.locator(".steer").get_by_text("No move says “nobody says this”.").is_visible()
    by = page.locator(".by")
    by.select_option("round")
    go(robot, 0)
    robot.tap("One round on")
    robot.tap("One round on")
    assert evaluated(robot, "at") == turns[1 + record["players"]]["from"]
    by.select_option("score")
    robot.tap("To the next score")
    assert page.get_by_text("Nobody scores after this.").is_visible()
    page.get_by_role("slider").fill("5")
    assert evaluated(robot, "at") == 5
    robot.page.evaluate(f"() => {{ {VIEWER}.pause = 0; {VIEWER}.stride = 'turn'; document.activeElement.blur(); }}")
    keys.press("Space")
    page.wait_for_function(f"() => {VIEWER}.at === {slip} && !{VIEWER}.playing")


def test_scores_are_stepped_to_and_the_curve_ends_at_the_result(visit: Opener) -> None:
    record = recorded("carrara")
    robot = opened(visit("/replay", width=1280), record)
    totals = [player["total"] for player in record["result"]["players"]]
    points = evaluated(robot, "line.points")
    assert points[-1] == totals
    assert len({tuple(one) for one in points[: len(points) // 2]}) > 5, "it moves long before the end"
    robot.tap("To the end")
    legend = [text.split("\n")[0] for text in robot.page.locator(".legend li").all_inner_texts()]
    assert all(text.startswith(f"{name} {total}") for text, name, total in zip(legend, NAMES, totals, strict=False))
    assert robot.text(".standing-here li").startswith(str(totals[0]))
    robot.tap("To the start")
    scorings = [scoring["ply"] for scoring in evaluated(robot, "line.scorings")]
    assert len(scorings) > 2
    robot.tap("score", exact=True)
    for ply in scorings[:3]:
        robot.tap("To the next score")
        assert evaluated(robot, "at") == ply
    boxes = robot.page.locator(".plot .points button").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map(({ x, y, width, height }) => [x, y, width, height])"
    )
    assert {(width, height) for _, _, width, height in boxes} == {(44, 44)}
    for one, other in combinations(boxes, 2):
        assert abs(one[0] - other[0]) >= 30 or abs(one[1] - other[1]) >= 30
    robot.page.locator(".plot .points button").last.click()
    dialog = robot.page.locator("dialog")
    assert dialog.get_by_role("link", name="Rule").count() > 0
    dialog.get_by_role("button", name=f"Show move {scorings[-1]}").click()
    assert evaluated(robot, "at") == scorings[-1]


def test_the_list_is_dense_folds_draws_and_links_every_move(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("campanile", "two-plan"))
    robot.page.wait_for_function(PACKED)
    plies = evaluated(robot, "plies")
    entries = robot.page.locator("move-list a")
    found = entries.evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    assert found == [f"#.{ply}" for ply in range(1, plies + 1)]
    turns = evaluated(robot, "line.turns")
    assert robot.page.locator("move-list .row").count() == 1 + max(turn["round"] for turn in turns)
    set_up = robot.page.locator("move-list .fold").first
    assert set_up.inner_text() == f"Set-up: {turns[0]['to']} draws"
    assert not entries.first.is_visible()
    go(robot, 3)
    assert set_up.get_attribute("aria-current") == "step"
    set_up.click()
    assert entries.first.is_visible()
    assert entries.nth(2).get_attribute("aria-current") == "step"
    entries.nth(11).hover()
    link = entries.nth(11).get_attribute("href")
    assert link == robot.page.evaluate(f"() => `#${{{VIEWER}.link}}.12`")
    entries.nth(11).click(modifiers=["Shift"])
    assert evaluated(robot, "at") == 3
    entries.nth(11).click()
    assert evaluated(robot, "at") == 12
    robot.page.keyboard.press("ArrowRight")
    assert robot.page.evaluate("() => document.activeElement.dataset.position") == "13", "the focus goes along"
    robot.page.wait_for_function("() => location.hash.endsWith('.13')")  # a moment later
    robot.page.evaluate("() => { location.hash = '#.3'; }")
    robot.page.wait_for_function(f"() => {VIEWER}.at === 3")
    before, after = robot.page.evaluate(
        "() => { const list = document.querySelector('move-list'); list.scrollTop = list.scrollHeight;"
        f" const before = list.scrollTop; {VIEWER}.update(); return [before, list.scrollTop]; }}"
    )
    assert before == after, "what its reader has scrolled stays"


@pytest.mark.long
def test_a_long_record_needs_few_nodes_requests_and_changes(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("fifth-avenue", "both-phases"))
    assert robot.page.locator("move-list a").count() == 776
    assert robot.page.evaluate("() => document.querySelectorAll('*').length") < MOST_NODES
    go(robot, 400)
    robot.page.wait_for_function(f"() => [399, 424, 449].every((ply) => {VIEWER}.pictures.known.has(ply))")
    requests: list[str] = []
    robot.page.on("request", lambda request: requests.append(request.url))
    changed = robot.page.evaluate(
        f"""async () => {{
            const seen = [];
            const watch = new MutationObserver((records) => seen.push(...records));
            const attributeFilter = ["class", "aria-current", "tabindex"];
            watch.observe(document.querySelector("move-list"), {{subtree: true, childList: true, attributeFilter}});
            {VIEWER}.go(410);
            {VIEWER}.go(411);
            await new Promise((done) => setTimeout(done));
            watch.disconnect();
            return seen.map((record) => record.type);
        }}"""
    )
    assert len(changed) <= 8
    assert set(changed) == {"attributes"}
    for _ in range(12):
        robot.page.keyboard.press("ArrowRight")
    assert evaluated(robot, "at") == 423
    assert [url for url in requests if "/v1/" in url] == []


# --- pictures and views ----------------------------------------------------------------------------------------------

SMALLEST = """(board) => Math.min(...[...board.shadowRoot.querySelectorAll("text")].map(
  (one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))"""
CUT_OFF = """() => [...document.querySelectorAll(".viewer > *, .side > *")].filter((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top < 0 || bottom > innerHeight + 1;
}).map((one) => one.className)"""


def test_at_a_desk_everything_is_in_one_window_and_can_be_read(visit: Opener) -> None:
    robot = opened(visit("/replay", width=1280), with_slip(recorded("palazzo"))[0])
    robot.page.set_viewport_size({"width": 1280, "height": 800})
    board = robot.page.locator("replay-board")
    for game in ("fifth-avenue", "carrara"):
        robot.page.evaluate(DROP, json.dumps(recorded(game)))
        robot.page.wait_for_function(f"() => {VIEWER}.record.game === '{game}' && ({DRAWN})()")
        go(robot, 100)
        assert board.evaluate("(board) => board.shadowRoot.querySelectorAll('.part').length") == 2
        assert board.evaluate(SMALLEST) >= 11
        assert robot.page.evaluate(CUT_OFF) == []
        assert robot.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    robot.page.evaluate(DROP, json.dumps(recorded("campanile", "two-plan")))
    robot.page.wait_for_function(f"() => {VIEWER}.record.game === 'campanile' && ({DRAWN})()")
    robot.page.mouse.move(150, 300)
    robot.page.mouse.wheel(0, 100)
    robot.page.wait_for_function(f"() => {VIEWER}.at === 1")
    for width in (320, 390, 700, 900, 1279):
        robot.page.set_viewport_size({"width": width, "height": 844})
        robot.page.wait_for_function("() => !document.querySelector('replay-board').hasAttribute('split')")
        assert board.evaluate(SMALLEST) >= (9.5 if width == 320 else 11)
        assert robot.sideways() <= 0, width


def test_the_picture_is_that_of_the_service_for_each_viewer_and_its_text_says_the_same(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo"))
    go(robot, 40)
    titles = robot.page.locator("replay-board").evaluate(
        "(board) => [...board.shadowRoot.querySelectorAll('g > title')].map((title) => title.textContent)"
    )
    assert titles
    robot.tap("Text", exact=True)
    text = robot.page.locator(".in-words li").evaluate_all("(all) => all.map((one) => one.firstChild.textContent)")
    assert text == titles
    assert "Palazzo" in robot.text(".in-words")
    everything = robot.text(".in-words")
    seen = [everything]
    for label, seat in (("Ada", "0"), ("a spectator", "null"), ("everybody together", "undefined")):
        robot.page.get_by_label("Seen by").select_option(label)
        robot.page.wait_for_function(f"() => {VIEWER}.seat === {seat} && {VIEWER}.pictures.known.has(40)")
        seen.append(robot.text(".in-words"))
    assert len(set(seen)) == 3
    assert seen[-1] == everything
    robot.page.reload()
    assert shown(robot).page.locator(".in-words").is_visible()


@pytest.mark.long
def test_the_chosen_viewer_is_who_sees_what_is_shown(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo"))
    viewer = robot.page.get_by_label("Seen by")
    robot.may_lose_the_service = True
    robot.page.route("**/views", lambda route: route.abort())
    viewer.select_option("Ada")
    robot.page.get_by_text(words("en")["replay.unreached"]).wait_for()
    assert viewer.input_value() == "all"
    robot.page.unroute_all()
    for shown_as in ("0", "all", "0"):
        viewer.select_option(shown_as)
        robot.page.wait_for_function(f"(seat) => String({VIEWER}.seat ?? 'all') === seat", arg=shown_as)
    robot.page.evaluate(f"() => {VIEWER}.showLine([], 5)")
    assert viewer.input_value() == "all"


@pytest.mark.long
def test_a_note_stays_while_its_text_is_selected_beyond_its_dialog(visit: Opener) -> None:
    robot = opened(visit("/replay", width=1280), recorded("palazzo"))
    robot.page.keyboard.press("n")
    note = robot.page.get_by_role("textbox", name="Note")
    note.fill("Better: keeps the other tile.")
    assert note.evaluate("(one) => getComputedStyle(one).textAlign") == "start"
    box = note.bounding_box()
    mouse = robot.page.mouse
    mouse.move(box["x"] + 100, box["y"] + 20)
    mouse.down()
    mouse.move(20, box["y"] + 20)
    mouse.up()
    assert note.input_value() == "Better: keeps the other tile."
    mouse.click(20, box["y"] + 20)
    note.wait_for(state="detached")


# --- variations, notes and repair ------------------------------------------------------------------------------------

TAP = """([place, token]) => {
  const board = document.querySelector("replay-board");
  const at = token ? `[data-place^="${place}"] [data-token="${token}"], [data-place="${place}"][data-token="${token}"]`
    : `[data-place="${place}"]`;
  board.shadowRoot.querySelector(at).dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
}"""


def at_place(robot: Robot, label: str, position: int) -> None:
    """Waits until a position of a line is shown."""
    robot.page.wait_for_function(
        f"([label, at]) => {VIEWER}.linkHere().endsWith(`.${{at}}${{label}}`) && !{VIEWER}.busy", arg=[label, position]
    )


@pytest.mark.long
def test_variations_begin_in_the_picture_branch_and_travel_with_notes_in_the_link(visit: Opener, axe: str) -> None:
    record = recorded("campanile", "two-plan")
    robot = opened(visit("/replay", width=1280), record)
    page = robot.page
    taken = next(at for at, move in enumerate(record["moves"]) if move["type"] == "play-card")
    go(robot, taken)
    hand = [one for one in evaluated(robot, "line.record.moves")[:6] if one["type"] == "deal-card"]
    seat, recorded_card = record["moves"][taken]["seat"], record["moves"][taken]["card"]
    other = next(move["card"] for move in hand if move["card"] != recorded_card)
    page.evaluate(TAP, [f"/seats/{seat}/hand", other])
    fitting = page.locator(".trying .near button")
    fitting.first.wait_for()
    assert robot.page.locator("replay-board").evaluate(
        "(board) => board.shadowRoot.querySelectorAll('[data-chosen]').length"
    )
    if fitting.count():
        fitting.first.click()
    at_place(robot, "a", taken + 1)
    assert robot.text(".steer .now").startswith(f"Move {taken + 1}, variation a.")
    assert page.locator("move-list .variation").count() == 1
    assert page.locator("[aria-current=step]").count() == 1
    page.keyboard.press("n")
    page.get_by_role("textbox", name="Note").fill("Better: keeps the other style.\nOr not?")
    robot.tap("Save the note")
    page.locator("move-list .note", has_text="Better").wait_for()
    # back to the record by the first move of it, and into the variation again by its key
    page.keyboard.press("ArrowLeft")
    assert evaluated(robot, "path") == []
    page.keyboard.press("v")
    page.wait_for_function(f"() => {VIEWER}.path.length === 1")
    # a second variation of the record, and one of the variation
    robot.tap("What can be played here?")
    page.locator(".happening .near button").first.click()
    at_place(robot, "a", taken + 2)
    page.keyboard.press("ArrowLeft")
    robot.tap("What can be played here?")
    page.locator(".happening .near button").nth(1).click()
    at_place(robot, "a1", taken + 2)
    page.wait_for_function(f"() => {VIEWER}.link && {VIEWER}.notation.includes('#| #(')")
    assert robot.complaints(axe) == []
    notation, link, seen = evaluated(robot, "notation"), evaluated(robot, "link"), list_of_moves(robot)
    assert "# Better: keeps the other style.\n" in notation
    linked = shown(visit(f"/replay#{link}.{taken + 2}a1", width=1280))
    at_place(linked, "a1", taken + 2)
    linked.page.wait_for_function(f"() => {VIEWER}.link === '{link}'")
    assert list_of_moves(linked) == seen
    # promoted, it changes places with its line; deleted, it is gone
    linked.page.get_by_role("button", name="Variation a1: what to do with it").click()
    linked.tap("Make it the line it leaves")
    at_place(linked, "a", taken + 2)
    linked.page.get_by_role("button", name="Variation a: what to do with it").click()
    linked.tap("Make it the record")
    at_place(linked, "", taken + 1)
    assert linked.text(".verdict b") == "Legal so far"
    assert evaluated(linked, "plies") == taken + 2
    assert "Better" in linked.text("move-list > div")
    linked.page.get_by_role("button", name="Variation a: what to do with it").click()
    linked.tap("Delete the variation")
    linked.page.wait_for_function(f"() => {VIEWER}.tree.branches.length === 1")


@pytest.mark.long
def test_a_variation_becomes_the_record_only_if_the_service_says_what_it_is(visit: Opener) -> None:
    robot = opened(visit("/replay", width=1280), recorded("palazzo", "two-plan"))
    robot.page.wait_for_function(PACKED)
    go(robot, 20)
    robot.page.keyboard.press("v")
    robot.page.locator(".happening .near button").last.click()
    at_place(robot, "a", 21)
    robot.page.wait_for_function(PACKED)
    seen, link = list_of_moves(robot), evaluated(robot, "link")
    robot.may_lose_the_service = True
    robot.page.route("**/replays", lambda route: route.abort())
    variation = robot.page.get_by_role("button", name="Variation a: what to do with it")
    variation.click()
    robot.tap("Make it the record")
    robot.page.get_by_text(words("en")["replay.unreached"]).wait_for()
    assert (list_of_moves(robot), evaluated(robot, "link"), evaluated(robot, "path")) == (seen, link, [0])
    robot.page.unroute_all()
    variation.click()
    robot.tap("Make it the record")
    at_place(robot, "", 21)
    assert evaluated(robot, "plies") == 21


def test_why_nothing_happens_is_said_beside_what_was_tapped(visit: Opener) -> None:
    """Above, between the picture and the slider, it may be out of sight."""
    robot = opened(visit("/replay"), recorded("palazzo"))
    robot.page.locator("[name=wanted]").fill("nobody says this")
    robot.page.keyboard.press("Enter")
    robot.page.locator(".moves").get_by_text("No move says “nobody says this”.").wait_for()
    go(robot, 30)
    assert not robot.page.get_by_text("nobody says this").count()
    robot.may_lose_the_service = True
    robot.page.route("**/replays", lambda route: route.abort())
    robot.tap("What can be played here?")
    robot.page.locator(".happening").get_by_text("cannot be reached").wait_for()


@pytest.mark.long
def test_a_note_that_could_not_be_packed_is_once_the_service_is_back(visit: Opener) -> None:
    robot = opened(visit("/replay", width=1280), recorded("palazzo", "two-plan"))
    page = robot.page
    page.wait_for_function(PACKED)
    robot.may_lose_the_service = True
    for back in ("online", "asked"):
        page.route(NOTATIONS, lambda route: route.abort())
        page.keyboard.press("n")
        page.get_by_role("textbox", name="Note").fill(f"Kept: {back}.")
        robot.tap("Save the note")
        page.locator(".steer .now", has_text=words("en")["replay.unreached"]).wait_for()
        assert evaluated(robot, "notation") == "", "what is out of date is not offered"
        page.unroute_all()
        if back == "online":
            page.evaluate("() => dispatchEvent(new Event('online'))")
        else:
            robot.tap("Copy the link to this position")
        page.wait_for_function(f"() => {VIEWER}.link && location.hash.startsWith(`#${{{VIEWER}.link}}`)")
        assert f"# Kept: {back}.\n" in evaluated(robot, "notation")


def test_the_nearest_legal_move_can_be_tried_and_repairs_the_record(visit: Opener) -> None:
    record, slip = with_slip(recorded("palazzo"))
    robot = opened(visit("/replay", width=1280), record)
    robot.page.locator(".slip-card .near button").first.click()
    at_place(robot, "a", slip + 1)
    robot.page.locator(".verdict summary").click()
    robot.tap("Correct what breaks a rule")
    robot.page.locator("move-list .variation .note", has_text="Recorded: ").wait_for()
    at_place(robot, "b", slip + 1)
    assert evaluated(robot, "plies") > slip
    assert robot.text(".verdict b") == f"Not legal at move {slip + 1}", "the verdict is that on the record"


# --- export ----------------------------------------------------------------------------------------------------------


def saved(robot: Robot, item: str) -> tuple[str, Path]:
    robot.tap("Menu")
    with robot.page.expect_download() as kept:
        robot.tap(item)
    return kept.value.suggested_filename, Path(kept.value.path())


@pytest.mark.long
def test_a_record_is_saved_as_json_notation_and_a_page_that_opens_from_a_disk(
    visit: Opener, browser: Any, axe: str, tmp_path: Path
) -> None:
    record = recorded("palazzo")
    robot = opened(visit("/replay"), record)
    robot.page.wait_for_function(PACKED)
    name, path = saved(robot, "Save as JSON")
    assert name == "three-plan.json"
    assert json.loads(path.read_text("utf-8")) == record
    name, path = saved(robot, "Save as text, one move per line")
    assert name == "three-plan.capo"
    assert path.read_text("utf-8") == evaluated(robot, "notation")
    list_there = list_of_moves(robot)
    _, path = saved(robot, "Save as a page that needs no network")
    file = tmp_path / "game.html"
    file.write_bytes(path.read_bytes())
    assert len(file.read_bytes()) < MOST_BYTES_OF_A_PAGE
    context = browser.new_context(offline=True, reduced_motion="reduce", viewport={"width": 390, "height": 844})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda text: faults.append(text.text) if text.type in ("error", "warning") else None)
    page.on("request", lambda request: faults.append(request.url) if request.url.startswith("http") else None)
    page.goto(file.as_uri())
    page.locator(".viewer").wait_for()
    alone = Robot(page)
    assert list_of_moves(alone) == list_there
    for button, at in (("To the end", 329), ("One move back", 328), ("To the start", 0)):
        alone.tap(button)
        assert evaluated(alone, "at") == at
        assert page.locator("replay-board").evaluate(TITLE).endswith(f"after move {at}")
    assert alone.complaints(axe) == []
    context.close()
    assert faults == []


# --- accessibility ---------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "dark", "width"),
    [("en", False, 390), ("de", True, 320), ("it", True, 1280)],
)
def test_it_is_accessible(visit: Opener, axe: str, language: str, dark: bool, width: int) -> None:
    """In English axe looks at each state, dark at the fullest, and wide at that with the board beside the list."""
    robot = visit("/replay", language=language, dark=dark, width=width)
    robot.page.locator("[aria-controls=pasted]").click()
    assert language != "en" or robot.complaints(axe) == []
    assert robot.sideways() <= 0
    robot.page.locator("[aria-controls=pasted]").click()
    record, _ = with_slip(recorded("palazzo"))
    opened(robot, record)
    robot.page.evaluate(f"() => {VIEWER}.setState({{ isOpen: true }})")
    assert dark or robot.complaints(axe) == []
    assert robot.sideways() <= 0
    robot.tap(words(language)["replay.text"], exact=True)
    robot.tap(words(language)["replay.choose"])
    robot.page.locator(".happening .near button").first.wait_for()
    assert width > 390 or robot.complaints(axe) == []
    assert robot.sideways() <= 0


def test_forced_colours_and_paper_keep_what_matters(visit: Opener) -> None:
    record, _ = with_slip(recorded("palazzo"))
    robot = opened(visit("/replay", width=1280), record)
    for scheme in ("light", "dark"):
        robot.page.emulate_media(forced_colors="active", color_scheme=scheme)
        assert robot.sideways() <= 0
        for chosen in ("move-list [aria-current]", ".by [aria-pressed=true]"):
            width = robot.page.locator(chosen).first.evaluate("(one) => parseFloat(getComputedStyle(one).outlineWidth)")
            assert width >= 2, chosen
        fills = "(all) => all.map((one) => getComputedStyle(one).fill)"
        assert len(set(robot.page.locator(".legend .mark .outline").evaluate_all(fills))) == record["players"]
    robot.page.emulate_media(media="print", forced_colors="none")
    visible = "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.innerText.trim()).filter(Boolean)"
    shown_buttons = robot.page.locator("main :is(button, .button):not(.fold)").evaluate_all(visible)
    nearest = robot.page.locator(".slip-card .near button").evaluate_all(visible)
    assert shown_buttons == nearest
    assert "Try it" not in "".join(nearest)


OPENED = Path(__file__).resolve().parents[2] / "conformance" / "tables" / "opened.ndjson"


@pytest.mark.long
def test_an_opened_sealed_game_is_verified_with_a_table_and_without(visit: Opener) -> None:
    """If that needs a table, the page says so. `test_distance` asks the same function about every game of the kit."""
    robot = visit("/replay")
    for one in map(json.loads, OPENED.read_bytes().split(b"\n")[:-1]):
        if one["opened"]["record"]["game"] != "campanile" or one["fault"] not in (None, "seed", "draw", "share"):
            continue
        robot.page.evaluate(OPEN, json.dumps(one["opened"]))
        robot.page.wait_for_function("() => document.querySelector('replay-viewer').fair")
        if one["fault"] in (None, "seed", "draw"):
            alone = robot.page.locator(".verdict", has_text="Chance was").inner_text()
            assert ("Only a table of the game shows" in alone) == (one["fault"] is None), (one["name"], alone)
        robot.page.evaluate("() => { document.querySelector('replay-viewer').fair = undefined; }")
        robot.page.evaluate(OPEN, json.dumps(one["table"]))
        robot.page.wait_for_function("() => document.querySelector('replay-viewer').fair")
        fair = robot.page.evaluate("() => document.querySelector('replay-viewer').fair")
        assert fair["isFair"] == (one["fault"] is None), (one["name"], fair)
        heading = "Chance was fair" if fair["isFair"] else "Chance was not fair, or this was altered"
        assert robot.page.locator(".verdict b", has_text=heading).count() == 1
