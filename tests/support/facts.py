"""Facts of the box and the code about the schemas of a folder: bounds, tokens, names of members.

Every game has such tables in `tests/games/<game>/facts.py`, as `FACTS`; those of the schemas that belong to no game are
in `tests/documents/facts.py`. Places are written as "state.json#/properties/seats": a file of the folder and a pointer.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from capomastro.documents.shapes import COMMON

Bounds = Mapping[str, Any]
"""Keywords that say how much, how many or how long, and their values."""


def number(least: int | None, most: int | None = None) -> Bounds:
    return stated(minimum=least, maximum=most)


def items(fewest: int | None, most: int | None = None, different: bool | None = None) -> Bounds:
    return stated(minItems=fewest, maxItems=most, uniqueItems=different)


def text(fewest: int | None = None, most: int | None = None, pattern: str | None = None) -> Bounds:
    return stated(minLength=fewest, maxLength=most, pattern=pattern)


def members(most: int) -> Bounds:
    return stated(maxProperties=most)


def form(name: str) -> Bounds:
    return stated(format=name)


def needing(members: Mapping[str, Sequence[str]]) -> Bounds:
    """The members that a member requires beside it."""
    return stated(dependentRequired=members)


def stated(**bounds: Any) -> Bounds:
    return {name: value for name, value in bounds.items() if value is not None}


class Names(NamedTuple):
    """The members of an object without a struct, and the required ones."""

    names: tuple[str, ...]
    required: tuple[str, ...]


def each_of(names: Iterable[str]) -> Names:
    every = tuple(names)
    return Names(every, every)


def any_of(names: Iterable[str], *required: str) -> Names:
    """The `required` members first, then the optional ones."""
    return Names((*required, *names), required)


class Facts(NamedTuple):
    """The tables of a folder.

    bounds: All bounds.
    tokens: The values of `enum` or `const`, in this order, except those that follow from types, such as tags.
    names: The members of objects that are not structs.
    box: By group of the game's components the definition in `tokens.json` that names them; None if no document does.
    places: Further definitions in `tokens.json`.
    free: Places for any text, or any further member.
    anything: Places for any value.
    """

    bounds: Mapping[str, Bounds]
    tokens: Mapping[str, Sequence[Any]] = {}
    names: Mapping[str, Names] = {}
    box: Mapping[str, str | None] = {}
    places: Sequence[str] = ()
    free: Sequence[str] = ()
    anything: Sequence[str] = ()


@cache
def facts_of(folder: str) -> Facts:
    """The tables of a folder of schemas."""
    name = "tests.documents" if folder == COMMON else f"tests.games.{folder.replace('-', '_')}"
    facts: Facts = import_module(f"{name}.facts").FACTS
    return facts


def tokens_at(place: str) -> Sequence[Any] | None:
    """The tokens a table has for a place such as "palazzo/tokens.json#/$defs/tile"; None if none does."""
    folder, _, within = place.partition("/")
    return facts_of(folder).tokens.get(within)


def names_at(place: str) -> Names | None:
    """The names of members a table has for a place; None if none does."""
    folder, _, within = place.partition("/")
    return facts_of(folder).names.get(within)


def is_free(place: str) -> bool:
    """Whether a table declares the texts at a place as free."""
    folder, _, within = place.partition("/")
    return within in facts_of(folder).free


def can_be_anything(place: str) -> bool:
    """Whether a table allows any value at a place."""
    folder, _, within = place.partition("/")
    return within in facts_of(folder).anything
