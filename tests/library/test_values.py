"""Values of the library: they reach other processes, can be kept in sets, and are not made of nonsense."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

import capomastro
from capomastro import Position, Problem, Record
from tests.support.random_positions import random_positions


@pytest.fixture(scope="module")
def game() -> Position:
    """The end of a game that was played move by move."""
    *_, end = random_positions("palazzo", 2, options={}, seed="7")
    return end


@pytest.fixture(scope="module")
def record(game: Position) -> Record:
    return Record.of(game, id="an evening", tags={"place": "here"})


def replayed(text: str) -> str:
    return Record.from_text(text).replay().verdict


def test_a_problem_reaches_the_process_that_asked() -> None:
    """The executor would take one that cannot be unpickled for the death of its process, and give up."""
    with ProcessPoolExecutor(1) as executor:
        with pytest.raises(Problem) as raised:
            executor.submit(replayed, "game: chess").result()
        assert raised.value.id == "malformed-notation"
        assert raised.value.errors[0]["line"] == 1
        assert executor.submit(len, "abc").result() == 3


def test_a_copy_of_a_problem_says_the_same() -> None:
    problem = Problem("options", lambda: "what is only said when it is asked", [{"pointer": "/names"}], last=3)
    for one in (pickle.loads(pickle.dumps(problem)), copy.deepcopy(problem)):
        assert (one.id, one.detail, one.errors, one.members) == (
            problem.id,
            problem.detail,
            problem.errors,
            problem.members,
        )


def test_a_position_can_be_pickled_however_many_calls_led_to_it(record: Record) -> None:
    """The interpreter allows a thousand levels of recursion."""
    position = record.start
    for move in 12 * list(record.moves):
        position = Position(position.game, position.state, position.plies, position)
        if position.ply < len(record.moves):
            position = position.play(move)
    sent = pickle.loads(pickle.dumps(position))
    assert sent == position
    assert sent.history == position.history
    assert sent.beginning == position.beginning
    while position.before is not None:
        position, sent = position.before, sent.before
        assert (sent.state, sent.plies) == (position.state, position.plies)
    assert sent.before is None


def test_pickled_positions_of_a_game_share_what_they_have_in_common(record: Record) -> None:
    positions = list(record.positions())
    alone, all_of_them = len(pickle.dumps(positions[-1])), len(pickle.dumps(positions))
    assert all_of_them < 20 * alone
    for one, other in pairwise(pickle.loads(pickle.dumps(positions))):
        assert other.before == one


def test_everything_can_be_kept_in_a_set(game: Position, record: Record) -> None:
    start = record.start
    refusal = start.why_not("0 pass")
    values: list[object] = [game, game.result, game.score(), record, refusal, *game.plies]
    values += [capomastro.game("palazzo"), *capomastro.game("palazzo").rules.values()]
    assert {*values} == {*values, *map(copy.deepcopy, values)}
    assert hash(record) == hash(Record.from_text(record.json()))


@pytest.mark.parametrize("seat", [2, -1, -2, "0", "x", 1.0, True, ()], ids=repr)
def test_nobody_sits_on_a_seat_that_does_not_exist(record: Record, seat: Any) -> None:
    start = record.start
    asked = (start.seen_by, start.sampled, record.seen_by, record.sampled)
    by_name = (partial(start.play, "0 build"), partial(start.why_not, "0 build"))
    others = (partial(start.played_on, {seat: "planning"}, 7), partial(start.picture, first=seat))
    for ask in (*(partial(ask, seat) for ask in asked), *(partial(ask, seat=seat) for ask in by_name), *others):
        with pytest.raises(Problem) as raised:
            ask()
        assert raised.value.id == "no-such-seat"
        assert repr(seat).lstrip("-") in str(raised.value)


@pytest.mark.parametrize("names", [["Ada", ""], ["Ada", "B" * 101], ["Ada", 2], ["Ada", None]], ids=str)
def test_names_that_no_document_can_have_are_refused(names: Any) -> None:
    with pytest.raises(Problem) as raised:
        capomastro.set_up("palazzo", 2, names=names)
    assert (raised.value.id, raised.value.errors[0]["pointer"]) == ("shape", "/names/1")


@pytest.mark.parametrize("players", ["2", 2.0, None])
def test_the_number_of_players_is_a_whole_number(players: Any) -> None:
    with pytest.raises(TypeError):
        capomastro.set_up("palazzo", players)


@pytest.mark.parametrize("seed", [1.5, b"7", ["7"]], ids=str)
def test_a_seed_is_a_text_or_a_whole_number(seed: Any) -> None:
    """Another value would be a text that nobody would guess, such as "b'7'"."""
    begun = capomastro.set_up("palazzo", 2, seed=7)
    for use in (begun.draw, lambda seed: begun.play(seed=seed), lambda seed: begun.suggest("random", seed=seed)):
        with pytest.raises(TypeError):
            use(seed)
    assert capomastro.set_up("palazzo", 2, seed="7") == begun


def test_a_byte_order_mark_before_a_record_is_no_part_of_it(record: Record) -> None:
    for text in (record.text(), record.json().decode()):
        assert Record.from_text("\ufeff" + text) == Record.from_text(text)
        assert Record.from_text(("\ufeff" + text).encode()) == Record.from_text(text)


@pytest.mark.parametrize("game", capomastro.all_games(), ids=repr)
def test_who_counts_down_what_a_game_has_changes_nothing_in_it(game: capomastro.Game) -> None:
    """A bot that counts what is left would change the referee's own table of the box."""
    known = copy.deepcopy(game.components)
    for group in game.components.values():
        for token in group:
            group[token] -= 1  # type: ignore[index]
    assert game.components == known
