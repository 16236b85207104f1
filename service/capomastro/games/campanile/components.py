"""What is in the box."""

from typing import Annotated

STYLES: Annotated[tuple[str, ...], "campanile.components.styles"] = ("a", "b", "c", "d", "e")
"""The five architectural styles, in the order in which the towers stand unless an option says otherwise."""

COPIES: Annotated[int, "campanile.components.tower-cards"] = 12
"""Tower cards of each style."""
COPIES_OF_TWO_PLAYERS = 6
"""What two players leave of them in the game."""

INTERMEZZO = "intermezzo"
FINITO = "finito"

HAND_SIZE = 3
DISPLAY_SIZE = 3

LAST_CARDS = 10
"""The Finito is shuffled into so many last tower cards; the Intermezzo lies above them."""
FIRST_INTERMEZZO = 3
"""The Intermezzo lies at least below the cards of the first display."""

FLOORS = (1, 2, 3)
"""By how many floors a card can raise a tower."""

SIZES = {1: "small", 2: "medium", 3: "large"}
"""The influence marker of each value."""
MEDIUM = SIZES[2]
"""The one that can move in the variant."""
VALUES = {size: value for value, size in SIZES.items()}
MARKERS: Annotated[dict[str, int], "campanile.components.markers"] = {"small": 5, "medium": 3, "large": 1}
"""Every player's influence markers."""

TOKENS: Annotated[dict[int, int], "campanile.components.tokens"] = {1: 4, 2: 5, 3: 3, 4: 3, 5: 1, 6: 1}
"""The 17 victory-point tokens: how many of each value."""

Flags = tuple[tuple[int, ...], ...]
"""By rank of a tower, from the highest: the tokens for the greatest influence, the second, the third."""

INTERMEZZO_FLAGS_OF_TWO: Flags = ((4, 2), (3, 2), (2, 1), (1,), ())
INTERMEZZO_FLAGS: Flags = ((4, 2), (3, 1), (2,), (1,), ())
FINITO_FLAGS_OF_TWO: Flags = ((6, 3), (5, 2), (4, 1), (3, 1), (2,))
FINITO_FLAGS: Flags = ((6, 4, 2), (5, 3, 1), (4, 2), (3, 1), (2,))


def copies(players: int) -> int:
    """Tower cards of each style in a game of so many players."""
    return COPIES_OF_TWO_PLAYERS if players == 2 else COPIES


def cards_after_dealing(players: int) -> int:
    """Tower cards in the deck once every player has a hand."""
    return len(STYLES) * copies(players) - HAND_SIZE * players


def intermezzo_flags(players: int) -> Flags:
    return INTERMEZZO_FLAGS_OF_TWO if players == 2 else INTERMEZZO_FLAGS


def finito_flags(players: int) -> Flags:
    return FINITO_FLAGS_OF_TWO if players == 2 else FINITO_FLAGS
