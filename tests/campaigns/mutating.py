"""Small changes: of texts byte by byte, and of single places in documents."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from tests.campaigns.corpus import Corpus
from tests.support.damage import damages, replaced

NUMBERS = (0, 1, -1, 2, 99, 100, 101, 9_999, 10_000, 10_001, 499_999, 500_000, 1_000_000, 1_000_001, 2**31, 2**53 + 1)
HUGE = (2**63, 2**64, 10**40, -(10**40))
PIECES = (
    b'"',
    b"\\",
    b"\\ud800",
    b"\\ud83d\\ude00",
    b"\\u0000",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[[[[[[[[",
    b",",
    b":",
    b"\n",
    b"\r\n",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    "٣".encode(),
    b"NaN",
    b"-",
    b"1e9",
    b"1.0",
    b"null",
    b"true",
    b'"type":"',
    b"#",
    b"'",
    b" " * 50,
    b"9" * 30,
)
DIGITS = re.compile(rb"-?\d+")
MEMBER = re.compile(rb'"\w+":')


# --- texts -----------------------------------------------------------------------------------------------------------


def spoilt_text(random: Random, text: bytes) -> bytes:
    """The text with one to three changes."""
    for _ in range(random.choice((1, 1, 2, 3))):
        text = random.choice(TEXT_CHANGES)(random, text)
    return text


def piece_of(random: Random, text: bytes) -> tuple[int, int]:
    """A piece of a text, usually a short one."""
    start = random.randrange(len(text) + 1)
    return start, min(len(text), start + random.choice((1, 2, 8, 64, 512)))


def without_piece(random: Random, text: bytes) -> bytes:
    start, end = piece_of(random, text)
    return text[:start] + text[end:]


def piece_twice(random: Random, text: bytes) -> bytes:
    start, end = piece_of(random, text)
    return text[:end] + text[start:end] * random.choice((1, 1, 2, 50)) + text[end:]


def piece_inserted(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(PIECES) + text[at:]


def other_byte(random: Random, text: bytes) -> bytes:
    if not text:
        return b"0"
    at = random.randrange(len(text))
    return text[:at] + bytes([random.randrange(256)]) + text[at + 1 :]


def broken_off(random: Random, text: bytes) -> bytes:
    return text[: random.randrange(len(text) + 1)]


def other_number(random: Random, text: bytes) -> bytes:
    return at_a_match(random, text, DIGITS, lambda _: str(random.choice(NUMBERS + HUGE)).encode())


def member_twice(random: Random, text: bytes) -> bytes:
    return at_a_match(random, text, MEMBER, lambda member: member + b"null," + member)


def escaped_member(random: Random, text: bytes) -> bytes:
    return at_a_match(random, text, MEMBER, lambda member: b'"\\u%04x' % member[1] + member[2:])


def at_a_match(random: Random, text: bytes, pattern: re.Pattern[bytes], change: Callable[[bytes], bytes]) -> bytes:
    """One of the matches changed."""
    start = random.randrange(len(text) + 1)
    found = pattern.search(text, start) or pattern.search(text)
    return text if found is None else text[: found.start()] + change(found[0]) + text[found.end() :]


TEXT_CHANGES = (
    without_piece,
    piece_twice,
    piece_inserted,
    other_byte,
    broken_off,
    other_number,
    member_twice,
    escaped_member,
)


# --- documents -------------------------------------------------------------------------------------------------------


def spoilt(random: Random, document: Any, corpus: Corpus, *, gently: bool = True) -> Any:
    """A copy of a document with one to three changes; gentle ones usually keep its shape valid."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        path, name = a_place(random, document)
        value = value_at(document, path)
        changed = another(random, name, value, corpus) if gently else damage(random, value)
        document = replaced(document, path, changed)
    return document


def a_place(random: Random, document: Any) -> tuple[tuple[str | int, ...], str]:
    """The path to a value within a document, and the name of the member it is in."""
    path: list[str | int] = []
    name = ""
    value = document
    while isinstance(value, dict | list) and value and (not path or random.random() < 0.85):
        step: Any
        if isinstance(value, dict):
            step = name = random.choice(list(value))
        else:
            step = random.randrange(len(value))
        path.append(step)
        value = value[step]
    return tuple(path), name


def value_at(document: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        document = document[step]
    return document


def another(random: Random, name: str, value: Any, corpus: Corpus) -> Any:
    """Another value that could be in the same place."""
    if isinstance(value, bool):
        return not value
    seen = corpus.by_name.get(name)
    if seen and random.random() < 0.4:
        other = random.choice(seen)
        if type(other) is type(value):
            return other
    if isinstance(value, int):
        return random.choice((value - 1, value + 1, value + 1, random.choice(NUMBERS)))
    if isinstance(value, str):
        return random.choice(corpus.tokens)
    if isinstance(value, list):
        return other_list(random, value, seen)
    if isinstance(value, Mapping) and value:
        dropped = random.choice(list(value))
        return {member: below for member, below in value.items() if member != dropped}
    return random.choice(seen) if seen else value


def other_list(random: Random, value: list[Any], seen: Sequence[Any] | None) -> list[Any]:
    """The list shuffled, or with an item removed, repeated, or added from such lists."""
    way = random.randrange(5)
    if way == 0:
        return random.sample(value, len(value))
    if way == 1 and value:
        index = random.randrange(len(value))
        return value[:index] + value[index + 1 :]
    if way == 2 and value:
        return [*value, random.choice(value)]
    if way == 3 and value:
        return value * random.choice((2, 3, 40))
    items = [item for item in random.sample(seen, min(5, len(seen))) if not isinstance(item, list)] if seen else []
    return [*value, *items[:1]]


def damage(random: Random, value: Any) -> Any:
    """A value that is hardly acceptable in that place."""
    if random.random() < 0.1:
        return random.choice(HUGE)
    _, damaged = random.choice(list(damages(value)))
    return damaged


def encoded(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(errors="surrogatepass")
