"""The schema of a body in the specification accepts what the service accepts."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import jsonschema_rs
import pytest
from tools.openapi.bodies import body_schema

from capomastro.api.declarations import RESOURCES
from capomastro.api.envelopes import RequestBody

ENVELOPES = {
    each.name + (" in a query" if envelope is each.parameters else ""): envelope
    for each in RESOURCES
    for envelope in (each.envelope, each.parameters)
    if envelope is not None
}
VALUES: tuple[Any, ...] = (
    *(None, True, 0, 7, -1, 10**6, "", "all", "skip", "x" * 300, "x" * 43),
    *([], ["Ada"], [0, None], [0, 0], ["0" * 64], [1] * 21, {}),
)
FEW_VALUES: tuple[Any, ...] = (None, 0, "all", "x" * 43, [0, None], {})


def bodies(envelope: RequestBody) -> Iterator[Any]:
    """An empty body; every member alone, beside every other, and with one member too many."""
    yield from (None, 1, "state", [], {}, {"further": 1})
    names = list(envelope.fields)
    for name, value in product(names, VALUES):
        yield {name: value}
        yield {name: value, "further": 1}
    for (first, second), value, other in product(combinations(names, 2), FEW_VALUES, FEW_VALUES):
        yield {first: value, second: other}
    required = [name for name, member in envelope.fields.items() if member.required]
    yield from (dict.fromkeys(required, value) | {name: value} for name in names for value in VALUES)


@pytest.mark.parametrize("envelope", ENVELOPES.values(), ids=ENVELOPES.keys())
def test_a_body_is_loaded_if_its_schema_accepts_it(envelope: RequestBody) -> None:
    schema = body_schema(envelope, lambda kind: {"type": "object"} if kind == "table" else {})
    validator = jsonschema_rs.Draft202012Validator(schema)
    for body in bodies(envelope):
        if isinstance(body, dict) and body.get("options", {}) is None:
            continue  # which the schema of the document refuses
        assert validator.is_valid(body) == (not envelope.validate(body)), body
