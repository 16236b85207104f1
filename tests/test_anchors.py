"""Every rule can be found: its id is in the code, and the index has what it governs and examples."""

import ast
import re

import pytest

from capomastro.documents.languages import ORIGINAL
from capomastro.documents.rule_index import rule_index
from capomastro.documents.wordings import SHARED, catalogue, rules_of
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import type_of
from capomastro.games import all_games
from tests.support.anchors import ASKED_FIRST, governed, literals, modules_of, rules_of_the_engine
from tests.support.conformance import CONFORMANCE
from tests.support.rule_index import index_file, index_of, text_of

every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.id)


@every_game
def test_the_code_names_exactly_the_rules_of_the_catalogue(game: AnyGame) -> None:
    """In the game, or in the engine without the game's id; not every game can break all of the engine's."""
    of_engine = {game.rule(name) for name in rules_of_the_engine()}
    named = {literal.id for literal in literals(game)}
    assert named | (of_engine & set(rules_of(game))) == set(rules_of(game))


def test_what_all_games_say_alike_is_about_rules_of_the_engine() -> None:
    assert set(catalogue(SHARED, ORIGINAL)["rules"]) >= rules_of_the_engine() - {"setup.order"}
    for game in all_games().values():
        for names in ASKED_FIRST.values():
            assert {game.rule(name) for name in names} <= set(rules_of(game))


@every_game
def test_no_id_is_put_together(game: AnyGame) -> None:
    """A search for the id must find it: it is one literal, at the top level of a module or below."""
    for module, tree in modules_of(game).items():
        source = ast.unparse(tree)
        assert not re.search(rf"f['\"]({game.id}|\{{)\.", source), module
        whole = set(re.findall(rf"['\"]({game.id}\.[a-z-]+\.[a-z-]+)['\"]", source))
        assert whole <= {literal.id for literal in literals(game)}, module


@every_game
def test_the_rule_index_is_up_to_date(game: AnyGame) -> None:
    assert index_file(game).read_text("utf-8") == text_of(index_of(game)), "make generated, and read the difference"


@every_game
def test_the_rule_index_names_existing_decisions_moves_and_files(game: AnyGame) -> None:
    assert list(rule_index(game)) == list(rules_of(game))
    for entry in rule_index(game).values():
        assert set(entry["decisions"]) <= {type_of(decision.stage) for decision in game.decisions}
        assert set(entry["moves"]) <= set(game.kinds_of_move)
        assert bool(entry["decisions"]) == bool(entry["moves"])
        assert all((CONFORMANCE / shown["file"]).is_file() for shown in entry["shown_by"])


@pytest.mark.parametrize(
    ("rule", "decisions", "moves"),
    [
        ("palazzo.buy.price", ("buy-or-auction",), ("buy",)),
        ("palazzo.draw.card", ("deal-card", "reveal-card"), ("deal-card", "reveal-card")),
        ("palazzo.take-money.choose", ("choose-card",), ("take-card",)),
        ("palazzo.building.own-tiles", ("place-tile",), ("place-on-top", "begin-palace", "throw-away")),
        ("carrara.buy.must-buy", ("buy-blocks",), ("take-coins",)),
        ("campanile.variant.source", ("place-marker",), ("move-marker",)),
    ],
)
def test_what_a_rule_governs_is_found(rule: str, decisions: tuple[str, ...], moves: tuple[str, ...]) -> None:
    game = all_games()[rule.partition(".")[0]]
    assert governed(game)[rule] == (decisions, moves)


def test_a_rule_of_scoring_governs_no_move_and_one_of_the_referee_all_of_an_actor() -> None:
    game = all_games()["palazzo"]
    assert "palazzo.scoring.windows" not in governed(game)
    assert len(governed(game)["palazzo.turn.seat"].decisions) == 7
    assert governed(game)["palazzo.turn.chance"].moves == ("draw-tile", "deal-card", "reveal-card")
