"""The commands. Each prints the answer to one question, for people or with `--json` as a document."""

import click

import capomastro
from capomastro.cli.commands import (
    agents,
    catalogue,
    counting,
    moves,
    playing,
    records,
    serving,
    states,
    statistics,
    tables,
)
from capomastro.cli.translation import Program
from capomastro.documents.languages import languages
from capomastro.documents.wordings import SHARED


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(capomastro.__version__, message="%(prog)s %(version)s")
@click.option("--language", type=click.Choice(languages(SHARED)), help="Language of all sentences; else the locale’s.")
def main(language: str | None) -> None:
    """A referee for building games: legal moves, verdicts, replays and scores.

    Files hold JSON documents or records in text notation; "-" is standard input. Exit codes: 0 if the answer is yes, 1
    if it is no (an illegal move, an impossible state), 2 if there is no answer.
    """


COMMANDS: tuple[click.Command, ...] = (
    serving.serve,
    catalogue.games,
    catalogue.rules,
    catalogue.schema,
    catalogue.template,
    playing.new,
    playing.play,
    records.replay,
    records.repair_records,
    statistics.stats,
    records.convert,
    states.legal_moves,
    moves.suggest,
    moves.verdict,
    moves.move,
    states.audit,
    states.score,
    states.view,
    states.picture,
    counting.perft,
    tables.table,
    tables.verify_table,
    tables.new_key,
    agents.mcp,
)
for command in COMMANDS:
    main.add_command(command)
