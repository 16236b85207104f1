"""Scoring a game played at a table: what has to be typed in, and what cannot be."""

import msgspec

from capomastro.engine.multisets import Multiset, multiset, surplus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import Result, Score, TieBreak, exactly, ranked
from capomastro.games.palazzo.components import MATERIALS, MONEY, TILE_COUNT, TILES, floor_of, windows_of
from capomastro.games.palazzo.money import most_playable
from capomastro.games.palazzo.scoring import TIE_RULES, Outline, lines_of
from capomastro.games.palazzo.state import Palace


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's palaces, as tiles from bottom to top or in outline; the hand cards if a tie may need them."""

    palaces: tuple[Palace | Outline, ...]
    name: str | None = None
    hand: Multiset | None = None


class Scoresheet(msgspec.Struct, frozen=True):
    """One entry per player, clockwise from the first."""

    game: str
    schema_version: int
    seats: tuple[SheetSeat, ...]


def findings(sheet: Scoresheet) -> list[Refusal]:
    """Everything the box cannot give or a palace cannot be."""
    found = []
    for index, seat in enumerate(sheet.seats):
        for number, palace in enumerate(seat.palaces):
            pointer = f"/seats/{index}/palaces/{number}"
            if isinstance(palace, Outline):
                found += outline_findings(palace, pointer)
            else:
                floors = [floor_of(tile) for tile in palace]
                if floors != sorted(set(floors)):
                    found.append(refuse("palazzo.building.rising", pointer, floors=", ".join(map(str, floors))))
    palaces = [palace for seat in sheet.seats for palace in seat.palaces]
    tiles = [tile for palace in palaces if not isinstance(palace, Outline) for tile in palace]
    for tile in surplus(tiles, TILES):
        found.append(refuse("palazzo.components.tiles", "/seats", component=tile, box=TILES[tile]))
    floors_in_all = sum(palace.floors if isinstance(palace, Outline) else len(palace) for palace in palaces)
    if floors_in_all > TILE_COUNT:
        found.append(refuse("palazzo.components.tiles", "/seats", component=f"{floors_in_all} tiles", box=TILE_COUNT))
    cards = [card for seat in sheet.seats for card in seat.hand or ()]
    for card in surplus(cards, MONEY):
        found.append(refuse("palazzo.components.money", "/seats", component=card, box=MONEY[card]))
    return found


def outline_findings(palace: Outline, pointer: str) -> list[Refusal]:
    """The windows of a palace lie between one and three a floor."""
    fewest, most = palace.floors, palace.floors * max(map(windows_of, TILES))
    if not fewest <= palace.windows <= most:
        return [
            refuse(
                "palazzo.building.windows",
                pointer + "/windows",
                windows=palace.windows,
                floors=palace.floors,
                fewest=fewest,
                most=most,
            )
        ]
    if palace.floors == 1 and palace.material != "one":
        return [refuse("palazzo.building.material", pointer + "/material", materials=len(MATERIALS))]
    return []


def score(sheet: Scoresheet) -> Result:
    """The result of a possible scoresheet."""
    coarse = any(isinstance(palace, Outline) for seat in sheet.seats for palace in seat.palaces)
    return ranked(
        [
            Score(
                index,
                lines_of(seat.palaces),
                (TieBreak(0, None) if seat.hand is None else exactly(most_playable(multiset(seat.hand))),),
                ("the hand cards",) if seat.hand is None else (),
            )
            for index, seat in enumerate(sheet.seats)
        ],
        TIE_RULES,
        ("palazzo.components.tiles", "palazzo.building.rising") if coarse else (),
    )
