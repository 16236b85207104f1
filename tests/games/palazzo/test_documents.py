"""States and moves as documents: multisets in any order, one canonical form."""

from typing import Any

import pytest

from capomastro.adjudicator import load_state, verdict
from capomastro.answers import Verdict
from capomastro.documents.json_text import state_hash
from capomastro.documents.problems import Problem
from capomastro.games.palazzo import moves, stages
from capomastro.games.palazzo.game import GAME
from tests.games.palazzo.table import cards, hand, played, table, tiles
from tests.support.documents import as_document
from tests.support.playouts import play_out


def reversed_lists(document: Any) -> Any:
    """A document with every list of tokens reversed, except palaces."""
    if isinstance(document, dict):
        return {name: value if name == "palaces" else reversed_lists(value) for name, value in document.items()}
    if isinstance(document, list) and all(isinstance(item, str) for item in document):
        return document[::-1]
    if isinstance(document, list):
        return [reversed_lists(item) for item in document]
    return document


def test_equal_components_are_accepted_in_any_order_and_sorted() -> None:
    for ply in play_out(GAME, 3, seed="order"):
        turned = load_state(GAME, reversed_lists(as_document(ply.after)))
        assert turned == ply.after
        assert state_hash(turned) == state_hash(ply.after)


def test_the_order_of_tiles_in_a_palace_matters() -> None:
    document = as_document(table(palaces=[["b12 m22"]]))
    document["seats"][0]["palaces"][0].reverse()
    with pytest.raises(Problem) as caught:
        load_state(GAME, document)
    assert [error["rule"] for error in caught.value.errors] == ["palazzo.building.rising"]


def test_cards_of_a_move_are_accepted_in_any_order() -> None:
    buying = table(
        stage=stages.BuyOrAuction(), supply="b12 m11 s53", quarries=("", "m31", "", ""), hands=["r7 r6 c", ""]
    )
    state = as_document(buying)
    forward = {
        "type": "buy",
        "seat": 0,
        "tiles": ["brick-1-2", "marble-1-1"],
        "payment": ["certificate-2", "red-6", "red-7"],
    }
    turned = reversed_lists(forward)
    assert turned != forward
    assert verdict(GAME, state, forward) == verdict(GAME, state, turned) == Verdict(legal=True)


def test_moves_with_unsorted_cards_play_the_same_in_the_engine() -> None:
    state = table(stage=stages.ChooseTwoCards(cards("r3 g4 c")), hands=[hand(), hand()])
    one, other = moves.TakeTwoCards(0, ("red-3", "green-4")), moves.TakeTwoCards(0, ("green-4", "red-3"))
    assert played(state, one) == played(state, other)
    buying = table(stage=stages.BuyOrAuction(), supply="b12 m11 s53", hands=["r7 r6 c", ""])
    one_way = moves.Buy(0, tiles("m11 b12"), ("red-7", "certificate-2", "red-6"))
    other_way = moves.Buy(0, tiles("b12 m11"), cards("r7 c r6"))
    assert played(buying, one_way) == played(buying, other_way)


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"builder": 4}, "/state/builder"),
        ({"riders": 6}, "/state/riders"),
        ({"seats": []}, "/state/seats"),
        ({"quarries": [[], [], []]}, "/state/quarries"),
        ({"supply": ["rider"]}, "/state/supply/0"),
        ({"discards": ["red-8"]}, "/state/discards/0"),
        ({"stage": {"type": "choose-tile", "seat": 0, "tiles": []}}, "/state/stage/tiles"),
        ({"more": 1}, "/state/more"),
    ],
)
def test_states_of_the_wrong_shape_are_refused(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Problem) as caught:
        load_state(GAME, {**as_document(table()), **change})
    assert caught.value.id == "shape"
    assert [error["pointer"] for error in caught.value.errors] == [pointer]
