"""A client of a running service, for requests about sealed tables, whose keys only the service has."""

from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

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


class Service:
    """A running service, by its address."""

    def __init__(self, address: str) -> None:
        """A service at this address, with or without `/v1`.

        Raises:
            click.UsageError: if it is not an HTTP address.
        """
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise click.UsageError(phrase("no-address-of-service", address=quoted(address)))
        self.address = address.rstrip("/").removesuffix(addresses.API)

    def ask(self, game_id: str, question: str, body: dict[str, Any]) -> Any:
        """The answer to a question about a game.

        Raises:
            Problem: that of the service; or `unreachable`.
        """
        path = f"{addresses.game(game_id)}/{question}"
        headers = {"Content-Type": JSON, "Accept-Language": current_language()}
        request = Request(self.address + path, json_text.encode(body), headers)  # noqa: S310 - see above
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310
                return json_text.decode(response.read())
        except HTTPError as error:
            raise problem_in(error.read(), error.code) from None
        except (URLError, TimeoutError, ConnectionError) as error:
            reason = why_unreachable(getattr(error, "reason", error))
            raise Problem("unreachable", phrase("no-service", address=self.address, reason=reason)) from None


def why_unreachable(reason: Any) -> str:
    """Why no service answers, with the number of the error if it has one."""
    if not isinstance(reason, OSError):
        return str(reason)
    return reason_of(reason) if reason.errno is None else f"[Errno {reason.errno}] {reason_of(reason)}"


def problem_in(content: bytes, status: int) -> Problem:
    """The problem in an answer; or that the server is not a capomastro service."""
    try:
        document = json_text.decode(content)
        return Problem(document["type"].rpartition("/")[2], document["detail"], document.get("errors", ()))
    except (Problem, KeyError, TypeError, AttributeError):
        return Problem("unreachable", phrase("other-service", status=status))
