"""Decides whether buildings and their scorings can have given the points and objects on a scoresheet.

Known of each building is its cost, not its type or city. A player scores types (a building at most once by its type)
and cities (at most once by its city, which nobody else has scored), six in all. So each building was scored by neither,
by one or by both, in a city that paid 0 to 3 points per cost; the points and the number of objects follow from this.
What decides is a table by player and scored cities (all possible sums of points are one integer, bit by bit), and then
a search for types, of which each exists once per cost. Both are bounded. Where coins and blocks came from is left open.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from capomastro.games.carrara.components import (
    ANNOUNCEMENT_POINTS,
    BUILDING_COUNT,
    CITIES,
    COST_NEEDED,
    MARKERS,
    OBJECTS_NEEDED,
    SCORINGS_NEEDED,
    TYPES,
)

STEPS = 150_000
"""Maximum number of steps of a search: a fraction of a second."""

FOR_SALE = len(TYPES)
"""The objects on the board, one of each kind."""
SUPPLY = 5
"""The objects of each kind for scorings."""

RATES = {name: city.rate if city.pays == "points" else 0 for name, city in CITIES.items()}
"""The points per cost that each city pays."""
RATES_ANYWHERE = tuple(sorted(set(RATES.values())))

CitySet = tuple[str, ...]
"""Cities that one player has scored, in the order of the board."""

EVERY_CITY_SET: tuple[CitySet, ...] = tuple(
    cities for number in range(MARKERS + 1) for cities in combinations(CITIES, number)
)


class Holding(NamedTuple):
    """What a player has: points on the track, the number of objects, the costs of their buildings."""

    points: int
    objects: int
    costs: tuple[int, ...]


Option = tuple[int, int]
"""The number of a use and of a type."""

Plan = tuple[tuple[CitySet, int], ...]
"""By player: the cities that they have scored, and the number of objects that their scorings gave."""


class TooManySteps(Exception):
    """The search was not finished within its steps, or only an exhausted supply of objects could explain the sheet."""


class Use(NamedTuple):
    """How a building was scored: by its type or not, and by its city or not; the points per cost that its city pays."""

    by_type: bool
    by_city: str | None
    rate: int

    @property
    def objects(self) -> int:
        return self.by_type + (self.by_city is not None)


UNUSED = Use(by_type=False, by_city=None, rate=0)


# --- who can have announced the end ----------------------------------------------------------------------------------


def possible_announcers(holdings: Sequence[Holding]) -> list[int]:
    """The players who have what announcing needs, and the points for it."""
    players = len(holdings)
    return [
        seat
        for seat, holding in enumerate(holdings)
        if holding.objects >= OBJECTS_NEEDED[players]
        and sum(holding.costs) >= COST_NEEDED[players]
        and holding.points >= ANNOUNCEMENT_POINTS
    ]


def endings(holdings: Sequence[Holding]) -> list[int | None]:
    """Who can have announced the end; None if nobody need have, as all buildings stand."""
    every: list[int | None] = [None] if sum(len(holding.costs) for holding in holdings) == BUILDING_COUNT else []
    return every + possible_announcers(holdings)


# --- one player ------------------------------------------------------------------------------------------------------


class Scorer:
    """What one player's scorings can have given."""

    def __init__(self, holding: Holding, announced: bool, search: "Search") -> None:
        self.holding = holding
        self.announced = announced
        self.target = holding.points - (ANNOUNCEMENT_POINTS if announced else 0)
        self.search = search
        self.most_objects = min(holding.objects + search.short, 2 * len(holding.costs))
        self.layers: dict[CitySet, list[dict[tuple[int, ...], int]]] = {}

    def objects_with(self, cities: CitySet) -> set[int]:
        """The numbers of objects that scorings, of these cities and of types, can have given besides the points."""
        if self.target < 0 or sum(CITIES[city].minimum for city in cities) > len(self.holding.costs):
            return set()
        bit = 1 << self.target
        return {key[0] for key, sums in self.layered(cities)[-1].items() if sums & bit and self.is_whole(key, cities)}

    def numbers_with(self, cities: CitySet) -> list[int]:
        """The same numbers, those first that leave least to be bought."""
        return sorted(self.objects_with(cities), key=lambda number: abs(number - self.holding.objects))

    def is_whole(self, key: tuple[int, ...], cities: CitySet) -> bool:
        """Whether every city has its minimum, and who announced the end has made enough scorings."""
        _, of_types, *there = key
        enough = not self.announced or min(of_types, MARKERS - len(cities)) + len(cities) >= SCORINGS_NEEDED
        return enough and all(number == CITIES[city].minimum for number, city in zip(there, cities, strict=True))

    def layered(self, cities: CitySet) -> list[dict[tuple[int, ...], int]]:
        """For the first buildings, one more each time: all sums of points, as bits, by what else matters.

        That is the number of objects, of buildings scored by type (as far as it matters), and of those scored by each
        city (up to its minimum).
        """
        if cities in self.layers:
            return self.layers[cities]
        layers = [{(0, 0, *(0 for _ in cities)): 1}]
        below = (1 << self.target + 1) - 1
        uses = possible_uses(cities)
        for cost in self.holding.costs:
            following: dict[tuple[int, ...], int] = {}
            for key, sums in layers[-1].items():
                self.search.step(len(uses))
                for use in uses:
                    after = self.after(key, use, cities)
                    moved = sums << cost * use.rate * use.objects & below
                    if after[0] <= self.most_objects and moved:
                        following[after] = following.get(after, 0) | moved
            layers.append(following)
        self.layers[cities] = layers
        return layers

    def after(self, key: tuple[int, ...], use: Use, cities: CitySet) -> tuple[int, ...]:
        objects, of_types, *there = key
        if use.by_city is not None:
            place = cities.index(use.by_city)
            there[place] = min(there[place] + 1, CITIES[use.by_city].minimum)
        return (objects + use.objects, min(of_types + use.by_type, SCORINGS_NEEDED), *there)

    def before(self, key: tuple[int, ...], use: Use, cities: CitySet) -> Iterator[tuple[int, ...]]:
        """What can have mattered before a building was scored like this."""
        objects, of_types, *there = key
        typed = {of_types - use.by_type, of_types if of_types == SCORINGS_NEEDED else of_types - use.by_type}
        if use.by_city is None:
            yield from ((objects - use.objects, number, *there) for number in typed)
            return
        place = cities.index(use.by_city)
        fewer = {there[place] - 1, there[place] if there[place] == CITIES[use.by_city].minimum else there[place] - 1}
        for number, own in product(typed, fewer):
            yield (objects - use.objects, number, *there[:place], own, *there[place + 1 :])


def possible_uses(cities: CitySet) -> list[Use]:
    """Every way to have scored a building, if the player scored these cities and perhaps its type."""
    alone = [Use(by_type=True, by_city=None, rate=rate) for rate in RATES_ANYWHERE] if len(cities) < MARKERS else []
    by_city = [Use(by_type=False, by_city=city, rate=RATES[city]) for city in cities]
    both = [Use(by_type=True, by_city=city, rate=RATES[city]) for city in cities if len(cities) < MARKERS]
    return [UNUSED, *alone, *by_city, *both]


def can_reach(holding: Holding, target: int, fewest: int) -> bool:
    """Whether points and objects are within reach if every building could be scored twice, wherever it stands."""
    sums = {0: 1}
    below = (1 << target + 1) - 1
    for cost in holding.costs:
        following = dict(sums)
        for objects, points in sums.items():
            for number, rate in product((1, 2), RATES_ANYWHERE):
                moved = points << cost * number * rate & below
                following[objects + number] = following.get(objects + number, 0) | moved
        sums = following
    return any(points >> target & 1 for objects, points in sums.items() if objects >= fewest)


# --- all players -----------------------------------------------------------------------------------------------------


class Search:
    """A search, with its steps."""

    def __init__(self, holdings: Sequence[Holding], steps: int) -> None:
        self.holdings = holdings
        self.steps = steps
        self.short = short_at_most(holdings)
        """The most objects that scorings can have given less than buildings were scored, the supply being empty."""
        self.scorers: dict[tuple[int, bool], Scorer] = {}

    def step(self, number: int = 1) -> None:
        self.steps -= number
        if self.steps < 0:
            raise TooManySteps

    def scorer(self, seat: int, announced: bool) -> Scorer:
        key = (seat, announced)
        if key not in self.scorers:
            self.scorers[key] = Scorer(self.holdings[seat], announced, self)
        return self.scorers[key]

    def alone(self, seat: int, announced: bool) -> bool:
        """Whether a player could have their points and objects if all cities and objects for sale were theirs."""
        scorer = self.scorer(seat, announced)
        fewest = scorer.holding.objects - FOR_SALE
        if scorer.target < 0 or not can_reach(scorer.holding, scorer.target, fewest):
            return False
        return any(objects >= fewest for cities in EVERY_CITY_SET for objects in sorted(scorer.objects_with(cities)))

    def succeeds(self) -> bool:
        """Whether all players can have what they have, whoever announced the end.

        Raises:
            TooManySteps: if none is found, and for one of them it could not be decided.
        """
        gave_up = False
        for announcer in endings(self.holdings):
            try:
                if self.together(announcer):
                    return True
            except TooManySteps:
                gave_up = True
        if gave_up:
            raise TooManySteps
        return False

    def together(self, announcer: int | None) -> bool:
        """Whether types for all buildings can be found with which everybody has their points and objects.

        Raises:
            TooManySteps: if it takes too long, or only an empty supply of objects could explain them.
        """
        open_question = False
        for plan in self.plans(announcer):
            open_question = True
            if any(objects > holding.objects for (_, objects), holding in zip(plan, self.holdings, strict=True)):
                continue
            if Typing(self, announcer, plan).succeeds():
                return True
        if open_question:
            raise TooManySteps
        return False

    def plans(self, announcer: int | None) -> Iterator[Plan]:
        """Who scored which cities and how many objects came from scorings."""
        # whoever has few buildings leaves least choice
        order = sorted(range(len(self.holdings)), key=lambda seat: len(self.holdings[seat].costs))
        for choices in self.choices(announcer, order, frozenset(CITIES), FOR_SALE):
            chosen = dict(zip(order, choices, strict=True))
            yield tuple(chosen[seat] for seat in range(len(order)))

    def choices(
        self, announcer: int | None, order: Sequence[int], free: frozenset[str], for_sale: int
    ) -> Iterator[Plan]:
        """The same for the players in `order`, who have these cities and objects for sale left."""
        if not order:
            yield ()
            return
        seat, *others = order
        scorer = self.scorer(seat, seat == announcer)
        for cities in EVERY_CITY_SET:
            if free.issuperset(cities):
                for objects in scorer.numbers_with(cities):
                    bought = max(0, scorer.holding.objects - objects)
                    if bought <= for_sale:
                        self.step()
                        rest = self.choices(announcer, others, free.difference(cities), for_sale - bought)
                        yield from (((cities, objects), *more) for more in rest)


def short_at_most(holdings: Sequence[Holding]) -> int:
    """The most objects that scorings can have lacked: of a kind there are five, for at most ten scored buildings."""
    return SUPPLY * min(sum(holding.objects for holding in holdings) // SUPPLY, len(TYPES))


class Typing:
    """A search for types and uses of all buildings, player by player.

    Of each kind there are five objects for scorings, and of each type one building per cost.
    """

    def __init__(self, search: Search, announcer: int | None, plan: Plan) -> None:
        self.search = search
        self.announcer = announcer
        self.plan = plan
        self.left = [SUPPLY] * len(TYPES)
        self.taken: set[tuple[int, int]] = set()

    def succeeds(self, seat: int = 0) -> bool:
        """Whether the buildings of the players from `seat` on can have types."""
        if seat == len(self.plan):
            return True
        cities, objects = self.plan[seat]
        return OwnTyping(self, seat, cities).can_begin(objects)


class OwnTyping:
    """The part of the search that is about one player's buildings, from the last to the first."""

    def __init__(self, whole: Typing, seat: int, cities: CitySet) -> None:
        self.whole = whole
        self.seat = seat
        self.scorer = whole.search.scorer(seat, seat == whole.announcer)
        self.cities = cities
        self.layers = self.scorer.layered(cities)
        self.uses = possible_uses(cities)
        self.rates_elsewhere = {rate for name, rate in RATES.items() if name not in cities}
        self.by_type: Counter[int] = Counter()
        self.by_city_only: Counter[int] = Counter()
        self.late_types = 0
        """Buildings scored by type, but not by their city, which the player has scored: before they were built."""

    def can_begin(self, objects: int) -> bool:
        """Whether all buildings can have types if the scorings gave so many objects."""
        return any(
            self.succeeds(len(self.scorer.holding.costs), key, self.scorer.target, None)
            for key, sums in self.layers[-1].items()
            if key[0] == objects and sums >> self.scorer.target & 1 and self.scorer.is_whole(key, self.cities)
        )

    def succeeds(self, built: int, key: tuple[int, ...], points: int, last: Option | None) -> bool:
        """Whether the first buildings can have types, and then those of the players to come.

        `last` is what was chosen for the next building if that has the same cost: one order of equal ones is enough.
        """
        if not built:
            return self.has_enough_scorings() and self.whole.succeeds(self.seat + 1)
        costs = self.scorer.holding.costs
        cost = costs[built - 1]
        equal_follows = built > 1 and costs[built - 2] == cost
        for number, use in enumerate(self.uses):
            rest = points - cost * use.rate * use.objects
            if rest < 0 or (last and number < last[0]):
                continue
            for before in self.scorer.before(key, use, self.cities):
                self.whole.search.step()
                if self.layers[built - 1].get(before, 0) >> rest & 1:
                    for kind in self.kinds_for(cost, use):
                        option = (number, -1 if kind is None else kind)
                        if last and option < last:
                            continue
                        self.take(cost, use, kind, 1)
                        if self.in_time() and self.succeeds(built - 1, before, rest, option if equal_follows else None):
                            return True
                        self.take(cost, use, kind, -1)
        return False

    def kinds_for(self, cost: int, use: Use) -> list[int | None]:
        """The types that a building can be of, the likeliest first; None if it does not matter."""
        if not use.objects:
            return [None]
        left, taken, scored = self.whole.left, self.whole.taken, sum(map(bool, self.by_type.values()))
        return [
            kind
            for kind in sorted(range(len(TYPES)), key=lambda kind: -left[kind])
            if left[kind] >= use.objects
            and (cost, kind) not in taken
            and (not use.by_type or self.by_type[kind] or scored < MARKERS - len(self.cities))
        ]

    def take(self, cost: int, use: Use, kind: int | None, times: int) -> None:
        """Gives a building its type, or with `times` -1 takes it away."""
        if kind is None:
            return
        self.whole.left[kind] -= times * use.objects
        if use.by_type:
            self.by_type[kind] += times
            self.late_types += times * (use.by_city is None and use.rate not in self.rates_elsewhere)
        else:
            self.by_city_only[kind] += times
        (self.whole.taken.add if times > 0 else self.whole.taken.remove)((cost, kind))

    def in_time(self) -> bool:
        """Whether the player can have made the scorings in some order.

        Either those of types came first: what was scored by its city only was built afterwards. Or those of cities:
        what was scored by its city only is of a type that was never scored.
        """
        return not self.late_types or not any(self.by_type[kind] for kind, there in self.by_city_only.items() if there)

    def has_enough_scorings(self) -> bool:
        types = sum(map(bool, self.by_type.values()))
        return not self.scorer.announced or types + len(self.cities) >= SCORINGS_NEEDED


# --- kinds of objects ------------------------------------------------------------------------------------------------


def can_share(objects: Sequence[int], costs: Sequence[Sequence[int]]) -> bool:
    """Whether players with buildings of these costs can have so many objects of one kind.

    One of them may have bought one. The others come from buildings of one type, at most two from each, and of a type
    there is one building per cost.
    """
    buyers = [seat for seat, number in enumerate(objects) if number]
    for buyer in (*buyers, None):
        needed = [(number - (seat == buyer) + 1) // 2 for seat, number in enumerate(objects)]
        if can_be_dealt(needed, [set(own) for own in costs], 0, frozenset()):
            return True
    return not buyers


def can_be_dealt(needed: Sequence[int], costs: Sequence[set[int]], seat: int, taken: frozenset[int]) -> bool:
    """Whether the players from `seat` on have enough buildings, of different costs and none of those `taken`."""
    if seat == len(needed):
        return True
    return any(
        can_be_dealt(needed, costs, seat + 1, taken.union(own))
        for own in combinations(sorted(costs[seat] - taken), needed[seat])
    )
