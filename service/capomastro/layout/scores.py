"""Prints results: every line of the arithmetic, the places, and how ties are broken."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Any

from capomastro.documents.languages import ORIGINAL, current_language
from capomastro.documents.sentences import figure
from capomastro.documents.wordings import line_name, line_text, phrase, rules_of, section_name, with_cause
from capomastro.engine.chance import as_text
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import WIDTH, inline, naming, player_name, printable, table, words

MAXIMUM_COLUMNS = 5
"""If the origins of lines have more members, one column holds the whole origin."""

Names = Sequence[str | None] | None


def result_lines(game: AnyGame, result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """A result: each player's arithmetic, the ranking, ties, uncertainties, and the rules applied."""
    for player in result["players"]:
        yield from bill_lines(game, player, names)
        yield ""
    yield from ranking_lines(result, names)
    yield from tie_lines(game, result, names)
    yield from verdict_lines(game, result, names)
    yield from rule_lines(game, result)


def bill_lines(game: AnyGame, player: Mapping[str, Any], names: Names) -> Iterator[str]:
    """One player's score lines and their total, as on a bill.

    Columns are members of documents, which are English; in any other language each line is a sentence.
    """
    yield player_name(player["seat"], names)
    if current_language() != ORIGINAL:
        yield from bill_lines_as_sentences(game, player)
        return
    members = columns_of(player["lines"])
    rows = [[phrase("points"), phrase("for"), *(members or [phrase("from")])]]
    for line in player["lines"]:
        origin = {name: value for name, value in line.items() if name not in ("rule", "points")}
        cells = [inline(origin[name]) if name in origin else "" for name in members] if members else [inline(origin)]
        rows.append([str(line["points"]), words(line["rule"]), *cells])
    if not player["lines"]:
        rows = [[phrase("points"), phrase("for")]]
    rows.append([str(player["total"]), phrase("in-all"), *[""] * (len(rows[0]) - 2)])
    numbers = [column for column, name in enumerate(rows[0]) if column == 0 or is_number(player["lines"], name)]
    lines = table(rows, numbers)
    for line in lines[:-1]:
        yield "  " + line
    yield "  " + "-" * len(lines[0])
    yield "  " + lines[-1]


def bill_lines_as_sentences(game: AnyGame, player: Mapping[str, Any]) -> Iterator[str]:
    """A player's score lines as sentences, and their total."""
    rows = [[figure(line["points"]), printable(line_text(game, line))] for line in player["lines"]]
    lines = table([*rows, [figure(player["total"]), phrase("in-all")]], (0,))
    for line in lines[:-1]:
        yield from wrap(line, WIDTH, initial_indent="  ", subsequent_indent="      ")
    yield "  " + "-" * min(WIDTH, max(map(len, lines)))
    yield "  " + lines[-1]


def points_so_far(
    game: AnyGame, result: Mapping[str, Any], missing: Sequence[Mapping[str, Any]], names: Names
) -> Iterator[str]:
    """The lines of a scoresheet that is still being typed in, and what it lacks."""
    for player in result["players"]:
        yield from bill_lines(game, player, names)
        yield ""
    yield from missing_lines(missing)
    yield from rule_lines(game, result)


def missing_lines(missing: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What a scoresheet lacks that is still being typed in."""
    yield phrase("unfinished-scoresheet")
    yield from finding_lines(missing)


def finding_lines(findings: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Findings on a scoresheet, each with its place and rule."""
    for finding in findings:
        yield f"  {finding['pointer'].removeprefix('/scoresheet')}: {with_cause(finding)} [{finding['rule']}]"


def columns_of(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """The members of the origins of all lines; none if there are too many for a table."""
    members = list(dict.fromkeys(name for line in lines for name in line if name not in ("rule", "points")))
    return members if len(members) <= MAXIMUM_COLUMNS else []


def is_number(lines: Sequence[Mapping[str, Any]], name: str) -> bool:
    return all(isinstance(line.get(name, 0), int) for line in lines) and any(name in line for line in lines)


def ranking_lines(result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Places, totals and names, best first; an uncertain place is a question mark."""
    players = sorted(result["players"], key=lambda player: (-player["total"], player["place"] or 0))
    rows = [
        [f"{player['place'] or '?'}.", player_name(player["seat"], names), str(player["total"])] for player in players
    ]
    yield from table(rows, (0, 2))


def tie_lines(game: AnyGame, result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Each comparison among players with equal totals, with its rule."""
    totals = {player["seat"]: player["total"] for player in result["players"]}
    for tie in result["tie_break"]:
        seats = [player_name(seat, names) for seat in tie["seats"]]
        values = [
            f"{name} {phrase('not-known') if value is None else value}"
            for name, value in zip(seats, tie["values"], strict=True)
        ]
        wording = rules_of(game)[tie["rule"]]["wording"]
        yield ""
        yield from wrap(phrase("tie", players=seats, points=totals[tie["seats"][0]], wording=wording), WIDTH)
        yield f"  {', '.join(values)}"


def verdict_lines(game: AnyGame, result: Mapping[str, Any], names: Names) -> Iterator[str]:
    """The winners; or what is unknown."""
    yield ""
    winners = [player_name(seat, names) for seat in result.get("winners", ())]
    if winners:
        several = len(winners) > 1
        yield phrase("shared-victory", winners=winners) if several else phrase("victory", winner=winners[0])
    else:
        yield phrase("victory-uncertain")
    if result["undecided"]:
        yield phrase("undecided", players=[player_name(seat, names) for seat in result["undecided"]])
    for gap in result.get("missing", ()):
        missing = [printable(naming(game).member(member)) for member in gap["missing"]]
        yield phrase("not-known-of", player=player_name(gap["seat"], names), members=missing)


def rule_lines(game: AnyGame, result: Mapping[str, Any]) -> Iterator[str]:
    """The rules that gave points, each once, the checks that were skipped, and what is assumed."""
    used = dict.fromkeys(line["rule"] for player in result["players"] for line in player["lines"])
    if used:
        yield ""
        yield phrase("rules")
    for rule in used:
        yield from wording_lines(game, rule)
    if result.get("skipped_checks"):
        yield ""
        yield phrase("skipped-checks", checks=list(map(inline, result["skipped_checks"])))
    if result.get("assumptions"):
        yield ""
        yield phrase("assumptions")
    for rule in result.get("assumptions", ()):
        yield from wording_lines(game, rule)


def wording_lines(game: AnyGame, rule: str) -> list[str]:
    """The name of a rule and its wording."""
    text = f"{rule_name(game, rule)}: {rules_of(game)[rule]['wording']}"
    return wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def rule_name(game: AnyGame, rule: str) -> str:
    """What a rule is called: in English as its id, in any other language as its points or its section."""
    return words(rule) if current_language() == ORIGINAL else line_name(game, rule) or section_name(game, rule)


def score_lines(game: AnyGame, answer: Mapping[str, Any], names: Names) -> Iterator[str]:
    """The result; or, if chance is left to decide, each possible result with its probability.

    Above it, if the rules do not allow the scoresheet: why. Of one that is still being typed in only the points, and
    what it lacks.
    """
    if answer.get("findings"):
        yield phrase("impossible-but-scored")
        yield from finding_lines(answer["findings"])
        yield ""
    is_unfinished = "missing" in answer
    if "result" in answer and is_unfinished:
        yield from points_so_far(game, answer["result"], answer["missing"], names)
        return
    if "result" in answer:
        yield from result_lines(game, answer["result"], names)
        return
    for outcome in answer["outcomes"]:
        what = {name: value for name, value in outcome.items() if name not in ("probability", "result")}
        if what:
            yield phrase("with-probability", probability=outcome["probability"], what=inline(what, naming(game)))
        verdict = () if is_unfinished else verdict_lines(game, outcome["result"], names)
        for line in (*ranking_lines(outcome["result"], names), *verdict):
            yield f"  {line}".rstrip()
        yield ""
    yield from missing_lines(answer["missing"]) if is_unfinished else chances_lines(answer["outcomes"], names)


def chances_lines(outcomes: Sequence[Mapping[str, Any]], names: Names) -> Iterator[str]:
    """The probability that each player wins, alone or with others."""
    yield phrase("chances")
    rows = []
    for player in outcomes[0]["result"]["players"]:
        seat = player["seat"]
        chances = [
            Fraction(outcome["probability"]) for outcome in outcomes if seat in outcome["result"].get("winners", ())
        ]
        rows.append([player_name(seat, names), as_text(sum(chances, Fraction()))])
    yield from ("  " + line for line in table(rows))
