"""Every decision of Fifth Avenue, in the order of the rulebook: set-up, turns, auctions, the building stop, the end.

Each has legal moves, refusals and effects; the table of all of them is at the end.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import chain, combinations, product
from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from capomastro.engine.auctions import cards_of, drop_out, lay
from capomastro.engine.cards import DealHandsRule
from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.events import Effect, Event, with_earlier_events
from capomastro.engine.hands import gain_closed, gain_open
from capomastro.engine.moves import Moves
from capomastro.engine.multisets import Multiset, kinds, minus, multiset, plus
from capomastro.engine.piles import without_revealed
from capomastro.engine.refusals import Refusal, implements, refuse
from capomastro.engine.rules import Amount, BareRule, ChanceRule, CountedRule, MoveRule, SureRule
from capomastro.engine.seats import clockwise, next_seat, replaced, with_seat
from capomastro.engine.sources import Listed, Mapped, Paired
from capomastro.engine.stages import GameOver, Stage, deciding_seat, stage_of
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import events, lots, moves, stages, supplies, tokens
from capomastro.games.fifth_avenue.bids import bids_from, cards_worth_most, colours_of, limit_of, worth
from capomastro.games.fifth_avenue.lots import District, Lot, Owner
from capomastro.games.fifth_avenue.scoring import points_of_a_building, score_bonus, score_district, score_stop
from capomastro.games.fifth_avenue.state import Pile, State

# --- set-up: businesses -----------------------------------------------------------------------------------------------


class DrawTileRule(ChanceRule[State, moves.DrawBusiness]):
    """The next of the face-down tiles."""

    refuses = "fifth-avenue.draw.business"

    def outcomes(self, state: State) -> Outcomes:
        return supplies.businesses(state).next_cards()


class DrawStartingBusinessRule(DrawTileRule):
    """A tile for every district, which has a fixed lot on the board with six lots."""

    rules = ("fifth-avenue.setup.starting-business", "fifth-avenue.setup.starting-lot", "fifth-avenue.setup.order")

    def play(self, state: State, move: moves.DrawBusiness) -> Effect[State]:
        if state.options.six_lots:
            return lay_business(state, move.business, box.COLOURLESS)
        drawn = replace(state, stage=stages.DrawStartingLot(move.business))
        return drawn, [events.BusinessDrawn(move.business, district=next_district(state))]


def next_district(state: State) -> str:
    """The district whose starting business is drawn: in their order, after one move each, or two for tile and lot."""
    return box.DISTRICTS[state.ply // (1 if state.options.six_lots else 2)]


def lay_business(state: State, business: str, lot: str) -> Effect[State]:
    name = next_district(state)
    districts = state.districts.with_lot(name, lot, Lot((business,)))
    following = stages.DrawRowBusiness() if name == box.DISTRICTS[-1] else stages.DrawStartingBusiness()
    return replace(state, districts=districts, stage=following), [events.StartingBusinessLaid(business, name, lot)]


Used = tuple[int, ...]
"""How many starting businesses are on lots of each colour, in the order of the colours."""


def colours_used(state: State) -> Used:
    """The number of starting businesses on lots of each colour."""
    used = [colour for _, district in state.districts.open for colour in lots.business_lots(district)]
    return tuple([used.count(colour) for colour in box.COLOURS])


def with_one_more(used: Used) -> dict[str, Used]:
    """`used` after one more starting business, by the colour of its lot, in ascending order."""
    places = [(colour, box.COLOURS.index(colour)) for colour in sorted(box.COLOURS)]
    return {
        colour: replaced(used, place, used[place] + 1)
        for colour, place in places
        if used[place] < box.MAXIMUM_PER_COLOUR
    }


def count_completions(fewest: int) -> dict[Used, int]:
    """The ways to fill the rest of the seven districts: no colour more than twice, each at least `fewest` times."""
    completions: dict[Used, int] = {}
    for used in sorted(product(range(box.MAXIMUM_PER_COLOUR + 1), repeat=len(box.COLOURS)), key=sum, reverse=True):
        is_complete = sum(used) == len(box.DISTRICTS) and min(used) >= fewest
        completions[used] = int(is_complete) or sum([completions[after] for after in with_one_more(used).values()])
    return completions


WITH_EVERY_COLOUR = count_completions(fewest=1)
WITH_ANY_COLOURS = count_completions(fewest=0)


def lot_weights(used: Used) -> dict[str, int]:
    """For every colour that may still be used, the arrangements of the rest: those with every colour, if possible."""
    completions = WITH_EVERY_COLOUR if WITH_EVERY_COLOUR[used] else WITH_ANY_COLOURS
    return {colour: completions[after] for colour, after in with_one_more(used).items()}


LOT_WEIGHTS = {used: lot_weights(used) for used in WITH_ANY_COLOURS}


class DrawStartingLotRule(ChanceRule[State, moves.DrawLot]):
    """Its lot: no colour is used more than twice; our own draws use every colour."""

    rules = ("fifth-avenue.setup.starting-lot", "fifth-avenue.setup.order")
    refuses = "fifth-avenue.setup.lot-colours"

    def outcomes(self, state: State) -> Outcomes:
        return Outcomes(LOT_WEIGHTS[colours_used(state)])

    def play(self, state: State, move: moves.DrawLot) -> Effect[State]:
        return lay_business(state, stage_of(state, stages.DrawStartingLot).business, move.lot)


class DrawRowBusinessRule(DrawTileRule):
    """Twenty tiles are laid out group by group."""

    rules = ("fifth-avenue.setup.row-groups", "fifth-avenue.setup.order")

    def play(self, state: State, move: moves.DrawBusiness) -> Effect[State]:
        group = next(group for group, size in enumerate(state.options.row_groups) if len(state.row[group]) < size)
        tiles = plus(state.row[group], (move.business,))
        full = group == box.GROUPS - 1 and len(tiles) == state.options.row_groups[group]
        laid_out = replace(
            state, row=replaced(state.row, group, tiles), stage=stages.DealCard() if full else state.stage
        )
        return laid_out, [events.BusinessDrawn(move.business, group=group)]


# --- set-up: cards ----------------------------------------------------------------------------------------------------


class DealCardRule(DealHandsRule[State, moves.DealCard]):
    """Every seat in turn gets one card of each colour and four black ones."""

    rules = (
        "fifth-avenue.setup.hand",
        "fifth-avenue.setup.order",
        "fifth-avenue.setup.secret",
        "fifth-avenue.cards.secret",
    )
    refuses = "fifth-avenue.draw.card"
    hand_size = box.HAND_SIZE
    following = stages.RevealFirstTop()

    def outcomes(self, state: State) -> Outcomes:
        return supplies.face_down_pile(state, self.pile(state, self.sole_witness(state))).next_cards()

    def pile(self, state: State, seat: int) -> str:
        return box.DEALT_PILES[state.seats[seat].hand.size]

    def dealt(self, seat: int, pile: str) -> events.CardDealt:
        return events.CardDealt(seat, pile)


class RevealTopsRule(ChanceRule[State, moves.RevealCard]):
    """The next card of the first coloured pile without a visible one; the stage `following` comes after the last."""

    refuses = "fifth-avenue.draw.card"
    following: Stage

    def outcomes(self, state: State) -> Outcomes:
        pile = supplies.pile_to_reveal(state)
        assert pile is not None
        return pile.next_cards()

    def play(self, state: State, move: moves.RevealCard) -> Effect[State]:
        colour = box.pile_of(move.card)
        revealed = replace(state, piles={**state.piles, colour: Pile(move.card, state.piles[colour].discards)})
        if supplies.pile_to_reveal(revealed) is None:
            revealed = replace(revealed, stage=self.following)
        return revealed, [events.CardRevealed(move.card)]


class RevealFirstTopRule(RevealTopsRule):
    """The top card of each coloured pile is turned up."""

    rules = ("fifth-avenue.setup.order", "fifth-avenue.cards.top")
    following = stages.PlaceFirstBuilding()


# --- set-up: first buildings ------------------------------------------------------------------------------------------


def first_buildings(state: State) -> int:
    """The number of first buildings placed."""
    return sum(lots.buildings_on(state.districts).values())


def order_of_builders(players: int) -> list[int]:
    """Seat 0, then counter-clockwise; the second buildings in reverse order."""
    order = [-steps % players for steps in range(players)]
    return order + order[::-1]


def first_builder(state: State) -> int:
    """The seat that places the next of the first buildings."""
    return order_of_builders(len(state.seats))[first_buildings(state)]


def why_not_on_lot(state: State, name: str, colour: str) -> Refusal | None:
    """Why there is no such lot: its district is closed, or it is on the other side of the board."""
    district = state.districts[name]
    if district is None:
        return refuse("fifth-avenue.stop.closed", "/district", district=name)
    if colour not in dict(district.lots):
        return refuse("fifth-avenue.map.lots", "/lot", lot=colour)
    return None


class PlaceFirstBuildingRule(SureRule[State, moves.PlaceFirstBuilding]):
    """Places a building on an empty coloured lot; the second one goes in another district."""

    rules = ("fifth-avenue.setup.first-buildings", "fifth-avenue.setup.order")

    def candidates(self, state: State) -> Sequence[moves.PlaceFirstBuilding]:
        seat = first_builder(state)
        return [
            moves.PlaceFirstBuilding(seat, name, lot)
            for name, district in state.districts.open
            if not lots.has_building(district, seat)
            for lot in lots.empty_lots(district)
        ]

    def refusal(self, state: State, move: moves.PlaceFirstBuilding) -> Refusal | None:
        if refusal := why_not_on_lot(state, move.district, move.lot):
            return refusal
        district = state.districts.known_open(move.district)
        if move.lot not in lots.empty_lots(district):
            return refuse("fifth-avenue.setup.free-lot", "/lot", lot=move.lot, district=move.district)
        if lots.has_building(district, move.seat):
            return refuse("fifth-avenue.setup.other-district", "/district", district=move.district)
        return None

    def play(self, state: State, move: moves.PlaceFirstBuilding) -> Effect[State]:
        districts = state.districts.with_lot(move.district, move.lot, Lot(owner=move.seat, buildings=1))
        placed = replace(state, districts=districts)
        if first_buildings(placed) == box.FIRST_BUILDINGS * len(state.seats):
            placed = replace(placed, stage=stages.ChooseOption())
        return placed, [events.Built(move.seat, move.district, move.lot, 1)]


# --- option A: buildings ---------------------------------------------------------------------------------------------


class TakeBuildingsRule(BareRule[State, moves.TakeBuildings]):
    """Takes three buildings, or as many as are left, from the common supply into the reserve."""

    rules = ("fifth-avenue.option-a.threes",)

    def why_unavailable(self, state: State) -> Refusal | None:
        if not supplies.common_supplies(state)[state.active_seat]:
            return refuse("fifth-avenue.option-a.supply", "/type", seat=state.active_seat)
        return None

    def play(self, state: State, move: moves.TakeBuildings) -> Effect[State]:
        number = min(box.BUILDINGS_TAKEN, supplies.common_supplies(state)[move.seat])
        seats = with_seat(state, move.seat, reserve=state.seats[move.seat].reserve + number)
        happened: list[Event] = [events.OptionChosen(move.seat, "A"), events.BuildingsTaken(move.seat, number)]
        return begin_phase_two(replace(state, seats=seats)), happened


# --- option B: a business --------------------------------------------------------------------------------------------


class PlaceBusinessRule(CountedRule[State, moves.PlaceBusiness]):
    """Places a tile from the active group on a lot that is empty or has a single business."""

    rules = ("fifth-avenue.business.row", "fifth-avenue.map.two-businesses")

    def why_unavailable(self, state: State) -> Refusal | None:
        if not state.districts.lots_for_business:
            return refuse("fifth-avenue.business.no-lot", "/type")
        return None

    def offered(self, state: State) -> Moves:
        """Every business of the active group on every lot that accepts one, counted.

        Listed, they make a random game take 7 % more instructions (2026-11-28).
        """
        seat, businesses = state.active_seat, kinds(state.row[supplies.active_group(state)])
        return Paired(
            Listed(state.districts.lots_for_business, ("district", "lot")),
            Listed(businesses, "business"),
            lambda lot, business: moves.PlaceBusiness(seat, business, *lot),
        )

    def refusal(self, state: State, move: moves.PlaceBusiness) -> Refusal | None:
        tile, active = move.business, kinds(state.row[supplies.active_group(state)])
        if tile not in active:
            return refuse("fifth-avenue.business.active-group", "/business", business=tile, active_group=active)
        if refusal := why_not_on_lot(state, move.district, move.lot):
            return refusal
        if (move.district, move.lot) not in state.districts.lots_for_business:
            lot = state.districts.known_open(move.district)[move.lot]
            return refuse("fifth-avenue.business.lot", "/lot", businesses=len(lot.businesses), buildings=lot.buildings)
        return None

    def play(self, state: State, move: moves.PlaceBusiness) -> Effect[State]:
        group, under = supplies.active_group(state), state.under_central_park
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
        number = supplies.businesses_placed(row)
        seats, bonuses = score_bonus(state, number)
        districts = state.districts.with_lot(move.district, move.lot, Lot(plus(lot.businesses, (move.business,))))
        placed = replace(state, seats=seats, districts=districts, row=row, under_central_park=under)
        if number == box.PLACED_AT_END:
            return with_earlier_events(happened, end_game(placed, "fifth-avenue.end.businesses"))
        return begin_phase_two(placed), happened + bonuses


# --- option C: a black card and a commissioner -----------------------------------------------------------------------


class TakeBlackCardRule(BareRule[State, moves.TakeBlackCard]):
    """Takes a black card, if there is one, and then moves a commissioner."""

    rules = ("fifth-avenue.option-c.draw", "fifth-avenue.cards.no-black")

    def play(self, state: State, move: moves.TakeBlackCard) -> Effect[State]:
        return draw_black_cards(state, phase=1, seats=(move.seat,)), [events.OptionChosen(move.seat, "C")]


Drawing = TypeVar("Drawing", moves.DealCard, moves.TurnCard)


class BlackPileRule(ChanceRule[State, Drawing]):
    """The next card of the black pile."""

    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return supplies.face_down_pile(state, box.BLACK).next_cards()


class DrawBlackCardRule(BlackPileRule[moves.DealCard]):
    """Options C and D: black cards from the pile, hidden from the others."""

    def sole_witness(self, state: State) -> int:
        return stage_of(state, stages.DrawBlackCard).seats[0]

    def play(self, state: State, move: moves.DealCard) -> Effect[State]:
        stage = stage_of(state, stages.DrawBlackCard)
        seat, *rest = stage.seats
        hand = gain_closed(state.seats[seat].hand, move.card, box.BLACK)
        gained = replace(state, seats=with_seat(state, seat, hand=hand))
        drawn, shuffle = supplies.reshuffle_if_empty(gained)
        return draw_black_cards(drawn, stage.phase, tuple(rest)), [events.CardDealt(seat, box.BLACK), *shuffle]


# --- option D: scoring a district ------------------------------------------------------------------------------------


class ScoreDistrictRule(MoveRule[State, moves.ScoreDistrict]):
    """Scores a district with a commissioner, for all owners."""

    def candidates(self, state: State) -> Sequence[moves.ScoreDistrict]:
        spaces = dict.fromkeys([state.commissioners[colour] for colour in box.COMMISSIONERS])
        return [moves.ScoreDistrict(state.active_seat, space) for space in spaces if space in box.DISTRICTS]

    def refusal(self, state: State, move: moves.ScoreDistrict) -> Refusal | None:
        if state.districts[move.district] is None:
            return refuse("fifth-avenue.stop.closed", "/district", district=move.district)
        if move.district not in state.commissioners.values():
            return refuse("fifth-avenue.scoring.commissioner", "/district", district=move.district)
        return None

    def why_none(self, state: State) -> Refusal:
        return refuse("fifth-avenue.scoring.no-commissioner", "/type")

    def play(self, state: State, move: moves.ScoreDistrict) -> Effect[State]:
        seats, scored = score_district(state, move.district)
        drawing = seats_that_draw(state, move.seat, state.districts.known_open(move.district))
        chosen = events.OptionChosen(move.seat, "D")
        return draw_black_cards(replace(state, seats=seats), phase=2, seats=drawing), [chosen, *scored]


@implements("fifth-avenue.scoring.draw")
def seats_that_draw(state: State, seat: int, scored: District) -> tuple[int, ...]:
    """Who draws black cards after `seat` has scored a district: they twice, then everybody without a building there."""
    return (seat, seat, *[rival for rival in clockwise(state.seats, seat) if not lots.has_building(scored, rival)])


# --- phase 2: two coloured cards -------------------------------------------------------------------------------------


class TakeCardsRule(SureRule[State, moves.TakeCards]):
    """Takes the visible cards of two different piles, or one if only one pile is left."""

    def candidates(self, state: State) -> Sequence[moves.TakeCards]:
        colours = sorted(supplies.piles_with_top(state))
        return [moves.TakeCards(state.active_seat, taken) for taken in combinations(colours, cards_to_take(colours))]

    def refusal(self, state: State, move: moves.TakeCards) -> Refusal | None:
        with_top = supplies.piles_with_top(state)
        for index, colour in enumerate(move.colours):
            if colour not in with_top:
                return refuse("fifth-avenue.cards.exhausted", f"/colours/{index}", colour=colour)
        if len(set(move.colours)) < len(move.colours):
            return refuse("fifth-avenue.cards.different", "/colours", colour=move.colours[0])
        if (number := len(move.colours)) != (needed := cards_to_take(with_top)):
            return refuse("fifth-avenue.cards.number", "/colours", number=number, needed=needed)
        return None

    def play(self, state: State, move: moves.TakeCards) -> Effect[State]:
        cards = tuple([top for colour in box.COLOURS if colour in move.colours and (top := state.piles[colour].top)])
        waiting = [colour for colour in move.colours if supplies.cards_in_pile(state, colour)]
        bare = {colour: Pile(None, state.piles[colour].discards) for colour in move.colours}
        shown = {colour: supplies.show_discard(pile) for colour, pile in bare.items() if colour not in waiting}
        stage = stages.RevealTop() if waiting else stages.MoveCommissioner(phase=3)
        seats = with_seat(state, move.seat, hand=gain_open(state.seats[move.seat].hand, cards))
        piles = {**state.piles, **bare, **shown}
        return replace(state, seats=seats, piles=piles, stage=stage), [events.CardsTaken(move.seat, cards)]


def cards_to_take(piles_with_top: Sequence[str]) -> int:
    """Two coloured cards, if two piles have one."""
    return min(box.CARDS_TAKEN, len(piles_with_top))


class RevealTopRule(RevealTopsRule):
    """The next card of a pile becomes visible."""

    rules = ("fifth-avenue.cards.top", "fifth-avenue.cards.reveal")
    following = stages.MoveCommissioner(phase=3)


# --- phase 3, and 1 of option C: a commissioner ----------------------------------------------------------------------


def exits(space: str, closed: Collection[str]) -> tuple[str, ...]:
    """The spaces one move from `space`; a closed district is replaced by its exits."""
    reached = [exits(following, closed) if following in closed else (following,) for following in box.ROUTES[space]]
    return tuple(dict.fromkeys(chain.from_iterable(reached)))


class MoveCommissionerRule(SureRule[State, moves.MoveCommissioner]):
    """Moves one space forward, skipping closed districts; from Central Park to City Hall, which starts auctions."""

    rules = (
        "fifth-avenue.map.markers",
        "fifth-avenue.map.one-marker",
        "fifth-avenue.map.skipping",
        "fifth-avenue.turn.interrupted",
        "fifth-avenue.auction.city-hall",
    )

    def candidates(self, state: State) -> Sequence[moves.MoveCommissioner]:
        closed = state.districts.closed
        return [
            moves.MoveCommissioner(state.active_seat, colour, to)
            for colour in box.COMMISSIONERS
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

    def play(self, state: State, move: moves.MoveCommissioner) -> Effect[State]:
        phase, colour = stage_of(state, stages.MoveCommissioner).phase, move.commissioner
        space = state.commissioners[colour]
        moved = replace(state, commissioners={**state.commissioners, colour: move.to})
        happened: list[Event] = [events.CommissionerMoved(move.seat, colour, space, move.to)]
        if space in box.DISTRICTS and state.districts[space] is not None:
            moved = replace(moved, markers={**state.markers, colour: plus(state.markers[colour], (space,))})
            happened.append(events.MarkerPlaced(colour, space))
        if move.to == box.CITY_HALL:
            return with_earlier_events(happened, open_auction(moved, phase, colour))
        return continue_turn(moved, phase), happened


# --- the course of a turn ---------------------------------------------------------------------------------------------


def draw_black_cards(state: State, phase: Literal[1, 2], seats: tuple[int, ...]) -> State:
    """Draws black cards for `seats` in turn, while there are any; then a commissioner is moved."""
    if seats and supplies.cards_in_pile(state, box.BLACK):
        return replace(state, stage=stages.DrawBlackCard(phase, seats))
    return replace(state, stage=stages.MoveCommissioner(phase=1 if phase == 1 else 3))


def begin_phase_two(state: State) -> State:
    """Options A, B, C: two coloured cards; if there is no card to take, the turn continues."""
    return replace(state, stage=stages.TakeCards() if supplies.piles_with_top(state) else stages.MoveCommissioner(3))


def continue_turn(state: State, phase: Literal[1, 3]) -> State:
    """Goes on after the phase in which a commissioner was moved: after phase 3, the next player clockwise chooses."""
    if phase == 1:
        return begin_phase_two(state)
    return replace(state, active_seat=next_seat(state, state.active_seat), stage=stages.ChooseOption())


# --- auctions: what is put up -----------------------------------------------------------------------------------------


@implements("fifth-avenue.auction.order")
def auctioned(state: State) -> str:
    """The place of the leftmost marker of the commissioner (a column has one at most); at last, Central Park."""
    markers = state.markers[stage_of(state, stages.Auction).commissioner]
    return min(markers, key=box.COLUMN.__getitem__) if markers else box.CENTRAL_PARK


def now_auctioned(state: State) -> str | None:
    """The place being auctioned; None outside auctions."""
    return auctioned(state) if isinstance(state.stage, stages.Auction) else None


def auctioned_district(state: State) -> District | None:
    """The district being auctioned; None if it is Central Park."""
    place = auctioned(state)
    return None if place == box.CENTRAL_PARK else state.districts[place]


def open_auction(state: State, phase: Literal[1, 3], commissioner: str) -> Effect[State]:
    """Opens the next auction; the player who moved the commissioner begins."""
    opener, offers = state.active_seat, (stages.Offer(),) * len(state.seats)
    opened = replace(state, stage=stages.BidOrPass(phase, commissioner, opener, offers, ()))
    return opened, [events.AuctionOpened(opener, auctioned(opened))]


def close_auction(state: State) -> Effect[State]:
    """Returns the marker to City Hall and opens the next auction; after Central Park, the turn continues."""
    stage, place = stage_of(state, stages.Auction), auctioned(state)
    if place == box.CENTRAL_PARK:
        return continue_turn(state, stage.phase), []
    rest = minus(state.markers[stage.commissioner], (place,))
    returned = replace(state, markers={**state.markers, stage.commissioner: rest})
    return open_auction(returned, stage.phase, stage.commissioner)


# --- auctions: the colour ---------------------------------------------------------------------------------------------

ONE_COLOUR = "fifth-avenue.auction.one-colour"


Allowed = tuple[str, tuple[str, ...]]
"""The rule that says in which colours a player may bid, and these colours."""


def allowed_for_district(district: District, seat: int) -> Allowed:
    """With a building there: only the colour of its lot. With none: that of an empty lot, else of one with businesses.

    So nobody bids in the colour of another player's lot.
    """
    if own := lots.colour_of_lot(district, seat):
        return "fifth-avenue.auction.own-lot", (own,)
    if empty := lots.empty_lots(district):
        return "fifth-avenue.auction.empty-lots", empty
    return "fifth-avenue.auction.business-lots", lots.business_lots(district)


def allowed_by_place(state: State, seat: int, offers: Sequence[stages.Offer] = ()) -> Allowed:
    """The colours that the place allows a player: a district, or Central Park, where the first bid fixes it for all."""
    if (district := auctioned_district(state)) is not None:
        return allowed_for_district(district, seat)
    # a bidder who passes takes their colour back, but then somebody else leads, with the same one
    fixed = [offer.colour for offer in offers if offer.colour]
    return "fifth-avenue.central-park.colour", tuple(fixed[:1]) or box.COLOURS


def allowed_colours(state: State, stage: stages.BidOrPass) -> Allowed:
    """The colour that the bidder has begun with; before that, those that the place allows."""
    if chosen := stage.offers[stage.seat].colour:
        return ONE_COLOUR, (chosen,)
    return allowed_by_place(state, stage.seat, stage.offers)


# --- auctions: bidding ------------------------------------------------------------------------------------------------


def highest_bid(stage: stages.Bidding) -> int:
    """The bid to beat: the highest of the players', or the dummy's."""
    return max([worth(stage.dummy), *[offer.total for offer in stage.offers]])


def leader(stage: stages.Bidding) -> Owner | None:
    """Who has bid most; the dummy only if it bids more than everybody else."""
    totals = [offer.total for offer in stage.offers]
    best = max(totals)
    if worth(stage.dummy) > best:
        return box.DUMMY
    return totals.index(best) if best else None


class BidTerms(msgspec.Struct, frozen=True, gc=False):
    """What a bid must satisfy: the cards that a player adds to those they have laid, worth `total`.

    All coloured cards have the same colour, one of those that a `rule` allows; the `first` bid has at least one, later
    ones can be black alone. Together with those laid they are worth more than the `highest` bid.
    """

    rule: str
    colours: tuple[str, ...]
    first: bool
    total: int
    highest: int

    def refusal(self, cards: Multiset) -> Refusal | None:
        """Why these cards cannot be added."""
        colours = colours_of(cards)
        if len(colours) > 1:
            return refuse(ONE_COLOUR, "/cards", colours=colours)
        if not colours and self.first:
            return refuse("fifth-avenue.auction.coloured-card", "/cards")
        if not {*colours} <= {*self.colours}:
            if not self.first:
                return refuse(ONE_COLOUR, "/cards", colours=self.colours + colours)
            return refuse(self.rule, "/cards", colours=colours, allowed=self.colours)
        if (bid := self.total + worth(cards)) <= self.highest:
            return refuse("fifth-avenue.auction.higher", "/cards", bid=bid, highest=self.highest)
        return None


def terms_of_bid(state: State) -> BidTerms:
    """The terms for the seat that bids or passes."""
    stage = stage_of(state, stages.BidOrPass)
    offer = stage.offers[stage.seat]
    return BidTerms(*allowed_colours(state, stage), not offer.laid, offer.total, highest_bid(stage))


class BidRule(CountedRule[State, moves.Bid]):
    """Adds cards from the hand, as the `BidTerms` demand: of one colour and black, and more than the highest bid."""

    rules = ("fifth-avenue.auction.cards",)

    def why_unavailable(self, state: State) -> Refusal | None:
        """Why even the highest bid from the hand is refused; anything can be bid from a hand with unknown cards."""
        terms, hand = terms_of_bid(state), state.seats[stage_of(state, stages.BidOrPass).seat].hand
        if not terms.colours:
            return refuse(terms.rule, "/type", colours=(), allowed=())
        if hand.unknown:
            return None
        refusal = terms.refusal(cards_worth_most(hand.known, terms.colours))
        return replace(refusal, pointer="/type") if refusal else None

    def refusal(self, state: State, move: moves.Bid) -> Refusal | None:
        cards = multiset(move.cards)
        return supplies.why_not_in_hand(state, move.seat, cards, "/cards") or terms_of_bid(state).refusal(cards)

    def amounts(self, state: State, move: moves.Bid) -> Iterable[Amount]:
        terms, hand = terms_of_bid(state), state.seats[move.seat].hand.known
        most = terms.total + worth(cards_worth_most(hand, terms.colours)) if terms.colours else terms.total
        yield Amount("bid", terms.total + worth(move.cards), terms.highest + 1, most, terms.total)

    def offered(self, state: State) -> Moves:
        """Every bid from the hand that the terms allow: counted, because a large hand allows millions."""
        terms, seat = terms_of_bid(state), stage_of(state, stages.BidOrPass).seat
        missing = terms.highest - terms.total + 1
        bids = bids_from(state.seats[seat].hand.known, terms.colours, missing, terms.first)
        return Mapped(bids, partial(moves.Bid, seat))

    def play(self, state: State, move: moves.Bid) -> Effect[State]:
        stage, cards = stage_of(state, stages.BidOrPass), multiset(move.cards)
        seats, offers = lay(state, stage.offers, move.seat, cards, box.pile_of)
        raised = replace(state, seats=seats, stage=replace(stage, offers=offers))
        happened = events.Bid(move.seat, cards, offers[move.seat].total)
        return with_earlier_events([happened], continue_auction(raised, move.seat))


class PassRule(BareRule[State, moves.Pass]):
    """A pass is final; the player takes back all cards."""

    rules = ("fifth-avenue.auction.pass",)

    def play(self, state: State, move: moves.Pass) -> Effect[State]:
        stage = stage_of(state, stages.BidOrPass)
        seats, offers = drop_out(state, stage.offers, move.seat)
        passed = replace(state, seats=seats, stage=replace(stage, offers=offers))
        return with_earlier_events([events.Passed(move.seat)], continue_auction(passed, move.seat))


@implements("fifth-avenue.auction.order")
def bidders_after(state: State, last: Owner) -> list[Owner]:
    """Everybody in the order of bidding, from the one after `last` round to `last`, even those who have passed.

    With two players, the dummy is always third.
    """
    order: list[Owner] = [*clockwise(state.seats, state.active_seat)]
    if supplies.has_dummy(state):
        order.append(box.DUMMY)
    position = order.index(last) + 1
    return order[position:] + order[:position]


def continue_auction(state: State, last: Owner) -> Effect[State]:
    """After `last` has bid, passed or turned cards, asks the next who can still bid against the leader.

    If there is nobody, the leader wins; while nobody has bid, the last one left may still do so. The dummy bids once,
    if it has a card to turn.
    """
    stage: stages.Bidding = state.stage  # type: ignore[assignment]
    leading = leader(stage)
    for bidder in bidders_after(state, last):
        if bidder == box.DUMMY:
            if not stage.dummy and supplies.cards_in_pile(state, box.BLACK):
                return replace(state, stage=stages.TurnDummyCard(stage.phase, stage.commissioner, stage.offers, ())), []
        elif bidder != leading and not stage.offers[bidder].passed:
            asked = stages.BidOrPass(stage.phase, stage.commissioner, bidder, stage.offers, stage.dummy)
            return replace(state, stage=asked), []
    if leading is not None:
        return win_auction(state, stage, leading)
    unsold = events.NothingSold(auctioned(state), "fifth-avenue.auction.nobody-bids")
    return with_earlier_events([unsold], close_auction(state))


@implements("fifth-avenue.auction.discards", "fifth-avenue.dummy.discards")
def win_auction(state: State, stage: stages.Bidding, winner: Owner) -> Effect[State]:
    """Takes all bids off the table and discards those of the winner and the dummy; then the winner builds or stops.

    A winner without buildings in reserve is asked only where a stop can be ordered: otherwise nothing can be done.
    """
    place, district = auctioned(state), auctioned_district(state)
    laid = () if winner == box.DUMMY else tuple(cards_of(stage.offers[winner]))
    cleared = replace(state, stage=stages.Auction(stage.phase, stage.commissioner))
    settled, shuffle = supplies.discard_bids(cleared, (*laid, *stage.dummy))
    if winner == box.DUMMY:
        dummy_won = events.DummyWon(place, worth(stage.dummy))
        return with_earlier_events([dummy_won, *shuffle], build_or_stop_for_dummy(settled))
    won = [events.AuctionWon(winner, place, worth(laid), laid), *shuffle]
    if not state.seats[winner].reserve and (district is None or not lots.is_full(district)):
        return with_earlier_events(won, close_auction(settled))
    # all coloured cards laid have the same colour
    building = stages.BuildOrStop(stage.phase, stage.commissioner, winner, colours_of(laid)[0], limit_of(laid))
    return replace(settled, stage=building), won


# --- auctions: building -----------------------------------------------------------------------------------------------


class BuildRule(MoveRule[State, moves.Build]):
    """Builds none or more from the reserve, as the highest card allows; in a full district only on one's own lot."""

    rules = ("fifth-avenue.auction.one-lot",)

    def why_unavailable(self, state: State) -> Refusal | None:
        seat, district = deciding_seat(state), auctioned_district(state)
        if district is not None and lots.is_full(district) and not lots.has_building(district, seat):
            return refuse("fifth-avenue.stop.newcomer", "/type", seat=seat)
        return None

    def candidates(self, state: State) -> Sequence[moves.Build]:
        stage = stage_of(state, stages.BuildOrStop)
        return [moves.Build(stage.seat, number) for number in range(stage.limit + 1)]

    def refusal(self, state: State, move: moves.Build) -> Refusal | None:
        limit, reserve = stage_of(state, stages.BuildOrStop).limit, state.seats[move.seat].reserve
        if move.buildings > limit:
            return refuse("fifth-avenue.auction.limit", "/buildings", buildings=move.buildings, limit=limit)
        if move.buildings > reserve:
            return refuse("fifth-avenue.auction.reserve", "/buildings", buildings=move.buildings, reserve=reserve)
        return None

    def play(self, state: State, move: moves.Build) -> Effect[State]:
        stage, seat = stage_of(state, stages.BuildOrStop), state.seats[move.seat]
        place, district = auctioned(state), auctioned_district(state)
        districts, in_park, built = state.districts, seat.central_park, move.buildings
        happened: Event = events.NothingBuilt(move.seat, place)
        if built and district is None:
            in_park += built
            happened = events.BuiltInCentralPark(move.seat, built)
        elif built and district is not None:
            lot = Lot(owner=move.seat, buildings=district[stage.colour].buildings + built)
            districts = districts.with_lot(place, stage.colour, lot)
            happened = events.Built(move.seat, place, stage.colour, built)
        seats = with_seat(state, move.seat, central_park=in_park, reserve=seat.reserve - built)
        return with_earlier_events([happened], close_auction(replace(state, seats=seats, districts=districts)))


# --- auctions: the building stop --------------------------------------------------------------------------------------


class OrderStopRule(BareRule[State, moves.OrderStop]):
    """If every lot was taken before the auction, the winner may close the district; a newcomer must."""

    def why_unavailable(self, state: State) -> Refusal | None:
        district = auctioned_district(state)
        if district is None:
            return refuse("fifth-avenue.central-park.no-stop", "/type")
        if empty := lots.empty_lots(district):
            return refuse("fifth-avenue.stop.full", "/type", empty=empty)
        return None

    def play(self, state: State, move: moves.OrderStop) -> Effect[State]:
        return stop_district(state, move.seat)


@implements("fifth-avenue.stop.removed", "fifth-avenue.stop.removed-businesses", "fifth-avenue.stop.two")
def stop_district(state: State, winner: Owner) -> Effect[State]:
    """Scores and closes the district, and removes everything in it; the second stop ends the game."""
    stage, name = stage_of(state, stages.Auction), auctioned(state)
    district = state.districts.known_open(name)
    removed = lots.buildings_by_owner(district)
    seat = winner if isinstance(winner, int) else None
    ordered = events.BuildingStop(name, "fifth-avenue.stop.order", seat, dummy=seat is None)
    seats, scored = score_stop(state, name, winner)
    closed = replace(
        state,
        seats=tuple([replace(scorer, removed=scorer.removed + removed[index]) for index, scorer in enumerate(seats)]),
        districts=state.districts.with_district(name, None),
        markers={colour: multiset(set(marked) - {name}) for colour, marked in state.markers.items()},
        removed_businesses=plus(state.removed_businesses, lots.businesses_in(district)),
        dummy_removed=None if state.dummy_removed is None else state.dummy_removed + removed[box.DUMMY],
    )
    if len(closed.districts.closed) == box.STOPS:
        return with_earlier_events([ordered, *scored], end_game(closed, "fifth-avenue.end.second-stop"))
    return with_earlier_events([ordered, *scored], open_auction(closed, stage.phase, stage.commissioner))


# --- the dummy, in games of two ---------------------------------------------------------------------------------------


class TurnDummyCardRule(BlackPileRule[moves.TurnCard]):
    """Turns up black cards for the dummy until two have the same value or none is left."""

    def play(self, state: State, move: moves.TurnCard) -> Effect[State]:
        stage = stage_of(state, stages.TurnDummyCard)
        turned = replace(stage, dummy=plus(stage.dummy, (move.card,)))
        revealed = replace(state, stage=turned, shuffled_in=without_revealed(state.shuffled_in, move.card))
        after, shuffle = supplies.reshuffle_if_empty(revealed)
        happened = [events.DummyCardTurned(move.card), *shuffle]
        if not has_pair(turned.dummy) and supplies.cards_in_pile(after, box.BLACK):
            return after, happened
        bid = events.DummyBid(turned.dummy, worth(turned.dummy), "fifth-avenue.dummy.bid")
        return with_earlier_events([*happened, bid], continue_auction(after, box.DUMMY))


@implements("fifth-avenue.dummy.pair")
def has_pair(cards: Multiset) -> bool:
    """Whether two cards of the dummy have the same value, which completes its bid."""
    return len(set(cards)) < len(cards)


@implements("fifth-avenue.dummy.stops")
def build_or_stop_for_dummy(state: State) -> Effect[State]:
    """The dummy builds if a lot is empty, otherwise it stops the district; it builds nothing in Central Park."""
    place, district = auctioned(state), auctioned_district(state)
    if district is None:
        nothing = events.DummyBuildsNothing(place, "fifth-avenue.dummy.central-park")
        return with_earlier_events([nothing], close_auction(state))
    if lots.is_full(district):
        return stop_district(state, box.DUMMY)
    happened, districts = list[Event](), state.districts
    for colour, points in best_lots(district, state.options.rings[place])[: supplies.dummy_supply(state)]:
        districts = districts.with_lot(place, colour, Lot(owner=box.DUMMY, buildings=1))
        happened.append(events.DummyBuilt(place, colour, points, 1, "fifth-avenue.dummy.builds"))
    return with_earlier_events(happened, close_auction(replace(state, districts=districts)))


def best_lots(district: District, ring: tokens.Ring) -> list[tuple[str, int]]:
    """The empty lots on which a building would score most, and how much: the dummy builds on each of them."""
    empty = lots.empty_lots(district)
    scores = [(colour, points_of_a_building(district, ring, colour)) for colour in ring if colour in empty]
    most = max([points for _, points in scores])
    return [(colour, points) for colour, points in scores if points == most]


# --- the end of the game ---------------------------------------------------------------------------------------------


@implements("fifth-avenue.end.game", "fifth-avenue.end.at-once", "fifth-avenue.end.all-count")
def end_game(state: State, rule: str) -> Effect[State]:
    """Ends the game at once, whatever is in progress; tiles are drawn for Central Park if there is a choice."""
    drawing = len(state.under_central_park) > box.PARK_TILES
    ended = replace(state, stage=stages.DrawParkTile() if drawing else GameOver())
    return ended, [events.GameEnded(rule)]


class DrawParkTileRule(ChanceRule[State, moves.DrawBusiness]):
    """Three tiles are drawn from under Central Park."""

    rules = ("fifth-avenue.end.park-tiles", "fifth-avenue.end.three-drawn", "fifth-avenue.end.drawn-early")
    refuses = "fifth-avenue.end.under-central-park"

    def outcomes(self, state: State) -> Outcomes:
        under = state.under_central_park
        return Outcomes({business: under.count(business) for business in kinds(under)})

    def play(self, state: State, move: moves.DrawBusiness) -> Effect[State]:
        drawn = plus(state.park_tiles or (), (move.business,))
        rest = minus(state.under_central_park, (move.business,))
        after = replace(state, under_central_park=rest, park_tiles=drawn)
        if len(drawn) == box.PARK_TILES:
            after = replace(after, stage=GameOver())
        return after, [events.ParkTileDrawn(move.business)]


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS = (
    ChanceDecision(stages.DrawStartingBusiness, DrawStartingBusinessRule()),
    ChanceDecision(stages.DrawStartingLot, DrawStartingLotRule()),
    ChanceDecision(stages.DrawRowBusiness, DrawRowBusinessRule()),
    ChanceDecision(stages.DealCard, DealCardRule()),
    ChanceDecision(stages.RevealFirstTop, RevealFirstTopRule()),
    SeatDecision(stages.PlaceFirstBuilding, (PlaceFirstBuildingRule(),), first_builder),
    SeatDecision(
        stages.ChooseOption, (TakeBuildingsRule(), PlaceBusinessRule(), TakeBlackCardRule(), ScoreDistrictRule())
    ),
    ChanceDecision(stages.DrawBlackCard, DrawBlackCardRule()),
    SeatDecision(stages.TakeCards, (TakeCardsRule(),)),
    ChanceDecision(stages.RevealTop, RevealTopRule()),
    SeatDecision(stages.MoveCommissioner, (MoveCommissionerRule(),)),
    SeatDecision(stages.BidOrPass, (BidRule(), PassRule())),
    ChanceDecision(stages.TurnDummyCard, TurnDummyCardRule()),
    SeatDecision(stages.BuildOrStop, (BuildRule(), OrderStopRule())),
    ChanceDecision(stages.DrawParkTile, DrawParkTileRule()),
)
