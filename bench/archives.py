"""Archives: records judged per second and core, beside the bare engine; and what a second process brings."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from tests.support.playouts import start

from bench.interleave import Figure, Report, Sample, Sampler, calls_over, interleave
from bench.positions import replays_of
from bench.reference_unit import Seconds
from capomastro.archive import Line, Terms
from capomastro.batch.judging import judge
from capomastro.batch.processes import Batch, Judges
from capomastro.batch.sources import Record
from capomastro.documents import json_text
from capomastro.engine import records
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.games import all_games

BARE = ", bare engine"
ONE, TWO = "1 process", "2 processes"
TERMS = Terms()
BATCH_RECORDS = 4
"""Number of records per batch: small, so that both processes end at about the same time."""

Begun = tuple[Any, list[Move]]
"""A game's start and the moves made there."""


def recorded(game: AnyGame) -> list[Record]:
    """All recorded games of a game, as lines of an archive."""
    texts = [json_text.encode(replay.document) for replay in replays_of(game)]
    return [Record(game.id, Line(number, text)) for number, text in enumerate(texts, 1)]


def decoded(game: AnyGame) -> list[Begun]:
    """The same, ready for the engine."""
    kinds: Any = list[game.moves]  # type: ignore[name-defined]
    documents = [replay.document for replay in replays_of(game)]
    return [
        (start(game, document["players"], document["options"]), msgspec.convert(document["moves"], kinds))
        for document in documents
    ]


def judge_one(record: Record) -> object:
    return judge([record], TERMS)


def bare_replayer(game: AnyGame) -> Callable[[Begun], object]:
    """Has the engine judge and play moves: nothing decoded, no schema, no result, no answer."""

    def replay(begun: Begun) -> object:
        return records.replay(game, *begun)

    return replay


def passes(judges: Judges, batches: Sequence[Batch], *, seconds: Seconds) -> Sampler:
    """A contender that has processes judge all batches, again and again."""

    def sample() -> Sample:
        done, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds:
            for batch in batches:
                judges.give(batch)
            while judges.waiting:
                done += len(judges.take().verdicts)
        return Sample(done, time.perf_counter() - begin)

    return sample


def mixed() -> list[Batch]:
    """The recorded games of all games, mixed, in small batches."""
    every = [record for game in all_games().values() for record in recorded(game)]
    shuffled = sorted(every, key=lambda record: (record.line.number, record.source))
    return [Batch(shuffled[at : at + BATCH_RECORDS], 0) for at in range(0, len(shuffled), BATCH_RECORDS)]


def reports(rounds: int, seconds: Seconds) -> list[Report]:
    """Records per second; each game beside its own bare engine, two processes beside one."""
    contenders: dict[str, Sampler] = {}
    own: dict[str, str] = {}
    for game in all_games().values():
        bare = game.id + BARE
        contenders[game.id] = calls_over(judge_one, recorded(game), seconds=seconds)
        contenders[bare] = calls_over(bare_replayer(game), decoded(game), seconds=seconds)
        own[game.id] = bare
    batches = mixed()
    # they are started here, where they may use any core
    with Judges(TERMS, 1) as one, Judges(TERMS, 2) as two:
        for judges in (one, two):
            passes(judges, batches, seconds=0.001)()
        contenders |= {
            ONE: passes(one, batches, seconds=2 * seconds),
            TWO: passes(two, batches, seconds=2 * seconds),
        }
        own[TWO] = ONE
        run = interleave(contenders, rounds=rounds)
    return [Report(run, title="Archives of recorded games", figure=Figure.RATE, work="record", own=own)]
