"""The running application, and documents to send it."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from capomastro.api.application import create_app
from capomastro.api.request_log import start_logging
from capomastro.engine import referee
from capomastro.games import all_games
from capomastro.settings import Settings
from tests.api.asking import Asker
from tests.support.documents import as_document
from tests.support.playouts import play_out


@pytest.fixture(scope="session")
def app() -> Flask:
    return create_app()


@pytest.fixture
def client(app: Flask) -> Iterator[FlaskClient]:
    start_logging(Settings().log_level)  # an application of another test may have changed it for this process
    with app.test_client() as client:
        yield client


@pytest.fixture
def ask(client: FlaskClient) -> Asker:
    return Asker(client)


@pytest.fixture(scope="session")
def auction() -> dict[str, Any]:
    """A state of Palazzo in the middle of an auction: a seat that has bid can raise in more than 20 ways."""
    game = all_games()["palazzo"]
    for seed in map(str, range(50)):
        for ply in play_out(game, 3, seed=seed):
            decision = referee.decision(game, ply.after)
            if decision.kind != "raise-or-pass" or not ply.after.stage.bids[decision.seat or 0].laid:
                continue
            if referee.legal_moves(game, ply.after).total > 20:
                state: dict[str, Any] = as_document(ply.after)
                return state
    raise AssertionError("no auction")


@pytest.fixture(scope="session")
def finished() -> dict[str, Any]:
    """A finished game of Palazzo."""
    *_, last = play_out(all_games()["palazzo"], 2, seed="3")
    state: dict[str, Any] = as_document(last.after)
    return state


@pytest.fixture(scope="session")
def record() -> dict[str, Any]:
    """A whole recorded game of Palazzo."""
    game = all_games()["palazzo"]
    plies = list(play_out(game, 2, seed="3"))
    return {
        "game": "palazzo",
        "schema_version": 1,
        "rules_version": game.rules_version,
        "players": 2,
        "options": as_document(plies[0].before.options),
        "moves": [as_document(ply.move) for ply in plies],
    }
