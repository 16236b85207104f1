"""The small members for pages and bots, over recorded games: each told by itself, against the long way round."""

import re
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec import UNSET

from capomastro import adjudicator
from capomastro.answers import MoveParameter
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
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
    for state in some_states(game, 80):
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
        for move in map(as_document, islice(legal.starting_at(0), 60)):
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
