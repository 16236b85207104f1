"""Reads one line from left to right: words, strings, lists; where it finds something else, reports what it expected."""

import re
from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import Any, NamedTuple

from capomastro.documents import json_text
from capomastro.documents.notation.kinds import ANYTHING, MEANINGLESS, Kind
from capomastro.documents.notation.patterns import as_often_as_possible
from capomastro.documents.phrases import LONG_NAME, choices, excerpt, pointer_to, quoted, shown
from capomastro.documents.problems import MAXIMUM_ERRORS, Problem

SPACE = " \t"
SPACES = re.compile(r"[ \t]*+")
COMMENT = "#"
CONTROL = r"\x00-\x08\x0a-\x1f\x7f"
STRING = re.compile('"' + as_often_as_possible(r'[^"\\\x00-\x1f]|\\.', least=0) + '"')
WORD = re.compile(rf'(?!:)[^{CONTROL}\t ,="\[\]{{}}]++')
"""In moves: up to a space or a comma. It cannot begin with a colon, which would make the line a member."""
PHRASE = re.compile(as_often_as_possible(rf"(?![ \t]#)[^{CONTROL},]"))
"""In a list in a member: up to a comma or a comment."""
REST = re.compile(as_often_as_possible(rf"(?![ \t]#)[^{CONTROL}]"))
"""A text in a member: up to a comment or the end of the line."""
FURTHER = {
    pattern: re.compile(as_often_as_possible(rf'[ \t]*+,[ \t]*+(?!["#]){pattern.pattern}') + r"[ \t]*+")
    for pattern in (WORD, PHRASE)
}
"""A comma and a plain item, repeated."""
NAME = re.compile(rf'[^{CONTROL}\t .,:="\[\]{{}}#]++')
STEP = rf"(?:{NAME.pattern}|{STRING.pattern})"
NAMED = re.compile(rf"{STEP}[ \t]*+=")
PATH = re.compile(rf"[ \t]*+{STEP}" + as_often_as_possible(rf"\.{STEP}", least=0) + r"[ \t]*+:")
"""The beginning of a line with a member."""
MAXIMUM_PLACES = 1_000
"""Maximum number of values per line whose places are kept."""
LONGEST_POINTER = 250
"""Longer pointers are cut, or a thousand values of a member with a long name would repeat that name."""

MAXIMUM_TOKENS = 100_000
"""Maximum number of words, strings and brackets in a line; plain items of lists do not count."""

Place = tuple[int, int]
"""Line and column, each from 1 on; columns are characters."""


class Token(NamedTuple):
    """A word, or the content of a JSON string, and the index in the line where it begins."""

    text: str
    is_string: bool
    at: int

    def means(self, kind: Kind) -> Any:
        if self.is_string:
            return self.text if kind.text else MEANINGLESS
        return kind.means(self.text)


class Unreadable(Exception):
    """The rest of the line cannot be read; the error has been recorded."""


def below(pointer: str, name: str) -> str:
    """The pointer to a member of the value at `pointer`; cut if it is longer than any that is looked up."""
    return (pointer + pointer_to([name]))[:LONGEST_POINTER]


class Line:
    """A reader of one line; collects the `places` of values by JSON Pointer, and the `errors`."""

    def __init__(self, text: str, number: int, pointer: str = "", most_places: int = MAXIMUM_PLACES) -> None:
        self.text = text
        self.number = number
        self.pointer = pointer
        self.most_places = most_places
        self.at = 0
        self.tokens = 0
        self.places: dict[str, Place] = {}
        self.errors: list[dict[str, Any]] = []
        self.skip()

    # --- position ----------------------------------------------------------------------------------------------------

    def skip(self) -> None:
        """Skips spaces."""
        spaces = SPACES.match(self.text, self.at)
        assert spaces is not None
        self.at = spaces.end()

    @property
    def ended(self) -> bool:
        """Whether only a comment is left."""
        return self.at == len(self.text) or (self.text[self.at] == COMMENT and self.after_space)

    @property
    def after_space(self) -> bool:
        return self.at == 0 or self.text[self.at - 1] in SPACE

    def accept(self, character: str) -> bool:
        """Skips this character if it comes next; returns whether it does."""
        if self.text.startswith(character, self.at):
            self.at += 1
            self.skip()
            return True
        return False

    def note(self, pointer: str, at: int | None = None) -> None:
        """Records the place of a value."""
        if len(self.places) < self.most_places:
            self.places[pointer] = (self.number, (self.at if at is None else at) + 1)

    # --- errors ------------------------------------------------------------------------------------------------------

    def error(self, message: str, at: int | None = None) -> None:
        column = (self.at if at is None else at) + 1
        self.errors.append({"pointer": self.pointer, "line": self.number, "column": column, "message": message})
        if len(self.errors) == MAXIMUM_ERRORS:
            raise Unreadable

    def expected(self, what: str, at: int | None = None) -> Unreadable:
        """Records that something else was found here, and returns an exception to raise."""
        if at is not None:
            self.at = at
        self.error(f"expected {what}, not {self.next_text()}")
        return Unreadable()

    def next_text(self) -> str:
        """An excerpt of what comes next."""
        if self.ended:
            return "the end of the line"
        word = WORD.match(self.text, self.at)
        return excerpt(word[0] if word else self.text[self.at])

    def end(self) -> None:
        """Raises unless the line has ended."""
        if not self.ended:
            raise self.expected("the end of the line")

    def unknown(self, what: str, name: str, known: Collection[str], at: int) -> None:
        """Records that a name is unknown, with the nearest known name."""
        near = get_close_matches(name[:100], known, 1)
        candidates = [shown(candidate) if len(candidate) <= LONG_NAME else excerpt(candidate) for candidate in known]
        hint = f"; did you mean {quoted(near[0])}?" if near else f"; it is {choices(candidates)}" if known else ""
        self.error(f"expected {what}, not {excerpt(name)}{hint}", at)

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
        """Counts a word, string or bracket."""
        self.tokens += 1
        if self.tokens > MAXIMUM_TOKENS:
            self.error(f"expected no more than {MAXIMUM_TOKENS} words and brackets on a line")
            raise Unreadable

    def string(self) -> str:
        """The content of a JSON string."""
        at = self.at
        written = STRING.match(self.text, at)
        if written is None:
            self.error("expected a closing quotation mark for this string")
            raise Unreadable
        self.at = written.end()
        self.skip()
        if "\\" not in written[0]:
            return written[0][1:-1]
        try:
            return str(json_text.decode(written[0].encode()))
        except Problem:
            self.error("expected a JSON string, not one with invalid escapes", at)
            return ""

    def value(self, kind: Kind, pointer: str, free: bool = False) -> Any:
        """The value of a member: a word or string, several separated by commas, or a value in brackets.

        `free`: words may contain spaces, since the value extends to the end of the line.
        """
        self.note(pointer)
        if self.text[self.at : self.at + 1] in {"[", "{"} and not kind.only_text:
            return self.in_brackets(kind, pointer, 1)
        pattern = WORD if not free else REST if kind.only_text else PHRASE
        first = self.token(pattern, kind)
        if self.text.startswith(",", self.at):
            return self.between_commas(first, kind, pointer, pattern)
        if kind.items is not None and first.means(kind) is MEANINGLESS:
            return [self.meaning(first, kind.items, f"{pointer}/0")]
        return self.meaning(first, kind, pointer)

    def between_commas(self, first: Token, kind: Kind, pointer: str, pattern: re.Pattern[str]) -> list[Any]:
        """A list without brackets that begins with this item."""
        if kind.items is None:
            raise self.expected("one value")
        items = [self.meaning(first, kind.items, f"{pointer}/0")]
        items += self.further(kind.items, pointer, 1, pattern)
        while self.accept(","):
            items.append(self.meaning(self.token(pattern, kind.items), kind.items, f"{pointer}/{len(items)}"))
            items += self.further(kind.items, pointer, len(items), pattern)
        return items

    def further(self, kind: Kind, pointer: str, index: int, pattern: re.Pattern[str]) -> list[Any]:
        """The plain items that follow, each after a comma; read in one step, because lists can be long."""
        run = FURTHER[pattern].match(self.text, self.at)
        if run is None:
            return []
        at, self.at = self.at, run.end()
        pieces = run[0].split(",")[1:]
        words = [piece.strip(SPACE) for piece in pieces]
        meanings = {word: kind.means(word) for word in set(words)}
        all_meant = MEANINGLESS not in meanings.values()
        at += run[0].index(",") + 1
        for number, (piece, word) in enumerate(zip(pieces, words, strict=True), index):
            if all_meant and len(self.places) == self.most_places:
                break
            begin = at + len(piece) - len(piece.lstrip(SPACE))
            self.meaning(Token(word, False, begin), kind, f"{pointer}/{number}")
            at += len(piece) + 1
        return [meanings[word] for word in words]

    def meaning(self, token: Token, kind: Kind, pointer: str) -> Any:
        """The value of a token; records an error if it is not allowed there."""
        self.note(pointer, token.at)
        meaning = token.means(kind)
        if meaning is MEANINGLESS:
            self.error(f"expected {kind.described}, not {excerpt(token.text)}", token.at)
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
            self.accept("[")
            return self.items(kind.items, pointer, depth)
        if kind.members is None:
            raise self.expected(kind.described)
        self.accept("{")
        return self.members(kind, pointer, depth)

    def items(self, kind: Kind, pointer: str, depth: int) -> list[Any]:
        """The items of a list up to its closing bracket."""
        if self.accept("]"):
            return []
        items = [self.nested(kind, f"{pointer}/0", depth)]
        items += self.further(kind, pointer, 1, WORD)
        while self.accept(","):
            items.append(self.nested(kind, f"{pointer}/{len(items)}", depth))
            items += self.further(kind, pointer, len(items), WORD)
        if not self.accept("]"):
            raise self.expected('"," or "]"')
        return items

    def members(self, kind: Kind, pointer: str, depth: int) -> dict[str, Any]:
        """The members of an object up to its closing brace."""
        found: dict[str, Any] = {}
        if self.accept("}"):
            return found
        while not found or self.accept(","):
            name = self.token(NAME, "the name of a member")
            if not self.accept(":"):
                raise self.expected('":"')
            self.set(found, name, kind, pointer, lambda kind, pointer: self.nested(kind, pointer, depth))
        if not self.accept("}"):
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
        """Reads the value of a member into its object; records an error if the object already has that member."""
        known = kind.member(name.text)
        if known is None:
            self.unknown("the name of a member", name.text, kind.members or {}, name.at)
        elif name.text in holder:
            self.error(f"{excerpt(name.text)} occurs twice", name.at)
        at = below(pointer, name.text)
        value = read(known or ANYTHING, at)
        if known is not None and name.text not in holder:
            holder[name.text] = value

    def pairs(self, holder: dict[str, Any], kind: Kind, pointer: str) -> None:
        """Reads `name=value` up to the end of the line."""
        while not self.ended:
            if not self.after_space or not NAMED.match(self.text, self.at):
                raise self.expected(self.expected_pair(holder, kind))
            name = self.token(NAME, "the name of a member")
            self.accept("=")
            self.set(holder, name, kind, pointer, self.value)

    def expected_pair(self, holder: dict[str, Any], kind: Kind) -> str:
        """What is allowed here, in words."""
        if not self.after_space:
            return "a space"
        missing = [name for name in kind.members or {} if name not in holder]
        if missing:
            return f'"{missing[0]}=…"'
        return '"name=…"' if kind.rest else "the end of the line"

    def require(self, holder: dict[str, Any], kind: Kind) -> None:
        """Records an error for each missing member."""
        for name in kind.members or {}:
            if name in kind.required and name not in holder:
                self.error(f'expected "{name}=…", not {self.next_text()}')
