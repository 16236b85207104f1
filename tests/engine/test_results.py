"""Places, winners and what stays undecided, held against every way the unknown can turn out."""

from collections.abc import Sequence
from itertools import product
from random import Random

from capomastro.engine.results import Score, ScoreLine, TieBreak, exactly, ranked


def score(seat: int, total: int, *tie_breaks: TieBreak) -> Score[ScoreLine]:
    missing = ("cards",) if any(each.exact is None for each in tie_breaks) else ()
    return Score(seat, (ScoreLine("some.rule", total),), tie_breaks, missing)


def known_places(values: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The places if everything is known: the total first, then the tie-breaks."""
    return tuple(1 + sum(other > mine for other in values) for mine in values)


def every_outcome(scores: Sequence[Score[ScoreLine]], unbounded: int) -> set[tuple[int, ...]]:
    """The places in every way the unknown can turn out; what is unbounded goes up to `unbounded`."""
    ranges = []
    for each in scores:
        bounds = [range(one.low, (unbounded if one.high is None else one.high) + 1) for one in each.tie_breaks]
        ranges.append([(each.total, *values) for values in product(*bounds)])
    return {known_places(values) for values in product(*ranges)}


def random_scores(random: Random, levels: int) -> list[Score[ScoreLine]]:
    scores = []
    for seat in range(random.randint(2, 4)):
        breaks = []
        for _ in range(levels):
            low = random.randint(0, 3)
            high = random.choice([low, low, low + 1, None])
            breaks.append(TieBreak(low, high))
        scores.append(score(seat, random.choice([1, 1, 2]), *breaks))
    return scores


def test_places_are_those_that_all_outcomes_agree_on() -> None:
    random = Random(2)
    for levels in (0, 1, 1, 1, 2):
        for _ in range(60):
            scores = random_scores(random, levels)
            outcomes = every_outcome(scores, unbounded=5)
            result = ranked(scores, [f"rule {level}" for level in range(levels)])
            for seat, player in enumerate(result.players):
                places = {outcome[seat] for outcome in outcomes}
                assert player.place == (places.pop() if len(places) == 1 else None), (scores, seat, outcomes)
            winners = {tuple(seat for seat, place in enumerate(outcome) if place == 1) for outcome in outcomes}
            assert result.winners == (winners.pop() if len(winners) == 1 else None)
            assert result.undecided == tuple(player.seat for player in result.players if player.place is None)
            named = {each.seat for each in result.missing}
            assert bool(named) == bool(result.undecided), "what is missing is named as long as a place needs it"
            assert named <= {each.seat for each in scores if each.missing}


def test_a_sure_place_is_known_even_if_the_victory_may_be_shared() -> None:
    result = ranked([score(0, 7, exactly(5)), score(1, 7, TieBreak(5, 9))], ["rule"])
    assert [player.place for player in result.players] == [None, 1]
    assert (result.winners, result.undecided) == (None, (0,))
    assert [each.seat for each in result.missing] == [1]


def test_the_trail_goes_as_far_as_the_comparisons_do() -> None:
    scores = [
        score(0, 7, exactly(1), exactly(9)),
        score(1, 7, exactly(1), exactly(8)),
        score(2, 7, exactly(0), exactly(9)),
    ]
    result = ranked(scores, ["first", "second"])
    assert [(each.rule, each.seats, each.values) for each in result.tie_break] == [
        ("first", (0, 1, 2), (1, 1, 0)),
        ("second", (0, 1), (9, 8)),
    ]
    assert [player.place for player in result.players] == [1, 2, 3]
    assert ranked([score(0, 7), score(1, 6)], []).tie_break == ()


def test_equal_in_everything_shares_the_place_and_the_next_number_is_left_out() -> None:
    result = ranked([score(0, 3), score(1, 7), score(2, 7), score(3, 3)], [])
    assert [player.place for player in result.players] == [3, 1, 1, 3]
    assert result.winners == (1, 2)
