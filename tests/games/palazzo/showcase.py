"""What the recorded games of Palazzo have to show, how to find it in a replay, and how to make such records."""

from collections.abc import Callable

from capomastro.engine.players import planning
from capomastro.engine.stages import GameOver
from capomastro.games.palazzo import moves, stages
from capomastro.games.palazzo.components import CERTIFICATE, RIDER, RIDERS
from capomastro.games.palazzo.state import State
from capomastro.games.palazzo.supplies import stacks, tiles_shown
from tests.games.palazzo import players
from tests.support.golden import Playthrough
from tests.support.playouts import mixed
from tests.support.recorded import Property, Recipe, Replay
from tests.support.showcases import (
    best,
    final,
    happens,
    outright_win,
    played_by,
    plays,
    shared_place_below_the_first,
    shared_win,
    tie_below_the_first,
    totals,
    unequal_turns,
    win_by_tie_break,
    winners,
)

# --- how it ends -----------------------------------------------------------------------------------------------------


def fifth_rider_first(replay: Replay) -> bool:
    return isinstance(replay.plies[-1].before.stage, stages.DrawFirstTile) and isinstance(final(replay).stage, GameOver)


def fifth_rider_second(after: Callable[[str], bool]) -> Property:
    def shows(replay: Replay) -> bool:
        last, before = replay.plies[-1], replay.plies[-2]
        second = isinstance(last.before.stage, stages.DrawSecondTile) and isinstance(last.after.stage, GameOver)
        return second and isinstance(before.move, moves.DrawTile) and after(before.move.tile)

    return shows


# --- who wins --------------------------------------------------------------------------------------------------------


def faces(replay: Replay, seat: int) -> int:
    """The sum of the values printed on the cards of a hand."""
    return sum(2 if card == CERTIFICATE else int(card[-1]) for card in final(replay).seats[seat].hand.known)


def group_beats_faces(replay: Replay) -> bool:
    if not win_by_tie_break(replay):
        return False
    (winner,) = winners(replay)
    return any(faces(replay, seat) > faces(replay, winner) for seat in best(replay))


def shared_win_with_empty_hands(replay: Replay) -> bool:
    return shared_win(replay) and not any(final(replay).seats[seat].hand.size for seat in winners(replay))


def shared_win_with_money(replay: Replay) -> bool:
    return shared_win(replay) and all(final(replay).seats[seat].hand.size for seat in winners(replay))


def nobody_above_zero(replay: Replay) -> bool:
    return max(totals(replay)) <= 0


def undecided(replay: Replay) -> bool:
    return replay.result is not None and bool(replay.result.undecided)


# --- on the way ------------------------------------------------------------------------------------------------------


def won_for_the_certificate(replay: Replay) -> bool:
    return any(event["type"] == "auction-won" and event["bid"] == 3 for event in replay.events)


def passes_after_bidding(replay: Replay) -> bool:
    return any(isinstance(ply.move, moves.Pass) and ply.before.stage.bids[ply.move.seat].laid for ply in replay.plies)


def reshuffles(replay: Replay) -> list[State]:
    return [ply.after for ply in replay.plies for event in ply.events if event["type"] == "deck-shuffled"]


def reshuffle_within_the_row(replay: Replay) -> bool:
    return any(isinstance(state.stage, stages.RevealCard) for state in reshuffles(replay))


def reshuffle_with_unknown_hands(replay: Replay) -> bool:
    return any(any(seat.hand.unknown for seat in state.seats) for state in reshuffles(replay))


def two_riders_in_one_draw(replay: Replay) -> bool:
    return any(
        ply.before.stage == stages.DrawSecondTile() and ply.after.riders == 2 + before.before.riders < RIDERS
        for before, ply in zip(replay.plies, replay.plies[1:], strict=False)
    )


def draws_straddle_stacks(replay: Replay) -> bool:
    for first, second in zip(replay.plies, replay.plies[1:], strict=False):
        if isinstance(first.before.stage, stages.DrawFirstTile) and isinstance(
            second.before.stage, stages.DrawSecondTile
        ):
            before, between = (stacks(state, len(tiles_shown(state))) for state in (first.before, second.before))
            if any(had and not left for had, left in zip(before[:2], between[:2], strict=True)):
                return True
    return False


def known_from_bid(replay: Replay) -> bool:
    """Whether a bidder who passes takes back cards that were closed before and are open now."""
    return any(
        isinstance(ply.move, moves.Raise)
        and ply.before.seats[ply.move.seat].hand.closed != ply.after.seats[ply.move.seat].hand.closed
        for ply in replay.plies
    ) and passes_after_bidding(replay)


SHOWN: dict[str, Property] = {
    "2 players": played_by(2),
    "3 players": played_by(3),
    "4 players": played_by(4),
    "fifth rider drawn first": fifth_rider_first,
    "fifth rider drawn second, after a tile": fifth_rider_second(lambda tile: tile != RIDER),
    "fifth rider drawn second, after the fourth": fifth_rider_second(lambda tile: tile == RIDER),
    "unequal numbers of turns": unequal_turns(stages.ChooseAction),
    "outright win": outright_win,
    "win by hand value": win_by_tie_break,
    "a group beats a larger face sum": group_beats_faces,
    "shared win with money in hand": shared_win_with_money,
    "shared win with empty hands": shared_win_with_empty_hands,
    "tie below the first place": tie_below_the_first,
    "shared place below the first": shared_place_below_the_first,
    "nobody above 0": nobody_above_zero,
    "tie undecided because a hand is unknown": undecided,
    "auction won for the certificate": won_for_the_certificate,
    "auction with nothing to sell": happens("nothing-to-auction"),
    "distribution": happens("distribution"),
    "reshuffle in the middle of taking money": reshuffle_within_the_row,
    "reshuffle while hands are unknown": reshuffle_with_unknown_hands,
    "two riders in one draw": two_riders_in_one_draw,
    "two draws of two stacks": draws_straddle_stacks,
    "pass after a bid": passes_after_bidding,
    "shown cards stay known": known_from_bid,
    "rebuild: taken out": plays(moves.RebuildTakeOut),
    "rebuild: put in": plays(moves.RebuildInsert),
    "rebuild: removed": plays(moves.RebuildRemove),
    "other options": lambda replay: replay.plies[0].before.options != type(replay.plies[0].before.options)(),
}

SHORT = {"stack_sizes": [5, 0, 43]}
"""An option with which riders can come at once."""

RECIPES = [
    Recipe("two-plan", ("outright win", "unequal numbers of turns", "pass after a bid"), 2, {}, planning),
    Recipe("three-plan", ("outright win", "fifth rider drawn first"), 3, {}, planning),
    Recipe("four-plan", ("outright win", "fifth rider drawn second, after a tile"), 4, {}, planning),
    Recipe(
        "fourth-and-fifth-rider",
        ("fifth rider drawn second, after the fourth",),
        3,
        SHORT,
        mixed(0.7, players.hasty, planning),
        players.fourth_and_fifth_together,
    ),
    Recipe(
        "group-beats-faces",
        ("a group beats a larger face sum",),
        2,
        SHORT,
        mixed(0.7, players.hasty, planning),
        best_of=2,
    ),
    Recipe("shared-win", ("shared win with money in hand",), 2, SHORT, players.hasty, players.riders_soon),
    Recipe("shared-win-empty-hands", ("shared win with empty hands",), 2, SHORT, players.squandering),
    Recipe("tie-for-second", ("tie below the first place",), 4, SHORT, mixed(0.5, players.hasty, planning)),
    Recipe(
        "shared-second", ("shared place below the first",), 4, SHORT, mixed(0.5, players.hasty, players.squandering)
    ),
    Recipe("nobody-above-zero", ("nobody above 0", "outright win"), 3, SHORT, players.hasty, players.riders_soon),
    Recipe(
        "nothing-to-sell",
        ("auction with nothing to sell", "auction won for the certificate"),
        2,
        {**SHORT, "builder": 1},
        players.calling,
        players.emptying_quarries,
    ),
    Recipe(
        "distribution",
        ("distribution",),
        3,
        SHORT,
        mixed(0.9, players.buying, planning),
        players.filling_one_quarry,
    ),
    Recipe("all-rebuildings", ("rebuild: taken out", "rebuild: put in", "rebuild: removed"), 2, SHORT),
    Recipe(
        "reshuffle",
        ("reshuffle in the middle of taking money", "outright win"),
        4,
        SHORT,
        players.rich_and_lazy,
        spectator=True,
        spectator_shows=("reshuffle while hands are unknown", "outright win"),
    ),
    Recipe(
        "undecided",
        ("win by hand value",),
        3,
        SHORT,
        mixed(0.5, players.hasty, planning),
        players.riders_soon,
        spectator=True,
        spectator_shows=("tie undecided because a hand is unknown",),
    ),
    Recipe("random", ("two draws of two stacks", "auction won for the certificate"), 2),
]

PLAYTHROUGHS = [
    Playthrough("2-players-random", 2, {"stack_sizes": [5, 0, 43], "builder": 3}),
    Playthrough("3-players-planning", 3, player=planning),
]
