"""Templates: scoresheets with only the required members filled in."""

from collections.abc import Iterator, Sequence
from typing import Any

from capomastro.adjudicator.loading import load_names, load_options
from capomastro.documents import shapes
from capomastro.documents.reading import reader_of
from capomastro.engine.game import AnyGame
from capomastro.engine.refusals import Refusal


def scoresheet_template(game: AnyGame, players: int, names: Sequence[str] | None = None) -> dict[str, Any]:
    """An empty scoresheet for this number of players, with their names if given.

    It has the members that the schema requires and those that the sheet of a finished game also needs, each as small
    as possible: zeros, empty lists, the first of several forms.

    Raises:
        Problem: `options` if the number of players or names does not fit.
    """
    load_options(game, players, {})
    load_names(players, names)
    empties = Empties(game, players)
    schema = shapes.schema_at(shapes.identifier(game.id, "scoresheet"))
    sheet: dict[str, Any] = empties.smallest(schema)
    for seat, name in zip(sheet["seats"], names or (), strict=False):
        seat["name"] = name
    while any(empties.add(sheet, schema, finding.pointer.split("/")[1:]) for finding in missing(game, sheet)):
        pass  # one at a time, so that they stay in the order of the board
    return sheet


def missing(game: AnyGame, sheet: dict[str, Any]) -> Sequence[Refusal]:
    """What the sheet of a finished game also needs; what is in an object shows only once the object is there."""
    return game.judge_scoresheet(reader_of(game, "scoresheet")(sheet)).missing


def form_of(schema: shapes.Schema) -> shapes.Schema:
    """What a reference leads to; of several forms the first."""
    for forms in ("oneOf", "anyOf"):
        if forms in schema:
            return form_of(schema[forms][0])
    return form_of(shapes.schema_at(schema["$ref"])) if "$ref" in schema else schema


class Empties:
    """The smallest values that schemas of a game accept, with an entry per player where required."""

    def __init__(self, game: AnyGame, players: int) -> None:
        self.per_player = (game.players[0], game.players[-1])
        self.players = players

    def smallest(self, schema: shapes.Schema) -> Any:
        """The smallest value of a schema; of several forms the first."""
        schema = form_of(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return schema["enum"][0]
        match schema["type"]:
            case "object":
                return {name: self.smallest(schema["properties"][name]) for name in schema.get("required", ())}
            case "array":
                return list(self.items(schema))
            case "integer":
                return schema.get("minimum", 0)
            case "boolean":
                return False
        return ""

    def add(self, holder: Any, schema: shapes.Schema, path: Sequence[str]) -> bool:
        """Adds the smallest value at the first member of a path that does not exist; returns whether it did."""
        schema = form_of(schema)
        if not path or ("properties" not in schema and "items" not in schema):
            return False
        step, *further = path
        if isinstance(holder, list):
            return int(step) < len(holder) and self.add(holder[int(step)], schema["items"], further)
        if step in holder:
            return self.add(holder[step], schema["properties"][step], further)
        holder[step] = self.smallest(schema["properties"][step])
        return True

    def items(self, schema: shapes.Schema) -> Iterator[Any]:
        """The items of the shortest list; one per player if it can be as long as there can be players."""
        length = schema.get("minItems", 0)
        if (length, schema.get("maxItems")) == self.per_player:
            length = self.players
        for _ in range(length):
            yield self.smallest(schema["items"])
