"""Scores a game played at a table: the scoresheet, and what is impossible on it.

What is impossible is found by counting what the box holds, over all players together. A sheet can be wrong in ways that
no count shows.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine.multisets import multiset
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import ranked, score_with
from capomastro.engine.scoresheets import Judgement, judgement, missing_of_seats
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import tokens
from capomastro.games.palazzo.audit import why_not_rising
from capomastro.games.palazzo.money import most_playable
from capomastro.games.palazzo.scoring import TIE_RULES, Outline, Result, lines_of


class SheetSeat(engine.SheetSeat, frozen=True):
    """A player's position at the end."""

    palaces: Annotated[tuple[tokens.Palace | Outline, ...], Meta(max_length=box.TILE_COUNT)] | None = None
    """Their palaces in any order, each as its tiles or in outline; absent as long as they have not been typed in."""
    hand: tokens.Cards | None = None
    """Their money cards; needed only to break a tie."""


class Scoresheet(engine.Scoresheet, frozen=True):
    """A finished game as typed in at the table, to be scored."""

    seats: tokens.BySeat[SheetSeat]
    """The players, clockwise from the first."""


def palaces_on(sheet: Scoresheet) -> list[tuple[str, tokens.Palace | Outline]]:
    """All palaces with their places, in the order of the sheet."""
    return [
        (f"/seats/{index}/palaces/{number}", palace)
        for index, seat in enumerate(sheet.seats)
        for number, palace in enumerate(seat.palaces or ())
    ]


# --- what a scoresheet can say ---------------------------------------------------------------------------------------


def judge(sheet: Scoresheet) -> Judgement:
    """Everything the box cannot give or a palace cannot be: further entries only use up more of the box."""
    exact = [(pointer, palace) for pointer, palace in palaces_on(sheet) if not isinstance(palace, Outline)]
    outlines = [(pointer, palace) for pointer, palace in palaces_on(sheet) if isinstance(palace, Outline)]
    tiles = [(f"{pointer}/{storey}", tile) for pointer, palace in exact for storey, tile in enumerate(palace)]
    cards = [(f"/seats/{index}/hand", card) for index, seat in enumerate(sheet.seats) for card in seat.hand or ()]
    impossible = [
        *palace_findings(sheet),
        *exceeding("palazzo.components.tiles", tiles, box.TILES),
        *exceeding("palazzo.components.money", cards, box.MONEY),
        *joint_findings(Counter(tile for _, tile in tiles), outlines),
    ]
    return judgement(impossible, missing_of_seats(sheet.seats, {"palaces": "palazzo.scoring.sheet-palaces"}))


def palace_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """What a palace by itself cannot be."""
    for pointer, palace in palaces_on(sheet):
        if refusal := why_not_outline(palace) if isinstance(palace, Outline) else why_not_rising(palace):
            yield refusal.below(pointer)


def why_not_outline(palace: Outline) -> Refusal | None:
    """A palace has one to three windows per floor, and a single floor is of one material."""
    fewest, most = palace.floors, palace.floors * max(box.WINDOWS)
    if not fewest <= palace.windows <= most:
        windows = {"windows": palace.windows, "floors": palace.floors, "fewest": fewest, "most": most}
        finding = Refusal("palazzo.building.windows", windows, "/windows")
        return finding.because_of("windows-of-tile", fewest=min(box.WINDOWS), most=max(box.WINDOWS))
    if palace.floors == 1 and palace.material != "one":
        return refuse("palazzo.building.material", "/material", materials=len(box.MATERIALS))
    return None


def exceeding(rule: str, found: Iterable[tuple[str, str]], limits: Mapping[str, int]) -> Iterator[Refusal]:
    """Each component beyond those of the box, at its place."""
    counted = Counter[str]()
    for pointer, component in found:
        counted[component] += 1
        if counted[component] > limits[component]:
            yield refuse(rule, pointer, component=component, box=limits[component])


# --- what the box holds for palaces in outline -----------------------------------------------------------------------

COUNTS = [(floor, windows) for windows in box.WINDOWS for floor in (None, *box.FLOORS)]
"""What is counted: the tiles of one floor, or of all (None), with this number of windows or more."""


def tiles_counted(tiles: Mapping[str, int], floor: int | None, windows: int) -> int:
    return sum(
        number
        for tile, number in tiles.items()
        if floor in (None, box.floor_of(tile)) and box.windows_of(tile) >= windows
    )


BOX = {count: tiles_counted(box.TILES, *count) for count in COUNTS}


def fewest_tiles(palace: Outline, floor: int | None, windows: int) -> int:
    """The fewest tiles of a `floor`, or of all, with `windows` or more each, from which a palace can be built."""
    # each of them has up to max(WINDOWS), every other tile one fewer than `windows`
    beyond = palace.windows - palace.floors * (windows - 1)
    fewest = palace.floors if windows == 1 else max(0, -(-beyond // (max(box.WINDOWS) - windows + 1)))
    return fewest if floor is None else max(0, fewest - (len(box.FLOORS) - 1))


def joint_findings(exact: Counter[str], outlines: Iterable[tuple[str, Outline]]) -> Iterator[Refusal]:
    """The palaces in outline that need more tiles than the exact ones, and the outlines before them, leave."""
    built = exact & Counter(box.TILES)  # each tile beyond the box is refused at its place
    needed = {count: tiles_counted(built, *count) for count in COUNTS}
    for pointer, palace in outlines:
        if why_not_outline(palace):
            continue
        together = {count: needed[count] + fewest_tiles(palace, *count) for count in COUNTS}
        short = next((count for count in COUNTS if together[count] > BOX[count]), None)
        if short is None:
            needed = together
            continue
        floor, windows = short
        values = {"needed": together[short], "box": BOX[short], "floor": floor, "windows": windows}
        yield Refusal("palazzo.building.buildable", values, pointer)


# --- its result ------------------------------------------------------------------------------------------------------


def score(sheet: Scoresheet) -> Mapping[str, Result]:
    """The result of a scoresheet, however impossible."""
    hands = [None if seat.hand is None else most_playable(multiset(seat.hand)) for seat in sheet.seats]
    scores = [
        score_with(index, lines_of(seat.palaces or ()), hand, "hand")
        for index, (seat, hand) in enumerate(zip(sheet.seats, hands, strict=True))
    ]
    return {"result": ranked(scores, TIE_RULES, unfinished=sheet.unfinished)}
