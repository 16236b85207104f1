"""How a record is written: by hand, or in JSON laid out for people."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from capomastro import adjudicator
from capomastro.documents import json_text, notation
from capomastro.documents.problems import Problem


def record_text(record: Mapping[str, Any], by_hand: bool = False) -> str:
    """A record as a person would write it: by hand, or in JSON with one member per line and one move per line."""
    if by_hand:
        return notation.written(adjudicator.game_in(record), record)
    parts = []
    for name, value in record.items():
        text = json_text.encode(value).decode()
        if name == "moves":
            text = "[\n" + ",\n".join("    " + json_text.encode(move).decode() for move in value) + "\n  ]"
        parts.append(f"  {json_text.encode(name).decode()}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write(file: str, text: str) -> None:
    """Writes a file.

    Raises:
        Problem: `unwritable`.
    """
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:
        raise Problem("unwritable", f"{file} cannot be written: {error.strerror}.") from None
