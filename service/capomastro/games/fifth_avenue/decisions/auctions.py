"""Auctions: bidding, building, the building stop, and the dummy's part in them."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import ChanceRule, Event, MappedMoves, MoveRule, Moves, Played, event, seat_in_stage
from capomastro.engine.hands import gain_open
from capomastro.engine.multisets import minus, multiset, plus
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
from capomastro.games.fifth_avenue.components import BLACK, CENTRAL_PARK, DUMMY, STOPS, pile_of
from capomastro.games.fifth_avenue.decisions.end import game_ended
from capomastro.games.fifth_avenue.decisions.phases import SureRule, turn_resumed
from capomastro.games.fifth_avenue.dummy import bid_is_complete, dummy_built
from capomastro.games.fifth_avenue.lots import EMPTY, Lot, Owner, has_building, is_full
from capomastro.games.fifth_avenue.piles import (
    discarded,
    has_face_down,
    lacking,
    next_cards,
    played_from_hand,
    shuffled_if_due,
    without_turned,
)
from capomastro.games.fifth_avenue.scoring import stop_scored
from capomastro.games.fifth_avenue.state import (
    NO_OFFER,
    PASSED,
    BidOrPass,
    BuildOrStop,
    MoveCommissioner,
    Offer,
    State,
    TurnDummyCard,
    with_hand,
    with_seat,
)

# --- the order of auctions -------------------------------------------------------------------------------------------


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
    """The next after `last` who may still bid: if they lead, they have won; if there is none, nobody has bid."""
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
    """The cards are discarded; then the winner builds or stops, the dummy in its own way."""
    phase, commissioner = stage.phase, stage.commissioner
    place = auctioned(state, commissioner)
    district = auctioned_district(state, stage)
    if not isinstance(winner, int):
        settled, shuffle = cards_discarded(state, stage, ())
        won = event("dummy-won", place=place, bid=worth(stage.dummy))
        over, happened = dummy_builds_or_stops(settled, phase, commissioner)
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


# --- bidding ---------------------------------------------------------------------------------------------------------


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


# --- building --------------------------------------------------------------------------------------------------------


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
            events.append(event("built", seat=move.seat, district=place, lot=stage.colour, buildings=number))
        seats = with_seat(state, move.seat, replace(seat, reserve=seat.reserve - number))
        over, opening = auction_over(replace(state, seats=seats), stage.phase, stage.commissioner)
        return over, [*events, *opening]


# --- the building stop -----------------------------------------------------------------------------------------------


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
    """The district is scored and closed, and everything there removed; the second stop ends the game."""
    name = auctioned(state, commissioner)
    facts = state.districts.known_open(name).facts
    removed = Counter[Owner]()
    for _, owner, number in facts.built:
        removed[owner] += number
    ordered: Event = event("building-stop", district=name, rule="fifth-avenue.stop.order")
    ordered |= {"seat": winner} if isinstance(winner, int) else {"dummy": True}
    seats, scored = stop_scored(state, name, winner)
    closed = replace(
        state,
        seats=tuple(replace(seat, removed=seat.removed + removed[index]) for index, seat in enumerate(seats)),
        districts=state.districts.with_district(name, None),
        markers={colour: multiset(set(there) - {name}) for colour, there in state.markers.items()},
        removed_businesses=plus(state.removed_businesses, facts.businesses),
        dummy_removed=None if state.dummy_removed is None else state.dummy_removed + removed[DUMMY],
    )
    if len(closed.districts.closed) == STOPS:
        ended, ending = game_ended(closed, "fifth-avenue.end.second-stop")
        return ended, [ordered, *scored, *ending]
    opened, opening = auction_opened(closed, phase, commissioner)
    return opened, [ordered, *scored, *opening]


# --- the dummy -------------------------------------------------------------------------------------------------------


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


def dummy_builds_or_stops(state: State, phase: Literal[1, 3], commissioner: str) -> Played[State]:
    """The dummy builds where a lot is empty, else it stops the district; it builds nothing in Central Park."""
    place = auctioned(state, commissioner)
    district = state.districts.at(place)
    if district is None:
        built, events = state, [event("dummy-builds-nothing", place=place, rule="fifth-avenue.dummy.central-park")]
    elif district.facts.empty:
        built, events = dummy_built(state, place)
    else:
        return stopped(state, phase, commissioner, DUMMY)
    over, opening = auction_over(built, phase, commissioner)
    return over, [*events, *opening]
