"""What one address does to another through the proxy: `python -m bench.neighbours`.

nginx with the files of `deploy/` stands before two instances. One client asks for small transitions, a few a second. In
every other phase, another address asks as often as nginx lets it, over as many connections, for what costs most.
Phases alternate, so that what else the machine does falls on both.

    python -m bench.neighbours [--seconds 20] [--rounds 3] [--service ../other/service]

Attackers are processes of their own, and the clock of the client stands in a process that does nothing else.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from multiprocessing import Event, get_context
from multiprocessing.synchronize import Event as Signal
from pathlib import Path

from tests.campaigns.asking import Request
from tests.campaigns.kept import SLOW, kept
from tests.campaigns.worst import SLOWEST, question, worst
from tests.support.nginx import proxied
from tests.support.serving import lasting_port, settings_in

from bench.positions import middle_of_games, request_to_move
from bench.siege import TIMEOUT_SECONDS, long_replay, percentile
from bench.soak.__main__ import DEPLOYED, TRUSTED
from bench.soak.instances import Instance, for_all
from capomastro.games import all_games
from capomastro.settings import VARIABLES

RATE = 20
"""Requests a second that nginx lets an address ask."""
CONNECTIONS = 31
"""Connections that it lets an address have, less one."""
PAUSE = 0.05
SETTLING_SECONDS = 1


def costly() -> list[Request]:
    """Requests that cost most, as bodies that nginx takes."""
    named = dict(worst())
    return [question("palazzo", "replays", long_replay()), *(named[name]() for name in SLOWEST), *kept(SLOW).values()]


def ask(connection: HTTPConnection, request: Request, address: str) -> int:
    """The status of the answer; 0 if there is none."""
    headers = {**dict(request.headers), "X-Forwarded-For": address}
    try:
        connection.request(request.method, request.path, request.body or None, headers)
        response = connection.getresponse()
        response.read()
    except (OSError, HTTPException):
        connection.close()
        return 0
    return response.status


def attack(port: int, requests: Sequence[Request], attacking: Signal) -> None:
    """Asks for what costs most while it is told to, in the rhythm that nginx allows."""
    turns, lock = itertools.cycle(requests), threading.Lock()
    due = [time.monotonic()]

    def go_on() -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        while attacking.wait():
            with lock:
                due[0] = max(due[0] + 1 / RATE, time.monotonic() - 1)
                begins, request = due[0], next(turns)
            time.sleep(max(0.0, begins - time.monotonic()))
            ask(connection, request, "192.0.2.2")

    for _ in range(CONNECTIONS):
        threading.Thread(target=go_on, daemon=True).start()
    time.sleep(10**6)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", type=int, help="the number of the only costly request that is asked")
    parser.add_argument("--service", help="the folder `service` of another checkout, whose server is attacked instead")
    parser.add_argument("--set", nargs="*", default=[], help="settings of the instances, NAME=value")
    wanted = parser.parse_args()
    names = {line.name for line in VARIABLES}
    settings = {name: value for name, value in settings_in(DEPLOYED).items() if name in names}
    settings |= {"CAPOMASTRO_LOG_LEVEL": "ERROR", **dict(one.split("=", 1) for one in wanted.set)}
    if wanted.service:
        settings["PYTHONPATH"] = str(Path(wanted.service).resolve())
    requests = costly()
    if wanted.only is not None:
        requests = [requests[wanted.only]]
    move = question("palazzo", "transitions", request_to_move(middle_of_games(all_games()["palazzo"])[0]))
    with ExitStack() as stack:
        logs = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        instances = [Instance(number, lasting_port(), settings, logs / f"{number}.log") for number in (1, 2)]
        stack.callback(for_all, Instance.end, instances)
        for_all(Instance.start, instances)
        proxy = stack.enter_context(proxied([instance.port for instance in instances], TRUSTED))
        attacking = Event()
        attacker = get_context("fork").Process(target=attack, args=(proxy.port, requests, attacking), daemon=True)
        attacker.start()
        stack.callback(attacker.kill)
        seconds: dict[bool, list[float]] = {False: [], True: []}
        statuses: dict[bool, Counter[int]] = {False: Counter(), True: Counter()}
        connection = HTTPConnection("127.0.0.1", proxy.port, timeout=TIMEOUT_SECONDS)
        for _ in range(50):
            ask(connection, move, "192.0.2.1")
        for phase in range(2 * wanted.rounds):
            attacked = phase % 2 == 1
            (attacking.set if attacked else attacking.clear)()
            time.sleep(SETTLING_SECONDS if attacked else TIMEOUT_SECONDS / 2)
            until = time.monotonic() + wanted.seconds
            while time.monotonic() < until:
                began = time.monotonic()
                status = ask(connection, move, "192.0.2.1")
                seconds[attacked].append(time.monotonic() - began)
                statuses[attacked][status] += 1
                time.sleep(PAUSE)
        print("| another address | answers | median, ms | p99 | longest |")
        print("|---|---|---|---|---|")
        for attacked, name in ((False, "is silent"), (True, "asks what costs most")):
            shown = " | ".join(f"{percentile(seconds[attacked], share) * 1000:.1f}" for share in (0.5, 0.99, 1))
            print(f"| {name} | {dict(statuses[attacked])} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
