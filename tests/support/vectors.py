"""Vectors of illegal moves in `conformance/<game>/`: a state, what is not legal there, and the rule that says so.

They are made of the cases of broken rules (`tests/games/<game>/refusals.py`), whose states have little more than what
the rule is about, and of moves spoilt in the recorded games: one for each rule and type of move that is found there.
"""

from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from capomastro.documents.json_text import decode, encode
from capomastro.documents.wordings import explained, sentence
from capomastro.engine import referee
from capomastro.engine.decisions import Move
from capomastro.engine.game import AnyGame
from capomastro.engine.refusals import Refusal
from tests.support.conformance import CONFORMANCE
from tests.support.documents import as_document
from tests.support.mutations import mutations, shaped, vocabulary
from tests.support.recorded import full_replays
from tests.support.refusals import cases_of, refusals_of

Vector = dict[str, Any]

EVERY = 7
"""One in this many moves of a recorded game is spoilt."""


def illegal_moves_file(game: AnyGame) -> Path:
    return CONFORMANCE / game.id / "illegal-moves.ndjson"


def unavailable_moves_file(game: AnyGame) -> Path:
    return CONFORMANCE / game.id / "unavailable-moves.ndjson"


def read(file: Path) -> list[Vector]:
    """The vectors of a file, one a line."""
    return [decode(line) for line in file.read_bytes().splitlines()]


def text_of(vectors: Iterable[Vector]) -> str:
    """Vectors as the text of a file, one a line."""
    return "".join(encode(vector).decode() + "\n" for vector in vectors)


# --- making them -----------------------------------------------------------------------------------------------------


def illegal_moves(game: AnyGame) -> list[Vector]:
    """Moves that are refused: each a request for a verdict, with the refusal that is the answer."""
    return [*refused_cases(game), *spoilt_moves(game)]


def refused_cases(game: AnyGame) -> Iterator[Vector]:
    """The cases in which a move is refused that a document can say."""
    numbers: dict[str, Iterator[int]] = {}
    for broken in cases_of(game):
        if isinstance(broken.move, Move) and shaped(game, as_document(broken.move)):
            (refusal,) = refusals_of(game, broken)
            number = next(numbers.setdefault(broken.rule, count(1)))
            yield illegal_move(game, f"{tail(broken.rule)}-{number}", broken.subject, broken.move, refusal)


def spoilt_moves(game: AnyGame) -> Iterator[Vector]:
    """Moves of the recorded games after a change that makes them illegal: the first for each rule and type of move."""
    replays = full_replays(game)
    tokens = vocabulary(game, [ply.move for replay in replays for ply in replay.plies])
    seen = set()
    for replay in replays:
        for ply in replay.plies[::EVERY]:
            for move in mutations(game, ply.before, ply.move, tokens, Random(0)):
                refusal = referee.refusal(game, ply.before, move)
                kind = referee.type_of(type(move))
                if refusal is not None and (refusal.rule, kind) not in seen:
                    seen.add((refusal.rule, kind))
                    name = f"{tail(refusal.rule)}-{kind}-{replay.document['id']}-{ply.before.ply}"
                    yield illegal_move(game, name, ply.before, move, refusal)


def illegal_move(game: AnyGame, name: str, state: Any, move: Move, refusal: Refusal) -> Vector:
    return {"name": name, "state": state, "move": move, "refusal": explained(game, refusal, "/move")}


def unavailable_moves(game: AnyGame) -> Iterator[Vector]:
    """The cases in which no move of a kind is legal."""
    numbers: dict[str, Iterator[int]] = {}
    for broken in cases_of(game):
        if isinstance(broken.move, type):
            (refusal,) = refusals_of(game, broken)
            said = {"rule": refusal.rule, "message": sentence(game, refusal), "numbers": refusal.numbers}
            number = next(numbers.setdefault(broken.rule, count(1)))
            yield {
                "name": f"{tail(broken.rule)}-{number}",
                "state": broken.subject,
                "unavailable": {"type": referee.type_of(broken.move), **said},
            }


def tail(rule: str) -> str:
    """The id of a rule without its game."""
    return rule.partition(".")[2]
