"""The tokens of Campanile, and the rows that they form."""

from typing import Annotated

import msgspec
from msgspec import Meta

from capomastro.engine.members import DIFFERENT, SeatIndex, one_of, up_to
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.games.campanile import components as box

CARD_COUNT = len(box.STYLES) * box.COPIES
MARKER_COUNT = sum(box.MARKERS.values())
HEIGHT_ON_PAPER = 100
"""More floors than possible, so that a scoresheet with too many is refused by its rule, not by its shape."""
MOST_INFLUENCE = MARKER_COUNT * max(box.SIZES)
"""As many markers as a row can list, all of them large: a scoresheet can have that, though no box does."""
LONGEST_FLAG = max(map(len, box.FINITO_FLAGS))
FIRST_SCORING = [max(flag) for flag in box.INTERMEZZO_FLAGS if flag]
"""The most that one player can win at the Intermezzo: the best token under each tower."""

Style = Annotated[str, one_of(box.STYLES, "Style", "a")]
"""An architectural style; it names its tower."""

Card = Annotated[str, one_of(box.STYLES, "Tower card", "a")]
"""A tower card, named by its style: 12 of each, with two players 6 of each."""

Intermezzo = Annotated[str, one_of([box.INTERMEZZO], "Intermezzo", "intermezzo")]
"""The card that triggers the first scoring."""

Finito = Annotated[str, one_of([box.FINITO], "Finito", "finito")]
"""The card that triggers the second scoring and ends the game."""

Marker = Annotated[str, one_of(sorted(box.MARKERS), "Influence marker", "medium")]
"""An influence marker by its size: small is worth 1, medium 2, large 3. Every player has 5, 3 and 1 of them."""

Floors = Annotated[int, Meta(ge=min(box.FLOORS), le=max(box.FLOORS), title="Floors of a card", examples=[2])]
"""The number of floors that a card adds to its tower."""

PointToken = Annotated[int, Meta(ge=min(box.TOKENS), le=max(box.TOKENS), title="Victory-point token", examples=[4])]
"""A victory-point token, by value."""

Token = Card | Intermezzo | Finito | Marker | PointToken
"""A token: the name of a kind of component in the box."""

Cards = Annotated[tuple[Card, ...], IN_ANY_ORDER, up_to(CARD_COUNT, "Tower cards", "a", "c", "c")]
"""Any tower cards, in any order; sorted in answers."""

PointTokens = Annotated[tuple[PointToken, ...], IN_ANY_ORDER, up_to(len(FIRST_SCORING), "Victory-point tokens", 1, 4)]
"""A player's tokens from the Intermezzo, in any order; sorted in answers."""


class Row(msgspec.Struct, frozen=True):
    """A player's influence markers under one tower."""

    seat: SeatIndex
    """Their owner."""
    markers: Annotated[tuple[Marker, ...], IN_ANY_ORDER, Meta(max_length=MARKER_COUNT)]
    """The markers, in any order; sorted in answers."""


Rows = Annotated[
    tuple[Row, ...],
    Meta(
        max_length=box.PLAYERS[-1],
        title="Rows under a tower",
        examples=[[{"seat": 1, "markers": ["large"]}, {"seat": 0, "markers": ["medium", "small"]}]],
    ),
]
"""The players' rows of influence markers, in the order in which their first markers were placed."""

EveryStyle = Annotated[tuple[Style, ...], DIFFERENT, Meta(min_length=len(box.STYLES), max_length=len(box.STYLES))]
TowerOrder = Annotated[
    EveryStyle,
    Meta(
        description="The towers in their row, starting at the display: of two equally high ones, the one nearer to the"
        " display counts as higher."
    ),
]
MoveMediumMarker = Annotated[
    bool,
    Meta(
        description="Variant for two players: after raising a tower by two floors, a player may move a medium marker"
        " instead of placing one."
    ),
]
Rank = Annotated[int, Meta(ge=1, le=len(box.STYLES), description="The tower's rank by height, 1 for the highest.")]
Height = Annotated[int, Meta(ge=0, le=HEIGHT_ON_PAPER, description="The tower's floors.")]
Influence = Annotated[
    int, Meta(ge=1, le=MOST_INFLUENCE, description="The total value of the player's markers under it.")
]
Place = Annotated[
    int,
    Meta(ge=1, le=LONGEST_FLAG, description="The player's place under it, which is the number of the flag they got."),
]
Flag = Annotated[
    tuple[PointToken, ...], Meta(max_length=LONGEST_FLAG, description="The values of the tokens on its flag, by place.")
]
