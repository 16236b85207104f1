"""What has the shape of a schema: documents as the service reads them, and others by the letter of their schemas."""

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

from capomastro.documents import shapes
from capomastro.documents.explanations import explaining_validator, explanations
from capomastro.documents.phrases import ShapeError
from capomastro.documents.reading import KINDS, can_read
from capomastro.games import all_games

HAS_VALIDATOR = find_spec("jsonschema_rs") is not None
"""jsonschema-rs has no wheel for WebAssembly, in which browsers run this code."""


class Shape:
    """The shape of a kind of document."""

    def __init__(self, game_id: str | None, kind: str) -> None:
        self.game_id, self.kind = game_id, kind
        self.reference = shapes.identifier(game_id or shapes.COMMON, kind)
        self.is_read = game_id is not None and kind in KINDS

    def accepts(self, document: Any) -> bool:
        if self.is_read:
            return can_read(all_games()[self.game_id or ""], self.kind, document)
        return by_schema(self.reference)(document)

    def errors(self, document: Any) -> list[ShapeError]:
        if self.is_read:
            return shapes.errors_in(all_games()[self.game_id or ""], self.kind, document)
        return errors_by_schema(self.reference, document)


@cache
def shape_of(game_id: str | None, kind: str) -> Shape:
    """The shape of a kind of document of a game (None: of one that belongs to no game).

    Raises:
        KeyError: if there is no such schema.
    """
    shapes.schema_of(game_id, kind)
    return Shape(game_id, kind)


@cache
def by_schema(reference: str) -> Callable[[Any], bool]:
    """Whether a document is valid by the schema at an absolute address."""
    if not HAS_VALIDATOR:
        return lambda document: not errors_by_schema(reference, document)
    import jsonschema_rs

    registry = jsonschema_rs.Registry(list(shapes._schemas().items()), draft=jsonschema_rs.Draft202012)
    return jsonschema_rs.Draft202012Validator({"$ref": reference}, registry=registry).is_valid


def errors_by_schema(reference: str, document: Any) -> list[ShapeError]:
    validator = explaining_validator(lambda _: None, shapes.schema_at)({"$ref": reference})
    return explanations(validator, document)
