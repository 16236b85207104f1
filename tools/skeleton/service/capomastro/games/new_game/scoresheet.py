"""Scores a game played at a table: the scoresheet, and what is impossible on it."""

from collections.abc import Mapping

from capomastro.engine import game as engine
from capomastro.engine.multisets import surplus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import Score, ranked
from capomastro.engine.scoresheets import Judgement, judgement
from capomastro.games.new_game.components import TOKENS
from capomastro.games.new_game.scoring import TIE_RULES, Result, lines_of
from capomastro.games.new_game.tokens import BySeat, Tokens


class SheetSeat(engine.SheetSeat, frozen=True):
    """A player's position at the end."""

    tokens: Tokens
    """The tokens that were kept."""


class Scoresheet(engine.Scoresheet, frozen=True):
    """FILL IN: what players have to enter to score a finished game."""

    seats: BySeat[SheetSeat]
    """The players, clockwise from the first."""


def judge(sheet: Scoresheet) -> Judgement:
    """FILL IN: errors that no further entry can correct, such as this example; and what a finished game needs."""
    return judgement(token_findings(sheet))


def token_findings(sheet: Scoresheet) -> list[Refusal]:
    """Tokens that exceed the box."""
    tokens = [token for seat in sheet.seats for token in seat.tokens]
    return [
        refuse("new-game.components.tokens", "/seats", component=token, box=TOKENS[token])
        for token in surplus(tokens, TOKENS)
    ]


def score(sheet: Scoresheet) -> Mapping[str, Result]:
    """The result of a possible scoresheet."""
    scores = [Score(index, lines_of(seat.tokens)) for index, seat in enumerate(sheet.seats)]
    return {"result": ranked(scores, TIE_RULES, unfinished=sheet.unfinished)}
