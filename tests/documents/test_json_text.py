"""What is said of texts that are not acceptable JSON where the decoder's own words would mislead."""

import pytest

from capomastro.documents import json_text
from capomastro.documents.problems import Problem

LONE = "This is not acceptable JSON: a text has half of a surrogate pair (\\ud800 to \\udfff), which is no character."


def refused(text: bytes) -> str:
    with pytest.raises(Problem) as told:
        json_text.decode(text)
    assert told.value.id == "malformed-json"
    return told.value.detail


@pytest.mark.parametrize(
    "text",
    [
        rb'["\ud800"]',
        rb'"\uD800"',
        rb'["\udc00"]',
        rb'{"\ud800": 1}',
        rb'{"a": [{"b": "x\uDBFFy"}], "c": 18446744073709551616}',
        rb'["\ud800\u0041 and more behind it"]',
        rb'["\udc00\ud800"]',
        b" " * 100_000 + rb'["\ud83d\ude00\ud83d"]',
    ],
)
def test_a_lone_surrogate_is_called_so(text: bytes) -> None:
    assert refused(text) == LONE


@pytest.mark.parametrize(
    "text",
    [
        rb'["\ud800"',
        rb'["\ud800',
        rb'["\ud8',
        rb'["\\ud800"',
        rb'["\ud83d\ude00"] x',
        rb'["\ud83d\ude00", NaN]',
        rb'["\ud83d\ude00", 1.5]',
        rb'{"\ud83d\ude00": 1, "\ud83d\ude00": 2}',
        b'["\\ud83d\\ude00", "\xed\xa0\x80"]',
        b'["\\ud800", "\xff"]',
        b"[" * 10_000 + rb'"\ud800"' + b"]" * 10_000,
        rb'["\ud800", ' + b"7" * 5_000 + b"]",
        rb'"\ud800"'.decode().encode("utf-16"),
        b"",
        b"[",
    ],
)
def test_nothing_else_is_called_so(text: bytes) -> None:
    assert refused(text) != LONE


def test_both_halves_are_a_character() -> None:
    assert json_text.decode(rb'["\ud83d\ude00", "\\ud800"]') == ["\N{GRINNING FACE}", r"\ud800"]
