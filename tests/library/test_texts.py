"""Texts of the library: half surrogate pairs are no characters, and names are compared as people read them."""

from collections.abc import Callable, Container
from typing import Any

import pytest

import capomastro
from capomastro import Problem, Record

HALF = "Zo\udceb"
"""A text with half a surrogate pair, as Python makes of a byte that is no character."""

begun = capomastro.set_up("palazzo", 2, names=["Zoë", "Bruno"], seed=1)
state, record = begun.json().decode(), Record.of(begun)

WITH_HALF: dict[str, Callable[[], Any]] = {
    "a game": lambda: capomastro.game(HALF),
    "names": lambda: capomastro.set_up("palazzo", 2, names=[HALF, "b"]),
    "an option": lambda: capomastro.set_up("palazzo", 2, options={HALF: HALF}),
    "a seed": lambda: capomastro.set_up("palazzo", 2, seed=HALF),
    "a seed of draws": lambda: capomastro.set_up("palazzo", 2).draw(HALF),
    "a seed of a suggestion": lambda: begun.suggest(seed=HALF),
    "a state": lambda: capomastro.Position.from_document(state.replace("Bruno", HALF)),
    "a decoded state": lambda: capomastro.audit({**begun.document(), "names": [HALF, "b"]}),
    "a scoresheet": lambda: capomastro.score({"game": "palazzo", "schema_version": 1, "seats": [{"name": HALF}, {}]}),
    "a move": lambda: begun.play(f"{HALF} build"),
    "a type of move": lambda: begun.why_not(f"0 {HALF}"),
    "a move in JSON": lambda: begun.nearest(f'{{"type":"{HALF}"}}'),
    "a decoded move": lambda: begun.sentence({"type": HALF}),
    "a record in JSON": lambda: Record.from_text(record.json().decode().replace("Bruno", HALF)),
    "a record in notation": lambda: Record.from_text(record.text().replace("Bruno", HALF)),
    "a decoded record": lambda: Record.from_document({**record.document(), "id": HALF}),
    "an id": lambda: Record.of(begun, id=HALF).json(),
    "a tag": lambda: Record.of(begun, tags={HALF: HALF}).text(),
}


@pytest.mark.parametrize("ask", WITH_HALF.values(), ids=WITH_HALF)
def test_half_a_surrogate_pair_is_a_problem(ask: Callable[[], Any]) -> None:
    with pytest.raises(Problem) as raised:
        ask()
    assert str(raised.value).encode()
    assert raised.value.document()


def test_a_move_with_half_a_surrogate_pair_is_not_among_the_legal_ones() -> None:
    moves: Container[object] = begun.legal_moves
    assert f"0 {HALF}" not in moves


COMPOSED, DECOMPOSED = "Zo\u00eb", "Zoe\u0308"


def test_a_name_is_the_same_however_its_accents_are_written() -> None:
    position = capomastro.set_up("palazzo", 2, names=[DECOMPOSED, "Bruno"], seed=1)
    assert position.names == (DECOMPOSED, "Bruno")
    assert position.is_legal(f"{COMPOSED} take-money")
    assert Record.from_text(Record.of(position).text()).names == (DECOMPOSED, "Bruno")


@pytest.mark.parametrize("names", [("Ada", "Ada"), (COMPOSED, DECOMPOSED)], ids=["equal", "equal in NFC"])
def test_two_players_with_the_same_name_are_refused(names: tuple[str, str]) -> None:
    record_of_both = {**record.document(), "names": list(names)}
    state_of_both = {**begun.document(), "names": list(names)}
    for ask in (
        lambda: capomastro.set_up("palazzo", 2, names=names),
        lambda: Record.from_document(record_of_both),
        lambda: capomastro.Position.from_document(state_of_both),
        lambda: capomastro.audit(state_of_both),
    ):
        with pytest.raises(Problem) as raised:
            ask()
        assert raised.value.id == "options"
        assert raised.value.errors == [{"pointer": "/names/1", "message": "Seat 1 has the same name as seat 0."}]
