"""Cases for every rule that refuses: what breaks it, the rule, its values, and its pointer.

A `Move` is refused in a state; of a kind of move (a class) no move is legal in a state; without a
move, the audit finds the state impossible. Those with moves are vectors of the conformance kit.
"""

from typing import Any

from msgspec.structs import replace

from capomastro.engine.hands import Hand
from capomastro.engine.moves import Move
from capomastro.engine.stages import GameOver
from capomastro.games.palazzo import moves, stages
from capomastro.games.palazzo.components import MONEY, TILES
from capomastro.games.palazzo.scoresheet import Scoresheet, SheetSeat
from capomastro.games.palazzo.scoring import Outline
from capomastro.games.palazzo.state import Options, State
from tests.games.palazzo.table import cards, hand, table, tiles
from tests.support.refusals import Case

RED_3, RED_7, CERTIFICATE = "red-3", "red-7", "certificate-2"
ALL_MONEY = tuple(card for card, number in MONEY.items() for _ in range(number))
ALL_TILES = tuple(tile for tile, number in TILES.items() for _ in range(number))


def case(rule: str, subject: Any, move: Move | type[Move] | None, pointer: str, /, **values: Any) -> Case:
    return Case(f"palazzo.{rule}", subject, move, values, pointer)


def bidding(*bids: stages.Bid, seat: int = 1, hands: tuple[str, ...] = (), **fields: Any) -> State:
    """An auction of one tile on quarry 0."""
    in_hand = hands or ("",) * len(bids)
    return table(stage=stages.RaiseOrPass(seat, bids), quarries=("m11", "", "", ""), hands=in_hand, **fields)


def bid(*plays: str, passed: bool = False) -> stages.Bid:
    return stages.Bid(tuple(map(cards, plays)), passed)


def sheet(*palaces: Any, hand: tuple[str, ...] | None = None) -> Scoresheet:
    return Scoresheet("palazzo", 1, (SheetSeat(tuple(palaces), hand), SheetSeat(())))


def row(text: str) -> stages.ChooseTwoCards:
    return stages.ChooseTwoCards(cards(text))


NOT_ENOUGH = table(hands=[Hand((), ALL_MONEY[:30]), Hand((), ALL_MONEY[30:53])], discards=ALL_MONEY[53:54])
PLACING = table(stage=stages.PlaceTile(0, tiles("b31"), distribution=False), palaces=[["m12 m22", "s33"]])
REBUILDING = table(hands=["r3 c", ""], palaces=[["m12 m22", "s33", "b33", "b12 b21 b31"]])
SUPPLIED = table(stage=stages.BuyOrAuction(), supply="b12 b23 m11 s53", hands=["r3 r4 g6 g7", ""])
LAID_OUT = table(stage=stages.DealCard(), ply=5, supply="b12", quarries=("m11", "m12", "m13", "m21"))
QUARRY = table(stage=stages.ChooseTile(0), quarries=("b12 b23 m11 s53", "", "", ""))

CASES = [
    # the box
    case("components.tiles", table(supply="b12", quarries=("b12", "", "", "")), None, "", component="brick-1-2", box=1),
    case("components.tiles", table(supply="b31", palaces=[["b31"], ["b31"]]), None, "", component="brick-3-1", box=2),
    case(
        "components.tiles",
        sheet(tiles("b12"), tiles("b12 b21")),
        None,
        "/seats/0/palaces/1/0",
        component="brick-1-2",
        box=1,
    ),
    case("components.money", table(hands=["r3 r3 r3", "r3"]), None, "", component="red-3", box=3),
    case("components.money", table(hands=["c c c c c c", "c c c c c"]), None, "", component="certificate-2", box=10),
    case("components.money", sheet(hand=cards("r3 r3 r3 r3")), None, "/seats/0/hand", component="red-3", box=3),
    case("components.deck", table(hands=[hand("r3", unknown=50), hand(unknown=6)]), None, "/seats", cards=2),
    case("components.shuffled-in", table(shuffled_in=cards("r3")), None, "/shuffled_in", cards=1, deck=55),
    case(
        "components.shuffled-cards",
        table(hands=[Hand((), ALL_MONEY[:53]), ""], shuffled_in=ALL_MONEY[:2]),
        None,
        "/shuffled_in",
        deck=2,
    ),
    # set-up
    case("setup.first-stack", Options((4, 22, 22)), None, "/stack_sizes/0", first=4, needed=5),
    case("setup.stack-sizes", Options((16, 16, 17)), None, "/stack_sizes", sum=49, tiles=48),
    case(
        "setup.stack-sizes",
        table(options=Options((16, 16, 15))),
        None,
        "/options/stack_sizes",
        sum=47,
        tiles=48,
    ),
    case("setup.ply", table(stage=stages.DrawSetupTile(), ply=3), None, "/ply", ply=3, setup=0),
    case(
        "setup.step",
        table(stage=stages.DealCard(), ply=0),
        None,
        "/stage",
        decision="deal-card",
        expected_decision="draw-setup-tile",
    ),
    case(
        "setup.step",
        replace(LAID_OUT, ply=13, seats=table(hands=["r3 r4 r5 r6", "r3 r4 r5 r6"]).seats),
        None,
        "/stage",
        decision="deal-card",
        expected_decision="choose-action",
    ),
    case(
        "setup.early",
        table(stage=stages.DrawSetupTile(), ply=1, hands=["r3", ""]),
        None,
        "/seats",
        decision="draw-setup-tile",
    ),
    case(
        "setup.order",
        table(stage=stages.DealCard(), ply=6, supply="b12", quarries=("m11", "m12", "m13", "m21"), hands=["", "r3"]),
        None,
        "/seats",
    ),
    case(
        "setup.order",
        table(stage=stages.DrawSetupTile(), ply=2, quarries=("m11", "", "m12", "")),
        None,
        "/quarries",
    ),
    *[
        case("setup.untouched", replace(LAID_OUT, **{member: value}), None, f"/{member}")
        for member, value in {
            "active_seat": 1,
            "builder": 1,
            "riders": 1,
            "removed": tiles("b21"),
            "discards": cards("r3"),
            "shuffled_in": cards("r3"),
        }.items()
    ],
    case(
        "setup.untouched",
        replace(LAID_OUT, seats=table(palaces=[[], ["b21"]]).seats),
        None,
        "/seats/1/palaces",
    ),
    case(
        "setup.untouched",
        replace(LAID_OUT, seats=table(hands=[hand(opened="r3"), ""]).seats),
        None,
        "/seats/0/hand/open",
    ),
    case(
        "draw.tile",
        table(stage=stages.DrawFirstTile(), supply="b12"),
        moves.DrawTile("brick-1-2"),
        "/tile",
        component="brick-1-2",
    ),
    case(
        "draw.tile",
        table(stage=stages.DrawFirstTile(), supply="b12"),
        moves.DrawTile("rider"),
        "/tile",
        component="rider",
    ),
    case(
        "draw.card",
        table(stage=stages.RevealCard(()), hands=["r3 r3", "r3"]),
        moves.RevealCard(RED_3),
        "/card",
        component=RED_3,
    ),
    case(
        "draw.card",
        table(stage=stages.RevealCard(()), hands=[Hand((), ALL_MONEY[:52]), ""], shuffled_in=ALL_MONEY[52:]),
        moves.RevealCard(CERTIFICATE),
        "/card",
        component=CERTIFICATE,
    ),
    case("draw.card", table(stage=stages.RevealCard(())), moves.RevealCard(None), "/card", component=None),  # type: ignore[arg-type]
    # turns
    case("turn.seat", table(), moves.Build(1), "/seat", seat=1, to_decide=0),
    case("turn.seats", table(active_seat=2), None, "/active_seat", seat=2, players=2),
    case("turn.seats", table(stage=stages.ChooseTile(3), hands=["", "", ""]), None, "/stage/seat", seat=3, players=3),
    case("turn.seats", bidding(bid(), bid(), bid(), hands=("", "")), None, "/stage/bids", seat=3, players=2),
    case(
        "turn.step",
        table(),
        moves.Pass(0),
        "/type",
        move="pass",
        decision="choose-action",
        expected_moves=("take-money", "build", "rebuild-take-out", "rebuild-insert", "rebuild-remove"),
    ),
    case(
        "turn.chance",
        table(stage=stages.DrawFirstTile()),
        moves.Build(0),
        "/type",
        expected_move="draw-tile",
        decision="draw-first-tile",
    ),
    case("turn.decision", table(), moves.DrawTile("brick-1-2"), "/type", seat=0, decision="choose-action"),
    # take money
    case("take-money.enough-cards", NOT_ENOUGH, moves.TakeMoney(0), "/type", available=2, needed=3),
    case("take-money.enough-cards", NOT_ENOUGH, moves.TakeMoney, "/type", available=2, needed=3),
    case("take-money.row", table(stage=row("r3 r4")), None, "/stage/face_up", cards=2, expected=3),
    case(
        "take-money.row",
        table(stage=stages.ChooseCard(2, cards("r3 r4")), hands=["", "", ""]),
        None,
        "/stage/face_up",
        cards=2,
        expected=1,
    ),
    case("take-money.others", table(stage=stages.ChooseCard(0, cards("r3"))), None, "/stage/seat", seat=0),
    case(
        "take-money.row-full",
        table(stage=stages.RevealCard(cards("r3 r4 r5"))),
        None,
        "/stage/face_up",
        cards=3,
        full=3,
    ),
    case(
        "take-money.enough-cards",
        replace(NOT_ENOUGH, stage=stages.RevealCard(())),
        None,
        "/stage",
        available=2,
        needed=3,
    ),
    case(
        "take-money.face-up",
        table(stage=row("r3 r4 r5")),
        moves.TakeTwoCards(0, cards("r3 r3")),
        "/cards/1",
        card=RED_3,
    ),
    case(
        "take-money.face-up",
        table(stage=stages.ChooseCard(1, cards("r3"))),
        moves.TakeCard(1, RED_7),
        "/card",
        card=RED_7,
    ),
    case(
        "take-money.shuffle",
        table(hands=[Hand((), ALL_MONEY[:50]), ""], discards=ALL_MONEY[50:]),
        None,
        "/discards",
        discards=5,
    ),
    # build
    case("build.riders-last", table(riders=1, supply="b12", removed=()), None, "/riders", riders=1, tiles=31),
    case("end.fifth-rider", table(riders=5, removed=ALL_TILES[:32]), None, "/stage", riders=5),
    case("end.not-before", table(stage=GameOver(), riders=4, removed=ALL_TILES[:32]), None, "/stage", riders=4, last=5),
    case("end.over", table(stage=GameOver(), riders=5, removed=ALL_TILES[:32]), moves.Build(0), "/type"),
    # buy
    case(
        "buy.no-tiles",
        table(stage=stages.BuyOrAuction(), riders=2, removed=ALL_TILES[:33], hands=["r3", ""]),
        moves.Buy,
        "/type",
    ),
    case("buy.supply", SUPPLIED, moves.Buy(0, tiles("b12 b13"), cards("g6 g7")), "/tiles/1", tile="brick-1-3"),
    case("buy.supply", SUPPLIED, moves.Buy(0, tiles("b12 b12"), cards("g6 g7")), "/tiles/1", tile="brick-1-2"),
    case("buy.price", SUPPLIED, moves.Buy(0, tiles("b12 b23"), cards("g6")), "/payment", worth=6, price=12),
    case("buy.price", SUPPLIED, moves.Buy(0, tiles("b12"), ()), "/payment", worth=0, price=6),
    case(
        "buy.price",
        table(stage=stages.BuyOrAuction(), supply="b12", hands=["r3 g5 c", ""]),
        moves.Buy,
        "/type",
        worth=7,
        price=9,
    ),
    case(
        "money.hand",
        SUPPLIED,
        moves.Buy(0, tiles("b12"), cards("r3 r3 r7")),
        "/payment",
        missing_cards=("red-3", "red-7"),
    ),
    case("money.hand", REBUILDING, moves.RebuildRemove(0, RED_7, 1), "/card", missing_cards=(RED_7,)),
    case(
        "money.hand",
        bidding(bid(), bid(), hands=("", "r3")),
        moves.Raise(1, cards("r7")),
        "/cards",
        missing_cards=(RED_7,),
    ),
    case(
        "payment.currency",
        SUPPLIED,
        moves.Buy(0, tiles("b12"), cards("r3 g6")),
        "/payment",
        currencies=("red", "green"),
    ),
    case(
        "payment.currency",
        bidding(bid(), bid(), hands=("", "r3 g3 b4")),
        moves.Raise(1, cards("r3 g3 b4")),
        "/cards",
        currencies=("red", "green", "blue"),
    ),
    case(
        "payment.currency",
        bidding(bid("r7", "g6"), bid()),
        None,
        "/stage/bids/0/plays",
        currencies=("red", "green"),
    ),
    # auction
    case(
        "auction.raise",
        bidding(bid(), bid(), hands=("", "r3")),
        moves.Raise(1, cards("r3")),
        "/cards",
        bid=3,
        highest=3,
    ),
    case("auction.raise", bidding(bid(), bid(), hands=("", "c")), moves.Raise, "/type", bid=2, highest=3),
    case("auction.raise", bidding(bid(), bid(), hands=("", "r4")), moves.Raise(1, ()), "/cards", bid=0, highest=3),
    case(
        "auction.currency",
        bidding(bid("g7"), bid("r4"), hands=("", "g7 c")),
        moves.Raise(1, cards("g7 c")),
        "/cards",
        currency="green",
        locked="red",
    ),
    case("auction.passed", bidding(bid(), bid("r7", passed=True), bid(), seat=2), None, "/stage/bids/1/plays", seat=1),
    case("auction.standing", bidding(bid(), bid(passed=True), seat=0), None, "/stage/bids", bidders=1),
    case("auction.out", bidding(bid(), bid(passed=True), bid("r7"), seat=1), None, "/stage/seat", seat=1),
    # distribution
    case(
        "distribution.four",
        table(stage=stages.RaiseOrPass(1, (bid(), bid())), quarries=("b12 b23 m11 s53", "", "", "")),
        None,
        "/quarries",
        tiles=4,
        quarry=0,
    ),
    case(
        "distribution.four",
        table(stage=stages.ChooseTile(0), quarries=("b12 b23 m11", "", "", "")),
        None,
        "/quarries",
        tiles=3,
        quarry=0,
    ),
    case(
        "distribution.four",
        table(stage=stages.PlaceTile(1, tiles("b12"), distribution=True), quarries=("b23", "", "", "")),
        None,
        "/quarries",
        tiles=3,
        quarry=0,
    ),
    case(
        "distribution.one",
        table(stage=stages.PlaceTile(1, tiles("b12 b13"), distribution=True), quarries=("b23 m11 m12 m13", "", "", "")),
        None,
        "/stage/tiles",
        tiles=2,
    ),
    case(
        "distribution.four",
        table(stage=stages.PlaceTile(1, tiles("b12 m11 m12 m13"), distribution=False)),
        None,
        "/stage/tiles",
        tiles=4,
        quarry=0,
    ),
    case("distribution.quarry", QUARRY, moves.TakeTile(0, "brick-1-3"), "/tile", tile="brick-1-3", quarry=0),
    # building
    case("building.own-tiles", PLACING, moves.BeginPalace(0, "brick-3-2"), "/tile", tile="brick-3-2"),
    case("building.own-tiles", PLACING, moves.PlaceOnTop(0, "brick-3-2", 0), "/tile", tile="brick-3-2"),
    case("building.own-tiles", PLACING, moves.ThrowAway(0, "brick-3-2"), "/tile", tile="brick-3-2"),
    case("building.palace", PLACING, moves.PlaceOnTop(0, "brick-3-1", 2), "/palace", palace=2, palaces=2),
    case(
        "building.palace",
        table(stage=stages.PlaceTile(0, tiles("b31"), distribution=False)),
        moves.PlaceOnTop,
        "/type",
        palace=0,
        palaces=0,
    ),
    case("building.floors", PLACING, moves.PlaceOnTop(0, "brick-3-1", 1), "/tile", floor=3, top=3),
    case("building.rising", table(palaces=[[], ["b12", "m31 b22"]]), None, "/seats/1/palaces/1", floors=(3, 2)),
    case("building.rising", sheet(tiles("b12 m31 m32")), None, "/seats/0/palaces/0", floors=(1, 3, 3)),
    case(
        "building.windows",
        sheet(Outline(2, 7, "mixed")),
        None,
        "/seats/0/palaces/0/windows",
        windows=7,
        floors=2,
        fewest=2,
        most=6,
    ),
    # all tiles, those of floor 5, all with three windows, those of floor 1 with two or three
    *[
        case("building.buildable", sheet(*palaces), None, f"/seats/0/palaces/{len(palaces) - 1}", **counted)
        for palaces, counted in (
            (
                [tiles("m11"), *[Outline(4, 8, "mixed")] * 12],
                {"needed": 49, "box": 48, "floor": None, "windows": 1},
            ),
            ([tiles("b51"), *[Outline(5, 8, "mixed")] * 9], {"needed": 10, "box": 9, "floor": 5, "windows": 1}),
            ([tiles("b53"), *[Outline(3, 9, "mixed")] * 5], {"needed": 16, "box": 15, "floor": None, "windows": 3}),
            (
                [*[(tile,) for tile in tiles("b12 b13 s12 s13 m12 m13")], Outline(5, 14, "mixed")],
                {"needed": 7, "box": 6, "floor": 1, "windows": 2},
            ),
        )
    ],
    case(
        "scoring.sheet-palaces",
        Scoresheet("palazzo", 1, (SheetSeat(()), SheetSeat())),
        None,
        "/seats/1/palaces",
        seat=1,
    ),
    case("building.material", sheet(Outline(1, 2, "mixed")), None, "/seats/0/palaces/0/material", materials=3),
    # rebuild
    case("rebuild.card", table(palaces=[["b12"]]), moves.RebuildRemove, "/type", seat=0),
    case("rebuild.palace", table(hands=["r3", ""]), moves.RebuildInsert, "/type", palace=0, palaces=0),
    case("rebuild.palace", REBUILDING, moves.RebuildRemove(0, RED_3, 4), "/palace", palace=4, palaces=4),
    case("rebuild.palace", REBUILDING, moves.RebuildInsert(0, RED_3, 1, 9), "/into", palace=9, palaces=4),
    case(
        "rebuild.take-out",
        REBUILDING,
        moves.RebuildTakeOut(0, RED_3, 0, "sandstone-3-3"),
        "/tile",
        tile="sandstone-3-3",
        palace=0,
    ),
    case("rebuild.no-change", REBUILDING, moves.RebuildTakeOut(0, RED_3, 1, "sandstone-3-3"), "/palace", palace=1),
    case("rebuild.single", REBUILDING, moves.RebuildRemove(0, CERTIFICATE, 3), "/palace", palace=3, tiles=3),
    case("rebuild.single", REBUILDING, moves.RebuildInsert(0, RED_3, 0, 1), "/palace", palace=0, tiles=2),
    case(
        "rebuild.single",
        table(hands=["r3", ""], palaces=[["b12 b21"]]),
        moves.RebuildInsert,
        "/palace",
        palace=0,
        tiles=2,
    ),
    case("rebuild.another-palace", REBUILDING, moves.RebuildInsert(0, RED_3, 1, 1), "/into", palace=1),
    case("rebuild.floors", REBUILDING, moves.RebuildInsert(0, RED_3, 1, 3), "/into", floor=3, palace=3),
]
