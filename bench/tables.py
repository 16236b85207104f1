"""Sealed tables: what it costs to open one and seal it again, with all that is bound to it, and how large they are."""

from __future__ import annotations

from statistics import median
from typing import Any

from tests.tables.players import MASTERS, by_hand, play

from bench.interleave import Figure, Goal, Report, Sampler, interleave, median_call
from bench.reference_unit import Seconds
from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.tables import sealing
from capomastro.tables.documents import associated_data, closed_cards, opened_table, padded, sealed_table, unknown_cards
from capomastro.tables.keys import KeyRing

RING = KeyRing(MASTERS[:1])
WHOLE = ", to a state and back"
SEALED_GOAL, SEALED_MICROSECONDS, SIZE_GOAL = 1.5, 80, 1.3
"""In J, which is 51 µs where the goal of 80 µs was set; the same in CPU time; tables as a multiple of their parts."""


def tables_of(game: AnyGame) -> list[dict[str, Any]]:
    """Every table of a random game of as many as can play."""
    ask = by_hand(game, RING)
    return play(game, lambda _: ask, "bench", game.players[-1]).tables


def reseal(table: dict[str, Any]) -> str:
    """Opens a table and seals it again: the hash of all that is bound, deciphering, and both once more."""
    clear = {name: member for name, member in table.items() if name != "sealed"}
    plaintext = sealing.unsealed(RING, table["sealed"], associated_data(clear))
    return sealing.sealed(RING.sealing, plaintext, associated_data(clear))


def to_a_state_and_back(game: AnyGame, table: dict[str, Any]) -> object:
    """The same, with the full state made of the table, and a table of it."""
    return sealed_table(game, RING.sealing, opened_table(game, RING, table))


def times_parts(game: AnyGame, table: dict[str, Any]) -> float:
    """The bytes of a table, as a multiple of those of what it is made of, each by itself."""
    opened = opened_table(game, RING, table)
    hidden = padded(json_text.encode(closed_cards(opened.state)), unknown_cards(game.view(opened.state, None)))
    parts = [json_text.encode(table[name]) for name in ("creation", "record", "state")]
    return len(json_text.encode(table)) / (sum(map(len, parts)) + len(hidden))


def reports(rounds: int, seconds: Seconds) -> list[Report]:
    """Opening and sealing, median over all tables of a game; CPU time and sizes, which hardly vary, in its title."""
    contenders: dict[str, Sampler] = {}
    goals: list[Goal] = []
    sizes: list[str] = []
    costs: list[str] = []
    for game in all_games().values():
        tables = tables_of(game)
        contenders[game.id] = median_call(reseal, tables, seconds=seconds)
        contenders[game.id + WHOLE] = median_call(
            lambda table, game=game: to_a_state_and_back(game, table),  # type: ignore[misc]
            tables,
            seconds=seconds,
        )
        goals.append(Goal(game.id, SEALED_GOAL))
        ratios = [times_parts(game, table) for table in tables if table["record"]]
        size = len(json_text.encode(tables[-1]))
        cpu = 1e6 * median_call(reseal, tables, seconds=seconds)().seconds
        costs.append(f"{game.id} {cpu:.0f}")
        sizes.append(f"{game.id} {median(ratios):.2f}, at most {max(ratios):.2f}, {size} B at the end")
    title = (
        f"Sealed tables, opened and sealed (µs of CPU, goal {SEALED_MICROSECONDS}: {', '.join(costs)}; "
        f"times its parts, goal {SIZE_GOAL}: {'; '.join(sizes)})"
    )
    return [Report(interleave(contenders, rounds=rounds), title=title, figure=Figure.COST, work="table", goals=goals)]
