"""What the questions about a game are answered with: the members of every answer, and what they mean.

Where an answer holds a document of a game, its type says which, by the name of its schema. The specification is made
from these classes: the docstring of a class and the `Meta` of a member are what a client author reads there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from capomastro.engine.records import MOST_DIVERGENCES, Repair


@dataclass(frozen=True)
class Document:
    """Says in a type which schema a value keeps to: one of the game that is asked about, or one that all share."""

    kind: str
    shared: bool = False


State = Annotated[Any, Document("state")]
Move = Annotated[Any, Document("move")]
Event = Annotated[Any, Document("event")]
Derived = Annotated[Any, Document("derived")]
Result = Annotated[Any, Document("result")]
Record = Annotated[Any, Document("record")]
Options = Annotated[Any, Document("options")]

Decision = Annotated[Any, Document("decision", shared=True)]
Refusal = Annotated[Any, Document("refusal", shared=True)]
Finding = Annotated[Any, Document("finding", shared=True)]
Verdict = Annotated[Any, Document("verdict", shared=True)]
VerdictOnLine = Annotated[Any, Document("verdict-on-line", shared=True)]
VerdictOnRecord = Annotated[str, Document("verdict-on-record", shared=True)]
Departure = Annotated[str, Document("departure", shared=True)]
ClaimedLine = Annotated[Any, Document("claimed-line", shared=True)]
RuleId = Annotated[str, Document("rule-id", shared=True)]
StateHash = Annotated[str, Document("state-hash", shared=True)]
Probability = Annotated[str, Document("probability", shared=True)]

Count = Annotated[int, Meta(ge=0)]


class Answer(Struct, frozen=True, gc=False):
    """An answer, or a part of one. Members can be added to it; one that is not set is absent."""


# --- positions -------------------------------------------------------------------------------------------------------

StateNow = Annotated[State, Meta(description="The state now.")]
DerivedNow = Annotated[Derived, Meta(description="What follows from the state and is good to show.")]
PlayedMoves = Annotated[
    Sequence[Move], Meta(description="The moves as played, those of chance included; a record is made of them.")
]
Events = Annotated[Sequence[Event], Meta(description="What happened, in order.")]


class Setup(Answer, frozen=True):
    """The game as it begins."""

    state: StateNow
    state_hash: StateHash
    derived: DerivedNow
    decision: Decision
    moves: PlayedMoves
    events: Events


# --- legal moves -----------------------------------------------------------------------------------------------------


class UnavailableMove(Answer, frozen=True):
    """A kind of move that is not available."""

    type: Annotated[str, Meta(description="The `type` of the move.")]
    rule: RuleId
    message: Annotated[str, Meta(description="The reason as a sentence.")]


class LegalMoves(Answer, frozen=True, kw_only=True):
    """One page of the legal moves."""

    decision: Decision
    moves: Annotated[Sequence[Move], Meta(description="Each as `transitions` accepts it.")]
    probabilities: (
        Annotated[
            Sequence[Probability],
            Meta(description="There if chance decides: how probable each of the moves is, in their order."),
        ]
        | UnsetType
    ) = UNSET
    total: Annotated[Count, Meta(description="How many legal moves there are, on all pages.")]
    complete: Annotated[bool, Meta(description="False if cards that are not known may allow further moves.")]
    next_cursor: Annotated[str, Meta(description="`cursor` for the next page; absent on the last.")] | UnsetType = UNSET
    unavailable: (
        Annotated[
            Sequence[UnavailableMove], Meta(description="With `explain`: why other kinds of move are not available.")
        ]
        | UnsetType
    ) = UNSET


# --- transitions -----------------------------------------------------------------------------------------------------


class ViewedTransition(Answer, frozen=True):
    """A transition as one seat, or a spectator, may know it."""

    seat: Annotated[int | None, Meta(ge=0, description="Who looks; null for a spectator.")]
    state: StateNow
    state_hash: StateHash
    derived: DerivedNow
    decision: Decision
    moves: PlayedMoves
    events: Events


class Transition(Answer, frozen=True):
    """What the moves led to."""

    state: StateNow
    state_hash: StateHash
    derived: DerivedNow
    decision: Decision
    moves: PlayedMoves
    events: Events
    result: Annotated[Result, Meta(description="There if the game is over.")] | UnsetType = UNSET
    views: (
        Annotated[
            Sequence[ViewedTransition], Meta(description="What the `views` of the request may know, in their order.")
        ]
        | UnsetType
    ) = UNSET
    legal_moves: (
        Annotated[
            LegalMoves,
            Meta(description="With `legal_moves` in the request: the first page of those of the next decision."),
        ]
        | UnsetType
    ) = UNSET


# --- audits and scores -----------------------------------------------------------------------------------------------


class Audit(Answer, frozen=True):
    """What an examination found."""

    findings: Annotated[Sequence[Finding], Meta(description="Everything in the state that cannot be; none if it can.")]


class PossibleResult(Answer, frozen=True):
    """What chance may still bring, and the result then."""

    probability: Probability
    result: Result


class Score(Answer, frozen=True):
    """The result, or every possible one where only chance is still open: one of the two members is there."""

    result: Result | UnsetType = UNSET
    outcomes: (
        Annotated[Sequence[PossibleResult], Meta(description="Every outcome of chance, with its exact probability.")]
        | UnsetType
    ) = UNSET


# --- replays ---------------------------------------------------------------------------------------------------------


class NearMove(Answer, frozen=True):
    """A legal move that is near to one that is not."""

    move: Move
    distance: Annotated[
        Count, Meta(description="How far it is from the recorded one; docs/records.md says how that is counted.")
    ]
    differs: Annotated[Sequence[str], Meta(description="The members in which the two differ.")]


class Divergence(Answer, frozen=True):
    """A recorded move that is not legal."""

    index: Annotated[Count, Meta(description="Its place in the record.")]
    departure: Departure
    move: Annotated[Move, Meta(description="The move as recorded.")]
    decision: Annotated[Decision, Meta(description="What was to be decided instead.")]
    refusal: Refusal


class FirstDivergence(Divergence, frozen=True):
    """The first move that is not legal."""

    nearest: Annotated[Sequence[NearMove], Meta(description="The legal moves that are nearest to it, nearest first.")]


class Remedy(Answer, frozen=True):
    """What was done about a move that is not legal."""

    action: Annotated[
        Literal["left-out", "replaced", "inserted"],
        Meta(description="Not played, another one played in its place, or one played before it."),
    ]
    move: Annotated[Move, Meta(description="The move that was played.")] | UnsetType = UNSET


class RemediedDivergence(Divergence, frozen=True):
    """A recorded move that is not legal, and what was done about it."""

    remedy: Remedy
    conditional: Annotated[
        bool, Meta(description="Whether it presupposes the remedies before it: true for all but the first.")
    ]


Plies = Annotated[Count, Meta(description="How many moves were played.")]
StateReached = Annotated[State, Meta(description="The state after the last move that was played.")]
ResultIfOver = Annotated[Result, Meta(description="There if the game is over.")] | UnsetType
ClaimMatches = (
    Annotated[bool, Meta(description="Whether the result that the record claims is right; there if it claims one.")]
    | UnsetType
)
ClaimedLines = (
    Annotated[Sequence[ClaimedLine], Meta(description="The claimed result beside the computed one.")] | UnsetType
)


class LenientReplay(Answer, frozen=True):
    """How the record goes on if something is done about each illegal move; all after the first is conditional."""

    repair: Annotated[Repair, Meta(description="As requested.")]
    divergences: Annotated[
        Sequence[RemediedDivergence], Meta(description="Every move that is not legal, the first one included.")
    ]
    followed_to_the_end: Annotated[
        bool, Meta(description=f"False if there were more than {MOST_DIVERGENCES} divergences.")
    ]
    plies: Plies
    state: StateReached
    decision: Decision
    result: ResultIfOver = UNSET
    claimed_result_matches: ClaimMatches = UNSET
    claimed_result_lines: ClaimedLines = UNSET


class Replay(Answer, frozen=True, kw_only=True):
    """How far the record is legal, and where it stands then."""

    verdict: VerdictOnRecord
    legal: Annotated[bool, Meta(description="Whether every move is.")]
    plies: Plies
    first_divergence: FirstDivergence | UnsetType = UNSET
    state: StateReached
    decision: Decision
    result: ResultIfOver = UNSET
    claimed_result_matches: ClaimMatches = UNSET
    claimed_result_lines: ClaimedLines = UNSET
    lenient: LenientReplay | UnsetType = UNSET


# --- views -----------------------------------------------------------------------------------------------------------


class View(Answer, frozen=True):
    """What the viewer may know of the document in the request: it stands in the member it came in."""

    state: Annotated[State, Meta(description="The state, if one was sent.")] | UnsetType = UNSET
    record: Annotated[Record, Meta(description="The record, if one was sent.")] | UnsetType = UNSET
