"""Auctions: bidding, building, the building stop, and the dummy's part in them."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Literal

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import (
    BareRule,
    ChanceDecision,
    ChanceRule,
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
from capomastro.engine.hands import gain_open
from capomastro.engine.multisets import minus, multiset, plus
from capomastro.engine.piles import without_revealed
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.seats import replaced, with_seat
from capomastro.engine.selections import Chained
from capomastro.games.fifth_avenue import events, moves, stages
from capomastro.games.fifth_avenue.auction import (
    allowed_colours,
    auctioned,
    auctioned_district,
    highest_bid,
    leader,
    refuse_colour,
    turn_order,
)
from capomastro.games.fifth_avenue.bids import bids_by_colour, colours_of, limit_of, most_playable, worth
from capomastro.games.fifth_avenue.components import BLACK, CENTRAL_PARK, DUMMY, STOPS, pile_of
from capomastro.games.fifth_avenue.decisions.end import game_ended
from capomastro.games.fifth_avenue.decisions.phases import turn_resumed
from capomastro.games.fifth_avenue.dummy import bid_is_complete, dummy_built
from capomastro.games.fifth_avenue.lots import EMPTY, Lot, Owner, has_building, is_full
from capomastro.games.fifth_avenue.piles import (
    discarded,
    has_face_down,
    next_cards,
    played_from_hand,
    refuse_missing_cards,
    reshuffled_if_empty,
)
from capomastro.games.fifth_avenue.scoring import stop_scored
from capomastro.games.fifth_avenue.state import State

# --- the order of auctions -------------------------------------------------------------------------------------------


def auction_opened(state: State, phase: Literal[1, 3], commissioner: str) -> Played[State]:
    """Opens the next auction of a set; the player who moved the commissioner begins."""
    offers = (stages.NO_OFFER,) * len(state.seats)
    opened = replace(state, stage=stages.BidOrPass(phase, commissioner, state.active_seat, offers, ()))
    return opened, [events.AuctionOpened(state.active_seat, auctioned(state, commissioner))]


def auction_over(state: State, stage: stages.Auction) -> Played[State]:
    """Returns the marker to City Hall and opens the next auction; after Central Park, the turn continues."""
    phase, commissioner = stage.phase, stage.commissioner
    place = auctioned(state, commissioner)
    if place == CENTRAL_PARK:
        return turn_resumed(state, phase), []
    rest = minus(state.markers[commissioner], (place,))
    return auction_opened(replace(state, markers={**state.markers, commissioner: rest}), phase, commissioner)


def auction_continued(
    state: State, stage: stages.BidOrPass | stages.TurnDummyCard, last: Owner, leading: Owner | None
) -> Played[State]:
    """The next player after `last` who may still bid; if they lead, they win; if there is none, nobody has bid."""
    phase, commissioner, offers = stage.phase, stage.commissioner, stage.offers
    for bidder in turn_order(state.active_seat, len(state.seats), last):
        if bidder == leading:
            return auction_won(state, stage, bidder)
        if not isinstance(bidder, int):
            if not stage.dummy and has_face_down(state, BLACK):
                return replace(state, stage=stages.TurnDummyCard(phase, commissioner, offers, ())), []
        elif not offers[bidder].passed:
            return replace(state, stage=stages.BidOrPass(phase, commissioner, bidder, offers, stage.dummy)), []
    unsold = events.NothingSold(auctioned(state, commissioner), "fifth-avenue.auction.nobody-bids")
    settled, shuffle = cards_discarded(state, stage, ())
    return then([unsold, *shuffle], auction_over(settled, stage))


def cards_discarded(
    state: State, stage: stages.BidOrPass | stages.TurnDummyCard, cards: tuple[str, ...]
) -> Played[State]:
    """Discards the cards of the winner and of the dummy."""
    cleared = replace(discarded(state, (*cards, *stage.dummy)), stage=stages.MoveCommissioner(stage.phase))
    return reshuffled_if_empty(cleared)


def auction_won(state: State, stage: stages.BidOrPass | stages.TurnDummyCard, winner: Owner) -> Played[State]:
    """Discards the cards; then the winner builds or stops, the dummy in its own way."""
    place, district = auctioned(state, stage.commissioner), auctioned_district(state, stage)
    if not isinstance(winner, int):
        settled, shuffle = cards_discarded(state, stage, ())
        dummy_won = events.DummyWon(place, worth(stage.dummy))
        return then([dummy_won, *shuffle], dummy_builds_or_stops(settled, stage))
    offer = stage.offers[winner]
    settled, shuffle = cards_discarded(state, stage, offer.cards)
    won = events.AuctionWon(winner, place, offer.total, offer.cards)
    if state.seats[winner].reserve or (district is not None and is_full(district)):
        colour, limit = offer.colour or "", limit_of(offer.cards)
        building = stages.BuildOrStop(stage.phase, stage.commissioner, winner, colour, limit)
        return replace(settled, stage=building), [won, *shuffle]
    return then([won, *shuffle], auction_over(settled, stage))


# --- bidding ---------------------------------------------------------------------------------------------------------


class BidRule(MoveRule[State, moves.Bid]):
    """Adds cards of one colour and black ones, until the player's total is above the highest bid."""

    rules = ("fifth-avenue.auction.cards",)

    def unavailable(self, state: State) -> Refusal | None:
        stage = stage_of(state, stages.BidOrPass)
        hand, offer = state.seats[stage.seat].hand, stage.offers[stage.seat]
        allowed = allowed_colours(state, stage, stage.seat)
        if not allowed.colours:
            return Refusal(allowed.rule, {"colours": (), "allowed": ()}, "/type")
        if hand.unknown:
            return None
        first = not offer.bids
        if first and not any(pile_of(card) in allowed.colours for card in hand.known):
            return refuse("fifth-avenue.auction.coloured-card", "/type")
        most = offer.total + most_playable(hand.known, allowed.colours, first)
        highest = highest_bid(stage)
        return refuse("fifth-avenue.auction.higher", "/type", bid=most, highest=highest) if most <= highest else None

    def refusal(self, state: State, move: moves.Bid) -> Refusal | None:
        stage = stage_of(state, stages.BidOrPass)
        offer = stage.offers[move.seat]
        cards = multiset(move.cards)
        refusal = refuse_missing_cards(state, move.seat, cards, "/cards") or refuse_colour(
            allowed_colours(state, stage, move.seat), colours_of(cards), not offer.bids
        )
        if refusal:
            return refusal
        total, highest = offer.total + worth(cards), highest_bid(stage)
        if total <= highest:
            return refuse("fifth-avenue.auction.higher", "/cards", bid=total, highest=highest)
        return None

    def offered(self, state: State) -> Moves:
        """Sets of cards that are worth enough; counted by tables, because there can be millions."""
        stage = stage_of(state, stages.BidOrPass)
        seat = stage.seat
        offer = stage.offers[seat]
        missing = highest_bid(stage) - offer.total
        colours = allowed_colours(state, stage, seat).colours
        hand = state.seats[seat].hand
        bids = bids_by_colour(hand.open + hand.closed, colours, missing + 1, not offer.bids)
        return MappedMoves(Chained(bids), partial(moves.Bid, seat))

    def play(self, state: State, move: moves.Bid) -> Played[State]:
        stage = stage_of(state, stages.BidOrPass)
        cards = multiset(move.cards)
        offer = stages.Offer((*stage.offers[move.seat].bids, cards))
        raised = replace(stage, offers=replaced(stage.offers, move.seat, offer))
        laid_out = replace(state, seats=played_from_hand(state, move.seat, cards), stage=raised)
        bid = events.Bid(move.seat, cards, offer.total)
        return then([bid], auction_continued(laid_out, raised, move.seat, leading=move.seat))


class PassRule(BareRule[State, moves.Pass]):
    """A pass is final; the player takes back all cards."""

    rules = ("fifth-avenue.auction.pass", "fifth-avenue.auction.discards")

    def play(self, state: State, move: moves.Pass) -> Played[State]:
        stage = stage_of(state, stages.BidOrPass)
        seats, cards = state.seats, stage.offers[move.seat].cards
        if cards:
            seats = with_seat(state, move.seat, hand=gain_open(seats[move.seat].hand, cards))
        left = replace(stage, offers=replaced(stage.offers, move.seat, stages.PASSED))
        passed = replace(state, seats=seats, stage=left)
        return then([events.Passed(move.seat)], auction_continued(passed, left, move.seat, leader(left)))


# --- building --------------------------------------------------------------------------------------------------------


class BuildRule(SureRule[State, moves.Build]):
    """Builds from the reserve, from none up to what the highest card allows."""

    rules = ("fifth-avenue.auction.one-lot",)

    def unavailable(self, state: State) -> Refusal | None:
        stage = stage_of(state, stages.BuildOrStop)
        district = auctioned_district(state, stage)
        if district is not None and is_full(district) and not has_building(district, stage.seat):
            return refuse("fifth-avenue.stop.newcomer", "/type", seat=stage.seat)
        return None

    def candidates(self, state: State) -> Iterable[moves.Build]:
        stage = stage_of(state, stages.BuildOrStop)
        most = min(stage.limit, state.seats[stage.seat].reserve)
        return (moves.Build(stage.seat, number) for number in range(most + 1))

    def refusal(self, state: State, move: moves.Build) -> Refusal | None:
        stage = stage_of(state, stages.BuildOrStop)
        if move.buildings > stage.limit:
            return refuse("fifth-avenue.auction.limit", "/buildings", buildings=move.buildings, limit=stage.limit)
        reserve = state.seats[move.seat].reserve
        if move.buildings > reserve:
            return refuse("fifth-avenue.auction.reserve", "/buildings", buildings=move.buildings, reserve=reserve)
        return None

    def play(self, state: State, move: moves.Build) -> Played[State]:
        stage = stage_of(state, stages.BuildOrStop)
        own, number = state.seats[move.seat], move.buildings
        place, district = auctioned(state, stage.commissioner), auctioned_district(state, stage)
        in_park, happened = own.central_park, list[Event]()
        if not number:
            happened.append(events.NothingBuilt(move.seat, place))
        elif district is None:
            in_park += number
            happened.append(events.BuiltInCentralPark(move.seat, number))
        else:
            lot = Lot(owner=move.seat, buildings=district[stage.colour].buildings + number)
            state = replace(state, districts=state.districts.with_district(place, district.with_lot(stage.colour, lot)))
            happened.append(events.Built(move.seat, place, stage.colour, number))
        seats = with_seat(state, move.seat, central_park=in_park, reserve=own.reserve - number)
        return then(happened, auction_over(replace(state, seats=seats), stage))


# --- the building stop -----------------------------------------------------------------------------------------------


class OrderStopRule(BareRule[State, moves.OrderStop]):
    """If every lot was taken before the auction, the winner may close the district; a newcomer must."""

    rules = ("fifth-avenue.stop.removed", "fifth-avenue.stop.removed-businesses", "fifth-avenue.stop.two")

    def unavailable(self, state: State) -> Refusal | None:
        stage = stage_of(state, stages.BuildOrStop)
        district = auctioned_district(state, stage)
        if district is None:
            return refuse("fifth-avenue.central-park.no-stop", "/type")
        if not is_full(district):
            empty = tuple([colour for colour, lot in district.facts.lots.items() if lot == EMPTY])
            return refuse("fifth-avenue.stop.full", "/type", empty=empty)
        return None

    def play(self, state: State, move: moves.OrderStop) -> Played[State]:
        return stopped(state, stage_of(state, stages.BuildOrStop), move.seat)


def stopped(state: State, stage: stages.Auction, winner: Owner) -> Played[State]:
    """Scores and closes the district, and removes everything in it; the second stop ends the game."""
    name = auctioned(state, stage.commissioner)
    facts = state.districts.known_open(name).facts
    removed = Counter[Owner]()
    for _, owner, number in facts.built:
        removed[owner] += number
    seat = winner if isinstance(winner, int) else None
    ordered = events.BuildingStop(name, "fifth-avenue.stop.order", seat, dummy=seat is None)
    seats, scored = stop_scored(state, name, winner)
    closed = replace(
        state,
        seats=tuple(replace(own, removed=own.removed + removed[index]) for index, own in enumerate(seats)),
        districts=state.districts.with_district(name, None),
        markers={colour: multiset(set(there) - {name}) for colour, there in state.markers.items()},
        removed_businesses=plus(state.removed_businesses, facts.businesses),
        dummy_removed=None if state.dummy_removed is None else state.dummy_removed + removed[DUMMY],
    )
    if len(closed.districts.closed) == STOPS:
        return then([ordered, *scored], game_ended(closed, "fifth-avenue.end.second-stop"))
    return then([ordered, *scored], auction_opened(closed, stage.phase, stage.commissioner))


# --- the dummy -------------------------------------------------------------------------------------------------------


class TurnDummyCardRule(ChanceRule[State, moves.TurnCard]):
    """Turns up black cards for the dummy until two have the same value or none is left."""

    rules = ("fifth-avenue.dummy.discards", "fifth-avenue.dummy.stops")
    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return next_cards(state, BLACK)

    def play(self, state: State, move: moves.TurnCard) -> Played[State]:
        stage = stage_of(state, stages.TurnDummyCard)
        turned = replace(stage, dummy=plus(stage.dummy, (move.card,)))
        after, shuffle = reshuffled_if_empty(
            replace(state, stage=turned, shuffled_in=without_revealed(state.shuffled_in, move.card))
        )
        happened = [events.DummyCardTurned(move.card), *shuffle]
        if not bid_is_complete(turned.dummy) and has_face_down(after, BLACK):
            return after, happened
        bid = events.DummyBid(turned.dummy, worth(turned.dummy), "fifth-avenue.dummy.bid")
        return then([*happened, bid], auction_continued(after, turned, DUMMY, leader(turned)))


def dummy_builds_or_stops(state: State, stage: stages.Auction) -> Played[State]:
    """The dummy builds if a lot is empty, otherwise it stops the district; it builds nothing in Central Park."""
    place, district = auctioned(state, stage.commissioner), auctioned_district(state, stage)
    if district is None:
        nothing = events.DummyBuildsNothing(place, "fifth-avenue.dummy.central-park")
        return then([nothing], auction_over(state, stage))
    if not district.facts.empty:
        return stopped(state, stage, DUMMY)
    built, happened = dummy_built(state, place)
    return then(happened, auction_over(built, stage))


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS = (
    SeatDecision(stages.BidOrPass, (BidRule(), PassRule())),
    ChanceDecision(stages.TurnDummyCard, TurnDummyCardRule()),
    SeatDecision(stages.BuildOrStop, (BuildRule(), OrderStopRule())),
)
