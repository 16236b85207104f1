"""Compares schemas with types, with tables of facts about the box and the code, and with documents in use.

Each comparison yields its differences as sentences, and marks the keywords that it has compared.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple, get_origin

from msgspec import NODEFAULT
from msgspec.inspect import (
    AnyType,
    BoolType,
    DictType,
    EnumType,
    Field,
    IntType,
    ListType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
)

from capomastro.documents.shapes import COMMON
from capomastro.engine.events import Event
from tests.support.documents import as_document
from tests.support.facts import Facts, can_be_anything, facts_of, is_free, names_at, tokens_at
from tests.support.schema_reading import Node, Schemas, json_type

Differences = Iterator[str]

# --- types -----------------------------------------------------------------------------------------------------------

WRITTEN_AS = {
    StructType: "object",
    DictType: "object",
    VarTupleType: "array",
    ListType: "array",
    TupleType: "array",
    StrType: "string",
    EnumType: "string",
    IntType: "integer",
    BoolType: "boolean",
    NoneType: "null",
}


def written_as(kind: Type) -> set[str]:
    """The JSON types of a Python type."""
    if isinstance(kind, UnionType):
        return {name for one in kind.types for name in written_as(one)}
    if isinstance(kind, LiteralType):
        return {json_type(value) for value in kind.values}
    return {WRITTEN_AS[type(kind)]}


def type_differences(kind: Type, node: Node, at: str, closed: bool) -> Differences:
    """The differences between a type and a schema; `closed`: the schema has to refuse unknown members."""
    if isinstance(kind, Metadata):
        kind = kind.type
    if isinstance(kind, AnyType):
        return
    if not node.layers:
        yield f"{at}: not in the schema"
        return
    tagged = {one.tag: one for one in members_of(kind) if isinstance(one, StructType) and one.tag is not None}
    if tagged and (isinstance(kind, UnionType) or node.has("oneOf")):
        yield from choice_differences(tagged, node, at, closed)
    elif node.has("anyOf"):
        yield from branch_differences(members_of(kind), node, at, closed)
    elif node.types() != written_as(kind):
        yield f"{at}: {sorted(node.types())} in the schema, {sorted(written_as(kind))} in the type"
    else:
        for one in members_of(kind):
            yield from structure_differences(one, node, at, closed)


def members_of(kind: Type) -> tuple[Type, ...]:
    return kind.types if isinstance(kind, UnionType) else (kind,)


def choice_differences(tagged: Mapping[Any, StructType], node: Node, at: str, closed: bool) -> Differences:
    """The differences between a union of tagged structs and a `oneOf` with its branches under their tags."""
    branches = {str(branch.layers[1]).rpartition("/")[2]: branch for branch in node.branches("oneOf")}
    if branches.keys() != tagged.keys():
        yield f"{at}: the types {sorted(branches.keys() ^ tagged.keys())} are only on one side"
    for tag in branches.keys() & tagged.keys():
        yield from type_differences(tagged[tag], branches[tag], f"{at}<{tag}>", closed)


def branch_differences(kinds: tuple[Type, ...], node: Node, at: str, closed: bool) -> Differences:
    """The types without a matching branch of `anyOf`, and the branches without a matching type."""
    branches = node.branches("anyOf")
    found = [[list(type_differences(kind, branch, at, closed)) for branch in branches] for kind in kinds]
    for by_branch in found:
        if all(by_branch):
            yield from min(by_branch, key=len)
    for index, branch in enumerate(branches):
        if all(by_branch[index] for by_branch in found):
            yield f"{at}: nothing in the type is as {branch}"


def structure_differences(kind: Type, node: Node, at: str, closed: bool) -> Differences:
    """Compares the contents of an object, an array or a list of values of the right JSON type."""
    match kind:
        case StructType():
            yield from struct_differences(kind, node, at, closed)
        case VarTupleType() | ListType():
            yield from type_differences(kind.item_type, node.within("items"), f"{at}[]", closed)
        case TupleType():
            if (node.says("minItems"), node.says("maxItems")) != (len(kind.item_types),) * 2:
                yield f"{at}: not exactly {len(kind.item_types)} items"
            for index, item in enumerate(kind.item_types):
                yield from type_differences(item, node.within("items"), f"{at}[{index}]", closed)
        case DictType() if not isinstance(kind.value_type, AnyType):
            further = node.says("additionalProperties")
            node.says("propertyNames")  # a table of tokens has the values
            if closed and further is not False and not isinstance(further, dict):
                yield f"{at}: open"
            if isinstance(further, dict):
                yield from type_differences(kind.value_type, node.within("additionalProperties"), f"{at}.*", closed)
            for name, member in node.members().items():
                yield from type_differences(kind.value_type, member, f"{at}.{name}", closed)
        case StrType() if node.values() is None and not is_free(node.identity):
            yield f"{at}: any text"
        case LiteralType():
            yield from listed_differences(kind.values, node, at)
        case EnumType():
            yield from listed_differences([one.value for one in kind.cls], node, at)


def listed_differences(expected: Collection[Any], node: Node, at: str) -> Differences:
    values = node.says("enum") or [node.says("const")]
    if sorted(values, key=str) != sorted(expected, key=str):
        yield f"{at}: the values {values} in the schema, {list(expected)} in the type"


def struct_differences(kind: StructType, node: Node, at: str, closed: bool) -> Differences:
    members = node.members()
    fields = {field.encode_name: field for field in kind.fields}
    expected = fields.keys() | ({kind.tag_field} if kind.tag_field else set())
    struct = get_origin(kind.cls) or kind.cls  # results are generic
    expected |= {"text"} if issubclass(struct, Event) else set()  # answers describe events on request
    for name in sorted(expected ^ members.keys()):
        yield f"{at}.{name}: only in the {'schema' if name in members else 'type'}"
    if kind.tag_field in members and members[str(kind.tag_field)].every("const") != [kind.tag]:
        yield f"{at}.{kind.tag_field}: not {kind.tag}"
    required = {name for name, field in fields.items() if field.required} | (expected - fields.keys() - {"text"})
    if required != node.required():
        yield f"{at}: required are {sorted(required ^ node.required())} only on one side"
    if node.every("additionalProperties") != ([False] if closed else []):
        yield f"{at}: {'open' if closed else 'closed'}"
    for name in fields.keys() & members.keys():
        yield from type_differences(absent_rather_than_null(fields[name]), members[name], f"{at}.{name}", closed)
        if closed and name not in required:
            yield from default_differences(fields[name], members[name], f"{at}.{name}")


def absent_rather_than_null(field: Field) -> Type:
    """The type of an optional field whose default None means that the member is absent."""
    if field.default is None and isinstance(field.type, UnionType):
        rest = tuple(one for one in field.type.types if not isinstance(one, NoneType))
        return rest[0] if len(rest) == 1 else UnionType(rest)
    return field.type


def default_differences(field: Field, member: Node, at: str) -> Differences:
    default = field.default_factory() if field.default_factory is not NODEFAULT else field.default
    expected = [] if default is None or default is NODEFAULT else [as_document(default)]  # UNSET counts as none
    if member.every("default") != expected:
        yield f"{at}: the default is {member.every('default')} in the schema, {expected} in the type"


# --- tables ----------------------------------------------------------------------------------------------------------

BOUNDS = {"minimum", "maximum", "minItems", "maxItems", "uniqueItems", "minLength", "maxLength", "pattern"}
BOUNDS |= {"minProperties", "maxProperties", "format", "dependentRequired"}
"""Keywords that tables have; of those that say more than a number there are only a few."""

NAMING_THEIR_GAME = ("state", "record", "scoresheet")


def table_differences(folder: str, schemas: Schemas) -> Differences:
    """The differences between the schemas of a folder and its tables."""
    facts = facts_of(folder)
    yield from bound_differences(folder, facts, schemas)
    own_name = {f"{document}.json#/properties/game": [folder] for document in NAMING_THEIR_GAME if folder != COMMON}
    for place, tokens in (own_name | {**facts.tokens}).items():
        node = standing_at(f"{folder}/{place}", schemas)
        listed = node and (node.says("enum") or node.every("const"))
        if listed != list(tokens):
            yield f"{place}: {listed} in the schema, {list(tokens)} in the box"
    for place, (names, required) in facts.names.items():
        node = standing_at(f"{folder}/{place}", schemas)
        members = node and [*(node.says("properties") or ())]
        if members != list(names):
            yield f"{place}: the members {members} in the schema, {list(names)} in the box"
        if node and node.required() != set(required):
            yield f"{place}: {sorted(node.required())} are required"


def bound_differences(folder: str, facts: Facts, schemas: Schemas) -> Differences:
    there = {}
    for part in schemas.parts():
        if part.file.startswith(f"{folder}/") and part.schema.keys() & BOUNDS:
            there[str(part).removeprefix(f"{folder}/")] = part
    for place, part in there.items():
        tabled = BOUNDS | facts.bounds.get(place, {}).keys()
        bounds = {keyword: value for keyword, value in part.schema.items() if keyword in tabled}
        if place not in facts.bounds:
            yield f"{place}: {bounds} follows from nothing"
        elif bounds != facts.bounds[place]:
            yield f"{place}: {bounds} in the schema, {facts.bounds[place]} in the box"
        schemas.compare(part, *bounds)
    yield from (f"{place}: no bounds" for place in facts.bounds.keys() - there.keys())


def standing_at(place: str, schemas: Schemas) -> Node | None:
    """The schema at a place itself, without those it refers to; None if there is none."""
    try:
        return Node(schemas, (schemas.part(place),))
    except (KeyError, IndexError):
        return None


def box_differences(folder: str, components: Mapping[str, Mapping[str, int]], schemas: Schemas) -> Differences:
    """The differences between `tokens.json` and the components of the game."""
    facts = facts_of(folder)
    if facts.box.keys() != components.keys():
        yield f"the groups {sorted(facts.box.keys() ^ components.keys())} are only on one side"
    for group in facts.box.keys() & components.keys():
        name = facts.box[group]
        if name is not None:
            tokens = [str(token) for token in offered(schemas.part(f"{folder}/tokens.json#/$defs/{name}").schema)]
            if sorted(tokens) != sorted(components[group]):
                yield f"{group}: {tokens} in the schema, {[*components[group]]} in the box"
    named = [name for name in (*facts.box.values(), *facts.places) if name is not None]
    branches = schemas.node(f"{folder}/tokens.json#").branches("anyOf")
    if sorted(str(branch.layers[-1]).rpartition("/")[2] for branch in branches) != sorted(named):
        yield f"tokens.json offers other kinds of tokens than {named}"


def offered(schema: Mapping[str, Any]) -> list[Any]:
    """The tokens of one kind."""
    if schema.get("type") == "integer":
        return list(range(schema.get("minimum", 0), schema.get("maximum", 0) + 1))
    return list(schema["enum"]) if "enum" in schema else [schema.get("const")]


# --- documents in use ------------------------------------------------------------------------------------------------


class Seen:
    """What occurred at each place of the documents seen: members of objects, types of values, and texts.

    `by_type`: values with a `type` are distinguished by it, as `at<type>`.
    """

    def __init__(self, by_type: bool) -> None:
        self.by_type = by_type
        self.members: dict[str, set[frozenset[str]]] = {}
        self.values: dict[str, set[tuple[str, Any]]] = {}

    def look(self, document: Any, at: str) -> None:
        """Adds a document, or a part of one, that occurred at a place."""
        kind = json_type(document)
        if self.by_type and kind == "object" and "type" in document:
            at = f"{at}<{document['type']}>"
        self.values.setdefault(at, set()).add((kind, document if kind == "string" else None))
        if isinstance(document, dict):
            self.members.setdefault(at, set()).add(frozenset(document))
            for name, member in document.items():
                self.look(member, f"{at}/{name}")
        elif isinstance(document, list):
            for item in document:
                self.look(item, f"{at}/*")

    def tags(self, at: str) -> set[str]:
        """The types of the objects at a place."""
        return {place[len(at) + 1 : -1] for place in self.values if place.startswith(f"{at}<") and place.endswith(">")}


class Use(NamedTuple):
    """A schema, and everything seen of it, wherever it occurs in documents."""

    node: Node
    places: list[str]


class Uses:
    """The schemas that documents use: for values of any type, and for objects with members."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.values: dict[str, Use] = {}
        self.objects: dict[str, Use] = {}
        self.differences: list[str] = []

    def walk(self, node: Node, at: str) -> None:
        """Collects what was seen of a schema and of those within it, beginning at a place."""
        if node.has("oneOf"):
            self.walk_choice(node, at)
            return
        if at not in self.seen.values:
            return
        self.values.setdefault(node.identity, Use(node, [])).places.append(at)
        branches = node.branches("anyOf") or [node]
        for branch in branches:
            if "array" in branch.types() and branch.has("items"):
                self.walk(branch.within("items"), f"{at}/*")
        objects = [branch for branch in branches if "object" in branch.types()]
        if len(objects) == 1 and at in self.seen.members:
            self.walk_members(objects[0], at)

    def walk_choice(self, node: Node, at: str) -> None:
        by_tag = {branch.within("properties", "type").says("const"): branch for branch in node.branches("oneOf")}
        seen = self.seen.tags(at)
        self.differences += [f"{at}<{tag}>: not in the schema" for tag in sorted(seen - by_tag.keys())]
        self.differences += [f"{at}<{tag}>: never there" for tag in sorted(by_tag.keys() - seen)]
        for tag, branch in by_tag.items():
            self.walk(branch, f"{at}<{tag}>")

    def walk_members(self, node: Node, at: str) -> None:
        self.objects.setdefault(node.identity, Use(node, [])).places.append(at)
        members = node.members()
        for name, member in members.items():
            self.walk(member, f"{at}/{name}")
        if isinstance(node.says("additionalProperties"), dict):
            node.says("propertyNames")  # a table of tokens has the values
            for name in frozenset.union(*self.seen.members[at]) - members.keys():
                self.walk(node.within("additionalProperties"), f"{at}/{name}")


def use_differences(seen: Seen, roots: Mapping[str, Node], folder: str) -> Differences:
    """The differences between the schemas of a folder and the documents seen; `roots` by kind of document."""
    uses = Uses(seen)
    for name, node in roots.items():
        uses.walk(node, name)
    yield from uses.differences
    for place, use in uses.values.items():
        if place.startswith(f"{folder}/"):
            yield from value_differences(use.node, place, {value for at in use.places for value in seen.values[at]})
            objects = [branch for branch in use.node.branches("anyOf") if "object" in branch.types()]
            if len(objects) > 1:
                yield from kind_differences(objects, place, {names for at in use.places for names in seen.members[at]})
    for place, use in uses.objects.items():
        if place.startswith(f"{folder}/"):
            answers = not any(at.startswith(CLOSED) and not at.startswith(CLAIMED) for at in use.places)
            members = {names for at in use.places for names in seen.members[at]}
            yield from member_differences(use.node, place, members, answers)
        elif is_free(place):
            yield f"{use.places[0]}: any members"
        else:
            yield from further_members(
                use.node, use.places[0], {names for at in use.places for names in seen.members[at]}
            )


CLOSED = ("move", "values", "record", "stage", "tags")
"""How the places in documents begin that clients send."""
CLAIMED = "record/result"
"""A result that was answered before, which later versions may have added members to."""


def value_differences(node: Node, place: str, values: set[tuple[str, Any]]) -> Differences:
    """The differences in types, in texts that are not listed, and in listed texts not seen (unless a table says so)."""
    branches = node.branches("anyOf") or [node]
    allowed = {kind for branch in branches for kind in branch.types()}
    types = {kind for kind, _ in values}
    if allowed != types and not (can_be_anything(place) and not allowed):
        yield f"{place}: {sorted(types)} are seen, {sorted(allowed)} in the schema"
    if any("array" in branch.types() and not branch.has("items") for branch in branches):
        yield f"{place}: any items"
    listed = [branch.values() for branch in branches if "string" in branch.types()]
    if None in listed and not is_free(place):
        yield f"{place}: any text"
    if not listed or None in listed:
        return
    texts = {value for kind, value in values if kind == "string"}
    for where, tokens in filter(None, listed):
        if tokens_at(where) is not None:
            if not texts.intersection(tokens):
                yield f"{place}: none of {where} is ever seen"
        else:
            for branch in branches:
                branch.every("enum")
                branch.every("const")
            if set(tokens) - texts:
                yield f"{place}: {sorted(set(tokens) - texts)} are never seen"
    further = texts - {token for _, tokens in filter(None, listed) for token in tokens}
    if further:
        yield f"{place}: {sorted(further)[:5]} are not in the schema"


def member_differences(node: Node, place: str, seen: set[frozenset[str]], answers: bool) -> Differences:
    present, always = frozenset.union(*seen), frozenset.intersection(*seen)
    members, required = node.members(), node.required()
    further = node.every("additionalProperties")
    if bool(further) == answers or True in further:
        yield f"{place}: {'closed' if further else 'open'}"
    if not is_free(place):
        yield from further_members(node, place, seen)
    yield from (f"{place}: {name} is required, and not always there" for name in sorted(required - always))
    own = {name for name in declared_in(place.partition("/")[0], node) if not members[name].has("default")}
    yield from (f"{place}: {name} is never there" for name in sorted(own - present))
    yield from (f"{place}: {name} is always there, and not required" for name in sorted((always & own) - required))


def further_members(node: Node, place: str, seen: set[frozenset[str]]) -> Differences:
    if not isinstance(node.says("additionalProperties"), dict):
        further = frozenset.union(*seen) - node.members().keys()
        yield from (f"{place}: {name} is not in the schema" for name in sorted(further))


def declared_in(folder: str, node: Node) -> set[str]:
    """The members that the schemas of a folder declare for an object, without other folders' and those in tables."""
    own = [layer for layer in node.layers if layer.file.startswith(f"{folder}/") and names_at(str(layer)) is None]
    return {name for layer in own for name in layer.schema.get("properties", ())}


def kind_differences(branches: list[Node], place: str, seen: set[frozenset[str]]) -> Differences:
    """The differences in kinds of objects, recognised by their members; each kind's contents are compared elsewhere."""
    for branch in branches:
        members, required = branch.members().keys(), branch.required()
        if not any(required <= names <= members for names in seen):
            yield f"{place}: nothing is as {branch}"
