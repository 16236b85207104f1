"""Action ids: each legal move has one spelling, and all that the masks allow is legal; the long form is a campaign."""

from itertools import cycle, islice
from random import Random

import pytest

from capomastro.engine.game import AnyGame
from capomastro.engine.sources import FEW
from capomastro.games import all_games
from capomastro.learning.alphabet import alphabet_of
from tests.campaigns.spelling import MOST_SYMBOLS, check, decided_by_seats, random_states, recorded_states

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)


@every_game
def test_alphabet_is_small_and_no_id_means_two_things(game: AnyGame) -> None:
    alphabet = alphabet_of(game)
    ids = [*alphabet.kinds.values(), alphabet.done, *alphabet.values.values()]
    assert sorted(ids) == [*range(alphabet.size)]
    assert alphabet.size < MOST_SYMBOLS


@every_game
def test_paths_that_masks_allow_are_the_spellings_of_the_legal_moves(game: AnyGame) -> None:
    random = Random(game.id)
    states = [*islice(decided_by_seats(game, random_states(game)), 40)]
    states += random.sample([*decided_by_seats(game, recorded_states(game))], 15)
    spelled = [check(game, state, random, few) for state, few in zip(states, cycle((1, FEW)), strict=False)]
    assert all(spelled)
