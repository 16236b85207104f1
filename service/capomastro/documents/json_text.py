"""JSON text in and out, with the traps of the format closed.

Refused when decoding: what is not JSON, NaN, lone surrogates, names that occur twice in an object, numbers that are
not integers (1.0 as well: no document has one) or have too many digits, nesting that is too deep.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import msgspec

from capomastro.documents.problems import Problem

MAXIMUM_DEPTH = 32
"""So many objects and arrays in each other."""
USUAL_DEPTH = 10
"""No request has more, as long as it holds only members that are in its schema."""

LONE_SURROGATE = "a text has half of a surrogate pair (\\ud800 to \\udfff), which is no character"


def values_within(depth: int) -> Any:
    """The type of the JSON values that are accepted: integers are its only numbers, and it is at most so deep."""
    plain = str | int | bool | None
    if not depth:
        return plain
    inner = values_within(depth - 1)
    return plain | list[inner] | dict[str, inner]  # type: ignore[valid-type]


def refuse_float(text: str) -> None:
    raise ValueError(f"the number {text[:20]} is not written as an integer")


_usual_decoder = msgspec.json.Decoder(values_within(USUAL_DEPTH))
_decoder = msgspec.json.Decoder(float_hook=refuse_float)
_encoder = msgspec.json.Encoder()
_canonical_encoder = msgspec.json.Encoder(order="sorted")


def decode(text: bytes) -> Any:
    """The value of a JSON text.

    Raises:
        Problem: `malformed-json`.
    """
    try:
        value = _usual_decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        value = decode_with_care(text)
    again = _encoder.encode(value)
    if again != text and (b"\\" in text or text.count(b":") != again.count(b":")):
        refuse_duplicate_names(text)
    return value


def decode_with_care(text: bytes) -> Any:
    """The value of a text that is deep, or not acceptable at all."""
    too_deep = Problem("malformed-json", f"The nesting is deeper than {MAXIMUM_DEPTH}.")
    try:
        value = _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        reason = LONE_SURROGATE if has_lone_surrogate(text) else str(error).removeprefix("JSON is malformed: ")
        raise Problem("malformed-json", f"This is not acceptable JSON: {reason}.") from None
    except RecursionError:
        raise too_deep from None
    if not is_shallow(value):
        raise too_deep
    return value


def has_lone_surrogate(text: bytes) -> bool:
    """Whether a text that is refused is JSON otherwise, as the standard library has it, which takes them.

    The decoder refuses them as well, but in words of other things, such as a text that breaks off.
    """
    if b"\\ud" not in text.lower():
        return False
    try:
        json.dumps(json.loads(text.decode()), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        pass  # other faults it has as well
    return False


def is_shallow(value: Any) -> bool:
    """Whether the nesting is at most `MAXIMUM_DEPTH`; it is looked at level by level."""
    level = [value]
    for _ in range(MAXIMUM_DEPTH + 1):
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            return True
        level = [item for each in level for item in (each.values() if isinstance(each, dict) else each)]
    return False


def refuse_duplicate_names(text: bytes) -> None:
    """Raises if a name occurs twice in an object.

    No decoder refuses that; but one that keeps the last of two writes less than it read, which is what `decode` looks
    for: at the whole text, which most clients write as we do, without blanks; else at the number of colons (escapes
    could hide one, so another text with escapes always comes here).
    """

    def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            twice = first_again(name for name, _ in pairs)
            raise Problem("malformed-json", f"The name {json.dumps(twice[:40])} occurs twice in one object.")
        return members

    json.loads(text, object_pairs_hook=without_duplicates)


def first_again(names: Iterable[str]) -> str:
    """The first name that has occurred before; each is looked at once, however many there are.

    Raises:
        ValueError: if all are different.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    raise ValueError("no name occurs twice")


def encode(value: Any) -> bytes:
    """JSON text, members in the order of the document."""
    return _encoder.encode(value)


def canonical(value: Any) -> bytes:
    """The canonical JSON of RFC 8785; documents hold only integers, text and names in ASCII."""
    return _canonical_encoder.encode(value)


def state_hash(state: Any) -> str:
    """The SHA-256 of the canonical JSON, in hexadecimal digits."""
    return sha256(_canonical_encoder.encode(state)).hexdigest()
