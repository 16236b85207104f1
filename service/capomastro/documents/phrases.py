"""Phrases for sentences about errors in documents."""

from collections.abc import Iterable, Sequence
from json import dumps
from typing import Any, NamedTuple

from capomastro.documents.sentences import isolated

EXCERPT = 40
"""Maximum number of characters repeated of a submitted text."""

LONG_NAME = 100
"""Longer member names are not repeated."""

MAXIMUM_CHOICES = 20
"""Maximum number of allowed values listed."""


class ShapeError(NamedTuple):
    """An error: its place as a JSON Pointer (RFC 6901) into the document, and a sentence."""

    pointer: str
    message: str


def pointer_to(path: Iterable[str | int]) -> str:
    """The JSON Pointer (RFC 6901) for a path."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def type_name(instance: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", type(None): "null"}
    return names.get(type(instance), "number")


def with_article(name: str) -> str:
    if name == "null":
        return name
    return f"an {name}" if name[0] in "aio" else f"a {name}"


def number_and_noun(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def shown(text: str, keep: str = "") -> str:
    """A text as it was written, with escapes only for what is invisible or breaks lines, except what is in `keep`.

    So nobody can hide something in it, steer a terminal, or begin a line of their own.
    """
    if text.isprintable():
        return text
    return "".join(
        [character if character.isprintable() or character in keep else escape(character) for character in text]
    )


def escape(character: str) -> str:
    """How JSON writes a character in ASCII; `\\xeb` for a byte that is none, as in names of files."""
    is_byte = "\udc80" <= character <= "\udcff"
    return f"\\x{ord(character) - 0xDC00:02x}" if is_byte else dumps(character)[1:-1]


def json_string(text: str) -> str:
    """A text as a JSON string, with escapes only where JSON needs them, and for what is invisible or breaks lines."""
    return shown(dumps(text, ensure_ascii=False))


def quoted(text: str) -> str:
    """A text in quotation marks for a sentence, as a JSON string that does not turn what stands beside it."""
    return isolated(json_string(text))


def excerpt(value: Any) -> str:
    """A submitted value if it is short, otherwise its beginning or its type."""
    if isinstance(value, list | dict):
        return with_article(type_name(value))
    if isinstance(value, str):
        return quoted(value) if len(value) <= EXCERPT else f"{quoted(value[:EXCERPT])} … ({len(value)} characters)"
    text = dumps(value)
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}… ({len(text)} characters)"


def choices(values: Sequence[Any]) -> str:
    """A list of allowed values; if there are many, the first ones and the last."""
    texts = [value if isinstance(value, str) else dumps(value) for value in values]
    if len(texts) == 1:
        return texts[0]
    if len(texts) > MAXIMUM_CHOICES:
        return f"one of: {', '.join(texts[:3])}, … {texts[-1]} ({len(texts)} in all)"
    return f"one of: {', '.join(texts)}"
