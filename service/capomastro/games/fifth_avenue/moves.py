"""The moves of Fifth Avenue. Districts, lots and commissioners are named by their tokens."""

from capomastro.engine.decisions import ChanceMove, SeatMove
from capomastro.engine.multisets import Multiset


class DrawBusiness(ChanceMove, frozen=True):
    """A business tile: for a district, for the row, or at the end from under Central Park."""

    business: str


class DrawLot(ChanceMove, frozen=True):
    """The lot on which a starting business is laid."""

    lot: str


class DealCard(ChanceMove, frozen=True):
    """A card that goes into a hand, hidden from the others; null if the writer of the record did not see it."""

    card: str | None


class RevealCard(ChanceMove, frozen=True):
    """The new visible card of a coloured pile."""

    card: str


class TurnCard(ChanceMove, frozen=True):
    """A black card turned up for the dummy."""

    card: str


class PlaceFirstBuilding(SeatMove, frozen=True):
    """Set-up: places one building on an empty lot."""

    district: str
    lot: str


class TakeBuildings(SeatMove, frozen=True):
    """Option A: takes three buildings from the common supply into the reserve."""


class PlaceBusiness(SeatMove, frozen=True):
    """Option B: places a business from the active group on a lot."""

    business: str
    district: str
    lot: str


class TakeBlackCard(SeatMove, frozen=True):
    """Option C: takes a black card, then moves a commissioner."""


class ScoreDistrict(SeatMove, frozen=True):
    """Option D: scores a district with a commissioner."""

    district: str


class TakeCards(SeatMove, frozen=True):
    """Phase 2 of A, B, C: takes the visible cards of these piles, two different ones if possible."""

    colours: Multiset


class MoveCommissioner(SeatMove, frozen=True):
    """Moves a commissioner forward to the space `to`."""

    commissioner: str
    to: str


class Bid(SeatMove, frozen=True):
    """Adds cards to the player's bid in this auction."""

    cards: Multiset


class Pass(SeatMove, frozen=True):
    """Leaves the auction and takes back all cards laid."""


class Build(SeatMove, frozen=True):
    """The winner of an auction builds this many buildings from the reserve, or none."""

    buildings: int


class OrderStop(SeatMove, frozen=True):
    """The winner of an auction orders a building stop in the district."""
