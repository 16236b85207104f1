"""Documents as clients see them: JSON and back, and walking through any of them."""

from collections.abc import Iterator
from typing import Any

from capomastro.documents import json_text
from capomastro.documents.reading import reader_of
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move


def as_document(value: Any) -> Any:
    """A value as a client gets it: the decoded JSON."""
    return json_text.decode(json_text.encode(value))


def as_state(game: AnyGame, document: Any) -> Any:
    """The state in a document."""
    return reader_of(game, "state")(document)


def as_scoresheet(game: AnyGame, document: Any) -> Any:
    """The scoresheet in a document."""
    return reader_of(game, "scoresheet")(document)


def as_move(game: AnyGame, document: Any) -> Move:
    """The move in a document."""
    move: Move = reader_of(game, "move")(document)
    return move


def leaves(document: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every text, number, boolean and null in a document, with its JSON Pointer."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from leaves(value, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(document, list | tuple):
        for index, value in enumerate(document):
            yield from leaves(value, f"{pointer}/{index}")
    else:
        yield pointer, document


def texts(document: Any) -> list[str]:
    """Every text in a document, without the names of members."""
    found: list[str] = []
    within = [document]
    for value in within:  # which becomes longer meanwhile
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            within += value.values()
        elif isinstance(value, list | tuple):
            within += value
    return found
