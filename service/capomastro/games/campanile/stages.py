"""The stages of Campanile, in the order of a turn: what is to be decided, and what that depends on."""

from capomastro.engine.decisions import GameOver, Stage


class DealCard(Stage, frozen=True):
    """Set-up: the next card for the first seat with fewer than three."""


class RevealSetupCard(Stage, frozen=True):
    """Set-up: the next card of the display."""


class PlayCard(Stage, frozen=True):
    """A: the active seat plays a card on its tower."""


class PlaceMarker(Stage, frozen=True):
    """B: the active seat may place a marker; `floors` were just added."""

    floors: int


class TakeCard(Stage, frozen=True):
    """C: the active seat takes a card from the display."""


class RefillDisplay(Stage, frozen=True):
    """C: the next card of the deck."""


AnyStage = DealCard | RevealSetupCard | PlayCard | PlaceMarker | TakeCard | RefillDisplay | GameOver
