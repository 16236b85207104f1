"""Scoresheets of a played game, and whether the table on a scoresheet is possible, for `make sheets`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from math import prod
from random import Random
from typing import Any

from capomastro.games.campanile.components import MARKERS, STYLES, VALUES, copies, intermezzo_flags
from capomastro.games.campanile.courses import Stretch, turns_before_intermezzo, turns_of_game
from capomastro.games.campanile.moves import RevealCard
from capomastro.games.campanile.scoresheet import Position, Scoresheet, SheetTower, TokensWon
from capomastro.games.campanile.state import Row, State, Tower
from tests.support.documents import as_document
from tests.support.playouts import Ply

Raises = tuple[int, int, int]
Rows = tuple[Row, ...]

MOST_ROWS = 20_000
"""Maximum number of rows under one tower at the Intermezzo to try."""
MOST_COURSES = 1_000_000
"""Maximum number of ways to raise all towers in two stretches to try."""

SEARCHED = "campanile.end.course"
"""The check that is a search, and is skipped if it takes too many steps."""


def sheets(plies: Sequence[Ply], random: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """A sheet with the tokens of the Intermezzo, and one with the towers at that time."""
    end: State = plies[-1].after
    then: State = next(ply.before for ply in plies if ply.move == RevealCard("intermezzo"))
    tokens = {"type": "tokens", "by_seat": [list(seat.tokens) for seat in end.seats]}
    position = {"type": "position", "towers": without_cards(then.towers)}
    for detail, intermezzo in (("tokens", tokens), ("position", position)):
        yield (
            detail,
            {
                "game": "campanile",
                "schema_version": 1,
                "seats": [{} for _ in end.seats],
                "towers": without_cards(end.towers),
                "intermezzo": intermezzo,
                "tower_order": list(end.options.tower_order),
                "move_medium_marker": end.options.move_medium_marker,
            },
        )


def without_cards(towers: dict[str, Tower]) -> Any:
    return as_document({style: SheetTower(tower.height, tower.rows) for style, tower in towers.items()})


# --- whether a table can be like this --------------------------------------------------------------------------------


def possible(sheet: Scoresheet, end: State, random: Random) -> bool | None:
    """Whether markers, turns and the Intermezzo are possible, found by trying everything.

    None if there is too much to try. In the variant a marker can have been anywhere before, but none need have been
    moved: what is possible without moves is possible in the variant; the rest is unknown.
    """
    players = len(sheet.seats)
    if not are_sound(sheet.towers, players):
        return False
    if not some_course(players, [stretch(sheet.towers, players)]):
        return False
    without_moves = possible_without_moves(sheet, players)
    return without_moves or None if sheet.move_medium_marker else without_moves


def possible_without_moves(sheet: Scoresheet, players: int) -> bool | None:
    """Whether the Intermezzo is possible if markers stay where they were placed."""
    if isinstance(sheet.intermezzo, TokensWon):
        return some_intermezzo(sheet, sheet.intermezzo.by_seat)
    assert isinstance(sheet.intermezzo, Position)
    then = sheet.intermezzo.towers
    if not are_sound(then, players) or not all(can_become(then[style], sheet.towers[style]) for style in STYLES):
        return False
    stretches = [stretch(then, players), difference(then, sheet.towers, players)]
    ways_of_towers = [prod(number_of_ways(one.floors[tower]) for one in stretches) for tower in range(len(STYLES))]
    return some_course(players, stretches) if prod(ways_of_towers) <= MOST_COURSES else None


def are_sound(towers: dict[str, SheetTower], players: int) -> bool:
    """Whether everybody has their own rows and markers, and there are cards for every tower."""
    every = [row for tower in towers.values() for row in tower.rows]
    owned = {seat: Counter(marker for row in every if row.seat == seat for marker in row.markers) for seat in range(9)}
    return (
        all(row.seat < players and row.markers for row in every)
        and all(len({row.seat for row in tower.rows}) == len(tower.rows) for tower in towers.values())
        and all(markers <= Counter(MARKERS) for markers in owned.values())
        and all((tower.height or 0) <= 3 * copies(players) for tower in towers.values())
    )


def can_become(then: SheetTower, now: SheetTower) -> bool:
    """Whether a tower has only grown, its rows keeping their ranks and markers."""
    return (
        (then.height or 0) <= (now.height or 0)
        and [row.seat for row in then.rows] == [row.seat for row in now.rows[: len(then.rows)]]
        and all(Counter(one.markers) <= Counter(other.markers) for one, other in zip(then.rows, now.rows, strict=False))
    )


def stretch(towers: dict[str, SheetTower], players: int) -> Stretch:
    """All turns up to here."""
    return difference(dict.fromkeys(STYLES, SheetTower(0)), towers, players)


def difference(then: dict[str, SheetTower], now: dict[str, SheetTower], players: int) -> Stretch:
    """The turns between two positions."""
    markers, before = (Counter[tuple[int, str]](), Counter[tuple[int, str]]())
    for towers, counted in ((now, markers), (then, before)):
        for tower in towers.values():
            counted.update((row.seat, marker) for row in tower.rows for marker in row.markers)
    placed = markers - before
    return Stretch(
        tuple((now[style].height or 0) - (then[style].height or 0) for style in STYLES),
        tuple(sum(number for (_, size), number in placed.items() if size == wanted) for wanted in VALUES),
        tuple(sum(number for (owner, _), number in placed.items() if owner == seat) for seat in range(players)),
    )


# --- turns -----------------------------------------------------------------------------------------------------------


def number_of_ways(floors: int) -> int:
    return max(1, floors * floors // 12)


def ways(floors: int, cards: int) -> list[Raises]:
    """Every way to raise a tower with at most so many cards: the number of ones, twos and threes."""
    return [
        (floors - 2 * twos - 3 * threes, twos, threes)
        for threes in range(floors // 3 + 1)
        for twos in range((floors - 3 * threes) // 2 + 1)
        if floors - twos - 2 * threes <= cards
    ]


def every_total(stretches: list[Stretch], cards: int) -> set[tuple[Raises, ...]]:
    """The total raises of all towers in every stretch, over all ways to raise each tower."""
    totals: set[tuple[Raises, ...]] = {((0, 0, 0),) * len(stretches)}
    for tower in zip(*(stretch.floors for stretch in stretches), strict=True):
        choices = [
            choice for choice in product(*(ways(floors, cards) for floors in tower)) if sum(map(sum, choice)) <= cards
        ]
        totals = {
            tuple((a + x, b + y, c + z) for (a, b, c), (x, y, z) in zip(total, choice, strict=True))
            for total in totals
            for choice in choices
        }
    return totals


def some_course(players: int, stretches: list[Stretch]) -> bool:
    """Whether turns can have led there, found by trying every way to raise every tower."""
    for totals in every_total(stretches, copies(players)):
        lengths = [sum(raises) for raises in totals]
        if sum(lengths) not in turns_of_game(players):
            continue
        if len(lengths) == 2 and lengths[0] not in turns_before_intermezzo(players):
            continue
        order = [turn % players for turn in range(sum(lengths))]
        parts = [order[: lengths[0]], order[lengths[0] :]]
        if all(
            all(there >= needed for there, needed in zip(raises, stretch.raises, strict=True))
            and all(part.count(seat) >= needed for seat, needed in enumerate(stretch.turns_of_seats))
            for raises, stretch, part in zip(totals, stretches, parts, strict=False)
        ):
            return True
    return False


# --- the tokens of the Intermezzo ------------------------------------------------------------------------------------


def markers_of(row: Row) -> Iterator[tuple[str, ...]]:
    """The markers that a row can have had since it was begun."""
    for number in range(1, len(row.markers) + 1):
        yield from combinations(row.markers, number)


def rows_before(rows: Rows) -> Iterator[Rows]:
    """The rows that can have been there before."""
    for number in range(len(rows) + 1):
        for markers in product(*(markers_of(row) for row in rows[:number])):
            yield tuple(Row(row.seat, there) for row, there in zip(rows, markers, strict=False))


def some_intermezzo(sheet: Scoresheet, tokens: Sequence[Sequence[int]]) -> bool | None:
    """Whether scoring some earlier position gives these tokens, found by trying every order of towers and all rows."""
    rows = [sheet.towers[style].rows for style in sheet.tower_order]
    if any(prod(2 ** len(row.markers) for row in there) > MOST_ROWS for there in rows):
        return None
    flags = [flag for flag in intermezzo_flags(len(sheet.seats)) if flag]
    orders = [{tuple(row.seat for row in in_order(before)) for before in rows_before(there)} for there in rows]
    heights = [sheet.towers[style].height or 0 for style in sheet.tower_order]
    wanted = sorted((seat, token) for seat, mine in enumerate(tokens) for token in mine)
    for ranking in permutations(range(len(rows))):
        if not can_rank(ranking, heights):
            continue
        prizes = [
            {tuple(zip(order, flag, strict=False)) for order in orders[place]}
            for place, flag in zip(ranking, flags, strict=False)
        ]
        if any(sorted(won for there in chosen for won in there) == wanted for chosen in product(*prizes)):
            return True
    return False


def in_order(rows: Rows) -> list[Row]:
    """The rows by influence; among equals the earlier is ahead."""
    return sorted(rows, key=lambda row: -sum(VALUES[marker] for marker in row.markers))


def can_rank(ranking: Sequence[int], heights: Sequence[int]) -> bool:
    """Whether towers of at most these heights can rank like this: among equals the nearer to the display is first."""
    floors, below = 0, len(heights)
    for place in reversed(ranking):
        floors += place > below
        if floors > heights[place]:
            return False
        below = place
    return heights[ranking[0]] > 0
