"""Generates the table of settings in docs/operating.md.

`python -m tests.support.settings_table` writes it.
"""

import re
from pathlib import Path

from capomastro.settings import VARIABLES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "operating.md"
TABLE = re.compile(r"\| variable \| default \| meaning \|\n(?:\|.*\n)+")
OF_THE_MACHINE = {"CAPOMASTRO_WORKERS"}
"""Settings whose defaults depend on the machine, as their meanings say."""


def table() -> str:
    """Every setting, in its order."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for line in VARIABLES:
        default = "" if line.name in OF_THE_MACHINE or line.default == "" else f"`{line.default}`"
        rows.append(f"| `{line.name}` | {default} | {line.meaning} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(TABLE.sub(lambda _: table(), PAGE.read_text("utf-8")), "utf-8")
