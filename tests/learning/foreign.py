"""The suites of PettingZoo and others, and what needs numpy: make test-learning, outside `make test`."""

import pickle
from collections.abc import Callable
from copy import deepcopy
from itertools import islice, pairwise
from multiprocessing import active_children
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any

import numpy as np
import pyspiel
import pytest
import textarena
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.observation import make_observation
from pettingzoo.test import api_test, render_test, seed_test

import capomastro.learning.textarena  # noqa: F401  # registers the titles
from capomastro.documents.problems import Problem
from capomastro.engine.hands import Hand
from capomastro.engine.samples import Sampler
from capomastro.games import all_games
from capomastro.games.palazzo.moves import TakeMoney
from capomastro.learning import openspiel, pettingzoo_env
from capomastro.learning.alphabet import alphabet_of
from capomastro.learning.batches import Batch, ProcessBatch
from capomastro.learning.environments import Environment
from capomastro.learning.moments import Course
from capomastro.learning.observations import Sight, observer_of
from capomastro.library.positions import set_up
from tests.support.playouts import positions
from tests.support.setups import Setup, few_setups

TOP = Path(__file__).parents[2]

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
def test_what_has_not_changed_is_seen_as_before(setup: Setup) -> None:
    """One state after the other, also of different games, as each alone."""
    observer, random = observer_of(setup.game, setup.players), Random(7)
    states = [*islice(positions(setup.game, setup.players, setup.options), 400)]
    for seat in (0, setup.players - 1, None):
        sight = Sight(observer, seat)
        for state in (*states, *random.sample(states, 40)):
            assert (sight.observation(state, (0,)) == observer.observation(state, seat, (0,))).all()


@every_setup
def test_slices_are_all_of_an_observation(setup: Setup) -> None:
    observer = observer_of(setup.game, setup.players)
    parts = [*observer.slices().values()]
    assert parts[0].start == 0
    assert all(before.stop == after.start for before, after in pairwise(parts))
    assert parts[-1].stop == observer.size


@every_title
def test_course_shows_hidden_deals_to_their_owner_alone(title: str) -> None:
    environment = Environment(title, 3)
    hidden = environment.alphabet.values[None] + 1
    for seat in range(3):
        dealt = [each.witness for each in environment.moment.played if each.witness is not None]
        course = environment.information_state(seat)
        assert (course == hidden).sum() == sum(witness != seat for witness in dealt)
        assert course[0] > 0
        assert course[-1] == 0


def test_course_of_a_million_moves_can_be_let_go() -> None:
    """Without a recursion that ends the process."""
    course = None
    for _ in range(1_000_000):
        course = Course(TakeMoney(0), None, course)
    del course


@every_title
def test_observer_is_always_the_first_seat(title: str) -> None:
    environment = Environment(title, 3)
    whose_turn = environment.observer.slices()["active_seat"]
    for seat in range(3):
        turn = environment.observation(seat)[whose_turn]
        assert turn.argmax() == (environment.moment.state.active_seat - seat) % 3


def test_environment_goes_on_after_a_refused_start() -> None:
    """With the seed that it had."""
    environment, untroubled = Environment("palazzo", 2), Environment("palazzo", 2)
    for start in (set_up("campanile", 2, seed=7), set_up("palazzo", 2, seed=7).seen_by(0)):
        with pytest.raises(ValueError, match=r"not palazzo|show all hands"):
            environment.reset(9, start)
    for _ in range(40):
        environment.step(environment.choices[-1])
        untroubled.step(untroubled.choices[-1])
    assert environment.position == untroubled.position


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
    with pytest.raises(ValueError, match="no render_mode rgb_array, only ansi, human, svg"):
        pettingzoo_env(title, 2, render_mode="rgb_array")


@every_title
def test_random_agents_play_to_an_end_worth_nothing_in_all(title: str) -> None:
    environment, random = Environment(title, 3), Random(7)
    while not environment.is_over:
        assert environment.mask().nonzero()[0].tolist() == environment.choices
        environment.step(random.choice(environment.choices))
    assert sum(environment.returns()) == pytest.approx(0)
    assert max(environment.returns()) <= 1
    assert not np.any(environment.mask())


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def all_seen(env: Any, batch: Batch) -> bytes:
    """What an environment of PettingZoo and a batch show."""
    observed = [array for agent in env.agents for array in env.observe(agent).values()]
    return b"".join(array.tobytes() for array in (*observed, *batch.see()))


def seen_of_forty_choices(env: Any, batch: Batch) -> list[bytes]:
    """What they show after each."""
    found = []
    for _ in range(40):
        env.step(env.environment.choices[-1])
        batch.step([int(mask.argmax()) for mask in batch.see().masks])
        found.append(all_seen(env, batch))
    return found


@every_title
@pytest.mark.parametrize("copied", [deepcopy, pickled])
def test_copies_go_on_by_themselves(title: str, copied: Callable[[Any], Any]) -> None:
    """As the originals do, and without them; what all environments of a title share is not copied."""
    env, batch = pettingzoo_env(title, 2), Batch(title, 2, 2)
    env.reset(seed=7)
    seen = all_seen(env, batch)
    twins = copied((env, batch))
    assert twins[0].environment.game is env.environment.game
    assert twins[0].environment.alphabet is env.environment.alphabet
    seen_of_twins = seen_of_forty_choices(*twins)
    assert all_seen(env, batch) == seen
    assert seen_of_forty_choices(env, batch) == seen_of_twins


# --- OpenSpiel -------------------------------------------------------------------------------------------------------


@every_title
@pytest.mark.parametrize("players", [2, 4])
def test_openspiel_simulates_the_game(title: str, players: int) -> None:
    name = f"{openspiel.name_of(all_games()[title])}(players={players})"
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@every_title
def test_openspiel_games_are_pickled(title: str) -> None:
    """Also in a state; where they are read, the titles are registered first."""
    game = pyspiel.load_game(f"{openspiel.name_of(all_games()[title])}(players=3)")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    state.apply_action(state.legal_actions()[0])
    assert str(pickled(game)) == str(game)
    assert openspiel.__name__.encode() in pickle.dumps(game)
    for twin in (pickled(state), deepcopy(state)):
        assert str(twin) == str(state)
        assert twin.history() == state.history()
        assert str(twin.get_game()) == str(game)
        assert twin.legal_actions() == state.legal_actions()


def test_openspiel_writes_a_playthrough() -> None:
    """Of one title: writing all numbers of all tensors takes OpenSpiel a minute or two in the others."""
    assert "IsTerminal() = True" in generate_playthrough.playthrough("python_capomastro_campanile", None)


@every_title
def test_openspiel_resamples_what_a_player_does_not_see(title: str) -> None:
    """As a game of its own: its history, played again, gives the same."""
    game, random = pyspiel.load_game(openspiel.name_of(all_games()[title])), Random(7)
    state = game.new_initial_state()
    for _ in range(150):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1)
            state.apply_action(random.choices(outcomes, chances)[0])
            continue
        if state.is_terminal():
            break
        twins = [state.resample_from_infostate(player, random.random) for player in range(2)]
        for player, twin in enumerate(twins):
            assert twin.observation_string(player) == state.observation_string(player)
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.legal_actions() == state.legal_actions() or player != state.current_player()
        again = game.new_initial_state()
        for action in twins[0].history():
            again.apply_action_with_legality_check(action)
        assert str(again) == str(twins[0])
        assert again.information_state_string(1) == twins[0].information_state_string(1)
        state.apply_action(random.choice(state.legal_actions()))


@every_title
@pytest.mark.parametrize("perfect_recall", [False, True])
def test_openspiel_tells_what_is_public_from_what_is_private(title: str, perfect_recall: bool) -> None:
    """The same is public in twins, which differ in what one player does not see; what nobody else sees is private."""
    game, random = pyspiel.load_game(openspiel.name_of(all_games()[title])), Random(7)
    nobody, single = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
    public = make_observation(game, pyspiel.IIGObservationType(True, perfect_recall, nobody))
    private = make_observation(game, pyspiel.IIGObservationType(False, perfect_recall, single))
    alphabet, count = alphabet_of(all_games()[title]), np.count_nonzero if perfect_recall else np.sum
    state = game.new_initial_state()
    for _ in range(60):
        while state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, chances)[0])
        for player in range(2):
            twin = state.resample_from_infostate(1 - player, random.random)
            assert public.string_from(twin, player) == public.string_from(state, player)
            public.set_from(state, player)
            seen = public.tensor.copy()
            public.set_from(twin, player)
            assert (public.tensor == seen).all()

            dealt = [
                choice
                for each in state.moment.played
                if each.witness == player
                for choice in alphabet.spelling(each.move)
            ]
            hand = getattr(state.moment.state.seats[player], "hand", Hand())
            known = [alphabet.symbols[choice] for choice in dealt] if perfect_recall else [*hand.closed]
            if player == state.current_player():
                known += [alphabet.symbols[choice] for choice in state.moment.spelled]
            assert private.string_from(state, player) == " ".join([f"seat {player}:", *known])
            private.set_from(state, player)
            assert count(private.tensor) == len(known)
        state.apply_action(random.choice(state.legal_actions()))
    with pytest.raises(ValueError, match="neither public nor private"):
        make_observation(game, pyspiel.IIGObservationType(False, perfect_recall, nobody))


def test_openspiel_searches_information_sets() -> None:
    """Its search looks up what the players after the first know in the games resampled, and then what is legal."""
    game, random = pyspiel.load_game("python_capomastro_campanile"), np.random.RandomState(7)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, random), 2.0, 60, random_state=random)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    for _ in range(4):
        assert bot.step(state) in state.legal_actions()
        state.apply_action(state.legal_actions()[0])


# --- TextArena -------------------------------------------------------------------------------------------------------


@every_title
def test_textarena_plays_to_the_end(title: str) -> None:
    env = textarena.make(f"Capomastro-{title}")
    env.reset(num_players=3, seed=7)
    random, done, turns = Random(7), False, [0, 0, 0]
    while not done:
        seat, messages = env.get_observation()
        turns[seat] += 1
        legal = [line for line in messages[-1][1].splitlines() if line.startswith("[")]
        done, _ = env.step(f"I think it is {random.choice(legal)}.")
        assert not env.errors, (seat, messages)
    rewards, infos = env.close()
    assert sum(rewards.values()) == pytest.approx(0)
    assert [infos[seat]["turn_count"] for seat in range(3)] == turns
    ended = deepcopy(env.close())
    assert [env.step("[pass]")[0] for _ in range(4)] == [True] * 4
    assert env.close() == ended


def test_textarena_names_the_rule_and_ends_after_illegal_moves() -> None:
    env = textarena.make("Capomastro-palazzo")
    env.reset(num_players=2, seed=7)
    seat, _ = env.get_observation()
    assert env.step("[take-tile brick-1-1]") == (False, {})
    assert "turn.step" in str(env.get_observation())
    assert [env.step("no move")[0], env.step("[pass]")[0]] == [False, True]
    assert env.close()[0] == {seat: -1.0, 1 - seat: 1.0}
    assert [info["turn_count"] for info in env.close()[1].values()] == [0, 0]


def test_textarena_takes_the_seat_too() -> None:
    """As the notation has it, if it is that of the player who decides."""
    env = textarena.make("Capomastro-palazzo")
    env.reset(num_players=2, seed=7)
    seat, _ = env.get_observation()
    env.step(f"[{1 - seat} take-money]")
    assert "turn.asker" in str(env.get_observation())
    env.step(f"[{seat} take-money]")
    assert not env.errors


def test_textarena_draws_another_game_each_time_without_a_seed() -> None:
    env = textarena.make("Capomastro-palazzo")
    for seed, games in ((None, 3), (7, 1)):
        drawn = set()
        for _ in range(3):
            env.reset(num_players=2, seed=seed)
            drawn.add(env.position.state_hash)
        assert len(drawn) == games


# --- batches ---------------------------------------------------------------------------------------------------------


def test_batches_go_on_from_positions() -> None:
    """Several games from each, with different draws."""
    starts = [set_up("campanile", 2, seed=seed) for seed in range(2)]
    batch, random = Batch("campanile", 2, 4, starts=starts), Random(7)
    assert batch.positions == [*starts, *starts]
    seen = batch.see()
    for _ in range(200):
        seen = batch.step([random.choice(mask.nonzero()[0].tolist()) for mask in seen.masks])
        for index in seen.ended.nonzero()[0]:
            assert batch.positions[index] == starts[index % 2]
    assert sum(batch.played) > 4
    assert batch.positions[0] != batch.positions[2]
    with pytest.raises(ValueError, match="show all hands"):
        Batch("palazzo", 2, 1, starts=[set_up("palazzo", 2, seed=7).seen_by(0)])
    with pytest.raises(ValueError, match="not palazzo for 2"):
        Batch("palazzo", 2, 1, starts=starts)


def test_batches_over_processes_are_those_of_one() -> None:
    starts = [set_up("campanile", 2, seed=seed) for seed in range(3)]
    one, random = Batch("campanile", 2, 4, seed=7, starts=starts), Random(7)
    with ProcessBatch("campanile", 2, 2, processes=2, seed=7, starts=starts) as several:
        seen = one.see()
        for _ in range(120):
            assert all((mine == theirs).all() for mine, theirs in zip(seen, several.see(), strict=True))
            choices = [random.choice(mask.nonzero()[0].tolist()) for mask in seen.masks]
            seen = one.step(choices)
            several.step(choices)
        choices = [int(mask.argmax()) for mask in seen.masks]
        with pytest.raises(ValueError, match="-1 is not one of the choices"):
            several.step([*choices[:-1], -1])
        assert (several.step(choices).masks == one.step(choices).masks).all()
    assert sum(one.played) > 4


def test_batches_over_processes_refuse_what_one_refuses() -> None:
    """And leave no process behind, also if only some refuse."""
    start = set_up("palazzo", 2, seed=7)
    with pytest.raises(Problem, match="Did you mean"):
        ProcessBatch("palazo", 2, 1, processes=2)
    with pytest.raises(ValueError, match="show all hands"):
        ProcessBatch("palazzo", 2, 1, processes=2, starts=[start, start.seen_by(0)])
    assert not active_children()


def test_agent_among_the_examples_learns_to_beat_random_players() -> None:
    """After 160 games it wins far more than by chance: of 100 games, five standard deviations are 25."""
    agent = run_path(str(TOP / "examples" / "learn.py"))
    agent["train"](5)
    assert agent["against_random"](100) > 0.75


def test_programs_of_the_documentation_run() -> None:
    """One after the other, as they stand in the page."""
    page = (TOP / "docs" / "learning.md").read_text("utf-8")
    names: dict[str, object] = {}
    for block in page.split("```py\n")[1:]:
        exec(block.partition("```")[0], names)
