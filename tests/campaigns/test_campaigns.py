"""What campaigns have found once stays right, and each of them can begin."""

from collections.abc import Callable
from functools import cache

import pytest

from capomastro.api.resources import RESOURCES
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.settings import Settings
from tests.campaigns import fuzz, playing_on, sheets
from tests.campaigns.asking import Request, answer_to
from tests.campaigns.examining import examined
from tests.campaigns.kept import FOUND, SLOW, kept
from tests.campaigns.making import QUESTIONS
from tests.campaigns.sheet_costs import costliest
from tests.campaigns.worst import SLOWEST, texts, worst
from tests.support.setups import few_setups

MOST_CALLS = 100_000
"""Of functions, for a small scoresheet: far less than 50 ms of CPU; a search takes millions."""


@pytest.mark.parametrize("name", kept(FOUND))
def test_requests_that_found_faults_are_answered_correctly(name: str) -> None:
    _, findings = examined(*fuzz.service(), kept(FOUND)[name], thoroughly=True, slow=fuzz.SLOW)
    assert not findings


@cache
def worst_requests() -> dict[str, Callable[[], Request]]:
    return dict(worst())


@pytest.mark.long
@pytest.mark.longest
@pytest.mark.parametrize("name", [*SLOWEST, *(f"text: {name}" for name, _ in texts())])
def test_the_slowest_requests_are_answered_in_time(name: str) -> None:
    request = worst_requests()[name]()
    answer = answer_to(fuzz.service()[0], request)
    assert answer.status < 500, answer.body
    assert answer.cpu < Settings.deadline
    assert not list(fuzz.service()[1].findings(request, answer))


@pytest.mark.parametrize("name", kept(SLOW))
def test_requests_that_were_slow_are_answered_in_time(name: str) -> None:
    answer = answer_to(fuzz.service()[0], kept(SLOW)[name])
    assert answer.status < 500
    assert answer.cpu < 1


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_no_small_sheet_takes_much_work(game: AnyGame) -> None:
    calls, sheet = costliest(game, "short", 40)
    assert calls < MOST_CALLS, sheet


# --- a little of each ------------------------------------------------------------------------------------------------


def test_requests_of_fuzz() -> None:
    assert not fuzz.block("test", 0, 30)["findings"]


def test_everything_that_can_be_posted_is_asked() -> None:
    posted = {one.path.removeprefix("/v1/games/{game}/") for one in RESOURCES if one.method == "POST"}
    assert posted - {"/v1/replays"} == set(QUESTIONS)  # streams are made by themselves


def test_states_of_playing_on() -> None:
    assert not playing_on.block("palazzo", "test", 0, states=8)["findings"]


def test_a_game_of_sheets() -> None:
    for setup in few_setups():
        place = sheets.every_setup().index(setup)
        assert not sheets.block(place, 0, games=1)["faults"], setup
