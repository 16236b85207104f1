"""Where the pages of the documentation are built: again after a change of `docs/` or of the specification."""

from collections.abc import Iterator
from pathlib import Path

from tools.openapi.files import BUILT as SPECIFICATIONS
from tools.openapi.files import run_tool

TOP = Path(__file__).parents[2]
DOCUMENTS = TOP / "docs"
BUILT = TOP / "build" / "documentation"
LAST = BUILT / "index.json"
"""The file that is written when all others are."""


def sources() -> Iterator[Path]:
    """The files that the pages are built from."""
    yield from DOCUMENTS.iterdir()
    yield from Path(__file__).parent.glob("*.*")
    yield from SPECIFICATIONS.glob("*.json")


def built() -> None:
    """Builds the pages if they are not up to date."""
    if LAST.exists() and LAST.stat().st_mtime >= max(file.stat().st_mtime for file in sources()):
        return
    run_tool("tools.documentation")
