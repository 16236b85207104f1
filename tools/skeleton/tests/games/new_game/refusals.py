"""Cases for every rule that refuses: what breaks it, the rule, its numbers, and its pointer."""

from tests.support.refusals import Case

CASES: list[Case] = []
"""FILL IN: at least one for each rule of the catalogue that has a refusal."""
