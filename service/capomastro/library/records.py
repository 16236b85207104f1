"""Records: recorded games, and the referee's verdicts on them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from capomastro import adjudicator
from capomastro.adjudicator.loading import load_record
from capomastro.documents import claims, json_text, notation
from capomastro.engine import nearness, records, referee
from capomastro.engine.decisions import Decision, Move
from capomastro.games import all_games as engines_of_all_games
from capomastro.layout.replays import outcome_text
from capomastro.library.games import Game, document_in, encoded, game_in
from capomastro.library.positions import Position
from capomastro.library.refusals import Refusal, said
from capomastro.library.results import Result

NEAREST = 5
"""Number of nearest legal moves listed for an illegal one."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first illegal move of a record.

    `index`: its index in the record; `departure`: how it departs from the rules, "illegal-move", "out-of-turn",
    "missing-chance", "missing-move" or "after-the-end"; `decision`: the one that was due; `nearest`: legal moves that
    may have been meant.
    """

    index: int
    departure: str
    move: Move
    decision: Decision
    refusal: Refusal
    nearest: tuple[Move, ...]

    def __str__(self) -> str:
        return f"{self.departure} at ply {self.index}: {self.refusal}"


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a record is legal.

    `verdict` is one of the words in docs/records.md; `plies` is the number of moves played, `position`
    the position they lead to; `claim_is_right` whether the claimed result is right, None if there is none.
    """

    verdict: str
    plies: int
    position: Position
    divergence: Divergence | None
    claim_is_right: bool | None

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
            return f"{self.divergence}, after {self.plies} legal moves"
        return f"legal, {self.plies} moves; {outcome_text(self._answer(), self.position.names)}"

    def _answer(self) -> dict[str, Any]:
        """The part that `outcome_text` reads."""
        answer: dict[str, Any] = {"decision": plain(self.position.decision)}
        if self.result is not None:
            answer["result"] = self.result.document()
        if self.claim_is_right is not None:
            answer["claimed_result_matches"] = self.claim_is_right
        return answer


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded game, finished or not: its set-up and every move, including draws."""

    game: Game
    start: Position
    """The position before anything was dealt."""
    moves: tuple[Move, ...]
    id: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    claim: Mapping[str, Any] | None = None
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
        data = text.encode() if isinstance(text, str) else text
        if data.lstrip().startswith(b"{"):
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

    def replay(self) -> Replay:
        """How far it is legal, and whether the claimed result is right."""
        replayed = records.replay(self.game.engine, self.start.state, self.moves)
        position = self.start.play(*self.moves[: replayed.plies])
        divergence = None
        if replayed.refusal is not None:
            divergence = self.divergence(position, replayed.plies, said(self.game.engine, replayed.refusal))
        claims_nothing = self.claim is None and self.claimed_totals is None
        is_right = None if claims_nothing else self.is_claimed(position.result)
        return Replay(verdict_of(position, divergence, is_right), replayed.plies, position, divergence, is_right)

    def divergence(self, position: Position, index: int, refusal: Refusal) -> Divergence:
        """The divergence at the move `index`, which is illegal in this position."""
        engine, state, move = self.game.engine, position.state, self.moves[index]
        near = nearness.nearest(engine, state, move, NEAREST)
        departure = records.departure(engine, state, move).value
        decision = referee.decision(engine, state)
        return Divergence(index, departure, move, decision, refusal, tuple(one.move for one in near))

    def is_claimed(self, result: Result | None) -> bool:
        """Whether a result equals the claimed one."""
        claim = claims.Claim(self.claim, self.claimed_totals)
        return result is not None and all(line.matches for line in claims.compared_claim(claim, result.document()))

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


def verdict_of(position: Position, divergence: Divergence | None, claim_is_right: bool | None) -> str:
    """The verdict on a record, in one word."""
    if divergence is not None:
        return divergence.departure
    if not position.is_over:
        return "unfinished"
    return "wrong-result" if claim_is_right is False else "legal"
