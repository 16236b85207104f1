"""Refusals, which are answers: the rule, its values, and the place in the document."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

F = TypeVar("F", bound=Callable[..., Any])


Value = int | str | bool | tuple["Value", ...]
"""A value in a sentence: a number, an id (token, place, type of move), a flag, or a list of these."""


Values = Annotated[
    dict[str, int | str | bool | tuple[int | str | tuple[int, ...], ...] | None],
    Meta(
        title="Values",
        examples=[{"bid": 12, "highest": 15}, {"currencies": ["red", "green"]}, {"tokens": [[3, 2], [], [1]]}],
    ),
]
"""The values in a sentence, by name, so that a client can word its own: numbers, ids (tokens, places, types of moves,
kinds of decisions), flags, null for nothing, and lists of numbers or ids; nested lists have one list per seat. Never
words of a language."""


class Because(msgspec.Struct, frozen=True):
    """Why something is impossible, where the refusal itself says little more than what is there.

    `key` is that of a sentence in the table `[because]` of the game's words; `values` fill it.
    """

    key: str
    values: Mapping[str, Value] = {}


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """Why something is illegal or impossible.

    `rule` is the id of an entry in the game's rule catalogue; `values` fill its `refusal` sentence. They are
    numbers and ids, never words of a language, which come with the sentence; None where the sentence says what to say
    without one.
    `pointer` is a JSON Pointer (RFC 6901) relative to what is refused: a move, or for findings the state.
    """

    rule: str
    values: Mapping[str, Value | None] = {}
    pointer: str = ""
    because: Because | None = None

    def below(self, prefix: str) -> "Refusal":
        """The same refusal with a pointer into a document that has the refused one at `prefix`."""
        return replace(self, pointer=prefix + self.pointer)

    def because_of(self, key: str, **values: Value) -> "Refusal":
        """The same refusal with its cause."""
        return replace(self, because=Because(key, values))


def implements(*rules: str) -> Callable[[F], F]:
    """Marks the function that implements rules that nothing can break, so that a search for their ids finds it.

    Tables are marked by an annotation, `Annotated[dict[str, int], "<id>"]`, rules of moves by `rules`.
    """

    def marked(function: F) -> F:
        function.rules = rules  # type: ignore[attr-defined]
        return function

    return marked


def refuse(rule: str, pointer: str = "", /, **values: Value) -> Refusal:
    """Shorthand for `Refusal`; `values` fill the sentence in the rule catalogue, and none of them is None."""
    return Refusal(rule, values, pointer)
