"""What can be asked after what."""

from tools.openapi.examples import SEED
from tools.openapi.nodes import Node
from tools.openapi.operations import Operation

STATE = "$response.body#/state"

LINKS: dict[str, dict[str, tuple[str, str, Node]]] = {
    "create-setup": {
        "draw": (
            "play-moves",
            "Have the chance drawn that is still open.",
            {"state": STATE, "moves": [], "seed": SEED},
        ),
        "legal-moves": ("list-legal-moves", "What can be done first.", {"state": STATE}),
        "audit": ("audit-state", "Examine the state.", {"state": STATE}),
        "view": ("view-document", "The state as a spectator may know it.", {"state": STATE, "seat": None}),
    },
    "list-legal-moves": {
        "play": (
            "play-moves",
            "Play the first move, or the first outcome of chance.",
            {"state": "$request.body#/state", "moves": ["$response.body#/moves/0"], "seed": SEED},
        ),
        "verdict": (
            "judge-move",
            "Judge the first move.",
            {"state": "$request.body#/state", "move": "$response.body#/moves/0"},
        ),
    },
    "play-moves": {
        "legal-moves": ("list-legal-moves", "What can be done next.", {"state": STATE}),
        "score": ("score-game", "The score, if the game is over.", {"state": STATE}),
        "audit": ("audit-state", "Examine the state.", {"state": STATE}),
        "view": ("view-document", "The state as a spectator may know it.", {"state": STATE, "seat": None}),
    },
    "replay-record": {
        "legal-moves": ("list-legal-moves", "What can be done where the record ends.", {"state": STATE}),
        "score": ("score-game", "The score, if the game is over.", {"state": STATE}),
    },
}
"""By operation and name of the link: the next operation, why, and its body."""


def links_of(operation: Operation) -> Node:
    return {
        name: {"operationId": operation.named(to), "description": why, "requestBody": body}
        for name, (to, why, body) in LINKS.get(operation.resource.name, {}).items()
    }
