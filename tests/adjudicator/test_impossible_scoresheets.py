"""`even_if_impossible`: every complete scoresheet has a result, and findings say what the rules do not allow."""

from typing import Any

import msgspec
import pytest

from capomastro.adjudicator import pictures_of_scoresheet, score_scoresheet
from capomastro.answers import Score
from capomastro.documents.problems import Problem
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.documents import as_document
from tests.support.refusals import Case, cases_of
from tests.support.schemas import schema_files

BROKEN = [
    pytest.param(game, broken, id=broken.rule)
    for game in all_games().values()
    for broken in cases_of(game)
    if isinstance(broken.subject, game.scoresheet_type)
]


def refused_for(game: AnyGame, sheet: dict[str, Any], **options: bool) -> list[dict[str, Any]]:
    with pytest.raises(Problem) as refused:
        score_scoresheet(game, sheet, **options)
    return list(refused.value.errors)


@pytest.mark.parametrize(("game", "broken"), BROKEN)
def test_a_sheet_is_refused_only_for_what_it_lacks(game: AnyGame, broken: Case) -> None:
    judged = game.judge_scoresheet(broken.subject)
    sheet = as_document(broken.subject)
    if judged.missing and not broken.subject.unfinished:
        missing = refused_for(game, sheet, even_if_impossible=True)
        assert [finding["rule"] for finding in missing] == [finding.rule for finding in judged.missing]
    else:
        scored = score_scoresheet(game, sheet, even_if_impossible=True)
        assert list(scored.findings) == refused_for(game, sheet)  # type: ignore[arg-type]
        require_documented(game, scored)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_a_possible_sheet_has_the_same_result_and_no_findings(game: AnyGame) -> None:
    for sheet in schema_files()[f"{game.id}/scoresheet.json"]["examples"]:
        plain = as_document(score_scoresheet(game, sheet))
        assert as_document(score_scoresheet(game, sheet, even_if_impossible=True)) == {**plain, "findings": []}


def require_documented(game: AnyGame, score: Score) -> None:
    """Raises if a result is not as its schema says."""
    for result in [outcome.result for outcome in score.outcomes] if score.outcomes else [score.result]:
        msgspec.convert(as_document(result), game.result_type)


# --- what the board or the players cannot have gives nothing ---------------------------------------------------------


def counted(sheet: dict[str, Any]) -> Score:
    return score_scoresheet(all_games()[sheet["game"]], sheet, even_if_impossible=True)


def same_points(sheet: dict[str, Any], without: dict[str, Any]) -> None:
    impossible, rest = counted(sheet), counted(without)
    assert any(finding not in rest.findings for finding in impossible.findings)  # type: ignore[operator, union-attr]
    assert impossible.result.totals == rest.result.totals  # type: ignore[union-attr]


def fifth_avenue(district: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """Two players, with everything typed in; all districts but one are empty."""
    lots: dict[str, Any] = {lot: {} for lot in ("orange", "green", "purple", "grey", "brown")}
    definition = schema_files()["fifth-avenue/scoresheet.json"]
    names = list(definition["examples"][0]["districts"])
    return {
        "game": "fifth-avenue",
        "schema_version": 1,
        "seats": [{"score": 10, "central_park": 0}, {"score": 20, "central_park": 0}],
        "districts": {**dict.fromkeys(names, lots), names[0]: {**lots, **district}},
        "park_tiles": [],
        **rest,
    }


BUILT = {"orange": {"owner": 0, "buildings": 2}, "green": {"businesses": ["gallery"]}}


def test_lots_and_rings_that_the_board_lacks_give_nothing() -> None:
    same_points(fifth_avenue({**BUILT, "colourless": {"owner": 1, "buildings": 3}}), fifth_avenue(BUILT))
    name = next(iter(fifth_avenue({})["districts"]))
    ring = ["orange", "green", "green", "grey", "brown"]
    same_points(fifth_avenue(BUILT, rings={name: ring}), fifth_avenue(BUILT))


def test_buildings_of_a_seat_that_does_not_play_give_nothing() -> None:
    same_points(fifth_avenue({**BUILT, "grey": {"owner": 3, "buildings": 3}}), fifth_avenue(BUILT))


def test_tokens_of_a_seat_that_does_not_play_give_nothing() -> None:
    sheet = next(
        sheet
        for sheet in schema_files()["campanile/scoresheet.json"]["examples"]
        if sheet["intermezzo"]["type"] == "tokens" and len(sheet["seats"]) < 5
    )
    by_seat: list[list[int]] = [[] for _ in sheet["seats"]]
    without = {**sheet, "intermezzo": {"type": "tokens", "by_seat": by_seat}}
    same_points({**sheet, "intermezzo": {"type": "tokens", "by_seat": [*by_seat, [2]]}}, without)


# --- what has no pieces gives nothing, and what has too many is answered as the schema says ---------------------------


def test_an_owner_without_buildings_has_no_line() -> None:
    scored = counted(fifth_avenue({**BUILT, "grey": {"owner": 1, "buildings": 0}}))
    require_documented(all_games()["fifth-avenue"], scored)
    assert scored.result.totals == counted(fifth_avenue(BUILT)).result.totals  # type: ignore[union-attr]


def campanile(*markers: str) -> dict[str, Any]:
    """One row, of these markers, under one tower."""
    towers = {style: {"height": 3, "rows": []} for style in "abcde"}
    return {
        "game": "campanile",
        "schema_version": 1,
        "seats": [{}, {}],
        "towers": {**towers, "a": {"height": 4, "rows": [{"seat": 0, "markers": [*markers]}]}},
        "intermezzo": {"type": "tokens", "by_seat": [[], []]},
    }


def test_a_row_without_markers_wins_nothing_on_an_unfinished_sheet() -> None:
    game, sheet = all_games()["campanile"], {**campanile(), "unfinished": True}
    scored = score_scoresheet(game, sheet)
    require_documented(game, scored)
    assert scored.result.totals == (0, 0)  # type: ignore[union-attr]
    assert pictures_of_scoresheet(game, sheet).pictures


def test_a_row_with_more_markers_than_exist_is_answered() -> None:
    require_documented(all_games()["campanile"], counted(campanile(*["large"] * 9)))
