"""Records: replays them as far as they are legal, or leniently beyond that."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.game import AnyGame, RulesVersion, SchemaVersion
from capomastro.engine.members import (
    FEWEST_PLAYERS,
    MOST_MOVES,
    MOST_PLAYERS,
    Document,
    GameId,
    Names,
    PlayerCount,
    one_of,
)
from capomastro.engine.moves import ChanceMove, Move, seat_of
from capomastro.engine.nearness import nearest
from capomastro.engine.refusals import Refusal
from capomastro.engine.results import MOST_POINTS
from capomastro.engine.steps import Refused, Step, play_step, play_steps

RecordId = Annotated[str, Meta(min_length=1, max_length=200, title="Id of a record", examples=["club-evening-17"])]
"""An id given by the keeper of the record. Echoed and otherwise ignored."""

Tags = Annotated[
    dict[
        Annotated[str, Meta(min_length=1, max_length=100)],
        Annotated[str, Meta(max_length=1000, description="A short text.")],
    ],
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


def replay(game: AnyGame, state: Any, moves: Iterable[Move]) -> Replayed:
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
    """How a recorded move departs from the rules. illegal-move: it breaks a rule. out-of-turn: another seat decides.
    missing-chance: chance must be drawn first. missing-move: a player must move before this draw. after-the-end: the
    game is already over."""

    ILLEGAL_MOVE = "illegal-move"
    OUT_OF_TURN = "out-of-turn"
    MISSING_CHANCE = "missing-chance"
    MISSING_MOVE = "missing-move"
    AFTER_THE_END = "after-the-end"


VerdictOnRecord = Annotated[
    str,
    one_of(["legal", "unfinished", "wrong-result", *Departure]),
    Meta(title="Verdict on a record", examples=["legal", "out-of-turn"]),
]
"""The verdict on a record, in one word. legal: the game is over, every move is legal, and the claimed result, if any,
is right. unfinished: every move is legal, but the game is not over. wrong-result: as legal, but the claimed result is
wrong. The others say how the first illegal move departs from the rules. illegal-move: it breaks a rule. out-of-turn:
another seat decides. missing-chance: chance must be drawn first. missing-move: a player must move before this draw.
after-the-end: the game is already over."""


def departure(game: AnyGame, state: Any, move: Move) -> Departure:
    """How a `move` that is refused in `state` departs from the rules."""
    decision = game.decision_at.get(type(state.stage))
    if decision is None:
        return Departure.AFTER_THE_END
    if isinstance(decision, ChanceDecision):
        return Departure.ILLEGAL_MOVE if isinstance(move, ChanceMove) else Departure.MISSING_CHANCE
    seat = seat_of(move)
    if seat is None:
        return Departure.MISSING_MOVE
    return Departure.ILLEGAL_MOVE if seat == decision.seat(state) else Departure.OUT_OF_TURN


# --- lenient replay --------------------------------------------------------------------------------------------------

MAXIMUM_DIVERGENCES = 100
"""Number of divergences after which a lenient replay gives up."""

LOOKAHEAD = 12
"""Number of recorded moves tried after each possible remedy."""

MAXIMUM_REPLACEMENTS = 8
MAXIMUM_INSERTIONS = 60
MAXIMUM_LOOKBACK = 400
"""Number of recorded moves before an illegal one that may have been written in the wrong order."""
MAXIMUM_PLIES_BEYOND = 20_000
"""Number of recorded moves beyond `LOOKAHEAD` that are tried for one record."""

MeetsClaim = Callable[[Any], bool]
"""Whether a state is the end of a game with the result that its record claims."""


class Repair(StrEnum):
    """How a replay continues beyond an illegal move."""

    SKIP = "skip"
    CORRECT = "correct"


Action = Literal["left-out", "replaced", "inserted", "swapped"]


class Remedy(msgspec.Struct, frozen=True):
    """How an illegal move was repaired.

    It was "left-out", "replaced" by `move`, or `move` was "inserted" before it; or two neighbours were "swapped": the
    recorded move with the index `first`, and `move`, which was recorded after it and played before it.
    """

    action: Action
    move: Move | None = None
    first: int | None = None


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
    """The outcome of a lenient replay: every divergence, the moves played, and the state that they reach.

    `to_the_end` is false if it gave up after too many divergences.
    """

    divergences: tuple[RepairedMove, ...]
    moves: tuple[Move, ...]
    state: Any
    to_the_end: bool


def follow(
    game: AnyGame, start: Any, moves: Sequence[Move], repair: Repair, meets_claim: MeetsClaim | None = None
) -> Followed:
    """Plays `moves` from `start`, continuing after illegal ones.

    `SKIP` leaves them out. `CORRECT` chooses the remedy after which the record gets furthest before the next illegal
    move, looking a few moves ahead; among equals one with which the rest of the record is legal and `meets_claim`, else
    the one that gets furthest in the whole record. Ties go to neighbours that are swapped, then a replacement, an
    insertion, and leaving out, and to the nearest move.
    """
    follower = Follower(game, start, moves, meets_claim)
    divergences: list[RepairedMove] = []
    while (refusal := follower.advance()) is not None:
        if len(divergences) == MAXIMUM_DIVERGENCES:
            return Followed(tuple(divergences), tuple(follower.played), follower.state, to_the_end=False)
        remedy = LEFT_OUT if repair is Repair.SKIP else follower.best_remedy()
        divergences.append(RepairedMove(follower.index, follower.state, refusal, remedy))
        follower.apply(remedy)
    return Followed(tuple(divergences), tuple(follower.played), follower.state, to_the_end=True)


class Attempt(NamedTuple):
    """What a remedy leads to: the index of the next recorded move that is illegal or was not tried, and the state."""

    remedy: Remedy
    reached: int
    state: Any
    refused: bool


class Follower:
    """Follows a record: the recorded move that comes next, the moves played, and the state."""

    def __init__(self, game: AnyGame, start: Any, moves: Sequence[Move], meets_claim: MeetsClaim | None) -> None:
        self.game = game
        self.moves = moves
        self.meets_claim = meets_claim
        self.index = 0
        self.state = start
        self.played: list[Move] = []
        self.before: deque[Any] = deque(maxlen=MAXIMUM_LOOKBACK)
        """The states before the latest recorded moves; only those since the last remedy."""
        self.plies_left = MAXIMUM_PLIES_BEYOND

    def advance(self) -> Refusal | None:
        """Plays recorded moves up to the first illegal one; returns why it is."""
        try:
            for step in play_steps(self.game, self.state, self.moves[self.index :]):
                self.before.append(step.before)
                self.take(step)
                self.index += 1
        except Refused as refused:
            return refused.refusal
        return None

    def play(self, move: Move) -> None:
        self.take(play_step(self.game, self.state, move))

    def take(self, step: Step) -> None:
        self.state = step.after
        self.played.append(step.move)

    def apply(self, remedy: Remedy) -> None:
        """Repairs the next move, so that the record goes on after it."""
        if remedy.first is not None:
            back = self.index - remedy.first
            if back > 0:
                self.state = self.before[-back]
                del self.played[-back:]
            self.play(self.moves[remedy.first + 1])
            self.play(self.moves[remedy.first])
            self.index = remedy.first + 2
        else:
            if remedy.move is not None:
                self.play(remedy.move)
            self.index += remedy.action != "inserted"
        self.before.clear()

    def best_remedy(self) -> Remedy:
        """The remedy for the next move that lets the most of the record be played."""
        horizon = min(self.index + LOOKAHEAD, len(self.moves))
        attempts = [*filter(None, (self.attempt(remedy, horizon) for remedy in self.remedies_here()))]
        furthest = max(attempt.reached for attempt in attempts)
        best = [attempt for attempt in attempts if attempt.reached == furthest]
        if furthest < horizon:
            return best[0].remedy
        chosen = self.furthest_of(best)
        if not self.is_right(chosen):
            swaps = self.earlier_swaps(len(self.moves))
            chosen = next((attempt for attempt in swaps if self.is_right(attempt)), chosen)
        return chosen.remedy

    def remedies_here(self) -> Iterator[Remedy]:
        """The remedies to try for the next move, in order of preference."""
        yield from (self.swap(first) for first in (self.index, self.index - 1) if self.can_swap(first))
        yield from remedies(self.game, self.state, self.moves[self.index])

    def can_swap(self, first: int) -> bool:
        return (
            self.index - len(self.before) <= first < len(self.moves) - 1 and self.moves[first] != self.moves[first + 1]
        )

    def swap(self, first: int) -> Remedy:
        return Remedy("swapped", self.moves[first + 1], first)

    def earlier_swaps(self, horizon: int) -> Iterator[Attempt]:
        """Swaps of moves that are legal as recorded, latest first, as long as plies are left."""
        for first in range(self.index - 2, self.index - len(self.before) - 1, -1):
            if self.plies_left <= 0:
                return
            attempt = self.attempt(self.swap(first), horizon) if self.can_swap(first) else None
            if attempt is not None:
                self.plies_left -= attempt.reached - first
                yield attempt

    def attempt(self, remedy: Remedy, horizon: int) -> Attempt | None:
        """What a remedy leads to before the recorded move with the index `horizon`; None if it is illegal itself."""
        if remedy.first is None:
            state = apply_remedy(self.game, self.state, remedy)
            following = self.index if remedy.action == "inserted" else self.index + 1
        else:
            back = self.index - remedy.first
            pair = (self.moves[remedy.first + 1], self.moves[remedy.first])
            replayed = replay(self.game, self.before[-back] if back > 0 else self.state, pair)
            if replayed.refusal is not None:
                return None
            state, following = replayed.state, remedy.first + 2
        return self.continued(Attempt(remedy, following, state, refused=False), horizon)

    def continued(self, attempt: Attempt, horizon: int) -> Attempt:
        replayed = replay(self.game, attempt.state, self.moves[attempt.reached : horizon])
        return Attempt(attempt.remedy, attempt.reached + replayed.plies, replayed.state, replayed.refusal is not None)

    def furthest_of(self, attempts: Iterable[Attempt]) -> Attempt:
        """The first of some attempts that is right, else the first of those that get furthest."""
        best: Attempt | None = None
        for attempt in attempts:
            if best is not None and self.plies_left <= 0:
                break
            whole = self.continued(attempt, len(self.moves))
            self.plies_left -= whole.reached - attempt.reached
            if self.is_right(whole):
                return whole
            if best is None or whole.reached > best.reached:
                best = whole
        assert best is not None
        return best

    def is_right(self, attempt: Attempt) -> bool:
        """Whether the rest of the record is legal, and ends with the result that it claims."""
        is_whole = attempt.reached == len(self.moves) and not attempt.refused
        return is_whole and (self.meets_claim is None or self.meets_claim(attempt.state))


def apply_remedy(game: AnyGame, state: Any, remedy: Remedy) -> Any:
    """The state after a remedy that plays at most one move."""
    return state if remedy.move is None else play_step(game, state, remedy.move).after


def remedies(game: AnyGame, state: Any, move: Move) -> Iterator[Remedy]:
    """The remedies to try for an illegal `move` at its place, in order of preference."""
    decision = game.decision_at.get(type(state.stage))
    if decision is not None:
        near = [found.move for found in nearest(game, state, move, MAXIMUM_INSERTIONS)]
        of_its_kind = (seat_of(move) is None) == isinstance(decision, ChanceDecision)
        if of_its_kind:
            most = MAXIMUM_REPLACEMENTS if isinstance(decision, SeatDecision) else MAXIMUM_INSERTIONS
            yield from (Remedy("replaced", nearby) for nearby in near[:most])
        if isinstance(decision, ChanceDecision) and decision.rule.sole_witness(state) is not None:
            yield Remedy("inserted", decision.rule.move(None))  # preferred to a card that was not recorded
        yield from (Remedy("inserted", nearby) for nearby in near)
    yield LEFT_OUT
