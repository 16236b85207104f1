"""Makes forged tables: altered, cut, mixed, transplanted."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

from tests.support.documents import leaves

Table = dict[str, Any]


class Genuine(NamedTuple):
    """A sealed table, and the paths to all its values, which take longer to find than to follow."""

    table: Table
    ways: list[list[str]]


def genuine(tables: Iterable[Table]) -> list[Genuine]:
    return [Genuine(table, [pointer.split("/")[1:] for pointer, _ in leaves(table)]) for table in tables]


Way = Callable[[Random, Sequence[Genuine]], Table]
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
LARGE = (2**53, 2**64, 10**30)
ODD: tuple[Any, ...] = (None, True, False, 0, -1, 1, *LARGE, "", "0", "\x00", "\U0001f600", [], {}, [[]], {"a": 1})


def with_value(document: Any, way: list[str], change: Callable[[Any], Any]) -> Any:
    """The document with the value at the end of the path changed."""
    if not way:
        return change(document)
    if isinstance(document, list):
        index = int(way[0])
        return [*document[:index], with_value(document[index], way[1:], change), *document[index + 1 :]]
    name = way[0].replace("~1", "/").replace("~0", "~")
    return {**document, name: with_value(document[name], way[1:], change)}


def altered(random: Random, tables: Sequence[Genuine]) -> Table:
    """One value is replaced."""
    table, ways = random.choice(tables)

    def change(value: Any) -> Any:
        if isinstance(value, str) and value and random.random() < 0.5:
            index = random.randrange(len(value))
            return value[:index] + random.choice(ALPHABET) + value[index + 1 :]
        if type(value) is int and random.random() < 0.5:
            return value + random.choice((-1, 1, 256))
        return random.choice(ODD)

    found: Table = with_value(table, random.choice(ways), change)
    return found


def cut(random: Random, tables: Sequence[Genuine]) -> Table:
    """A member is left out, or a text or a list is shortened."""
    table = random.choice(tables).table
    if random.random() < 0.3:
        return {name: table[name] for name in table if name != random.choice([*table])}
    member = random.choice(("sealed", "record", "id", "commitment", "state", "creation", "waiting"))
    value = table[member]
    if isinstance(value, str):
        return {**table, member: value[: random.randrange(len(value) or 1)]}
    return {**table, member: {name: value[name] for name in value if name != random.choice([*value])}}


def added(random: Random, tables: Sequence[Genuine]) -> Table:
    """An unknown member is added somewhere."""
    table = random.choice(tables).table
    member = random.choice(("", "creation", "waiting", "state"))
    extra = {random.choice(("x", "ä", "sealed ", "\x00", "")): random.choice(ODD)}
    return {**table, member: {**table[member], **extra}} if member else {**table, **extra}


def mixed(random: Random, tables: Sequence[Genuine]) -> Table:
    """Some members of one table, the others of another."""
    one, other = random.sample(tables, 2)
    return {name: random.choice((one, other)).table[name] for name in one.table}


def transplanted(random: Random, tables: Sequence[Genuine]) -> Table:
    """The sealed part or the head of another table."""
    one, other = (chosen.table for chosen in random.sample(tables, 2))
    if random.random() < 0.5:
        return {**one, "sealed": other["sealed"]}
    head = random.choice(("1.0515aa10", "1.00000000", "2.0515aa10", "1.0515AA10", "1", "", "1.0515aa10."))
    return {**one, "sealed": f"{head}.{one['sealed'].rpartition('.')[2]}"}


def reencoded(random: Random, tables: Sequence[Genuine]) -> Table:
    """The same bytes in non-canonical base64url, or slightly different bytes."""
    table = random.choice(tables).table
    text = table["sealed"]
    index = random.randrange(11, len(text) + 1)
    ways = (
        text[:index] + random.choice(("=", "\n", " ", "+", "/", "é", ".", "A")) + text[index:],
        text[:-1] + random.choice(ALPHABET),
        text + "=" * random.randrange(1, 4),
    )
    return {**table, "sealed": random.choice(ways)}


WAYS: tuple[Way, ...] = (altered, cut, added, mixed, transplanted, reencoded)
