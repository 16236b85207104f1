"""Writes the files: make openapi."""

import sys
from pathlib import Path

from tools.openapi.files import written

TOP = Path(__file__).parents[2]

if __name__ == "__main__":
    for name, text in written().items():
        (TOP / name).write_text(text, "utf-8")
        sys.stdout.write(f"{name}: {len(text.encode()) // 1024} KiB, {text.count(chr(10))} lines\n")
