"""Makes the rule index of a game (`capomastro.documents.rule_index`) from its code and its conformance kit."""

import json
from inspect import getfile
from pathlib import Path
from typing import Any

from capomastro.documents.rule_index import FILE
from capomastro.documents.wordings import rules_of
from capomastro.engine.game import AnyGame
from tests.support import vectors
from tests.support.anchors import Governed, governed
from tests.support.conformance import CONFORMANCE
from tests.support.recorded import Replay, records_of, replay_of

Shown = dict[str, Any]
NOTHING = Governed((), ())


def index_file(game: AnyGame) -> Path:
    """The file of the index of a game."""
    return Path(getfile(type(game))).parent / FILE


def index_of(game: AnyGame) -> dict[str, Any]:
    """For every rule of the catalogue, what it governs, and examples of it."""
    shown = shown_by(game)
    found = governed(game)
    return {
        id: {
            "decisions": list(found.get(id, NOTHING).decisions),
            "moves": list(found.get(id, NOTHING).moves),
            "shown_by": shown.get(id, []),
        }
        for id in rules_of(game)
    }


def shown_by(game: AnyGame) -> dict[str, list[Shown]]:
    """For each rule, the first recorded game that names it, and the first vector that it refuses."""
    found: dict[str, list[Shown]] = {}
    for file in records_of(game.id):
        for id, ply in rules_in(replay_of(file)).items():
            found.setdefault(id, [{"file": in_kit(file), "ply": ply}])
    in_vectors = set()
    for file_of in (vectors.illegal_moves_file, vectors.unavailable_moves_file, vectors.impossible_documents_file):
        file = file_of(game)
        for vector in vectors.read(file):
            id = vectors.rule_of(vector)
            if id not in in_vectors:
                in_vectors.add(id)
                found.setdefault(id, []).append({"file": in_kit(file), "name": vector["name"]})
    return found


def rules_in(replay: Replay) -> dict[str, int]:
    """The rules that events or the result of a recorded game name, with the ply of the first move that shows them."""
    rules: dict[str, int] = {}
    for ply in replay.plies:
        for event in ply.happened:
            id = getattr(event, "rule", None)
            if id is not None:
                rules.setdefault(id, ply.before.ply)
    if replay.result is not None:
        last = replay.plies[-1].before.ply
        for id in [line.rule for player in replay.result.players for line in player.lines]:
            rules.setdefault(id, last)
        for trail in replay.result.tie_break:
            rules.setdefault(trail.rule, last)
    return rules


def in_kit(file: Path) -> str:
    return file.relative_to(CONFORMANCE).as_posix()


def text_of(index: dict[str, Any]) -> str:
    """An index as the text of a file, one rule a line."""
    lines = (f"{json.dumps(id)}: {json.dumps(entry)}" for id, entry in index.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
