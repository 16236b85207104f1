"""What the audits of several games ask."""

import pytest
from msgspec import Struct

from capomastro.engine.audits import changed, filled_in_order


class Part(Struct):
    height: int
    cards: tuple[str, ...]


def test_members_that_differ_from_the_beginning_are_pointed_to() -> None:
    beginning = {"height": 0, "cards": ()}
    assert not list(changed(Part(0, ()), beginning))
    assert list(changed(Part(1, ()), beginning)) == ["/height"]
    assert list(changed(Part(1, ("a",)), beginning)) == ["/height", "/cards"]


@pytest.mark.parametrize(
    ("there", "in_order"),
    [
        ([0, 0, 0], True),
        ([2, 0, 0], True),
        ([3, 1, 0], True),
        ([3, 2, 1], True),
        ([0, 1, 0], False),
        ([2, 1, 0], False),
        ([3, 2, 2], False),
        ([4, 0, 0], False),
    ],
)
def test_places_are_filled_one_after_the_other(there: list[int], in_order: bool) -> None:
    assert filled_in_order(there, [3, 2, 1]) == in_order
