"""Shrinks a request that shows a fault, as long as it shows the same fault."""

import json
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

from tests.campaigns.asking import Request
from tests.support.damage import at, places, replaced

MAXIMUM_TRIES = 3_000
Shows = Callable[[Request], bool]


def shrunk(request: Request, shows: Shows, seconds: float = 60) -> Request:
    """The smallest request found within limits of time and tries that still shows the fault."""
    until = monotonic() + seconds
    tries = 0

    def still(candidate: Request) -> bool:
        nonlocal tries
        tries += 1
        return shows(candidate)

    smaller = True
    while smaller:
        smaller = False
        for candidate in candidates(request):
            if tries >= MAXIMUM_TRIES or monotonic() > until:
                return request
            if still(candidate):
                request, smaller = candidate, True
                break
    return request


def candidates(request: Request) -> Iterator[Request]:
    """Requests that are a little smaller, the boldest first."""
    if request.query:
        yield request._replace(query="")
    for name in request.headers:
        yield request._replace(headers={other: value for other, value in request.headers.items() if other != name})
    try:
        document = json.loads(request.body)
    except (ValueError, RecursionError):
        bodies = shorter_texts(request.body)
    else:
        bodies = (json.dumps(smaller, ensure_ascii=False).encode() for smaller in smaller_documents(document))
    for body in bodies:
        if len(body) < len(request.body):
            yield request._replace(body=body)


def shorter_texts(text: bytes) -> Iterator[bytes]:
    """The text without a piece of it: halves, quarters, down to single bytes."""
    size = len(text) // 2
    while size:
        yield from (text[:start] + text[start + size :] for start in range(0, len(text), size))
        size //= 2


def smaller_documents(document: Any) -> Iterator[Any]:
    """The document without a part of it: halves of lists, members, items; short texts for long ones."""
    for path in sorted(places(document), key=len):
        value = at(document, path)
        if isinstance(value, list):
            size = len(value)
            while size:
                for start in range(0, len(value), size):
                    yield replaced(document, path, value[:start] + value[start + size :])
                size //= 2
        elif isinstance(value, dict):
            for name in value:
                yield replaced(document, path, {other: below for other, below in value.items() if other != name})
        elif isinstance(value, str) and len(value) > 1:
            yield replaced(document, path, value[: len(value) // 2])
