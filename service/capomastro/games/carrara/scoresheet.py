"""Scores a game played at a table: the scoresheet, and what is impossible on it, by counting."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated

from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine.multisets import Multiset
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import ranked, score_with
from capomastro.engine.scoresheets import Judgement, judgement, missing_of_seats
from capomastro.games.carrara import components as box
from capomastro.games.carrara import scoring, tokens


class SheetSeat(engine.SheetSeat, frozen=True):
    """A player's position at the end. Only an unfinished sheet can do without points, objects, costs or coins."""

    points: tokens.Points | None = None
    objects: tokens.Objects | tokens.ObjectCount | None = None
    """Their objects, by kind or as a number. Whether there are too many of a kind is checked only if all players give
    them by kind."""
    costs: tokens.Costs | None = None
    """The costs of their buildings, in any order."""
    coins: tokens.Coins | None = None
    """The coins they have left."""
    blocks: Annotated[int, Meta(ge=0, le=box.BLOCK_COUNT)] | None = None
    """The number of blocks left, of any colour; needed only to break a tie."""


class Scoresheet(engine.Scoresheet, frozen=True):
    """A finished game as typed in at the table, to be scored."""

    seats: tokens.BySeat[SheetSeat]
    """The players, clockwise from the start player."""


NEVER_CHECKED = ("carrara.end.objectives", "carrara.components.coins")
"""What no sheet says: which scorings were made and when, where the coins came from and went."""

FOR_SALE = len(box.OBJECTS)
"""The objects on the board, one of each kind."""
MOST_SCORED = 2
"""How often a building is scored: by its type and by its city."""


def costs_of(seat: SheetSeat) -> tuple[int, ...]:
    return seat.costs or ()


def number_of_objects(seat: SheetSeat) -> int:
    return seat.objects if isinstance(seat.objects, int) else len(seat.objects or ())


def kinds_of(seat: SheetSeat) -> Multiset:
    """The objects whose kinds are known."""
    return () if seat.objects is None or isinstance(seat.objects, int) else seat.objects


# --- what a scoresheet can say ---------------------------------------------------------------------------------------


def judge(sheet: Scoresheet) -> Judgement:
    """Faults that no further entry can fix, and what is missing: numbers only grow, buildings and objects are added."""
    overall = chain(end_findings(sheet), kind_findings(sheet), origin_findings(sheet))
    return judgement([*box_findings(sheet), *track_findings(sheet)], missing_entries(sheet), overall=overall)


def box_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Components that all players together have too many of."""
    costs = [cost for seat in sheet.seats for cost in costs_of(seat)]
    kinds = [kind for seat in sheet.seats for kind in kinds_of(seat)]
    for cost in box.COSTS:
        if costs.count(cost) > len(box.TYPES):
            yield refuse("carrara.components.costs", "/seats", cost=cost, number=costs.count(cost), box=len(box.TYPES))
    counted: list[tuple[str, str | None, int, int]] = [
        ("carrara.components.objects", kind, kinds.count(kind), number_in_box)
        for kind, number_in_box in box.OBJECTS.items()
    ]
    counted += [
        ("carrara.components.objects", None, sum(map(number_of_objects, sheet.seats)), sum(box.OBJECTS.values())),
        ("carrara.components.blocks", None, sum(seat.blocks or 0 for seat in sheet.seats), box.BLOCK_COUNT),
    ]
    for rule, component, number, number_in_box in counted:
        if number > number_in_box:
            yield Refusal(rule, {"component": component, "number": number, "box": number_in_box}, "/seats")


def track_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """More points than a player can score with all buildings that the others do not have."""
    for index, seat in enumerate(sheet.seats):
        elsewhere = [cost for rival in sheet.seats if rival is not seat for cost in costs_of(rival)]
        left = [cost for cost in box.COSTS for _ in range(len(box.TYPES) - elsewhere.count(cost))]
        pointer, points, most = f"/seats/{index}/points", seat.points or 0, most_points(left)
        if points > most:
            yield refuse("carrara.score.sheet-most", pointer, seat=index, points=points, most=most)


def most_points(costs: Sequence[int]) -> int:
    """The most points with buildings of these costs, all in the city that pays most.

    One marker scores that city, the others as many types, which have one building of each cost; 5 points are for
    announcing the end.
    """
    by_type = sum(cost * min(costs.count(cost), box.MARKERS - 1) for cost in box.COSTS)
    return max(city.rate for city in box.CITIES.values()) * (sum(costs) + by_type) + box.ANNOUNCEMENT_POINTS


def missing_entries(sheet: Scoresheet) -> Iterator[Refusal]:
    """What has not been typed in."""
    demanded_by = {
        "points": "carrara.scoring.sheet-track",
        "objects": "carrara.scoring.sheet-objects",
        "costs": "carrara.scoring.sheet-buildings",
        "coins": "carrara.scoring.sheet-coins",
    }
    return missing_of_seats(sheet.seats, demanded_by)


def end_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """A game ends when all buildings are built, or when somebody with the objectives has announced it."""
    players, buildings = len(sheet.seats), sum(len(costs_of(seat)) for seat in sheet.seats)
    objects, cost, points = box.OBJECTS_NEEDED[players], box.COST_NEEDED[players], box.ANNOUNCEMENT_POINTS
    can_have_announced = [
        number_of_objects(seat) >= objects and sum(costs_of(seat)) >= cost and (seat.points or 0) >= points
        for seat in sheet.seats
    ]
    if buildings < box.BUILDING_COUNT and not any(can_have_announced):
        needed = {"all": box.BUILDING_COUNT, "objects": objects, "cost": cost, "points": points}
        yield refuse("carrara.end.sheet", "/seats", buildings=buildings, **needed)


def kind_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Objects of one kind come from buildings of one type, with different costs; one was for sale."""
    for kind in box.OBJECTS:
        objects = [kinds_of(seat).count(kind) for seat in sheet.seats]
        scored = [MOST_SCORED * len(set(costs_of(seat))) for seat in sheet.seats]
        beyond = bought(objects, scored)
        if beyond > 1:
            finding = refuse("carrara.score.sheet-kinds", "/seats", component=kind, number=sum(objects))
            yield finding.because_of("objects-of-kind", most=sum(objects) - beyond + 1)


def origin_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """More points or objects than a player's buildings can give; or more objects bought together than were for sale."""
    objects = [number_of_objects(seat) for seat in sheet.seats]
    scored = [MOST_SCORED * len(costs_of(seat)) for seat in sheet.seats]
    alone = False
    for index, seat in enumerate(sheet.seats):
        points, costs = seat.points or 0, costs_of(seat)
        most, needed = most_points(costs), buildings_needed(seat)
        if points > most or needed > len(costs):
            alone = True
            given = {"seat": index, "points": points, "objects": objects[index]}
            pointer, in_order = f"/seats/{index}/points", tuple(sorted(costs))
            finding = refuse("carrara.score.sheet-points", pointer, **given, costs=in_order)
            if points > most:
                yield finding.because_of("points-of-buildings", most=most)
            else:
                yield finding.because_of("buildings-of-objects", needed=needed, for_sale=FOR_SALE)
    if not alone and bought(objects, scored) > FOR_SALE:
        yield refuse("carrara.score.sheet-together", "/seats", objects=tuple(objects), for_sale=FOR_SALE)


def buildings_needed(seat: SheetSeat) -> int:
    """The fewest buildings that give a player's objects: two from each, plus one of each kind that was for sale."""
    if isinstance(seat.objects, int):
        return -(max(0, seat.objects - FOR_SALE) // -MOST_SCORED)
    return sum(-((kinds_of(seat).count(kind) - 1) // -MOST_SCORED) for kind in set(kinds_of(seat)))


def bought(objects: Sequence[int], scored: Sequence[int]) -> int:
    """The objects that players have beyond those that their buildings can have given."""
    return sum(max(0, number - most) for number, most in zip(objects, scored, strict=True))


# --- its result ------------------------------------------------------------------------------------------------------


def score(sheet: Scoresheet) -> Mapping[str, scoring.Result]:
    """The result of a scoresheet, however impossible; of an unfinished one the lines of what has been typed in."""
    by_number = any(isinstance(seat.objects, int) for seat in sheet.seats)
    skipped = (*(("carrara.components.objects",) if by_number else ()), *NEVER_CHECKED)
    scores = [score_with(index, lines_of(seat), seat.blocks, "blocks") for index, seat in enumerate(sheet.seats)]
    return {"result": ranked(scores, scoring.TIE_RULES, skipped, sheet.unfinished)}


def lines_of(seat: SheetSeat) -> Iterator[scoring.ScoreLine]:
    """The lines of what has been typed in."""
    if seat.points is not None:
        yield scoring.track_line(seat.points)
    if seat.objects is not None:
        yield scoring.object_line(seat.objects)
    if seat.costs is not None:
        yield scoring.building_line(seat.costs)
    if seat.coins is not None:
        yield scoring.coin_line(seat.coins)
