"""How near one move is to another: the table in docs/records.md, line by line."""

import pytest

from capomastro.engine.moves import ChanceMove, Move, SeatMove
from capomastro.engine.multisets import Multiset
from capomastro.engine.nearness import differences, one_change, related


class Draw(ChanceMove, frozen=True):
    tile: str | None


class Take(SeatMove, frozen=True):
    card: str


class Keep(SeatMove, frozen=True):
    card: str


class Pay(SeatMove, frozen=True):
    cards: Multiset
    floors: int = 0


class Rest(SeatMove, frozen=True):
    pass


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (Take(0, "red-7"), Take(0, "red-7"), {}),
        (Take(0, "red-7"), Take(1, "red-7"), {"seat": 2}),
        (Take(0, "red-7"), Take(0, "red-5"), {"card": 1}),
        (Take(0, "red-7"), Take(0, "green-7"), {"card": 1}),
        (Take(0, "red-7"), Take(0, "green-5"), {"card": 2}),
        (Take(0, "red-7"), Keep(0, "red-7"), {"type": 3}),
        (Take(0, "red-7"), Rest(0), {"type": 3, "card": 2}),
        (Rest(1), Pay(0, ("red-1", "red-2")), {"type": 3, "seat": 2, "cards": 4, "floors": 2}),
        (Pay(0, ("red-1",), 2), Pay(0, ("red-1",), 3), {"floors": 1}),
        (Pay(0, ("red-1",), 2), Pay(0, ("red-1",), 4), {"floors": 2}),
        (Pay(0, ("red-1", "red-2")), Pay(0, ("red-2",)), {"cards": 2}),
        (Pay(0, ("red-1",)), Pay(0, ("red-1", "red-1")), {"cards": 2}),
        (Pay(0, ("red-1", "red-2")), Pay(0, ("red-1", "red-3")), {"cards": 1}),
        (Pay(0, ("blue-4", "red-2")), Pay(0, ("green-5", "red-2")), {"cards": 2}),
        (Pay(0, ("blue-4", "red-2")), Pay(0, ("blue-5", "green-3", "white-9")), {"cards": 5}),
        # blue-5 for red-5 and blue-6 for blue-7, not blue-5 for blue-7 and blue-6 for red-5
        (Pay(0, ("blue-5", "blue-6")), Pay(0, ("blue-7", "red-5")), {"cards": 2}),
        (Pay(0, ("a-1", "a-2", "b-1")), Pay(0, ("a-3", "b-2", "c-1")), {"cards": 3}),
        (Draw("red-7"), Draw(None), {"tile": 2}),
        (Draw("red-7"), Rest(0), {"type": 3, "tile": 2, "seat": 2}),
    ],
)
def test_distances_by_member(one: Move, other: Move, expected: dict[str, int]) -> None:
    assert differences(one, other) == expected
    assert differences(other, one) == expected


def test_components_that_share_a_part_are_related_and_neighbouring_numbers() -> None:
    assert related("brick-3-2", "marble-3-1")
    assert not related("brick-3-2", "marble-1-1")
    assert related(4, 5)
    assert not related(4, 6)
    assert not related(4, "4")
    assert not related(None, "red-4")


def test_one_change_gives_every_set_with_one_less_more_or_exchanged() -> None:
    found = set(one_change(("a", "b"), ["a", "c"]))
    less = {("a",), ("b",)}
    more = {("a", "a", "b"), ("a", "b", "c")}
    exchanged = {("a", "a"), ("a", "c"), ("b", "c"), ("a", "b")}
    assert found == less | more | exchanged
