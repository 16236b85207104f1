"""Formats documents as lines for people. Knows no game: it goes by the structure of a document."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from capomastro.documents.languages import ORIGINAL, current_language
from capomastro.documents.phrases import shown
from capomastro.documents.sentences import ISOLATE, POP_ISOLATE
from capomastro.documents.wordings import SharedWords, decision_name, phrase, shared_words, words_of
from capomastro.engine.game import AnyGame

WIDTH = 96
"""Characters in a line of prose."""

LONGEST_LINE = 90
"""Longer members are spread over several lines."""

ISOLATES = ISOLATE + POP_ISOLATE

Row = tuple[int, str, str]
"""A line of an outline: depth, label, text."""


def printable(text: str) -> str:
    """Text without control characters, which could steer a terminal; those around isolated names cannot."""
    return shown(text, keep=ISOLATES)


def words(identifier: str) -> str:
    """The last part of an identifier in words: `palazzo.scoring.single-floor` -> `single floor`."""
    return identifier.rpartition(".")[2].replace("-", " ").replace("_", " ")


def current_shared_words() -> SharedWords:
    """The words that all games share, in the current language."""
    return shared_words(current_language())


def separated(number: float, decimals: int = 0) -> str:
    """A number for people: `1,234.5`, with the separators of the language."""
    marks = current_shared_words().lists
    separators = {",": marks["thousands"], ".": marks["decimal"]}
    return "".join(separators.get(sign, sign) for sign in f"{number:,.{decimals}f}")


# --- ids -------------------------------------------------------------------------------------------------------------


class Naming(NamedTuple):
    """The names of ids in documents: of members, and of what they hold."""

    member: Callable[[str], str]
    value: Callable[[str], str]


AS_WRITTEN = Naming(str, str)
"""Ids are shown as they are: they are English words, and what users type."""


def naming(game: AnyGame) -> Naming:
    """Ids as they are written for readers of English, else their names in the catalogue of the game."""
    words = words_of(game, current_language())
    return AS_WRITTEN if words.language == ORIGINAL else Naming(words.member, words.value)


def prints_sentences(game: AnyGame) -> bool:
    """Whether moves are printed as sentences: where ids are not words of the language."""
    return naming(game) is not AS_WRITTEN


# --- people ----------------------------------------------------------------------------------------------------------


def player_name(seat: int, names: Sequence[str | None] | None) -> str:
    """A player's name, or the number of the seat. A claimed result may name seats that do not exist."""
    name = names[seat] if names and seat < len(names) else None
    return current_shared_words().seat(seat) if name is None else printable(name)


def player_at_seat(seat: int, names: Sequence[str] | None) -> str:
    """`Ada (seat 0)`, or without names `seat 0`."""
    name = player_name(seat, names)
    return phrase("named-seat", name=name, seat=seat) if names else name


def actor_of(decision: Mapping[str, Any], names: Sequence[str] | None) -> str:
    """Who decides: a player, chance, or nobody."""
    if decision["actor"] == "seat":
        return player_name(decision["seat"], names)
    return phrase({"chance": "chance", "none": "nobody"}[decision["actor"]])


def decision_line(game: AnyGame, decision: Mapping[str, Any], names: Sequence[str] | None) -> str:
    """`Ada (seat 0) decides: choose an action [choose-action]`."""
    if decision["actor"] == "none":
        return phrase("over")
    actor = player_at_seat(decision["seat"], names) if decision["actor"] == "seat" else actor_of(decision, names)
    kind = decision["kind"]
    return phrase("decides", actor=actor, text=decision_name(game, kind), kind=kind)


# --- values on one line ----------------------------------------------------------------------------------------------


def inline(value: Any, named: Naming = AS_WRITTEN) -> str:
    """A value on one line; equal neighbours are counted, empty members omitted."""
    if value is None:
        return phrase("unseen")
    if isinstance(value, bool):
        return phrase("yes" if value else "no")
    if isinstance(value, str):
        return printable(named.value(value))
    if isinstance(value, Mapping):
        return object_text(value, named) or current_shared_words().none
    if isinstance(value, Sequence):
        return ", ".join(counted(bracketed(item, named) for item in value)) or current_shared_words().none
    return str(value)


def bracketed(value: Any, named: Naming = AS_WRITTEN) -> str:
    """A value in a list, with parentheses around objects."""
    text = inline(value, named)
    return f"({text})" if isinstance(value, Mapping | list | tuple) else text


def counted(texts: Iterable[str]) -> Iterator[str]:
    """`red-7, red-7` -> `red-7 ×2`; numbers stay as they are."""
    for text, group in groupby(texts):
        count = len(list(group))
        if count > 1 and not text.lstrip("-").isdigit():
            yield f"{text} ×{count}"
        else:
            yield from [text] * count


def object_text(value: Mapping[str, Any], named: Naming = AS_WRITTEN) -> str:
    """An object: its type if it has one, and its non-empty members."""
    members = {name: member for name, member in value.items() if name != "type" and member not in ([], (), {})}
    text = "; ".join(f"{printable(named.member(name))} {inline(member, named)}" for name, member in members.items())
    return ": ".join(part for part in (inline(value["type"], named) if "type" in value else "", text) if part)


# --- moves -----------------------------------------------------------------------------------------------------------


def details(move: Mapping[str, Any]) -> str:
    """The members of a move other than type and seat; a single token is shown without its name."""
    members = {name: member for name, member in move.items() if name not in ("type", "seat")}
    if len(members) == 1:
        (member,) = members.values()
        if not isinstance(member, int | Mapping):
            return inline(member)
    return "; ".join(f"{name} {inline(member)}" for name, member in members.items())


def move_text(move: Mapping[str, Any]) -> str:
    """A move without its actor: `buy  tiles marble-1-1; payment red-7`."""
    return f"{inline(move['type']):<17} {details(move)}".rstrip()


def move_line(ply: int, actor: str, move: Mapping[str, Any], points: Mapping[str, int], width: int) -> str:
    """A move as it is played: ply, actor, move, and the points it scores."""
    return with_points(f"{ply:>5}  {actor:<{width}}  {move_text(move)}", points)


def sentence_line(ply: int, text: str, points: Mapping[str, int]) -> str:
    """The line of a move as a sentence: ply, sentence, and the points it scores."""
    return with_points(f"{ply:>5}  {printable(text)}", points)


def with_points(line: str, points: Mapping[str, int]) -> str:
    scored = ", ".join(f"{name} {number:+}" for name, number in points.items() if number)
    return f"{line}  [{scored}]" if scored else line


def points_by_name(events: Iterable[Mapping[str, Any]], names: Sequence[str] | None) -> dict[str, int]:
    """The points in events, by player."""
    points: dict[str, int] = {}
    for event in events:
        if "points" in event and "seat" in event:
            name = player_name(event["seat"], names)
            points[name] = points.get(name, 0) + event["points"]
    return points


# --- whole documents -------------------------------------------------------------------------------------------------


def value_in_line(value: Any, named: Naming = AS_WRITTEN) -> str | None:
    """A value on one line; None if it does not fit there."""
    if not isinstance(value, Mapping | list | tuple):
        return inline(value, named)
    parts = list(value.values()) if isinstance(value, Mapping) else value
    flat = all(not isinstance(part, Mapping | list | tuple) or is_flat(part) for part in parts)
    lists = isinstance(value, list | tuple) and any(isinstance(part, Mapping | list | tuple) for part in parts)
    if not flat or lists:
        return None
    line = inline(value, named)
    return line if len(line) <= LONGEST_LINE else None


def is_flat(value: Any) -> bool:
    parts = value.values() if isinstance(value, Mapping) else value
    return not any(isinstance(part, Mapping | list | tuple) for part in parts)


def outline_rows(value: Any, depth: int = 0, named: Naming = AS_WRITTEN) -> Iterator[Row]:
    """The rows of an object or a list; each member takes one row or several."""
    members = value.items() if isinstance(value, Mapping) else enumerate(value)
    for name, member in members:
        label = printable(named.member(name) if isinstance(name, str) else str(name))
        line = value_in_line(member, named)
        if line is not None:
            yield depth, label, line
        else:
            yield depth, label, ""
            yield from outline_rows(member, depth + 1, named)


def aligned(rows: Iterable[Row]) -> Iterator[str]:
    """Rows as lines, with their texts aligned."""
    rows = list(rows)
    width = max((2 * depth + len(label) for depth, label, text in rows if text), default=0) + 2
    for depth, label, text in rows:
        yield f"{'  ' * depth}{label:<{width - 2 * depth}}{text}".rstrip()


def state_rows(state: Mapping[str, Any], named: Naming = AS_WRITTEN) -> Iterator[Row]:
    """The rows of a state, without the members in the heading; every seat begins with its player's name."""
    names = state.get("names")
    heading = ("game", "schema_version", "rules_version", "ply", "names")
    on_table = {name: member for name, member in state.items() if name not in (*heading, "seats")}
    yield from outline_rows(on_table, named=named)
    for index, seat in enumerate(state["seats"]):
        yield 0, player_at_seat(index, names), ""
        yield from outline_rows(seat, 1, named)


def table(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Rows as lines with aligned columns; columns in `right` are aligned to the right."""
    right = set(right)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def cell(text: str, column: int) -> str:
        return text.rjust(widths[column]) if column in right else text.ljust(widths[column])

    return ["  ".join(cell(text, column) for column, text in enumerate(row)).rstrip() for row in rows]
