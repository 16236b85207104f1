"""Sealed tables at length: python -m tests.campaigns.tables --games 500 --forgeries 1000000

Games: as many players as can, each with nothing but their secret and the tables that are passed round, through two
services whose keys are rotated meanwhile. Whatever anybody held is searched for the secrets of others; every draw is
made again by `examples/verify_draws.py`. Forgeries: tables that are altered, cut, mixed, transplanted; none may open.
"""

import argparse
import sys
from collections import Counter
from random import Random
from time import monotonic

from flask import Flask

from capomastro.adjudicator import sound_states
from capomastro.api.application import create_app
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.settings import Settings
from capomastro.tables.documents import foreign_table, opened_table
from capomastro.tables.keys import KeyRing
from tests.tables.altering import WAYS
from tests.tables.players import MASTERS, Ask, Played, by_hand, over_http, play
from tests.tables.secrecy import leaks, lengths
from tests.tables.verifying import unfair

RINGS = (MASTERS[:1], MASTERS[:2], (MASTERS[1], MASTERS[0]), MASTERS[1:2])
"""The keys of a service while they are rotated; the last when all games with the first are over."""
ALL = KeyRing(MASTERS)


def services(game: AnyGame, http: dict[int, Flask]) -> list[tuple[Ask, Ask]]:
    """Two services for each step of a rotation: the second one is a step behind."""
    asks = [
        over_http(game, http[index].test_client()) if http else by_hand(game, KeyRing(ring))
        for index, ring in enumerate(RINGS)
    ]
    return [(asks[0], asks[0]), (asks[1], asks[0]), (asks[1], asks[1]), (asks[2], asks[1]), (asks[2], asks[2])]


def one_game(game: AnyGame, number: int, http: dict[int, Flask]) -> Played:
    """A game through both services, which are asked at random; keys are rotated every so many steps."""
    stages = services(game, http)
    random = Random(f"{game.id} {number}")
    pace = random.randrange(8, 60)
    players = game.players[-1] if number % 4 else random.choice(game.players)
    draws = "at-once" if number % 5 == 4 else "witnessed"

    def asked(step: int) -> Ask:
        return random.choice(stages[min(step // pace, len(stages) - 1)])

    return play(game, asked, f"campaign {number}", players, draws)


def play_games(count: int, seconds: float, http: dict[int, Flask]) -> int:
    """Plays and searches; how many faults were found."""
    faults = 0
    for game in all_games().values():
        began, seen, tables, held, done_games = monotonic(), Counter[str](), 0, 0, 0
        known: dict[tuple[str, int, int], set[int]] = {}
        for number in range(count):
            if monotonic() - began > seconds:
                break
            sound_states.clear()
            done = one_game(game, number, http)
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


def forge(count: int) -> int:
    """Alters tables; how many were taken, or refused in other words than all others."""
    expected = foreign_table().document()
    faults, tried = 0, Counter[str]()
    began = monotonic()
    pools = []
    for game in all_games().values():
        ask = by_hand(game, KeyRing(MASTERS[:1]))
        tables = []
        for players in (2, game.players[-1]):
            tables += play(game, lambda _, ask=ask: ask, "forge", players).tables  # type: ignore[misc]
        pools.append((game, tables, {json_text.canonical(table) for table in tables}))
    random, ring = Random("forgeries"), KeyRing(MASTERS[:2])
    while sum(tried.values()) < count:
        game, tables, genuine = pools[random.randrange(len(pools))]
        way = random.choice(WAYS)
        table = way(random, tables)
        if json_text.canonical(table) in genuine:
            continue
        tried[way.__name__] += 1
        try:
            opened_table(game, ring, table)
        except Problem as problem:
            faults += problem.document() != expected
        else:
            faults += 1
            print("taken:", way.__name__, table, flush=True)
    print(f"{sum(tried.values())} forgeries {dict(tried)} in {monotonic() - began:.0f} s; faults: {faults or 'none'}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description="Sealed tables at length.")
    parser.add_argument("--games", type=int, default=500, help="so many of each game")
    parser.add_argument("--forgeries", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=3600, help="no more for each game")
    parser.add_argument("--http", action="store_true", help="ask over HTTP, through the whole application")
    given = parser.parse_args()
    http: dict[int, Flask] = {}
    if given.http:
        for index, ring in enumerate(RINGS):
            http[index] = create_app(Settings(log_level="CRITICAL", sealing_keys=" ".join(ring)))
    return play_games(given.games, given.seconds, http) + forge(given.forgeries)


if __name__ == "__main__":
    sys.exit(bool(main()))
