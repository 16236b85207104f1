"""Scores a game played at a table: the scoresheet, and what is impossible on it.

What is impossible is found by counting cards, floors, markers and tokens. A sheet can be wrong in ways that no count
shows.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from capomastro.engine import game as engine
from capomastro.engine.game import SheetSeat
from capomastro.engine.members import BySeat, Keys, titled
from capomastro.engine.refusals import Because, Refusal, refuse
from capomastro.engine.scoresheets import Judgement, judgement
from capomastro.games.campanile import components as box
from capomastro.games.campanile import scoring, tokens
from capomastro.games.campanile.rows import marker_findings, markers_by_seat, row_findings
from capomastro.games.campanile.state import Tower


@titled("Tower on a scoresheet", "tower")
class SheetTower(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tower and the influence under it."""

    height: Annotated[int, Meta(ge=0, le=tokens.HEIGHT_ON_PAPER)] | None = None
    """Its number of floors; the base card adds none. Only an unfinished sheet can do without."""
    rows: tokens.Rows = ()
    """The rows under it, the first one first."""


Towers = Annotated[dict[tokens.Style, SheetTower], Keys(box.STYLES), Meta(title="Towers on a scoresheet")]
"""The five towers, by style."""


@titled("Tokens of the Intermezzo")
class TokensWon(msgspec.Struct, frozen=True, tag="tokens", tag_field="type"):
    """Only the tokens won at the Intermezzo are known."""

    by_seat: BySeat[tokens.PointTokens]
    """Every player's tokens, by seat."""


@titled("Position at the Intermezzo")
class Position(msgspec.Struct, frozen=True, tag="position", tag_field="type"):
    """The towers at the Intermezzo."""

    towers: Towers


class Scoresheet(engine.Scoresheet, frozen=True):
    """A finished game as typed in at the table, to be scored."""

    seats: BySeat[SheetSeat]
    """The players, clockwise from the first."""
    towers: Towers
    """The towers at the end."""
    intermezzo: TokensWon | Position | None = None
    """What is known of the first scoring; the `type` says which: the tokens won, or the towers at that time. Only an
    unfinished sheet can do without."""
    tower_order: tokens.TowerOrder = box.STYLES
    move_medium_marker: tokens.MoveMediumMarker = False


# --- what a scoresheet can say ---------------------------------------------------------------------------------------


def judge(sheet: Scoresheet) -> Judgement:
    """Faults that no further entry can fix, and what is missing: floors, rows, markers and tokens only become more."""
    impossible = list(impossible_findings(sheet))
    faults = {fault_of(finding) for finding in impossible}
    contradictions = [finding for finding in contradictions_of(sheet) if fault_of(finding) not in faults]
    return judgement(impossible, missing_entries(sheet), contradictions, course_findings(sheet))


def fault_of(finding: Refusal) -> tuple[Any, ...]:
    """What a finding is about: what is reported as impossible is not reported as missing, too."""
    return finding.rule, finding.pointer, finding.values.get("seat")


def impossible_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Everything that stays impossible, whatever else is typed in."""
    players = len(sheet.seats)
    if sheet.move_medium_marker and players != 2:
        yield refuse("campanile.variant.two-players", "/move_medium_marker", players=players)
    yield from tower_findings(sheet.towers, players, "/towers")
    yield from too_many_cards(sheet.towers, players, turns_of_game(players), "campanile.end.turns", "/towers")
    yield from too_many_floors(sheet)
    if isinstance(sheet.intermezzo, TokensWon):
        if len(sheet.intermezzo.by_seat) > players:
            yield refuse("campanile.turn.seats", f"/intermezzo/by_seat/{players}", seat=players, players=players)
        elif because := scoring.why_not_given(players, sheet.intermezzo.by_seat):
            values = {"tokens": sheet.intermezzo.by_seat}
            yield Refusal("campanile.scoring.tokens", values, "/intermezzo/by_seat", because)
    elif sheet.intermezzo:
        then, turns = sheet.intermezzo.towers, turns_before_intermezzo(players)
        yield from tower_findings(then, players, "/intermezzo/towers")
        yield from too_many_cards(then, players, turns, "campanile.deck.intermezzo-turns", "/intermezzo/towers")
        for style in box.STYLES:
            yield from rank_findings(style, then[style].rows, sheet.towers[style].rows, sheet.move_medium_marker)


def missing_entries(sheet: Scoresheet) -> Iterator[Refusal]:
    """What has not been typed in."""
    players = len(sheet.seats)
    yield from missing_of_position(sheet.towers, players, "/towers")
    if sheet.intermezzo is None:
        yield refuse("campanile.scoring.sheet-intermezzo", "/intermezzo")
    elif isinstance(sheet.intermezzo, TokensWon):
        for seat in range(len(sheet.intermezzo.by_seat), players):
            yield refuse("campanile.scoring.sheet-tokens", "/intermezzo/by_seat", seat=seat)
    else:
        yield from missing_of_position(sheet.intermezzo.towers, players, "/intermezzo/towers")


def contradictions_of(sheet: Scoresheet) -> Iterator[Refusal]:
    """What a finished game refutes: too few floors for the markers, too few turns, towers that have become lower."""
    players = len(sheet.seats)
    game = turns_of_game(players)
    yield from too_few_floors(sheet.towers, players, game, "campanile.end.turns", "/towers")
    _, most_cards = cards_in(heights_so_far(sheet.towers), players)
    if heights_of(sheet.towers) and most_cards in game:
        yield from beyond_turns(markers_on(sheet.towers, players), most_cards, "/towers")
    if isinstance(sheet.intermezzo, Position):
        then, turns = sheet.intermezzo.towers, turns_before_intermezzo(players)
        yield from too_few_floors(then, players, turns, "campanile.deck.intermezzo-turns", "/intermezzo/towers")
        yield from history_findings(sheet, then)


def heights_of(towers: Towers) -> tuple[int, ...] | None:
    """The floors of all towers; None while some have not been typed in."""
    heights = tuple(height for height in (towers[style].height for style in box.STYLES) if height is not None)
    return heights if len(heights) == len(box.STYLES) else None


def heights_so_far(towers: Towers) -> tuple[int, ...]:
    return tuple(towers[style].height or 0 for style in box.STYLES)


def markers_on(towers: Towers, players: int) -> list[list[str]]:
    """The markers of each player."""
    return markers_by_seat([towers[style].rows for style in box.STYLES], players)


def values_of(markers: Sequence[Sequence[str]]) -> list[int]:
    """The values of the markers of all players."""
    return [box.VALUES[marker] for placed in markers for marker in placed]


# --- turns -----------------------------------------------------------------------------------------------------------


def turns_of_game(players: int) -> range:
    """The numbers of turns after which a game can end: in the last of them the Finito shows.

    Three cards are turned up before the first turn and one in every turn but the last, with 0 to 10 cards behind the
    Finito.
    """
    most = box.cards_after_dealing(players) - box.DISPLAY_SIZE + 1
    return range(most - box.LAST_CARDS, most + 1)


def turns_before_intermezzo(players: int) -> range:
    """The numbers of turns after which the Intermezzo can show: at the latest when the Finito can follow at once."""
    return range(1, turns_of_game(players)[0] + 1)


def turns_of_seat(seat: int, turns: int, players: int) -> int:
    """The number of turns of `seat` among the first `turns`."""
    return (turns - seat + players - 1) // players


def cards_in(floors: Sequence[int], players: int) -> tuple[int, int]:
    """The fewest and the most cards that can have added these floors to the towers: each adds one to three."""
    most = box.copies(players)
    return sum(-(-height // max(box.FLOORS)) for height in floors), sum(min(height, most) for height in floors)


def turns_for(floors: Sequence[int], markers: Sequence[Sequence[str]], players: int, limits: range) -> range:
    """The numbers of turns within `limits` that can have added `floors` to the towers and placed `markers`."""
    fewest, most = turns_needed(floors, markers, players)
    return range(max(limits[0], fewest), min(limits[-1], most) + 1)


def turns_needed(floors: Sequence[int], markers: Sequence[Sequence[str]], players: int) -> tuple[int, int]:
    """The fewest and the most turns that can have added `floors` to the towers and placed `markers`.

    A turn plays one card, adds one to three floors, and allows one marker of that value.
    """
    (fewest_cards, most_cards), values = cards_in(floors, players), values_of(markers)
    floors_without_marker = sum(floors) - sum(values)
    fewest = len(values) - (-floors_without_marker // max(box.FLOORS))
    return max(fewest_cards, fewest), min(most_cards, len(values) + floors_without_marker)


# --- one position ----------------------------------------------------------------------------------------------------


def tower_findings(towers: Towers, players: int, pointer: str) -> Iterator[Refusal]:
    """Heights, rows and markers that cannot be, each by itself."""
    highest = max(box.FLOORS) * box.copies(players)
    for style in box.STYLES:
        at, height = f"{pointer}/{style}", towers[style].height
        if height is not None and height > highest:
            finding = refuse("campanile.tower.height", f"{at}/height", tower=style, height=height, highest=highest)
            yield finding.because_of("cards-of-style", cards=box.copies(players), most=max(box.FLOORS))
        for finding in row_findings(towers[style].rows, players, f"{at}/rows"):
            if finding.rule != "campanile.row.empty":
                yield finding
    markers = markers_on(towers, players)
    yield from marker_findings(markers, pointer)
    yield from beyond_turns(markers, turns_of_game(players)[-1], pointer)


def beyond_turns(markers: list[list[str]], turns: int, pointer: str) -> Iterator[Refusal]:
    """A player places at most one marker in each of their turns."""
    for seat, placed in enumerate(markers):
        own = turns_of_seat(seat, turns, len(markers))
        if len(placed) > own:
            yield refuse("campanile.marker.one-a-turn", pointer, seat=seat, placed=len(placed), turns=own)


def too_many_cards(towers: Towers, players: int, turns: range, rule: str, pointer: str) -> Iterator[Refusal]:
    """Floors for more cards than there are turns."""
    lowest, highest = cards_in(heights_so_far(towers), players)
    if lowest > turns[-1]:
        yield Refusal(rule, {"lowest": lowest, "highest": highest, "fewest": turns[0], "most": turns[-1]}, pointer)


def missing_of_position(towers: Towers, players: int, pointer: str) -> Iterator[Refusal]:
    """The heights of towers, and the markers of empty rows."""
    for style in box.STYLES:
        if towers[style].height is None:
            yield refuse("campanile.tower.sheet-height", f"{pointer}/{style}/height", tower=style)
        for finding in row_findings(towers[style].rows, players, f"{pointer}/{style}/rows"):
            if finding.rule == "campanile.row.empty":
                yield finding


def too_few_floors(towers: Towers, players: int, turns: range, rule: str, pointer: str) -> Iterator[Refusal]:
    """Fewer floors than the markers show, or than the fewest turns add."""
    heights = heights_of(towers)
    if heights is None:
        return
    worth, floors = sum(values_of(markers_on(towers, players))), sum(heights)
    if worth > floors:
        yield refuse("campanile.marker.value", pointer, worth=worth, floors=floors)
    lowest, highest = cards_in(heights, players)
    if highest < turns[0]:
        yield Refusal(rule, {"lowest": lowest, "highest": highest, "fewest": turns[0], "most": turns[-1]}, pointer)


# --- the Intermezzo --------------------------------------------------------------------------------------------------


def history_findings(sheet: Scoresheet, then: Towers) -> Iterator[Refusal]:
    """After the Intermezzo towers only grow, markers stay, and new markers need new floors."""
    for style in box.STYLES:
        height, before = sheet.towers[style].height, then[style].height
        if height is not None and before is not None and height < before:
            pointer = f"/towers/{style}/height"
            yield refuse("campanile.tower.never-lower", pointer, tower=style, height=height, then=before)
        yield from lost_markers(style, then[style].rows, sheet.towers[style].rows, sheet.move_medium_marker)
    old, now = (markers_on(towers, len(sheet.seats)) for towers in (then, sheet.towers))
    if sheet.move_medium_marker:
        for seat, (before_moving, left) in enumerate(zip(old, now, strict=True)):
            if before_moving.count(box.MEDIUM) > left.count(box.MEDIUM):
                yield refuse("campanile.marker.stays", "/towers", seat=seat, lost=(box.MEDIUM,))
    heights, heights_then = heights_of(sheet.towers), heights_of(then)
    if heights and heights_then:
        added, floors = sum(values_of(now)) - sum(values_of(old)), sum(heights) - sum(heights_then)
        if added > floors:
            yield refuse("campanile.marker.value", "/towers", worth=added, floors=floors)


def fixed_markers(row: tokens.Row, can_move: bool) -> Counter[str]:
    """The markers of a row that cannot leave: all but the medium ones in the variant."""
    return Counter(marker for marker in row.markers if not (can_move and marker == box.MEDIUM))


def lost_markers(style: str, then: tokens.Rows, now: tokens.Rows, can_move: bool) -> Iterator[Refusal]:
    for row in then:
        left = Counter(marker for later in now if later.seat == row.seat for marker in later.markers)
        if lost := tuple(sorted((fixed_markers(row, can_move) - left).elements())):
            yield refuse("campanile.marker.stays", f"/towers/{style}/rows", seat=row.seat, lost=lost)


def rank_findings(style: str, then: tokens.Rows, now: tokens.Rows, can_move: bool) -> Iterator[Refusal]:
    """A row with a marker that cannot have left keeps its rank."""
    ranks_then, ranks_now = [row.seat for row in then], [row.seat for row in now]
    for rank, row in enumerate(then):
        if row.seat in ranks_now and fixed_markers(row, can_move):
            ahead = ranks_now[: ranks_now.index(row.seat)]
            if overtaking := [seat for seat in ahead if seat not in ranks_then[:rank]]:
                pointer = f"/towers/{style}/rows"
                yield refuse("campanile.row.rank", pointer, seat=row.seat, other=overtaking[0], tower=style)


# --- all of it together ----------------------------------------------------------------------------------------------


def too_many_floors(sheet: Scoresheet) -> Iterator[Refusal]:
    """More floors than the turns of a game add if some of them are for small and medium markers."""
    players, floors = len(sheet.seats), heights_so_far(sheet.towers)
    most, (fewest_cards, _) = turns_of_game(players)[-1], cards_in(floors, players)
    if fewest_cards <= most < turns_for(floors, markers_on(sheet.towers, players), players, range(most + 1)).start:
        yield course_finding(sheet)


def course_findings(sheet: Scoresheet) -> Iterator[Refusal]:
    """Whether a game has turns for all floors and markers, and for those before and after the Intermezzo."""
    players, floors = len(sheet.seats), heights_so_far(sheet.towers)
    if not turns_for(floors, markers_on(sheet.towers, players), players, turns_of_game(players)):
        yield course_finding(sheet)
    elif isinstance(sheet.intermezzo, Position) and (because := why_not_to_end(sheet, sheet.intermezzo.towers)):
        values = {"then": sum(heights_so_far(sheet.intermezzo.towers)), "floors": sum(floors)}
        yield Refusal("campanile.deck.intermezzo-course", values, "/intermezzo/towers", because)


def why_not_to_end(sheet: Scoresheet, then: Towers) -> Because | None:
    """Why a game has no turns for the towers and markers of the Intermezzo, and then for the rest."""
    players, heights = len(sheet.seats), heights_so_far(then)
    game, old, new = turns_of_game(players), markers_on(then, players), new_markers(sheet, then)
    added = tuple(height - before for height, before in zip(heights_so_far(sheet.towers), heights, strict=True))
    limits = turns_before_intermezzo(players)
    before, after = turns_for(heights, old, players, limits), turns_for(added, new, players, range(game[-1] + 1))
    if not before:
        fewest, most = turns_needed(heights, old, players)
        return Because("turns-before", {"fewest": fewest, "most": most, "first": limits[0], "last": limits[-1]})
    if not after:
        fewest, most = turns_needed(added, new, players)
        return Because("turns-after", {"fewest": fewest, "most": most, "last": game[-1]})
    together = range(before[0] + after[0], before[-1] + after[-1] + 1)
    if together[0] > game[-1] or together[-1] < game[0]:
        values = {"fewest": together[0], "most": together[-1], "first": game[0], "last": game[-1]}
        return Because("turns-together", values)
    # every tower takes its cards from the same few, and the last part may begin with anybody
    turns_after = min(after[-1], game[-1] - before[0])
    for style, *parts in zip(box.STYLES, heights, added, strict=True):
        cards = sum(cards_in((part,), players)[0] for part in parts)
        if cards > box.copies(players):
            return Because("cards-in-two-parts", {"tower": style, "cards": cards, "box": box.copies(players)})
    for seat, parts_of_seat in enumerate(zip(old, new, strict=True)):
        own_turns = turns_of_seat(seat, before[-1], players), turns_of_seat(0, turns_after, players)
        for markers, turns in zip(parts_of_seat, own_turns, strict=True):
            if len(markers) > turns:
                return Because("markers-in-part", {"markers": len(markers), "most": turns})
    return None


def new_markers(sheet: Scoresheet, then: Towers) -> list[list[str]]:
    """By seat, the markers placed since the Intermezzo, and in the variant those moved: a move takes a turn, too."""
    players = len(sheet.seats)
    new = []
    for seat, (old, now) in enumerate(zip(markers_on(then, players), markers_on(sheet.towers, players), strict=True)):
        moved = medium_markers(then, seat) - medium_markers(sheet.towers, seat)
        new.append([*(Counter(now) - Counter(old)).elements(), *[box.MEDIUM] * moved.total()])
    return new


def medium_markers(towers: Towers, seat: int) -> Counter[str]:
    """The number of a player's medium markers under each tower."""
    rows = [(style, row) for style in box.STYLES for row in towers[style].rows if row.seat == seat]
    return Counter({style: row.markers.count(box.MEDIUM) for style, row in rows})


def course_finding(sheet: Scoresheet) -> Refusal:
    players = len(sheet.seats)
    turns, values = turns_of_game(players), values_of(markers_on(sheet.towers, players))
    needed = {size: values.count(value) for size, value in box.VALUES.items()}
    heights = heights_so_far(sheet.towers)
    finding = refuse("campanile.end.course", "/towers", floors=sum(heights), **needed, fewest=turns[0], most=turns[-1])
    fewest, most = turns_needed(heights, markers_on(sheet.towers, players), players)
    return finding.because_of("turns-needed", fewest=fewest, most=most)


# --- its result ------------------------------------------------------------------------------------------------------


def score(sheet: Scoresheet) -> Mapping[str, scoring.Result]:
    """The result of a scoresheet, however impossible; of an unfinished one the scorings whose towers are typed in."""
    players = len(sheet.seats)
    scorings: list[scoring.Scoring] = []
    openings: list[list[scoring.ScoreLine]] = [[] for _ in range(players)]
    if isinstance(sheet.intermezzo, Position):
        if heights_of(sheet.intermezzo.towers):
            scorings.append(scoring.intermezzo(players, sheet.tower_order, raised(sheet.intermezzo.towers)))
    elif sheet.intermezzo:
        for opening, won in zip(openings, sheet.intermezzo.by_seat, strict=False):
            opening.extend(scoring.token_lines(won))
    if heights_of(sheet.towers):
        scorings.append(scoring.finito(players, sheet.tower_order, raised(sheet.towers)))
    return {"result": scoring.result_of(openings, scorings, sheet.unfinished)}


def raised(towers: Towers) -> dict[str, Tower]:
    """Towers as a scoring needs them."""
    return {style: Tower(tower.height or 0, 0, tower.rows) for style, tower in towers.items()}
