"""`capomastro` and `jq` without their start-up: each command runs in a fork of a process that has imported everything.

The documentation runs some 400 commands, which spend most of their time starting an interpreter and importing. A fork
is a process like any other, with its own directory, environment, standard streams and exit code; only the imports are
shared.

    python -m tests.support.warm_command SOCKET                               listens until its stdin ends
    python -S -E tests/support/warm_command.py SOCKET PROGRAM ARGUMENT…       runs one command
"""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STREAMS = (0, 1, 2)


def run_there(address: str, arguments: list[str]) -> int:
    """Runs a program with the streams, directory and environment of this process; returns its exit code.

    The first of `arguments` is the name of the program.
    """
    request = json.dumps([arguments, str(Path.cwd()), dict(os.environ)]).encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [len(request).to_bytes(4, "big")], STREAMS)
        connection.sendall(request)
        answer = connection.recv(4)
    return int.from_bytes(answer, "big") if answer else 1  # it was killed


def serve(address: str) -> None:
    """Answers one connection after the other, each in a fork, until stdin ends."""
    import select
    import signal

    programs = preloaded()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        while listener in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                code = 1
                try:
                    code = exit_code_of(programs[become_the_command(connection)])
                finally:
                    connection.sendall(code.to_bytes(4, "big"))
                    os._exit(code)
            connection.close()


def warm_commands(directory: Path) -> Iterator[dict[str, tuple[str, ...]]]:
    """The command line of each program, run in a fork for as long as the process that is forked lives."""
    import subprocess

    address = str(directory / "warm")
    listening = [sys.executable, "-m", "tests.support.warm_command", address]
    with subprocess.Popen(listening, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield {name: (sys.executable, "-S", "-E", __file__, address, name) for name in ("capomastro", "jq")}
        process.stdin.close()


def preloaded() -> dict[str, Callable[[], object]]:
    """The programs by name, with everything imported that their commands import when they run."""
    import pkgutil
    from functools import partial
    from importlib import import_module

    import capomastro.cli.commands
    from capomastro.cli import main
    from tests.support import jq_command

    for module in pkgutil.iter_modules(capomastro.cli.commands.__path__, "capomastro.cli.commands."):
        import_module(module.name)
    return {"capomastro": partial(main, prog_name="capomastro"), "jq": jq_command.main}


def become_the_command(connection: socket.socket) -> str:
    """Takes over the streams, directory, environment and arguments of the client; returns the name of the program."""
    size, descriptors, _, _ = socket.recv_fds(connection, 4, len(STREAMS))
    length = int.from_bytes(size, "big")
    content = b""
    while len(content) < length:
        content += connection.recv(length - len(content))
    arguments, directory, environment = json.loads(content)
    for descriptor, stream in zip(descriptors, STREAMS, strict=True):
        os.dup2(descriptor, stream)
        os.close(descriptor)
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = arguments
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)  # noqa: SIM115
    return sys.argv[0]


def exit_code_of(command: Callable[[], object]) -> int:
    """Runs the command to its end, as the interpreter would."""
    import traceback

    try:
        code = command()
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
        code = 1
    try:
        sys.stdout.flush()
    except OSError:
        code = 120  # as the interpreter has it
    if isinstance(code, str):
        print(code, file=sys.stderr)
        code = 1
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    if len(sys.argv) == 2:
        serve(sys.argv[1])
    else:
        sys.exit(run_there(sys.argv[1], sys.argv[2:]))
