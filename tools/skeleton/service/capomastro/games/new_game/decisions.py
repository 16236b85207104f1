"""Every decision of New Game, in the order of the rulebook.

What is offered, what is refused, what happens. FILL IN: the decisions of the rulebook, instead of this example:
everybody has one turn, in which they may draw a token and keep it.
"""

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.events import Effect
from capomastro.engine.multisets import plus
from capomastro.engine.rules import BareRule, ChanceRule
from capomastro.engine.seats import next_seat, with_seat
from capomastro.engine.stages import GameOver, stage_of
from capomastro.games.new_game import events, moves, stages
from capomastro.games.new_game.state import State
from capomastro.games.new_game.supplies import bag


def next_turn(state: State) -> State:
    """The turn ends; after the last player's the game is over."""
    if state.active_seat == len(state.seats) - 1:
        return replace(state, stage=GameOver())
    return replace(state, active_seat=next_seat(state, state.active_seat), stage=stages.ChooseAction())


class DrawRule(BareRule[State, moves.Draw]):
    """A token is drawn."""

    def play(self, state: State, move: moves.Draw) -> Effect[State]:
        return replace(state, stage=stages.DrawToken()), []


class PassRule(BareRule[State, moves.Pass]):
    """The turn ends."""

    def play(self, state: State, move: moves.Pass) -> Effect[State]:
        return next_turn(state), [events.Passed(move.seat)]


class DrawTokenRule(ChanceRule[State, moves.DrawToken]):
    """Draws a token from the bag."""

    refuses = "new-game.turn.draw"

    def outcomes(self, state: State) -> Outcomes:
        return bag(state).next_cards()

    def play(self, state: State, move: moves.DrawToken) -> Effect[State]:
        return replace(state, stage=stages.KeepOrPutBack(move.token)), [events.TokenDrawn(move.token)]


class KeepRule(BareRule[State, moves.Keep]):
    """The token lies before its player."""

    def play(self, state: State, move: moves.Keep) -> Effect[State]:
        token = stage_of(state, stages.KeepOrPutBack).token
        seats = with_seat(state, move.seat, tokens=plus(state.seats[move.seat].tokens, (token,)))
        return next_turn(replace(state, seats=seats)), [events.TokenKept(move.seat, token)]


class PutBackRule(BareRule[State, moves.PutBack]):
    """The token is in the bag again."""

    def play(self, state: State, move: moves.PutBack) -> Effect[State]:
        token = stage_of(state, stages.KeepOrPutBack).token
        return next_turn(state), [events.TokenPutBack(move.seat, token)]


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS: tuple[SeatDecision[State] | ChanceDecision[State], ...] = (
    SeatDecision(stages.ChooseAction, (DrawRule(), PassRule())),
    ChanceDecision(stages.DrawToken, DrawTokenRule()),
    SeatDecision(stages.KeepOrPutBack, (KeepRule(), PutBackRule())),
)
