"""Encodes JSON, and decodes it strictly.

Refused when decoding: malformed JSON, NaN, lone surrogates, duplicate names in an object, numbers that are not written
as integers (including 1.0) or have too many digits, nesting that is too deep.
"""

import json
import re
from codecs import BOM_UTF8
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

MAXIMUM_PARTS = 500_000
"""Maximum number of brackets, braces and commas in a document that somebody sends; no record has so many."""
STRING = re.compile(rb'"[^"]*"([ \t\r\n]*:)?')
"""A string in a text without backslashes, and what makes it a name."""
TOKEN = re.compile(rb'"([^"]*)"[ \t\r\n]*:|"[^"]*"|[\[\]{},]')
BLANK = re.compile(rb"[ \t\r\n]*+")
LONE = re.compile(rb"\\u[dD][89aAbB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89aAbB]..)\\u[dD][c-fC-F]..", re.DOTALL)
"""Half a surrogate pair, in such a text."""
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


def reject_float(text: str) -> None:
    raise ValueError(f"the number {shown(text[:20])} is not written as an integer")


# Every usual document is an object. Each level of nesting doubles the time it takes to make this decoder.
_usual_decoder = msgspec.json.Decoder(dict[str, values_within(USUAL_DEPTH - 1)])  # type: ignore[misc]
_decoder = msgspec.json.Decoder(float_hook=reject_float)
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
    if again != text and has_more_names(text, again):
        del value, again
        require_unique_names(text, quoting)
    return value


def require_few_parts(text: bytes) -> None:
    """Refuses a JSON text that would take much more memory than its length, before it is decoded.

    Raises:
        Problem: `too-large`.
    """
    if len(text) > MAXIMUM_PARTS and sum(map(text.count, (b"[", b"]", b"{", b"}", b","))) > MAXIMUM_PARTS:
        raise Problem("too-large", phrase("too-many-parts", most=MAXIMUM_PARTS))


def decode_unusual(text: bytes) -> Any:
    """Decodes a text that is deeply nested; explains why another one is not acceptable."""
    too_deep = Problem("malformed-json", phrase("nesting", depth=MAXIMUM_DEPTH))
    try:
        value = _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Problem("malformed-json", phrase("malformed-json", reason=why_unreadable(text, error))) from None
    except RecursionError:
        raise too_deep from None
    if not is_shallow(value):
        raise too_deep
    return value


def why_unreadable(text: bytes, error: Exception) -> str:
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
    """Whether lone surrogates are all that is wrong with a refused text: without them it is accepted.

    The decoder refuses them too, but with misleading messages, such as an unexpected end of the text.
    """
    mended, count = LONE.subn(rb"\\u0020", without_backslashes(text))
    if not count:
        return False
    try:
        _decoder.decode(mended)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True


def without_backslashes(text: bytes) -> bytes:
    """The text, of the same length, without backslashes and quotation marks that are characters of a string."""
    return text.replace(b"\\\\", b"//").replace(b'\\"', b"//")


def is_shallow(value: Any) -> bool:
    """Whether the nesting is at most `MAXIMUM_DEPTH`, checked level by level."""
    level = [value]
    for _ in range(MAXIMUM_DEPTH + 1):
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            return True
        level = [item for each in level for item in (each.values() if isinstance(each, dict) else each)]
    return False


def has_more_names(text: bytes, again: bytes) -> bool:
    """Whether a text has more names than what was decoded of it, since the decoder keeps the last of two.

    Strings are the same in both unless there are escapes, so that colons can be counted; escapes can hide a colon.
    """
    if b"\\" in text:
        return count_names(text) != count_names(again)
    return text.count(b":") != again.count(b":")


def count_names(text: bytes) -> int:
    """The number of names in a valid text."""
    return sum(found[1] is not None for found in STRING.finditer(without_backslashes(text)))


def require_unique_names(text: bytes, quoting: bool) -> None:
    """Raises for the first name that occurs twice in an object; points to it, or to the object if it is long."""
    path = path_to_duplicate(text)
    if not quoting:
        raise Problem("malformed-json", phrase("some-name-twice"))
    detail = phrase("name-twice", name=quoted(str(path[-1])[:EXCERPT]))
    pointer = pointer_to(takewhile(lambda step: len(str(step)) <= LONG_NAME, path))
    raise Problem("malformed-json", detail, [{"pointer": pointer, "message": detail}])


def path_to_duplicate(text: bytes) -> list[str | int]:
    """The path to the first name that occurs a second time in its object.

    The text is read token by token: of its values nothing is kept but the names of the objects that are open.

    Raises:
        ValueError: if there is none.
    """
    path: list[str | int] = []
    open_names: list[set[str]] = []
    for token in TOKEN.finditer(without_backslashes(text)):
        if token[1] is not None:
            path[-1] = name = unescaped(text[token.start(1) : token.end(1)])
            if name in open_names[-1]:
                return path
            open_names[-1].add(name)
        elif token[0] in b"[{":
            path.append(0)
            open_names.append(set())
        elif token[0] in b"]}":
            path.pop()
            open_names.pop()
        elif token[0] == b"," and isinstance(path[-1], int):
            path[-1] += 1
    raise ValueError("no name occurs twice")


def unescaped(string: bytes) -> str:
    """The text of a string without its quotation marks; hardly any has escapes, which take several times as long."""
    plain: str = json.loads(b'"%b"' % string) if b"\\" in string else string.decode()
    return plain


def place_in(text: bytes, pointer: str) -> tuple[int, int]:
    """Line and column, from 1, of the value at `pointer` in a valid text, or of the innermost value around it.

    The text is read token by token up to that value.
    """
    wanted = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    plain = without_backslashes(text)
    path: list[str | int] = []
    start, met = 0, 0
    for token in TOKEN.finditer(plain):
        if token[1] is not None:
            path[-1] = unescaped(text[token.start(1) : token.end(1)])
        elif token[0] in b"[{":
            path.append(0 if token[0] == b"[" else "")
        elif token[0] in b"]}":
            path.pop()
            if len(path) < met:
                break
        elif token[0] == b"," and isinstance(path[-1], int):
            path[-1] += 1
        begins = token[1] is not None or token[0] == b"[" or (token[0] == b"," and path and isinstance(path[-1], int))
        if begins and len(path) == met + 1 and met < len(wanted) and str(path[-1]) == wanted[met]:
            met += 1
            blank = BLANK.match(plain, token.end())
            assert blank is not None
            start = blank.end()
        if met == len(wanted):
            break
    return line_and_column(text, start)


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


def begins_as_object(text: str) -> bool:
    """Whether a text can be JSON of an object; what begins so is none in text notation."""
    return text.lstrip(WHITE_SPACE).startswith("{")


def encode(value: Any) -> bytes:
    """Encodes a value as JSON, with members in the order of the document."""
    return _encoder.encode(value)


def canonical(value: Any) -> bytes:
    """Encodes a value as canonical JSON (RFC 8785), given that it has only integers, texts and ASCII names."""
    return _canonical_encoder.encode(value)


def state_hash(state: Any) -> str:
    """The SHA-256 of the canonical JSON, in hexadecimal."""
    return sha256(_canonical_encoder.encode(state)).hexdigest()
