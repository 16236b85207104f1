"""Pictures: what one costs, as a multiple of an answer of `transitions`, both as requests to the service in process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bench.interleave import Figure, Goal, Report, Sample, Sampler, interleave
from bench.one_move import calls_in_course, courses
from bench.positions import Position, middle_of, replays_of, request_to_move, spread
from bench.reference_unit import Seconds, clock
from bench.requests import Answerer, answerers_at
from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

GOAL = 5.0
GAMES = 4
"""Recorded games that are gone through, of each game."""
TRANSITIONS = ", transitions"
REMARKS = {"wide": "", "narrow": ", narrow"}


class Drawn(NamedTuple):
    """A move as a request, and the picture of where it leads to as another."""

    move: bytes
    picture: bytes


def courses_in_pictures(game: AnyGame, layout: str) -> list[list[Drawn]]:
    """The middle halves of recorded games, move by move; what each move changed is marked."""
    return [
        [
            Drawn(
                request_to_move(Position(ply.before, ply.move)),
                json_text.encode({"state": ply.after, "layout": layout, "last_moves": [ply.move]}),
            )
            for ply in middle_of(replay)
        ]
        for replay in spread(replays_of(game), GAMES)
    ]


def pictures_in_course(move: Answerer, draw: Answerer, games: Sequence[Sequence[Drawn]]) -> Sampler:
    """A contender that goes through games as `calls_in_course` does, and has positions drawn; only that is timed."""

    def sample() -> Sample:
        done, elapsed = 0, 0.0
        for requests in games:
            for request in requests:
                move(request.move)
                begin = clock()
                draw(request.picture)
                elapsed += clock() - begin
                done += 1
        return Sample(done, elapsed)

    return sample


def reports(rounds: int, _: Seconds) -> list[Report]:
    """The mean over the middle halves of four recorded games of each title, in their course."""
    contenders: dict[str, Sampler] = {}
    for game in all_games().values():
        move, draw = answerers_at(f"/v1/games/{game.id}/transitions", f"/v1/games/{game.id}/pictures")
        contenders[game.id + TRANSITIONS] = calls_in_course(move, courses(game, GAMES))
        for layout, remark in REMARKS.items():
            contenders[game.id + remark] = pictures_in_course(move, draw, courses_in_pictures(game, layout))
    return [
        Report(
            interleave(contenders, rounds=rounds),
            title="Pictures, in process",
            figure=Figure.COST,
            work="request",
            goals=[
                Goal(game + remark, GOAL, of=game + TRANSITIONS) for game in all_games() for remark in REMARKS.values()
            ],
            own={game + remark: game + TRANSITIONS for game in all_games() for remark in REMARKS.values()},
        )
    ]
