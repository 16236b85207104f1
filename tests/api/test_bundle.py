"""The schemas of the specification are equivalent to the schema files.

Both validate the same values, some valid and most invalid, and must agree.
"""

from collections.abc import Iterator
from functools import cache
from json import loads
from typing import Any

import jsonschema_rs
import pytest
from tools.openapi import bundle

from capomastro.catalogue import served_schema
from capomastro.documents.files import schemas_directory
from capomastro.documents.shapes import COMMON, documents_of, games_with_schemas

ORIGIN = "https://capomastro.invalid"
DOCUMENTS = [
    (folder, document)
    for folder in (COMMON, *games_with_schemas())
    for document in documents_of(None if folder == COMMON else folder)
]
MAXIMUM_PER_KIND = 400
"""Maximum number of values made from one example."""
STRANGE: tuple[Any, ...] = (None, True, -1, 0, 1_000_001, "", "strange", [], {}, {"type": "strange"})


@cache
def files() -> jsonschema_rs.Registry:
    served = [served_schema(None if folder == COMMON else folder, document) for folder, document in DOCUMENTS]
    return jsonschema_rs.Registry([(ORIGIN + schema["$id"], schema) for schema in served])


@cache
def components() -> jsonschema_rs.Registry:
    found = bundle.components(games_with_schemas())
    return jsonschema_rs.Registry([(f"{ORIGIN}/bundle", {"components": {"schemas": found}})])


def variants_of(value: Any, most: int = MAXIMUM_PER_KIND) -> Iterator[Any]:
    """The value itself, and variants with something replaced, removed, added or duplicated at each place."""
    yield from (one for one, _ in zip((value, *changes(value)), range(most), strict=False))


def changes(value: Any) -> Iterator[Any]:
    yield from STRANGE
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, str):
        yield value + "-x"
    elif isinstance(value, list):
        yield [*value, *value]
        yield value[1:]
        for index, item in enumerate(value[:3]):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in changes(item))
    elif isinstance(value, dict):
        yield {**value, "strange": 1}
        for name in value:
            yield {other: member for other, member in value.items() if other != name}
        for name, member in value.items():
            yield from ({**value, name: other} for other in changes(member))


@pytest.mark.parametrize(("folder", "document"), DOCUMENTS)
def test_a_component_accepts_what_its_file_accepts(folder: str, document: str) -> None:
    schema = loads((schemas_directory() / folder / f"{document}.json").read_bytes())
    parts = {"": schema, **schema.get("$defs", {})}
    address = ORIGIN + served_schema(None if folder == COMMON else folder, document)["$id"]
    for part, described in parts.items():
        shown = described.get("examples", [])
        name = bundle.name_of(f"{folder}/{document}" + (f"#{part}" if part else ""))
        reference = f"{address}#/$defs/{part}" if part else address
        of_file = jsonschema_rs.Draft202012Validator({"$ref": reference}, registry=files())
        of_component = jsonschema_rs.Draft202012Validator(
            {"$ref": f"{ORIGIN}/bundle#/components/schemas/{name}"}, registry=components()
        )
        for value in (one for example in shown for one in variants_of(example)):
            assert of_file.is_valid(value) == of_component.is_valid(value), (name, value)
        assert all(map(of_component.is_valid, shown)), name
