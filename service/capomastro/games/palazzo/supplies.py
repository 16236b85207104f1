"""The rest of the box, which documents do not list: the stacks of tiles and the deck of money."""

from collections.abc import Iterable
from functools import partial
from itertools import chain

from msgspec.structs import replace

from capomastro.engine import piles
from capomastro.engine.auctions import cards_of
from capomastro.engine.chance import Outcomes, outcomes
from capomastro.engine.events import Effect
from capomastro.engine.multisets import Multiset, plus, rest_of
from capomastro.engine.piles import FaceDownPile, face_down
from capomastro.engine.refusals import Refusal, implements, refuse
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import stages
from capomastro.games.palazzo.events import DeckShuffled
from capomastro.games.palazzo.state import State

# --- tiles -----------------------------------------------------------------------------------------------------------


def tiles_shown(state: State) -> list[str]:
    """Every tile that has been drawn, wherever it is."""
    palaces = [palace for seat in state.seats for palace in seat.palaces]
    to_place = state.stage.tiles if isinstance(state.stage, stages.PlaceTile) else ()
    return [*chain(state.supply, state.removed, to_place, *state.quarries, *palaces)]


def stacks(state: State, drawn: int) -> tuple[int, int, int]:
    """The tiles left in the stacks I, II, III, without riders, after `drawn` tiles."""
    left = []
    for size in state.options.stack_sizes:
        left.append(max(0, size - drawn))
        drawn = max(0, drawn - size)
    return left[0], left[1], left[2]


@implements("palazzo.build.riders-last")
def next_tiles(state: State) -> Outcomes:
    """The next tile of the lowest stack: any tile not seen yet, or in the last stack a rider."""
    shown = tiles_shown(state)
    unseen = rest_of(box.TILES, shown)
    first, second, _ = stacks(state, len(shown))
    if first or second:
        return Outcomes(unseen)
    # the last stack has all unseen tiles: with r riders and t tiles, a rider has probability r / (r + t)
    return outcomes({**unseen, box.RIDER: box.RIDERS - state.riders})


# --- money -----------------------------------------------------------------------------------------------------------


def cards_on_table(state: State) -> Multiset:
    """The money cards open on the table: the discards, the face-up row, the bids of an auction."""
    stage = state.stage
    if isinstance(stage, stages.WithRow):
        return state.discards + stage.face_up
    if isinstance(stage, stages.RaiseOrPass):
        return (*state.discards, *cards_of(*stage.bids))
    return state.discards


def deck_size(state: State) -> int:
    """The number of cards in the deck, whatever they are.

    Measured: with the size of `deck`, a random game takes 13 % more instructions (2026-11-28).
    """
    return box.MONEY_COUNT - len(cards_on_table(state)) - sum([seat.hand.size for seat in state.seats])


def deck(state: State) -> FaceDownPile:
    """The deck, as far as the document shows it."""
    return face_down(box.MONEY, cards_on_table(state), state.seats, state.shuffled_in)


def reshuffle_if_empty(state: State) -> Effect[State]:
    """Shuffles the discards, if there are any, into a new deck as soon as the deck is empty."""
    return piles.reshuffled_if_empty(state, "discards", deck_size, partial(DeckShuffled, "palazzo.take-money.shuffle"))


def discard(state: State, cards: Iterable[str]) -> Effect[State]:
    """Adds cards to the discards."""
    return reshuffle_if_empty(replace(state, discards=plus(state.discards, cards)))


def why_not_in_hand(state: State, seat: int, cards: Multiset, pointer: str) -> Refusal | None:
    """Why the seat cannot have `cards`; those that may be among its unknown cards are allowed."""
    missing = piles.missing_cards(state.seats[seat].hand, cards, lambda pile: deck(state))
    return refuse("palazzo.money.hand", pointer, missing_cards=tuple(missing)) if missing else None
