"""Scores a game played at a table: the scoresheet, and what is impossible on it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.scoresheets import Judgement, judgement
from capomastro.engine.searches import TooManySteps
from capomastro.games.campanile import scoring
from capomastro.games.campanile.components import FLOORS, MEDIUM, STYLES, VALUES, copies
from capomastro.games.campanile.courses import (
    Stretch,
    can_lead,
    cards_in,
    highest_sum,
    turns_before_intermezzo,
    turns_of_game,
    turns_of_seat,
)
from capomastro.games.campanile.rows import Rows, influence, marker_findings, markers_by_seat, row_findings
from capomastro.games.campanile.scoring import Result, ScoreLine, Scoring, finito, result_of, token_lines
from capomastro.games.campanile.state import Row, Tokens, Tower
from capomastro.games.campanile.tokens import could_have_been_won, tokens_possible, tokens_possible_so_far


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player."""

    name: str | None = None


class SheetTower(msgspec.Struct, frozen=True, omit_defaults=True):
    """Its floors, None as long as they have not been typed in, and the rows under it by rank."""

    height: int | None = None
    rows: tuple[Row, ...] = ()


class TokensWon(msgspec.Struct, frozen=True, tag="tokens", tag_field="type"):
    """Only the tokens won at the Intermezzo are known."""

    by_seat: tuple[Tokens, ...]


class Position(msgspec.Struct, frozen=True, tag="position", tag_field="type"):
    """The towers at the Intermezzo."""

    towers: dict[str, SheetTower]


class Scoresheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """Players, options, the towers at the end, and what is known of the Intermezzo.

    `intermezzo` is None as long as nothing of it has been typed in; `unfinished` while the sheet is being typed in.
    """

    game: str
    schema_version: int
    seats: tuple[SheetSeat, ...]
    towers: dict[str, SheetTower]
    intermezzo: TokensWon | Position | None = None
    tower_order: tuple[str, ...] = STYLES
    move_medium_marker: bool = False
    unfinished: bool = False


HISTORY_RULES = ("campanile.tower.never-lower", "campanile.marker.stays", "campanile.row.rank")
"""The rules that cannot be checked if the position at the Intermezzo is unknown."""

SCHEDULE_RULES = ("campanile.turn.order", "campanile.tower.hand", "campanile.marker.display")
"""The rules that cannot be checked because nobody wrote down who played and saw which cards when."""

Towers = dict[str, SheetTower]

# --- what a scoresheet can say ---------------------------------------------------------------------------------------


def judge(sheet: Scoresheet) -> Judgement:
    """Faults that no further entry can fix, and what is missing: floors, rows, markers and tokens only become more."""
    impossible = list(impossible_findings(sheet))
    faults = {fault_of(finding) for finding in impossible}
    missing = [finding for finding in missing_findings(sheet) if fault_of(finding) not in faults]
    undecided: list[str] = []
    if not impossible and not missing:
        try:
            missing += course_findings(sheet)
        except TooManySteps:
            undecided.append("campanile.end.course")
    return judgement(impossible, missing, undecided)


def fault_of(finding: Refusal) -> tuple[Any, ...]:
    """What a finding is about: what stays impossible is not missing besides."""
    return finding.rule, finding.pointer, finding.numbers.get("seat")


def impossible_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Everything that stays impossible, whatever is typed in besides."""
    players = len(sheet.seats)
    if sheet.move_medium_marker and players != 2:
        yield refuse("campanile.variant.two-players", "/move_medium_marker", players=players)
    yield from tower_findings(sheet.towers, players, "/towers")
    yield from too_many_turns(sheet.towers, players, turns_of_game(players), "campanile.end.turns", "/towers")
    yield from too_many_floors(sheet)
    if isinstance(sheet.intermezzo, TokensWon):
        if len(sheet.intermezzo.by_seat) > players:
            yield refuse("campanile.turn.seats", f"/intermezzo/by_seat/{players}", seat=players, players=players)
        elif not tokens_possible_so_far(players, sheet.intermezzo.by_seat):
            yield refuse("campanile.scoring.tokens", "/intermezzo/by_seat", tokens=sheet.intermezzo.by_seat)
    elif sheet.intermezzo:
        then, turns = sheet.intermezzo.towers, turns_before_intermezzo(players)
        yield from tower_findings(then, players, "/intermezzo/towers")
        yield from too_many_turns(then, players, turns, "campanile.deck.intermezzo-turns", "/intermezzo/towers")
        for style in STYLES:
            yield from rank_findings(style, then[style].rows, sheet.towers[style].rows, sheet.move_medium_marker)


def missing_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """What a finished game needs besides: the rest of an entry, floors for the markers, enough turns."""
    players = len(sheet.seats)
    yield from missing_of_position(sheet.towers, players, turns_of_game(players), "campanile.end.turns", "/towers")
    if sheet.intermezzo is None:
        yield refuse("campanile.scoring.sheet-intermezzo", "/intermezzo")
    elif isinstance(sheet.intermezzo, TokensWon):
        won = sheet.intermezzo.by_seat
        for seat in range(len(won), players):
            yield refuse("campanile.scoring.sheet-tokens", "/intermezzo/by_seat", seat=seat)
        if len(won) == players and not tokens_fit(sheet, won):
            yield refuse("campanile.scoring.tokens", "/intermezzo/by_seat", tokens=won)
    else:
        then, turns = sheet.intermezzo.towers, turns_before_intermezzo(players)
        yield from missing_of_position(then, players, turns, "campanile.deck.intermezzo-turns", "/intermezzo/towers")
        yield from history_findings(sheet, then)


def heights_of(towers: Towers) -> tuple[int, ...] | None:
    """The floors of all towers; None while some have not been typed in."""
    heights = tuple(height for height in (towers[style].height for style in STYLES) if height is not None)
    return heights if len(heights) == len(STYLES) else None


def heights_so_far(towers: Towers) -> tuple[int, ...]:
    return tuple(towers[style].height or 0 for style in STYLES)


def rows_of(towers: Towers) -> list[Rows]:
    return [towers[style].rows for style in STYLES]


# --- one position ----------------------------------------------------------------------------------------------------


def tower_findings(towers: Towers, players: int, pointer: str) -> Iterator[Refusal]:
    """Heights, rows and markers that cannot be, each by itself."""
    highest = max(FLOORS) * copies(players)
    for style in STYLES:
        tower = towers[style]
        if tower.height is not None and tower.height > highest:
            yield refuse(
                "campanile.tower.height", f"{pointer}/{style}/height", tower=style, height=tower.height, highest=highest
            )
        for finding in row_findings(tower.rows, players, f"{pointer}/{style}/rows"):
            if finding.rule != "campanile.row.empty":
                yield finding
    markers = markers_by_seat(rows_of(towers), players)
    yield from marker_findings(markers, pointer)
    yield from beyond_turns(markers, turns_of_game(players)[-1], pointer)


def beyond_turns(markers: list[list[str]], turns: int, pointer: str) -> Iterator[Refusal]:
    """A player places at most one marker in each of their turns."""
    for seat, mine in enumerate(markers):
        own = turns_of_seat(seat, turns, len(markers))
        if len(mine) > own:
            yield refuse("campanile.marker.one-a-turn", pointer, seat=seat, placed=len(mine), turns=own)


def too_many_turns(towers: Towers, players: int, turns: range, rule: str, pointer: str) -> Iterator[Refusal]:
    """Higher towers than the most of so many turns make."""
    lowest, highest = cards_in(heights_so_far(towers), players)
    if lowest > turns[-1]:
        yield Refusal(rule, {"lowest": lowest, "highest": highest, "fewest": turns[0], "most": turns[-1]}, pointer)


def too_many_floors(sheet: Scoresheet) -> Iterator[Refusal]:
    """More floors than the turns of a game add if some of them are for small and medium markers."""
    players, floors = len(sheet.seats), sum(heights_so_far(sheet.towers))
    needed = raises_for(markers_by_seat(rows_of(sheet.towers), players))
    if cards_in(heights_so_far(sheet.towers), players)[0] <= turns_of_game(players)[-1] and floors > highest_sum(
        players, needed
    ):
        yield course_finding(sheet)


def missing_of_position(towers: Towers, players: int, turns: range, rule: str, pointer: str) -> Iterator[Refusal]:
    """Heights, empty rows, floors for the markers, and at least the fewest of so many turns."""
    for style in STYLES:
        if towers[style].height is None:
            yield refuse("campanile.tower.sheet-height", f"{pointer}/{style}/height", tower=style)
        for finding in row_findings(towers[style].rows, players, f"{pointer}/{style}/rows"):
            if finding.rule == "campanile.row.empty":
                yield finding
    heights = heights_of(towers)
    if heights is None:
        return
    worth, floors = total_influence(towers), sum(heights)
    if worth > floors:
        yield refuse("campanile.marker.value", pointer, worth=worth, floors=floors)
    lowest, highest = cards_in(heights, players)
    if highest < turns[0]:
        yield Refusal(rule, {"lowest": lowest, "highest": highest, "fewest": turns[0], "most": turns[-1]}, pointer)
    elif rule == "campanile.end.turns":
        markers = markers_by_seat(rows_of(towers), players)
        yield from beyond_turns(markers, min(highest, turns[-1]), pointer)


def total_influence(towers: Towers) -> int:
    return sum(influence(row) for tower in towers.values() for row in tower.rows)


def raises_for(markers: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The number of raises by each value, from one up, that so many markers need."""
    placed = Counter(marker for mine in markers for marker in mine)
    return tuple(placed[size] for size in VALUES)


# --- the Intermezzo --------------------------------------------------------------------------------------------------


def tokens_fit(sheet: Scoresheet, won: tuple[Tokens, ...]) -> bool:
    """Whether the flags of the Intermezzo can have given these tokens, to rows and towers that became those typed in.

    In the variant markers can have left since; otherwise the rows of then are the first ones of now.
    """
    players, heights = len(sheet.seats), heights_of(sheet.towers)
    rows = [tuple(row for row in rows if row.seat < players) for rows in rows_of(sheet.towers)]
    if sheet.move_medium_marker:
        return tokens_possible(won, rows, can_move=True)
    order = [STYLES.index(style) for style in sheet.tower_order]
    return could_have_been_won(
        players, won, tuple(rows[at] for at in order), heights and tuple(heights[at] for at in order)
    )


def history_findings(sheet: Scoresheet, then: Towers) -> Iterator[Refusal]:
    """After the Intermezzo towers only grow, markers stay, and new markers need new floors."""
    for style in STYLES:
        height, before = sheet.towers[style].height, then[style].height
        if height is not None and before is not None and height < before:
            yield refuse(
                "campanile.tower.never-lower", f"/towers/{style}/height", tower=style, height=height, then=before
            )
        yield from lost_markers(style, then[style].rows, sheet.towers[style].rows, sheet.move_medium_marker)
    if sheet.move_medium_marker:
        before_and_after = zip(*markers_then_and_now(sheet, then), strict=True)
        for seat, (markers, kept) in enumerate(before_and_after):
            if markers.count(MEDIUM) > kept.count(MEDIUM):
                yield refuse("campanile.marker.stays", "/towers", seat=seat, lost=(MEDIUM,))
    now_heights, then_heights = heights_of(sheet.towers), heights_of(then)
    if now_heights and then_heights:
        added, floors = total_influence(sheet.towers) - total_influence(then), sum(now_heights) - sum(then_heights)
        if added > floors:
            yield refuse("campanile.marker.value", "/towers", worth=added, floors=floors)


def markers_then_and_now(sheet: Scoresheet, then: Towers) -> tuple[list[list[str]], list[list[str]]]:
    players = len(sheet.seats)
    return markers_by_seat(rows_of(then), players), markers_by_seat(rows_of(sheet.towers), players)


def fixed_markers(row: Row, can_move: bool) -> Counter[str]:
    """The markers of a row that cannot leave: all but the medium ones in the variant."""
    return Counter(marker for marker in row.markers if not (can_move and marker == MEDIUM))


def lost_markers(style: str, then: Rows, now: Rows, can_move: bool) -> Iterator[Refusal]:
    for row in then:
        there: Counter[str] = sum((Counter(other.markers) for other in now if other.seat == row.seat), Counter())
        lost = fixed_markers(row, can_move) - there
        if lost:
            lost_ones = tuple(sorted(lost.elements()))
            yield refuse("campanile.marker.stays", f"/towers/{style}/rows", seat=row.seat, lost=lost_ones)


def rank_findings(style: str, then: Rows, now: Rows, can_move: bool) -> Iterator[Refusal]:
    """A row with a marker that cannot have left keeps its rank."""
    for row in then:
        others = overtaking(row.seat, then, now)
        if fixed_markers(row, can_move) and others:
            yield refuse("campanile.row.rank", f"/towers/{style}/rows", seat=row.seat, other=others[0], tower=style)


def overtaking(seat: int, then: Rows, now: Rows) -> list[int]:
    """The seats whose rows lie before that of `seat` now, and did not then; none if it has no row any more."""
    ranks_then, ranks_now = [row.seat for row in then], [row.seat for row in now]
    if seat not in ranks_now:
        return []
    ahead = ranks_then[: ranks_then.index(seat)]
    return [other for other in ranks_now[: ranks_now.index(seat)] if other not in ahead]


def moves_needed(seat: int, then: Towers, now: Towers) -> int:
    """The fewest times that a player of the variant moved a medium marker between the two scorings.

    Markers leave where there are fewer now, and wherever the row must have been empty meanwhile because another one
    lies before it. Each goes to another tower; where more leave than are wanted elsewhere, they come back by a detour.
    """
    leaving, coming = [], []
    for style in STYLES:
        before, after = (
            sum(row.markers.count(MEDIUM) for row in towers[style].rows if row.seat == seat) for towers in (then, now)
        )
        began_anew = before and overtaking(seat, then[style].rows, now[style].rows)
        leaving.append(before if began_anew else max(0, before - after))
        coming.append(after - before + leaving[-1])
    detours = max(gone + come for gone, come in zip(leaving, coming, strict=True)) - sum(coming)
    return sum(leaving) + max(0, detours)


# --- all of it together ----------------------------------------------------------------------------------------------


def course_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Whether turns can have led to the towers and markers at the end, and to those of the Intermezzo on the way.

    Raises:
        TooManySteps: if it takes too long to find out.
    """
    players = len(sheet.seats)
    if not can_lead(players, [whole_course(sheet)]):
        yield course_finding(sheet)
    elif isinstance(sheet.intermezzo, Position):
        then = sheet.intermezzo.towers
        if not can_lead(players, two_courses(sheet, then)):
            floors = sum(heights_so_far(sheet.towers))
            yield refuse(
                "campanile.deck.intermezzo-course",
                "/intermezzo/towers",
                then=sum(heights_so_far(then)),
                floors=floors,
            )


def whole_course(sheet: Scoresheet) -> Stretch:
    markers = markers_by_seat(rows_of(sheet.towers), len(sheet.seats))
    return Stretch(heights_so_far(sheet.towers), raises_for(markers), tuple(map(len, markers)))


def two_courses(sheet: Scoresheet, then: Towers) -> list[Stretch]:
    """What the turns before the Intermezzo did, and those after it."""
    before, after = markers_then_and_now(sheet, then)
    new = [list((Counter(now) - Counter(old)).elements()) for old, now in zip(before, after, strict=True)]
    moves = [0] * len(new)
    if sheet.move_medium_marker:
        moves = [moves_needed(seat, then, sheet.towers) for seat in range(len(new))]
    ones, twos, threes = raises_for(new)
    heights = zip(heights_so_far(sheet.towers), heights_so_far(then), strict=True)
    return [
        Stretch(heights_so_far(then), raises_for(before), tuple(map(len, before))),
        Stretch(
            tuple(now - old for now, old in heights),
            (ones, twos + sum(moves), threes),
            tuple(len(mine) + moved for mine, moved in zip(new, moves, strict=True)),
        ),
    ]


def course_finding(sheet: Scoresheet) -> Refusal:
    players, floors = len(sheet.seats), sum(heights_so_far(sheet.towers))
    needed = dict(zip(VALUES, raises_for(markers_by_seat(rows_of(sheet.towers), players)), strict=True))
    turns = turns_of_game(players)
    return refuse("campanile.end.course", "/towers", floors=floors, **needed, fewest=turns[0], most=turns[-1])


# --- its result ------------------------------------------------------------------------------------------------------


def score(sheet: Scoresheet, undecided: tuple[str, ...]) -> Mapping[str, Result]:
    """The result of a possible scoresheet; of an unfinished one the scorings whose towers are all typed in."""
    players = len(sheet.seats)
    scorings: list[Scoring] = []
    openings: list[list[ScoreLine]] = [[] for _ in range(players)]
    skipped: tuple[str, ...] = SCHEDULE_RULES
    if isinstance(sheet.intermezzo, Position):
        if heights_of(sheet.intermezzo.towers):
            scorings.append(scoring.intermezzo(players, sheet.tower_order, raised(sheet.intermezzo.towers)))
    else:
        skipped = (*HISTORY_RULES, *SCHEDULE_RULES)
        if sheet.intermezzo:
            for seat, tokens in enumerate(sheet.intermezzo.by_seat):
                openings[seat] += token_lines(tokens)
    if heights_of(sheet.towers):
        scorings.append(finito(players, sheet.tower_order, raised(sheet.towers)))
    return {"result": result_of(openings, scorings, (*undecided, *skipped), sheet.unfinished)}


def raised(towers: Towers) -> dict[str, Tower]:
    """Towers as a scoring needs them."""
    return {style: Tower(tower.height or 0, 0, tower.rows) for style, tower in towers.items()}
