"""Replays: how far a record is legal, whether its claimed result is right, and how an illegal record continues."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from capomastro.adjudicator.loading import load_record
from capomastro.adjudicator.moves import near_moves
from capomastro.adjudicator.texts import course_with_texts, texts_of_moves
from capomastro.answers import (
    Divergence,
    FirstDivergence,
    LenientReplay,
    RemediedDivergence,
    Remedy,
    Replay,
)
from capomastro.documents import claims, json_text
from capomastro.documents.claims import Claim
from capomastro.documents.wordings import explained
from capomastro.engine import records, referee
from capomastro.engine.decisions import Decision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.records import Repair
from capomastro.engine.refusals import Refusal
from capomastro.engine.results import AnyResult, ClaimedLine
from capomastro.engine.steps import play_steps

NEAREST = 5
"""Number of nearest legal moves listed for an illegal one."""


class Reached(NamedTuple):
    """The state that a replay reached; at the end of the game also the result, compared with the claimed one."""

    state: Any
    decision: Decision
    result: AnyResult | UnsetType
    claimed_result_matches: bool | UnsetType
    claimed_result_lines: list[ClaimedLine] | UnsetType


def replay(
    game: AnyGame,
    document: Any,
    under_current_rules: bool = False,
    repair: str | None = None,
    at: str = "/record",
    texts: bool = False,
) -> Replay:
    """How far a record is legal, the state it reaches, and whether its claimed result is right.

    With `repair` ("skip" or "correct") the replay continues beyond the first divergence; `lenient` has the outcome.
    With `texts`, the answer describes the game move by move.
    """
    start, moves = load_record(game, document, under_current_rules, at)
    answer = replay_moves(game, start, moves, claims.claim_in(document), repair, at, texts, document)
    if not texts:
        return answer
    return replace(answer, course=course_with_texts(game, play_steps(game, start, moves[: answer.plies])))


def replay_moves(
    game: AnyGame,
    start: Any,
    moves: Sequence[Move],
    claim: Claim | None,
    repair: str | None = None,
    at: str = "",
    texts: bool = False,
    document: Mapping[str, Any] | None = None,
) -> Replay:
    """The same for moves from the state `start`, without an account of the game; `texts` adds those of divergences.

    With the `document` that they are from, a lenient replay has the repaired one.
    """
    replayed = records.replay(game, start, moves)
    state, refusal = replayed.state, replayed.refusal
    first: FirstDivergence | UnsetType = UNSET
    lenient: LenientReplay | UnsetType = UNSET
    if refusal is not None:
        first = first_divergence(game, state, replayed.plies, moves[replayed.plies], refusal, at)
        if repair is not None:
            lenient = lenient_replay(game, start, moves, Repair(repair), claim, at, document)
    if texts:
        first, lenient = divergence_with_texts(game, state, first), lenient_with_texts(game, state, lenient)
    reached = reached_in(game, state, claim)
    return Replay(
        verdict=verdict_on_record(first, reached),
        legal=refusal is None,
        plies=replayed.plies,
        first_divergence=first,
        lenient=lenient,
        **reached._asdict(),
    )


def divergence(game: AnyGame, state: Any, index: int, move: Move, refusal: Refusal, at: str) -> Divergence:
    """A recorded move that is illegal in `state`, and the decision due there."""
    return Divergence(
        index,
        records.departure(game, state, move),
        move,
        referee.decision(game, state),
        explained(game, refusal, f"{at}/moves/{index}"),
    )


def first_divergence(game: AnyGame, state: Any, index: int, move: Move, refusal: Refusal, at: str) -> FirstDivergence:
    """The first illegal move of a record, and the legal moves nearest to it."""
    found = divergence(game, state, index, move, refusal, at)
    return FirstDivergence(**asdict(found), nearest=near_moves(game, state, move, NEAREST))


def reached_in(game: AnyGame, state: Any, claim: Claim | None) -> Reached:
    """What a replay that ends in `state` has reached."""
    decision = referee.decision(game, state)
    if not referee.is_over(game, state):
        return Reached(state, decision, UNSET, UNSET if claim is None else False, UNSET)
    result = game.result(state)
    if claim is None:
        return Reached(state, decision, result, UNSET, UNSET)
    lines = claims.compared_claim(claim, json_text.decode(json_text.encode(result)))
    return Reached(state, decision, result, all(line.matches for line in lines), lines)


def verdict_on_record(first: FirstDivergence | UnsetType, reached: Reached) -> str:
    """The verdict on a record, in one word."""
    if first is not UNSET:
        return first.departure.value
    if reached.result is UNSET:
        return "unfinished"
    return "wrong-result" if reached.claimed_result_matches is False else "legal"


def lenient_replay(
    game: AnyGame,
    start: Any,
    moves: Sequence[Move],
    repair: Repair,
    claim: Claim | None,
    at: str,
    document: Mapping[str, Any] | None,
) -> LenientReplay:
    """How a record continues beyond its first divergence if each divergence is repaired."""
    followed = records.follow(game, start, moves, repair, claim_check(game, claim))
    divergences = [
        RemediedDivergence(
            **asdict(divergence(game, repaired.state, repaired.index, moves[repaired.index], repaired.refusal, at)),
            remedy=remedy_in_answer(repaired.remedy),
            conditional=number > 0,
        )
        for number, repaired in enumerate(followed.divergences)
    ]
    reached = reached_in(game, followed.state, claim)
    record: dict[str, Any] | UnsetType = UNSET
    if document is not None and followed.to_the_end:
        record = repaired_record(game, document, followed.moves, reached.claimed_result_matches is not False)
    return LenientReplay(repair, divergences, followed.to_the_end, followed.state.ply, *reached, record)


def repaired_record(
    game: AnyGame, document: Mapping[str, Any], moves: Sequence[Move], keeps_claim: bool
) -> dict[str, Any]:
    """A record with other moves, of the current rules version; without the result that it claims if that is wrong."""
    kept = document if keeps_claim else {name: document[name] for name in document if name not in Claim._fields}
    return {**kept, "rules_version": game.rules_version, "moves": moves}


def remedy_in_answer(remedy: records.Remedy) -> Remedy:
    return Remedy(
        remedy.action,
        UNSET if remedy.move is None else remedy.move,
        UNSET if remedy.first is None else remedy.first,
    )


def claim_check(game: AnyGame, claim: Claim | None) -> records.MeetsClaim | None:
    """Tells whether a state is the end of a game with the claimed result."""
    return None if claim is None else lambda state: reached_in(game, state, claim).claimed_result_matches is True


# --- texts -----------------------------------------------------------------------------------------------------------


def divergence_with_texts(game: AnyGame, state: Any, first: FirstDivergence | UnsetType) -> FirstDivergence | UnsetType:
    """The first divergence, with its moves as sentences beside them."""
    if first is UNSET:
        return UNSET
    (text,) = texts_of_moves(game, state, [first.move])
    return replace(first, text=text, nearest_texts=texts_of_moves(game, state, [near.move for near in first.nearest]))


def lenient_with_texts(game: AnyGame, state: Any, lenient: LenientReplay | UnsetType) -> LenientReplay | UnsetType:
    """A lenient replay, with the moves of its divergences and remedies as sentences beside them."""
    if lenient is UNSET:
        return UNSET
    divergences = []
    for found in lenient.divergences:
        (text,) = texts_of_moves(game, state, [found.move])
        played = [] if found.remedy.move is UNSET else [found.remedy.move]
        divergences.append(
            replace(found, text=text, remedy_text=next(iter(texts_of_moves(game, state, played)), UNSET))
        )
    return replace(lenient, divergences=divergences)
