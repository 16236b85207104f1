"""Scores a game played at a table: the scoresheet, and what is impossible on it."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from capomastro.engine import game as engine
from capomastro.engine.audits import component_findings
from capomastro.engine.chance import as_text
from capomastro.engine.members import Keys
from capomastro.engine.multisets import IN_ANY_ORDER, Multiset, multiset
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import ranked
from capomastro.engine.scoresheets import Judgement, judgement, missing_of_seats
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import lots, scoring, tokens
from capomastro.games.fifth_avenue.audit import district_findings, ring_findings, too_many_buildings
from capomastro.games.fifth_avenue.lots import EMPTY, District, Lot, buildings_on, businesses_in, businesses_on
from capomastro.games.fifth_avenue.scoring import Result, ScoredLot
from capomastro.games.fifth_avenue.state import DEFAULT_RINGS

MOST_POINTS_ON_PAPER = 10_000
"""More than any game reaches."""


class SheetSeat(engine.SheetSeat, frozen=True):
    """A player's position before the final scoring."""

    score: Annotated[int, Meta(ge=0, le=MOST_POINTS_ON_PAPER)] | None = None
    """Their points on the track; the total, even if the track was lapped. Only an unfinished sheet can do without."""
    central_park: tokens.BuildingCount | None = None
    """Their buildings in Central Park. Only an unfinished sheet can do without."""
    hand_size: Annotated[int, Meta(ge=0, le=box.CARD_COUNT)] | None = None
    """The number of cards in hand; needed only to break a tie."""


Lots = Annotated[
    dict[tokens.Lot, Lot],
    Keys(box.LOTS_OF_BOARD[True], required=False, sentence="The {} lot."),
    Meta(title="District on a scoresheet of Fifth Avenue"),
]
"""A district that is open: its lots by colour, the colourless one only on the board with six lots; those that are not
typed in yet are absent."""

Districts = Annotated[
    dict[tokens.District, Lots | None],
    Keys(box.DISTRICTS, required=False, sentence="The lots of {}; null if it is closed."),
    Meta(title="Districts on a scoresheet of Fifth Avenue"),
]
"""The districts by name, null where a building stop was ordered; those that are not typed in yet are absent."""


class Scoresheet(engine.Scoresheet, frozen=True):
    """A finished game as typed in at the table, to be scored: the board before the final scoring. One of park_tiles and
    under_central_park must be given; only an unfinished sheet can do without both."""

    seats: tokens.BySeat[SheetSeat]
    """The players, clockwise from the first."""
    districts: Districts = msgspec.field(default_factory=dict)
    """The districts as far as they are typed in. Only an unfinished sheet can do without some of them, or without some
    of their lots."""
    park_tiles: tokens.ParkTiles | None = None
    """The three tiles drawn from under Central Park; all of them if there were at most three."""
    under_central_park: Annotated[tuple[tokens.Business, ...], IN_ANY_ORDER, Meta(max_length=box.GROUPS)] | None = None
    """All tiles under Central Park, if none have been drawn: the answer then has the result of every possible draw."""
    six_lots: bool = False
    """Whether the side of the board with six lots is used."""
    rings: tokens.Rings = msgspec.field(default_factory=dict)
    """The order of the lots on your board."""

    @property
    def board(self) -> lots.Districts:
        """The board as far as it has been typed in, the other lots empty."""
        return lots.Districts(*(self.district(name) for name in box.DISTRICTS))

    def district(self, name: str) -> District | None:
        lots = self.districts.get(name, {})
        if lots is None:
            return None
        empty = dict.fromkeys(box.LOTS_OF_BOARD[self.six_lots], EMPTY)
        return District(**empty | lots)


def rings_of(sheet: Scoresheet) -> dict[str, tokens.Ring]:
    """The ring of each district; a ring that is none of this board is as good as none."""
    lots = sorted(box.LOTS_OF_BOARD[sheet.six_lots])
    return DEFAULT_RINGS[sheet.six_lots] | {name: ring for name, ring in sheet.rings.items() if sorted(ring) == lots}


# --- what a scoresheet can say ---------------------------------------------------------------------------------------


def judge(sheet: Scoresheet) -> Judgement:
    """What no further entry can cure, and what is missing: businesses, buildings, tiles and cards are only added."""
    impossible = [*impossible_entries(sheet)]
    missing = [*missing_entries(sheet)]
    can_be_counted = not any(finding.rule in UNSOUND_OR_INCOMPLETE for finding in (*impossible, *missing))
    return judgement(impossible, missing, too_few_businesses(sheet) if can_be_counted else ())


UNSOUND_OR_INCOMPLETE = (
    "fifth-avenue.map.lots",
    "fifth-avenue.stop.two",
    "fifth-avenue.map.sheet-districts",
    "fifth-avenue.map.sheet-lots",
)
"""If a sheet breaks one of these, nobody can say whether it has too few businesses."""


def impossible_entries(sheet: Scoresheet) -> Iterator[Refusal]:
    """More than the box holds, or than one player can have; what contradicts itself."""
    board, closed = sheet.board, len(sheet.board.closed)
    yield from ring_findings(sheet.rings, "/rings", six_lots=sheet.six_lots)
    yield from district_findings(board, len(sheet.seats), six_lots=sheet.six_lots)
    # buildings, in Central Park too
    built = buildings_on(board)
    for index, seat in enumerate(sheet.seats):
        owned = built[index] + (seat.central_park or 0)
        if owned > box.PLAYER_BUILDINGS:
            yield too_many_buildings(owned, f"/seats/{index}", of_dummy=False)
    if built[box.DUMMY] > box.BUILDINGS:
        yield too_many_buildings(built[box.DUMMY], "/districts", of_dummy=True)
    # businesses, and the tiles under Central Park
    shown = [*businesses_on(board), *(sheet.park_tiles or ()), *(sheet.under_central_park or ())]
    yield from component_findings("fifth-avenue.components.businesses", shown, box.BUSINESS_TILES, "/districts")
    if closed > box.STOPS:
        yield refuse("fifth-avenue.stop.two", "/districts", closed=closed, stops=box.STOPS)
    # either the tiles drawn or all of them
    if sheet.park_tiles is not None and sheet.under_central_park is not None:
        yield refuse("fifth-avenue.end.sheet-tiles", "/park_tiles")
    # a second stop ends the game before the twelfth business
    if placed_in(sheet)[0] > box.PLACED_AT_END - is_stopped(sheet):
        yield placed_finding(sheet)
    # at least one card was bid for the last stop
    cards, most = sum([seat.hand_size or 0 for seat in sheet.seats]), sum(box.CARDS.values()) - is_stopped(sheet)
    if cards > most:
        finding = refuse("fifth-avenue.end.sheet-hands", "/seats", cards=cards, most=most)
        yield finding.because_of("cards-of-box", box=box.CARD_COUNT, bid=is_stopped(sheet))


def missing_entries(sheet: Scoresheet) -> Iterator[Refusal]:
    """What has not been typed in."""
    demanded_by = {"score": "fifth-avenue.end.sheet-track", "central_park": "fifth-avenue.end.sheet-central-park"}
    yield from missing_of_seats(sheet.seats, demanded_by)
    for name in box.DISTRICTS:
        if name not in sheet.districts:
            yield refuse("fifth-avenue.map.sheet-districts", f"/districts/{name}", district=name)
            continue
        lots = sheet.districts[name]
        for lot in box.LOTS_OF_BOARD[sheet.six_lots]:
            if lots is not None and lot not in lots:
                yield refuse("fifth-avenue.map.sheet-lots", f"/districts/{name}/{lot}", district=name, lot=lot)
    if sheet.park_tiles is None and sheet.under_central_park is None:
        yield refuse("fifth-avenue.end.sheet-tiles", "/park_tiles")


def too_few_businesses(sheet: Scoresheet) -> Iterator[Refusal]:
    """Without a second stop there are twelve, which have emptied all groups of the row; a tile of each is left."""
    if is_stopped(sheet):
        return
    if placed_in(sheet)[1] < box.PLACED_AT_END:
        yield placed_finding(sheet)
    for name, most in (("park_tiles", box.PARK_TILES), ("under_central_park", box.GROUPS)):
        tiles = getattr(sheet, name)
        if tiles is not None and len(tiles) < most:
            finding = refuse("fifth-avenue.end.park-tiles", f"/{name}", tiles=len(tiles), least=most, most=most)
            yield finding.because_of("tiles-of-groups", groups=box.GROUPS, drawn=box.PARK_TILES)


def is_stopped(sheet: Scoresheet) -> bool:
    """Whether the second building stop ended the game; otherwise the twelfth business did."""
    return len(sheet.board.closed) == box.STOPS


def placed_in(sheet: Scoresheet) -> tuple[int, int]:
    """The fewest and the most businesses placed, not counting one in each district, which started there.

    Those in open districts are seen; a closed one may have had some on all of its lots.
    """
    shown = sum([max(0, len(businesses_in(district)) - 1) for _, district in sheet.board.open])
    hidden = box.MAXIMUM_BUSINESSES * len(box.LOTS_OF_BOARD[sheet.six_lots]) - 1
    return shown, shown + hidden * len(sheet.board.closed)


def placed_finding(sheet: Scoresheet) -> Refusal:
    (fewest, most), stopped = placed_in(sheet), is_stopped(sheet)
    needed = {"lowest": 0 if stopped else box.PLACED_AT_END, "highest": box.PLACED_AT_END - stopped}
    values = {"fewest": fewest, "most": most, **needed, "closed": len(sheet.board.closed)}
    return Refusal("fifth-avenue.end.sheet-businesses", values, "/districts")


# --- its result ------------------------------------------------------------------------------------------------------


def score(sheet: Scoresheet) -> Mapping[str, Any]:
    """The result of a scoresheet, however impossible, or the result of every draw that is still possible."""
    lots = scoring.scored_lots(sheet.board.open, rings_of(sheet))
    assumptions = ("fifth-avenue.map.rings",) if rests_on_default(sheet) else ()
    under = sheet.under_central_park if sheet.park_tiles is None else sheet.park_tiles
    draws = [(None, Fraction(1))] if under is None else scoring.possible_draws(multiset(under))
    outcomes = [
        {"tiles": tiles, "probability": as_text(probability), "result": result(sheet, lots, assumptions, tiles)}
        for tiles, probability in draws
    ]
    return {"outcomes": outcomes} if len(outcomes) > 1 else {"result": outcomes[0]["result"]}


def result(
    sheet: Scoresheet, lots: Sequence[ScoredLot], assumptions: tuple[str, ...], tiles: Multiset | None
) -> Result:
    """The result if Central Park is scored by `tiles`; by none as long as none have been typed in."""
    scores = [
        scoring.score_of(
            index, seat.score, lots, 0 if tiles is None else seat.central_park or 0, tiles or (), seat.hand_size
        )
        for index, seat in enumerate(sheet.seats)
    ]
    return replace(ranked(scores, scoring.TIE_RULES, unfinished=sheet.unfinished), assumptions=assumptions)


EVERY_RING: Mapping[bool, tuple[tokens.Ring, ...]] = {
    six_lots: tuple((first, *order) for order in permutations(rest))
    for six_lots, (first, *rest) in box.LOTS_OF_BOARD.items()
}
"""Every order of the lots, counting rotations once, by whether there are six."""


def rests_on_default(sheet: Scoresheet) -> bool:
    """Whether the points would be others if the lots of some district adjoined in another order than is assumed."""
    players, rings = len(sheet.seats), EVERY_RING[sheet.six_lots]
    return any(
        len({scoring.totals_of_seats(district, ring, players) for ring in rings}) > 1
        for name, district in sheet.board.open
        if name not in sheet.rings
    )
