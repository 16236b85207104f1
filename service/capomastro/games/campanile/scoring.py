"""The two scorings and who wins (rulebook: "First scoring", "Second scoring and end of the game")."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations, product
from math import inf
from typing import Literal, Protocol

import msgspec

from capomastro.engine import results as engine
from capomastro.engine.refusals import enforces
from capomastro.engine.results import Score, exactly, ranked, unplaced
from capomastro.games.campanile.components import FLOORS, VALUES, Flags, copies, finito_flags, intermezzo_flags
from capomastro.games.campanile.rows import Rows, influence, markers_by_seat
from capomastro.games.campanile.state import Row, State, Tokens

ScoringName = Literal["intermezzo", "finito"]
RULES: dict[ScoringName, str] = {"intermezzo": "campanile.scoring.intermezzo", "finito": "campanile.scoring.finito"}
TIE_RULES = ("campanile.scoring.tie",)


class Raised(Protocol):
    """A tower, as far as a scoring needs it."""

    @property
    def height(self) -> int: ...

    @property
    def rows(self) -> Rows: ...


class Contender(msgspec.Struct, frozen=True):
    """A player with markers under a tower: their value, the token if they won one, and equals who began later."""

    seat: int
    influence: int
    token: int | None
    ahead_by_order_of: tuple[int, ...]


class ScoredTower(msgspec.Struct, frozen=True):
    """`rank` 1 is the highest tower; `flag`: its tokens; the contenders, in order of influence."""

    tower: str
    rank: int
    height: int
    flag: tuple[int, ...]
    contenders: tuple[Contender, ...]


class Scoring(msgspec.Struct, frozen=True):
    """One of the two scorings, from the highest tower to the lowest."""

    scoring: ScoringName
    towers: tuple[ScoredTower, ...]


class ScoreLine(engine.ScoreLine, frozen=True):
    """A token won. Of one from an Intermezzo whose position is not known, only rule and points are."""

    tower: str | None = None
    rank: int | None = None
    height: int | None = None
    influence: int | None = None
    place: int | None = None


class Result(engine.Result[ScoreLine], frozen=True, kw_only=True):
    """A result with both scorings, as far as their positions are known."""

    scorings: tuple[Scoring, ...]


@enforces("campanile.scoring.height", "campanile.scoring.bare-tower")
def ranking(order: Sequence[str], towers: Mapping[str, Raised]) -> list[str]:
    """The towers from the highest to the lowest; of two equally high ones, the one nearer to the display is higher."""
    return sorted(order, key=lambda style: -towers[style].height)


@enforces("campanile.scoring.influence")
def contenders(rows: Rows, flag: tuple[int, ...]) -> tuple[Contender, ...]:
    """The rows by influence, equal ones in the order they were begun; each gets a token while there are any."""
    by_influence = sorted(((influence(row), row.seat) for row in rows), key=lambda pair: -pair[0])
    return tuple(
        Contender(
            seat,
            value,
            flag[place] if place < len(flag) else None,
            tuple([other for worth, other in by_influence[place + 1 :] if worth == value]),
        )
        for place, (value, seat) in enumerate(by_influence)
    )


def scored(name: ScoringName, flags: Flags, order: Sequence[str], towers: Mapping[str, Raised]) -> Scoring:
    return Scoring(
        name,
        tuple(
            ScoredTower(style, rank, towers[style].height, flag, contenders(towers[style].rows, flag))
            for rank, (style, flag) in enumerate(zip(ranking(order, towers), flags, strict=True), 1)
        ),
    )


def intermezzo(players: int, order: Sequence[str], towers: Mapping[str, Raised]) -> Scoring:
    return scored("intermezzo", intermezzo_flags(players), order, towers)


def finito(players: int, order: Sequence[str], towers: Mapping[str, Raised]) -> Scoring:
    return scored("finito", finito_flags(players), order, towers)


def lines(scoring: Scoring) -> list[tuple[int, ScoreLine]]:
    """The tokens won: seat and score line, from the highest tower down."""
    rule, won = RULES[scoring.scoring], []
    for tower in scoring.towers:
        for place, one in enumerate(tower.contenders, 1):
            if one.token is not None:
                line = ScoreLine(rule, one.token, tower.tower, tower.rank, tower.height, one.influence, place)
                won.append((one.seat, line))
    return won


@enforces("campanile.scoring.tokens")
def tokens_won(scoring: Scoring, seat: int) -> Tokens:
    """The values of the tokens that a seat won."""
    return tuple(sorted(line.points for winner, line in lines(scoring) if winner == seat))


def token_lines(tokens: Tokens) -> list[ScoreLine]:
    """Score lines of tokens from the Intermezzo of which only the values are known."""
    return [ScoreLine(RULES["intermezzo"], token) for token in sorted(tokens, reverse=True)]


def score(seat: int, score_lines: Iterable[ScoreLine]) -> Score[ScoreLine]:
    """A player's score; the most valuable single token (0 without any) breaks ties."""
    kept = tuple(score_lines)
    return Score(seat, kept, (exactly(max((line.points for line in kept), default=0)),))


@enforces("campanile.scoring.places")
def result_of(
    openings: Sequence[Sequence[ScoreLine]],
    scorings: Sequence[Scoring],
    skipped: Sequence[str] = (),
    unfinished: bool = False,
) -> Result:
    """The result of the scorings of which the towers are known; the points so far, without places, if `unfinished`.

    `openings`: the score lines of each player from an Intermezzo of which only the tokens are known.
    """
    won = [line for scoring in scorings for line in lines(scoring)]
    scores = [
        score(seat, [*opening, *(line for winner, line in won if winner == seat)])
        for seat, opening in enumerate(openings)
    ]
    result = unplaced(scores, skipped) if unfinished else ranked(scores, TIE_RULES, skipped)
    members = {name: getattr(result, name) for name in result.__struct_fields__}
    return Result(**members, scorings=tuple(scorings))


def final_scoring(state: State) -> Scoring:
    return finito(len(state.seats), state.options.tower_order, state.towers)


def result_at_end(state: State) -> Result:
    """The result from the tokens of the Intermezzo, and from those that the towers give at the Finito."""
    return result_of([token_lines(seat.tokens) for seat in state.seats], (final_scoring(state),))


# --- which tokens the Intermezzo can give -----------------------------------------------------------------------------


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


# --- which tokens on a scoresheet ------------------------------------------------------------------------------------


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
