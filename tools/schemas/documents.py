"""The documents of a game and of all games, and where each type has its schema.

A type with a title, and every struct, has a schema of its own: in `tokens.json` if the module `tokens` of the game
declares it, else in the only document that uses it, else in the document of the module that declares it.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from json import loads
from pathlib import Path
from types import ModuleType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta, Struct, UnsetType, to_builtins
from msgspec.structs import FieldInfo, fields
from tools.openapi.nodes import Node
from tools.schemas import sentences
from tools.schemas.types import Named, schema_of, stated
from tools.schemas.writing import as_text

from capomastro.documents.shapes import COMMON
from capomastro.engine import decisions, hands, members, records, results
from capomastro.engine import game as engine
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame
from capomastro.engine.members import Document, GameId, NoMoreThanPlayers, Text
from capomastro.games import all_games

DIALECT = "https://json-schema.org/draft/2020-12/schema"

MODULES = {
    "tokens": "tokens",
    "state": "state",
    "stages": "stage",
    "moves": "move",
    "events": "event",
    "scoring": "result",
    "scoresheet": "scoresheet",
    "derived": "derived",
}
"""The modules of a game that declare types, and the documents that these are of."""

TITLES = {
    "tokens": "Token of {}",
    "options": "Options of {}",
    "state": "State of {}",
    "stage": "Stage of {}",
    "move": "Move of {}",
    "event": "Event of {}",
    "record": "Record of a game of {}",
    "scoresheet": "Scoresheet of {}",
    "derived": "Derived figures of {}",
    "result": "Result of {}",
}
ROLES = {engine.Seat: ("seat", "Seat of {}"), results.ScoreLine: ("line", "Line of a score of {}")}
"""Names and titles of what every game has."""

CHOICES = {"stage": decisions.Stage, "move": decisions.Move, "event": Event}
"""Documents of one of several types, with what these have in common."""

ANSWERS = ("derived", "event", "result")
"""Documents that clients never send: they are open, and their members have no defaults."""

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


COMMON_TYPES: Mapping[Any, str] = {
    members.SeatIndex: "seat-index",
    members.PlayerCount: "player-count",
    members.Name: "name",
    members.Names: "names",
    members.RuleId: "rule-id",
    members.Text: "text",
    engine.SchemaVersion: "schema-version",
    engine.RulesVersion: "rules-version",
    engine.Ply: "ply",
    records.RecordId: "record-id",
    records.Tags: "tags",
    records.Totals: "totals",
    hands.Hand: "hand",
    results.ScoreLine: "score-line",
    results.Result: "result",
}
"""The types of all games, by file."""


def title_of(kind: Any) -> str | None:
    """The title that an annotated type states."""
    titles = [note.title for note in get_args(kind)[1:] if isinstance(note, Meta) and note.title]
    return titles[-1] if get_origin(kind) is Annotated and titles else None


def is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def is_of_a_seat(move: type[decisions.Move]) -> bool:
    return issubclass(move, decisions.SeatMove)


def kebab_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Folder:
    """The schemas of a game."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.examples: Mapping[str, list[Any]] = loads((Path(package_of(game)) / "documents.json").read_text("utf-8"))
        self.documents: dict[str, Any] = {
            "tokens": self.module("tokens").Token,
            "options": game.options_type,
            "state": game.state_type,
            "stage": get_type_hints(game.state_type, include_extras=True)["stage"],
            "move": Union[tuple(sorted(game.kinds_of_move.values(), key=is_of_a_seat))],  # noqa: UP007
            "event": game.events,
            "record": records.Record,
            "scoresheet": game.scoresheet_type,
            "derived": game.derived_type,
            "result": game.result_type,
        }

    def module(self, name: str) -> ModuleType:
        return import_module(f"{type(self.game).__module__.rpartition('.')[0]}.{name}")

    # --- which types there are ---------------------------------------------------------------------------------------

    @cached_property
    def aliases(self) -> dict[Any, Alias]:
        """The types with a title that the modules of the game declare."""
        found: dict[Any, Alias] = {}
        for module in map(self.module, MODULES):
            told = sentences.of_names(module.__name__)
            for name, kind in vars(module).items():
                if title_of(kind) and kind not in found and kind not in COMMON_TYPES:
                    found[kind] = Alias(name, module.__name__, told.get(name))
        return found

    @cached_property
    def uses(self) -> dict[Any, set[str]]:
        """The types with a schema of their own, each with the documents that use it."""
        found: dict[Any, set[str]] = {}

        def look(document: str, kind: Any) -> None:
            def named(part: Any) -> Node | None:
                if self.is_part(part):
                    if document not in found.setdefault(part, set()):
                        found[part].add(document)
                        look(document, part)
                    return {"$ref": ""}
                return {"$ref": ""} if part in self.narrower else self.reference(part, document, named)

            self.body(kind, named)

        for alias in (kind for kind, alias in self.aliases.items() if alias.module.endswith(".tokens")):
            found.setdefault(alias, set()).add("tokens")
        for document, kind in self.documents.items():
            look(document, kind)
        return found

    @cached_property
    def places(self) -> dict[Any, Place]:
        """Where each of these types has its schema."""
        return {kind: self.place_of(kind, users) for kind, users in self.uses.items()}

    def place_of(self, kind: Any, users: set[str]) -> Place:
        module = (self.aliases[kind].module if kind in self.aliases else kind.__module__).rpartition(".")[2]
        owner = next(iter(users)) if len(users) == 1 and module != "tokens" else MODULES[module]
        return Place(self.game.id, owner, self.part_name(kind))

    def is_part(self, kind: Any) -> bool:
        if kind in COMMON_TYPES or kind in self.documents.values():
            return False
        return kind in self.aliases or is_struct(kind)

    def part_name(self, kind: Any) -> str:
        if kind in self.aliases:
            return kebab_case(self.aliases[kind].name)
        _, name = vars(kind).get("schema_names", (None, None))
        role = next((role for base, (role, _) in ROLES.items() if issubclass(kind, base)), None)
        return name or role or kind.__struct_config__.tag or kebab_case(kind.__name__)

    def title(self, kind: Any) -> str:
        if kind in self.aliases:
            return title_of(kind) or ""
        title, _ = vars(kind).get("schema_names", (None, None))
        role = next((role for base, (_, role) in ROLES.items() if issubclass(kind, base)), "")
        return title or role.format(self.game.title) or self.part_name(kind).replace("-", " ").capitalize()

    # --- references --------------------------------------------------------------------------------------------------

    def reference(self, kind: Any, document: str, named: Named) -> Node | None:
        """Refers to the schema of a type, if it has one of its own."""
        notes = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
        if kind == GameId:
            return {"const": self.game.id}
        if notes and isinstance(notes[-1], hands.HandOf):
            return self.hand(notes[-1], document, named)
        if notes and isinstance(notes[-1], Document):
            return {"$ref": f"{notes[-1].kind}.json"}
        narrower = self.narrower.get(kind)
        if narrower is not None:
            return self.reference_to(self.places[narrower], document)
        if kind in COMMON_TYPES:
            return self.reference_to(Place(COMMON, COMMON_TYPES[kind]), document) | self.limit(kind)
        if kind in self.documents.values():
            file = next(name for name, one in self.documents.items() if one == kind)
            return self.reference_to(Place(self.game.id, file), document)
        return None

    @cached_property
    def narrower(self) -> dict[Any, Any]:
        """The types of all games that this game narrows, by a type of the same name in its module `tokens`."""
        return {
            wide: narrow
            for narrow, alias in self.aliases.items()
            if (wide := getattr(members, alias.name, None)) is not None
        }

    def limit(self, kind: Any) -> Node:
        """What the number of players adds to a type."""
        most = self.game.players[-1]
        if NoMoreThanPlayers not in get_args(kind) or most == members.MOST_PLAYERS:
            return {}
        return {"maximum" if get_args(kind)[0] is int else "maxItems": most}

    def reference_to(self, place: Place, document: str) -> Node:
        folder = "" if place.folder == self.game.id else f"../{place.folder}/"
        file = "" if (place.folder, place.file) == (self.game.id, document) else f"{folder}{place.file}.json"
        return {"$ref": file + (f"#/$defs/{place.part}" if place.part else "")}

    def hand(self, note: hands.HandOf, document: str, named: Named) -> Node:
        """A hand with the cards and the piles of the game."""
        card = {"items": schema_of(note.card, named)}
        unknown = {"propertyNames": {"enum": list(note.piles)}}
        return {
            **self.reference_to(Place(COMMON, "hand"), document),
            "properties": {"open": card, "closed": card, "unknown": unknown},
        }

    def named(self, kind: Any, document: str) -> Node | None:
        if self.is_part(kind):
            return self.reference_to(self.places[kind], document)
        return self.reference(kind, document, lambda part: self.named(part, document))

    # --- schemas -----------------------------------------------------------------------------------------------------

    def written(self) -> Iterator[tuple[str, Node]]:
        """Every file of the folder, by its name, with its content."""
        for document, kind in self.documents.items():
            yield f"{self.game.id}/{document}.json", self.file(document, kind)

    def file(self, document: str, kind: Any) -> Node:
        parts = {
            place.part: self.part(part, place)
            for part, place in self.places.items()
            if place[:2] == (self.game.id, document)
        }
        return {
            "$schema": DIALECT,
            "title": TITLES[document].format(self.game.title),
            "description": self.sentence(document, kind),
            **self.body(kind, lambda part: self.named(part, document), closed=document not in ANSWERS),
            "examples": self.examples[document],
            **({"$defs": parts} if parts else {}),
        }

    def sentence(self, document: str, kind: Any) -> str | None:
        """The sentence of a document: of its class, or of the name of its type."""
        if is_struct(kind) and get_origin(kind) is None:
            return sentences.of_class(kind)
        if document in CHOICES:
            return sentences.of_class(CHOICES[document])
        module, name = ("tokens", "Token") if document == "tokens" else ("scoring", "Result")
        return sentences.of_names(self.module(module).__name__)[name]

    def part(self, kind: Any, place: Place) -> Node:
        description = self.aliases[kind].sentence if kind in self.aliases else sentences.of_class(kind)
        body = self.body(kind, lambda part: self.named(part, place.file), closed=place.file not in ANSWERS)
        examples = self.examples.get(f"{place.file}#{place.part}", body.pop("examples", None))
        body.pop("title", None)
        return {
            "title": self.title(kind),
            **stated({"description": description}),
            **body,
            **stated({"examples": examples}),
        }

    def body(self, kind: Any, named: Named, closed: bool = True) -> Node:
        """The schema of a type that has one of its own, without its title and sentence."""

        def inner(part: Any) -> Node | None:
            return None if part == kind else named(part)

        wide = next((wide for wide, narrow in self.narrower.items() if narrow == kind), None)
        if wide is not None:
            known, own = schema_of(wide, lambda _: None), schema_of(kind, lambda _: None)
            narrowed = {
                keyword: own[keyword] for keyword in own if keyword == "examples" or own[keyword] != known.get(keyword)
            }
            return {**self.reference_to(Place(COMMON, COMMON_TYPES[wide]), ""), **narrowed}

        if get_origin(kind) is results.Result or (is_struct(kind) and issubclass(kind, results.Result)):
            return self.result(kind, named)
        if is_struct(kind):
            return self.struct(kind, named, closed)
        branches = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        if len(branches) > 1 and all(map(is_struct, branches)):
            return {"oneOf": [named(branch) for branch in branches]}
        if kind == self.documents["tokens"]:
            return {"anyOf": [named(branch) for branch in branches]}
        return schema_of(kind, inner)

    def struct(self, kind: type[Struct], named: Named, closed: bool) -> Node:
        base = next((one for one in kind.__mro__[1:] if one in COMMON_TYPES), None)
        inherited = {field.name for field in fields(base)} if base else set()
        told, hints = sentences.of_fields(kind), get_type_hints(kind, include_extras=True)
        tag = kind.__struct_config__.tag
        properties: Node = {"type": {"const": tag}} if tag else {}
        required = ["type"] if tag else []
        for field in fields(kind):
            if field.name not in inherited:
                schema = schema_of(without_absence(hints[field.name], field), named)
                default = default_of(field) if closed else {}
                sentence = stated({"description": told.get(field.name)})
                properties[field.encode_name] = {**sentence, **schema, **default}
                required += [field.encode_name] if field.required else []
        if issubclass(kind, Event):
            properties["text"] = {**TEXT, **(named(Text) or {})}
        return {
            **((named(base) or {}) if base else {"type": "object"}),
            "properties": properties,
            **({"required": required} if required else {}),
            **({"additionalProperties": False} if closed else {}),
        }

    def result(self, kind: Any, named: Named) -> Node:
        """A result: that of all games with the lines of the game, and what the game adds."""
        generic = kind if get_args(kind) else next(one for one in kind.__orig_bases__ if get_args(one))
        told = sentences.of_fields(results.PlayerResult)
        lines = {"description": told["lines"], "items": named(get_args(generic)[0])}
        own = self.struct(kind, named, closed=False) if is_struct(kind) and get_origin(kind) is None else {}
        properties = {"players": {"items": {"properties": {"lines": lines}}}, **own.pop("properties", {})}
        return {**(named(results.Result) or {}), "properties": properties, **own}


def package_of(game: AnyGame) -> str:
    package = import_module(type(game).__module__.rpartition(".")[0])
    return package.__path__[0]


def without_absence(kind: Any, field: FieldInfo) -> Any:
    """The type of a member when it is there."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    absent = (UnsetType, type(None)) if field.default is None else (UnsetType,)
    return Union[tuple(one for one in get_args(kind) if one not in absent)]  # noqa: UP007


def default_of(field: FieldInfo) -> Node:
    default = field.default_factory() if field.default_factory is not NODEFAULT else field.default
    return (
        {}
        if default is None or isinstance(default, UnsetType) or default is NODEFAULT
        else {"default": to_builtins(default)}
    )


@cache
def written() -> dict[str, str]:
    """The expected content of the files, by name."""
    found: dict[str, Node] = {}
    for game in all_games().values():
        if (Path(package_of(game)) / "documents.json").exists():
            found |= dict(Folder(game).written())
    return {name: as_text(schema) for name, schema in found.items()}
