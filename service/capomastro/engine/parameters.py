"""The parameters of a kind of move: what a player has to choose, and where on the table it lies.

Where a member lies is a note at its type, in the `moves.py` of a game. A place is a JSON Pointer into the state; a slot
in it is a member of the move (`{palace}`), or something that the state says (`{seat}` who decides, `{builder}`).
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from msgspec import Meta

from capomastro.engine.hands import Hand
from capomastro.engine.moves import Move
from capomastro.engine.stages import deciding_seat

ParameterType = Literal["token", "place", "number", "word"]
SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class InPlaces:
    """Notes the places in, or below, which the tokens lie that a member can name."""

    places: tuple[str, ...]


@dataclass(frozen=True)
class IsPlace:
    """Notes that a member names a place, and where that is."""

    places: tuple[str, ...]


def lying_in(*places: str) -> InPlaces:
    """Notes where the tokens lie that a member can name."""
    return InPlaces(places)


def place_at(*places: str) -> IsPlace:
    """Notes the place that a member names."""
    return IsPlace(places)


class Parameter(NamedTuple):
    """A member of a move that a player chooses; a set has from `least` to `most` tokens or places."""

    member: str
    type: ParameterType
    places: tuple[str, ...]
    is_set: bool
    least: int
    most: int


@cache
def parameters_of(kind: type[Move]) -> tuple[Parameter, ...]:
    """The parameters of a kind of move, in the order of its members.

    Cached: without it the kinds of moves of a decision take 1.8 to 2.4 times as long (2026-11-27).
    """
    hints = get_type_hints(kind, include_extras=True)
    return tuple([parameter(name, hints[name]) for name in kind.__struct_fields__ if name != "seat"])


def parameter(name: str, hint: Any) -> Parameter:
    notes = [note for note in notes_of(hint) if not isinstance(note, str)]
    bare = bare_type(hint)
    place = next((note for note in notes if isinstance(note, InPlaces | IsPlace)), None)
    kind: ParameterType = "number" if bare is int else "word"
    if place is not None:
        kind = "place" if isinstance(place, IsPlace) else "token"
    is_set = bare is tuple
    bounds = [note for note in notes if isinstance(note, Meta)]
    least = next((note.min_length for note in bounds if note.min_length is not None), 0) if is_set else 1
    most = next((note.max_length for note in bounds if note.max_length is not None), 1) if is_set else 1
    return Parameter(name, kind, place.places if place else (), is_set, least, most)


def notes_of(hint: Any) -> list[Any]:
    """The notes at a type, the outermost first."""
    return list(hint.__metadata__[::-1]) if get_origin(hint) is Annotated else []


def bare_type(hint: Any) -> Any:
    """What is left of a type without its notes: `str`, `int` or `tuple`."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    return tuple if get_origin(hint) is tuple else hint


def filled(place: str, state: Any, kind: type[Move]) -> str:
    """A place with what the state says in its slots; those that name a member of the move stay, but for its seat."""

    def said(slot: "re.Match[str]") -> str:
        name = slot[1]
        if name == "seat":
            return str(deciding_seat(state))
        return slot[0] if name in kind.__struct_fields__ else str(getattr(state, name))

    return SLOT.sub(said, place)


def number_at(state: Any, place: str) -> int | None:
    """The number of tokens in and below a place, up to its first slot; None if the state has no such place."""
    found: Any = state
    for part in place.partition("{")[0].strip("/").split("/"):
        if isinstance(found, tuple) and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        elif hasattr(found, part):
            found = getattr(found, part)
        else:
            return None
    return sum_of_tokens(found)


def sum_of_tokens(found: Any) -> int:
    """How many tokens there are in a part of a state; hidden ones are not known."""
    if isinstance(found, str):
        return 1
    if isinstance(found, Hand):
        return len(found.known)
    if isinstance(found, tuple):
        return sum(map(sum_of_tokens, found))
    names: tuple[str, ...] = getattr(found, "__struct_fields__", ())
    return sum(sum_of_tokens(getattr(found, name)) for name in names)
