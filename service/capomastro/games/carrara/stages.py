"""The stages of The Palaces of Carrara, in the order of a turn: what is to be decided, and what that depends on."""

from capomastro.engine.decisions import GameOver, Stage


class RevealSetupBuilding(Stage, frozen=True):
    """Set-up: the next building for the board."""


class ChooseAction(Stage, frozen=True):
    """The active seat buys blocks, builds or scores; before that, it may announce the end."""


class DrawBlock(Stage, frozen=True):
    """Buy blocks: the next block for section I of the wheel."""


class BuyBlocks(Stage, frozen=True):
    """Buy blocks: the active seat buys from one section."""


class RevealBuilding(Stage, frozen=True):
    """Build: the next building for the empty space of the board."""


class BuyObject(Stage, frozen=True):
    """After the action: the active seat may buy one object."""


class AnnounceOrEndTurn(Stage, frozen=True):
    """At the end of its turn: the active seat may announce the end of the game."""


AnyStage = (
    RevealSetupBuilding
    | ChooseAction
    | DrawBlock
    | BuyBlocks
    | RevealBuilding
    | BuyObject
    | AnnounceOrEndTurn
    | GameOver
)
