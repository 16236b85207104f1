"""Auctions: a row for each bidder, with the cards that they have laid, play by play."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from capomastro.drawing import lettering
from capomastro.drawing.boxes import Box, box, moved
from capomastro.drawing.cards import MEDIUM, Card, Describe, open_cards, rows_of_cards
from capomastro.drawing.elements import Number, Svg, group, path, text
from capomastro.drawing.marks import mark
from capomastro.drawing.palette import BAR
from capomastro.drawing.parts import CAPTION_HEIGHT, captioned, panel, plate, ring_if_new, turn_arrow
from capomastro.drawing.pictures import Brief


class Bidder(NamedTuple):
    """A bidder in an auction."""

    place: str
    seat: int | None
    """None: the dummy."""
    name: str
    bid: int
    """Its total; 0 without one."""
    plays: Sequence[Sequence[Card]]
    """The cards of the bid, play by play."""
    deciding: bool = False
    passed: bool = False
    before: Sequence[Box] = ()
    """What lies before the cards, each as wide as one."""


HEIGHT, GAP = 40, 4
LOW_HEIGHT, LOW_GAP = 36, 3
"""In fixed order, where room is kept for auctions while there is none."""
BESIDE_NAME_AND_CARDS = 116
"""The width of everything else in the row of a bidder."""


def bidders(
    bids: Sequence[Any], totals: Sequence[int], place: str, describe: Describe, deciding: int | None, brief: Brief
) -> list[Bidder]:
    """The players in the order of bidding, from who decides on; in fixed order from the own seat.

    The bid of a seat is a struct of the game, with the members `laid`, its cards play by play, and `passed`.
    """
    first = (brief.own if brief.fixed else deciding) or 0
    found = []
    for seat in (*range(first, len(bids)), *range(first)):
        at, bid = f"{place}/{seat}", bids[seat]
        plays = [open_cards(play, at, describe, brief) for play in bid.laid]
        found.append(Bidder(at, seat, brief.say.player(seat), totals[seat], plays, seat == deciding, bid.passed))
    return found


def auction(caption: str, bidders: Sequence[Bidder], name_room: int, brief: Brief) -> Box:
    """A row for each bidder in the order of bidding: ▶, mark, name, total, cards."""
    height, gap = (LOW_HEIGHT, LOW_GAP) if brief.fixed else (HEIGHT, GAP)
    highest = max(bidder.bid for bidder in bidders)
    rows = [
        bid_row(bidder, bidder.bid == highest, height, name_room, index * (height + gap), brief)
        for index, bidder in enumerate(bidders)
    ]
    return captioned(caption, box(brief.room, len(rows) * (height + gap) - gap, *rows))


def bid_row(bidder: Bidder, leads: bool, height: int, name_room: int, y: Number, brief: Brief) -> Svg:
    middle, say, bid = height / 2, brief.say, bidder.bid
    key = "bid-passed" if bidder.passed else "bid-none" if not bid else "bid-highest" if leads else "bid"
    name = lettering.cut(lettering.name(bidder.name), name_room, 12, bold=True)
    turn = f"M0 4Q0 0 4 0H22V{height}H4Q0 {height} 0 {height - 4}Z"
    drawn = [
        panel(brief.room, height),
        *((path(turn, fill=BAR), turn_arrow(7, middle)) if bidder.deciding else ()),
        mark(bidder.seat, 38, middle, 22),
        text(56, middle + 4.5, name, "quiet" if bidder.passed else "bold"),
    ]
    x = 56 + name_room + 24
    if bidder.passed:
        word = say("passed")
        drawn.append(text(x - 18, middle + 4.5, word, "quiet"))
        drawn.append(ring_if_new("passed", bidder.place, brief, x - 20, middle - 9, lettering.width(word) + 2, 18))
    elif bid and leads:
        drawn.append(plate(str(bid), x, middle, 17, "strong"))
    else:
        drawn.append(text(x, middle + 5, str(bid or "–"), "middle quiet", 15))
    plays = plays_of_cards(bidder.plays, brief.room - name_room - BESIDE_NAME_AND_CARDS, *bidder.before)
    drawn.append(moved(plays, x + 28, (height - plays.height) / 2))
    return group(*drawn, title=say(key, player=bidder.name, bid=bid), place=bidder.place, y=y)


def room_for_auction(bidders: int) -> int:
    """The height of an auction with its caption, in fixed order."""
    return CAPTION_HEIGHT + (LOW_HEIGHT + LOW_GAP) * bidders - LOW_GAP


def plays_of_cards(plays: Sequence[Sequence[Card]], room: float, *before: Box) -> Box:
    """The plays of an auction in one line with “+” between them, after the boxes `before`, each as wide as a card.

    To fit into `room`, the plays move closer together, then the cards of each play, and finally all cards evenly;
    without room for “+” the plays are still closer.
    """
    width, gap = MEDIUM.width, 2
    step: float = width + gap
    heaps = len(before) + len(plays)
    together = sum(len(play) - 1 for play in plays)
    if together > 0:
        side_by_side = (room - width * heaps - gap * (heaps - 1)) / together
        evenly = (room - width) / (heaps + together - 1)
        step = min(step, max(side_by_side, evenly))
    boxes = [*before, *(rows_of_cards(play, max(len(play), 1), step, MEDIUM) for play in plays)]
    between = max(heaps - 1, 0)
    closer = max(sum([play.width for play in boxes]) + 14 * between - room, 0) / max(between, 1)
    height = max([play.height for play in boxes], default=0)
    x: float = 0
    drawn: list[Svg] = []
    for index, play in enumerate(boxes):
        if index:
            if closer <= 4:
                drawn.append(text(x + 7 - closer / 2, height / 2 + 5, "+", "middle quiet", 14))
            x += 14 - closer
        drawn.append(moved(play, x, 0))
        x += play.width
    return box(x, height, *drawn)
