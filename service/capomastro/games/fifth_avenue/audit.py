"""What is wrong with a state: components that do not add up to the box, and seats, stages and hands that contradict it.

One check per fault, named by the id of its rule, whose refusal describes the fault. This does not imply that a game can
reach the state, only that it can be played on.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from capomastro.engine import audits
from capomastro.engine.auctions import cards_of
from capomastro.engine.hands import concealed
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import decisions, stages, supplies, tokens
from capomastro.games.fifth_avenue.bids import colours_of
from capomastro.games.fifth_avenue.lots import Districts, Lot, Owner, buildings_on, businesses_in
from capomastro.games.fifth_avenue.state import Options, State


def findings(state: State) -> Iterator[Refusal]:
    """All findings; none for a state that can be played on."""
    setting_up, built = type(state.stage) in stages.SETUP, buildings_on(state.districts)
    tiles = supplies.shown_businesses(state)
    yield from district_findings(state.districts, len(state.seats), six_lots=state.options.six_lots)
    yield from audits.component_findings("fifth-avenue.components.businesses", tiles, box.BUSINESS_TILES)
    if not setting_up:
        yield from row_findings(state, len(tiles))
    yield from building_findings(state, built, setting_up=setting_up)
    yield from marker_findings(state)
    left = supplies.cards_left(state)
    sizes = supplies.pile_sizes(state, left)
    faults = [*card_findings(state, left, sizes), *seat_findings(state)]
    yield from faults
    if setting_up:
        yield from setup_findings(state, built)
    elif not faults:
        yield from stage_findings(state, sizes)
    yield from end_findings(state, 0 if setting_up else supplies.businesses_placed(state.row))


# --- options and districts: of a state, and of a scoresheet ----------------------------------------------------------


def option_findings(options: Options) -> Iterator[Refusal]:
    """Each ring has every lot once; of each two groups of the row, one has three tiles and one two."""
    yield from ring_findings(options.rings, "/rings", six_lots=options.six_lots)
    for index in range(0, box.GROUPS, 2):
        pair = options.row_groups[index : index + 2]
        if sorted(pair) != [2, 3]:
            yield refuse("fifth-avenue.setup.row-groups", f"/row_groups/{index}", pair=pair)


def ring_findings(rings: Mapping[str, tokens.Ring], prefix: str, *, six_lots: bool) -> Iterator[Refusal]:
    lots = box.LOTS_OF_BOARD[six_lots]
    for name, ring in rings.items():
        if ring != lots and sorted(ring) != sorted(lots):
            finding = refuse("fifth-avenue.map.rings", f"{prefix}/{name}", ring=ring)
            yield finding.because_of("lots-of-district", lots=lots)


def district_findings(districts: Districts, players: int, *, six_lots: bool) -> Iterator[Refusal]:
    """What cannot be on the lots."""
    for name, district in districts.open:
        if (district.colourless is not None) != six_lots:
            yield refuse("fifth-avenue.map.lots", f"/districts/{name}", lot=box.COLOURLESS)
        first_lots: dict[Owner, str] = {}
        for colour, lot in district.lots:
            if finding := why_not_built(lot, colour, first_lots, players):
                yield finding.below(f"/districts/{name}/{colour}")


def why_not_built(lot: Lot, colour: str, first_lots: dict[Owner, str], players: int) -> Refusal | None:
    """A lot with buildings has no businesses, and one owner, who has no other: `first_lots` are those seen before."""
    owner, buildings = lot.owner, lot.buildings
    if owner is None:
        return refuse("fifth-avenue.map.owner", "/buildings", buildings=buildings) if buildings else None
    if not buildings:
        return refuse("fifth-avenue.map.no-building", "/owner", owner=owner)
    if lot.businesses:
        return refuse("fifth-avenue.map.occupants", "", businesses=len(lot.businesses), buildings=buildings)
    if colour == box.COLOURLESS:
        return refuse("fifth-avenue.map.colourless", buildings=buildings)
    if owner == box.DUMMY:
        return refuse("fifth-avenue.dummy.two-players", "/owner", players=players) if players > 2 else None
    if owner >= players:
        return refuse("fifth-avenue.turn.seats", "/owner", seat=owner, players=players)
    first = first_lots.setdefault(owner, colour)
    return refuse("fifth-avenue.auction.one-lot", lot=colour, other=first, seat=owner) if first != colour else None


# --- components ------------------------------------------------------------------------------------------------------


def row_findings(state: State, shown: int) -> Iterator[Refusal]:
    """The row is used up from the left, and every tile that left it is under Central Park or was placed.

    `shown`: the number of tiles in the row, there, and elsewhere.
    """
    tiles, sizes = [len(group) for group in state.row], [*state.options.row_groups]
    used_up = supplies.active_group(state)
    in_order = tiles[:used_up] == [0] * used_up and tiles[used_up + 1 :] == sizes[used_up + 1 :]
    if not in_order or (used_up < box.GROUPS and not 2 <= tiles[used_up] <= sizes[used_up]):
        yield refuse("fifth-avenue.business.row", "/row", tiles=sum(tiles))
        return
    under = len(state.under_central_park) + len(state.park_tiles or ())
    if under != used_up:
        yield refuse("fifth-avenue.business.last-tile", "/under_central_park", tiles=under, groups=used_up)
    expected = len(box.DISTRICTS) + supplies.businesses_placed(state.row)
    placed = shown - sum(tiles) - under
    if placed != expected:
        yield refuse("fifth-avenue.business.placed", "/districts", tiles=placed, expected=expected)


def building_findings(state: State, built: Mapping[Owner, int], *, setting_up: bool) -> Iterator[Refusal]:
    """Nobody has more buildings than exist; players take theirs in threes."""
    for index, seat in enumerate(state.seats):
        buildings = supplies.outside_supply(seat, built[index])
        taken = buildings - box.FIRST_BUILDINGS - box.FIRST_RESERVE
        if buildings > box.PLAYER_BUILDINGS:
            yield too_many_buildings(buildings, f"/seats/{index}", of_dummy=False)
        elif not setting_up and (taken < 0 or taken % box.BUILDINGS_TAKEN):
            yield refuse("fifth-avenue.option-a.threes", f"/seats/{index}", buildings=buildings)
    if (state.dummy_removed is not None) != supplies.has_dummy(state):
        yield refuse("fifth-avenue.dummy.two-players", "/dummy_removed", players=len(state.seats))
    elif (buildings := built[box.DUMMY] + (state.dummy_removed or 0)) > box.BUILDINGS:
        yield too_many_buildings(buildings, "/dummy_removed", of_dummy=True)


def too_many_buildings(buildings: int, pointer: str, *, of_dummy: bool) -> Refusal:
    """More buildings of one colour than exist; one of a player's lies on the track."""
    most = box.BUILDINGS if of_dummy else box.PLAYER_BUILDINGS
    finding = refuse("fifth-avenue.components.buildings", pointer, buildings=buildings, box=most)
    if of_dummy:
        return finding.because_of("buildings-of-dummy", box=box.BUILDINGS)
    return finding.because_of("buildings-of-colour", box=box.BUILDINGS)


def card_findings(state: State, left: Mapping[str, int], sizes: Mapping[str, int]) -> Iterator[Refusal]:
    """No card occurs too often; tops and discards fit the piles. `left`: of the box, by card; `sizes`: of the piles."""
    if too_many := [*audits.shortage_findings("fifth-avenue.components.cards", left, box.CARDS)]:
        yield from too_many
        return
    for pile, size in sizes.items():
        if size < 0:
            yield refuse("fifth-avenue.components.piles", "/seats", pile=pile, cards=-size)
        elif pile == box.BLACK:
            yield from black_findings(state, size)
        else:
            yield from pile_findings(state, pile, size)


def pile_findings(state: State, colour: str, size: int) -> Iterator[Refusal]:
    """A coloured pile has its own cards, and shows its top, unless it has none or that is to be revealed."""
    pile, pointer, own = state.piles[colour], f"/piles/{colour}", box.PILE_CARDS[colour]
    if pile.top is not None and pile.top not in own:
        yield refuse("fifth-avenue.cards.pile", f"{pointer}/top", pile=colour)
    if not own.keys() >= {*pile.discards}:
        yield refuse("fifth-avenue.cards.pile", f"{pointer}/discards", pile=colour)
    if pile.top is None and size and type(state.stage) not in (*stages.SETUP, stages.RevealTop):
        finding = refuse("fifth-avenue.cards.top", f"{pointer}/top", pile=colour, cards=size)
        yield finding.because_of("top-of-pile")
    elif pile.top is None and pile.discards and not size:
        yield refuse("fifth-avenue.cards.used-up", f"{pointer}/top", pile=colour, discards=len(pile.discards))


def black_findings(state: State, size: int) -> Iterator[Refusal]:
    """Black discards do not wait beside an empty pile; after a shuffle, the pile holds cards that were shuffled in."""
    discards, shuffled_in = len(state.black_discards), state.shuffled_in
    if discards and not size:
        yield refuse("fifth-avenue.cards.shuffle", "/black_discards", discards=discards)
    if shuffled_in is not None and not supplies.face_down_pile(state, box.BLACK).can_leave_hidden(()):
        yield refuse("fifth-avenue.components.shuffled-in", "/shuffled_in", cards=len(shuffled_in), pile=size)


# --- the map ---------------------------------------------------------------------------------------------------------

PLACE_ON_WAY = {box.CITY_HALL: 0, **box.COLUMN, box.CENTRAL_PARK: len(box.DISTRICTS)}
"""How far a space is from City Hall."""


def marker_findings(state: State) -> Iterator[Refusal]:
    """The markers of a commissioner are behind it, in open districts, at most one in a column.

    In City Hall they wait for their auctions, or for nothing any more if the game is over.
    """
    stage = state.stage
    auctioning = stage.commissioner if isinstance(stage, stages.Auction) else None
    for colour in box.COMMISSIONERS:
        space, markers = state.commissioners[colour], state.markers[colour]
        if colour == auctioning and space != box.CITY_HALL:
            yield refuse("fifth-avenue.auction.city-hall", f"/commissioners/{colour}", commissioner=colour, space=space)
        behind = box.CENTRAL_PARK if colour == auctioning or isinstance(stage, stages.END) else space
        columns = {
            box.COLUMN[name] for name in markers if box.COLUMN[name] < PLACE_ON_WAY[behind] and state.districts[name]
        }
        if len(columns) < len(markers):
            yield refuse("fifth-avenue.map.markers", f"/markers/{colour}", markers=markers, space=space)


# --- set-up ----------------------------------------------------------------------------------------------------------


UNTOUCHED = "fifth-avenue.setup.untouched"
BEGINNING: Mapping[str, Any] = {
    "active_seat": 0,
    "commissioners": dict.fromkeys(box.COMMISSIONERS, box.CITY_HALL),
    "under_central_park": (),
    "removed_businesses": (),
    "black_discards": (),
    "shuffled_in": None,
}
"""What the set-up does not change."""
BEGINNING_OF_SEAT: Mapping[str, Any] = {"reserve": box.FIRST_RESERVE, "central_park": 0, "removed": 0, "score": 0}


def setup_findings(state: State, built: Mapping[Owner, int]) -> Iterator[Refusal]:
    """Until the first turn, components are laid out step by step, one per move; nothing else changes."""
    piles, closed = state.piles, state.districts.closed
    yield from audits.untouched_findings(UNTOUCHED, [("", state, BEGINNING)])
    yield from [refuse(UNTOUCHED, f"/districts/{name}") for name in closed]
    yield from [refuse(UNTOUCHED, f"/piles/{colour}/discards") for colour in box.COLOURS if piles[colour].discards]
    yield from audits.untouched_findings(UNTOUCHED, audits.seats_untouched(state, BEGINNING_OF_SEAT))
    if closed:
        return
    players, first_buildings = len(state.seats), sum(built.values())
    starting = [len(businesses_in(district)) for _, district in state.districts.open]
    row = [len(group) for group in state.row]
    tops = [int(piles[colour].top is not None) for colour in box.COLOURS]
    lots_drawn = 0 if state.options.six_lots else sum(starting)
    drawing = (stages.DrawStartingBusiness, *(() if state.options.six_lots else (stages.DrawStartingLot,)))
    steps = (
        audits.SetupStep("/districts", drawing, len(starting), starting, [1] * len(starting)),
        audits.SetupStep("/row", (stages.DrawRowBusiness,), box.ROW_TILES, row, state.options.row_groups),
        audits.dealing(state, stages.DealCard, box.HAND_SIZE),
        audits.SetupStep("/piles", (stages.RevealFirstTop,), len(tops), tops, [1] * len(tops)),
        audits.SetupStep("/districts", (stages.PlaceFirstBuilding,), box.FIRST_BUILDINGS * players, [first_buildings]),
    )
    further_moves = lots_drawn + isinstance(state.stage, stages.DrawStartingLot)
    yield from audits.setup_findings(state, steps, stages.ChooseOption, further_moves)
    # a partly dealt hand has one card of each colour, in their order, then black ones
    for index, seat in enumerate(state.seats):
        if concealed(seat.hand, box.pile_of).unknown != Counter(box.DEALT_PILES[: seat.hand.size]):
            yield refuse("fifth-avenue.setup.hand", f"/seats/{index}/hand", seat=index)
    # the lots of the starting businesses, and who has placed first buildings, decide what comes next
    for colour, used in zip(box.COLOURS, decisions.colours_used(state), strict=True):
        if used > box.MAXIMUM_PER_COLOUR:
            yield refuse("fifth-avenue.setup.lot-colours", "/districts", component=colour)
    builders = Counter(decisions.order_of_builders(players)[:first_buildings])
    for index in range(players):
        if built[index] != builders[index]:
            values = {"seat": index, "buildings": built[index], "expected": builders[index]}
            yield Refusal("fifth-avenue.setup.first-buildings", values, "/districts")


# --- stages ----------------------------------------------------------------------------------------------------------


def seat_findings(state: State) -> Iterator[Refusal]:
    """Every seat mentioned exists."""
    players, stage = len(state.seats), state.stage
    drawing = max(stage.seats) if isinstance(stage, stages.DrawBlackCard) else None
    if refusal := audits.why_no_seat(state, {"/stage/seat": getattr(stage, "seat", None), "/stage/seats": drawing}):
        yield refusal
    if isinstance(stage, stages.Bidding) and len(stage.offers) != players:
        yield refuse("fifth-avenue.turn.seats", "/stage/offers", seat=len(stage.offers), players=players)


def stage_findings(state: State, sizes: Mapping[str, int]) -> Iterator[Refusal]:
    """Whether the table has what the stage needs; `sizes` of the piles."""
    stage = state.stage
    if isinstance(stage, stages.DrawBlackCard | stages.TurnDummyCard) and not sizes[box.BLACK]:
        yield refuse("fifth-avenue.cards.no-black", "/stage", left=0)
    if isinstance(stage, stages.TakeCards) and not supplies.piles_with_top(state):
        yield Refusal("fifth-avenue.cards.exhausted", {"colour": None}, "/piles")
    if isinstance(stage, stages.RevealTop) and supplies.pile_to_reveal(state) is None:
        yield refuse("fifth-avenue.cards.reveal", "/piles", piles=0)
    if isinstance(stage, stages.Bidding):
        yield from offer_findings(state, stage)
        yield from dummy_findings(state, stage)
    if isinstance(stage, stages.BidOrPass) and (
        stage.offers[stage.seat].passed or stage.seat == decisions.leader(stage)
    ):
        yield refuse("fifth-avenue.auction.order", "/stage", highest=decisions.highest_bid(stage))
    if isinstance(stage, stages.BuildOrStop):
        yield from colour_findings(decisions.allowed_by_place(state, stage.seat), (stage.colour,), "/stage/colour")


def offer_findings(state: State, stage: stages.Bidding) -> Iterator[Refusal]:
    """Each bidder has one colour from the first bid on, which the place allows them, and no two have bid the same."""
    for seat, offer in enumerate(stage.offers):
        if not offer.laid:
            continue
        pointer, colours = f"/stage/offers/{seat}", colours_of(cards_of(offer))
        if offer.passed:
            yield refuse("fifth-avenue.auction.pass", pointer, seat=seat)
        if offer.total in [earlier.total for earlier in stage.offers[:seat]]:
            yield refuse("fifth-avenue.auction.higher", pointer, bid=offer.total, highest=offer.total)
        if len(colours) > 1:
            yield refuse("fifth-avenue.auction.one-colour", pointer, colours=colours)
        elif not colours_of(offer.laid[0]):
            yield refuse("fifth-avenue.auction.coloured-card", pointer)
        else:
            yield from colour_findings(decisions.allowed_by_place(state, seat, stage.offers), colours, pointer)


def colour_findings(allowed: decisions.Allowed, colours: tuple[str, ...], pointer: str) -> Iterator[Refusal]:
    """A player bids and builds only in a colour that the place allows them."""
    rule, of_place = allowed
    if not {*colours} <= {*of_place}:
        yield refuse(rule, pointer, colours=colours, allowed=of_place)


def dummy_findings(state: State, stage: stages.Bidding) -> Iterator[Refusal]:
    """The dummy, of two players only, turns cards until two have the same value."""
    turning = isinstance(stage, stages.TurnDummyCard)
    if (stage.dummy or turning) and not supplies.has_dummy(state):
        yield refuse("fifth-avenue.dummy.two-players", "/stage/dummy", players=len(state.seats))
    elif turning and decisions.has_pair(stage.dummy):
        yield refuse("fifth-avenue.dummy.pair", "/stage", turned_cards=stage.dummy)


def end_findings(state: State, placed: int) -> Iterator[Refusal]:
    """The game is over if and only if a second stop was ordered or the twelfth business placed."""
    closed = len(state.districts.closed)
    over, ended = isinstance(state.stage, stages.END), closed >= box.STOPS or placed == box.PLACED_AT_END
    if closed > box.STOPS:
        yield refuse("fifth-avenue.stop.two", "/districts", closed=closed, stops=box.STOPS)
    if over and not ended:
        yield refuse("fifth-avenue.end.game", "/stage", closed=closed, placed=placed)
    if ended and not over:
        yield refuse("fifth-avenue.end.at-once", "/stage", closed=closed, placed=placed)
    if over:
        yield from park_findings(state)
    elif state.park_tiles is not None:
        yield refuse("fifth-avenue.end.drawn-early", "/park_tiles", tiles=len(state.park_tiles))


def park_findings(state: State) -> Iterator[Refusal]:
    """If there are more than three tiles under Central Park, three are drawn one by one; otherwise none."""
    drawing, drawn = isinstance(state.stage, stages.DrawParkTile), len(state.park_tiles or ())
    tiles = len(state.under_central_park) + drawn
    least, most = (0, box.PARK_TILES - 1) if drawing else (box.PARK_TILES, box.PARK_TILES)
    if tiles > box.PARK_TILES and not least <= drawn <= most:
        finding = refuse("fifth-avenue.end.park-tiles", "/park_tiles", tiles=drawn, least=least, most=most)
        yield finding.because_of("tiles-drawn", drawn=box.PARK_TILES)
    if tiles <= box.PARK_TILES and (drawing or state.park_tiles is not None):
        yield refuse("fifth-avenue.end.all-count", "/under_central_park", tiles=tiles, most=box.PARK_TILES)
