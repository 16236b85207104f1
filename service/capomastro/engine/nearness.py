"""Nearness of moves: finds what the writer of an illegal move may have meant.

The distance of two moves is the cost of the changes from one to the other (see also docs/records.md):

- another kind of move costs 3, another seat 2; members that only one of the kinds has count as missing;
- another value costs 2, or 1 if the two are related: tokens that share a part ("red-7" and "red-5"), consecutive
  numbers;
- in a set of cards or tiles, each exchanged one costs like another value, each missing or superfluous one costs 2.
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import chain, islice
from typing import Any

import msgspec

from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move, Moves
from capomastro.engine.multisets import Multiset, plus

KIND, SEAT, MISSING, OTHER, RELATED = 3, 2, 2, 2, 1

MAXIMUM_COMPARED = 1000
"""If a kind has more legal moves, only a sample is compared."""

SAMPLE_SIZE = 200
"""Size of the evenly spaced sample, which is compared in addition to moves that are one change away."""

MAXIMUM_EXCHANGES = 400
"""Maximum number of changes of one set that are tried; usual hands have fewer."""


class Near(msgspec.Struct, frozen=True):
    """A legal move near another move: their distance, and the members in which they differ."""

    move: Move
    distance: int
    differs: tuple[str, ...]


def nearest(game: AnyGame, state: Any, move: Move, most: int) -> list[Near]:
    """The legal moves nearest to `move`, nearest first; ties in the order of the list of legal moves."""
    found: dict[Move, Near] = {}
    for legal in alternatives(game, state, move):
        if legal not in found:
            differing = differences(move, legal)
            found[legal] = Near(legal, sum(differing.values()), tuple(differing))
    return nsmallest(most, found.values(), key=lambda near: near.distance)


def differences(move: Move, legal: Move) -> dict[str, int]:
    """The distance of two moves by member; only members in which they differ."""
    members, wanted = msgspec.structs.asdict(move), msgspec.structs.asdict(legal)
    found = {"type": KIND if type(move) is not type(legal) else 0}
    for name in members | wanted:
        if name in members and name in wanted:
            if members[name] != wanted[name]:
                found[name] = SEAT if name == "seat" else change(members[name], wanted[name])
        else:
            value = members.get(name, wanted.get(name))
            found[name] = MISSING * (len(value) if isinstance(value, tuple) else 1)
    return {name: distance for name, distance in found.items() if distance}


def change(value: Any, wanted: Any) -> int:
    """The cost of changing `value` into `wanted`."""
    if isinstance(value, tuple) and isinstance(wanted, tuple):
        return changes(value, wanted)
    return RELATED if related(value, wanted) else OTHER


def changes(values: tuple[Any, ...], wanted: tuple[Any, ...]) -> int:
    """The cost of changing some components into others, in any order."""
    taken, given = list(values), []
    for each in wanted:  # sets are small: counting their components would take longer
        if each in taken:
            taken.remove(each)
        else:
            given.append(each)
    taken.sort()
    given.sort()
    exchanged = min(len(taken), len(given))
    kindred = related_pairs(*sorted((taken, given), key=len))
    return RELATED * kindred + OTHER * (exchanged - kindred) + MISSING * abs(len(values) - len(wanted))


def related_pairs(few: Sequence[Any], many: Sequence[Any]) -> int:
    """The maximum number of related pairs of one of `few` and one of `many`, each used once (bipartite matching)."""
    partners: dict[int, int] = {}

    def paired(index: int, tried: set[int]) -> bool:
        for place, candidate in enumerate(many):
            if place not in tried and related(few[index], candidate):
                tried.add(place)
                if place not in partners or paired(partners[place], tried):
                    partners[place] = index
                    return True
        return False

    return sum(paired(index, set()) for index in range(len(few)))


def related(value: Any, wanted: Any) -> bool:
    """Whether one value is easily mistaken for another: tokens with a common part, consecutive numbers."""
    if isinstance(value, str) and isinstance(wanted, str):
        return not parts(value).isdisjoint(parts(wanted))
    return type(value) is int and type(wanted) is int and abs(value - wanted) == 1


def parts(token: str) -> frozenset[str]:
    """The parts of a token."""
    return frozenset(token.split("-"))


# --- moves to compare ------------------------------------------------------------------------------------------------


def alternatives(game: AnyGame, state: Any, move: Move) -> Iterable[Move]:
    """The legal moves (a sample, if a kind has too many), and legal moves one change away from `move`."""
    decision = game.decision_at.get(type(state.stage))
    if decision is None:
        return ()
    if isinstance(decision, ChanceDecision):
        unseen = [decision.rule.move(None)] if decision.rule.sole_witness(state) is not None else []
        return [*unseen, *map(decision.rule.move, decision.rule.outcomes(state).weights)]
    listed = {kind: list(samples(rule.offered(state))) for kind, rule in decision.rules.items()}
    compared = chain.from_iterable(listed.values())
    if type(move) not in listed:
        return compared
    # moves that are accepted but not listed, such as those with a superfluous or unknown card, can be the nearest too
    seated = msgspec.structs.replace(move, seat=decision.seat(state))
    nearby = chain([seated], exchanges(seated, listed[type(move)]))
    return chain(compared, (near for near in nearby if referee.refusal(game, state, near) is None))


def samples(moves: Moves) -> Iterator[Move]:
    """All moves of one kind, or an evenly spaced sample of a long list."""
    if moves.total <= MAXIMUM_COMPARED:
        return moves.starting_at(0)
    return (moves.pick(index * moves.total // SAMPLE_SIZE) for index in range(SAMPLE_SIZE))


def exchanges(move: Move, same_kind: Sequence[Move]) -> Iterator[Move]:
    """`move` with another value, or with one component of a set removed, added or exchanged.

    Values, components and sizes of sets are those of legal moves of the same kind.
    """
    for name in move.__struct_fields__:
        value = getattr(move, name)
        seen = [getattr(legal, name) for legal in same_kind]
        if isinstance(value, tuple):
            # the recorded size is possible as well; without legal moves, sizes down to one
            fewest = min(len(value), min(map(len, seen), default=1))
            most = max([len(value), *map(len, seen)])
            known = sorted(set(chain.from_iterable(seen)))
            changed = (each for each in one_change(value, known) if fewest <= len(each) <= most)
        else:
            changed = (each for each in dict.fromkeys(seen) if each != value)
        yield from (msgspec.structs.replace(move, **{name: each}) for each in islice(changed, MAXIMUM_EXCHANGES))


def one_change(values: Multiset, known: Sequence[str]) -> Iterator[Multiset]:
    """`values` with one component removed, added or exchanged; each result once."""
    less = dict.fromkeys(values[:index] + values[index + 1 :] for index in range(len(values)))
    yield from less
    yield from (plus(values, (component,)) for component in known)
    exchanged = (plus(rest, (component,)) for rest in less for component in known)
    yield from dict.fromkeys(exchanged)
