"""Spelling a move symbol by symbol: which symbols may follow a prefix, exactly, without listing what is too long.

The legal moves are those that the service lists: payments have no superfluous parts, unless all are asked for.
Few moves are listed and compared, member by member. Many are counted: of a set, the moves with no more of a token than
chosen are counted for one token after the other; a token may follow if that leaves out some.
"""

from typing import Any, NamedTuple

from capomastro.engine.decisions import ListedMoves, Move, Moves, type_of
from capomastro.engine.game import AnyGame, State
from capomastro.engine.multisets import Multiset
from capomastro.engine.partial import Partial, Tokens
from capomastro.engine.referee import offered_by, seat_decision
from capomastro.learning.alphabet import Alphabet, Members, Value, alphabet_of

FEW = 24
"""More are counted. Either way gives the same: listing is quicker for few."""


class Listed(NamedTuple):
    """A prefix of few moves, each with the ids of its member in progress, of which so many are `spelled`."""

    alphabet: Alphabet
    members: Members
    """The members still to be spelled, that in progress first."""
    spellings: list[tuple[tuple[int, ...], Move]]
    spelled: int

    @property
    def choices(self) -> list[int]:
        """The ids that may follow, in ascending order."""
        return sorted({ids[self.spelled] for ids, _ in self.spellings})

    def then(self, choice: int) -> "Prefix | Move":
        """The prefix with one more id, or the move that it completes; the id must be one of the choices."""
        kept = [each for each in self.spellings if each[0][self.spelled] == choice]
        if len(kept[0][0]) > self.spelled + 1:
            return Listed(self.alphabet, self.members, kept, self.spelled + 1)
        return following(self.alphabet, self.members[1:], ListedMoves([move for _, move in kept]))


class Counted(NamedTuple):
    """A prefix of many moves of one kind."""

    alphabet: Alphabet
    members: Members
    """The members still to be spelled, that in progress first."""
    chosen: Multiset
    """The tokens chosen, if that is a set."""
    offered: dict[int, tuple[Value, Moves]]
    """By id that may follow: what it stands for, and moves among which are those that go on with it."""

    @property
    def choices(self) -> list[int]:
        """The ids that may follow, in ascending order."""
        return sorted(self.offered)

    def then(self, choice: int) -> "Prefix | Move":
        """The prefix with one more id, or the move that it completes; the id must be one of the choices."""
        value, moves = self.offered[choice]
        (name, is_set), *rest = self.members
        if choice == self.alphabet.done:
            return following(self.alphabet, rest, moves)
        if not is_set:
            return following(self.alphabet, rest, moves.completing(Partial({name: value})))
        chosen = (*self.chosen, str(value))
        moves = moves.completing(of_set(name, chosen, value))
        return following(self.alphabet, self.members, moves, chosen)


class Kinds(NamedTuple):
    """The empty prefix: a kind of move is to be chosen."""

    alphabet: Alphabet
    offered: dict[int, Moves]

    @property
    def choices(self) -> list[int]:
        """The ids that may follow, in ascending order."""
        return sorted(self.offered)

    def then(self, choice: int) -> "Prefix | Move":
        """The prefix with one more id, or the move that it completes; the id must be one of the choices."""
        return following(self.alphabet, self.alphabet.members[choice], self.offered[choice])


Prefix = Kinds | Counted | Listed


def following(alphabet: Alphabet, members: Members, moves: Moves, chosen: Multiset = ()) -> Prefix | Move:
    """The prefix of moves of which these members are still to be spelled; the only move, if there are none.

    `chosen`: the tokens spelled of the first, if that is a set.
    """
    if not members:
        return moves.pick(0)
    name, is_set = members[0]
    if moves.total <= FEW or isinstance(moves, ListedMoves):
        spellings = [(alphabet.spelling_of(getattr(move, name)), move) for move in moves.starting_at(0)]
        return Listed(alphabet, members, spellings, len(chosen))
    openings = moves.openings(name, Partial(sets={name: Tokens(chosen)}))
    if not is_set:
        return Counted(alphabet, members, (), {alphabet.values[value]: (value, moves) for value in openings})
    offered: dict[int, tuple[Value, Moves]] = {}
    for token in sorted(openings, key=alphabet.values.__getitem__):
        no_more = moves.completing(of_set(name, chosen, token, is_final=True))
        if no_more.total < moves.total:
            offered[alphabet.values[token]] = (token, moves)
        moves = no_more
    if moves.total:
        offered[alphabet.done] = (None, moves)
    return Counted(alphabet, members, chosen, offered)


def of_set(name: str, chosen: Multiset, token: Any, *, is_final: bool = False) -> Partial:
    """A set with so many of a token, or, if that `is_final`, exactly so many; what else is chosen is left open."""
    return Partial(sets={name: Tokens((token,) * chosen.count(token), frozenset((token,) if is_final else ()))})


def empty_prefix(game: AnyGame, state: State, all_payments: bool = False) -> Kinds:
    """The beginning of every legal move of the seat that decides.

    Raises:
        ValueError: if no seat decides.
    """
    alphabet = alphabet_of(game)
    offered = {
        alphabet.kinds[type_of(kind)]: moves
        for kind, rule in seat_decision(game, state).rules.items()
        if (moves := offered_by(rule, state, all_payments)).total
    }
    return Kinds(alphabet, offered)
