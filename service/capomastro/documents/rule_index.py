"""What each rule governs, and what in the conformance kit shows it.

The index of a game is made from its code and its part of the kit (`make rule-index`), because an installed service has
neither at hand; a test holds it against both.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from capomastro.engine.game import AnyGame

FILE = "rule_index.json"
UNKNOWN: dict[str, Any] = {"decisions": [], "moves": [], "shown_by": []}


def package_of(game: AnyGame) -> str:
    """The package of a game, where its data files lie."""
    return type(game).__module__.rpartition(".")[0]


@cache
def rule_index(game: AnyGame) -> dict[str, dict[str, Any]]:
    """By rule id: the kinds of `decisions` and the types of `moves` it governs, and what it is `shown_by`.

    That is a `file` of the kit, with the `ply` of a recorded game or the `name` of a vector. A game whose index has
    not been made yet has an empty one.
    """
    file = files(package_of(game)) / FILE
    index: dict[str, dict[str, Any]] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return index
