"""Grammars in ABNF, to test whether a text matches a rule."""

from abnf import ParseError, Rule


class Grammar:
    """The rules of a grammar (RFC 5234, with the case-sensitive strings of RFC 7405)."""

    def __init__(self, text: str) -> None:
        self.rule: type[Rule] = type("NotationRule", (Rule,), {})  # the library keeps the rules of a grammar at a class
        self.rule.load_grammar(text)

    def matches(self, rule: str, text: str) -> bool:
        """Whether the whole text matches a rule."""
        try:
            self.rule(rule).parse_all(text)
        except ParseError:
            return False
        return True
