"""One line, read from left to right: words, strings, lists, and what was expected where something else stands."""

import re
from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import Any, NamedTuple

from capomastro.documents import json_text
from capomastro.documents.explanations import one_of, pointer_to, shown
from capomastro.documents.notation.kinds import ANYTHING, NOT_MEANT, Kind
from capomastro.documents.problems import MAXIMUM_ERRORS, Problem

SPACE = " \t"
SPACES = re.compile(r"[ \t]*+")
COMMENT = "#"
CONTROL = r"\x00-\x08\x0a-\x1f\x7f"
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*+"')
WORD = re.compile(rf'(?!:)[^{CONTROL}\t ,="\[\]{{}}]++')
"""In moves: up to a space or a comma. Before it a colon would make the line a member."""
PHRASE = re.compile(rf"(?:(?![ \t]#)[^{CONTROL},])++")
"""In a list of a member: up to a comma or a comment."""
REST = re.compile(rf"(?:(?![ \t]#)[^{CONTROL}])++")
"""Text of a member: up to a comment or the end."""
FURTHER = {pattern: re.compile(rf'(?:[ \t]*+,[ \t]*+(?!["#]){pattern.pattern})++[ \t]*+') for pattern in (WORD, PHRASE)}
"""A comma and a plain item, as often as there are."""
NAME = re.compile(rf'[^{CONTROL}\t .,:="\[\]{{}}#]++')
NAMED = re.compile(rf"(?:{NAME.pattern}|{STRING.pattern})[ \t]*+=")
PATH = re.compile(rf"[ \t]*+(?:{NAME.pattern}|{STRING.pattern})(?:\.(?:{NAME.pattern}|{STRING.pattern}))*+[ \t]*+:")
"""How a line begins that holds a member, and no move."""
MOST_PLACES = 1_000
"""The places of so many values of a line are kept."""

MOST_TOKENS = 100_000
"""So many words, strings and brackets of a line are read one by one; plain items of lists are not counted."""

Place = tuple[int, int]
"""Line and column, each from 1 on; columns are characters."""


class Token(NamedTuple):
    """A word, or what a JSON string holds; and the index in the line where it begins."""

    text: str
    is_string: bool
    at: int

    def means(self, kind: Kind) -> Any:
        if self.is_string:
            return self.text if kind.text else NOT_MEANT
        return kind.means(self.text)


class Unreadable(Exception):
    """The rest of the line cannot be read; the error is noted."""


class Line:
    """A line that is read; `places` are those of its values by JSON Pointer, `errors` what is wrong with it."""

    def __init__(self, text: str, number: int, pointer: str = "") -> None:
        self.text = text
        self.number = number
        self.pointer = pointer
        self.at = 0
        self.tokens = 0
        self.places: dict[str, Place] = {}
        self.errors: list[dict[str, Any]] = []
        self.skip()

    # --- moving on ---------------------------------------------------------------------------------------------------

    def skip(self) -> None:
        """Goes to what comes after spaces."""
        spaces = SPACES.match(self.text, self.at)
        assert spaces is not None
        self.at = spaces.end()

    @property
    def ended(self) -> bool:
        """Whether nothing but a comment comes."""
        return self.at == len(self.text) or (self.text[self.at] == COMMENT and self.after_space)

    @property
    def after_space(self) -> bool:
        return self.at == 0 or self.text[self.at - 1] in SPACE

    def sees(self, character: str) -> bool:
        """Whether this character comes next, and if so goes beyond it."""
        if self.text.startswith(character, self.at):
            self.at += 1
            self.skip()
            return True
        return False

    def note(self, pointer: str, at: int | None = None) -> None:
        """Keeps the place of a value."""
        if len(self.places) < MOST_PLACES:
            self.places[pointer] = (self.number, (self.at if at is None else at) + 1)

    # --- errors ------------------------------------------------------------------------------------------------------

    def error(self, message: str, at: int | None = None) -> None:
        column = (self.at if at is None else at) + 1
        self.errors.append({"pointer": self.pointer, "line": self.number, "column": column, "message": message})
        if len(self.errors) == MAXIMUM_ERRORS:
            raise Unreadable

    def expected(self, what: str, at: int | None = None) -> Unreadable:
        """The error that something else stands here, to be raised."""
        if at is not None:
            self.at = at
        self.error(f"expected {what}, not {self.found()}")
        return Unreadable()

    def found(self) -> str:
        """What stands here."""
        if self.ended:
            return "the end of the line"
        word = WORD.match(self.text, self.at)
        return shown(word[0] if word else self.text[self.at])

    def end(self) -> None:
        """Nothing else may come."""
        if not self.ended:
            raise self.expected("the end of the line")

    def unknown(self, what: str, name: str, known: Collection[str], at: int) -> None:
        """The error that a name is not known, with the nearest that is."""
        near = get_close_matches(name[:100], known, 1)
        hint = f'; did you mean "{near[0]}"?' if near else f"; it is {one_of(list(known))}" if known else ""
        self.error(f"expected {what}, not {shown(name)}{hint}", at)

    # --- words and values --------------------------------------------------------------------------------------------

    def token(self, pattern: re.Pattern[str], wanted: Kind | str) -> Token:
        """The next word or string."""
        at = self.at
        self.count()
        word = pattern.match(self.text, at)
        if self.text.startswith('"', at):
            return Token(self.string(), True, at)
        if word is None or self.ended:
            raise self.expected(wanted if isinstance(wanted, str) else wanted.described)
        self.at = word.end()
        self.skip()
        return Token(word[0].rstrip(SPACE), False, at)

    def count(self) -> None:
        """One more of what is read one by one."""
        self.tokens += 1
        if self.tokens > MOST_TOKENS:
            self.error(f"expected no more than {MOST_TOKENS} words and brackets on a line")
            raise Unreadable

    def string(self) -> str:
        """The text of a JSON string."""
        at = self.at
        written = STRING.match(self.text, at)
        if written is None:
            self.error("expected a closing quotation mark to this string")
            raise Unreadable
        self.at = written.end()
        self.skip()
        if "\\" not in written[0]:
            return written[0][1:-1]
        try:
            return str(json_text.decode(written[0].encode()))
        except Problem:
            self.error("expected a JSON string, not one with escapes that JSON does not know", at)
            return ""

    def value(self, kind: Kind, pointer: str, free: bool = False) -> Any:
        """The value of a member: a word or string, several between commas, or something in brackets.

        `free`: spaces are part of words, as the value ends with the line.
        """
        self.note(pointer)
        if self.text[self.at : self.at + 1] in {"[", "{"} and not kind.only_text:
            return self.in_brackets(kind, pointer, 1)
        pattern = WORD if not free else REST if kind.only_text else PHRASE
        first = self.token(pattern, kind)
        if self.text.startswith(",", self.at):
            return self.between_commas(first, kind, pointer, pattern)
        if kind.items is not None and first.means(kind) is NOT_MEANT:
            return [self.meaning(first, kind.items, f"{pointer}/0")]
        return self.meaning(first, kind, pointer)

    def between_commas(self, first: Token, kind: Kind, pointer: str, pattern: re.Pattern[str]) -> list[Any]:
        """A list that begins with this item."""
        if kind.items is None:
            raise self.expected("one value")
        items = [self.meaning(first, kind.items, f"{pointer}/0")]
        items += self.further(kind.items, pointer, 1, pattern)
        while self.sees(","):
            items.append(self.meaning(self.token(pattern, kind.items), kind.items, f"{pointer}/{len(items)}"))
            items += self.further(kind.items, pointer, len(items), pattern)
        return items

    def further(self, kind: Kind, pointer: str, index: int, pattern: re.Pattern[str]) -> list[Any]:
        """Plain items that come now, each after a comma, all in one step: lists can be long."""
        run = FURTHER[pattern].match(self.text, self.at)
        if run is None:
            return []
        at, self.at = self.at, run.end()
        pieces = run[0].split(",")[1:]
        words = [piece.strip(SPACE) for piece in pieces]
        meanings = {word: kind.means(word) for word in set(words)}
        all_meant = NOT_MEANT not in meanings.values()
        at += run[0].index(",") + 1
        for number, (piece, word) in enumerate(zip(pieces, words, strict=True), index):
            if all_meant and len(self.places) == MOST_PLACES:
                break
            begin = at + len(piece) - len(piece.lstrip(SPACE))
            self.meaning(Token(word, False, begin), kind, f"{pointer}/{number}")
            at += len(piece) + 1
        return [meanings[word] for word in words]

    def meaning(self, token: Token, kind: Kind, pointer: str) -> Any:
        """What a token means; an error if nothing that can stand there."""
        self.note(pointer, token.at)
        meaning = token.means(kind)
        if meaning is NOT_MEANT:
            self.error(f"expected {kind.described}, not {shown(token.text)}", token.at)
            return None
        return meaning

    def in_brackets(self, kind: Kind, pointer: str, depth: int) -> Any:
        """A list in brackets or an object in braces."""
        self.count()
        if depth > json_text.MAXIMUM_DEPTH:
            raise self.expected(f"nesting of at most {json_text.MAXIMUM_DEPTH} brackets")
        if self.text[self.at] == "[":
            if kind.items is None:
                raise self.expected(kind.described)
            self.sees("[")
            return self.items(kind.items, pointer, depth)
        if kind.members is None:
            raise self.expected(kind.described)
        self.sees("{")
        return self.members(kind, pointer, depth)

    def items(self, kind: Kind, pointer: str, depth: int) -> list[Any]:
        """The items of a list up to its closing bracket."""
        if self.sees("]"):
            return []
        items = [self.nested(kind, f"{pointer}/0", depth)]
        items += self.further(kind, pointer, 1, WORD)
        while self.sees(","):
            items.append(self.nested(kind, f"{pointer}/{len(items)}", depth))
            items += self.further(kind, pointer, len(items), WORD)
        if not self.sees("]"):
            raise self.expected('"," or "]"')
        return items

    def members(self, kind: Kind, pointer: str, depth: int) -> dict[str, Any]:
        """The members of an object up to its closing brace."""
        found: dict[str, Any] = {}
        if self.sees("}"):
            return found
        while not found or self.sees(","):
            name = self.token(NAME, "the name of a member")
            if not self.sees(":"):
                raise self.expected('":"')
            self.set(found, name, kind, pointer, lambda kind, pointer: self.nested(kind, pointer, depth))
        if not self.sees("}"):
            raise self.expected('"," or "}"')
        return found

    def nested(self, kind: Kind, pointer: str, depth: int) -> Any:
        """A value within brackets."""
        self.note(pointer)
        if self.text[self.at : self.at + 1] in {"[", "{"}:
            return self.in_brackets(kind, pointer, depth + 1)
        return self.meaning(self.token(WORD, kind), kind, pointer)

    def set(
        self, holder: dict[str, Any], name: Token, kind: Kind, pointer: str, read: Callable[[Kind, str], Any]
    ) -> None:
        """Reads the value of a member into the object it belongs to; an error if it has that member already."""
        known = kind.member(name.text)
        if known is None:
            self.unknown("the name of a member", name.text, kind.members or {}, name.at)
        elif name.text in holder:
            self.error(f"{shown(name.text)} is said twice", name.at)
        at = pointer + pointer_to([name.text])
        value = read(known or ANYTHING, at)
        if known is not None and name.text not in holder:
            holder[name.text] = value

    def pairs(self, holder: dict[str, Any], kind: Kind, pointer: str) -> None:
        """Reads `name=value` up to the end of the line."""
        while not self.ended:
            if not self.after_space or not NAMED.match(self.text, self.at):
                raise self.expected(self.pair_wanted(holder, kind))
            name = self.token(NAME, "the name of a member")
            self.sees("=")
            self.set(holder, name, kind, pointer, self.value)

    def pair_wanted(self, holder: dict[str, Any], kind: Kind) -> str:
        """What could come here, in words."""
        if not self.after_space:
            return "a space"
        missing = [name for name in kind.members or {} if name not in holder]
        if missing:
            return f'"{missing[0]}=…"'
        return '"name=…"' if kind.others else "the end of the line"

    def require(self, holder: dict[str, Any], kind: Kind) -> None:
        """Notes which members are missing."""
        for name in kind.members or {}:
            if name in kind.required and name not in holder:
                self.error(f'expected "{name}=…", not {self.found()}')
