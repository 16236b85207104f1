"""Players of Carrara with a goal, for playouts that reach every end of the game and for the recorded games.

`planning` scores when it pays, buys cheaply, builds, and announces the end as soon as it can. The others are variations
of it: they add only what they want more or less.
"""

from collections.abc import Callable

from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.players import Player, preferring
from capomastro.games.carrara import moves
from capomastro.games.carrara.components import BUILDING_COUNT, COST_OF
from capomastro.games.carrara.state import State
from capomastro.games.carrara.supplies import PRICES, buildings_built

Wish = Callable[[AnyGame, State, Move], float | None]
"""How much the player wants a move; None leaves it to `wants`."""


def wishing_first(wish: Wish, look_at: int = 60) -> Player:
    """Plans, except for moves that `wish` judges; `look_at`: how many moves to consider, see `preferring`."""

    def worth(game: AnyGame, state: State, move: Move) -> float:
        special = wish(game, state, move)
        return game.wants(state, move) if special is None else special

    return preferring(worth, look_at)


def waits_for_the_start(game: AnyGame, state: State, move: Move) -> float | None:
    """Announces only at the start of a turn."""
    if isinstance(move, moves.EndTurn):
        return 200
    return None


def passes_after_announcing(game: AnyGame, state: State, move: Move) -> float | None:
    """Announces at the start, and passes."""
    if isinstance(move, moves.Pass):
        return 150
    return waits_for_the_start(game, state, move)


def acts_after_announcing(game: AnyGame, state: State, move: Move) -> float | None:
    """Announces at the start, and never passes."""
    if isinstance(move, moves.Pass):
        return -100
    return waits_for_the_start(game, state, move)


def never_announces(game: AnyGame, state: State, move: Move) -> float | None:
    """Builds as long as there is something to build, and never ends the game otherwise."""
    match move:
        case moves.AnnounceEnd() | moves.Pass():
            return -200
        case moves.Build():
            return 60 + COST_OF[move.building]
        case moves.TurnWheel() if all_but_one_built(state):
            return -50
        case _:
            return None


def all_but_one_built(state: State) -> bool:
    return buildings_built(state) == BUILDING_COUNT - 1


def ends_with_the_last_building(game: AnyGame, state: State, move: Move) -> float | None:
    """Announces only before the last building, which everybody then tries to build."""
    if isinstance(move, moves.AnnounceEnd):
        return 150 if all_but_one_built(state) else -200
    if isinstance(move, moves.Build) and state.announced_by is not None:
        return 120
    return never_announces(game, state, move)


def spends_everything(game: AnyGame, state: State, move: Move) -> float | None:
    """Buys expensive blocks, so that coins run out."""
    match move:
        case moves.BuyBlocks():
            return float(sum(PRICES[move.section][block] for block in move.blocks))
        case moves.Pass():
            return -100
        case moves.TurnWheel():
            return 90
        case moves.BuyObject():
            return 50
        case _:
            return None


def gathers(game: AnyGame, state: State, move: Move) -> float | None:
    """Hoards blocks and builds nothing."""
    match move:
        case moves.BuyBlocks():
            price = sum(PRICES[move.section][block] for block in move.blocks)
            return 10 * len(move.blocks) - price
        case moves.Build():
            return -100 - len(move.payment)
        case moves.ScoreType() | moves.ScoreCity() | moves.BuyObject():
            return -50
        case moves.TurnWheel():
            return 50
        case _:
            return None


def squanders(game: AnyGame, state: State, move: Move) -> float | None:
    """Keeps no usable blocks and scores what it can, so that soon it has no action left."""
    match move:
        case moves.Build():
            return 200 + len(move.payment)
        case moves.ScoreType() | moves.ScoreCity():
            return 100
        case moves.BuyBlocks():
            return -float(len(move.blocks))
        case moves.BuyObject():
            return 50
        case _:
            return None


acting: Player = wishing_first(acts_after_announcing)
passing: Player = wishing_first(passes_after_announcing)
building_on: Player = wishing_first(never_announces)
racing: Player = wishing_first(ends_with_the_last_building)
spending: Player = wishing_first(spends_everything)
gathering: Player = wishing_first(gathers, look_at=5000)
squandering: Player = wishing_first(squanders)
