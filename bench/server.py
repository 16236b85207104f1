"""Transitions over HTTP: what a request costs the server, as a multiple of an echo in the same application."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from tests.support.serving import answers, clean_environment, cpu_seconds, free_port

from bench.echo_server import WORKERS
from bench.interleave import Figure, Goal, Report, Sample, Sampler, interleave
from bench.positions import Position, middle_of_games, request_to_move, spread
from bench.reference_unit import Seconds
from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

CONNECTIONS = 8
POSITIONS = 10
"""Of each game."""
TIMEOUT_SECONDS = 60
GOAL = 1.3
ECHO = ", echo"
HEADERS = {"Content-Type": "application/json"}
PROCESSES = Path("/proc")


class Address(NamedTuple):
    """Where a server listens, and the processes that answer."""

    port: int
    workers: Sequence[int]


def positions_of(game: AnyGame) -> Sequence[Position]:
    """Positions of different plies."""
    by_ply = {position.state.ply: position for position in middle_of_games(game)}
    return spread(list(by_ply.values()), POSITIONS)


def children_of(process: int) -> list[int]:
    """The processes whose parent is `process`."""
    found = []
    for entry in PROCESSES.iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it has ended meanwhile
                continue
            if parent == process:
                found.append(int(entry.name))
    return sorted(found)


@contextmanager
def running() -> Iterator[Address]:
    """The server with echoes in processes of its own, ended by their parent's id in the end."""
    requests = [
        {"game": game.id, "state": position.state, "moves": [position.move]}
        for game in all_games().values()
        for position in positions_of(game)
    ]
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        file = Path(folder) / "requests.json"
        file.write_bytes(json_text.encode(requests))
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.echo_server", str(port), str(file)],
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            deadline = time.monotonic() + TIMEOUT_SECONDS
            while not answers(f"http://127.0.0.1:{port}/readyz") or len(children_of(process.pid)) < WORKERS:
                if process.poll() is not None or time.monotonic() > deadline:
                    log.seek(0)
                    raise RuntimeError("The server does not answer:\n" + log.read().decode(errors="replace"))
                time.sleep(0.05)
            yield Address(port, children_of(process.pid))
        finally:
            process.terminate()
            process.wait(TIMEOUT_SECONDS)


def post(connection: HTTPConnection, path: str, body: bytes) -> bytes:
    """The answer to a request, which has to be 200."""
    connection.request("POST", path, body, HEADERS)
    response = connection.getresponse()
    content = response.read()
    if response.status != 200:
        raise RuntimeError(f"{path} answers {response.status}: {content[:500]!r}")
    return content


def requests_to(server: Address, path: str, bodies: Sequence[bytes], *, seconds: Seconds) -> Sampler:
    """A contender that sends `bodies` round and round for about `seconds` of elapsed time, over all connections.

    Its work is the number of requests, its seconds are CPU time of the workers.
    """
    starts = [client * len(bodies) // CONNECTIONS for client in range(CONNECTIONS)]
    turns = [cycle([*bodies[start:], *bodies[:start]]) for start in starts]

    def ask_repeatedly(client: int, end: float) -> int:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT_SECONDS)
        done = 0
        while time.perf_counter() < end or done < POSITIONS:
            post(connection, path, next(turns[client]))
            done += 1
        connection.close()
        return done

    def sample() -> Sample:
        begin = sum(map(cpu_seconds, server.workers))
        end = time.perf_counter() + seconds
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            done = sum(pool.map(ask_repeatedly, range(CONNECTIONS), [end] * CONNECTIONS))
        return Sample(done, sum(map(cpu_seconds, server.workers)) - begin)

    return sample


def require_our_echo(server: Address) -> None:
    """Raises unless every echo is the very answer."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT_SECONDS)
    for game in all_games().values():
        for body in map(request_to_move, positions_of(game)):
            path = f"/v1/games/{game.id}/"
            answers = {post(connection, path + one, body) for one in ("transitions", "echoes")}
            if len(answers) > 1:
                raise RuntimeError(f"the echo of {game.id} is not the answer")
    connection.close()


def reports(rounds: int, seconds: Seconds) -> list[Report]:
    """Server CPU per request of transitions, each game beside its own echo; and of states that others made."""
    if not PROCESSES.is_dir():
        return []
    with running() as server:
        require_our_echo(server)
        contenders: dict[str, Sampler] = {}
        for game in all_games().values():
            bodies = [request_to_move(position) for position in positions_of(game)]
            for name, resource in ((game.id, "transitions"), (game.id + ECHO, "echoes")):
                path = f"/v1/games/{game.id}/{resource}"
                contenders[name] = requests_to(server, path, bodies, seconds=seconds)
        run = interleave(contenders, rounds=rounds)
    return [
        Report(
            run,
            title="Transitions over HTTP, server CPU",
            figure=Figure.COST,
            work="request",
            goals=[Goal(game, GOAL, of=game + ECHO) for game in all_games()],
            own={game: game + ECHO for game in all_games()},
        )
    ]
