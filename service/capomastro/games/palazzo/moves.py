"""The moves of Palazzo. Palaces have indices from 0, in the order in which they were begun."""

from typing import Annotated

from msgspec import Meta

from capomastro.engine import auctions, cards
from capomastro.engine.moves import ChanceMove, SeatMove
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.engine.parameters import lying_in, place_at
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import tokens


class DrawTile(ChanceMove, frozen=True):
    """Chance: a tile is drawn from the lowest stack."""

    tile: tokens.Tile | tokens.Rider
    """The tile, or a rider."""


class DealCard(cards.DealCard, frozen=True):
    """Chance: a money card is dealt into a hand, hidden from the others."""

    card: tokens.Card | None


class RevealCard(cards.RevealCard, frozen=True):
    """Chance: a money card is turned up from the deck."""

    card: tokens.Card


class TakeMoney(SeatMove, frozen=True):
    """Action 1: takes money; one more card than there are players is turned up."""


class Build(SeatMove, frozen=True):
    """Action 2: builds; two tiles are drawn, then the player buys or calls an auction."""


class RebuildTakeOut(SeatMove, frozen=True):
    """Action 3: pays any card; a tile leaves its palace and stands alone as a new one."""

    card: Annotated[tokens.Card, lying_in("/seats/{seat}/hand")]
    """The card paid from the player's hand."""
    palace: Annotated[tokens.PalaceIndex, place_at("/seats/{seat}/palaces/{palace}")]
    """The palace it leaves, which has at least two tiles."""
    tile: Annotated[tokens.Tile, lying_in("/seats/{seat}/palaces/{palace}")]
    """The tile."""


class RebuildInsert(SeatMove, frozen=True):
    """Action 3: pays any card; a tile that stands alone goes into another palace, whose floors must still rise."""

    card: Annotated[tokens.Card, lying_in("/seats/{seat}/hand")]
    """The card paid from the player's hand."""
    palace: Annotated[tokens.PalaceIndex, place_at("/seats/{seat}/palaces/{palace}")]
    """The tile that stands alone."""
    into: Annotated[tokens.PalaceIndex, place_at("/seats/{seat}/palaces/{into}")]
    """The palace it goes into."""


class RebuildRemove(SeatMove, frozen=True):
    """Action 3: pays any card; a tile that stands alone leaves the game."""

    card: Annotated[tokens.Card, lying_in("/seats/{seat}/hand")]
    """The card paid from the player's hand."""
    palace: Annotated[tokens.PalaceIndex, place_at("/seats/{seat}/palaces/{palace}")]
    """The tile that stands alone."""


class TakeTwoCards(SeatMove, frozen=True):
    """The active seat takes two cards from the row."""

    cards: Annotated[
        tuple[tokens.Card, ...],
        IN_ANY_ORDER,
        Meta(min_length=box.CARDS_TAKEN, max_length=box.CARDS_TAKEN),
        lying_in("/stage/face_up"),
    ]
    """Two cards from the row, in any order."""


class TakeCard(cards.TakeCard, frozen=True):
    """Another seat takes one card from the row."""

    card: Annotated[tokens.Card, lying_in("/stage/face_up")]
    """A card from the row."""


class Buy(SeatMove, frozen=True):
    """Buys one or two tiles from the supply, with one payment for both."""

    tiles: Annotated[
        tuple[tokens.Tile, ...], IN_ANY_ORDER, Meta(min_length=1, max_length=box.MOST_BOUGHT), lying_in("/supply")
    ]
    """The tiles, in any order."""
    payment: Annotated[tokens.Cards, lying_in("/seats/{seat}/hand")]
    """The cards that pay for them: of one currency apart from certificates and groups. A price of 0 needs none."""


class CallAuction(SeatMove, frozen=True):
    """Calls an auction: the master builder moves to the next quarry with tiles, and the certificate of value 3
    opens."""


class Raise(SeatMove, frozen=True):
    """Adds cards to the player's bid, which must become the highest."""

    cards: Annotated[tokens.Cards, lying_in("/seats/{seat}/hand")]
    """The cards added: of one currency, apart from certificates and groups."""


Pass = auctions.Pass


class TakeTile(SeatMove, frozen=True):
    """Takes one tile from a quarry that is distributed."""

    tile: Annotated[tokens.Tile, lying_in("/quarries/{builder}")]
    """A tile from the quarry of the master builder."""


class PlaceOnTop(SeatMove, frozen=True):
    """Places a tile on top of one of the player's palaces."""

    tile: Annotated[tokens.Tile, lying_in("/stage/tiles")]
    """One of the tiles to place."""
    palace: Annotated[tokens.PalaceIndex, place_at("/seats/{seat}/palaces/{palace}")]
    """The palace, whose highest floor is below the tile's."""


class BeginPalace(SeatMove, frozen=True):
    """Begins a palace with a tile."""

    tile: Annotated[tokens.Tile, lying_in("/stage/tiles")]
    """One of the tiles to place."""


class ThrowAway(SeatMove, frozen=True):
    """Removes a tile from the game instead of building it."""

    tile: Annotated[tokens.Tile, lying_in("/stage/tiles")]
    """One of the tiles to place."""
