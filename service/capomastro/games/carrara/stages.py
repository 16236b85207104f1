"""The stages of The Palaces of Carrara, in the order of a turn: what is to be decided, and what that depends on."""

from capomastro.engine.stages import GameOver, Stage


class RevealSetupBuilding(Stage, frozen=True):
    """Set-up, chance: the next of the nine buildings for the board."""


class ChooseAction(Stage, frozen=True):
    """The active seat buys blocks, builds or scores; it may announce the end before that, or, once the end has been
    announced, pass instead."""


class DrawBlock(Stage, frozen=True):
    """Buy blocks, chance: the wheel has been turned; the next block for section I."""


class BuyBlocks(Stage, frozen=True):
    """Buy blocks: the wheel has been refilled; the active seat buys from one section, or takes two coins if it can buy
    nothing."""


class RevealBuilding(Stage, frozen=True):
    """Build, chance: the active seat has built; the next building for the empty space of the board."""


class BuyObject(Stage, frozen=True):
    """The action is over; the active seat may buy one object from the board."""


class AnnounceOrEndTurn(Stage, frozen=True):
    """The end of a turn of a seat that can announce the end of the game."""


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
