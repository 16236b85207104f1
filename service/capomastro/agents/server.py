"""The protocol: the tools and pictures of some tables as a server of the official SDK."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    ResourceLink,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

import capomastro
from capomastro.agents import tools
from capomastro.agents.tables import Tables
from capomastro.documents.languages import current_language, languages, preferred, using_language

SVG = "image/svg+xml"

Result = TypeVar("Result")
Context = ServerRequestContext[Any, Any]


def server_of(tables: Tables) -> Server[Any]:
    """A server for some tables, in the current language unless a client asks for another."""
    own = current_language()
    one_at_a_time = CapacityLimiter(1)

    async def ask(function: Callable[..., Result], *arguments: Any) -> Result:
        """Asks the tables, which answer one after the other, while the protocol goes on."""
        return await to_thread.run_sync(function, *arguments, limiter=one_at_a_time)

    async def list_tools(context: Context, _page: PaginatedRequestParams | None) -> ListToolsResult:
        with reading(context, own):
            return ListToolsResult(tools=[described(name) for name in tools.TOOLS])

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in tools.TOOLS:
            raise MCPError(INVALID_PARAMS, f"there is no such tool; there are: {', '.join(tools.TOOLS)}")
        with reading(context, own):
            try:
                answer = await ask(tools.call, tables, params.name, params.arguments or {})
            except tools.Mistake as mistake:
                return CallToolResult(content=[TextContent(text=str(mistake))], is_error=True)
        link = [] if answer.picture is None else [ResourceLink(name="table.svg", uri=answer.picture, mime_type=SVG)]
        return CallToolResult(content=[TextContent(text=answer.text), *link])

    async def list_resources(_context: Context, _page: PaginatedRequestParams | None) -> ListResourcesResult:
        return ListResourcesResult(resources=[])  # which there are is for those to know who have a key

    async def list_templates(context: Context, _page: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        with reading(context, own):
            meaning = tools.words("server")["picture"]
        template = ResourceTemplate(name="picture", uri_template=tools.PICTURE, description=meaning, mime_type=SVG)
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        with reading(context, own):
            try:
                drawn = await ask(tools.picture, tables, str(params.uri))
            except tools.Mistake as mistake:
                raise MCPError(INVALID_PARAMS, str(mistake)) from None
        return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, text=drawn, mime_type=SVG)])

    return Server(
        "capomastro",
        version=capomastro.__version__,
        instructions=tools.words("server")["instructions"],
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


def described(name: str) -> Tool:
    """A tool as a model reads of it."""
    return Tool(
        name=name,
        description=tools.words("tools")[name]["does"],
        input_schema=tools.schema(name),
        annotations=ToolAnnotations(read_only_hint=not tools.TOOLS[name].changes, open_world_hint=False),
    )


@contextmanager
def reading(context: Context, own: str) -> Iterator[None]:
    """Answers in the language that a request over HTTP asks for, otherwise in that of the server."""
    header = "" if context.request is None else context.request.headers.get("accept-language", "")
    with using_language(preferred(header, order(own)) if header else own):
        yield


def order(own: str) -> Sequence[str]:
    """The languages there are, that of the server first: it answers who asks for any."""
    return tuple(sorted(languages(tools.PACKAGE), key=lambda language: language != own))
