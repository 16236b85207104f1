"""Scoring a game played at a table: what has to be typed in, and what cannot be."""

import msgspec

from capomastro.engine.multisets import Multiset, surplus
from capomastro.engine.refusals import Refusal, refuse
from capomastro.engine.results import Result, Score, ranked
from capomastro.games.new_game.components import TOKENS
from capomastro.games.new_game.scoring import TIE_RULES, lines_of


class SheetSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """FILL IN: what has to be known of a player to score the game."""

    tokens: Multiset
    name: str | None = None


class Scoresheet(msgspec.Struct, frozen=True):
    """One entry per player, clockwise from the first."""

    game: str
    schema_version: int
    seats: tuple[SheetSeat, ...]


def findings(sheet: Scoresheet) -> list[Refusal]:
    """FILL IN: everything on the sheet that cannot be, besides this example."""
    tokens = [token for seat in sheet.seats for token in seat.tokens]
    return [
        refuse("new-game.components.tokens", "/seats", component=token, box=TOKENS[token])
        for token in surplus(tokens, TOKENS)
    ]


def score(sheet: Scoresheet) -> Result:
    """The result of a possible scoresheet."""
    return ranked([Score(index, lines_of(seat.tokens)) for index, seat in enumerate(sheet.seats)], TIE_RULES)
