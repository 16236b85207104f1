"""Every bound in the schemas that all games share, and what it follows from."""

from typing import get_args

from capomastro.archive import LONGEST_LABEL, OTHER_VERSION, UNUSABLE
from capomastro.engine.game import MAXIMUM_PLY, SCHEMA_VERSION
from capomastro.engine.records import Action, Departure, Repair
from capomastro.games import all_games
from tests.support.facts import Facts, any_of, each_of, form, items, members, needing, number, text

PLAYERS = [players for game in all_games().values() for players in game.players]
FEWEST, MOST = min(PLAYERS), max(PLAYERS)

TITLE = 100
"""Characters: more than a name that fits on a line."""
SENTENCE = 200
LIST = 100
"""Items of a list for people."""
CARDS = 200
"""Cards in a hand: more than any game has. Games narrow the kinds of cards; the audit checks the number of each."""
POINTS = 1_000_000
LOSSES = 10_000
ANY_CARD = {"type": "string", **text(None, TITLE)}
"""Each game must narrow it to its own values: it must not be free text."""

FACTS = Facts(
    bounds={
        "column-number.json#": number(1),
        # tests/test_all_games.py checks every event
        "event.json#": needing({"points": ["seat", "rule"]}),
        "hand.json#/properties/closed": items(None, CARDS),
        "hand.json#/properties/closed/items": ANY_CARD,
        "hand.json#/properties/open": items(None, CARDS),
        "hand.json#/properties/open/items": ANY_CARD,
        "hand.json#/properties/unknown": members(20),  # more than the piles of any game
        "hand.json#/properties/unknown/additionalProperties": number(1, CARDS),
        "line-number.json#": number(1),
        "name.json#": text(1, TITLE),
        "names.json#": items(FEWEST, MOST),
        "player-count.json#": number(FEWEST, MOST),
        "ply.json#": number(0, 2 * MAXIMUM_PLY),  # the state after the last accepted move fits as well
        "pointer.json#": text(pattern="^(/[^/]*)*$"),  # RFC 6901
        "probability.json#": text(pattern="^(0|[1-9][0-9]*)/[1-9][0-9]*$"),
        "problem.json#/properties/type": form("uri-reference"),
        "problem.json#/properties/status": number(400, 599),  # RFC 9110: the codes of errors
        "record-id.json#": text(1, SENTENCE),
        "result.json#/$defs/comparison/properties/seats": items(FEWEST, MOST),
        "result.json#/$defs/comparison/properties/values": items(FEWEST, MOST),
        "result.json#/$defs/comparison/properties/values/items": number(-POINTS, POINTS),
        "result.json#/$defs/missing/properties/missing": items(None, LIST),
        "result.json#/$defs/missing/properties/missing/items": text(None, SENTENCE),
        "result.json#/$defs/player/properties/lines": items(None, 1_000),  # the longest has two for each of 48 palaces
        "result.json#/$defs/player/properties/place": number(1, MOST),
        "result.json#/$defs/player/properties/total": number(-LOSSES, POINTS),
        "result.json#/properties/missing": items(None, MOST),
        "result.json#/properties/players": items(FEWEST, MOST),
        "result.json#/properties/assumptions": items(None, LIST),
        "result.json#/properties/skipped_checks": items(None, LIST),
        "result.json#/properties/tie_break": items(None, LIST),
        "result.json#/properties/undecided": items(None, MOST),
        "result.json#/properties/winners": items(1, MOST),
        "rule-id.json#": text(None, SENTENCE, r"^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$"),
        "rules-version.json#": number(1, 1_000_000),  # it grows by one: room enough
        "score-line.json#/properties/points": number(-LOSSES, POINTS),
        "seat-index.json#": number(0, MOST - 1),
        "state-hash.json#": text(pattern="^[0-9a-f]{64}$"),  # SHA-256 in hexadecimal digits
        "tags.json#": members(50),
        "tags.json#/additionalProperties": text(None, 1_000),
        "tags.json#/propertyNames": text(1, TITLE),
        "totals.json#": items(FEWEST, MOST),
        "totals.json#/items": number(-POINTS, POINTS),
        "verdict-on-line.json#/$defs/first-divergence/properties/index": number(0),
        "verdict-on-line.json#/$defs/near/properties/distance": number(0),
        "verdict-on-line.json#/$defs/remedied-divergence/properties/index": number(0),
        "verdict-on-line.json#/$defs/remedied-divergence/properties/remedy/properties/first": number(0),
        "verdict-on-line.json#/$defs/winners": items(1),
        "verdict-on-line.json#/$defs/wrong-lines": items(1),
        "verdict-on-line.json#/properties/game": text(None, LONGEST_LABEL),
        "verdict-on-line.json#/properties/id": text(None, LONGEST_LABEL),
        "verdict-on-line.json#/properties/line": number(1),
        "verdict-on-line.json#/properties/moves_hash": text(pattern="^[0-9a-f]{16}$"),  # half of a SHA-256
        "verdict-on-line.json#/properties/problem": text(pattern="^[a-z]+(-[a-z]+)*$"),
    },
    tokens={
        "departure.json#": [*Departure],
        "schema-version.json#": [SCHEMA_VERSION],
        "verdict-on-line.json#/$defs/lenient/properties/repair": [*Repair],
        "verdict-on-line.json#/$defs/remedied-divergence/properties/remedy/properties/action": [*get_args(Action)],
        "verdict-on-line.json#/properties/verdict/anyOf/1": [OTHER_VERSION, UNUSABLE],
        "verdict-on-record.json#": ["legal", "unfinished", "wrong-result", *Departure],
    },
    names={
        "event.json#": any_of(["seat", "points", "rule", "text"], "type"),
        "score-line.json#": each_of(["rule", "points"]),
        "verdict-on-line.json#/$defs/move": each_of(["type"]),
    },
    anything=["claimed-line.json#/properties/claimed", "claimed-line.json#/properties/computed"],
    free=[
        "claimed-line.json#/properties/what",
        "decision.json#/properties/kind",  # the types of the stages of all games
        "event.json#",
        "event.json#/properties/type",
        "name.json#",
        "values.json#/additionalProperties",  # ids of all games
        "values.json#/additionalProperties/anyOf/4/items",
        "pointer.json#",
        "probability.json#",
        "problem.json#/properties/detail",
        "problem.json#/properties/errors/items/properties/message",
        "problem.json#/properties/title",
        "problem.json#/properties/type",
        "record-id.json#",
        "refusal.json#/properties/message",
        "result.json#",
        "result.json#/$defs/missing/properties/missing/items",
        "rule-id.json#",
        "score-line.json#",
        "state-hash.json#",
        "tags.json#/additionalProperties",
        "text.json#",
        "verdict-on-line.json#/$defs/move",
        "verdict-on-line.json#/$defs/move/properties/type",
        "verdict-on-line.json#/$defs/near/properties/differs/items",
        "verdict-on-line.json#/properties/detail",
        "verdict-on-line.json#/properties/errors/items/properties/message",
        "verdict-on-line.json#/properties/game",
        "verdict-on-line.json#/properties/id",
        "verdict-on-line.json#/properties/moves_hash",
        "verdict-on-line.json#/properties/problem",
    ],
)
