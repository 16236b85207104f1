"""Reference data: the attributes of tokens, and the points of palaces."""

from typing import Literal

from capomastro.engine.reference import Component, Part, Reference
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo.scoring import Outline, palace_lines


class TileEntry(Component, frozen=True):
    """A building tile."""

    material: str
    """Its material."""
    floor: int
    """The floor it is for, 1 to 5."""
    windows: int
    """Its windows and doors."""


class MoneyEntry(Component, frozen=True):
    """A money card."""

    currency: str | None
    """Its currency; null for a certificate, which has none."""
    value: int
    """Its value."""


class HeightPoints(Part, frozen=True):
    """The points of a palace by its number of floors."""

    floors: int
    """The number of floors."""
    points: int
    """The points for its height."""
    windows_score: bool
    """Whether each window adds a point."""
    one_material: int
    """The points added if all its tiles are of one material."""


class PalazzoReference(Reference, frozen=True):
    """The reference data of Palazzo."""

    tiles: tuple[TileEntry, ...]
    """The building tiles."""
    money: tuple[MoneyEntry, ...]
    """The money cards."""
    rider: Component
    """The riders."""
    materials: tuple[str, ...]
    """The materials."""
    currencies: tuple[str, ...]
    """The currencies."""
    quarries: tuple[int, ...]
    """The quarries by index, clockwise."""
    points: tuple[HeightPoints, ...]
    """The points of a palace."""


def reference() -> PalazzoReference:
    """Everything from the tables of components and scoring."""
    return PalazzoReference(
        tiles=tuple(
            TileEntry(tile, count, box.material_of(tile), box.floor_of(tile), box.windows_of(tile))
            for tile, count in box.TILES.items()
        ),
        money=tuple(money_entry(card, count) for card, count in box.MONEY.items()),
        rider=Component(box.RIDER, box.RIDERS),
        materials=box.MATERIALS,
        currencies=box.CURRENCIES,
        quarries=tuple(range(box.QUARRIES)),
        points=tuple(map(height_points, box.FLOORS)),
    )


def money_entry(card: str, count: int) -> MoneyEntry:
    name, _, value = card.rpartition("-")
    return MoneyEntry(card, count, None if card == box.CERTIFICATE else name, int(value))


def height_points(floors: int) -> HeightPoints:
    """As the scoring itself gives them for palaces without a window and with one."""

    def points(windows: int, material: Literal["one", "mixed"]) -> int:
        return sum(line.points for line in palace_lines(0, Outline(floors, windows, material)))

    plain = points(0, "mixed")
    return HeightPoints(floors, plain, points(1, "mixed") > plain, points(0, "one") - plain)
