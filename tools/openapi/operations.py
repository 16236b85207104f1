"""Operations: each resource of a game, expanded for every game, so that every body is typed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tools.openapi.answers import answer_schema
from tools.openapi.bundle import document
from tools.openapi.nodes import Node, pascal, schema_component

from capomastro.api import problems
from capomastro.api.declarations import Resource
from capomastro.api.envelopes import Alternatives
from capomastro.api.resources import RESOURCES
from capomastro.documents import shapes
from capomastro.documents.rule_examples import rule_examples
from capomastro.documents.wordings import rules_of
from capomastro.engine.game import AnyGame
from capomastro.games import all_games

CATALOGUE, ARCHIVES, SERVICE = "catalogue", "archives", "service"


@dataclass(frozen=True)
class Operation:
    """A resource, expanded for a game if it belongs to games."""

    resource: Resource
    game: AnyGame | None

    @property
    def path(self) -> str:
        return self.resource.path.replace("{game}", self.game.id) if self.game else self.resource.path

    @property
    def folder(self) -> str:
        return self.game.id if self.game else ""

    @property
    def id(self) -> str:
        return self.named(self.resource.name)

    @property
    def tag(self) -> str:
        if self.game:
            return self.game.id
        if self.resource.streamed:
            return ARCHIVES
        return CATALOGUE if self.resource.path.startswith("/v1/") else SERVICE

    @property
    def request(self) -> str:
        """The name of the component that describes the body."""
        return f"{pascal(self.folder)}{type(self.resource.envelope).__name__}Request"

    @property
    def answer(self) -> Node:
        """The schema of the answer."""
        return answer_schema(self.resource.answer, self.folder)

    @property
    def problems(self) -> tuple[str, ...]:
        """The ids of its problems; `not-found` only if the path has parameters left."""
        chosen = "{" in self.path
        return tuple(id for id in self.resource.problems if chosen or id != "not-found")

    def named(self, name: str) -> str:
        return f"{self.game.id}-{name}" if self.game else name


@cache
def operations() -> tuple[Operation, ...]:
    """General operations, then those of each game."""
    of_games = [resource for resource in RESOURCES if "{game}" in resource.path]
    return (
        *(Operation(resource, None) for resource in RESOURCES if "{game}" not in resource.path),
        *(Operation(resource, game) for game in all_games().values() for resource in of_games),
    )


# --- requests --------------------------------------------------------------------------------------------------------


PARAMETERS = {
    "rule": "The full id of a rule, as in refusals.",
    "document": "The kind of document.",
    "problem": "The id of a kind of problem.",
}


def example_rule(game: AnyGame) -> str:
    """A rule that has an example, if one has."""
    return next(iter([*rule_examples(game), *rules_of(game)]))


def path_parameters(operation: Operation) -> dict[str, tuple[Node, str]]:
    """The schema of each path parameter, and an existing value."""
    found: dict[str, tuple[Node, str]] = {}
    if "{rule}" in operation.path and operation.game:
        pattern = rf"^{operation.game.id}(\.[a-z0-9-]+){{2}}$"
        found["rule"] = ({"type": "string", "pattern": pattern}, example_rule(operation.game))
    if "{document}" in operation.path:
        known = shapes.documents_of(operation.folder or None)
        found["document"] = ({"type": "string", "enum": list(known)}, known[0])
    if "{problem}" in operation.path:
        found["problem"] = ({"type": "string", "enum": list(problems.catalogue())}, next(iter(problems.catalogue())))
    return found


def query_parameters(operation: Operation) -> list[Node]:
    """The parameters of the query."""
    envelope = operation.resource.parameters
    schema = envelope.described(lambda kind: document(operation.folder, kind)) if envelope else {"properties": {}}
    return [
        {"name": name, "in": "query", "description": member.pop("description"), "schema": member}
        for name, member in schema["properties"].items()
    ]


def request_components(operation: Operation) -> Iterator[tuple[str, Node]]:
    """The body of a request; exactly one of several members gives a union of closed objects."""
    envelope = operation.resource.envelope
    assert envelope is not None
    schema = envelope.described(lambda kind: document(operation.folder, kind))
    if isinstance(envelope, Alternatives):
        names = [f"{operation.request}With{pascal(member)}" for member in envelope.exactly_one_of]
        yield from zip(names, schema["oneOf"], strict=True)
        yield operation.request, {**schema, "oneOf": [schema_component(name) for name in names]}
        return
    if operation.game and "players" in schema["properties"]:
        fewest, most = operation.game.players[0], operation.game.players[-1]
        schema["properties"]["players"] |= {"minimum": fewest, "maximum": most}
        schema["properties"]["names"] |= {"minItems": fewest, "maxItems": most}
    yield operation.request, schema
