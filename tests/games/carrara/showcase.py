"""What the recorded games of Carrara have to show, how to find it in a replay, and how to make such records."""

from capomastro.engine import referee
from capomastro.engine.moves import SeatMove
from capomastro.engine.players import planning
from capomastro.games.carrara import moves, stages
from capomastro.games.carrara.components import BUILDING_COUNT
from capomastro.games.carrara.decisions import why_not_entitled
from capomastro.games.carrara.supplies import bag_size, buildings_built, of_type
from tests.games.carrara import players
from tests.support.golden import Playthrough
from tests.support.playouts import Ply, by_seat, mixed
from tests.support.recorded import Property, Recipe, Replay
from tests.support.showcases import (
    final,
    outright_win,
    played_by,
    shared_place_below_the_first,
    shared_win,
    tie_below_the_first,
    win_by_tie_break,
)

# --- the announcement ------------------------------------------------------------------------------------------------


def announcement(replay: Replay) -> Ply | None:
    return next((ply for ply in replay.plies if isinstance(ply.move, moves.AnnounceEnd)), None)


def after_announcement(replay: Replay) -> list[Ply]:
    """What the announcer and those after them still did."""
    return [ply for ply in replay.plies if ply.before.announced_by is not None]


def next_of_announcer(replay: Replay) -> SeatMove | None:
    """What the announcer did after announcing at the start of their turn."""
    announced = announcement(replay)
    if announced is None or not isinstance(announced.before.stage, stages.ChooseAction):
        return None
    move = after_announcement(replay)[0].move
    assert isinstance(move, SeatMove)
    return move


def announced_then_acted(replay: Replay) -> bool:
    move = next_of_announcer(replay)
    return move is not None and not isinstance(move, moves.Pass)


def announced_then_passed(replay: Replay) -> bool:
    return isinstance(next_of_announcer(replay), moves.Pass)


def announced_at_the_end(replay: Replay) -> bool:
    announced = announcement(replay)
    return announced is not None and isinstance(announced.before.stage, stages.AnnounceOrEndTurn)


def announced_in(place: str) -> Property:
    def shows(replay: Replay) -> bool:
        announced = announcement(replay)
        if announced is None:
            return False
        seat, last = announced.before.active_seat, replay.players - 1
        return {0: "first", last: "last"}.get(seat, "middle") == place

    return shows


def waived(replay: Replay) -> bool:
    return any(isinstance(ply.move, moves.EndTurn) for ply in replay.plies)


def later_player(*kinds: type[SeatMove]) -> Property:
    """Whether a player after the announcer makes such a move."""
    return lambda replay: any(
        isinstance(ply.move, kinds) and ply.before.active_seat != ply.before.announced_by
        for ply in after_announcement(replay)
    )


# --- the 30th building -----------------------------------------------------------------------------------------------


def last_building(replay: Replay) -> Ply | None:
    """The ply in which the 30th building was built."""
    return next(
        (
            ply
            for ply in replay.plies
            if isinstance(ply.move, moves.Build) and buildings_built(ply.after) == BUILDING_COUNT
        ),
        None,
    )  # fmt: skip


def ended_by_building_in(seat: int) -> Property:
    def shows(replay: Replay) -> bool:
        ply = last_building(replay)
        return ply is not None and final(replay).announced_by is None and ply.before.active_seat == seat

    return shows


def built_after_announcement(replay: Replay) -> bool:
    ply = last_building(replay)
    return ply is not None and ply.before.announced_by not in (None, ply.before.active_seat)


def built_by_the_announcer(replay: Replay) -> bool:
    ply = last_building(replay)
    return ply is not None and ply.before.announced_by == ply.before.active_seat


def completes_the_objectives(replay: Replay) -> bool:
    """Whether the 30th building meets its builder's objectives; their announcement is refused."""
    ply = last_building(replay)
    if ply is None or ply.before.announced_by is not None or ply.after.active_seat == ply.before.active_seat:
        return False
    builder = ply.before.active_seat
    if not why_not_entitled(ply.before, builder, "") or why_not_entitled(ply.after, builder, ""):
        return False
    refused = referee.refusal(replay.game, ply.after, moves.AnnounceEnd(builder))
    return refused is not None and refused.rule == "carrara.end.first-trigger"


def acts_after_last_building(*kinds: type[SeatMove]) -> Property:
    def shows(replay: Replay) -> bool:
        ply = last_building(replay)
        if ply is None or final(replay).announced_by is not None:
            return False
        return any(isinstance(later.move, kinds) for later in replay.plies[ply.after.ply :])

    return shows


# --- on the way ------------------------------------------------------------------------------------------------------


def coins_for_no_block(replay: Replay) -> bool:
    return any(
        isinstance(ply.move, moves.TakeCoins) and isinstance(ply.before.stage, stages.BuyBlocks) for ply in replay.plies
    )


def coins_for_no_action(replay: Replay) -> bool:
    return any(
        isinstance(ply.move, moves.TakeCoins) and isinstance(ply.before.stage, stages.ChooseAction)
        for ply in replay.plies
    )


def bag_runs_out(replay: Replay) -> bool:
    """Whether the bag runs out while the wheel is refilled."""
    return any(isinstance(ply.move, moves.DrawBlock) and not bag_size(ply.after) for ply in replay.plies)


def supply_exhausted(replay: Replay) -> bool:
    """Whether a scoring gives fewer objects than buildings because the supply has run out."""
    for ply in replay.plies:
        if isinstance(ply.move, moves.ScoreType):
            scored = len(of_type(ply.before.seats[ply.move.seat].cities, ply.move.building_type))
            gained = len(ply.after.seats[ply.move.seat].objects) - len(ply.before.seats[ply.move.seat].objects)
            if gained < scored:
                return True
    return False


# --- who wins --------------------------------------------------------------------------------------------------------


SHOWN: dict[str, Property] = {
    "2 players": played_by(2),
    "3 players": played_by(3),
    "4 players": played_by(4),
    "announced at the start of a turn, then acting": announced_then_acted,
    "announced at the start of a turn, then passing": announced_then_passed,
    "announced at the end of a turn": announced_at_the_end,
    "announced in the first seat": announced_in("first"),
    "announced in a middle seat": announced_in("middle"),
    "announced in the last seat": announced_in("last"),
    "announcement waived": waived,
    "a later player acts": later_player(moves.TurnWheel, moves.Build, moves.ScoreType, moves.ScoreCity),
    "a later player passes": later_player(moves.Pass),
    "a later player takes the two coins": later_player(moves.TakeCoins),
    "30th building in seat 0": ended_by_building_in(0),
    "30th building in seat 1": ended_by_building_in(1),
    "30th building in seat 2": ended_by_building_in(2),
    "30th building in seat 3": ended_by_building_in(3),
    "30th building after an announcement": built_after_announcement,
    "30th building by the announcer": built_by_the_announcer,
    "30th building completes the objectives, announcement refused": completes_the_objectives,
    "a later player scores after the 30th building": acts_after_last_building(moves.ScoreType, moves.ScoreCity),
    "two coins because no block can be bought": coins_for_no_block,
    "two coins because no action is possible": coins_for_no_action,
    "the bag runs out in a refill": bag_runs_out,
    "a scoring finds the supply of objects exhausted": supply_exhausted,
    "outright win": outright_win,
    "tie broken by blocks": win_by_tie_break,
    "shared win": shared_win,
    "tie below the first place": tie_below_the_first,
    "shared place below the first": shared_place_below_the_first,
}

RECIPES = [
    Recipe("two-plan", ("announced at the end of a turn", "announced in the last seat", "outright win"), 2,
           player=planning),
    Recipe("three-plan", ("announced in a middle seat", "a later player acts"), 3, player=planning),
    Recipe("four-plan", ("announced in the first seat",), 4, player=planning),
    Recipe("two-random", ("outright win",), 2),
    Recipe("start-acting", ("announced at the start of a turn, then acting", "announced in the last seat"), 3,
           player=players.acting),
    Recipe("start-passing", ("announced at the start of a turn, then passing", "announced in the first seat"), 3,
           player=players.passing),
    Recipe("middle-of-four", ("announced at the start of a turn, then passing", "announced in a middle seat",
                              "a later player passes"), 4, player=mixed(0.8, players.passing, planning)),
    Recipe("later-coins", ("a later player takes the two coins",), 3,
           player=by_seat(planning, players.spending, players.spending)),
    *(
        Recipe(f"last-building-seat-{seat}", (f"30th building in seat {seat}",), 4, player=players.building_on)
        for seat in range(4)
    ),
    Recipe("last-building-of-two", ("30th building in seat 0", "a later player scores after the 30th building"), 2,
           player=players.building_on),
    Recipe("last-building-after-announcement", ("30th building after an announcement",), 3, player=players.racing),
    Recipe("last-building-by-announcer", ("30th building by the announcer",), 2, player=players.racing),
    Recipe("last-building-completes", ("30th building completes the objectives, announcement refused",), 4,
           player=players.building_on),
    Recipe("no-action", ("two coins because no action is possible", "the bag runs out in a refill"), 2,
           player=by_seat(players.squandering, players.gathering), best_of=1),
    Recipe("supply-exhausted", ("a scoring finds the supply of objects exhausted",), 3, player=players.building_on),
    Recipe("tie-by-blocks", ("tie broken by blocks",), 2, player=planning, best_of=2),
    Recipe("shared-win", ("shared win",), 4, player=players.building_on, best_of=2),
    Recipe("tie-for-second", ("tie below the first place",), 4, player=planning),
    Recipe("shared-second", ("shared place below the first",), 4, player=players.building_on, best_of=2),
]  # fmt: skip

PLAYTHROUGHS = [
    Playthrough("2-players-planning", 2, player=planning),
    Playthrough("4-players-building-on", 4, player=players.building_on),
]
