"""Final results: every line of every player's score, places, winners and how ties were broken."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import inf
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta

from capomastro.engine.members import MOST_PLAYERS, BySeat, RuleId, SeatIndex, titled

MOST_POINTS, MOST_LOST = 1_000_000, 10_000
"""Bounds of documents; no game comes near them."""

MOST_LINES = 1_000
"""The longest score has two lines for each of 48 palaces."""
MOST_ENTRIES = 100
"""Of a list for people."""

Points = Annotated[int, Meta(ge=-MOST_LOST, le=MOST_POINTS)]
Rules = Annotated[tuple[RuleId, ...], Meta(max_length=MOST_ENTRIES)]


@titled("Line of a score")
class ScoreLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a player's score: the rule, the points and their origin. Games add members."""

    rule: RuleId
    """The rule that gives the points."""
    points: Points
    """The points; negative if they are lost."""


Line = TypeVar("Line", bound=ScoreLine)
"""A line of a score, of one game."""


class TieBreak(msgspec.Struct, frozen=True):
    """A value that breaks a tie, between `low` and `high`; `high` is None if unknown components could raise it."""

    low: int
    high: int | None

    @property
    def exact(self) -> int | None:
        return self.low if self.low == self.high else None

    @property
    def most(self) -> float:
        """The upper bound as a number that can be compared."""
        return inf if self.high is None else self.high


def exactly(value: int) -> TieBreak:
    return TieBreak(value, value)


class Score(msgspec.Struct, Generic[Line], frozen=True):
    """A player's score, without a place.

    `tie_breaks` are compared one after the other, the higher wins; `missing` lists the members of the seat that are
    unknown.
    """

    seat: int
    lines: tuple[Line, ...]
    tie_breaks: tuple[TieBreak, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return sum([line.points for line in self.lines])


def score_with(seat: int, lines: Iterable[Line], tie_break: int | None, member: str) -> Score[Line]:
    """A score with one number that breaks ties, None if `member` of the seat, from which it follows, is unknown."""
    if tie_break is None:
        return Score(seat, tuple(lines), (TieBreak(0, None),), (member,))
    return Score(seat, tuple(lines), (exactly(tie_break),))


@titled("Player's result", "player")
class PlayerResult(msgspec.Struct, Generic[Line], frozen=True):
    """A player's lines, total and place."""

    seat: SeatIndex
    lines: Annotated[tuple[Line, ...], Meta(max_length=MOST_LINES)]
    """Every line of the score."""
    total: Points
    """The sum of the lines."""
    place: Annotated[int, Meta(ge=1, le=MOST_PLAYERS)] | None
    """1 for the winner; players who share a place have the same number, and the following numbers are skipped. Null if
    it depends on something unknown."""


@titled(name="comparison")
class TieComparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """One comparison among players with equal totals."""

    rule: RuleId
    """The tie-break rule."""
    seats: BySeat[SeatIndex]
    """The players compared."""
    values: BySeat[Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)] | None]
    """The values compared, one for each of `seats`; more is better. Null if unknown."""


class Missing(msgspec.Struct, frozen=True):
    """What is unknown of a player."""

    seat: SeatIndex
    missing: Annotated[
        tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=MOST_ENTRIES, examples=[["hand"]])
    ]
    """What is unknown: members of the seat, by the names that they have in states."""


class Result(msgspec.Struct, Generic[Line], frozen=True, omit_defaults=True):
    """Who won, and why: every score line, the places, and how ties were broken."""

    players: BySeat[PlayerResult[Line]]
    """One entry per player, by seat."""
    tie_break: Annotated[tuple[TieComparison, ...], Meta(max_length=MOST_ENTRIES)]
    """The comparisons among players with equal totals, from the best total down, as far as they are needed."""
    undecided: Annotated[tuple[SeatIndex, ...], Meta(max_length=MOST_PLAYERS)]
    """The seats whose place depends on something unknown; on an unfinished scoresheet all of them."""
    winners: Annotated[tuple[SeatIndex, ...], Meta(min_length=1, max_length=MOST_PLAYERS)] | None = None
    """The seats that won; several if they share the victory. Absent if the winner is uncertain."""
    missing: Annotated[tuple[Missing, ...], Meta(max_length=MOST_PLAYERS)] = ()
    """What is unknown of undecided seats. Absent if nothing is missing."""
    skipped_checks: Rules = ()
    """The rules that could not be checked because the scoresheet has too little detail. Absent if all were."""
    assumptions: Rules = ()
    """The rules without a source that the points rest on, because the scoresheet says nothing else. Absent if there are
    none."""

    @property
    def totals(self) -> tuple[int, ...]:
        """The points by seat."""
        return tuple([player.total for player in self.players])


AnyResult = Result[Any]
"""A result of any game."""


class Quoted:
    """Marks a member that repeats a part of a document: what looks like a pointer in it may be anything."""


@titled("Line of a claimed result")
class ClaimedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison between the claimed and the computed result."""

    seat: SeatIndex | msgspec.UnsetType = msgspec.UNSET
    """The seat it concerns; absent if it concerns all."""
    what: str
    """`line` for a score line, otherwise the member of the result: `total`, `place`, `winners`, `tie_break`, and so
    on."""
    claimed: Annotated[Any, Quoted]
    """The claimed value; null if the record has none."""
    computed: Any
    """The computed value; null if there is none."""
    matches: bool
    """Whether the two are equal, as far as the computed value is certain."""


AHEAD, LEVEL, BEHIND = 1, 0, -1


def comparisons(score: Score[Any], rival: Score[Any]) -> set[int]:
    """The possible positions of `score` relative to `rival`; several if something unknown matters."""
    if difference := score.total - rival.total:
        return {AHEAD if difference > 0 else BEHIND}
    possible = set()
    for own, rivals in zip(score.tie_breaks, rival.tie_breaks, strict=True):
        if own.most > rivals.low:
            possible.add(AHEAD)
        if rivals.most > own.low:
            possible.add(BEHIND)
        if own.most < rivals.low or rivals.most < own.low:
            return possible
    return possible | {LEVEL}


def ranked(
    scores: Sequence[Score[Line]],
    tie_rules: Sequence[str],
    skipped_checks: Sequence[str] = (),
    unfinished: bool = False,
) -> Result[Line]:
    """The result of `scores`; `tie_rules` are the ids of the tie-break rules, in the order of `Score.tie_breaks`.

    A place depends only on the number of players ahead: it is undecided if it is uncertain whether somebody is ahead.
    Nobody has a place while a scoresheet is still `unfinished`.
    """
    if unfinished:
        return unplaced(scores, skipped_checks)
    places: list[int | None] = []
    candidates: list[int] = []
    open_between: set[int] = set()
    for score in scores:
        possible = {rival.seat: comparisons(score, rival) for rival in scores if rival is not score}
        may_be_ahead = [seat for seat, ways in possible.items() if BEHIND in ways]
        unclear = [seat for seat in may_be_ahead if len(possible[seat]) > 1]
        places.append(None if unclear else 1 + len(may_be_ahead))
        if unclear:
            open_between.update(unclear, (score.seat,))
        if len(unclear) == len(may_be_ahead):
            candidates.append(score.seat)
    undecided = tuple(score.seat for score, place in zip(scores, places, strict=True) if place is None)
    certain = not set(candidates) & set(undecided)
    return Result(
        players=tuple(
            PlayerResult(score.seat, score.lines, score.total, place)
            for score, place in zip(scores, places, strict=True)
        ),
        tie_break=tuple(tie_comparisons(scores, tie_rules)),
        undecided=undecided,
        winners=tuple(candidates) if certain else None,
        missing=tuple(
            Missing(score.seat, score.missing) for score in scores if score.missing and score.seat in open_between
        ),
        skipped_checks=tuple(skipped_checks),
    )


def unplaced(scores: Sequence[Score[Line]], skipped_checks: Sequence[str]) -> Result[Line]:
    """The points so far, without places."""
    return Result(
        players=tuple(PlayerResult(score.seat, score.lines, score.total, None) for score in scores),
        tie_break=(),
        undecided=tuple(score.seat for score in scores),
        skipped_checks=tuple(skipped_checks),
    )


def tie_comparisons(scores: Sequence[Score[Any]], tie_rules: Sequence[str]) -> list[TieComparison]:
    """The comparisons among players with equal totals, from the best total down, as far as they are needed."""
    trail = []
    by_total: defaultdict[int, list[Score[Any]]] = defaultdict(list)
    for score in scores:
        by_total[score.total].append(score)
    for total in sorted(by_total, reverse=True):
        tied = [by_total[total]]
        for level, rule in enumerate(tie_rules):
            still: list[list[Score[Any]]] = []
            for group in tied:
                if len(group) < 2:
                    continue
                values = [score.tie_breaks[level].exact for score in group]
                trail.append(TieComparison(rule, tuple(score.seat for score in group), tuple(values)))
                if None not in values:
                    still += [
                        [score for score in group if score.tie_breaks[level].exact == value]
                        for value in sorted({value for value in values if value is not None}, reverse=True)
                    ]
            tied = still
    return trail
