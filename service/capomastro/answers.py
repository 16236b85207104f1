"""The answers to questions about a game: their members, and what these mean.

Where an answer holds a document of a game, its type names the schema. The specification is generated from these
classes: client authors read the docstring of a class and the `Meta` of a member there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins

from capomastro.engine import decisions, game, members, parameters, records, results
from capomastro.engine.members import Names, PlayerCount, SeatIndex, titled
from capomastro.engine.records import MAXIMUM_DIVERGENCES, Action, Repair, Tags
from capomastro.games import all_games
from capomastro.layout.replays import lenient_lines, outcome_text

Document = members.Document


@dataclass(frozen=True)
class OfGame:
    """Says in a type that the game declares it, as the attribute `attribute`."""

    attribute: str


State = Annotated[Any, Document("state")]
Move = Annotated[Any, Document("move")]
Event = Annotated[Any, Document("event")]
Derived = Annotated[game.Derived, Document("derived")]
Result = Annotated[results.AnyResult, Document("result")]
Record = Annotated[Any, Document("record")]
Options = Annotated[Any, Document("options")]

Decision = Annotated[decisions.Decision, Document("decision", shared=True)]
Refusal = Annotated[Any, Document("refusal", shared=True)]
Finding = Annotated[Any, Document("finding", shared=True)]
VerdictOnRecord = Annotated[str, Document("verdict-on-record", shared=True)]
Departure = Annotated[records.Departure, Document("departure", shared=True)]
ClaimedLine = Annotated[results.ClaimedLine, Document("claimed-line", shared=True)]
Values = Annotated[Any, Document("values", shared=True)]
RuleId = Annotated[str, Document("rule-id", shared=True)]
StateHash = Annotated[str, Document("state-hash", shared=True)]
Probability = Annotated[str, Document("probability", shared=True)]

Count = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Document("text", shared=True)]
TextsOfMoves = (
    Annotated[
        Sequence[Text],
        Meta(description="With `texts` in the request: each of `moves` as a sentence, in the same order."),
    ]
    | UnsetType
)


class Answer(Struct, frozen=True, gc=False):
    """An answer, or a part of one. Members may be added in later versions; an unset member is absent."""


# --- legal moves -----------------------------------------------------------------------------------------------------


class UnavailableMove(Answer, frozen=True):
    """A kind of move that is unavailable."""

    type: Annotated[str, Meta(description="The `type` of the move.")]
    rule: RuleId
    message: Annotated[str, Meta(description="The reason, as a sentence.")]
    values: Values


class MoveParameter(Answer, frozen=True, kw_only=True):
    """A member of a kind of move that has to be chosen: what it is, and where on the table it lies."""

    member: Annotated[str, Meta(description="The name of the member.")]
    type: Annotated[
        parameters.ParameterType,
        Meta(
            description="`token`: names tokens that lie in a place. `place`: names a place itself. `number`: how many. "
            "`word`: nothing on the table."
        ),
    ]
    lies_in: Annotated[
        Sequence[str],
        Meta(
            description="JSON Pointers into the state, which pictures have as `data-place`: the places in or below "
            "which the tokens lie, or the place that is named. A slot such as `{palace}` is that member of the move."
        ),
    ]
    is_set: Annotated[bool, Meta(description="Whether the member is a list, in any order.")]
    least: Annotated[
        Count, Meta(description="Of a set the fewest items that it can have; of a number the least legal one; else 1.")
    ]
    most: Annotated[
        Count,
        Meta(description="Of a set the most that it can have, as far as they lie there; of a number the greatest."),
    ]


class MoveKind(Answer, frozen=True, kw_only=True):
    """A kind of move of the decision."""

    type: Annotated[str, Meta(description="The `type` of its moves.")]
    text: Annotated[str, Meta(description="What it is called, in the reader's language.")]
    group: (
        Annotated[str, Meta(description="Present if it is called one of a group: the name of that group.")] | UnsetType
    ) = UNSET
    total: Annotated[Count, Meta(description="Number of legal moves of this kind; 0 if it is unavailable.")]
    move: Annotated[Move, Meta(description="Present if exactly one move of this kind is legal.")] | UnsetType = UNSET
    parameters: Annotated[Sequence[MoveParameter], Meta(description="What has to be chosen, in no particular order.")]


class LegalMoves(Answer, frozen=True, kw_only=True):
    """One page of the legal moves."""

    decision: Decision
    moves: Annotated[Sequence[Move], Meta(description="The moves, each as `transitions` accepts it.")]
    texts: TextsOfMoves = UNSET
    probabilities: (
        Annotated[
            Sequence[Probability],
            Meta(description="Present if chance decides: the probability of each move, in the same order."),
        ]
        | UnsetType
    ) = UNSET
    total: Annotated[Count, Meta(description="Number of legal moves on all pages.")]
    complete: Annotated[bool, Meta(description="False if unknown cards may allow further moves.")]
    next_cursor: Annotated[str, Meta(description="The `cursor` of the next page; absent on the last.")] | UnsetType = (
        UNSET
    )
    unavailable: (
        Annotated[
            Sequence[UnavailableMove], Meta(description="With `explain`: why other kinds of moves are unavailable.")
        ]
        | UnsetType
    ) = UNSET
    kinds: (
        Annotated[
            Sequence[MoveKind],
            Meta(description="With `kinds`: every kind of move of the decision, counted without listing moves."),
        ]
        | UnsetType
    ) = UNSET
    open: (
        Annotated[
            Mapping[str, Mapping[str, Count]],
            Meta(
                description="With `containing`: for each member that is open, the values or tokens that can still be "
                "added, with the number of moves that have them. Counted exactly, however many there are."
            ),
        ]
        | UnsetType
    ) = UNSET


# --- suggestions -----------------------------------------------------------------------------------------------------


class Suggestion(Answer, frozen=True):
    """The move that a player of the service makes for the seat that decides."""

    decision: Decision
    move: (
        Annotated[Move, Meta(description="The move, as `transitions` accepts it; absent once the game is over.")]
        | UnsetType
    ) = UNSET
    text: Annotated[Text, Meta(description="With `texts` in the request: the move as a sentence.")] | UnsetType = UNSET


# --- positions -------------------------------------------------------------------------------------------------------

StateNow = Annotated[State, Meta(description="The current state.")]
DerivedNow = Annotated[Derived, Meta(description="Figures derived from the state, for display.")]
PlayedMoves = Annotated[
    Sequence[Move], Meta(description="The moves as played, including those of chance; a record consists of them.")
]
Events = Annotated[
    Sequence[Event], Meta(description="What happened, in order; with `texts` in the request, each with its `text`.")
]


class Played(Answer, frozen=True):
    """The position that moves lead to."""

    state: StateNow
    state_hash: StateHash
    derived: DerivedNow
    decision: Decision
    moves: PlayedMoves
    events: Events
    texts: TextsOfMoves = UNSET


class ViewedTransition(Answer, frozen=True):
    """A transition or a set-up as a seat or a spectator may know it."""

    seat: Annotated[int | None, Meta(ge=0, description="The seat; null for a spectator.")]
    state: StateNow
    state_hash: StateHash
    derived: DerivedNow
    decision: Decision
    moves: PlayedMoves
    events: Events
    texts: TextsOfMoves = UNSET


Views = (
    Annotated[
        Sequence[ViewedTransition],
        Meta(description="The same for each of the `views` in the request, in the same order."),
    ]
    | UnsetType
)
NextMoves = (
    Annotated[
        LegalMoves,
        Meta(description="With `legal_moves` in the request: the first page of legal moves of the next decision."),
    ]
    | UnsetType
)


class DrawnStep(Answer, frozen=True, kw_only=True):
    """A step of what was played: a move of a seat with the draws after it, or a draw before any."""

    ply: Annotated[Count, Meta(description="The ply after it.")]
    moves: PlayedMoves
    texts: TextsOfMoves = UNSET
    events: Events
    picture: Annotated[str, Meta(description="The table after it as SVG, with what it moved marked.")]


class Setup(Played, frozen=True):
    """A new game."""

    views: Views = UNSET
    legal_moves: NextMoves = UNSET


class Transition(Played, frozen=True):
    """The position that the moves lead to."""

    result: Annotated[Result, Meta(description="Present if the game is over.")] | UnsetType = UNSET
    views: Views = UNSET
    legal_moves: NextMoves = UNSET
    steps: (
        Annotated[
            Sequence[DrawnStep],
            Meta(description="With `pictures` in the request: what was played step by step; of many the last 50."),
        ]
        | UnsetType
    ) = UNSET


# --- verdicts --------------------------------------------------------------------------------------------------------


@titled("Near legal move", "near")
class NearMove(Answer, frozen=True):
    """A legal move near an illegal one."""

    move: Move
    distance: Annotated[Count, Meta(description="Its distance from the illegal move; docs/records.md defines it.")]
    differs: Annotated[Sequence[str], Meta(description="The members in which the two differ.")]


TextsOfNearest = (
    Annotated[
        Sequence[Text],
        Meta(description="With `texts` in the request: each of the nearest legal moves as a sentence, in their order."),
    ]
    | UnsetType
)


class Amount(Answer, frozen=True, kw_only=True):
    """What a choice adds up to."""

    name: Annotated[
        Literal["bid", "payment", "coins", "blocks"],
        Meta(description="`bid` and `payment`: the worth of cards. `coins`: what it costs. `blocks`: their number."),
    ]
    text: Annotated[str, Meta(description="What it is called, in the reader's language.")]
    value: Annotated[Count, Meta(description="What the choice makes, with what was there before.")]
    before: Annotated[Count, Meta(description="Of a bid: what was laid before.")] | UnsetType = UNSET
    added: Annotated[Count, Meta(description="Of a bid: what the choice adds.")] | UnsetType = UNSET
    needs: Annotated[Count, Meta(description="What it has to make; `blocks` exactly, others at least.")] | UnsetType = (
        UNSET
    )
    have: (
        Annotated[Count, Meta(description="The most that the seat has for it, as far as the document shows.")]
        | UnsetType
    ) = UNSET


class Verdict(Answer, frozen=True):
    """Whether a move is legal; if not, the first rule it breaks in the order of the rulebook."""

    legal: Annotated[bool, Meta(description="Whether the move is legal.")]
    refusal: Annotated[Refusal, Meta(description="Present if the move is illegal.")] | UnsetType = UNSET
    nearest: (
        Annotated[
            Sequence[NearMove],
            Meta(description="With `nearest` in the request, if the move is illegal: the nearest legal moves."),
        ]
        | UnsetType
    ) = UNSET
    text: (
        Annotated[Text, Meta(description="With `texts` in the request: the move, legal or not, as a sentence.")]
        | UnsetType
    ) = UNSET
    nearest_texts: TextsOfNearest = UNSET
    amounts: (
        Annotated[
            Sequence[Amount],
            Meta(
                description="With `amounts` in the request: what the move, legal or not, adds up to, and what it "
                "needs. Most kinds of moves have none."
            ),
        ]
        | UnsetType
    ) = UNSET

    @property
    def word(self) -> str:
        """The verdict in one word."""
        return "legal" if self.legal else "illegal"

    @property
    def broken_rule(self) -> str | None:
        """The rule that the move breaks."""
        return None if self.refusal is UNSET else self.refusal["rule"]


# --- audits and scores -----------------------------------------------------------------------------------------------


class Audit(Answer, frozen=True):
    """The result of an audit."""

    findings: Annotated[Sequence[Finding], Meta(description="Everything impossible in the state; may be empty.")]


class PossibleResult(Answer, frozen=True):
    """An outcome that chance may still have, and the result in that case."""

    probability: Probability
    result: Result
    card: Annotated[str, Meta(description="The card turned up, if chance turns up a card.")] | UnsetType = UNSET
    tiles: Annotated[Sequence[str], Meta(description="The tiles drawn, if chance draws tiles.")] | UnsetType = UNSET


class Score(Answer, frozen=True):
    """The result or, if only chance is left to decide, every possible result: exactly one of the two is present."""

    result: Result | UnsetType = UNSET
    outcomes: (
        Annotated[Sequence[PossibleResult], Meta(description="Every outcome of chance, with its exact probability.")]
        | UnsetType
    ) = UNSET
    missing: (
        Annotated[
            Sequence[Finding],
            Meta(description="Of a scoresheet that is `unfinished`: what it would be refused for if it were finished."),
        ]
        | UnsetType
    ) = UNSET
    findings: (
        Annotated[
            Sequence[Finding],
            Meta(
                description="With `even_if_impossible`: what the scoresheet would be refused for without it. Empty if "
                "it is possible."
            ),
        ]
        | UnsetType
    ) = UNSET


# --- replays ---------------------------------------------------------------------------------------------------------


class Divergence(Answer, frozen=True):
    """A recorded move that is illegal."""

    index: Annotated[Count, Meta(description="Its index in the record.")]
    departure: Departure
    move: Annotated[Move, Meta(description="The move as recorded.")]
    decision: Annotated[Decision, Meta(description="The decision that was due.")]
    refusal: Refusal

    def __str__(self) -> str:
        return f"{self.departure} at ply {self.index}: {self.refusal['message']} [{self.refusal['rule']}]"


TextOfRecordedMove = (
    Annotated[Text, Meta(description="With `texts` in the request: the recorded move as a sentence.")] | UnsetType
)


@titled("First divergence", "first-divergence")
class FirstDivergenceOnLine(Divergence, frozen=True):
    """The first illegal move of one of many records."""

    nearest: Annotated[Sequence[NearMove], Meta(description="The nearest legal moves, nearest first.")]


class FirstDivergence(FirstDivergenceOnLine, frozen=True):
    """The first illegal move."""

    text: TextOfRecordedMove = UNSET
    nearest_texts: TextsOfNearest = UNSET


class Remedy(Answer, frozen=True):
    """How an illegal move was repaired."""

    action: Annotated[
        Action,
        Meta(
            description="The move was not played, another was played instead, or another was played before it; or two "
            "recorded neighbours were swapped."
        ),
    ]
    move: Annotated[Move, Meta(description="The move that was played.")] | UnsetType = UNSET
    first: (
        Annotated[
            int,
            Meta(
                ge=0,
                description="Of neighbours that were swapped: the index of the first as recorded. The divergence may "
                "be later, where the wrong order shows; `move` is the second, which was played first.",
            ),
        ]
        | UnsetType
    ) = UNSET


@titled("Remedied divergence", "remedied-divergence")
class RemediedDivergenceOnLine(Divergence, frozen=True):
    """An illegal move of one of many records, and its repair."""

    remedy: Remedy
    conditional: Annotated[
        bool, Meta(description="Whether it depends on earlier remedies: true for all but the first.")
    ]


class RemediedDivergence(RemediedDivergenceOnLine, frozen=True):
    """A recorded move that is illegal, and its repair."""

    text: TextOfRecordedMove = UNSET
    remedy_text: (
        Annotated[
            Text, Meta(description="With `texts` in the request: the move that was played for it, as a sentence.")
        ]
        | UnsetType
    ) = UNSET


Plies = Annotated[int, Document("ply", shared=True), Meta(description="Number of moves played.")]
StateReached = Annotated[State, Meta(description="The state after the last move played.")]
ResultIfOver = Annotated[Result, Meta(description="Present if the game is over.")] | UnsetType
ClaimMatches = (
    Annotated[bool, Meta(description="Whether the claimed result is right; present if the record claims one.")]
    | UnsetType
)
ClaimedLines = (
    Annotated[Sequence[ClaimedLine], Meta(description="The claimed result next to the computed one.")] | UnsetType
)


class LenientReplay(Answer, frozen=True):
    """How the record continues if each illegal move is repaired; everything after the first repair is conditional."""

    repair: Annotated[Repair, Meta(description="The repair that was requested.")]
    divergences: Annotated[Sequence[RemediedDivergence], Meta(description="Every illegal move, including the first.")]
    followed_to_the_end: Annotated[
        bool, Meta(description=f"False if there were more than {MAXIMUM_DIVERGENCES} divergences.")
    ]
    plies: Plies
    state: StateReached
    decision: Decision
    result: ResultIfOver = UNSET
    claimed_result_matches: ClaimMatches = UNSET
    claimed_result_lines: ClaimedLines = UNSET
    record: (
        Annotated[
            Record,
            Meta(
                description="The record with its moves repaired, and without a claimed result that they do not reach; "
                "present if it was followed to the end."
            ),
        ]
        | UnsetType
    ) = UNSET

    def __str__(self) -> str:
        """The remedies and the outcome, in the language of the texts that were asked for."""
        lines = lenient_lines(all_games()[self.state.game], to_builtins(self), self.state.names)
        return "\n".join(line.removeprefix("  ") for line in lines)


class MoveWithTexts(Answer, frozen=True):
    """A move that was played: whose turn it was, who decided what, the move as a sentence, and what happened."""

    active_seat: Annotated[
        int,
        Document("seat-index", shared=True),
        Meta(description="The seat whose turn it was, as in the state; others decide in it too, as in auctions."),
    ]
    decision: Annotated[Decision, Meta(description="The decision that the move answers.")]
    move: Move
    text: Text
    events: Annotated[Sequence[Event], Meta(description="What happened, in order, each with its `text`.")]
    points: Annotated[
        members.BySeat[results.Points],
        Meta(
            description="Each player's points by seat if the game ended after it; what chance had yet to draw for that "
            "is not counted."
        ),
    ]


Course = (
    Annotated[
        Sequence[MoveWithTexts],
        Meta(
            description="With `texts` in the request: an account of the game, move by move; a move's index is its ply."
        ),
    ]
    | UnsetType
)


class Replay(Answer, frozen=True, kw_only=True):
    """How far the record is legal, and the state it reaches."""

    verdict: VerdictOnRecord
    legal: Annotated[bool, Meta(description="Whether every move is legal.")]
    plies: Plies
    first_divergence: FirstDivergence | UnsetType = UNSET
    state: StateReached
    decision: Decision
    result: ResultIfOver = UNSET
    claimed_result_matches: ClaimMatches = UNSET
    claimed_result_lines: ClaimedLines = UNSET
    lenient: LenientReplay | UnsetType = UNSET
    course: Course = UNSET

    @property
    def word(self) -> str:
        """The verdict in one word."""
        return self.verdict

    @property
    def broken_rule(self) -> str | None:
        """The rule that the first illegal move breaks."""
        return None if self.first_divergence is UNSET else self.first_divergence.refusal["rule"]

    def __str__(self) -> str:
        """How far the record is legal, and its outcome."""
        if self.first_divergence is not UNSET:
            found = f"{self.first_divergence}, after {self.plies} legal moves"
            return found if self.lenient is UNSET else f"{found}\n{self.lenient}"
        outcome = outcome_text(all_games()[self.state.game], to_builtins(self), self.state.names)
        return f"legal, {self.plies} moves; {outcome}"


# --- archives --------------------------------------------------------------------------------------------------------

LONGEST_LABEL = 200
"""Characters of a record's `game` or `id` in the verdict on it."""

Totals = Annotated[Sequence[int], Meta(title="Computed totals")]
"""The points by seat."""

Winners = Annotated[Sequence[SeatIndex], Meta(min_length=1, title="Winners")]
"""The seats that won."""

WrongLines = Annotated[Sequence[ClaimedLine], Meta(min_length=1, title="Wrong lines")]
"""The parts of the claimed result that differ from the computed one."""

TotalsIfOver = Annotated[Totals, Meta(description="Present if the game is over.")] | UnsetType
WinnersIfCertain = (
    Annotated[Winners, Meta(description="Present if the game is over and the winners are certain.")] | UnsetType
)
WrongLinesIfAny = Annotated[WrongLines, Meta(description="Present if the claimed result is wrong.")] | UnsetType


@titled("Record followed leniently", "lenient")
class LenientReplayOnLine(Answer, frozen=True):
    """How the record continues if every illegal move is repaired. All of it is conditional."""

    repair: Repair
    """The repair that was requested."""
    divergences: Sequence[RemediedDivergenceOnLine]
    """Every illegal move, including the first."""
    followed_to_the_end: bool
    """False if there were too many divergences."""
    plies: Plies
    decision: Decision
    """The decision due after them."""
    claimed_result_matches: ClaimMatches = UNSET
    totals: TotalsIfOver = UNSET
    winners: WinnersIfCertain = UNSET
    wrong_lines: WrongLinesIfAny = UNSET


@titled("Verdict on a line")
class VerdictOnLine(Answer, frozen=True, kw_only=True):
    """The verdict on one record of many, with one record per line. It has the members of the answer for a single
    record, without states and complete results; a record that cannot be judged has a `problem` instead."""

    line: Annotated[int, Meta(ge=1)]
    """The number of the line, from 1; blank lines count."""
    game: Annotated[str, Meta(max_length=LONGEST_LABEL)] | UnsetType = UNSET
    """The record's `game`, even if unknown; present if it is a text of at most 200 characters."""
    id: Annotated[str, Meta(max_length=LONGEST_LABEL)] | UnsetType = UNSET
    """The record's `id`; present if it is a text of at most 200 characters."""
    players: PlayerCount | UnsetType = UNSET
    """Present if the record could be judged: the number of players."""
    names: Names | UnsetType = UNSET
    """The record's `names`, if it could be judged."""
    tags: Tags | UnsetType = UNSET
    """The record's `tags`, if it could be judged."""
    moves_hash: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")] | UnsetType = UNSET
    """Identifies game, players, options and moves: two records with the same one are of the same game as played,
    whatever their names and tags. Present if the record could be judged and has a move."""
    verdict: VerdictOnRecord | Literal["other-version", "unusable"]
    """The verdict on the record, in one word. other-version: it has another `schema_version` or `rules_version`.
    unusable: it could not be judged; `problem` says why."""
    legal: bool | UnsetType = UNSET
    """Whether every move is legal."""
    plies: Plies | UnsetType = UNSET
    first_divergence: FirstDivergenceOnLine | UnsetType = UNSET
    """Present if a move is illegal: the first one."""
    decision: Decision | UnsetType = UNSET
    """The decision due after them."""
    claimed_result_matches: ClaimMatches = UNSET
    totals: TotalsIfOver = UNSET
    winners: WinnersIfCertain = UNSET
    wrong_lines: WrongLinesIfAny = UNSET
    lenient: LenientReplayOnLine | UnsetType = UNSET
    """Present if a move is illegal and `repair` was requested."""
    problem: Annotated[str, Meta(pattern="^[a-z]+(-[a-z]+)*$", examples=["malformed-json", "shape"])] | UnsetType = (
        UNSET
    )
    """Present if the record could not be judged: the id of a kind of problem, explained at /v1/problems/{problem}."""
    detail: str | UnsetType = UNSET
    """Present with a `problem`: what is wrong with this particular record."""
    errors: Sequence[Annotated[Any, Document("error-in-record")]] | UnsetType = UNSET
    """Present with some problems: all errors found, each with its place in the record."""

    @property
    def broken_rule(self) -> str | None:
        """The rule that the first illegal move breaks."""
        return None if self.first_divergence is UNSET else self.first_divergence.refusal["rule"]


# --- views -----------------------------------------------------------------------------------------------------------


class View(Answer, frozen=True):
    """What the viewer may know of the submitted document, in the member of the same name."""

    state: Annotated[State, Meta(description="The state, if one was sent.")] | UnsetType = UNSET
    record: Annotated[Record, Meta(description="The record, if one was sent.")] | UnsetType = UNSET
    course: Course = UNSET


class Samples(Answer, frozen=True):
    """Full states that agree with all that the seat knows."""

    states: Annotated[
        Sequence[State],
        Meta(
            description="The states, without anything unknown, each drawn with the probability that chance alone gives "
            "it. What the choices of others suggest is not weighed."
        ),
    ]


# --- pictures --------------------------------------------------------------------------------------------------------


class Pictures(Answer, frozen=True):
    """Pictures of positions, or one of a scoresheet."""

    first: Annotated[Count, Meta(description="The ply of the first picture; absent for a scoresheet.")] | UnsetType = (
        UNSET
    )
    pictures: Annotated[
        Sequence[str],
        Meta(description="Each an SVG, of one ply after the other; fewer than asked for if the record ends before."),
    ] = ()
