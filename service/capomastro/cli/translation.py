"""Commands whose help and errors are in the reader's language.

English texts are where click expects them: docstrings, `help`, and click itself. The other languages are catalogues
beside this module, `words.<language>.toml`: the texts of each command under its name, those of options that several
commands share, those of settings, and what click says, by the English texts that it looks up with gettext.
"""

import gettext
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
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


def is_translated() -> bool:
    """Whether the current language is another than that of click and the code."""
    return current_language() != ORIGINAL and current_language() in languages(PACKAGE)


def words(table: str) -> Mapping[str, Any]:
    """A table of the catalogue of the current language."""
    found: Mapping[str, Any] = catalogue(PACKAGE, current_language())[table]
    return found


# --- what click says --------------------------------------------------------------------------------------------------


def translated(message: str) -> str:
    """What click says, in the current language; what the catalogue does not have stays as it is."""
    return str(words("click").get(message, message)) if is_translated() else message


def translated_for(singular: str, plural: str, number: int) -> str:
    """What click says of a number of things, in the current language."""
    return translated(singular if number == 1 else plural)


def look_up_here() -> None:
    """Lets click look its texts up here: its modules have imported two functions of gettext, by whatever name.

    The catalogues of gettext itself are binary files, and the language of a process, not of a context.
    """
    ours = {gettext.gettext: translated, gettext.ngettext: translated_for}
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == click.__name__]
    for module in modules:
        for name in [name for name, value in vars(module).items() if callable(value) and value in ours]:
            setattr(module, name, ours[getattr(module, name)])


look_up_here()


# --- what commands say ------------------------------------------------------------------------------------------------


PATH = click.UNPROCESSED
"""The type of arguments that are paths: their bytes need not be those of a text."""


class Text(click.types.StringParamType):
    """The type of all other arguments: what is not text in the encoding of the terminal must be text in UTF-8."""

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
        with formatter.section(translated("Options")):
            formatter.write_dl(rows)

    def option_row(self, option: click.Option, context: click.Context) -> tuple[str, str]:
        """How an option is written, and what it means, with what click adds in brackets."""
        own: Mapping[str, str] = self.texts().get("options", {})
        name = option_name(option)
        explained = copy(option)
        explained.help = own[name] if name in own else words("options")[name]
        record = explained.get_help_record(context)
        assert record is not None, "no option is hidden"
        return record


def option_name(option: click.Parameter) -> str:
    """The name of an option in the catalogues: `json` for `--json`."""
    return max(option.opts, key=len).lstrip("-")


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
        with output_guarded(), interruptions_told():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with output_guarded(), interruptions_told():
            return super().invoke(ctx)


def locale() -> str:
    """The language of the locale as a language range: `de_AT.UTF-8` is `de-AT`."""
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return named.partition(".")[0].partition("@")[0].replace("_", "-")


@contextmanager
def interruptions_told() -> Iterator[None]:
    """Says that the command is interrupted as click does; but the exit code is that of the signal."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(err=True)
        abort(exit_code_of(signal.SIGINT))
    except EOFError:
        click.echo(err=True)
        abort(UNUSABLE)
    except click.Abort as aborted:  # a prompt has caught one of these two
        is_interrupted = isinstance(aborted.__context__, KeyboardInterrupt)
        abort(exit_code_of(signal.SIGINT) if is_interrupted else UNUSABLE)


def abort(exit_code: int) -> NoReturn:
    click.echo(translated("Aborted!"), err=True)
    raise click.exceptions.Exit(exit_code) from None
