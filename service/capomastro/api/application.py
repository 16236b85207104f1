"""The Flask application: turns the table of resources into routes, and what they return or raise into responses."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial, wraps
from hashlib import sha256
from typing import Any

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.wsgi import get_content_length

from capomastro import adjudicator
from capomastro.adjudicator.loading import prepare_types
from capomastro.answers import VerdictOnLine
from capomastro.api.bodies import refuse_media_type
from capomastro.api.browser import PATH as BROWSER
from capomastro.api.browser import add_browser
from capomastro.api.clients import client_address
from capomastro.api.conditions import conditional
from capomastro.api.deadlines import within
from capomastro.api.declarations import Resource
from capomastro.api.envelopes import NO_PARAMETERS, loaded_parameters
from capomastro.api.exchanges import Environ, Exchange, exchange_of
from capomastro.api.large import LargeWork
from capomastro.api.media_types import HTML, LINES, SVG
from capomastro.api.metrics import count_exchange, count_stream
from capomastro.api.negotiation import acceptable, reader_language, refuse_unacceptable, shorten_headers
from capomastro.api.pages import add_pages, set_language_of_page, show_problem_as_page
from capomastro.api.questions import REFUSED, Question, answerer, deprecation_of, new_exchange
from capomastro.api.replies import NOTHING_BUT_STYLE, CommonHeaders, Reply, end, fault_reply, problem_reply
from capomastro.api.request_log import HEADER, log_exchange, log_keys, start_logging
from capomastro.api.resources import HEALTH, RESOURCES
from capomastro.api.shares import KEY as SHARE
from capomastro.api.shares import Share, owner_of, share_of, shares_for
from capomastro.api.streams import Places, Stream
from capomastro.archive import Line, Terms
from capomastro.documents import json_text, shapes
from capomastro.documents.languages import ORIGINAL, current_language, languages, set_language
from capomastro.documents.phrases import shown
from capomastro.documents.problems import Problem
from capomastro.documents.suggestions import nearest_word
from capomastro.documents.wordings import SHARED, languages_of, phrase
from capomastro.games import all_games
from capomastro.settings import Settings, networks_in
from capomastro.tables.keys import KeyRing, configured_keys, new_master

Responder = Callable[..., Response]

REQUEST_HEADERS = f"Accept, Content-Type, If-Match, If-None-Match, {HEADER}"
PREFLIGHT_SECONDS = "86400"
LOCALISED = frozenset(resource.name for resource in RESOURCES if resource.localised)
"""The endpoints that answer in the reader's language."""
VERSION = "v1"
UNVERSIONED = {parts[2] for one in RESOURCES if (parts := one.path.split("/"))[1] == VERSION}
"""The first parts of paths after the version, which clients sometimes forget."""
NOT_MODIFIED = 304
PROTECTED = (HTML, SVG)
HTTP_PROBLEMS = {404: "not-found", 413: "too-large", 415: "unsupported-media-type"}


class Application(Flask):
    """Flask, with a shortcut for questions, which bypass it."""

    def __init__(self, settings: Settings) -> None:
        super().__init__("capomastro", static_folder=None)
        self.url_map.merge_slashes = False  # or "//v1/games" would be a redirection in HTML
        self.common = CommonHeaders(settings)
        self.deadline = settings.deadline
        self.large = LargeWork(settings.maximum_large)
        self.maximum_bytes = settings.maximum_record_bytes
        self.trusted = networks_in(settings.trusted_proxies)
        self.shares = shares_for(settings)
        self.questions: dict[str, Question] = {}
        """The questions about every game, by path."""

    def wsgi_app(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Answers a request."""
        shorten_headers(environ)
        forwarded_for = environ.get("HTTP_X_FORWARDED_FOR", "")
        environ["REMOTE_ADDR"] = client_address(environ.get("REMOTE_ADDR", ""), forwarded_for, self.trusted)
        if self.shares is not None:
            self.limit(environ, Share(self.shares, owner_of(environ["REMOTE_ADDR"])))
        question = self.questions.get(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "POST" else None
        if question is None:
            return super().wsgi_app(environ, start_response)
        size = get_content_length(environ) or 0
        is_read = size <= self.maximum_bytes and REFUSED not in environ
        with self.large.place_for(size if is_read else 0):
            return question(environ, start_response)

    def limit(self, environ: Environ, share: Share) -> None:
        """Refuses a request whose client has used up its share; one for health is always answered."""
        environ[SHARE] = share
        if environ["PATH_INFO"] not in HEALTH and REFUSED not in environ and (problem := share.problem()) is not None:
            environ[REFUSED] = problem

    def full_dispatch_request(self) -> Response:
        """Answers a request that has a context, within the deadline."""
        try:
            return within(self.deadline, super().full_dispatch_request)
        except Problem as problem:
            return self.finalize_request(problem_response(problem))


def create_app(settings: Settings | None = None) -> Application:
    """The application, ready to answer: games loaded, schemas compiled, keys made or read.

    Raises:
        SettingError: if the configured keys are invalid.
    """
    settings = settings or Settings()
    start_logging(settings.log_level)
    keys = key_ring(settings)
    app = Application(settings)
    for resource in RESOURCES:
        add_resource(app, with_keys(resource, keys), settings)
    add_browser(app)
    if settings.pages:
        add_pages(app, settings.cache_seconds)
    app.before_request(begin)
    if settings.pages:
        app.before_request(set_language_of_page)
    app.teardown_request(reset_language)
    app.after_request(finisher(app.common))
    if settings.pages:
        app.after_request(show_problem_as_page)  # runs before the finisher: Flask calls the last one first
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(Exception, fault)
    prepare_types(all_games().values())
    shapes.compile_all()
    return app


def key_ring(settings: Settings) -> KeyRing:
    """The configured keys; otherwise a new one, made before processes fork so that all of them have the same."""
    configured = configured_keys(settings)
    keys = configured or KeyRing([new_master()])
    log_keys(keys.by_id, are_configured=configured is not None)
    return keys


def with_keys(resource: Resource, keys: KeyRing) -> Resource:
    """The resource; if it is about sealed tables, with the keys at hand."""
    if not resource.sealed:
        return resource
    return replace(resource, view=wraps(resource.view)(partial(resource.view, keys=keys)))


def add_resource(app: Application, resource: Resource, settings: Settings) -> None:
    """Adds the route of a resource."""
    if resource.envelope:
        answer = answerer(resource, settings)
        respond = question_responder(answer)
        for id, game in all_games().items():
            app.questions[resource.path.format(game=id)] = Question(resource, game, answer, app.common)
    else:
        respond = (
            stream_responder(resource, settings, app.large) if resource.streamed else get_responder(resource, settings)
        )
    app.add_url_rule(
        resource.path.replace("{", "<").replace("}", ">"),
        endpoint=resource.name,
        view_func=with_deprecation(resource, respond),
        methods=[resource.method],
    )


def template(rule: str) -> str:
    """The path template of a route, as in the specification."""
    return rule.replace("<", "{").replace(">", "}")


# --- from requests to responses --------------------------------------------------------------------------------------


def with_deprecation(resource: Resource, respond: Responder) -> Responder:
    """The view function that Flask calls; for a deprecated resource it also stores the header `Deprecation`."""
    deprecation = deprecation_of(resource)
    if deprecation is None:
        return respond

    def respond_and_warn(**parameters: Any) -> Response:
        g.deprecation = deprecation
        return respond(**parameters)

    return respond_and_warn


def response_of(reply: Reply) -> Response:
    """A reply as Flask wants it."""
    return Response(reply.content, reply.status, headers=list(reply.headers), mimetype=reply.media_type)


def question_responder(answer: Callable[[Environ, str], Reply]) -> Responder:
    """Answers a question that has come through Flask: about a game that does not exist."""

    def respond(game: str) -> Response:
        return response_of(answer(request.environ, game))

    return respond


def stream_responder(resource: Resource, settings: Settings, large: LargeWork) -> Responder:
    """Loads the parameters; lines are read and judged while the verdicts are sent."""
    parameters = resource.parameters
    assert parameters is not None
    places = Places(settings.maximum_streams)

    def respond() -> Response:
        refuse_unacceptable(request.environ, resource.media_type)
        refuse_media_type(request.environ, *LINES)
        given = loaded_parameters(parameters, request.args.to_dict(flat=False))
        terms = Terms(settings.maximum_record_bytes, settings.maximum_moves, **given)
        if not places.take():
            raise Problem("busy", phrase("streams", streams=settings.maximum_streams))

        def judge(line: Line) -> VerdictOnLine:
            with large.place_for(len(line.text or b"")):
                verdict: VerdictOnLine = within(settings.deadline, resource.view, line, terms=terms)
            return verdict

        count_stream(+1)
        g.stream = stream = Stream(
            request, judge, settings, current_exchange().request_id, places, share_of(request.environ)
        )
        # otherwise a proxy would wait for the whole answer
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Response(stream.sent(), mimetype=resource.media_type, headers=headers)

    return respond


def get_responder(resource: Resource, settings: Settings) -> Responder:
    """Answers with content that stays the same while the process runs, with an ETag.

    It is made once per path, query and language: for a path and a query without parameters now, so that no request
    waits for it; the rest when asked for. Other forms are made for each request: they are many, and cheap.
    """
    made: dict[tuple[Any, ...], tuple[bytes, str]] = {}
    query = resource.parameters or NO_PARAMETERS

    def make(parameters: dict[str, Any], media_type: str) -> tuple[bytes, str]:
        arguments = dict(parameters)
        if "game" in arguments:
            arguments["game"] = adjudicator.game_of(arguments["game"])
        answer = resource.view(**arguments)
        if (form := resource.forms.get(media_type)) is not None:
            written = form(arguments["game"], answer)
            if written is None:
                raise Problem("not-acceptable", phrase("media-types-of-answer", types=[resource.media_type]))
            content = written.encode()
        else:
            content = answer if isinstance(answer, bytes) else json_text.encode(answer)
        return content, sha256(content).hexdigest()[:32]

    if resource.cacheable and "{" not in resource.path and resource.parameters is None:
        made[(ORIGINAL,)] = make({}, resource.media_type)

    def respond(**parameters: Any) -> Response:
        media_type = acceptable(request.environ, *resource.media_types)
        parameters |= loaded_parameters(query, request.args.to_dict(flat=False))
        if not resource.cacheable:
            content, _ = make(parameters, media_type)
            return Response(content, mimetype=media_type, headers={"Cache-Control": "no-store"})
        if media_type != resource.media_type:
            content, tag = make(parameters, media_type)
        else:
            key = (current_language() if resource.localised else ORIGINAL, *parameters.values())
            if key not in made:
                made[key] = make(parameters, media_type)
            content, tag = made[key]
        response = Response(content, mimetype=media_type)
        response.set_etag(tag)
        response.cache_control.public = True
        response.cache_control.max_age = settings.cache_seconds
        if resource.forms:
            response.vary.add("Accept")
        return conditional(response)

    return respond


# --- problems --------------------------------------------------------------------------------------------------------


def current_exchange() -> Exchange:
    """The exchange of the request that Flask is answering."""
    return exchange_of(request.environ)


def problem_response(problem: Problem) -> Response:
    """The response for a problem."""
    return response_of(problem_reply(problem, current_exchange()))


def http_problem(error: HTTPException) -> Response:
    """The response to a request that Flask itself refuses: no such path or method, an incomplete body."""
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        response = problem_response(Problem("method-not-allowed", phrase("methods", methods=allowed)))
        response.headers["Allow"] = allowed
        return response
    if error.code is None or error.code < 400:
        return Response(error.get_response().get_data(), status=error.code, headers=error.get_headers())
    if error.code >= 500:
        return fault(error)
    id = HTTP_PROBLEMS.get(error.code, "bad-request")
    details = {"not-found": phrase("no-such-path", list=BROWSER) + path_suggestion(request.path)}
    return problem_response(Problem(id, details.get(id, f"{error.name}.")))


def path_suggestion(path: str) -> str:
    """A sentence such as ' Did you mean “/v1/games/palazzo/setups”?'; empty unless a path differs in just one part."""
    parts = path.strip("/").split("/")
    if parts[0] in UNVERSIONED:
        parts = [VERSION, *parts]
    paths = (resource.path.strip("/").split("/") for resource in RESOURCES)
    known = [path for path in paths if len(path) == len(parts)]
    for at, part in enumerate(parts if known else ()):
        there = [one[at] for one in known if all(map(fits, others(parts, at), others(one, at)))]
        near = part if any(fits(part, one) for one in there) else nearest_word(part, there)
        meant = f"/{'/'.join([*parts[:at], near or '', *parts[at + 1 :]])}"
        if near is not None and meant != path:
            return " " + phrase("did-you-mean", near=shown(meant))
    return ""


def others(parts: list[str], at: int) -> list[str]:
    """All parts of a path but one."""
    return [*parts[:at], *parts[at + 1 :]]


def fits(part: str, of_path: str) -> bool:
    """Whether a part of a path is that of a resource, or can stand for its parameter."""
    return part == of_path or (of_path.startswith("{") and part != "")


def fault(error: Exception) -> Response:
    """The response for a fault of the service."""
    return response_of(fault_reply(error, current_exchange()))


# --- around every request that goes through Flask -------------------------------------------------------------------


def begin() -> None:
    """Begins the exchange. Requests that the server refuses are answered here, like all others.

    Raises:
        Problem: if the server refuses the request.
    """
    exchange = new_exchange(request.environ)
    rule, game = request.url_rule, all_games().get((request.view_args or {}).get("game", ""))
    exchange.route = template(rule.rule) if rule else None
    exchange.game = game.id if game else None
    set_language(reader_language(request.environ, languages_of(game) if game else languages(SHARED)))
    if (refused := request.environ.get(REFUSED)) is not None:
        raise refused
    if request.environ["PATH_INFO"].startswith("//"):  # which Werkzeug would take for one slash
        raise Problem("not-found", phrase("no-such-path", list=BROWSER))


def reset_language(error: BaseException | None) -> None:
    """After a request, resets the language."""
    set_language(ORIGINAL)


def finisher(common: CommonHeaders) -> Callable[[Response], Response]:
    """Completes every response: adds the headers that all answers have, and ends the exchange."""

    def finish(response: Response) -> Response:
        exchange = current_exchange()
        if request.method == "OPTIONS" and response.status_code == 200:
            response.status_code = 204
            del response.headers["Content-Type"]
        localised = request.endpoint in LOCALISED or exchange.problem is not None
        for name, value in common.of(exchange, request.environ, localised):
            if name == "Vary":
                response.vary.add(value)
            else:
                response.headers[name] = value
        if response.mimetype in PROTECTED and "Content-Security-Policy" not in response.headers:
            response.headers["Content-Security-Policy"] = NOTHING_BUT_STYLE
        if "deprecation" in g:
            response.headers["Deprecation"] = g.deprecation
        if "Access-Control-Allow-Origin" in response.headers:
            answer_preflight(response)
        finish_exchange(response, exchange)
        return response

    return finish


def answer_preflight(response: Response) -> None:
    """Adds what a browser asks for before it lets a page of another origin make a request."""
    if request.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.environ:
        response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
        response.headers["Access-Control-Allow-Headers"] = REQUEST_HEADERS
        response.headers["Access-Control-Max-Age"] = PREFLIGHT_SECONDS


def finish_exchange(response: Response, exchange: Exchange) -> None:
    """Ends the exchange now; that of a stream at its end."""
    exchange.status = response.status_code
    stream = g.get("stream")
    if stream is None:
        is_known = response.is_sequence and request.method != "HEAD" and response.status_code != NOT_MODIFIED
        exchange.bytes_out = (response.calculate_content_length() or 0) if is_known else 0
        end(exchange, request.environ)
        return

    environ = request.environ

    def end_stream() -> None:
        exchange.end(environ)
        share_of(environ).charge(exchange.cpu_seconds)
        stream.complete_exchange(exchange)
        count_exchange(exchange)
        log_exchange(exchange)

    response.call_on_close(end_stream)
