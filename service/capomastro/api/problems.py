"""Problems as answers (RFC 9457): what every kind means stands in `problems.en.toml`."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

from capomastro import addresses
from capomastro.answers import Answer
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import wordings

MEDIA_TYPE = "application/problem+json"


class ProblemKind(Answer, frozen=True):
    """A kind of problem."""

    id: Annotated[str, Meta(description="Its id.")]
    type: Annotated[str, Meta(description="The `type` of its occurrences: the path of this page.")]
    title: Annotated[str, Meta(description="What it is called.")]
    status: Annotated[int, Meta(description="The status code it comes with.")]
    meaning: Annotated[str, Meta(description="What it means, and what to do.")]


class ProblemKinds(Answer, frozen=True):
    """Kinds of problems."""

    problems: Annotated[Sequence[ProblemKind], Meta(description="All of them.")]


def catalogue() -> dict[str, Any]:
    """Every kind of problem by id: title, status, meaning."""
    return wordings(__package__, "problems")


def explained(id: str) -> ProblemKind:
    """The page of a kind of problem.

    Raises:
        Problem: `not-found`.
    """
    kind = catalogue().get(id)
    if kind is None:
        raise Problem("not-found", f"There is no problem {id[:40]!r}; GET {addresses.problems()} lists them.")
    return ProblemKind(id=id, type=addresses.problem(id), **kind)


def document_of(problem: Problem) -> dict[str, Any]:
    """A problem as a document."""
    kind = catalogue()[problem.id]
    document = {
        "type": addresses.problem(problem.id),
        "title": kind["title"],
        "status": kind["status"],
        "detail": problem.detail,
        **problem.members,
    }
    return {**document, "errors": problem.errors} if problem.errors else document
