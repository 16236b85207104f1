"""Everything impossible in a state: too many of a component, or a position that no game can reach.

One check per fault, named by the id of its rule, whose refusal describes the fault.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from msgspec.structs import replace

from capomastro.engine import audits
from capomastro.engine.audits import SetupRules, SetupStep, component_findings, seats_untouched, untouched_findings
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import kinds, minus
from capomastro.engine.referee import type_of
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.auction import (
    auctioned_district,
    colours_in_district,
    highest_bid,
    leader,
    turn_order,
)
from capomastro.games.fifth_avenue.bids import LIMITS, colours_of, limit_of
from capomastro.games.fifth_avenue.card_counts import left_of_box, sizes_of_piles
from capomastro.games.fifth_avenue.components import (
    BLACK,
    BUILDINGS,
    BUILDINGS_TAKEN,
    BUSINESS_TILES,
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
    MAXIMUM_BUSINESSES,
    MAXIMUM_PER_COLOUR,
    PARK_TILES,
    PILE_CARDS,
    PILE_COUNT,
    PILES,
    PLACED_AT_END,
    PLAYER_BUILDINGS,
    ROW_TILES,
    STOPS,
    pile_of,
)
from capomastro.games.fifth_avenue.decisions.setup import order_of_builders
from capomastro.games.fifth_avenue.decisions.turn import districts_to_score, seats_that_draw
from capomastro.games.fifth_avenue.dummy import bid_is_complete, has_dummy
from capomastro.games.fifth_avenue.lots import District, Districts, Lot, Owner, Ring, is_full
from capomastro.games.fifth_avenue.piles import face_down_pile, pile_sizes, piles_with_top, shown_cards
from capomastro.games.fifth_avenue.routes import PATHS, ROUND, passed_districts
from capomastro.games.fifth_avenue.state import DEFAULT_GROUPS, DEFAULT_RINGS, Options, State
from capomastro.games.fifth_avenue.supplies import businesses_placed, businesses_shown, outside_supply


def findings(state: State) -> Iterator[Refusal]:
    """All findings; none for a possible state."""
    options = state.options
    setting_up = type(state.stage) in stages.SETUP
    placed = 0 if setting_up else businesses_placed(state.row)
    if options.rings != DEFAULT_RINGS[options.six_lots] or options.row_groups != DEFAULT_GROUPS:
        yield from option_findings(options, "/options")
    yield from district_findings(state.districts, OWNERS[len(state.seats)], six_lots=options.six_lots)
    yield from business_findings(state, placed, setting_up=setting_up)
    yield from building_findings(state, setting_up=setting_up)
    if not setting_up:
        yield from first_district_findings(state.districts, len(state.seats))
    yield from route_findings(state)
    left = left_of_box(state)
    cards = [*card_findings(state, left)]
    yield from cards
    seats = [*seat_findings(state)]
    yield from seats
    if setting_up or state.ply == setup_plies(len(state.seats), state.options.six_lots):
        yield from setup_findings(state)
    elif left is not None and not cards and not seats:
        yield from stage_findings(state, sizes_of_piles(left))
    yield from end_findings(state, placed)


OWNERS: dict[int, frozenset[Owner]] = {2: frozenset({0, 1, DUMMY}), 3: frozenset(range(3)), 4: frozenset(range(4))}
"""Who may own buildings, by the number of players."""


# --- options and districts: of a state, and of a scoresheet ----------------------------------------------------------


def option_findings(options: Options, prefix: str = "") -> Iterator[Refusal]:
    yield from ring_findings(options.rings, prefix + "/rings", six_lots=options.six_lots)
    groups = options.row_groups
    for index in range(0, len(groups), 2):
        if sorted(groups[index : index + 2]) != [2, 3]:
            yield refuse(
                "fifth-avenue.setup.row-groups", f"{prefix}/row_groups/{index}", pair=groups[index : index + 2]
            )


@lru_cache(maxsize=64)
def is_ring(ring: Ring, six_lots: bool) -> bool:
    return sorted(ring) == sorted(LOTS_OF_BOARD[six_lots])


def ring_findings(rings: Mapping[str, Ring], prefix: str, *, six_lots: bool) -> Iterator[Refusal]:
    for name, ring in rings.items():
        if not is_ring(ring, six_lots):
            yield refuse("fifth-avenue.map.rings", f"{prefix}/{name}", ring=ring)


def district_findings(districts: Districts, players: Iterable[Owner], *, six_lots: bool) -> Iterator[Refusal]:
    """What is impossible on the lots; `players`: who may own buildings."""
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
        where, owner = f"/{colour}", lot.owner
        faults = [finding.below(where) for finding in occupant_findings(lot)]
        yield from faults
        if faults or owner is None:
            continue
        if colour == COLOURLESS:
            yield refuse("fifth-avenue.map.colourless", where, buildings=lot.buildings)
        elif owner not in players:
            yield refuse("fifth-avenue.turn.seats", where + "/owner", owner=owner)
        elif owner == DUMMY and lot.buildings > 1:
            yield refuse("fifth-avenue.dummy.builds", where + "/buildings", buildings=lot.buildings)
        elif owner in settled and owner != DUMMY:
            first = district.facts.lot_of[owner]
            yield refuse("fifth-avenue.auction.one-lot", where, lot=colour, other=first, seat=owner)
        else:
            settled.add(owner)


def first_district_findings(districts: Districts, players: int) -> Iterator[Refusal]:
    """The first two buildings of every player are in two districts, except in those that were closed."""
    needed = FIRST_BUILDINGS - len(districts.closed)
    if needed <= 0:
        return
    for seat in range(players):
        built_in = districts.facts.districts_of[seat]
        if built_in < needed:
            yield refuse("fifth-avenue.setup.two-districts", "/districts", seat=seat, districts=built_in, needed=needed)


def occupant_findings(lot: Lot) -> Iterator[Refusal]:
    """What is impossible on a lot, wherever it is and whoever plays."""
    businesses, buildings = len(lot.businesses), lot.buildings
    if buildings and lot.owner is None:
        yield refuse("fifth-avenue.map.owner", "/buildings", buildings=buildings)
    if lot.owner is not None and not buildings:
        yield refuse("fifth-avenue.map.no-building", "/owner", owner=lot.owner)
    if businesses and (buildings or lot.owner is not None):
        yield refuse("fifth-avenue.map.occupants", "", businesses=businesses, buildings=buildings)


# --- components ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def groups_used_up(tiles: tuple[int, ...], sizes: tuple[int, ...]) -> int | None:
    """The number of used-up groups of the row, by the number of tiles in each; None if such a row is impossible."""
    active = next((index for index, number in enumerate(tiles) if number), len(tiles))
    complete = len(tiles) == len(sizes) and tiles[active + 1 :] == sizes[active + 1 :]
    return active if complete and (active == len(tiles) or 1 < tiles[active] <= sizes[active]) else None


def business_findings(state: State, placed: int, *, setting_up: bool) -> Iterator[Refusal]:
    """No kind occurs too often; the row is used up from the left; every tile that left it is somewhere."""
    shown = businesses_shown(state).count
    for business, box in BUSINESS_TILES.items():
        if shown(business) > box:
            yield refuse("fifth-avenue.components.businesses", "", component=business, box=box)
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
    """Nobody has more buildings than exist; players take theirs in threes."""
    built = state.districts.buildings
    closed = len(state.districts.closed)
    for index, seat in enumerate(state.seats):
        if seat.removed and not closed:
            yield refuse("fifth-avenue.stop.removed", f"/seats/{index}/removed", buildings=seat.removed)
        taken = outside_supply(seat, built[index])
        if taken > PLAYER_BUILDINGS:
            yield refuse("fifth-avenue.components.buildings", f"/seats/{index}", buildings=taken, box=PLAYER_BUILDINGS)
        elif not setting_up:
            beyond = taken - FIRST_BUILDINGS - FIRST_RESERVE
            if beyond < 0 or beyond % BUILDINGS_TAKEN:
                yield refuse("fifth-avenue.option-a.threes", f"/seats/{index}", buildings=taken)
    removed = state.dummy_removed or 0
    if (state.dummy_removed is not None) != has_dummy(state):
        yield refuse("fifth-avenue.dummy.two-players", "/dummy_removed", players=len(state.seats))
    elif built[DUMMY] + removed > BUILDINGS:
        buildings = built[DUMMY] + removed
        yield refuse("fifth-avenue.components.buildings", "/dummy_removed", buildings=buildings, box=BUILDINGS)
    if removed and not closed:
        yield refuse("fifth-avenue.stop.removed", "/dummy_removed", buildings=removed)
    businesses = len(state.removed_businesses)
    most = MAXIMUM_BUSINESSES * closed * len(LOTS_OF_BOARD[state.options.six_lots])
    if not closed <= businesses <= most:
        numbers = {"businesses": businesses, "closed": closed, "least": closed, "most": most}
        yield Refusal("fifth-avenue.stop.removed-businesses", numbers, "/removed_businesses")


def card_findings(state: State, left: Sequence[int] | None) -> Iterator[Refusal]:
    """No card occurs too often; the piles have the rest; only dealt coloured cards are secret.

    `left`: the rest of the box, unless the document has more cards than the box.
    """
    if left is not None:
        sizes = sizes_of_piles(left)
    else:
        shown = Counter(shown_cards(state))
        too_many = [*component_findings("fifth-avenue.components.cards", shown.elements(), CARDS)]
        if too_many:
            yield from too_many
            return
        sizes = pile_sizes(state, shown)
    for pile in PILES:
        if sizes[pile] < 0:
            yield refuse("fifth-avenue.components.piles", "/seats", pile=pile, cards=-sizes[pile])
        elif pile == BLACK:
            yield from black_findings(state, sizes[BLACK])
        else:
            yield from pile_findings(state, pile, sizes[pile])
    for index, seat in enumerate(state.seats):
        if has_too_many_secrets(seat.hand):
            yield from secret_findings(seat.hand, f"/seats/{index}/hand")


def pile_findings(state: State, colour: str, size: int) -> Iterator[Refusal]:
    """A coloured pile with `size` cards face down shows its top, unless that is to be revealed."""
    top, discards, cards = state.piles[colour].top, state.piles[colour].discards, PILE_CARDS[colour]
    if top and top not in cards:
        yield refuse("fifth-avenue.cards.pile", f"/piles/{colour}/top", pile=colour)
    if discards and not cards.keys() >= {*discards}:
        yield refuse("fifth-avenue.cards.pile", f"/piles/{colour}/discards", pile=colour)
    if top is None:
        if size and type(state.stage) not in (*stages.SETUP, stages.RevealTop):
            yield refuse("fifth-avenue.cards.top", f"/piles/{colour}/top", pile=colour, cards=size)
        elif discards and not size:
            yield refuse("fifth-avenue.cards.used-up", f"/piles/{colour}/top", pile=colour, discards=len(discards))


def secret_findings(hand: Hand, pointer: str) -> Iterator[Refusal]:
    """One card of each colour is dealt; everybody sees those taken later."""
    secret = Counter(map(pile_of, hand.closed)) + Counter(hand.unknown)
    for colour in COLOURS:
        if secret[colour] > 1:
            yield refuse("fifth-avenue.cards.secret", pointer, colour=colour, cards=secret[colour])


SECRET_PLACES = {colour: 1 << 12 * index for index, colour in enumerate(COLOURS)} | {BLACK: 0}
ONE_SECRET = {card: SECRET_PLACES[pile_of(card)] for card in CARDS}
MORE_THAN_ONE = sum(((1 << 12) - 2) * place for place in SECRET_PLACES.values())


def has_too_many_secrets(hand: Hand) -> bool:
    """Whether more cards of a colour are secret than are dealt; all numbers are in one integer, 12 bits each."""
    secret = sum(map(ONE_SECRET.__getitem__, hand.closed))
    if hand.unknown:
        secret += sum([SECRET_PLACES[pile] * number for pile, number in hand.unknown.items()])
    return secret & MORE_THAN_ONE != 0


def black_findings(state: State, size: int) -> Iterator[Refusal]:
    cards, shuffled_in = PILE_CARDS[BLACK], state.shuffled_in
    if state.black_discards and not cards.keys() >= {*state.black_discards}:
        yield refuse("fifth-avenue.cards.pile", "/black_discards", pile=BLACK)
    if shuffled_in and not cards.keys() >= {*shuffled_in}:
        yield refuse("fifth-avenue.cards.pile", "/shuffled_in", pile=BLACK)
    if state.black_discards and not size:
        yield refuse("fifth-avenue.cards.shuffle", "/black_discards", discards=len(state.black_discards))
    if shuffled_in is not None and not face_down_pile(state, BLACK).can_leave_hidden(()):
        yield refuse("fifth-avenue.components.shuffled-in", "/shuffled_in", cards=len(shuffled_in), pile=size)


# --- the map ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def possible_markers(space: str, closed: frozenset[str]) -> frozenset[frozenset[str]]:
    """The districts that a commissioner on `space` may have marked: those it passed, except closed ones."""
    return frozenset(frozenset(passed_districts(path, closed)) for path in PATHS[space])


@lru_cache(maxsize=1024)
def markers_to_auction(closed: frozenset[str]) -> frozenset[frozenset[str]]:
    """The districts that may still be marked during its auctions: the end of a path to Central Park."""
    ways = [passed_districts(path, closed) for path in PATHS[CENTRAL_PARK]]
    return frozenset(frozenset(way[start:]) for way in ways for start in range(len(way) + 1))


def route_findings(state: State) -> Iterator[Refusal]:
    """The markers are where the commissioners have been."""
    closed = state.districts.closed
    stage = state.stage
    in_auction = stage.commissioner if type(stage) in stages.AUCTION else None  # type: ignore[union-attr]
    for colour in COMMISSIONERS:
        space, markers = state.commissioners[colour], state.markers[colour]
        marked = frozenset(markers)
        auctioning = colour == in_auction or (len(closed) >= STOPS and space == CITY_HALL)
        possible = markers_to_auction(closed) if auctioning else possible_markers(space, closed)
        if auctioning and space != CITY_HALL:
            yield refuse("fifth-avenue.auction.city-hall", f"/commissioners/{colour}", commissioner=colour, space=space)
        if len(marked) < len(markers):
            twice = next(district for district in markers if markers.count(district) > 1)
            yield refuse("fifth-avenue.map.one-marker", f"/markers/{colour}", district=twice, commissioner=colour)
        if marked not in possible:
            yield refuse("fifth-avenue.map.markers", f"/markers/{colour}", markers=markers, space=space)


# --- set-up ----------------------------------------------------------------------------------------------------------


@cache
def setup_plies(players: int, six_lots: bool) -> int:
    """The number of moves in the set-up."""
    starting = len(DISTRICTS) * (1 if six_lots else 2)
    return starting + ROW_TILES + players * (HAND_SIZE + FIRST_BUILDINGS) + len(COLOURS)


SETUP = SetupRules(
    ply="fifth-avenue.setup.ply",
    step="fifth-avenue.setup.step",
    early="fifth-avenue.setup.early",
    order="fifth-avenue.setup.order",
)
BEGINNING: Mapping[str, Any] = {
    "active_seat": 0,
    "commissioners": dict.fromkeys(COMMISSIONERS, CITY_HALL),
    "under_central_park": (),
    "removed_businesses": (),
    "black_discards": (),
    "shuffled_in": None,
    "park_tiles": None,
}
"""What the set-up does not change."""
BEGINNING_OF_SEAT: Mapping[str, Any] = {"reserve": FIRST_RESERVE, "central_park": 0, "removed": 0, "score": 0}


def setup_findings(state: State) -> Iterator[Refusal]:
    """Until the first turn, components are laid out step by step, one per move; nothing else changes."""
    yield from touched_findings(state)
    if state.districts.closed:
        return
    players, built = len(state.seats), sum(state.districts.buildings.values())
    starting = [len(district.facts.businesses) for _, district in state.districts.open]
    tops = [int(state.piles[colour].top is not None) for colour in COLOURS]
    hands = [seat.hand.size for seat in state.seats]
    own_lots = () if state.options.six_lots else (stages.DrawStartingLot,)
    steps = (
        SetupStep(
            "/districts", (stages.DrawStartingBusiness, *own_lots), len(DISTRICTS), starting, [1] * len(DISTRICTS)
        ),
        SetupStep(
            "/row", (stages.DrawRowBusiness,), ROW_TILES, [len(group) for group in state.row], state.options.row_groups
        ),
        SetupStep("/seats", (stages.DealCard,), HAND_SIZE * players, hands, [HAND_SIZE] * players),
        SetupStep("/piles", (stages.RevealFirstTop,), len(COLOURS), tops, [1] * len(COLOURS)),
        SetupStep("/districts", (stages.PlaceFirstBuilding,), FIRST_BUILDINGS * players, [built]),
    )
    lots_drawn = sum(starting) if own_lots else 0
    further_moves = lots_drawn + isinstance(state.stage, stages.DrawStartingLot)
    yield from audits.setup_findings(state, steps, stages.ChooseOption, SETUP, further_moves)
    for index in range(players):
        if not secrets_in_order(state, index):
            yield refuse("fifth-avenue.setup.hand", f"/seats/{index}/hand", seat=index)
    yield from starting_findings(state)
    yield from first_building_findings(state, built)


def touched_findings(state: State) -> Iterator[Refusal]:
    """The set-up does not change anything else."""
    rule = "fifth-avenue.setup.untouched"
    yield from untouched_findings(rule, [("", state, BEGINNING)])
    for name in DISTRICTS:
        if name in state.districts.closed:
            yield refuse(rule, f"/districts/{name}")
    piles = [(f"/piles/{colour}", state.piles[colour], {"discards": ()}) for colour in COLOURS]
    yield from untouched_findings(rule, (*piles, *seats_untouched(state, BEGINNING_OF_SEAT)))


def starting_findings(state: State) -> Iterator[Refusal]:
    """Starting businesses are on the sixth lot if there is one, otherwise on no colour more than twice."""
    six_lots, used = state.options.six_lots, list[str]()
    for name, district in state.districts.open:
        for lot, there in district.facts.lots.items():
            if there.businesses:
                used.append(lot)
                if (lot == COLOURLESS) != six_lots:
                    yield refuse("fifth-avenue.setup.starting-lot", f"/districts/{name}/{lot}", lot=lot)
    for colour in COLOURS:
        if used.count(colour) > MAXIMUM_PER_COLOUR:
            yield refuse("fifth-avenue.setup.lot-colours", "/districts", component=colour)


def first_building_findings(state: State, built: int) -> Iterator[Refusal]:
    """Everybody whose turn it was has placed a building, each on a different lot."""
    builders = order_of_builders(len(state.seats))[:built]
    for seat in range(len(state.seats)):
        placed, expected = state.districts.buildings[seat], builders.count(seat)
        if placed != expected:
            yield refuse(
                "fifth-avenue.setup.first-buildings", "/districts", seat=seat, buildings=placed, expected=expected
            )
    for name, district in state.districts.open:
        for colour, lot in district.facts.lots.items():
            if lot.buildings > 1:
                pointer = f"/districts/{name}/{colour}/buildings"
                yield refuse("fifth-avenue.setup.other-district", pointer, district=name)


def secrets_in_order(state: State, index: int) -> bool:
    """Whether a partly dealt hand has one card of each colour, in their order, then black ones."""
    hand = state.seats[index].hand
    piles = [*map(pile_of, hand.closed)]
    for pile, number in hand.unknown.items():
        piles += [pile] * number
    return sorted(piles) == first_piles(hand.size)


@lru_cache(maxsize=HAND_SIZE + 1)
def first_piles(number: int) -> list[str]:
    """The piles of the first `number` cards dealt, in ascending order."""
    return sorted([PILES[min(place, len(COLOURS))] for place in range(number)])


# --- stages ----------------------------------------------------------------------------------------------------------


def seat_findings(state: State) -> Iterator[Refusal]:
    """Every seat mentioned exists."""
    players, stage = len(state.seats), cast(Any, state.stage)
    kind = type(stage)
    if state.active_seat >= players:
        yield refuse("fifth-avenue.turn.seats", "/active_seat", owner=state.active_seat)
    if kind in (stages.BidOrPass, stages.BuildOrStop) and stage.seat >= players:
        yield refuse("fifth-avenue.turn.seats", "/stage/seat", owner=stage.seat)
    if kind is stages.DrawBlackCard and any(seat >= players for seat in stage.seats):
        yield refuse("fifth-avenue.turn.seats", "/stage/seats", owner=max(stage.seats))
    if kind in stages.BIDDING and len(stage.offers) != players:
        yield refuse("fifth-avenue.turn.seats", "/stage/offers", owner=len(stage.offers))


def stage_findings(state: State, sizes: Mapping[str, int]) -> Iterator[Refusal]:
    """What is impossible in the stage; `sizes` of the piles."""
    stage = state.stage
    setup = setup_plies(len(state.seats), state.options.six_lots)
    if state.ply < setup:
        yield refuse("fifth-avenue.setup.ply", "/ply", ply=state.ply, setup=setup)
    if state.shuffled_in is None:
        yield from turn_findings(state, sizes[BLACK])
    if isinstance(stage, stages.BIDDING):
        yield from auction_findings(state, stage, sizes[BLACK])
    elif isinstance(stage, stages.DrawBlackCard):
        yield from drawing_findings(state, stage, sizes[BLACK])
    elif isinstance(stage, stages.TakeCards):
        if not piles_with_top(state):
            yield refuse("fifth-avenue.cards.exhausted", "/piles", colour=None)
    elif isinstance(stage, stages.RevealTop):
        pending = [colour for colour in COLOURS if state.piles[colour].top is None and sizes[colour]]
        if not 1 <= len(pending) <= 2:
            yield refuse("fifth-avenue.cards.reveal", "/piles", piles=len(pending))
    elif isinstance(stage, stages.BuildOrStop):
        yield from winner_findings(state, stage, sizes[stage.colour])


def turn_findings(state: State, black: int) -> Iterator[Refusal]:
    """Every option A takes three buildings, every B places a business, every C or D draws a black card.

    A commissioner moves in every turn, and once more with C, and leaves a marker in each district. Until the black pile
    is shuffled, this tells whose turn it is, and whether there can have been an auction; `black`: the cards left in it.
    Moves still due in this turn count as well.
    """
    seat, stage, players, built = state.active_seat, state.stage, len(state.seats), state.districts.buildings
    taken = sum([outside_supply(one, built[index]) for index, one in enumerate(state.seats)])
    turns = businesses_placed(state.row) + (taken - players * (FIRST_BUILDINGS + FIRST_RESERVE)) // BUILDINGS_TAKEN
    more = PILE_COUNT[BLACK] - players * (HAND_SIZE - len(COLOURS)) - black
    drawing = type(stage) is stages.DrawBlackCard
    begun = seat + (not drawing and type(stage) is not stages.ChooseOption)
    has_drawn = not drawing and getattr(stage, "phase", None) == 1
    fewest = max(begun - turns, (begun - turns) % players, has_drawn)
    moved = sum([len(state.markers[one]) + 1 for one, space in state.commissioners.items() if space != CITY_HALL])
    if shows_an_auction(state):
        moved += ROUND
    moved += has_drawn + isinstance(stage, stages.TakeCards | stages.RevealTop | stages.MoveCommissioner)
    if fewest > more or moved > turns + 2 * more:
        numbers = {"turns": turns, "more": more, "moves": moved}
        yield refuse("fifth-avenue.turn.order", "/active_seat", seat=seat, decision=type_of(type(stage)), **numbers)


def shows_an_auction(state: State) -> bool:
    """Whether there must have been an auction: one goes on, or left discards, a stop or more buildings."""
    built = state.districts.buildings
    return bool(
        type(state.stage) in stages.AUCTION
        or state.districts.closed
        or state.black_discards
        or any(pile.discards for pile in state.piles.values())
        or built[DUMMY]
        or any(seat.central_park or built[index] > FIRST_BUILDINGS for index, seat in enumerate(state.seats))
    )


def drawing_findings(state: State, stage: stages.DrawBlackCard, black: int) -> Iterator[Refusal]:
    """Option C: one card for the active seat. Option D: who draws depends on the scored district."""
    active, still_drawing = state.active_seat, stage.seats
    if not black:
        yield refuse("fifth-avenue.cards.no-black", "/stage", left=black)
    if stage.phase == 1:
        if still_drawing != (active,):
            yield refuse("fifth-avenue.option-c.draw", "/stage/seats", seats=still_drawing, seat=active)
        return
    players, scored = len(state.seats), map(state.districts.known_open, districts_to_score(state))
    everybody = [seats_that_draw(active, players, district) for district in scored]
    if not any(drawing[-len(still_drawing) :] == still_drawing for drawing in everybody):
        yield refuse("fifth-avenue.scoring.draw", "/stage/seats", seats=still_drawing)


def auction_findings(state: State, stage: stages.BidOrPass | stages.TurnDummyCard, black: int) -> Iterator[Refusal]:
    """Every offer is possible, and the seat after the highest bidder is next."""
    district = auctioned_district(state, stage)
    sound = True
    bidders = [(seat, offer) for seat, offer in enumerate(stage.offers) if offer.bids]
    for seat, offer in bidders:
        pointer = f"/stage/offers/{seat}"
        if offer.passed:
            yield refuse("fifth-avenue.auction.pass", pointer, seat=seat)
        colours = colours_of(offer.cards)
        if () in offer.bids:
            sound = False
            yield refuse("fifth-avenue.auction.cards", pointer, seat=seat)
        if len(colours) > 1:
            yield refuse("fifth-avenue.auction.one-colour", pointer, colours=colours)
        elif not colours or not colours_of(offer.bids[0]):
            yield refuse("fifth-avenue.auction.coloured-card", pointer)
        elif district is not None:
            allowed = colours_in_district(district, seat)
            if colours[0] not in allowed.colours:
                yield refuse(allowed.rule, pointer, colours=colours, allowed=allowed.colours)
    if district is None:
        fixed = {offer.colour for _, offer in bidders}
        if len(fixed) > 1:
            named = tuple(sorted(filter(None, fixed)))
            yield refuse("fifth-avenue.central-park.colour", "/stage/offers", colours=named, allowed=())
    totals = [offer.total for _, offer in bidders]
    if len(set(totals)) < len(totals):
        yield refuse("fifth-avenue.auction.higher", "/stage/offers", bid=min(totals), highest=highest_bid(stage))
    yield from dummy_findings(state, stage, black)
    if stage.dummy and not has_dummy(state):
        return
    if sound and next_bidder(state, stage, black) != (stage.seat if isinstance(stage, stages.BidOrPass) else DUMMY):
        yield refuse("fifth-avenue.auction.order", "/stage", highest=highest_bid(stage))


def dummy_findings(state: State, stage: stages.BidOrPass | stages.TurnDummyCard, left: int) -> Iterator[Refusal]:
    """The dummy turns cards only with two players, until two have the same value or none is left."""
    cards = stage.dummy
    if not cards and isinstance(stage, stages.BidOrPass):
        return
    if cards and not has_dummy(state):
        yield refuse("fifth-avenue.dummy.two-players", "/stage/dummy", players=len(state.seats))
        return
    complete = bid_is_complete(cards)
    if complete and all(bid_is_complete(minus(cards, (last,))) for last in kinds(cards)):
        yield refuse("fifth-avenue.dummy.pair", "/stage/dummy", turned_cards=cards)
    if isinstance(stage, stages.BidOrPass):
        if left and not complete:
            yield refuse("fifth-avenue.dummy.bid", "/stage/dummy", turned_cards=cards, left=left)
        return
    if complete:
        yield refuse("fifth-avenue.dummy.pair", "/stage", turned_cards=cards)
    if not left:
        yield refuse("fifth-avenue.cards.no-black", "/stage", left=left)


def next_bidder(state: State, stage: stages.BidOrPass | stages.TurnDummyCard, black: int) -> Owner | None:
    """The next bidder: the first after the highest bidder who can still bid; `black`: face-down black cards."""
    turned = bool(stage.dummy) and isinstance(stage, stages.BidOrPass)
    # the dummy bids after turning its last card
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


def winner_findings(state: State, stage: stages.BuildOrStop, face_down: int) -> Iterator[Refusal]:
    """The winner of an auction can build or stop, in a colour in which they could bid, and has just discarded.

    `face_down`: the cards left in the pile of that colour.
    """
    district = auctioned_district(state, stage)
    if district is not None:
        allowed = colours_in_district(district, stage.seat)
        if stage.colour not in allowed.colours:
            yield refuse(allowed.rule, "/stage/colour", colours=(stage.colour,), allowed=allowed.colours)
    if stage.limit not in LIMITS.values():
        yield refuse("fifth-avenue.auction.limit", "/stage/limit", buildings=stage.limit, limit=max(LIMITS.values()))
    pile = state.piles[stage.colour]
    exhausted = None if face_down else pile.top  # a discard on an exhausted pile is its top
    discard = pile.discards[-1] if pile.discards else exhausted
    if discard is None or limit_of((discard,)) < stage.limit:
        yield refuse("fifth-avenue.auction.discards", f"/piles/{stage.colour}", colour=stage.colour, limit=stage.limit)
    if not state.seats[stage.seat].reserve and not (district is not None and is_full(district)):
        yield refuse("fifth-avenue.auction.reserve", "/stage", buildings=1, reserve=0)


def end_findings(state: State, placed: int) -> Iterator[Refusal]:
    """The game is over if and only if a second stop was ordered or the twelfth business placed."""
    closed = len(state.districts.closed)
    over, ended = type(state.stage) in stages.END, closed >= STOPS or placed == PLACED_AT_END
    if closed > STOPS:
        yield refuse("fifth-avenue.stop.two", "/districts", closed=closed, stops=STOPS)
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
    drawing = isinstance(state.stage, stages.DrawParkTile)
    under, drawn = len(state.under_central_park), state.park_tiles
    if drawn is None:
        if under > PARK_TILES and not drawing:
            yield refuse("fifth-avenue.end.three-drawn", "/park_tiles", under=under, needed=PARK_TILES)
    else:
        least, most = (1, PARK_TILES - 1) if drawing else (PARK_TILES, PARK_TILES)
        if not least <= len(drawn) <= most:
            yield refuse("fifth-avenue.end.park-tiles", "/park_tiles", tiles=len(drawn), least=least, most=most)
    there = under + len(drawn or ())
    if there <= PARK_TILES and (drawing or drawn is not None):
        yield refuse("fifth-avenue.end.all-count", "/under_central_park", tiles=there, most=PARK_TILES)
