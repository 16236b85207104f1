"""Scores a game played at a table: the scoresheet, and what is impossible on it."""

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from capomastro.engine.multisets import Multiset, multiset
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import ranked, score_with
from capomastro.engine.scoresheets import Judgement, judgement, missing_of_seats
from capomastro.engine.searches import TooManySteps
from capomastro.games.palazzo.buildable import STEPS, is_buildable, tiles_left
from capomastro.games.palazzo.components import MATERIALS, MONEY, TILES, floor_of, windows_of
from capomastro.games.palazzo.money import most_playable
from capomastro.games.palazzo.scoring import TIE_RULES, Outline, Result, lines_of
from capomastro.games.palazzo.state import Palace


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's palaces, as tiles from bottom to top or in outline; their hand, needed only for ties.

    `palaces` are None as long as they have not been typed in.
    """

    palaces: tuple[Palace | Outline, ...] | None = None
    name: str | None = None
    hand: Multiset | None = None


class Scoresheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry per player, clockwise from the first; `unfinished` while it is being typed in."""

    game: str
    schema_version: int
    seats: tuple[SheetSeat, ...]
    unfinished: bool = False


def palaces_on(sheet: Scoresheet) -> list[tuple[str, Palace | Outline]]:
    """All palaces with their places, in the order of the sheet."""
    return [
        (f"/seats/{index}/palaces/{number}", palace)
        for index, seat in enumerate(sheet.seats)
        for number, palace in enumerate(seat.palaces or ())
    ]


def outlines_on(sheet: Scoresheet) -> list[tuple[str, Outline]]:
    """All palaces in outline, in the order of the sheet."""
    return [(pointer, palace) for pointer, palace in palaces_on(sheet) if isinstance(palace, Outline)]


# --- what a scoresheet can say ---------------------------------------------------------------------------------------


def judge(sheet: Scoresheet) -> Judgement:
    """Everything the box cannot give or a palace cannot be: further entries only use up more of the box."""
    impossible = [*palace_findings(sheet), *tile_findings(sheet), *money_findings(sheet)]
    unsound = {finding.pointer.rpartition("/")[0] for finding in impossible}
    outlines = [(pointer, palace) for pointer, palace in outlines_on(sheet) if pointer not in unsound]
    undecided = []
    try:
        impossible += joint_findings(sheet, outlines)
    except TooManySteps:
        undecided.append("palazzo.building.buildable")
    missing = missing_of_seats(sheet.seats, {"palaces": "palazzo.scoring.sheet-palaces"})
    return judgement(impossible, missing, undecided)


def palace_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """What a palace by itself cannot be."""
    for pointer, palace in palaces_on(sheet):
        if isinstance(palace, Outline):
            yield from outline_findings(palace, pointer)
        else:
            floors = [floor_of(tile) for tile in palace]
            if floors != sorted(set(floors)):
                yield refuse("palazzo.building.rising", pointer, floors=tuple(floors))


def outline_findings(palace: Outline, pointer: str) -> Iterator[Refusal]:
    """A palace has one to three windows per floor."""
    fewest, most = palace.floors, palace.floors * max(map(windows_of, TILES))
    if not fewest <= palace.windows <= most:
        windows = {"windows": palace.windows, "floors": palace.floors, "fewest": fewest, "most": most}
        yield Refusal("palazzo.building.windows", windows, pointer + "/windows")
    elif palace.floors == 1 and palace.material != "one":
        yield refuse("palazzo.building.material", pointer + "/material", materials=len(MATERIALS))


def tile_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """No tile more often than it exists: each one too many at its place."""
    tiles = [
        (f"{pointer}/{storey}", tile)
        for pointer, palace in palaces_on(sheet)
        if not isinstance(palace, Outline)
        for storey, tile in enumerate(palace)
    ]
    for pointer, tile in exceeding(tiles, TILES):
        yield refuse("palazzo.components.tiles", pointer, component=tile, box=TILES[tile])


def money_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """No card more often than it exists."""
    cards = [(f"/seats/{index}/hand", card) for index, seat in enumerate(sheet.seats) for card in seat.hand or ()]
    for pointer, card in exceeding(cards, MONEY):
        yield refuse("palazzo.components.money", pointer, component=card, box=MONEY[card])


def exceeding(placed: list[tuple[str, str]], box: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """The components that are more than the box holds, each with its place."""
    there = Counter[str]()
    for pointer, component in placed:
        there[component] += 1
        if there[component] > box[component]:
            yield pointer, component


def joint_findings(sheet: Scoresheet, outlines: list[tuple[str, Outline]]) -> list[Refusal]:
    """The palaces in outline that cannot be built from what the exact ones and the outlines before them leave.

    Raises:
        TooManySteps: if it takes too long to find out whether there are any.
    """
    exact = [tile for _, palace in palaces_on(sheet) if not isinstance(palace, Outline) for tile in palace]
    left = tiles_left(exact)
    if is_buildable([palace for _, palace in outlines], left):
        return []
    found: list[Refusal] = []
    standing: list[Outline] = []
    for pointer, palace in outlines:
        try:
            fits = is_buildable([*standing, palace], left, STEPS // len(outlines))
        except TooManySteps:
            fits = True  # not all can be built: whichever comes last cannot, if none is found before
        if fits:
            standing.append(palace)
        else:
            found.append(unbuildable(pointer, palace))
    return found or [unbuildable(*outlines[-1])]


def unbuildable(pointer: str, palace: Outline) -> Refusal:
    return refuse("palazzo.building.buildable", pointer, floors=palace.floors, windows=palace.windows)


# --- its result ------------------------------------------------------------------------------------------------------


def score(sheet: Scoresheet, undecided: tuple[str, ...]) -> Mapping[str, Result]:
    """The result of a possible scoresheet; what an outline does not say cannot be checked, nor what is `undecided`."""
    skipped = (*undecided, "palazzo.building.rising") if outlines_on(sheet) else ()
    hands = [None if seat.hand is None else most_playable(multiset(seat.hand)) for seat in sheet.seats]
    scores = [
        score_with(index, lines_of(seat.palaces or ()), hand, "hand")
        for index, (seat, hand) in enumerate(zip(sheet.seats, hands, strict=True))
    ]
    return {"result": ranked(scores, TIE_RULES, skipped, sheet.unfinished)}
