"""Measures the cost of each resource, for docs/operating.md: `python -m bench.sizing`.

Sends the requests of the soak, for all games, to two processes over eight connections, each resource for some seconds.
The cost is the CPU time of the processes per request. It grows if the machine does other work as well.

The start-up cost is the CPU time of all processes until the service is ready, with bytecode cached by an earlier run.
The private memory of a process is what it shares with no other: what one more process costs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from tests.support.serving import cpu_seconds, free_port

from bench.interleave import interpreter
from bench.soak.clients import Client, Tally
from bench.soak.instances import Instance, private_kilobytes, resident_kilobytes
from bench.soak.questions import SEALING_KEY, Expected, Question, answered

CONNECTIONS = 8
WORKERS = 2


def row(values: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, values)) + " |"


def measured(instance: Instance, known: Sequence[tuple[Question, Expected]], seconds: float) -> tuple[int, float]:
    """How many of these were answered, and the CPU time that took."""
    tally, stopping = Tally(), threading.Event()
    clients = [Client(number, instance.port, known, 0.0, tally, stopping) for number in range(CONNECTIONS)]
    workers = instance.workers()
    before = sum(map(cpu_seconds, workers))
    for client in clients:
        client.start()
    time.sleep(seconds)
    stopping.set()
    for client in clients:
        client.join(60)
    if tally.lost or tally.differing:
        raise RuntimeError(str([*tally.lost, *tally.differing][:3]))
    return sum(tally.asked.values()), sum(map(cpu_seconds, workers)) - before


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=8, help="for each resource")
    seconds: float = parser.parse_args().seconds
    known = [each for each in answered() if not each[0].lines]
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "CAPOMASTRO_WORKERS": str(WORKERS),
            "CAPOMASTRO_LOG_LEVEL": "INFO",
            "CAPOMASTRO_SEALING_KEYS": SEALING_KEY,  # or it could not open the tables in the questions
        }
        instance = Instance(1, free_port(), settings, Path(folder, "log"))
        try:
            instance.start()
            until_ready = sum(map(cpu_seconds, [instance.pid, *instance.workers()]))
            fresh = [resident_kilobytes(worker) or 0 for worker in instance.workers()]
            print(row(["resource", "CPU of a request, ms", "requests a second and core"]))
            print(row(["---"] * 3))
            for name in sorted({question.name for question, _ in known} - {"mistakes"}):
                some = [each for each in known if each[0].name == name]
                done, cpu = measured(instance, some, seconds)
                cost = cpu / done
                print(row([name, f"{cost * 1000:.2f}", f"{1 / cost:.0f}"]), flush=True)
            used = [resident_kilobytes(worker) or 0 for worker in instance.workers()]
            own = max(private_kilobytes(worker) or 0 for worker in instance.workers())
        finally:
            instance.end()
    first, last = max(fresh) / 1024, max(used) / 1024
    print(f"A process takes {first:.0f} MiB at first, {last:.0f} MiB afterwards; {own / 1024:.1f} MiB are private.")
    print(f"Ready after {until_ready:.2f} s CPU. {interpreter()}, {os.cpu_count()} cores.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
