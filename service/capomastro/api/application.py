"""The Flask application: turns the table of resources into routes, and what they return or raise into responses."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial, wraps
from hashlib import sha256
from threading import Semaphore
from time import perf_counter, thread_time
from typing import Any

from flask import Flask, Response, g, request
from msgspec import to_builtins
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from capomastro import adjudicator
from capomastro.adjudicator.loading import prepare_types
from capomastro.answers import Answer, Replay, Verdict
from capomastro.api import problems
from capomastro.api.audit_samples import AuditSamples
from capomastro.api.bodies import read_json, read_record, refuse_media_type
from capomastro.api.browser import PATH as BROWSER
from capomastro.api.browser import browser
from capomastro.api.deadlines import within
from capomastro.api.declarations import Resource
from capomastro.api.envelopes import loaded, loaded_parameters, refuse_parameters, refuse_too_many_moves
from capomastro.api.exchanges import Exchange, Listener
from capomastro.api.media_types import LINES
from capomastro.api.metrics import count_audit, count_exchange, count_stream
from capomastro.api.negotiation import acceptable, refuse_unacceptable
from capomastro.api.pages import add_pages
from capomastro.api.request_log import (
    HEADER,
    id_of_request,
    log_exchange,
    log_fault,
    log_keys,
    log_unknown_key,
    start_logging,
)
from capomastro.api.resources import RESOURCES
from capomastro.api.streams import Stream
from capomastro.archive import Terms
from capomastro.documents import json_text, shapes
from capomastro.documents.languages import ORIGINAL, languages, preferred, speak, speaking, spoken
from capomastro.documents.notation import Notated
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import SHARED, languages_of
from capomastro.games import all_games
from capomastro.settings import Settings
from capomastro.tables.keys import KeyRing, configured_keys, new_master
from capomastro.tables.sealing import NotSealedHere

Responder = Callable[..., Response]

EXPOSED_HEADERS = f"Allow, Deprecation, ETag, Retry-After, {HEADER}"
REQUEST_HEADERS = f"Accept, Content-Type, If-None-Match, {HEADER}"
RETRY_SECONDS = "5"
PREFLIGHT_SECONDS = "86400"
REFUSED = "capomastro.refused"
"""The key in the WSGI environment of the `Problem` with which the server refuses a request, if it does."""
LISTENERS: tuple[Listener, ...] = (log_exchange, count_exchange)
"""Called with every exchange."""
WORDED = frozenset(resource.name for resource in RESOURCES if resource.worded)
"""The endpoints that answer in the reader's language."""
MOST_OF_HEADER = 200
"""So many characters of `Accept-Language` are read."""
HTTP_PROBLEMS = {404: "not-found", 413: "too-large", 415: "unsupported-media-type"}


def create_app(settings: Settings | None = None) -> Flask:
    """The application, ready to answer: games loaded, schemas compiled, keys made or read.

    Raises:
        SettingError: if the configured keys are invalid.
    """
    settings = settings or Settings()
    start_logging(settings.log_level)
    keys = key_ring(settings)
    app = Flask("capomastro", static_folder=None)
    app.url_map.merge_slashes = False  # or "//v1/games" would be a redirection in HTML
    for resource in RESOURCES:
        add_resource(app, with_keys(resource, keys), settings)
    app.register_blueprint(browser())
    app.add_url_rule(BROWSER, view_func=app.view_functions["browser.show"], endpoint="browser")
    if settings.pages:
        add_pages(app, settings.cache_seconds)
    app.before_request(begin)
    app.teardown_request(fall_silent)
    app.after_request(finisher(settings))
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(Exception, fault)
    prepare_types(all_games().values())
    shapes.compile_all()
    return app


def key_ring(settings: Settings) -> KeyRing:
    """The keys that are configured; else one made here, before processes fork, so that all of them have the same."""
    configured = configured_keys(settings)
    keys = configured or KeyRing([new_master()])
    log_keys(keys.by_id, lasting=configured is not None)
    return keys


def with_keys(resource: Resource, keys: KeyRing) -> Resource:
    """The resource; if it is about sealed tables, with the keys at hand."""
    if not resource.sealed:
        return resource
    return replace(resource, view=wraps(resource.view)(partial(resource.view, keys=keys)))


def add_resource(app: Flask, resource: Resource, settings: Settings) -> None:
    """Adds the route of a resource."""
    app.add_url_rule(
        resource.path.replace("{", "<").replace("}", ">"),
        endpoint=resource.name,
        view_func=responder(resource, settings),
        methods=[resource.method],
    )


def template(rule: str) -> str:
    """The path template of a route, as in the specification."""
    return rule.replace("<", "{").replace(">", "}")


# --- from requests to responses --------------------------------------------------------------------------------------


def responder(resource: Resource, settings: Settings) -> Responder:
    """The view function that Flask calls for a resource; a question has a deadline, a stream has one for each line."""
    respond = responder_factory(resource)(resource, settings)
    if resource.envelope:
        respond = partial(within, settings.deadline, respond)
    if resource.deprecated is None:
        return respond
    since = datetime.combine(resource.deprecated, datetime.min.time(), UTC)

    def respond_and_warn(**parameters: Any) -> Response:
        g.deprecation = f"@{int(since.timestamp())}"
        return respond(**parameters)

    return respond_and_warn


def responder_factory(resource: Resource) -> Callable[[Resource, Settings], Responder]:
    """The function that creates the responder of such a resource."""
    if resource.envelope:
        return record_responder if resource.by_hand else post_responder
    return stream_responder if resource.streamed else get_responder


def post_responder(resource: Resource, settings: Settings) -> Responder:
    """Reads and loads the body, calls the view, encodes the answer."""
    envelope, view = resource.envelope, resource.view
    assert envelope is not None
    maximum_bytes = settings.maximum_record_bytes if resource.record else settings.maximum_state_bytes
    maximum_moves = settings.maximum_moves
    headers = {"Cache-Control": "no-store"} if resource.sealed else None
    samples = AuditSamples(settings.audit_one_in, count_audit)

    def respond(game: str) -> Response:
        refuse_unacceptable(request, resource.media_type)
        if request.query_string:
            refuse_parameters(request.args.to_dict(flat=False))
        found = adjudicator.game_of(game)
        members = loaded(envelope, read_json(request, maximum_bytes))
        refuse_too_many_moves(members, maximum_moves)
        answer = view(found, **members)
        samples.sample(found, answer, g.request_id)
        remember_verdict(answer)
        return Response(json_text.encode(answer), mimetype=resource.media_type, headers=headers)

    return respond


def record_responder(resource: Resource, settings: Settings) -> Responder:
    """The same for a body that may be a record in text notation: errors in it also have line and column.

    Parameters of the query count as members of the body; members given in the body take precedence.
    """
    envelope, parameters, view = resource.envelope, resource.parameters, resource.view
    assert envelope is not None
    assert parameters is not None
    maximum_bytes, maximum_moves = settings.maximum_record_bytes, settings.maximum_moves
    media_types = (resource.media_type, *resource.forms)

    def respond(game: str) -> Response:
        media_type = acceptable(request, *media_types)
        found = adjudicator.game_of(game)
        given = loaded_parameters(parameters, request.args.to_dict(flat=False)) if request.args else {}
        body = read_record(request, maximum_bytes, maximum_moves)
        notated = body if isinstance(body, Notated) else None
        content = {"record": notated.record} if notated else body
        members = loaded(envelope, {**given, **content} if isinstance(content, dict) else content)
        refuse_too_many_moves(members, maximum_moves)
        try:
            answer = view(found, **members)
        except Problem as problem:
            raise located(problem, notated) from None
        remember_verdict(answer)
        if notated and isinstance(answer, Answer):
            answer = notated.located(to_builtins(answer), "/record")
        form = resource.forms.get(media_type)
        response = Response(form(found, answer) if form else json_text.encode(answer), mimetype=media_type)
        if resource.forms:
            response.vary.add("Accept")
        return response

    return respond


def located(problem: Problem, notated: Notated | None) -> Problem:
    """A problem with a record; with lines and columns if it is in text notation."""
    if notated is None:
        return problem
    return Problem(problem.id, problem.detail, notated.located(problem.errors, "/record"), **problem.members)


def stream_responder(resource: Resource, settings: Settings) -> Responder:
    """Loads the parameters; lines are read and judged while the verdicts are sent."""
    parameters = resource.parameters
    assert parameters is not None
    free = Semaphore(settings.maximum_streams)

    def leave() -> None:
        free.release()
        count_stream(-1)

    def respond() -> Response:
        refuse_unacceptable(request, resource.media_type)
        refuse_media_type(request, *LINES)
        given = loaded_parameters(parameters, request.args.to_dict(flat=False))
        terms = Terms(settings.maximum_record_bytes, settings.maximum_moves, **given)
        if not free.acquire(blocking=False):
            raise Problem("busy", f"This process already serves {settings.maximum_streams} streams.")
        language = spoken()

        def view(line: Any, terms: Terms) -> Any:
            speak(language)
            return resource.view(line, terms)

        judge = partial(within, settings.deadline, view, terms=terms)
        count_stream(+1)
        g.stream = stream = Stream(request, judge, settings, g.request_id, at_the_end=leave)
        # otherwise a proxy would wait for the whole answer
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Response(stream.sent(), mimetype=resource.media_type, headers=headers)

    return respond


def get_responder(resource: Resource, settings: Settings) -> Responder:
    """Answers with content that stays the same while the process runs: made once per path and language, with an ETag.

    Content of a path without parameters is made now, so that no request waits for it.
    """
    made: dict[tuple[str, ...], tuple[bytes, str]] = {}
    spoken_in = languages(SHARED) if resource.worded else (ORIGINAL,)

    def make(parameters: dict[str, str]) -> tuple[bytes, str]:
        arguments: dict[str, Any] = dict(parameters)
        if "game" in arguments:
            arguments["game"] = adjudicator.game_of(arguments["game"])
        answer = resource.view(**arguments)
        content = answer if isinstance(answer, bytes) else json_text.encode(answer)
        return content, sha256(content).hexdigest()[:32]

    if resource.lasting and "{" not in resource.path:
        for language in spoken_in:
            with speaking(language):
                made[(language,)] = make({})

    def respond(**parameters: str) -> Response:
        refuse_unacceptable(request, resource.media_type)
        if request.query_string:
            refuse_parameters(request.args.to_dict(flat=False))
        if not resource.lasting:
            return Response(make(parameters)[0], mimetype=resource.media_type, headers={"Cache-Control": "no-store"})
        key = (spoken() if resource.worded else ORIGINAL, *parameters.values())
        if key not in made:
            made[key] = make(parameters)
        content, tag = made[key]
        response = Response(content, mimetype=resource.media_type)
        response.set_etag(tag)
        response.cache_control.public = True
        response.cache_control.max_age = settings.cache_seconds
        response.make_conditional(request)
        return response

    return respond


def remember_verdict(answer: Any) -> None:
    """Keeps the verdict on a move or a record, and the broken rule, for the listeners."""
    if isinstance(answer, Verdict | Replay):
        g.verdict, g.rule = answer.word, answer.broken_rule


# --- problems --------------------------------------------------------------------------------------------------------


def problem_response(problem: Problem) -> Response:
    """The response for a problem."""
    g.problem = problem.id
    if isinstance(problem.__cause__, NotSealedHere) and problem.__cause__.kid is not None:
        log_unknown_key(g.request_id, problem.__cause__.kid)
    g.rule = next((error["rule"] for error in problem.errors if "rule" in error), None)
    document = problems.document_of(problem)
    if document["status"] >= 500 and problem.__cause__ is not None:
        log_fault(g.request_id, problem.__cause__)
    response = Response(json_text.encode(document), status=document["status"], mimetype=problems.MEDIA_TYPE)
    response.cache_control.no_store = True
    if problem.id == "unsupported-media-type":
        response.headers["Accept-Encoding"] = "identity"
    if problem.id == "busy":
        response.headers["Retry-After"] = RETRY_SECONDS
    return response


def http_problem(error: HTTPException) -> Response:
    """The response to a request that Flask itself refuses: no such path or method, an incomplete body."""
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        response = problem_response(Problem("method-not-allowed", f"This resource allows {allowed}."))
        response.headers["Allow"] = allowed
        return response
    if error.code is None or error.code < 400:
        return Response(error.get_response().get_data(), status=error.code, headers=error.get_headers())
    if error.code >= 500:
        return fault(error)
    id = HTTP_PROBLEMS.get(error.code, "bad-request")
    details = {"not-found": f"No resource has this path; {BROWSER} lists them all."}
    return problem_response(Problem(id, details.get(id, f"{error.name}.")))


def fault(error: Exception) -> Response:
    """The response for a fault of the service; only the log has the details."""
    log_fault(g.request_id, error)
    return problem_response(Problem("internal", f"The log has the cause, under the id in the {HEADER} header."))


# --- around every request --------------------------------------------------------------------------------------------


def begin() -> None:
    """Stores the request's id and start time. Requests that the server refuses are answered here, like all others.

    Raises:
        Problem: if the server refuses the request.
    """
    g.began, g.cpu_began = perf_counter(), thread_time()
    g.request_id = id_of_request(request.environ.get("HTTP_X_REQUEST_ID"))
    speak(reader_language())
    if (refused := request.environ.get(REFUSED)) is not None:
        raise refused


def reader_language() -> str:
    """The language the request asks for, of those that the game it is about is explained in."""
    header = request.environ.get("HTTP_ACCEPT_LANGUAGE")
    if not header:
        return ORIGINAL
    game = all_games().get((request.view_args or {}).get("game", ""))
    return preferred(header[:MOST_OF_HEADER], languages_of(game) if game else languages(SHARED))


def fall_silent(error: BaseException | None) -> None:
    """After a request nothing is said in its language any more."""
    speak(ORIGINAL)


def finisher(settings: Settings) -> Callable[[Response], Response]:
    """Completes every response: adds the request id and CORS headers, and notifies the listeners."""
    origins = settings.cors_origin.split()
    any_origin = "*" in origins

    def allow_origin(response: Response) -> None:
        origin = request.environ.get("HTTP_ORIGIN")
        if not any_origin:
            response.vary.add("Origin")
            if origin not in origins:
                return
        headers = response.headers
        headers["Access-Control-Allow-Origin"] = "*" if any_origin else origin or ""
        headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        if request.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.environ:
            headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
            headers["Access-Control-Allow-Headers"] = REQUEST_HEADERS
            headers["Access-Control-Max-Age"] = PREFLIGHT_SECONDS

    def finish(response: Response) -> Response:
        if request.method == "OPTIONS" and response.status_code == 200:
            response.status_code = 204
            del response.headers["Content-Type"]
        response.headers[HEADER] = g.request_id
        response.headers["X-Content-Type-Options"] = "nosniff"
        if request.endpoint in WORDED or "problem" in g:
            response.headers["Content-Language"] = spoken()
            response.vary.add("Accept-Language")
        if "deprecation" in g:
            response.headers["Deprecation"] = g.deprecation
        if origins:
            allow_origin(response)
        notify = notifier(response)
        if "stream" in g:
            response.call_on_close(notify)
        else:
            notify()
        return response

    return finish


def notifier(response: Response) -> Callable[[], None]:
    """A function that notifies the listeners at the end of the exchange; data of the request is collected now."""
    route, stream = request.url_rule, g.get("stream")
    game = (request.view_args or {}).get("game")
    known = {
        "request_id": g.request_id,
        "method": request.method,
        "route": template(route.rule) if route else None,
        "game": game if game in all_games() else None,
        "client": request.remote_addr,
        "status": response.status_code,
        "problem": g.get("problem"),
        "rule": g.get("rule"),
        "verdict": g.get("verdict"),
    }
    began, cpu_began = g.began, g.cpu_began
    received = g.get("bytes_in", 0)
    is_known = response.is_sequence and request.method != "HEAD"
    sent = (response.calculate_content_length() or 0) if is_known else 0

    def notify() -> None:
        seconds, cpu_seconds = perf_counter() - began, thread_time() - cpu_began
        exchange = Exchange(**known, bytes_in=received, bytes_out=sent, seconds=seconds, cpu_seconds=cpu_seconds)
        if stream is not None:
            exchange = stream.completed(exchange)
        for listener in LISTENERS:
            listener(exchange)

    return notify
