"""Records: recorded games, and the referee's verdicts on them."""

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from capomastro import adjudicator
from capomastro.adjudicator.loading import load_record
from capomastro.adjudicator.replays import NEAREST
from capomastro.adjudicator.texts import course_with_texts
from capomastro.documents import claims, json_text, notation
from capomastro.documents.languages import using_language
from capomastro.documents.wordings import move_text
from capomastro.engine import nearness, records, referee, refusals
from capomastro.engine.decisions import Decision, Move
from capomastro.engine.records import Remedy, Repair
from capomastro.engine.steps import Refused, Step, play_steps
from capomastro.games import all_games as engines_of_all_games
from capomastro.layout.narrative import narrative_lines
from capomastro.layout.replays import lenient_lines, outcome_text
from capomastro.library.games import Game, document_in, encoded, game_in
from capomastro.library.positions import Position
from capomastro.library.refusals import Refusal, with_sentence
from capomastro.library.results import Result


@dataclass(frozen=True, slots=True)
class Divergence:
    """An illegal move of a record.

    `index`: its index in the record; `departure`: how it departs from the rules, "illegal-move", "out-of-turn",
    "missing-chance", "missing-move" or "after-the-end"; `decision`: the one that was due; `nearest`: legal moves that
    may have been meant; `remedy`: how it was repaired, None if it was not.
    """

    index: int
    departure: str
    move: Move
    decision: Decision
    refusal: Refusal
    nearest: tuple[Move, ...]
    remedy: Remedy | None = None

    def __str__(self) -> str:
        return f"{self.departure} at ply {self.index}: {self.refusal}"


@dataclass(frozen=True, slots=True)
class LenientReplay:
    """How a record continues if each illegal move is repaired; everything after the first repair is conditional.

    `divergences`: every illegal move, with its remedy; `position`: where the repaired game leads, with all its moves,
    so that `Record.of(lenient.position)` is the repaired record; `followed_to_the_end` is false if there were too many
    divergences; `claim_is_right` as in `Replay`.
    """

    repair: Literal["skip", "correct"]
    divergences: tuple[Divergence, ...]
    position: Position
    followed_to_the_end: bool
    claim_is_right: bool | None

    @property
    def plies(self) -> int:
        """The number of moves played."""
        return self.position.ply

    @property
    def result(self) -> Result | None:
        """The result, if the repaired game is over."""
        return self.position.result

    def __str__(self) -> str:
        divergences = [
            {
                "index": one.index,
                "move": plain(one.move),
                "text": self._sentence(one.move),
                "refusal": {"rule": one.refusal.rule},
                "remedy": {} if one.remedy is None else {"action": one.remedy.action, "move": plain(one.remedy.move)},
                "remedy_text": self._sentence(None if one.remedy is None else one.remedy.move),
            }
            for one in self.divergences
        ]
        answer = {
            "repair": self.repair,
            "divergences": divergences,
            "followed_to_the_end": self.followed_to_the_end,
            "plies": self.plies,
            **outcome_of(self.position, self.claim_is_right),
        }
        lines = lenient_lines(self.position.game.engine, answer, self.position.names)
        return "\n".join(line.removeprefix("  ") for line in lines)

    def _sentence(self, move: Move | None) -> str:
        return "" if move is None else move_text(self.position.game.engine, move, self.position.names)


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a record is legal.

    `verdict` is one of the words in docs/records.md; `plies` is the number of moves played, `position` the position
    they lead to; `claim_is_right` whether the claimed result is right, None if there is none; `lenient` how the record
    continues, if a repair was asked for and something is illegal.
    """

    verdict: str
    plies: int
    position: Position
    divergence: Divergence | None
    claim_is_right: bool | None
    lenient: LenientReplay | None = None

    @property
    def is_legal(self) -> bool:
        """Whether every move is legal."""
        return self.divergence is None

    @property
    def result(self) -> Result | None:
        """The result, if the game is over."""
        return self.position.result

    def __str__(self) -> str:
        if self.divergence is not None:
            found = f"{self.divergence}, after {self.plies} legal moves"
            return found if self.lenient is None else f"{found}\n{self.lenient}"
        position = self.position
        outcome = outcome_text(position.game.engine, outcome_of(position, self.claim_is_right), position.names)
        return f"legal, {self.plies} moves; {outcome}"


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded game, finished or not: its set-up and every move, including draws."""

    game: Game
    start: Position
    """The position before anything was dealt."""
    moves: tuple[Move, ...]
    id: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)
    claim: Mapping[str, Any] | None = field(default=None, hash=False)
    """The claimed result as a document."""
    claimed_totals: tuple[int, ...] | None = None
    """The claimed points by seat, where only they were written down."""

    # --- from and to documents ---------------------------------------------------------------------------------------

    @classmethod
    def from_document(cls, document: Mapping[str, Any], *, under_current_rules: bool = False) -> "Record":
        """The record in a document; its moves need not be legal. `under_current_rules` accepts other rules versions.

        Raises:
            Problem: `shape`, `other-version`, `options`, or another problem of the document.
        """
        decoded = document_in(document)
        found = game_in(decoded)
        start, moves = load_record(found.engine, decoded, under_current_rules, "")
        totals = tuple(decoded["totals"]) if "totals" in decoded else None
        return cls(
            found,
            Position(found, start),
            tuple(moves),
            decoded.get("id"),
            decoded.get("tags", {}),
            decoded.get("result"),
            totals,
        )

    @classmethod
    def from_text(cls, text: str | bytes, *, under_current_rules: bool = False) -> "Record":
        """The record in a text: JSON, or text notation (docs/notation.md).

        Raises:
            Problem: `malformed-json`, `malformed-notation`, and as `from_document`.
        """
        data = (json_text.utf8(text) if isinstance(text, str) else text).removeprefix(BOM_UTF8)
        if data.lstrip(json_text.WHITE_SPACE.encode()).startswith(b"{"):
            document = document_in(data)
        else:
            document = notation.read(data, engines_of_all_games()).record
        return cls.from_document(document, under_current_rules=under_current_rules)

    @classmethod
    def of(cls, position: Position, *, id: str | None = None, tags: Mapping[str, str] | None = None) -> "Record":
        """The record of the game that led to a position; it claims the result if the game is over.

        Raises:
            ValueError: if the beginning of the game is unknown.
        """
        first = position.beginning
        start = start_of(first)
        if first != start:
            raise ValueError("how this game began is not known: it was not set up here")
        moves = tuple(ply.move for ply in position.history)
        claim = None if position.result is None else position.result.document()
        return cls(position.game, start, moves, id, dict(tags or {}), claim)

    def document(self) -> dict[str, Any]:
        """The record as a document, as the service accepts it."""
        decoded: dict[str, Any] = json_text.decode(self.json())
        return decoded

    def json(self) -> bytes:
        """The record as JSON text on one line, as in an archive (NDJSON)."""
        written = adjudicator.record_of(self.game.engine, self.start.state, self.moves)
        further = {"id": self.id, "tags": dict(self.tags) or None, "result": self.claim, "totals": self.claimed_totals}
        return encoded({**plain(written), **{name: value for name, value in further.items() if value is not None}})

    def text(self) -> str:
        """The record in text notation, one move per line."""
        return notation.written(self.game.engine, self.document())

    # --- what it says ------------------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return self.start.players

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.start.names

    def positions(self) -> Iterator[Position]:
        """Every position of the game, from the set-up on.

        Raises:
            IllegalMove: when it reaches an illegal move.
        """
        position = self.start
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position

    def position(self) -> Position:
        """The last position, with its history.

        Raises:
            IllegalMove: if a move is illegal.
        """
        return self.start.play(*self.moves)

    def replay(self, repair: Literal["skip", "correct"] | None = None) -> Replay:
        """How far it is legal, and whether the claimed result is right.

        With `repair` it is followed beyond an illegal move, and `lenient` has the outcome: "skip" leaves out every
        illegal move; "correct" replaces it, inserts a move before it or leaves it out, whichever lets the record
        continue furthest.
        """
        chosen = None if repair is None else Repair(repair)
        replayed = records.replay(self.game.engine, self.start.state, self.moves)
        position = self.start.play(*self.moves[: replayed.plies])
        divergence = lenient = None
        if replayed.refusal is not None:
            divergence = self._divergence(position.state, replayed.plies, replayed.refusal)
            if chosen is not None:
                lenient = self._repaired(position, chosen)
        is_right = self._claim_is_right(position)
        verdict = verdict_of(position, divergence, is_right)
        return Replay(verdict, replayed.plies, position, divergence, is_right, lenient)

    def _repaired(self, position: Position, repair: Repair) -> LenientReplay:
        """How the record continues from this position, in which its next move is illegal."""
        followed = records.follow(self.game.engine, position.state, self.moves, position.ply, repair)
        divergences = tuple(
            self._divergence(one.state, one.index, one.refusal, one.remedy) for one in followed.divergences
        )
        end = self.start.play(*islice(repaired(self.moves, divergences), followed.state.ply))
        is_right = self._claim_is_right(end)
        return LenientReplay(repair.value, divergences, end, followed.to_the_end, is_right)

    def _divergence(
        self, state: Any, index: int, refusal: refusals.Refusal, remedy: Remedy | None = None
    ) -> Divergence:
        """The divergence at the move `index`, which is illegal in this state."""
        engine, move = self.game.engine, self.moves[index]
        near = nearness.nearest(engine, state, move, NEAREST)
        departure = records.departure(engine, state, move).value
        decision = referee.decision(engine, state)
        meant = tuple(one.move for one in near)
        return Divergence(index, departure, move, decision, with_sentence(engine, refusal), meant, remedy)

    def _claim_is_right(self, position: Position) -> bool | None:
        """Whether the result of a position equals the claimed one; None if nothing is claimed."""
        if self.claim is None and self.claimed_totals is None:
            return None
        claim, result = claims.Claim(self.claim, self.claimed_totals), position.result
        return result is not None and all(line.matches for line in claims.compared_claim(claim, result.document()))

    def in_words(self, language: str = "en") -> str:
        """The game in sentences, turn by turn, as far as it is legal; in a language of `game.languages`."""
        with using_language(language):
            steps: list[Step] = []
            with suppress(Refused):
                steps.extend(play_steps(self.game.engine, self.start.state, self.moves))
            course = course_with_texts(self.game.engine, steps)
            return "\n".join(narrative_lines(plain(course), self.names)).rstrip()

    def seen_by(self, seat: int | None) -> "Record":
        """The record as a seat (None: a spectator) could have written it.

        Raises:
            IllegalMove: if a move is illegal.
            Problem: `no-such-seat`.
        """
        self.start.seen_by(seat)  # refuses a seat that does not exist
        moves = (referee.as_seen(ply.move, ply.witness, seat) for ply in self.position().history)
        return Record(self.game, self.start, tuple(moves), self.id, self.tags, self.claim, self.claimed_totals)

    def __str__(self) -> str:
        """The record in text notation."""
        return self.text()

    def _repr_svg_(self) -> str:
        """How a notebook shows it: the last position that is legal."""
        return self.replay().position.picture()

    def __repr__(self) -> str:
        return f"<Record: {self.game.title}, {self.players} players, {len(self.moves)} moves>"


def plain(value: object) -> Any:
    """A value as JSON values."""
    return json_text.decode(json_text.encode(value))


def start_of(position: Position) -> Position:
    """The beginning of a game with the players, names and options of this position."""
    state: Any = position.state
    begun = position.game.engine.start(position.players, state.options, state.names)
    return Position(position.game, begun)


def outcome_of(position: Position, claim_is_right: bool | None) -> dict[str, Any]:
    """The part of an answer that `outcome_text` reads."""
    answer: dict[str, Any] = {"decision": plain(position.decision)}
    if position.result is not None:
        answer["result"] = position.result.document()
    if claim_is_right is not None:
        answer["claimed_result_matches"] = claim_is_right
    return answer


def repaired(moves: Sequence[Move], divergences: Iterable[Divergence]) -> Iterator[Move]:
    """The moves of a record with its illegal ones repaired."""
    done = 0
    for divergence in divergences:
        yield from moves[done : divergence.index]
        done = divergence.index
        remedy = divergence.remedy
        if remedy is not None and remedy.move is not None:
            yield remedy.move
        if remedy is not None and remedy.action != "inserted":
            done += 1
    yield from moves[done:]


def verdict_of(position: Position, divergence: Divergence | None, claim_is_right: bool | None) -> str:
    """The verdict on a record, in one word."""
    if divergence is not None:
        return divergence.departure
    if not position.is_over:
        return "unfinished"
    return "wrong-result" if claim_is_right is False else "legal"
