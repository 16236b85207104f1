"""The events of Fifth Avenue. Groups of the row are numbered from 0."""

from typing import Literal

from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.multisets import Multiset

# --- set-up and drawing ----------------------------------------------------------------------------------------------


class BusinessDrawn(Event, frozen=True):
    """A business was drawn in the set-up, for a district or for a group of the row."""

    business: str
    district: str | None = None
    group: int | None = None


class StartingBusinessLaid(Event, frozen=True):
    """A starting business was laid on its lot."""

    business: str
    district: str
    lot: str


class CardDealt(SeatEvent, frozen=True):
    """A card went into a hand, hidden from the others."""

    pile: str


class CardRevealed(Event, frozen=True):
    """A coloured pile has a new visible card."""

    card: str


class Built(SeatEvent, frozen=True):
    """A player built on a lot."""

    district: str
    lot: str
    buildings: int


class DummyBuilt(Event, frozen=True):
    """The dummy built on one of the most valuable empty lots; `worth`: the points of a building there."""

    district: str
    lot: str
    each: int
    buildings: int
    rule: str


# --- the options -----------------------------------------------------------------------------------------------------


class OptionChosen(SeatEvent, frozen=True):
    """A player chose what to do in this turn."""

    option: Literal["A", "B", "C", "D"]


class BuildingsTaken(SeatEvent, frozen=True):
    """A player took buildings from the common supply to the reserve."""

    buildings: int


class BusinessPlaced(SeatEvent, frozen=True):
    """A player placed a business."""

    business: str
    district: str
    lot: str


class BusinessUnderCentralPark(Event, frozen=True):
    """The last tile of a group went under Central Park."""

    business: str
    rule: str


class BonusScored(SeatEvent, frozen=True):
    """After the third, sixth or ninth placed business, a player with buildings in enough districts scored."""

    points: int
    rule: str
    placed: int
    districts: int


class DistrictScored(SeatEvent, frozen=True):
    """Option D: the buildings of a lot scored for their owner."""

    rule: str
    points: int
    district: str
    lot: str
    buildings: int
    each: int


# --- cards and commissioners -----------------------------------------------------------------------------------------


class CardsTaken(SeatEvent, frozen=True):
    """A player took coloured cards."""

    cards: tuple[str, ...]


class BlackPileShuffled(Event, frozen=True):
    """The black discards (`cards`) were shuffled into a new black pile."""

    rule: str
    cards: Multiset


class CommissionerMoved(SeatEvent, frozen=True):
    """A commissioner was moved."""

    commissioner: str
    space: str
    to: str


class MarkerPlaced(Event, frozen=True):
    """A marker was placed where a commissioner had stood."""

    commissioner: str
    district: str


# --- auctions --------------------------------------------------------------------------------------------------------


class AuctionOpened(SeatEvent, frozen=True):
    """An auction began."""

    place: str


class Bid(SeatEvent, frozen=True):
    """A player added cards to their bid, which is now `bid`."""

    cards: Multiset
    bid: int


class Passed(SeatEvent, frozen=True):
    """A player left the auction and took back all cards laid in it."""


class NothingSold(Event, frozen=True):
    """Nobody bid."""

    place: str
    rule: str


class AuctionWon(SeatEvent, frozen=True):
    """A player won the auction and discarded the cards of the bid."""

    place: str
    bid: int
    cards: tuple[str, ...]


class DummyCardTurned(Event, frozen=True):
    """A black card was turned up for the dummy."""

    card: str


class DummyBid(Event, frozen=True):
    """The dummy has turned its last card and has bid."""

    cards: Multiset
    bid: int
    rule: str


class DummyWon(Event, frozen=True):
    """The dummy won the auction."""

    place: str
    bid: int


class DummyBuildsNothing(Event, frozen=True):
    """The dummy won Central Park, where it builds nothing."""

    place: str
    rule: str


class NothingBuilt(SeatEvent, frozen=True):
    """The winner of an auction built nothing."""

    place: str


class BuiltInCentralPark(SeatEvent, frozen=True):
    """A player built in Central Park."""

    buildings: int


class BuildingStop(Event, frozen=True):
    """A player or the dummy closed a district; everything in it left the game."""

    district: str
    rule: str
    seat: int | None = None
    dummy: bool = False


class StopScored(SeatEvent, frozen=True):
    """A player scored in a building stop.

    `buildings`: all in the district, for the player who ordered it. `total`: of a normal scoring, for the others.
    """

    points: int
    rule: str
    district: str
    buildings: int | None = None
    total: int | None = None


# --- the end ---------------------------------------------------------------------------------------------------------


class GameEnded(Event, frozen=True):
    """The game ended at once; the final scoring follows."""

    rule: str


class ParkTileDrawn(Event, frozen=True):
    """A tile was drawn from under Central Park for the final scoring."""

    business: str


class FinalScored(SeatEvent, frozen=True, kw_only=True):
    """Final scoring: a player scored buildings in a district, or in Central Park by these tiles."""

    rule: str
    points: int
    district: str | None = None
    lot: str | None = None
    buildings: int
    each: int
    tiles: Multiset | None = None
