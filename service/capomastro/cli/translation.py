"""Commands whose help and errors are in the reader's language.

English texts are where click expects them: docstrings, `help`, and click itself. The other languages are catalogues
beside this module, `words.<language>.toml`: the texts of each command under its name, those of options that several
commands share, those of settings, and what click says, by the keys of `words.en.toml`, which has click's own words.
"""

import io
import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any, NoReturn

import click

from capomastro.cli.endings import UNUSABLE, exit_code_of, output_guarded
from capomastro.documents.json_text import is_text
from capomastro.documents.languages import ORIGINAL, current_language, languages, preferred, using_language
from capomastro.documents.phrases import quoted
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import SHARED, catalogue, phrase
from capomastro.settings import FAULTS, VARIABLES, SettingError, Variable

PACKAGE = "capomastro.cli"
PROGRAM = "capomastro"

NESTED = ("message", "number_type")
"""Slots of click's messages that hold words of click."""


def is_translated() -> bool:
    """Whether the current language is another than that of click and the code."""
    return current_language() != ORIGINAL and current_language() in languages(PACKAGE)


def words(table: str) -> Mapping[str, Any]:
    """A table of the catalogue of the current language."""
    found: Mapping[str, Any] = catalogue(PACKAGE, current_language())[table]
    return found


# --- what click says --------------------------------------------------------------------------------------------------


@cache
def patterns() -> Mapping[str, re.Pattern[str]]:
    """What click says in English, by key: the slots are groups."""
    return {key: pattern_of(template) for key, template in catalogue(PACKAGE, ORIGINAL)["click"].items()}


def pattern_of(template: str) -> re.Pattern[str]:
    """The pattern of the texts that a template makes."""
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template)), re.DOTALL)


def translated(message: str) -> str:
    """What click says, in the current language; what it does not say stays as it is."""
    if not is_translated():
        return message
    for key, pattern in patterns().items():
        if found := pattern.fullmatch(message):
            slots = {name: translated(text) if name in NESTED else text for name, text in found.groupdict().items()}
            template: str = words("click")[key]
            return template.format(**slots)
    return message


class Formatter(click.HelpFormatter):
    """Writes the headings of a help in the reader's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, f"{translated('Usage:')} " if prefix is None else prefix)

    def section(self, name: str) -> AbstractContextManager[None]:  # type: ignore[override]
        return super().section(translated(name))


class Context(click.Context):
    formatter_class = Formatter


# --- what commands say ------------------------------------------------------------------------------------------------


PATH = click.UNPROCESSED
"""The type of arguments that are paths: their bytes need not be those of a text."""


class Text(click.types.StringParamType):
    """The type of all other arguments: what is no text in the encoding of the terminal has to be one in UTF-8."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text: str = super().convert(value, param, ctx)
        if is_text(text):
            return text
        try:
            return os.fsencode(text).decode()
        except UnicodeError:
            self.fail(phrase("no-text", text=quoted(text)), param, ctx)


TEXT = Text()


class Command(click.Command):
    """A command whose help is in the reader's language, and whose arguments are texts."""

    context_class = Context
    parent_group: "Group | None" = None

    def __init__(self, *arguments: Any, **further: Any) -> None:
        super().__init__(*arguments, **further)
        for parameter in self.params:
            if parameter.type is click.STRING:
                parameter.type = TEXT

    @property
    def path(self) -> str:
        """How the command is called, after the name of the program: `table join`; empty for the program itself."""
        return f"{self.parent_group.path} {self.name}".strip() if self.parent_group else ""

    def texts(self) -> Mapping[str, Any]:
        """The texts of this command in the current language."""
        found: Mapping[str, Any] = words("commands")[self.path or PROGRAM]
        return found

    def get_short_help_str(self, limit: int = 45) -> str:
        return str(self.texts()["short"]) if is_translated() else super().get_short_help_str(limit)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if not is_translated():
            super().format_help_text(ctx, formatter)
            return
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self.texts()["help"])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if not is_translated():
            super().format_options(ctx, formatter)
            return
        rows = [self.option_row(option, ctx) for option in self.get_params(ctx) if isinstance(option, click.Option)]
        with formatter.section("Options"):
            formatter.write_dl(rows)

    def option_row(self, option: click.Option, context: click.Context) -> tuple[str, str]:
        """How an option is written, and what it means, with what click adds in brackets."""
        record = option.get_help_record(context)
        assert record is not None, "no option is hidden"
        own: Mapping[str, str] = self.texts().get("options", {})
        name = option_name(option)
        meaning = own[name] if name in own else words("options")[name]
        added = "; ".join(additions(option, context))
        return record[0], f"{meaning}  [{added}]" if added else meaning


def option_name(option: click.Parameter) -> str:
    """The name of an option in the catalogues: `json` for `--json`."""
    return max(option.opts, key=len).lstrip("-")


def additions(option: click.Option, context: click.Context) -> Iterator[str]:
    """What click adds to the meaning of an option: its default, its range, and that it is required."""
    extra = option.get_help_extra(context)
    if "default" in extra:
        yield translated(f"default: {extra['default']}")
    if "range" in extra:
        yield extra["range"]
    if "required" in extra:
        yield translated(extra["required"])


class Group(click.Group, Command):
    """A group of such commands."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        super().add_command(cmd, name)
        if isinstance(cmd, Command):
            cmd.parent_group = self


def schema_title(kind: str, title: str) -> str:
    """What a kind of document is; `title` is that of its schema."""
    return str(words("schemas")[kind]) if is_translated() else title


# --- settings ---------------------------------------------------------------------------------------------------------


def meaning_of(line: Variable) -> str:
    """What a setting means."""
    return str(words("settings")[line.field]) if is_translated() else line.meaning


def setting_error_text(error: SettingError) -> str:
    """What is wrong with a setting."""
    facts = dict(error.facts)
    if "value" in facts:
        facts["value"] = quoted(facts["value"])
    if not is_translated():
        return FAULTS[error.fault].format(**facts)
    if "meaning" in facts:
        facts["meaning"] = next(meaning_of(line) for line in VARIABLES if line.name == facts["variable"])
    if isinstance(error.__cause__, OSError):
        facts["reason"] = reason_of(error.__cause__)
    template: str = words("setting-errors")[error.fault]
    return template.format(**facts)


# --- the program ------------------------------------------------------------------------------------------------------


class Program(Group):
    """The whole command line; the language is known before anything is parsed that could be wrong."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        with using_language(self.language_in(sys.argv[1:] if args is None else args)):
            return super().main(args, prog_name, complete_var, standalone_mode, **extra)

    def language_in(self, arguments: Sequence[str]) -> str:
        """The language that the option `--language` asks for, else that of the locale."""
        context = super().make_context(PROGRAM, list(arguments), resilient_parsing=True, ignore_unknown_options=True)
        given: str | None = context.params["language"]
        return given or preferred(locale(), languages(SHARED))

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with output_guarded(), errors_translated():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with output_guarded(), errors_translated():
            return super().invoke(ctx)


def locale() -> str:
    """The language of the locale as a language range: `de_AT.UTF-8` is `de-AT`."""
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return named.partition(".")[0].partition("@")[0].replace("_", "-")


@contextmanager
def errors_translated() -> Iterator[None]:
    """Prints errors and interruptions as click does, but in the current language; click prints errors in English."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:  # a help, which is translated already
        raise
    except click.ClickException as error:
        if not is_translated():
            raise
        text = io.StringIO()
        error.show(text)
        stop(text.getvalue().removesuffix("\n"), error.exit_code)
    except KeyboardInterrupt:
        click.echo(err=True)
        stop("Aborted!", exit_code_of(signal.SIGINT))
    except EOFError:
        click.echo(err=True)
        stop("Aborted!", UNUSABLE)
    except click.Abort as aborted:  # a prompt has caught one of these two
        is_interrupted = isinstance(aborted.__context__, KeyboardInterrupt)
        stop("Aborted!", exit_code_of(signal.SIGINT) if is_interrupted else UNUSABLE)


def stop(message: str, exit_code: int) -> NoReturn:
    click.echo(translated(message), err=True)
    raise click.exceptions.Exit(exit_code) from None
