"""Finds the game and loads documents: checks version, shape and, for states, what is possible in the game.

Pointers in problems point into the request, where each document has its own name.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from msgspec import UNSET

from capomastro.documents import claims, shapes
from capomastro.documents.names import first_repeated
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import MAXIMUM_ERRORS, Problem
from capomastro.documents.reading import Unreadable, reader_of
from capomastro.documents.suggestions import did_you_mean, looks_like
from capomastro.documents.wordings import explained, phrase, title_of
from capomastro.engine import referee
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.records import Record
from capomastro.engine.refusals import Refusal
from capomastro.engine.steps import Refused
from capomastro.games import all_games

Placed = tuple[str, Any, str]
"""A document: its kind, its content, and the JSON Pointer to its place in the request."""

GREATEST_VERSION = 1_000_000
"""Greater numbers are not versions; the schema rejects them."""


def game_of(game_id: str) -> AnyGame:
    """The game with this id.

    Raises:
        Problem: `not-found`.
    """
    game = all_games().get(game_id)
    if game is None:
        detail = phrase("no-such-game", game=quoted(game_id[:40]), games=list(all_games()))
        raise Problem("not-found", detail + did_you_mean(game_id, all_games()))
    return game


def game_in(document: Any, at: str = "") -> AnyGame:
    """The game that a document names.

    Raises:
        Problem: `shape` if it names none, `not-found` if there is no such game.
    """
    game = document.get("game") if isinstance(document, dict) else None
    if not isinstance(game, str):
        detail = phrase("no-game-named") + looks_like(document, "")
        if not isinstance(document, dict):
            raise Problem("shape", detail, [{"pointer": at, "message": "must be an object"}])
        message = 'must name its game, such as "game": "' + next(iter(all_games())) + '"'
        raise Problem("shape", detail, [{"pointer": f"{at}/game", "message": message}])
    return game_of(game)


def require_game_and_version(game: AnyGame, document: Any, at: str) -> None:
    """Raises if a document names another game or another version."""
    if not isinstance(document, dict):
        return
    name = document.get("game", game.id)
    if name != game.id and isinstance(name, str):
        detail = phrase("other-game", other=quoted(name[:40]), game=quoted(game.id))
        raise Problem("other-game", detail, [{"pointer": f"{at}/game", "message": detail}])
    for member, current in (("schema_version", SCHEMA_VERSION), ("rules_version", game.rules_version)):
        stated = document.get(member, current)
        if stated != current and type(stated) is int and abs(stated) <= GREATEST_VERSION:
            detail = phrase("other-version", member=member, theirs=stated, ours=current)
            raise Problem("other-version", detail, [{"pointer": f"{at}/{member}", "message": detail}])


def read_documents(game: AnyGame, *documents: Placed, quoting: bool = True) -> list[Any]:
    """The values of documents, whose shapes are checked.

    Raises:
        Problem: `shape`, with all errors up to `MAXIMUM_ERRORS`; without `quoting` they repeat nothing of the
            documents.
    """
    values: list[Any] = []
    errors: list[dict[str, str]] = []
    kinds: dict[str, str] = {}
    for kind, document, at in documents:
        try:
            values.append(reader_of(game, kind)(document))
        except Unreadable:
            if len(errors) < MAXIMUM_ERRORS:
                found = shapes.errors_in(game, kind, document, quoting)
                errors += [{"pointer": at + error.pointer, "message": error.message} for error in found]
                kinds[kind] = looks_like(document, kind)
    if kinds:
        detail = phrase("shape", kinds=list(kinds)) + next(iter(kinds.values()))
        raise Problem("shape", detail, errors[:MAXIMUM_ERRORS])
    return values


def require_no_findings(game: AnyGame, problem: str, findings: Iterable[Refusal], at: str) -> None:
    """Raises for findings; the sentence for the problem has its name."""
    findings = list(findings)
    if findings:
        raise Problem(problem, phrase(problem), [explained(game, finding, at) for finding in findings])


def shaped_state(game: AnyGame, document: Any, at: str = "/state") -> Any:
    """A state of valid shape, of this game and version."""
    return shaped_state_and_moves(game, document, (), at)[0]


def shaped_state_and_moves(
    game: AnyGame, document: Any, moves: Sequence[Placed], at: str = "/state"
) -> tuple[Any, list[Move]]:
    """A state of valid shape, of this game and version, and moves of valid shape."""
    require_game_and_version(game, document, at)
    state, *read_moves = read_documents(game, ("state", document, at), *moves)
    load_names(len(state.seats), state.names, at)
    return state, read_moves


def shaped_scoresheet(game: AnyGame, document: Any) -> Any:
    """A scoresheet of valid shape, of this game and version."""
    require_game_and_version(game, document, "/scoresheet")
    (sheet,) = read_documents(game, ("scoresheet", document, "/scoresheet"))
    return sheet


def load_state(game: AnyGame, document: Any, at: str = "/state") -> Any:
    """A possible state, of a game that can be continued."""
    return load_state_and_moves(game, document, (), at)[0]


def load_state_and_moves(
    game: AnyGame, document: Any, moves: Sequence[Placed], at: str = "/state"
) -> tuple[Any, list[Move]]:
    """A possible state, of a game that can be continued, and moves of valid shape."""
    state, read_moves = shaped_state_and_moves(game, document, moves, at)
    require_no_findings(game, "impossible-state", game.audit(state), at)
    require_continuable(game, state, at)
    return state, read_moves


def require_continuable(game: AnyGame, state: Any, at: str) -> None:
    """Raises if a game has become too long to continue."""
    if not game.can_be_continued(state) and not referee.is_over(game, state):
        detail = phrase("too-long")
        raise Problem("too-long", detail, [{"pointer": at, "message": detail}])


def load_options(game: AnyGame, players: int, document: Any, at: str = "", quoting: bool = True) -> Any:
    """Options that fit the players and each other, with defaults filled in; `at` points at the object with both.

    Without `quoting` no error in their shape repeats anything of them.
    """
    require_players(game, players, at)
    (options,) = read_documents(game, ("options", document, f"{at}/options"), quoting=quoting)
    require_options(game, players, options, at)
    return options


def require_players(game: AnyGame, players: int, at: str) -> None:
    """Raises for a number of players that the game is not for."""
    if players not in game.players:
        fewest, most = game.players[0], game.players[-1]
        detail = phrase("player-count", title=title_of(game), fewest=fewest, most=most, players=players)
        raise Problem("options", detail, [{"pointer": f"{at}/players", "message": detail}])


def require_options(game: AnyGame, players: int, options: Any, at: str) -> None:
    """Raises for options that do not fit the players, or each other."""
    refusal = game.why_not_options(players, options)
    require_no_findings(game, "options", [refusal] if refusal else [], f"{at}/options")


def load_names(players: int, names: Sequence[str] | None, at: str = "") -> tuple[str, ...] | None:
    """The players' names, one for each player, all of them different."""
    if names is None:
        return None
    if len(names) != players:
        detail = phrase("names", players=players, names=len(names))
        raise Problem("options", detail, [{"pointer": f"{at}/names", "message": detail}])
    if (repeated := first_repeated(names)) is not None:
        seat, before = repeated
        detail = phrase("name-repeated", seat=seat, before=before)
        raise Problem("options", detail, [{"pointer": f"{at}/names/{seat}", "message": detail}])
    return tuple(names)


def shaped_record(game: AnyGame, document: Any, under_current_rules: bool, at: str = "/record") -> Record:
    """A record of valid shape; `under_current_rules` treats it as a record of the current version."""
    if under_current_rules and isinstance(document, dict) and type(document.get("rules_version")) is int:
        require_game_and_version(game, {**document, "rules_version": game.rules_version}, at)
    else:
        require_game_and_version(game, document, at)
    record: Record
    (record,) = read_documents(game, ("record", document, at))
    if found := list(islice(claims.faults(document), MAXIMUM_ERRORS)):
        errors = [{"pointer": at + error.pointer, "message": error.message} for error in found]
        raise Problem("shape", phrase("shape", kinds=["record"]), errors)
    return record


def load_record(game: AnyGame, document: Any, under_current_rules: bool, at: str) -> tuple[Any, list[Move]]:
    """The initial state of a record, and its moves."""
    record = shaped_record(game, document, under_current_rules, at)
    require_players(game, record.players, at)
    require_options(game, record.players, record.options, at)
    names = load_names(record.players, None if record.names is UNSET else record.names, at)
    return game.start(record.players, record.options, names), record.moves


def illegal_in_record(game: AnyGame, refused: Refused) -> Problem:
    """The problem that a move of a record is refused, where all of it must be legal."""
    detail = phrase("illegal-in-record", number=refused.index + 1)
    return Problem("illegal-move", detail, [explained(game, refused.refusal, f"/record/moves/{refused.index}")])
