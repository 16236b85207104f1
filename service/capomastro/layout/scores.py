"""Prints results: every line of the arithmetic, the places, and how ties are broken."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Any

from capomastro.documents.wordings import rules_of
from capomastro.engine.chance import as_text
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import WIDTH, inline, joined, name_of, table, words

MAXIMUM_COLUMNS = 5
"""If the origins of lines have more members, one column holds the whole origin."""

Names = Sequence[str] | None


def result_lines(game: AnyGame, result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """A result: each player's arithmetic, the ranking, ties, uncertainties, and the rules applied."""
    for player in result["players"]:
        yield from bill_lines(player, names)
        yield ""
    yield from ranking_lines(result, names)
    yield from tie_lines(game, result, names)
    yield from verdict_lines(result, names)
    yield from rule_lines(game, result)


def bill_lines(player: Mapping[str, Any], names: Names) -> Iterator[str]:
    """One player's score lines and their total, as on a bill."""
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


def points_so_far(
    game: AnyGame, result: Mapping[str, Any], missing: Sequence[Mapping[str, Any]], names: Names
) -> Iterator[str]:
    """The lines of a scoresheet that is still being typed in, and what it lacks."""
    for player in result["players"]:
        yield from bill_lines(player, names)
        yield ""
    yield "The scoresheet is unfinished."
    for finding in missing:
        yield f"  {finding['pointer'].removeprefix('/scoresheet')}: {finding['message']} [{finding['rule']}]"
    yield from rule_lines(game, result)


def columns_of(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """The members of the origins of all lines; none if there are too many for a table."""
    members = list(dict.fromkeys(name for line in lines for name in line if name not in ("rule", "points")))
    return members if len(members) <= MAXIMUM_COLUMNS else []


def is_number(lines: Sequence[Mapping[str, Any]], name: str) -> bool:
    return all(isinstance(line.get(name, 0), int) for line in lines) and any(name in line for line in lines)


def ranking_lines(result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Places, totals and names, best first; an uncertain place is a question mark."""
    players = sorted(result["players"], key=lambda player: (-player["total"], player["place"] or 0))
    rows = [[f"{player['place'] or '?'}.", name_of(player["seat"], names), str(player["total"])] for player in players]
    yield from table(rows, (0, 2))


def tie_lines(game: AnyGame, result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Each comparison among players with equal totals, with its rule."""
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
    """The winners; or what is unknown."""
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
    """The rules that gave points, each once, the checks that were skipped, and what is assumed."""
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
        yield f"Not checked, for lack of detail: {', '.join(map(inline, result['skipped_checks']))}."
    if result.get("assumptions"):
        yield ""
        yield "Assumed, because the scoresheet does not say it"
    for rule in result.get("assumptions", ()):
        yield from wrap(
            f"{words(rule)}: {rules[rule]['wording']}", WIDTH, initial_indent="  ", subsequent_indent="    "
        )


def score_lines(game: AnyGame, answer: Mapping[str, Any], names: Names) -> Iterator[str]:
    """The result; or, if chance is left to decide, each possible result with its probability."""
    if "missing" in answer:
        yield from points_so_far(game, answer["result"], answer["missing"], names)
        return
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
    """The probability that each player wins, alone or with others."""
    yield "Chances to win or to share the victory"
    rows = []
    for player in outcomes[0]["result"]["players"]:
        seat = player["seat"]
        chances = [
            Fraction(outcome["probability"]) for outcome in outcomes if seat in outcome["result"].get("winners", ())
        ]
        rows.append([name_of(seat, names), as_text(sum(chances, Fraction()))])
    yield from ("  " + line for line in table(rows))
