"""A turn: the four options, coloured cards, a commissioner."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import (
    BareRule,
    ChanceDecision,
    ChanceRule,
    ListedSource,
    MappedMoves,
    MoveRule,
    Moves,
    Played,
    SeatDecision,
    SureRule,
    stage_of,
    then,
)
from capomastro.engine.events import Event
from capomastro.engine.hands import gain_closed, gain_open
from capomastro.engine.multisets import Multiset, kinds, minus, plus
from capomastro.engine.refusals import Refusal, enforces, refuse
from capomastro.engine.seats import replaced, with_seat
from capomastro.games.fifth_avenue import events, moves, stages
from capomastro.games.fifth_avenue.components import BLACK, BUILDINGS_TAKEN, CITY_HALL, COMMISSIONERS, PLACED_AT_END
from capomastro.games.fifth_avenue.decisions.auctions import auction_opened
from capomastro.games.fifth_avenue.decisions.end import game_ended
from capomastro.games.fifth_avenue.decisions.phases import black_cards_drawn, phase_two, turn_resumed
from capomastro.games.fifth_avenue.decisions.setup import RevealTopsRule, refuse_no_lot
from capomastro.games.fifth_avenue.lots import District, Lot, accepts_business, has_building
from capomastro.games.fifth_avenue.piles import next_cards, piles_with_top, reshuffled_if_empty, tops_taken
from capomastro.games.fifth_avenue.routes import exits
from capomastro.games.fifth_avenue.scoring import bonus_scored, district_scored
from capomastro.games.fifth_avenue.state import State
from capomastro.games.fifth_avenue.supplies import active_group, businesses_placed, common_supply

# --- option A: buildings ---------------------------------------------------------------------------------------------


class TakeBuildingsRule(BareRule[State, moves.TakeBuildings]):
    """Takes three buildings, or as many as are left, from the common supply into the reserve."""

    rules = ("fifth-avenue.option-a.threes",)

    def unavailable(self, state: State) -> Refusal | None:
        if not common_supply(state, state.active_seat):
            return refuse("fifth-avenue.option-a.supply", "/type", seat=state.active_seat)
        return None

    def play(self, state: State, move: moves.TakeBuildings) -> Played[State]:
        taken = min(BUILDINGS_TAKEN, common_supply(state, move.seat))
        seats = with_seat(state, move.seat, reserve=state.seats[move.seat].reserve + taken)
        chosen, got = events.OptionChosen(move.seat, "A"), events.BuildingsTaken(move.seat, taken)
        return phase_two(replace(state, seats=seats)), [chosen, got]


# --- option B: a business --------------------------------------------------------------------------------------------


class Placements(Moves):
    """Every lot, with its district, with every one of some businesses; exists for speed, instead of paired moves."""

    def __init__(self, seat: int, lots: Sequence[tuple[str, str]], businesses: Multiset) -> None:
        self.seat = seat
        self.lots = lots
        self.businesses = businesses
        self.total = len(lots) * len(businesses)

    def pick(self, index: int) -> moves.PlaceBusiness:
        place, business = divmod(index, len(self.businesses))
        return moves.PlaceBusiness(self.seat, self.businesses[business], *self.lots[place])

    def starting_at(self, index: int) -> Iterator[moves.PlaceBusiness]:
        seat, businesses = self.seat, self.businesses
        every = [
            moves.PlaceBusiness(seat, business, district, lot) for district, lot in self.lots for business in businesses
        ]
        return iter(every[index:])


class PlaceBusinessRule(MoveRule[State, moves.PlaceBusiness]):
    """Places a tile from the active group on a lot that is empty or has a single business."""

    rules = ("fifth-avenue.business.row", "fifth-avenue.map.two-businesses")

    def unavailable(self, state: State) -> Refusal | None:
        if not state.districts.accepting:
            return refuse("fifth-avenue.business.no-lot", "/type")
        return None

    def refusal(self, state: State, move: moves.PlaceBusiness) -> Refusal | None:
        group = active_group(state)
        if move.business not in state.row[group]:
            there = tuple(kinds(state.row[group]))
            return refuse("fifth-avenue.business.active-group", "/business", business=move.business, active_group=there)
        if refusal := refuse_no_lot(state, move.district, move.lot):
            return refusal
        lot = state.districts.known_open(move.district)[move.lot]
        if not accepts_business(lot):
            return refuse("fifth-avenue.business.lot", "/lot", businesses=len(lot.businesses), buildings=lot.buildings)
        return None

    def offered(self, state: State) -> Moves:
        """Every lot that accepts a business, with every tile; counted because lists are long."""
        return Placements(state.active_seat, state.districts.accepting, kinds(state.row[active_group(state)]))

    def play(self, state: State, move: moves.PlaceBusiness) -> Played[State]:
        group = active_group(state)
        rest = minus(state.row[group], (move.business,))
        district = state.districts.known_open(move.district)
        lot = Lot(plus(district[move.lot].businesses, (move.business,)))
        under = state.under_central_park
        happened: list[Event] = [
            events.OptionChosen(move.seat, "B"),
            events.BusinessPlaced(move.seat, move.business, move.district, move.lot),
        ]
        if len(rest) == 1:
            under, last = plus(under, rest), rest[0]
            rest = ()
            happened.append(events.BusinessUnderCentralPark(last, "fifth-avenue.business.last-tile"))
        row = replaced(state.row, group, rest)
        number = businesses_placed(row)
        seats, points = bonus_scored(state, number)
        placed = replace(
            state,
            seats=seats,
            districts=state.districts.with_district(move.district, district.with_lot(move.lot, lot)),
            row=row,
            under_central_park=under,
        )
        if number == PLACED_AT_END:
            return then(happened, game_ended(placed, "fifth-avenue.end.businesses"))
        return phase_two(placed), happened + points


# --- option C: a black card and a commissioner -----------------------------------------------------------------------


class TakeBlackCardRule(BareRule[State, moves.TakeBlackCard]):
    """Takes a black card, if there is one, and then moves a commissioner."""

    rules = ("fifth-avenue.option-c.draw", "fifth-avenue.cards.no-black")

    def play(self, state: State, move: moves.TakeBlackCard) -> Played[State]:
        return black_cards_drawn(state, 1, (move.seat,)), [events.OptionChosen(move.seat, "C")]


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
        drawn, shuffle = reshuffled_if_empty(replace(state, seats=with_seat(state, seat, hand=hand)))
        after = black_cards_drawn(drawn, stage.phase, tuple(rest))
        return after, [events.CardDealt(seat, BLACK), *shuffle]


# --- option D: scoring a district ------------------------------------------------------------------------------------


def districts_to_score(state: State) -> list[str]:
    """The open districts with a commissioner."""
    districts = state.districts.facts.districts
    spaces = dict.fromkeys([state.commissioners[colour] for colour in COMMISSIONERS])
    return [space for space in spaces if districts.get(space)]


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
        seats, scored = district_scored(state, move.district)
        drawing = seats_that_draw(move.seat, len(seats), state.districts.known_open(move.district))
        chosen = events.OptionChosen(move.seat, "D")
        return black_cards_drawn(replace(state, seats=seats), 2, drawing), [chosen, *scored]


@enforces("fifth-avenue.scoring.draw")
def seats_that_draw(seat: int, players: int, scored: District) -> tuple[int, ...]:
    """Who draws black cards after `seat` has scored a district: they twice, then everybody without a building there."""
    clockwise = [(seat + steps) % players for steps in range(players)]
    return (seat, seat, *(each for each in clockwise if not has_building(scored, each)))


# --- phase 2: two coloured cards -------------------------------------------------------------------------------------


class TakeCardsRule(MoveRule[State, moves.TakeCards]):
    """Takes the visible cards of two different piles, or one if only one pile is left."""

    def refusal(self, state: State, move: moves.TakeCards) -> Refusal | None:
        there = piles_with_top(state)
        for index, colour in enumerate(move.colours):
            if colour not in there:
                return refuse("fifth-avenue.cards.exhausted", f"/colours/{index}", colour=colour)
        if len(set(move.colours)) < len(move.colours):
            return refuse("fifth-avenue.cards.different", "/colours", colour=move.colours[0])
        needed = min(2, len(there))
        if len(move.colours) != needed:
            return refuse("fifth-avenue.cards.number", "/colours", number=len(move.colours), needed=needed)
        return None

    def offered(self, state: State) -> Moves:
        """Pairs of piles with a card, computed once: there are few, and this decision occurs in every turn."""
        pairs = pairs_of(tuple(piles_with_top(state)))
        return MappedMoves(pairs, partial(moves.TakeCards, state.active_seat))

    def play(self, state: State, move: moves.TakeCards) -> Played[State]:
        piles, cards, face_down = tops_taken(state, move.colours)
        seats = with_seat(state, move.seat, hand=gain_open(state.seats[move.seat].hand, cards))
        stage = stages.RevealTop() if face_down else stages.MoveCommissioner(3)
        taken = replace(state, seats=seats, piles=piles, stage=stage)
        return taken, [events.CardsTaken(move.seat, cards)]


@lru_cache(maxsize=64)
def pairs_of(colours: tuple[str, ...]) -> ListedSource:
    return ListedSource(tuple(combinations(sorted(colours), min(2, len(colours)))))


class RevealTopRule(RevealTopsRule):
    """The next card of a pile becomes visible."""

    rules = ("fifth-avenue.cards.top", "fifth-avenue.cards.reveal")
    following = stages.MoveCommissioner(3)


# --- phase 3, and 1 of option C: a commissioner ----------------------------------------------------------------------


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
        space = state.commissioners[move.commissioner]
        allowed = exits(space, state.districts.closed)
        if move.to not in allowed:
            if move.to in state.districts.closed:
                return refuse("fifth-avenue.stop.closed", "/to", district=move.to)
            return refuse("fifth-avenue.map.exits", "/to", space=space, to=move.to, allowed=tuple(allowed))
        return None

    def play(self, state: State, move: moves.MoveCommissioner) -> Played[State]:
        phase, colour = stage_of(state, stages.MoveCommissioner).phase, move.commissioner
        space = state.commissioners[colour]
        moved = replace(state, commissioners={**state.commissioners, colour: move.to})
        happened: list[Event] = [events.CommissionerMoved(move.seat, colour, space, move.to)]
        if state.districts.at(space) is not None:
            moved = replace(moved, markers={**state.markers, colour: plus(state.markers[colour], (space,))})
            happened.append(events.MarkerPlaced(colour, space))
        if move.to == CITY_HALL:
            return then(happened, auction_opened(moved, phase, colour))
        return turn_resumed(moved, phase), happened


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
