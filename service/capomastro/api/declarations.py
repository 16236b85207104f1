"""How resources are declared: a stack of decorators over a short body.

    @resource("POST", "/v1/games/{game}/audits")
    @body(envelopes.Audit())
    @answers(Audit)
    @refuses("shape", "other-game")
    def audits(game: AnyGame, state: Any) -> Answer:
        \"\"\"Examine a state.\"\"\"
        return adjudicator.audit(game, state)

What is declared ends in the table `RESOURCES`, which the application, the specification and the tests read.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from inspect import getdoc
from typing import Any, Literal, TypeVar

from capomastro.api.envelopes import Envelope, Query
from capomastro.engine.game import Game

View = Callable[..., Any]
V = TypeVar("V", bound=View)
Form = Callable[[Game[Any], Any], str]
"""Writes an answer about a game as text."""

JSON = "application/json"
YAML = "application/yaml"
NDJSON = "application/x-ndjson"
JSONL = "application/jsonl"
LINES = (NDJSON, JSONL)
"""What text with a JSON value on every line is declared as; neither is registered."""


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One operation of the service."""

    method: Literal["GET", "POST"]
    path: str
    """As the specification writes it: "/v1/games/{game}/rules/{rule}"."""
    view: View
    """Called with the parameters of the path, `game` as a `Game`, and the members of the body."""
    envelope: Envelope | None = None
    """What loads the body, one JSON value; none is read if None."""
    parameters: Query | None = None
    """What loads the parameters of the query; they are not looked at if None."""
    streamed: bool = False
    """Whether the body is a stream of lines, each asked and answered by itself.

    The view is called with a line and the terms, which the settings and the parameters make.
    """
    answer: Any = None
    """What is answered, as a type: an `Answer`, or a document of `answers`."""
    media_type: str = JSON
    forms: Mapping[str, Form] = field(default_factory=dict)
    """Other media types it can answer with, and how an answer is written in them."""
    own_problems: tuple[str, ...] = ()
    """The problems of this resource besides those all have."""
    record: bool = False
    """Whether the body may hold a record, and so be larger."""
    by_hand: bool = False
    """Whether the body may be a record as people write it; the `parameters` then say what else its members would."""
    lasting: bool = True
    """Whether the answer to GET is the same until the service is renewed, so that it may be kept."""
    refusal_in: tuple[str, ...] = ()
    """The members on the way to a refusal in an answer that is no problem; its rule is logged."""
    deprecated: date | None = None
    """Since when the operation should not be used any more."""

    @property
    def name(self) -> str:
        """The id of the operation."""
        return self.view.__name__.replace("_", "-")

    @property
    def summary(self) -> str:
        return self.description.partition("\n")[0]

    @property
    def description(self) -> str:
        return getdoc(self.view) or ""

    @property
    def problems(self) -> tuple[str, ...]:
        """The ids of all problems it can answer with."""
        with_parameters = ("not-found",) if "{" in self.path else ()
        with_body = ("malformed-json", "bad-request", "too-large", "unsupported-media-type", "envelope", "busy")
        with_lines = ("unsupported-media-type", "envelope", "busy")
        by_hand = ("malformed-notation",) if self.by_hand else ()
        read = (*with_body, *by_hand, "deadline") if self.envelope else with_lines if self.streamed else ()
        return (*with_parameters, "not-acceptable", *read, *self.own_problems, "internal")


RESOURCES: list[Resource] = []
"""Every resource, in the order of the specification."""

_declared: defaultdict[View, dict[str, Any]] = defaultdict(dict)


def declared(**members: Any) -> Callable[[V], V]:
    """Keeps what a decorator says until `resource` takes it."""

    def declare(view: V) -> V:
        _declared[view].update(members)
        return view

    return declare


def body(envelope: Envelope, *, record: bool = False, by_hand: bool = False) -> Callable[[V], V]:
    """What the request body holds; whether that may be a record, and the body one that was written by hand."""
    parameters = envelope.parameters() if by_hand else None
    return declared(envelope=envelope, record=record, by_hand=by_hand, parameters=parameters)


def lines(envelope: Envelope) -> Callable[[V], V]:
    """The request body is a stream of lines, each asked and answered by itself; what the query may say about all."""
    return declared(streamed=True, parameters=envelope.parameters())


def answers(
    answer: Any,
    media_type: str = JSON,
    *,
    forms: Mapping[str, Form] | None = None,
    refusal_in: tuple[str, ...] = (),
    lasting: bool = True,
) -> Callable[[V], V]:
    """What is answered (a type), as what media type or on request in which other form.

    Also: where in it a refusal may stand; whether it may be kept.
    """
    return declared(answer=answer, media_type=media_type, forms=forms or {}, refusal_in=refusal_in, lasting=lasting)


def refuses(*problems: str) -> Callable[[V], V]:
    """The problems it can answer with besides those that all resources have."""
    return declared(own_problems=problems)


def deprecated(since: date) -> Callable[[V], V]:
    """Should not be used any more: answers get the header `Deprecation` (RFC 9745), the specification says so."""
    return declared(deprecated=since)


def declaration(method: Literal["GET", "POST"], path: str, view: View) -> Resource:
    """The resource that was declared over `view`."""
    return Resource(method=method, path=path, view=view, **_declared.pop(view, {}))


def resource(method: Literal["GET", "POST"], path: str) -> Callable[[V], V]:
    """Puts a view into the table of resources, with all that was declared below."""

    def declare(view: V) -> V:
        RESOURCES.append(declaration(method, path, view))
        return view

    return declare
