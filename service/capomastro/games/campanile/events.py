"""The events of Campanile."""

from msgspec.structs import asdict

from capomastro.engine.events import Event, SeatEvent
from capomastro.engine.multisets import Multiset
from capomastro.games.campanile.scoring import Contender, Scoring, ScoringName, lines


class CardDealt(SeatEvent, frozen=True):
    """A card was dealt into a hand, hidden from the others."""


class CardRevealed(Event, frozen=True):
    """A card from the deck was turned up."""

    card: str


# --- a turn ----------------------------------------------------------------------------------------------------------


class TowerRaised(SeatEvent, frozen=True):
    """A: a player raised a tower, which now has `height` floors."""

    tower: str
    floors: int
    height: int


class MarkerPlaced(SeatEvent, frozen=True):
    """B: a player placed a marker under a tower."""

    tower: str
    marker: str


class MarkerMoved(SeatEvent, frozen=True):
    """B, variant: a player moved a marker from one tower to another."""

    source: str
    destination: str
    marker: str


class NoMarker(SeatEvent, frozen=True):
    """B: a player placed no marker."""


class CardsTaken(SeatEvent, frozen=True):
    """C: a player took a card from the display."""

    cards: Multiset


# --- scoring ---------------------------------------------------------------------------------------------------------


class TowerScored(Event, frozen=True):
    """One tower in a scoring, with everybody who has markers under it."""

    scoring: ScoringName
    tower: str
    rank: int
    height: int
    flag: tuple[int, ...]
    contenders: tuple[Contender, ...]


class TokenWon(SeatEvent, frozen=True):
    """A player won a token."""

    rule: str
    points: int
    tower: str
    rank: int
    height: int
    influence: int
    place: int


def of_scoring(scoring: Scoring) -> list[Event]:
    """The events of a scoring: every tower with its contenders, then every token won."""
    name = scoring.scoring
    towers = [TowerScored(name, t.tower, t.rank, t.height, t.flag, t.contenders) for t in scoring.towers]
    return [*towers, *(TokenWon(seat, **asdict(line)) for seat, line in lines(scoring))]
