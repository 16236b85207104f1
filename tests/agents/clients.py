"""Conversations with a server of tables, by the client of the SDK."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from capomastro.agents.server import server_of
from capomastro.agents.tables import Tables

Result = TypeVar("Result")
KEY = re.compile(r"[a-z2-7]{6}-\d-[a-z2-7]{13}")
LISTED = re.compile(r"^(\d+)\. (.*)", re.MULTILINE)
DECIDES = re.compile(r"seat (\d)\)? decides")

Server = Tables | StdioServerParameters | str
"""Tables in this process, a command, or an address."""


class Asker:
    """A client of the SDK that asks for texts."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, **arguments: Any) -> str:
        """The text of an answer."""
        text, refused = await self.ask(tool, arguments)
        assert not refused, text
        return text

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The text of a refusal."""
        text, refused = await self.ask(tool, arguments)
        assert refused, text
        return text

    async def ask(self, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        answer = await self.client.call_tool(tool, arguments)
        first, *_links = answer.content
        assert first.type == "text"
        return first.text, bool(answer.is_error)


def converse(server: Server, talk: Callable[[Asker], Awaitable[Result]], language: str | None = None) -> Result:
    """What a conversation with a server returns; over HTTP in a language."""

    async def conversation() -> Result:
        if isinstance(server, str):
            async with (
                httpx2.AsyncClient(headers={"Accept-Language": language or "*"}) as http,
                Client(streamable_http_client(server, http_client=http)) as client,
            ):
                return await talk(Asker(client))
        connected = server_of(server) if isinstance(server, Tables) else server
        async with Client(connected, raise_exceptions=isinstance(server, Tables)) as client:
            return await talk(Asker(client))

    return asyncio.run(conversation())


async def play_on(ask: Asker, keys: Sequence[str], moves: int = 10_000) -> str:
    """Plays random listed moves for all seats until the end, each in another of the three forms; the last answer."""
    choice = random.Random(keys[0][-1])
    said = await ask("look", key=keys[0])
    for number in range(moves):
        found = DECIDES.search(said)
        if found is None:
            break
        key = keys[int(found[1])]
        listed = LISTED.findall(await ask("moves", key=key))
        chosen, notation = choice.choice(listed)
        said = await ask("play", key=key, move=(int(chosen), notation, notation.partition(" ")[2])[number % 3])
    return said
