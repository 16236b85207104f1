"""Positions whose pictures are golden files: record, ply, viewing seat (None: all is visible), and what they show."""

from collections.abc import Iterator
from typing import Any

from capomastro.engine.events import Event
from capomastro.engine.moves import Move
from capomastro.games.campanile import events, moves
from tests.support.pictures import Placed

POSITIONS = (
    ("three-plan", 4, None, "the set-up: cards are being dealt, no tower has a floor"),
    ("three-plan", 12, None, "the first turn: the display is complete"),
    ("two-variant", 27, None, "a medium marker was moved"),
    ("two-plan", 42, 0, "two players, seen from one seat; the Intermezzo is next"),
    ("five-plan", 84, None, "five rows of hands, before the Intermezzo"),
    ("five-plan", 96, None, "another order of the towers; after the Intermezzo, with tokens"),
    ("four-plan", 92, 1, "from a seat: unknown cards; the Intermezzo at the arrow"),
    ("intermezzo-unknown", 60, None, "nobody knows where the Intermezzo lies"),
    ("both-scorings-at-once", 49, None, "the Intermezzo was turned up, the refill is still to come"),
    ("markers-run-out", 150, None, "a player without small markers"),
    ("token-of-the-intermezzo", 200, None, "high towers, just before the end"),
    ("shared-win", 188, None, "the end: a shared win"),
)


def further_tokens(document: Any) -> Iterator[tuple[str, str]]:
    """The tokens that were won, which are numbers in a state."""
    for seat, one in enumerate(document["seats"]):
        yield from ((f"/seats/{seat}/tokens", str(value)) for value in one["tokens"])


def moved_by(event: Event, move: Move, after: Any) -> Iterator[Placed]:
    """Where an event laid what."""
    match event:
        case events.CardDealt(seat=seat):
            assert isinstance(move, moves.DealCard)
            yield f"/seats/{seat}/hand", move.card or "unknown"
        case events.CardRevealed(card=card):
            yield "/display", card
        case events.TowerRaised(tower=tower, floors=floors):
            yield from [(f"/towers/{tower}", "floor")] * floors
        case events.MarkerPlaced(seat=seat, tower=tower):
            yield row_of(seat, tower, after), "row"
        case events.MarkerMoved(seat=seat, destination=tower, marker=marker):
            yield row_of(seat, tower, after), marker
        case events.CardsTaken(seat=seat, cards=cards):
            yield from ((f"/seats/{seat}/hand", card) for card in cards)


def row_of(seat: int, tower: str, after: Any) -> str:
    """Where a player has their markers at a tower."""
    return f"/towers/{tower}/rows/{[row.seat for row in after.towers[tower].rows].index(seat)}"
