"""The events of Campanile."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import asdict

from capomastro.engine import cards
from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.members import RuleId, SeatIndex
from capomastro.engine.results import Points
from capomastro.games.campanile import components as box
from capomastro.games.campanile import tokens
from capomastro.games.campanile.scoring import Contenders, Scoring, ScoringName, lines
from capomastro.games.campanile.state import HIGHEST

CardDealt = cards.CardDealt


class CardRevealed(cards.CardRevealed, frozen=True):
    """A card from the deck was turned up."""

    card: tokens.Card | tokens.Intermezzo | tokens.Finito
    """A tower card for the display, the Intermezzo or the Finito."""


# --- a turn ----------------------------------------------------------------------------------------------------------


class TowerRaised(SeatEvent, frozen=True):
    """A card was played on its tower."""

    tower: tokens.Style
    """The tower."""
    floors: tokens.Floors
    height: Annotated[int, Meta(ge=min(box.FLOORS), le=HIGHEST)]
    """The tower's floors now."""


class MarkerPlaced(SeatEvent, frozen=True):
    """An influence marker was placed."""

    tower: tokens.Style
    """The tower."""
    marker: tokens.Marker


class MarkerMoved(SeatEvent, frozen=True):
    """An influence marker was moved."""

    source: tokens.Style
    """The tower it left."""
    destination: tokens.Style
    """The tower it went to."""
    marker: tokens.Marker


class NoMarker(SeatEvent, frozen=True):
    """A player placed no marker."""


class CardsTaken(cards.CardsTaken, frozen=True):
    """A card was taken from the display."""

    cards: tokens.Cards
    """The card."""


# --- scoring ---------------------------------------------------------------------------------------------------------


class TowerScored(Event, frozen=True):
    """A scoring: the rank of a tower and the tokens it gave. The points are in `token-won`."""

    scoring: ScoringName
    """The scoring."""
    tower: tokens.Style
    """The tower."""
    rank: tokens.Rank
    height: tokens.Height
    flag: tokens.Flag
    contenders: Contenders


class TokenWon(SeatEvent, frozen=True):
    """A scoring: a player won a victory-point token."""

    seat: SeatIndex
    """The winner of the token."""
    rule: RuleId
    """The rule that gives the points."""
    points: Points
    """The points; negative if they are lost."""
    tower: tokens.Style
    """The tower."""
    rank: tokens.Rank
    height: tokens.Height
    influence: tokens.Influence
    place: tokens.Place


def of_scoring(scoring: Scoring) -> list[Event]:
    """The events of a scoring: every tower with its contenders, then every token won."""
    name = scoring.scoring
    towers = [TowerScored(name, t.tower, t.rank, t.height, t.flag, t.contenders) for t in scoring.towers]
    return [*towers, *(TokenWon(seat, **asdict(line)) for seat, line in lines(scoring))]
