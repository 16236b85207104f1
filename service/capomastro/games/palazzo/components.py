"""The components in the box."""

from typing import Annotated

PLAYERS = range(2, 5)

MATERIALS = ("brick", "sandstone", "marble")
FLOORS = (1, 2, 3, 4, 5)
WINDOWS = (1, 2, 3)

TILES: Annotated[dict[str, int], "palazzo.components.tiles"] = {
    f"{material}-{floor}-{windows}": 2 if (floor, windows) == (3, 1) else 1
    for material in sorted(MATERIALS)
    for floor in FLOORS
    for windows in WINDOWS
}
"""48 building tiles, "brick-3-2" = material, floor, windows; of each material, floor 3 with 1 window exists twice."""

RIDER = "rider"
RIDERS = 5
"""Mixed into the last stack; the fifth ends the game."""

CURRENCIES: Annotated[tuple[str, ...], "palazzo.components.currencies"] = ("red", "green", "blue")
VALUES = (3, 4, 5, 6, 7)
CERTIFICATE = "certificate-2"

MONEY: Annotated[dict[str, int], "palazzo.components.money"] = dict(
    sorted({CERTIFICATE: 10, **{f"{currency}-{value}": 3 for currency in CURRENCIES for value in VALUES}}.items())
)
"""55 money cards, "red-7" = currency and value, and ten certificates of value 2 that belong to no currency."""

OPENING_BID = 3
"""The certificate of value 3, which is used only to open auctions."""

QUARRIES = 4
FULL_PRICE = 10
"""The price of one tile before the discount of 1 for each tile on the supply."""
SETUP_TILES = QUARRIES + 1
HAND_SIZE = 4
MOST_BOUGHT: Annotated[int, "palazzo.buy.supply"] = 2
"""The most tiles in one purchase."""
CARDS_TAKEN = 2
"""The cards that the active seat takes from the row."""
DISTRIBUTION = 4
"""Number of tiles on a quarry from which they are distributed instead of auctioned."""

TILE_COUNT = sum(TILES.values())
MONEY_COUNT = sum(MONEY.values())


def material_of(tile: str) -> str:
    return tile[:-4]


floor_of = {tile: int(tile[-3]) for tile in TILES}.__getitem__
windows_of = {tile: int(tile[-1]) for tile in TILES}.__getitem__
