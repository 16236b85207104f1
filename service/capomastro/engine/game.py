"""The interface of a game. A new game is a subclass of `GameDefinition` with its tables and decisions."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Annotated, Any, Generic, NamedTuple, Protocol, TypedDict, TypeVar

import msgspec
from msgspec import Meta

from capomastro.drawing.boxes import Box
from capomastro.drawing.pictures import Brief, Parts, Table, part_at
from capomastro.engine import reference
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.events import Event
from capomastro.engine.hands import Hand, PileOf, concealed, from_the_deck
from capomastro.engine.members import GameId, Name, Names, one_of
from capomastro.engine.moves import Move, type_of
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.reference import Reference
from capomastro.engine.refusals import Refusal
from capomastro.engine.results import AnyResult
from capomastro.engine.scoresheets import Judgement
from capomastro.engine.stages import Stage

SCHEMA_VERSION = 1

SchemaVersion = Annotated[int, one_of([SCHEMA_VERSION], "Version of the documents", 1)]
"""The version of the shape of documents. It changes only if older documents can no longer be read."""

RulesVersion = Annotated[int, Meta(ge=1, le=1_000_000, title="Version of the rules", examples=[1])]
"""The version of a game's adjudication. It increases whenever a verdict, a next state or a score can change; documents
with another version are refused."""

MAXIMUM_PLY = 500_000
"""The `ply` from which a state cannot be continued, so that it always fits into documents, whatever is drawn."""


Ply = Annotated[int, Meta(ge=0, le=2 * MAXIMUM_PLY, title="Ply", examples=[0, 41])]
"""The number of moves played so far, including those of chance."""


class Seat(msgspec.Struct, frozen=True, gc=False):
    """The components of one player. Games add fields; a game with secret cards adds a `hand`."""


class State(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """Everything on the table and in the hands, and nothing that follows from it.

    States and their parts are immutable values that refer only to older ones. There are no cycles, so the garbage
    collector need not track them (`gc=False`).

    A game adds its own fields, without defaults (or optional ones that are absent until they mean something), and
    `seats`: one `Seat` per player, clockwise; `active_seat`: whose turn it is; `stage`: what is to be decided;
    `options`.
    """

    game: GameId
    """The id of the game."""
    schema_version: SchemaVersion
    rules_version: RulesVersion
    ply: Ply
    names: Names | None = None


class Header(TypedDict):
    """The members of a state that every game begins with alike."""

    game: str
    schema_version: int
    rules_version: int
    ply: int
    names: tuple[str, ...] | None
    active_seat: int


class Derived(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Figures that follow from a state, for displays. Each game has its own; a member that is None is absent."""


class SheetHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """What every scoresheet begins with."""

    game: GameId
    """The id of the game."""
    schema_version: SchemaVersion


class Scoresheet(SheetHeader, frozen=True, kw_only=True):
    """A finished game as typed in at the table, to be scored.

    A game adds `seats`, one `SheetSeat` per player, clockwise from the first, and what else is on the table.
    """

    unfinished: bool = False
    """Whether it is still being filled in. Then it is refused only for faults that no further entry can cure, and
    `missing` in the answer lists what is missing."""


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A player."""

    # Games add fields; one that is None has not been typed in.

    name: Name | None = None


# --- the modules of a game -------------------------------------------------------------------------------------------
# A module fits a protocol if it has its functions (PEP 544), which mypy checks where a game names its modules.

St_contra = TypeVar("St_contra", contravariant=True)


class AuditModule(Protocol[St_contra]):
    """`audit.py`."""

    def findings(self, state: St_contra, /) -> Iterable[Refusal]:
        """Everything impossible but the options: too many of a component, impossible positions."""


class DerivedModule(Protocol[St_contra]):
    """`derived.py`."""

    def derived(self, state: St_contra, /) -> Derived:
        """Figures derived from the state, for displays; of the type `derived_type`."""


class ScoresheetModule(Protocol):
    """`scoresheet.py`."""

    def judge(self, sheet: Any, /) -> Judgement:
        """What is impossible on the scoresheet, and what it lacks for a finished game."""

    def score(self, sheet: Any, /) -> Mapping[str, Any]:
        """The score of a possible scoresheet: `result`, or `outcomes` if chance is left to decide.

        An `unfinished` one gives the lines known so far, without places.
        """


class PlanModule(Protocol[St_contra]):
    """`plan.py`."""

    def wants(self, state: St_contra, move: Move, /) -> float:
        """How much the planning player wants a legal move of the deciding seat, compared with that seat's other moves.

        `state` is what that seat may know.
        """


class ReferenceModule(Protocol):
    """`reference.py`."""

    def reference(self) -> Reference:
        """Everything that a client would otherwise copy from the rulebook."""


class PictureModule(Protocol[St_contra]):
    """`picture.py`."""

    def table(self, state: St_contra, brief: Brief, /) -> Table:
        """The table as a picture."""

    def table_of_scoresheet(self, sheet: Any, brief: Brief, /) -> Table:
        """The players' parts of a scoresheet as a picture."""

    PARTS: Parts
    """What is drawn by itself, also for the examples of the rules."""

    def changes(self, state: St_contra, played: Sequence[Move], /) -> Iterable[tuple[str, str]]:
        """Places and tokens to ring: the components that the last moves moved, as far as the final `state` shows."""


St = TypeVar("St", bound=Any)


class Modules(NamedTuple, Generic[St]):
    """The modules of a game that the engine calls."""

    audit: AuditModule[St]
    derived: DerivedModule[St]
    scoresheet: ScoresheetModule
    plan: PlanModule[St]
    picture: PictureModule[St]
    reference: ReferenceModule = reference


# --- the game --------------------------------------------------------------------------------------------------------


class GameDefinition(ABC, Generic[St]):
    """One game: its facts, its documents, its decisions and its scores."""

    id: str
    title: str
    players: range
    """The possible numbers of players."""
    rules_version: int
    """Increased, with an entry in CHANGELOG.md, whenever an adjudication can change."""

    state_type: type[St]
    options_type: type[msgspec.Struct]
    scoresheet_type: type[Scoresheet]
    derived_type: type[Derived]
    result_type: type[AnyResult]
    """Results with the lines of the game. It may add members to its results that explain the lines of all players."""
    events: Any
    """The union of all types of events."""
    decisions: Sequence[SeatDecision[St] | ChanceDecision[St]]
    """In the order of the rulebook."""

    modules: Modules[St]

    def __init__(self) -> None:
        self.decision_at: dict[type[Stage], SeatDecision[St] | ChanceDecision[St]] = {
            decision.stage: decision for decision in self.decisions
        }
        self.kinds_of_move: dict[str, type[Move]] = {
            type_of(kind): kind for decision in self.decisions for kind in decision.rules
        }
        """By `type`, in the order of the rulebook."""
        self.moves: Any = reduce(or_, self.kinds_of_move.values())
        """The union of all types of moves."""

    def rule(self, name: str) -> str:
        """The id of a rule that the engine enforces in every game, such as "turn.chance"."""
        return f"{self.id}.{name}"

    # --- components ---------------------------------------------------------------------------------------------------

    def components(self) -> Mapping[str, Mapping[str, int]]:
        """The contents of the box: the number of each component, by group."""
        return {}

    reference_type: type[Reference] = Reference

    def reference(self) -> Reference:
        """Data that a client would otherwise copy from the rulebook; of the type `reference_type`."""
        return self.modules.reference.reference()

    # --- set-up -----------------------------------------------------------------------------------------------------

    def option_findings(self, players: int, options: Any) -> Iterable[Refusal]:
        """Options that exclude each other or do not fit the number of players; pointers are into the options."""
        return ()

    def why_not_options(self, players: int, options: Any) -> Refusal | None:
        """Why no game can be played with these options; None if they are fine."""
        return next(iter(self.option_findings(players, options)), None)

    def header(self, names: tuple[str, ...] | None) -> Header:
        """What the first state of a game has in every game; seat 0 begins."""
        return {
            "game": self.id,
            "schema_version": SCHEMA_VERSION,
            "rules_version": self.rules_version,
            "ply": 0,
            "names": names,
            "active_seat": 0,
        }

    @abstractmethod
    def start(self, players: int, options: Any, names: tuple[str, ...] | None) -> St:
        """The state before anything has been dealt."""

    # --- examining a state ------------------------------------------------------------------------------------------

    def audit(self, state: St) -> list[Refusal]:
        """Everything impossible in a state, with pointers into it."""
        of_options = [finding.below("/options") for finding in self.option_findings(len(state.seats), state.options)]
        return [*of_options, *self.modules.audit.findings(state)]

    def derived(self, state: St) -> Derived:
        """Figures derived from the state, for displays; of the type `derived_type`."""
        return self.modules.derived.derived(state)

    pile_of: PileOf = staticmethod(from_the_deck)
    """The pile that a secret card comes from, as its back shows."""

    def face_down(self, state: St, pile: str) -> FaceDownPile:
        """A pile from which secret cards come, as far as the document shows it."""
        raise LookupError(f"no card of {pile} is ever secret")

    def view(self, state: St, seat: int | None) -> St:
        """The state as `seat` (None: a spectator) may know it."""
        if not isinstance(getattr(state.seats[0], "hand", None), Hand):
            return state
        seats = [
            player if index == seat else msgspec.structs.replace(player, hand=concealed(player.hand, self.pile_of))
            for index, player in enumerate(state.seats)
        ]
        viewed: St = msgspec.structs.replace(state, seats=tuple(seats))
        return viewed

    def can_be_continued(self, state: St) -> bool:
        """Whether the numbers in all later states will fit into documents.

        Games may be unlimited, documents are not. A game with unlimited points adds its own check.
        """
        return bool(state.ply < MAXIMUM_PLY)

    # --- moves refused before their own rules -------------------------------------------------------------------------

    def why_not_out_of_turn(self, state: St, move: Move) -> Refusal | None:
        """A refusal that takes precedence over "it is not your turn"; most games have none."""
        return None

    # --- scores -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def final_events(self, state: St) -> Sequence[Event]:
        """The final scoring as events, at the end of the game."""

    @abstractmethod
    def result(self, state: St) -> AnyResult:
        """The result of a finished game."""

    @abstractmethod
    def points_now(self, state: St) -> Sequence[int]:
        """Each seat's points if the game ended here; what chance had yet to draw for that is not counted."""

    def drawn_for_scoring(self, state: St) -> Mapping[str, Any]:
        """What chance drew that the result of a finished game depends on: `card` or `tiles` of a possible result."""
        return {}

    def judge_scoresheet(self, scoresheet: Any) -> Judgement:
        """What is impossible on the scoresheet, and what it lacks for a finished game."""
        return self.modules.scoresheet.judge(scoresheet)

    def faults_of_scoresheet(self, scoresheet: Any) -> Sequence[Refusal]:
        """All reasons to refuse the scoresheet."""
        return self.judge_scoresheet(scoresheet).refusals(scoresheet.unfinished)

    def score(self, scoresheet: Any) -> Mapping[str, Any]:
        """The score of a possible scoresheet."""
        return self.modules.scoresheet.score(scoresheet)

    # --- players ----------------------------------------------------------------------------------------------------

    def wants(self, state: St, move: Move) -> float:
        """How much the planning player wants a legal move; `state` is what the deciding seat may know."""
        return self.modules.plan.wants(state, move)

    # --- pictures ---------------------------------------------------------------------------------------------------

    def picture(self, state: St, brief: Brief) -> Table:
        """The table as a picture."""
        return self.modules.picture.table(state, brief)

    def picture_of_scoresheet(self, scoresheet: Any, brief: Brief) -> Table:
        """The players' parts of a scoresheet as a picture."""
        return self.modules.picture.table_of_scoresheet(scoresheet, brief)

    def picture_of_part(self, shown: Any, place: str, brief: Brief) -> Box:
        """Draws one place of a state or a scoresheet by itself, for the examples of the rules.

        Raises:
            LookupError: if that place is not drawn by itself.
        """
        return part_at(place, self.modules.picture.PARTS, shown, brief)

    def changes(self, state: St, moves: Sequence[Move]) -> Iterable[tuple[str, str]]:
        """Places and tokens to ring: the components that the last moves moved, as far as the final `state` shows."""
        return self.modules.picture.changes(state, moves)


AnyGame = GameDefinition[Any]
"""Any game."""
