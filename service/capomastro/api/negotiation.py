"""Headers: what is read of those of requests, the language, and whether the client has the answer already."""

from collections.abc import Sequence
from gzip import compress
from hashlib import sha256

from flask import Response, request

from capomastro.api.exchanges import Environ
from capomastro.documents.languages import ORIGINAL, preferred
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

NO_STORE = "no-store"
"""The `Cache-Control` of answers that must not be kept."""
NOTHING_BUT_STYLE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""The policy of pictures, which have a style sheet, and of all pages that have none of their own."""
WORTH_COMPRESSING = 1024
"""A content of so many bytes at most is sent as it is."""
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
NEVER_READ = {"HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_UPGRADE"}
"""Headers that only libraries would read; for another protocol Werkzeug would look for another resource."""


def shorten_headers(environ: Environ) -> None:
    """Cuts headers before any library sees them; nobody sends longer ones that mean anything here."""
    for name in NEVER_READ & environ.keys():
        del environ[name]
    for name in MOST_READ.keys() & environ.keys():
        value, most = environ[name], MOST_READ[name]
        if len(value) > most or "  " in value:
            environ[name] = " ".join(value.split())[:most]  # many blanks in a row are what costs most


def reader_language(environ: Environ, available: Sequence[str]) -> str:
    """The language the request asks for, of those available."""
    header = environ.get("HTTP_ACCEPT_LANGUAGE")
    return preferred(header, available) if header else ORIGINAL


def gzipped(content: bytes) -> bytes | None:
    """A content compressed with gzip; None if it is too short for that."""
    return compress(content, 6, mtime=0) if len(content) > WORTH_COMPRESSING else None


def compressible(content: bytes, compressed: bytes | None, media_type: str) -> Response:
    """An answer with an ETag, compressed if that is wanted and there is such a form."""
    tag = sha256(content).hexdigest()[:32]
    if compressed is not None and request.accept_encodings.quality("gzip") > 0:
        response = Response(compressed, mimetype=media_type, headers={"Content-Encoding": "gzip"})
        tag += "-gzip"
    else:
        response = Response(content, mimetype=media_type)
    response.set_etag(tag)
    response.vary.add("Accept-Encoding")
    return response


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
