"""What has to hold in every game, whatever its rules. A new game gets these tests by being there."""

import os
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
import pytest

from capomastro.documents.json_text import encode, state_hash
from capomastro.documents.wordings import explained, rules_of, sentence
from capomastro.engine import records, referee
from capomastro.engine.decisions import ChanceDecision, SeatDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import ChanceMove, SeatMove
from capomastro.engine.refusals import Refusal
from capomastro.engine.rules import MoveRule
from capomastro.games import all_games
from tests.support.documents import as_document, as_move, as_state, leaves, texts
from tests.support.hidden import closed_cards_of_others, occurrences, secrets_of, shown_beyond
from tests.support.mutations import mutations, vocabulary
from tests.support.oracle import everything_offered
from tests.support.playouts import Ply, play_on, play_out, points_in, start
from tests.support.setups import Setup, few_setups, setups

SEED = "2"
MARKS = {"text", "ruling", "assumed"}
EVERY = "CAPOMASTRO_TEST_SETUPS"
"""With this environment variable, every variant is played by every number of players: make campaign NAME=setups."""

SHORT_LIST = 400
"""Lists of moves up to this length are compared with the accepted moves."""

# The scope puts all tests of a setup one after the other: its game is played once for all of them.
SETUPS = list(setups()) if EVERY in os.environ else few_setups()
every_setup = pytest.mark.parametrize("setup", SETUPS, ids=str, scope="module")
every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.id)


@lru_cache(maxsize=1)
def random_game(game_id: str, players: int, options: bytes) -> tuple[Ply, ...]:
    return tuple(play_out(all_games()[game_id], players, msgspec.json.decode(options), SEED))


def plies_of(setup: Setup) -> tuple[Ply, ...]:
    """The plies of a random game."""
    return random_game(setup.game.id, setup.players, encode(setup.options))


def sample(plies: tuple[Ply, ...], number: int) -> list[Ply]:
    """Some plies, always the same ones, spread over the game."""
    return sorted(Random(0).sample(plies, min(number, len(plies))), key=lambda ply: ply.before.ply)


def viewers(state: Any) -> list[int | None]:
    """Every seat, and the spectator."""
    return [*range(len(state.seats)), None]


# --- playing ---------------------------------------------------------------------------------------------------------


@every_setup
def test_every_position_passes_the_audit_and_no_offered_move_is_refused(setup: Setup) -> None:
    game = setup.game
    assert not list(game.audit(start(game, setup.players, setup.options)))
    for ply in plies_of(setup):
        assert referee.refusal(game, ply.before, ply.move) is None, (ply.before, ply.move)
        assert not list(game.audit(ply.after)), (ply.after, ply.move)
        assert ply.after.ply == ply.before.ply + 1


@every_setup
def test_points_are_the_sum_of_events(setup: Setup) -> None:
    plies = plies_of(setup)
    assert referee.is_over(setup.game, plies[-1].after)
    points = points_in(event for ply in plies for event in ply.events)
    result = setup.game.result(plies[-1].after)
    assert [player.total for player in result.players] == [points[seat] for seat in range(setup.players)]


@every_setup
def test_results_are_consistent(setup: Setup) -> None:
    for ply in plies_of(setup):
        if not referee.is_over(setup.game, ply.after):
            continue
        result = setup.game.result(ply.after)
        assert [player.seat for player in result.players] == list(range(setup.players))
        for player in result.players:
            assert player.total == sum(line.points for line in player.lines)
            assert player.place is not None, "everything is known in a full document"
            ahead = [other.place for other in result.players if other.place is not None and other.place < player.place]
            assert player.place == 1 + len(ahead)
            assert all(other.place <= player.place for other in result.players if other.total > player.total)  # type: ignore[operator]
        assert result.winners == tuple(player.seat for player in result.players if player.place == 1)
        assert not result.undecided
        assert not result.missing


@every_setup
def test_the_same_seed_gives_the_same_game_also_when_continued_from_a_document(setup: Setup) -> None:
    game = setup.game
    whole = list(play_out(game, setup.players, setup.options, "a seed"))
    again = list(play_out(game, setup.players, setup.options, "a seed"))
    assert [ply.move for ply in whole] == [ply.move for ply in again]
    for ply in whole:
        if referee.is_at_chance(game, ply.before):
            parsed = as_state(game, as_document(ply.before))
            assert referee.draw(game, parsed, "a seed") == ply.move
    other = play_out(game, setup.players, setup.options, "another seed")
    assert [ply.move for ply in whole] != [ply.move for ply in other]


@every_setup
def test_events_name_known_rules_and_seats(setup: Setup) -> None:
    catalogue = rules_of(setup.game)
    for ply in plies_of(setup):
        for event in ply.events:
            assert event["type"] == event["type"].lower()
            assert "rule" not in event or event["rule"] in catalogue
            assert "points" not in event or {"seat", "rule"} <= set(event)
            assert "seat" not in event or event["seat"] is None or event["seat"] in range(setup.players)


# --- documents -------------------------------------------------------------------------------------------------------


@every_setup
def test_states_and_moves_come_back_from_json_as_they_were(setup: Setup) -> None:
    game = setup.game
    for ply in plies_of(setup):
        parsed = as_state(game, as_document(ply.after))
        assert parsed == ply.after
        assert state_hash(parsed) == state_hash(ply.after)
        assert as_move(game, as_document(ply.move)) == ply.move


@every_setup
def test_no_document_has_a_fractional_number(setup: Setup) -> None:
    game = setup.game
    for ply in sample(plies_of(setup), 40):
        for pointer, value in leaves(as_document([ply.after, ply.move, ply.events, game.derived(ply.after)])):
            assert isinstance(value, str | int | None), (pointer, value)


# --- records ---------------------------------------------------------------------------------------------------------


@every_setup
def test_records_replay_to_the_same_state_and_result(setup: Setup) -> None:
    game = setup.game
    plies = plies_of(setup)
    begin = start(game, setup.players, setup.options)
    moves = [as_move(game, as_document(ply.move)) for ply in plies]
    replayed = records.replay(game, begin, moves)
    assert replayed == records.Replayed(plies[-1].after, len(plies))
    assert game.result(replayed.state) == game.result(plies[-1].after)


@every_setup
def test_nothing_can_follow_the_end(setup: Setup) -> None:
    game = setup.game
    plies = plies_of(setup)
    refusal = referee.refusal(game, plies[-1].after, plies[-1].move)
    assert refusal is not None
    assert refusal.rule == f"{game.id}.end.over"
    assert sentence(game, refusal)
    assert referee.decision(game, plies[-1].after).actor == "none"


# --- views -----------------------------------------------------------------------------------------------------------


@every_setup
def test_the_view_of_a_state_equals_the_replayed_view_of_its_record(setup: Setup) -> None:
    game = setup.game
    begin = start(game, setup.players, setup.options)
    for viewer in viewers(begin):
        state = game.view(begin, viewer)
        for ply in plies_of(setup):
            seen = referee.as_seen(ply.move, referee.sole_witness(game, ply.before), viewer)
            assert referee.refusal(game, state, seen) is None, (viewer, state, seen)
            state, _ = referee.play(game, state, seen)
            assert state == game.view(ply.after, viewer)
            assert state_hash(state) == state_hash(game.view(ply.after, viewer))


@every_setup
def test_views_pass_the_audit_and_a_view_of_a_view_shows_no_more(setup: Setup) -> None:
    game = setup.game
    for ply in sample(plies_of(setup), 30):
        for viewer in viewers(ply.after):
            view = game.view(ply.after, viewer)
            assert not list(game.audit(view)), (viewer, view)
            assert game.view(view, viewer) == view
            assert game.view(view, None) == game.view(ply.after, None)
            assert as_state(game, as_document(view)) == view


@every_setup
def test_the_view_of_the_seat_to_decide_gives_the_same_legal_moves(setup: Setup) -> None:
    game = setup.game
    for ply in sample(plies_of(setup), 150):
        seat = referee.decision(game, ply.before).seat
        if seat is None:
            continue
        view = game.view(ply.before, seat)
        mine, full = referee.legal_moves(game, view), referee.legal_moves(game, ply.before)
        assert mine.total == full.total
        if full.total <= SHORT_LIST:
            assert list(mine.starting_at(0)) == list(full.starting_at(0))
        assert list(referee.unavailable_kinds(game, view)) == list(referee.unavailable_kinds(game, ply.before))


@every_setup
def test_no_view_shows_a_secret_of_another(setup: Setup) -> None:
    game = setup.game
    secrets_seen = 0
    for ply in sample(plies_of(setup), 30):
        for viewer in viewers(ply.after):
            view = game.view(ply.after, viewer)
            assert not shown_beyond(view, ply.after, viewer)
            secrets = secrets_of(ply.after, viewer)
            secrets_seen += len(secrets)
            seen = referee.as_seen(ply.move, referee.sole_witness(game, ply.before), viewer)
            _, events = referee.play(game, game.view(ply.before, viewer), seen)
            answer: dict[str, Any] = {
                "state": view,
                "move": seen,
                "events": events,
                "derived": game.derived(view),
                "decision": referee.decision(game, view),
            }
            if referee.is_over(game, ply.after):
                answer["result"] = game.result(ply.after)  # the true one: figures, never cards
            elif referee.decision(game, view).actor == "seat":
                answer["legal_moves"] = list(referee.legal_moves(game, view).starting_at(0))[:SHORT_LIST]
                answer["unavailable"] = [
                    explained(game, refusal) for _, refusal in referee.unavailable_kinds(game, view)
                ]
            assert not occurrences(answer, secrets)
    named_anyway = set(texts(as_document(start(game, setup.players, setup.options))))  # say, in the options
    with_cards = any(set(closed_cards_of_others(ply.after, None)) - named_anyway for ply in plies_of(setup))
    assert secrets_seen or not with_cards, "no secret to look for: the walk proves nothing"


# --- what is offered is what is accepted -----------------------------------------------------------------------------


@every_setup
def test_altered_moves_are_refused_by_a_rule_unless_they_are_offered(setup: Setup) -> None:
    game, random = setup.game, Random(0)
    plies = plies_of(setup)
    tokens = vocabulary(game, [ply.move for ply in plies])
    refused = 0
    for ply in sample(plies, 40):
        offered = everything_offered(game, ply.before, 20 * SHORT_LIST)
        if offered is None:
            continue
        for move in set(mutations(game, ply.before, ply.move, tokens, random)):
            refusal = referee.refusal(game, ply.before, move)
            if refusal is not None:
                assert refusal.rule in rules_of(game)
                assert sentence(game, refusal)
                refused += 1
            assert (refusal is None) == (move in offered), (ply.before, move, refusal)
    assert refused


@every_setup
def test_legal_moves_are_all_different_and_picked_as_they_are_walked(setup: Setup) -> None:
    game = setup.game
    for ply in sample(plies_of(setup), 150):
        if referee.decision(game, ply.before).actor != "seat":
            continue
        for all_payments in (False, True):
            moves = referee.legal_moves(game, ply.before, all_payments)
            if moves.total > SHORT_LIST:
                continue
            walked = list(moves.starting_at(0))
            assert len(walked) == moves.total
            assert len(set(walked)) == moves.total
            assert [moves.pick(index) for index in range(moves.total)] == walked
            middle = moves.total // 2
            assert list(moves.starting_at(middle)) == walked[middle:]
            assert list(moves.starting_at(moves.total)) == []
            for move in walked:
                assert referee.refusal(game, ply.before, move) is None


@every_setup
def test_every_kind_of_move_is_offered_or_explained(setup: Setup) -> None:
    game = setup.game
    for ply in plies_of(setup):
        here = game.decision_at[type(ply.before.stage)]
        if not isinstance(here, SeatDecision):
            continue
        unavailable = dict(referee.unavailable_kinds(game, ply.before))
        for kind, rule in here.rules.items():
            available = rule.offered(ply.before).total > 0
            assert available != (kind in unavailable), (kind, ply.before)
        for refusal in unavailable.values():
            assert sentence(game, refusal)
            assert refusal.rule in rules_of(game)


@every_setup
def test_overridden_offers_agree_with_refusals(setup: Setup) -> None:
    game = setup.game
    for ply in sample(plies_of(setup), 80):
        here = game.decision_at[type(ply.before.stage)]
        if not isinstance(here, SeatDecision):
            continue
        for rule in here.rules.values():
            slow = MoveRule.offered(rule, ply.before)  # judges the candidates one by one
            if slow.total:
                assert list(rule.offered(ply.before).starting_at(0)) == list(slow.starting_at(0)), type(rule)


# --- chance ----------------------------------------------------------------------------------------------------------


@every_setup
def test_probabilities_sum_up_to_one_and_impossible_components_are_refused(setup: Setup) -> None:
    game = setup.game
    plies = plies_of(setup)
    drawn_at_all = {ply.move.component for ply in plies if isinstance(ply.move, ChanceMove)}
    impossible: dict[tuple[Any, ...], Refusal] = {}  # by kind of decision, component and rule: worded alike
    for ply in plies:
        here = game.decision_at[type(ply.before.stage)]
        if not isinstance(here, ChanceDecision):
            continue
        outcomes = here.rule.outcomes(ply.before)
        assert list(outcomes.weights) == sorted(outcomes.weights)
        assert sum(map(outcomes.probability, outcomes.weights)) == Fraction(1)
        assert all(weight >= 0 for weight in outcomes.weights.values())
        for component in outcomes.weights:
            assert referee.refusal(game, ply.before, here.rule.move(component)) is None
        for name in drawn_at_all - set(outcomes.weights) - {None}:
            refusal = referee.refusal(game, ply.before, here.rule.move(name))
            assert refusal is not None
            impossible[type(here.rule), name, refusal.rule] = refusal
        unseen_refused = referee.refusal(game, ply.before, here.rule.move(None))
        assert (unseen_refused is None) == (here.rule.sole_witness(ply.before) is not None)
        assert unseen_refused is None or sentence(game, unseen_refused)
    assert all(sentence(game, refusal) for refusal in impossible.values())


# --- the rules of the referee itself ---------------------------------------------------------------------------------


@every_setup
def test_moves_of_the_wrong_actor_seat_or_kind_are_refused(setup: Setup) -> None:
    game = setup.game
    plies = plies_of(setup)
    seat_moves = [ply.move for ply in plies if isinstance(ply.move, SeatMove)]
    chance_moves = [ply.move for ply in plies if isinstance(ply.move, ChanceMove)]
    broken = set()
    for ply in sample(plies, 100):
        here = game.decision_at[type(ply.before.stage)]
        if isinstance(here, ChanceDecision):
            wrong = [seat_moves[0], *(move for move in chance_moves if type(move) is not here.rule.move)][:2]
            expected = {f"{game.id}.turn.chance"}
        else:
            seat = here.seat(ply.before)
            broken_by = [referee.refusal(game, ply.before, move) for move in chance_moves[:1]]
            assert [refusal.rule for refusal in broken_by if refusal] == [f"{game.id}.turn.decision"] * len(broken_by)
            broken |= {refusal.rule for refusal in broken_by if refusal}
            strangers = [move for move in seat_moves if type(move) not in here.rules][:1]
            wrong = [msgspec.structs.replace(move, seat=seat) for move in strangers]
            expected = {f"{game.id}.turn.step"}
            other = msgspec.structs.replace(ply.move, seat=(seat + 1) % setup.players)
            refusal = referee.refusal(game, ply.before, other)
            assert refusal is not None
            assert sentence(game, refusal)
            if refusal.rule != f"{game.id}.turn.seat":
                assert game.why_not_out_of_turn(ply.before, other) == refusal
            broken.add(refusal.rule)
        for move in wrong:
            refusal = referee.refusal(game, ply.before, move)
            assert refusal is not None
            assert refusal.rule in expected
            assert sentence(game, refusal)
            broken.add(refusal.rule)
    assert broken >= {f"{game.id}.turn.{rule}" for rule in ("chance", "decision", "step", "seat")}


# --- the rule catalogue ----------------------------------------------------------------------------------------------


@every_game
def test_every_rule_has_a_wording_a_source_and_a_mark(game: AnyGame) -> None:
    for rule, entry in rules_of(game).items():
        assert rule.startswith(f"{game.id}.")
        assert set(entry) <= {"wording", "source", "mark", "refusal", "line", "line_sentence", "example", "concerns"}
        assert entry["wording"].endswith("."), rule
        assert entry["source"], rule
        assert entry["mark"] in MARKS, rule
    for rule in ("turn.seat", "turn.step", "turn.chance", "turn.decision", "turn.asker", "end.over"):
        assert "refusal" in rules_of(game)[f"{game.id}.{rule}"]


@every_game
def test_rules_of_chance_stand_in_the_catalogue(game: AnyGame) -> None:
    for decision in game.decisions:
        if isinstance(decision, ChanceDecision):
            assert "refusal" in rules_of(game)[decision.rule.refuses]


# --- continuing ------------------------------------------------------------------------------------------------------


@every_setup
def test_a_game_can_be_continued_from_every_document(setup: Setup) -> None:
    game = setup.game
    for ply in sample(plies_of(setup), 5):
        parsed = as_state(game, as_document(ply.before))
        *_, last = play_on(game, parsed, "continued")
        assert referee.is_over(game, last.after)
