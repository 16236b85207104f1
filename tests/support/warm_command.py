"""`capomastro` and `jq` without their start-up: each command runs in a fork of a process that has begun already.

The documentation runs some 250 commands, which spend most of their time starting an interpreter, importing, compiling
schemas and reading words. A fork is a process like any other, with its own directory, environment, standard streams and
exit code; only what every command begins with is shared.

    python -m tests.support.warm_command SOCKET                               listens until its stdin ends
    python -S -E tests/support/warm_command.py SOCKET PROGRAM ARGUMENT…       runs one command
"""

from __future__ import annotations

import _socket
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator
    from pathlib import Path

STREAMS = (0, 1, 2)
NUMBER = 4
"""The bytes of a number on a connection."""


def run_there(address: str, arguments: list[str]) -> int:
    """Runs a program with the streams, directory and environment of this process; returns its exit code.

    The first of `arguments` is the name of the program. A client imports hardly anything: with `json`, `socket` and
    `pathlib` it would take three times as long.
    """
    connection = _socket.socket(_socket.AF_UNIX)
    connection.connect(address)
    connection.recv(NUMBER)  # the process id
    begin(connection, arguments, STREAMS, os.getcwd(), dict(os.environ))  # noqa: PTH109
    return exit_code_in(connection.recv(NUMBER))


def begin(
    connection: _socket.socket,
    arguments: list[str],
    streams: tuple[int, int, int],
    directory: str,
    environment: dict[str, str],
) -> None:
    """Has the fork at the other end, which has sent its process id, begin with a program.

    It sends the exit code at its end, or nothing if it is killed.
    """
    request = repr((arguments, directory, environment)).encode()
    descriptors = b"".join(stream.to_bytes(4, sys.byteorder) for stream in streams)
    rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, descriptors)
    connection.sendmsg([len(request).to_bytes(NUMBER, "big")], [rights])
    connection.sendall(request)


def exit_code_in(answer: bytes) -> int:
    """The exit code at the end of a connection."""
    return int.from_bytes(answer, "big") if answer else 1  # it was killed


def serve(address: str) -> None:
    """Answers one connection after the other, each in a fork, until stdin ends."""
    import gc
    import select
    import socket

    programs = preloaded()
    gc.freeze()  # a fork that looked for garbage in what it shares would copy it
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        while listener in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            forget_forks()
            if os.fork() == 0:
                listener.close()
                code, own = 1, os.getpid()
                connection.sendall(own.to_bytes(NUMBER, "big"))
                try:
                    code = exit_code_of(programs[become_the_command(connection)])
                finally:
                    if os.getpid() == own:  # the workers of a server end here, too
                        connection.sendall(code.to_bytes(NUMBER, "big"))
                    os._exit(code)
            connection.close()
    forget_forks()


def forget_forks() -> None:
    """Takes note of the forks that have ended, which adds their CPU time to that of this process."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:  # there is none
        pass


def warm_commands(directory: Path) -> Iterator[dict[str, tuple[str, ...]]]:
    """The command line of each program, run in a fork for as long as the process that is forked lives."""
    for address in warm_interpreter(directory):
        yield {name: (sys.executable, "-S", "-E", __file__, address, name) for name in ("capomastro", "jq")}


def warm_interpreter(directory: Path) -> Iterator[str]:
    """The address of a process that is forked for each command; it ends when this is continued."""
    import subprocess

    address = str(directory / "warm")
    listening = [sys.executable, "-m", "tests.support.warm_command", address]
    checkout = os.path.join(os.path.dirname(__file__), "..", "..")  # noqa: PTH118, PTH120
    with subprocess.Popen(listening, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield address
        process.stdin.close()


def preloaded() -> dict[str, Callable[[], object]]:
    """The programs by name, with everything done that their commands begin with, whatever they are asked.

    That is what does not depend on arguments or files of the user: imports, readers of documents, and words.
    """
    import pkgutil
    from functools import partial
    from importlib import import_module

    import capomastro.api.server.main
    import capomastro.cli.commands
    from capomastro.cli.commands import main
    from capomastro.documents.languages import ORIGINAL
    from capomastro.documents.shapes import prepare
    from capomastro.documents.wordings import words_of
    from capomastro.games import all_games
    from tests.support import jq_command

    for module in pkgutil.iter_modules(capomastro.cli.commands.__path__, "capomastro.cli.commands."):
        import_module(module.name)
    prepare(all_games().values())
    for game in all_games().values():
        words_of(game, ORIGINAL)
    return {"capomastro": partial(main, prog_name="capomastro"), "jq": jq_command.main}


def become_the_command(connection: socket.socket) -> str:
    """Takes over the streams, directory, environment and arguments of the client; returns the name of the program."""
    import ast
    import socket

    size, descriptors, _, _ = socket.recv_fds(connection, NUMBER, len(STREAMS))
    length = int.from_bytes(size, "big")
    content = b""
    while len(content) < length:
        content += connection.recv(length - len(content))
    arguments, directory, environment = ast.literal_eval(content.decode())
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
    import atexit
    import threading
    import traceback

    try:
        code = command()
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
        code = 1
    threading._shutdown()  # type: ignore[attr-defined] # waits for threads
    atexit._run_exitfuncs()
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
