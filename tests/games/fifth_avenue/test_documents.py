"""Documents of Fifth Avenue: multisets in any order, those of lots among them."""

from copy import deepcopy
from random import Random
from typing import Any

from capomastro.adjudicator import audit
from capomastro.answers import Audit
from capomastro.documents.json_text import state_hash
from capomastro.games.fifth_avenue.game import GAME
from tests.games.fifth_avenue.sheets import sheets
from tests.support.documents import as_document, as_scoresheet, as_state
from tests.support.playouts import play_out

PLIES = list(play_out(GAME, 4, {"six_lots": True}, "documents"))


def turned_round(document: dict[str, Any]) -> dict[str, Any]:
    """The same with the multisets of the board and of the hands reversed."""
    turned = deepcopy(document)
    for district in turned["districts"].values():
        for lot in (district or {}).values():
            lot.get("businesses", []).reverse()
    for seat in turned["seats"]:
        for cards in seat.get("hand", {}).values():
            if isinstance(cards, list):
                cards.reverse()
    for group in turned.get("row", []):
        group.reverse()
    return turned


def test_multisets_are_accepted_in_any_order() -> None:
    turned_lots = 0
    for ply in PLIES[60:-3:15] + PLIES[-3:]:
        document = as_document(ply.after)
        turned = turned_round(document)
        turned_lots += turned["districts"] != document["districts"]
        assert as_state(GAME, turned) == ply.after
        assert state_hash(as_state(GAME, turned)) == state_hash(ply.after)
        assert audit(GAME, turned) == Audit([])
    assert turned_lots


def test_lots_of_scoresheets_are_accepted_in_any_order() -> None:
    _, document = next(sheets(PLIES, Random(1)))
    turned = turned_round(document)
    assert turned["districts"] != document["districts"]
    assert as_scoresheet(GAME, turned) == as_scoresheet(GAME, document)
