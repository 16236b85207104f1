"""The audit handles everything that has the shape of a state, and every state that it accepts can be continued."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from capomastro.documents.json_text import state_hash
from capomastro.documents.wordings import sentence
from capomastro.engine import referee
from capomastro.games.fifth_avenue.components import DISTRICTS
from capomastro.games.fifth_avenue.game import GAME
from tests.games.fifth_avenue.table import TIMES, table
from tests.support.damage import at, places, replaced
from tests.support.documents import as_document, as_state
from tests.support.playouts import play_out, start
from tests.support.shapes import shape_of


def disturbed(document: Any, random: Random, number: int) -> Iterator[Any]:
    """The document with one value changed a little, or replaced by another one of the same kind."""
    paths = list(places(document))
    for path in random.choices(paths, k=number):
        value, other = at(document, path), at(document, random.choice(paths))
        if type(value) is int:
            yield replaced(document, path, max(0, value + random.choice([-3, -2, -1, 1, 2, 3, 12])))
        elif isinstance(value, list) and value:
            yield replaced(document, path, random.choice([value[1:], value + value[:1], value[::-1], []]))
        elif type(value) is type(other) or other is None:
            yield replaced(document, path, other)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("six_lots", [False, True])
def test_the_audit_answers_every_document_of_valid_shape(players: int, six_lots: bool) -> None:
    random, shape = Random(f"{players} {six_lots}"), shape_of(GAME.id, "state")
    plies = list(play_out(GAME, players, {"six_lots": six_lots}, "audit"))
    faulty = sound = 0
    for ply in random.sample(plies, 10):
        for document in disturbed(as_document(ply.after), random, 60):
            if not shape.accepts(document):
                continue
            state = as_state(GAME, document)
            findings = GAME.audit(state)
            assert all(sentence(GAME, finding) for finding in findings)
            faulty += bool(findings)
            if findings or referee.is_over(GAME, state):
                continue
            sound += 1
            GAME.derived(state)
            if referee.is_at_chance(GAME, state):
                move: Any = referee.draw(GAME, state, "1")
            else:
                legal = referee.legal_moves(GAME, state)
                move = legal.pick(random.randrange(legal.total))
            after, _ = referee.play(GAME, state, move)
            assert GAME.audit(after) == []
    assert faulty
    assert sound


def test_businesses_on_a_lot_are_accepted_in_any_order() -> None:
    document = as_document(table(districts={TIMES: "GJ . . . ."}))
    assert document["districts"][TIMES]["orange"]["businesses"] == ["gallery", "jeweller"]
    other = replaced(document, ("districts", TIMES, "orange", "businesses"), ["jeweller", "gallery"])
    assert as_state(GAME, other) == as_state(GAME, document)
    assert state_hash(as_state(GAME, other)) == state_hash(as_state(GAME, document))


def test_no_document_has_three_businesses_on_a_lot() -> None:
    """The schemas refuse it, so the audit never sees it."""
    document = as_document(table(districts={TIMES: "GJ . . . ."}))
    for businesses, accepted in ((["gallery"], True), (["gallery"] * 2, True), (["gallery"] * 3, False)):
        given = replaced(document, ("districts", TIMES, "orange", "businesses"), businesses)
        assert shape_of("fifth-avenue", "state").accepts(given) is accepted


def test_rings_that_are_not_given_are_the_default_ones() -> None:
    ring = ["brown", "orange", "purple", "green", "grey"]
    state = start(GAME, 3, {"rings": {TIMES: ring}})
    rings = as_document(state)["options"]["rings"]
    assert list(rings) == list(DISTRICTS)
    assert rings.pop(TIMES) == ring
    assert set(map(tuple, rings.values())) == {("orange", "green", "purple", "grey", "brown")}
    assert start(GAME, 3, {"six_lots": True}).options.rings[TIMES][-1] == "colourless"
