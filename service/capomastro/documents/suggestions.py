"""Suggestions in error messages: the known word nearest to an unknown one, and the likely kind of a wrong document."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from itertools import takewhile
from typing import Any

from capomastro.documents.json_text import WHITE_SPACE
from capomastro.documents.phrases import quoted
from capomastro.documents.wordings import phrase

LONGEST_WORD = 60
"""Longer words get no suggestion: comparing takes time that grows with the square of their length."""

MAXIMUM_SUGGESTIONS = 5
"""A request with more unknown words gets suggestions for the first ones."""

NEAR_ENOUGH = 0.65
"""The share of their characters, in order, that two similar words have in common."""

KINDS: dict[str, frozenset[str]] = {
    "record": frozenset({"game", "players", "moves"}),
    "state": frozenset({"game", "seats", "stage"}),
    "scoresheet": frozenset({"game", "seats"}),
    "move": frozenset({"type"}),
}
"""The members by which each kind of document is recognised; the first that fits counts."""


def nearest_word(word: Any, known: Iterable[Any]) -> str | None:
    """The known word nearest to `word`, if one is near enough; anything but texts is ignored."""
    if not isinstance(word, str) or len(word) > LONGEST_WORD:
        return None
    words = [candidate for candidate in known if isinstance(candidate, str) and candidate != word]
    near = get_close_matches(word, words, n=len(words), cutoff=NEAR_ENOUGH) if words else []
    return next((candidate for candidate in near if is_near_in_its_own_part(word, candidate)), None)


def is_near_in_its_own_part(word: str, known: str) -> bool:
    """Whether two ids are similar even without the sections they share: `palazzo.` is in every rule of Palazzo."""
    parts, known_parts = word.split("."), known.split(".")
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(parts, known_parts, strict=False)))
    rest, known_rest = ".".join(parts[shared:]), ".".join(known_parts[shared:])
    return SequenceMatcher(None, rest, known_rest).ratio() >= NEAR_ENOUGH


def did_you_mean(word: Any, known: Iterable[Any]) -> str:
    """A sentence such as ' Did you mean “palazzo”?', to be appended to another; empty if no known word is near."""
    near = nearest_word(word, known)
    return " " + phrase("did-you-mean", near=near) if near else ""


def did_you_mean_clause(word: Any, known: Iterable[Any]) -> str:
    """The same, as a clause that ends a message: '; did you mean "palazzo"?'."""
    near = nearest_word(word, known)
    return f"; did you mean {quoted(near)}?" if near else ""


def kind_of_document(document: Any) -> str | None:
    """The kind of document that a JSON value looks like; None if it looks like none."""
    if not isinstance(document, dict):
        return None
    return next((kind for kind, members in KINDS.items() if members <= document.keys()), None)


def looks_like(document: Any, expected: str) -> str:
    """A sentence such as " It looks like a state." if a document is not of the expected kind; otherwise empty."""
    if isinstance(document, str):
        return " " + phrase("looks-like-json") if document.lstrip(WHITE_SPACE)[:1] in ("{", "[") else ""
    kind = kind_of_document(document)
    if kind is None and isinstance(document, dict) and isinstance(document.get(expected), dict):
        return " " + phrase("only-one-member", member=expected)
    return " " + phrase(f"looks-like-{kind}") if kind not in (None, expected) else ""
