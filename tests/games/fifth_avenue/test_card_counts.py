"""Compares cards counted in one sum with cards counted one by one."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from capomastro.engine.hands import Hand
from capomastro.engine.seats import with_seat
from capomastro.games.fifth_avenue.card_counts import ALL_CARDS, PLACES, face_down, left_of_box, sizes_of_piles
from capomastro.games.fifth_avenue.components import CARDS, COLOURS, PILE_COUNT, PILES
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.piles import pile_sizes, shown_cards
from capomastro.games.fifth_avenue.state import State
from tests.games.fifth_avenue.table import all_of, table
from tests.support.playouts import play_out


def counted(state: State) -> dict[str, int]:
    """What is left of the box, counted one by one."""
    shown = Counter(shown_cards(state))
    return pile_sizes(state, shown) | {card: copies - shown[card] for card, copies in CARDS.items()}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_unseen_cards_are_the_rest_of_the_box(players: int) -> None:
    for ply in play_out(GAME, players, {}, "cards"):
        for state in (ply.after, GAME.view(ply.after, None)):
            left = left_of_box(state)
            assert left is not None
            assert dict(zip(PLACES, left, strict=True)) == counted(state)
            assert face_down(state) == sizes_of_piles(left) == pile_sizes(state, Counter(shown_cards(state)))


def test_nothing_is_left_of_a_pile_that_is_all_in_hands() -> None:
    left = left_of_box(with_hand_of(Hand(closed=all_of("orange"))))
    assert left is not None
    assert [left[PLACES[name]] for name in ("orange", "orange-4", "orange-6", "grey")] == [0, 0, 0, PILE_COUNT["grey"]]


def with_hand_of(hand: Hand) -> State:
    """A state that shows no other cards."""
    state = table()
    empty = tuple(replace(seat, hand=Hand()) for seat in state.seats)
    piles = {colour: replace(pile, top=None, discards=()) for colour, pile in state.piles.items()}
    bare = replace(state, seats=empty, piles=piles, black_discards=())
    return replace(bare, seats=with_seat(bare, 0, hand=hand))


@pytest.mark.parametrize("card", CARDS)
def test_one_card_too_many_is_found(card: str) -> None:
    pile = card[:-2]
    all_of_it = with_hand_of(Hand(closed=(card,) * CARDS[card]))
    assert left_of_box(all_of_it) is not None
    assert left_of_box(with_hand_of(Hand(closed=(card,) * (CARDS[card] + 1)))) is None
    unknown = PILE_COUNT[pile] - CARDS[card]
    assert left_of_box(with_hand_of(Hand(closed=(card,) * CARDS[card], unknown={pile: unknown}))) is not None
    assert left_of_box(with_hand_of(Hand(closed=(card,) * CARDS[card], unknown={pile: unknown + 1}))) is None


def test_far_more_cards_than_exist_are_found() -> None:
    """So many that a count in one byte would have overflowed."""
    random = Random(1)
    for _ in range(200):
        cards = random.choices(list(CARDS), k=random.randrange(ALL_CARDS + 1, 1000))
        assert left_of_box(with_hand_of(Hand(closed=tuple(sorted(cards))))) is None
        many = {pile: random.randrange(ALL_CARDS, 2000) for pile in random.sample(PILES, 2)}
        assert left_of_box(with_hand_of(Hand(unknown=many))) is None
    for colour in COLOURS:
        assert left_of_box(with_hand_of(Hand(closed=(f"{colour}-5",) * 260))) is None
