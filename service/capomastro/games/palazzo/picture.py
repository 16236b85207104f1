"""The table as a picture, from top to bottom: what is in progress, the board, the players, what has left the game.

Who leads the auction, and for what? Who has which palaces? How near is the end?
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from capomastro.drawing import lettering
from capomastro.drawing.auctions import Bidder, auction, bidders, room_for_auction
from capomastro.drawing.boxes import NOTHING, Box, above, beside, box, flowing, moved, packed
from capomastro.drawing.cards import MEDIUM, SMALL, UNKNOWN, Bracket, Card, cards_at, hand_in_row
from capomastro.drawing.elements import EMPTY, Number, Svg, circle, group, joined, path, rectangle, text
from capomastro.drawing.palette import BACK, INK, ROOF, SHEET, WINDOW, hatched, paint
from capomastro.drawing.parts import caption, captioned, component_at, head, panel, placed, points_note, ring_if_new
from capomastro.drawing.pictures import Brief, Captions, Parts, Table
from capomastro.engine.hands import Hand, last_dealt
from capomastro.engine.moves import Move
from capomastro.engine.multisets import Multiset
from capomastro.engine.stages import GameOver
from capomastro.games.palazzo import components, moves, stages, supplies
from capomastro.games.palazzo.auction import total_bid
from capomastro.games.palazzo.decisions import price
from capomastro.games.palazzo.money import GROUP_SIZE, GROUP_WORTH, GROUPS
from capomastro.games.palazzo.scoresheet import Scoresheet, SheetSeat
from capomastro.games.palazzo.scoring import Outline, outline, palace_points
from capomastro.games.palazzo.state import Seat, State
from capomastro.games.palazzo.tokens import Palace

BOARD_WIDTH = 540
"""Of the wide layout; the auction and what has left the game stand beside it."""


Shown = State | Scoresheet
"""What is drawn: the players' parts of both are alike."""


def table(state: State, brief: Brief) -> Table:
    """The picture of a state."""
    now, board, gone = brief.at_places(PARTS, state, "/stage", "/quarries", "/removed")
    if brief.fixed:
        players = brief.players(player, state)
        drawn = brief.in_fixed_order(board, now, players, gone, 14, room_for_auction(len(state.seats)))
    elif brief.narrow:
        drawn = above(now, board, players_of(state, brief), gone, gap=16)
    else:
        drawn = above(beside(board, above(now, gone, gap=16), gap=40), players_of(state, brief), gap=20)
    return Table(drawn, standings(state, brief))


def table_of_scoresheet(sheet: Scoresheet, brief: Brief) -> Table:
    """The players' parts alone."""
    return Table(players_of(sheet, brief), standings(sheet, brief))


def standings(shown: Shown, brief: Brief) -> list[str]:
    """Each player's points so far, and how many palaces they have."""
    palaces = [palaces_of(seat) for seat in shown.seats]
    return brief.standings("standing", points=[*map(points_of, palaces)], palaces=[*map(len, palaces)])


def is_over(shown: Shown) -> bool:
    """Whether the points are final, as they are on a scoresheet."""
    return isinstance(shown, Scoresheet) or isinstance(shown.stage, GameOver)


def palaces_of(seat: Seat | SheetSeat) -> Sequence[Palace | Outline]:
    return seat.palaces or ()


def points_of(palaces: Iterable[Palace | Outline]) -> int:
    return sum(map(palace_points, palaces))


def is_placing(shown: Shown, seat: int) -> bool:
    """Whether a player places a tile now, so that a new palace can be begun."""
    return isinstance(shown, State) and isinstance(shown.stage, stages.PlaceTile) and shown.stage.seat == seat


# --- what is in progress ---------------------------------------------------------------------------------------------


def in_progress(state: State, brief: Brief) -> Box:
    """What is on the table only for now: the row of money, an auction, the tiles to place."""
    stage, say, brief = state.stage, brief.say, brief.beside(BOARD_WIDTH + 40)
    if isinstance(stage, stages.WithRow):
        title = say("face-up-title", cards=len(stage.face_up))
        return captioned(say("face-up"), cards_at("/stage/face_up", stage.face_up, title, money_cards, brief))
    if isinstance(stage, stages.PlaceTile):
        title = say("to-place-title", player=say.player(stage.seat), tiles=len(stage.tiles))
        row = row_of_tiles(stage.tiles, "/stage/tiles", brief)
        return captioned(say("to-place"), placed(row, "/stage/tiles", title, STOREY))
    if isinstance(stage, stages.RaiseOrPass):
        totals = [total_bid(state, seat) for seat in range(len(state.seats))]
        bidding = bidders(stage.bids, totals, "/stage/bids", money_cards, stage.seat, brief)
        if not stage.bids[state.active_seat].passed:
            bidding = [opened(bidder, say) if bidder.seat == state.active_seat else bidder for bidder in bidding]
        return auction(say("auction", quarry=state.builder), bidding, 72 if brief.narrow else 120, brief)
    return NOTHING


def opened(bidder: Bidder, say: Captions) -> Bidder:
    """The bidder with the certificate of value 3 before the cards. No state has it, so it is not a token."""
    width, height, letters = MEDIUM
    drawn = (
        rectangle(0, 0, width, height, "edge", SHEET, 4),
        circle(width / 2, height / 2, 9, "edge"),
        text(width / 2, height / 2 + letters * 0.36, str(components.OPENING_BID), "middle bold", letters),
    )
    return bidder._replace(before=(box(width, height, group(*drawn, title=say("opening"))),))


# --- the common table ------------------------------------------------------------------------------------------------


AUCTIONED = (stages.RaiseOrPass, stages.ChooseTile)
"""The stages in which the tiles of the builder's quarry are auctioned or distributed."""


def common_table(state: State, brief: Brief) -> Box:
    """The supply in the middle, the quarries around it clockwise from the top; in the corners what is left."""
    width = brief.room if brief.narrow else BOARD_WIDTH
    gap, side = 9, 106 if brief.narrow else 168
    middle = width - 2 * side - 2 * gap
    widths = [middle, side, middle, side]
    tiles = [
        tiles_in_panel(tiles, f"/quarries/{number}", widths[number], brief)
        for number, tiles in enumerate(state.quarries)
    ]
    in_it = tiles_in_panel(state.supply, "/supply", middle, brief)
    across = panel_height(tiles[1], tiles[3], in_it)
    heights = [panel_height(tiles[0]), across, panel_height(tiles[2]), across]
    top, right, bottom, left = (
        quarry(state, number, tiles[number], widths[number], heights[number], brief)
        for number in range(components.QUARRIES)
    )
    y, x = top.height + gap, side + gap
    base, far = y + across + gap, x + middle + gap
    drawn = [
        riders(state.riders, brief),
        moved(top, x, 0),
        moved(stacks_left(supplies.stacks(state, len(supplies.tiles_shown(state))), brief.say), far + side - 88, 0),
        moved(left, 0, y),
        moved(supply_panel(state, in_it, middle, across, brief.say), x, y),
        moved(right, far, y),
        moved(money_left(supplies.deck_size(state), brief.say), 0, base + bottom.height - 46),
        moved(bottom, x, base),
        quarry_arrows(side, far, y, base, across, top.height),
    ]
    return box(width, base + bottom.height, *drawn)


def tiles_in_panel(tiles: Multiset, place: str, width: int, brief: Brief) -> Box:
    return brief.within(width - 12).part(row_of_tiles, place, tiles, place)


def quarry_arrows(side: Number, far: Number, y: Number, base: Number, across: Number, top: Number) -> Svg:
    """The arrows from quarry to quarry, clockwise."""
    left, right, high, low = side / 2, far + side / 2, top - 16, base + 20
    below = y + across
    return path(
        f"M{far - 4:g} {high:g}Q{right:g} {high:g} {right:g} {y - 6:g}m-4-6l4 6l4-6"
        f"M{right:g} {below + 4:g}Q{right:g} {low:g} {far - 4:g} {low:g}m6-4l-6 4l6 4"
        f"M{side + 4:g} {low:g}Q{left:g} {low:g} {left:g} {below + 5:g}m-4 6l4-6l4 6"
        f"M{left:g} {y - 4:g}Q{left:g} {high:g} {side + 4:g} {high:g}m-6-4l6 4l-6 4",
        "edge",
    )


def quarry(state: State, number: int, tiles: Box, width: Number, height: Number, brief: Brief) -> Box:
    """A quarry; the builder stands on its rim if this is where the figure is."""
    say, has_builder = brief.say, number == state.builder
    heading = text(7, 15, say("quarry", quarry=number), "bold quiet", 11)
    title = say("quarry-title", quarry=number, tiles=len(state.quarries[number]))
    figure = builder(width - 11, say("builder", quarry=number), brief) if has_builder else EMPTY
    look = "edge" if has_builder and isinstance(state.stage, AUCTIONED) else "faint"
    drawn = panel(width, height, look), heading, moved(tiles, 6, 26), figure
    return box(width, height, group(*drawn, title=title, place=f"/quarries/{number}"))


def panel_height(*contents: Box) -> Number:
    """The height of panels beside each other: as the highest content needs, and for one row of tiles at least."""
    return max(STOREY, *[content.height for content in contents]) + 33


def supply_panel(state: State, tiles: Box, width: Number, height: Number, say: Captions) -> Box:
    """The supply, in its head today's price."""
    cost = price(state, 1)
    shown = say("price", price=cost)
    if lettering.width(say("supply"), 11, bold=True) > width - 18 - lettering.width(shown, bold=True):
        shown = str(cost)  # the title says what it is
    name = lettering.cut(say("supply"), width - 18 - lettering.width(shown, bold=True), 11, bold=True)
    heading = text(7, 15, name, "bold quiet", 11), text(width - 7, 15, shown, "bold end")
    title = say("supply-title", tiles=len(state.supply), price=cost)
    drawn = panel(width, height), *heading, moved(tiles, 6, 26)
    return box(width, height, group(*drawn, title=title, place="/supply"))


def supply_alone(state: State, brief: Brief) -> Box:
    """The supply by itself: four tiles in a line."""
    width = 210
    tiles = tiles_in_panel(state.supply, "/supply", width, brief)
    return supply_panel(state, tiles, width, panel_height(tiles), brief.say)


def builder(x: Number, title: str, brief: Brief) -> Svg:
    """The master builder: the feet inside the panel, the hat above its rim."""
    gold = paint("figure")
    drawn = (
        path("M-9 15H9Q4 8 3.5 2H-3.5Q-4 8 -9 15Z", "edge", gold),
        circle(0, -2, 5.5, "edge", gold),
        path("M-9 -4H9M-6.5 -4a6.5 6.5 0 0 1 13 0Z", "edge", gold),
        ring_if_new("builder", "/builder", brief, -9, -10, 18, 25),
    )
    return group(*drawn, title=title, place="/builder", x=x, y=4)


def riders(number: int, brief: Brief) -> Svg:
    """The five riders: those that have been drawn solid."""
    say = brief.say
    drawn = [rider(index, index < number, index == number - 1, brief) for index in range(components.RIDERS)]
    note = say("riders-note", riders=number, last=components.RIDERS)
    title = say("riders-title", riders=number, last=components.RIDERS)
    return group(caption(say("riders")), *drawn, text(0, 46, note, "quiet", 11), title=title, place="/riders")


HORSE = "M0 16v-6l3-5l2-4l3 2l-1 2l4 3v8h-3v-4h-5v4Z"


def rider(index: int, drawn: bool, last: bool, brief: Brief) -> Svg:
    around = ring_if_new(components.RIDER, "/riders", brief, 0, 1, 11, 15) if last else EMPTY
    shape = path(HORSE, "edge", INK) if drawn else path(HORSE, "hair absent")
    title = brief.say("rider-drawn" if drawn else "rider-to-come")
    return group(shape, around, title=title, token=components.RIDER if drawn else "", x=index * 15, y=17)


def stacks_left(left: tuple[int, int, int], say: Captions) -> Box:
    """The stacks I, II, III: how many tiles each has."""
    drawn = [caption(say("stacks"))]
    for x, numeral, count in zip((0, 30, 60), ("I", "II", "III"), left, strict=True):
        numbers = text(x + 13, 28, numeral, "middle quiet", 11), text(x + 13, 44, str(count), "middle bold", 13)
        drawn += [face_down(x, 17, 26, 14, 1, count), *numbers]
    title = say("stacks-title", first=left[0], second=left[1], third=left[2])
    return box(88, 46, group(*drawn, title=title, place="/derived/stacks"))


def face_down(x: Number, y: Number, width: Number, height: Number, radius: Number, count: int) -> Svg:
    """The back of a pile, or where it was."""
    look, fill = ("edge", BACK) if count else ("faint absent", "none")
    return rectangle(x, y, width, height, look, fill, radius)


def money_left(size: int, say: Captions) -> Box:
    """The deck of money, face down."""
    width, height, letters = SMALL
    drawn = (
        caption(say("deck")),
        face_down(0, 20, width, height, 4, size),
        text(width / 2, 36.5, "?", "middle bold quiet", letters),
        text(width + 8, 38, str(size), "bold", 15),
    )
    return box(88, 46, group(*drawn, title=say("deck-title", cards=size), place="/derived/deck"))


# --- tiles -----------------------------------------------------------------------------------------------------------

TAB = 15
"""The width of the plain tab with the number of the floor."""
STOREY = 30
"""The height of a tile."""
PALACE = 58
"""The width of a palace."""
LOW_STOREY = 24
"""The height of a tile of a palace in fixed order, where room is kept for palaces that may come."""
SMALL_TILE = (34, 18)
LOOSE_TILE, NARROW_TILE, TILE_OF_PALACE = (50, STOREY), (46, STOREY), (PALACE, STOREY)
LOW_TILE_OF_PALACE = (46, LOW_STOREY)
FITTING = (((46, STOREY), 1), ((30, 18), 2), ((30, 13), 3))
ROWS_LEFT = 3
"""Of discards, and of tiles out of the game, in fixed order."""
IN_FEW_LINES = ((SMALL_TILE, ROWS_LEFT),)
"""In fixed order: how large loose tiles can be, and in how many lines, from few tiles to many."""


@cache
def tiles_drawn() -> Mapping[tuple[str, tuple[int, int]], Svg]:
    """Every building tile in every size."""
    sizes = (SMALL_TILE, LOOSE_TILE, NARROW_TILE, TILE_OF_PALACE, LOW_TILE_OF_PALACE, *dict(FITTING))
    return {(token, size): tile(token, *size) for token in components.TILES for size in sizes}


def tile(token: str, width: int, height: int) -> Svg:
    """A building tile: a plain tab with its floor, then its material with the windows to count."""
    tab, letters = (TAB, 13) if height >= LOW_STOREY else (12, 11)
    return joined(
        rectangle(0, 0, width, height, "edge", hatched(components.material_of(token))),
        rectangle(0, 0, tab, height, "edge", SHEET),
        text(tab / 2, height / 2 + letters * 0.36, str(components.floor_of(token)), "middle bold", letters),
        windows(components.windows_of(token), tab, width, height),
    )


def windows(count: int, left: int, right: int, height: int) -> Svg:
    """Arched windows, all in one path; on a small tile plain ones."""
    room = right - left
    wide, tall = (4, 9) if height < LOW_STOREY else (9 if room > 36 else 7, 16)
    pitch = room / (count + 0.3)
    middle, foot = (left + right) / 2, height / 2 + tall / 2
    arches = [arch(middle + (index - (count - 1) / 2) * pitch, foot, wide, tall) for index in range(count)]
    return path("".join(arches), "frame", WINDOW)


def arch(middle: Number, foot: Number, wide: Number, tall: Number) -> str:
    radius = wide / 2
    side = tall - radius
    return f"M{round(middle - radius, 1):g} {foot:g}v{-side:g}a{radius:g} {radius:g} 0 0 1 {wide:g} 0v{side:g}Z"


def row_of_tiles(tiles: Sequence[str], place: str, brief: Brief, small: bool = False) -> Box:
    """Loose tiles, in as many lines as they need."""
    if brief.fixed and place != "/stage/tiles":
        return heap_of_tiles(tiles, place, IN_FEW_LINES if small else FITTING, brief)
    size = SMALL_TILE if small else NARROW_TILE if brief.narrow else LOOSE_TILE
    gap = 9 if place == "/stage/tiles" else 2 if small or brief.narrow else 3  # rings need room
    return flowing(tiles_at(tiles, place, size, brief), brief.room, gap, line_gap=4)


def heap_of_tiles(
    tiles: Sequence[str], place: str, fitting: Sequence[tuple[tuple[int, int], int]], brief: Brief
) -> Box:
    """In fixed order: loose tiles as large as they fit, always in the same room; many overlap."""
    for size, lines in fitting:
        if len(tiles) <= (brief.room + 2) // (size[0] + 2) * lines:
            break
    heap = packed(tiles_at(tiles, place, size, brief), brief.room, lines, 2, 4 - lines)
    return Box(heap.width, HEAP, heap.drawn)


HEAP = 41
"""The height of tiles that lie on one another."""


def tiles_at(tiles: Iterable[str], place: str, size: tuple[int, int], brief: Brief) -> list[Box]:
    return [Box(*size, tile_at(token, place, brief, size)) for token in tiles]


def tile_at(token: str, place: str, brief: Brief, size: tuple[int, int], x: int = 0, y: int = 0) -> Svg:
    """A tile as a component: loose, or a storey of a palace."""
    return component_at(token, place, brief, *size, tiles_drawn()[token, size], x=x, y=y)


# --- money -----------------------------------------------------------------------------------------------------------


def money_cards(say: Captions) -> list[Card]:
    return [money_card(token, say) for token in components.MONEY]


def money_card(token: str, say: Captions) -> Card:
    currency, _, value = token.rpartition("-")
    band = currency if currency in components.CURRENCIES else None
    return Card(token, say.thing(token), value, band, circled=token == components.CERTIFICATE)


COUNTED_GROUPS = [(cards, [*Counter(cards).items()]) for cards in GROUPS]


def in_groups(tokens: tuple[str, ...]) -> tuple[list[str], list[Bracket]]:
    """The cards, those of a possible group side by side, and where the groups are."""
    ordered: list[str] = []
    brackets = []
    held = Counter(tokens)
    for cards, needed in COUNTED_GROUPS:
        groups = min([held[token] // count for token, count in needed])
        for _ in range(groups):
            brackets.append(Bracket(len(ordered), len(ordered) + GROUP_SIZE - 1, str(GROUP_WORTH)))
            ordered += cards
        for token, count in needed:
            ordered += [token] * (held[token] - groups * count)
    return ordered, brackets


# --- the players -----------------------------------------------------------------------------------------------------

ROOF_HEIGHT = 12


class Measures(NamedTuple):
    """The sizes of palaces."""

    pitch: int
    """From palace to palace."""
    left: int
    """From the left edge of a plot to its palace."""
    tile: tuple[int, int]
    """A storey."""
    eaves: int
    """How far a roof reaches beyond the walls."""

    @property
    def middle(self) -> float:
        return self.left + self.tile[0] / 2


WIDE_PALACES = Measures(68, 4, TILE_OF_PALACE, 3)
LOW_PALACES = Measures(49, 1, LOW_TILE_OF_PALACE, 1)


def measures(brief: Brief) -> Measures:
    return LOW_PALACES if brief.fixed else WIDE_PALACES


def players_of(shown: Shown, brief: Brief) -> Box:
    """The players' parts. Narrow: from top to bottom. Wide: beside each other on one common ground."""
    brief = brief.column(len(shown.seats), 24)
    in_row = 0 if brief.narrow else brief.room // WIDE_PALACES.pitch
    in_first_row = [palace for seat in shown.seats for palace in palaces_of(seat)[:in_row]]
    highest = max([height_of(palace, STOREY) for palace in in_first_row], default=0)
    players = brief.players(partial(player, least=highest), shown)
    return brief.arranged(*players.values(), below_gap=14, beside_gap=24)


def player(shown: Shown, seat: int, brief: Brief, least: int = 0) -> Box:
    """A player's head, palaces and hand; the first row of palaces has a height of at least `least`."""
    points = points_of(palaces_of(shown.seats[seat]))
    return above(
        head(seat, points_note(points, is_over(shown), brief), brief),
        row_of_palaces(shown, seat, brief, least),
        brief.unless_omitted(f"/seats/{seat}/hand", hand(shown, seat, brief)),
        gap=6,
    )


def row_of_palaces(shown: Shown, seat: int, brief: Brief, least: int = 0) -> Box:
    """The palaces of a player, and the plot for a new one while they place a tile."""
    palaces = tuple(palaces_of(shown.seats[seat]))
    return brief.part(palaces_in_rows, f"/seats/{seat}/palaces", palaces, is_placing(shown, seat), seat, least)


def palaces_alone(shown: Shown, seat: int, brief: Brief) -> Box:
    """The palaces of a player by themselves, no wider than they are."""
    plots = max(len(palaces_of(shown.seats[seat])) + is_placing(shown, seat), 1)
    return row_of_palaces(shown, seat, brief.within(min(measures(brief).pitch * plots, brief.room)))


def palaces_in_rows(palaces: Sequence[Palace | Outline], is_placing: bool, seat: int, least: int, brief: Brief) -> Box:
    """The palaces from left to right as they were begun, in rows that each have their ground.

    In fixed order in one row, with room for all floors; if there are too many they stand before one another.
    """
    width, pitch = brief.room, measures(brief).pitch
    plots = [
        brief.part(palace, f"/seats/{seat}/palaces/{index}", built, seat, index) for index, built in enumerate(palaces)
    ]
    if is_placing:
        plots.append(new_palace(seat, brief))
    if brief.fixed:
        closer = (width - pitch) / max(len(plots) - 1, 1)
        return on_the_ground(plots, width, LOW_GROUND, min(pitch, int(closer)))
    in_row = width // pitch
    rows = [plots[start : start + in_row] for start in range(0, max(len(plots), 1), in_row)]
    grounds = [on_the_ground(row, width, 0 if index else least, pitch) for index, row in enumerate(rows)]
    return above(*grounds, gap=8)


FIGURES = 36
"""The room for a palace's figures, below the ground."""
LOW_GROUND = len(components.FLOORS) * LOW_STOREY + ROOF_HEIGHT
"""How high above the ground there is room in fixed order."""


def on_the_ground(plots: Sequence[Box], width: Number, least: int, pitch: int) -> Box:
    """Buildings on one ground line; a box reaches `FIGURES` below it."""
    ground = max([least, 4, *[plot.height - FIGURES for plot in plots]])
    drawn = [moved(plot, index * pitch, ground - (plot.height - FIGURES)) for index, plot in enumerate(plots)]
    height = ground + (FIGURES if plots or least == LOW_GROUND else 4)
    return box(width, height, path(f"M0 {ground + 1:g}H{width:g}", "ground"), *drawn)


def height_of(palace: Palace | Outline, storey: int) -> int:
    """The height of a palace above the ground."""
    storeys = palace.floors if isinstance(palace, Outline) else len(palace)
    return storeys * storey + (ROOF_HEIGHT if has_roof(palace) else 0)


def has_roof(palace: Palace | Outline) -> bool:
    """A roof stands on floor 5 only: nothing can follow."""
    return not isinstance(palace, Outline) and components.floor_of(palace[-1]) == max(components.FLOORS)


def palace(built: Palace | Outline, seat: int, index: int, brief: Brief) -> Box:
    """A palace on the ground: its storeys, a roof if nothing can follow, beneath it what it counts.

    In fixed order with room for all floors, so that its place stays where it is while it grows.
    """
    say, place, sizes = brief.say, f"/seats/{seat}/palaces/{index}", measures(brief)
    points, height = palace_points(built), height_of(built, sizes.tile[1])
    ground = LOW_GROUND if brief.fixed else height
    drawn = [roof(ROOF_HEIGHT, sizes, ground - height)] if has_roof(built) else []
    if isinstance(built, Outline):
        shape = built
        drawn.append(storeys_in_outline(built))
    else:
        shape = outline(built)
        drawn += [
            tile_at(token, place, brief, sizes.tile, x=sizes.left, y=ground - (floor + 1) * sizes.tile[1])
            for floor, token in enumerate(built)
        ]
    counted = {"floors": shape.floors, "windows": shape.windows}
    title = say("palace-title", player=say.player(seat), palace=index, points=points, **counted)
    if brief.fixed:
        drawn.append(counted_in_signs(shape, sizes.middle, ground + 15))
    else:
        drawn.append(text(sizes.middle, ground + 15, say("palace-figures", **counted), "middle quiet", 11))
    drawn.append(text(sizes.middle, ground + 31, lettering.signed(points), "middle bold", 14))
    return box(sizes.pitch, ground + FIGURES, group(*drawn, title=title, place=place))


def counted_in_signs(shape: Outline, x: float, base: Number) -> Svg:
    """The floors and the windows of a palace, where there is no room for words: beneath one another, and arched."""
    floors = "M0 0h8M0 -3.5h8M0 -7h8"
    return joined(
        path(floors, "edge", x=x - 21, y=base - 0.5),
        text(x - 11, base, str(shape.floors), "quiet", 11),
        path(arch(0, 0, 6, 8.5), fill=INK, x=x + 4, y=base),
        text(x + 9, base, str(shape.windows), "quiet", 11),
    )


def roof(height: Number, sizes: Measures, y: Number = 0) -> Svg:
    """A roof over a palace."""
    left, right = sizes.left - sizes.eaves, sizes.left + sizes.tile[0] + sizes.eaves
    return path(f"M{left} {height}L{sizes.middle:g} 1L{right} {height}Z", "edge", ROOF, y=y)


def storeys_in_outline(palace: Outline) -> Svg:
    """A palace with only its floors and windows known: dashed storeys, the windows as a number."""
    height = palace.floors * STOREY
    lines = "".join(f"M4 {floor * STOREY}h{PALACE}" for floor in range(1, palace.floors))
    fill = "none" if palace.material == "mixed" else SHEET
    return joined(
        rectangle(4, 0, PALACE, height, "edge absent", fill),
        path(lines, "hair absent"),
        text(4 + PALACE / 2, height / 2 + 6, str(palace.windows), "middle bold", 17),
    )


def new_palace(seat: int, brief: Brief) -> Box:
    """The plot for a new palace."""
    sizes = measures(brief)
    width, storey = sizes.tile
    frame = rectangle(sizes.left, 0, width, storey, "edge absent")
    plus = text(sizes.middle, storey / 2 + 6, "+", "middle quiet", 17)
    title = brief.say("new-palace", player=brief.say.player(seat))
    plot = group(frame, plus, title=title, place=f"/seats/{seat}/palaces/-", move="begin-palace")
    return box(sizes.pitch, storey + FIGURES, plot)


def hand(shown: Shown, seat: int, brief: Brief) -> Box:
    """The money of a player: possible groups lie together with a bracket under each, unknown cards last.

    Nothing for a hand that a scoresheet does not have.
    """
    held = shown.seats[seat].hand
    if held is None:
        return NOTHING
    if not isinstance(held, Hand):
        held = Hand(held)
    ordered, brackets = in_groups(held.known)
    return hand_in_row(held, ordered, seat, money_cards, brief, brackets)


# --- what has left the game ------------------------------------------------------------------------------------------


def left_over(state: State, brief: Brief) -> Box:
    """The discards, and the tiles out of the game."""
    brief = brief.beside(BOARD_WIDTH + 40)
    cards = brief.part(discards, "/discards", state.discards)
    return above(cards, brief.part(tiles_out_of_the_game, "/removed", state.removed), gap=8)


def discards(cards: Multiset, brief: Brief) -> Box:
    title = brief.say("discards-title", cards=len(cards))
    row = cards_at("/discards", cards, title, money_cards, brief, SMALL, ROWS_LEFT)
    return captioned(brief.say("discards", cards=len(cards)), row)


def tiles_out_of_the_game(removed: Multiset, brief: Brief) -> Box:
    say, tiles = brief.say, row_of_tiles(removed, "/removed", brief, small=True)
    tiles = placed(tiles, "/removed", say("removed-title", tiles=len(removed)), SMALL_TILE[1])
    tiles = brief.keep_room(tiles, ROWS_LEFT * (SMALL_TILE[1] + 4) - 4)
    return captioned(say("removed", components=len(removed)), tiles)


PARTS: Parts = {
    "/seats/#": player,
    "/seats/#/palaces": palaces_alone,
    "/seats/#/hand": hand,
    "/stage": in_progress,
    "/quarries": common_table,
    "/supply": supply_alone,
    "/removed": left_over,
}

# --- what has just changed -------------------------------------------------------------------------------------------


def changes(state: State, played: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """What the last moves moved, and where it is now."""
    to_come = sum(isinstance(move, moves.DrawTile) for move in played)
    for move in played:
        match move:
            case moves.DrawTile(tile=tile):
                to_come -= 1
                yield where_drawn(state, tile, to_come), tile
            case moves.RevealCard(card=card):
                yield "/stage/face_up", card
            case moves.DealCard(card=card):
                yield f"/seats/{last_dealt(state)}/hand", card or UNKNOWN
            case moves.TakeTwoCards(seat=seat, cards=cards):
                yield from ((f"/seats/{seat}/hand", card) for card in cards)
            case moves.TakeCard(seat=seat, card=card):
                yield f"/seats/{seat}/hand", card
            case moves.Buy(tiles=tiles, payment=payment):
                yield from (("/stage/tiles", tile) for tile in tiles)
                yield from (("/discards", card) for card in payment)
            case moves.CallAuction() if isinstance(state.stage, AUCTIONED):
                yield "/builder", "builder"
            case moves.Raise(seat=seat, cards=cards):
                yield from ((f"/stage/bids/{seat}", card) for card in cards)
            case moves.Pass(seat=seat):
                yield f"/stage/bids/{seat}", "passed"
                yield from (("/stage/tiles", tile) for tile in getattr(state.stage, "tiles", ()))
            case moves.TakeTile(tile=tile):
                yield "/stage/tiles", tile
            case moves.PlaceOnTop(seat=seat, tile=tile, palace=palace):
                yield f"/seats/{seat}/palaces/{palace}", tile
            case moves.BeginPalace(seat=seat, tile=tile) | moves.RebuildTakeOut(seat=seat, tile=tile):
                yield f"/seats/{seat}/palaces/{len(state.seats[seat].palaces) - 1}", tile
            case moves.ThrowAway(tile=tile):
                yield "/removed", tile
        if isinstance(move, moves.RebuildTakeOut | moves.RebuildInsert | moves.RebuildRemove):
            yield "/discards", move.card


def where_drawn(state: State, tile: str, to_come: int) -> str:
    """The place of a tile that was drawn before this number of others; a rider's is beside the board."""
    if tile == components.RIDER:
        return "/riders"
    if isinstance(state.stage, stages.BuyOrAuction) and not to_come:
        return f"/quarries/{(state.builder + components.windows_of(tile)) % components.QUARRIES}"
    if isinstance(state.stage, stages.DrawSetupTile):
        return f"/quarries/{sum(map(bool, state.quarries)) - 1 - to_come}"
    return "/supply"
