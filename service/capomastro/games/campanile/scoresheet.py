"""Scores a game played at a table: the scoresheet, and what is impossible on it."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from capomastro.engine.refusals import Refusal, refuse
from capomastro.games.campanile import scoring
from capomastro.games.campanile.components import FLOORS, MEDIUM, STYLES, copies
from capomastro.games.campanile.rows import Rows, influence, marker_findings, markers_by_seat, row_findings
from capomastro.games.campanile.scoring import (
    Result,
    Scoring,
    finito,
    lines,
    result_of,
    score,
    token_lines,
    tokens_possible,
)
from capomastro.games.campanile.state import Row, Tokens


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player."""

    name: str | None = None


class SheetTower(msgspec.Struct, frozen=True):
    """Its floors, and the rows under it by rank."""

    height: int
    rows: tuple[Row, ...]


class TokensWon(msgspec.Struct, frozen=True, tag="tokens", tag_field="type"):
    """Only the tokens won at the Intermezzo are known."""

    by_seat: tuple[Tokens, ...]


class Position(msgspec.Struct, frozen=True, tag="position", tag_field="type"):
    """The towers at the Intermezzo."""

    towers: dict[str, SheetTower]


class Scoresheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """Players, options, the towers at the end, and what is known of the Intermezzo."""

    game: str
    schema_version: int
    seats: tuple[SheetSeat, ...]
    towers: dict[str, SheetTower]
    intermezzo: TokensWon | Position
    tower_order: tuple[str, ...] = STYLES
    move_medium_marker: bool = False
    unfinished: bool = False


HISTORY_RULES = ("campanile.tower.never-lower", "campanile.marker.stays", "campanile.row.rank")
"""The rules that cannot be checked if the position at the Intermezzo is unknown."""


# --- what a scoresheet can say ---------------------------------------------------------------------------------------


def findings(sheet: Scoresheet) -> list[Refusal]:
    """Everything impossible on the scoresheet."""
    players = len(sheet.seats)
    found = []
    if sheet.move_medium_marker and players != 2:
        found.append(refuse("campanile.variant.two-players", "/move_medium_marker", players=players))
    found += tower_findings(sheet.towers, players, "/towers")
    if isinstance(sheet.intermezzo, TokensWon):
        found += token_findings(sheet, sheet.intermezzo)
    else:
        then = sheet.intermezzo.towers
        found += tower_findings(then, players, "/intermezzo/towers")
        for style in STYLES:
            if sheet.towers[style].height < then[style].height:
                heights = {"height": sheet.towers[style].height, "then": then[style].height}
                found.append(refuse("campanile.tower.never-lower", f"/towers/{style}/height", tower=style, **heights))
        found += history_findings(sheet, then)
    return found


def tower_findings(towers: dict[str, SheetTower], players: int, pointer: str) -> Iterator[Refusal]:
    """One position: heights, rows, markers, and enough floors for the markers."""
    highest = max(FLOORS) * copies(players)
    for style in STYLES:
        tower = towers[style]
        if tower.height > highest:
            yield refuse(
                "campanile.tower.height", f"{pointer}/{style}/height", tower=style, height=tower.height, highest=highest
            )
        yield from row_findings(tower.rows, players, f"{pointer}/{style}/rows")
    yield from marker_findings(markers_by_seat([tower.rows for tower in towers.values()], players), pointer)
    floors = sum(tower.height for tower in towers.values())
    worth = total_influence(towers)
    if worth > floors:
        yield refuse("campanile.marker.value", pointer, worth=worth, floors=floors)


def total_influence(towers: dict[str, SheetTower]) -> int:
    return sum(influence(row) for tower in towers.values() for row in tower.rows)


def token_findings(sheet: Scoresheet, won: TokensWon) -> Iterator[Refusal]:
    """The flags of the Intermezzo must be able to give these tokens, to rows that existed."""
    players = len(sheet.seats)
    if len(won.by_seat) != players:
        yield refuse("campanile.turn.seats", "/intermezzo/by_seat", seat=len(won.by_seat) - 1, players=players)
    elif not tokens_possible(won.by_seat, [sheet.towers[style].rows for style in STYLES], sheet.move_medium_marker):
        yield refuse("campanile.scoring.tokens", "/intermezzo/by_seat", tokens=won.by_seat)


def history_findings(sheet: Scoresheet, then: dict[str, SheetTower]) -> Iterator[Refusal]:
    """After the Intermezzo, markers stay, rows keep their rank, and new markers need new floors."""
    for style in STYLES:
        yield from history_of_tower(style, then[style].rows, sheet.towers[style].rows, sheet.move_medium_marker)
    if sheet.move_medium_marker:
        before = markers_by_seat([tower.rows for tower in then.values()], len(sheet.seats))
        after = markers_by_seat([tower.rows for tower in sheet.towers.values()], len(sheet.seats))
        for seat, (markers, kept) in enumerate(zip(before, after, strict=True)):
            if markers.count(MEDIUM) > kept.count(MEDIUM):
                yield refuse("campanile.marker.stays", "/towers", seat=seat, lost=(MEDIUM,))
    added = total_influence(sheet.towers) - total_influence(then)
    floors = sum(sheet.towers[style].height - then[style].height for style in STYLES)
    if added > floors:
        yield refuse("campanile.marker.value", "/towers", worth=added, floors=floors)


def history_of_tower(style: str, then: Rows, now: Rows, can_move: bool) -> Iterator[Refusal]:
    """Under one tower: only medium markers may leave, in the variant; only a row that was emptied loses its rank."""
    pointer = f"/towers/{style}/rows"
    seats_now = [row.seat for row in now]
    for rank, row in enumerate(then):
        staying = Counter(marker for marker in row.markers if not (can_move and marker == MEDIUM))
        if not staying:
            continue
        there: Counter[str] = sum((Counter(other.markers) for other in now if other.seat == row.seat), Counter())
        lost = staying - there
        if lost:
            yield refuse("campanile.marker.stays", pointer, seat=row.seat, lost=tuple(sorted(lost.elements())))
            continue
        ahead = {other.seat for other in then[:rank]}
        overtaken_by = [seat for seat in seats_now[: seats_now.index(row.seat)] if seat not in ahead]
        if overtaken_by:
            yield refuse("campanile.row.rank", pointer, seat=row.seat, other=overtaken_by[0], tower=style)


# --- its result ------------------------------------------------------------------------------------------------------


def result(sheet: Scoresheet) -> Result:
    """The result of a possible scoresheet."""
    players = len(sheet.seats)
    final = finito(players, sheet.tower_order, sheet.towers)
    scorings: tuple[Scoring, ...]
    skipped: tuple[str, ...]
    if isinstance(sheet.intermezzo, Position):
        first = scoring.intermezzo(players, sheet.tower_order, sheet.intermezzo.towers)
        scorings, skipped = (first, final), ()
        won = lines(first)
        openings = [[line for winner, line in won if winner == seat] for seat in range(players)]
    else:
        scorings, skipped = (final,), HISTORY_RULES
        openings = [token_lines(tokens) for tokens in sheet.intermezzo.by_seat]
    won = lines(final)
    scores = [
        score(seat, [*opening, *(line for winner, line in won if winner == seat)])
        for seat, opening in enumerate(openings)
    ]
    return result_of(scores, scorings, skipped, sheet.unfinished)
