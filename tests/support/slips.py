"""Slips of the pen: mistakes made when a game is written down by hand, one in each otherwise correct record."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

Moves = list[dict[str, Any]]
Slip = tuple[str, int, Moves]
"""What kind of slip it is, the index of the first move that is written otherwise, and all moves with it."""


def a_word(moves: Moves, index: int, random: Random) -> Moves | None:
    """Other tokens than were played: those of a move of the same kind elsewhere."""
    move = moves[index]
    names = [name for name, value in move.items() if name not in ("type", "seat") and value]
    if not names:
        return None
    name = random.choice(names)
    others = [other[name] for other in moves if other["type"] == move["type"] and other[name] not in (move[name], None)]
    return [*moves[:index], {**move, name: random.choice(others)}, *moves[index + 1 :]] if others else None


def a_seat(moves: Moves, index: int, random: Random) -> Moves | None:
    """Another player."""
    move = moves[index]
    seats = sorted({other["seat"] for other in moves if "seat" in other} - {move.get("seat")})
    if "seat" not in move:
        return None
    return [*moves[:index], {**move, "seat": random.choice(seats)}, *moves[index + 1 :]]


def forgotten(moves: Moves, index: int, _: Random) -> Moves | None:
    return [*moves[:index], *moves[index + 1 :]]


def doubled(moves: Moves, index: int, _: Random) -> Moves | None:
    return [*moves[: index + 1], *moves[index:]]


def swapped(moves: Moves, index: int, _: Random) -> Moves | None:
    """Two moves in the wrong order."""
    return [*moves[:index], *reversed(moves[index : index + 2]), *moves[index + 2 :]]


KINDS: Sequence[Callable[[Moves, int, Random], Moves | None]] = (a_word, a_seat, forgotten, doubled, swapped)


def slip(moves: Moves, random: Random) -> Slip:
    """One slip at a random place."""
    while True:
        make = random.choice(KINDS)
        made = make(moves, random.randrange(len(moves)), random)
        if made is None:
            continue
        first = first_difference(moves, made)
        if first is not None:
            return make.__name__, first, made


def first_difference(one: Moves, other: Moves) -> int | None:
    """The index at which two lists of moves begin to differ; None if they are equal."""
    pairs = zip(one, other, strict=False)
    parting = next((index for index, (mine, yours) in enumerate(pairs) if mine != yours), min(len(one), len(other)))
    return None if parting == len(one) == len(other) else parting
