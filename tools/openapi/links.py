"""Links between operations."""

from tools.openapi.nodes import Node

SEED = "example"
STATE = "$response.body#/state"

LINKS: dict[str, dict[str, tuple[str, str, Node]]] = {
    "create-setup": {
        "draw": (
            "play-moves",
            "Draw the chance that is left to decide.",
            {"state": STATE, "moves": [], "seed": SEED},
        ),
        "legal-moves": ("list-legal-moves", "List the legal moves.", {"state": STATE}),
        "suggestion": ("suggest-move", "Have a move suggested.", {"state": STATE}),
        "audit": ("audit-state", "Audit the state.", {"state": STATE}),
        "view": ("view-document", "View the state as a spectator.", {"state": STATE, "seat": None}),
    },
    "create-table": {
        "join": (
            "advance-table",
            "Join as seat 0, with its secret.",
            {"table": "$response.body#/table", "seat": 0, "secret": "A" * 43, "moves": []},
        ),
        "view": ("view-table", "Check that the table is genuine.", {"table": "$response.body#/table", "seat": None}),
    },
    "advance-table": {
        "view": ("view-table", "View the table as a spectator.", {"table": "$response.body#/table", "seat": None}),
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
    "suggest-move": {
        "play": (
            "play-moves",
            "Play the suggested move.",
            {"state": "$request.body#/state", "moves": ["$response.body#/move"], "seed": SEED},
        ),
    },
    "play-moves": {
        "legal-moves": ("list-legal-moves", "List the legal moves.", {"state": STATE}),
        "suggestion": ("suggest-move", "Have a move suggested.", {"state": STATE}),
        "score": ("score-game", "Score the game, if it is over.", {"state": STATE}),
        "audit": ("audit-state", "Audit the state.", {"state": STATE}),
        "view": ("view-document", "View the state as a spectator.", {"state": STATE, "seat": None}),
    },
    "replay-record": {
        "legal-moves": ("list-legal-moves", "List the legal moves after the record.", {"state": STATE}),
        "score": ("score-game", "Score the game, if it is over.", {"state": STATE}),
    },
}
"""By operation and name of the link: the next operation, its purpose, and its body."""
