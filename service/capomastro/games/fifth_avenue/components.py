"""The components in the box, and the board."""

from typing import Annotated, Final

PLAYERS = range(2, 5)

COLOURS = ("orange", "green", "purple", "grey", "brown")
"""The colours of lots and cards, in the order in which cards are dealt and new pile tops revealed."""
BLACK = "black"
PILES = (*COLOURS, BLACK)
VALUES = (4, 5, 6)

COLOURED_COPIES = {4: 5, 5: 4, 6: 3}
BLACK_COPIES = {4: 20, 5: 16, 6: 14}
PILE_CARDS = {
    pile: {f"{pile}-{value}": copies for value, copies in (BLACK_COPIES if pile == BLACK else COLOURED_COPIES).items()}
    for pile in PILES
}
"""The cards by pile, "grey-5" = colour and value, each with its number."""
pile_of = {card: pile for pile, cards in PILE_CARDS.items() for card in cards}.__getitem__
"""The pile that a card comes from, as its back shows."""
CARDS: Annotated[dict[str, int], "fifth-avenue.components.cards"] = dict(
    sorted((card, copies) for cards in PILE_CARDS.values() for card, copies in cards.items())
)
"""60 coloured cards and 50 black ones."""
CARD_COUNT = sum(CARDS.values())
value_of = {card: int(card[-1]) for card in CARDS}.__getitem__
PILE_COUNT = {pile: sum(cards.values()) for pile, cards in PILE_CARDS.items()}

BUSINESSES = ("boutique", "gallery", "jeweller", "perfumery")
BUSINESS_COPIES = 9
BUSINESS_TILES = dict.fromkeys(BUSINESSES, BUSINESS_COPIES)
BUSINESS_COUNT = sum(BUSINESS_TILES.values())

COLUMN: Annotated[dict[str, int], "fifth-avenue.map.districts"] = {
    "34th-street-west": 1,
    "34th-street-east": 1,
    "42nd-street-west": 2,
    "times-square": 2,
    "42nd-street-east": 2,
    "52nd-street-west": 3,
    "52nd-street-east": 3,
}
"""The column of each district, counted from City Hall."""
DISTRICTS = tuple(COLUMN)
"""The districts column by column, in the order in which the starting businesses are laid."""
CITY_HALL = "city-hall"
CENTRAL_PARK = "central-park"
ROUTES: Annotated[dict[str, tuple[str, ...]], "fifth-avenue.map.exits"] = {
    CITY_HALL: ("34th-street-west", "34th-street-east"),
    "34th-street-west": ("42nd-street-west", "times-square"),
    "34th-street-east": ("times-square", "42nd-street-east"),
    "42nd-street-west": ("52nd-street-west",),
    "times-square": ("52nd-street-west", "52nd-street-east"),
    "42nd-street-east": ("52nd-street-east",),
    "52nd-street-west": (CENTRAL_PARK,),
    "52nd-street-east": (CENTRAL_PARK,),
    CENTRAL_PARK: (CITY_HALL,),
}
"""The exits of each space for a commissioner while no district is closed."""

COLOURLESS = "colourless"
"""The sixth lot of each district on the other side of the board."""
LOTS = (*COLOURS, COLOURLESS)
LOTS_OF_BOARD: Annotated[dict[bool, tuple[str, ...]], "fifth-avenue.map.six-lots"] = {
    False: COLOURS,
    True: LOTS,
}
"""The lots of a district, by whether there are six; also the default ring."""

COMMISSIONERS = ("white", "beige")

BUILDINGS = 18
"""Buildings per colour; one of a player's is the score marker, the dummy needs none."""
PLAYER_BUILDINGS = BUILDINGS - 1
FIRST_BUILDINGS = 2
FIRST_RESERVE = 3
COMMON_SUPPLY = PLAYER_BUILDINGS - FIRST_BUILDINGS - FIRST_RESERVE
"""The buildings in the common supply of every player at the start."""
BUILDINGS_TAKEN = 3
CARDS_TAKEN = 2
"""The visible cards that a player takes at once."""
BLACK_CARDS_TAKEN = 2
"""The black cards of a scorer in option D; then everybody without a building in the district draws one."""
DUMMY: Final = "dummy"
"""The dummy (the automatic third player in the game for two) as an owner of buildings."""

GROUPS = 8
ROW_TILES = 20
NEVER_DRAWN = BUSINESS_COUNT - len(DISTRICTS) - ROW_TILES
"""The business tiles that stay face down."""
PLACED_AT_END = ROW_TILES - GROUPS
"""One tile of each group goes under Central Park."""
MAXIMUM_BUSINESSES = 2
"""Maximum number of businesses on one lot."""
MAXIMUM_PER_COLOUR = 2
"""Maximum number of starting businesses on lots of one colour."""
DEALT_PILES = (*COLOURS, *(BLACK,) * 4)
"""The piles of the cards that a seat is dealt, in their order."""
HAND_SIZE = len(DEALT_PILES)
STOPS = 2
"""Building stops in the box; the second ends the game."""
POINTS_BY_KINDS = (1, 2, 3, 5, 8)
"""Points of a building, by the number of different businesses on the two neighbouring lots."""
PARK_TILES = 3
"""Number of tiles drawn for Central Park at the end."""
