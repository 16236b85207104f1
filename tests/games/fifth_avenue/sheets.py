"""Scoresheets of a played game, and a possible end of a game with a given table, for the campaign `sheets`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

from msgspec.structs import replace

from capomastro.engine.hands import Hand
from capomastro.engine.multisets import Multiset, multiset
from capomastro.engine.stages import GameOver
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import (
    BLACK,
    BUSINESS_COPIES,
    BUSINESSES,
    CARDS,
    DISTRICTS,
    FIRST_BUILDINGS,
    FIRST_RESERVE,
    PARK_TILES,
    PILE_COUNT,
    PLACED_AT_END,
    PLAYER_BUILDINGS,
)
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.lots import buildings_on, businesses_on
from capomastro.games.fifth_avenue.scoresheet import Scoresheet
from capomastro.games.fifth_avenue.state import Options, Seat, State
from tests.games.fifth_avenue.table import piles_with, row_after
from tests.support.documents import as_document
from tests.support.playouts import Ply

ASSUMED = "fifth-avenue.map.rings"
"""The unsourced rule that points depend on unless a sheet says otherwise."""


def sheets(plies: Sequence[Ply], random: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """A sheet with the tiles drawn from under Central Park, and one with all that were there."""
    end: State = plies[-1].after
    under = multiset([*end.under_central_park, *(end.park_tiles or ())])
    drawn = end.park_tiles if end.park_tiles is not None else end.under_central_park
    for detail, tiles in (("drawn tiles", {"park_tiles": drawn}), ("all tiles", {"under_central_park": under})):
        yield (
            detail,
            {
                "game": "fifth-avenue",
                "schema_version": 1,
                "seats": [
                    {"score": seat.score, "central_park": seat.central_park, "hand_size": seat.hand.size}
                    for seat in end.seats
                ],
                "districts": as_document(end.districts),
                "rings": as_document(end.options.rings),
                "six_lots": end.options.six_lots,
                **as_document(tiles),
            },
        )


def possible(sheet: Scoresheet, end: State, random: Random) -> bool | None:
    """True if the audit of states accepts some end of a game with this table; None if none was found.

    Whatever is not on the sheet is made up: hands, piles, reserves, the row, the tiles that left the game.
    """
    return any(not GAME.audit(state) for state in ends_like(sheet, end)) or None


def ends_like(sheet: Scoresheet, end: State) -> Iterator[State]:
    """Ends of a game with this table, for every order of the groups and number of placed businesses that fits."""
    seats = seats_of(sheet)
    given = sheet.under_central_park if sheet.park_tiles is None else sheet.park_tiles
    closed, there = len(sheet.board.closed), len(businesses_on(sheet.board))
    left = Counter(dict.fromkeys(BUSINESSES, BUSINESS_COPIES))
    left.subtract([*businesses_on(sheet.board), *(given or ())])
    if seats is None or given is None or min(left.values()) < 0:
        return
    sizes = [tuple(size for pair in pairs for size in pair) for pairs in product(((3, 2), (2, 3)), repeat=4)]
    for groups, placed in product(sizes, range(PLACED_AT_END, -1, -1)):
        shape, emptied = row_after(placed, groups, list("?" * PLACED_AT_END * 2))
        removed = len(DISTRICTS) + placed - there
        drawn = sheet.park_tiles is not None and len(emptied) > PARK_TILES
        if not (closed <= removed <= closed * 10) or len(given) != (PARK_TILES if drawn else len(emptied)):
            continue
        rest = sorted(left.elements())
        row = tuple(multiset(rest.pop() for _ in group) for group in shape)
        under = multiset(rest.pop() for _ in emptied[PARK_TILES:]) if drawn else given
        yield replace(
            end,
            options=Options(sheet.six_lots, sheet.rings, groups),
            stage=stages.DrawParkTile() if sheet.park_tiles is None and len(given) > PARK_TILES else GameOver(),
            seats=seats,
            districts=sheet.board,
            row=row,
            under_central_park=under,
            park_tiles=given if drawn else None,
            removed_businesses=multiset(rest.pop() for _ in range(removed)),
            piles=piles_with({}, Counter(card for seat in seats for card in seat.hand.known)),
            black_discards=(),
            shuffled_in=None,
            dummy_removed=0 if len(seats) == 2 else None,
        )


def seats_of(sheet: Scoresheet) -> tuple[Seat, ...] | None:
    """The players, with their other buildings in reserve; None if there are too few cards or buildings."""
    hands = hands_of([seat.hand_size or 0 for seat in sheet.seats])
    if hands is None:
        return None
    seats = []
    for index, (seat, hand) in enumerate(zip(sheet.seats, hands, strict=True)):
        there = buildings_on(sheet.board)[index] + (seat.central_park or 0)
        taken = range(FIRST_BUILDINGS + FIRST_RESERVE, PLAYER_BUILDINGS + 1, 3)
        enough = next((number for number in taken if number >= there), None)
        if enough is None:
            return None
        seats.append(Seat(hand, enough - there, seat.central_park or 0, 0, seat.score or 0))
    return tuple(seats)


def hands_of(sizes: Sequence[int]) -> list[Hand] | None:
    """Hands of so many cards: black ones that nobody has seen, then coloured ones that everybody has seen."""
    black = PILE_COUNT[BLACK]
    coloured = [card for card, copies in CARDS.items() if not card.startswith(BLACK) for _ in range(copies)]
    hands = []
    for size in sizes:
        secret = min(size, black)
        black -= secret
        shown: Multiset = multiset(coloured.pop() for _ in range(min(size - secret, len(coloured))))
        if secret + len(shown) < size:
            return None
        hands.append(Hand(shown, (), {BLACK: secret} if secret else {}))
    return hands
