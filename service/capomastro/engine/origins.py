"""Origins: which shuffle the unknown cards of hands come from, as far as the course of a game tells.

A state counts the unknown cards of a hand; who followed the game knows more: how many were dealt before the last
shuffle, and that the cards played since came from what was in the hand then. When a card is played that both an older
and a newer shuffle can have brought into that hand, all possibilities are followed, each with its number of
arrangements: in how many orders the shuffles, whose cards count as distinguishable, bring about all that was seen.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import factorial
from random import Random
from typing import NamedTuple

Numbers = tuple[int, ...]

MOST_POSSIBLE = 1_000
"""Of more possibilities, this number is drawn by chance. No recorded game comes near; a made-up one has millions."""


class Shuffle(NamedTuple):
    """What is left of the cards of a shuffle.

    `held`: the number of unknown cards in each hand; `cards`: the number of each kind not seen since.
    """

    held: Numbers
    cards: Numbers


Shuffles = tuple[Shuffle, ...]
"""The first shuffle first; the pile consists of what is left of the last one."""


Following = Callable[[Shuffles], Iterable[tuple[Shuffles, int]]]
"""What each possibility leads to, with the number of ways that lead there."""


class Happening(NamedTuple):
    """Something seen of the cards of a pile: a draw into a `hand`, a `card` played from it or turned up, a shuffle."""

    possible: Mapping[Shuffles, int]
    """What was possible before it."""
    after: Following
    hand: int | None
    card: str | None


class Origins:
    """The possible origins of the cards of one pile, each with its number of arrangements."""

    def __init__(self, contents: Mapping[str, int], hands: int) -> None:
        self.kinds = tuple(contents)
        self.hands = hands
        self.possible: dict[Shuffles, int] = {(Shuffle((0,) * hands, tuple(contents.values())),): 1}
        self.happened: list[Happening] = []

    def draw(self, hand: int) -> None:
        """An unknown card of the pile comes into a hand."""
        self._follow(lambda shuffles: [(with_last(shuffles, held=one_more(shuffles[-1].held, hand, 1)), 1)], hand)

    def reveal(self, card: str) -> None:
        """A card of the pile is seen."""
        kind = self.kinds.index(card)
        self._follow(lambda shuffles: seen_in(shuffles, len(shuffles) - 1, kind), card=card)

    def play(self, hand: int, card: str) -> None:
        """One of the unknown cards of a hand is seen."""
        kind = self.kinds.index(card)

        def cards_played(shuffles: Shuffles) -> Iterator[tuple[Shuffles, int]]:
            for index, shuffle in enumerate(shuffles):
                if places := shuffle.held[hand]:
                    left = shuffle._replace(held=one_more(shuffle.held, hand, -1))
                    after = (*shuffles[:index], left, *shuffles[index + 1 :])
                    yield from ((each, ways * places) for each, ways in seen_in(after, index, kind))

        self._follow(cards_played, hand, card)

    def shuffle(self, cards: Sequence[str]) -> None:
        """The pile was empty; these cards are shuffled into a new one. Shuffles without unknown cards are forgotten."""
        new = Shuffle((0,) * self.hands, tuple(cards.count(kind) for kind in self.kinds))
        self._follow(lambda shuffles: [((*(each for each in shuffles if any(each.held)), new), 1)])

    def _follow(self, after: Following, hand: int | None = None, card: str | None = None) -> None:
        """Follows every possibility to those `after` it, each with the number of ways that lead there."""
        self.happened.append(Happening(self.possible, after, hand, card))
        found: dict[Shuffles, int] = defaultdict(int)
        for shuffles, arrangements in self.possible.items():
            for each, ways in after(shuffles):
                found[each] += arrangements * ways
        self.possible = dict(found) if len(found) <= MOST_POSSIBLE else drawn_from(found)

    def hidden(self) -> "Deals":
        """What the unknown cards can be."""
        return Deals(self)

    def sample_draws(self, random: Random) -> list[str]:
        """A card for each draw into a hand, in their order, as chance alone makes them likely given all that was seen.

        First it is drawn, from the end back, which shuffle every card played came from, then which draw of that hand
        from it; all places of a shuffle are alike. What is left of each shuffle fills the draws not seen since.
        """
        course = self._course(random)
        cards: list[str] = []
        unseen: list[list[list[int]]] = [[[] for _ in range(self.hands)]]
        """By shuffle and hand: the draws whose cards have not been seen."""
        for (_, _, hand, card), before, after in zip(self.happened, course, course[1:], strict=False):
            if card is None and hand is None:
                unseen = [draws for draws, shuffle in zip(unseen, before, strict=True) if any(shuffle.held)]
                unseen.append([[] for _ in range(self.hands)])
            elif card is None and hand is not None:
                unseen[-1][hand].append(len(cards))
                cards.append("")
            elif card is not None and hand is not None:
                index = next(index for index, shuffle in enumerate(before) if shuffle != after[index])
                draws = unseen[index][hand]
                cards[draws.pop(random.randrange(len(draws)))] = card
        for shuffle, of_hands in zip(course[-1], unseen, strict=True):
            places = [draw for draws in of_hands for draw in draws]
            for place, card in zip(places, random.sample(cards_of(self.kinds, shuffle), len(places)), strict=True):
                cards[place] = card
        return cards

    def _course(self, random: Random) -> list[Shuffles]:
        """One of all that was possible, from the beginning to the end: before, between, and after what happened."""
        here = chosen({each: number * arrangements_of_the_rest(each) for each, number in self.possible.items()}, random)
        course = [here]
        for happening in reversed(self.happened):
            weights = {
                before: number * ways
                for before, number in happening.possible.items()
                for after, ways in happening.after(before)
                if after == here
            }
            here = chosen(weights, random)
            course.append(here)
        return course[::-1]


def with_last(shuffles: Shuffles, held: Numbers) -> Shuffles:
    """The shuffles with other numbers of cards of the last one in hands."""
    return (*shuffles[:-1], shuffles[-1]._replace(held=held))


def one_more(numbers: Numbers, index: int, change: int) -> Numbers:
    """The numbers with one of them changed."""
    return (*numbers[:index], numbers[index] + change, *numbers[index + 1 :])


def seen_in(shuffles: Shuffles, index: int, kind: int) -> list[tuple[Shuffles, int]]:
    """What is left after a card of a kind from one of the shuffles is seen; it can be any of those left."""
    shuffle = shuffles[index]
    if not (copies := shuffle.cards[kind]):
        return []
    left = shuffle._replace(cards=one_more(shuffle.cards, kind, -1))
    return [((*shuffles[:index], left, *shuffles[index + 1 :]), copies)]


def arrangements_of_the_rest(shuffles: Shuffles) -> int:
    """In how many orders the cards not seen can lie in their places: in hands, and in the pile."""
    number = 1
    for shuffle in shuffles:
        number *= factorial(sum(shuffle.cards))
    return number


def chosen(weights: Mapping[Shuffles, int], random: Random) -> Shuffles:
    """One of several possibilities, with chances as their weights, which can be greater than any float."""
    total = sum(weights.values())
    return random.choices([*weights], [weight / total for weight in weights.values()])[0]


def cards_of(kinds: Sequence[str], shuffle: Shuffle) -> list[str]:
    """The cards of a shuffle that have not been seen since."""
    return [kind for kind, number in zip(kinds, shuffle.cards, strict=True) for _ in range(number)]


def drawn_from(possible: Mapping[Shuffles, int]) -> dict[Shuffles, int]:
    """Some of many possibilities, drawn in proportion to their arrangements with those of the rest."""
    rests = [arrangements_of_the_rest(each) for each in possible]
    ways = [number * rest for number, rest in zip(possible.values(), rests, strict=True)]
    total = sum(ways)
    chosen = Counter(Random(0).choices(range(len(ways)), [number / total for number in ways], k=MOST_POSSIBLE))
    unseen = factorial(sum(sum(shuffle.cards) for shuffle in next(iter(possible))))
    return {each: chosen[index] * (unseen // rests[index]) for index, each in enumerate(possible) if chosen[index]}


class Deals:
    """Deals the unknown cards of hands, by where they can come from."""

    def __init__(self, origins: Origins) -> None:
        ways = {each: number * arrangements_of_the_rest(each) for each, number in origins.possible.items()}
        total = sum(ways.values())
        self.chances = list(accumulate(number / total for number in ways.values()))
        self.origins = [
            [(each.held, cards_of(origins.kinds, each)) for each in shuffles if any(each.held)] for shuffles in ways
        ]
        self.hands = range(origins.hands)

    def deal(self, random: Random) -> list[str]:
        """The cards in hands, one hand after the other."""
        (shuffles,) = random.choices(self.origins, cum_weights=self.chances)
        in_hands: list[list[str]] = [[] for _ in self.hands]
        for held, cards in shuffles:
            order = iter(random.sample(cards, sum(held)))
            for hand, number in zip(in_hands, held, strict=True):
                hand += [next(order) for _ in range(number)]
        return [card for hand in in_hands for card in hand]
