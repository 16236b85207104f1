"""Declares resources: a stack of decorators over a short body.

    @resource("POST", "/v1/games/{game}/audits")
    @body(envelopes.Audit())
    @answers(Audit)
    @refuses("shape", "other-game")
    def audits(game: AnyGame, state: Any) -> Audit:
        \"\"\"Audit a state.\"\"\"
        return adjudicator.audit(game, state)

All declarations end up in the table `RESOURCES`, which the application, the specification and the tests read.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from inspect import getdoc
from typing import Any, Literal, TypeVar

from capomastro.api.envelopes import Envelope, Query
from capomastro.api.media_types import JSON
from capomastro.engine.game import Game

View = Callable[..., Any]
V = TypeVar("V", bound=View)
Form = Callable[[Game[Any], Any], str | None]
"""Writes an answer about a game as text; None if this answer has no such form."""


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One operation of the service."""

    method: Literal["GET", "POST"]
    path: str
    """The template in the specification: "/v1/games/{game}/rules/{rule}"."""
    view: View
    """Called with the parameters of the path, `game` as a `Game`, and the members of the body."""
    envelope: Envelope | None = None
    """Loads the body, one JSON value; None: no body is read."""
    parameters: Query | None = None
    """Loads the query parameters; None: they are ignored."""
    streamed: bool = False
    """Whether the body is a stream of lines, each answered separately.

    The view is called with a line and the terms, which follow from the settings and the parameters.
    """
    answer: Any = None
    """The type of the answer: an `Answer`, or a document of `answers`."""
    media_type: str = JSON
    forms: Mapping[str, Form] = field(default_factory=dict)
    """Other media types it can answer with, each with the function that writes them."""
    default_media_type: str = ""
    """The media type it answers with if `Accept` prefers none: `media_type`, or one of the `forms`."""
    own_problems: tuple[str, ...] = ()
    """The problems of this resource, besides those of all resources."""
    record: bool = False
    """Whether the body may hold a record and therefore be larger."""
    accepts_notation: bool = False
    """Whether the body may be a record in text notation; the `parameters` then replace the other members."""
    sealed: bool = False
    """Whether it is about sealed tables: the view gets the `keys` of the service, the answer must not be cached."""
    cacheable: bool = True
    """Whether the answer to GET stays the same while the process runs, so that it may be cached."""
    deprecated: date | None = None
    """The date since when the operation is deprecated."""

    @property
    def media_types(self) -> tuple[str, ...]:
        """All media types of its answers, the default first."""
        known = (self.media_type, *self.forms)
        return (
            tuple(sorted(known, key=lambda media_type: media_type != self.default_media_type))
            if self.default_media_type
            else known
        )

    @property
    def localised(self) -> bool:
        """Whether it answers in the reader's language: all do but schemas, the specification, and health checks."""
        return self.path.startswith("/v1/") and "/schemas/" not in self.path and not self.path.endswith(".json")

    @property
    def name(self) -> str:
        """The id of the operation."""
        return self.view.__name__.replace("_", "-")

    @property
    def summary(self) -> str:
        """What it does, in one sentence."""
        return (getdoc(self.view) or "").partition("\n")[0]

    @property
    def description(self) -> str:
        """What more there is to say; often nothing."""
        return (getdoc(self.view) or "").partition("\n")[2].strip()

    @property
    def problems(self) -> tuple[str, ...]:
        """The ids of all problems that it can answer with."""
        with_parameters = ("not-found",) if "{" in self.path else ()
        with_body = ("malformed-json", "bad-request", "too-large", "unsupported-media-type", "envelope", "busy")
        with_lines = ("unsupported-media-type", "envelope", "busy")
        with_notation = ("malformed-notation",) if self.accepts_notation else ()
        read = (*with_body, *with_notation) if self.envelope else with_lines if self.streamed else ()
        in_time = () if self.streamed else ("too-costly",)
        queried = () if "envelope" in read else ("envelope",)
        with_etag = ("precondition-failed",) if self.method == "GET" and self.cacheable else ()
        return (
            *with_parameters,
            "not-acceptable",
            *queried,
            *with_etag,
            *read,
            *in_time,
            *self.own_problems,
            "internal",
        )


RESOURCES: list[Resource] = []
"""Every resource, in the order of the specification."""

_declared: defaultdict[View, dict[str, Any]] = defaultdict(dict)


def declared(**members: Any) -> Callable[[V], V]:
    """Stores a declaration until `resource` collects it."""

    def declare(view: V) -> V:
        _declared[view].update(members)
        return view

    return declare


def body(envelope: Envelope, *, record: bool = False, accepts_notation: bool = False) -> Callable[[V], V]:
    """Declares the request body: its envelope, whether it may hold a record, and whether in text notation too."""
    parameters = envelope.parameters() if accepts_notation else None
    return declared(envelope=envelope, record=record, accepts_notation=accepts_notation, parameters=parameters)


def lines(envelope: Envelope) -> Callable[[V], V]:
    """Declares the request body as a stream of lines, each answered separately; the envelope defines the query."""
    return declared(streamed=True, parameters=envelope.parameters())


def queried(envelope: Envelope) -> Callable[[V], V]:
    """Declares the parameters of the query of a GET."""
    return declared(parameters=envelope.parameters())


def answers(
    answer: Any,
    media_type: str = JSON,
    *,
    forms: Mapping[str, Form] | None = None,
    default_media_type: str = "",
    cacheable: bool = True,
) -> Callable[[V], V]:
    """Declares the answer: its type, its media type and other forms on request.

    `default_media_type`: used if the request prefers none, if that is not `media_type`. `cacheable`: whether the answer
    stays the same while the process runs.
    """
    return declared(
        answer=answer,
        media_type=media_type,
        forms=forms or {},
        default_media_type=default_media_type,
        cacheable=cacheable,
    )


def sealed(view: V) -> V:
    """Declares that the resource is about sealed tables."""
    return declared(sealed=True)(view)


def refuses(*problems: str) -> Callable[[V], V]:
    """Declares problems, besides those of all resources."""
    return declared(own_problems=problems)


def deprecated(since: date) -> Callable[[V], V]:
    """Declares the operation deprecated, in the specification and with the header `Deprecation` (RFC 9745)."""
    return declared(deprecated=since)


def declaration(method: Literal["GET", "POST"], path: str, view: View) -> Resource:
    """The resource declared on `view`."""
    return Resource(method=method, path=path, view=view, **_declared.pop(view, {}))


def resource(method: Literal["GET", "POST"], path: str) -> Callable[[V], V]:
    """Adds a view to the table of resources, with everything declared below."""

    def declare(view: V) -> V:
        RESOURCES.append(declaration(method, path, view))
        return view

    return declare
