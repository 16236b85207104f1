"""A client of a running service, for requests about sealed tables, whose keys only the service has."""

from contextlib import suppress
from http.client import HTTPException, InvalidURL
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, Request, build_opener

import click

from capomastro import addresses
from capomastro.documents import json_text
from capomastro.documents.languages import current_language
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import Problem
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import phrase

TIMEOUT_SECONDS = 30
"""Time-out for an answer, in seconds."""
JSON = "application/json"
OK = 200
MEMBERS = {
    "tables": ("table",),
    "tables/views": ("state", "decision", "derived"),
    "tables/transitions": ("table", "view"),
    "tables/records": ("record", "result"),
}
"""The objects in the answer to each question."""


class EveryStatus(HTTPErrorProcessor):
    """Takes an answer as it is: a client that follows a redirect asks without the question."""

    def http_response(self, request: Request, response: Any) -> Any:
        return response

    https_response = http_response


post = build_opener(EveryStatus).open


class Service:
    """A running service, by its address."""

    def __init__(self, address: str) -> None:
        """A service at this address, with or without `/v1`.

        Raises:
            click.UsageError: if it is not an HTTP address.
        """
        if not is_address(address):
            raise no_address(address)
        self.address = address.rstrip("/").removesuffix(addresses.API)

    def ask(self, game_id: str, question: str, body: dict[str, Any]) -> Any:
        """The answer to a question about a game.

        Raises:
            Problem: that of the service; or `unreachable`.
            click.UsageError: if nobody can be asked at this address.
        """
        address = f"{self.address}{addresses.game(game_id)}/{question}"
        content = json_text.encode(body)
        headers = {"Content-Type": JSON, "Accept-Language": current_language()}
        try:
            request = Request(address, content, headers)  # noqa: S310 - see above
            with post(request, timeout=TIMEOUT_SECONDS) as response:
                status, answer = response.status, response.read()
        except (ValueError, InvalidURL):
            raise no_address(self.address) from None
        except (OSError, HTTPException) as error:
            reason = why_unreachable(getattr(error, "reason", error))
            raise Problem("unreachable", phrase("no-service", address=self.address, reason=reason)) from None
        if status != OK:
            raise problem_in(answer, status)
        return answer_in(answer, question)


def is_address(text: str) -> bool:
    """Whether a text is an HTTP address, as far as its parts tell."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def no_address(address: str) -> click.UsageError:
    return click.UsageError(phrase("no-address-of-service", address=quoted(address)))


def why_unreachable(reason: Any) -> str:
    """Why no service answers, with the number of the error if it has one."""
    if isinstance(reason, HTTPException):
        return phrase("no-http")
    if not isinstance(reason, OSError):
        return str(reason)
    return reason_of(reason) if reason.errno is None else f"[Errno {reason.errno}] {reason_of(reason)}"


def answer_in(content: bytes, question: str) -> dict[str, Any]:
    """The answer to a question.

    Raises:
        Problem: `unreachable` if it is none: the server is not a capomastro service.
    """
    with suppress(Problem):
        document = json_text.decode(content)
        if isinstance(document, dict) and all(isinstance(document.get(name), dict) for name in MEMBERS[question]):
            return document
    raise other_service()


def problem_in(content: bytes, status: int) -> Problem:
    """The problem in an answer; or that the server is not a capomastro service."""
    try:
        document = json_text.decode(content)
        return Problem(document["type"].rpartition("/")[2], document["detail"], document.get("errors", ()))
    except (Problem, KeyError, TypeError, AttributeError):
        return other_service(status)


def other_service(status: int = OK) -> Problem:
    """That the server is not a capomastro service."""
    return Problem("unreachable", phrase("other-service", status=status))
