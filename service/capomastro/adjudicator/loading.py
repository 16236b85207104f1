"""Finds the game and loads documents: checks version, shape and, for states, what is possible in the game.

Pointers in problems point into the request, where each document has its own name.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec

from capomastro.documents import claims
from capomastro.documents.canonical_form import sorted_multisets
from capomastro.documents.names import first_repeated
from capomastro.documents.phrases import quoted
from capomastro.documents.problems import MAXIMUM_ERRORS, Problem
from capomastro.documents.shapes import shape_of
from capomastro.documents.suggestions import did_you_mean, looks_like
from capomastro.documents.wordings import explained, phrase, title_of
from capomastro.engine import referee
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.refusals import Refusal
from capomastro.engine.steps import Refused
from capomastro.games import all_games

Placed = tuple[str, Any, str]
"""A document: its kind, its content, and the JSON Pointer to its place in the request."""

GREATEST_VERSION = 1_000_000
"""Greater numbers are not versions; the schema rejects them."""


def prepare_types(games: Iterable[AnyGame]) -> None:
    """Lets msgspec analyse all document types before threads start.

    It analyses a type on first use, and the process crashes if two threads do that at the same time.
    """
    for game in games:
        kinds = game.kinds_of_move.values()
        for type_ in (game.state_type, game.options_type, game.scoresheet_type, *kinds, list[game.moves]):  # type: ignore[name-defined]
            with suppress(msgspec.ValidationError):
                msgspec.convert(None, type_)


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


def require_shapes(game: AnyGame, *documents: Placed, quoting: bool = True) -> None:
    """Raises if documents do not match their schemas, with all errors up to `MAXIMUM_ERRORS`.

    Without `quoting` no error repeats anything of the documents.
    """
    errors: list[dict[str, str]] = []
    kinds: dict[str, str] = {}
    for kind, document, at in documents:
        shape = shape_of(game.id, kind)
        if not shape.accepts(document) and len(errors) < MAXIMUM_ERRORS:
            found = shape.errors(document, quoting)
            errors += [{"pointer": at + error.pointer, "message": error.message} for error in found]
            kinds[kind] = looks_like(document, kind)
    if errors:
        detail = phrase("shape", kinds=list(kinds)) + next(iter(kinds.values()))
        raise Problem("shape", detail, errors[:MAXIMUM_ERRORS])


def require_no_findings(game: AnyGame, problem: str, findings: Iterable[Refusal], at: str) -> None:
    """Raises for findings; the sentence for the problem has its name."""
    findings = list(findings)
    if findings:
        raise Problem(problem, phrase(problem), [explained(game, finding, at) for finding in findings])


def shaped_state(game: AnyGame, document: Any, at: str = "/state", *more: Placed) -> Any:
    """A state of valid shape, of this game and version; `more` are checked against their schemas with it."""
    require_game_and_version(game, document, at)
    require_shapes(game, ("state", document, at), *more)
    state = sorted_multisets(msgspec.convert(document, game.state_type))
    load_names(len(state.seats), state.names, at)
    return state


def shaped_scoresheet(game: AnyGame, document: Any) -> Any:
    """A scoresheet of valid shape, of this game and version."""
    require_game_and_version(game, document, "/scoresheet")
    require_shapes(game, ("scoresheet", document, "/scoresheet"))
    return sorted_multisets(msgspec.convert(document, game.scoresheet_type))


def load_state(game: AnyGame, document: Any, at: str = "/state", *more: Placed) -> Any:
    """A possible state, of a game that can be continued."""
    state = shaped_state(game, document, at, *more)
    require_no_findings(game, "impossible-state", game.audit(state), at)
    require_continuable(game, state, at)
    return state


def require_continuable(game: AnyGame, state: Any, at: str) -> None:
    """Raises if a game has become too long to continue."""
    if not game.can_be_continued(state) and not referee.is_over(game, state):
        detail = phrase("too-long")
        raise Problem("too-long", detail, [{"pointer": at, "message": detail}])


def move_of(game: AnyGame, document: Any) -> Move:
    """A move of valid shape."""
    # by its own type: for a union, msgspec would inspect the members on every call
    move: Move = sorted_multisets(msgspec.convert(document, game.kinds_of_move[document["type"]]))
    return move


def load_options(game: AnyGame, players: int, document: Any, at: str = "", quoting: bool = True) -> Any:
    """Options that fit the players and each other, with defaults filled in; `at` points at the object with both.

    Without `quoting` no error in their shape repeats anything of them.
    """
    if players not in game.players:
        fewest, most = game.players[0], game.players[-1]
        detail = phrase("player-count", title=title_of(game), fewest=fewest, most=most, players=players)
        raise Problem("options", detail, [{"pointer": f"{at}/players", "message": detail}])
    require_shapes(game, ("options", document, f"{at}/options"), quoting=quoting)
    options = msgspec.convert(document, game.options_type)
    refusal = game.why_not_options(players, options)
    require_no_findings(game, "options", [refusal] if refusal else [], f"{at}/options")
    return options


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


def shaped_record(game: AnyGame, document: Any, under_current_rules: bool, at: str = "/record") -> Any:
    """A record of valid shape; `under_current_rules` treats it as a record of the current version."""
    treated = document
    if under_current_rules and isinstance(document, dict) and type(document.get("rules_version")) is int:
        treated = {**document, "rules_version": game.rules_version}
    require_game_and_version(game, treated, at)
    require_shapes(game, ("record", document, at))
    if found := list(islice(claims.faults(document), MAXIMUM_ERRORS)):
        errors = [{"pointer": at + error.pointer, "message": error.message} for error in found]
        raise Problem("shape", phrase("shape", kinds=["record"]), errors)
    return treated


def load_record(game: AnyGame, document: Any, under_current_rules: bool, at: str) -> tuple[Any, list[Move]]:
    """The initial state of a record, and its moves."""
    document = shaped_record(game, document, under_current_rules, at)
    options = load_options(game, document["players"], document["options"], at)
    names = load_names(document["players"], document.get("names"), at)
    moves: list[Move] = msgspec.convert(document["moves"], list[game.moves])  # type: ignore[name-defined]
    return game.start(document["players"], options, names), [sorted_multisets(move) for move in moves]


def illegal_in_record(game: AnyGame, refused: Refused) -> Problem:
    """The problem that a move of a record is refused, where all of it must be legal."""
    detail = phrase("illegal-in-record", number=refused.index + 1)
    return Problem("illegal-move", detail, [explained(game, refused.refusal, f"/record/moves/{refused.index}")])
