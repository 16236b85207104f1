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
from tests.support.documentation import PROGRAMS, Session
from tests.support.serving import served
from tests.support.warm_command import warm_commands

CHECKOUT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    CHECKOUT / "README.md",
    CHECKOUT / "conformance" / "README.md",
    *sorted((CHECKOUT / "docs").rglob("*.md")),
]
CLUSTERS = CHECKOUT / "docs" / "clusters.md"
"""Its sessions start clusters."""
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


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.long if path == CLUSTERS else ()) for path in DOCUMENTS],
    ids=lambda path: str(path.relative_to(CHECKOUT)),
)
def test_sessions_print_what_the_document_shows(path: Path, tmp_path: Path, server: Server, warm: Programs) -> None:
    """The sessions of the README start each program anew, as its readers do; others run in forks of a started one."""
    programs = PROGRAMS if path == DOCUMENTS[0] else warm
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


# --- files that the guide for contributors names --------------------------------------------------------------------

PACKAGE = CHECKOUT / "service" / "capomastro"
FILE = re.compile(r"`([\w./-]+/[\w.-]+\.(?:py|toml|json|css|js|md|yml))`")


def test_the_guide_names_files_that_exist() -> None:
    """From the top of the checkout, or of the package."""
    named = FILE.findall((CHECKOUT / "CONTRIBUTING.md").read_text("utf-8"))
    assert len(named) > 20
    assert [name for name in named if not (CHECKOUT / name).exists() and not (PACKAGE / name).exists()] == []


# --- the runner itself -----------------------------------------------------------------------------------------------


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


def test_differences_are_found_and_can_be_rewritten(tmp_path: Path) -> None:
    wrong = MARKDOWN.replace("   2\n   $ make", "   3\n   $ make")
    (found,) = Session(tmp_path, no_server).differences(wrong)
    assert (found.command.line, found.printed) == (16, ["2"])
    assert documentation.rewritten(wrong, [found]).splitlines() == MARKDOWN.splitlines()
