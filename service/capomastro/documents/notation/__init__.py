"""Records as people write them: one move a line, comments allowed. `docs/notation.md` has the grammar.

The notation names no game: what a line can say follows from the types of the game's moves, options and results. A
record survives exactly: what `written` makes of it, `read` makes the same record again.
"""

from capomastro.documents.notation.reading import Notated, is_notation, read
from capomastro.documents.notation.writing import written

__all__ = ["MEDIA_TYPE", "SUFFIX", "Notated", "is_notation", "read", "written"]

MEDIA_TYPE = "text/vnd.capomastro.record"
SUFFIX = ".capo"
"""How the name of a file ends that holds a record in this notation."""
