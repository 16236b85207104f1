"""Everything impossible in a state: too many of a component, or a position that no game can reach.

One check per fault, named by the id of its rule, whose refusal describes the fault.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from capomastro.engine import audits
from capomastro.engine.audits import (
    SetupRules,
    SetupStep,
    component_findings,
    seats_untouched,
    shortage_findings,
    untouched_findings,
)
from capomastro.engine.decisions import GameOver
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.palazzo import stages
from capomastro.games.palazzo.auction import total_bid
from capomastro.games.palazzo.components import (
    DISTRIBUTION,
    HAND_SIZE,
    MONEY,
    MONEY_COUNT,
    MOST_BOUGHT,
    QUARRIES,
    RIDERS,
    SETUP_TILES,
    TILE_COUNT,
    TILES,
    floor_of,
    windows_of,
)
from capomastro.games.palazzo.money import play_of
from capomastro.games.palazzo.state import Options, Palace, State
from capomastro.games.palazzo.supplies import ROW_STAGES, deck, deck_size, stacks, tiles_shown


def findings(state: State) -> Iterator[Refusal]:
    """All findings; none for a possible state."""
    if refusal := refuse_options(state.options):
        yield refusal.below("/options")
    shown = tiles_shown(state)
    yield from tile_findings(state, shown)
    yield from money_findings(state)
    yield from stage_findings(state, len(shown) + state.riders)


def refuse_options(options: Options) -> Refusal | None:
    """Why no game can be played with these options."""
    sizes = options.stack_sizes
    if sum(sizes) != TILE_COUNT:
        return refuse("palazzo.setup.stack-sizes", "/stack_sizes", sum=sum(sizes), tiles=TILE_COUNT)
    if sizes[0] < SETUP_TILES:
        return refuse("palazzo.setup.first-stack", "/stack_sizes/0", first=sizes[0], needed=SETUP_TILES)
    return None


def tile_findings(state: State, shown: list[str]) -> Iterator[Refusal]:
    yield from component_findings("palazzo.components.tiles", shown, TILES)
    for index, seat in enumerate(state.seats):
        for number, palace in enumerate(seat.palaces):
            if not rises(palace):
                pointer = f"/seats/{index}/palaces/{number}"
                yield refuse("palazzo.building.rising", pointer, floors=tuple(map(floor_of, palace)))
    if state.riders and len(shown) <= TILE_COUNT:
        first, second, _ = stacks(state, len(shown))
        if first or second:
            yield refuse("palazzo.build.riders-last", "/riders", riders=state.riders, tiles=first + second)
    over = isinstance(state.stage, GameOver)
    if state.riders == RIDERS and not over:
        yield refuse("palazzo.end.fifth-rider", "/stage", riders=state.riders)
    if over and state.riders != RIDERS:
        yield refuse("palazzo.end.not-before", "/stage", riders=state.riders, last=RIDERS)


def rises(palace: Palace) -> bool:
    """Whether each tile of a palace is higher than the one below it."""
    return all(lower < upper for lower, upper in pairwise(map(floor_of, palace)))


def money_findings(state: State) -> Iterator[Refusal]:
    pile = deck(state)
    if min(pile.unseen.values()) < 0:
        yield from shortage_findings("palazzo.components.money", pile.unseen, MONEY)
        return
    if pile.size < 0:
        yield refuse("palazzo.components.deck", "/seats", cards=-pile.size)
        return
    if state.discards and not pile.size:
        yield refuse("palazzo.take-money.shuffle", "/discards", discards=len(state.discards))
    if state.shuffled_in is None:
        return
    if len(state.shuffled_in) != pile.size:
        yield refuse("palazzo.components.shuffled-in", "/shuffled_in", cards=len(state.shuffled_in), deck=pile.size)
    elif not pile.can_leave_hidden(()):
        yield refuse("palazzo.components.shuffled-cards", "/shuffled_in", deck=pile.size)


def stage_findings(state: State, drawn: int) -> Iterator[Refusal]:
    """What is impossible in the stage, after `drawn` tiles and riders."""
    stage, players = state.stage, len(state.seats)
    if state.active_seat >= players:
        yield refuse("palazzo.turn.seats", "/active_seat", seat=state.active_seat, players=players)
        return
    setup = SETUP_TILES + HAND_SIZE * players
    if isinstance(stage, stages.DrawSetupTile | stages.DealCard) or state.ply == setup:
        yield from setup_findings(state)
    elif state.ply < setup:
        yield refuse("palazzo.setup.ply", "/ply", ply=state.ply, setup=setup)
    else:
        yield from turn_findings(state, drawn)
    seat = getattr(stage, "seat", 0)
    if seat >= players:
        yield refuse("palazzo.turn.seats", "/stage/seat", seat=seat, players=players)
    elif isinstance(stage, stages.RevealCard | stages.ChooseTwoCards | stages.ChooseCard):
        yield from row_findings(state, stage)
    elif isinstance(stage, stages.RaiseOrPass):
        yield from auction_findings(state, stage)
    elif isinstance(stage, stages.ChooseTile):
        yield from distribution_findings(state, stage.seat, here=0)
    elif isinstance(stage, stages.PlaceTile) and stage.distribution:
        yield from distribution_findings(state, stage.seat, here=len(stage.tiles))
    elif isinstance(stage, stages.PlaceTile):
        yield from placing_findings(state, stage)
    elif isinstance(stage, stages.DrawSecondTile | stages.BuyOrAuction):
        yield from drawn_findings(state)


SETUP = SetupRules("palazzo.setup.ply", "palazzo.setup.step", "palazzo.setup.early", "palazzo.setup.order")
BEGINNING: Mapping[str, Any] = {"active_seat": 0, "riders": 0, "removed": (), "discards": (), "shuffled_in": None}
"""What the set-up does not change, besides the builder."""


def setup_findings(state: State) -> Iterator[Refusal]:
    """Until the first turn, components are laid out and dealt in order, one per move; nothing else changes."""
    tiles = [len(place) for place in (*state.quarries, state.supply)]
    cards = [seat.hand.size for seat in state.seats]
    steps = (
        SetupStep("/quarries", (stages.DrawSetupTile,), SETUP_TILES, tiles, [1] * SETUP_TILES),
        SetupStep("/seats", (stages.DealCard,), HAND_SIZE * len(cards), cards, [HAND_SIZE] * len(cards)),
    )
    yield from audits.setup_findings(state, steps, stages.ChooseAction, SETUP)
    common = ("", state, {"builder": state.options.builder, **BEGINNING})
    yield from untouched_findings("palazzo.setup.untouched", (common, *seats_untouched(state, {"palaces": ()})))


AFTER_DRAWING = (stages.BuyOrAuction, stages.RaiseOrPass, stages.ChooseTile, stages.PlaceTile)


def turn_findings(state: State, drawn: int) -> Iterator[Refusal]:
    """Every turn of building draws two tiles, every turn of taking money a row of cards: this tells whose turn it is.

    Rebuilding draws nothing, but puts a card on the discards. After a shuffle, nobody knows how many cards were drawn.
    """
    stage, players, row = state.stage, len(state.seats), len(state.seats) + 1
    now = 2 * isinstance(stage, AFTER_DRAWING) + isinstance(stage, stages.DrawSecondTile)
    if isinstance(stage, GameOver):  # the fifth rider was the first or the second tile
        now = 1 + drawn % 2
    builds, rest = divmod(drawn - SETUP_TILES - now, 2)
    if builds < 0 or rest:
        yield refuse("palazzo.build.two-tiles", "/stage", drawn=drawn, setup=SETUP_TILES, now=now)
    elif state.shuffled_in is None:
        cards, dealt = MONEY_COUNT - deck_size(state), HAND_SIZE * players
        laid = len(stage.face_up) if isinstance(stage, stages.RevealCard) else row * isinstance(stage, ROW_STAGES)
        takes, rest = divmod(cards - dealt - laid, row)
        seat, turns, rebuilds = state.active_seat, builds + takes, len(state.discards)
        if takes < 0 or rest:
            yield refuse("palazzo.take-money.whole-rows", "/stage", drawn=cards, dealt=dealt, now=laid, row=row)
        elif (seat - turns) % players > rebuilds:
            yield refuse("palazzo.turn.left-of-active", "/active_seat", seat=seat, turns=turns, rebuilds=rebuilds)


def row_findings(
    state: State, stage: stages.RevealCard | stages.ChooseTwoCards | stages.ChooseCard
) -> Iterator[Refusal]:
    """The row of face-up cards has one more than there are players, minus those taken."""
    players, row = len(state.seats), len(stage.face_up)
    if isinstance(stage, stages.RevealCard):
        there, needed = deck_size(state) + len(state.discards), players + 1 - row
        if there < needed:
            yield refuse("palazzo.take-money.enough-cards", "/stage", there=there, needed=needed)
        if row > players:
            yield refuse("palazzo.take-money.row-full", "/stage/face_up", cards=row, full=players + 1)
        return
    expected = players + 1
    if isinstance(stage, stages.ChooseCard):
        others = (stage.seat - state.active_seat) % players
        if not others:
            yield refuse("palazzo.take-money.others", "/stage/seat", seat=stage.seat)
        expected = players - others
    if row != expected:
        yield refuse("palazzo.take-money.row", "/stage/face_up", cards=row, expected=expected)


def drawn_findings(state: State) -> Iterator[Refusal]:
    """Until tiles are bought, those drawn in this turn lie where they belong; instead of those missing, riders came."""
    missing = int(not state.supply)
    if isinstance(state.stage, stages.BuyOrAuction):
        clockwise = [state.quarries[(state.builder + steps) % QUARRIES] for steps in range(QUARRIES)]
        missing += not any(windows_of(tile) == steps for steps, tiles in enumerate(clockwise) for tile in tiles)
    if missing > state.riders:
        yield refuse("palazzo.build.destination", "/stage", missing=missing, riders=state.riders)


def placing_findings(state: State, stage: stages.PlaceTile) -> Iterator[Refusal]:
    """The active seat has bought one or two tiles; or somebody has won all tiles of the builder's quarry."""
    tiles, left = len(stage.tiles), len(state.quarries[state.builder])
    if not 1 <= tiles < DISTRIBUTION:
        yield refuse("palazzo.distribution.four", "/stage/tiles", tiles=tiles, quarry=state.builder)
    elif stage.seat != state.active_seat or tiles > MOST_BOUGHT:
        yield from drawn_findings(state)
        if left:
            yield refuse("palazzo.auction.winner", "/stage", tiles=tiles, quarry=state.builder, left=left)


def auction_findings(state: State, stage: stages.RaiseOrPass) -> Iterator[Refusal]:
    """An auction is for one to three tiles, between at least two seats, each bid higher than the one before."""
    yield from drawn_findings(state)
    players = len(state.seats)
    if len(stage.bids) != players:
        yield refuse("palazzo.turn.seats", "/stage/bids", seat=len(stage.bids), players=players)
        return
    tiles = len(state.quarries[state.builder])
    if not 1 <= tiles < DISTRIBUTION:
        yield refuse("palazzo.distribution.four", "/quarries", tiles=tiles, quarry=state.builder)
    standing = [seat for seat, bid in enumerate(stage.bids) if not bid.passed]
    if len(standing) < 2:
        yield refuse("palazzo.auction.standing", "/stage/bids", standing=len(standing))
    if stage.bids[stage.seat].passed:
        yield refuse("palazzo.auction.out", "/stage/seat", seat=stage.seat)
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
            yield refuse("palazzo.payment.currency", pointer, currencies=tuple(dict.fromkeys(currencies)))
        if () in bid.plays:
            sound = False
            yield refuse("palazzo.auction.cards", pointer, seat=seat)
    if sound and standing:
        # the seat that decides comes after the highest bidder, and before the one whose bid is oldest
        clockwise = [totals[seat] for seat in [*range(stage.seat, players), *range(stage.seat)] if seat in standing]
        if not all(lower < upper or lower == upper == 0 for lower, upper in pairwise(clockwise)):
            yield refuse("palazzo.auction.raise", "/stage/bids", bid=totals[stage.seat], highest=highest)
        if not clockwise[0] and stage.bids[state.active_seat].passed:
            yield refuse("palazzo.auction.round", "/stage/bids", seat=stage.seat, active=state.active_seat)


def distribution_findings(state: State, seat: int, here: int) -> Iterator[Refusal]:
    """Four or more tiles were on the quarry before the active seat took the first; `here` are in hand now."""
    yield from drawn_findings(state)
    taken = (seat - state.active_seat) % len(state.seats) + here
    tiles = len(state.quarries[state.builder]) + taken
    if here > 1:
        yield refuse("palazzo.distribution.one", "/stage/tiles", tiles=here)
    if tiles < DISTRIBUTION:
        yield refuse("palazzo.distribution.four", "/quarries", tiles=tiles, quarry=state.builder)
