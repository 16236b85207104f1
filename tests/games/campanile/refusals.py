"""Cases for every rule that refuses a move: what breaks it, the rule, its numbers, where it points to.

A refused `Move` is asked in a state; a refused kind of move (a class) is one of which none is legal there. They are
vectors of the conformance kit. Of a scoresheet nothing is moved. What the audit finds stands in `test_rules.py`.
"""

from typing import Any

from capomastro.engine.decisions import Move
from capomastro.games.campanile import moves
from capomastro.games.campanile.components import STYLES
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.scoresheet import Scoresheet, SheetSeat, SheetTower
from capomastro.games.campanile.state import DealCard, RefillDisplay, RevealSetupCard, State, TakeCard
from tests.games.campanile.table import (
    after_turns,
    beginning,
    hand,
    options,
    played,
    refilling,
    scoresheet,
    table,
    towers,
)
from tests.support.playouts import play_out, start
from tests.support.refusals import Case


def case(
    rule: str, subject: State | Scoresheet, move: Move | type[Move] | None, pointer: str, /, **numbers: Any
) -> Case:
    return Case(f"campanile.{rule}", subject, move, numbers, pointer)


def moving(floors: int = 2, variant: bool = True) -> State:
    """Both seats have a medium marker, on c and on d; seat 0 has just raised tower a, and a, c and d are displayed."""
    state = beginning(options=options(after=12, variant=variant))
    return played(
        after_turns(state, [("a", 2, "c", "e", "d"), ("b", 2, "d", "d", "a")]), moves.PlayCard(0, "a", floors)
    )


VARIANT = beginning(options=options(after=12, variant=True))
PLACING = played(beginning(), moves.PlayCard(0, "a", 1))
TAKING = beginning(stage=TakeCard(), hands=["ab", "bcc"], towers=towers(a="1/1"), ply=10)
DUE = refilling(options=options(after=3))
NO_CARD_LEFT = table(
    stage=RefillDisplay(),
    hands=[hand("bcc"), hand("dd", unknown=1)],
    display="de",
    towers=towers(a="6/6", b="5/5", c="4/4", d="3/3", e="4/4"),
    active_seat=1,
    intermezzo_seen=True,
    ply=80,
)

ONLY_THERE = played(
    after_turns(VARIANT, [("a", 2, "c", "d", "c"), ("b", 1, None, "e", "c")]), moves.PlayCard(0, "a", 2)
)
"""The medium marker of seat 0 stands on the only tower that is displayed."""
THREE_PLACED = played(
    after_turns(
        VARIANT,
        [
            ("a", 2, "c", "e", "d"),
            ("b", 1, None, "d", "d"),
            ("a", 2, "d", "c", "c"),
            ("c", 1, None, "d", "d"),
            ("b", 2, "c", "d", "b"),
            ("c", 1, None, "b", "b"),
        ],
    ),
    moves.PlayCard(0, "c", 2),
)
"""No medium marker of seat 0 is left, but one could be moved."""
OVER = list(play_out(GAME, 2))[-1].after
NOT_TYPED_IN = Scoresheet("campanile", 1, (SheetSeat(),) * 2, {style: SheetTower() for style in STYLES})
"""Nothing but the players."""

CASES = [
    # the box
    case(
        "components.tower-cards",
        table(stage=RevealSetupCard(), hands=["aaa", "aaa"], display="b", ply=7),
        moves.RevealCard("a"),
        "/card",
        component="a",
        box=6,
    ),
    case(
        "components.tower-cards",
        table(stage=DealCard(), hands=["aaa", "aaa", "aaa", "aaa", ""], display="", ply=12),
        moves.DealCard("a"),
        "/card",
        component="a",
        box=12,
    ),
    # the deck
    case(
        "deck.intermezzo",
        refilling(),
        moves.RevealCard("intermezzo"),
        "/card",
        card="intermezzo",
        drawn=3,
        lowest=12,
        highest=12,
    ),
    case("deck.intermezzo", DUE, moves.RevealCard("d"), "/card", card="d", drawn=3, lowest=3, highest=3),
    case(
        "deck.intermezzo",
        played(DUE, moves.RevealCard("intermezzo")),
        moves.RevealCard("intermezzo"),
        "/card",
        card="intermezzo",
        drawn=3,
        lowest=3,
        highest=3,
    ),
    case("deck.finito", refilling(), moves.RevealCard("finito"), "/card", left=21, intermezzo_seen=False),
    case("deck.last", NO_CARD_LEFT, moves.RevealCard("e"), "/card", card="e"),
    # turns
    case("turn.seat", beginning(), moves.PlayCard(1, "b", 1), "/seat", seat=1, to_decide=0),
    case(
        "turn.step",
        beginning(),
        moves.TakeCard(0, "c"),
        "/type",
        move="take-card",
        decision="play-card",
        expected_moves=("play-card",),
    ),
    case(
        "turn.step",
        PLACING,
        moves.PlayCard(0, "a", 1),
        "/type",
        move="play-card",
        decision="place-marker",
        expected_moves=("place-marker", "move-marker", "no-marker"),
    ),
    case(
        "turn.chance",
        refilling(),
        moves.PlayCard(0, "a", 1),
        "/type",
        expected_move="reveal-card",
        decision="refill-display",
    ),
    case(
        "turn.chance", start(GAME, 3), moves.RevealCard("a"), "/type", expected_move="deal-card", decision="deal-card"
    ),
    case("turn.decision", beginning(), moves.RevealCard("a"), "/type", seat=0, decision="play-card"),
    case("end.over", OVER, moves.PlayCard(0, "a", 1), "/type"),
    # A
    case("tower.hand", beginning(), moves.PlayCard(0, "e", 1), "/card", card="e"),
    # B
    case("marker.display", PLACING, moves.PlaceMarker(0, "a"), "/tower", tower="a", display=("c", "d", "e")),
    case("marker.display", moving(), moves.MoveMarker(0, "c", "b"), "/destination", tower="b", display=("a", "c", "d")),
    case("marker.reserve", THREE_PLACED, moves.PlaceMarker(0, "c"), "/type", size="medium", owned=3, seat=0),
    # the variant
    case("variant.off", moving(variant=False), moves.MoveMarker(0, "c", "d"), "/type"),
    case("variant.two-floors", moving(1), moves.MoveMarker(0, "c", "d"), "/type", floors=1),
    case("variant.two-floors", moving(3), moves.MoveMarker(0, "c", "d"), "/type", floors=3),
    case("variant.source", moving(), moves.MoveMarker(0, "d", "a"), "/source", tower="d", seat=0),
    case("variant.another-tower", moving(), moves.MoveMarker(0, "c", "c"), "/destination", tower="c"),
    case(
        "variant.nothing-to-move",
        played(VARIANT, moves.PlayCard(0, "a", 2)),
        moves.MoveMarker,
        "/type",
        seat=0,
        display=("c", "d", "e"),
    ),
    case("variant.nothing-to-move", ONLY_THERE, moves.MoveMarker, "/type", seat=0, display=("c", "c", "c")),
    # scoresheets
    case(
        "deck.intermezzo-turns",
        scoresheet(2, {"a": "18", "b": "18", "c": "18"}, {"a": "18", "b": "18", "c": "1"}),
        None,
        "/intermezzo/towers",
        lowest=13,
        highest=13,
        fewest=1,
        most=12,
    ),
    case(
        "deck.intermezzo-course",
        scoresheet(2, {"a": "8 0M", "b": "6"}, {"a": "1 0M", "b": "1"}),
        None,
        "/intermezzo/towers",
        then=2,
        floors=14,
    ),
    case("tower.sheet-height", NOT_TYPED_IN, None, "/towers/e/height", tower="e"),
    case("scoring.sheet-intermezzo", NOT_TYPED_IN, None, "/intermezzo"),
    case(
        "scoring.sheet-tokens",
        scoresheet(3, {"a": "36", "b": "36", "c": "36"}, [(), ()]),
        None,
        "/intermezzo/by_seat",
        seat=2,
    ),
    case(
        "end.turns",
        scoresheet(2, {"a": "18", "b": "18", "c": "18", "d": "13"}, [(), ()]),
        None,
        "/towers",
        lowest=23,
        highest=24,
        fewest=12,
        most=22,
    ),
    case("end.turns", scoresheet(2, {}, [(), ()]), None, "/towers", lowest=0, highest=0, fewest=12, most=22),
    case(
        "end.course",
        scoresheet(2, {"a": "6", "b": "7 0L"}, [(), ()]),
        None,
        "/towers",
        floors=13,
        small=0,
        medium=0,
        large=1,
        fewest=12,
        most=22,
    ),
    # C
    case("take.display", TAKING, moves.TakeCard(0, "a"), "/card", card="a", display=("c", "d", "e")),
]
