"""Where the pages of the documentation are built: again after a change of `docs/` or of the specification."""

from collections.abc import Iterator
from pathlib import Path

from tools.openapi.files import BUILT as SPECIFICATIONS
from tools.openapi.files import is_stale, run_tool

TOP = Path(__file__).parents[2]
DOCUMENTS = TOP / "docs"
BUILT = TOP / "build" / "documentation"
LAST = BUILT / "index.json"
"""The file that is written when all others are."""


def sources() -> Iterator[Path]:
    """The files that the pages are built from."""
    yield DOCUMENTS  # changes when a file is removed
    yield from DOCUMENTS.iterdir()
    yield from Path(__file__).parent.glob("*.*")
    yield from SPECIFICATIONS.glob("*.json")


def built() -> None:
    """Builds the pages if they are not up to date."""
    if is_stale(LAST, sources()):
        run_tool("tools.documentation")
