"""Our messages about texts that are not acceptable JSON, where the decoder's own would mislead."""

import json
from time import thread_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capomastro.documents import json_text
from capomastro.documents.problems import Problem

LONE = "This is not acceptable JSON: a text has half a surrogate pair (\\ud800 to \\udfff), which is not a character."


def refused(text: bytes) -> str:
    with pytest.raises(Problem) as raised:
        json_text.decode(text)
    assert raised.value.id == "malformed-json"
    return raised.value.detail


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
def test_a_lone_surrogate_is_reported_as_such(text: bytes) -> None:
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
def test_nothing_else_is_reported_as_a_lone_surrogate(text: bytes) -> None:
    assert refused(text) != LONE


def test_a_surrogate_pair_is_a_character() -> None:
    assert json_text.decode(rb'["\ud83d\ude00", "\\ud800"]') == ["\N{GRINNING FACE}", r"\ud800"]


def test_the_first_duplicate_name_is_reported() -> None:
    assert refused(b'{"a":1,"b":{"c":1,"d":2,"d":3,"c":4},"a":2}') == 'The name "d" occurs twice in one object.'


@pytest.mark.parametrize(
    "text",
    [
        rb'{"a\u003a":1,"b":"\":\"","c\\":"\\","d":":"}',
        rb'{"\"":{"\\":{"\\\"":1},"\\\\":2},"a" :1, "b"  :"c\"d"}',
        rb'["\u003a",{"a":"b\\","c":"\\\":"}]',
    ],
)
def test_escapes_hide_no_names_and_make_none(text: bytes) -> None:
    assert json_text.decode(text) == json.loads(text)


@given(
    st.recursive(
        st.text('":\\,{}[]a ', max_size=4) | st.integers(0, 9),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text('":\\,{}[]a ', max_size=3), inner, max_size=4)
        ),
        max_leaves=20,
    ),
    st.sampled_from([None, 1]),
)
def test_valid_documents_are_decoded_however_they_are_written(value: Any, indent: int | None) -> None:
    assert json_text.decode(json.dumps(value, indent=indent).encode()) == value


def test_a_document_of_too_many_parts_is_refused_before_it_is_decoded() -> None:
    most = b"[" + b"," * 499_998 + b"]"
    json_text.require_few_parts(most)
    with pytest.raises(Problem) as raised:
        json_text.require_few_parts(most + b",")
    assert raised.value.id == "too-large"


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        (b'{"a":1,"a":2}', "/a"),
        (b'{"a":1,"b":{"c":1,"d":2,"d":3,"c":4},"a":2}', "/b/d"),
        (b'{"moves":[{},{"type":1,"\\u0074ype":2}]}', "/moves/1/type"),
        (b'[[0,{"a/b~":{"":1,"":2}}]]', "/0/1/a~1b~0/"),
        (b'{"a":{"x":1,"x":2},"a":0}', "/a/x"),
        (rb'{"a":"\"{\",\"a\":","b\\":[1,{}],"c":{"b\\":1},"b\\":2}', "/b\\"),
        (rb'{"\u003a":{"a\u003a":1},"a":1,"\u0061":2}', "/a"),
        (b'{"a" :1,"b":[[],{"c"\t: 1, "d":",","c":2}]}', "/b/1/c"),
        (b'{"a":[{"%s":1,"%s":2}]}' % (2 * (b"x" * 101,)), "/a/0"),
        (b'{"a":{"%s":{"b":1,"b":2}}}' % (b"x" * 101), "/a"),
    ],
)
def test_a_duplicate_name_is_pointed_to_and_if_it_is_long_its_object(text: bytes, pointer: str) -> None:
    with pytest.raises(Problem) as raised:
        json_text.decode(text)
    assert raised.value.errors == [{"pointer": pointer, "message": raised.value.detail}]
    with pytest.raises(Problem) as raised:
        json_text.decode(text, quoting=False)
    assert raised.value.errors == []


def test_sixteen_times_as_many_names_take_sixteen_times_as_long() -> None:
    """Four times that is allowed for noise; comparing each name with all others would take 256 times as long."""

    def seconds(names: int) -> float:
        text = b"{" + b"".join(b'"%x":1,' % number for number in range(names)) + b'"_":1,"_":1}'
        began = thread_time()
        refused(text)
        return thread_time() - began

    few, many = (min(seconds(names) for _ in range(3)) for names in (1_500, 24_000))
    assert many < 64 * few


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'\xef\xbb\xbf{"players": 2}', "it begins with a byte order mark"),
        (b'{"players": 2, "names": ["Jos\xe9", "Ada"]}', "it is not UTF-8 (byte 29)"),
        (b'{"players": 2,\n "names": ["Jos\xc3\xa9", "\xe9"]}', "it is not UTF-8 (line 2, column 21)"),
        (b'{"players": 2,\r\n "names": ["Jos\xc3\xa9",]}\r\n', "trailing comma in array (line 2, column 19)"),
        (b'{"players": 2,}\n', "trailing comma in object (byte 14)"),
        (b'{"players": 2.0}', "the number 2.0 is not written as an integer"),
        (b'[{"a": [2.5]}]', "the number 2.5 is not written as an integer"),
    ],
)
def test_the_reason_is_given_in_plain_words(text: bytes, reason: str) -> None:
    assert refused(text) == f"This is not acceptable JSON: {reason}."
