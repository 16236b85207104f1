"""What there is to know about games without a state: facts, rules, schemas, and where on a server to find them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from capomastro import addresses
from capomastro.adjudicator import Answer
from capomastro.documents import shapes
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import rules_of
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.game import SCHEMA_VERSION, AnyGame
from capomastro.engine.referee import type_of


def entry(game: AnyGame) -> Answer:
    """A game in the list of games."""
    return {
        "id": game.id,
        "title": game.title,
        "rules_version": game.rules_version,
        "schema_version": SCHEMA_VERSION,
        "players": list(game.players),
        "links": {"self": addresses.game(game.id)},
    }


def page(game: AnyGame, operations: Mapping[str, str]) -> Answer:
    """Everything about a game that does not depend on a state; `operations` by name are what can be asked of it."""
    return {
        **entry(game),
        "options": {
            "defaults": msgspec.convert({}, game.options_type),
            "schema": served_schema(game.id, "options"),
        },
        "components": game.components(),
        "decisions": [decision_entry(decision) for decision in game.decisions],
        "assumptions": [
            {"rule": id, "wording": rule["wording"]} for id, rule in rules_of(game).items() if rule["mark"] == "assumed"
        ],
        "links": {
            "self": addresses.game(game.id),
            "rules": addresses.rules(game.id),
            "schemas": {document: addresses.schema(game.id, document) for document in shapes.documents_of(game.id)},
            "operations": {name: path.replace("{game}", game.id) for name, path in operations.items()},
        },
    }


def decision_entry(decision: SeatDecision[Any] | ChanceDecision[Any]) -> Answer:
    """A kind of decision, who makes it, and the types of its moves in the order of the rulebook."""
    moves = list(decision.rules) if isinstance(decision, SeatDecision) else [decision.rule.move]
    return {"kind": type_of(decision.stage), "actor": decision.actor, "moves": [type_of(move) for move in moves]}


def rule_entry(game: AnyGame, id: str, rule: Mapping[str, str]) -> Answer:
    """A rule: our wording, its source, its mark, and the sentence of a refusal if it can refuse something."""
    return {"id": id, "game": game.id, **rule, "links": {"self": addresses.rule(game.id, id)}}


def rules(game: AnyGame) -> Answer:
    return {"rules": [rule_entry(game, id, rule) for id, rule in rules_of(game).items()]}


def rule_page(game: AnyGame, id: str) -> Answer:
    """One rule, by its full id.

    Raises:
        Problem: `not-found`.
    """
    rule = rules_of(game).get(id)
    if rule is None:
        raise Problem("not-found", f"{game.title} has no rule {id[:80]!r}; GET {addresses.rules(game.id)} lists them.")
    return rule_entry(game, id, rule)


def schema(game_id: str | None, document: str) -> Answer:
    """A schema of a game, or with None one that all games share.

    Raises:
        Problem: `not-found`.
    """
    known = shapes.documents_of(game_id)
    if document not in known:
        raise Problem("not-found", f"There is no schema {document[:40]!r} here; the schemas are {', '.join(known)}.")
    return served_schema(game_id, document)


def served_schema(game_id: str | None, document: str) -> shapes.Schema:
    """A schema as it is served: its `$id` is its address on the server, and its references resolve there.

    Raises:
        KeyError: if there is no such schema.
    """

    def address_of(reference: str) -> str:
        file, number_sign, fragment = reference.partition("#")
        return (addresses.schema(*shapes.referred(game_id, file)) if file else "") + number_sign + fragment

    schema = shapes.schema_of(game_id, document)
    identified = {"$schema": schema["$schema"], "$id": addresses.schema(game_id, document)}
    return {**identified, **shapes.with_references(schema, address_of)}
