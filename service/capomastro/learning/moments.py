"""A moment of a game: a state, what led to it, and what is spelled of the next move. All adapters are made of this.

Moments never change: what comes after one is another.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from capomastro.adjudicator.loading import game_of
from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import ChanceMove, Move, SeatMove
from capomastro.engine.referee import as_seen, draw
from capomastro.engine.samples import resampled
from capomastro.engine.steps import play_step
from capomastro.learning.alphabet import alphabet_of
from capomastro.learning.rewards import rewards
from capomastro.learning.spelling import Prefix, empty_prefix


class Course(NamedTuple):
    """A move, the only seat that saw what it revealed (None: everybody did), and the course before it.

    A tuple, because Python lets go of a chain of a million of these without recursion.
    """

    move: Move
    witness: int | None
    earlier: "Course | None"


class Moment(msgspec.Struct, frozen=True, gc=False):
    """A moment at which a seat or chance decides, or at the end; a seat can have spelled a part of its move."""

    game: AnyGame
    state: Any
    due: SeatDecision[Any] | ChanceDecision[Any] | None
    """What is to be decided; None at the end."""
    course: Course | None
    """What has been played, from the last move back; None at the beginning."""
    seat: int | None = None
    """The seat that decides, if one does."""
    prefix: Prefix | None = None
    spelled: tuple[int, ...] = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Moment":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.game.id, self.state, [(each.move, each.witness) for each in self.played], self.spelled)

    @property
    def choices(self) -> list[int]:
        """The ids that the deciding seat may choose, in ascending order."""
        return self.prefix.choices if self.prefix else []

    def then(self, choice: int) -> "Moment":
        """The moment after the deciding seat has chosen one of the `choices`; a move that it completes is played."""
        assert self.prefix is not None
        following = self.prefix.then(choice)
        if isinstance(following, Move):
            return self._after(following)
        spelled = (*self.spelled, choice)
        return Moment(self.game, self.state, self.due, self.course, self.seat, following, spelled)

    @property
    def outcomes(self) -> Outcomes:
        """What chance can reveal, if it decides."""
        assert isinstance(self.due, ChanceDecision)
        return self.due.rule.outcomes(self.state)

    def revealing(self, component: str) -> "Moment":
        """The moment after chance has revealed a component."""
        assert isinstance(self.due, ChanceDecision)
        return self._after(self.due.rule.move(component))

    def draw_onwards(self, seed: str) -> "Moment":
        """The moment at which a seat decides or the game is over: until then, the seed draws."""
        moment = self
        while isinstance(moment.due, ChanceDecision):
            moment = moment._after(draw(moment.game, moment.state, seed))
        return moment

    def _after(self, move: Move) -> "Moment":
        step = play_step(self.game, self.state, move)
        return moment_at(self.game, step.after, Course(move, step.witness, self.course))

    @property
    def played(self) -> list[Course]:
        """What has been played, in order."""
        found, course = [], self.course
        while course is not None:
            found.append(course)
            course = course.earlier
        return found[::-1]

    def seen_by(self, seat: int | None, *, alone: bool = False) -> list[int]:
        """The ids of all moves that a seat (None: a spectator) has seen, in their order, and of its own in progress.

        `alone`: only of what nobody else has seen.
        """
        spelling = alphabet_of(self.game).spelling
        played = [each for each in self.played if each.witness == seat] if alone else self.played
        ids = [choice for each in played for choice in spelling(as_seen(each.move, each.witness, seat))]
        return [*ids, *self.spelled] if seat == self.seat else ids

    def resampled(self, seat: int, seed: str) -> "Moment":
        """A moment of another game, in which a seat has seen the same: what it has not seen is drawn anew, as chance
        alone makes it likely. Of the move in progress, only its own is kept."""
        state, course = self.game.start(len(self.state.seats), self.state.options, None), None
        for move in resampled(self.game, state, [each.move for each in self.played], seat, seed):
            step = play_step(self.game, state, move)
            state, course = step.after, Course(move, step.witness, course)
        moment = moment_at(self.game, state, course)
        for choice in self.spelled if seat == self.seat else ():
            moment = moment.then(choice)
        return moment

    @property
    def actions(self) -> Iterator[tuple[int | None, int]]:
        """Who chose (None: chance), and the id of the symbol, from the beginning of the game."""
        alphabet = alphabet_of(self.game)
        for each in self.played:
            if isinstance(each.move, ChanceMove):
                yield None, alphabet.values[each.move.component]
            elif isinstance(each.move, SeatMove):
                yield from ((each.move.seat, choice) for choice in alphabet.spelling(each.move))
        yield from ((self.seat, choice) for choice in self.spelled)

    @property
    def returns(self) -> tuple[float, ...]:
        """What the game is worth to each seat: 1 for its only winner, and 0 in all; nothing before the end."""
        players = len(self.state.seats)
        if self.due is not None:
            return (0.0,) * players
        return rewards(self.game.result(self.state).winners or (), players)


def moment_at(game: AnyGame, state: Any, course: Course | None = None) -> Moment:
    """The moment when a state is reached."""
    due = game.decision_at.get(type(state.stage))
    if isinstance(due, SeatDecision):
        prefix = empty_prefix(game, state)
        return Moment(game, state, due, course, prefix.seat, prefix)
    return Moment(game, state, due, course)


def restored(game: str, state: Any, played: Sequence[tuple[Move, int | None]], spelled: Sequence[int]) -> Moment:
    """A moment from what it is pickled as."""
    course = None
    for move, witness in played:
        course = Course(move, witness, course)
    moment = moment_at(game_of(game), state, course)
    for choice in spelled:
        moment = moment.then(choice)
    return moment
