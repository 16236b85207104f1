"""The course of a turn: how it goes on after each phase, and the end of the game."""

from typing import Literal

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceDecision, ChanceRule, GameOver, Played
from capomastro.engine.multisets import kinds, minus, plus
from capomastro.engine.refusals import enforces
from capomastro.engine.seats import next_seat
from capomastro.games.fifth_avenue import events, moves, stages
from capomastro.games.fifth_avenue.components import BLACK, PARK_TILES
from capomastro.games.fifth_avenue.state import State
from capomastro.games.fifth_avenue.supplies import face_down, piles_with_top

# --- a turn ----------------------------------------------------------------------------------------------------------


def draw_black_cards(state: State, phase: Literal[1, 2], seats: tuple[int, ...]) -> State:
    """Draws black cards for `seats` in turn, while there are any; then a commissioner is moved."""
    if seats and face_down(state, BLACK):
        return replace(state, stage=stages.DrawBlackCard(phase, seats))
    return replace(state, stage=stages.MoveCommissioner(1 if phase == 1 else 3))


def begin_phase_two(state: State) -> State:
    """Options A, B, C: two coloured cards; if there is no card to take, the turn continues."""
    return replace(state, stage=stages.TakeCards() if piles_with_top(state) else stages.MoveCommissioner(3))


def continue_turn(state: State, phase: Literal[1, 3]) -> State:
    """Goes on after the phase in which a commissioner was moved: after phase 3, the next player clockwise chooses."""
    if phase == 1:
        return begin_phase_two(state)
    return replace(state, active_seat=next_seat(state, state.active_seat), stage=stages.ChooseOption())


# --- the end of the game ---------------------------------------------------------------------------------------------


@enforces("fifth-avenue.end.game", "fifth-avenue.end.at-once", "fifth-avenue.end.all-count")
def end_game(state: State, rule: str) -> Played[State]:
    """Ends the game at once, whatever is in progress; tiles are drawn for Central Park if there is a choice."""
    drawing = len(state.under_central_park) > PARK_TILES
    ended = replace(state, stage=stages.DrawParkTile() if drawing else GameOver())
    return ended, [events.GameEnded(rule)]


class DrawParkTileRule(ChanceRule[State, moves.DrawBusiness]):
    """Three tiles are drawn from under Central Park."""

    rules = ("fifth-avenue.end.park-tiles", "fifth-avenue.end.three-drawn", "fifth-avenue.end.drawn-early")
    refuses = "fifth-avenue.end.under-central-park"

    def outcomes(self, state: State) -> Outcomes:
        under = state.under_central_park
        return Outcomes({business: under.count(business) for business in kinds(under)})

    def play(self, state: State, move: moves.DrawBusiness) -> Played[State]:
        drawn = plus(state.park_tiles or (), (move.business,))
        after = replace(
            state,
            under_central_park=minus(state.under_central_park, (move.business,)),
            park_tiles=drawn,
            stage=GameOver() if len(drawn) == PARK_TILES else state.stage,
        )
        return after, [events.ParkTileDrawn(move.business)]


DECISIONS = (ChanceDecision(stages.DrawParkTile, DrawParkTileRule()),)
