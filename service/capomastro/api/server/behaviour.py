"""The service's part in being served by our own worker: what that has to know of an application, and metrics."""

from collections.abc import Callable, Iterable
from functools import partial
from math import ceil
from typing import Any, cast

from werkzeug.exceptions import HTTPException
from werkzeug.wsgi import get_content_length

from capomastro import adjudicator
from capomastro.api import readiness
from capomastro.api.application import Application
from capomastro.api.bodies import acceptable, require_media_type
from capomastro.api.declarations import Resource
from capomastro.api.exchanges import REFUSED, Environ
from capomastro.api.metrics import count_closed, count_cpu, count_lost, count_open
from capomastro.api.negotiation import shorten_headers
from capomastro.api.request_log import log_fault, log_lost
from capomastro.api.resources import HEALTH, RESOURCES
from capomastro.api.shares import client_address, owner_of, too_many_requests
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.worker.behaviour import BodyHandling, Refusal
from capomastro.worker.worker import BufferingWorker

BAD = "bad-request"
PROBLEMS: dict[str, tuple[str, Callable[..., str]]] = {
    "request-line-malformed": (BAD, partial(phrase, "request-line-malformed")),
    "target-malformed": (BAD, partial(phrase, "target-malformed")),
    "target-fragment": (BAD, partial(phrase, "target-fragment")),
    "method-unknown": ("not-implemented", partial(phrase, "method-unknown")),
    "http-versions": ("http-version", partial(phrase, "http-versions")),
    "header-field-malformed": (BAD, partial(phrase, "header-field-malformed")),
    "length-and-chunks": (BAD, partial(phrase, "length-and-chunks")),
    "chunked-last": (BAD, partial(phrase, "chunked-last")),
    "transfer-encoding": ("not-implemented", partial(phrase, "transfer-encoding")),
    "chunks-in-1-0": (BAD, partial(phrase, "chunks-in-1-0")),
    "host-missing": (BAD, partial(phrase, "host-missing")),
    "host-twice": (BAD, partial(phrase, "host-twice")),
    "host-malformed": (BAD, partial(phrase, "host-malformed")),
    "expectation": ("expectation-failed", partial(phrase, "expectation")),
    "request-line": ("uri-too-long", partial(phrase, "request-line")),
    "header-fields": ("headers-too-large", partial(phrase, "header-fields")),
    "header-bytes": ("headers-too-large", lambda **facts: phrase("header-bytes", bytes=facts["bytes"])),
    "header-late": ("request-timeout", partial(phrase, "header-late")),
    "body-late": ("request-timeout", partial(phrase, "body-late")),
    "body-bytes": ("too-large", lambda **facts: phrase("body-bytes", bytes=facts["bytes"])),
    "chunks-malformed": (BAD, partial(phrase, "chunks-malformed")),
    "chunks-too-small": (BAD, partial(phrase, "chunks-too-small")),
    "breaks-off": (BAD, partial(phrase, "breaks-off")),
    "no-room-for-body": ("busy", partial(phrase, "no-room-for-body")),
    "too-much-arriving": ("busy", partial(phrase, "too-much-arriving")),
    "too-many-waiting": ("busy", partial(phrase, "too-many-waiting")),
    "waited-too-long": ("busy", partial(phrase, "waited-too-long")),
}
"""The kind of problem that a refusal of the server is, and its sentence."""
SHARE_USED_UP = "share-used-up"


SKIP = BodyHandling(skip=True)


class ServiceBehaviour:
    """How the service behaves; see `Behaviour`."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.application: Callable[[Environ, Callable[..., Any]], Iterable[bytes]] = app
        self.settings = app.settings
        self.shares = app.shares
        self.by_name = {resource.name: resource for resource in RESOURCES}
        self.streamed = {(resource.method, resource.path) for resource in RESOURCES if resource.streamed}
        self.stopping = readiness.stop
        self.count_open = count_open
        self.count_closed = count_closed
        self.count_cpu = count_cpu

    def is_health_check(self, method: str, path: str) -> bool:
        return path in HEALTH and method in ("GET", "HEAD")

    def is_stream(self, method: str, path: str) -> bool:
        return (method, path) in self.streamed  # paths of such resources have no parameters

    def body_handling(self, environ: Environ) -> BodyHandling:
        """What to do with the body of a request; not read if the application would refuse the request anyway."""
        shorten_headers(environ)
        try:
            name, arguments = self.app.url_map.bind_to_environ(environ).match()
            resource = self.by_name[name]
            if "game" in arguments:
                adjudicator.game_of(arguments["game"])
            acceptable(environ, *resource.media_types)
            require_media_type(environ, *resource.body_types)
        except (HTTPException, Problem, KeyError):
            return SKIP
        if resource.streamed:
            return BodyHandling(stream=True)
        maximum_bytes = self.maximum_bytes(resource)
        return SKIP if (get_content_length(environ) or 0) > maximum_bytes else BodyHandling(maximum_bytes)

    def maximum_bytes(self, resource: Resource) -> int:
        """The maximum length of a body of a resource."""
        if resource.record or resource.accepts_notation:
            return self.settings.maximum_record_bytes
        return self.settings.maximum_state_bytes if resource.envelope else 0

    def client_of(self, peer: str, forwarded_for: str) -> tuple[str, str | None]:
        client = client_address(peer, forwarded_for, self.app.trusted)
        return client, None if self.shares is None else owner_of(client)

    def require_share(self, owner: str) -> None:
        assert self.shares is not None
        if seconds := ceil(self.shares.wait_seconds(owner)):
            raise Refusal(SHARE_USED_UP, seconds=seconds)

    def charge(self, owner: str, seconds: float) -> None:
        assert self.shares is not None
        self.shares.charge(owner, seconds)

    def refuse(self, refusal: Refusal, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answers with a problem, on the way of all answers, so that it is logged and counted like them."""
        if refusal.reason == SHARE_USED_UP:
            environ[REFUSED] = too_many_requests(**refusal.facts)
        else:
            id, sentence = PROBLEMS[refusal.reason]
            environ[REFUSED] = Problem(id, partial(sentence, **refusal.facts))
        pieces: Iterable[bytes] = self.application(environ, start_response)
        return pieces

    def log_fault(self, error: BaseException) -> None:
        log_fault("", error)


class ServiceWorker(BufferingWorker):
    """gunicorn's worker for an `Application`: of `capomastro serve`, or one that an operator has added to."""

    def report_lost_requests(self) -> None:
        """Logs and counts the requests that are left; for the first process, after this one has ended."""
        reason = "stopping" if self.ledger.is_stopping else "timeout" if self.aborted else "killed"
        for lost in self.ledger.lost():
            log_lost(reason, **lost)
            count_lost(reason)
        self.ledger.memory.close()

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self.behaviour = ServiceBehaviour(cast(Application, self.wsgi))
