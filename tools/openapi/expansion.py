"""From the contract to what generators need: one document without references to files, in which every body is typed.

`openapi.yaml` has each resource once, for whichever game `{game}` is. Here each of them becomes an operation of each
game, or of one, about the documents of that game: of a component with one alternative per game it takes the game's, and
every component with such a part becomes one of the game, named after it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tools.openapi import bundle
from tools.openapi.nodes import EXAMPLES, SCHEMAS, Node, component, pascal, references, schema_component

GAME = "{game}"
GAME_PARAMETER = component("parameters", "game")
RESPONSES = "#/components/responses/"
GONE = "404"
"""The answer where a path leads nowhere."""


def titles_of(contract: Node) -> dict[str, str]:
    """The titles of all games by id."""
    described = contract["components"]["parameters"]["game"]["schema"]["oneOf"]
    return {game["const"]: game["title"] for game in described}


def expanded(contract: Node, games: Sequence[str]) -> Node:
    """The specification of these games, in their order, without examples of requests and answers."""
    expansion = Expansion(contract, games)
    paths = expansion.paths
    head = {name: member for name, member in contract.items() if name not in ("paths", "components")}
    components = contract["components"]
    parameters = {name: described for name, described in components["parameters"].items() if name != "game"}
    return {
        **head,
        **described_head(contract, games),
        "paths": paths,
        "components": {
            "schemas": bundle.reachable(paths, expansion.schemas),
            "parameters": parameters,
            "headers": components["headers"],
        },
    }


def described_head(contract: Node, games: Sequence[str]) -> Node:
    """What the head says of the games: of several, each has a tag; of one, the title."""
    titles = titles_of(contract)
    if len(games) == 1:
        return {"info": {**contract["info"], "title": f"{contract['info']['title']}: {titles[games[0]]}"}}
    shared = {tag for path, item in contract["paths"].items() if GAME not in path for tag in tags_of(item)}
    first, *others = (tag for tag in contract["tags"] if tag["name"] in shared)
    of_games = [{"name": game, "description": f"{titles[game]}: every operation."} for game in games]
    return {"tags": [first, *of_games, *others]}


def tags_of(item: Node) -> Iterator[str]:
    for _, operation in methods_of(item):
        yield from operation["tags"]


def methods_of(item: Node) -> Iterator[tuple[str, Node]]:
    """The operations of a path by method."""
    yield from ((name, member) for name, member in item.items() if name != "parameters")


@dataclass(frozen=True)
class Expansion:
    """The contract and the games it is expanded for."""

    contract: Node
    games: Sequence[str]

    @cached_property
    def declared(self) -> Mapping[str, Node]:
        """The schemas of the contract by name."""
        found: dict[str, Node] = self.contract["components"]["schemas"]
        return found

    @cached_property
    def alternatives(self) -> Mapping[str, Mapping[str, Node]]:
        """The schemas with one alternative for each game: by name and game, what is referred to."""
        found: dict[str, Mapping[str, Node]] = {}
        for name, schema in self.declared.items():
            owned = [(self.owner(part.get("$ref", "")), part) for part in schema.get("anyOf", ())]
            by_game = {game: part for game, part in owned if game is not None}
            if owned and len(by_game) == len(owned):
                found[name] = by_game
        return found

    def owner(self, reference: str) -> str | None:
        """The game whose schema this is."""
        for game in titles_of(self.contract):
            if reference.startswith((f"{bundle.FILES}{game}/", f"{SCHEMAS}{pascal(game)}")):
                return game
        return None

    @cached_property
    def of_games(self) -> frozenset[str]:
        """The names of all schemas that differ from game to game, because something in them does."""
        found = frozenset(self.alternatives)
        while more := {name for name in self.declared if name not in found and found & self.parts_of(name)}:
            found |= more
        return found

    def parts_of(self, name: str) -> set[str]:
        """The schemas that this one refers to; of lines none, for each may be of any game."""
        return set() if "contentSchema" in self.declared[name] else {*references(self.declared[name])}

    @cached_property
    def schemas(self) -> dict[str, Node]:
        """Every schema that an operation may need, by name."""
        found: dict[str, Node] = {}
        for game in (None, *self.games):
            for name, schema in self.declared.items():
                if name not in self.alternatives and (name in self.of_games) is (game is not None):
                    found[self.name_of(name, game)] = self.specialised(schema, game)
        known = dict(bundle.components(tuple(titles_of(self.contract))))
        problem = known["Problem"]
        typed = {**problem["properties"], "type": schema_component("ProblemType")}
        known["Problem"] = {**problem, "properties": typed}
        assert not found.keys() & known.keys(), f"two schemas are called {found.keys() & known.keys()}"
        return {**found, **known}

    def name_of(self, name: str, game: str | None) -> str:
        prefix = pascal(game) if game and name in self.of_games else ""
        return prefix + name.removeprefix(prefix)

    @cached_property
    def paths(self) -> dict[str, Node]:
        """The paths, of all games at once first, then of each game."""
        found: dict[str, Node] = {}
        for game in (None, *self.games):
            for path, item in self.contract["paths"].items():
                if (GAME in path) is (game is not None):
                    place = path.replace(GAME, game or "")
                    chosen = [one for one in item.get("parameters", ()) if one != GAME_PARAMETER]
                    found[place] = {
                        method: self.operation(operation, chosen, place, game) for method, operation in methods_of(item)
                    }
        return found

    def operation(self, declared: Node, chosen: Sequence[Node], path: str, game: str | None) -> Node:
        """An operation at this path, about this game."""
        node: Node = self.specialised(declared, game)
        node["parameters"] = [*chosen, *node["parameters"]]
        if "{" not in path:
            node["responses"].pop(GONE, None)
        if game is not None:
            node["operationId"] = f"{game}-{node['operationId']}"
            for link in node["responses"]["200"].get("links", {}).values():
                link["operationId"] = f"{game}-{link['operationId']}"
            if len(self.games) > 1:
                node["tags"] = [game]
        return node

    def specialised(self, node: Any, game: str | None) -> Any:
        """A copy of a node in which everything that is referred to is that of the game."""
        if isinstance(node, list):
            return [self.specialised(item, game) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" not in node:
            return {name: self.specialised(member, game) for name, member in node.items()}
        others = {name: member for name, member in node.items() if name != "$ref"}
        return {**self.referred(node["$ref"], game), **others}

    def referred(self, reference: str, game: str | None) -> Node:
        """What a reference is replaced by: another reference, or what it refers to."""
        if reference.startswith(RESPONSES):
            response = self.contract["components"]["responses"][reference.removeprefix(RESPONSES)]
            found: Node = self.specialised(response, game)
            return found
        if reference.startswith(bundle.FILES):
            return bundle.part(reference)
        if not reference.startswith(SCHEMAS):
            return {"$ref": reference}
        name = reference.removeprefix(SCHEMAS)
        if name not in self.alternatives:
            return schema_component(self.name_of(name, game))
        chosen = [self.specialised(self.alternatives[name][one], one) for one in ([game] if game else self.games)]
        return chosen[0] if len(chosen) == 1 else {"anyOf": chosen}


def without_examples(node: Any, *, named: bool = False) -> Any:
    """A specification without examples; `named`: the members of this node are names of properties or components."""
    if isinstance(node, list):
        return [without_examples(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        name: without_examples(member, named=not named and name in ("properties", "schemas"))
        for name, member in node.items()
        if named or name not in EXAMPLES
    }
