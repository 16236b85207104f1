"""The metrics, whose number does not grow with the number of replaced workers."""

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from io import BytesIO
from pathlib import Path
from socket import create_connection
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from flask.testing import FlaskClient
from prometheus_client import CollectorRegistry, make_wsgi_app, mmap_dict, values
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.parser import text_string_to_metric_families

from capomastro.api import metrics, problems
from capomastro.api.metrics import OTHER, ROUTES
from capomastro.api.request_log import start_logging
from capomastro.api.server import main, metrics_server
from capomastro.documents import wordings
from capomastro.games import all_games
from capomastro.settings import Settings
from tests.api.asking import Asker
from tests.support.archives import archive_lines
from tests.support.lines import lines_of
from tests.support.serving import CAPOMASTRO, children_of, free_port, served, warmly_served
from tests.support.sockets import PATIENCE, soon

Sample = Callable[..., float]


@pytest.fixture
def registry() -> Iterator[CollectorRegistry]:
    """The registry in which this process counts during a test."""
    registry = CollectorRegistry()
    metrics.begin(registry)
    yield registry
    metrics.end()


@pytest.fixture
def sample(registry: CollectorRegistry) -> Sample:
    """The value of a counter; 0 if it does not exist."""
    return lambda name, **labels: registry.get_sample_value(f"capomastro_{name}", labels) or 0.0


def test_nothing_is_counted_unless_metrics_are_enabled(client: FlaskClient) -> None:
    client.get("/healthz")
    assert metrics._counting is None


def test_requests_are_counted(ask: Asker, sample: Sample, auction: dict[str, Any]) -> None:
    body = json.dumps({"state": auction}).encode()
    answer = ask.send("audits", body)
    ask.refused("audits", b"{")
    ask.client.get("/none")
    route = "/v1/games/{game}/audits"
    assert sample("requests_total", route=route, status="200") == 1
    assert sample("requests_total", route=route, status="400") == 1
    assert sample("requests_total", route=OTHER, status="404") == 1
    assert sample("request_seconds_count", route=route) == 2
    assert 0 < sample("request_seconds_sum", route=route) < PATIENCE
    assert 0 < sample("request_cpu_seconds_total", route=route) < PATIENCE
    assert sample("received_bytes_total", route=route) == len(body) + 1
    assert sample("sent_bytes_total", route=route) > len(answer.get_data())
    assert sample("problems_total", problem="malformed-json") == 1
    assert sample("problems_total", problem="not-found") == 1


def test_judgements_are_counted_by_game_and_rule(
    ask: Asker, sample: Sample, auction: dict[str, Any], record: dict[str, Any]
) -> None:
    seat = auction["stage"]["seat"]
    illegal = {"type": "build", "seat": seat}
    ask.post("verdicts", {"state": auction, "move": {"type": "pass", "seat": seat}})
    ask.post("verdicts", {"state": auction, "move": illegal})
    ask.refused("transitions", {"state": auction, "moves": [illegal]})
    assert sample("verdicts_total", game="palazzo", verdict="legal") == 1
    assert sample("verdicts_total", game="palazzo", verdict="illegal") == 1
    assert sample("refusals_total", game="palazzo", rule="palazzo.turn.step") == 2
    ask.post("replays", {"record": record})
    other = ask.post("replays", {"record": {**record, "moves": record["moves"][5:]}})["verdict"]
    assert sample("records_total", game="palazzo", verdict="legal") == 1
    assert sample("records_total", game="palazzo", verdict=other) == 1
    assert sample("refusals_total", game="palazzo", rule="palazzo.turn.chance") == 1


def test_records_in_streams_are_counted(client: FlaskClient, sample: Sample, registry: CollectorRegistry) -> None:
    lines = [*archive_lines(30), b'{"game": "chess"}', b'{"game": ["palazzo"]}']
    response = client.post("/v1/replays", data=b"\n".join(lines), content_type="application/x-ndjson")
    verdicts = [json.loads(line) for line in lines_of(response.get_data())]
    counted = {
        (one.labels["game"], one.labels["verdict"]): one.value
        for family in registry.collect()
        for one in family.samples
        if one.name == "capomastro_records_total"
    }
    judged = [(one["game"] if one.get("game") in all_games() else OTHER, one["verdict"]) for one in verdicts]
    assert counted == {pair: judged.count(pair) for pair in judged}
    assert sum(counted.values()) == 32
    assert sample("record_problems_total", problem="not-found") == 1
    assert sample("record_problems_total", problem="malformed-json") > 0
    assert sample("streams") == 0


def test_a_stream_is_counted_while_it_is_served(client: FlaskClient, sample: Sample) -> None:
    seen = []

    class Body(BytesIO):
        def readinto(self, buffer: Any) -> int:
            seen.append(sample("streams"))
            return super().readinto(buffer)

    line = next(iter(archive_lines(1))) + b"\n"
    response = client.post("/v1/replays", input_stream=Body(line), content_type="application/x-ndjson")
    assert len(response.get_data().splitlines()) == 1
    response.close()
    assert set(seen) == {1}
    assert sample("streams") == 0


CLOSED = {
    "route": ROUTES | {OTHER},
    "status": {str(status) for status in range(200, 600)},
    "game": set(all_games()) | {OTHER},
    "rule": {rule for game in all_games().values() for rule in wordings.rules_of(game)},
    "problem": set(problems.catalogue()),
    "reason": {*metrics.CLOSED, *metrics.LOST},
    "activity": set(metrics.ACTIVITIES),
}


def test_client_text_never_becomes_a_label(
    ask: Asker, registry: CollectorRegistry, auction: dict[str, Any], record: dict[str, Any]
) -> None:
    words = [f"word-{number}" for number in range(30)]
    for word in words:
        ask.client.get(f"/{word}")
        ask.client.get(f"/v1/games/{word}/rules/{word}")
        ask.client.open("/v1/games", method=word.upper())
        ask.send(f"/v1/games/{word}/audits", {"state": auction})
        ask.send("verdicts", {"state": auction, "move": {"type": word}})
        ask.send("replays", {"record": {**record, "game": word}})
        ask.send("replays", {"record": {**record, "moves": [{"type": word}]}})
        ask.client.post("/v1/replays", data=json.dumps({"game": word, "id": word}), content_type="application/jsonl")
    labels = {
        (name, value)
        for family in registry.collect()
        for one in family.samples
        for name, value in one.labels.items()
        if name not in ("le", "verdict")
    }
    assert not any(word in value for word in words for _, value in labels)
    assert {(name, value) for name, value in labels if value not in CLOSED[name]} == set()
    assert {name for name, _ in labels} >= {"route", "status", "game", "problem"}


# --- many processes --------------------------------------------------------------------------------------------------


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[metrics_server.MetricsServer]:
    """The files in which this process counts, first as if it were the master, then as each of the workers."""
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    monkeypatch.setenv(metrics_server.DIRECTORY, "")
    monkeypatch.setattr(metrics_server.SLOTS, "own", metrics_server.MASTER)
    monkeypatch.setattr(metrics, "_counting", None)
    metrics_server.count_in(tmp_path)
    yield metrics_server.MetricsServer("127.0.0.1", 1, None, directory=tmp_path)
    metrics.end()


def collected(directory: Path) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """The page that Prometheus would read."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(directory))  # type: ignore[no-untyped-call]
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in registry.collect()
        for one in family.samples
    }


def test_hundreds_of_workers_need_only_as_many_slots_as_run_at_once(
    shared: metrics_server.MetricsServer, tmp_path: Path
) -> None:
    """300 times, one of four workers ends and another starts; each counts one request."""
    arbiter: Any = SimpleNamespace(WORKERS={})
    sizes = []
    for number in range(300):
        if len(arbiter.WORKERS) == 4:
            shared.child_exit(arbiter, arbiter.WORKERS.pop(sorted(arbiter.WORKERS)[number % 4]))
        metrics_server.SLOTS.own = metrics_server.MASTER
        worker = SimpleNamespace()
        shared.pre_fork(arbiter, worker)
        arbiter.WORKERS[number] = worker
        shared.post_fork(arbiter, worker)
        metrics.count_stream(1)  # nothing else will end it
        metrics.count_open(7, 1)
        counting = metrics.begin()
        counting.requests.labels("/healthz", 200).inc()
        if number in (20, 150):
            sizes.append((len(collected(tmp_path)), len(list(tmp_path.iterdir()))))
    found = collected(tmp_path)
    assert sizes == [(len(found), len(list(tmp_path.iterdir())))] * 2
    assert found["capomastro_workers_begun_total", ()] == 300
    assert found["capomastro_requests_total", (("route", "/healthz"), ("status", "200"))] == 300
    assert found["capomastro_streams", ()] == 4, "what had ended is open no more"
    assert found["capomastro_connections", ()] == 28
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 2**21


def test_metrics_can_be_read_while_a_worker_opens_its_files(
    shared: metrics_server.MetricsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library makes an empty file first, which it cannot read: a scrape at that moment was answered with 500."""
    openings = []

    def scraped_while_opening(file: int) -> os.stat_result:
        openings.append(len(collected(tmp_path)))
        return os.fstat(file)

    monkeypatch.setattr(mmap_dict, "os", SimpleNamespace(fstat=scraped_while_opening))
    worker = SimpleNamespace()
    for _ in range(2):  # the second continues the counters of the first, in a new file for its gauges
        metrics_server.SLOTS.own = metrics_server.MASTER
        shared.pre_fork(SimpleNamespace(WORKERS={}), worker)
        shared.post_fork(None, worker)
        shared.child_exit(None, worker)
    files = {file.name.rpartition("_")[0] for file in tmp_path.glob("*.db")}
    assert len(openings) >= 2 * len(files) > 0
    assert min(openings) > 0


def test_free_slots_are_reused() -> None:
    assert metrics_server.free_slot([]) == 0
    assert metrics_server.free_slot([0, 1, 3]) == 2
    assert metrics_server.free_slot([1, 2]) == 0


# --- the server ------------------------------------------------------------------------------------------------------


def scraped(port: int) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as response:
        assert response.headers["Content-Type"].startswith("text/plain; version=")
        text = response.read().decode()
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def refuses(port: int) -> bool:
    """Whether nothing listens on that port."""
    try:
        urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE).close()
    except HTTPError:
        return False
    except (URLError, ConnectionError):
        return True
    return False


READY = ("capomastro_requests_total", (("route", "/readyz"), ("status", "200")))


def test_workers_that_are_killed_lose_no_counts_and_add_no_lines(tmp_path: Path) -> None:
    port = free_port()
    with warmly_served(tmp_path, CAPOMASTRO_METRICS_PORT=str(port), CAPOMASTRO_WORKERS="2") as (url, process):
        metrics_process, *_ = sorted(children_of(process.pid))
        address = urlsplit(url).netloc
        answered = 0
        sizes = set()
        for generation in range(1, 7):
            for _ in range(10):
                connection = HTTPConnection(address, timeout=PATIENCE)
                connection.request("GET", "/readyz")
                answered += connection.getresponse().status == 200
                connection.close()
            found = scraped(port)
            assert found[READY] == answered == found["capomastro_request_seconds_count", (("route", "/readyz"),)]
            sizes.add(len(found))
            assert soon(lambda: len(children_of(process.pid)) == 3)
            assert scraped(port)["capomastro_workers_begun_total", ()] == 2 * generation
            before = children_of(process.pid)
            for worker in before - {metrics_process}:
                os.kill(worker, signal.SIGKILL)
            assert soon(lambda before=before: len(children_of(process.pid) - before) == 2)  # type: ignore[misc]
        assert len(sizes) == 1
        found = scraped(port)
        assert found["capomastro_workers", ()] == 2
        assert found["capomastro_workers_begun_total", ()] == 14
        with create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=PATIENCE):
            assert soon(lambda: scraped(port)["capomastro_connections", ()] == 1)
        assert soon(lambda: scraped(port)["capomastro_connections", ()] == 0)
        assert found["capomastro_resident_bytes", (("process", "workers"),)] > 2**20
        # only there, and nothing else there
        with pytest.raises(URLError, match="404"):
            urlopen(f"{url}/metrics", timeout=PATIENCE)
        with pytest.raises(URLError, match="404"):
            urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE)
        with pytest.raises(URLError, match="404"):
            urlopen(Request(f"http://127.0.0.1:{port}/", method="POST", data=b"x"), timeout=PATIENCE)
        process.terminate()
        assert process.wait(PATIENCE) == 0
        assert refuses(port)
        assert not Path(f"/proc/{metrics_process}").exists()


def folder_of(process: int) -> Path:
    """Where the workers of a master count."""
    folders = {
        file.readlink().parent
        for child in children_of(process)
        for file in Path(f"/proc/{child}/map_files").glob("*")
        if "capomastro-metrics-" in str(file.readlink())
    }
    (folder,) = folders
    return folder


def test_metrics_go_on_when_the_master_is_told_to_reload(tmp_path: Path) -> None:
    """SIGHUP makes it replace its workers; its own session, for a signal to process 0 would reach these tests too."""
    port = free_port()
    other = tmp_path / "other_master.db"
    other.touch()
    with served(("setsid", *CAPOMASTRO), tmp_path, CAPOMASTRO_METRICS_PORT=str(port)) as (url, process):
        folder, before = folder_of(process.pid), children_of(process.pid)
        urlopen(f"{url}/readyz", timeout=PATIENCE).close()
        os.kill(process.pid, signal.SIGHUP)
        assert soon(lambda: len(now := children_of(process.pid)) == len(now & before) + 1 == 2)
        urlopen(f"{url}/readyz", timeout=PATIENCE).close()
        assert scraped(port)[READY] == 2
        assert soon(lambda: scraped(port)["capomastro_workers_begun_total", ()] == 2)
        assert list(tmp_path.iterdir()) == [other]
        process.terminate()
        assert process.wait(PATIENCE) == 0
        assert refuses(port)
        assert not folder.exists()


def test_a_worker_is_replaced_even_if_somebody_has_removed_the_files(tmp_path: Path) -> None:
    """As systemd-logind does with all files of a user in shared memory when they log out (RemoveIPC)."""
    port = free_port()
    with warmly_served(tmp_path, CAPOMASTRO_METRICS_PORT=str(port)) as (url, process):
        before = children_of(process.pid)
        _, worker = sorted(before)
        shutil.rmtree(folder_of(process.pid))
        os.kill(worker, signal.SIGKILL)
        assert soon(lambda: len(children_of(process.pid) - before) == 1)
        urlopen(f"{url}/readyz", timeout=PATIENCE).close()
        assert soon(lambda: scraped(port).get(READY) == 1)
        assert process.poll() is None


def test_metrics_end_when_the_master_is_killed(tmp_path: Path) -> None:
    port = free_port()
    with warmly_served(tmp_path, CAPOMASTRO_METRICS_PORT=str(port)) as (_, process):
        memory = Path("/dev/shm")  # where these files are on Linux
        folder = folder_of(process.pid)
        assert folder.is_relative_to(memory) or not memory.is_dir()
        process.kill()
        assert soon(lambda: refuses(port))
        assert soon(lambda: not folder.exists())


@pytest.mark.parametrize("accept", ["text/plain; version=x", "application/openmetrics-text; version=1.x; escaping=y"])
def test_whatever_a_scraper_accepts_it_gets_metrics(accept: str) -> None:
    """The library cannot compare such versions."""
    application = metrics_server.metrics_only(make_wsgi_app(CollectorRegistry()))
    statuses = []
    environ = {"PATH_INFO": "/metrics", "REQUEST_METHOD": "GET", "HTTP_ACCEPT": accept}
    assert list(application(environ, lambda status, headers: statuses.append(status))) == [b""]
    assert statuses == ["200 OK"]


def test_a_bug_in_a_scrape_is_logged_as_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    def failing(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        raise RuntimeError

    start_logging("INFO")
    statuses = []
    application = metrics_server.metrics_only(failing)
    list(application({"PATH_INFO": "/metrics"}, lambda status, headers: statuses.append(status)))
    assert statuses == ["500 Internal Server Error"]
    assert json.loads(capsys.readouterr().err)["error"] == "RuntimeError"


def test_connections_that_end_early_are_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    class Impatient(metrics_server.Handler):
        timeout = 0.1  # type: ignore[assignment]

    listening = metrics_server.listening_on("127.0.0.1", 0)
    with metrics_server.ScrapeServer(listening) as server:
        server.RequestHandlerClass = Impatient
        server.daemon_threads = False  # waits for them at the end
        with create_connection(listening.getsockname(), timeout=PATIENCE) as silent:
            server.handle_request()
            assert silent.recv(1) == b""
    assert capsys.readouterr() == ("", "")


def test_a_port_in_use_is_an_error_at_once(tmp_path: Path) -> None:
    with (
        warmly_served(tmp_path) as (url, _),
        pytest.raises(RuntimeError, match="Address already in use"),
        warmly_served(tmp_path, CAPOMASTRO_METRICS_PORT=str(urlsplit(url).port)),
    ):
        pass


def test_no_port_no_process(tmp_path: Path) -> None:
    assert Settings().metrics_port == 0
    assert metrics_server.MetricsServer("127.0.0.1", 0, None).hooks() == {}
    with warmly_served(tmp_path) as (_, process):
        assert len(children_of(process.pid)) == 1


def test_files_go_elsewhere_if_shared_memory_cannot_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "SHARED_MEMORY", tmp_path)
    assert main.shared_memory() == tmp_path
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert main.shared_memory() is None
    monkeypatch.undo()
    monkeypatch.setattr(main, "SHARED_MEMORY", tmp_path / "none")
    assert main.shared_memory() is None
