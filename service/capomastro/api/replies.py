"""Replies: the status, the content and the headers of an answer, and those that every answer has."""

from collections.abc import Iterable
from functools import cache, partial
from typing import NamedTuple

from werkzeug.http import HTTP_STATUS_CODES
from werkzeug.utils import get_content_type

from capomastro.api import problems
from capomastro.api.exchanges import Environ, Exchange
from capomastro.api.metrics import count_exchange
from capomastro.api.request_log import HEADER, log_exchange, log_fault, log_unknown_key
from capomastro.api.shares import share_of
from capomastro.documents import json_text
from capomastro.documents.languages import current_language
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.settings import Settings
from capomastro.tables.sealing import NotSealedHere
from capomastro.worker.behaviour import AFTERWARDS

Headers = list[tuple[str, str]]

EXPOSED_HEADERS = f"Allow, Deprecation, ETag, Retry-After, {HEADER}"
BUSY_SECONDS = 5
"""When to ask again a service that is busy."""
NOTHING_BUT_STYLE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""The policy of pictures, which have a style sheet, and of all pages that have none of their own."""
NO_STORE = ("Cache-Control", "no-store")


class Reply(NamedTuple):
    """An answer to a request."""

    status: int
    media_type: str
    content: bytes
    headers: tuple[tuple[str, str], ...] = ()
    """The headers that not every answer has."""


@cache
def status_line(status: int) -> str:
    return f"{status} {HTTP_STATUS_CODES[status].upper()}"


@cache
def content_type(media_type: str) -> str:
    return get_content_type(media_type, "utf-8")


# --- problems --------------------------------------------------------------------------------------------------------


def problem_reply(problem: Problem, exchange: Exchange) -> Reply:
    """The reply for a problem."""
    exchange.problem = problem.id
    if isinstance(problem.__cause__, NotSealedHere) and problem.__cause__.kid is not None:
        log_unknown_key(exchange.request_id, problem.__cause__.kid)
    exchange.rule = next((error["rule"] for error in problem.errors if "rule" in error), None)
    document = problems.document_of(problem)
    if document["status"] >= 500 and problem.__cause__ is not None:
        log_fault(exchange.request_id, problem.__cause__)
    headers = [NO_STORE]
    if problem.id == "unsupported-media-type":
        headers.append(("Accept-Encoding", "identity"))
    retry_seconds = BUSY_SECONDS if problem.id == "busy" else problem.retry_seconds
    if retry_seconds is not None:
        headers.append(("Retry-After", str(retry_seconds)))
    return Reply(document["status"], problems.MEDIA_TYPE, json_text.encode(document), tuple(headers))


def fault_reply(error: Exception, exchange: Exchange) -> Reply:
    """The reply for a fault of the service; only the log has the details."""
    log_fault(exchange.request_id, error)
    if isinstance(error, MemoryError):  # another process, or this one a little later, may have enough
        return problem_reply(Problem("busy", phrase("no-memory")), exchange)
    return problem_reply(Problem("internal", phrase("cause-in-log", header=HEADER)), exchange)


# --- what every answer has -------------------------------------------------------------------------------------------


class CommonHeaders:
    """The headers that do not depend on the content of an answer."""

    def __init__(self, settings: Settings) -> None:
        self.origins = frozenset(settings.cors_origin.split())
        self.any_origin = "*" in self.origins
        self.for_any_origin = self.allowing("*") if self.any_origin else []

    def of(self, exchange: Exchange, environ: Environ, localised: bool) -> Headers:
        """The headers; `localised`: the answer is in the reader's language."""
        headers = [(HEADER, exchange.request_id), ("X-Content-Type-Options", "nosniff")]
        if localised:
            headers += [("Content-Language", current_language()), ("Vary", "Accept-Language")]
        if self.any_origin:
            headers += self.for_any_origin
        elif self.origins:
            headers.append(("Vary", "Origin"))
            origin = environ.get("HTTP_ORIGIN")
            if origin in self.origins:
                headers += self.allowing(origin)
        return headers

    @staticmethod
    def allowing(origin: str) -> Headers:
        """What lets pages of an origin read the answer."""
        return [("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", EXPOSED_HEADERS)]


def with_one_vary(headers: Iterable[tuple[str, str]]) -> Headers:
    """The headers with all that the answer varies with in one of them."""
    headers = list(headers)
    varies = [value for name, value in headers if name == "Vary"]
    if len(varies) < 2:
        return headers
    return [*(header for header in headers if header[0] != "Vary"), ("Vary", ", ".join(varies))]


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
