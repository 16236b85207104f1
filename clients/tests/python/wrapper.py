"""What the hand-written part of the client does, held against a service that is made up: run by test_python.py."""

import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest

from capomastro_client import (
    NEVER,
    Capomastro,
    Problem,
    Retries,
    UnexpectedAnswerError,
    UnreachableError,
)

Answer = Callable[[httpx2.Request], httpx2.Response]

QUICK = Retries(first_pause=0.001)
PROBLEM = {
    "type": "/v1/problems/illegal-move",
    "title": "The move is not legal",
    "status": 422,
    "detail": "The first move breaks a rule.",
    "errors": [{"pointer": "/moves/0", "message": "the bid is 12", "rule": "palazzo.auction.raise"}],
}


def asked_in_turn(
    answers: Sequence[Answer], retries: Retries = QUICK, address: str = "http://referee/"
) -> tuple[Capomastro, list[httpx2.Request]]:
    """A client whose requests are answered one after the other, and the requests."""
    requests: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return answers[len(requests) - 1](request)

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    return Capomastro(address, retries=retries, http=http), requests


def status(code: int, **headers: str) -> Answer:
    return lambda request: httpx2.Response(
        code, headers={key.replace("_", "-"): value for key, value in headers.items()}
    )


def text(body: bytes, media_type: str) -> Answer:
    return lambda request: httpx2.Response(200, headers={"Content-Type": media_type}, content=body)


def compressed(body: bytes) -> Answer:
    return lambda request: httpx2.Response(200, headers={"Content-Encoding": "gzip"}, stream=Pieces([body]))


def alive(request: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(200, json={"status": "alive"})


def refused(request: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("refused", request=request)


def broken(code: int) -> Answer:
    """An answer that breaks off."""
    return lambda request: httpx2.Response(code, stream=Verdicts(request, breaks_after=0))


RECORD_AS_TEXT = "text/vnd.capomastro.record"
SVG = "image/svg+xml"
NOW = "Sun, 06 Nov 1994 08:49:37 GMT"
BEYOND = "Mon, 01 Jan 99999999999 00:00:00 GMT"
BUSY = (429, 503)
MAY_PASS = [
    refused,
    broken(200),
    broken(500),
    status(502),
    status(504),
    *(status(code) for code in BUSY),
    *(status(code, Retry_After=after) for code in BUSY for after in ("0", NOW, BEYOND, "soon", "-1", "1.5", "")),
]


@pytest.mark.parametrize("first", MAY_PASS)
def test_what_may_pass_is_asked_again(first: Answer) -> None:
    capomastro, requests = asked_in_turn([first, alive])
    assert capomastro.show_health().status == "alive"
    assert len(requests) == 2


WILL_NOT_PASS = [
    status(500),
    status(404),
    *(status(code, Retry_After="3600") for code in BUSY),
    *(status(code, Retry_After="Sun, 06 Nov 1994 09:49:37 GMT", Date=NOW) for code in BUSY),
]


@pytest.mark.parametrize("first", WILL_NOT_PASS)
def test_what_will_not_pass_is_not_asked_again(first: Answer) -> None:
    capomastro, requests = asked_in_turn([first, alive])
    with pytest.raises(UnexpectedAnswerError):
        capomastro.show_health()
    assert len(requests) == 1


@pytest.mark.parametrize("code", BUSY)
def test_a_service_that_stays_busy_is_given_up(code: int) -> None:
    capomastro, requests = asked_in_turn([status(code)] * 9)
    with pytest.raises(UnexpectedAnswerError, match=f"status {code}"):
        capomastro.show_health()
    assert len(requests) == QUICK.attempts


@pytest.mark.parametrize(
    "retry_after",
    ["7", "Sun, 06 Nov 1994 08:49:44 GMT", "Sunday, 06-Nov-94 08:49:44 GMT", "Sun Nov  6 08:49:44 1994"],
)
def test_a_pause_is_as_long_as_the_service_says_and_a_little_longer(retry_after: str) -> None:
    """By the clock of the service, which may differ from ours."""
    pauses = {Retries().pause(2, 503, {"Retry-After": retry_after, "Date": NOW}) for _ in range(100)}
    assert len(pauses) > 90
    assert all(pause is not None and 7 <= pause <= 7.75 for pause in pauses)


def test_without_a_date_of_the_answer_our_own_clock_counts() -> None:
    in_a_while = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    pause = Retries().pause(1, 429, {"Retry-After": in_a_while})
    assert pause is not None
    assert 15 < pause < 21


def test_pauses_that_the_service_leaves_open_grow_and_differ() -> None:
    for attempt, least, most in ((1, 0.125, 0.375), (2, 0.25, 0.75), (3, 0.5, 1.5)):
        for code in (None, 429, 502, 503, 504):
            pauses = {Retries().pause(attempt, code, {}) for _ in range(100)}
            assert len(pauses) > 90
            assert all(pause is not None and least <= pause <= most for pause in pauses)
    pause = Retries(attempts=99).pause(90, 503, {"Retry-After": "30"})
    assert pause == Retries().longest_pause


def test_patience_ends() -> None:
    capomastro, requests = asked_in_turn([refused] * 9)
    with pytest.raises(UnreachableError, match="does not answer"):
        capomastro.show_health()
    assert len(requests) == QUICK.attempts
    capomastro, requests = asked_in_turn([refused] * 9, NEVER)
    with pytest.raises(UnreachableError):
        capomastro.show_health()
    assert len(requests) == 1


def test_a_post_is_sent_again_as_it_was() -> None:
    problem: Answer = lambda request: httpx2.Response(422, json=PROBLEM)  # noqa: E731
    capomastro, requests = asked_in_turn([refused, problem])
    with pytest.raises(Problem):
        capomastro.palazzo.create_setup(players=2, seed="7")
    assert [request.content for request in requests] == [b'{"players":2,"seed":"7"}'] * 2
    assert [str(request.url) for request in requests] == ["http://referee/v1/games/palazzo/setups"] * 2


def test_an_address_may_end_with_the_version() -> None:
    for address in ("http://referee", "http://referee/v1", "http://referee/v1/"):
        capomastro, requests = asked_in_turn([alive], address=address)
        capomastro.show_health()
        assert str(requests[0].url) == "http://referee/healthz"


def test_a_problem_says_what_is_wrong() -> None:
    capomastro, _ = asked_in_turn([lambda request: httpx2.Response(422, json=PROBLEM, headers={"X-Request-Id": "17"})])
    with pytest.raises(Problem, match="the bid is 12") as raised:
        capomastro.palazzo.create_setup(players=2)
    problem = raised.value
    assert (problem.kind, problem.status, problem.request_id) == ("illegal-move", 422, "17")
    assert [error.rule for error in problem.errors] == ["palazzo.auction.raise"]


def test_a_problem_of_a_newer_service_is_one_too() -> None:
    newer = {**PROBLEM, "type": "/v1/problems/too-clever", "further": 1}
    capomastro, _ = asked_in_turn([lambda request: httpx2.Response(422, json=newer)])
    with pytest.raises(Problem) as raised:
        capomastro.palazzo.create_setup(players=2)
    assert raised.value.kind == "too-clever"


NESTED = b'{"state":' * 3000 + b"{}" + b"}" * 3000


@pytest.mark.parametrize("code", [200, 500])
@pytest.mark.parametrize("body", [b"<html>", b'{"status":"\xff"}', NESTED])
def test_an_answer_of_somebody_else_is_unexpected(code: int, body: bytes) -> None:
    answer: Answer = lambda request: httpx2.Response(code, content=body)  # noqa: E731
    capomastro, _ = asked_in_turn([answer] * 2)
    with pytest.raises(UnexpectedAnswerError):
        capomastro.show_health()
    with pytest.raises(UnexpectedAnswerError):
        capomastro.palazzo.create_setup(players=2)


def test_an_answer_that_cannot_be_unpacked_is_unexpected() -> None:
    capomastro, requests = asked_in_turn([compressed(b"garbage")] * 2)
    with pytest.raises(UnexpectedAnswerError):
        capomastro.show_health()
    with pytest.raises(UnexpectedAnswerError):
        list(capomastro.replay_records(["a"]))
    assert len(requests) == 2


def test_an_answer_that_only_leads_elsewhere_is_unexpected() -> None:
    around = httpx2.MockTransport(lambda request: httpx2.Response(302, headers={"Location": str(request.url)}))
    with httpx2.Client(transport=around, follow_redirects=True) as http, pytest.raises(UnexpectedAnswerError):
        Capomastro("http://referee", http=http).show_health()


def test_a_request_of_either_kind_is_sent_as_what_it_is() -> None:
    capomastro, requests = asked_in_turn([lambda request: httpx2.Response(200, json={"outcomes": []})] * 2)
    nothing = json.loads("{}")
    capomastro.palazzo.score_game(state=nothing)
    capomastro.palazzo.score_game(scoresheet=nothing)
    assert [json.loads(request.content) for request in requests] == [{"state": {}}, {"scoresheet": {}}]


def test_help_shows_the_members_of_a_request() -> None:
    capomastro, _ = asked_in_turn([])
    assert {"players", "names", "seed"} <= set(inspect.signature(capomastro.palazzo.create_setup).parameters)


def test_pictures_come_as_json_or_as_svg() -> None:
    drawn: Answer = lambda request: httpx2.Response(200, json={"first": 3, "pictures": ["<svg/>"]})  # noqa: E731
    capomastro, requests = asked_in_turn([drawn] * 2 + [text(b"<svg/>", f"{SVG}; charset=utf-8")] * 3)
    nothing = json.loads("{}")
    assert capomastro.palazzo.draw_pictures(record=nothing, ply=3, count=1).pictures == ["<svg/>"]
    capomastro.palazzo.draw_pictures_in_text("game: palazzo\n")
    assert capomastro.palazzo.draw_pictures_for_svg(state=nothing, layout="narrow") == "<svg/>"
    capomastro.palazzo.draw_pictures_for_svg(record=nothing, ply=3)
    capomastro.palazzo.draw_pictures_for_svg(scoresheet=nothing)
    assert [json.loads(request.content) for request in requests if b"game" not in request.content] == [
        {"record": {}, "ply": 3, "count": 1},
        {"state": {}, "layout": "narrow"},
        {"record": {}, "ply": 3},
        {"scoresheet": {}},
    ]
    wanted = [request.headers["Accept"].partition(",")[0] for request in requests]
    assert wanted == ["application/json"] * 2 + [SVG] * 3
    with pytest.raises(TypeError):
        capomastro.palazzo.draw_pictures(scoresheet=nothing, ply=3)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "answer",
    [alive, status(204), status(200), text(b"<html>", "text/html"), text(b"\xff", RECORD_AS_TEXT), text(b"\xff", SVG)],
)
def test_records_as_text_and_pictures_are_of_their_type_and_nothing_else(answer: Answer) -> None:
    capomastro, _ = asked_in_turn([answer] * 2)
    nothing = json.loads("{}")
    with pytest.raises(UnexpectedAnswerError):
        capomastro.palazzo.convert_record_for_text(record=nothing)
    with pytest.raises(UnexpectedAnswerError):
        capomastro.palazzo.draw_pictures_for_svg(state=nothing)


def test_a_record_as_text_comes_as_it_is() -> None:
    capomastro, _ = asked_in_turn([text("game: palazzo\nname: Zoë\n".encode(), RECORD_AS_TEXT)])
    assert capomastro.palazzo.convert_record_for_text(record=json.loads("{}")) == "game: palazzo\nname: Zoë\n"


def test_ids_are_quoted() -> None:
    capomastro, requests = asked_in_turn([status(404)])
    with pytest.raises(UnexpectedAnswerError):
        capomastro.palazzo.show_rule("a/b?c")
    assert requests[0].url.raw_path == b"/v1/games/palazzo/rules/a%2Fb%3Fc"


# --- many records ----------------------------------------------------------------------------------------------------


WHITESPACE = " \t\n\r\v\f"
"""Lines with nothing else are blank, and have no verdict."""
NO_LINE_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What `str.splitlines` takes for the end of a line, and a file of records does not."""


class Verdicts(httpx2.SyncByteStream):
    """Verdicts on the lines of a request; after some of them the connection breaks."""

    def __init__(self, request: httpx2.Request, breaks_after: int | None) -> None:
        self.lines = request.content.decode().split("\n")
        self.breaks_after = breaks_after

    def __iter__(self) -> Iterator[bytes]:
        for number, line in enumerate(self.lines, 1):
            if self.breaks_after is not None and number > self.breaks_after:
                raise httpx2.RemoteProtocolError("incomplete")
            if line.strip(WHITESPACE):
                verdict = {"line": number, "verdict": "unusable", "detail": line}
                yield json.dumps(verdict, ensure_ascii=False).encode() + b"\n"


class Pieces(httpx2.SyncByteStream):
    """An answer in given pieces."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self.pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.pieces)


def verdicts(breaks_after: int | None = None) -> Answer:
    return lambda request: httpx2.Response(200, stream=Verdicts(request, breaks_after))


def test_lines_keep_their_numbers_through_batches_and_blank_lines() -> None:
    lines = [f"{number}" if number % 7 else "" for number in range(1, 1202)]
    capomastro, requests = asked_in_turn([verdicts()] * 9)
    found = {verdict.line: verdict.detail for verdict in capomastro.replay_records(lines)}
    assert found == {number: line for number, line in enumerate(lines, 1) if line}
    assert len(requests) == 3


def test_an_answer_that_breaks_off_is_continued() -> None:
    capomastro, requests = asked_in_turn([verdicts(2), verdicts(0), verdicts(1), verdicts()])
    found = [(verdict.line, verdict.detail) for verdict in capomastro.replay_records(["a\n", b"b", "", "d", "e"])]
    assert found == [(1, "a"), (2, "b"), (4, "d"), (5, "e")]
    assert [request.content for request in requests] == [b"a\nb\n\nd\ne\n", b"\nd\ne\n", b"\nd\ne\n", b"\nd\ne\n"]


def test_an_answer_that_never_goes_on_is_given_up() -> None:
    capomastro, requests = asked_in_turn([verdicts(1), *[verdicts(0)] * 9])
    with pytest.raises(UnreachableError, match="before line 2"):
        list(capomastro.replay_records(["a", "b"]))
    assert len(requests) == QUICK.attempts


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\n\n", b"a\nb\n"])
def test_a_record_is_one_line(text: str | bytes) -> None:
    capomastro, _ = asked_in_turn([])
    with pytest.raises(ValueError, match="one line"):
        next(capomastro.replay_records([text]))


def test_lines_end_with_a_line_feed_and_nothing_else() -> None:
    lines = [f"a{end}b" for end in NO_LINE_ENDS + "\r"]
    capomastro, requests = asked_in_turn([verdicts()])
    found = capomastro.replay_records([f"{line}{end}" for line, end in zip(lines, ["\n", "\r\n", ""] * 3, strict=True)])
    assert [verdict.detail for verdict in found] == lines
    assert requests[0].content.decode() == "\n".join([*lines, ""])


def test_a_verdict_may_come_in_any_pieces() -> None:
    whole = b"".join(Verdicts(httpx2.Request("POST", "http://referee", content="\u2028é\n\nb\n".encode()), None))
    pieces = Pieces([whole[at : at + 1] for at in range(len(whole))])
    capomastro, _ = asked_in_turn([lambda request: httpx2.Response(200, stream=pieces)])
    found = [(verdict.line, verdict.detail) for verdict in capomastro.replay_records(["\u2028é", "", "b"])]
    assert found == [(1, "\u2028é"), (3, "b")]


@pytest.mark.parametrize("blank", [" ", "\t", "\r", "\v\f"])
def test_blank_lines_have_no_verdict_and_none_is_waited_for(blank: str) -> None:
    capomastro, requests = asked_in_turn([verdicts()] * 2)
    assert [verdict.line for verdict in capomastro.replay_records(["a", blank, "b", blank])] == [1, 3]
    assert list(capomastro.replay_records([blank])) == []
    assert len(requests) == 1


@pytest.mark.parametrize("record", list("\x1c\x1d\x1e\x85\u00a0\u2028\u2029\ufeff"))
def test_a_line_that_only_looks_blank_has_a_verdict(record: str) -> None:
    capomastro, _ = asked_in_turn([verdicts()])
    assert [verdict.detail for verdict in capomastro.replay_records([record])] == [record]


def test_how_records_are_judged_stands_in_the_query() -> None:
    capomastro, requests = asked_in_turn([verdicts()])
    list(capomastro.replay_records(["a"], under_current_rules=True, repair="skip"))
    assert dict(requests[0].url.params) == {"under_current_rules": "true", "repair": "skip"}
