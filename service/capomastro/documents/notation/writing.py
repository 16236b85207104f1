"""Writes records as text that `reading` reads as the same record."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from capomastro.documents.claims import Claim
from capomastro.documents.notation.kinds import ANYTHING, MEANINGLESS, Kind, MoveForm, arranged, move_forms, record_kind
from capomastro.documents.notation.lines import COMMENT, NAME, PHRASE, REST, SPACE, WORD
from capomastro.documents.phrases import json_string
from capomastro.engine.game import AnyGame

NO_COMMENTS: Mapping[int, Sequence[str]] = MappingProxyType({})


def written(game: AnyGame, record: Mapping[str, Any], comments: Mapping[int, Sequence[str]] = NO_COMMENTS) -> str:
    """A record of valid shape as text: members, moves, and then the claimed result.

    `comments` by position come between the moves, each on lines of its own.
    """
    kind, forms = record_kind(game), move_forms(game)
    members = arranged({name: value for name, value in record.items() if name != "moves"}, kind)
    last = {name: members.pop(name) for name in Claim._fields if name in members}
    if not members["options"]:
        del members["options"]  # is implied
    parts = [
        [line for name, value in members.items() for line in member(name, value, kind.member(name) or ANYTHING)],
        [*with_comments([move(played, forms[played["type"]]) for played in record["moves"]], comments)],
        [line for name, value in last.items() for line in member(name, value, kind.member(name) or ANYTHING)],
    ]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)


def with_comments(moves: Sequence[str], comments: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """The lines of the moves with the comments between them; those beyond the last move stand after it."""
    for position, line in enumerate(moves):
        yield from lines_of_comments(comments.get(position, ()))
        yield line
    for position in sorted(comments):
        if position >= len(moves):
            yield from lines_of_comments(comments[position])


def lines_of_comments(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        yield from (f"{COMMENT}{line}".rstrip(SPACE + "\r") for line in comment.split("\n"))


def written_move(game: AnyGame, document: Mapping[str, Any]) -> str:
    """A move of valid shape as one line."""
    return move(document, move_forms(game)[document["type"]])


# --- members ---------------------------------------------------------------------------------------------------------


def member(path: str, value: Any, kind: Kind) -> Iterator[str]:
    """The lines of a member: one line; or one for each of its own members; or several for each object in a list."""
    if value and has_lines(value, kind):
        for name, inner in value.items():
            yield from member(f"{path}.{name_text(name)}", inner, kind.member(name) or ANYTHING)
    elif kind.lists_objects and value and all(isinstance(item, dict) for item in value):
        assert kind.items is not None
        for item in value:
            yield from lines_of_item(path, item, kind.items)
    else:
        yield f"{path}: {value_text(value, kind, free=True)}"


def lines_of_item(path: str, item: Mapping[str, Any], kind: Kind) -> Iterator[str]:
    """The lines of an object in a list: first its simple members on one line, then its lists of objects."""
    kinds = {name: kind.member(name) or ANYTHING for name in item}
    apart = [name for name in item if item[name] and (kinds[name].lists_objects or has_lines(item[name], kinds[name]))]
    pairs = [f"{name_text(name)}={value_text(item[name], kinds[name])}" for name in item if name not in apart]
    yield f"{path}: {' '.join(pairs) or '{}'}"
    for name in apart:
        yield from member(f"{path}.{name_text(name)}", item[name], kinds[name])


def has_lines(value: Any, kind: Kind) -> bool:
    """Whether a value is an object whose members have their own lines."""
    return isinstance(value, dict) and kind.members is not None and kind is not ANYTHING


# --- moves -----------------------------------------------------------------------------------------------------------


def move(document: Mapping[str, Any], form: MoveForm) -> str:
    """The line of a move."""
    words = [str(document["seat"])] if form.has_seat else []
    words.append(document["type"])
    for name, kind in (form.members.members or {}).items():
        if name in document:
            text = value_text(document[name], kind)
            words.append(text if name == form.first else f"{name}={text}")
    return " ".join(words)


# --- values ----------------------------------------------------------------------------------------------------------


def value_text(value: Any, kind: Kind, free: bool = False) -> str:
    """A value as `Line.value` reads it."""
    if isinstance(value, str):
        return word(value, kind, free, free and kind.only_text)
    if not isinstance(value, list | tuple | dict):
        return scalar(value)
    if isinstance(value, dict) or not value or not all(map(is_scalar, value)):
        return in_brackets(value, kind)
    if len(value) == 1 and (kind.items is None or kind.means(bare(value[0])) is not MEANINGLESS):
        return in_brackets(value, kind)
    items = [word(item, kind.items or ANYTHING, free) if isinstance(item, str) else scalar(item) for item in value]
    return (", " if free else ",").join(items)


def is_scalar(value: Any) -> bool:
    return not isinstance(value, list | tuple | dict)


def bare(value: Any) -> str:
    return value if isinstance(value, str) else scalar(value)


def scalar(value: Any) -> str:
    """Null, true, false or a number."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def word(text: str, kind: Kind, free: bool = False, whole: bool = False) -> str:
    """A text, without quotes if it can be read back; `free`: as a phrase in a member, `whole`: as its only value."""
    pattern = REST if whole else PHRASE if free else WORD
    begins = text[:1] in {'"', COMMENT} or (text[:1] in {"[", "{"} and not whole)
    stands = text.isprintable() and pattern.fullmatch(text) and text.strip(SPACE) == text and not begins
    return text if stands and kind.means(text) == text else json_string(text)


def name_text(name: str) -> str:
    return name if name.isprintable() and NAME.fullmatch(name) else json_string(name)


def in_brackets(value: Any, kind: Kind) -> str:
    """A list in brackets, an object in braces, or an item of one."""
    if isinstance(value, dict):
        members: Iterable[str] = (
            f"{name_text(name)}: {in_brackets(inner, kind.member(name) or ANYTHING)}" for name, inner in value.items()
        )
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list | tuple):
        items: Sequence[str] = [in_brackets(item, kind.items or ANYTHING) for item in value]
        return "[" + ", ".join(items) + "]"
    return word(value, kind) if isinstance(value, str) else scalar(value)
