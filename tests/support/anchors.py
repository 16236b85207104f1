"""The places of rules in the code of a game, read from its source.

Each id of the catalogue is a literal at the line, table or class that enforces the rule. A rule governs a kind of move
if the class of that move reaches the literal: in its own body, in its bases, or in any code of the game that they use.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NamedTuple

from capomastro.documents.wordings import package_of
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import type_of
from capomastro.engine.rules import Rule

ENFORCING = ("capomastro.engine.referee", "capomastro.engine.audits")
"""The modules that enforce rules of every game."""


class Place(NamedTuple):
    """A definition at the top level of a module."""

    module: str
    name: str


class Literal(NamedTuple):
    """The id of a rule in the code: its line, and the definition it belongs to."""

    id: str
    place: Place
    line: int


@cache
def modules_of(game: AnyGame) -> dict[str, ast.Module]:
    """Every module of a game by its name, parsed."""
    package = package_of(game)
    spec = find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    found = walk_packages(spec.submodule_search_locations, f"{package}.")
    return {name: parsed(name) for name in (package, *(module.name for module in found))}


def parsed(module: str) -> ast.Module:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return ast.parse(Path(spec.origin).read_text("utf-8"))


def targets(node: ast.stmt) -> Iterator[str]:
    """The names that a top-level statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    for target in node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]:
        if target is not None:
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


@cache
def definitions(game: AnyGame) -> dict[Place, ast.stmt]:
    return {
        Place(module, name): node
        for module, tree in modules_of(game).items()
        for node in tree.body
        for name in targets(node)
    }


@cache
def literals(game: AnyGame) -> tuple[Literal, ...]:
    """Every text in the code that looks like the id of a rule of this game, except in docstrings and comments."""
    pattern = re.compile(rf"{game.id}\.[a-z-]+\.[a-z-]+")
    return tuple(
        Literal(part.value, place, part.lineno)
        for place, node in definitions(game).items()
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and pattern.fullmatch(part.value)
    )


@cache
def rules_of_the_engine() -> frozenset[str]:
    """The names of the rules that the engine enforces in every game: their ids without that of the game."""
    return frozenset(
        str(part.args[-1].value)
        for module in ENFORCING
        for part in ast.walk(parsed(module))
        if isinstance(part, ast.Call)
        and ast.unparse(part.func) in ("game.rule", "rule_of")
        and isinstance(part.args[-1], ast.Constant)
    )


# --- what a definition uses ------------------------------------------------------------------------------------------


@cache
def imported(game: AnyGame, module: str) -> dict[str, Place]:
    """The names that a module imports from the game; an imported module has no definition name."""
    names = {}
    for node in ast.walk(modules_of(game)[module]):
        if isinstance(node, ast.ImportFrom) and node.module in modules_of(game):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                place = Place(whole, "") if whole in modules_of(game) else Place(node.module, alias.name)
                names[alias.asname or alias.name] = place
    return names


def resolved(game: AnyGame, place: Place) -> Place | None:
    """The definition of a name, resolved through re-exporting modules."""
    while place not in definitions(game):
        further = imported(game, place.module).get(place.name) if place.module in modules_of(game) else None
        if further is None or not further.name:
            return None
        place = further
    return place


def used(node: ast.AST, hidden: frozenset[str] = frozenset()) -> Iterator[ast.Name | ast.Attribute]:
    """The names that a piece of code uses, without annotations and local names."""
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        arguments = node.args
        own = {argument.arg for argument in [*arguments.args, *arguments.kwonlyargs, *arguments.posonlyargs]}
        own |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        body: Sequence[ast.AST] = node.body if isinstance(node, ast.FunctionDef) else [node.body]
        for part in [*arguments.defaults, *arguments.kw_defaults, *getattr(node, "decorator_list", ())]:
            if part is not None:
                yield from used(part, hidden)
        for part in body:
            yield from used(part, hidden | own)
    elif isinstance(node, ast.AnnAssign):
        if node.value:
            yield from used(node.value, hidden)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in hidden:
        yield node
    elif isinstance(node, ast.Name):
        if node.id not in hidden:
            yield node
    else:
        for child in ast.iter_child_nodes(node):
            yield from used(child, hidden)


@cache
def uses(game: AnyGame, place: Place) -> frozenset[Place]:
    """The definitions of the game that a definition uses."""
    names, found = imported(game, place.module), set()
    for name in used(definitions(game)[place]):
        first = name.id if isinstance(name, ast.Name) else name.value.id  # type: ignore[attr-defined]
        there = names.get(first, Place(place.module, first))
        if not there.name and isinstance(name, ast.Attribute):
            there = Place(there.module, name.attr)
        definition = resolved(game, there)
        if definition:
            found.add(definition)
    return frozenset(found)


def reached(game: AnyGame, start: Place) -> set[Place]:
    """Everything a definition uses, directly or not."""
    seen, waiting = {start}, [start]
    while waiting:
        for place in uses(game, waiting.pop()) - seen:
            seen.add(place)
            waiting.append(place)
    return seen


# --- what a rule governs ---------------------------------------------------------------------------------------------


class Governed(NamedTuple):
    """The decisions and the kinds of moves that a rule governs, in the order of the table of decisions."""

    decisions: tuple[str, ...]
    moves: tuple[str, ...]


def rules_reached(game: AnyGame, rule: Rule[Any, Any]) -> set[str]:
    """The rule ids that the rule of a move reaches."""
    kind = type(rule)
    places = reached(game, Place(kind.__module__, kind.__name__))
    return {literal.id for literal in literals(game) if literal.place in places}


ASKED_FIRST = {"chance": ("turn.chance",), "seat": ("turn.decision", "turn.seat", "turn.step")}
"""The rules that the referee asks before those of a move, by who decides."""


@cache
def governed(game: AnyGame) -> dict[str, Governed]:
    """The decisions and moves of each rule that governs any; scoring rules, for example, govern none."""
    found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for here in game.decisions:
        always = {game.rule(name) for name in ASKED_FIRST[here.actor]}
        for kind, rule in here.rules.items():
            for id in rules_reached(game, rule) | always:
                decisions, moves = found.setdefault(id, ({}, {}))
                decisions[type_of(here.stage)] = None
                moves[type_of(kind)] = None
    return {id: Governed(tuple(decisions), tuple(moves)) for id, (decisions, moves) in found.items()}
