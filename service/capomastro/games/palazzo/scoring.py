"""Final scoring (rulebook: "End of the game")."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from capomastro.engine.multisets import Multiset
from capomastro.engine.results import Line, Score, TieBreak, exactly
from capomastro.games.palazzo.components import material_of, windows_of
from capomastro.games.palazzo.money import most_playable
from capomastro.games.palazzo.state import Palace, State

SINGLE_FLOOR = -5
HEIGHT_BONUS = {3: 0, 4: 3, 5: 6}
"""Added to the windows of a palace by its number of floors; with two floors nothing counts."""
MATERIAL_BONUS = {3: 3, 4: 3, 5: 6}
"""For a palace of one material by its number of floors."""

TIE_RULES = ("palazzo.scoring.tie",)


class Outline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A palace as far as its score needs it."""

    floors: int
    windows: int
    material: Literal["one", "mixed"]


def outline(palace: Palace) -> Outline:
    materials = {material_of(tile) for tile in palace}
    return Outline(len(palace), sum(map(windows_of, palace)), "one" if len(materials) == 1 else "mixed")


def palace_lines(index: int, palace: Palace | Outline) -> list[Line]:
    """The lines of one palace: its height and windows, and its bonus if it is of one material."""
    shape = palace if isinstance(palace, Outline) else outline(palace)
    origin = {"palace": index, "floors": shape.floors, "windows": shape.windows}
    if not isinstance(palace, Outline):
        origin["tiles"] = list(palace)  # type: ignore[assignment]
    if shape.floors == 1:
        return [{"rule": "palazzo.scoring.single-floor", "points": SINGLE_FLOOR, **origin}]
    if shape.floors == 2:
        return [{"rule": "palazzo.scoring.two-floors", "points": 0, **origin}]
    lines = [{"rule": "palazzo.scoring.windows", "points": shape.windows + HEIGHT_BONUS[shape.floors], **origin}]
    if shape.material == "one":
        lines.append({"rule": "palazzo.scoring.one-material", "points": MATERIAL_BONUS[shape.floors], **origin})
    return lines


def lines_of(palaces: Sequence[Palace | Outline]) -> tuple[Line, ...]:
    return tuple(line for index, palace in enumerate(palaces) for line in palace_lines(index, palace))


def hand_value(known: Multiset, unknown: int) -> TieBreak:
    """The value of a hand as one bid; with `unknown` cards in it, it can be more."""
    value = most_playable(known)
    return TieBreak(value, None) if unknown else exactly(value)


def scores(state: State) -> list[Score]:
    """Everybody's score at the end."""
    return [
        Score(
            index,
            lines_of(seat.palaces),
            (hand_value(seat.hand.known, seat.hand.unknown_size),),
            (f"{seat.hand.unknown_size} cards of the hand",) if seat.hand.unknown else (),
        )
        for index, seat in enumerate(state.seats)
    ]
