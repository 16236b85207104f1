"""What the examples of the rules show: computed from each position, and in the words of its caption."""

from collections.abc import Callable, Mapping
from typing import Any

from capomastro.games.fifth_avenue import moves
from capomastro.games.fifth_avenue.bids import colours_of, worth
from capomastro.games.fifth_avenue.components import (
    BLACK,
    CENTRAL_PARK,
    CITY_HALL,
    COLOURLESS,
    DISTRICTS,
    DUMMY,
    pile_of,
)
from capomastro.games.fifth_avenue.decisions import auctioned, has_pair, highest_bid
from capomastro.games.fifth_avenue.lots import is_full
from capomastro.games.fifth_avenue.scoring import neighbours, park_line, points_of_a_building
from capomastro.games.fifth_avenue.state import State

WEST = "34th-street-west"


def colours(state: State, seat: int) -> set[str]:
    """The colours of all cards that a player has laid in an auction."""
    return {pile_of(card) for bid in state.stage.offers[seat].laid for card in bid}  # type: ignore[union-attr]


def lots_of(state: State, name: str, owner: int | str) -> list[str]:
    """The lots of a district with buildings of an owner."""
    district = state.districts[name]
    return [lot for lot in state.options.rings[name] if district is not None and district[lot].owner == owner]


SEEN: Mapping[str, tuple[Callable[..., Any], Any]] = {
    "fifth-avenue.map.exits": (
        lambda state, *_: all(state.districts[name] is not None for name in DISTRICTS),
        True,
    ),
    "fifth-avenue.map.rings": (
        lambda state, *_: [
            set(neighbours(state.options.rings["52nd-street-east"], lot)) for lot in ("orange", "purple")
        ],
        [{"green", "brown"}, {"green", "grey"}],
    ),
    "fifth-avenue.map.markers": (
        lambda state, *played: (played[-1].commissioner, played[-1].to, state.markers["white"]),
        ("white", CITY_HALL, ("34th-street-east", "42nd-street-east", "52nd-street-east")),
    ),
    "fifth-avenue.map.colourless": (
        lambda state, *_: (
            state.options.rings["times-square"][-1],
            bool(state.districts["times-square"][COLOURLESS].businesses),
        ),
        (COLOURLESS, True),
    ),
    "fifth-avenue.business.active-group": (
        lambda state, *_: [bool(group) for group in state.row],
        [False] * 4 + [True] * 4,
    ),
    "fifth-avenue.business.lot": (
        lambda state, *played: (
            (played[-1].__class__, played[-1].district, played[-1].lot),
            [len(state.districts[WEST][lot].businesses) for lot in ("green", "orange")],
            [(WEST, lot) in state.districts.lots_for_business for lot in ("green", "orange", "grey")],
            state.districts[WEST]["grey"].buildings,
        ),
        ((moves.PlaceBusiness, WEST, "green"), [2, 2], [False, False, False], 1),
    ),
    "fifth-avenue.scoring.district": (
        lambda state, *played: (
            (played[-1].__class__, played[-1].district),
            lots_of(state, WEST, 1),
            points_of_a_building(state.districts[WEST], state.options.rings[WEST], "grey"),
        ),
        ((moves.ScoreDistrict, WEST), ["grey"], 8),
    ),
    "fifth-avenue.auction.higher": (
        lambda state, *played: (
            [offer.total for offer in state.stage.offers],
            (played[-1].seat, worth(played[-1].cards), colours_of(played[-1].cards)),
            state.stage.seat,
        ),
        ([16, 19, 14], (1, 8, ()), 2),
    ),
    "fifth-avenue.auction.coloured-card": (
        lambda state, *_: [offer.laid for offer in state.stage.offers],
        [(("brown-5",),), (("black-4", "purple-4"),), (("green-4",), ("black-6",))],
    ),
    "fifth-avenue.auction.own-lot": (
        lambda state, *_: [(lots_of(state, WEST, seat), colours(state, seat) - {BLACK}) for seat in (0, 1, 3)],
        [(["green"], {"green"}), (["purple"], {"purple"}), (["brown"], {"brown"})],
    ),
    "fifth-avenue.central-park.colour": (
        lambda state, *_: (
            auctioned(state),
            set().union(*(colours(state, seat) for seat in range(3))),
        ),
        (CENTRAL_PARK, {"grey", BLACK}),
    ),
    "fifth-avenue.stop.full": (
        lambda state, *_: (
            auctioned(state),
            is_full(state.districts[WEST]),
            len(state.options.rings[WEST]),
        ),
        (WEST, True, 5),
    ),
    "fifth-avenue.stop.closed": (
        lambda state, *_: (state.districts[WEST], state.commissioners["beige"]),
        (None, WEST),
    ),
    "fifth-avenue.dummy.pair": (
        lambda state, *_: (
            state.stage.dummy,
            worth(state.stage.dummy),
            has_pair(state.stage.dummy),
            (highest_bid(state.stage), state.stage.seat, state.stage.offers[1].passed),
        ),
        (("black-4", "black-4", "black-5", "black-6"), 19, True, (19, 0, True)),
    ),
    "fifth-avenue.dummy.builds": (
        lambda state, *_: (
            lots_of(state, WEST, DUMMY),
            [
                points_of_a_building(state.districts[WEST], state.options.rings[WEST], lot)
                for lot in ("orange", "grey", "green", "purple")
            ],
            [lot for lot in state.options.rings[WEST] if state.districts[WEST][lot].businesses],
        ),
        (["orange", "grey"], [2, 2, 1, 1], ["brown"]),
    ),
    "fifth-avenue.end.central-park": (
        lambda state, *_: (
            len(state.park_tiles),
            len(set(state.park_tiles)),
            [park_line(seat.central_park, state.park_tiles).points for seat in state.seats[:2]],
            [seat.central_park for seat in state.seats[:2]],
        ),
        (3, 2, [15, 15], [5, 5]),
    ),
}
