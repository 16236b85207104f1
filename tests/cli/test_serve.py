"""`capomastro serve` as a separate process, and its table of settings."""

import gc
import json
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import Result

from capomastro.api.application import create_app
from capomastro.api.server import main
from capomastro.cli.commands.serving import unknown_variables
from capomastro.settings import VARIABLES, Settings
from capomastro.tables.keys import new_master
from tests.support.lines import lines_of
from tests.support.serving import CAPOMASTRO, answers, clean_environment, free_port, served, warmly_served
from tests.support.warm_process import warm_capomastro

Ask = Callable[..., Result]


@pytest.fixture(autouse=True)
def _default_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in VARIABLES:
        monkeypatch.delenv(line.name, raising=False)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """The configuration with which the server would be started; it is not started."""
    found: list[Settings] = []
    monkeypatch.setattr(main, "serve", found.append)
    return found


def test_help_prints_every_setting_with_its_default(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPOMASTRO_WORKERS", "5")
    shown = " ".join(ask("serve", "--help").output.split())
    for line in VARIABLES:
        now = "; now 5" if line.name == "CAPOMASTRO_WORKERS" else ""
        assert f"{line.name} {line.meaning} [{line.default}{now}]" in shown


def test_options_override_the_environment_which_overrides_the_defaults(
    ask: Ask, started: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORT", "8100")
    monkeypatch.setenv("CAPOMASTRO_THREADS", "3")
    assert ask("serve").exit_code == 0
    assert ask("serve", "--host", "0.0.0.0", "--port", "8200").exit_code == 0
    assert started == [
        Settings(port=8100, threads=3),
        Settings(host="0.0.0.0", port=8200, threads=3),
    ]


def test_garbage_is_collected_after_a_command_that_stopped_it(ask: Ask, started: list[Settings]) -> None:
    """Else all later tests of the process keep theirs: more than a gigabyte."""
    ask("serve")
    assert started
    assert gc.isenabled()


@pytest.mark.parametrize(("name", "value"), [("PORT", "http"), ("CAPOMASTRO_WORKERS", "0"), ("CAPOMASTRO_TIMEOUT", "")])
def test_a_wrong_setting_is_named(
    ask: Ask, started: list[Settings], monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    answer = ask("serve")
    assert answer.exit_code == 2
    assert name in answer.stderr
    assert started == []


@pytest.mark.parametrize("host", ["", "a b"])
def test_an_option_is_as_strict_as_its_variable(ask: Ask, started: list[Settings], host: str) -> None:
    """An empty host, as from a variable that is not set, would be every address of the machine."""
    answer = ask("serve", "--host", host)
    assert answer.exit_code == 2
    assert f'CAPOMASTRO_HOST cannot be "{host}"' in answer.stderr
    assert started == []


def test_a_file_of_keys_may_be_readable_only_once(tmp_path: Path) -> None:
    """As what a shell puts in the place of `<(command)` is."""
    keys = tmp_path / "keys"
    os.mkfifo(keys)
    Thread(target=keys.write_text, args=(new_master(),), daemon=True).start()
    with warmly_served(tmp_path, CAPOMASTRO_SEALING_KEYS_FILE=str(keys)) as (address, _):
        assert answers(f"{address}/readyz")


@pytest.mark.parametrize("variable", ["CAPOMASTRO_SEALING_KEYS", "CAPOMASTRO_SEALING_KEYS_FILE"])
def test_a_server_does_not_start_with_wrong_keys(tmp_path: Path, variable: str) -> None:
    variables = clean_environment(**{"PORT": str(free_port()), variable: "wrong"})
    command = [*warm_capomastro(), "serve"]
    done = subprocess.run(command, check=False, env=variables, cwd=tmp_path, capture_output=True, timeout=60, text=True)
    assert done.returncode == 2
    assert f"Error: {variable}: " in done.stderr
    assert "Traceback" not in done.stderr


def test_unknown_variables_get_a_warning(ask: Ask, started: list[Settings], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPOMASTRO_WORKER", "5")
    assert "CAPOMASTRO_WORKER is not a setting" in ask("serve").stderr
    assert unknown_variables({"CAPOMASTRO_HOST": "", "PATH": "", "CAPOMASTRO_X": ""}) == ["CAPOMASTRO_X"]
    assert started == [Settings()]


def test_gunicorn_is_configured_by_our_settings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNICORN_CMD_ARGS", "--workers=9 --bind=0.0.0.0:1")
    monkeypatch.setenv("WEB_CONCURRENCY", "9")
    settings = Settings(host="::1", port=8100, workers=3, timeout=7, grace=2, graceful_timeout=8, keep_alive=9)
    cfg: Any = main.Server(settings).cfg
    assert cfg.bind == ["[::1]:8100"]
    assert (cfg.workers, cfg.worker_class_str) == (3, "ServiceWorker")
    assert (cfg.timeout, cfg.graceful_timeout) == (7, 10)
    assert (cfg.control_socket_disable, cfg.accesslog, cfg.preload_app) == (True, None, True)


def ask_server(address: str, path: str, body: object) -> dict[str, Any]:
    request = Request(address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=30) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def test_a_server_answers_like_the_command_line_and_stops_on_request(ask: Ask, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with served(directory=tmp_path, HOME=str(home), CAPOMASTRO_WORKERS="2", XDG_RUNTIME_DIR="") as (address, process):
        setup = ask_server(address, "/v1/games/palazzo/setups", {"players": 3, "seed": "7"})
        assert json.loads(ask("new", "palazzo", "--players", "3", "--seed", "7", "--json").stdout) == setup
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(30) == 0
        assert not answers(f"{address}/healthz")
    assert list(home.iterdir()) == [], "no control socket, no files"


def test_everything_on_stderr_is_a_line_of_json(tmp_path: Path) -> None:
    port = free_port()
    variables = clean_environment(PORT=str(port), CAPOMASTRO_WORKERS="1")
    process = subprocess.Popen([*CAPOMASTRO, "serve"], env=variables, stderr=subprocess.PIPE, cwd=tmp_path)
    try:
        assert process.stderr is not None
        lines: list[dict[str, Any]] = []
        while not any("Booting worker" in line.get("message", "") for line in lines):
            lines.append(json.loads(process.stderr.readline()))
        with urlopen(Request(f"http://127.0.0.1:{port}/healthz", headers={"X-Request-Id": "seven"}), timeout=30):
            pass
    finally:
        process.terminate()
        rest = process.communicate(timeout=30)[1]
    lines += [json.loads(line) for line in lines_of(rest)]
    (request,) = (line for line in lines if "route" in line)
    assert (request["route"], request["status"], request["request_id"]) == ("/healthz", 200, "seven")


@pytest.mark.parametrize("variable", ["PORT", "CAPOMASTRO_METRICS_PORT"])
def test_a_port_in_use_gives_one_line_and_exit_code_2(tmp_path: Path, variable: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused_to_serve(tmp_path, port, **{"PORT": str(free_port()), variable: str(port)})


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_port_of_the_service_is_in_use_for_the_metrics(tmp_path: Path, host: str) -> None:
    port = free_port()
    variables = {"PORT": str(port), "CAPOMASTRO_METRICS_PORT": str(port), "CAPOMASTRO_HOST": host}
    refused_to_serve(tmp_path, port, **variables)


def refused_to_serve(directory: Path, port: int, **variables: str) -> None:
    """Starts the service, which has to say that this port is in use."""
    done = subprocess.run(
        [*warm_capomastro(), "serve"],
        env=clean_environment(**variables),
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == f"Error: Cannot listen on 127.0.0.1, port {port}: Address already in use.\n"


def test_the_log_says_that_nothing_takes_temporary_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a container whose file system can only be read: larger bodies are refused as if it were busy."""
    create_app(Settings(), prepared=False)
    assert "temporary files" not in capsys.readouterr().err

    def none() -> str:
        raise FileNotFoundError

    monkeypatch.setattr(tempfile, "gettempdir", none)
    create_app(Settings(), prepared=False)
    (line,) = (line for line in map(json.loads, capsys.readouterr().err.splitlines()) if line["level"] == "WARNING")
    assert "TMPDIR" in line["message"]


# --- the real command ------------------------------------------------------------------------------------------------


def test_a_closed_pipe_gives_no_traceback(tmp_path: Path) -> None:
    command = " ".join([*CAPOMASTRO, "play palazzo --players 4 --seed 7 | head -n 1"])
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=clean_environment(), capture_output=True, timeout=60, cwd=tmp_path, check=True
    )
    assert done.stdout.decode() == "Palazzo, 4 players, seed 7\n"
    assert done.stderr == b""


def test_exit_codes_of_the_real_command(tmp_path: Path) -> None:
    def exit_code(*arguments: str) -> int:
        done = subprocess.run(
            [*CAPOMASTRO, *arguments],
            env=clean_environment(),
            capture_output=True,
            timeout=60,
            cwd=tmp_path,
            check=False,
        )
        assert b"Traceback" not in done.stderr
        return done.returncode

    assert exit_code("play", "palazzo", "--players", "2", "--seed", "7", "--record", "game.json") == 0
    record = json.loads((tmp_path / "game.json").read_text("utf-8"))
    (tmp_path / "wrong.json").write_text(json.dumps({**record, "moves": record["moves"][1:]}), "utf-8")
    assert exit_code("replay", "wrong.json") == 1
    assert exit_code("replay", "missing.json") == 2
