"""A typed client of capomastro, the referee of four building games.

`Capomastro` asks a running service. `models` has a class for every document; a member that is absent is `UNSET`.
"""

from msgspec import UNSET, UnsetType

from capomastro_client import models
from capomastro_client.client import Capomastro
from capomastro_client.positions import Position, Seen, view_of
from capomastro_client.problems import CapomastroError, Problem, UnexpectedAnswerError, UnreachableError
from capomastro_client.retries import NEVER, Retries
from capomastro_client.sealed_tables import SealedTable, extends
from capomastro_client.version import __version__

__all__ = [
    "NEVER",
    "UNSET",
    "Capomastro",
    "CapomastroError",
    "Position",
    "Problem",
    "Retries",
    "SealedTable",
    "Seen",
    "UnexpectedAnswerError",
    "UnreachableError",
    "UnsetType",
    "__version__",
    "extends",
    "models",
    "view_of",
]
