"""Spelling a move symbol by symbol: which symbols may follow a prefix, exactly, without listing what is too long.

The legal moves are those that the service lists: payments have no superfluous parts, unless all are asked for.
Few moves are spelled and compared. Of many, each symbol is tried: it may follow if the number of legal moves that go on
with it is not zero.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

from capomastro.engine.decisions import Move, Moves, type_of
from capomastro.engine.game import AnyGame, State
from capomastro.engine.partial import Partial, Tokens
from capomastro.engine.referee import offered_by, seat_decision
from capomastro.engine.selections import FEW
from capomastro.learning.alphabet import NOT_CHOSEN, Alphabet, Value, alphabet_of


@dataclass(frozen=True)
class Listed:
    """A prefix of few moves: their spellings, all of which begin with it."""

    spellings: dict[tuple[int, ...], Move]
    length: int = 0
    """The number of ids spelled."""

    @property
    def choices(self) -> list[int]:
        """The ids that may follow, in ascending order."""
        return sorted({spelling[self.length] for spelling in self.spellings})

    def then(self, choice: int) -> "Prefix | Move":
        """The prefix with one more id, or the move that it completes; the id must be one of the choices."""
        kept = {ids: move for ids, move in self.spellings.items() if ids[self.length] == choice}
        ids, move = next(iter(kept.items()))
        return move if len(ids) == self.length + 1 else Listed(kept, self.length + 1)


@dataclass(frozen=True)
class Counted:
    """A prefix of many moves of one kind: the members chosen, and of a set the tokens so far."""

    alphabet: Alphabet
    moves: Moves
    members: tuple[str, ...]
    """The members still to be spelled, that in progress first."""
    is_set: dict[str, bool]
    partial: Partial
    spelled: tuple[int, ...]

    @property
    def choices(self) -> list[int]:
        """The ids that may follow, in ascending order."""
        name, of_value = self.members[0], self.alphabet.values
        openings = self.moves.openings(self.partial).get(name, Counter())
        if not self.is_set[name]:
            return sorted([of_value[value] for value, number in openings.items() if number])
        last = max([of_value[token] for token in self._tokens().chosen], default=-1)
        tried = [of_value[token] for token, number in openings.items() if number and of_value[token] >= last]
        found = [choice for choice in sorted(tried) if self._with(choice)[0].total]
        return [self.alphabet.done, *found] if self._with(self.alphabet.done)[0].total else found

    def then(self, choice: int) -> "Prefix | Move":
        """The prefix with one more id, or the move that it completes; the id must be one of the choices."""
        moves, partial, is_complete = self._with(choice)
        spelled = (*self.spelled, choice)
        if moves.total <= FEW:
            return of_few(self.alphabet, moves, len(spelled))
        members = self.members[1:] if is_complete else self.members
        return replace(self, moves=moves, members=members, partial=partial, spelled=spelled)

    def _tokens(self) -> Tokens:
        return self.partial.sets.get(self.members[0], Tokens())

    def _with(self, choice: int) -> tuple[Moves, Partial, bool]:
        """The moves that go on with an id, what is chosen then, and whether that completes the member."""
        name, values = self.members[0], self.alphabet.values
        if self.is_set[name]:
            tokens = [value for value, index in values.items() if isinstance(value, str) and index < choice]
            if choice == self.alphabet.done:
                tokens = [value for value in values if isinstance(value, str)]
                chosen = self._tokens().chosen
            else:
                chosen = (*self._tokens().chosen, self.alphabet.symbols[choice])
            partial = self.partial._replace(sets={**self.partial.sets, name: Tokens(chosen, frozenset(tokens))})
            return self.moves.completing(partial), partial, choice == self.alphabet.done
        value: Value = next(value for value, index in values.items() if index == choice)
        partial = self.partial._replace(values={**self.partial.values, name: value})
        return self.moves.completing(partial), partial, True


@dataclass(frozen=True)
class Kinds:
    """The empty prefix: a kind of move is to be chosen."""

    alphabet: Alphabet
    offered: dict[int, tuple[type[Move], Moves]] = field(default_factory=dict)

    @property
    def choices(self) -> list[int]:
        """The ids that may follow, in ascending order."""
        return sorted(self.offered)

    def then(self, choice: int) -> "Prefix | Move":
        """The prefix with one more id, or the move that it completes; the id must be one of the choices."""
        kind, moves = self.offered[choice]
        if moves.total <= FEW:
            return of_few(self.alphabet, moves, 1)
        members = tuple(name for name in kind.__struct_fields__ if name not in NOT_CHOSEN)
        example = moves.pick(0)
        is_set = {name: isinstance(getattr(example, name), tuple) for name in members}
        return Counted(self.alphabet, moves, members, is_set, Partial(), (choice,))


Prefix = Kinds | Counted | Listed


def of_few(alphabet: Alphabet, moves: Moves, length: int) -> "Prefix | Move":
    """What `length` ids begin, with which few moves go on; the only one, if they are all of it."""
    spellings = {alphabet.spelling(move): move for move in moves.starting_at(0)}
    ((ids, move), *rest) = spellings.items()
    return move if not rest and len(ids) == length else Listed(spellings, length)


def empty_prefix(game: AnyGame, state: State, all_payments: bool = False) -> Kinds:
    """The beginning of every legal move of the seat that decides.

    Raises:
        ValueError: if no seat decides.
    """
    alphabet = alphabet_of(game)
    offered = {
        alphabet.kinds[type_of(kind)]: (kind, moves)
        for kind, rule in seat_decision(game, state).rules.items()
        if (moves := offered_by(rule, state, all_payments)).total
    }
    return Kinds(alphabet, offered)
