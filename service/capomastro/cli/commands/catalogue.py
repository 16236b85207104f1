"""`games` and `rules`: what can be known without a state."""

from collections.abc import Sequence
from textwrap import wrap

import click

from capomastro import adjudicator, catalogue
from capomastro.cli.shared import (
    AdjudicatorCommand,
    plain,
    print_heading,
    print_json,
    print_lines,
    split_names,
    with_json,
)
from capomastro.cli.translation import schema_title
from capomastro.documents import shapes
from capomastro.documents.wordings import phrase, title_of
from capomastro.engine.game import AnyGame
from capomastro.layout.formatting import WIDTH, Naming, inline, naming, printable, prints_sentences, table


@click.command(cls=AdjudicatorCommand, short_help="List the games, or show one.")
@click.argument("game", required=False)
@with_json
def games(game: str | None, as_json: bool) -> None:
    """List the games; or show GAME: its options, components, decisions and assumptions."""
    if game is None:
        listed = catalogue.games()
        if as_json:
            print_json(listed)
            return
        rows = [
            [
                entry.id,
                title_of(adjudicator.game_of(entry.id)),
                players_text(entry.players),
                phrase("rules-version", version=entry.rules_version),
            ]
            for entry in listed.games
        ]
        print_lines(table(rows))
        return
    found = adjudicator.game_of(game)
    page = catalogue.page(found, {})
    if as_json:
        print_json(page)
    else:
        print_page(found, page)


def players_text(players: Sequence[int]) -> str:
    """`2 to 4 players`."""
    return phrase("player-range", fewest=players[0], most=players[-1])


def version_text(page: catalogue.GameEntry | catalogue.GamePage) -> str:
    return phrase("rules-version", version=page.rules_version)


def print_page(game: AnyGame, page: catalogue.GamePage) -> None:
    """Prints the page of a game: ids, and for readers of another language than English their names."""
    named = naming(game)
    print_heading(f"{title_of(game)}, {players_text(page.players)}, {version_text(page)}")
    described, defaults = page.options.schema.get("properties", {}), plain(page.options.defaults)
    if described:
        print_section(phrase("options-title"))
    for name, schema in described.items():
        default = inline(defaults[name]) if name in defaults else phrase("depends-on-players")
        print_lines(wrapped(f"{name}  [{default}]", "  "))
        print_lines(wrapped(named.member(name) if prints_sentences(game) else schema.get("description", ""), "    "))
    if page.components:
        print_section(phrase("components-title"))
    for group, counts in page.components.items():
        tokens = ", ".join(token_text(named, token, count) for token, count in counts.items())
        if prints_sentences(game) and len(counts) == 1:  # the name of the group would say the same
            print_lines(wrapped(tokens, "  "))
        else:
            click.echo(f"  {printable(named.member(group))}")
            print_lines(wrapped(tokens, "    "))
    print_section(phrase("decisions-title"))
    if prints_sentences(game):
        for decision in page.decisions:
            print_lines(wrapped(f"{named.value(decision.kind)} [{decision.kind}]", "  "))
            moves = ", ".join(f"{named.value(move)} [{move}]" for move in decision.moves)
            print_lines(wrapped(f"{phrase('chance')}: {moves}" if decision.actor == "chance" else moves, "    "))
    else:
        rows = [[decision.kind, decision.actor, ", ".join(decision.moves)] for decision in page.decisions]
        print_lines("  " + line for line in table(rows))
    if page.assumptions:
        print_section(phrase("assumed-title"))
        for assumed in page.assumptions:
            click.echo(f"  {assumed.rule}")
            print_lines(wrapped(assumed.wording, "    "))


def token_text(named: Naming, token: str, count: int) -> str:
    """A token, after its name if that is another, and how many there are if there is more than one."""
    name = named.member(token)
    text = token if name == token else f"{name} [{token}]"
    return text if count == 1 else f"{text} ×{count}"


def print_section(title: str) -> None:
    click.echo()
    print_heading(title)


def wrapped(text: str, indent: str) -> list[str]:
    """Text as lines that break neither within a token nor before its count."""
    glued = text.replace(" ×", "\N{NO-BREAK SPACE}×")
    lines = wrap(glued, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


@click.command(cls=AdjudicatorCommand, short_help="Print an empty scoresheet.")
@click.argument("game")
@click.option("--players", type=int, required=True, help="Number of players.")
@click.option("--names", metavar="NAMES", callback=split_names, help="The players’ names, separated by commas.")
@with_json
def template(game: str, players: int, names: list[str] | None, as_json: bool) -> None:
    """Print an empty scoresheet of GAME as JSON, to be filled in and given to `capomastro score`.

    It has what a scoresheet must have; the page of the game explains what else it can have.
    """
    print_json(adjudicator.scoresheet_template(adjudicator.game_of(game), players, names))


@click.command(cls=AdjudicatorCommand, short_help="Print the JSON Schema of a document.")
@click.argument("game")
@click.argument("document", required=False)
@with_json
def schema(game: str, document: str | None, as_json: bool) -> None:
    """Print the JSON Schema of a kind of DOCUMENT of GAME, such as "state", or list the kinds.

    GAME may be "common", for documents that all games share. The schema needs no other file.
    """
    game_id = None if game == shapes.COMMON else adjudicator.game_of(game).id
    if document is not None:
        catalogue.schema(game_id, document)
        print_json(shapes.bundle(game_id, document))
        return
    titles = {kind: shapes.schema_of(game_id, kind).get("title", "") for kind in shapes.documents_of(game_id)}
    if as_json:
        print_json(titles)
    else:
        print_lines(table([[kind, schema_title(kind, title)] for kind, title in titles.items()]))


@click.command(cls=AdjudicatorCommand, short_help="List the rules of a game, or show one.")
@click.argument("game")
@click.argument("rule", required=False)
@with_json
def rules(game: str, rule: str | None, as_json: bool) -> None:
    """List the rules of GAME in our words; or show one RULE, by the id in refusals."""
    found = adjudicator.game_of(game)
    answer = catalogue.rules(found) if rule is None else catalogue.rule_page(found, rule)
    if as_json:
        print_json(answer)
        return
    for listed in answer.rules if isinstance(answer, catalogue.Rules) else [answer]:
        print_heading(listed.id)
        print_lines(wrapped(listed.wording, "  "))
        click.echo(f"  [{phrase(f'mark-{listed.mark}')}: {listed.source}]")
