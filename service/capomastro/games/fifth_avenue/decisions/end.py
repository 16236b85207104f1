"""The end of the game, and the tiles drawn for Central Park."""

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceDecision, ChanceRule, GameOver, Played
from capomastro.engine.multisets import kinds, minus, plus
from capomastro.engine.refusals import enforces
from capomastro.games.fifth_avenue import events, moves, stages
from capomastro.games.fifth_avenue.components import PARK_TILES
from capomastro.games.fifth_avenue.state import State


@enforces("fifth-avenue.end.game", "fifth-avenue.end.at-once", "fifth-avenue.end.all-count")
def game_ended(state: State, rule: str) -> Played[State]:
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
