"""JSON text in and out, with the traps of the format closed.

Refused when decoding: what is not JSON, NaN, lone surrogates, names that occur twice in an object, numbers that are
not integers (1.0 as well: no document has one) or have too many digits, nesting that is too deep.
"""

import json
import re
from hashlib import sha256
from itertools import accumulate
from typing import Any

import msgspec

from capomastro.documents.problems import Problem

MAXIMUM_DEPTH = 32
NEITHER_BRACKETS_NOR_QUOTES = bytes(byte for byte in range(256) if byte not in b'[]{}"')
AS_SQUARE = bytes.maketrans(b"{}", b"[]")
OPENING = ord("[")
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""Also one that is never closed: or each of its quotation marks would be tried as the beginning of one."""


def refuse_float(text: str) -> None:
    raise ValueError(f"the number {text[:20]} is not written as an integer")


_decoder = msgspec.json.Decoder(float_hook=refuse_float)
_encoder = msgspec.json.Encoder()
_canonical_encoder = msgspec.json.Encoder(order="sorted")


def decode(text: bytes) -> Any:
    """The value of a JSON text.

    Raises:
        Problem: `malformed-json`.
    """
    if not shallow(text):
        raise Problem("malformed-json", f"The nesting is deeper than {MAXIMUM_DEPTH}.")
    try:
        value = _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        reason = str(error).removeprefix("JSON is malformed: ")
        raise Problem("malformed-json", f"This is not acceptable JSON: {reason}.") from None
    again = _encoder.encode(value)
    if again != text and (b"\\" in text or text.count(b":") != again.count(b":")):
        refuse_duplicate_names(text)
    return value


def shallow(text: bytes) -> bool:
    """Whether the nesting is at most `MAXIMUM_DEPTH`."""
    skeleton = text.translate(AS_SQUARE, NEITHER_BRACKETS_NOR_QUOTES).replace(b'""', b"")
    if b'"' in skeleton or b"\\" in text:
        # a string with a bracket leaves its first quotation mark alone: only brackets outside of strings count
        skeleton = STRING.sub(b"", text).translate(AS_SQUARE, NEITHER_BRACKETS_NOR_QUOTES)
    rest = skeleton
    for _ in range(MAXIMUM_DEPTH):
        if not rest:
            return True
        rest = rest.replace(b"[]", b"")
    # what is left is too deep, or not closed: that the decoder says better
    return not rest or max(accumulate(1 if bracket == OPENING else -1 for bracket in skeleton)) <= MAXIMUM_DEPTH


def refuse_duplicate_names(text: bytes) -> None:
    """Raises if a name occurs twice in an object.

    No decoder refuses that; but one that keeps the last of two writes less than it read, which is what `decode` looks
    for: at the whole text, which most clients write as we do, without blanks; else at the number of colons (escapes
    could hide one, so another text with escapes always comes here).
    """

    def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise Problem("malformed-json", f"The name {json.dumps(twice[:40])} occurs twice in one object.")
        return members

    json.loads(text, object_pairs_hook=without_duplicates)


def encode(value: Any) -> bytes:
    """JSON text, members in the order of the document."""
    return _encoder.encode(value)


def canonical(value: Any) -> bytes:
    """The canonical JSON of RFC 8785; documents hold only integers, text and names in ASCII."""
    return _canonical_encoder.encode(value)


def state_hash(state: Any) -> str:
    """The SHA-256 of the canonical JSON, in hexadecimal digits."""
    return sha256(_canonical_encoder.encode(state)).hexdigest()
