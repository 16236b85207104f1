"""Makes states of Campanile that have only what a test needs, and the refusals of moves in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from capomastro.engine import referee
from capomastro.engine.game import SheetSeat
from capomastro.engine.hands import Hand
from capomastro.engine.moves import Move
from capomastro.engine.multisets import multiset
from capomastro.engine.refusals import Refusal
from capomastro.games.campanile import moves, stages
from capomastro.games.campanile.components import STYLES
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.scoresheet import Position, Scoresheet, SheetTower, TokensWon
from capomastro.games.campanile.state import Seat, SettledOptions, State, Tower
from capomastro.games.campanile.tokens import Row

SIZES = {"L": "large", "M": "medium", "S": "small"}


def rows(text: str) -> tuple[Row, ...]:
    """Rows in shorthand: "1L 0MS" is first seat 1 with a large marker, then seat 0 with a medium and a small one."""
    return tuple(Row(int(word[0]), multiset(SIZES[letter] for letter in word[1:])) for word in text.split())


def tower(text: str) -> Tower:
    """A tower in shorthand: "7/3 1L 0MS" has 7 floors of 3 cards, then its rows; "7" has as few cards as possible."""
    size, _, markers = text.partition(" ")
    height, _, number = size.partition("/")
    return Tower(int(height), int(number) if number else -(-int(height) // 3), rows(markers))


def towers(**texts: str) -> dict[str, Tower]:
    """The five towers; those not given are bare."""
    return {style: tower(texts.get(style, "0")) for style in STYLES}


def hand(closed: str = "", opened: str = "", unknown: int = 0) -> Hand:
    return Hand(multiset(opened), multiset(closed), {"deck": unknown} if unknown else {})


def options(order: str = "abcde", after: int | None = None, variant: bool = False) -> SettledOptions:
    return SettledOptions(tuple(order), after, variant)


def table(
    *,
    stage: stages.AnyStage | None = None,
    hands: Sequence[Hand | str] = ("abc", "abc"),
    tokens: Sequence[tuple[int, ...]] = (),
    display: str = "cde",
    **fields: Any,
) -> State:
    """A state with one seat per hand, given by its closed cards; by default the rest is empty or as a game begins."""
    seats = tuple(
        Seat(one if isinstance(one, Hand) else hand(one), tokens[seat] if tokens else ())
        for seat, one in enumerate(hands)
    )
    return State(
        **{
            "game": "campanile",
            "schema_version": 1,
            "rules_version": GAME.rules_version,
            "ply": 3 * len(hands) + 3,
            "options": options(after=12),
            "active_seat": 0,
            "stage": stages.PlayCard() if stage is None else stage,
            "seats": seats,
            "towers": towers(),
            "display": multiset(display),
            "intermezzo_seen": False,
            **fields,
        }
    )


def beginning(**fields: Any) -> State:
    """Two players before their first turn."""
    return table(**{"hands": ["aab", "bcc"], **fields})


def refilling(**fields: Any) -> State:
    """Seat 0 has taken a card in the first turn."""
    return beginning(
        **{
            "stage": stages.RefillDisplay(),
            "hands": ["ab" + "b", "bcc"],
            "display": "de",
            "towers": towers(a="1/1"),
            "ply": 11,
            **fields,
        }
    )


def refusal(state: State, move: Move) -> Refusal | None:
    return referee.refusal(GAME, state, move)


def legal(state: State, move: Move) -> bool:
    return refusal(state, move) is None


def offered(state: State) -> list[Move]:
    return list(referee.legal_moves(GAME, state).starting_at(0))


def played(state: State, *moves: Move) -> State:
    """The state after moves; all must be legal."""
    for move in moves:
        assert refusal(state, move) is None, (move, refusal(state, move))
        state, _ = referee.play(GAME, state, move)
    return state


def after_turns(state: State, turns: Sequence[tuple[str, int, str | None, str, str]]) -> State:
    """Turns: card and floors, the tower of the marker, the card taken and the one that replaces it."""
    for card, floors, tower, taken, drawn in turns:
        seat = state.active_seat
        state = played(state, moves.PlayCard(seat, card, floors))
        if isinstance(state.stage, stages.PlaceMarker):
            state = played(state, moves.PlaceMarker(seat, tower) if tower else moves.NoMarker(seat))
        state = played(state, moves.TakeCard(seat, taken), moves.RevealCard(drawn))
    return state


def audited(state: State) -> list[Refusal]:
    return GAME.audit(state)


# --- scoresheets -----------------------------------------------------------------------------------------------------


def sheet_towers(texts: Mapping[str, str]) -> dict[str, SheetTower]:
    """Towers of a scoresheet, as in `towers`."""
    return {style: SheetTower(one.height, one.rows) for style, one in towers(**texts).items()}


def scoresheet(
    players: int,
    end: Mapping[str, str],
    then: Mapping[str, str] | Sequence[tuple[int, ...]],
    **fields: Any,
) -> Scoresheet:
    """A scoresheet with the towers at the `end`, and the towers or the tokens won at the Intermezzo (`then`)."""
    first = Position(sheet_towers(then)) if isinstance(then, Mapping) else TokensWon(tuple(then))
    return Scoresheet("campanile", 1, (SheetSeat(),) * players, sheet_towers(end), first, **fields)
