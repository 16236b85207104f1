"""Why a document is not of the shape its schema says: every error once, in words, at its place.

What `jsonschema` finds is worded here, because its own messages repeat the document; and where a schema offers a
choice it is told to keep to the branch that was meant, because an error in every branch explains nothing.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from json import dumps
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from capomastro.documents.json_text import canonical
from capomastro.documents.problems import MAXIMUM_ERRORS

Schema = Any
Errors = Iterator[ValidationError]

SHORT = 40
"""So many characters of a submitted text are repeated."""

LONG_NAME = 100
"""Longer names of members are not repeated."""

SHOWN = 20
"""So many allowed values are listed."""


class ShapeError(NamedTuple):
    """One thing that is wrong: its place as a JSON Pointer (RFC 6901) into the document, and a sentence."""

    pointer: str
    message: str


def explanations(validator: Draft202012Validator, document: Any) -> list[ShapeError]:
    """Everything that is wrong with `document`, up to the cap."""
    found = list(islice(validator.iter_errors(document), 4 * MAXIMUM_ERRORS))
    # a value of the wrong type breaks other keywords as well, and only the type is worth telling
    of_wrong_type = {tuple(error.absolute_path) for error in found if error.validator == "type"}
    told: dict[tuple[Any, ...], ShapeError] = {}
    for error in found:
        path = tuple(error.absolute_path)
        if error.validator == "type" or path not in of_wrong_type:
            # once per keyword, though a schema and one that narrows it may both object: the narrower comes last
            told[path, error.validator, error.instance if error.validator == "required" else None] = placed(
                path, sentence(error)
            )
    return list(told.values())[:MAXIMUM_ERRORS]


# --- finding errors --------------------------------------------------------------------------------------------------


@cache
def explaining_validator(
    accepts: Callable[[str], Callable[[Any], bool]], schema_at: Callable[[str], Schema]
) -> type[Draft202012Validator]:
    """A class of validators for explaining; by address, `accepts` gives the fast validator and `schema_at` the schema.

    All references are absolute.
    """

    def reference(validator: Draft202012Validator, address: str, instance: Any, whole: Schema) -> Errors:
        """What is valid is passed over: only the way to what is wrong is walked slowly."""
        if not accepts(address)(instance):
            yield from validator.descend(instance, schema_at(address))

    def items(validator: Draft202012Validator, schema: Schema, instance: Any, whole: Schema) -> Errors:
        """The items that are wrong: of a hundred thousand moves this one, without walking through all others."""
        if validator.is_type(instance, "array") and len(instance) <= whole.get("maxItems", len(instance)):
            valid = accepts(schema["$ref"]) if "$ref" in schema and len(schema) == 1 else None
            for index in range(len(whole.get("prefixItems", ())), len(instance)):
                if valid is None or not valid(instance[index]):
                    yield from validator.descend(instance[index], schema, path=index)

    explaining: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        {
            "$ref": reference,
            "oneOf": branch_by_type,
            "anyOf": likeliest_branch,
            "items": items,
            "uniqueItems": different_items,
            "required": missing_members,
            "propertyNames": names_of_members,
            "additionalProperties": further_members,
            "pattern": whole_pattern,
        },
    )
    return explaining


def branch_by_type(validator: Draft202012Validator, branches: Sequence[Schema], instance: Any, whole: Schema) -> Errors:
    """`oneOf` always is a choice by `type`: each branch stands in `$defs` under the type it is for."""
    by_type = {branch["$ref"].rpartition("/")[2]: branch for branch in branches}
    if not validator.is_type(instance, "object"):
        yield ValidationError("", validator="type", validator_value="object", instance=instance)
    elif "type" not in instance:
        yield ValidationError("", validator="required", validator_value=list(by_type), instance="type")
    elif isinstance(instance["type"], str) and instance["type"] in by_type:
        yield from validator.descend(instance, by_type[instance["type"]])
    else:
        allowed = list(by_type)
        yield ValidationError("", validator="enum", validator_value=allowed, instance=instance["type"], path=["type"])


def likeliest_branch(
    validator: Draft202012Validator, branches: Sequence[Schema], instance: Any, whole: Schema
) -> Errors:
    """`anyOf`: the errors of the branch that is nearest to what was submitted."""
    by_branch = [list(islice(validator.descend(instance, branch), 4 * MAXIMUM_ERRORS)) for branch in branches]
    if not all(by_branch):
        return
    of_right_type = [errors for errors in by_branch if not any(map(wrong_type_here, errors))]
    if not of_right_type:
        expected = [
            kind for errors in by_branch for error in filter(wrong_type_here, errors) for kind in types_of(error)
        ]
        yield ValidationError("", validator="type", validator_value=list(dict.fromkeys(expected)), instance=instance)
    elif all(error.validator in ("enum", "const") and not error.path for errors in of_right_type for error in errors):
        allowed = [value for errors in of_right_type for error in errors for value in allowed_by(error)]
        yield ValidationError("", validator="enum", validator_value=allowed, instance=instance)
    else:
        yield from min(of_right_type, key=lambda errors: sum(map(about_members_here, errors)))


def wrong_type_here(error: ValidationError) -> bool:
    return error.validator == "type" and not error.path


def about_members_here(error: ValidationError) -> bool:
    """Whether the object itself has a member too many or too few: then probably it is not meant for this schema."""
    return error.validator in ("required", "additionalProperties") and len(error.path) <= 1


def different_items(validator: Draft202012Validator, wanted: bool, instance: Any, whole: Schema) -> Errors:
    """`uniqueItems`, each item looked at once: the library compares those that have no order with all others."""
    countable = validator.is_type(instance, "array") and len(instance) <= whole.get("maxItems", len(instance))
    if wanted and countable and len({canonical(item) for item in instance}) < len(instance):
        yield ValidationError("")


def missing_members(validator: Draft202012Validator, names: Sequence[str], instance: Any, whole: Schema) -> Errors:
    """`required`, with the name that is missing as what is wrong."""
    if validator.is_type(instance, "object"):
        for name in names:
            if name not in instance:
                yield ValidationError("", validator_value=(), instance=name)


def names_of_members(validator: Draft202012Validator, schema: Schema, instance: Any, whole: Schema) -> Errors:
    """`propertyNames`, with the member as the place of the error."""
    if validator.is_type(instance, "object") and len(instance) <= whole.get("maxProperties", len(instance)):
        for name in instance:
            for _ in islice(validator.descend(name, schema), 1):
                yield ValidationError("", validator_value=schema.get("enum", ()), instance=name, path=[name])


def further_members(validator: Draft202012Validator, schema: Schema, instance: Any, whole: Schema) -> Errors:
    """`additionalProperties`: each member that is not known, in its own place."""
    if validator.is_type(instance, "object") and len(instance) <= whole.get("maxProperties", len(instance)):
        known = whole.get("properties", {})
        for name, member in instance.items():
            if name not in known and schema is False:
                yield ValidationError("", instance=name, path=[name])
            elif name not in known:
                yield from validator.descend(member, schema, path=name)


def whole_pattern(validator: Draft202012Validator, pattern: str, instance: Any, whole: Schema) -> Errors:
    """`pattern` as JSON Schema means it: in Python `$` would also match before a line feed, and `\\d` Arabic digits."""
    if validator.is_type(instance, "string") and not in_python(pattern).search(instance):
        yield ValidationError("")


@cache
def in_python(pattern: str) -> re.Pattern[str]:
    """A pattern of a schema, all of which begin with ^ and end with $."""
    return re.compile(pattern.removesuffix("$") + r"\Z", re.ASCII)


# --- errors in words -------------------------------------------------------------------------------------------------


def placed(path: Sequence[str | int], message: str) -> ShapeError:
    """An error at its place; if a name on the way is very long, at the object that has this name."""
    for depth, step in enumerate(path):
        if isinstance(step, str) and len(step) > LONG_NAME:
            return ShapeError(pointer_to(path[:depth]), f"the name of a member has {len(step)} characters")
    return ShapeError(pointer_to(path), message)


def pointer_to(path: Iterable[str | int]) -> str:
    """A JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def types_of(error: ValidationError) -> list[str]:
    expected: Any = error.validator_value
    return [expected] if isinstance(expected, str) else list(expected)


def allowed_by(error: ValidationError) -> list[Any]:
    value: Any = error.validator_value
    return [value] if error.validator == "const" else list(value)


def sentence(error: ValidationError) -> str:
    """What is wrong, with the numbers; never more of the document than a short text."""
    bound: Any = error.validator_value
    instance: Any = error.instance
    match error.validator:
        case "type":
            return f"must be {' or '.join(map(with_article, types_of(error)))}, not {with_article(type_name(instance))}"
        case "enum" | "const":
            return f"{shown(instance)} is not {one_of(allowed_by(error))}"
        case "minimum":
            return f"{shown(instance)} is less than {bound}"
        case "maximum":
            return f"{shown(instance)} is more than {bound}"
        case "minItems":
            return f"has {counted(len(instance), 'item')}, at least {bound} needed"
        case "maxItems":
            return f"has {counted(len(instance), 'item')}, at most {bound} allowed"
        case "minLength":
            return f"has {counted(len(instance), 'character')}, at least {bound} needed"
        case "maxLength":
            return f"has {counted(len(instance), 'character')}, at most {bound} allowed"
        case "uniqueItems":
            return "has an item twice"
        case "minProperties":
            return f"has {counted(len(instance), 'member')}, at least {bound} needed"
        case "maxProperties":
            return f"has {counted(len(instance), 'member')}, at most {bound} allowed"
        case "pattern":
            return f"{shown(instance)} does not match {bound}"
        case "required":
            return f"the member {dumps(instance)} is missing{'; it is ' + one_of(bound) if bound else ''}"
        case "additionalProperties":
            return "is not a member this object can have"
        case "propertyNames":
            return f"is not a name a member can have here{'; it is not ' + one_of(bound) if bound else ''}"
    return f"does not comply with {error.validator} of its schema"


def type_name(instance: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", type(None): "null"}
    return names.get(type(instance), "number")


def with_article(name: str) -> str:
    if name == "null":
        return name
    return f"an {name}" if name[0] in "aio" else f"a {name}"


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def shown(value: Any) -> str:
    """A submitted value, if it is short; else what it is."""
    if isinstance(value, list | dict):
        return with_article(type_name(value))
    if isinstance(value, str) and len(value) > SHORT:
        return f"{dumps(value[:SHORT])} … ({len(value)} characters)"
    text = dumps(value)
    return text if isinstance(value, str) or len(text) <= SHORT else f"{text[:SHORT]}… ({len(text)} characters)"


def one_of(values: Sequence[Any]) -> str:
    """Allowed values, as they are written; of many the first and the last."""
    texts = [value if isinstance(value, str) else dumps(value) for value in values]
    if len(texts) == 1:
        return texts[0]
    if len(texts) > SHOWN:
        return f"one of: {', '.join(texts[:3])}, … {texts[-1]} ({len(texts)} in all)"
    return f"one of: {', '.join(texts)}"
