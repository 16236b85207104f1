"""Legal moves, found by trying everything, and all offered moves; both have to agree."""

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations, product
from typing import Any

from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move


def sub_multisets(tokens: Iterable[str]) -> set[tuple[str, ...]]:
    """Every sub-multiset of `tokens`, including the empty one."""
    tokens = sorted(tokens)
    return {part for size in range(len(tokens) + 1) for part in combinations(tokens, size)}


def legal_by_trying(game: AnyGame, state: Any, values: Mapping[str, Collection[Any]]) -> set[Move]:
    """Every legal move of the deciding seat whose fields are among `values` (by name of the field).

    Pass every value that could make sense, and some that do not: all combinations are tried.
    """
    here = game.decision_at[type(state.stage)]
    assert isinstance(here, SeatDecision)
    found = set()
    for kind in here.rules:
        names = [name for name in kind.__struct_fields__ if name != "seat"]
        for chosen in product(*(values[name] for name in names)):
            move = kind(seat=here.seat(state), **dict(zip(names, chosen, strict=True)))
            if referee.refusal(game, state, move) is None:
                found.add(move)
    return found


def everything_offered(game: AnyGame, state: Any, longest: int) -> set[Move] | None:
    """All legal moves including superfluous payments, or all outcomes of chance; None if more than `longest`."""
    here = game.decision_at[type(state.stage)]
    if isinstance(here, ChanceDecision):
        unseen = [None] if here.rule.sole_witness(state) is not None else []
        return {here.rule.move(component) for component in [*here.rule.outcomes(state).weights, *unseen]}
    moves = referee.legal_moves(game, state, all_payments=True)
    return set(moves.starting_at(0)) if moves.total <= longest else None
