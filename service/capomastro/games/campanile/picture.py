"""The table as a picture, from top to bottom: display and deck, the five towers with the rows under them, the players.

Which tower is highest, and who gets what there now?
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from capomastro.drawing.boxes import NOTHING, Box, above, beside, box, moved
from capomastro.drawing.cards import LARGE, UNKNOWN, Card, card, cards_at, hand_in_row, open_cards
from capomastro.drawing.elements import EMPTY, Number, Svg, component, group, joined, path, rectangle, text
from capomastro.drawing.marks import mark, outlined_mark
from capomastro.drawing.palette import BACK, DARK_ON_COLOUR, INK, SHEET, paint
from capomastro.drawing.parts import captioned, component_at, head, placed, plate, points_note, ring, ring_if_new
from capomastro.drawing.pictures import Brief, Captions, Parts, Table
from capomastro.engine.hands import last_dealt
from capomastro.engine.moves import Move
from capomastro.engine.multisets import Multiset
from capomastro.engine.stages import GameOver
from capomastro.games.campanile import components, moves
from capomastro.games.campanile.deck import deck, drawn_count
from capomastro.games.campanile.rows import influence, markers_by_seat
from capomastro.games.campanile.scoresheet import Scoresheet, TokensWon, raised
from capomastro.games.campanile.scoring import contenders, ranking, result_at_end
from capomastro.games.campanile.state import State, Tower
from capomastro.games.campanile.tokens import PointTokens, Row

Shown = State | Scoresheet
"""What is drawn of towers and players; a scoresheet has no hands."""

PLAYERS_WIDTH = 354
"""Of the column of players in the wide layout."""


def table(state: State, brief: Brief) -> Table:
    """The picture of a state."""
    shown, below, towers = brief.at_places(PARTS, state, "/display", "/derived/deck", "/towers")
    seats = players(state, brief)
    if brief.fixed:
        drawn = brief.in_fixed_order(above(beside(shown, below, gap=20), towers, gap=14), NOTHING, seats, NOTHING, 10)
    elif brief.narrow:
        drawn = above(beside(shown, below, gap=20), towers, above(*seats.values(), gap=10), gap=14)
    else:
        left = beside(shown, towers, gap=26, align="bottom")
        right = above(below, above(*seats.values(), gap=10), gap=12)
        drawn = beside(left, right, gap=brief.room - PLAYERS_WIDTH - left.width)
    return Table(drawn, standings(state, "standing-at-end" if is_over(state) else "standing-so-far", brief))


def table_of_scoresheet(sheet: Scoresheet, brief: Brief) -> Table:
    """The towers with their rows, those not typed in yet without floors, and what is known of the players."""
    seats, towers = above(*players(sheet, brief).values(), gap=10), towers_on_the_ground(sheet, brief)
    between = brief.room - PLAYERS_WIDTH - towers.width
    drawn = brief.arranged(towers, seats, below_gap=14, beside_gap=between)
    return Table(drawn, standings(sheet, "standing-on-sheet", brief))


def standings(shown: Shown, key: str, brief: Brief) -> list[str]:
    """Each player's points and how many markers they have placed; on a scoresheet only the markers."""
    return brief.standings(key, points=points_of(shown), markers=[*map(len, markers_placed(shown))])


def is_over(shown: Shown) -> bool:
    return isinstance(shown, State) and isinstance(shown.stage, GameOver)


def points_of(shown: Shown) -> Sequence[int | None]:
    """By seat: the tokens of the Intermezzo, at the end those of the Finito as well; None on a scoresheet."""
    if isinstance(shown, Scoresheet):
        return [None] * len(shown.seats)
    return result_at_end(shown).totals if is_over(shown) else [sum(seat.tokens) for seat in shown.seats]


def markers_placed(shown: Shown) -> list[Multiset]:
    """The markers that each player has placed."""
    return [*map(tuple, markers_by_seat([tower.rows for tower in shown.towers.values()], len(shown.seats)))]


def tokens_of(shown: Shown, seat: int) -> PointTokens:
    """The tokens that a player won at the Intermezzo, if they are known."""
    if isinstance(shown, State):
        return shown.seats[seat].tokens
    won = shown.intermezzo.by_seat if isinstance(shown.intermezzo, TokensWon) else ()
    return won[seat] if seat < len(won) else ()


# --- display and deck ------------------------------------------------------------------------------------------------


def tower_cards(say: Captions) -> list[Card]:
    """The tower cards: the stone and the window of each style, below its letter."""
    return [
        Card(style, say("card-title", style=style), style.upper(), f"stone-{style}", emblem="M0 0" + window(style, 7))
        for style in components.STYLES
    ]


def display(state: State, brief: Brief) -> Box:
    """The display. Wide: one card below the other, an arrow from it along the towers, and what that means."""
    say = brief.say
    title = say("display-title", cards=len(state.display))
    if brief.narrow:
        row = cards_at("/display", state.display, title, tower_cards, brief.within(100))
        return captioned(say("display"), row, 100)
    cards, step = open_cards(state.display, "/display", tower_cards, brief), LARGE.height + 8
    column = [card(face_up, LARGE, 0, index * step) for index, face_up in enumerate(cards)]
    content = placed(box(LARGE.width, len(cards) * step - 8, *column), "/display", title, LARGE.height)
    return captioned(say("display"), above(content, nearer_counts(say), box(92, 60, EMPTY), gap=16), 92)


def nearer_counts(say: Captions) -> Box:
    """An arrow along the towers, and what it means."""
    notes = [text(0, 26 + index * 15, line, "quiet", 11) for index, line in enumerate(say("nearer-counts").split("\n"))]
    return box(92, 26 + 15 * len(notes), path("M0 6H66m-8-5l8 5l-8 5", "edge"), *notes)


SLOT = (11, 16)


def slots_of_deck(state: State, brief: Brief) -> Box:
    """A slot for each tower card, the next one at the left; where the Intermezzo lies, where the Finito may lie."""
    say, narrow, over = brief.say, brief.narrow, is_over(state)
    left = deck(state).size
    width = brief.room - 120 if narrow else PLAYERS_WIDTH
    pitch = min(SLOT[0], width / max(left, 1))
    last = left - min(left, components.LAST_CARDS)
    before = cards_before_intermezzo(state, left)
    intermezzo, finito = say(intermezzo_note(state, before)), say("finito-over" if over else "finito-ahead")
    drawn = [
        path(slots(0, last, pitch), "hair", SHEET) if last else EMPTY,
        path(slots(last, left, pitch), "hair", BACK)
        if left
        else rectangle(0.5, 0.5, SLOT[0] - 1, SLOT[1] - 1, "faint absent", radius=1),
    ]
    if before is not None:
        drawn.append(path(f"M{before * pitch:g} 18l5 8h-10Z", fill=INK))
    if left and not over:
        drawn.append(path(f"M{last * pitch:g} 19v4H{left * pitch - 1:g}v-4", "edge"))
    drawn.append(text(0, 38, intermezzo, "quiet", 11))
    drawn.append(text(0, 52, finito, "quiet", 11) if narrow else text(width, 38, finito, "quiet end", 11))
    title = f"{say('deck-title', cards=left)}. {intermezzo}. {finito}"
    content = box(width, 52 if narrow else 38, group(*drawn, title=title, place="/derived/deck"))
    return captioned(say("deck"), content, width, say("cards-left", cards=left))


def slots(first: int, end: int, pitch: float) -> str:
    """The slots of some tower cards: all in one path, because there are many."""
    width = f"{pitch - 1:.3g}"
    return f"M{first * pitch:.4g} 0" + (end - first) * f"h{width}v{SLOT[1]}h-{width}v-{SLOT[1]}zm{pitch:.4g} 0"


def cards_before_intermezzo(state: State, left: int) -> int | None:
    """The tower cards that come before the Intermezzo; None if it is over or its place is not known."""
    after = state.options.intermezzo_after
    if state.intermezzo_seen or after is None:
        return None
    return min(max(after - drawn_count(state, left), 0), left)


def intermezzo_note(state: State, before: int | None) -> str:
    """The key of what is said of the Intermezzo."""
    if state.intermezzo_seen:
        return "intermezzo-over"
    if before is None:
        return "intermezzo-somewhere"
    return "intermezzo-ahead" if before else "intermezzo-next"


# --- the towers ------------------------------------------------------------------------------------------------------


class Measures(NamedTuple):
    """The sizes of one layout."""

    pitch: int
    """From tower to tower."""
    shaft: int
    """The width of a tower."""
    floor: int
    """The height of a floor if towers are low."""
    room: int
    """The height that the tallest tower may have."""
    least: int
    """The least height of a floor."""
    axis: int
    """The room for the scale, at the left."""
    inset: int
    """The margins of a column."""
    ranked: bool
    """Whether the rows have room for their numbers."""


NARROW_TOWERS = Measures(65, 50, 17, 300, 6, 19, 2, False)
LOW_TOWERS = NARROW_TOWERS._replace(room=180, least=5)
"""In fixed order, where this room is kept from the beginning."""
WIDE_TOWERS = Measures(132, 56, 21, 378, 6, 14, 14, True)
ABOVE = 56
"""The room for roof and flag above the tallest tower."""
PLINTH = 18
LEAST_FLOORS = 6
"""The floors for which there is room above the ground, however low the towers."""


def towers_on_the_ground(shown: Shown, brief: Brief) -> Box:
    """The towers on one ground line and one scale, below each its floors, its rank and its rows."""
    sizes = LOW_TOWERS if brief.fixed else NARROW_TOWERS if brief.narrow else WIDE_TOWERS
    order = shown.options.tower_order if isinstance(shown, State) else shown.tower_order
    towers = shown.towers if isinstance(shown, State) else raised(shown.towers)
    tallest = max(LEAST_FLOORS, *[tower.height for tower in towers.values()])
    floor = max(min(sizes.floor, sizes.room // tallest), sizes.least)
    ground = ABOVE + (max(sizes.room, tallest * floor) if brief.fixed else tallest * floor) + PLINTH
    columns = {}
    for rank, style in enumerate(ranking(order, towers), 1):
        tower, flag = towers[style], flag_of(shown, rank)
        cards = tower.cards if isinstance(shown, State) else None
        columns[style] = brief.part(column, f"/towers/{style}", style, tower, cards, rank, flag, floor, sizes)
    width, height = sizes.axis + sizes.pitch * len(order), ground + max(drawn.height for drawn in columns.values())
    if brief.fixed and isinstance(shown, State):
        height = ground + 64 + len(shown.seats) * LOW_ROW
    borders = "".join(f"M{sizes.axis + index * sizes.pitch} {ground + 44}V{height}" for index in range(1, len(order)))
    drawn = [
        scale(tallest, floor, ground, width, sizes),
        path(borders, "faint"),
        *[moved(columns[style], sizes.axis + index * sizes.pitch, ground) for index, style in enumerate(order)],
        path(f"M{sizes.axis - 4} {ground}H{width}", "ground"),
    ]
    return box(width, height, *drawn)


def scale(tallest: int, floor: int, ground: int, width: int, sizes: Measures) -> Svg:
    """A line every five floors."""
    drawn = []
    for floors in range(5, tallest + 1, 5):
        y = ground - PLINTH - floors * floor
        drawn.append(path(f"M{sizes.axis} {y}H{width}", "faint absent"))
        drawn.append(text(sizes.axis - 4, y + 4, str(floors), "quiet end", 11))
    return joined(*drawn)


def flag_of(shown: Shown, rank: int) -> PointTokens:
    """The tokens for a rank at the next scoring, or at the last one."""
    before_intermezzo = isinstance(shown, State) and not shown.intermezzo_seen
    return (components.intermezzo_flags if before_intermezzo else components.finito_flags)(len(shown.seats))[rank - 1]


def column(
    style: str, tower: Tower, cards: int | None, rank: int, flag: PointTokens, floor: int, sizes: Measures, brief: Brief
) -> Box:
    """A tower on the ground, which is at y = 0; below it its figures and its rows. `cards` in it, if they are known."""
    say, place = brief.say, f"/towers/{style}"
    middle = sizes.pitch / 2
    raised = 0
    while brief.changed.claim_ring(place, "floor"):
        raised += 1
    top = -PLINTH - tower.height * floor
    drawn = [
        elevation(style, tower.height, flag, floor, sizes),
        ring((sizes.pitch - sizes.shaft) // 2, top, sizes.shaft, raised * floor) if raised else EMPTY,
        text(middle, 36, say("rank", rank=rank), "middle quiet", 11),
    ]
    base: Number = 50
    if cards is not None:
        drawn.append(text(middle, base, say("cards-in-tower", cards=cards), "middle quiet", 11))
        base += 14
    won = {contender.seat: contender.token for contender in contenders(tower.rows, flag)}
    for index, row in enumerate(tower.rows):
        line = row_of_markers(row, index, style, won.get(row.seat), sizes, brief)
        drawn.append(moved(line, 0, base))
        base += line.height if brief.fixed else int(line.height) + 6
    note = say("flag", tokens_text=", ".join(map(str, flag))) if flag else say("no-flag")
    title = say("tower-title", tower=style, floors=tower.height, rank=rank, text=note)
    return box(sizes.pitch, base, group(*drawn, title=title, place=place))


ROOF = 20


def elevation(style: str, height: int, flag: PointTokens, floor: int, sizes: Measures) -> Svg:
    """A tower on its plinth, with its flag above it and its floors in figures below the ground."""
    middle, left = sizes.pitch / 2, (sizes.pitch - sizes.shaft) // 2
    return joined(
        group(*shaft(style, height, floor, sizes.shaft), x=left, y=-PLINTH),
        flagpole(flag, middle, -PLINTH - height * floor - ROOF),
        rectangle(left - 4, -PLINTH, sizes.shaft + 8, PLINTH, "edge", SHEET),
        text(middle, -4.5, style.upper(), "middle bold", 13),
        text(middle, 21, str(height), "middle bold", 18),
    )


def shaft(style: str, height: int, floor: int, width: int) -> list[Svg]:
    """A tower from the bottom left corner of its lowest floor: walls, floors, windows, and a roof above them."""
    stone, top = paint(f"stone-{style}"), -height * floor
    every = "".join([f"M0 {-number * floor}H{width}" for number in range(1, height) if number % 5])
    fives = "".join([f"M0 {-number * floor}H{width}" for number in range(5, height, 5)])
    return [
        rectangle(0, top, width, height * floor, "edge", stone),
        path(every, "dark-stroke"),
        path(fives, "dark-line"),
        path(windows(style, height, floor, width), fill=DARK_ON_COLOUR),
        path(f"M-4 {top}H{width + 4}V{top - 4}H-4Z", "edge", SHEET),
        path(f"M2 {top - 4}L{width / 2:g} {top - ROOF}L{width - 2} {top - 4}Z", "edge", stone),
    ]


def windows(style: str, floors: int, floor: int, width: int) -> str:
    """Two windows on each floor, from the ground up."""
    form = window(style, min(round(floor * 0.55), 11))
    left, right = f"M{round(width * 0.3, 1):g}", f"M{round(width * 0.7, 1):g}"
    heights = [f"{floor / 2 - number * floor:g}{form}" for number in range(1, floors + 1)]
    return "".join([f"{left} {height}{right} {height}" for height in heights])


WINDOWS = {
    "a": "m{-4} {5}v{-6}a{4} {4} 0 0 1 {8} 0v{6}z",
    "b": "m{-5} {5}v{-7}a{2} {2} 0 0 1 {4} 0v{7}zm{6} 0v{-7}a{2} {2} 0 0 1 {4} 0v{7}z",
    "c": "m{-4.5} 0a{4.5} {4.5} 0 1 1 {9} 0a{4.5} {4.5} 0 1 1 {-9} 0z",
    "d": "m{-1.7} {-5}h{3.4}v{3.3}h{3.3}v{3.4}h{-3.3}v{3.3}h{-3.4}v{-3.3}h{-3.3}v{-3.4}h{3.3}z",
    "e": "m0 {-5}l{4} {4.5}v{5.5}h{-8}v{-5.5}z",
}
"""Round arch, twin arches, circle, cross, pointed: each 10 high, drawn from its middle, what is scaled in braces."""
LENGTH = re.compile(r"{(\S+?)}")


def window(style: str, size: Number) -> str:
    """A window of a style, drawn from its middle."""
    scale = size / 10
    return LENGTH.sub(lambda length: f"{round(float(length[1]) * scale, 1):g}", WINDOWS[style])


def flagpole(flag: PointTokens, x: Number, y: Number) -> Svg:
    """The tokens of the tower's rank, on a flag above the roof."""
    if not flag:
        return EMPTY
    width = 12 * len(flag) + 10
    left = x - width / 2
    shape = f"M{left:g} {y - 28:g}H{left + width:g}V{y - 9:g}L{x:g} {y - 14:g}L{left:g} {y - 9:g}Z"
    return joined(
        path(f"M{x:g} {y:g}V{y - 14:g}", "edge"),
        path(shape, "edge", SHEET),
        text(x, y - 17, " ".join(map(str, flag)), "middle bold", 11),
    )


def row_of_markers(row: Row, index: int, style: str, token: int | None, sizes: Measures, brief: Brief) -> Box:
    """A player's row: its rank, the markers, the largest first, and the token it would win now."""
    say, place = brief.say, f"/towers/{style}/rows/{index}"
    left, right = sizes.inset, sizes.pitch - sizes.inset
    ordered = sorted(row.markers, key=lambda marker: -components.VALUES[marker])
    begin = left + (20 if sizes.ranked else 0)
    room = right - begin - 22
    size = SMALL_MARKER if brief.fixed and len(ordered) * MARKER > room else MARKER
    markers = brief.within(room).lined_up([marker(value, size, row.seat, place, brief) for value in ordered])
    key, player = "row-title" if token is None else "row-would-win", say.player(row.seat)
    title = say(key, row=index + 1, tower=style, player=player, influence=influence(row), points=token or 0)
    drawn = [
        text(left, 14, f"{index + 1}.", "quiet", 11) if sizes.ranked else EMPTY,
        moved(markers, begin, 0),
        ring_if_new("row", place, brief, begin, 0, markers.width, markers.height),
        plate(str(token), right - 11, 10, 13) if token is not None else EMPTY,
    ]
    height = LOW_ROW if brief.fixed else max(markers.height, 22)
    return box(sizes.pitch, height, group(*drawn, title=title, place=place))


MARKER, SMALL_MARKER = 18, 14
LOW_ROW = 24
"""The height of a row in fixed order, with what is between rows."""


def marker(token: str, size: int, seat: int, place: str, brief: Brief) -> Box:
    """An influence marker: the mark of its player with its value."""
    value = components.VALUES[token]
    title = brief.say("marker-title", player=brief.say.player(seat), size=token, value=value)
    drawn = mark(seat, size / 2, size / 2, size - 1, value)
    return Box(size, size, component_at(token, place, brief, size, size, drawn, title=title))


# --- the players -----------------------------------------------------------------------------------------------------


def players(shown: Shown, brief: Brief) -> Mapping[int, Box]:
    """The parts of all players by seat, from top to bottom."""
    return (brief if brief.narrow else brief.within(PLAYERS_WIDTH)).players(player, shown)


def player(shown: Shown, seat: int, brief: Brief) -> Box:
    """A player's head; below it hand, markers left, and tokens won."""
    width, points = brief.room, points_of(shown)[seat]
    hand = brief.unless_omitted(f"/seats/{seat}/hand", hand_of(shown, seat, brief))
    top = head(seat, "" if points is None else points_note(points, is_over(shown), brief), brief)
    left = brief.part(markers_left, f"/derived/markers_left/{seat}", seat, markers_placed(shown)[seat])
    won = tokens(seat, tokens_of(shown, seat), brief.say)
    y = top.height + 4
    return box(
        width,
        y + max(hand.height, left.height),
        top.drawn,
        moved(hand, 2, y),
        moved(left, 2 if hand is NOTHING else 2 + HAND_ROOM + 8, y),
        moved(won, width - won.width, y + 6),
    )


HAND_ROOM = (components.HAND_SIZE + 1) * (LARGE.width + 2)


def hand_of(shown: Shown, seat: int, brief: Brief) -> Box:
    """The tower cards of a player, by style; unknown cards last. Nothing on a scoresheet."""
    if isinstance(shown, Scoresheet):
        return NOTHING
    held = shown.seats[seat].hand
    return hand_in_row(held, sorted(held.known), seat, tower_cards, brief.within(HAND_ROOM))


SPARE = 12


def markers_left(seat: int, on_towers: Multiset, brief: Brief) -> Box:
    """What a player has yet to place, by value; what is placed leaves a dot."""
    say = brief.say
    drawn = []
    left_by_value = {
        value: components.MARKERS[size] - on_towers.count(size) for value, size in components.SIZES.items()
    }
    for line, (value, size) in enumerate(sorted(components.SIZES.items(), reverse=True)):
        y = line * 14 + 7
        left = left_by_value[value]
        drawn.append(text(0, y + 4, str(value), "quiet", 11))
        drawn += [outlined_mark(seat, 18 + index * 15, y, SPARE) for index in range(left)]
        drawn += [path(f"M{17 + index * 15} {y}h2", "edge") for index in range(left, components.MARKERS[size])]
    values = {f"of_{value}": left for value, left in left_by_value.items()}
    title = say("markers-left", player=say.player(seat), **values)
    return box(90, 42, group(*drawn, title=title, place=f"/derived/markers_left/{seat}"))


def tokens(seat: int, won: PointTokens, say: Captions) -> Box:
    """The tokens won at the Intermezzo; nothing if there are none."""
    if not won:
        return NOTHING
    step, star = 26, path(STAR, "edge", SHEET, 13, 13)
    drawn = [
        component(str(value), say("points", points=value), star, text(13, 17.5, str(value), "middle bold", 13), x=x)
        for x, value in zip(range(0, step * len(won), step), sorted(won, reverse=True), strict=True)
    ]
    title = say("tokens-title", player=say.player(seat), tokens_text=", ".join(map(str, won)))
    return box(step * len(drawn), 26, group(*drawn, title=title, place=f"/seats/{seat}/tokens"))


STAR = (
    "M0 -12 2.5 -9.3 6 -10.4 6.8 -6.8 10.4 -6 9.3 -2.5 12 0 9.3 2.5 10.4 6 6.8 6.8 6 10.4 2.5 9.3"
    "L0 12 -2.5 9.3 -6 10.4 -6.8 6.8 -10.4 6 -9.3 2.5 -12 0 -9.3 -2.5 -10.4 -6 -6.8 -6.8 -6 -10.4 -2.5 -9.3Z"
)
"""The outline of a token."""


PARTS: Parts = {
    "/towers": towers_on_the_ground,
    "/display": display,
    "/derived/deck": slots_of_deck,
    "/seats/#/hand": hand_of,
    "/seats/#": player,
}

# --- what has just changed -------------------------------------------------------------------------------------------


def changes(state: State, played: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """What the last moves moved, and where it is now."""
    for move in played:
        match move:
            case moves.DealCard(card=card):
                yield f"/seats/{last_dealt(state)}/hand", card or UNKNOWN
            case moves.RevealCard(card=card):
                yield "/display", card
            case moves.PlayCard(card=card, floors=floors):
                yield from ((f"/towers/{card}", "floor") for _ in range(floors))
            case moves.PlaceMarker(seat=seat, tower=tower):
                yield place_of_row(state, seat, tower), "row"
            case moves.MoveMarker(seat=seat, destination=tower):
                yield place_of_row(state, seat, tower), components.MEDIUM
            case moves.TakeCard(seat=seat, card=card):
                yield f"/seats/{seat}/hand", card


def place_of_row(state: State, seat: int, tower: str) -> str:
    index = next((index for index, row in enumerate(state.towers[tower].rows) if row.seat == seat), 0)
    return f"/towers/{tower}/rows/{index}"
