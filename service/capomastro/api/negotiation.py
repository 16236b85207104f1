"""Content negotiation: chooses among the media types of a resource, and the language of its answer."""

import re
from collections.abc import Sequence

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from capomastro.api.exchanges import Environ
from capomastro.documents.languages import ORIGINAL, preferred
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

CHARSET = re.compile(r';\s*charset="?utf-8"?', re.IGNORECASE)
"""The encoding of every answer."""
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
