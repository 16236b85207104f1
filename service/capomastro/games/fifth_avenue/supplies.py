"""What is left of the box, which documents do not list: cards, buildings, business tiles; the piles and the row."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from capomastro.engine import piles
from capomastro.engine.auctions import cards_of
from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import Effect
from capomastro.engine.hands import shown_in_hands
from capomastro.engine.multisets import Multiset, left_of, plus
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import (
    BLACK,
    BUILDINGS,
    BUSINESS_COUNT,
    BUSINESS_TILES,
    CARDS,
    COLOURS,
    DUMMY,
    FIRST_BUILDINGS,
    FIRST_RESERVE,
    GROUPS,
    PILE_CARDS,
    PLACED_AT_END,
    PLAYER_BUILDINGS,
    pile_of,
)
from capomastro.games.fifth_avenue.events import BlackPileShuffled
from capomastro.games.fifth_avenue.lots import buildings_on, businesses_on
from capomastro.games.fifth_avenue.state import Pile, Seat, State

# --- face-down cards: what is left of the box ------------------------------------------------------------------------


def shown_cards(state: State) -> list[str]:
    """Every card that this document shows: in hands, in an auction, face up at the piles."""
    cards, stage = shown_in_hands(state.seats), state.stage
    if isinstance(stage, stages.Bidding):
        cards += [*stage.dummy, *cards_of(*stage.offers)]
    for pile in state.piles.values():
        cards += pile.discards
        if pile.top:
            cards.append(pile.top)
    cards += state.black_discards
    return cards


def cards_left(state: State) -> dict[str, int]:
    """How many of each card of the box this document does not show; negative if it shows too many."""
    return left_of(CARDS, shown_cards(state))


def unknown_of_pile(state: State, pile: str) -> int:
    """The unknown cards of `pile` in all hands."""
    return sum([seat.hand.unknown.get(pile, 0) for seat in state.seats if seat.hand.unknown])


def pile_sizes(state: State, left: Mapping[str, int]) -> dict[str, int]:
    """The number of face-down cards in each pile, from what is left of the box; negative if hands hold too many."""
    sizes = {pile: sum([left[card] for card in cards]) for pile, cards in PILE_CARDS.items()}
    for seat in state.seats:
        for pile, number in seat.hand.unknown.items():
            sizes[pile] -= number
    return sizes


def unseen_cards(state: State, pile: str) -> dict[str, int]:
    """The cards of `pile` that this document does not show: face down in the pile, or unknown in hands."""
    shown = shown_cards(state)
    return {card: copies - shown.count(card) for card, copies in PILE_CARDS[pile].items()}


def face_down(state: State, pile: str) -> int:
    """The number of face-down cards in `pile`."""
    return sum(unseen_cards(state, pile).values()) - unknown_of_pile(state, pile)


def face_down_pile(state: State, pile: str) -> FaceDownPile:
    """A pile, as far as the document shows it; only the black one is ever shuffled."""
    unseen = unseen_cards(state, pile)
    size = sum(unseen.values()) - unknown_of_pile(state, pile)
    return FaceDownPile(unseen, size, state.shuffled_in if pile == BLACK else None)


def next_cards(state: State, pile: str) -> Outcomes:
    """The next face-down card of `pile`, uniform over its possible contents."""
    return face_down_pile(state, pile).next_cards()


# --- hands -----------------------------------------------------------------------------------------------------------


def why_not_in_hand(state: State, seat: int, cards: Multiset, pointer: str) -> Refusal | None:
    """A refusal if the seat cannot have `cards`; cards that may be among its unknown ones are allowed."""
    missing = piles.missing_cards(state.seats[seat].hand, cards, partial(face_down_pile, state), pile_of)
    return refuse("fifth-avenue.cards.hand", pointer, missing_cards=tuple(missing)) if missing else None


# --- the coloured piles ----------------------------------------------------------------------------------------------


def piles_with_top(state: State) -> list[str]:
    """The coloured piles from which a card can be taken."""
    return [colour for colour in COLOURS if state.piles[colour].top]


def pile_to_reveal(state: State) -> FaceDownPile | None:
    """The first coloured pile, in the order of the colours, whose next face-down card is to be revealed."""
    for colour in COLOURS:
        if state.piles[colour].top is None and (pile := face_down_pile(state, colour)).size:
            return pile
    return None


def reveal_top(state: State, card: str) -> State:
    """`card` becomes the visible card of its pile."""
    colour = pile_of(card)
    return replace(state, piles={**state.piles, colour: Pile(card, state.piles[colour].discards)})


def take_tops(state: State, colours: Iterable[str]) -> tuple[dict[str, Pile], tuple[str, ...], bool]:
    """The piles without the visible cards of `colours`; these cards, in the order of the colours; whether a pile waits.

    A pile without face-down cards shows the first of its discards at once; the others wait for a new top.
    """
    after, sizes = dict(state.piles), pile_sizes(state, cards_left(state))
    for colour in colours:
        bare = Pile(None, after[colour].discards)
        after[colour] = bare if sizes[colour] else show_discard(bare)
    cards = tuple([state.piles[colour].top or "" for colour in COLOURS if colour in colours])
    return after, cards, any(sizes[colour] for colour in colours)


def show_discard(pile: Pile) -> Pile:
    """A pile without face-down cards: if it has no top, the first of its discards becomes the top."""
    if pile.top is None and pile.discards:
        return Pile(pile.discards[0], pile.discards[1:])
    return pile


# --- discards --------------------------------------------------------------------------------------------------------


def discard_bids(state: State, cards: Iterable[str]) -> Effect[State]:
    """Lays cards face up under their piles in this order; on an exhausted pile, the first becomes the top.

    `state` has them still on the table, in the auction.
    """
    coloured, black = dict(state.piles), []
    for card in cards:
        colour = pile_of(card)
        if colour == BLACK:
            black.append(card)
        else:
            pile = coloured[colour]
            coloured[colour] = show_discard(Pile(pile.top, (*pile.discards, card)))
    discarded = replace(state, piles=coloured, black_discards=plus(state.black_discards, black))
    return reshuffle_if_empty(discarded, face_down(state, BLACK))


def reshuffle_if_empty(state: State, left: int) -> Effect[State]:
    """Shuffles the black discards, if there are any, into a new pile as soon as no black card is `left` face down."""
    shuffled = partial(BlackPileShuffled, "fifth-avenue.cards.shuffle")
    return piles.reshuffled_if_empty(state, "black_discards", lambda _: left, shuffled)


# --- buildings -------------------------------------------------------------------------------------------------------


def outside_supply(seat: Seat, built: int) -> int:
    """A player's buildings outside the common supply, `built` of them on lots."""
    return seat.reserve + seat.central_park + seat.removed + built


def common_supplies(state: State) -> tuple[int, ...]:
    """Every player's buildings in the common supply; those placed during the set-up have left it from the start."""
    if type(state.stage) in stages.SETUP:
        return (PLAYER_BUILDINGS - FIRST_BUILDINGS - FIRST_RESERVE,) * len(state.seats)
    built = buildings_on(state.districts)
    return tuple([PLAYER_BUILDINGS - outside_supply(seat, built[index]) for index, seat in enumerate(state.seats)])


def has_dummy(state: State) -> bool:
    """With two players, the dummy takes part in the auctions."""
    return len(state.seats) == 2


def dummy_supply(state: State) -> int:
    """The buildings that the dummy has left."""
    return BUILDINGS - (state.dummy_removed or 0) - buildings_on(state.districts)[DUMMY]


# --- business tiles --------------------------------------------------------------------------------------------------


def shown_businesses(state: State) -> list[str]:
    """Every tile drawn from the face-down ones, wherever it is."""
    tiles = [*businesses_on(state.districts), *state.under_central_park, *state.removed_businesses]
    for group in state.row:
        tiles += group
    tiles += state.park_tiles or ()
    if isinstance(state.stage, stages.DrawStartingLot):
        tiles.append(state.stage.business)
    return tiles


def next_businesses(state: State) -> Outcomes:
    """The next face-down tile, uniform over all unseen tiles."""
    unseen = left_of(BUSINESS_TILES, shown_businesses(state))
    return Outcomes({business: left for business, left in unseen.items() if left > 0})


def unseen_businesses(state: State) -> int:
    """The number of face-down tiles."""
    return BUSINESS_COUNT - len(shown_businesses(state))


# --- the row ---------------------------------------------------------------------------------------------------------


def group_to_fill(state: State) -> int:
    """The first group that lacks tiles."""
    full = [len(tiles) == size for tiles, size in zip(state.row, state.options.row_groups, strict=True)]
    return full.index(False)


def active_group(state: State) -> int:
    """The leftmost group with tiles: those to the left of it are used up."""
    return state.row.count(())


def businesses_placed(row: Sequence[Multiset]) -> int:
    """The number of tiles from the row that players have placed: all but the last one of each group."""
    left, groups = sum([len(group) for group in row]), GROUPS - row.count(())
    return PLACED_AT_END - (left - groups)
