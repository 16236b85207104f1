"""Bodies are accepted by a fast path and refused by a thorough one: both agree on verdict and members."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, product
from typing import Any

import pytest
from marshmallow import ValidationError

from capomastro.api.declarations import RESOURCES
from capomastro.api.envelopes import Envelope

ENVELOPES = {
    each.name + (" in a query" if envelope is each.parameters else ""): envelope
    for each in RESOURCES
    for envelope in (each.envelope, each.parameters)
    if envelope is not None
}
VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    7,
    -1,
    10**6,
    "",
    "all",
    "skip",
    "x" * 300,
    [],
    ["Ada"],
    [0, None],
    [0, 0],
    {},
)


FEW_VALUES: tuple[Any, ...] = (None, 0, 1, "x" * 43, [], {})
"""For bodies with many members, something valid of each kind."""


def bodies(envelope: Envelope) -> Iterator[Any]:
    """An empty body; every member alone and beside every other, with every value, and with one member too many."""
    yield from (None, 1, "state", [], {}, {"further": 1})
    names = list(envelope.fields)
    for some in (*combinations(names, 1), *combinations(names, 2)):
        for values in product(VALUES, repeat=len(some)):
            body = dict(zip(some, values, strict=True))
            yield body
            yield {**body, "further": 1}
    yield dict.fromkeys(names)
    required = [name for name, member in envelope.fields.items() if member.required]
    for several in (required, names):
        if 2 < len(several) <= 4:
            yield from (dict(zip(several, values, strict=True)) for values in product(FEW_VALUES, repeat=len(several)))


@pytest.mark.parametrize("envelope", ENVELOPES.values(), ids=ENVELOPES.keys())
def test_accepted_members_equal_loaded_ones(envelope: Envelope) -> None:
    verdicts = set()
    for body in bodies(envelope):
        accepted = loaded = None
        with suppress(ValidationError):
            accepted = envelope.accepted(body)
        with suppress(ValidationError):
            loaded = envelope.load(body)
        assert accepted == loaded, body
        verdicts.add(accepted is None)
    assert verdicts == {True, False}
