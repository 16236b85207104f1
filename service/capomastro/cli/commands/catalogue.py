"""`games` and `rules`: what there is to know without a state."""

from collections.abc import Sequence
from textwrap import wrap

import click

from capomastro import adjudicator, catalogue
from capomastro.cli.formatting import WIDTH, inline, printable, table
from capomastro.cli.questions import Question, plain, say, say_heading, say_json, with_json


@click.command(cls=Question, short_help="List the games, or show one.")
@click.argument("game", required=False)
@with_json
def games(game: str | None, as_json: bool) -> None:
    """List the games; or show GAME: its options, components, decisions and assumptions."""
    if game is None:
        listed = catalogue.games()
        if as_json:
            say_json(listed)
            return
        rows = [
            [one.id, one.title, players_text(one.players), f"rules version {one.rules_version}"] for one in listed.games
        ]
        say(table(rows))
        return
    page = catalogue.page(adjudicator.game_of(game), {})
    if as_json:
        say_json(page)
    else:
        say_page(page)


def players_text(players: Sequence[int]) -> str:
    """`2 to 4 players`."""
    return f"{players[0]} to {players[-1]} players"


def say_page(page: catalogue.GamePage) -> None:
    """A game's catalogue."""
    say_heading(f"{page.title}, {players_text(page.players)}, rules version {page.rules_version}")
    described, defaults = page.options.schema.get("properties", {}), plain(page.options.defaults)
    if described:
        say_section("Options")
    for name, schema in described.items():
        default = inline(defaults[name]) if name in defaults else "depends on the players"
        say(wrapped(f"{name}  [{default}]", "  "))
        say(wrapped(schema.get("description", ""), "    "))
    if page.components:
        say_section("Components")
    for group, counts in page.components.items():
        click.echo(f"  {printable(group)}")
        say(wrapped(", ".join(f"{token} ×{count}" if count != 1 else token for token, count in counts.items()), "    "))
    say_section("Decisions")
    rows = [[one.kind, one.actor, ", ".join(one.moves)] for one in page.decisions]
    say("  " + line for line in table(rows))
    if page.assumptions:
        say_section("Assumed, for want of a source")
        for assumed in page.assumptions:
            click.echo(f"  {assumed.rule}")
            say(wrapped(assumed.wording, "    "))


def say_section(title: str) -> None:
    click.echo()
    say_heading(title)


def wrapped(text: str, indent: str) -> list[str]:
    """Text as lines that break neither a token nor between it and its number."""
    glued = text.replace(" ×", "\N{NO-BREAK SPACE}×")
    lines = wrap(glued, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


@click.command(cls=Question, short_help="List the rules of a game, or show one.")
@click.argument("game")
@click.argument("rule", required=False)
@with_json
def rules(game: str, rule: str | None, as_json: bool) -> None:
    """List the rules of GAME in our words; or show one RULE, by the id that refusals name."""
    found = adjudicator.game_of(game)
    answer = catalogue.rules(found) if rule is None else catalogue.rule_page(found, rule)
    if as_json:
        say_json(answer)
        return
    for one in answer.rules if isinstance(answer, catalogue.Rules) else [answer]:
        say_heading(one.id)
        say(wrapped(one.wording, "  "))
        click.echo(f"  [{one.mark}: {one.source}]")
