"""Compares bids and payments with lists made by trying every part of a hand."""

from collections import Counter
from functools import cache
from itertools import islice
from random import Random

import pytest

from capomastro.engine import referee
from capomastro.engine.partial import Partial, Tokens
from capomastro.games.palazzo import moves, stages
from capomastro.games.palazzo.components import CERTIFICATE, CURRENCIES, MONEY, VALUES
from capomastro.games.palazzo.game import GAME
from capomastro.games.palazzo.money import (
    certificate_factors,
    minimal_payments,
    most_playable,
    play_of,
    plays_worth,
    valid_plays,
    value_factors,
)
from tests.games.palazzo.table import cards, offered, table, tiles
from tests.support.oracle import legal_by_trying, sub_multisets

ALL_MONEY = tuple(card for card, number in MONEY.items() for _ in range(number))
Cards = tuple[str, ...]


def worth_by_hand(play: Cards) -> int | None:
    """What a play is worth, by removing groups one by one; None if it is not valid."""
    rest, worth = Counter(play), 0
    groups = [(CERTIFICATE,) * 3, *(tuple(f"{currency}-{value}" for currency in CURRENCIES) for value in VALUES)]
    for group in groups:
        while not Counter(group) - rest:
            rest -= Counter(group)
            worth += 15
    currencies = {card.split("-")[0] for card in rest.elements()} - {"certificate"}
    return None if len(currencies) > 1 else worth + sum(int(card[-1]) for card in rest.elements())


def loose_currency(play: Cards) -> str | None:
    currencies = play_of(play).currencies
    return currencies[0] if currencies else None


@cache
def plays_of(hand: Cards) -> list[tuple[Cards, int, str | None]]:
    """Every valid play of a hand, what it is worth, and the currency of its loose cards."""
    return [
        (play, worth, loose_currency(play))
        for play in sub_multisets(hand)
        if (worth := worth_by_hand(play)) is not None
    ]


def plays_by_trying(hand: Cards, at_least: int, locked: str | None = None) -> set[Cards]:
    return {
        play
        for play, worth, currency in plays_of(hand)
        if worth >= at_least and not (locked and currency not in (None, locked))
    }


def minimal_by_trying(hand: Cards, price: int) -> set[Cards]:
    paying = plays_by_trying(hand, price)
    return {play for play in paying if not any(part != play and part in paying for part in sub_multisets(play))}


def random_hands(number: int, most: int, *, values: tuple[int, ...] = VALUES) -> list[Cards]:
    """Hands that often have groups: few values, and many certificates."""
    random = Random(number)
    box = [card for card in ALL_MONEY if card == CERTIFICATE or int(card[-1]) in values]
    return [tuple(sorted(random.sample(box, random.randint(0, most)))) for _ in range(number)]


HANDS = [*random_hands(25, 8), *random_hands(26, 10, values=(3, 7)), *random_hands(15, 9, values=(5,))]


@pytest.mark.parametrize(
    ("play", "worth"),
    [
        ("", 0),
        ("r7", 7),
        ("r7 r7 r3 c", 19),
        ("r4 g4 b4", 15),
        ("c c c", 15),
        ("c c c c c", 19),
        ("c c c c c c", 30),
        ("r4 g4 b4 r4 r3", 22),
        ("r4 r4 g4 g4 b4 b4", 30),
        ("r4 g4 b4 g7 c", 24),
        ("r4 g4", None),
        ("r4 g4 b4 r3 g3", None),
        ("r4 r4 g4 g4 b4", None),
    ],
)
def test_the_value_of_a_play(play: str, worth: int | None) -> None:
    laid = play_of(cards(play))
    assert worth_by_hand(cards(play)) == worth
    assert (laid.worth if len(laid.currencies) <= 1 else None) == worth


def test_the_value_of_plays_agrees_with_removing_groups() -> None:
    for hand in HANDS:
        for play in sub_multisets(hand):
            laid = play_of(play)
            assert (laid.worth if len(laid.currencies) <= 1 else None) == worth_by_hand(play)


@pytest.mark.parametrize("locked", [None, *CURRENCIES])
@pytest.mark.parametrize("at_least", [0, 1, 4, 10, 16, 31])
def test_plays_agree_with_brute_force(at_least: int, locked: str | None) -> None:
    for hand in HANDS:
        plays = plays_worth(valid_plays(hand, locked), at_least)
        walked = list(plays.starting_at(0))
        assert set(walked) == plays_by_trying(hand, at_least, locked)
        assert len(walked) == plays.total
        assert [plays.pick(index) for index in range(plays.total)] == walked
        for start in {0, 1, plays.total // 2, max(0, plays.total - 1), plays.total}:
            assert list(plays.starting_at(start)) == walked[start:]


@pytest.mark.parametrize("price", [0, 1, 2, 5, 8, 9, 14, 16])
def test_minimal_payments_agree_with_brute_force(price: int) -> None:
    for hand in HANDS:
        payments = minimal_payments(valid_plays(hand), price)
        walked = list(payments.starting_at(0))
        assert set(walked) == minimal_by_trying(hand, price)
        assert len(walked) == payments.total
        assert [payments.pick(index) for index in range(payments.total)] == walked
        for start in {0, 1, payments.total // 2, payments.total}:
            assert list(payments.starting_at(start)) == walked[start:]


@pytest.mark.parametrize("locked", [None, *CURRENCIES])
def test_the_value_of_a_hand_is_that_of_its_best_play(locked: str | None) -> None:
    for hand in HANDS:
        best = max(worth for play in plays_by_trying(hand, 0, locked) if (worth := worth_by_hand(play)) is not None)
        assert most_playable(hand, locked) == best


def test_a_group_can_be_worth_more_than_a_larger_sum_of_faces() -> None:
    assert most_playable(cards("r3 g3 b3")) == 15
    assert most_playable(cards("r7 r7")) == 14
    assert most_playable(cards("r7 g7 b6")) == 7


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("all_payments", [False, True])
def test_purchases_agree_with_brute_force(all_payments: bool) -> None:
    supply = tiles("b12 b31 b31 m11 m12")
    choices = {part for part in sub_multisets(supply) if len(part) in (1, 2)} | {tiles("s11"), tiles("b12 s11")}
    for hand in HANDS[:12]:
        state = table(stage=stages.BuyOrAuction(), supply="b12 b31 b31 m11 m12", hands=[" ".join(map(short, hand)), ""])
        tried = legal_by_trying(GAME, state, {"tiles": choices, "payment": sub_multisets((*hand, "red-7"))})
        buys = [move for move in tried if isinstance(move, moves.Buy)]
        if not all_payments:
            minimal = {1: minimal_by_trying(hand, 5), 2: minimal_by_trying(hand, 10)}
            buys = [move for move in buys if move.payment in minimal[len(move.tiles)]]
        listed = offered(state, all_payments)
        assert set(listed) == {*buys, moves.CallAuction(0)}
        assert len(listed) == len(set(listed))


@pytest.mark.parametrize("earlier", [(), (("r5",)), ("r4 g4 b4", "g3"), ("c",)])
def test_raises_agree_with_brute_force(earlier: tuple[str, ...]) -> None:
    for hand in HANDS[::4]:
        bids = (stages.Bid((cards("b3"),)), stages.Bid(tuple(map(cards, earlier))))
        text = " ".join(map(short, hand))
        state = table(stage=stages.RaiseOrPass(1, bids), quarries=("m11", "", "", ""), hands=["", text])
        tried = legal_by_trying(GAME, state, {"cards": sub_multisets((*hand, "red-7", "green-3"))})
        listed = offered(state)
        assert set(listed) == tried
        assert len(listed) == len(tried)


def short(card: str) -> str:
    """The inverse of `table.cards`."""
    return "c" if card == CERTIFICATE else card[0] + card[-1]


def test_at_price_zero_the_empty_payment_is_the_only_minimal_one_and_every_play_pays() -> None:
    supply = "b11 b12 b13 b21 b22 b23 m11 m12 m13 m21"
    state = table(stage=stages.BuyOrAuction(), supply=supply, hands=["r3 g4", ""])
    assert all(move.payment == () for move in offered(state) if isinstance(move, moves.Buy))
    assert len(offered(state)) == 10 + 45 + 1
    payments = {move.payment for move in offered(state, all_payments=True) if isinstance(move, moves.Buy)}
    assert payments == {(), cards("r3"), cards("g4")}
    penniless = table(stage=stages.BuyOrAuction(), supply=supply)
    assert len(offered(penniless)) == 10 + 45 + 1


# --- the worst hand --------------------------------------------------------------------------------------------------


def numbers_by_worth(hand: Cards, currency: str | None) -> Counter[int]:
    """The number of plays of each worth with loose cards of `currency` only (None: without), by plain convolution."""
    count = Counter(hand)
    numbers = Counter({15 * (n // 3) + 2 * (n % 3): 1 for n in range(count[CERTIFICATE] + 1)})
    for value in VALUES:
        held = [count[f"{one}-{value}"] for one in CURRENCIES]
        ways: Counter[int] = Counter()
        for groups in range(min(held) + 1):
            loose = count[f"{currency}-{value}"] - groups if currency else 0
            ways.update(15 * groups + value * number for number in range(loose + 1))
        total: Counter[int] = Counter()
        for worth, number in numbers.items():
            for more, times in ways.items():
                total[worth + more] += number * times
        numbers = total
    return numbers


def number_of_plays(hand: Cards, at_least: int) -> int:
    """Without loose cards, and with some of each currency."""
    groups_only = numbers_by_worth(hand, None)
    number = sum(times for worth, times in groups_only.items() if worth >= at_least)
    for currency in CURRENCIES:
        with_loose = numbers_by_worth(hand, currency)
        with_loose.subtract(groups_only)
        number += sum(times for worth, times in with_loose.items() if worth >= at_least)
    return number


@pytest.mark.parametrize("at_least", [0, 4, 16, 100, 200, 300, 400])
def test_the_plays_of_all_55_cards_are_counted(at_least: int) -> None:
    plays = plays_worth(valid_plays(ALL_MONEY), at_least)
    assert plays.total == number_of_plays(ALL_MONEY, at_least)


def test_the_plays_of_random_large_hands_are_counted() -> None:
    for hand in random_hands(30, 50):
        assert plays_worth(valid_plays(hand), 20).total == number_of_plays(hand, 20)


def test_the_worst_hand_has_over_a_million_bids_counted_picked_and_paged() -> None:
    state = table(
        stage=stages.RaiseOrPass(1, (stages.Bid(), stages.Bid())),
        quarries=("m11", "", "", ""),
        hands=["", " ".join(map(short, ALL_MONEY))],
    )
    legal = referee.legal_moves(GAME, state)
    assert legal.total == number_of_plays(ALL_MONEY, 4) + 1
    assert legal.total > 1_000_000
    random = Random(1)
    for start in [0, 1, legal.total - 300, *(random.randrange(legal.total - 300) for _ in range(5))]:
        page = list(islice(legal.starting_at(start), 300))
        assert len(set(page)) == 300
        assert page[:3] == [legal.pick(index) for index in range(start, start + 3)]
        assert page[-1] == legal.pick(start + 299)
        assert all(referee.refusal(GAME, state, move) is None for move in page)
    assert legal.pick(legal.total - 1) == moves.Pass(1)
    with pytest.raises(IndexError):
        legal.pick(legal.total)


def test_all_payments_of_the_worst_hand_are_counted() -> None:
    state = table(stage=stages.BuyOrAuction(), supply="b12 b31 b31 m11", hands=[" ".join(map(short, ALL_MONEY)), ""])
    legal = referee.legal_moves(GAME, state, all_payments=True)
    assert legal.total == 3 * number_of_plays(ALL_MONEY, 6) + 4 * number_of_plays(ALL_MONEY, 12) + 1
    minimal = referee.legal_moves(GAME, state)
    walked = list(minimal.starting_at(0))
    assert len(set(walked)) == minimal.total
    assert walked == [minimal.pick(index) for index in range(minimal.total)]


def test_what_completes_a_partial_payment_of_the_worst_hand_is_counted() -> None:
    """Of 22 million payments, those with each exact number of a card add up to all, and to those with more of it."""
    state = table(stage=stages.BuyOrAuction(), supply="b12 b31 b31 m11", hands=[" ".join(map(short, ALL_MONEY)), ""])
    for chosen in ((), ("certificate-2", "red-3", "red-3")):
        partial = Partial(sets={"payment": Tokens(chosen)})
        found = referee.completions(GAME, state, moves.Buy, partial, all_payments=True)
        payments = found.openings("payment", partial)
        assert found.total > 5_000_000
        for card in ("red-3", "red-7", CERTIFICATE):
            number, least = MONEY[card], chosen.count(card)
            exactly = [
                referee.completions(
                    GAME,
                    state,
                    moves.Buy,
                    Partial(sets={"payment": Tokens((*chosen, *(card,) * added), frozenset({card}))}),
                    all_payments=True,
                ).total
                for added in range(number - least + 1)
            ]
            assert sum(exactly) == found.total
            assert sum(exactly[1:]) == payments[card]


@pytest.mark.parametrize("hand", [(), ("red-3",), (CERTIFICATE,)], ids=str)
def test_which_tables_have_been_made_says_nothing_of_hands(hand: Cards) -> None:
    """Otherwise the first right guess would be answered sooner."""
    for made in (value_factors, certificate_factors):
        made.cache_clear()
    valid_plays(hand)
    assert value_factors.cache_info().currsize == certificate_factors.cache_info().currsize == 1
