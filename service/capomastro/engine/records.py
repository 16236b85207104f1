"""Records: playing one again, as far as it is legal or leniently beyond that."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision, ChanceMove, Move, SeatDecision, SeatMove
from capomastro.engine.events import Event
from capomastro.engine.game import Game
from capomastro.engine.nearness import nearest
from capomastro.engine.refusals import Refusal


class Replayed(msgspec.Struct, frozen=True):
    """How far a record could be followed: the state there, the number of moves played, and why no further if so."""

    state: Any
    plies: int
    refusal: Refusal | None = None


def replay(game: Game[Any], state: Any, moves: Iterable[Move]) -> Replayed:
    """Plays `moves` from `state` until the end or the first that is not legal."""
    plies = 0
    for move in moves:
        refusal = referee.refusal(game, state, move)
        if refusal is not None:
            return Replayed(state, plies, refusal)
        state, _ = referee.play(game, state, move)
        plies += 1
    return Replayed(state, plies)


def followed(game: Game[Any], state: Any, moves: Iterable[Move]) -> tuple[Any, list[Event]]:
    """The state after legal `moves`, and all events on the way."""
    events: list[Event] = []
    for move in moves:
        state, happened = referee.play(game, state, move)
        events += happened
    return state, events


# --- where a record departs from the rules ---------------------------------------------------------------------------


class Departure(StrEnum):
    """In what way a recorded move does not belong where it stands."""

    ILLEGAL_MOVE = "illegal-move"
    OUT_OF_TURN = "out-of-turn"
    MISSING_CHANCE = "missing-chance"
    MISSING_MOVE = "missing-move"
    AFTER_THE_END = "after-the-end"


def departure(game: Game[Any], state: Any, move: Move) -> Departure:
    """In what way a `move` that is refused in `state` departs from the rules."""
    here = game.decision_at.get(type(state.stage))
    if here is None:
        return Departure.AFTER_THE_END
    if isinstance(here, ChanceDecision):
        return Departure.ILLEGAL_MOVE if isinstance(move, ChanceMove) else Departure.MISSING_CHANCE
    if not isinstance(move, SeatMove):
        return Departure.MISSING_MOVE
    return Departure.ILLEGAL_MOVE if move.seat == here.seat(state) else Departure.OUT_OF_TURN


# --- going on all the same -------------------------------------------------------------------------------------------

MOST_DIVERGENCES = 100
"""After so many divergences a record is not followed any further."""

LOOKED_AHEAD = 12
"""So many recorded moves are tried after each possible repair."""

MOST_REPLACEMENTS = 8
MOST_INSERTIONS = 40


class Repair(StrEnum):
    """How a record is followed beyond a move that is not legal."""

    SKIP = "skip"
    CORRECT = "correct"


class Remedy(msgspec.Struct, frozen=True, tag_field="action", omit_defaults=True):
    """What was done about a move that is not legal."""


class LeftOut(Remedy, frozen=True, tag="left-out"):
    """It was not played."""


class Replaced(Remedy, frozen=True, tag="replaced"):
    """This move was played in its place."""

    move: Move


class Inserted(Remedy, frozen=True, tag="inserted"):
    """This move was played before it."""

    move: Move


class Divergence(msgspec.Struct, frozen=True):
    """A recorded move that is not legal in `state`, where the moves before it have led, and what was done about it.

    All but the first are conditional: they presuppose that what was done is what happened.
    """

    index: int
    state: Any
    refusal: Refusal
    remedy: Remedy


class Followed(msgspec.Struct, frozen=True):
    """How a record went on: every divergence, and the state it led to.

    `to_the_end` is false if there were too many divergences to look at the rest.
    """

    divergences: tuple[Divergence, ...]
    state: Any
    to_the_end: bool


def follow(game: Game[Any], state: Any, moves: Sequence[Move], index: int, repair: Repair) -> Followed:
    """Plays `moves` from `index` on, which stands in `state`, going on after those that are not legal.

    `SKIP` leaves them out. `CORRECT` chooses, of all remedies, the one after which the record goes furthest before the
    next move that is not legal, looking a few moves ahead; among equals a replacement before an insertion before
    leaving out, and of several moves the nearest.
    """
    divergences: list[Divergence] = []
    while index < len(moves):
        move = moves[index]
        refusal = referee.refusal(game, state, move)
        if refusal is None:
            state, _ = referee.play(game, state, move)
            index += 1
            continue
        if len(divergences) == MOST_DIVERGENCES:
            return Followed(tuple(divergences), state, to_the_end=False)
        remedy = LeftOut() if repair is Repair.SKIP else best_remedy(game, state, moves[index : index + LOOKED_AHEAD])
        divergences.append(Divergence(index, state, refusal, remedy))
        state = remedied(game, state, remedy)
        index += not isinstance(remedy, Inserted)
    return Followed(tuple(divergences), state, to_the_end=True)


def best_remedy(game: Game[Any], state: Any, moves: Sequence[Move]) -> Remedy:
    """The remedy for the first of `moves` after which they can be followed furthest."""
    best: Remedy = LeftOut()
    furthest = -1
    for remedy in remedies(game, state, moves[0]):
        after = remedied(game, state, remedy)
        done = 0 if isinstance(remedy, Inserted) else 1
        reached = done + replay(game, after, moves[done:]).plies
        if reached > furthest:
            best, furthest = remedy, reached
        if reached == len(moves):
            break
    return best


def remedied(game: Game[Any], state: Any, remedy: Remedy) -> Any:
    """The state after what `remedy` plays."""
    if isinstance(remedy, Replaced | Inserted):
        state, _ = referee.play(game, state, remedy.move)
    return state


def remedies(game: Game[Any], state: Any, move: Move) -> Iterator[Remedy]:
    """All that is tried in place of a `move` that is not legal, what is preferred among equals first."""
    here = game.decision_at.get(type(state.stage))
    if here is not None:
        near = [one.move for one in nearest(game, state, move, MOST_INSERTIONS)]
        of_its_kind = isinstance(move, SeatMove) == isinstance(here, SeatDecision)
        if of_its_kind:
            yield from (Replaced(other) for other in near[:MOST_REPLACEMENTS])
        if isinstance(here, ChanceDecision) and here.rule.goes_unseen_to(state) is not None:
            yield Inserted(here.rule.move(None))  # rather than a card that nobody wrote down
        yield from (Inserted(other) for other in near)
    yield LeftOut()
