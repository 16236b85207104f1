"""The JSON Schema of a request body, or of the parameters of a query, as apispec makes it of Marshmallow's fields."""

from collections.abc import Callable
from inspect import getdoc
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow.validate import Regexp
from tools.openapi.nodes import Node

from capomastro.api.envelopes import Alternatives, Distinct, Documents, RequestBody

VERSION = "3.1.0"


def body_schema(envelope: RequestBody, document: Callable[[str], Node]) -> Node:
    """The JSON Schema of a body; `document` returns that of a kind of document.

    If the body has exactly one of several members, there is one closed object for each of these, in their order.
    """
    converter: Any = OpenAPIConverter(VERSION, lambda _: None, APISpec("", "", VERSION))
    converter.add_attribute_function(of_document(document))
    converter.add_attribute_function(of_validators)
    made = converter.schema2jsonschema(envelope)
    required = set(made.get("required", ()))
    schema = {
        "description": getdoc(type(envelope)),
        "type": "object",
        "properties": {name: first_described(member) for name, member in made["properties"].items()},
        "required": [name for name in made["properties"] if name in required],
        "additionalProperties": False,
    }
    if not isinstance(envelope, Alternatives):
        return schema
    chosen = [with_member(one, envelope, schema) for one in envelope.exactly_one_of]
    return {"description": schema["description"], "oneOf": chosen}


def with_member(chosen: str, envelope: Alternatives, schema: Node) -> Node:
    """The schema of a body with this one of the alternative members."""
    others = {*envelope.exactly_one_of} - {chosen}
    others |= {member for member, with_them in envelope.only_with.items() if chosen not in with_them}
    properties = {name: member for name, member in schema["properties"].items() if name not in others}
    required = [name for name in properties if name == chosen or name in schema["required"]]
    return {**schema, "properties": properties, "required": required}


def of_document(document: Callable[[str], Node]) -> Callable[..., Node]:
    """What apispec asks about each field: a document refers to its schema."""

    def describe(_: OpenAPIConverter, field: Any, ret: Node, **__: Any) -> Node:
        kind = getattr(field, "kind", None)
        if kind is None:
            return {}
        ret.clear()  # what is said of any document
        schema = document(kind)
        return {"description": field.metadata["description"]} | (
            {"type": "array", "items": schema} if isinstance(field, Documents) else schema
        )

    return describe


def of_validators(_: OpenAPIConverter, field: Any, **__: Any) -> Node:
    """What apispec does not know of validators: a set, and patterns as JSON Schema writes them."""
    found: Node = {}
    for validator in field.validators:
        if isinstance(validator, Distinct):
            found["uniqueItems"] = True
        if isinstance(validator, Regexp):
            found["pattern"] = "^" + str(validator.regex.pattern).removesuffix(r"\Z") + "$"
    return found


def first_described(member: Node) -> Node:
    """A member with its description first."""
    return {"description": member.pop("description"), **member} if "description" in member else member
