"""Sealed tables at length: python -m tests.campaigns.tables --games 500 --forgeries 1000000

Games: as many players as can, each with nothing but their secret and the tables that are passed round, through two
services whose keys are rotated meanwhile. Whatever anybody held is searched for the secrets of others; every draw is
made again by `examples/verify_draws.py`. With `--served` the services are processes of their own, several for each, and
a part of the requests is sent to two of them, which have to answer alike.
Forgeries: tables that are altered, cut, mixed, transplanted; none may open, each is refused in the same words.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from random import Random
from time import monotonic, process_time

from capomastro.adjudicator import sound_states
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.tables.documents import foreign_table, opened_table
from capomastro.tables.keys import KeyRing
from tests.support.serving import served
from tests.tables.altering import WAYS, Genuine, genuine
from tests.tables.players import MASTERS, Ask, OverSockets, Played, by_hand, play
from tests.tables.secrecy import leaks, lengths
from tests.tables.verifying import unfair

RINGS = (MASTERS[:1], MASTERS[:2], (MASTERS[1], MASTERS[0]), MASTERS[1:2])
"""The keys of a service while they are rotated; the last when all games with the first are over."""
ALL = KeyRing(MASTERS)


Services = Callable[[AnyGame], list[Ask]]
"""For a game, the service with each of the `RINGS`."""


def in_process(game: AnyGame) -> list[Ask]:
    return [by_hand(game, KeyRing(ring)) for ring in RINGS]


def in_processes(stack: ExitStack) -> Services:
    """Services with two processes each."""
    instances = []
    for ring in RINGS:
        service = served(CAPOMASTRO_SEALING_KEYS=" ".join(ring), CAPOMASTRO_WORKERS="2", CAPOMASTRO_LOG_LEVEL="ERROR")
        address, _ = stack.enter_context(service)
        instances.append(OverSockets(address, address))
    return lambda game: [one.of(game) for one in instances]


def stages(asks: list[Ask]) -> list[tuple[Ask, Ask]]:
    """Two services for each step of a rotation: the second one is a step behind."""
    return [(asks[0], asks[0]), (asks[1], asks[0]), (asks[1], asks[1]), (asks[2], asks[1]), (asks[2], asks[2])]


def one_game(game: AnyGame, number: int, services: Services) -> Played:
    """A game through both services, which are asked at random; keys are rotated every so many steps."""
    rotation = stages(services(game))
    random = Random(f"{game.id} {number}")
    pace = random.randrange(8, 60)
    players = game.players[-1] if number % 4 else random.choice(game.players)
    draws = "at-once" if number % 5 == 4 else "witnessed"

    def asked(step: int) -> Ask:
        return random.choice(rotation[min(step // pace, len(rotation) - 1)])

    return play(game, asked, f"campaign {number}", players, draws)


def play_games(first: int, count: int, seconds: float, services: Services) -> int:
    """Plays and searches; how many faults were found."""
    faults = 0
    for game in all_games().values():
        began, seen, tables, held, done_games = monotonic(), Counter[str](), 0, 0, 0
        known: dict[tuple[str, int, int], set[int]] = {}
        for number in range(first, first + count):
            if monotonic() - began > seconds:
                break
            sound_states.clear()
            done = one_game(game, number, services)
            done_games += 1
            tables += len(done.tables)
            held += sum(len(content) for player in done.players for _, content in player.held)
            found = [*leaks(done, ALL), *unfair(done)]
            for key, sizes in lengths(game, done).items():
                known.setdefault(key, set()).update(sizes)
            seen.update(found)
        odd = [key for key, sizes in known.items() if len(sizes) != 1]
        faults += sum(seen.values()) + len(odd)
        said = f"{done_games} games, {tables} tables, {held // 1024} KiB held by players, {monotonic() - began:.0f} s"
        print(f"{game.id}: {said}; faults: {dict(seen) or 'none'}; lengths that tell: {odd or 'none'}", flush=True)
    return faults


def pools() -> list[tuple[AnyGame, list[Genuine]]]:
    """The tables of two games of each title, and those of all titles together, which are sent to one of them."""
    found = []
    for game in all_games().values():
        ask = by_hand(game, KeyRing(MASTERS[:1]))
        games = [play(game, lambda _, ask=ask: ask, "forge", players) for players in (2, game.players[-1])]  # type: ignore[misc]
        found.append((game, genuine(table for done in games for table in done.tables)))
    return [*found, (found[0][0], [table for _, tables in found for table in tables])]


def forge(count: int) -> int:
    """Alters tables; how many were taken, or refused in other words than all others."""
    expected = foreign_table().document()
    faults, tried, unaltered = 0, Counter[str](), 0
    began = process_time()
    chosen = pools()
    sealed = {json_text.canonical(one.table) for one in chosen[-1][1]}
    random, ring = Random("forgeries"), KeyRing(MASTERS[:2])
    while tried.total() < count:
        game, tables = random.choice(chosen)
        way = random.choice(WAYS)
        table = way(random, tables)
        try:
            opened_table(game, ring, table)
            answer = None
        except Problem as problem:
            answer = problem.document()
        if answer != expected and json_text.canonical(table) in sealed:
            unaltered += 1
            continue
        tried[way.__name__] += 1
        if answer != expected:
            faults += 1
            print("taken:" if answer is None else "refused otherwise:", way.__name__, table, flush=True)
    made = f"{tried.total()} forgeries {dict(tried)}, besides {unaltered} tables that a change left as they were"
    print(f"{made}; {process_time() - began:.0f} s of CPU; faults: {faults or 'none'}", flush=True)
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description="Sealed tables at length.")
    parser.add_argument("--games", type=int, default=500, help="so many of each game")
    parser.add_argument("--forgeries", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=3600, help="no more for each game")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game, to play others than before")
    parser.add_argument("--served", action="store_true", help="ask services in processes of their own")
    given = parser.parse_args()
    with ExitStack() as stack:
        services = in_processes(stack) if given.served else in_process
        faults = play_games(given.first, given.games, given.seconds, services)
    return faults + forge(given.forgeries)


if __name__ == "__main__":
    sys.exit(bool(main()))
