"""Runs linters and generators on `openapi.json`, and checks their output: make generators."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from json import loads
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple

HERE = Path(__file__).parent
TOP = HERE.parents[1]
SPECIFICATION = TOP / "openapi.json"
MADE = TOP / "build" / "generated"
NODE = HERE / "node_modules" / ".bin"
PYTHON = TOP / ".venv" / "generators" / "bin"
LONGEST = 900
"""Seconds one tool may take."""

COMPLAINT = re.compile(r"warn|error|skipp|rename|omitted|unsupported|\bfail", re.IGNORECASE)

EXCEPTIONS: dict[str, dict[str, str]] = {
    "redocly": {
        r"Deprecation warning: Node\.js \d+ support is ending|Future Redocly": "about Node, not us",
        r"npm warn Unknown user config": "about whoever runs it",
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


def specification() -> dict[str, Any]:
    document: dict[str, Any] = loads(SPECIFICATION.read_bytes())
    return document


def schemas() -> dict[str, Any]:
    found: dict[str, Any] = specification()["components"]["schemas"]
    return found


def operations() -> list[str]:
    return [operation["operationId"] for path in specification()["paths"].values() for operation in path.values()]


def missing(kind: str, wanted: set[str], found: set[str]) -> Iterator[str]:
    if not found:
        yield f"no {kind} was found at all"
    yield from (f"the {kind} {name} is missing" for name in sorted(wanted - found))


def camel(id: str) -> str:
    first, *rest = id.split("-")
    return first + "".join(word.title() for word in rest)


def openapi_typescript() -> Iterator[str]:
    text = (MADE / "openapi-typescript.ts").read_text("utf-8")
    named = set(re.findall(r"^        (\w+):", text, re.MULTILINE))
    yield from missing("schema", set(schemas()), named)
    listed = text.partition("export interface operations {")[2]
    yield from missing("operation", set(operations()), set(re.findall(r'^    "?([\w-]+)"?: \{', listed, re.MULTILINE)))


def hey_api() -> Iterator[str]:
    types = (MADE / "hey-api" / "types.gen.ts").read_text("utf-8")
    yield from missing("schema", set(schemas()), set(re.findall(r"^export type (\w+)", types, re.MULTILINE)))
    calls = (MADE / "hey-api" / "sdk.gen.ts").read_text("utf-8")
    named = set(re.findall(r"^export const (\w+) =", calls, re.MULTILINE))
    yield from missing("operation", set(map(camel, operations())), named)


def datamodel_code_generator() -> Iterator[str]:
    text = (MADE / "models.py").read_text("utf-8")
    named = set(re.findall(r"^(?:class )?(\w+)(?:\(|: TypeAlias)", text, re.MULTILINE))
    yield from missing("schema", set(schemas()), named)


def openapi_python_client() -> Iterator[str]:
    made = {path.stem.replace("_", "-") for path in (MADE / "client" / "api").glob("*/*.py")}
    yield from missing("operation", set(operations()), made)
    classes = {
        name
        for path in (MADE / "client" / "models").glob("*.py")
        for name in re.findall(r"^class (\w+)|^(\w+) = Literal", path.read_text("utf-8"), re.MULTILINE)
        for name in name
    }
    objects = {name for name, schema in schemas().items() if "properties" in schema}
    yield from missing("schema", objects, classes)


# --- the tools -------------------------------------------------------------------------------------------------------


TOOLS = (
    Tool("redocly", [NODE / "redocly", "lint", SPECIFICATION, "--extends", "recommended"]),
    Tool(
        "spectral",
        [NODE / "spectral", "lint", SPECIFICATION, "--ruleset", HERE / "spectral.yaml", "--fail-severity", "hint"],
    ),
    Tool(
        "openapi-typescript",
        [
            *(NODE / "openapi-typescript", SPECIFICATION, "--output", MADE / "openapi-typescript.ts"),
            *("--default-non-nullable", "false"),  # otherwise members with a default are required: its issue 2012
        ],
        openapi_typescript,
    ),
    Tool(
        "hey-api",
        [NODE / "openapi-ts", "--input", SPECIFICATION, "--output", MADE / "hey-api", "--no-log-file"],
        hey_api,
    ),
    Tool("tsc", [NODE / "tsc", "--project", HERE / "tsconfig.json"]),
    Tool(
        "datamodel-code-generator",
        [
            *(PYTHON / "datamodel-codegen", "--input", SPECIFICATION, "--input-file-type", "openapi"),
            *("--output-model-type", "msgspec.Struct", "--use-msgspec-tagged-unions", "--enum-field-as-literal", "all"),
            *("--target-python-version", "3.11", "--formatters", "builtin", "--disable-timestamp"),
            *("--output", MADE / "models.py"),
        ],
        datamodel_code_generator,
    ),
    Tool("msgspec", [sys.executable, HERE / "decoding.py", MADE / "models.py", SPECIFICATION]),
    Tool(
        "openapi-python-client",
        [
            *(PYTHON / "openapi-python-client", "generate", "--path", SPECIFICATION, "--meta", "none"),
            *("--config", HERE / "openapi-python-client.yaml", "--output-path", MADE / "client", "--fail-on-warning"),
        ],
        openapi_python_client,
    ),
)


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


def findings(tools: Iterable[Tool]) -> Iterator[tuple[str, list[str]]]:
    """Runs the tools one after another, because some use the output of others; yields each name, with the faults."""
    rmtree(MADE, ignore_errors=True)
    MADE.mkdir(parents=True)
    for tool in tools:
        yield tool.name, list(faults(tool))


def without_node() -> Iterator[Tool]:
    """The tools that need no Node."""
    return (tool for tool in TOOLS if NODE not in Path(tool.command[0]).parents)


def main() -> int:
    """Runs all tools; returns 0 if there are no faults."""
    wrong = 0
    for name, complaints in findings(TOOLS):
        wrong += len(complaints)
        sys.stdout.write(f"{name}: {len(complaints) or 'nothing'} wrong\n")
        sys.stdout.writelines(f"  {line}\n" for line in complaints)
        sys.stdout.flush()
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
