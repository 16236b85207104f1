"""Scores a game played at a table: the scoresheet, and what is impossible on it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import permutations
from typing import Any

import msgspec
from msgspec.structs import replace

from capomastro.engine.audits import component_findings
from capomastro.engine.multisets import Multiset, multiset
from capomastro.engine.once import Once
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import ranked
from capomastro.engine.scoresheets import Judgement, judgement, missing_of_seats
from capomastro.games.fifth_avenue.audit import district_findings, first_district_findings, ring_findings
from capomastro.games.fifth_avenue.components import (
    BUILDINGS,
    BUSINESS_TILES,
    CARDS,
    DISTRICTS,
    DUMMY,
    GROUPS,
    LOTS_OF_BOARD,
    MAXIMUM_BUSINESSES,
    MAXIMUM_PER_COLOUR,
    PARK_TILES,
    PLACED_AT_END,
    PLAYER_BUILDINGS,
    STOPS,
)
from capomastro.games.fifth_avenue.lots import EMPTY, District, Districts, Lot, Owner, Ring
from capomastro.games.fifth_avenue.scoring import (
    TIE_RULES,
    Result,
    all_scored,
    outcomes_of,
    possible_draws,
    score_of,
    totals_of_seats,
)
from capomastro.games.fifth_avenue.state import DEFAULT_GROUPS, DEFAULT_RINGS


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's points on the track (the total: a lap is 80), buildings in Central Park, hand size.

    None is what has not been typed in; the hand size is needed only for ties.
    """

    score: int | None = None
    central_park: int | None = None
    hand_size: int | None = None
    name: str | None = None


class SheetLots(msgspec.Struct, frozen=True, omit_defaults=True):
    """The lots of an open district; None those that have not been typed in."""

    orange: Lot | None = None
    green: Lot | None = None
    purple: Lot | None = None
    grey: Lot | None = None
    brown: Lot | None = None
    colourless: Lot | None = None


class Scoresheet(msgspec.Struct, frozen=True, omit_defaults=True, dict=True):
    """The board at the end, before the final scoring; `seats` clockwise from the first.

    `districts`: None where a building stop was ordered; those that have not been typed in are absent. One of
    `park_tiles` (those drawn) and `under_central_park` (all of them). `rings`: those that differ from the default.
    """

    game: str
    schema_version: int
    seats: tuple[SheetSeat, ...]
    districts: dict[str, SheetLots | None] = {}
    park_tiles: Multiset | None = None
    under_central_park: Multiset | None = None
    six_lots: bool = False
    rings: dict[str, Ring] = {}
    unfinished: bool = False

    @Once
    def board(self) -> Districts:
        """The board as far as it has been typed in, the other lots empty."""
        return Districts(*(self.district(name) for name in DISTRICTS))

    def district(self, name: str) -> District | None:
        lots = self.districts.get(name, SheetLots())
        if lots is None:
            return None
        laid = {lot: getattr(lots, lot) or EMPTY for lot in LOTS_OF_BOARD[False]}
        return District(**laid, colourless=lots.colourless or (EMPTY if self.six_lots else None))


def rings_of(sheet: Scoresheet) -> dict[str, Ring]:
    return {**DEFAULT_RINGS[sheet.six_lots], **sheet.rings}


NEVER_CHECKED = ("fifth-avenue.setup.row-groups",)
"""What no sheet says: how many tiles each group of the row had."""


# --- what a scoresheet can say ---------------------------------------------------------------------------------------


def judge(sheet: Scoresheet) -> Judgement:
    """What no further entry can cure, and what is missing: businesses, buildings, tiles and cards are only added."""
    players: tuple[Owner, ...] = tuple(range(len(sheet.seats)))
    owners = (*players, DUMMY) if len(players) == 2 else players
    impossible = [
        *ring_findings(sheet.rings, "/rings", six_lots=sheet.six_lots),
        *district_findings(sheet.board, owners, six_lots=sheet.six_lots),
        *building_findings(sheet),
        *business_findings(sheet),
        *closed_findings(sheet),
        *too_many_tiles(sheet),
        *too_many_placed(sheet),
        *hand_findings(sheet),
    ]
    if any(finding.rule in UNSOUND_BOARD for finding in impossible):
        return judgement(impossible)
    missing = list(missing_entries(sheet))
    if not any(finding.rule in INCOMPLETE_BOARD for finding in missing):
        missing += [
            *starting_findings(sheet),
            *first_district_findings(sheet.board, len(sheet.seats)),
            *too_few_placed(sheet),
            *too_few_tiles(sheet),
        ]
    return judgement(impossible, missing)


UNSOUND_BOARD = ("fifth-avenue.map.lots", "fifth-avenue.stop.two")
"""If a sheet breaks one of these, nobody can say what is missing."""
INCOMPLETE_BOARD = ("fifth-avenue.map.sheet-districts", "fifth-avenue.map.sheet-lots")
"""While one of these is missing, further entries can supply the businesses, buildings and tiles that are too few."""


def missing_entries(sheet: Scoresheet) -> Iterator[Refusal]:
    """What has not been typed in."""
    demanded_by = {"score": "fifth-avenue.end.sheet-track", "central_park": "fifth-avenue.end.sheet-central-park"}
    yield from missing_of_seats(sheet.seats, demanded_by)
    for name in DISTRICTS:
        if name not in sheet.districts:
            yield refuse("fifth-avenue.map.sheet-districts", f"/districts/{name}", district=name)
            continue
        lots = sheet.districts[name]
        for lot in LOTS_OF_BOARD[sheet.six_lots] if lots else ():
            if getattr(lots, lot) is None:
                yield refuse("fifth-avenue.map.sheet-lots", f"/districts/{name}/{lot}", district=name, lot=lot)
    if sheet.park_tiles is None and sheet.under_central_park is None:
        yield refuse("fifth-avenue.end.sheet-tiles", "/park_tiles")


def building_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    built = sheet.board.buildings
    for index, seat in enumerate(sheet.seats):
        buildings = built[index] + (seat.central_park or 0)
        if buildings > PLAYER_BUILDINGS:
            yield refuse(
                "fifth-avenue.components.buildings", f"/seats/{index}", buildings=buildings, box=PLAYER_BUILDINGS
            )
    if built[DUMMY] > BUILDINGS:
        yield refuse("fifth-avenue.components.buildings", "/districts", buildings=built[DUMMY], box=BUILDINGS)


def business_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    shown = [*sheet.board.businesses, *(sheet.park_tiles or ()), *(sheet.under_central_park or ())]
    yield from component_findings("fifth-avenue.components.businesses", shown, BUSINESS_TILES, "/districts")


def closed_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    closed = len(sheet.board.closed)
    if closed > STOPS:
        yield refuse("fifth-avenue.stop.two", "/districts", closed=closed, stops=STOPS)


def is_stopped(sheet: Scoresheet) -> bool:
    """Whether the second building stop ended the game; otherwise the twelfth business did."""
    return len(sheet.board.closed) == STOPS


# --- hands -----------------------------------------------------------------------------------------------------------


def hand_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """No more cards in hands than there are; whoever ordered the last stop has paid for it with at least one."""
    cards, most = sum(seat.hand_size or 0 for seat in sheet.seats), sum(CARDS.values()) - is_stopped(sheet)
    if cards > most:
        yield refuse("fifth-avenue.end.sheet-hands", "/seats", cards=cards, most=most)


# --- businesses ------------------------------------------------------------------------------------------------------


def placed_in(sheet: Scoresheet) -> tuple[int, int]:
    """The fewest and the most businesses that have been placed, besides those that started.

    All in open districts are seen; a closed one may have had some on all of its lots.
    """
    shown = sum(max(0, len(district.facts.businesses) - 1) for _, district in sheet.board.open)
    hidden = MAXIMUM_BUSINESSES * len(LOTS_OF_BOARD[sheet.six_lots]) - 1
    return shown, shown + hidden * len(sheet.board.closed)


def possible_placed(sheet: Scoresheet) -> range:
    """The numbers of placed businesses with which the game can have ended: twelve, or fewer with two stops."""
    fewest, most = placed_in(sheet)
    if is_stopped(sheet):
        return range(fewest, min(most, PLACED_AT_END - 1) + 1)
    return range(max(fewest, PLACED_AT_END), min(most, PLACED_AT_END) + 1)


def placed_finding(sheet: Scoresheet) -> Refusal:
    fewest, most = placed_in(sheet)
    needed = range(PLACED_AT_END) if is_stopped(sheet) else range(PLACED_AT_END, PLACED_AT_END + 1)
    return refuse(
        "fifth-avenue.end.sheet-businesses",
        "/districts",
        fewest=fewest,
        most=most,
        lowest=needed[0],
        highest=needed[-1],
        closed=len(sheet.board.closed),
    )


def too_many_placed(sheet: Scoresheet) -> Iterator[Refusal]:
    if placed_in(sheet)[0] > PLACED_AT_END - is_stopped(sheet):
        yield placed_finding(sheet)


def too_few_placed(sheet: Scoresheet) -> Iterator[Refusal]:
    if placed_in(sheet)[1] < PLACED_AT_END and not is_stopped(sheet):
        yield placed_finding(sheet)


def starting_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Every open district still has its starting business; with five lots each colour has at most two of them."""
    lacking = sheet.board.facts.without_starting_business[sheet.six_lots]
    for name in lacking:
        yield refuse("fifth-avenue.setup.starting-business", f"/districts/{name}", district=name)
    if not lacking and not sheet.six_lots:
        choices = [district.facts.with_business for _, district in sheet.board.open]
        if not can_start(choices, Counter()):
            yield refuse("fifth-avenue.setup.sheet-lots", "/districts", most=MAXIMUM_PER_COLOUR)


def can_start(choices: Sequence[Sequence[str]], used: Counter[str]) -> bool:
    """Whether the starting businesses can have lain on one of these lots each, no colour having too many."""
    if not choices:
        return True
    first, *others = sorted(choices, key=len)
    return any(used[colour] < MAXIMUM_PER_COLOUR and can_start(others, used + Counter({colour: 1})) for colour in first)


# --- the tiles of Central Park ---------------------------------------------------------------------------------------


def too_many_tiles(sheet: Scoresheet) -> Iterator[Refusal]:
    """Either the tiles drawn or all of them, and no more than there are groups in the row."""
    if sheet.park_tiles is not None and sheet.under_central_park is not None:
        yield refuse("fifth-avenue.end.sheet-tiles", "/park_tiles")
    for pointer, tiles, most in tiles_on(sheet):
        if len(tiles) > most:
            yield refuse("fifth-avenue.end.park-tiles", pointer, tiles=len(tiles), least=0, most=most)


def too_few_tiles(sheet: Scoresheet) -> Iterator[Refusal]:
    """As many tiles under Central Park as groups were emptied by the businesses placed."""
    placed = possible_placed(sheet)
    numbers = sorted({number for tiles in placed for number in emptied_groups(tiles)})
    for pointer, tiles, most in tiles_on(sheet) if numbers else ():
        possible = sorted({min(number, most) for number in numbers})
        if len(tiles) not in possible and len(tiles) <= most:
            yield refuse(
                "fifth-avenue.end.sheet-groups",
                pointer,
                tiles=len(tiles),
                possible=tuple(possible),
                fewest=placed[0],
                most=placed[-1],
            )


def tiles_on(sheet: Scoresheet) -> Iterator[tuple[str, Multiset, int]]:
    """The given tiles, where they are on the sheet, and the maximum number."""
    if sheet.park_tiles is not None:
        yield "/park_tiles", sheet.park_tiles, PARK_TILES
    if sheet.under_central_park is not None:
        yield "/under_central_park", sheet.under_central_park, GROUPS


def emptied_groups(placed: int) -> set[int]:
    """The numbers of groups that so many placed businesses can have emptied.

    Of two groups one has three tiles and one two, in either order, and the last tile of each goes under Central Park.
    """
    pairs, more = divmod(placed, TILES_OF_PAIR - 2)
    return {2 * pairs + int(emptied) for emptied in ({0}, {0, 1}, {1})[more]}


TILES_OF_PAIR = sum(DEFAULT_GROUPS[:2])


# --- its result ------------------------------------------------------------------------------------------------------


def score(sheet: Scoresheet, _: tuple[str, ...]) -> Mapping[str, Any]:
    """The result of a possible scoresheet, or the result of every draw that is still possible."""
    if sheet.park_tiles is not None:
        return {"result": result(sheet, multiset(sheet.park_tiles))}
    if sheet.under_central_park is None:
        return {"result": result(sheet, None)}
    draws = possible_draws(multiset(sheet.under_central_park))
    if len(draws) == 1:
        return {"result": result(sheet, draws[0][0])}
    return outcomes_of(draws, partial(result, sheet))


def result(sheet: Scoresheet, tiles: Multiset | None) -> Result:
    """The result if Central Park is scored by `tiles`; by none as long as none have been typed in."""
    rings = rings_of(sheet)
    lots = all_scored([(name, district, rings[name]) for name, district in sheet.board.open])
    scores = [
        score_of(index, seat.score, lots, 0 if tiles is None else seat.central_park or 0, tiles or (), seat.hand_size)
        for index, seat in enumerate(sheet.seats)
    ]
    placed = ranked(scores, TIE_RULES, NEVER_CHECKED, sheet.unfinished)
    return replace(placed, assumptions=("fifth-avenue.map.rings",) if rests_on_default(sheet) else ())


def rests_on_default(sheet: Scoresheet) -> bool:
    """Whether the points would be others if the lots of some district adjoined in another order than is assumed."""
    players, defaults = len(sheet.seats), DEFAULT_RINGS[sheet.six_lots]
    return any(
        totals_of_seats(district, ring, players) != totals_of_seats(district, defaults[name], players)
        for name, district in sheet.board.open
        if name not in sheet.rings
        for ring in every_ring(sheet.six_lots)
    )


@cache
def every_ring(six_lots: bool) -> tuple[Ring, ...]:
    """Every order of the lots, counting rotations once."""
    first, *others = LOTS_OF_BOARD[six_lots]
    return tuple((first, *order) for order in permutations(others))
