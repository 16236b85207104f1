"""Content negotiation: the media type of an answer, its language, and whether the client has it already (RFC 9110)."""

import re
from collections.abc import Sequence

from flask import Response, request
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from capomastro.api.exchanges import Environ
from capomastro.documents.languages import ORIGINAL, preferred
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

CHARSET = re.compile(r';\s*charset="?utf-8"?', re.IGNORECASE)
"""The encoding of every answer."""
NO_STORE = "no-store"
"""The `Cache-Control` of answers that must not be kept."""
NOTHING_BUT_STYLE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""The policy of pictures, which have a style sheet, and of all pages that have none of their own."""
MOST_READ = {
    "CONTENT_TYPE": 200,
    "HTTP_ACCEPT": 500,
    "HTTP_ACCEPT_LANGUAGE": 200,
    "HTTP_CONTENT_ENCODING": 100,
    "HTTP_IF_MATCH": 1_000,
    "HTTP_IF_MODIFIED_SINCE": 100,
    "HTTP_IF_NONE_MATCH": 1_000,
    "HTTP_IF_RANGE": 100,
    "HTTP_IF_UNMODIFIED_SINCE": 100,
    "HTTP_ORIGIN": 200,
    "HTTP_RANGE": 100,
}
"""Maximum number of characters that are read of the headers that are taken apart, some of them in quadratic time."""
NEVER_READ = ("HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_UPGRADE")
"""Headers that only libraries would read; for another protocol Werkzeug would look for another resource."""


def shorten_headers(environ: Environ) -> None:
    """Cuts headers before any library sees them; nobody sends longer ones that mean anything here."""
    for name in NEVER_READ:
        environ.pop(name, None)
    for name, most in MOST_READ.items():
        value = environ.get(name, "")
        if len(value) > most or "  " in value:
            environ[name] = " ".join(value.split())[:most]  # many blanks in a row are what costs most


def refuse_unacceptable(environ: Environ, media_type: str) -> None:
    """Raises if the header `Accept` excludes the media type."""
    acceptable(environ, media_type)


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


def reader_language(environ: Environ, available: Sequence[str]) -> str:
    """The language the request asks for, of those available."""
    header = environ.get("HTTP_ACCEPT_LANGUAGE")
    return preferred(header, available) if header else ORIGINAL


def conditional(response: Response) -> Response:
    """A response with an ETag, or 304 without its content if `If-None-Match` names it.

    `If-Match` counts for GET and HEAD alone: where a POST goes, there is nothing that could have an ETag.

    Raises:
        Problem: `precondition-failed` if `If-Match` names others only.
    """
    tag, _ = response.get_etag()
    expected = request.if_match
    if expected and not (tag and expected.contains(tag)):
        response.close()  # it may send an open file
        raise Problem("precondition-failed", phrase("other-etag"))
    request.environ.pop("HTTP_IF_MATCH", None)  # it holds; with it, Flask would not check `If-None-Match`
    response.make_conditional(request)
    return response
