"""One move, from the bytes of a request to the bytes of its answer, in process."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.playouts import AnyGame

from bench.interleave import Figure, Goal, Report, Sampler, calls_over, interleave
from bench.positions import calls_of_strangers, middle_of_games, request_to_move
from bench.reference_unit import Seconds
from capomastro import adjudicator
from capomastro.documents import json_text
from capomastro.games import all_games

GOAL = 2.5
UNSEEN = ", never seen"


def answerer(game: AnyGame) -> Callable[[bytes], bytes]:
    """Answers requests for a transition."""

    def answer(body: bytes) -> bytes:
        members = json_text.decode(body)
        return json_text.encode(adjudicator.transition(game, members["state"], members["moves"]))

    return answer


def reports(rounds: int, seconds: Seconds) -> list[Report]:
    """The mean over positions in the middle of games; and with what the rules remember of positions forgotten."""
    contenders: dict[str, Sampler] = {}
    for game in all_games().values():
        bodies = [request_to_move(position) for position in middle_of_games(game)]
        contenders[game.id] = calls_over(answerer(game), bodies, seconds=seconds)
        contenders[game.id + UNSEEN] = calls_of_strangers(answerer(game), bodies, seconds=seconds)
    return [
        Report(
            interleave(contenders, rounds=rounds),
            title="One move, bytes to bytes, in process",
            figure=Figure.COST,
            work="move",
            goals=[Goal(game, GOAL) for game in all_games()],
        )
    ]
