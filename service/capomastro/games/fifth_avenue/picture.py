"""The table as a picture: the auction, the map, the row of businesses, the players, the piles.

What is auctioned, who leads, where is there room, what is worth most? On the map City Hall is below, west at the left,
Central Park on top; a district is a ring of lots.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, repeat
from typing import NamedTuple

from capomastro.drawing.auctions import Bidder, auction, bidders, room_for_auction
from capomastro.drawing.boxes import NOTHING, Box, above, beside, box, flowing, moved
from capomastro.drawing.cards import LARGE, UNKNOWN, Card, card, face, hand_cards, hidden_cards, open_cards, row_of_hand
from capomastro.drawing.elements import EMPTY, Svg, circle, group, joined, path, rectangle, text
from capomastro.drawing.lettering import cut
from capomastro.drawing.lettering import width as width_of
from capomastro.drawing.marks import mark
from capomastro.drawing.palette import BAR, SHEET, WHITE, hatched, paint
from capomastro.drawing.parts import at_place, captioned, component_at, head, panel, placed, points_note, ring_if_new
from capomastro.drawing.pictures import Brief, Captions, Parts, Table
from capomastro.engine.hands import last_dealt
from capomastro.engine.moves import Move
from capomastro.engine.multisets import Multiset
from capomastro.engine.stages import GameOver
from capomastro.games.fifth_avenue import components, moves, stages, supplies
from capomastro.games.fifth_avenue.bids import worth
from capomastro.games.fifth_avenue.decisions import auctioned, now_auctioned, seats_that_draw
from capomastro.games.fifth_avenue.lots import District, Districts, Lot
from capomastro.games.fifth_avenue.scoresheet import Scoresheet, rings_of
from capomastro.games.fifth_avenue.scoring import scores, tiles_for_scoring
from capomastro.games.fifth_avenue.state import Pile, State
from capomastro.games.fifth_avenue.tokens import Ring

Shown = State | Scoresheet


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
    commissioners: Mapping[str, str] = {}
    markers: Mapping[str, Multiset] = {}
    auctioned: str | None = None


def table(state: State, brief: Brief) -> Table:
    """The picture of a state."""
    side, places = brief.beside(WIDE_MAP.width + 30), ("/districts", "/stage", "/row", "/piles", "/removed_businesses")
    board, offers, row, face_up, gone = side.at_places(PARTS, state, *places)
    players = side.players(player, state)
    cards = [player.hand.size for player in state.seats]
    standing = brief.standings("standing", points=points_of(state), cards=cards)
    if brief.fixed:
        common = above(board, row, face_up, gap=12)
        least = room_for_auction(len(state.seats) + supplies.has_dummy(state))
        return Table(brief.in_fixed_order(common, offers, players, gone, 12, least), standing)
    rest = (row, *players.values(), face_up, gone)
    if brief.narrow:
        return Table(above(offers, board, *rest, gap=12), standing)
    return Table(beside(board, above(offers, *rest, gap=10), gap=30), standing)


def table_of_scoresheet(sheet: Scoresheet, brief: Brief) -> Table:
    """The map, and what is known of the players."""
    board, side = board_map(sheet, brief), brief.beside(WIDE_MAP.width + 30)
    points = [player.score or 0 for player in sheet.seats]
    notes = [brief.say("on-track", points=on_track) for on_track in points]
    heads = [head(seat, note, side) for seat, note in enumerate(notes)]
    drawn = brief.arranged(board, above(*heads, gap=6), below_gap=12, beside_gap=30)
    return Table(drawn, brief.standings("standing-on-sheet", points=points))


def points_of(state: State) -> Sequence[int]:
    """The points on the track; at the end the totals."""
    if isinstance(state.stage, GameOver):
        return [score.total for score in scores(state, tiles_for_scoring(state))]
    return [seat.score for seat in state.seats]


def board_of(shown: Shown) -> Board:
    in_park = [seat.central_park or 0 for seat in shown.seats]
    under_park, park_tiles = shown.under_central_park, shown.park_tiles
    if isinstance(shown, Scoresheet):
        return Board(shown.board, rings_of(shown), in_park, under_park, park_tiles)
    visitors = shown.commissioners, shown.markers, now_auctioned(shown)
    return Board(shown.districts, shown.options.rings, in_park, under_park, park_tiles, *visitors)


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
    def reach(self) -> int:
        """How far the lots reach up and down from the middle of their district."""
        return self.ring[1] + self.lot[1] // 2

    @property
    def height(self) -> int:
        return self.top + 2 * self.rise + self.reach + 30 + HALL_HEIGHT


LABEL = 7
"""How far the label of a district is above its lots."""
PARK_HEIGHT, HALL_HEIGHT, HALL_WIDTH = 62, 40, 190
WIDE_MAP = Sizes(590, 197, 194, (62, 57), (50, 42), 10, 24, 1, 66, 182, 176)
NARROW_MAP = Sizes(344, 116, 145, (38, 38), (34, 32), 8, 19, 0.8, 36, 111, 154)
Spot = tuple[float, float]


def board_map(shown: Shown, brief: Brief) -> Box:
    """The whole map."""
    board, sizes = board_of(shown), sizes_of(brief)
    spots = SPOTS[sizes]
    drawn = [ROADS[sizes], central_park(board, sizes, brief)]
    drawn += [space_at(board, name, spots[name], sizes, brief) for name in reversed(components.DISTRICTS)]
    drawn.append(city_hall(sizes, brief))
    visitors = components.COMMISSIONERS if board.commissioners else ()
    drawn += [commissioner(colour, board, spots, sizes, brief) for colour in visitors]
    return box(sizes.width, sizes.height, *drawn)


def sizes_of(brief: Brief) -> Sizes:
    return NARROW_MAP if brief.narrow else WIDE_MAP


def space_at(board: Board, name: str, spot: Spot, sizes: Sizes, brief: Brief) -> Svg:
    """A district around a spot, open or closed, on a panel of its own."""
    place, is_auctioned, district = f"/districts/{name}", board.auctioned == name, board.districts[name]
    if district is None:
        return brief.part(closed_district, place, name, is_auctioned, spot, sizes)
    markers = markers_on(name, board, spot, sizes, brief.say)
    return brief.part(open_district, place, name, district, board.rings[name], markers, is_auctioned, spot, sizes)


def sheet_of_district(x: float, y: float, sizes: Sizes, *, is_auctioned: bool) -> Svg:
    height = 2 * sizes.reach + LABEL + 18
    sheet = panel(sizes.panel, height, "edge" if is_auctioned else "faint")
    return moved(Box(sizes.panel, height, sheet), x - sizes.panel / 2, y - sizes.reach - LABEL - 14)


def district_alone(shown: Shown, name: str, brief: Brief) -> Box:
    """A district by itself, as large as on the wide map, with its commissioners."""
    board, sizes, width = board_of(shown), WIDE_MAP, 200
    spot = width / 2, sizes.reach + LABEL + 16
    drawn = [space_at(board, name, spot, sizes, brief)]
    drawn += [commissioner(colour, board, {name: spot}, sizes, brief) for colour in commissioners_on(name, board)]
    return box(width, spot[1] + sizes.reach + 5, *drawn)


def park_alone(shown: Shown, brief: Brief) -> Box:
    """Central Park by itself."""
    sizes = sizes_of(brief)
    return box(sizes.width, PARK_HEIGHT, central_park(board_of(shown), sizes, brief))


def places_on_map(sizes: Sizes) -> Mapping[str, Spot]:
    """The middle of each space."""
    middle = sizes.width / 2
    rows = ((-0.5, 0.5), (-1, 0, 1), (-0.5, 0.5))
    places = [
        (middle + shift * sizes.step, sizes.top + (2 - row) * sizes.rise) for row in range(3) for shift in rows[row]
    ]
    spots = dict(zip(components.DISTRICTS, places, strict=True))
    hall = sizes.height - HALL_HEIGHT / 2
    return spots | {components.CENTRAL_PARK: (middle, PARK_HEIGHT / 2), components.CITY_HALL: (middle, hall)}


def roads(sizes: Sizes) -> Svg:
    """Broad roads, an arrowhead before each space; the way back from Central Park is not drawn."""
    spots, lines, heads = places_on_map(sizes), [], []
    for start, exits in components.ROUTES.items():
        for end in exits if start != components.CENTRAL_PARK else ():
            (x, y), (to_x, to_y) = spots[start], spots[end]
            lines.append(f"M{x:g} {y:g}L{to_x:g} {to_y:g}")
            reached = to_y + (PARK_HEIGHT / 2 if end == components.CENTRAL_PARK else sizes.reach) + 10
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
    size = 11 if brief.narrow else 12
    shown = caption.replace(" Street ", " St ") if brief.narrow else caption
    half = width_of(shown, size, bold=True) / 2 + 5
    return joined(
        rectangle(x - half, y - 12, 2 * half, 17, fill=BAR, radius=3) if inverted else EMPTY,
        text(x, y + 0.5, shown, "middle bold on-bar" if inverted else "middle bold", size),
        ring_if_new("scored", f"/districts/{name}", brief, x - half, y - 12, 2 * half, 17),
    )


def closed_district(name: str, is_auctioned: bool, spot: Spot, sizes: Sizes, brief: Brief) -> Svg:
    """A district in which a building stop was ordered: a dashed circle, a cross, the word."""
    (x, y), radius, word = spot, sizes.ring[1], brief.say("closed-district")
    arm, half, base = radius * 0.5, width_of(word, 11, bold=True) / 2 + 2, y + radius * 0.82
    cross = f"M{x - arm:g} {y - arm:g}L{x + arm:g} {y + arm:g}M{x + arm:g} {y - arm:g}L{x - arm:g} {y + arm:g}"
    drawn = [
        sheet_of_district(x, y, sizes, is_auctioned=is_auctioned),
        circle(x, y, radius, "edge absent"),
        path(cross, "ground"),
        rectangle(x - half, base - 11, 2 * half, 15, fill=SHEET, radius=3),
        text(x, base, word, "middle bold", 11),
        label(name, x, y - sizes.reach - LABEL, is_auctioned, brief),
    ]
    return group(*drawn, title=brief.say("closed-title", district=name), place=f"/districts/{name}")


def open_district(
    name: str, district: District, ring: Ring, markers: Svg, is_auctioned: bool, spot: Spot, sizes: Sizes, brief: Brief
) -> Svg:
    """The lots of a district as a ring, the first on top, clockwise; in the middle the markers."""
    (x, y), (width, height), place = spot, sizes.lot, f"/districts/{name}"
    middles = [(x + dx, y + dy) for dx, dy in RING_SPOTS[sizes, len(ring)]]
    corners = [(round(across - width / 2), round(down - height / 2)) for across, down in middles]
    lots = [
        brief.part(draw_lot, f"{place}/{colour}", name, colour, district[colour], corner, sizes)
        for colour, corner in zip(ring, corners, strict=True)
    ]
    drawn = [
        sheet_of_district(x, y, sizes, is_auctioned=is_auctioned),
        path("M" + "L".join([f"{across:.1f} {down:.1f}" for across, down in middles]) + "Z", "edge"),
        label(name, x, y - sizes.reach - LABEL, is_auctioned, brief),
        *lots,
        markers,
    ]
    return group(*drawn, title=brief.say("district-title", district=name), place=place)


def ring_spots(lots: int, sizes: Sizes) -> list[Spot]:
    """The middles of the lots, from the middle of the district."""
    across, up = sizes.ring
    turns = [2 * math.pi * index / lots for index in range(lots)]
    return [(across * math.sin(turn) * (1 if lots == 5 else 1.12), -up * math.cos(turn)) for turn in turns]


RING_SPOTS = {(sizes, lots): ring_spots(lots, sizes) for sizes in SPOTS for lots in (5, 6)}


def band_of(colour: str) -> str:
    """The hatching of a colour of lots and cards."""
    return "lot-green" if colour == "green" else colour


def draw_lot(name: str, colour: str, lot: Lot, corner: tuple[int, int], sizes: Sizes, brief: Brief) -> Svg:
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
    return group(*drawn, title=title, place=place, x=corner[0], y=corner[1])


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


def loose_tile(business: str, place: str, brief: Brief) -> Box:
    return box(TILE, TILE, tile(business, 0, 0, TILE - 1, place, brief))


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


def side_by_side(visitors: int, marked: bool, sizes: Sizes) -> tuple[float, list[float]]:
    """The factor of commissioners on a district: they become smaller before they would stand on lots.

    Also how far from its middle they stand side by side; last, how far its markers lie.
    """
    beside = MARKER * marked
    size = min(sizes.pawn, round(((sizes.inside - beside) / visitors - 2) / PAWN, 2))
    each = PAWN * size + 2
    left = -(visitors * each + beside) / 2
    return size, [*(left + (index + 0.5) * each for index in range(visitors)), -left - beside / 2]


def commissioners_on(space: str, board: Board) -> list[str]:
    return [colour for colour in components.COMMISSIONERS if board.commissioners.get(colour) == space]


def markers_on(name: str, board: Board, spot: Spot, sizes: Sizes, say: Captions) -> Svg:
    """The markers in the middle of a district; beside commissioners they are one below the other."""
    markers = [(colour, board.markers.get(colour, ())) for colour in components.COMMISSIONERS]
    found = [(colour, districts.index(name)) for colour, districts in markers if name in districts]
    visitors, drawn = len(commissioners_on(name, board)), []
    for index, (colour, number) in enumerate(found):
        along = index - (len(found) - 1) / 2
        dx, dy = along * 15, 0.0
        if visitors:
            dx, dy = side_by_side(visitors, True, sizes)[1][-1], along * (MARKER + 1) - 4
        shape, title = circle(0, 0, 5.5, "edge", look_of(colour)), say("marker-title", commissioner=colour)
        place, x, y = f"/markers/{colour}/{number}", round(spot[0] + dx), round(spot[1] + dy)
        drawn.append(group(shape, title=title, place=place, token=colour, x=x, y=y))
    return joined(*drawn)


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
        if brief.narrow:
            x, y, size = sizes.width - 62 + turn * 20, 12, 0.6
    else:
        is_closed = board.districts[space] is None
        marked = not is_closed and any(space in spaces for spaces in board.markers.values())
        size, offsets = side_by_side(len(visitors), marked, sizes)
        x += offsets[turn]
        if is_closed:
            x += sizes.ring[1] * 0.5 + 13 * sizes.pawn * len(visitors)
        else:
            y -= 4
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
    for seat, buildings in enumerate(board.in_park):
        title = say("in-park", player=say.player(seat), buildings=buildings)
        shown = mark(seat, 44 + 23 * seat, 35, 20, buildings)
        drawn.append(group(shown, title=title, place=f"/seats/{seat}/central_park"))
    drawn.append(text(34, 58, say("buildings"), "quiet", 11))
    x: float = max(52 + 23 * len(board.in_park), 120 if brief.narrow else 150)
    end = width - 40
    found = {"/park_tiles": board.park_tiles, "/under_central_park": board.under_park}
    rows = {place: tiles for place, tiles in found.items() if tiles is not None}
    if brief.fixed and "/park_tiles" in rows:
        end -= END_TILES
        drawn.append(park_tiles("/park_tiles", rows.pop("/park_tiles"), end, END_TILES, brief).drawn)
        end -= 14
    for place, tiles in rows.items():
        row = park_tiles(place, tiles, x, end - x, brief)
        drawn.append(row.drawn)
        x += row.width + 14
    return group(*drawn, title=name, place="/places/central-park")


END_TILES = 64
"""The room for the tiles drawn at the end, in fixed order."""


def park_tiles(place: str, tiles: Multiset, x: float, room: float, brief: Brief) -> Box:
    """From x on: tiles that lie under Central Park, or were drawn from there, and how many."""
    size = 20 if brief.narrow else 22
    step = min(size + 2, room / max(len(tiles), 1))
    shown = [tile(business, index * step, 0, size, place, brief) for index, business in enumerate(tiles)]
    caption = brief.say("park-tiles" if place == "/park_tiles" else "under-park", tiles=len(tiles))
    note = text(0, 34, cut(caption, room + (36 if place == "/under_central_park" else 0), 11), "quiet", 11)
    width = max(len(tiles) * step, width_of(caption, 11))
    return Box(width, 34, group(*shown, note, title=caption, place=place, x=x, y=24))


# --- what is in progress ---------------------------------------------------------------------------------------------


def in_progress(state: State, brief: Brief) -> Box:
    """What is on the table only for now: a starting business without its lot, an auction."""
    stage, say = state.stage, brief.say
    if isinstance(stage, stages.DrawStartingLot):
        drawn = loose_tile(stage.business, "/stage/business", brief)
        return captioned(say("to-lay"), placed(drawn, "/stage/business", say("to-lay"), TILE))
    if not isinstance(stage, stages.Bidding):
        return NOTHING
    deciding = stage.seat if isinstance(stage, stages.BidOrPass) else None
    totals = [offer.total for offer in stage.offers]
    bidding = bidders(stage.offers, totals, "/stage/offers", open_kinds, deciding, brief)
    if supplies.has_dummy(state):
        turned = open_cards(stage.dummy, "/stage/dummy", open_kinds, brief)
        bidding.append(Bidder("/stage/dummy", None, say.thing(components.DUMMY), worth(stage.dummy), [turned]))
    return auction(say("auction", place=auctioned(state)), bidding, 80 if brief.narrow else 120, brief)


# --- cards -----------------------------------------------------------------------------------------------------------


def open_kinds(say: Captions) -> list[Card]:
    return [
        Card(token, say.thing(token), str(components.value_of(token)), band_of(pile))
        for pile in components.PILES
        for token in components.PILE_CARDS[pile]
    ]


# --- the row of businesses -------------------------------------------------------------------------------------------

TILE = 22


def row_of_businesses(state: State, brief: Brief) -> Box:
    """The row in its groups, the next one framed."""
    active = next((index for index, tiles in enumerate(state.row) if tiles), None)
    groups = [
        brief.part(business_group, f"/row/{index}", tiles, index, max(size, len(tiles)), index == active)
        for index, (tiles, size) in enumerate(zip(state.row, state.options.row_groups, strict=True))
    ]
    already = supplies.businesses_placed(state.row)
    note = brief.say("businesses-placed", businesses=already, last=components.PLACED_AT_END)
    return captioned(brief.say("businesses"), flowing(groups, brief.room, gap=5, line_gap=5), brief.room, note)


def business_group(tiles: tuple[str, ...], index: int, size: int, active: bool, brief: Brief) -> Box:
    place, width, height = f"/row/{index}", size * TILE + 5, TILE + 6
    look = "strong" if active else "faint" if tiles else "faint absent"
    drawn = [tile(business, 3 + position * TILE, 3, TILE - 1, place, brief) for position, business in enumerate(tiles)]
    frame = rectangle(0.5, 0.5, width - 1, height - 1, look, radius=4)
    title = brief.say("group-title", group=index, tiles=len(tiles))
    return box(width, height, group(frame, *drawn, title=title, place=place))


# --- the players -----------------------------------------------------------------------------------------------------


def player(state: State, seat: int, brief: Brief) -> Box:
    """The part of a player: points, buildings, hand."""
    note = points_note(points_of(state)[seat], isinstance(state.stage, GameOver), brief)
    cards = brief.unless_omitted(f"/seats/{seat}/hand", hand(state, seat, brief))
    return above(head(seat, note, brief), buildings_of(state, seat, brief), cards, gap=3)


def buildings_of(state: State, seat: int, brief: Brief) -> Box:
    """The line with a player's buildings: in reserve, in the common supply, out of the game."""
    player, supply = state.seats[seat], supplies.common_supplies(state)[seat]
    place, in_reserve = f"/seats/{seat}/reserve", brief.say("reserve", buildings=player.reserve)
    around = ring_if_new("reserve", place, brief, -2, 2, 90, 11)
    reserve = group(text(0, 12, in_reserve, "bold"), around, title=in_reserve, place=place)
    rest = brief.say("supply-and-lost", supply=supply, lost=player.removed)
    return box(brief.room, 16, reserve, text(104, 12, rest, "quiet", 11))


def hand(state: State, seat: int, brief: Brief) -> Box:
    """The cards of a player by piles; the unknown cards of a pile come after its known ones."""
    held, place, say = state.seats[seat].hand, f"/seats/{seat}/hand", brief.say
    known, shown = held.known, list[Card]()
    for pile in components.PILES:
        tokens = [token for token in components.PILE_CARDS[pile] for _ in range(known.count(token))]
        shown += hand_cards(tokens, held.open, place, open_kinds, brief)
        title = say("unknown-of", text=say.thing(pile))
        shown += hidden_cards(held.unknown.get(pile, 0), title, place, brief, band_of(pile))
    return row_of_hand(shown, seat, brief)


# --- the piles -------------------------------------------------------------------------------------------------------


def piles(state: State, brief: Brief) -> Box:
    """Each pile: its top card, the number face down, its discards in order; those of the black one by value."""
    left = supplies.pile_sizes(state, supplies.cards_left(state))
    column = brief.within(brief.room // len(components.PILES))
    columns = [
        column.part(coloured_pile, f"/piles/{colour}", state.piles[colour], colour, left[colour])
        for colour in components.COLOURS
    ]
    columns.append(black_pile(state.black_discards, left[components.BLACK], brief))
    drawn = brief.keep_room(beside(*columns), LARGE.height + 6 + LINES_OF_DISCARDS * 14)
    return captioned(brief.say("piles"), drawn._replace(width=brief.room))


LINES_OF_DISCARDS = 3
"""In fixed order: as many as all cards of a pile need."""


def coloured_pile(pile: Pile, colour: str, left: int, brief: Brief) -> Box:
    place, say = f"/piles/{colour}", brief.say
    top = rectangle(0.5, 0.5, LARGE.width - 1, LARGE.height - 1, "faint absent", radius=4)
    if pile.top:
        (shown,) = open_cards([pile.top], place, open_kinds, brief)
        top = card(shown, LARGE)
    discards = discards_in_order(pile.discards, f"{place}/discards", brief.room - 6, brief)
    title = say("pile-title", pile=colour, cards=left, discards=len(pile.discards))
    drawn = [top, text(LARGE.width + 9, 14, str(left), "bold", 13), moved(discards, 0, LARGE.height + 6)]
    return box(brief.room, LARGE.height + 6 + discards.height, group(*drawn, title=title, place=place))


def discards_in_order(tokens: Sequence[str], place: str, room: int, brief: Brief) -> Box:
    """The values of discards from left to right; equal ones that follow each other are one component."""
    runs = [(token, len(list(same))) for token, same in groupby(tokens)]
    shown = []
    for token, count in runs:
        digits = [text(index * 9, 11, str(components.value_of(token)), "bold", 11) for index in range(count)]
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
    for token in components.PILE_CARDS[components.BLACK]:
        if count := discards.count(token):
            line = text(0, 11, f"{components.value_of(token)} × {count}", "bold", 11)
            around = ring_if_new(token, "/black_discards", brief, -1, 1, 36, 12)
            title = say("cards-title", count=count, card=token)
            lines.append(group(line, around, title=title, token=token, count=count, y=len(lines) * 14))
    title = say("discards-title", cards=len(discards))
    below = moved(box(40, 42, group(*lines, title=title, place="/black_discards")), 0, LARGE.height + 6)
    return box(60, LARGE.height + 6 + 14 * len(lines), closed, below)


def out_of_the_game(state: State, brief: Brief) -> Box:
    """The businesses that have left the game, and the buildings of the dummy."""
    say, place, lost = brief.say, "/removed_businesses", state.dummy_removed
    tiles = [loose_tile(business, place, brief) for business in state.removed_businesses]
    title = say("removed-title", tiles=len(tiles))
    note = "" if lost is None else say("dummy-buildings", supply=supplies.dummy_supply(state), lost=lost)
    row = placed(flowing(tiles, brief.room, gap=1, line_gap=2), place, title, TILE)
    return captioned(say("removed", components=len(tiles)), row, brief.room, note)


PARTS: Parts = {
    "/districts": board_map,
    "/districts/*": district_alone,
    "/places/central-park": park_alone,
    "/stage": in_progress,
    "/row": row_of_businesses,
    "/piles": piles,
    "/seats/#": player,
    "/seats/#/hand": hand,
    "/removed_businesses": out_of_the_game,
}

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
