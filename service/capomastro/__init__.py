"""capomastro referees building games: states and moves in, verdicts, next states, legal moves and scores out.

This is its face as a library (docs/python.md). What it shows is loaded when it is first used: the command line and the
service import this package too, and most of what they do needs none of it.
"""

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers take it for true; typing takes longer to import than everything else here
if TYPE_CHECKING:
    from capomastro.library import (
        ChanceMove,
        Decision,
        Divergence,
        Event,
        Game,
        IllegalMove,
        LegalMoves,
        LenientReplay,
        Move,
        Outcome,
        Ply,
        Position,
        Problem,
        Record,
        Refusal,
        Remedy,
        Replay,
        Result,
        Rule,
        Score,
        SeatMove,
        State,
        all_games,
        audit,
        extends,
        game,
        score,
        set_up,
    )
else:

    def __getattr__(name: str) -> object:
        """What the library shows, once it is asked for."""
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
