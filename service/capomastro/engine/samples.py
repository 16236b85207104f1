"""Samples: full states that agree with all that a document shows, with the probability that chance alone gives them.

What a document hides lies unknown in hands or face down in piles. Piles are not listed, so completing a state means
dealing its unknown cards: the places in hands and piles are filled uniformly at random with the cards not shown. After
a shuffle, only cards that were shuffled in can lie in the pile; all others are in hands. What the choices of others
suggest is not weighed.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from capomastro.engine.game import Game
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import plus
from capomastro.engine.piles import FaceDownPile


class Hidden(NamedTuple):
    """The cards that can fill the unknown places in hands with cards of a pile.

    `held`: those in hands for certain. `loose`: those in hands or in the pile, of which `spare` are in hands.
    """

    held: list[str]
    loose: list[str]
    spare: int

    def dealt(self, random: Random) -> list[str]:
        """The cards in hands, in the order of the places."""
        cards = self.held + random.sample(self.loose, self.spare)
        random.shuffle(cards)
        return cards


def hidden_in(pile: FaceDownPile) -> Hidden:
    """What of a pile's cards can be in hands."""
    contents = pile.contents()
    held = [card for card, number in pile.unseen.items() for _ in range(number - contents.get(card, 0))]
    loose = [card for card, number in contents.items() for _ in range(number)]
    return Hidden(held, loose, len(loose) - pile.size)


class Sampler:
    """Completes what a seat (None: a spectator) may know of a state."""

    def __init__(self, game: Game[Any], state: Any, seat: int | None) -> None:
        self.view = game.view(state, seat)
        self.hands: Mapping[int, Hand] = {
            index: player.hand
            for index, player in enumerate(self.view.seats)
            if isinstance(getattr(player, "hand", None), Hand) and player.hand.unknown
        }
        piles = sorted({pile for hand in self.hands.values() for pile in hand.unknown})
        self.hidden = {pile: hidden_in(game.face_down(self.view, pile)) for pile in piles}

    def sample(self, random: Random) -> Any:
        """A full state; each that agrees with the view is as likely as chance alone makes it."""
        if not self.hands:
            return self.view
        dealt: dict[str, Iterator[str]] = {pile: iter(cards.dealt(random)) for pile, cards in self.hidden.items()}
        seats = list(self.view.seats)
        for index, hand in self.hands.items():
            cards = [card for pile, number in hand.unknown.items() for card in islice(dealt[pile], number)]
            seats[index] = replace(seats[index], hand=Hand(hand.open, plus(hand.closed, cards)))
        return replace(self.view, seats=tuple(seats))


def sampled(game: Game[Any], state: Any, seat: int | None, seed: str, count: int) -> list[Any]:
    """So many samples; the same seed draws the same at the same ply."""
    sampler = Sampler(game, state, seat)
    random = Random(f"{seed}/{state.ply}")
    return [sampler.sample(random) for _ in range(count)]
