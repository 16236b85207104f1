"""Positions whose pictures are golden files: record, ply, viewing seat (None: all is visible), and what they show."""

from collections.abc import Iterator
from typing import Any

from capomastro.engine.events import Event
from capomastro.engine.moves import Move
from capomastro.games.fifth_avenue import events, moves
from capomastro.games.fifth_avenue.components import pile_of
from tests.support.pictures import Placed

POSITIONS = (
    ("three-plan", 30, None, "the set-up: the row is being filled"),
    ("two-plan", 65, None, "the set-up: cards are being dealt"),
    ("four-plan", 90, None, "four players, first buildings"),
    ("both-phases", 740, None, "an auction of three: who leads, and what was laid"),
    ("shuffled", 368, 1, "an auction of two against the dummy, seen from a seat"),
    ("one-stop", 150, None, "commissioners on their way, markers behind them"),
    ("four-six", 160, None, "six lots in a district"),
    ("two-six-stop", 105, None, "two players on six lots"),
    ("closed-under-foot", 122, None, "a closed district"),
    ("cards-gone", 138, 0, "exhausted piles"),
    ("three-tiles", 121, None, "towards the end"),
    ("shared-win", 142, None, "late: many buildings"),
)

TOLD_OTHERWISE = ("commissioner", "commissioners")


def further_tokens(document: Any) -> Iterator[tuple[str, str]]:
    """The commissioners and the markers that they left behind, which a state has by place."""
    for colour in document["commissioners"]:
        yield f"/commissioners/{colour}", colour
    for colour, districts in document.get("markers", {}).items():
        yield from ((f"/markers/{colour}/{index}", colour) for index in range(len(districts)))


def moved_by(event: Event, move: Move, after: Any) -> Iterator[Placed]:
    """Where an event laid what. What the winner of an auction built is missing: the move names no lot."""
    match event:
        case events.BusinessDrawn(business=business, group=group):
            yield "/stage/business" if group is None else f"/row/{group}", business
        case events.StartingBusinessLaid(business=business, district=district, lot=lot):
            yield f"/districts/{district}/{lot}", business
        case events.CardDealt(seat=seat):
            assert isinstance(move, moves.DealCard)
            yield f"/seats/{seat}/hand", move.card or "unknown"
        case events.CardRevealed(card=card):
            yield f"/piles/{pile_of(card)}", card
        case events.Built(district=district, lot=lot) if isinstance(move, moves.PlaceFirstBuilding):
            yield f"/districts/{district}/{lot}", "building"
        case events.BuildingsTaken(seat=seat):
            yield f"/seats/{seat}/reserve", "reserve"
        case events.BusinessPlaced(business=business, district=district, lot=lot):
            yield f"/districts/{district}/{lot}", business
        case events.OptionChosen(option="D"):
            assert isinstance(move, moves.ScoreDistrict)
            yield f"/districts/{move.district}", "scored"
        case events.CommissionerMoved(commissioner=commissioner):
            yield f"/commissioners/{commissioner}", commissioner
        case events.Bid(seat=seat, cards=cards):
            yield from ((f"/stage/offers/{seat}", card) for card in cards)
        case events.Passed(seat=seat):
            yield f"/stage/offers/{seat}", "passed"
        case events.DummyCardTurned(card=card):
            yield "/stage/dummy", card
        case events.ParkTileDrawn(business=business):
            yield "/park_tiles", business
