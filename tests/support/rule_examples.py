"""The examples of rules (`capomastro.documents.rule_examples`): their positions are those of recorded games.

To choose another position, write its `record` and `ply` into `examples.json`; `make generated` does the rest.
"""

import json
from inspect import getfile
from pathlib import Path
from typing import Any

from capomastro.adjudicator.pictures import with_last_move
from capomastro.documents.rule_examples import FILE
from capomastro.documents.wordings import rules_of
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from tests.support.documents import as_document
from tests.support.pictures import named
from tests.support.recorded import records_folder, replay_of

Chosen = dict[str, Any]


def examples_file(game: AnyGame) -> Path:
    """The file of the examples of a game."""
    return Path(getfile(type(game))).parent / FILE


def examples_of(game: AnyGame) -> dict[str, Chosen]:
    """The examples of a game in the order of its rules, each position from its record anew; none without a file."""
    file = examples_file(game)
    chosen: dict[str, Chosen] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    ordered = {**{rule: chosen[rule] for rule in rules_of(game) if rule in chosen}, **chosen}
    return {rule: from_record(game, one) if "record" in one else one for rule, one in ordered.items()}


def from_record(game: AnyGame, chosen: Chosen) -> Chosen:
    """An example with the state after so many moves, and with what led there."""
    plies = replay_of(records_folder(game.id) / f"{chosen['record']}.json").plies[: chosen["ply"]]
    assert len(plies) == chosen["ply"], f"the record has {len(plies)} moves"
    last_moves: list[Move] = []
    for ply in plies:
        last_moves = with_last_move(last_moves, ply.move)
    return {
        **{member: chosen[member] for member in ("show", "record", "ply")},
        "last_moves": [as_document(move) for move in last_moves],
        "state": as_document(named(plies[-1].after)),
    }


def text_of(examples: dict[str, Chosen]) -> str:
    """Examples as the text of a file, one a line."""
    lines = (f"{json.dumps(rule)}: {json.dumps(one)}" for rule, one in examples.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
