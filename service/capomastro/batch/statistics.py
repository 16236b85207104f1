"""Numbers about recorded games: how long they are, who scores what, which moves are played, and how they do.

Each record is replayed once. What is counted of a batch is a `Collected`, and any two add up, so that batches may be
counted in any process and in any order. Memory does not grow with the archive: only openings are many, and those that
were played once are forgotten when there are too many of them.
"""

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from capomastro.adjudicator.loading import load_record
from capomastro.archive import DIGITS, Terms, moves_hash, require_judgeable
from capomastro.batch.sources import Record
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move, SeatMove, seat_of, type_of
from capomastro.engine.results import AnyResult
from capomastro.engine.steps import Refused, Step, play_steps

MAXIMUM_OPENINGS = 50_000
"""Openings that are kept of a game with a number of players; with more, those that were played once are forgotten."""

Comparator = Literal["=", "!=", "<", "<=", ">", ">="]
COMPARATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Comparison(Struct, frozen=True):
    """A condition on positions: the value at a JSON Pointer into the state, compared with another."""

    pointer: str
    comparator: Comparator
    value: int | str | bool | None

    def holds(self, state: Any) -> bool:
        """Whether the value is there, can be compared, and meets the condition."""
        with suppress(LookupError, AttributeError, TypeError, ValueError):
            return COMPARATORS[self.comparator](value_at(state, self.pointer), self.value)
        return False


def value_at(value: Any, pointer: str) -> Any:
    """The value at a JSON Pointer into a document that is still a struct."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Struct):
            tag = value.__struct_config__.tag
            value = tag if name == "type" and tag is not None else getattr(value, name)
        else:
            value = value[int(name)] if isinstance(value, Sequence) else value[name]
    return value


class Question(Struct, frozen=True):
    """Which games count: those with all of these players and tags, played on these days, with such a position.

    Dates are compared as texts with the tag `date`. `depth`: the number of players' moves in openings.
    `with_rows`: every game and move is wanted, too.
    """

    players: tuple[str, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    since: str | None = None
    until: str | None = None
    rules_version: int | None = None
    where: tuple[Comparison, ...] = ()
    depth: int = 2
    with_rows: bool = False

    def admits(self, document: Mapping[str, Any]) -> bool:
        """Whether a record can count, judging by its members."""
        names, tags = document.get("names", ()), document.get("tags", {})
        date = tags.get("date", "")
        return (
            set(self.players) <= set(names)
            and all(tags.get(name) == value for name, value in self.tags)
            and (self.since is None or date >= self.since)
            and (self.until is None or (date != "" and date[: len(self.until)] <= self.until))
            and self.rules_version in (None, document["rules_version"])
        )


# --- what is counted -------------------------------------------------------------------------------------------------


class Numbers(Struct):
    """Some numbers: how many there are, their sum, the least and the greatest."""

    count: int = 0
    total: int = 0
    least: int | None = None
    most: int | None = None

    def add(self, value: int) -> None:
        self.merge(Numbers(1, value, value, value))

    def merge(self, more: "Numbers") -> None:
        self.count += more.count
        self.total += more.total
        self.least = min((value for value in (self.least, more.least) if value is not None), default=None)
        self.most = max((value for value in (self.most, more.most) if value is not None), default=None)

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0


class Seat(Struct):
    """What the players of a seat, or those who shared a place, have scored; a victory shared by two counts half."""

    points: Numbers = field(default_factory=Numbers)
    wins: float = 0.0

    def merge(self, more: "Seat") -> None:
        self.points.merge(more.points)
        self.wins += more.wins


class Phase(Struct):
    """A kind of decision: how many moves were made there, and among how many legal ones."""

    moves: int = 0
    choices: Numbers = field(default_factory=Numbers)

    def merge(self, more: "Phase") -> None:
        self.moves += more.moves
        self.choices.merge(more.choices)


class Opening(Struct):
    """A move that was played in a position: in how many games, and how its player did in those that are over."""

    games: int = 0
    did: Seat = field(default_factory=Seat)

    def merge(self, more: "Opening") -> None:
        self.games += more.games
        self.did.merge(more.did)


class Figures(Struct):
    """The figures about all games of a title with a number of players.

    `lengths`: games by number of moves. `kinds`: moves by type. `first_moves` and `openings`: by the number of the
    player's move from 1, and the move; for openings also by the digest of the position before it.
    """

    games: int = 0
    finished: int = 0
    shared_victories: int = 0
    lengths: dict[int, int] = field(default_factory=dict)
    decisions: Numbers = field(default_factory=Numbers)
    choices: Numbers = field(default_factory=Numbers)
    seats: dict[int, Seat] = field(default_factory=dict)
    places: dict[int, Seat] = field(default_factory=dict)
    phases: dict[str, Phase] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    first_moves: dict[str, Opening] = field(default_factory=dict)
    openings: dict[str, Opening] = field(default_factory=dict)

    def merge(self, more: "Figures") -> None:
        self.games += more.games
        self.finished += more.finished
        self.shared_victories += more.shared_victories
        self.decisions.merge(more.decisions)
        self.choices.merge(more.choices)
        self.lengths = dict(Counter(self.lengths) + Counter(more.lengths))
        self.kinds = dict(Counter(self.kinds) + Counter(more.kinds))
        for name in ("seats", "places", "phases", "first_moves", "openings"):
            merge_by_key(getattr(self, name), getattr(more, name))
        if len(self.openings) > MAXIMUM_OPENINGS:
            self.openings = {key: opening for key, opening in self.openings.items() if opening.games > 1}

    def median_length(self) -> int:
        """The number of moves that half of the games do not exceed."""
        left = (self.games + 1) // 2
        for length in sorted(self.lengths):
            left -= self.lengths[length]
            if left <= 0:
                return length
        return 0


def merge_by_key(into: dict[Any, Any], more: Mapping[Any, Any]) -> None:
    for key, value in more.items():
        if key in into:
            into[key].merge(value)
        else:
            into[key] = value


class GameRow(Struct):
    """A game as a row of a table, with its results by seat and its moves."""

    source: str
    line: int
    game: str
    players: int
    rules_version: int
    id: str | None
    names: list[str] | None
    tags: dict[str, str]
    options: str
    plies: int
    finished: bool
    moves_hash: str
    results: list[tuple[int, int, int | None, bool]]
    """Seat, points, place, whether it won."""
    moves: list[tuple[int, str, int | None, str, int | None, str]]
    """Ply, decision, seat, type, number of legal moves, the move as notation."""


class Collected(Struct):
    """What was counted of some records: figures by title and number of players, and the records that do not count.

    `left_out`: with an illegal move, or not usable; `others`: of games that were not asked for. `unreadable`: why a
    source could not be read, or not to its end, by its name.
    """

    figures: dict[str, Figures] = field(default_factory=dict)
    left_out: int = 0
    others: int = 0
    unreadable: dict[str, str] = field(default_factory=dict)
    rows: list[GameRow] = field(default_factory=list)

    def merge(self, more: "Collected") -> None:
        """Adds what was counted of others, except their rows."""
        self.left_out += more.left_out
        self.others += more.others
        self.unreadable |= more.unreadable
        merge_by_key(self.figures, more.figures)


_decoder = msgspec.json.Decoder(Collected)


def read_collected(line: bytes) -> Collected:
    """What a process has counted; a record that killed one is left out."""
    if line.startswith(b'{"source":'):
        return Collected(left_out=1)
    return _decoder.decode(line)


# --- counting --------------------------------------------------------------------------------------------------------


def collect(records: Sequence[Record], terms: Terms, question: Question) -> list[bytes]:
    """What can be counted of records."""
    found = Collected()
    for record in records:
        if record.trouble:
            found.unreadable[record.source] = record.trouble
            continue
        try:
            count(record, terms, question, found)
        except (Problem, Refused):
            found.left_out += 1
    return [msgspec.json.encode(found)]


def count(record: Record, terms: Terms, question: Question, found: Collected) -> None:
    """Counts a record.

    Raises:
        Problem, Refused: if it cannot be used, or has an illegal move.
    """
    document = record.document()
    game = require_judgeable(document, terms)
    start, moves = load_record(game, document, terms.under_current_rules, "")
    if not question.admits(document):
        found.others += 1
        return
    steps = list(play_steps(game, start, moves))
    states = [start, *(step.after for step in steps)]
    if not all(any(map(comparison.holds, states)) for comparison in question.where):
        found.others += 1
        return
    end = states[-1]
    result = game.result(end) if referee.is_over(game, end) else None
    choices = [choices_in(game, step) for step in steps]
    figures = found.figures.setdefault(f"{game.id} {len(start.seats)}", Figures())
    figures.merge(figures_of(game, steps, choices, result, question.depth))
    if question.with_rows:
        found.rows.append(row_of(record, document, game, start, moves, steps, choices, result))


def choices_in(game: AnyGame, step: Step) -> int | None:
    """The number of legal moves that a player had; None if chance decided."""
    return None if seat_of(step.move) is None else referee.legal_moves(game, step.before).total


def figures_of(
    game: AnyGame, steps: Sequence[Step], choices: Sequence[int | None], result: AnyResult | None, depth: int
) -> Figures:
    """The figures about one game."""
    figures = Figures(games=1, lengths={len(steps): 1})
    for step, number in zip(steps, choices, strict=True):
        phase = figures.phases.setdefault(type_of(type(step.before.stage)), Phase())
        phase.moves += 1
        kind = type_of(type(step.move))
        figures.kinds[kind] = figures.kinds.get(kind, 0) + 1
        if number is not None:
            phase.choices.add(number)
            figures.choices.add(number)
    figures.decisions.add(sum(number is not None for number in choices))
    did: dict[int, tuple[int, float]] = {}
    if result is not None:
        figures.finished = 1
        winners = result.winners or ()
        figures.shared_victories = int(len(winners) > 1)
        for player in result.players:
            wins = 1 / len(winners) if player.seat in winners else 0.0
            did[player.seat] = (player.total, wins)
            figures.seats[player.seat] = seat_with(player.total, wins)
            if player.place is not None:
                figures.places.setdefault(player.place, Seat()).merge(seat_with(player.total, wins))
    for number, (key, step) in enumerate(openings_in(game, steps, depth), 1):
        assert isinstance(step.move, SeatMove)
        for name, openings in ((key, figures.openings), (type_of(type(step.move)), figures.first_moves)):
            how = did.get(step.move.seat)
            openings[f"{number} {name}"] = Opening(1, Seat() if how is None else seat_with(*how))
    return figures


def seat_with(points: int, wins: float) -> Seat:
    return Seat(Numbers(1, points, points, points), wins)


def openings_in(game: AnyGame, steps: Sequence[Step], depth: int) -> Iterator[tuple[str, Step]]:
    """The first `depth` moves of players, each with the digest of the position before it and its notation."""
    found = 0
    for step in steps:
        if found == depth:
            return
        if isinstance(step.move, SeatMove):
            found += 1
            position = msgspec.structs.replace(step.before, names=None)
            yield f"{json_text.state_hash(position)[:DIGITS]} {written(game, step.move)}", step


def written(game: AnyGame, move: Move) -> str:
    return notation.written_move(game, msgspec.to_builtins(move))


def row_of(
    record: Record,
    document: Mapping[str, Any],
    game: AnyGame,
    start: Any,
    moves: Sequence[Move],
    steps: Sequence[Step],
    choices: Sequence[int | None],
    result: AnyResult | None,
) -> GameRow:
    winners = () if result is None else result.winners or ()
    return GameRow(
        source=record.source,
        line=record.line.number,
        game=game.id,
        players=len(start.seats),
        rules_version=document["rules_version"],
        id=document.get("id"),
        names=document.get("names"),
        tags=document.get("tags", {}),
        options=json_text.encode(start.options).decode(),
        plies=len(steps),
        finished=result is not None,
        moves_hash=moves_hash(game, start, moves),
        results=[
            (player.seat, player.total, player.place, player.seat in winners)
            for player in (() if result is None else result.players)
        ],
        moves=[
            (
                ply,
                type_of(type(step.before.stage)),
                seat_of(step.move),
                type_of(type(step.move)),
                number,
                written(game, step.move),
            )
            for ply, (step, number) in enumerate(zip(steps, choices, strict=True))
        ],
    )
