"""Partial moves in recorded games: what is counted of them, against the lists."""

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from capomastro.engine import referee
from capomastro.engine.decisions import SeatDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.partial import END, Beginning, Openings, Partial, Tokens
from capomastro.engine.rules import MoveRule
from capomastro.games import all_games
from tests.support.recorded import full_replays

FEASIBLE = 1500
"""So many moves of a kind are listed here."""


def listed_kinds(game: AnyGame, random: Random, number: int) -> list[tuple[Any, MoveRule[Any, Any], list[Move]]]:
    """States of recorded games with the legal moves of one kind, payments with superfluous parts included."""
    states = [ply.before for replay in full_replays(game) for ply in replay.plies]
    decisions = [(state, game.decision_at.get(type(state.stage))) for state in states]
    kinds = [
        (state, rule)
        for state, decision in decisions
        if isinstance(decision, SeatDecision)
        for rule in decision.rules.values()
    ]
    random.shuffle(kinds)
    offered = ((state, rule, rule.offered_with_all_payments(state)) for state, rule in kinds)
    feasible = ((state, rule, [*moves.starting_at(0)]) for state, rule, moves in offered if 1 < moves.total <= FEASIBLE)
    return [*islice(feasible, number)]


def chosen_members(move: Move) -> list[tuple[str, Any]]:
    """The members of a move that say what is chosen."""
    return [(name, getattr(move, name)) for name in move.__struct_fields__ if name != "seat"]


def part_of(move: Move, random: Random) -> Partial:
    """Some of the members of a move, and some of the tokens of its sets, a few of them final."""
    chosen = [member for member in chosen_members(move) if random.random() < 0.6]
    sets = {}
    for name, value in chosen:
        if isinstance(value, tuple):
            tokens = tuple(token for token in value if random.random() < 0.4)
            final = [token for token in tokens if random.random() < 0.2 and tokens.count(token) == value.count(token)]
            sets[name] = Tokens(tokens, frozenset(final))
    return Partial({name: value for name, value in chosen if name not in sets}, sets)


def contains(move: Move, partial: Partial) -> bool:
    """Whether a move contains a partial one, by counting tokens."""
    return all(getattr(move, name) == value for name, value in partial.values.items()) and all(
        Counter(part.chosen) <= (numbers := Counter(getattr(move, name)))
        and all(numbers[token] == part.chosen.count(token) for token in part.final)
        for name, part in partial.sets.items()
    )


def openings_by_listing(moves: list[Move], partial: Partial) -> dict[str, Openings]:
    found: dict[str, Openings] = {}
    for move in moves:
        for name, value in chosen_members(move):
            if isinstance(value, tuple):
                chosen = partial.sets.get(name, Tokens()).chosen
                added: Any = {*(Counter(value) - Counter(chosen))}
            else:
                added = () if name in partial.values else (value,)
            found.setdefault(name, Counter()).update(added)
    return found


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_what_completes_a_partial_move_is_counted_as_listed(game: AnyGame) -> None:
    random = Random(game.id)
    kinds = listed_kinds(game, random, 150)
    assert kinds
    for state, rule, legal in kinds:
        for partial in (Partial(), *(part_of(random.choice(legal), random) for _ in range(3))):
            found = referee.completions(game, state, rule.move, partial, all_payments=True)
            expected = [move for move in legal if contains(move, partial)]
            assert found.total == len(expected)
            assert [*found.starting_at(0)] == expected
            for name, numbers in openings_by_listing(expected, partial).items():
                assert +found.openings(name, partial) == +numbers
        for name, value in chosen_members(random.choice(legal)):
            if isinstance(value, tuple):
                tokens = {token for move in legal for token in getattr(move, name)}.union(*game.components().values())
                ranks = {token: rank for rank, token in enumerate(sorted(tokens))}
                spelled = tuple(sorted(value))[: random.randrange(len(value) + 1)]
                beginning = Beginning(spelled, ranks)
                assert rule.offered_with_all_payments(state).next_ranks(name, beginning) == {
                    ranks[rest[0]] if rest else END
                    for each in (sorted(getattr(move, name)) for move in legal)
                    if tuple(each[: len(spelled)]) == spelled
                    for rest in [each[len(spelled) :]]
                }
