"""The table as a picture: the auction, the map, the row of businesses, the players, the piles.

What is auctioned, who leads, where is there room, what is worth most? On the map City Hall is below, west at the left,
Central Park on top; a district is a ring of lots.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat
from typing import NamedTuple

from capomastro.drawing import NOTHING, Box, Brief, Captions, Table, above, beside, box, moved
from capomastro.drawing.boxes import flowing
from capomastro.drawing.cards import (
    LARGE,
    UNKNOWN,
    Card,
    card,
    face,
    hand_cards,
    hidden_cards,
    kinds_of,
    open_cards,
    place_of_hand,
    plays_of_cards,
    row_of_hand,
)
from capomastro.drawing.elements import EMPTY, Svg, circle, group, joined, path, rectangle, text
from capomastro.drawing.lettering import cut
from capomastro.drawing.lettering import width as width_of
from capomastro.drawing.marks import mark
from capomastro.drawing.palette import BAR, SHEET, WHITE, hatched, paint
from capomastro.drawing.parts import (
    BID_WIDTH,
    Bidder,
    at_place,
    auction,
    captioned,
    component_at,
    head,
    panel,
    placed,
    points_note,
    ring_if_new,
    room_for_auction,
)
from capomastro.engine.decisions import GameOver, Move
from capomastro.engine.hands import Hand, last_dealt
from capomastro.engine.multisets import Multiset
from capomastro.engine.seats import clockwise
from capomastro.games.fifth_avenue import components, moves, stages, supplies
from capomastro.games.fifth_avenue.bids import worth
from capomastro.games.fifth_avenue.decisions import auctioned, highest_bid, now_auctioned, seats_that_draw
from capomastro.games.fifth_avenue.lots import District, Districts, Lot
from capomastro.games.fifth_avenue.scoresheet import Scoresheet, rings_of
from capomastro.games.fifth_avenue.scoring import scores, tiles_for_scoring
from capomastro.games.fifth_avenue.state import Pile, Seat, State
from capomastro.games.fifth_avenue.tokens import Ring


class Board(NamedTuple):
    """What lies on the map."""

    districts: Districts
    rings: Mapping[str, Ring]
    in_park: Sequence[int]
    """Everybody's buildings in Central Park, by seat."""
    under_park: Multiset | None
    """The tiles under Central Park; None if they are not known."""
    park_tiles: Multiset | None
    """Those drawn from under it at the end."""
    commissioners: Mapping[str, str]
    markers: Mapping[str, Multiset]
    auctioned: str | None


def table(state: State, brief: Brief) -> Table:
    """The picture of a state."""
    totals, room = points_of(state), brief.layout.room_beside(WIDE_MAP.width + 30)
    clauses = [
        brief.say("standing", player=brief.say.player(seat), points=totals[seat], cards=player.hand.size)
        for seat, player in enumerate(state.seats)
    ]
    board = brief.unless_omitted("/districts", board_map(board_of(state), brief))
    offers = brief.unless_omitted("/stage", in_progress(state, room, brief))
    row = brief.unless_omitted("/row", row_of_businesses(state, room, brief))
    players = {seat: player(state, seat, room, brief) for seat in brief.seats_in_order(len(state.seats))}
    face_up = brief.unless_omitted("/piles", piles(state, room, brief))
    gone = out_of_the_game(state, room, brief)
    if brief.fixed:
        common = above(board, row, face_up, gap=12)
        least = room_for_auction(len(state.seats) + supplies.has_dummy(state))
        return Table(brief.in_fixed_order(common, offers, players, gone, 12, least), clauses)
    rest = (row, *players.values(), face_up, gone)
    if brief.layout.narrow:
        return Table(above(offers, board, *rest, gap=12), clauses)
    return Table(beside(board, above(offers, *rest, gap=10), gap=30), clauses)


def part(shown: State | Scoresheet, place: str, brief: Brief) -> Box:
    """What lies at one place, by itself."""
    room = brief.layout.room
    board = board_of(shown) if isinstance(shown, State) else board_of_scoresheet(shown)
    match place.split("/")[1:]:
        case ["districts"]:
            return board_map(board, brief)
        case ["districts", name]:
            return district_alone(board, name, brief)
        case ["places", "central-park"]:
            return park_alone(board, brief)
        case ["stage"] if isinstance(shown, State):
            return in_progress(shown, room, brief)
        case ["row"] if isinstance(shown, State):
            return row_of_businesses(shown, room, brief)
        case ["piles"] if isinstance(shown, State):
            return piles(shown, room, brief)
        case ["seats", seat, "hand"] if isinstance(shown, State):
            return hand(shown.seats[int(seat)].hand, int(seat), room, brief)
        case ["seats", seat] if isinstance(shown, State):
            return player(shown, int(seat), room, brief._replace(deciding=None))
    raise LookupError(place)


def table_of_scoresheet(sheet: Scoresheet, brief: Brief) -> Table:
    """The map, and what is known of the players."""
    say, room, heads, clauses = brief.say, brief.layout.room_beside(WIDE_MAP.width + 30), [], []
    for seat, player in enumerate(sheet.seats):
        heads.append(head(seat, say("on-track", points=player.score or 0), room, brief))
        clauses.append(say("standing-on-sheet", player=say.player(seat), points=player.score or 0))
    board, players = board_map(board_of_scoresheet(sheet), brief), above(*heads, gap=6)
    if brief.layout.narrow:
        return Table(above(board, players, gap=12), clauses)
    return Table(beside(board, players, gap=30), clauses)


def points_of(state: State) -> Sequence[int]:
    """The points on the track; at the end the totals."""
    if isinstance(state.stage, GameOver):
        return [score.total for score in scores(state, tiles_for_scoring(state))]
    return [seat.score for seat in state.seats]


def board_of(state: State) -> Board:
    return Board(
        state.districts,
        state.options.rings,
        [seat.central_park for seat in state.seats],
        state.under_central_park,
        state.park_tiles,
        state.commissioners,
        state.markers,
        now_auctioned(state),
    )


def board_of_scoresheet(sheet: Scoresheet) -> Board:
    in_park = [seat.central_park or 0 for seat in sheet.seats]
    return Board(sheet.board, rings_of(sheet), in_park, sheet.under_central_park, sheet.park_tiles, {}, {}, None)


# --- the map ---------------------------------------------------------------------------------------------------------


class Sizes(NamedTuple):
    """The sizes of one layout."""

    width: int
    step: int
    """From district to district in a row."""
    rise: int
    """From row to row."""
    ring: tuple[int, int]
    """How far the lots lie from the middle of their district, across and up."""
    lot: tuple[int, int]
    band: int
    tile: int
    """A business."""
    pawn: float
    """A commissioner, as a factor of its size on the wide map."""
    inside: int
    """The width between the lots of a ring."""
    panel: int
    """The width of a district."""
    top: int
    """The middle of the uppermost row."""

    @property
    def height(self) -> int:
        return self.top + 2 * self.rise + self.ring[1] + self.lot[1] // 2 + 30 + HALL_HEIGHT

    @property
    def label(self) -> float:
        """How far the label is above the middle of its district."""
        return self.ring[1] + self.lot[1] / 2 + 7

    @property
    def above(self) -> float:
        """How far a district reaches above its middle."""
        return self.label + 14

    @property
    def below(self) -> float:
        """How far it reaches below."""
        return self.ring[1] + self.lot[1] / 2 + 4


PARK_HEIGHT, HALL_HEIGHT, HALL_WIDTH = 62, 40, 190
WIDE_MAP = Sizes(590, 197, 194, (62, 57), (50, 42), 10, 24, 1, 66, 182, 176)
NARROW_MAP = Sizes(344, 116, 145, (38, 38), (34, 32), 8, 19, 0.8, 36, 111, 154)
ALONE = WIDE_MAP
"""A district by itself is drawn as large as on the wide map."""
Spot = tuple[float, float]


def board_map(board: Board, brief: Brief) -> Box:
    """The whole map."""
    sizes = NARROW_MAP if brief.layout.narrow else WIDE_MAP
    spots = SPOTS[sizes]
    drawn = [ROADS[sizes], central_park(board, sizes, brief)]
    drawn += [space_at(board, name, *spots[name], sizes, brief) for name in reversed(components.DISTRICTS)]
    drawn.append(city_hall(sizes, brief))
    drawn += [
        commissioner(colour, board, spots, sizes, brief) for colour in components.COMMISSIONERS if board.commissioners
    ]
    return box(sizes.width, sizes.height, *drawn)


def space_at(board: Board, name: str, x: float, y: float, sizes: Sizes, brief: Brief) -> Svg:
    """A district around (x, y), open or closed, on a panel of its own."""
    place, is_auctioned, district = f"/districts/{name}", board.auctioned == name, board.districts[name]
    if district is None:
        return brief.part(closed_district, place, name, is_auctioned, x, y, sizes)
    beside = tuple(markers_on(name, board)), len(commissioners_on(name, board))
    return brief.part(open_district, place, name, district, board.rings[name], *beside, is_auctioned, x, y, sizes)


def sheet_of_district(x: float, y: float, sizes: Sizes, *, is_auctioned: bool) -> Svg:
    height = sizes.above + sizes.below
    sheet = panel(sizes.panel, height, "edge" if is_auctioned else "faint")
    return moved(Box(sizes.panel, height, sheet), x - sizes.panel / 2, y - sizes.above)


def district_alone(board: Board, name: str, brief: Brief) -> Box:
    """A district by itself, with its commissioners."""
    width, above_it = 200, ALONE.above + 2
    x, y = width / 2, above_it
    drawn = [space_at(board, name, x, y, ALONE, brief)]
    drawn += [commissioner(colour, board, {name: (x, y)}, ALONE, brief) for colour in commissioners_on(name, board)]
    return box(width, above_it + ALONE.below + 1, *drawn)


def park_alone(board: Board, brief: Brief) -> Box:
    """Central Park by itself."""
    sizes = NARROW_MAP if brief.layout.narrow else WIDE_MAP
    return box(sizes.width, PARK_HEIGHT, central_park(board, sizes, brief))


def places_on_map(sizes: Sizes) -> Mapping[str, Spot]:
    """The middle of each space."""
    middle = sizes.width / 2
    rows = ((-0.5, 0.5), (-1, 0, 1), (-0.5, 0.5))
    places = [
        (middle + shift * sizes.step, sizes.top + (2 - row) * sizes.rise) for row in range(3) for shift in rows[row]
    ]
    park, hall = (middle, PARK_HEIGHT / 2), (middle, sizes.height - HALL_HEIGHT / 2)
    return {
        **dict(zip(components.DISTRICTS, places, strict=True)),
        components.CENTRAL_PARK: park,
        components.CITY_HALL: hall,
    }


def roads(sizes: Sizes) -> Svg:
    """Broad roads, an arrowhead before each space; the way back from Central Park is not drawn."""
    spots, lines, heads = places_on_map(sizes), [], []
    below = sizes.ring[1] + sizes.lot[1] / 2 + 10
    for start, exits in components.ROUTES.items():
        for end in exits if start != components.CENTRAL_PARK else ():
            (x, y), (to_x, to_y) = spots[start], spots[end]
            lines.append(f"M{x:g} {y:g}L{to_x:g} {to_y:g}")
            reached = to_y + (PARK_HEIGHT / 2 + 10 if end == components.CENTRAL_PARK else below)
            along = (y - reached) / (y - to_y)
            heads.append(arrowhead(x + (to_x - x) * along, reached, to_x - x, to_y - y))
    return joined(path("".join(lines), "road"), path("".join(heads), "strong"))


def arrowhead(x: float, y: float, dx: float, dy: float) -> str:
    length = math.hypot(dx, dy)
    ux, uy = dx / length * 5, dy / length * 5
    return f"M{x - ux - uy:.1f} {y - uy + ux:.1f}L{x + ux:.1f} {y + uy:.1f}L{x - ux + uy:.1f} {y - uy - ux:.1f}"


SPOTS = {sizes: places_on_map(sizes) for sizes in (WIDE_MAP, NARROW_MAP)}
ROADS = {sizes: roads(sizes) for sizes in SPOTS}

# --- districts -------------------------------------------------------------------------------------------------------


def label(name: str, x: float, y: float, inverted: bool, brief: Brief) -> Svg:
    """The name of a district; that of the one being auctioned is inverted."""
    caption = brief.say.thing(name)
    size = 11 if brief.layout.narrow else 12
    shown = caption.replace(" Street ", " St ") if brief.layout.narrow else caption
    half = width_of(shown, size, bold=True) / 2 + 5
    around = ring_if_new("scored", f"/districts/{name}", brief, x - half, y - 12, 2 * half, 17)
    return joined(
        rectangle(x - half, y - 12, 2 * half, 17, fill=BAR, radius=3) if inverted else EMPTY,
        text(x, y + 0.5, shown, "middle bold on-bar" if inverted else "middle bold", size),
        around,
    )


def closed_district(name: str, is_auctioned: bool, x: float, y: float, sizes: Sizes, brief: Brief) -> Svg:
    """A district in which a building stop was ordered: a dashed circle, a cross, the word."""
    radius, word = sizes.ring[1], brief.say("closed-district")
    arm, half, base = radius * 0.5, width_of(word, 11, bold=True) / 2 + 2, y + radius * 0.82
    cross = f"M{x - arm:g} {y - arm:g}L{x + arm:g} {y + arm:g}M{x + arm:g} {y - arm:g}L{x - arm:g} {y + arm:g}"
    drawn = [
        sheet_of_district(x, y, sizes, is_auctioned=is_auctioned),
        circle(x, y, radius, "edge absent"),
        path(cross, "ground"),
        rectangle(x - half, base - 11, 2 * half, 15, fill=SHEET, radius=3),
        text(x, base, word, "middle bold", 11),
        label(name, x, y - sizes.label, is_auctioned, brief),
    ]
    return group(*drawn, title=brief.say("closed-title", district=name), place=f"/districts/{name}")


def open_district(
    name: str,
    district: District,
    ring: Ring,
    markers: Sequence[tuple[str, int]],
    visitors: int,
    is_auctioned: bool,
    x: float,
    y: float,
    sizes: Sizes,
    brief: Brief,
) -> Svg:
    """The lots of a district as a ring, the first on top, clockwise; in the middle the markers.

    Beside commissioners, the markers are one below the other.
    """
    spots = RING_SPOTS[sizes, len(ring)]
    line = "M" + "L".join([f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in spots]) + "Z"
    drawn = [
        sheet_of_district(x, y, sizes, is_auctioned=is_auctioned),
        path(line, "edge"),
        label(name, x, y - sizes.label, is_auctioned, brief),
    ]
    for colour, (dx, dy) in zip(ring, spots, strict=True):
        left, top = round(x + dx - sizes.lot[0] / 2), round(y + dy - sizes.lot[1] / 2)
        drawn.append(
            brief.part(draw_lot, f"/districts/{name}/{colour}", name, colour, district[colour], left, top, sizes)
        )
    for index, (colour, number) in enumerate(markers):
        along = index - (len(markers) - 1) / 2
        dx, dy = along * 15, 0.0
        if visitors:
            dx, dy = offsets_side_by_side(visitors, True, sizes)[-1], along * (MARKER + 1) - 4
        drawn.append(marker(colour, number, x + dx, y + dy, brief.say))
    return group(*drawn, title=brief.say("district-title", district=name), place=f"/districts/{name}")


def markers_on(name: str, board: Board) -> list[tuple[str, int]]:
    """The markers on a district, each with the number of its commissioner's markers before it."""
    markers = [(colour, board.markers.get(colour, ())) for colour in components.COMMISSIONERS]
    return [(colour, spaces.index(name)) for colour, spaces in markers if name in spaces]


def ring_spots(lots: int, sizes: Sizes) -> list[Spot]:
    """The middles of the lots, from the middle of the district."""
    across, up = sizes.ring
    turns = [2 * math.pi * index / lots for index in range(lots)]
    return [(across * math.sin(turn) * (1 if lots == 5 else 1.12), -up * math.cos(turn)) for turn in turns]


RING_SPOTS = {(sizes, lots): ring_spots(lots, sizes) for sizes in SPOTS for lots in (5, 6)}


def band_of(colour: str) -> str:
    """The hatching of a colour of lots and cards."""
    return "lot-green" if colour == "green" else colour


def draw_lot(name: str, colour: str, lot: Lot, x: int, y: int, sizes: Sizes, brief: Brief) -> Svg:
    """A lot: its band, and the businesses or the buildings on it."""
    say, place, (width, height) = brief.say, f"/districts/{name}/{colour}", sizes.lot
    band = sizes.band if colour != components.COLOURLESS else 0
    middle, room = (height + band) / 2, height - band - 4
    drawn = [rectangle(0, 0, width, height, "edge", SHEET, 2)]
    if band:
        drawn.append(rectangle(0, 0, width, band, "edge", hatched(band_of(colour)), 2))
    if lot.owner is not None:
        seat = None if lot.owner == components.DUMMY else int(lot.owner)
        player = say.thing(components.DUMMY) if seat is None else say.player(seat)
        drawn.append(mark(seat, width / 2, middle, room, lot.buildings))
        title = say("lot-built", lot=colour, player=player, buildings=lot.buildings)
    else:
        size = min(sizes.tile, room, (width - 4) // max(len(lot.businesses), 1))
        for index, business in enumerate(lot.businesses):
            left = width / 2 + (index - len(lot.businesses) / 2) * (size + 1)
            drawn.append(tile(business, left, middle - size / 2, size, place, brief))
        title = say("lot-title" if lot.businesses else "lot-empty", lot=colour)
    drawn.append(ring_if_new("building", place, brief, 0, 0, width, height))
    return group(*drawn, title=title, place=place, x=x, y=y)


ICONS = {
    "boutique": "M6.5 2L9 4H11L13.5 2L17 6L14.2 8.4L16 18H4L5.8 8.4L3 6Z",
    "jeweller": "M5 4H15L19 9L10 18L1 9ZM1 9H19M7 9L10 18L13 9M5 4L7 9L10 4L13 9L15 4",
    "gallery": "M2 3H18V17H2ZM5 6H15V14H5ZM5 13.5L8.5 9L11 12L12.5 10.5L15 13.5",
    "perfumery": "M8 2H12V5H8ZM9 5V8M11 5V8M5 8H15V18H5ZM8 12H12V15H8Z",
}
"""Dress, gem, framed picture, flacon; in 20 by 20."""


def tile_face(business: str, size: int) -> Svg:
    """A business in a square."""
    factor = (size - 4) / 20
    icon = re.sub(r"[0-9.]+", lambda number: f"{round(float(number[0]) * factor, 1):g}", ICONS[business])
    return joined(rectangle(0, 0, size, size, "hair", SHEET, 3), path(icon, "edge", x=2, y=2))


TILE_FACES = {(business, size): tile_face(business, size) for business in ICONS for size in range(15, 25)}


def tile(business: str, x: float, y: float, size: int, place: str, brief: Brief) -> Svg:
    """A business as a component."""
    return component_at(business, place, brief, size, size, TILE_FACES[business, size], x=x, y=y)


# --- commissioners and their markers ---------------------------------------------------------------------------------


def look_of(colour: str) -> str:
    """White is plain, beige is banded, so that they differ without their colours."""
    return WHITE if colour == "white" else hatched("brown")


def pawn(colour: str, size: float) -> Svg:
    foot, waist, head, height = (round(part * size, 1) for part in (11, 5, 8, 20))
    shape = f"M{-foot:g} {height:g}L{-waist:g} 0A{head:g} {head:g} 0 1 1 {waist:g} 0L{foot:g} {height:g}Z"
    return path(shape, "edge", look_of(colour))


PAWN, MARKER = 22, 13
"""How wide a commissioner is on the wide map, and a marker with its line."""


def pawn_size(visitors: int, marked: bool, sizes: Sizes) -> float:
    """The factor of commissioners side by side: they become smaller before they would stand on lots."""
    each = (sizes.inside - MARKER * marked) / visitors - 2
    return min(sizes.pawn, round(each / PAWN, 2))


def offsets_side_by_side(visitors: int, marked: bool, sizes: Sizes) -> list[float]:
    """How far from the middle of their space commissioners stand side by side; last, how far its markers lie."""
    each, beside = PAWN * pawn_size(visitors, marked, sizes) + 2, MARKER * marked
    left = -(visitors * each + beside) / 2
    return [*(left + (index + 0.5) * each for index in range(visitors)), -left - beside / 2]


def commissioners_on(space: str, board: Board) -> list[str]:
    return [colour for colour in components.COMMISSIONERS if board.commissioners.get(colour) == space]


def marker(colour: str, number: int, x: float, y: float, say: Captions) -> Svg:
    drawn = circle(0, 0, 5.5, "edge", look_of(colour))
    title, place = say("marker-title", commissioner=colour), f"/markers/{colour}/{number}"
    return group(drawn, title=title, place=place, token=colour, x=round(x), y=round(y))


def commissioner(colour: str, board: Board, spots: Mapping[str, Spot], sizes: Sizes, brief: Brief) -> Svg:
    """A commissioner on its space; two on one space stand side by side, beside the cross of a closed one."""
    space = board.commissioners[colour]
    x, y = spots[space]
    visitors = commissioners_on(space, board)
    turn, size = visitors.index(colour), sizes.pawn
    if space == components.CITY_HALL:
        x, y = x + HALL_WIDTH / 2 - 40 + (turn - (len(visitors) - 1) / 2) * 26, y - 4
    elif space == components.CENTRAL_PARK:
        x = sizes.width - 110 + turn * 26
        if brief.layout.narrow:
            x, y, size = sizes.width - 62 + turn * 20, 12, 0.6
    elif board.districts[space] is None:
        x += (
            sizes.ring[1] * 0.5
            + 13 * sizes.pawn * len(visitors)
            + offsets_side_by_side(len(visitors), False, sizes)[turn]
        )
        size = pawn_size(len(visitors), False, sizes)
    else:
        marked = bool(markers_on(space, board))
        x, y = x + offsets_side_by_side(len(visitors), marked, sizes)[turn], y - 4
        size = pawn_size(len(visitors), marked, sizes)
    place = f"/commissioners/{colour}"
    around = ring_if_new(colour, place, brief, -11 * size, -16 * size, 22 * size, 36 * size)
    title = brief.say("commissioner-title", commissioner=colour, space=space)
    return group(pawn(colour, size), around, title=title, token=colour, place=place, x=x, y=y)


# --- City Hall and Central Park --------------------------------------------------------------------------------------


def city_hall(sizes: Sizes, brief: Brief) -> Svg:
    left, top = (sizes.width - HALL_WIDTH) / 2, sizes.height - HALL_HEIGHT
    house = path("M8 34V17L21 8L34 17V34ZM14 34V20M21 34V20M28 34V20", "edge")
    drawn = [
        moved(box(HALL_WIDTH, HALL_HEIGHT, panel(HALL_WIDTH, HALL_HEIGHT), house), left, top),
        text(left + 44, top + 25, brief.say.thing(components.CITY_HALL), "bold", 13),
    ]
    return group(*drawn, title=brief.say.thing(components.CITY_HALL), place="/places/city-hall")


def tree(x: float, y: float) -> Svg:
    green = paint("lot-green")
    return joined(
        path(f"M{x:g} {y:g}v14M{x + 13:g} {y:g}v14", "edge"),
        circle(x, y, 7, "edge", green),
        circle(x + 13, y, 7, "edge", green),
    )


def central_park(board: Board, sizes: Sizes, brief: Brief) -> Svg:
    """Everybody's buildings, the tiles that lie under it, at the end those that were drawn."""
    say, width = brief.say, sizes.width
    inverted = board.auctioned == components.CENTRAL_PARK
    name = say.thing(components.CENTRAL_PARK)
    half = width_of(name, 13, bold=True) / 2 + 6
    drawn = [
        panel(width, PARK_HEIGHT, "edge" if inverted else "faint"),
        tree(12, 36),
        tree(width - 25, 36),
        rectangle(width / 2 - half, 3, 2 * half, 17, fill=BAR, radius=3) if inverted else EMPTY,
        text(width / 2, 16, name, "middle bold on-bar" if inverted else "middle bold", 13),
    ]
    x: float = 44
    for seat, buildings in enumerate(board.in_park):
        place = f"/seats/{seat}/central_park"
        title = say("in-park", player=say.player(seat), buildings=buildings)
        drawn.append(group(mark(seat, x, 35, 20, buildings), title=title, place=place))
        x += 23
    drawn.append(text(34, 58, say("buildings"), "quiet", 11))
    x = max(x + 8, 120 if brief.layout.narrow else 150)
    end = width - 40
    rows = [("/park_tiles", board.park_tiles), ("/under_central_park", board.under_park)]
    if brief.fixed and board.park_tiles is not None:
        end -= END_TILES
        drawn.append(park_tiles("/park_tiles", board.park_tiles, end, END_TILES, sizes, brief).drawn)
        rows, end = rows[1:], end - 14
    for place, shown in rows:
        if shown is not None:
            tiles = park_tiles(place, shown, x, end - x, sizes, brief)
            drawn.append(tiles.drawn)
            x += tiles.width + 14
    return group(*drawn, title=name, place="/places/central-park")


END_TILES = 64
"""The room for the tiles drawn at the end, in fixed order."""


def park_tiles(place: str, tiles: Multiset, x: float, room: float, sizes: Sizes, brief: Brief) -> Box:
    """From x on: tiles that lie under Central Park, or were drawn from there, and how many."""
    size = 20 if brief.layout.narrow else 22
    step = min(size + 2, room / max(len(tiles), 1))
    shown = [tile(business, index * step, 0, size, place, brief) for index, business in enumerate(tiles)]
    caption = brief.say("park-tiles" if place == "/park_tiles" else "under-park", tiles=len(tiles))
    note = text(0, 34, cut(caption, room + (36 if place == "/under_central_park" else 0), 11), "quiet", 11)
    width = max(len(tiles) * step, width_of(caption, 11))
    return Box(width, 34, group(*shown, note, title=caption, place=place, x=x, y=24))


# --- what is in progress ---------------------------------------------------------------------------------------------


def in_progress(state: State, room: int, brief: Brief) -> Box:
    """What is on the table only for now: a starting business without its lot, an auction."""
    stage = state.stage
    if isinstance(stage, stages.DrawStartingLot):
        caption = brief.say("to-lay")
        drawn = box(TILE, TILE, tile(stage.business, 0, 0, TILE - 1, "/stage/business", brief))
        return captioned(caption, placed(drawn, "/stage/business", caption, TILE))
    if isinstance(stage, stages.Bidding):
        return bids(state, stage, room, brief)
    return NOTHING


def bids(state: State, stage: stages.Bidding, room: int, brief: Brief) -> Box:
    """The bidders in the order of bidding from who decides, in fixed order from the own seat; last the dummy."""
    deciding = stage.seat if isinstance(stage, stages.BidOrPass) else None
    name_room = 80 if brief.layout.narrow else 120
    room_for_plays = room - name_room - BID_WIDTH
    bidders = []
    for seat in clockwise(state.seats, (brief.own if brief.fixed else deciding) or 0):
        offer, place = stage.offers[seat], f"/stage/offers/{seat}"
        plays = plays_of_cards([shown_cards(bid, place, brief) for bid in offer.laid], room_for_plays)
        name = brief.say.player(seat)
        bidders.append(Bidder(place, seat, name, offer.total, plays, seat == deciding, offer.passed))
    if supplies.has_dummy(state):
        turned = plays_of_cards([shown_cards(stage.dummy, "/stage/dummy", brief)], room_for_plays)
        bidders.append(Bidder("/stage/dummy", None, brief.say.thing(components.DUMMY), worth(stage.dummy), turned))
    title = brief.say("auction", place=auctioned(state))
    return captioned(title, auction(bidders, highest_bid(stage), room, name_room, brief))


# --- cards -----------------------------------------------------------------------------------------------------------


def open_kinds(say: Captions) -> list[Card]:
    return [
        Card(token, say.thing(token), str(components.VALUE_OF[token]), band_of(components.pile_of(token)))
        for token in components.CARDS
    ]


def shown_cards(tokens: Iterable[str], place: str, brief: Brief) -> list[Card]:
    return open_cards(in_order(tokens), place, brief, kinds_of(open_kinds, brief.say))


def in_order(tokens: Iterable[str]) -> list[str]:
    """Cards by pile, then by value."""
    return sorted(
        tokens, key=lambda token: (components.PILES.index(components.pile_of(token)), components.VALUE_OF[token])
    )


# --- the row of businesses -------------------------------------------------------------------------------------------

TILE = 22


def row_of_businesses(state: State, room: int, brief: Brief) -> Box:
    """The row in its groups, the next one framed."""
    active = next((index for index, tiles in enumerate(state.row) if tiles), None)
    groups = [
        brief.part(business_group, f"/row/{index}", tiles, index, max(size, len(tiles)), index == active)
        for index, (tiles, size) in enumerate(zip(state.row, state.options.row_groups, strict=True))
    ]
    note = brief.say(
        "businesses-placed", businesses=supplies.businesses_placed(state.row), last=components.PLACED_AT_END
    )
    return captioned(brief.say("businesses"), flowing(groups, room, gap=5, line_gap=5), room, note)


def business_group(tiles: tuple[str, ...], index: int, size: int, active: bool, brief: Brief) -> Box:
    place, width, height = f"/row/{index}", size * TILE + 5, TILE + 6
    look = "strong" if active else "faint" if tiles else "faint absent"
    drawn = [tile(business, 3 + position * TILE, 3, TILE - 1, place, brief) for position, business in enumerate(tiles)]
    frame = rectangle(0.5, 0.5, width - 1, height - 1, look, radius=4)
    title = brief.say("group-title", group=index, tiles=len(tiles))
    return box(width, height, group(frame, *drawn, title=title, place=place))


# --- the players -----------------------------------------------------------------------------------------------------


def player(state: State, seat: int, room: int, brief: Brief) -> Box:
    """The part of a player: points, buildings, hand."""
    note = points_note(points_of(state)[seat], isinstance(state.stage, GameOver), brief)
    title = head(seat, note, room, brief)
    buildings = buildings_of(seat, state.seats[seat], supplies.common_supplies(state)[seat], room, brief)
    cards = brief.unless_omitted(place_of_hand(seat), hand(state.seats[seat].hand, seat, room, brief))
    return above(title, buildings, cards, gap=3)


def buildings_of(seat: int, player: Seat, supply: int, room: int, brief: Brief) -> Box:
    """The line with a player's buildings: in reserve, in the common supply, out of the game."""
    place, in_reserve = f"/seats/{seat}/reserve", brief.say("reserve", buildings=player.reserve)
    around = ring_if_new("reserve", place, brief, -2, 2, 90, 11)
    reserve = group(text(0, 12, in_reserve, "bold"), around, title=in_reserve, place=place)
    rest = brief.say("supply-and-lost", supply=supply, lost=player.removed)
    return box(room, 16, reserve, text(104, 12, rest, "quiet", 11))


def hand(held: Hand, seat: int, room: int, brief: Brief) -> Box:
    """The cards of a player by piles; the unknown cards of a pile come after its known ones."""
    place, say = place_of_hand(seat), brief.say
    known = hand_cards(in_order(held.known), held.open, place, brief, kinds_of(open_kinds, say))
    shown: list[Card] = []
    for pile in components.PILES:
        shown += [card for card in known if components.pile_of(card.token) == pile]
        title = say("unknown-of", text=say.thing(pile))
        shown += hidden_cards(held.unknown.get(pile, 0), title, place, brief, band_of(pile))
    return row_of_hand(shown, seat, room, brief)


# --- the piles -------------------------------------------------------------------------------------------------------


def piles(state: State, room: int, brief: Brief) -> Box:
    """Each pile: its top card, the number face down, its discards in order; those of the black one by value."""
    left, width = supplies.pile_sizes(state, supplies.cards_left(state)), room // len(components.PILES)
    columns = [
        brief.part(coloured_pile, f"/piles/{colour}", state.piles[colour], colour, left[colour], width)
        for colour in components.COLOURS
    ]
    columns.append(black_pile(state.black_discards, left[components.BLACK], brief))
    drawn = beside(*columns)._replace(width=room)
    if brief.fixed:
        drawn = drawn._replace(height=LARGE.height + 6 + LINES_OF_DISCARDS * 14)
    return captioned(brief.say("piles"), drawn)


LINES_OF_DISCARDS = 3
"""In fixed order: as many as all cards of a pile need."""


def coloured_pile(pile: Pile, colour: str, left: int, width: int, brief: Brief) -> Box:
    place, say = f"/piles/{colour}", brief.say
    if pile.top:
        (shown,) = shown_cards([pile.top], place, brief)
        top = card(shown, LARGE)
    else:
        top = rectangle(0.5, 0.5, LARGE.width - 1, LARGE.height - 1, "faint absent", radius=4)
    discards = discards_in_order(pile.discards, f"{place}/discards", width - 6, brief)
    title = say("pile-title", pile=colour, cards=left, discards=len(pile.discards))
    drawn = [top, text(LARGE.width + 9, 14, str(left), "bold", 13), moved(discards, 0, LARGE.height + 6)]
    return box(width, LARGE.height + 6 + discards.height, group(*drawn, title=title, place=place))


def discards_in_order(tokens: Sequence[str], place: str, room: int, brief: Brief) -> Box:
    """The values of discards from left to right; equal ones that follow each other are one component."""
    runs = [(token, len(list(same))) for token, same in groupby(tokens)]
    shown = []
    for token, count in runs:
        digits = [text(index * 9, 11, str(components.VALUE_OF[token]), "bold", 11) for index in range(count)]
        title = brief.say("cards-title", count=count, card=token)
        around = ring_if_new(token, place, brief, -1, 1, 9 * count, 12)
        shown.append(box(9 * count, 14, group(*digits, around, title=title, token=token, count=count)))
    return at_place(flowing(shown, room), place, brief.say("discards-title", cards=len(tokens)))


def black_pile(discards: Multiset, left: int, brief: Brief) -> Box:
    """The black pile lies face down; its discards are shuffled, so their order does not matter."""
    say = brief.say
    back = face(Card(UNKNOWN, "", "?", components.BLACK), LARGE)
    number = text(LARGE.width + 9, 14, str(left), "bold", 13)
    closed = group(back, number, title=say("black-title", cards=left), place="/derived/piles/black")
    lines: list[Svg] = []
    for value in components.VALUES:
        token = f"{components.BLACK}-{value}"
        count = discards.count(token)
        if count:
            line = text(0, 11, f"{value} × {count}", "bold", 11)
            around = ring_if_new(token, "/black_discards", brief, -1, 1, 36, 12)
            title = say("cards-title", count=count, card=token)
            lines.append(group(line, around, title=title, token=token, count=count, y=len(lines) * 14))
    title = say("discards-title", cards=len(discards))
    below = moved(box(40, 42, group(*lines, title=title, place="/black_discards")), 0, LARGE.height + 6)
    return box(60, LARGE.height + 6 + 14 * len(lines), closed, below)


def out_of_the_game(state: State, room: int, brief: Brief) -> Box:
    """The businesses that have left the game, and the buildings of the dummy."""
    say = brief.say
    place, lost = "/removed_businesses", state.dummy_removed
    tiles = [box(TILE, TILE, tile(business, 0, 0, TILE - 1, place, brief)) for business in state.removed_businesses]
    title = say("removed-title", tiles=len(tiles))
    note = "" if lost is None else say("dummy-buildings", supply=supplies.dummy_supply(state), lost=lost)
    row = placed(flowing(tiles, room, gap=1, line_gap=2), place, title, TILE)
    return captioned(say("removed", components=len(tiles)), row, room, note)


# --- what has just changed -------------------------------------------------------------------------------------------


def changes(state: State, played: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """What the last moves moved, and where it is now."""
    # who draws the next cards: nobody knows if the moves of a turn begin with a draw
    drawing: Iterator[int] = iter(())
    if isinstance(state.stage, stages.SETUP):
        drawing = repeat(last_dealt(state))
    for move in played:
        match move:
            case moves.DrawBusiness(business=business) if place := where_drawn(state):
                yield place, business
            case moves.DrawBusiness() | moves.DrawLot():
                yield from last_laid(state)
            case moves.DealCard(card=token) if (drawer := next(drawing, None)) is not None:
                yield f"/seats/{drawer}/hand", token or UNKNOWN
            case moves.RevealCard(card=token):
                yield f"/piles/{components.pile_of(token)}", token
            case moves.TurnCard(card=token):
                yield "/stage/dummy", token
            case moves.PlaceFirstBuilding(district=district, lot=lot):
                yield f"/districts/{district}/{lot}", "building"
            case moves.TakeBuildings(seat=seat):
                yield f"/seats/{seat}/reserve", "reserve"
            case moves.PlaceBusiness(business=business, district=district, lot=lot):
                yield f"/districts/{district}/{lot}", business
            case moves.TakeBlackCard(seat=seat):
                drawing = iter((seat,))
            case moves.ScoreDistrict(seat=seat, district=district):
                yield f"/districts/{district}", "scored"
                if (lots := state.districts[district]) is not None:
                    drawing = iter(seats_that_draw(state, seat, lots))
            case moves.MoveCommissioner(commissioner=commissioner):
                yield f"/commissioners/{commissioner}", commissioner
            case moves.Bid(seat=seat, cards=cards):
                yield from ((f"/stage/offers/{seat}", token) for token in cards)
            case moves.Pass(seat=seat):
                yield f"/stage/offers/{seat}", "passed"


def where_drawn(state: State) -> str | None:
    """The place of the business that was drawn last; None if it has been laid in a district, see `last_laid`."""
    if state.park_tiles is not None:
        return "/park_tiles"
    if isinstance(state.stage, stages.DrawStartingLot):
        return "/stage/business"
    groups = [index for index, tiles in enumerate(state.row) if tiles]
    return f"/row/{groups[-1]}" if groups else None


def last_laid(state: State) -> Iterator[tuple[str, str]]:
    """The last starting business and its lot; nothing if no district has one."""
    laid = [
        (f"/districts/{name}/{colour}", lot.businesses[-1])
        for name, district in state.districts.open
        for colour, lot in district.lots
        if lot.businesses
    ]
    return iter(laid[-1:])
