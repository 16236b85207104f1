"""The order of steps in a turn."""

from typing import Literal

from msgspec.structs import replace

from capomastro.engine.seats import next_seat
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import BLACK
from capomastro.games.fifth_avenue.piles import has_face_down, piles_with_top
from capomastro.games.fifth_avenue.state import State


def phase_two(state: State) -> State:
    """Options A, B, C: two coloured cards; if there is no card to take, the turn continues."""
    return replace(state, stage=stages.TakeCards() if piles_with_top(state) else stages.MoveCommissioner(3))


def next_turn(state: State) -> State:
    """Ends the turn; the next player clockwise chooses."""
    return replace(state, active_seat=next_seat(state, state.active_seat), stage=stages.ChooseOption())


def turn_resumed(state: State, phase: Literal[1, 3]) -> State:
    """Continues the turn after the phase in which a commissioner was moved."""
    return phase_two(state) if phase == 1 else next_turn(state)


def black_cards_drawn(state: State, phase: Literal[1, 2], seats: tuple[int, ...]) -> State:
    """Draws black cards for `seats` in turn, while there are any; then a commissioner is moved."""
    if seats and has_face_down(state, BLACK):
        return replace(state, stage=stages.DrawBlackCard(phase, seats))
    return replace(state, stage=stages.MoveCommissioner(1 if phase == 1 else 3))
