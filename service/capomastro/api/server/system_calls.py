"""System calls that never block, made without releasing the interpreter's lock.

Python releases the lock around every system call. While other threads compute, each such call then takes until
it is this thread's turn again: five milliseconds for each of them. The thread that handles all connections makes
thousands of calls that take a microsecond each; it must not wait for the others after every one.
"""

import ctypes
import os
import signal
import socket
import sys

_LIBC = ctypes.PyDLL(None, use_errno=True)
_BUFFER_SIZE = 64 * 1024
_BUFFER = ctypes.create_string_buffer(_BUFFER_SIZE)
_PR_SET_PDEATHSIG = 1


def _checked(result: int) -> int:
    """The result of a call; raises its error, `BlockingIOError` if it would block."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def accept(listener: socket.socket) -> socket.socket:
    """The next connection of a listening socket that does not block.

    Raises:
        OSError: `BlockingIOError` if there is none.
    """
    return _connection(_checked(_LIBC.accept(listener.fileno(), None, None)), listener.family)


def accept_or_close(listener: socket.socket) -> socket.socket | None:
    """The next connection of a listening socket that does not block; if there is none, closes it and returns None.

    The kernel resets the connections made between the last accept and the close, so hardly anything comes in between.
    """
    descriptor = listener.fileno()
    accepted = _LIBC.accept(descriptor, None, None)
    if accepted >= 0:
        return _connection(accepted, listener.family)
    _LIBC.close(descriptor)
    listener.detach()
    return None


def _connection(descriptor: int, family: int) -> socket.socket:
    """The family is named, since finding it out takes more calls, and a wrong one cuts addresses off."""
    return socket.socket(family, socket.SOCK_STREAM, 0, fileno=descriptor)


def receive(descriptor: int) -> bytes:
    """The bytes that have arrived, up to 64 KiB; empty at the end. Only one thread of a process may call this.

    Raises:
        OSError: `BlockingIOError` if nothing has arrived.
    """
    count = _checked(_LIBC.recv(descriptor, _BUFFER, _BUFFER_SIZE, socket.MSG_DONTWAIT))
    return ctypes.string_at(_BUFFER, count)


def send(descriptor: int, content: bytes) -> int:
    """Sends as much of `content` as fits into the socket's buffer; returns the number of bytes.

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
    """Makes the kernel send this process SIGTERM when its parent dies (on Linux only)."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


class WakeupPipe:
    """Lets any thread wake the thread that polls `descriptor`."""

    def __init__(self) -> None:
        self.descriptor, self._write_end = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(self._write_end, False)

    def wake(self) -> None:
        _LIBC.write(self._write_end, b"!", 1)  # a full pipe wakes as well

    def drain(self) -> None:
        _LIBC.read(self.descriptor, _BUFFER, _BUFFER_SIZE)
