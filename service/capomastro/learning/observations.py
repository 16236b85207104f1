"""Observations: what a seat may know, as a vector of fixed length, read from the schema of the game's states.

A place with tokens becomes one count for each token; a stage, a token, a seat and a small number are one-hot, a larger
number is itself. Seats are rotated so that the observer is seat 0. Members that may be absent have a flag. Of long rows
of places the last counts all that follow.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from capomastro.documents.shapes import schema_of
from capomastro.engine.game import AnyGame, State
from capomastro.learning.alphabet import Alphabet, Node, alphabet_of

Vector: TypeAlias = NDArray[np.float32]

Numbers = defaultdict[int, float]
"""What is not 0 of an observation, by index: few numbers of many, which are counted up faster than in an array."""

MOST_PLACES = 12
"""The places of a row that are told apart."""
SMALL = 16
"""Numbers with at most so many values are one-hot."""
LEFT_OUT = ("game", "schema_version", "rules_version", "names", "type")
"""Members that are the same in all games, or of no consequence."""

Slices = Iterator[tuple[str, int, int]]
"""Names of parts of an observation: where each begins, and its length."""


@dataclass(frozen=True)
class View:
    """Who looks at how many players."""

    players: int
    seat: int

    def rotated(self, seat: int) -> int:
        return (seat - self.seat) % self.players


class Part(ABC):
    """How one member of a document becomes numbers."""

    size: int

    @abstractmethod
    def write(self, value: Any, out: Numbers, at: int, view: View) -> None:
        """Adds `value`, a JSON value, to `out` from index `at` on."""

    def slices(self, name: str, at: int) -> Slices:
        yield name, at, self.size


class Tokens(Part):
    """One-hot, or of several tokens in any order: how many of each."""

    def __init__(self, tokens: Sequence[Any]) -> None:
        self.index = {token: index for index, token in enumerate(tokens)}
        self.size = len(self.index)

    def write(self, value: Any, out: Numbers, at: int, view: View) -> None:
        for token in value if isinstance(value, list | tuple) else (value,):
            out[at + self.index[token]] += 1


class Seats(Part):
    """One-hot, or several: how often each, from the observer on; other tokens stand behind the seats."""

    def __init__(self, players: int, others: Sequence[str] = ()) -> None:
        self.index = {token: index for index, token in enumerate(others, players)}
        self.size = players + len(self.index)

    def write(self, value: Any, out: Numbers, at: int, view: View) -> None:
        for seat in value if isinstance(value, list | tuple) else (value,):
            out[at + (view.rotated(seat) if isinstance(seat, int) else self.index[seat])] += 1


class Number(Part):
    """A number as it is, or true or false as 1 or 0."""

    size = 1

    def write(self, value: Any, out: Numbers, at: int, view: View) -> None:
        out[at] += value


class Optional(Part):
    """A flag, 1 if there is a value, and the value."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.size = 1 + part.size

    def write(self, value: Any, out: Numbers, at: int, view: View) -> None:
        if value is not None:
            out[at] = 1
            self.part.write(value, out, at + 1, view)

    def slices(self, name: str, at: int) -> Slices:
        yield f"{name}?", at, 1
        yield from self.part.slices(name, at + 1)


class Row(Part):
    """Several places in order; by seat from the observer on."""

    def __init__(self, part: Part, places: int, *, by_seat: bool) -> None:
        self.part, self.places, self.by_seat = part, places, by_seat
        self.size = part.size * places

    def write(self, value: Any, out: Numbers, at: int, view: View) -> None:
        for index, each in enumerate(value):
            place = view.rotated(index) if self.by_seat else min(index, self.places - 1)
            self.part.write(each, out, at + place * self.part.size, view)

    def slices(self, name: str, at: int) -> Slices:
        for place in range(self.places):
            yield from self.part.slices(f"{name}/{place}", at + place * self.part.size)


class Members(Part):
    """An object: its members, one after the other."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self.parts: dict[str, tuple[Part, int]] = {}
        self.size = 0
        for name, part in parts.items():
            self.parts[name] = (part, self.size)
            self.size += part.size

    def write(self, value: Any, out: Numbers, at: int, view: View) -> None:
        for name, member in value.items():
            if member is not None and name in self.parts:
                part, start = self.parts[name]
                if member or not isinstance(part, Members):  # an empty object, such as a lot, has nothing to write
                    part.write(member, out, at + start, view)

    def slices(self, name: str, at: int) -> Slices:
        for member, (part, start) in self.parts.items():
            yield from part.slices(f"{name}/{member}", at + start)


class Kinds(Part):
    """One of several kinds of objects: its type one-hot, and the members of all kinds, those of one name together."""

    def __init__(self, kinds: Mapping[str, Mapping[str, Part]]) -> None:
        self.types = Tokens([*kinds])
        members: dict[str, Part] = {}
        for parts in kinds.values():
            for name, part in parts.items():
                before = members.setdefault(name, part)
                if isinstance(before, Tokens) and isinstance(part, Tokens):
                    members[name] = Tokens(
                        [*before.index, *(token for token in part.index if token not in before.index)]
                    )
        self.members = Members(members)
        self.size = self.types.size + self.members.size

    def write(self, value: Any, out: Numbers, at: int, view: View) -> None:
        self.types.write(value["type"], out, at, view)
        self.members.write(value, out, at + self.types.size, view)

    def slices(self, name: str, at: int) -> Slices:
        yield from self.types.slices(f"{name}/type", at)
        yield from self.members.slices(name, at + self.types.size)


class Reader:
    """Reads schemas of a game for a number of players."""

    def __init__(self, game: AnyGame, players: int) -> None:
        self.players = players
        state = Node(game.id, "state", schema_of(game.id, "state"))
        seats = state.content["properties"]["seats"]
        self.of_players = (seats["minItems"], seats["maxItems"])
        self.state = Members(self.members(state))

    def members(self, node: Node) -> dict[str, Part]:
        """The members of an object. Those that may be absent without a default have a flag."""
        content = node.content
        required, found = content.get("required", ()), {}
        for name, member in content["properties"].items():
            if name in LEFT_OUT:
                continue
            below = node.below(member)
            part = self.part(below)
            holds_tokens = isinstance(part, Tokens | Seats) and below.resolved().content.get("type") != "array"
            sure = name in required or "default" in member or holds_tokens or isinstance(part, Optional)
            found[name] = part if sure else Optional(part)
        return found

    def part(self, node: Node) -> Part:
        """How a schema becomes numbers."""
        if is_seat(node):
            return Seats(self.players)
        node = node.resolved()
        content = node.content
        if "$ref" in content:
            return Members({name: self.narrowed(node.below(each)) for name, each in content["properties"].items()})
        if "oneOf" in content:
            kinds = [node.below(each).resolved() for each in content["oneOf"]]
            return Kinds({kind.content["properties"]["type"]["const"]: self.members(kind) for kind in kinds})
        if "anyOf" in content:
            return self.alternative([node.below(each) for each in content["anyOf"]])
        if "enum" in content or "const" in content:
            return Tokens(content.get("enum", [content.get("const")]))
        kind = content["type"]
        if isinstance(kind, list):
            return self.alternative([node.below({**content, "type": each}) for each in kind])
        match kind:
            case "array":
                return self.row(node)
            case "boolean":
                return Number()
            case "integer":
                least, most = content["minimum"], content.get("maximum")
                return Number() if most is None or most - least >= SMALL else Tokens(range(least, most + 1))
            case "object":
                return Members(self.members(node))
            case other:
                raise ValueError(f"no observation of {other}")

    def narrowed(self, node: Node) -> Part:
        """A member of a hand: its tokens, or its names of numbers."""
        if "propertyNames" in node.content:
            return Members(dict.fromkeys(node.content["propertyNames"]["enum"], Number()))
        return self.part(node.below(node.content["items"]))

    def alternative(self, nodes: Sequence[Node]) -> Part:
        """One of several schemas: nothing, a seat, or tokens."""
        rest = [node for node in nodes if node.content.get("type") != "null"]
        if len(rest) == 1:
            part = self.part(rest[0])
            return part if isinstance(part, Tokens | Seats) and len(nodes) > 1 and part.size > 1 else Optional(part)
        tokens = [token for node in rest if not is_seat(node) for token in self.tokens(node)]
        return Seats(self.players, tokens) if any(map(is_seat, rest)) else Tokens(tokens)

    def tokens(self, node: Node) -> list[Any]:
        part = self.part(node)
        assert isinstance(part, Tokens)
        return [*part.index]

    def row(self, node: Node) -> Part:
        """An array: of tokens in any order, of seats, by seat, or of places."""
        content = node.content
        items = node.below(content["items"])
        part = self.part(items)
        if isinstance(part, Tokens | Seats) and items.resolved().content.get("type") != "array":
            return part
        if (content.get("minItems"), content.get("maxItems")) == self.of_players:
            return Row(part, self.players, by_seat=True)
        return Row(part, min(content["maxItems"], MOST_PLACES), by_seat=False)


def is_seat(node: Node) -> bool:
    """Whether a schema refers to that of a seat's number."""
    return str(node.content.get("$ref", "")).endswith(("/seat-index", "/seat-index.json"))


@dataclass(frozen=True)
class Observer:
    """Makes observations of a game with a number of players."""

    game: AnyGame
    players: int
    state: Members
    alphabet: Alphabet

    @property
    def size(self) -> int:
        """The length of an observation."""
        return self.state.size + self.alphabet.size

    def observation(self, state: State, seat: int | None, spelled: Sequence[int] = ()) -> Vector:
        """What a seat (None: a spectator, who sees no hand, from seat 0) may know of a state.

        `spelled` are the ids that the seat has chosen of its move so far: how many of each stands at the end.
        """
        out: Numbers = defaultdict(float)
        document = msgspec.to_builtins(self.game.view(state, seat))
        self.state.write(document, out, 0, View(self.players, seat or 0))
        for choice in spelled:
            out[self.state.size + choice] += 1
        vector: Vector = np.zeros(self.size, np.float32)
        vector[[*out]] = [*out.values()]
        return vector

    def slices(self) -> dict[str, slice]:
        """The parts of an observation: by the path of the member in the state's document, and `spelled`."""
        parts = {name.removeprefix("/"): slice(at, at + size) for name, at, size in self.state.slices("", 0)}
        return {**parts, "spelled": slice(self.state.size, self.size)}


@cache
def observer_of(game: AnyGame, players: int) -> Observer:
    """The observer of a game with so many players."""
    return Observer(game, players, Reader(game, players).state, alphabet_of(game))
