"""Every bound and every list of tokens in the schemas of The Palaces of Carrara, and what it follows from."""

from capomastro.games.carrara.components import (
    BLOCK_COUNT,
    BLOCKS,
    BUILDING_COUNT,
    CITIES,
    COLOURS,
    COST_NEEDED,
    COST_OF,
    COSTS,
    MARKERS,
    OBJECT_OF,
    OBJECTS,
    OBJECTS_NEEDED,
    SCORINGS_NEEDED,
    SECTIONS,
    TYPE_OF,
    TYPES,
)
from capomastro.games.carrara.game import GAME
from tests.support.facts import Bounds, Facts, each_of, items, number

FEWEST, MOST = GAME.players[0], GAME.players[-1]
OBJECT_COUNT = sum(OBJECTS.values())
NEEDED = [SCORINGS_NEEDED, *OBJECTS_NEEDED.values(), *COST_NEEDED.values()]


BEST_SCORINGS = 2 * sum(COST_OF.values()) * max(city.rate for city in CITIES.values())
"""More points than a player can score: every building by its type and by its city, each in the city that pays most."""


def in_supply(kind: str) -> Bounds:
    """The objects of a kind that scorings can give: all but the one for sale."""
    return number(0, OBJECTS[kind] - 1)


FACTS = Facts(
    bounds={
        "derived.json#/$defs/bag/properties/black": number(0, BLOCKS["black"]),
        "derived.json#/$defs/bag/properties/blue": number(0, BLOCKS["blue"]),
        "derived.json#/$defs/bag/properties/green": number(0, BLOCKS["green"]),
        "derived.json#/$defs/bag/properties/red": number(0, BLOCKS["red"]),
        "derived.json#/$defs/bag/properties/white": number(0, BLOCKS["white"]),
        "derived.json#/$defs/bag/properties/yellow": number(0, BLOCKS["yellow"]),
        "derived.json#/$defs/object-supply/properties/book": in_supply("book"),
        "derived.json#/$defs/object-supply/properties/coat-of-arms": in_supply("coat-of-arms"),
        "derived.json#/$defs/object-supply/properties/crown": in_supply("crown"),
        "derived.json#/$defs/object-supply/properties/cup": in_supply("cup"),
        "derived.json#/$defs/object-supply/properties/flag": in_supply("flag"),
        "derived.json#/$defs/object-supply/properties/gate": in_supply("gate"),
        "derived.json#/$defs/objective/properties/needed": number(min(NEEDED), max(NEEDED)),
        "derived.json#/$defs/objective/properties/there": number(0, sum(COST_OF.values())),
        "derived.json#/properties/markers": items(FEWEST, MOST),
        "derived.json#/properties/markers/items": number(0, MARKERS),
        "derived.json#/properties/objectives": items(FEWEST, MOST),
        "derived.json#/properties/pile": number(0, BUILDING_COUNT),
        # events have no upper bounds of their own: they follow from those of states
        "event.json#/$defs/city-scored/properties/points": number(0),
        "event.json#/$defs/end-announced/properties/points": number(0),
        "event.json#/$defs/type-scored/properties/points": number(0),
        "record.json#/properties/moves": items(None, 100_000),  # more than any setting of the service accepts
        "record.json#/properties/names": items(None, MOST),
        "record.json#/properties/players": number(None, MOST),
        "result.json#/$defs/line/properties/number": number(0, OBJECT_COUNT),
        "scoresheet.json#/$defs/seat/properties/blocks": number(0, BLOCK_COUNT),
        "scoresheet.json#/$defs/seat/properties/objects/anyOf/1": number(0, OBJECT_COUNT),
        "scoresheet.json#/properties/seats": items(FEWEST, MOST),
        "state.json#/$defs/seat/properties/scored_cities": items(None, MARKERS),
        "state.json#/$defs/seat/properties/scored_types": items(None, MARKERS),
        "state.json#/properties/names": items(None, MOST),
        "state.json#/properties/seats": items(FEWEST, MOST),
        "tokens.json#/$defs/blocks": items(None, BLOCK_COUNT),
        "tokens.json#/$defs/buildings": items(None, BUILDING_COUNT),
        "tokens.json#/$defs/coins": number(0, 1_000_000),  # no limit in the game: see MAXIMUM_COINS
        "tokens.json#/$defs/costs": items(None, BUILDING_COUNT),
        "tokens.json#/$defs/costs/items": number(min(COSTS), max(COSTS)),
        "tokens.json#/$defs/objects": items(None, OBJECT_COUNT),
        "tokens.json#/$defs/points": number(0, 1_000),  # room for BEST_SCORINGS and the announcement
        "tokens.json#/$defs/seat-index": number(None, MOST - 1),
    },
    tokens={
        "tokens.json#/$defs/block": [*COLOURS],
        "tokens.json#/$defs/building": [*TYPE_OF],
        "tokens.json#/$defs/building-type": [*TYPES],
        "tokens.json#/$defs/city": [*CITIES],
        "tokens.json#/$defs/object": [*OBJECT_OF.values()],
        "tokens.json#/$defs/section": [*SECTIONS],
    },
    names={
        "derived.json#/$defs/bag": each_of(BLOCKS),
        "derived.json#/$defs/object-supply": each_of(OBJECTS),
    },
    box={
        "blocks": "block",
        "buildings": "building",
        "objects": "object",
        "cities": "city",
        "wheel": None,
        "markers": None,
    },
    places=["building-type", "section"],
)
