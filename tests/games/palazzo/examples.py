"""What the examples of the rules show: computed from each position, and in the words of its caption."""

from collections.abc import Callable, Mapping
from typing import Any

from capomastro.games.palazzo import moves, stages
from capomastro.games.palazzo.auction import highest_bid, total_bid
from capomastro.games.palazzo.components import QUARRIES, floor_of, windows_of
from capomastro.games.palazzo.decisions import price
from capomastro.games.palazzo.money import most_playable, play_of
from capomastro.games.palazzo.scoring import palace_lines, palace_points
from capomastro.games.palazzo.tokens import Palace


def floors(palace: Palace) -> list[int]:
    return [floor_of(tile) for tile in palace]


def windows(palace: Palace) -> int:
    return sum(map(windows_of, palace))


def drawn(*played: Any) -> tuple[str, str]:
    """The first tile drawn in a turn, and the second."""
    first, second = (move.tile for move in played if isinstance(move, moves.DrawTile))
    return first, second


SEEN: Mapping[str, tuple[Callable[..., Any], Any]] = {
    "palazzo.take-money.row": (lambda state, *_: (len(state.seats), len(state.stage.face_up)), (3, 4)),
    "palazzo.build.destination": (
        lambda state, *played: (
            drawn(*played)[0] in state.supply,
            windows_of(drawn(*played)[1]),
            (state.builder + 1) % QUARRIES,
            drawn(*played)[1] in state.quarries[3],
        ),
        (True, 1, 3, True),
    ),
    "palazzo.buy.price": (lambda state, *_: (len(state.supply), price(state, 1)), (4, 6)),
    "palazzo.payment.groups-formed": (lambda sheet: play_of(sheet.seats[0].hand).worth, 24),
    "palazzo.auction.builder": (
        lambda state, *played: (played[-1].__class__, state.quarries[1], state.builder, len(state.quarries[2])),
        (moves.CallAuction, (), 2, 2),
    ),
    "palazzo.auction.raise": (
        lambda state, *_: (
            total_bid(state, 2),
            highest_bid(state),
            state.stage.seat,
            total_bid(state, 0),
        ),
        (17, 17, 0, 13),
    ),
    "palazzo.distribution.four": (
        lambda state, *_: (state.stage.__class__, state.builder, len(state.quarries[1])),
        (stages.ChooseTile, 1, 4),
    ),
    "palazzo.building.palace": (
        lambda state, *_: (floors(state.stage.tiles), [floors(palace)[-1] for palace in state.seats[1].palaces]),
        ([3, 5, 5], [4, 3]),
    ),
    "palazzo.building.rising": (
        lambda sheet: list(map(floors, sheet.seats[0].palaces)),
        [[1, 2, 4, 5], [2, 4], [2, 3, 4]],
    ),
    "palazzo.rebuild.take-out": (
        lambda state, *played: (
            floor_of(played[-1].tile),
            list(map(floors, state.seats[3].palaces)),
            palace_points(state.seats[3].palaces[-1]),
        ),
        (3, [[1, 4], [3]], -5),
    ),
    "palazzo.scoring.single-floor": (lambda sheet: list(map(palace_points, sheet.seats[0].palaces)), [-5, -5]),
    "palazzo.scoring.two-floors": (
        lambda sheet: [(windows(palace), palace_points(palace)) for palace in sheet.seats[0].palaces],
        [(6, 0), (2, 0)],
    ),
    "palazzo.scoring.windows": (
        lambda sheet: [(len(one), windows(one), palace_points(one)) for one in sheet.seats[0].palaces],
        [(3, 4, 4), (4, 5, 8), (5, 7, 13)],
    ),
    "palazzo.scoring.one-material": (
        lambda sheet: [[line.points for line in palace_lines(0, palace)] for palace in sheet.seats[0].palaces],
        [[4, 3], [4], [13, 6]],
    ),
    "palazzo.scoring.tie": (lambda sheet: [most_playable(seat.hand) for seat in sheet.seats], [13, 15]),
}
