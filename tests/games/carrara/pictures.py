"""Positions whose pictures are golden files: record, ply, viewing seat (None: all is visible), and what they show."""

from collections.abc import Iterator
from typing import Any

from capomastro.engine.events import Event
from capomastro.engine.moves import Move
from capomastro.games.carrara import events
from tests.support.pictures import Placed

POSITIONS = (
    ("four-plan", 3, None, "the set-up: six blocks on section I, three buildings"),
    ("two-plan", 9, None, "the first action"),
    ("four-plan", 30, None, "blocks are drawn, four players side by side"),
    ("later-coins", 100, None, "the wheel after some turns; buying"),
    ("three-plan", 204, 1, "in the middle of a game, seen from a seat: nothing is hidden"),
    ("four-plan", 200, None, "four players with buildings"),
    ("supply-exhausted", 150, None, "objects are running out"),
    ("start-acting", 200, None, "towards the end"),
    ("no-action", 60, None, "little to do"),
    ("last-building-of-two", 200, None, "many buildings of two players"),
    ("tie-by-blocks", 180, None, "late: blocks matter"),
    ("two-random", 221, None, "the end, announced by a player"),
)


TOLD_OTHERWISE = ("scored_types", "scored_cities")


def further_tokens(document: Any) -> Iterator[tuple[str, str]]:
    """The scorings: each type and each city has its own place."""
    for seat, one in enumerate(document["seats"]):
        for member in TOLD_OTHERWISE:
            yield from ((f"/seats/{seat}/{member}/{scored}", scored) for scored in one[member])


def moved_by(event: Event, move: Move, after: Any) -> Iterator[Placed]:
    """Where an event laid what."""
    match event:
        case events.BuildingRevealed(building=building):
            yield "/face_up", building
        case events.WheelTurned():
            yield "/wheel", "turned"
        case events.BlockDrawn(block=block):
            yield "/wheel/I", block
        case events.BlocksBought(seat=seat, blocks=blocks):
            yield from ((f"/seats/{seat}/blocks", block) for block in blocks)
        case events.CoinsTaken(seat=seat):
            yield f"/seats/{seat}/coins", "coins"
        case events.Built(seat=seat, building=building, city=city):
            yield f"/seats/{seat}/cities/{city}", building
        case events.TypeScored(seat=seat, building_type=building_type):
            yield f"/seats/{seat}/scored_types/{building_type}", building_type
        case events.CityScored(seat=seat, city=city):
            yield f"/seats/{seat}/scored_cities/{city}", city
        case events.ObjectBought(seat=seat, object=kind):
            yield f"/seats/{seat}/objects", kind
