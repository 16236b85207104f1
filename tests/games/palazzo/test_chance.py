"""Exact probabilities, and draws, which must never change."""

from fractions import Fraction
from hashlib import sha256

import pytest

from capomastro.engine import referee
from capomastro.engine.chance import HASH_VALUES, Outcomes, as_text, outcomes
from capomastro.engine.decisions import ChanceDecision
from capomastro.games.palazzo import moves, stages
from capomastro.games.palazzo.components import MONEY, TILES
from capomastro.games.palazzo.game import GAME
from capomastro.games.palazzo.state import Options, State
from tests.games.palazzo.table import audited, cards, hand, played, refusal, table, tiles
from tests.support.playouts import play_out, start

ALL_TILES = tuple(tile for tile, number in TILES.items() for _ in range(number))
ALL_MONEY = tuple(card for card, number in MONEY.items() for _ in range(number))


def probabilities(state: State) -> dict[str, Fraction]:
    assert not audited(state)
    here = GAME.decision_at[type(state.stage)]
    assert isinstance(here, ChanceDecision)
    drawn = here.rule.outcomes(state)
    found = {component: drawn.probability(component) for component in drawn.weights}
    assert sum(found.values()) == 1
    return found


def after_draws(number: int, riders: int = 0) -> State:
    """The second draw of a turn if it must be, otherwise the first."""
    stage = stages.DrawFirstTile() if (number + riders) % 2 else stages.DrawSecondTile()
    return table(stage=stage, supply="b11", removed=ALL_TILES[1:number], riders=riders)


def test_the_first_tile_is_one_of_48() -> None:
    found = probabilities(start(GAME, 2))
    assert len(found) == 45
    assert found["brick-1-1"] == Fraction(1, 48)
    assert found["brick-3-1"] == Fraction(2, 48)


def test_the_face_is_uniform_over_all_unseen_tiles_whatever_the_stack() -> None:
    found = probabilities(after_draws(20))
    assert "rider" not in found
    assert found["sandstone-5-3"] == Fraction(1, 28)


def test_no_rider_comes_before_the_last_stack() -> None:
    assert "rider" not in probabilities(after_draws(31))
    assert probabilities(after_draws(32))["rider"] == Fraction(5, 21)


@pytest.mark.parametrize(("tiles_left", "riders_left"), [(16, 5), (16, 1), (10, 3), (1, 4), (1, 1), (0, 2), (0, 1)])
def test_in_the_last_stack_all_tiles_and_riders_are_equally_likely(tiles_left: int, riders_left: int) -> None:
    found = probabilities(after_draws(48 - tiles_left, 5 - riders_left))
    assert found["rider"] == Fraction(riders_left, riders_left + tiles_left)
    if tiles_left:
        assert found["sandstone-5-3"] == Fraction(1, riders_left + tiles_left)


def test_two_draws_can_straddle_the_stacks() -> None:
    first = table(stage=stages.DrawFirstTile(), removed=ALL_TILES[:31])
    assert probabilities(first)["sandstone-5-3"] == Fraction(1, 17)
    second = played(first, moves.DrawTile("sandstone-5-3"))
    assert second.stage == stages.DrawSecondTile()
    assert probabilities(second)["rider"] == Fraction(5, 21)
    between = table(stage=stages.DrawFirstTile(), removed=ALL_TILES[:15])  # stack I has one tile, any face
    assert probabilities(between)["sandstone-5-3"] == Fraction(1, 33)


def test_stacks_of_other_sizes() -> None:
    at_once = table(stage=stages.DrawFirstTile(), removed=ALL_TILES[:5], options=Options((5, 0, 43)))
    assert probabilities(at_once)["rider"] == Fraction(5, 48)
    only_riders = table(stage=stages.DrawFirstTile(), removed=ALL_TILES, options=Options((24, 24, 0)), riders=1)
    assert probabilities(only_riders) == {"rider": Fraction(1)}
    last_tile = table(stage=stages.DrawFirstTile(), removed=ALL_TILES[:47], options=Options((24, 24, 0)))
    assert probabilities(last_tile) == {"sandstone-5-3": Fraction(1)}


def test_a_card_of_the_first_deck_is_any_unseen_one() -> None:
    found = probabilities(table(stage=stages.RevealCard(()), hands=["r3 r3 c", "c g7"]))
    assert found["red-3"] == Fraction(1, 50)
    assert found["certificate-2"] == Fraction(8, 50)
    assert found["green-7"] == Fraction(2, 50)


def test_in_a_view_the_unknown_cards_of_the_others_may_be_anywhere() -> None:
    found = probabilities(table(stage=stages.RevealCard(()), hands=[hand("r3 r3 c"), hand(opened="g7", unknown=4)]))
    assert found["red-3"] == Fraction(1, 51)
    assert found["certificate-2"] == Fraction(9, 51)


def test_after_a_shuffle_the_next_card_is_one_of_those_shuffled_in() -> None:
    rest = "r3 r3 g4 c c c"
    elsewhere = list(ALL_MONEY)
    for card in cards(rest):
        elsewhere.remove(card)
    short_hand = hand()
    state = table(
        stage=stages.RevealCard(()), hands=[short_hand, short_hand], shuffled_in=cards(rest), discards=tuple(elsewhere)
    )
    found = probabilities(state)
    assert found == {
        "certificate-2": Fraction(3, 6),
        "green-4": Fraction(1, 6),
        "red-3": Fraction(2, 6),
    }
    after = played(state, moves.RevealCard("green-4"))
    assert after.shuffled_in == cards("r3 r3 c c c")
    assert probabilities(after)["red-3"] == Fraction(2, 5)


def test_after_a_shuffle_unknown_hands_do_not_change_the_odds_of_the_deck() -> None:
    # a spectator: four cards are unknown in hands, and all others but the six shuffled in are on the table
    rest, unknown = cards("r3 r3 g4 c c c"), cards("b7 b7 r5 g3")
    elsewhere = list(ALL_MONEY)
    for card in (*rest, *unknown):
        elsewhere.remove(card)
    state = table(
        stage=stages.RevealCard(()),
        hands=[hand(unknown=2), hand(unknown=2)],
        shuffled_in=rest,
        discards=tuple(elsewhere),
    )
    assert probabilities(state)["red-3"] == Fraction(2, 6)
    assert "blue-7" not in probabilities(state)
    refused = refusal(state, moves.RevealCard("blue-7"))
    assert refused is not None
    assert refused.rule == "palazzo.draw.card"


def test_dealt_cards_may_go_unseen_and_revealed_ones_not() -> None:
    quarries = ("m11", "m12", "m13", "m21")
    dealing = table(stage=stages.DealCard(), ply=5, supply="b12", quarries=quarries)
    assert refusal(dealing, moves.DealCard(None)) is None
    after = played(dealing, moves.DealCard(None))
    assert after.seats[0].hand.unknown == {"deck": 1}
    assert probabilities(after)["red-3"] == Fraction(3, 55)
    after = played(dealing, moves.DealCard("red-3"))
    assert probabilities(after)["red-3"] == Fraction(2, 54)


def test_probabilities_are_text_in_lowest_terms() -> None:
    assert as_text(Fraction(6, 48)) == "1/8"
    assert as_text(Fraction(0)) == "0/1"
    assert as_text(Fraction(3, 3)) == "1/1"


# --- drawing ---------------------------------------------------------------------------------------------------------


def test_drawing_is_the_documented_function_of_seed_and_ply() -> None:
    box = outcomes({"c": 3, "a": 1, "b": 2})
    for seed in ("7", "", "ein Lauf", "ünïcödé"):
        for ply in range(30):
            number = int.from_bytes(sha256(f"{seed}/{ply}/0".encode()).digest(), "big")
            assert number < HASH_VALUES - HASH_VALUES % 6
            assert box.draw(seed, ply) == "abbccc"[number % 6]


def test_random_numbers_that_would_bias_a_draw_are_rejected() -> None:
    total = HASH_VALUES // 2 + 1  # about every second number is rejected: the largest multiple is the total itself
    half = total // 2
    box = Outcomes({"a": half, "b": total - half})
    refused = different = 0
    for ply in range(60):
        numbers = [int.from_bytes(sha256(f"s/{ply}/{attempt}".encode()).digest(), "big") for attempt in range(40)]
        number = next(number for number in numbers if number < total)
        assert box.draw("s", ply) == ("a" if number < half else "b")
        refused += numbers[0] >= total
        different += (numbers[0] % total < half) != (number < half)
    assert refused
    assert different, "drawing again makes no difference: the test proves nothing"


def test_components_of_weight_zero_are_never_drawn() -> None:
    box = Outcomes({"a": 0, "b": 1, "c": 0})
    assert {box.draw(str(seed), 0) for seed in range(50)} == {"b"}


GOLDEN_SETUP = """
sandstone-3-1 brick-4-1 sandstone-5-3 marble-3-1 brick-2-1
certificate-2 green-4 blue-5 red-6 certificate-2 blue-6 certificate-2 certificate-2
"""


def test_draws_by_a_seed_never_change() -> None:
    box = outcomes({"a": 1, "b": 2, "c": 3, "d": 4})
    assert "".join(box.draw("golden", ply) for ply in range(40)) == "ddcddaddcbccdbcaddcdbdddbdcdbddcddcbddad"


def test_seed_7_sets_up_the_game_it_always_did() -> None:
    drawn = [ply.move for ply in play_out(GAME, 2, seed="7") if ply.before.ply < 13]
    assert [move.component for move in drawn] == GOLDEN_SETUP.split()  # type: ignore[attr-defined]


def test_every_tile_is_drawn_about_as_often() -> None:
    state = start(GAME, 2)
    drawn = [referee.draw(GAME, state, str(seed)).component for seed in range(4800)]
    assert all(60 <= drawn.count(tile) <= 145 * number for tile, number in TILES.items())
    assert tiles("b31")[0] in drawn
