"""A `ply` that no document can have is judged alike by everything that takes a state."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from capomastro import adjudicator
from capomastro.documents import json_text, shapes
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.documents import as_document

GREATEST: int = shapes.schema_of(None, "ply")["maximum"]
BEYOND = (GREATEST + 1, 2**31, 2**53, 2**63 - 1, 2**64, 10**30, -1, -(2**63))


def questions_about(game: AnyGame, state: Any) -> dict[str, dict[str, Any]]:
    """What else each question about a state needs."""
    move = as_document(referee.legal_moves(game, state).pick(0))
    return {
        "audits": {},
        "legal-moves": {},
        "verdicts": {"move": move},
        "transitions": {"moves": [move]},
        "views": {"seat": 0},
        "scores": {},
        "pictures": {},
        "suggestions": {},
        "samples": {"seat": 0},
    }


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_a_ply_beyond_all_documents_is_judged_alike(client: FlaskClient, game: AnyGame) -> None:
    state = adjudicator.set_up(game, 2, seed="ply").state
    for question, further in questions_about(game, state).items():
        for ply in BEYOND:
            body = json_text.encode({"state": as_document(state), **further})
            body = body.replace(b'"ply":%d' % state.ply, b'"ply":%d' % ply, 1)
            answer = client.post(f"/v1/games/{game.id}/{question}", data=body, content_type="application/json")
            problem = json_text.decode(answer.get_data())
            assert (answer.status_code, problem["type"]) == (422, "/v1/problems/shape"), (question, ply)
            bound = f"more than {GREATEST}" if ply > 0 else "less than 0"
            assert problem["errors"] == [{"pointer": "/state/ply", "message": f"{ply} is {bound}"}], (question, ply)
