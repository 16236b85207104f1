"""Problems as answers (RFC 9457): what every kind means stands in `problems.en.toml`."""

from typing import Any

from capomastro import addresses
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import wordings

MEDIA_TYPE = "application/problem+json"


def catalogue() -> dict[str, Any]:
    """Every kind of problem by id: title, status, meaning."""
    return wordings(__package__, "problems")


def explained(id: str) -> dict[str, Any]:
    """The page of a kind of problem.

    Raises:
        Problem: `not-found`.
    """
    kind = catalogue().get(id)
    if kind is None:
        raise Problem("not-found", f"There is no problem {id[:40]!r}; GET {addresses.problems()} lists them.")
    return {"id": id, "type": addresses.problem(id), **kind}


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
