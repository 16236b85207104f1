"""Positions of the library: they play, refuse, hide and print as the service does, for every game."""

import pickle
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from msgspec import UNSET

import capomastro
from capomastro import IllegalMove, Position, Problem, adjudicator
from capomastro.documents import json_text
from capomastro.documents.languages import using_language
from tests.cli.conftest import Ask
from tests.support.documents import as_document
from tests.support.hidden import occurrences, secrets_of
from tests.support.random_positions import random_positions
from tests.support.setups import Setup, few_setups
from tests.support.vectors import illegal_moves_file, read, unavailable_moves_file

every_setup = pytest.mark.parametrize("setup", few_setups(), ids=str)
every_game = pytest.mark.parametrize("game", capomastro.all_games(), ids=lambda game: game.id)


def begun(setup: Setup, seed: str | None = "7") -> Position:
    return capomastro.set_up(setup.game.id, setup.players, options=setup.options, seed=seed)


def random_game(setup: Setup, seed: str = "7") -> Iterator[Position]:
    return random_positions(setup.game.id, setup.players, options=setup.options, seed=seed)


@every_setup
def test_a_set_up_is_that_of_the_service(setup: Setup) -> None:
    for seed in ("7", None):
        position = begun(setup, seed)
        answer = as_document(adjudicator.set_up(setup.game, setup.players, None, setup.options, seed))
        assert position.document() == answer["state"]
        assert position.state_hash == answer["state_hash"]
        assert as_document(position.derived) == answer["derived"]
        assert as_document(position.decision) == answer["decision"]
        assert as_document([ply.move for ply in position.plies]) == answer["moves"]
        assert as_document(position.events) == answer["events"]
        assert Position.from_document(answer["state"]) == position


@every_setup
def test_a_game_is_played_as_over_http(setup: Setup) -> None:
    positions = list(random_game(setup))
    for before, after in Random(1).sample(list(pairwise(positions)), 12):
        move = as_document(after.plies[0].move)
        answer = as_document(adjudicator.transition(setup.game, before.document(), [move], "7", [None, 0]))
        assert after.before is before
        assert after.document() == answer["state"]
        assert as_document([ply.move for ply in after.plies]) == answer["moves"]
        assert as_document(after.events) == answer["events"]
        assert as_document(adjudicator.legal_moves(setup.game, before.document(), 1000))["moves"] == [
            as_document(move) for move in before.legal_moves[:1000]
        ]
        for seat, view in zip([None, 0], answer["views"], strict=True):
            seen = after.seen_by(seat)
            assert seen.document() == view["state"]
            assert as_document([ply.move for ply in seen.plies]) == view["moves"]
            assert as_document(seen.events) == view["events"]
    end = positions[-1]
    assert end.result is not None
    assert end.result.document() == as_document(adjudicator.score_state(setup.game, end.document()))["result"]
    assert end.score().result == end.result
    assert end.beginning == begun(setup, None)
    assert [ply.number for ply in end.history] == list(range(end.ply))


@every_setup
def test_a_view_contains_nothing_that_its_seat_must_not_know(setup: Setup) -> None:
    """No attribute of the object leads to it, and neither does a pickled copy."""
    positions = list(random_game(setup, "hidden"))
    for position in Random(2).sample(positions, 10):
        for seat in (*range(setup.players), None):
            seen = position.seen_by(seat)
            assert seen.state == setup.game.view(position.state, seat)
            assert seen.before is None
            again = seen.seen_by(seat)
            assert (again, again.plies) == (seen, seen.plies)
            assert seen.seen_by(None).plies == position.seen_by(None).plies
            secrets = secrets_of(position.state, seat)
            everything = [seen.state, [(ply.move, ply.events) for ply in seen.plies], str(seen), str(seen.legal_moves)]
            assert not occurrences(everything, secrets)
            sent = pickle.dumps(seen)
            assert not [secret for secret in secrets if secret.encode() in sent]
            assert pickle.loads(sent) == seen


@every_setup
def test_a_suggestion_is_that_of_the_service(setup: Setup) -> None:
    for position in Random(4).sample(list(random_game(setup, "suggested")), 10):
        for player in ("planning", "random"):
            answer = as_document(adjudicator.suggestion(setup.game, position.document(), player, "7"))
            move = position.suggest(player, seed=7)
            assert answer.get("move") == (None if move is None else as_document(move))
            assert move is None or position.is_legal(move)
    with pytest.raises(Problem) as raised:
        begun(setup, None).suggest()
    assert raised.value.id == "no-suggestion"


@every_setup
def test_legal_moves_are_a_sequence(setup: Setup) -> None:
    positions = [begun(setup, None), *random_game(setup, "sequence")]
    for position in Random(3).sample(positions, 10):
        moves = position.legal_moves
        listed = list(moves)[:200]
        assert len(moves) == moves.total
        assert list(moves[:200]) == listed == [moves[index] for index in range(len(listed))]
        assert not listed or (moves[-1], moves[-1:]) == (moves[len(moves) - 1], (moves[len(moves) - 1],))
        assert all(move in moves for move in listed)
        assert len(moves.with_all_payments()) >= len(moves)
        with pytest.raises(IndexError):
            moves[len(moves)]
        assert bool(moves) != position.is_over
        assert str(moves).splitlines()[: len(listed)][:50] == printed(position, listed)[:50]
    first = positions[0].legal_moves
    assert sum(first.probabilities, Fraction()) == 1
    assert len(first.probabilities) == len(first)


@every_setup
def test_moves_that_contain_a_partial_one_are_a_sequence_of_their_own(setup: Setup) -> None:
    positions = [begun(setup, None), *random_game(setup, "containing")]
    for position in Random(5).sample(positions[:-1], 8):
        moves = position.legal_moves
        for move in Random(6).sample(moves[:50], min(3, len(moves))):
            for partial in (as_document(move), {"type": as_document(move)["type"]}, {"type": "move"}):
                contained = moves.containing(partial)
                answer = adjudicator.legal_moves(setup.game, position.document(), 1000, containing=partial)
                assert list(contained[:1000]) == answer.moves
                assert [each for each in moves[:50] if each in contained] == [
                    each for each in moves[:50] if each in answer.moves
                ]


def printed(position: Position, moves: list[Any]) -> list[str]:
    """Moves as they are printed: in text notation, those of chance with their probabilities."""
    lines = [position.game.notation(move) for move in moves]
    if not position.is_chance:
        return lines
    width = max(map(len, lines[:50]))
    pairs = zip(lines, position.legal_moves.probabilities, strict=False)
    return [f"{line:<{width}}  {probability}" for line, probability in pairs]


@every_setup
def test_a_move_is_the_same_in_all_its_forms(setup: Setup) -> None:
    names = ("Ada", "Bruno d'Este", "pass", "7", "Eve")[: setup.players]
    for position in random_game(setup, "forms"):
        for move in position.legal_moves[:3]:
            text = position.game.notation(move)
            document = as_document(move)
            forms: list[Any] = [text, document, json_text.encode(move).decode()]
            if "seat" in document:
                forms.append(f'"{names[document["seat"]]}" {text.partition(" ")[2]}')
            assert all(position.game.move(form, names) == move for form in forms)


# --- refusals --------------------------------------------------------------------------------------------------------


@every_game
def test_illegal_moves_are_refused_by_the_rule_of_the_conformance_kit(game: capomastro.Game) -> None:
    for vector in read(illegal_moves_file(game.definition)):
        position = Position.from_document(vector["state"])
        seat = vector.get("seat", UNSET)
        refusal = position.why_not(vector["move"], seat=seat)
        assert refusal is not None
        expected = vector["refusal"]
        assert (refusal.rule, refusal.message, "/move" + refusal.pointer) == (
            expected["rule"],
            expected["message"],
            expected["pointer"],
        )
        assert refusal.rule in game.rules
        with pytest.raises(IllegalMove) as raised:
            position.play(vector["move"], seat=seat)
        assert raised.value.refusal == refusal
        assert (raised.value.rule, raised.value.message) == (refusal.rule, refusal.message)
        assert str(raised.value) == str(refusal) == f"{refusal.message} [{refusal.rule}]"
        assert seat is not UNSET or vector["move"] not in position.legal_moves


@every_game
def test_kinds_of_move_are_unavailable_by_the_rule_of_the_conformance_kit(game: capomastro.Game) -> None:
    for vector in read(unavailable_moves_file(game.definition)):
        expected = vector["unavailable"]
        refusal = Position.from_document(vector["state"]).unavailable()[expected["type"]]
        assert (refusal.rule, refusal.message) == (expected["rule"], expected["message"])


def test_moves_are_played_all_or_nothing() -> None:
    position = capomastro.set_up("palazzo", 2, seed=7)
    with pytest.raises(IllegalMove) as raised:
        position.play("0 build", "0 take-money", seed=7)
    assert raised.value.rule == "palazzo.turn.step"
    assert position.ply == 13
    assert pickle.loads(pickle.dumps(raised.value)).refusal == raised.value.refusal
    two = position.play("0 build", "0 call-auction", seed=7)
    assert two == position.play("0 build", seed=7).play("0 call-auction", seed=7)
    assert [ply.number for ply in two.plies] == list(range(13, two.ply))
    assert position.play() == position


def test_the_moves_that_may_have_been_meant_are_those_of_a_verdict() -> None:
    position = capomastro.set_up("palazzo", 2, seed=7).play("0 build", seed=7)
    wrong = "0 buy brick-2-1 payment=green-4,certificate-2"
    assert [position.game.notation(move) for move in position.nearest(wrong, 2)] == [
        "0 buy brick-2-1 payment=certificate-2,red-6",
        "0 buy sandstone-4-2 payment=certificate-2,red-6",
    ]


@pytest.mark.parametrize(
    ("move", "problem", "expected"),
    [
        ("0 biuld", "malformed-notation", '1:3: expected a type of move, not "biuld"; did you mean "build"?'),
        ("Adda build", "malformed-notation", '1:1: expected a seat, not "Adda"; did you mean "Ada"?'),
        ("", "malformed-notation", "1:1: expected a move, not the end of the line"),
        ("{", "malformed-json", "not acceptable JSON"),
        ({"type": "build"}, "shape", 'the member "seat" is missing'),
        ({"type": "build", "seat": object()}, "malformed-json", "cannot be written as JSON"),
        (7, "shape", "must be an object"),
        ({"type": "take-card", "seat": 0, "card": "pink-7"}, "shape", '/card: "pink-7" is not one of'),
    ],
)
def test_malformed_moves_are_problems(move: Any, problem: str, expected: str) -> None:
    position = capomastro.set_up("palazzo", 2, names=["Ada", "Bruno"], seed=7)
    with pytest.raises(Problem) as raised:
        position.play(move)
    assert raised.value.id == problem
    assert expected in str(raised.value)
    assert move not in position.legal_moves


def test_a_move_of_another_game_is_a_problem() -> None:
    position = capomastro.set_up("palazzo", 2, seed=7)
    other = capomastro.set_up("campanile", 2, seed=7).legal_moves[0]
    assert other not in position.legal_moves
    with pytest.raises(Problem):
        position.play(other)
    anything: object = 7
    assert anything not in position.legal_moves


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"game_id": "chess", "players": 2}, "not-found"),
        ({"game_id": "palazzo", "players": 5}, "options"),
        ({"game_id": "palazzo", "players": 2, "names": ["Ada"]}, "options"),
        ({"game_id": "palazzo", "players": 2, "options": {"builder": 9}}, "shape"),
        ({"game_id": "palazzo", "players": 2, "options": {"stack_sizes": [1, 1, 1]}}, "options"),
    ],
)
def test_impossible_set_ups_are_problems(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(Problem) as raised:
        capomastro.set_up(**arguments)
    assert raised.value.id == problem


def test_an_impossible_state_is_a_problem_and_the_audit_says_why() -> None:
    state = capomastro.set_up("palazzo", 2, seed=7).document()
    assert capomastro.audit(state) == ()
    findings = capomastro.audit({**state, "riders": 5})
    assert [(finding.rule, finding.pointer) for finding in findings] == [
        ("palazzo.build.riders-last", "/riders"),
        ("palazzo.end.fifth-rider", "/stage"),
    ]
    with pytest.raises(Problem) as raised:
        Position.from_document({**state, "riders": 5})
    assert raised.value.id == "impossible-state"
    lines = [f"  {finding.pointer}: {finding.message} [{finding.rule}]" for finding in findings]
    assert str(raised.value) == "\n".join(["The state is impossible.", *lines])
    with pytest.raises(Problem) as raised:
        Position.from_document({**state, "game": "campanile"})
    assert raised.value.id == "shape"
    with pytest.raises(Problem) as raised:
        capomastro.set_up("palazzo", 2, seed=7).seen_by(2)
    assert raised.value.id == "no-such-seat"


def test_a_score_before_the_end_is_a_problem() -> None:
    position = capomastro.set_up("palazzo", 2, seed=7)
    assert position.result is None
    with pytest.raises(Problem) as raised:
        position.score()
    assert raised.value.id == "unfinished"


# --- values ----------------------------------------------------------------------------------------------------------


def test_a_position_is_a_value() -> None:
    position = capomastro.set_up("palazzo", 2, seed=7)
    again = Position.from_document(position.json())
    assert (position, hash(position)) == (again, hash(again))
    assert position != position.play("0 build")
    assert position != position.document()
    with pytest.raises(FrozenInstanceError):
        position.plies = ()  # type: ignore[misc]
    document = position.document()
    document["seats"].clear()
    assert position.players == 2


@every_game
def test_positions_and_results_are_printed_as_on_the_command_line(game: capomastro.Game, ask: Ask) -> None:
    players = game.players[0]
    names = [f"Player {seat}" for seat in range(players)]
    arguments = (game.id, "--players", str(players), "--seed", "7", "--names", ",".join(names))
    position = capomastro.set_up(game.id, players, names=names, seed=7)
    assert ask("new", *arguments).stdout == f"{position}\n"
    assert str(position).startswith(position.heading)
    assert repr(position) == f"<Position: {position.heading}>"
    record = capomastro.Record.from_text(ask("play", *arguments, "--json").stdout)
    assert ask("play", *arguments).stdout.endswith(f"\n\n{record.position().result}\n")


@every_game
def test_a_position_has_the_same_sentences_as_in_the_service(game: capomastro.Game) -> None:
    names = [f"player {seat}" for seat in range(game.players[0])]
    first = capomastro.set_up(game.id, len(names), names=names, seed=7)
    answer = as_document(adjudicator.set_up(game.definition, len(names), names, seed="7", texts=True))
    texts = [event["text"] for event in answer["events"]]
    assert set(texts) <= {*first.in_words()}
    move = first.legal_moves[0]
    after = first.play(move, seed=7)
    for language in game.languages:
        with using_language(language):
            page = adjudicator.legal_moves(game.definition, first.document(), limit=1, texts=True)
        assert [first.sentence(move, language)] == page.texts
        assert after.in_words(language)
    assert len({after.in_words(language) for language in game.languages}) == len(game.languages)


def test_a_refusal_has_a_sentence_in_every_language() -> None:
    refusal = capomastro.set_up("palazzo", 2, seed=7).why_not("1 build")
    assert refusal is not None
    assert refusal.in_words() == refusal.message
    assert refusal.in_words("de") == "Sitz 0 muss entscheiden, nicht Sitz 1"
    assert refusal.in_words("it") == "deve decidere il posto 0, non il posto 1"


def test_names_cannot_be_a_single_string() -> None:
    with pytest.raises(TypeError, match="list of texts"):
        capomastro.set_up("palazzo", 2, names="AB")


def test_a_move_is_refused_with_a_hint_while_chance_is_to_move() -> None:
    position = capomastro.set_up("palazzo", 2)
    with pytest.raises(IllegalMove) as refused:
        position.play({"type": "build", "seat": 0})
    assert any("draw(seed)" in note for note in refused.value.__notes__)
