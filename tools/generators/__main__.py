"""Runs linters and generators on the specification of all games and on that of one, and checks what they make."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from json import loads
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple

from tools.openapi.files import built

HERE = Path(__file__).parent
TOP = HERE.parents[1]
MADE = TOP / "build" / "generated"
NODE = HERE / "node_modules" / ".bin"
PYTHON = TOP / ".venv" / "generators" / "bin"
LONGEST = 900
"""Seconds one tool may take."""

COMPLAINT = re.compile(r"warn|error|skipp|rename|omitted|unsupported|\bfail", re.IGNORECASE)

EXCEPTIONS: dict[str, dict[str, str]] = {
    "redocly": {
        r"Deprecation warning: Node\.js \d+ support is ending|Future Redocly": "about Node, not us",
        r"npm warn Unknown user config": "about the user's own settings",
    },
    "spectral": {r"No results with a severity of 'error' found": "finds nothing"},
    "datamodel-code-generator": {
        r'"warn_about_msgspec_decoding"': "repeats where a warning is given",
        # msgspec/msgspec#982: at most one untagged Struct in a union. Clients never decode requests, and encode them
        # correctly.
        r"msgspec cannot decode the union \w+Request:": "requests are encoded only",
    },
}
"""Accepted complaints, as patterns with the reason: a fault of the tool, or no fault."""


class Tool(NamedTuple):
    """A tool, and the check of its output."""

    name: str
    command: list[str | Path]
    check: Callable[[], Iterator[str]] = lambda: iter(())


# --- what has to be there --------------------------------------------------------------------------------------------


class Specification:
    """A specification, and the folder for what is made of it."""

    def __init__(self, file: Path, made: Path) -> None:
        self.file = file
        self.made = made

    @cached_property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = loads(self.file.read_bytes())
        return document

    @property
    def schemas(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document["components"]["schemas"]
        return found

    @property
    def operations(self) -> list[str]:
        return [operation["operationId"] for path in self.document["paths"].values() for operation in path.values()]


def missing(kind: str, wanted: set[str], found: set[str]) -> Iterator[str]:
    if not found:
        yield f"no {kind} was found at all"
    yield from (f"the {kind} {name} is missing" for name in sorted(wanted - found))


def camel(id: str) -> str:
    first, *rest = id.split("-")
    return first + "".join(word.title() for word in rest)


def openapi_typescript(of: Specification) -> Iterator[str]:
    text = (of.made / "openapi-typescript.ts").read_text("utf-8")
    named = set(re.findall(r"^        (\w+):", text, re.MULTILINE))
    yield from missing("schema", set(of.schemas), named)
    listed = text.partition("export interface operations {")[2]
    ids = set(re.findall(r'^    "?([\w-]+)"?: \{', listed, re.MULTILINE))
    yield from missing("operation", set(of.operations), ids)


def hey_api(of: Specification) -> Iterator[str]:
    types = (of.made / "hey-api" / "types.gen.ts").read_text("utf-8")
    yield from missing("schema", set(of.schemas), set(re.findall(r"^export type (\w+)", types, re.MULTILINE)))
    calls = (of.made / "hey-api" / "sdk.gen.ts").read_text("utf-8")
    named = set(re.findall(r"^export const (\w+) =", calls, re.MULTILINE))
    yield from missing("operation", set(map(camel, of.operations)), named)


def datamodel_code_generator(of: Specification) -> Iterator[str]:
    text = (of.made / "models.py").read_text("utf-8")
    named = set(re.findall(r"^(?:class )?(\w+)(?:\(|: TypeAlias)", text, re.MULTILINE))
    yield from missing("schema", set(of.schemas), named)


def openapi_python_client(of: Specification) -> Iterator[str]:
    made = {path.stem.replace("_", "-") for path in (of.made / "client" / "api").glob("*/*.py")}
    yield from missing("operation", set(of.operations), made)
    classes = {
        name
        for path in (of.made / "client" / "models").glob("*.py")
        for name in re.findall(r"^class (\w+)|^(\w+) = Literal", path.read_text("utf-8"), re.MULTILINE)
        for name in name
    }
    objects = {name for name, schema in of.schemas.items() if "properties" in schema}
    yield from missing("schema", objects, classes)


# --- the tools -------------------------------------------------------------------------------------------------------


def specifications() -> Iterator[Specification]:
    """That of all games, with examples; that of one game, without."""
    yield Specification(built(), MADE / "all")
    yield Specification(built("openapi.palazzo.without-examples.json"), MADE / "palazzo")


def tools(of: Specification) -> Iterator[Tool]:
    """Everything that is run on a specification, in an order in which some use the output of others."""
    file, made = of.file, of.made
    yield Tool("redocly", [NODE / "redocly", "lint", file, "--extends", "recommended"])
    rules = ("--ruleset", HERE / "spectral.yaml", "--fail-severity", "hint")
    yield Tool("spectral", [NODE / "spectral", "lint", file, *rules])
    yield Tool(
        "openapi-typescript",
        [
            *(NODE / "openapi-typescript", file, "--output", made / "openapi-typescript.ts"),
            *("--default-non-nullable", "false"),  # otherwise members with a default are required: its issue 2012
        ],
        partial(openapi_typescript, of),
    )
    yield Tool(
        "hey-api",
        [NODE / "openapi-ts", "--input", file, "--output", made / "hey-api", "--no-log-file"],
        partial(hey_api, of),
    )
    yield Tool(
        "datamodel-code-generator",
        [
            *(PYTHON / "datamodel-codegen", "--input", file, "--input-file-type", "openapi"),
            *("--output-model-type", "msgspec.Struct", "--use-msgspec-tagged-unions", "--enum-field-as-literal", "all"),
            *("--target-python-version", "3.11", "--formatters", "builtin", "--disable-timestamp"),
            *("--output", made / "models.py"),
        ],
        partial(datamodel_code_generator, of),
    )
    yield Tool("msgspec", [sys.executable, HERE / "decoding.py", made / "models.py", file])
    yield Tool(
        "openapi-python-client",
        [
            *(PYTHON / "openapi-python-client", "generate", "--path", file, "--meta", "none"),
            *("--config", HERE / "openapi-python-client.yaml", "--output-path", made / "client", "--fail-on-warning"),
        ],
        partial(openapi_python_client, of),
    )


COMPILER = Tool("tsc", [NODE / "tsc", "--project", HERE / "tsconfig.json"])
"""Compiles all that was made."""


def faults(tool: Tool) -> Iterator[str]:
    """The faults in the output of a tool."""
    run = subprocess.run(
        tool.command, cwd=HERE, capture_output=True, text=True, timeout=LONGEST, check=False, encoding="utf-8"
    )
    printed = [line.strip() for line in (run.stdout + run.stderr).splitlines()]
    allowed = EXCEPTIONS.get(tool.name, {})
    complaints = [line for line in printed if COMPLAINT.search(line)]
    yield from (line for line in complaints if not any(re.search(pattern, line) for pattern in allowed))
    if run.returncode:
        yield f"ended with {run.returncode}: " + "\n".join(printed[-20:])
    else:
        yield from tool.check()


def findings(*, without_node: bool = False) -> Iterator[tuple[str, list[str]]]:
    """Runs the tools one after another, all or those that need no Node; yields what was run, and the faults."""
    rmtree(MADE, ignore_errors=True)
    for of in specifications():
        of.made.mkdir(parents=True)
        for tool in tools(of):
            if not (without_node and needs_node(tool)):
                yield f"{tool.name} ({of.made.name})", list(faults(tool))
    if not without_node:
        yield COMPILER.name, list(faults(COMPILER))


def needs_node(tool: Tool) -> bool:
    return NODE in Path(tool.command[0]).parents


def main() -> int:
    """Runs all tools; returns 0 if there are no faults."""
    wrong = 0
    for name, complaints in findings():
        wrong += len(complaints)
        sys.stdout.write(f"{name}: {len(complaints) or 'nothing'} wrong\n")
        sys.stdout.writelines(f"  {line}\n" for line in complaints)
        sys.stdout.flush()
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
