"""Everything impossible in a state: too many of a component, or a position that no game can reach.

One check per fault, named by the id of its rule, whose refusal describes the fault.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from capomastro.engine import audits
from capomastro.engine.audits import SetupRules, SetupStep, changed, remembered
from capomastro.engine.decisions import GameOver
from capomastro.engine.multisets import Multiset, surplus
from capomastro.engine.referee import type_of
from capomastro.engine.refusals import Number, Refusal, refuse
from capomastro.games.carrara import stages
from capomastro.games.carrara.components import (
    ANNOUNCEMENT_POINTS,
    BLOCKS,
    BUILDING_COUNT,
    CITIES,
    COST_OF,
    FACE_UP,
    MARKERS,
    OBJECT_OF,
    OBJECT_PRICE,
    OBJECTS,
    STARTING_BLOCKS,
    STARTING_COINS,
    TYPE_OF,
    WHEEL_BLOCKS,
)
from capomastro.games.carrara.decisions import (
    all_built,
    is_last_round,
    objectives_met,
    refuse_announcement,
    refuse_objectives,
)
from capomastro.games.carrara.state import NOTHING_BUILT, Cities, Seat, State, Wheel
from capomastro.games.carrara.supplies import (
    bag,
    bag_size,
    buildings_of,
    cheapest_block,
    districts,
    pile_size,
    scored_by,
    types_of,
    wheel_size,
)


def findings(state: State) -> Iterator[Refusal]:
    """All findings; none for a possible state."""
    yield from block_findings(state)
    yield from building_findings(state)
    scorings = [Scorings(seat.cities, seat.scored_types, seat.scored_cities) for seat in state.seats]
    yield from object_findings(state.objects_for_sale, tuple([seat.objects for seat in state.seats]), tuple(scorings))
    for index, scored in enumerate(scorings):
        yield from [finding.below(f"/seats/{index}") for finding in scoring_findings(scored)]
        yield from point_findings(state, index, possible_proceeds(scored))
    yield from city_findings(state)
    yield from stage_findings(state)


# --- what scorings can have given ------------------------------------------------------------------------------------


class Scorings(NamedTuple):
    """A player's buildings, and which types and cities they have scored: all that their scorings depend on.

    It stays the same for many moves, so what follows from it is remembered.
    """

    cities: Cities
    types: Multiset
    scored_cities: Multiset


class Proceeds(NamedTuple):
    """Bounds on what a player's scorings can have given: objects of each kind, points."""

    objects: dict[str, int]
    least: int
    most: int


@lru_cache(maxsize=4096)
def possible_proceeds(scorings: Scorings) -> Proceeds:
    """Bounds on what the scorings can have given, whenever they happened.

    The maximum if all buildings were there already; the minimum with only what a scoring needs: one building of
    the type, the cheapest in the city.
    """
    cities, scored_types, scored_cities = scorings
    objects: dict[str, int] = {}
    of_types: dict[str, list[int]] = {}
    fewest = most = 0
    if not scored_types and not scored_cities:
        return Proceeds(objects, fewest, most)
    for (name, city), district in zip(CITIES.items(), districts(cities), strict=True):
        rate = city.rate if city.pays == "points" else 0
        city_scored = name in scored_cities
        for building in district:
            building_type = TYPE_OF[building]
            points = COST_OF[building] * rate
            times = int(city_scored)
            if building_type in scored_types:
                times += 1
                of_types.setdefault(building_type, []).append(points)
            if times:
                kind = OBJECT_OF[building_type]
                objects[kind] = objects.get(kind, 0) + times
                most += points * times
        if city_scored and rate:
            fewest += rate * sum(sorted(map(COST_OF.__getitem__, district))[: city.minimum])
    return Proceeds(objects, fewest + sum(map(min, of_types.values())), most)


# --- components ------------------------------------------------------------------------------------------------------


def block_findings(state: State) -> Iterator[Refusal]:
    for colour, left in bag(state).items():
        if left < 0:
            box = BLOCKS[colour]
            yield refuse("carrara.components.blocks", "", component=colour, there=box - left, box=box)
    if wheel_size(state) > WHEEL_BLOCKS:
        yield refuse("carrara.buy.refill", "/wheel", blocks=wheel_size(state), full=WHEEL_BLOCKS)


def building_findings(state: State) -> Iterator[Refusal]:
    """Each building exists once; nine are face up, or all that are left."""
    shown = list(state.face_up)
    for seat in state.seats:
        for district in districts(seat.cities):
            shown += district
    if len(set(shown)) < len(shown):
        for building in dict.fromkeys(surplus(shown, dict.fromkeys(COST_OF, 1))):
            yield refuse("carrara.components.buildings", "", component=building, there=shown.count(building), box=1)
        return
    if isinstance(state.stage, stages.RevealSetupBuilding):
        return  # other findings count them
    to_reveal = int(isinstance(state.stage, stages.RevealBuilding))
    lying, unbuilt = len(state.face_up), BUILDING_COUNT - len(shown) + len(state.face_up)
    expected = min(FACE_UP, unbuilt) - to_reveal
    if lying != expected:
        yield refuse("carrara.build.refill", "/face_up", buildings=lying, expected=expected)


@remembered
def object_findings(
    objects_for_sale: Multiset, held_by: tuple[Multiset, ...], scorings: tuple[Scorings, ...]
) -> Iterator[Refusal]:
    """There are six of a kind, one of them on the board; players get theirs from scorings, and one from the board.

    While the supply lasts, a player who has scored a type has at least one object of it.
    """
    players = [(mine, one.types, possible_proceeds(one).objects) for mine, one in zip(held_by, scorings, strict=True)]
    for building_type, kind in OBJECT_OF.items():
        for_sale = objects_for_sale.count(kind)
        held = least = most = surplus_held = lacking = 0
        for mine, scored_types, possible in players:
            has, scored = mine.count(kind), possible.get(kind, 0)
            held += has
            most += scored
            if has > scored:
                surplus_held += has - scored
            if building_type in scored_types:
                least += 1
                lacking += not has
        there, gone = for_sale + held, 1 - for_sale
        supplied = there < OBJECTS[kind]
        if there > OBJECTS[kind]:
            yield refuse("carrara.components.objects", "", component=kind, there=there, box=OBJECTS[kind])
        elif gone < 0:
            yield refuse("carrara.object.one-of-each", "/objects_for_sale", object=kind, there=for_sale)
        elif gone and supplied and held <= least:
            yield refuse("carrara.object.bought", "/objects_for_sale", object=kind)
        else:
            if surplus_held > gone:
                yield refuse("carrara.score.objects", "/seats", object=kind, there=held, most=most + gone)
            if supplied and lacking:
                yield refuse("carrara.score.objects-given", "/seats", object=kind, there=held, least=least)


# --- scorings --------------------------------------------------------------------------------------------------------


@remembered
def scoring_findings(scorings: Scorings) -> Iterator[Refusal]:
    """No more scorings than markers, each of a type or city with buildings; pointers are into the seat."""
    cities, scored_types, scored_cities = scorings
    markers = len(scored_types) + len(scored_cities)
    if markers > MARKERS:
        yield refuse("carrara.score.markers", "", markers=markers)
    if len(set(scored_types)) < len(scored_types):
        twice = next(one for one in scored_types if scored_types.count(one) > 1)
        yield refuse("carrara.score.type-once", "/scored_types", building_type=twice)
    standing = types_of(cities) if scored_types else ()
    for building_type in scored_types:
        if building_type not in standing:
            yield refuse("carrara.score.own-building", "/scored_types", building_type=building_type)
    for city in scored_cities:
        buildings, minimum = len(getattr(cities, city)), CITIES[city].minimum
        if buildings < minimum:
            numbers: dict[str, Number] = {"city": city, "buildings": buildings, "minimum": minimum}
            yield Refusal("carrara.score.city-minimum", numbers, "/scored_cities")


def point_findings(state: State, index: int, possible: Proceeds) -> Iterator[Refusal]:
    """The points on the track come from scorings and from announcing the end."""
    bonus = ANNOUNCEMENT_POINTS if state.announced_by == index else 0
    points, least, most = state.seats[index].points, possible.least + bonus, possible.most + bonus
    if not least <= points <= most:
        yield refuse("carrara.score.points", f"/seats/{index}/points", points=points, least=least, most=most)


def city_findings(state: State) -> Iterator[Refusal]:
    """Each city is scored at most once."""
    scored = [city for seat in state.seats for city in seat.scored_cities]
    for city in dict.fromkeys([city for city in scored if scored.count(city) > 1]):
        yield refuse("carrara.score.city-once", "/seats", city=city, scorer=scored_by(state, city))


# --- the course of the game ------------------------------------------------------------------------------------------


def stage_findings(state: State) -> Iterator[Refusal]:
    """What is impossible in the stage, and in the course of the game so far."""
    players = len(state.seats)
    if state.active_seat >= players:
        yield refuse("carrara.turn.seats", "/active_seat", seat=state.active_seat, players=players)
        return
    stage, seat = state.stage, state.seats[state.active_seat]
    if isinstance(stage, stages.RevealSetupBuilding) or state.ply == FACE_UP:
        yield from setup_findings(state)
        return
    if state.ply < FACE_UP:
        yield refuse("carrara.setup.ply", "/ply", ply=state.ply, setup=FACE_UP)
    yield from first_round_findings(state)
    yield from ending_findings(state)
    yield from wheel_findings(state)
    if isinstance(stage, stages.RevealBuilding):
        if pile_size(state) <= 0:
            yield refuse("carrara.build.reveal", "/stage", pile=pile_size(state))
        if not buildings_of(seat):
            yield refuse("carrara.build.reveal-after", "/stage", seat=state.active_seat)
    elif isinstance(stage, stages.BuyObject):
        if not state.objects_for_sale:
            yield refuse("carrara.object.step", "/stage")
        if seat.coins < OBJECT_PRICE:
            yield refuse("carrara.object.coins", "/stage", coins=seat.coins, price=OBJECT_PRICE)
    elif isinstance(stage, stages.AnnounceOrEndTurn) and (
        refusal := refuse_announcement(state, state.active_seat, "/stage")
    ):
        yield refusal


def wheel_findings(state: State) -> Iterator[Refusal]:
    """The wheel is refilled, while the bag lasts, before blocks are bought; a free block is always bought."""
    wheel, in_bag = wheel_size(state), bag_size(state)
    if isinstance(state.stage, stages.DrawBlock):
        if wheel >= WHEEL_BLOCKS:
            yield refuse("carrara.buy.refill-over", "/stage", wheel=wheel, full=WHEEL_BLOCKS)
        if in_bag <= 0:
            yield refuse("carrara.buy.bag-empty", "/stage", bag=in_bag)
    elif isinstance(state.stage, stages.BuyBlocks):
        if not wheel:
            yield refuse("carrara.buy.empty-wheel", "/stage")
        if wheel < WHEEL_BLOCKS and in_bag > 0:
            yield refuse("carrara.buy.refill-open", "/stage", wheel=wheel, bag=in_bag)
    elif wheel == WHEEL_BLOCKS and cheapest_block(state) == 0:
        yield refuse("carrara.buy.full-wheel", "/wheel", blocks=wheel)


BEFORE_BUILDING = (stages.ChooseAction, stages.DrawBlock, stages.BuyBlocks)
"""The stages of a turn in which nothing has been built yet."""


def turns_begun(state: State) -> int:
    """The number of seats that have had a turn in this round; the active one if its action has changed what it has."""
    return state.active_seat + (not isinstance(state.stage, BEFORE_BUILDING))


def first_round_findings(state: State) -> Iterator[Refusal]:
    """Every turn changes what its seat has for good: while a seat is as it began, only those before it have played."""
    beginnings = enumerate(starting_seats(len(state.seats)))
    played = tuple([index for index, beginning in beginnings if state.seats[index] != beginning])
    if len(played) < len(state.seats) and played != tuple(range(turns_begun(state))):
        seat, decision = state.active_seat, type_of(type(state.stage))
        yield refuse("carrara.setup.first-player", "/active_seat", seat=seat, decision=decision, played=played)


def ending_findings(state: State) -> Iterator[Refusal]:
    """The announcer had met the objectives; only the seats after them had further turns; then the game is over.

    Unless the end was announced, the last building was built in this round.
    """
    announcer, players = state.announced_by, len(state.seats)
    if announcer is not None:
        if announcer >= players:
            yield refuse("carrara.turn.seats", "/announced_by", seat=announcer, players=players)
            return
        if not objectives_met(state, announcer):
            yield refuse_objectives(state, announcer, "/announced_by")
        if state.active_seat < announcer:
            yield refuse("carrara.end.no-further-turn", "/active_seat", seat=state.active_seat, announcer=announcer)
    elif all_built(state) and not any(map(buildings_of, state.seats[: turns_begun(state)])):
        yield refuse("carrara.end.last-building", "/active_seat", seat=state.active_seat)
    if isinstance(state.stage, GameOver):
        if not is_last_round(state):
            yield refuse("carrara.end.trigger", "/stage")
        if state.active_seat != players - 1:
            yield refuse("carrara.end.round", "/active_seat", seat=state.active_seat, last=players - 1)


SETUP = SetupRules("carrara.setup.ply", "carrara.setup.step", "carrara.setup.order", "carrara.setup.order")
STARTING_WHEEL = Wheel(tuple(BLOCKS), (), (), (), (), ())


@lru_cache(maxsize=4)
def starting_seats(players: int) -> tuple[Seat, ...]:
    """The initial position of each player."""
    return tuple(Seat(0, STARTING_COINS, (block,), NOTHING_BUILT, (), (), ()) for block in STARTING_BLOCKS[:players])


BEGINNING: Mapping[str, Any] = {
    "active_seat": 0,
    "announced_by": None,
    "wheel": STARTING_WHEEL,
    "objects_for_sale": tuple(OBJECTS),
}
"""What the set-up does not change, besides the seats."""


def setup_findings(state: State) -> Iterator[Refusal]:
    """Until the first turn, buildings are turned up one by one, and nothing else changes."""
    step = SetupStep("/face_up", (stages.RevealSetupBuilding,), FACE_UP, [len(state.face_up)])
    yield from audits.setup_findings(state, (step,), stages.ChooseAction, SETUP)
    for pointer in changed(state, BEGINNING):
        yield refuse("carrara.setup.order", pointer)
    for index, beginning in enumerate(starting_seats(len(state.seats))):
        if state.seats[index] != beginning:
            yield refuse("carrara.setup.order", f"/seats/{index}")
