"""Action ids: every move of a game is spelled with symbols of one fixed alphabet.

The symbols are read from the schema of the game's moves: the kinds of moves, *done*, tokens, numbers. A move is its
kind, then its members in their order; a set is its tokens in the order of the alphabet, then *done*. So every move has
exactly one spelling, no spelling begins another, and an id means the same in every position.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from capomastro.documents.shapes import referred, schema_of
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move, type_of

Value = str | int | None
"""A token, a number, or what the writer of a record did not see."""

NOT_CHOSEN = ("type", "seat")
"""The members of a move that are not spelled: the kind is spelled first, and who moves follows from the position."""


Members = Sequence[tuple[str, bool]]
"""The members of a kind of move in their order, and whether they are sets."""


@dataclass(frozen=True)
class Alphabet:
    """The symbols of a game; the index of a symbol is its action id.

    Kinds of moves and values have ids of their own, even if they have the same name.
    """

    symbols: tuple[str, ...]
    kinds: dict[str, int]
    """The ids of the kinds of moves, of seats and of chance."""
    members: tuple[Members, ...]
    """The members of each kind that are spelled, by its id."""
    done: int
    """The id that ends a set."""
    values: dict[Value, int]
    """The ids of tokens and numbers; None: not seen."""
    meanings: dict[int, Value]
    """The tokens and numbers by their ids."""

    @property
    def size(self) -> int:
        return len(self.symbols)

    def spelling(self, move: Move) -> tuple[int, ...]:
        """The ids that spell a move, legal or not."""
        kind = self.kinds[type_of(type(move))]
        return (kind, *chain.from_iterable(self.spelling_of(getattr(move, name)) for name, _ in self.members[kind]))

    def spelling_of(self, member: Value | tuple[str, ...]) -> tuple[int, ...]:
        """The ids that spell a member of a move."""
        if isinstance(member, tuple):
            return (*sorted(map(self.values.__getitem__, member)), self.done)
        return (self.values[member],)


@cache
def alphabet_of(game: AnyGame) -> Alphabet:
    """The alphabet of a game: the same for any number of players and all options."""
    schema = schema_of(game.id, "move")
    kinds = [reference["$ref"].rpartition("/")[2] for reference in schema["oneOf"]]
    found: dict[Value, None] = {}
    members: list[Members] = []
    for kind in kinds:
        nodes = {
            name: Node(game.id, "move", member).resolved()
            for name, member in schema["$defs"][kind]["properties"].items()
            if name not in NOT_CHOSEN
        }
        members.append([(name, node.content.get("type") == "array") for name, node in nodes.items()])
        for node in nodes.values():
            found.update(dict.fromkeys(values_in(node)))
    tokens = [value for value in found if isinstance(value, str)]
    numbers = sorted(value for value in found if isinstance(value, int))
    ordered: list[Value] = [*tokens, *numbers, None]
    symbols = (*kinds, "done", *(str(value) for value in ordered[:-1]), "not seen")
    ids = {kind: index for index, kind in enumerate(kinds)}
    values = {value: index for index, value in enumerate(ordered, len(kinds) + 1)}
    return Alphabet(symbols, ids, tuple(members), len(kinds), values, {id_: value for value, id_ in values.items()})


@dataclass(frozen=True)
class Node:
    """A place in the schemas of a game: the schema file it stands in, and its content."""

    game: str | None
    document: str
    content: dict[str, Any]

    def below(self, content: dict[str, Any]) -> "Node":
        return Node(self.game, self.document, content)

    def resolved(self) -> "Node":
        """The schema itself, instead of a reference to it, unless the members named beside the reference narrow it."""
        if "$ref" not in self.content or "properties" in self.content:
            return self
        file, _, path = self.content["$ref"].partition("#/")
        game, document = referred(self.game, file) if file else (self.game, self.document)
        target: Any = schema_of(game, document)
        for step in path.split("/") if path else ():
            target = target[step]
        found = Node(game, document, target).resolved()
        beside = {name: member for name, member in self.content.items() if name in ("minItems", "maxItems", "maximum")}
        return Node(found.game, found.document, {**found.content, **beside}) if beside else found


def values_in(node: Node) -> Iterator[Value]:
    """The values that a member of a move can have, or the tokens of a set."""
    node = node.resolved()
    content = node.content
    if "anyOf" in content:
        for alternative in content["anyOf"]:
            yield from values_in(node.below(alternative))
    elif content.get("type") == "array":
        yield from values_in(node.below(content["items"]))
    elif content.get("type") == "integer":
        yield from range(content["minimum"], content["maximum"] + 1)
    elif "enum" in content:
        yield from content["enum"]
    elif "const" in content:
        yield content["const"]
