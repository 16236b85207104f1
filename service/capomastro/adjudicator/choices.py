"""Choices: the kinds of moves of a decision with their parameters, and what can still be added to a partial move."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Any

from msgspec import UNSET

from capomastro.answers import MoveKind, MoveParameter
from capomastro.documents.wordings import kind_name
from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.hands import MOST_CARDS
from capomastro.engine.moves import ChanceMove, ListedMoves, Move, Moves, type_of
from capomastro.engine.parameters import filled, number_at, parameters_of
from capomastro.engine.partial import EVERYTHING_OPEN, Partial, partial_of

Chosen = tuple[type[Move], Partial]
"""A partial move: its kind, and what is chosen of its members."""

# --- kinds of moves --------------------------------------------------------------------------------------------------


def kinds_of_moves(game: AnyGame, state: Any, all_payments: bool) -> list[MoveKind]:
    """Every kind of move of the decision, in the order of the rulebook, with the number of legal ones, also none."""
    decision = game.decision_at.get(type(state.stage))
    return [kind_of_moves(game, state, kind, all_payments) for kind in decision.rules] if decision else []


def kind_of_moves(game: AnyGame, state: Any, kind: type[Move], all_payments: bool) -> MoveKind:
    moves = moves_of_kind(game, state, kind, all_payments)
    group, text = kind_name(game, type_of(kind))
    return MoveKind(
        type=type_of(kind),
        text=text,
        group=group or UNSET,
        total=moves.total,
        move=moves.pick(0) if moves.total == 1 else UNSET,
        parameters=[*parameters(state, kind, moves)],
    )


def parameters(state: Any, kind: type[Move], moves: Moves) -> Iterator[MoveParameter]:
    """The parameters of a kind of move, with what can be said of them in this state."""
    for known in parameters_of(kind):
        least, most = known.least, known.most
        if known.type == "number" and moves.total:
            numbers = moves.openings(known.member, EVERYTHING_OPEN)
            least, most = min(numbers), max(numbers)
        elif known.is_set and known.type == "token":
            available = [number for place in known.places if (number := number_at(state, filled(place, state, kind)))]
            most = min(most, sum(available))
        yield MoveParameter(
            member=known.member,
            type="token" if issubclass(kind, ChanceMove) else known.type,
            lies_in=[filled(place, state, kind) for place in known.places],
            is_set=known.is_set,
            least=least,
            most=most,
        )


def moves_of_kind(game: AnyGame, state: Any, kind: type[Move], all_payments: bool) -> Moves:
    """The legal moves of one kind, or the possible draws."""
    decision = game.decision_at.get(type(state.stage))
    if not isinstance(decision, ChanceDecision):
        return referee.completions(game, state, kind, EVERYTHING_OPEN, all_payments)
    return ListedMoves([*outcomes_of(game, state, None)])


def outcomes_of(game: AnyGame, state: Any, chosen: Chosen | None) -> dict[Move, Fraction]:
    """Every acceptable outcome that contains what is `chosen`, if anything is, with its exact probability."""
    outcomes = dict(chance_moves(game, state))
    if chosen is None:
        return outcomes
    return {move: outcomes[move] for move in moves_containing(chosen, outcomes).starting_at(0)}


def chance_moves(game: AnyGame, state: Any) -> list[tuple[Move, Fraction]]:
    """Every acceptable outcome with its exact probability; an unseen outcome is null and is never drawn."""
    decision = game.decision_at[type(state.stage)]
    assert isinstance(decision, ChanceDecision)
    outcomes = decision.rule.outcomes(state)
    total = outcomes.total
    moves = [(decision.rule.move(component), Fraction(weight, total)) for component, weight in outcomes.weights.items()]
    if decision.rule.sole_witness(state) is not None:
        moves.append((decision.rule.move(None), Fraction(0)))
    return moves


# --- partial moves ---------------------------------------------------------------------------------------------------


CONTAINED_IN_NONE: Chosen = (Move, EVERYTHING_OPEN)
"""A partial move that no move contains: there are moves of its kinds only."""


def partial_in(game: AnyGame, state: Any, document: Mapping[str, Any]) -> Chosen:
    """The kind of a partial move, and what it names: a move without the members that are not chosen yet.

    Nothing is refused: what names a kind, a member or a value that no legal move has is contained in none.
    """
    type_ = document.get("type")
    kind = game.kinds_of_move.get(type_) if isinstance(type_, str) else None
    if kind is None or ("seat" in document and not decides(game, state, document["seat"])):
        return CONTAINED_IN_NONE
    of_sets = {known.member: known.is_set for known in parameters_of(kind)}
    members = {}
    for name, value in document.items():
        if name in ("type", "seat"):
            continue
        if name not in of_sets:
            return CONTAINED_IN_NONE
        if of_sets[name]:
            if (
                not isinstance(value, list | tuple)
                or len(value) > MOST_CARDS
                or not all(type(token) is str for token in value)
            ):
                return CONTAINED_IN_NONE
            members[name] = tuple(value)
        elif value is not None and type(value) not in (str, int):
            return CONTAINED_IN_NONE
        else:
            members[name] = value
    return kind, partial_of(members)


def decides(game: AnyGame, state: Any, seat: Any) -> bool:
    """Whether a value names the seat that decides."""
    return type(seat) is int and seat == referee.decision(game, state).seat


def moves_containing(chosen: Chosen, moves: Iterable[Move]) -> Moves:
    """Those of some legal moves that contain what is `chosen`."""
    kind, partial = chosen
    return ListedMoves([move for move in moves if type(move) is kind]).completing(partial)


def digest_of(kind: type[Move], partial: Partial) -> str:
    """Distinguishes lists of moves that contain different partial moves, for cursors."""
    told = [
        type_of(kind),
        *sorted(partial.values.items()),
        *sorted((name, sorted(part.chosen)) for name, part in partial.sets.items()),
    ]
    return sha256(repr(told).encode()).hexdigest()[:8]


def what_is_open(moves: Moves, kind: type[Move], partial: Partial) -> dict[str, dict[str, int]]:
    """For each parameter that is open, the values that can still be added, with the number of moves for each."""
    openings = {
        known.member: moves.openings(known.member, partial)
        for known in parameters_of(kind)
        if known.member not in partial.values
    }
    return {
        member: {str(value): found[value] for value in sorted(found.keys() - {None}) if found[value]}
        for member, found in openings.items()
    }
