"""Questions with documents, for every game: continues from any call, and looks for secrets in every answer."""

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec import UNSET

from capomastro import adjudicator
from capomastro.answers import Setup, Transition, Verdict
from capomastro.documents import json_text
from capomastro.documents.problems import Problem
from capomastro.engine import referee
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.games import all_games
from tests.support.documents import as_document, as_state
from tests.support.hidden import occurrences, secrets_of
from tests.support.playouts import play_out
from tests.support.setups import Setup as Given
from tests.support.setups import few_setups

every_setup = pytest.mark.parametrize("setup", few_setups(), ids=str)


def played_with(setup: Given, seed: str, decisions_per_call: int, stop: int) -> Setup | Transition:
    """The state after `stop` random decisions of seats, with several moves per call; the seed draws chance."""
    game, random = setup.game, Random(3)
    answer: Setup | Transition = adjudicator.set_up(game, setup.players, None, setup.options, seed)
    pending: list[Any] = []
    state = answer.state
    for number in range(1, stop + 1):
        if referee.is_over(game, state):
            break
        moves = referee.legal_moves(game, state)
        move = moves.pick(random.randrange(moves.total))
        pending.append(as_document(move))
        state, _ = referee.play(game, state, move)
        while referee.is_at_chance(game, state):
            state, _ = referee.play(game, state, referee.draw(game, state, seed))
        if number % decisions_per_call == 0 or number == stop or referee.is_over(game, state):
            answer = adjudicator.transition(game, as_document(answer.state), pending, seed)
            pending = []
            assert answer.state == state
    return answer


@every_setup
def test_a_seed_gives_the_same_game_in_however_many_calls(setup: Given) -> None:
    hashes = {played_with(setup, "in calls", number, 40).state_hash for number in (1, 7, 1000)}
    assert len(hashes) == 1


@every_setup
def test_no_answer_for_a_viewer_names_a_secret_of_another(setup: Given) -> None:
    game, random = setup.game, Random(1)
    plies = [ply for seed in "12" for ply in play_out(game, setup.players, setup.options, seed)]
    in_any_order = random.sample(plies, len(plies))
    with_secrets = list(islice((ply for ply in in_any_order if secrets_of(ply.after, None)), 6))
    looked_for = 0
    for ply in random.sample(plies, 4) + with_secrets:
        viewers = [*range(setup.players), None]
        before, move = as_document(ply.before), as_document(ply.move)
        answer = adjudicator.transition(game, before, [move], None, viewers, legal_moves_limit=50)
        assert answer.state == ply.after
        assert answer.views is not UNSET
        for viewer, view in zip(viewers, answer.views, strict=True):
            assert view.seat == viewer
            assert view.state == game.view(ply.after, viewer)
            assert view.state == adjudicator.view_of_state(game, as_document(ply.after), viewer).state
            answers: list[Any] = [as_document(view)]
            if referee.decision(game, ply.after).actor == "seat":
                seen = as_document(view.state)
                answers.append(as_document(adjudicator.legal_moves(game, seen, explain=True)))
                answers.append(as_document(adjudicator.audit(game, seen)))
            secrets = secrets_of(ply.after, viewer)
            looked_for += len(secrets)
            assert not occurrences(answers, secrets)
    assert looked_for or not with_secrets


def viewed_by_the_letter(setup: Given, before: Any, moves: Sequence[Move], seat: int | None) -> bytes:
    """A transition as one viewer sees it, with each move played twice: in full, to learn who sees it, then as seen."""
    game = setup.game
    state, events = game.view(before, seat), []
    seen = []
    for move in moves:
        here = game.decision_at[type(before.stage)]
        hidden = isinstance(here, ChanceDecision) and here.rule.sole_witness(before) not in (None, seat)
        seen.append(here.rules[type(move)].move(None) if hidden else move)
        before, _ = referee.play(game, before, move)
        state, happened = referee.play(game, state, seen[-1])
        events += happened
    standing = adjudicator.described(game, state)
    return json_text.encode({"seat": seat, **standing._asdict(), "moves": seen, "events": events})


@every_setup
def test_views_of_a_transition_are_played_once_each_and_by_the_letter(
    setup: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, plies = setup.game, list(play_out(setup.game, setup.players, setup.options, "as seen"))
    viewers = [*range(setup.players), None]
    play, played = referee.play, []

    def counting(game: AnyGame, state: Any, move: Move) -> Any:
        played.append(move)
        return play(game, state, move)

    for begin in range(0, len(plies), max(20, len(plies) // 3)):
        some = plies[begin : begin + 20]
        before, moves = some[0].before, [ply.move for ply in some]
        expected = [viewed_by_the_letter(setup, before, moves, seat) for seat in viewers]
        with monkeypatch.context() as patch:
            patch.setattr(referee, "play", counting)
            answer = adjudicator.transition(game, as_document(before), as_document(moves), None, viewers)
        assert answer.views is not UNSET
        assert [json_text.encode(view) for view in answer.views] == expected
        assert len(played) == len(moves) * (1 if hides_nothing(game) else 1 + len(viewers))
        played.clear()


def hides_nothing(game: AnyGame) -> bool:
    return not any(field.name == "hand" for field in msgspec.structs.fields(seat_type(game)))


def seat_type(game: AnyGame) -> type[msgspec.Struct]:
    """The components of one player."""
    kind: type[msgspec.Struct] = get_args(get_type_hints(game.state_type)["seats"])[0]
    return kind


def test_some_games_hide_something_and_some_do_not() -> None:
    assert {hides_nothing(game) for game in all_games().values()} == {True, False}


@every_setup
def test_a_view_is_adjudicated_like_the_full_state(setup: Given) -> None:
    game = setup.game
    for ply in list(play_out(game, setup.players, setup.options, "views"))[::9]:
        move = as_document(ply.move)
        if referee.is_at_chance(game, ply.before):
            continue
        for viewer in [*range(setup.players), None]:
            view = as_document(game.view(ply.before, viewer))
            assert adjudicator.verdict(game, view, move) == Verdict(legal=True)
            answer = adjudicator.transition(game, view, [move])
            assert answer.state == game.view(ply.after, viewer)


@every_setup
def test_an_illegal_move_plays_nothing_and_is_pointed_at(setup: Given) -> None:
    game = setup.game
    plies = [
        ply
        for ply in play_out(game, setup.players, setup.options, "illegal")
        if not referee.is_at_chance(game, ply.before)
    ]
    first, second = plies[len(plies) // 2 : len(plies) // 2 + 2]
    wrong = {**as_document(first.move), "seat": (first.move.seat + 1) % setup.players}  # type: ignore[attr-defined]
    with pytest.raises(Problem) as caught:
        adjudicator.transition(game, as_document(first.before), [wrong, as_document(second.move)])
    assert caught.value.id == "illegal-move"
    (error,) = caught.value.errors
    assert error["pointer"].startswith("/moves/0/")
    assert error["rule"].startswith(game.id)
    assert not adjudicator.verdict(game, as_document(first.before), wrong).legal


@every_setup
def test_answers_can_be_sent_back(setup: Given) -> None:
    game = setup.game
    for ply in list(play_out(game, setup.players, setup.options, "back"))[::25]:
        document = as_document(ply.after)
        assert adjudicator.load_state(game, document) == ply.after
        assert as_state(game, document) == ply.after
        page = adjudicator.legal_moves(game, document, limit=10)
        for move in as_document(page.moves):
            assert adjudicator.verdict(game, document, move) == Verdict(legal=True)


@every_setup
def test_a_state_has_as_many_names_as_seats_or_none(setup: Given) -> None:
    game = setup.game
    names = [f"player {seat}" for seat in range(setup.players)]
    named = as_document(adjudicator.set_up(game, setup.players, names, setup.options, "names").state)
    assert adjudicator.load_state(game, named).names == tuple(names)
    for wrong in ([*names, "one more"], names[1:]):
        with pytest.raises(Problem) as caught:
            adjudicator.load_state(game, {**named, "names": wrong})
        assert [error["pointer"] for error in caught.value.errors] == ["/state/names"]
