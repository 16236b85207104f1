"""Everything impossible in a state: more components than in the box, or a stage that contradicts the table.

One check per fault, named by the id of its rule, whose refusal describes the fault. Whether a game can lead to the
position is not asked: a state without findings can be played on to the end.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from capomastro.engine import audits
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.stages import GameOver
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import stages, supplies, tokens
from capomastro.games.palazzo.money import play_of
from capomastro.games.palazzo.state import Options, State


def findings(state: State) -> Iterator[Refusal]:
    """All findings; none for a possible state."""
    yield from tile_findings(state)
    yield from money_findings(state)
    yield from stage_findings(state)


def option_findings(options: Options) -> Iterator[Refusal]:
    """Why no game can be played with these options."""
    sizes = options.stack_sizes
    if sum(sizes) != box.TILE_COUNT:
        yield refuse("palazzo.setup.stack-sizes", "/stack_sizes", sum=sum(sizes), tiles=box.TILE_COUNT)
    elif sizes[0] < box.SETUP_TILES:
        yield refuse("palazzo.setup.first-stack", "/stack_sizes/0", first=sizes[0], needed=box.SETUP_TILES)


def tile_findings(state: State) -> Iterator[Refusal]:
    shown = supplies.tiles_shown(state)
    yield from audits.component_findings("palazzo.components.tiles", shown, box.TILES)
    for index, seat in enumerate(state.seats):
        for number, palace in enumerate(seat.palaces):
            if refusal := why_not_rising(palace):
                yield refusal.below(f"/seats/{index}/palaces/{number}")
    # riders come only from the last stack
    first, second, _ = supplies.stacks(state, len(shown))
    if state.riders and (first or second):
        yield refuse("palazzo.build.riders-last", "/riders", riders=state.riders, tiles=first + second)
    # the game is over when the fifth has been drawn, and only then
    over = isinstance(state.stage, GameOver)
    if state.riders == box.RIDERS and not over:
        yield refuse("palazzo.end.fifth-rider", "/stage", riders=state.riders)
    if over and state.riders != box.RIDERS:
        yield refuse("palazzo.end.not-before", "/stage", riders=state.riders, last=box.RIDERS)


def why_not_rising(palace: tokens.Palace) -> Refusal | None:
    """Each tile of a palace is higher than the one below it."""
    floors = [box.floor_of(tile) for tile in palace]
    return refuse("palazzo.building.rising", floors=tuple(floors)) if floors != sorted(set(floors)) else None


def money_findings(state: State) -> Iterator[Refusal]:
    pile = supplies.deck(state)
    if min(pile.unseen.values()) < 0:
        yield from audits.shortage_findings("palazzo.components.money", pile.unseen, box.MONEY)
        return
    # more unknown cards in hands than the document does not show
    if pile.size < 0:
        yield refuse("palazzo.components.deck", "/seats", cards=-pile.size)
        return
    # an empty deck beside discards: a row could not be turned up
    if state.discards and not pile.size:
        yield refuse("palazzo.take-money.shuffle", "/discards", discards=len(state.discards))
    # the cards of the last shuffle are those of the deck
    if state.shuffled_in is None:
        return
    if len(state.shuffled_in) != pile.size:
        yield refuse("palazzo.components.shuffled-in", "/shuffled_in", cards=len(state.shuffled_in), deck=pile.size)
    elif not pile.can_leave_hidden(()):
        yield refuse("palazzo.components.shuffled-cards", "/shuffled_in", deck=pile.size)


def stage_findings(state: State) -> Iterator[Refusal]:
    """What is impossible in the stage."""
    stage = state.stage
    if refusal := audits.why_no_seat(state, {"/stage/seat": getattr(stage, "seat", None)}):
        yield refusal
    elif isinstance(stage, stages.DrawSetupTile | stages.DealCard):
        yield from setup_findings(state)
    elif isinstance(stage, stages.WithRow):
        yield from row_findings(state, stage)
    elif isinstance(stage, stages.RaiseOrPass):
        yield from auction_findings(state, stage)
    elif isinstance(stage, stages.ChooseTile):
        yield from distribution_findings(state, stage.seat)
    elif isinstance(stage, stages.PlaceTile):
        yield from placing_findings(state, stage)


BEGINNING: Mapping[str, Any] = {"active_seat": 0, "riders": 0, "removed": (), "discards": (), "shuffled_in": None}
"""What the set-up does not change, with the builder."""


def setup_findings(state: State) -> Iterator[Refusal]:
    """Until the first turn, components are laid out and dealt in order, one per move; nothing else changes."""
    tiles = [len(place) for place in (*state.quarries, state.supply)]
    steps = (
        audits.SetupStep("/quarries", (stages.DrawSetupTile,), box.SETUP_TILES, tiles, [1] * box.SETUP_TILES),
        audits.dealing(state, stages.DealCard, box.HAND_SIZE),
    )
    yield from audits.setup_findings(state, steps, stages.ChooseAction)
    common = ("", state, {"builder": state.options.builder, **BEGINNING})
    yield from audits.untouched_findings(
        "palazzo.setup.untouched", (common, *audits.seats_untouched(state, {"palaces": ()}))
    )


def row_findings(state: State, stage: stages.WithRow) -> Iterator[Refusal]:
    """The row of face-up cards has one more than there are players, minus those taken."""
    players, row = len(state.seats), len(stage.face_up)
    if isinstance(stage, stages.RevealCard):
        available, needed = supplies.deck_size(state) + len(state.discards), players + 1 - row
        if available < needed:
            yield refuse("palazzo.take-money.enough-cards", "/stage", available=available, needed=needed)
        if row > players:
            yield refuse("palazzo.take-money.row-full", "/stage/face_up", cards=row, full=players + 1)
        return
    expected = players + 1
    if isinstance(stage, stages.ChooseCard):
        turns = (stage.seat - state.active_seat) % players
        if not turns:
            yield refuse("palazzo.take-money.others", "/stage/seat", seat=stage.seat)
        expected = players - turns
    if row != expected:
        yield refuse("palazzo.take-money.row", "/stage/face_up", cards=row, expected=expected)


def auction_findings(state: State, stage: stages.RaiseOrPass) -> Iterator[Refusal]:
    """An auction is for one to three tiles, between at least two seats; bids follow the rules of payments."""
    players = len(state.seats)
    if len(stage.bids) != players:
        yield refuse("palazzo.turn.seats", "/stage/bids", seat=len(stage.bids), players=players)
        return
    tiles = len(state.quarries[state.builder])
    if not 1 <= tiles < box.DISTRIBUTION:
        yield refuse("palazzo.distribution.four", "/quarries", tiles=tiles, quarry=state.builder)
    bidders = sum(not bid.passed for bid in stage.bids)
    if bidders < 2:
        yield refuse("palazzo.auction.standing", "/stage/bids", bidders=bidders)
    if stage.bids[stage.seat].passed:
        yield refuse("palazzo.auction.out", "/stage/seat", seat=stage.seat)
    for seat, bid in enumerate(stage.bids):
        pointer = f"/stage/bids/{seat}/plays"
        currencies = dict.fromkeys(currency for play in bid.laid for currency in play_of(play).currencies)
        if bid.passed and bid.laid:
            yield refuse("palazzo.auction.passed", pointer, seat=seat)
        if len(currencies) > 1:
            yield refuse("palazzo.payment.currency", pointer, currencies=tuple(currencies))


def distribution_findings(state: State, seat: int, in_hand: int = 0) -> Iterator[Refusal]:
    """Four or more tiles were on the quarry before the active seat took the first; `in_hand`: taken, not yet placed."""
    tiles = len(state.quarries[state.builder]) + (seat - state.active_seat) % len(state.seats) + in_hand
    if tiles < box.DISTRIBUTION:
        yield refuse("palazzo.distribution.four", "/quarries", tiles=tiles, quarry=state.builder)


def placing_findings(state: State, stage: stages.PlaceTile) -> Iterator[Refusal]:
    """A distribution gives one tile; otherwise one to three have been bought or won."""
    tiles = len(stage.tiles)
    if stage.distribution:
        if tiles > 1:
            yield refuse("palazzo.distribution.one", "/stage/tiles", tiles=tiles)
        yield from distribution_findings(state, stage.seat, in_hand=tiles)
    elif tiles >= box.DISTRIBUTION:
        yield refuse("palazzo.distribution.four", "/stage/tiles", tiles=tiles, quarry=state.builder)
