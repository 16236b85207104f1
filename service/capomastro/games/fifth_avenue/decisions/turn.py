"""A turn: the four options, coloured cards, a commissioner."""

from collections.abc import Collection, Iterable
from itertools import combinations

from msgspec.structs import astuple, replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import (
    BareRule,
    ChanceDecision,
    ChanceRule,
    Played,
    SeatDecision,
    SureRule,
    stage_of,
    then,
)
from capomastro.engine.events import Event
from capomastro.engine.hands import gain_closed, gain_open
from capomastro.engine.multisets import kinds, minus, plus
from capomastro.engine.refusals import Refusal, enforces, refuse
from capomastro.engine.seats import replaced, with_seat
from capomastro.games.fifth_avenue import events, moves, stages
from capomastro.games.fifth_avenue.components import (
    BLACK,
    BUILDINGS_TAKEN,
    CITY_HALL,
    COMMISSIONERS,
    DISTRICTS,
    PLACED_AT_END,
    ROUTES,
)
from capomastro.games.fifth_avenue.decisions.auctions import open_auction
from capomastro.games.fifth_avenue.decisions.course import begin_phase_two, continue_turn, draw_black_cards, end_game
from capomastro.games.fifth_avenue.decisions.setup import RevealTopsRule, why_not_on_lot
from capomastro.games.fifth_avenue.lots import District, Lot, accepts_business, has_building, lots_for_business, lots_in
from capomastro.games.fifth_avenue.scoring import score_bonus, score_district
from capomastro.games.fifth_avenue.state import State
from capomastro.games.fifth_avenue.supplies import (
    active_group,
    businesses_placed,
    common_supply,
    next_cards,
    piles_with_top,
    reshuffle_if_empty,
    take_tops,
)

# --- option A: buildings ---------------------------------------------------------------------------------------------


class TakeBuildingsRule(BareRule[State, moves.TakeBuildings]):
    """Takes three buildings, or as many as are left, from the common supply into the reserve."""

    rules = ("fifth-avenue.option-a.threes",)

    def unavailable(self, state: State) -> Refusal | None:
        if not common_supply(state, state.active_seat):
            return refuse("fifth-avenue.option-a.supply", "/type", seat=state.active_seat)
        return None

    def play(self, state: State, move: moves.TakeBuildings) -> Played[State]:
        number = min(BUILDINGS_TAKEN, common_supply(state, move.seat))
        seats = with_seat(state, move.seat, reserve=state.seats[move.seat].reserve + number)
        chosen, taken = events.OptionChosen(move.seat, "A"), events.BuildingsTaken(move.seat, number)
        return begin_phase_two(replace(state, seats=seats)), [chosen, taken]


# --- option B: a business --------------------------------------------------------------------------------------------


class PlaceBusinessRule(SureRule[State, moves.PlaceBusiness]):
    """Places a tile from the active group on a lot that is empty or has a single business."""

    rules = ("fifth-avenue.business.row", "fifth-avenue.map.two-businesses")

    def unavailable(self, state: State) -> Refusal | None:
        if not any(map(accepts_business, lots_in(*astuple(state.districts)))):
            return refuse("fifth-avenue.business.no-lot", "/type")
        return None

    def candidates(self, state: State) -> Iterable[moves.PlaceBusiness]:
        seat, businesses = state.active_seat, kinds(state.row[active_group(state)])
        return [
            moves.PlaceBusiness(seat, business, district, lot)
            for district, lot in lots_for_business(state.districts)
            for business in businesses
        ]

    def refusal(self, state: State, move: moves.PlaceBusiness) -> Refusal | None:
        businesses = kinds(state.row[active_group(state)])
        if move.business not in businesses:
            return refuse(
                "fifth-avenue.business.active-group", "/business", business=move.business, active_group=businesses
            )
        if refusal := why_not_on_lot(state, move.district, move.lot):
            return refusal
        lot = state.districts.known_open(move.district)[move.lot]
        if not accepts_business(lot):
            return refuse("fifth-avenue.business.lot", "/lot", businesses=len(lot.businesses), buildings=lot.buildings)
        return None

    def play(self, state: State, move: moves.PlaceBusiness) -> Played[State]:
        group, under = active_group(state), state.under_central_park
        rest = minus(state.row[group], (move.business,))
        lot = state.districts.known_open(move.district)[move.lot]
        happened: list[Event] = [
            events.OptionChosen(move.seat, "B"),
            events.BusinessPlaced(move.seat, move.business, move.district, move.lot),
        ]
        if len(rest) == 1:
            happened.append(events.BusinessUnderCentralPark(rest[0], "fifth-avenue.business.last-tile"))
            under, rest = plus(under, rest), ()
        row = replaced(state.row, group, rest)
        number = businesses_placed(row)
        seats, bonuses = score_bonus(state, number)
        districts = state.districts.with_lot(move.district, move.lot, Lot(plus(lot.businesses, (move.business,))))
        placed = replace(state, seats=seats, districts=districts, row=row, under_central_park=under)
        if number == PLACED_AT_END:
            return then(happened, end_game(placed, "fifth-avenue.end.businesses"))
        return begin_phase_two(placed), happened + bonuses


# --- option C: a black card and a commissioner -----------------------------------------------------------------------


class TakeBlackCardRule(BareRule[State, moves.TakeBlackCard]):
    """Takes a black card, if there is one, and then moves a commissioner."""

    rules = ("fifth-avenue.option-c.draw", "fifth-avenue.cards.no-black")

    def play(self, state: State, move: moves.TakeBlackCard) -> Played[State]:
        return draw_black_cards(state, 1, (move.seat,)), [events.OptionChosen(move.seat, "C")]


class DrawBlackCardRule(ChanceRule[State, moves.DealCard]):
    """Options C and D: black cards from the pile, hidden from the others."""

    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return next_cards(state, BLACK)

    def sole_witness(self, state: State) -> int:
        return stage_of(state, stages.DrawBlackCard).seats[0]

    def play(self, state: State, move: moves.DealCard) -> Played[State]:
        stage = stage_of(state, stages.DrawBlackCard)
        seat, *rest = stage.seats
        hand = gain_closed(state.seats[seat].hand, move.card, BLACK)
        drawn, shuffle = reshuffle_if_empty(replace(state, seats=with_seat(state, seat, hand=hand)))
        after = draw_black_cards(drawn, stage.phase, tuple(rest))
        return after, [events.CardDealt(seat, BLACK), *shuffle]


# --- option D: scoring a district ------------------------------------------------------------------------------------


def districts_to_score(state: State) -> list[str]:
    """The open districts with a commissioner."""
    spaces = dict.fromkeys([state.commissioners[colour] for colour in COMMISSIONERS])
    return [space for space in spaces if space in DISTRICTS and state.districts[space] is not None]


class ScoreDistrictRule(SureRule[State, moves.ScoreDistrict]):
    """Scores a district with a commissioner, for all owners."""

    def unavailable(self, state: State) -> Refusal | None:
        if not districts_to_score(state):
            return refuse("fifth-avenue.scoring.no-commissioner", "/type")
        return None

    def refusal(self, state: State, move: moves.ScoreDistrict) -> Refusal | None:
        if state.districts[move.district] is None:
            return refuse("fifth-avenue.stop.closed", "/district", district=move.district)
        if move.district not in state.commissioners.values():
            return refuse("fifth-avenue.scoring.commissioner", "/district", district=move.district)
        return None

    def candidates(self, state: State) -> Iterable[moves.ScoreDistrict]:
        return [moves.ScoreDistrict(state.active_seat, district) for district in districts_to_score(state)]

    def play(self, state: State, move: moves.ScoreDistrict) -> Played[State]:
        seats, scored = score_district(state, move.district)
        drawing = seats_that_draw(move.seat, len(seats), state.districts.known_open(move.district))
        chosen = events.OptionChosen(move.seat, "D")
        return draw_black_cards(replace(state, seats=seats), 2, drawing), [chosen, *scored]


@enforces("fifth-avenue.scoring.draw")
def seats_that_draw(seat: int, players: int, scored: District) -> tuple[int, ...]:
    """Who draws black cards after `seat` has scored a district: they twice, then everybody without a building there."""
    clockwise = [(seat + steps) % players for steps in range(players)]
    return (seat, seat, *[other for other in clockwise if not has_building(scored, other)])


# --- phase 2: two coloured cards -------------------------------------------------------------------------------------


class TakeCardsRule(SureRule[State, moves.TakeCards]):
    """Takes the visible cards of two different piles, or one if only one pile is left."""

    def candidates(self, state: State) -> Iterable[moves.TakeCards]:
        colours = sorted(piles_with_top(state))
        return [moves.TakeCards(state.active_seat, taken) for taken in combinations(colours, cards_to_take(state))]

    def refusal(self, state: State, move: moves.TakeCards) -> Refusal | None:
        for index, colour in enumerate(move.colours):
            if colour not in piles_with_top(state):
                return refuse("fifth-avenue.cards.exhausted", f"/colours/{index}", colour=colour)
        if len(set(move.colours)) < len(move.colours):
            return refuse("fifth-avenue.cards.different", "/colours", colour=move.colours[0])
        number, needed = len(move.colours), cards_to_take(state)
        if number != needed:
            return refuse("fifth-avenue.cards.number", "/colours", number=number, needed=needed)
        return None

    def play(self, state: State, move: moves.TakeCards) -> Played[State]:
        piles, cards, waiting = take_tops(state, move.colours)
        seats = with_seat(state, move.seat, hand=gain_open(state.seats[move.seat].hand, cards))
        stage = stages.RevealTop() if waiting else stages.MoveCommissioner(3)
        return replace(state, seats=seats, piles=piles, stage=stage), [events.CardsTaken(move.seat, cards)]


def cards_to_take(state: State) -> int:
    """Two coloured cards, if two piles have one."""
    return min(2, len(piles_with_top(state)))


class RevealTopRule(RevealTopsRule):
    """The next card of a pile becomes visible."""

    rules = ("fifth-avenue.cards.top", "fifth-avenue.cards.reveal")
    following = stages.MoveCommissioner(3)


# --- phase 3, and 1 of option C: a commissioner ----------------------------------------------------------------------


def exits(space: str, closed: Collection[str]) -> tuple[str, ...]:
    """The spaces one move from `space`; a closed district is replaced by its exits."""
    found: dict[str, None] = {}
    for following in ROUTES[space]:
        found.update(dict.fromkeys(exits(following, closed) if following in closed else (following,)))
    return tuple(found)


class MoveCommissionerRule(SureRule[State, moves.MoveCommissioner]):
    """Moves one space forward, skipping closed districts; from Central Park to City Hall, which starts auctions."""

    rules = (
        "fifth-avenue.map.markers",
        "fifth-avenue.map.skipping",
        "fifth-avenue.turn.interrupted",
        "fifth-avenue.auction.city-hall",
    )

    def candidates(self, state: State) -> Iterable[moves.MoveCommissioner]:
        closed = state.districts.closed
        return [
            moves.MoveCommissioner(state.active_seat, colour, to)
            for colour in COMMISSIONERS
            for to in exits(state.commissioners[colour], closed)
        ]

    def refusal(self, state: State, move: moves.MoveCommissioner) -> Refusal | None:
        space, closed = state.commissioners[move.commissioner], state.districts.closed
        if move.to in closed:
            return refuse("fifth-avenue.stop.closed", "/to", district=move.to)
        allowed = exits(space, closed)
        if move.to not in allowed:
            return refuse("fifth-avenue.map.exits", "/to", space=space, to=move.to, allowed=allowed)
        return None

    def play(self, state: State, move: moves.MoveCommissioner) -> Played[State]:
        phase, colour = stage_of(state, stages.MoveCommissioner).phase, move.commissioner
        space = state.commissioners[colour]
        moved = replace(state, commissioners={**state.commissioners, colour: move.to})
        happened: list[Event] = [events.CommissionerMoved(move.seat, colour, space, move.to)]
        if space in DISTRICTS and state.districts[space] is not None:
            moved = replace(moved, markers={**state.markers, colour: plus(state.markers[colour], (space,))})
            happened.append(events.MarkerPlaced(colour, space))
        if move.to == CITY_HALL:
            return then(happened, open_auction(moved, phase, colour))
        return continue_turn(moved, phase), happened


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS = (
    SeatDecision(
        stages.ChooseOption, (TakeBuildingsRule(), PlaceBusinessRule(), TakeBlackCardRule(), ScoreDistrictRule())
    ),
    ChanceDecision(stages.DrawBlackCard, DrawBlackCardRule()),
    SeatDecision(stages.TakeCards, (TakeCardsRule(),)),
    ChanceDecision(stages.RevealTop, RevealTopRule()),
    SeatDecision(stages.MoveCommissioner, (MoveCommissionerRule(),)),
)
