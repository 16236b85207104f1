"""Reads, classifies and makes the recorded games in `conformance/<game>/records/`.

`tests/games/<game>/showcase.py` has the properties that records have to show, and how to find such records:

- `SHOWN`: for every property, its name and a function that finds it in a replay;
- `RECIPES`: for each, how `tools/make_records.py` finds a record.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from capomastro.adjudicator import record_of
from capomastro.engine import referee
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import Move
from capomastro.engine.players import Player, at_random
from capomastro.engine.results import AnyResult
from capomastro.games import all_games
from tests.support.conformance import CONFORMANCE
from tests.support.documents import as_document, as_move
from tests.support.playouts import Chance, Ply, drawn, play_out, start
from tests.support.setups import folder_of

SPECTATOR = "-spectator"
"""How the name of a record ends that is what a spectator could have written of the record without this ending."""


class Replay(NamedTuple):
    """A replayed record: every ply, and the result (None if the record ends before the game)."""

    game: AnyGame
    document: dict[str, Any]
    plies: list[Ply]
    result: AnyResult | None

    @property
    def players(self) -> int:
        players: int = self.document["players"]
        return players

    @property
    def events(self) -> list[dict[str, Any]]:
        return [event for ply in self.plies for event in ply.events]


Property = Callable[[Replay], bool]
"""Whether a replay shows something."""


class Recipe(NamedTuple):
    """How to find a record: who plays, who draws, and what the game has to show.

    `best_of`: the shortest of this many suitable games is kept. `spectator`: a spectator's record is written as well,
    and has to show `spectator_shows`.
    """

    name: str
    shows: tuple[str, ...]
    players: int
    options: Mapping[str, Any] = {}
    player: Player = at_random
    chance: Chance = drawn
    best_of: int = 5
    most_seeds: int = 6_000
    spectator: bool = False
    spectator_shows: tuple[str, ...] = ()


def showcase_of(game: AnyGame) -> Any | None:
    """The module `showcase` of a game's tests; None if there is none yet."""
    name = f"tests.games.{folder_of(game)}"
    try:
        found = find_spec(f"{name}.showcase")
    except ModuleNotFoundError:
        found = None
    return import_module(f"{name}.showcase") if found else None


def records_folder(game: str) -> Path:
    """The folder of the recorded games of a game."""
    return CONFORMANCE / game / "records"


def records_of(game: str) -> list[Path]:
    """Every record of a game."""
    return sorted(records_folder(game).glob("*.json"))


def record_files() -> list[Path]:
    """Every record, of every game."""
    return [file for game in all_games() for file in records_of(game)]


def few_records() -> list[Path]:
    """The shortest record of each game for every number of players, and the shortest of a spectator."""
    chosen: dict[tuple[str, int, bool], Path] = {}
    for file in sorted(record_files(), key=lambda file: file.stat().st_size):
        players = msgspec.json.decode(file.read_bytes())["players"]
        seen = file.stem.endswith(SPECTATOR)
        chosen.setdefault((file.parent.parent.name, 0 if seen else players, seen), file)
    return sorted(chosen.values())


def label(file: Path) -> str:
    """Game and name of a record."""
    return f"{file.parent.parent.name}/{file.stem}"


@cache
def replay_of(file: Path) -> Replay:
    """The replay of a record file; every move has to be legal."""
    document = msgspec.json.decode(file.read_bytes())
    game = all_games()[document["game"]]
    moves = [as_move(game, move) for move in document["moves"]]
    return replayed(game, document, moves)


def full_replays(game: AnyGame) -> list[Replay]:
    """The replays of the recorded games in which everything is known."""
    return [replay_of(file) for file in records_of(game.id) if not file.stem.endswith(SPECTATOR)]


def replayed(game: AnyGame, document: dict[str, Any], moves: list[Move]) -> Replay:
    state = start(game, document["players"], document["options"])
    plies = []
    for move in moves:
        refusal = referee.refusal(game, state, move)
        assert refusal is None, f"ply {state.ply}: {move} is refused: {refusal}"
        after, happened = referee.play(game, state, move)
        plies.append(Ply(state, move, after, happened))
        state = after
    return Replay(game, document, plies, game.result(state) if referee.is_over(game, state) else None)


def shown_by(replay: Replay, properties: Mapping[str, Property]) -> list[str]:
    """The names of all properties a replay shows."""
    return [name for name, shows in properties.items() if shows(replay)]


# --- making records --------------------------------------------------------------------------------------------------


def find(game: AnyGame, recipe: Recipe, properties: Mapping[str, Property]) -> dict[str, Replay]:
    """The records of a recipe by the names of their files.

    Raises:
        LookupError: if no seed gives a suitable game.
    """
    found: list[tuple[str, dict[str, Replay]]] = []
    for seed in map(str, range(recipe.most_seeds)):
        made = made_with(game, recipe, seed)
        full, seen = made[recipe.name], made.get(recipe.name + SPECTATOR)
        if not all(properties[name](full) for name in recipe.shows):
            continue
        if seen and not all(properties[name](seen) for name in recipe.spectator_shows):
            continue
        found.append((seed, made))
        if len(found) == recipe.best_of:
            break
    if not found:
        raise LookupError(f"no seed below {recipe.most_seeds} shows {', '.join(recipe.shows)}")
    seed, made = min(found, key=lambda each: len(each[1][recipe.name].plies))
    for replay in made.values():
        replay.document["tags"] = {
            "shows": "; ".join(shown_by(replay, properties)),
            "made_by": f"tools/make_records.py, recipe {recipe.name}, seed {seed}",
        }
    return made


def made_with(game: AnyGame, recipe: Recipe, seed: str) -> dict[str, Replay]:
    """The game that a seed gives, and if required a spectator's view of it."""
    plies = list(play_out(game, recipe.players, recipe.options, seed, recipe.player, recipe.chance))
    begin, moves = plies[0].before, [ply.move for ply in plies]
    made = {recipe.name: Replay(game, document_of(begin, moves, game), plies, game.result(plies[-1].after))}
    if recipe.spectator:
        seen = [referee.as_seen(ply.move, referee.sole_witness(game, ply.before), None) for ply in plies]
        made[recipe.name + SPECTATOR] = replayed(game, document_of(begin, seen, game), seen)
    return made


def document_of(begin: Any, moves: list[Move], game: AnyGame) -> dict[str, Any]:
    document: dict[str, Any] = as_document(record_of(game, begin, moves))
    return document


def text_of(name: str, replay: Replay) -> str:
    """A record as the text of a file: one move a line."""
    members = {**replay.document, "id": name, "result": replay.result}
    order = ["game", "schema_version", "rules_version", "id", "tags", "players", "names", "options", "moves", "result"]
    lines = []
    for member in order:
        if member == "moves":
            moves = ",\n".join(compact(move) for move in members["moves"])
            lines.append(f'"moves": [\n{moves}\n]')
        elif members.get(member) is not None:
            lines.append(f'"{member}": {compact(members[member])}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def compact(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
