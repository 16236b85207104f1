"""Generates the table of problems in docs/http.md.

`python -m tests.support.problems_table` writes it.
"""

import re
from itertools import groupby
from pathlib import Path

from capomastro.api import problems

PAGE = Path(__file__).resolve().parents[2] / "docs" / "http.md"
TABLE = re.compile(r"\| status \| `type`.*\n(?:\|.*\n)+")


def table() -> str:
    """Every kind of problem by its status, each in the order of the catalogue."""
    kinds = sorted(problems.catalogue().items(), key=status_of)
    rows = ["| status | `type` (below `/v1/problems/`) |", "|---|---|"]
    for status, group in groupby(kinds, status_of):
        rows.append(f"| {status} | {', '.join(f'`{id}`' for id, _ in group)} |")
    return "\n".join(rows) + "\n"


def status_of(kind: tuple[str, dict[str, int]]) -> int:
    return kind[1]["status"]


if __name__ == "__main__":
    PAGE.write_text(TABLE.sub(lambda _: table(), PAGE.read_text("utf-8")), "utf-8")
