"""What the moves do: the three actions, the end, and what is known afterwards."""

from typing import Any

import pytest
from msgspec.structs import replace

from capomastro.engine import referee
from capomastro.engine.hands import Hand
from capomastro.engine.moves import Move, type_of
from capomastro.engine.multisets import minus
from capomastro.engine.stages import GameOver
from capomastro.games.palazzo import events, moves, stages
from capomastro.games.palazzo.auction import total_bid
from capomastro.games.palazzo.components import MONEY, TILES
from capomastro.games.palazzo.decisions import price
from capomastro.games.palazzo.game import GAME
from capomastro.games.palazzo.state import Options, State
from tests.games.palazzo.table import audited, cards, hand, legal, offered, played, refusal, table, tiles
from tests.support.playouts import start

ALL_MONEY = tuple(card for card, number in MONEY.items() for _ in range(number))
ALL_TILES = tuple(tile for tile, number in TILES.items() for _ in range(number))


def happened(state: State, move: Move) -> list[str]:
    """The types of the events of a move."""
    return [type_of(type(event)) for event in referee.play(GAME, state, move)[1]]


# --- the box and the set-up ------------------------------------------------------------------------------------------


def test_the_box_matches_the_rulebook() -> None:
    assert (len(ALL_TILES), len(TILES), len(ALL_MONEY), len(MONEY)) == (48, 45, 55, 16)
    assert {tile for tile, number in TILES.items() if number == 2} == set(tiles("b31 s31 m31"))
    assert MONEY["certificate-2"] == 10
    assert all(number == 3 for card, number in MONEY.items() if card != "certificate-2")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_five_tiles_are_laid_out_and_four_cards_dealt_to_each_seat_in_turn(players: int) -> None:
    state = start(GAME, players, {"builder": 3})
    assert state.stage == stages.DrawSetupTile()
    for number, tile in enumerate(tiles("b11 b12 b13 b21 b22")):
        assert state.stage == stages.DrawSetupTile()
        state = played(state, moves.DrawTile(tile))
        assert sum(map(len, state.quarries)) == min(number + 1, 4)
    assert state.quarries == tuple((tile,) for tile in tiles("b11 b12 b13 b21"))
    assert state.supply == tiles("b22")
    for seat in range(players):
        for number in range(4):
            assert state.stage == stages.DealCard()
            assert state.seats[seat].hand.size == number
            state = played(state, moves.DealCard("certificate-2" if seat < 2 else f"red-{number + 3}"))
    assert state.stage == stages.ChooseAction()
    assert (state.active_seat, state.builder, state.ply) == (0, 3, 5 + 4 * players)
    assert all(seat.hand.closed and not seat.hand.open for seat in state.seats)


# --- take money ------------------------------------------------------------------------------------------------------


def test_one_card_more_than_players_the_active_seat_takes_two_the_others_one_each() -> None:
    state = table(hands=["", "", ""], active_seat=1)
    state = played(state, moves.TakeMoney(1))
    for number, card in enumerate(cards("b3 c g7 r5")):
        assert isinstance(state.stage, stages.RevealCard)
        assert len(state.stage.face_up) == number
        state = played(state, moves.RevealCard(card))
    assert state.stage == stages.ChooseTwoCards(cards("b3 c g7 r5"))
    assert len(offered(state)) == 6
    state = played(state, moves.TakeTwoCards(1, cards("g7 c")))
    assert state.stage == stages.ChooseCard(2, cards("b3 r5"))
    state = played(state, moves.TakeCard(2, "red-5"))
    assert offered(state) == [moves.TakeCard(0, "blue-3")]
    state = played(state, moves.TakeCard(0, "blue-3"))
    assert [seat.hand for seat in state.seats] == [hand(opened="b3"), hand(opened="g7 c"), hand(opened="r5")]
    assert (state.active_seat, state.stage) == (2, stages.ChooseAction())


def test_equal_cards_of_the_row_are_offered_once() -> None:
    state = table(stage=stages.ChooseTwoCards(cards("c c r3")))
    assert [move.cards for move in offered(state)] == [cards("c c"), cards("c r3")]  # type: ignore[attr-defined]


def test_a_reshuffle_in_the_middle_of_the_row() -> None:
    state = table(stage=stages.RevealCard(()), hands=[Hand((), ALL_MONEY[:40]), ""], discards=ALL_MONEY[40:53])
    state = played(state, moves.RevealCard("red-7"))
    assert state.discards == ALL_MONEY[40:53]
    assert "deck-shuffled" in happened(state, moves.RevealCard("red-7"))
    state = played(state, moves.RevealCard("red-7"))
    assert (state.discards, state.shuffled_in) == ((), ALL_MONEY[40:53])
    assert refusal(state, moves.RevealCard(ALL_MONEY[0])) is not None
    state = played(state, moves.RevealCard(ALL_MONEY[40]))
    assert state.shuffled_in == ALL_MONEY[41:53]
    assert isinstance(state.stage, stages.ChooseTwoCards)
    assert audited(state) == []


def test_discards_that_reach_an_empty_deck_become_the_deck_at_once() -> None:
    state = table(hands=[Hand((), ALL_MONEY), ""], palaces=[["b12", "m12"]], shuffled_in=())
    assert not legal(state, moves.TakeMoney(0))
    after = played(state, moves.RebuildRemove(0, "red-7", 1))
    assert (after.discards, after.shuffled_in) == ((), ("red-7",))
    assert audited(after) == []


def test_taking_money_needs_players_plus_one_cards_in_deck_and_discards() -> None:
    for there, available in ((3, False), (4, True)):
        rest = ALL_MONEY[: 55 - there]
        state = table(hands=[Hand((), rest[:20]), Hand((), rest[20:]), ""], discards=ALL_MONEY[54:])
        assert legal(state, moves.TakeMoney(0)) == available


# --- build -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("builder", [0, 1, 2, 3])
@pytest.mark.parametrize("windows", [1, 2, 3])
def test_the_second_tile_goes_as_many_quarries_clockwise_as_it_has_windows(builder: int, windows: int) -> None:
    state = played(table(builder=builder, supply="m11"), moves.Build(0), moves.DrawTile(f"brick-2-{windows}"))
    assert state.supply == (f"brick-2-{windows}", "marble-1-1")
    state = played(state, moves.DrawTile(f"brick-4-{windows}"))
    assert state.quarries[(builder + windows) % 4] == (f"brick-4-{windows}",)
    assert state.stage == stages.BuyOrAuction()


@pytest.mark.parametrize(
    ("drawn", "supply", "quarry", "riders"),
    [
        (("rider", "brick-1-2"), (), ("brick-1-2",), 1),
        (("brick-1-2", "rider"), ("brick-1-2",), (), 1),
        (("rider", "rider"), (), (), 2),
    ],
)
def test_a_rider_is_laid_aside_and_the_order_of_drawing_decides(
    drawn: tuple[str, str], supply: tuple[str, ...], quarry: tuple[str, ...], riders: int
) -> None:
    removed = tuple(sorted(set(ALL_TILES) - {"brick-1-2"}))[:32]
    state = table(stage=stages.DrawFirstTile(), removed=removed)
    state = played(state, *map(moves.DrawTile, drawn))
    assert (state.supply, state.quarries[2], state.riders) == (supply, quarry, riders)
    assert state.stage == stages.BuyOrAuction()


def last_stack(stage: stages.DrawFirstTile | stages.DrawSecondTile, riders: int) -> State:
    return table(stage=stage, removed=ALL_TILES[:40], riders=riders, palaces=[["s53"]])


def test_the_fifth_rider_ends_the_game_at_once_first_or_second() -> None:
    first = played(last_stack(stages.DrawFirstTile(), 4), moves.DrawTile("rider"))
    assert (first.stage, first.riders) == (GameOver(), 5)
    assert referee.decision(GAME, first).actor == "none"
    second = last_stack(stages.DrawFirstTile(), 3)
    second = played(second, moves.DrawTile("rider"))
    assert second.stage == stages.DrawSecondTile()
    assert happened(second, moves.DrawTile("rider")) == ["rider-drawn", "palace-scored", "game-over"]
    assert played(second, moves.DrawTile("rider")).stage == GameOver()
    after_a_tile = played(
        last_stack(stages.DrawFirstTile(), 4), moves.DrawTile("sandstone-5-2"), moves.DrawTile("rider")
    )
    assert after_a_tile.stage == GameOver()
    assert after_a_tile.supply == tiles("s52")


def test_with_an_empty_supply_or_too_little_money_only_the_auction_is_legal() -> None:
    assert offered(table(stage=stages.BuyOrAuction(), hands=["r7 r7", ""])) == [moves.CallAuction(0)]
    assert offered(table(stage=stages.BuyOrAuction(), supply="b12", hands=["r7", ""])) == [moves.CallAuction(0)]


@pytest.mark.parametrize(
    ("on_supply", "one", "two"), [(1, 9, 18), (2, 8, 16), (9, 1, 2), (10, 0, 0), (11, 0, 0), (14, 0, 0)]
)
def test_a_tile_costs_ten_less_the_tiles_on_the_supply_but_never_less_than_nothing(
    on_supply: int, one: int, two: int
) -> None:
    state = table(stage=stages.BuyOrAuction())
    state = replace(state, supply=tuple(sorted(set(ALL_TILES)))[:on_supply])
    assert (price(state, 1), price(state, 2)) == (one, two)


def test_bought_tiles_are_placed_one_by_one_in_any_order() -> None:
    state = table(stage=stages.BuyOrAuction(), supply="b12 b23", hands=["r7 r7 c", ""])
    state = played(state, moves.Buy(0, tiles("b12 b23"), cards("r7 r7 c")))
    assert state.supply == ()
    upside_down = played(state, moves.BeginPalace(0, "brick-2-3"))
    assert not legal(upside_down, moves.PlaceOnTop(0, "brick-1-2", 0))
    built = played(upside_down, moves.ThrowAway(0, "brick-1-2"))
    assert minus(built.removed, state.removed) == tiles("b12")
    assert built.seats[0].palaces == (tiles("b23"),)
    assert (built.active_seat, built.stage) == (1, stages.ChooseAction())
    stacked = played(state, moves.BeginPalace(0, "brick-1-2"), moves.PlaceOnTop(0, "brick-2-3", 0))
    assert stacked.seats[0].palaces == (tiles("b12 b23"),)


def test_overpaying_gives_no_change_and_is_offered_only_among_all_payments() -> None:
    state = table(stage=stages.BuyOrAuction(), supply="b12 b23 m11", hands=["r7 r7", ""])
    lavish = moves.Buy(0, tiles("b12"), cards("r7 r7"))
    assert legal(state, lavish)
    assert lavish not in offered(state)
    assert lavish in offered(state, all_payments=True)
    assert played(state, lavish).discards == cards("r7 r7")


# --- auction ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("builder", "full", "to"), [(0, 1, 1), (3, 1, 1), (1, 1, 1), (2, 3, 3)])
def test_the_builder_moves_clockwise_to_the_next_quarry_with_tiles(builder: int, full: int, to: int) -> None:
    quarries = ["", "", "", ""]
    quarries[full] = "b12 m11"
    state = table(stage=stages.BuyOrAuction(), builder=builder, quarries=quarries, hands=["", "", ""])
    after = played(state, moves.CallAuction(0))
    assert after.builder == to
    assert after.stage == stages.RaiseOrPass(1, (stages.Bid(), stages.Bid(), stages.Bid()))


def test_an_auction_with_nothing_to_sell_ends_the_turn_and_the_builder_stays() -> None:
    after = played(table(stage=stages.BuyOrAuction(), builder=2), moves.CallAuction(0))
    assert (after.builder, after.active_seat, after.stage) == (2, 1, stages.ChooseAction())


def auction(*hands: str, active_seat: int = 0) -> State:
    drawn: dict[str, Any] = {"supply": "m42", "quarries": ("", "b12 m11", "", "")}
    state = table(stage=stages.BuyOrAuction(), hands=hands, active_seat=active_seat, **drawn)
    return played(state, moves.CallAuction(active_seat))


def test_if_all_pass_the_opener_gets_the_tiles_for_the_certificate_alone() -> None:
    state = played(auction("r3", "r7", "", active_seat=2), moves.Pass(0), moves.Pass(1))
    assert state.stage == stages.PlaceTile(2, tiles("b12 m11"), distribution=False)
    assert (state.discards, state.seats[2].hand.size, state.quarries[1]) == ((), 0, ())


def test_the_winner_discards_their_cards_and_the_player_left_of_the_active_one_is_next() -> None:
    state = auction("r7", "r6 c", "g4 c", active_seat=0)
    state = played(state, moves.Raise(1, cards("r6")), moves.Pass(2))
    state = played(state, moves.Raise(0, cards("r7")))
    state = played(state, moves.Pass(1))
    assert state.stage == stages.PlaceTile(0, tiles("b12 m11"), distribution=False)
    assert state.discards == cards("r7")
    assert state.seats[1].hand == hand("c", opened="r6")
    state = auction("r7", "r6 c", "g4 c", active_seat=0)
    state = played(state, moves.Pass(1), moves.Raise(2, cards("g4 c")), moves.Pass(0))
    assert state.stage == stages.PlaceTile(2, tiles("b12 m11"), distribution=False)
    state = played(state, moves.ThrowAway(2, "brick-1-2"), moves.BeginPalace(2, "marble-1-1"))
    assert (state.active_seat, state.stage) == (1, stages.ChooseAction())


def test_cards_of_a_bid_are_open_once_they_are_taken_back() -> None:
    state = auction("", "r6 c", "g7")
    state = played(state, moves.Raise(1, cards("c r6")))
    assert state.seats[1].hand == Hand()
    state = played(state, moves.Pass(2), moves.Pass(0))
    assert state.discards == cards("c r6")
    state = played(auction("r7", "r6 c", ""), moves.Raise(1, cards("r6")), moves.Pass(2), moves.Raise(0, cards("r7")))
    state = played(state, moves.Pass(1))
    assert state.seats[1].hand == hand("c", opened="r6")


def test_an_opener_who_has_passed_has_no_bid_left() -> None:
    state = played(auction("r4", "r5", "b6"), moves.Raise(1, cards("r5")), moves.Raise(2, cards("b6")), moves.Pass(0))
    assert isinstance(state.stage, stages.RaiseOrPass)
    assert [total_bid(state, seat) for seat in range(3)] == [0, 5, 6]
    assert audited(state) == []


def test_a_bid_must_be_above_the_highest_and_the_opening_is_three() -> None:
    state = auction("", "r3 c c g4 r4", "")
    assert not legal(state, moves.Raise(1, cards("r3")))
    assert legal(state, moves.Raise(1, cards("r4")))
    assert legal(state, moves.Raise(1, cards("c c")))
    assert legal(state, moves.Raise(1, cards("c r3")))
    assert not legal(state, moves.Raise(1, cards("r3 g4")))


def test_the_certificate_of_the_opener_counts_until_they_pass() -> None:
    state = played(auction("c r4", "r5", "c c c"), moves.Raise(1, cards("r5")), moves.Pass(2))
    assert legal(state, moves.Raise(0, cards("r4")))  # 3 + 4 = 7
    assert not legal(state, moves.Raise(0, cards("c")))  # 3 + 2 = 5


def test_a_group_counts_only_within_one_play_and_does_not_lock_a_currency() -> None:
    state = played(auction("", "c c c r4 g4 b4 r7 g7", "r7 r7 r6"), moves.Raise(1, cards("c c")))
    state = played(state, moves.Raise(2, cards("r7")), moves.Pass(0))
    refused = refusal(state, moves.Raise(1, cards("c")))  # 4 + 2, not 15
    assert refused is not None
    assert refused.values == {"bid": 6, "highest": 7}
    state = played(state, moves.Raise(1, cards("r4 g4 b4")))  # 19
    state = played(state, moves.Raise(2, cards("r7 r6")))  # 20
    assert legal(state, moves.Raise(1, cards("g7")))
    assert legal(state, moves.Raise(1, cards("r7")))


def test_the_currency_is_locked_across_the_plays_of_one_auction_but_not_for_certificates_and_groups() -> None:
    state = played(auction("", "r4 r5 g7 c c", "b5 b7"), moves.Raise(1, cards("r4")), moves.Raise(2, cards("b5")))
    state = played(state, moves.Pass(0))
    assert not legal(state, moves.Raise(1, cards("g7")))
    assert legal(state, moves.Raise(1, cards("r5")))
    assert legal(state, moves.Raise(1, cards("c c")))
    state = played(state, moves.Raise(1, cards("c")))
    state = played(state, moves.Raise(2, cards("b7")))
    assert not legal(state, moves.Raise(1, cards("g7")))


# --- distribution ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_four_tiles_are_distributed_clockwise_from_the_active_seat(players: int) -> None:
    hands = ("",) * players
    four = "b12 b23 m11 s53"
    drawn = table(stage=stages.BuyOrAuction(), quarries=("", "", "", four), hands=hands, active_seat=players - 1)
    state = played(drawn, moves.CallAuction(players - 1))
    for number in range(players):
        seat = (players - 1 + number) % players
        assert state.stage == stages.ChooseTile(seat)
        tile = state.quarries[3][0]
        state = played(state, moves.TakeTile(seat, tile))
        assert state.stage == stages.PlaceTile(seat, (tile,), distribution=True)
        state = played(state, moves.ThrowAway(seat, tile) if number == 0 else moves.BeginPalace(seat, tile))
    assert len(state.removed) == len(drawn.removed) + 4 - players + 1
    assert (state.active_seat, state.stage) == (0, stages.ChooseAction())
    assert audited(state) == []


# --- rebuild ---------------------------------------------------------------------------------------------------------


def rebuilt(move: Move) -> tuple[tuple[str, ...], ...]:
    state = table(hands=["r3 r3", ""], palaces=[["b12 m22 s33", "s41", "b22", "m31"]])
    after = played(state, move)
    assert (after.discards, after.active_seat, after.stage) == (cards("r3"), 1, stages.ChooseAction())
    assert minus(after.removed, state.removed) == (tiles("s41") if isinstance(move, moves.RebuildRemove) else ())
    return after.seats[0].palaces


@pytest.mark.parametrize(
    ("move", "palaces"),
    [
        (moves.RebuildTakeOut(0, "red-3", 0, "brick-1-2"), "m22 s33|s41|b22|m31|b12"),
        (moves.RebuildTakeOut(0, "red-3", 0, "marble-2-2"), "b12 s33|s41|b22|m31|m22"),
        (moves.RebuildTakeOut(0, "red-3", 0, "sandstone-3-3"), "b12 m22|s41|b22|m31|s33"),
        (moves.RebuildInsert(0, "red-3", 1, 0), "b12 m22 s33 s41|b22|m31"),
        (moves.RebuildInsert(0, "red-3", 2, 1), "b12 m22 s33|b22 s41|m31"),
        (moves.RebuildInsert(0, "red-3", 1, 2), "b12 m22 s33|b22 s41|m31"),
        (moves.RebuildInsert(0, "red-3", 3, 1), "b12 m22 s33|m31 s41|b22"),
        (moves.RebuildRemove(0, "red-3", 1), "b12 m22 s33|b22|m31"),
    ],
)
def test_tiles_are_taken_out_inserted_and_removed(move: Move, palaces: str) -> None:
    assert rebuilt(move) == tuple(tiles(palace) for palace in palaces.split("|"))


def test_events_name_palaces_as_they_are_counted_afterwards() -> None:
    state = table(hands=["r3", ""], palaces=[["b12", "m22 s33", "s41"]])
    _, (paid, inserted) = referee.play(GAME, state, moves.RebuildInsert(0, "red-3", 0, 1))
    assert paid == events.CardPaid(0, "red-3")
    assert inserted == events.TileInserted(0, "brick-1-2", 0)
    _, (_, inserted) = referee.play(GAME, state, moves.RebuildInsert(0, "red-3", 2, 1))
    assert inserted == events.TileInserted(0, "sandstone-4-1", 1)
    _, (_, taken_out) = referee.play(GAME, state, moves.RebuildTakeOut(0, "red-3", 1, "marble-2-2"))
    assert taken_out == events.TileTakenOut(0, "marble-2-2", 1, 3)


def test_every_rebuilding_is_offered_for_every_kind_of_card() -> None:
    state = table(hands=["r3 r3 c", ""], palaces=[["b12 m22", "s41"]])
    changes: list[Move] = [
        moves.RebuildTakeOut(0, "c", 0, "brick-1-2"),
        moves.RebuildTakeOut(0, "c", 0, "marble-2-2"),
        moves.RebuildInsert(0, "c", 1, 0),
        moves.RebuildRemove(0, "c", 1),
    ]
    wanted = {replace(change, card=card) for change in changes for card in cards("r3 c")}
    rebuilding = [move for move in offered(state) if not isinstance(move, moves.TakeMoney | moves.Build)]
    assert set(rebuilding) == wanted
    assert len(rebuilding) == len(wanted)


def test_paying_for_a_rebuilding_can_empty_the_hand() -> None:
    before = table(hands=["r3", ""], palaces=[["b12"]])
    after = played(before, moves.RebuildRemove(0, "red-3", 0))
    assert after.seats[0] == after.seats[1]
    assert minus(after.removed, before.removed) == tiles("b12")


# --- hands that are not fully known ----------------------------------------------------------------------------------


def test_a_card_can_be_played_from_an_unknown_hand_and_is_known_then() -> None:
    state = table(
        stage=stages.RaiseOrPass(1, (stages.Bid(), stages.Bid())),
        quarries=("m11", "", "", ""),
        hands=["", hand(unknown=3, opened="r4")],
    )
    assert legal(state, moves.Raise(1, cards("r7 r4")))
    assert not legal(state, moves.Raise(1, cards("r7 r7 r7 r6")))
    after = played(state, moves.Raise(1, cards("r7 r4")))
    assert after.seats[1].hand == hand(unknown=2)
    back = played(after, moves.Pass(0))
    assert back.discards == cards("r4 r7")


def test_cards_leave_from_open_first_then_closed_then_unknown() -> None:
    state = table(hands=[hand("r3", opened="r3", unknown=1), ""], palaces=[["b12", "b13", "b11"]])
    for expected in (hand("r3", unknown=1), hand(unknown=1), hand()):
        state = played(state, moves.RebuildRemove(0, "red-3", 0))
        assert state.seats[0].hand == expected
        state = table(hands=[state.seats[0].hand, ""], palaces=[["b12"]], discards=state.discards)


def test_a_card_that_is_visible_elsewhere_cannot_come_from_an_unknown_hand() -> None:
    state = table(hands=[hand(unknown=4), "r3 r3"], palaces=[["b12"]], discards=cards("r3"))
    refused = refusal(state, moves.RebuildRemove(0, "red-3", 0))
    assert refused is not None
    assert refused.rule == "palazzo.money.hand"
    assert legal(state, moves.RebuildRemove(0, "red-4", 0))


def test_a_card_that_must_be_in_the_deck_cannot_come_from_an_unknown_hand() -> None:
    # all three red sevens were shuffled in, and none has been turned up since
    deck, unknown = cards("r7 r7 r7 c"), cards("b3 b4")
    rest = list(ALL_MONEY)
    for card in (*deck, *unknown):
        rest.remove(card)
    state = table(hands=[hand(unknown=2), ""], palaces=[["b12"]], shuffled_in=deck, discards=tuple(rest))
    assert audited(state) == []
    assert not legal(state, moves.RebuildRemove(0, "red-7", 0))
    assert not legal(state, moves.RebuildRemove(0, "certificate-2", 0))
    assert legal(state, moves.RebuildRemove(0, "blue-3", 0))


def test_moves_from_known_cards_are_offered_and_no_kind_is_called_unavailable_for_unknown_ones() -> None:
    state = table(stage=stages.BuyOrAuction(), supply="b12", hands=[hand("c", unknown=2), ""])
    assert offered(state) == [moves.CallAuction(0)]
    assert legal(state, moves.Buy(0, tiles("b12"), cards("r7 c")))
    assert list(referee.unavailable_kinds(GAME, state)) == []
    bidding = table(
        stage=stages.RaiseOrPass(1, (stages.Bid(), stages.Bid())),
        quarries=("m11", "", "", ""),
        hands=["", hand(unknown=1)],
    )
    assert list(referee.unavailable_kinds(GAME, bidding)) == []


def test_options_have_defaults_and_extremes_are_accepted() -> None:
    assert start(GAME, 2).options == Options((16, 16, 16), 0)
    assert GAME.why_not_options(2, Options((48, 0, 0), 3)) is None
    assert GAME.why_not_options(4, Options((5, 43, 0), 3)) is None
