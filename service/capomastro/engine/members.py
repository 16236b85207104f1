"""The types of members that documents of several games have, and notes for what msgspec has no word for.

Schemas are made of types: the bounds of a member stand in a `Meta`, its sentence as a docstring under it. A type with a
`title` has a schema of its own, to which others refer.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from msgspec import Meta

Kind = TypeVar("Kind", bound=type)

FEWEST_PLAYERS, MOST_PLAYERS = 2, 5
"""Of all games."""

LONGEST_NAME = 100
"""Characters: more than a name that fits on a line."""

MOST_MOVES = 100_000
"""The moves of a record: more than any setting of the service accepts."""


# --- notes -----------------------------------------------------------------------------------------------------------


def one_of(tokens: Iterable[Any], title: str | None = None, *examples: Any) -> Meta:
    """Notes the values that a member can have, and the title and examples of their schema."""
    return Meta(title=title, examples=list(examples) or None, extra_json_schema={"enum": list(tokens)})


def up_to(most: int, title: str, *example: Any) -> Meta:
    """Notes the length of a list, and the title and an example of its schema."""
    return Meta(max_length=most, title=title, examples=[list(example)])


DIFFERENT = Meta(extra_json_schema={"uniqueItems": True})
"""Notes that a list has no item twice."""


@dataclass(frozen=True)
class Keys:
    """Notes the members of an object that is a dict: its keys, and whether all of them are required.

    `sentence` describes each, with its name in place of {}; `most` has an upper bound for each.
    """

    names: tuple[str, ...]
    required: bool = True
    sentence: str | None = None
    most: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Document:
    """Notes a document of the game in question, by its kind, or one that is the same in all games."""

    kind: str
    shared: bool = False


class ThisGame:
    """Notes a member that is the id of the game."""


class NoMoreThanPlayers:
    """Notes a number or a length that is at most the number of players."""


def titled(title: str | None = None, name: str | None = None) -> Callable[[Kind], Kind]:
    """Gives a struct its title in schemas, and the name of its schema; without, they follow from that of the class."""

    def marked(kind: Kind) -> Kind:
        kind.schema_names = title, name  # type: ignore[attr-defined]
        return kind

    return marked


def settled(options: type) -> Callable[[Kind], Kind]:
    """Says that a struct is `options` of a game that has begun: every one of them is stated."""

    def marked(kind: Kind) -> Kind:
        kind.settles = options  # type: ignore[attr-defined]
        return kind

    return marked


# --- members ---------------------------------------------------------------------------------------------------------

GameId = Annotated[str, ThisGame]
SeatIndex = Annotated[int, Meta(ge=0, le=MOST_PLAYERS - 1, title="Seat", examples=[0, 2])]
"""A seat at the table: 0 is the first player, then clockwise."""

PlayerCount = Annotated[
    int, Meta(ge=FEWEST_PLAYERS, le=MOST_PLAYERS, title="Number of players", examples=[3]), NoMoreThanPlayers
]
"""The number of players."""

Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, title="Name", examples=["Ada"])]
"""A player's name."""

Item = TypeVar("Item")
BySeat = Annotated[tuple[Item, ...], Meta(min_length=FEWEST_PLAYERS, max_length=MOST_PLAYERS)]
"""Something of every player."""

Names = Annotated[
    tuple[Name, ...],
    Meta(min_length=FEWEST_PLAYERS, max_length=MOST_PLAYERS, title="Names", examples=[["Ada", "Bruno", "Chiara"]]),
    NoMoreThanPlayers,
]
"""The players' names by seat, one for each, all different (compared in Unicode's form NFC). They are echoed as they
were written; no rule depends on them."""

RuleId = Annotated[
    str,
    Meta(
        max_length=200,
        pattern=r"^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$",
        title="Id of a rule",
    ),
]
"""The stable id of a rule: game, section, rule. Its page is /v1/games/{game}/rules/{rule}."""

Text = Annotated[
    str,
    Meta(title="Text", examples=["Ada raises by green 5: 10 in all", "Posto 0 passa", "Ada baut eine Bibliothek"]),
]
"""A move or an event as a sentence in the reader's language, for people; programs read the move or the event itself. It
has the players' names, or the numbers of their seats."""

Pointer = Annotated[str, Meta(pattern="^(/[^/]*)*$", title="JSON Pointer", examples=["/seats/1/hand", ""])]
"""A JSON Pointer (RFC 6901) into the submitted document; the empty text points to the whole document."""

LineNumber = Annotated[int, Meta(ge=1, title="Line", examples=[12])]
"""The line in text notation, from 1. Absent for JSON."""

ColumnNumber = Annotated[int, Meta(ge=1, title="Column", examples=[7])]
"""The column in characters, from 1. Absent for JSON."""

StateHash = Annotated[
    str,
    Meta(
        pattern="^[0-9a-f]{64}$",
        title="Hash of a state",
        examples=["2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"],
    ),
]
"""The SHA-256 of the state's canonical JSON (RFC 8785), in lower-case hexadecimal."""

Probability = Annotated[
    str,
    Meta(pattern="^(0|[1-9][0-9]*)/[1-9][0-9]*$", title="Probability", examples=["3/47", "0/1", "1/1"]),
]
"""An exact fraction in lowest terms. An outcome with 0/1 is accepted, but the service never draws it."""
