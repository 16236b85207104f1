"""Damages documents in every way in which a client's document can have the wrong shape."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

WRONG_TYPES: tuple[Any, ...] = (None, True, 1, -1, 1.5, 2**64, 10**40, "", "brick", [], [[]], {}, {"type": "brick"})


class Damaged(NamedTuple):
    """A damaged copy of a document, with the kind and place of the damage."""

    kind: str
    pointer: str
    document: Any


def arabic(text: str) -> str:
    """The text with its digits replaced by Arabic-Indic ones."""
    return text.translate({ord("0") + digit: 0x660 + digit for digit in range(10)})


def places(document: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path to every value within a document."""
    yield path
    if isinstance(document, dict | list):
        for step in document if isinstance(document, dict) else range(len(document)):
            yield from places(document[step], (*path, step))


def at(document: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


def damages(value: Any) -> Iterator[tuple[str, Any]]:
    """Replacements for `value`, by kind of damage."""
    yield from (("other type", wrong) for wrong in WRONG_TYPES if type(wrong) is not type(value) or wrong != value)
    if isinstance(value, dict):
        yield "added member", {**value, "added": 1}
        for name in value:
            rest = {other: member for other, member in value.items() if other != name}
            yield "dropped member", rest
            yield "renamed member", {**rest, name + "s": value[name]}
            yield "renamed member", {**rest, name.swapcase(): value[name]}
    elif isinstance(value, list):
        yield "longer", value * 60
        yield "one more", [*value, value[-1] if value else "brick"]
        yield "one fewer", value[1:]
    elif isinstance(value, str):
        yield "line feed", value + "\n"
        yield "blank", " " + value
        yield "other token", value[:-1]
        if value != value.upper():
            yield "upper case", value.upper()
        if value != arabic(value):
            yield "other digits", arabic(value)
    elif type(value) is int:
        yield "negative", -value - 1
        yield "as text", str(value)
        yield "fraction", value + 0.5
        yield "float", float(value)
        yield "too large", value + 10**6 + 1


def damaged(document: Any, random: Random, number: int) -> Iterator[Damaged]:
    """`number` copies of a document, each damaged in one place; every kind of damage is equally likely."""
    every = [(path, kind, wrong) for path in places(document) for kind, wrong in damages(at(document, path))]
    by_kind: dict[str, list[tuple[tuple[str | int, ...], str, Any]]] = {}
    for one in every:
        by_kind.setdefault(one[1], []).append(one)
    kinds = sorted(by_kind)
    first = random.randrange(len(kinds))
    for index in range(first, first + number):
        path, kind, wrong = random.choice(by_kind[kinds[index % len(kinds)]])
        yield Damaged(kind, "".join(f"/{step}" for step in path), replaced(document, path, wrong))


def replaced(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy of the document with `value` at the end of `path`."""
    if not path:
        return value
    copy: Any = document.copy()
    copy[path[0]] = replaced(document[path[0]], path[1:], value)
    return copy
