"""Recorded games played again: the whole request, half the record, and the bare engine with the decoding it needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from tests.support.playouts import start

from bench.interleave import Figure, Goal, Report, Sample, Sampler, calls_over, interleave
from bench.positions import replays_of
from bench.reference_unit import Seconds
from capomastro import adjudicator
from capomastro.documents import json_text
from capomastro.engine import records
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

RECORDS = 4
"""Of each game the longest."""
HALF, BARE = ", half", ", engine and decoding"
PER_MOVE_GOAL, ENGINE_GOAL = 0.5, 1.15


def body_of(document: dict[str, Any], share: float = 1) -> bytes:
    """The body of a request to replay that share of a record; a part claims no result."""
    number = int(len(document["moves"]) * share)
    part = {**document, "moves": document["moves"][:number]}
    if share < 1:
        part.pop("result", None)
    return json_text.encode({"record": part})


def per_move(function: Callable[[bytes], object], bodies: list[bytes], *, seconds: Seconds) -> Sampler:
    """A contender whose work is the moves in the records of `bodies`."""
    moves = sum(len(json_text.decode(body)["record"]["moves"]) for body in bodies)
    passes = calls_over(function, bodies, seconds=seconds)

    def sample() -> Sample:
        done, elapsed = passes()
        return Sample(done / len(bodies) * moves, elapsed)

    return sample


def replayer(game: AnyGame) -> Callable[[bytes], bytes]:
    """Answers requests to replay a record."""

    def replay(body: bytes) -> bytes:
        return json_text.encode(adjudicator.replay(game, json_text.decode(body)["record"]))

    return replay


def bare_replayer(game: AnyGame) -> Callable[[bytes], object]:
    """Decodes a record and has the engine judge and play its moves: no schema, no result, no answer."""
    kinds: Any = list[game.moves]  # type: ignore[name-defined]

    def replay(body: bytes) -> object:
        record = json_text.decode(body)["record"]
        begin = start(game, record["players"], record["options"])
        return records.replay(game, begin, msgspec.convert(record["moves"], kinds))

    return replay


def reports(rounds: int, seconds: Seconds) -> list[Report]:
    """Time per move of the longest recorded games; each game beside its own bare engine, each half beside its whole."""
    contenders: dict[str, Sampler] = {}
    own: dict[str, str] = {}
    goals: list[Goal] = []
    for game in all_games().values():
        documents = [replay.document for replay in replays_of(game)[:RECORDS]]
        whole = [body_of(document) for document in documents]
        name, half, bare = game.id, game.id + HALF, game.id + BARE
        contenders[name] = per_move(replayer(game), whole, seconds=seconds)
        contenders[bare] = per_move(bare_replayer(game), whole, seconds=seconds)
        contenders[half] = per_move(replayer(game), [body_of(document, 0.5) for document in documents], seconds=seconds)
        own |= {name: bare, half: name}
        goals += [Goal(name, PER_MOVE_GOAL), Goal(name, ENGINE_GOAL, of=bare)]
    return [
        Report(
            interleave(contenders, rounds=rounds),
            title="Replay of recorded games",
            figure=Figure.COST,
            work="move",
            goals=goals,
            own=own,
        )
    ]
