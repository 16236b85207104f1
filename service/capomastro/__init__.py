"""capomastro referees four building games: states and moves in, verdicts, next states, legal moves and scores out."""

__version__ = "0.1.0"
