"""Everything that cannot be in a state: too many of a component, or a position no game can reach."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from msgspec.structs import replace

from capomastro.engine.decisions import GameOver
from capomastro.engine.hands import Hand
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.fifth_avenue.auction import (
    auctioned_district,
    colours_in_district,
    highest_bid,
    leader,
    turn_order,
)
from capomastro.games.fifth_avenue.bids import LIMITS, colours_of
from capomastro.games.fifth_avenue.card_counts import left_of_box, sizes_of_piles
from capomastro.games.fifth_avenue.components import (
    BLACK,
    BUILDINGS,
    BUILDINGS_TAKEN,
    BUSINESS_COPIES,
    BUSINESSES,
    CARDS,
    CENTRAL_PARK,
    CITY_HALL,
    COLOURLESS,
    COLOURS,
    COMMISSIONERS,
    DISTRICTS,
    DUMMY,
    FIRST_BUILDINGS,
    FIRST_RESERVE,
    HAND_SIZE,
    LOTS_OF_BOARD,
    MOST_BUSINESSES,
    MOST_OF_A_COLOUR,
    PARK_TILES,
    PILE_CARDS,
    PILES,
    PLACED_AT_END,
    PLAYER_BUILDINGS,
    ROW_TILES,
    STOPS,
    pile_of,
)
from capomastro.games.fifth_avenue.dummy import bid_is_complete, has_dummy
from capomastro.games.fifth_avenue.lots import District, Districts, Owner, Ring, is_full
from capomastro.games.fifth_avenue.piles import pile_contents, pile_sizes, piles_with_top, shown_cards, unseen_cards
from capomastro.games.fifth_avenue.routes import PATHS, passed_districts
from capomastro.games.fifth_avenue.state import (
    AUCTION_STAGES,
    BIDDING_STAGES,
    DEFAULT_GROUPS,
    DEFAULT_RINGS,
    END_STAGES,
    SETUP_STAGES,
    BidOrPass,
    BuildOrStop,
    DealCard,
    DrawBlackCard,
    DrawParkTile,
    DrawRowBusiness,
    DrawStartingBusiness,
    DrawStartingLot,
    Options,
    PlaceFirstBuilding,
    RevealFirstTop,
    RevealTop,
    State,
    TakeCards,
    TurnDummyCard,
)
from capomastro.games.fifth_avenue.supplies import businesses_placed, businesses_shown, outside_supply


def findings(state: State) -> Iterator[Refusal]:
    """Every finding; none for a state that can be."""
    options = state.options
    setting_up = type(state.stage) in STAGES_OF_SETUP
    placed = 0 if setting_up else businesses_placed(state.row)
    if options.rings != DEFAULT_RINGS[options.six_lots] or options.row_groups != DEFAULT_GROUPS:
        yield from option_findings(options, "/options")
    yield from district_findings(state.districts, OWNERS[len(state.seats)], six_lots=options.six_lots)
    yield from business_findings(state, placed, setting_up=setting_up)
    yield from building_findings(state, setting_up=setting_up)
    yield from route_findings(state)
    left = left_of_box(state)
    cards = [*card_findings(state, left)]
    yield from cards
    seats = [*seat_findings(state)]
    yield from seats
    if setting_up:
        yield from setup_findings(state)
    elif left is not None and not cards and not seats:
        yield from stage_findings(state, sizes_of_piles(left))
    yield from end_findings(state, placed)


OWNERS: dict[int, frozenset[Owner]] = {2: frozenset({0, 1, DUMMY}), 3: frozenset(range(3)), 4: frozenset(range(4))}
"""Who may own buildings, by the number of players."""
STAGES_OF_SETUP = frozenset(SETUP_STAGES)
STAGES_WITHOUT_TOPS = STAGES_OF_SETUP | {RevealTop}
STAGES_OF_BIDDING = frozenset(BIDDING_STAGES)
STAGES_OF_AUCTION = frozenset(AUCTION_STAGES)
STAGES_OF_A_SEAT = frozenset({BidOrPass, BuildOrStop})
STAGES_OF_END = frozenset(END_STAGES)


# --- options and districts: of a state, and of a scoresheet ----------------------------------------------------------


def option_findings(options: Options, prefix: str = "") -> Iterator[Refusal]:
    yield from ring_findings(options.rings, prefix + "/rings", six_lots=options.six_lots)
    groups = options.row_groups
    for index in range(0, len(groups), 2):
        if sorted(groups[index : index + 2]) != [2, 3]:
            pair = f"{groups[index]} and {groups[index + 1]}"
            yield refuse("fifth-avenue.setup.row-groups", f"{prefix}/row_groups/{index}", pair=pair)


@lru_cache(maxsize=64)
def is_ring(ring: Ring, six_lots: bool) -> bool:
    return sorted(ring) == sorted(LOTS_OF_BOARD[six_lots])


def ring_findings(rings: Mapping[str, Ring], prefix: str, *, six_lots: bool) -> Iterator[Refusal]:
    for name, ring in rings.items():
        if not is_ring(ring, six_lots):
            yield refuse("fifth-avenue.map.rings", f"{prefix}/{name}", ring=", ".join(ring))


def district_findings(districts: Districts, players: Iterable[Owner], *, six_lots: bool) -> Iterator[Refusal]:
    """What cannot lie on lots; `players`: who may own buildings."""
    known, players = districts.facts, frozenset(players)
    if known.sound and known.six_lots <= {six_lots} and players.issuperset(known.buildings):
        return
    for name, district in districts.open:
        for finding in faults_found(district, players, six_lots):
            yield finding.below(f"/districts/{name}")


def faults_found(district: District, players: frozenset[Owner], six_lots: bool) -> Iterator[Refusal]:
    if (district.colourless is not None) != six_lots:
        yield refuse("fifth-avenue.map.lots", "", lot=COLOURLESS)
    settled: set[Owner] = set()
    for colour, lot in district.facts.lots.items():
        owner, buildings, businesses = lot.owner, lot.buildings, len(lot.businesses)
        where = f"/{colour}"
        built = owner is not None or buildings
        if businesses > MOST_BUSINESSES or (built and (owner is None or not buildings or businesses)):
            yield refuse("fifth-avenue.map.occupants", where, businesses=businesses, buildings=buildings)
        elif owner is None:
            continue
        elif colour == COLOURLESS:
            yield refuse("fifth-avenue.map.occupants", where, businesses=businesses, buildings=buildings)
        elif owner not in players:
            yield refuse("fifth-avenue.turn.seats", where + "/owner", seat=owner)
        elif owner == DUMMY and buildings > 1:
            yield refuse("fifth-avenue.dummy.builds", where + "/buildings", buildings=buildings)
        elif owner in settled and owner != DUMMY:
            first = district.facts.lot_of[owner]
            yield refuse("fifth-avenue.auction.one-lot", where, lot=colour, other=first, seat=owner)
        else:
            settled.add(owner)


# --- components ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def groups_used_up(tiles: tuple[int, ...], sizes: tuple[int, ...]) -> int | None:
    """How many groups of the row are used up, by the number of tiles in each; None if a row cannot be used up so."""
    active = next((index for index, number in enumerate(tiles) if number), len(tiles))
    complete = len(tiles) == len(sizes) and tiles[active + 1 :] == sizes[active + 1 :]
    return active if complete and (active == len(tiles) or 1 < tiles[active] <= sizes[active]) else None


def business_findings(state: State, placed: int, *, setting_up: bool) -> Iterator[Refusal]:
    """No kind too often; the row is used up from the left; and every tile that left it lies somewhere."""
    shown = businesses_shown(state).count
    for business in BUSINESSES:
        if shown(business) > BUSINESS_COPIES:
            yield refuse("fifth-avenue.components.businesses", "", component=business, box=BUSINESS_COPIES)
    if setting_up:
        return
    tiles = tuple(map(len, state.row))
    groups = groups_used_up(tiles, state.options.row_groups)
    if groups is None:
        yield refuse("fifth-avenue.business.row", "/row", tiles=sum(tiles))
        return
    under = len(state.under_central_park) + len(state.park_tiles or ())
    if under != groups:
        yield refuse("fifth-avenue.business.last-tile", "/under_central_park", tiles=under, groups=groups)
    expected = len(DISTRICTS) + placed
    there = len(state.districts.businesses) + len(state.removed_businesses)
    if there != expected:
        yield refuse("fifth-avenue.business.placed", "/districts", tiles=there, expected=expected)
    for name in state.districts.facts.without_starting_business[state.options.six_lots]:
        yield refuse("fifth-avenue.setup.starting-business", f"/districts/{name}", district=name)


def building_findings(state: State, *, setting_up: bool) -> Iterator[Refusal]:
    """Nobody has more buildings than there are; players take theirs by threes."""
    built = state.districts.buildings
    closed = len(state.districts.closed)
    removed = state.dummy_removed or 0
    for index, seat in enumerate(state.seats):
        removed += seat.removed
        taken = outside_supply(seat, built[index])
        if taken > PLAYER_BUILDINGS:
            yield refuse("fifth-avenue.components.buildings", f"/seats/{index}", buildings=taken, box=PLAYER_BUILDINGS)
        elif not setting_up:
            beyond = taken - FIRST_BUILDINGS - FIRST_RESERVE
            if beyond < 0 or beyond % BUILDINGS_TAKEN:
                yield refuse("fifth-avenue.option-a.threes", f"/seats/{index}", buildings=taken)
    if (state.dummy_removed is not None) != has_dummy(state):
        yield refuse("fifth-avenue.dummy.two-players", "/dummy_removed", players=len(state.seats))
    elif built[DUMMY] + (state.dummy_removed or 0) > BUILDINGS:
        buildings = built[DUMMY] + (state.dummy_removed or 0)
        yield refuse("fifth-avenue.components.buildings", "/dummy_removed", buildings=buildings, box=BUILDINGS)
    businesses = len(state.removed_businesses)
    most = MOST_BUSINESSES * closed * len(LOTS_OF_BOARD[state.options.six_lots])
    if not closed <= businesses <= most or (removed and not closed):
        yield refuse(
            "fifth-avenue.stop.removed", "/removed_businesses", businesses=businesses, buildings=removed, closed=closed
        )


def card_findings(state: State, left: Sequence[int] | None) -> Iterator[Refusal]:
    """No card too often; the piles hold the rest, their tops visible; only dealt coloured cards are secret.

    `left`: what is left of the box, if it holds as many cards as there are.
    """
    if left is not None:
        sizes = sizes_of_piles(left)
    else:
        shown = Counter(shown_cards(state))
        too_many = sorted([card for card, copies in shown.items() if copies > CARDS[card]])
        for card in too_many:
            yield refuse("fifth-avenue.components.cards", "", component=card, box=CARDS[card])
        if too_many:
            return
        sizes = pile_sizes(state, shown)
    tops_pending = type(state.stage) in STAGES_WITHOUT_TOPS
    for colour in COLOURS:
        pile, size, cards = state.piles[colour], sizes[colour], PILE_CARDS[colour]
        top, discards = pile.top, pile.discards
        if size < 0:
            yield refuse("fifth-avenue.components.piles", "/seats", pile=colour, cards=-size)
            continue
        if (top and top not in cards) or (discards and not cards.keys() >= {*discards}):
            yield refuse("fifth-avenue.cards.pile", f"/piles/{colour}", pile=colour)
        if top is None and (discards if not size else not tops_pending):
            yield refuse("fifth-avenue.cards.top", f"/piles/{colour}/top", pile=colour, cards=size)
    if sizes[BLACK] < 0:
        yield refuse("fifth-avenue.components.piles", "/seats", pile=BLACK, cards=-sizes[BLACK])
    else:
        yield from black_findings(state, sizes[BLACK])
    for index, seat in enumerate(state.seats):
        if are_too_secret(seat.hand):
            secret = Counter(map(pile_of, seat.hand.closed)) + Counter(seat.hand.unknown)
            for colour in COLOURS:
                if secret[colour] > 1:
                    number = secret[colour]
                    yield refuse("fifth-avenue.cards.secret", f"/seats/{index}/hand", colour=colour, cards=number)


SECRET_PLACES = {colour: 1 << 12 * index for index, colour in enumerate(COLOURS)} | {BLACK: 0}
ONE_SECRET = {card: SECRET_PLACES[pile_of(card)] for card in CARDS}
MORE_THAN_ONE = sum(((1 << 12) - 2) * place for place in SECRET_PLACES.values())


def are_too_secret(hand: Hand) -> bool:
    """Whether of a colour more cards are said to be secret than are dealt; the numbers of all in one, 12 bits each."""
    secret = sum(map(ONE_SECRET.__getitem__, hand.closed))
    if hand.unknown:
        secret += sum([SECRET_PLACES[pile] * number for pile, number in hand.unknown.items()])
    return secret & MORE_THAN_ONE != 0


def black_findings(state: State, size: int) -> Iterator[Refusal]:
    cards, shuffled_in = PILE_CARDS[BLACK], state.shuffled_in
    piled = state.black_discards + (shuffled_in or ())
    if piled and not cards.keys() >= {*piled}:
        yield refuse("fifth-avenue.cards.pile", "/black_discards", pile=BLACK)
    if state.black_discards and not size:
        yield refuse("fifth-avenue.cards.shuffle", "/black_discards", discards=len(state.black_discards))
    if shuffled_in is not None and sum(pile_contents(state, BLACK, unseen_cards(state, BLACK)).values()) < size:
        yield refuse("fifth-avenue.components.shuffled-in", "/shuffled_in", cards=len(shuffled_in), pile=size)


# --- the map ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def possible_markers(space: str, closed: frozenset[str]) -> frozenset[frozenset[str]]:
    """What may be marked by a commissioner who stands on `space`: where he has been, closed districts apart."""
    return frozenset(frozenset(passed_districts(path, closed)) for path in PATHS[space])


@lru_cache(maxsize=1024)
def markers_to_auction(closed: frozenset[str]) -> frozenset[frozenset[str]]:
    """What may still be marked while it is auctioned: the end of a way to Central Park."""
    ways = [passed_districts(path, closed) for path in PATHS[CENTRAL_PARK]]
    return frozenset(frozenset(way[start:]) for way in ways for start in range(len(way) + 1))


def route_findings(state: State) -> Iterator[Refusal]:
    """The markers lie where the commissioners have been."""
    closed = state.districts.closed
    stage = state.stage
    in_auction = stage.commissioner if type(stage) in STAGES_OF_AUCTION else None  # type: ignore[union-attr]
    for colour in COMMISSIONERS:
        space, markers = state.commissioners[colour], state.markers[colour]
        marked = frozenset(markers)
        auctioning = colour == in_auction or (len(closed) >= STOPS and space == CITY_HALL)
        possible = markers_to_auction(closed) if auctioning else possible_markers(space, closed)
        if marked not in possible or len(marked) < len(markers) or (auctioning and space != CITY_HALL):
            there = ", ".join(markers) or "none"
            yield refuse("fifth-avenue.map.markers", f"/markers/{colour}", markers=there, space=space)


# --- set-up ----------------------------------------------------------------------------------------------------------


@cache
def setup_plies(players: int, six_lots: bool) -> int:
    """How many moves the set-up takes."""
    starting = len(DISTRICTS) * (1 if six_lots else 2)
    return starting + ROW_TILES + players * (HAND_SIZE + FIRST_BUILDINGS) + len(COLOURS)


def setup_findings(state: State) -> Iterator[Refusal]:
    """While the set-up goes on, as much has been laid out and dealt as there have been plies, in the set order."""
    stage, options = state.stage, state.options
    players = len(state.seats)
    if state.districts.closed:
        yield refuse("fifth-avenue.setup.order", "/districts", ply=state.ply, setup=state.ply)
        return
    laid_out = [len(district.facts.businesses) for _, district in state.districts.open]
    row = [len(group) for group in state.row]
    dealt = [seat.hand.size for seat in state.seats]
    tops = [state.piles[colour].top is not None for colour in COLOURS]
    built = state.districts.buildings
    done = sum(laid_out), sum(row), sum(dealt), sum(tops), sum(built.values())
    complete = len(DISTRICTS), ROW_TILES, HAND_SIZE * players, len(COLOURS), FIRST_BUILDINGS * players
    step = next((index for index, (one, all_) in enumerate(zip(done, complete, strict=True)) if one < all_), 5)
    stages = (DrawStartingBusiness, DrawRowBusiness, DealCard, RevealFirstTop, PlaceFirstBuilding)
    half = isinstance(stage, DrawStartingLot)
    plies = sum(done) + half + (0 if options.six_lots else done[0])
    lots = [lot for _, district in state.districts.open for lot in district.facts.lots.items()]
    used = [colour for colour, lot in lots if lot.businesses]
    order = [-seat % players for seat in range(players)]
    builders = (order + order[::-1])[: done[4]]
    in_order = (
        state.ply == plies
        and step < len(stages)
        and (isinstance(stage, stages[step]) or (half and step == 0 and not options.six_lots))
        and not any(done[step + 1 :])
        and filled_in_order(laid_out, [1] * len(DISTRICTS))
        and filled_in_order(row, list(options.row_groups))
        and filled_in_order(dealt, [HAND_SIZE] * players)
        and filled_in_order([int(top) for top in tops], [1] * len(COLOURS))
        and (set(used) <= {COLOURLESS} if options.six_lots else COLOURLESS not in used)
        and [built[seat] for seat in range(players)] == [builders.count(seat) for seat in range(players)]
        and len(builders) == len([lot for _, lot in lots if lot.buildings])
        and state.active_seat == 0
        and all(
            not seat.hand.open
            and (seat.reserve, seat.central_park, seat.removed, seat.score) == (FIRST_RESERVE, 0, 0, 0)
            for seat in state.seats
        )
        and all(secrets_in_order(state, seat) for seat in range(players))
        and not (state.under_central_park or state.removed_businesses or state.black_discards or state.park_tiles)
        and not any(pile.discards for pile in state.piles.values())
        and state.shuffled_in is None
        and set(state.commissioners.values()) == {CITY_HALL}
    )
    if not in_order:
        yield refuse("fifth-avenue.setup.order", "/ply", ply=state.ply, setup=plies)
    for colour in COLOURS:
        if used.count(colour) > MOST_OF_A_COLOUR:
            yield refuse("fifth-avenue.setup.lot-colours", "/districts", component=colour, used=used.count(colour))


def filled_in_order(there: list[int], sizes: list[int]) -> bool:
    """Whether places were filled one after the other."""
    left = sum(there)
    for number, size in zip(there, sizes, strict=True):
        if number != min(size, left):
            return False
        left -= number
    return True


def secrets_in_order(state: State, index: int) -> bool:
    """Whether a hand being dealt has one card of each colour, in their order, then black ones."""
    hand = state.seats[index].hand
    piles = [*map(pile_of, hand.closed)]
    for pile, number in hand.unknown.items():
        piles += [pile] * number
    return sorted(piles) == first_piles(hand.size)


@lru_cache(maxsize=HAND_SIZE + 1)
def first_piles(number: int) -> list[str]:
    """The piles of the first cards that are dealt, in ascending order."""
    return sorted([PILES[min(place, len(COLOURS))] for place in range(number)])


# --- stages ----------------------------------------------------------------------------------------------------------


def seat_findings(state: State) -> Iterator[Refusal]:
    """Every seat that is named is there."""
    players, stage = len(state.seats), cast(Any, state.stage)
    kind = type(stage)
    if state.active_seat >= players:
        yield refuse("fifth-avenue.turn.seats", "/active_seat", seat=state.active_seat)
    if kind in STAGES_OF_A_SEAT and stage.seat >= players:
        yield refuse("fifth-avenue.turn.seats", "/stage/seat", seat=stage.seat)
    if kind is DrawBlackCard and any(seat >= players for seat in stage.seats):
        yield refuse("fifth-avenue.turn.seats", "/stage/seats", seat=max(stage.seats))
    if kind in STAGES_OF_BIDDING and len(stage.offers) != players:
        yield refuse("fifth-avenue.turn.seats", "/stage/offers", seat=len(stage.offers))


def stage_findings(state: State, sizes: Mapping[str, int]) -> Iterator[Refusal]:
    """What the stage says cannot be; `sizes` of the piles."""
    stage = state.stage
    setup = setup_plies(len(state.seats), state.options.six_lots)
    if state.ply < setup:
        yield refuse("fifth-avenue.setup.order", "/ply", ply=state.ply, setup=setup)
    if isinstance(stage, BIDDING_STAGES):
        yield from auction_findings(state, stage, sizes[BLACK])
    elif isinstance(stage, DrawBlackCard):
        yield from drawing_findings(state, stage, sizes[BLACK])
    elif isinstance(stage, TakeCards):
        if not piles_with_top(state):
            yield refuse("fifth-avenue.cards.exhausted", "/piles", colour="every colour")
    elif isinstance(stage, RevealTop):
        pending = [colour for colour in COLOURS if state.piles[colour].top is None and sizes[colour]]
        if not 1 <= len(pending) <= 2:
            yield refuse("fifth-avenue.cards.top", "/piles", pile=", ".join(pending) or "no pile", cards=len(pending))
    elif isinstance(stage, BuildOrStop):
        yield from winner_findings(state, stage)


def drawing_findings(state: State, stage: DrawBlackCard, black: int) -> Iterator[Refusal]:
    """Option C: one card for the active seat. Option D: two for it, then one for seats clockwise from it."""
    active, players = state.active_seat, len(state.seats)
    queue = stage.seats
    if stage.phase == 1:
        fits = queue == (active,)
    else:
        while queue[:1] == (active,) and queue[1:2] == (active,):
            queue = queue[1:]
        steps = [(seat - active) % players for seat in queue]
        fits = len(stage.seats) - len(queue) <= 2 and steps == sorted(set(steps))
    if not fits or not black:
        yield refuse("fifth-avenue.scoring.draw", "/stage/seats", seats=", ".join(map(str, stage.seats)))


def auction_findings(state: State, stage: BidOrPass | TurnDummyCard, black: int) -> Iterator[Refusal]:
    """Every offer is one a player could make, and it is the turn of the next after the highest bidder."""
    district = auctioned_district(state, stage)
    sound = True
    bidders = [(seat, offer) for seat, offer in enumerate(stage.offers) if offer.bids]
    for seat, offer in bidders:
        pointer = f"/stage/offers/{seat}"
        if offer.passed:
            yield refuse("fifth-avenue.auction.pass", pointer, seat=seat)
        colours = colours_of(offer.cards)
        if len(colours) > 1:
            yield refuse("fifth-avenue.auction.one-colour", pointer, colours=" and ".join(colours))
        elif not colours or () in offer.bids or (len(offer.bids) > 1 and not colours_of(offer.bids[0])):
            sound = () not in offer.bids
            yield refuse("fifth-avenue.auction.coloured-card", pointer)
        elif district is not None:
            allowed = colours_in_district(district, seat)
            if colours[0] not in allowed.colours:
                yield refuse(allowed.rule, pointer, colours=colours[0], allowed=" or ".join(allowed.colours))
    if district is None:
        fixed = {offer.colour for _, offer in bidders}
        if len(fixed) > 1:
            allowed_colours = " and ".join(sorted(colour or "" for colour in fixed))
            yield refuse("fifth-avenue.central-park.colour", "/stage/offers", colours=allowed_colours, allowed="one")
    totals = [offer.total for _, offer in bidders]
    if len(set(totals)) < len(totals):
        yield refuse("fifth-avenue.auction.higher", "/stage/offers", bid=min(totals), highest=highest_bid(stage))
    yield from dummy_findings(state, stage, black)
    if stage.dummy and not has_dummy(state):
        return
    if sound and next_bidder(state, stage, black) != (stage.seat if isinstance(stage, BidOrPass) else DUMMY):
        yield refuse("fifth-avenue.auction.order", "/stage", highest=highest_bid(stage))


def dummy_findings(state: State, stage: BidOrPass | TurnDummyCard, left: int) -> Iterator[Refusal]:
    """The dummy turns cards only with two players, until two are equal or none is left."""
    cards = stage.dummy
    if not cards and isinstance(stage, BidOrPass):
        return
    if cards and not has_dummy(state):
        yield refuse("fifth-avenue.dummy.two-players", "/stage/dummy", players=len(state.seats))
        return
    complete = bid_is_complete(cards)
    pairs = len(cards) - len(set(cards))
    too_early = isinstance(stage, BidOrPass) and cards and not complete and left
    if pairs > 1 or too_early or (isinstance(stage, TurnDummyCard) and (complete or not left)):
        yield refuse("fifth-avenue.dummy.bid", "/stage/dummy", cards=", ".join(cards) or "none", left=left)


def next_bidder(state: State, stage: BidOrPass | TurnDummyCard, black: int) -> Owner | None:
    """Who must be next: of all who come after the highest bidder the first who can still bid; `black` cards lie."""
    turned = bool(stage.dummy) and isinstance(stage, BidOrPass)
    # he bids when he has turned his last card
    leading = leader(stage if turned or not stage.dummy else replace(stage, dummy=()))
    last: Owner = DUMMY if has_dummy(state) else (state.active_seat - 1) % len(state.seats)
    for bidder in turn_order(state.active_seat, len(state.seats), last if leading is None else leading):
        if bidder == leading:
            return None
        if not isinstance(bidder, int):
            if not turned and black:
                return DUMMY
        elif not stage.offers[bidder].passed:
            return bidder
    return None


def winner_findings(state: State, stage: BuildOrStop) -> Iterator[Refusal]:
    """The winner of an auction has something to build or to stop, in a colour he could bid in."""
    district = auctioned_district(state, stage)
    if district is not None:
        allowed = colours_in_district(district, stage.seat)
        if stage.colour not in allowed.colours:
            yield refuse(allowed.rule, "/stage/colour", colours=stage.colour, allowed=" or ".join(allowed.colours))
    if stage.limit not in LIMITS.values():
        yield refuse("fifth-avenue.auction.limit", "/stage/limit", buildings=stage.limit, limit=max(LIMITS.values()))
    if not state.seats[stage.seat].reserve and not (district is not None and is_full(district)):
        yield refuse("fifth-avenue.auction.reserve", "/stage", buildings=1, reserve=0)


def end_findings(state: State, placed: int) -> Iterator[Refusal]:
    """The game is over exactly when a second stop was ordered or the twelfth business placed."""
    closed = len(state.districts.closed)
    over = type(state.stage) in STAGES_OF_END
    if closed > STOPS or over != (closed == STOPS or placed == PLACED_AT_END):
        yield refuse("fifth-avenue.end.game", "/stage", closed=closed, placed=placed)
    drawn = state.park_tiles
    under = len(state.under_central_park)
    if isinstance(state.stage, DrawParkTile):
        fits = (drawn is None or 0 < len(drawn) < PARK_TILES) and under + len(drawn or ()) > PARK_TILES
    elif isinstance(state.stage, GameOver) and drawn is not None:
        fits = len(drawn) == PARK_TILES and under > 0
    else:
        fits = drawn is None and (not over or under <= PARK_TILES)
    if not fits:
        yield refuse("fifth-avenue.end.park-tiles", "/park_tiles", drawn=len(drawn or ()), under=under)
