"""Scores: of a finished state, or of a scoresheet filled in at a table."""

from collections.abc import Mapping
from typing import Any

import msgspec

from capomastro.adjudicator.loading import load_state, require_no_findings, shaped_scoresheet
from capomastro.answers import PossibleResult, Score
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import explained, phrase
from capomastro.engine import referee
from capomastro.engine.endings import open_results
from capomastro.engine.game import AnyGame


def score_state(game: AnyGame, document: Any) -> Score:
    """The result of a finished game, or every possible result if only chance is left to decide."""
    state = load_state(game, document)
    if referee.is_over(game, state):
        return Score(game.result(state))
    results = open_results(game, state)
    if results is None:
        detail = phrase("not-over", kind=quoted(referee.decision(game, state).kind))
        raise Problem("unfinished", detail, [{"pointer": "/state/stage", "message": detail}])
    return score(results)


def score_scoresheet(game: AnyGame, document: Any) -> Score:
    """The result of a scoresheet; while it is still being typed in, the lines known so far."""
    sheet = shaped_scoresheet(game, document)
    judged, unfinished = game.judge_scoresheet(sheet), sheet.unfinished
    refusals = judged.refusals(unfinished)
    require_no_findings(game, "impossible-scoresheet", refusals, "/scoresheet")
    scored = score(game.score(sheet))
    if not unfinished:
        return scored
    missing = [explained(game, finding, "/scoresheet") for finding in judged.missing]
    return msgspec.structs.replace(scored, missing=missing)


def score(scored: Mapping[str, Any]) -> Score:
    """A score as the game computes it: the result, or every possible one."""
    if "outcomes" in scored:
        return Score(outcomes=[PossibleResult(**outcome) for outcome in scored["outcomes"]])
    return Score(scored["result"])
