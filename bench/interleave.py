"""Measure several things side by side and report how they compare.

Machines are noisy, and the noise drifts: a figure taken now and one taken a minute later say little about each other.
So everything that is to be compared is measured in one run, in turn (A B C A B C …), on one core; ratios are formed
within each round, where the conditions are closest, and come first in every table. The unit J is measured in every
round too. Nothing here passes or fails: goals are printed beside the figures and never change an exit code.

    run = interleave({"ours": calls(decode), "json": calls(lambda: json.loads(text))}, rounds=9)
    report = Report(run, title="Decoding", figure=Figure.COST, work="call", references=("json",),
                    goals=(Goal("ours", 2.5, of=J),))
    print(report.text())
"""

from __future__ import annotations

import argparse
import contextlib
import enum
import gc
import json
import math
import os
import platform
import statistics
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias, TypeVar

from bench.reference_unit import Seconds, clock, measure_reference_unit

T = TypeVar("T")

J = "J"
"""The name of the reference unit."""


class Sample(NamedTuple):
    """What one turn of a contender did: `work` units (decisions, calls, requests …) in `seconds`.

    `seconds` are of whatever clock the contender reads: CPU time of this thread here, of a server elsewhere.
    """

    work: float
    seconds: Seconds


Sampler: TypeAlias = Callable[[], Sample]
"""A contender: takes one turn, limits its own time, and returns what it did."""


# --- Making contenders -----------------------------------------------------------------------------------------------


def calls(function: Callable[[], object], *, seconds: Seconds = 0.1) -> Sampler:
    """A contender that calls `function` again and again for about `seconds`; the work is the number of calls.

    Calls are timed in batches that grow until one takes a millisecond, so that reading the clock costs nothing.
    """

    def sample() -> Sample:
        done, batch, elapsed = 0, 1, 0.0
        while elapsed < seconds:
            begin = clock()
            for _ in range(batch):
                function()
            took = clock() - begin
            elapsed += took
            done += batch
            if took < 0.001:
                batch *= 2
        return Sample(done, elapsed)

    return sample


def calls_over(function: Callable[[T], object], arguments: Iterable[T], *, seconds: Seconds = 0.1) -> Sampler:
    """A contender that calls `function` with each of `arguments` in turn, in whole passes, for about `seconds`.

    The figure is the mean over the arguments, each weighing the same. Work is the number of calls.
    """
    items = _at_least_one(arguments)

    def one_pass() -> None:
        for item in items:
            function(item)

    passes = calls(one_pass, seconds=seconds)

    def sample() -> Sample:
        done, elapsed = passes()
        return Sample(done * len(items), elapsed)

    return sample


def median_call(
    function: Callable[[T], object],
    arguments: Iterable[T],
    *,
    seconds: Seconds = 0.1,
) -> Sampler:
    """A contender whose turn is the median over `arguments` of the time of one call (work 1, seconds the median).

    For "within so many times the usual": the few expensive arguments do not count as they do in `calls_over`. Every
    argument is timed alone (meant for calls of ten microseconds or more), as often as `seconds` allow, at least once.
    """
    items = _at_least_one(arguments)

    def sample() -> Sample:
        times: list[list[Seconds]] = [[] for _ in items]
        end = clock() + seconds
        while True:
            for item, mine in zip(items, times, strict=True):
                begin = clock()
                function(item)
                mine.append(clock() - begin)
            if clock() >= end:
                return Sample(1, statistics.median(statistics.median(mine) for mine in times))

    return sample


def _at_least_one(arguments: Iterable[T]) -> Sequence[T]:
    items = tuple(arguments)
    if not items:
        raise ValueError("nothing to measure: no arguments")
    return items


# --- Running them ----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def one_core() -> Iterator[int | None]:
    """Keeps this thread on one core while the block runs; yields its number, or None if unsupported.

    Processes and threads started inside the block inherit the restriction; those started before are not touched, so a
    server that should have its own cores is started first.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    allowed = os.sched_getaffinity(0)
    core = max(allowed)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, allowed)


@dataclass(frozen=True, slots=True)
class Summary:
    """Median, minimum and maximum of one figure over the rounds."""

    median: float
    minimum: float
    maximum: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Summary:
        """Summarise `values`; there must be at least one."""
        values = list(values)
        return cls(statistics.median(values), min(values), max(values))

    @property
    def spread(self) -> float:
        """(maximum - minimum) / median, as a fraction: how far the rounds disagree."""
        return (self.maximum - self.minimum) / self.median if self.median else 0.0

    def as_json(self) -> dict[str, float]:
        """The three figures and their spread."""
        return {"median": self.median, "minimum": self.minimum, "maximum": self.maximum, "spread": self.spread}


class Figure(enum.Enum):
    """The figure reported for a contender."""

    RATE = "rate"
    """Work per second. More is better; per J it is the work done in one J."""

    COST = "cost"
    """Seconds per unit of work. Less is better; in J it is how many J one unit of work takes."""

    def of(self, sample: Sample) -> float:
        """This figure for one sample: work per second or seconds per unit of work."""
        return sample.work / sample.seconds if self is Figure.RATE else sample.seconds / sample.work

    def in_units(self, value: float, unit: Seconds) -> float:
        """`value` with J instead of the second as its unit of time; `unit` is J in seconds."""
        return value * unit if self is Figure.RATE else value / unit


@dataclass(frozen=True, slots=True)
class Run:
    """The samples of one interleaved run: per contender one for each round, and J, in seconds, for each round."""

    samples: Mapping[str, Sequence[Sample]]
    units: Sequence[Seconds]
    core: int | None
    own_cpu: float
    """CPU time of this process as a fraction of the elapsed time. In process it should be close to 1; less means that
    others used the core. Where the work is done by another process it says nothing."""

    def figures(self, name: str, figure: Figure) -> Summary:
        """Work per second or seconds per unit of work of `name`."""
        return Summary.of(figure.of(sample) for sample in self.samples[name])

    def in_units(self, name: str, figure: Figure) -> Summary:
        """The same with J instead of the second, each round by the J of that round."""
        return Summary.of(
            figure.in_units(figure.of(sample), unit)
            for sample, unit in zip(self.samples[name], self.units, strict=True)
        )

    def ratios(self, name: str, reference: str, figure: Figure) -> Summary:
        """The figure of `name` divided by that of `reference`, formed round by round; `reference` may be J."""
        if reference == J:
            return self.in_units(name, figure)
        pairs = zip(self.samples[name], self.samples[reference], strict=True)
        return Summary.of(figure.of(mine) / figure.of(theirs) for mine, theirs in pairs)


def interleave(contenders: Mapping[str, Sampler], *, rounds: int = 9, warm_up: int = 1) -> Run:
    """Give every contender one turn per round, in the order given, for `rounds` rounds after `warm_up` unrecorded ones.

    The run stays on one core. J is measured first in every round. Garbage is collected before each turn, outside its
    time, and what exists after the warm-up is set aside, so that no contender pays for what another left behind.
    """
    if not contenders:
        raise ValueError("nothing to measure: no contenders")
    if J in contenders:
        raise ValueError(f"{J} is measured in every run and cannot be the name of a contender")
    if rounds < 1 or warm_up < 0:
        raise ValueError("at least one round, and no fewer than 0 to warm up")
    samples: dict[str, list[Sample]] = {name: [] for name in contenders}
    units: list[Seconds] = []
    with one_core() as core:
        for _ in range(warm_up):
            measure_reference_unit(batches=3)
            for sampler in contenders.values():
                sampler()
        gc.collect()
        gc.freeze()
        try:
            begin, cpu_begin = time.perf_counter(), time.process_time()
            for _ in range(rounds):
                gc.collect()
                units.append(measure_reference_unit())
                for name, sampler in contenders.items():
                    gc.collect()
                    samples[name].append(_checked(name, sampler()))
            elapsed, cpu = time.perf_counter() - begin, time.process_time() - cpu_begin
        finally:
            gc.unfreeze()
    return Run(samples, units, core, cpu / elapsed)


def _checked(name: str, sample: Sample) -> Sample:
    if sample.work <= 0 or sample.seconds <= 0:
        raise ValueError(f"{name} did {sample.work} units of work in {sample.seconds} s: nothing to divide")
    return sample


# --- Reporting -------------------------------------------------------------------------------------------------------


class Missing(NamedTuple):
    """Something that would have been measured had it been there."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Goal:
    """What `name` is to reach, in multiples of the reference `of`: at least `factor` for a rate, at most for a cost."""

    name: str
    factor: float
    of: str = J

    def as_text(self, figure: Figure) -> str:
        """The goal in words."""
        limit = "at least" if figure is Figure.RATE else "at most"
        return f"{self.name}: {limit} {self.factor:g} {'' if self.of == J else '× '}{self.of}"


@dataclass(frozen=True, slots=True)
class Report:
    """One table about a run: a figure of contenders (all, unless `names` chooses) against references.

    References and goals that name something the run does not have are left out; say why in `missing`.
    """

    run: Run
    title: str
    figure: Figure
    work: str
    """The unit of work, in the singular: "decision", "move", "request"."""
    references: Sequence[str] = ()
    goals: Sequence[Goal] = ()
    names: Sequence[str] | None = None
    missing: Sequence[Missing] = ()
    own: Mapping[str, str] = field(default_factory=dict)
    """For a contender what it alone is compared with: another of the run, shown in a column of its own."""

    @property
    def shown(self) -> list[str]:
        """The contenders of this table, in the order of the run."""
        return [name for name in self.run.samples if self.names is None or name in self.names]

    @property
    def compared_with(self) -> list[str]:
        """The references there are, J first."""
        return [J, *(name for name in self.references if name in self.run.samples)]

    @property
    def reachable(self) -> list[Goal]:
        """The goals that have both sides measured."""
        return [goal for goal in self.goals if goal.name in self.run.samples and goal.of in {J, *self.run.samples}]

    def reached(self, goal: Goal) -> bool:
        """Whether the median of the ratios meets `goal`."""
        median = self.run.ratios(goal.name, goal.of, self.figure).median
        return median >= goal.factor if self.figure is Figure.RATE else median <= goal.factor

    def as_json(self) -> dict[str, Any]:
        """Everything the text shows and the samples behind it; times in seconds, rates per second."""
        run, figure = self.run, self.figure
        return {
            "title": self.title,
            "figure": figure.value,
            "unit": f"{self.work}s per second" if figure is Figure.RATE else f"seconds per {self.work}",
            "better": "more" if figure is Figure.RATE else "less",
            "rounds": len(run.units),
            "reference_unit_seconds": Summary.of(run.units).as_json(),
            "contenders": [
                {
                    "name": name,
                    "ratios": {
                        other: run.ratios(name, other, figure).as_json()
                        for other in dict.fromkeys((*self.compared_with, self.own.get(name, J)))
                    },
                    **run.figures(name, figure).as_json(),
                    "samples": [sample._asdict() for sample in run.samples[name]],
                }
                for name in self.shown
            ],
            "goals": [
                {
                    "name": goal.name,
                    "factor": goal.factor,
                    "of": goal.of,
                    "reached": self.reached(goal),
                    "ratio": run.ratios(goal.name, goal.of, figure).as_json(),
                }
                for goal in self.reachable
            ],
            "missing": [entry._asdict() for entry in self.missing],
            "conditions": conditions(run),
        }

    def text(self) -> str:
        """The table for a terminal: ratios, then medians, then how far the rounds disagree."""
        run, figure = self.run, self.figure
        rate = figure is Figure.RATE
        others = self.compared_with[1:]
        header = ["", *(["÷ its own"] if self.own else []), *(f"÷ {name}" for name in others)]
        header += ["per J" if rate else "in J"]
        header += [f"{self.work}s/s" if rate else f"time per {self.work}", "min … max", "spread"]
        rows = [header]
        for name in self.shown:
            summary = run.figures(name, figure)
            low, high = _quantity(summary.minimum, figure), _quantity(summary.maximum, figure)
            row = [name]
            if self.own:
                row.append(_ratio(run.ratios(name, self.own[name], figure)) if name in self.own else "")
            row += [_ratio(run.ratios(name, other, figure)) for other in others]
            row += [_ratio(run.in_units(name, figure)), _quantity(summary.median, figure)]
            rows.append([*row, f"{low} … {high}", f"{summary.spread:.0%}"])
        unit = Summary.of(run.units)
        where = conditions(run)
        lines = [
            f"{self.title}: {self.work}s per second, more is better"
            if rate
            else f"{self.title}: time per {self.work}, less is better",
            f"J = {_time(unit.median)} ({_time(unit.minimum)} … {_time(unit.maximum)}); {len(run.units)} rounds, "
            f"interleaved; {where['python']}, {where['machine']}, "
            + ("any core" if run.core is None else f"core {run.core} of {where['cores']}")
            + f"; own CPU {run.own_cpu:.0%} of the time",
            "",
            *_aligned(rows),
        ]
        if self.reachable:
            lines.append("")
        for goal in self.reachable:
            verdict = "reached" if self.reached(goal) else "NOT reached"
            measured = _ratio(run.ratios(goal.name, goal.of, figure))
            lines.append(f"goal  {goal.as_text(figure)}: {measured}, {verdict}")
        if self.missing:
            lines.append("")
        lines.extend(f"missing  {entry.name}: {entry.reason}" for entry in self.missing)
        return "\n".join(lines)


def interpreter() -> str:
    """The interpreter, its compiler, and how it was built, which makes a difference of up to 1.3 ×."""
    arguments = str(sysconfig.get_config_var("CONFIG_ARGS"))
    if "--enable-optimizations" in arguments:
        build = "optimised by profile (PGO)" + (" and LTO" if "--with-lto" in arguments else "")
    else:
        # Debian optimises by profile, but without that option
        build = "of the distribution" if sys.base_prefix == "/usr" else "plain build, no PGO"
    # of several options the last one counts
    level = next(
        (flag for flag in reversed(str(sysconfig.get_config_var("PY_CFLAGS")).split()) if flag[:2] == "-O"), ""
    )
    compiler = f"{platform.python_compiler()} {level}".rstrip()
    return f"{platform.python_implementation()} {platform.python_version()}, {build}, {compiler}"


def conditions(run: Run) -> dict[str, Any]:
    """Under what circumstances a run was made: interpreter, machine, cores, share of the CPU that this process got."""
    return {
        "python": interpreter(),
        "machine": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "core": run.core,
        "own_cpu": run.own_cpu,
    }


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first column to the left, the others to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _ratio(summary: Summary) -> str:
    return f"{_digits(summary.median)} ({_digits(summary.minimum)} … {_digits(summary.maximum)})"


def _quantity(value: float, figure: Figure) -> str:
    return _digits(value) if figure is Figure.RATE else _time(value)


def _time(seconds: Seconds) -> str:
    for factor, name in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return f"{_digits(seconds * factor)} {name}"
    return f"{_digits(seconds * 1e9)} ns"


def _digits(value: float) -> str:
    """Three significant digits, never in exponential form: 0.00123, 1.23, 12.3, 123, 12,300."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.{max(0, 2 - math.floor(math.log10(abs(rounded))))}f}"


# --- The command line of a bench -------------------------------------------------------------------------------------


def argument_parser(description: str | None, *, rounds: int = 9, seconds: Seconds = 0.3) -> argparse.ArgumentParser:
    """A parser with the options of every bench: --rounds, --seconds (of one turn), --json."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=rounds, help="rounds to record (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=seconds, help="length of one turn (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON, with every sample, instead of tables")
    return parser


def publish(reports: Sequence[Report], *, as_json: bool) -> None:
    """Print `reports` on standard output: as tables, or as one JSON array."""
    if as_json:
        print(json.dumps([report.as_json() for report in reports], indent=2, ensure_ascii=False))
    else:
        print("\n\n".join(report.text() for report in reports))
