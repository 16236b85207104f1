"""Games at sealed tables, played once for all tests."""

from functools import cache

from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.tables.keys import KeyRing
from tests.tables.players import MASTERS, Played, by_hand, play

RING = KeyRing(MASTERS[:1])


@cache
def played(game_id: str, players: int, draws: str = "witnessed") -> Played:
    game = all_games()[game_id]
    ask = by_hand(game, RING)
    return play(game, lambda _: ask, f"{game_id} {players} {draws}", players, draws)


def most(game: AnyGame) -> int:
    return game.players[-1]
