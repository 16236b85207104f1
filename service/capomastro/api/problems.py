"""Problems as answers (RFC 9457); the catalogue of words that all games share explains every kind."""

from collections.abc import Sequence
from typing import Annotated, Any

from flask import Response, request
from msgspec import Meta

from capomastro import addresses
from capomastro.answers import Answer
from capomastro.api.exchanges import exchange_of
from capomastro.api.negotiation import NO_STORE
from capomastro.api.request_log import log_fault, log_unknown_key
from capomastro.documents import json_text, wordings
from capomastro.documents.languages import current_language
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import Problem
from capomastro.documents.suggestions import did_you_mean
from capomastro.documents.wordings import phrase
from capomastro.tables.sealing import NotSealedHere

MEDIA_TYPE = "application/problem+json"
BUSY_SECONDS = 5
"""When to ask again a service that is busy."""
HEADERS = [("Content-Type", MEDIA_TYPE), ("Cache-Control", NO_STORE), ("Vary", "Accept-Language")]


class ProblemKind(Answer, frozen=True):
    """A kind of problem."""

    id: Annotated[str, Meta(description="Its id.")]
    type: Annotated[str, Meta(description="The `type` of its occurrences, which is the path of this page.")]
    title: Annotated[str, Meta(description="Its title.")]
    status: Annotated[int, Meta(description="The HTTP status code.")]
    meaning: Annotated[str, Meta(description="What it means and what to do about it.")]


class ProblemKinds(Answer, frozen=True):
    """The kinds of problems."""

    problems: Annotated[Sequence[ProblemKind], Meta(description="Every kind of problem.")]


def catalogue() -> dict[str, Any]:
    """Every kind of problem by id: title, status, meaning."""
    return wordings.problems()


def explained(id: str) -> ProblemKind:
    """The page of a kind of problem.

    Raises:
        Problem: `not-found`.
    """
    kind = catalogue().get(id)
    if kind is None:
        detail = phrase("no-such-problem", problem=quoted(id[:40]), list=addresses.problems())
        raise Problem("not-found", detail + did_you_mean(id, catalogue()))
    return ProblemKind(id=id, type=addresses.problem(id), **kind)


def document_of(problem: Problem) -> dict[str, Any]:
    """The document of a problem."""
    kind = catalogue()[problem.id]
    document = {
        "type": addresses.problem(problem.id),
        "title": kind["title"],
        "status": kind["status"],
        "detail": problem.detail,
        **problem.members,
    }
    return {**document, "errors": problem.errors} if problem.errors else document


# --- responses -------------------------------------------------------------------------------------------------------


def response_to(problem: Problem) -> Response:
    """The response that tells a problem."""
    exchange = exchange_of(request.environ)
    exchange.problem = problem.id
    exchange.rule = next((error["rule"] for error in problem.errors if "rule" in error), None)
    cause = problem.__cause__
    if isinstance(cause, NotSealedHere) and cause.kid is not None:
        log_unknown_key(exchange.request_id, cause.kid)
    document = document_of(problem)
    if document["status"] >= 500 and cause is not None:
        log_fault(exchange.request_id, cause)
    response = response_with(document)
    if problem.id == "unsupported-media-type":
        response.headers["Accept-Encoding"] = "gzip, zstd" if request.path == addresses.replays() else "identity"
    retry_seconds = BUSY_SECONDS if problem.id == "busy" else problem.retry_seconds
    if retry_seconds is not None:
        response.headers["Retry-After"] = str(retry_seconds)
    return response


def response_with(document: dict[str, Any]) -> Response:
    """The response with the document of a problem."""
    headers = [*HEADERS, ("Content-Language", current_language())]
    return Response(json_text.encode(document), document["status"], headers=headers)
