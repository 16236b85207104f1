"""Problems as answers (RFC 9457); the catalogue of words that all games share explains every kind."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

from capomastro import addresses
from capomastro.answers import Answer
from capomastro.documents import wordings
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import Problem
from capomastro.documents.suggestions import did_you_mean
from capomastro.documents.wordings import phrase

MEDIA_TYPE = "application/problem+json"


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
