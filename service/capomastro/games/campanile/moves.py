"""The moves of Campanile. Towers are named by their style."""

from typing import ClassVar

from capomastro.engine.decisions import ChanceMove, SeatMove


class DealCard(ChanceMove, frozen=True):
    """A tower card dealt to a seat; null if whoever writes the record did not see it."""

    reveals: ClassVar[str] = "card"
    card: str | None


class RevealCard(ChanceMove, frozen=True):
    """A tower card turned up for the display, or "intermezzo", or "finito"."""

    reveals: ClassVar[str] = "card"
    card: str


class PlayCard(SeatMove, frozen=True):
    """A: a card of the hand raises the tower of its style by 1, 2 or 3 floors."""

    card: str
    floors: int


class PlaceMarker(SeatMove, frozen=True):
    """B: the marker whose value is the floors just added, under `tower`."""

    tower: str


class MoveMarker(SeatMove, frozen=True):
    """B, variant: an own medium marker leaves the tower `source` for the tower `destination`."""

    source: str
    destination: str


class NoMarker(SeatMove, frozen=True):
    """B: goes without."""


class TakeCard(SeatMove, frozen=True):
    """C: a card of the display."""

    card: str
