"""Examples of rules to look at: what a rule means, seen on the table.

The file `examples.json` of a game has an example for each rule that a picture helps with: a `state` or a `scoresheet`,
and the places of it to `show`. A state is a position of a recorded game of the conformance kit, named by `record` and
`ply`; a test plays it again. `last_moves` are marked in the picture, as in those of positions. The catalogue says what
is to be seen, as `example` of the rule.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from capomastro.documents.wordings import package_of
from capomastro.engine.game import AnyGame

FILE = "examples.json"


class Example(NamedTuple):
    """An example of a rule."""

    show: Sequence[str]
    """The places to show, from top to bottom: JSON Pointers as `GameDefinition.picture_of_part` takes them."""
    state: Any = None
    """The document of a state; None if there is a scoresheet."""
    scoresheet: Any = None
    last_moves: Sequence[Any] = ()
    """The moves that led to the state and are marked."""
    record: str = ""
    """The recorded game that the state is from."""
    ply: int = 0


@cache
def rule_examples(game: AnyGame) -> dict[str, Example]:
    """The examples of a game, by rule id; none of a game without the file."""
    file = files(package_of(game)) / FILE
    found: dict[str, dict[str, Any]] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return {rule: Example(**members) for rule, members in found.items()}
