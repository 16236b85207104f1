"""What is left of the box, which documents do not list: cards, buildings, business tiles; the piles and the row."""

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from capomastro.engine import piles
from capomastro.engine.auctions import cards_of
from capomastro.engine.events import Effect
from capomastro.engine.hands import shown_in_hands
from capomastro.engine.multisets import Multiset, left_of, plus
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.events import BlackPileShuffled
from capomastro.games.fifth_avenue.lots import buildings_on, businesses_on
from capomastro.games.fifth_avenue.state import Pile, Seat, State

# --- face-down cards: what is left of the box ------------------------------------------------------------------------


def shown_cards(state: State, *piles: str) -> list[str]:
    """The cards that this document shows, in hands and in an auction, and face up at these `piles`."""
    cards, stage = shown_in_hands(state.seats), state.stage
    if isinstance(stage, stages.Bidding):
        cards += [*stage.dummy, *cards_of(*stage.offers)]
    for name in piles:
        if name == box.BLACK:
            cards += state.black_discards
        else:
            pile = state.piles[name]
            cards += (pile.top, *pile.discards) if pile.top else pile.discards
    return cards


def shown_of_pile(state: State, pile: str) -> list[str]:
    """The cards from one pile that this document shows."""
    return [*filter(box.PILE_CARDS[pile].__contains__, shown_cards(state, pile))]


def cards_left(state: State) -> dict[str, int]:
    """How many of each card of the box this document does not show; negative if it shows too many."""
    return left_of(box.CARDS, shown_cards(state, *box.PILES))


def pile_sizes(state: State, left: Mapping[str, int]) -> dict[str, int]:
    """The number of face-down cards in each pile, from what is left of the box; negative if hands hold too many."""
    sizes = {pile: sum([left[card] for card in cards]) for pile, cards in box.PILE_CARDS.items()}
    for seat in state.seats:
        for pile, number in seat.hand.unknown.items():
            sizes[pile] -= number
    return sizes


def face_down_pile(state: State, pile: str) -> FaceDownPile:
    """A pile, as far as the document shows it; only the black one is ever shuffled."""
    unseen = left_of(box.PILE_CARDS[pile], shown_of_pile(state, pile))
    size = sum(unseen.values()) - unknown_in_hands(state, pile)
    return FaceDownPile(unseen, size, state.shuffled_in if pile == box.BLACK else None)


def cards_in_pile(state: State, pile: str) -> int:
    """The number of face-down cards in a pile, whatever they are.

    Measured: with the size of `face_down_pile`, a random game takes 2 % more instructions (2026-11-28).
    """
    return box.PILE_COUNT[pile] - len(shown_of_pile(state, pile)) - unknown_in_hands(state, pile)


def unknown_in_hands(state: State, pile: str) -> int:
    """The number of cards of `pile` that the document shows to be in hands, but not which ones."""
    number = 0
    for seat in state.seats:
        number += seat.hand.unknown.get(pile, 0) if seat.hand.unknown else 0
    return number


# --- hands -----------------------------------------------------------------------------------------------------------


def why_not_in_hand(state: State, seat: int, cards: Multiset, pointer: str) -> Refusal | None:
    """Why the seat cannot have `cards`; cards that may be among its unknown ones are allowed."""
    missing = piles.missing_cards(state.seats[seat].hand, cards, partial(face_down_pile, state), box.pile_of)
    return refuse("fifth-avenue.cards.hand", pointer, missing_cards=tuple(missing)) if missing else None


# --- the coloured piles ----------------------------------------------------------------------------------------------


def piles_with_top(state: State) -> list[str]:
    """The coloured piles from which a card can be taken."""
    return [colour for colour in box.COLOURS if state.piles[colour].top]


def pile_to_reveal(state: State) -> FaceDownPile | None:
    """The first coloured pile, in the order of the colours, whose next face-down card is to be revealed."""
    for colour in box.COLOURS:
        if state.piles[colour].top is None and (pile := face_down_pile(state, colour)).size:
            return pile
    return None


def show_discard(pile: Pile) -> Pile:
    """A pile without face-down cards: if it has no top, the first of its discards becomes the top."""
    if pile.top is None and pile.discards:
        return Pile(pile.discards[0], pile.discards[1:])
    return pile


# --- discards --------------------------------------------------------------------------------------------------------


def discard_bids(state: State, cards: Sequence[str]) -> Effect[State]:
    """Lays cards face up under their piles in this order; on an exhausted pile, the first becomes the top."""
    coloured = dict(state.piles)
    for card in cards:
        if (pile := coloured.get(box.pile_of(card))) is not None:
            coloured[box.pile_of(card)] = show_discard(Pile(pile.top, (*pile.discards, card)))
    black = [card for card in cards if card in box.PILE_CARDS[box.BLACK]]
    return reshuffle_if_empty(replace(state, piles=coloured, black_discards=plus(state.black_discards, black)))


def reshuffle_if_empty(state: State) -> Effect[State]:
    """Shuffles the black discards, if there are any, into a new pile as soon as none of it is left."""
    shuffled = partial(BlackPileShuffled, "fifth-avenue.cards.shuffle")
    return piles.reshuffled_if_empty(state, "black_discards", partial(cards_in_pile, pile=box.BLACK), shuffled)


# --- buildings -------------------------------------------------------------------------------------------------------


def outside_supply(seat: Seat, built: int) -> int:
    """A player's buildings outside the common supply, `built` of them on lots."""
    return seat.reserve + seat.central_park + seat.removed + built


def common_supplies(state: State) -> tuple[int, ...]:
    """Every player's buildings in the common supply; those placed during the set-up have left it from the start."""
    built = buildings_on(state.districts)
    left = [box.PLAYER_BUILDINGS - outside_supply(seat, built[index]) for index, seat in enumerate(state.seats)]
    return tuple([min(buildings, box.COMMON_SUPPLY) for buildings in left])


def has_dummy(state: State) -> bool:
    """With two players, the dummy takes part in the auctions."""
    return len(state.seats) == 2


def dummy_supply(state: State) -> int:
    """The buildings that the dummy has left."""
    return box.BUILDINGS - (state.dummy_removed or 0) - buildings_on(state.districts)[box.DUMMY]


# --- business tiles --------------------------------------------------------------------------------------------------


def shown_businesses(state: State) -> tuple[str, ...]:
    """Every tile drawn from the face-down ones, wherever it is."""
    gone = state.under_central_park + state.removed_businesses + (state.park_tiles or ())
    drawn = (state.stage.business,) if isinstance(state.stage, stages.DrawStartingLot) else ()
    return sum(state.row, businesses_on(state.districts) + gone + drawn)


def businesses(state: State) -> FaceDownPile:
    """The face-down tiles: all that have not been drawn."""
    return piles.face_down(box.BUSINESS_TILES, shown_businesses(state))


# --- the row ---------------------------------------------------------------------------------------------------------


def active_group(state: State) -> int:
    """The leftmost group with tiles: those to the left of it are used up."""
    return state.row.count(())


def businesses_placed(row: Sequence[Multiset]) -> int:
    """The number of tiles from the row that players have placed: all but the last one of each group."""
    left, groups = sum([len(group) for group in row]), box.GROUPS - row.count(())
    return box.PLACED_AT_END - (left - groups)
