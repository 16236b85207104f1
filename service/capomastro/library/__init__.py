"""capomastro as a library: games, positions and records as immutable Python objects, without a server.

`import capomastro` re-exports these names and loads them on first use. docs/python.md explains them.
"""

from capomastro.answers import Divergence, LenientReplay, Remedy, Replay
from capomastro.documents.problems import Problem
from capomastro.engine.decisions import Decision
from capomastro.engine.events import Event
from capomastro.engine.game import State
from capomastro.engine.moves import ChanceMove, Move, SeatMove
from capomastro.library.games import Game, Rule, all_games, game
from capomastro.library.positions import LegalMoves, Ply, Position, audit, set_up
from capomastro.library.records import Record
from capomastro.library.refusals import IllegalMove, Refusal
from capomastro.library.results import Outcome, Result, Score, score
from capomastro.tables.history import extends

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
