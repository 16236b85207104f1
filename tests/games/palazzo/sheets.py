"""Scoresheets of a played game, and whether the table on a scoresheet is possible, for the campaign `sheets`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

from capomastro.games.palazzo.components import FLOORS, MATERIALS, MONEY, TILES, WINDOWS, floor_of
from capomastro.games.palazzo.scoresheet import Scoresheet
from capomastro.games.palazzo.scoring import Outline, outline
from capomastro.games.palazzo.state import State
from capomastro.games.palazzo.tokens import Palace
from tests.support.documents import as_document
from tests.support.playouts import Ply

FEW_TRIED = 20_000
"""Number of palaces to try: what can be built is usually found soon."""


def sheets(plies: Sequence[Ply], random: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """A sheet tile by tile, one in outline, and one with two or three palaces in outline, few enough to try all."""
    end: State = plies[-1].after
    places = [(seat, number) for seat, one in enumerate(end.seats) for number in range(len(one.palaces))]
    few = random.sample(places, min(len(places), random.randint(2, 3)))
    for detail, in_outline in (("tiles", []), ("outline", places), ("some in outline", few)):
        yield (
            detail,
            {
                "game": "palazzo",
                "schema_version": 1,
                "seats": [
                    {
                        "palaces": [
                            as_document(outline(palace) if (seat, number) in in_outline else palace)
                            for number, palace in enumerate(one.palaces)
                        ],
                        "hand": list(one.hand.known),
                    }
                    for seat, one in enumerate(end.seats)
                ],
            },
        )


def possible(sheet: Scoresheet, end: State, random: Random) -> bool | None:
    """Whether the box has the cards and tiles for these hands and palaces; None if no choice of tiles is found soon."""
    hands = Counter(card for seat in sheet.seats for card in seat.hand or ())
    palaces = [palace for seat in sheet.seats for palace in seat.palaces or ()]
    exact = [palace for palace in palaces if not isinstance(palace, Outline)]
    outlines = [palace for palace in palaces if isinstance(palace, Outline)]
    used = Counter(tile for palace in exact for tile in palace)
    rising = all(floors == sorted(set(floors)) for floors in (list(map(floor_of, palace)) for palace in exact))
    if not (rising and hands <= Counter(MONEY) and used <= Counter(TILES)):
        return False
    return tried(outlines, Counter(TILES) - used, iter(range(FEW_TRIED))) or None


@cache
def of_floors(floors: int) -> list[tuple[Palace, Outline]]:
    """Every palace of so many floors, and its outline."""
    tiles = [[f"{material}-{floor}-{windows}" for material in MATERIALS for windows in WINDOWS] for floor in FLOORS]
    palaces = [palace for chosen in combinations(tiles, floors) for palace in product(*chosen)]
    return [(palace, outline(palace)) for palace in palaces]


def tried(outlines: Sequence[Outline], box: Counter[str], tries: Iterator[Any]) -> bool | None:
    """Whether some choice of different tiles makes all palaces, found by trying every one; None after all `tries`."""
    if not outlines:
        return True
    for palace, looks in of_floors(outlines[0].floors):
        if next(tries, None) is None:
            return None
        if looks == outlines[0] and Counter(palace) <= box:
            found = tried(outlines[1:], box - Counter(palace), tries)
            if found is not False:
                return found
    return False
