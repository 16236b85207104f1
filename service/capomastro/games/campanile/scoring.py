"""The two scorings and who wins (rulebook: "First scoring", "Second scoring and end of the game")."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import le
from typing import Annotated, Literal, Protocol

import msgspec
from msgspec import Meta

from capomastro.engine import results as engine
from capomastro.engine.members import SeatIndex, titled
from capomastro.engine.refusals import Because, implements
from capomastro.engine.results import Score, exactly, ranked
from capomastro.games.campanile import components as box
from capomastro.games.campanile.rows import influence
from capomastro.games.campanile.state import State
from capomastro.games.campanile.tokens import Flag, Height, Influence, Place, PointToken, PointTokens, Rank, Rows, Style

ScoringName = Literal["intermezzo", "finito"]
RULES: dict[ScoringName, str] = {"intermezzo": "campanile.scoring.intermezzo", "finito": "campanile.scoring.finito"}
TIE_RULES = ("campanile.scoring.tie",)


class Raised(Protocol):
    """A tower, as far as a scoring needs it."""

    @property
    def height(self) -> int: ...

    @property
    def rows(self) -> Rows: ...


class Contender(msgspec.Struct, frozen=True):
    """A player with markers under a tower."""

    seat: SeatIndex
    """The player."""
    influence: Influence
    token: PointToken | None
    """The token they got; null if the flag has none for their place."""
    ahead_by_order_of: Annotated[tuple[SeatIndex, ...], Meta(max_length=box.PLAYERS[-1] - 1)]
    """Players with equal influence who rank behind this one because they began their rows later."""


Contenders = Annotated[
    tuple[Contender, ...],
    Meta(max_length=box.PLAYERS[-1], description="The players with markers under it, in order of influence."),
]


@titled("Scored tower", "tower")
class ScoredTower(msgspec.Struct, frozen=True):
    """A tower in a scoring: its rank, and the tokens it gave."""

    tower: Style
    """The tower."""
    rank: Rank
    height: Height
    flag: Flag
    contenders: Contenders


class Scoring(msgspec.Struct, frozen=True):
    """One of the two scorings, tower by tower."""

    scoring: ScoringName
    """The scoring."""
    towers: Annotated[tuple[ScoredTower, ...], Meta(min_length=len(box.STYLES), max_length=len(box.STYLES))]
    """The towers from the highest to the lowest."""


class ScoreLine(engine.ScoreLine, frozen=True):
    """One victory-point token. A token from an Intermezzo whose position is no longer known has only rule and
    points."""

    tower: Style | None = None
    """The tower."""
    rank: Rank | None = None
    height: Height | None = None
    influence: Influence | None = None
    place: Place | None = None


class Result(engine.Result[ScoreLine], frozen=True, kw_only=True):
    """Who won, and why. Each line is a token; the most valuable single token breaks ties."""

    scorings: Annotated[tuple[Scoring, ...], Meta(max_length=2)]
    """The scorings whose positions are known: of a finished game always the second; the first if a scoresheet gave the
    position at the Intermezzo."""


@implements("campanile.scoring.height", "campanile.scoring.bare-tower")
def ranking(order: Sequence[str], towers: Mapping[str, Raised]) -> list[str]:
    """The towers from the highest to the lowest; of two equally high ones, the one nearer to the display is higher."""
    return sorted(order, key=lambda style: -towers[style].height)


@implements("campanile.scoring.influence")
def contenders(rows: Rows, flag: tuple[int, ...]) -> tuple[Contender, ...]:
    """The rows by influence, equal ones in the order they were begun; each gets a token while there are any."""
    by_influence = sorted(((influence(row), row.seat) for row in rows if row.markers), key=lambda pair: -pair[0])
    return tuple(
        Contender(
            seat,
            value,
            flag[place] if place < len(flag) else None,
            tuple([later for worth, later in by_influence[place + 1 :] if worth == value]),
        )
        for place, (value, seat) in enumerate(by_influence)
    )


def score_towers(name: ScoringName, flags: box.Flags, order: Sequence[str], towers: Mapping[str, Raised]) -> Scoring:
    return Scoring(
        name,
        tuple(
            ScoredTower(style, rank, towers[style].height, flag, contenders(towers[style].rows, flag))
            for rank, (style, flag) in enumerate(zip(ranking(order, towers), flags, strict=True), 1)
        ),
    )


def intermezzo(players: int, order: Sequence[str], towers: Mapping[str, Raised]) -> Scoring:
    return score_towers("intermezzo", box.intermezzo_flags(players), order, towers)


def finito(players: int, order: Sequence[str], towers: Mapping[str, Raised]) -> Scoring:
    return score_towers("finito", box.finito_flags(players), order, towers)


def lines(scoring: Scoring) -> list[tuple[int, ScoreLine]]:
    """The tokens won: seat and score line, from the highest tower down."""
    rule, won = RULES[scoring.scoring], []
    for tower in scoring.towers:
        for place, contender in enumerate(tower.contenders, 1):
            points, worth = contender.token, contender.influence
            if points is not None:
                line = ScoreLine(rule, points, tower.tower, tower.rank, tower.height, worth, place)
                won.append((contender.seat, line))
    return won


@implements("campanile.scoring.tokens")
def tokens_won(scoring: Scoring, seat: int) -> PointTokens:
    """The values of the tokens that a seat won."""
    return tuple(sorted(line.points for winner, line in lines(scoring) if winner == seat))


def why_not_given(players: int, tokens: Sequence[PointTokens]) -> Because | None:
    """Why the Intermezzo cannot have given these tokens.

    There are not more of them on its flags, and each player wins at most one from each flag.
    """
    flags = box.intermezzo_flags(players)
    on_flags, won = Counter(chain.from_iterable(flags)), Counter(chain.from_iterable(tokens))
    for value in sorted(won - on_flags, reverse=True):
        return Because("tokens-of-value", {"points": value, "box": on_flags[value], "number": won[value]})
    best = tuple(flag[0] for flag in flags if flag)
    if all(len(own) <= len(best) and all(map(le, sorted(own, reverse=True), best)) for own in tokens):
        return None
    return Because("tokens-at-best", {"tokens": best})


def token_lines(tokens: PointTokens) -> list[ScoreLine]:
    """Score lines of tokens from an Intermezzo, if only their values are known."""
    return [ScoreLine(RULES["intermezzo"], token) for token in sorted(tokens, reverse=True)]


def score(seat: int, score_lines: Iterable[ScoreLine]) -> Score[ScoreLine]:
    """A player's score; the most valuable single token (0 without any) breaks ties."""
    kept = tuple(score_lines)
    return Score(seat, kept, (exactly(max((line.points for line in kept), default=0)),))


@implements("campanile.scoring.places")
def result_of(openings: Sequence[Sequence[ScoreLine]], scorings: Sequence[Scoring], unfinished: bool = False) -> Result:
    """The result of the scorings whose towers are known; the points so far, without places, if `unfinished`.

    `openings`: the score lines of each player from an Intermezzo with only its tokens known.
    """
    won = [line for scoring in scorings for line in lines(scoring)]
    scores = [
        score(seat, [*opening, *(line for winner, line in won if winner == seat)])
        for seat, opening in enumerate(openings)
    ]
    result = ranked(scores, TIE_RULES, unfinished=unfinished)
    members = {name: getattr(result, name) for name in result.__struct_fields__}
    return Result(**members, scorings=tuple(scorings))


def final_scoring(state: State) -> Scoring:
    return finito(len(state.seats), state.options.tower_order, state.towers)


def result_at_end(state: State) -> Result:
    """The result from the tokens of the Intermezzo, and from those that the towers give at the Finito."""
    return result_of([token_lines(seat.tokens) for seat in state.seats], (final_scoring(state),))
