"""Auctions (rulebook: "Auctions"): what is auctioned, in which colour, how one bids, builds and closes a district."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Literal, NamedTuple

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
from capomastro.engine.multisets import Multiset, minus, multiset, plus
from capomastro.engine.piles import without_revealed
from capomastro.engine.refusals import Refusal, enforces, refuse
from capomastro.engine.seats import replaced, with_seat
from capomastro.games.fifth_avenue import events, moves, stages
from capomastro.games.fifth_avenue.bids import bids_from, colours_of, highest_bid_from, limit_of, worth
from capomastro.games.fifth_avenue.components import BLACK, CENTRAL_PARK, COLOURS, COLUMN, DUMMY, STOPS
from capomastro.games.fifth_avenue.decisions.course import continue_turn, end_game
from capomastro.games.fifth_avenue.lots import (
    EMPTY,
    District,
    Lot,
    Owner,
    Ring,
    buildings_in,
    business_lots,
    businesses_in,
    empty_lots,
    has_building,
    is_full,
    lot_of,
)
from capomastro.games.fifth_avenue.scoring import points_of_a_building, score_stop
from capomastro.games.fifth_avenue.state import State
from capomastro.games.fifth_avenue.supplies import (
    discard,
    dummy_supply,
    face_down,
    has_dummy,
    next_cards,
    play_from_hand,
    reshuffle_if_empty,
    why_not_in_hand,
)

Bidding = stages.BidOrPass | stages.TurnDummyCard
"""The stages of an auction before it is won."""

# --- what is auctioned -----------------------------------------------------------------------------------------------


@enforces("fifth-avenue.auction.order")
def auctioned(state: State, commissioner: str) -> str:
    """The place being auctioned: the leftmost district with a marker of the commissioner, finally Central Park."""
    return min(state.markers[commissioner], key=COLUMN.__getitem__, default=CENTRAL_PARK)


def auctioned_district(state: State, stage: stages.Auction) -> District | None:
    """The district being auctioned; None if it is Central Park."""
    place = auctioned(state, stage.commissioner)
    return None if place == CENTRAL_PARK else state.districts[place]


def open_auction(state: State, phase: Literal[1, 3], commissioner: str) -> Played[State]:
    """Opens the next auction; the player who moved the commissioner begins."""
    offers = (stages.NO_OFFER,) * len(state.seats)
    opened = replace(state, stage=stages.BidOrPass(phase, commissioner, state.active_seat, offers, ()))
    return opened, [events.AuctionOpened(state.active_seat, auctioned(state, commissioner))]


def close_auction(state: State, stage: stages.Auction) -> Played[State]:
    """Returns the marker to City Hall and opens the next auction; after Central Park, the turn continues."""
    place = auctioned(state, stage.commissioner)
    if place == CENTRAL_PARK:
        return continue_turn(state, stage.phase), []
    rest = minus(state.markers[stage.commissioner], (place,))
    returned = replace(state, markers={**state.markers, stage.commissioner: rest})
    return open_auction(returned, stage.phase, stage.commissioner)


# --- the colour ------------------------------------------------------------------------------------------------------

ONE_COLOUR = "fifth-avenue.auction.one-colour"


class Allowed(NamedTuple):
    """The colours in which a player may bid, and the rule that says so."""

    rule: str
    colours: tuple[str, ...]


def allowed_for_district(district: District, seat: int) -> Allowed:
    """Own building there: only its colour. None there: that of an empty lot; if there is none, of one with businesses.

    So nobody bids in the colour of another player's lot.
    """
    if own := lot_of(district, seat):
        return Allowed("fifth-avenue.auction.own-lot", (own,))
    if empty := empty_lots(district):
        return Allowed("fifth-avenue.auction.empty-lots", empty)
    return Allowed("fifth-avenue.auction.business-lots", business_lots(district))


def allowed_colours(state: State, stage: stages.BidOrPass) -> Allowed:
    """The colours in which the bidder may bid: that of their earlier bids, otherwise those that the place allows.

    In Central Park the first bid fixes the colour for all.
    """
    if chosen := stage.offers[stage.seat].colour:
        return Allowed(ONE_COLOUR, (chosen,))
    if (district := auctioned_district(state, stage)) is not None:
        return allowed_for_district(district, stage.seat)
    fixed = [offer.colour for offer in stage.offers if offer.colour]
    return Allowed("fifth-avenue.central-park.colour", tuple(fixed[:1]) or COLOURS)


def why_not_in_colour(cards: Multiset, allowed: Allowed, first: bool) -> Refusal | None:
    """Why a bid cannot have these colours: one besides black, an allowed one, and never black alone at first."""
    colours = colours_of(cards)
    if len(colours) > 1:
        return refuse(ONE_COLOUR, "/cards", colours=colours)
    if not colours:
        return refuse("fifth-avenue.auction.coloured-card", "/cards") if first else None
    if colours[0] in allowed.colours:
        return None
    if allowed.rule == ONE_COLOUR:
        return refuse(ONE_COLOUR, "/cards", colours=allowed.colours + colours)
    return refuse(allowed.rule, "/cards", colours=colours, allowed=allowed.colours)


# --- bidding ---------------------------------------------------------------------------------------------------------


def highest_bid(stage: Bidding) -> int:
    """The bid to beat: the highest of the players', or the dummy's."""
    return max([worth(stage.dummy), *[offer.total for offer in stage.offers]])


def leader(stage: Bidding) -> Owner | None:
    """Who has bid most; the dummy only if it bids more than everybody else."""
    totals = [offer.total for offer in stage.offers]
    best = max(totals)
    if worth(stage.dummy) > best:
        return DUMMY
    return totals.index(best) if best else None


def why_not_bid(state: State, cards: Multiset) -> Refusal | None:
    """Why the bidder cannot add these cards: their colours, or because they are not enough."""
    stage = stage_of(state, stages.BidOrPass)
    offer, highest = stage.offers[stage.seat], highest_bid(stage)
    total = offer.total + worth(cards)
    if refusal := why_not_in_colour(cards, allowed_colours(state, stage), first=not offer.bids):
        return refusal
    return refuse("fifth-avenue.auction.higher", "/cards", bid=total, highest=highest) if total <= highest else None


class BidRule(MoveRule[State, moves.Bid]):
    """Adds cards of one colour and black ones, until the player's total is above the highest bid."""

    rules = ("fifth-avenue.auction.cards",)

    def unavailable(self, state: State) -> Refusal | None:
        """Why even the highest bid from the hand is refused; anything can be bid from a hand with unknown cards."""
        stage = stage_of(state, stages.BidOrPass)
        hand, allowed = state.seats[stage.seat].hand, allowed_colours(state, stage)
        if not allowed.colours:
            return Refusal(allowed.rule, {"colours": (), "allowed": ()}, "/type")
        if hand.unknown:
            return None
        refusal = why_not_bid(state, highest_bid_from(hand.known, allowed.colours))
        return refusal and Refusal(refusal.rule, refusal.numbers, "/type")

    def refusal(self, state: State, move: moves.Bid) -> Refusal | None:
        cards = multiset(move.cards)
        return why_not_in_hand(state, move.seat, cards, "/cards") or why_not_bid(state, cards)

    def offered(self, state: State) -> Moves:
        """Counted, not listed: a large hand allows millions of bids."""
        stage = stage_of(state, stages.BidOrPass)
        offer, hand = stage.offers[stage.seat], state.seats[stage.seat].hand
        at_least = highest_bid(stage) - offer.total + 1
        bids = bids_from(hand.known, allowed_colours(state, stage).colours, at_least, first=not offer.bids)
        return MappedMoves(bids, partial(moves.Bid, stage.seat))

    def play(self, state: State, move: moves.Bid) -> Played[State]:
        stage, cards = stage_of(state, stages.BidOrPass), multiset(move.cards)
        offer = stages.Offer((*stage.offers[move.seat].bids, cards))
        raised = replace(stage, offers=replaced(stage.offers, move.seat, offer))
        laid = replace(state, seats=play_from_hand(state, move.seat, cards), stage=raised)
        return then([events.Bid(move.seat, cards, offer.total)], continue_auction(laid, raised, move.seat))


class PassRule(BareRule[State, moves.Pass]):
    """A pass is final; the player takes back all cards."""

    rules = ("fifth-avenue.auction.pass", "fifth-avenue.auction.discards")

    def play(self, state: State, move: moves.Pass) -> Played[State]:
        stage = stage_of(state, stages.BidOrPass)
        hand = gain_open(state.seats[move.seat].hand, stage.offers[move.seat].cards)
        left = replace(stage, offers=replaced(stage.offers, move.seat, stages.PASSED))
        passed = replace(state, seats=with_seat(state, move.seat, hand=hand), stage=left)
        return then([events.Passed(move.seat)], continue_auction(passed, left, move.seat))


@enforces("fifth-avenue.auction.order")
def bidders_after(state: State, last: Owner) -> list[Owner]:
    """Everybody in the order of bidding, from the one after `last` to `last`: the opener, then clockwise.

    With two players, the dummy is always third.
    """
    players = len(state.seats)
    order: list[Owner] = [(state.active_seat + steps) % players for steps in range(players)]
    if has_dummy(state):
        order.append(DUMMY)
    position = order.index(last) + 1
    return order[position:] + order[:position]


def continue_auction(state: State, stage: Bidding, last: Owner) -> Played[State]:
    """Asks the next one after `last` who has not passed; a leader whose turn comes again wins."""
    leading = leader(stage)
    for bidder in bidders_after(state, last):
        if bidder == leading:
            return win_auction(state, stage, bidder)
        if not isinstance(bidder, int):
            if not stage.dummy and face_down(state, BLACK):
                return replace(state, stage=stages.TurnDummyCard(stage.phase, stage.commissioner, stage.offers, ())), []
        elif not stage.offers[bidder].passed:
            asked = stages.BidOrPass(stage.phase, stage.commissioner, bidder, stage.offers, stage.dummy)
            return replace(state, stage=asked), []
    unsold = events.NothingSold(auctioned(state, stage.commissioner), "fifth-avenue.auction.nobody-bids")
    settled, shuffle = discard_bids(state, stage)
    return then([unsold, *shuffle], close_auction(settled, stage))


def discard_bids(state: State, stage: Bidding, winning: tuple[str, ...] = ()) -> Played[State]:
    """Discards the cards of the winner and of the dummy: no other cards are left in an auction that is over."""
    emptied = replace(stage, offers=(stages.NO_OFFER,) * len(stage.offers), dummy=())
    return reshuffle_if_empty(discard(replace(state, stage=emptied), (*winning, *stage.dummy)))


def win_auction(state: State, stage: Bidding, winner: Owner) -> Played[State]:
    """Discards the cards; then the winner builds or stops, the dummy in its own way."""
    place, district = auctioned(state, stage.commissioner), auctioned_district(state, stage)
    if not isinstance(winner, int):
        settled, shuffle = discard_bids(state, stage)
        dummy_won = events.DummyWon(place, worth(stage.dummy))
        return then([dummy_won, *shuffle], build_or_stop_for_dummy(settled, stage))
    offer = stage.offers[winner]
    settled, shuffle = discard_bids(state, stage, offer.cards)
    won = events.AuctionWon(winner, place, offer.total, offer.cards)
    if state.seats[winner].reserve or (district is not None and is_full(district)):
        colour, limit = offer.colour or "", limit_of(offer.cards)
        building = stages.BuildOrStop(stage.phase, stage.commissioner, winner, colour, limit)
        return replace(settled, stage=building), [won, *shuffle]
    return then([won, *shuffle], close_auction(settled, stage))


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
        return [moves.Build(stage.seat, number) for number in range(most + 1)]

    def refusal(self, state: State, move: moves.Build) -> Refusal | None:
        limit, reserve = stage_of(state, stages.BuildOrStop).limit, state.seats[move.seat].reserve
        if move.buildings > limit:
            return refuse("fifth-avenue.auction.limit", "/buildings", buildings=move.buildings, limit=limit)
        if move.buildings > reserve:
            return refuse("fifth-avenue.auction.reserve", "/buildings", buildings=move.buildings, reserve=reserve)
        return None

    def play(self, state: State, move: moves.Build) -> Played[State]:
        stage, seat = stage_of(state, stages.BuildOrStop), state.seats[move.seat]
        place, district = auctioned(state, stage.commissioner), auctioned_district(state, stage)
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
        return then([happened], close_auction(replace(state, seats=seats, districts=districts), stage))


# --- the building stop -----------------------------------------------------------------------------------------------


class OrderStopRule(BareRule[State, moves.OrderStop]):
    """If every lot was taken before the auction, the winner may close the district; a newcomer must."""

    rules = ("fifth-avenue.stop.removed", "fifth-avenue.stop.removed-businesses", "fifth-avenue.stop.two")

    def unavailable(self, state: State) -> Refusal | None:
        district = auctioned_district(state, stage_of(state, stages.BuildOrStop))
        if district is None:
            return refuse("fifth-avenue.central-park.no-stop", "/type")
        if not is_full(district):
            empty = tuple([colour for colour, lot in district.lots if lot == EMPTY])
            return refuse("fifth-avenue.stop.full", "/type", empty=empty)
        return None

    def play(self, state: State, move: moves.OrderStop) -> Played[State]:
        return stop_district(state, stage_of(state, stages.BuildOrStop), move.seat)


def stop_district(state: State, stage: stages.Auction, winner: Owner) -> Played[State]:
    """Scores and closes the district, and removes everything in it; the second stop ends the game."""
    name = auctioned(state, stage.commissioner)
    district = state.districts.known_open(name)
    removed = Counter[Owner]()
    for _, owner, buildings in buildings_in(district):
        removed[owner] += buildings
    seat = winner if isinstance(winner, int) else None
    ordered = events.BuildingStop(name, "fifth-avenue.stop.order", seat, dummy=seat is None)
    seats, scored = score_stop(state, name, winner)
    closed = replace(
        state,
        seats=tuple([replace(scorer, removed=scorer.removed + removed[index]) for index, scorer in enumerate(seats)]),
        districts=state.districts.with_district(name, None),
        markers={colour: multiset(set(marked) - {name}) for colour, marked in state.markers.items()},
        removed_businesses=plus(state.removed_businesses, businesses_in(district)),
        dummy_removed=None if state.dummy_removed is None else state.dummy_removed + removed[DUMMY],
    )
    if len(closed.districts.closed) == STOPS:
        return then([ordered, *scored], end_game(closed, "fifth-avenue.end.second-stop"))
    return then([ordered, *scored], open_auction(closed, stage.phase, stage.commissioner))


# --- the dummy (rulebook: "Special rules for games with two players") ------------------------------------------------


class TurnDummyCardRule(ChanceRule[State, moves.TurnCard]):
    """Turns up black cards for the dummy until two have the same value or none is left."""

    rules = ("fifth-avenue.dummy.discards", "fifth-avenue.dummy.stops")
    refuses = "fifth-avenue.draw.card"

    def outcomes(self, state: State) -> Outcomes:
        return next_cards(state, BLACK)

    def play(self, state: State, move: moves.TurnCard) -> Played[State]:
        stage = stage_of(state, stages.TurnDummyCard)
        turned = replace(stage, dummy=plus(stage.dummy, (move.card,)))
        revealed = replace(state, stage=turned, shuffled_in=without_revealed(state.shuffled_in, move.card))
        after, shuffle = reshuffle_if_empty(revealed)
        happened = [events.DummyCardTurned(move.card), *shuffle]
        if not pairs_among(turned.dummy) and face_down(after, BLACK):
            return after, happened
        bid = events.DummyBid(turned.dummy, worth(turned.dummy), "fifth-avenue.dummy.bid")
        return then([*happened, bid], continue_auction(after, turned, DUMMY))


@enforces("fifth-avenue.dummy.pair")
def pairs_among(cards: Multiset) -> int:
    """The number of cards of the dummy with the same value as another: at the first, its bid is complete."""
    return len(cards) - len(set(cards))


def build_or_stop_for_dummy(state: State, stage: stages.Auction) -> Played[State]:
    """The dummy builds if a lot is empty, otherwise it stops the district; it builds nothing in Central Park."""
    place, district = auctioned(state, stage.commissioner), auctioned_district(state, stage)
    if district is None:
        nothing = events.DummyBuildsNothing(place, "fifth-avenue.dummy.central-park")
        return then([nothing], close_auction(state, stage))
    if not empty_lots(district):
        return stop_district(state, stage, DUMMY)
    happened, districts = list[Event](), state.districts
    for colour, points in best_lots(district, state.options.rings[place])[: dummy_supply(state)]:
        districts = districts.with_lot(place, colour, Lot(owner=DUMMY, buildings=1))
        happened.append(events.DummyBuilt(place, colour, points, 1, "fifth-avenue.dummy.builds"))
    return then(happened, close_auction(replace(state, districts=districts), stage))


def best_lots(district: District, ring: Ring) -> list[tuple[str, int]]:
    """The empty lots on which a building would score most, and how much: the dummy builds on each of them."""
    empty = empty_lots(district)
    worths = [(colour, points_of_a_building(district, ring, colour)) for colour in ring if colour in empty]
    most = max([points for _, points in worths])
    return [(colour, points) for colour, points in worths if points == most]


# --- the table of decisions ------------------------------------------------------------------------------------------

DECISIONS = (
    SeatDecision(stages.BidOrPass, (BidRule(), PassRule())),
    ChanceDecision(stages.TurnDummyCard, TurnDummyCardRule()),
    SeatDecision(stages.BuildOrStop, (BuildRule(), OrderStopRule())),
)
