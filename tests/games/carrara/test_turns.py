"""The course of a turn, the special situations, and both ends of the game."""

import pytest
from msgspec.structs import replace

from capomastro.engine import events as engine_events
from capomastro.engine import referee
from capomastro.engine.moves import Move
from capomastro.engine.stages import GameOver
from capomastro.games.carrara import moves, stages
from capomastro.games.carrara.components import COST_NEEDED, FACE_UP, OBJECTS, OBJECTS_NEEDED
from capomastro.games.carrara.game import GAME
from capomastro.games.carrara.state import Options, State
from capomastro.games.carrara.supplies import bag, bag_size, object_supplies, pile_size
from tests.games.carrara.table import (
    ALL_BLOCKS,
    ALL_OF_COST_5,
    audited,
    blocks,
    broken_rule,
    buildings,
    events_of,
    kinds_offered,
    legal,
    offered,
    played,
    ready,
    rest_of,
    seat,
    spread,
    table,
    wheel,
)

FIVE_TYPES = "library palace gate castle cathedral"
OBJECTS_OF_SIX_SCORINGS = "book book crown crown gate gate flag flag cup cup coat-of-arms"
"""The objects of scoring these five types, and Lerici with one building of each."""


def over(state: State) -> bool:
    return state.stage == GameOver()


# --- set-up ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "in_the_bag"), [(2, 34), (3, 33), (4, 32)])
def test_the_set_up(players: int, in_the_bag: int) -> None:
    state = GAME.start(players, Options(), None)
    assert [player.blocks for player in state.seats] == [("black",), ("blue",), ("green",), ("red",)][:players]
    assert {player.coins for player in state.seats} == {20}
    assert state.wheel == wheel("wyrgbk")
    assert bag_size(state) == in_the_bag
    state = played(state, *(moves.RevealBuilding(building) for building in buildings(spread(9))))
    assert (state.stage, state.active_seat, len(state.face_up)) == (stages.ChooseAction(), 0, FACE_UP)
    assert pile_size(state) == 30 - 9
    assert kinds_offered(state) == {moves.TurnWheel, moves.Build}


# --- action I: buy blocks --------------------------------------------------------------------------------------------


def test_nothing_affordable_gives_two_coins_and_counts_as_the_action() -> None:
    sections = ("wwwyyyyrrrr", "", "", "", "", "")
    state = table(seat(coins=2), seat(coins=3), stage=stages.BuyBlocks(), sections=sections)
    assert offered(state) == [moves.TakeCoins(0)]
    after = played(state, moves.TakeCoins(0))
    assert after.seats[0].coins == 4
    assert (after.active_seat, after.stage) == (1, stages.ChooseAction())


def test_two_coins_on_the_wheel_are_an_action_so_the_end_can_be_announced_after_them() -> None:
    state = table(ready(), seat(), stage=stages.BuyBlocks(), sections=("wwwyyyyrrrr",))
    after = played(state, moves.TakeCoins(0))
    assert after.stage == stages.AnnounceOrEndTurn()
    assert legal(after, moves.AnnounceEnd(0))


def test_the_wheel_turns_even_if_nothing_can_be_bought_afterwards() -> None:
    state = table(seat(coins=0), seat(rest_of("www", "yy")), sections=("www", "", "", "", "", "yy"))
    turned = played(state, moves.TurnWheel(0))
    assert turned.wheel == wheel("yy", "www")
    assert offered(turned) == [moves.TakeCoins(0)]
    assert broken_rule(turned, moves.BuyBlocks(0, "I", blocks("y"))) == "buy.price"
    assert broken_rule(turned, moves.Build(0, "castle-1", "lerici", ())) == "turn.step"


def test_a_free_block_must_be_taken() -> None:
    state = table(seat(coins=0), seat(), stage=stages.BuyBlocks(), sections=("wwwwwyyyyy", "k"))
    assert offered(state) == [moves.BuyBlocks(0, "II", blocks("k"))]
    assert broken_rule(state, moves.TakeCoins(0)) == "buy.must-buy"


def test_blocks_that_move_from_vi_to_i_are_expensive_again() -> None:
    state = table(seat(coins=1), seat(rest_of("wb")), sections=("", "", "", "", "", "wb"))
    turned = played(state, moves.TurnWheel(0))
    assert turned.wheel == wheel("wb")
    assert broken_rule(turned, moves.BuyBlocks(0, "I", blocks("w"))) == "buy.price"
    assert broken_rule(turned, moves.BuyBlocks(0, "I", blocks("b"))) == "buy.price"
    assert legal(replace(state, stage=stages.BuyBlocks()), moves.BuyBlocks(0, "VI", blocks("wb")))


def test_the_refill_goes_up_to_eleven_on_the_whole_wheel() -> None:
    state = table(seat(coins=20), seat(), sections=("w", "yy", "", "rrr", "g", "bb"))
    state = played(state, moves.TurnWheel(0))
    assert state.stage == stages.DrawBlock()
    state = played(state, moves.DrawBlock("black"))
    assert state.stage == stages.DrawBlock()
    state = played(state, moves.DrawBlock("black"))
    assert state.stage == stages.BuyBlocks()
    assert state.wheel == wheel("bbkk", "w", "yy", "", "rrr", "g")


def test_a_full_wheel_is_turned_without_a_refill() -> None:
    state = table(seat(), seat(), sections=("wwwwwyyyyy", "r"))
    assert played(state, moves.TurnWheel(0)).stage == stages.BuyBlocks()


def test_the_bag_runs_out_in_the_middle_of_a_refill() -> None:
    state = table(seat(coins=20), seat(rest_of("wy", "kk")), sections=("wy",))
    state = played(state, moves.TurnWheel(0))
    assert bag(state) == {"black": 2, "blue": 0, "green": 0, "red": 0, "white": 0, "yellow": 0}
    state = played(state, moves.DrawBlock("black"))
    assert state.stage == stages.DrawBlock()
    state = played(state, moves.DrawBlock("black"))
    assert (state.stage, bag_size(state)) == (stages.BuyBlocks(), 0)
    assert state.wheel == wheel("kk", "wy")


def test_with_an_empty_bag_the_wheel_is_turned_without_a_refill() -> None:
    state = table(seat(coins=20), seat(rest_of("wy")), sections=("wy",))
    turned = played(state, moves.TurnWheel(0))
    assert (turned.stage, turned.wheel) == (stages.BuyBlocks(), wheel("", "wy"))
    bought = played(turned, moves.BuyBlocks(0, "II", blocks("w")), moves.BuyNothing(0))
    assert bought.seats[0].coins == 15


def test_with_wheel_and_bag_empty_another_action_is_chosen() -> None:
    can_build = table(seat("k"), seat(rest_of("k")), sections=())
    assert kinds_offered(can_build) == {moves.Build}
    assert broken_rule(can_build, moves.TurnWheel(0)) == "buy.nothing-left"
    can_score = table(seat(massa="li1"), seat(ALL_BLOCKS), sections=())
    assert offered(can_score) == [moves.ScoreType(0, "library")]


def test_a_player_without_actions_takes_two_coins_and_buys_no_object() -> None:
    state = table(seat(coins=10), seat(ALL_BLOCKS), sections=())
    assert offered(state) == [moves.TakeCoins(0)]
    after = played(state, moves.TakeCoins(0))
    assert (after.active_seat, after.seats[0].coins) == (1, 12)


def test_a_player_without_actions_can_still_announce_at_the_end_of_the_turn() -> None:
    done = ready(types=FIVE_TYPES, objects=OBJECTS_OF_SIX_SCORINGS)
    state = table(done, seat(ALL_BLOCKS), sections=())
    assert audited(state) == []
    assert kinds_offered(state) == {moves.AnnounceEnd, moves.TakeCoins}
    after = played(state, moves.TakeCoins(0))
    assert after.stage == stages.AnnounceOrEndTurn()


def test_without_markers_scoring_is_impossible() -> None:
    done = ready(types=FIVE_TYPES, objects=OBJECTS_OF_SIX_SCORINGS)
    state = table(done, seat(ALL_BLOCKS), sections=())
    assert broken_rule(state, moves.ScoreType(0, "villa")) == "score.markers"
    assert legal(state, moves.TakeCoins(0))


def test_paid_blocks_are_in_the_bag_at_once() -> None:
    state = table(seat("k"), seat(rest_of("k")), sections=(), face_up=f"vi1 {spread(8)}")
    state = played(state, moves.Build(0, "villa-1", "lerici", blocks("k")))
    assert bag(state)["black"] == 1
    state = played(state, moves.RevealBuilding("villa-2"), moves.TurnWheel(1), moves.DrawBlock("black"))
    assert state.wheel == wheel("k")


# --- action II: build ------------------------------------------------------------------------------------------------


def test_a_better_block_may_go_to_a_cheaper_city() -> None:
    state = table(seat("w"), seat(), face_up=f"vi1 {spread(8)}")
    cities = [move.city for move in offered(state) if isinstance(move, moves.Build) and move.building == "villa-1"]
    assert cities == ["livorno", "pisa", "lucca", "viareggio", "massa", "lerici"]


def test_a_city_has_no_limit_of_buildings() -> None:
    state = table(seat("k", lerici=spread(20)), seat(), face_up="vi1 vi2 vi3 vi4 vi5 pa1 pa2 pa3 pa4")
    assert legal(state, moves.Build(0, "villa-1", "lerici", blocks("k")))


def test_an_empty_space_is_filled_from_the_pile() -> None:
    state = table(seat("k"), seat())
    built = played(state, moves.Build(0, "castle-1", "lerici", blocks("k")))
    assert (built.stage, len(built.face_up)) == (stages.RevealBuilding(), 8)
    assert len(played(built, moves.RevealBuilding("villa-5")).face_up) == 9


def test_when_the_pile_is_empty_the_space_stays_empty_and_the_turn_continues() -> None:
    others = seat(massa=spread(21))
    state = table(seat("kkkkk"), others)
    assert (len(state.face_up), pile_size(state)) == (9, 0)
    fourth = state.face_up[3]
    built = played(state, moves.Build(0, fourth, "lerici", blocks("k" * int(fourth[-1]))))
    assert built.active_seat == 1
    assert built.face_up == (*state.face_up[:3], *state.face_up[4:])


# --- action III: score -----------------------------------------------------------------------------------------------


def test_points_and_coins_are_paid_when_the_supply_of_objects_is_exhausted() -> None:
    state = table(
        seat(massa="li3", pisa="li5"),
        replace(
            seat(massa="li1 li2 vi1 vi2", types="library", cities="massa", points=9),
            objects=("book",) * 4 + ("coat-of-arms",) * 2,
        ),
    )
    assert audited(state) == []
    assert object_supplies(state)["book"] == 1
    (event,) = events_of(state, moves.ScoreType(0, "library"))
    assert (event["points"], event["coins"], event["objects"]) == (3, 15, ["book"])
    none_left = replace(state, seats=(state.seats[0], replace(state.seats[1], objects=("book",) * 5)))
    assert object_supplies(none_left)["book"] == 0
    (event,) = events_of(none_left, moves.ScoreType(0, "library"))
    assert (event["points"], event["coins"], event["objects"]) == (3, 15, [])


def test_objects_for_sale_are_not_used_for_scoring() -> None:
    state = table(seat(massa="li3"), seat())
    assert "book" in state.objects_for_sale
    assert object_supplies(state)["book"] == 5


def test_a_building_counts_once_by_type_and_once_by_city() -> None:
    state = table(seat(livorno="li3 vi1"), seat(massa="pa1"), sections=())
    state = played(state, moves.ScoreType(0, "library"))
    assert state.seats[0].points == 9
    state = replace(state, active_seat=0)
    state = played(state, moves.ScoreCity(0, "livorno"))
    assert state.seats[0].points == 9 + 12
    assert state.seats[0].objects == ("book", "book", "coat-of-arms")
    state = replace(state, active_seat=0)
    assert broken_rule(state, moves.ScoreType(0, "library")) == "score.type-once"
    assert broken_rule(state, moves.ScoreCity(0, "livorno")) == "score.city-once"
    state = played(state, moves.ScoreType(0, "villa"))
    assert state.seats[0].points == 9 + 12 + 3


def test_a_city_scored_by_another_player_is_closed() -> None:
    state = table(seat(livorno="li3 vi1"), seat(livorno="pa1 pa2"))
    state = played(state, moves.ScoreCity(0, "livorno"))
    assert state.active_seat == 1
    assert broken_rule(state, moves.ScoreCity(1, "livorno")) == "score.city-once"
    assert legal(state, moves.ScoreType(1, "palace"))


@pytest.mark.parametrize(
    ("city", "minimum"), [("livorno", 2), ("pisa", 2), ("lucca", 2), ("viareggio", 3), ("massa", 3), ("lerici", 3)]
)
def test_the_buildings_a_city_needs_to_be_scored(city: str, minimum: int) -> None:
    enough = table(seat(**{city: spread(minimum)}), seat())  # type: ignore[arg-type]
    assert legal(enough, moves.ScoreCity(0, city))
    one_short = table(seat(**{city: spread(minimum - 1)}), seat())  # type: ignore[arg-type]
    assert broken_rule(one_short, moves.ScoreCity(0, city)) == "score.city-minimum"


def test_a_seventh_scoring_is_refused() -> None:
    six = ready(types=FIVE_TYPES, objects=OBJECTS_OF_SIX_SCORINGS)
    state = table(six, seat())
    for kind in ("library", "villa"):
        assert broken_rule(state, moves.ScoreType(0, kind)) == "score.markers"
    assert not {moves.ScoreType, moves.ScoreCity} & kinds_offered(state)


# --- supplementary purchase ------------------------------------------------------------------------------------------


def test_an_object_can_be_bought_after_every_action() -> None:
    building = table(seat("k", coins=22), seat())
    scoring = table(seat(coins=20, massa="li1"), seat())
    buying = table(seat(coins=20), seat(), stage=stages.BuyBlocks(), sections=("kkkkkk", "bbbbb"))
    build = moves.Build(0, "castle-1", "lerici", blocks("k"))
    after_building = played(building, build, moves.RevealBuilding("villa-5"))
    after_scoring = played(scoring, moves.ScoreType(0, "library"))
    after_buying = played(buying, moves.BuyBlocks(0, "I", blocks("k")))
    for before in (after_building, after_scoring, after_buying):
        assert before.stage == stages.BuyObject()
        assert len(offered(before)) == 6 + 1
        state = played(before, moves.BuyObject(0, "crown"))
        assert "crown" not in state.objects_for_sale
        assert state.seats[0].objects.count("crown") == 1
        assert (state.seats[0].coins, state.active_seat) == (before.seats[0].coins - 10, 1)


def test_no_object_is_offered_without_ten_coins_or_an_object_on_the_board() -> None:
    poor = played(table(seat(massa="li1", coins=9), seat()), moves.ScoreType(0, "library"))
    assert poor.active_seat == 1
    rich = seat(massa="pa1", coins=99, objects="book crown gate cup flag coat-of-arms")
    sold_out = table(rich, seat(), sold="book crown gate cup flag coat-of-arms")
    assert played(sold_out, moves.ScoreType(0, "palace")).active_seat == 1


def test_coins_just_earned_can_buy_an_object_and_with_it_the_last_objective() -> None:
    short = ready(types="palace gate castle", cities="lerici", objects="book crown gate cup flag crown", coins=0)
    state = table(replace(short, coins=5), seat())
    assert broken_rule(state, moves.AnnounceEnd(0)) == "end.objectives"
    state = played(state, moves.ScoreType(0, "library"), moves.BuyObject(0, "cup"))
    assert state.stage == stages.AnnounceOrEndTurn()
    state = played(state, moves.AnnounceEnd(0))
    assert (state.announced_by, state.seats[0].points, state.active_seat) == (0, 5, 1)


# --- announcing the end ----------------------------------------------------------------------------------------------


EXACTLY_ENOUGH = {2: ALL_OF_COST_5, 3: "li5 pa5 ga5 ca4 cs4 vi2", 4: "li5 pa5 ga5 ca3 cs1 vi1"}
"""Buildings that just reach the required cost, by the number of players."""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_announcing_one_object_short_is_refused_with_the_numbers(players: int) -> None:
    needed, lerici = OBJECTS_NEEDED[players], EXACTLY_ENOUGH[players]
    enough = [*OBJECTS, "book", "crown"][:needed]
    state = table(ready(objects=" ".join(enough), lerici=lerici), *[seat()] * (players - 1))
    assert audited(state) == []
    assert sum(int(building[-1]) for building in state.seats[0].cities.lerici) == COST_NEEDED[players]
    assert legal(state, moves.AnnounceEnd(0))
    short = table(ready(objects=" ".join(enough[:-1]), lerici=lerici), *[seat()] * (players - 1))
    refused = referee.refusal(GAME, short, moves.AnnounceEnd(0))
    assert refused is not None
    assert refused.rule == "carrara.end.objectives"
    assert (refused.values["objects"], refused.values["objects_needed"]) == (needed - 1, needed)
    assert (refused.values["cost"], refused.values["cost_needed"]) == (COST_NEEDED[players], COST_NEEDED[players])


def test_after_an_announcement_at_the_start_the_turn_is_played() -> None:
    state = table(ready("k"), seat())
    announced = played(state, moves.AnnounceEnd(0))
    assert (announced.announced_by, announced.seats[0].points) == (0, 5)
    assert (announced.active_seat, announced.stage) == (0, stages.ChooseAction())
    assert {moves.TurnWheel, moves.Build, moves.Pass} <= kinds_offered(announced)
    assert broken_rule(announced, moves.AnnounceEnd(0)) == "end.once"
    built = played(announced, moves.Build(0, "castle-1", "lerici", blocks("k")), moves.RevealBuilding("villa-4"))
    assert (built.active_seat, built.stage) == (1, stages.ChooseAction())
    assert over(played(built, moves.Pass(1)))


def test_after_an_announcement_at_the_start_the_turn_can_be_passed() -> None:
    state = played(table(ready(coins=50), seat()), moves.AnnounceEnd(0), moves.Pass(0))
    assert (state.active_seat, state.stage) == (
        1,
        stages.ChooseAction(),
    )  # a pass is the whole turn: no object can be bought


def test_an_announcement_at_the_end_ends_the_turn() -> None:
    state = table(ready(), seat(), stage=stages.AnnounceOrEndTurn())
    assert set(offered(state)) == {moves.AnnounceEnd(0), moves.EndTurn(0)}
    assert played(state, moves.AnnounceEnd(0)).active_seat == 1
    not_announced = played(state, moves.EndTurn(0))
    assert (not_announced.active_seat, not_announced.announced_by) == (1, None)
    assert broken_rule(not_announced, moves.Pass(1)) == "end.pass"


def test_announcing_in_the_last_seat_ends_the_game_after_that_turn() -> None:
    at_the_end = table(seat(), ready(), stage=stages.AnnounceOrEndTurn(), active_seat=1)
    assert over(played(at_the_end, moves.AnnounceEnd(1)))
    at_the_start = played(table(seat(), ready(), active_seat=1), moves.AnnounceEnd(1))
    assert not over(at_the_start)
    assert over(played(at_the_start, moves.Pass(1)))


@pytest.mark.parametrize("announcer", [0, 1, 2, 3])
def test_after_an_announcement_exactly_the_remaining_seats_have_a_turn(announcer: int) -> None:
    announcing = ready(lerici=EXACTLY_ENOUGH[4])
    seats = [announcing if index == announcer else seat() for index in range(4)]
    state = played(table(*seats, stage=stages.AnnounceOrEndTurn(), active_seat=announcer), moves.AnnounceEnd(announcer))
    for following in range(announcer + 1, 4):
        assert state.active_seat == following
        assert moves.Pass in kinds_offered(state)
        state = played(state, moves.Pass(following))
    assert over(state)


def test_nobody_else_can_announce_after_an_announcement() -> None:
    rival = seat(
        massa="li4 pa4 ga4 ca4 cs4 vi4",
        livorno="li1 pa1 ga1",
        lerici="li3",
        points=33,
        types="library palace gate",
        cities="massa",
        objects="book book crown crown gate gate cup flag coat-of-arms",
    )
    state = played(table(ready(), rival, stage=stages.AnnounceOrEndTurn()), moves.AnnounceEnd(0))
    assert broken_rule(state, moves.AnnounceEnd(1)) == "end.once"
    scored = played(state, moves.ScoreType(1, "cathedral"))
    assert over(scored)  # no step in which it could be announced


def test_with_no_action_possible_after_an_announcement_the_coins_and_the_pass_are_both_legal() -> None:
    state = table(ready(), seat(), seat(rest_of("")), stage=stages.AnnounceOrEndTurn(), sections=())
    state = played(state, moves.AnnounceEnd(0))
    assert set(offered(state)) == {moves.TakeCoins(1), moves.Pass(1)}
    assert played(state, moves.TakeCoins(1)).seats[1].coins == 2
    assert played(state, moves.Pass(1)).seats[1].coins == 0


def test_an_announcement_out_of_turn_is_refused_for_missing_objectives_or_else_the_turn() -> None:
    state = table(seat(), seat())
    assert broken_rule(state, moves.AnnounceEnd(1)) == "end.objectives"
    state = table(seat(), ready())
    assert broken_rule(state, moves.AnnounceEnd(1)) == "turn.seat"


# --- the 30th building -----------------------------------------------------------------------------------------------


def last_building(players: int, builder: int) -> State:
    """One building is left, a villa of cost 1, which `builder` can build; the next player has built all others."""
    seats = [seat() for _ in range(players)]
    seats[(builder + 1) % players] = seat(massa=spread(25), livorno="vi2 vi3 vi4 vi5")
    seats[builder] = seat("k")
    return table(*seats, active_seat=builder, face_up="vi1")


@pytest.mark.parametrize(("players", "builder"), [(players, seat) for players in (2, 3, 4) for seat in range(players)])
def test_the_thirtieth_building_ends_the_game_with_the_round(players: int, builder: int) -> None:
    state = last_building(players, builder)
    build = moves.Build(builder, "villa-1", "lerici", blocks("k"))
    assert [event["type"] for event in events_of(state, build)[:2]] == ["built", "last-building-built"]
    state = played(state, build)
    for following in range(builder + 1, players):
        assert (state.active_seat, state.stage) == (following, stages.ChooseAction())
        assert broken_rule(state, moves.Pass(following)) == "end.pass"
        state = played(state, *first_purchase(state))
    assert over(state)
    assert all(player.points == 0 for player in state.seats)
    assert GAME.final_events(state)[-1] == engine_events.GameOver("carrara.end.last-building")


def first_purchase(state: State) -> list[Move]:
    """Turns the wheel, draws the blocks, and makes the first move on offer."""
    chosen: list[Move] = [moves.TurnWheel(state.active_seat)]
    after, _ = referee.play(GAME, state, chosen[0])
    while after.stage == stages.DrawBlock():
        chosen.append(referee.draw(GAME, after, "x"))
        after, _ = referee.play(GAME, after, chosen[-1])
    chosen.append(offered(after)[0])
    return chosen


def test_after_the_thirtieth_building_players_must_act_and_take_coins_only_if_they_cannot() -> None:
    bare = table(seat(), seat(lerici=spread(30)), sections=(), face_up="", active_seat=0)
    assert broken_rule(bare, moves.TakeCoins(0)) == "no-action.only-then"  # the bag is full
    hoarding = table(seat(), seat(ALL_BLOCKS, lerici=spread(30)), sections=(), face_up="", active_seat=0)
    assert offered(hoarding) == [moves.TakeCoins(0)]


def test_a_player_who_meets_the_objectives_with_the_thirtieth_building_cannot_announce() -> None:
    short = ready("k", lerici="li5 pa5 ga5 ca5 cs5 vi4")
    others = seat(massa=spread(23, without=(short, seat(massa="vi1"))))
    state = table(short, others, face_up="vi1")
    assert audited(state) == []
    assert broken_rule(state, moves.AnnounceEnd(0)) == "end.objectives"
    built = played(state, moves.Build(0, "villa-1", "lerici", blocks("k")))
    assert (built.active_seat, built.stage) == (1, stages.ChooseAction())
    assert broken_rule(built, moves.AnnounceEnd(0)) == "end.first-trigger"


def test_after_an_announcement_the_thirtieth_building_changes_nothing() -> None:
    announcing = ready("k", lerici="li5 pa5 ga5 ca5 cs5 vi5")
    others = seat(massa=spread(23, without=(announcing, seat(massa="vi1"))))
    state = played(table(announcing, others, seat(), face_up="vi1", sections=("k",)), moves.AnnounceEnd(0))
    happened = events_of(state, moves.Build(0, "villa-1", "lerici", blocks("k")))
    assert [event["type"] for event in happened] == ["built"]
    state = played(state, moves.Build(0, "villa-1", "lerici", blocks("k")))
    assert legal(state, moves.Pass(1))
    state = played(state, moves.Pass(1), moves.Pass(2))
    assert over(state)
    assert GAME.final_events(state)[-1] == engine_events.GameOver("carrara.end.announcement")
