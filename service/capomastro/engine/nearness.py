"""Nearness of moves: what somebody who wrote down a move that is not legal may have meant.

The distance of two moves is the number of changes that make one of the other (docs/records.md says the same):

- another kind of move counts 3, another seat 2, and what only one of the two kinds says counts as missing;
- a value in place of another counts 2, or 1 if they are related: tokens that share a part ("red-7" and "red-5"),
  numbers next to each other;
- of several cards or tiles, each exchanged one counts like a value in place of another, each missing one and each one
  too many counts 2.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nsmallest
from itertools import chain, islice
from typing import Any

import msgspec

from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision, Move, Moves, SeatMove
from capomastro.engine.game import Game
from capomastro.engine.multisets import Multiset, plus

KIND, SEAT, MISSING, OTHER, RELATED = 3, 2, 2, 2, 1

MOST_LISTED = 1000
"""Of a kind with more legal moves not all of them are compared."""

SAMPLED = 200
"""So many of them are compared, evenly spaced, besides those that are one change away."""

MOST_EXCHANGES = 400
"""So many changes of one set are tried; no usual hand has more."""


class Near(msgspec.Struct, frozen=True):
    """A legal move near another one: their distance, and the members in which they differ."""

    move: Move
    distance: int
    differs: tuple[str, ...]


def nearest(game: Game[Any], state: Any, move: Move, most: int) -> list[Near]:
    """The legal moves nearest to `move`, nearest first, then in the order of the list of legal moves."""
    found: dict[Move, Near] = {}
    for other in alternatives(game, state, move):
        if other not in found:
            differing = differences(move, other)
            found[other] = Near(other, sum(differing.values()), tuple(differing))
    return nsmallest(most, found.values(), key=lambda near: near.distance)


def differences(one: Move, other: Move) -> dict[str, int]:
    """How far two moves are apart, by member; only members in which they differ."""
    mine, yours = msgspec.structs.asdict(one), msgspec.structs.asdict(other)
    found = {"type": KIND if type(one) is not type(other) else 0}
    for name in mine | yours:
        if name in mine and name in yours:
            value, wanted = mine[name], yours[name]
            if value != wanted:
                found[name] = SEAT if name == "seat" else change(value, wanted)
        else:
            value = mine.get(name, yours.get(name))
            found[name] = MISSING * (len(value) if isinstance(value, tuple) else 1)
    return {name: distance for name, distance in found.items() if distance}


def change(value: Any, wanted: Any) -> int:
    """What it counts to have `value` become `wanted`."""
    if isinstance(value, tuple) and isinstance(wanted, tuple):
        return changes(value, wanted)
    return RELATED if related(value, wanted) else OTHER


def changes(values: tuple[Any, ...], wanted: tuple[Any, ...]) -> int:
    """What it counts to have some components become others, whatever their order."""
    taken = sorted((Counter(values) - Counter(wanted)).elements())
    given = sorted((Counter(wanted) - Counter(values)).elements())
    exchanged = min(len(taken), len(given))
    kindred = related_pairs(*sorted((taken, given), key=len))
    return RELATED * kindred + OTHER * (exchanged - kindred) + MISSING * abs(len(values) - len(wanted))


def related_pairs(few: Sequence[Any], many: Sequence[Any]) -> int:
    """How many pairs of one of `few` and one of `many` can be made at most that are related, each used once."""
    partners: dict[int, int] = {}

    def paired(index: int, tried: set[int]) -> bool:
        for place, other in enumerate(many):
            if place not in tried and related(few[index], other):
                tried.add(place)
                if place not in partners or paired(partners[place], tried):
                    partners[place] = index
                    return True
        return False

    return sum(paired(index, set()) for index in range(len(few)))


def related(one: Any, other: Any) -> bool:
    """Whether one is easily taken for the other: tokens with a common part, neighbouring numbers."""
    if isinstance(one, str) and isinstance(other, str):
        return not parts(one).isdisjoint(parts(other))
    return type(one) is int and type(other) is int and abs(one - other) == 1


@lru_cache(maxsize=1024)
def parts(token: str) -> frozenset[str]:
    """What a token is put together of."""
    return frozenset(token.split("-"))


# --- what is compared ------------------------------------------------------------------------------------------------


def alternatives(game: Game[Any], state: Any, move: Move) -> Iterable[Move]:
    """The legal moves, of each kind with too long a list samples, and those that are one change away from `move`."""
    here = game.decision_at.get(type(state.stage))
    if here is None:
        return ()
    if isinstance(here, ChanceDecision):
        unseen = [here.rule.move(None)] if here.rule.goes_unseen_to(state) is not None else []
        return [*unseen, *map(here.rule.move, here.rule.outcomes(state).weights)]
    listed = {kind: list(samples(rule.offered(state))) for kind, rule in here.rules.items()}
    compared = chain.from_iterable(listed.values())
    if not isinstance(move, SeatMove) or type(move) not in listed:
        return compared
    # what is accepted without being listed, such as a card more than needed or of a hand that nobody has seen, can be
    # the nearest all the same
    seated = msgspec.structs.replace(move, seat=here.seat(state))
    nearby = chain([seated], exchanges(seated, listed[type(move)]))
    return chain(compared, (other for other in nearby if referee.refusal(game, state, other) is None))


def samples(moves: Moves) -> Iterator[Move]:
    """Moves of one kind: all, or of a long list evenly spaced ones."""
    if moves.total <= MOST_LISTED:
        return moves.starting_at(0)
    return (moves.pick(index * moves.total // SAMPLED) for index in range(SAMPLED))


def exchanges(move: Move, same_kind: Sequence[Move]) -> Iterator[Move]:
    """`move` with another value, or with one component of a set less, more or exchanged.

    Legal moves of the same kind say which values, components and sizes of sets there are.
    """
    for name in move.__struct_fields__:
        value = getattr(move, name)
        seen = [getattr(other, name) for other in same_kind]
        if isinstance(value, tuple):
            # the size that was recorded can be as well; where nothing is seen, fewer down to one
            fewest = min(len(value), min(map(len, seen), default=1))
            most = max([len(value), *map(len, seen)])
            known = sorted(set(chain.from_iterable(seen)))
            changed = (one for one in one_change(value, known) if fewest <= len(one) <= most)
        else:
            changed = (one for one in dict.fromkeys(seen) if one != value)
        yield from (msgspec.structs.replace(move, **{name: one}) for one in islice(changed, MOST_EXCHANGES))


def one_change(values: Multiset, known: Sequence[str]) -> Iterator[Multiset]:
    """`values` with one component less, one more, or one exchanged; each once."""
    less = dict.fromkeys(values[:index] + values[index + 1 :] for index in range(len(values)))
    yield from less
    yield from (plus(values, (component,)) for component in known)
    exchanged = (plus(rest, (component,)) for rest in less for component in known)
    yield from dict.fromkeys(exchanged)
