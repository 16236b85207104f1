"""One engine, one dialect: the names that games give their rules, and types that follow from their decisions."""

import ast
import inspect
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeGuard, get_args, get_type_hints

import pytest

from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.rules import MoveRule
from capomastro.engine.stages import GameOver
from capomastro.games import all_games

every_game = pytest.mark.parametrize("game", all_games().values(), ids=all_games())


def expected_names(game: AnyGame) -> Iterator[tuple[str, str]]:
    """The name of every rule in the table of decisions, and what it has to be."""
    rules = {(move, type(rule)) for here in game.decisions for move, rule in here.rules.items()}
    moves = Counter(move for move, _ in rules)
    for here in game.decisions:
        stage = here.stage.__name__
        if isinstance(here, ChanceDecision):
            yield type(here.rule).__name__, f"{stage}Rule"
            continue
        for move, rule in here.rules.items():
            place = f"In{stage}" if moves[move] > 1 else ""
            yield type(rule).__name__, f"{move.__name__}{place}Rule"


@every_game
def test_a_rule_is_called_after_its_move_and_a_rule_of_chance_after_its_stage(game: AnyGame) -> None:
    assert [name for name, expected in expected_names(game) if name != expected] == []


@every_game
def test_the_kind_of_move_is_given_only_as_the_parameter_of_the_rule(game: AnyGame) -> None:
    modules = {inspect.getmodule(type(rule)) for here in game.decisions for rule in here.rules.values()}
    classes = [
        node for module in modules if module for node in ast.parse(inspect.getsource(module)).body if is_class(node)
    ]
    restated = [node for node in classes if any(ast.unparse(line).startswith("move =") for line in node.body)]
    assert [node.name for node in restated] == []


def is_class(node: ast.stmt) -> TypeGuard[ast.ClassDef]:
    return isinstance(node, ast.ClassDef)


@every_game
def test_the_union_of_stages_is_that_of_the_decisions(game: AnyGame) -> None:
    """It is in the state as well, where mypy and msgspec need it written out."""
    union = get_type_hints(game.state_type)["stage"]
    assert get_args(union) == (*(here.stage for here in game.decisions), GameOver)


class Sample(Move, frozen=True):
    """A move."""


def test_a_rule_finds_its_kind_of_move_among_its_parameters() -> None:
    class SampleRule(MoveRule[Any, Sample]):
        refusal = play = None  # type: ignore[assignment]

    class InheritedRule(SampleRule):
        pass

    assert [vars(kind).get("move") for kind in (InheritedRule, SampleRule, MoveRule)] == [None, Sample, None]
