"""Runs the sessions of a Markdown file, and compares their output with the file.

A session is a fenced block marked `console`. Lines that begin with `$ ` are commands; lines that begin with `> ` after
one continue it, as does a line after one that ends in `\\` or `|`; all other lines are what it prints (stdout and
stderr as on a terminal):

    ```console
    $ capomastro games
    palazzo  …
    ```

- The sessions of one file share an empty directory, so that a command can use what an earlier one wrote; as in the
  checkout, `conformance` in it has the recorded games.
- A fenced block marked with a language and a file name, such as `json sheet.json`, is written to that file first.
- `capomastro` is the package under test, `curl` asks a server that the test starts: localhost:8000 stands for it.
  `make`, `docker`, `git` and `capomastro serve` are shown but not run. Commands not named in `RUN` are an error.
- `…` alone on a line stands for any number of lines, within a line for any text. JSON is compared as JSON, whatever its
  layout: `…` among the members of an object stands for further members, among the items of a list for any number of
  items, as a value or in a text for anything.
- With `curl -i`, header lines that the file leaves out are ignored.
- A block marked `pycon` is a Python session: `>>> ` begins a statement, `... ` continues it. All such blocks of a file
  share their names and the directory. Output is compared as above; of an exception, only the last lines, with the type
  without its module.
- Every command has to succeed, unless `$ echo $?` follows and shows its exit code.

`python -m tests.support.documentation FILE…` prints the differences; `--write` fills in the real output, except where
there are elisions, which only a person can choose.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, redirect_stdout
from difflib import unified_diff
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.conformance import CONFORMANCE
from tests.support.serving import CAPOMASTRO, clean_environment, served

RUN = ("capomastro", "curl", "cat", "echo", "head", "tail", "wc", "grep", "sort", "sed", "ls", "jq", "python3", "for")
SHOWN_ONLY = ("make", "docker", "git")
CONTINUED = ("\\", "|")
"""A line with this ending continues on the next one."""
ELISION = "…"
PROGRAMS: Mapping[str, Sequence[str]] = {
    "capomastro": CAPOMASTRO,
    "jq": (sys.executable, str(Path(__file__).with_name("jq_command.py"))),
}
"""What sessions run as `capomastro` and as `jq`; the same version of jq everywhere, even where one is installed."""
SERVER = re.compile(r"\b(?:localhost|127\.0\.0\.1):8000\b")
SHOWN_SERVER = "localhost:8000"
FENCE = re.compile(r"^( *)(`{3,})([^`]*)$")
PATIENCE = 300
"""Seconds a command may take; one of them plays a whole game."""


class DocumentationError(Exception):
    """A document that cannot be run."""


class Block(NamedTuple):
    """A fenced block: the number of its first line, its mark, its lines."""

    line: int
    language: str
    file: str
    lines: list[str]


class Command(NamedTuple):
    """A command, its line, its expected output, and the first line of that and the line after it."""

    line: int
    text: str
    expected: list[str]
    begin: int
    end: int


class Difference(NamedTuple):
    """The actual output of a command that differs from the expected one."""

    command: Command
    message: str
    printed: list[str]


# --- reading ---------------------------------------------------------------------------------------------------------


def blocks(markdown: str) -> Iterator[Block]:
    """The fenced blocks of a document; indented ones (in lists) lose their indentation."""
    indentation = fence = ""
    found: Block | None = None
    for number, line in enumerate(markdown.splitlines(), 1):
        match = FENCE.match(line)
        if found is None and match:
            indentation, fence = match[1], match[2]
            marks = match[3].split()
            found = Block(number + 1, marks[0] if marks else "", marks[1] if len(marks) > 1 else "", [])
        elif found is not None and match and len(match[2]) >= len(fence) and not match[3].strip():
            yield found
            found = None
        elif found is not None:
            found.lines.append(line.removeprefix(indentation))
    if found is not None:
        raise DocumentationError(f"the block that begins in line {found.line} does not end")


def commands(block: Block) -> list[Command]:
    """The commands of a session with their expected output."""
    found: list[Command] = []
    for number, line in enumerate(block.lines, block.line):
        if line.startswith("$ "):
            found.append(Command(number, line[2:], [], number + 1, number + 1))
        elif not found:
            raise DocumentationError(f"line {number}: a session begins with a command, a line that begins with '$ '")
        elif not found[-1].expected and (line.startswith("> ") or line == ">" or found[-1].text.endswith(CONTINUED)):
            text = found[-1].text + "\n" + (line[2:] if line.startswith(">") else line)
            found[-1] = found[-1]._replace(text=text, begin=number + 1, end=number + 1)
        else:
            found[-1].expected.append(line)
            found[-1] = found[-1]._replace(end=number + 1)
    return found


def statements(block: Block) -> list[Command]:
    """A Python session: its statements with their expected output. An empty line before a statement is layout."""
    found: list[Command] = []
    for number, line in enumerate(block.lines, block.line):
        if line.startswith(">>> "):
            if found and found[-1].expected[-1:] == [""]:
                found[-1] = found[-1]._replace(expected=found[-1].expected[:-1], end=number - 1)
            found.append(Command(number, line[4:], [], number + 1, number + 1))
        elif not found:
            raise DocumentationError(f"line {number}: a session of Python begins with '>>> '")
        elif not found[-1].expected and (line.startswith("... ") or line == "..."):
            text = found[-1].text + "\n" + line[4:]
            found[-1] = found[-1]._replace(text=text, begin=number + 1, end=number + 1)
        else:
            found[-1].expected.append(line)
            found[-1] = found[-1]._replace(end=number + 1)
    return found


def first_words(text: str) -> list[str]:
    """The first words of a command, after any variables set for it."""
    words = shlex.split(text.splitlines()[0].rstrip("\\"), comments=False) if text.strip() else []
    while words and re.match(r"\w+=", words[0]):
        words.pop(0)
    return words


def is_run(command: Command) -> bool:
    """Whether a command is run, not just shown.

    Raises:
        DocumentationError: if the command is unknown.
    """
    try:
        words = first_words(command.text)
    except ValueError:  # quotes that continue on the next line
        words = command.text.split()
    if not words or words[0] not in (*RUN, *SHOWN_ONLY):
        raise DocumentationError(f"line {command.line}: {command.text!r} is neither in RUN nor in SHOWN_ONLY")
    serving = words[:2] == ["capomastro", "serve"] and not {"-h", "--help"} & set(words)
    return words[0] in RUN and not serving


# --- comparing -------------------------------------------------------------------------------------------------------


def difference(expected: Sequence[str], printed: Sequence[str]) -> str | None:
    """The difference between actual and expected output; None if there is none."""
    if expected and expected[0].startswith("HTTP/"):
        return http_difference(expected, printed)
    written, real = parsed("\n".join(expected)), parsed("\n".join(printed))
    if isinstance(written, dict | list):
        if real is NOT_JSON:
            return "this is not JSON:\n" + "\n".join(printed)
        return next(json_differences(written, real), None)
    if lines_match(list(expected), list(printed)):
        return None
    return "\n".join(unified_diff(list(expected), list(printed), "shown", "printed", lineterm=""))


def http_difference(expected: Sequence[str], printed: Sequence[str]) -> str | None:
    """The difference between answers with headers: status, the headers shown, and body."""
    head, body = halves(expected)
    real_head, real_body = halves(printed)
    if not real_head or not text_matches(head[0], real_head[0]):
        return f"expected {head[0]!r}, got {real_head[:1]}"
    for line in head[1:]:
        if line.strip() != ELISION and not any(text_matches(line.lower(), real.lower()) for real in real_head[1:]):
            return "\n".join([f"the header {line!r} is not among", *real_head[1:]])
    return difference(body, real_body)


def halves(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The parts before and after the first empty line."""
    stripped = [line.rstrip() for line in lines]
    at = stripped.index("") if "" in stripped else len(stripped)
    return stripped[:at], stripped[at + 1 :]


def lines_match(expected: list[str], printed: list[str]) -> bool:
    """Whether lines match; an elision alone on a line stands for any number of lines."""

    @cache
    def match(one: int, other: int) -> bool:
        if one == len(expected):
            return other == len(printed)
        if expected[one].strip() == ELISION:
            return match(one + 1, other) or (other < len(printed) and match(one, other + 1))
        return other < len(printed) and line_matches(expected[one], printed[other]) and match(one + 1, other + 1)

    return match(0, 0)


def line_matches(expected: str, printed: str) -> bool:
    if text_matches(expected.rstrip(), printed.rstrip()):
        return True
    written, real = parsed(expected), parsed(printed)
    return (
        isinstance(written, dict | list)
        and real is not NOT_JSON
        and next(json_differences(written, real), None) is None
    )


def text_matches(expected: str, printed: str) -> bool:
    """Whether a text matches; an elision stands for anything."""
    pattern = ".*".join(map(re.escape, expected.split(ELISION)))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


NOT_JSON = object()


def parsed(text: str) -> Any:
    """A JSON text that may have elisions, or `NOT_JSON`."""
    try:
        return json.loads(with_elisions_as_text(text))
    except ValueError:
        return NOT_JSON


def with_elisions_as_text(text: str) -> str:
    """The JSON text with each elision turned into a valid part: a member named "…", or an item or value "…"."""
    out: list[str] = []
    open_brackets: list[str] = []
    last = ""
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|…|[\[\]{},:]|\s+|[^\s\[\]{},:…"]+|.', text):
        if token.isspace():
            out.append(token)
            continue
        after_elision = last == ELISION and token not in "}],"
        if (token == ELISION and last and last not in "{[,:") or after_elision:
            out.append(",")
        if token in "{[":
            open_brackets.append(token)
        elif token in "}]" and open_brackets:
            open_brackets.pop()
        is_member = token == ELISION and open_brackets[-1:] == ["{"] and last != ":"
        out.append(f'"{ELISION}": "{ELISION}"' if is_member else f'"{ELISION}"' if token == ELISION else token)
        last = token
    return "".join(out)


def json_differences(expected: Any, real: Any, pointer: str = "") -> Iterator[str]:
    """The difference between a JSON value and the expected one."""
    if isinstance(expected, str) and ELISION in expected:
        if expected != ELISION and not (isinstance(real, str) and text_matches(expected, real)):
            yield f"at {pointer or 'the top'}: expected {expected!r}, got {shortened(real)}"
    elif isinstance(expected, dict) and isinstance(real, dict):
        yield from object_differences(expected, real, pointer)
    elif isinstance(expected, list) and isinstance(real, list):
        yield from list_differences(expected, real, pointer)
    elif type(expected) is not type(real) or expected != real:
        yield f"at {pointer or 'the top'}: expected {shortened(expected)}, got {shortened(real)}"


def object_differences(expected: dict[str, Any], real: dict[str, Any], pointer: str) -> Iterator[str]:
    for name, value in expected.items():
        if name == ELISION:
            continue
        if name not in real:
            yield f"at {pointer or 'the top'}: there is no member {name!r}, but {', '.join(real)}"
        else:
            yield from json_differences(value, real[name], f"{pointer}/{name}")
    further = [name for name in real if name not in expected]
    if further and ELISION not in expected:
        yield f"at {pointer or 'the top'}: there are further members: {', '.join(further)}"


def list_differences(expected: list[Any], real: list[Any], pointer: str) -> Iterator[str]:
    if ELISION not in expected:
        if len(expected) != len(real):
            yield f"at {pointer or 'the top'}: expected {len(expected)} items, got {len(real)}: {shortened(real)}"
        for index, (written, item) in enumerate(zip(expected, real, strict=False)):
            yield from json_differences(written, item, f"{pointer}/{index}")
        return

    @cache
    def match(one: int, other: int) -> bool:
        if one == len(expected):
            return other == len(real)
        if expected[one] == ELISION:
            return match(one + 1, other) or (other < len(real) and match(one, other + 1))
        same = other < len(real) and next(json_differences(expected[one], real[other]), None) is None
        return same and match(one + 1, other + 1)

    if not match(0, 0):
        yield f"at {pointer or 'the top'}: expected {shortened(expected)}, got {shortened(real)}"


def shortened(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else text[:300] + ELISION


# --- running ---------------------------------------------------------------------------------------------------------


class Session:
    """Runs commands in an empty directory, with `programs` on the path and a server for those that need one."""

    def __init__(
        self, directory: Path, server: Callable[[], str], programs: Mapping[str, Sequence[str]] = PROGRAMS
    ) -> None:
        self.work = directory / "work"
        self.tools = directory / "tools"
        self.work.mkdir()
        self.tools.mkdir()
        (self.work / "conformance").symlink_to(CONFORMANCE)
        self.server = server
        self.names: dict[str, Any] = {"__name__": "__main__"}
        """The names that Python sessions have defined."""
        for name, command in programs.items():
            self.provide(name, command)
        self.provide("python3", (sys.executable,))  # with the package under test, as if it were installed
        (self.tools / ".curlrc").write_text("silent\nshow-error\n", "utf-8")

    def provide(self, name: str, command: Sequence[str]) -> None:
        """Creates a program that runs `command` with its own arguments."""
        script = self.tools / name
        script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', "utf-8")
        script.chmod(0o755)

    def run(self, command: Command) -> tuple[int, list[str]]:
        """The exit code of a command, and the lines it prints."""
        text, address = command.text, ""
        if SERVER.search(text):
            address = self.server().removeprefix("http://")
            text = SERVER.sub(address, text)
        environment = clean_environment(
            PATH=f"{self.tools}{os.pathsep}{os.environ['PATH']}",
            CURL_HOME=str(self.tools),
            COLUMNS="80",
            LC_ALL="C.UTF-8",
            PYTHONUTF8="1",
        )
        done = subprocess.run(
            ["/bin/bash", "-c", text],
            cwd=self.work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
        printed = done.stdout.decode()
        if address:
            printed = printed.replace(address, SHOWN_SERVER)
        return done.returncode, SERVER.sub(SHOWN_SERVER, printed).splitlines()

    def differences(self, markdown: str) -> Iterator[Difference]:
        """All differences in a document."""
        for block in blocks(markdown):
            if block.language == "console":
                yield from self.block_differences(block)
            elif block.language == "pycon":
                yield from self.python_differences(block)
            elif block.file:
                (self.work / Path(block.file).name).write_text("\n".join(block.lines) + "\n", "utf-8")

    def block_differences(self, block: Block) -> Iterator[Difference]:
        session = commands(block)
        exit_code = 0
        for index, command in enumerate(session):
            if command.text == "echo $?":
                printed = [str(exit_code)]
            elif is_run(command):
                exit_code, printed = self.run(command)
                code_is_shown = index + 1 < len(session) and session[index + 1].text == "echo $?"
                if exit_code and not code_is_shown:
                    yield Difference(command, "\n".join([f"it failed with exit code {exit_code}:", *printed]), printed)
                    continue
            else:
                continue
            message = difference([SERVER.sub(SHOWN_SERVER, line) for line in command.expected], printed)
            if message is not None:
                yield Difference(command, message, printed)

    def python_differences(self, block: Block) -> Iterator[Difference]:
        """All differences in a Python session."""
        for statement in statements(block):
            printed = self.run_python(statement)
            message = difference(statement.expected, printed)
            if message is not None:
                yield Difference(statement, message, printed)

    def run_python(self, statement: Command) -> list[str]:
        """The lines that a statement prints."""
        with chdir(self.work), redirect_stdout(StringIO()) as out:
            try:
                exec(compile(statement.text + "\n", "<session>", "single"), self.names)
            except Exception as error:  # noqa: BLE001 - whatever it is, a session shows it
                print("Traceback (most recent call last):\n  …")
                print(f"{type(error).__name__}: {error}")
        return out.getvalue().splitlines()


def rewritten(markdown: str, differences: Sequence[Difference]) -> str:
    """The document with the real output filled in, except where there are elisions."""
    lines = markdown.splitlines()
    for one in sorted(differences, key=lambda one: one.command.line, reverse=True):
        if ELISION in "".join(one.command.expected):
            continue
        opening = next(line for line in reversed(lines[: one.command.line - 1]) if FENCE.match(line))
        indentation = " " * (len(opening) - len(opening.lstrip(" ")))
        printed = [f"{indentation}{line}".rstrip() for line in one.printed]
        lines[one.command.begin - 1 : one.command.end - 1] = printed
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Compares documents with the output of their commands; with `--write`, rewrites them."""
    write = "--write" in arguments
    found = 0
    with ExitStack() as stack:
        server = cache(lambda: stack.enter_context(served())[0])
        for name in arguments:
            if name == "--write":
                continue
            path = Path(name)
            markdown = path.read_text("utf-8")
            session = Session(Path(stack.enter_context(tempfile.TemporaryDirectory())), server)
            differences = list(session.differences(markdown))
            found += len(differences)
            for one in differences:
                print(f"{name}:{one.command.line}: $ {one.command.text}\n{one.message}\n")
            if write and differences:
                path.write_text(rewritten(markdown, differences), "utf-8")
    return 1 if found and not write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
