"""No token that a schema accepts breaks the code: tables of the box have it."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest

from capomastro.documents.canonical_form import sorted_multisets
from capomastro.documents.wordings import sentence
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.damage import replaced
from tests.support.documents import as_document
from tests.support.faults import faults, planted
from tests.support.in_use import games_played
from tests.support.schema_reading import Node, Schemas
from tests.support.schemas import schema_files

every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.id)

Path = tuple[str | int, ...]


def broken_by_tokens(game: AnyGame, schemas: Schemas) -> list[str]:
    """The accepted tokens that lead to an exception, with their places."""
    broken = []
    for kind, document, path, tokens in places_for_tokens(game, schemas):
        for token in tokens:
            try:
                handle(game, kind, replaced(document, path, token))
            except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
                broken.append(f"{kind} {'/'.join(map(str, path))}: {token}: {error!r}")
    return broken


def places_for_tokens(game: AnyGame, schemas: Schemas) -> Iterator[tuple[str, Any, Path, list[Any]]]:
    """Documents, each with the place of a token and all tokens that can be there; each place is tried once."""
    tried = set()
    for kind, document in documents_with_tokens(game):
        for path, node in parts_of(schemas.node(f"{game.id}/{kind}.json#"), document[kind]):
            tokens = [token for branch in branches(node) for _, some in [branch.values() or ("", [])] for token in some]
            place = (kind, *("*" if isinstance(step, int) else step for step in path))
            if len(tokens) > 1 and place not in tried:
                tried.add(place)
                yield kind, document, (kind, *path), tokens


def documents_with_tokens(game: AnyGame) -> Iterator[tuple[str, Any]]:
    """A state of every stage, a move of every type with the state it is made in, and scoresheets."""
    plies = [ply for played in games_played(game) for ply in played.plies]
    for ply in {type(ply.before.stage): ply for ply in plies}.values():
        yield "state", {"state": as_document(ply.before)}
    for ply in {type(ply.move): ply for ply in plies}.values():
        yield "move", as_document({"state": ply.before, "move": ply.move})
    for example in schema_files()[f"{game.id}/scoresheet.json"]["examples"]:
        yield "scoresheet", {"scoresheet": example}


def branches(node: Node) -> list[Node]:
    return node.branches("anyOf") or [node]


def parts_of(node: Node, value: Any, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Every value within a document that is neither object nor array, with its schema."""
    if isinstance(value, dict | list):
        if isinstance(value, dict) and node.has("oneOf"):
            node = next(one for one in node.branches("oneOf") if one.identity.endswith(f"/{value['type']}"))
        kind = "properties" if isinstance(value, dict) else "items"
        node = next((branch for branch in branches(node) if branch.has(kind)), node)
        steps: list[tuple[Any, Any]] = [*value.items()] if isinstance(value, dict) else [*enumerate(value)]
        for step, inner in steps:
            within = node.within("properties", step) if isinstance(value, dict) else node.within("items")
            if within.layers:  # the names in counts by pile are not members
                yield from parts_of(within, inner, (*path, step))
    else:
        yield path, node


def handle(game: AnyGame, kind: str, document: Any) -> None:
    """Runs everything that handles a document of the right shape."""
    if kind == "scoresheet":
        sheet = sorted_multisets(msgspec.convert(document["scoresheet"], game.scoresheet_type))
        findings = list(game.faults_of_scoresheet(sheet))
        assert all(sentence(game, finding) for finding in findings)
        assert findings or game.score(sheet)
    elif kind == "move":
        state = sorted_multisets(msgspec.convert(document["state"], game.state_type))
        refusal = referee.refusal(game, state, sorted_multisets(msgspec.convert(document["move"], game.moves)))
        assert refusal is None or sentence(game, refusal)
    else:
        state = sorted_multisets(msgspec.convert(document["state"], game.state_type))
        findings = list(game.audit(state))
        assert all(sentence(game, finding) for finding in findings)
        if not findings:
            game.derived(game.view(state, None))
            if referee.decision(game, state).actor == "seat":
                list(islice(referee.legal_moves(game, state).starting_at(0), 5))


@every_game
def test_no_token_that_a_schema_accepts_breaks_anything(game: AnyGame) -> None:
    schemas = Schemas(schema_files())
    assert sum(1 for _ in places_for_tokens(game, schemas)) > 10
    assert broken_by_tokens(game, schemas) == []


@every_game
def test_a_token_that_is_not_in_the_box_would_break_something(game: AnyGame) -> None:
    """The test of the test above: `brick-9-9` among the tiles is a `KeyError`."""
    file = f"{game.id}/tokens.json"
    group = next(kind for kind in ("tile", "card", "building") if kind in schema_files()[file]["$defs"])
    fault = next(
        one for one in faults(file) if one.kind == "a token too many" and one.place.fragment == f"/$defs/{group}"
    )
    assert broken_by_tokens(game, Schemas({**schema_files(), file: planted(fault)}))
