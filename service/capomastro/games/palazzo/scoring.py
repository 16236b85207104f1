"""Final scoring (rulebook: "End of the game")."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal

import msgspec

from capomastro.engine import results
from capomastro.engine.members import titled
from capomastro.engine.multisets import Multiset, multiset
from capomastro.engine.results import Score, TieBreak
from capomastro.games.palazzo import components as box
from capomastro.games.palazzo import supplies, tokens
from capomastro.games.palazzo.money import CARDS_OF, most_playable
from capomastro.games.palazzo.state import State

SINGLE_FLOOR = -5
HEIGHT_BONUS = {3: 0, 4: 3, 5: 6}
"""Points added to the windows of a palace, by its number of floors; with two floors, nothing scores."""
MATERIAL_BONUS = {3: 3, 4: 3, 5: 6}
"""Bonus for a palace of one material, by its number of floors."""

WHOLE_PALACES = len(box.MATERIALS) * len(box.WINDOWS)
"""The most palaces of five floors in one material: they use all tiles but one floor 3 of each material."""
BEST_PALACES = len(box.MATERIALS) * len(box.FLOORS) * sum(box.WINDOWS) + WHOLE_PALACES * (
    HEIGHT_BONUS[5] + MATERIAL_BONUS[5]
)

TIE_RULES = ("palazzo.scoring.tie",)


@titled("Outline of a palace")
class Outline(msgspec.Struct, frozen=True):
    """A palace as far as its score needs it. All palaces together take no more tiles than the box holds."""

    floors: tokens.FloorCount
    """The number of its tiles."""
    windows: tokens.WindowCount
    """Its windows and doors, one to three for each floor."""
    material: Literal["one", "mixed"]
    """Whether all its tiles are of one material."""


def outline(palace: tokens.Palace) -> Outline:
    materials = {box.material_of(tile) for tile in palace}
    return Outline(len(palace), sum(map(box.windows_of, palace)), "one" if len(materials) == 1 else "mixed")


class ScoreLine(results.ScoreLine, frozen=True):
    """The points of a palace by one rule."""

    palace: tokens.PalaceIndex
    """The index of the palace on the table or on the scoresheet."""
    floors: tokens.FloorCount
    """The number of its tiles."""
    windows: tokens.WindowCount
    """Its windows and doors."""
    tiles: tokens.Palace | None = None
    """Its tiles; absent if the scoresheet gave an outline."""


Result = results.Result[ScoreLine]
"""Who won, and why. The lines are the points of palaces, in order; the value of the hand as one bid breaks ties."""


def palace_lines(index: int, palace: tokens.Palace | Outline) -> list[ScoreLine]:
    """The lines of one palace: its height and windows, and its bonus if it is of one material."""
    shape = palace if isinstance(palace, Outline) else outline(palace)
    tiles = None if isinstance(palace, Outline) else palace

    def line(rule: str, points: int) -> ScoreLine:
        return ScoreLine(rule, points, index, shape.floors, shape.windows, tiles)

    if shape.floors == 1:
        return [line("palazzo.scoring.single-floor", SINGLE_FLOOR)]
    if shape.floors == 2:
        return [line("palazzo.scoring.two-floors", 0)]
    lines = [line("palazzo.scoring.windows", shape.windows + HEIGHT_BONUS[shape.floors])]
    if shape.material == "one":
        lines.append(line("palazzo.scoring.one-material", MATERIAL_BONUS[shape.floors]))
    return lines


def palace_points(palace: tokens.Palace | Outline) -> int:
    """The value of a palace."""
    return sum(line.points for line in palace_lines(0, palace))


def points_of_palaces(state: State) -> tuple[int, ...]:
    """What the palaces on the table score, by seat."""
    return tuple([sum(map(palace_points, seat.palaces)) for seat in state.seats])


def lines_of(palaces: Sequence[tokens.Palace | Outline]) -> tuple[ScoreLine, ...]:
    return tuple(line for index, palace in enumerate(palaces) for line in palace_lines(index, palace))


def most_possible(known: Multiset, unknown: int, hidden: Mapping[str, int]) -> int:
    """The maximum value of a hand as one bid if `unknown` of its cards can be any of `hidden`."""
    return max(most_in_currency(currency, known, unknown, hidden) for currency in box.CURRENCIES)


def most_in_currency(currency: str, known: Multiset, unknown: int, hidden: Mapping[str, int]) -> int:
    """The same with loose cards of one currency: dynamic programming over the values and the number of cards added."""
    best = [0] * (unknown + 1)
    for cards in ([box.CERTIFICATE], *CARDS_OF.values()):
        held = [card for card in known if card in cards]
        choices = []
        for numbers in product(*(range(min(hidden.get(card, 0), unknown) + 1) for card in cards)):
            added = [card for card, number in zip(cards, numbers, strict=True) for _ in range(number)]
            choices.append((len(added), most_playable(multiset([*held, *added]), currency)))
        best = [
            max(best[most - size] + worth for size, worth in choices if size <= most) for most in range(unknown + 1)
        ]
    return best[unknown]


def hidden_in_hands(state: State) -> dict[str, int]:
    """The cards that can be unknown in hands: all unseen ones, minus those that must be in the deck after a shuffle."""
    in_deck = Counter(state.shuffled_in or ())
    return {
        card: number - in_deck[card] for card, number in supplies.deck(state).unseen.items() if number > in_deck[card]
    }


def scores(state: State) -> list[Score[ScoreLine]]:
    """All players' scores at the end."""
    hidden = hidden_in_hands(state)
    found = []
    for index, seat in enumerate(state.seats):
        known, unknown = seat.hand.known, seat.hand.unknown_size
        value = most_playable(known)
        tie_break = TieBreak(value, most_possible(known, unknown, hidden) if unknown else value)
        found.append(Score(index, lines_of(seat.palaces), (tie_break,), ("hand",) if unknown else ()))
    return found
