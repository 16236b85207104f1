"""Spoils moves: every small change of a legal move that still has the shape of a move."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, get_args

import msgspec

from capomastro.documents.reading import can_read
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from tests.support.documents import as_document, as_move, texts


def vocabulary(game: AnyGame, documents: Iterable[Any]) -> list[str]:
    """Every token in `documents`, as values for the fields of moves."""
    return sorted({text for document in documents for text in texts(as_document(document))})


def field_mutations(value: Any, tokens: list[str], random: Random) -> Iterator[Any]:
    """Values near `value`: other numbers, other tokens, lists with one more, one fewer, one changed."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (near for near in (value - 1, value + 1, value + 2, 0, 7) if near >= 0 and near != value)
    elif isinstance(value, str):
        yield from (token for token in random.sample(tokens, min(4, len(tokens))) if token != value)
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from ({**value, name: changed} for changed in field_mutations(member, tokens, random))
    elif isinstance(value, list) and not all(isinstance(item, str) for item in value):
        for index, item in enumerate(value):
            near = field_mutations(item, tokens, random)
            yield from ([*value[:index], changed, *value[index + 1 :]] for changed in near)
            yield value[:index] + value[index + 1 :]
            yield [*value, item]
    elif isinstance(value, list):
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)))
        for token in random.sample(tokens, min(3, len(tokens))):
            yield [*value, token]
            if value:
                changed = list(value)
                changed[random.randrange(len(value))] = token
                yield changed
        if value:
            yield [*value, random.choice(value)]


def mutations(game: AnyGame, state: Any, move: Move, tokens: list[str], random: Random) -> Iterator[Move]:
    """Moves that differ from `move` in one field, or are of another kind with the same fields."""
    document = as_document(move)
    tokens = sorted({*tokens, *vocabulary(game, [state])})
    for name, value in document.items():
        if name == "type":
            kinds = [kind.__struct_config__.tag for kind in get_args(game.moves)]
            changes: Iterable[Any] = (kind for kind in kinds if kind != value)
        else:
            changes = field_mutations(value, tokens, random)
        for changed in changes:
            spoilt = {**document, name: changed}
            try:
                # without the fields that the other kind lacks
                spoilt = as_document(msgspec.convert(spoilt, game.moves))
            except msgspec.ValidationError:
                continue
            if can_read(game, "move", spoilt) and (mutated := as_move(game, spoilt)) != move:
                yield mutated
