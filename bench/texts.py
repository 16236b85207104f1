"""What sentences cost: a move with and without texts, and a refusal in every language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.support.vectors import illegal_moves_file, read

from bench.interleave import Figure, Report, Sampler, calls_over, interleave
from bench.one_move import answerer
from bench.positions import middle_of_games, request_to_move
from bench.reference_unit import Seconds
from capomastro import adjudicator
from capomastro.documents import json_text
from capomastro.documents.languages import languages, using_language
from capomastro.documents.wordings import SHARED, explained
from capomastro.engine.game import AnyGame
from capomastro.engine.refusals import Refusal
from capomastro.games import all_games

WITH_TEXTS = ", with texts"
LANGUAGE = "it"
"""The language of the sentences; their cost hardly depends on it."""
BARE = "without a sentence"
MICROSECONDS = 10
"""The most that a sentence may add to the cost of a refusal, in any language, on the machine of `README.md`."""


class Refused(NamedTuple):
    """A refusal of a game."""

    game: AnyGame
    refusal: Refusal


def answerer_with_texts(game: AnyGame) -> Callable[[bytes], bytes]:
    """Answers requests for a transition with a sentence for every move and every event."""

    def answer(body: bytes) -> bytes:
        members = json_text.decode(body)
        with using_language(LANGUAGE):
            return json_text.encode(adjudicator.transition(game, members["state"], members["moves"], texts=True))

    return answer


def refusals() -> list[Refused]:
    """A refusal of every illegal move of the conformance kit."""
    return [
        Refused(game, Refusal(refusal["rule"], refusal["values"], refusal["pointer"]))
        for game in all_games().values()
        for refusal in (vector["refusal"] for vector in read(illegal_moves_file(game)))
    ]


def bare(refused: Refused) -> dict[str, Any]:
    """A refusal as a document without its sentence."""
    refusal = refused.refusal
    return {"rule": refusal.rule, "values": refusal.values, "pointer": "/move" + refusal.pointer}


def in_language(language: str) -> Callable[[Refused], dict[str, Any]]:
    """Says a refusal in a language."""

    def explanation(refused: Refused) -> dict[str, Any]:
        with using_language(language):
            return explained(refused.game, refused.refusal, "/move")

    return explanation


def reports(rounds: int, seconds: Seconds) -> list[Report]:
    """Moves with and without texts; refusals in every language, with what a sentence adds in the title."""
    moves: dict[str, Sampler] = {}
    for game in all_games().values():
        bodies = [request_to_move(position) for position in middle_of_games(game)]
        moves[game.id] = calls_over(answerer(game), bodies, seconds=seconds)
        moves[game.id + WITH_TEXTS] = calls_over(answerer_with_texts(game), bodies, seconds=seconds)
    own = {game + WITH_TEXTS: game for game in all_games()}
    refused = refusals()
    explanation = {language: in_language(language) for language in languages(SHARED)}
    run = interleave(
        {
            name: calls_over(function, refused, seconds=seconds)
            for name, function in {BARE: bare, **explanation}.items()
        },
        rounds=rounds,
    )
    cost = {name: run.figures(name, Figure.COST).median * 1e6 for name in run.samples}
    added = ", ".join(f"{language} {cost[language] - cost[BARE]:.1f}" for language in explanation)
    return [
        Report(
            interleave(moves, rounds=rounds),
            title="One move, bytes to bytes, without and with texts",
            figure=Figure.COST,
            work="move",
            own=own,
        ),
        Report(
            run,
            title=f"A refusal as a document (µs of CPU that its sentence adds, goal {MICROSECONDS}: {added})",
            figure=Figure.COST,
            work="refusal",
            references=(BARE,),
        ),
    ]
