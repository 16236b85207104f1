"""The questions one can ask about a game: documents in, documents out.

HTTP, the command line and cluster workers are thin layers over these functions. Documents arrive as decoded JSON and
are checked in three layers: shape, audit, legality. A request that cannot be answered raises a `Problem`; its pointers
point into the request, where each document has its own name ("/state", "/moves/3").

One module per question, named like the resources of the API; `loading` checks the documents for all of them. The
answers are declared in `capomastro.answers`.
"""

from capomastro.adjudicator.audits import audit
from capomastro.adjudicator.descriptions import described
from capomastro.adjudicator.loading import game_in, game_of, load_names, load_options, load_state, shaped_record
from capomastro.adjudicator.moves import DEFAULT_LIMIT, MAXIMUM_LIMIT, MAXIMUM_NEAREST, legal_moves, verdict
from capomastro.adjudicator.pictures import (
    MAXIMUM_PICTURES,
    Arrangement,
    example_of,
    pictures_of_record,
    pictures_of_scoresheet,
    pictures_of_state,
)
from capomastro.adjudicator.records import record_of
from capomastro.adjudicator.replays import replay
from capomastro.adjudicator.result_pictures import picture_of_result, pictures_of_result
from capomastro.adjudicator.samples import MAXIMUM_SAMPLES, samples, samples_of_record
from capomastro.adjudicator.scores import score_scoresheet, score_state
from capomastro.adjudicator.setups import set_up
from capomastro.adjudicator.suggestions import DEFAULT_PLAYER, PLAYERS, suggestion
from capomastro.adjudicator.templates import scoresheet_template
from capomastro.adjudicator.transitions import MOST_PLAYED_ON, Shown, transition
from capomastro.adjudicator.views import view_of_record, view_of_state

__all__ = [
    "DEFAULT_LIMIT",
    "DEFAULT_PLAYER",
    "MAXIMUM_LIMIT",
    "MAXIMUM_NEAREST",
    "MAXIMUM_PICTURES",
    "MAXIMUM_SAMPLES",
    "MOST_PLAYED_ON",
    "PLAYERS",
    "Arrangement",
    "Shown",
    "audit",
    "described",
    "example_of",
    "game_in",
    "game_of",
    "legal_moves",
    "load_names",
    "load_options",
    "load_state",
    "picture_of_result",
    "pictures_of_record",
    "pictures_of_result",
    "pictures_of_scoresheet",
    "pictures_of_state",
    "record_of",
    "replay",
    "samples",
    "samples_of_record",
    "score_scoresheet",
    "score_state",
    "scoresheet_template",
    "set_up",
    "shaped_record",
    "suggestion",
    "transition",
    "verdict",
    "view_of_record",
    "view_of_state",
]
