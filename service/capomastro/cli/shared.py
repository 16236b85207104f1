"""Shared by all commands: options, `--json`, printing of problems, exit codes."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click
import msgspec

from capomastro.batch.files import path_text
from capomastro.cli.endings import UNUSABLE
from capomastro.cli.translation import Command, setting_error_text
from capomastro.documents import json_text
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase, with_cause
from capomastro.layout.formatting import printable
from capomastro.settings import SettingError, Settings

Function = TypeVar("Function", bound=Callable[..., Any])


class Unusable(click.ClickException):
    """There is no answer; the usage of the command has nothing to do with it."""

    exit_code = UNUSABLE


class AdjudicatorCommand(Command):
    """A command that prints problems as text, or with `--json` as JSON; never as a traceback."""

    def invoke(self, context: click.Context) -> Any:
        if "NO_COLOR" in os.environ:
            context.color = False
        try:
            return super().invoke(context)
        except Problem as problem:
            if context.params.get("as_json"):
                print_json(problem.document())
            else:
                print_problem(problem, within=context.params.get("file") or "")
            context.exit(UNUSABLE)


def file_text(file: str) -> str:
    """The name of a file, for the terminal."""
    return printable(path_text(file))


def print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def print_heading(text: str) -> None:
    click.secho(printable(text), bold=True)


def print_document(text: str) -> None:
    """Prints a document: in UTF-8, whatever the encoding of the terminal, since programs and commands read it."""
    click.echo(text.encode(), nl=False)


def print_json(value: Any) -> None:
    """Prints a document as indented JSON, in UTF-8."""
    click.echo(msgspec.json.format(json_text.encode(value), indent=2))


def print_problem(problem: Problem, file: str | None = None, within: str = "") -> None:
    """Prints a problem on stderr: its detail, after `file` if there are several, then each error with its place."""
    where = f"{file_text(file)}: " if file else ""
    click.echo(click.style(where, bold=True) + click.style(printable(problem.detail), fg="red"), err=True)
    for error in problem.errors:
        line = error_line(error, file or within)
        if error.get("message") == problem.detail:
            line = phrase("at-place", place=place_text(error, file or within))
        click.echo("  " + line, err=True)


def error_line(error: dict[str, Any], file: str = "") -> str:
    """`/seats/0/hand: the message [rule]`."""
    rule = f" [{error['rule']}]" if "rule" in error else ""
    return printable(f"{place_text(error, file)}: {with_cause(error)}{rule}")


def place_text(error: Mapping[str, Any], file: str) -> str:
    """The place of an error: `game.capo:12:7` in text notation, a pointer in JSON."""
    if "line" in error:
        return printable(f"{path_text(file)}:{error['line']}:{error['column']}")
    return error.get("pointer") or phrase("whole-document")


def settings() -> Settings:
    """The settings of this process.

    Raises:
        click.UsageError: names the invalid variable.
    """
    try:
        return Settings.from_environment(os.environ)
    except SettingError as error:
        raise click.UsageError(setting_error_text(error)) from None


def plain(value: Any) -> Any:
    """An answer as the JSON that a client would get."""
    return msgspec.to_builtins(value)


# --- options ---------------------------------------------------------------------------------------------------------


def with_json(function: Function) -> Function:
    return click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(function)


def with_archive_options(function: Function) -> Function:
    """Adds how to read an archive: in how many processes, and whether its files hold lines whatever their names."""
    options = [
        click.option("--jobs", type=click.IntRange(1), metavar="N", help="Number of processes.  [default: by size]"),
        click.option(
            "--lines", "by_line", is_flag=True, help="The files hold one record per line, whatever their names."
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def with_current_rules(function: Function) -> Function:
    """Adds whether records of other rules versions are judged, too."""
    return click.option(
        "--under-current-rules", is_flag=True, help="Judge records of other rules versions by the current rules."
    )(function)


def split_names(_context: click.Context, _parameter: click.Parameter, text: str | None) -> list[str] | None:
    """Splits names at commas."""
    if text is None:
        return None
    names = [name.strip(" \t") for name in text.split(",")]
    if not all(0 < len(name) <= 100 for name in names):
        raise click.BadParameter(phrase("name-length"))
    return names


def merge_options(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    """Merges `name=value` pairs into an object; a value that is not JSON is text."""
    options = {}
    for pair in given:
        name, sign, value = pair.partition("=")
        if not (name and sign):
            raise click.BadParameter(phrase("no-pair", text=quoted(pair)))
        options[name] = json_or_text(value)
    return options


def json_or_text(text: str) -> Any:
    try:
        return json_text.decode(json_text.utf8(text))
    except Problem:
        return text


def parse_object(_context: click.Context, _parameter: click.Parameter, text: str | None) -> dict[str, Any]:
    """Parses an options document."""
    if text is None:
        return {}
    try:
        value = json_text.decode(json_text.utf8(text))
    except Problem as problem:
        raise click.BadParameter(problem.detail) from None
    if not isinstance(value, dict):
        raise click.BadParameter(phrase("options-no-object"))
    return value


def with_setup(function: Function) -> Function:
    """Adds the options of commands that begin a game."""
    for decorate in (
        click.option("--options", "document", metavar="JSON", callback=parse_object, help="All options as an object."),
        click.option(
            "--option",
            "chosen",
            metavar="NAME=VALUE",
            multiple=True,
            callback=merge_options,
            help="One option, with its value as JSON; can be repeated.",
        ),
        click.option("--names", metavar="NAMES", callback=split_names, help="The players’ names, separated by commas."),
        click.option("--players", type=int, required=True, help="Number of players."),
        click.argument("game"),
    ):
        function = decorate(function)
    return function
