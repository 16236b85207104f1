"""The rule index: what each rule governs, and examples of it in the conformance kit.

`make generated` generates the index of a game from its code and its part of the kit, because an installed service has
neither; a test compares it with both.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from capomastro.documents.wordings import package_of
from capomastro.engine.game import AnyGame

FILE = "rule_index.json"
UNKNOWN: dict[str, Any] = {"decisions": [], "moves": [], "shown_by": []}


@cache
def rule_index(game: AnyGame) -> dict[str, dict[str, Any]]:
    """By rule id: the kinds of `decisions` and the types of `moves` it governs, and what it is `shown_by`.

    Each example is a `file` of the kit, with the `ply` in a recorded game or the `name` of a vector. A game without a
    generated index has an empty one.
    """
    file = files(package_of(game)) / FILE
    index: dict[str, dict[str, Any]] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return index
