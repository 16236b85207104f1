"""The searching bot among the examples: it plays every title by its view alone, and stays short."""

from pathlib import Path
from random import seed
from runpy import run_path

import pytest

import capomastro

BOT = Path(__file__).parents[2] / "examples" / "ismcts.py"
LONGEST = 120


@pytest.mark.parametrize("title", [game.id for game in capomastro.all_games()])
def test_bot_finds_a_legal_move_by_its_view(title: str) -> None:
    seed(7)
    position = capomastro.set_up(title, 2, seed=7)
    seat = position.decision.seat
    assert position.is_legal(run_path(str(BOT))["search"](position.seen_by(seat), 0.0))


def test_bot_plays_to_the_end() -> None:
    seed(7)
    assert run_path(str(BOT))["game"]("campanile", 1, 0.0, "planning") in (0, 0.5, 1)


def test_bot_is_short() -> None:
    assert len(BOT.read_text("utf-8").splitlines()) <= LONGEST
