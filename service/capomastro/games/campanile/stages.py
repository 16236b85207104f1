"""The stages of Campanile, in the order of a turn: what is to be decided, and what that depends on."""

from capomastro.engine.members import titled
from capomastro.engine.stages import GameOver, Stage
from capomastro.games.campanile import tokens


class DealCard(Stage, frozen=True):
    """Set-up, chance: the next card for the first seat with fewer than three."""


@titled("Reveal set-up card")
class RevealSetupCard(Stage, frozen=True):
    """Set-up, chance: the next card of the display."""


class PlayCard(Stage, frozen=True):
    """A: the active seat plays a card on its tower."""


class PlaceMarker(Stage, frozen=True):
    """B: the active seat may place a marker whose value equals the number of floors just added. Skipped if no marker
    can be placed or moved."""

    floors: tokens.Floors
    """The number of floors just added."""


class TakeCard(Stage, frozen=True):
    """C: the active seat takes a card from the display."""


class RefillDisplay(Stage, frozen=True):
    """C, chance: the card taken is replaced from the deck; if that is the Intermezzo, once more."""


AnyStage = DealCard | RevealSetupCard | PlayCard | PlaceMarker | TakeCard | RefillDisplay | GameOver
