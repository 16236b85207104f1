"""No answer comes sooner because somebody has asked about the same hand: work is counted (`tests/tables/sooner.py`)."""

from functools import lru_cache
from random import Random
from threading import Thread

import pytest

from capomastro.engine import memory
from capomastro.engine.memory import remembered_for_now
from capomastro.games import all_games
from capomastro.games.campanile import decisions
from tests.tables.dealing import has_hands
from tests.tables.games import most, played
from tests.tables.sooner import moving, posted_to_the_application, sooner

GUESSED = 6
with_hands = pytest.mark.parametrize("game_id", [game.id for game in all_games().values() if has_hands(game)])


def guessed(game_id: str, players: int, number: int = GUESSED) -> list[list[str]]:
    """What tells a hand, at some tables of a game where the hand can be another."""
    game, random, found = all_games()[game_id], Random(game_id), []
    done, post = played(game_id, players), posted_to_the_application(game)
    tables = moving(done)
    for table in random.sample(tables, len(tables)):
        telling = sooner(post, game, done, table, random)
        if telling is not None:
            found.append(telling)
        if len(found) == number:
            break
    assert found
    return found


@with_hands
@pytest.mark.parametrize("fewest", [True, False], ids=["two", "most"])
def test_a_right_guess_takes_as_much_work_as_elsewhere(game_id: str, fewest: bool) -> None:
    assert not any(guessed(game_id, 2 if fewest else most(all_games()[game_id])))


def test_the_check_finds_a_cache_that_outlives_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = lru_cache(maxsize=100)(decisions.plays_of.__wrapped__)  # type: ignore[attr-defined]
    monkeypatch.setattr(decisions, "plays_of", kept)
    assert any("plays_of" in fault for found in guessed("campanile", 2) for fault in found)


# --- what is remembered for now --------------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often was worked out what `double` gives."""
    monkeypatch.setattr(memory, "memories", [])
    return []


def test_it_is_worked_out_once_for_each_argument_and_forgotten(asked: list[int]) -> None:
    @remembered_for_now(maximum=10)
    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    assert [double(1), double(2), double(1)] == [2, 4, 2]
    assert asked == [1, 2]
    memory.forget()
    assert double(1) == 2
    assert asked == [1, 2, 1]


def test_it_is_bounded(asked: list[int]) -> None:
    @remembered_for_now(maximum=3)
    def double(number: int) -> int:
        return 2 * number

    assert [double(number) for number in range(8)] == [2 * number for number in range(8)]
    assert len(memory.memories[0].held) <= 3


def test_no_thread_sees_what_another_remembers(asked: list[int]) -> None:
    @remembered_for_now(maximum=10)
    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    double(1)
    thread = Thread(target=double, args=(1,))
    thread.start()
    thread.join()
    assert asked == [1, 1]
