"""Where the contract is, and what is built from it for generators and for the service.

The files in `build/openapi` are built once in a checkout, and again after a change of the contract; a wheel has them.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from os import environ, getpid, pathsep
from pathlib import Path

TOP = Path(__file__).parents[2]
CONTRACT = TOP / "openapi.yaml"
BUILT = TOP / "build" / "openapi"
LAST = BUILT / "openapi.json"
"""The file that is written when all others are."""


def sources() -> Iterator[Path]:
    """The files that the specification is built from."""
    yield CONTRACT
    yield from (TOP / "schemas").glob("*/*.json")
    yield from Path(__file__).parent.glob("*.py")


def is_stale(last: Path, sources: Iterable[Path]) -> bool:
    """Whether files have to be built: the last of them is missing, or older than what they are built from."""
    return not last.exists() or last.stat().st_mtime < max(file.stat().st_mtime for file in sources)


def build() -> None:
    """Builds all files."""
    LAST.unlink(missing_ok=True)  # a build that fails leaves nothing that seems to be up to date
    run_tool("tools.openapi", "--build")


def run_tool(module: str, *arguments: str) -> None:
    """Runs a tool in a process of its own, because it imports the whole service."""
    paths = [str(TOP), str(TOP / "service"), *filter(None, [environ.get("PYTHONPATH")])]
    command = [sys.executable, "-m", module, *arguments]
    subprocess.run(command, cwd=TOP, env={**environ, "PYTHONPATH": pathsep.join(paths)}, check=True)


def built(name: str = LAST.name) -> Path:
    """A built file that is up to date."""
    if is_stale(LAST, sources()):
        build()
    return BUILT / name


def write_all(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Writes built files while others may read them, and removes what earlier versions left in their folder."""
    names = set()
    for name, content in files:
        write(folder / name, content)
        names.add(name)
    for file in folder.glob("[!.]*"):
        if file.name not in names:
            file.unlink(missing_ok=True)


def write(file: Path, content: bytes) -> None:
    """Writes a built file in one step, so that nobody reads half of one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f".{file.name}.{getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(file)
