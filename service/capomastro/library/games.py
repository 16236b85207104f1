"""Games: what is known before anybody plays."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from capomastro import adjudicator
from capomastro.adjudicator.loading import read_documents
from capomastro.documents import json_text, notation
from capomastro.documents.languages import using_language
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import about, languages_of, phrase, rules_of, summary_of
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.games import all_games as definitions_of_all_games

MoveLike = Move | Mapping[str, Any] | str
"""A move: as an object, as a document, or as text, `0 buy brick-2-1 payment=red-7` or in JSON."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in our words, and its source.

    `mark` is "text" (the rulebook says so), "ruling" (our decision where it is silent) or "assumed" (no source says).
    """

    id: str
    wording: str
    source: str
    mark: str

    def __str__(self) -> str:
        return f"{self.wording} [{self.mark}: {self.source}]"


class Game:
    """A game to referee. There is one object per game; `capomastro.game("…")` returns it."""

    __slots__ = ("definition",)

    definition: AnyGame
    """What the engine knows of it: its documents, decisions and rules."""

    def __init__(self, definition: AnyGame) -> None:
        self.definition = definition

    @property
    def id(self) -> str:
        """The id of the game in documents, such as "palazzo"."""
        return self.definition.id

    @property
    def title(self) -> str:
        return self.definition.title

    @property
    def players(self) -> range:
        """The possible numbers of players."""
        return self.definition.players

    @property
    def rules_version(self) -> int:
        """Increased whenever an adjudication can change."""
        return self.definition.rules_version

    @property
    def components(self) -> Mapping[str, Mapping[str, int]]:
        """The contents of the box: the number of each component, by group; a copy, from which one can count down."""
        return {group: dict(numbers) for group, numbers in self.definition.components().items()}

    @property
    def options(self) -> dict[str, Any]:
        """The options of the game, each with its default; docs/<game>.md explains them."""
        defaults: dict[str, Any] = json_text.decode(json_text.encode(self.definition.options_type()))
        return defaults

    @property
    def rules(self) -> Mapping[str, Rule]:
        """All rules by id, in the order of the rulebook."""
        rules = rules_of(self.definition).items()
        return MappingProxyType({id: Rule(id, rule["wording"], rule["source"], rule["mark"]) for id, rule in rules})

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the game is explained in, "en" first; in others it is explained in English."""
        return languages_of(self.definition)

    def about(self, language: str = "en") -> str:
        """What the game is, in one sentence; in one of the `languages`."""
        with using_language(language):
            return about(self.definition)

    def summary(self, language: str = "en") -> str:
        """How the game goes, told in a minute."""
        with using_language(language):
            return "\n".join(f"{part['lead']} {part['text']}".lstrip() for part in summary_of(self.definition))

    def move(self, move: MoveLike, names: tuple[str, ...] | None = None) -> Move:
        """A move as an object; in text, `names` may stand for seats.

        Raises:
            Problem: `shape`, `malformed-notation` or `malformed-json`.
        """
        if isinstance(move, str) and not json_text.begins_as_object(move):
            document = notation.read_move(self.definition, move, names)
        else:
            document = document_in(move)
        read: Move
        (read,) = read_documents(self.definition, ("move", document, ""))
        return read

    def notation(self, move: Move) -> str:
        """A move in text notation: `0 buy brick-2-1 payment=red-7`."""
        return notation.written_move(self.definition, document_in(move))

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    def __str__(self) -> str:
        return f"{self.title}, {self.players[0]} to {self.players[-1]} players"

    def __reduce__(self) -> tuple[Callable[[str], "Game"], tuple[str]]:
        return game, (self.id,)

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: object) -> "Game":
        return self


def all_games() -> tuple[Game, ...]:
    """Every game, in alphabetical order of ids."""
    return tuple(map(game, definitions_of_all_games()))


def game(id: str) -> Game:
    """The game with this id.

    Raises:
        Problem: `not-found`.
    """
    return of_definition(adjudicator.game_of(id))


@cache
def of_definition(definition: AnyGame) -> Game:
    """The only object for a game."""
    return Game(definition)


def game_in(document: object) -> Game:
    """The game that a document names.

    Raises:
        Problem: `shape` if it names none, `not-found` if there is no such game.
    """
    return game(adjudicator.game_in(document).id)


def document_in(document: Mapping[str, Any] | Move | str | bytes) -> Any:
    """A document as decoded JSON, given as decoded JSON, as a move, or as text.

    Raises:
        Problem: `malformed-json`.
    """
    if isinstance(document, str | bytes):
        return json_text.decode(json_text.utf8(document) if isinstance(document, str) else document)
    return json_text.decode(as_json(document))


def as_json(document: Mapping[str, Any] | Move) -> bytes:
    """A document as JSON text.

    Raises:
        Problem: `malformed-json` if it has values that JSON cannot represent.
    """
    try:
        return json_text.encode(document)
    except UnicodeEncodeError:
        raise Problem("malformed-json", phrase("not-json", reason=json_text.LONE_SURROGATE)) from None
    except (TypeError, ValueError) as error:
        raise Problem("malformed-json", phrase("not-json", reason=str(error))) from None
