"""Encodes JSON, and decodes it strictly.

Refused when decoding: malformed JSON, NaN, lone surrogates, duplicate names in an object, numbers that are not written
as integers (including 1.0) or have too many digits, nesting that is too deep.
"""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable
from hashlib import sha256
from itertools import takewhile
from typing import Any

import msgspec

from capomastro.documents.phrases import EXCERPT, LONG_NAME, pointer_to, quoted, shown
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase

MAXIMUM_DEPTH = 32
"""Maximum nesting of objects and arrays."""
USUAL_DEPTH = 10
"""No valid request is nested more deeply."""

WHITE_SPACE = " \t\r\n"
"""What JSON has between its values (RFC 8259); Python takes far more for white space."""

BYTE = re.compile(r"\(byte (\d+)\)$")
"""Where the decoder found an error."""
LONE_SURROGATE = "a text has half a surrogate pair (\\ud800 to \\udfff), which is not a character"


def values_within(depth: int) -> Any:
    """The type of acceptable JSON values: the only numbers are integers, and nesting is at most `depth`."""
    plain = str | int | bool | None
    if not depth:
        return plain
    inner = values_within(depth - 1)
    return plain | list[inner] | dict[str, inner]  # type: ignore[valid-type]


def refuse_float(text: str) -> None:
    raise ValueError(f"the number {shown(text[:20])} is not written as an integer")


# Every usual document is an object. Each level of nesting doubles the time it takes to make this decoder.
_usual_decoder = msgspec.json.Decoder(dict[str, values_within(USUAL_DEPTH - 1)])  # type: ignore[misc]
_decoder = msgspec.json.Decoder(float_hook=refuse_float)
_encoder = msgspec.json.Encoder()
_canonical_encoder = msgspec.json.Encoder(order="sorted")


def decode(text: bytes, quoting: bool = True) -> Any:
    """Decodes a JSON text; without `quoting` no error repeats a name or a text of it.

    Raises:
        Problem: `malformed-json`.
    """
    try:
        value = _usual_decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        value = decode_unusual(text)
    again = _encoder.encode(value)
    if again != text and (b"\\" in text or text.count(b":") != again.count(b":")):
        refuse_duplicate_names(text, quoting)
    return value


def decode_unusual(text: bytes) -> Any:
    """Decodes a text that is deeply nested; explains why another one is not acceptable."""
    too_deep = Problem("malformed-json", phrase("nesting", depth=MAXIMUM_DEPTH))
    try:
        value = _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Problem("malformed-json", phrase("malformed-json", reason=reason_of(text, error))) from None
    except RecursionError:
        raise too_deep from None
    if not is_shallow(value):
        raise too_deep
    return value


def reason_of(text: bytes, error: Exception) -> str:
    """Why a text was refused: in the decoder's words, unless they would mislead."""
    if text.startswith(BOM_UTF8):
        return "it begins with a byte order mark"
    try:
        text.decode()
    except UnicodeDecodeError as wrong:
        return f"it is not UTF-8 ({place(text, wrong.start)})"
    if has_lone_surrogate(text):
        return LONE_SURROGATE
    reason = str(error).removeprefix("JSON is malformed: ").partition(" - at `")[0]
    return BYTE.sub(lambda found: f"({place(text, int(found[1]))})", reason)


def place(text: bytes, byte: int) -> str:
    """Where a byte is: in its line, if that is not the first."""
    line, column = line_and_column(text, byte)
    return f"byte {byte}" if line == 1 else f"line {line}, column {column}"


def line_and_column(text: bytes, byte: int) -> tuple[int, int]:
    """Where a byte is, as editors count."""
    before = text[:byte].decode(errors="replace")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def has_lone_surrogate(text: bytes) -> bool:
    """Whether lone surrogates are all that is wrong with a refused text: the standard library accepts them.

    The decoder refuses them too, but with misleading messages, such as an unexpected end of the text.
    """
    if b"\\ud" not in text.lower():
        return False
    try:
        json.dumps(json.loads(text.decode()), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        pass  # the text has other errors too
    return False


def is_shallow(value: Any) -> bool:
    """Whether the nesting is at most `MAXIMUM_DEPTH`, checked level by level."""
    level = [value]
    for _ in range(MAXIMUM_DEPTH + 1):
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            return True
        level = [item for each in level for item in (each.values() if isinstance(each, dict) else each)]
    return False


def refuse_duplicate_names(text: bytes, quoting: bool) -> None:
    """Raises if a name occurs twice in an object; the error points to it, or to the object if the name is long.

    The decoder keeps the last of two, so encoding the value again gives a shorter text. `decode` therefore compares the
    two texts, which are equal for most clients, or else the numbers of colons. Escapes could hide a colon, so a
    differing text with escapes always comes here.
    """
    value = json.loads(text, object_pairs_hook=object_of_pairs)
    path = path_to_duplicate(value) if isinstance(value, dict | list) else None
    if path is None:
        return
    if not quoting:
        raise Problem("malformed-json", phrase("some-name-twice"))
    detail = phrase("name-twice", name=quoted(str(path[-1])[:EXCERPT]))
    pointer = pointer_to(takewhile(lambda step: len(str(step)) <= LONG_NAME, path))
    raise Problem("malformed-json", detail, [{"pointer": pointer, "message": detail}])


class ObjectWithDuplicate(dict[str, Any]):
    """An object in which a name occurs twice."""

    duplicate: str


def object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object with these members; an `ObjectWithDuplicate` if a name occurs twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        members = ObjectWithDuplicate(members)
        members.duplicate = first_duplicate(name for name, _ in pairs)
    return members


def path_to_duplicate(value: Any) -> list[str | int] | None:
    """The path to the first name that occurs twice, in reading order; None if there is none."""
    steps: Iterable[tuple[str | int, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    for step, item in steps:
        if isinstance(item, dict | list):
            path = path_to_duplicate(item)
            if path is not None:
                return [step, *path]
    return [value.duplicate] if isinstance(value, ObjectWithDuplicate) else None


def first_duplicate(names: Iterable[str]) -> str:
    """The first name that occurs a second time, in linear time.

    Raises:
        ValueError: if all are different.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    raise ValueError("no name occurs twice")


def begins_as_object(text: str) -> bool:
    """Whether a text can be JSON of an object; what begins so is none in text notation."""
    return text.lstrip(WHITE_SPACE).startswith("{")


def is_text(text: str) -> bool:
    """Whether a text has only characters: in Python it can also have lone surrogates, which stand for other bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def utf8(text: str) -> bytes:
    """A text as bytes.

    Raises:
        Problem: `malformed-json` if it has lone surrogates, as texts have in Python that were bytes and no characters.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Problem("malformed-json", phrase("malformed-json", reason=LONE_SURROGATE)) from None


def encode(value: Any) -> bytes:
    """Encodes a value as JSON, with members in the order of the document."""
    return _encoder.encode(value)


def canonical(value: Any) -> bytes:
    """Encodes a value as canonical JSON (RFC 8785), given that it has only integers, texts and ASCII names."""
    return _canonical_encoder.encode(value)


def state_hash(state: Any) -> str:
    """The SHA-256 of the canonical JSON, in hexadecimal."""
    return sha256(_canonical_encoder.encode(state)).hexdigest()
