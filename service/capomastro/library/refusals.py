"""Refusals: why something is illegal, as a value, and as the exception raised by playing an illegal move."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from capomastro.documents.problems import Problem
from capomastro.documents.wordings import cause, sentence
from capomastro.engine import refusals
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.games import all_games


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is illegal, or what is impossible in a state.

    `rule` is the id of the broken rule; `message` is a sentence with the `values`, which are also available by name;
    `pointer` (RFC 6901) is the place in the move or the state. `because` says why, where the sentence says little more
    than what is there.
    """

    rule: str
    message: str
    values: Mapping[str, Any] = field(hash=False)
    pointer: str
    because: str | None = None

    def in_words(self, language: str = "en") -> str:
        """The sentence in a language of `game.languages`, without its cause."""
        game = all_games()[self.rule.partition(".")[0]]
        return sentence(game, refusals.Refusal(self.rule, self.values, self.pointer), language)

    def __str__(self) -> str:
        said = self.message if self.because is None else f"{self.message} – {self.because}"
        return f"{said} [{self.rule}]"


class IllegalMove(Problem):
    """Raised when an illegal move is played."""

    def __init__(self, move: Move, refusal: Refusal) -> None:
        error = {"rule": refusal.rule, "message": refusal.message, "pointer": refusal.pointer}
        super().__init__("illegal-move", refusal.message, [error])
        self.move = move
        self.refusal = refusal

    @property
    def rule(self) -> str:
        """The id of the broken rule."""
        return self.refusal.rule

    @property
    def message(self) -> str:
        """The reason, as a sentence."""
        return self.refusal.message

    @property
    def values(self) -> Mapping[str, Any]:
        """The values in the sentence, by name."""
        return self.refusal.values

    def __str__(self) -> str:
        return str(self.refusal)

    def __reduce__(self) -> tuple[type["IllegalMove"], tuple[Move, Refusal]]:
        return IllegalMove, (self.move, self.refusal)


def with_sentence(game: AnyGame, refusal: refusals.Refusal) -> Refusal:
    """A refusal of the engine, with its sentence."""
    said = sentence(game, refusal)
    return Refusal(refusal.rule, said, refusal.values, refusal.pointer, cause(game, refusal))


def with_sentences(game: AnyGame, found: Iterable[refusals.Refusal]) -> tuple[Refusal, ...]:
    return tuple(with_sentence(game, refusal) for refusal in found)
