"""Whole tables of four players, the ends of recorded games, entered by a robot: the game's own result, in few taps."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.pages.conftest import Opener
from tests.pages.robot import KeyboardRobot, Robot
from tests.support.documents import as_document
from tests.support.recorded import records_folder, replay_of

NAMES = ("Ada", "Bruno", "Cleo", "Dino")
DOCS = Path(__file__).resolve().parents[2] / "docs" / "scoring.md"
MARKERS = {"small": "1", "medium": "2", "large": "3"}
MAP = (
    "52nd-street-west",
    "52nd-street-east",
    "42nd-street-west",
    "times-square",
    "42nd-street-east",
    "34th-street-west",
    "34th-street-east",
)


def type_palazzo(robot: Robot, state: dict[str, Any]) -> None:
    """In outline: floors, windows, and one material where it matters."""
    robot.tap("Floors & windows")
    for seat, player in enumerate(state["seats"]):
        if seat:
            robot.tap(NAMES[seat], role="tab")
        for palace in player["palaces"]:
            robot.tap(f"{len(palace)} floor" + ("s" if len(palace) > 1 else ""), exact=True)
            if len(palace) > 1 and len({tile.rsplit("-", 2)[0] for tile in palace}) == 1:
                robot.tap("All of one material", role="checkbox")
            robot.tap_in("Windows and doors", str(sum(int(tile[-1]) for tile in palace)))


def type_campanile(robot: Robot, state: dict[str, Any]) -> None:
    """Enters heights, the markers under each tower in the order of its rows, and the tokens of the Intermezzo."""
    for style, tower in state["towers"].items():
        robot.tap_in(f"Tower {style.upper()}, height", str(tower["height"]))
    for index, (style, tower) in enumerate(state["towers"].items()):
        if index:
            robot.tap(f"Next: tower {style.upper()}")
        for row in tower["rows"]:
            for marker in row["markers"]:
                robot.tap(f"{NAMES[row['seat']]}, {marker} marker under tower {style}")
    robot.tap("Next: Intermezzo")
    for seat, player in enumerate(state["seats"]):
        for token in player["tokens"]:
            robot.tap(f"{NAMES[seat]}, token {token},")


def digits(robot: Robot, number: int) -> None:
    for digit in str(number):
        robot.tap_in("Digits", digit)


def type_carrara(robot: Robot, state: dict[str, Any]) -> None:
    """Enters row by row: the track, the cost of every building, objects, coins."""
    for player in state["seats"]:
        digits(robot, player["points"])
        robot.tap("Next: ")
    for player in state["seats"]:
        for building in [one for there in player["cities"].values() for one in there]:
            robot.tap(f"building of cost {building['building'][-1] if isinstance(building, dict) else building[-1]}")
        robot.tap("Next: ")
    for player in state["seats"]:
        robot.tap_in("Objects", str(len(player["objects"])))
    for player in state["seats"]:
        robot.tap_in("Coins", str(player["coins"]))


def type_fifth_avenue(robot: Robot, state: dict[str, Any]) -> None:
    """Enters district by district in the order of the map, then Central Park and the track."""
    for name in MAP:
        district = state["districts"][name]
        if district is None:
            robot.tap("Closed", exact=True)
            continue
        lots = list(state["options"]["rings"][name])
        used = [lot for lot in lots if district[lot]]
        at = 0
        for lot in used:
            if lots.index(lot) > at:
                robot.tap_in("Lots", f"{lot}: nothing typed in yet")
            here = district[lot]
            if "owner" in here:
                robot.tap(f"{NAMES[here['owner']]}: {here['buildings']} building")
            for index, business in enumerate(here.get("businesses", [])):
                if index:
                    robot.tap_in("Lots", f"{lot}:", exact=False)
                robot.tap_in("What lies on the lot", business)
            at = lots.index(lot) + 1
        if len(used) < len(lots):
            robot.tap("Rest empty.")
        elif len(district[lots[-1]].get("businesses", [])) == 1:
            robot.tap("Next: ")
    for seat, player in enumerate(state["seats"]):
        if player["central_park"]:
            robot.tap(f"{NAMES[seat]}: {player['central_park']} building")
    tiles = state.get("park_tiles") or state["under_central_park"]
    for business in tiles:
        robot.press(robot.page.locator(".kinds").get_by_role("button", name=business))
    if len(tiles) < 3:
        robot.tap("No more tiles" if tiles else "There were no tiles")
    for seat, player in enumerate(state["seats"]):
        if seat:
            robot.tap(f"Next: {NAMES[seat]}")
        digits(robot, player["score"])


class Table(NamedTuple):
    """A recorded game, how its end is entered, and the maximum number of taps."""

    game: str
    record: str
    type_in: Callable[[Robot, dict[str, Any]], None]
    most_taps: int


TABLES = (
    Table("palazzo", "four-plan", type_palazzo, 40),
    Table("campanile", "tie-for-second", type_campanile, 40),
    Table("carrara", "four-plan", type_carrara, 50),
    Table("fifth-avenue", "four-stop", type_fifth_avenue, 40),
    Table("fifth-avenue", "four-plan", type_fifth_avenue, 60),
)


@pytest.mark.long
@pytest.mark.longest
@pytest.mark.parametrize("table", TABLES[2:3], ids=lambda table: f"{table.game}-{table.record}")
def test_everything_works_with_the_keyboard_alone(visit: Opener, table: Table) -> None:
    replay = replay_of(records_folder(table.game) / f"{table.record}.json")
    assert replay.result is not None
    robot = visit(f"/score/{table.game}", touch=False, reader=KeyboardRobot)
    robot.sit_down(*NAMES)
    table.type_in(robot, as_document(replay.plies[-1].after))
    assert robot.result() == {NAMES[player.seat]: player.total for player in replay.result.players}


@pytest.mark.long
@pytest.mark.longest
@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.game}-{table.record}")
def test_the_end_of_a_recorded_game_needs_few_taps(visit: Opener, table: Table) -> None:
    replay = replay_of(records_folder(table.game) / f"{table.record}.json")
    assert replay.result is not None
    robot = visit(f"/score/{table.game}")
    robot.sit_down(*NAMES)
    table.type_in(robot, as_document(replay.plies[-1].after))
    totals = robot.result()
    assert totals == {NAMES[player.seat]: player.total for player in replay.result.players}
    assert robot.taps <= table.most_taps
    found = re.search(
        rf"^\| .*`{table.game}/records/{table.record}` \| (\d+) \|$", DOCS.read_text("utf-8"), re.MULTILINE
    )
    assert found is not None
    assert int(found[1]) == robot.taps


def test_a_player_who_is_added_at_the_result_does_not_count_as_0_unasked(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("marble 3 (1 window)")
    robot.tap("Bruno", role="tab")
    for floor in (3, 4, 5):
        robot.tile(f"brick {floor} (2 windows)")
    robot.result()
    robot.tap("Menu")
    robot.tap("Players and names")
    assert robot.text("h1") == "Palazzo"
    robot.page.locator(".setup input").first.fill("Adele")
    robot.page.locator(".setup button[type=submit]").click()
    robot.page.locator(".places li", has_text="Adele").wait_for()
    robot.tap("Menu")
    robot.tap("Players and names")
    robot.tap("Add a player")
    robot.page.locator(".setup input").last.fill("Emil")
    robot.to_table()
    assert list(robot.result(nothing_of="Emil")) == ["Bruno", "Emil", "Adele"]


def test_undo_brings_back_a_player_who_was_removed_and_what_was_typed_in(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno", "Cleo")
    robot.tile("brick 1 (1 window)")
    robot.tap("Bruno", role="tab")
    robot.tile("marble 3 (1 window)")
    before, points = robot.stored(), robot.points()
    robot.tap("Menu")
    robot.tap("Players and names")
    robot.tap("Without Bruno")
    robot.to_table()
    robot.tile("brick 2 (1 window)")
    robot.page.reload()
    robot.settle()
    robot.tap("Undo")
    assert robot.stored()["names"] == ["Ada", "Cleo"]
    robot.tap("Undo")
    after = robot.stored()
    assert [after[part] for part in ("names", "draft", "undo")] == [before[part] for part in ("names", "draft", "undo")]
    assert robot.points() == points


def test_who_plays_can_be_left_as_it_was(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    before = robot.stored()
    for _ in range(2):
        robot.tap("Menu")
        robot.tap("Players and names")
        robot.page.locator(".setup input").first.fill("Adele")
        robot.tap("Back to the table", role="link")
        robot.page.wait_for_selector(".pad-part")
        assert robot.stored() == before


TYPED = "() => [...document.querySelectorAll('.setup input')].map((field) => field.value)"


def test_players_who_were_changed_in_another_window_stay(visit: Opener) -> None:
    """A form that another window has overtaken shows who plays now."""
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno", "Cleo")
    robot.tap("Menu")
    robot.tap("Players and names")
    other = Robot(robot.page.context.new_page())
    other.page.goto(robot.page.url)
    other.settle()
    other.tile("brick 1 (1 window)")
    for change, name in (("Without Ada", "Cleopatra"), ("Add a player", "Dino")):
        other.tap("Menu")
        other.tap("Players and names")
        other.tap(change)
        other.page.locator(".setup input").last.fill(name)
        other.to_table()
    before = other.stored()
    other.page.close()
    robot.page.wait_for_function(f"(names) => String(({TYPED})()) === String(names)", arg=before["names"])
    assert before["names"] == ["Bruno", "Cleopatra", "Dino"]
    robot.to_table()
    after = robot.stored()
    assert [after[part] for part in ("names", "draft", "undo")] == [before[part] for part in ("names", "draft", "undo")]
