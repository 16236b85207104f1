"""Spelling a move symbol by symbol: which symbols may follow a prefix, exactly, without listing what is too long.

The legal moves are those that the service lists: payments have no superfluous parts, unless all are asked for.
Few moves are listed and compared, member by member. Of many, it is asked with what a set can go on, and which values a
member can have.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import msgspec

from capomastro.engine.decisions import SeatDecision
from capomastro.engine.game import AnyGame, State
from capomastro.engine.moves import Move, Moves, type_of
from capomastro.engine.multisets import Multiset, multiset
from capomastro.engine.partial import END, EVERYTHING_OPEN, Beginning, Partial
from capomastro.engine.referee import offered_by, seat_decision
from capomastro.engine.rules import MoveRule
from capomastro.learning.alphabet import Alphabet, Members, alphabet_of

FEW = 24
"""More are counted. Either way gives the same: listing is quicker for few."""


class Listed(msgspec.Struct, frozen=True, gc=False):
    """A prefix of few moves."""

    alphabet: Alphabet
    members: Members
    """The members still to be spelled, that in progress first."""
    spelled: int
    """How many ids of the member in progress are spelled, if that is a set."""
    groups: Mapping[int, Sequence[Any]]
    """The moves by the id that follows; if the member in progress is a set, each with the ids of that."""
    choices: list[int]
    """The ids that may follow, in ascending order."""

    def then(self, choice: int) -> "Prefix | Move":
        """The prefix with one more id, or the move that it completes; the id must be one of the choices."""
        (_, is_set), *rest = self.members
        moves = self.groups[choice]
        if is_set and choice != self.alphabet.done:
            return listed_by_token(self.alphabet, self.members, moves, self.spelled + 1)
        if is_set:
            moves = [move for _, move in moves]
        return listed_from(self.alphabet, rest, moves) if rest else moves[0]


class Counted(msgspec.Struct, frozen=True, gc=False):
    """A prefix of many moves of one kind."""

    alphabet: Alphabet
    members: Members
    """The members still to be spelled, that in progress first."""
    moves: Moves
    """Those with the members spelled before."""
    make: Callable[..., Move]
    """Makes the move of the members still to be spelled."""
    chosen: Multiset
    """The tokens chosen of the member in progress, if that is a set."""
    choices: list[int]
    """The ids that may follow, in ascending order."""

    def then(self, choice: int) -> "Prefix | Move":
        """The prefix with one more id, or the move that it completes; the id must be one of the choices."""
        (name, is_set), *rest = self.members
        value: Any = self.alphabet.meanings.get(choice)
        if is_set and choice != self.alphabet.done:
            return going_on(self.alphabet, self.members, self.moves, self.make, (*self.chosen, value))
        if is_set:
            value = multiset(self.chosen)
        make = partial(self.make, value)
        return following(self.alphabet, rest, partial(self.moves.completing, Partial({name: value})), make)


class Kinds(msgspec.Struct, frozen=True, gc=False):
    """The empty prefix: a kind of move is to be chosen."""

    alphabet: Alphabet
    state: State
    seat: int
    rules: dict[int, MoveRule[Any, Any]]
    """By the id of a kind with legal moves: its rule."""
    all_payments: bool
    choices: list[int]
    """The ids that may follow, in ascending order."""

    def then(self, choice: int) -> "Prefix | Move":
        """The prefix with one more id, or the move that it completes; the id must be one of the choices."""
        rule = self.rules[choice]
        make: Callable[..., Move] = rule.move
        moves = partial(offered_by, rule, self.state, self.all_payments)
        return following(self.alphabet, self.alphabet.members[choice], moves, partial(make, self.seat))


Prefix = Kinds | Counted | Listed


def following(
    alphabet: Alphabet, members: Members, find_moves: Callable[[], Moves], make: Callable[..., Move]
) -> Prefix | Move:
    """The prefix of moves whose `members` are still to be spelled; the move, if there are none."""
    if not members:
        return make()
    moves = find_moves()
    if moves.total > FEW:
        return going_on(alphabet, members, moves, make)
    return listed_from(alphabet, members, moves.starting_at(0))


def listed_from(alphabet: Alphabet, members: Members, moves: Iterable[Move]) -> Listed:
    """The prefix of a few moves whose `members` are still to be spelled."""
    name, is_set = members[0]
    if is_set:
        spellings = [(alphabet.spelling_of(getattr(move, name)), move) for move in moves]
        return listed_by_token(alphabet, members, spellings, 0)
    groups = defaultdict(list)
    for move in moves:
        groups[alphabet.values[getattr(move, name)]].append(move)
    return Listed(alphabet, members, 0, groups, sorted(groups))


def listed_by_token(
    alphabet: Alphabet, members: Members, spellings: Sequence[tuple[tuple[int, ...], Move]], spelled: int
) -> Listed:
    """The prefix of few moves of whose first member, a set, so many ids are spelled."""
    groups = defaultdict(list)
    for ids, move in spellings:
        groups[ids[spelled]].append((ids, move))
    return Listed(alphabet, members, spelled, groups, sorted(groups))


def going_on(
    alphabet: Alphabet, members: Members, moves: Moves, make: Callable[..., Move], chosen: Multiset = ()
) -> Counted:
    """The prefix of many moves; `chosen`: the tokens spelled of the first member, if that is a set."""
    name, is_set = members[0]
    if is_set:
        ranks = moves.next_ranks(name, Beginning(chosen, alphabet.values))
        choices = [alphabet.done if rank == END else rank for rank in ranks]
    else:
        choices = [alphabet.values[value] for value in moves.openings(name, EVERYTHING_OPEN)]
    return Counted(alphabet, members, moves, make, chosen, sorted(choices))


def empty_prefix(game: AnyGame, state: State, all_payments: bool = False) -> Kinds:
    """The beginning of every legal move of the seat that decides, all of whose cards are known.

    Raises:
        ValueError: if no seat decides.
    """
    decision = seat_decision(game, state)
    rules = rules_by_id(game, decision)
    if len(rules) > 1:  # an only kind is always possible
        rules = {kind: rule for kind, rule in rules.items() if rule.is_offered(state)}
    return Kinds(alphabet_of(game), state, decision.seat(state), rules, all_payments, [*rules])


@cache
def rules_by_id(game: AnyGame, decision: SeatDecision[Any]) -> dict[int, MoveRule[Any, Any]]:
    """The rules of a decision by the ids of their kinds of moves, in ascending order."""
    kinds = alphabet_of(game).kinds
    rules = {kinds[type_of(kind)]: rule for kind, rule in decision.rules.items()}
    return {kind: rules[kind] for kind in sorted(rules)}
