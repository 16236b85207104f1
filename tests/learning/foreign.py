"""The suites of PettingZoo and others, and what needs numpy: make test-learning, outside `make test`."""

from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from capomastro.engine.samples import Sampler
from capomastro.games import all_games
from capomastro.learning import pettingzoo_env
from capomastro.learning.environments import Environment
from capomastro.learning.observations import observer_of
from tests.support.playouts import positions
from tests.support.setups import Setup, few_setups

every_title = pytest.mark.parametrize("title", all_games())
every_setup = pytest.mark.parametrize("setup", few_setups(), ids=str)


@every_setup
def test_nothing_hidden_is_observed(setup: Setup) -> None:
    """Twins, which differ in what the seat does not see alone, have the same observation."""
    observer, random = observer_of(setup.game, setup.players), Random(7)
    for state in random.sample([*positions(setup.game, setup.players, setup.options)], 30):
        for seat in (*range(setup.players), None):
            seen = observer.observation(state, seat)
            for twin in Sampler(setup.game, state, seat).samples("7", 3):
                assert (observer.observation(twin, seat) == seen).all()


@every_setup
def test_slices_are_all_of_an_observation(setup: Setup) -> None:
    observer = observer_of(setup.game, setup.players)
    parts = [*observer.slices().values()]
    assert parts[0].start == 0
    assert all(before.stop == after.start for before, after in pairwise(parts))
    assert parts[-1].stop == observer.size


@every_title
def test_observer_is_always_the_first_seat(title: str) -> None:
    environment = Environment(title, 3)
    whose_turn = environment.observer.slices()["active_seat"]
    for seat in range(3):
        turn = environment.observation(seat)[whose_turn]
        assert turn.argmax() == (environment.state.active_seat - seat) % 3


@every_title
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_accepts_the_environment(title: str, players: int) -> None:
    api_test(pettingzoo_env(title, players), num_cycles=500)
    seed_test(lambda: pettingzoo_env(title, players), num_cycles=200)


@every_title
def test_tables_are_rendered(title: str) -> None:
    render_test(lambda render_mode=None: pettingzoo_env(title, 2, render_mode=render_mode))
    env = pettingzoo_env(title, 2, render_mode="svg")
    env.reset(seed=7)
    assert str(env.render()).startswith("<svg")


@every_title
def test_random_agents_play_to_an_end_worth_nothing_in_all(title: str) -> None:
    environment, random = Environment(title, 3), Random(7)
    while not environment.is_over:
        assert environment.mask().nonzero()[0].tolist() == environment.choices
        environment.step(random.choice(environment.choices))
    assert sum(environment.returns()) == pytest.approx(0)
    assert max(environment.returns()) <= 1
    assert not np.any(environment.mask())


def test_programs_of_the_documentation_run() -> None:
    """One after the other, as they stand in the page."""
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text("utf-8")
    names: dict[str, object] = {}
    for block in page.split("```py\n")[1:]:
        exec(block.partition("```")[0], names)
