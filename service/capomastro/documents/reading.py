"""Reads documents of a game: checks that each has the shape of its type, and makes an immutable value of it.

Every type becomes a function, once; one walk over a decoded document checks it, makes the value and sorts its
multisets. The schemas are made of the same types, and explain what is refused; a test compares the verdicts.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import call, itemgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, UnsetType
from msgspec.structs import fields

from capomastro.engine.game import AnyGame
from capomastro.engine.hands import MOST_CARDS, Hand, HandOf
from capomastro.engine.members import DIFFERENT, Document, Keys, NoMoreThanPlayers, SeatIndex, ThisGame
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.engine.records import Record
from capomastro.engine.results import Line, ScoreLine

Read = Callable[[Any], Any]
"""Makes a value of a decoded document, or raises `Unreadable`."""
Make = Callable[[Iterable[Any]], Any]
"""Makes a value of the items of a list."""

UNBOUNDED = float("inf")


class Unreadable(ValueError):
    """A document does not have the shape of its type; its schema explains why."""


KINDS = ("state", "move", "options", "scoresheet", "record", "result", "line", "score-line")
"""The kinds of documents that are read. Lines of results, of a game and of all games, are among them, so that a wrong
one is found quickly among thousands."""


@cache
def reader_of(game: AnyGame, kind: str) -> Read:
    """Reads the documents of one of `KINDS`."""
    types = {
        "state": game.state_type,
        "move": game.moves,
        "options": game.options_type,
        "scoresheet": game.scoresheet_type,
        "record": Record,
        "result": game.result_type,
        "line": filled_in(game.result_type)[Line],
        "score-line": ScoreLine,
    }
    # results can have members that other versions add
    return Types(game, is_open=kind in ("result", "line", "score-line")).read(types[kind])


def can_read(game: AnyGame, kind: str, document: Any) -> bool:
    """Whether a document has the shape of its kind."""
    try:
        reader_of(game, kind)(document)
    except Unreadable:
        return False
    return True


# --- types ------------------------------------------------------------------------------------------------------------


class Types:
    """Makes a function of every type in the documents of a game.

    An object of an open type can have further members, which are ignored, and any seat.
    """

    def __init__(self, game: AnyGame, is_open: bool) -> None:
        self.game = game
        self.is_open = is_open

    def read(self, hint: Any) -> Read:
        """What reads values of a type.

        Raises:
            TypeError: if documents have no such values.
        """
        kind, notes = unfolded(hint)
        if hint == SeatIndex and not self.is_open:
            return read_integer(0, self.game.players[-1] - 1)
        if (document := notes.first(Document)) is not None:
            return reader_of(self.game, document.kind)
        if (hand := notes.first(HandOf)) is not None:
            return self.read_hand(hand)
        if ThisGame in notes.all:
            return read_one_of([self.game.id])
        if allowed := values_of(hint):
            return read_one_of(allowed)
        if kind is str:
            return read_text(*notes.length, notes.pattern)
        if kind is int:
            least, most = notes.bounds
            return read_integer(least, self.limited(most, notes))
        if kind in (bool, NoneType):
            return read_type(kind)
        return self.read_compound(kind, notes)

    def read_compound(self, kind: Any, notes: "Notes") -> Read:
        """For a type that has others as parts."""
        origin = get_origin(kind)
        if origin in (list, tuple):
            return self.read_array(kind, notes)
        if origin is dict:
            return self.read_mapping(kind, notes)
        if origin in (Union, UnionType):
            return self.read_union([branch for branch in get_args(kind) if branch is not UnsetType])
        if is_struct(kind):
            return self.read_union([kind]) if tag_of(kind) else self.read_struct(kind)
        raise TypeError(f"documents have no values of the type {kind}")

    def limited(self, most: float, notes: "Notes") -> float:
        """An upper bound, and no more than the players if that is noted."""
        return min(most, self.game.players[-1]) if NoMoreThanPlayers in notes.all else most

    def read_array(self, kind: Any, notes: "Notes") -> Read:
        item, *others = get_args(kind)
        least, most = notes.length if others in ([], [...]) else (1 + len(others), 1 + len(others))
        length = least, self.limited(most, notes)
        make = sorted_tuple if IN_ANY_ORDER in notes.all else get_origin(kind)
        if DIFFERENT in notes.all:
            return read_different(make, self.read(item), *length)
        allowed = values_of(item)
        if allowed and isinstance(allowed[0], str):
            return read_texts(make, allowed, *length)
        return read_array(make, self.read(item), *length)

    def read_mapping(self, kind: Any, notes: "Notes") -> Read:
        name, member = get_args(kind)
        if (keys := notes.first(Keys)) is not None:
            return read_keyed(keys.names, self.read(member), keys.required)
        return read_mapping(self.read(name), self.read(member), notes.length[1])

    def read_hand(self, note: HandOf) -> Read:
        """A hand with the cards and the piles of the game."""
        cards = self.read(Annotated[(tuple[note.card, ...], IN_ANY_ORDER, Meta(max_length=MOST_CARDS))])  # type: ignore[name-defined]
        unknown = read_keyed(note.piles, read_integer(1, MOST_CARDS), required=False)
        return read_struct(Hand, {"open": cards, "closed": cards, "unknown": unknown}, frozenset())

    def read_union(self, branches: Sequence[Any]) -> Read:
        """A choice by the JSON type of the value, and among objects by `type`."""
        by_type: dict[type, Read] = {}
        if tagged := {tag: self.read_struct(branch) for branch in branches if (tag := tag_of(branch))}:
            by_type[dict] = read_by_tag(tagged)
        for branch in branches:
            if not tag_of(branch):
                json_type = json_type_of(branch)
                if json_type in by_type:
                    raise TypeError(f"two branches are of the JSON type {json_type}: {branches}")
                by_type[json_type] = self.read(branch)
        return read_by_json_type(by_type) if len(by_type) > 1 else next(iter(by_type.values()))

    def read_struct(self, kind: Any) -> Read:
        """An object without further members, unless it is open."""
        struct = get_origin(kind) or kind
        reads = {name: self.read(hint) for name, hint in members_of(kind).items()}
        required = frozenset(field.encode_name for field in fields(struct) if field.required)
        return read_struct(struct, reads, required, has_type=bool(tag_of(kind)), is_open=self.is_open)


class Notes:
    """What is noted of a type."""

    def __init__(self, notes: Iterable[Any]) -> None:
        self.all = list(notes)

    def first(self, kind: type) -> Any:
        """The first note of a kind; None if there is none."""
        return next((note for note in self.all if isinstance(note, kind)), None)

    def of_meta(self, name: str) -> list[Any]:
        """What all `Meta` say of one thing."""
        said = [getattr(note, name) for note in self.all if isinstance(note, Meta)]
        return [one for one in said if one is not None]

    @property
    def length(self) -> tuple[int, float]:
        return max(self.of_meta("min_length"), default=0), min(self.of_meta("max_length"), default=UNBOUNDED)

    @property
    def bounds(self) -> tuple[float, float]:
        return max(self.of_meta("ge"), default=-UNBOUNDED), min(self.of_meta("le"), default=UNBOUNDED)

    @property
    def pattern(self) -> str | None:
        return next(iter(self.of_meta("pattern")), None)

    @property
    def allowed(self) -> Sequence[Any]:
        return next((keywords["enum"] for keywords in self.of_meta("extra_json_schema") if "enum" in keywords), ())


def unfolded(hint: Any) -> tuple[Any, Notes]:
    """A type without its notes, and these."""
    return (get_args(hint)[0], Notes(get_args(hint)[1:])) if get_origin(hint) is Annotated else (hint, Notes(()))


def values_of(hint: Any) -> Sequence[Any]:
    """All values of a type that lists them, such as tokens; empty if it has others."""
    kind, notes = unfolded(hint)
    if get_origin(kind) is Literal:
        return get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        of_branches = [values_of(branch) for branch in get_args(kind)]
        return [value for values in of_branches for value in values] if all(of_branches) else ()
    return notes.allowed


def is_struct(kind: Any) -> bool:
    struct = get_origin(kind) or kind
    return isinstance(struct, type) and issubclass(struct, Struct)


def tag_of(kind: Any) -> Any:
    """The `type` of the objects of a struct, if they state it."""
    return (get_origin(kind) or kind).__struct_config__.tag if is_struct(kind) else None


def json_type_of(hint: Any) -> type:
    """The type of the decoded values that a type can be read from."""
    kind, _ = unfolded(hint)
    if values := values_of(hint):
        return type(values[0])
    if is_struct(kind) or get_origin(kind) is dict:
        return dict
    return list if get_origin(kind) in (list, tuple) else kind


def members_of(kind: Any) -> dict[str, Any]:
    """The members of an object by their names in documents, each with its type when it is there."""
    struct, filled = get_origin(kind) or kind, filled_in(kind)
    hints = get_type_hints(struct, include_extras=True)
    members = {}
    for field in fields(struct):
        hint = with_types(hints[field.name], filled)
        if field.default is None and get_origin(hint) in (Union, UnionType):
            # None stands for a member that is absent: documents never have it null
            hint = Union[tuple(branch for branch in get_args(hint) if branch is not NoneType)]  # noqa: UP007
        members[field.encode_name] = hint
    return members


def filled_in(kind: Any) -> Mapping[Any, Any]:
    """What stands for the type variables of a generic struct, or of the one that a struct extends."""
    generic: Any = kind if get_args(kind) else next(iter(vars(kind).get("__orig_bases__", ())), None)
    return dict(zip(get_origin(generic).__parameters__, get_args(generic), strict=True)) if get_args(generic) else {}


def with_types(hint: Any, filled: Mapping[Any, Any]) -> Any:
    """A type with its variables filled in."""
    if isinstance(hint, TypeVar):
        return filled[hint]
    variables = getattr(hint, "__parameters__", ())
    return hint[tuple(filled[variable] for variable in variables)] if variables else hint


# --- values -----------------------------------------------------------------------------------------------------------
# Types are compared with `is`: for Python true is an int.


def read_type(kind: type) -> Read:
    """True and false, or null."""

    def read(value: Any) -> Any:
        if type(value) is kind:
            return value
        raise Unreadable

    return read


def read_one_of(values: Sequence[Any]) -> Read:
    """One of several texts or numbers."""
    kind, allowed = type(values[0]), frozenset(values)

    def read(value: Any) -> Any:
        if type(value) is kind and value in allowed:
            return value
        raise Unreadable

    return read


def read_integer(least: float, most: float) -> Read:
    """A number within bounds."""

    def read(value: Any) -> Any:
        if type(value) is int and least <= value <= most:
            return value
        raise Unreadable

    return read


def read_text(least: int, most: float, pattern: str | None) -> Read:
    """A text of some length, which has a pattern."""
    matches = compiled_pattern(pattern or "").search

    def read(value: Any) -> Any:
        if type(value) is str and least <= len(value) <= most and (pattern is None or matches(value)):
            return value
        raise Unreadable

    return read


@cache
def compiled_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of a schema, compiled for Python; all patterns begin with ^ and end with $."""
    return re.compile(pattern.removesuffix("$") + r"\Z", re.ASCII)


# --- arrays -----------------------------------------------------------------------------------------------------------


def sorted_tuple(items: Iterable[Any]) -> tuple[Any, ...]:
    """A multiset."""
    return tuple(sorted(items))


def read_array(make: Make, read_item: Read, least: int, most: float) -> Read:
    """A list of some length."""

    def read(value: Any) -> Any:
        if type(value) is list and least <= len(value) <= most:
            return make(map(read_item, value))
        raise Unreadable

    return read


def read_texts(make: Make, allowed: Iterable[str], least: int, most: float) -> Read:
    """A list of texts such as tokens, which are compared with those allowed all at once."""
    allows = frozenset(allowed).issuperset

    def read(value: Any) -> Any:
        try:
            if type(value) is list and least <= len(value) <= most and allows(value):
                return make(value)
        except TypeError:  # an item is a list or an object
            pass
        raise Unreadable

    return read


def read_different(make: Make, read_item: Read, least: int, most: float) -> Read:
    """A list of which no item occurs twice."""
    read_all = read_array(make, read_item, least, most)

    def read(value: Any) -> Any:
        items = read_all(value)
        if len(set(items)) == len(items):
            return items
        raise Unreadable

    return read


# --- objects ----------------------------------------------------------------------------------------------------------


def read_mapping(read_name: Read, read_member: Read, most: float) -> Read:
    """An object with any names, and members that are alike."""

    def read(value: Any) -> Any:
        if type(value) is dict and len(value) <= most:
            return {read_name(name): read_member(member) for name, member in value.items()}
        raise Unreadable

    return read


def read_keyed(names: Iterable[str], read_member: Read, required: bool) -> Read:
    """An object with fixed names, and members that are alike."""
    known = frozenset(names)
    least = len(known) if required else 0

    def read(value: Any) -> Any:
        if type(value) is dict and least <= len(value) and known >= value.keys():
            return {name: read_member(member) for name, member in value.items()}
        raise Unreadable

    return read


def read_struct(
    kind: Any, reads: Mapping[str, Read], required: frozenset[str], has_type: bool = False, is_open: bool = False
) -> Read:
    """An object with members of its own; beside them it may state its `type`, or have any others if it is open."""
    if required == reads.keys() and len(kind.__match_args__) == len(reads) > 0:
        return read_positional(kind, reads, None if is_open else len(reads) + has_type)
    by_name = {field.encode_name: (field.name, reads[field.encode_name]) for field in fields(kind)}
    beside = {"type"} if has_type else set()

    def read(value: Any) -> Any:
        if type(value) is not dict or not required <= value.keys():
            raise Unreadable
        members = {}
        for name, member in value.items():
            if name in by_name:
                attribute, read_member = by_name[name]
                members[attribute] = read_member(member)
            elif not is_open and name not in beside:
                raise Unreadable
        return kind(**members)

    return read


def read_positional(kind: Any, reads: Mapping[str, Read], count: int | None) -> Read:
    """An object all of whose members are required: most are, and are read faster in this way.

    It has `count` members, or any number.
    """
    (name, *others), each = reads, tuple(reads.values())
    members: Callable[[Any], Iterable[Any]] = itemgetter(*reads) if others else lambda value: (value[name],)

    def read(value: Any) -> Any:
        if type(value) is not dict or (count is not None and len(value) != count):
            raise Unreadable
        try:
            found = members(value)
        except KeyError:
            raise Unreadable from None
        return kind(*map(call, each, found))

    return read


def read_by_tag(tagged: Mapping[str, Read]) -> Read:
    """An object that states its `type`."""

    def read(value: Any) -> Any:
        tag = value.get("type") if type(value) is dict else None
        if type(tag) is not str or tag not in tagged:
            raise Unreadable
        return tagged[tag](value)

    return read


def read_by_json_type(by_type: Mapping[type, Read]) -> Read:
    """A choice by the JSON type of the value."""

    def read(value: Any) -> Any:
        choice = by_type.get(type(value))
        if choice is None:
            raise Unreadable
        return choice(value)

    return read
