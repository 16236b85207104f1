"""Payments, bids and the value of money (rulebook: "The 55 money cards").

A play is valid if its cards are of one currency, apart from any number of certificates and groups. A group is three
cards of one value in the three currencies, or three certificates; it is worth 15. Within a play groups are always
formed where they can be.
"""

from functools import cache
from itertools import product
from typing import NamedTuple

from capomastro.engine.multisets import Multiset
from capomastro.engine.refusals import implements
from capomastro.engine.selections import NO_SLACK, Choice, Factor, Factors, Selections, minimal_selections
from capomastro.engine.sources import Chained, Listed
from capomastro.games.palazzo import components as box

GROUP_WORTH = 15
GROUP_SIZE = 3
CERTIFICATE_WORTH = 2

CARDS_OF = {value: tuple(f"{currency}-{value}" for currency in box.CURRENCIES) for value in box.VALUES}
"""The cards of a value, which form a group together."""

GROUPS = ((box.CERTIFICATE,) * GROUP_SIZE, *CARDS_OF.values())
"""Every group."""

CURRENCY_AND_VALUE = {f"{currency}-{value}": (currency, value) for currency in box.CURRENCIES for value in box.VALUES}
"""The currency and value of every card except certificates."""


class Play(NamedTuple):
    """The value of cards laid together, and the currencies of those outside groups: at most one in a valid play."""

    worth: int
    currencies: tuple[str, ...]


@implements("palazzo.payment.groups-formed")
def play_of(cards: Multiset) -> Play:
    """The play that `cards` form."""
    worth, loose = worth_in_parts(cards)
    return Play(worth + sum(loose.values()), tuple([currency for currency in box.CURRENCIES if loose[currency]]))


def most_playable(hand: Multiset, locked: str | None = None) -> int:
    """The highest value that a hand can lay in one play, with loose cards of the `locked` currency if there is one.

    Without a locked currency, this value breaks ties of the final scoring.
    """
    worth, loose = worth_in_parts(hand)
    return worth + (loose[locked] if locked else max(loose.values()))


def worth_in_parts(cards: Multiset) -> tuple[int, dict[str, int]]:
    """The value of certificates and groups together, and the value of the other cards by currency."""
    worth = certificates_worth(cards.count(box.CERTIFICATE))
    loose = dict.fromkeys(box.CURRENCIES, 0)
    for card in cards:
        if card != box.CERTIFICATE:
            currency, value = CURRENCY_AND_VALUE[card]
            loose[currency] += value
    present = set(cards)
    for value, group in CARDS_OF.items():
        if present.issuperset(group):
            groups = min(map(cards.count, group))
            worth += GROUP_WORTH * groups
            for currency in box.CURRENCIES:
                loose[currency] -= value * groups
    return worth, loose


def certificates_worth(count: int) -> int:
    groups, loose = divmod(count, GROUP_SIZE)
    return GROUP_WORTH * groups + CERTIFICATE_WORTH * loose


# --- counting plays: one factor for each value and one for the certificates ------------------------------------------


@cache
def value_factors() -> dict[tuple[int, ...], tuple[Factor | None, ...]]:
    """The ways to lay cards of a value, by the value and the number of its cards in each currency: those with all cards
    in groups, then those with cards of a currency outside of them. None: no choice. It depends on the box alone."""
    factors = {
        (value, currency, count, groups): value_factor(value, currency, count, groups)
        for value, cards in CARDS_OF.items()
        for currency in (None, *box.CURRENCIES)
        for count in range(1, box.MONEY[cards[0]] + 1)
        for groups in range(count + 1)
    }
    return {
        (value, *counts): tuple(
            factors.get((value, currency, count, min(counts)))
            for currency, count in zip((None, *box.CURRENCIES), (min(counts), *counts), strict=True)
        )
        for value, cards in CARDS_OF.items()
        for counts in product(*[range(box.MONEY[card] + 1) for card in cards])
    }


def value_factor(value: int, currency: str | None, count: int, most_groups: int) -> Factor:
    choices = []
    for groups in range(most_groups + 1):
        grouped, worth = CARDS_OF[value] * groups, GROUP_WORTH * groups
        group_slack = GROUP_WORTH - value if groups else NO_SLACK
        choices.append(Choice(grouped, worth, False, group_slack))
        for loose in range(1, count - groups + 1) if currency else ():
            tokens = grouped + (f"{currency}-{value}",) * loose
            choices.append(Choice(tokens, worth + value * loose, True, min(value, group_slack)))
    return Factor(choices)


@cache
def certificate_factors() -> tuple[Factor, ...]:
    """The ways to lay certificates, by how many there are."""
    choices = [Choice((), 0)]
    for number in range(1, box.MONEY[box.CERTIFICATE] + 1):
        worth = certificates_worth(number)
        choices.append(Choice((box.CERTIFICATE,) * number, worth, False, worth - choices[-1].weight))
    return tuple(Factor(choices[: count + 1]) for count in range(len(choices)))


Plays = list[tuple[Factors, bool]]
"""Plays as products, not listed: the factors of each, without those that offer no choice, and whether loose cards are
required."""


def valid_plays(hand: Multiset, locked: str | None = None) -> Plays:
    """Every valid play from `hand` once, with loose cards of the `locked` currency if there is one.

    Without a locked currency: the plays without loose cards, then those with some of each currency.
    """
    # both tables always: otherwise, which of them have been made would tell whether a hand had their cards
    of_values, of_certificates = value_factors(), certificate_factors()
    rows = [of_values[value, *map(hand.count, cards)] for value, cards in CARDS_OF.items()]
    certificates = hand.count(box.CERTIFICATE)
    rows.append((of_certificates[certificates] if certificates else None,) * len(rows[0]))
    return [
        (tuple(filter(None, factors)), currency is not None and not locked)
        for currency, factors in zip((None, *box.CURRENCIES), zip(*rows, strict=True), strict=True)
        if not locked or currency == locked
    ]


def plays_worth(plays: Plays, at_least: int, member: str = "payment") -> Chained[Multiset]:
    """The `plays` worth `at_least`, for a member of a move."""
    return Chained(Selections(factors, at_least, loose, member) for factors, loose in plays)


def minimal_payments(plays: Plays, price: int) -> Listed[Multiset]:
    """The minimal payments: those of the `plays` that pay `price` while no proper part does."""
    return Listed(minimal_selections(plays, price), "payment")
