"""Records: recorded games, and the referee's verdicts on them."""

from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from capomastro import adjudicator
from capomastro.adjudicator.loading import load_record
from capomastro.adjudicator.replays import claim_check, replay_moves
from capomastro.adjudicator.texts import course_with_texts
from capomastro.adjudicator.views import require_seat
from capomastro.answers import Replay
from capomastro.documents import claims, json_text, notation
from capomastro.documents.languages import using_language
from capomastro.documents.problems import Problem
from capomastro.engine import records, referee
from capomastro.engine.moves import Move
from capomastro.engine.records import Repair
from capomastro.engine.samples import sampler_of_course
from capomastro.engine.steps import Refused, Step, play_steps
from capomastro.games import all_games as definitions_of_all_games
from capomastro.layout.narrative import narrative_lines
from capomastro.library.games import Game, as_json, document_in, game_in
from capomastro.library.positions import Position, Seed, seed_text


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
    comments: notation.Comments = field(default_factory=dict, hash=False)
    """The comments of a text by position: those after so many moves, without their `#`. Nothing judges them."""

    # --- from and to documents ---------------------------------------------------------------------------------------

    @classmethod
    def from_document(cls, document: Mapping[str, Any], *, under_current_rules: bool = False) -> "Record":
        """The record in a document; its moves need not be legal. `under_current_rules` accepts other rules versions.

        Raises:
            Problem: `shape`, `other-version`, `options`, or another problem of the document.
        """
        decoded = document_in(document)
        found = game_in(decoded)
        start, moves = load_record(found.definition, decoded, under_current_rules, "")
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
            Problem: `malformed-json`, `malformed-notation`, and as `from_document`, in notation with line and column.
        """
        data = (json_text.utf8(text) if isinstance(text, str) else text).removeprefix(BOM_UTF8)
        if data.lstrip(json_text.WHITE_SPACE.encode()).startswith(b"{"):
            return cls.from_document(document_in(data), under_current_rules=under_current_rules)
        notated = notation.read(data, definitions_of_all_games())
        try:
            record = cls.from_document(notated.record, under_current_rules=under_current_rules)
        except Problem as problem:
            problem.errors = notated.located(problem.errors)
            raise
        return replace(record, comments=notated.comments)

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
        written = adjudicator.record_of(self.game.definition, self.start.state, self.moves)
        further = {"id": self.id, "tags": dict(self.tags) or None, "result": self.claim, "totals": self.claimed_totals}
        return as_json({**plain(written), **{name: value for name, value in further.items() if value is not None}})

    def text(self) -> str:
        """The record in text notation, one move per line, with its comments."""
        return notation.written(self.game.definition, self.document(), self.comments)

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
        claim = claims.claim_of(self.claim, self.claimed_totals)
        document = None if chosen is None else self.document()
        game = self.game.definition
        return replay_moves(game, self.start.state, self.moves, claim, chosen, texts=True, document=document)

    def repaired(self, repair: Literal["skip", "correct"]) -> "Record":
        """The record with every illegal move repaired, as far as `replay` follows it.

        A claimed result that the repaired moves do not reach is left out.
        """
        game = self.game.definition
        meets_claim = claim_check(game, claims.claim_of(self.claim, self.claimed_totals))
        followed = records.follow(game, self.start.state, self.moves, Repair(repair), meets_claim)
        if not followed.divergences:
            return self
        repaired = replace(self, moves=followed.moves, comments={})  # they were about other positions
        if meets_claim is None or meets_claim(followed.state):
            return repaired
        return replace(repaired, claim=None, claimed_totals=None)

    def in_words(self, language: str = "en") -> str:
        """The game in sentences, turn by turn, as far as it is legal; in a language of `game.languages`."""
        with using_language(language):
            steps: list[Step] = []
            with suppress(Refused):
                steps.extend(play_steps(self.game.definition, self.start.state, self.moves))
            course = course_with_texts(self.game.definition, steps)
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

    def sampled(self, seat: int | None, seed: Seed = "", count: int = 1) -> tuple[Position, ...]:
        """Full positions that agree with all that a seat (None: a spectator) has seen in the course of this game.

        As `Position.sampled`, but with regard to when cards were dealt: before or after the pile was reshuffled.

        Raises:
            IllegalMove: if a move is illegal.
            Problem: `no-such-seat`.
        """
        require_seat(self.start.state, seat, "")
        try:
            sampler = sampler_of_course(self.game.definition, self.start.state, self.moves, seat)
        except Refused:
            self.position()
            raise
        return tuple(Position(self.game, full) for full in sampler.samples(seed_text(seed), count))

    def __str__(self) -> str:
        """The record in text notation."""
        return self.text()

    def _repr_svg_(self) -> str:
        """How a notebook shows it: the last position that is legal."""
        plies = records.replay(self.game.definition, self.start.state, self.moves).plies
        return self.start.play(*self.moves[:plies]).picture()

    def __repr__(self) -> str:
        return f"<Record: {self.game.title}, {self.players} players, {len(self.moves)} moves>"


def plain(value: object) -> Any:
    """A value as JSON values."""
    return json_text.decode(json_text.encode(value))


def start_of(position: Position) -> Position:
    """The beginning of a game with the players, names and options of this position."""
    state: Any = position.state
    begun = position.game.definition.start(position.players, state.options, state.names)
    return Position(position.game, begun)
