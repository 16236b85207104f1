"""Checks whether a finished game was fair: repeats its draws and compares them with the commitments of its tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from capomastro.adjudicator.loading import load_record
from capomastro.documents import notation
from capomastro.documents.reading import reader_of
from capomastro.documents.wordings import phrase
from capomastro.engine import records, referee
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import ChanceMove, Move
from capomastro.engine.steps import play_step, play_steps
from capomastro.tables import history
from capomastro.tables.shares import digest, fits, seed_of

# --- the record of a table -------------------------------------------------------------------------------------------


def record_line(game: AnyGame, move: Move) -> str:
    """A move as a line of the record."""
    return notation.written_move(game, msgspec.to_builtins(move)) + "\n"


def moves_in(game: AnyGame, record: str) -> list[Move]:
    """The moves of a record that was written here."""
    read = reader_of(game, "move")
    return [read(notation.read_move(game, line)) for line in history.lines_of(record)]


def spectators_record(game: AnyGame, start: Any, moves: Sequence[Move]) -> str:
    """The record of legal moves as a spectator saw them, as tables contain it."""
    return "".join(record_line(game, step.move_seen_by(None)) for step in play_steps(game, start, moves))


# --- draws -----------------------------------------------------------------------------------------------------------


class Redrawn(Struct, frozen=True):
    """A record whose draws were repeated with the seed.

    `moves` are the moves played, with hidden components filled in; `state` is the state after them. If the seed draws
    `instead` where the record has another draw, at index `difference`, both end there.
    """

    state: Any
    moves: tuple[Move, ...]
    difference: int | None = None
    instead: Move | None = None


def redrawn(game: AnyGame, start: Any, moves: Sequence[Move], seed: str) -> Redrawn:
    """Plays legal `moves` from `start`, with every chance move as the seed draws it."""
    state = start
    played: list[Move] = []
    for index, recorded in enumerate(moves):
        move = recorded
        if isinstance(recorded, ChanceMove):
            move = referee.draw(game, state, seed)
            if type(recorded) is not type(move) or recorded.component not in (None, move.component):
                return Redrawn(state, tuple(played), index, move)
        state = play_step(game, state, move).after
        played.append(move)
    return Redrawn(state, tuple(played))


class Draw(Struct, frozen=True):
    """A draw: its ply, the weight of each possible component, and the component drawn."""

    ply: int
    weights: dict[str, int]
    drawn: str | None


def draws_in(game: AnyGame, start: Any, moves: Sequence[Move]) -> Iterator[Draw]:
    """Every draw among legal `moves` from `start`: `draw(weights, seed, ply)` must give `drawn`."""
    for step in play_steps(game, start, moves):
        before, move = step.before, step.move
        decision = game.decision_at[type(before.stage)]
        if isinstance(decision, ChanceDecision) and isinstance(move, ChanceMove):
            weights = {token: weight for token, weight in decision.rule.outcomes(before).weights.items() if weight}
            yield Draw(before.ply, weights, move.component)


# --- a finished game -------------------------------------------------------------------------------------------------

AGREED_MEMBERS = ("game", "schema_version", "rules_version", "players", "names", "options")
"""The members that a record has in common with the creation of its table."""


def faults(game: AnyGame, record: Any, seed: str) -> list[str]:
    """The first deviation of a recorded game from the rules or the seed, as a sentence; empty if there is none.

    Raises:
        Problem: if `record` is not a record.
    """
    start, moves = load_record(game, record, under_current_rules=False, at="/record")
    played = records.replay(game, start, moves)
    if played.refusal is not None:
        return [phrase("move-not-legal", number=played.plies + 1)]
    again = redrawn(game, start, moves, seed)
    if again.difference is None:
        return []
    assert again.instead is not None
    recorded, drawn = (record_line(game, move).strip() for move in (moves[again.difference], again.instead))
    return [phrase("other-draw", number=again.difference + 1, recorded=recorded, drawn=drawn)]


def deviations_from_table(game: AnyGame, opened: Mapping[str, Any], table: Mapping[str, Any]) -> list[str]:
    """The deviations of an opened game from one of its tables, a sentence each. Its moves must be legal."""
    creation, record, shares = table["creation"], opened["record"], opened["shares"]
    found = []
    if digest(opened["root"]) != table["commitment"]:
        found.append(phrase("other-root"))
    if len(shares) != len(creation["locks"]):
        found.append(phrase("shares-and-locks"))
    pairs = zip(shares, creation["locks"], strict=False)
    found += [phrase("share-of-other-lock", seat=seat) for seat, pair in enumerate(pairs) if not fits(*pair)]
    if opened["seed"] != seed_of(opened["root"], shares):
        found.append(phrase("other-seed"))
    found += [phrase("not-agreed", member=name) for name in AGREED_MEMBERS if record.get(name) != creation.get(name)]
    if not found:
        start, moves = load_record(game, record, under_current_rules=False, at="/record")
        if not spectators_record(game, start, moves).startswith(table["record"]):
            found.append(phrase("record-of-other-table"))
    return found
