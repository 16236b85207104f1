"""Reference data: cards, markers with their influence, tokens, and the flags of the towers."""

from typing import Literal

from capomastro.engine.reference import Component, Part, Reference
from capomastro.games.campanile import components as box

Scoring = Literal["intermezzo", "finito"]


class TowerCardEntry(Component, frozen=True):
    """A tower card."""

    count_with_two_players: int
    """How many of it two players use."""


class MarkerEntry(Component, frozen=True):
    """An influence marker; `count` is for each player."""

    influence: int
    """Its influence, and the number of floors that lets it be placed."""


class PointTokenEntry(Part, frozen=True):
    """A victory-point token."""

    value: int
    """Its points."""
    count: int
    """How many there are."""


class TowerFlag(Part, frozen=True):
    """The tokens that the players with most influence under a tower win."""

    rank: int
    """The rank of the tower; 1 is the highest."""
    tokens: tuple[int, ...]
    """The values of the tokens for the greatest influence, the second, the third."""


class ScoringFlags(Part, frozen=True):
    """The flags of a scoring."""

    scoring: Scoring
    """The scoring."""
    players: tuple[int, ...]
    """The numbers of players for which they hold."""
    flags: tuple[TowerFlag, ...]
    """By rank of the tower."""


class CampanileReference(Reference, frozen=True):
    """The reference data of Campanile."""

    tower_cards: tuple[TowerCardEntry, ...]
    """The tower cards; they name the towers."""
    scoring_cards: tuple[Component, ...]
    """The cards that start a scoring."""
    markers: tuple[MarkerEntry, ...]
    """The influence markers."""
    tokens: tuple[PointTokenEntry, ...]
    """The victory-point tokens."""
    floors: tuple[int, ...]
    """The numbers of floors a card can add."""
    hand_size: int
    """The cards in a hand."""
    display_size: int
    """The face-up cards."""
    flags: tuple[ScoringFlags, ...]
    """What the scorings award."""


def reference() -> CampanileReference:
    """Everything from the tables of components."""
    return CampanileReference(
        tower_cards=tuple(TowerCardEntry(style, box.COPIES, box.COPIES_OF_TWO_PLAYERS) for style in box.STYLES),
        scoring_cards=(Component(box.INTERMEZZO, 1), Component(box.FINITO, 1)),
        markers=tuple(MarkerEntry(size, count, box.VALUES[size]) for size, count in box.MARKERS.items()),
        tokens=tuple(PointTokenEntry(value, count) for value, count in box.TOKENS.items()),
        floors=box.FLOORS,
        hand_size=box.HAND_SIZE,
        display_size=box.DISPLAY_SIZE,
        flags=(
            ScoringFlags("intermezzo", (2,), tower_flags(box.INTERMEZZO_FLAGS_OF_TWO)),
            ScoringFlags("intermezzo", (3, 4, 5), tower_flags(box.INTERMEZZO_FLAGS)),
            ScoringFlags("finito", (2,), tower_flags(box.FINITO_FLAGS_OF_TWO)),
            ScoringFlags("finito", (3, 4, 5), tower_flags(box.FINITO_FLAGS)),
        ),
    )


def tower_flags(flags: box.Flags) -> tuple[TowerFlag, ...]:
    return tuple(TowerFlag(rank, tokens) for rank, tokens in enumerate(flags, 1))
