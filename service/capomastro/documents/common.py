"""The documents of all games that are written without a struct: their members, which the schemas are made of."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from capomastro.engine.members import (
    ColumnNumber,
    LineNumber,
    Pointer,
    RuleId,
    SeatIndex,
    Text,
    titled,
)
from capomastro.engine.refusals import Values

Because = Annotated[
    str,
    Meta(
        description="Why, where the message says little more than what is there.",
        examples=["tokens of 4 on the flags of the Intermezzo: 1; given: 2"],
    ),
]


class Refusal(Struct):
    """Why something is illegal: a rule, a sentence with its values, and the place in the submitted document."""

    rule: RuleId
    message: Annotated[str, Meta(examples=["the bid is 12, the highest is 15"])]
    """The reason, as a sentence."""
    values: Values
    pointer: Pointer
    because: Because | UnsetType = UNSET
    line: LineNumber | UnsetType = UNSET
    column: ColumnNumber | UnsetType = UNSET


Finding = Annotated[Refusal, Meta(title="Finding")]
"""Something impossible in a state or on a scoresheet: too many of a component, or a position that no game can reach. It
has the form of a refusal."""


@titled(name="error")
class ErrorInRecord(Struct, kw_only=True):
    """An error, and its place in the record."""

    pointer: Pointer
    message: str
    """The error, as a sentence."""
    rule: RuleId | UnsetType = UNSET
    """The rule of the game that is broken, if any."""
    values: Values | UnsetType = UNSET
    """The values in the message, if a rule of the game is broken."""
    because: Because | UnsetType = UNSET


@titled(name="error")
class ErrorInRequest(ErrorInRecord, kw_only=True):
    """An error, and its place in the request."""

    line: LineNumber | UnsetType = UNSET
    column: ColumnNumber | UnsetType = UNSET


class Problem(Struct):
    """Why a request was not answered (RFC 9457, application/problem+json)."""

    type: Annotated[str, Meta(extra_json_schema={"format": "uri-reference"})]
    """The kind of problem, as the path of its explanation."""
    title: str
    """The kind of problem in words; the same for all problems of a type."""
    status: Annotated[int, Meta(ge=400, le=599)]
    """The HTTP status code."""
    detail: str
    """What is wrong with this particular request."""
    errors: list[ErrorInRequest] | UnsetType = UNSET
    """All errors found, each with its place in the request body."""


class Event(Struct):
    """The members of every event."""

    type: Annotated[str, Meta(examples=["tile-drawn"])]
    """What happened."""
    seat: SeatIndex | UnsetType = UNSET
    """The player who did it, or to whom it happened."""
    points: int | UnsetType = UNSET
    """Points that the seat scored; negative if it lost some."""
    rule: RuleId | UnsetType = UNSET
    """The rule that caused it."""
    text: Text | UnsetType = UNSET
    """With `texts` in the request: what happened, as a sentence."""


EveryEvent = Annotated[
    Event, Meta(title="Event", extra_json_schema={"dependentRequired": {"points": ["seat", "rule"]}})
]
"""Something that happened. A player's points are the sum of the points in their events. Games add members and types;
ignore unknown ones."""


@titled("Move of a game", "move")
class AnyMove(Struct):
    """A move of the record's game; the schema is at /v1/games/{game}/schemas/move."""

    type: str
    """Which move it is."""
