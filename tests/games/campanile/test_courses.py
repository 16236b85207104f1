"""Whether turns can have led to a table: compares the search with one that tries every way to raise every tower."""

from collections.abc import Iterator
from random import Random

import pytest

from capomastro.engine.searches import TooManySteps
from capomastro.games.campanile.courses import (
    Stretch,
    can_lead,
    highest_sum,
    turns_before_intermezzo,
    turns_of_game,
)
from capomastro.games.campanile.game import GAME
from tests.games.campanile.sheets import some_course


def near_the_edge(random: Random, stretches: int) -> Iterator[list[Stretch]]:
    """Tables of two players, few of which are obviously possible or impossible."""
    for _ in range(150):
        kind = random.randrange(3)
        low, high = ((0, 3), (2, 6), (7, 18))[kind] if stretches == 1 else ((0, 2), (0, 4), (2, 7))[kind]
        found = []
        for _ in range(stretches):
            floors = tuple(random.randint(low, high) for _ in range(5))
            raises = [random.randint(0, most) for most in ((10, 6, 2) if stretches == 1 else (6, 4, 2))]
            first = random.randint(0, sum(raises))
            found.append(Stretch(floors, tuple(raises), (first, sum(raises) - first)))
        yield found


@pytest.mark.parametrize("stretches", [1, 2])
def test_the_search_agrees_with_brute_force(stretches: int) -> None:
    answers = []
    for case in near_the_edge(Random(stretches), stretches):
        answers.append(can_lead(2, case))
        assert answers[-1] == some_course(2, case), case
    assert 20 < sum(answers) < 130


def test_a_search_is_given_up_after_its_steps() -> None:
    hopeless = [Stretch((11, 11, 10, 10, 9), (2, 2, 1), (5, 5)), Stretch((11, 9, 9, 9, 9), (5, 4, 1), (0, 10))]
    with pytest.raises(TooManySteps):
        can_lead(3, [Stretch(one.floors, one.raises, (*one.turns_of_seats, 0)) for one in hopeless], steps=2)


@pytest.mark.parametrize(
    ("players", "turns", "before_intermezzo"),
    [(2, (12, 22), 12), (3, (39, 49), 39), (4, (36, 46), 36), (5, (33, 43), 33)],
)
def test_how_many_turns_a_game_has(players: int, turns: tuple[int, int], before_intermezzo: int) -> None:
    assert (turns_of_game(players)[0], turns_of_game(players)[-1]) == turns
    assert (turns_before_intermezzo(players)[0], turns_before_intermezzo(players)[-1]) == (1, before_intermezzo)
    assert players in GAME.players


def test_the_most_floors_of_a_game_with_small_and_medium_markers() -> None:
    assert highest_sum(2, (0, 0, 0)) == 66
    assert highest_sum(2, (10, 6, 2)) == 66 - 20 - 6
