"""The conformance kit: the contents of `conformance/` are correct, complete, and match their schemas.

Vectors and set-ups are read from the files and go through the adjudicator as the documents they are. That the recorded
games are right, `test_records.py` shows.
"""

import ast
import json
from collections.abc import Iterator
from functools import cache
from inspect import getfile
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import UNSET
from referencing import Registry, Resource

from capomastro import adjudicator
from capomastro.documents import json_text
from capomastro.engine import referee
from capomastro.engine.decisions import SeatDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import type_of
from capomastro.engine.perft import divide, perft
from capomastro.games import all_games
from tests.support import vectors
from tests.support.conformance import CONFORMANCE
from tests.support.documents import as_document
from tests.support.perft import DECISIONS_LEFT, ends, files_of
from tests.support.refusals import refusing_rules

GAMES = list(all_games().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
SCHEMAS = sorted((CONFORMANCE / "schemas").glob("*.json"))

MAXIMUM_POSITIONS = 200
"""Maximum number of positions before the last step for a depth to be counted here; the campaign `perft` counts all."""
MAXIMUM_JUDGED = 60
"""Maximum number of first moves for a set-up to be counted through documents as well."""


# --- illegal moves ---------------------------------------------------------------------------------------------------


@every_game
def test_an_illegal_move_is_refused_by_its_rule(game: AnyGame) -> None:
    for vector in vectors.read(vectors.illegal_moves_file(game)):
        answer = adjudicator.verdict(game, vector["state"], vector["move"], seat=vector.get("seat", UNSET))
        assert as_document(answer) == {"legal": False, "refusal": vector["refusal"]}, vector["name"]


@every_game
def test_no_move_of_an_unavailable_kind_is_legal(game: AnyGame) -> None:
    for vector in vectors.read(vectors.unavailable_moves_file(game)):
        answer = adjudicator.legal_moves(game, vector["state"], adjudicator.MAXIMUM_LIMIT, explain=True)
        assert vector["unavailable"] in as_document(answer.unavailable), vector["name"]
        assert vector["unavailable"]["type"] not in {type_of(type(move)) for move in answer.moves}, vector["name"]


@every_game
def test_an_impossible_document_is_refused_by_its_rule(game: AnyGame) -> None:
    for vector in vectors.read(vectors.impossible_documents_file(game)):
        assert vectors.findings(game, vector) == vector["findings"], vector["name"]
        assert vector["rule"] in {finding["rule"] for finding in vector["findings"]}, vector["name"]


@every_game
def test_vectors_are_up_to_date(game: AnyGame) -> None:
    """Those of the cases; spoilt moves of recorded games, which take long to find, come after these."""
    kept = vectors.illegal_moves_file(game).read_text("utf-8")
    assert kept.startswith(vectors.text_of(vectors.refused_cases(game))), "make generated, and read the difference"
    for file, made in (
        (vectors.unavailable_moves_file(game), vectors.unavailable_moves(game)),
        (vectors.impossible_documents_file(game), vectors.impossible_documents(game)),
    ):
        assert file.read_text("utf-8") == vectors.text_of(made), "make generated, and read the difference"


@every_game
def test_every_rule_that_refuses_a_move_has_a_vector(game: AnyGame) -> None:
    illegal = {vector["refusal"]["rule"] for vector in vectors.read(vectors.illegal_moves_file(game))}
    unavailable = {vector["unavailable"]["rule"] for vector in vectors.read(vectors.unavailable_moves_file(game))}
    of_the_referee = {
        game.rule(rule) for rule in ("turn.seat", "turn.step", "turn.chance", "turn.decision", "turn.asker", "end.over")
    }
    assert illegal >= of_the_referee
    assert illegal | unavailable >= set(rules_that_refuse_moves(game))


@every_game
def test_every_rule_that_refuses_has_a_vector(game: AnyGame) -> None:
    """What the schemas refuse already, the referee has no sentence for: no request could ever be answered with it."""
    shown = {vectors.rule_of(vector) for vector in vectors.all_vectors(game)}
    assert refusing_rules(game) == shown


def rules_that_refuse_moves(game: AnyGame) -> Iterator[str]:
    """The rules that the game's decisions refuse by, read from their source: one module or a package of them."""
    folder = Path(getfile(type(game))).parent
    sources = [path.read_text("utf-8") for path in (*folder.glob("decisions.py"), *folder.glob("decisions/*.py"))]
    assert sources
    for node in chain.from_iterable(ast.walk(ast.parse(source)) for source in sources):
        named: list[Any] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("refuse", "Refusal"):
            named = [node.args[0]]
        elif isinstance(node, ast.Assign) and [ast.unparse(name) for name in node.targets] == ["refuses"]:
            named = [node.value]
        yield from (str(one.value) for one in named if isinstance(one, ast.Constant))


@every_game
def test_no_two_vectors_have_one_name(game: AnyGame) -> None:
    for file_of in (vectors.illegal_moves_file, vectors.unavailable_moves_file, vectors.impossible_documents_file):
        names = [vector["name"] for vector in vectors.read(file_of(game))]
        assert len(set(names)) == len(names)


# --- perft -----------------------------------------------------------------------------------------------------------


class Table:
    """A set-up from its file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.document = json.loads(file.read_text("utf-8"))
        self.game = all_games()[self.document["state"]["game"]]
        self.numbers: list[int] = self.document["sequences"]
        self.terms = (self.document["seed"], self.document["payments"] == "all")

    @property
    def state(self) -> Any:
        """The state, which passes the audit."""
        return adjudicator.load_state(self.game, self.document["state"])


TABLES = [Table(file) for game in GAMES for file in files_of(game)]
every_table = pytest.mark.parametrize(
    "table", [pytest.param(table, id=f"{table.game.id}-{table.file.stem}") for table in TABLES]
)


@every_table
def test_as_many_sequences_are_counted_as_are_published(table: Table) -> None:
    few = takewhile(lambda number: number <= MAXIMUM_POSITIONS, table.numbers[:-1])
    depths = range(1, 2 + len(list(few)))
    counted = [perft(table.game, table.state, depth, *table.terms) for depth in depths]
    assert counted == table.numbers[: len(depths)]


@every_game
def test_counting_through_documents_gives_the_same_numbers(game: AnyGame) -> None:
    """As a client counts: with the first moves of a page, and the total of the page after each."""
    for table in few_tables(game):
        state, seed = table.document["state"], table.document["seed"]
        page = as_document(adjudicator.transition(game, state, [], seed, legal_moves_limit=MAXIMUM_JUDGED))
        parts = {}
        for move in page["legal_moves"]["moves"]:
            after = adjudicator.transition(game, page["state"], [move], seed, legal_moves_limit=1)
            assert after.legal_moves is not UNSET
            parts[json_text.encode(move)] = after.legal_moves.total
        assert sum(parts.values()) == table.numbers[1], table.file
        divided = divide(table.game, table.state, 2, *table.terms)
        assert {json_text.encode(move): number for move, number in divided} == parts, table.file


def few_tables(game: AnyGame) -> list[Table]:
    """The set-ups with the fewest sequences."""
    suitable = [
        table
        for table in TABLES
        if table.game is game and len(table.numbers) > 1 and table.numbers[0] <= MAXIMUM_JUDGED and not table.terms[1]
    ]
    return sorted(suitable, key=lambda table: table.numbers[:2])[:5]


@every_game
def test_every_decision_and_every_number_of_players_has_a_set_up(game: AnyGame) -> None:
    tables = [table for table in TABLES if table.game is game]
    kinds = {referee.decision(game, table.state).kind for table in tables}
    assert kinds >= {type_of(decision.stage) for decision in game.decisions if isinstance(decision, SeatDecision)}
    assert {len(table.state.seats) for table in tables} == set(game.players)
    for table in tables:
        if table.file.stem.startswith("end-"):
            assert ends(game, table.state, DECISIONS_LEFT, table.document["seed"])


def test_a_set_up_is_called_as_its_file_and_hides_nothing() -> None:
    for table in TABLES:
        assert table.document["name"] == table.file.stem
        hands = [getattr(seat, "hand", None) for seat in table.state.seats]
        assert not any(hand.unknown for hand in hands if hand is not None), table.file


# --- shapes ----------------------------------------------------------------------------------------------------------


@cache
def validator(name: str) -> Draft202012Validator:
    """Of a schema of the kit, which may refer to the schemas of the documents."""

    def retrieve(uri: str) -> Resource[Any]:
        return Resource.from_contents(json.loads(Path(uri.removeprefix("file://")).read_text("utf-8")))

    uri = (CONFORMANCE / "schemas" / f"{name}.json").as_uri()
    return Draft202012Validator({"$ref": uri}, registry=Registry(retrieve=retrieve))  # type: ignore[call-arg]


@every_game
def test_vectors_and_set_ups_have_the_shape_of_their_schemas(game: AnyGame) -> None:
    for name, documents in (
        ("illegal-move", vectors.read(vectors.illegal_moves_file(game))),
        ("unavailable-move", vectors.read(vectors.unavailable_moves_file(game))),
        ("impossible-document", vectors.read(vectors.impossible_documents_file(game))),
        ("perft", [table.document for table in TABLES if table.game is game]),
    ):
        assert documents
        for document in documents:
            validator(name).validate(document)
            kind = next(kind for kind in ("state", "scoresheet", "options") if kind in document)
            assert kind == "options" or document[kind]["game"] == game.id
            wrong = {**document, kind: {} if kind != "options" else []}
            assert not validator(name).is_valid(wrong)


OPTIONAL = {"illegal-move": {"seat"}}
"""Members of vectors that only some have."""


@pytest.mark.parametrize("file", SCHEMAS, ids=lambda file: file.stem)
def test_schemas_are_valid_and_describe_every_member(file: Path) -> None:
    schema = json.loads(file.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["title"]
    assert schema["description"]
    assert not schema["additionalProperties"]
    alternatives = {name for one in schema.get("oneOf", ()) for name in one["required"]}
    optional = OPTIONAL.get(file.stem, set())
    assert {*schema["required"], *alternatives, *optional} == set(schema["properties"])
    assert all(member["description"] for member in schema["properties"].values())
