"""Results: winners, score lines, and the scores of scoresheets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from capomastro import adjudicator, answers
from capomastro.adjudicator.result_pictures import Names
from capomastro.documents import json_text
from capomastro.documents.languages import using_language
from capomastro.engine import results
from capomastro.engine.chance import as_text
from capomastro.engine.results import ScoreLine
from capomastro.layout.replays import result_text
from capomastro.layout.scores import result_lines, score_lines
from capomastro.library.games import Game, document_in, game_in
from capomastro.library.refusals import Refusal


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The result of a finished game; `print` shows the arithmetic."""

    game: Game
    value: results.AnyResult
    names: Names = None
    """The players' names by seat, if there are any; on a scoresheet, None for a player without a name."""
    impossible: bool = False
    """Whether the rules do not allow the scoresheet, which was scored all the same; the picture says so."""

    @property
    def totals(self) -> tuple[int, ...]:
        """The points by seat."""
        return tuple(player.total for player in self.value.players)

    @property
    def places(self) -> tuple[int | None, ...]:
        """The place of each seat, 1 for the best; None where it depends on something unknown."""
        return tuple(player.place for player in self.value.players)

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that win, several if they share the victory; None if that depends on something unknown."""
        return self.value.winners

    def lines(self, seat: int) -> tuple[ScoreLine, ...]:
        """The score lines of a seat: each has the `rule`, the `points`, and in each game their origin."""
        return self.value.players[seat].lines

    def document(self) -> dict[str, Any]:
        """The result as JSON values."""
        decoded: dict[str, Any] = json_text.decode(json_text.encode(self.value))
        return decoded

    def in_words(self, language: str = "en") -> str:
        """The same as `print` shows, in a language of `game.languages`."""
        with using_language(language):
            return str(self)

    def picture(self, layout: Literal["wide", "narrow"] = "wide", language: str = "en", *, note: str = "") -> str:
        """The result as SVG, to be passed on; `note` is a line below the name of the game, such as the day."""
        with using_language(language):
            return adjudicator.picture_of_result(
                self.game.definition, self.value, self.names, layout, note, self.impossible
            )

    def __repr__(self) -> str:
        return f"<Result: {self.game.title}, {result_text(msgspec.to_builtins(self.value), self.names)}>"

    def __str__(self) -> str:
        """Each player's arithmetic, the places, how ties were broken, and the rules."""
        return "\n".join(result_lines(self.game.definition, msgspec.to_builtins(self.value), self.names))


@dataclass(frozen=True, slots=True)
class Outcome:
    """An outcome that chance may still have, its probability, and the result in that case."""

    drawn: Mapping[str, Any] = field(hash=False)
    probability: Fraction
    result: Result


@dataclass(frozen=True, slots=True)
class Score:
    """A result; every possible one if only chance is left to decide; the lines so far of an unfinished scoresheet."""

    result: Result | None
    """None while chance is left to decide."""
    outcomes: tuple[Outcome, ...]
    """Every possible result while chance is left to decide; their probabilities add up to 1. Empty otherwise."""
    missing: tuple[Refusal, ...] | None = None
    """What an `unfinished` scoresheet is missing; None for others."""
    findings: tuple[Refusal, ...] | None = None
    """With `even_if_impossible`, why the rules do not allow the scoresheet; None without."""

    def __str__(self) -> str:
        return "\n".join(self.text_lines())

    def text_lines(self) -> Iterator[str]:
        """The result, or all of them with their probabilities, as text."""
        told = {
            name: [msgspec.to_builtins(refusal) for refusal in refusals]
            for name, refusals in (("missing", self.missing), ("findings", self.findings))
            if refusals is not None
        }
        if self.result is not None:
            answer = {"result": msgspec.to_builtins(self.result.value), **told}
            yield from score_lines(self.result.game.definition, answer, self.result.names)
        elif self.outcomes:
            first = self.outcomes[0].result
            outcomes = [
                {
                    **outcome.drawn,
                    "probability": as_text(outcome.probability),
                    "result": msgspec.to_builtins(outcome.result.value),
                }
                for outcome in self.outcomes
            ]
            yield from score_lines(first.game.definition, {"outcomes": outcomes, **told}, first.names)


def score(scoresheet: Mapping[str, Any] | str | bytes, *, even_if_impossible: bool = False) -> Score:
    """The score of a scoresheet, given as a document or JSON text.

    Raises:
        Problem: `shape`, `impossible-scoresheet`, or another problem of the document. With `even_if_impossible`, a
            complete sheet is scored whatever is wrong with it, and `findings` tell what.
    """
    document = document_in(scoresheet)
    game = game_in(document)
    answer = adjudicator.score_scoresheet(game.definition, document, even_if_impossible=even_if_impossible)
    names = tuple(seat.get("name") for seat in document["seats"])
    return score_of(game, answer, names)


def score_of(game: Game, answer: answers.Score, names: Names) -> Score:
    """An answer about a score, a `result` or its `outcomes`, as an object."""
    missing, findings = (
        None if found is UNSET else tuple(map(refusal_in, found)) for found in (answer.missing, answer.findings)
    )
    impossible = bool(findings)
    if answer.result is not UNSET:
        return Score(Result(game, answer.result, names, impossible), (), missing, findings)
    assert answer.outcomes is not UNSET
    outcomes = [outcome(game, possible, names, impossible) for possible in answer.outcomes]
    return Score(None, tuple(outcomes), missing, findings)


def outcome(game: Game, possible: answers.PossibleResult, names: Names, impossible: bool) -> Outcome:
    drawn = {name: value for name, value in (("card", possible.card), ("tiles", possible.tiles)) if value is not UNSET}
    return Outcome(drawn, Fraction(possible.probability), Result(game, possible.result, names, impossible))


def refusal_in(finding: Mapping[str, Any]) -> Refusal:
    """A finding of an answer about a scoresheet; its pointer is into the sheet."""
    return Refusal(**{**finding, "pointer": finding["pointer"].removeprefix("/scoresheet")})
