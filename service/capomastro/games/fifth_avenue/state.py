"""The state of a game of Fifth Avenue: its components and options."""

from typing import Annotated

import msgspec
from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine import hands
from capomastro.engine.hands import HandOf
from capomastro.engine.members import Keys, titled
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.games.fifth_avenue import components as box
from capomastro.games.fifth_avenue import stages, tokens
from capomastro.games.fifth_avenue.lots import Districts

DEFAULT_RINGS: dict[bool, dict[str, tokens.Ring]] = {
    six_lots: dict.fromkeys(box.DISTRICTS, lots) for six_lots, lots in box.LOTS_OF_BOARD.items()
}


DEFAULT_GROUPS: Annotated[tuple[int, ...], "fifth-avenue.setup.row-groups"] = (3, 2, 3, 2, 3, 2, 3, 2)
RowGroups = Annotated[
    tuple[Annotated[int, Meta(ge=min(DEFAULT_GROUPS), le=max(DEFAULT_GROUPS))], ...],
    Meta(min_length=box.GROUPS, max_length=box.GROUPS),
]
RowGroup = Annotated[
    tuple[tokens.Business, ...],
    IN_ANY_ORDER,
    Meta(max_length=max(DEFAULT_GROUPS), description="The tiles of a group, in any order; sorted in answers."),
]


class Options(msgspec.Struct, frozen=True):
    """Choices before the game. Omitted options have defaults; answers contain every option."""

    six_lots: bool = False
    """Whether the side of the board with six lots is used: a colourless sixth lot in every district, which takes the
    starting business."""
    rings: tokens.Rings = {}
    """The order of the lots in each district, as printed on your board. The default is an assumption: no source gives
    the order."""
    row_groups: RowGroups = DEFAULT_GROUPS
    """The tiles of each group of the row, from left to right: of each consecutive pair one is 3 and one is 2. The
    default is an assumption."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "rings", DEFAULT_RINGS[self.six_lots] | self.rings)


@titled("Coloured pile")
class Pile(msgspec.Struct, frozen=True, gc=False):
    """A coloured pile. The number of face-down cards between its top and its discards follows from the rest."""

    top: tokens.ColouredCard | None
    """The visible card; null while a new one is to be revealed, and when the pile is exhausted."""
    discards: Annotated[tuple[tokens.ColouredCard, ...], Meta(max_length=box.PILE_COUNT[box.COLOURS[0]])]
    """The discards, face up under the pile, in the order in which they were laid and will be drawn."""


Hand = Annotated[hands.Hand, HandOf(tokens.Card, box.PILES), Meta(title="Hand of building cards")]
"""A player's cards, by who knows them. Coloured cards they took are open; the dealt ones and black ones are closed
until shown. Unknown ones are counted by pile."""

FullOptions = Annotated[Options, Meta(title="Options in a state")]
"""The options of this game."""

MOST_POINTS = 1_000_000
"""Points are unlimited: a game with so many cannot be continued."""


class Seat(engine.Seat, frozen=True):
    """A player's components."""

    hand: Hand
    reserve: Annotated[tokens.BuildingCount, "fifth-avenue.turn.limits"]
    """Their buildings in reserve."""
    central_park: tokens.BuildingCount
    """Their buildings in Central Park."""
    removed: tokens.BuildingCount
    """Their buildings that left the game in a building stop."""
    score: Annotated[int, Meta(ge=0, le=MOST_POINTS)]
    """Their points before the final scoring; the total, even if the track was lapped."""


class State(engine.State, frozen=True, kw_only=True):
    """Everything on the table and in the hands, and nothing that follows from it. Piles, face-down tiles and common
    supplies consist of the rest of the box."""

    options: FullOptions
    active_seat: tokens.SeatIndex
    """Whose turn it is; in an auction others decide too."""
    stage: stages.AnyStage
    seats: tokens.BySeat[Seat]
    """The players, clockwise from the first."""
    districts: Districts
    commissioners: Annotated[
        dict[tokens.Commissioner, tokens.Space], Keys(box.COMMISSIONERS, sentence="The space of the {} commissioner.")
    ]
    """The spaces of the commissioners."""
    markers: Annotated[
        dict[
            tokens.Commissioner,
            Annotated[tuple[tokens.District, ...], IN_ANY_ORDER, Meta(max_length=max(box.COLUMN.values()))],
        ],
        Keys(box.COMMISSIONERS, sentence="The districts with a {} marker, in any order; sorted in answers."),
    ]
    """The districts with markers."""
    row: Annotated[tuple[RowGroup, ...], Meta(min_length=box.GROUPS, max_length=box.GROUPS)]
    """The businesses of each group of the row, from left to right; the leftmost that is not empty is active."""
    under_central_park: tokens.Businesses
    """The tiles under Central Park: the last one of each group."""
    removed_businesses: tokens.Businesses
    """The businesses that left the game in a building stop."""
    piles: Annotated[dict[tokens.Colour, Pile], Keys(box.COLOURS, sentence="The {} pile.")]
    """The coloured piles."""
    black_discards: tokens.BlackCards
    """The black discards, face up under their pile, which the next shuffle will use."""
    dummy_removed: Annotated[int, Meta(ge=0, le=box.BUILDINGS)] | None = None
    """With two players: the number of the dummy's buildings that left the game in a building stop."""
    shuffled_in: tokens.BlackCards | None = None
    """The cards of the black pile's last shuffle, without those turned up since, but with those drawn into hands.
    Absent before the first shuffle."""
    park_tiles: tokens.Businesses | None = None
    """At the end: the tiles drawn from under Central Park. Absent before, and if there were at most three."""
