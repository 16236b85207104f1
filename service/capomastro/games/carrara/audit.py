"""What is wrong with a state: one check per way in which it contradicts the box or itself, or a rule would fail.

Like python-chess' `Board.status()`: a state without findings can be played on; whether a game can reach it is not
asked.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from capomastro.engine import audits
from capomastro.engine.multisets import first_repeated, kinds, surplus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.stages import GameOver
from capomastro.games.carrara import components as box
from capomastro.games.carrara import stages, supplies
from capomastro.games.carrara.decisions import is_last_round, why_not_announce, why_not_entitled
from capomastro.games.carrara.scoring import proceeds
from capomastro.games.carrara.state import NOTHING_BUILT, Seat, State, Wheel


def findings(state: State) -> Iterator[Refusal]:
    yield from block_findings(state)
    yield from building_findings(state)
    yield from object_findings(state)
    for index, seat in enumerate(state.seats):
        for finding in scoring_findings(seat, announced=state.announced_by == index):
            yield finding.below(f"/seats/{index}")
    yield from city_findings(state)
    yield from stage_findings(state)


# --- components ------------------------------------------------------------------------------------------------------


def block_findings(state: State) -> Iterator[Refusal]:
    # no more blocks than the box has
    for colour, left in supplies.bag(state).items():
        if left < 0:
            number_in_box = box.BLOCKS[colour]
            yield refuse(
                "carrara.components.blocks", "", component=colour, number=number_in_box - left, box=number_in_box
            )
    # no more on the wheel than it is filled up to
    if supplies.wheel_size(state) > box.WHEEL_BLOCKS:
        yield refuse("carrara.buy.refill", "/wheel", blocks=supplies.wheel_size(state), full=box.WHEEL_BLOCKS)


def building_findings(state: State) -> Iterator[Refusal]:
    # each building exists once
    shown = [*state.face_up, *chain(*map(supplies.buildings_of, state.seats))]
    if len(set(shown)) < len(shown):
        for building in kinds(surplus(shown, box.BUILDINGS)):
            yield refuse("carrara.components.buildings", "", component=building, number=shown.count(building), box=1)
        return
    # nine are face up, or all that are left; the set-up turns them up one by one
    if not isinstance(state.stage, stages.RevealSetupBuilding):
        unbuilt = box.BUILDING_COUNT - len(shown) + len(state.face_up)
        expected = min(box.FACE_UP, unbuilt) - isinstance(state.stage, stages.RevealBuilding)
        if len(state.face_up) != expected:
            yield refuse("carrara.build.refill", "/face_up", buildings=len(state.face_up), expected=expected)


def object_findings(state: State) -> Iterator[Refusal]:
    # of each kind no more than the box has, one of them on the board or with a player
    left_of_kind = supplies.object_supplies(state)
    for kind in box.OBJECT_OF.values():
        for_sale, number = state.objects_for_sale.count(kind), box.OBJECTS[kind] - left_of_kind[kind]
        if left_of_kind[kind] < 0:
            yield refuse("carrara.components.objects", "", component=kind, number=number, box=box.OBJECTS[kind])
        elif for_sale > 1:
            yield refuse("carrara.object.one-of-each", "/objects_for_sale", object=kind, number=for_sale)
        elif not number:
            yield refuse("carrara.object.bought", "/objects_for_sale", object=kind)


# --- scorings; pointers are into the seat ----------------------------------------------------------------------------


def scoring_findings(seat: Seat, announced: bool) -> Iterator[Refusal]:
    # no more scorings than markers
    markers = supplies.markers_used(seat)
    if markers > box.MARKERS:
        yield refuse("carrara.score.markers", "", markers=markers)
    # a type once, with a building of it
    if twice := first_repeated(seat.scored_types):
        yield refuse("carrara.score.type-once", "/scored_types", building_type=twice)
    by_type = {building_type: supplies.of_type(seat.cities, building_type) for building_type in seat.scored_types}
    for building_type in seat.scored_types:
        if not by_type[building_type]:
            yield refuse("carrara.score.own-building", "/scored_types", building_type=building_type)
    # a city with as many buildings as it needs
    by_city = {city: supplies.in_city(seat.cities, city) for city in seat.scored_cities}
    for city in seat.scored_cities:
        number, minimum = len(by_city[city]), box.CITIES[city].minimum
        if number < minimum:
            yield refuse("carrara.score.city-minimum", "/scored_cities", city=city, buildings=number, minimum=minimum)
    # no fewer points than for announcing the end, no more than scorings of all the buildings add to these
    least = box.ANNOUNCEMENT_POINTS if announced else 0
    most = least + sum([proceeds(buildings)["points"] for buildings in (*by_type.values(), *by_city.values())])
    if not least <= seat.points <= most:
        finding = refuse("carrara.score.points", "/points", points=seat.points, least=least, most=most)
        yield finding.because_of("points-of-scorings", announcement=box.ANNOUNCEMENT_POINTS)


def city_findings(state: State) -> Iterator[Refusal]:
    # a city is scored once
    scorers: dict[str, list[int]] = {}
    for index, seat in enumerate(state.seats):
        for city in seat.scored_cities:
            scorers.setdefault(city, []).append(index)
    for city, seats in scorers.items():
        if len(seats) > 1:
            yield refuse("carrara.score.city-once", "/seats", city=city, scorer=seats[0])


# --- the stage -------------------------------------------------------------------------------------------------------


def stage_findings(state: State) -> Iterator[Refusal]:
    # the seats that the state names exist
    if refusal := audits.why_no_seat(state):
        yield refusal
        return
    if isinstance(state.stage, stages.RevealSetupBuilding):
        yield from setup_findings(state)
        return
    if refusal := audits.why_no_seat(state, {"/announced_by": state.announced_by}):
        yield refusal
        return
    # who announced the end has met the objectives
    if state.announced_by is not None and (refusal := why_not_entitled(state, state.announced_by, "/announced_by")):
        yield refusal
    yield from decision_findings(state)


def decision_findings(state: State) -> Iterator[Refusal]:
    """What the decision needs: something to draw, to buy or to announce."""
    seat, wheel, in_bag = state.seats[state.active_seat], supplies.wheel_size(state), supplies.bag_size(state)
    match state.stage:
        case stages.DrawBlock():
            if wheel >= box.WHEEL_BLOCKS:
                yield refuse("carrara.buy.refill-over", "/stage", wheel=wheel, full=box.WHEEL_BLOCKS)
            if in_bag <= 0:
                yield refuse("carrara.buy.bag-empty", "/stage", bag=in_bag)
        case stages.BuyBlocks():
            if not wheel:
                yield refuse("carrara.buy.empty-wheel", "/stage")
            if wheel < box.WHEEL_BLOCKS and in_bag > 0:
                yield refuse("carrara.buy.refill-open", "/stage", wheel=wheel, bag=in_bag)
        case stages.RevealBuilding():
            if (left := supplies.pile_size(state)) <= 0:
                yield refuse("carrara.build.reveal", "/stage", pile=left)
        case stages.BuyObject():
            if not state.objects_for_sale:
                yield refuse("carrara.object.step", "/stage")
            if seat.coins < box.OBJECT_PRICE:
                yield refuse("carrara.object.coins", "/stage", coins=seat.coins, price=box.OBJECT_PRICE)
        case stages.AnnounceOrEndTurn():
            if refusal := why_not_announce(state, state.active_seat, "/stage"):
                yield refusal
        case GameOver():
            # announced, or everything built; and the round is complete
            last = len(state.seats) - 1
            if not is_last_round(state):
                yield refuse("carrara.end.trigger", "/stage")
            if state.active_seat != last:
                yield refuse("carrara.end.round", "/active_seat", seat=state.active_seat, last=last)


# --- the set-up ------------------------------------------------------------------------------------------------------

STARTING_WHEEL = Wheel(tuple(box.BLOCKS), (), (), (), (), ())


def starting_seats(players: int) -> tuple[Seat, ...]:
    """The initial position of each player."""
    return tuple(
        Seat(0, box.STARTING_COINS, (block,), NOTHING_BUILT, (), (), ()) for block in box.STARTING_BLOCKS[:players]
    )


BEGINNING: Mapping[str, Any] = {
    "active_seat": 0,
    "announced_by": None,
    "wheel": STARTING_WHEEL,
    "objects_for_sale": tuple(box.OBJECTS),
}
"""What the set-up does not change; nor does it change the seats."""


def setup_findings(state: State) -> Iterator[Refusal]:
    """Until the first turn, buildings are turned up one by one, and nothing else changes."""
    step = audits.SetupStep("/face_up", (stages.RevealSetupBuilding,), box.FACE_UP, [len(state.face_up)])
    yield from audits.setup_findings(state, (step,), stages.ChooseAction)
    yield from audits.untouched_findings("carrara.setup.order", [("", state, BEGINNING)])
    for index, beginning in enumerate(starting_seats(len(state.seats))):
        if state.seats[index] != beginning:
            yield refuse("carrara.setup.order", f"/seats/{index}")
