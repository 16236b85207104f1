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
from capomastro.engine.hands import Hand, HandOf
from capomastro.engine.members import DIFFERENT, Document, Keys, NoMoreThanPlayers, SeatIndex, ThisGame
from capomastro.engine.multisets import IN_ANY_ORDER
from capomastro.engine.records import Record
from capomastro.engine.results import Line, ScoreLine

Reader = Callable[[Any], Any]
"""Makes a value of a decoded document or of a part of one, or raises `Unreadable`."""
Make = Callable[[Iterable[Any]], Any]
"""Makes a value of the items of a list."""

UNBOUNDED = float("inf")


class Unreadable(ValueError):
    """A document does not have the shape of its type; its schema explains why."""


KINDS = ("state", "move", "options", "scoresheet", "record", "result", "line", "score-line")
"""The kinds of documents that are read. Lines of results, of a game and of all games, are among them, so that a wrong
one is found quickly among thousands."""


@cache
def reader_of(game: AnyGame, kind: str) -> Reader:
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
    return Types(game, is_open=kind in ("result", "line", "score-line")).reader(types[kind])


def can_read(game: AnyGame, kind: str, document: Any) -> bool:
    """Whether a document has the shape of its kind."""
    try:
        reader_of(game, kind)(document)
    except Unreadable:
        return False
    return True


# --- types ------------------------------------------------------------------------------------------------------------


class Types:
    """Makes a reader of every type in the documents of a game.

    In an open type objects can have further members, which are ignored, and a seat can be one that the game does not
    have.
    """

    def __init__(self, game: AnyGame, is_open: bool) -> None:
        self.game = game
        self.is_open = is_open

    def reader(self, hint: Any) -> Reader:
        """What reads values of a type.

        Raises:
            TypeError: if documents have no such values.
        """
        kind, notes = unfolded(hint)
        if hint == SeatIndex and not self.is_open:
            return integer_reader(0, self.game.players[-1] - 1)
        if (document := notes.first(Document)) is not None:
            return reader_of(self.game, document.kind)
        if (hand := notes.first(HandOf)) is not None:
            return self.hand(hand)
        if ThisGame in notes.all:
            return one_of_reader([self.game.id])
        if allowed := values_of(hint):
            return one_of_reader(allowed)
        if kind is str:
            return text_reader(*notes.length, notes.pattern)
        if kind is int:
            least, most = notes.bounds
            return integer_reader(least, self.limited(most, notes))
        if kind in (bool, NoneType):
            return type_reader(kind)
        return self.compound(kind, notes)

    def compound(self, kind: Any, notes: "Notes") -> Reader:
        """For a type that has others as parts."""
        origin = get_origin(kind)
        if origin in (list, tuple):
            return self.array(kind, notes)
        if origin is dict:
            return self.mapping(kind, notes)
        if origin in (Union, UnionType):
            return self.union([branch for branch in get_args(kind) if branch is not UnsetType])
        if is_struct(origin or kind):
            # a choice of one, so that its type is checked
            return self.union([kind]) if tag_of(kind) else self.struct(kind)
        raise TypeError(f"documents have no values of the type {kind}")

    def limited(self, most: float, notes: "Notes") -> float:
        """An upper bound, and no more than the players if that is noted."""
        return min(most, self.game.players[-1]) if NoMoreThanPlayers in notes.all else most

    def array(self, kind: Any, notes: "Notes") -> Reader:
        item, *others = get_args(kind)
        least, most = notes.length if others in ([], [...]) else (1 + len(others), 1 + len(others))
        length = least, self.limited(most, notes)
        make = sorted_tuple if IN_ANY_ORDER in notes.all else get_origin(kind)
        if DIFFERENT in notes.all:
            return different_reader(make, self.reader(item), *length)
        allowed = values_of(item)
        if allowed and isinstance(allowed[0], str):
            return texts_reader(make, allowed, *length)
        return array_reader(make, self.reader(item), *length)

    def mapping(self, kind: Any, notes: "Notes") -> Reader:
        name, member = get_args(kind)
        if (keys := notes.first(Keys)) is not None:
            return keyed_reader(keys.names, self.reader(member), keys.required)
        return mapping_reader(self.reader(name), self.reader(member), notes.length[1])

    def hand(self, note: HandOf) -> Reader:
        """A hand with the cards and the piles of the game."""
        members = members_of(Hand)
        _, of_cards = unfolded(members["open"])
        cards = self.array(tuple[note.card, ...], of_cards)  # type: ignore[name-defined]
        _, number = get_args(unfolded(members["unknown"])[0])
        unknown = keyed_reader(note.piles, self.reader(number), required=False)
        return struct_reader(Hand, {"open": cards, "closed": cards, "unknown": unknown}, frozenset())

    def union(self, branches: Sequence[Any]) -> Reader:
        """A choice by the JSON type of the value, and among objects by `type`."""
        by_type: dict[type, Reader] = {}
        if tagged := {tag: self.struct(branch) for branch in branches if (tag := tag_of(branch))}:
            by_type[dict] = tag_reader(tagged)
        for branch in branches:
            if not tag_of(branch):
                json_type = json_type_of(branch)
                if json_type in by_type:
                    raise TypeError(f"two branches are of the JSON type {json_type}: {branches}")
                by_type[json_type] = self.reader(branch)
        return json_type_reader(by_type) if len(by_type) > 1 else next(iter(by_type.values()))

    def struct(self, kind: Any) -> Reader:
        """An object without further members, unless it is open."""
        struct = get_origin(kind) or kind
        reads = {name: self.reader(hint) for name, hint in members_of(kind).items()}
        required = frozenset(field.encode_name for field in fields(struct) if field.required)
        return struct_reader(struct, reads, required, has_type=bool(tag_of(kind)), is_open=self.is_open)


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
    return isinstance(kind, type) and issubclass(kind, Struct)


def tag_of(kind: Any) -> Any:
    """The `type` of the objects of a struct, if they state it."""
    struct = get_origin(kind) or kind
    return struct.__struct_config__.tag if is_struct(struct) else None


def json_type_of(hint: Any) -> type:
    """The type of the decoded values that a type can be read from."""
    kind, _ = unfolded(hint)
    if values := values_of(hint):
        return type(values[0])
    origin = get_origin(kind)
    if is_struct(origin or kind) or origin is dict:
        return dict
    return list if origin in (list, tuple) else kind


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


def type_reader(kind: type) -> Reader:
    """A value whose type says all: a boolean, or null."""

    def read(value: Any) -> Any:
        if type(value) is kind:
            return value
        raise Unreadable

    return read


def one_of_reader(values: Sequence[Any]) -> Reader:
    """One of several texts or numbers."""
    kind, allowed = type(values[0]), frozenset(values)

    def read(value: Any) -> Any:
        if type(value) is kind and value in allowed:
            return value
        raise Unreadable

    return read


def integer_reader(least: float, most: float) -> Reader:
    """A number within bounds."""

    def read(value: Any) -> Any:
        if type(value) is int and least <= value <= most:
            return value
        raise Unreadable

    return read


def text_reader(least: int, most: float, pattern: str | None) -> Reader:
    """A text of some length, which has a pattern."""
    matches = compiled_pattern(pattern).search if pattern else None

    def read(value: Any) -> Any:
        if type(value) is str and least <= len(value) <= most and (matches is None or matches(value)):
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


def array_reader(make: Make, read_item: Reader, least: int, most: float) -> Reader:
    """A list of some length."""

    def read(value: Any) -> Any:
        if type(value) is list and least <= len(value) <= most:
            return make(map(read_item, value))
        raise Unreadable

    return read


def texts_reader(make: Make, allowed: Iterable[str], least: int, most: float) -> Reader:
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


def different_reader(make: Make, read_item: Reader, least: int, most: float) -> Reader:
    """A list in which no item occurs twice."""
    read_all = array_reader(make, read_item, least, most)

    def read(value: Any) -> Any:
        items = read_all(value)
        if len(set(items)) == len(items):
            return items
        raise Unreadable

    return read


# --- objects ----------------------------------------------------------------------------------------------------------


def mapping_reader(read_name: Reader, read_member: Reader, most: float) -> Reader:
    """An object with any names, and members that are alike."""

    def read(value: Any) -> Any:
        if type(value) is dict and len(value) <= most:
            return {read_name(name): read_member(member) for name, member in value.items()}
        raise Unreadable

    return read


def keyed_reader(names: Iterable[str], read_member: Reader, required: bool) -> Reader:
    """An object with fixed names, and members that are alike."""
    known = frozenset(names)
    least = len(known) if required else 0

    def read(value: Any) -> Any:
        if type(value) is dict and least <= len(value) and known.issuperset(value):
            return {name: read_member(member) for name, member in value.items()}
        raise Unreadable

    return read


def struct_reader(
    kind: Any, reads: Mapping[str, Reader], required: frozenset[str], has_type: bool = False, is_open: bool = False
) -> Reader:
    """An object with members of its own.

    With `has_type` it has a `type`, too, which `tag_reader` has checked; if it `is_open`, any others.
    """
    if required == reads.keys() and len(kind.__match_args__) == len(reads) > 0:  # none is optional or keyword-only
        return positional_reader(kind, reads, None if is_open else len(reads) + has_type)
    by_name = {field.encode_name: (field.name, reads[field.encode_name]) for field in fields(kind)}
    beside = {"type"} if has_type else set()

    def read(value: Any) -> Any:
        if type(value) is not dict or not value.keys() >= required:
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


def positional_reader(kind: Any, reads: Mapping[str, Reader], count: int | None) -> Reader:
    """An object whose members are all required, made without a dict in between, which is faster.

    It must have exactly `count` members; None: at least its own.
    """
    names, each = tuple(reads), tuple(reads.values())
    # itemgetter of one name returns no tuple
    members: Any = itemgetter(*names) if len(names) > 1 else lambda value: (value[names[0]],)

    def read(value: Any) -> Any:
        if type(value) is not dict or (count is not None and len(value) != count):
            raise Unreadable
        try:
            found = members(value)
        except KeyError:
            raise Unreadable from None
        return kind(*map(call, each, found))

    return read


def tag_reader(tagged: Mapping[str, Reader]) -> Reader:
    """An object that states its `type`."""

    def read(value: Any) -> Any:
        try:
            read_tagged = tagged[value["type"]]
        except (KeyError, TypeError):  # TypeError: it is no object, or its `type` a list or an object
            raise Unreadable from None
        return read_tagged(value)

    return read


def json_type_reader(by_type: Mapping[type, Reader]) -> Reader:
    """A choice by the JSON type of the value."""

    def read(value: Any) -> Any:
        choice = by_type.get(type(value))
        if choice is None:
            raise Unreadable
        return choice(value)

    return read
