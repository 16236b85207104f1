"""The piles of cards: face-down cards, which documents do not list, and face-up cards."""

from collections.abc import Iterable, Mapping
from functools import partial

from msgspec.structs import replace

from capomastro.engine import piles
from capomastro.engine.chance import Outcomes
from capomastro.engine.decisions import Played
from capomastro.engine.hands import lose, shown_in_hands
from capomastro.engine.multisets import Multiset, plus
from capomastro.engine.piles import FaceDownPile
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.seats import with_seat
from capomastro.games.fifth_avenue import stages
from capomastro.games.fifth_avenue.components import BLACK, COLOURS, PILE_CARDS, PILE_COUNT, pile_of
from capomastro.games.fifth_avenue.events import BlackPileShuffled
from capomastro.games.fifth_avenue.state import Pile, Seat, State

# --- what lies face down ---------------------------------------------------------------------------------------------


def shown_cards(state: State) -> list[str]:
    """Every card that this document shows."""
    cards = shown_beside_piles(state)
    cards += state.black_discards
    for pile in state.piles.values():
        cards += pile.discards
        if pile.top:
            cards.append(pile.top)
    return cards


def shown_of_pile(state: State, pile: str) -> list[str]:
    """The cards shown in all places where cards of `pile` can be; includes other cards."""
    cards = shown_beside_piles(state)
    if pile == BLACK:
        cards += state.black_discards
    else:
        own = state.piles[pile]
        cards += own.discards
        if own.top:
            cards.append(own.top)
    return cards


def shown_beside_piles(state: State) -> list[str]:
    """The cards shown in hands and in an auction."""
    cards, stage = shown_in_hands(state.seats), state.stage
    if isinstance(stage, stages.BIDDING):
        cards += stage.dummy
        for offer in stage.offers:
            cards += offer.cards
    return cards


def unseen_cards(state: State, pile: str) -> dict[str, int]:
    """The cards of `pile` that this document does not show: face down in the pile, or unknown in hands."""
    shown = shown_of_pile(state, pile).count
    return {card: left for card, copies in PILE_CARDS[pile].items() if (left := copies - shown(card)) > 0}


def unknown_of_pile(state: State, pile: str) -> int:
    """The unknown cards of `pile` in all hands."""
    number = 0
    for seat in state.seats:
        if unknown := seat.hand.unknown:
            number += unknown.get(pile, 0)
    return number


def has_face_down(state: State, pile: str) -> bool:
    """Whether any card is face down in `pile`: more cards are unseen than unknown in hands."""
    cards = shown_of_pile(state, pile)
    shown, face_down = cards.count, -unknown_of_pile(state, pile)
    if PILE_COUNT[pile] - len(cards) + face_down > 0:
        return True  # even if every card shown were of this pile
    for card, copies in PILE_CARDS[pile].items():
        face_down += copies - shown(card)
        if face_down > 0:
            return True
    return False


def pile_sizes(state: State, shown: Mapping[str, int]) -> dict[str, int]:
    """The number of face-down cards in each pile; `shown` counts the cards that this document shows."""
    return {
        pile: PILE_COUNT[pile] - sum(shown.get(card, 0) for card in cards) - unknown_of_pile(state, pile)
        for pile, cards in PILE_CARDS.items()
    }


def face_down_pile(state: State, pile: str) -> FaceDownPile:
    """A pile, as far as the document shows it; only the black one is ever shuffled."""
    unseen = unseen_cards(state, pile)
    size = sum(unseen.values()) - unknown_of_pile(state, pile)
    return FaceDownPile(unseen, size, state.shuffled_in if pile == BLACK else None)


def next_cards(state: State, pile: str) -> Outcomes:
    """The next face-down card of `pile`, uniform over its possible contents."""
    if state.shuffled_in is None or pile != BLACK:
        return Outcomes(unseen_cards(state, pile))  # what the pile can hold, without working out its size
    return face_down_pile(state, pile).next_cards()


# --- hands -----------------------------------------------------------------------------------------------------------


def refuse_missing_cards(state: State, seat: int, cards: Multiset, pointer: str) -> Refusal | None:
    """A refusal if the seat cannot have `cards`; cards that may be among its unknown ones are allowed."""
    missing = piles.missing_cards(state.seats[seat].hand, cards, partial(face_down_pile, state), pile_of)
    return refuse("fifth-avenue.cards.hand", pointer, missing_cards=tuple(missing)) if missing else None


def played_from_hand(state: State, seat: int, cards: Multiset) -> tuple[Seat, ...]:
    """The seats after `cards` have left a hand."""
    return with_seat(state, seat, hand=lose(state.seats[seat].hand, cards, pile_of))


# --- the coloured piles ----------------------------------------------------------------------------------------------


def piles_with_top(state: State) -> list[str]:
    """The coloured piles from which a card can be taken."""
    there = state.piles
    return [colour for colour in COLOURS if there[colour].top]


def next_tops(state: State) -> Outcomes:
    """The next face-down card of the first pile without a visible one."""
    for colour in COLOURS:
        if state.piles[colour].top is None:
            unseen = unseen_cards(state, colour)
            if sum(unseen.values()) > unknown_of_pile(state, colour):
                return Outcomes(unseen)
    raise ValueError("every pile has a visible card or is exhausted")


def first_without_top(state: State) -> str | None:
    """The first coloured pile, in the order of the colours, whose next face-down card is to be revealed."""
    for colour in COLOURS:
        pile = state.piles[colour]
        if pile.top is None and (pile.discards or has_face_down(state, colour)):  # otherwise a discard would be the top
            return colour
    return None


def top_revealed(state: State, card: str) -> State:
    """`card` becomes the visible card of its pile."""
    colour = pile_of(card)
    return replace(state, piles={**state.piles, colour: Pile(card, state.piles[colour].discards)})


def tops_taken(state: State, colours: Iterable[str]) -> tuple[dict[str, Pile], tuple[str, ...], bool]:
    """Takes the visible cards of `colours`: returns the piles, these cards, and whether new tops are to be revealed.

    All in the order of the colours. A pile without face-down cards shows the first of its discards at once.
    """
    after, cards, face_down = dict(state.piles), [], False
    for colour in COLOURS:
        if colour in colours:
            pile = after[colour]
            cards.append(pile.top or "")
            bare = Pile(None, pile.discards)
            if has_face_down(state, colour):
                after[colour], face_down = bare, True
            else:
                after[colour] = with_new_top(bare)
    return after, tuple(cards), face_down


def with_new_top(pile: Pile) -> Pile:
    """A pile without face-down cards after its top was taken: the first of its discards becomes the top."""
    if pile.top is None and pile.discards:
        return Pile(pile.discards[0], pile.discards[1:])
    return pile


# --- discards --------------------------------------------------------------------------------------------------------


def discarded(state: State, cards: Iterable[str]) -> State:
    """The piles with cards laid face up under them in this order; on an exhausted pile, the first becomes the top."""
    coloured, black = dict(state.piles), []
    for card in cards:
        colour = pile_of(card)
        if colour == BLACK:
            black.append(card)
        else:
            pile = coloured[colour]
            coloured[colour] = with_new_top(Pile(pile.top, (*pile.discards, card)))
    return replace(state, piles=coloured, black_discards=plus(state.black_discards, black))


def reshuffled_if_empty(state: State) -> Played[State]:
    """Shuffles the black discards, if there are any, into a new pile as soon as no black card is face down."""
    black_left = partial(has_face_down, pile=BLACK)
    shuffled = partial(BlackPileShuffled, "fifth-avenue.cards.shuffle")
    return piles.reshuffled_if_empty(state, "black_discards", black_left, shuffled)
