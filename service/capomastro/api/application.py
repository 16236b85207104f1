"""The Flask application: it makes routes of the table of resources, and answers of what they return or raise."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from threading import Semaphore
from time import perf_counter, thread_time
from typing import Any

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from capomastro import adjudicator
from capomastro.adjudicator.loading import prepare_types
from capomastro.api import problems
from capomastro.api.audit_samples import AuditSamples
from capomastro.api.bodies import read_json, read_record, refuse_media_type
from capomastro.api.browser import PATH as BROWSER
from capomastro.api.browser import browser
from capomastro.api.deadlines import within
from capomastro.api.declarations import LINES, Resource
from capomastro.api.envelopes import loaded, loaded_parameters, refuse_long
from capomastro.api.exchanges import Exchange, Listener
from capomastro.api.metrics import count_audit, count_exchange, count_stream
from capomastro.api.negotiation import acceptable, refuse_unacceptable
from capomastro.api.request_log import HEADER, id_of_request, log_exchange, log_fault, start_logging
from capomastro.api.resources import RESOURCES
from capomastro.api.streams import Stream
from capomastro.archive import Terms
from capomastro.documents import json_text, shapes
from capomastro.documents.notation import Notated
from capomastro.documents.problems import Problem
from capomastro.games import all_games
from capomastro.settings import Settings

Responder = Callable[..., Response]

EXPOSED_HEADERS = f"Allow, Deprecation, ETag, Retry-After, {HEADER}"
REQUEST_HEADERS = f"Accept, Content-Type, If-None-Match, {HEADER}"
RETRY_SECONDS = "5"
PREFLIGHT_SECONDS = "86400"
REFUSED = "capomastro.refused"
"""The member of the environment with the `Problem` the server refuses a request with, if it does."""
LISTENERS: tuple[Listener, ...] = (log_exchange, count_exchange)
"""Who is told of every exchange."""
HTTP_PROBLEMS = {404: "not-found", 413: "too-large", 415: "unsupported-media-type"}


def create_app(settings: Settings | None = None) -> Flask:
    """The application, ready to answer: games found, schemas compiled."""
    settings = settings or Settings()
    start_logging(settings.log_level)
    app = Flask("capomastro", static_folder=None)
    app.url_map.merge_slashes = False  # or "//v1/games" would be a redirection in HTML
    for resource in RESOURCES:
        add_resource(app, resource, settings)
    app.register_blueprint(browser())
    app.add_url_rule(BROWSER, view_func=app.view_functions["browser.show"], endpoint="browser")
    app.before_request(begin)
    app.after_request(finisher(settings))
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(Exception, fault)
    prepare_types(all_games().values())
    shapes.compile_all()
    return app


def add_resource(app: Flask, resource: Resource, settings: Settings) -> None:
    """Routes requests to a resource."""
    app.add_url_rule(
        resource.path.replace("{", "<").replace("}", ">"),
        endpoint=resource.name,
        view_func=responder(resource, settings),
        methods=[resource.method],
    )


def template(rule: str) -> str:
    """A route as the specification writes it."""
    return rule.replace("<", "{").replace(">", "}")


# --- from requests to answers ----------------------------------------------------------------------------------------


def responder(resource: Resource, settings: Settings) -> Responder:
    """What Flask calls for a resource; questions have a deadline, streams have it for each line."""
    respond = responder_for(resource)(resource, settings)
    if resource.envelope:
        respond = partial(within, settings.deadline, respond)
    if resource.deprecated is None:
        return respond
    since = datetime.combine(resource.deprecated, datetime.min.time(), UTC)

    def respond_and_warn(**parameters: Any) -> Response:
        g.deprecation = f"@{int(since.timestamp())}"
        return respond(**parameters)

    return respond_and_warn


def responder_for(resource: Resource) -> Callable[[Resource, Settings], Responder]:
    """What makes the responder of such a resource."""
    if resource.envelope:
        return record_responder if resource.by_hand else post_responder
    return stream_responder if resource.streamed else get_responder


def post_responder(resource: Resource, settings: Settings) -> Responder:
    """Reads and loads the body, asks the question, encodes the answer."""
    envelope, view, refusal_in = resource.envelope, resource.view, resource.refusal_in
    assert envelope is not None
    most_bytes = settings.maximum_record_bytes if resource.record else settings.maximum_state_bytes
    most_moves = settings.maximum_moves
    samples = AuditSamples(settings.audit_one_in, count_audit)

    def respond(game: str) -> Response:
        refuse_unacceptable(request, resource.media_type)
        found = adjudicator.game_of(game)
        members = loaded(envelope, read_json(request, most_bytes))
        refuse_long(members, most_moves)
        answer = view(found, **members)
        samples.look(found, answer, g.request_id)
        if refusal_in:
            note_judgement(answer, refusal_in)
        return Response(json_text.encode(answer), mimetype=resource.media_type)

    return respond


def record_responder(resource: Resource, settings: Settings) -> Responder:
    """The same for a body that may be a record written by hand: places in it are told with line and column as well.

    What the query says counts as if the body said it, unless it does.
    """
    envelope, parameters, view, refusal_in = resource.envelope, resource.parameters, resource.view, resource.refusal_in
    assert envelope is not None
    assert parameters is not None
    most_bytes, most_moves = settings.maximum_record_bytes, settings.maximum_moves
    media_types = (resource.media_type, *resource.forms)

    def respond(game: str) -> Response:
        media_type = acceptable(request, *media_types)
        found = adjudicator.game_of(game)
        given = loaded_parameters(parameters, request.args.to_dict(flat=False)) if request.args else {}
        body = read_record(request, most_bytes, most_moves)
        notated = body if isinstance(body, Notated) else None
        said = {"record": notated.record} if notated else body
        members = loaded(envelope, {**given, **said} if isinstance(said, dict) else said)
        refuse_long(members, most_moves)
        try:
            answer = view(found, **members)
        except Problem as problem:
            raise located(problem, notated) from None
        if refusal_in:
            note_judgement(answer, refusal_in)
            answer = notated.located(answer, "/record") if notated else answer
        form = resource.forms.get(media_type)
        response = Response(form(found, answer) if form else json_text.encode(answer), mimetype=media_type)
        if resource.forms:
            response.vary.add("Accept")
        return response

    return respond


def located(problem: Problem, notated: Notated | None) -> Problem:
    """A problem with a record; if that was written by hand, with lines and columns."""
    if notated is None:
        return problem
    return Problem(problem.id, problem.detail, notated.located(problem.errors, "/record"), **problem.members)


def stream_responder(resource: Resource, settings: Settings) -> Responder:
    """Loads the parameters; lines are read, asked and answered while the answers are sent."""
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
            raise Problem("busy", f"{settings.maximum_streams} streams are served here already.")
        judge = partial(within, settings.deadline, resource.view, terms=terms)
        count_stream(+1)
        g.stream = stream = Stream(request, judge, settings, g.request_id, at_the_end=leave)
        # whoever stands between would wait for the whole answer else
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Response(stream.sent(), mimetype=resource.media_type, headers=headers)

    return respond


def get_responder(resource: Resource, settings: Settings) -> Responder:
    """Answers what lasts until the service is renewed: made once for each path, with an ETag.

    Where there is only one path it is made now, so that nobody waits for it.
    """
    made: dict[tuple[str, ...], tuple[bytes, str]] = {}

    def make(parameters: dict[str, str]) -> tuple[bytes, str]:
        arguments: dict[str, Any] = dict(parameters)
        if "game" in arguments:
            arguments["game"] = adjudicator.game_of(arguments["game"])
        answer = resource.view(**arguments)
        content = answer if isinstance(answer, bytes) else json_text.encode(answer)
        return content, sha256(content).hexdigest()[:32]

    if resource.lasting and "{" not in resource.path:
        made[()] = make({})

    def respond(**parameters: str) -> Response:
        refuse_unacceptable(request, resource.media_type)
        if not resource.lasting:
            return Response(make(parameters)[0], mimetype=resource.media_type, headers={"Cache-Control": "no-store"})
        key = tuple(parameters.values())
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


def note_judgement(answer: dict[str, Any], way: tuple[str, ...]) -> None:
    """Remembers what a move or a record was judged to be, and which rule was broken."""
    g.verdict = answer.get("verdict") or ("legal" if answer["legal"] else "illegal")
    refusal: Any = answer
    for member in way:
        refusal = refusal.get(member, {})
    g.rule = refusal.get("rule")


# --- problems --------------------------------------------------------------------------------------------------------


def problem_response(problem: Problem) -> Response:
    """A problem as an answer."""
    g.problem = problem.id
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
    """What Flask refuses by itself: no such path, no such method, a body that breaks off."""
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        response = problem_response(Problem("method-not-allowed", f"This resource knows {allowed}."))
        response.headers["Allow"] = allowed
        return response
    if error.code is None or error.code < 400:
        return Response(error.get_response().get_data(), status=error.code, headers=error.get_headers())
    if error.code >= 500:
        return fault(error)
    id = HTTP_PROBLEMS.get(error.code, "bad-request")
    details = {"not-found": f"No resource has this path; {BROWSER} shows all there are."}
    return problem_response(Problem(id, details.get(id, f"{error.name}.")))


def fault(error: Exception) -> Response:
    """A fault of the service; what happened stands in the log only."""
    log_fault(g.request_id, error)
    return problem_response(Problem("internal", f"The log has the cause, under the id in the header {HEADER}."))


# --- around every request --------------------------------------------------------------------------------------------


def begin() -> None:
    """Notes when the request began, and its id; what the server refuses ends here, and is answered like all else.

    Raises:
        Problem: what the server refuses the request with.
    """
    g.began, g.cpu_began = perf_counter(), thread_time()
    g.request_id = id_of_request(request.environ.get("HTTP_X_REQUEST_ID"))
    if (refused := request.environ.get(REFUSED)) is not None:
        raise refused


def finisher(settings: Settings) -> Callable[[Response], Response]:
    """What completes every response: its id, the headers for pages of other origins, word of it to the listeners."""
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
        if "deprecation" in g:
            response.headers["Deprecation"] = g.deprecation
        if origins:
            allow_origin(response)
        tell = teller(response)
        if "stream" in g:
            response.call_on_close(tell)
        else:
            tell()
        return response

    return finish


def teller(response: Response) -> Callable[[], None]:
    """What tells the listeners of the exchange, at its end; whatever the request holds is asked for now."""
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

    def tell() -> None:
        seconds, cpu_seconds = perf_counter() - began, thread_time() - cpu_began
        exchange = Exchange(**known, bytes_in=received, bytes_out=sent, seconds=seconds, cpu_seconds=cpu_seconds)
        if stream is not None:
            exchange = stream.completed(exchange)
        for listener in LISTENERS:
            listener(exchange)

    return tell
