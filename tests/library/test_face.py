"""`import capomastro`: what it exports, what it loads, and what its types check."""

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Sequence
from copy import copy, deepcopy
from pathlib import Path

import pytest

import capomastro
from capomastro import library
from capomastro.games import all_games
from tests.library import evening
from tests.support.checkouts import CHECKOUT
from tests.support.documentation import blocks

SERVICE = {"flask", "werkzeug", "marshmallow", "gunicorn", "prometheus_client", "click", "tqdm"}
"""Modules that the service and the command line need, but not a program that embeds the referee."""

LOADED = "import json, sys; print(json.dumps(sorted({name for name in sys.modules})))"


def loaded_after(statement: str) -> set[str]:
    """The modules that are loaded in a fresh process after a statement."""
    command = [sys.executable, "-c", f"{statement}; {LOADED}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
    return set(json.loads(done.stdout))


def test_importing_it_loads_nothing_of_it() -> None:
    loaded = loaded_after("import capomastro")
    assert {name for name in loaded if name.partition(".")[0] == "capomastro"} == {"capomastro"}
    assert not loaded & {"msgspec", "jsonschema", *SERVICE}


def test_using_it_loads_nothing_of_the_service() -> None:
    loaded = loaded_after("import capomastro; str(capomastro.set_up('palazzo', 2, seed=7))")
    assert "capomastro.library.positions" in loaded
    assert not loaded & SERVICE
    assert not {name for name in loaded if name.startswith(("capomastro.api", "capomastro.cli"))}


def test_the_package_exports_the_library() -> None:
    assert capomastro.__all__ == library.__all__
    assert set(library.__all__) <= set(dir(capomastro))
    for name in library.__all__:
        assert getattr(capomastro, name) is getattr(library, name)
    with pytest.raises(AttributeError, match="has no attribute 'sett_up'"):
        getattr(capomastro, "sett_up")  # noqa: B009 - mypy knows that it is not there


def test_there_is_one_object_per_game() -> None:
    assert [game.id for game in capomastro.all_games()] == list(all_games())
    for game in capomastro.all_games():
        assert capomastro.game(game.id) is game
        assert copy(game) is deepcopy(game) is pickle.loads(pickle.dumps(game)) is game
        assert game.title in str(game)
        assert game.components
        assert capomastro.set_up(game.id, game.players[0], options=game.options).ply == 0
        assert {rule.mark for rule in game.rules.values()} <= {"text", "ruling", "assumed"}


def test_the_table_of_the_documentation_has_every_name() -> None:
    table = (CHECKOUT / "docs" / "python.md").read_text("utf-8").partition("| name | |")[2]
    assert {name for name in capomastro.__all__ if not re.search(rf"`{name}\b", table)} == set()
    for thing in (capomastro.Position, capomastro.LegalMoves, capomastro.Record):
        (row,) = re.findall(rf"^\| `{thing.__name__}` \|.*", table, re.MULTILINE)
        own = {name for name in dir(thing) if not name.startswith("_")} - {*dir(Sequence)}
        assert own - {*re.findall(r"`(\w+)`", row)} == set()


# --- types -----------------------------------------------------------------------------------------------------------

EVENING = Path(__file__).with_name("evening.py")


def test_the_program_of_the_documentation_is_the_one_that_mypy_reads() -> None:
    """`make lint` checks it, and the mistakes in `mistakes.py`, against the types."""
    markdown = (CHECKOUT / "docs" / "python.md").read_text("utf-8")
    (program,) = [block for block in blocks(markdown) if block.file == EVENING.name]
    assert "\n".join(program.lines) + "\n" == EVENING.read_text("utf-8")
    assert not re.search(r"\b(cast|Any|ignore)\b", EVENING.read_text("utf-8"))


def test_that_program_plays_a_game() -> None:
    record = evening.play([evening.buyer, evening.chance_taker], ["Ada", "Bruno"], "seed")
    assert record.replay().verdict == "legal"
