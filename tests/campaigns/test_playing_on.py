"""A few hundred states of `make campaign NAME=playing-on` with every test; and what it looks for would be found."""

from random import Random
from typing import Any

import pytest

from capomastro.documents.files import openapi_json
from capomastro.engine import referee
from capomastro.engine.decisions import NO_MOVES, ListedMoves, Moves
from capomastro.engine.game import AnyGame
from capomastro.engine.referee import legal_moves
from capomastro.engine.refusals import refuse
from capomastro.games import all_games
from tests.campaigns import fuzz, playing_on
from tests.campaigns.asking import question_of
from tests.campaigns.contract import Contract
from tests.campaigns.corpus import corpora, fresh
from tests.campaigns.examining import examined
from tests.support.documents import as_document, as_state


@pytest.fixture(scope="module", autouse=True)
def _material() -> None:
    """The games that states are taken from are played before a test plants its fault."""
    corpora()


every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)


def signatures(game: AnyGame, states: int = 40) -> list[str]:
    """What is found with so many changed states."""
    return [one["signature"] for one in playing_on.block(game.id, "test", 0, states)["findings"]]


@every_game
def test_changed_states_can_be_played_on(game: AnyGame) -> None:
    result = playing_on.block(game.id, "test", 0, states=60)
    assert not result["findings"]
    assert result["counted"]["changed"] == 60
    assert 0 < result["counted"]["accepted"] < 60


def test_an_audit_that_accepts_everything_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = all_games()["fifth-avenue"]
    monkeypatch.setattr(game, "audit", lambda state: ())
    assert signatures(game, 100)


@every_game
def test_a_rule_that_fails_is_found(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(game, "derived", fail)
    assert any(signature.endswith("play-moves: 500") for signature in signatures(game))


def test_other_lists_than_what_is_accepted_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = all_games()["palazzo"]
    monkeypatch.setattr(referee, "legal_moves", lambda *_: NO_MOVES)
    found = set(signatures(game))
    assert "POST /v1/games/palazzo/legal-moves: a seat has no legal move" in found
    monkeypatch.undo()
    refusal = refuse("palazzo.turn.seat", "/seat", seat=0, to_decide=1)
    monkeypatch.setattr(referee, "refusal", lambda *_: refusal)
    found = set(signatures(game))
    assert "POST /v1/games/palazzo/legal-moves: lists an illegal move" in found


def test_a_move_that_is_accepted_and_not_listed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = all_games()["palazzo"]

    def all_but_the_first(game: AnyGame, state: Any, all_payments: bool = False, *, real: Any = legal_moves) -> Moves:
        return ListedMoves(list(real(game, state, all_payments).starting_at(0))[1:])

    monkeypatch.setattr(referee, "legal_moves", all_but_the_first)
    assert [one for one in signatures(game) if "a seat has no legal move" in one]
    random = Random("unlisted")
    corpus = fresh(random)[game.id]
    state = next(one for one in corpus.states if one["stage"]["type"] == "choose-tile")
    asked = playing_on.request(
        game, "verdicts", {"state": state, "move": as_document(legal_moves(game, as_state(game, state)).pick(0))}
    )
    _, findings = examined(*fuzz.service(), asked, thoroughly=True, slow=60)
    assert [one.signature for one in findings] == ["POST /v1/games/palazzo/verdicts: accepts a move that is not listed"]


def test_everything_that_takes_a_state_is_asked() -> None:
    contract = Contract(openapi_json())
    game, random = all_games()["palazzo"], Random("resources")
    corpus = fresh(random)[game.id]
    state = next(state for accepted, state in playing_on.walk(random, corpus, 100) if accepted)
    asked = {question_of(one) for one in playing_on.questions_about(random, game, state, corpus)}
    taking = set()
    for path, methods in contract.document["paths"].items():
        body = methods.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json", {})
        schema = contract.resolved(body.get("schema", {}))
        forms = [schema, *map(contract.resolved, schema.get("oneOf", ()))]
        if path.startswith("/v1/games/palazzo/") and any("state" in form.get("properties", {}) for form in forms):
            taking.add(path.removeprefix("/v1/games/palazzo/"))
    assert asked == taking


@every_game
def test_every_change_is_made(game: AnyGame) -> None:
    random = Random("changes")
    corpus = fresh(random)[game.id]
    for change in playing_on.CHANGES:
        states = random.choices(corpus.states, k=60)
        if change in (playing_on.hand_changed, playing_on.seen_by_another) and "hand" not in states[0]["seats"][0]:
            continue
        assert any(change(random, state, corpus) != state for state in states), change.__name__


@every_game
def test_a_block_always_changes_the_same_states(game: AnyGame) -> None:
    def walked() -> list[tuple[bool, object]]:
        random = Random("again")
        return list(playing_on.walk(random, fresh(random)[game.id], 10))

    assert walked() == walked()
