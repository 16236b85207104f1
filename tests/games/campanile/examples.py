"""What the examples of the rules show: computed from each position, and in the words of its caption."""

from collections.abc import Callable, Mapping
from typing import Any

from capomastro.games.campanile import moves
from capomastro.games.campanile.components import SIZES, VALUES
from capomastro.games.campanile.deck import deck, drawn_count
from capomastro.games.campanile.rows import influence, markers_left
from capomastro.games.campanile.scoresheet import raised
from capomastro.games.campanile.scoring import finito, intermezzo, ranking
from capomastro.games.campanile.state import State


def won(scoring: Any, tower: str) -> list[tuple[int, int | None]]:
    """The seats that rank under a tower, each with the token it wins."""
    there = next(one for one in scoring.towers if one.tower == tower)
    return [(one.seat, one.token) for one in there.contenders]


def scored_at_the_end(sheet: Any) -> Any:
    return finito(len(sheet.seats), sheet.tower_order, raised(sheet.towers))


def left(state: State, seat: int) -> dict[int, int]:
    """How many markers of each value a player has left."""
    return {value: markers_left(state, seat, size) for value, size in SIZES.items()}


SEEN: Mapping[str, tuple[Callable[..., Any], Any]] = {
    "campanile.components.markers": (lambda state, *_: left(state, 0), {1: 5, 2: 3, 3: 0}),
    "campanile.deck.intermezzo": (
        lambda state, *_: (
            deck(state).size,
            state.options.intermezzo_after - drawn_count(state, deck(state).size),
        ),
        (34, 10),
    ),
    "campanile.deck.finito": (lambda state, *_: (state.intermezzo_seen, deck(state).size), (True, 4)),
    "campanile.hand.open": (
        lambda state, *_: (state.seats[1].hand.open, state.seats[1].hand.closed),
        (("e",), ("b", "c")),
    ),
    "campanile.tower.floors": (
        lambda state, *played: (played[-1].card, played[-1].floors, state.towers["b"].cards, state.towers["b"].height),
        ("b", 3, 1, 3),
    ),
    "campanile.marker.display": (
        lambda state, *played: (state.display, played[-1].seat, played[-1].tower),
        (("b", "d", "e"), 1, "b"),
    ),
    "campanile.row.rank": (
        lambda state, *played: (
            (played[-1].seat, played[-1].tower),
            [(row.seat, influence(row)) for row in state.towers["d"].rows],
        ),
        ((1, "d"), [(0, 1), (1, 2), (2, 1)]),
    ),
    "campanile.variant.another-tower": (
        lambda state, *played: (
            played[-1].__class__,
            (played[-1].seat, played[-1].source, played[-1].destination),
            "b" in state.display,
            [VALUES[size] for size in state.towers["b"].rows[0].markers],
        ),
        (moves.MoveMarker, (1, "a", "b"), True, [3, 2]),
    ),
    "campanile.scoring.height": (
        lambda sheet: (
            [sheet.towers[tower].height for tower in "bd"],
            ranking(sheet.tower_order, raised(sheet.towers))[:2],
        ),
        ([14, 14], ["b", "d"]),
    ),
    "campanile.scoring.influence": (
        lambda sheet: (
            [influence(row) for row in sheet.towers["a"].rows],
            won(scored_at_the_end(sheet), "a"),
            [influence(row) for row in sheet.towers["b"].rows],
            won(scored_at_the_end(sheet), "b")[0],
        ),
        ([4, 2, 1], [(0, 6), (1, 4), (2, 2)], [2, 2], (1, 5)),
    ),
    "campanile.scoring.intermezzo": (
        lambda state, *_: (
            state.intermezzo_seen,
            [tower.flag for tower in intermezzo(5, state.options.tower_order, state.towers).towers],
        ),
        (False, [(4, 2), (3, 1), (2,), (1,), ()]),
    ),
    "campanile.scoring.finito": (
        lambda state, *_: (
            ranking(state.options.tower_order, state.towers)[0],
            [token for _, token in won(finito(4, state.options.tower_order, state.towers), "a")],
            ranking(state.options.tower_order, state.towers)[-1],
            [token for _, token in won(finito(4, state.options.tower_order, state.towers), "e")],
        ),
        ("a", [6, 4, 2], "e", [2, None, None]),
    ),
}
