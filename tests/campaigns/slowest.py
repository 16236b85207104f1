"""Looks for the requests that take the most CPU, at all and for each byte: make campaign NAME=slowest.

It begins with the costliest anybody has thought of (`worst`) and with what random games give, keeps those that cost
most of each resource, and changes them for as long as it may: documents and texts as `fuzz` changes them, and lists
made longer. What costs more takes the place of what costs less. The costliest small ones are kept in `slow/`; the tests
ask them, and the largest of `worst`, under the deadline.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from random import Random
from time import monotonic
from typing import NamedTuple

from capomastro.api.application import create_app
from capomastro.settings import Settings
from tests.campaigns.asking import Request, answer_to
from tests.campaigns.corpus import corpora, fresh
from tests.campaigns.kept import SLOW, keep
from tests.campaigns.making import a_request
from tests.campaigns.mutating import a_place, encoded, spoilt, spoilt_text, value_at
from tests.campaigns.worst import worst
from tests.support.damage import replaced

KEPT = 6
"""Number of requests per resource and measure that are changed further."""
BASE_BYTES = 2_000
"""Added to the bytes of a request: else the shortest would always cost most for each."""
MAXIMUM_BYTES = Settings.maximum_record_bytes
SMALL = 20_000
"""Maximum size in bytes of a request kept in the repository."""
SHOWN = 15


class Cost(NamedTuple):
    """A request with its cost."""

    seconds: float
    status: int
    name: str
    request: Request

    @property
    def microseconds_a_byte(self) -> float:
        return 1e6 * self.seconds / (len(self.request.body) + BASE_BYTES)


def resource_of(request: Request) -> str:
    parts = request.path.split("/")
    return "/".join(parts[3:5])


def changed(random: Random, request: Request) -> Request:
    """A similar request: with a changed document, a longer list in it, or a changed text."""
    game = request.path.split("/")[3:4]
    way = random.random()
    if way < 0.8 and game and game[0] in corpora():
        try:
            body = json.loads(request.body)
        except (ValueError, RecursionError):
            return request._replace(body=spoilt_text(random, request.body))
        if way < 0.4:
            return request._replace(body=encoded(longer(random, body)))
        return request._replace(body=encoded(spoilt(random, body, corpora()[game[0]], gently=way < 0.7)))
    return request._replace(body=spoilt_text(random, request.body))


def longer(random: Random, document: object) -> object:
    """A document with a list in it repeated, if a place with one is met."""
    for _ in range(10):
        path, _ = a_place(random, document)
        value = value_at(document, path)
        if isinstance(value, list) and value:
            return replaced(document, path, value * random.choice((2, 10, 100)))
    return document


class Search:
    """The costliest requests so far, by resource."""

    def __init__(self) -> None:
        self.app = create_app(Settings(log_level="CRITICAL"))
        self.found: dict[str, list[Cost]] = {}
        self.asked = 0

    def ask(self, name: str, request: Request) -> None:
        if len(request.body) > MAXIMUM_BYTES:
            return
        answer = answer_to(self.app, request)
        self.asked += 1
        cost = Cost(answer.cpu, answer.status, name, request)
        known = [*self.found.get(resource_of(request), ()), cost]
        by_time = sorted(known, key=lambda one: -one.seconds)[:KEPT]
        by_bytes = sorted(known, key=lambda one: -one.microseconds_a_byte)[:KEPT]
        self.found[resource_of(request)] = list({id(one): one for one in (*by_time, *by_bytes)}.values())

    def all(self) -> Iterator[Cost]:
        for costs in self.found.values():
            yield from costs

    def go_on(self, random: Random, seconds: float) -> None:
        until = monotonic() + seconds
        while monotonic() < until:
            cost = random.choice(self.found[random.choice(list(self.found))])
            # the largest would leave no time for others
            if cost.seconds < 1 or random.random() < 0.05:
                self.ask(cost.name.removesuffix(", changed") + ", changed", changed(random, cost.request))


def table(costs: list[Cost]) -> Iterator[str]:
    yield f"{'s CPU':>8} {'µs/byte':>8} {'bytes':>9} status"
    for cost in costs[:SHOWN]:
        size = len(cost.request.body)
        where = f"{resource_of(cost.request)}: {cost.name}"
        yield f"{cost.seconds:8.3f} {cost.microseconds_a_byte:8.2f} {size:9,} {cost.status:6} {where}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="how long requests are changed")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", type=int, default=0, help="so many of the costliest small ones are kept in slow/")
    given = parser.parse_args()
    random = Random(given.seed)
    search = Search()
    material = fresh(random)
    for _ in range(500):
        search.ask("made at random", a_request(random, material))
    for name, make in worst():
        search.ask(name, make())
    search.go_on(random, given.seconds)
    by_time = sorted(search.all(), key=lambda one: -one.seconds)
    by_bytes = sorted(search.all(), key=lambda one: -one.microseconds_a_byte)
    print(f"{search.asked:,} requests\n\nthe longest")
    print("\n".join(table(by_time)))
    print("\nthe longest for their bytes")
    print("\n".join(table(by_bytes)))
    small = [one for one in by_bytes if len(one.request.body) <= SMALL]
    for cost in small[: given.keep]:
        keep(SLOW, f"{resource_of(cost.request)} {cost.name}", cost.request, seconds=round(cost.seconds, 3))
    return int(any(one.seconds >= Settings.deadline for one in by_time))


if __name__ == "__main__":
    sys.exit(main())
