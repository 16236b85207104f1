"""The events of Fifth Avenue. Groups of the row are numbered from 0."""

from typing import Annotated, Literal

from msgspec import Meta

from capomastro.engine import auctions, cards, results
from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.members import RuleId
from capomastro.engine.piles import Shuffled
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import tokens

# --- set-up and drawing ----------------------------------------------------------------------------------------------


class BusinessDrawn(Event, frozen=True):
    """A business was drawn in the set-up."""

    business: tokens.Business
    """The tile."""
    district: tokens.District | None = None
    """The district it is for, if it is a starting business."""
    group: tokens.Number | None = None
    """The group of the row it was laid in, from 0."""


class StartingBusinessLaid(Event, frozen=True):
    """A starting business was laid on its lot."""

    business: tokens.Business
    """The tile."""
    district: tokens.District
    """The district."""
    lot: tokens.Lot
    """The lot."""


class CardDealt(cards.CardDealt, frozen=True):
    """A card went into the hand of a player, hidden from the others."""

    pile: tokens.Pile
    """The pile it came from."""


class CardRevealed(cards.CardRevealed, frozen=True):
    """A coloured pile has a new visible card."""

    card: tokens.ColouredCard


class Built(SeatEvent, frozen=True):
    """A player built on a lot."""

    district: tokens.District
    """The district."""
    lot: tokens.Lot
    """The lot."""
    buildings: tokens.Number
    """The number of buildings."""


class DummyBuilt(Event, frozen=True):
    """The dummy built on the most valuable empty lot."""

    district: tokens.District
    """The district."""
    lot: tokens.Lot
    """The lot."""
    each: tokens.Number
    """What a building there would score."""
    buildings: tokens.Number
    """The number of buildings, which is one."""
    rule: RuleId
    """The rule that caused it."""


# --- the options -----------------------------------------------------------------------------------------------------


class OptionChosen(SeatEvent, frozen=True):
    """A player chose what to do in this turn."""

    option: Literal["A", "B", "C", "D"]
    """The option."""


class BuildingsTaken(SeatEvent, frozen=True):
    """A player took buildings into their reserve."""

    buildings: tokens.Number
    """The number."""


class BusinessPlaced(SeatEvent, frozen=True):
    """A player placed a business."""

    business: tokens.Business
    """The tile."""
    district: tokens.District
    """The district."""
    lot: tokens.Lot
    """The lot."""


class BusinessUnderCentralPark(Event, frozen=True):
    """The last tile of a group went under Central Park."""

    business: tokens.Business
    """The tile."""
    rule: RuleId
    """The rule that caused it."""


class BonusScored(SeatEvent, frozen=True):
    """After the third, sixth or ninth placed business: a player with buildings in enough districts scored."""

    points: tokens.Number
    """The points."""
    rule: RuleId
    """The rule that caused it."""
    placed: tokens.Number
    """The number of businesses placed."""
    districts: tokens.Number
    """The number of districts in which they have buildings."""


class DistrictScored(SeatEvent, frozen=True):
    """Option D: the buildings of a lot scored for their owner."""

    rule: RuleId
    """The rule that caused it."""
    points: tokens.Number
    """The points."""
    district: tokens.District
    """The district."""
    lot: tokens.Lot
    """The lot."""
    buildings: tokens.Number
    """The number of buildings."""
    each: tokens.Number
    """The points per building."""


# --- cards and commissioners -----------------------------------------------------------------------------------------


class CardsTaken(cards.CardsTaken, frozen=True):
    """A player took coloured cards."""

    cards: tokens.Cards


class BlackPileShuffled(Shuffled, frozen=True):
    """The black discards became the new black pile."""

    rule: RuleId
    """The rule that caused it."""
    cards: tokens.BlackCards
    """The cards shuffled."""


class CommissionerMoved(SeatEvent, frozen=True):
    """A commissioner was moved."""

    commissioner: tokens.Commissioner
    """The commissioner."""
    space: tokens.Space
    """Its old space."""
    to: tokens.Space
    """Its new space."""


class MarkerPlaced(Event, frozen=True):
    """A marker was placed where a commissioner had stood."""

    commissioner: tokens.Commissioner
    """Its colour."""
    district: tokens.District
    """The district."""


# --- auctions --------------------------------------------------------------------------------------------------------


class AuctionOpened(SeatEvent, frozen=True):
    """An auction began."""

    place: tokens.Place
    """The place auctioned."""


class Bid(SeatEvent, frozen=True):
    """A player bid."""

    cards: tokens.Cards
    """The cards added."""
    bid: tokens.Number
    """Their total bid now."""


Passed = auctions.Passed


class NothingSold(Event, frozen=True):
    """Nobody bid."""

    place: tokens.Place
    """The place auctioned."""
    rule: RuleId
    """The rule that caused it."""


class AuctionWon(SeatEvent, frozen=True):
    """A player won the auction and discarded their cards."""

    place: tokens.Place
    """The place auctioned."""
    bid: tokens.Number
    """The winning bid."""
    cards: Annotated[tuple[tokens.Card, ...], Meta(max_length=box.CARD_COUNT)]
    """Their cards, in the order in which they were discarded."""


class DummyCardTurned(Event, frozen=True):
    """A black card was turned up for the dummy."""

    card: tokens.BlackCard
    """The card."""


class DummyBid(Event, frozen=True):
    """The dummy turned its last card and has bid."""

    cards: tokens.BlackCards
    """The cards it turned."""
    bid: tokens.Number
    """The total value of these cards."""
    rule: RuleId
    """The rule that caused it."""


class DummyWon(Event, frozen=True):
    """The dummy won the auction."""

    place: tokens.Place
    """The place auctioned."""
    bid: tokens.Number
    """The winning bid."""


class DummyBuildsNothing(Event, frozen=True):
    """The dummy won Central Park, where it builds nothing."""

    place: tokens.Place
    """The place auctioned."""
    rule: RuleId
    """The rule that caused it."""


class NothingBuilt(SeatEvent, frozen=True):
    """The winner of an auction built nothing."""

    place: tokens.Place
    """The place auctioned."""


class BuiltInCentralPark(SeatEvent, frozen=True):
    """A player built in Central Park."""

    buildings: tokens.Number
    """The number of buildings."""


class BuildingStop(Event, frozen=True):
    """A district was closed; everything in it left the game."""

    district: tokens.District
    """The district."""
    rule: RuleId
    """The rule that caused it."""
    seat: tokens.SeatIndex | None = None
    """The player who ordered it; absent if it was the dummy."""
    dummy: bool = False
    """True if the dummy ordered it."""


class StopScored(SeatEvent, frozen=True):
    """A player scored in a building stop."""

    points: tokens.Number
    """The points."""
    rule: RuleId
    """The rule that caused it."""
    district: tokens.District
    """The district."""
    buildings: tokens.Number | None = None
    """For the player who ordered it: the buildings there."""
    total: tokens.Number | None = None
    """For other players: the points of a normal scoring; they get half."""


# --- the end ---------------------------------------------------------------------------------------------------------


class GameEnded(Event, frozen=True):
    """The game ended at once; the final scoring follows."""

    rule: RuleId
    """The rule that caused it."""


class ParkTileDrawn(Event, frozen=True):
    """A tile was drawn from under Central Park for the final scoring."""

    business: tokens.Business
    """The tile."""


class FinalScored(SeatEvent, frozen=True, kw_only=True):
    """Final scoring: a player scored buildings in a district or in Central Park."""

    rule: RuleId
    """The rule that gives the points."""
    points: results.Points
    """The points; negative if they are lost."""
    district: tokens.District | None = None
    """The district, in a line of the final scoring of districts."""
    lot: tokens.Lot | None = None
    """The lot of the buildings."""
    buildings: tokens.ScoredBuildings
    each: tokens.PointsOfEach
    tiles: tokens.ParkTiles | None = None
    """The tiles by which Central Park is scored."""
