"""Selections counted, picked and walked without listing them, held against plain lists."""

from itertools import product
from random import Random

import pytest

from capomastro.engine import selections as selections_module
from capomastro.engine.selections import Choice, Factor, Selections


def random_factors(random: Random) -> tuple[Factor, ...]:
    factors = []
    for number in range(random.randint(0, 4)):
        choices = [
            Choice((f"token-{number}",) * size, random.randint(0, 6), random.random() < 0.4)
            for size in range(random.randint(1, 4))
        ]
        factors.append(Factor(choices))
    return tuple(factors)


def listed(factors: tuple[Factor, ...], low: int, required: bool) -> list[tuple[str, ...]]:
    found = []
    for chosen in product(*(factor.choices for factor in factors)):
        marked = any(choice.marked for choice in chosen)
        if low <= sum(choice.weight for choice in chosen) and (marked or not required):
            found.append(tuple(sorted(token for choice in chosen for token in choice.tokens)))
    return found


def test_selections_are_those_of_a_plain_list_in_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(6)
    for _ in range(400):
        factors = random_factors(random)
        low, required = random.randint(-2, 12), random.random() < 0.5
        selections = Selections(factors, low, required)
        wanted = listed(factors, low, required)
        assert selections.total == len(wanted)
        assert list(selections.starting_at(0)) == wanted
        assert [selections.pick(index) for index in range(len(wanted))] == wanted
        start = random.randint(0, len(wanted) + 1)
        assert list(selections.starting_at(start)) == wanted[start:]
        with monkeypatch.context() as context:
            context.setattr(selections_module, "FEW", 0)  # as if they were too many to list
            assert list(selections.starting_at(start)) == wanted[start:]
        with pytest.raises(IndexError):
            selections.pick(len(wanted))
