"""Documents as lines a person can read. Nothing here knows a game: it goes by what a document is made of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

NOTHING = "none"
UNSEEN = "unseen"
WIDTH = 96
"""Characters in a line of prose."""

LONGEST_LINE = 90
"""A member that would be longer on one line is spread over several."""

Row = tuple[int, str, str]
"""A line of an outline: how deep it is, its label, its text."""


def printable(text: str) -> str:
    """Text that cannot steer a terminal, whatever stands in a document."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def words(identifier: str) -> str:
    """The last part of an identifier in words: `palazzo.scoring.single-floor` -> `single floor`."""
    return identifier.rpartition(".")[2].replace("-", " ").replace("_", " ")


def joined(names: Sequence[str]) -> str:
    """`Ada, Bruno and Cleo`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


# --- people ----------------------------------------------------------------------------------------------------------


def name_of(seat: int, names: Sequence[str] | None) -> str:
    """How a seat is called: by its player's name if there is one. A claimed result may have seats that nobody has."""
    return printable(names[seat]) if names and seat < len(names) else f"seat {seat}"


def actor_of(decision: Mapping[str, Any], names: Sequence[str] | None) -> str:
    """Who decides: a player, chance, nobody."""
    if decision["actor"] == "seat":
        return name_of(decision["seat"], names)
    return {"chance": "chance", "none": "nobody"}[decision["actor"]]


def decision_line(decision: Mapping[str, Any], names: Sequence[str] | None) -> str:
    """`Ada (seat 0) decides: choose-action`."""
    if decision["actor"] == "none":
        return "the game is over"
    actor = actor_of(decision, names)
    seat = f" (seat {decision['seat']})" if decision["actor"] == "seat" and names else ""
    return f"{actor}{seat} decides: {decision['kind']}"


# --- values on one line ----------------------------------------------------------------------------------------------


def inline(value: Any) -> str:
    """A value on one line: equal neighbours counted, empty members left out."""
    if value is None:
        return UNSEEN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return tagged(value) or NOTHING
    if isinstance(value, Sequence):
        return ", ".join(counted(map(bracketed, value))) or NOTHING
    return str(value)


def bracketed(value: Any) -> str:
    """A value within a list, so that one sees where it ends."""
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
    """An object: its type if it has one, and its members that are not empty."""
    members = {name: member for name, member in value.items() if name != "type" and member not in ([], (), {})}
    text = "; ".join(f"{printable(name)} {inline(member)}" for name, member in members.items())
    return ": ".join(part for part in (inline(value["type"]) if "type" in value else "", text) if part)


# --- moves -----------------------------------------------------------------------------------------------------------


def details(move: Mapping[str, Any]) -> str:
    """What a move says besides its type and its seat; the only member that is a token needs no name."""
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
    """A move as it is played: its ply, its actor, the move, and the points that are scored by it."""
    scored = ", ".join(f"{name} {number:+}" for name, number in points.items() if number)
    line = f"{ply:>5}  {actor:<{width}}  {move_text(move)}"
    return f"{line}  [{scored}]" if scored else line


def points_by_name(events: Iterable[Mapping[str, Any]], names: Sequence[str] | None) -> dict[str, int]:
    """The points in events, summed up by player."""
    points: dict[str, int] = {}
    for event in events:
        if "points" in event and "seat" in event:
            name = name_of(event["seat"], names)
            points[name] = points.get(name, 0) + event["points"]
    return points


# --- whole documents -------------------------------------------------------------------------------------------------


def is_line(value: Any) -> bool:
    """Whether a value is read more easily on one line than spread over several."""
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
    """The rows of an object or a list, each member on one or several."""
    members = value.items() if isinstance(value, Mapping) else enumerate(value)
    for label, member in members:
        if is_line(member):
            yield depth, printable(str(label)), inline(member)
        else:
            yield depth, printable(str(label)), ""
            yield from outline(member, depth + 1)


def aligned(rows: Iterable[Row]) -> Iterator[str]:
    """Rows as lines, their texts one below the other."""
    rows = list(rows)
    width = max((2 * depth + len(label) for depth, label, text in rows if text), default=0) + 2
    for depth, label, text in rows:
        yield f"{'  ' * depth}{label:<{width - 2 * depth}}{text}".rstrip()


def state_rows(state: Mapping[str, Any]) -> Iterator[Row]:
    """A state; what the heading says already is left out, and every seat begins with its name."""
    names = state.get("names")
    heading = ("game", "schema_version", "rules_version", "ply", "names")
    yield from outline({name: member for name, member in state.items() if name not in (*heading, "seats")})
    for index, seat in enumerate(state["seats"]):
        yield 0, name_of(index, names) + (f" (seat {index})" if names else ""), ""
        yield from outline(seat, 1)


def table(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Columns of equal width, those of `right` aligned to the right."""
    right = set(right)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def cell(text: str, column: int) -> str:
        return text.rjust(widths[column]) if column in right else text.ljust(widths[column])

    return ["  ".join(cell(text, column) for column, text in enumerate(row)).rstrip() for row in rows]
