"""Every decision of The Palaces of Carrara, in the order of the rulebook: legal moves, refusals, effects.

A turn is one action (I, II or III), then optionally an object, then optionally the announcement. `action_over` and
`turn_ending` lead from one to the next and skip steps in which nothing is possible.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec.structs import astuple, replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import (
    NO_MOVES,
    BareRule,
    ChainedMoves,
    ChanceDecision,
    ChanceRule,
    GameOver,
    ListedMoves,
    MappedMoves,
    Move,
    MoveRule,
    Moves,
    PairedMoves,
    Played,
    SeatDecision,
)
from capomastro.engine.multisets import Multiset, first_missing, includes, kinds, minus, multiset, plus
from capomastro.engine.referee import type_of
from capomastro.engine.refusals import Refusal, enforces, refuse
from capomastro.engine.seats import next_seat, replaced, with_seat
from capomastro.games.carrara import events, moves, stages
from capomastro.games.carrara.components import (
    ANNOUNCEMENT_POINTS,
    BLOCK_COUNT,
    BUILDING_COUNT,
    CITIES,
    CONSOLATION,
    COST_NEEDED,
    COST_OF,
    FACE_UP,
    MARKERS,
    OBJECT_OF,
    OBJECT_PRICE,
    OBJECTS_NEEDED,
    SCORINGS_NEEDED,
    SECTIONS,
    TYPE_OF,
    TYPES,
    WHEEL_BLOCKS,
)
from capomastro.games.carrara.purchases import payments, purchases
from capomastro.games.carrara.scoring import proceeds
from capomastro.games.carrara.state import Seat, State, Wheel
from capomastro.games.carrara.supplies import (
    PRICES,
    bag,
    bag_size,
    blocks_held,
    buildings_of,
    built,
    cheapest_block,
    districts,
    in_city,
    markers_used,
    object_supplies,
    of_type,
    pile_size,
    scored_by,
    total_cost,
    types_of,
)

# --- set-up ----------------------------------------------------------------------------------------------------------


class RevealBuildingsRule(ChanceRule[State, moves.RevealBuilding]):
    """The next building from the pile: any that has not been turned up yet."""

    def outcomes(self, state: State) -> Outcomes:
        shown = set(state.face_up).union(*(buildings_of(seat) for seat in state.seats))
        return Outcomes({building: 1 for building in COST_OF if building not in shown})


class RevealSetupBuildingRule(RevealBuildingsRule):
    """Nine buildings are placed face up on the board."""

    rules = ("carrara.setup.order", "carrara.setup.step")
    refuses = "carrara.setup.buildings"

    def play(self, state: State, move: moves.RevealBuilding) -> Played[State]:
        face_up = plus(state.face_up, (move.building,))
        stage = stages.ChooseAction() if len(face_up) == FACE_UP else state.stage
        return replace(state, face_up=face_up, stage=stage), [events.BuildingRevealed(move.building)]


# --- the course of a turn --------------------------------------------------------------------------------------------


@enforces("carrara.turn.order", "carrara.turn.skipped", "carrara.object.step", "carrara.object.coins")
def action_over(state: State) -> State:
    """After an action I, II or III, the player may buy an object, if one is available and affordable."""
    if state.objects_for_sale and state.seats[state.active_seat].coins >= OBJECT_PRICE:
        return replace(state, stage=stages.BuyObject())
    return turn_ending(state)


@enforces("carrara.turn.skipped")
def turn_ending(state: State) -> State:
    """At the end of the turn the player may announce the end of the game, if the objectives are met."""
    if can_announce(state, state.active_seat):
        return replace(state, stage=stages.AnnounceOrEndTurn())
    return turn_over(state)


@enforces("carrara.end.round", "carrara.end.no-further-turn", "carrara.end.no-length-limit")
def turn_over(state: State) -> State:
    """The next player to the left; once the end has come, the round is completed."""
    following = next_seat(state, state.active_seat)
    if following == 0 and is_last_round(state):
        return replace(state, stage=GameOver())
    return replace(state, active_seat=following, stage=stages.ChooseAction())


@enforces("carrara.end.trigger")
def is_last_round(state: State) -> bool:
    """Whether the end was announced or the last building built."""
    return state.announced_by is not None or all_built(state)


def all_built(state: State) -> bool:
    return not state.face_up and built(state) == BUILDING_COUNT


# --- action I: buy blocks --------------------------------------------------------------------------------------------


class TurnWheelRule(BareRule[State, moves.TurnWheel]):
    """The wheel turns by one section; blocks on VI move to I and are expensive again."""

    rules = ("carrara.buy.turn",)

    def unavailable(self, state: State) -> Refusal | None:
        if not any(astuple(state.wheel)) and not bag_size(state):
            return refuse("carrara.buy.nothing-left", "/type")
        return None

    def play(self, state: State, move: moves.TurnWheel) -> Played[State]:
        *others, last = astuple(state.wheel)
        return refilled(state, Wheel(last, *others)), [events.WheelTurned(move.seat)]


@enforces("carrara.buy.refill", "carrara.buy.refill-over", "carrara.buy.refill-open", "carrara.buy.bag-empty")
def refilled(state: State, wheel: Wheel) -> State:
    """Refills the new `wheel` from the bag, as far as the bag lasts; then the player buys."""
    blocks = sum(map(len, astuple(wheel)))
    missing = blocks < WHEEL_BLOCKS and blocks + blocks_held(state) < BLOCK_COUNT
    return replace(state, wheel=wheel, stage=stages.DrawBlock() if missing else stages.BuyBlocks())


class DrawBlockRule(ChanceRule[State, moves.DrawBlock]):
    """New blocks go on section I."""

    refuses = "carrara.buy.bag"

    def outcomes(self, state: State) -> Outcomes:
        return Outcomes({colour: left for colour, left in bag(state).items() if left > 0})

    def play(self, state: State, move: moves.DrawBlock) -> Played[State]:
        wheel = replace(state.wheel, i=plus(state.wheel.i, (move.block,)))
        return refilled(state, wheel), [events.BlockDrawn(move.block)]


class BuyBlocksRule(MoveRule[State, moves.BuyBlocks]):
    """Buys one or more blocks from one section."""

    def unavailable(self, state: State) -> Refusal | None:
        coins, cheapest = state.seats[state.active_seat].coins, cheapest_block(state)
        assert cheapest is not None, "the wheel holds a block, or it cannot be turned"
        if cheapest > coins:
            return refuse("carrara.buy.price", "/type", price=cheapest, coins=coins)
        return None

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

    def offered(self, state: State) -> Moves:
        """The affordable purchases from each section, counted because lists are long."""
        seat = state.active_seat
        coins = state.seats[seat].coins
        return ChainedMoves(
            [
                MappedMoves(purchases(blocks, section, coins), partial(moves.BuyBlocks, seat, section))
                for section, blocks in zip(SECTIONS, astuple(state.wheel), strict=True)
                if blocks
            ]
        )

    def play(self, state: State, move: moves.BuyBlocks) -> Played[State]:
        blocks = multiset(move.blocks)
        price, seat = price_of_all(blocks, move.section), state.seats[move.seat]
        rest = minus(blocks_on(state.wheel, move.section), blocks)
        bought = replace(
            state,
            wheel=replace(state.wheel, **{move.section.lower(): rest}),
            seats=with_seat(state, move.seat, coins=seat.coins - price, blocks=plus(seat.blocks, blocks)),
        )
        return action_over(bought), [events.BlocksBought(move.seat, move.section, blocks, price)]


def blocks_on(wheel: Wheel, section: str) -> Multiset:
    lying: Multiset = getattr(wheel, section.lower())
    return lying


def price_of_all(blocks: Multiset, section: str) -> int:
    return sum(map(PRICES[section].__getitem__, blocks))


def two_coins_taken(state: State, rule: str) -> Played[State]:
    """The active player takes two coins."""
    seat = state.active_seat
    taken = replace(state, seats=with_seat(state, seat, coins=state.seats[seat].coins + CONSOLATION))
    return taken, [events.CoinsTaken(seat, CONSOLATION, rule)]


class TakeCoinsInBuyBlocksRule(BareRule[State, moves.TakeCoins]):
    """A player who cannot buy a block takes two coins, and buys nothing this time."""

    rules = ("carrara.buy.binding",)

    def unavailable(self, state: State) -> Refusal | None:
        coins, cheapest = state.seats[state.active_seat].coins, cheapest_block(state)
        if cheapest is not None and cheapest <= coins:
            return refuse("carrara.buy.must-buy", "/type", price=cheapest, coins=coins)
        return None

    def play(self, state: State, move: moves.TakeCoins) -> Played[State]:
        taken, happened = two_coins_taken(state, "carrara.buy.two-coins")
        return action_over(taken), happened


# --- action II: build ------------------------------------------------------------------------------------------------


class BuildRule(MoveRule[State, moves.Build]):
    """A building from the board goes to a city; its cost is paid in blocks that the city accepts."""

    rules = ("carrara.build.no-limit", "carrara.build.refill", "carrara.build.reveal", "carrara.build.reveal-after")

    def unavailable(self, state: State) -> Refusal | None:
        if not state.face_up:
            return refuse("carrara.build.none-left", "/type")
        cheapest, blocks = min(map(COST_OF.__getitem__, state.face_up)), len(state.seats[state.active_seat].blocks)
        if blocks < cheapest:
            return refuse("carrara.build.blocks", "/type", blocks=blocks, cost=cheapest)
        return None

    def refusal(self, state: State, move: moves.Build) -> Refusal | None:
        if move.building not in state.face_up:
            return refuse("carrara.build.face-up", "/building", building=move.building)
        accepts = CITIES[move.city].accepts
        for index, block in enumerate(move.payment):
            if block not in accepts:
                return refuse("carrara.build.city", f"/payment/{index}", block=block, city=move.city, accepts=accepts)
        if len(move.payment) != COST_OF[move.building]:
            return refuse(
                "carrara.build.cost",
                "/payment",
                building=move.building,
                cost=COST_OF[move.building],
                blocks=len(move.payment),
            )
        blocks = state.seats[move.seat].blocks
        if not includes(blocks, move.payment):
            lacking = multiset({block for block in move.payment if move.payment.count(block) > blocks.count(block)})
            return refuse("carrara.build.own-blocks", "/payment", missing_blocks=tuple(lacking))
        return None

    def offered(self, state: State) -> Moves:
        """The payments of each cost with every building of that cost, counted because lists are long."""
        seat = state.active_seat
        blocks = state.seats[seat].blocks
        return ChainedMoves(
            PairedMoves(buildings, payments(blocks, cost), lambda building, paid: moves.Build(seat, building, *paid))
            for cost, buildings in by_cost(state.face_up)
            if cost <= len(blocks)
        )

    def play(self, state: State, move: moves.Build) -> Played[State]:
        payment, seat = multiset(move.payment), state.seats[move.seat]
        district = plus(getattr(seat.cities, move.city), (move.building,))
        cities = replace(seat.cities, **{move.city: district})
        after = replace(
            state,
            face_up=minus(state.face_up, (move.building,)),
            seats=with_seat(state, move.seat, blocks=minus(seat.blocks, payment), cities=cities),
        )
        built_now = events.Built(move.seat, move.building, move.city, payment)
        if pile_size(after):
            return replace(after, stage=stages.RevealBuilding()), [built_now]
        if all_built(after) and after.announced_by is None:
            return action_over(after), [built_now, events.LastBuildingBuilt(move.seat, "carrara.end.last-building")]
        return action_over(after), [built_now]


@lru_cache(maxsize=1024)
def by_cost(buildings: Multiset) -> tuple[tuple[int, Multiset], ...]:
    """The buildings by cost, the cheapest first."""
    costs = sorted({COST_OF[building] for building in buildings})
    return tuple((cost, tuple(building for building in buildings if COST_OF[building] == cost)) for cost in costs)


class RevealBuildingRule(RevealBuildingsRule):
    """The empty space is filled from the pile."""

    refuses = "carrara.build.pile"

    def play(self, state: State, move: moves.RevealBuilding) -> Played[State]:
        revealed = replace(state, face_up=plus(state.face_up, (move.building,)))
        return action_over(revealed), [events.BuildingRevealed(move.building)]


# --- action III: score -----------------------------------------------------------------------------------------------


def refuse_markers(state: State) -> Refusal | None:
    """Every scoring uses one of the six markers."""
    used = markers_used(state.seats[state.active_seat])
    return refuse("carrara.score.markers", "/type", markers=used) if used >= MARKERS else None


@enforces("carrara.score.objects", "carrara.score.objects-given", "carrara.score.points")
def scored(state: State, seat: Seat, buildings: Sequence[tuple[str, str]]) -> tuple[State, dict[str, Any]]:
    """Pays `seat`, whose new marker is placed, points and coins for the buildings, and objects while there are any.

    Returns the state and what was gained: points, coins, objects.
    """
    objects: list[str] = []
    supplies = object_supplies(state)
    for building, _ in buildings:
        kind = OBJECT_OF[TYPE_OF[building]]
        if objects.count(kind) < supplies[kind]:
            objects.append(kind)
    paid = proceeds(buildings)
    gained = replace(
        seat,
        points=seat.points + paid["points"],
        coins=seat.coins + paid["coins"],
        objects=plus(seat.objects, objects),
    )
    after = replace(state, seats=replaced(state.seats, state.active_seat, gained))
    return action_over(after), {**paid, "objects": multiset(objects)}


class ScoreTypeRule(MoveRule[State, moves.ScoreType]):
    """Scores all of the player's buildings of a type; each type once."""

    def unavailable(self, state: State) -> Refusal | None:
        return refuse_markers(state)

    def candidates(self, state: State) -> Iterable[moves.ScoreType]:
        return (moves.ScoreType(state.active_seat, building_type) for building_type in TYPES)

    def offered(self, state: State) -> Moves:
        """Repeats `refusal`, starting from the types present: for speed, since every turn calls it."""
        index, seat = state.active_seat, state.seats[state.active_seat]
        if markers_used(seat) >= MARKERS:
            return NO_MOVES
        unscored = [one for one in types_of(seat.cities) if one not in seat.scored_types]
        return ListedMoves([moves.ScoreType(index, building_type) for building_type in unscored])

    def refusal(self, state: State, move: moves.ScoreType) -> Refusal | None:
        if refusal := refuse_markers(state):
            return refusal
        seat = state.seats[move.seat]
        if move.building_type not in types_of(seat.cities):
            return refuse("carrara.score.own-building", "/building_type", building_type=move.building_type)
        if move.building_type in seat.scored_types:
            return refuse("carrara.score.type-once", "/building_type", building_type=move.building_type)
        return None

    def play(self, state: State, move: moves.ScoreType) -> Played[State]:
        seat = state.seats[move.seat]
        marked = replace(seat, scored_types=plus(seat.scored_types, (move.building_type,)))
        after, gains = scored(state, marked, of_type(seat.cities, move.building_type))
        return after, [events.TypeScored(move.seat, move.building_type, "carrara.score.type-pays", **gains)]


class ScoreCityRule(MoveRule[State, moves.ScoreCity]):
    """Scores all of the player's buildings in a city that nobody has scored yet."""

    def unavailable(self, state: State) -> Refusal | None:
        return refuse_markers(state)

    def candidates(self, state: State) -> Iterable[moves.ScoreCity]:
        return (moves.ScoreCity(state.active_seat, city) for city in CITIES)

    def offered(self, state: State) -> Moves:
        """Repeats `refusal`, the cheaper check first: for speed, since every turn calls it."""
        index, seat = state.active_seat, state.seats[state.active_seat]
        if markers_used(seat) >= MARKERS:
            return NO_MOVES
        large = [
            city
            for (city, facts), district in zip(CITIES.items(), districts(seat.cities), strict=True)
            if len(district) >= facts.minimum
        ]
        return ListedMoves([moves.ScoreCity(index, city) for city in large if scored_by(state, city) is None])

    def refusal(self, state: State, move: moves.ScoreCity) -> Refusal | None:
        if refusal := refuse_markers(state):
            return refusal
        scorer = scored_by(state, move.city)
        if scorer is not None:
            return refuse("carrara.score.city-once", "/city", city=move.city, scorer=scorer)
        buildings, minimum = len(getattr(state.seats[move.seat].cities, move.city)), CITIES[move.city].minimum
        if buildings < minimum:
            return refuse("carrara.score.city-minimum", "/city", city=move.city, buildings=buildings, minimum=minimum)
        return None

    def play(self, state: State, move: moves.ScoreCity) -> Played[State]:
        seat = state.seats[move.seat]
        marked = replace(seat, scored_cities=plus(seat.scored_cities, (move.city,)))
        after, gains = scored(state, marked, in_city(seat.cities, move.city))
        return after, [events.CityScored(move.seat, move.city, "carrara.score.city-pays", **gains)]


# --- no action -------------------------------------------------------------------------------------------------------

TURN_WHEEL, BUILD, SCORE_TYPE, SCORE_CITY = TurnWheelRule(), BuildRule(), ScoreTypeRule(), ScoreCityRule()


def possible_action(state: State) -> type[Move] | None:
    """The move that begins the first possible action of I, II, III."""
    if TURN_WHEEL.unavailable(state) is None:
        return moves.TurnWheel
    if BUILD.unavailable(state) is None:
        return moves.Build
    if SCORE_TYPE.offered(state).total:
        return moves.ScoreType
    return moves.ScoreCity if SCORE_CITY.offered(state).total else None


class TakeCoinsInChooseActionRule(BareRule[State, moves.TakeCoins]):
    """Only if I, II and III are all impossible: two coins, and no object afterwards."""

    def unavailable(self, state: State) -> Refusal | None:
        action = possible_action(state)
        if action is None:
            return None
        return refuse("carrara.no-action.only-then", "/type", possible_move=type_of(action))

    def play(self, state: State, move: moves.TakeCoins) -> Played[State]:
        taken, happened = two_coins_taken(state, "carrara.no-action.two-coins")
        return turn_ending(taken), happened


NOT_ANNOUNCED = refuse("carrara.end.pass", "/type")


class PassRule(BareRule[State, moves.Pass]):
    """Only after an announcement; a pass is the whole turn."""

    def unavailable(self, state: State) -> Refusal | None:
        return NOT_ANNOUNCED if state.announced_by is None else None

    def play(self, state: State, move: moves.Pass) -> Played[State]:
        return turn_over(state), [events.Passed(move.seat)]


# --- supplementary purchase ------------------------------------------------------------------------------------------


class BuyObjectRule(MoveRule[State, moves.BuyObject]):
    """Buys one of the objects on the board, which are never replaced."""

    rules = ("carrara.object.one-of-each", "carrara.object.bought")

    def candidates(self, state: State) -> Iterable[moves.BuyObject]:
        return (moves.BuyObject(state.active_seat, kind) for kind in kinds(state.objects_for_sale))

    def refusal(self, state: State, move: moves.BuyObject) -> Refusal | None:
        if move.object not in state.objects_for_sale:
            return refuse("carrara.object.for-sale", "/object", object=move.object)
        return None

    def play(self, state: State, move: moves.BuyObject) -> Played[State]:
        seat = state.seats[move.seat]
        objects = plus(seat.objects, (move.object,))
        bought = replace(
            state,
            objects_for_sale=minus(state.objects_for_sale, (move.object,)),
            seats=with_seat(state, move.seat, coins=seat.coins - OBJECT_PRICE, objects=objects),
        )
        return turn_ending(bought), [events.ObjectBought(move.seat, move.object, OBJECT_PRICE)]


class BuyNothingRule(BareRule[State, moves.BuyNothing]):
    """Buying an object is optional."""

    def play(self, state: State, move: moves.BuyNothing) -> Played[State]:
        return turn_ending(state), []


# --- announcing the end ----------------------------------------------------------------------------------------------


def objectives(state: State, index: int) -> tuple[tuple[str, int, int], ...]:
    """The three objectives of a seat: name, current number, number needed."""
    seat, players = state.seats[index], len(state.seats)
    return (
        ("scorings", markers_used(seat), SCORINGS_NEEDED),
        ("objects", len(seat.objects), OBJECTS_NEEDED[players]),
        ("cost", total_cost(seat.cities), COST_NEEDED[players]),
    )


def objectives_met(state: State, index: int) -> bool:
    """Whether a seat has met all three. Called twice a turn: the most expensive check comes last."""
    seat, players = state.seats[index], len(state.seats)
    return (
        markers_used(seat) >= SCORINGS_NEEDED
        and len(seat.objects) >= OBJECTS_NEEDED[players]
        and total_cost(seat.cities) >= COST_NEEDED[players]
    )


def can_announce(state: State, index: int) -> bool:
    """Whether a seat can announce the end: it has met the objectives, and the end has not come yet."""
    return objectives_met(state, index) and not is_last_round(state)


def refuse_announcement(state: State, index: int, pointer: str) -> Refusal | None:
    """Why a seat cannot announce the end."""
    if not objectives_met(state, index):
        return refuse_objectives(state, index, pointer)
    if state.announced_by is not None:
        return refuse("carrara.end.once", pointer, announcer=state.announced_by)
    if all_built(state):
        return refuse("carrara.end.first-trigger", pointer)
    return None


def refuse_objectives(state: State, index: int, pointer: str) -> Refusal:
    """The refusal for unmet objectives, with the numbers."""
    numbers = {what: there for what, there, _ in objectives(state, index)}
    needed = {f"{what}_needed": needed for what, _, needed in objectives(state, index)}
    return refuse("carrara.end.objectives", pointer, seat=index, **numbers, **needed)


@enforces("carrara.end.announcement")
def announced(state: State, seat: int) -> Played[State]:
    """Announcing the end gives five points at once."""
    seats = with_seat(state, seat, points=state.seats[seat].points + ANNOUNCEMENT_POINTS)
    happened = events.EndAnnounced(seat, ANNOUNCEMENT_POINTS, "carrara.end.bonus")
    return replace(state, seats=seats, announced_by=seat), [happened]


class AnnounceEndInChooseActionRule(BareRule[State, moves.AnnounceEnd]):
    """At the start of the turn: the player still has an action, and may pass."""

    def unavailable(self, state: State) -> Refusal | None:
        return refuse_announcement(state, state.active_seat, "/type")

    def offered(self, state: State) -> Moves:
        """Repeats `unavailable`, without building the refusal: for speed, since every turn calls it."""
        return ListedMoves((self.move(state.active_seat),)) if can_announce(state, state.active_seat) else NO_MOVES

    def play(self, state: State, move: moves.AnnounceEnd) -> Played[State]:
        return announced(state, move.seat)


class AnnounceEndInAnnounceOrEndTurnRule(AnnounceEndInChooseActionRule):
    """At the end of the turn, which is then over."""

    def play(self, state: State, move: moves.AnnounceEnd) -> Played[State]:
        after, happened = announced(state, move.seat)
        return turn_over(after), happened


class EndTurnRule(BareRule[State, moves.EndTurn]):
    """Announcing the end is optional."""

    def play(self, state: State, move: moves.EndTurn) -> Played[State]:
        return turn_over(state), []


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS: tuple[SeatDecision[State] | ChanceDecision[State], ...] = (
    ChanceDecision(stages.RevealSetupBuilding, RevealSetupBuildingRule()),
    SeatDecision(
        stages.ChooseAction,
        (
            AnnounceEndInChooseActionRule(),
            TURN_WHEEL,
            BUILD,
            SCORE_TYPE,
            SCORE_CITY,
            TakeCoinsInChooseActionRule(),
            PassRule(),
        ),
    ),
    ChanceDecision(stages.DrawBlock, DrawBlockRule()),
    SeatDecision(stages.BuyBlocks, (BuyBlocksRule(), TakeCoinsInBuyBlocksRule())),
    ChanceDecision(stages.RevealBuilding, RevealBuildingRule()),
    SeatDecision(stages.BuyObject, (BuyObjectRule(), BuyNothingRule())),
    SeatDecision(stages.AnnounceOrEndTurn, (AnnounceEndInAnnounceOrEndTurnRule(), EndTurnRule())),
)
