"""Every state is checked in full, no matter who made it and how often it was seen; and where documents end."""

from bisect import bisect_left
from functools import partial
from itertools import islice
from typing import Any

import msgspec
import pytest

from capomastro import adjudicator
from capomastro.documents import json_text
from capomastro.documents.languages import using_language
from capomastro.documents.problems import Problem
from capomastro.engine import referee
from capomastro.engine.game import MAXIMUM_PLY, AnyGame
from capomastro.engine.refusals import Refusal
from capomastro.games import all_games
from tests.support.documents import as_document
from tests.support.playouts import Ply, play_out
from tests.support.setups import Setup, few_setups
from tests.support.shapes import shape_of

every_setup = pytest.mark.parametrize("setup", few_setups(), ids=str)
every_game = pytest.mark.parametrize("game", all_games().values(), ids=all_games())

Question = partial[Any]


def plies_of(game: AnyGame, players: int, options: dict[str, Any], number: int) -> list[Ply]:
    """Plies of a random game, spread over all of it."""
    plies = list(play_out(game, players, options, "checks"))
    return plies[:: max(1, len(plies) // number)]


def answer_to(question: Question) -> bytes:
    """The encoded answer, or the problem."""
    try:
        return json_text.encode(question())
    except Problem as problem:
        return json_text.encode(problem.document())


def questions(game: AnyGame, state: Any, move: Any) -> list[Question]:
    """Questions about a state and a move."""
    return [
        partial(adjudicator.transition, game, state, [move], "seed", [None, 0], 3),
        partial(adjudicator.verdict, game, state, move),
        partial(adjudicator.legal_moves, game, state, 20, explain=True),
        partial(adjudicator.view_of_state, game, state, 1),
        partial(adjudicator.score_state, game, state),
        partial(adjudicator.audit, game, state),
    ]


# --- checks ----------------------------------------------------------------------------------------------------------


@every_game
def test_a_state_that_was_just_answered_is_checked_like_any_other(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = as_document(adjudicator.set_up(game, 2, seed="answered").state)
    adjudicator.legal_moves(game, state)
    monkeypatch.setattr(game, "audit", lambda state: [Refusal(f"{game.id}.end.over")])
    with pytest.raises(Problem) as refused:
        adjudicator.legal_moves(game, state)
    assert refused.value.id == "impossible-state"


def test_multisets_out_of_order_are_put_in_order_each_time() -> None:
    game = all_games()["palazzo"]
    state = adjudicator.set_up(game, 3, seed="order").state
    document = as_document(state)
    hand = document["seats"][0]["hand"]
    assert hand["closed"] != hand["closed"][::-1]
    hand["closed"].reverse()
    for _ in range(3):
        assert adjudicator.load_state(game, document) == state


@every_game
def test_moves_are_checked_with_the_state(game: AnyGame) -> None:
    state = as_document(adjudicator.set_up(game, 2, seed="moves").state)
    for move in ({}, None, {"type": "no-such-move"}, {"type": "pass", "seat": "0"}):
        assert b'"/moves/0' in answer_to(partial(adjudicator.transition, game, state, [move]))


@every_game
def test_a_state_belongs_to_its_own_game(game: AnyGame) -> None:
    for other in all_games().values():
        if other is not game:
            state = as_document(adjudicator.set_up(other, 2, seed="other").state)
            problem = json_text.decode(answer_to(partial(adjudicator.legal_moves, game, state)))
            assert problem["problem"] == "other-game"


# --- where documents end ---------------------------------------------------------------------------------------------


@every_game
def test_a_game_that_is_too_long_cannot_be_continued(game: AnyGame) -> None:
    begin = adjudicator.set_up(game, 2, seed="long").state
    for ply in (MAXIMUM_PLY - 1, MAXIMUM_PLY):
        document = as_document(msgspec.structs.replace(begin, ply=ply))
        for question in questions(game, document, as_document(referee.legal_moves(game, begin).pick(0))):
            answer = json_text.decode(answer_to(question))
            too_long = ply == MAXIMUM_PLY and question.func is not adjudicator.audit
            if not list(game.audit(msgspec.structs.replace(begin, ply=ply))):
                assert (answer.get("problem") == "too-long") == too_long


def test_a_game_becomes_too_long_within_a_request() -> None:
    game = all_games()["palazzo"]
    first, second = islice(play_out(game, 2, {}, "long"), 200, 202)
    document = as_document(msgspec.structs.replace(first.before, ply=MAXIMUM_PLY - 1))
    moves = [as_document(first.move), as_document(second.move)]
    assert adjudicator.transition(game, document, moves[:1]).state.ply == MAXIMUM_PLY
    with pytest.raises(Problem) as refused, using_language("de"):
        adjudicator.transition(game, document, moves)
    assert refused.value.id == "too-long"
    assert refused.value.errors == [{"pointer": "/moves/1", "message": refused.value.detail}]
    assert refused.value.detail.startswith("Die Partie ist zu lang")


@every_setup
def test_the_largest_numbers_that_can_be_continued_stay_within_the_schema(setup: Setup) -> None:
    game = setup.game
    accepts = shape_of(game.id, "state").accepts
    for ply in plies_of(game, setup.players, setup.options, 40):
        before = with_largest_numbers(game, ply.before)
        if game.audit(before):
            continue  # in the set-up, which takes a certain number of moves: nobody can continue from there
        after, _ = referee.play(game, before, ply.move)
        assert accepts(as_document(before))
        assert accepts(as_document(after))
        if referee.is_over(game, after):
            assert shape_of(game.id, "result").accepts(as_document(game.result(after)))


def with_largest_numbers(game: AnyGame, state: Any) -> Any:
    """The state with the most moves and points with which it can continue."""
    state = msgspec.structs.replace(state, ply=MAXIMUM_PLY - 1)
    if not hasattr(state.seats[0], "score"):
        return state
    points = bisect_left(range(10**9), True, key=lambda score: not game.can_be_continued(with_scores(state, score))) - 1
    return with_scores(state, points)


def with_scores(state: Any, score: int) -> Any:
    seats = tuple(msgspec.structs.replace(seat, score=score) for seat in state.seats)
    return msgspec.structs.replace(state, seats=seats)
