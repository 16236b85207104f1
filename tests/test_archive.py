"""Archives: lines cut out of chunks, each with one verdict, whatever it contains."""

import json
from itertools import pairwise
from typing import Any, Self

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import UNSET

from capomastro import archive
from capomastro.archive import Line, Tally, Terms
from capomastro.documents.json_text import encode
from capomastro.games import all_games
from tests.support.recorded import record_files, replay_of


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return min((replay_of(file).document for file in record_files()), key=lambda document: len(document["moves"]))


def judged(value: Any, **terms: Any) -> dict[str, Any]:
    """The verdict on one line, as a client reads it."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    answer: dict[str, Any] = json.loads(encode(archive.verdict(Line(7, text), Terms(**terms))))
    assert answer.pop("line") == 7
    return answer


# --- lines -----------------------------------------------------------------------------------------------------------


def begins_no_document(text: bytes) -> bool:
    """Whether the lines that follow a line have a meaning of their own."""
    return archive.document_begun(text.strip(b" \t\r")) is None


@given(
    texts=st.lists(
        st.binary(max_size=12).map(lambda text: text.replace(b"\n", b"")).filter(begins_no_document), max_size=8
    ),
    cuts=st.lists(st.integers(0, 100), max_size=12),
    maximum_bytes=st.integers(1, 14),
)
@example(texts=[b"  ", b"", b"1"], cuts=[3, 4], maximum_bytes=1)
def test_lines_do_not_depend_on_where_the_chunks_are_cut(
    texts: list[bytes], cuts: list[int], maximum_bytes: int
) -> None:
    whole = b"\n".join(texts)
    places = sorted({0, len(whole), *(cut for cut in cuts if cut < len(whole))})
    chunks = [whole[begin:end] for begin, end in pairwise(places)]
    expected = [
        Line(number, text.strip(b" \t\r") if len(text) <= maximum_bytes else None)
        for number, text in enumerate(texts, 1)
        if len(text) > maximum_bytes or text.strip(b" \t\r")
    ]
    assert list(archive.lines(chunks, maximum_bytes)) == expected


def test_blank_lines_are_counted_by_the_chunk() -> None:
    """Each of an endless number would cost as much as a record, and nobody would be charged."""
    blank = b"\n" * 1000 + b" \r\n"
    assert list(archive.cut([blank, blank, b"1", b"\n", blank, b"2"], 2000)) == [(2003, b"1"), (3005, b"2")]


ENDS_NO_LINE = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What ends a line for `str.splitlines`, but in no file."""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_ends_with_a_line_feed_and_nothing_else(record: dict[str, Any], end: str) -> None:
    names = [f"{seat}{ENDS_NO_LINE}" for seat in range(record["players"])]
    texts = {"id": f"a{ENDS_NO_LINE}b", "names": names, "tags": {ENDS_NO_LINE: ENDS_NO_LINE}}
    line = json.dumps({**record, **texts}, ensure_ascii=False)
    given = list(archive.lines([f"{line}{end}{line}{end}".encode()], 10**6))
    assert given == [Line(1, line.encode()), Line(2, line.encode())]
    verdicts = [archive.verdict(one, Terms()) for one in given]
    assert [(one.verdict, one.id) for one in verdicts] == [("legal", texts["id"])] * 2
    assert all(encode(one).count(b"\n") == 0 for one in verdicts)


@pytest.mark.parametrize("character", ENDS_NO_LINE, ids=ascii)
def test_what_ends_no_line_is_no_blank_either(character: str) -> None:
    (line,) = archive.lines([character.encode()], 10)
    assert line == Line(1, character.encode())


def verdicts_on(text: bytes, record: dict[str, Any]) -> list[tuple[int, str, str]]:
    """Of each line that is judged its number, the verdict, and the details; a line `RECORD` is that record."""
    given = text.replace(b"RECORD", json.dumps(record).encode())
    answers = [archive.verdict(line, Terms()) for line in archive.lines([given], 10**6)]
    return [(one.line, one.verdict, "" if one.detail is UNSET else one.detail) for one in answers]


OVER_LINES = {
    "laid out by jq": (
        b'{\n  "game": "palazzo",\n  "moves": [\n    {}\n  ]\n}\n',
        "one JSON document over several lines",
    ),
    "laid out otherwise": (
        b'\xef\xbb\xbf{ "game": "palazzo",\r\n\t"moves": [ {} ]\r\n}\r\n',
        "one JSON document over several",
    ),
    "in text notation": (b"# an evening\ngame: palazzo\n\nplayers: 2\n0 build\n", "a record in text notation"),
}


@pytest.mark.parametrize(("document", "hint"), OVER_LINES.values(), ids=OVER_LINES)
@pytest.mark.parametrize("chunk", [1, 7, 10**6])
def test_a_document_over_several_lines_gets_one_sentence(
    record: dict[str, Any], document: bytes, hint: str, chunk: int
) -> None:
    """And the lines that follow are judged as ever, wherever it stands."""
    text = document + json.dumps(record).encode() + b"\n" + document
    chunks = [text[at : at + chunk] for at in range(0, len(text), chunk)]
    answers = [archive.verdict(line, Terms()) for line in archive.lines(chunks, 10**6)]
    assert [(one.line, one.verdict) for one in answers] == [
        (1, "unusable"),
        (document.count(b"\n") + 1, "legal"),
        (document.count(b"\n") + 2, "unusable"),
    ]
    assert [hint in str(one.detail) for one in answers] == [True, False, True]


@pytest.mark.parametrize("begin", [b"[\n", b"["])
def test_an_array_gets_one_sentence(record: dict[str, Any], begin: bytes) -> None:
    ((line, verdict, detail),) = verdicts_on(begin + b"RECORD,\nRECORD\n]\n", record)
    assert (line, verdict) == (1, "unusable")
    assert "looks like a JSON array" in detail


def test_a_damaged_line_hides_no_other(record: dict[str, Any]) -> None:
    found = verdicts_on(b'oops RECORD\nRECORD\n{"game":\nRECORD\n{\nRECORD\n', record)
    assert [(line, verdict) for line, verdict, _ in found] == [
        (1, "unusable"),
        (2, "legal"),
        (3, "unusable"),
        (4, "legal"),
        (5, "unusable"),
        (6, "legal"),
    ]


def test_labels_of_any_length_are_not_echoed() -> None:
    assert judged({"game": "g" * 200, "id": "i" * 200}).keys() >= {"game", "id"}
    assert not judged({"game": "g" * 201, "id": "i" * 201}).keys() & {"game", "id"}
    assert len(encode(judged({"game": "g" * 10**6, "id": "i" * 10**6}))) < 1000


def test_a_long_line_is_not_kept() -> None:
    """Of an endless line no more is held than allowed."""
    held = 0

    class Chunk(bytes):
        def __del__(self) -> None:
            nonlocal held
            held -= 1

        def __new__(cls) -> Self:
            nonlocal held
            held += 1
            return super().__new__(cls, b"x" * 100)

    def endless() -> Any:
        for _ in range(1000):
            yield Chunk()
            assert held < 20
        yield b"\n1"

    assert list(archive.lines(endless(), 1000)) == [Line(1, None), Line(2, b"1")]


# --- verdicts --------------------------------------------------------------------------------------------------------


def test_a_right_record(record: dict[str, Any]) -> None:
    answer = judged(record)
    assert answer == {
        "game": record["game"],
        "id": record["id"],
        "players": record["players"],
        "tags": record["tags"],
        "moves_hash": answer["moves_hash"],
        "verdict": "legal",
        "legal": True,
        "plies": len(record["moves"]),
        "decision": {"actor": "none", "kind": "game-over"},
        "claimed_result_matches": True,
        "totals": [player["total"] for player in record["result"]["players"]],
        "winners": record["result"]["winners"],
    }


def test_a_truncated_record_reports_its_state(record: dict[str, Any]) -> None:
    cut = {name: value for name, value in record.items() if name != "result"} | {"moves": record["moves"][:-5]}
    answer = judged(cut)
    assert answer["verdict"] == "unfinished"
    assert answer["plies"] == len(record["moves"]) - 5
    assert answer["decision"]["actor"] in ("seat", "chance")
    assert "totals" not in answer


def test_a_wrong_claim_lists_only_the_wrong_lines(record: dict[str, Any]) -> None:
    totals = [player["total"] for player in record["result"]["players"]]
    answer = judged({**record, "totals": [totals[0] + 1, *totals[1:]]})
    assert answer["verdict"] == "wrong-result"
    assert answer["wrong_lines"] == [
        {"seat": 0, "what": "total", "claimed": totals[0] + 1, "computed": totals[0], "matches": False}
    ]


def test_moves_after_the_end(record: dict[str, Any]) -> None:
    answer = judged({**record, "moves": [*record["moves"], record["moves"][-1]]})
    assert answer["verdict"] == "after-the-end"
    assert answer["first_divergence"]["nearest"] == []
    assert answer["first_divergence"]["refusal"]["rule"].endswith(".end.over")


def test_a_forgotten_draw_a_forgotten_move_and_a_move_out_of_turn(record: dict[str, Any]) -> None:
    moves = record["moves"]

    def without(index: int) -> dict[str, Any]:
        return judged({**record, "moves": [*moves[:index], *moves[index + 1 :]]})

    last_draw_of_setup = next(index for index, move in enumerate(moves) if "seat" in move) - 1
    answer = without(last_draw_of_setup)
    assert answer["verdict"] == answer["first_divergence"]["departure"] == "missing-chance"
    assert answer["first_divergence"]["decision"]["actor"] == "chance"
    assert all("seat" not in near["move"] for near in answer["first_divergence"]["nearest"])
    before_draw = next(
        index for index, move in enumerate(moves) if "seat" in move and "seat" not in moves[index + 1]
    )  # what it leads to is drawn, so a draw comes where a player has to decide
    assert without(before_draw)["verdict"] == "missing-move"
    other = {**moves[before_draw], "seat": 1 - moves[before_draw]["seat"]}
    assert judged({**record, "moves": [*moves[:before_draw], other]})["verdict"] == "out-of-turn"


def test_a_record_of_another_version(record: dict[str, Any]) -> None:
    other = {**record, "rules_version": record["rules_version"] + 1}
    answer = judged(other)
    assert (answer["verdict"], answer["problem"]) == ("other-version", "other-version")
    assert answer["errors"][0]["pointer"] == "/rules_version"
    assert judged(other, under_current_rules=True)["verdict"] == "legal"


def test_a_lenient_verdict_has_no_states(record: dict[str, Any]) -> None:
    answer = judged({**record, "moves": record["moves"][1:]}, repair="correct")
    assert answer["lenient"]["divergences"]
    assert "state" not in answer["lenient"]
    assert "result" not in answer["lenient"]
    assert "lenient" not in judged(record, repair="correct")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "malformed-json"),
        (b"\xff", "malformed-json"),
        (b'{"game": NaN}', "malformed-json"),
        (b"[" * 10_000, "malformed-json"),
        (b'{"a": 1, "a": 2}', "malformed-json"),
        (b"1" * 5000, "malformed-json"),
        (b"[]", "shape"),
        (b"null", "shape"),
        (b"7", "shape"),
        (b"{}", "shape"),
        (b'{"game": 3}', "shape"),
        (b'{"game": "chess"}', "not-found"),
    ],
)
def test_lines_that_are_not_records_get_verdicts(line: bytes, problem: str) -> None:
    answer = judged(line)
    assert (answer["verdict"], answer["problem"]) == ("unusable", problem)
    assert answer["detail"]


@pytest.mark.parametrize("game", list(all_games()))
def test_a_record_of_the_wrong_shape_or_options(game: str, record: dict[str, Any]) -> None:
    assert judged({"game": game})["problem"] == "shape"
    members = ("schema_version", "rules_version", "players")
    whole = {"game": game, **{name: record[name] for name in members}, "options": {}, "moves": []}
    assert judged(whole)["verdict"] == "unfinished"
    assert judged({**whole, "players": 1})["problem"] == "shape"
    assert judged({**whole, "names": ["Ada"] * (record["players"] + 1)})["problem"] == "options"
    assert judged({**whole, "moves": [{"type": "resign", "seat": 0}]})["problem"] == "shape"


def test_the_limits_hold_for_each_line(record: dict[str, Any]) -> None:
    assert judged(record, maximum_moves=len(record["moves"]))["verdict"] == "legal"
    answer = judged(record, maximum_moves=len(record["moves"]) - 1)
    assert (answer["verdict"], answer["errors"][0]["pointer"]) == ("unusable", "/moves")
    too_long = json.loads(encode(archive.verdict(Line(3, None), Terms())))
    assert (too_long["line"], too_long["verdict"], too_long["problem"]) == (3, "unusable", "too-large")


def test_a_tally_counts_by_game_verdict_and_rule(record: dict[str, Any]) -> None:
    tally = Tally()
    for value in (record, record, {**record, "moves": [*record["moves"], record["moves"][-1]]}, 7):
        tally.count(archive.verdict(Line(1, encode(value)), Terms()))
    assert tally.verdicts == {(record["game"], "legal"): 2, (record["game"], "after-the-end"): 1, ("", "unusable"): 1}
    assert tally.rules == {f"{record['game']}.end.over": 1}
