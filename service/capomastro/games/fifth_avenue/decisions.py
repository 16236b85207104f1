"""Every decision of Fifth Avenue, in the order of the rulebook: what is offered, what is refused, what happens."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from math import factorial
from typing import Literal, TypeVar

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import (
    NO_MOVES,
    ChanceDecision,
    ChanceRule,
    Event,
    GameOver,
    ListedMoves,
    ListedSource,
    MappedMoves,
    MoveRule,
    Moves,
    PairedMoves,
    Played,
    SeatDecision,
    SeatMove,
    active_seat,
    event,
    seat_in_stage,
)
from capomastro.engine.hands import gain_closed, gain_open
from capomastro.engine.multisets import Multiset, kinds, minus, multiset, plus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.fifth_avenue import moves
from capomastro.games.fifth_avenue.auction import (
    allowed_colours,
    auctioned,
    auctioned_district,
    highest_bid,
    leader,
    refuse_colour,
    turn_order,
)
from capomastro.games.fifth_avenue.bids import Bids, colours_of, limit_of, most_playable, worth
from capomastro.games.fifth_avenue.components import (
    BLACK,
    BUILDINGS_TAKEN,
    CENTRAL_PARK,
    CITY_HALL,
    COLOURLESS,
    COLOURS,
    COMMISSIONERS,
    DISTRICTS,
    DUMMY,
    FIRST_BUILDINGS,
    GROUPS,
    HAND_SIZE,
    LOTS_OF_BOARD,
    PARK_TILES,
    PILES,
    PLACED_AT_END,
    STOPS,
    pile_of,
)
from capomastro.games.fifth_avenue.dummy import bid_is_complete, lots_to_build_on
from capomastro.games.fifth_avenue.lots import (
    EMPTY,
    Lot,
    Owner,
    accepts_business,
    has_building,
    is_full,
    normal_totals,
    places_for_first_building,
    scored_lots,
)
from capomastro.games.fifth_avenue.routes import exits
from capomastro.games.fifth_avenue.scoring import BONUS, lot_line
from capomastro.games.fifth_avenue.state import (
    NO_OFFER,
    PASSED,
    BidOrPass,
    BuildOrStop,
    ChooseOption,
    DealCard,
    DrawBlackCard,
    DrawParkTile,
    DrawRowBusiness,
    DrawStartingBusiness,
    DrawStartingLot,
    MoveCommissioner,
    Offer,
    Pile,
    PlaceFirstBuilding,
    RevealFirstTop,
    RevealTop,
    Seat,
    State,
    TakeCards,
    TurnDummyCard,
)
from capomastro.games.fifth_avenue.supplies import (
    common_supply,
    discarded,
    dummy_supply,
    first_without_top,
    has_face_down,
    lacking,
    next_businesses,
    next_cards,
    next_tops,
    piles_with_top,
    played_from_hand,
    shuffled_if_due,
    topped,
    with_hand,
    with_seat,
    without_turned,
)

M = TypeVar("M", bound=SeatMove)

# --- small steps on the state ----------------------------------------------------------------------------------------


def with_points(seat: Seat, points: int) -> Seat:
    return replace(seat, score=seat.score + points)


def refuse_no_lot(state: State, district: str, lot: str) -> Refusal | None:
    """A refusal if there is no such lot: its district is closed, or it is on the other side of the board."""
    lots = state.districts[district]
    if lots is None:
        return refuse("fifth-avenue.stop.closed", "/district", district=district)
    if lot not in LOTS_OF_BOARD[state.options.six_lots]:
        return refuse("fifth-avenue.map.lots", "/lot", lot=lot)
    return None


class SureRule(MoveRule[State, M]):
    """A kind of move all candidates of which are legal: no need to ask them one by one."""

    def offered(self, state: State, all_payments: bool = False) -> Moves:
        if self.unavailable(state) is not None:
            return NO_MOVES
        return ListedMoves([*self.candidates(state)])


def game_ended(state: State, rule: str) -> Played[State]:
    """The game is over at once, whatever was going on; tiles are drawn for Central Park if there is a choice."""
    drawing = len(state.under_central_park) > PARK_TILES
    ended = replace(state, stage=DrawParkTile() if drawing else GameOver())
    return ended, [event("game-ended", rule=rule)]


# --- set-up: businesses ----------------------------------------------------------------------------------------------


class StartingBusiness(ChanceRule[State, moves.DrawBusiness]):
    """A tile for every district, which has its place on a board with six lots."""

    move = moves.DrawBusiness
    refuses = "fifth-avenue.draw.business"

    def outcomes(self, state: State) -> Outcomes:
        return next_businesses(state)

    def play(self, state: State, move: moves.DrawBusiness) -> Played[State]:
        if state.options.six_lots:
            return business_laid(state, move.business, COLOURLESS)
        drawn = replace(state, stage=DrawStartingLot(move.business))
        return drawn, [event("business-drawn", business=move.business, district=next_district(state))]


def next_district(state: State) -> str:
    """The first district without a starting business."""
    for name, lots in state.districts.open:
        if not lots.facts.businesses:
            return name
    raise ValueError("every district has its starting business")


def business_laid(state: State, business: str, lot: str) -> Played[State]:
    name = next_district(state)
    laid_out = replace(
        state,
        districts=state.districts.with_lot(name, lot, Lot((business,))),
        stage=DrawRowBusiness() if name == DISTRICTS[-1] else DrawStartingBusiness(),
    )
    return laid_out, [event("starting-business-laid", business=business, district=name, lot=lot)]


MOST_OF_A_COLOUR = 2


@lru_cache(maxsize=4096)
def completions(used: tuple[int, ...], every_colour: bool) -> int:
    """How many ways the rest of the seven districts can be filled, if the colours have been used this often.

    No colour more than twice; `every_colour`: each at least once.
    """
    left = len(DISTRICTS) - sum(used)

    def arrangements(index: int, places: int) -> int:
        if index == len(used):
            return factorial(left) if not places else 0
        fewest = max(0, 1 - used[index]) if every_colour else 0
        return sum(
            arrangements(index + 1, places - more) // factorial(more)
            for more in range(fewest, min(MOST_OF_A_COLOUR - used[index], places) + 1)
        )

    return arrangements(0, left)


def colours_used(state: State) -> tuple[int, ...]:
    """How many starting businesses lie on lots of each colour."""
    used = [colour for _, lots in state.districts.open for colour in lots.facts.with_business]
    return tuple([used.count(colour) for colour in COLOURS])


@lru_cache(maxsize=4096)
def lot_weights(used: tuple[int, ...]) -> dict[str, int]:
    """For every colour that may still be used how many arrangements of the rest it leaves, in ascending order."""
    following = {
        colour: (*used[:index], used[index] + 1, *used[index + 1 :])
        for index, colour in enumerate(COLOURS)
        if used[index] < MOST_OF_A_COLOUR
    }
    weights = {colour: completions(after, every_colour=True) for colour, after in sorted(following.items())}
    if any(weights.values()):
        return weights
    return {colour: completions(after, every_colour=False) for colour, after in sorted(following.items())}


class StartingLot(ChanceRule[State, moves.DrawLot]):
    """Its lot: no colour is used more than twice; we ourselves use every colour."""

    move = moves.DrawLot
    refuses = "fifth-avenue.setup.lot-colours"

    def outcomes(self, state: State) -> Outcomes:
        return Outcomes(lot_weights(colours_used(state)))

    def play(self, state: State, move: moves.DrawLot) -> Played[State]:
        assert isinstance(state.stage, DrawStartingLot)
        return business_laid(state, state.stage.business, move.lot)


def group_to_fill(state: State) -> int:
    """The first group that lacks tiles."""
    for index, (tiles, size) in enumerate(zip(state.row, state.options.row_groups, strict=True)):
        if len(tiles) < size:
            return index
    raise ValueError("the row is complete")


def with_group(state: State, index: int, group: Multiset) -> tuple[Multiset, ...]:
    row = list(state.row)
    row[index] = group
    return tuple(row)


class RowBusiness(ChanceRule[State, moves.DrawBusiness]):
    """Twenty tiles, laid out group by group."""

    move = moves.DrawBusiness
    refuses = "fifth-avenue.draw.business"

    def outcomes(self, state: State) -> Outcomes:
        return next_businesses(state)

    def play(self, state: State, move: moves.DrawBusiness) -> Played[State]:
        group = group_to_fill(state)
        tiles = plus(state.row[group], (move.business,))
        full = group == GROUPS - 1 and len(tiles) == state.options.row_groups[group]
        laid_out = replace(state, row=with_group(state, group, tiles), stage=DealCard() if full else state.stage)
        return laid_out, [event("business-drawn", business=move.business, group=group)]


# --- set-up: cards ---------------------------------------------------------------------------------------------------


class Deal(ChanceRule[State, moves.DealCard]):
    """To every seat in turn one card of each colour and four black ones."""

    move = moves.DealCard
    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        _, pile = next_deal(state)
        return next_cards(state, pile)

    def goes_unseen_to(self, state: State) -> int:
        seat, _ = next_deal(state)
        return seat

    def play(self, state: State, move: moves.DealCard) -> Played[State]:
        seat, pile = next_deal(state)
        hand = gain_closed(state.seats[seat].hand, move.card, pile)
        last = seat == len(state.seats) - 1 and hand.size == HAND_SIZE
        dealt = replace(state, seats=with_hand(state, seat, hand), stage=RevealFirstTop() if last else state.stage)
        return dealt, [event("card-dealt", seat=seat, pile=pile)]


def next_deal(state: State) -> tuple[int, str]:
    """The first seat whose hand is not complete, and the pile of its next card."""
    for index, seat in enumerate(state.seats):
        size = seat.hand.size
        if size < HAND_SIZE:
            return index, PILES[min(size, len(COLOURS))]
    raise ValueError("every hand is dealt")


def top_revealed(state: State, card: str) -> Played[State]:
    colour = pile_of(card)
    piles = {**state.piles, colour: Pile(card, state.piles[colour].discards)}
    return replace(state, piles=piles), [event("card-revealed", card=card)]


class FirstTop(ChanceRule[State, moves.RevealCard]):
    """The top card of each coloured pile is turned up."""

    move = moves.RevealCard
    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return next_tops(state)

    def play(self, state: State, move: moves.RevealCard) -> Played[State]:
        revealed, events = top_revealed(state, move.card)
        if first_without_top(revealed) is None:
            revealed = replace(revealed, stage=PlaceFirstBuilding())
        return revealed, events


# --- set-up: first buildings -----------------------------------------------------------------------------------------


def first_buildings(state: State) -> int:
    """How many of the first buildings have been placed, each on a lot of its own."""
    return sum([len(lots.facts.built) for _, lots in state.districts.open])


def first_builder(state: State) -> int:
    """Seat 0, then counter-clockwise; the second buildings in reverse order."""
    players, placed = len(state.seats), first_buildings(state)
    order = [-steps % players for steps in range(players)]
    return (order + order[::-1])[placed]


class FirstBuilding(MoveRule[State, moves.PlaceFirstBuilding]):
    """One building on a lot on which nothing lies; the second in another district."""

    move = moves.PlaceFirstBuilding

    def refusal(self, state: State, move: moves.PlaceFirstBuilding) -> Refusal | None:
        refusal = refuse_no_lot(state, move.district, move.lot)
        if refusal:
            return refusal
        lots = state.districts.known_open(move.district)
        if lots[move.lot] != EMPTY:
            return refuse("fifth-avenue.setup.free-lot", "/lot", lot=move.lot, district=move.district)
        if has_building(lots, move.seat):
            return refuse("fifth-avenue.setup.other-district", "/district", district=move.district)
        return None

    def offered(self, state: State, all_payments: bool = False) -> Moves:
        seat = first_builder(state)
        places = ListedSource(places_for_first_building(state.districts, seat))
        return MappedMoves(places, lambda at: moves.PlaceFirstBuilding(seat, at[0], at[1]))

    def play(self, state: State, move: moves.PlaceFirstBuilding) -> Played[State]:
        placed = replace(
            state, districts=state.districts.with_lot(move.district, move.lot, Lot(owner=move.seat, buildings=1))
        )
        if first_buildings(placed) == FIRST_BUILDINGS * len(state.seats):
            placed = replace(placed, stage=ChooseOption())
        return placed, [built_event(move.seat, move.district, move.lot, 1)]


def built_event(owner: Owner, district: str, lot: str, buildings: int) -> Event:
    if owner == DUMMY:
        return event("dummy-built", district=district, lot=lot, buildings=buildings)
    return event("built", seat=owner, district=district, lot=lot, buildings=buildings)


# --- the order of a turn ---------------------------------------------------------------------------------------------


def phase_two(state: State) -> State:
    """Options A, B, C: two coloured cards; without a card to take the turn goes on."""
    there = any(pile.top for pile in state.piles.values())
    return replace(state, stage=TakeCards() if there else MoveCommissioner(3))


def next_turn(state: State) -> State:
    """The turn ends; the next player clockwise chooses."""
    return replace(state, active_seat=(state.active_seat + 1) % len(state.seats), stage=ChooseOption())


def turn_resumed(state: State, phase: Literal[1, 3]) -> State:
    """The turn goes on after the phase in which a commissioner was moved."""
    return phase_two(state) if phase == 1 else next_turn(state)


def black_cards_drawn(state: State, phase: Literal[1, 2], seats: tuple[int, ...]) -> State:
    """Black cards for `seats`, one after the other, as long as there are any; then a commissioner is moved."""
    if seats and has_face_down(state, BLACK):
        return replace(state, stage=DrawBlackCard(phase, seats))
    return replace(state, stage=MoveCommissioner(1 if phase == 1 else 3))


# --- option A: buildings ---------------------------------------------------------------------------------------------


class TakeBuildings(SureRule[moves.TakeBuildings]):
    """Three buildings from the common supply to the reserve, or what is left of them."""

    move = moves.TakeBuildings

    def unavailable(self, state: State) -> Refusal | None:
        if not common_supply(state, state.active_seat):
            return refuse("fifth-avenue.option-a.supply", "/type", seat=state.active_seat)
        return None

    def candidates(self, state: State) -> Iterable[moves.TakeBuildings]:
        return (moves.TakeBuildings(state.active_seat),)

    def refusal(self, state: State, move: moves.TakeBuildings) -> None:
        return None

    def play(self, state: State, move: moves.TakeBuildings) -> Played[State]:
        taken = min(BUILDINGS_TAKEN, common_supply(state, move.seat))
        own = state.seats[move.seat]
        seats = with_seat(state, move.seat, replace(own, reserve=own.reserve + taken))
        return phase_two(replace(state, seats=seats)), [
            event("option-chosen", seat=move.seat, option="A"),
            event("buildings-taken", seat=move.seat, buildings=taken),
        ]


# --- option B: a business --------------------------------------------------------------------------------------------


def active_group(state: State) -> int:
    """The leftmost group in which tiles lie."""
    for index, group in enumerate(state.row):
        if group:
            return index
    raise ValueError("the row is used up")


def businesses_placed(row: Sequence[Multiset]) -> int:
    """How many tiles of the row players have placed: of each group all but the last one."""
    left, groups = sum(map(len, row)), GROUPS - row.count(())
    return PLACED_AT_END - (left - groups)


def bonus(state: State, placed: int) -> tuple[tuple[Seat, ...], list[Event]]:
    """After the third, sixth and ninth placed tile: points for buildings in enough districts."""
    if placed not in BONUS:
        return state.seats, []
    needed, points = BONUS[placed]
    seats, events = list(state.seats), []
    owners = [lots.facts.lot_of for _, lots in state.districts.open]
    for index, seat in enumerate(state.seats):
        districts = sum([index in there for there in owners])
        if districts >= needed:
            seats[index] = with_points(seat, points)
            events.append(
                event(
                    "bonus-scored",
                    seat=index,
                    points=points,
                    rule="fifth-avenue.business.bonus",
                    placed=placed,
                    districts=districts,
                )
            )
    return tuple(seats), events


class PlaceBusiness(MoveRule[State, moves.PlaceBusiness]):
    """A tile of the active group on a lot that is empty or holds a single business."""

    move = moves.PlaceBusiness

    def unavailable(self, state: State) -> Refusal | None:
        if not state.districts.accepting:
            return refuse("fifth-avenue.business.no-lot", "/type")
        return None

    def refusal(self, state: State, move: moves.PlaceBusiness) -> Refusal | None:
        group = active_group(state)
        if move.business not in state.row[group]:
            there = ", ".join(kinds(state.row[group]))
            return refuse("fifth-avenue.business.active-group", "/business", business=move.business, there=there)
        refusal = refuse_no_lot(state, move.district, move.lot)
        if refusal:
            return refusal
        lot = state.districts.known_open(move.district)[move.lot]
        if not accepts_business(lot):
            return refuse("fifth-avenue.business.lot", "/lot", businesses=len(lot.businesses), buildings=lot.buildings)
        return None

    def offered(self, state: State, all_payments: bool = False) -> Moves:
        seat = state.active_seat
        businesses = ListedSource(kinds(state.row[active_group(state)]))

        def place(at: tuple[str, str], business: str) -> moves.PlaceBusiness:
            return moves.PlaceBusiness(seat, business, at[0], at[1])

        return PairedMoves(state.districts.accepting, businesses, place)

    def play(self, state: State, move: moves.PlaceBusiness) -> Played[State]:
        group = active_group(state)
        rest = minus(state.row[group], (move.business,))
        district = state.districts.known_open(move.district)
        lot = Lot(plus(district[move.lot].businesses, (move.business,)))
        under = state.under_central_park
        events = [
            event("option-chosen", seat=move.seat, option="B"),
            event("business-placed", seat=move.seat, business=move.business, district=move.district, lot=move.lot),
        ]
        if len(rest) == 1:
            under, last = plus(under, rest), rest[0]
            rest = ()
            events.append(event("business-under-central-park", business=last, rule="fifth-avenue.business.last-tile"))
        row = with_group(state, group, rest)
        number = businesses_placed(row)
        seats, points = bonus(state, number)
        placed = replace(
            state,
            seats=seats,
            districts=state.districts.with_district(move.district, district.with_lot(move.lot, lot)),
            row=row,
            under_central_park=under,
        )
        if number == PLACED_AT_END:
            ended, ending = game_ended(placed, "fifth-avenue.end.businesses")
            return ended, [*events, *ending]
        return phase_two(placed), events + points


# --- option C: a black card and a commissioner -----------------------------------------------------------------------


class TakeBlackCard(SureRule[moves.TakeBlackCard]):
    """A black card, if there is one, and a commissioner at once."""

    move = moves.TakeBlackCard

    def candidates(self, state: State) -> Iterable[moves.TakeBlackCard]:
        return (moves.TakeBlackCard(state.active_seat),)

    def refusal(self, state: State, move: moves.TakeBlackCard) -> None:
        return None

    def play(self, state: State, move: moves.TakeBlackCard) -> Played[State]:
        return black_cards_drawn(state, 1, (move.seat,)), [event("option-chosen", seat=move.seat, option="C")]


class DrawBlack(ChanceRule[State, moves.DealCard]):
    """Options C and D: black cards from the pile, unseen by the others."""

    move = moves.DealCard
    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return next_cards(state, BLACK)

    def goes_unseen_to(self, state: State) -> int:
        assert isinstance(state.stage, DrawBlackCard)
        return state.stage.seats[0]

    def play(self, state: State, move: moves.DealCard) -> Played[State]:
        assert isinstance(state.stage, DrawBlackCard)
        seat, *rest = state.stage.seats
        hand = gain_closed(state.seats[seat].hand, move.card, BLACK)
        drawn, shuffle = shuffled_if_due(replace(state, seats=with_hand(state, seat, hand)))
        after = black_cards_drawn(drawn, state.stage.phase, tuple(rest))
        return after, [event("card-dealt", seat=seat, pile=BLACK), *shuffle]


# --- option D: scoring a district ------------------------------------------------------------------------------------


def districts_to_score(state: State) -> list[str]:
    """The open districts in which a commissioner stands."""
    one, other = [state.commissioners[colour] for colour in COMMISSIONERS]
    spaces = (one,) if one == other else (one, other)
    return [space for space in spaces if state.districts.at(space) is not None]


class ScoreDistrict(MoveRule[State, moves.ScoreDistrict]):
    """A district in which a commissioner stands is scored for all its owners."""

    move = moves.ScoreDistrict

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

    def offered(self, state: State, all_payments: bool = False) -> Moves:
        seat = state.active_seat
        return ListedMoves([moves.ScoreDistrict(seat, district) for district in districts_to_score(state)])

    def play(self, state: State, move: moves.ScoreDistrict) -> Played[State]:
        lots = state.districts.known_open(move.district)
        seats = list(state.seats)
        events = [event("option-chosen", seat=move.seat, option="D")]
        ring = state.options.rings[move.district]
        for scored in scored_lots(lots, ring):
            owner = scored.owner
            if isinstance(owner, int):
                line = lot_line(move.district, scored, "fifth-avenue.scoring.district")
                seats[owner] = with_points(seats[owner], line["points"])
                events.append(event("district-scored", seat=owner, **line))
        players = len(seats)
        clockwise = [(move.seat + steps) % players for steps in range(players)]
        drawing = (move.seat, move.seat, *(seat for seat in clockwise if not has_building(lots, seat)))
        return black_cards_drawn(replace(state, seats=tuple(seats)), 2, drawing), events


# --- phase 2: two coloured cards -------------------------------------------------------------------------------------


class TakeTwoCards(MoveRule[State, moves.TakeCards]):
    """The visible cards of two different piles; of the last pile one."""

    move = moves.TakeCards

    def candidates(self, state: State) -> Iterable[moves.TakeCards]:
        there = sorted(piles_with_top(state))
        return (moves.TakeCards(state.active_seat, pair) for pair in combinations(there, min(2, len(there))))

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

    def offered(self, state: State, all_payments: bool = False) -> Moves:
        there = tuple(sorted(piles_with_top(state)))
        seat = state.active_seat
        return MappedMoves(pairs_of(there), lambda colours: moves.TakeCards(seat, colours))

    def play(self, state: State, move: moves.TakeCards) -> Played[State]:
        piles, cards, face_down = dict(state.piles), [], False
        for colour in COLOURS:
            if colour in move.colours:
                pile = piles[colour]
                cards.append(pile.top or "")
                bare = Pile(None, pile.discards)
                if has_face_down(state, colour):
                    piles[colour], face_down = bare, True
                else:
                    piles[colour] = topped(bare)
        seats = with_hand(state, move.seat, gain_open(state.seats[move.seat].hand, cards))
        stage = RevealTop() if face_down else MoveCommissioner(3)
        taken = replace(state, seats=seats, piles=piles, stage=stage)
        return taken, [event("cards-taken", seat=move.seat, cards=cards)]


@lru_cache(maxsize=64)
def pairs_of(colours: tuple[str, ...]) -> ListedSource:
    return ListedSource(tuple(combinations(colours, min(2, len(colours)))))


class NewTop(ChanceRule[State, moves.RevealCard]):
    """The next card of a pile becomes visible."""

    move = moves.RevealCard
    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return next_tops(state)

    def play(self, state: State, move: moves.RevealCard) -> Played[State]:
        revealed, events = top_revealed(state, move.card)
        if first_without_top(revealed) is None:
            revealed = replace(revealed, stage=MoveCommissioner(3))
        return revealed, events


# --- phase 3, and 1 of option C: a commissioner ----------------------------------------------------------------------


class Commissioner(SureRule[moves.MoveCommissioner]):
    """One space forward, closed districts skipped; from Central Park back to City Hall, which starts auctions."""

    move = moves.MoveCommissioner

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
            return refuse("fifth-avenue.map.exits", "/to", space=space, to=move.to, allowed=" or ".join(allowed))
        return None

    def play(self, state: State, move: moves.MoveCommissioner) -> Played[State]:
        assert isinstance(state.stage, MoveCommissioner)
        phase, colour, space = state.stage.phase, move.commissioner, state.commissioners[move.commissioner]
        moved = replace(state, commissioners={**state.commissioners, colour: move.to})
        events = [event("commissioner-moved", seat=move.seat, commissioner=colour, space=space, to=move.to)]
        if state.districts.at(space) is not None:
            moved = replace(moved, markers={**state.markers, colour: plus(state.markers[colour], (space,))})
            events.append(event("marker-placed", commissioner=colour, district=space))
        if move.to == CITY_HALL:
            opened, opening = auction_opened(moved, phase, colour)
            return opened, [*events, *opening]
        return turn_resumed(moved, phase), events


# --- auctions --------------------------------------------------------------------------------------------------------


def auction_opened(state: State, phase: Literal[1, 3], commissioner: str) -> Played[State]:
    """The next auction of a set: whoever moved the commissioner opens it."""
    offers = (NO_OFFER,) * len(state.seats)
    opened = replace(state, stage=BidOrPass(phase, commissioner, state.active_seat, offers, ()))
    return opened, [event("auction-opened", seat=state.active_seat, place=auctioned(state, commissioner))]


def auction_over(state: State, phase: Literal[1, 3], commissioner: str) -> Played[State]:
    """The marker goes back to City Hall, and the next auction opens; after Central Park the turn goes on."""
    place = auctioned(state, commissioner)
    if place == CENTRAL_PARK:
        return turn_resumed(state, phase), []
    rest = minus(state.markers[commissioner], (place,))
    return auction_opened(replace(state, markers={**state.markers, commissioner: rest}), phase, commissioner)


def auction_continued(
    state: State, stage: BidOrPass | TurnDummyCard, last: Owner, leading: Owner | None
) -> Played[State]:
    """After `last` the next who may still bid; if that is who leads, he has won; if there is none, nobody has bid."""
    phase, commissioner, offers = stage.phase, stage.commissioner, stage.offers
    for bidder in turn_order(state.active_seat, len(state.seats), last):
        if bidder == leading:
            return auction_won(state, stage, bidder)
        if not isinstance(bidder, int):
            if not stage.dummy and has_face_down(state, BLACK):
                return replace(state, stage=TurnDummyCard(phase, commissioner, offers, ())), []
        elif not offers[bidder].passed:
            return replace(state, stage=BidOrPass(phase, commissioner, bidder, offers, stage.dummy)), []
    unsold = event("nothing-sold", place=auctioned(state, commissioner), rule="fifth-avenue.auction.nobody-bids")
    settled, shuffle = cards_discarded(state, stage, ())
    over, opening = auction_over(settled, phase, commissioner)
    return over, [unsold, *shuffle, *opening]


def cards_discarded(state: State, stage: BidOrPass | TurnDummyCard, cards: tuple[str, ...]) -> Played[State]:
    """The cards of the winner and those of the dummy leave the table; the step that was interrupted stands behind."""
    cleared = replace(discarded(state, (*cards, *stage.dummy)), stage=MoveCommissioner(stage.phase))
    return shuffled_if_due(cleared)


def auction_won(state: State, stage: BidOrPass | TurnDummyCard, winner: Owner) -> Played[State]:
    """The cards are discarded; then the winner builds or stops, the dummy in his own way."""
    phase, commissioner = stage.phase, stage.commissioner
    place = auctioned(state, commissioner)
    district = auctioned_district(state, stage)
    if not isinstance(winner, int):
        settled, shuffle = cards_discarded(state, stage, ())
        won = event("dummy-won", place=place, bid=worth(stage.dummy))
        over, happened = dummy_builds(settled, phase, commissioner)
        return over, [won, *shuffle, *happened]
    offer = stage.offers[winner]
    cards = offer.cards
    colour, limit = offer.colour or "", limit_of(cards)
    settled, events = cards_discarded(state, stage, cards)
    won = event("auction-won", seat=winner, place=place, bid=offer.total, cards=list(cards))
    if state.seats[winner].reserve or (district is not None and is_full(district)):
        return replace(settled, stage=BuildOrStop(phase, commissioner, winner, colour, limit)), [won, *events]
    over, opening = auction_over(settled, phase, commissioner)
    return over, [won, *events, *opening]


def with_offer(offers: tuple[Offer, ...], seat: int, offer: Offer) -> tuple[Offer, ...]:
    after = list(offers)
    after[seat] = offer
    return tuple(after)


class Bid(MoveRule[State, moves.Bid]):
    """Cards of one colour and black ones are added, until the own total is above the highest bid."""

    move = moves.Bid

    def unavailable(self, state: State) -> Refusal | None:
        stage = state.stage
        assert isinstance(stage, BidOrPass)
        hand, offer = state.seats[stage.seat].hand, stage.offers[stage.seat]
        allowed = allowed_colours(state, stage, stage.seat)
        if not allowed.colours:
            return Refusal(allowed.rule, {"colours": "no colour", "allowed": "none"}, "/type")
        if hand.unknown:
            return None
        first = not offer.bids
        if first and not any(pile_of(card) in allowed.colours for card in hand.known):
            return refuse("fifth-avenue.auction.coloured-card", "/type", allowed=" or ".join(allowed.colours))
        most = offer.total + most_playable(hand.known, allowed.colours, first)
        highest = highest_bid(stage)
        return refuse("fifth-avenue.auction.higher", "/type", bid=most, highest=highest) if most <= highest else None

    def refusal(self, state: State, move: moves.Bid) -> Refusal | None:
        stage = state.stage
        assert isinstance(stage, BidOrPass)
        offer = stage.offers[move.seat]
        cards = multiset(move.cards)
        refusal = lacking(state, move.seat, cards, "/cards") or refuse_colour(
            allowed_colours(state, stage, move.seat), colours_of(cards), not offer.bids
        )
        if refusal:
            return refusal
        total, highest = offer.total + worth(cards), highest_bid(stage)
        if total <= highest:
            return refuse("fifth-avenue.auction.higher", "/cards", bid=total, highest=highest)
        return None

    def offered(self, state: State, all_payments: bool = False) -> Moves:
        stage = state.stage
        assert isinstance(stage, BidOrPass)
        seat = stage.seat
        offer = stage.offers[seat]
        missing = highest_bid(stage) - offer.total
        colours = allowed_colours(state, stage, seat).colours
        hand = state.seats[seat].hand
        bids = Bids(hand.open + hand.closed, colours, missing + 1, not offer.bids)
        return MappedMoves(bids, lambda cards: moves.Bid(seat, cards))

    def play(self, state: State, move: moves.Bid) -> Played[State]:
        stage = state.stage
        assert isinstance(stage, BidOrPass)
        cards = multiset(move.cards)
        offer = Offer((*stage.offers[move.seat].bids, cards))
        raised = replace(stage, offers=with_offer(stage.offers, move.seat, offer))
        laid_out = replace(state, seats=played_from_hand(state, move.seat, cards), stage=raised)
        after, events = auction_continued(laid_out, raised, move.seat, leading=move.seat)
        return after, [event("bid", seat=move.seat, cards=list(cards), bid=offer.total), *events]


class Pass(SureRule[moves.Pass]):
    """A pass is final and takes back all cards."""

    move = moves.Pass

    def candidates(self, state: State) -> Iterable[moves.Pass]:
        return (moves.Pass(seat_in_stage(state)),)

    def refusal(self, state: State, move: moves.Pass) -> None:
        return None

    def play(self, state: State, move: moves.Pass) -> Played[State]:
        stage = state.stage
        assert isinstance(stage, BidOrPass)
        seats, cards = state.seats, stage.offers[move.seat].cards
        if cards:
            seats = with_hand(state, move.seat, gain_open(seats[move.seat].hand, cards))
        left = replace(stage, offers=with_offer(stage.offers, move.seat, PASSED))
        passed = replace(state, seats=seats, stage=left)
        after, events = auction_continued(passed, left, move.seat, leader(left))
        return after, [event("passed", seat=move.seat), *events]


# --- auctions: building ----------------------------------------------------------------------------------------------


class Build(SureRule[moves.Build]):
    """From none up to what the highest card allows, from the reserve."""

    move = moves.Build

    def unavailable(self, state: State) -> Refusal | None:
        stage = state.stage
        assert isinstance(stage, BuildOrStop)
        district = auctioned_district(state, stage)
        if district is not None and is_full(district) and not has_building(district, stage.seat):
            return refuse("fifth-avenue.stop.newcomer", "/type", seat=stage.seat)
        return None

    def candidates(self, state: State) -> Iterable[moves.Build]:
        stage = state.stage
        assert isinstance(stage, BuildOrStop)
        most = min(stage.limit, state.seats[stage.seat].reserve)
        return (moves.Build(stage.seat, number) for number in range(most + 1))

    def refusal(self, state: State, move: moves.Build) -> Refusal | None:
        stage = state.stage
        assert isinstance(stage, BuildOrStop)
        if move.buildings > stage.limit:
            return refuse("fifth-avenue.auction.limit", "/buildings", buildings=move.buildings, limit=stage.limit)
        reserve = state.seats[move.seat].reserve
        if move.buildings > reserve:
            return refuse("fifth-avenue.auction.reserve", "/buildings", buildings=move.buildings, reserve=reserve)
        return None

    def play(self, state: State, move: moves.Build) -> Played[State]:
        stage = state.stage
        assert isinstance(stage, BuildOrStop)
        seat, number = state.seats[move.seat], move.buildings
        place, district = auctioned(state, stage.commissioner), auctioned_district(state, stage)
        events = []
        if not number:
            events.append(event("nothing-built", seat=move.seat, place=place))
        elif district is None:
            seat = replace(seat, central_park=seat.central_park + number)
            events.append(event("built-in-central-park", seat=move.seat, buildings=number))
        else:
            lot = Lot(owner=move.seat, buildings=district[stage.colour].buildings + number)
            state = replace(state, districts=state.districts.with_district(place, district.with_lot(stage.colour, lot)))
            events.append(built_event(move.seat, place, stage.colour, number))
        seats = with_seat(state, move.seat, replace(seat, reserve=seat.reserve - number))
        over, opening = auction_over(replace(state, seats=seats), stage.phase, stage.commissioner)
        return over, [*events, *opening]


# --- auctions: the building stop -------------------------------------------------------------------------------------


class OrderStop(SureRule[moves.OrderStop]):
    """Where every lot was taken before the auction, its winner may close the district; a newcomer must."""

    move = moves.OrderStop

    def unavailable(self, state: State) -> Refusal | None:
        stage = state.stage
        assert isinstance(stage, BuildOrStop)
        district = auctioned_district(state, stage)
        if district is None:
            return refuse("fifth-avenue.central-park.no-stop", "/type")
        if not is_full(district):
            empty = ", ".join(colour for colour, lot in district.facts.lots.items() if lot == EMPTY)
            return refuse("fifth-avenue.stop.full", "/type", empty=empty)
        return None

    def candidates(self, state: State) -> Iterable[moves.OrderStop]:
        return (moves.OrderStop(seat_in_stage(state)),)

    def refusal(self, state: State, move: moves.OrderStop) -> None:
        return None

    def play(self, state: State, move: moves.OrderStop) -> Played[State]:
        stage = state.stage
        assert isinstance(stage, BuildOrStop)
        return stopped(state, stage.phase, stage.commissioner, move.seat)


def stopped(state: State, phase: Literal[1, 3], commissioner: str, winner: Owner) -> Played[State]:
    """Who ordered it gets 1 point per building, the others half of a normal scoring; everything there is removed."""
    name = auctioned(state, commissioner)
    district = state.districts.known_open(name)
    totals = normal_totals(district, state.options.rings[name])
    own: Counter[Owner] = Counter()
    for _, owner, number in district.facts.built:
        own[owner] += number
    everything = own.total()
    ordered: Event = event("building-stop", district=name, rule="fifth-avenue.stop.order")
    ordered |= {"seat": winner} if isinstance(winner, int) else {"dummy": True}
    events, seats = [ordered], []
    for index, seat in enumerate(state.seats):
        points, details = totals.get(index, 0) // 2, {"total": totals.get(index, 0)}
        rule = "fifth-avenue.stop.others"
        if index == winner:
            points, details, rule = everything, {"buildings": everything}, "fifth-avenue.stop.winner"
        if points:
            scored = event("stop-scored", seat=index, points=points, rule=rule, district=name, **details)
            events.append(scored)
        seats.append(replace(seat, score=seat.score + points, removed=seat.removed + own[index]))
    closed = replace(
        state,
        seats=tuple(seats),
        districts=state.districts.with_district(name, None),
        markers={colour: multiset(set(there) - {name}) for colour, there in state.markers.items()},
        removed_businesses=plus(state.removed_businesses, district.facts.businesses),
        dummy_removed=None if state.dummy_removed is None else state.dummy_removed + own[DUMMY],
    )
    if len(closed.districts.closed) == STOPS:
        ended, ending = game_ended(closed, "fifth-avenue.end.second-stop")
        return ended, [*events, *ending]
    opened, opening = auction_opened(closed, phase, commissioner)
    return opened, [*events, *opening]


# --- auctions: the dummy ---------------------------------------------------------------------------------------------


class DummyCard(ChanceRule[State, moves.TurnCard]):
    """Black cards are turned up for the dummy until two have the same value, or none is left."""

    move = moves.TurnCard
    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return next_cards(state, BLACK)

    def play(self, state: State, move: moves.TurnCard) -> Played[State]:
        stage = state.stage
        assert isinstance(stage, TurnDummyCard)
        turned = replace(stage, dummy=plus(stage.dummy, (move.card,)))
        after, shuffle = shuffled_if_due(replace(state, stage=turned, shuffled_in=without_turned(state, move.card)))
        events = [event("dummy-card-turned", card=move.card), *shuffle]
        if not bid_is_complete(turned.dummy) and has_face_down(after, BLACK):
            return after, events
        cards = turned.dummy
        bid = event("dummy-bid", cards=list(cards), bid=worth(cards), rule="fifth-avenue.dummy.bid")
        continued, happened = auction_continued(after, turned, DUMMY, leader(turned))
        return continued, [*events, bid, *happened]


def dummy_builds(state: State, phase: Literal[1, 3], commissioner: str) -> Played[State]:
    """One building on every empty lot that is worth most; without an empty lot he stops the district."""
    place = auctioned(state, commissioner)
    district = state.districts.at(place)
    if district is None:
        over, opening = auction_over(state, phase, commissioner)
        return over, [event("dummy-builds-nothing", place=place, rule="fifth-avenue.dummy.central-park"), *opening]
    if not district.facts.empty:
        return stopped(state, phase, commissioner, DUMMY)
    events = []
    built = state
    for colour, points in lots_to_build_on(district, state.options.rings[place], dummy_supply(state)):
        lot = Lot(owner=DUMMY, buildings=1)
        built = replace(built, districts=built.districts.with_lot(place, colour, lot))
        events.append(
            event("dummy-built", district=place, lot=colour, each=points, buildings=1, rule="fifth-avenue.dummy.builds")
        )
    over, opening = auction_over(built, phase, commissioner)
    return over, [*events, *opening]


# --- the end ---------------------------------------------------------------------------------------------------------


class ParkTile(ChanceRule[State, moves.DrawBusiness]):
    """Three tiles from under Central Park."""

    move = moves.DrawBusiness
    refuses = "fifth-avenue.end.under-central-park"

    def outcomes(self, state: State) -> Outcomes:
        under = state.under_central_park
        return Outcomes({business: under.count(business) for business in kinds(under)})

    def play(self, state: State, move: moves.DrawBusiness) -> Played[State]:
        drawn = plus(state.park_tiles or (), (move.business,))
        after = replace(
            state,
            under_central_park=minus(state.under_central_park, (move.business,)),
            park_tiles=drawn,
            stage=GameOver() if len(drawn) == PARK_TILES else state.stage,
        )
        return after, [event("park-tile-drawn", business=move.business)]


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS: tuple[SeatDecision[State] | ChanceDecision[State], ...] = (
    ChanceDecision(DrawStartingBusiness, StartingBusiness()),
    ChanceDecision(DrawStartingLot, StartingLot()),
    ChanceDecision(DrawRowBusiness, RowBusiness()),
    ChanceDecision(DealCard, Deal()),
    ChanceDecision(RevealFirstTop, FirstTop()),
    SeatDecision(PlaceFirstBuilding, first_builder, (FirstBuilding(),)),
    SeatDecision(ChooseOption, active_seat, (TakeBuildings(), PlaceBusiness(), TakeBlackCard(), ScoreDistrict())),
    ChanceDecision(DrawBlackCard, DrawBlack()),
    SeatDecision(TakeCards, active_seat, (TakeTwoCards(),)),
    ChanceDecision(RevealTop, NewTop()),
    SeatDecision(MoveCommissioner, active_seat, (Commissioner(),)),
    SeatDecision(BidOrPass, seat_in_stage, (Bid(), Pass())),
    ChanceDecision(TurnDummyCard, DummyCard()),
    SeatDecision(BuildOrStop, seat_in_stage, (Build(), OrderStop())),
    ChanceDecision(DrawParkTile, ParkTile()),
)
