"""Decides whether palaces in outline can be built from the tiles that are left: an exact, bounded search.

A palace in outline takes one tile on each of some floors. So the search goes floor by floor, and all that matters
is what each palace still needs: floors, windows, materials. Dead ends are remembered; counting prunes
hopeless branches.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from capomastro.engine.searches import Steps
from capomastro.games.palazzo.components import FLOORS, MATERIALS, TILES, WINDOWS, floor_of, material_of, windows_of
from capomastro.games.palazzo.scoring import Outline

STEPS = 20_000
"""Maximum number of steps of a search: a fraction of a second."""

PURE, MIXED, FREE = "pure", "mixed", "free"
"""The materials a palace still needs: a single one, two or more, or any."""


class Need(NamedTuple):
    """What a palace in outline still needs.

    `material` is that of all its tiles so far, if it matters: a `PURE` palace goes on with it, a `MIXED` one needs
    another one besides.
    """

    floors: int
    windows: int
    demand: str
    material: str | None = None

    @property
    def excess(self) -> int:
        """By how many its tiles of three windows outnumber those of one."""
        return self.windows - 2 * self.floors


class Choice(NamedTuple):
    """A tile of the floor in question; or none of this floor."""

    material: str
    windows: int


Left = dict[int, dict[Choice, int]]
"""The number of tiles left of each kind, by floor."""


def tiles_left(exact: Iterable[str]) -> Left:
    """The tiles that `exact` palaces leave in the box."""
    used = Counter(exact)
    left: Left = {floor: {} for floor in FLOORS}
    for tile, copies in TILES.items():
        left[floor_of(tile)][Choice(material_of(tile), windows_of(tile))] = max(0, copies - used[tile])
    return left


def need_of(outline: Outline) -> Need:
    """What a palace needs of which nothing is built yet."""
    demand = FREE if outline.floors == 1 else PURE if outline.material == "one" else MIXED
    return Need(outline.floors, outline.windows, demand)


def is_buildable(outlines: Iterable[Outline], left: Left, steps: int = STEPS) -> bool:
    """Whether all palaces in outline can be built from the tiles in `left`.

    Raises:
        TooManySteps: if the search is not finished within its steps.
    """
    return Search(left, steps).succeeds(0, in_order(map(need_of, outlines)))


def in_order(needs: Iterable[Need]) -> tuple[Need, ...]:
    """The canonical form of the palaces' needs, greatest first, without complete palaces."""
    return tuple(sorted((need for need in needs if need.floors), key=sort_key, reverse=True))


def sort_key(need: Need) -> tuple[int, int, str, str, int]:
    return need.floors, abs(need.excess), need.demand, need.material or "", need.windows


def after(need: Need, choice: Choice) -> Need | None:
    """What a palace needs after one more tile; None if it cannot be completed then."""
    floors, windows = need.floors - 1, need.windows - choice.windows
    if not floors * WINDOWS[0] <= windows <= floors * WINDOWS[-1]:
        return None
    if need.demand == FREE or not floors:
        fits = need.demand == FREE or (need.material == choice.material) == (need.demand == PURE)
        return Need(floors, windows, FREE) if fits else None
    if need.material is None:
        return Need(floors, windows, need.demand, choice.material)
    if need.demand == PURE:
        return Need(floors, windows, PURE, need.material) if need.material == choice.material else None
    if need.material == choice.material:
        return Need(floors, windows, MIXED, need.material)
    return Need(floors, windows, FREE)


class Search:
    """A search, with its steps and the dead ends found."""

    def __init__(self, left: Left, steps: int) -> None:
        self.left = left
        # scarce floors first: the others leave more choice at the end
        self.floors = sorted(left, key=lambda floor: sum(left[floor].values()))
        self.steps = Steps(steps)
        self.hopeless: set[tuple[int, tuple[Need, ...]]] = set()

    def succeeds(self, at: int, needs: tuple[Need, ...]) -> bool:
        """Whether the floors from `at` on can give what the palaces need."""
        if not needs:
            return True
        if at == len(self.floors) or (at, needs) in self.hopeless or not self.may_suffice(at, needs):
            return False
        if any(self.succeeds(at + 1, following) for following in self.with_floor(at, needs)):
            return True
        self.hopeless.add((at, needs))
        return False

    def with_floor(self, at: int, needs: tuple[Need, ...]) -> Iterator[tuple[Need, ...]]:
        """Every way to give the palaces tiles of one floor, as their remaining needs."""
        left, later = dict(self.left[self.floors[at]]), len(self.floors) - at - 1
        tiles_later = sum(sum(self.left[floor].values()) for floor in self.floors[at + 1 :])
        # so many palaces can go without a tile of this floor: the others would find none later
        idle = len(needs) - max(0, sum(need.floors for need in needs) - tiles_later)
        seen: set[tuple[Need, ...]] = set()

        def given(index: int, done: list[Need], before: int, idle: int) -> Iterator[tuple[Need, ...]]:
            self.steps.spend()
            if index == len(needs):
                following = in_order(done)
                if following not in seen:
                    seen.add(following)
                    yield following
                return
            need = needs[index]
            choices = choices_for(need, later)
            # of equal palaces the first takes what comes first
            first = before if index and needs[index - 1] == need else 0
            for number in range(first, len(choices)):
                choice = choices[number]
                if choice is None:
                    if idle:
                        done.append(need)
                        yield from given(index + 1, done, number, idle - 1)
                        done.pop()
                    continue
                if not left[choice]:
                    continue
                following_need = after(need, choice)
                if following_need is None:
                    continue
                left[choice] -= 1
                done.append(following_need)
                yield from given(index + 1, done, number, idle)
                done.pop()
                left[choice] += 1

        yield from given(0, [], 0, idle)

    def may_suffice(self, at: int, needs: tuple[Need, ...]) -> bool:
        """Whether counting tiles by floor, windows and material leaves it possible."""
        floors = [self.left[floor] for floor in self.floors[at:]]
        if not is_enough(needs, floors):
            return False
        for material in MATERIALS:
            bound = [need for need in needs if need.demand == PURE and need.material == material]
            if bound:
                own = [{one: number for one, number in tiles.items() if one.material == material} for tiles in floors]
                if not is_enough(bound, own):
                    return False
        return True


def choices_for(need: Need, later: int) -> list[Choice | None]:
    """What a palace can take of a floor, the likeliest first; None: nothing, if `later` floors are enough."""
    average = need.windows / need.floors
    materials = MATERIALS if need.material is None or need.demand != PURE else (need.material,)
    tiles: list[Choice | None] = [
        Choice(material, windows)
        for windows in sorted(WINDOWS, key=lambda windows: abs(windows - average))
        for material in sorted(materials, key=lambda material: material == need.material and need.demand == MIXED)
    ]
    if need.floors > later:
        return tiles
    return [*tiles, None] if 2 * need.floors > later else [None, *tiles]


def is_enough(needs: Sequence[Need], floors: Sequence[dict[Choice, int]]) -> bool:
    """Whether the tiles of these floors can be enough, by floor and by windows."""
    by_windows = Counter[int]()
    for tiles in floors:
        for choice, number in tiles.items():
            by_windows[choice.windows] += number
    on_floors = [sum(tiles.values()) for tiles in floors]
    return enough_on_floors([need.floors for need in needs], on_floors) and enough_by_windows(needs, by_windows)


def enough_on_floors(floors_needed: Sequence[int], tiles: Sequence[int]) -> bool:
    """Whether palaces that need so many floors, each floor once, find enough on floors with so many tiles."""
    floors, least = len(tiles), 0
    for number, there in enumerate(sorted(tiles), 1):
        least += there
        if sum(max(0, needed - (floors - number)) for needed in floors_needed) > least:
            return False
    return max(floors_needed) <= floors


def enough_by_windows(needs: Sequence[Need], tiles: Counter[int]) -> bool:
    """Whether so many tiles of one, two and three windows can be enough in number and windows.

    With a tiles of three windows and b of one, a - b is the excess, and the others have two.
    """
    number = sum(need.floors for need in needs)
    excess = sum(need.excess for need in needs)
    # a tile of two for every palace whose floors and excess differ in parity, at the least
    most_odd = number - sum((need.floors - need.excess) % 2 for need in needs)
    fewest_odd = max(number - tiles[2], sum(abs(need.excess) for need in needs))
    fewest_odd += (fewest_odd - excess) % 2
    return fewest_odd <= most_odd and (fewest_odd + excess) // 2 <= tiles[3] and (fewest_odd - excess) // 2 <= tiles[1]
