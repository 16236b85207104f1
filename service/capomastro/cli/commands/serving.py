"""`serve`, with its table of settings."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from capomastro.cli.formatting import printable
from capomastro.cli.questions import settings
from capomastro.settings import PREFIX, VARIABLES


class Serve(click.Command):
    """Prints the table of settings below its help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Environment variables"):
            formatter.write_dl([(line.name, f"{line.meaning}  {said_value(line)}") for line in VARIABLES])


def said_value(line: Any) -> str:
    """`[8000]`, or if the environment says otherwise `[8000; now 9000]`."""
    now = f"; now {printable(os.environ[line.name])}" if line.name in os.environ else ""
    return f"[{line.default}{now}]"


@click.command(cls=Serve, short_help="Answer over HTTP.")
@click.option("--host", help="The address to listen on, instead of CAPOMASTRO_HOST.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port to listen on, instead of PORT.")
def serve(host: str | None, port: int | None) -> None:
    """Answer over HTTP until stopped.

    SIGTERM lets running requests finish. What happens is written to stderr, one JSON object per line.
    """
    chosen = settings()
    given: dict[str, Any] = {"host": host, "port": port}
    for name in unknown_variables(os.environ):
        click.echo(f"Warning: {name} is no setting; `capomastro serve --help` lists them.", err=True)
    from capomastro.api.server import starting  # noqa: PLC0415 - only this command needs Flask and gunicorn

    starting.serve(replace(chosen, **{name: value for name, value in given.items() if value is not None}))


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables that have our prefix and are no setting, most likely mistyped.

    No error: Kubernetes sets such variables (`CAPOMASTRO_SERVICE_HOST`) if a service is called as we are.
    """
    known = {line.name for line in VARIABLES}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
