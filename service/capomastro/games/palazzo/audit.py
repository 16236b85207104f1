"""Everything that cannot be in a state: too many of a component, or a position no game can reach."""

from collections.abc import Iterator
from itertools import pairwise

from capomastro.engine.decisions import GameOver
from capomastro.engine.multisets import surplus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.palazzo.auction import total_bid
from capomastro.games.palazzo.components import (
    DISTRIBUTION,
    HAND_SIZE,
    MONEY,
    RIDERS,
    SETUP_TILES,
    TILE_COUNT,
    TILES,
    floor_of,
)
from capomastro.games.palazzo.money import play_of
from capomastro.games.palazzo.state import (
    ChooseCard,
    ChooseTile,
    ChooseTwoCards,
    DealCard,
    DrawSetupTile,
    Options,
    PlaceTile,
    RaiseOrPass,
    RevealCard,
    State,
)
from capomastro.games.palazzo.supplies import deck, deck_size, stacks, tiles_shown


def findings(state: State) -> Iterator[Refusal]:
    """Every finding; none for a state that can be."""
    refusal = refuse_options(state.options)
    if refusal:
        yield refusal.below("/options")
    yield from tile_findings(state)
    yield from money_findings(state)
    yield from stage_findings(state)


def refuse_options(options: Options) -> Refusal | None:
    """Why no game can be played with these options."""
    sizes = options.stack_sizes
    if sum(sizes) != TILE_COUNT or sizes[0] < SETUP_TILES:
        return refuse("palazzo.setup.stack-sizes", "/stack_sizes", sum=sum(sizes), tiles=TILE_COUNT, first=sizes[0])
    return None


def tile_findings(state: State) -> Iterator[Refusal]:
    shown = tiles_shown(state)
    unseen = dict(TILES)
    for tile in shown:
        unseen[tile] -= 1
    if min(unseen.values()) < 0:
        for tile in dict.fromkeys(surplus(shown, TILES)):
            yield refuse("palazzo.components.tiles", "", component=tile, box=TILES[tile])
    for index, seat in enumerate(state.seats):
        for number, palace in enumerate(seat.palaces):
            floors = [floor_of(tile) for tile in palace]
            if any(upper <= lower for lower, upper in pairwise(floors)):
                pointer = f"/seats/{index}/palaces/{number}"
                yield refuse("palazzo.building.rising", pointer, floors=", ".join(map(str, floors)))
    if state.riders and len(shown) <= TILE_COUNT:
        first, second, _ = stacks(state, len(shown))
        if first or second:
            yield refuse("palazzo.build.riders-last", "/riders", riders=state.riders, tiles=first + second)
    if (state.riders == RIDERS) != isinstance(state.stage, GameOver):
        yield refuse("palazzo.end.fifth-rider", "/riders", riders=state.riders)


def money_findings(state: State) -> Iterator[Refusal]:
    pile = deck(state)
    if min(pile.unseen.values()) < 0:
        for card, count in pile.unseen.items():
            if count < 0:
                yield refuse("palazzo.components.money", "", component=card, box=MONEY[card])
        return
    if pile.size < 0:
        yield refuse("palazzo.components.deck", "/seats", cards=-pile.size)
        return
    if state.discards and not pile.size:
        yield refuse("palazzo.take-money.shuffle", "/discards", discards=len(state.discards))
    if state.shuffled_in is not None and (len(state.shuffled_in) != pile.size or not pile.can_leave_hidden(())):
        yield refuse("palazzo.components.shuffled-in", "/shuffled_in", cards=len(state.shuffled_in), deck=pile.size)


def stage_findings(state: State) -> Iterator[Refusal]:
    stage, players = state.stage, len(state.seats)
    if state.active_seat >= players:
        yield refuse("palazzo.turn.seats", "/active_seat", seat=state.active_seat, players=players)
        return
    if isinstance(stage, DrawSetupTile | DealCard):
        yield from setup_findings(state)
    elif state.ply < SETUP_TILES + HAND_SIZE * players:
        yield refuse("palazzo.setup.order", "/ply", ply=state.ply, setup=SETUP_TILES + HAND_SIZE * players)
    seat = getattr(stage, "seat", 0)
    if seat >= players:
        yield refuse("palazzo.turn.seats", "/stage/seat", seat=seat, players=players)
    elif isinstance(stage, RevealCard | ChooseTwoCards | ChooseCard):
        yield from row_findings(state, stage)
    elif isinstance(stage, RaiseOrPass):
        yield from auction_findings(state, stage)
    elif isinstance(stage, ChooseTile):
        yield from distribution_findings(state, stage.seat, here=0)
    elif isinstance(stage, PlaceTile) and stage.distribution:
        yield from distribution_findings(state, stage.seat, here=len(stage.tiles))
    elif isinstance(stage, PlaceTile) and not 1 <= len(stage.tiles) < DISTRIBUTION:
        yield refuse("palazzo.distribution.four", "/stage/tiles", tiles=len(stage.tiles), quarry=state.builder)


def setup_findings(state: State) -> Iterator[Refusal]:
    """While the set-up goes on, as much has been laid out and dealt as there have been plies, in the set order."""
    places = [*state.quarries, state.supply]
    laid = sum(map(len, places))
    dealt = [seat.hand.size for seat in state.seats]
    full, rest = divmod(sum(dealt), HAND_SIZE)
    in_order = (
        [len(place) for place in places] == [1] * laid + [0] * (SETUP_TILES - laid)
        and dealt == ([HAND_SIZE] * full + [rest] + [0] * len(dealt))[: len(dealt)]
        and isinstance(state.stage, DrawSetupTile) == (laid < SETUP_TILES)
        and (laid == SETUP_TILES or not sum(dealt))
        and full < len(dealt)
        and state.ply == laid + sum(dealt)
        and state.active_seat == 0
        and state.builder == state.options.builder
        and not (state.riders or state.removed or state.discards)
        and not any(seat.palaces or seat.hand.open for seat in state.seats)
        and state.shuffled_in is None
    )
    if not in_order:
        yield refuse("palazzo.setup.order", "/ply", ply=state.ply, setup=laid + sum(dealt))


def row_findings(state: State, stage: RevealCard | ChooseTwoCards | ChooseCard) -> Iterator[Refusal]:
    """The row of face-up cards holds one more than there are players, less what has been taken of it."""
    players, row = len(state.seats), len(stage.face_up)
    if isinstance(stage, RevealCard):
        there = deck_size(state) + len(state.discards)
        fits = row <= players and there >= players + 1 - row
        expected = players
    elif isinstance(stage, ChooseTwoCards):
        expected = players + 1
        fits = row == expected
    else:
        offset = (stage.seat - state.active_seat) % players
        expected = players - offset
        fits = offset > 0 and row == expected
    if not fits:
        yield refuse("palazzo.take-money.row", "/stage/face_up", cards=row, expected=expected)


def auction_findings(state: State, stage: RaiseOrPass) -> Iterator[Refusal]:
    """An auction of one to three tiles between at least two seats, each bid higher than the one before."""
    players = len(state.seats)
    if len(stage.bids) != players:
        yield refuse("palazzo.turn.seats", "/stage/bids", seat=len(stage.bids), players=players)
        return
    tiles = len(state.quarries[state.builder])
    if not 1 <= tiles < DISTRIBUTION:
        yield refuse("palazzo.distribution.four", "/quarries", tiles=tiles, quarry=state.builder)
    standing = [seat for seat, bid in enumerate(stage.bids) if not bid.passed]
    if len(standing) < 2 or stage.bids[stage.seat].passed:
        yield refuse("palazzo.auction.standing", "/stage/bids", standing=len(standing), seat=stage.seat)
    totals = [total_bid(state, stage, seat) for seat in range(players)]
    highest = max(totals)
    sound = True
    for seat, bid in enumerate(stage.bids):
        pointer = f"/stage/bids/{seat}/plays"
        currencies = [currency for play in bid.plays for currency in play_of(play).currencies]
        if bid.passed and bid.plays:
            yield refuse("palazzo.auction.passed", pointer, seat=seat)
        if len(set(currencies)) > 1:
            sound = False
            yield refuse("palazzo.payment.currency", pointer, currencies=" and ".join(dict.fromkeys(currencies)))
        if () in bid.plays:
            sound = False
            yield refuse("palazzo.auction.raise", pointer, bid=totals[seat], highest=highest)
    if sound and standing:
        # the seat to decide comes after the highest bidder, and before the one that bid the longest ago
        clockwise = [totals[seat] for seat in [*range(stage.seat, players), *range(stage.seat)] if seat in standing]
        rising = all(lower < upper or lower == upper == 0 for lower, upper in pairwise(clockwise))
        too_early = not clockwise[0] and stage.bids[state.active_seat].passed
        if not rising or too_early:
            yield refuse("palazzo.auction.raise", "/stage/bids", bid=totals[stage.seat], highest=highest)


def distribution_findings(state: State, seat: int, here: int) -> Iterator[Refusal]:
    """Four or more tiles lay on the quarry before the active seat took the first; `here` are in hand now."""
    taken = (seat - state.active_seat) % len(state.seats) + here
    tiles = len(state.quarries[state.builder]) + taken
    if here > 1 or tiles < DISTRIBUTION:
        yield refuse("palazzo.distribution.four", "/quarries", tiles=tiles, quarry=state.builder)
