"""The state of a game of Fifth Avenue: its components, options and stages."""

from typing import Annotated, Literal

import msgspec

from capomastro.engine import game as engine
from capomastro.engine.decisions import GameOver, Stage
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import Multiset
from capomastro.engine.once import Once
from capomastro.games.fifth_avenue.bids import worth
from capomastro.games.fifth_avenue.components import BLACK, DISTRICTS, LOTS_OF_BOARD, pile_of
from capomastro.games.fifth_avenue.lots import Districts, Ring

DEFAULT_RINGS: dict[bool, dict[str, Ring]] = {
    six_lots: dict.fromkeys(DISTRICTS, lots) for six_lots, lots in LOTS_OF_BOARD.items()
}


RowGroups = tuple[int, int, int, int, int, int, int, int]
DEFAULT_GROUPS: Annotated[RowGroups, "fifth-avenue.setup.row-groups"] = (3, 2, 3, 2, 3, 2, 3, 2)


class Options(msgspec.Struct, frozen=True):
    """`six_lots`: the other side of the board. `rings` by district; those not given are the default ring.

    `row_groups`: tiles per group of the row, from left to right.
    """

    six_lots: bool = False
    rings: dict[str, Ring] = {}
    row_groups: RowGroups = DEFAULT_GROUPS

    def __post_init__(self) -> None:
        defaults = DEFAULT_RINGS[self.six_lots]
        filled = {**defaults, **self.rings} if self.rings != defaults else defaults
        msgspec.structs.force_setattr(self, "rings", filled)


class Pile(msgspec.Struct, frozen=True, gc=False):
    """A coloured pile: its visible top, and the discards in order; the face-down cards between them follow.

    `top` is null while a new one is to be revealed, and when the pile is exhausted.
    """

    top: str | None
    discards: tuple[str, ...]


class Seat(engine.Seat, frozen=True):
    """A player's cards; buildings in reserve, in Central Park and out of the game; points before the end."""

    hand: Hand
    reserve: Annotated[int, "fifth-avenue.turn.limits"]
    central_park: int
    removed: int
    score: int


# --- stages ----------------------------------------------------------------------------------------------------------


class DrawStartingBusiness(Stage, frozen=True):
    """Set-up: the tile for the first district without one."""


class DrawStartingLot(Stage, frozen=True):
    """Set-up: the lot it is laid on."""

    business: str


class DrawRowBusiness(Stage, frozen=True):
    """Set-up: the next tile of the row."""


class DealCard(Stage, frozen=True):
    """Set-up: the next card for the first seat with fewer than nine."""


class RevealFirstTop(Stage, frozen=True):
    """Set-up: the visible card of the next coloured pile."""


class PlaceFirstBuilding(Stage, frozen=True):
    """Set-up: a seat places one of its first two buildings."""


class ChooseOption(Stage, frozen=True):
    """The active seat chooses A, B, C or D."""


class DrawBlackCard(Stage, frozen=True):
    """A black card for the first of `seats`, in phase 1 (option C) or 2 (option D)."""

    phase: Literal[1, 2]
    seats: tuple[int, ...]


class TakeCards(Stage, frozen=True):
    """Phase 2 of A, B, C: the active seat takes two coloured cards."""


class RevealTop(Stage, frozen=True):
    """The new visible card of the first pile without one."""


class MoveCommissioner(Stage, frozen=True):
    """The active seat moves a commissioner, in phase 1 (option C) or 3."""

    phase: Literal[1, 3]


class Offer(msgspec.Struct, frozen=True, dict=True):
    """A seat's part in an auction: the cards laid, bid by bid, and whether it has passed."""

    bids: tuple[Multiset, ...] = ()
    passed: bool = False

    @Once
    def cards(self) -> tuple[str, ...]:
        """All cards laid, in the order of the bids."""
        return self.bids[0] if len(self.bids) == 1 else sum(self.bids, ())

    @Once
    def total(self) -> int:
        """Their total value."""
        return worth(self.cards)

    @Once
    def colour(self) -> str | None:
        """Their colour, which the first bid determines."""
        return next((pile_of(card) for card in self.cards if pile_of(card) != BLACK), None)


NO_OFFER = Offer()
PASSED = Offer(passed=True)


class BidOrPass(Stage, frozen=True):
    """An auction: a seat bids or passes.

    `phase`: of the interrupted turn. `commissioner`: its markers are auctioned, now the leftmost, or Central Park when
    none is left. `offers` by seat. `dummy`: the cards turned for the dummy.
    """

    phase: Literal[1, 3]
    commissioner: str
    seat: int
    offers: tuple[Offer, ...]
    dummy: Multiset


class TurnDummyCard(Stage, frozen=True):
    """An auction of two players: the next card of the dummy."""

    phase: Literal[1, 3]
    commissioner: str
    offers: tuple[Offer, ...]
    dummy: Multiset


class BuildOrStop(Stage, frozen=True):
    """The winner of an auction builds at most `limit` buildings on the lot of `colour`, or stops the district."""

    phase: Literal[1, 3]
    commissioner: str
    seat: int
    colour: str
    limit: int


class DrawParkTile(Stage, frozen=True):
    """The end: the next of three tiles from under Central Park."""


Stages = (
    DrawStartingBusiness
    | DrawStartingLot
    | DrawRowBusiness
    | DealCard
    | RevealFirstTop
    | PlaceFirstBuilding
    | ChooseOption
    | DrawBlackCard
    | TakeCards
    | RevealTop
    | MoveCommissioner
    | BidOrPass
    | TurnDummyCard
    | BuildOrStop
    | DrawParkTile
    | GameOver
)
SETUP_STAGES = (DrawStartingBusiness, DrawStartingLot, DrawRowBusiness, DealCard, RevealFirstTop, PlaceFirstBuilding)
Auction = BidOrPass | TurnDummyCard | BuildOrStop
"""The stages in which auctions interrupt a turn."""
BIDDING_STAGES = (BidOrPass, TurnDummyCard)
AUCTION_STAGES = (BidOrPass, TurnDummyCard, BuildOrStop)
END_STAGES = (DrawParkTile, GameOver)


class State(engine.State, frozen=True, kw_only=True):
    """A game of Fifth Avenue.

    `districts`: null where a building stop was ordered. `commissioners` and `markers` by colour. `row`: the tiles of
    each group. `removed_businesses`, `dummy_removed` (two players only): tiles and buildings of the dummy that left the
    game. `piles`: the coloured ones. `black_discards`: the cards for the next shuffle of the black pile;
    `shuffled_in`: the cards of the last shuffle, without those turned up since. `park_tiles`: drawn from under Central
    Park at the end.
    """

    options: Options
    active_seat: int
    stage: Stages
    seats: tuple[Seat, ...]
    districts: Districts
    commissioners: dict[str, str]
    markers: dict[str, Multiset]
    row: tuple[Multiset, Multiset, Multiset, Multiset, Multiset, Multiset, Multiset, Multiset]
    under_central_park: Multiset
    removed_businesses: Multiset
    piles: dict[str, Pile]
    black_discards: Multiset
    dummy_removed: int | None = None
    shuffled_in: Multiset | None = None
    park_tiles: Multiset | None = None
