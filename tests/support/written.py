"""Files that hold what is said or played, for readers of a change: they have to stay as they were written."""

from difflib import unified_diff
from itertools import islice
from pathlib import Path

MOST_LINES = 60


def assert_as_written(file: Path, now: str, otherwise: str) -> None:
    """Fails with the first differences, and what it means `otherwise`, unless a file holds what there is now."""
    assert file.exists(), "`make generated` writes it"
    written, current = file.read_text("utf-8").splitlines(), now.splitlines()
    lines = unified_diff(written, current, "written down", "now", lineterm="")
    difference = "\n".join(islice(lines, MOST_LINES))
    assert written == current, f"{otherwise}; if that is meant, `make generated`:\n{difference}"
