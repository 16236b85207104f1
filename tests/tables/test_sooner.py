"""No answer comes sooner because somebody has asked about the same hand: work is counted (`tests/tables/sooner.py`)."""

from functools import partial
from random import Random

import pytest

from capomastro.games import all_games
from capomastro.tables.keys import KeyRing
from tests.tables.dealing import has_hands
from tests.tables.games import most, played
from tests.tables.players import MASTERS
from tests.tables.sooner import (
    double_of,
    moving,
    posted_to_the_application,
    remember_nothing,
    sooner,
    work_of,
)

GUESSED = 1
with_hands = pytest.mark.parametrize("game_id", [game.id for game in all_games().values() if has_hands(game)])


def guessed(game_id: str, players: int, number: int = GUESSED) -> list[list[str]]:
    """The requests that reveal a hand, at some tables of a game where another hand is possible."""
    game, random, found = all_games()[game_id], Random(game_id), []
    done, post = played(game_id, players), posted_to_the_application(game)
    tables = moving(done)
    for table in random.sample(tables, len(tables)):
        difference = sooner(post, game, done, table, random)
        if difference is not None:
            found.append(difference)
        if len(found) == number:
            break
    assert found
    return found


@pytest.mark.long
@with_hands
def test_a_right_guess_takes_as_much_work_as_in_another_process(game_id: str) -> None:
    assert not any(guessed(game_id, most(all_games()[game_id])))


@pytest.mark.long
@with_hands
def test_answers_to_a_seat_take_the_same_work_whatever_other_hands_are(game_id: str) -> None:
    game, random = all_games()[game_id], Random(game_id)
    done, post = played(game_id, most(game)), posted_to_the_application(game)
    compared = False
    for table in moving(done)[::15]:
        double = double_of(game, KeyRing(MASTERS), table, random)
        if double is None:
            continue
        other = next(player for player in done.players if player.seat not in table["waiting"]["seats"])
        for asks in ({"seat": None}, {"seat": other.seat, "secret": other.secret}):
            post("tables/views", {"table": table, **asks})  # files are read now
            works = []
            for one in (table, double):
                remember_nothing()
                works.append(work_of(partial(post, "tables/views", {"table": one, **asks, "legal_moves": 50})))
            assert works[0] == works[1]
            compared = True
    assert compared
