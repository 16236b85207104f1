"""The small members for pages and bots, over recorded games: each told by itself, against the long way round."""

import re
from collections import Counter
from itertools import islice, product
from random import Random
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from capomastro import adjudicator
from capomastro.answers import MoveParameter
from capomastro.documents.languages import using_brief_texts, using_language
from capomastro.documents.wordings import event_text, languages_of, move_text
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import SeatMove
from capomastro.games import all_games
from tests.support.documents import as_document
from tests.support.recorded import full_replays

GAMES = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)


def some_states(game: AnyGame, number: int) -> list[Any]:
    """States of recorded games, each at a decision of a seat or of chance."""
    states = [ply.before for replay in full_replays(game) for ply in replay.plies]
    return Random(game.id).sample(states, min(number, len(states)))


def tokens_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [token for each in value.values() for token in tokens_in(each)]
    return [token for each in value for token in tokens_in(each)] if isinstance(value, list) else [str(value)]


def found_at(document: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        document = document[int(part)] if isinstance(document, list) else document.get(part, [])
    return document


def filled(place: str, values: dict[str, Any]) -> str:
    """A place with the members of a move in its slots."""
    return re.sub(r"\{(\w+)\}", lambda slot: str(values[slot[1]]), place)


def lies_where_told(parameter: MoveParameter, move: dict[str, Any], state: dict[str, Any], picture: str) -> bool:
    """Whether what a move names lies where its parameter says: places are drawn, tokens are in the state."""
    values = move[parameter.member] if parameter.is_set else [move[parameter.member]]
    if parameter.type in ("number", "word"):
        return not parameter.lies_in
    for value in values:
        places = [filled(place, {**move, parameter.member: value}) for place in parameter.lies_in]
        if parameter.type == "place":
            found = any(f'data-place="{place}"' in picture for place in places)
        else:
            found = any(value in tokens_in(found_at(state, place)) for place in places)
        if not found:
            return False
    return True


@GAMES
def test_every_legal_move_is_of_a_kind_that_is_told_with_what_it_names(game: AnyGame) -> None:
    for state in some_states(game, 12):
        document = as_document(state)
        told = adjudicator.legal_moves(game, document, limit=0, kinds=True, all_payments=True)
        assert told.kinds is not UNSET
        assert sum(kind.total for kind in told.kinds) == told.total
        assert not told.moves
        if referee.is_at_chance(game, state):
            continue
        kinds = {kind.type: kind for kind in told.kinds}
        legal = referee.legal_moves(game, state, all_payments=True)
        picture = adjudicator.pictures_of_state(game, document).pictures[0]
        for move in map(as_document, islice(legal.starting_at(0), 30)):
            kind = kinds[move["type"]]
            assert kind.total > 1 or as_document(kind.move) == move
            assert {"type", "seat", *(each.member for each in kind.parameters)} == {*move}
            for parameter in kind.parameters:
                assert lies_where_told(parameter, move, document, picture), (parameter, move)
                value = move[parameter.member]
                size = len(value) if parameter.is_set else value if parameter.type == "number" else 1
                assert parameter.least <= size <= parameter.most
        for kind in told.kinds:
            contained = adjudicator.legal_moves(game, document, 1, all_payments=True, containing={"type": kind.type})
            assert contained.total == kind.total


def contained(game: AnyGame, state: Any, partial: dict[str, Any]) -> list[dict[str, Any]]:
    """The legal moves that contain a partial one."""
    moves: list[dict[str, Any]] = as_document(adjudicator.legal_moves(game, state, 1000, containing=partial))["moves"]
    return moves


@GAMES
def test_no_legal_move_contains_another_seat(game: AnyGame) -> None:
    for document in map(as_document, some_states(game, 12)):
        for move in as_document(adjudicator.legal_moves(game, document, 20))["moves"]:
            for seat in (move.get("seat", -1) + 1, None, "0", False):
                assert not contained(game, document, {**move, "seat": seat})


@GAMES
def test_every_legal_move_contains_itself(game: AnyGame) -> None:
    for document in map(as_document, some_states(game, 40)):
        for move in as_document(adjudicator.legal_moves(game, document, 1000))["moves"][-20:]:
            assert move in contained(game, document, move)


# --- computers play on -----------------------------------------------------------------------------------------------


def one_by_one(game: AnyGame, document: Any, players: list[str | None], seed: str) -> dict[str, Any]:
    """What a page does without `players`: a transition, then suggestions and transitions in turns."""
    answer = as_document(adjudicator.transition(game, document, [], seed, texts=True))
    moves, events = answer["moves"], answer["events"]
    for _ in range(adjudicator.MOST_PLAYED_ON):
        player = players[answer["decision"]["seat"]] if "seat" in answer["decision"] else None
        if player is None:
            break
        suggested = as_document(adjudicator.suggestion(game, answer["state"], player, seed))
        answer = as_document(adjudicator.transition(game, answer["state"], [suggested["move"]], seed, texts=True))
        moves, events = moves + answer["moves"], events + answer["events"]
    return {**answer, "moves": moves, "events": events}


@GAMES
def test_computers_play_on_as_one_by_one(game: AnyGame) -> None:
    for index, state in enumerate(some_states(game, 4)):
        computers: list[str | None] = ["random", *["planning"] * (len(state.seats) - 1)]
        players = computers if index % 2 else [None, *computers[1:]]
        shown = adjudicator.Shown("narrow", index % 2 or None)
        document = as_document(state)
        told = as_document(adjudicator.transition(game, document, [], "s", texts=True, computers=players, shown=shown))
        expected = one_by_one(game, document, players, "s")
        for member in ("state", "state_hash", "derived", "decision", "moves", "events"):
            assert told[member] == expected[member], member
        steps = told["steps"]
        played = [move["type"] for step in steps for move in step["moves"]]
        assert played == [move["type"] for move in told["moves"]][-len(played) :]
        if steps:
            drawn = adjudicator.pictures_of_state(
                game, told["state"], "narrow", shown.viewer, last_moves=steps[-1]["moves"]
            )
            assert [steps[-1]["picture"]] == drawn.pictures


# --- amounts ---------------------------------------------------------------------------------------------------------

SAID = {
    "palazzo.auction.raise": lambda amount, said: (amount.value, amount.needs) == (said["bid"], said["highest"] + 1),
    "palazzo.buy.price": lambda amount, said: (amount.value, amount.needs) == (said["worth"], said["price"]),
    "fifth-avenue.auction.higher": lambda amount, said: (
        (amount.value, amount.needs) == (said["bid"], said["highest"] + 1)
    ),
    "carrara.buy.price": lambda amount, said: (amount.value, amount.have) == (said["price"], said["coins"]),
    "carrara.build.cost": lambda amount, said: (amount.value, amount.needs) == (said["blocks"], said["cost"]),
}
"""By rule: whether an amount is what the referee says in a refusal."""


def smaller(move: Any, random: Random) -> Any:
    """A move with fewer tokens in its sets, or the same."""
    sets = {name: value for name in move.__struct_fields__ if isinstance(value := getattr(move, name), tuple) and value}
    return replace(move, **{name: value[: random.randrange(len(value) + 1)] for name, value in sets.items()})


def without_coins(state: Any) -> Any:
    """A state whose seats have no coins, or the same if the game has none."""
    seats = tuple(replace(seat, coins=0) if hasattr(seat, "coins") else seat for seat in state.seats)
    return replace(state, seats=seats)


@GAMES
def test_amounts_are_what_the_referee_says(game: AnyGame) -> None:
    random, told = Random(game.id), Counter[str]()
    plies = [ply for replay in full_replays(game) for ply in replay.plies if isinstance(ply.move, SeatMove)]
    for ply in random.sample(plies, min(len(plies), 1500)):
        poor = without_coins(ply.before)
        asked = [(ply.before, ply.move), (ply.before, smaller(ply.move, random))]
        for state, move in [*asked, *([] if game.audit(poor) else [(poor, ply.move)])]:
            amounts = referee.amounts(game, state, move)
            refusal = referee.refusal(game, state, move)
            for amount in amounts:
                assert amount.before is None or amount.value == amount.before + (amount.added or 0)
                if refusal is None:
                    needs = amount.value if amount.needs is None else amount.needs
                    assert amount.value == needs if amount.name == "blocks" else amount.value >= needs
                    assert amount.have is None or amount.value <= amount.have
                    told["legal"] += 1
                elif refusal.rule in SAID:
                    assert SAID[refusal.rule](amount, refusal.values), (amount, refusal)
                    told[refusal.rule] += 1
            if refusal is None and amounts:
                _, (event, *_) = referee.play(game, state, move)
                for name in ("bid", "price"):
                    if hasattr(event, name):
                        assert getattr(event, name) in (amounts[0].value, amounts[0].needs)
    if game.id != "campanile":
        assert told["legal"]
        assert {rule for rule in SAID if rule.startswith(f"{game.id}.")} <= {*told}


# --- brief sentences -------------------------------------------------------------------------------------------------


@GAMES
def test_brief_sentences_have_no_player_and_are_no_longer(game: AnyGame) -> None:
    names = tuple(f"Zoe{seat}" for seat in range(5))
    plies = {type(ply.move): ply for replay in full_replays(game) for ply in replay.plies}
    for language, ply in product(languages_of(game), plies.values()):
        _, events = referee.play(game, ply.before, ply.move)
        sentences: list[tuple[Any, Any]] = [(move_text, ply.move), *((event_text, event) for event in events)]
        for text, told in sentences:
            with using_language(language):
                full = text(game, told, names)
                with using_brief_texts():
                    brief = text(game, told, names)
            assert 0 < len(brief) <= len(full), (brief, full)
            assert not full.startswith("\u2068Zoe") or "Zoe" not in brief, brief
