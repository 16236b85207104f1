"""What can go wrong: the problems the service answers with, and what is not an answer at all."""

from collections.abc import Mapping

import msgspec

from capomastro_client.models import ProblemError

SHOWN = 5
"""How many faults the text of an exception shows; `errors` has all."""

NOT_DECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for a document that is none of ours."""


class CapomastroError(Exception):
    """Any reason why a question has no answer."""


class UnreachableError(CapomastroError):
    """The service could not be reached, or the connection broke off."""


class UnexpectedAnswerError(CapomastroError):
    """An answer that is not what the specification promises: from a proxy, or from a newer service."""


class Details(msgspec.Struct, kw_only=True, frozen=True):
    """The members of a problem (RFC 9457).

    Wider than the generated `Problem`, so that a kind of problem this client does not know yet is still understood.
    """

    type: str
    title: str
    status: int
    detail: str
    errors: list[ProblemError] = []


class Problem(CapomastroError):
    """The service refuses the request, and says why.

    `kind` is the last part of `type`, such as `illegal-move`: go by it, or by the `rule` of one of the `errors`, and
    never by wordings.
    """

    def __init__(self, details: Details, request_id: str | None) -> None:
        faults = "".join(f"\n  {fault.pointer or 'the body'}: {fault.message}" for fault in details.errors[:SHOWN])
        super().__init__(f"{details.title} ({details.status}). {details.detail}{faults}")
        self.type = details.type
        self.kind = details.type.rpartition("/")[2]
        self.title = details.title
        self.status = details.status
        self.detail = details.detail
        self.errors = details.errors
        self.request_id = request_id


def problem(status: int, headers: Mapping[str, str], body: bytes) -> CapomastroError:
    """The exception that an answer without success becomes."""
    try:
        details = msgspec.json.decode(body, type=Details)
    except NOT_DECODABLE:
        return UnexpectedAnswerError(f"status {status} without a problem: {body[:200]!r}")
    return Problem(details, headers.get("X-Request-Id"))
