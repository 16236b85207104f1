"""The real command line and the real server, as processes of their own."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import sample
from typing import IO
from urllib.error import URLError
from urllib.request import urlopen

from tests.support.warm_process import AVAILABLE, WarmProcess, warm_process

Process = subprocess.Popen[bytes] | WarmProcess

PATIENCE = 120
"""Seconds a server may take to answer for the first time, or to stop."""
LAST_LINES = 20
"""Lines of its log that are shown with a test that failed."""

CAPOMASTRO = (sys.executable, "-m", "capomastro.cli")
"""The command line of the package under test."""
WITH_LOG = ("sh", "-c", 'exec "$0" "$@" 2> log', *CAPOMASTRO)
"""The same, with a log in a file of its directory."""


def with_files_up_to(size: int, *command: str) -> tuple[str, ...]:
    """A command whose files cannot become larger than so many bytes: as if the disk were full.

    It writes no bytecode: that of a long module would be cut off, and no later process could import the module.
    """
    limit = f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
    without = "os.environ['PYTHONDONTWRITEBYTECODE'] = '1'; "
    return (sys.executable, "-c", limit + without + "os.execvp(sys.argv[1], sys.argv[1:])", *(command or CAPOMASTRO))


def clean_environment(**variables: str) -> dict[str, str]:
    """The environment without any setting of the service, then with `variables`."""
    kept = {name: value for name, value in os.environ.items() if name != "PORT" and not name.startswith("CAPOMASTRO_")}
    return {**kept, **variables}


def settings_in(file: Path) -> dict[str, str]:
    """The variables in a file of settings: one NAME=value per line, as systemd, Docker and Kubernetes read it."""
    lines = [line for line in file.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
"""The ports that Linux gives to a program that names none."""


def lasting_ports() -> range:
    """Ports that the system gives to nobody unasked; few or none if it is set to give nearly all."""
    first = int(EPHEMERAL.read_text().split()[0]) if EPHEMERAL.exists() else 32_768
    return range(10_000, first)


def lasting_port() -> int:
    """A free port that a server which restarts finds free again; any free one if the system has none of this kind."""
    ports = lasting_ports()
    for port in sample(ports, min(100, len(ports))):
        with socket.socket() as taken, suppress(OSError):
            taken.bind(("127.0.0.1", port))
            return port
    return free_port()


def listens(port: int) -> bool:
    """Whether anything accepts connections on that port of this machine."""
    with socket.socket() as connection:
        connection.settimeout(5)
        return connection.connect_ex(("127.0.0.1", port)) == 0


def answers(address: str) -> bool:
    """Whether a GET of `address` is answered with 200."""
    try:
        with urlopen(address, timeout=5) as response:
            return bool(response.status == 200)
    except (URLError, ConnectionError, TimeoutError):
        return False


def text_of(log: IO[bytes]) -> str:
    log.seek(0)
    return log.read().decode(errors="replace")


def await_answer(address: str, process: Process, log: IO[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not answers(address):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("The server does not answer:\n" + text_of(log))
        time.sleep(0.02)


@contextmanager
def served(
    command: Sequence[str] = CAPOMASTRO, directory: Path | None = None, **variables: str
) -> Iterator[tuple[str, Process]]:
    """A server on a free port, or on PORT: its address and its process, which is ended afterwards."""
    address, environment = configured(variables)
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [*command, "serve"],
            env=environment,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        with answering(address, process, log):
            yield address, process


@contextmanager
def warmly_served(directory: Path, **variables: str) -> Iterator[tuple[str, Process]]:
    """The same, forked from a process that has begun already, where the system permits; its log is the file `log`.

    This takes an eighth of the CPU time. The process is no child of this one.
    """
    if not AVAILABLE:
        with served(WITH_LOG, directory, **variables) as started:
            yield started
        return
    address, environment = configured(variables)
    with (
        (directory / "log").open("a+b") as log,
        warm_process(["serve"], directory, environment, log) as process,
        answering(address, process, log),
    ):
        yield address, process


def children_of(process: int) -> set[int]:
    """The ids of the processes that a process has started and that have not ended."""
    return {int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()}


def cpu_seconds(process: int) -> float:
    """User and system time of a process and its threads so far, in seconds: to the tick where nothing finer is told."""
    try:
        threads = list((Path("/proc", str(process)) / "task").iterdir())
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
    except OSError:
        fields = (Path("/proc", str(process)) / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def worker_of(process: int) -> int:
    """The id of the only child of a process."""
    (child,) = children_of(process)
    return child


def configured(variables: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The address of a server with these variables, and its environment."""
    port = variables.get("PORT") or str(free_port())
    return f"http://127.0.0.1:{port}", clean_environment(**{"CAPOMASTRO_WORKERS": "1", **variables, "PORT": port})


def end(process: Process | subprocess.Popen[str]) -> None:
    """Asks a process to end, and kills it if it does not."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def answering(address: str, process: Process, log: IO[bytes]) -> Iterator[None]:
    """Waits until a server answers, and ends it afterwards; if anything fails, the end of its log is printed."""
    try:
        await_answer(f"{address}/healthz", process, log)
        yield
    except BaseException:
        print("The server's log:", *text_of(log).splitlines()[-LAST_LINES:], sep="\n")
        raise
    finally:
        end(process)
