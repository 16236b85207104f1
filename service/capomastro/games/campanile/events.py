"""The events of Campanile."""

from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.multisets import Multiset
from capomastro.games.campanile.scoring import Contender, Scoring, ScoringName, lines


class CardDealt(SeatEvent, frozen=True):
    """A card came into a hand, unseen by the others."""


class CardRevealed(Event, frozen=True):
    """A card of the deck was turned up."""

    card: str


# --- a turn ----------------------------------------------------------------------------------------------------------


class TowerRaised(SeatEvent, frozen=True):
    """A: a tower grew by some floors; `height` is what it has now."""

    tower: str
    floors: int
    height: int


class MarkerPlaced(SeatEvent, frozen=True):
    """B: a marker came under a tower."""

    tower: str
    marker: str


class MarkerMoved(SeatEvent, frozen=True):
    """B, variant: a marker moved from one tower to another."""

    source: str
    destination: str
    marker: str


class NoMarker(SeatEvent, frozen=True):
    """B: a player went without."""


class CardsTaken(SeatEvent, frozen=True):
    """C: a card of the display came into a hand."""

    cards: Multiset


# --- scoring ---------------------------------------------------------------------------------------------------------


class TowerScored(Event, frozen=True):
    """One tower of a scoring, with everybody who has markers under it."""

    scoring: ScoringName
    tower: str
    rank: int
    height: int
    flag: tuple[int, ...]
    contenders: tuple[Contender, ...]


class TokenWon(SeatEvent, frozen=True):
    """A token was won, and why."""

    rule: str
    points: int
    tower: str
    rank: int
    height: int
    influence: int
    place: int


class GameOver(Event, frozen=True):
    """The game has ended."""

    rule: str


def of_scoring(scoring: Scoring) -> list[Event]:
    """Every tower with its contenders, then every token that was won."""
    name = scoring.scoring
    towers = [TowerScored(name, t.tower, t.rank, t.height, t.flag, t.contenders) for t in scoring.towers]
    return [*towers, *(TokenWon(seat, **line) for seat, line in lines(scoring))]
