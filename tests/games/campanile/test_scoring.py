"""Positions worked by hand: who gets which token from which tower, and who wins."""

from itertools import chain

import pytest

from capomastro.engine.endings import open_results
from capomastro.games.campanile import stages
from capomastro.games.campanile.components import (
    FINITO_FLAGS,
    FINITO_FLAGS_OF_TWO,
    INTERMEZZO_FLAGS,
    INTERMEZZO_FLAGS_OF_TWO,
    TOKENS,
)
from capomastro.games.campanile.decisions import RefillDisplayRule
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.moves import RevealCard
from capomastro.games.campanile.scoring import Scoring, finito, intermezzo, lines, ranking
from capomastro.games.campanile.state import State
from tests.games.campanile.table import options, played, scoresheet, table, towers
from tests.support.documents import as_document

ORDER = tuple("abcde")


def won(scoring: Scoring) -> list[tuple[int, str | None, int]]:
    """Seat, tower and token, from the highest tower down."""
    return [(seat, line.tower, line.points) for seat, line in lines(scoring)]


# --- the tables against the rulebook ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "number"),
    [(INTERMEZZO_FLAGS_OF_TWO, FINITO_FLAGS_OF_TWO, 16), (INTERMEZZO_FLAGS, FINITO_FLAGS, 17)],
)
def test_if_every_award_is_claimed_the_tokens_are_those_of_the_box(
    first: tuple[tuple[int, ...], ...], second: tuple[tuple[int, ...], ...], number: int
) -> None:
    awards = [*chain(*first), *chain(*second)]
    assert len(awards) == number
    assert sum(TOKENS.values()) == 17
    counts = {value: awards.count(value) for value in TOKENS}
    assert all(counts[value] <= TOKENS[value] for value in TOKENS)
    assert (counts == TOKENS) == (number == 17)


@pytest.mark.parametrize(
    ("players", "first", "second"),
    [
        (2, ["4/2", "3/2", "2/1", "1", ""], ["6/3", "5/2", "4/1", "3/1", "2"]),
        *((players, ["4/2", "3/1", "2", "1", ""], ["6/4/2", "5/3/1", "4/2", "3/1", "2"]) for players in (3, 4, 5)),
    ],
)
def test_the_flags_are_those_of_the_rulebook(players: int, first: list[str], second: list[str]) -> None:
    everywhere = towers(a="5", b="4", c="3", d="2", e="1")
    for scoring, expected in (
        (intermezzo(players, ORDER, everywhere), first),
        (finito(players, ORDER, everywhere), second),
    ):
        assert [tower.tower for tower in scoring.towers] == list("abcde")
        assert ["/".join(map(str, tower.flag)) for tower in scoring.towers] == expected


# --- towers ----------------------------------------------------------------------------------------------------------


def test_of_two_equally_high_towers_the_one_nearer_to_the_display_is_higher() -> None:
    level = towers(b="6 0S", d="6 1S", e="9")
    assert ranking(ORDER, level) == ["e", "b", "d", "a", "c"]
    assert ranking(tuple("cedba"), level) == ["e", "d", "b", "c", "a"]
    assert won(intermezzo(3, ORDER, level)) == [(0, "b", 3), (1, "d", 2)]
    assert won(intermezzo(3, tuple("cedba"), level)) == [(1, "d", 3), (0, "b", 2)]


def test_towers_without_floors_take_part_with_height_0() -> None:
    # a and c are bare: c is nearer to the display, ranks fourth and gives its token at the Intermezzo; a is the lowest
    bare = towers(a="0 0S", b="3", c="0 1S", d="2", e="1")
    scoring = intermezzo(4, tuple("cabde"), bare)
    assert [(tower.tower, tower.rank, tower.height) for tower in scoring.towers][3:] == [("c", 4, 0), ("a", 5, 0)]
    assert won(scoring) == [(1, "c", 1)]
    assert won(finito(4, tuple("cabde"), bare)) == [(1, "c", 3), (0, "a", 2)]


def test_the_lowest_tower_gives_nothing_at_the_intermezzo_and_one_token_at_the_finito() -> None:
    position = towers(a="5", b="4", c="3", d="2", e="1 2M 0S")
    assert won(intermezzo(3, ORDER, position)) == []
    assert won(finito(3, ORDER, position)) == [(2, "e", 2)]


def test_a_tower_without_markers_gives_nothing_to_anybody_and_its_flag_goes_to_no_other() -> None:
    position = towers(a="9", b="4 1S")
    assert won(intermezzo(2, ORDER, position)) == [(1, "b", 3)]
    assert finito(2, ORDER, position).towers[0].contenders == ()
    assert won(finito(2, ORDER, position)) == [(1, "b", 5)]


# --- influence -------------------------------------------------------------------------------------------------------


def test_a_tie_of_influence_goes_to_the_row_that_was_begun_earlier() -> None:
    # seat 2 began first with a small marker; 3 = 2 + 1 = 1 + 1 + 1
    position = towers(a="9 2SM 0L 1SSS")
    (top, *_) = finito(3, ORDER, position).towers
    assert [(one.seat, one.influence, one.token, one.ahead_by_order_of) for one in top.contenders] == [
        (2, 3, 6, (0, 1)),
        (0, 3, 4, (1,)),
        (1, 3, 2, ()),
    ]
    position = towers(a="9 1S 2SM 0L")
    (top, *_) = finito(3, ORDER, position).towers
    assert [(one.seat, one.token, one.ahead_by_order_of) for one in top.contenders] == [
        (2, 6, (0,)),
        (0, 4, ()),
        (1, 2, ()),
    ]


def test_a_single_contender_gets_the_first_token_and_the_others_stay_in_the_box() -> None:
    assert won(finito(5, ORDER, towers(a="3 4S"))) == [(4, "a", 6)]
    assert won(intermezzo(2, ORDER, towers(a="3 1S"))) == [(1, "a", 4)]


def test_five_players_and_the_third_award() -> None:
    position = towers(a="12 0L 1M 2SSS 3S 4MS", b="10 4S 3M 2M", c="9 0S 1S 2S", d="4 1S 3M", e="1 2S 3S")
    assert won(finito(5, ORDER, position)) == [
        (0, "a", 6),  # 3, begun before the threes of seats 2 and 4
        (2, "a", 4),
        (4, "a", 2),
        (3, "b", 5),
        (2, "b", 3),
        (4, "b", 1),
        (0, "c", 4),  # all are equally high: their order decides, and there are only two tokens
        (1, "c", 2),
        (3, "d", 3),
        (1, "d", 1),
        (2, "e", 2),
    ]
    assert won(intermezzo(5, ORDER, position)) == [
        (0, "a", 4),
        (2, "a", 2),
        (3, "b", 3),
        (2, "b", 1),
        (0, "c", 2),
        (3, "d", 1),
    ]


# --- the two scorings in a game --------------------------------------------------------------------------------------


def test_the_intermezzo_hands_out_tokens_and_the_display_is_filled_up_afterwards() -> None:
    state = table(
        stage=stages.RefillDisplay(),
        hands=["aab", "bcc", "dde"],
        options=options(after=10),
        display="ae",
        towers=towers(a="6/2 0M 1S", b="5/2 1M 0S", c="3/2 2S", d="1/1 2S", e="1/1"),
        active_seat=1,
    )
    after = played(state, RevealCard("intermezzo"))
    assert [seat.tokens for seat in after.seats] == [(1, 4), (2, 3), (1, 2)]
    assert after.intermezzo_seen
    assert after.towers == state.towers, "the markers stay"
    assert after.stage == stages.RefillDisplay()
    following = played(after, RevealCard("c"))
    assert following.active_seat == 2
    assert following.display == ("a", "c", "e")


def test_the_finito_directly_behind_the_intermezzo_scores_both_in_one_refill() -> None:
    state = table(
        stage=stages.RefillDisplay(),
        hands=["aab", "bcc"],
        options=options(after=14),
        display="ae",
        towers=towers(a="9/5 0S", b="5/5 1S", e="2/2"),
        active_seat=1,
    )
    after = played(state, RevealCard("intermezzo"), RevealCard("finito"))
    result = GAME.result(after)
    assert [[(line.rule, line.points) for line in player.lines] for player in result.players] == [
        [("campanile.scoring.intermezzo", 4), ("campanile.scoring.finito", 6)],
        [("campanile.scoring.intermezzo", 3), ("campanile.scoring.finito", 5)],
    ]
    assert result.winners == (0,)


def test_every_point_is_an_event() -> None:
    state = table(
        stage=stages.RefillDisplay(), options=options(after=3), display="ae", towers=towers(a="1 0S"), active_seat=0
    )
    rule = RefillDisplayRule()
    _, happened = rule.play(state, RevealCard("intermezzo"))
    events = as_document(happened)
    assert [event["type"] for event in events] == ["card-revealed", *["tower-scored"] * 5, "token-won"]
    assert events[-1] == {
        "type": "token-won",
        "seat": 0,
        "rule": "campanile.scoring.intermezzo",
        "points": 4,
        "tower": "a",
        "rank": 1,
        "height": 1,
        "influence": 1,
        "place": 1,
    }


# --- who wins --------------------------------------------------------------------------------------------------------


def test_a_tie_goes_to_the_most_valuable_single_token() -> None:
    # 6 + 1 = 7 against 4 + 3 = 7
    sheet = scoresheet(3, {"a": "9 0S", "b": "3", "c": "2 1S", "d": "1 2S"}, [(1,), (3,), (2,)])
    result = GAME.score(sheet)["result"]
    assert [player.total for player in result.players] == [7, 7, 5]
    assert [(one.rule, one.seats, one.values) for one in result.tie_break] == [
        ("campanile.scoring.tie", (0, 1), (6, 4))
    ]
    assert result.winners == (0,)
    assert [player.place for player in result.players] == [1, 2, 3]


def test_the_token_that_breaks_the_tie_may_come_from_the_intermezzo() -> None:
    # 4 + 2 = 6 against 3 + 3 = 6
    sheet = scoresheet(4, {"a": "5", "b": "4", "c": "3", "d": "2 1S 2S", "e": "1 0S"}, [(4,), (3,), (), ()])
    result = GAME.score(sheet)["result"]
    assert [player.total for player in result.players] == [6, 6, 1, 0]
    assert result.tie_break[0].values == (4, 3)
    assert result.winners == (0,)


def test_equal_best_tokens_share_the_victory_whatever_the_second_best() -> None:
    # 4 + 2 and 4 + 1 + 1
    sheet = scoresheet(3, {"a": "5", "b": "4", "c": "3 1S", "d": "2 2L 1S", "e": "1 0S"}, [(4,), (1,), ()])
    result = GAME.score(sheet)["result"]
    assert [player.total for player in result.players] == [6, 6, 3]
    assert result.tie_break[0].values == (4, 4)
    assert result.winners == (0, 1)
    assert [player.place for player in result.players] == [1, 1, 3]


def test_players_without_tokens_share_the_victory() -> None:
    result = GAME.score(scoresheet(2, {"a": "3"}, [(), ()]))["result"]
    assert [player.total for player in result.players] == [0, 0]
    assert result.tie_break[0].values == (0, 0)
    assert result.winners == (0, 1)


def test_places_below_the_winner_are_decided_by_the_same_rule() -> None:
    # seat 0 wins with 6; seat 1 has 3 + 1, seat 2 has 4
    end = {"a": "9 0S", "b": "8", "c": "7 2S", "d": "6 1S"}
    result = GAME.score(scoresheet(4, end, [(), (1,), (), ()]))["result"]
    assert [player.total for player in result.players] == [6, 4, 4, 0]
    assert [player.place for player in result.players] == [1, 3, 2, 4]
    assert [one.seats for one in result.tie_break] == [(1, 2)]


def test_with_no_card_left_only_the_finito_is_open() -> None:
    def last_refill(e: str) -> State:
        return table(
            stage=stages.RefillDisplay(),
            hands=["aad", "bee"],
            display="ab",
            intermezzo_seen=True,
            towers=towers(a="3/3 0S", b="4/4", c="6/6", d="5/5", e=e),
            active_seat=1,
        )

    assert open_results(GAME, last_refill("5/3 1S")) is None, "one card may still come"
    state = last_refill("5/4 1S")
    answer = open_results(GAME, state)
    assert answer is not None
    (outcome,) = answer["outcomes"]
    assert (outcome["card"], outcome["probability"]) == ("finito", "1/1")
    assert outcome["result"] == GAME.result(played(state, RevealCard("finito")))
