"""The commands. Each asks one question and prints the answer for a person, or with `--json` as a document."""

import click

import capomastro
from capomastro.cli.commands import catalogue, counting, playing, records, serving, states


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(capomastro.__version__, message="%(prog)s %(version)s")
def main() -> None:
    """A referee for building games: legal moves, verdicts, replays and scores.

    Files hold JSON documents, or records written by hand; "-" is standard input. Exit codes: 0 if the answer is yes, 1
    if it is no (an illegal move, something that cannot be), 2 if the question could not be answered.
    """


COMMANDS: tuple[click.Command, ...] = (
    serving.serve,
    catalogue.games,
    catalogue.rules,
    playing.new,
    playing.play,
    records.replay,
    records.convert,
    states.legal_moves,
    states.audit,
    states.score,
    states.view,
    counting.perft,
)
for command in COMMANDS:
    main.add_command(command)
