"""Sends the service a great many requests and checks every answer against the specification: make campaign NAME=fuzz.

Requests are made in blocks of a thousand. What a block asks follows from its number alone, so a campaign can be broken
off at any time and goes on where it was: finished blocks stand in a file, a line each. At the end what was found is
made as small as it will get and kept in `found/`, where the tests ask it again.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from flask import Flask

from capomastro.api.application import create_app
from capomastro.documents.files import openapi_json
from capomastro.settings import Settings
from tests.campaigns.asking import Request, question_of
from tests.campaigns.contract import Contract
from tests.campaigns.corpus import SEALING_KEY, fresh
from tests.campaigns.examining import examined
from tests.campaigns.kept import FOUND, keep
from tests.campaigns.making import a_request, learn
from tests.campaigns.resuming import Block, finished_blocks, run_blocks
from tests.campaigns.shrinking import shrunk

BLOCK = 1_000
SLOW = 2.0
"""Seconds of CPU; an answer that takes longer is a finding."""
THOROUGH = 0.1
"""The share of requests that are checked thoroughly."""
MAXIMUM_SHRUNK = 20


@cache
def service() -> tuple[Flask, Contract]:
    """The application and its contract, created once in each process."""
    return create_app(Settings(log_level="CRITICAL", sealing_keys=SEALING_KEY)), Contract(openapi_json())


def block(seed: str, number: int, requests: int = BLOCK) -> dict[str, Any]:
    """Sends one block of requests; counts the answers by status, and lists the findings."""
    app, contract = service()
    random = Random(f"{seed} {number}")
    corpora = fresh(random)
    answered: Counter[str] = Counter()
    findings = []
    cpu = slowest = 0.0
    for _ in range(requests):
        request = a_request(random, corpora)
        thoroughly = random.random() < THOROUGH
        answer, found = examined(app, contract, request, thoroughly=thoroughly, slow=SLOW)
        findings += [{**one._asdict(), "request": request.document()} for one in found]
        if answer is not None:
            answered[f"{question_of(request)[:20]} {answer.status}"] += 1
            cpu += answer.cpu
            slowest = max(slowest, answer.cpu)
            if not found:
                learn(random, corpora, request, answer)
    return {
        "block": number,
        "requests": requests,
        "cpu": cpu,
        "slowest": slowest,
        "answered": answered,
        "findings": findings,
    }


def unasked(finished: list[dict[str, Any]], requests: int) -> list[int]:
    """The blocks still needed for this many requests."""
    done = {one["block"] for one in finished}
    return [number for number in range(-(-requests // BLOCK)) if number not in done]


def campaign(seed: str, requests: int, processes: int, progress: Path) -> list[Block]:
    """Sends requests up to this total, counting those of earlier runs."""
    finished = finished_blocks(progress)
    began = monotonic()

    def shown(fresh: list[Block]) -> str:
        rate = len(fresh) * BLOCK / (monotonic() - began)
        found = sum(len(one["findings"]) for one in (*finished, *fresh))
        return f"{(len(finished) + len(fresh)) * BLOCK:,} requests, {found} findings, {rate:.0f}/s"

    tasks = [(seed, number) for number in unasked(finished, requests)]
    return [*finished, *run_blocks(block, tasks, processes, progress, shown)]


def by_signature(finished: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The findings by signature, the shortest request first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in finished:
        for finding in one["findings"]:
            found.setdefault(finding["signature"], []).append(finding)
    return {
        signature: sorted(findings, key=lambda finding: len(json.dumps(finding["request"])))
        for signature, findings in sorted(found.items())
    }


def kept_small(found: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Shrinks and keeps the shortest request of each kind of finding; yields a line to print for each."""
    app, contract = service()
    for signature, findings in list(found.items())[:MAXIMUM_SHRUNK]:
        request = Request.of(findings[0]["request"])

        def shows(candidate: Request, signature: str = signature) -> bool:
            _, now = examined(app, contract, candidate, thoroughly=True, slow=SLOW)
            return signature in [one.signature for one in now]

        if not shows(request):
            yield f"{len(findings):6} × {signature}: not seen again when asked by itself"
            continue
        file = keep(FOUND, signature, shrunk(request, shows), detail=findings[0]["detail"])
        yield f"{len(findings):6} × {signature}: {file.name}"


def summary(finished: list[dict[str, Any]]) -> Iterator[str]:
    answered: Counter[str] = Counter()
    for one in finished:
        answered.update(one["answered"])
    requests = sum(one["requests"] for one in finished)
    cpu = sum(one["cpu"] for one in finished)
    slowest = max(one["slowest"] for one in finished)
    yield f"{requests:,} requests, {1000 * cpu / requests:.2f} ms CPU each, the slowest {slowest:.2f} s"
    statuses: Counter[str] = Counter()
    for name, count in answered.items():
        statuses[name.rpartition(" ")[2]] += count
    yield ", ".join(f"{status}: {count:,}" for status, count in sorted(statuses.items()))


def reported(finished: list[Block], summary: Iterable[str]) -> int:
    """Prints a summary and the kinds of findings, which are kept; the exit code: 1 if there are any."""
    print("\n".join(summary))
    found = by_signature(finished)
    for line in kept_small(found):
        print(line)
    print(f"{len(found)} kinds of findings")
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--seed", default="1", help="another seed asks other requests")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--progress", type=Path, help="the file of finished blocks (.fuzz/<seed>.ndjson)")
    given = parser.parse_args()
    progress = given.progress or Path(".fuzz") / f"{given.seed}.ndjson"
    finished = campaign(given.seed, given.requests, given.processes, progress)
    return reported(finished, summary(finished))


if __name__ == "__main__":
    sys.exit(main())
