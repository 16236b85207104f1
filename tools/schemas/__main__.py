"""Writes the files: make generated."""

import sys
from pathlib import Path

from tools.schemas.documents import written

TOP = Path(__file__).parents[2] / "schemas"

if __name__ == "__main__":
    for name, text in written().items():
        file = TOP / name
        file.parent.mkdir(exist_ok=True)
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
            sys.stdout.write(f"{name}: {text.count(chr(10))} lines\n")
