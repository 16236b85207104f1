"""The rest of the box: the deck with the Intermezzo and the Finito, which documents do not list.

The Intermezzo lies below a known or unknown number of tower cards, at least those of the first display, and above the
last ten; among these ten lies the Finito. The tower cards in between are any of those the document does not show.
"""

from capomastro.engine.chance import Outcomes
from capomastro.engine.piles import FaceDownPile, face_down, missing_cards
from capomastro.engine.refusals import Refusal, implements, refuse
from capomastro.games.campanile import components as box
from capomastro.games.campanile.state import State


def deck(state: State) -> FaceDownPile:
    """The tower cards of the deck, as far as the document shows them."""
    number = box.copies(len(state.seats))
    outside_towers = {style: number - state.towers[style].cards for style in box.STYLES}
    return face_down(outside_towers, state.display, state.seats)


def drawn_count(state: State, left: int) -> int:
    """The number of tower cards turned up for the display when `left` are left in the deck."""
    return box.cards_after_dealing(len(state.seats)) - left


def intermezzo_range(state: State) -> tuple[int, int]:
    """The minimum and maximum number of tower cards above the Intermezzo."""
    after = state.options.intermezzo_after
    if after is not None:
        return after, after
    return box.FIRST_INTERMEZZO, box.cards_after_dealing(len(state.seats)) - box.LAST_CARDS


@implements("campanile.setup.intermezzo", "campanile.setup.intermezzo-unknown", "campanile.deck.intermezzo-place")
def odds_of_intermezzo(state: State, left: int) -> tuple[int, int]:
    """The odds of the Intermezzo against any tower card, with `left` tower cards in the deck.

    A known place is either reached or not. An unknown one is equally likely to be any of the `left` - 9 places from
    here to above the last ten cards; with ten left it must come.
    """
    if state.intermezzo_seen or (drawn := drawn_count(state, left)) < box.FIRST_INTERMEZZO:
        return 0, 1
    after = state.options.intermezzo_after
    if after is not None:
        return (1, 0) if drawn == after else (0, 1)
    return 1, left - box.LAST_CARDS


@implements("campanile.setup.finito", "campanile.deck.finito-last", "campanile.deck.intermezzo-first")
def odds_of_finito(state: State, left: int) -> tuple[int, int]:
    """The odds of the Finito against any tower card, when the Intermezzo is not next.

    Each of the eleven places from before the last ten tower cards to behind them is equally likely.
    """
    return (1, left) if state.intermezzo_seen and left <= box.LAST_CARDS else (0, 1)


def next_cards(state: State) -> Outcomes:
    """The next card of the deck, with exact weights: a tower card, the Intermezzo, or after it the Finito."""
    pile = deck(state)
    special, (odds, against) = box.INTERMEZZO, odds_of_intermezzo(state, pile.size)
    if not odds:
        special, (odds, against) = box.FINITO, odds_of_finito(state, pile.size)
    if not against:
        return Outcomes({special: 1})
    # the special card with probability odds / (odds + against); otherwise a tower card, uniform over all unseen ones
    weights = {style: count * against for style, count in pile.unseen.items() if count > 0}
    if odds:
        weights[special] = odds * sum(pile.unseen.values())
    return Outcomes(weights)


def why_not_next(state: State, card: str) -> Refusal | None:
    """Why `card` cannot be the next one turned up."""
    possible = next_cards(state).weights
    if card in possible:
        return None
    pile = deck(state)
    if card not in (box.FINITO, box.INTERMEZZO) and pile.unseen.get(card, 0) < 1:
        number = box.copies(len(state.seats))
        return refuse("campanile.components.tower-cards", "/card", component=card, box=number)
    if card == box.FINITO:
        return refuse("campanile.deck.finito", "/card", left=pile.size, intermezzo_seen=state.intermezzo_seen)
    if card == box.INTERMEZZO or box.INTERMEZZO in possible:  # it would be early, or a second one; or it is due
        lowest, highest = intermezzo_range(state)
        drawn = drawn_count(state, pile.size)
        return refuse("campanile.deck.intermezzo", "/card", card=card, drawn=drawn, lowest=lowest, highest=highest)
    return refuse("campanile.deck.last", "/card", card=card)  # the Finito alone is left


def why_not_in_hand(state: State, seat: int, card: str, pointer: str) -> Refusal | None:
    """Why the seat cannot have `card`; one that may be among its unknown cards is allowed."""
    missing = missing_cards(state.seats[seat].hand, (card,), lambda pile: deck(state))
    return refuse("campanile.tower.hand", pointer, card=card) if missing else None
