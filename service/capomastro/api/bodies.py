"""Reading request bodies: JSON or records written by hand, in UTF-8, not compressed, of limited size."""

from typing import Any

from flask import Request, g
from werkzeug.exceptions import RequestEntityTooLarge

from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.games import all_games

CONTENT_TYPE = "application/json"
ENCODINGS = ("", "identity")
CHARSETS = ("utf-8", "utf8")


def read_json(request: Request, most_bytes: int) -> Any:
    """The JSON value in the body.

    Raises:
        Problem: `unsupported-media-type`, `too-large`, `bad-request` or `malformed-json`.
    """
    refuse_media_type(request, CONTENT_TYPE)
    text = read(request, most_bytes)
    if not text:
        raise Problem("malformed-json", "The body is empty.")
    return json_text.decode(text)


def read_record(request: Request, most_bytes: int, most_moves: int) -> Any:
    """What `read_json` reads; or the record in the body, if it was written by hand and is declared so.

    Raises:
        Problem: as `read_json`, or `malformed-notation`; `envelope` if there are too many moves.
    """
    refuse_media_type(request, CONTENT_TYPE, notation.MEDIA_TYPE)
    if request.mimetype != notation.MEDIA_TYPE:
        return read_json(request, most_bytes)
    return notation.read(read(request, most_bytes), all_games(), most_moves)


def read(request: Request, most_bytes: int) -> bytes:
    """The body, at most so long."""
    # one byte more, because of a body that does not say its length just so much is read and the rest left out silently
    request.max_content_length = most_bytes + 1
    try:
        text = request.get_data(cache=False)
    except RequestEntityTooLarge:
        raise too_large(most_bytes) from None
    except Exception as error:  # every server has errors of its own for a body that is badly framed
        raise broken_off(error) from error
    g.bytes_in = len(text)
    if len(text) > most_bytes:
        raise too_large(most_bytes)
    if len(text) < (request.content_length or 0):
        raise broken_off()
    return text


def too_large(most_bytes: int) -> Problem:
    return Problem("too-large", f"The body has more than the {most_bytes} bytes this resource takes.")


def broken_off(error: Exception | None = None) -> Problem:
    """What is wrong with a body that does not end as HTTP has it to; `error` is what the server had for it."""
    if isinstance(error, BlockingIOError | TimeoutError):
        return Problem("bad-request", "The body pauses for too long.")
    return Problem("bad-request", "The body breaks off, or its chunks are not what HTTP says.")


def refuse_media_type(request: Request, *media_types: str) -> None:
    """Raises unless the body is declared as one of these media types, all of them text in UTF-8."""
    environment = request.environ
    encoding = environment.get("HTTP_CONTENT_ENCODING", "")
    if encoding.strip().lower() not in ENCODINGS:
        raise Problem("unsupported-media-type", "A body with Content-Encoding is not read here; send it as it is.")
    if environment.get("CONTENT_TYPE") in media_types:
        return
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype not in media_types or charset not in CHARSETS:
        wanted = " or ".join(media_types)
        raise Problem("unsupported-media-type", f"The body must have the Content-Type {wanted}, in UTF-8.")
