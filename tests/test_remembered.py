"""Cached findings on parts of states change no answer: audits and figures are the same without them."""

from random import Random
from typing import Any

import msgspec
import pytest
from bench.positions import bounded_caches, forget

from capomastro.documents.shapes import shape_of
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.damage import at, places, replaced
from tests.support.documents import as_document, texts
from tests.support.playouts import play_out

every_game = pytest.mark.parametrize("game", all_games().values(), ids=all_games())


def states_of(game: AnyGame, number: int) -> list[Any]:
    """States of random games for all numbers of players, each also with one value altered, all of valid shape."""
    random = Random(number)
    accepts = shape_of(game.id, "state").accepts
    documents: list[Any] = []
    for players in game.players:
        plies = list(play_out(game, players, {}, f"remembered-{players}"))
        for ply in plies[:: max(1, len(plies) // number)]:
            document = as_document(ply.before)
            documents += [document, *filter(accepts, (altered(document, random) for _ in range(25)))]
    return [msgspec.convert(document, game.state_type) for document in documents]


def altered(document: Any, random: Random) -> Any:
    """The document with a number moved, an item of a list left out or repeated, or a text exchanged for another."""
    path = random.choice([*places(document)])
    value = at(document, path)
    if type(value) is int:
        return replaced(document, path, max(0, value + random.randint(-3, 3)))
    if isinstance(value, list):
        return replaced(document, path, sorted(value[1:] if random.random() < 0.5 else value + value[:1], key=str))
    if isinstance(value, str):
        return replaced(document, path, random.choice([*texts(document)]))
    return document


def answers(game: AnyGame, state: Any) -> Any:
    findings = list(game.audit(state))
    return findings, None if findings else (game.derived(state), referee.decision(game, state))


@every_game
def test_audits_and_figures_depend_on_nothing_remembered(game: AnyGame) -> None:
    assert bounded_caches()
    states = states_of(game, 12)
    plain = []
    for state in states:
        forget()
        plain.append(answers(game, state))
    assert any(findings for findings, _ in plain)
    assert any(not findings for findings, _ in plain)
    order = list(range(len(states)))
    for seed in (1, 2):
        Random(seed).shuffle(order)
        for index in order:
            assert answers(game, states[index]) == plain[index]
