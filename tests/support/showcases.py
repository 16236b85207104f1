"""Properties that recorded games of several games must show: winners, ties, endings, numbers of players."""

from collections import Counter
from typing import Any

from capomastro.engine.moves import SeatMove
from capomastro.engine.stages import Stage
from tests.support.recorded import Property, Replay


def final(replay: Replay) -> Any:
    """The state at the end."""
    return replay.plies[-1].after


def totals(replay: Replay) -> list[int]:
    """All players' points, by seat."""
    assert replay.result is not None
    return [player.total for player in replay.result.players]


def places(replay: Replay) -> list[int | None]:
    """All players' places, by seat; None if it depends on something unknown."""
    assert replay.result is not None
    return [player.place for player in replay.result.players]


def best(replay: Replay) -> list[int]:
    """The seats with the most points."""
    return [seat for seat, total in enumerate(totals(replay)) if total == max(totals(replay))]


def winners(replay: Replay) -> tuple[int, ...]:
    """The winners; none in a record that ends before the game, or whose winner is unknown."""
    return () if replay.result is None else replay.result.winners or ()


# --- properties ------------------------------------------------------------------------------------------------------


def played_by(number: int) -> Property:
    """A given number of players."""
    return lambda replay: replay.players == number


def happens(event_type: str) -> Property:
    """An event of that type."""
    return lambda replay: any(event["type"] == event_type for event in replay.events)


def plays(kind: type[SeatMove]) -> Property:
    """A move of that kind."""
    return lambda replay: any(type(ply.move) is kind for ply in replay.plies)


def unequal_turns(stage: type[Stage]) -> Property:
    """The players have unequal numbers of turns; each turn begins in `stage`."""

    def shows(replay: Replay) -> bool:
        turns = Counter(ply.before.active_seat for ply in replay.plies if isinstance(ply.before.stage, stage))
        return len({turns[seat] for seat in range(replay.players)}) > 1

    return shows


def outright_win(replay: Replay) -> bool:
    """One player has more points than all others."""
    return len(best(replay)) == 1


def win_by_tie_break(replay: Replay) -> bool:
    """One of those with the most points wins."""
    return len(best(replay)) > 1 and len(winners(replay)) == 1


def shared_win(replay: Replay) -> bool:
    """Several players win."""
    return len(winners(replay)) > 1


def tie_below_the_first(replay: Replay) -> bool:
    """Two players have equal points below the first place; all places are known."""
    below = [total for total, place in zip(totals(replay), places(replay), strict=True) if place != 1]
    return None not in places(replay) and len(set(below)) < len(below)


def shared_place_below_the_first(replay: Replay) -> bool:
    """Two players share a place below the first."""
    below = [place for place in places(replay) if place is not None and place > 1]
    return len(set(below)) < len(below)
