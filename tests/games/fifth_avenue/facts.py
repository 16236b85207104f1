"""Every bound and every list of tokens in the schemas of Fifth Avenue, and what it follows from."""

from capomastro.games.fifth_avenue.bids import LIMITS
from capomastro.games.fifth_avenue.components import (
    BLACK,
    BUILDINGS,
    BUSINESS_COUNT,
    BUSINESSES,
    CARDS,
    CENTRAL_PARK,
    CITY_HALL,
    COLOURLESS,
    COLOURS,
    COLUMN,
    COMMISSIONERS,
    DISTRICTS,
    DUMMY,
    FIRST_BUILDINGS,
    FIRST_RESERVE,
    GROUPS,
    LOTS_OF_BOARD,
    MAXIMUM_BUSINESSES,
    PARK_TILES,
    PILE_CARDS,
    PILE_COUNT,
    PILES,
    PLACED_AT_END,
    PLAYER_BUILDINGS,
    ROW_TILES,
)
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.scoring import POINTS_BY_KINDS
from capomastro.games.fifth_avenue.state import DEFAULT_GROUPS
from tests.support.facts import Facts, any_of, each_of, items, number

FEWEST, MOST = GAME.players[0], GAME.players[-1]
CARD_COUNT = sum(CARDS.values())
LOTS = LOTS_OF_BOARD[True]
GROUP_SIZES = set(DEFAULT_GROUPS)
BEST = POINTS_BY_KINDS[-1]
"""What one building scores beside all four kinds of businesses."""
TWO = 2
"""The most cards at once: the visible tops that a player takes, and the black ones of option D."""
MAXIMUM_BUILT = max(LIMITS.values())
"""The most buildings after one auction."""

FACTS = Facts(
    bounds={
        "derived.json#/$defs/piles/properties/black": number(0, PILE_COUNT[BLACK]),
        "derived.json#/$defs/piles/properties/brown": number(0, PILE_COUNT["brown"]),
        "derived.json#/$defs/piles/properties/green": number(0, PILE_COUNT["green"]),
        "derived.json#/$defs/piles/properties/grey": number(0, PILE_COUNT["grey"]),
        "derived.json#/$defs/piles/properties/orange": number(0, PILE_COUNT["orange"]),
        "derived.json#/$defs/piles/properties/purple": number(0, PILE_COUNT["purple"]),
        "derived.json#/$defs/totals": items(FEWEST, MOST),
        "derived.json#/$defs/totals/items": number(0, PLAYER_BUILDINGS * BEST),
        "derived.json#/properties/businesses_placed": number(0, PLACED_AT_END),
        "derived.json#/properties/dummy_supply": number(0, BUILDINGS),
        "derived.json#/properties/supplies": items(FEWEST, MOST),
        "derived.json#/properties/supplies/items": number(0, PLAYER_BUILDINGS - FIRST_RESERVE - FIRST_BUILDINGS),
        "derived.json#/properties/unseen_businesses": number(
            BUSINESS_COUNT - len(DISTRICTS) - ROW_TILES, BUSINESS_COUNT
        ),
        # events have no upper bounds of their own: they follow from those of states and moves
        "event.json#/$defs/auction-won/properties/bid": number(0),
        "event.json#/$defs/auction-won/properties/cards": items(None, CARD_COUNT),
        "event.json#/$defs/bid/properties/bid": number(0),
        "event.json#/$defs/bonus-scored/properties/districts": number(0),
        "event.json#/$defs/bonus-scored/properties/placed": number(0),
        "event.json#/$defs/bonus-scored/properties/points": number(0),
        "event.json#/$defs/buildings-taken/properties/buildings": number(0),
        "event.json#/$defs/built-in-central-park/properties/buildings": number(0),
        "event.json#/$defs/built/properties/buildings": number(0),
        "event.json#/$defs/business-drawn/properties/group": number(0),
        "event.json#/$defs/district-scored/properties/buildings": number(0),
        "event.json#/$defs/district-scored/properties/each": number(0),
        "event.json#/$defs/district-scored/properties/points": number(0),
        "event.json#/$defs/dummy-bid/properties/bid": number(0),
        "event.json#/$defs/dummy-built/properties/buildings": number(0),
        "event.json#/$defs/dummy-built/properties/each": number(0),
        "event.json#/$defs/dummy-won/properties/bid": number(0),
        "event.json#/$defs/stop-scored/properties/buildings": number(0),
        "event.json#/$defs/stop-scored/properties/points": number(0),
        "event.json#/$defs/stop-scored/properties/total": number(0),
        "move.json#/$defs/bid/properties/cards": items(1, CARD_COUNT),
        "move.json#/$defs/build/properties/buildings": number(0, MAXIMUM_BUILT),
        "move.json#/$defs/take-cards/properties/colours": items(1, TWO),
        "options.json#/properties/row_groups": items(GROUPS, GROUPS),
        "options.json#/properties/row_groups/items": number(min(GROUP_SIZES), max(GROUP_SIZES)),
        "record.json#/properties/moves": items(None, 100_000),  # more than any setting of the service accepts
        "record.json#/properties/names": items(None, MOST),
        "record.json#/properties/players": number(None, MOST),
        "result.json#/$defs/line/properties/buildings": number(1, PLAYER_BUILDINGS),
        "result.json#/$defs/line/properties/each": number(min(POINTS_BY_KINDS), BEST),
        "result.json#/$defs/line/properties/tiles": items(None, PARK_TILES),
        "result.json#/properties/players": items(None, MOST),
        "scoresheet.json#/$defs/seat/properties/central_park": number(0, PLAYER_BUILDINGS),
        "scoresheet.json#/$defs/seat/properties/hand_size": number(0, CARD_COUNT),
        "scoresheet.json#/$defs/seat/properties/score": number(0, 10_000),  # more points than any game reaches
        "scoresheet.json#/properties/park_tiles": items(None, PARK_TILES),
        "scoresheet.json#/properties/seats": items(FEWEST, MOST),
        "scoresheet.json#/properties/under_central_park": items(None, GROUPS),
        "stage.json#/$defs/bid-or-pass/properties/offers": items(FEWEST, MOST),
        "stage.json#/$defs/build-or-stop/properties/limit": number(1, MAXIMUM_BUILT),
        "stage.json#/$defs/draw-black-card/properties/seats": items(1, TWO + MOST),  # option D: one for every owner too
        "stage.json#/$defs/offer/properties/bids": items(None, CARD_COUNT),
        "stage.json#/$defs/turn-dummy-card/properties/offers": items(FEWEST, MOST),
        "state.json#/$defs/pile/properties/discards": items(None, PILE_COUNT[COLOURS[0]]),
        "state.json#/$defs/seat/properties/central_park": number(0, PLAYER_BUILDINGS),
        "state.json#/$defs/seat/properties/removed": number(0, PLAYER_BUILDINGS),
        "state.json#/$defs/seat/properties/reserve": number(0, PLAYER_BUILDINGS),
        "state.json#/$defs/seat/properties/score": number(0, 1_000_000),  # no limit in the game: see MAXIMUM_POINTS
        "state.json#/properties/dummy_removed": number(0, BUILDINGS),
        "state.json#/properties/markers/properties/beige": items(None, max(COLUMN.values())),
        "state.json#/properties/markers/properties/white": items(None, max(COLUMN.values())),
        "state.json#/properties/names": items(None, MOST),
        "state.json#/properties/row": items(GROUPS, GROUPS),
        "state.json#/properties/row/items": items(None, max(GROUP_SIZES)),
        "state.json#/properties/seats": items(FEWEST, MOST),
        "tokens.json#/$defs/black-cards": items(None, PILE_COUNT[BLACK]),
        "tokens.json#/$defs/businesses": items(None, BUSINESS_COUNT),
        "tokens.json#/$defs/cards": items(None, CARD_COUNT),
        "tokens.json#/$defs/lot-content/properties/buildings": number(0, PLAYER_BUILDINGS),
        "tokens.json#/$defs/lot-content/properties/businesses": items(None, MAXIMUM_BUSINESSES),
        "tokens.json#/$defs/ring": items(len(LOTS_OF_BOARD[False]), len(LOTS)),
        "tokens.json#/$defs/seat-index": number(None, MOST - 1),
    },
    tokens={
        "state.json#/$defs/hand/properties/unknown/propertyNames": [*PILES],
        "tokens.json#/$defs/black-card": [*PILE_CARDS[BLACK]],
        "tokens.json#/$defs/business": [*BUSINESSES],
        "tokens.json#/$defs/card": [*CARDS],
        "tokens.json#/$defs/coloured-card": [card for card in CARDS if card not in PILE_CARDS[BLACK]],
        "tokens.json#/$defs/colour": [*COLOURS],
        "tokens.json#/$defs/commissioner": [*COMMISSIONERS],
        "tokens.json#/$defs/district": [*DISTRICTS],
        "tokens.json#/$defs/lot": [*COLOURS, COLOURLESS],
        "tokens.json#/$defs/lot-content/properties/owner/anyOf/1": [DUMMY],
        "tokens.json#/$defs/pile": [*PILES],
        "tokens.json#/$defs/place": [*DISTRICTS, CENTRAL_PARK],
        "tokens.json#/$defs/space": [CITY_HALL, *DISTRICTS, CENTRAL_PARK],
    },
    names={
        "derived.json#/$defs/piles": each_of(PILES),
        "derived.json#/$defs/district-totals": any_of(DISTRICTS),
        "state.json#/properties/commissioners": each_of(COMMISSIONERS),
        "state.json#/properties/markers": each_of(COMMISSIONERS),
        "state.json#/properties/piles": each_of(COLOURS),
        "tokens.json#/$defs/rings": any_of(DISTRICTS),
        "scoresheet.json#/$defs/districts": any_of(DISTRICTS),
    },
    box={
        "cards": "card",
        "businesses": "business",
        "buildings_of_each_colour": None,
        "commissioners": "commissioner",
        "building_stops": None,
    },
    places=["space", "lot"],
)
