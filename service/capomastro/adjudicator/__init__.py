"""The questions one can ask about a game: documents in, documents out.

HTTP, the command line and workers of a cluster are thin skins over these functions. Documents come in as decoded JSON
and are checked in three layers: shape, audit, legality. What cannot be answered raises a `Problem`; its pointers are
into the request, where each document stands under its own name ("/state", "/moves/3").

One room per question, named as the resources of the API are; `loading` is the way in for all of them.
"""

from capomastro.adjudicator.answers import Answer, standing
from capomastro.adjudicator.audits import audit
from capomastro.adjudicator.games import game_in, game_of
from capomastro.adjudicator.loading import load_names, load_options, load_state, shaped_record, sound_states
from capomastro.adjudicator.moves import DEFAULT_LIMIT, MAXIMUM_LIMIT, legal_moves, verdict
from capomastro.adjudicator.records import record_of
from capomastro.adjudicator.replays import replay
from capomastro.adjudicator.scores import score_scoresheet, score_state
from capomastro.adjudicator.setups import set_up
from capomastro.adjudicator.transitions import transition
from capomastro.adjudicator.views import view_of_record, view_of_state

__all__ = [
    "DEFAULT_LIMIT",
    "MAXIMUM_LIMIT",
    "Answer",
    "audit",
    "game_in",
    "game_of",
    "legal_moves",
    "load_names",
    "load_options",
    "load_state",
    "record_of",
    "replay",
    "score_scoresheet",
    "score_state",
    "set_up",
    "shaped_record",
    "sound_states",
    "standing",
    "transition",
    "verdict",
    "view_of_record",
    "view_of_state",
]
