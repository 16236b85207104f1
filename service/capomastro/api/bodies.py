"""Reads request bodies: JSON or records in text notation, in UTF-8, uncompressed, of limited size."""

from typing import Any

from flask import Request, g
from werkzeug.exceptions import RequestEntityTooLarge

from capomastro.api.media_types import JSON
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.games import all_games

ENCODINGS = ("", "identity")
CHARSETS = ("utf-8", "utf8")


def read_json(request: Request, maximum_bytes: int) -> Any:
    """The JSON value in the body.

    Raises:
        Problem: `unsupported-media-type`, `too-large`, `bad-request` or `malformed-json`.
    """
    refuse_media_type(request, JSON)
    text = read(request, maximum_bytes)
    if not text:
        raise Problem("malformed-json", "The body is empty.")
    return json_text.decode(text)


def read_record(request: Request, maximum_bytes: int, maximum_moves: int) -> Any:
    """The JSON value in the body; or the record, if the body is declared to be in text notation.

    Raises:
        Problem: as in `read_json`, or `malformed-notation`; `envelope` if there are too many moves.
    """
    refuse_media_type(request, JSON, notation.MEDIA_TYPE)
    if request.mimetype != notation.MEDIA_TYPE:
        return read_json(request, maximum_bytes)
    return notation.read(read(request, maximum_bytes), all_games(), maximum_moves)


def read(request: Request, maximum_bytes: int) -> bytes:
    """The body, at most `maximum_bytes` long."""
    # one byte more: a body of undeclared length is silently truncated at this limit
    request.max_content_length = maximum_bytes + 1
    try:
        text = request.get_data(cache=False)
    except RequestEntityTooLarge:
        raise too_large(maximum_bytes) from None
    except Exception as error:  # each server raises its own errors for a badly framed body
        raise broken_off(error) from error
    g.bytes_in = len(text)
    if len(text) > maximum_bytes:
        raise too_large(maximum_bytes)
    if len(text) < (request.content_length or 0):
        raise broken_off()
    return text


def too_large(maximum_bytes: int) -> Problem:
    return Problem("too-large", f"The body has more than the {maximum_bytes} bytes that this resource accepts.")


def broken_off(error: Exception | None = None) -> Problem:
    """The problem of a body that does not end as HTTP requires; `error` is what the server raised."""
    if isinstance(error, BlockingIOError | TimeoutError):
        return Problem("bad-request", "The body pauses for too long.")
    return Problem("bad-request", "The body is incomplete, or its chunks violate HTTP.")


def refuse_media_type(request: Request, *media_types: str) -> None:
    """Raises unless the body is declared as one of these media types, in UTF-8 and uncompressed."""
    environment = request.environ
    encoding = environment.get("HTTP_CONTENT_ENCODING", "")
    if encoding.strip().lower() not in ENCODINGS:
        raise Problem("unsupported-media-type", "Content-Encoding is not accepted; send the body uncompressed.")
    if environment.get("CONTENT_TYPE") in media_types:
        return
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype not in media_types or charset not in CHARSETS:
        wanted = " or ".join(media_types)
        raise Problem("unsupported-media-type", f"The body must have the Content-Type {wanted}, in UTF-8.")
