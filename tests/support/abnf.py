"""Grammars in ABNF (RFC 5234, with the case-sensitive strings of RFC 7405), to test whether a text matches a rule."""

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import Any

Matcher = Callable[[str, int], Collection[int]]
"""Where a text can end that begins at an index: every possibility, each once."""

CORE = """
ALPHA = %x41-5A / %x61-7A
CR = %x0D
DIGIT = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
LF = %x0A
SP = %x20
HTAB = %x09
WSP = SP / HTAB
"""
TOKEN = re.compile(
    r"""
    \s+ | ;[^\n]*
    | (?P<token> (?:%s)?"[^"]*" | %x[0-9A-F]+(?:-[0-9A-F]+)? | \d*\*\d* | \d+ | [A-Za-z][\w-]* | [=/()\[\]] )
    """,
    re.VERBOSE,
)


class Grammar:
    """The rules of a grammar."""

    def __init__(self, text: str) -> None:
        self.rules = {name: list(tokens(body)) for name, body in rules(CORE + text)}
        self.matcher = cache(self.matcher_of)

    def matches(self, rule: str, text: str) -> bool:
        """Whether the whole text matches a rule."""
        return len(text) in self.matcher(rule)(text, 0)

    def matcher_of(self, rule: str) -> Matcher:
        rest = self.rules[rule][::-1]
        matcher = self.alternation(rest)
        assert not rest, f"{rule}: {rest[-1]} is not understood"
        return matcher

    def alternation(self, rest: list[str]) -> Matcher:
        branches = [self.concatenation(rest)]
        while rest and rest[-1] == "/":
            rest.pop()
            branches.append(self.concatenation(rest))
        if len(branches) == 1:
            return branches[0]
        return lambda text, at: {end for branch in branches for end in branch(text, at)}

    def concatenation(self, rest: list[str]) -> Matcher:
        matcher: Matcher | None = None
        while rest and rest[-1] not in "/)]":
            following = self.repetition(rest)
            matcher = followed(matcher, following) if matcher else following
        return matcher or (lambda _, at: (at,))

    def repetition(self, rest: list[str]) -> Matcher:
        least, most = 1, 1.0
        if re.fullmatch(r"\d*\*\d*|\d+", rest[-1]):
            fewest, star, greatest = rest.pop().partition("*")
            least = int(fewest or 0)
            most = float(greatest or "inf") if star else least
        element = self.element(rest)
        return element if (least, most) == (1, 1) else repeated(element, least, most)

    def element(self, rest: list[str]) -> Matcher:
        token = rest.pop()
        if token in "([":
            inner = self.alternation(rest)
            assert rest.pop() == {"(": ")", "[": "]"}[token]
            return inner if token == "(" else repeated(inner, 0, 1)
        if token.startswith("%x"):
            low, _, high = token[2:].partition("-")
            return one_of(range(int(low, 16), int(high or low, 16) + 1))
        if token.endswith('"'):
            return literal(token.removeprefix("%s").strip('"'), token.startswith("%s"))
        return self.later(token)

    def later(self, rule: str) -> Matcher:
        """A rule by its name, looked up on use, because rules refer to each other in circles."""

        def match(text: str, at: int) -> Collection[int]:
            return self.matcher(rule)(text, at)

        return match


def rules(text: str) -> Iterator[tuple[str, str]]:
    """Names and bodies; indented lines continue a body."""
    for rule in re.findall(r"^\S.*(?:\n(?:[ \t].*)?)*", text, re.MULTILINE):
        name, sign, body = rule.partition("=")
        if sign and not name.startswith(";"):
            yield name.strip(), body


def tokens(body: str) -> Iterator[str]:
    at = 0
    while at < len(body):
        found = TOKEN.match(body, at)
        assert found, f"not ABNF: {body[at:]!r}"
        at = found.end()
        if found["token"]:
            yield found["token"]


def followed(first: Matcher, second: Matcher) -> Matcher:
    return lambda text, at: {end for middle in first(text, at) for end in second(text, middle)}


def repeated(matcher: Matcher, least: int, most: float) -> Matcher:
    def match(text: str, at: int) -> Collection[int]:
        reached, seen, count = {at}, {at} if least == 0 else set[int](), 0
        while reached and count < most:
            count += 1
            reached = {end for begin in reached for end in matcher(text, begin)}
            if count >= least:
                reached -= seen
                seen |= reached
        return seen

    return match


def one_of(codes: range) -> Matcher:
    return lambda text, at: (at + 1,) if at < len(text) and ord(text[at]) in codes else ()


def literal(word: str, with_case: bool) -> Matcher:
    def match(text: str, at: int) -> Collection[int]:
        found: Any = text[at : at + len(word)]
        same = found == word if with_case else found.lower() == word.lower()
        return (at + len(word),) if same else ()

    return match
