"""A refusal is an answer: it names the rule, the numbers and the place in the document it is about."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

F = TypeVar("F", bound=Callable[..., Any])


class Refusal(msgspec.Struct, frozen=True):
    """Why something is not legal.

    `rule` is the id of an entry in the game's rule catalogue, whose `refusal` sentence is filled with `numbers`.
    `pointer` is a JSON Pointer (RFC 6901) relative to what was refused: a move, or for findings the state.
    """

    rule: str
    numbers: dict[str, Any] = {}
    pointer: str = ""

    def below(self, prefix: str) -> "Refusal":
        """The same refusal in a document that holds the refused one at `prefix`."""
        return Refusal(self.rule, self.numbers, prefix + self.pointer)


def enforces(*rules: str) -> Callable[[F], F]:
    """Marks the function that makes rules hold which nothing can break, so that whoever looks for their ids finds it.

    A table says the same in its annotation, `Annotated[dict[str, int], "<id>"]`, a rule of a move by its `rules`.
    """

    def marked(function: F) -> F:
        function.rules = rules  # type: ignore[attr-defined]
        return function

    return marked


def refuse(rule: str, pointer: str = "", /, **numbers: Any) -> Refusal:
    """Shorthand for a `Refusal`; `numbers` fill the sentence of the rule catalogue."""
    return Refusal(rule, numbers, pointer)
