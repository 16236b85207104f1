"""Every bound and every list of tokens in the schemas of Palazzo, and what it follows from."""

from capomastro.engine.hands import DECK
from capomastro.games.palazzo.components import (
    FLOORS,
    MATERIALS,
    MONEY,
    MONEY_COUNT,
    QUARRIES,
    RIDER,
    RIDERS,
    TILE_COUNT,
    TILES,
    WINDOWS,
)
from capomastro.games.palazzo.derived import derived
from capomastro.games.palazzo.game import GAME
from capomastro.games.palazzo.scoring import HEIGHT_BONUS, MATERIAL_BONUS, SINGLE_FLOOR
from capomastro.games.palazzo.state import Options
from tests.support.facts import Facts, items, number
from tests.support.playouts import start

FEWEST, MOST = GAME.players[0], GAME.players[-1]
STACKS = len(Options().stack_sizes)
FIRST_PRICE = derived(start(GAME, FEWEST)).price_of_one
TWO = 2
"""The most that one action takes or buys: cards of the row, tiles of the supply."""

MAXIMUM_WINDOWS = len(FLOORS) * max(WINDOWS)
WHOLE_PALACES = len(MATERIALS) * len(WINDOWS)
"""The most palaces of five floors in one material: they use all tiles but one floor 3 of each material."""
BEST_PALACES = len(MATERIALS) * len(FLOORS) * sum(WINDOWS) + WHOLE_PALACES * (HEIGHT_BONUS[5] + MATERIAL_BONUS[5])

FACTS = Facts(
    bounds={
        "derived.json#/properties/deck": number(0, MONEY_COUNT),
        "derived.json#/properties/palace_points": items(FEWEST, MOST),
        "derived.json#/properties/palace_points/items": number(TILE_COUNT * SINGLE_FLOOR, BEST_PALACES),
        "derived.json#/properties/price_of_one": number(0, FIRST_PRICE),
        "derived.json#/properties/stacks": items(STACKS, STACKS),
        "derived.json#/properties/stacks/items": number(0, TILE_COUNT),
        # events have no upper bounds of their own: they follow from those of states and moves
        "event.json#/$defs/auction-won/properties/bid": number(0),
        "event.json#/$defs/bid-raised/properties/bid": number(0),
        "event.json#/$defs/rider-drawn/properties/riders": number(0),
        "event.json#/$defs/tiles-bought/properties/price": number(0),
        "move.json#/$defs/buy/properties/tiles": items(1, TWO),
        "move.json#/$defs/take-two-cards/properties/cards": items(TWO, TWO),
        "options.json#/properties/stack_sizes": items(STACKS, STACKS),
        "options.json#/properties/stack_sizes/items": number(0, TILE_COUNT),
        "record.json#/properties/moves": items(None, 100_000),  # more than any setting of the service accepts
        "record.json#/properties/names": items(None, MOST),
        "record.json#/properties/players": number(None, MOST),
        "result.json#/$defs/line/properties/floors": number(1, len(FLOORS)),
        "result.json#/$defs/line/properties/windows": number(1, MAXIMUM_WINDOWS),
        "scoresheet.json#/$defs/outline/properties/floors": number(1, len(FLOORS)),
        "scoresheet.json#/$defs/outline/properties/windows": number(1, MAXIMUM_WINDOWS),
        "scoresheet.json#/$defs/seat/properties/palaces": items(None, TILE_COUNT),
        "scoresheet.json#/properties/seats": items(FEWEST, MOST),
        "stage.json#/$defs/bid/properties/plays": items(None, MONEY_COUNT),
        "stage.json#/$defs/place-tile/properties/tiles": items(1, TILE_COUNT),
        "stage.json#/$defs/raise-or-pass/properties/bids": items(FEWEST, MOST),
        "stage.json#/$defs/row": items(None, MOST + 1),  # a card for every player, and one more
        "state.json#/$defs/seat/properties/palaces": items(None, TILE_COUNT),
        "state.json#/properties/names": items(None, MOST),
        "state.json#/properties/quarries": items(QUARRIES, QUARRIES),
        "state.json#/properties/riders": number(0, RIDERS),
        "state.json#/properties/seats": items(FEWEST, MOST),
        "tokens.json#/$defs/cards": items(None, MONEY_COUNT),
        "tokens.json#/$defs/palace": items(1, len(FLOORS)),
        "tokens.json#/$defs/palace-index": number(0, TILE_COUNT - 1),
        "tokens.json#/$defs/quarry-index": number(0, QUARRIES - 1),
        "tokens.json#/$defs/seat-index": number(None, MOST - 1),
        "tokens.json#/$defs/tiles": items(None, TILE_COUNT),
    },
    tokens={
        "state.json#/$defs/hand/properties/unknown/propertyNames": [DECK],
        "tokens.json#/$defs/card": [*MONEY],
        "tokens.json#/$defs/rider": [RIDER],
        "tokens.json#/$defs/tile": [*TILES],
    },
    box={"tiles": "tile", "riders": "rider", "money": "card", "opening_bid": None, "board": None},
)
