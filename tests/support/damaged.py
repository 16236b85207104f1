"""An archive of recorded games, one each damaged in every way that happens to archives."""

import json
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from random import Random
from typing import Any, NamedTuple

from capomastro import adjudicator
from capomastro.games import all_games
from tests.support.recorded import record_files
from tests.support.slips import a_seat, a_word, swapped

RECORDS = 85
OF_EACH = 1
UNDAMAGED = "none"
GOOD = ("legal", "unfinished")


class Damaged(NamedTuple):
    """A line of the archive: its bytes, how it was damaged, and the verdicts that tell it.

    `moves`: the index of the move that was damaged.
    """

    text: bytes
    damage: str
    verdicts: tuple[str, ...] = ("legal",)
    move: int | None = None


def damaged_archive() -> Iterator[Damaged]:
    """The lines of the archive, the same ones every time."""
    random = Random("archive")
    documents = [json.loads(file.read_bytes()) for file in record_files()]
    places = iter(random.sample(range(1, RECORDS), OF_EACH * len(DAMAGES)))
    at = {next(places): damage for damage in DAMAGES for _ in range(OF_EACH)}
    last = Damaged(b"", UNDAMAGED)
    for number, document in enumerate(islice(cycle(documents), RECORDS)):
        record = {**document, "id": f"game-{number}"}
        if number in at:
            yield DAMAGES[at[number]](record, random, last)
        else:
            last = Damaged(encoded(record), UNDAMAGED, GOOD)
            yield last


def encoded(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()


def with_slip(
    make: Callable[..., Any], damage: str, verdicts: tuple[str, ...], record: dict[str, Any], random: Random
) -> Damaged:
    """A record in which a slip makes a move illegal."""
    while True:
        index = random.randrange(len(record["moves"]) // 3, 2 * len(record["moves"]) // 3)
        moves = make(record["moves"], index, random)
        slipped = {**record, "moves": moves}
        if moves is not None:
            answer = adjudicator.replay(all_games()[record["game"]], slipped)
            if answer.verdict in verdicts and answer.plies == index:
                return Damaged(encoded(slipped), damage, verdicts, index)


def without_draw(moves: list[dict[str, Any]], index: int, _: Random) -> Any:
    return None if "seat" in moves[index] else [*moves[:index], *moves[index + 1 :]]


def slipped(make: Callable[..., Any], damage: str, *verdicts: str) -> "Damage":
    return lambda record, random, _: with_slip(make, damage, verdicts, record, random)


def wrong_result(record: dict[str, Any], _: Random, __: Damaged) -> Damaged:
    others = {name: value for name, value in record.items() if name != "result"}
    wrong = {**others, "totals": [-99] * record["players"]}
    return Damaged(encoded(wrong), "wrong result", ("wrong-result", "unfinished"))


def latin_1(record: dict[str, Any], _: Random, __: Damaged) -> Damaged:
    text = json.dumps({**record, "tags": {"place": "Köln"}}, ensure_ascii=False)
    return Damaged(text.encode("latin-1"), "Latin-1", ("unusable",))


def other_version(record: dict[str, Any], _: Random, __: Damaged) -> Damaged:
    return Damaged(encoded({**record, "rules_version": 9}), "other version", ("other-version",))


Damage = Callable[[dict[str, Any], Random, Damaged], Damaged]
"""Damages a record; the last undamaged line may be needed for it."""
DAMAGES: dict[str, Damage] = {
    "wrong result": wrong_result,
    "illegal move": slipped(a_word, "illegal move", "illegal-move"),
    "missing draw": slipped(without_draw, "missing draw", "missing-chance"),
    "cut off": lambda record, *_: Damaged(encoded(record)[:-200], "cut off", ("unusable",)),
    "Latin-1": latin_1,
    "UTF-16": lambda record, *_: Damaged(json.dumps(record).encode("utf-16"), "UTF-16", ("unusable",)),
    "repeated": lambda _, __, last: last._replace(damage="repeated"),
    "wrong player": slipped(a_seat, "wrong player", "out-of-turn"),
    "other version": other_version,
    "swapped": slipped(swapped, "swapped", "illegal-move", "out-of-turn", "missing-chance", "missing-move"),
    "CRLF": lambda record, *_: Damaged(encoded(record) + b"\r", "CRLF", GOOD),
}
