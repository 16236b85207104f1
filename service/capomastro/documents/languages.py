"""The languages of answers: which there are, which one a reader prefers, and which one is spoken now.

What says a sentence takes the language from its context (`speaking`), as it takes its deadline: from the request or the
command line, so that no function on the way there has to hand it on.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from importlib.resources import files

ORIGINAL = "en"
"""The language the others are translated from, and in which everything is there."""

_spoken: ContextVar[str] = ContextVar("language", default=ORIGINAL)

RANGE = re.compile(
    r"([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)(?:\s*;\s*[Qq]\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?"
)
"""A range of `Accept-Language` (RFC 9110) with its weight."""


def spoken() -> str:
    """The language of what is said now."""
    return _spoken.get()


def speak(language: str) -> None:
    """From now on everything is said in `language`, in this context."""
    _spoken.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Whatever is said within is said in `language`."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


@cache
def languages(package: str) -> tuple[str, ...]:
    """The languages a package has words in, `words.<language>.toml`: the original first, then by their codes."""
    found = {
        file.name.split(".")[1] for file in files(package).iterdir() if re.fullmatch(r"words\.[a-z-]+\.toml", file.name)
    }
    return tuple(sorted(found, key=lambda language: (language != ORIGINAL, language)))


@lru_cache(maxsize=1024)
def preferred(header: str, available: Sequence[str]) -> str:
    """The first of the `available` languages that `Accept-Language` asks for: RFC 4647's lookup, range by range.

    A range that fits no language loses its last subtag until it does: `de-AT` is German. What is not a range is passed
    over. If nothing fits, it is the first language that the header does not exclude by `q=0`.
    """
    ranges = [
        (found[1].lower(), float(found[2] or 1))
        for part in header.split(",")
        if (found := RANGE.fullmatch(part.strip()))
    ]
    excluded = {language for language, weight in ranges if not weight}
    allowed = [language for language in available if language not in excluded] or list(available)
    for language, _ in sorted((one for one in ranges if one[1]), key=lambda one: -one[1]):
        if language == "*":
            return allowed[0]
        for shorter in shortened(language):
            if shorter in allowed:
                return shorter
    return allowed[0]


def shortened(language: str) -> Iterator[str]:
    """A language range and what is left of it without its last subtags; a single letter goes with what follows it."""
    subtags = language.split("-")
    while subtags:
        yield "-".join(subtags)
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:
            subtags.pop()
