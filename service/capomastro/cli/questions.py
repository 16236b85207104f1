"""What every command shares: options, `--json`, problems in words, and exit codes."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click
import msgspec

from capomastro.cli.formatting import printable
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.settings import SettingError, Settings

Function = TypeVar("Function", bound=Callable[..., Any])

ILLEGAL, UNUSABLE = 1, 2
"""Exit codes besides 0: the answer is no; the question could not be answered."""


class Question(click.Command):
    """A command whose problems are printed in words, or with `--json` as JSON; never as a traceback."""

    def invoke(self, context: click.Context) -> Any:
        if "NO_COLOR" in os.environ:
            context.color = False
        try:
            return super().invoke(context)
        except Problem as problem:
            if context.params.get("as_json"):
                say_json(problem.document())
            else:
                say_problem(problem, within=context.params.get("file") or "")
            context.exit(UNUSABLE)


def say(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def say_heading(text: str) -> None:
    click.secho(printable(text), bold=True)


def say_json(value: Any) -> None:
    """A document as indented JSON."""
    click.echo(msgspec.json.format(json_text.encode(value), indent=2).decode())


def say_problem(problem: Problem, file: str | None = None, within: str = "") -> None:
    """A problem on stderr: its sentence, of which `file` if there are several, then each error with its place."""
    where = f"{printable(file)}: " if file else ""
    click.echo(click.style(where, bold=True) + click.style(printable(problem.detail), fg="red"), err=True)
    for error in problem.errors:
        said = error_line(error, file or within)
        if error.get("message") == problem.detail:
            said = f"at {place_text(error, file or within)}"
        click.echo("  " + said, err=True)


def error_line(error: dict[str, Any], file: str = "") -> str:
    """`/seats/0/hand: the sentence [rule]`."""
    rule = f" [{error['rule']}]" if "rule" in error else ""
    return printable(f"{place_text(error, file)}: {error.get('message', '')}{rule}")


def place_text(error: Mapping[str, Any], file: str) -> str:
    """Where an error is: `game.capo:12:7` in a text, in JSON its pointer."""
    if "line" in error:
        return printable(f"{file}:{error['line']}:{error['column']}")
    return error.get("pointer") or "the whole document"


def settings() -> Settings:
    """The settings of this process.

    Raises:
        click.UsageError: names the variable that is wrong.
    """
    try:
        return Settings.from_environment(os.environ)
    except SettingError as error:
        raise click.UsageError(str(error)) from None


def plain(value: Any) -> Any:
    """An answer as the JSON a client would see."""
    return msgspec.to_builtins(value)


# --- options ---------------------------------------------------------------------------------------------------------


def with_json(function: Function) -> Function:
    return click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(function)


def split_names(_context: click.Context, _parameter: click.Parameter, text: str | None) -> list[str] | None:
    """Names between commas."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if not all(0 < len(name) <= 100 for name in names):
        raise click.BadParameter("a name has 1 to 100 characters; separate names by commas.")
    return names


def merge_options(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    """`name=value` pairs as an object; a value is JSON, or if it is not, text."""
    options = {}
    for pair in given:
        name, sign, value = pair.partition("=")
        if not (name and sign):
            raise click.BadParameter(f"{pair!r} is not of the form NAME=VALUE.")
        options[name] = json_or_text(value)
    return options


def json_or_text(text: str) -> Any:
    try:
        return json_text.decode(text.encode())
    except Problem:
        return text


def parse_object(_context: click.Context, _parameter: click.Parameter, text: str | None) -> dict[str, Any]:
    """An options document given as JSON."""
    if text is None:
        return {}
    try:
        value = json_text.decode(text.encode())
    except Problem as problem:
        raise click.BadParameter(problem.detail) from None
    if not isinstance(value, dict):
        raise click.BadParameter("options are a JSON object.")
    return value


def with_setup(function: Function) -> Function:
    """The options of what begins a game."""
    for decorate in (
        click.option("--options", "document", metavar="JSON", callback=parse_object, help="All options as an object."),
        click.option(
            "--option",
            "chosen",
            metavar="NAME=VALUE",
            multiple=True,
            callback=merge_options,
            help="One option, its value as JSON; can be repeated.",
        ),
        click.option("--names", metavar="NAMES", callback=split_names, help="The players' names, separated by commas."),
        click.option("--players", type=int, required=True, help="How many play."),
        click.argument("game"),
    ):
        function = decorate(function)
    return function
