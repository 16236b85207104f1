"""Audits: what is impossible in a state."""

from typing import Any

from capomastro.adjudicator.loading import shaped_state
from capomastro.answers import Audit
from capomastro.documents.wordings import explained
from capomastro.engine.game import AnyGame


def audit(game: AnyGame, document: Any) -> Audit:
    """Lists everything impossible in a state of valid shape."""
    state = shaped_state(game, document)
    return Audit([explained(game, finding, "/state") for finding in game.audit(state)])
