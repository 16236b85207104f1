"""Cases for every rule that refuses: what breaks it, the rule, its values, and its pointer.

A `Move` is refused in a state; of a kind of move (a class) no move is legal in a state; without a
move, a state, options or a scoresheet is impossible. All are vectors of the conformance kit. The limits of what
is possible are in `test_rules.py`.
"""

from typing import Any

from msgspec.structs import replace

from capomastro.engine.game import SheetSeat
from capomastro.engine.moves import Move
from capomastro.engine.stages import GameOver
from capomastro.games.campanile import moves, stages
from capomastro.games.campanile.components import STYLES
from capomastro.games.campanile.game import GAME
from capomastro.games.campanile.scoresheet import Scoresheet, SheetTower
from capomastro.games.campanile.state import Options, State
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


def case(rule: str, subject: Any, move: Move | type[Move] | None, pointer: str, /, **values: Any) -> Case:
    return Case(f"campanile.{rule}", subject, move, values, pointer)


def moving(floors: int = 2, variant: bool = True) -> State:
    """Both seats have a medium marker, on c and on d; seat 0 has just raised tower a, and a, c and d are displayed."""
    state = beginning(options=options(after=12, variant=variant))
    return played(
        after_turns(state, [("a", 2, "c", "e", "d"), ("b", 2, "d", "d", "a")]), moves.PlayCard(0, "a", floors)
    )


def built(state: State, **texts: str) -> State:
    """The state with other towers."""
    return replace(state, towers={**state.towers, **{style: towers(**texts)[style] for style in texts}})


def with_tokens(state: State, *tokens: int) -> State:
    """The state with tokens of seat 0, and of nobody else."""
    first, *others = state.seats
    return replace(state, seats=(replace(first, tokens=tokens), *(replace(seat, tokens=()) for seat in others)))


VARIANT = beginning(options=options(after=12, variant=True))
PLACING = played(beginning(), moves.PlayCard(0, "a", 1))
TAKING = beginning(stage=stages.TakeCard(), hands=["ab", "bcc"], towers=towers(a="1/1"), ply=10)
DUE = refilling(options=options(after=3))
NO_CARD_LEFT = table(
    stage=stages.RefillDisplay(),
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
"""The medium marker of seat 0 is under the only tower that is displayed."""
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
MIDDLE = after_turns(
    beginning(), [("a", 3, "c", "c", "d"), ("c", 2, "d", "e", "e"), ("a", 1, "d", "d", "a"), ("b", 1, None, "a", "b")]
)
"""Two players after two turns each, a possible state."""
SINCE = replace(MIDDLE, options=options(after=4), intermezzo_seen=True, ply=26)
"""The Intermezzo showed after the first turn."""
NO_TOKENS: list[tuple[int, ...]] = [(), ()]

CASES = [
    # the box
    case(
        "components.tower-cards",
        table(stage=stages.RevealSetupCard(), hands=["aaa", "aaa"], display="b", ply=7),
        moves.RevealCard("a"),
        "/card",
        component="a",
        box=6,
    ),
    case(
        "components.tower-cards",
        table(stage=stages.DealCard(), hands=["aaa", "aaa", "aaa", "aaa", ""], display="", ply=12),
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
    # impossible states, options and scoresheets: the box
    case(
        "components.deck",
        table(
            hands=[hand(unknown=3), hand(unknown=3)], display="eee", towers=towers(a="6/6", b="6/6", c="6/6", d="6/6")
        ),
        None,
        "",
        cards=3,
    ),
    case("components.markers", built(MIDDLE, c="2/1 0LL"), None, "/towers", seat=0, number=2, size="large", owned=1),
    case(
        "components.markers",
        scoresheet(2, {"a": "18 0MM", "b": "9 0MM"}, NO_TOKENS),
        None,
        "/towers",
        seat=0,
        number=4,
        size="medium",
        owned=3,
    ),
    # … set-up
    case("setup.order", table(stage=stages.DealCard(), hands=["", "abc"], display="", ply=3), None, "/seats"),
    case("setup.ply", replace(start(GAME, 2), ply=1), None, "/ply", ply=1, setup=0),
    case(
        "setup.step",
        table(stage=stages.DealCard(), display="", ply=6),
        None,
        "/stage",
        decision="deal-card",
        expected_decision="reveal-setup-card",
    ),
    case(
        "setup.early",
        table(stage=stages.DealCard(), hands=["abc", "ab"], display="c", ply=6),
        None,
        "/display",
        decision="deal-card",
    ),
    case(
        "setup.untouched",
        table(stage=stages.DealCard(), hands=[hand(opened="abc"), "ab"], display="", ply=5),
        None,
        "/seats/0/hand/open",
    ),
    case("setup.intermezzo", Options(intermezzo_after=2), None, "/intermezzo_after", after=2, lowest=3, highest=14),
    case(
        "setup.intermezzo",
        beginning(options=options(after=15)),
        None,
        "/options/intermezzo_after",
        after=15,
        lowest=3,
        highest=14,
    ),
    # … the deck
    case(
        "deck.intermezzo-place",
        replace(MIDDLE, intermezzo_seen=True, ply=26),
        None,
        "/intermezzo_seen",
        intermezzo_seen=True,
        drawn=7,
        lowest=12,
        highest=12,
    ),
    case(
        "deck.intermezzo-place",
        replace(MIDDLE, options=options(after=5)),
        None,
        "/intermezzo_seen",
        intermezzo_seen=False,
        drawn=7,
        lowest=5,
        highest=5,
    ),
    case("deck.intermezzo-first", refilling(stage=GameOver(), ply=12), None, "/stage"),
    case("deck.finito-last", refilling(stage=GameOver(), ply=12), None, "/stage", left=21, most=10),
    # … turns
    case("turn.seats", beginning(active_seat=2), None, "/active_seat", seat=2, players=2),
    case("turn.seats", scoresheet(2, {"a": "3 2S"}, NO_TOKENS), None, "/towers/a/rows/0/seat", seat=2, players=2),
    # … hands
    case("hand.size", beginning(hands=["aa", "bcc"]), None, "/seats/0/hand", cards=2, expected=3),
    # … A
    case("tower.floors", built(MIDDLE, a="7/2"), None, "/towers/a/height", height=7, cards=2),
    case(
        "tower.height",
        scoresheet(2, {"a": "19"}, NO_TOKENS),
        None,
        "/towers/a/height",
        tower="a",
        height=19,
        highest=18,
    ),
    case(
        "tower.never-lower",
        scoresheet(3, {"a": "4", "b": "9"}, {"a": "5", "b": "3"}),
        None,
        "/towers/a/height",
        tower="a",
        height=4,
        then=5,
    ),
    # … B
    case(
        "marker.reserve",
        beginning(stage=stages.PlaceMarker(3), hands=["ab", "bcc"], towers=towers(a="6/2", c="3/1 0L")),
        None,
        "/stage",
        size="large",
        owned=1,
        seat=0,
    ),
    case(
        "marker.one-a-turn",
        scoresheet(2, {"a": "7 0SSSSS", "b": "6 0MM"}, NO_TOKENS),
        None,
        "/towers",
        seat=0,
        placed=7,
        turns=6,
    ),
    case("marker.value", scoresheet(2, {"a": "4 0L 1M"}, NO_TOKENS), None, "/towers", worth=5, floors=4),
    case(
        "marker.stays",
        scoresheet(3, {"a": "6 0S 1M"}, {"a": "5 0SM 1M"}),
        None,
        "/towers/a/rows",
        seat=0,
        lost=("medium",),
    ),
    case(
        "row.rank",
        scoresheet(3, {"a": "6 1S 0MS"}, {"a": "5 0M 1S"}),
        None,
        "/towers/a/rows",
        seat=0,
        other=1,
        tower="a",
    ),
    case("row.one-each", built(MIDDLE, c="2/1 0S 0S", d="0"), None, "/towers/c/rows/1/seat", seat=0),
    case("row.one-each", scoresheet(2, {"a": "3 0S 0S"}, NO_TOKENS), None, "/towers/a/rows/1/seat", seat=0),
    case("row.empty", built(MIDDLE, c="2/1 0L 1"), None, "/towers/c/rows/1/markers", seat=1),
    case("row.empty", scoresheet(2, {"a": "3 0"}, NO_TOKENS), None, "/towers/a/rows/0/markers", seat=0),
    # … the variant
    case(
        "variant.two-players",
        table(hands=["aab", "bcc", "dde"], options=options(after=12, variant=True)),
        None,
        "/options/move_medium_marker",
        players=3,
    ),
    case(
        "variant.two-players",
        scoresheet(3, {"a": "3"}, [(), (), ()], move_medium_marker=True),
        None,
        "/move_medium_marker",
        players=3,
    ),
    # … C
    case("take.three", beginning(display="cd"), None, "/display", cards=2, expected=3),
    case("take.three", refilling(display="cde"), None, "/display", cards=3, expected=2),
    # … scoring
    case("scoring.tokens", with_tokens(SINCE, 4, 4), None, "/seats", tokens=((4, 4), ())),
    case(
        "scoring.tokens",
        scoresheet(3, {"a": "9 0S"}, [(2, 4), (4,), ()]),
        None,
        "/intermezzo/by_seat",
        tokens=((2, 4), (4,), ()),
    ),
    case("scoring.tokens-early", with_tokens(MIDDLE, 4), None, "/seats", tokens=((4,), ())),
]
