"""Where points and objects come from: compares the decision with trying everything that players can have done."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from random import Random

import pytest

from capomastro.engine.multisets import multiset
from capomastro.engine.searches import TooManySteps
from capomastro.games.carrara.components import CITIES, OBJECT_OF, OBJECTS_NEEDED, TYPES
from capomastro.games.carrara.origins import FOR_SALE, RATES, Holding, Search, can_share, possible_announcers

Done = tuple[int, int, frozenset[str], tuple[str, ...]]
"""The points and objects from scorings, the cities scored, the types of the buildings."""


def everything_done(costs: tuple[int, ...]) -> set[Done]:
    """All that a player with two buildings can have done: types, cities, the order of building and every scoring.

    Three types are enough: two buildings have no more, and those of another player are others.
    """
    found = set()
    for types, cities in product(product(TYPES[:3], repeat=2), product(CITIES, repeat=2)):
        if costs[0] == costs[1] and types[0] == types[1]:
            continue
        for order in permutations(range(2)):
            for counted in every_scoring(types, cities, order):
                given = [one for there in counted.values() for one in there]
                points = sum(costs[one] * RATES[cities[one]] for one in given)
                found.add((points, len(given), frozenset(counted.keys() & CITIES.keys()), types))
    return found


def every_scoring(
    types: tuple[str, ...], cities: tuple[str, ...], order: tuple[int, ...]
) -> Iterator[dict[str, tuple[int, ...]]]:
    """Everything that can have been scored, with the buildings that counted: those that stood by then."""
    ways = []
    for name in {*types, *cities}:
        least = CITIES[name].minimum if name in CITIES else 1
        # each scoring may happen after so many buildings, or never
        after = (
            tuple(one for one in order[:time] if name in (types[one], cities[one])) for time in range(len(order) + 1)
        )
        ways.append([(name, ()), *((name, there) for there in {*after} if len(there) >= least)])
    for scorings in product(*ways):
        yield {name: there for name, there in scorings if there}


def everything_together(costs: list[tuple[int, ...]]) -> set[tuple[int, int, int, int]]:
    """Points and objects from scorings of two players, who cannot score the same city."""
    ones, others = ({(points, objects, cities) for points, objects, cities, _ in everything_done(own)} for own in costs)
    return {(p, n, q, m) for p, n, cities in ones for q, m, taken in others if not cities & taken}


@pytest.mark.parametrize("costs", [[(1, 2), (1, 3)], [(2, 2), (3, 5)], [(1, 1), (2, 4)]])
def test_the_decision_agrees_with_brute_force(costs: list[tuple[int, ...]]) -> None:
    """All points up to 12 and objects up to 6 of one player, with a sample of those of the other."""
    done = everything_together(costs)
    random = Random(0)
    answers = []
    for points, objects in product(range(13), range(7)):
        other = (random.randrange(13), random.randrange(4))
        expected = any(
            (p, q) == (points, other[0])
            and n <= objects
            and m <= other[1]
            and objects - n + other[1] - m <= len(TYPES)  # bought
            for p, n, q, m in done
        )
        holdings = [Holding(points, objects, costs[0]), Holding(*other, costs[1])]
        try:
            possible = Search(holdings, 10**6).together(None) is not None
        except TooManySteps:  # only an empty supply could explain it, which two players with two buildings never meet
            possible = False
        answers.append(possible)
        assert possible == expected, holdings
    assert True in answers
    assert False in answers


SOME_TYPES = TYPES[:3]
Kinds = tuple[int, ...]
"""Objects by the type of building that gives them, if it is one of the three."""


def everything_by_kind(costs: tuple[int, ...]) -> set[tuple[int, Kinds, frozenset[str], frozenset[tuple[str, int]]]]:
    """The same with the objects by kind, and the type and cost of each building that gave some."""
    found = set()
    for types, cities in product(product(SOME_TYPES, repeat=len(costs)), product(CITIES, repeat=len(costs))):
        for order in permutations(range(len(costs))):
            for counted in every_scoring(types, cities, order):
                given = [one for there in counted.values() for one in there]
                tiles = frozenset((types[one], costs[one]) for one in given)
                if len(tiles) == len(set(given)):
                    points = sum(costs[one] * RATES[cities[one]] for one in given)
                    numbers = Counter(types[one] for one in given)
                    kinds = tuple(numbers[kind] for kind in SOME_TYPES)
                    found.add((points, kinds, frozenset(counted.keys() & CITIES.keys()), tiles))
    return found


def objects_of(kinds: Kinds) -> tuple[str, ...]:
    return multiset(Counter({OBJECT_OF[kind]: n for kind, n in zip(SOME_TYPES, kinds, strict=True)}).elements())


@pytest.mark.parametrize("costs", [[(1, 2), (1,)], [(2, 2), (2,)], [(1, 4), (4,)]])
def test_kinds_and_points_together_agree_with_brute_force(costs: list[tuple[int, ...]]) -> None:
    ones, others = (everything_by_kind(own) for own in costs)

    def expected(points: int, kinds: Kinds, other_points: int, other_kinds: Kinds) -> bool:
        """Each kind was for sale once: for one of them, or for nobody."""
        return any(
            not cities & taken
            and not tiles & theirs
            and all(
                0 <= x + y <= 1 for x, y in zip(bought(kinds, given), bought(other_kinds, others_given), strict=True)
            )
            and min(*bought(kinds, given), *bought(other_kinds, others_given)) >= 0
            for one, given, cities, tiles in ones
            if one == points and min(bought(kinds, given)) >= 0
            for other, others_given, taken, theirs in others
            if other == other_points
        )

    def bought(kinds: Kinds, given: Kinds) -> list[int]:
        return [there - scored for there, scored in zip(kinds, given, strict=True)]

    random = Random(str(costs))
    listed = [sorted(own, key=str) for own in (ones, others)]
    answers = []
    for _ in range(400):
        (points, given, *_), (other_points, others_given, *_) = map(random.choice, listed)
        kinds, other_kinds = (
            tuple(max(0, number + random.choice((0, 0, 1, -1))) for number in numbers)
            for numbers in (given, others_given)
        )
        points = max(0, points + random.choice((0, 0, 1, -1)))
        holdings = [
            Holding(points, sum(kinds), costs[0], objects_of(kinds)),
            Holding(other_points, sum(other_kinds), costs[1], objects_of(other_kinds)),
        ]
        answers.append(Search(holdings, 10**6).together(None) is not None)
        assert answers[-1] == expected(points, kinds, other_points, other_kinds), holdings
    assert min(answers.count(True), answers.count(False)) > 50


def scorings_at_random(random: Random, costs: list[tuple[int, ...]]) -> Iterator[Holding]:
    """What players have after they built and scored at random."""
    free = {(kind, cost) for kind in TYPES for cost in range(1, 6)}
    left, open_cities = dict.fromkeys(TYPES, 5), set(CITIES)
    for own in costs:
        standing: list[tuple[str, int, str]] = []
        scored: set[str] = set()
        points = objects = 0
        for cost in own:
            kind = random.choice(sorted(kind for kind, other in free if other == cost))
            free.remove((kind, cost))
            standing.append((kind, cost, random.choice(list(CITIES))))
            name = random.choice([*TYPES, *sorted(open_cities)])
            there = [one for one in standing if name in one]
            least = CITIES[name].minimum if name in CITIES else 1
            if name in scored or len(scored) == 6 or len(there) < least:
                continue
            scored.add(name)
            open_cities.discard(name)
            for one, price, city in there:
                points += price * RATES[city]
                given = min(1, left[one])
                left[one] -= given
                objects += given
        yield Holding(points, objects, tuple(sorted(own)))


def test_random_scorings_are_possible() -> None:
    random = Random("carrara")
    for _ in range(60):
        costs = [tuple(random.choices(range(1, 6), k=random.randrange(3, 8))) for _ in range(random.randrange(2, 5))]
        if max(sum(own.count(cost) for own in costs) for cost in range(1, 6)) > len(TYPES):
            continue
        holdings = list(scorings_at_random(random, costs))
        assert Search(holdings, 10**6).together(None), holdings


@pytest.mark.parametrize(
    ("holding", "possible"),
    [
        # a building scores for its type; a city needs two or three of them
        (Holding(15, 1, (5,)), True),
        (Holding(30, 2, (5,)), False),
        (Holding(16, 1, (5,)), False),
        (Holding(12, 1, (1, 4)), True),
        # livorno with both, and each for its type
        (Holding(6 * 5, 4, (1, 4)), True),
        (Holding(6 * 5 + 1, 4, (1, 4)), False),
        # at most six objects can be bought
        (Holding(0, 6, ()), True),
        (Holding(0, 7, ()), False),
        (Holding(0, 10, (1, 4)), True),
        (Holding(0, 11, (1, 4)), False),
        # six scorings: five types and a city, or six types
        (Holding(6 * 25 + 15, 11, (5,) * 6), True),
        (Holding(6 * 25 + 16, 11, (5,) * 6), False),
    ],
)
def test_possible_sheets_of_one_player(holding: Holding, possible: bool) -> None:
    assert Search([holding, Holding(0, 0, ())], 10**6).alone(0, announced=False) == possible


@pytest.mark.parametrize(("objects", "possible"), [(FOR_SALE, True), (FOR_SALE + 1, False)])
def test_all_objects_for_sale_can_have_been_bought_by_one_player(objects: int, possible: bool) -> None:
    scorer = Search([Holding(0, objects, ()), Holding(0, 0, ())], 10**6).scorer(0, announced=False)
    assert scorer.numbers_with(()) == [0] * possible, "no object came from a scoring"


def test_a_city_is_scored_by_one_player() -> None:
    """Each player alone could have scored Livorno with two buildings, which gives six points per cost."""
    both = [Holding(30, 4, (1, 4)), Holding(30, 4, (2, 3))]
    search = Search(both, 10**6)
    assert search.alone(0, announced=False)
    assert search.alone(1, announced=False)
    assert not search.together(None)
    assert Search([both[0], Holding(15, 2, (2, 3))], 10**6).together(None)


def test_the_player_who_announced_the_end_has_made_four_scorings() -> None:
    players = 2
    enough = Holding(5, OBJECTS_NEEDED[players], (5, 5, 5, 5, 5, 5))
    assert possible_announcers([enough, Holding(0, 0, ())]) == [0]
    for changed in (Holding(4, 8, enough.costs), Holding(5, 7, enough.costs), Holding(5, 8, (5, 5, 5, 5, 5, 4))):
        assert possible_announcers([changed, Holding(0, 0, ())]) == []
    assert Search([enough, Holding(0, 0, ())], 10**6).explanation()
    # three buildings are of three types and in a city; two leave one scoring too few
    assert Search([Holding(5, 8, (5, 5, 5)), Holding(0, 0, ())], 10**6).alone(0, announced=True)
    assert not Search([Holding(5, 8, (5, 5)), Holding(0, 0, ())], 10**6).alone(0, announced=True)


@pytest.mark.parametrize(
    ("objects", "costs", "possible"),
    [
        ((6, 0), [(1, 2, 3), ()], True),
        ((6, 0), [(1, 2), ()], False),
        ((5, 0), [(1, 2, 2), ()], True),
        ((6, 0), [(1, 2, 2), ()], False),  # of a type there is one building per cost
        ((3, 3), [(1, 2), (1, 2)], False),
        ((3, 3), [(1, 2), (1, 3)], True),
        ((1, 1), [(), (1,)], True),
        ((1, 1), [(), ()], False),  # one of them was for sale
        ((0, 0), [(), ()], True),
    ],
)
def test_objects_of_one_kind(objects: tuple[int, ...], costs: list[tuple[int, ...]], possible: bool) -> None:
    assert can_share(objects, costs) == possible


def test_a_search_is_given_up_after_its_steps() -> None:
    holdings = [Holding(20, 10, (1, 2, 3, 4, 5, 5, 5, 5)), Holding(25, 8, (1, 2, 3, 4, 5, 4, 4))]
    with pytest.raises(TooManySteps):
        Search(holdings, 100).explanation()
