"""The schemas of a game.

The module `tokens` of the game declares what several documents have; the other modules declare one document each. A
type in `tokens` with the name of a type of all games is narrower, and takes its place.
"""

from functools import cached_property
from importlib import import_module
from json import loads
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from tools.openapi.nodes import Node
from tools.schemas import sentences
from tools.schemas.common import COMMON_TYPES
from tools.schemas.folders import Folder, Place
from tools.schemas.types import Named, schema_of

from capomastro.documents.reading import is_struct
from capomastro.documents.shapes import COMMON
from capomastro.engine import game as engine
from capomastro.engine import members, records, results
from capomastro.engine.events import Event
from capomastro.engine.game import AnyGame
from capomastro.engine.hands import Hand, HandOf
from capomastro.engine.members import Document, GameId, NoMoreThanPlayers
from capomastro.engine.moves import Move
from capomastro.engine.stages import Stage

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
"""The modules that declare the types of a document; those of other modules are tokens."""

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
ROLES = {
    engine.Seat: ("seat", "Seat of {}"),
    engine.SheetSeat: ("seat", "Player on a scoresheet of {}"),
    results.ScoreLine: ("line", "Line of a score of {}"),
}
"""Names and titles of what every game has."""

CHOICES = {"stage": Stage, "move": Move, "event": Event}
"""Documents of one of several types, with what these have in common."""


class GameFolder(Folder):
    """The schemas of a game."""

    open = frozenset({"derived", "event", "result"})

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.name = game.id
        self.package = type(game).__module__.rpartition(".")[0]
        self.modules = {f"{self.package}.{module}": document for module, document in MODULES.items()}
        self.examples = loads((Path(import_module(self.package).__path__[0]) / "documents.json").read_text("utf-8"))
        moves, known = import_module(f"{self.package}.moves"), list(game.kinds_of_move.values())
        self.documents = {
            "tokens": kinds_of(import_module(f"{self.package}.tokens").Token),
            "options": game.options_type,
            "state": game.state_type,
            "stage": get_type_hints(game.state_type, include_extras=True)["stage"],
            "move": Union[tuple(kind for kind in vars(moves).values() if kind in known)],  # noqa: UP007
            "event": game.events,
            "record": records.Record,
            "scoresheet": game.scoresheet_type,
            "derived": game.derived_type,
            "result": game.result_type,
        }

    def title(self, document: str) -> str:
        return TITLES[document].format(self.game.title)

    def sentence(self, document: str) -> str | None:
        kind = CHOICES.get(document, self.documents[document])
        if is_struct(kind):
            return sentences.of_class(kind)
        module, name = ("tokens", "Token") if document == "tokens" else ("scoring", "Result")
        return sentences.of_names(f"{self.package}.{module}")[name]

    def role(self, kind: Any) -> tuple[str | None, str | None]:
        roles = (role for base, role in ROLES.items() if issubclass(kind, base))
        return next(((name, title.format(self.game.title)) for name, title in roles), (None, None))

    def owner(self, module: str) -> str | None:
        of_the_game = module.rpartition(".")[0] == self.package
        return "tokens" if of_the_game and self.modules.get(module, "tokens") == "tokens" else None

    def place_of_common(self, kind: Any) -> Place | None:
        return Place(COMMON, COMMON_TYPES[kind]) if kind in COMMON_TYPES else None

    def special(self, kind: Any, document: str, named: Named) -> Node | None:
        notes = get_args(kind)[1:] if hasattr(kind, "__metadata__") else ()
        if kind == GameId:
            return {"const": self.game.id}
        if notes and isinstance(notes[-1], HandOf):
            return self.hand(notes[-1], document, named)
        if notes and isinstance(notes[-1], Document):
            return {"$ref": f"{notes[-1].kind}.json"}
        if kind in self.narrower:
            return named(self.narrower[kind])
        most = self.game.players[-1]
        if NoMoreThanPlayers in notes and most < members.MOST_PLAYERS:
            limit = {"maximum" if get_args(kind)[0] is int else "maxItems": most}
            return {**self.reference_to(Place(COMMON, COMMON_TYPES[kind]), document), **limit}
        return None

    @cached_property
    def narrower(self) -> dict[Any, Any]:
        """The types of all games that this game narrows."""
        wide = {alias.name: getattr(members, alias.name, None) for alias in self.aliases.values()}
        return {wide[alias.name]: kind for kind, alias in self.aliases.items() if wide[alias.name] is not None}

    def hand(self, note: HandOf, document: str, named: Named) -> Node:
        """A hand with the cards and the piles of the game."""
        cards = {"items": schema_of(note.card, named)}
        unknown = {"propertyNames": {"enum": list(note.piles)}}
        common = self.reference_to(Place(COMMON, COMMON_TYPES[Hand]), document)
        return {**common, "properties": {"open": cards, "closed": cards, "unknown": unknown}}

    def schema(self, kind: Any, named: Named, inner: Named) -> Node:
        if get_origin(kind) is results.Result or (is_struct(kind) and issubclass(kind, results.Result)):
            return self.result(kind, named)
        wide = next((wide for wide, narrow in self.narrower.items() if narrow == kind), None)
        if wide is not None:
            return self.narrowed(wide, kind)
        if kind == self.documents["tokens"]:
            return {"anyOf": [named(branch) for branch in kind]}
        return super().schema(kind, named, inner)

    def narrowed(self, wide: Any, narrow: Any) -> Node:
        """A type that narrows one of all games: what it says differently."""
        known, own = schema_of(wide, lambda _: None), schema_of(narrow, lambda _: None)
        differing = {key: own[key] for key in own if key == "examples" or own[key] != known.get(key)}
        return {**self.reference_to(Place(COMMON, COMMON_TYPES[wide]), ""), **differing}

    def result(self, kind: Any, named: Named) -> Node:
        """A result: that of all games with the lines of the game, and what the game adds."""
        generic = kind if get_args(kind) else next(one for one in kind.__orig_bases__ if get_args(one))
        told = sentences.of_fields(results.PlayerResult)
        lines = {"description": told["lines"], "items": named(get_args(generic)[0])}
        own = self.struct(kind, named) if is_struct(kind) else {}
        properties = {"players": {"items": {"properties": {"lines": lines}}}, **own.pop("properties", {})}
        common = self.reference_to(Place(COMMON, COMMON_TYPES[results.Result]), "result")
        return {**common, "properties": properties, **{key: own[key] for key in own if key != "$ref"}}


def kinds_of(token: Any) -> tuple[Any, ...]:
    """The kinds of tokens: one, or several."""
    return get_args(token) if get_origin(token) is Union else (token,)
