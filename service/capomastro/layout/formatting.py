"""Formats documents as lines for people. Knows no game: it goes by the structure of a document."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from capomastro.documents.languages import current_language
from capomastro.documents.sentences import listed
from capomastro.documents.wordings import SharedWords, decision_name, phrase, shared_words
from capomastro.engine.game import AnyGame

WIDTH = 96
"""Characters in a line of prose."""

LONGEST_LINE = 90
"""Longer members are spread over several lines."""

Row = tuple[int, str, str]
"""A line of an outline: depth, label, text."""


def printable(text: str) -> str:
    """Text without control characters, which could steer a terminal."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def words(identifier: str) -> str:
    """The last part of an identifier in words: `palazzo.scoring.single-floor` -> `single floor`."""
    return identifier.rpartition(".")[2].replace("-", " ").replace("_", " ")


def joined(names: Sequence[str]) -> str:
    """`Ada, Bruno and Cleo`."""
    return listed(names, words_of_all(), "and")


def words_of_all() -> SharedWords:
    """The words that all games share, in the current language."""
    return shared_words(current_language())


def figure(number: float, decimals: int = 0) -> str:
    """A number for people: `1,234.5`, with the separators of the language."""
    marks = words_of_all().lists
    separators = {",": marks["thousands"], ".": marks["decimal"]}
    return "".join(separators.get(sign, sign) for sign in f"{number:,.{decimals}f}")


# --- people ----------------------------------------------------------------------------------------------------------


def name_of(seat: int, names: Sequence[str] | None) -> str:
    """A player's name, or the number of the seat. A claimed result may name seats that do not exist."""
    return printable(names[seat]) if names and seat < len(names) else words_of_all().seat(seat)


def actor_of(decision: Mapping[str, Any], names: Sequence[str] | None) -> str:
    """Who decides: a player, chance, or nobody."""
    if decision["actor"] == "seat":
        return name_of(decision["seat"], names)
    return phrase({"chance": "chance", "none": "nobody"}[decision["actor"]])


def decision_line(game: AnyGame, decision: Mapping[str, Any], names: Sequence[str] | None) -> str:
    """`Ada (seat 0) decides: choose an action [choose-action]`."""
    if decision["actor"] == "none":
        return phrase("over")
    actor = actor_of(decision, names)
    if decision["actor"] == "seat" and names:
        actor = phrase("named-seat", name=actor, seat=decision["seat"])
    kind = decision["kind"]
    return phrase("decides", actor=actor, text=decision_name(game, kind), kind=kind)


# --- values on one line ----------------------------------------------------------------------------------------------


def inline(value: Any) -> str:
    """A value on one line; equal neighbours are counted, empty members omitted."""
    if value is None:
        return phrase("unseen")
    if isinstance(value, bool):
        return phrase("yes" if value else "no")
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return tagged(value) or words_of_all().none
    if isinstance(value, Sequence):
        return ", ".join(counted(map(bracketed, value))) or words_of_all().none
    return str(value)


def bracketed(value: Any) -> str:
    """A value in a list, with parentheses around objects."""
    return f"({inline(value)})" if isinstance(value, Mapping | list | tuple) else inline(value)


def counted(texts: Iterable[str]) -> Iterator[str]:
    """`red-7, red-7` -> `red-7 ×2`; numbers stay as they are."""
    for text, group in groupby(texts):
        count = len(list(group))
        if count > 1 and not text.lstrip("-").isdigit():
            yield f"{text} ×{count}"
        else:
            yield from [text] * count


def tagged(value: Mapping[str, Any]) -> str:
    """An object: its type if it has one, and its non-empty members."""
    members = {name: member for name, member in value.items() if name != "type" and member not in ([], (), {})}
    text = "; ".join(f"{printable(name)} {inline(member)}" for name, member in members.items())
    return ": ".join(part for part in (inline(value["type"]) if "type" in value else "", text) if part)


# --- moves -----------------------------------------------------------------------------------------------------------


def details(move: Mapping[str, Any]) -> str:
    """The members of a move besides type and seat; a single token is shown without its name."""
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
    scored = ", ".join(f"{name} {number:+}" for name, number in points.items() if number)
    line = f"{ply:>5}  {actor:<{width}}  {move_text(move)}"
    return f"{line}  [{scored}]" if scored else line


def points_by_name(events: Iterable[Mapping[str, Any]], names: Sequence[str] | None) -> dict[str, int]:
    """The points in events, by player."""
    points: dict[str, int] = {}
    for event in events:
        if "points" in event and "seat" in event:
            name = name_of(event["seat"], names)
            points[name] = points.get(name, 0) + event["points"]
    return points


# --- whole documents -------------------------------------------------------------------------------------------------


def is_line(value: Any) -> bool:
    """Whether a value fits on one line."""
    if isinstance(value, Mapping | list | tuple):
        parts = list(value.values()) if isinstance(value, Mapping) else value
        flat = all(not isinstance(part, Mapping | list | tuple) or is_flat(part) for part in parts)
        lists = isinstance(value, list | tuple) and any(isinstance(part, Mapping | list | tuple) for part in parts)
        return flat and not lists and len(inline(value)) <= LONGEST_LINE
    return True


def is_flat(value: Any) -> bool:
    parts = value.values() if isinstance(value, Mapping) else value
    return not any(isinstance(part, Mapping | list | tuple) for part in parts)


def outline(value: Any, depth: int = 0) -> Iterator[Row]:
    """The rows of an object or a list; each member takes one row or several."""
    members = value.items() if isinstance(value, Mapping) else enumerate(value)
    for label, member in members:
        if is_line(member):
            yield depth, printable(str(label)), inline(member)
        else:
            yield depth, printable(str(label)), ""
            yield from outline(member, depth + 1)


def aligned(rows: Iterable[Row]) -> Iterator[str]:
    """Rows as lines, with their texts aligned."""
    rows = list(rows)
    width = max((2 * depth + len(label) for depth, label, text in rows if text), default=0) + 2
    for depth, label, text in rows:
        yield f"{'  ' * depth}{label:<{width - 2 * depth}}{text}".rstrip()


def state_rows(state: Mapping[str, Any]) -> Iterator[Row]:
    """The rows of a state, without the members in the heading; every seat begins with its player's name."""
    names = state.get("names")
    heading = ("game", "schema_version", "rules_version", "ply", "names")
    yield from outline({name: member for name, member in state.items() if name not in (*heading, "seats")})
    for index, seat in enumerate(state["seats"]):
        yield 0, phrase("named-seat", name=name_of(index, names), seat=index) if names else name_of(index, names), ""
        yield from outline(seat, 1)


def table(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Rows as lines with aligned columns; columns in `right` are aligned to the right."""
    right = set(right)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def cell(text: str, column: int) -> str:
        return text.rjust(widths[column]) if column in right else text.ljust(widths[column])

    return ["  ".join(cell(text, column) for column, text in enumerate(row)).rstrip() for row in rows]
