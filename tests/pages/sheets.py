"""Tables for the pages: scoresheets of the ends of recorded games, and links with them in the fragment."""

import json
import zlib
from base64 import urlsafe_b64encode
from typing import Any

from tests.support.documents import as_document
from tests.support.recorded import records_folder, replay_of

NAMES = ("Ada", "Bruno", "Cleo", "Dino", "Emma")


def link_to(sheet: dict[str, Any]) -> str:
    """The address of the score pad with this scoresheet, as the pages pack it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(sheet).encode()) + packer.flush()
    return f"/score/{sheet['game']}#d{urlsafe_b64encode(packed).decode().rstrip('=')}"


def end_of(game: str, record: str) -> dict[str, Any]:
    """The last state of a recorded game."""
    state: dict[str, Any] = as_document(replay_of(records_folder(game) / f"{record}.json").plies[-1].after)
    return state


def sheet_of(game: str, record: str) -> dict[str, Any]:
    """The scoresheet that players would fill in at the end of a recorded game, without what only a tie needs."""
    state = end_of(game, record)
    return {"game": game, "schema_version": 1, **MAKERS[game](state)}


def palazzo(state: dict[str, Any]) -> dict[str, Any]:
    return {"seats": [{"name": name, "palaces": seat["palaces"]} for name, seat in seated(state)]}


def campanile(state: dict[str, Any]) -> dict[str, Any]:
    rows = {
        style: {
            "height": tower["height"],
            "rows": [{"seat": row["seat"], "markers": row["markers"]} for row in tower["rows"]],
        }
        for style, tower in state["towers"].items()
    }
    tokens = [seat["tokens"] for seat in state["seats"]]
    seats = [{"name": name} for name, _ in seated(state)]
    return {"seats": seats, "towers": rows, "intermezzo": {"type": "tokens", "by_seat": tokens}}


def carrara(state: dict[str, Any]) -> dict[str, Any]:
    def costs(seat: dict[str, Any]) -> list[int]:
        built = [one for there in seat["cities"].values() for one in there]
        return [int((one["building"] if isinstance(one, dict) else one)[-1]) for one in built]

    return {
        "seats": [
            {
                "name": name,
                "points": seat["points"],
                "objects": len(seat["objects"]),
                "costs": costs(seat),
                "coins": seat["coins"],
            }
            for name, seat in seated(state)
        ]
    }


def fifth_avenue(state: dict[str, Any]) -> dict[str, Any]:
    return {
        "seats": [
            {"name": name, "score": seat["score"], "central_park": seat["central_park"]} for name, seat in seated(state)
        ],
        "districts": state["districts"],
        "rings": {name: list(ring) for name, ring in state["options"]["rings"].items()},
        "park_tiles": state.get("park_tiles") or state["under_central_park"],
        "six_lots": state["options"]["six_lots"],
    }


MAKERS = {"palazzo": palazzo, "campanile": campanile, "carrara": carrara, "fifth-avenue": fifth_avenue}


def seated(state: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return list(zip(NAMES, state["seats"], strict=False))
