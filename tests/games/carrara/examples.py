"""What the examples of the rules show: computed from each position, and in the words of its caption."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import structs

from capomastro.games.carrara import moves
from capomastro.games.carrara.components import CITIES, COST_OF, TYPE_OF, price_of
from capomastro.games.carrara.derived import objectives_of
from capomastro.games.carrara.scoring import proceeds
from capomastro.games.carrara.supplies import in_city, object_supplies, of_type, pile_size

SEEN: Mapping[str, tuple[Callable[..., Any], Any]] = {
    "carrara.components.prices": (
        lambda state, *_: (
            [
                ("yellow" in state.wheel.i, price_of("yellow", "I")),
                ("yellow" in state.wheel.ii, price_of("yellow", "II")),
            ],
            ("white" in state.wheel.vi, price_of("white", "VI")),
        ),
        ([(True, 5), (True, 4)], (True, 1)),
    ),
    "carrara.buy.turn": (
        lambda state, *played: (played[0].__class__, len(state.wheel.ii), len(played[1:]), len(state.wheel.i)),
        (moves.TurnWheel, 6, 5, 5),
    ),
    "carrara.build.city": (
        lambda state, *played: (
            (played[0].seat, TYPE_OF[played[0].building], COST_OF[played[0].building], played[0].city),
            sorted(played[0].payment),
            set(CITIES["viareggio"].accepts),
        ),
        ((1, "villa", 3, "viareggio"), ["green", "red", "yellow"], {"white", "yellow", "red", "green"}),
    ),
    "carrara.build.refill": (
        lambda state, *played: (played[-1].__class__, len(state.face_up), pile_size(state)),
        (moves.RevealBuilding, 9, 12),
    ),
    "carrara.score.type-pays": (
        lambda state, *played: (
            played[-1].building_type,
            [(COST_OF[one], city, CITIES[city].rate) for one, city in of_type(state.seats[0].cities, "palace")],
            proceeds(of_type(state.seats[0].cities, "palace")),
        ),
        ("palace", [(2, "pisa", 3), (3, "viareggio", 2), (4, "lerici", 1)], {"points": 0, "coins": 16}),
    ),
    "carrara.score.city-pays": (
        lambda state, *played: (
            (played[-1].seat, played[-1].city),
            sum(COST_OF[one] for one in state.seats[1].cities.viareggio),
            proceeds(in_city(state.seats[1].cities, "viareggio")),
        ),
        ((1, "viareggio"), 7, {"points": 0, "coins": 14}),
    ),
    "carrara.score.city-minimum": (
        lambda state, *played: (
            (played[-1].seat, played[-1].city),
            [len(getattr(state.seats[0].cities, city)) for city in ("pisa", "viareggio", "lerici")],
            [CITIES[city].minimum for city in ("pisa", "viareggio", "lerici")],
            sorted(state.seats[0].scored_cities),
        ),
        ((0, "pisa"), [2, 3, 3], [2, 3, 3], ["lerici", "pisa", "viareggio"]),
    ),
    "carrara.score.objects": (
        lambda state, *played: (
            played[-1].__class__,
            [TYPE_OF[one] for one in getattr(state.seats[1].cities, played[-1].city)],
            state.seats[1].objects,
        ),
        (moves.ScoreCity, ["castle"] * 3, ("flag",) * 3),
    ),
    "carrara.object.one-of-each": (
        lambda state, *_: ("cup" in state.objects_for_sale, len(state.objects_for_sale), object_supplies(state)),
        (False, 5, dict.fromkeys(("book", "crown", "gate", "cup", "flag", "coat-of-arms"), 5)),
    ),
    "carrara.end.objectives": (
        lambda state, *_: (
            len(state.seats),
            [(one.progress, one.needed) for one in structs.astuple(objectives_of(state, 1))],
        ),
        (4, [(4, 4), (8, 6), (20, 20)]),
    ),
}
