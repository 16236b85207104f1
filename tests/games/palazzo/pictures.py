"""Positions whose pictures are golden files: record, ply, viewing seat (None: all is visible), and what they show."""

from collections.abc import Iterator
from typing import Any

from capomastro.engine.events import Event
from capomastro.engine.moves import Move
from capomastro.games.palazzo import events, moves
from tests.support.pictures import Placed

POSITIONS = (
    ("four-plan", 4, None, "the set-up: the fourth quarry has its tile"),
    ("two-plan", 13, 0, "the first action of two players, seen from a seat"),
    ("three-plan", 316, None, "an auction: the highest bid, and the certificate that opened"),
    ("reshuffle", 293, None, "an auction in which two have passed, and long hands"),
    ("four-plan", 336, None, "the row of money lies face up, four players"),
    ("distribution", 72, 1, "six tiles on a quarry, to be distributed; from a seat"),
    ("random", 188, None, "two tiles to place, six palaces, eight tiles on the supply"),
    ("three-plan", 127, None, "tiles of a distribution are placed, a new palace can be begun"),
    ("all-rebuildings", 236, None, "five tiles on a quarry, many out of the game"),
    ("reshuffle", 201, 3, "a hand of 19, from another seat"),
    ("fourth-and-fifth-rider", 52, None, "the fourth rider has just been drawn"),
    ("three-plan", 329, None, "the end"),
)


def further_tokens(document: Any) -> Iterator[tuple[str, str]]:
    """The drawn riders, which are a number in a state."""
    return (("/riders", "rider") for _ in range(document["riders"]))


def moved_by(event: Event, move: Move, after: Any) -> Iterator[Placed]:
    """Where an event laid what. A tile that its move does not name is missing: rebuilt, or left over."""
    match event:
        case events.TileDrawn(tile=tile, quarry=quarry):
            yield "/supply" if quarry is None else f"/quarries/{quarry}", tile
        case events.RiderDrawn():
            yield "/riders", "rider"
        case events.CardDealt(seat=seat):
            assert isinstance(move, moves.DealCard)
            yield f"/seats/{seat}/hand", move.card or "unknown"
        case events.CardRevealed(card=card):
            yield "/stage/face_up", card
        case events.CardsTaken(seat=seat, cards=cards):
            yield from ((f"/seats/{seat}/hand", card) for card in cards)
        case events.TilesBought(tiles=tiles, payment=payment):
            yield from (("/stage/tiles", tile) for tile in tiles)
            yield from (("/discards", card) for card in payment)
        case events.Distribution() | events.AuctionOpened():
            yield "/builder", "builder"
        case events.BidRaised(seat=seat, cards=cards):
            yield from ((f"/stage/bids/{seat}", card) for card in cards)
        case events.Passed(seat=seat):
            yield f"/stage/bids/{seat}", "passed"
        case events.AuctionWon(tiles=tiles):
            yield from (("/stage/tiles", tile) for tile in tiles)
        case events.TileTaken(tile=tile):
            yield "/stage/tiles", tile
        case (
            events.TilePlaced(seat=seat, tile=tile, palace=palace)
            | events.PalaceBegun(seat=seat, tile=tile, palace=palace)
        ):
            yield f"/seats/{seat}/palaces/{palace}", tile
        case events.TileTakenOut(seat=seat, tile=tile, new_palace=palace):
            yield f"/seats/{seat}/palaces/{palace}", tile
        case events.TilesRemoved(seat=int(), tiles=tiles) if isinstance(move, moves.ThrowAway):
            yield from (("/removed", tile) for tile in tiles)
        case events.CardPaid(card=card):
            yield "/discards", card
