"""Writes all that is generated in the tree, in the order in which one thing follows from another: make generated.

`ONLY="golden terms"` writes these parts alone. Read the differences: they *are* the change.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
DOCUMENTS = [TOP / "README.md", TOP / "conformance" / "README.md", *sorted((TOP / "docs").glob("*.md"))]
PARTS: dict[str, tuple[str, ...]] = {
    "schemas": ("-m", "tools.schemas"),
    "openapi": ("-m", "tools.openapi"),
    "records": ("tools/make_records.py",),
    "conformance": ("tools/make_conformance.py",),
    "rule-index": ("tools/make_rule_index.py",),
    "golden": ("tools/make_golden.py",),
    "terms": ("tools/make_terms.py",),
    "checks": ("tools/make_checks.py",),
    "problems": ("-m", "tests.support.problems_table"),
    "settings": ("-m", "tests.support.settings_table"),
    "documents": ("-m", "tests.support.documentation", "--write", *map(str, DOCUMENTS)),
    "picture": ("-m", "pytest", "-q", "tests/pages/test_readme.py"),
}
"""Each part, and what Python runs to write it."""
BY_WISH = {"picture"}
"""Needs Chromium, and differs from one to the next."""
VARIABLES = {"CAPOMASTRO_README_PICTURE": "docs/score-pad.png"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make generated", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS))
    wanted = parser.parse_args().parts or [part for part in PARTS if part not in BY_WISH]
    for part in (part for part in PARTS if part in wanted):
        print(f"--- {part}", flush=True)
        done = subprocess.run([sys.executable, *PARTS[part]], cwd=TOP, check=False, env={**os.environ, **VARIABLES})
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
