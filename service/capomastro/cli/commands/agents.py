"""`mcp`: tables for language models."""

import click

from capomastro.batch.files import path_text, unwritable
from capomastro.cli.shared import AdjudicatorCommand, Unusable
from capomastro.cli.translation import PATH
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import phrase


@click.command(cls=AdjudicatorCommand, short_help="Let language models play.")
@click.option("--http", is_flag=True, help="Answer over HTTP, for several clients; otherwise over stdio, for one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, with --http.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8100, show_default=True, help="Port to listen on, with --http."
)
@click.option("--tables", "folder", type=PATH, metavar="FOLDER", help="Keep the tables in FOLDER, one record each.")
def mcp(http: bool, host: str, port: int, folder: str | None) -> None:
    """Offer tables over MCP: a key for each seat, and tools that look, play and explain. Needs `capomastro[agents]`.

    Without --tables, all tables end with the process. docs/agents.md says how to set up hosts.
    """
    try:
        from capomastro.agents import main  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise Unusable(phrase("no-agents-extra")) from None
    try:
        if http:
            main.serve_http(folder, host, port, say_address)
        else:
            main.serve_stdio(folder)
    except main.CannotListenError as error:
        raise Unusable(phrase("cannot-listen", host=host, port=port, reason=reason_of(error.cause))) from None
    except main.FolderInUseError:
        raise Unusable(phrase("folder-in-use", folder=path_text(folder or ""))) from None
    except main.UnusableFolderError as error:
        raise unwritable(folder or "", reason_of(error.cause)) from None


def say_address(address: str) -> None:
    click.echo(phrase("agents-listening", address=address), err=True)
