"""The command line's help and errors in every language: complete, in click's own words, and without an English one."""

import ast
import errno
import re
from collections.abc import Iterator
from pathlib import Path
from ssl import SSLCertVerificationError
from typing import Any

import click
import pytest
from click.testing import CliRunner

from capomastro.api.server import main as server
from capomastro.cli import sources
from capomastro.cli.commands import main
from capomastro.cli.translation import PACKAGE, PROGRAM, Command, option_name
from capomastro.documents import json_text, shapes
from capomastro.documents.languages import ORIGINAL, current_language, languages, using_language
from capomastro.documents.system_errors import reason_of
from capomastro.documents.wordings import PHRASES, SHARED, catalogue
from capomastro.games import all_games
from capomastro.settings import FAULTS, PREFIX, VARIABLES
from capomastro.tables.keys import configured_keys
from tests.cli.conftest import Ask
from tests.support.recorded import records_folder, replay_of
from tests.support.slots import all_slots

TRANSLATIONS = languages(PACKAGE)
every_translation = pytest.mark.parametrize("language", TRANSLATIONS)
RECORD = records_folder("palazzo") / "two-plan.json"


def commands(within: click.Command = main) -> Iterator[Command]:
    """Every command, and the program itself."""
    assert isinstance(within, Command)
    yield within
    for command in getattr(within, "commands", {}).values():
        yield from commands(command)


def options_of(command: Command) -> dict[str, str]:
    """What the options of a command mean, in English."""
    context = command.make_context(command.name, [], resilient_parsing=True)
    return {
        option_name(option): option.help or ""
        for option in command.get_params(context)
        if isinstance(option, click.Option)
    }


# --- complete ---------------------------------------------------------------------------------------------------------


def test_the_command_line_is_in_all_languages_that_there_are() -> None:
    assert (ORIGINAL, *TRANSLATIONS) == languages(SHARED)


@every_translation
def test_a_catalogue_has_the_texts_of_all_commands_and_options_and_no_others(language: str) -> None:
    words = catalogue(PACKAGE, language)
    known = {command.path or PROGRAM: command for command in commands()}
    assert set(words["commands"]) == set(known)
    shared: dict[str, set[str]] = {}
    for path, command in known.items():
        texts = words["commands"][path]
        assert texts.keys() - {"options"} == ({"help"} if command is main else {"help", "short"})
        meanings, own = options_of(command), texts.get("options", {})
        assert own.keys() <= meanings.keys(), path
        for name in meanings.keys() - own.keys():
            shared.setdefault(name, set()).add(meanings[name])
    assert words["options"].keys() == shared.keys()
    assert all(len(meanings) == 1 for meanings in shared.values()), "what is shared means the same everywhere"


def test_the_english_help_has_the_apostrophe_of_the_catalogues() -> None:
    """`tests/documents/test_words.py` looks at the catalogues; this help is in the code."""
    for command in commands():
        for text in (command.help or "", *options_of(command).values()):
            assert not re.search(r"\w'\w|s' ", text), text


@every_translation
def test_a_catalogue_has_the_other_tables_whole(language: str) -> None:
    words = catalogue(PACKAGE, language)
    assert list(words["settings"]) == [line.field for line in VARIABLES]
    assert slots_in(words["setting-errors"]) == slots_in(FAULTS)
    kinds = {kind for game in [*all_games(), None] for kind in shapes.documents_of(game)}
    assert set(words["schemas"]) == kinds
    assert words["click"].keys() == catalogue(PACKAGE, TRANSLATIONS[0])["click"].keys()
    assert all(slots_of(text) <= slots_of(english) for english, text in words["click"].items())
    assert set(words) == {"settings", "setting-errors", "schemas", "click", "commands", "options"}
    assert all(text.strip() == text != "" for text in texts_in(words))


@every_translation
def test_what_the_system_refuses_has_the_same_words_in_every_translation(language: str) -> None:
    words = catalogue(SHARED, language)["system"]
    assert list(words) == list(catalogue(SHARED, TRANSLATIONS[0])["system"])
    assert set(words) <= {*errno.errorcode.values(), "EAI"}


def slots_of(text: str) -> set[str]:
    """The slots of a text of click."""
    return set(re.findall(r"\{(\w+)(?:!r)?\}", text))


def slots_in(table: dict[str, str]) -> dict[str, set[str]]:
    return {key: all_slots([text]) for key, text in table.items()}


def texts_in(table: dict[str, Any]) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict):
            yield from texts_in(value)
        else:
            yield value


# --- what click says --------------------------------------------------------------------------------------------------

CLICK = tuple(catalogue(PACKAGE, TRANSLATIONS[0])["click"])
"""What click says in English, by which every translation is found."""
INVALID = "Invalid value for {param_hint}: {message}"
UNREADABLE = "{name} {filename!r} is not readable."
SAID_BY_CLICK = ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types")
"""The modules of click with texts."""

NEVER_SAID = {
    # Only programs with other parameters say these: arguments with help, confirmations, dates, and so on.
    "(dynamic)",
    "Argument {name!r} takes {nargs} values.",
    "Choice({choices})",
    "Choose from:\n\t{choices}",
    "Confirm the action without prompting.",
    "Could not open file {filename!r}: {message}",
    "Do you want to continue?",
    "Error: The two entered values do not match.",
    "Error: invalid input",
    "Invalid value: {message}",
    "Missing parameter",
    "Missing parameter: {param_name}",
    "Missing {param_type}",
    "Option {name!r} requires {nargs} arguments.",
    "Positional arguments",
    "Press any key to continue...",
    "Repeat for confirmation",
    "Takes {nargs} values but 1 was given.",
    "Takes {nargs} values but {len} were given.",
    "Value must be an iterable.",
    "directory",
    "file",  # the translations of what it is said in say it themselves
    "env var: {var}",
    "path",
    "unknown error",
    "{len_type} values are required, but {len_value} was given.",
    "{len_type} values are required, but {len_value} were given.",
    "{name} {filename!r} does not exist.",
    "{name} {filename!r} is a file.",
    "{name} {filename!r} is not executable.",
    "{name} {filename!r} is not writable.",
    "{value!r} does not match the format {format}.",
    "{value!r} does not match the formats {formats}.",
    "{value!r} is not a valid UUID.",
    "{value!r} is not a valid boolean. Recognized values: {states}",
    "{value!r} is not {choice}.",
    # Nothing here is deprecated, and programmers' errors are for programmers.
    "Arguments take exactly one parameter declaration, got {length}: {decls}.",
    "Boolean option {decl!r} cannot use the same flag for true/false.",
    "Could not determine name for option with declarations {decls!r}",
    (
        "No options defined but a name was passed ({name}). Did you mean to declare an argument instead? "
        "Did you mean to pass '--{name}'?"
    ),
    "Unknown color {colour!r}",
    "DeprecationWarning: The command {name!r} is deprecated.{extra_message}",
    "DeprecationWarning: The {param_type} {name!r} is deprecated.{extra_message}",
    "Invalid start character for option ({option})",
    "Name '{name}' defined twice",
    "deprecated",
    # The version has a message of its own.
    "%(prog)s, version %(version)s",
}


def said_by_click() -> set[str]:
    """Every text that click looks up."""
    texts_of_click = {"required"}  # by way of a variable
    for module in SAID_BY_CLICK:
        path = Path(str(click.__file__)).with_name(f"{module}.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
                texts = [one.value for one in node.args if isinstance(one, ast.Constant)]
                texts_of_click |= {text for text in texts if isinstance(text, str)}
    return texts_of_click


def test_click_says_what_the_catalogues_have() -> None:
    """A release of click that words something otherwise fails here: change the catalogues, or the list above."""
    described = set(options_of(main).values())
    assert said_by_click() - described == {*CLICK, *NEVER_SAID}


PROVOKED: list[tuple[tuple[str, ...], list[str]]] = [
    (("--nope",), ["Try '{command} {option}' for help.", "Error: {message}", "Usage:", "No such option {name!r}."]),
    (("audt",), ["No such command {name!r}.", "Did you mean {possibility}?"]),
    (("repla",), ["No such command {name!r}.", "(Did you mean one of: {possibilities}?)"]),
    (("legal-moves", "--lmit", "3", "x"), ["No such option {name!r}.", "Did you mean {possibility}?"]),
    (("--version=3",), ["Option {name!r} does not take a value."]),
    (("--",), ["Missing command."]),
    (("legal-moves",), ["Missing argument"]),
    (("new", "palazzo"), ["Missing option"]),
    (("audit", "a", "b"), ["Got unexpected extra argument ({args})"]),
    (("audit", "a", "b", "c"), ["Got unexpected extra arguments ({args})"]),
    (("legal-moves", "a", "--limit"), ["Option {name!r} requires an argument."]),
    (("legal-moves", "a", "--limit", "x"), [INVALID, "{value!r} is not a valid {number_type}."]),
    (("new", "palazzo", "--players", "x"), [INVALID, "{value!r} is not a valid {number_type}."]),
    (("legal-moves", "a", "--limit", "0"), [INVALID, "{value} is not in the range {range}."]),
    (("legal-moves", "a", "--payments", "x"), [INVALID, "{value!r} is not one of {choices}."]),
    (("new", "palazzo", "--players", "2", "--record", "."), [INVALID, "{name} {filename!r} is a directory."]),
    (("--help",), ["Usage:", "Options", "Commands"]),
    (("new", "--help"), ["Usage:", "Options", "required"]),
    (("legal-moves", "--help"), ["Usage:", "Options", "default: {default}"]),
]
"""What click says, and how it is provoked."""
ELSEWHERE = {"Aborted!", UNREADABLE}
"""What is provoked by tests of their own."""


def test_everything_that_click_says_is_provoked() -> None:
    assert set().union(*(texts for _, texts in PROVOKED), ELSEWHERE) == set(CLICK)


@pytest.mark.parametrize(("arguments", "texts"), PROVOKED, ids=" ".join)
def test_what_click_says_is_said_in_every_language(ask: Ask, arguments: tuple[str, ...], texts: list[str]) -> None:
    english = ask("--language", "en", *arguments)
    assert all(part in english.output for text in texts for part in fixed_parts(text.removeprefix("{name} ")))
    for language in TRANSLATIONS:
        answer = ask("--language", language, *arguments)
        assert (answer.exit_code, bool(answer.stdout)) == (english.exit_code, bool(english.stdout))
        assert not english_words(told_in(answer.output), language), answer.output
        for text in texts:
            parts = fixed_parts(catalogue(PACKAGE, language)["click"][text])
            assert all(part in answer.output for part in parts), text


def fixed_parts(template: str) -> list[str]:
    """What a template says outside its slots."""
    return [part for part in re.split(r"\{\w+(?::and|:or|!r)?\}", template) if part.strip()]


@every_translation
def test_an_unreadable_file_is_told(language: str, monkeypatch: pytest.MonkeyPatch, ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text("{}")
    monkeypatch.setattr("click.types.os.access", lambda *_: False)
    answer = ask("--language", language, "new", "palazzo", "--players", "2", "--record", "there.json")
    assert catalogue(PACKAGE, language)["click"][UNREADABLE].format(filename="there.json") in answer.stderr


@every_translation
@pytest.mark.parametrize(
    ("stop", "before", "exit_code"), [(KeyboardInterrupt, "\n", 130), (EOFError, "\n", 2), (click.Abort, "", 2)]
)
def test_an_interruption_is_told(
    language: str, stop: type[BaseException], before: str, exit_code: int, monkeypatch: pytest.MonkeyPatch, ask: Ask
) -> None:
    def interrupted(*_: Any) -> None:
        raise stop

    monkeypatch.setattr(sources, "read_source", interrupted)
    english = ask("--language", "en", "convert", "x")
    answer = ask("--language", language, "convert", "x")
    assert (english.exit_code, english.stderr) == (exit_code, f"{before}Aborted!\n")
    assert (answer.exit_code, answer.stderr) == (
        exit_code,
        f"{before}{catalogue(PACKAGE, language)['click']['Aborted!']}\n",
    )


def test_ctrl_c_at_a_prompt_is_an_interruption_too(monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    def prompt(*_: Any) -> None:
        monkeypatch.setattr(click.termui, "visible_prompt_func", interrupted)
        click.prompt("", err=True)

    monkeypatch.setattr(sources, "read_source", prompt)
    answer = ask("convert", "x")
    assert answer.stderr.endswith("Aborted!\n")
    assert answer.exit_code == 130


# --- no English word --------------------------------------------------------------------------------------------------

WORD = re.compile(r"[^\W\d_]{2,}")
TYPED = re.compile(
    r"""`[^`]*`|(?<!\w)'[^']*'|"[^"]*" # commands and values in quotation marks
    |\[[^\]]*\|[^\]]*\]|\([a-z]+\)|:\s+[a-z]+\]|\bminimal\] # choices
    |(?<!\w)--?[a-z][\w-]*|\w*://\S*|[\w./-]*\.(?:capo|gz|json|jsonl|md|ndjson|table)\b|(?<!\w)/[a-z]+ # options, files
    |[\w-]*[A-Z]{2}[\w-]*|X-Forwarded-For|base64url""",
    re.VERBOSE,
)
"""What is written as it is typed; also acronyms and names in capitals."""
NAMES = {"csv", "dask", "html", "kib", "prometheus", "stderr", "stdio"}
THE_SAME = {
    "it": "all cluster come compare core directory file id in input kit no output per schema separate standard",
    "es": "bytes error has id kit legal no proxies variables",
    "de": "an argument bytes cluster cursor die engines form hand header in name option port problem schema so text "
    "version was",
}
"""Words that a language shares with English."""


def english_vocabulary() -> set[str]:
    """Every word of the English help and errors, typed things left out."""
    shared = catalogue(SHARED, ORIGINAL)
    texts = [text for table in PHRASES for text in shared[table].values()]
    texts += [*FAULTS.values(), *CLICK, *(line.meaning for line in VARIABLES)]
    for command in commands():
        texts += [command.help or "", command.short_help or "", *options_of(command).values()]
    return {word.lower() for text in texts for word in WORD.findall(TYPED.sub(" ", re.sub(r"\{\w+[^}]*\}", " ", text)))}


ENGLISH = english_vocabulary()


def english_words(texts_of_click: str, language: str) -> set[str]:
    """The English words in a text of another language."""
    written = {word.lower() for word in WORD.findall(TYPED.sub(" ", texts_of_click))}
    return (written & ENGLISH) - NAMES - set(THE_SAME.get(language, "").split())


@every_translation
def test_the_help_of_every_command_is_in_the_language_asked_for(ask: Ask, language: str) -> None:
    for command in commands():
        english = ask("--language", "en", *command.path.split(), "--help").output
        own = ask("--language", language, *command.path.split(), "--help").output
        assert not english_words(told_in(own), language), own
        assert all(len(line) <= 80 for line in own.splitlines()), own
        assert first_words(own) == first_words(english)
        assert own.splitlines()[0].split(maxsplit=1)[1] == english.splitlines()[0].split(maxsplit=1)[1]


def told_in(shown: str) -> str:
    """A help or an error without its usage and without the names of commands."""
    return re.sub(r"^(\w+: capomastro .*\n|  [a-z-]+(?=  ))", "", shown, flags=re.MULTILINE)


def first_words(shown: str) -> list[str]:
    """The options, commands and variables that a help lists, below its headings."""
    tables = re.split(r"^\w.*:$", shown, maxsplit=1, flags=re.MULTILINE)[1]
    return re.findall(r"^  ((?:-\w, )?--[\w-]+|[a-z-]+(?=  )|PORT|CAPOMASTRO_\w+)", tables, flags=re.MULTILINE)


# --- our own errors ---------------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[str, ...]] = {
    "name-length": ("new", "palazzo", "--players", "2", "--names", "Ada,,"),
    "no-pair": ("new", "palazzo", "--players", "2", "--option", "builder"),
    "options-no-object": ("new", "palazzo", "--players", "2", "--options", "[]"),
    "seat-or-spectator": ("view", "record.json"),
    "ply-without-record": ("picture", "state.json", "--ply", "3"),
    "scoresheet-for-seat": ("picture", "sheet.json", "--seat", "0"),
    "without-verdicts": ("replay", "record.json", "--restart"),
    "only-single-records": ("replay", "record.json", "--tell", "--lines"),
    "no-kind-of-report": ("replay", "record.json", "--report", "r.txt"),
    "no-record-to-continue": ("move", "state.json", "--record", "new.json"),
    "no-lock": ("table", "create", "palazzo", "--players", "2", "--lock", "x", "--output", "table.json"),
    "no-depth": ("perft", "state.json"),
    "games-without-record": ("play", "palazzo", "--players", "2", "--games", "3"),
    "no-address-of-service": ("verify-table", "table.json", "--service", "localhost"),
}
"""Our own errors of usage."""


@pytest.fixture
def documents(ask: Ask, tmp_path: Path) -> None:
    """A record, a state and a scoresheet."""
    (tmp_path / "record.json").write_bytes(RECORD.read_bytes())
    (tmp_path / "state.json").write_text(ask("new", "palazzo", "--players", "2", "--seed", "7", "--json").stdout)
    (tmp_path / "sheet.json").write_text(ask("template", "palazzo", "--players", "2").stdout)


@pytest.mark.usefixtures("documents")
@pytest.mark.parametrize("key", REFUSED)
def test_our_errors_are_said_in_every_language(ask: Ask, key: str) -> None:
    for language in languages(SHARED):
        answer = ask("--language", language, *REFUSED[key])
        assert answer.exit_code == 2
        texts_of_click = catalogue(SHARED, language)["details"][key]
        assert all(part in answer.stderr for part in fixed_parts(texts_of_click)), answer.stderr
        usage = "Usage:" if language == ORIGINAL else catalogue(PACKAGE, language)["click"]["Usage:"]
        assert answer.stderr.startswith(usage)
        assert language == ORIGINAL or not english_words(told_in(answer.stderr), language), answer.stderr


@every_translation
@pytest.mark.parametrize(
    ("variable", "value", "fault"),
    [
        ("PORT", "http", "range"),
        ("CAPOMASTRO_TRUSTED_PROXIES", "10.0.0.300", "networks"),
        ("CAPOMASTRO_LOG_LEVEL", "LOUD", "value"),
        ("CAPOMASTRO_SEALING_KEYS_FILE", "nowhere", "keys-unreadable"),
        ("CAPOMASTRO_SEALING_KEYS_FILE", "not-text", "keys-not-text"),
        ("CAPOMASTRO_SEALING_KEYS_FILE", "empty", "no-key"),
        ("CAPOMASTRO_SEALING_KEYS", "x", "malformed-key"),
    ],
)
def test_a_wrong_setting_is_told(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, variable: str, value: str, fault: str
) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "not-text").write_bytes(b"\xff")
    monkeypatch.setattr(server, "serve", configured_keys)  # the part of it that can refuse a setting
    monkeypatch.setenv(variable, value)
    english, answer = (ask("--language", one, "serve") for one in (ORIGINAL, language))
    assert english.exit_code == answer.exit_code == 2
    assert all(part in english.stderr for part in fixed_parts(FAULTS[fault]))
    assert all(part in answer.stderr for part in fixed_parts(catalogue(PACKAGE, language)["setting-errors"][fault]))
    assert not english_words(told_in(answer.stderr), language), answer.stderr


@every_translation
def test_a_mistyped_setting_and_a_taken_port_are_told(ask: Ask, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    def taken(_: object) -> None:
        raise server.CannotListenError("127.0.0.1", 8000, OSError(errno.EADDRINUSE, "Address already in use"))

    monkeypatch.setattr(server, "serve", taken)
    monkeypatch.setenv(f"{PREFIX}WORKER", "5")
    answer = ask("--language", language, "serve")
    assert answer.exit_code == 2
    warning, error = answer.stderr.splitlines()
    assert f"{PREFIX}WORKER" in warning
    assert error.startswith(catalogue(PACKAGE, language)["click"]["Error: {message}"].format(message=""))
    assert catalogue(SHARED, language)["system"]["EADDRINUSE"] in error
    assert not english_words(answer.stderr, language), answer.stderr


@every_translation
def test_settings_are_listed_with_what_they_are_now(ask: Ask, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("CAPOMASTRO_WORKERS", "5")
    monkeypatch.setenv("CAPOMASTRO_SEALING_KEYS", "secret-of-mine")
    shown = " ".join(ask("--language", language, "serve", "--help").output.split())
    words = catalogue(SHARED, language)["output"]
    now = words["now"].format(value="5")
    for line in VARIABLES:
        assert f"{line.name} {catalogue(PACKAGE, language)['settings'][line.field]} [" in shown
    assert f"; {now}]" in shown
    assert f"; {words['now'].format(value=words['set'])}]" in shown
    assert "secret-of-mine" not in shown


# --- the system -------------------------------------------------------------------------------------------------------


def test_why_the_system_refuses_is_told_in_its_own_words_or_in_ours() -> None:
    missing, strange = FileNotFoundError(errno.ENOENT, "No such file or directory"), OSError(errno.ENOTTY, "No tty")
    assert reason_of(missing) == "No such file or directory"
    with using_language("de"):
        assert reason_of(missing) == "Datei oder Verzeichnis nicht gefunden"
        assert reason_of(strange) == "No tty"
        assert reason_of(TimeoutError("timed out")) == "Zeitüberschreitung"
        assert reason_of(OSError(-2, "Name or service not known")) == "unbekannter Rechnername"
        # not the system's: the numbers of errors of TLS are its own, and 1 would be EPERM
        assert reason_of(SSLCertVerificationError(1, "certificate verify failed")) == "certificate verify failed"


@every_translation
def test_a_file_that_cannot_be_read_or_written_is_told(ask: Ask, language: str) -> None:
    for arguments in (("audit", "nowhere.json"), ("new", "palazzo", "--players", "2", "--record", "no/where.json")):
        answer = ask("--language", language, *arguments)
        assert catalogue(SHARED, language)["system"]["ENOENT"] in answer.stderr


# --- the language is known before anything can go wrong ---------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("--language", "it", "--nope"),
        ("--nope", "--language", "it"),
        ("--language=it", "nope"),
        ("--language", "it", "rules"),
        ("--language", "de", "--language", "it", "rules", "--nope"),
    ],
)
def test_an_error_before_or_after_the_option_is_in_its_language(ask: Ask, arguments: tuple[str, ...]) -> None:
    answer = ask(*arguments)
    assert answer.stderr.startswith("Uso: ")
    assert "\nErrore: " in answer.stderr
    assert current_language() == ORIGINAL


def test_help_is_in_the_language_of_an_option_after_it(ask: Ask) -> None:
    assert ask("--help", "--language", "it").output == ask("--language", "it", "--help").output


@pytest.mark.parametrize("wrong", [("--language",), ("--language", "fr"), ("rules", "--language", "it")])
def test_without_a_language_the_locale_decides(wrong: tuple[str, ...]) -> None:
    answer = CliRunner(env={"LC_ALL": "de_AT.UTF-8"}).invoke(main, wrong)
    assert answer.exit_code == 2
    assert "Fehler: " in answer.output


def test_no_command_at_all_shows_the_help(ask: Ask) -> None:
    answer = CliRunner(env={"LC_ALL": "es_ES.UTF-8"}).invoke(main, [])
    assert answer.exit_code == 2
    assert answer.output.startswith("Uso: ")
    assert "Muestra esta ayuda" in answer.output


@every_translation
def test_a_shell_completes_commands_with_their_meaning(language: str) -> None:
    environment = {"_CAPOMASTRO_COMPLETE": "zsh_complete", "COMP_WORDS": "capomastro sco", "COMP_CWORD": "1"}
    shown = CliRunner(env={**environment, "LC_ALL": language}).invoke(main, [], prog_name="capomastro").output
    assert catalogue(PACKAGE, language)["commands"]["score"]["short"] in shown


# --- tables of the command line ---------------------------------------------------------------------------------------


@every_translation
def test_kinds_of_documents_are_listed_in_words(ask: Ask, language: str) -> None:
    for game in ("palazzo", "common"):
        shown = ask("--language", language, "schema", game).output
        assert not english_words(told_in(re.sub(r"^", "  ", shown, flags=re.MULTILINE)), language), shown


@every_translation
def test_the_failures_of_an_archive_are_told_by_any_number_of_processes(
    ask: Ask, language: str, tmp_path: Path
) -> None:
    """Processes that judge for another speak its language."""
    record = replay_of(RECORD).document
    broken = {**record, "id": "97", "moves": [*record["moves"][:14], *record["moves"][15:]]}
    (tmp_path / "archive.ndjson").write_bytes(json_text.encode(broken) + b"\n")
    alone, together = (
        ask("--language", language, "replay", "archive.ndjson", "--jobs", jobs).output.rpartition("\n\n")[0]
        for jobs in ("1", "2")
    )
    assert alone == together
    assert alone != ask("--language", "en", "replay", "archive.ndjson", "--jobs", "1").output.rpartition("\n\n")[0]
    assert not english_words(alone.partition("[")[0], language), alone
