"""The languages of answers: the available ones, the one a reader prefers, and the current one.

The current language belongs to the context, like a deadline: a request or the command line sets it, and the functions
that word sentences read it, so that no function in between has to pass it on.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from importlib.resources import files

ORIGINAL = "en"
"""The language that the others are translated from; only it is always complete."""

_language: ContextVar[str] = ContextVar("language", default=ORIGINAL)

RANGE = re.compile(
    r"([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)(?:\s*;\s*[Qq]\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?"
)
"""A range of `Accept-Language` (RFC 9110) with its weight."""


def current_language() -> str:
    """The language of this context."""
    return _language.get()


def set_language(language: str) -> None:
    """Sets the language of this context."""
    _language.set(language)


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """Sets the language within a block."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


_brief: ContextVar[bool] = ContextVar("brief", default=False)


def is_brief() -> bool:
    """Whether sentences in this context leave out the player, and what their place says."""
    return _brief.get()


@contextmanager
def using_brief_texts(brief: bool = True) -> Iterator[None]:
    """Makes sentences brief within a block."""
    token = _brief.set(brief)
    try:
        yield
    finally:
        _brief.reset(token)


@cache
def languages(package: str) -> tuple[str, ...]:
    """The languages for which a package has a `words.<language>.toml`: the original first, then by code."""
    found = {
        file.name.split(".")[1] for file in files(package).iterdir() if re.fullmatch(r"words\.[a-z-]+\.toml", file.name)
    }
    return tuple(sorted(found, key=lambda language: (language != ORIGINAL, language)))


@lru_cache(maxsize=1024)
def preferred(header: str, available: Sequence[str]) -> str:
    """The first of the `available` languages that `Accept-Language` asks for: RFC 4647's lookup, range by range.

    A range that fits no language loses its last subtag until it does: `de-AT` is German. Anything that is not a range
    is ignored. If nothing fits, the answer is the first language that the header does not exclude by `q=0`.
    """
    ranges = [
        (found[1].lower(), float(found[2] or 1))
        for part in header.split(",")
        if (found := RANGE.fullmatch(part.strip()))
    ]
    excluded = {language for language, weight in ranges if not weight}
    allowed = [language for language in available if language not in excluded] or list(available)
    for language, _ in sorted((wanted for wanted in ranges if wanted[1]), key=lambda wanted: -wanted[1]):
        if language == "*":
            return allowed[0]
        for shorter in less_specific(language):
            if shorter in allowed:
                return shorter
    return allowed[0]


def less_specific(language: str) -> Iterator[str]:
    """A range, then the same without its last subtags, one by one; a single letter goes with the subtag after it."""
    subtags = language.split("-")
    while subtags:
        yield "-".join(subtags)
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:
            subtags.pop()
