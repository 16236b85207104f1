"""Cases for every rule that refuses: what breaks it, the rule, its values, and its pointer.

A `Move` is refused in a state; of a kind of move (a class) no move is legal in a state; without a
move, the audit finds the state impossible. Those with moves are vectors of the conformance kit.
"""

from typing import Any

from msgspec.structs import replace

from capomastro.engine.hands import Hand
from capomastro.engine.moves import Move
from capomastro.engine.stages import GameOver
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.components import CENTRAL_PARK, CITY_HALL, COLOURS, DISTRICTS
from capomastro.games.fifth_avenue.game import GAME
from capomastro.games.fifth_avenue.lots import EMPTY, Districts, Lot, business_lots, empty_lots, has_building
from capomastro.games.fifth_avenue.scoresheet import Lots, Scoresheet, SheetSeat
from capomastro.games.fifth_avenue.state import Options, Pile, State
from tests.games.fifth_avenue.table import (
    EAST_34,
    EAST_42,
    EAST_52,
    TIMES,
    WEST_34,
    WEST_42,
    WEST_52,
    all_of,
    auction,
    board,
    cards,
    hand,
    offer,
    table,
    typed,
)
from tests.support.playouts import Ply, play_out, start
from tests.support.refusals import Case

MARKED = ((TIMES, WEST_52), ())
FULL = {TIMES: "GJ b1 BG c2 J"}
"""No lot of Times Square is empty, and seat 0 has no building there."""
FREE = {TIMES: "B . . . ."}


def case(rule: str, subject: Any, move: Move | type[Move] | None, pointer: str, /, **values: Any) -> Case:
    return Case(f"fifth-avenue.{rule}", subject, move, values, pointer)


def exhausted(*colours: str) -> dict[str, Pile]:
    return dict.fromkeys(colours, Pile(None, ()))


def opening(*colours: str, without: int = 0) -> State:
    """Phase 2 when seat 2 holds all cards of some colours."""
    held = Hand(all_of(*colours), (), {})
    return table(stage=stages.TakeCards(), hands=["", "", held], tops_of=exhausted(*colours))


def after_setup(*, first: int = 0, six_lots: bool = False) -> Ply:
    """The ply of a set-up in which the first building is placed, or a later one."""
    plies = play_out(GAME, 3, {"six_lots": six_lots}, "1")
    return [ply for ply in plies if isinstance(ply.before.stage, stages.PlaceFirstBuilding)][first]


def without(districts: dict[str, Lots | None], name: str) -> dict[str, Lots | None]:
    return {other: lots for other, lots in districts.items() if other != name}


def sheet(**fields: Any) -> Scoresheet:
    laid = fields.pop("districts", board({}))
    districts = typed(laid) if isinstance(laid, Districts) else laid
    seats = (SheetSeat(10, 0), SheetSeat(12, 1))
    return replace(Scoresheet("fifth-avenue", 1, seats, districts, ("boutique", "gallery", "gallery")), **fields)


def with_seat(state: State, index: int, **fields: Any) -> State:
    seats = list(state.seats)
    seats[index] = replace(seats[index], **fields)
    return replace(state, seats=tuple(seats))


BUILDING = table(stage=stages.BuildOrStop(3, "white", 0, "grey", 2), markers=MARKED, districts=FREE)
NEWCOMER = table(stage=stages.BuildOrStop(3, "white", 0, "orange", 2), markers=MARKED, districts=FULL)
IN_THE_PARK = table(stage=stages.BuildOrStop(3, "white", 0, "grey", 3), districts=FREE)


def with_lot(lot: Lot) -> State:
    """A table with this on the grey lot of Times Square."""
    return replace(table(), districts=table().districts.with_lot(TIMES, "grey", lot))


FIRST, LAST = after_setup(), after_setup(first=5)
BEGINNING: State = start(GAME, 3)
FIRST_TOP = next(
    ply.before for ply in play_out(GAME, 3, {}, "1") if isinstance(ply.before.stage, stages.RevealFirstTop)
)
EVERY_BOUTIQUE: State = replace(
    start(GAME, 2),
    ply=16,
    stage=stages.DrawRowBusiness(),
    districts=board(
        dict(zip(DISTRICTS, [*["B . . . .", ". B . . ."] * 2, ". . B . .", ". . . B .", ". . . . B"], strict=True))
    ),
    row=(("boutique", "boutique"), *((),) * 7),
)
"""All nine boutiques are in the districts and in the first group of the row."""
NO_JEWELLER_UNDER_THE_PARK = table(
    stage=stages.DrawParkTile(),
    districts={TIMES: None, WEST_34: None, EAST_34: "BB GG . . .", WEST_42: "JJ PP J . ."},
    under_central_park=("boutique", "gallery", "gallery", "perfumery"),
)
TAKEN = next((name, colour) for name, district in FIRST.before.districts.open for colour in business_lots(district))
FREE_LOT = FIRST.before.districts.open[0][0], empty_lots(FIRST.before.districts.open[0][1])[0]


def with_building_of(seat: int) -> Districts:
    """The board before the first building, with one of `seat`."""
    districts: Districts = FIRST.before.districts.with_lot(*FREE_LOT, Lot(owner=seat, buildings=1))
    return districts


def laid_out(*names: str, lot: str = "orange") -> Districts:
    """The empty board with a gallery in some districts."""
    districts = BEGINNING.districts
    for name in names:
        districts = districts.with_lot(name, lot, Lot(("gallery",)))
    return districts


def with_row(*groups: tuple[str, ...]) -> State:
    """During the set-up, while the row is laid out."""
    return replace(EVERY_BOUTIQUE, row=(*groups, *((),) * (8 - len(groups))))


def dealing(*hands: str) -> State:
    """During the set-up, while cards are dealt."""
    seats = [replace(BEGINNING.seats[0], hand=hand("", dealt)) for dealt in hands]
    return replace(BEGINNING, stage=stages.DealCard(), seats=(*seats, *BEGINNING.seats[len(seats) :]))


FREE_BESIDE = next(
    (name, colour)
    for name, district in LAST.before.districts.open
    for colour in empty_lots(district)
    if has_building(district, 0)
)

CASES = [
    # the box
    case("components.cards", table(hands=["o6 o6 o6 o6", "", ""]), None, "", component="orange-6", box=3),
    case(
        "components.piles",
        table(hands=[Hand((), (), {"black": 40}), Hand((), (), {"black": 11}), ""]),
        None,
        "/seats",
        pile="black",
        cards=1,
    ),
    case("components.shuffled-in", table(shuffled_in=cards("k4")), None, "/shuffled_in", cards=1, pile=50),
    case(
        "components.businesses",
        table(districts={TIMES: "BB BB . . .", WEST_34: "BB BB . . .", EAST_34: "BB . . . ."}),
        None,
        "",
        component="boutique",
        box=9,
    ),
    case(
        "components.businesses",
        sheet(districts=board({TIMES: "BB BB . . .", WEST_34: "BB BB . . ."}), park_tiles=("boutique",) * 3),
        None,
        "/districts",
        component="boutique",
        box=9,
    ),
    case("components.buildings", table(reserves=(16, 3, 3)), None, "/seats/0", buildings=18, box=17),
    case("components.buildings", table(hands=["", ""], dummy_removed=19), None, "/dummy_removed", buildings=19, box=18),
    case(
        "components.buildings",
        sheet(seats=(SheetSeat(0, 17), SheetSeat(0, 0)), districts=board({TIMES: "B a1 . . ."})),
        None,
        "/seats/0",
        buildings=18,
        box=17,
    ),
    # drawing
    case(
        "draw.card", table(stage=stages.DrawBlackCard(1, (0,))), moves.DealCard("grey-4"), "/card", component="grey-4"
    ),
    case(
        "draw.card",
        table(stage=stages.RevealTop(), tops_of=exhausted("grey"), hands=["y6 y6 y6", "", ""]),
        moves.RevealCard("grey-6"),
        "/card",
        component="grey-6",
    ),
    case(
        "draw.card",
        table(stage=stages.RevealTop(), tops_of=exhausted("grey")),
        moves.RevealCard(None),  # type: ignore[arg-type]
        "/card",
        component=None,
    ),
    case(
        "draw.business",
        EVERY_BOUTIQUE,
        moves.DrawBusiness("boutique"),
        "/business",
        component="boutique",
    ),
    # the map
    case(
        "map.exits",
        table(stage=stages.MoveCommissioner(3)),
        moves.MoveCommissioner(0, "white", TIMES),
        "/to",
        space=CITY_HALL,
        to=TIMES,
        allowed=(WEST_34, EAST_34),
    ),
    case(
        "map.exits",
        table(
            stage=stages.MoveCommissioner(3),
            commissioners=(CENTRAL_PARK, CITY_HALL),
            markers=((WEST_34, TIMES, WEST_52), ()),
        ),
        moves.MoveCommissioner(0, "white", WEST_34),
        "/to",
        space=CENTRAL_PARK,
        to=WEST_34,
        allowed=(CITY_HALL,),
    ),
    case(
        "map.rings",
        Options(rings={TIMES: ("orange", "green", "purple", "grey", "grey")}),
        None,
        f"/rings/{TIMES}",
        ring=("orange", "green", "purple", "grey", "grey"),
    ),
    case(
        "map.rings",
        sheet(rings={TIMES: ("orange", "green", "purple", "grey", "brown", "colourless")}),
        None,
        f"/rings/{TIMES}",
        ring=("orange", "green", "purple", "grey", "brown", "colourless"),
    ),
    case("map.lots", table(), moves.PlaceBusiness(0, table().row[0][0], TIMES, "colourless"), "/lot", lot="colourless"),
    case("map.lots", table(districts={TIMES: "B . . . . G"}), None, f"/districts/{TIMES}", lot="colourless"),
    case(
        "map.occupants",
        with_lot(Lot(("gallery",), 0, 1)),
        None,
        f"/districts/{TIMES}/grey",
        businesses=1,
        buildings=1,
    ),
    case("map.owner", with_lot(Lot(buildings=2)), None, f"/districts/{TIMES}/grey/buildings", buildings=2),
    case("map.no-building", with_lot(Lot(owner=1)), None, f"/districts/{TIMES}/grey/owner", owner=1),
    case(
        "map.colourless",
        table(six_lots=True, districts={TIMES: "B . . . . a1"}),
        None,
        f"/districts/{TIMES}/colourless",
        buildings=1,
    ),
    case(
        "map.markers",
        table(commissioners=(TIMES, CITY_HALL), markers=((WEST_42,), ())),
        None,
        "/markers/white",
        markers=(WEST_42,),
        space=TIMES,
    ),
    case(
        "map.markers",
        table(markers=((), (WEST_34,))),
        None,
        "/markers/beige",
        markers=(WEST_34,),
        space=CITY_HALL,
    ),
    case(
        "map.markers",
        table(commissioners=(TIMES, CITY_HALL), markers=((WEST_34, WEST_34), ())),
        None,
        "/markers/white",
        markers=(WEST_34, WEST_34),
        space=TIMES,
    ),
    # set-up
    case(
        "setup.lot-colours",
        replace(
            start(GAME, 3),
            ply=5,
            stage=stages.DrawStartingLot("gallery"),
            districts=board(
                {
                    WEST_34: "B . . . .",
                    EAST_34: "G . . . .",
                    **dict.fromkeys((WEST_42, TIMES, EAST_42, WEST_52, EAST_52), ". . . . ."),
                }
            ),
        ),
        moves.DrawLot("orange"),
        "/lot",
        component="orange",
    ),
    case(
        "setup.row-groups",
        Options(row_groups=(3, 2, 2, 2, 3, 3, 3, 2)),
        None,
        "/row_groups/2",
        pair=(2, 2),
    ),
    case(
        "setup.lot-colours",
        replace(EVERY_BOUTIQUE, districts=board(dict.fromkeys(DISTRICTS, "G . . . ."))),
        None,
        "/districts",
        component="orange",
    ),
    case("setup.order", with_row(("boutique",), ("gallery",)), None, "/row"),
    case("setup.order", replace(BEGINNING, districts=laid_out(EAST_34)), None, "/districts"),
    case("setup.order", dealing("", "o4"), None, "/seats"),
    case("setup.order", replace(FIRST_TOP, piles={**FIRST_TOP.piles, "grey": Pile("grey-4", ())}), None, "/piles"),
    case("setup.ply", replace(BEGINNING, ply=1), None, "/ply", ply=1, setup=0),
    case(
        "setup.step",
        replace(BEGINNING, stage=stages.DealCard()),
        None,
        "/stage",
        decision="deal-card",
        expected_decision="draw-starting-business",
    ),
    case(
        "setup.step",
        replace(start(GAME, 3, {"six_lots": True}), stage=stages.DrawStartingLot("gallery")),
        None,
        "/stage",
        decision="draw-starting-lot",
        expected_decision="draw-starting-business",
    ),
    case(
        "setup.step",
        replace(LAST.after, stage=LAST.before.stage),
        None,
        "/stage",
        decision="place-first-building",
        expected_decision="choose-option",
    ),
    case("setup.early", dealing("o4"), None, "/seats", decision="draw-starting-business"),
    case("setup.hand", dealing("o4 o5"), None, "/seats/0/hand", seat=0),
    case("setup.hand", dealing("n4"), None, "/seats/0/hand", seat=0),
    *[
        case("setup.untouched", replace(BEGINNING, **{member: value}), None, f"/{member}")
        for member, value in {
            "active_seat": 1,
            "commissioners": {"white": TIMES, "beige": CITY_HALL},
            "under_central_park": ("gallery",),
            "removed_businesses": ("gallery",),
            "black_discards": ("black-4",),
            "shuffled_in": (),
        }.items()
    ],
    *[
        case("setup.untouched", with_seat(BEGINNING, 1, **{member: 1}), None, f"/seats/1/{member}")
        for member in ("reserve", "central_park", "removed", "score")
    ],
    case("setup.untouched", with_seat(BEGINNING, 1, hand=hand("o4")), None, "/seats/1/hand/open"),
    case(
        "setup.untouched",
        replace(BEGINNING, districts=BEGINNING.districts.with_district(TIMES, None)),
        None,
        f"/districts/{TIMES}",
    ),
    case(
        "setup.untouched",
        replace(BEGINNING, piles={**BEGINNING.piles, "grey": Pile(None, ("grey-4",))}),
        None,
        "/piles/grey/discards",
    ),
    case(
        "setup.first-buildings",
        replace(FIRST.after, stage=FIRST.before.stage, districts=with_building_of(1)),
        None,
        "/districts",
        seat=1,
        buildings=1,
        expected=0,
    ),
    case(
        "setup.free-lot",
        FIRST.before,
        moves.PlaceFirstBuilding(0, *TAKEN),
        "/lot",
        lot=TAKEN[1],
        district=TAKEN[0],
    ),
    case(
        "setup.other-district",
        LAST.before,
        moves.PlaceFirstBuilding(0, *FREE_BESIDE),
        "/district",
        district=FREE_BESIDE[0],
    ),
    # turns
    case("turn.seat", table(), moves.TakeBuildings(1), "/seat", seat=1, to_decide=0),
    case("turn.seats", table(active_seat=3), None, "/active_seat", seat=3, players=3),
    case(
        "turn.seats", table(districts={TIMES: "B d1 . . ."}), None, f"/districts/{TIMES}/green/owner", seat=3, players=3
    ),
    case("turn.seats", auction(offer(), offer(), seat=0, hands=("", "", "")), None, "/stage/offers", seat=2, players=3),
    case("turn.seats", auction(offer(), offer(), offer(), seat=3), None, "/stage/seat", seat=3, players=3),
    case("turn.seats", table(stage=stages.DrawBlackCard(1, (3,))), None, "/stage/seats", seat=3, players=3),
    case(
        "turn.step",
        table(),
        moves.Pass(0),
        "/type",
        move="pass",
        decision="choose-option",
        expected_moves=("take-buildings", "place-business", "take-black-card", "score-district"),
    ),
    case(
        "turn.chance",
        table(stage=stages.DrawBlackCard(1, (0,))),
        moves.TakeBuildings(0),
        "/type",
        expected_move="deal-card",
        decision="draw-black-card",
    ),
    case("turn.decision", table(), moves.DealCard("black-4"), "/type", seat=0, decision="choose-option"),
    # option A
    case("option-a.supply", table(reserves=(15, 3, 3)), moves.TakeBuildings, "/type", seat=0),
    case("option-a.threes", table(reserves=(4, 3, 3)), None, "/seats/0", buildings=6),
    # option B
    case(
        "business.active-group",
        replace(table(), row=(("boutique", "boutique", "gallery"), *table().row[1:])),
        moves.PlaceBusiness(0, "perfumery", TIMES, "orange"),
        "/business",
        business="perfumery",
        active_group=("boutique", "gallery"),
    ),
    case(
        "business.row",
        replace(table(), row=(*table().row[:-1], ())),
        None,
        "/row",
        tiles=18,
    ),
    case("business.last-tile", table(under_central_park=("gallery",)), None, "/under_central_park", tiles=1, groups=0),
    case(
        "business.placed",
        replace(table(), districts=board({TIMES: "B G . P ."})),
        None,
        "/districts",
        tiles=9,
        expected=7,
    ),
    case(
        "business.lot",
        table(districts={TIMES: "BB a1 . . ."}),
        moves.PlaceBusiness(0, table(districts={TIMES: "BB a1 . . ."}).row[0][0], TIMES, "orange"),
        "/lot",
        businesses=2,
        buildings=0,
    ),
    case(
        "business.lot",
        table(districts={TIMES: "BB a1 . . ."}),
        moves.PlaceBusiness(0, table(districts={TIMES: "BB a1 . . ."}).row[0][0], TIMES, "green"),
        "/lot",
        businesses=0,
        buildings=1,
    ),
    case(
        "business.no-lot",
        table(
            hands=["", "", "", ""],
            districts={
                name: f"{pair} a1 b1 c1 d1"
                for name, pair in zip(
                    (WEST_34, EAST_34, WEST_42, TIMES, EAST_42, WEST_52, EAST_52),
                    ("BB", "GG", "JJ", "PP", "BG", "JP", "BJ"),
                    strict=True,
                )
            },
        ),
        moves.PlaceBusiness,
        "/type",
    ),
    # option D
    case(
        "scoring.commissioner",
        table(commissioners=(TIMES, CITY_HALL), markers=((WEST_34,), ())),
        moves.ScoreDistrict(0, WEST_34),
        "/district",
        district=WEST_34,
    ),
    case("scoring.no-commissioner", table(), moves.ScoreDistrict, "/type"),
    case(
        "scoring.no-commissioner",
        table(districts={TIMES: None}, commissioners=(TIMES, CENTRAL_PARK), markers=((WEST_34,), (WEST_34, WEST_52))),
        moves.ScoreDistrict,
        "/type",
    ),
    case(
        "cards.no-black",
        table(stage=stages.DrawBlackCard(1, (0,)), hands=[Hand(all_of("black"), (), {}), "", ""]),
        None,
        "/stage",
        left=0,
    ),
    case(
        "cards.no-black",
        table(
            stage=stages.TurnDummyCard(3, "white", (offer(), offer(passed=True)), ()),
            hands=[Hand(all_of("black"), (), {}), ""],
        ),
        None,
        "/stage",
        left=0,
    ),
    # phase 2
    case(
        "cards.different",
        table(stage=stages.TakeCards()),
        moves.TakeCards(0, ("grey", "grey")),
        "/colours",
        colour="grey",
    ),
    case(
        "cards.number", table(stage=stages.TakeCards()), moves.TakeCards(0, ("grey",)), "/colours", number=1, needed=2
    ),
    case(
        "cards.number",
        opening("orange", "green", "purple", "grey"),
        moves.TakeCards(0, ()),
        "/colours",
        number=0,
        needed=1,
    ),
    case("cards.exhausted", opening("grey"), moves.TakeCards(0, ("brown", "grey")), "/colours/1", colour="grey"),
    case("cards.exhausted", opening(*COLOURS), None, "/piles", colour=None),
    case(
        "cards.hand",
        auction(offer(), offer(), offer(), hands=("y4", "", ""), districts=FREE),
        moves.Bid(0, cards("y4 k4")),
        "/cards",
        missing_cards=("black-4",),
    ),
    case(
        "cards.hand",
        auction(offer(), offer(), offer(), hands=(hand("y4", black=1), hand("k4 " * 20), ""), districts=FREE),
        moves.Bid(0, cards("y4 k4")),
        "/cards",
        missing_cards=("black-4",),
    ),
    case("cards.pile", table(tops_of={"grey": Pile("brown-4", ())}), None, "/piles/grey/top", pile="grey"),
    case(
        "cards.pile",
        table(tops_of={"grey": Pile("grey-4", ("brown-4",))}),
        None,
        "/piles/grey/discards",
        pile="grey",
    ),
    case("cards.top", table(tops_of=exhausted("grey")), None, "/piles/grey/top", pile="grey", cards=12),
    case(
        "cards.used-up",
        table(hands=[Hand(all_of("grey")[1:], (), {}), "", ""], tops_of={"grey": Pile(None, ("grey-4",))}),
        None,
        "/piles/grey/top",
        pile="grey",
        discards=1,
    ),
    case("cards.reveal", table(stage=stages.RevealTop()), None, "/piles", piles=0),
    case(
        "cards.shuffle",
        table(hands=[Hand(all_of("black")[1:], (), {}), "", ""], black_discards=all_of("black")[:1]),
        None,
        "/black_discards",
        discards=1,
    ),
    # auctions
    case("auction.order", auction(offer("y4"), offer(), offer(), seat=0, districts=FREE), None, "/stage", highest=4),
    case(
        "auction.city-hall",
        replace(BUILDING, commissioners={"white": TIMES, "beige": CITY_HALL}),
        None,
        "/commissioners/white",
        commissioner="white",
        space=TIMES,
    ),
    case("auction.pass", auction(offer("y4", passed=True), offer(), offer(), seat=1), None, "/stage/offers/0", seat=0),
    case(
        "auction.higher",
        auction(offer("y5"), offer(), offer(), seat=1, hands=("", "y5", ""), districts=FREE),
        moves.Bid(1, cards("y5")),
        "/cards",
        bid=5,
        highest=5,
    ),
    case(
        "auction.higher",
        auction(offer("y5 k4"), offer(), offer(), seat=1, hands=("", "y5 n4 p6", ""), districts=FREE),
        moves.Bid,
        "/type",
        bid=6,
        highest=9,
    ),
    case(
        "auction.higher",
        auction(offer("y5"), offer("n5"), offer(), seat=2, districts=FREE),
        None,
        "/stage/offers/1",
        bid=5,
        highest=5,
    ),
    case(
        "auction.coloured-card",
        auction(offer(), offer(), offer(), hands=("y5 k4", "", ""), districts=FREE),
        moves.Bid(0, cards("k4")),
        "/cards",
    ),
    case(
        "auction.coloured-card",
        auction(offer(), offer(), offer(), hands=("o5 k4", "", ""), districts=FREE),
        moves.Bid,
        "/type",
    ),
    case(
        "auction.coloured-card",
        auction(offer("k4", "y4"), offer(), offer(), seat=1, districts=FREE),
        None,
        "/stage/offers/0",
    ),
    case(
        "auction.one-colour",
        auction(offer(), offer(), offer(), hands=("y5 n4", "", ""), districts=FREE),
        moves.Bid(0, cards("y5 n4")),
        "/cards",
        colours=("brown", "grey"),
    ),
    case(
        "auction.one-colour",
        auction(offer("y4"), offer("y5"), offer(passed=True), hands=("n5", "", ""), districts=FREE),
        moves.Bid(0, cards("n5")),
        "/cards",
        colours=("grey", "brown"),
    ),
    case(
        "auction.own-lot",
        auction(offer(), offer(), offer(), hands=("o4", "", ""), districts={TIMES: ". a1 B . ."}),
        moves.Bid(0, cards("o4")),
        "/cards",
        colours=("orange",),
        allowed=("green",),
    ),
    case(
        "auction.one-lot",
        table(districts={TIMES: "a1 a1 B . ."}),
        None,
        f"/districts/{TIMES}/green",
        lot="green",
        other="orange",
        seat=0,
    ),
    case(
        "auction.empty-lots",
        auction(offer(), offer(), offer(), hands=("n4", "", ""), districts={TIMES: ". . B . b1"}),
        moves.Bid(0, cards("n4")),
        "/cards",
        colours=("brown",),
        allowed=("orange", "green", "grey"),
    ),
    case(
        "auction.empty-lots",
        table(stage=stages.BuildOrStop(3, "white", 0, "orange", 2), markers=MARKED, districts=FREE),
        None,
        "/stage/colour",
        colours=("orange",),
        allowed=("green", "purple", "grey", "brown"),
    ),
    case(
        "auction.business-lots",
        auction(offer(), offer(), offer(), hands=("g4", "", ""), districts=FULL),
        moves.Bid(0, cards("g4")),
        "/cards",
        colours=("green",),
        allowed=("orange", "purple", "brown"),
    ),
    case(
        "auction.business-lots",
        auction(offer(), offer(), six_lots=True, hands=("g4", ""), districts={TIMES: "b1 x1 x1 x1 x1 G"}),
        moves.Bid,
        "/type",
        colours=(),
        allowed=(),
    ),
    case("auction.limit", BUILDING, moves.Build(0, 3), "/buildings", buildings=3, limit=2),
    case(
        "auction.reserve",
        table(
            stage=stages.BuildOrStop(3, "white", 0, "grey", 3),
            markers=MARKED,
            districts=FREE,
            central_park=(2,),
        ),
        moves.Build(0, 2),
        "/buildings",
        buildings=2,
        reserve=1,
    ),
    case(
        "central-park.colour",
        auction(offer("y4"), offer(), offer(), seat=1, markers=(), hands=("", "n5", "")),
        moves.Bid(1, cards("n5")),
        "/cards",
        colours=("brown",),
        allowed=("grey",),
    ),
    case(
        "central-park.colour",
        auction(offer("y4"), offer("n5"), offer(), seat=2, markers=()),
        None,
        "/stage/offers/1",
        colours=("brown",),
        allowed=("grey",),
    ),
    case("central-park.no-stop", IN_THE_PARK, moves.OrderStop, "/type"),
    # the building stop
    case("stop.full", BUILDING, moves.OrderStop, "/type", empty=("green", "purple", "grey", "brown")),
    case("stop.newcomer", NEWCOMER, moves.Build, "/type", seat=0),
    case("stop.newcomer", NEWCOMER, moves.Build(0, 0), "/type", seat=0),
    case(
        "stop.closed",
        table(districts={TIMES: None}),
        moves.PlaceBusiness(0, table(districts={TIMES: None}).row[0][0], TIMES, "grey"),
        "/district",
        district=TIMES,
    ),
    case("stop.closed", table(districts={TIMES: None}), moves.ScoreDistrict(0, TIMES), "/district", district=TIMES),
    case(
        "stop.closed",
        table(
            stage=stages.MoveCommissioner(3),
            districts={TIMES: None},
            commissioners=(WEST_34, CITY_HALL),
        ),
        moves.MoveCommissioner(0, "white", TIMES),
        "/to",
        district=TIMES,
    ),
    case(
        "stop.two",
        table(stage=GameOver(), districts=dict.fromkeys((TIMES, WEST_34, EAST_34))),
        None,
        "/districts",
        closed=3,
        stops=2,
    ),
    case(
        "stop.two",
        sheet(districts=board(dict.fromkeys((TIMES, WEST_34, EAST_34)))),
        None,
        "/districts",
        closed=3,
        stops=2,
    ),
    # the dummy
    case("dummy.two-players", table(dummy_removed=0), None, "/dummy_removed", players=3),
    case(
        "dummy.two-players", table(districts={TIMES: "B x1 . . ."}), None, f"/districts/{TIMES}/green/owner", players=3
    ),
    case(
        "dummy.two-players",
        auction(offer(), offer(), offer(), dummy="k4 k4", districts=FREE),
        None,
        "/stage/dummy",
        players=3,
    ),
    case(
        "dummy.pair",
        table(
            stage=stages.TurnDummyCard(3, "white", (offer(), offer(passed=True)), cards("k4 k4")),
            hands=("", ""),
            markers=MARKED,
        ),
        None,
        "/stage",
        turned_cards=("black-4", "black-4"),
    ),
    # the end
    case("end.over", table(stage=GameOver(), districts={TIMES: None, WEST_34: None}), moves.TakeBuildings(0), "/type"),
    case("end.game", table(stage=GameOver()), None, "/stage", closed=0, placed=0),
    case("end.at-once", table(districts={TIMES: None, WEST_34: None}), None, "/stage", closed=2, placed=0),
    case(
        "end.all-count",
        table(stage=stages.DrawParkTile(), districts={TIMES: None, WEST_34: None}),
        None,
        "/under_central_park",
        tiles=0,
        most=3,
    ),
    case(
        "end.all-count",
        replace(NO_JEWELLER_UNDER_THE_PARK, stage=GameOver(), under_central_park=(), park_tiles=("gallery",) * 3),
        None,
        "/under_central_park",
        tiles=3,
        most=3,
    ),
    case(
        "end.park-tiles",
        replace(NO_JEWELLER_UNDER_THE_PARK, stage=GameOver()),
        None,
        "/park_tiles",
        tiles=0,
        least=3,
        most=3,
    ),
    case("end.drawn-early", table(park_tiles=()), None, "/park_tiles", tiles=0),
    case(
        "end.park-tiles",
        replace(NO_JEWELLER_UNDER_THE_PARK, park_tiles=("gallery",) * 3),
        None,
        "/park_tiles",
        tiles=3,
        least=0,
        most=2,
    ),
    case(
        "end.park-tiles",
        replace(NO_JEWELLER_UNDER_THE_PARK, stage=GameOver(), park_tiles=("gallery",)),
        None,
        "/park_tiles",
        tiles=1,
        least=3,
        most=3,
    ),
    case(
        "end.under-central-park",
        NO_JEWELLER_UNDER_THE_PARK,
        moves.DrawBusiness("jeweller"),
        "/business",
        component="jeweller",
    ),
    case(
        "end.sheet-businesses",
        sheet(),
        None,
        "/districts",
        fewest=0,
        most=0,
        lowest=12,
        highest=12,
        closed=0,
    ),
    case(
        "end.sheet-hands",
        sheet(seats=(SheetSeat(0, 0, 100), SheetSeat(0, 0, 11))),
        None,
        "/seats",
        cards=111,
        most=110,
    ),
    case(
        "map.sheet-districts",
        sheet(districts=without(typed(board({})), TIMES)),
        None,
        f"/districts/{TIMES}",
        district=TIMES,
    ),
    case(
        "map.sheet-lots",
        sheet(districts={**typed(board({})), TIMES: {colour: EMPTY for colour in COLOURS if colour != "grey"}}),
        None,
        f"/districts/{TIMES}/grey",
        district=TIMES,
        lot="grey",
    ),
    case("end.sheet-track", sheet(seats=(SheetSeat(None, 0), SheetSeat(0, 0))), None, "/seats/0/score", seat=0),
    case(
        "end.sheet-central-park",
        sheet(seats=(SheetSeat(0, 0), SheetSeat(0))),
        None,
        "/seats/1/central_park",
        seat=1,
    ),
    case("end.sheet-tiles", sheet(park_tiles=None), None, "/park_tiles"),
    case("end.sheet-tiles", sheet(under_central_park=("boutique",) * 8), None, "/park_tiles"),
]
