"""Text notation for records: one move per line, with comments. `docs/notation.md` has the grammar.

The notation knows no game: the content of lines follows from the types of the game's moves, options and results.
Nothing is lost: `read` restores exactly the record, and the comments, that `written` wrote.
"""

from capomastro.documents.notation.reading import Comments, Notated, is_notation, read, read_move
from capomastro.documents.notation.writing import written, written_move

__all__ = ["MEDIA_TYPE", "SUFFIX", "Comments", "Notated", "is_notation", "read", "read_move", "written", "written_move"]

MEDIA_TYPE = "text/vnd.capomastro.record"
SUFFIX = ".capo"
"""The suffix of files with a record in this notation."""
