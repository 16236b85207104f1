"""Samples: full states that agree with a view, each as often as chance alone makes it."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from math import factorial, sqrt
from random import Random
from typing import Any

import pytest

from capomastro.engine.origins import Origins
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.samples import Hidden, Sampler, hidden_in, sampler_of_course
from capomastro.engine.steps import play_steps
from tests.support.playouts import play_out, positions
from tests.support.setups import Setup, few_setups

SETUPS = few_setups()
every_setup = pytest.mark.parametrize("setup", SETUPS, ids=str)

SMALL = [
    FaceDownPile({"a": 2, "b": 1, "c": 1}, 2),
    FaceDownPile({"a": 1, "b": 2, "c": 1}, 0),
    FaceDownPile({"a": 2, "b": 2, "c": 1}, 2, ("a", "b", "b")),
    FaceDownPile({"a": 3, "b": 1, "c": 1}, 1, ("a", "a", "c")),
    FaceDownPile({"a": 2, "b": 1, "c": 2}, 3, ("a", "b", "c")),
    FaceDownPile({"a": 0, "b": 2, "c": 3}, 2, ("a", "b", "c", "c")),
]


class Script(Random):
    """Makes choices as it is told to."""

    def __init__(self, chosen: tuple[int, ...], order: tuple[int, ...]) -> None:
        super().__init__()
        self.chosen, self.order = chosen, order

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        assert k == len(self.chosen)
        return [population[index] for index in self.chosen]

    def shuffle(self, x: Any) -> None:
        x[:] = [x[index] for index in self.order]


def probabilities_by_counting(pile: FaceDownPile) -> dict[tuple[str, ...], Fraction]:
    """Of each way to fill the places in hands: its share of all arrangements of distinguishable cards.

    Of the cards of a kind, as many can lie in the pile as the last shuffle put in: the first copies stand for these.
    """
    copies = [(card, copy) for card, number in pile.unseen.items() for copy in range(number)]
    shuffled = None if pile.shuffled_in is None else Counter(pile.shuffled_in)
    found = Counter(
        tuple(card for card, _ in order[pile.size :])
        for order in permutations(copies)
        if shuffled is None or all(copy < shuffled[card] for card, copy in order[: pile.size])
    )
    return {hands: Fraction(count, found.total()) for hands, count in found.items()}


@pytest.mark.parametrize("pile", SMALL, ids=str)
def test_probabilities_are_those_of_counting_all_arrangements(pile: FaceDownPile) -> None:
    hidden = hidden_in(pile)
    places = len(hidden.held) + hidden.spare
    choices = list(product(combinations(range(len(hidden.loose)), hidden.spare), permutations(range(places))))
    found = Counter(tuple(hidden.deal(Script(chosen, order))) for chosen, order in choices)
    drawn = {hands: Fraction(count, len(choices)) for hands, count in found.items()}
    assert drawn == probabilities_by_counting(pile)


def views_of(setup: Setup, count: int) -> Iterator[tuple[Any, int | None]]:
    """Positions of a random game, each with a viewer: every seat, and a spectator."""
    viewers = [*range(setup.players), None]
    states = list(positions(setup.game, setup.players, setup.options))
    for index, state in enumerate(Random(0).sample(states, count)):
        yield state, viewers[index % len(viewers)]


@every_setup
def test_samples_are_possible_and_agree_with_the_view(setup: Setup) -> None:
    """10,000 of them over all set-ups, the same whether drawn from the state or from the view."""
    game = setup.game
    count = -(-10_000 // (20 * len(SETUPS)))
    for state, viewer in views_of(setup, 20):
        view = game.view(state, viewer)
        for full in Sampler(game, state, viewer).samples("7", count):
            assert game.view(full, viewer) == view
            assert game.audit(full) == []
            assert all(not seat.hand.unknown for seat in full.seats if hasattr(seat, "hand"))
        assert Sampler(game, view, viewer).samples("7", 2) == Sampler(game, state, viewer).samples("7", 2)


@every_setup
def test_a_place_has_each_card_as_often_as_counting_says(setup: Setup) -> None:
    """By chi-square, at four standard deviations, over the kinds of cards, for one place of each pile."""
    for state, viewer in views_of(setup, 6):
        for hidden in Sampler(setup.game, state, viewer).hidden.values():
            assert isinstance(hidden, Hidden)
            random, draws = Random(7), 2_000
            places, held, loose = len(hidden.held) + hidden.spare, Counter(hidden.held), Counter(hidden.loose)
            spare = Fraction(hidden.spare, len(hidden.loose)) if hidden.loose else Fraction(0)
            expected = {card: (held[card] + loose[card] * spare) / places * draws for card in held | loose}
            expected = {card: number for card, number in expected.items() if number}
            found = Counter(hidden.deal(random)[0] for _ in range(draws))
            assert sum(expected.values()) == draws
            assert found.keys() <= expected.keys()
            statistic = sum(float((found[card] - number) ** 2 / number) for card, number in expected.items())
            freedom = len(expected) - 1
            assert statistic <= freedom + 4 * sqrt(2 * freedom) + 6, (state.ply, viewer, statistic, freedom)


# --- all that a seat has seen in the course of a game -----------------------------------------------------------------

Course = list[tuple[str, int | str]]
"""What was seen: a draw into a hand, a card played from a hand ("a0": from hand 0), a card turned up, a shuffle."""

COURSES: list[Course] = [
    [("draw", 0), ("draw", 0), ("play", "a0"), ("draw", 1)],
    [("draw", 0), ("draw", 1), ("turn", "b"), ("turn", "a"), ("shuffle", "ab"), ("draw", 0), ("play", "a0")],
    [("draw", 0), ("draw", 1), ("turn", "b"), ("play", "a1"), ("draw", 1), ("shuffle", "ab"), ("draw", 1),
     ("play", "a1")],
    [("draw", 0), ("draw", 0), ("play", "b0"), ("draw", 1), ("turn", "a"), ("shuffle", "ab"), ("draw", 1), ("draw", 0),
     ("play", "a1"), ("play", "b0"), ("shuffle", "ab"), ("draw", 1)],
]  # fmt: skip
BOX = {"a": 2, "b": 2}


def followed(course: Course) -> Origins:
    origins = Origins(BOX, 2)
    for what, which in course:
        if isinstance(which, int):
            origins.draw(which)
        elif what == "play":
            origins.play(int(which[1]), which[0])
        elif what == "turn":
            origins.reveal(which)
        else:
            origins.shuffle(list(which))
    return origins


def draws_by_counting(course: Course) -> dict[tuple[str, ...], Fraction]:
    """Of each sequence of draws into hands: its share of all orders of distinguishable cards, and of all that can be
    played.

    Cards are named "a0", "a1", …; a shuffle takes up what lies open.
    """
    found: Counter[tuple[str, ...]] = Counter()

    def follow(
        course: Course,
        pile: tuple[str, ...],
        hands: tuple[frozenset[str], ...],
        table: frozenset[str],
        drawn: tuple[str, ...],
    ) -> None:
        if not course:
            found[drawn] += factorial(len(pile))
            return
        (what, which), rest = course[0], course[1:]
        if isinstance(which, int):
            for card in pile:
                dealt = tuple(hand | {card} if seat == which else hand for seat, hand in enumerate(hands))
                follow(rest, tuple(each for each in pile if each != card), dealt, table, (*drawn, card[0]))
        elif what == "play":
            for card in hands[int(which[1])]:
                if card[0] == which[0]:
                    follow(rest, pile, tuple(hand - {card} for hand in hands), table | {card}, drawn)
        elif what == "turn":
            for card in pile:
                if card[0] == which:
                    follow(rest, tuple(each for each in pile if each != card), hands, table | {card}, drawn)
        else:
            assert not pile
            follow(rest, tuple(table), hands, frozenset(), drawn)

    box = tuple(f"{card}{copy}" for card, number in BOX.items() for copy in range(number))
    follow(course, box, (frozenset(), frozenset()), frozenset(), ())
    return {drawn: Fraction(count, found.total()) for drawn, count in found.items()}


Hands = tuple[tuple[str, ...], ...]


def hands_after(course: Course, drawn: tuple[str, ...]) -> Hands:
    """What the hands hold at the end: what was drawn and not played."""
    hands: tuple[list[str], list[str]] = ([], [])
    cards = iter(drawn)
    for what, which in course:
        if isinstance(which, int):
            hands[which].append(next(cards))
        elif what == "play":
            hands[int(which[1])].remove(which[0])
    return tuple(tuple(sorted(hand)) for hand in hands)


def assert_as_often(found: Counter[Any], expected: dict[Any, Fraction]) -> None:
    """By chi-square, at four standard deviations; none is missing or too many."""
    assert found.keys() == expected.keys()
    draws = found.total()
    statistic = float(sum((found[each] - draws * share) ** 2 / (draws * share) for each, share in expected.items()))
    freedom = len(expected) - 1
    assert statistic <= freedom + 4 * sqrt(2 * freedom) + 6, (statistic, freedom)


@pytest.mark.parametrize("course", COURSES, ids=len)
def test_what_was_seen_is_weighed_as_counting_all_courses_says(course: Course) -> None:
    """The contents of both hands, and what was drawn in the course of the game."""
    of_draws, origins, random = draws_by_counting(course), followed(course), Random(7)
    assert_as_often(Counter(tuple(origins.sample_draws(random)) for _ in range(1_500)), of_draws)
    of_hands: dict[Hands, Fraction] = {}
    for drawn, share in of_draws.items():
        hands = hands_after(course, drawn)
        of_hands[hands] = of_hands.get(hands, Fraction(0)) + share
    deals, held = origins.hidden(), len(next(iter(of_hands))[0])
    cards = [deals.deal(random) for _ in range(1_500)]
    assert_as_often(Counter((tuple(sorted(each[:held])), tuple(sorted(each[held:]))) for each in cards), of_hands)


@every_setup
def test_samples_of_a_record_agree_with_the_view(setup: Setup) -> None:
    """Also from the seat's own record, which gives the same samples."""
    game = setup.game
    plies = list(play_out(game, setup.players, setup.options))
    start, moves = plies[0].before, [ply.move for ply in plies]
    for index in Random(0).sample(range(len(moves)), 2):
        state, viewer = plies[index].before, index % setup.players
        samples = sampler_of_course(game, start, moves[:index], viewer).samples("7", 20)
        for full in samples:
            assert game.view(full, viewer) == game.view(state, viewer)
            assert game.audit(full) == []
        seen = [step.move_seen_by(viewer) for step in play_steps(game, start, moves[:index])]
        assert sampler_of_course(game, start, seen, viewer).samples("7", 20) == samples
