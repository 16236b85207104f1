"""The packages as a newcomer has them, and a service to ask."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.serving import served

from clients.tests import moves
from clients.tests.readme import program

CHECKOUT = Path(__file__).parents[2]
CLIENTS = CHECKOUT / "clients"
EXAMPLES = CHECKOUT / "examples"
BUILD = CHECKOUT / "build" / "clients"
NODE_MODULES = CLIENTS / "typescript" / "node_modules"
VECTORS = CHECKOUT / "conformance" / "tables" / "forks.ndjson"
TABLES = CHECKOUT / "conformance" / "tables" / "tables.ndjson"
PATIENCE = 600
"""Seconds a tool may take, except those that play games."""

Run = Callable[..., str]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--node", default=shutil.which("node") or "", help="Node; empty to go without")
    parser.addoption("--games", type=int, default=1, help="how many games of each title each client plays")


@pytest.fixture(scope="session")
def games(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.getoption("games"))


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A service on this machine."""
    with served() as (address, _):
        yield address


def run(*command: str | Path, directory: Path | None = None, patience: float = PATIENCE, **variables: str) -> str:
    """What a program prints; it has to succeed."""
    environment = {**os.environ, **variables}
    done = subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, check=False, timeout=patience
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def expected_of_forks() -> str:
    """A line for each vector of forks: whether the second table extends the first, and the first the second."""
    vectors = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]
    return "".join(f"{one['name']} {one['extends'][0]} {one['extends'][1]}\n" for one in vectors)


def emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@pytest.fixture(scope="session")
def python_project(address: str) -> Path:
    """A folder in which the wheel is unpacked, with the programs that use it."""
    project = emptied(BUILD / "python")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", project, directory=CLIENTS / "python")
    (wheel,) = project.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(project)
    for file in (
        EXAMPLES / "bot.py",
        EXAMPLES / "pad.py",
        *(CLIENTS / "tests" / "python" / name for name in ("play.py", "sealed.py")),
    ):
        shutil.copy(file, project)
    readme, _ = program(CLIENTS / "python" / "README.md", "python")
    (project / "readme.py").write_text(readme.replace("http://localhost:8000", address), "utf-8")
    text, _ = moves.in_python()
    (project / "moves.py").write_text(text, "utf-8")
    return project


@pytest.fixture(scope="session")
def python(python_project: Path) -> Run:
    """Runs a program of the project; `mypy` is a program, too."""

    def run_python(*arguments: str, patience: float = PATIENCE) -> str:
        variables = {"PYTHONPATH": str(python_project), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        return run(sys.executable, *arguments, directory=python_project, patience=patience, **variables)

    return run_python


@pytest.fixture(scope="session")
def node(pytestconfig: pytest.Config) -> str:
    found = str(pytestconfig.getoption("node"))
    if not found:
        pytest.skip("there is no Node, or no npm registry")
    return found


def installed(project: Path) -> None:
    """Puts the package as `npm pack` makes it, and what it depends on, where Node looks for them."""
    packed = json.loads(run("npm", "pack", "--json", "--pack-destination", project, directory=CLIENTS / "typescript"))
    package = emptied(project / "node_modules" / "capomastro-client")
    run("tar", "--extract", "--file", project / packed[0]["filename"], "--directory", package, "--strip-components=1")
    for name in ("openapi-fetch", "openapi-typescript-helpers", "@types", "undici-types"):
        (project / "node_modules" / name).symlink_to(NODE_MODULES / name)


@pytest.fixture(scope="session")
def typescript_project(node: str, address: str) -> Path:
    """A folder in which the packed package is installed, with the programs that use it, compiled."""
    project = emptied(BUILD / "typescript")
    installed(project)
    shutil.copy(EXAMPLES / "tsconfig.json", project)
    (project / "package.json").write_text('{"private": true, "type": "module"}', "utf-8")
    for file in (*EXAMPLES.glob("*.ts"), *(CLIENTS / "tests" / "typescript").glob("*.ts")):
        shutil.copy(file, project)
    readme, _ = program(CLIENTS / "typescript" / "README.md", "ts")
    (project / "readme.ts").write_text(readme.replace("http://localhost:8000", address), "utf-8")
    (project / "moves.ts").write_text(moves.in_typescript(), "utf-8")
    run(node, NODE_MODULES / "typescript" / "bin" / "tsc", "--types", "node", directory=project)
    return project


@pytest.fixture(scope="session")
def typescript(node: str, typescript_project: Path) -> Run:
    """Runs a program of the project."""

    def run_node(*arguments: str, patience: float = PATIENCE) -> str:
        return run(node, *arguments, directory=typescript_project, patience=patience)

    return run_node
