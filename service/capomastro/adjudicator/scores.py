"""Scores: of a finished state, or of what lies on a table."""

from typing import Any

import msgspec

from capomastro.adjudicator.answers import Answer
from capomastro.adjudicator.loading import load_state, refuse_findings, refuse_foreign, refuse_shapes
from capomastro.documents.canonical_form import sorted_multisets
from capomastro.documents.problems import Problem
from capomastro.engine import referee
from capomastro.engine.game import AnyGame


def score_state(game: AnyGame, document: Any) -> Answer:
    """The result of a finished game, or every possible one where only chance is still open."""
    state = load_state(game, document)
    if referee.is_over(game, state):
        return {"result": game.result(state)}
    open_results = game.open_results(state)
    if open_results is None:
        detail = f"The game is not over: the decision is {referee.decision(game, state).kind!r}."
        raise Problem("unfinished", detail, [{"pointer": "/state/stage", "message": detail}])
    return dict(open_results)


def score_scoresheet(game: AnyGame, document: Any) -> Answer:
    """The result of what lies on a table at the end."""
    refuse_foreign(game, document, "/scoresheet")
    refuse_shapes(game, ("scoresheet", document, "/scoresheet"))
    sheet = sorted_multisets(msgspec.convert(document, game.scoresheet_type))
    findings = game.refuse_scoresheet(sheet)
    refuse_findings(game, "impossible-scoresheet", "The scoresheet cannot be.", findings, "/scoresheet")
    return dict(game.score(sheet))
