"""Decides whether turns can have led to towers and markers: an exact, bounded search.

Every turn raises one tower by one, two or three floors, and a marker needs a turn of its owner with a raise of its
value. Scoresheets do not record who held or took which card, so the search ignores it.

A stretch of t turns with x twos and y threes adds t + x + 2y floors. A tower of d floors made of k cards has between
max(0, d - 2k) and (d - k) / 2 threes, every number in between being possible, and these numbers fix the ones and the
twos. So towers are interchangeable but for k, and all that counts over the towers is the sum of these bounds.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from capomastro.engine.searches import Steps
from capomastro.games.campanile.components import DISPLAY_SIZE, FLOORS, LAST_CARDS, SIZES, cards_after_dealing, copies

STEPS = 20_000
"""Maximum number of steps of a search: a fraction of a second."""


class Stretch(NamedTuple):
    """A part of a game, up to a scoring.

    `floors` added to each tower; `raises` needed by value, from one up; `turns_of_seats`: the turns that each seat
    needs.
    """

    floors: tuple[int, ...]
    raises: tuple[int, ...]
    turns_of_seats: tuple[int, ...]


# --- the number of turns ---------------------------------------------------------------------------------------------


def turns_of_game(players: int) -> range:
    """The numbers of turns after which a game can end: in the last of them the Finito shows.

    Three cards are turned up before the first turn and one in every turn but the last, with 0 to 10 cards behind the
    Finito.
    """
    most = cards_after_dealing(players) - DISPLAY_SIZE + 1
    return range(most - LAST_CARDS, most + 1)


def turns_before_intermezzo(players: int) -> range:
    """The numbers of turns after which the Intermezzo can show: at the latest when the Finito can follow at once."""
    return range(1, turns_of_game(players)[0] + 1)


def cards_in(floors: Sequence[int], players: int) -> tuple[int, int]:
    """The fewest and the most cards of which towers with so many floors are made."""
    most = copies(players)
    return sum(-(-height // FLOORS[-1]) for height in floors), sum(min(height, most) for height in floors)


def turns_of_seat(seat: int, turns: int, players: int) -> int:
    """The number of turns of `seat` among the first `turns`."""
    return (turns - seat + players - 1) // players


# --- the search ------------------------------------------------------------------------------------------------------


class Slack(NamedTuple):
    """What the towers of a stretch may use up: turns, threes that cannot be avoided, towers with an odd rest."""

    turns: int
    threes: int
    odd: int


def can_lead(players: int, stretches: Sequence[Stretch], steps: int = STEPS) -> bool:
    """Whether a finished game can have had these stretches: one, or those before and after the Intermezzo.

    Raises:
        TooManySteps: if the search is not finished within its steps.
    """
    search = Search(copies(players), [stretch.floors for stretch in stretches], steps)
    return any(search.succeeds(0, slacks) for slacks in possible_slacks(players, stretches))


def possible_slacks(players: int, stretches: Sequence[Stretch]) -> Iterator[tuple[Slack, ...]]:
    """What every possible number of turns leaves to each stretch."""
    cuts: Iterator[tuple[int, ...]]
    if len(stretches) == 1:
        cuts = ((0, turns) for turns in turns_of_game(players))
    else:
        halves = product(turns_before_intermezzo(players), turns_of_game(players))
        cuts = ((0, half, turns) for half, turns in halves if half <= turns)
    for cut in cuts:
        slacks = [
            slack_of(players, stretch, begin, end) for stretch, begin, end in zip(stretches, cut, cut[1:], strict=False)
        ]
        if None not in slacks:
            yield tuple(slack for slack in slacks if slack)


def slack_of(players: int, stretch: Stretch, begin: int, end: int) -> Slack | None:
    """What the turns from `begin` to `end` leave to the stretch; None if they do not suffice."""
    for seat, needed in enumerate(stretch.turns_of_seats):
        if turns_of_seat(seat, end, players) - turns_of_seat(seat, begin, players) < needed:
            return None
    turns, above = end - begin, sum(stretch.floors) - (end - begin)
    ones, twos, threes = stretch.raises
    # with y threes there are above - 2y twos and turns - above + y ones
    fewest_threes = max(threes, ones - turns + above, 0)
    if above < 0 or 2 * fewest_threes > above - twos:
        return None
    return Slack(turns, (above - twos) // 2, above - 2 * fewest_threes)


class Search:
    """A search tower by tower, with its steps and the dead ends found."""

    def __init__(self, cards: int, floors: Sequence[tuple[int, ...]], steps: int) -> None:
        self.cards = cards
        self.towers = sorted(zip(*floors, strict=True), reverse=True)
        """Floors by stretch; the high towers, which leave least choice, come first."""
        self.steps = Steps(steps)
        self.hopeless: set[tuple[int, tuple[Slack, ...]]] = set()

    def succeeds(self, at: int, slacks: tuple[Slack, ...]) -> bool:
        """Whether the towers from `at` on can be made with this slack, all turns being used up."""
        if at == len(self.towers):
            return not any(slack.turns for slack in slacks)
        slacks = tuple(self.limited(at, stretch, slack) for stretch, slack in enumerate(slacks))
        if (at, slacks) in self.hopeless or not self.fits(at, slacks):
            return False
        self.steps.spend()
        choices = (range(-(-floors // FLOORS[-1]), min(floors, self.cards) + 1) for floors in self.towers[at])
        for cards in product(*choices):
            if sum(cards) <= self.cards:
                after = tuple(map(used, slacks, self.towers[at], cards))
                if min(min(slack) for slack in after) >= 0 and self.succeeds(at + 1, after):
                    return True
        self.hopeless.add((at, slacks))
        return False

    def limited(self, at: int, stretch: int, slack: Slack) -> Slack:
        """The same slack without what the towers from `at` on could not use up anyway: equal ones are met again."""
        floors = [tower[stretch] for tower in self.towers[at:]]
        threes = sum(max(0, height - 2 * -(-height // FLOORS[-1])) for height in floors)
        return Slack(slack.turns, min(slack.threes, threes), min(slack.odd, len(floors)))

    def fits(self, at: int, slacks: tuple[Slack, ...]) -> bool:
        """Whether the towers from `at` on are made of neither more nor fewer cards than there are turns."""
        for stretch, slack in enumerate(slacks):
            floors = [tower[stretch] for tower in self.towers[at:]]
            fewest = sum(-(-height // FLOORS[-1]) for height in floors)
            if not fewest <= slack.turns <= sum(min(height, self.cards) for height in floors):
                return False
        return True


def used(slack: Slack, floors: int, cards: int) -> Slack:
    """What is left of the slack after a tower that so many cards make so high."""
    return Slack(slack.turns - cards, slack.threes - max(0, floors - 2 * cards), slack.odd - (floors - cards) % 2)


def highest_sum(players: int, raises: Sequence[int]) -> int:
    """The most floors that the turns of a game add if so many raises by each value are among them."""
    return FLOORS[-1] * turns_of_game(players)[-1] - sum(
        (FLOORS[-1] - value) * needed for value, needed in zip(SIZES, raises, strict=True)
    )
