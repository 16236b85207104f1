"""Kinds of values allowed in a place, derived from the types of a game's moves, options and results."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

import msgspec

from capomastro.engine.game import AnyGame
from capomastro.engine.moves import SeatMove

NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,4299})")
SEAT = "seat"
"""The member of players' moves that is written before their type."""
NULL = ("?", "null")
FLAGS = {"true": True, "false": False}
MEANINGLESS = object()
"""The meaning of a word that is not allowed in its place."""


@dataclass(frozen=True, eq=False)
class Kind:
    """The allowed values: any of text, a number, true or false, null, a list of `items`, an object.

    An object has `members`, in the order in which they are written, some of them `required`; further members are of
    the kind `rest`, or not allowed if that is None.
    """

    text: bool = False
    number: bool = False
    flag: bool = False
    null: bool = False
    items: "Kind | None" = None
    members: Mapping[str, "Kind"] | None = None
    required: frozenset[str] = frozenset()
    rest: "Kind | None" = field(default=None, repr=False)

    @property
    def only_text(self) -> bool:
        return self.text and not (self.number or self.flag or self.null or self.items or self.members is not None)

    @property
    def lists_objects(self) -> bool:
        """Whether it can only be a list of objects, so that each object has its own lines."""
        return self.items is not None and self.items.members is not None and self is not ANYTHING

    def member(self, name: str) -> "Kind | None":
        return (self.members or {}).get(name, self.rest)

    def means(self, word: str) -> Any:
        """The value of a word without quotes; `MEANINGLESS` if it is not allowed here."""
        if self.null and word in NULL:
            return None
        if self.flag and word in FLAGS:
            return FLAGS[word]
        if self.number and NUMBER.fullmatch(word):
            return int(word)
        return word if self.text else MEANINGLESS

    @property
    def described(self) -> str:
        """The expected values, in words."""
        if self is ANYTHING:
            return "a value"
        words = {
            "text": self.text,
            "a whole number": self.number,
            "true or false": self.flag,
            '"?"': self.null,
            "a list": self.items is not None,
            "members in braces": self.members is not None,
        }
        return " or ".join(word for word, possible in words.items() if possible)


ANYTHING = Kind(text=True, number=True, flag=True, null=True, members={})
"""Any JSON value."""
object.__setattr__(ANYTHING, "items", ANYTHING)
object.__setattr__(ANYTHING, "rest", ANYTHING)

TEXT = Kind(text=True)
COUNT = Kind(number=True)


def kind_of(type: msgspec.inspect.Type, closed: bool = True) -> Kind:
    """The kind of the values of a type; unless `closed`, objects can have undeclared members."""
    match type:
        case msgspec.inspect.Metadata(type=annotated):
            return kind_of(annotated, closed)
        case msgspec.inspect.StrType() | msgspec.inspect.LiteralType():
            return TEXT
        case msgspec.inspect.IntType():
            return COUNT
        case msgspec.inspect.BoolType():
            return Kind(flag=True)
        case msgspec.inspect.NoneType():
            return Kind(null=True)
        case msgspec.inspect.VarTupleType(item_type=item) | msgspec.inspect.ListType(item_type=item):
            return Kind(items=kind_of(item, closed))
        case msgspec.inspect.TupleType(item_types=several):
            return Kind(items=united([kind_of(item, closed) for item in several]))
        case msgspec.inspect.DictType(value_type=value):
            return Kind(members={}, rest=kind_of(value, closed))
        case msgspec.inspect.UnionType(types=several):
            return united([kind_of(kind, closed) for kind in several])
        case msgspec.inspect.StructType(fields=fields):
            return Kind(
                members={field.encode_name: kind_of(field.type, closed) for field in fields},
                required=frozenset(field.encode_name for field in fields if field.required),
                rest=None if closed else ANYTHING,
            )
    return ANYTHING


def united(kinds: list[Kind]) -> Kind:
    """A kind that can be any of these; of several kinds of lists or objects, only the first."""
    if ANYTHING in kinds:
        return ANYTHING
    with_items = next((kind for kind in kinds if kind.items), Kind())
    with_members = next((kind for kind in kinds if kind.members is not None), Kind())
    return replace(
        with_members,
        text=any(kind.text for kind in kinds),
        number=any(kind.number for kind in kinds),
        flag=any(kind.flag for kind in kinds),
        null=any(kind.null for kind in kinds),
        items=with_items.items,
    )


def arranged(value: Any, kind: Kind) -> Any:
    """A value with the members of its objects in the order of their kind, other members last."""
    if kind is ANYTHING:
        return value
    if isinstance(value, list) and kind.items is not None:
        return [arranged(item, kind.items) for item in value]
    if not isinstance(value, dict):
        return value
    known = kind.members or {}
    names = [*(name for name in known if name in value), *(name for name in value if name not in known)]
    return {name: arranged(value[name], kind.member(name) or ANYTHING) for name in names}


# --- records ---------------------------------------------------------------------------------------------------------


@cache
def record_kind(game: AnyGame) -> Kind:
    """The kind of a record without its moves."""
    result = kind_of(msgspec.inspect.type_info(game.result_type), closed=False)
    return Kind(
        members={
            "game": TEXT,
            "schema_version": COUNT,
            "rules_version": COUNT,
            "id": TEXT,
            "tags": Kind(members={}, rest=TEXT),
            "players": COUNT,
            "names": Kind(items=TEXT),
            "options": kind_of(msgspec.inspect.type_info(game.options_type)),
            "result": result,
            "totals": Kind(items=COUNT),
        }
    )


class MoveForm(NamedTuple):
    """The written form of a type of move: whether a seat comes first, then its members; the `first` needs no name."""

    has_seat: bool
    members: Kind
    first: str | None


@cache
def move_forms(game: AnyGame) -> dict[str, MoveForm]:
    """The forms of a game's moves, by type."""
    return {type: move_form(move) for type, move in game.kinds_of_move.items()}


def move_form(move: type[msgspec.Struct]) -> MoveForm:
    kind = kind_of(msgspec.inspect.type_info(move))
    members = {name: member for name, member in (kind.members or {}).items() if name != SEAT}
    written = replace(kind, members=members, required=kind.required - {SEAT})
    return MoveForm(issubclass(move, SeatMove), written, next(iter(members), None))
