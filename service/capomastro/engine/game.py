"""What a game has to say. A new game is one subclass of `Game`, its tables and its decisions."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from capomastro.engine.decisions import ChanceDecision, Move, SeatDecision, SeatMove, Stage
from capomastro.engine.events import Event
from capomastro.engine.hands import Hand, concealed
from capomastro.engine.refusals import Refusal
from capomastro.engine.results import Result

SCHEMA_VERSION = 1

LONGEST_GAME = 500_000
"""So many moves a state may have behind it and be played on; its `ply` then fits into documents, whatever is drawn."""


class Seat(msgspec.Struct, frozen=True, gc=False):
    """What lies before one player. Games add fields; one that has secret cards has a `hand`."""


class State(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """What lies on the table and in the hands, and nothing that follows from it.

    States, and what they are made of, are values that only hold older ones: no cycle for the garbage collector to find,
    who need not look at them (`gc=False`).

    A game adds its own fields, all without defaults (or optional ones that are absent until they mean something), and
    `seats`: one `Seat` per player, clockwise; `stage`: where the game stands; `options`.
    """

    game: str
    schema_version: int
    rules_version: int
    ply: int
    names: tuple[str, ...] | None = None


class RefereeRules(NamedTuple):
    """The ids of the rules that the referee itself enforces, before any rule of a move is asked.

    `over`: nothing follows the end. `chance`: chance is to move. `decision`: a seat is to decide, not chance. `seat`:
    another seat is to decide. `step`: the decision knows no such move.
    """

    over: str
    chance: str
    decision: str
    seat: str
    step: str


St = TypeVar("St", bound=Any)


class Game(ABC, Generic[St]):
    """One game: its facts, its documents, its decisions and its scores."""

    id: str
    title: str
    players: range
    """The numbers of players it can be played by."""
    rules_version: int
    """Grows, with an entry in CHANGELOG.md, whenever an adjudication can change."""

    state_type: type[St]
    options_type: type[msgspec.Struct]
    scoresheet_type: type[msgspec.Struct]
    result_type: type[Result] = Result
    """A game may add to its results how the lines of all players came about together."""
    events: Any
    """The union of all types of event."""
    decisions: Sequence[SeatDecision[St] | ChanceDecision[St]]
    """In the order of the rulebook."""
    referee_rules: RefereeRules

    def __init__(self) -> None:
        self.decision_at: dict[type[Stage], SeatDecision[St] | ChanceDecision[St]] = {
            decision.stage: decision for decision in self.decisions
        }
        self.kinds_of_move: tuple[type[Move], ...] = tuple(
            dict.fromkeys(kind for decision in self.decisions for kind in decision.rules)
        )
        self.moves: Any = reduce(or_, self.kinds_of_move)
        """The union of all types of move."""

    # --- what is in the box -------------------------------------------------------------------------------------------

    def components(self) -> Mapping[str, Mapping[str, int]]:
        """What is in the box: by group, how many there are of each component."""
        return {}

    # --- set-up -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def refuse_options(self, players: int, options: Any) -> Refusal | None:
        """Why these options exclude each other or do not fit the number of players."""

    @abstractmethod
    def start(self, players: int, options: Any, names: tuple[str, ...] | None) -> St:
        """The state before anything has been dealt."""

    # --- looking at a state -----------------------------------------------------------------------------------------

    @abstractmethod
    def audit(self, state: St) -> Iterable[Refusal]:
        """Everything that cannot be: too many of a component, impossible positions. Pointers are into the state."""

    @abstractmethod
    def derived(self, state: St) -> dict[str, Any]:
        """Figures that follow from the state, for displays."""

    def pile_of(self, card: str) -> str:
        """The pile a secret card comes from, as its back shows."""
        return "deck"

    def view(self, state: St, seat: int | None) -> St:
        """The state as `seat` (None: a spectator) may know it."""
        if not any(isinstance(getattr(one, "hand", None), Hand) for one in state.seats):
            return state
        seats = tuple(
            one if index == seat else msgspec.structs.replace(one, hand=concealed(one.hand, self.pile_of))
            for index, one in enumerate(state.seats)
        )
        viewed: St = msgspec.structs.replace(state, seats=seats)
        return viewed

    def can_be_continued(self, state: St) -> bool:
        """Whether a game that is not over can go on without numbers that no document can say.

        A game may have no limit; documents have. A game that adds up points without limit adds its own.
        """
        return bool(state.ply < LONGEST_GAME)

    # --- moves that are refused before any rule of their own is asked -------------------------------------------------

    def refuse_out_of_turn(self, state: St, move: SeatMove) -> Refusal | None:
        """A reason that comes before "it is not your turn"; most games have none."""
        return None

    # --- scores -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def final_events(self, state: St) -> Sequence[Event]:
        """The final scoring as events, at the end of the game."""

    @abstractmethod
    def result(self, state: St) -> Result:
        """The result of a finished game."""

    def open_results(self, state: St) -> Mapping[str, Any] | None:
        """The possible results, with probabilities, of a game in which only chance is still open; None otherwise."""
        return None

    @abstractmethod
    def refuse_scoresheet(self, scoresheet: Any) -> Sequence[Refusal]:
        """Everything on the scoresheet that cannot be."""

    @abstractmethod
    def score(self, scoresheet: Any) -> Mapping[str, Any]:
        """The answer to a possible scoresheet: `result`, or `outcomes` where chance is still open."""


AnyGame = Game[Any]
"""A game, whichever it is."""
