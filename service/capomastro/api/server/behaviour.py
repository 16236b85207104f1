"""The service's part in being served by our own worker: what that has to know of an application, and metrics."""

from collections.abc import Callable, Iterable
from functools import partial
from math import ceil
from typing import Any, cast

from capomastro.api import readiness
from capomastro.api.application import Application
from capomastro.api.body_policy import BodyPolicy
from capomastro.api.clients import client_address
from capomastro.api.exchanges import REFUSED, Environ
from capomastro.api.metrics import count_closed, count_cpu, count_lost, count_open
from capomastro.api.request_log import log_fault, log_lost
from capomastro.api.shares import owner_of, too_many_requests
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


class ServiceBehaviour:
    """How the service behaves; see `Behaviour`."""

    def __init__(self, application: Application) -> None:
        self.application: Callable[[Environ, Callable[..., Any]], Iterable[bytes]] = application
        self.settings = application.settings
        self.shares = application.shares
        self.trusted = application.trusted
        policy = BodyPolicy(application)
        self.is_health_check = policy.is_health_check
        self.is_stream = policy.is_stream
        self.body_handling: Callable[[Environ], BodyHandling] = policy.handling
        self.stopping = readiness.stop
        self.count_open = count_open
        self.count_closed = count_closed
        self.count_cpu = count_cpu

    def client_of(self, peer: str, forwarded_for: str) -> tuple[str, str | None]:
        client = client_address(peer, forwarded_for, self.trusted)
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
