"""What the recorded games of Fifth Avenue have to show, how to find it in a replay, and how to make such records."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from capomastro.engine.players import planning
from capomastro.games.fifth_avenue import moves, stages
from capomastro.games.fifth_avenue.components import COLOURLESS
from capomastro.games.fifth_avenue.decisions import auctioned
from capomastro.games.fifth_avenue.lots import has_building
from capomastro.games.fifth_avenue.scoring import neighbours, points_of_a_building, tiles_for_scoring
from capomastro.games.fifth_avenue.state import DEFAULT_RINGS, State
from tests.games.fifth_avenue import players
from tests.support.golden import Playthrough
from tests.support.playouts import Ply, mixed
from tests.support.recorded import Property, Recipe, Replay
from tests.support.showcases import (
    best,
    final,
    happens,
    outright_win,
    shared_win,
    tie_below_the_first,
    win_by_tie_break,
)

# --- how it ends -----------------------------------------------------------------------------------------------------


def ended_by(rule: str) -> Property:
    return lambda replay: any(event["type"] == "game-ended" and event["rule"] == rule for event in replay.events)


by_businesses = ended_by("fifth-avenue.end.businesses")
by_second_stop = ended_by("fifth-avenue.end.second-stop")


def played(number: int, six_lots: bool, ending: Property) -> Property:
    return lambda replay: replay.players == number and final(replay).options.six_lots == six_lots and ending(replay)


def by_businesses_after(stops: int) -> Property:
    return lambda replay: by_businesses(replay) and len(final(replay).districts.closed) == stops


def last_stop(replay: Replay) -> tuple[Ply, dict[str, object]] | None:
    """The ply of the second stop, and its event."""
    if by_second_stop(replay):
        for ply in replay.plies:
            if any(event["type"] == "game-ended" for event in ply.events):
                return ply, next(event for event in ply.events if event["type"] == "building-stop")
    return None


def second_stop(shows: Callable[[Ply, dict[str, object]], bool]) -> Property:
    def found(replay: Replay) -> bool:
        stop = last_stop(replay)
        return stop is not None and shows(*stop)

    return found


def owner_in(ply: Ply) -> bool:
    stage = ply.before.stage
    district = ply.before.districts[auctioned(ply.before)]
    return isinstance(stage, stages.BuildOrStop) and has_building(district, stage.seat)


def by_owner(ply: Ply, event: dict[str, object]) -> bool:
    return "seat" in event and owner_in(ply)


def by_newcomer(ply: Ply, event: dict[str, object]) -> bool:
    return "seat" in event and not owner_in(ply)


def by_dummy(ply: Ply, event: dict[str, object]) -> bool:
    return "dummy" in event


def in_phase(phase: int) -> Callable[[Ply, dict[str, object]], bool]:
    return lambda ply, event: ply.before.stage.phase == phase


def with_auctions_to_come(ply: Ply, event: dict[str, object]) -> bool:
    """Whether the set had an auction left other than that of Central Park."""
    return len(ply.before.markers[ply.before.stage.commissioner]) > 1


# --- Central Park ----------------------------------------------------------------------------------------------------


def tiles_under(replay: Replay) -> int:
    state = final(replay)
    return len(state.under_central_park) + len(state.park_tiles or ())


def under_central_park(fits: Callable[[int], bool]) -> Property:
    return lambda replay: replay.result is not None and fits(tiles_under(replay))


def draw_of(kinds: int) -> Property:
    return lambda replay: final(replay).park_tiles is not None and len(set(tiles_for_scoring(final(replay)))) == kinds


def scored_in_the_park(replay: Replay) -> bool:
    return any(event.get("rule") == "fifth-avenue.end.central-park" for event in replay.events)


def nobody_in_the_park(replay: Replay) -> bool:
    return replay.result is not None and not scored_in_the_park(replay)


# --- who wins --------------------------------------------------------------------------------------------------------


def win_by_cards_gone(replay: Replay) -> bool:
    """Whether another player would have won if the last bidder had kept the cards of the bid that ended the game."""
    stop = last_stop(replay)
    if stop is None or "seat" not in stop[1] or not win_by_tie_break(replay):
        return False
    won = next(event for event in reversed(replay.events) if event["type"] == "auction-won")
    sizes = {seat: final(replay).seats[seat].hand.size for seat in best(replay)}
    if won["seat"] not in sizes:
        return False
    before = {**sizes, won["seat"]: sizes[won["seat"]] + len(won["cards"])}
    return (
        max(sizes, key=sizes.__getitem__) != max(before, key=before.__getitem__)
        and list(before.values()).count(max(before.values())) == 1
    )


# --- on the way ------------------------------------------------------------------------------------------------------


def auctions_in_both_phases(replay: Replay) -> bool:
    """Whether option C and phase 3 of the same turn both started auctions."""
    opened = [
        (ply.before.active_seat, ply.before.stage.phase, ply.before.ply)
        for ply in replay.plies
        if isinstance(ply.move, moves.MoveCommissioner) and ply.move.to == "city-hall"
    ]
    turns = [ply.before.ply for ply in replay.plies if type(ply.before.stage).__name__ == "ChooseOption"]
    for (seat, phase, ply), (next_seat, next_phase, next_ply) in pairwise(opened):
        same_turn = not any(ply < turn < next_ply for turn in turns)
        if (phase, next_phase) == (1, 3) and seat == next_seat and same_turn:
            return True
    return False


def shuffled_with_unknown_hands(replay: Replay) -> bool:
    return any(
        event["type"] == "black-pile-shuffled" and any(seat.hand.unknown for seat in ply.after.seats)
        for ply in replay.plies
        for event in ply.events
    )


def shuffled_before_a_spectator(replay: Replay) -> bool:
    """Whether the black pile is shuffled in a spectator's record, in which no card is known only to its holder."""
    hands = (seat.hand for ply in replay.plies for seat in ply.after.seats)
    return happens("black-pile-shuffled")(replay) and not any(hand.closed for hand in hands)


def shuffled_in_the_dummys_draw(replay: Replay) -> bool:
    return any(
        isinstance(ply.move, moves.TurnCard)
        and any(event["type"] == "black-pile-shuffled" for event in ply.events)
        and isinstance(ply.after.stage, type(ply.before.stage))
        for ply in replay.plies
    )


def won_without_reserve(replay: Replay) -> bool:
    return any(
        event["type"] == "auction-won" and not ply.before.seats[event["seat"]].reserve
        for ply in replay.plies
        for event in ply.events
    )


def dummy_builds_twice(replay: Replay) -> bool:
    return any(sum(event["type"] == "dummy-built" for event in ply.events) > 1 for ply in replay.plies)


def commissioner_in_closed_district(replay: Replay) -> bool:
    return any(
        space in ply.after.districts.closed
        for ply in replay.plies
        if isinstance(ply.after.stage, stages.Auction)
        for space in ply.after.commissioners.values()
    )


def pile_of_discards(replay: Replay) -> bool:
    """Whether a coloured pile ran out, so that its oldest discard became its top."""
    return any(
        isinstance(ply.move, moves.TakeCards)
        and any(
            ply.before.piles[colour].discards and ply.after.piles[colour].top == ply.before.piles[colour].discards[0]
            for colour in ply.move.colours
        )
        for ply in replay.plies
    )


# --- option D --------------------------------------------------------------------------------------------------------


def scored_by_option_d(fits: Callable[[State, dict[str, Any]], bool]) -> Property:
    """Whether somebody scored a lot by option D for which `fits` accepts the state before and the event."""
    return lambda replay: any(
        event["type"] == "district-scored" and fits(ply.before, event) for ply in replay.plies for event in ply.events
    )


def on_board(six_lots: bool) -> Callable[[State, dict[str, Any]], bool]:
    return lambda state, event: state.options.six_lots == six_lots


def beside_the_colourless_lot(state: State, event: dict[str, Any]) -> bool:
    """Whether the lot is beside the colourless lot, which always has a business."""
    return COLOURLESS in neighbours(state.options.rings[event["district"]], event["lot"])


def otherwise_than_by_the_default_ring(state: State, event: dict[str, Any]) -> bool:
    """Whether the buildings would have been worth more or less in the default ring."""
    name, each = event["district"], int(event["each"])
    ring = DEFAULT_RINGS[state.options.six_lots][name]
    return points_of_a_building(state.districts.known_open(name), ring, event["lot"]) != each


BOARDS = {False: "five lots", True: "six lots"}
ENDINGS = {"twelfth business": by_businesses, "second stop": by_second_stop}

SHOWN: dict[str, Property] = {
    **{
        f"{number} players, {board}, {name}": played(number, six_lots, ending)
        for number in (2, 3, 4)
        for six_lots, board in BOARDS.items()
        for name, ending in ENDINGS.items()
    },
    "twelfth business without a stop": by_businesses_after(0),
    "twelfth business after one stop": by_businesses_after(1),
    "second stop by an owner": second_stop(by_owner),
    "second stop by a newcomer": second_stop(by_newcomer),
    "second stop by the dummy": second_stop(by_dummy),
    "second stop in phase 1": second_stop(in_phase(1)),
    "second stop in phase 3": second_stop(in_phase(3)),
    "second stop with auctions to come": second_stop(with_auctions_to_come),
    "no tile under Central Park": under_central_park(lambda number: number == 0),
    "one tile under Central Park": under_central_park(lambda number: number == 1),
    "two tiles under Central Park": under_central_park(lambda number: number == 2),
    "three tiles under Central Park": under_central_park(lambda number: number == 3),
    "more tiles under Central Park": under_central_park(lambda number: number > 3),
    "draw of one kind": draw_of(1),
    "draw of two kinds": draw_of(2),
    "draw of three kinds": draw_of(3),
    "buildings in Central Park": scored_in_the_park,
    "nobody in Central Park": nobody_in_the_park,
    "outright win": outright_win,
    "win by cards": win_by_tie_break,
    "win by cards, the last bid's gone": win_by_cards_gone,
    "shared win": shared_win,
    "tie below the first place": tie_below_the_first,
    "auctions in phase 1 and again in phase 3": auctions_in_both_phases,
    "black pile shuffled while hands are unknown": shuffled_with_unknown_hands,
    "black pile shuffled before a spectator": shuffled_before_a_spectator,
    "black pile used up in the dummy's draw": shuffled_in_the_dummys_draw,
    "auction won without a reserve": won_without_reserve,
    "dummy builds on two equal lots": dummy_builds_twice,
    "commissioner in a district that closes": commissioner_in_closed_district,
    "a coloured pile comes round": pile_of_discards,
    "nobody bids": happens("nothing-sold"),
    **{f"scored by option D, {board}": scored_by_option_d(on_board(six_lots)) for six_lots, board in BOARDS.items()},
    "scored by option D beside a colourless lot": scored_by_option_d(beside_the_colourless_lot),
    "scored by option D under another ring": scored_by_option_d(otherwise_than_by_the_default_ring),
    "other rings": lambda replay: (
        bool(replay.document["options"].get("rings")) and len(set(map(tuple, final(replay).options.rings.values()))) > 1
    ),
}

SIX = {"six_lots": True}
RINGS = {
    "rings": {"times-square": ["brown", "orange", "purple", "green", "grey"]},
    "row_groups": [2, 3, 3, 2, 2, 3, 3, 2],
}


def ending(number: int, six_lots: bool, name: str) -> str:
    return f"{number} players, {BOARDS[six_lots]}, {name}"


TWELFTH, STOP = ENDINGS

RECIPES = [
    Recipe(
        "two-plan",
        (ending(2, False, TWELFTH), "outright win", "more tiles under Central Park"),
        2,
        {},
        planning,
    ),
    Recipe("three-plan", (ending(3, False, TWELFTH), "outright win", "draw of three kinds"), 3, {}, planning),
    Recipe(
        "four-plan",
        (ending(4, False, TWELFTH), "buildings in Central Park", "draw of two kinds"),
        4,
        {},
        planning,
    ),
    Recipe("two-six", (ending(2, True, TWELFTH), "twelfth business without a stop"), 2, SIX, planning),
    Recipe("three-six", (ending(3, True, TWELFTH), "nobody bids"), 3, SIX, players.mostly_placing),
    Recipe("four-six", (ending(4, True, TWELFTH), "outright win"), 4, SIX, planning),
    Recipe(
        "one-kind",
        ("draw of one kind", "buildings in Central Park"),
        3,
        RINGS,
        players.mostly_placing,
        players.one_kind,
    ),
    Recipe("one-stop", ("twelfth business after one stop",), 3, {}, mixed(0.9, players.closing_one, planning)),
    Recipe("dummy-stops", (ending(2, False, STOP), "second stop by the dummy"), 2, {}, players.leaving),
    Recipe("two-stop", (ending(2, False, STOP), "second stop by a newcomer"), 2, {}, players.mostly_closing),
    Recipe(
        "three-stop",
        (ending(3, False, STOP), "second stop by an owner", "second stop in phase 1"),
        3,
        {},
        players.mostly_closing,
    ),
    Recipe(
        "four-stop",
        (ending(4, False, STOP), "second stop in phase 3", "no tile under Central Park"),
        4,
        {},
        players.strolling,
    ),
    Recipe("two-six-stop", (ending(2, True, STOP),), 2, SIX, players.mostly_closing),
    Recipe(
        "three-six-stop", (ending(3, True, STOP), "second stop with auctions to come"), 3, SIX, players.mostly_closing
    ),
    Recipe("four-six-stop", (ending(4, True, STOP), "second stop by a newcomer"), 4, SIX, players.mostly_closing),
    Recipe("one-tile", ("one tile under Central Park",), 3, {}, players.mostly_closing),
    Recipe("two-tiles", ("two tiles under Central Park",), 3, {}, players.mostly_closing),
    Recipe("three-tiles", ("three tiles under Central Park",), 3, {}, players.mostly_closing),
    Recipe("nobody-in-the-park", ("nobody in Central Park", "no tile under Central Park"), 4, {}, players.closing),
    Recipe("win-by-cards", ("win by cards",), 2, {}, players.mostly_placing),
    Recipe(
        "cards-gone",
        ("win by cards, the last bid's gone",),
        4,
        {},
        mixed(0.9, players.closing, planning),
        best_of=2,
    ),
    Recipe("shared-win", ("shared win",), 4, {}, mixed(0.9, players.closing, planning), best_of=2),
    Recipe("tie-for-second", ("tie below the first place", "auction won without a reserve"), 4, {}, planning),
    Recipe("both-phases", ("auctions in phase 1 and again in phase 3",), 3, {}, players.long_then_placing),
    Recipe(
        "shuffled",
        ("black pile used up in the dummy's draw", "dummy builds on two equal lots", "a coloured pile comes round"),
        2,
        {},
        players.long_then_placing,
        best_of=3,
        spectator=True,
        spectator_shows=("black pile shuffled while hands are unknown", "black pile shuffled before a spectator"),
    ),
    Recipe(
        "two-rings-scored",
        ("scored by option D, five lots", "scored by option D under another ring"),
        2,
        RINGS,
        players.often_scoring,
    ),
    Recipe(
        "two-six-scored",
        ("scored by option D, six lots", "scored by option D beside a colourless lot"),
        2,
        SIX,
        players.often_scoring,
    ),
    Recipe("closed-under-foot", ("commissioner in a district that closes",), 3, {}, players.mostly_closing),
]

PLAYTHROUGHS = [
    Playthrough("2-players-random", 2, {"six_lots": True}),
    Playthrough("3-players-planning", 3, player=planning),
]
