"""Golden playthroughs: whole games as readable text in `tests/golden/`, where any diff is a change of behaviour.

Each ply has the decision and its maker, the number of legal moves of each kind (or of outcomes of chance), the reason
why other kinds are unavailable, the move, its changes to the state, and its events. `make generated` rewrites them;
read the diff before you commit it. `PLAYTHROUGHS` in `tests/games/<game>/showcase.py` says which games to play;
without it, one random game is played.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from capomastro.documents.json_text import encode, state_hash
from capomastro.documents.wordings import sentence
from capomastro.engine import referee
from capomastro.engine.chance import as_text
from capomastro.engine.decisions import ChanceDecision
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import ChanceMove, type_of
from capomastro.engine.players import Player, at_random
from capomastro.games import all_games
from tests.support.documents import as_document
from tests.support.playouts import Chance, Ply, drawn, play_out
from tests.support.recorded import showcase_of

GOLDEN = Path(__file__).parents[1] / "golden"


class Playthrough(NamedTuple):
    """A game to write down; its file is named after the game and `name`."""

    name: str
    players: int
    options: Mapping[str, Any] = {}
    seed: str = "golden"
    player: Player = at_random
    chance: Chance = drawn


def playthroughs() -> Iterator[tuple[Path, AnyGame, Playthrough]]:
    """Every playthrough of every game, and the file it belongs in."""
    for game in all_games().values():
        listed = getattr(showcase_of(game), "PLAYTHROUGHS", [Playthrough("random", game.players[0])])
        for playthrough in listed:
            yield GOLDEN / f"{game.id}-{playthrough.name}.txt", game, playthrough


def text_of(game: AnyGame, wanted: Playthrough) -> str:
    """The text of a playthrough."""
    plies = play_out(game, wanted.players, wanted.options, wanted.seed, wanted.player, wanted.chance)
    lines = [
        f"{game.title}, {wanted.players} players, options {compact(wanted.options)}, seed {wanted.seed!r}",
        f"rules version {game.rules_version}; made by `make generated`",
    ]
    last = None
    for last in plies:
        lines += ["", *ply_lines(game, last)]
    assert last is not None
    lines += ["", "result", *result_lines(as_document(game.result(last.after))), f"state {state_hash(last.after)}", ""]
    return "\n".join(lines)


def ply_lines(game: AnyGame, ply: Ply) -> Iterator[str]:
    decision = referee.decision(game, ply.before)
    actor = f"seat {decision.seat}" if decision.actor == "seat" else decision.actor
    yield f"{ply.before.ply}  {actor}  {decision.kind}"
    here = game.decision_at[type(ply.before.stage)]
    if isinstance(here, ChanceDecision):
        outcomes = here.rule.outcomes(ply.before)
        assert isinstance(ply.move, ChanceMove)
        component = ply.move.component
        share = as_text(outcomes.probability(component)) if component is not None else "unseen"
        yield f"  outcomes  {len(outcomes.weights)}, this one {share}"
    else:
        legal = referee.legal_moves(game, ply.before)
        offered = {type_of(kind): rule.offered(ply.before).total for kind, rule in here.rules.items()}
        yield f"  legal  {legal.total}: " + ", ".join(f"{kind} {total}" for kind, total in offered.items() if total)
        for kind, refusal in referee.unavailable_kinds(game, ply.before):
            yield f"  not {type_of(kind)}: {sentence(game, refusal)} ({refusal.rule})"
    yield f"  move  {compact(ply.move)}"
    before, after = as_document(ply.before), as_document(ply.after)
    for change in changes({**before, "ply": 0}, {**after, "ply": 0}):
        yield f"    {change}"
    for event in ply.events:
        yield f"  event  {compact(event)}"


def changes(before: Any, after: Any, pointer: str = "") -> Iterator[str]:
    """The differences, one line for each place."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict) and before.get("type") == after.get("type"):
        for name in dict.fromkeys([*before, *after]):
            yield from changes(before.get(name), after.get(name), f"{pointer}/{name}")
    elif isinstance(before, list) and isinstance(after, list) and tokens(before) and tokens(after):
        gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
        parts = [f"-{token}" for token in gone.elements()] + [f"+{token}" for token in come.elements()]
        yield f"{pointer}  " + (" ".join(parts) or f"in another order: {compact(after)}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from changes(old, new, f"{pointer}/{index}")
    else:
        yield f"{pointer}  {compact(before)} -> {compact(after)}"


def tokens(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def result_lines(result: dict[str, Any]) -> Iterator[str]:
    for player in result["players"]:
        yield f"  seat {player['seat']}: {player['total']} points, place {player['place']}"
        for line in player["lines"]:
            yield f"    {compact(line)}"
    for name, value in result.items():
        if name != "players":
            yield f"  {name}  {compact(value)}"


def compact(value: Any) -> str:
    """JSON without quotes, with spaces."""
    text = encode(value).decode().replace('"', "")
    return text.replace(",", ", ").replace(":", ": ")
