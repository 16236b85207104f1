"""Explains why a document does not match its schema: every error once, as a sentence, at its place.

The messages of `jsonschema` repeat the document, so its errors are worded here. Where a schema offers a choice, only
the errors of the intended branch are reported, because an error in every branch explains nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from json import dumps
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from capomastro.documents.json_text import canonical
from capomastro.documents.phrases import (
    LONG_NAME,
    ShapeError,
    choices,
    excerpt,
    number_and_noun,
    pointer_to,
    type_name,
    with_article,
)
from capomastro.documents.problems import MAXIMUM_ERRORS
from capomastro.documents.reading import compiled_pattern
from capomastro.documents.suggestions import MAXIMUM_SUGGESTIONS, did_you_mean_clause

Schema = Any
Errors = Iterator[ValidationError]

NAMING = ("additionalProperties", "propertyNames")
"""The keywords whose errors are about the name of a member, which comes from the document."""


def explanations(validator: Draft202012Validator, document: Any, quoting: bool = True) -> list[ShapeError]:
    """The errors in `document`, at most `MAXIMUM_ERRORS`; without `quoting` they repeat nothing of it."""
    found = list(islice(validator.iter_errors(document), 4 * MAXIMUM_ERRORS))
    # a value of the wrong type violates other keywords as well, but only the type is worth reporting
    of_wrong_type = {tuple(error.absolute_path) for error in found if error.validator == "type"}
    reported: dict[tuple[Any, ...], ShapeError] = {}
    suggested = 0
    for error in found:
        path = tuple(error.absolute_path)
        if error.validator == "type" or path not in of_wrong_type:
            # once per keyword, even if a schema and a narrower one both object: the narrower comes last
            known = known_words(error) if quoting and suggested < MAXIMUM_SUGGESTIONS else ()
            suggested += bool(known)
            reported[path, error.validator, error.instance if error.validator == "required" else None] = at_pointer(
                path if quoting or error.validator not in NAMING else path[:-1],
                sentence_of_error(error, quoting) + did_you_mean_clause(error.instance, known),
            )
    return list(reported.values())[:MAXIMUM_ERRORS]


# --- finding errors --------------------------------------------------------------------------------------------------


def explaining_validator(
    quick_check_at: Callable[[str], Callable[[Any], bool] | None], schema_at: Callable[[str], Schema]
) -> type[Draft202012Validator]:
    """A validator class that explains errors.

    `schema_at` is the schema at an absolute address; `quick_check_at` is what says quickly whether a value is valid by
    it, or None if nothing does.
    """

    def reference(validator: Draft202012Validator, address: str, instance: Any, whole: Schema) -> Errors:
        """Skips valid parts quickly: only one with an error is validated slowly."""
        is_valid = quick_check_at(address)
        if is_valid is None or not is_valid(instance):
            yield from validator.descend(instance, schema_at(address))

    def items(validator: Draft202012Validator, schema: Schema, instance: Any, whole: Schema) -> Errors:
        """Finds the invalid items, such as one of a hundred thousand moves, without validating the others slowly."""
        if validator.is_type(instance, "array") and len(instance) <= whole.get("maxItems", len(instance)):
            is_valid = quick_check_at(schema["$ref"]) if "$ref" in schema and len(schema) == 1 else None
            for index in range(len(whole.get("prefixItems", ())), len(instance)):
                if is_valid is None or not is_valid(instance[index]):
                    yield from validator.descend(instance[index], schema, path=index)

    explaining: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        {
            "$ref": reference,
            "oneOf": branch_by_type,
            "anyOf": likeliest_branch,
            "items": items,
            "uniqueItems": unique_items,
            "required": missing_members,
            "propertyNames": member_names,
            "additionalProperties": additional_members,
            "pattern": full_pattern,
        },
    )
    return explaining


def branch_by_type(validator: Draft202012Validator, branches: Sequence[Schema], instance: Any, whole: Schema) -> Errors:
    """`oneOf` is always a choice by `type`: each branch is in `$defs` under its type."""
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
    """`anyOf`: the errors of the branch nearest to the submitted value."""
    by_branch = [list(islice(validator.descend(instance, branch), 4 * MAXIMUM_ERRORS)) for branch in branches]
    if not all(by_branch):
        return
    of_right_type = [errors for errors in by_branch if not any(map(is_wrong_type, errors))]
    if not of_right_type:
        expected = [kind for errors in by_branch for error in filter(is_wrong_type, errors) for kind in types_of(error)]
        yield ValidationError("", validator="type", validator_value=list(dict.fromkeys(expected)), instance=instance)
    elif all(error.validator in ("enum", "const") and not error.path for errors in of_right_type for error in errors):
        allowed = [value for errors in of_right_type for error in errors for value in allowed_values(error)]
        yield ValidationError("", validator="enum", validator_value=allowed, instance=instance)
    else:
        yield from min(of_right_type, key=lambda errors: sum(map(is_about_members, errors)))


def is_wrong_type(error: ValidationError) -> bool:
    return error.validator == "type" and not error.path


def is_about_members(error: ValidationError) -> bool:
    """Whether the error is a missing or unknown member of the object: then it is probably meant for another schema."""
    return error.validator in ("required", "additionalProperties") and len(error.path) <= 1


def unique_items(validator: Draft202012Validator, wanted: bool, instance: Any, whole: Schema) -> Errors:
    """`uniqueItems` in linear time: the library compares every unordered item with all others."""
    countable = validator.is_type(instance, "array") and len(instance) <= whole.get("maxItems", len(instance))
    if wanted and countable and len({canonical(item) for item in instance}) < len(instance):
        yield ValidationError("")


def missing_members(validator: Draft202012Validator, names: Sequence[str], instance: Any, whole: Schema) -> Errors:
    """`required`, with the missing name as the instance."""
    if validator.is_type(instance, "object"):
        for name in names:
            if name not in instance:
                yield ValidationError("", validator_value=(), instance=name)


def member_names(validator: Draft202012Validator, schema: Schema, instance: Any, whole: Schema) -> Errors:
    """`propertyNames`, with the error at the member."""
    if validator.is_type(instance, "object") and len(instance) <= whole.get("maxProperties", len(instance)):
        for name in instance:
            for _ in islice(validator.descend(name, schema), 1):
                yield ValidationError("", validator_value=schema.get("enum", ()), instance=name, path=[name])


def additional_members(validator: Draft202012Validator, schema: Schema, instance: Any, whole: Schema) -> Errors:
    """`additionalProperties`, with an error at each unknown member."""
    if validator.is_type(instance, "object") and len(instance) <= whole.get("maxProperties", len(instance)):
        known = whole.get("properties", {})
        for name, member in instance.items():
            if name not in known and schema is False:
                yield ValidationError("", validator_value=tuple(known), instance=name, path=[name])
            elif name not in known:
                yield from validator.descend(member, schema, path=name)


def full_pattern(validator: Draft202012Validator, pattern: str, instance: Any, whole: Schema) -> Errors:
    """`pattern` as in JSON Schema: in Python `$` also matches before a line feed, and `\\d` any Unicode digit."""
    searchable = validator.is_type(instance, "string") and len(instance) <= whole.get("maxLength", len(instance))
    if searchable and not compiled_pattern(pattern).search(instance):
        yield ValidationError("")


# --- errors in words --------------------------------------------------------------------------------------------------


def at_pointer(path: Sequence[str | int], message: str) -> ShapeError:
    """An error at its path; if a name in the path is very long, at the object with that name."""
    for depth, step in enumerate(path):
        if isinstance(step, str) and len(step) > LONG_NAME:
            return ShapeError(pointer_to(path[:depth]), f"the name of a member has {len(step)} characters")
    return ShapeError(pointer_to(path), message)


def types_of(error: ValidationError) -> list[str]:
    expected: Any = error.validator_value
    return [expected] if isinstance(expected, str) else list(expected)


def allowed_values(error: ValidationError) -> list[Any]:
    value: Any = error.validator_value
    return [value] if error.validator == "const" else list(value)


def known_words(error: ValidationError) -> Sequence[Any]:
    """The values or names that would have been right, if an error is an unknown one."""
    if error.validator == "enum":
        return allowed_values(error)
    named = error.validator in ("additionalProperties", "propertyNames")
    return error.validator_value if named and isinstance(error.validator_value, Sequence) else ()


def sentence_of_error(error: ValidationError, quoting: bool = True) -> str:
    """The error as a sentence, with its numbers and at most a short excerpt of the document, none without `quoting`."""
    bound: Any = error.validator_value
    instance: Any = error.instance
    value = excerpt(instance) if quoting else "the value"
    match error.validator:
        case "type":
            return f"must be {' or '.join(map(with_article, types_of(error)))}, not {with_article(type_name(instance))}"
        case "enum" | "const":
            return f"{value} is not {choices(allowed_values(error))}"
        case "minimum":
            return f"{value} is less than {bound}"
        case "maximum":
            return f"{value} is more than {bound}"
        case "minItems":
            return f"has {number_and_noun(len(instance), 'item')}, at least {bound} needed"
        case "maxItems":
            return f"has {number_and_noun(len(instance), 'item')}, at most {bound} allowed"
        case "minLength":
            return f"has {number_and_noun(len(instance), 'character')}, at least {bound} needed"
        case "maxLength":
            return f"has {number_and_noun(len(instance), 'character')}, at most {bound} allowed"
        case "uniqueItems":
            return "has an item twice"
        case "minProperties":
            return f"has {number_and_noun(len(instance), 'member')}, at least {bound} needed"
        case "maxProperties":
            return f"has {number_and_noun(len(instance), 'member')}, at most {bound} allowed"
        case "pattern":
            return f"{value} does not match {bound}"
        case "required":
            return f"the member {dumps(instance)} is missing{'; it is ' + choices(bound) if bound else ''}"
        case "additionalProperties":
            return "is not a member this object can have" if quoting else "has a member this object cannot have"
        case "propertyNames":
            fault = "is not a name a member can have here" if quoting else "has a name no member can have here"
            return f"{fault}{'; it is not ' + choices(bound) if bound else ''}"
    return f"does not comply with {error.validator} of its schema"
