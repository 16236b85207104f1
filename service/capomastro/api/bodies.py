"""Bodies: the media types of answers, and reading those of requests: in UTF-8, uncompressed, of limited size."""

import re
from typing import Any

from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_accept_header, parse_options_header
from werkzeug.wsgi import get_content_length, get_input_stream

from capomastro import addresses
from capomastro.api.exchanges import Environ, exchange_of
from capomastro.api.media_types import JSON, JSONL, LINES, NDJSON
from capomastro.api.unpacking import CODINGS
from capomastro.archive import has_lines
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.games import all_games

CHARSET = re.compile(r';\s*charset="?utf-8"?', re.IGNORECASE)
"""The encoding of every answer."""
ENCODINGS = ("", "identity")
"""What `Content-Encoding` says of a body that is not compressed."""
CHARSETS = ("utf-8", "utf8")
SENT_BY_MISTAKE = (
    *("application/x-www-form-urlencoded", "multipart/form-data", "text/plain"),
    *(JSON, NDJSON, JSONL, notation.MEDIA_TYPE),
)
"""Media types that HTTP clients, such as curl with `-d`, declare by default, and those of other resources."""


def read_json(environ: Environ, maximum_bytes: int, quoting: bool = True) -> Any:
    """The JSON value in the body; without `quoting` no error repeats a name or a text of it.

    Raises:
        Problem: `too-large`, `bad-request` or `malformed-json`.
    """
    return decoded(read(environ, maximum_bytes), quoting)


def decoded(text: bytes, quoting: bool = True) -> Any:
    """The JSON value in a body."""
    if not text:
        raise Problem("malformed-json", phrase("empty-body"))
    json_text.require_few_parts(text)
    return json_text.decode(text, quoting)


def read_record(environ: Environ, maximum_bytes: int, maximum_moves: int) -> Any:
    """The JSON value in the body; or the record, if the body is declared to be in text notation.

    Raises:
        Problem: as in `read_json`, or `malformed-notation`; `envelope` if there are too many moves.
    """
    media_type, _ = content_type(environ)
    text = read(environ, maximum_bytes)
    if media_type == notation.MEDIA_TYPE:
        return notation.read(text, all_games(), maximum_moves, lines_hint(text) or phrase("json-sent", type=JSON))
    try:
        return decoded(text)
    except Problem as problem:
        is_notation = notation.is_notation(text)
        hint = phrase("notation-sent-as", type=notation.MEDIA_TYPE) if is_notation else lines_hint(text)
        if not hint:
            raise
        raise Problem(problem.id, f"{problem.detail} {hint}") from None


def lines_hint(text: bytes) -> str:
    """Where to send a body that looks like one record per line; empty for any other."""
    return phrase("lines-sent", path=addresses.replays(), type=NDJSON) if has_lines(text) else ""


def read(environ: Environ, maximum_bytes: int) -> bytes:
    """The body, at most `maximum_bytes` long."""
    length = get_content_length(environ)
    try:
        if length is not None and length <= maximum_bytes and "wsgi.input_terminated" in environ:
            text: bytes = environ["wsgi.input"].read(length)  # the server has bounded it: no need to wrap the stream
        else:
            # one byte more: a body of undeclared length is silently truncated at this limit
            text = get_input_stream(environ, max_content_length=maximum_bytes + 1).read()
    except RequestEntityTooLarge:
        raise too_large(maximum_bytes) from None
    except Exception as error:  # each server raises its own errors for a badly framed body
        raise incomplete_body(error) from error
    exchange_of(environ).bytes_in = len(text)
    if len(text) > maximum_bytes:
        raise too_large(maximum_bytes)
    if len(text) < (length or 0):
        raise incomplete_body()
    return text


def too_large(maximum_bytes: int) -> Problem:
    return Problem("too-large", phrase("body-bytes", bytes=maximum_bytes))


def incomplete_body(error: Exception | None = None) -> Problem:
    """The problem of a body that does not end as HTTP requires; `error` is what the server raised."""
    if isinstance(error, BlockingIOError | TimeoutError):
        return Problem("bad-request", phrase("body-pauses"))
    return Problem("bad-request", phrase("body-incomplete"))


def content_type(environ: Environ) -> tuple[str, dict[str, str]]:
    """The media type of the body, and its parameters."""
    media_type, parameters = parse_options_header(environ.get("CONTENT_TYPE", ""))
    return media_type.lower(), parameters


def encoding_of(environ: Environ) -> str:
    """How the body is compressed, as it declares itself."""
    encoding: str = environ.get("HTTP_CONTENT_ENCODING", "")
    return encoding.strip().lower()


def require_media_type(environ: Environ, *media_types: str) -> None:
    """Raises unless the body is declared as one of these media types, in UTF-8; only lines may be compressed."""
    if (coding := encoding_of(environ)) not in ENCODINGS and not (media_types == LINES and coding in CODINGS):
        raise Problem("unsupported-media-type", phrase("content-encoding"))
    if environ.get("CONTENT_TYPE") in media_types:
        return
    media_type, parameters = content_type(environ)
    if media_type not in media_types or parameters.get("charset", "utf-8").lower() not in CHARSETS:
        if media_type in SENT_BY_MISTAKE and media_type not in media_types:
            detail = phrase("content-type-by-mistake", types=media_types, found=media_type)
        else:
            detail = phrase("content-type", types=media_types)
        raise Problem("unsupported-media-type", detail)


def acceptable(environ: Environ, *media_types: str) -> str:
    """The media type that the header `Accept` prefers; the first if it has no preference.

    Raises:
        Problem: `not-acceptable` if it excludes all of them.
    """
    accept = environ.get("HTTP_ACCEPT", "")
    if accept in ("", "*/*", media_types[0]):
        return media_types[0]
    # with the parameter, "application/json" would be none of the media types, but still of "*/*"
    quality = parse_accept_header(CHARSET.sub("", accept), MIMEAccept).quality
    best = max(media_types, key=quality)
    if quality(best) > 0:
        return best
    raise Problem("not-acceptable", phrase("media-types-of-answer", types=media_types))
