"""Bundles all schemas into one self-contained document, with unique names that include the game.

`schemas/` defines shapes with all of JSON Schema: references between files, and refinements of other files. Client
generators understand less, so they get the same shapes in a simpler form:

- Every file and each of its `$defs` is a component: `palazzo/move.json#/$defs/buy` is PalazzoMoveBuy, what all games
  share has no prefix, and tokens are named without their file: `palazzo/tokens.json#/$defs/tile` is PalazzoTile.
- A reference with keywords beside it other than a description is replaced by the conjunction of both.
- An object within an object is a component too, named after its path.
- A union of objects that differ in a constant `type` has a `discriminator`.
- A constant has a `type`; titles, which some generators turn into names, are left out.
"""

from collections.abc import Mapping
from functools import cache, partial
from json import loads
from typing import Any

from jsonschema import Draft202012Validator
from tools.openapi.nodes import Node, mapped, pascal, references, schema_component

from capomastro.documents import shapes
from capomastro.documents.files import schemas_directory

Key = str
"""The place of a schema: "palazzo/move" or "palazzo/move#buy"."""

ANNOTATIONS = frozenset({"title", "description", "examples", "default"})
LEAST = {"maximum": min, "maxItems": min, "maxLength": min, "minimum": max, "minItems": max, "minLength": max}
TOKENS = "tokens"
PARTS = "#/$defs/"
FILES, SUFFIX = "schemas/", ".json"
"""How `openapi.yaml` refers to a schema file."""
MADE_OF = "x-made-of"
"""Key of a refined schema in an object; used only while bundling."""


# --- schemas by key --------------------------------------------------------------------------------------------------


@cache
def schemas() -> dict[Key, Node]:
    """Every schema that can be referred to; references are keys, and each of `$defs` is separate."""
    found: dict[Key, Node] = {}
    for folder in (shapes.COMMON, *shapes.games_with_schemas()):
        for document in shapes.documents_of(None if folder == shapes.COMMON else folder):
            schema = loads((schemas_directory() / folder / f"{document}.json").read_bytes())
            parts = schema.pop("$defs", {})
            del schema["$schema"]
            found[f"{folder}/{document}"] = with_keys(schema, folder, document)
            found |= {f"{folder}/{document}#{name}": with_keys(part, folder, document) for name, part in parts.items()}
    return found


def with_keys(schema: Node, folder: str, document: str) -> Node:
    """A schema whose references are keys."""

    def change(node: Node) -> Node:
        return {**node, "$ref": key_of(node["$ref"], folder, document)} if "$ref" in node else node

    changed: Node = mapped(schema, change)
    return changed


def key_of(reference: str, folder: str, document: str) -> Key:
    """The key of a reference in a file."""
    file, _, fragment = reference.partition("#")
    path = file.removesuffix(".json")
    shared = f"../{shapes.COMMON}/"
    base = f"{shapes.COMMON}/{path.removeprefix(shared)}" if path.startswith(shared) else f"{folder}/{path or document}"
    return f"{base}#{fragment.removeprefix(PARTS[1:])}" if fragment else base


def prefix_of(key: Key) -> str:
    """The owner of a schema: the game as in a class name, "" if all games share it."""
    folder = key.partition("/")[0]
    return "" if folder == shapes.COMMON else pascal(folder)


@cache
def name_of(key: Key) -> str:
    """The name of the component."""
    document, _, part = key.partition("/")[2].partition("#")
    if document == TOKENS:
        return prefix_of(key) + (pascal(part) or "Token")
    return prefix_of(key) + pascal(document) + pascal(part)


# --- plain schemas ---------------------------------------------------------------------------------------------------


def plain(schema: Node) -> Node:
    """A schema in which references have only annotations as siblings."""
    made: Node = mapped(schema, plainer)
    return made


def plainer(node: Node) -> Node:
    """A simplified schema, whose parts are simplified already."""
    flat = {name: member for name, member in node.items() if name != "title"}
    if "const" in flat:
        flat = {"type": type_of_value(flat["const"]), **flat}
    if "enum" in flat:
        flat = {"type": type_of_value(flat["enum"][0]), **flat}
    if "$ref" not in flat or set(flat) <= {"$ref", *ANNOTATIONS}:
        return flat
    refined = {name: member for name, member in flat.items() if name != "$ref"}
    return conjunction(plain(schemas()[flat["$ref"]]), refined)


def type_of_value(value: Any) -> str:
    return {str: "string", int: "integer", bool: "boolean"}[type(value)]


def conjunction(base: Node, refined: Node) -> Node:
    """The conjunction of two schemas; the second refines the first."""
    if "$ref" in refined:
        assert refines(refined["$ref"], base), (base, refined)
        return {**{name: base[name] for name in base.keys() & ANNOTATIONS}, **refined}
    if "$ref" in base:
        target = conjunction(plain(schemas()[base["$ref"]]), refined)
        target |= {name: base[name] for name in base.keys() & ANNOTATIONS}
        return {**target, MADE_OF: base["$ref"]}
    merged = {name: member for name, member in base.items() if name != "examples"}
    for name, member in refined.items():
        merged[name] = conjunction_of_values(name, base[name], member) if name in merged else member
    return merged


def conjunction_of_values(name: str, base: Any, refined: Any) -> Any:
    """The conjunction of two values of the same keyword."""
    if name in ANNOTATIONS:
        return refined
    if name == "properties":
        return {
            inner: conjunction(base[inner], refined[inner])
            if inner in base and inner in refined
            else refined.get(inner) or base[inner]
            for inner in [*base, *(inner for inner in refined if inner not in base)]
        }
    if name == "required":
        return [*base, *(inner for inner in refined if inner not in base)]
    if name == "items":
        return conjunction(base, refined)
    if name in LEAST:
        return LEAST[name](base, refined)
    assert base == refined, f"{name} occurs twice with different schemas: {base}, {refined}"
    return base


def refines(key: Key, base: Node) -> bool:
    """Whether the schema at `key` refines `base`."""
    values = plain(schemas()[key]).get("enum", ())
    return base.get("$ref") in with_refined(key) or (
        bool(values) and all(map(Draft202012Validator(base).is_valid, values))
    )


def with_refined(key: Key) -> tuple[Key, ...]:
    """The schema at `key` and all schemas it refines."""
    above: Key | None = schemas()[key].get("$ref")
    return (key, *with_refined(above)) if above else (key,)


# --- components ------------------------------------------------------------------------------------------------------


def hoisted(name: str, schema: Node, prefix: str) -> dict[str, Node]:
    """A component, and the objects in it as separate components."""
    found: dict[str, Node] = {}

    def lifted(node: Any, way: str, *, of_list: bool = False) -> Any:
        if isinstance(node, list):
            return [lifted(item, way) for item in node]
        if not isinstance(node, dict):
            return node
        inner: Node = {}
        for member, value in node.items():
            if member == "properties":
                inner[member] = {one: lifted(part, way + pascal(one)) for one, part in value.items()}
            elif member in ("items", "additionalProperties", "anyOf", "oneOf"):
                inner[member] = lifted(value, way, of_list=member == "items")
            else:
                inner[member] = value
        made_of = inner.pop(MADE_OF, None)
        if "properties" not in inner or way == name:
            return inner
        named = prefix + name_of(made_of) if made_of and not name_of(made_of).startswith(prefix or "/") else way
        own = named.removesuffix("s") if of_list and not made_of else named
        assert own not in found
        found[own] = inner
        return schema_component(own)

    found = {name: lifted(schema, name), **found}
    return found


def discriminated(schema: Node, components: Mapping[str, Node]) -> Node:
    """A union with a discriminator, if its alternatives are objects with a constant `type`."""
    references = [one.get("$ref", "") for one in schema.get("oneOf", [])]
    alternatives = [components.get(reference.rpartition("/")[2], {}) for reference in references]
    types = [one.get("properties", {}).get("type", {}).get("const") for one in alternatives]
    if not types or None in types:
        return schema
    assert all("type" in one["required"] for one in alternatives)
    assert len(set(types)) == len(types)
    return {**schema, "discriminator": {"propertyName": "type", "mapping": dict(zip(types, references, strict=True))}}


@cache
def components(games: tuple[str, ...]) -> dict[str, Node]:
    """Every schema of these games, and those that all games share, as a component by its name."""
    found: dict[str, Node] = {}
    for key, schema in schemas().items():
        if key.partition("/")[0] not in (shapes.COMMON, *games):
            continue
        flat = plain(schema)
        flat.pop(MADE_OF, None)
        for name, part in hoisted(name_of(key), flat, prefix_of(key)).items():
            assert name not in found, f"two schemas are called {name}"
            found[name] = with_names(part)
    return {name: mapped(schema, partial(discriminated, components=found)) for name, schema in found.items()}


def with_names(schema: Node) -> Node:
    """A schema that refers to components by name; a reference is either still a key, or made by `hoisted`."""

    def change(node: Node) -> Node:
        reference = node.get("$ref")
        if reference is None or reference.startswith("#"):
            return node
        return {**node, **schema_component(name_of(reference))}

    changed: Node = mapped(schema, change)
    return changed


def reachable(roots: Any, known: Mapping[str, Node]) -> dict[str, Node]:
    """The components that `roots` refer to, directly or indirectly, in the order of `known`."""
    wanted: set[str] = set()
    waiting = list(references(roots))
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += references(known[name])
    return {name: schema for name, schema in known.items() if name in wanted}


def part(reference: str) -> Node:
    """The schema that `openapi.yaml` refers to: a component, or what a file says at a JSON Pointer.

    "schemas/palazzo/move.json" is a reference to PalazzoMove.
    """
    key, _, place = reference.removeprefix(FILES).partition(f"{SUFFIX}#")
    if not place:
        return schema_component(name_of(key.removesuffix(SUFFIX)))
    found: Any = schemas()[key]
    for name in place.split("/")[1:]:
        found = found[name]
    schema = with_names(plain(found))
    schema.pop(MADE_OF, None)
    return schema
