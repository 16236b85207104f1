"""The table as a picture, from top to bottom: display and deck, the five towers with the rows under them, the players.

Which tower is highest, and who gets what there now?
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from capomastro.drawing import NOTHING, Box, Brief, Captions, Table, above, beside, box, moved
from capomastro.drawing.boxes import flowing
from capomastro.drawing.cards import (
    LARGE,
    UNKNOWN,
    Card,
    Kinds,
    card,
    hand_cards,
    hidden_cards,
    kinds_of,
    open_cards,
    row_of_cards,
    row_of_hand,
)
from capomastro.drawing.elements import EMPTY, Number, Svg, group, joined, path, rectangle, text
from capomastro.drawing.marks import mark, outline
from capomastro.drawing.palette import BACK, DARK_ON_COLOUR, INK, SHEET, paint
from capomastro.drawing.parts import captioned, component_at, head, placed, plate, ring, ring_if_new
from capomastro.engine.decisions import GameOver, Move
from capomastro.engine.hands import Hand, last_dealt
from capomastro.engine.memory import remembered_if_open
from capomastro.engine.multisets import Multiset
from capomastro.games.campanile import moves
from capomastro.games.campanile.components import (
    HAND_SIZE,
    LAST_CARDS,
    MARKERS,
    MEDIUM,
    SIZES,
    STYLES,
    VALUES,
    Flags,
    finito_flags,
    intermezzo_flags,
)
from capomastro.games.campanile.deck import deck_size, drawn_cards
from capomastro.games.campanile.rows import influence, markers_by_seat
from capomastro.games.campanile.scoresheet import Scoresheet, TokensWon, raised
from capomastro.games.campanile.scoring import Raised, contenders, ranking, result_at_end
from capomastro.games.campanile.state import Row, State, Tokens

PLAYERS_WIDTH = 354
"""Of the column of players in the wide layout."""


def table(state: State, brief: Brief) -> Table:
    """The picture of a state."""
    points, is_over = standing_points(state), isinstance(state.stage, GameOver)
    key = "standing-at-end" if is_over else "standing-so-far"
    clauses = [
        brief.say(key, player=brief.say.player(seat), points=points[seat], markers=len(placed))
        for seat, placed in enumerate(markers_placed(state.towers, len(state.seats)))
    ]
    shown, below = display(state, brief), deck(state, brief)
    players = players_column(parts_of(state, points, brief), brief)
    towers = towers_on_the_ground(scene_of(state), brief)
    if brief.layout.narrow:
        drawn = above(beside(shown, below, gap=20), towers, players, gap=14)
    else:
        left = beside(shown, towers, gap=26, align="bottom")
        drawn = beside(left, above(below, players, gap=12), gap=brief.layout.room - PLAYERS_WIDTH - left.width)
    return Table(drawn, clauses)


def table_of_scoresheet(sheet: Scoresheet, brief: Brief) -> Table:
    """The towers with their rows, those not typed in yet without floors, and what is known of the players."""
    players = len(sheet.seats)
    towers_at_end = raised(sheet.towers)
    scene = scene_of_scoresheet(sheet)
    won = sheet.intermezzo.by_seat if isinstance(sheet.intermezzo, TokensWon) else ()
    parts = [
        Part(seat, None, won[seat] if seat < len(won) else (), tuple(mine), "")
        for seat, mine in enumerate(markers_placed(towers_at_end, players))
    ]
    seats, towers = players_column(parts, brief), towers_on_the_ground(scene, brief)
    clauses = [
        brief.say("standing-on-sheet", player=brief.say.player(part.seat), markers=len(part.placed)) for part in parts
    ]
    if brief.layout.narrow:
        return Table(above(towers, seats, gap=14), clauses)
    return Table(beside(towers, seats, gap=brief.layout.room - PLAYERS_WIDTH - towers.width), clauses)


def part(shown: State | Scoresheet, place: str, brief: Brief) -> Box:
    """What lies at one place, by itself."""
    match place.split("/")[1:]:
        case ["towers"] if isinstance(shown, State):
            return towers_on_the_ground(scene_of(shown), brief)
        case ["towers"] if isinstance(shown, Scoresheet):
            return towers_on_the_ground(scene_of_scoresheet(shown), brief)
        case ["display"] if isinstance(shown, State):
            return display(shown, brief)
        case ["derived", "deck"] if isinstance(shown, State):
            return deck(shown, brief)
        case ["seats", seat] if isinstance(shown, State):
            return player(parts_of(shown, standing_points(shown), brief)[int(seat)], brief.layout.room, brief)
    raise LookupError(place)


def standing_points(state: State) -> Sequence[int]:
    """The tokens of the Intermezzo; at the end those of the Finito as well."""
    if isinstance(state.stage, GameOver):
        return [one.total for one in sorted(result_at_end(state).players, key=lambda one: one.seat)]
    return [sum(seat.tokens) for seat in state.seats]


def markers_placed(towers: Mapping[str, Raised], players: int) -> list[list[str]]:
    return markers_by_seat([tower.rows for tower in towers.values()], players)


# --- display and deck ------------------------------------------------------------------------------------------------


def kinds(say: Captions) -> Kinds:
    return kinds_of(tower_cards, say)


def tower_cards(say: Captions) -> list[Card]:
    return [tower_card(style, say) for style in STYLES]


def tower_card(style: str, say: Captions) -> Card:
    """A tower card: the stone and the window of its style, below its letter."""
    return Card(style, say("card-title", style=style), style.upper(), f"stone-{style}", emblem=window(style, 0, 0, 7))


def display(state: State, brief: Brief) -> Box:
    return displayed(state.display, brief.within("/display"))


@lru_cache(maxsize=32)
def displayed(styles: Multiset, brief: Brief) -> Box:
    """The display. Wide: one card below the other, an arrow from it along the towers, and what that means."""
    say, cards = brief.say, open_cards(styles, "/display", brief, kinds(brief.say))
    title = say("display-title", cards=len(cards))
    if brief.layout.narrow:
        return captioned(say("display"), placed(row_of_cards(cards, 100), "/display", title, LARGE.height), 100)
    step = LARGE.height + 8
    column = [card(one, LARGE, 0, index * step) for index, one in enumerate(cards)]
    content = placed(box(LARGE.width, len(cards) * step - 8, *column), "/display", title, LARGE.height)
    return captioned(say("display"), above(content, nearer_counts(say), box(92, 60, EMPTY), gap=16), 92)


@lru_cache(maxsize=16)
def nearer_counts(say: Captions) -> Box:
    """An arrow along the towers, and what it means."""
    notes = [text(0, 26 + index * 15, line, "quiet", 11) for index, line in enumerate(say("nearer-counts").split("\n"))]
    return box(92, 26 + 15 * len(notes), path("M0 6H66m-8-5l8 5l-8 5", "edge"), *notes)


SLOT = (11, 16)


def deck(state: State, brief: Brief) -> Box:
    left, is_over = deck_size(state), isinstance(state.stage, GameOver)
    return face_down(left, cards_before_intermezzo(state, left), intermezzo_note(state, left), is_over, brief.within())


@lru_cache(maxsize=32)
def face_down(left: int, boundary: int | None, note: str, is_over: bool, brief: Brief) -> Box:
    """A slot for each tower card, the next one at the left; where the Intermezzo lies, where the Finito may lie.

    `boundary`: the tower cards before the Intermezzo, if its place is known; `note`: the key of what is said of it.
    """
    say = brief.say
    width = brief.layout.room - 120 if brief.layout.narrow else PLAYERS_WIDTH
    pitch = min(SLOT[0], width / max(left, 1))
    last = left - min(left, LAST_CARDS)
    intermezzo, finito = say(note), say("finito-over" if is_over else "finito-ahead")
    drawn = [
        path(slots(0, last, pitch), "hair", SHEET) if last else EMPTY,
        path(slots(last, left, pitch), "hair", BACK)
        if left
        else rectangle(0.5, 0.5, SLOT[0] - 1, SLOT[1] - 1, "faint absent", radius=1),
    ]
    if boundary is not None:
        x = boundary * pitch
        drawn.append(path(f"M{x:g} 18l5 8h-10Z", fill=INK))
    if not is_over and left:
        begin, end = last * pitch, left * pitch - 1
        drawn.append(path(f"M{begin:g} 19v4H{end:g}v-4", "edge"))
    second = text(0, 52, finito, "quiet", 11) if brief.layout.narrow else text(width, 38, finito, "quiet end", 11)
    drawn += [text(0, 38, intermezzo, "quiet", 11), second]
    title = f"{say('deck-title', cards=left)}. {intermezzo}. {finito}"
    content = box(width, 38 if not brief.layout.narrow else 52, group(*drawn, title=title, place="/derived/deck"))
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
    return min(max(after - drawn_cards(state, left), 0), left)


def intermezzo_note(state: State, left: int) -> str:
    """The key of what is said of the Intermezzo."""
    if state.intermezzo_seen:
        return "intermezzo-over"
    before = cards_before_intermezzo(state, left)
    if before is None:
        return "intermezzo-somewhere"
    return "intermezzo-ahead" if before else "intermezzo-next"


# --- the towers ------------------------------------------------------------------------------------------------------


class Scene(NamedTuple):
    """What is drawn of the towers."""

    order: Sequence[str]
    """From the display on."""
    towers: Mapping[str, Raised]
    cards: Mapping[str, int]
    """The tower cards in each, if they are known."""
    flags: Flags
    """Those of the next scoring, or of the last one."""


def scene_of(state: State) -> Scene:
    flags = (finito_flags if state.intermezzo_seen else intermezzo_flags)(len(state.seats))
    cards = {style: tower.cards for style, tower in state.towers.items()}
    return Scene(state.options.tower_order, state.towers, cards, flags)


def scene_of_scoresheet(sheet: Scoresheet) -> Scene:
    """The towers that are typed in, as they are at the end."""
    order = [style for style in sheet.tower_order if style in sheet.towers]
    return Scene(order, raised(sheet.towers), {}, finito_flags(len(sheet.seats)))


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
    axis: int
    """The room for the scale, at the left."""
    inset: int
    """The margins of a column."""
    ranked: bool
    """Whether the rows have room for their numbers."""


NARROW_TOWERS = Measures(65, 50, 17, 300, 19, 2, False)
WIDE_TOWERS = Measures(132, 56, 21, 378, 14, 14, True)
ABOVE = 56
"""The room for roof and flag above the tallest tower."""
PLINTH = 18
LEAST_FLOORS = 6
"""So many floors have room above the ground, however low the towers."""


def towers_on_the_ground(scene: Scene, brief: Brief) -> Box:
    """The towers on one ground line and one scale, below each its floors, its rank and its rows."""
    sizes = NARROW_TOWERS if brief.layout.narrow else WIDE_TOWERS
    tallest = max([LEAST_FLOORS, *(scene.towers[style].height for style in scene.order)])
    floor = max(min(sizes.floor, sizes.room // tallest), 6)
    ground = ABOVE + tallest * floor + PLINTH
    ranks = {style: place for place, style in enumerate(ranking(scene.order, scene.towers), 1)}
    columns = tuple(
        Column(style, scene.towers[style], scene.cards.get(style), ranks[style], scene.flags[ranks[style] - 1])
        for style in scene.order
    )
    return side_by_side(columns, tallest, floor, ground, sizes, brief.within("/towers"))


@lru_cache(maxsize=8)
def side_by_side(
    shown: Sequence["Column"], tallest: int, floor: int, ground: int, sizes: Measures, brief: Brief
) -> Box:
    """The towers, from the scale at their left to what is below the ground."""
    width = sizes.axis + sizes.pitch * len(shown)
    columns = [tower(one, floor, sizes, brief.within(f"/towers/{one.style}")) for one in shown]
    height = ground + max(column.height for column in columns)
    borders = "".join(f"M{sizes.axis + index * sizes.pitch} {ground + 44}V{height}" for index in range(1, len(columns)))
    drawn = [
        scale(tallest, floor, ground, width, sizes),
        path(borders, "faint"),
        *[moved(column, sizes.axis + index * sizes.pitch, ground) for index, column in enumerate(columns)],
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
    return joined(drawn)


class Column(NamedTuple):
    """What is drawn of one tower."""

    style: str
    tower: Raised
    cards: int | None
    """The tower cards in it, if they are known."""
    rank: int
    flag: tuple[int, ...]


@lru_cache(maxsize=64)
def tower(column: Column, floor: int, sizes: Measures, brief: Brief) -> Box:
    """A tower on the ground, which is at y = 0; below it its figures and its rows."""
    style, one, cards, rank, flag = column
    say, place = brief.say, f"/towers/{style}"
    middle = sizes.pitch / 2
    raised = 0
    while brief.changed.claim_ring(place, "floor"):
        raised += 1
    top = -PLINTH - one.height * floor
    drawn = [
        elevation(style, one.height, flag, floor, sizes),
        ring((sizes.pitch - sizes.shaft) // 2, top, sizes.shaft, raised * floor) if raised else EMPTY,
        text(middle, 36, say("rank", rank=rank), "middle quiet", 11),
    ]
    base = 50
    if cards is not None:
        drawn.append(text(middle, base, say("cards-in-tower", cards=cards), "middle quiet", 11))
        base += 14
    won = {contender.seat: contender.token for contender in contenders(one.rows, flag)}
    for index, row in enumerate(one.rows):
        line = row_of_markers(row, index, style, won[row.seat], sizes, brief.within(f"{place}/rows/{index}"))
        drawn.append(moved(line, 0, base))
        base += int(line.height) + 6
    title = say("tower-title", tower=style, floors=one.height, rank=rank, text=flag_note(flag, say))
    return box(sizes.pitch, base, group(*drawn, title=title, place=place))


def flag_note(flag: tuple[int, ...], say: Captions) -> str:
    return say("flag", tokens_text=", ".join(map(str, flag))) if flag else say("no-flag")


ROOF = 20


@lru_cache(maxsize=64)
def elevation(style: str, height: int, flag: tuple[int, ...], floor: int, sizes: Measures) -> Svg:
    """A tower on its plinth, with its flag above it and its floors in figures below the ground."""
    middle, left = sizes.pitch / 2, (sizes.pitch - sizes.shaft) // 2
    return joined(
        [
            group(*shaft(style, height, floor, sizes.shaft), x=left, y=-PLINTH),
            flagpole(flag, middle, -PLINTH - height * floor - ROOF),
            rectangle(left - 4, -PLINTH, sizes.shaft + 8, PLINTH, "edge", SHEET),
            text(middle, -4.5, style.upper(), "middle bold", 13),
            text(middle, 21, str(height), "middle bold", 18),
        ]
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


@lru_cache(maxsize=128)
def windows(style: str, floors: int, floor: int, width: int) -> str:
    """Two windows on each of some floors: those of the floors below, and one pair more."""
    if not floors:
        return ""
    y, size = floor / 2 - floors * floor, min(round(floor * 0.55), 11)
    pair = window(style, width * 0.3, y, size) + window(style, width * 0.7, y, size)
    return windows(style, floors - 1, floor, width) + pair


def window(style: str, x: Number, y: Number, size: Number) -> str:
    """A window of a style around (x, y): round arch, twin arches, circle, cross, pointed."""
    return f"M{round(x, 1):g} {round(y, 1):g}{window_form(style, size)}"


@lru_cache(maxsize=64)
def window_form(style: str, size: Number) -> str:
    """A window, drawn from its middle."""
    s = size / 10
    forms = {
        "a": "m{-4} {5}v{-6}a{4} {4} 0 0 1 {8} 0v{6}z",
        "b": "m{-5} {5}v{-7}a{2} {2} 0 0 1 {4} 0v{7}zm{6} 0v{-7}a{2} {2} 0 0 1 {4} 0v{7}z",
        "c": "m{-4.5} 0a{4.5} {4.5} 0 1 1 {9} 0a{4.5} {4.5} 0 1 1 {-9} 0z",
        "d": "m{-1.7} {-5}h{3.4}v{3.3}h{3.3}v{3.4}h{-3.3}v{3.3}h{-3.4}v{-3.3}h{-3.3}v{-3.4}h{3.3}z",
        "e": "m0 {-5}l{4} {4.5}v{5.5}h{-8}v{-5.5}z",
    }
    parts = forms[style].split("{")
    scaled = [parts[0]]
    for part in parts[1:]:
        number, _, rest = part.partition("}")
        scaled.append(f"{round(float(number) * s, 1):g}{rest}")
    return "".join(scaled)


def flagpole(flag: tuple[int, ...], x: Number, y: Number) -> Svg:
    """The tokens of the tower's rank, on a flag above the roof."""
    if not flag:
        return EMPTY
    width = 12 * len(flag) + 10
    left = x - width / 2
    shape = f"M{left:g} {y - 28:g}H{left + width:g}V{y - 9:g}L{x:g} {y - 14:g}L{left:g} {y - 9:g}Z"
    return joined(
        [
            path(f"M{x:g} {y:g}V{y - 14:g}", "edge"),
            path(shape, "edge", SHEET),
            text(x, y - 17, " ".join(map(str, flag)), "middle bold", 11),
        ]
    )


@lru_cache(maxsize=64)
def row_of_markers(row: Row, index: int, style: str, token: int | None, sizes: Measures, brief: Brief) -> Box:
    """A player's row: its rank, the markers, the largest first, and the token it would win now."""
    say, place = brief.say, f"/towers/{style}/rows/{index}"
    left, right = sizes.inset, sizes.pitch - sizes.inset
    ordered = sorted(row.markers, key=lambda size: -VALUES[size])
    begin = left + (20 if sizes.ranked else 0)
    markers = flowing([marker(size, row.seat, place, brief) for size in ordered], right - begin - 22)
    key, player = "row-title" if token is None else "row-would-win", say.player(row.seat)
    title = say(key, row=index + 1, tower=style, player=player, influence=influence(row), points=token or 0)
    drawn = [
        text(left, 14, f"{index + 1}.", "quiet", 11) if sizes.ranked else EMPTY,
        moved(markers, begin, 0),
        ring_if_new("row", place, brief, begin, 0, markers.width, markers.height),
        plate(str(token), right - 11, 10, 13) if token is not None else EMPTY,
    ]
    return box(sizes.pitch, max(markers.height, 22), group(*drawn, title=title, place=place))


MARKER = 18


def marker(size: str, seat: int, place: str, brief: Brief) -> Box:
    """An influence marker: the mark of its player with its value."""
    title = brief.say("marker-title", player=brief.say.player(seat), size=size, value=VALUES[size])
    drawn = mark(seat, MARKER / 2, MARKER / 2, MARKER - 1, VALUES[size])
    return Box(MARKER, MARKER, component_at(size, place, brief, MARKER, MARKER, drawn, title=title))


# --- the players -----------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """What lies before one player."""

    seat: int
    hand: Hand | None
    tokens: Tokens
    placed: tuple[str, ...]
    points: str


def parts_of(state: State, points: Sequence[int], brief: Brief) -> list[Part]:
    """What lies before the players, by seat."""
    key = "points" if isinstance(state.stage, GameOver) else "points-so-far"
    placed_by_seat = markers_placed(state.towers, len(state.seats))
    return [
        Part(seat, one.hand, one.tokens, tuple(placed_by_seat[seat]), brief.say(key, points=points[seat]))
        for seat, one in enumerate(state.seats)
    ]


def players_column(parts: Sequence[Part], brief: Brief) -> Box:
    """The parts of all players."""
    width = brief.layout.room if brief.layout.narrow else PLAYERS_WIDTH
    in_order = brief.in_reading_order(parts)
    return above(*[player(part, width, brief.of_seat(part.seat)) for part in in_order], gap=10)


def player(part: Part, width: Number, brief: Brief) -> Box:
    """A player's head; below it hand, markers left, and tokens won."""
    top = head(part.seat, brief.say.player(part.seat), part.points, width, deciding=part.seat == brief.deciding)
    held = hand(part.hand, part.seat, brief.within(f"/seats/{part.seat}/hand")) if part.hand else NOTHING
    left = markers_left(part.seat, part.placed, brief.say)
    won = tokens(part.seat, part.tokens, brief.say) if part.tokens else NOTHING
    y = top.height + 4
    return box(
        width,
        y + max(held.height, left.height),
        top.drawn,
        moved(held, 2, y),
        moved(left, 2 + HAND_ROOM + 8 if part.hand else 2, y),
        moved(won, width - won.width, y + 6),
    )


HAND_ROOM = (HAND_SIZE + 1) * (LARGE.width + 2)


@remembered_if_open(maximum=32)
def hand(held: Hand, seat: int, brief: Brief) -> Box:
    """The tower cards of a player, by style; unknown cards last."""
    place, say = f"/seats/{seat}/hand", brief.say
    shown = hand_cards(sorted(held.known), held.open, place, brief, kinds(say))
    shown += hidden_cards(held.unknown_size, say("unknown"), place, brief)
    return row_of_hand(shown, place, seat, HAND_ROOM, say)


SPARE = 12


@lru_cache(maxsize=32)
def markers_left(seat: int, on_towers: Sequence[str], say: Captions) -> Box:
    """What a player has yet to place, by value; what is placed leaves a dot."""
    drawn = []
    for line, (value, size) in enumerate(sorted(SIZES.items(), reverse=True)):
        y = line * 14 + 7
        left = MARKERS[size] - on_towers.count(size)
        drawn.append(text(0, y + 4, str(value), "quiet", 11))
        drawn += [outline(seat, 18 + index * 15, y, SPARE) for index in range(left)]
        drawn += [path(f"M{17 + index * 15} {y}h2", "edge") for index in range(left, MARKERS[size])]
    left_by_value = {f"of_{value}": MARKERS[size] - on_towers.count(size) for value, size in SIZES.items()}
    title = say("markers-left", player=say.player(seat), **left_by_value)
    return box(90, 42, group(*drawn, title=title, place=f"/derived/markers_left/{seat}"))


@lru_cache(maxsize=16)
def tokens(seat: int, won: Tokens, say: Captions) -> Box:
    """The tokens won at the Intermezzo."""
    step = 26
    drawn = [
        group(
            path(STAR, "edge", SHEET, 13, 13),
            text(13, 17.5, str(value), "middle bold", 13),
            title=say("points", points=value),
            token=str(value),
            x=index * step,
        )
        for index, value in enumerate(sorted(won, reverse=True))
    ]
    title = say("tokens-title", player=say.player(seat), tokens_text=", ".join(map(str, won)))
    return box(step * len(drawn), 26, group(*drawn, title=title, place=f"/seats/{seat}/tokens"))


STAR = (
    "M0 -12 2.5 -9.3 6 -10.4 6.8 -6.8 10.4 -6 9.3 -2.5 12 0 9.3 2.5 10.4 6 6.8 6.8 6 10.4 2.5 9.3"
    "L0 12 -2.5 9.3 -6 10.4 -6.8 6.8 -10.4 6 -9.3 2.5 -12 0 -9.3 -2.5 -10.4 -6 -6.8 -6.8 -6 -10.4 -2.5 -9.3Z"
)
"""The outline of a token."""


# --- what has just changed -------------------------------------------------------------------------------------------


def changes(state: State, played: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """What the last moves moved, and where it is now."""
    for move in played:
        match move:
            case moves.DealCard(card=card):
                yield f"/seats/{last_dealt(one.hand for one in state.seats)}/hand", card or UNKNOWN
            case moves.RevealCard(card=card):
                yield "/display", card
            case moves.PlayCard(card=card, floors=floors):
                yield from ((f"/towers/{card}", "floor") for _ in range(floors))
            case moves.PlaceMarker(seat=seat, tower=tower):
                yield place_of_row(state, seat, tower), "row"
            case moves.MoveMarker(seat=seat, destination=tower):
                yield place_of_row(state, seat, tower), MEDIUM
            case moves.TakeCard(seat=seat, card=card):
                yield f"/seats/{seat}/hand", card


def place_of_row(state: State, seat: int, tower: str) -> str:
    index = next((index for index, row in enumerate(state.towers[tower].rows) if row.seat == seat), 0)
    return f"/towers/{tower}/rows/{index}"
