"""Positions of games: legal moves, playing, results. They are immutable values."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from operator import index
from typing import Any, Literal, overload

import msgspec
from msgspec import UNSET

from capomastro.adjudicator import scores
from capomastro.adjudicator.choices import (
    Chosen,
    kinds_of_moves,
    moves_containing,
    outcomes_of,
    partial_in,
    what_is_open,
)
from capomastro.adjudicator.loading import (
    load_names,
    load_options,
    load_state,
    require_continuable,
    shaped_state,
)
from capomastro.adjudicator.moves import legal_moves_of
from capomastro.adjudicator.pictures import Arrangement, picture_of, with_last_move
from capomastro.adjudicator.suggestions import suggested_move
from capomastro.adjudicator.texts import events_with_texts
from capomastro.adjudicator.transitions import played_on
from capomastro.adjudicator.views import require_seat
from capomastro.answers import MoveKind
from capomastro.documents import json_text
from capomastro.documents.languages import using_brief_texts, using_language
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import move_text, phrase
from capomastro.engine import nearness, referee
from capomastro.engine.decisions import Decision
from capomastro.engine.endings import open_results
from capomastro.engine.events import Event
from capomastro.engine.game import Derived, Seat, State
from capomastro.engine.moves import ListedMoves, Move, Moves, type_of
from capomastro.engine.referee import Asker
from capomastro.engine.rules import Amount
from capomastro.engine.samples import Sampler
from capomastro.engine.steps import Refused, Step, play_steps, state_after
from capomastro.layout import states
from capomastro.layout.narrative import sentences_of
from capomastro.library.games import Game, MoveLike, document_in, game, game_in
from capomastro.library.refusals import IllegalMove, Refusal, with_sentence, with_sentences
from capomastro.library.results import Result, Score, score_of

Seed = str | int
"""The seed that draws chance, together with the ply (docs/concepts.md); 7 and "7" draw the same."""

MAXIMUM_PRINTED = 50
"""Maximum number of legal moves printed."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move that was played.

    `number`: its index in the game; `decision`: the decision it answers; `events`: what happened; `witness`: the only
    seat that saw what chance revealed, None if everybody saw it.
    """

    number: int
    decision: Decision
    move: Move
    events: tuple[Event, ...]
    witness: int | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Position:
    """A position: a state, and the moves that led to it from the position `before`, if known.

    Two positions are equal if their states are, however they were reached.
    """

    game: Game
    state: State
    plies: tuple[Ply, ...] = field(default=())
    """The moves played by the call that created this position, including draws."""
    before: "Position | None" = field(default=None)
    """The position before these moves; None for a new game, for a document, and for a view."""

    # --- from and to documents ---------------------------------------------------------------------------------------

    @classmethod
    def from_document(cls, document: Mapping[str, Any] | str | bytes) -> "Position":
        """The position of a state, given as a document or as JSON text. The state is audited.

        Raises:
            Problem: `shape`, `impossible-state`, `other-version`, or another problem of the document.
        """
        decoded = document_in(document)
        game = game_in(decoded)
        return cls(game, load_state(game.definition, decoded, ""))

    def document(self) -> dict[str, Any]:
        """The state as a document, as the service accepts it."""
        decoded: dict[str, Any] = json_text.decode(self.json())
        return decoded

    def json(self) -> bytes:
        """The state as JSON text."""
        return json_text.encode(self.state)

    @property
    def state_hash(self) -> str:
        """The SHA-256 of the state's canonical JSON."""
        return json_text.state_hash(self.state)

    # --- the situation -----------------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """The number of players."""
        return len(seats_of(self.state))

    @property
    def names(self) -> tuple[str, ...] | None:
        """The players' names by seat, if there are any."""
        return self.state.names

    @property
    def ply(self) -> int:
        """The number of moves played so far, including draws."""
        return self.state.ply

    @property
    def decision(self) -> Decision:
        """The next decision and who makes it."""
        return referee.decision(self.game.definition, self.state)

    @property
    def is_over(self) -> bool:
        return referee.is_over(self.game.definition, self.state)

    @property
    def is_chance(self) -> bool:
        """Whether chance decides next."""
        return referee.is_at_chance(self.game.definition, self.state)

    @property
    def derived(self) -> Derived:
        """Figures that follow from the state, for displays: `position.derived.deck`. Each game has its own."""
        return self.game.definition.derived(self.state)

    # --- what can be played ------------------------------------------------------------------------------------------

    @property
    def legal_moves(self) -> "LegalMoves":
        """The legal moves, including draws. Payments have no superfluous parts; see `LegalMoves`."""
        return LegalMoves(self)

    def kinds(self, language: str = "en") -> tuple[MoveKind, ...]:
        """Every kind of move of this decision: its name, its number of legal moves, its parameters, and where they lie.

        The number counts payments with superfluous parts, too.
        """
        with using_language(language):
            return tuple(kinds_of_moves(self.game.definition, self.state, all_payments=True))

    def why_not(self, move: MoveLike, *, seat: Asker = UNSET) -> Refusal | None:
        """The first rule that a move breaks; None if it is legal.

        `seat` is who asks; None is a spectator, who may only draw. See `play`.

        Raises:
            Problem: if it is not a move of this game, or `no-such-seat`.
        """
        require_seat(self.state, seat, "")
        read = self.game.move(move, self.names)
        refused = referee.why_not_asked_by(self.game.definition, self.state, read, seat)
        return None if refused is None else with_sentence(self.game.definition, refused)

    def amounts(self, move: MoveLike) -> tuple[Amount, ...]:
        """What a move, legal or not, adds up to and what it needs: bid, payment, coins, blocks. Most moves have none.

        Raises:
            Problem: if it is not a move of this game.
        """
        return tuple(referee.amounts(self.game.definition, self.state, self.game.move(move, self.names)))

    def played_on(self, computers: Mapping[int, Literal["planning", "random"]], seed: Seed) -> "Position":
        """The position after `computers` (by seat) have moved until somebody else decides, at most 40 moves.

        They play what `suggest` gives for this seed, which also draws. The same as `transitions` with `computers`.

        Raises:
            Problem: `no-such-seat`.
        """
        for seat in computers:
            require_seat(self.state, seat, "")
        by_seat = [computers.get(seat) for seat in range(self.players)]
        steps = list(played_on(self.game.definition, self.state, by_seat, seed_text(seed)))
        return reached(self.game, self.state, steps, self)

    def is_legal(self, move: MoveLike) -> bool:
        """Whether a move is legal."""
        return self.why_not(move) is None

    def unavailable(self) -> dict[str, Refusal]:
        """The kinds of moves of this decision without a legal move, each with the reason."""
        found = referee.unavailable_kinds(self.game.definition, self.state)
        return {type_of(kind): with_sentence(self.game.definition, refused) for kind, refused in found}

    def nearest(self, move: MoveLike, most: int = 5) -> tuple[Move, ...]:
        """The legal moves nearest to an illegal one, nearest first (docs/records.md defines the distance)."""
        read = self.game.move(move, self.names)
        return tuple(near.move for near in nearness.nearest(self.game.definition, self.state, read, most))

    def suggest(self, player: Literal["planning", "random"] = "planning", seed: Seed = "") -> Move | None:
        """The move that a player of the service makes for the seat that decides; None once the game is over.

        It depends on nothing but what that seat may know, `player`, `seed` and the ply.

        Raises:
            Problem: `no-suggestion`, if chance decides, or if no legal move is known because the hand is not.
        """
        return suggested_move(self.game.definition, self.state, player, seed_text(seed), "")

    # --- playing -----------------------------------------------------------------------------------------------------

    def play(self, *moves: MoveLike, seed: Seed | None = None, seat: Asker = UNSET) -> "Position":
        """The position after these moves; all must be legal.

        A seed makes the draws that are not supplied, between and after them. `seat` is who asks, for programs that
        play the moves of others: then all moves must be this seat's own decisions, and for a spectator (None) draws.

        Raises:
            IllegalMove: with the rule that one of them breaks.
            Problem: if one is not a move of this game, `no-such-seat`, or the game has become too long to continue.
        """
        require_seat(self.state, seat, "")
        drawing = None if seed is None else seed_text(seed)
        read = [self.game.move(move, self.names) for move in moves]
        steps = []
        try:
            for step in play_steps(self.game.definition, self.state, read, drawing, seat):
                require_continuable(self.game.definition, step.before, "")
                steps.append(step)
        except Refused as refused:
            require_continuable(self.game.definition, refused.state, "")
            error = IllegalMove(read[refused.index], with_sentence(self.game.definition, refused.refusal))
            if seat is UNSET and referee.is_at_chance(self.game.definition, refused.state):
                error.add_note("Chance is to move: draw(seed) makes its draws, and so does play(…, seed=…).")
            raise error from None
        return reached(self.game, self.state, steps, self)

    def draw(self, seed: Seed) -> "Position":
        """The position after all draws that are due."""
        return self.play(seed=seed)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened in `plies`, in order."""
        return tuple(event for ply in self.plies for event in ply.events)

    def in_words(self, language: str = "en", *, brief: bool = False) -> tuple[str, ...]:
        """What happened in `plies`, in sentences; in a language of `game.languages`.

        `brief` sentences leave out the player, and words where the rest says it all: “red 4: 20”.
        """
        definition, state = self.game.definition, self.state
        with using_language(language), using_brief_texts(brief):
            course = [
                {
                    "move": msgspec.to_builtins(ply.move),
                    "text": move_text(definition, ply.move, self.names),
                    "events": events_with_texts(definition, state, ply.events),
                }
                for ply in self.plies
            ]
            return tuple(sentence for entry in course for sentence in sentences_of(entry))

    def sentence(self, move: MoveLike, language: str = "en") -> str:
        """A move, legal or not, as a sentence; in a language of `game.languages`.

        Raises:
            Problem: if it is not a move of this game.
        """
        read = self.game.move(move, self.names)
        with using_language(language):
            return move_text(self.game.definition, read, self.names)

    @property
    def history(self) -> tuple[Ply, ...]:
        """All known moves that led here, from the set-up on if the game was set up here."""
        return tuple(ply for position in self._known() for ply in position.plies)

    def _known(self) -> "list[Position]":
        """The known positions of the game, one for each call, up to this one."""
        known, position = [self], self
        while position.before is not None:
            position = position.before
            known.append(position)
        return known[::-1]

    def __reduce__(self) -> "tuple[Callable[..., Position], tuple[Any, ...]]":
        """How it is pickled and copied: one position after the other, as pickle cannot go back through a long game."""
        known = self._known()
        return restored, (self.game, *(position.state for position in known), *(position.plies for position in known))

    @property
    def beginning(self) -> "Position":
        """The first position that is known."""
        position = self
        while position.before is not None:
            position = position.before
        return position

    # --- what a player knows -----------------------------------------------------------------------------------------

    def seen_by(self, seat: int | None) -> "Position":
        """This position as a seat (None: a spectator) may know it; its `plies` are those of the last call.

        It contains nothing else, so it can be handed to that player's program.

        Raises:
            Problem: `no-such-seat`.
        """
        require_seat(self.state, seat, "")
        moves = [referee.as_seen(ply.move, ply.witness, seat) for ply in self.plies]
        if self.before is None:  # a view, whose events hide what its seat did not see, or no move has been played
            plies = tuple(replace(ply, move=move) for ply, move in zip(self.plies, moves, strict=True))
            return Position(self.game, self.game.definition.view(self.state, seat), plies)
        view = self.game.definition.view(self.before.state, seat)
        return reached(self.game, view, list(play_steps(self.game.definition, view, moves)))

    def sampled(self, seat: int | None, seed: Seed = "") -> "Position":
        """A full position that agrees with all that a seat (None: a spectator) may know of this one, for search.

        Every unknown card is drawn with the probability that chance alone gives it; what the choices of others suggest
        is not weighed. The same seed draws the same at the same ply. `Record.sampled` also weighs what the course of
        the game tells.

        Raises:
            Problem: `no-such-seat`.
        """
        require_seat(self.state, seat, "")
        (full,) = Sampler(self.game.definition, self.state, seat).samples(seed_text(seed), 1)
        return Position(self.game, full)

    # --- the end -----------------------------------------------------------------------------------------------------

    @property
    def result(self) -> Result | None:
        """The result; None before the end."""
        return Result(self.game, self.game.definition.result(self.state), self.names) if self.is_over else None

    def score(self) -> Score:
        """The result, or every possible one if only chance is left to decide.

        Raises:
            Problem: `unfinished`.
        """
        if self.is_over:
            return Score(self.result, ())
        results = open_results(self.game.definition, self.state)
        if results is None:
            raise Problem("unfinished", phrase("not-over", kind=quoted(self.decision.kind)))
        return score_of(self.game, scores.score(results), self.names)

    # --- as a value --------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state_hash)

    def __repr__(self) -> str:
        return f"<Position: {self.heading}>"

    def __str__(self) -> str:
        """The whole state as a table."""
        state, derived = msgspec.to_builtins(self.state), msgspec.to_builtins(self.derived)
        return "\n".join([self.heading, "", *states.body(self.game.definition, state, derived)])

    def picture(
        self,
        layout: Literal["wide", "narrow"] = "wide",
        language: str = "en",
        *,
        first: int | None = None,
        omit: Sequence[str] = (),
        show: Sequence[str] = (),
    ) -> str:
        """The table as SVG, in a language of the service; what the last move and its chance moved is marked.

        For what a seat may know, draw `seen_by`. In narrow pictures who decides comes `first`, or else this seat, and
        then every place keeps its position through the game. `omit` leaves out `"bar"`, places or parts, `show` draws
        nothing but some places.

        Raises:
            Problem: `no-such-seat`; `envelope`, if a place is to be shown that is not drawn by itself.
        """
        require_seat(self.state, first, "")
        arrangement = Arrangement("reading" if first is None else "fixed", omit, show)
        moves: list[Move] = []
        for ply in self.plies:
            moves = with_last_move(moves, ply.move)
        with using_language(language):
            viewer = UNSET if first is None else first
            return picture_of(self.game.definition, self.state, layout, moves, viewer, arrangement)

    def _repr_svg_(self) -> str:
        """How a notebook shows it."""
        return self.picture()

    @property
    def heading(self) -> str:
        """The position in one line."""
        plain = msgspec.to_builtins(self.state)
        return states.heading(self.game.definition, plain, msgspec.to_builtins(self.decision))


def set_up(
    game_id: str,
    players: int,
    *,
    names: Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    seed: Seed | None = None,
) -> Position:
    """A new game of `players`; a seed draws the whole set-up, without one, chance moves first.

    Raises:
        Problem: `not-found`, `options`, or `shape`.
        TypeError: if `players` is not a whole number, or the names are one text, whose letters would each be a name.
    """
    if isinstance(names, str):
        raise TypeError("names must be a list of texts, one for each player")
    found, players = game(game_id), index(players)
    chosen = load_options(found.definition, players, document_in(options or {}))
    start = found.definition.start(players, chosen, load_names(players, names))
    begun = Position(found, start)
    if names is not None:
        shaped_state(found.definition, document_in(start), "")
    return begun if seed is None else begun.draw(seed)


def restored(game: Game, *parts: Any) -> Position:
    """The last of several positions that each led to the next; `parts` are all their states, then all their plies.

    States and plies are not put together in pairs, so that pickle recognises those of other positions of the game.
    """
    half = len(parts) // 2
    position: Position | None = None
    for state, plies in zip(parts[:half], parts[half:], strict=True):
        position = Position(game, state, plies, position)
    assert position is not None
    return position


def seed_text(seed: Seed) -> str:
    """A seed as the service takes it.

    Raises:
        Problem: `malformed-json` if it has lone surrogates, which are not characters.
        TypeError: if it is neither a text nor a whole number.
    """
    return json_text.utf8(seed).decode() if isinstance(seed, str) else str(index(seed))


def audit(document: Mapping[str, Any] | str | bytes) -> tuple[Refusal, ...]:
    """Everything impossible in a state; empty if it is possible.

    Raises:
        Problem: `shape`, or another problem that prevents the audit.
    """
    decoded = document_in(document)
    definition = game_in(decoded).definition
    return with_sentences(definition, definition.audit(shaped_state(definition, decoded, "")))


def seats_of(state: Any) -> tuple[Seat, ...]:
    """The players' components; every state has them, each game its own."""
    seats: tuple[Seat, ...] = state.seats
    return seats


# --- playing on ------------------------------------------------------------------------------------------------------


def reached(game: Game, state: State, steps: Sequence[Step], before: Position | None = None) -> Position:
    """The position that steps from a state lead to."""
    plies = []
    for step in steps:
        decision = referee.decision(game.definition, step.before)
        plies.append(Ply(step.before.ply, decision, step.move, tuple(step.events), step.witness))
    return Position(game, state_after(state, steps), tuple(plies), before)


# --- legal moves -----------------------------------------------------------------------------------------------------


class LegalMoves(Sequence[Move]):
    """The legal moves of a position: counted, but created lazily.

    If the seat's hand has unknown cards, these are the moves with known ones, and `complete` is False.
    Payments with superfluous parts are omitted, except in `with_all_payments`. `in` asks
    the referee, who accepts both.
    """

    def __init__(self, position: Position, all_payments: bool = False, chosen: Chosen | None = None) -> None:
        self.position = position
        self._all_payments, self._chosen = all_payments, chosen
        game, state = position.game.definition, position.state
        self._probabilities: tuple[Fraction, ...] = ()
        self._moves: Moves = ListedMoves(())
        if position.is_chance:
            outcomes = outcomes_of(game, state, chosen)
            self._moves = ListedMoves([*outcomes])
            self._probabilities = tuple(outcomes.values())
        elif not position.is_over:
            self._moves = legal_moves_of(game, state, all_payments, chosen)

    @property
    def total(self) -> int:
        """Their number. `len` returns the same if it fits into a machine word."""
        return self._moves.total

    @property
    def complete(self) -> bool:
        """Whether these are all, because all cards of the seat are known."""
        seat = self.position.decision.seat
        hand = None if seat is None else getattr(seats_of(self.position.state)[seat], "hand", None)
        return hand is None or not hand.unknown

    @property
    def probabilities(self) -> tuple[Fraction, ...]:
        """If chance is to move: the probability of each move, in the same order."""
        return self._probabilities

    def with_all_payments(self) -> "LegalMoves":
        """The same, including payments with superfluous parts."""
        return LegalMoves(self.position, True, self._chosen)

    def containing(self, partial: Mapping[str, Any]) -> "LegalMoves":
        """Those that contain a partial move: its `type`, and of its other members those chosen so far.

        `{"type": "raise", "cards": ["red-5"]}` are the raises with a red 5. They are counted exactly, not listed.
        """
        position = self.position
        chosen = partial_in(position.game.definition, position.state, document_in(partial))
        return LegalMoves(position, self._all_payments, chosen)

    @property
    def open(self) -> dict[str, dict[str, int]]:
        """Of moves `containing` a partial one: for each member that is open, the values or tokens that can still be
        added, with the number of moves for each. Empty for all moves."""
        return {} if self._chosen is None else what_is_open(self._moves, *self._chosen)

    def __len__(self) -> int:
        return self.total

    def __iter__(self) -> Iterator[Move]:
        return self._moves.starting_at(0)

    def __contains__(self, move: object) -> bool:
        """Whether a move, in any of its forms, is legal, and contains what these moves contain."""
        if not isinstance(move, Move | Mapping | str):
            return False
        try:
            read = self.position.game.move(move, self.position.names)
        except Problem:
            return False
        fits = self._chosen is None or moves_containing(self._chosen, [read]).total == 1
        return fits and self.position.is_legal(read)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(index, slice):
            return tuple(self._moves.pick(place) for place in range(*index.indices(self.total)))
        if not -self.total <= index < self.total:
            raise IndexError(f"there are {self.total} legal moves")
        return self._moves.pick(index % self.total)

    def __repr__(self) -> str:
        return f"<LegalMoves: {self.total} of {self.position.decision.kind}>"

    def __str__(self) -> str:
        """The moves in text notation, one per line; for chance with probabilities."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterable[str]:
        shown = [self.position.game.notation(move) for move in islice(self, MAXIMUM_PRINTED)]
        if self._probabilities:
            width = max(map(len, shown))
            shown = [
                f"{line:<{width}}  {probability}" for line, probability in zip(shown, self._probabilities, strict=False)
            ]
        yield from shown
        if self.total > len(shown):
            yield f"… {len(shown)} of {self.total} moves"
