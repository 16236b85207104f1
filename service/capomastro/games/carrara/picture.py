"""The table as a picture, from top to bottom: wheel, buildings, objects, bag, players, cities.

What does a block cost here and now, what can be built, how far is everybody?
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import astuple

from capomastro.drawing import lettering
from capomastro.drawing.boxes import NOTHING, Box, above, beside, box, flowing, moved
from capomastro.drawing.elements import EMPTY, Number, Svg, circle, group, joined, path, rectangle, scaled, text
from capomastro.drawing.marks import mark
from capomastro.drawing.palette import BACK, INK, SHEET, hatched, paint
from capomastro.drawing.parts import at_place, captioned, component_at, head, panel, placed, ring_if_new
from capomastro.drawing.pictures import Brief, Captions, Parts, Table
from capomastro.engine.moves import Move
from capomastro.engine.multisets import Multiset
from capomastro.engine.stages import GameOver
from capomastro.games.carrara import components, moves
from capomastro.games.carrara.derived import Objective, Objectives, objectives_of
from capomastro.games.carrara.scoresheet import Scoresheet, SheetSeat, lines_of
from capomastro.games.carrara.scoring import scores
from capomastro.games.carrara.state import Seat, State, Wheel
from capomastro.games.carrara.supplies import bag, object_supplies, pile_size, scored_by

WHEEL_RADIUS = {True: 144, False: 160}
"""Narrow and wide."""


def table(state: State, brief: Brief) -> Table:
    """The picture of a state."""
    standing = brief.standings("standing", points=points_of(state), coins=[seat.coins for seat in state.seats])
    beside_wheel = brief.beside(2 * WHEEL_RADIUS[False] + 32)
    room = beside_wheel.room
    places = ("/wheel", "/face_up", "/objects_for_sale", "/derived/bag")
    turning, face_up, sale, in_bag = beside_wheel.at_places(PARTS, state, *places)
    gap = 20 if brief.narrow else room - sale.width - in_bag.width
    left = brief.unless_omitted("/objects_for_sale", beside(sale, in_bag, gap=gap))
    if brief.narrow:
        centred = box(room, turning.height, moved(turning, (room - turning.width) / 2, 0))
        common = brief.unless_omitted("/wheel", centred), face_up, left
        seats = brief.players(player_with_cities, state)
        if brief.fixed:
            return Table(brief.in_fixed_order(above(*common, gap=14), NOTHING, seats, NOTHING, 14), standing)
        return Table(above(*common, *seats.values(), gap=14), standing)
    players = beside_wheel.column(len(state.seats), BETWEEN_PLAYERS).players(player, state)
    right = above(face_up, left, beside(*players.values(), gap=BETWEEN_PLAYERS), gap=14)
    return Table(above(beside(turning, right, gap=30), cities_by_players(state, brief), gap=16), standing)


def table_of_scoresheet(sheet: Scoresheet, brief: Brief) -> Table:
    """The players' parts alone."""
    totals = [*map(total_of, sheet.seats)]
    standing = brief.standings("standing", points=totals, coins=[seat.coins or 0 for seat in sheet.seats])
    players = brief.column(len(totals), BETWEEN_PLAYERS).players(player_on_sheet, sheet)
    return Table(brief.arranged(*players.values(), below_gap=14, beside_gap=BETWEEN_PLAYERS), standing)


BETWEEN_PLAYERS = 20


def points_of(state: State) -> Sequence[int]:
    """The points on the track; at the end the totals."""
    if isinstance(state.stage, GameOver):
        return [score.total for score in scores(state)]
    return [seat.points for seat in state.seats]


def total_of(seat: SheetSeat) -> int:
    return sum(line.points for line in lines_of(seat))


# --- the wheel -------------------------------------------------------------------------------------------------------

HUB = 34
LARGEST_BLOCK, SMALLEST_BLOCK = 28, 14


def wheel(sections: Wheel, brief: Brief) -> Box:
    """Six sections, I on top, clockwise; each block bears its price of today."""
    radius = WHEEL_RADIUS[brief.narrow]
    middle = radius + 1
    drawn = [
        circle(middle, middle, radius, "edge", SHEET),
        path(spokes(middle, radius), "edge"),
        *[
            brief.part(section, f"/wheel/{components.SECTIONS[index]}", index, blocks, radius)
            for index, blocks in enumerate(astuple(sections))
        ],
        circle(middle, middle, HUB, "edge", SHEET),
        path(f"M{middle - 9} {middle}A9 9 0 1 1 {middle + 3} {middle + 8.5}", "strong"),
        path(f"M{middle + 5} {middle + 3}L{middle - 2} {middle + 9}L{middle + 7} {middle + 12}Z", fill=INK),
        circle(middle, middle, HUB + 3, "ring") if brief.changed.claim_ring("/wheel", "turned") else EMPTY,
    ]
    return box(2 * middle, 2 * middle, group(*drawn, title=brief.say("wheel"), place="/wheel"))


def spokes(middle: int, radius: int) -> str:
    """The lines between the sections."""
    lines = []
    for index in range(len(components.SECTIONS)):
        (x, y), (far_x, far_y) = on_ray(index - 0.5, HUB), on_ray(index - 0.5, radius)
        lines.append(f"M{middle + x:.1f} {middle + y:.1f}L{middle + far_x:.1f} {middle + far_y:.1f}")
    return "".join(lines)


def on_ray(sections: float, distance: float) -> tuple[float, float]:
    """The point at a distance from the hub, at an angle given in sections clockwise from the top."""
    angle = math.radians(60 * sections - 90)
    return distance * math.cos(angle), distance * math.sin(angle)


def section(index: int, blocks: Multiset, radius: int, brief: Brief) -> Svg:
    """A section with its blocks."""
    say, name = brief.say, components.SECTIONS[index]
    place = f"/wheel/{name}"
    size, slots = places_for(index, len(blocks), radius)
    middle = radius + 1
    x, y = on_ray(index, HUB + 17)
    drawn = [text(middle + x, middle + y + 4.5, name, "middle bold quiet", 13)]
    for token, (left, top) in zip(blocks, slots, strict=True):
        price = components.price_of(token, name)
        title, block = say("block-title", block=token, price=price), (square(token, size), price_plate(price, size))
        drawn.append(
            component_at(token, place, brief, size, size, *block, title=title, x=middle + left, y=middle + top)
        )
    return group(*drawn, title=say("section-title", section=name, blocks=len(blocks)), place=place)


@cache
def places_for(index: int, count: int, radius: int) -> tuple[int, tuple[tuple[int, int], ...]]:
    """How large the blocks of a section can be, and where each lies, from the middle of the wheel.

    They lie in rows, as large as there is room for, and as near as possible to the middle of the section.

    Cached: without it a picture takes 1.2 times as long (2026-11-27).
    """
    centre = on_ray(index, radius * 0.68)
    for size in range(LARGEST_BLOCK, SMALLEST_BLOCK - 1, -2):
        ways = []
        for rows in rows_of(count):
            for nearer in (0.68, 0.64, 0.72, 0.76):
                points = in_rows(rows, on_ray(index, radius * nearer), size + 3)
                if all(lies_within(point, size, index, radius) for point in points):
                    far = sum(math.dist(point, centre) ** 2 for point in points)
                    ways.append((round(far, 3), points))
        if ways:
            return size, tuple((round(x - size / 2), round(y - size / 2)) for x, y in min(ways)[1])
    raise AssertionError("a section has room for all blocks of the wheel")


MOST_ROWS, MOST_IN_ROW = 4, 5


def rows_of(count: int, rows: int = MOST_ROWS) -> Iterator[tuple[int, ...]]:
    """Every way to lay this number of blocks in a few rows."""
    if not count:
        yield ()
    elif rows:
        for first in range(1, min(count, MOST_IN_ROW) + 1):
            for rest in rows_of(count - first, rows - 1):
                yield (first, *rest)


def in_rows(rows: Sequence[int], centre: tuple[float, float], step: int) -> list[tuple[float, float]]:
    """The middles of blocks in rows around a point."""
    return [
        (centre[0] + (column - (blocks - 1) / 2) * step, centre[1] + (row - (len(rows) - 1) / 2) * step)
        for row, blocks in enumerate(rows)
        for column in range(blocks)
    ]


def lies_within(middle: tuple[float, float], size: float, index: int, radius: int) -> bool:
    """Whether a square around a point lies between the spokes of a section, clear of its number."""
    axis_x, axis_y = on_ray(index, 1)
    for dx in (-size / 2, size / 2):
        for dy in (-size / 2, size / 2):
            x, y = middle[0] + dx, middle[1] + dy
            along, across = x * axis_x + y * axis_y, abs(x * axis_y - y * axis_x)
            if math.hypot(x, y) > radius - 4 or along < HUB + 25 or across > along * math.tan(math.radians(30)) - 3:
                return False
    return True


def square(token: str, size: int) -> Svg:
    """A block of marble."""
    return rectangle(0, 0, size, size, "edge", hatched(token), 2)


def price_plate(price: int, size: int) -> Svg:
    letters = max(11, size // 2)
    return joined(
        circle(size / 2, size / 2, size * 0.36, "", SHEET),
        text(size / 2, size / 2 + letters * 0.36, str(price), "middle bold", letters),
    )


# --- buildings, objects, bag -----------------------------------------------------------------------------------------

SILHOUETTES = {
    "library": "M3 13L20 3L37 13ZM5 29H35V33H5ZM8 13V29H12V13ZM18 13V29H22V13ZM28 13V29H32V13Z",
    "palace": "M4 4H36V9H4ZM6 9H34V33H6ZM11 14H16V20H11ZM24 14H29V20H24ZM17 33V24H23V33",
    "gate": "M4 33V5H9V9H13V5H18V9H22V5H27V9H31V5H36V33H28V24A8 8 0 0 0 12 24V33Z",
    "cathedral": "M7 33V22H33V33ZM11 22A9 9 0 0 1 29 22ZM20 13V4M16.5 7.5H23.5M17 33V29A3 3 0 0 1 23 29V33",
    "castle": "M11 33V17H7V5H12V9H17V5H23V9H28V5H33V17H29V33ZM18 33V26A2 2 0 0 1 22 26V33M20 14V19",
    "villa": "M5 17L12 8H28L35 17ZM9 17H31V33H9ZM17 33V25H23V33M12 20H15V24H12ZM25 20H28V24H25ZM3 33V26M37 33V26",
}
"""In 40 by 36, on the ground."""

ICONS = {
    "book": "M8 3.5C6 2 3.5 2 1.5 2.5V13C3.5 12.5 6 12.5 8 14C10 12.5 12.5 12.5 14.5 13V2.5C12.5 2 10 2 8 3.5V14",
    "crown": "M2.5 13L1 4.5L5 8L8 2.5L11 8L15 4.5L13.5 13Z",
    "gate": "M2 14V2H14V14H11V9A3 3 0 0 0 5 9V14Z",
    "cup": "M4 2H12V6A4 4 0 0 1 4 6ZM8 10V14M5 14H11M4 3H1.5A3 3 0 0 0 4.5 7.5M12 3H14.5A3 3 0 0 1 11.5 7.5",
    "flag": "M3 15V1.5M3 2H14L11 5.5L14 9H3",
    "coat-of-arms": "M2 2H14V8C14 12 11 14 8 15C5 14 2 12 2 8ZM8 2V15M2 7.5H14",
}
"""Objects, in 16 by 16."""

STAR = "M8 1.5L9.9 5.9L14.6 6.3L11 9.4L12.1 14L8 11.5L3.9 14L5 9.4L1.4 6.3L6.1 5.9Z"


def building_card(building_type: str, cost: str, width: int, height: int) -> Svg:
    """A building: its silhouette, and below it its cost."""
    letters = 26 if width > 60 else 14 if width > 32 else 13
    scale = min(width - 8, height - letters - 8, 44) / 40
    x, y = (width - 40 * scale) / 2, 4 if width < 60 else 6
    silhouette = path(SILHOUETTES[building_type], "edge" if scale > 0.7 else "strong", BACK)
    return joined(
        rectangle(0, 0, width, height, "edge", SHEET, 2),
        scaled(silhouette, scale, x, y),
        text(width / 2, height - 5, cost, "middle bold", letters),
    )


def building(token: str, place: str, width: int, height: int, brief: Brief) -> Box:
    drawn = building_card(components.TYPE_OF[token], str(components.COST_OF[token]), width, height)
    return Box(width, height, component_at(token, place, brief, width, height, drawn))


def by_type(tokens: Iterable[str]) -> list[str]:
    """Buildings sorted by type, then by cost."""
    return sorted(
        tokens, key=lambda token: (components.TYPES.index(components.TYPE_OF[token]), components.COST_OF[token])
    )


def buildings(face_up: Multiset, in_pile: int, brief: Brief) -> Box:
    """The face-up buildings, and how many the pile has left."""
    say = brief.say
    width, height, gap = (36, 46, 2) if brief.narrow else (78, 84, 14)
    shown = [building(token, "/face_up", width, height, brief) for token in by_type(face_up)]
    row = placed(beside(*shown, gap=gap), "/face_up", say("buildings-title", buildings=len(shown)), height)
    return captioned(say("buildings"), row, brief.room, say("pile", buildings=in_pile))


def icon(kind: str, x: Number = 0, y: Number = 0) -> Svg:
    """An object."""
    return path(ICONS[kind], "edge", x=x, y=y)


Counts = tuple[tuple[str, int], ...]
"""How many there are of each kind."""


def in_words(left: Counts, say: Captions) -> str:
    """How many are left of each kind of component."""
    return "; ".join(say("kind-left", component=kind, count=count) for kind, count in left)


def counts(left: Mapping[str, int], kinds: Iterable[str]) -> Counts:
    return tuple((kind, left[kind]) for kind in kinds)


def sale_of_objects(state: State, brief: Brief) -> Box:
    supplies = counts(object_supplies(state), components.OBJECT_OF.values())
    return brief.part(objects_for_sale, "/objects_for_sale", state.objects_for_sale, supplies)


def objects_for_sale(for_sale: Multiset, supplies: Counts, brief: Brief) -> Box:
    """The objects for sale, and below each how many are left for scoring."""
    say, drawn, counts = brief.say, [], []
    for index, (kind, left) in enumerate(supplies):
        x = index * 27
        if kind in for_sale:
            shown = rectangle(0, 0, 25, 25, "edge", SHEET, 3), icon(kind, 4.5, 4.5)
            drawn.append(group(*shown, title=say.thing(kind), token=kind, x=x))
        else:
            drawn.append(rectangle(x + 0.5, 0.5, 24, 24, "faint absent", radius=3))
        counts.append(text(x + 12.5, 40, str(left), "middle quiet"))
    sale_title = say("for-sale-title", objects=len(for_sale))
    sale = group(*drawn, title=sale_title, place="/objects_for_sale")
    title = say("supply-title", text=in_words(supplies, say))
    note = [] if brief.narrow else [text(168, 40, say("left-for-scoring"), "quiet", 11)]
    supply = group(*counts, *note, title=title, place="/derived/object_supply")
    width = 160 if brief.narrow else 250
    return captioned(say("for-sale", price=components.OBJECT_PRICE), box(width, 44, sale, supply))


def bag_of_blocks(state: State, brief: Brief) -> Box:
    return brief.part(blocks_in_bag, "/derived/bag", counts(bag(state), components.COLOURS))


def blocks_in_bag(blocks: Counts, brief: Brief) -> Box:
    """What the bag holds, by colour."""
    say, drawn = brief.say, []
    room, in_row, step = (160, 3, 54) if brief.narrow else (418, 6, 69)
    for index, (colour, left) in enumerate(blocks):
        x, y = index % in_row * step, index // in_row * 22
        drawn += [group(square(colour, 16), x=x, y=y), text(x + 21, y + 13, str(left), "bold", 13)]
    in_bag = sum(left for _, left in blocks)
    title = say("bag-title", blocks=in_bag, text=in_words(blocks, say))
    content = box(room, 44, group(*drawn, title=title, place="/derived/bag"))
    return captioned(say("bag"), content, room, str(in_bag))


# --- the players -----------------------------------------------------------------------------------------------------


def player(state: State, index: int, brief: Brief) -> Box:
    """A player: points, coins, blocks, objects, the types that are scored, and how far they are from announcing."""
    say, width, has_announced = brief.say, brief.room, state.announced_by == index
    drawn = above(
        head(index, say("points", points=points_of(state)[index]), brief),
        box(width, 15, text(0, 11, say("announced"), "bold", 11)) if has_announced and not brief.fixed else NOTHING,
        *brief.part(possessions, f"/seats/{index}", index, state.seats[index], objectives_of(state, index)),
        gap=6,
    )
    if has_announced and brief.fixed:
        lines = lettering.wrapped(say("announced"), width - LABEL - TYPES_WIDTH - 8, 11, bold=True)
        noted = [text(width, BESIDE_TYPES + number * 12, line, "bold end", 11) for number, line in enumerate(lines)]
        drawn = box(drawn.width, drawn.height, drawn.drawn, *noted)
    return drawn


def player_with_cities(state: State, index: int, brief: Brief) -> Box:
    """Narrow: a player, and below what they have built."""
    return above(player(state, index, brief), own_cities(state, index, brief), gap=6)


BESIDE_TYPES = 93
"""How far down in a player's part the types are lettered, in fixed order."""


def possessions(index: int, seat: Seat, objectives: Objectives, brief: Brief) -> list[Box]:
    """What a player has, and how far they are from announcing."""
    return [
        beside(coins(seat.coins, index, brief), blocks_row(index, seat.blocks, brief.within(brief.room - 62))),
        objects_row(index, seat.objects, brief),
        brief.part(types_row, f"/seats/{index}/scored_types", index, seat.scored_types),
        brief.part(bars, f"/derived/objectives/{index}", index, objectives),
    ]


def blocks_row(index: int, blocks: Multiset, brief: Brief) -> Box:
    """The blocks of a player, by colour."""
    place, side = f"/seats/{index}/blocks", 18
    shown = [
        Box(side, side, component_at(token, place, brief, side, side, square(token, side)))
        for token in sorted(blocks, key=components.COLOURS.index)
    ]
    title = brief.say("blocks-title", player=brief.say.player(index), blocks=len(shown))
    return placed(brief.lined_up(shown, gap=1, line_gap=2), place, title, side)


def coins(number: int, index: int, brief: Brief) -> Box:
    place, figures = f"/seats/{index}/coins", str(number)
    title = brief.say("coins-title", player=brief.say.player(index), coins=number)
    around = ring_if_new("coins", place, brief, -1, 0, 26 + lettering.width(figures, 15, bold=True), 18)
    return box(60, 18, group(coin(9, 9, 8), text(22, 14.5, figures, "bold", 15), around, title=title, place=place))


def coin(x: Number, y: Number, radius: Number) -> Svg:
    return joined(circle(x, y, radius, "edge", paint("figure")), circle(x, y, radius * 0.6, "dark-line"))


def objects_row(index: int, objects: Sequence[str], brief: Brief) -> Box:
    """The objects of a player, by kind."""
    place, order = f"/seats/{index}/objects", list(components.OBJECT_OF.values())
    in_order = sorted(objects, key=order.index)
    shown = [Box(17, 17, component_at(kind, place, brief, 16, 16, icon(kind))) for kind in in_order]
    title = brief.say("objects-title", objects=len(shown))
    return brief.keep_room(placed(brief.lined_up(shown, gap=2, line_gap=3), place, title, 16), 17)


def types_row(index: int, scored_types: Sequence[str], brief: Brief) -> Box:
    """The six types; the scored ones inverted."""
    say = brief.say
    drawn = [text(0, 15, say("types"), "quiet", 11)]
    step = min(TYPES_WIDTH, brief.room - LABEL) // len(components.TYPES)
    for column, building_type in enumerate(components.TYPES):
        place = f"/seats/{index}/scored_types/{building_type}"
        scored = building_type in scored_types
        title = say("type-scored" if scored else "type-open", building_type=building_type)
        sign = type_sign(building_type, scored, step - 2)
        around = ring_if_new(building_type, place, brief, 0, 0, step - 2, 20)
        token, x = building_type if scored else "", LABEL + column * step
        drawn.append(group(sign, around, title=title, place=place, token=token, x=x))
    return box(brief.room, 20, *drawn)


def type_sign(building_type: str, scored: bool, width: int) -> Svg:
    silhouette = path(SILHOUETTES[building_type], "inverted" if scored else "edge")
    frame = rectangle(0, 0, width, 20, "edge" if scored else "faint", INK if scored else "none", 2)
    scale = min(0.42, (width - 4) / 40)
    return joined(frame, scaled(silhouette, scale, (width - 40 * scale) / 2, 17.6 - 36 * scale))


LABEL = 81
"""The room for what stands before the types and the bars."""
TYPES_WIDTH = 144


def bars(index: int, objectives: Objectives, brief: Brief) -> Box:
    """The three objectives."""
    say, goals = brief.say, [objectives.scorings, objectives.objects, objectives.cost]
    lines = list(zip([say("scorings"), say("objects"), say("costs")], goals, strict=True))
    drawn = [bar(label, goal, line * 15, brief.room) for line, (label, goal) in enumerate(lines)]
    captions = [say("objective", text=label, progress=goal.progress, needed=goal.needed) for label, goal in lines]
    return box(brief.room, 45, group(*drawn, title="; ".join(captions), place=f"/derived/objectives/{index}"))


def bar(label: str, goal: Objective, y: int, width: int) -> Svg:
    left, right = LABEL, width - 62
    filled = (right - left) * min(goal.progress, goal.needed) / goal.needed
    return joined(
        text(0, y + 10, lettering.cut(label, LABEL - 4, 11), "quiet", 11),
        rectangle(left, y + 2, right - left, 8, "edge", SHEET, 2),
        rectangle(left, y + 2, filled, 8, "", INK, 2) if filled else EMPTY,
        text(width - 14, y + 10.5, f"{goal.progress}/{goal.needed}", "bold end", 11.5),
        path(f"M{width - 11} {y + 6}l3 4l6-8", "strong") if goal.progress >= goal.needed else EMPTY,
    )


# --- the cities ------------------------------------------------------------------------------------------------------


def scoring_mark(seat: int | None, city: str, x: Number, y: Number, owned: bool, brief: Brief) -> Svg:
    """The marker of the player who has scored a city; it is a component where it is their own."""
    if seat is None:
        return EMPTY
    drawn = mark(seat, x, y, 15)
    if not owned:
        return drawn
    place = f"/seats/{seat}/scored_cities/{city}"
    around = ring_if_new(city, place, brief, x - 8, y - 8, 16, 16)
    title = brief.say("city-scored-by", city=city, player=brief.say.player(seat))
    return group(drawn, around, title=title, place=place, token=city)


def rate_label(city: str, x: Number, y: Number) -> Svg:
    """What a city pays for each point of cost, ending at x."""
    sign = coin(x - 8, y - 5, 7) if components.CITIES[city].pays == "coins" else path(STAR, "edge", x=x - 16, y=y - 13)
    return joined(text(x - 18, y, str(components.CITIES[city].rate), "bold end", 13), sign)


def accepted_colours(city: str, x: Number, y: Number, size: int) -> Svg:
    """The colours of blocks that a city accepts; tiny ones without hatching, which would be nothing but dark."""
    accepts = list(enumerate(components.CITIES[city].accepts))
    if size < 10:
        tiny = [rectangle(x + index * (size + 1), y, size, size, "hair", paint(colour), 1) for index, colour in accepts]
        return joined(*tiny)
    return joined(*[group(square(colour, size), x=x + index * (size + 2), y=y) for index, colour in accepts])


def city_title(city: str, say: Captions) -> str:
    pays, rate, accepts, minimum = components.CITIES[city]
    colours, pay = say("accepts", blocks=accepts), say(f"{pays}-paid", number=rate)
    return say("city-title", city=city, rate=rate, pays_text=pay, minimum=minimum, text=colours)


BUILT = (38, 48)
LEFT_OF_CITIES = 44


def cities_by_players(state: State, brief: Brief) -> Box:
    """Wide: a column for each city, a row for each player."""
    room = brief.room
    width = (room - LEFT_OF_CITIES) // len(components.CITIES)
    heads = [
        brief.part(city_head, f"/seats/{scorer}/scored_cities/{city}", city, scorer, width)
        for city in components.CITIES
        for scorer in (scored_by(state, city),)
    ]
    drawn = [moved(head, LEFT_OF_CITIES + column * width, 0) for column, head in enumerate(heads)]
    drawn.append(path(f"M0 46H{room}", "ground"))
    y = 46
    for index, seat in enumerate(state.seats):
        built = index, astuple(seat.cities), seat.scored_cities
        row = brief.part(row_of_cities, f"/seats/{index}/cities", *built, width, y)
        drawn.append(row.drawn)
        y += int(row.height)
    return box(room, y, *drawn)


def row_of_cities(
    index: int, built: Sequence[Multiset], scored_cities: Multiset, width: int, y: int, brief: Brief
) -> Box:
    """What a player has built, from y on, and the line below it."""
    cells = [
        district(index, city, buildings, city in scored_cities, width - 10, brief)
        for city, buildings in zip(components.CITIES, built, strict=True)
    ]
    height = int(max([cell.height for cell in cells])) + 14
    return box(
        brief.room,
        height,
        mark(index, 18, y + height / 2, 24),
        *[moved(cell, LEFT_OF_CITIES + column * width, y + 7) for column, cell in enumerate(cells)],
        path(f"M0 {y + height}H{brief.room}", "faint"),
    )


def city_head(city: str, scorer: int | None, width: int, brief: Brief) -> Box:
    """A city: what it pays, the blocks it accepts, how many buildings score it or who has scored it."""
    say, scored = brief.say, scorer is not None
    note = say("scored") if scored else say("minimum", buildings=components.CITIES[city].minimum)
    end = width - 28
    drawn = [
        text(0, 16, say.thing(city), "bold", 15),
        rate_label(city, end, 16),
        accepted_colours(city, 0, 25, 12),
        text(end - (20 if scored else 0), 36, note, "quiet end", 11),
        scoring_mark(scorer, city, end - 8, 31, True, brief),
    ]
    return box(width, 44, group(*drawn, title=city_title(city, say), place=f"/places/{city}"))


def district(index: int, city: str, buildings: Multiset, scored: bool, width: int, brief: Brief) -> Box:
    """The buildings of a player in a city; framed where they have scored it."""
    place, tokens = f"/seats/{index}/cities/{city}", by_type(buildings)
    shown = flowing([building(token, place, *BUILT, brief) for token in tokens], width - 4, gap=3, line_gap=4)
    height = max(shown.height, BUILT[1])
    title = brief.say("district-title", player=brief.say.player(index), city=city, buildings=len(tokens))
    frame = rectangle(-5, -4, width, height + 8, "edge" if scored else "", SHEET if scored else "none", 3)
    return box(width, height, group(frame, shown.drawn, title=title, place=place))


def own_cities(state: State, index: int, brief: Brief) -> Box:
    """Narrow: the cities of one player."""
    scorers = tuple(scored_by(state, city) for city in components.CITIES)
    return brief.part(two_by_two, f"/seats/{index}", index, astuple(state.seats[index].cities), scorers)


def two_by_two(index: int, built: Sequence[Multiset], scorers: Sequence[int | None], brief: Brief) -> Box:
    """Cities in rows of two; rows without buildings shrink, unless room is kept for buildings."""
    cities, rows = list(zip(components.CITIES, built, scorers, strict=True)), []
    for pair in zip(cities[::2], cities[1::2], strict=True):
        empty = not brief.fixed and not any(buildings for _, buildings, _ in pair)
        rows.append(beside(*[small_city(index, *city, empty, brief) for city in pair], gap=8))
    return above(*rows, gap=4)


SMALL_BUILT, LOW_BUILT, NARROW_BUILT = (30, 38), (30, 34), (22, 34)
"""The second and the third in fixed order, for few buildings in a city and for many."""


def small_city(index: int, city: str, buildings: Multiset, scorer: int | None, empty: bool, brief: Brief) -> Box:
    """A city in two columns: its head, and the buildings of the player; `empty`: the row has none."""
    say, place = brief.say, f"/seats/{index}/cities/{city}"
    width = (brief.room - 8) // 2
    tokens, size, height = by_type(buildings), SMALL_BUILT, 26
    if brief.fixed:
        size = LOW_BUILT if len(tokens) * (LOW_BUILT[0] + 2) <= width - 8 else NARROW_BUILT
        height += LOW_BUILT[1] + 3
    built = [building(token, place, *size, brief) for token in tokens]
    shown = brief.within(width - 10).lined_up(built, gap=2, line_gap=3)
    if not (brief.fixed or empty):
        height += int(max(shown.height, SMALL_BUILT[1])) + 4
    drawn = [
        panel(width, height, "edge" if scorer == index else "faint"),
        text(6, 17, say.thing(city), "bold", 12),
        rate_label(city, 103, 17),
        accepted_colours(city, 106, 9, 6),
        scoring_mark(scorer, city, width - 10, 13, scorer == index, brief),
        moved(shown, 5, 26),
    ]
    title = say("district-title", player=say.player(index), city=city, buildings=len(tokens))
    return box(width, height, group(*drawn, title=f"{title}. {city_title(city, say)}", place=place))


# --- scoresheets -----------------------------------------------------------------------------------------------------


def player_on_sheet(sheet: Scoresheet, index: int, brief: Brief) -> Box:
    """What a scoresheet says of a player."""
    say, place, seat = brief.say, f"/seats/{index}", sheet.seats[index]
    cards = [
        box(26, 30, rectangle(0, 0, 26, 30, "edge", SHEET, 2), text(13, 21, str(cost), "middle bold", 15))
        for cost in sorted(seat.costs or ())
    ]
    title = say("costs-title", player=say.player(index), buildings=len(cards), total=sum(seat.costs or ()))
    return above(
        head(index, say("points", points=total_of(seat)), brief),
        line_on_sheet(say("track", points=seat.points or 0), f"{place}/points", "quiet", 11, brief),
        coins(seat.coins or 0, index, brief),
        objects_on_sheet(seat.objects, index, brief),
        placed(flowing(cards, brief.room, gap=3, line_gap=3), f"{place}/costs", title, 26),
        gap=8,
    )


def objects_on_sheet(objects: Sequence[str] | int | None, index: int, brief: Brief) -> Box:
    """The objects by kind, or just how many."""
    if not isinstance(objects, int):
        return objects_row(index, objects or (), brief)
    return line_on_sheet(brief.say("objects-title", objects=objects), f"/seats/{index}/objects", "bold", 13, brief)


def line_on_sheet(content: str, place: str, look: str, size: int, brief: Brief) -> Box:
    return at_place(box(brief.room, 16, text(0, 12, content, look, size)), place, content)


PARTS: Parts = {
    "/wheel": lambda state, brief: brief.part(wheel, "/wheel", state.wheel),
    "/face_up": lambda state, brief: brief.part(buildings, "/face_up", state.face_up, pile_size(state)),
    "/objects_for_sale": sale_of_objects,
    "/derived/bag": bag_of_blocks,
    "/seats/#": player,
    "/seats/#/cities": own_cities,
    "/seats/#/scored_types": lambda state, seat, brief: types_row(seat, state.seats[seat].scored_types, brief),
}

# --- what has just changed -------------------------------------------------------------------------------------------


def changes(state: State, played: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """What the last moves moved, and where it is now."""
    for move in played:
        match move:
            case moves.RevealBuilding(building=token):
                yield "/face_up", token
            case moves.TurnWheel():
                yield "/wheel", "turned"
            case moves.DrawBlock(block=token):
                yield "/wheel/I", token
            case moves.BuyBlocks(seat=seat, blocks=blocks):
                yield from ((f"/seats/{seat}/blocks", token) for token in blocks)
            case moves.TakeCoins(seat=seat):
                yield f"/seats/{seat}/coins", "coins"
            case moves.Build(seat=seat, building=token, city=city):
                yield f"/seats/{seat}/cities/{city}", token
            case moves.ScoreType(seat=seat, building_type=building_type):
                yield f"/seats/{seat}/scored_types/{building_type}", building_type
            case moves.ScoreCity(seat=seat, city=city):
                yield f"/seats/{seat}/scored_cities/{city}", city
            case moves.BuyObject(seat=seat, object=kind):
                yield f"/seats/{seat}/objects", kind
