"""The worked examples of the rulebooks and of our page of rules."""

import pytest

from capomastro.engine.multisets import minus
from capomastro.games.palazzo import moves, stages
from capomastro.games.palazzo.decisions import price
from capomastro.games.palazzo.scoring import Outline, lines_of
from capomastro.games.palazzo.state import State
from tests.games.palazzo.table import cards, hand, legal, offered, played, refusal, table, tiles


def points(*palaces: str) -> int:
    return sum(line.points for line in lines_of(tuple(map(tiles, palaces))))


def test_four_tiles_on_the_supply_cost_six_each_and_a_group_pays_for_two_without_change() -> None:
    state = table(stage=stages.BuyOrAuction(), supply="b12 b23 m11 s53", hands=["r4 g4 b4", ""])
    assert (price(state, 1), price(state, 2)) == (6, 12)
    after = played(state, moves.Buy(0, tiles("b12 b23"), cards("r4 g4 b4")))
    assert after.discards == cards("r4 g4 b4")
    assert after.seats[0].hand.size == 0
    assert after.stage == stages.PlaceTile(0, tiles("b12 b23"), distribution=False)
    assert after.supply == tiles("m11 s53")
    assert not legal(state, moves.Buy(0, tiles("b12 b23"), cards("r4")))
    assert not legal(state, moves.Buy(0, tiles("b12"), cards("r4 g4")))


def auction(starter: str, *others: str) -> State:
    """An auction that seat 0 has just opened over one tile."""
    state = table(
        stage=stages.BuyOrAuction(),
        quarries=("", "m11", "", ""),
        hands=[hand(starter), *map(hand, others)],
        supply="b12",
    )
    return played(state, moves.CallAuction(0))


def raises(state: State) -> set[tuple[str, ...]]:
    return {move.cards for move in offered(state) if isinstance(move, moves.Raise)}


def test_the_auction_of_the_starter_with_eight_cards() -> None:
    # eight cards: the group of fours, three certificates, a six, and one of another currency than the six
    state = auction("r4 g4 b4 c c c g6 r7", "r5 b5 g5 r3 r3 r3 r4 r5")
    assert state.stage == stages.RaiseOrPass(1, (stages.Bid(), stages.Bid()))
    state = played(state, moves.Raise(1, cards("r5 b5 g5")))  # 15
    state = played(state, moves.Raise(0, cards("r4 g4 b4")))  # 3 + 15 = 18
    state = played(state, moves.Raise(1, cards("r3 r4 r3")))  # 25
    assert {cards("c c c"), cards("g6 c")} <= raises(state)  # 33 and 26
    assert legal(state, moves.Raise(0, cards("c c c")))
    state = played(state, moves.Raise(0, cards("g6 c")))  # 26
    state = played(state, moves.Raise(1, cards("r3 r5")))  # 33, above the 31 of the example
    assert offered(state) == [moves.Pass(0)]
    after = played(state, moves.Pass(0))
    assert after.seats[0].hand.open == cards("r4 g4 b4 g6 c")
    assert after.seats[0].hand.closed == cards("c c r7")


def test_two_certificates_make_thirty_against_thirty_one_and_no_group_with_the_earlier_one() -> None:
    bids = (
        stages.Bid((cards("r4 g4 b4"), cards("g6 c"))),
        stages.Bid((cards("r5 b5 g5 b6"), cards("c c"), cards("b3 b3"))),
    )
    state = table(stage=stages.RaiseOrPass(0, bids), quarries=("m11", "", "", ""), hands=["c c r7", ""])
    refused = refusal(state, moves.Raise(0, cards("c c")))
    assert refused is not None
    assert refused.rule == "palazzo.auction.raise"
    assert refused.values == {"bid": 30, "highest": 31}
    refused = refusal(state, moves.Raise(0, cards("c c r7")))
    assert refused is not None
    assert refused.rule == "palazzo.auction.currency"
    assert offered(state) == [moves.Pass(0)]


def test_three_players_take_one_of_five_tiles_each_and_two_leave_the_game() -> None:
    five = "b12 b23 m11 s53 s41"
    drawn = table(stage=stages.BuyOrAuction(), quarries=("", "", five, ""), hands=["", "", ""], active_seat=1)
    state = played(drawn, moves.CallAuction(1))
    assert state.builder == 2
    for seat, tile in ((1, "b12"), (2, "s53"), (0, "m11")):
        assert state.stage == stages.ChooseTile(seat)
        (token,) = tiles(tile)
        state = played(state, moves.TakeTile(seat, token), moves.BeginPalace(seat, token))
    assert minus(state.removed, drawn.removed) == tiles("b23 s41")
    assert state.quarries == ((), (), (), ())
    assert state.active_seat == 2
    assert state.stage == stages.ChooseAction()


@pytest.mark.parametrize(("tile", "on_a", "on_b"), [("s21", False, False), ("s41", True, False), ("s51", True, True)])
def test_palace_a_of_floors_1_and_3_and_palace_b_of_floors_2_and_4(tile: str, on_a: bool, on_b: bool) -> None:
    (token,) = tiles(tile)
    state = table(stage=stages.PlaceTile(0, (token,), distribution=False), palaces=[["b11 m31", "b22 m42"]])
    assert legal(state, moves.PlaceOnTop(0, token, 0)) == on_a
    assert legal(state, moves.PlaceOnTop(0, token, 1)) == on_b
    assert legal(state, moves.BeginPalace(0, token))


@pytest.mark.parametrize(
    ("palace", "score"),
    [
        ("b12", -5),
        ("b12 m33", 0),
        ("b12 m31 b43", 6),
        ("s12 s22 s31 s42", 7 + 3 + 3),
        ("b13 b22 m32 s42 b52", 11 + 6),
        ("m12 m21 m31 m42 m52", 8 + 6 + 6),
    ],
)
def test_scores_of_palaces(palace: str, score: int) -> None:
    assert points(palace) == score


@pytest.mark.parametrize(
    ("floors", "windows", "material", "score"),
    [
        (1, 2, "one", -5),
        (2, 6, "one", 0),
        (3, 6, "mixed", 6),
        (4, 7, "one", 13),
        (5, 11, "mixed", 17),
        (5, 8, "one", 20),
    ],
)
def test_scores_of_outlines(floors: int, windows: int, material: str, score: int) -> None:
    lines = lines_of([Outline(floors, windows, material)])  # type: ignore[arg-type]
    assert sum(line.points for line in lines) == score


def test_rebuilding_a_single_tile_into_a_palace_of_its_material_gains_13() -> None:
    before = table(hands=["r3", ""], palaces=[["s11 s42", "s32"]])
    after = played(before, moves.RebuildInsert(0, cards("r3")[0], 1, 0))
    assert after.seats[0].palaces == (tiles("s11 s32 s42"),)
    assert points("s11 s42", "s32") == -5
    assert points("s11 s32 s42") == 8
