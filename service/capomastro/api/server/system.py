"""System calls that never block, made without releasing the interpreter's lock.

Python releases the lock around every system call. While other threads compute, each such call then takes until
it is this thread's turn again: five milliseconds for every one of them. The thread that looks after all connections
makes thousands of calls that are done in a microsecond; it must not wait for the others after each.
"""

import ctypes
import os
import signal
import socket
import sys

_LIBC = ctypes.PyDLL(None, use_errno=True)
_PIECE = 64 * 1024
_BUFFER = ctypes.create_string_buffer(_PIECE)
_PR_SET_PDEATHSIG = 1


def _checked(result: int) -> int:
    """The result of a call; raises its error, `BlockingIOError` if it would block."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def accept(listener: int) -> socket.socket:
    """The next connection of a listening socket that does not block.

    Raises:
        OSError: `BlockingIOError` if there is none.
    """
    descriptor = _checked(_LIBC.accept(listener, None, None))
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=descriptor)


def receive(descriptor: int) -> bytes:
    """The bytes that have arrived, up to 64 KiB; empty at the end. Only one thread of a process may call this.

    Raises:
        OSError: `BlockingIOError` if nothing has arrived.
    """
    count = _checked(_LIBC.recv(descriptor, _BUFFER, _PIECE, socket.MSG_DONTWAIT))
    return ctypes.string_at(_BUFFER, count)


def send(descriptor: int, content: bytes) -> int:
    """Sends as much of `content` as there is room for; returns how much.

    Raises:
        OSError: `BlockingIOError` if there is no room.
    """
    return _checked(_LIBC.send(descriptor, content, len(content), socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL))


def close(connection: socket.socket) -> None:
    """Closes a connection."""
    _LIBC.close(connection.detach())


def end_sending(connection: socket.socket) -> None:
    """Shuts down the sending side; the client may still send."""
    _LIBC.shutdown(connection.fileno(), socket.SHUT_WR)


def end_with_parent() -> None:
    """Makes the system stop this process when its parent dies (on Linux only)."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


class Bell:
    """Wakes a thread that polls; other threads ring."""

    def __init__(self) -> None:
        self.descriptor, self._rope = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(self._rope, False)

    def ring(self) -> None:
        _LIBC.write(self._rope, b"!", 1)  # if there is no room, it is already ringing

    def silence(self) -> None:
        _LIBC.read(self.descriptor, _BUFFER, _PIECE)
