"""Questions: resources with a body, answered without Flask, because that is faster.

Flask makes a request object, two contexts, a route and a response with its own header objects for every request, which
takes longer than answering most questions about a game. None of these are needed here: a question is found by its path,
and its reply is written directly to WSGI. Everything but a POST to the path of a question goes through Flask, which
knows these resources as well, for other methods and for games that do not exist; both ways call the same function.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from flask import Request

from capomastro import adjudicator
from capomastro.answers import Answer, Replay, Verdict
from capomastro.api.bodies import read_json, read_record
from capomastro.api.deadlines import within
from capomastro.api.declarations import Resource
from capomastro.api.envelopes import loaded, loaded_parameters, refuse_parameters, refuse_too_many_moves
from capomastro.api.exchanges import Environ, Exchange, exchange_of, keep
from capomastro.api.media_types import SVG
from capomastro.api.negotiation import acceptable, reader_language, refuse_unacceptable
from capomastro.api.replies import (
    NO_STORE,
    NOTHING_BUT_STYLE,
    CommonHeaders,
    Reply,
    content_type,
    end,
    fault_reply,
    problem_reply,
    status_line,
    with_one_vary,
)
from capomastro.api.request_log import id_of_request
from capomastro.documents import json_text
from capomastro.documents.languages import ORIGINAL, set_language
from capomastro.documents.notation import Notated
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import languages_of
from capomastro.engine.game import AnyGame
from capomastro.settings import Settings

Answerer = Callable[[Environ, str], Reply]
"""Answers a question about the game with this id.

Raises:
    Problem: if it cannot be answered.
"""

REFUSED = "capomastro.refused"
"""The key in the WSGI environment under which the server puts the `Problem` with which it refuses a request."""


def new_exchange(environ: Environ) -> Exchange:
    """The exchange that begins with a request, kept in its environment."""
    exchange = Exchange(
        id_of_request(environ.get("HTTP_X_REQUEST_ID")), environ["REQUEST_METHOD"], environ.get("REMOTE_ADDR")
    )
    keep(exchange, environ)
    return exchange


def deprecation_of(resource: Resource) -> str | None:
    """The header `Deprecation` of a resource (RFC 9745)."""
    if resource.deprecated is None:
        return None
    return f"@{int(datetime.combine(resource.deprecated, datetime.min.time(), UTC).timestamp())}"


class Question:
    """A question about one game, as a WSGI application."""

    def __init__(self, resource: Resource, game: AnyGame, answer: Answerer, common: CommonHeaders) -> None:
        self.route = resource.path
        self.localised = resource.localised
        self.game = game.id
        self.languages = languages_of(game)
        self.answer = answer
        self.common = common
        deprecation = deprecation_of(resource)
        self.own_headers = [("Deprecation", deprecation)] if deprecation else []

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        exchange = new_exchange(environ)
        exchange.route, exchange.game = self.route, self.game
        set_language(reader_language(environ, self.languages))
        try:
            reply = self.reply(environ, exchange)
            localised = self.localised or exchange.problem is not None
            headers = [
                ("Content-Type", content_type(reply.media_type)),
                ("Content-Length", str(len(reply.content))),
                *reply.headers,
                *([("Content-Security-Policy", NOTHING_BUT_STYLE)] if reply.media_type == SVG else []),
                *self.own_headers,
                *self.common.of(exchange, environ, localised),
            ]
        finally:
            set_language(ORIGINAL)
        exchange.status, exchange.bytes_out = reply.status, len(reply.content)
        end(exchange, environ)
        start_response(status_line(reply.status), with_one_vary(headers))
        return (reply.content,)

    def reply(self, environ: Environ, exchange: Exchange) -> Reply:
        """The reply; faults and problems are replies too."""
        if (refused := environ.get(REFUSED)) is not None:
            return problem_reply(refused, exchange)
        try:
            return self.answer(environ, self.game)
        except Problem as problem:
            return problem_reply(problem, exchange)
        except Exception as error:  # noqa: BLE001 - a fault is answered too
            return fault_reply(error, exchange)


# --- from the body to the reply --------------------------------------------------------------------------------------


def answerer(resource: Resource, settings: Settings) -> Answerer:
    """Answers a question, within the deadline."""
    create = record_answerer if resource.accepts_notation else json_answerer
    return partial(within, settings.deadline, create(resource, settings))


def json_answerer(resource: Resource, settings: Settings) -> Answerer:
    """Reads and validates the body, calls the view, encodes the answer."""
    envelope, view, media_type = resource.envelope, resource.view, resource.media_type
    assert envelope is not None
    maximum_bytes = settings.maximum_record_bytes if resource.record else settings.maximum_state_bytes
    maximum_moves = settings.maximum_moves
    headers = (NO_STORE,) if resource.sealed else ()
    quoting = not envelope.confidential

    def answer_to(environ: Environ, game: str) -> Reply:
        refuse_unacceptable(environ, media_type)
        refuse_parameters(query_of(environ), quoting, envelope.fields)
        found = adjudicator.game_of(game)
        members = loaded(envelope, read_json(environ, maximum_bytes, quoting))
        refuse_too_many_moves(members, maximum_moves)
        answer = view(found, **members)
        remember_verdict(answer, exchange_of(environ))
        return Reply(200, media_type, json_text.encode(answer), headers)

    return answer_to


def record_answerer(resource: Resource, settings: Settings) -> Answerer:
    """The same for a body that may be a record in text notation: its errors also have line and column.

    Parameters of the query count as members of the body; members given in the body take precedence.
    """
    envelope, parameters, view = resource.envelope, resource.parameters, resource.view
    assert envelope is not None
    assert parameters is not None
    maximum_bytes, maximum_moves = settings.maximum_record_bytes, settings.maximum_moves
    media_types = resource.media_types
    headers = (("Vary", "Accept"),) if resource.forms else ()

    def answer_to(environ: Environ, game: str) -> Reply:
        media_type = acceptable(environ, *media_types)
        found = adjudicator.game_of(game)
        query = query_of(environ)
        given = loaded_parameters(parameters, query) if query else {}
        body = read_record(environ, maximum_bytes, maximum_moves)
        notated = body if isinstance(body, Notated) else None
        content = {"record": notated.record} if notated else body
        members = loaded(envelope, {**given, **content} if isinstance(content, dict) else content)
        refuse_too_many_moves(members, maximum_moves)
        try:
            answer = view(found, **members)
        except Problem as problem:
            raise located(problem, notated) from None
        remember_verdict(answer, exchange_of(environ))
        form = resource.forms.get(media_type)
        written = form(found, answer) if form else None
        if written is not None:
            return Reply(200, media_type, written.encode(), headers)
        if form:
            media_type = acceptable(environ, resource.media_type)
        if notated and isinstance(answer, Answer):
            answer = notated.located(answer, "/record")
        return Reply(200, media_type, json_text.encode(answer), headers)

    return answer_to


def query_of(environ: Environ) -> dict[str, list[str]]:
    """The parameters of the query, each with all its values."""
    return Request(environ).args.to_dict(flat=False) if environ.get("QUERY_STRING") else {}


def located(problem: Problem, notated: Notated | None) -> Problem:
    """A problem with a record; with lines and columns if it is in text notation."""
    if notated is None:
        return problem
    return Problem(problem.id, problem.detail, notated.located(problem.errors, "/record"), **problem.members)


def remember_verdict(answer: Any, exchange: Exchange) -> None:
    """Keeps the verdict on a move or a record, and the broken rule, for log and metrics."""
    if isinstance(answer, Verdict | Replay):
        exchange.verdict, exchange.rule = answer.word, answer.broken_rule
