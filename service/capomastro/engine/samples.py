"""Samples: full states that agree with all that a seat knows, with the probability that chance alone gives them.

What a state hides lies unknown in hands or face down in piles. Piles are not listed, so completing a state means
dealing its unknown cards: the places in hands and piles are filled uniformly at random with the cards not shown. After
a shuffle, only cards that were shuffled in can lie in the pile; all others are in hands. The course of a game tells
more (`origins`). What the choices of others suggest is not weighed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from capomastro.engine.game import AnyGame
from capomastro.engine.hands import Hand
from capomastro.engine.moves import ChanceMove, Move
from capomastro.engine.multisets import plus
from capomastro.engine.origins import Origins
from capomastro.engine.piles import FaceDownPile, Shuffled
from capomastro.engine.steps import Step, play_steps


class Dealing(Protocol):
    """What the unknown places in hands hold of the cards of a pile."""

    def deal(self, random: Random) -> list[str]: ...


class Hidden(NamedTuple):
    """The cards that can fill the unknown places in hands with cards of a pile.

    `held`: those in hands for certain. `loose`: those in hands or in the pile; `spare` of them are in hands.
    """

    held: list[str]
    loose: list[str]
    spare: int

    def deal(self, random: Random) -> list[str]:
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
    """Completes what a seat (None: a spectator) may know of a state; `seen` are origins that it followed, by pile."""

    def __init__(self, game: AnyGame, state: Any, seat: int | None, seen: Mapping[str, Origins] | None = None) -> None:
        self.view = game.view(state, seat)
        self.hands: Mapping[int, Hand] = {
            index: player.hand for index, player in enumerate(self.view.seats) if unknown_in(player)
        }
        piles = sorted({pile for hand in self.hands.values() for pile in hand.unknown})
        self.hidden: dict[str, Dealing] = {
            pile: hidden_in(game.face_down(self.view, pile)) if seen is None else seen[pile].hidden() for pile in piles
        }

    def sample(self, random: Random) -> Any:
        """A full state; each that agrees with what is known is as likely as chance alone makes it."""
        if not self.hands:
            return self.view
        dealt: dict[str, Iterator[str]] = {pile: iter(cards.deal(random)) for pile, cards in self.hidden.items()}
        seats = list(self.view.seats)
        for index, hand in self.hands.items():
            cards = [card for pile, number in hand.unknown.items() for card in islice(dealt[pile], number)]
            seats[index] = replace(seats[index], hand=Hand(hand.open, plus(hand.closed, cards)))
        return replace(self.view, seats=tuple(seats))

    def samples(self, seed: str, count: int) -> list[Any]:
        """A `count` of samples; the same seed draws the same at the same ply."""
        random = Random(f"{seed}/{self.view.ply}")
        return [self.sample(random) for _ in range(count)]


def sampler_of_course(game: AnyGame, start: Any, moves: Iterable[Move], seat: int | None) -> Sampler:
    """Completes what a seat may know that followed a game from its start.

    Raises:
        Refused: if a move is illegal.
    """
    view, seen = followed(game, start, list(play_steps(game, start, moves)), seat)
    return Sampler(game, view, seat, seen)


def resampled(game: AnyGame, start: Any, moves: Iterable[Move], seat: int | None, seed: str) -> list[Move]:
    """The moves of a game with all draws that a seat did not see drawn anew, as chance alone makes them likely given
    all that it saw: a game in which it has seen the same.

    Raises:
        Refused: if a move is illegal.
    """
    steps = list(play_steps(game, start, moves))
    _, seen = followed(game, start, steps, seat)
    random = Random(f"{seed}/{len(steps)}")
    drawn = {pile: iter(origins.sample_draws(random)) for pile, origins in seen.items()}

    def in_this_game(step: Step) -> Move:
        if not isinstance(step.move, ChanceMove) or step.move_seen_by(seat) == step.move:
            return step.move
        assert step.move.component is not None, "all that was drawn is known"
        return replace(step.move, **{step.move.reveals: next(drawn[game.pile_of(step.move.component)])})

    return [in_this_game(step) for step in steps]


def followed(game: AnyGame, start: Any, steps: Sequence[Step], seat: int | None) -> tuple[Any, dict[str, Origins]]:
    """What a seat may know of the last state, and of the origins of the cards of each pile."""
    views = [game.view(start, seat), *(game.view(step.after, seat) for step in steps)]
    piles = {pile for view in views for player in view.seats for pile in unknown_in(player)}
    seen = {pile: Origins(game.face_down(views[0], pile).unseen, len(start.seats)) for pile in piles}
    for step, before, after in zip(steps, views, views[1:], strict=False):
        for pile, origins in seen.items():
            follow(game, pile, origins, before, step, after)
    return views[-1], seen


def follow(game: AnyGame, pile: str, origins: Origins, before: Any, step: Step, after: Any) -> None:
    """Follows where the cards of a pile are, from the view before a step to that after it."""
    shuffled = [card for event in step.events if isinstance(event, Shuffled) for card in event.cards]
    if shuffled and game.pile_of(shuffled[0]) != pile:
        shuffled = []
    shown = Counter(game.face_down(before, pile).unseen)
    shown.update(shuffled)
    shown.subtract(game.face_down(after, pile).unseen)
    cards = iter(shown.elements())
    for hand, (earlier, later) in enumerate(zip(before.seats, after.seats, strict=True)):
        change = unknown_in(later).get(pile, 0) - unknown_in(earlier).get(pile, 0)
        for _ in range(change):
            origins.draw(hand)
        for card in islice(cards, max(0, -change)):
            origins.play(hand, card)
    for card in cards:
        origins.reveal(card)
    if shuffled:
        origins.shuffle(shuffled)


def unknown_in(player: Any) -> Mapping[str, int]:
    """The number of unknown cards in a player's hand, by pile; none if the game has no hands."""
    hand = getattr(player, "hand", None)
    return hand.unknown if isinstance(hand, Hand) else {}
