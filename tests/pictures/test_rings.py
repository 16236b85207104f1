"""Rings: `changes` reads what the last moves moved from the moves and the state after them; the events know it."""

from collections import Counter

import pytest
from msgspec import UNSET

from capomastro.adjudicator.pictures import Viewer, with_last_move
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from tests.support.pictures import module_of
from tests.support.playouts import Ply, play_out
from tests.support.setups import Setup, few_setups

GAMES = 2
"""Random games of every number of players and every variant."""


@pytest.mark.parametrize("setup", few_setups(), ids=str)
def test_rings_are_where_the_events_say(setup: Setup) -> None:
    game, moved_by = setup.game, module_of(setup.game).moved_by
    for number in range(GAMES):
        plies = list(play_out(game, setup.players, setup.options, seed=f"rings {number}"))
        for viewer in (UNSET, None, 0):
            seen = [as_seen(game, ply, viewer) for ply in plies]
            last_moves: list[Move] = []
            for end, (_, move, after, _) in enumerate(seen, 1):
                last_moves = with_last_move(last_moves, move)
                rings = Counter(game.changes(after, last_moves))
                expected = Counter(
                    placed
                    for ply in seen[end - len(last_moves) : end]
                    for event in ply.happened
                    for placed in moved_by(event, ply.move, after)
                )
                assert rings == expected, f"game {number}, ply {after.ply}: {last_moves}"
                alone = Counter(game.changes(after, [move]))
                assert alone <= expected, f"game {number}, ply {after.ply}: {move} without what led to it"


def as_seen(game: AnyGame, ply: Ply, viewer: Viewer) -> Ply:
    """A step of a game as a viewer sees it; the events stay what they were."""
    if viewer is UNSET:
        return ply
    move = referee.as_seen(ply.move, referee.sole_witness(game, ply.before), viewer)
    return ply._replace(move=move, after=game.view(ply.after, viewer))
