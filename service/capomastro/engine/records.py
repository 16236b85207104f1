"""Records: replays them as far as they are legal, or leniently beyond that."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision, ChanceMove, Move, SeatDecision, SeatMove
from capomastro.engine.game import Game, RulesVersion, SchemaVersion
from capomastro.engine.members import (
    FEWEST_PLAYERS,
    MOST_MOVES,
    MOST_PLAYERS,
    Document,
    GameId,
    Names,
    PlayerCount,
)
from capomastro.engine.nearness import nearest
from capomastro.engine.refusals import Refusal
from capomastro.engine.results import MOST_POINTS
from capomastro.engine.steps import Refused, play_steps

RecordId = Annotated[str, Meta(min_length=1, max_length=200, title="Id of a record", examples=["club-evening-17"])]
"""An id given by the keeper of the record. Echoed and otherwise ignored."""

Tags = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=100)], Annotated[str, Meta(max_length=1000)]],
    Meta(max_length=50, title="Tags", examples=[{"date": "2024-03-09", "place": "Bologna", "written_by": "Ada"}]),
]
"""Anything worth keeping with a record: the date, the place, the writer. Echoed and otherwise ignored."""

Totals = Annotated[
    tuple[Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)], ...],
    Meta(min_length=FEWEST_PLAYERS, max_length=MOST_PLAYERS, title="Totals", examples=[[21, 18, -5]]),
]
"""The players' points by seat."""


class Record(msgspec.Struct, kw_only=True):
    """A whole game, from the set-up through every move, including those of chance, so that it can be replayed."""

    game: GameId
    """The id of the game."""
    schema_version: SchemaVersion
    rules_version: RulesVersion
    id: RecordId | UnsetType = UNSET
    tags: Tags | UnsetType = UNSET
    players: PlayerCount
    names: Names | UnsetType = UNSET
    options: Annotated[Any, Document("options")]
    moves: Annotated[list[Annotated[Any, Document("move")]], Meta(max_length=MOST_MOVES)]
    """The moves in the order in which they were played; the game need not have ended."""
    result: Annotated[Any, Document("result")] | UnsetType = UNSET
    """The claimed result."""
    totals: Totals | UnsetType = UNSET
    """The claimed points by seat, if the whole result was not recorded."""


class Replayed(msgspec.Struct, frozen=True):
    """How far a record could be replayed: the state reached, the number of moves played, and the refusal, if any."""

    state: Any
    plies: int
    refusal: Refusal | None = None


def replay(game: Game[Any], state: Any, moves: Iterable[Move]) -> Replayed:
    """Plays `moves` from `state` until the end or the first illegal one."""
    plies = 0
    try:
        for step in play_steps(game, state, moves):
            state = step.after
            plies += 1
    except Refused as refused:
        return Replayed(state, plies, refused.refusal)
    return Replayed(state, plies)


# --- kinds of divergences --------------------------------------------------------------------------------------------


class Departure(StrEnum):
    """How a recorded move departs from the rules."""

    ILLEGAL_MOVE = "illegal-move"
    OUT_OF_TURN = "out-of-turn"
    MISSING_CHANCE = "missing-chance"
    MISSING_MOVE = "missing-move"
    AFTER_THE_END = "after-the-end"


def departure(game: Game[Any], state: Any, move: Move) -> Departure:
    """How a `move` that is refused in `state` departs from the rules."""
    here = game.decision_at.get(type(state.stage))
    if here is None:
        return Departure.AFTER_THE_END
    if isinstance(here, ChanceDecision):
        return Departure.ILLEGAL_MOVE if isinstance(move, ChanceMove) else Departure.MISSING_CHANCE
    if not isinstance(move, SeatMove):
        return Departure.MISSING_MOVE
    return Departure.ILLEGAL_MOVE if move.seat == here.seat(state) else Departure.OUT_OF_TURN


# --- lenient replay --------------------------------------------------------------------------------------------------

MAXIMUM_DIVERGENCES = 100
"""Number of divergences after which a lenient replay gives up."""

LOOKAHEAD = 12
"""Number of recorded moves tried after each possible remedy."""

MAXIMUM_REPLACEMENTS = 8
MAXIMUM_INSERTIONS = 40


class Repair(StrEnum):
    """How a replay continues beyond an illegal move."""

    SKIP = "skip"
    CORRECT = "correct"


Action = Literal["left-out", "replaced", "inserted"]


class Remedy(msgspec.Struct, frozen=True):
    """How an illegal move was repaired: it was "left-out", "replaced" by `move`, or `move` was "inserted" before it."""

    action: Action
    move: Move | None = None


LEFT_OUT = Remedy("left-out")


class RepairedMove(msgspec.Struct, frozen=True):
    """A recorded move that is illegal in `state`, the state after the moves before it, and its remedy.

    All but the first are conditional: they depend on the remedies before them.
    """

    index: int
    state: Any
    refusal: Refusal
    remedy: Remedy


class Followed(msgspec.Struct, frozen=True):
    """The outcome of a lenient replay: every divergence, and the state it reached.

    `to_the_end` is false if it gave up after too many divergences.
    """

    divergences: tuple[RepairedMove, ...]
    state: Any
    to_the_end: bool


def follow(game: Game[Any], state: Any, moves: Sequence[Move], index: int, repair: Repair) -> Followed:
    """Plays `moves` from `index` on in `state`, continuing after illegal ones.

    `SKIP` leaves them out. `CORRECT` chooses the remedy after which the record gets furthest before the next illegal
    move, looking a few moves ahead; ties go to a replacement, then an insertion, then leaving out, and to the nearest
    move.
    """
    divergences: list[RepairedMove] = []
    while True:
        replayed = replay(game, state, moves[index:])
        index, state = index + replayed.plies, replayed.state
        if replayed.refusal is None:
            return Followed(tuple(divergences), state, to_the_end=True)
        if len(divergences) == MAXIMUM_DIVERGENCES:
            return Followed(tuple(divergences), state, to_the_end=False)
        remedy = LEFT_OUT if repair is Repair.SKIP else best_remedy(game, state, moves[index : index + LOOKAHEAD])
        divergences.append(RepairedMove(index, state, replayed.refusal, remedy))
        state = remedied(game, state, remedy)
        index += remedy.action != "inserted"


def best_remedy(game: Game[Any], state: Any, moves: Sequence[Move]) -> Remedy:
    """The remedy for the first of `moves` that lets the most of them be played."""
    best = LEFT_OUT
    furthest = -1
    for remedy in remedies(game, state, moves[0]):
        after = remedied(game, state, remedy)
        done = 0 if remedy.action == "inserted" else 1
        reached = done + replay(game, after, moves[done:]).plies
        if reached > furthest:
            best, furthest = remedy, reached
        if reached == len(moves):
            break
    return best


def remedied(game: Game[Any], state: Any, remedy: Remedy) -> Any:
    """The state after a remedy."""
    if remedy.move is not None:
        state, _ = referee.play(game, state, remedy.move)
    return state


def remedies(game: Game[Any], state: Any, move: Move) -> Iterator[Remedy]:
    """The remedies to try for an illegal `move`, in order of preference."""
    here = game.decision_at.get(type(state.stage))
    if here is not None:
        near = [found.move for found in nearest(game, state, move, MAXIMUM_INSERTIONS)]
        of_its_kind = isinstance(move, SeatMove) == isinstance(here, SeatDecision)
        if of_its_kind:
            yield from (Remedy("replaced", other) for other in near[:MAXIMUM_REPLACEMENTS])
        if isinstance(here, ChanceDecision) and here.rule.sole_witness(state) is not None:
            yield Remedy("inserted", here.rule.move(None))  # preferred to a card that was not recorded
        yield from (Remedy("inserted", other) for other in near)
    yield LEFT_OUT
