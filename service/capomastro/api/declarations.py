"""Declares resources: each is a function, and all that HTTP has to know of it stands in the decorator.

    @operation("POST", "/v1/games/<game>/audits", body=envelopes.Audit(), answers=Audit, refuses=("shape",))
    def audits(game: AnyGame, state: Any) -> Audit:
        \"\"\"Audit a state.\"\"\"
        return adjudicator.audit(game, state)

All of them end up in the table `RESOURCES`, which the application, the specification and the tests read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cached_property
from inspect import getdoc
from typing import Any, Literal, NamedTuple, TypeVar

from werkzeug.http import http_date

from capomastro.api.envelopes import Query, RequestBody
from capomastro.api.media_types import JSON, LINES
from capomastro.documents import notation
from capomastro.documents.notation import Notated
from capomastro.engine.game import AnyGame

F = TypeVar("F", bound=Callable[..., Any])
Form = Callable[[AnyGame, Any, Notated | None], str | None]
"""Writes an answer about a game as text, with the comments of a request in notation; None if it has no such form."""


class Deprecated(NamedTuple):
    """Since when an operation should not be used any more, and until when it is answered."""

    since: date
    until: date

    @property
    def headers(self) -> dict[str, str]:
        """How an answer says so (RFC 9745, RFC 8594)."""
        since, until = (datetime(day.year, day.month, day.day, tzinfo=UTC) for day in self)
        return {"Deprecation": f"@{int(since.timestamp())}", "Sunset": http_date(until)}


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One operation of the service."""

    method: Literal["GET", "POST"]
    rule: str
    """Its path for Flask: "/v1/games/<game>/rules/<rule>"."""
    view: Callable[..., Any]
    """Called with the parameters of the path, `game` as its definition, and the members of the body."""
    envelope: RequestBody | None = None
    """Loads the body, one JSON value; None: no body is read."""
    parameters: Query | None = None
    """Loads the query parameters; None: there are none."""
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
    """The problems of this resource, in addition to those of all resources."""
    record: bool = False
    """Whether the body may hold a record and therefore be larger."""
    accepts_notation: bool = False
    """Whether the body may be a record in text notation; the `parameters` then replace the other members."""
    sealed: bool = False
    """Whether it is about sealed tables: the view gets the `keys` of the service, the answer must not be cached."""
    cacheable: bool = True
    """Whether the answer to GET stays the same while the process runs, so that it may be cached."""
    deprecated: Deprecated | None = None

    @cached_property
    def path(self) -> str:
        """The template in the specification: "/v1/games/{game}/rules/{rule}"."""
        return template(self.rule)

    @property
    def media_types(self) -> tuple[str, ...]:
        """All media types of its answers, the default first."""
        known = (self.media_type, *self.forms)
        return tuple(sorted(known, key=lambda media_type: media_type != self.default_media_type))

    @property
    def body_types(self) -> tuple[str, ...]:
        """The media types of its bodies."""
        if self.streamed:
            return LINES
        return (JSON, notation.MEDIA_TYPE) if self.accepts_notation else (JSON,)

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
        limited = ("too-many-requests",) if self.method == "POST" or self.cacheable else ()
        in_time = () if self.streamed else ("too-costly",)
        queried = () if "envelope" in read else ("envelope",)
        with_etag = ("precondition-failed",) if self.method == "GET" and self.cacheable else ()
        return (
            *with_parameters,
            "not-acceptable",
            *queried,
            *with_etag,
            *read,
            *limited,
            *in_time,
            *self.own_problems,
            "internal",
        )


RESOURCES: list[Resource] = []
"""Every resource, in the order of the specification."""


def template(rule: str) -> str:
    """The path template of a route, as in the specification."""
    return rule.replace("<", "{").replace(">", "}")


def operation(
    method: Literal["GET", "POST"],
    rule: str,
    *,
    body: RequestBody | None = None,
    lines: RequestBody | None = None,
    query: RequestBody | None = None,
    answers: Any,
    refuses: tuple[str, ...] = (),
    accepts_notation: bool = False,
    **rest: Any,
) -> Callable[[F], F]:
    """Adds the function to the table of resources.

    `body`: loads the request body. `lines`: the body is a stream of lines instead, and the envelope says what the query
    may have. `query`: the same for a GET. `answers`: the type of the answer. `refuses`: problems, in addition to those
    of all resources. `rest`: other members of `Resource`.
    """
    queried = query or lines or (body if accepts_notation else None)

    def declare(view: F) -> F:
        RESOURCES.append(
            Resource(
                method=method,
                rule=rule,
                view=view,
                envelope=body,
                parameters=queried.parameters() if queried else None,
                streamed=lines is not None,
                answer=answers,
                own_problems=refuses,
                accepts_notation=accepts_notation,
                **rest,
            )
        )
        return view

    return declare
