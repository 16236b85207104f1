"""Makes states of Palazzo that have only what a test needs, the rest filled in so that they are possible."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import replace

from capomastro.engine import referee
from capomastro.engine.decisions import Move
from capomastro.engine.hands import Hand
from capomastro.engine.multisets import multiset
from capomastro.engine.refusals import Refusal
from capomastro.games.palazzo import stages
from capomastro.games.palazzo.components import TILES
from capomastro.games.palazzo.game import GAME
from capomastro.games.palazzo.state import Options, Seat, State
from capomastro.games.palazzo.supplies import deck_size, tiles_shown, unseen_money

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
    supply: str | None = None,
    **fields: Any,
) -> State:
    """A state with one seat per hand; everything else is empty by default.

    If the set-up is over, the deck has been shuffled, and as many tiles as necessary have left the game.
    """
    seats = [
        Seat(
            one if isinstance(one, Hand) else hand(one), tuple(map(tiles, palaces[seat] if seat < len(palaces) else ()))
        )
        for seat, one in enumerate(hands)
    ]
    one, two, three, four = (multiset(tiles(quarry)) for quarry in quarries)
    state = State(
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
            "supply": multiset(tiles(supply or "")),
            "riders": 0,
            "removed": (),
            "discards": (),
            **fields,
        }
    )
    return state if "ply" in fields else later(state, {*fields, *(["supply"] if supply is not None else [])})


def later(state: State, given: Collection[str]) -> State:
    """The same state so long after the set-up that nobody knows any more who has done what, except what is `given`."""
    left = [tile for tile, number in TILES.items() if number > tiles_shown(state).count(tile)]
    if "supply" not in given and isinstance(state.stage, stages.RaiseOrPass | stages.ChooseTile | stages.PlaceTile):
        state = replace(state, supply=(left.pop(),))
    while "removed" not in given and any(found.rule == "palazzo.build.two-tiles" for found in GAME.audit(state)):
        state = replace(state, removed=(left.pop(), *state.removed))
    unseen = unseen_money(state)
    if "shuffled_in" not in given and min(unseen.values()) >= 0 and sum(unseen.values()) == deck_size(state):
        return replace(state, shuffled_in=multiset(Counter(unseen).elements()))
    return state


def refusal(state: State, move: Move) -> Refusal | None:
    return referee.refusal(GAME, state, move)


def legal(state: State, move: Move) -> bool:
    return refusal(state, move) is None


def offered(state: State, all_payments: bool = False) -> list[Move]:
    return list(referee.legal_moves(GAME, state, all_payments).starting_at(0))


def played(state: State, *moves: Move) -> State:
    """The state after moves, each of which must be legal."""
    for move in moves:
        assert refusal(state, move) is None, (move, refusal(state, move))
        state, _ = referee.play(GAME, state, move)
    return state


def audited(state: State) -> list[Refusal]:
    return GAME.audit(state)
