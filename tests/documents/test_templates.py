"""The slots of sentences that choose between texts."""

from typing import Any

import pytest

from capomastro.documents.sentences import Words, compiled, read, slots_of

RANGE = "{lowest=highest?{lowest:card|cards}|{lowest} to {highest} cards}"


def filled(template: str, **values: Any) -> str:
    return compiled(read(template), Words())(values)


@pytest.mark.parametrize(
    ("lowest", "highest", "text"), [(12, 29, "12 to 29 cards"), (30, 30, "30 cards"), (1, 1, "1 card")]
)
def test_a_range_of_one_number_is_that_number(lowest: int, highest: int, text: str) -> None:
    assert filled(RANGE, lowest=lowest, highest=highest) == text


@pytest.mark.parametrize(
    ("moves", "text"),
    [(["play-card"], "play-card"), ("play-card", "play-card"), (["build", "pass"], "play-card (build, pass)")],
)
def test_values_are_compared_in_words(moves: Any, text: str) -> None:
    assert filled("{decision}{decision=moves?| ({moves})}", decision="play-card", moves=moves) == text


def test_both_values_of_a_comparison_are_slots() -> None:
    assert list(slots_of(read("{one=other?yes|{third}}"))) == ["one", "other", "third"]


@pytest.mark.parametrize("template", ["{one=other}", "{one=?a|b}", "{=other?a|b}", "{one=other:a|b}", "{one=other?a}"])
def test_half_a_comparison_is_an_error(template: str) -> None:
    with pytest.raises(ValueError, match="not a slot"):
        read(template)
