"""The worked examples of the rules pages, entered as at a table: the points beside the players are the rulebook's.

If an example is a fragment of a table, the rest is not entered. Palazzo's are in test_palazzo.py.
"""

import pytest

from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.test_tables import digits

NAMES = ("Ada", "Bruno", "Cleo", "Dino")


@pytest.mark.parametrize(
    ("players", "objects", "costs", "coins", "lines", "total"),
    [
        (4, 7, (1, 4, 3, 5, 2, 3, 5), 4, ["0", "21", "23", "0"], "44"),
        (2, 6, (2, 4, 4, 3, 5, 1, 2, 4), 31, ["0", "18", "25", "6"], "49"),
    ],
)
def test_the_final_scoring_of_carrara(
    visit: Opener, players: int, objects: int, costs: tuple[int, ...], coins: int, lines: list[str], total: str
) -> None:
    robot = visit("/score/carrara", width=1280, touch=False)
    robot.sit_down(*NAMES[:players])
    digits(robot, 0)
    robot.tap("Ada, Building costs", exact=False)
    for cost in costs:
        robot.tap(f"building of cost {cost}")
    robot.tap("Ada, Objects", exact=False)
    robot.tap_in("Objects", str(objects))
    robot.tap("Ada, Coins", exact=False)
    robot.tap_in("Coins", "more")
    digits(robot, coins)
    assert robot.points()[0] == total
    assert robot.text(".standing li .small").split(" · ") == lines


LOTS = {
    "J": ["jeweller"],
    "G": ["gallery"],
    "GJ": ["gallery", "jeweller"],
    "BP": ["boutique", "perfumery"],
    ".": ["empty"],
}
RING = ("orange", "green", "purple", "grey", "brown")


def type_district(robot: Robot, text: str) -> None:
    """In the order of the ring: "a2" is two buildings of the first player, "GJ" a gallery and a jeweller, "." empty."""
    for lot, here in zip(RING, text.split(), strict=True):
        if here[0] in "abc":
            robot.tap(f"{NAMES['abc'.index(here[0])]}: {here[1]} building")
            continue
        first, *second = LOTS[here]
        robot.tap_in("What lies on the lot", first)
        for business in second:
            robot.tap_in("Lots", f"{lot}:", exact=False)
            robot.tap_in("What lies on the lot", business)


def test_districts_of_fifth_avenue(visit: Opener) -> None:
    """2 × 2 and 1 × 2; then 2 × 2, 1 × 3 and 2 × 3 in the next district; then 1 × 4 × 2 and 2 × 5."""
    robot = visit("/score/fifth-avenue")
    robot.sit_down(*NAMES[:3])
    type_district(robot, "J a2 . b1 G")
    assert robot.points() == ["4", "2", "–"]
    robot.tap("Back to the map")
    robot.tap("52nd Street East")
    type_district(robot, "a2 J b1 GJ c2")
    assert robot.points() == ["8", "5", "6"]
    robot.tap("Back to the map")
    robot.tap("Times Square")
    type_district(robot, "GJ b1 BP a2 J")
    assert robot.points() == ["18", "13", "6"]


def test_the_flag_of_the_highest_tower_of_campanile(visit: Opener) -> None:
    """Three times an influence of 3: the row that was begun earlier comes first, and the flag gives 6, 4 and 2."""
    robot = visit("/score/campanile")
    robot.sit_down(*NAMES[:3])
    for style, height in zip("abcde", (9, 8, 7, 6, 5), strict=True):
        robot.tap_in(f"Tower {style.upper()}, height", str(height))
    for name, size in (("Cleo", "small"), ("Cleo", "medium"), ("Ada", "large"), *[("Bruno", "small")] * 3):
        robot.tap(f"{name}, {size} marker under tower a")
    assert robot.points() == ["4", "2", "6"]
