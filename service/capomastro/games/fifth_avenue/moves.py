"""The moves of Fifth Avenue. Districts, lots and commissioners are named by their tokens."""

from typing import Annotated

from msgspec import Meta

from capomastro.engine import auctions, cards
from capomastro.engine.moves import ChanceMove, SeatMove
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.engine.parameters import lying_in, place_at
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import tokens
from capomastro.games.fifth_avenue.bids import MAXIMUM_BUILT


class DrawBusiness(ChanceMove, frozen=True):
    """Chance: a business tile is drawn, in the set-up or at the end from under Central Park."""

    business: tokens.Business
    """The tile."""


class DrawLot(ChanceMove, frozen=True):
    """Chance: draws the lot of a starting business."""

    lot: tokens.Colour
    """The lot."""


class DealCard(cards.DealCard, frozen=True):
    """Chance: a card goes into a hand, hidden from the others."""

    card: tokens.Card | None


class RevealCard(cards.RevealCard, frozen=True):
    """Chance: the next card of a coloured pile becomes visible."""

    card: tokens.ColouredCard


class TurnCard(ChanceMove, frozen=True):
    """Chance: a black card is turned up for the dummy."""

    card: tokens.BlackCard
    """The card."""


class PlaceFirstBuilding(SeatMove, frozen=True):
    """Set-up: places a building on an empty lot; the second one goes in another district."""

    district: Annotated[tokens.District, place_at("/districts/{district}")]
    """The district."""
    lot: Annotated[tokens.Lot, place_at("/districts/{district}/{lot}")]
    """The lot."""


class TakeBuildings(SeatMove, frozen=True):
    """Option A: takes three buildings, or as many as are left, from the common supply into the reserve."""


class PlaceBusiness(SeatMove, frozen=True):
    """Option B: places a business from the active group on a lot that is empty or has one business."""

    business: Annotated[tokens.Business, lying_in("/row")]
    """The tile, from the leftmost group that is not empty."""
    district: Annotated[tokens.District, place_at("/districts/{district}")]
    """The district."""
    lot: Annotated[tokens.Lot, place_at("/districts/{district}/{lot}")]
    """The lot."""


class TakeBlackCard(SeatMove, frozen=True):
    """Option C: takes a black card, then moves a commissioner."""


class ScoreDistrict(SeatMove, frozen=True):
    """Option D: scores a district in which a commissioner stands."""

    district: Annotated[tokens.District, place_at("/districts/{district}")]
    """The district."""


class TakeCards(SeatMove, frozen=True):
    """Phase 2: takes the visible cards of two coloured piles, or of one if only one has a card."""

    colours: Annotated[
        tuple[tokens.Colour, ...],
        IN_ANY_ORDER,
        Meta(min_length=1, max_length=box.CARDS_TAKEN),
        place_at("/piles/{colours}"),
    ]
    """The piles, in any order; sorted in answers."""


class MoveCommissioner(SeatMove, frozen=True):
    """Moves a commissioner forward by one space, skipping closed districts; from Central Park to City Hall, which
    starts auctions."""

    commissioner: Annotated[tokens.Commissioner, place_at("/commissioners/{commissioner}")]
    """The commissioner."""
    to: Annotated[tokens.Space, place_at("/districts/{to}", "/places/{to}")]
    """The space to move to."""


class Bid(SeatMove, frozen=True):
    """Adds cards to the player's bid in this auction."""

    cards: Annotated[
        tuple[tokens.Card, ...],
        IN_ANY_ORDER,
        Meta(min_length=1, max_length=box.CARD_COUNT),
        lying_in("/seats/{seat}/hand"),
    ]
    """The cards added, in any order; sorted in answers."""


Pass = auctions.Pass


class Build(SeatMove, frozen=True):
    """The winner of an auction builds buildings, or none."""

    buildings: Annotated[int, Meta(ge=0, le=MAXIMUM_BUILT)]
    """The number of buildings, as far as the player's highest card and reserve allow."""


class OrderStop(SeatMove, frozen=True):
    """The winner of an auction orders a building stop in the district."""
