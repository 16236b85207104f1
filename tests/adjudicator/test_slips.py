"""Records with slips: the first visible consequence is found, with a rule, and a lenient replay recovers.

A consequence is visible if a recorded move after the slip is not in the list of legal moves.
"""

from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from capomastro import adjudicator
from capomastro.answers import Replay as Answer
from capomastro.documents.wordings import rules_of
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import SeatMove
from capomastro.engine.nearness import MAXIMUM_COMPARED, differences, nearest
from capomastro.engine.records import LOOKAHEAD
from capomastro.games import all_games
from tests.support.documents import as_document, as_move
from tests.support.oracle import everything_offered
from tests.support.recorded import Replay, full_replays, records_of, replay_of
from tests.support.slips import slip

SLIPS = 16
LONGEST = 3000
"""Longer lists of legal moves are not searched; moves are judged one by one instead."""

every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.id)


class Slipped(NamedTuple):
    """A record with a slip: its kind, the index of the first changed move, and all moves.

    `visible` is the index of the first move that is in no list of legal moves, None if there is none; `state` is the
    state there, or at the end.
    """

    replay: Replay
    kind: str
    begins: int
    moves: list[dict[str, Any]]
    visible: int | None
    state: Any


@cache
def slips(game: AnyGame) -> list[Slipped]:
    """As many as it takes until so many are visible; the others have turned the record into another legal game."""
    random = Random(game.id)
    made: list[Slipped] = []
    while sum(one.visible is not None for one in made) < SLIPS:
        replay = random.choice(full_replays(game))
        kind, index, moves = slip(replay.document["moves"], random)
        made.append(Slipped(replay, kind, index, moves, *first_not_listed(replay, moves, index)))
    return made


@cache
def answers(game: AnyGame) -> list[Answer]:
    """The replays of all these records, in the same order."""
    return [adjudicator.replay(game, {**one.replay.document, "moves": one.moves}) for one in slips(game)]


def first_not_listed(replay: Replay, moves: list[dict[str, Any]], index: int) -> tuple[int | None, Any]:
    """The index of the first move that is in no list of legal moves, and the state there; None and the end if all are.

    The moves before `index` are those of the replay.
    """
    game = replay.game
    state = replay.plies[index].before if index < len(replay.plies) else replay.plies[-1].after
    for number, document in enumerate(moves[index:], index):
        if referee.is_over(game, state):
            return number, state
        move = as_move(game, document)
        listed = everything_offered(game, state, LONGEST)
        if move not in listed if listed is not None else referee.refusal(game, state, move) is not None:
            return number, state
        state, _ = referee.play(game, state, move)
    return None, state


@every_game
def test_the_slip_or_its_first_visible_consequence_is_found_with_a_rule(game: AnyGame) -> None:
    for (_, kind, index, moves, visible, state), answer in zip(slips(game), answers(game), strict=True):
        assert answer.state == state, (kind, index)
        if visible is not None:
            divergence = as_document(answer.first_divergence)
            assert divergence["index"] == answer.plies == visible >= index
            assert divergence["move"] == as_document(as_move(game, moves[visible]))
            assert divergence["refusal"]["rule"] in rules_of(game)
            assert divergence["refusal"]["message"]
            assert divergence["refusal"]["pointer"].startswith(f"/record/moves/{visible}")


@every_game
def test_a_slip_that_makes_another_legal_game_is_seen_in_its_result_if_at_all(game: AnyGame) -> None:
    legal = [pair for pair in zip(slips(game), answers(game), strict=True) if pair[0].visible is None]
    assert len(legal) <= 0.15 * SLIPS
    for one, answer in legal:
        assert answer.legal
        if not referee.is_over(game, one.state):
            assert answer.verdict == "unfinished"
        else:
            wrong = as_document(answer.result) != one.replay.document["result"]
            assert answer.verdict == ("wrong-result" if wrong else "legal")


@every_game
def test_the_nearest_moves_are_legal_and_nearest_first(game: AnyGame) -> None:
    for answer in answers(game):
        if answer.legal:
            continue
        assert answer.first_divergence is not UNSET
        state, nearest = answer.state, answer.first_divergence.nearest
        assert bool(nearest) == (not referee.is_over(game, state))
        assert all(referee.refusal(game, state, near.move) is None for near in nearest)
        assert [near.distance for near in nearest] == sorted(near.distance for near in nearest)
        assert len({near.move for near in nearest}) == len(nearest)


@every_game
def test_by_a_wrong_seat_the_same_move_of_the_right_one_is_nearest(game: AnyGame) -> None:
    """Includes records of spectators, where no list has the moves from unseen hands."""
    random = Random(f"{game.id} seats")
    tried = 0
    for file in records_of(game.id):
        replay = replay_of(file)
        decided = [(ply.before, ply.move) for ply in replay.plies if isinstance(ply.move, SeatMove)]
        for state, move in random.sample(decided, min(10, len(decided))):
            others = set(range(replay.document["players"])) - {move.seat}
            found = nearest(game, state, replace(move, seat=random.choice(sorted(others))), 1)
            assert [(near.move, near.differs) for near in found] == [(move, ("seat",))]
            tried += 1
    assert tried


@every_game
def test_nothing_that_was_played_is_nearer_than_the_nearest(game: AnyGame) -> None:
    """Tries the longest lists, with every word of the same game in the place of every other.

    Even among more than a thousand moves of a kind, those one change away are always examined.
    """
    plies = [(number_of_moves(game, ply.before), ply, replay) for replay in full_replays(game) for ply in replay.plies]
    tried = 0
    for number, ply, replay in sorted(plies, key=lambda entry: -entry[0])[:2]:
        for name in ply.move.__struct_fields__:
            words = {getattr(other.move, name) for other in replay.plies if type(other.move) is type(ply.move)}
            for word in sorted(words):
                written = replace(ply.move, **{name: word})
                distance = sum(differences(written, ply.move).values())
                if referee.refusal(game, ply.before, written) is not None and (
                    number <= MAXIMUM_COMPARED or distance <= 2
                ):
                    (near,) = nearest(game, ply.before, written, 1)
                    assert near.distance <= distance, written
                    tried += 1
    assert tried


def number_of_moves(game: AnyGame, state: Any) -> int:
    return referee.legal_moves(game, state).total if referee.decision(game, state).actor == "seat" else 0


@every_game
def test_a_wrong_word_is_mostly_corrected_by_one_of_the_nearest(game: AnyGame) -> None:
    corrected = tried = 0
    for (replay, kind, index, *_), answer in zip(slips(game), answers(game), strict=True):
        if kind in ("a_word", "a_seat") and not answer.legal and answer.plies == index:
            tried += 1
            meant = as_move(game, replay.document["moves"][index])
            assert answer.first_divergence is not UNSET
            corrected += meant in [near.move for near in answer.first_divergence.nearest]
    assert tried
    assert corrected >= 0.5 * tried


@every_game
@pytest.mark.parametrize("repair", ["skip", "correct"])
def test_followed_leniently_the_moves_that_were_played_are_a_legal_record(game: AnyGame, repair: str) -> None:
    ended = []
    for replay, _, _, moves, *_ in slips(game):
        answer = adjudicator.replay(game, {**replay.document, "moves": moves}, repair=repair)
        if answer.legal:
            assert answer.lenient is UNSET
            continue
        lenient = as_document(answer.lenient)
        first, *further = lenient["divergences"]
        assert first["index"] == answer.plies
        assert not first["conditional"]
        assert all(one["conditional"] for one in further)
        played = played_instead(moves, lenient)
        again = adjudicator.replay(game, {**replay.document, "moves": played})
        assert again.legal
        assert (again.plies, as_document(again.state)) == (lenient["plies"], lenient["state"])
        assert again.claimed_result_matches == lenient["claimed_result_matches"]
        ended.append(lenient["claimed_result_matches"])
    if repair == "correct":
        assert ended
        assert sum(ended) >= 0.5 * len(ended)


def played_instead(moves: list[dict[str, Any]], lenient: dict[str, Any]) -> list[dict[str, Any]]:
    """The moves of a record, with the remedies applied."""
    played: list[dict[str, Any]] = []
    remedies: dict[int, list[dict[str, Any]]] = {}
    moves = list(moves)
    for one in lenient["divergences"]:
        if one["remedy"]["action"] == "swapped":
            first = one["remedy"]["first"]
            moves[first : first + 2] = reversed(moves[first : first + 2])
            continue
        remedies.setdefault(one["index"], []).append(one["remedy"])
    last = lenient["divergences"][-1]["index"]
    for index, move in enumerate(moves):
        if index > last and len(played) == lenient["plies"]:
            break  # given up: what comes next is one divergence too many
        kept: dict[str, Any] | None = move
        for remedy in remedies.get(index, []):
            if remedy["action"] == "inserted":
                played.append(remedy["move"])
            else:
                kept = remedy.get("move")
        if kept is not None:
            played.append(kept)
    return played


@every_game
def test_a_forgotten_move_without_members_is_inserted(game: AnyGame) -> None:
    """A pass or the choice of an action follows from the later moves; usually it is the only remedy needed."""
    random = Random(f"{game.id} forgotten")
    tried = healed = 0
    for replay in full_replays(game):
        moves = replay.document["moves"]
        bare = [index for index, move in enumerate(moves[:-LOOKAHEAD]) if set(move) == {"type", "seat"}]
        if not bare:
            continue
        index = random.choice(bare)
        spoiled = {**replay.document, "moves": [*moves[:index], *moves[index + 1 :]]}
        answer = adjudicator.replay(game, spoiled, repair="correct")
        assert not answer.legal
        tried += 1
        assert answer.lenient is not UNSET
        healed += answer.lenient.claimed_result_matches is True and len(answer.lenient.divergences) == 1
    assert tried
    assert healed >= 0.6 * tried
