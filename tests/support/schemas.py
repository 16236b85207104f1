"""Schemas as files: following references and walking through every part."""

from collections.abc import Iterator
from functools import cache
from json import loads
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from capomastro.documents.files import schemas_directory

Schema = dict[str, Any]

REQUESTS = ("state", "stage", "move", "options", "record", "scoresheet")
"""The documents that clients send; the others are only in answers."""

MAPS = ("properties", "$defs")
"""Keywords whose members are schemas by name."""

LISTS = ("oneOf", "anyOf", "allOf", "prefixItems")
SINGLE = ("items", "additionalProperties", "propertyNames")


class Part(NamedTuple):
    """A schema somewhere in a file; `file` is relative to the folder of all schemas, `fragment` starts with "/"."""

    file: str
    fragment: str
    schema: Schema

    def __str__(self) -> str:
        return f"{self.file}#{self.fragment}"


@cache
def schema_files() -> dict[str, Schema]:
    """Every schema by its file, such as "common/hand.json"."""
    directory = schemas_directory()
    return {
        path.relative_to(directory).as_posix(): loads(path.read_text("utf-8"))
        for path in sorted(directory.glob("*/*.json"))
    }


def parts(file: str, schema: Schema, fragment: str = "") -> Iterator[Part]:
    """The schema and every schema within it."""
    yield Part(file, fragment, schema)
    for keyword in MAPS:
        for name, member in schema.get(keyword, {}).items():
            yield from parts(file, member, f"{fragment}/{keyword}/{name}")
    for keyword in LISTS:
        for index, branch in enumerate(schema.get(keyword, ())):
            yield from parts(file, branch, f"{fragment}/{keyword}/{index}")
    for keyword in SINGLE:
        if isinstance(schema.get(keyword), dict):
            yield from parts(file, schema[keyword], f"{fragment}/{keyword}")


def all_parts() -> Iterator[Part]:
    for file, schema in schema_files().items():
        yield from parts(file, schema)


def target(part: Part) -> Part:
    """The target of a schema's reference."""
    name, _, fragment = part.schema["$ref"].partition("#")
    file = normpath(join(dirname(part.file), name)) if name else part.file
    schema: Any = schema_files()[file]
    for step in fragment.split("/")[1:]:
        schema = schema[step]
    return Part(file, fragment, schema)
