"""Which tokens the Intermezzo can have given: what positions and scoresheets are judged by."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, permutations, product
from math import inf

from capomastro.games.campanile.components import FLOORS, VALUES, Flags, copies, intermezzo_flags
from capomastro.games.campanile.rows import Rows, markers_by_seat
from capomastro.games.campanile.state import Row, Tokens

# --- in a position --------------------------------------------------------------------------------------------------


def tokens_possible(tokens: tuple[Tokens, ...], all_rows: list[Rows], can_move: bool) -> bool:
    """Whether the Intermezzo can have given these tokens, given the current rows `all_rows`.

    Rows never disappear; but in the variant, where medium markers can move, only the number of markers is known.
    """
    players = len(tokens)
    if not can_move:
        owners = tuple(frozenset(row.seat for row in rows) for rows in all_rows)
        return can_be_won(players, tokens, owners)
    everywhere = (frozenset(range(players)),) * len(all_rows)
    markers = markers_by_seat(all_rows, players)
    return all(map(lambda mine, placed: len(mine) <= len(placed), tokens, markers)) and can_be_won(
        players, tokens, everywhere
    )


Owners = tuple[frozenset[int], ...]
"""The owners of rows under each tower."""


@lru_cache(maxsize=4096)
def can_be_won(players: int, tokens: tuple[Tokens, ...], owners: Owners) -> bool:
    """Whether the flags of the Intermezzo can give each player their tokens, given possible `owners` of rows."""
    return winnable([flag for flag in intermezzo_flags(players) if flag], list(map(list, tokens)), list(owners))


def winnable(flags: list[tuple[int, ...]], tokens: list[list[int]], owners: list[frozenset[int]]) -> bool:
    """Whether the flags can be assigned to towers so that all `tokens` are won.

    The first player gets the first token of a flag, and the second goes to another player, or to nobody if the first
    was alone then.
    """
    missing = sum(map(len, tokens))
    if not missing:
        return True
    if missing > sum(map(len, flags)):
        return False
    flag, rest = flags[0], flags[1:]
    if winnable(rest, tokens, owners):
        return True
    for winners in possible_winners(flag, tokens):
        left = [list(mine) for mine in tokens]
        for token, seat in zip(flag, winners, strict=False):
            left[seat].remove(token)
        for tower in {owner for owner in owners if owner.issuperset(winners)}:
            others = list(owners)
            others.remove(tower)
            if winnable(rest, left, others):
                return True
    return False


def possible_winners(flag: tuple[int, ...], tokens: list[list[int]]) -> Iterable[tuple[int, ...]]:
    """The players who can have won the first token of `flag`, or the first and the second."""
    for first, mine in enumerate(tokens):
        if flag[0] in mine:
            yield (first,)
            for second, yours in enumerate(tokens):
                if len(flag) > 1 and second != first and flag[1] in yours:
                    yield first, second


# --- on a scoresheet ------------------------------------------------------------------------------------------------


def tokens_possible_so_far(players: int, tokens: tuple[Tokens, ...]) -> bool:
    """Whether the flags of the Intermezzo have these tokens, as part of what they gave, the two of a flag for two."""

    def given(flags: Flags, tokens: list[list[int]]) -> bool:
        if not any(tokens):
            return True
        if not flags:
            return False
        for winners in product((None, *range(len(tokens))), repeat=len(flags[0])):
            seats = [seat for seat in winners if seat is not None]
            left = without(
                tokens, [(seat, token) for seat, token in zip(winners, flags[0], strict=True) if seat in seats]
            )
            if len(set(seats)) == len(seats) and left is not None and given(flags[1:], left):
                return True
        return False

    return given(intermezzo_flags(players), [list(mine) for mine in tokens])


def without(tokens: list[list[int]], won: Iterable[tuple[int, int]]) -> list[list[int]] | None:
    """The tokens of all seats without those `won`, each by a seat; None if one is not among them."""
    left = [list(mine) for mine in tokens]
    for seat, token in won:
        if token not in left[seat]:
            return None
        left[seat].remove(token)
    return left


@lru_cache(maxsize=1024)
def could_have_been_won(
    players: int, tokens: tuple[Tokens, ...], rows: tuple[Rows, ...], heights: tuple[int, ...] | None
) -> bool:
    """Whether the Intermezzo can have given these tokens under towers that have these `rows` at the end.

    Rows and, if known, final `heights` are in the order of the towers from the display on. The rows of the Intermezzo
    were the first of those at the end, with some of their markers, and no tower was higher than it is now.
    """
    highest = heights or (FLOORS[-1] * copies(players),) * len(rows)
    flags = intermezzo_flags(players)
    if not Counter(chain.from_iterable(tokens)) <= Counter(chain.from_iterable(flags)):
        return False  # the flags have fewer of them: no order of the towers would do

    def given(rank: int, below: tuple[int, int], free: frozenset[int], tokens: list[list[int]]) -> bool:
        """Whether the towers in `free` can take this rank and those above it; `below`: floors and place of the next."""
        if rank < 0:
            return not any(tokens) and highest[below[1]] > 0
        for place in free:
            floors = below[0] + (place > below[1])
            if floors > highest[place]:
                continue
            for winners in possible_orders(rows[place], len(flags[rank])):
                left = without(tokens, zip(winners, flags[rank], strict=False))
                if left is not None and given(rank - 1, (floors, place), free - {place}, left):
                    return True
        return False

    return given(len(flags) - 1, (0, len(rows)), frozenset(range(len(rows))), [list(mine) for mine in tokens])


@lru_cache(maxsize=1024)
def possible_orders(rows: Rows, prizes: int) -> tuple[tuple[int, ...], ...]:
    """The seats that can have come first, second, … while these rows were being laid, as far as there are prizes."""
    found: dict[tuple[int, ...], None] = {}
    for number in range(len(rows) + 1):
        for order in permutations(range(number), min(prizes, number)):
            if can_come_in(order, rows[:number]):
                found[tuple(rows[index].seat for index in order)] = None
    return tuple(found)


def can_come_in(order: tuple[int, ...], rows: Rows) -> bool:
    """Whether the rows can have come in this order, the others behind, each with at least one of its markers.

    The best is as strong as can be, the next as strong as the one before lets it, the others as weak as can be.
    """
    before: tuple[float, int] = (inf, -1)
    for index in order:
        weaker = [worth for worth in possible_influence(rows[index]) if (worth, -index) < (before[0], -before[1])]
        if not weaker:
            return False
        before = (max(weaker), index)
    others = (index for index in range(len(rows)) if index not in order)
    return all((min(possible_influence(rows[index])), -index) < (before[0], -before[1]) for index in others)


@lru_cache(maxsize=1024)
def possible_influence(row: Row) -> frozenset[int]:
    """The total values that a row can have had since it was begun."""
    sums = {0}
    for marker in row.markers:
        sums |= {worth + VALUES[marker] for worth in sums}
    return frozenset(sums - {0}) or frozenset({0})
