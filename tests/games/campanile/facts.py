"""Every bound and every list of tokens in the schemas of Campanile, and what it follows from."""

from capomastro.games.campanile.components import (
    COPIES,
    DISPLAY_SIZE,
    FINITO,
    FINITO_FLAGS,
    FIRST_INTERMEZZO,
    FLOORS,
    INTERMEZZO,
    INTERMEZZO_FLAGS,
    LAST_CARDS,
    MARKERS,
    STYLES,
    TOKENS,
    VALUES,
    cards_after_dealing,
)
from capomastro.games.campanile.game import GAME
from tests.support.facts import Facts, each_of, items, number

FEWEST, MOST = GAME.players[0], GAME.players[-1]
CARDS = len(STYLES) * COPIES
TOWERS = len(STYLES)
HIGHEST = COPIES * max(FLOORS)
HEIGHT_ON_PAPER = 100
"""More floors than possible, so that a scoresheet with too many is refused by its rule, not by its shape."""
LAST_INTERMEZZO = max(cards_after_dealing(players) for players in GAME.players) - LAST_CARDS
INFLUENCE = sum(VALUES[size] * copies for size, copies in MARKERS.items())
LONGEST_FLAG = max(map(len, FINITO_FLAGS))
FIRST_SCORING = [max(flag) for flag in INTERMEZZO_FLAGS if flag]
"""The most that one player can win at the Intermezzo: the best token under each tower."""

FACTS = Facts(
    bounds={
        "derived.json#/$defs/markers/properties/large": number(0, MARKERS["large"]),
        "derived.json#/$defs/markers/properties/medium": number(0, MARKERS["medium"]),
        "derived.json#/$defs/markers/properties/small": number(0, MARKERS["small"]),
        "derived.json#/properties/deck": number(0, CARDS),
        "derived.json#/properties/intermezzo_points": items(FEWEST, MOST),
        "derived.json#/properties/intermezzo_points/items": number(0, sum(FIRST_SCORING)),
        "derived.json#/properties/markers_left": items(FEWEST, MOST),
        "derived.json#/properties/tower_ranks": items(TOWERS, TOWERS, different=True),
        "event.json#/$defs/tower-raised/properties/height": number(min(FLOORS), HIGHEST),
        "options.json#/properties/intermezzo_after": number(FIRST_INTERMEZZO, LAST_INTERMEZZO),
        "options.json#/properties/tower_order": items(TOWERS, TOWERS, different=True),
        "record.json#/properties/moves": items(None, 100_000),  # more than any setting of the service accepts
        "result.json#/$defs/contender/properties/ahead_by_order_of": items(None, MOST - 1),
        "result.json#/$defs/contender/properties/influence": number(1, INFLUENCE),
        "result.json#/$defs/line/properties/height": number(0, HEIGHT_ON_PAPER),
        "result.json#/$defs/line/properties/influence": number(1, INFLUENCE),
        "result.json#/$defs/line/properties/place": number(1, LONGEST_FLAG),
        "result.json#/$defs/line/properties/rank": number(1, TOWERS),
        "result.json#/$defs/scoring/properties/towers": items(TOWERS, TOWERS),
        "result.json#/$defs/tower/properties/contenders": items(None, MOST),
        "result.json#/$defs/tower/properties/flag": items(None, LONGEST_FLAG),
        "result.json#/$defs/tower/properties/height": number(0, HEIGHT_ON_PAPER),
        "result.json#/$defs/tower/properties/rank": number(1, TOWERS),
        "result.json#/properties/scorings": items(None, 2),  # an unfinished sheet may have none
        "scoresheet.json#/$defs/tokens/properties/by_seat": items(FEWEST, MOST),
        "scoresheet.json#/$defs/tower/properties/height": number(0, HEIGHT_ON_PAPER),
        "scoresheet.json#/properties/seats": items(FEWEST, MOST),
        "scoresheet.json#/properties/tower_order": items(TOWERS, TOWERS, different=True),
        "state.json#/$defs/tower/properties/cards": number(0, COPIES),
        "state.json#/$defs/tower/properties/height": number(0, HIGHEST),
        "state.json#/properties/display": items(None, DISPLAY_SIZE),
        "state.json#/properties/seats": items(FEWEST, MOST),
        "tokens.json#/$defs/cards": items(None, CARDS),
        "tokens.json#/$defs/floors": number(min(FLOORS), max(FLOORS)),
        "tokens.json#/$defs/point-token": number(min(TOKENS), max(TOKENS)),
        "tokens.json#/$defs/point-tokens": items(None, len(FIRST_SCORING)),
        "tokens.json#/$defs/row/properties/markers": items(None, sum(MARKERS.values())),
        "tokens.json#/$defs/rows": items(None, MOST),
    },
    tokens={
        "state.json#/$defs/hand/properties/unknown/propertyNames": [GAME.pile_of(STYLES[0])],
        "tokens.json#/$defs/card": [*STYLES],
        "tokens.json#/$defs/finito": [FINITO],
        "tokens.json#/$defs/intermezzo": [INTERMEZZO],
        "tokens.json#/$defs/marker": sorted(MARKERS),
        "tokens.json#/$defs/style": [*STYLES],
    },
    names={
        "derived.json#/$defs/markers": each_of(MARKERS),
        "scoresheet.json#/$defs/towers": each_of(STYLES),
        "state.json#/properties/towers": each_of(STYLES),
    },
    box={
        "tower_cards": "card",
        "scoring_cards": None,
        "markers_of_each_player": "marker",
        "tokens": "point-token",
    },
    places=["intermezzo", "finito"],
)
