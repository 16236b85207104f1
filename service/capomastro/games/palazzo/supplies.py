"""What is left of the box: the stacks of tiles and the deck of money, which no document lists."""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from capomastro.engine.chance import Outcomes, outcomes
from capomastro.engine.decisions import Event, event
from capomastro.engine.hands import can_be_unknown, unseen_part
from capomastro.engine.multisets import Multiset, minus, plus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.palazzo.components import MONEY, MONEY_COUNT, RIDER, RIDERS, TILES
from capomastro.games.palazzo.state import ChooseCard, ChooseTwoCards, PlaceTile, RaiseOrPass, RevealCard, State

DECK = "deck"
ROW_STAGES = (RevealCard, ChooseTwoCards, ChooseCard)

# --- tiles -----------------------------------------------------------------------------------------------------------


def tiles_shown(state: State) -> list[str]:
    """Every tile that has been drawn, wherever it lies."""
    tiles = [*state.supply, *state.removed]
    for quarry in state.quarries:
        tiles += quarry
    for seat in state.seats:
        for palace in seat.palaces:
            tiles += palace
    if isinstance(state.stage, PlaceTile):
        tiles += state.stage.tiles
    return tiles


def stacks(state: State, drawn: int) -> tuple[int, int, int]:
    """The tiles left in the stacks I, II, III, riders not counted, after `drawn` tiles."""
    left = []
    for size in state.options.stack_sizes:
        gone = min(size, drawn)
        left.append(size - gone)
        drawn -= gone
    return left[0], left[1], left[2]


def next_tiles(state: State) -> Outcomes:
    """The next tile of the lowest stack: any face not seen yet, or in the last stack a rider."""
    shown = tiles_shown(state)
    unseen = dict(TILES)
    for tile in shown:
        if unseen[tile] == 1:
            del unseen[tile]
        else:
            unseen[tile] -= 1
    first, second, _ = stacks(state, len(shown))
    if first or second:
        return Outcomes(unseen)
    # the last stack is all that is unseen: with r riders and t tiles a rider with r / (r + t)
    return outcomes({**unseen, RIDER: RIDERS - state.riders})


# --- money -----------------------------------------------------------------------------------------------------------


def cards_on_table(state: State) -> Multiset:
    """The money that lies open on the table: the discards, the face-up row, the bids of an auction."""
    stage = state.stage
    if isinstance(stage, ROW_STAGES):
        return state.discards + stage.face_up
    if isinstance(stage, RaiseOrPass):
        return sum((play for bid in stage.bids for play in bid.plays), state.discards)
    return state.discards


def unseen_money(state: State) -> dict[str, int]:
    """The cards the document does not show: the deck, and the unknown ones of all hands."""
    unseen = dict(MONEY)
    shown = cards_on_table(state)
    for seat in state.seats:
        shown += seat.hand.open + seat.hand.closed
    for card in shown:
        unseen[card] -= 1
    return unseen


def deck_size(state: State) -> int:
    """How many cards the deck holds."""
    elsewhere = len(cards_on_table(state))
    for seat in state.seats:
        hand = seat.hand
        elsewhere += len(hand.open) + len(hand.closed)
        if hand.unknown:
            elsewhere += hand.unknown_size
    return MONEY_COUNT - elsewhere


def deck_contents(state: State, unseen: dict[str, int]) -> dict[str, int]:
    """Which cards the deck can hold, by kind: what was shuffled in, before the first shuffle whatever is unseen."""
    if state.shuffled_in is None:
        return {card: count for card, count in unseen.items() if count > 0}
    shuffled = Counter(state.shuffled_in)  # in ascending order, as multisets are
    return {card: min(count, unseen[card]) for card, count in shuffled.items() if unseen[card] > 0}


def next_cards(state: State) -> Outcomes:
    """The next card of the deck, uniform over what it can hold: after a shuffle just what was shuffled in is left."""
    if state.shuffled_in is not None:
        return Outcomes(Counter(state.shuffled_in))
    return Outcomes(deck_contents(state, unseen_money(state)))


def without_drawn(state: State, card: str) -> Multiset | None:
    """`shuffled_in` after `card` of the deck was turned up."""
    shuffled = state.shuffled_in
    return minus(shuffled, (card,)) if shuffled and card in shuffled else shuffled


def shuffled_if_due(state: State) -> tuple[State, list[Event]]:
    """As soon as the deck is empty the discards, if there are any, become the new deck."""
    if not state.discards or deck_size(state):
        return state, []
    shuffle = event("deck-shuffled", rule="palazzo.take-money.shuffle", cards=list(state.discards))
    return replace(state, shuffled_in=state.discards, discards=()), [shuffle]


def discarded(state: State, cards: Iterable[str]) -> tuple[State, list[Event]]:
    """Cards laid on the discards."""
    return shuffled_if_due(replace(state, discards=plus(state.discards, cards)))


def lacking(state: State, seat: int, cards: Multiset, pointer: str) -> Refusal | None:
    """A refusal if the seat cannot hold `cards`; cards it may hold unknown are allowed."""
    hand = state.seats[seat].hand
    unseen = unseen_part(hand, cards)
    if not unseen:
        return None
    if len(unseen) <= hand.unknown_size:
        hidden = unseen_money(state)
        if can_be_unknown(hidden, unseen, deck_size(state), deck_contents(state, hidden)):
            return None
    return refuse("palazzo.money.hand", pointer, cards=", ".join(unseen))
