"""What the recorded games of Campanile have to show, how to find it in a replay, and how to make such records."""

from capomastro.engine.players import planning
from capomastro.engine.stages import GameOver
from capomastro.games.campanile import moves, stages
from capomastro.games.campanile.components import FINITO, INTERMEZZO, LAST_CARDS, STYLES, cards_after_dealing
from capomastro.games.campanile.deck import deck
from tests.games.campanile import players
from tests.support.golden import Playthrough
from tests.support.playouts import mixed
from tests.support.recorded import Property, Recipe, Replay
from tests.support.showcases import (
    best,
    final,
    outright_win,
    played_by,
    shared_place_below_the_first,
    tie_below_the_first,
    totals,
    unequal_turns,
    win_by_tie_break,
    winners,
)


def tokens(replay: Replay) -> list[list[int]]:
    """Every player's tokens."""
    assert replay.result is not None
    return [[line.points for line in player.lines] for player in replay.result.players]


def best_tokens(replay: Replay) -> list[int]:
    """Every player's most valuable token."""
    return [max(mine, default=0) for mine in tokens(replay)]


def variant(on: bool) -> Property:
    return lambda replay: replay.players == 2 and final(replay).options.move_medium_marker == on


# --- the deck --------------------------------------------------------------------------------------------------------


def intermezzo_by_default(replay: Replay) -> bool:
    return bool(final(replay).options.intermezzo_after == cards_after_dealing(replay.players) // 2)


def intermezzo_unknown(replay: Replay) -> bool:
    return final(replay).options.intermezzo_after is None


def intermezzo_chosen(replay: Replay) -> bool:
    return not intermezzo_by_default(replay) and not intermezzo_unknown(replay)


def finito_with(left: int) -> Property:
    """Whether the Finito shows with so many tower cards left in the deck."""
    return lambda replay: isinstance(final(replay).stage, GameOver) and deck(final(replay)).size == left


def finito_behind_intermezzo(replay: Replay) -> bool:
    revealed = [ply.move.card for ply in replay.plies if isinstance(ply.move, moves.RevealCard)]
    return revealed[-2:] == [INTERMEZZO, FINITO]


def finito_first_behind_a_card(replay: Replay) -> bool:
    return finito_with(LAST_CARDS)(replay) and not finito_behind_intermezzo(replay)


# --- on the way ------------------------------------------------------------------------------------------------------


def marker_moved(replay: Replay) -> bool:
    return any(isinstance(ply.move, moves.MoveMarker) for ply in replay.plies)


def row_begun_anew(replay: Replay) -> bool:
    """Whether a row is emptied, and its player comes back to that tower."""
    gone: set[tuple[str, int]] = set()
    for ply in replay.plies:
        for style in STYLES:
            before = {row.seat for row in ply.before.towers[style].rows}
            after = {row.seat for row in ply.after.towers[style].rows}
            if any((style, seat) in gone for seat in after - before):
                return True
            gone |= {(style, seat) for seat in before - after}
    return False


def step_skipped(replay: Replay) -> bool:
    """Whether the step was skipped because no marker of the size was left."""
    return any(
        isinstance(ply.move, moves.PlayCard) and isinstance(ply.after.stage, stages.TakeCard) for ply in replay.plies
    )


def order_decides(replay: Replay) -> bool:
    """Whether the earlier of two rows with equal influence wins a token."""
    scored = [event for event in replay.events if event["type"] == "tower-scored"]
    return any(one["token"] and one["ahead_by_order_of"] for event in scored for one in event["contenders"])


def bare_tower_scored(replay: Replay) -> bool:
    return any(event["type"] == "token-won" and event["height"] == 0 for event in replay.events)


def third_award(replay: Replay) -> bool:
    return any(event["type"] == "token-won" and event["place"] == 3 for event in replay.events)


def every_token(replay: Replay) -> bool:
    return sum(map(len, tokens(replay))) == (16 if replay.players == 2 else 17)


def written_by_spectator(replay: Replay) -> bool:
    return any(isinstance(ply.move, moves.DealCard) and ply.move.card is None for ply in replay.plies)


# --- who wins --------------------------------------------------------------------------------------------------------


def win_by_token_of_the_intermezzo(replay: Replay) -> bool:
    if not win_by_tie_break(replay):
        return False
    (winner,) = winners(replay)
    early = final(replay).seats[winner].tokens
    late = list(tokens(replay)[winner])
    for token in early:
        late.remove(token)
    return max(early, default=0) > max(late, default=0)


def equal_best_tokens(replay: Replay) -> bool:
    return len(winners(replay)) > 1 and best_tokens(replay)[winners(replay)[0]] > 0


def second_best_would_decide(replay: Replay) -> bool:
    """Whether the winners share the victory although their tokens differ."""
    return equal_best_tokens(replay) and len({tuple(sorted(tokens(replay)[seat])) for seat in winners(replay)}) > 1


def nothing_for_anybody(replay: Replay) -> bool:
    return len(winners(replay)) > 1 and not any(totals(replay))


def best_token_not_tied(replay: Replay) -> bool:
    """Whether the player with the most valuable token is not among those who tie for the victory."""
    tied = best(replay)
    return len(tied) > 1 and max(best_tokens(replay)) > max(best_tokens(replay)[seat] for seat in tied)


def finished(shows: Property) -> Property:
    """The same, only for games that have ended."""
    return lambda replay: replay.result is not None and shows(replay)


SHOWN: dict[str, Property] = {
    "2 players": played_by(2),
    "3 players": played_by(3),
    "4 players": played_by(4),
    "5 players": played_by(5),
    "without the variant": variant(on=False),
    "with the variant": variant(on=True),
    "Intermezzo by default": intermezzo_by_default,
    "Intermezzo chosen": intermezzo_chosen,
    "Intermezzo unknown": intermezzo_unknown,
    "other tower order": lambda replay: final(replay).options.tower_order != STYLES,
    "Finito first of the last eleven": finito_first_behind_a_card,
    "Finito last of all": finito_with(0),
    "Finito directly behind the Intermezzo": finito_behind_intermezzo,
    "unequal numbers of turns": unequal_turns(stages.PlayCard),
    "marker moved": marker_moved,
    "row emptied and begun anew": row_begun_anew,
    "marker not asked for": step_skipped,
    "order decides equal influence": finished(order_decides),
    "token of a bare tower": finished(bare_tower_scored),
    "third award": finished(third_award),
    "every token won": finished(every_token),
    "outright win": finished(outright_win),
    "win by a token": finished(win_by_tie_break),
    "win by a token of the Intermezzo": finished(win_by_token_of_the_intermezzo),
    "equal best tokens shared": finished(equal_best_tokens),
    "shared though the second-best tokens differ": finished(second_best_would_decide),
    "shared with nothing": finished(nothing_for_anybody),
    "tie below the first place": finished(tie_below_the_first),
    "shared place below the first": finished(shared_place_below_the_first),
    "most valuable token held by somebody not tied": finished(best_token_not_tied),
    "spectator's record": written_by_spectator,
}

UNKNOWN = {"intermezzo_after": None}
VARIANT = {"move_medium_marker": True}

RECIPES = [
    Recipe("two-plan", ("outright win", "Intermezzo by default", "without the variant"), 2, {}, planning),
    Recipe("three-plan", ("outright win", "third award", "unequal numbers of turns"), 3, {}, planning),
    Recipe("four-plan", ("outright win", "Finito last of all"), 4, {}, planning, players.finito_last, best_of=1),
    Recipe(
        "five-plan",
        ("outright win", "third award", "Finito first of the last eleven"),
        5,
        {"tower_order": ["d", "b", "a", "e", "c"]},
        planning,
        players.finito_first,
    ),
    Recipe(
        "two-variant",
        ("marker moved", "row emptied and begun anew"),
        2,
        VARIANT,
        mixed(0.8, players.moving, planning),
    ),
    Recipe(
        "both-scorings-at-once",
        ("Finito directly behind the Intermezzo",),
        2,
        {**VARIANT, "intermezzo_after": 14},
        planning,
        players.both_together,
    ),
    Recipe(
        "intermezzo-unknown",
        ("unequal numbers of turns", "order decides equal influence"),
        4,
        UNKNOWN,
        mixed(0.5, planning, players.seldom),
        spectator=True,
        spectator_shows=("spectator's record", "order decides equal influence"),
    ),
    Recipe(
        "intermezzo-early", ("Intermezzo chosen", "win by a token", "token of a bare tower"), 3, {"intermezzo_after": 3}
    ),
    Recipe("token-of-the-intermezzo", ("win by a token of the Intermezzo",), 3, {}, players.seldom, best_of=1),
    Recipe("shared-win", ("shared though the second-best tokens differ",), 3, {}, players.seldom, best_of=1),
    Recipe("nothing-won", ("shared with nothing",), 2, UNKNOWN, players.abstaining, best_of=1),
    Recipe("tie-for-second", ("tie below the first place", "third award"), 4),
    Recipe("shared-second", ("shared place below the first",), 5, {}, players.seldom),
    Recipe("best-token-not-tied", ("most valuable token held by somebody not tied",), 5),
    Recipe("markers-run-out", ("marker not asked for", "every token won"), 3, {}, best_of=1),
]

PLAYTHROUGHS = [
    Playthrough("2-players-variant", 2, {**VARIANT, **UNKNOWN}, player=mixed(0.7, players.moving, planning)),
    Playthrough("5-players-planning", 5, player=planning),
]
