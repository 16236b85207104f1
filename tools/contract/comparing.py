"""Finds the changes in a newer specification that break clients of an older one.

A request breaks if something accepted before may be refused; an answer breaks if something promised may be missing, or
if something unexpected may come. Further members of answers, further operations and further optional members of
requests break nothing, nor do wider bounds. Bounds of answers are not compared: no client depends on the maximum length
of a list.

Schemas are compared by what they allow, whatever their names: a renamed component is the same. Operations keep their
ids, which are the names of a client's methods.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from json import dumps
from typing import Any, Literal, NamedTuple

Node = dict[str, Any]
Direction = Literal["request", "answer"]

GAME = re.compile(r"^(/v1/games/)[a-z][a-z-]*(?=/|$)")
CHILDREN = {
    "items": "[]",
    "additionalProperties": ".*",
    "propertyNames": ": the name of a member",
    "contentSchema": "",
}
"""The keywords with one schema, and how the place of its values is called."""
METHODS = ("get", "post", "put", "patch", "delete")
UNIONS = ("oneOf", "anyOf")
LOWER = ("minimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "maxLength", "maxItems", "maxProperties")
PROSE = frozenset({"description", "summary", "title", "examples", "example", "links"})
TYPES = {str: "string", bool: "boolean", int: "integer", type(None): "null", list: "array", dict: "object"}


def without_prose(value: Any) -> Any:
    """A specification without prose. Members of documents that happen to have the name of such a keyword are kept."""
    if isinstance(value, list):
        return [without_prose(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: without_prose(item) for name, item in inner.items()}
        if _has_names(key, inner)
        else without_prose(inner)
        for key, inner in value.items()
        if key not in PROSE
    }


def _has_names(key: str, inner: Any) -> bool:
    return key in {"properties", "schemas", "$defs"} and isinstance(inner, dict)


class Specification:
    """A specification in one piece, whose references are followed."""

    def __init__(self, document: Node) -> None:
        self.document = document

    def at(self, reference: str) -> Node:
        node: Any = self.document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
        found: Node = node
        return found

    def followed(self, node: Node) -> Node:
        """A node merged with the target of its reference and with every schema in its `allOf`."""
        while "$ref" in node or "allOf" in node:
            beside = {key: value for key, value in node.items() if key not in {"$ref", "allOf"}}
            parts = [self.at(node["$ref"])] if "$ref" in node else []
            node = _merged([*map(self.followed, [*parts, *node.get("allOf", ())]), beside])
        return node

    @cached_property
    def operations(self) -> Mapping[tuple[str, str], Node]:
        """By path, without the names of its parameters, and method."""
        return {
            (re.sub(r"\{\w+\}", "{}", path), method): operation
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
            if method in METHODS
        }


def _merged(parts: list[Node]) -> Node:
    """The parts as one schema: the members of all of them; other keywords from the last part that has them."""
    merged: Node = {}
    for part in parts:
        for key, value in part.items():
            if key == "properties":
                known = merged.get(key, {})
                merged[key] = known | {
                    name: {"allOf": [known[name], item]} if name in known else item for name, item in value.items()
                }
            elif key in {"items", "additionalProperties"} and isinstance(merged.get(key), dict):
                merged[key] = {"allOf": [merged[key], value]} if isinstance(value, dict) else value
            elif key == "required" and isinstance(value, list):
                merged[key] = [*merged.get(key, []), *value]
            else:
                merged[key] = value
    return merged


def _game_in(path: str) -> tuple[str, str]:
    """The folder of the game in a path, and the placeholder for that of any game."""
    found = GAME.match(path)
    return (found[0], f"{found[1]}{{game}}") if found else (path, path)


class Pair(NamedTuple):
    """A schema of the older specification, and the one in its place in the newer."""

    old: Node
    new: Node


class Comparison:
    """The breaking changes between two specifications; each pair of schemas is compared once in each direction."""

    def __init__(self, old: Node, new: Node) -> None:
        self.old = Specification(old)
        self.new = Specification(new)
        self._seen: set[tuple[str, str, Direction]] = set()

    # --- operations --------------------------------------------------------------------------------------------------

    def breaking(self) -> Iterator[str]:
        """A sentence for each change; games that share one share its sentence."""
        for (path, method), old in self.old.operations.items():
            name = f"{method.upper()} {path}".replace(*_game_in(path))
            new = self.new.operations.get((path, method))
            if new is None:
                yield f"{name} is gone"
                continue
            if "operationId" in old and new.get("operationId") != old["operationId"]:
                yield f"{name}: the operation is called {new.get('operationId')} now, {old['operationId']} before"
            if self._security(self.new, new) and not self._security(self.old, old):
                yield f"{name}: credentials are asked for now"
            yield from self._parameters(name, old, new)
            bodies = old.get("requestBody", {}), new.get("requestBody", {})
            if bodies[1].get("required") and not bodies[0].get("required"):
                yield f"{name}: a body is required now"
            yield from self._contents(f"{name}: request", *bodies, "request")
            for status, response in old["responses"].items():
                is_success = status.startswith("2")
                if status in new["responses"]:
                    answers = self.old.followed(response), self.new.followed(new["responses"][status])
                    yield from self._headers(f"{name}: {status}", *answers)
                    yield from self._contents(f"{name}: answer" if is_success else "problems", *answers, "answer")
                elif is_success:
                    yield f"{name}: {status} is gone"

    @staticmethod
    def _security(specification: Specification, operation: Node) -> list[Node]:
        found: list[Node] = {**specification.document, **operation}.get("security", [])
        return found

    def _headers(self, at: str, old: Node, new: Node) -> Iterator[str]:
        before, after = old.get("headers", {}), new.get("headers", {})
        for name, header in before.items():
            if name not in after:
                yield f"{at}: the header {name} is gone"
            elif self.old.followed(header).get("required") and not self.new.followed(after[name]).get("required"):
                yield f"{at}: the header {name} may be absent now"

    def _parameters(self, name: str, old: Node, new: Node) -> Iterator[str]:
        before, after = self._by_name(self.old, old), self._by_name(self.new, new)
        for key, parameter in after.items():
            if parameter.get("required") and not before.get(key, {}).get("required"):
                yield f"{name}: the parameter {key} is required now"
        for key, parameter in before.items():
            if key not in after:
                yield f"{name}: the parameter {key} is gone"
            elif "schema" in parameter:
                pair = Pair(parameter["schema"], after[key]["schema"])
                yield from self._schemas(f"{name}: the parameter {key}", pair, "request")

    @staticmethod
    def _by_name(specification: Specification, operation: Node) -> dict[str, Node]:
        """Parameters by name and place; those in the path by place only, because clients do not see their names."""
        followed = [specification.followed(parameter) for parameter in operation.get("parameters", ())]
        in_path = [parameter for parameter in followed if parameter["in"] == "path"]
        return {f"{number} in the path": parameter for number, parameter in enumerate(in_path, 1)} | {
            f"{parameter['name']} in the {parameter['in']}": parameter
            for parameter in followed
            if parameter["in"] != "path"
        }

    def _contents(self, at: str, old: Node, new: Node, direction: Direction) -> Iterator[str]:
        for media_type, content in old.get("content", {}).items():
            if media_type not in new.get("content", {}):
                yield f"{at}: {media_type} is gone"
            elif "schema" in content:
                yield from self._schemas(at, Pair(content["schema"], new["content"][media_type]["schema"]), direction)

    # --- schemas -----------------------------------------------------------------------------------------------------

    def _schemas(self, at: str, pair: Pair, direction: Direction) -> Iterator[str]:
        key = (_key(pair.old), _key(pair.new), direction)
        if key in self._seen:
            return
        self._seen.add(key)
        yield from self.differences(at, Pair(self.old.followed(pair.old), self.new.followed(pair.new)), direction)

    def differences(self, at: str, pair: Pair, direction: Direction) -> Iterator[str]:
        if any(union in schema for schema in pair for union in UNIONS):
            yield from self._unions(at, pair, direction)
            return
        yield from _types(at, pair, direction)
        yield from _values(at, pair, direction)
        if direction == "request":
            yield from _bounds(at, pair)
        yield from self._members(at, pair, direction)
        for keyword, place in CHILDREN.items():
            yield from self._children(f"{at}{place}", keyword, pair, direction)
        if "default" in pair.old and pair.new.get("default", ...) != pair.old["default"]:
            stated = dumps(pair.new["default"]) if "default" in pair.new else "not said"
            yield f"{at}: the default is {stated} now, {dumps(pair.old['default'])} before"
        for number, items in enumerate(
            zip(pair.old.get("prefixItems", ()), pair.new.get("prefixItems", ()), strict=False)
        ):
            yield from self._schemas(f"{at}[{number}]", Pair(*items), direction)

    def _children(self, at: str, keyword: str, pair: Pair, direction: Direction) -> Iterator[str]:
        """Compares a keyword with one schema; without it, or with `true`, anything is allowed."""
        before, after = (schema.get(keyword, True) for schema in pair)
        narrow, wide = (before, after) if direction == "request" else (after, before)
        if narrow is False or wide in (True, {}):
            return
        if wide is False:
            if direction == "request":
                yield f"{at} is not allowed any more"
        elif narrow is True and direction == "answer":
            yield f"{at} can be anything now"
        else:
            yield from self._schemas(
                at, Pair({} if before is True else before, {} if after is True else after), direction
            )

    def _members(self, at: str, pair: Pair, direction: Direction) -> Iterator[str]:
        old, new = pair
        before, after = old.get("properties", {}), new.get("properties", {})
        must, must_now = set(old.get("required", ())), set(new.get("required", ()))
        for name in before:
            if name not in after:
                if direction == "answer" or new.get("additionalProperties") is False:
                    yield f"{at}.{name} is gone"
            else:
                yield from self._schemas(f"{at}.{name}", Pair(before[name], after[name]), direction)
        if direction == "request":
            yield from (f"{at}.{name} is required now" for name in sorted(must_now - must))
        else:
            yield from (f"{at}.{name} may be absent now" for name in sorted(must - must_now) if name in after)

    def _unions(self, at: str, pair: Pair, direction: Direction) -> Iterator[str]:
        """Each kind of the narrower side has to be one of the wider side: found by its `type`, or by trying all."""
        old, new = self._kinds(self.old, pair.old), self._kinds(self.new, pair.new)
        narrow, wide = (old, new) if direction == "request" else (new, old)
        for kind in narrow:
            tag = _tag(kind)
            matches = [other for other in wide if _tag(other) == tag] if tag else wide
            if not matches:
                yield f"{at}[{tag}] is {'gone' if direction == 'request' else 'new'}"
            elif tag:
                yield from self._schemas(f"{at}[{tag}]", _ordered(kind, matches[0], direction), direction)
            else:
                tried = [self._apart(at, _ordered(kind, other, direction), direction) for other in matches]
                if all(tried):
                    yield from min(tried, key=len)
        if direction == "answer":
            yield from self._kinds_gone(at, old, new)

    def _kinds_gone(self, at: str, old: list[Node], new: list[Node]) -> Iterator[str]:
        """The kinds of objects that answers no longer have: a client would wait for them in vain."""
        tags = set(map(_tag, new))
        for kind in old:
            if tag := _tag(kind):
                if tag not in tags:
                    yield f"{at}[{tag}] is gone"
            elif "properties" in kind and all(self._apart(at, Pair(kind, other), "answer") for other in new):
                yield f"{at}[{', '.join(kind['properties'])}] is gone"

    def _apart(self, at: str, pair: Pair, direction: Direction) -> list[str]:
        """The differences of two schemas, even if they have been compared before."""
        return list(Comparison(self.old.document, self.new.document).differences(at, pair, direction))

    @staticmethod
    def _kinds(specification: Specification, schema: Node) -> list[Node]:
        for union in UNIONS:
            if union in schema:
                beside = {key: value for key, value in schema.items() if key not in {union, "discriminator"}}
                return [
                    kind
                    for branch in schema[union]
                    for kind in Comparison._kinds(specification, specification.followed(_merged([beside, branch])))
                ]
        return [schema]


def _key(schema: Node) -> str:
    return str(schema["$ref"]) if schema.keys() == {"$ref"} else dumps(schema, sort_keys=True)


def _ordered(narrow: Node, wide: Node, direction: Direction) -> Pair:
    return Pair(narrow, wide) if direction == "request" else Pair(wide, narrow)


def _tag(schema: Node) -> str:
    """The `type` that tells an object from others; "" without one."""
    constant = schema.get("properties", {}).get("type", {}).get("const", "")
    return str(constant)


def _values_of(schema: Node) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    found: list[Any] | None = schema.get("enum")
    return found


def _types_of(schema: Node) -> set[str]:
    """The types a value can have; all types if the schema has no `type`."""
    values = _values_of(schema)
    if values is not None:
        return {TYPES[type(value)] for value in values}
    stated = schema.get("type")
    if stated is None:
        return {"object"} if "properties" in schema else set(TYPES.values())
    return {stated} if isinstance(stated, str) else set(stated)


def _types(at: str, pair: Pair, direction: Direction) -> Iterator[str]:
    before, after = map(_types_of, pair)
    if direction == "request":
        yield from (f"{at} cannot be of type {type} any more" for type in sorted(before - after))
    else:
        yield from (f"{at} can be of type {type} now" for type in sorted(after - before))


def _values(at: str, pair: Pair, direction: Direction) -> Iterator[str]:
    before, after = map(_values_of, pair)
    if direction == "request" and after is not None:
        if before is None:
            yield f"{at} can be only one of {len(after)} values now"
        else:
            yield from (f"{at} cannot be {value!r} any more" for value in before if value not in after)
    if direction == "answer" and before is not None:
        if after is None:
            yield f"{at} can be any value now"
        else:
            yield from (f"{at} can be {value!r} now" for value in after if value not in before)


def _bounds(at: str, pair: Pair) -> Iterator[str]:
    old, new = pair
    for keyword in (*LOWER, *UPPER):
        if keyword in new:
            before, after = old.get(keyword), new[keyword]
            is_narrower = before is None or (after > before if keyword in LOWER else after < before)
            if is_narrower and not (keyword in LOWER and after == 0):
                yield f"{at}: {keyword} is {after} now, {'nothing' if before is None else before} before"
    if "pattern" in new and new["pattern"] != old.get("pattern"):
        yield f"{at}: the pattern is another one now"
    if new.get("uniqueItems") and not old.get("uniqueItems"):
        yield f"{at}: items have to be unique now"


def breaking(old: Node, new: Node) -> tuple[str, ...]:
    """All changes that break clients, in the order of the operations, each once."""
    return tuple(dict.fromkeys(Comparison(old, new).breaking()))
