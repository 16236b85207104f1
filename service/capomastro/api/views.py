"""Views: what Flask calls to answer a resource, made from its declaration. A view returns its finished response."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial, wraps
from hashlib import sha256
from threading import BoundedSemaphore
from typing import Any, NoReturn

from flask import Request, Response, after_this_request, request
from werkzeug.datastructures import Headers
from werkzeug.utils import get_content_type
from werkzeug.wsgi import get_content_length

from capomastro import adjudicator
from capomastro.answers import Answer, Replay, Verdict, VerdictOnLine
from capomastro.api.bodies import acceptable, read_json, read_record, require_media_type
from capomastro.api.deadlines import within
from capomastro.api.declarations import Resource
from capomastro.api.envelopes import loaded, loaded_parameters, require_few_moves, require_known_parameters
from capomastro.api.exchanges import Environ, Exchange, exchange_of
from capomastro.api.media_types import SVG
from capomastro.api.metrics import count_exchange, count_stream
from capomastro.api.negotiation import NO_STORE, NOTHING_BUT_STYLE, conditional
from capomastro.api.request_log import log_exchange
from capomastro.api.shares import share_of
from capomastro.api.streams import Places, Stream
from capomastro.archive import Line, Terms
from capomastro.documents import json_text
from capomastro.documents.languages import ORIGINAL, current_language, using_brief_texts
from capomastro.documents.notation import Notated
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine.game import AnyGame
from capomastro.settings import Settings
from capomastro.tables.keys import KeyRing

View = Callable[..., Response]

LARGE_BYTES = 64 * 1024
"""Number of bytes beyond which a body or a line is large: what takes most memory is done by few threads at once."""


class LargeWork:
    """So many places for large work."""

    def __init__(self, places: int) -> None:
        self.places = BoundedSemaphore(places)

    def place_for(self, size: int) -> AbstractContextManager[object]:
        """Waits for a place if work on so many bytes is large."""
        return self.places if size > LARGE_BYTES else nullcontext()


def view_of(
    resource: Resource, settings: Settings, keys: KeyRing | None, large: LargeWork, prepared: bool = True
) -> View:
    """The view that answers a resource; without keys it explains that nothing can be sealed here."""
    if resource.streamed:
        view = stream_view(resource, settings, large)
    elif resource.envelope:
        ask = partial(resource.view, keys=keys) if resource.sealed else resource.view
        ask = no_sealing if resource.sealed and keys is None else ask
        view = question_view(resource, ask, settings, large)
    else:
        view = catalogue_view(resource, settings.cache_seconds, prepared)
    deprecated = resource.deprecated
    if deprecated is None:
        return view

    @wraps(view)
    def answer_and_warn(**parameters: str) -> Response:
        @after_this_request
        def warn(response: Response) -> Response:
            response.headers.update(deprecated.headers)
            return response

        return view(**parameters)

    return answer_and_warn


def no_sealing(_game: AnyGame, **_members: Any) -> NoReturn:
    raise Problem("no-sealing", phrase("no-sealing"))


# --- questions -------------------------------------------------------------------------------------------------------


class Written(Response):
    """A response whose headers are complete as it is made: no copy of them is corrected when it is sent."""

    def get_wsgi_headers(self, environ: Environ) -> Headers:
        return self.headers


def question_view(resource: Resource, ask: Callable[..., Any], settings: Settings, large: LargeWork) -> View:
    """Reads and validates the body, asks, and writes the answer.

    A body may be a record in text notation; then errors also have line and column, and parameters of the query count as
    members of the body. Members given in the body take precedence.
    """
    envelope, media_types = resource.envelope, resource.media_types
    assert envelope is not None
    maximum_moves = settings.maximum_moves
    maximum_bytes = settings.maximum_record_bytes if resource.record else settings.maximum_state_bytes
    headers = {media_type: headers_of(resource, media_type) for media_type in media_types}

    def read(environ: Environ) -> Any:
        if resource.accepts_notation:
            return read_record(environ, maximum_bytes, maximum_moves)
        return read_json(environ, maximum_bytes, quoting=not envelope.confidential)

    def answer(game: str) -> Response:
        environ = request.environ
        media_type = acceptable(environ, *media_types)
        require_media_type(environ, *resource.body_types)  # before it waits for a place
        given = parameters_of(resource, environ)
        found = adjudicator.game_of(game)
        size = get_content_length(environ) or 0
        with large.place_for(size if size <= maximum_bytes else 0):
            body = read(environ)
            notated = body if isinstance(body, Notated) else None
            content = {"record": notated.record} if notated else body
            members = loaded(envelope, {**given, **content} if given and isinstance(content, dict) else content)
            require_few_moves(members, maximum_moves)
            try:
                with using_brief_texts(members.pop("brief", False)):
                    answered = ask(found, **members)
            except Problem as problem:
                if notated is None:
                    raise
                raise located(problem, notated) from None
            remember_verdict(answered, exchange_of(environ))
            form = resource.forms.get(media_type)
            text = form(found, answered, notated) if form else None
            if text is not None:
                return Written(text.encode(), headers=[*headers[media_type], in_language()])
            if form:
                media_type = acceptable(environ, resource.media_type)
            if notated and isinstance(answered, Answer):
                answered = notated.located(answered, "/record")
            return Written(json_text.encode(answered), headers=[*headers[media_type], in_language()])

    return answer


def headers_of(resource: Resource, media_type: str) -> list[tuple[str, str]]:
    """The headers that do not depend on the request."""
    varies = (["Accept"] if resource.forms else []) + (["Accept-Language"] if resource.localised else [])
    return [
        ("Content-Type", get_content_type(media_type, "utf-8")),
        *([("Vary", ", ".join(varies))] if varies else []),
        *([("Cache-Control", NO_STORE)] if resource.sealed else []),
        *([("Content-Security-Policy", NOTHING_BUT_STYLE)] if media_type == SVG else []),
    ]


def in_language() -> tuple[str, str]:
    """The header that names the language of this answer."""
    return "Content-Language", current_language()


def parameters_of(resource: Resource, environ: Environ) -> dict[str, Any]:
    """What the query gives of the members of the body.

    Raises:
        Problem: `envelope`.
    """
    if not environ.get("QUERY_STRING") and resource.envelope is not None:
        return {}
    query: Mapping[str, Sequence[str]] = Request(environ).args.to_dict(flat=False)
    if resource.parameters is not None:
        return loaded_parameters(resource.parameters, query)
    envelope = resource.envelope
    require_known_parameters(query, envelope is None or not envelope.confidential, envelope.fields if envelope else ())
    return {}


def located(problem: Problem, notated: Notated) -> Problem:
    """A problem with a record in text notation, with lines and columns."""
    return Problem(problem.id, problem.detail, notated.located(problem.errors, "/record"), **problem.members)


def remember_verdict(answer: Any, exchange: Exchange) -> None:
    """Keeps the verdict on a move or a record, and the broken rule, for log and metrics."""
    if isinstance(answer, Verdict | Replay):
        exchange.verdict, exchange.rule = answer.word, answer.broken_rule


# --- streams ---------------------------------------------------------------------------------------------------------


def stream_view(resource: Resource, settings: Settings, large: LargeWork) -> View:
    """Loads the parameters; lines are read and judged while the verdicts are sent."""
    places = Places(settings.maximum_streams)
    # otherwise a proxy would wait for the whole answer
    headers = [*headers_of(resource, resource.media_type), ("Cache-Control", NO_STORE), ("X-Accel-Buffering", "no")]

    def answer() -> Response:
        environ = request.environ
        exchange = exchange_of(environ)
        acceptable(environ, resource.media_type)
        require_media_type(environ, *resource.body_types)
        terms = Terms(settings.maximum_record_bytes, settings.maximum_moves, **parameters_of(resource, environ))
        if not places.take():
            raise Problem("busy", phrase("streams", streams=settings.maximum_streams))

        def judge(line: Line) -> VerdictOnLine:
            with large.place_for(len(line.text or b"")):
                verdict: VerdictOnLine = within(settings.deadline, resource.view, line, terms=terms)
            return verdict

        def end() -> None:
            exchange.end(environ)
            share_of(environ).charge(exchange.cpu_seconds)
            stream.complete_exchange(exchange)
            count_exchange(exchange)
            log_exchange(exchange)

        count_stream(+1)
        stream = Stream(request, judge, settings, exchange.request_id, places, share_of(environ))
        exchange.ends_later = True
        response = Response(stream.sent(), headers=[*headers, in_language()])
        response.call_on_close(end)
        return response

    return answer


# --- the catalogue ---------------------------------------------------------------------------------------------------


def tagged(content: bytes) -> tuple[bytes, str]:
    """A content with its ETag."""
    return content, sha256(content).hexdigest()[:32]


def catalogue_view(resource: Resource, cache_seconds: int, prepared: bool) -> View:
    """Answers with content that stays the same while the process runs, with an ETag.

    It is made once per path, query and language: if it is to be `prepared`, for a path and a query without parameters
    now, so that no request waits for it; the rest when asked for. Other forms are made for each request: they are many,
    and cheap.
    """
    made: dict[tuple[Any, ...], tuple[bytes, str]] = {}
    headers = {media_type: headers_of(resource, media_type) for media_type in resource.media_types}

    def ask(parameters: dict[str, Any]) -> Any:
        arguments = dict(parameters)
        if "game" in arguments:
            arguments["game"] = adjudicator.game_of(arguments["game"])
        return resource.view(**arguments)

    def make(parameters: dict[str, Any]) -> tuple[bytes, str]:
        answer = ask(parameters)
        return tagged(answer if isinstance(answer, bytes) else json_text.encode(answer))

    def make_form(parameters: dict[str, Any], media_type: str) -> tuple[bytes, str] | None:
        written = resource.forms[media_type](adjudicator.game_of(parameters["game"]), ask(parameters), None)
        return None if written is None else tagged(written.encode())

    def kept(parameters: dict[str, Any]) -> tuple[bytes, str]:
        key = (current_language() if resource.localised else ORIGINAL, *parameters.values())
        if key not in made:
            made[key] = make(parameters)
        return made[key]

    def answer(**parameters: Any) -> Response:
        media_type = acceptable(request.environ, *resource.media_types)
        parameters |= parameters_of(resource, request.environ)
        form = make_form(parameters, media_type) if media_type in resource.forms else None
        if form is None:
            media_type = acceptable(request.environ, resource.media_type)
        content, tag = form or (kept(parameters) if resource.cacheable else make(parameters))
        language = [in_language()] if resource.localised else []
        response = Response(content, headers=[*headers[media_type], *language])
        if not resource.cacheable:
            response.headers["Cache-Control"] = NO_STORE
            return response
        response.set_etag(tag)
        response.headers["Cache-Control"] = f"public, max-age={cache_seconds}"
        return conditional(response)

    if prepared and resource.cacheable and "<" not in resource.rule and resource.parameters is None:
        kept({})
    return answer
