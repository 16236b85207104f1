"""The instances of a soak: started, killed and started again; and what memory their processes take."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from tests.support.serving import CAPOMASTRO, answers, clean_environment

from bench.server import children_of

TIMEOUT_SECONDS = 90
"""Seconds an instance may take to stop, or to answer again."""
PAGE = os.sysconf("SC_PAGE_SIZE")


class Instance:
    """A server with its processes, all in one group of their own."""

    def __init__(self, number: int, port: int, settings: Mapping[str, str], log: Path) -> None:
        self.number = number
        self.port = port
        self.environment = clean_environment(PORT=str(port), **settings)
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self.groups: list[int] = []

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def ready(self) -> bool:
        return answers(f"http://127.0.0.1:{self.port}/readyz")

    def start(self) -> None:
        """Starts it, again and again if it does not come up, and waits until it is ready.

        Raises:
            RuntimeError: if that takes too long.
        """
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    [*CAPOMASTRO, "serve"],
                    env=self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            self.groups.append(self.process.pid)
            while self.process.poll() is None and time.monotonic() < deadline:
                if children_of(self.pid) and self.ready:
                    return
                time.sleep(0.2)
        raise RuntimeError(f"instance {self.number} did not become ready; see {self.log}")

    def workers(self) -> list[int]:
        """The processes that answer, the oldest first."""
        return [] if self.process is None else sorted(children_of(self.pid), key=started_at)

    def stop(self, how: signal.Signals) -> None:
        """Ends its first process and waits for it; leaves that process's children alone."""
        assert self.process is not None
        self.process.send_signal(how)
        try:
            self.process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            print(f"instance {self.number} did not stop in {TIMEOUT_SECONDS} s", file=sys.stderr)
            self.process.kill()
            self.process.wait()

    def end(self) -> None:
        """Ends every process it ever started."""
        if self.process is not None and self.process.poll() is None:
            self.stop(signal.SIGTERM)
        for group in self.groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)


def for_all(act: Callable[[Instance], None], instances: Sequence[Instance]) -> None:
    """Does something with all instances at once: each takes seconds to start, and to stop."""
    with ThreadPoolExecutor(len(instances)) as pool:
        list(pool.map(act, instances))


def started_at(process: int) -> int:
    """When a process was started, in ticks since the machine was; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return 0


def resident_kilobytes(process: int) -> int | None:
    """The memory a process has in use, or None if it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE // 1024
    except OSError:
        return None


def private_kilobytes(process: int) -> int | None:
    """The memory of a process that it shares with no other, or None if it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
