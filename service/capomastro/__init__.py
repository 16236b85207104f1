"""capomastro referees building games: states and moves in, verdicts, next states, legal moves and scores out.

These are the names of the library (docs/python.md). They are loaded on first use: the command line and the service
import this package too, and mostly need none of them. So `__all__` is written here again; a test compares it.
"""

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # true for type checkers; importing typing would take longer than everything else here
if TYPE_CHECKING:
    from capomastro.library import *  # noqa: F403
else:

    def __getattr__(name: str) -> object:
        """Loads the library when one of its names is first used."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("capomastro.library"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__all__ = [
    "ChanceMove",
    "Decision",
    "Divergence",
    "Event",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "LenientReplay",
    "Move",
    "Outcome",
    "Ply",
    "Position",
    "Problem",
    "Record",
    "Refusal",
    "Remedy",
    "Replay",
    "Result",
    "Rule",
    "Score",
    "SeatMove",
    "State",
    "all_games",
    "audit",
    "extends",
    "game",
    "score",
    "set_up",
]
