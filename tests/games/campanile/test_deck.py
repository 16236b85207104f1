"""What the deck can reveal, and how likely: the Intermezzo at its place or anywhere, the Finito in the last eleven."""

from fractions import Fraction

import pytest

from capomastro.engine.decisions import ChanceDecision
from capomastro.games.campanile import moves, stages
from capomastro.games.campanile.components import STYLES
from capomastro.games.campanile.derived import derived
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.state import State
from tests.games.campanile.table import hand, legal, options, played, refusal, table, towers


def probabilities(state: State) -> dict[str, Fraction]:
    here = GAME.decision_at[type(state.stage)]
    assert isinstance(here, ChanceDecision)
    outcomes = here.rule.outcomes(state)
    return {card: outcomes.probability(card) for card in outcomes.weights}


def refill(turns: int, after: int | None, seen: bool = False, unknown: int = 0, players: int = 3) -> State:
    """A refill in the turn number `turns`; the towers have all possible cards of a, then of d, e, b and c.

    The hands hold b (seat 0) and c; `unknown` cards of seat 1 are not known.
    """
    in_hands_and_display = {"a": 0, "d": 0, "e": 1, "b": 3, "c": 1 + 3 * (players - 1)}
    counts, left = dict.fromkeys(STYLES, 0), turns
    for style, elsewhere in in_hands_and_display.items():
        counts[style] = min(left, (6 if players == 2 else 12) - elsewhere)
        left -= counts[style]
    assert not left
    hands = [
        hand("bbb" if seat == 0 else "ccc"[: 3 - unknown], unknown=unknown if seat else 0) for seat in range(players)
    ]
    return table(
        stage=stages.RefillDisplay(),
        hands=hands[:2] + [hand("ccc")] * (players - 2),
        display="ce",
        options=options(after=after),
        towers=towers(**{style: f"{count}/{count}" for style, count in counts.items()}),
        active_seat=(turns - 1) % players,
        intermezzo_seen=seen,
    )


def drawn(state: State) -> int:
    """How many tower cards have been turned up."""
    return 60 - 9 - derived(state).deck


def test_the_next_card_is_uniform_over_those_not_seen() -> None:
    state = refill(4, after=25)
    assert probabilities(state) == {
        "a": Fraction(8, 45),
        "b": Fraction(9, 45),
        "c": Fraction(5, 45),
        "d": Fraction(12, 45),
        "e": Fraction(11, 45),
    }


def test_unknown_cards_of_hands_are_among_those_not_seen() -> None:
    state = refill(4, after=25, unknown=2)
    assert derived(state).deck == 45
    assert probabilities(state)["c"] == Fraction(7, 47)
    assert probabilities(state)["a"] == Fraction(8, 47)


def test_the_first_display_never_shows_the_intermezzo() -> None:
    for after in (3, None):
        state = table(stage=stages.RevealSetupCard(), display="ab", options=options(after=after), ply=8)
        assert "intermezzo" not in probabilities(state)
        refused = refusal(state, moves.RevealCard("intermezzo"))
        assert refused is not None
        assert refused.rule == "campanile.deck.intermezzo"


def test_a_known_intermezzo_comes_exactly_at_its_place() -> None:
    state = refill(3, after=6)
    assert drawn(state) == 5
    assert "intermezzo" not in probabilities(state)
    assert not legal(state, moves.RevealCard("intermezzo"))
    state = refill(4, after=6)
    assert probabilities(state) == {"intermezzo": Fraction(1)}
    for card in ("a", "d", "finito"):
        assert not legal(state, moves.RevealCard(card))
    state = played(state, moves.RevealCard("intermezzo"))
    assert "intermezzo" not in probabilities(state)
    assert not legal(state, moves.RevealCard("intermezzo"))


@pytest.mark.parametrize("turns", [1, 2, 17, 37, 38, 39])
def test_an_unknown_intermezzo_is_uniform_over_the_places_left(turns: int) -> None:
    state = refill(turns, after=None)
    left = derived(state).deck
    assert left == 49 - turns
    chance = probabilities(state)
    assert chance["intermezzo"] == Fraction(1, left - 9)
    unseen = {"a": 12 - min(turns, 12)}
    if unseen["a"] and left > 10:
        assert chance["a"] == (1 - Fraction(1, left - 9)) * Fraction(unseen["a"], left)
    assert "finito" not in chance, "it lies below the Intermezzo"
    assert (len(chance) == 1) == (left == 10), "with ten cards left it must come"


def test_every_place_of_an_unknown_intermezzo_is_equally_likely() -> None:
    not_yet, places = Fraction(1), []
    for turns in range(1, 40):
        chance = probabilities(refill(turns, after=None))["intermezzo"]
        places.append(not_yet * chance)
        not_yet *= 1 - chance
    assert not_yet == 0
    assert set(places) == {Fraction(1, 39)}, "3 … 51 - 10 = 41"


def test_the_finito_is_equally_likely_in_each_of_the_last_eleven_places() -> None:
    not_yet, places = Fraction(1), []
    for turns in range(1, 50):
        chance = probabilities(refill(turns, after=3, seen=True)).get("finito", Fraction(0))
        places.append(not_yet * chance)
        not_yet *= 1 - chance
    assert places == [0] * 38 + [Fraction(1, 11)] * 11


@pytest.mark.parametrize(("turns", "unknown"), [(39, 0), (39, 2), (44, 3), (48, 1)])
def test_the_finito_is_next_with_one_in_the_cards_left_and_itself(turns: int, unknown: int) -> None:
    state = refill(turns, after=3, seen=True, unknown=unknown)
    left = 49 - turns
    chance = probabilities(state)
    assert derived(state).deck == left
    assert chance["finito"] == Fraction(1, left + 1)
    assert chance["c"] == Fraction(left, left + 1) * Fraction(5 - max(0, turns - 44) + unknown, left + unknown)


def test_the_finito_can_follow_the_intermezzo_directly() -> None:
    state = played(refill(39, after=41), moves.RevealCard("intermezzo"))
    assert probabilities(state)["finito"] == Fraction(1, 11)
    assert GAME.decision_at.get(type(played(state, moves.RevealCard("finito")).stage)) is None


def test_the_last_card_of_all_is_the_finito() -> None:
    state = refill(49, after=3, seen=True, unknown=1)
    assert probabilities(state) == {"finito": Fraction(1)}
    refused = refusal(state, moves.RevealCard("c"))
    assert refused is not None
    assert refused.rule == "campanile.deck.last"


def test_two_players_have_six_of_each_style() -> None:
    state = refill(6, after=12, players=2)
    assert derived(state).deck == 16
    assert "a" not in probabilities(state)
    refused = refusal(state, moves.RevealCard("a"))
    assert refused is not None
    assert refused.rule == "campanile.components.tower-cards"
    assert refused.values["box"] == 6


def test_an_unknown_card_is_refused() -> None:
    for name in (None, "f"):
        refused = refusal(refill(4, after=25), moves.RevealCard(name))  # type: ignore[arg-type]
        assert refused is not None
        assert refused.rule == "campanile.components.tower-cards"
