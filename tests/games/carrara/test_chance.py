"""Exact probabilities, and that nothing is hidden but the pile and the bag."""

from fractions import Fraction

from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision
from capomastro.games.carrara import moves, stages
from capomastro.games.carrara.components import COST_OF
from capomastro.games.carrara.game import GAME
from capomastro.games.carrara.state import Options, State
from tests.games.carrara.table import audited, rest_of, seat, spread, table
from tests.support.playouts import play_out


def probabilities(state: State) -> dict[str, Fraction]:
    assert not audited(state)
    here = GAME.decision_at[type(state.stage)]
    assert isinstance(here, ChanceDecision)
    drawn = here.rule.outcomes(state)
    found = {component: drawn.probability(component) for component in drawn.weights}
    assert sum(found.values()) == 1
    return found


def test_a_block_comes_as_often_as_it_is_in_the_bag() -> None:
    found = probabilities(table(seat("www"), seat("kk"), stage=stages.DrawBlock(), sections=("wyrgbk",)))
    assert found == {
        "black": Fraction(4, 31),
        "blue": Fraction(6, 31),
        "green": Fraction(6, 31),
        "red": Fraction(6, 31),
        "white": Fraction(3, 31),
        "yellow": Fraction(6, 31),
    }


def test_a_colour_that_is_not_in_the_bag_is_not_drawn() -> None:
    found = probabilities(table(seat("wwwwwww"), seat(), stage=stages.DrawBlock(), sections=("yk",)))
    assert "white" not in found


def test_the_last_block_of_the_bag_is_certain() -> None:
    assert probabilities(table(seat(rest_of("wy")), seat(), stage=stages.DrawBlock(), sections=("y",))) == {
        "white": Fraction(1)
    }


def test_a_building_of_the_pile_is_any_that_has_not_been_seen() -> None:
    start = GAME.start(2, Options(), None)
    assert set(probabilities(start).values()) == {Fraction(1, 30)}
    state = table(seat(massa=spread(10)), seat(), stage=stages.RevealBuilding())
    found = probabilities(state)
    assert set(found.values()) == {Fraction(1, 12)}
    assert set(found) == set(COST_OF) - set(state.face_up) - set(state.seats[0].cities.massa)


def test_the_last_building_of_the_pile_is_certain() -> None:
    state = table(seat(massa=spread(21)), seat(), stage=stages.RevealBuilding())
    last = probabilities(state)
    assert last == {next(iter(last)): Fraction(1)}


def test_a_view_shows_everything() -> None:
    for ply in play_out(GAME, 3, seed="views"):
        for viewer in (0, 1, 2, None):
            assert GAME.view(ply.after, viewer) == ply.after
            assert referee.as_seen(ply.move, referee.sole_witness(GAME, ply.before), viewer) == ply.move


GOLDEN_SETUP = """
castle-3 gate-4 castle-5 cathedral-1 cathedral-2 cathedral-3 cathedral-5 castle-4 gate-1
"""


def test_seed_7_sets_up_the_game_it_always_did() -> None:
    drawn = [ply.move for ply in play_out(GAME, 2, seed="7") if ply.before.ply < 9]
    assert all(isinstance(move, moves.RevealBuilding) for move in drawn)
    assert [move.component for move in drawn] == GOLDEN_SETUP.split()  # type: ignore[attr-defined]
