"""The moves of Campanile. Towers are named by their style."""

from capomastro.engine.decisions import ChanceMove, SeatMove


class DealCard(ChanceMove, frozen=True):
    """A tower card dealt to a seat; null if the writer of the record did not see it."""

    card: str | None


class RevealCard(ChanceMove, frozen=True):
    """A tower card turned up for the display, or "intermezzo", or "finito"."""

    card: str


class PlayCard(SeatMove, frozen=True):
    """A: plays a card, which adds 1, 2 or 3 floors to the tower of its style."""

    card: str
    floors: int


class PlaceMarker(SeatMove, frozen=True):
    """B: places the marker whose value equals the floors just added, under `tower`."""

    tower: str


class MoveMarker(SeatMove, frozen=True):
    """B, variant: moves a medium marker from the tower `source` to the tower `destination`."""

    source: str
    destination: str


class NoMarker(SeatMove, frozen=True):
    """B: places no marker."""


class TakeCard(SeatMove, frozen=True):
    """C: takes a card from the display."""

    card: str
