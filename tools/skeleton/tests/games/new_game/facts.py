"""Every bound and every list of tokens in the schemas of New Game, and what it follows from."""

from capomastro.games.new_game.components import TOKENS
from capomastro.games.new_game.game import NewGame
from tests.support.facts import Facts, items, number

FEWEST, MOST = NewGame.players[0], NewGame.players[-1]
TOKEN_COUNT = sum(TOKENS.values())

# FILL IN: the bounds and tokens of the schemas, as soon as they change.
FACTS = Facts(
    bounds={
        "derived.json#/properties/bag": number(0, TOKEN_COUNT),
        "record.json#/properties/moves": items(None, 100_000),  # more than any setting of the service accepts
        "record.json#/properties/names": items(None, MOST),
        "record.json#/properties/players": number(None, MOST),
        "scoresheet.json#/properties/seats": items(FEWEST, MOST),
        "state.json#/properties/names": items(None, MOST),
        "state.json#/properties/seats": items(FEWEST, MOST),
        "tokens.json#/$defs/seat-index": number(None, MOST - 1),
        "tokens.json#/$defs/tokens": items(None, TOKEN_COUNT),
    },
    tokens={"tokens.json#/$defs/token": [*TOKENS]},
    box={"tokens": "token"},
)
