"""Every decision of The Palaces of Carrara, in the order of the rulebook: legal moves, refusals, effects.

A turn is one action (I, II or III), then optionally an object, then optionally the announcement.
`continue_with_object` and `continue_with_announcement` lead from one to the next and skip steps in which nothing is
possible.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from msgspec.structs import astuple, replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.events import Effect
from capomastro.engine.moves import Moves, type_of
from capomastro.engine.multisets import Multiset, first_missing, includes, kinds, minus, multiset, plus
from capomastro.engine.refusals import Refusal, implements, refuse
from capomastro.engine.rules import Amount, BareRule, ChanceRule, CountedRule, MoveRule, SureRule
from capomastro.engine.seats import next_seat, replaced, with_seat
from capomastro.engine.sources import Chained, Listed, Paired
from capomastro.engine.stages import GameOver
from capomastro.games.carrara import components as box
from capomastro.games.carrara import events, moves, stages, supplies
from capomastro.games.carrara.purchases import Payments, payments_by_city, purchases
from capomastro.games.carrara.scoring import proceeds
from capomastro.games.carrara.state import Seat, State, Wheel

# --- set-up ----------------------------------------------------------------------------------------------------------


class RevealBuildingsRule(ChanceRule[State, moves.RevealBuilding]):
    """The next building from the pile: any that has not been turned up yet."""

    def outcomes(self, state: State) -> Outcomes:
        shown = set(state.face_up).union(*(supplies.buildings_of(seat) for seat in state.seats))
        return Outcomes({building: 1 for building in box.COST_OF if building not in shown})


class RevealSetupBuildingRule(RevealBuildingsRule):
    """Nine buildings are placed face up on the board."""

    rules = ("carrara.setup.order", "carrara.setup.step")
    refuses = "carrara.setup.buildings"

    def play(self, state: State, move: moves.RevealBuilding) -> Effect[State]:
        face_up = plus(state.face_up, (move.building,))
        stage = stages.ChooseAction() if len(face_up) == box.FACE_UP else state.stage
        return replace(state, face_up=face_up, stage=stage), [events.BuildingRevealed(move.building)]


# --- the course of a turn --------------------------------------------------------------------------------------------


@implements("carrara.turn.order", "carrara.turn.skipped", "carrara.object.step", "carrara.object.coins")
def continue_with_object(state: State) -> State:
    """After an action I, II or III, the player may buy an object, if one is available and affordable."""
    if state.objects_for_sale and state.seats[state.active_seat].coins >= box.OBJECT_PRICE:
        return replace(state, stage=stages.BuyObject())
    return continue_with_announcement(state)


@implements("carrara.turn.skipped")
def continue_with_announcement(state: State) -> State:
    """At the end of the turn the player may announce the end of the game; if something forbids it, the turn is over."""
    if why_not_announce(state, state.active_seat):
        return next_turn(state)
    return replace(state, stage=stages.AnnounceOrEndTurn())


@implements("carrara.end.round", "carrara.end.no-length-limit")
def next_turn(state: State) -> State:
    """The next player to the left; in the last round, the game ends after the last seat."""
    following = next_seat(state, state.active_seat)
    round_is_complete = following == 0
    if round_is_complete and is_last_round(state):
        return replace(state, stage=GameOver())
    return replace(state, active_seat=following, stage=stages.ChooseAction())


@implements("carrara.end.trigger")
def is_last_round(state: State) -> bool:
    """Whether the end was announced or the last building built."""
    return state.announced_by is not None or all_built(state)


def all_built(state: State) -> bool:
    return not state.face_up and supplies.buildings_built(state) == box.BUILDING_COUNT


# --- action I: buy blocks --------------------------------------------------------------------------------------------


class TurnWheelRule(BareRule[State, moves.TurnWheel]):
    """The wheel turns by one section; blocks on VI move to I and are expensive again."""

    rules = ("carrara.buy.turn",)

    def why_unavailable(self, state: State) -> Refusal | None:
        if not any(astuple(state.wheel)) and not supplies.bag_size(state):
            return refuse("carrara.buy.nothing-left", "/type")
        return None

    def play(self, state: State, move: moves.TurnWheel) -> Effect[State]:
        *sections, last = astuple(state.wheel)
        return refill_wheel(state, Wheel(last, *sections)), [events.WheelTurned(move.seat)]


@implements("carrara.buy.refill", "carrara.buy.refill-over", "carrara.buy.refill-open", "carrara.buy.bag-empty")
def refill_wheel(state: State, wheel: Wheel) -> State:
    """The new `wheel` is refilled from the bag, as far as the bag lasts; then the player buys."""
    turned = replace(state, wheel=wheel)
    missing = supplies.wheel_size(turned) < box.WHEEL_BLOCKS and supplies.bag_size(turned)
    return replace(turned, stage=stages.DrawBlock() if missing else stages.BuyBlocks())


class DrawBlockRule(ChanceRule[State, moves.DrawBlock]):
    """New blocks go on section I."""

    refuses = "carrara.buy.bag"

    def outcomes(self, state: State) -> Outcomes:
        return Outcomes({colour: left for colour, left in supplies.bag(state).items() if left > 0})

    def play(self, state: State, move: moves.DrawBlock) -> Effect[State]:
        wheel = replace(state.wheel, i=plus(state.wheel.i, (move.block,)))
        return refill_wheel(state, wheel), [events.BlockDrawn(move.block)]


class BuyBlocksRule(SureRule[State, moves.BuyBlocks]):
    """Buys one or more blocks from one section."""

    def candidates(self, state: State) -> Sequence[moves.BuyBlocks]:
        seat, coins = state.active_seat, state.seats[state.active_seat].coins
        return [
            moves.BuyBlocks(seat, section, bought)
            for section, blocks in zip(box.SECTIONS, astuple(state.wheel), strict=True)
            if blocks
            for bought in purchases(blocks, section, coins)
        ]

    def why_none(self, state: State) -> Refusal:
        coins, cheapest = state.seats[state.active_seat].coins, supplies.cheapest_block(state)
        assert cheapest is not None, "the wheel holds a block, or it cannot be turned"
        return refuse("carrara.buy.price", "/type", price=cheapest, coins=coins)

    def refusal(self, state: State, move: moves.BuyBlocks) -> Refusal | None:
        if not move.blocks:
            return refuse("carrara.buy.at-least-one", "/blocks")
        if (index := first_missing(move.blocks, blocks_on(state.wheel, move.section))) is not None:
            block = move.blocks[index]
            return refuse("carrara.buy.one-section", f"/blocks/{index}", block=block, section=move.section)
        price, coins = price_of_all(move.blocks, move.section), state.seats[move.seat].coins
        if price > coins:
            return refuse("carrara.buy.price", "/blocks", price=price, coins=coins)
        return None

    def amounts(self, state: State, move: moves.BuyBlocks) -> Iterable[Amount]:
        yield Amount("coins", price_of_all(move.blocks, move.section), have=state.seats[move.seat].coins)

    def play(self, state: State, move: moves.BuyBlocks) -> Effect[State]:
        blocks = multiset(move.blocks)
        price, seat = price_of_all(blocks, move.section), state.seats[move.seat]
        rest = minus(blocks_on(state.wheel, move.section), blocks)
        bought = replace(
            state,
            wheel=replace(state.wheel, **{move.section.lower(): rest}),
            seats=with_seat(state, move.seat, coins=seat.coins - price, blocks=plus(seat.blocks, blocks)),
        )
        return continue_with_object(bought), [events.BlocksBought(move.seat, move.section, blocks, price)]


def blocks_on(wheel: Wheel, section: str) -> Multiset:
    blocks: Multiset = getattr(wheel, section.lower())
    return blocks


def price_of_all(blocks: Multiset, section: str) -> int:
    return sum(map(supplies.PRICES[section].__getitem__, blocks))


def take_two_coins(state: State, rule: str) -> Effect[State]:
    """The active player takes two coins."""
    seat = state.active_seat
    richer = replace(state, seats=with_seat(state, seat, coins=state.seats[seat].coins + box.CONSOLATION))
    return richer, [events.CoinsTaken(seat, box.CONSOLATION, rule)]


class TakeCoinsInBuyBlocksRule(BareRule[State, moves.TakeCoins]):
    """A player who cannot buy a block takes two coins, and buys nothing this time."""

    rules = ("carrara.buy.binding",)

    def why_unavailable(self, state: State) -> Refusal | None:
        coins, cheapest = state.seats[state.active_seat].coins, supplies.cheapest_block(state)
        if cheapest is not None and cheapest <= coins:
            return refuse("carrara.buy.must-buy", "/type", price=cheapest, coins=coins)
        return None

    def play(self, state: State, move: moves.TakeCoins) -> Effect[State]:
        richer, happened = take_two_coins(state, "carrara.buy.two-coins")
        return continue_with_object(richer), happened


# --- action II: build ------------------------------------------------------------------------------------------------


class BuildRule(CountedRule[State, moves.Build]):
    """A building from the board goes to a city; its cost is paid in blocks that the city accepts."""

    rules = ("carrara.build.no-limit", "carrara.build.refill", "carrara.build.reveal")

    def why_unavailable(self, state: State) -> Refusal | None:
        if not state.face_up:
            return refuse("carrara.build.none-left", "/type")
        cheapest, blocks = min(map(box.COST_OF.__getitem__, state.face_up)), len(state.seats[state.active_seat].blocks)
        if blocks < cheapest:
            return refuse("carrara.build.blocks", "/type", blocks=blocks, cost=cheapest)
        return None

    def refusal(self, state: State, move: moves.Build) -> Refusal | None:
        if move.building not in state.face_up:
            return refuse("carrara.build.face-up", "/building", building=move.building)
        accepts = box.CITIES[move.city].accepts
        for index, block in enumerate(move.payment):
            if block not in accepts:
                return refuse("carrara.build.city", f"/payment/{index}", block=block, city=move.city, accepts=accepts)
        cost, blocks = box.COST_OF[move.building], state.seats[move.seat].blocks
        if len(move.payment) != cost:
            return refuse("carrara.build.cost", "/payment", building=move.building, cost=cost, blocks=len(move.payment))
        if not includes(blocks, move.payment):
            lacking = multiset({block for block in move.payment if move.payment.count(block) > blocks.count(block)})
            return refuse("carrara.build.own-blocks", "/payment", missing_blocks=lacking)
        return None

    def amounts(self, state: State, move: moves.Build) -> Iterable[Amount]:
        accepts = box.CITIES[move.city].accepts
        usable = sum([block in accepts for block in state.seats[move.seat].blocks])
        yield Amount("blocks", len(move.payment), box.COST_OF[move.building], usable)

    def offered(self, state: State) -> Moves:
        """Every building with every payment of its cost; counted, because there can be thousands."""
        seat, blocks = state.active_seat, state.seats[state.active_seat].blocks
        by_cost: dict[int, list[str]] = {}
        for building in state.face_up:
            if box.COST_OF[building] <= len(blocks):
                by_cost.setdefault(box.COST_OF[building], []).append(building)
        by_city = payments_by_city(blocks) if by_cost else []
        return Chained(
            Paired(
                Listed(by_cost[cost], "building"),
                Payments(blocks, cost, by_city),
                lambda building, payment: moves.Build(seat, building, *payment),
            )
            for cost in sorted(by_cost)
        )

    def play(self, state: State, move: moves.Build) -> Effect[State]:
        payment, seat = multiset(move.payment), state.seats[move.seat]
        district = plus(getattr(seat.cities, move.city), (move.building,))
        cities = replace(seat.cities, **{move.city: district})
        after = replace(
            state,
            face_up=minus(state.face_up, (move.building,)),
            seats=with_seat(state, move.seat, blocks=minus(seat.blocks, payment), cities=cities),
        )
        happened = events.Built(move.seat, move.building, move.city, payment)
        if supplies.pile_size(after):
            return replace(after, stage=stages.RevealBuilding()), [happened]
        if all_built(after) and after.announced_by is None:
            last = events.LastBuildingBuilt(move.seat, "carrara.end.last-building")
            return continue_with_object(after), [happened, last]
        return continue_with_object(after), [happened]


class RevealBuildingRule(RevealBuildingsRule):
    """The empty space is filled from the pile."""

    refuses = "carrara.build.pile"

    def play(self, state: State, move: moves.RevealBuilding) -> Effect[State]:
        after = replace(state, face_up=plus(state.face_up, (move.building,)))
        return continue_with_object(after), [events.BuildingRevealed(move.building)]


# --- action III: score -----------------------------------------------------------------------------------------------

Scoring = TypeVar("Scoring", moves.ScoreType, moves.ScoreCity)


class ScoringRule(SureRule[State, Scoring]):
    """Every scoring uses one of the six markers."""

    example: str
    """The type or city that the refusal names if nothing can be scored."""

    def why_unavailable(self, state: State) -> Refusal | None:
        used = supplies.markers_used(state.seats[state.active_seat])
        return refuse("carrara.score.markers", "/type", markers=used) if used >= box.MARKERS else None

    def why_none(self, state: State) -> Refusal | None:
        return self.refusal(state, self.move(state.active_seat, self.example))

    def why_not(self, state: State, move: Scoring) -> Refusal | None:
        """Without a marker it does not matter what is to be scored."""
        return self.why_unavailable(state) or self.refusal(state, move)


@implements("carrara.score.objects", "carrara.score.points")
def score(state: State, marked: Seat, buildings: Sequence[tuple[str, str]]) -> tuple[State, dict[str, Any]]:
    """Pays the seat, `marked` with its new marker, points and coins for the buildings, and objects while there are any.

    Returns the state and what was gained: points, coins, objects.
    """
    objects: list[str] = []
    left = supplies.object_supplies(state)
    for building, _ in buildings:
        kind = box.OBJECT_OF[box.TYPE_OF[building]]
        if objects.count(kind) < left[kind]:
            objects.append(kind)
    pay = proceeds(buildings)
    richer = replace(
        marked,
        points=marked.points + pay["points"],
        coins=marked.coins + pay["coins"],
        objects=plus(marked.objects, objects),
    )
    after = replace(state, seats=replaced(state.seats, state.active_seat, richer))
    return continue_with_object(after), {**pay, "objects": multiset(objects)}


class ScoreTypeRule(ScoringRule[moves.ScoreType]):
    """Scores all of the player's buildings of a type; each type once."""

    example = box.TYPES[0]

    def candidates(self, state: State) -> Sequence[moves.ScoreType]:
        seat = state.seats[state.active_seat]
        unscored = supplies.types_built(seat).difference(seat.scored_types)
        return [moves.ScoreType(state.active_seat, kind) for kind in box.TYPES if kind in unscored]

    def refusal(self, state: State, move: moves.ScoreType) -> Refusal | None:
        seat = state.seats[move.seat]
        if move.building_type not in supplies.types_built(seat):
            return refuse("carrara.score.own-building", "/building_type", building_type=move.building_type)
        if move.building_type in seat.scored_types:
            return refuse("carrara.score.type-once", "/building_type", building_type=move.building_type)
        return None

    def play(self, state: State, move: moves.ScoreType) -> Effect[State]:
        seat = state.seats[move.seat]
        marked = replace(seat, scored_types=plus(seat.scored_types, (move.building_type,)))
        after, gains = score(state, marked, supplies.of_type(seat.cities, move.building_type))
        return after, [events.TypeScored(move.seat, move.building_type, "carrara.score.type-pays", **gains)]


class ScoreCityRule(ScoringRule[moves.ScoreCity]):
    """Scores all of the player's buildings in a city; each city once in the game."""

    example = next(iter(box.CITIES))

    def candidates(self, state: State) -> Sequence[moves.ScoreCity]:
        by_city = zip(box.CITIES.items(), astuple(state.seats[state.active_seat].cities), strict=True)
        large = [city for (city, facts), buildings in by_city if len(buildings) >= facts.minimum]
        return [moves.ScoreCity(state.active_seat, city) for city in large if supplies.scored_by(state, city) is None]

    def refusal(self, state: State, move: moves.ScoreCity) -> Refusal | None:
        scorer = supplies.scored_by(state, move.city)
        if scorer is not None:
            return refuse("carrara.score.city-once", "/city", city=move.city, scorer=scorer)
        buildings, minimum = len(getattr(state.seats[move.seat].cities, move.city)), box.CITIES[move.city].minimum
        if buildings < minimum:
            return refuse("carrara.score.city-minimum", "/city", city=move.city, buildings=buildings, minimum=minimum)
        return None

    def play(self, state: State, move: moves.ScoreCity) -> Effect[State]:
        seat = state.seats[move.seat]
        marked = replace(seat, scored_cities=plus(seat.scored_cities, (move.city,)))
        after, gains = score(state, marked, supplies.in_city(seat.cities, move.city))
        return after, [events.CityScored(move.seat, move.city, "carrara.score.city-pays", **gains)]


# --- no action -------------------------------------------------------------------------------------------------------

ACTIONS: tuple[MoveRule[State, Any], ...] = (TurnWheelRule(), BuildRule(), ScoreTypeRule(), ScoreCityRule())
"""I, II and III."""


class TakeCoinsInChooseActionRule(BareRule[State, moves.TakeCoins]):
    """Only if I, II and III are all impossible: two coins, and no object afterwards."""

    def why_unavailable(self, state: State) -> Refusal | None:
        for action in ACTIONS:
            if action.is_offered(state):
                return refuse("carrara.no-action.only-then", "/type", possible_move=type_of(action.move))
        return None

    def play(self, state: State, move: moves.TakeCoins) -> Effect[State]:
        richer, happened = take_two_coins(state, "carrara.no-action.two-coins")
        return continue_with_announcement(richer), happened


class PassRule(BareRule[State, moves.Pass]):
    """Only after an announcement; a pass is the whole turn."""

    def why_unavailable(self, state: State) -> Refusal | None:
        return refuse("carrara.end.pass", "/type") if state.announced_by is None else None

    def play(self, state: State, move: moves.Pass) -> Effect[State]:
        return next_turn(state), [events.Passed(move.seat)]


# --- supplementary purchase ------------------------------------------------------------------------------------------


class BuyObjectRule(MoveRule[State, moves.BuyObject]):
    """Buys one of the objects on the board, which are never replaced."""

    rules = ("carrara.object.one-of-each", "carrara.object.bought")

    def candidates(self, state: State) -> Sequence[moves.BuyObject]:
        return [moves.BuyObject(state.active_seat, kind) for kind in kinds(state.objects_for_sale)]

    def refusal(self, state: State, move: moves.BuyObject) -> Refusal | None:
        if move.object not in state.objects_for_sale:
            return refuse("carrara.object.for-sale", "/object", object=move.object)
        return None

    def amounts(self, state: State, move: moves.BuyObject) -> Iterable[Amount]:
        yield Amount("coins", box.OBJECT_PRICE, have=state.seats[move.seat].coins)

    def play(self, state: State, move: moves.BuyObject) -> Effect[State]:
        seat = state.seats[move.seat]
        objects = plus(seat.objects, (move.object,))
        after = replace(
            state,
            objects_for_sale=minus(state.objects_for_sale, (move.object,)),
            seats=with_seat(state, move.seat, coins=seat.coins - box.OBJECT_PRICE, objects=objects),
        )
        return continue_with_announcement(after), [events.ObjectBought(move.seat, move.object, box.OBJECT_PRICE)]


class BuyNothingRule(BareRule[State, moves.BuyNothing]):
    """Buying an object is optional."""

    def play(self, state: State, move: moves.BuyNothing) -> Effect[State]:
        return continue_with_announcement(state), []


# --- announcing the end ----------------------------------------------------------------------------------------------


def objectives(state: State, index: int) -> dict[str, int]:
    """The three objectives of the seat at `index`: what it has, and what it needs; `cost` is that of its buildings."""
    seat, players = state.seats[index], len(state.seats)
    return {
        "seat": index,
        "scorings": supplies.markers_used(seat),
        "objects": len(seat.objects),
        "cost": supplies.total_cost(seat),
        "scorings_needed": box.SCORINGS_NEEDED,
        "objects_needed": box.OBJECTS_NEEDED[players],
        "cost_needed": box.COST_NEEDED[players],
    }


def why_not_entitled(state: State, index: int, pointer: str) -> Refusal | None:
    """Why the seat may not announce the end: it has not met all three objectives."""
    values = objectives(state, index)
    if (
        values["scorings"] >= values["scorings_needed"]
        and values["objects"] >= values["objects_needed"]
        and values["cost"] >= values["cost_needed"]
    ):
        return None
    return Refusal("carrara.end.objectives", values, pointer)


def why_not_announce(state: State, index: int, pointer: str = "/type") -> Refusal | None:
    """The end is announced by a seat that has met the objectives, once, and not after the last building."""
    if refusal := why_not_entitled(state, index, pointer):
        return refusal
    if state.announced_by is not None:
        return refuse("carrara.end.once", pointer, announcer=state.announced_by)
    if all_built(state):
        return refuse("carrara.end.first-trigger", pointer)
    return None


class AnnounceEndRule(BareRule[State, moves.AnnounceEnd]):
    """At the start of the turn, whose action is still to come, or at its end: five points at once.

    Out of turn, these reasons are given before that it is not the player's turn (`why_not_out_of_turn` in `game.py`).
    """

    rules = ("carrara.end.announcement",)

    def why_unavailable(self, state: State) -> Refusal | None:
        return why_not_announce(state, state.active_seat)

    def play(self, state: State, move: moves.AnnounceEnd) -> Effect[State]:
        seats = with_seat(state, move.seat, points=state.seats[move.seat].points + box.ANNOUNCEMENT_POINTS)
        announced = replace(state, seats=seats, announced_by=move.seat)
        happened = events.EndAnnounced(move.seat, box.ANNOUNCEMENT_POINTS, "carrara.end.bonus")
        if isinstance(state.stage, stages.AnnounceOrEndTurn):
            return next_turn(announced), [happened]
        return announced, [happened]  # the action is still to come


class EndTurnRule(BareRule[State, moves.EndTurn]):
    """Announcing the end is optional."""

    def play(self, state: State, move: moves.EndTurn) -> Effect[State]:
        return next_turn(state), []


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS: tuple[SeatDecision[State] | ChanceDecision[State], ...] = (
    ChanceDecision(stages.RevealSetupBuilding, RevealSetupBuildingRule()),
    SeatDecision(stages.ChooseAction, (AnnounceEndRule(), *ACTIONS, TakeCoinsInChooseActionRule(), PassRule())),
    ChanceDecision(stages.DrawBlock, DrawBlockRule()),
    SeatDecision(stages.BuyBlocks, (BuyBlocksRule(), TakeCoinsInBuyBlocksRule())),
    ChanceDecision(stages.RevealBuilding, RevealBuildingRule()),
    SeatDecision(stages.BuyObject, (BuyObjectRule(), BuyNothingRule())),
    SeatDecision(stages.AnnounceOrEndTurn, (AnnounceEndRule(), EndTurnRule())),
)
