"""The events of Palazzo. Quarries and palaces are numbered as in the state after the move."""

from typing import Annotated, Literal

from msgspec import Meta

from capomastro.engine import auctions, cards
from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.members import RuleId
from capomastro.engine.piles import Shuffled
from capomastro.engine.results import Points
from capomastro.games.palazzo import tokens

# --- set-up and drawing ----------------------------------------------------------------------------------------------


class TileDrawn(Event, frozen=True):
    """A tile was drawn."""

    tile: tokens.Tile
    """The tile."""
    to: Literal["supply", "quarry"]
    """The place it went to."""
    quarry: tokens.QuarryIndex | None = None
    """The quarry, if it went to one."""


CardDealt = cards.CardDealt


class CardRevealed(cards.CardRevealed, frozen=True):
    """A card of the row was turned up."""

    card: tokens.Card


class DeckShuffled(Shuffled, frozen=True):
    """The discards were shuffled into a new deck."""

    rule: RuleId
    """The rule that caused it."""
    cards: tokens.Cards
    """The cards shuffled."""


class RiderDrawn(Event, frozen=True):
    """A rider was drawn; the fifth ends the game."""

    rule: RuleId
    """The rule that caused it."""
    riders: Annotated[int, Meta(ge=0)]
    """The number drawn so far."""


# --- the actions -----------------------------------------------------------------------------------------------------


class ActionChosen(SeatEvent, frozen=True):
    """A player chose what to do in this turn."""

    action: Literal["take-money", "build"]
    """The action."""


class CardsTaken(cards.CardsTaken, frozen=True):
    """A player took cards from the row."""

    cards: tokens.Cards


class TilesBought(SeatEvent, frozen=True):
    """A player bought tiles from the supply."""

    tiles: tokens.Tiles
    """The tiles."""
    price: Annotated[int, Meta(ge=0)]
    """The price."""
    payment: tokens.Cards
    """The cards paid."""


class NothingToAuction(SeatEvent, frozen=True):
    """An auction was called, but all quarries were empty; the turn ended."""

    rule: RuleId
    """The rule that caused it."""


class Distribution(SeatEvent, frozen=True):
    """An auction was called, but the quarry had so many tiles that they are distributed."""

    quarry: tokens.QuarryIndex
    """The quarry."""
    tiles: tokens.Tiles
    """The tiles."""
    rule: RuleId
    """The rule that caused it."""


class AuctionOpened(SeatEvent, frozen=True):
    """An auction was called; the certificate of value 3 opened it."""

    quarry: tokens.QuarryIndex
    """The quarry."""
    tiles: tokens.Tiles
    """The place auctioned."""
    rule: RuleId
    """The rule that caused it."""


class BidRaised(SeatEvent, frozen=True):
    """A player raised the bid."""

    cards: tokens.Cards
    """The cards added."""
    bid: Annotated[int, Meta(ge=0)]
    """Their total bid now."""


Passed = auctions.Passed


class AuctionWon(SeatEvent, frozen=True):
    """The last player standing won the tiles."""

    seat: tokens.SeatIndex
    """The winner."""
    tiles: tokens.Tiles
    """The tiles."""
    bid: Annotated[int, Meta(ge=0)]
    """Their bid."""


class TileTaken(SeatEvent, frozen=True):
    """A player took a tile in a distribution."""

    tile: tokens.Tile
    """The tile."""


# --- building and rebuilding -----------------------------------------------------------------------------------------


class TilePlaced(SeatEvent, frozen=True):
    """A tile was placed on top of a palace."""

    tile: tokens.Tile
    """The tile."""
    palace: tokens.PalaceIndex
    """The palace."""


class PalaceBegun(SeatEvent, frozen=True):
    """A palace was begun."""

    tile: tokens.Tile
    """The tile."""
    palace: tokens.PalaceIndex
    """The new palace."""


class TilesRemoved(Event, frozen=True, kw_only=True):
    """Tiles left the game: thrown away, removed in a rebuilding, or left over from a distribution."""

    seat: tokens.SeatIndex | None = None
    """The player who removed them; absent if nobody did."""
    tiles: tokens.Tiles
    """The tiles."""
    rule: RuleId | None = None
    """The rule that caused it."""


class CardPaid(SeatEvent, frozen=True):
    """A card was paid for a rebuilding."""

    card: tokens.Card
    """The card."""


class TileTakenOut(SeatEvent, frozen=True):
    """A tile was taken out of a palace and now stands alone."""

    tile: tokens.Tile
    """The tile."""
    palace: tokens.PalaceIndex
    """The palace it left."""
    new_palace: tokens.PalaceIndex
    """The palace that it now forms."""


class TileInserted(SeatEvent, frozen=True):
    """A tile that stood alone was put into another palace."""

    tile: tokens.Tile
    """The tile."""
    palace: tokens.PalaceIndex
    """The palace it went into, by its new number."""


# --- the end ---------------------------------------------------------------------------------------------------------


class PalaceScored(SeatEvent, frozen=True):
    """Final scoring: the points of a palace by one rule."""

    seat: tokens.SeatIndex
    """The owner of the palace."""
    rule: RuleId
    """The rule that gives the points."""
    points: Points
    """The points; negative if they are lost."""
    palace: tokens.PalaceIndex
    """The index of the palace on the table or on the scoresheet."""
    floors: tokens.FloorCount
    """The number of its tiles."""
    windows: tokens.WindowCount
    """Its windows and doors."""
    tiles: tokens.Palace
    """Its tiles."""
