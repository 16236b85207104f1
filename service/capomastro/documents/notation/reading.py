"""Reads records from text, where every line is a member or a move, with the place of each value."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from capomastro.documents.claims import Claim
from capomastro.documents.json_text import MAXIMUM_DEPTH, line_and_column, utf8
from capomastro.documents.names import are_same
from capomastro.documents.notation.kinds import TEXT, Kind, MoveForm, arranged, move_forms, record_kind
from capomastro.documents.notation.lines import (
    COMMENT,
    MAXIMUM_PLACES,
    MAXIMUM_TOKENS,
    NAME,
    NAMED,
    PATH,
    SPACE,
    SPACES,
    WORD,
    Line,
    Place,
    Token,
    Unreadable,
    below,
)
from capomastro.documents.notation.patterns import as_often_as_possible
from capomastro.documents.phrases import LONG_NAME, excerpt
from capomastro.documents.pointers import map_pointers
from capomastro.documents.problems import MAXIMUM_ERRORS, Problem, too_many_moves
from capomastro.documents.wordings import phrase
from capomastro.engine.game import SCHEMA_VERSION, AnyGame

SEAT = re.compile(r"[0-9]{1,9}(?![^ \t])")
BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""The byte order mark with which some editors begin a file."""
BEGINNING = re.compile(
    rb"""(?!\xff\xfe|\xfe\xff)(?>(?:\xef\xbb\xbf)?)[ \t\r\n]*+(?: # not UTF-16; a mark is not part of a name
        \#                                                 # a comment
        | (?!(?:true|false|null)\b(?![ \t]*:))[A-Za-z_\x80-\xff]+  # a member, a move of chance, the name of a player
        | [0-9]{1,9}[ \t]+[^\s]                            # a seat and its move
        | "%b"[ \t]+[^\s]                                  # a name in quotation marks, and its move
    )"""
    % as_often_as_possible(r'[^"\\\n]|\\.', least=0).encode(),
    re.VERBOSE,
)
"""How a record in this notation can begin, but JSON cannot."""
JSON_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*+[\[{]")
"""How an object or an array of JSON begins, and no record in this notation."""
MAXIMUM_MEMBERS = 20_000
"""Maximum number of lines with members; real records have far fewer."""
MOST_PLACES = 200_000
"""Once the places of so many values are known, only those of whole lines are added; real records have half as many."""
PLAIN = 80
"""Moves in lines up to this length are cached, because the same lines recur."""
MAXIMUM_NAMES = 20
"""Far more than can play: every move that begins with a name searches them."""
TOKENS_PER_LINE = 10
"""Maximum average number of tokens per line; more look like an attempt to keep the reader busy."""

Games = Mapping[str, AnyGame]
Names = Sequence[str]
"""The players' names by seat."""
Numbered = tuple[int, str]
"""A line and its number, from 1."""
Comments = Mapping[int, Sequence[str]]
"""The comments of a record by position, the number of moves above them; without their `#`, in order."""


@dataclass(frozen=True)
class Notated:
    """A record read from text notation, and the places of its values by JSON Pointer."""

    record: dict[str, Any]
    places: Mapping[str, Place]
    comments: "Comments" = field(default_factory=dict)

    def place(self, pointer: str) -> Place:
        """Line and column of a value, or of the innermost value around it whose place is known."""
        while pointer not in self.places:
            pointer = pointer.rpartition("/")[0]
        return self.places[pointer]

    def located(self, answer: Any, within: str = "") -> Any:
        """An answer with line and column added to each pointer into the record, which is at `within`."""
        return map_pointers(answer, within, self.locate)

    def locate(self, pointer: str) -> dict[str, Any]:
        line, column = self.place(pointer)
        return {"pointer": pointer, "line": line, "column": column}


def read(data: bytes, games: Games, maximum_moves: int | None = None, if_json: str = "") -> Notated:
    """Reads the record in a text; `if_json` says what to do if it is JSON.

    Raises:
        Problem: `malformed-notation` with up to `MAXIMUM_ERRORS` errors, or `envelope` if there are too many moves.
    """
    if JSON_BEGINNING.match(data):
        detail = if_json or phrase("json-in-text")
        raise Problem("malformed-notation", detail, [{"pointer": "", "line": 1, "column": 1, "message": detail}])
    members: list[Numbered] = []
    moves: list[Numbered] = []
    comments: list[tuple[int, str]] = []
    for line in lines_with_content(decoded(data)):
        content = line[1].lstrip(SPACE)
        if content.startswith(COMMENT):
            comments.append((len(moves), content[1:]))
            continue
        (members if PATH.match(line[1]) else moves).append(line)
        if len(members) > MAXIMUM_MEMBERS:
            place = {"pointer": "", "line": line[0], "column": 1}
            raise malformed([{**place, "message": f"expected no more than {MAXIMUM_MEMBERS} lines of members"}])
    if maximum_moves is not None and len(moves) > maximum_moves:
        raise too_many_moves(len(moves), maximum_moves, "/moves", line=moves[maximum_moves][0], column=1)
    return Reading(game_in(members, games)).read(members, moves, comments)


def read_move(game: AnyGame, text: str, names: Names | None = None) -> dict[str, Any]:
    """The move in one line; `names` may stand for seats.

    Raises:
        Problem: `malformed-notation`, or `malformed-json` if it has lone surrogates, which are not characters.
    """
    line = Line(utf8(text).decode(), 1)
    move: dict[str, Any] = {}
    with suppress(Unreadable):
        move = move_in(line, move_forms(game), names)
        line.end()
    if line.errors:
        raise Problem("malformed-notation", phrase("no-move-in-notation"), line.errors)
    return move


def is_notation(data: bytes) -> bool:
    """Whether a text begins as a record in this notation can, and none in JSON."""
    return BEGINNING.match(data) is not None


def decoded(data: bytes) -> str:
    """Decodes a text in UTF-8."""
    try:
        return data.decode().removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        line, column = line_and_column(data, error.start)
        place = {"pointer": "", "line": line, "column": column}
        raise malformed([{**place, "message": "expected text in UTF-8, not other bytes"}]) from None


def lines_with_content(text: str) -> Iterable[Numbered]:
    """The lines that are not blank."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(SPACE + "\r"):
            yield number, line.removesuffix("\r")


def malformed(errors: list[dict[str, Any]]) -> Problem:
    ordered = sorted(errors, key=lambda error: (error["line"], error["column"]))
    return Problem("malformed-notation", phrase("no-record-in-notation"), ordered[:MAXIMUM_ERRORS])


def game_in(members: Iterable[Numbered], games: Games) -> AnyGame:
    """The game that a text names."""
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
    raise malformed([{**place, "message": f'expected a line "game: …" with one of: {known}'}])


def path_of(line: Line) -> list[Token]:
    """The names before the colon in a line with a member."""
    path = [line.token(NAME, "the name of a member")]
    while line.accept("."):
        if len(path) == MAXIMUM_DEPTH:
            raise line.expected(f"at most {MAXIMUM_DEPTH} names")
        path.append(line.token(NAME, "the name of a member"))
    line.accept(":")
    return path


class Reading:
    """Reads a record line by line; holds what has been read so far."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.kind = record_kind(game)
        self.forms = move_forms(game)
        self.record: dict[str, Any] = {}
        self.whole_members: set[str] = set()
        """The members that a line has given whole, so that no other line may add to them."""
        self.moves: list[dict[str, Any]] = []
        self.places: dict[str, Place] = {"": (1, 1)}
        self.errors: list[dict[str, Any]] = []
        self.comments: dict[int, list[str]] = {}
        self.tokens = 0
        self.implied = {"schema_version": SCHEMA_VERSION, "rules_version": game.rules_version, "options": {}}

    def read(
        self, members: Iterable[Numbered], moves: Iterable[Numbered], comments: Iterable[tuple[int, str]]
    ) -> Notated:
        for lines, read in ((members, self.member), (moves, self.move)):
            for number, text in lines:
                line = Line(text, number, most_places=MAXIMUM_PLACES if len(self.places) < MOST_PLACES else 1)
                with suppress(Unreadable):
                    read(line)
                    line.end()
                self.tokens += line.tokens - TOKENS_PER_LINE
                if self.tokens > MAXIMUM_TOKENS:
                    line.error("expected fewer words up to here")
                self.errors += line.errors
                if self.tokens > MAXIMUM_TOKENS or len(self.errors) >= MAXIMUM_ERRORS:
                    raise malformed(self.errors)
                self.places.update(line.places)
        if self.errors:
            raise malformed(self.errors)
        for position, comment in comments:
            self.comment(position, comment)
        return Notated(self.whole(), self.places, self.comments)

    def comment(self, position: int, text: str) -> None:
        self.comments.setdefault(position, []).append(text.rstrip(SPACE + "\r"))

    def whole(self) -> dict[str, Any]:
        """The record, its members in the order of the schema."""
        record = arranged({**self.implied, **self.record}, self.kind)
        claim = {name: record.pop(name) for name in Claim._fields if name in record}
        return {**record, "moves": self.moves, **claim}

    # --- members -----------------------------------------------------------------------------------------------------

    def member(self, line: Line) -> None:
        """A line such as `options.builder: 2`."""
        *holders, name = path_of(line)
        if not holders and name.text in self.forms:
            line.error(f'expected no ":" after "{name.text}", which is a move', name.at)
            raise Unreadable
        holder, kind, pointer = self.record, self.kind, ""
        around = []
        for token in holders:
            around.append((token, pointer))
            holder, kind, pointer = self.inner(line, token, holder, kind, pointer)
        at = below(pointer, name.text)
        around.append((name, pointer))
        line.pointer = next((outer for token, outer in around if len(token.text) > LONG_NAME), at)
        listed = kind.member(name.text)
        if listed is None or not listed.lists_objects or line.text.startswith("[", line.at):
            line.set(holder, name, kind, pointer, lambda kind, pointer: line.value(kind, pointer, free=True))
            self.whole_members.add(at)
        else:
            assert listed.items is not None
            self.require_parts(line, name, at)
            self.item(line, name, holder, listed.items)
        if name.text in holder:
            self.note_holders(line, name, at)

    def inner(
        self, line: Line, name: Token, holder: dict[str, Any], kind: Kind, pointer: str
    ) -> tuple[dict[str, Any], Kind, str]:
        """The object that a name in a path leads to, created if absent; for a list of objects, the last one."""
        inside = kind.member(name.text)
        pointer = below(pointer, name.text)
        if inside is None:
            line.unknown("the name of a member", name.text, kind.members or {}, name.at)
            raise Unreadable
        self.require_parts(line, name, pointer)
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

    def require_parts(self, line: Line, name: Token, pointer: str) -> None:
        """Refuses to add to a member that a line has given whole."""
        if pointer in self.whole_members:
            line.error(f"{excerpt(name.text)} occurs twice", name.at)
            raise Unreadable

    def item(self, line: Line, name: Token, holder: dict[str, Any], kind: Kind) -> None:
        """Reads a line that adds an object to a list: `name=value` for each member."""
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
        """Records the place of the first member of an object as that of the object."""
        place = (line.number, name.at + 1)
        while (pointer := pointer.rpartition("/")[0]) and len(self.places) < MOST_PLACES:
            self.places.setdefault(pointer, place)

    # --- moves -------------------------------------------------------------------------------------------------------

    @property
    def names(self) -> Names:
        """The players' names, as far as they have been read and are valid."""
        names = self.record.get("names")
        return [name for name in names[:MAXIMUM_NAMES] if isinstance(name, str)] if isinstance(names, list) else ()

    def move(self, line: Line) -> None:
        """A line such as `0 place-on-top brick-3-2 palace=1`."""
        pointer = f"/moves/{len(self.moves)}"
        known = plain_move(self.game, line.text) if len(line.text) <= PLAIN and SEAT.match(line.text) else None
        if known is not None:
            self.moves.append({name: value[:] if type(value) is list else value for name, value in known.move.items()})
            line.places = {pointer + member: (line.number, column) for member, column in known.columns.items()}
            line.at = known.end
        else:
            line.pointer = pointer
            self.moves.append({})  # a move that cannot be read counts as well
            self.moves[-1] = move_in(line, self.forms, self.names)
        if line.ended and line.at < len(line.text):
            self.comment(len(self.moves), line.text[line.at + 1 :])
        self.places.setdefault("/moves", (line.number, 1))


class PlainMove(NamedTuple):
    """A move, the columns of its members by JSON Pointer into it, and the index in its line where it ends."""

    move: dict[str, Any]
    columns: dict[str, int]
    end: int


@lru_cache(maxsize=5_000)
def plain_move(game: AnyGame, text: str) -> PlainMove | None:
    """The move in a valid line of a seat, cached because the same lines recur; None for an invalid line.

    Moves of chance are not: a player's record names the cards that were dealt to them.
    """
    line = Line(text, 1)
    with suppress(Unreadable):
        move = move_in(line, move_forms(game))
        line.end()
        if not line.errors:
            return PlainMove(move, {pointer: column for pointer, (_, column) in line.places.items()}, line.at)
    return None


def move_in(line: Line, forms: Mapping[str, MoveForm], names: Names | None = None) -> dict[str, Any]:
    """The move in a line: seat, type, members."""
    pointer = line.pointer
    line.note(pointer)
    at = line.at
    seat = seat_in(line, forms, names or ())
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
    by = {} if seat is None else {"seat": seat}
    return {"type": type.text, **by, **members_of_move(line, form, pointer)}


def seat_in(line: Line, forms: Mapping[str, MoveForm], names: Names) -> int | None:
    """The seat with which a line begins, as its number or by its player's name; None if it begins with neither.

    A name with spaces, or one that is also a number or a type of move, must be in quotation marks.
    """
    at = line.at
    number = SEAT.match(line.text, at)
    if number is not None:
        line.note(f"{line.pointer}/seat")
        line.at = number.end()
        line.skip()
        return int(number[0])
    if not begins_with_name(line, forms, names):
        return None
    name = line.token(WORD, "a seat")
    seats = [seat for seat, player in enumerate(names) if are_same(player, name.text)]
    if not seats:
        what = "a seat" if names else "the number of a seat, since no player is named"
        line.unknown(what, name.text, names, at)
        raise Unreadable
    if len(seats) > 1:
        line.error(f"expected the name of one player: {excerpt(name.text)} is that of several", at)
        raise Unreadable
    line.note(f"{line.pointer}/seat", at)
    return seats[0]


def begins_with_name(line: Line, forms: Mapping[str, MoveForm], names: Names) -> bool:
    """Whether a line begins with the name of a player, or with anything else in the place of a seat."""
    if line.text.startswith('"', line.at):
        return True
    word = WORD.match(line.text, line.at)
    if word is None or word[0] in forms:
        return False
    following = WORD.match(line.text, next_word_at(line.text, word.end()))
    return any(are_same(name, word[0]) for name in names) or (following is not None and following[0] in forms)


def next_word_at(text: str, at: int) -> int:
    """The index of the next character that is not a space."""
    spaces = SPACES.match(text, at)
    assert spaces is not None
    return spaces.end()


def members_of_move(line: Line, form: MoveForm, pointer: str) -> dict[str, Any]:
    """Reads the members of a move: the first one with or without its name, the others with it."""
    found: dict[str, Any] = {}
    kind = form.members
    if form.first and not line.ended and not NAMED.match(line.text, line.at):
        line.set(found, Token(form.first, False, line.at), kind, pointer, line.value)
    line.pairs(found, kind, pointer)
    line.require(found, kind)
    return {name: found[name] for name in kind.members or {} if name in found}
