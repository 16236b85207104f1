"""Reference data: cards, businesses, the map with its exits and rings, and the points of buildings."""

from capomastro.engine.reference import Component, Part, Reference
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue.bids import LIMITS
from capomastro.games.fifth_avenue.scoring import BONUS
from capomastro.games.fifth_avenue.state import DEFAULT_GROUPS, DEFAULT_RINGS


class CardEntry(Component, frozen=True):
    """A card."""

    colour: str
    """Its colour, which is the name of its pile."""
    value: int
    """Its value in an auction."""
    buildings: int
    """The most buildings of a winner whose highest card has this value."""


class SpaceEntry(Part, frozen=True):
    """A space of the map."""

    token: str
    """Its token."""
    column: int | None
    """The column of a district, counted from City Hall; null elsewhere."""
    exits: tuple[str, ...]
    """Where a commissioner can go from here while no district is closed."""


class BoardRings(Part, frozen=True):
    """The default rings of a side of the board."""

    six_lots: bool
    """Whether this is the side with six lots."""
    rings: dict[str, tuple[str, ...]]
    """By district, its lots by colour in the order in which they adjoin, in a ring."""


class KindPoints(Part, frozen=True):
    """The points of a building."""

    kinds: int
    """The number of different businesses on the two neighbouring lots."""
    points: int
    """The points of each building."""


class Bonus(Part, frozen=True):
    """Points for buildings in many districts, during the game."""

    businesses: int
    """Scored after players have placed this many businesses."""
    districts: int
    """The number of districts with buildings of one's own that it needs."""
    points: int
    """The points."""


class FifthAvenueReference(Reference, frozen=True):
    """The reference data of Fifth Avenue."""

    cards: tuple[CardEntry, ...]
    """The cards."""
    businesses: tuple[Component, ...]
    """The businesses."""
    commissioners: tuple[str, ...]
    """The commissioners."""
    piles: tuple[str, ...]
    """The piles of cards."""
    spaces: tuple[SpaceEntry, ...]
    """The map."""
    boards: tuple[BoardRings, ...]
    """The rings of both sides of the board; assumed."""
    row_groups: tuple[int, ...]
    """The default number of tiles in each group of the row."""
    points: tuple[KindPoints, ...]
    """The points of a building."""
    bonuses: tuple[Bonus, ...]
    """The points for buildings in many districts."""
    buildings_of_a_colour: int
    """Buildings of each colour; one of a player's is a marker."""
    starting_reserve: int
    """The buildings in every player's reserve at the start."""
    hand_size: int
    """The cards that every player is dealt."""


def reference() -> FifthAvenueReference:
    """Everything from the tables of components, bids and scoring."""
    return FifthAvenueReference(
        cards=tuple(
            CardEntry(card, count, box.pile_of(card), box.value_of(card), LIMITS[box.value_of(card)])
            for card, count in box.CARDS.items()
        ),
        businesses=tuple(Component(business, count) for business, count in box.BUSINESS_TILES.items()),
        commissioners=box.COMMISSIONERS,
        piles=box.PILES,
        spaces=tuple(SpaceEntry(space, box.COLUMN.get(space), exits) for space, exits in box.ROUTES.items()),
        boards=tuple(BoardRings(six_lots, rings) for six_lots, rings in DEFAULT_RINGS.items()),
        row_groups=DEFAULT_GROUPS,
        points=tuple(KindPoints(kinds, points) for kinds, points in enumerate(box.POINTS_BY_KINDS)),
        bonuses=tuple(Bonus(businesses, *bonus) for businesses, bonus in BONUS.items()),
        buildings_of_a_colour=box.BUILDINGS,
        starting_reserve=box.FIRST_RESERVE,
        hand_size=box.HAND_SIZE,
    )
