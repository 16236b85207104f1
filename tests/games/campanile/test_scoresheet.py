"""Scoresheets: both scorings line by line, and the same result as the game they were written down from."""

from typing import Any

import pytest
from msgspec.structs import replace

from capomastro.documents.shapes import shape_of
from capomastro.games.campanile.components import TOKENS
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.moves import RevealCard
from capomastro.games.campanile.scoresheet import Position, Scoresheet, SheetSeat, SheetTower, TokensWon
from capomastro.games.campanile.scoring import Result, ScoreLine
from capomastro.games.campanile.state import State, Tower
from tests.games.campanile.table import scoresheet
from tests.games.campanile.variants import VARIANTS
from tests.support.documents import as_document
from tests.support.playouts import play_out
from tests.support.setups import fits

SETUPS = [(players, options) for players in GAME.players for options in ({}, *VARIANTS) if fits(GAME, players, options)]


def scored(sheet: Scoresheet) -> Result:
    assert not GAME.refuse_scoresheet(sheet)
    assert shape_of("campanile", "scoresheet").accepts(as_document(sheet))
    result: Result = GAME.score(sheet)["result"]
    assert shape_of("campanile", "result").accepts(as_document(result))
    return result


def test_both_scorings_line_by_line() -> None:
    end = {"a": "9 0LS 2M", "b": "9 1MM", "c": "4 2S 1S"}
    result = scored(scoresheet(3, end, {"a": "6 0L", "b": "4 1M", "c": "1 2S"}))

    def line(rule: str, points: int, tower: str, rank: int, height: int, influence: int, place: int = 1) -> ScoreLine:
        return ScoreLine(f"campanile.scoring.{rule}", points, tower, rank, height, influence, place)

    assert [list(player.lines) for player in result.players] == [
        [line("intermezzo", 4, "a", 1, 6, 3), line("finito", 6, "a", 1, 9, 4)],
        [line("intermezzo", 3, "b", 2, 4, 2), line("finito", 5, "b", 2, 9, 4), line("finito", 2, "c", 3, 4, 1, 2)],
        [line("intermezzo", 2, "c", 3, 1, 1), line("finito", 4, "a", 1, 9, 2, 2), line("finito", 4, "c", 3, 4, 1)],
    ]
    assert [player.total for player in result.players] == [10, 10, 10]
    assert [(one.seats, one.values) for one in result.tie_break] == [((0, 1, 2), (6, 5, 4))]
    assert [player.place for player in result.players] == [1, 2, 3]
    assert [scoring.scoring for scoring in result.scorings] == ["intermezzo", "finito"]
    (third,) = [tower for tower in result.scorings[1].towers if tower.tower == "c"]
    assert [(one.seat, one.token, one.ahead_by_order_of) for one in third.contenders] == [(2, 4, (1,)), (1, 2, ())]
    assert not result.skipped_checks


def test_with_tokens_only_the_skipped_checks_are_listed() -> None:
    result = scored(scoresheet(3, {"a": "9 0LS 2M", "b": "9 1MM", "c": "4 2S 1S"}, [(4,), (3,), (2,)]))
    assert [player.total for player in result.players] == [10, 10, 10]
    assert as_document(result.players[0].lines[0]) == {"rule": "campanile.scoring.intermezzo", "points": 4}
    assert [scoring.scoring for scoring in result.scorings] == ["finito"]
    assert result.skipped_checks == (
        "campanile.tower.never-lower",
        "campanile.marker.stays",
        "campanile.row.rank",
    )


def test_the_tower_order_decides_between_equal_heights() -> None:
    end, tokens = {"a": "9 0S", "b": "9 1S"}, [(), ()]
    assert scored(scoresheet(2, end, tokens)).winners == (0,)
    assert scored(scoresheet(2, end, tokens, tower_order=tuple("edcba"))).winners == (1,)


def test_all_findings_are_reported_at_once() -> None:
    end = {"a": "19 0LL", "b": "2 1S 1S", "c": "3 7S"}
    rules = {finding.rule for finding in GAME.refuse_scoresheet(scoresheet(2, end, [(6,), ()]))}
    assert rules == {
        "campanile.tower.height",
        "campanile.components.markers",
        "campanile.row.one-each",
        "campanile.turn.seats",
        "campanile.scoring.tokens",
    }


# --- sheets of played games ------------------------------------------------------------------------------------------


def without_cards(towers: dict[str, Tower]) -> dict[str, SheetTower]:
    return {style: SheetTower(tower.height, tower.rows) for style, tower in towers.items()}


@pytest.mark.parametrize(("players", "options"), SETUPS, ids=str)
def test_the_scoresheet_of_a_game_gives_its_result_and_no_more_tokens_than_the_box(
    players: int, options: dict[str, Any]
) -> None:
    for seed in range(25):
        at_intermezzo: State | None = None
        end: State | None = None
        for ply in play_out(GAME, players, options, str(seed)):
            if ply.move == RevealCard("intermezzo"):
                at_intermezzo = ply.before
            end = ply.after
        assert at_intermezzo is not None
        assert end is not None
        result = GAME.result(end)
        sheet = Scoresheet(
            game="campanile",
            schema_version=1,
            seats=(SheetSeat(),) * players,
            towers=without_cards(end.towers),
            intermezzo=TokensWon(tuple(seat.tokens for seat in end.seats)),
            tower_order=end.options.tower_order,
            move_medium_marker=end.options.move_medium_marker,
        )
        coarse = scored(sheet)
        full = scored(replace(sheet, intermezzo=Position(without_cards(at_intermezzo.towers))))
        assert coarse.players == result.players
        assert [(one.total, one.place) for one in full.players] == [(one.total, one.place) for one in result.players]
        assert coarse.winners == full.winners == result.winners
        assert coarse.tie_break == full.tie_break == result.tie_break
        assert full.scorings[1:] == coarse.scorings == result.scorings
        awarded = [line.points for player in result.players for line in player.lines]
        assert len(awarded) <= (16 if players == 2 else 17)
        assert all(awarded.count(value) <= number for value, number in TOKENS.items())
