"""Payments, bids and the value of money (rulebook: "The 55 money cards").

A play is valid if its cards are of one currency, apart from any number of certificates and groups. A group is three
cards of one value in the three currencies, or three certificates; it is worth 15. Within a play groups are always
formed where they can be.
"""

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import NamedTuple

from capomastro.engine.decisions import ListedSource
from capomastro.engine.memory import remembered_for_request
from capomastro.engine.multisets import Multiset
from capomastro.engine.refusals import enforces
from capomastro.engine.selections import Chained, Choice, Factor, Selections, minimal_selections
from capomastro.games.palazzo.components import CERTIFICATE, CURRENCIES, MONEY, VALUES

GROUP_WORTH = 15
GROUP_SIZE = 3
CERTIFICATE_WORTH = 2

LOOSE = 1
"""The mark of a choice with cards outside groups; only these have a currency."""


class Play(NamedTuple):
    """The value of cards laid together, and the currencies of those outside groups: at most one in a valid play."""

    worth: int
    currencies: tuple[str, ...]


@remembered_for_request(maximum=65536)
@enforces("palazzo.payment.groups-formed")
def play_of(cards: Multiset) -> Play:
    """The play that `cards` form."""
    worth, loose = worth_in_parts(cards)
    return Play(worth + sum(loose.values()), tuple([currency for currency in CURRENCIES if loose[currency]]))


@remembered_for_request(maximum=1024)
def most_playable(hand: Multiset, locked: str | None = None) -> int:
    """The highest value that a hand can lay in one play, with loose cards of the `locked` currency if there is one.

    Without a locked currency, this value breaks ties at the end.
    """
    worth, loose = worth_in_parts(hand)
    return worth + (loose[locked] if locked else max(loose.values()))


def worth_in_parts(cards: Multiset) -> tuple[int, dict[str, int]]:
    """The value of certificates and groups together, and the value of the other cards by currency."""
    worth = certificates_worth(cards.count(CERTIFICATE))
    loose = dict.fromkeys(CURRENCIES, 0)
    for value in VALUES:
        counts = [cards.count(f"{currency}-{value}") for currency in CURRENCIES]
        groups = min(counts)
        worth += GROUP_WORTH * groups
        for currency, count in zip(CURRENCIES, counts, strict=True):
            loose[currency] += value * (count - groups)
    return worth, loose


def certificates_worth(count: int) -> int:
    groups, loose = divmod(count, GROUP_SIZE)
    return GROUP_WORTH * groups + CERTIFICATE_WORTH * loose


# --- counting plays: one factor for each value and one for the certificates; the box bounds the number of factors ----

CARDS_OF = {value: tuple(f"{currency}-{value}" for currency in CURRENCIES) for value in VALUES}
"""The cards of a value, which form a group together."""


@cache
def value_factors() -> dict[tuple[int, ...], dict[str | None, Factor]]:
    """The ways to lay cards of one value, by the value and how many of its cards there are in each currency.

    For each currency: groups and loose cards of that currency; None: groups alone. All are worked out in advance: a
    table filled on demand would reveal by its timing which hands it has seen.
    """
    factor = cache(value_factor)
    return {
        (value, *counts): {
            currency: factor(value, currency, held, min(counts))
            for currency, held in zip((None, *CURRENCIES), (0, *counts), strict=True)
        }
        for value in VALUES
        for counts in product(*(range(MONEY[card] + 1) for card in CARDS_OF[value]))
    }


def value_factor(value: int, currency: str | None, held: int, most_groups: int) -> Factor:
    choices = []
    of_group = GROUP_WORTH - value
    for groups in range(most_groups + 1):
        grouped, worth = CARDS_OF[value] * groups, GROUP_WORTH * groups
        choices.append(Choice(grouped, worth, 0, of_group if groups else None))
        slack = min(value, of_group) if groups else value
        for loose in range(1, held - groups + 1):
            tokens = grouped + (f"{currency}-{value}",) * loose
            choices.append(Choice(tokens, worth + value * loose, LOOSE, slack))
    return prepared(choices)


@cache
def certificate_factors() -> tuple[Factor, ...]:
    """The ways to lay certificates, by how many there are."""
    return tuple(map(certificate_factor, range(MONEY[CERTIFICATE] + 1)))


def certificate_factor(count: int) -> Factor:
    return prepared(
        Choice(
            (CERTIFICATE,) * number,
            certificates_worth(number),
            0,
            certificates_worth(number) - certificates_worth(number - 1) if number else None,
        )
        for number in range(count + 1)
    )


MOST_PLAYS = 10_000_000
"""More than there are plays from all cards of the box."""


def prepared(choices: Iterable[Choice]) -> Factor:
    factor = Factor(choices)
    factor.prepare(MOST_PLAYS, LOOSE)
    return factor


@remembered_for_request(maximum=1024)
def families(hand: Multiset, locked: str | None) -> tuple[tuple[tuple[Factor, ...], int], ...]:
    """Factors, without those that offer no choice, and required marks: together every valid play from `hand` once.

    Without a locked currency: the plays without loose cards, then those with some of each currency. Remembered, since
    a hand is asked for the prices of one tile and of two, and for several bids.
    """
    count = hand.count
    factors_of = value_factors()
    by_value = [factors_of[value, *map(count, CARDS_OF[value])] for value in VALUES]
    certificates = certificate_factors()[count(CERTIFICATE)]
    found = []
    for currency in (locked,) if locked else (None, *CURRENCIES):
        factors = [factor_of[currency] for factor_of in by_value]
        kept = tuple(factor for factor in (*factors, certificates) if factor.size > 1)
        found.append((kept, LOOSE if currency and not locked else 0))
    return tuple(found)


@remembered_for_request(maximum=4096)
def plays_worth(hand: Multiset, at_least: int, locked: str | None = None) -> Chained[Multiset]:
    """Every valid play from `hand` worth `at_least`, with loose cards of the `locked` currency if there is one."""
    return Chained(Selections(parts, at_least, required=marks) for parts, marks in families(hand, locked))


@remembered_for_request(maximum=4096)
def minimal_payments(hand: Multiset, price: int) -> ListedSource:
    """Every minimal payment: a valid play from `hand` that pays `price` while no proper part does."""
    return ListedSource(minimal_selections(families(hand, None), price))
