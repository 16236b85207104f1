"""Documents in: each is checked for its version, its shape, and what its game says can be, before it becomes a value.

Pointers in problems are into the request, where each document stands under its own name.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from capomastro.documents import json_text
from capomastro.documents.canonical_form import sorted_multisets
from capomastro.documents.problems import MAXIMUM_ERRORS, Problem
from capomastro.documents.recognition import RecentHashes
from capomastro.documents.shapes import shape_of
from capomastro.documents.wordings import explained
from capomastro.engine import referee
from capomastro.engine.decisions import Move
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.refusals import Refusal

Placed = tuple[str, Any, str]
"""A document: its kind, itself, and the JSON Pointer to where it stands in the request."""

sound_states = RecentHashes(maximum=4096)
"""States that were answered here, or accepted just as they came: of valid shape, past the audit, all in order."""


GREATEST_VERSION = 1_000_000
"""A greater number is no version: what is wrong with it, the schema says."""


def prepare_types(games: Iterable[AnyGame]) -> None:
    """Has msgspec work out all types of documents, before there are threads.

    It does so when a type is met for the first time. Two threads that meet it at the same time crash the process.
    """
    for game in games:
        kinds = referee.kinds_of_move(game).values()
        for type_ in (game.state_type, game.options_type, game.scoresheet_type, *kinds, list[game.moves]):  # type: ignore[name-defined]
            with suppress(msgspec.ValidationError):
                msgspec.convert(None, type_)


def refuse_foreign(game: AnyGame, document: Any, at: str) -> None:
    """Raises if a document says that it belongs to another game or was made under another version."""
    if not isinstance(document, dict):
        return
    other = document.get("game", game.id)
    if other != game.id and isinstance(other, str):
        detail = f"The document is of the game {other[:40]!r}, not of {game.id!r}."
        raise Problem("other-game", detail, [{"pointer": f"{at}/game", "message": detail}])
    for member, ours in (("schema_version", SCHEMA_VERSION), ("rules_version", game.rules_version)):
        theirs = document.get(member, ours)
        if theirs != ours and type(theirs) is int and abs(theirs) <= GREATEST_VERSION:
            detail = f"The document has {member} {theirs}; this service adjudicates {member} {ours}."
            raise Problem("other-version", detail, [{"pointer": f"{at}/{member}", "message": detail}])


def refuse_shapes(game: AnyGame, *documents: Placed) -> None:
    """Raises with all errors of shape in all documents, up to a cap."""
    errors: list[dict[str, str]] = []
    kinds: dict[str, None] = {}
    for kind, document, at in documents:
        shape = shape_of(game.id, kind)
        if not shape.accepts(document) and len(errors) < MAXIMUM_ERRORS:
            errors += [{"pointer": at + error.pointer, "message": error.message} for error in shape.errors(document)]
            kinds[kind] = None
    if errors:
        detail = f"Not of the shape its schema says: {', '.join(kinds)}."
        raise Problem("shape", detail, errors[:MAXIMUM_ERRORS])


def refuse_findings(game: AnyGame, problem: str, detail: str, findings: Iterable[Refusal], at: str) -> None:
    findings = list(findings)
    if findings:
        raise Problem(problem, detail, [explained(game, finding, at) for finding in findings])


def shaped_state(game: AnyGame, document: Any, at: str = "/state", *others: Placed) -> Any:
    """A state of valid shape, of this game and version; `others` are held against their schemas with it."""
    refuse_foreign(game, document, at)
    refuse_shapes(game, ("state", document, at), *others)
    state = msgspec.convert(document, game.state_type)
    load_names(len(state.seats), state.names, at)
    return state


def load_state(game: AnyGame, document: Any, at: str = "/state", *others: Placed) -> Any:
    """A state that can be; one that is recognised is neither held against its schema nor audited again."""
    document_hash = json_text.state_hash(document)
    if document_hash in sound_states and document["game"] == game.id:
        refuse_shapes(game, *others)
        state = msgspec.convert(document, game.state_type)
    else:
        as_it_came = shaped_state(game, document, at, *others)
        state = sorted_multisets(as_it_came)
        refuse_findings(game, "impossible-state", "The state cannot be.", game.audit(state), at)
        if state is as_it_came:
            sound_states.add(document_hash)
    refuse_too_long(game, state, at)
    return state


def refuse_too_long(game: AnyGame, state: Any, at: str) -> None:
    """Raises if a game has become too long to be played on."""
    if not game.can_be_continued(state) and not referee.is_over(game, state):
        detail = "The game has become so long that documents could not tell how it goes on."
        raise Problem("too-long", detail, [{"pointer": at, "message": "its numbers are too large to be played on"}])


def move_of(game: AnyGame, document: Any) -> Move:
    """A move whose shape has been found valid."""
    # by its own kind: of a union msgspec would find out anew each time what is in it
    move: Move = sorted_multisets(msgspec.convert(document, referee.kinds_of_move(game)[document["type"]]))
    return move


def load_options(game: AnyGame, players: int, document: Any, at: str = "") -> Any:
    """Options that fit the players and each other, defaults filled in; `at` is where both stand."""
    if players not in game.players:
        fewest, most = game.players[0], game.players[-1]
        detail = f"{game.title} is for {fewest} to {most} players, not for {players}."
        raise Problem("options", detail, [{"pointer": f"{at}/players", "message": detail}])
    refuse_shapes(game, ("options", document, f"{at}/options"))
    options = msgspec.convert(document, game.options_type)
    refusal = game.refuse_options(players, options)
    refuse_findings(game, "options", "These options cannot be played.", [refusal] if refusal else [], f"{at}/options")
    return options


def load_names(players: int, names: Sequence[str] | None, at: str = "") -> tuple[str, ...] | None:
    """The players' names, as many as there are players."""
    if names is not None and len(names) != players:
        detail = f"There must be as many names as players, {players}, not {len(names)}."
        raise Problem("options", detail, [{"pointer": f"{at}/names", "message": detail}])
    return None if names is None else tuple(names)


def shaped_record(game: AnyGame, document: Any, under_current_rules: bool, at: str = "/record") -> Any:
    """A record of valid shape; under current rules it is taken for one of the current version."""
    taken = document
    if under_current_rules and isinstance(document, dict) and type(document.get("rules_version")) is int:
        taken = {**document, "rules_version": game.rules_version}
    refuse_foreign(game, taken, at)
    refuse_shapes(game, ("record", document, at))
    return taken


def load_record(game: AnyGame, document: Any, under_current_rules: bool, at: str) -> tuple[Any, list[Move]]:
    """The state a record starts from and its moves."""
    document = shaped_record(game, document, under_current_rules, at)
    options = load_options(game, document["players"], document["options"], at)
    names = load_names(document["players"], document.get("names"), at)
    moves: list[Move] = msgspec.convert(document["moves"], list[game.moves])  # type: ignore[name-defined]
    return game.start(document["players"], options, names), [sorted_multisets(move) for move in moves]
