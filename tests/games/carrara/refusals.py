"""Cases for every rule that refuses: what breaks it, the rule, its values, and its pointer.

A `Move` is refused in a state; of a kind of move (a class) no move is legal in a state; without a
move, the audit finds the state impossible. Those with moves are vectors of the conformance kit.
"""

from typing import Any

from msgspec.structs import replace

from capomastro.engine.moves import Move
from capomastro.engine.stages import GameOver
from capomastro.games.carrara import moves, stages
from capomastro.games.carrara.components import OBJECTS
from capomastro.games.carrara.game import GAME
from capomastro.games.carrara.scoresheet import Scoresheet, SheetSeat
from capomastro.games.carrara.state import Options, State
from tests.games.carrara.table import (
    ALL_BLOCKS,
    blocks,
    buildings,
    ready,
    rest_of,
    seat,
    spread,
    table,
)
from tests.support.refusals import Case


def case(rule: str, subject: Any, move: Move | type[Move] | None, pointer: str, /, **values: Any) -> Case:
    return Case(f"carrara.{rule}", subject, move, values, pointer)


def sheet(*seats: SheetSeat) -> Scoresheet:
    return Scoresheet("carrara", 1, (*seats, SheetSeat(0, 0, (), 0)))


def start(players: int = 2) -> State:
    return GAME.start(players, Options(), None)


DRAWING = table(stage=stages.DrawBlock())
BUYING = table(
    seat(coins=3), seat(rest_of("wgg", "y", "kk")), stage=stages.BuyBlocks(), sections=("wgg", "y", "", "", "", "kk")
)
FULL = table(stage=stages.BuyBlocks(), sections=("wyrgbk", "wyrgb"))
BUILDING = table(seat("wyrggbk"), seat(), face_up="vi3 pa4 li1 li2 li3 li4 li5 pa1 pa2")
NOTHING_LEFT = table(seat(), seat(ALL_BLOCKS), sections=())
SHOPPING = table(seat(coins=10, objects="book"), seat(), stage=stages.BuyObject(), sold="book")
SCORED = seat(
    points=2, coins=9, objects="book book book crown", types="library", cities="pisa", pisa="li3 pa2", massa="li2"
)
SIX = ready(types="library palace gate castle villa", objects="book book crown gate gate flag flag cup coat-of-arms")
LAST_BUILT = table(ready(massa=spread(24, without=(ready(),))), seat(), face_up="", active_seat=1)
ANNOUNCED = table(ready(), ready(lerici="", types="", cities="", objects=""), announced_by=0)

ANNOUNCER = SheetSeat(5, 8, (1, 1, 1, 1, 1, 5, 5, 5, 5, 5), 0)
"""Has met the objectives for any number of players."""
NOT_TYPED_IN = sheet(SheetSeat())

CASES = [
    # the box
    case("components.blocks", table(seat("wwww"), seat("www")), None, "", component="white", number=8, box=7),
    case(
        "components.blocks",
        sheet(SheetSeat(0, 0, (), 0, 40), SheetSeat(0, 0, (), 0, 3)),
        None,
        "/seats",
        component=None,
        number=43,
        box=42,
    ),
    case(
        "components.buildings",
        table(seat(pisa="li3"), seat(massa="li3")),
        None,
        "",
        component="library-3",
        number=2,
        box=1,
    ),
    case("components.costs", sheet(SheetSeat(0, 0, (5,) * 7, 0)), None, "/seats", cost=5, number=7, box=6),
    case(
        "components.objects",
        table(seat(objects="book book book book"), seat(objects="book book")),
        None,
        "",
        component="book",
        number=7,
        box=6,
    ),
    case(
        "components.objects",
        sheet(SheetSeat(0, ("cup",) * 7, (), 0)),
        None,
        "/seats",
        component="cup",
        number=7,
        box=6,
    ),
    case(
        "components.objects",
        sheet(SheetSeat(0, 30, (), 0), SheetSeat(0, (*OBJECTS, "cup"), (), 0)),
        None,
        "/seats",
        component=None,
        number=37,
        box=36,
    ),
    # scoresheets
    case("scoring.sheet-track", NOT_TYPED_IN, None, "/seats/0/points", seat=0),
    case("scoring.sheet-objects", NOT_TYPED_IN, None, "/seats/0/objects", seat=0),
    case("scoring.sheet-buildings", NOT_TYPED_IN, None, "/seats/0/costs", seat=0),
    case("scoring.sheet-coins", NOT_TYPED_IN, None, "/seats/0/coins", seat=0),
    case(
        "score.sheet-most",
        sheet(ANNOUNCER, SheetSeat(999, 0, (), 0)),
        None,
        "/seats/1/points",
        seat=1,
        points=999,
        most=338,
    ),
    case(
        "score.sheet-points",
        sheet(ANNOUNCER, SheetSeat(36, 2, (5,), 0)),
        None,
        "/seats/1/points",
        seat=1,
        points=36,
        objects=2,
        costs=(5,),
    ),
    case(
        "score.sheet-together",
        sheet(ANNOUNCER, SheetSeat(0, 8, (1, 4), 0), SheetSeat(0, 3, (), 0)),
        None,
        "/seats",
        objects=(8, 8, 3, 0),
        for_sale=6,
    ),
    case(
        "score.sheet-kinds",
        sheet(ANNOUNCER, SheetSeat(0, ("book",) * 6, (1, 2), 0)),
        None,
        "/seats",
        component="book",
        number=6,
    ),
    case(
        "end.sheet",
        sheet(SheetSeat(5, 7, (5,) * 6, 0)),
        None,
        "/seats",
        buildings=6,
        all=30,
        objects=8,
        cost=30,
        points=5,
    ),
    # set-up
    case(
        "setup.buildings",
        replace(start(), face_up=buildings("li3"), ply=1),
        moves.RevealBuilding("library-3"),
        "/building",
        component="library-3",
    ),
    case("setup.order", replace(start(), active_seat=1), None, "/active_seat"),
    case("setup.order", replace(start(), seats=(seat(), start().seats[1])), None, "/seats/0"),
    case("setup.order", replace(start(), wheel=table(sections=("", "wyrgbk")).wheel), None, "/wheel"),
    case("setup.order", replace(start(), objects_for_sale=()), None, "/objects_for_sale"),
    case("setup.order", replace(start(), announced_by=0), None, "/announced_by"),
    case("setup.ply", replace(start(), ply=1), None, "/ply", ply=1, setup=0),
    case(
        "setup.step",
        replace(start(), ply=9, face_up=table().face_up),
        None,
        "/stage",
        decision="reveal-setup-building",
        expected_decision="choose-action",
    ),
    # turns
    case("turn.seat", table(), moves.TurnWheel(1), "/seat", seat=1, to_decide=0),
    case("turn.seat", table(seat(), ready()), moves.AnnounceEnd(1), "/seat", seat=1, to_decide=0),
    case("turn.seat", table(), moves.AnnounceEnd(3), "/seat", seat=3, to_decide=0),
    case("turn.seats", table(active_seat=2), None, "/active_seat", seat=2, players=2),
    case("turn.seats", table(announced_by=3), None, "/announced_by", seat=3, players=2),
    case(
        "turn.step",
        SHOPPING,
        moves.EndTurn(0),
        "/type",
        move="end-turn",
        decision="buy-object",
        expected_moves=("buy-object", "buy-nothing"),
    ),
    case("turn.chance", DRAWING, moves.TurnWheel(0), "/type", expected_move="draw-block", decision="draw-block"),
    case("turn.chance", DRAWING, moves.AnnounceEnd(1), "/type", expected_move="draw-block", decision="draw-block"),
    case("turn.decision", table(), moves.DrawBlock("white"), "/type", seat=0, decision="choose-action"),
    # action I
    case("buy.nothing-left", NOTHING_LEFT, moves.TurnWheel(0), "/type"),
    case("buy.nothing-left", NOTHING_LEFT, moves.TurnWheel, "/type"),
    case("buy.refill", table(sections=("wyrgbk", "wyrgbk")), None, "/wheel", blocks=12, full=11),
    case("buy.refill-over", replace(FULL, stage=stages.DrawBlock()), None, "/stage", wheel=11, full=11),
    case(
        "buy.bag-empty",
        table(seat(ALL_BLOCKS[1:]), seat(), stage=stages.DrawBlock(), sections=("w",)),
        None,
        "/stage",
        bag=0,
    ),
    case("buy.refill-open", table(stage=stages.BuyBlocks()), None, "/stage", wheel=6, bag=36),
    case("buy.empty-wheel", replace(NOTHING_LEFT, stage=stages.BuyBlocks()), None, "/stage"),
    case(
        "buy.bag",
        table(seat("wwwwww"), seat(), stage=stages.DrawBlock()),
        moves.DrawBlock("white"),
        "/block",
        component="white",
    ),
    case("buy.one-section", BUYING, moves.BuyBlocks(0, "II", blocks("yw")), "/blocks/0", block="white", section="II"),
    case("buy.one-section", BUYING, moves.BuyBlocks(0, "VI", blocks("kkk")), "/blocks/2", block="black", section="VI"),
    case("buy.at-least-one", BUYING, moves.BuyBlocks(0, "VI", ()), "/blocks"),
    case("buy.price", BUYING, moves.BuyBlocks(0, "I", blocks("gg")), "/blocks", price=6, coins=3),
    case(
        "buy.price",
        replace(FULL, seats=(seat(), seat()), wheel=table(sections=("wwwwwwwyyyy",)).wheel),
        moves.BuyBlocks,
        "/type",
        price=5,
        coins=0,
    ),
    case("buy.must-buy", BUYING, moves.TakeCoins(0), "/type", price=0, coins=3),
    # action II
    case("build.none-left", LAST_BUILT, moves.Build, "/type"),
    case(
        "build.none-left",
        replace(LAST_BUILT, seats=(LAST_BUILT.seats[0], seat("w"))),
        moves.Build,
        "/type",
    ),
    case("build.face-up", BUILDING, moves.Build(0, "villa-1", "lerici", blocks("k")), "/building", building="villa-1"),
    case(
        "build.blocks",
        table(seat("k"), seat(), face_up="li2 li3 li4 li5 vi2 vi3 vi4 vi5 pa2"),
        moves.Build,
        "/type",
        blocks=1,
        cost=2,
    ),
    case(
        "build.city",
        BUILDING,
        moves.Build(0, "villa-3", "lucca", blocks("rgg")),
        "/payment/0",
        block="green",
        city="lucca",
        accepts=("white", "yellow", "red"),
    ),
    case(
        "build.cost",
        BUILDING,
        moves.Build(0, "villa-3", "lerici", blocks("rg")),
        "/payment",
        building="villa-3",
        cost=3,
        blocks=2,
    ),
    case(
        "build.cost",
        BUILDING,
        moves.Build(0, "villa-3", "lerici", blocks("rggk")),
        "/payment",
        building="villa-3",
        cost=3,
        blocks=4,
    ),
    case(
        "build.own-blocks",
        BUILDING,
        moves.Build(0, "villa-3", "viareggio", blocks("rrg")),
        "/payment",
        missing_blocks=("red",),
    ),
    case("build.refill", table(face_up="li1 li2"), None, "/face_up", buildings=2, expected=9),
    case(
        "build.refill",
        table(seat(massa=spread(25)), seat(), face_up="vi1 vi2 vi3 vi4"),
        None,
        "/face_up",
        buildings=4,
        expected=5,
    ),
    case(
        "build.refill",
        table(seat(massa="li1"), seat(), stage=stages.RevealBuilding(), face_up="li2 li3"),
        None,
        "/face_up",
        buildings=2,
        expected=8,
    ),
    case(
        "build.pile",
        table(seat(massa="li1"), seat(), stage=stages.RevealBuilding()),
        moves.RevealBuilding("library-1"),
        "/building",
        component="library-1",
    ),
    case(
        "build.reveal",
        table(seat(massa=spread(26)), seat(), stage=stages.RevealBuilding(), face_up="vi2 vi3 vi4 vi5"),
        None,
        "/stage",
        pile=0,
    ),
    # action III
    case("score.markers", table(SIX, seat()), moves.ScoreType(0, "cathedral"), "/type", markers=6),
    case("score.markers", table(SIX, seat()), moves.ScoreCity, "/type", markers=6),
    case(
        "score.markers",
        table(replace(SIX, scored_types=(*SIX.scored_types, "cathedral")), seat()),
        None,
        "/seats/0",
        markers=7,
    ),
    case("score.own-building", table(), moves.ScoreType(0, "villa"), "/building_type", building_type="villa"),
    case("score.own-building", table(), moves.ScoreType, "/building_type", building_type="library"),
    case(
        "score.own-building", table(seat(types="villa"), seat()), None, "/seats/0/scored_types", building_type="villa"
    ),
    case(
        "score.type-once",
        table(SCORED, seat()),
        moves.ScoreType(0, "library"),
        "/building_type",
        building_type="library",
    ),
    case(
        "score.type-once",
        table(replace(SCORED, scored_types=("library", "library")), seat()),
        None,
        "/seats/0/scored_types",
        building_type="library",
    ),
    case(
        "score.city-once",
        table(SCORED, seat(pisa="vi1 vi2"), active_seat=1),
        moves.ScoreCity(1, "pisa"),
        "/city",
        city="pisa",
        scorer=0,
    ),
    case(
        "score.city-once",
        table(SCORED, seat(pisa="vi1 vi2", cities="pisa", objects="coat-of-arms")),
        None,
        "/seats",
        city="pisa",
        scorer=0,
    ),
    case(
        "score.city-minimum",
        table(SCORED, seat()),
        moves.ScoreCity(0, "massa"),
        "/city",
        city="massa",
        buildings=1,
        minimum=3,
    ),
    case(
        "score.city-minimum",
        table(seat(cities="lucca", lucca="li1", objects="book"), seat()),
        None,
        "/seats/0/scored_cities",
        city="lucca",
        buildings=1,
        minimum=2,
    ),
    case("score.points", table(seat(points=1), seat()), None, "/seats/0/points", points=1, least=0, most=0),
    case("score.points", table(replace(SCORED, points=3), seat()), None, "/seats/0/points", points=3, least=0, most=2),
    case("score.points", replace(ANNOUNCED), None, "/seats/0/points", points=0, least=5, most=5),
    # no action possible
    case("no-action.only-then", table(), moves.TakeCoins(0), "/type", possible_move="turn-wheel"),
    case(
        "no-action.only-then",
        table(seat(ALL_BLOCKS), seat(), sections=()),
        moves.TakeCoins(0),
        "/type",
        possible_move="build",
    ),
    case(
        "no-action.only-then",
        table(seat(massa="li1"), seat(ALL_BLOCKS), sections=()),
        moves.TakeCoins(0),
        "/type",
        possible_move="score-type",
    ),
    # supplementary purchase
    case("object.coins", table(seat(coins=9), seat(), stage=stages.BuyObject()), None, "/stage", coins=9, price=10),
    case(
        "object.step",
        replace(SHOPPING, objects_for_sale=(), seats=(seat(coins=10, objects=" ".join(OBJECTS)), seat())),
        None,
        "/stage",
    ),
    case("object.for-sale", SHOPPING, moves.BuyObject(0, "book"), "/object", object="book"),
    case(
        "object.one-of-each",
        table(objects_for_sale=(*OBJECTS, "cup")),
        None,
        "/objects_for_sale",
        object="cup",
        number=2,
    ),
    case("object.bought", table(sold="cup"), None, "/objects_for_sale", object="cup"),
    # the end
    case(
        "end.objectives",
        table(SCORED, seat()),
        moves.AnnounceEnd(0),
        "/type",
        seat=0,
        scorings=2,
        scorings_needed=4,
        objects=4,
        objects_needed=8,
        cost=7,
        cost_needed=30,
    ),
    case(
        "end.objectives",
        table(seat(), SCORED),
        moves.AnnounceEnd(1),
        "/type",
        seat=1,
        scorings=2,
        scorings_needed=4,
        objects=4,
        objects_needed=8,
        cost=7,
        cost_needed=30,
    ),
    case(
        "end.objectives",
        table(ready(objects="book crown gate flag book crown gate"), seat()),
        moves.AnnounceEnd,
        "/type",
        seat=0,
        scorings=5,
        scorings_needed=4,
        objects=7,
        objects_needed=8,
        cost=30,
        cost_needed=30,
    ),
    case(
        "end.objectives",
        table(SCORED, seat(), seat(), stage=stages.AnnounceOrEndTurn()),
        None,
        "/stage",
        seat=0,
        scorings=2,
        scorings_needed=4,
        objects=4,
        objects_needed=7,
        cost=7,
        cost_needed=25,
    ),
    case(
        "end.objectives",
        table(SCORED, seat(), announced_by=0),
        None,
        "/announced_by",
        seat=0,
        scorings=2,
        scorings_needed=4,
        objects=4,
        objects_needed=8,
        cost=7,
        cost_needed=30,
    ),
    case("end.once", replace(ANNOUNCED, seats=(ready(points=5), seat())), moves.AnnounceEnd(0), "/type", announcer=0),
    case(
        "end.once",
        replace(ANNOUNCED, seats=(ready(points=5), seat()), stage=stages.AnnounceOrEndTurn()),
        None,
        "/stage",
        announcer=0,
    ),
    case("end.pass", table(), moves.Pass(0), "/type"),
    case("end.pass", LAST_BUILT, moves.Pass, "/type"),
    case("end.first-trigger", LAST_BUILT, moves.AnnounceEnd(0), "/type"),
    case("end.first-trigger", replace(LAST_BUILT, active_seat=0, stage=stages.AnnounceOrEndTurn()), None, "/stage"),
    case("end.trigger", table(stage=GameOver(), active_seat=1), None, "/stage"),
    case("end.round", replace(LAST_BUILT, stage=GameOver(), active_seat=0), None, "/active_seat", seat=0, last=1),
    case("end.over", replace(LAST_BUILT, stage=GameOver()), moves.TurnWheel(0), "/type"),
]
