"""Reference data that a client would otherwise copy from the rulebook, such as the attributes of tokens, and points.

A game declares a subclass of `Reference` in its `reference.py` and fills it from its own tables.
"""

from typing import Annotated

from msgspec import Meta, Struct


class Part(Struct, frozen=True):
    """An object in reference data. Members may be added in later versions."""


class Reference(Part, frozen=True):
    """The reference data of a game."""


def reference() -> Reference:
    """The reference data of a game that declares none."""
    return Reference()


class Component(Part, frozen=True):
    """A component of the box."""

    token: str
    """Its token, as in states and moves."""
    count: Annotated[int, Meta(ge=1)]
    """How many of it are in the box."""
