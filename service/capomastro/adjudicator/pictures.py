"""Pictures: a state, positions of a record, a scoresheet, or the example of a rule as SVG, in the current language."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from capomastro.adjudicator.loading import (
    illegal_in_record,
    load_record,
    load_state_and_moves,
    require_no_findings,
    shaped_scoresheet,
)
from capomastro.adjudicator.views import require_seat, state_for
from capomastro.answers import Pictures
from capomastro.documents.languages import current_language
from capomastro.documents.problems import Problem
from capomastro.documents.reading import reader_of
from capomastro.documents.rule_examples import rule_examples
from capomastro.documents.wordings import captions, phrase, rules_of
from capomastro.drawing import lettering
from capomastro.drawing.boxes import NOTHING, Box, above
from capomastro.drawing.parts import status_bar
from capomastro.drawing.pictures import FIXED, LAYOUTS, NARROW, Brief, Captions, Changes, Picture, Table, top_below
from capomastro.engine import referee
from capomastro.engine.decisions import Decision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import ChanceMove, Move
from capomastro.engine.results import AnyResult
from capomastro.engine.steps import Refused, play_steps

MAXIMUM_PICTURES = 50
"""Pictures in one answer."""

Viewer = int | None | UnsetType
"""The seat that a picture is for; None: a spectator; unset: a viewer who may know everything in the document."""


def pictures_of_state(
    game: AnyGame,
    document: Any,
    layout: str = "wide",
    seat: Viewer = UNSET,
    last_moves: Sequence[Any] = (),
    **arranged: Any,
) -> Pictures:
    """The picture of a state; what `last_moves`, which led to it, moved is marked.

    Raises:
        Problem: as `load_state`; `no-such-seat` if the state has no seat for the viewer or for a last move.
    """
    placed = [("move", move, f"/last_moves/{index}") for index, move in enumerate(last_moves)]
    state, moves = load_state_and_moves(game, document, placed)
    require_seat(state, seat, "/seat")
    state = state_for(game, state, seat)
    for index, move in enumerate(moves):
        require_seat(state, getattr(move, "seat", None), f"/last_moves/{index}/seat")
    return Pictures(state.ply, [picture_of(game, state, layout, moves, seat, Arrangement(**arranged))])


def pictures_of_record(
    game: AnyGame,
    document: Any,
    layout: str = "wide",
    seat: Viewer = UNSET,
    ply: int | None = None,
    count: int = 1,
    **arranged: Any,
) -> Pictures:
    """The pictures of `count` positions of a record, from the one after `ply` moves on, or of the last.

    Raises:
        Problem: `no-such-ply`; `illegal-move` if a move before the first of them is. Later ones are left out.
    """
    start, moves = load_record(game, document, under_current_rules=False, at="/record")
    first = len(moves) if ply is None else ply
    if first > len(moves):
        detail = phrase("no-such-ply", moves=len(moves), ply=first)
        raise Problem("no-such-ply", detail, [{"pointer": "/ply", "message": detail}])
    require_seat(start, seat, "/seat")
    last_moves: list[Move] = []

    def picture(state: Any) -> str:
        return picture_of(game, state_for(game, state, seat), layout, last_moves, seat, Arrangement(**arranged))

    pictures = [] if first else [picture(start)]
    try:
        for index, step in enumerate(play_steps(game, start, moves[: first + count - 1]), 1):
            last_moves = with_last_move(last_moves, step.move if seat is UNSET else step.move_seen_by(seat))
            if index >= first:
                pictures.append(picture(step.after))
    except Refused as refused:
        if not pictures:
            raise illegal_in_record(game, refused) from None
    return Pictures(first, pictures)


def with_last_move(last_moves: list[Move], move: Move) -> list[Move]:
    """`last_moves` after one more move: the last move of a seat and the draws after it.

    Before the first move of a seat: only the last draw.
    """
    if isinstance(move, ChanceMove) and last_moves and not isinstance(last_moves[0], ChanceMove):
        return [*last_moves, move]
    return [move]


def pictures_of_scoresheet(game: AnyGame, document: Any, layout: str = "wide") -> Pictures:
    """The picture of a possible scoresheet: the players' parts."""
    sheet = shaped_scoresheet(game, document)
    refusals = game.faults_of_scoresheet(sheet)
    require_no_findings(game, "impossible-scoresheet", refusals, "/scoresheet")
    return Pictures(pictures=[picture_of_scoresheet(game, sheet, layout)])


# --- drawing ---------------------------------------------------------------------------------------------------------


class Arrangement(NamedTuple):
    """What of a state is drawn, and in which order."""

    order: str = "reading"
    """`reading`: what is in progress comes first. `fixed`: every place keeps its position through the whole game."""
    omit: Sequence[str] = ()
    """What is left out: places, and the bar."""
    show: Sequence[str] = ()
    """If any: nothing but these places, one below the other."""


BAR = "bar"
"""What the bar at the top is called among the parts that can be left out."""
IN_READING_ORDER = Arrangement()


def picture_of(
    game: AnyGame,
    state: Any,
    layout: str = "wide",
    last_moves: Sequence[Move] = (),
    viewer: Viewer = UNSET,
    arrangement: Arrangement = IN_READING_ORDER,
) -> str:
    """A state as SVG; what `last_moves`, which led to it, moved is marked. In narrow pictures the viewer comes first.

    Raises:
        Problem: `envelope`, if a place is to be shown that is not drawn by itself.
    """
    say, frame, shown = captions(game, state.names, current_language()), LAYOUTS[layout], arrangement.show
    decision = referee.decision(game, state)
    own = viewer if isinstance(viewer, int) else None
    if frame.narrow and arrangement.order == "fixed":
        frame, own = FIXED, own or 0
    status = status_of(game, state, decision, say, lettering.name)
    origin = say("origin", text=say.title, ply=state.ply)
    bar = status_bar(frame.width, frame.margin, status, origin, decision.seat)
    if shown or BAR in arrangement.omit:
        bar = NOTHING
    changed, omitted = Changes(game.changes(state, last_moves)), frozenset(arrangement.omit)
    brief = Brief(frame, say, changed, decision.seat, own, omitted, top_below(bar, frame))
    table = Table(above(*parts_of(game, state, shown, brief), gap=14), ()) if shown else game.picture(state, brief)
    return Picture(
        frame,
        say.language,
        say("title", text=say.title, players=len(state.seats), ply=state.ply),
        say("description", text=status_of(game, state, decision, say), standing_text="; ".join(table.standing)),
        bar,
        table.drawn,
    ).svg()


def parts_of(game: AnyGame, state: Any, places: Sequence[str], brief: Brief) -> Iterator[Box]:
    """What lies at these places, each drawn by itself."""
    for index, place in enumerate(places):
        try:
            yield game.picture_of_part(state, place, brief)
        except LookupError:
            error = {"pointer": f"/show/{index}", "message": "is not a place that is drawn by itself"}
            raise Problem("envelope", phrase("body-invalid"), [error]) from None


def picture_of_scoresheet(game: AnyGame, sheet: Any, layout: str = "wide") -> str:
    """A scoresheet as SVG."""
    names = tuple(seat.name for seat in sheet.seats)
    say, frame = captions(game, names, current_language()), LAYOUTS[layout]
    table = game.picture_of_scoresheet(sheet, Brief(frame, say, Changes(), None))
    status = say("scoresheet")
    return Picture(
        frame,
        say.language,
        say("title-of-scoresheet", text=say.title, players=len(sheet.seats)),
        say("description", text=status, standing_text="; ".join(table.standing)),
        status_bar(frame.width, frame.margin, status, say.title),
        table.drawn,
    ).svg()


def example_of(game: AnyGame, rule: str, is_marked: bool = True) -> Picture:
    """The example of a rule as a picture: the places that it is about, one below the other.

    What its last moves changed is marked, unless the picture is only to look at.

    Raises:
        KeyError: if the rule has none.
    """
    example = rule_examples(game)[rule]
    names: tuple[str | None, ...] | None
    if example.scoresheet is not None:
        shown = reader_of(game, "scoresheet")(example.scoresheet)
        names, changed = tuple(seat.name for seat in shown.seats), Changes()
    else:
        shown, moves = reader_of(game, "state")(example.state), map(reader_of(game, "move"), example.last_moves)
        names, changed = shown.names, Changes(game.changes(shown, list(moves)))
    say = captions(game, names, current_language())
    brief = Brief(NARROW, say, changed if is_marked else Changes(), None)
    parts = [game.picture_of_part(shown, place, brief) for place in example.show]
    return Picture(
        NARROW,
        say.language,
        say("title-of-example", text=say.title),
        rules_of(game)[rule]["example"],
        NOTHING,
        above(*parts, gap=14),
    )


def status_of(
    game: AnyGame, state: Any, decision: Decision, say: Captions, shortened: Callable[[str], str] = str
) -> str:
    """Who decides what; what chance has to draw; who has won. Names are `shortened` where there is little room."""
    if decision.actor == "chance":
        return say(decision.kind)
    if decision.seat is not None:
        return say("decides", player=shortened(say.player(decision.seat)), text=say.decision(decision.kind))
    result: AnyResult = game.result(state)
    if not result.winners:
        return say("over")
    return say("won", player=tuple(shortened(say.player(seat)) for seat in result.winners))
