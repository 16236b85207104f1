"""The table as a picture, from top to bottom: the auction, the map, the row of businesses, the players, the piles.

What is auctioned, who leads, where is there room, what is worth most?
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, repeat

from capomastro.drawing import NOTHING, Box, Brief, Captions, Table, above, beside, box, moved
from capomastro.drawing.boxes import flowing
from capomastro.drawing.cards import (
    LARGE,
    UNKNOWN,
    Card,
    Kinds,
    card,
    face,
    hand_cards,
    hidden_cards,
    kinds_of,
    open_cards,
    plays_of_cards,
    row_of_hand,
)
from capomastro.drawing.elements import Svg, group, rectangle, text
from capomastro.drawing.parts import BID_WIDTH, Bidder, at_place, auction, captioned, head, placed, ring_if_new
from capomastro.engine.decisions import GameOver, Move
from capomastro.engine.hands import Hand, last_dealt
from capomastro.engine.multisets import Multiset
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.bids import worth
from capomastro.games.fifth_avenue.components import (
    BLACK,
    CARDS,
    COLOURS,
    DUMMY,
    PILES,
    PLACED_AT_END,
    VALUE_OF,
    VALUES,
    pile_of,
)
from capomastro.games.fifth_avenue.decisions.auctions import auctioned, highest_bid
from capomastro.games.fifth_avenue.decisions.turn import seats_that_draw
from capomastro.games.fifth_avenue.picture.board import Board, band_of, board_map, district_alone, park_alone, tile
from capomastro.games.fifth_avenue.piles import pile_sizes
from capomastro.games.fifth_avenue.scoresheet import Scoresheet, rings_of
from capomastro.games.fifth_avenue.scoring import scores, tiles_for_scoring
from capomastro.games.fifth_avenue.state import Pile, Seat, State
from capomastro.games.fifth_avenue.supplies import businesses_placed, common_supplies, dummy_supply, has_dummy

MAP_WIDTH = 590


def table(state: State, brief: Brief) -> Table:
    """The picture of a state."""
    totals, room = points_of(state), room_beside_the_map(brief)
    clauses = [
        brief.say("standing", player=brief.say.player(seat), points=totals[seat], cards=player.hand.size)
        for seat, player in enumerate(state.seats)
    ]
    board, offers = board_map(board_of(state), brief), in_progress(state, room, brief)
    rest = [row_of_businesses(state, room, brief), *all_players(state, totals, room, brief)]
    below = [piles(state, room, brief), out_of_the_game(state, room, brief)]
    if brief.layout.narrow:
        return Table(above(offers, board, *rest, *below, gap=12), clauses)
    return Table(beside(board, above(offers, *rest, *below, gap=10), gap=30), clauses)


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
        case ["seats", seat] if isinstance(shown, State):
            return all_players(shown, points_of(shown), room, brief._replace(deciding=None))[int(seat)]
    raise LookupError(place)


def table_of_scoresheet(sheet: Scoresheet, brief: Brief) -> Table:
    """The map, and what is known of the players."""
    say, room, heads, clauses = brief.say, room_beside_the_map(brief), [], []
    for seat, one in enumerate(sheet.seats):
        heads.append(head(seat, say.player(seat), say("on-track", points=one.score or 0), room))
        clauses.append(say("standing-on-sheet", player=say.player(seat), points=one.score or 0))
    board, players = board_map(board_of_scoresheet(sheet), brief), above(*heads, gap=6)
    if brief.layout.narrow:
        return Table(above(board, players, gap=12), clauses)
    return Table(beside(board, players, gap=30), clauses)


def room_beside_the_map(brief: Brief) -> int:
    return brief.layout.room if brief.layout.narrow else brief.layout.room - MAP_WIDTH - 30


def points_of(state: State) -> Sequence[int]:
    """The points on the track; at the end the totals."""
    if isinstance(state.stage, GameOver):
        return [score.total for score in scores(state, tiles_for_scoring(state))]
    return [seat.score for seat in state.seats]


def board_of(state: State) -> Board:
    stage = state.stage
    return Board(
        state.districts,
        state.options.rings,
        [seat.central_park for seat in state.seats],
        state.under_central_park,
        state.park_tiles,
        state.commissioners,
        state.markers,
        auctioned(state, stage.commissioner) if isinstance(stage, stages.AUCTION) else None,
    )


def board_of_scoresheet(sheet: Scoresheet) -> Board:
    in_park = [seat.central_park or 0 for seat in sheet.seats]
    return Board(sheet.board, rings_of(sheet), in_park, sheet.under_central_park, sheet.park_tiles, {}, {}, None)


# --- what is in progress ---------------------------------------------------------------------------------------------


def in_progress(state: State, room: int, brief: Brief) -> Box:
    """What is on the table only for now: a starting business without its lot, an auction."""
    stage = state.stage
    if isinstance(stage, stages.DrawStartingLot):
        caption = brief.say("to-lay")
        drawn = box(TILE, TILE, tile(stage.business, 0, 0, TILE - 1, "/stage/business", brief))
        return captioned(caption, placed(drawn, "/stage/business", caption, TILE))
    if isinstance(stage, stages.BIDDING):
        return bids(state, stage, room, brief)
    return NOTHING


def bids(state: State, stage: stages.BidOrPass | stages.TurnDummyCard, room: int, brief: Brief) -> Box:
    """The bidders in the order of bidding, beginning with whoever decides; the dummy comes last."""
    players = len(state.seats)
    deciding = stage.seat if isinstance(stage, stages.BidOrPass) else None
    name_room = 80 if brief.layout.narrow else 120
    room_for_plays = room - name_room - BID_WIDTH
    bidders = []
    for turn in range(players):
        seat = ((deciding or 0) + turn) % players
        offer, place = stage.offers[seat], f"/stage/offers/{seat}"
        plays = plays_of_cards([shown_cards(bid, place, brief) for bid in offer.bids], room_for_plays)
        name = brief.say.player(seat)
        bidders.append(Bidder(place, seat, name, offer.total, plays, seat == deciding, offer.passed))
    if has_dummy(state):
        turned = plays_of_cards([shown_cards(stage.dummy, "/stage/dummy", brief)], room_for_plays)
        bidders.append(Bidder("/stage/dummy", None, brief.say.thing(DUMMY), worth(stage.dummy), turned))
    title = brief.say("auction", place=auctioned(state, stage.commissioner))
    return captioned(title, auction(bidders, highest_bid(stage), room, name_room, brief))


# --- cards -----------------------------------------------------------------------------------------------------------


def kinds(say: Captions) -> Kinds:
    return kinds_of(open_kinds, say)


def open_kinds(say: Captions) -> list[Card]:
    return [Card(token, say.thing(token), str(VALUE_OF[token]), band_of(pile_of(token))) for token in CARDS]


def shown_cards(tokens: Iterable[str], place: str, brief: Brief) -> list[Card]:
    return open_cards(in_order(tokens), place, brief, kinds(brief.say))


def in_order(tokens: Iterable[str]) -> list[str]:
    """Cards by pile, then by value."""
    return sorted(tokens, key=lambda token: (PILES.index(pile_of(token)), VALUE_OF[token]))


# --- the row of businesses -------------------------------------------------------------------------------------------

TILE = 22


def row_of_businesses(state: State, room: int, brief: Brief) -> Box:
    """The row in its groups, the next one framed."""
    active = next((index for index, tiles in enumerate(state.row) if tiles), None)
    groups = [
        business_group(tiles, index, max(size, len(tiles)), index == active, brief)
        for index, (tiles, size) in enumerate(zip(state.row, state.options.row_groups, strict=True))
    ]
    note = brief.say("businesses-placed", businesses=businesses_placed(state.row), last=PLACED_AT_END)
    return captioned(brief.say("businesses"), flowing(groups, room, gap=5, line_gap=5), room, note)


def business_group(tiles: tuple[str, ...], index: int, size: int, active: bool, brief: Brief) -> Box:
    place, width, height = f"/row/{index}", size * TILE + 5, TILE + 6
    look = "strong" if active else "faint" if tiles else "faint absent"
    drawn = [tile(business, 3 + position * TILE, 3, TILE - 1, place, brief) for position, business in enumerate(tiles)]
    frame = rectangle(0.5, 0.5, width - 1, height - 1, look, radius=4)
    title = brief.say("group-title", group=index, tiles=len(tiles))
    return box(width, height, group(frame, *drawn, title=title, place=place))


# --- the players -----------------------------------------------------------------------------------------------------


def all_players(state: State, totals: Sequence[int], room: int, brief: Brief) -> list[Box]:
    """The part of each player: points, buildings, hand."""
    supplies = common_supplies(state)
    players = []
    for seat in brief.in_reading_order(range(len(state.seats))):
        note = brief.say("points" if isinstance(state.stage, GameOver) else "points-so-far", points=totals[seat])
        title = head(seat, brief.say.player(seat), note, room, deciding=seat == brief.deciding)
        buildings = buildings_of(seat, state.seats[seat], supplies[seat], room, brief)
        players.append(above(title, buildings, hand(state.seats[seat].hand, seat, room, brief), gap=3))
    return players


def buildings_of(seat: int, player: Seat, supply: int, room: int, brief: Brief) -> Box:
    """The line with a player's buildings: in reserve, in the common supply, out of the game."""
    place, in_reserve = f"/seats/{seat}/reserve", brief.say("reserve", buildings=player.reserve)
    around = ring_if_new("reserve", place, brief, -2, 2, 90, 11)
    reserve = group(text(0, 12, in_reserve, "bold"), around, title=in_reserve, place=place)
    rest = brief.say("supply-and-lost", supply=supply, lost=player.removed)
    return box(room, 16, reserve, text(104, 12, rest, "quiet", 11))


def hand(held: Hand, seat: int, room: int, brief: Brief) -> Box:
    """The cards of a player by piles; the unknown cards of a pile come after its known ones."""
    place, say = f"/seats/{seat}/hand", brief.say
    known = hand_cards(in_order(held.known), held.open, place, brief, kinds(say))
    shown: list[Card] = []
    for pile in PILES:
        shown += [card for card in known if pile_of(card.token) == pile]
        title = say("unknown-of", text=say.thing(pile))
        shown += hidden_cards(held.unknown.get(pile, 0), title, place, brief, band_of(pile))
    return row_of_hand(shown, place, seat, room, say)


# --- the piles -------------------------------------------------------------------------------------------------------


def piles(state: State, room: int, brief: Brief) -> Box:
    """Each pile: its top card, the number face down, its discards in order; those of the black one by value."""
    left, width = pile_sizes(state), room // len(PILES)
    columns = [coloured_pile(state.piles[colour], colour, left[colour], width, brief) for colour in COLOURS]
    columns.append(black_pile(state.black_discards, left[BLACK], brief))
    return captioned(brief.say("piles"), beside(*columns)._replace(width=room))


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
        digits = [text(index * 9, 11, str(VALUE_OF[token]), "bold", 11) for index in range(count)]
        title = brief.say("cards-title", count=count, card=token)
        around = ring_if_new(token, place, brief, -1, 1, 9 * count, 12)
        shown.append(box(9 * count, 14, group(*digits, around, title=title, token=token, count=count)))
    return at_place(flowing(shown, room), place, brief.say("discards-title", cards=len(tokens)))


def black_pile(discards: Multiset, left: int, brief: Brief) -> Box:
    """The black pile lies face down; its discards are shuffled, so their order does not matter."""
    say = brief.say
    back, number = face(Card(UNKNOWN, "", "?", BLACK), LARGE), text(LARGE.width + 9, 14, str(left), "bold", 13)
    closed = group(back, number, title=say("black-title", cards=left), place="/derived/piles/black")
    lines: list[Svg] = []
    for value in VALUES:
        token = f"{BLACK}-{value}"
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
    note = "" if lost is None else say("dummy-buildings", supply=dummy_supply(state), lost=lost)
    row = placed(flowing(tiles, room, gap=1, line_gap=2), place, title, TILE)
    return captioned(say("removed", components=len(tiles)), row, room, note)


# --- what has just changed -------------------------------------------------------------------------------------------


def changes(state: State, played: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """What the last moves moved, and where it is now."""
    # who draws the next cards: nobody knows if the moves of a turn begin with a draw
    drawing: Iterator[int] = iter(())
    if isinstance(state.stage, stages.SETUP):
        drawing = repeat(last_dealt(one.hand for one in state.seats))
    for move in played:
        match move:
            case moves.DrawBusiness(business=business) if place := where_drawn(state):
                yield place, business
            case moves.DrawBusiness() | moves.DrawLot():
                yield from last_laid(state)
            case moves.DealCard(card=token) if (drawer := next(drawing, None)) is not None:
                yield f"/seats/{drawer}/hand", token or UNKNOWN
            case moves.RevealCard(card=token):
                yield f"/piles/{pile_of(token)}", token
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
                    drawing = iter(seats_that_draw(seat, len(state.seats), lots))
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
