"""Mixed load through nginx and two instances, while workers and instances are killed: make campaign NAME=soak.

Every answer is compared with the one this process gives. A client repeats once what failed, as any should. One worker
of the first instance is spared, so that its memory is seen over the whole time; everything else ends now and then,
never both instances at once. Prints a table; exit code 1 if an answer was lost or differed.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from statistics import linear_regression

from tests.support.nginx import PROGRAM, proxied
from tests.support.serving import lasting_port, settings_in

from bench.server import children_of
from bench.soak.clients import MAXIMUM_EXAMPLES, Client, Tally, stamp
from bench.soak.instances import Instance, for_all, resident_kilobytes
from bench.soak.questions import SEALING_KEY, answered
from capomastro.settings import VARIABLES

DEPLOYED = Path(__file__).resolve().parents[2] / "deploy" / "settings" / "capomastro.env"
CLIENTS = 8
WORKERS = 2
SAMPLE_SECONDS = 10
SETTLED = 0.2
"""The share of the run after which memory is measured: caches fill up first."""
TRUSTED = {
    "# set_real_ip_from 10.0.0.0/8;": "set_real_ip_from 127.0.0.1;",
    "# real_ip_header X-Forwarded-For;": "real_ip_header X-Forwarded-For;",
}
"""Every client of a soak has an address of its own, as seen by a proxy behind a load balancer."""


class Chaos(threading.Thread):
    """Ends workers and instances, one after the other."""

    def __init__(self, instances: Sequence[Instance], interval: float, stopping: threading.Event) -> None:
        super().__init__(name="chaos", daemon=True)
        self.first, self.second = instances
        self.interval = interval
        self.stopping = stopping
        self.random = Random(1)
        self.acts: Counter[str] = Counter()
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while not self.stopping.wait(self.interval * self.random.uniform(0.5, 1.5)):
                self.act()
        except Exception as error:  # noqa: BLE001 - told at the end: the run counts as failed
            self.failure = error
            self.stopping.set()

    def act(self) -> None:
        what = self.random.choices(["SIGKILL worker", "SIGTERM instance", "SIGKILL instance"], [6, 2, 2])[0]
        self.acts[what] += 1
        if what == "SIGKILL worker":
            victims = [*self.first.workers()[1:], *self.second.workers()]
            if victims:
                with suppress(ProcessLookupError):
                    os.kill(self.random.choice(victims), signal.SIGKILL)
            return
        self.second.stop(signal.SIGTERM if what.startswith("SIGTERM") else signal.SIGKILL)
        self.stopping.wait(self.random.uniform(0, 2))
        self.second.start()


class Memory:
    """The memory of processes, sampled now and then: (minutes, kB) of each."""

    def __init__(self, instances: Sequence[Instance], proxy: int) -> None:
        self.instances = instances
        self.samples: dict[str, list[tuple[float, int]]] = {}
        self.most = 0
        spared, *_ = instances[0].workers()
        self.followed: Mapping[str, int] = {
            "spared worker": spared,
            "master of instance 1": instances[0].pid,
            "worker of nginx": children_of(proxy)[0],
        }

    def look(self, minutes: float) -> None:
        for name, process in self.followed.items():
            resident = resident_kilobytes(process)
            if resident is not None:
                self.samples.setdefault(name, []).append((minutes, resident))
        workers = [process for instance in self.instances for process in instance.workers()]
        self.most = max([self.most, *filter(None, map(resident_kilobytes, workers))])

    def rows(self, minutes: float) -> Iterator[str]:
        yield "| process | at first, MiB | at the end | most | slope, kB per minute | of the last half |"
        yield "|---|---|---|---|---|---|"
        for name, samples in self.samples.items():
            first, last, most = samples[0][1], samples[-1][1], max(resident for _, resident in samples)
            slopes = " | ".join(f"{slope(samples, minutes * share):+.1f}" for share in (SETTLED, 0.5))
            yield f"| {name} | {first / 1024:.1f} | {last / 1024:.1f} | {most / 1024:.1f} | {slopes} |"
        yield f"| any worker | | | {self.most / 1024:.1f} | | |"


def slope(samples: Sequence[tuple[float, int]], since: float) -> float:
    """By how much memory grows a minute, from a minute on; not a number if there are too few samples."""
    settled = [(minute, resident) for minute, resident in samples if minute >= since]
    return linear_regression(*zip(*settled, strict=True)).slope if len(settled) > 2 else float("nan")


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def report(tally: Tally, chaos: Chaos, memory: Memory, minutes: float) -> Iterator[str]:
    """The tables."""
    yield f"{sum(tally.asked.values())} requests in {minutes:.1f} minutes; ended meanwhile: " + (
        ", ".join(f"{number} × {act}" for act, number in sorted(chaos.acts.items())) or "nothing"
    )
    yield ""
    yield "| asked | requests | repeated once | median, ms | 99 % | longest |"
    yield "|---|---|---|---|---|---|"
    for name, number in sorted(tally.asked.items()):
        seconds = tally.seconds[name]
        times = [percentile(seconds, 0.5), percentile(seconds, 0.99), max(seconds)]
        shown = " | ".join(f"{each * 1000:.0f}" for each in times)
        yield f"| {name} | {number} | {tally.repeated[name]} | {shown} |"
    yield ""
    reasons = ", ".join(f"{number} × {why}" for why, number in tally.reasons.most_common())
    yield f"Repeated: {sum(tally.repeated.values())} ({reasons or 'nothing'})"
    yield f"Lost: {len(tally.lost)}"
    yield from tally.lost[:MAXIMUM_EXAMPLES]
    yield f"Differing: {len(tally.differing)}"
    yield from tally.differing[:MAXIMUM_EXAMPLES]
    yield ""
    yield from memory.rows(minutes)


def soak(minutes: float, rate: float, kill_seconds: float, logs: Path) -> bool:
    """Whether nothing was lost and nothing differed."""
    known = answered()
    print(f"{len(known)} questions answered in process", file=sys.stderr, flush=True)
    names = {line.name for line in VARIABLES}
    settings = {name: value for name, value in settings_in(DEPLOYED).items() if name in names}
    settings |= {
        "CAPOMASTRO_WORKERS": str(WORKERS),
        "CAPOMASTRO_LOG_LEVEL": "ERROR",
        "CAPOMASTRO_SEALING_KEYS": SEALING_KEY,
        "CAPOMASTRO_CLIENT_CPU": "1000",  # a few clients stand for many
    }
    instances = [Instance(number, lasting_port(), settings, logs / f"instance-{number}.log") for number in (1, 2)]
    tally, stopping = Tally(), threading.Event()
    with ExitStack() as stack:
        stack.callback(for_all, Instance.end, instances)
        for_all(Instance.start, instances)
        proxy = stack.enter_context(proxied([instance.port for instance in instances], TRUSTED))
        chaos = Chaos(instances, kill_seconds, stopping)
        memory = Memory(instances, proxy.process)
        clients = [Client(number, proxy.port, known, CLIENTS / rate, tally, stopping) for number in range(CLIENTS)]
        began = time.monotonic()
        for thread in (*clients, chaos):
            thread.start()
        next_line = 0.0
        try:
            while (elapsed := time.monotonic() - began) < minutes * 60 and not stopping.wait(SAMPLE_SECONDS):
                memory.look(elapsed / 60)
                if elapsed / 60 >= next_line:
                    next_line += 1
                    print(
                        f"{stamp()} {elapsed / 60:5.1f} min: {sum(tally.asked.values())} requests, "
                        f"{sum(tally.repeated.values())} repeated, {len(tally.lost)} lost, "
                        f"{len(tally.differing)} differing, {sum(chaos.acts.values())} times something was ended",
                        file=sys.stderr,
                        flush=True,
                    )
        finally:
            stopping.set()
            for thread in (*clients, chaos):
                thread.join(200)
        for line in report(tally, chaos, memory, (time.monotonic() - began) / 60):
            print(line)
        if chaos.failure is not None:
            print(f"Failed: {chaos.failure}")
    return not (tally.lost or tally.differing or chaos.failure)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=20, help="requests a second, of all clients together")
    parser.add_argument("--kill-seconds", type=float, default=20, help="mean seconds between two kills")
    wanted = parser.parse_args()
    if PROGRAM is None:
        print("nginx is not installed here: nothing to soak through", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="capomastro-soak-") as logs:
        sound = soak(wanted.minutes, wanted.rate, wanted.kill_seconds, Path(logs))
        if not sound:
            for log in sorted(Path(logs).iterdir()):
                print(f"--- {log.name}, its last lines", file=sys.stderr)
                print("\n".join(log.read_text("utf-8", "replace").splitlines()[-20:]), file=sys.stderr)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
