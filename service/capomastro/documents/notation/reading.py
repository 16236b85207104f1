"""From text to records: every line a member or a move; and where in the text each value of the record stands."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from capomastro.documents.explanations import LONG_NAME, pointer_to
from capomastro.documents.json_text import MAXIMUM_DEPTH
from capomastro.documents.notation.kinds import TEXT, Kind, MoveForm, arranged, move_forms, record_kind
from capomastro.documents.notation.lines import (
    COMMENT,
    MOST_TOKENS,
    NAME,
    NAMED,
    PATH,
    SPACE,
    WORD,
    Line,
    Place,
    Token,
    Unreadable,
)
from capomastro.documents.pointers import retold
from capomastro.documents.problems import MAXIMUM_ERRORS, Problem, too_many_moves
from capomastro.engine.game import SCHEMA_VERSION, Game

SEAT = re.compile(r"[0-9]{1,9}(?![^ \t])")
MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""Some editors begin a file with it."""
BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:#|[A-Za-z_][\w.-]*[ \t]*:)")
MOST_MEMBERS = 20_000
"""Lines of members; no record has nearly as many."""
PLAIN = 80
"""Moves in lines of so many characters are kept, to be found when the same line comes again."""
TOKENS_PER_LINE = 10
"""Words of a line, on average over all; more cannot be told from an attempt to keep the reader busy."""

Games = Mapping[str, Game[Any]]
Numbered = tuple[int, str]
"""A line, and its number from 1 on."""


@dataclass(frozen=True)
class Notated:
    """A record that was written by hand, and the places of its values by JSON Pointer."""

    record: dict[str, Any]
    places: Mapping[str, Place]

    def place(self, pointer: str) -> Place:
        """Where a value stands, or what is nearest around it: line and column."""
        while pointer not in self.places:
            pointer = pointer.rpartition("/")[0]
        return self.places[pointer]

    def located(self, answer: Any, within: str = "") -> Any:
        """An answer whose pointers into the record, which stood at `within`, are told with line and column as well."""
        return retold(answer, within, self.told)

    def told(self, pointer: str) -> dict[str, Any]:
        line, column = self.place(pointer)
        return {"pointer": pointer, "line": line, "column": column}


def read(data: bytes, games: Games, most_moves: int | None = None) -> Notated:
    """The record in a text.

    Raises:
        Problem: `malformed-notation` with every error up to a cap, or `envelope` if there are too many moves.
    """
    members: list[Numbered] = []
    moves: list[Numbered] = []
    for line in significant(decoded(data)):
        (members if PATH.match(line[1]) else moves).append(line)
        if len(members) > MOST_MEMBERS:
            place = {"pointer": "", "line": line[0], "column": 1}
            raise malformed([{**place, "message": f"expected no more than {MOST_MEMBERS} lines of members"}])
    if most_moves is not None and len(moves) > most_moves:
        raise too_many_moves(len(moves), most_moves, "/moves", line=moves[most_moves][0], column=1)
    return Reading(game_in(members, games)).read(members, moves)


def is_notation(data: bytes) -> bool:
    """Whether a text begins as none in JSON can: with a comment or the name of a member."""
    return BEGINNING.match(data) is not None


def decoded(data: bytes) -> str:
    """The text in UTF-8."""
    try:
        return data.decode().removeprefix(MARK)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        place = {"pointer": "", "line": line, "column": column}
        raise malformed([{**place, "message": "expected text in UTF-8, not other bytes"}]) from None


def significant(text: str) -> Iterable[Numbered]:
    """The lines that say something."""
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip(SPACE + "\r")
        if content and content[0] != COMMENT:
            yield number, line.removesuffix("\r")


def malformed(errors: list[dict[str, Any]]) -> Problem:
    ordered = sorted(errors, key=lambda error: (error["line"], error["column"]))
    return Problem("malformed-notation", "The text is not a record as the notation has it.", ordered[:MAXIMUM_ERRORS])


def game_in(members: Iterable[Numbered], games: Games) -> Game[Any]:
    """The game a text says it is of."""
    known = ", ".join(games)
    for number, text in members:
        line = Line(text, number, "/game")
        try:
            (name, *further) = path_of(line)
            if name.text != "game" or further:
                continue
            at = line.at
            id = line.value(TEXT, "/game", free=True)
        except Unreadable:
            raise malformed(line.errors) from None
        if id not in games:
            line.unknown("a game", id, games, at)
            raise malformed(line.errors)
        return games[id]
    place = {"pointer": "/game", "line": 1, "column": 1}
    raise malformed([{**place, "message": f'expected a line "game: …" that says which game it is: {known}'}])


def path_of(line: Line) -> list[Token]:
    """The names before the colon with which a line of a member begins."""
    path = [line.token(NAME, "the name of a member")]
    while line.sees("."):
        if len(path) == MAXIMUM_DEPTH:
            raise line.expected(f"at most {MAXIMUM_DEPTH} names")
        path.append(line.token(NAME, "the name of a member"))
    line.sees(":")
    return path


class Reading:
    """A record that is read line by line."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.kind = record_kind(game)
        self.forms = move_forms(game)
        self.record: dict[str, Any] = {}
        self.moves: list[dict[str, Any]] = []
        self.places: dict[str, Place] = {"": (1, 1)}
        self.errors: list[dict[str, Any]] = []
        self.tokens = 0
        self.implied = {"schema_version": SCHEMA_VERSION, "rules_version": game.rules_version, "options": {}}

    def read(self, members: Iterable[Numbered], moves: Iterable[Numbered]) -> Notated:
        for lines, read in ((members, self.member), (moves, self.move)):
            for number, text in lines:
                line = Line(text, number)
                with suppress(Unreadable):
                    read(line)
                    line.end()
                self.tokens += line.tokens - TOKENS_PER_LINE
                if self.tokens > MOST_TOKENS:
                    line.error("expected fewer words up to here")
                self.errors += line.errors
                if self.tokens > MOST_TOKENS or len(self.errors) >= MAXIMUM_ERRORS:
                    raise malformed(self.errors)
                self.places.update(line.places)
        if self.errors:
            raise malformed(self.errors)
        return Notated(self.whole(), self.places)

    def whole(self) -> dict[str, Any]:
        """The record, its members in the order of the schema."""
        record = arranged({**self.implied, **self.record}, self.kind)
        result = {"result": record.pop("result")} if "result" in record else {}
        return {**record, "moves": self.moves, **result}

    # --- members -----------------------------------------------------------------------------------------------------

    def member(self, line: Line) -> None:
        """A line such as `options.builder: 2`."""
        *holders, name = path_of(line)
        if not holders and name.text in self.forms:
            line.error(f'expected no ":" after "{name.text}", which is a move', name.at)
            raise Unreadable
        holder, kind, pointer = self.record, self.kind, ""
        for token in holders:
            holder, kind, pointer = self.inner(line, token, holder, kind, pointer)
        at = pointer + pointer_to([name.text])
        line.pointer = at if len(name.text) <= LONG_NAME else pointer
        listed = kind.member(name.text)
        if listed is None or not listed.lists_objects or line.text.startswith("[", line.at):
            line.set(holder, name, kind, pointer, lambda kind, pointer: line.value(kind, pointer, free=True))
        else:
            assert listed.items is not None
            self.item(line, name, holder, listed.items)
        if name.text in holder:
            self.note_holders(line, name, at)

    def inner(
        self, line: Line, name: Token, holder: dict[str, Any], kind: Kind, pointer: str
    ) -> tuple[dict[str, Any], Kind, str]:
        """What a name on the way leads to: an object, or the last of a list of objects; made where it is not yet."""
        inside = kind.member(name.text)
        pointer += pointer_to([name.text])
        if inside is None:
            line.unknown("the name of a member", name.text, kind.members or {}, name.at)
            raise Unreadable
        if inside.lists_objects:
            assert inside.items is not None
            items = holder.get(name.text)
            if not isinstance(items, list) or not items or not isinstance(items[-1], dict):
                line.error(f'expected a line "{pointer[1:].replace("/", ".")}: …" before this one', name.at)
                raise Unreadable
            return items[-1], inside.items, f"{pointer}/{len(items) - 1}"
        if inside.members is None or not isinstance(holder.get(name.text, {}), dict):
            raise line.expected('":"', name.at + len(name.text))
        return holder.setdefault(name.text, {}), inside, pointer

    def item(self, line: Line, name: Token, holder: dict[str, Any], kind: Kind) -> None:
        """A line that adds an object to a list: `name=value` for each of its members."""
        items = holder.setdefault(name.text, [])
        line.pointer = f"{line.pointer}/{len(items)}"
        line.note(line.pointer)
        added: dict[str, Any] = {}
        items.append(added)
        if line.text.startswith("{", line.at):
            added |= line.in_brackets(kind, line.pointer, 1)
        elif line.ended:
            raise line.expected('"name=…" or "{}"')
        else:
            line.pairs(added, kind, line.pointer)

    def note_holders(self, line: Line, name: Token, pointer: str) -> None:
        """Whatever a member is part of stands where its first member does."""
        place = (line.number, name.at + 1)
        while pointer := pointer.rpartition("/")[0]:
            self.places.setdefault(pointer, place)

    # --- moves -------------------------------------------------------------------------------------------------------

    def move(self, line: Line) -> None:
        """A line such as `0 place-on-top brick-3-2 palace=1`."""
        pointer = f"/moves/{len(self.moves)}"
        known = plain_move(self.game, line.text) if len(line.text) <= PLAIN else None
        if known is not None:
            self.moves.append({name: value[:] if type(value) is list else value for name, value in known.move.items()})
            line.places = {pointer + member: (line.number, column) for member, column in known.columns.items()}
            line.at = len(line.text)
        else:
            line.pointer = pointer
            self.moves.append({})  # also one that cannot be read is counted
            self.moves[-1] = move_in(line, self.forms)
        self.places.setdefault("/moves", (line.number, 1))


class PlainMove(NamedTuple):
    """A move, and the columns of its members by JSON Pointer into it."""

    move: dict[str, Any]
    columns: dict[str, int]


@lru_cache(maxsize=5_000)
def plain_move(game: Game[Any], text: str) -> PlainMove | None:
    """The move in a line that is right, read once: the same lines come again and again. None if it is not right."""
    line = Line(text, 1)
    with suppress(Unreadable):
        move = move_in(line, move_forms(game))
        line.end()
        if not line.errors:
            return PlainMove(move, {pointer: column for pointer, (_, column) in line.places.items()})
    return None


def move_in(line: Line, forms: Mapping[str, MoveForm]) -> dict[str, Any]:
    """The move in a line: seat, type, and what it says."""
    pointer = line.pointer
    line.note(pointer)
    seat = SEAT.match(line.text, line.at)
    at = line.at
    if seat is not None:
        line.note(f"{pointer}/seat")
        line.at = seat.end()
        line.skip()
    type = line.token(WORD, "a move")
    form = forms.get(type.text)
    if form is None:
        line.unknown("a type of move", type.text, forms, type.at)
        raise Unreadable
    line.note(f"{pointer}/type", type.at)
    if seat is not None and not form.has_seat:
        line.error(f'expected no seat before "{type.text}", a move of chance', at)
    elif seat is None and form.has_seat:
        line.error(f'expected a seat before "{type.text}", a move of a player', at)
    by = {} if seat is None else {"seat": int(seat[0])}
    return {"type": type.text, **by, **members_of_move(line, form, pointer)}


def members_of_move(line: Line, form: MoveForm, pointer: str) -> dict[str, Any]:
    """What a move says: the first member without its name, if one likes, the others with it."""
    found: dict[str, Any] = {}
    kind = form.members
    if form.first and not line.ended and not NAMED.match(line.text, line.at):
        line.set(found, Token(form.first, False, line.at), kind, pointer, line.value)
    line.pairs(found, kind, pointer)
    line.require(found, kind)
    return {name: found[name] for name in kind.members or {} if name in found}
