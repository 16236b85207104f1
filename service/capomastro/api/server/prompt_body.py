"""Bodies that are read as they arrive, for streams: gunicorn's own readers wait for a whole KiB."""

import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from gunicorn.http.body import Body, ChunkedReader, LengthReader
from gunicorn.http.message import Request
from gunicorn.http.unreader import SocketUnreader, Unreader


class PromptBody(Body):
    """A body that can be read as it arrives: `read` waits for 1 KiB, even if the client waits for an answer."""

    failed: bool

    def __init__(self, body: Body, unreader: Unreader) -> None:
        super().__init__(body.reader)
        self.unreader = unreader

    def read1(self, _: int) -> bytes:
        """What has arrived, up to 1 MiB; waits only if that is nothing. At the end nothing."""
        try:
            return self.arrived()
        except Exception:
            self.failed = True  # then the connection is not used for another request
            raise

    def arrived(self) -> bytes:
        reader = self.reader
        if isinstance(reader, ChunkedReader):
            return next(filter(None, reader.parser or ()), b"")
        if isinstance(reader, LengthReader) and reader.length:
            arrived = self.unreader.read()
            piece, next_request = arrived[: reader.length], arrived[reader.length :]
            self.unreader.unread(next_request)
            reader.length -= len(piece)
            return piece
        return b""

    def close(self) -> None:
        """Who waits in `read1` waits no more: nothing else will arrive."""
        if isinstance(self.unreader, SocketUnreader):
            with suppress(OSError):  # the client may have left
                self.unreader.sock.shutdown(socket.SHUT_RD)


def prompt_reader(idle_seconds: int) -> Callable[[Any, Request], None]:
    """What has the body of a request be read as it arrives, and not be waited for without end."""
    longest_wait = struct.pack("ll", idle_seconds, 0)

    def read_promptly(_: Any, request: Request) -> None:
        unreader = request.unreader
        if request.body is not None and isinstance(unreader, SocketUnreader):
            request.body = PromptBody(request.body, unreader)
            # for what is received only: an answer may wait longer for a client that sends everything before it reads
            unreader.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, longest_wait)

    return read_promptly
