"""J, the unit that makes figures of different runs and machines comparable.

One J is the time the standard library's ``json.loads`` takes for ``reference-state.json``, a game state of 5.9 kB: a
piece of work that every reader can repeat, that nobody here can optimise, and that resembles what the service does.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import TypeAlias

Seconds: TypeAlias = float

clock = time.thread_time
"""CPU time of this thread: what neighbours on the machine do is not in it. Reading it takes about a microsecond."""

REFERENCE_STATE = Path(__file__).with_name("reference-state.json")


def measure_reference_unit(batches: int = 21, loads_per_batch: int = 25) -> Seconds:
    """Measure J, in seconds: the median over `batches` of the mean of `loads_per_batch` calls of ``json.loads``.

    The file is read and decoded to text beforehand, so only parsing is timed. The garbage collector stays as it is.
    With the defaults this takes about 30 to 40 milliseconds.
    """
    text = REFERENCE_STATE.read_text(encoding="utf-8")
    loads = json.loads
    means: list[Seconds] = []
    for _ in range(batches):
        begin = clock()
        for _ in range(loads_per_batch):
            loads(text)
        means.append((clock() - begin) / loads_per_batch)
    return statistics.median(means)


if __name__ == "__main__":
    print(f"J = {measure_reference_unit() * 1e6:.1f} µs")
