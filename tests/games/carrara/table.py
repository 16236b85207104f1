"""Makes states of Carrara that have only what a test needs, and the refusals of moves in them."""

from collections.abc import Sequence
from typing import Any

from capomastro.engine import referee
from capomastro.engine.moves import Move
from capomastro.engine.multisets import multiset
from capomastro.engine.refusals import Refusal
from capomastro.games.carrara import stages
from capomastro.games.carrara.components import BLOCKS, CITIES, COST_OF, FACE_UP, OBJECTS, SECTIONS
from capomastro.games.carrara.game import GAME
from capomastro.games.carrara.state import Cities, Options, Seat, State, Wheel
from capomastro.games.carrara.supplies import buildings_of
from tests.support.documents import as_document

LATER = 100
"""A ply after the set-up."""

COLOUR_OF = {"w": "white", "y": "yellow", "r": "red", "g": "green", "b": "blue", "k": "black"}
TYPE_OF = {"li": "library", "pa": "palace", "ga": "gate", "ca": "cathedral", "cs": "castle", "vi": "villa"}


def blocks(text: str) -> tuple[str, ...]:
    """Blocks in shorthand: "rgg" is a red and two green ones; k is black."""
    return multiset(COLOUR_OF[letter] for letter in text)


def buildings(text: str) -> tuple[str, ...]:
    """Buildings in shorthand: "li3 cs1 ca2" is a library of cost 3, a castle of cost 1 and a cathedral of cost 2."""
    return multiset(f"{TYPE_OF[word[:2]]}-{word[2]}" for word in text.split())


def seat(
    blocks_held: str = "",
    *,
    coins: int = 0,
    points: int = 0,
    objects: str = "",
    types: str = "",
    cities: str = "",
    **built: str,
) -> Seat:
    """A player: blocks in shorthand, objects, scored types and cities in full, buildings by city in shorthand."""
    own_cities = Cities(**{city: buildings(built.get(city, "")) for city in CITIES})
    return Seat(
        points=points,
        coins=coins,
        blocks=blocks(blocks_held),
        cities=own_cities,
        objects=multiset(objects.split()),
        scored_types=multiset(types.split()),
        scored_cities=multiset(cities.split()),
    )


def wheel(*sections: str) -> Wheel:
    """The sections from I on, in shorthand; those not given are empty."""
    return Wheel(*(blocks(sections[index] if index < len(sections) else "") for index in range(len(SECTIONS))))


def table(
    *seats: Seat,
    stage: stages.AnyStage | None = None,
    sections: Sequence[str] = ("wyrgbk",),
    face_up: str | None = None,
    sold: str = "",
    **fields: Any,
) -> State:
    """A state of the given seats (two bare ones if none), past the set-up.

    By default the wheel has one block of each colour, and the board the first buildings that nobody
    has built. `sold`: the objects that are not for sale any more.
    """
    seats = seats or (seat(), seat())
    stage = stages.ChooseAction() if stage is None else stage
    if face_up is None:
        built = [building for player in seats for building in buildings_of(player)]
        left = [building for building in COST_OF if building not in built]
        shown = tuple(left[: FACE_UP - isinstance(stage, stages.RevealBuilding)])
    else:
        shown = buildings(face_up)
    return State(
        **{
            "game": "carrara",
            "schema_version": 1,
            "rules_version": GAME.rules_version,
            "ply": LATER,
            "options": Options(),
            "active_seat": 0,
            "stage": stage,
            "seats": tuple(seats),
            "wheel": wheel(*sections),
            "face_up": shown,
            "objects_for_sale": tuple(kind for kind in OBJECTS if kind not in sold.split()),
            **fields,
        }
    )


ALL_OF_COST_5 = "li5 pa5 ga5 ca5 cs5 vi5"


def ready(blocks_held: str = "", *, coins: int = 0, points: int = 0, **changes: str) -> Seat:
    """A player of two, three or four who has met all three objectives: five scorings, eleven objects, cost 30."""
    scored = {
        "lerici": ALL_OF_COST_5,
        "types": "library palace gate castle",
        "cities": "lerici",
        "objects": "book book crown crown gate gate flag flag cup coat-of-arms",
        **changes,
    }
    return seat(blocks_held, coins=coins, points=points, **scored)


def spread(number: int, *, without: Sequence[Seat] = ()) -> str:
    """The first `number` buildings, in shorthand, that none of `without` has."""
    gone = {building for player in without for building in buildings_of(player)}
    short = {name: letters for letters, name in TYPE_OF.items()}
    left = [building for building in COST_OF if building not in gone]
    return " ".join(short[building[:-2]] + building[-1] for building in left[:number])


ALL_BLOCKS = "".join(letter * BLOCKS[colour] for letter, colour in COLOUR_OF.items())


def rest_of(*texts: str) -> str:
    """All blocks of the box except those in `texts`, in shorthand, so that the bag is empty."""
    rest = list(ALL_BLOCKS)
    for letter in "".join(texts):
        rest.remove(letter)
    return "".join(rest)


def refusal(state: State, move: Move) -> Refusal | None:
    return referee.refusal(GAME, state, move)


def broken_rule(state: State, move: Move) -> str | None:
    """The rule a move breaks, without the name of the game."""
    refused = refusal(state, move)
    return refused.rule.removeprefix("carrara.") if refused else None


def legal(state: State, move: Move) -> bool:
    return refusal(state, move) is None


def offered(state: State) -> list[Move]:
    return list(referee.legal_moves(GAME, state).starting_at(0))


def kinds_offered(state: State) -> set[type[Move]]:
    return {type(move) for move in offered(state)}


def played(state: State, *moves: Move) -> State:
    """The state after moves; all must be legal, and every state before and after them must pass the audit."""
    assert audited(state) == []
    for move in moves:
        assert refusal(state, move) is None, (move, refusal(state, move))
        state, _ = referee.play(GAME, state, move)
        assert audited(state) == [], move
    return state


def events_of(state: State, *moves: Move) -> list[dict[str, Any]]:
    """All events of legal moves, as documents."""
    happened: list[dict[str, Any]] = []
    for move in moves:
        assert refusal(state, move) is None, (move, refusal(state, move))
        state, events = referee.play(GAME, state, move)
        happened += as_document(events)
    return happened


def audited(state: State) -> list[Refusal]:
    return GAME.audit(state)
