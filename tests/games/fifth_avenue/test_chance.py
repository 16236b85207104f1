"""Chance: the lots of the starting businesses, piles and what is known of them, the tiles for Central Park."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

import pytest
from msgspec.structs import replace

from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.endings import open_results
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import minus
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.components import BLACK, CITY_HALL, COLOURS
from capomastro.games.fifth_avenue.decisions import WITH_ANY_COLOURS, WITH_EVERY_COLOUR, lot_weights
from capomastro.games.fifth_avenue.derived import derived
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.scoring import possible_draws
from capomastro.games.fifth_avenue.state import Pile, State
from tests.games.fifth_avenue.table import TIMES, WEST_34, all_of, cards, hand, happened, played, table, types
from tests.support.playouts import play_out, start


def weights(state: State) -> dict[str, int]:
    here = GAME.decision_at[type(state.stage)]
    assert isinstance(here, ChanceDecision)
    return here.rule.outcomes(state).weights


# --- set-up ----------------------------------------------------------------------------------------------------------


def assignments(every_colour: bool) -> list[tuple[int, ...]]:
    """Every way to give the seven districts colours, none more than twice."""
    fewest = 1 if every_colour else 0
    return [one for one in product(range(5), repeat=7) if all(fewest <= one.count(colour) <= 2 for colour in range(5))]


def test_starting_lots_are_uniform_over_12600_assignments() -> None:
    with_every_colour = assignments(every_colour=True)
    without_that_rule = assignments(every_colour=False)
    assert len(with_every_colour) == 12_600 == WITH_EVERY_COLOUR[(0,) * 5]
    assert len(without_that_rule) == WITH_ANY_COLOURS[(0,) * 5]
    random = Random(3)
    for _ in range(300):
        drawn = random.choice(without_that_rule)
        length = random.randrange(7)
        used = tuple(drawn[:length].count(colour) for colour in range(5))
        following = Counter(one[length] for one in with_every_colour if one[:length] == drawn[:length])
        found = lot_weights(used)
        assert set(found) == {COLOURS[colour] for colour in range(5) if used[colour] < 2}
        if following:
            assert {colour: weight for colour, weight in found.items() if weight} == {
                COLOURS[colour]: number for colour, number in following.items()
            }
        else:
            assert all(found.values()), "without a way to use every colour: any with none more than twice"


def test_a_lot_forbidden_only_by_every_colour_once_has_probability_0_and_is_accepted() -> None:
    state = start(GAME, 3)
    for business, lot in (("gallery", "orange"), ("gallery", "orange"), ("jeweller", "green"), ("jeweller", "green")):
        state = played(state, moves.DrawBusiness(business), moves.DrawLot(lot))
    state = played(state, moves.DrawBusiness("boutique"))
    state = played(state, moves.DrawLot("purple"), moves.DrawBusiness("boutique"))
    assert weights(state)["purple"] == 0
    state = played(state, moves.DrawLot("purple"), moves.DrawBusiness("boutique"))
    assert weights(state) == {"brown": 1, "grey": 1}, "every colour once has become impossible"
    refused = referee.refusal(GAME, state, moves.DrawLot("orange"))
    assert refused is not None
    assert refused.rule == "fifth-avenue.setup.lot-colours"


def test_with_six_lots_the_starting_businesses_are_on_the_sixth_and_no_lot_is_drawn() -> None:
    plies = list(play_out(GAME, 2, {"six_lots": True}, "1"))
    assert not any(isinstance(ply.move, moves.DrawLot) for ply in plies)
    assert all(ply.after.districts[TIMES].colourless.businesses for ply in plies[7:8])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_buildings_are_placed_counter_clockwise_and_back(players: int) -> None:
    placed = [
        ply.move.seat for ply in play_out(GAME, players, {}, "2") if isinstance(ply.move, moves.PlaceFirstBuilding)
    ]
    assert placed == {2: [0, 1, 1, 0], 3: [0, 2, 1, 1, 2, 0], 4: [0, 3, 2, 1, 1, 2, 3, 0]}[players]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_is_one_card_of_each_colour_and_four_black_ones(players: int) -> None:
    plies = list(play_out(GAME, players, {}, "2"))
    dealt = [ply.move.card for ply in plies[: 14 + 20 + 9 * players] if isinstance(ply.move, moves.DealCard)]
    assert [card.rpartition("-")[0] for card in dealt if card] == [*COLOURS, *[BLACK] * 4] * players
    tops = [ply.move.card for ply in plies if isinstance(ply.move, moves.RevealCard)][:5]
    assert [card.rpartition("-")[0] for card in tops] == list(COLOURS)


# --- piles -----------------------------------------------------------------------------------------------------------


def test_new_tops_are_revealed_in_the_order_of_the_colours_after_both_were_taken() -> None:
    state = table(stage=stages.TakeCards(), tops_of={"brown": Pile("brown-6", ()), "green": Pile("green-4", ())})
    state, events = happened(state, moves.TakeCards(0, ("brown", "green")))
    assert [event["cards"] for event in events] == [["green-4", "brown-6"]]
    assert state.seats[0].hand.open == ("brown-6", "green-4")
    assert state.stage == stages.RevealTop()
    assert weights(state) == {"green-4": 4, "green-5": 4, "green-6": 3}
    state = played(state, moves.RevealCard("green-5"))
    assert set(weights(state)) == {"brown-4", "brown-5", "brown-6"}
    assert played(state, moves.RevealCard("brown-4")).stage == stages.MoveCommissioner(3)


def test_when_the_face_down_cards_are_used_up_the_discards_come_in_their_order() -> None:
    state = table(
        stage=stages.TakeCards(),
        hands=[Hand(minus(all_of("grey"), cards("y4 y5 y6"))), "", ""],
        tops_of={"grey": Pile("grey-6", ("grey-4", "grey-5"))},
    )
    assert derived(state).piles["grey"] == 0
    state = played(state, moves.TakeCards(0, ("green", "grey")))
    assert state.piles["grey"] == Pile("grey-4", ("grey-5",))
    assert all(name.startswith("green") for name in weights(state)), "the next grey card is known"


def test_the_next_card_of_a_shuffled_black_pile_is_one_that_was_shuffled_in() -> None:
    black = minus(all_of(BLACK), cards("k4 k4 k6"))
    state = table(
        stage=stages.DrawBlackCard(1, (0,)),
        hands=["", Hand(black[:-1]), ""],
        black_discards=(black[-1],),
        shuffled_in=cards("k4 k4 k6"),
    )
    assert weights(state) == {"black-4": 2, "black-6": 1}
    drawn = played(state, moves.DealCard("black-4"))
    assert drawn.shuffled_in == cards("k4 k4 k6"), "a draw into a hand leaves it unchanged"
    assert weights(replace(drawn, stage=stages.DrawBlackCard(1, (0,)))) == {"black-4": 1, "black-6": 1}
    unseen = played(state, moves.DealCard(None))
    assert unseen.seats[0].hand == hand(black=1)
    assert unseen == replace(GAME.view(drawn, 1), ply=unseen.ply)


def test_the_black_pile_is_shuffled_when_its_last_card_leaves() -> None:
    black = minus(all_of(BLACK), cards("k4 k5 k6"))
    state = table(
        stage=stages.DrawBlackCard(2, (0, 0, 1)),
        hands=["", "", Hand(black)],
        black_discards=cards("k5 k6"),
        districts={WEST_34: "B a1 . c1 ."},
        commissioners=(WEST_34, CITY_HALL),
    )
    state, events = happened(state, moves.DealCard("black-4"))
    assert types(events) == ["card-dealt", "black-pile-shuffled"]
    assert state.stage == stages.DrawBlackCard(2, (0, 1))
    state = played(state, moves.DealCard("black-6"), moves.DealCard("black-5"))
    assert state.stage == stages.MoveCommissioner(3)


def test_draws_from_an_almost_empty_pile_take_what_is_left() -> None:
    black = minus(all_of(BLACK), cards("k4"))
    state = table(hands=["", "", Hand(black)], commissioners=(WEST_34, TIMES), markers=((), (WEST_34,)))
    scored = played(state, moves.ScoreDistrict(0, TIMES), moves.DealCard("black-4"))
    assert scored.stage == stages.MoveCommissioner(3)
    state = table(hands=["", "", Hand(all_of(BLACK))])
    assert played(state, moves.TakeBlackCard(0)).stage == stages.MoveCommissioner(1)


def test_phase_2_takes_one_card_if_one_is_left_and_is_skipped_without_any() -> None:
    gone = {colour: Pile(None, ()) for colour in COLOURS}
    state = table(hands=["", "", Hand(all_of(*COLOURS))], tops_of=gone)
    assert played(state, moves.TakeBuildings(0)).stage == stages.MoveCommissioner(3)
    rest = all_of(*[colour for colour in COLOURS if colour != "grey"])
    state = table(hands=["", "", Hand(rest)], tops_of={**gone, "grey": Pile("grey-4", ())})
    state = played(state, moves.TakeBuildings(0))
    assert list(referee.legal_moves(GAME, state).starting_at(0)) == [moves.TakeCards(0, ("grey",))]


# --- Central Park ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("under", ["GGGJJBPP", "GGGGGGGG", "GJBP", "GGJ", "G", ""])
def test_draws_for_central_park_have_their_exact_probabilities(under: str) -> None:
    tiles = tuple(sorted({"G": "gallery", "J": "jeweller", "B": "boutique", "P": "perfumery"}[one] for one in under))
    every = [
        tuple(sorted(tiles[index] for index in chosen))
        for chosen in combinations(range(len(tiles)), min(3, len(tiles)))
    ]
    expected = {draw: Fraction(number, len(every)) for draw, number in Counter(every).items()}
    assert dict(possible_draws(tiles)) == expected


def test_open_results_agree_with_drawing_tile_by_tile() -> None:
    state = next(ply.before for ply in play_out(GAME, 3, {}, "5") if isinstance(ply.before.stage, stages.DrawParkTile))
    answer = open_results(GAME, state)
    assert answer is not None
    outcomes = {tuple(one["tiles"]): (Fraction(one["probability"]), one["result"]) for one in answer["outcomes"]}
    assert sum(probability for probability, _ in outcomes.values()) == 1
    reached: Counter[tuple[str, ...]] = Counter()
    for draw in set(permutations(state.under_central_park, 3)):
        probability, there = Fraction(1), state
        for tile in draw:
            possible = weights(there)
            probability *= Fraction(possible[tile], sum(possible.values()))
            there = played(there, moves.DrawBusiness(tile))
        reached[tuple(sorted(draw))] += probability  # type: ignore[assignment]
        assert GAME.result(there) == outcomes[tuple(sorted(draw))][1]
    assert reached == {draw: probability for draw, (probability, _) in outcomes.items()}
    assert open_results(GAME, table()) is None
