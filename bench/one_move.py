"""One move, from the bytes of a request to the bytes of its answer, in process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bench.interleave import Figure, Goal, Report, Sample, Sampler, interleave
from bench.positions import (
    Position,
    middle_of,
    replays_of,
    request_to_move,
    spread,
)
from bench.reference_unit import Seconds, clock
from capomastro import adjudicator
from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.engine.referee import is_at_chance
from capomastro.games import all_games

GOAL, GOAL_OF_FIFTH_AVENUE = 1.2, 2.2
"""Its states are twice as long as the others'."""
GAMES = 12
"""Recorded games that are gone through, of each game."""


class Request(NamedTuple):
    """The body of a request for a transition, and whether a seat decides there."""

    body: bytes
    timed: bool


def courses(game: AnyGame, number: int = GAMES) -> list[list[Request]]:
    """The middle halves of recorded games, move by move."""
    return [
        [
            Request(request_to_move(Position(ply.before, ply.move)), not is_at_chance(game, ply.before))
            for ply in middle_of(replay)
        ]
        for replay in spread(replays_of(game), number)
    ]


def calls_in_course(answer: Callable[[bytes], bytes], games: Sequence[Sequence[Request]]) -> Sampler:
    """A contender that goes through games: every state but the first was the answer before it.

    The work are the moves of seats; those of chance are played on the way, outside the time.
    """

    def sample() -> Sample:
        done, elapsed = 0, 0.0
        for requests in games:
            for request in requests:
                begin = clock()
                answer(request.body)
                took = clock() - begin
                if request.timed:
                    elapsed += took
                    done += 1
        return Sample(done, elapsed)

    return sample


def answerer(game: AnyGame) -> Callable[[bytes], bytes]:
    """Answers requests for a transition."""

    def answer(body: bytes) -> bytes:
        members = json_text.decode(body)
        return json_text.encode(adjudicator.transition(game, members["state"], members["moves"]))

    return answer


def goal_of(game: str) -> Goal:
    return Goal(game, GOAL_OF_FIFTH_AVENUE if game == "fifth-avenue" else GOAL)


def reports(rounds: int, seconds: Seconds) -> list[Report]:
    """The mean over moves in the middle of games: in their course."""
    contenders: dict[str, Sampler] = {}
    for game in all_games().values():
        answer = answerer(game)
        contenders[game.id] = calls_in_course(answer, courses(game))
    return [
        Report(
            interleave(contenders, rounds=rounds),
            title="One move, bytes to bytes, in process",
            figure=Figure.COST,
            work="move",
            goals=[goal_of(game) for game in all_games()],
        )
    ]
