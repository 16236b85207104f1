"""The unchanged nginx configuration of `deploy/`, in front of the service and of failing instances."""

import json
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from capomastro import addresses
from capomastro.api import problems
from capomastro.api.request_log import SANE_ID
from capomastro.documents import json_text
from capomastro.settings import Settings
from tests.support.archives import short_games
from tests.support.lines import lines_of
from tests.support.nginx import CONFIGURATION, HAS_IPV6, PROGRAM, Proxy, adapted, proxied
from tests.support.serving import free_port, warmly_served

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed here")

CHECKOUT = Path(__file__).resolve().parents[2]
OPENSSL = shutil.which("openssl")
PATIENCE = 30
NOBODY = 9
"""A port on which nothing listens: connections are refused at once."""
SETUP = json.dumps({"players": 2, "seed": "7"}).encode()
JSON = {"Content-Type": "application/json"}
CLIENTS = {"# set_real_ip_from 10.0.0.0/8;": "set_real_ip_from 127.0.0.1;", "# real_ip_header": "real_ip_header"}
"""The changes for a load balancer in front: clients are distinguished by `X-Forwarded-For`."""


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of an instance with few threads."""
    directory = tmp_path_factory.mktemp("instance")
    with warmly_served(directory, CAPOMASTRO_KEEP_ALIVE="75", CAPOMASTRO_THREADS="4") as (address, _):
        port = urlsplit(address).port
        assert port is not None
        yield port


@pytest.fixture(scope="module")
def proxy(instance: int) -> Iterator[Proxy]:
    with proxied([instance], CLIENTS) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def strict(instance: int) -> Iterator[Proxy]:
    """The same with lower limits: too frequent requests are refused at once, without waiting."""
    lower = {"rate=20r/s": "rate=1r/s", "burst=100 delay=50": "burst=20 nodelay"}
    with proxied([instance], CLIENTS | lower) as proxy:
        yield proxy


def ask(
    proxy: Proxy, path: str, body: bytes | None = None, method: str = "", **headers: str
) -> tuple[HTTPResponse, bytes]:
    """The answer to a request over a new connection; each test is a client with its own address."""
    connection = HTTPConnection("127.0.0.1", proxy.port, timeout=PATIENCE)
    try:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method or ("GET" if body is None else "POST"), path, body, {**JSON, **given})
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def raw(proxy: Proxy, sent: bytes) -> tuple[HTTPResponse, bytes]:
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        response = HTTPResponse(connection)
        response.begin()
        return response, response.read()


def refused(answer: tuple[HTTPResponse, bytes]) -> str:
    """The id of a problem from nginx, which must look like one of the service."""
    response, content = answer
    assert response.getheader("Content-Type") == problems.MEDIA_TYPE, content
    problem: dict[str, Any] = json_text.decode(content)
    id: str = problem["type"].rpartition("/")[2]
    kind = problems.catalogue()[id]
    assert set(problem) == {"type", "title", "status", "detail"}
    assert problem["type"] == addresses.problem(id)
    assert (problem["title"], problem["status"]) == (kind["title"], kind["status"])
    assert problem["status"] == response.status
    assert SANE_ID.fullmatch(response.getheader("X-Request-Id", ""))
    assert response.getheader("Cache-Control") == "no-store"
    assert response.getheader("Access-Control-Allow-Origin") == "*"
    assert (response.getheader("Retry-After") is not None) == (response.status in (429, 503))
    return id


# --- what is handed on -----------------------------------------------------------------------------------------------


def test_requests_and_answers_are_passed_on(proxy: Proxy) -> None:
    response, content = ask(proxy, "/v1/games/palazzo/setups", SETUP, X_Request_Id="evening-17")
    assert response.status == 200
    assert response.getheader("X-Request-Id") == "evening-17"
    assert json_text.decode(content)["state"]["game"] == "palazzo"
    response, content = ask(proxy, "/v1/games/palazzo/audits", b'{"state":')
    assert (response.status, json_text.decode(content)["type"]) == (400, "/v1/problems/malformed-json")


def log_with(proxy: Proxy, request_id: str | None) -> str:
    """The access log of nginx, which writes a line after it has sent the answer."""
    assert request_id
    until = time.monotonic() + PATIENCE
    while True:
        log = proxy.log.read_text("utf-8")
        if (request_id in log and log.endswith("\n")) or time.monotonic() > until:
            return log
        time.sleep(0.02)


def test_both_logs_have_the_same_id(proxy: Proxy) -> None:
    made = ask(proxy, "/v1/games?seed=secret", X_Request_Id="not sane")[0].getheader("X-Request-Id")
    lines = [json.loads(line) for line in lines_of(log_with(proxy, made))]
    (line,) = (line for line in lines if line["request_id"] == made)
    assert (line["path"], line["status"], line["answered"]) == ("/v1/games", 422, "422"), "there is no such parameter"
    assert "secret" not in json.dumps(lines)


def test_conditional_requests_get_through(proxy: Proxy) -> None:
    response, _ = ask(proxy, "/v1/games/palazzo/rules", Accept_Encoding="gzip")
    assert response.getheader("Content-Encoding") == "gzip"
    etag = response.getheader("ETag")
    assert etag
    assert ask(proxy, "/v1/games/palazzo/rules", If_None_Match=etag)[0].status == 304


def test_answers_about_sealed_tables_are_not_compressed(proxy: Proxy) -> None:
    """Repetitions compress well, so the length could reveal parts of a hand."""
    setup, _ = ask(proxy, "/v1/games/palazzo/setups", SETUP, Accept_Encoding="gzip")
    assert setup.getheader("Content-Encoding") == "gzip"
    creation = json.dumps({"players": 2, "locks": ["ab" * 32, "cd" * 32]}).encode()
    response, content = ask(proxy, "/v1/games/palazzo/tables", creation, Accept_Encoding="gzip")
    assert (response.status, response.getheader("Content-Encoding")) == (200, None)
    assert len(content) > 1400, "long enough to be compressed elsewhere"
    body = json.dumps({"table": json.loads(content)["table"], "seat": None}).encode()
    for question in ("tables/views", "tables/transitions", "tables/records"):
        response, _ = ask(proxy, f"/v1/games/palazzo/{question}", body, Accept_Encoding="gzip")
        assert response.getheader("Content-Encoding") is None


def test_metrics_of_the_service_are_not_public(proxy: Proxy) -> None:
    assert ask(proxy, "/metrics")[0].status == 404


def test_a_stream_answers_each_line_before_the_next_is_sent(proxy: Proxy) -> None:
    connection = HTTPConnection("127.0.0.1", proxy.port, timeout=PATIENCE)
    connection.putrequest("POST", "/v1/replays")
    connection.putheader("Content-Type", "application/x-ndjson")
    connection.putheader("Transfer-Encoding", "chunked")
    connection.putheader("X-Forwarded-For", "192.0.2.1")
    connection.endheaders()
    response = connection.getresponse()
    for number, document in enumerate(short_games()[:3], 1):
        line = json.dumps(document).encode() + b"\n"
        connection.send(b"%x\r\n%s\r\n" % (len(line), line))
        assert json_text.decode(response.readline())["line"] == number
    connection.send(b"0\r\n\r\n")
    assert response.read() == b""
    connection.close()


# --- what nginx refuses itself ---------------------------------------------------------------------------------------


def test_a_malformed_request(proxy: Proxy) -> None:
    assert refused(raw(proxy, b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")) == "bad-request"
    assert refused(ask(proxy, "/" + "x" * 40_000)) == "bad-request"
    assert refused(ask(proxy, "/healthz", X_Long="x" * 40_000)) == "bad-request"
    assert refused(ask(proxy, "/healthz", method="TRACE")) == "bad-request"
    assert refused(ask(proxy, "/healthz", Transfer_Encoding="gzip")) == "bad-request"


def test_a_body_larger_than_every_limit_is_refused(proxy: Proxy) -> None:
    head = b"POST /v1/games/palazzo/replays HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
    assert refused(raw(proxy, head % (Settings.maximum_record_bytes + 1))) == "too-large"
    response, content = ask(proxy, "/v1/games/palazzo/replays", b" " * Settings.maximum_record_bytes)
    assert (response.status, json_text.decode(content)["type"]) == (400, "/v1/problems/malformed-json")


def statuses(proxy: Proxy, address: str, number: int) -> list[int]:
    """The answers to so many requests from an address, one after the other."""
    return [ask(proxy, "/healthz", X_Forwarded_For=address)[0].status for _ in range(number)]


def test_an_address_with_too_many_requests_is_refused(strict: Proxy) -> None:
    assert statuses(strict, "192.0.2.2", 60)[-1] == 429
    assert refused(ask(strict, "/healthz", X_Forwarded_For="192.0.2.2")) == "too-many-requests"
    assert statuses(strict, "192.0.2.3", 20) == [200] * 20, "others are not"


def test_an_address_slightly_above_the_limit_is_delayed(proxy: Proxy) -> None:
    began = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        answered = list(pool.map(lambda _: ask(proxy, "/healthz", X_Forwarded_For="192.0.2.5")[0].status, range(70)))
    assert set(answered) == {200}
    assert time.monotonic() - began > 0.5


@pytest.mark.parametrize(
    ("limited", "together", "apart"),
    [
        ("2001:db8:0:1:a::1", ["2001:db8:0:1:b::2", "2001:db8:0:1::"], ["2001:db8:0:2:a::1", "2001:db9::1"]),
        ("2001:db8::1", ["2001:db8::2:1"], ["2001:db8:7:1:a:b:c:d"]),
        ("192.0.2.9", [], ["192.0.2.10"]),
    ],
)
def test_a_network_of_ipv6_counts_as_one_client(
    strict: Proxy, limited: str, together: list[str], apart: list[str]
) -> None:
    assert statuses(strict, limited, 60)[-1] == 429
    for address in together:
        assert 429 in statuses(strict, address, 10)
    for address in apart:
        assert statuses(strict, address, 20) == [200] * 20


def test_an_address_has_two_streams_at_once(proxy: Proxy) -> None:
    head = (
        b"POST /v1/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nX-Forwarded-For: 192.0.2.4\r\n"
    )
    opened = []
    try:
        for _ in range(2):
            connection = socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE)
            opened.append(connection)
            connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
            assert connection.recv(12) == b"HTTP/1.1 200"
        assert refused(raw(proxy, head + b"Content-Length: 2\r\n\r\n\n\n")) == "too-many-requests"
    finally:
        for connection in opened:
            connection.close()


def test_no_instance_is_available() -> None:
    with proxied([NOBODY]) as proxy:
        assert refused(ask(proxy, "/v1/games")) == "unavailable"
        assert refused(ask(proxy, "/v1/games/palazzo/setups", SETUP, X_Request_Id="seven")) == "unavailable"
        assert ask(proxy, "/healthz", X_Request_Id="seven")[0].getheader("X-Request-Id") == "seven"


# --- slow clients ----------------------------------------------------------------------------------------------------


def test_slow_clients_cost_the_service_nothing(instance: int) -> None:
    """Far more unfinished bodies than the service has threads, and nginx gives none of them up."""
    head = (
        "POST /v1/games/palazzo/setups HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.{}\r\nContent-Length: 99\r\n"
    )
    with (
        proxied([instance], {**CLIENTS, "client_body_timeout 15s": "client_body_timeout 600s"}) as proxy,
        ExitStack() as slow,
    ):
        for number in range(60):
            connection = socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE)
            slow.enter_context(connection)
            connection.sendall(head.format(number).encode() + b'Content-Type: application/json\r\n\r\n{"pl')
        assert ask(proxy, "/v1/games/palazzo/setups", SETUP)[0].status == 200


# --- instances that fail ---------------------------------------------------------------------------------------------


class Failing:
    """An instance that does something other than answer, and counts the requests."""

    def __init__(self, answer: Callable[[socket.socket], None]) -> None:
        self.answer = answer
        self.asked = 0
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self.listening.getsockname()[1]

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.take, args=(connection,), daemon=True).start()

    def take(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(PATIENCE)
            if connection.recv(65536):
                self.asked += 1
                self.answer(connection)


@contextmanager
def failing(answer: Callable[[socket.socket], None]) -> Iterator[Failing]:
    instance = Failing(answer)
    threading.Thread(target=instance.serve, daemon=True).start()
    try:
        yield instance
    finally:
        instance.listening.shutdown(socket.SHUT_RDWR)
        instance.listening.close()


def hang_up(_: socket.socket) -> None:
    """As if the process with the request were killed."""


def busy(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


def test_clients_do_not_notice_a_stopped_instance(instance: int) -> None:
    with proxied([NOBODY, instance]) as proxy:
        assert {ask(proxy, "/v1/games/palazzo/setups", SETUP)[0].status for _ in range(20)} == {200}


def test_a_post_that_is_dropped_is_sent_to_the_next(instance: int) -> None:
    with failing(hang_up) as other, proxied([other.port, instance]) as proxy:
        for _ in range(20):
            assert ask(proxy, "/v1/games/palazzo/setups", SETUP)[0].status == 200
        assert other.asked > 5, "an instance that failed is asked again: its other processes may be well"


def test_a_post_that_fails_is_sent_again_to_the_only_instance() -> None:
    connections = []

    def first_time_hang_up(connection: socket.socket) -> None:
        connections.append(connection)
        if len(connections) > 1:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with failing(first_time_hang_up) as only, proxied([only.port]) as proxy:
        assert ask(proxy, "/v1/games/palazzo/setups", SETUP)[0].status == 200
        assert only.asked == 2


def test_a_busy_instance_does_not_make_the_others_busy() -> None:
    with failing(busy) as one, failing(busy) as other, proxied([one.port, other.port]) as proxy:
        assert ask(proxy, "/v1/games/palazzo/setups", SETUP)[0].status == 503
        assert one.asked + other.asked == 1


def test_the_log_has_what_was_asked_in_utf_8(proxy: Proxy) -> None:
    """The page of an error is asked for by GET, and a client may send any bytes."""
    ask(proxy, "/v1/games/palazzo/setups", b"x" * 5_000_000, X_Request_Id="too-large-7")
    raw(proxy, b"DELETE /\xff\xfe?secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: bytes-7\r\n\r\n")
    lines = {line["request_id"]: line for line in map(json.loads, lines_of(log_with(proxy, "bytes-7")))}
    assert (lines["too-large-7"]["method"], lines["too-large-7"]["path"]) == ("POST", "/v1/games/palazzo/setups")
    assert (lines["bytes-7"]["method"], lines["bytes-7"]["path"]) == ("DELETE", "")


# --- where it listens ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no IPv6")
def test_it_answers_over_ipv6_and_logs_the_address(proxy: Proxy) -> None:
    id = "over-ipv6"
    connection = HTTPConnection("::1", proxy.port, timeout=PATIENCE)
    connection.request("GET", "/readyz", headers={"X-Request-Id": id})
    assert connection.getresponse().status == 200
    connection.close()
    (line,) = (line for line in map(json.loads, lines_of(log_with(proxy, id))) if line["request_id"] == id)
    assert line["client"] == "::1"


def test_the_example_of_tls_works(instance: int, tmp_path: Path) -> None:
    """The lines of docs/operating.md, with a certificate, ports and a folder of this test."""
    if OPENSSL is None:
        pytest.skip("openssl is not installed here")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subject = ("-subj", "/CN=referee.example.org", "-addext", "subjectAltName=DNS:referee.example.org")
    new = (OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    subprocess.run([*new, *subject, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    (tmp_path / ".well-known" / "acme-challenge").mkdir(parents=True)
    (tmp_path / ".well-known" / "acme-challenge" / "token").write_text("proof")
    plain = free_port()
    live = "/etc/letsencrypt/live/referee.example.org"
    tls = adapted(example("tls.conf"), (f"{live}/fullchain.pem", str(certificate)), (f"{live}/privkey.pem", str(key)))
    redirect = adapted(
        example("redirect.conf"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("    listen [::]:80;\n", ""),
        ("/var/www/acme", str(tmp_path)),
    )
    listening = "    listen 443 ssl http2 default_server;\n    listen [::]:443 ssl http2 default_server;\n"
    head, others = tls.split(listening)
    assert not head
    over_tls = {"default_server;": "ssl http2 default_server;", "    # yours: TLS;": f"{others}    # yours: TLS;"}
    with proxied([instance], over_tls, redirect) as proxy:
        trusting = ssl.create_default_context(cafile=str(certificate))
        with (
            socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE) as connection,
            trusting.wrap_socket(connection, server_hostname="referee.example.org") as secured,
        ):
            secured.sendall(b"GET /readyz HTTP/1.1\r\nHost: referee.example.org\r\nConnection: close\r\n\r\n")
            response = HTTPResponse(secured)
            response.begin()
            assert (response.status, response.headers["Strict-Transport-Security"]) == (200, "max-age=300")
        asked = HTTPConnection("127.0.0.1", plain, timeout=PATIENCE)
        asked.request("GET", "/score/palazzo?lang=it", headers={"Host": "referee.example.org"})
        response = asked.getresponse()
        assert (response.status, response.headers["Location"]) == (
            301,
            "https://referee.example.org/score/palazzo?lang=it",
        )
        response.read()
        asked.request("GET", "/.well-known/acme-challenge/token", headers={"Host": "referee.example.org"})
        assert asked.getresponse().read() == b"proof"
        asked.close()


def example(name: str) -> str:
    """A file in docs/operating.md."""
    page = (CHECKOUT / "docs" / "operating.md").read_text("utf-8")
    (text,) = re.findall(rf"^```nginx {re.escape(name)}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return str(text)


# --- what stands in it and elsewhere ---------------------------------------------------------------------------------


def test_its_problems_match_those_of_the_service() -> None:
    text = CONFIGURATION.read_text("utf-8")
    assert f'"~^{SANE_ID.pattern}$"' in text
    assert f"client_max_body_size {Settings.maximum_record_bytes // 2**20}m;" in text
    assert f"client_body_timeout {Settings.idle_timeout + 15}s;" in text
