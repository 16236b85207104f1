"""Scores: of a finished state, or of a scoresheet filled in at a table."""

from collections.abc import Mapping, Sequence
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
from capomastro.engine.refusals import Refusal


def score_state(game: AnyGame, document: Any) -> Score:
    """The result of a finished game, or every possible result if only chance is left to decide."""
    return score_of_state(game, load_state(game, document))


def score_of_state(game: AnyGame, state: Any, at: str = "/state/stage") -> Score:
    """The same of a state that was loaded; `at` is the place in the request that says it is not over."""
    if referee.is_over(game, state):
        return Score(game.result(state))
    results = open_results(game, state)
    if results is None:
        detail = phrase("not-over", kind=quoted(referee.decision(game, state).kind))
        raise Problem("unfinished", detail, [{"pointer": at, "message": detail}])
    return score(results)


def score_scoresheet(game: AnyGame, document: Any, *, even_if_impossible: bool = False) -> Score:
    """The result of a scoresheet; while it is still being typed in, the lines known so far.

    With `even_if_impossible`, a sheet is refused only for what it lacks; what no rules allow is told beside the result.
    """
    sheet = shaped_scoresheet(game, document)
    judged, unfinished = game.judge_scoresheet(sheet), sheet.unfinished
    found = judged.refusals(unfinished)
    if even_if_impossible:
        require_no_findings(game, "impossible-scoresheet", () if unfinished else judged.missing, "/scoresheet")
    else:
        require_no_findings(game, "impossible-scoresheet", found, "/scoresheet")
    scored = score(game.score(sheet))
    if even_if_impossible:
        scored = msgspec.structs.replace(scored, findings=findings_of(game, found))
    if unfinished:
        scored = msgspec.structs.replace(scored, missing=findings_of(game, judged.of_finished_game))
    return scored


def findings_of(game: AnyGame, refusals: Sequence[Refusal]) -> list[dict[str, Any]]:
    return [explained(game, refusal, "/scoresheet") for refusal in refusals]


def score(scored: Mapping[str, Any]) -> Score:
    """A score as the game computes it: the result, or every possible one."""
    if "outcomes" in scored:
        return Score(outcomes=[PossibleResult(**outcome) for outcome in scored["outcomes"]])
    return Score(scored["result"])
