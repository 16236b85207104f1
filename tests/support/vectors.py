"""Vectors of refusals in `conformance/<game>/`: illegal moves and impossible documents, each with the rule it breaks.

They are made from the cases of broken rules (`tests/games/<game>/refusals.py`), whose states have little more than the
rule needs; illegal moves also from spoilt moves of the recorded games, one for each rule and type of move found there.
"""

from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from msgspec import UNSET

from capomastro import adjudicator
from capomastro.documents.json_text import decode, encode
from capomastro.documents.problems import Problem
from capomastro.documents.reading import can_read
from capomastro.documents.wordings import explained, sentence
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move, type_of
from capomastro.engine.refusals import Refusal
from tests.support.conformance import CONFORMANCE
from tests.support.documents import as_document
from tests.support.mutations import mutations, vocabulary
from tests.support.recorded import full_replays
from tests.support.refusals import Case, cases_of, refusals_of

Vector = dict[str, Any]

EVERY = 7
"""One in this many moves of a recorded game is spoilt."""


def illegal_moves_file(game: AnyGame) -> Path:
    return CONFORMANCE / game.id / "illegal-moves.ndjson"


def unavailable_moves_file(game: AnyGame) -> Path:
    return CONFORMANCE / game.id / "unavailable-moves.ndjson"


def impossible_documents_file(game: AnyGame) -> Path:
    return CONFORMANCE / game.id / "impossible-documents.ndjson"


def read(file: Path) -> list[Vector]:
    """The vectors of a file, one a line."""
    return [decode(line) for line in file.read_bytes().splitlines()]


def text_of(vectors: Iterable[Vector]) -> str:
    """Vectors as the text of a file, one a line."""
    return "".join(encode(vector).decode() + "\n" for vector in vectors)


# --- making them -----------------------------------------------------------------------------------------------------


def illegal_moves(game: AnyGame) -> list[Vector]:
    """Illegal moves: each a request for a verdict, with the refusal that answers it."""
    return [*refused_cases(game), *spoilt_moves(game)]


def refused_cases(game: AnyGame) -> Iterator[Vector]:
    """The cases that refuse a move which a document can express."""
    numbers: dict[str, Iterator[int]] = {}
    for broken in cases_of(game):
        if isinstance(broken.move, Move) and has_shape(game, broken):
            (refusal,) = refusals_of(game, broken)
            number = next(numbers.setdefault(broken.rule, count(1)))
            asked = {} if broken.asker is UNSET else {"seat": broken.asker}
            yield illegal_move(game, f"{tail(broken.rule)}-{number}", broken.subject, broken.move, refusal, **asked)


def spoilt_moves(game: AnyGame) -> Iterator[Vector]:
    """Moves of the recorded games after a change that makes them illegal: the first for each rule and type of move."""
    replays = full_replays(game)
    tokens = vocabulary(game, [ply.move for replay in replays for ply in replay.plies])
    seen = set()
    for replay in replays:
        for ply in replay.plies[::EVERY]:
            for move in mutations(game, ply.before, ply.move, tokens, Random(0)):
                refusal = referee.refusal(game, ply.before, move)
                kind = type_of(type(move))
                if refusal is not None and (refusal.rule, kind) not in seen:
                    seen.add((refusal.rule, kind))
                    name = f"{tail(refusal.rule)}-{kind}-{replay.document['id']}-{ply.before.ply}"
                    yield illegal_move(game, name, ply.before, move, refusal)


def illegal_move(game: AnyGame, name: str, state: Any, move: Move, refusal: Refusal, **asked: int | None) -> Vector:
    return {"name": name, "state": state, "move": move, **asked, "refusal": explained(game, refusal, "/move")}


def unavailable_moves(game: AnyGame) -> Iterator[Vector]:
    """The cases in which no move of a kind is legal."""
    numbers: dict[str, Iterator[int]] = {}
    for broken in cases_of(game):
        if isinstance(broken.move, type):
            (refusal,) = refusals_of(game, broken)
            document = {"rule": refusal.rule, "message": sentence(game, refusal), "values": refusal.values}
            number = next(numbers.setdefault(broken.rule, count(1)))
            yield {
                "name": f"{tail(broken.rule)}-{number}",
                "state": broken.subject,
                "unavailable": {"type": type_of(broken.move), **document},
            }


def impossible_documents(game: AnyGame) -> Iterator[Vector]:
    """The cases of impossible states, scoresheets and options of valid shape, with all findings."""
    numbers: dict[str, Iterator[int]] = {}
    for broken in cases_of(game):
        if broken.move is None and has_shape(game, broken):
            kind, document = impossible_document(game, broken.subject)
            number = next(numbers.setdefault(broken.rule, count(1)))
            yield {
                "name": f"{tail(broken.rule)}-{number}",
                "rule": broken.rule,
                **document,
                "findings": [explained(game, one, f"/{kind}") for one in refusals_of(game, broken)],
            }


def impossible_document(game: AnyGame, subject: Any) -> tuple[str, Vector]:
    """The kind of the document, and the document under that name; options are for the fewest players."""
    if isinstance(subject, game.options_type):
        return "options", {"players": game.players[0], "options": subject}
    kind = "scoresheet" if isinstance(subject, game.scoresheet_type) else "state"
    return kind, {kind: subject}


def has_shape(game: AnyGame, broken: Case) -> bool:
    """Whether the subject of a case has the shape of its schema; others cannot be asked about."""
    if isinstance(broken.move, type):
        return True
    if broken.move is not None:
        return can_read(game, "move", as_document(broken.move))
    kind, vector = impossible_document(game, broken.subject)
    return can_read(game, kind, as_document(vector[kind]))


# --- asking them -----------------------------------------------------------------------------------------------------


def findings(game: AnyGame, vector: Vector) -> Any:
    """The service's findings on the document of a vector, from the answer of an audit or from a problem."""
    if "state" in vector:
        return as_document(adjudicator.audit(game, vector["state"]).findings)
    try:
        if "scoresheet" in vector:
            adjudicator.score_scoresheet(game, vector["scoresheet"])
        else:
            adjudicator.set_up(game, vector["players"], options=vector["options"])
    except Problem as problem:
        return as_document(problem.errors)
    return []


def refusals_in(game: AnyGame, vector: Vector) -> list[Vector]:
    """The service's answer to a vector of any kind: refusals, in words of the current language."""
    if "move" in vector:
        seat = vector.get("seat", UNSET)
        return [as_document(adjudicator.verdict(game, vector["state"], vector["move"], seat=seat))["refusal"]]
    if "unavailable" in vector:
        answer = adjudicator.legal_moves(game, vector["state"], explain=True)
        return [one for one in as_document(answer.unavailable) if one["type"] == vector["unavailable"]["type"]]
    found: list[Vector] = findings(game, vector)
    return found


def all_vectors(game: AnyGame) -> list[Vector]:
    """The vectors of all kinds, from their files."""
    files = (illegal_moves_file(game), unavailable_moves_file(game), impossible_documents_file(game))
    return [vector for file in files for vector in read(file)]


def rule_of(vector: Vector) -> str:
    """The rule that a vector is about."""
    rule: str = vector["rule"] if "rule" in vector else (vector.get("refusal") or vector["unavailable"])["rule"]
    return rule


def tail(rule: str) -> str:
    """The id of a rule without its game."""
    return rule.partition(".")[2]
