"""Documents of Campanile: multisets in any order, and what their schemas refuse."""

from copy import deepcopy
from typing import Any

import pytest

from capomastro.adjudicator import audit, set_up, transition, verdict
from capomastro.answers import Audit
from capomastro.documents.json_text import state_hash
from capomastro.documents.problems import Problem
from capomastro.games.campanile.game import GAME
from tests.support.documents import as_document, as_state
from tests.support.playouts import play_out
from tests.support.shapes import shape_of


def a_document(ply: int = 130) -> dict[str, Any]:
    """A state of a game of four, with markers and tokens."""
    document: dict[str, Any] = as_document(list(play_out(GAME, 4, {}, "documents"))[ply].after)
    assert document["intermezzo_seen"]
    return document


def turned_round(document: dict[str, Any]) -> dict[str, Any]:
    """The same with all multisets reversed."""
    turned = deepcopy(document)
    turned["display"].reverse()
    turned["towers"] = dict(reversed(turned["towers"].items()))
    for seat in turned["seats"]:
        seat["tokens"].reverse()
        seat["hand"]["open"].reverse()
        seat["hand"]["closed"].reverse()
    for tower in turned["towers"].values():
        for row in tower["rows"]:
            row["markers"].reverse()
    return turned


def test_multisets_are_accepted_in_any_order() -> None:
    changed = 0
    for ply in range(90, 160, 7):
        document = as_document(list(play_out(GAME, 4, {}, "documents"))[ply].after)
        turned = turned_round(document)
        changed += turned != document
        assert as_state(GAME, turned) == as_state(GAME, document)
        assert state_hash(as_state(GAME, turned)) == state_hash(as_state(GAME, document))
        assert audit(GAME, turned) == Audit([])
    assert changed


def test_rows_are_in_order_of_rank_and_that_is_part_of_the_state() -> None:
    document = a_document()
    tower = next(tower for tower in document["towers"].values() if len(tower["rows"]) > 1)
    before = state_hash(as_state(GAME, document))
    tower["rows"].reverse()
    assert state_hash(as_state(GAME, document)) != before


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("display",), ["a", "b", "c", "d"]),
        (("display", 0), "intermezzo"),
        (("towers", "a", "height"), 37),
        (("towers", "a", "height"), -1),
        (("towers", "a", "cards"), 13),
        (("towers", "a", "rows"), [{"seat": 0, "markers": ["huge"]}]),
        (("towers", "a", "rows"), [{"seat": 5, "markers": ["small"]}]),
        (("towers", "f"), {"height": 0, "cards": 0, "rows": []}),
        (("seats", 0, "tokens"), [7]),
        (("seats", 0, "hand", "unknown"), {"bag": 1}),
        (("stage",), {"type": "place-marker"}),
        (("stage",), {"type": "place-marker", "floors": 4}),
        (("stage",), {"type": "bid"}),
        (("options", "tower_order"), ["a", "b", "c", "d", "d"]),
        (("options", "intermezzo_after"), 42),
        (("intermezzo_seen",), 1),
        (("deck",), []),
    ],
)
def test_documents_of_the_wrong_shape_are_refused(path: tuple[str | int, ...], value: Any) -> None:
    document: Any = a_document()
    shape = shape_of("campanile", "state")
    assert shape.accepts(document)
    holder = document
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    assert not shape.accepts(document)
    assert shape.errors(document)


def test_a_tower_or_an_option_cannot_be_left_out_of_a_state() -> None:
    for path in (("towers", "e"), ("options", "intermezzo_after"), ("options", "move_medium_marker")):
        document = a_document()
        del document[path[0]][path[1]]
        assert not shape_of("campanile", "state").accepts(document)


def test_a_turn_through_the_adjudicator() -> None:
    begun = as_document(set_up(GAME, 2, ["Ada", "Bruno"], {"move_medium_marker": True}, seed="7"))
    assert begun["decision"] == {"actor": "seat", "kind": "play-card", "seat": 0}
    assert begun["derived"] == {
        "deck": 21,
        "tower_ranks": ["a", "b", "c", "d", "e"],
        "markers_left": [{"small": 5, "medium": 3, "large": 1}] * 2,
        "intermezzo_points": [0, 0],
    }
    moves = [
        {"type": "play-card", "seat": 0, "card": "a", "floors": 2},
        {"type": "place-marker", "seat": 0, "tower": "b"},
        {"type": "take-card", "seat": 0, "card": "b"},
        {"type": "reveal-card", "card": "c"},
    ]
    answer = as_document(transition(GAME, begun["state"], moves, views=[0, 1, None], legal_moves_limit=100))
    assert answer["decision"] == {"actor": "seat", "kind": "play-card", "seat": 1}
    assert answer["derived"]["markers_left"][0] == {"small": 5, "medium": 2, "large": 1}
    assert [view["state"]["seats"][0]["hand"]["open"] for view in answer["views"]] == [["b"]] * 3
    assert [view["state"]["seats"][0]["hand"]["closed"] for view in answer["views"]] == [["a", "c"], [], []]
    wrong = as_document(verdict(GAME, answer["state"], {"type": "play-card", "seat": 1, "card": "e", "floors": 1}))
    assert wrong == {
        "legal": False,
        "refusal": {
            "rule": "campanile.tower.hand",
            "message": "the card E is not in the hand",
            "values": {"card": "e"},
            "pointer": "/move/card",
        },
    }


def test_the_variant_is_refused_with_three_players() -> None:
    with pytest.raises(Problem) as refused:
        set_up(GAME, 3, options={"move_medium_marker": True})
    assert "campanile.variant.two-players" in str(refused.value.errors)
