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
from heapq import nsmallest
from itertools import chain, islice
from typing import Any

import msgspec

from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision, Move, SeatMove
from capomastro.engine.game import Game
from capomastro.engine.multisets import Multiset, plus

KIND, SEAT, MISSING, OTHER, RELATED = 3, 2, 2, 2, 1

MOST_LISTED = 1000
"""A list of legal moves that is longer is not compared as a whole."""

SAMPLED = 200
"""So many moves of a longer list are compared, evenly spaced, besides what is one exchange away."""

MOST_EXCHANGES = 400
"""So many exchanges are tried of one set; no usual hand has more."""


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
        elif not (name == "seat" and isinstance(one, SeatMove) and isinstance(other, SeatMove)):
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
    kindred = 0
    for value in taken:
        partner = next((one for one in given if related(value, one)), None)
        if partner is not None:
            given.remove(partner)
            kindred += 1
    return RELATED * kindred + OTHER * (exchanged - kindred) + MISSING * abs(len(values) - len(wanted))


def related(one: Any, other: Any) -> bool:
    """Whether one is easily taken for the other: tokens with a common part, neighbouring numbers."""
    if isinstance(one, str) and isinstance(other, str):
        return not set(one.split("-")).isdisjoint(other.split("-"))
    return type(one) is int and type(other) is int and abs(one - other) == 1


# --- what is compared ------------------------------------------------------------------------------------------------


def alternatives(game: Game[Any], state: Any, move: Move) -> Iterable[Move]:
    """The legal moves; of a list too long for that, samples and what is one exchange away from `move`."""
    here = game.decision_at.get(type(state.stage))
    if here is None:
        return ()
    if isinstance(here, ChanceDecision):
        unseen = [here.rule.move(None)] if here.rule.goes_unseen_to(state) is not None else []
        return [*unseen, *map(here.rule.move, here.rule.outcomes(state).weights)]
    moves = referee.legal_moves(game, state)
    if moves.total <= MOST_LISTED:
        compared = list(moves.starting_at(0))
    else:
        compared = [moves.pick(index * moves.total // SAMPLED) for index in range(SAMPLED)]
    # what is accepted without being listed, such as a card more than needed, can be the nearest all the same
    return chain(compared, exchanges(game, state, move, compared))


def exchanges(game: Game[Any], state: Any, move: Move, samples: Iterable[Move]) -> Iterator[Move]:
    """Legal moves that are `move` with one component of a set less, more or exchanged.

    `samples` of the same kind say which components and sizes of sets there are.
    """
    same_kind = [other for other in samples if type(other) is type(move)]
    if not same_kind:
        return
    here: Move = msgspec.structs.replace(move, seat=referee.decision(game, state).seat)
    for name in move.__struct_fields__:
        value = getattr(move, name)
        if isinstance(value, tuple):
            seen = [getattr(other, name) for other in same_kind]
            known = sorted(set(chain.from_iterable(seen)))
            sizes = range(min(map(len, seen)), max(map(len, seen)) + 1)
            for changed in islice(one_change(value, known), MOST_EXCHANGES):
                other = msgspec.structs.replace(here, **{name: changed})
                if len(changed) in sizes and referee.refusal(game, state, other) is None:
                    yield other


def one_change(values: Multiset, known: Sequence[str]) -> Iterator[Multiset]:
    """`values` with one component less, one more, or one exchanged."""
    less = [values[:index] + values[index + 1 :] for index in range(len(values))]
    yield from less
    yield from (plus(values, (component,)) for component in known)
    yield from (plus(rest, (component,)) for rest in less for component in known)
