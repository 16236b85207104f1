"""The table as a picture, from top to bottom: the bag and the token that was drawn, the players.

FILL IN: everything on the table, distinguishable without colour, instead of this example. What players look at before
they decide comes first.
"""

from collections.abc import Iterator, Sequence

from capomastro.drawing.boxes import NOTHING, Box, above, beside, box
from capomastro.drawing.elements import circle, group, text
from capomastro.drawing.palette import BACK, SHEET
from capomastro.drawing.parts import captioned, component_at, head, placed, points_note
from capomastro.drawing.pictures import Brief, Parts, Table
from capomastro.engine.moves import Move
from capomastro.engine.multisets import Multiset
from capomastro.engine.stages import GameOver
from capomastro.games.new_game import moves, stages
from capomastro.games.new_game.components import POINTS_OF
from capomastro.games.new_game.scoresheet import Scoresheet
from capomastro.games.new_game.scoring import lines_of
from capomastro.games.new_game.state import State
from capomastro.games.new_game.supplies import bag

SIZE = 40
"""The width of a token, and its height."""
GAP = 24


def table(state: State, brief: Brief) -> Table:
    """The picture of a state."""
    common = beside(tokens_left(state, brief), token_drawn(state, brief), gap=GAP)
    return with_players(common, state, brief)


def table_of_scoresheet(sheet: Scoresheet, brief: Brief) -> Table:
    """The players' parts alone."""
    return with_players(NOTHING, sheet, brief)


# --- the common table ------------------------------------------------------------------------------------------------


def tokens_left(state: State, brief: Brief) -> Box:
    """The bag. Its tokens follow from the others and are in no state, so only their number is shown."""
    count = bag(state).size
    drawn = (
        circle(SIZE / 2, SIZE / 2, SIZE / 2 - 1, "edge absent", BACK),
        text(SIZE / 2, SIZE / 2 + 6, str(count), "middle bold", 17),
    )
    title = brief.say("bag-title", count=count)
    return captioned(brief.say("bag"), box(SIZE, SIZE, group(*drawn, title=title, place="/derived/bag")))


def token_drawn(state: State, brief: Brief) -> Box:
    """The token to be kept or put back."""
    if not isinstance(state.stage, stages.KeepOrPutBack):
        return NOTHING
    place, say = "/stage/token", brief.say
    return captioned(say("drawn"), placed(token(state.stage.token, place, brief), place, say("drawn-title"), SIZE))


def token(name: str, place: str, brief: Brief) -> Box:
    """A token with its points, in a ring if it has just moved."""
    drawn = (
        circle(SIZE / 2, SIZE / 2, SIZE / 2 - 1, "edge", SHEET),
        text(SIZE / 2, SIZE / 2 + 6, str(POINTS_OF[name]), "middle bold", 17),
    )
    return Box(SIZE, SIZE, component_at(name, place, brief, SIZE, SIZE, *drawn))


# --- the players -----------------------------------------------------------------------------------------------------


def with_players(common: Box, shown: State | Scoresheet, brief: Brief) -> Table:
    """The common table, and all players with their standings. Narrow: in a column. Wide: side by side, by seat."""
    kept = [seat.tokens for seat in shown.seats]
    standing = brief.standings("standing", points=[*map(points_of, kept)], count=[*map(len, kept)])
    if brief.fixed:
        return Table(brief.in_fixed_order(common, NOTHING, brief.players(player, shown), NOTHING, 14), standing)
    parts = brief.column(len(kept), GAP).players(player, shown)
    return Table(above(common, brief.arranged(*parts.values(), below_gap=14, beside_gap=GAP), gap=GAP), standing)


def player(shown: State | Scoresheet, seat: int, brief: Brief) -> Box:
    """A player's head and tokens."""
    say, place, tokens = brief.say, f"/seats/{seat}/tokens", shown.seats[seat].tokens
    final = isinstance(shown.stage, GameOver) if isinstance(shown, State) else not shown.unfinished
    # in fixed order a row stays as high as it is: many tokens overlap
    row = brief.lined_up([token(name, place, brief) for name in tokens], gap=8, line_gap=8)
    title = say("tokens-title", player=say.player(seat), count=len(tokens))
    top = head(seat, points_note(points_of(tokens), final, brief), brief)
    return above(top, placed(row, place, title, SIZE))


def points_of(tokens: Multiset) -> int:
    return sum(line.points for line in lines_of(tokens))


PARTS: Parts = {"/derived/bag": tokens_left}

# --- what has just changed -------------------------------------------------------------------------------------------


def changes(state: State, played: Sequence[Move]) -> Iterator[tuple[str, str]]:
    """FILL IN: the components that each kind of move moves, and their new place, as in this example."""
    for move in played:
        match move:
            case moves.DrawToken(token=name) if isinstance(state.stage, stages.KeepOrPutBack):
                yield "/stage/token", name
