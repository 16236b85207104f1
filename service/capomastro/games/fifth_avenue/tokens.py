"""The tokens of Fifth Avenue, and the places on its board."""

from typing import Annotated, TypeVar

from msgspec import Meta

from capomastro.engine.members import Keys, one_of, up_to
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.games.fifth_avenue import components as box

Card = Annotated[str, one_of(box.CARDS, "Building card", "grey-5", "black-4")]
"""A building card: colour and value. Of each colour five 4, four 5, three 6; of black twenty 4, sixteen 5, fourteen
6."""

ColouredCard = Annotated[
    str, one_of([card for card in box.CARDS if card not in box.PILE_CARDS[box.BLACK]], "Coloured card", "grey-5")
]
"""A building card of one of the five colours."""

BlackCard = Annotated[str, one_of(box.PILE_CARDS[box.BLACK], "Black card", "black-4")]
"""A black building card, which can be added to cards of any colour."""

Cards = Annotated[tuple[Card, ...], IN_ANY_ORDER, up_to(box.CARD_COUNT, "Building cards", "black-4", "grey-5")]
"""Any building cards, in any order; sorted in answers."""

BlackCards = Annotated[
    tuple[BlackCard, ...], IN_ANY_ORDER, up_to(box.PILE_COUNT[box.BLACK], "Black cards", "black-4", "black-6")
]
"""Any black cards, in any order; sorted in answers."""

Colour = Annotated[str, one_of(box.COLOURS, "Colour", "grey")]
"""The colour of a lot and of its cards."""

Pile = Annotated[str, one_of(box.PILES, "Pile", "grey", "black")]
"""A pile of cards, as the back of a card shows it."""

Lot = Annotated[str, one_of(box.LOTS_OF_BOARD[True], "Lot", "grey")]
"""A lot of a district by its colour; the colourless one is only on the board with six lots."""

Business = Annotated[str, one_of(box.BUSINESSES, "Business", "jeweller")]
"""A business tile; there are nine of each kind."""

Businesses = Annotated[
    tuple[Business, ...], IN_ANY_ORDER, up_to(box.BUSINESS_COUNT, "Businesses", "gallery", "jeweller")
]
"""Any business tiles, in any order; sorted in answers."""

District = Annotated[str, one_of(box.DISTRICTS, "District", "times-square")]
"""One of the seven districts."""

Space = Annotated[str, one_of(box.ROUTES, "Space", "city-hall", "times-square")]
"""Where a commissioner can stand: City Hall, a district or Central Park."""

Place = Annotated[
    str, one_of([*box.DISTRICTS, box.CENTRAL_PARK], "Place of an auction", "times-square", "central-park")
]
"""A place that is auctioned: a district or Central Park."""

Commissioner = Annotated[str, one_of(box.COMMISSIONERS, "Commissioner", "white")]
"""A commissioner, and its markers, by colour."""

SeatIndex = Annotated[int, Meta(ge=0, le=box.PLAYERS[-1] - 1, title="Seat of Fifth Avenue", examples=[0, 2])]
"""A seat at the table: 0 is the first player, then clockwise."""

Ring = Annotated[
    tuple[Lot, ...],
    Meta(
        min_length=len(box.LOTS_OF_BOARD[False]),
        max_length=len(box.LOTS_OF_BOARD[True]),
        title="Ring",
        examples=[["orange", "green", "purple", "grey", "brown"]],
    ),
]
"""The lots of a district in the order in which they adjoin; the last adjoins the first."""

Rings = Annotated[
    dict[District, Ring],
    Keys(box.DISTRICTS, required=False, sentence="The ring of {}."),
    Meta(title="Rings", examples=[{"times-square": ["orange", "purple", "green", "grey", "brown"]}]),
]
"""The rings by district. Omitted ones have the default: orange, green, purple, grey, brown, and the colourless lot
last. That order is an assumption: no source gives it."""

Item = TypeVar("Item")
BySeat = Annotated[tuple[Item, ...], Meta(min_length=box.PLAYERS[0], max_length=box.PLAYERS[-1])]
"""Something of every player."""

BuildingCount = Annotated[int, Meta(ge=0, le=box.PLAYER_BUILDINGS)]
Number = Annotated[int, Meta(ge=0)]
"""Of an event; no upper bound of its own."""
ParkTiles = Annotated[tuple[Business, ...], IN_ANY_ORDER, Meta(max_length=box.PARK_TILES)]
ScoredBuildings = Annotated[int, Meta(ge=1, le=box.PLAYER_BUILDINGS, description="The number of buildings that score.")]
PointsOfEach = Annotated[
    int, Meta(ge=min(box.POINTS_BY_KINDS), le=max(box.POINTS_BY_KINDS), description="The points of each building.")
]

Token = Card | Business | Space | Lot | Commissioner
"""A token: the name of a kind of component in the box or of a place on the board; and the indices of seats."""
