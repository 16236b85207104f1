"""`capomastro stats`: prints figures about recorded games, or writes them as CSV, JSON and Parquet."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from typing import Any, NamedTuple

import click

from capomastro.archive import Terms
from capomastro.batch import processes, sources
from capomastro.batch.sources import Meter
from capomastro.batch.statistics import (
    Collected,
    Comparison,
    Figures,
    Numbers,
    Opening,
    Phase,
    Question,
    Seat,
    collect,
    read_collected,
)
from capomastro.cli.endings import UNUSABLE
from capomastro.cli.shared import json_or_text, print_document, print_heading, print_json, print_lines
from capomastro.cores import cores
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.engine.moves import type_of
from capomastro.games import all_games
from capomastro.layout.formatting import naming, printable, separated, table
from capomastro.layout.spreadsheets import csv_row

MAXIMUM_OPENINGS_PRINTED = 10
"""Openings of each game that are printed on a terminal; the other forms have all."""
COMPARISON = re.compile(r"\s*(/\S*)\s*(<=|>=|!=|=|<|>)\s*(.*?)\s*")

Row = tuple[str, int, str, str, str, float | int]
"""Title, players, what is counted, of what, the measure, and its value."""


class Request(NamedTuple):
    """What to count, and how to tell it."""

    files: tuple[str, ...]
    terms: Terms
    question: Question
    by_line: bool
    jobs: int | None
    cluster: str | None
    as_csv: bool
    as_json: bool
    tables: str | None


def comparison_in(text: str) -> Comparison:
    """A condition such as `/seats/0/points >= 10`.

    Raises:
        click.BadParameter: if it is none.
    """
    found = COMPARISON.fullmatch(text)
    if found is None:
        raise click.BadParameter(phrase("no-comparison", text=printable(text)))
    value = json_or_text(found[3])
    if isinstance(value, list | dict):
        raise click.BadParameter(phrase("no-comparison", text=printable(text)))
    return Comparison(found[1], found[2], value)  # type: ignore[arg-type]


def tell_statistics(request: Request) -> int:
    """Counts, prints or writes what was found, and returns the exit code."""
    total = Collected()
    for found in collected(request):
        total.merge(found)
    if request.as_json:
        print_json(document(total))
    elif request.as_csv:
        print_document(csv_text(rows(total)))
    else:
        print_lines_of(total)
    for source, trouble in sorted(total.unreadable.items()):
        click.echo(f"{source}: {phrase('unreadable', reason=trouble)}", err=True)
    return UNUSABLE if total.unreadable else 0


def collected(request: Request) -> Iterator[Collected]:
    if request.cluster is not None:
        yield from collected_on_cluster(request)
        return
    meter = Meter()
    found = sources.sources_at(request.files, request.by_line, request.tables, meter)
    batches = processes.batches(sources.records_of(found, request.terms.maximum_bytes, meter), meter)
    count = partial(collect, question=request.question)
    with (
        tables_at(request.tables) as tables,
        closing(processes.judged(batches, request.terms, request.jobs, count)) as judged,
    ):
        for part in judged:
            for line in part.verdicts:
                of_record = read_collected(line)
                if tables is not None:
                    tables.add(of_record.rows)
                yield of_record


def tables_at(directory: str | None) -> AbstractContextManager[Any]:
    """The tables to write, if any.

    Raises:
        Problem: `unwritable` if the extra is not installed.
    """
    if directory is None:
        return nullcontext()
    try:
        from capomastro.batch.parquet import Tables  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise Problem("unwritable", phrase("no-archive-extra")) from None
    return Tables(directory)


def collected_on_cluster(request: Request) -> Iterator[Collected]:
    try:
        from capomastro.batch import cluster  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise Problem("no-cluster", phrase("no-cluster-extra")) from None
    assert request.cluster is not None
    found = list(sources.sources_at(request.files, request.by_line, request.tables))
    say = partial(click.echo, err=True)
    with cluster.connected(request.cluster, request.jobs or cores(), say) as client:
        for _, of_part in cluster.counted(client, found, request.terms, request.question, request.tables):
            yield of_part


# --- as a document ---------------------------------------------------------------------------------------------------


def document(total: Collected) -> dict[str, Any]:
    """The figures as JSON."""
    return {
        "games": [
            {"game": game, "players": players, **members(game, found)} for game, players, found in by_game(total)
        ],
        "left_out": total.left_out,
        "not_asked_for": total.others,
        "unreadable": [{"source": source, "reason": why} for source, why in sorted(total.unreadable.items())],
    }


def by_game(total: Collected) -> Iterator[tuple[str, int, Figures]]:
    for key in sorted(total.figures):
        game, players = key.split(" ")
        yield game, int(players), total.figures[key]


def members(game: str, found: Figures) -> dict[str, Any]:
    return {
        "games": found.games,
        "finished": found.finished,
        "shared_victories": found.shared_victories,
        "moves": {**numbers(lengths_of(found)), "median": found.median_length()},
        "decisions": numbers(found.decisions),
        "legal_moves": numbers(found.choices),
        "seats": [{"seat": seat, **did(seat_figures)} for seat, seat_figures in sorted(found.seats.items())],
        "places": [{"place": place, **did(seat_figures)} for place, seat_figures in sorted(found.places.items())],
        "phases": [phase_members(kind, phase) for kind, phase in phases_in_order(game, found)],
        "kinds": [{"type": kind, "moves": number} for kind, number in by_number(found.kinds)],
        "first_moves": [opening(key, figures) for key, figures in sorted_openings(found.first_moves)],
        "openings": [opening(key, figures) for key, figures in sorted_openings(found.openings)],
    }


def phases_in_order(game: str, found: Figures) -> Iterator[tuple[str, Phase]]:
    """The kinds of decisions in the order of the rulebook, whatever the order in which they were counted."""
    for stage in all_games()[game].decision_at:
        if (phase := found.phases.get(type_of(stage))) is not None:
            yield type_of(stage), phase


def phase_members(kind: str, phase: Phase) -> dict[str, Any]:
    choices = {"legal_moves": numbers(phase.choices)} if phase.choices.count else {}
    return {"decision": kind, "moves": phase.moves, **choices}


def lengths_of(found: Figures) -> Numbers:
    total = sum(length * games for length, games in found.lengths.items())
    return Numbers(found.games, total, min(found.lengths, default=None), max(found.lengths, default=None))


def numbers(counted: Numbers) -> dict[str, Any]:
    return {"mean": round(counted.mean, 3), "least": counted.least, "most": counted.most}


def did(figures: Seat) -> dict[str, Any]:
    games, wins = figures.points.count, figures.wins
    return {"games": games, "points": numbers(figures.points), "wins": round(wins, 3), "win_rate": rate(wins, games)}


def rate(wins: float, games: int) -> float:
    return round(wins / games, 4) if games else 0.0


def by_number(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def sorted_openings(openings: Mapping[str, Opening]) -> list[tuple[str, Opening]]:
    """Openings by the number of the player's move, those of most games first."""
    return sorted(openings.items(), key=lambda item: (int(item[0].split(" ")[0]), -item[1].games, item[0]))


def opening(key: str, figures: Opening) -> dict[str, Any]:
    number, *position, move = key.split(" ", 2) if re.match(r"\d+ [0-9a-f]{16} ", key) else key.split(" ", 1)
    place = {"position": position[0], "move": move} if position else {"type": move}
    how = {"win_rate": rate(figures.did.wins, figures.did.points.count), "points": round(figures.did.points.mean, 2)}
    return {"number": int(number), **place, "games": figures.games, **(how if figures.did.points.count else {})}


# --- as CSV ----------------------------------------------------------------------------------------------------------


def rows(total: Collected) -> Iterator[Row]:
    """Every figure as a row."""
    for game in document(total)["games"]:
        key = (game["game"], game["players"])
        for name, value in game.items():
            if name in ("game", "players"):
                continue
            if isinstance(value, int):
                yield (*key, "games", "", name, value)
            elif isinstance(value, dict):
                yield from ((*key, name, "", measure, number) for measure, number in value.items())
            else:
                for entry in value:
                    of = " ".join(str(entry[part]) for part in ENTRY if part in entry)
                    yield from ((*key, name, of, measure, number) for measure, number in flat(entry))


ENTRY = ("seat", "place", "decision", "number", "position", "move", "type")
"""The members of an entry that say what it is about."""


def flat(entry: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in entry.items():
        if isinstance(value, dict):
            yield from flat(value, f"{name}.")
        elif name not in ENTRY and value is not None and not (name == "moves" and isinstance(value, str)):
            yield within + name, value


HEADS = ("game", "players", "table", "of", "measure", "value")


def csv_text(found: Iterable[Row]) -> str:
    return csv_row(HEADS) + "".join(map(csv_row, found))


# --- for people ------------------------------------------------------------------------------------------------------


def print_lines_of(total: Collected) -> None:
    for game, players, found in by_game(total):
        title = phrase("stats-heading", title=titles(game), players=players, games=separated(found.games))
        print_heading(title)
        print_lines(lines_of(game, found))
        click.echo()
    if total.left_out:
        click.echo(phrase("stats-left-out", records=separated(total.left_out)))
    if total.others:
        click.echo(phrase("stats-others", records=separated(total.others)))


def titles(game: str) -> str:
    return all_games()[game].title


def lines_of(game: str, found: Figures) -> Iterator[str]:
    """The figures of a game with a number of players, table by table."""
    name = naming(all_games()[game]).value
    yield phrase("stats-finished", finished=separated(found.finished), shared=separated(found.shared_victories))
    tables = (
        spread_table(found),
        players_table(phrase("stats-seat"), found.seats),
        players_table(phrase("stats-place"), found.places),
        phases_table(game, found, name),
        kinds_table(found, name),
        openings_table(phrase("stats-first-move"), found.first_moves),
        openings_table(phrase("stats-opening"), repeated(found.openings)),
    )
    for lines in tables:
        if len(lines) > 1:
            yield ""
            yield from lines


def spread_table(found: Figures) -> list[str]:
    measured = (
        (phrase("stats-moves"), lengths_of(found)),
        (phrase("stats-decisions"), found.decisions),
        (phrase("stats-legal-moves"), found.choices),
    )
    return table([("", *spread_heads()), *((label, *spread(part)) for label, part in measured)], right=range(1, 4))


def players_table(label: str, entries: Mapping[int, Seat]) -> list[str]:
    heads = (label, phrase("stats-games"), phrase("stats-points"), *spread_heads()[1:], phrase("stats-wins"))
    lines = [
        (str(key), separated(seat.points.count), *spread(seat.points), percent(seat.wins, seat.points.count))
        for key, seat in sorted(entries.items())
    ]
    return table([heads, *lines], right=range(1, 6))


def phases_table(game: str, found: Figures, name: Callable[[str], str]) -> list[str]:
    """Where the time goes: records have no clock, so it is counted in moves."""
    heads = (phrase("stats-phase"), phrase("stats-per-game"), phrase("stats-share"), phrase("stats-legal-moves"))
    all_moves = sum(found.kinds.values())
    lines = [
        (
            name(kind),
            separated(phase.moves / found.games, 1),
            percent(phase.moves, all_moves),
            separated(phase.choices.mean, 1) if phase.choices.count else "",
        )
        for kind, phase in phases_in_order(game, found)
    ]
    return table([heads, *lines], right=(1, 2, 3))


def kinds_table(found: Figures, name: Callable[[str], str]) -> list[str]:
    heads = (phrase("stats-kind"), phrase("stats-per-game"), phrase("stats-share"))
    all_moves = sum(found.kinds.values())
    lines = [
        (name(kind), separated(number / found.games, 1), percent(number, all_moves))
        for kind, number in by_number(found.kinds)
    ]
    return table([heads, *lines], right=(1, 2))


def openings_table(label: str, openings: Mapping[str, Opening]) -> list[str]:
    heads = (label, phrase("stats-games"), phrase("stats-points"), phrase("stats-wins"))
    lines = map(opening_row, sorted_openings(openings)[:MAXIMUM_OPENINGS_PRINTED])
    return table([heads, *lines], right=(1, 2, 3))


def repeated(openings: Mapping[str, Opening]) -> dict[str, Opening]:
    """Openings of more than one game."""
    return {key: figures for key, figures in openings.items() if figures.games > 1}


def opening_row(item: tuple[str, Opening]) -> tuple[str, str, str, str]:
    key, figures = item
    number, rest = key.split(" ", 1)
    games = figures.did.points.count
    points = separated(figures.did.points.mean, 1) if games else ""
    return f"{number}. {rest}", separated(figures.games), points, percent(figures.did.wins, games)


def spread_heads() -> tuple[str, str, str]:
    return phrase("stats-mean"), phrase("stats-least"), phrase("stats-most")


def spread(counted: Numbers) -> tuple[str, str, str]:
    return separated(counted.mean, 1), separated(counted.least or 0), separated(counted.most or 0)


def percent(part: float, whole: float) -> str:
    return f"{separated(100 * part / whole, 1)} %" if whole else ""
