"""Repeats every draw of a finished game with the example, which shares no line with the service."""

import runpy
from pathlib import Path
from typing import Any

from capomastro.adjudicator.loading import load_record
from capomastro.tables.draws import deviations_from_table, draws_in, faults
from tests.support.documents import as_document
from tests.tables.players import Played

EXAMPLE = Path(__file__).parents[2] / "examples" / "verify_draws.py"
verify: Any = runpy.run_path(str(EXAMPLE))["faults"]


def unfair(done: Played) -> list[str]:
    """Everything wrong with a game, given its record, its first and last table, and the weights; must be empty.

    The example checks it, and so does the service, which also knows the rules.
    """
    start, moves = load_record(done.game, done.opened["record"], under_current_rules=False, at="/record")
    weights = [as_document(draw) for draw in draws_in(done.game, start, moves)]
    found = faults(done.game, done.opened["record"], done.opened["seed"])
    for table in (done.tables[0], done.tables[-1]):
        found += [*verify(done.opened, table, weights), *deviations_from_table(done.game, done.opened, table)]
    return found
