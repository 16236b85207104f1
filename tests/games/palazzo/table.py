"""Makes states of Palazzo that have only what a test needs, the rest filled in so that they are possible."""

from collections.abc import Sequence
from typing import Any

from capomastro.engine import referee
from capomastro.engine.hands import Hand
from capomastro.engine.moves import Move
from capomastro.engine.multisets import multiset
from capomastro.engine.refusals import Refusal
from capomastro.games.palazzo import stages
from capomastro.games.palazzo.game import GAME
from capomastro.games.palazzo.state import Options, Seat, State

LATER = 100
"""A ply after the set-up."""


def cards(text: str) -> tuple[str, ...]:
    """Money in shorthand: "r7 g4 c c" is a red 7, a green 4 and two certificates of value 2."""
    currencies = {"r": "red", "g": "green", "b": "blue"}
    return multiset("certificate-2" if word == "c" else f"{currencies[word[0]]}-{word[1]}" for word in text.split())


def tiles(text: str) -> tuple[str, ...]:
    """Tiles in shorthand, in their order: "b32 m11" is brick, floor 3, 2 windows, then marble, floor 1, 1 window."""
    materials = {"b": "brick", "s": "sandstone", "m": "marble"}
    return tuple(f"{materials[word[0]]}-{word[1]}-{word[2]}" for word in text.split())


def hand(closed: str = "", opened: str = "", unknown: int = 0) -> Hand:
    return Hand(cards(opened), cards(closed), {"deck": unknown} if unknown else {})


def table(
    *,
    stage: stages.AnyStage | None = None,
    hands: Sequence[Hand | str] = ("", ""),
    palaces: Sequence[Sequence[str]] = (),
    quarries: Sequence[str] = ("", "", "", ""),
    supply: str = "",
    **fields: Any,
) -> State:
    """A state with one seat per hand; everything else is empty by default."""
    seats = [
        Seat(
            one if isinstance(one, Hand) else hand(one), tuple(map(tiles, palaces[seat] if seat < len(palaces) else ()))
        )
        for seat, one in enumerate(hands)
    ]
    one, two, three, four = (multiset(tiles(quarry)) for quarry in quarries)
    return State(
        **{
            "game": "palazzo",
            "schema_version": 1,
            "rules_version": GAME.rules_version,
            "ply": LATER,
            "options": Options(),
            "active_seat": 0,
            "stage": stages.ChooseAction() if stage is None else stage,
            "seats": tuple(seats),
            "builder": 0,
            "quarries": (one, two, three, four),
            "supply": multiset(tiles(supply)),
            "riders": 0,
            "removed": (),
            "discards": (),
            **fields,
        }
    )


def refusal(state: State, move: Move) -> Refusal | None:
    return referee.refusal(GAME, state, move)


def legal(state: State, move: Move) -> bool:
    return refusal(state, move) is None


def offered(state: State, all_payments: bool = False) -> list[Move]:
    return list(referee.legal_moves(GAME, state, all_payments).starting_at(0))


def played(state: State, *moves: Move) -> State:
    """The state after moves; all must be legal."""
    for move in moves:
        assert refusal(state, move) is None, (move, refusal(state, move))
        state, _ = referee.play(GAME, state, move)
    return state


def audited(state: State) -> list[Refusal]:
    return GAME.audit(state)
