"""Sealed tables at length: python -m tests.campaigns.tables --games 500 --forgeries 1000000

Games: as many players as can, each with nothing but their secret and the tables that are passed round, through two
services whose keys are rotated meanwhile. Whatever anybody held is searched for the secrets of others; a hand of each
game is guessed, and the right guess may not be answered with less work than it is elsewhere (`tests/tables/sooner.py`);
every draw is made again by `examples/verify_draws.py`. With `--served` the services are processes of their own, several
for each, and a part of the requests is sent to two of them, which have to answer alike.
Forgeries: tables that are altered, cut, mixed, transplanted; none may open, each is refused in the same words.

What a game does follows from its number. With `--kept FILE` each game that was played to its end stands in the file, a
line each: a campaign that was broken off goes on where it was, and pieces of it (`--game`, `--first`) add up.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from random import Random
from time import monotonic, process_time

from msgspec import Struct
from msgspec.json import Decoder

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
from tests.tables.sooner import Post, moving, posted_to_the_application, sooner
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

    def either(step: int) -> Ask:
        return random.choice(rotation[min(step // pace, len(rotation) - 1)])

    return play(game, either, f"campaign {number}", players, draws)


class Examined(Struct, frozen=True):
    """A game that was played to its end, and what was found in it."""

    game: str
    number: int
    tables: int
    held: int
    """Bytes that the players held."""
    guessed: bool
    """Whether there was a hand to guess."""
    faults: list[str]
    lengths: list[tuple[int, int, list[int]]]
    """How long what is sealed was, by the number of players and of unknown cards."""


def examined(game: AnyGame, number: int, services: Services) -> Examined:
    """Plays a game and looks for everything that nobody may find."""
    done = one_game(game, number, services)
    found = [*leaks(done, ALL), *unfair(done)]
    guesses = answered_sooner(game, done, number)
    return Examined(
        game.id,
        number,
        len(done.tables),
        sum(len(content) for player in done.players for _, content in player.held),
        guesses is not None,
        [*found, *(guesses or ())],
        [(players, unknown, sorted(found)) for (_, players, unknown), found in lengths(game, done).items()],
    )


@cache
def application_of(game: AnyGame) -> Post:
    return posted_to_the_application(game)


def answered_sooner(game: AnyGame, done: Played, number: int) -> list[str] | None:
    """What tells a hand of this game by how much work an answer takes; None if no hand can be another."""
    random = Random(f"guess {game.id} {number}")
    tables = moving(done)
    for table in random.sample(tables, min(GUESSES, len(tables))):
        found = sooner(application_of(game), game, done, table, random)
        if found is not None:
            return found
    return None


GUESSES = 20
"""So many tables of a game are tried until one has a hand that can be another."""


def play_games(games: Sequence[AnyGame], numbers: range, seconds: float, services: Services, kept: Path | None) -> int:
    """Plays what is not kept yet; how many faults were found, in what is kept too."""
    faults = 0
    before = Decoder(Examined).decode_lines(kept.read_bytes()) if kept and kept.exists() else []
    for game in games:
        began = process_time(), monotonic()
        results = {one.number: one for one in before if one.game == game.id}
        for number in numbers:
            if monotonic() - began[1] > seconds:
                break
            if number not in results:
                results[number] = one = examined(game, number, services)
                if kept:
                    with kept.open("ab") as file:
                        file.write(json_text.encode(one) + b"\n")
        taken = f"{process_time() - began[0]:.0f} s of CPU here, {monotonic() - began[1]:.0f} s"
        faults += report(game, list(results.values()), taken)
    return faults


def report(game: AnyGame, results: Sequence[Examined], taken: str) -> int:
    """Prints what came out; how many faults there are."""
    seen = Counter(fault for one in results for fault in one.faults)
    known: dict[tuple[int, int], set[int]] = {}
    for one in results:
        for players, unknown, sizes in one.lengths:
            known.setdefault((players, unknown), set()).update(sizes)
    odd = [key for key, sizes in known.items() if len(sizes) != 1]
    tables, held = sum(one.tables for one in results), sum(one.held for one in results)
    guessed = sum(one.guessed for one in results)
    summary = (
        f"{len(results)} games, {tables} tables, {held // 1024} KiB held by players, {guessed} hands guessed; {taken}"
    )
    print(f"{game.id}: {summary}; faults: {dict(seen) or 'none'}; lengths that tell: {odd or 'none'}", flush=True)
    return seen.total() + len(odd)


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
    made = f"{tried.total()} forgeries {dict(tried)}, not counting {unaltered} tables that a change left as they were"
    print(f"{made}; {process_time() - began:.0f} s of CPU; faults: {faults or 'none'}", flush=True)
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description="Sealed tables at length.")
    parser.add_argument("--game", action="append", choices=list(all_games()), help="the games; without it all")
    parser.add_argument("--games", type=int, default=500, help="so many of each game")
    parser.add_argument("--forgeries", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=3600, help="no more for each game")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game, to play others than before")
    parser.add_argument("--served", action="store_true", help="ask services in processes of their own")
    parser.add_argument("--kept", type=Path, help="the file of the games that were played, which are not played again")
    given = parser.parse_args()
    with ExitStack() as stack:
        services = in_processes(stack) if given.served else in_process
        games = [all_games()[id] for id in given.game or all_games()]
        numbers = range(given.first, given.first + given.games)
        faults = play_games(games, numbers, given.seconds, services, given.kept)
    return faults + (forge(given.forgeries) if given.forgeries else 0)


if __name__ == "__main__":
    sys.exit(bool(main()))
