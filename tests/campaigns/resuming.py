"""Campaigns in blocks: each result is a line of a file, so that a campaign that was stopped goes on where it was."""

import json
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.support.lines import lines_of

Block = dict[str, Any]
"""The result of a block."""


def finished_blocks(progress: Path) -> list[Block]:
    """The results in a file; an incomplete line is none."""
    finished = []
    for line in lines_of(progress.read_text("utf-8")) if progress.exists() else ():
        try:
            finished.append(json.loads(line))
        except ValueError:
            continue
    return finished


def run_blocks(
    block: Callable[..., Block],
    tasks: Iterable[tuple[Any, ...]],
    processes: int,
    progress: Path,
    shown: Callable[[list[Block]], str],
) -> list[Block]:
    """Runs `block` with the arguments of each of the tasks, and adds its results to the file.

    Shows in one line how far it has come, as `shown` says of the results so far.
    """
    fresh: list[Block] = []
    progress.parent.mkdir(parents=True, exist_ok=True)
    with (
        ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool,
        progress.open("a", encoding="utf-8") as file,
    ):
        running = [pool.submit(block, *task) for task in tasks]
        try:
            for count, future in enumerate(as_completed(running), 1):
                fresh.append(future.result())
                file.write(json.dumps(fresh[-1]) + "\n")
                file.flush()
                print(f"\r{count} of {len(running)} blocks, {shown(fresh)}", end="", file=sys.stderr)
        finally:
            pool.shutdown(cancel_futures=True)
    print(file=sys.stderr)
    return fresh
