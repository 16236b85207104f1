"""Scores a game played at a table: the scoresheet, and what is impossible on it."""

import msgspec

from capomastro.engine.multisets import Multiset
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import Score, ranked, unplaced
from capomastro.games.carrara.components import BLOCK_COUNT, COSTS, OBJECTS, TYPES
from capomastro.games.carrara.scoring import TIE_RULES, Result, blocks_left, final_lines, track_line


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's position at the end.

    `points` on the track, including those for announcing; `objects` by kind or as a number; `costs` of buildings;
    `blocks`: their number, needed only for ties.
    """

    points: int
    objects: Multiset | int
    costs: tuple[int, ...]
    coins: int
    blocks: int | None = None
    name: str | None = None


class Scoresheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry per player, clockwise from the first."""

    game: str
    schema_version: int
    seats: tuple[SheetSeat, ...]
    unfinished: bool = False


def number_of_objects(seat: SheetSeat) -> int:
    return seat.objects if isinstance(seat.objects, int) else len(seat.objects)


def findings(sheet: Scoresheet) -> list[Refusal]:
    """Components of which all players together have too many."""
    costs = [cost for seat in sheet.seats for cost in seat.costs]
    kinds = [kind for seat in sheet.seats if not isinstance(seat.objects, int) for kind in seat.objects]
    found = [
        refuse("carrara.components.costs", "/seats", cost=cost, there=costs.count(cost), box=len(TYPES))
        for cost in COSTS
        if costs.count(cost) > len(TYPES)
    ]
    counted: list[tuple[str, str | None, int, int]] = [
        ("carrara.components.objects", kind, kinds.count(kind), box) for kind, box in OBJECTS.items()
    ]
    counted += [
        ("carrara.components.objects", None, sum(map(number_of_objects, sheet.seats)), sum(OBJECTS.values())),
        ("carrara.components.blocks", None, sum(seat.blocks or 0 for seat in sheet.seats), BLOCK_COUNT),
    ]
    found += [
        refuse(rule, "/seats", component=component, there=there, box=box)
        for rule, component, there, box in counted
        if there > box
    ]
    return found


def score(sheet: Scoresheet) -> Result:
    """The result of a possible scoresheet."""
    coarse = any(isinstance(seat.objects, int) for seat in sheet.seats)
    skipped = ("carrara.components.objects",) if coarse else ()
    scores = [
        Score(
            index,
            (track_line(seat.points), *final_lines(seat.objects, seat.costs, seat.coins)),
            (blocks_left(seat.blocks),),
            ("the number of blocks left",) if seat.blocks is None else (),
        )
        for index, seat in enumerate(sheet.seats)
    ]
    return unplaced(scores, skipped) if sheet.unfinished else ranked(scores, TIE_RULES, skipped)
