"""Serves tables until stopped: over stdio, or over HTTP."""

import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import anyio
import uvicorn
from mcp.server.stdio import stdio_server

from capomastro.agents.folder import FolderInUseError, opened
from capomastro.agents.keys import Keys, new_secret
from capomastro.agents.server import server_of
from capomastro.agents.tables import Memory, Tables

__all__ = ["CannotListenError", "FolderInUseError", "UnusableFolderError", "serve_http", "serve_stdio"]

MAXIMUM_BODY = 2_000_000
"""Maximum number of bytes of a request over HTTP."""


class CannotListenError(Exception):
    """An address that cannot be listened on; its cause says why."""

    def __init__(self, cause: OSError) -> None:
        super().__init__()
        self.cause = cause


class UnusableFolderError(Exception):
    """A folder that cannot be used; its cause says why."""

    def __init__(self, cause: OSError) -> None:
        super().__init__()
        self.cause = cause


def serve_stdio(folder: str | None) -> None:
    """Serves one client, until it closes stdin or Ctrl-C; with tables in `folder`, or in memory.

    Raises:
        FolderInUseError, UnusableFolderError: if the folder is not to be had.
    """

    async def serve() -> None:
        server = server_of(tables)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    with ExitStack() as stack:
        tables = tables_in(folder, stack)
        with suppress(KeyboardInterrupt):
            anyio.run(serve)


def serve_http(folder: str | None, host: str, port: int, say: Callable[[str], object]) -> None:
    """Serves clients until stopped; `say` is told the address. Keys say who asks, so there are no sessions to keep.

    Raises:
        FolderInUseError, UnusableFolderError: if the folder is not to be had.
        CannotListenError: if the address is not.
    """
    with ExitStack() as stack:
        tables = tables_in(folder, stack)
        listening = stack.enter_context(listen(host, port))
        app = server_of(tables).streamable_http_app(
            json_response=True, stateless_http=True, max_request_body_size=MAXIMUM_BODY, host=host
        )
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        say(address_of(listening))
        with suppress(KeyboardInterrupt):
            anyio.run(partial(server.serve, sockets=[listening]))


def tables_in(folder: str | None, stack: ExitStack) -> Tables:
    """The tables in a folder, which is in use until the stack is closed; without one, new tables in memory."""
    if folder is None:
        return Tables(Keys(new_secret()), Memory())
    try:
        kept, secret = stack.enter_context(opened(Path(folder)))
    except OSError as error:
        raise UnusableFolderError(error) from None
    return Tables(Keys(secret), kept)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise CannotListenError(error) from None
    # asyncio sets this only for sockets that name their protocol; without it each answer is 40 ms late
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address_of(listening: socket.socket) -> str:
    """The address that clients call."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"
