"""The state of an auction: what is auctioned, who leads, who is next, which colours are allowed."""

from functools import lru_cache

import msgspec

from capomastro.engine.multisets import Multiset
from capomastro.engine.refusals import Refusal, enforces, refuse
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.bids import worth
from capomastro.games.fifth_avenue.components import CENTRAL_PARK, COLOURS, COLUMN, DUMMY
from capomastro.games.fifth_avenue.lots import District, Owner
from capomastro.games.fifth_avenue.state import State


@enforces("fifth-avenue.auction.order")
def auctioned(state: State, commissioner: str) -> str:
    """The place being auctioned: the leftmost district with a marker of the commissioner, finally Central Park."""
    return leftmost(state.markers[commissioner])


@lru_cache(maxsize=256)
def leftmost(markers: Multiset) -> str:
    return min(markers, key=COLUMN.__getitem__) if markers else CENTRAL_PARK


def auctioned_district(state: State, stage: stages.Auction) -> District | None:
    """The lots of the district being auctioned; None if it is Central Park."""
    markers = state.markers[stage.commissioner]
    return state.districts[leftmost(markers)] if markers else None


# --- bids ------------------------------------------------------------------------------------------------------------


def highest_bid(stage: stages.BidOrPass | stages.TurnDummyCard) -> int:
    """The bid to beat: the highest of the players', or the dummy's."""
    return max([worth(stage.dummy), *[offer.total for offer in stage.offers]])


def leader(stage: stages.BidOrPass | stages.TurnDummyCard) -> Owner | None:
    """The leader of the auction; the dummy only if it bids more than everybody else."""
    totals = [offer.total for offer in stage.offers]
    best = max(totals)
    if worth(stage.dummy) > best:
        return DUMMY
    return totals.index(best) if best else None


@enforces("fifth-avenue.auction.order")
@lru_cache(maxsize=256)
def turn_order(opener: int, players: int, last: Owner) -> tuple[Owner, ...]:
    """Everybody in the order of bidding, starting after `last` and ending with `last`: the opener, then clockwise.

    With two players, the dummy is always third.
    """
    order: list[Owner] = [(opener + steps) % players for steps in range(players)]
    if players == 2:
        order.append(DUMMY)
    position = order.index(last) + 1
    return (*order[position:], *order[:position])


# --- colours ---------------------------------------------------------------------------------------------------------


ONE_COLOUR = "fifth-avenue.auction.one-colour"


class Colours(msgspec.Struct, frozen=True):
    """The colours in which somebody may bid, and the rule that forbids others."""

    colours: tuple[str, ...]
    rule: str


def colours_in_district(district: District, seat: int) -> Colours:
    """The colours in which a player may bid for a district."""
    known = district.facts
    own = known.lot_of.get(seat)
    if own:
        return Colours((own,), "fifth-avenue.auction.own-lot")
    if known.empty:
        return Colours(known.empty, "fifth-avenue.auction.empty-lots")
    return Colours(known.with_business, "fifth-avenue.auction.business-lots")


def allowed_colours(state: State, stage: stages.BidOrPass, seat: int) -> Colours:
    """The colours in which `seat` may bid now: that of its earlier bids, otherwise those that the place allows."""
    locked = stage.offers[seat].colour
    if locked:
        return Colours((locked,), ONE_COLOUR)
    district = auctioned_district(state, stage)
    if district is not None:
        return colours_in_district(district, seat)
    fixed = next((offer.colour for offer in stage.offers if offer.colour), None)
    return Colours((fixed,) if fixed else COLOURS, "fifth-avenue.central-park.colour")


def refuse_colour(allowed: Colours, colours: tuple[str, ...], first: bool) -> Refusal | None:
    """A refusal if a bid has other colours than allowed."""
    if len(colours) > 1:
        return refuse(ONE_COLOUR, "/cards", colours=colours)
    if not colours:
        return refuse("fifth-avenue.auction.coloured-card", "/cards") if first else None
    if colours[0] not in allowed.colours:
        if allowed.rule == ONE_COLOUR:
            return refuse(ONE_COLOUR, "/cards", colours=(*allowed.colours, *colours))
        return refuse(allowed.rule, "/cards", colours=colours, allowed=allowed.colours)
    return None
