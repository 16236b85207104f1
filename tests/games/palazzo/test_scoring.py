"""The final score, ties, places, and scoresheets."""

from collections import Counter
from itertools import combinations, product
from random import Random
from typing import Any

import msgspec
import pytest

from capomastro.engine import events as engine_events
from capomastro.engine.hands import Hand
from capomastro.engine.stages import GameOver
from capomastro.games.palazzo import events
from capomastro.games.palazzo.components import FLOORS, MONEY, TILES, WINDOWS, floor_of
from capomastro.games.palazzo.game import GAME
from capomastro.games.palazzo.money import most_playable
from capomastro.games.palazzo.scoresheet import COUNTS, Scoresheet, SheetSeat, fewest_tiles
from capomastro.games.palazzo.scoring import Outline, Result, most_possible, outline
from capomastro.games.palazzo.state import State
from tests.games.palazzo.table import audited, cards, hand, table, tiles
from tests.support.documents import as_document

ALL_TILES = tuple(tile for tile, number in TILES.items() for _ in range(number))
ALL_MONEY = tuple(card for card, number in MONEY.items() for _ in range(number))
THREE, FOUR, SIX = "b11 m21 s31", "b11 m21 s32", "b11 m22 s33"
"""Palaces of three floors by the points they score; the tiles repeat, which does not affect a result."""


def over(*hands: Hand | str, palaces: list[list[str]]) -> State:
    return table(stage=GameOver(), riders=5, hands=hands, palaces=palaces)


def result(*hands: Hand | str, palaces: list[list[str]]) -> Result:
    return GAME.result(over(*hands, palaces=palaces))


def places(of: Result) -> list[int | None]:
    return [player.place for player in of.players]


def trail(of: Result) -> list[tuple[tuple[int, ...], tuple[int | None, ...]]]:
    return [(each.seats, each.values) for each in of.tie_break]


def test_every_line_has_the_origin_of_its_points() -> None:
    scored = result("", "", palaces=[["b11", "b22 m32", "s12 s21 s31 s42"], ["m12 m21 m31 m42 m52"]])
    assert [
        (line.rule.removeprefix("palazzo.scoring."), line.points, line.palace) for line in scored.players[0].lines
    ] == [
        ("single-floor", -5, 0),
        ("two-floors", 0, 1),
        ("windows", 6 + 3, 2),
        ("one-material", 3, 2),
    ]
    assert scored.players[0].lines[2].tiles == tiles("s12 s21 s31 s42")
    assert (scored.players[0].lines[2].floors, scored.players[0].lines[2].windows) == (4, 6)
    assert [player.total for player in scored.players] == [7, 20]
    assert (scored.winners, places(scored)) == ((1,), [2, 1])
    assert trail(scored) == []


def test_without_a_palace_the_score_is_zero() -> None:
    scored = result("", "", palaces=[[], ["b11"]])
    assert [player.total for player in scored.players] == [0, -5]
    assert scored.players[0].lines == ()
    assert scored.winners == (0,)


def test_a_tie_is_won_by_the_hand_worth_more_as_a_single_bid_not_by_the_larger_sum() -> None:
    scored = result("r7 g7 b6 r6", "r3 g3 b3", palaces=[[THREE], [THREE]])  # 26 faces against 9
    assert (scored.winners, places(scored)) == ((1,), [2, 1])
    assert trail(scored) == [((0, 1), (13, 15))]


def test_a_tie_of_equal_hands_is_shared_even_if_they_are_empty() -> None:
    for hands in (("", ""), ("r3 r4", "g7"), ("c c c", "r4 g4 b4")):
        scored = result(*hands, palaces=[[SIX], [SIX]])
        assert (scored.winners, places(scored)) == ((0, 1), [1, 1])
        assert len(trail(scored)) == 1


def test_places_below_the_first_are_decided_in_the_same_way() -> None:
    scored = result("r7", "g3", "g5", "b4", palaces=[[SIX], [THREE], [THREE], [THREE]])
    assert places(scored) == [1, 4, 2, 3]
    assert trail(scored) == [((1, 2, 3), (3, 5, 4))]
    shared = result("", "g3", "g5", "b5", palaces=[[SIX], [THREE], [THREE], [THREE]])
    assert places(shared) == [1, 4, 2, 2]
    assert shared.winners == (0,)


def test_negative_totals_still_have_a_winner() -> None:
    scored = result("", "r3", palaces=[["b11", "m11"], ["s11"]])
    assert [player.total for player in scored.players] == [-10, -5]
    assert scored.winners == (1,)


def test_a_tie_that_needs_an_unknown_hand_is_undecided() -> None:
    scored = result("r5", hand("r3", unknown=1), palaces=[[SIX], [SIX]])
    assert places(scored) == [None, None]
    assert (scored.undecided, scored.winners) == ((0, 1), None)
    assert trail(scored) == [((0, 1), (5, None))]
    assert [each.seat for each in scored.missing] == [1]


def test_an_unknown_hand_does_not_matter_where_it_cannot_change_the_place() -> None:
    clear = result("", hand(unknown=3), palaces=[[SIX], [THREE]])
    assert (places(clear), clear.winners, clear.missing) == ([1, 2], (0,), ())
    enough = result("r5", hand("r7", unknown=1), palaces=[[SIX], [SIX]])  # 7 or more against 5
    assert (places(enough), enough.winners) == ([2, 1], (1,))


def test_an_unknown_hand_that_cannot_be_worth_enough_does_not_matter() -> None:
    best_card = result("r7 r6", hand("r3", unknown=1), palaces=[[SIX], [SIX]])  # 13 against 3 + 7 at most
    assert (places(best_card), best_card.winners) == ([1, 2], (0,))
    group = result("r7 r6", hand("r3 g3", unknown=1), palaces=[[SIX], [SIX]])  # a third 3 makes 15
    assert group.winners is None
    seen = result("r7 r6 b3", hand("r3 g3", unknown=1, opened="b4 b4 r4 r4"), hand("b3 b3"), palaces=[[SIX], [SIX], []])
    assert seen.winners is None  # 4 4 and 7, or 4 4 and a group of fours
    gone = result("r7 r7 r6 r6 b3", hand("r3 g3", unknown=1), hand("b3 b3"), palaces=[[SIX], [SIX], []])
    assert gone.winners == (0,)


def test_a_card_that_must_be_in_the_deck_is_in_no_unknown_hand() -> None:
    deck, unknown = cards("r7 r7 g7 b3"), cards("c r3")
    rest = list(ALL_MONEY)
    for card in (*deck, *unknown, *cards("g4 g4")):
        rest.remove(card)
    state = table(
        stage=GameOver(),
        riders=5,
        hands=["g4 g4", hand(unknown=2)],
        shuffled_in=deck,
        discards=tuple(rest),
        palaces=[[SIX], ["b12 m21 s33"]],
    )
    assert GAME.result(state).winners == (0,)  # 8 against a certificate and a 3


def test_the_greatest_value_of_an_unknown_hand_agrees_with_brute_force() -> None:
    random = Random(5)
    for _ in range(150):
        box = [card for card in ALL_MONEY if card == "certificate-2" or card[-1] in random.choice(["37", "34", "5"])]
        some = random.sample(box, min(len(box), 12))
        known, hidden = tuple(sorted(some[: random.randint(0, 6)])), tuple(sorted(some[6:]))
        unknown = random.randint(1, len(hidden))
        tried = max(most_playable(tuple(sorted((*known, *more)))) for more in set(combinations(hidden, unknown)))
        assert most_possible(known, unknown, Counter(hidden)) == tried


def test_an_undecided_lower_place_leaves_the_winner_certain() -> None:
    scored = result("", hand(unknown=1), hand(unknown=1), palaces=[[SIX], [THREE], [THREE]])
    assert (scored.winners, places(scored), scored.undecided) == ((0,), [1, None, None], (1, 2))


def test_one_of_three_tied_players_has_a_place_while_the_others_depend_on_an_unknown_hand() -> None:
    # the unknown card can be a 7 at most: nobody gets ahead of seat 0, but seat 2 may share the victory or be last
    scored = result("r7", "r3", hand(unknown=1), palaces=[[SIX], [SIX], [SIX]])
    assert places(scored) == [1, None, None]
    assert (scored.winners, scored.undecided) == (None, (1, 2))
    behind = result("r7 r3", "r3", hand(unknown=1), palaces=[[SIX], [SIX], [SIX]])
    assert (behind.winners, places(behind)) == ((0,), [1, None, None])


def test_final_events_are_the_lines_of_the_result() -> None:
    state = over("", "", palaces=[["b11", "m12 m21 m31"], ["s12 s23"]])
    happened = GAME.final_events(state)
    scored = [line for line in happened if isinstance(line, events.PalaceScored)]
    assert [(line.seat, line.points) for line in scored] == [(0, -5), (0, 4), (0, 3), (1, 0)]
    assert happened == [*scored, engine_events.GameOver("palazzo.end.fifth-rider")]


# --- scoresheets -----------------------------------------------------------------------------------------------------


def score(*seats: SheetSeat) -> Result:
    sheet = Scoresheet("palazzo", 1, seats)
    assert list(GAME.faults_of_scoresheet(sheet)) == []
    scored: Result = GAME.score(sheet)["result"]
    return scored


def test_a_scoresheet_in_tiles_scores_like_the_state() -> None:
    palaces = [["b11", "s12 s21 s31 s42"], ["m12 m21 m31 m42 m52"]]
    state = table(stage=GameOver(), riders=5, hands=["r3", "g4"], palaces=palaces, removed=tiles("b12"))
    sheet = [SheetSeat(tuple(map(tiles, own)), cards(money)) for own, money in zip(palaces, ("r3", "g4"), strict=True)]
    assert score(*sheet) == GAME.result(state)


def test_a_coarse_scoresheet_scores_without_tiles() -> None:
    scored = score(SheetSeat((Outline(4, 7, "one"), Outline(1, 3, "one"))), SheetSeat((tiles("b11 m22 s33"),)))
    assert [player.total for player in scored.players] == [13 - 5, 6]
    assert "tiles" not in as_document(scored.players[0].lines[0])


def test_missing_hands_are_reported_only_if_the_tie_is_real() -> None:
    clear = score(SheetSeat((tiles("b11 m22 s33"),)), SheetSeat(()))
    assert (clear.winners, clear.missing) == ((0,), ())
    tied = score(SheetSeat((tiles("b11 m22 s33"),)), SheetSeat((Outline(3, 6, "mixed"),)))
    assert (tied.winners, tied.undecided) == (None, (0, 1))
    assert [each.seat for each in tied.missing] == [0, 1]
    half = score(SheetSeat((tiles("b11 m22 s33"),), ()), SheetSeat((Outline(3, 6, "mixed"),)))
    assert half.winners is None
    assert [each.seat for each in half.missing] == [1]


@pytest.mark.parametrize(
    ("document", "rules"),
    [
        ({"palaces": [["brick-1-1", "brick-1-2"]]}, ["building.rising"]),
        ({"palaces": [["brick-2-1", "brick-1-2"]]}, ["building.rising"]),
        ({"palaces": [["brick-1-1"], ["brick-1-1"]]}, ["components.tiles"]),
        ({"palaces": [["brick-3-1"], ["brick-3-1"]]}, []),
        ({"palaces": [{"floors": 3, "windows": 2, "material": "one"}]}, ["building.windows"]),
        ({"palaces": [{"floors": 3, "windows": 10, "material": "one"}]}, ["building.windows"]),
        ({"palaces": [{"floors": 1, "windows": 3, "material": "mixed"}]}, ["building.material"]),
        ({"palaces": [], "hand": ["red-3"] * 4}, ["components.money"]),
        (
            {"palaces": [["brick-2-1", "brick-1-2"], ["brick-2-1"]], "hand": ["red-3"] * 4},
            ["building.rising", "components.tiles", "components.money"],
        ),
    ],
)
def test_sheets_with_more_than_the_box_are_refused(document: dict[str, Any], rules: list[str]) -> None:
    sheet = msgspec.convert(
        {"game": "palazzo", "schema_version": 1, "seats": [document, {"palaces": []}]}, GAME.scoresheet_type
    )
    assert [finding.rule.removeprefix("palazzo.") for finding in GAME.faults_of_scoresheet(sheet)] == rules


def test_the_whole_box_can_be_on_the_table() -> None:
    singles = [" ".join(f"{tile[0]}{tile[-3]}{tile[-1]}" for tile in (one,)) for one in ALL_TILES]
    state = table(stage=GameOver(), riders=5, palaces=[singles, []])
    assert audited(state) == []
    assert GAME.result(state).players[0].total == -5 * 48


@pytest.mark.parametrize("floors", FLOORS)
def test_the_fewest_tiles_of_an_outline_agree_with_all_palaces(floors: int) -> None:
    palaces = [
        [*zip(chosen, windows, strict=True)]
        for chosen in combinations(FLOORS, floors)
        for windows in product(WINDOWS, repeat=floors)
    ]
    for windows in range(floors, 3 * floors + 1):
        built = [palace for palace in palaces if sum(number for _, number in palace) == windows]
        for floor, least in COUNTS:
            fewest = min(sum(floor in (None, at) and number >= least for at, number in palace) for palace in built)
            assert fewest_tiles(Outline(floors, windows, "mixed"), floor, least) == fewest


@pytest.mark.parametrize("seed", range(10))
def test_no_built_table_has_more_than_the_box(seed: int) -> None:
    """Whole tables, with tiles and outlines mixed."""
    random = Random(seed)
    palaces: list[tuple[str, ...]] = []
    for tile in random.sample(ALL_TILES, random.randint(20, 48)):
        above = [index for index, palace in enumerate(palaces) if floor_of(palace[-1]) < floor_of(tile)]
        if above:
            palaces[random.choice(above)] += (tile,)
        else:
            palaces.append((tile,))
    sheet = [outline(palace) if random.random() < 0.7 else palace for palace in palaces]
    score(SheetSeat(tuple(sheet)), SheetSeat(()))  # asserts that nothing is refused


def test_every_palace_beyond_the_box_is_named_and_not_counted() -> None:
    whole = [Outline(5, 15, "mixed")] * 4
    sheet = Scoresheet("palazzo", 1, (SheetSeat((*whole, Outline(2, 7, "mixed"), Outline(1, 2, "one"))), SheetSeat(())))
    assert [(finding.rule, finding.pointer) for finding in GAME.faults_of_scoresheet(sheet)] == [
        ("palazzo.building.windows", "/seats/0/palaces/4/windows"),
        ("palazzo.building.buildable", "/seats/0/palaces/3"),
    ]


def test_an_unfinished_sheet_has_lines_and_no_places() -> None:
    unfinished = Scoresheet("palazzo", 1, (SheetSeat((tiles("b11 b22 b33"),)), SheetSeat()), unfinished=True)
    result = GAME.score(unfinished)["result"]
    assert [line.points for line in result.players[0].lines] == [6, 3]
    assert [player.place for player in result.players] == [None, None]
    assert (result.winners, result.undecided, result.tie_break) == (None, (0, 1), ())
    judged = GAME.judge_scoresheet(unfinished)
    assert (judged.impossible, [finding.pointer for finding in judged.missing]) == ((), ["/seats/1/palaces"])
    assert judged.refusals(unfinished=True) == ()
    assert judged.refusals(unfinished=False) == judged.missing
