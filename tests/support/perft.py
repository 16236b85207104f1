"""Set-ups for perft in `conformance/<game>/perft/`: their positions and depths.

One rule selects the positions of every game: the beginning for each number of players; for each variant
(`variants.py`), the middle of a random game; for each kind of decision, one from the middle of the recorded games, and
where payments can waste money, one with all payments; for each number of players, the end of a recorded game, with a
seed that ends it.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from capomastro.engine import perft, referee
from capomastro.engine.decisions import SeatDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import type_of
from capomastro.engine.steps import draw_steps, state_after
from tests.support.conformance import CONFORMANCE
from tests.support.playouts import Ply, play_out, start
from tests.support.recorded import Replay, compact, full_replays
from tests.support.setups import fits, variants_of

SEED = "1"
MAXIMUM_POSITIONS = 100_000
"""Maximum number of positions in which the last step of a set-up is counted."""
DECISIONS_LEFT = 2
"""Number of seat decisions before the end of a recorded game at which its endgame begins."""


class Setup(NamedTuple):
    """A position from which sequences are counted."""

    name: str
    about: str
    state: Any
    payments: str = "minimal"
    seed: str = SEED


def folder_of(game: AnyGame) -> Path:
    return CONFORMANCE / game.id / "perft"


def file_of(game: AnyGame, name: str) -> Path:
    return folder_of(game) / f"{name}.json"


def files_of(game: AnyGame) -> list[Path]:
    """The set-ups that are published for a game."""
    return sorted(folder_of(game).glob("*.json"))


# --- choosing --------------------------------------------------------------------------------------------------------


def setups_of(game: AnyGame) -> Iterator[Setup]:
    for players in game.players:
        begin = start(game, players)
        state = state_after(begin, draw_steps(game, begin, SEED))
        yield Setup(f"begin-{players}", f"{players} players after the set-up", state)
    for number, options in enumerate(variants_of(game)[1:], 1):
        players = next(players for players in game.players if fits(game, players, options))
        plies = decided(game, play_out(game, players, options, SEED))
        about = f"{players} players with {options_text(options)}, in the middle of a game"
        yield Setup(f"variant-{number}", about, plies[len(plies) // 2].before)
    yield from kinds(game)
    for players in game.players:
        replay = middle([replay for replay in full_replays(game) if replay.players == players])
        last = decided(game, replay.plies)[-DECISIONS_LEFT]
        seed = next(seed for seed in map(str, count(1)) if ends(game, last.before, DECISIONS_LEFT, seed))
        yield Setup(f"end-{players}", where(replay, last), last.before, seed=seed)


def kinds(game: AnyGame) -> Iterator[Setup]:
    """For each kind of decision, one with a choice, and one with more payments than the minimal ones."""
    for decision in game.decisions:
        if not isinstance(decision, SeatDecision):
            continue
        here = [
            (replay, ply)
            for replay in full_replays(game)
            for ply in replay.plies
            if type(ply.before.stage) is decision.stage and referee.legal_moves(game, ply.before).total > 1
        ]
        if here:
            replay, ply = middle(here)
            yield Setup(type_of(decision.stage), where(replay, ply), ply.before)
        wasteful = [(replay, ply) for replay, ply in here if wastes(game, ply.before)]
        if wasteful:
            replay, ply = middle(wasteful)
            yield Setup(f"{type_of(decision.stage)}-all-payments", where(replay, ply), ply.before, "all")


def ends(game: AnyGame, state: Any, decisions: int, seed: str) -> bool:
    """Whether the game can be over after `depth` decisions, with the draws of this seed."""
    state = state_after(state, draw_steps(game, state, seed))
    if referee.is_over(game, state) or not decisions:
        return referee.is_over(game, state)
    moves = referee.legal_moves(game, state).starting_at(0)
    return any(ends(game, referee.play(game, state, move)[0], decisions - 1, seed) for move in moves)


def wastes(game: AnyGame, state: Any) -> bool:
    """Whether there are payments other than the minimal ones here."""
    return referee.legal_moves(game, state, all_payments=True).total > referee.legal_moves(game, state).total


def decided(game: AnyGame, plies: Iterator[Ply] | list[Ply]) -> list[Ply]:
    """The plies in which a seat decided."""
    return [ply for ply in plies if referee.decision(game, ply.before).actor == "seat"]


def middle(items: list[Any]) -> Any:
    return items[len(items) // 2]


def where(replay: Replay, ply: Ply) -> str:
    return f"{replay.players} players, the recorded game {replay.document['id']} after {ply.before.ply} moves"


def options_text(options: dict[str, Any]) -> str:
    return ", ".join(f"{name} {msgspec.json.encode(value).decode()}" for name, value in options.items())


# --- counting and writing --------------------------------------------------------------------------------------------


def document_of(game: AnyGame, setup: Setup) -> dict[str, Any]:
    """A set-up with its numbers, as deep as the allowed number of positions permits, or until every game is over."""
    numbers: list[int] = []
    while not numbers or 0 < numbers[-1] <= MAXIMUM_POSITIONS:
        numbers.append(perft.perft(game, setup.state, len(numbers) + 1, setup.seed, setup.payments == "all"))
    return {
        "name": setup.name,
        "about": setup.about,
        "seed": setup.seed,
        "payments": setup.payments,
        "state": setup.state,
        "sequences": numbers,
    }


def text_of(document: dict[str, Any]) -> str:
    """A set-up as the text of a file: one member a line."""
    return "{\n" + ",\n".join(f'"{member}": {compact(value)}' for member, value in document.items()) + "\n}\n"
