"""Decisions: where a game stands, whose turn to decide it is, and the rules of each kind of move.

A game is a table of decisions. Each has a *stage*, the part of the state that says where the game stands, and either
the rules of the moves a seat may make there, or one rule of chance. What is offered, what is refused and what happens
stand together in one `MoveRule`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_args

import msgspec

from capomastro.engine.chance import Outcomes
from capomastro.engine.events import Event, kebab_case
from capomastro.engine.refusals import Refusal
from capomastro.engine.selections import Chained, Source


class Stage(msgspec.Struct, frozen=True, gc=False, tag=kebab_case, tag_field="type"):
    """Where a game stands, with what lies on the table only now. Its type is the kind of the decision."""


class Move(msgspec.Struct, frozen=True, gc=False, tag=kebab_case, tag_field="type"):
    """A small step. Its type is the name of its class in kebab case."""


class SeatMove(Move, frozen=True):
    """A move of a player."""

    seat: int


class ChanceMove(Move, frozen=True):
    """A move of chance: it reveals exactly one component, named by the field `reveals`."""

    reveals: ClassVar[str]

    @property
    def component(self) -> str | None:
        """What was revealed; `None` if whoever writes the record did not see it."""
        component: str | None = getattr(self, self.reveals)
        return component


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who decides what next."""

    actor: Literal["seat", "chance", "none"]
    kind: str
    seat: int | None = None


S = TypeVar("S")
M = TypeVar("M", bound=Move)
Played = tuple[S, list[Event]]
"""What happens: the next state and the events on the way there."""


class Moves(ABC):
    """Legal moves of one decision, in a stable order, counted without being listed."""

    total: int

    @abstractmethod
    def pick(self, index: int) -> Move:
        """The move at `index`, 0 <= index < total."""

    @abstractmethod
    def starting_at(self, index: int) -> Iterator[Move]:
        """The moves from `index` on, made as they are asked for."""


class ListedSource:
    """A short list as a source."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = items
        self.total = len(items)

    def pick(self, index: int) -> Any:
        return self.items[index]

    def starting_at(self, index: int) -> Iterator[Any]:
        return iter(self.items[index:])


class ListedMoves(ListedSource, Moves):
    """A short list."""


class MappedMoves(Moves):
    """Moves made one by one from something that can be counted, picked and walked (`selections.Selections`)."""

    def __init__(self, source: Source[Any], make: Callable[[Any], Move]) -> None:
        self.source = source
        self.make = make
        self.total = source.total

    def pick(self, index: int) -> Move:
        return self.make(self.source.pick(index))

    def starting_at(self, index: int) -> Iterator[Move]:
        return map(self.make, self.source.starting_at(index))


class PairedMoves(Moves):
    """Each of a few firsts with each of many seconds."""

    def __init__(self, firsts: Sequence[Any], seconds: Source[Any], make: Callable[[Any, Any], Move]) -> None:
        self.firsts = firsts
        self.seconds = seconds
        self.make = make
        self.total = len(firsts) * seconds.total

    def pick(self, index: int) -> Move:
        first, second = divmod(index, self.seconds.total)
        return self.make(self.firsts[first], self.seconds.pick(second))

    def starting_at(self, index: int) -> Iterator[Move]:
        if index >= self.total:
            return
        begin, skip = divmod(index, self.seconds.total)
        if skip:
            for second in self.seconds.starting_at(skip):
                yield self.make(self.firsts[begin], second)
            begin += 1
        walked: list[Any] = []  # the seconds are walked once, however many firsts there are
        for first in self.firsts[begin:]:
            if walked:
                yield from (self.make(first, second) for second in walked)
            else:
                for second in self.seconds.starting_at(0):
                    walked.append(second)
                    yield self.make(first, second)


class ChainedMoves(Chained[Move], Moves):
    """Several lists, one after the other."""


NO_MOVES = ListedMoves(())


class Rule(ABC, Generic[S, M]):
    """What the rulebook says of one kind of move in one decision.

    `BuyRule(MoveRule[State, moves.Buy])`: the kind of move is the parameter. A rule of a seat is called after its move
    and one of chance after its stage; a move that several decisions know has a rule for each of their stages
    (`TakeCoinsInBuyBlocksRule`).
    """

    move: type[M]
    rules: ClassVar[tuple[str, ...]] = ()
    """The ids of rules that hold by how this rule is made, without a line of its own that names them."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        parameters = [one for base in cls.__dict__.get("__orig_bases__", ()) for one in get_args(base)]
        for kind in parameters:
            if isinstance(kind, type) and issubclass(kind, Move):
                cls.move = kind  # type: ignore[assignment]

    @abstractmethod
    def refusal(self, state: S, move: M) -> Refusal | None:
        """The first rule this very `move` breaks; `None` if it breaks none."""

    @abstractmethod
    def play(self, state: S, move: M) -> Played[S]:
        """What a legal `move` does."""


class MoveRule(Rule[S, M]):
    """One kind of move in one decision: what is offered, what is refused, what happens."""

    def unavailable(self, state: S) -> Refusal | None:
        """Why no move of this kind can be made at all now; `None` if one can."""
        return None

    def candidates(self, state: S) -> Iterable[M]:
        """Every move of this kind that could be legal; those that `refusal` refuses are not offered.

        Of an actor with unknown cards: those that can be made from the known ones. Not asked of a rule that counts
        what it offers in its own way.
        """
        return ()

    def offered(self, state: S) -> Moves:
        """The legal moves of this kind; a rule with long lists counts them in its own way."""
        if self.unavailable(state) is not None:
            return NO_MOVES
        return ListedMoves([move for move in self.candidates(state) if self.refusal(state, move) is None])

    def offered_with_all_payments(self, state: S) -> Moves:
        """The same with payments that hold more than is needed, where `offered` leaves them out."""
        return self.offered(state)

    def check(self, state: S, move: M) -> Refusal | None:
        """Why a submitted `move` is not legal: what is wrong with itself, else with its kind."""
        return self.refusal(state, move) or self.unavailable(state)


class SureRule(MoveRule[S, M]):
    """A kind of move all candidates of which are legal: they are offered without being judged one by one."""

    def offered(self, state: S) -> Moves:
        if self.unavailable(state) is not None:
            return NO_MOVES
        return ListedMoves([*self.candidates(state)])


class BareRule(SureRule[S, M]):
    """A kind of move that says nothing but who makes it: legal unless it is `unavailable`."""

    def candidates(self, state: S) -> Iterable[M]:
        return (self.move(deciding_seat(state)),)

    def refusal(self, state: S, move: M) -> Refusal | None:
        return None

    def offered(self, state: S) -> Moves:
        """The one candidate, for speed without a list of it: in some games every turn asks several such rules."""
        if self.unavailable(state) is not None:
            return NO_MOVES
        return ListedMoves((self.move(deciding_seat(state)),))


class SeatDecision(Generic[S]):
    """A decision of a player: its stage and the rules of its moves, in the order of the rulebook."""

    actor: Literal["seat"] = "seat"

    def __init__(self, stage: type[Stage], seat: Callable[[S], int], rules: Sequence[MoveRule[S, Any]]) -> None:
        self.stage = stage
        self.seat = seat
        self.rules = {rule.move: rule for rule in rules}


def active_seat(state: Any) -> int:
    """Decides: the seat whose turn it is."""
    seat: int = state.active_seat
    return seat


def seat_in_stage(state: Any) -> int:
    """Decides: the seat that the stage names."""
    seat: int = state.stage.seat
    return seat


def deciding_seat(state: Any) -> int:
    """The seat that the stage names; where it names none, the seat whose turn it is."""
    seat: int = getattr(state.stage, "seat", state.active_seat)
    return seat


class ChanceRule(Rule[S, M]):
    """A draw: what can be revealed and how likely, what is refused, what happens."""

    refuses: str
    """The rule an impossible component breaks."""

    @abstractmethod
    def outcomes(self, state: S) -> Outcomes:
        """Every acceptable component with its weight; weight 0 for those only a client may report."""

    def goes_unseen_to(self, state: S) -> int | None:
        """The seat into whose hand the component goes unseen by the others, if it does."""
        return None

    def refusal(self, state: S, move: M) -> Refusal | None:
        """The rule `move` breaks; `None` if that component can be revealed."""
        component: str | None = move.component  # type: ignore[attr-defined]
        pointer = "/" + move.reveals  # type: ignore[attr-defined]
        if component is None:
            if self.goes_unseen_to(state) is None:
                return Refusal(self.refuses, {"component": "nothing"}, pointer)
            return None
        if component not in self.outcomes(state).weights:
            return Refusal(self.refuses, {"component": component}, pointer)
        return None


class ChanceDecision(Generic[S]):
    """A decision of chance: its stage and its rule."""

    actor: Literal["chance"] = "chance"

    def __init__(self, stage: type[Stage], rule: ChanceRule[S, Any]) -> None:
        self.stage = stage
        self.rule = rule
        self.rules = {rule.move: rule}


class GameOver(Stage, frozen=True):
    """Nothing is left to decide."""
