"""Writes the parts of a client that follow from the specification: python -m tools.clients python | typescript."""

import subprocess
import sys
from json import dumps, loads
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tools.clients import python, typescript
from tools.openapi.files import built

TOP = Path(__file__).parents[2]
SPECIFICATION = built()
PYTHON = TOP / "clients" / "python" / "src" / "capomastro_client"
TYPESCRIPT = TOP / "clients" / "typescript"
MODELS: list[str | Path] = [
    *(TOP / ".venv" / "generators" / "bin" / "datamodel-codegen", "--input-file-type", "openapi"),
    *("--output-model-type", "msgspec.Struct", "--use-msgspec-tagged-unions"),
    *("--enum-field-as-literal", "all", "--keyword-only", "--use-schema-description"),
    *("--target-python-version", "3.11", "--formatters", "builtin", "--disable-timestamp"),
]
TYPES: list[str | Path] = [
    *(TYPESCRIPT / "node_modules" / ".bin" / "openapi-typescript", SPECIFICATION),
    # A member with a default need not be sent.
    *("--root-types", "--root-types-no-schema-prefix", "--default-non-nullable", "false"),
]


def run(*command: str | Path) -> None:
    """Runs a generator; prints its output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


def make_python(document: dict[str, Any]) -> None:
    """Writes the classes of all documents, and the questions, of the client in Python."""
    with TemporaryDirectory() as folder:
        specification = Path(folder) / SPECIFICATION.name
        specification.write_text(dumps(python.decodable(document)), "utf-8")
        run(*MODELS, "--input", specification, "--output", PYTHON / "models.py")
    models = PYTHON / "models.py"
    models.write_text(python.taking_any_sequence(models.read_text("utf-8")), "utf-8")
    (PYTHON / "questions.py").write_text(python.module(document), "utf-8")
    (PYTHON / "version.py").write_text(f'__version__ = "{document["info"]["version"]}"\n', "utf-8")


def make_typescript(document: dict[str, Any]) -> None:
    """Writes the types of all documents, and the questions, of the client in TypeScript."""
    folder = TYPESCRIPT / "src" / "generated"
    folder.mkdir(exist_ok=True)
    run(*TYPES, "--output", folder / "specification.ts")
    (folder / "positions.ts").write_text(typescript.positions(document), "utf-8")
    (folder / "questions.ts").write_text(typescript.module(document), "utf-8")


MAKERS = {"python": make_python, "typescript": make_typescript}


def main() -> None:
    document = loads(SPECIFICATION.read_bytes())
    for name in sys.argv[1:] or MAKERS:
        MAKERS[name](document)


if __name__ == "__main__":
    main()
