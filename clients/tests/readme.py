"""The whole game in the README of a client, and what it prints."""

import re
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def program(readme: Path, language: str) -> tuple[str, str]:
    """The first program in that language, and the block `text` after it: what it prints.

    Raises:
        LookupError: There is none, or not what it prints.
    """
    blocks = BLOCK.findall(readme.read_text("utf-8"))
    languages = [found for found, _ in blocks]
    if language not in languages:
        raise LookupError(f"{readme} has no program in {language}")
    first = languages.index(language)
    if languages[first + 1 : first + 2] != ["text"]:
        raise LookupError(f"{readme} does not say what its program prints")
    return blocks[first][1], blocks[first + 1][1]
