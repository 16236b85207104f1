"""The soak runs for a few seconds, and notices an answer that differs."""

import math
import socket
import threading
from pathlib import Path

import pytest
from bench.soak import __main__ as soak
from bench.soak import questions
from bench.soak.clients import Client, Failed, Tally

from capomastro.api.resources import RESOURCES
from capomastro.games import all_games
from tests.support import serving
from tests.support.nginx import PROGRAM
from tests.support.serving import EPHEMERAL, lasting_port, lasting_ports, settings_in


@pytest.fixture(scope="module")
def known_questions() -> list[tuple[questions.Question, questions.Expected]]:
    return questions.answered()


def test_every_resource_is_used_for_every_game(
    known_questions: list[tuple[questions.Question, questions.Expected]],
) -> None:
    paths = {question.path for question, _ in known_questions}
    for resource in RESOURCES:
        if resource.envelope:
            for game in all_games():
                assert resource.path.format(game=game) in paths
        elif "{" not in resource.path:
            assert resource.path in paths
    statuses = {expected.status for _, expected in known_questions}
    assert {200, 400, 404, 413, 415, 422} <= statuses
    assert not {status for status in statuses if status >= 500}
    media_types = {expected.content[:1] for question, expected in known_questions if question.name == "pictures"}
    assert media_types == {b"<", b"{"}, "drawn, and as JSON"


@pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed here")
@pytest.mark.parametrize("sound", [True, False])
def test_a_short_soak(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    known_questions: list[tuple[questions.Question, questions.Expected]],
    sound: bool,
) -> None:
    questions = [each for each in known_questions if each[0].name in ("setups", "streams", "mistakes")]
    if not sound:
        questions = [(question, expected._replace(content=expected.content + b" ")) for question, expected in questions]
    monkeypatch.setattr(soak, "answered", lambda: questions)
    monkeypatch.setattr(soak, "SAMPLE_SECONDS", 1)
    # with the grace for a balancer, to which nginx does not listen, both instances would take five seconds to end
    deployed = settings_in(soak.DEPLOYED)
    monkeypatch.setattr(soak, "settings_in", lambda file: {**deployed, "CAPOMASTRO_GRACE": "0"})
    assert soak.soak(minutes=0.1, rate=20, kill_seconds=2.5, logs=tmp_path) == sound
    report = capsys.readouterr().out
    assert "Lost: 0\n" in report
    assert ("Differing: 0\n" in report) == sound
    assert "| streams |" in report or "| setups |" in report
    assert "| spared worker |" in report
    assert " × SIG" in report, "something was killed"


def test_memory_that_grew_at_first_only_has_no_slope_in_the_last_half() -> None:
    samples = [(minute, 1000 + 100 * min(minute, 30)) for minute in range(61)]
    assert soak.slope(samples, since=30) == 0
    assert 20 < soak.slope(samples, since=12) < 50
    assert math.isnan(soak.slope(samples, since=59))


@pytest.mark.skipif(not EPHEMERAL.exists(), reason="only Linux says which ports it gives unasked")
@pytest.mark.skipif(len(lasting_ports()) < 1000, reason="this machine gives nearly all ports unasked")
def test_an_instance_listens_where_no_other_program_is_put() -> None:
    first, _ = map(int, EPHEMERAL.read_text().split())
    ports = {lasting_port() for _ in range(20)}
    assert len(ports) > 10
    assert max(ports) < first


def test_an_instance_listens_anywhere_if_the_machine_gives_all_ports_unasked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "range").write_text("1024\t65535\n")
    monkeypatch.setattr(serving, "EPHEMERAL", tmp_path / "range")
    assert lasting_port() >= 1024


def test_a_stream_whose_connection_ends_with_the_answer_is_sent_to_its_end() -> None:
    """nginx ends a connection after a thousand requests; http.client would send the lines over a new one."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(10)

    def answer_line() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as lines:
            while lines.readline().strip():
                pass
            connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.settimeout(5)
            if [lines.readline() for _ in range(2)] == [b"3\r\n", b"{}\n"]:
                connection.sendall(b"3\r\n[]\n\r\n0\r\n\r\n")

    thread = threading.Thread(target=answer_line, daemon=True)
    thread.start()
    question = questions.Question("streams", "POST", "/v1/replays", lines=(b"{}\n",))
    expected = questions.Expected(200, b"[]\n")
    client = Client(1, listener.getsockname()[1], [(question, expected)], 1.0, Tally(), threading.Event())
    with listener:
        assert client.attempt(question, expected) == expected
    client.close()
    thread.join(10)


def test_a_broken_stream_is_not_an_answer() -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def break_off() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n")
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass

    thread = threading.Thread(target=break_off, daemon=True)
    thread.start()
    question = questions.Question("streams", "POST", "/v1/replays", lines=(b"{}\n", b"{}\n"))
    expected = questions.Expected(200, b"{}\n{}\n")
    client = Client(1, listener.getsockname()[1], [(question, expected)], 1.0, Tally(), threading.Event())
    with listener, pytest.raises(Failed):
        client.attempt(question, expected)
    client.close()
    thread.join(10)
