"""A result as a table people at a table enjoy: every line of the arithmetic, the places, and why a tie is broken."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Any

from capomastro.cli.formatting import WIDTH, inline, joined, name_of, table, words
from capomastro.documents.wordings import rules_of
from capomastro.engine.chance import as_text
from capomastro.engine.game import AnyGame

MOST_COLUMNS = 5
"""Of lines whose origins have more members, the origin stands in one column."""

Names = Sequence[str] | None


def result_lines(game: AnyGame, result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """A result: each player's arithmetic, the ranking, ties, what is not certain, and the rules it rests on."""
    for player in result["players"]:
        yield from bill_lines(player, names)
        yield ""
    yield from ranking_lines(result, names)
    yield from tie_lines(game, result, names)
    yield from verdict_lines(result, names)
    yield from rule_lines(game, result)


def bill_lines(player: Mapping[str, Any], names: Names) -> Iterator[str]:
    """One player's lines and their sum, as on a bill."""
    yield name_of(player["seat"], names)
    members = columns_of(player["lines"])
    rows = [["points", "for", *(members or ["from"])]]
    for line in player["lines"]:
        origin = {name: value for name, value in line.items() if name not in ("rule", "points")}
        cells = [inline(origin[name]) if name in origin else "" for name in members] if members else [inline(origin)]
        rows.append([str(line["points"]), words(line["rule"]), *cells])
    if not player["lines"]:
        rows = [["points", "for"]]
    rows.append([str(player["total"]), "in all", *[""] * (len(rows[0]) - 2)])
    numbers = [column for column, name in enumerate(rows[0]) if column == 0 or is_number(player["lines"], name)]
    lines = table(rows, numbers)
    for line in lines[:-1]:
        yield "  " + line
    yield "  " + "-" * len(lines[0])
    yield "  " + lines[-1]


def columns_of(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """The members of the origins of all lines; none if they are too many for a table."""
    members = list(dict.fromkeys(name for line in lines for name in line if name not in ("rule", "points")))
    return members if len(members) <= MOST_COLUMNS else []


def is_number(lines: Sequence[Mapping[str, Any]], name: str) -> bool:
    return all(isinstance(line.get(name, 0), int) for line in lines) and any(name in line for line in lines)


def ranking_lines(result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Places, totals and names, the best first; a place that is not certain is a question mark."""
    players = sorted(result["players"], key=lambda player: (-player["total"], player["place"] or 0))
    rows = [[f"{player['place'] or '?'}.", name_of(player["seat"], names), str(player["total"])] for player in players]
    yield from table(rows, (0, 2))


def tie_lines(game: AnyGame, result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Each comparison among players of equal totals, with the rule that makes it."""
    totals = {player["seat"]: player["total"] for player in result["players"]}
    for tie in result["tie_break"]:
        seats = [name_of(seat, names) for seat in tie["seats"]]
        values = [
            f"{name} {'not known' if value is None else value}"
            for name, value in zip(seats, tie["values"], strict=True)
        ]
        wording = rules_of(game)[tie["rule"]]["wording"]
        yield ""
        yield from wrap(f"Tie: {joined(seats)} have {totals[tie['seats'][0]]} points each. {wording}", WIDTH)
        yield f"  {', '.join(values)}"


def verdict_lines(result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Who won; or what would have to be known."""
    yield ""
    winners = [name_of(seat, names) for seat in result.get("winners", ())]
    if winners:
        yield f"{joined(winners)} share the victory." if len(winners) > 1 else f"{winners[0]} wins."
    else:
        yield "Who wins is not certain."
    if result["undecided"]:
        yield f"Not decided: the place of {joined([name_of(seat, names) for seat in result['undecided']])}."
    for one in result.get("missing", ()):
        yield f"Not known of {name_of(one['seat'], names)}: {joined(list(map(inline, one['missing'])))}."


def rule_lines(game: AnyGame, result: Mapping[str, Any]) -> Iterator[str]:
    """The rules the points rest on, each once, and those that could not be checked."""
    rules = rules_of(game)
    used = dict.fromkeys(line["rule"] for player in result["players"] for line in player["lines"])
    if used:
        yield ""
        yield "Rules"
    for rule in used:
        yield from wrap(
            f"{words(rule)}: {rules[rule]['wording']}", WIDTH, initial_indent="  ", subsequent_indent="    "
        )
    if result.get("skipped_checks"):
        yield ""
        yield f"Not checked, for want of detail: {', '.join(map(inline, result['skipped_checks']))}."


def score_lines(game: AnyGame, answer: Mapping[str, Any], names: Names) -> Iterator[str]:
    """The result; or where chance is still open, each possible one with its probability."""
    if "result" in answer:
        yield from result_lines(game, answer["result"], names)
        return
    for outcome in answer["outcomes"]:
        what = {name: value for name, value in outcome.items() if name not in ("probability", "result")}
        yield f"With probability {outcome['probability']}: {inline(what)}"
        for line in (*ranking_lines(outcome["result"], names), *verdict_lines(outcome["result"], names)):
            yield f"  {line}".rstrip()
        yield ""
    yield from chances_lines(answer["outcomes"], names)


def chances_lines(outcomes: Sequence[Mapping[str, Any]], names: Names) -> Iterator[str]:
    """How likely each player is to win, alone or with others."""
    yield "Chances to win or to share the victory"
    rows = []
    for player in outcomes[0]["result"]["players"]:
        seat = player["seat"]
        chances = [
            Fraction(outcome["probability"]) for outcome in outcomes if seat in outcome["result"].get("winners", ())
        ]
        rows.append([name_of(seat, names), as_text(sum(chances, Fraction()))])
    yield from ("  " + line for line in table(rows))
