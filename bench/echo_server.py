"""The service with one more resource, for the bench of its server: an echo reads a request and sends a ready answer.

It is a plain view of Flask, what anybody would write.

    python -m bench.echo_server PORT REQUESTS

REQUESTS is a file with a list of requests for a transition: `[{"game": …, "state": …, "moves": […]}, …]`. The answer
that lies ready for each is what `transitions` answers; it is found by game and ply, so no two may share both.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from flask import Response, request

from capomastro import adjudicator
from capomastro.api.application import Application, create_app
from capomastro.api.bodies import read_json
from capomastro.api.media_types import JSON
from capomastro.api.server.main import Server
from capomastro.documents import json_text
from capomastro.games import all_games
from capomastro.settings import Settings

WORKERS, THREADS = 2, 4


def with_echoes(app: Application, settings: Settings, requests: list[dict[str, Any]]) -> Application:
    """The application with echoes beside `transitions`."""
    ready = {
        (each["game"], each["state"]["ply"]): adjudicator.transition(
            all_games()[each["game"]], each["state"], each["moves"]
        )
        for each in requests
    }

    def echo(game: str) -> Response:
        members = read_json(request.environ, settings.maximum_state_bytes)
        return Response(json_text.encode(ready[game, members["state"]["ply"]]), mimetype=JSON)

    app.add_url_rule("/v1/games/<game>/echoes", endpoint="echoes", view_func=echo, methods=["POST"])
    return app


class EchoServer(Server):
    """gunicorn as the service runs it."""

    def __init__(self, settings: Settings, requests: list[dict[str, Any]]) -> None:
        self.requests = requests
        super().__init__(settings)

    def load(self) -> Any:
        return with_echoes(create_app(self.settings), self.settings, self.requests)


def main() -> None:
    port, file = sys.argv[1:]
    requests = json_text.decode(Path(file).read_bytes())
    EchoServer(Settings(port=int(port), workers=WORKERS, threads=THREADS), requests).run()


if __name__ == "__main__":
    main()
