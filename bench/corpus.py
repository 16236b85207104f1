"""Plays a corpus of games, judges it on a Dask cluster of all cores, and keeps it in shards: make campaign NAME=corpus.

Games of every title, number of players and variant take turns. Of a hundred, 98 are played at random, one by planning
players and one by both, seat by seat. A game depends on its number only, so any worker makes the same shard, and a
shard that is lost with its worker is made again. A shard is written as a whole, with its digest in a file beside it;
the next run begins where the last one ended, with as many more games as it is asked for.

The table that is printed has the CPU time of workers, which neighbours on the machine disturb less than its clock.
"""

import argparse
import gzip
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from tests.support.setups import Setup, setups

from capomastro.adjudicator import record_of
from capomastro.archive import Line, Terms
from capomastro.batch import files
from capomastro.batch.cluster import LOCAL, connected
from capomastro.batch.judging import judge, read_verdict
from capomastro.batch.sources import Record
from capomastro.cores import cores
from capomastro.documents import json_text
from capomastro.engine import players, referee
from capomastro.engine.moves import Move
from capomastro.engine.steps import play_step

GAMES_PER_SHARD = 500
MAXIMUM_PLIES = 1_500
"""Games that are longer are left unfinished: some can be delayed as long as the players like."""
MILESTONES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)


@cache
def every_setup() -> list[Setup]:
    return list(setups())


def kinds_of(number: int, seats: int) -> list[str]:
    """The players of a game, by seat."""
    if number % 100 == 0:
        return ["planning"] * seats
    if number % 100 == 50:
        return ["planning" if seat % 2 else "random" for seat in range(seats)]
    return ["random"] * seats


def game_of(number: int) -> bytes:
    """The record of the game with that number, as a line."""
    setup = every_setup()[number % len(every_setup())]
    game, seed = setup.game, f"corpus/{number}"
    options = json_text.decode(json_text.encode(setup.options))
    state = game.start(setup.players, options_of(setup, options), None)
    kinds, random = kinds_of(number, setup.players), Random(seed)
    moves: list[Move] = []
    while not referee.is_over(game, state) and len(moves) < MAXIMUM_PLIES:
        move = move_in(setup, state, kinds, seed, random)
        moves.append(move)
        state = play_step(game, state, move).after
    result = game.result(state) if referee.is_over(game, state) else None
    record = record_of(game, state, moves, result)
    return json_text.encode({**record, "id": f"corpus-{number}", "tags": {"players": ", ".join(kinds)}})


def options_of(setup: Setup, options: Any) -> Any:
    from capomastro.adjudicator import load_options

    return load_options(setup.game, setup.players, options)


def move_in(setup: Setup, state: Any, kinds: list[str], seed: str, random: Random) -> Move:
    game = setup.game
    if referee.is_at_chance(game, state):
        return referee.draw(game, state, seed)
    seat = referee.decision(game, state).seat
    assert seat is not None
    if kinds[seat] == "planning":
        move = players.suggested(game, state, "planning", seed)
        assert move is not None
        return move
    return players.at_random(game, state, referee.legal_moves(game, state), random)


def make_shard(directory: str, number: int) -> None:
    """Plays, judges and writes a shard, unless it is there."""
    about = Path(directory) / f"shard-{number:05}.json"
    if about.exists():
        return
    began = time.process_time()
    lines = [game_of(game) for game in range(number * GAMES_PER_SHARD, (number + 1) * GAMES_PER_SHARD)]
    played = time.process_time()
    records = [Record("corpus", Line(place, line)) for place, line in enumerate(lines, 1)]
    verdicts = [read_verdict(line) for line in judge(records, Terms())]
    judged = time.process_time()
    text = b"".join(line + b"\n" for line in lines)
    files.write_atomically(str(about.with_suffix(".ndjson.gz")), gzip.compress(text, 6, mtime=0))
    summary = {
        "games": len(lines),
        "plies": sum(verdict.plies or 0 for verdict in verdicts),
        "bytes": len(text),
        "sha256": sha256(text).hexdigest(),
        "verdicts": Counter(verdict.verdict for verdict in verdicts),
        "playing_seconds": round(played - began, 3),
        "judging_seconds": round(judged - played, 3),
        "megabytes": resident_megabytes(),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    files.write_atomically(str(about), json.dumps(summary).encode())


def resident_megabytes() -> int | None:
    """What this process holds now, where the system tells; unlike the peak it shows whether anything grows."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * resource.getpagesize() // 2**20


def summaries(directory: Path) -> Iterator[dict[str, Any]]:
    for file in sorted(directory.glob("shard-*.json")):
        yield json.loads(file.read_bytes())


def require_digests(directory: Path) -> None:
    """Reads every shard again and compares its digest."""
    for file in sorted(directory.glob("shard-*.json")):
        text = gzip.decompress(file.with_suffix(".ndjson.gz").read_bytes())
        if sha256(text).hexdigest() != json.loads(file.read_bytes())["sha256"]:
            sys.exit(f"{file.name}: the shard has another digest")


def print_table(directory: Path) -> None:
    """The figures after 1, 3, 10, 30 … thousand games, in the order of the shards."""
    print(
        "   games  verdicts                    judging s  records/s/core  playing s   MB  compressed  peak MB  now MB"
    )
    total: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    peak = 0
    found = list(summaries(directory))
    for place, one in enumerate(found, 1):
        total.update({name: one[name] for name in ("games", "bytes", "judging_seconds", "playing_seconds")})
        verdicts.update(one["verdicts"])
        peak = max(peak, one["peak_megabytes"])
        games = total["games"]
        if games in MILESTONES or place == len(found):
            packed = sum(file.stat().st_size for file in sorted(directory.glob("*.gz"))[:place]) / 1e6
            words = ", ".join(f"{word} {number}" for word, number in sorted(verdicts.items()))
            pace = games / total["judging_seconds"]
            times = f"{total['judging_seconds']:9.1f}  {pace:14.0f}  {total['playing_seconds']:9.1f}"
            now = one.get("megabytes") or "–"  # shards of earlier versions do not tell
            sizes = f"{total['bytes'] / 1e6:5.0f}  {packed:10.1f}  {peak:7}  {now:>6}"
            print(f"{games:8,}  {words:26}  {times}  {sizes}")
    wrong = set(verdicts) - {"legal", "unfinished"}
    if wrong:
        sys.exit(f"not every game is legal: {sorted(wrong)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000, help="how many games the corpus is to have")
    parser.add_argument("--minutes", type=float, help="stop beginning shards after so many minutes")
    parser.add_argument("--directory", type=Path, default=Path("build/corpus"))
    parser.add_argument("--cluster", default=LOCAL, help="the address of a Dask cluster that sees the directory")
    parser.add_argument("--check", action="store_true", help="only compare the digests of all shards")
    given = parser.parse_args()
    given.directory.mkdir(parents=True, exist_ok=True)
    if not given.check:
        make_corpus(given.directory.absolute(), given.games, given.minutes, given.cluster)
    require_digests(given.directory)
    print_table(given.directory)


def make_corpus(directory: Path, games: int, minutes: float | None, cluster: str) -> None:
    from distributed import as_completed

    end = None if minutes is None else time.monotonic() + 60 * minutes
    missing = [
        number for number in range(-(-games // GAMES_PER_SHARD)) if not (directory / f"shard-{number:05}.json").exists()
    ]
    with connected(cluster, cores(), print) as client:
        waiting = iter(missing)
        ahead = 2 * sum(client.nthreads().values())
        first = [submit(client, directory, number) for number in islice(waiting, ahead)]
        begun = as_completed(first, loop=client.loop)
        for future in begun:
            future.result()
            number = next(waiting, None) if end is None or time.monotonic() < end else None
            if number is not None:
                begun.add(submit(client, directory, number))


def submit(client: Any, directory: Path, number: int) -> Any:
    return client.submit(make_shard, str(directory), number, pure=False, retries=2)


if __name__ == "__main__":
    main()
