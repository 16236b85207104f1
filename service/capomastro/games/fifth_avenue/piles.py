"""The cards: hands, what is face down in a pile, which documents do not list, and face-up cards."""

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from capomastro.engine import piles
from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import Played
from capomastro.engine.hands import lose, shown_in_hands
from capomastro.engine.multisets import Multiset, left_of, plus
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.seats import with_seat
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import BLACK, CARDS, COLOURS, PILE_CARDS, pile_of
from capomastro.games.fifth_avenue.events import BlackPileShuffled
from capomastro.games.fifth_avenue.state import Pile, Seat, State

# --- face-down cards: what is left of the box ------------------------------------------------------------------------


def shown_cards(state: State) -> list[str]:
    """Every card that this document shows: in hands, in an auction, face up at the piles."""
    cards, stage = shown_in_hands(state.seats), state.stage
    if isinstance(stage, stages.BIDDING):
        cards += stage.dummy
        for offer in stage.offers:
            cards += offer.cards
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


def pile_sizes(state: State) -> dict[str, int]:
    """The number of face-down cards in each pile; negative if hands hold more than the box."""
    left = cards_left(state)
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


def play_from_hand(state: State, seat: int, cards: Multiset) -> tuple[Seat, ...]:
    """The seats after `cards` have left a hand."""
    return with_seat(state, seat, hand=lose(state.seats[seat].hand, cards, pile_of))


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
    after, sizes = dict(state.piles), pile_sizes(state)
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


def discard(state: State, cards: Iterable[str]) -> State:
    """Lays cards face up under their piles in this order; on an exhausted pile, the first becomes the top."""
    coloured, black = dict(state.piles), []
    for card in cards:
        colour = pile_of(card)
        if colour == BLACK:
            black.append(card)
        else:
            pile = coloured[colour]
            coloured[colour] = show_discard(Pile(pile.top, (*pile.discards, card)))
    return replace(state, piles=coloured, black_discards=plus(state.black_discards, black))


def reshuffle_if_empty(state: State) -> Played[State]:
    """Shuffles the black discards, if there are any, into a new pile as soon as no black card is face down."""
    shuffled = partial(BlackPileShuffled, "fifth-avenue.cards.shuffle")
    return piles.reshuffled_if_empty(state, "black_discards", partial(face_down, pile=BLACK), shuffled)
