"""Scores a game played at a table: the scoresheet, and what is impossible on it."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import permutations
from typing import Any

import msgspec
from msgspec.structs import replace

from capomastro.engine.chance import as_text
from capomastro.engine.multisets import Multiset, multiset, surplus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import ranked, unplaced
from capomastro.games.fifth_avenue.audit import district_findings, ring_findings
from capomastro.games.fifth_avenue.components import (
    BUILDINGS,
    BUSINESS_COPIES,
    BUSINESSES,
    DUMMY,
    GROUPS,
    LOTS_OF_BOARD,
    PARK_TILES,
    PLAYER_BUILDINGS,
    STOPS,
)
from capomastro.games.fifth_avenue.lots import Districts, Owner, Ring
from capomastro.games.fifth_avenue.scoring import (
    TIE_RULES,
    Result,
    all_scored,
    possible_draws,
    score_of,
    totals_of_seats,
)
from capomastro.games.fifth_avenue.state import DEFAULT_RINGS


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's points on the track (the total: a lap is 80), buildings in Central Park, hand size."""

    score: int
    central_park: int
    hand_size: int | None = None
    name: str | None = None


class Scoresheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """The board at the end, before the final scoring; `seats` clockwise from the first.

    `districts`: null where a building stop was ordered. One of `park_tiles` (those drawn) and `under_central_park`
    (all of them). `rings`: those that differ from the default.
    """

    game: str
    schema_version: int
    seats: tuple[SheetSeat, ...]
    districts: Districts
    park_tiles: Multiset | None = None
    under_central_park: Multiset | None = None
    six_lots: bool = False
    rings: dict[str, Ring] = {}
    unfinished: bool = False


def rings_of(sheet: Scoresheet) -> dict[str, Ring]:
    return {**DEFAULT_RINGS[sheet.six_lots], **sheet.rings}


def findings(sheet: Scoresheet) -> list[Refusal]:
    """Everything impossible: too many of a component, or an impossible board."""
    players: tuple[Owner, ...] = tuple(range(len(sheet.seats)))
    owners = (*players, DUMMY) if len(players) == 2 else players
    return [
        *ring_findings(sheet.rings, "/rings", six_lots=sheet.six_lots),
        *district_findings(sheet.districts, owners, six_lots=sheet.six_lots),
        *building_findings(sheet),
        *business_findings(sheet),
        *tile_findings(sheet),
    ]


def building_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    built = sheet.districts.buildings
    for index, seat in enumerate(sheet.seats):
        buildings = built[index] + seat.central_park
        if buildings > PLAYER_BUILDINGS:
            yield refuse(
                "fifth-avenue.components.buildings", f"/seats/{index}", buildings=buildings, box=PLAYER_BUILDINGS
            )
    if built[DUMMY] > BUILDINGS:
        yield refuse("fifth-avenue.components.buildings", "/districts", buildings=built[DUMMY], box=BUILDINGS)


def business_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    shown = [*sheet.districts.businesses, *(sheet.park_tiles or ()), *(sheet.under_central_park or ())]
    for business in sorted(set(surplus(shown, dict.fromkeys(BUSINESSES, BUSINESS_COPIES)))):
        yield refuse("fifth-avenue.components.businesses", "/districts", component=business, box=BUSINESS_COPIES)


def tile_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Exactly one kind of information about the tiles of Central Park, with a possible number of tiles."""
    closed = len(sheet.districts.closed)
    if closed > STOPS:
        yield refuse("fifth-avenue.stop.two", "/districts", closed=closed, stops=STOPS)
        return
    if (sheet.park_tiles is None) == (sheet.under_central_park is None):
        yield refuse("fifth-avenue.end.sheet-tiles", "/park_tiles")
        return
    if sheet.park_tiles is not None:
        pointer, number, most = "/park_tiles", len(sheet.park_tiles), PARK_TILES
    else:
        pointer, number, most = "/under_central_park", len(sheet.under_central_park or ()), GROUPS
    least = most if closed < STOPS else 0  # after the twelfth business, every group is used up
    if not least <= number <= most:
        yield refuse("fifth-avenue.end.park-tiles", pointer, tiles=number, least=least, most=most)


def score(sheet: Scoresheet) -> Mapping[str, Any]:
    """The result of a possible scoresheet, or the result of every draw that is still possible."""
    if sheet.park_tiles is not None:
        return {"result": result(sheet, multiset(sheet.park_tiles))}
    draws = possible_draws((), multiset(sheet.under_central_park or ()))
    if len(draws) == 1:
        return {"result": result(sheet, draws[0][0])}
    return {
        "outcomes": [
            {"tiles": list(tiles), "probability": as_text(probability), "result": result(sheet, tiles)}
            for tiles, probability in draws
        ]
    }


def result(sheet: Scoresheet, tiles: Multiset) -> Result:
    """The result if Central Park is scored by `tiles`."""
    rings = rings_of(sheet)
    lots = all_scored([(name, district, rings[name]) for name, district in sheet.districts.open])
    scores = [
        score_of(index, seat.score, lots, seat.central_park, tiles, seat.hand_size)
        for index, seat in enumerate(sheet.seats)
    ]
    placed = unplaced(scores) if sheet.unfinished else ranked(scores, TIE_RULES)
    return replace(placed, assumptions=("fifth-avenue.map.rings",) if rests_on_default(sheet) else ())


def rests_on_default(sheet: Scoresheet) -> bool:
    """Whether the points would be others if the lots of some district adjoined in another order than is assumed."""
    players, defaults = len(sheet.seats), DEFAULT_RINGS[sheet.six_lots]
    return any(
        totals_of_seats(district, ring, players) != totals_of_seats(district, defaults[name], players)
        for name, district in sheet.districts.open
        if name not in sheet.rings
        for ring in every_ring(sheet.six_lots)
    )


@cache
def every_ring(six_lots: bool) -> tuple[Ring, ...]:
    """Every order of the lots, those apart that only begin elsewhere."""
    first, *others = LOTS_OF_BOARD[six_lots]
    return tuple((first, *order) for order in permutations(others))
