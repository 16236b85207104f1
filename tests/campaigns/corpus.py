"""Material for requests: states from random games, moves, records, scoresheets, and the values in them."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from capomastro.documents.files import openapi_json
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.tables.keys import KeyRing
from tests.support.documents import as_document, texts
from tests.support.playouts import play_out
from tests.support.setups import Setup, setups
from tests.tables.players import MASTERS, Played, by_hand, play

CONFORMANCE = Path(__file__).parents[2] / "conformance"
MAXIMUM_VALUES = 400
"""Maximum number of values kept per name of members."""
MAXIMUM_STATES = 400
"""Number of states per game; the campaign replaces them by those that it reaches."""
SEALING_KEY = MASTERS[0]
"""The service that is asked opens the tables of `sealed_game` with it."""


@dataclass
class Corpus:
    """The material of one game; all documents are decoded JSON and are never changed."""

    game: AnyGame
    states: list[Any] = field(default_factory=list)
    moves: list[Any] = field(default_factory=list)
    records: list[Any] = field(default_factory=list)
    scoresheets: list[Any] = field(default_factory=list)
    options: list[Any] = field(default_factory=list)
    cursors: list[tuple[Any, str]] = field(default_factory=list)
    """States with a cursor for the next page of their moves."""
    by_name: dict[str, list[Any]] = field(default_factory=dict)
    """Values of members and items of members, by the name of the member."""
    tokens: list[str] = field(default_factory=list)

    def keep_state(self, random: Random, state: Any) -> None:
        """Adds a state to continue from."""
        if len(self.states) < MAXIMUM_STATES:
            self.states.append(state)
        else:
            self.states[random.randrange(MAXIMUM_STATES)] = state


@cache
def corpora() -> dict[str, Corpus]:
    """The material of every game, the same in every run."""
    found = {id: Corpus(game) for id, game in all_games().items()}
    random = Random("corpus")
    for setup in setups():
        add_game(found[setup.game.id], setup, random)
    for id, corpus in found.items():
        for file in sorted((CONFORMANCE / id).glob("records/*.json")):
            corpus.records.append(json.loads(file.read_text("utf-8")))
        for file in sorted((CONFORMANCE / id).glob("perft/*.json")):
            corpus.states.append(json.loads(file.read_text("utf-8"))["state"])
        for line in (CONFORMANCE / id / "illegal-moves.ndjson").read_text("utf-8").splitlines():
            vector = json.loads(line)
            corpus.states.append(vector["state"])
            corpus.moves.append(vector["move"])
    for id, body in examples():
        corpus = found[id]
        if "scoresheet" in body:
            corpus.scoresheets.append(body["scoresheet"])
    for corpus in found.values():
        index(corpus, random)
    return found


@cache
def sealed_game(id: str) -> Played:
    """A game at sealed tables, for as few players as can play it: every table there was, and all secrets."""
    game = all_games()[id]
    ask = by_hand(game, KeyRing([SEALING_KEY]))
    return play(game, lambda _: ask, "corpus", game.players[0])


def fresh(random: Random) -> dict[str, Corpus]:
    """The material of every game, which can be added to, in an order that belongs to one campaign."""
    copies = {}
    for id, corpus in corpora().items():
        states = random.sample(corpus.states, min(len(corpus.states), MAXIMUM_STATES))
        copies[id] = Corpus(
            corpus.game,
            states,
            corpus.moves,
            corpus.records,
            corpus.scoresheets,
            corpus.options,
            [],
            corpus.by_name,
            corpus.tokens,
        )
    return copies


def add_game(corpus: Corpus, setup: Setup, random: Random) -> None:
    """Adds a random game: a state of each kind of decision, whole and as a view; the moves; the record."""
    game = setup.game
    plies = list(play_out(game, setup.players, setup.options, seed=str(random.random())))
    by_kind: dict[type, list[Any]] = defaultdict(list)
    for ply in plies:
        by_kind[type(ply.before.stage)].append(ply.before)
    chosen = [random.choice(states) for states in by_kind.values()] + [plies[-1].after]
    corpus.states += map(as_document, chosen)
    viewers = [*range(setup.players), None]
    corpus.states += (as_document(game.view(state, random.choice(viewers))) for state in chosen)
    corpus.moves += (as_document(ply.move) for ply in random.sample(plies, min(60, len(plies))))
    corpus.options.append(setup.options)
    corpus.records.append(
        {
            "game": game.id,
            "schema_version": 1,
            "rules_version": game.rules_version,
            "players": setup.players,
            "options": setup.options,
            "names": [f"Seat {seat}" for seat in range(setup.players)],
            "moves": [as_document(ply.move) for ply in plies],
            "result": as_document(game.result(plies[-1].after)),
        }
    )


def examples() -> Iterator[tuple[str, dict[str, Any]]]:
    """The bodies in the specification, with the game they are for."""
    specification = json.loads(openapi_json().read_text("utf-8"))
    for path, methods in specification["paths"].items():
        content = methods.get("post", {}).get("requestBody", {}).get("content", {})
        for example in content.get("application/json", {}).get("examples", {}).values():
            yield path.split("/")[3], example["value"]


def index(corpus: Corpus, random: Random) -> None:
    """Collects the values of each member name."""
    by_name: dict[str, list[Any]] = defaultdict(list)

    def walk(name: str, value: Any) -> None:
        if name:
            by_name[name].append(value)
        if isinstance(value, dict):
            for member, below in value.items():
                walk(member, below)
        elif isinstance(value, list):
            for item in value:
                walk(name, item)

    for document in (*corpus.states, *corpus.moves, *corpus.scoresheets, *corpus.options):
        walk("", document)
    for record in corpus.records:
        walk("", {**record, "moves": record["moves"][:20]})
    corpus.by_name = {
        name: random.sample(values, min(len(values), MAXIMUM_VALUES)) for name, values in sorted(by_name.items())
    }
    corpus.tokens = sorted({text for values in corpus.by_name.values() for value in values for text in texts(value)})
