"""Which palaces can be built together: compares the search with brute force, and tests its limits."""

from collections import Counter
from itertools import count
from random import Random

import pytest

from capomastro.engine.searches import TooManySteps
from capomastro.games.palazzo.buildable import is_buildable, tiles_left
from capomastro.games.palazzo.components import TILES, floor_of
from capomastro.games.palazzo.game import GAME
from capomastro.games.palazzo.scoresheet import Scoresheet, SheetSeat
from capomastro.games.palazzo.scoring import Outline, outline
from capomastro.games.palazzo.state import Palace
from tests.games.palazzo.sheets import tried
from tests.games.palazzo.table import tiles

BOX = Counter(TILES)


def random_outline(random: Random) -> Outline:
    floors = random.randint(1, 3)
    material = "one" if floors == 1 else random.choice(["one", "mixed"])
    return Outline(floors, random.randint(floors, 3 * floors), material)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(40))
def test_the_search_agrees_with_brute_force(seed: int) -> None:
    """Palaces for a small box, so that about half of them cannot be built."""
    random = Random(seed)
    left = tuple(random.sample([*BOX.elements()], 9))
    used = tuple((BOX - Counter(left)).elements())
    for _ in range(8):
        outlines = [random_outline(random) for _ in range(random.randint(1, 3))]
        assert is_buildable(outlines, tiles_left(used)) == tried(outlines, Counter(left), count()), (left, outlines)


def test_both_answers_are_frequent_in_that_box() -> None:
    answers = Counter[bool]()
    for seed in range(40):
        random = Random(seed)
        used = tuple((BOX - Counter(random.sample([*BOX.elements()], 9))).elements())
        for _ in range(8):
            outlines = [random_outline(random) for _ in range(random.randint(1, 3))]
            answers[is_buildable(outlines, tiles_left(used))] += 1
    assert min(answers[True], answers[False]) > 50


@pytest.mark.parametrize("seed", range(10))
def test_built_palaces_are_buildable(seed: int) -> None:
    """Whole tables, with tiles and outlines mixed."""
    random = Random(seed)
    palaces: list[list[str]] = []
    for tile in random.sample([*BOX.elements()], random.randint(20, 40)):
        open_to_it = [one for one in palaces if floor_of(tile) not in map(floor_of, one)]
        if open_to_it and random.random() < 0.9:
            random.choice(open_to_it).append(tile)
        else:
            palaces.append([tile])
    built: list[Palace] = [tuple(sorted(palace, key=floor_of)) for palace in palaces]
    in_outline = [palace for palace in built if random.random() < 0.7]
    exact = [tile for palace in built if palace not in in_outline for tile in palace]
    assert is_buildable(map(outline, in_outline), tiles_left(exact), steps=200_000)


EDGES: list[tuple[list[Outline], list[Outline]]] = [
    # fifteen tiles with three windows, three of them one of each material on each floor
    ([Outline(5, 15, "one")] * 3, [Outline(5, 15, "one")] * 3 + [Outline(1, 3, "one")]),
    ([Outline(5, 15, "mixed")] * 3, [Outline(5, 15, "mixed")] * 3 + [Outline(2, 6, "mixed")]),
    ([Outline(5, 15, "one")] * 2 + [Outline(5, 14, "mixed")], [Outline(5, 15, "one")] * 2 + [Outline(5, 15, "mixed")]),
    # nine palaces of five floors: three tiles of each material on all floors but the third
    ([Outline(5, 10, "one")] * 9, [Outline(5, 10, "mixed")] * 10),
    # the eighteen tiles with one window, six of them on the third floor
    ([Outline(1, 1, "one")] * 18, [Outline(1, 1, "one")] * 19),
    ([Outline(1, 1, "one")] * 6 + [Outline(4, 4, "one")] * 3, [Outline(1, 1, "one")] * 4 + [Outline(5, 5, "one")] * 3),
    # the whole box and one tile more
    ([Outline(1, 2, "one")] * 15, [Outline(1, 2, "one")] * 16),
]


@pytest.mark.parametrize(("possible", "impossible"), EDGES)
def test_edge_cases(possible: list[Outline], impossible: list[Outline]) -> None:
    assert is_buildable(possible, tiles_left(()))
    assert not is_buildable(impossible, tiles_left(()))


def sheet(*palaces: Palace | Outline, unfinished: bool = False) -> Scoresheet:
    return Scoresheet("palazzo", 1, (SheetSeat(palaces), SheetSeat(())), unfinished)


def test_exact_palaces_take_their_tiles_from_the_outlines() -> None:
    highest = tiles("b13 b23 b33 b43 b53")
    assert GAME.refuse_scoresheet(sheet(highest, Outline(5, 15, "one"), Outline(5, 15, "one"))) == ()
    refused = GAME.refuse_scoresheet(sheet(highest, *[Outline(5, 15, "one")] * 3))
    assert [(one.rule, one.pointer) for one in refused] == [("palazzo.building.buildable", "/seats/0/palaces/3")]


def test_every_palace_without_tiles_left_for_it_is_named() -> None:
    refused = GAME.refuse_scoresheet(sheet(*[Outline(5, 15, "mixed")] * 5, Outline(1, 2, "one")))
    assert [one.pointer for one in refused] == ["/seats/0/palaces/3", "/seats/0/palaces/4"]


def test_a_palace_that_is_impossible_by_itself_is_refused_only_for_that() -> None:
    refused = GAME.refuse_scoresheet(sheet(Outline(2, 7, "mixed")))
    assert [one.rule for one in refused] == ["palazzo.building.windows"]


def test_undecided_checks_are_listed_instead_of_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(*_: object) -> bool:
        raise TooManySteps

    monkeypatch.setattr("capomastro.games.palazzo.scoresheet.is_buildable", gives_up)
    judged = GAME.judge_scoresheet(sheet(*[Outline(5, 15, "mixed")] * 4))
    assert (judged.impossible, judged.undecided) == ((), ("palazzo.building.buildable",))
    result = GAME.score(sheet(Outline(3, 5, "one")), judged.undecided)["result"]
    assert result.skipped_checks == ("palazzo.building.buildable", "palazzo.building.rising")


def test_the_search_gives_up_after_its_steps() -> None:
    with pytest.raises(TooManySteps):
        is_buildable([Outline(5, 10, "mixed"), Outline(4, 9, "one")], tiles_left(()), steps=3)


def test_an_unfinished_sheet_has_lines_and_no_places() -> None:
    unfinished = sheet(tiles("b11 b22 b33"), unfinished=True)
    result = GAME.score(unfinished)["result"]
    assert [line.points for line in result.players[0].lines] == [6, 3]
    assert [player.place for player in result.players] == [None, None]
    assert (result.winners, result.undecided, result.tie_break) == (None, (0, 1), ())


def test_palaces_that_were_not_entered_are_missing_not_impossible() -> None:
    untyped = Scoresheet("palazzo", 1, (SheetSeat(()), SheetSeat()))
    judged = GAME.judge_scoresheet(untyped)
    assert (judged.impossible, [one.pointer for one in judged.missing]) == ((), ["/seats/1/palaces"])
    assert judged.refusals(unfinished=True) == ()
    assert judged.refusals(unfinished=False) == judged.missing
