"""Scores a game played at a table: the scoresheet, and what is impossible on it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from capomastro.engine.multisets import Multiset
from capomastro.engine.refusals import Number, Refusal, refuse
from capomastro.engine.results import ranked, score_with
from capomastro.engine.scoresheets import Judgement, judgement, missing_of_seats
from capomastro.engine.searches import TooManySteps
from capomastro.games.carrara.components import (
    ANNOUNCEMENT_POINTS,
    BLOCK_COUNT,
    BUILDING_COUNT,
    COST_NEEDED,
    COSTS,
    OBJECTS,
    OBJECTS_NEEDED,
    TYPES,
)
from capomastro.games.carrara.origins import (
    STEPS,
    Holding,
    Search,
    can_share,
    endings,
    most_points,
    possible_announcers,
)
from capomastro.games.carrara.scoring import (
    TIE_RULES,
    Result,
    ScoreLine,
    building_line,
    coin_line,
    object_line,
    track_line,
)


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's position at the end; None is what has not been typed in.

    `points` on the track, including those for announcing; `objects` by kind or as a number; `costs` of buildings;
    `blocks`: their number, needed only for ties.
    """

    points: int | None = None
    objects: Multiset | int | None = None
    costs: tuple[int, ...] | None = None
    coins: int | None = None
    blocks: int | None = None
    name: str | None = None


class Scoresheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry per player, clockwise from the first; `unfinished` while it is being typed in."""

    game: str
    schema_version: int
    seats: tuple[SheetSeat, ...]
    unfinished: bool = False


NEVER_CHECKED = ("carrara.end.objectives", "carrara.components.coins")
"""What no sheet says: which scorings were made and when, where the coins came from and went."""


def number_of_objects(seat: SheetSeat) -> int:
    return seat.objects if isinstance(seat.objects, int) else len(seat.objects or ())


def kinds_of(seat: SheetSeat) -> Multiset:
    """The objects of which the kinds are known."""
    return () if seat.objects is None or isinstance(seat.objects, int) else seat.objects


# --- what a scoresheet can say ---------------------------------------------------------------------------------------


def judge(sheet: Scoresheet) -> Judgement:
    """Faults that no further entry can fix, and what is missing: numbers only grow, buildings and objects are added."""
    impossible, missing = [*box_findings(sheet), *track_findings(sheet)], list(missing_entries(sheet))
    undecided: list[str] = []
    if not impossible and not missing:
        holdings = tuple(map(holding_of, sheet.seats))
        missing += [*end_findings(holdings), *kind_findings(sheet)]
        found = origin_findings(holdings, not missing, STEPS)
        if found is None:
            undecided.append("carrara.score.sheet-together")
        missing += found or ()
    return judgement(impossible, missing, undecided)


def holding_of(seat: SheetSeat) -> Holding:
    kinds = None if isinstance(seat.objects, int) else seat.objects or ()
    return Holding(seat.points or 0, number_of_objects(seat), tuple(sorted(seat.costs or ())), kinds)


def box_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Components of which all players together have too many."""
    costs = [cost for seat in sheet.seats for cost in seat.costs or ()]
    kinds = [kind for seat in sheet.seats for kind in kinds_of(seat)]
    for cost in COSTS:
        if costs.count(cost) > len(TYPES):
            yield refuse("carrara.components.costs", "/seats", cost=cost, there=costs.count(cost), box=len(TYPES))
    counted: list[tuple[str, str | None, int, int]] = [
        ("carrara.components.objects", kind, kinds.count(kind), box) for kind, box in OBJECTS.items()
    ]
    counted += [
        ("carrara.components.objects", None, sum(map(number_of_objects, sheet.seats)), sum(OBJECTS.values())),
        ("carrara.components.blocks", None, sum(seat.blocks or 0 for seat in sheet.seats), BLOCK_COUNT),
    ]
    for rule, component, there, box in counted:
        if there > box:
            yield refuse(rule, "/seats", component=component, there=there, box=box)


def track_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """More points than a player can score, whatever buildings they have besides those of the others."""
    built = [cost for seat in sheet.seats for cost in seat.costs or ()]
    for index, seat in enumerate(sheet.seats):
        own = seat.costs or ()
        most = most_points({cost: len(TYPES) - built.count(cost) + own.count(cost) for cost in COSTS})
        if (seat.points or 0) > most:
            yield refuse(
                "carrara.score.sheet-most", f"/seats/{index}/points", seat=index, points=seat.points, most=most
            )


def missing_entries(sheet: Scoresheet) -> Iterator[Refusal]:
    """What has not been typed in."""
    demanded_by = {
        "points": "carrara.scoring.sheet-track",
        "objects": "carrara.scoring.sheet-objects",
        "costs": "carrara.scoring.sheet-buildings",
        "coins": "carrara.scoring.sheet-coins",
    }
    return missing_of_seats(sheet.seats, demanded_by)


def end_findings(holdings: Sequence[Holding]) -> Iterator[Refusal]:
    """A game ends when all buildings are built, or when somebody with the objectives has announced it."""
    if not endings(holdings):
        players = len(holdings)
        yield refuse(
            "carrara.end.sheet",
            "/seats",
            buildings=sum(len(holding.costs) for holding in holdings),
            all=BUILDING_COUNT,
            objects=OBJECTS_NEEDED[players],
            cost=COST_NEEDED[players],
            points=ANNOUNCEMENT_POINTS,
        )


def kind_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Objects of one kind come from buildings of one type, and one was for sale."""
    costs = [seat.costs or () for seat in sheet.seats]
    for kind in OBJECTS:
        objects = [kinds_of(seat).count(kind) for seat in sheet.seats]
        if not can_share(objects, costs):
            yield refuse("carrara.score.sheet-kinds", "/seats", component=kind, there=sum(objects))


@lru_cache(maxsize=64)
def origin_findings(holdings: tuple[Holding, ...], together: bool, steps: int) -> tuple[Refusal, ...] | None:
    """What `impossible_origins` finds; None if it takes too long to find out whether there is anything.

    Remembered, since a sheet that was just judged as an unfinished one is judged again as that of a finished game.
    """
    try:
        return tuple(impossible_origins(holdings, together, steps))
    except TooManySteps:
        return None


def impossible_origins(holdings: Sequence[Holding], together: bool, steps: int) -> list[Refusal]:
    """Points and objects that scorings of these buildings cannot have given: to one player, or to all `together`.

    Raises:
        TooManySteps: if it takes too long to find out whether there are any.
    """
    search = Search(holdings, steps)
    announcers = possible_announcers(holdings) if endings(holdings) else range(len(holdings))
    found = []
    for seat, holding in enumerate(holdings):
        if not (search.alone(seat, announced=False) or (seat in announcers and search.alone(seat, announced=True))):
            numbers: dict[str, Number] = {
                "seat": seat,
                "points": holding.points,
                "objects": holding.objects,
                "costs": holding.costs,
            }
            found.append(Refusal("carrara.score.sheet-points", numbers, f"/seats/{seat}/points"))
    if together and not found and search.explanation() is None:
        every: dict[str, Number] = {
            "points": tuple(one.points for one in holdings),
            "objects": tuple(one.objects for one in holdings),
        }
        found.append(Refusal("carrara.score.sheet-together", every, "/seats"))
    return found


# --- its result ------------------------------------------------------------------------------------------------------


def score(sheet: Scoresheet, undecided: tuple[str, ...]) -> Mapping[str, Result]:
    """The result of a possible scoresheet; of an unfinished one the lines of what has been typed in."""
    by_number = any(isinstance(seat.objects, int) for seat in sheet.seats)
    skipped = (*undecided, *(("carrara.components.objects",) if by_number else ()), *NEVER_CHECKED)
    scores = [score_with(index, lines_of(seat), seat.blocks, "blocks") for index, seat in enumerate(sheet.seats)]
    return {"result": ranked(scores, TIE_RULES, skipped, sheet.unfinished)}


def lines_of(seat: SheetSeat) -> Iterator[ScoreLine]:
    """The lines of what has been typed in."""
    if seat.points is not None:
        yield track_line(seat.points)
    if seat.objects is not None:
        yield object_line(seat.objects)
    if seat.costs is not None:
        yield building_line(seat.costs)
    if seat.coins is not None:
        yield coin_line(seat.coins)
