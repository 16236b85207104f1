"""Everything that cannot be in a state: too many of a component, or a position no game can reach."""

from collections.abc import Iterator
from typing import NamedTuple

from capomastro.engine.decisions import GameOver
from capomastro.engine.multisets import surplus
from capomastro.engine.refusals import Refusal, refuse
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
    TYPE_OF_OBJECT,
    WHEEL_BLOCKS,
)
from capomastro.games.carrara.decisions import is_last_round, refuse_announcement
from capomastro.games.carrara.state import (
    NOTHING_BUILT,
    AnnounceOrEndTurn,
    BuyBlocks,
    BuyObject,
    DrawBlock,
    RevealBuilding,
    RevealSetupBuilding,
    Seat,
    State,
    Wheel,
)
from capomastro.games.carrara.supplies import (
    bag_size,
    blocks_shown,
    buildings_of,
    built,
    districts,
    markers_used,
    pile_size,
    wheel_size,
)


def findings(state: State) -> Iterator[Refusal]:
    """Every finding; none for a state that can be."""
    yield from block_findings(state)
    yield from building_findings(state)
    possible = [possible_proceeds(seat) for seat in state.seats]
    yield from object_findings(state, possible)
    for index, seat in enumerate(state.seats):
        yield from scoring_findings(state, index, seat)
        yield from point_findings(state, index, possible[index])
    yield from city_findings(state)
    yield from stage_findings(state)


# --- what scorings can have given ------------------------------------------------------------------------------------


class Proceeds(NamedTuple):
    """What the scorings of a player can have given: the most objects of each kind, the fewest and most points."""

    objects: dict[str, int]
    least: int
    most: int


def possible_proceeds(seat: Seat) -> Proceeds:
    """What the scorings can have given, whenever they were made.

    The most if everything stood there already; the fewest points with only what a scoring needs: one building of
    the type, the cheapest in the city.
    """
    objects: dict[str, int] = {}
    of_types: dict[str, list[int]] = {}
    fewest = most = 0
    if not markers_used(seat):
        return Proceeds(objects, fewest, most)
    for (name, city), district in zip(CITIES.items(), districts(seat.cities), strict=True):
        rate = city.rate if city.pays == "points" else 0
        city_scored = name in seat.scored_cities
        for building in district:
            building_type = TYPE_OF[building]
            points = COST_OF[building] * rate
            scorings = int(city_scored)
            if building_type in seat.scored_types:
                scorings += 1
                of_types.setdefault(building_type, []).append(points)
            if scorings:
                kind = OBJECT_OF[building_type]
                objects[kind] = objects.get(kind, 0) + scorings
                most += points * scorings
        if city_scored and rate:
            fewest += rate * sum(sorted(map(COST_OF.__getitem__, district))[: city.minimum])
    return Proceeds(objects, fewest + sum(map(min, of_types.values())), most)


# --- components ------------------------------------------------------------------------------------------------------


def block_findings(state: State) -> Iterator[Refusal]:
    shown = blocks_shown(state)
    for colour, box in BLOCKS.items():
        there = shown.count(colour)
        if there > box:
            yield refuse("carrara.components.blocks", "", component=colour, there=there, box=box)
    if wheel_size(state) > WHEEL_BLOCKS:
        yield refuse("carrara.buy.refill", "/wheel", blocks=wheel_size(state), full=WHEEL_BLOCKS)


def building_findings(state: State) -> Iterator[Refusal]:
    """Each building is there once; nine are face up, or all that are left."""
    shown = sum((buildings_of(seat) for seat in state.seats), state.face_up)
    if len(set(shown)) < len(shown):
        for building in dict.fromkeys(surplus(shown, dict.fromkeys(COST_OF, 1))):
            yield refuse("carrara.components.buildings", "", component=building, there=shown.count(building), box=1)
        return
    expected = min(FACE_UP, BUILDING_COUNT - built(state))
    if isinstance(state.stage, RevealSetupBuilding):
        return  # its own findings count them
    if isinstance(state.stage, RevealBuilding):
        expected = min(FACE_UP - 1, BUILDING_COUNT - built(state) - 1)
    if len(state.face_up) != expected:
        yield refuse("carrara.build.refill", "/face_up", buildings=len(state.face_up), expected=expected)


def object_findings(state: State, possible: list[Proceeds]) -> Iterator[Refusal]:
    """Six of a kind; one lay on the board; a player's come from his scorings, and one of a kind from the board."""
    for kind, box in OBJECTS.items():
        for_sale = state.objects_for_sale.count(kind)
        held = [seat.objects.count(kind) for seat in state.seats]
        there = for_sale + sum(held)
        if there > box:
            yield refuse("carrara.components.objects", "", component=kind, there=there, box=box)
        elif for_sale > 1:
            yield refuse("carrara.object.one-of-each", "/objects_for_sale", object=kind, there=for_sale)
        elif not there:
            yield refuse("carrara.object.bought", "/objects_for_sale", object=kind)
        else:
            # while there is a supply, whoever scored the type has at least one
            least = [int(there < box and TYPE_OF_OBJECT[kind] in seat.scored_types) for seat in state.seats]
            most = [proceeds.objects.get(kind, 0) for proceeds in possible]
            bought = sum(max(0, has - scored) for has, scored in zip(held, most, strict=True))
            gone = 1 - for_sale
            if bought > gone or any(has < scored for has, scored in zip(held, least, strict=True)):
                yield refuse(
                    "carrara.score.objects",
                    "/seats",
                    object=kind,
                    there=sum(held),
                    least=sum(least),
                    most=sum(most) + gone,
                )


# --- scorings --------------------------------------------------------------------------------------------------------


def scoring_findings(state: State, index: int, seat: Seat) -> Iterator[Refusal]:
    """No more scorings than markers, each of something that stands there."""
    if markers_used(seat) > MARKERS:
        yield refuse("carrara.score.markers", f"/seats/{index}", markers=markers_used(seat))
    if len(set(seat.scored_types)) < len(seat.scored_types):
        twice = next(one for one in seat.scored_types if seat.scored_types.count(one) > 1)
        yield refuse("carrara.score.type-once", f"/seats/{index}/scored_types", building_type=twice)
    owned = {TYPE_OF[building] for building in buildings_of(seat)}
    for building_type in seat.scored_types:
        if building_type not in owned:
            yield refuse("carrara.score.own-building", f"/seats/{index}/scored_types", building_type=building_type)
    for city in seat.scored_cities:
        buildings, minimum = len(getattr(seat.cities, city)), CITIES[city].minimum
        if buildings < minimum:
            yield refuse(
                "carrara.score.city-minimum",
                f"/seats/{index}/scored_cities",
                city=city.capitalize(),
                buildings=buildings,
                minimum=minimum,
            )


def point_findings(state: State, index: int, possible: Proceeds) -> Iterator[Refusal]:
    """The points on the track come from scorings, and from the announcement."""
    bonus = ANNOUNCEMENT_POINTS if state.announced_by == index else 0
    points, least, most = state.seats[index].points, possible.least + bonus, possible.most + bonus
    if not least <= points <= most:
        yield refuse("carrara.score.points", f"/seats/{index}/points", points=points, least=least, most=most)


def city_findings(state: State) -> Iterator[Refusal]:
    """A city is scored once in the game."""
    scored = [city for seat in state.seats for city in seat.scored_cities]
    for city in dict.fromkeys(scored):
        if scored.count(city) > 1:
            scorer = next(index for index, seat in enumerate(state.seats) if city in seat.scored_cities)
            yield refuse("carrara.score.city-once", "/seats", city=city.capitalize(), scorer=scorer)


# --- where the game stands -------------------------------------------------------------------------------------------


def stage_findings(state: State) -> Iterator[Refusal]:
    players = len(state.seats)
    if state.active_seat >= players:
        yield refuse("carrara.turn.seats", "/active_seat", seat=state.active_seat, players=players)
        return
    stage, seat = state.stage, state.seats[state.active_seat]
    if isinstance(stage, RevealSetupBuilding):
        yield from setup_findings(state)
        return
    if state.ply < FACE_UP:
        yield refuse("carrara.setup.order", "/ply", ply=state.ply, setup=FACE_UP)
    yield from ending_findings(state)
    wheel, bag = wheel_size(state), bag_size(state)
    if isinstance(stage, DrawBlock) and (wheel >= WHEEL_BLOCKS or bag <= 0):
        yield refuse("carrara.buy.refill-over", "/stage", wheel=wheel, bag=bag)
    elif isinstance(stage, BuyBlocks) and (not wheel or (wheel < WHEEL_BLOCKS and bag > 0)):
        yield refuse("carrara.buy.refill-open", "/stage", wheel=wheel, bag=bag)
    elif isinstance(stage, RevealBuilding) and (pile_size(state) <= 0 or not buildings_of(seat)):
        yield refuse("carrara.build.reveal", "/stage", pile=pile_size(state), seat=state.active_seat)
    elif isinstance(stage, BuyObject) and not (state.objects_for_sale and seat.coins >= OBJECT_PRICE):
        there = len(state.objects_for_sale)
        yield refuse("carrara.object.step", "/stage", coins=seat.coins, objects=there)
    elif isinstance(stage, AnnounceOrEndTurn):
        refusal = refuse_announcement(state, state.active_seat, "/stage")
        if refusal:
            yield refusal


def ending_findings(state: State) -> Iterator[Refusal]:
    """Who announced had met the objectives; then only the seats after him had turns; at their end the game is over."""
    announcer, players = state.announced_by, len(state.seats)
    if announcer is not None:
        if announcer >= players:
            yield refuse("carrara.turn.seats", "/announced_by", seat=announcer, players=players)
            return
        refusal = refuse_announcement(state, announcer, "/announced_by")
        if refusal and refusal.rule == "carrara.end.objectives":
            yield refusal
        if state.active_seat < announcer:
            yield refuse("carrara.end.round", "/active_seat", seat=state.active_seat, players=players)
    if isinstance(state.stage, GameOver) and (not is_last_round(state) or state.active_seat != players - 1):
        yield refuse("carrara.end.round", "/stage", seat=state.active_seat, players=players)


def setup_findings(state: State) -> Iterator[Refusal]:
    """While buildings are turned up, everything else lies as it did when the game began."""
    untouched = (
        len(state.face_up) == state.ply < FACE_UP
        and state.active_seat == 0
        and state.announced_by is None
        and state.wheel == STARTING_WHEEL
        and state.objects_for_sale == tuple(OBJECTS)
        and state.seats == starting_seats(len(state.seats))
    )
    if not untouched:
        yield refuse("carrara.setup.order", "/ply", ply=state.ply, setup=len(state.face_up))


STARTING_WHEEL = Wheel(tuple(BLOCKS), (), (), (), (), ())


def starting_seats(players: int) -> tuple[Seat, ...]:
    """What each player begins with."""
    return tuple(Seat(0, STARTING_COINS, (block,), NOTHING_BUILT, (), (), ()) for block in STARTING_BLOCKS[:players])
