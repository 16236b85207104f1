"""Scoresheets: both scorings line by line, and the same result as the game they are of."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from capomastro.engine.game import SheetSeat
from capomastro.engine.scoresheets import Judgement
from capomastro.games.campanile.components import MARKERS, MEDIUM, SIZES, STYLES, TOKENS, copies
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.moves import RevealCard
from capomastro.games.campanile.rows import has_marker, markers_by_seat, with_marker, without_marker
from capomastro.games.campanile.scoresheet import (
    Position,
    Scoresheet,
    SheetTower,
    TokensWon,
    raised,
    turns_before_intermezzo,
    turns_of_game,
)
from capomastro.games.campanile.scoring import Result, ScoreLine, intermezzo, tokens_won
from capomastro.games.campanile.state import State, Tower
from capomastro.games.campanile.tokens import Row
from tests.games.campanile.table import scoresheet, sheet_towers
from tests.games.campanile.variants import VARIANTS
from tests.support.documents import as_document
from tests.support.playouts import play_out
from tests.support.setups import fits
from tests.support.shapes import shape_of

SETUPS = [(players, options) for players in GAME.players for options in ({}, *VARIANTS) if fits(GAME, players, options)]

Intermezzo = TokensWon | Position | None

END = {"a": "19 0LS 2M", "b": "19 1MM", "c": "14 2S 1S", "d": "6", "e": "3"}
"""A finished table of three."""


def scored(sheet: Scoresheet) -> Result:
    assert not GAME.faults_of_scoresheet(sheet)
    assert shape_of("campanile", "scoresheet").accepts(as_document(sheet))
    result: Result = GAME.score(sheet)["result"]
    assert shape_of("campanile", "result").accepts(as_document(result))
    return result


def test_both_scorings_line_by_line() -> None:
    result = scored(scoresheet(3, END, {"a": "6 0L", "b": "4 1M", "c": "1 2S"}))

    def line(rule: str, points: int, tower: str, rank: int, height: int, influence: int, place: int = 1) -> ScoreLine:
        return ScoreLine(f"campanile.scoring.{rule}", points, tower, rank, height, influence, place)

    assert [list(player.lines) for player in result.players] == [
        [line("intermezzo", 4, "a", 1, 6, 3), line("finito", 6, "a", 1, 19, 4)],
        [line("intermezzo", 3, "b", 2, 4, 2), line("finito", 5, "b", 2, 19, 4), line("finito", 2, "c", 3, 14, 1, 2)],
        [line("intermezzo", 2, "c", 3, 1, 1), line("finito", 4, "a", 1, 19, 2, 2), line("finito", 4, "c", 3, 14, 1)],
    ]
    assert [player.total for player in result.players] == [10, 10, 10]
    assert [(one.seats, one.values) for one in result.tie_break] == [((0, 1, 2), (6, 5, 4))]
    assert [player.place for player in result.players] == [1, 2, 3]
    assert [scoring.scoring for scoring in result.scorings] == ["intermezzo", "finito"]
    (third,) = [tower for tower in result.scorings[1].towers if tower.tower == "c"]
    assert [(one.seat, one.token, one.ahead_by_order_of) for one in third.contenders] == [(2, 4, (1,)), (1, 2, ())]
    assert result.skipped_checks == ()


def test_of_tokens_only_the_values_are_known() -> None:
    result = scored(scoresheet(3, END, [(4,), (3,), (2,)]))
    assert [player.total for player in result.players] == [10, 10, 10]
    assert as_document(result.players[0].lines[0]) == {"rule": "campanile.scoring.intermezzo", "points": 4}
    assert [scoring.scoring for scoring in result.scorings] == ["finito"]


def test_the_tower_order_decides_between_equal_heights() -> None:
    end, tokens = {"a": "9 0S", "b": "9 1S"}, [(), ()]
    assert scored(scoresheet(2, end, tokens)).winners == (0,)
    assert scored(scoresheet(2, end, tokens, tower_order=tuple("edcba"))).winners == (1,)


def test_all_findings_are_reported_at_once() -> None:
    end = {"a": "19 0LL", "b": "2 1S 1S", "c": "3 7S"}
    rules = {finding.rule for finding in GAME.faults_of_scoresheet(scoresheet(2, end, [(6,), ()]))}
    assert rules == {
        "campanile.tower.height",
        "campanile.components.markers",
        "campanile.row.one-each",
        "campanile.turn.seats",
        "campanile.scoring.tokens",
        "campanile.end.turns",
    }


# --- what cannot be, on both sides of the edge -----------------------------------------------------------------------

NOTHING_WON = [(), ()]


def rules_against(sheet: Scoresheet) -> list[str]:
    return [finding.rule for finding in GAME.faults_of_scoresheet(sheet)]


@pytest.mark.parametrize(
    ("rule", "impossible", "possible"),
    [
        # twelve turns at the least, one card each, and only six cards of a style
        ("end.turns", {"a": "6", "b": "5"}, {"a": "6", "b": "6"}),
        ("end.turns", {"a": "18", "b": "5"}, {"a": "18", "b": "6"}),
        # twenty-two at the most, three floors each
        ("end.turns", {"a": "18", "b": "18", "c": "18", "d": "13"}, {"a": "18", "b": "18", "c": "18", "d": "12"}),
        # twelve cards of one floor each cannot have been for a marker worth two
        ("end.course", {"a": "6", "b": "6 0M"}, {"a": "6", "b": "6 0S"}),
        ("end.course", {"a": "6", "b": "7 0L"}, {"a": "6", "b": "7 0M"}),
        # all raises by three
        (
            "end.course",
            {"a": "18", "b": "18", "c": "18", "d": "12 0S"},
            {"a": "18", "b": "18", "c": "18", "d": "12 0L"},
        ),
        (
            "end.course",
            {"a": "18", "b": "18", "c": "18", "d": "11 0S"},
            {"a": "18", "b": "18", "c": "18", "d": "11 0M"},
        ),
        # eight floors of six cards have two raises by two, or one by three
        ("end.course", {"a": "8 0MMM", "b": "6"}, {"a": "8 0MM", "b": "6"}),
        # twelve turns are six of each player
        ("marker.one-a-turn", {"a": "7 0SSSSS", "b": "6 0MM"}, {"a": "7 0SSSSS", "b": "6 0M"}),
    ],
)
def test_a_finished_table_of_two(rule: str, impossible: dict[str, str], possible: dict[str, str]) -> None:
    assert rules_against(scoresheet(2, impossible, NOTHING_WON)) == [f"campanile.{rule}"]
    assert rules_against(scoresheet(2, possible, NOTHING_WON)) == []


def test_towers_without_floors_are_only_too_few_turns() -> None:
    """No tokens are right either, but none is wrong."""
    assert rules_against(scoresheet(2, {}, NOTHING_WON)) == ["campanile.end.turns"]
    assert rules_against(scoresheet(2, {}, {})) == ["campanile.end.turns", "campanile.deck.intermezzo-turns"]


def test_a_turn_has_at_most_one_marker() -> None:
    rows = "4LMMMSSSS"
    end = {"a": f"20 {rows}", "b": "20", "c": "20", "d": "20"}
    nothing = [()] * 5
    assert rules_against(scoresheet(5, end, nothing)) == []
    end["a"] += "S"
    assert rules_against(scoresheet(5, end, nothing)) == ["campanile.marker.one-a-turn"]
    assert rules_against(scoresheet(4, {**end, "a": "20 3LMMMSSSSS"}, [()] * 4)) == []


@pytest.mark.parametrize(
    ("rule", "end", "impossible", "possible"),
    [
        # the Intermezzo shows in the first turn at the earliest …
        ("deck.intermezzo-turns", {"a": "18", "b": "18", "c": "18", "d": "12"}, {}, {"a": "3"}),
        # … and after twelve at the latest
        (
            "deck.intermezzo-turns",
            {"a": "18", "b": "18", "c": "18", "d": "12"},
            {"a": "18", "b": "18", "c": "1"},
            {"a": "18", "b": "18"},
        ),
        # two raises by one are not one by two
        ("deck.intermezzo-course", {"a": "8 0M", "b": "6"}, {"a": "1 0M", "b": "1"}, {"a": "2 0M"}),
        # six cards of a style make eighteen floors only by three each
        ("deck.intermezzo-course", {"a": "18", "b": "6"}, {"a": "1"}, {"a": "3"}),
        # ten turns are left, five of each player, so one of six markers must have been there before
        (
            "deck.intermezzo-course",
            {"a": "18", "b": "18", "c": "9 0MSSSSS", "d": "9"},
            {"a": "18", "b": "18"},
            {"a": "18", "c": "9 0S"},
        ),
    ],
)
def test_the_turns_since_the_intermezzo_are_checked(
    rule: str, end: dict[str, str], impossible: dict[str, str], possible: dict[str, str]
) -> None:
    assert rules_against(scoresheet(2, end, impossible)) == [f"campanile.{rule}"]
    assert rules_against(scoresheet(2, end, possible)) == []


# --- sheets that are still being typed in ----------------------------------------------------------------------------


def so_far(players: int, intermezzo: Intermezzo = None, **towers: SheetTower) -> Judgement:
    """The findings on a sheet with only this."""
    every = {style: towers.get(style, SheetTower()) for style in STYLES}
    return GAME.judge_scoresheet(
        Scoresheet("campanile", 1, (SheetSeat(),) * players, every, intermezzo, unfinished=True)
    )


def tower_of(text: str) -> SheetTower:
    return sheet_towers({"a": text})["a"]


def test_what_a_sheet_without_entries_lacks() -> None:
    judged = so_far(3)
    assert not judged.impossible
    assert [finding.pointer for finding in judged.of_finished_game] == [
        *(f"/towers/{style}/height" for style in STYLES),
        "/intermezzo",
    ]


def test_an_unfinished_sheet_is_not_refused_for_missing_entries() -> None:
    """Still missing: floors for the markers, further turns, the rest of a row, of a flag and of the players."""
    heights = dict.fromkeys("bcde", SheetTower(0))
    judged = so_far(2, TokensWon(((2,),)), a=SheetTower(3, (Row(0, ("large", "large")[:1]), Row(1, ()))), **heights)
    assert not judged.impossible
    assert [finding.rule for finding in judged.missing] == ["campanile.row.empty", "campanile.scoring.sheet-tokens"]
    assert [finding.rule for finding in judged.contradictions] == ["campanile.end.turns"]
    shrunk = so_far(2, Position(sheet_towers({"a": "9 0S"})), a=tower_of("6"), **heights)
    assert not shrunk.impossible
    assert {"campanile.tower.never-lower", "campanile.marker.stays"} <= {
        finding.rule for finding in shrunk.contradictions
    }


@pytest.mark.parametrize(
    ("rule", "towers", "tokens"),
    [
        ("tower.height", {"a": "37"}, []),
        ("row.one-each", {"a": "3 0S 0S"}, []),
        ("components.markers", {"a": "3 0L 1S", "b": "2 0L"}, []),
        ("turn.seats", {"a": "3 3S"}, []),
        ("turn.seats", {}, [(), (), (), ()]),
        ("scoring.tokens", {}, [(4, 4)]),
        ("scoring.tokens", {}, [(4,), (4,)]),
        ("scoring.tokens", {}, [(3, 1, 1, 1)]),
        ("end.turns", {"a": "36", "b": "36", "c": "36", "d": "36", "e": "4"}, []),
        ("end.course", {"a": "36", "b": "36", "c": "36", "d": "36", "e": "3 0S"}, []),
    ],
)
def test_errors_that_no_further_entry_can_correct_are_refused(
    rule: str, towers: dict[str, str], tokens: list[tuple[int, ...]]
) -> None:
    typed = {style: tower_of(text) for style, text in towers.items()}
    assert [finding.rule for finding in so_far(3, TokensWon(tuple(tokens)), **typed).impossible] == [
        f"campanile.{rule}"
    ]


def test_rows_in_another_order_are_refused_on_an_unfinished_sheet() -> None:
    then = Position(sheet_towers({"a": "5 0S"}))
    assert [finding.rule for finding in so_far(2, then, a=tower_of("6 1S 0S")).impossible] == ["campanile.row.rank"]


def test_the_points_so_far() -> None:
    """Tokens count as soon as they are entered, towers once all of them are."""
    sheet = replace(scoresheet(3, END, [(4,), (3,)]), unfinished=True)
    whole = GAME.score(sheet)["result"]
    assert [player.total for player in whole.players] == [10, 10, 8]
    assert [player.place for player in whole.players] == [None] * 3
    without = replace(sheet, towers={**sheet.towers, "e": SheetTower(None, sheet.towers["e"].rows)})
    partly = GAME.score(without)["result"]
    assert [player.total for player in partly.players] == [4, 3, 0]
    assert partly.scorings == ()
    assert shape_of("campanile", "result").accepts(as_document(partly))
    assert shape_of("campanile", "scoresheet").accepts(as_document(without))
    neither = GAME.score(replace(without, intermezzo=None))["result"]
    assert [player.total for player in neither.players] == [0, 0, 0]


@pytest.mark.parametrize(
    ("players", "fewest", "most"),
    [(2, 12, 22), (3, 39, 49), (4, 36, 46), (5, 33, 43)],
)
def test_how_many_turns_a_game_has(players: int, fewest: int, most: int) -> None:
    assert list(turns_of_game(players)) == list(range(fewest, most + 1))
    assert list(turns_before_intermezzo(players)) == list(range(1, fewest + 1))


# --- tables that turns lead to ---------------------------------------------------------------------------------------


def some_turns(players: int, variant: bool, random: Random) -> tuple[dict[str, SheetTower], dict[str, SheetTower]]:
    """The towers at the Intermezzo and at the end of turns without hands and a display, of one kind or mixed."""
    turns, at = random.choice(turns_of_game(players)), random.choice(turns_before_intermezzo(players))
    kinds, share = random.choice([(1,), (2,), (3,), (1, 2, 3)]), random.choice([0.2, 0.9, 1])
    cards, towers = dict.fromkeys(STYLES, copies(players)), dict.fromkeys(STYLES, SheetTower(0))
    then = towers
    for turn in range(turns):
        seat, floors = turn % players, random.choice(kinds)
        style, under = random.choice([style for style in STYLES if cards[style]]), random.choice(STYLES)
        cards[style] -= 1
        towers = {**towers, style: SheetTower((towers[style].height or 0) + floors, towers[style].rows)}
        size = SIZES[floors]
        placed = markers_by_seat([tower.rows for tower in towers.values()], players)[seat]
        sources = [style for style in STYLES if has_marker(towers[style].rows, seat, MEDIUM)] if variant else []
        if random.random() > share:
            pass
        elif floors == 2 and sources and random.random() < 0.5:
            source = random.choice(sources)
            towers = with_rows_of(towers, source, without_marker(towers[source].rows, seat, MEDIUM))
            towers = with_rows_of(towers, under, with_marker(towers[under].rows, seat, MEDIUM))
        elif placed.count(size) < MARKERS[size]:
            towers = with_rows_of(towers, under, with_marker(towers[under].rows, seat, size))
        if turn == at - 1:
            then = towers
    return then, towers


def with_rows_of(towers: dict[str, SheetTower], style: str, rows: tuple[Row, ...]) -> dict[str, SheetTower]:
    return {**towers, style: SheetTower(towers[style].height, rows)}


@pytest.mark.parametrize(("players", "variant"), [(2, False), (2, True), (3, False), (4, False), (5, False)])
def test_counting_refuses_nothing_that_turns_can_lead_to(players: int, variant: bool) -> None:
    random = Random(f"{players} {variant}")
    for _ in range(80):
        then, end = some_turns(players, variant, random)
        scoring = intermezzo(players, STYLES, raised(then))
        tokens = TokensWon(tuple(tokens_won(scoring, seat) for seat in range(players)))
        for known in (Position(then), tokens):
            sheet = Scoresheet("campanile", 1, (SheetSeat(),) * players, end, known, move_medium_marker=variant)
            assert not GAME.faults_of_scoresheet(sheet), sheet
            assert not GAME.judge_scoresheet(replace(sheet, unfinished=True)).impossible


# --- sheets of played games ------------------------------------------------------------------------------------------


def without_cards(towers: dict[str, Tower]) -> dict[str, SheetTower]:
    return {style: SheetTower(tower.height, tower.rows) for style, tower in towers.items()}


@pytest.mark.parametrize(("players", "options"), SETUPS, ids=str)
def test_the_scoresheet_of_a_game_gives_its_result_and_no_more_tokens_than_the_box(
    players: int, options: dict[str, Any]
) -> None:
    for seed in range(6):
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
