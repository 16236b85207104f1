"""The steps of a turn, rows of markers, and the variant for two players."""

from capomastro.engine.hands import Hand
from capomastro.games.campanile import moves, stages
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.state import State
from tests.games.campanile.table import hand, legal, offered, options, played, rows, table, tower, towers
from tests.support.playouts import start

# --- set-up ----------------------------------------------------------------------------------------------------------


def test_three_cards_go_to_seat_0_then_three_to_seat_1_then_three_are_turned_up() -> None:
    state = start(GAME, 2)
    for card in "aabbbc":
        assert state.stage == stages.DealCard()
        state = played(state, moves.DealCard(card))
    assert [seat.hand for seat in state.seats] == [hand("aab"), hand("bbc")]
    for card in "dde":
        assert state.stage == stages.RevealSetupCard()
        state = played(state, moves.RevealCard(card))
    assert state.display == ("d", "d", "e")
    assert state.stage == stages.PlayCard()
    assert state.active_seat == 0


def test_options_are_filled_in() -> None:
    assert [start(GAME, players).options.intermezzo_after for players in GAME.players] == [12, 25, 24, 22]
    assert start(GAME, 2, {"intermezzo_after": None}).options == options(after=None)
    assert start(GAME, 3).options == options(after=25)


# --- A, B, C ---------------------------------------------------------------------------------------------------------


def test_a_whole_turn() -> None:
    state = table(hands=["aab", "ccd"], display="bce")
    assert offered(state) == [moves.PlayCard(0, card, floors) for card in "ab" for floors in (1, 2, 3)]
    state = played(state, moves.PlayCard(0, "a", 2))
    assert state.towers["a"] == tower("2/1")
    assert state.stage == stages.PlaceMarker(2)
    assert offered(state) == [*(moves.PlaceMarker(0, style) for style in "bce"), moves.NoMarker(0)]
    state = played(state, moves.PlaceMarker(0, "e"))
    assert state.towers["e"] == tower("0 0M"), "also under a bare tower, and not the one just raised"
    assert offered(state) == [moves.TakeCard(0, card) for card in "bce"]
    state = played(state, moves.TakeCard(0, "e"))
    assert state.seats[0].hand == hand(closed="ab", opened="e")
    assert state.display == ("b", "c")
    assert state.stage == stages.RefillDisplay()
    state = played(state, moves.RevealCard("b"))
    assert (state.display, state.stage, state.active_seat) == (("b", "b", "c"), stages.PlayCard(), 1)
    assert state.ply == 9 + 4


def test_a_card_known_to_all_is_played_before_an_equal_secret_one() -> None:
    state = played(table(hands=[hand("ab", "a"), "ccd"]), moves.PlayCard(0, "a", 1))
    assert state.seats[0].hand == hand("ab")


def test_without_usable_markers_the_step_is_skipped() -> None:
    state = table(hands=["aab", "ccd"], towers=towers(b="9 0L"))
    assert played(state, moves.PlayCard(0, "a", 3)).stage == stages.TakeCard()
    assert played(state, moves.PlayCard(0, "a", 2)).stage == stages.PlaceMarker(2)
    state = table(hands=["aab", "ccd"], towers=towers(b="9 0MM", c="6 0M"))
    assert played(state, moves.PlayCard(0, "a", 2)).stage == stages.TakeCard()
    state = table(hands=["aab", "ccd"], towers=towers(b="9 0SSSSS"))
    assert played(state, moves.PlayCard(0, "a", 1)).stage == stages.TakeCard()


def test_going_without_a_marker() -> None:
    state = played(table(), moves.PlayCard(0, "a", 1), moves.NoMarker(0))
    assert state.stage == stages.TakeCard()
    assert state.towers["c"].rows == ()


def test_equal_cards_of_the_display_are_offered_once() -> None:
    state = table(display="ddd", stage=stages.PlaceMarker(1))
    assert offered(state) == [moves.PlaceMarker(0, "d"), moves.NoMarker(0)]
    assert offered(played(state, moves.NoMarker(0))) == [moves.TakeCard(0, "d")]


def test_a_new_row_ranks_last_and_a_second_marker_joins_the_row() -> None:
    state = table(stage=stages.PlaceMarker(1), towers=towers(c="3 1L"))
    state = played(state, moves.PlaceMarker(0, "c"))
    assert state.towers["c"].rows == rows("1L 0S")
    again = table(stage=stages.PlaceMarker(2), towers=state.towers, active_seat=1)
    assert played(again, moves.PlaceMarker(1, "c")).towers["c"].rows == rows("1LM 0S")


def test_towers_have_no_limit_but_their_cards() -> None:
    state = table(hands=["aab", "ccd", "eee"], towers=towers(a="30/10"))
    assert played(state, moves.PlayCard(0, "a", 3)).towers["a"].height == 33


# --- views and unknown cards -----------------------------------------------------------------------------------------


def test_dealt_cards_are_closed_and_taken_ones_open_in_every_view() -> None:
    state = played(table(hands=["aab", "ccd"]), moves.PlayCard(0, "a", 1), moves.NoMarker(0), moves.TakeCard(0, "c"))
    assert GAME.view(state, 0).seats[0].hand == hand("ab", "c")
    assert GAME.view(state, 1).seats[0].hand == Hand(("c",), (), {"deck": 2})
    assert GAME.view(state, None).seats[1].hand == Hand((), (), {"deck": 3})


def test_of_unknown_cards_only_the_known_ones_are_offered_but_every_possible_one_is_accepted() -> None:
    state = table(hands=[hand(opened="b", unknown=2), "ccd"], towers=towers(a="6/6"))
    assert offered(state) == [moves.PlayCard(0, "b", floors) for floors in (1, 2, 3)]
    assert legal(state, moves.PlayCard(0, "e", 3))
    assert not legal(state, moves.PlayCard(0, "a", 1)), "all six are in the tower"
    after = played(state, moves.PlayCard(0, "e", 3))
    assert after.seats[0].hand == hand(opened="b", unknown=1)


def test_views_do_not_depend_on_other_hands() -> None:
    one, other = table(hands=["aab", "ccd", "bde"]), table(hands=["aab", "bee", "ddd"])
    for first, second in (
        (one, other),
        (played(one, moves.PlayCard(0, "a", 2)), played(other, moves.PlayCard(0, "a", 2))),
    ):
        view, same = GAME.view(first, 0), GAME.view(second, 0)
        assert view == same
        assert GAME.derived(view) == GAME.derived(same)
        assert GAME.derived(view) == GAME.derived(first)
        assert offered(view) == offered(same)


# --- the variant -----------------------------------------------------------------------------------------------------


def variant(texts: dict[str, str], display: str = "cde", floors: int = 2) -> State:
    """Seat 0 has just raised a tower of a game with the variant."""
    return table(
        stage=stages.PlaceMarker(floors),
        hands=["ab", "bcc"],
        options=options(after=12, variant=True),
        towers=towers(**texts),
        display=display,
    )


def test_a_medium_marker_is_moved_instead_of_placed() -> None:
    state = variant({"a": "5 0M 1M"})
    assert offered(state) == [
        *(moves.PlaceMarker(0, style) for style in "cde"),
        *(moves.MoveMarker(0, "a", style) for style in "cde"),
        moves.NoMarker(0),
    ]
    after = played(state, moves.MoveMarker(0, "a", "d"))
    assert after.towers["a"].rows == rows("1M")
    assert after.towers["d"].rows == rows("0M")
    assert after.stage == stages.TakeCard()


def test_at_the_destination_it_ranks_as_new_or_joins_the_row() -> None:
    state = variant({"a": "5 0M", "d": "3 1S", "e": "4 0S 1S"})
    assert played(state, moves.MoveMarker(0, "a", "d")).towers["d"].rows == rows("1S 0M")
    assert played(state, moves.MoveMarker(0, "a", "e")).towers["e"].rows == rows("0MS 1S")


def test_an_emptied_row_loses_its_rank_and_any_other_keeps_it() -> None:
    state = variant({"a": "9 0M 1M", "c": "2 0SM 1M"}, display="acd")
    emptied = played(state, moves.MoveMarker(0, "a", "d"))
    assert emptied.towers["a"].rows == rows("1M")
    again = table(
        stage=stages.PlaceMarker(2),
        hands=["ab", "bcc"],
        options=options(after=12, variant=True),
        towers=emptied.towers,
        display="aac",
    )
    assert played(again, moves.MoveMarker(0, "d", "a")).towers["a"].rows == rows("1M 0M"), "he comes last now"
    kept = played(state, moves.MoveMarker(0, "c", "d"))
    assert kept.towers["c"].rows == rows("0S 1M"), "though the medium one may have been the first"


def test_moving_needs_no_medium_marker_in_reserve() -> None:
    state = variant({"a": "6 0MM", "b": "4 0M"})
    assert offered(state) == [
        *(moves.MoveMarker(0, source, style) for source in "ab" for style in "cde"),
        moves.NoMarker(0),
    ]


def test_the_step_is_skipped_when_nothing_can_be_placed_or_moved() -> None:
    def raised(display: str, floors: int) -> stages.AnyStage:
        state = table(
            hands=["aab", "bcc"],
            options=options(after=12, variant=True),
            towers=towers(d="9 0MMM"),
            display=display,
        )
        return played(state, moves.PlayCard(0, "a", floors)).stage

    assert raised("ddd", 2) == stages.TakeCard()
    assert raised("cdd", 2) == stages.PlaceMarker(2)
    assert raised("ddd", 1) == stages.PlaceMarker(1)


def test_the_source_may_be_the_tower_just_raised_and_need_not_be_in_the_display() -> None:
    state = table(hands=["aab", "bcc"], options=options(after=12, variant=True), towers=towers(a="3 0M"), display="cde")
    state = played(state, moves.PlayCard(0, "a", 2))
    assert legal(state, moves.MoveMarker(0, "a", "c"))
