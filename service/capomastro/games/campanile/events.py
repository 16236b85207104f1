"""The events of Campanile."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import asdict

from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.members import RuleId, SeatIndex
from capomastro.engine.results import Points
from capomastro.games.campanile.components import FLOORS
from capomastro.games.campanile.scoring import Contenders, Scoring, ScoringName, lines
from capomastro.games.campanile.state import HIGHEST
from capomastro.games.campanile.tokens import (
    Card,
    Cards,
    Finito,
    Flag,
    Floors,
    Height,
    Influence,
    Intermezzo,
    Marker,
    Place,
    Rank,
    Style,
)


class CardDealt(SeatEvent, frozen=True):
    """A card was dealt, hidden from the others."""

    seat: SeatIndex
    """The owner of the hand it went into."""


class CardRevealed(Event, frozen=True):
    """A card from the deck was turned up."""

    card: Card | Intermezzo | Finito
    """A tower card for the display, the Intermezzo or the Finito."""


# --- a turn ----------------------------------------------------------------------------------------------------------


class TowerRaised(SeatEvent, frozen=True):
    """A card was played on its tower."""

    tower: Style
    """The tower."""
    floors: Floors
    height: Annotated[int, Meta(ge=min(FLOORS), le=HIGHEST)]
    """The tower's floors now."""


class MarkerPlaced(SeatEvent, frozen=True):
    """An influence marker was placed."""

    tower: Style
    """The tower."""
    marker: Marker


class MarkerMoved(SeatEvent, frozen=True):
    """An influence marker was moved."""

    source: Style
    """The tower it left."""
    destination: Style
    """The tower it went to."""
    marker: Marker


class NoMarker(SeatEvent, frozen=True):
    """A player placed no marker."""


class CardsTaken(SeatEvent, frozen=True):
    """A card was taken from the display."""

    cards: Cards
    """The card."""


# --- scoring ---------------------------------------------------------------------------------------------------------


class TowerScored(Event, frozen=True):
    """A scoring: the rank of a tower and the tokens it gave. The points are in `token-won`."""

    scoring: ScoringName
    """The scoring."""
    tower: Style
    """The tower."""
    rank: Rank
    height: Height
    flag: Flag
    contenders: Contenders


class TokenWon(SeatEvent, frozen=True):
    """A scoring: a player won a victory-point token."""

    seat: SeatIndex
    """The winner of the token."""
    rule: RuleId
    """The rule that gives the points."""
    points: Points
    """The points; negative if they are lost."""
    tower: Style
    """The tower."""
    rank: Rank
    height: Height
    influence: Influence
    place: Place


def of_scoring(scoring: Scoring) -> list[Event]:
    """The events of a scoring: every tower with its contenders, then every token won."""
    name = scoring.scoring
    towers = [TowerScored(name, t.tower, t.rank, t.height, t.flag, t.contenders) for t in scoring.towers]
    return [*towers, *(TokenWon(seat, **asdict(line)) for seat, line in lines(scoring))]
