"""Recognition of states: a state that comes back unchanged is not checked again, and no answer depends on that."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from capomastro import adjudicator, answers
from capomastro.adjudicator import sound_states
from capomastro.documents import json_text
from capomastro.documents.languages import using_language
from capomastro.documents.problems import Problem
from capomastro.documents.recognition import RecentHashes
from capomastro.documents.shapes import shape_of
from capomastro.engine import referee
from capomastro.engine.game import MAXIMUM_PLY, AnyGame
from capomastro.games import all_games
from tests.support.damage import damaged
from tests.support.documents import as_document, leaves
from tests.support.playouts import Ply, play_out
from tests.support.setups import Setup, setups

every_setup = pytest.mark.parametrize("setup", list(setups()), ids=str)
every_game = pytest.mark.parametrize("game", all_games().values(), ids=all_games())

Question = partial[Any]


@pytest.fixture(autouse=True)
def recognition_disabled() -> Iterator[None]:
    sound_states.clear()
    yield
    sound_states.clear()


@pytest.fixture
def audited(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The states that are audited during the test."""
    states: list[Any] = []
    audit = game.audit

    def noting(state: Any) -> Any:
        states.append(state)
        return audit(state)

    monkeypatch.setattr(game, "audit", noting)
    return states


def plies_of(game: AnyGame, players: int, options: dict[str, Any], number: int) -> list[Ply]:
    """Plies of a random game, spread over all of it."""
    plies = list(play_out(game, players, options, "recognition"))
    return plies[:: max(1, len(plies) // number)]


def answer_to(question: Question) -> bytes:
    """The encoded answer, or the problem."""
    try:
        return json_text.encode(question())
    except Problem as problem:
        return json_text.encode(problem.document())


def twice(question: Question) -> bytes:
    """The answer, which stays the same when repeated, and after recognition was cleared."""
    first = answer_to(question)
    assert answer_to(question) == first
    sound_states.clear()
    assert answer_to(question) == first
    return first


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


# --- what is recognised ----------------------------------------------------------------------------------------------


@every_game
def test_a_whole_game_is_audited_nowhere_if_each_state_is_the_answer_before_it(
    game: AnyGame, audited: list[Any]
) -> None:
    """But for states that only one player can have, since no other hand has secret cards."""
    answer: answers.Setup | answers.Transition = adjudicator.set_up(game, 2, seed="begin")
    random = Random(1)
    of_one: list[Any] = []
    while answer.decision.actor != "none":
        of_one += [answer.state] if secret_hands(answer.state) == 1 else []
        moves = referee.legal_moves(game, answer.state)
        move = moves.pick(random.randrange(moves.total))
        answer = adjudicator.transition(game, as_document(answer.state), [as_document(move)], "go on")
    assert audited == of_one
    sound_states.clear()
    audited.clear()
    adjudicator.score_state(game, as_document(answer.state))
    assert audited == [answer.state]


@every_game
def test_views_that_were_answered_are_recognised_unless_a_seat_holds_them_against_the_others(
    game: AnyGame, audited: list[Any]
) -> None:
    """The others know all of such a view but one hand: they could guess it, and the time would tell if correctly."""
    begin = adjudicator.set_up(game, 3, seed="begin")
    move = referee.legal_moves(game, begin.state).pick(0)
    answer = adjudicator.transition(game, as_document(begin.state), [as_document(move)], "go on", [None, 1])
    assert answer.views is not UNSET
    spectator, seat = (view.state for view in answer.views)
    adjudicator.legal_moves(game, as_document(spectator))
    assert not audited
    for _ in range(2):
        adjudicator.legal_moves(game, as_document(seat))
    hides = any(getattr(one, "hand", None) and one.hand.unknown for one in seat.seats)
    assert audited == ([seat, seat] if hides else [])


def secret_hands(state: Any) -> int:
    """How many hands have secret cards."""
    return sum(bool(seat.hand.closed) for seat in state.seats if hasattr(seat, "hand"))


@every_game
def test_a_state_with_secrets_of_one_seat_only_is_not_recognised(game: AnyGame, audited: list[Any]) -> None:
    """It is that seat's view as well, and what the others see lacks nothing of it but one hand."""
    if not secret_hands(adjudicator.set_up(game, 2, seed="begin").state):
        return
    plies = [ply for ply in play_out(game, 2, {}, "one hand") if secret_hands(ply.before) == 1]
    assert plies
    for ply in plies[:: len(plies) // 5 + 1]:
        audited.clear()
        adjudicator.described(game, ply.before)
        for _ in range(2):
            adjudicator.view_of_state(game, as_document(ply.before), None)
        assert audited == [ply.before, ply.before]


@every_game
def test_accepted_states_in_canonical_order_are_recognised(game: AnyGame, audited: list[Any]) -> None:
    ply = next(ply for ply in plies_of(game, 2, {}, 12)[6:] if secret_hands(ply.before) != 1)
    document = as_document(ply.before)
    for _ in range(3):
        adjudicator.legal_moves(game, document)
    assert audited == [ply.before]


def test_multisets_out_of_order_are_put_in_order_each_time() -> None:
    game = all_games()["palazzo"]
    state = adjudicator.set_up(game, 3, seed="order").state
    sound_states.clear()
    document = as_document(state)
    hand = document["seats"][0]["hand"]
    assert hand["closed"] != hand["closed"][::-1]
    hand["closed"].reverse()
    for _ in range(3):
        assert adjudicator.load_state(game, document) == state


# --- what does not depend on it --------------------------------------------------------------------------------------


@every_setup
def test_answers_do_not_depend_on_recognition(setup: Setup) -> None:
    game = setup.game
    for ply in plies_of(game, setup.players, setup.options, 12):
        before, move = as_document(ply.before), as_document(ply.move)
        known = json_text.state_hash(ply.before)
        for question in questions(game, before, move):
            sound_states.clear()
            first = answer_to(question)
            assert answer_to(question) == first
            sound_states.clear()
            sound_states.add(known)
            assert answer_to(question) == first


@every_game
def test_moves_are_validated_even_if_the_state_is_recognised(game: AnyGame) -> None:
    state = adjudicator.set_up(game, 2, seed="moves").state
    for move in ({}, None, {"type": "no-such-move"}, {"type": "pass", "seat": "0"}):
        problem = twice(partial(adjudicator.transition, game, as_document(state), [move]))
        assert b'"/moves/0' in problem


@every_game
def test_no_damaged_state_is_recognised(game: AnyGame) -> None:
    random = Random(7)
    for ply in plies_of(game, 2, {}, 3):
        document, move = as_document(ply.before), as_document(ply.move)
        for damage in damaged(document, random, 60):
            if any(isinstance(leaf, float) for _, leaf in leaves(damage.document)):
                continue  # refused where texts are decoded
            sound_states.add(json_text.state_hash(document))
            twice(partial(adjudicator.verdict, game, damage.document, move))


@every_game
def test_refused_states_are_not_recognised(game: AnyGame) -> None:
    document = as_document(adjudicator.set_up(game, 2, seed="refused").state)
    document["ply"] = 0
    sound_states.clear()
    problem = twice(partial(adjudicator.legal_moves, game, document))
    assert b"impossible-state" in problem
    assert json_text.state_hash(document) not in sound_states


@every_game
def test_a_state_is_recognised_by_its_own_game_only(game: AnyGame) -> None:
    for other in all_games().values():
        if other is not game:
            state = as_document(adjudicator.set_up(other, 2, seed="other").state)
            problem = json_text.decode(twice(partial(adjudicator.legal_moves, game, state)))
            assert problem["problem"] == "other-game"


# --- the hashes that are kept ----------------------------------------------------------------------------------------


def test_the_oldest_hashes_are_dropped() -> None:
    recent = RecentHashes(maximum=3)
    for name in "abcab":
        recent.add(name)
    assert all(name in recent for name in "abc")
    recent.add("d")
    assert [name for name in "abcd" if name in recent] == ["b", "c", "d"]
    recent.clear()
    assert not [name for name in "abcd" if name in recent]


# --- where documents end ---------------------------------------------------------------------------------------------


@every_game
def test_a_game_that_is_too_long_cannot_be_continued_recognised_or_not(game: AnyGame) -> None:
    begin = adjudicator.set_up(game, 2, seed="long").state
    for ply in (MAXIMUM_PLY - 1, MAXIMUM_PLY):
        document = as_document(msgspec.structs.replace(begin, ply=ply))
        for question in questions(game, document, as_document(referee.legal_moves(game, begin).pick(0))):
            answer = json_text.decode(twice(question))
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
