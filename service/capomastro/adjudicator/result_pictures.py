"""Pictures of results: of a finished state, a record played to its end, or a scoresheet, in the current language."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import UNSET

from capomastro.adjudicator.loading import illegal_in_record, load_record, load_state, shaped_scoresheet
from capomastro.adjudicator.scores import score_of_state, score_scoresheet
from capomastro.answers import Pictures, Score
from capomastro.documents.languages import current_language
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import capitalised, captions, line_name, phrase
from capomastro.drawing import lettering
from capomastro.drawing.pictures import LAYOUTS, Captions, Picture
from capomastro.drawing.standings import Announcement, Standing, head_of_result, standings
from capomastro.engine.game import AnyGame
from capomastro.engine.results import AnyResult, PlayerResult, TieComparison
from capomastro.engine.steps import Refused, play_steps

Names = tuple[str | None, ...] | None
OPEN = "–"
"""A place that something unknown still decides."""


class Reached(NamedTuple):
    """A result, and whose it is."""

    score: Score
    names: Names
    at: str
    """The place in the request that says so if there is no result yet."""


def pictures_of_result(
    game: AnyGame,
    kind: str,
    document: Any,
    layout: str = "wide",
    note: str = "",
    even_if_impossible: bool = False,
) -> Pictures:
    """The picture of the result of a document: a `state`, a `record` or a `scoresheet`.

    `note` is a line below the title. What a record claims is not looked at. The picture of a scoresheet that was scored
    even if impossible says so.

    Raises:
        Problem: as scoring the document; `unfinished` if the game is not over, or chance still decides.
    """
    reached = READERS[kind](game, document, even_if_impossible)
    scored = reached.score
    if scored.result is UNSET or scored.missing is not UNSET:
        detail = phrase("table-not-over")
        raise Problem("unfinished", detail, [{"pointer": reached.at, "message": detail}])
    impossible = bool(scored.findings)
    return Pictures(pictures=[picture_of_result(game, scored.result, reached.names, layout, note, impossible)])


def of_state(game: AnyGame, document: Any, _: bool) -> Reached:
    state, at = load_state(game, document), "/state/stage"
    return Reached(score_of_state(game, state, at), state.names, at)


def of_record(game: AnyGame, document: Any, _: bool) -> Reached:
    state, moves = load_record(game, document, under_current_rules=False, at="/record")
    try:
        for step in play_steps(game, state, moves):
            state = step.after
    except Refused as refused:
        raise illegal_in_record(game, refused) from None
    at = "/record/moves"
    return Reached(score_of_state(game, state, at), state.names, at)


def of_scoresheet(game: AnyGame, document: Any, even_if_impossible: bool) -> Reached:
    scored = score_scoresheet(game, document, even_if_impossible=even_if_impossible)
    names = tuple(seat.name for seat in shaped_scoresheet(game, document).seats)
    return Reached(scored, names, "/scoresheet")


READERS: Mapping[str, Callable[[AnyGame, Any, bool], Reached]] = {
    "state": of_state,
    "record": of_record,
    "scoresheet": of_scoresheet,
}


def picture_of_result(
    game: AnyGame, result: AnyResult, names: Names, layout: str = "wide", note: str = "", impossible: bool = False
) -> str:
    """A result as SVG. `note` is a line below the title; `impossible`: whether the rules do not allow it."""
    say, frame = captions(game, names, current_language()), LAYOUTS[layout]
    players = sorted(result.players, key=lambda player: (-player.total, player.place or 0))
    shown = [standing_of(game, player, say) for player in players]
    said = announcement(game, result, say, impossible)
    return Picture(
        frame,
        say.language,
        say("title-of-result", text=say.title),
        say("description", text=said.headline, standing_text="; ".join(player.title for player in shown)),
        head_of_result(frame, say.title, note),
        standings(frame, said, shown),
    ).svg()


def announcement(game: AnyGame, result: AnyResult, say: Captions, impossible: bool) -> Announcement:
    winners = result.winners or ()
    key = "wins" if len(winners) == 1 else "share-victory" if winners else "not-decided"
    names = tuple(lettering.name(say.player(seat)) for seat in winners)
    return Announcement(
        winners,
        say(key, player=names[0] if len(names) == 1 else names),
        [tie_text(game, tie, say) for tie in result.tie_break],
        say("not-possible") if impossible else "",
    )


def tie_text(game: AnyGame, tie: TieComparison, say: Captions) -> str:
    """What broke a tie, or left it: “Value of the hand: Cleo 15, Ada 9”."""
    values = [
        f"{lettering.name(say.player(seat))} {OPEN if value is None else lettering.minus(value)}"
        for seat, value in zip(tie.seats, tie.values, strict=True)
    ]
    return f"{capitalised(line_name(game, tie.rule) or '')}: {', '.join(values)}"


def standing_of(game: AnyGame, player: PlayerResult[Any], say: Captions) -> Standing:
    sums = Counter[str]()
    for line in player.lines:
        sums[line.rule] += line.points
    parts = [f"{line_name(game, rule)} {lettering.minus(points)}" for rule, points in sums.items() if points]
    name = say.player(player.seat)
    key = "not-placed" if player.place is None else "placed"
    title = say(key, place=player.place, player=name, points=player.total)
    return Standing(player.seat, name, str(player.place or OPEN), player.total, parts, title)
