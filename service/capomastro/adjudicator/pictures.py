"""Pictures: a state, a scoresheet or a position of a record as SVG."""

from collections.abc import Sequence
from typing import Any

from capomastro.documents.wordings import Captions
from capomastro.drawing import LAYOUTS, Brief, Changes, Picture, Say
from capomastro.drawing.parts import status_bar
from capomastro.engine import referee
from capomastro.engine.decisions import Decision, Move
from capomastro.engine.game import AnyGame
from capomastro.engine.results import AnyResult


def picture_of(game: AnyGame, state: Any, layout: str = "wide", last_moves: Sequence[Move] = ()) -> str:
    """A state as SVG, in the language that is spoken; what `last_moves`, which led to it, moved is marked."""
    say, frame = Captions(game, state.names), LAYOUTS[layout]
    decision = referee.decision(game, state)
    changed = Changes(game.changes(state, last_moves))
    table = game.picture(state, Brief(frame, say, changed, decision.seat))
    status = status_of(game, state, decision, say)
    origin = say("origin", text=say.title, ply=state.ply)
    return Picture(
        frame,
        say.language,
        say("title", text=say.title, players=len(state.seats), ply=state.ply),
        say("description", text=status, standing_text="; ".join(table.standing)),
        status_bar(frame.width, frame.margin, status, origin, decision.seat),
        table.drawn,
    ).svg()


def status_of(game: AnyGame, state: Any, decision: Decision, say: Say) -> str:
    """Who decides what; what chance has to draw; who has won."""
    if decision.actor == "chance":
        return say(decision.kind)
    if decision.seat is not None:
        return say("decides", player=say.player(decision.seat), text=say.decision(decision.kind))
    result: AnyResult = game.result(state)
    if not result.winners:
        return say("over")
    return say("won", player=[say.player(seat) for seat in result.winners])
