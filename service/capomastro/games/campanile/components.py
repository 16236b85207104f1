"""The components in the box."""

from typing import Annotated

PLAYERS = range(2, 6)

STYLES: Annotated[tuple[str, ...], "campanile.components.styles"] = ("a", "b", "c", "d", "e")
"""The five architectural styles, in the default order of the towers."""

COPIES: Annotated[int, "campanile.components.tower-cards"] = 12
"""Tower cards of each style."""
COPIES_OF_TWO_PLAYERS = 6
"""The number of them used with two players."""

INTERMEZZO = "intermezzo"
FINITO = "finito"

HAND_SIZE = 3
DISPLAY_SIZE = 3

LAST_CARDS: Annotated[int, "campanile.deck.finito-last"] = 10
"""Number of last tower cards into which the Finito is shuffled; the Intermezzo is above them."""
FIRST_INTERMEZZO = 3
"""The Intermezzo is below the cards of the first display."""

FLOORS = (1, 2, 3)
"""The numbers of floors that a card can add to a tower."""

SIZES = {1: "small", 2: "medium", 3: "large"}
"""The influence marker of each value."""
MEDIUM = SIZES[2]
"""The marker that can move in the variant."""
VALUES = {size: value for value, size in SIZES.items()}
MARKERS: Annotated[dict[str, int], "campanile.components.markers"] = {"small": 5, "medium": 3, "large": 1}
"""Every player's influence markers."""

TOKENS: Annotated[dict[int, int], "campanile.components.tokens"] = {1: 4, 2: 5, 3: 3, 4: 3, 5: 1, 6: 1}
"""The 17 victory-point tokens: the number of each value."""

Flags = tuple[tuple[int, ...], ...]
"""The tokens for the greatest, second and third influence, by rank of the tower, from the highest."""

INTERMEZZO_FLAGS_OF_TWO: Flags = ((4, 2), (3, 2), (2, 1), (1,), ())
INTERMEZZO_FLAGS: Flags = ((4, 2), (3, 1), (2,), (1,), ())
FINITO_FLAGS_OF_TWO: Flags = ((6, 3), (5, 2), (4, 1), (3, 1), (2,))
FINITO_FLAGS: Flags = ((6, 4, 2), (5, 3, 1), (4, 2), (3, 1), (2,))


def copies(players: int) -> int:
    """Number of tower cards of each style, by the number of players."""
    return COPIES_OF_TWO_PLAYERS if players == 2 else COPIES


def cards_after_dealing(players: int) -> int:
    """Number of tower cards in the deck after dealing."""
    return len(STYLES) * copies(players) - HAND_SIZE * players


def intermezzo_flags(players: int) -> Flags:
    return INTERMEZZO_FLAGS_OF_TWO if players == 2 else INTERMEZZO_FLAGS


def finito_flags(players: int) -> Flags:
    return FINITO_FLAGS_OF_TWO if players == 2 else FINITO_FLAGS
