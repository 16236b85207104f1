"""Replays: how far a record is legal, whether its claimed result is right, and how it goes on if it is not legal."""

from collections.abc import Mapping, Sequence
from typing import Any

from capomastro.adjudicator.answers import Answer
from capomastro.adjudicator.loading import load_record
from capomastro.documents import claims, json_text
from capomastro.documents.wordings import explained
from capomastro.engine import records, referee
from capomastro.engine.decisions import Move
from capomastro.engine.game import AnyGame
from capomastro.engine.nearness import nearest
from capomastro.engine.records import Repair
from capomastro.engine.refusals import Refusal

NEAREST = 5
"""Number of legal moves listed that are nearest to an illegal one."""


def replay(
    game: AnyGame,
    document: Any,
    under_current_rules: bool = False,
    repair: str | None = None,
    at: str = "/record",
) -> Answer:
    """How far a record is legal, where it stands, and whether its claimed result is right.

    With `repair` ("skip" or "correct") an illegal record is followed beyond its first divergence: `lenient` says how.
    """
    start, moves = load_record(game, document, under_current_rules, at)
    replayed = records.replay(game, start, moves)
    state, refusal = replayed.state, replayed.refusal
    claim = document.get("result")
    answer: Answer = {"legal": refusal is None, "plies": replayed.plies}
    if refusal is not None:
        move = moves[replayed.plies]
        answer["first_divergence"] = {
            **divergence(game, state, replayed.plies, move, refusal, at),
            "nearest": nearest(game, state, move, NEAREST),
        }
    answer |= standing_of_replay(game, state, claim)
    if refusal is not None and repair is not None:
        answer["lenient"] = lenient_replay(game, state, moves, replayed.plies, Repair(repair), claim, at)
    return {"verdict": verdict_on_record(answer), **answer}


def divergence(game: AnyGame, state: Any, index: int, move: Move, refusal: Refusal, at: str) -> Answer:
    """A recorded move that is not legal in `state`, and the decision that stood there."""
    return {
        "index": index,
        "departure": records.departure(game, state, move),
        "move": move,
        "decision": referee.decision(game, state),
        "refusal": explained(game, refusal, f"{at}/moves/{index}"),
    }


def standing_of_replay(game: AnyGame, state: Any, claim: Mapping[str, Any] | None) -> Answer:
    """Where a replay has come to; at the end of the game the result, and how the claimed one compares with it."""
    answer: Answer = {"state": state, "decision": referee.decision(game, state)}
    over = referee.is_over(game, state)
    if over:
        answer["result"] = game.result(state)
    if claim is not None:
        lines = claims.compared(claim, json_text.decode(json_text.encode(answer["result"]))) if over else []
        answer["claimed_result_matches"] = over and all(line["matches"] for line in lines)
        if over:
            answer["claimed_result_lines"] = lines
    return answer


def verdict_on_record(answer: Answer) -> str:
    """What became of a record, in one word."""
    if "first_divergence" in answer:
        return str(answer["first_divergence"]["departure"])
    if "result" not in answer:
        return "unfinished"
    return "legal" if answer.get("claimed_result_matches", True) else "wrong-result"


def lenient_replay(
    game: AnyGame,
    state: Any,
    moves: Sequence[Move],
    index: int,
    repair: Repair,
    claim: Mapping[str, Any] | None,
    at: str,
) -> Answer:
    """How a record goes on from its first divergence, the move at `index`, if something is done about each."""
    followed = records.follow(game, state, moves, index, repair)
    return {
        "repair": repair,
        "divergences": [
            {
                **divergence(game, one.state, one.index, moves[one.index], one.refusal, at),
                "remedy": one.remedy,
                "conditional": number > 0,
            }
            for number, one in enumerate(followed.divergences)
        ],
        "followed_to_the_end": followed.to_the_end,
        "plies": followed.state.ply,
        **standing_of_replay(game, followed.state, claim),
    }
