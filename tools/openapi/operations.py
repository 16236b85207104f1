"""Operations: each resource of a game, expanded for every game, so that every body is typed."""

from dataclasses import dataclass
from functools import cache

from capomastro.api import problems
from capomastro.api.declarations import Resource
from capomastro.api.resources import RESOURCES
from capomastro.documents import shapes
from capomastro.documents.rule_examples import rule_examples
from capomastro.documents.wordings import rules_of
from capomastro.engine.game import AnyGame
from capomastro.games import all_games


@dataclass(frozen=True, eq=False)
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


def example_rule(game: AnyGame) -> str:
    """A rule that has an example, if one has."""
    return next(iter([*rule_examples(game), *rules_of(game)]))


def path_values(operation: Operation) -> dict[str, str]:
    """An existing value of each parameter of the path."""
    found: dict[str, str] = {}
    if "{rule}" in operation.path and operation.game:
        found["rule"] = example_rule(operation.game)
    if "{document}" in operation.path:
        found["document"] = shapes.documents_of(operation.folder or None)[0]
    if "{problem}" in operation.path:
        found["problem"] = next(iter(problems.catalogue()))
    return found
