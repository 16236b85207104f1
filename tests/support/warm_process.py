"""`capomastro` as a process of its own, forked from one that has begun already: see `warm_command`."""

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO

from tests.support import warm_command
from tests.support.warm_command import NUMBER, begin, exit_code_in, warm_interpreter

AVAILABLE = hasattr(os, "pidfd_open")
"""Whether this system can tell when a process ends that is no child."""


class WarmProcess:
    """What `subprocess.Popen` is for a child; the exit code of a process that is killed is 1."""

    def __init__(self, pid: int, descriptor: int, connection: socket.socket) -> None:
        self.pid = pid
        self.descriptor = descriptor
        self.connection = connection
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, after its end.

        Raises:
            subprocess.TimeoutExpired: if it does not end in so many seconds.
        """
        if self.returncode is None:
            if not select.select([self.descriptor], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            self.connection.setblocking(False)
            with suppress(BlockingIOError):  # its own children may keep the connection open
                self.returncode = exit_code_in(self.connection.recv(NUMBER))
            self.returncode = 1 if self.returncode is None else self.returncode
        return self.returncode

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.descriptor, number)


@contextmanager
def warm_process(
    arguments: Sequence[str], directory: Path | None, environment: Mapping[str, str], output: IO[bytes]
) -> Iterator[WarmProcess]:
    """A process that runs `capomastro` with these arguments, and with empty input; it is not ended afterwards."""
    with socket.socket(socket.AF_UNIX) as connection, Path(os.devnull).open("rb") as nothing:
        connection.connect(interpreter())
        streams = (nothing.fileno(), output.fileno(), output.fileno())
        where = str(directory or Path.cwd())
        pid = int.from_bytes(connection.recv(NUMBER), "big")
        descriptor = os.pidfd_open(pid)
        try:
            begin(connection, ["capomastro", *arguments], streams, where, dict(environment))
            yield WarmProcess(pid, descriptor, connection)
        finally:
            os.close(descriptor)


@cache
def warm_capomastro() -> tuple[str, ...]:
    """A command line that runs `capomastro` in such a fork: for a tenth of the CPU time."""
    return (sys.executable, "-S", "-E", warm_command.__file__, interpreter(), "capomastro")


@cache
def interpreter() -> str:
    """The address of the process that is forked; it lives as long as this one."""
    with ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        address = stack.enter_context(contextmanager(warm_interpreter)(Path(directory)))
        atexit.register(stack.pop_all().close)
    return address
