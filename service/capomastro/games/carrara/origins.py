"""Decides whether buildings and their scorings can have given the points and objects on a scoresheet.

Known of each building is its cost, not its type or city. A player scores types (a building at most once by its type)
and cities (at most once by its city, which nobody else has scored), six in all. So each building was scored by neither,
by one or by both, in a city that paid 0 to 3 points per cost; the points and the number of objects follow from this.
What decides is a table by player and scored cities (all possible sums of points are one integer, bit by bit), and then
a search for types, of which each exists once per cost; where a player's objects are known by kind, the types have to
give these. Both are bounded. Where coins and blocks came from is left open.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, combinations, product
from typing import NamedTuple

from capomastro.engine.multisets import Multiset
from capomastro.engine.searches import Steps, TooManySteps
from capomastro.games.carrara.components import (
    ANNOUNCEMENT_POINTS,
    BUILDING_COUNT,
    CITIES,
    COST_NEEDED,
    MARKERS,
    OBJECT_OF,
    OBJECTS_NEEDED,
    SCORINGS_NEEDED,
    TYPES,
)

STEPS = 150_000
"""Maximum number of steps of a search: a fraction of a second."""
STEPS_BY_ROUND = (200, 2_000, STEPS)
"""Maximum number of steps for the types of one plan, round by round: most possible plans are found in few steps."""

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
    """What a player has: points on the track, the number of objects, the costs of their buildings.

    `kinds`: the objects by kind, None if only their number is known.
    """

    points: int
    objects: int
    costs: tuple[int, ...]
    kinds: Multiset | None = None

    @property
    def kinds_by_type(self) -> tuple[int, ...] | None:
        """The number of objects that buildings of each type give."""
        return None if self.kinds is None else tuple([self.kinds.count(kind) for kind in OBJECT_OF.values()])

    @property
    def most_bought(self) -> int:
        """The most objects that can have been for sale: one of each kind."""
        return min(FOR_SALE, self.objects if self.kinds is None else len(set(self.kinds)))


def most_points(buildings: Mapping[int, int]) -> int:
    """The most points of a player who has so many buildings by cost, all in the city that pays most.

    One of their markers scores that city, the others as many types; they announce the end.
    """
    by_city = sum(cost * number for cost, number in buildings.items())
    by_type = sum(cost * min(number, MARKERS - 1) for cost, number in buildings.items())
    return max(RATES.values()) * (by_city + by_type) + ANNOUNCEMENT_POINTS


Option = tuple[int, int]
"""The number of a use and of a type."""

Plan = Mapping[int, tuple[CitySet, int]]
"""By player: the cities that they have scored, and the number of objects that their scorings gave."""


class Use(NamedTuple):
    """How a building was scored: by its type or not, and by its city or not; the points per cost that its city pays."""

    by_type: bool
    by_city: str | None
    rate: int

    @property
    def objects(self) -> int:
        return self.by_type + (self.by_city is not None)


UNUSED = Use(by_type=False, by_city=None, rate=0)


class Origin(NamedTuple):
    """What a building gave: its cost, how it was scored, and the number of its type, None if it gave nothing."""

    cost: int
    use: Use
    kind: int | None


class Explanation(NamedTuple):
    """How players can have come by what they have.

    `announcer`: who announced the end, if anybody; by player the `cities` that they scored and the `origins`.
    """

    announcer: int | None
    cities: tuple[CitySet, ...]
    origins: tuple[tuple[Origin, ...], ...]


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
    """Who can have announced the end; None if nobody need have, because all buildings are built."""
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
        self.known_ways: dict[tuple[CitySet, int, tuple[int, ...]], list[Way]] = {}

    def objects_with(self, cities: CitySet) -> set[int]:
        """The numbers of objects that scorings, of these cities and of types, can have given besides the points."""
        if self.target < 0 or sum(CITIES[city].minimum for city in cities) > len(self.holding.costs):
            return set()
        bit = 1 << self.target
        return {key[0] for key, sums in self.layered(cities)[-1].items() if sums & bit and self.is_whole(key, cities)}

    def numbers_with(self, cities: CitySet) -> list[int]:
        """The same numbers as far as the rest can have been bought, those first that leave least to be bought."""
        fewest = self.holding.objects - self.holding.most_bought
        enough = (number for number in self.objects_with(cities) if number >= fewest)
        return sorted(enough, key=lambda number: abs(number - self.holding.objects))

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
                self.search.steps.spend(len(uses))
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

    def ways(self, cities: CitySet, built: int, key: tuple[int, ...]) -> list["Way"]:
        """Every way to have scored the last of the first buildings, if after it this mattered."""
        place = (cities, built, key)
        if place not in self.known_ways:
            sums = self.layered(cities)[built - 1]
            self.known_ways[place] = [
                Way(
                    number,
                    use,
                    use.objects,
                    self.holding.costs[built - 1] * use.rate * use.objects,
                    [(before, sums.get(before, 0)) for before in self.before(key, use, cities)],
                )
                for number, use in enumerate(possible_uses(cities))
            ]
        return self.known_ways[place]


class Way(NamedTuple):
    """A way to have scored a building: the number of the use, what it gave, and by what mattered before all sums."""

    number: int
    use: Use
    objects: int
    points: int
    before: list[tuple[tuple[int, ...], int]]


def possible_uses(cities: CitySet) -> list[Use]:
    """Every way to have scored a building, if the player scored these cities and perhaps its type."""
    alone = [Use(by_type=True, by_city=None, rate=rate) for rate in RATES_ANYWHERE] if len(cities) < MARKERS else []
    by_city = [Use(by_type=False, by_city=city, rate=RATES[city]) for city in cities]
    both = [Use(by_type=True, by_city=city, rate=RATES[city]) for city in cities if len(cities) < MARKERS]
    return [UNUSED, *alone, *by_city, *both]


def can_reach(holding: Holding, target: int, fewest: int) -> bool:
    """Whether points and objects are within reach if every building could be scored twice, in whichever city."""
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
        self.steps = Steps(steps)
        self.short = most_lacking(holdings)
        """The most objects that scorings can have given less than buildings were scored, the supply being empty."""
        self.scorers: dict[tuple[int, bool], Scorer] = {}
        self.order = sorted(range(len(holdings)), key=lambda seat: len(holdings[seat].costs))
        """The players, first those with few buildings, who leave least choice."""

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
        return any(
            objects >= fewest and self.can_assign_types(seat, announced, cities, objects)
            for cities in EVERY_CITY_SET
            for objects in sorted(scorer.objects_with(cities))
        )

    def can_assign_types(self, seat: int, announced: bool, cities: CitySet, objects: int) -> bool:
        """Whether types for a player's own buildings give their kinds of objects, as far as these are known."""
        if self.short or self.holdings[seat].kinds is None:
            return True
        return TypeSearch(self, seat if announced else None, {seat: (cities, objects)}, STEPS_BY_ROUND[0]).may_succeed()

    def explanation(self) -> Explanation | None:
        """How all players can have come by what they have, whoever announced the end; None if they cannot.

        Raises:
            TooManySteps: if none is found, and for one of them it could not be decided.
        """
        return first_found(partial(self.together, announcer) for announcer in endings(self.holdings))

    def together(self, announcer: int | None) -> Explanation | None:
        """Types for all buildings with which everybody has their points and objects; None if there are none.

        Raises:
            TooManySteps: if it takes too long, or only an empty supply of objects could explain them.
        """
        for steps in STEPS_BY_ROUND:
            try:
                found = self.first_typed(announcer, steps)
            except TooManySteps:
                continue
            if found or not (self.short and any(self.plans(announcer))):
                return found
            break
        raise TooManySteps

    def first_typed(self, announcer: int | None, steps: int) -> Explanation | None:
        """Types for all buildings of the first plan for which they are found within so many steps.

        Raises:
            TooManySteps: if they are found for no plan, and the steps were too few for one of the plans.
        """
        plans = self.typed_plans(announcer)
        return first_found(TypeSearch(self, announcer, plan, steps).explanation for plan in plans)

    def typed_plans(self, announcer: int | None) -> Iterator[Plan]:
        """The plans in which no object is lacking, without those that fail for the types of some of the players."""

        def is_promising(plan: Plan) -> bool:
            lacking = any(objects > self.holdings[seat].objects for seat, (_, objects) in plan.items())
            whole = len(plan) == len(self.order)  # its types are looked for thoroughly
            return not lacking and (whole or TypeSearch(self, announcer, plan, STEPS_BY_ROUND[0]).may_succeed())

        return self.plans(announcer, is_promising)

    def plans(self, announcer: int | None, is_promising: Callable[[Plan], bool] = bool) -> Iterator[Plan]:
        """Who scored which cities and how many objects came from scorings; the fewest cities first.

        Plans are left out if they begin like one that is not promising.
        """
        for number in range(len(CITIES) + 1):
            yield from self.longer_plans({}, announcer, is_promising, number, frozenset(CITIES), FOR_SALE)

    def longer_plans(
        self,
        plan: Plan,
        announcer: int | None,
        is_promising: Callable[[Plan], bool],
        number: int,
        free: frozenset[str],
        for_sale: int,
    ) -> Iterator[Plan]:
        """Those that begin like this one; the others scored this `number` of the `free` cities."""
        if len(plan) == len(self.order):
            if not number:
                yield plan
            return
        seat = self.order[len(plan)]
        scorer = self.scorer(seat, seat == announcer)
        for cities in EVERY_CITY_SET:
            if len(cities) <= number and free.issuperset(cities):
                for objects in scorer.numbers_with(cities):
                    bought = max(0, scorer.holding.objects - objects)
                    longer = {**plan, seat: (cities, objects)}
                    if bought <= for_sale and is_promising(longer):
                        self.steps.spend()
                        left = free.difference(cities)
                        more = number - len(cities)
                        yield from self.longer_plans(longer, announcer, is_promising, more, left, for_sale - bought)


def first_found(searches: Iterable[Callable[[], Explanation | None]]) -> Explanation | None:
    """What the first of the searches finds that finds anything.

    Raises:
        TooManySteps: if none does, and one of them gave up.
    """
    gave_up = False
    for search in searches:
        try:
            found = search()
        except TooManySteps:
            gave_up = True
        else:
            if found:
                return found
    if gave_up:
        raise TooManySteps
    return None


def most_lacking(holdings: Sequence[Holding]) -> int:
    """The most objects that scorings can have lacked: of a kind there are five, and of a type one building per cost."""
    costs = {cost for holding in holdings for cost in holding.costs}
    lacking = max(0, 2 * len(costs) - SUPPLY)
    every = [holding.kinds_by_type for holding in holdings]
    known = [kinds for kinds in every if kinds is not None]
    if len(known) == len(every):
        kinds: list[int] = [sum(there) for there in zip(*known, strict=True)]
        return lacking * sum(number >= SUPPLY for number in kinds)
    return lacking * min(sum(holding.objects for holding in holdings) // SUPPLY, len(TYPES))


class TypeSearch:
    """A search for types and uses of all buildings, player by player.

    Of each kind there are five objects for scorings, and of each type one building per cost.
    """

    def __init__(self, search: Search, announcer: int | None, plan: Plan, steps: int) -> None:
        self.search = search
        self.steps = Steps(steps)
        self.announcer = announcer
        self.plan = plan
        self.order = [seat for seat in search.order if seat in plan]
        self.left = [SUPPLY] * len(TYPES)
        self.taken = [0 for _ in TYPES]
        """By type the costs of the buildings that have it, bit by bit."""
        self.sold: frozenset[int] = frozenset()
        """The kinds that players before have bought, as far as theirs are known by kind."""
        self.origins: dict[int, list[Origin]] = {seat: [] for seat in sorted(plan)}
        """Those of every player's buildings, once it has succeeded."""

    def succeeds(self, place: int = 0) -> bool:
        """Whether the buildings of the players from this place in the order on can have types."""
        if place == len(self.order):
            return True
        cities, objects = self.plan[self.order[place]]
        return PlayerTypeSearch(self, place, cities).can_begin(objects)

    def may_succeed(self) -> bool:
        """Like `succeeds`, but True if the steps run out."""
        try:
            return self.succeeds()
        except TooManySteps:
            return True

    def spend_step(self) -> None:
        """A step of this search is one of the whole search too."""
        self.search.steps.spend()
        self.steps.spend()

    def explanation(self) -> Explanation | None:
        """The first explanation found; None if there is none."""
        if not self.succeeds():
            return None
        cities = tuple(self.plan[seat][0] for seat in self.origins)
        return Explanation(self.announcer, cities, tuple(map(tuple, self.origins.values())))


class PlayerTypeSearch:
    """The part of the search that is about one player's buildings, from the last to the first."""

    def __init__(self, whole: TypeSearch, place: int, cities: CitySet) -> None:
        self.whole = whole
        self.place = place
        self.seat = seat = whole.order[place]
        self.scorer = whole.search.scorer(seat, seat == whole.announcer)
        self.cities = cities
        self.first_costs = list(accumulate(self.scorer.holding.costs, lambda costs, cost: costs | 1 << cost, initial=0))
        """The costs of the first buildings, bit by bit, one building more each time."""
        self.rates_elsewhere = {rate for name, rate in RATES.items() if name not in cities}
        self.owned = self.scorer.holding.kinds_by_type
        self.given = [0 for _ in TYPES]
        """The objects of each kind that scorings gave."""
        self.by_type = [0 for _ in TYPES]
        self.by_city_only: Counter[tuple[int, str]] = Counter()
        """The types and cities of buildings scored by their city only."""
        self.late: Counter[tuple[int, int]] = Counter()
        """Types and rates of buildings scored by their type only, though the player scored all cities that pay so."""

    def can_begin(self, objects: int) -> bool:
        """Whether all buildings can have types if the scorings gave so many objects."""
        return any(
            self.succeeds(len(self.scorer.holding.costs), key, self.scorer.target, None)
            for key, sums in self.scorer.layered(self.cities)[-1].items()
            if key[0] == objects and sums >> self.scorer.target & 1 and self.scorer.is_whole(key, self.cities)
        )

    def succeeds(self, built: int, key: tuple[int, ...], points: int, last: Option | None) -> bool:
        """Whether the first buildings can have types, and then those of the players to come.

        `last` is what was chosen for the next building if that has the same cost: one order of equal ones is enough.
        """
        if not built:
            return self.has_enough_scorings() and self.can_buy_the_rest()
        costs = self.scorer.holding.costs
        cost = costs[built - 1]
        equal_follows = built > 1 and costs[built - 2] == cost
        if not self.can_give_the_rest(built, key[0]):
            return False
        for number, use, objects, given, before_it in self.scorer.ways(self.cities, built, key):
            rest = points - given
            if rest < 0 or (last and number < last[0]):
                continue
            for before, sums in before_it:
                self.whole.spend_step()
                if sums >> rest & 1:
                    for kind in self.kinds_for(cost, use, objects):
                        option = (number, -1 if kind is None else kind)
                        if last and option < last:
                            continue
                        self.take(cost, use, objects, kind, 1)
                        if self.in_time() and self.succeeds(built - 1, before, rest, option if equal_follows else None):
                            self.whole.origins[self.seat].append(Origin(cost, use, kind))
                            return True
                        self.take(cost, use, objects, kind, -1)
        return False

    def kinds_for(self, cost: int, use: Use, objects: int) -> list[int | None]:
        """The types that a building can be of, the likeliest first; None if it does not matter."""
        if not objects:
            return [None]
        left, taken, given, owned, by_type = self.whole.left, self.whole.taken, self.given, self.owned, self.by_type
        only_scored = use.by_type and self.types_scored() >= MARKERS - len(self.cities)
        return [
            kind
            for kind in sorted(range(len(TYPES)), key=left.__getitem__, reverse=True)
            if left[kind] >= objects
            and (owned is None or given[kind] + objects <= owned[kind])
            and not taken[kind] >> cost & 1
            and (not only_scored or by_type[kind])
        ]

    def types_scored(self) -> int:
        return len(TYPES) - self.by_type.count(0)

    def take(self, cost: int, use: Use, objects: int, kind: int | None, times: int) -> None:
        """Gives a building its type, or with `times` -1 takes it away."""
        if kind is None:
            return
        self.whole.left[kind] -= times * objects
        self.given[kind] += times * objects
        if use.by_type:
            self.by_type[kind] += times
            if use.by_city is None and use.rate not in self.rates_elsewhere:
                self.late[kind, use.rate] += times
        elif use.by_city is not None:
            self.by_city_only[kind, use.by_city] += times
        self.whole.taken[kind] ^= 1 << cost

    def in_time(self) -> bool:
        """Whether the player can have made the scorings in some order.

        What was scored by its city only was built after its type was scored, if that was, and before the city; what was
        scored by its type only, in a city that was scored, the other way round.
        """
        if not self.late:
            return True
        late = [one for one, number in self.late.items() if number]
        types_first = {one for one, number in self.by_city_only.items() if number and self.by_type[one[0]]}
        if not late or not types_first:
            return True
        places = ([city for city in self.cities if RATES[city] == rate] for _, rate in late)
        return any(
            can_be_ordered({*types_first, *((city, kind) for (kind, _), city in zip(late, chosen, strict=True))})
            for chosen in product(*places)
        )

    def can_give_the_rest(self, built: int, objects: int) -> bool:
        """Whether the first buildings, which give so many objects, can be of types that give those of each kind."""
        if self.owned is None:
            return True
        costs, fewest, most = self.first_costs[built], 0, 0
        for owned, given, taken in zip(self.owned, self.given, self.whole.taken, strict=True):
            lacking = owned - given
            most += lacking
            if lacking > 1:  # one can have been bought
                fewest += lacking - 1
                if lacking - 1 > 2 * (costs & ~taken).bit_count():
                    return False
        return fewest <= objects <= most

    def can_buy_the_rest(self) -> bool:
        """Whether the objects that scorings did not give were for sale, and the players to come can have theirs."""
        if self.owned is None:
            return self.whole.succeeds(self.place + 1)  # the plan counts what they bought
        bought = [owned - given for owned, given in zip(self.owned, self.given, strict=True)]
        kinds = frozenset(kind for kind, number in enumerate(bought) if number)
        if max(bought) > 1 or kinds & self.whole.sold:
            return False
        before, self.whole.sold = self.whole.sold, self.whole.sold | kinds
        succeeded = self.whole.succeeds(self.place + 1)
        self.whole.sold = before
        return succeeded

    def has_enough_scorings(self) -> bool:
        return not self.scorer.announced or self.types_scored() + len(self.cities) >= SCORINGS_NEEDED


def can_be_ordered(pairs: set[tuple[int | str, int | str]]) -> bool:
    """Whether the first of every pair can come before the second."""
    while pairs:
        later = {second for _, second in pairs}
        left = {pair for pair in pairs if pair[0] in later}
        if len(left) == len(pairs):
            return False
        pairs = left
    return True


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
