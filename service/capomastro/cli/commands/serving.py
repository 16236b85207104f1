"""`serve`, with the table of settings."""

import gc
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from capomastro.cli.shared import Unusable, settings
from capomastro.cli.translation import Command, meaning_of, setting_error_text
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import phrase
from capomastro.layout.formatting import printable
from capomastro.settings import PREFIX, VARIABLES, SettingError, Variable, value_of

HOST = next(line for line in VARIABLES if line.field == "host")


class Serve(Command):
    """Prints the table of settings below its help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(phrase("environment-variables")):
            formatter.write_dl([(line.name, f"{meaning_of(line)}  {setting_text(line)}") for line in VARIABLES])


def setting_text(line: Variable) -> str:
    """`[8000]`, or `[8000; now 9000]` if the environment sets another value; `[; now set]` of a secret."""
    if line.name not in os.environ:
        return f"[{line.default}]"
    now = phrase("set") if line.secret else printable(os.environ[line.name])
    return f"[{line.default}; {phrase('now', value=now)}]"


@click.command(cls=Serve, short_help="Answer over HTTP.")
@click.option("--host", help="Address to listen on, instead of CAPOMASTRO_HOST.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on, instead of PORT.")
def serve(host: str | None, port: int | None) -> None:
    """Answer over HTTP until stopped.

    SIGTERM lets running requests finish. The log goes to stderr, one JSON object per line.
    """
    chosen = settings()
    given: dict[str, Any] = {"host": host_in(host), "port": port}
    for name in unknown_variables(os.environ):
        click.echo(phrase("no-setting", variable=name), err=True)
    gc.disable()  # while everything is loaded, for nothing of it is garbage; `tune_garbage_collector` enables it again
    from capomastro.api.server import main  # noqa: PLC0415 - only this command needs Flask and gunicorn

    try:
        main.serve(replace(chosen, **{name: value for name, value in given.items() if value is not None}))
    except SettingError as error:
        raise click.UsageError(setting_error_text(error)) from None
    except main.CannotListenError as error:
        raise Unusable(
            phrase("cannot-listen", host=error.host, port=error.port, reason=reason_of(error.cause))
        ) from None


def host_in(option: str | None) -> str | None:
    """The host of the option, if it is given, checked like the variable.

    Raises:
        click.UsageError: names the variable.
    """
    try:
        return None if option is None else str(value_of(HOST, option))
    except SettingError as error:
        raise click.UsageError(setting_error_text(error)) from None


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables with our prefix that are not settings, most likely mistyped.

    No error: Kubernetes sets such variables (`CAPOMASTRO_SERVICE_HOST`) for a service named capomastro.
    """
    known = {line.name for line in VARIABLES}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
