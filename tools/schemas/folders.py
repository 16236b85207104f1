"""A folder of schemas: which types have one of their own, where it is, and what it says.

The documents of a folder are files. A type with a title, and every struct, is a part of a file: of the only document
that uses it, or of the one that its module belongs to.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta, Struct, UnsetType, to_builtins
from msgspec.structs import FieldInfo, fields
from tools.openapi.nodes import Node, mapped
from tools.schemas import sentences
from tools.schemas.types import Named, schema_of, stated, with_notes

from capomastro.documents.reading import is_struct
from capomastro.engine.events import Event
from capomastro.engine.members import Text

DIALECT = "https://json-schema.org/draft/2020-12/schema"

TEXT = {"description": "With `texts` in the request: what happened, as a sentence."}
"""What answers add to events."""


class Place(NamedTuple):
    """Where a type has its schema: a file, or a part of it."""

    folder: str
    file: str
    part: str = ""


class Alias(NamedTuple):
    """A name that a module gives to a type."""

    name: str
    module: str
    sentence: str | None


class Folder:
    """The schemas in a folder."""

    name: str
    documents: Mapping[str, Any]
    """The type of each file."""
    open: frozenset[str]
    """Documents that clients never send: their objects can have further members, and these have no defaults."""
    modules: Mapping[str, str]
    """The modules that declare types with a title, and the documents that these are of."""
    examples: Mapping[str, list[Any]]
    """Examples of documents, and of parts as "state#seat", where the type has none of its own."""

    def title(self, document: str) -> str:
        """The title of a document."""
        raise NotImplementedError

    def sentence(self, document: str) -> str | None:
        """The sentence of a document."""
        raise NotImplementedError

    def role(self, kind: Any) -> tuple[str | None, str | None]:
        """The name and the title of a part that has them by what it is."""
        return None, None

    def owner(self, module: str) -> str | None:
        """The document that has the types of a module, even if only another one uses them."""
        return None

    def special(self, kind: Any, document: str, named: Named) -> Node | None:
        """The schema of a type for which the folder has a rule of its own."""
        return None

    def place_of_common(self, kind: Any) -> Place | None:
        """The file of a type of all games."""
        raise NotImplementedError

    def schema(self, kind: Any, named: Named, inner: Named) -> Node:
        """The schema of a type that has one of its own, closed, without title and sentence."""
        if is_struct(kind):
            return self.struct(kind, named)
        if hasattr(kind, "__metadata__") and is_struct(kind.__origin__) and self.is_part(kind.__origin__):
            return with_notes(self.struct(kind.__origin__, named), kind.__origin__, kind.__metadata__)
        branches = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        if len(branches) > 1 and all(map(is_struct, branches)):
            return {"oneOf": [named(branch) for branch in branches]}
        return schema_of(kind, inner)

    # --- which types there are ---------------------------------------------------------------------------------------

    @cached_property
    def aliases(self) -> dict[Any, Alias]:
        """The types with a title that the modules declare."""
        found: dict[Any, Alias] = {}
        for module in self.modules:
            told = sentences.of_names(module)
            for name, kind in vars(import_module(module)).items():
                if title_of(kind) and kind not in found and (name in told or not self.is_common(kind)):
                    found[kind] = Alias(name, module, told.get(name))
        return found

    def is_common(self, kind: Any) -> bool:
        return self.place_of_common(kind) is not None

    @cached_property
    def uses(self) -> dict[Any, set[str]]:
        """The parts, each with the documents that use it."""
        found: dict[Any, set[str]] = {}

        def look(document: str, kind: Any) -> None:
            def named(part: Any) -> Node | None:
                if self.is_part(part):
                    if document not in found.setdefault(part, set()):
                        found[part].add(document)
                        look(document, part)
                    return {"$ref": ""}
                return self.reference(part, document, named)

            self.body(kind, named, document)

        for kind, alias in self.aliases.items():
            owner = self.owner(alias.module)
            if owner and self.is_part(kind):
                found.setdefault(kind, set()).add(owner)
        for document, kind in self.documents.items():
            look(document, kind)
        return found

    @cached_property
    def places(self) -> dict[Any, Place]:
        """Where each part has its schema."""
        found = {}
        for kind, users in self.uses.items():
            module = self.aliases[kind].module if kind in self.aliases else kind.__module__
            only = next(iter(users)) if len(users) == 1 else self.modules.get(module, "tokens")
            found[kind] = Place(self.name, self.owner(module) or only, self.part_name(kind))
        return found

    def is_part(self, kind: Any) -> bool:
        if self.is_common(kind) or kind in self.documents.values():
            return False
        return kind in self.aliases or is_struct(kind)

    def part_name(self, kind: Any) -> str:
        if kind in self.aliases:
            return kebab_case(self.aliases[kind].name)
        _, name = vars(kind).get("schema_names", (None, None))
        return name or self.role(kind)[0] or kind.__struct_config__.tag or kebab_case(kind.__name__)

    def part_title(self, kind: Any) -> str:
        if kind in self.aliases:
            return title_of(kind) or ""
        title, _ = vars(kind).get("schema_names", (None, None))
        return title or self.role(kind)[1] or self.part_name(kind).replace("-", " ").capitalize()

    # --- references --------------------------------------------------------------------------------------------------

    def named(self, kind: Any, document: str) -> Node | None:
        """Refers to the schema of a type, if it has one of its own."""
        if self.is_part(kind):
            return self.reference_to(self.places[kind], document)
        return self.reference(kind, document, lambda part: self.named(part, document))

    def reference(self, kind: Any, document: str, named: Named) -> Node | None:
        """Refers to the schema of a type that is no part."""
        special = self.special(kind, document, named)
        if special is not None:
            return special
        file = next((name for name, one in self.documents.items() if one == kind), None)
        place = Place(self.name, file) if file else self.place_of_common(kind)
        return self.reference_to(place, document) if place else None

    def reference_to(self, place: Place, document: str) -> Node:
        folder = "" if place.folder == self.name else f"../{place.folder}/"
        file = "" if (place.folder, place.file) == (self.name, document) else f"{folder}{place.file}.json"
        return {"$ref": file + (f"#/$defs/{place.part}" if place.part else "")}

    # --- schemas -----------------------------------------------------------------------------------------------------

    def files(self) -> Iterator[tuple[str, Node]]:
        """Every file of the folder, by its name, with its content."""
        for document in self.documents:
            yield f"{self.name}/{document}.json", self.file(document)

    def file(self, document: str) -> Node:
        kind = self.documents[document]
        places = {part: place for part, place in self.places.items() if place.file == document}
        parts = {place.part: self.part(part, place) for part, place in places.items()}
        body = self.body(kind, lambda part: self.named(part, document), document)
        examples = self.examples.get(document) or body.pop("examples", None)
        return {
            "$schema": DIALECT,
            "title": self.title(document),
            "description": self.sentence(document),
            **{keyword: value for keyword, value in body.items() if keyword not in ("title", "examples")},
            "examples": examples,
            **({"$defs": parts} if parts else {}),
        }

    def part(self, kind: Any, place: Place) -> Node:
        description = self.aliases[kind].sentence if kind in self.aliases else sentences.of_class(kind)
        body = self.body(kind, lambda part: self.named(part, place.file), place.file)
        examples = self.examples.get(f"{place.file}#{place.part}") or body.pop("examples", None)
        body.pop("title", None)
        about = stated({"title": self.part_title(kind), "description": description})
        return {**about, **body, **stated({"examples": examples})}

    def body(self, kind: Any, named: Named, document: str) -> Node:
        """The schema of a type that has one of its own."""
        schema = self.schema(kind, named, lambda part: None if part == kind else named(part))
        return mapped(schema, opened) if document in self.open else schema

    def struct(self, kind: type[Struct], named: Named) -> Node:
        if "settles" in vars(kind):
            options = named(vars(kind)["settles"]) or {}
            return {**options, "required": [field.encode_name for field in fields(kind)]}
        base = next((one for one in kind.__mro__[1:] if self.is_common(one)), None)
        inherited = {field.name for field in fields(base)} if base else set()
        told, hints = sentences.of_fields(kind), get_type_hints(kind, include_extras=True)
        tag = kind.__struct_config__.tag
        properties: Node = {"type": {"const": tag}} if tag else {}
        required = ["type"] if tag else []
        for field in fields(kind):
            if field.name not in inherited:
                schema = schema_of(without_absence(hints[field.name], field), named)
                sentence = stated({"description": told.get(field.name)})
                properties[field.encode_name] = {**sentence, **schema, **default_of(field)}
                required += [field.encode_name] if field.required else []
        if issubclass(kind, Event):
            properties["text"] = {**TEXT, **(named(Text) or {})}
        return {
            **((named(base) or {}) if base else {"type": "object"}),
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }


def title_of(kind: Any) -> str | None:
    """The title that an annotated type states."""
    notes = [note for note in get_args(kind)[1:] if isinstance(note, Meta)]
    return notes[-1].title if notes and hasattr(kind, "__metadata__") else None


def kebab_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def opened(schema: Node) -> Node:
    """A schema whose objects can have further members, and no defaults."""
    return {
        keyword: value
        for keyword, value in schema.items()
        if keyword != "default" and (keyword, value) != ("additionalProperties", False)
    }


def without_absence(kind: Any, field: FieldInfo) -> Any:
    """The type of a member when it is there."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    absent = (UnsetType, type(None)) if field.default is None else (UnsetType,)
    return Union[tuple(one for one in get_args(kind) if one not in absent)]  # noqa: UP007


def default_of(field: FieldInfo) -> Node:
    default = field.default_factory() if field.default_factory is not NODEFAULT else field.default
    if default is None or default is NODEFAULT or isinstance(default, UnsetType):
        return {}
    return {"default": to_builtins(default)}
