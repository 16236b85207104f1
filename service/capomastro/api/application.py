"""The Flask application: its routes, what happens around every request, and how errors are answered."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from flask import Flask, Request, Response, current_app, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, InternalServerError, MethodNotAllowed, NotFound
from werkzeug.routing import MapAdapter

from capomastro.api import problems
from capomastro.api.deadlines import within
from capomastro.api.declarations import Resource, template
from capomastro.api.documentation import PATH as DOCUMENTATION
from capomastro.api.documentation import add_documentation
from capomastro.api.exchanges import REFUSED, Environ, Exchange, begin_exchange, exchange_of
from capomastro.api.kit import kit_in
from capomastro.api.metrics import count_exchange
from capomastro.api.negotiation import reader_language, shorten_headers
from capomastro.api.pages import add_pages
from capomastro.api.request_log import (
    HEADER,
    id_of_request,
    log_exchange,
    log_fault,
    log_keys,
    log_missing_folder,
    start_logging,
)
from capomastro.api.resources import HEALTH, RESOURCES
from capomastro.api.shares import KEY as SHARE
from capomastro.api.shares import Share, client_address, owner_of, share_of, shares_for
from capomastro.api.views import LargeWork, view_of
from capomastro.documents import shapes
from capomastro.documents.languages import ORIGINAL, languages, set_language
from capomastro.documents.phrases import shown
from capomastro.documents.problems import Problem
from capomastro.documents.suggestions import nearest_word
from capomastro.documents.wordings import SHARED, languages_of, phrase
from capomastro.games import all_games
from capomastro.settings import Settings, networks_in
from capomastro.tables.keys import CAN_SEAL, KeyRing, configured_keys, new_master
from capomastro.worker.behaviour import AFTERWARDS

REQUEST_HEADERS = f"Accept, Content-Encoding, Content-Type, If-Match, If-None-Match, {HEADER}"
EXPOSED_HEADERS = f"Allow, Deprecation, ETag, Retry-After, Sunset, {HEADER}"
PREFLIGHT_SECONDS = "86400"
VERSION = "v1"
UNVERSIONED = {parts[2] for resource in RESOURCES if (parts := resource.path.split("/"))[1] == VERSION}
"""The first parts of paths after the version, which clients sometimes forget."""
NOT_MODIFIED = 304
HTTP_PROBLEMS = {400: "bad-request", 413: "too-large", 415: "unsupported-media-type", 429: "too-many-requests"}
"""The kinds of problems that errors of HTTP are; others have no kind, only their status."""


class Application(Flask):
    """Flask, with an exchange for each request and a limit to what it may cost."""

    def __init__(self, settings: Settings) -> None:
        super().__init__("capomastro", static_folder=None)
        self.url_map.merge_slashes = False  # or "//v1/games" would be a redirection in HTML
        self.settings = settings
        self.trusted = networks_in(settings.trusted_proxies)
        self.shares = shares_for(settings)
        self.origins = frozenset(settings.cors_origin.split())
        self.headers = [("X-Content-Type-Options", "nosniff"), *(allowing("*") if "*" in self.origins else [])]
        """What every answer has, unless it has its own."""

    def wsgi_app(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Answers a request."""
        shorten_headers(environ)
        forwarded_for = environ.get("HTTP_X_FORWARDED_FOR", "")
        environ["REMOTE_ADDR"] = client_address(environ.get("REMOTE_ADDR", ""), forwarded_for, self.trusted)
        request_id = id_of_request(environ.get("HTTP_X_REQUEST_ID"))
        begin_exchange(environ, request_id)
        if self.shares is not None:
            self.limit(environ, Share(self.shares, owner_of(environ["REMOTE_ADDR"])))

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            own = {name for name, _ in headers}
            common = [header for header in self.headers if header[0] not in own]
            return start_response(status, [*headers, (HEADER, request_id), *common], exc_info)

        try:
            return super().wsgi_app(environ, start)
        finally:
            set_language(ORIGINAL)

    def limit(self, environ: Environ, share: Share) -> None:
        """Refuses a request whose client has used up its share; one for health is always answered."""
        environ[SHARE] = share
        if environ["PATH_INFO"] not in HEALTH and REFUSED not in environ and (problem := share.problem()) is not None:
            environ[REFUSED] = problem

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the resource: by the path alone, unless an operator has configured hosts."""
        if request is None or self.config["TRUSTED_HOSTS"] is not None or self.config["SERVER_NAME"] is not None:
            return super().create_url_adapter(request)
        host = request.environ.get("HTTP_HOST") or request.environ["SERVER_NAME"]
        query = request.query_string.decode("latin-1")
        root, path = request.root_path, request.path
        return MapAdapter(self.url_map, host, root, "", request.scheme, path, request.method, query)

    def full_dispatch_request(self) -> Response:
        """Answers a request that has a context, within the deadline."""
        try:
            return within(self.settings.deadline, super().full_dispatch_request)
        except Problem as problem:
            return self.finalize_request(self.handle_user_exception(problem))

    def preprocess_request(self) -> ResponseReturnValue | None:
        """Begins, before anything that an operator has added."""
        begin(request_ctx.request)
        return super().preprocess_request()

    def process_response(self, response: Response) -> Response:
        """Ends the exchange after all else, and completes what depends on the origin of a page that asks."""
        response = super().process_response(response)
        environ = request_ctx.request.environ
        exchange = exchange_of(environ)
        if self.origins and "*" not in self.origins:
            response.vary.add("Origin")
            if (origin := environ.get("HTTP_ORIGIN")) in self.origins:
                response.headers.extend(allowing(origin))
        if exchange.method == "OPTIONS" and response.status_code == 200:
            finish_options(response, may_be_read="*" in self.origins or environ.get("HTTP_ORIGIN") in self.origins)
        exchange.status = response.status_code
        if not exchange.ends_later:
            is_known = response.is_sequence and exchange.method != "HEAD" and response.status_code != NOT_MODIFIED
            exchange.bytes_out = (response.calculate_content_length() or 0) if is_known else 0
            end(exchange, environ)
        return response

    def log_exception(self, exc_info: Any) -> None:
        """Logs a fault as everything else is logged: without its message, which could repeat submitted data."""
        log_fault(exchange_of(request.environ).request_id, exc_info[1])


def create_app(settings: Settings | None = None, *, prepared: bool = True) -> Application:
    """The application, ready to answer: games loaded, readers made, keys made or read.

    Unless it is `prepared`, each request makes what it is the first to need: somebody waits for the process itself.

    Raises:
        SettingError: if the configured keys or the kit are invalid.
    """
    settings = settings or Settings()
    start_logging(settings.log_level)
    log_missing_folder()
    keys, large = key_ring(settings), LargeWork(settings.maximum_large)
    app = Application(settings)
    for resource in RESOURCES:
        add_resource(app, resource, keys, large, prepared)
    app.register_error_handler(Problem, problems.response_to)
    app.register_error_handler(HTTPException, response_to_error)
    app.register_error_handler(InternalServerError, response_to_fault)
    add_documentation(app, settings.cache_seconds, has_start_page=bool(settings.pages))
    if settings.pages:
        add_pages(app, settings.cache_seconds, response_to_error, response_to_fault, kit_in(settings.kit))
    if prepared:
        shapes.prepare(all_games().values())
    return app


def add_resource(
    app: Application, resource: Resource, keys: KeyRing | None, large: LargeWork, prepared: bool = True
) -> None:
    """Adds the route of a resource."""
    view = view_of(resource, app.settings, keys, large, prepared)
    app.add_url_rule(resource.rule, resource.name, view, methods=[resource.method])


def key_ring(settings: Settings) -> KeyRing | None:
    """The configured keys; otherwise a new one, made before processes fork so that all of them have the same.

    None where nothing can be sealed.
    """
    if not CAN_SEAL:
        return None
    configured = configured_keys(settings)
    keys = configured or KeyRing([new_master()])
    log_keys(keys.by_id, are_configured=configured is not None)
    return keys


# --- around every request --------------------------------------------------------------------------------------------


def begin(request: Request) -> None:
    """Finds out what is asked, and in which language. Requests that the server refuses are answered as all others are.

    Raises:
        Problem: if the server refuses the request.
    """
    environ, rule = request.environ, request.url_rule
    exchange = exchange_of(environ)
    game = all_games().get((request.view_args or {}).get("game", ""))
    exchange.route = template(rule.rule) if rule else None
    exchange.game = game.id if game else None
    if "HTTP_ACCEPT_LANGUAGE" in environ:
        set_language(reader_language(environ, languages_of(game) if game else languages(SHARED)))
    if (refused := environ.get(REFUSED)) is not None:
        raise refused
    if environ["PATH_INFO"].startswith("//"):  # which Werkzeug would take for one slash
        raise NotFound


def allowing(origin: str) -> list[tuple[str, str]]:
    """The headers that let pages of an origin read an answer."""
    return [("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", EXPOSED_HEADERS)]


def finish_options(response: Response, may_be_read: bool) -> None:
    """Completes Flask's answer to OPTIONS by what a browser asks before a page of another origin makes a request."""
    headers = response.headers
    response.status_code = 204
    del headers["Content-Type"]
    if may_be_read and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.environ:
        headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
        headers["Access-Control-Allow-Headers"] = REQUEST_HEADERS
        headers["Access-Control-Max-Age"] = PREFLIGHT_SECONDS


def end(exchange: Exchange, environ: Environ) -> None:
    """Ends an exchange: counts it, and logs it, after the answer where the server supports that.

    Counting must not wait: an answer is counted even if its worker is killed a moment later.
    """
    exchange.end(environ)
    share_of(environ).charge(exchange.cpu_seconds)
    count_exchange(exchange)
    if (afterwards := environ.get(AFTERWARDS)) is not None:
        afterwards.append(partial(log_exchange, exchange))
    else:
        log_exchange(exchange)


# --- errors ----------------------------------------------------------------------------------------------------------


def response_to_error(error: HTTPException) -> Response:
    """The response to an error of HTTP, from Flask or from what an operator has added: its status and headers stay."""
    if error.code is None or error.code < 400 or error.response is not None:
        return current_app.make_response(error.get_response(request.environ))
    if isinstance(error, NotFound):
        return problems.response_to(
            Problem("not-found", phrase("no-such-path", list=DOCUMENTATION) + path_suggestion(request.path))
        )
    headers = {name: value for name, value in error.get_headers(request.environ) if name != "Content-Type"}
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
        response = problems.response_to(Problem("method-not-allowed", phrase("methods", methods=headers["Allow"])))
    elif error.code in HTTP_PROBLEMS:
        response = problems.response_to(Problem(HTTP_PROBLEMS[error.code], error.description or error.name))
    else:
        document = {"type": "about:blank", "title": error.name, "status": error.code}
        response = problems.response_with(document | ({"detail": error.description} if error.description else {}))
    response.headers.update(headers)
    return response


def response_to_fault(error: InternalServerError) -> Response:
    """The response to a fault of the service, which Flask has signalled and logged; only the log has the details."""
    if isinstance(error.original_exception, MemoryError):  # another process, or this one later, may have enough
        return problems.response_to(Problem("busy", phrase("no-memory")))
    return problems.response_to(Problem("internal", phrase("cause-in-log", header=HEADER)))


def path_suggestion(path: str) -> str:
    """A sentence such as ' Did you mean “/v1/games/palazzo/setups”?'; empty unless a path differs in just one part."""
    parts = path.strip("/").split("/")
    if parts[0] in UNVERSIONED:
        parts = [VERSION, *parts]
    paths = (resource.path.strip("/").split("/") for resource in RESOURCES)
    known = [path for path in paths if len(path) == len(parts)]
    for at, part in enumerate(parts if known else ()):
        candidates = [path[at] for path in known if all(map(fits, others(parts, at), others(path, at)))]
        near = part if any(fits(part, candidate) for candidate in candidates) else nearest_word(part, candidates)
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
