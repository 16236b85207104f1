"""README and docs are correct. `tests.support.documentation` explains how sessions are written."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import click
import pytest

from capomastro.cli.commands import main
from tests.support import documentation
from tests.support.documentation import PROGRAMS, DocumentationError, Session, blocks, commands, difference
from tests.support.serving import served
from tests.support.warm_command import warm_commands

CHECKOUT = Path(__file__).resolve().parents[1]
DOCUMENTS = [
    CHECKOUT / "README.md",
    CHECKOUT / "conformance" / "README.md",
    *sorted((CHECKOUT / "docs").rglob("*.md")),
]
Server = Callable[[], str]
Programs = Mapping[str, Sequence[str]]

CURL_WITH_JSON = (7, 82)
"""The first version of curl that knows `--json`."""


@cache
def curl_version() -> tuple[int, ...]:
    """The version of curl, () if there is none."""
    if shutil.which("curl") is None:
        return ()
    output = subprocess.run(["curl", "--version"], capture_output=True, text=True, check=True).stdout
    match = re.match(r"curl (\d+)\.(\d+)", output)
    return tuple(map(int, match.groups())) if match else ()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Starts a server when somebody asks for its address for the first time."""
    with ExitStack() as stack:
        yield cache(lambda: stack.enter_context(served())[0])


@pytest.fixture(scope="module")
def warm() -> Iterator[Programs]:
    with tempfile.TemporaryDirectory() as directory, contextmanager(warm_commands)(Path(directory)) as commands:
        yield commands


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_sessions_print_what_the_document_shows(path: Path, tmp_path: Path, server: Server, warm: Programs) -> None:
    """The sessions of a README start each program anew, as its readers do; all others run in forks of a started one."""
    programs = PROGRAMS if path.name == "README.md" else warm
    markdown = path.read_text("utf-8")
    if "curl " in markdown and curl_version() < CURL_WITH_JSON:
        pytest.skip("the sessions need curl 7.82 or newer")
    differences = Session(tmp_path, server, programs).differences(markdown)
    name = path.relative_to(CHECKOUT)
    output = [f"{name}:{one.command.line}: $ {one.command.text}\n{one.message}" for one in differences]
    assert not output, "\n\n".join(output)


# --- commands in a line of text --------------------------------------------------------------------------------------

COMMAND_IN_TEXT = re.compile(r"`capomastro( [^`\n]+)`")


def unknown_options(words: Sequence[str]) -> list[str]:
    """The options among the words of a command that neither it nor, before its name, a group above it takes."""
    command: click.Command = main
    unknown = []
    for word in words:
        if word.startswith("--"):
            known = {name for parameter in command.params for name in parameter.opts} | {"--help"}
            unknown += [word] if word not in known else []
        elif isinstance(command, click.Group):
            command = command.commands.get(word, command)
    return unknown


@pytest.mark.parametrize(
    "path", [*DOCUMENTS, CHECKOUT / "CHANGELOG.md", CHECKOUT / "CONTRIBUTING.md"], ids=lambda path: path.name
)
def test_commands_in_a_line_of_text_have_only_options_that_exist(path: Path) -> None:
    texts = COMMAND_IN_TEXT.findall(path.read_text("utf-8"))
    unknown = {text: options for text in texts if (options := unknown_options(text.split()))}
    assert not unknown


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("--language it replay x.json --tell", []),
        ("replay x.json --language it", ["--language"]),
        ("table join --secret FILE --help", []),
        ("table --secret FILE join", ["--secret"]),
    ],
)
def test_an_option_in_the_wrong_place_is_found(text: str, unknown: list[str]) -> None:
    assert unknown_options(text.split()) == unknown


# --- the runner itself -----------------------------------------------------------------------------------------------


def compare(expected: str, printed: str) -> str | None:
    return difference(expected.splitlines(), printed.splitlines())


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        ("", ""),
        ("one\ntwo", "one  \ntwo"),
        ("one\n…\nthree", "one\ntwo\n2\nthree"),
        ("one\n…", "one"),
        ("total … points", "total 7 points"),
        ('{"a": 1, "b": [1, 2]}', '{"b":[1,2],\n"a":1}'),
        ('{\n  "a": 1,\n  …\n}', '{"a": 1, "b": 2}'),
        ('{\n  …\n  "a": 1\n}', '{"a": 1, "b": 2}'),
        ('{"a": {…}, "b": […]}', '{"a": {"x": 1}, "b": [1, 2, 3]}'),
        ('{"a": …}', '{"a": {"x": [1]}}'),
        ('{"hash": "3fa…"}', '{"hash": "3fa9b2"}'),
        ("[1, …, 9]", "[1, 2, 3, 9]"),
        ("[\n  {…},\n  …\n]", '[{"a": 1}, 2]'),
        ('{"text": "a, b … {c}"}', '{"text": "a, b and {c}"}'),
        ('{"n": 1}\n…\n{"n": 3}', '{"n":1}\n{"n":2}\n{"n":3}'),
        (
            'HTTP/1.1 200 OK\nContent-Type: application/json\n\n{"a": …}',
            'HTTP/1.1 200 OK\r\nX: y\r\ncontent-type: application/json\r\n\r\n{"a": 1}',
        ),
    ],
)
def test_matching_output(expected: str, printed: str) -> None:
    assert compare(expected, printed) is None


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        ("", "something"),
        ("something", ""),
        ("one\n…\nthree", "one\ntwo"),
        ("total … points", "total 7 coins"),
        ('{"a": 1}', '{"a": 1, "b": 2}'),
        ('{"a": 1, "b": 2}', '{"a": 1}'),
        ('{"a": 1, …}', '{"a": 2, "b": 2}'),
        ('{"a": 1}', '{"a": true}'),
        ('{"a": 1}', '{"a": 1.0}'),
        ("[1, …, 9]", "[1, 2, 3]"),
        ("[1, 2]", "[2, 1]"),
        ('{"a": {"b": [1]}}', '{"a": {"b": [2]}}'),
        ('{"hash": "3fa…"}', '{"hash": 3}'),
        ('{"a": 1}', "not JSON"),
        ('HTTP/1.1 200 OK\n\n{"a": 1}', 'HTTP/1.1 404 NOT FOUND\n\n{"a": 1}'),
        ("HTTP/1.1 200 OK\nETag: …\n\n{}", "HTTP/1.1 200 OK\nX: y\n\n{}"),
    ],
)
def test_differing_output(expected: str, printed: str) -> None:
    assert compare(expected, printed) is not None


def test_a_difference_in_json_has_its_place() -> None:
    assert compare('{"a": {"b": [1]}}', '{"a": {"b": [2]}}') == "at /a/b/0: expected 1, got 2"


MARKDOWN = """
Text
```sh
make test
```
1. In a list
   ```json sheet.json
   {"a": 1}
   ```
   ```console
   $ cat sheet.json
   {"a": …}
   $ cat > other.json <<'END'
   > {"b": 2}
   > END
   $ cat sheet.json \\
       other.json | wc -l
   2
   $ make serve
   $ capomastro serve --port 8000
   $ ls nothing
   …
   $ echo $?
   2
   ```
"""


def no_server() -> str:
    raise AssertionError("no server is needed")


def test_a_document_is_run(tmp_path: Path) -> None:
    session = [command.text for block in blocks(MARKDOWN) if block.language == "console" for command in commands(block)]
    assert len(session) == 7
    assert list(Session(tmp_path, no_server).differences(MARKDOWN)) == []


PYTHON = """
```json sheet.json
[7]
```
```pycon
>>> import json
>>> with open("sheet.json") as file:
...     sheet = json.load(file)
>>> sheet
[7]

>>> print("one", "", "two", sep="\\n")
one

two
>>> sheet["seats"]
Traceback (most recent call last):
  …
TypeError: list indices must be integers or slices, not str
```
"""


def test_sessions_of_python_are_run(tmp_path: Path) -> None:
    assert list(Session(tmp_path, no_server).differences(PYTHON)) == []


@pytest.mark.parametrize(
    ("right", "wrong", "printed"),
    [
        ("[7]\n\n>>>", "[8]\n\n>>>", ["[7]"]),
        ("one\n\ntwo", "one\ntwo", ["one", "", "two"]),
        ("TypeError", "KeyError", None),
        (">>> sheet\n[7]\n", ">>> sheet\n", ["[7]"]),
    ],
)
def test_differences_in_python_sessions_are_found_and_can_be_rewritten(
    tmp_path: Path, right: str, wrong: str, printed: list[str] | None
) -> None:
    markdown = PYTHON.replace(right, wrong)
    (found,) = Session(tmp_path, no_server).differences(markdown)
    if printed is not None:
        assert found.printed == printed
        assert documentation.rewritten(markdown, [found]).split() == PYTHON.split()


def test_differences_are_found_and_can_be_rewritten(tmp_path: Path) -> None:
    wrong = MARKDOWN.replace("   2\n   $ make", "   3\n   $ make")
    (found,) = Session(tmp_path, no_server).differences(wrong)
    assert (found.command.line, found.printed) == (16, ["2"])
    assert documentation.rewritten(wrong, [found]).splitlines() == MARKDOWN.splitlines()


def test_a_command_that_fails_unannounced_is_found(tmp_path: Path) -> None:
    (found,) = Session(tmp_path, no_server).differences("```console\n$ ls nothing\n…\n```\n")
    assert "exit code 2" in found.message


def test_localhost_8000_is_the_server_of_the_test(tmp_path: Path, server: Server) -> None:
    markdown = '```console\n$ curl -i http://localhost:8000/healthz\nHTTP/1.1 200 OK\n\n{"status": "alive"}\n```\n'
    assert list(Session(tmp_path, server).differences(markdown)) == []


@pytest.mark.parametrize(
    "markdown",
    [
        "```pycon\nno statement\n```\n",
        "```console\n$ reboot\n```\n",
        "```console\nno command\n```\n",
        "```console\n$ echo 1\n1\n",
    ],
)
def test_unknown_commands_are_errors(tmp_path: Path, markdown: str) -> None:
    with pytest.raises(DocumentationError):
        list(Session(tmp_path, no_server).differences(markdown))
