"""The benches run and print what they should; no figure is judged, for figures depend on the machine."""

import gc
import json
from collections.abc import Callable
from functools import partial

import pytest
from bench.interleave import Report, publish
from bench.rivals import AvailableRivals

from bench import archives, one_move, pictures, playouts, positions, random_games, replays, server, worst_states
from capomastro.engine.game import AnyGame
from capomastro.engine.moves import SeatMove
from capomastro.games import all_games
from tests.support.playouts import Ply

REPORTS = {
    "games": random_games.reports,
    "moves": one_move.reports,
    "server": server.reports,
    "pictures": pictures.reports,
    "replays": replays.reports,
    "archives": archives.reports,
    "worst": worst_states.reports,
}


ENOUGH_FOR_TWO = archives.BATCH_RECORDS
"""Of each of the games: the records are several batches, so that each of two processes gets some."""


def by_seat(ply: Ply) -> bool:
    return isinstance(ply.move, SeatMove)


@pytest.fixture(autouse=True)
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """As few as make a figure: what is tested is that there is one."""

    def few(game: AnyGame) -> tuple[positions.Position, ...]:
        return positions.middle_of_games(game, 6)

    for module in (server, worst_states):
        monkeypatch.setattr(module, "middle_of_games", few)
    for of_games in (one_move, pictures, replays):
        monkeypatch.setattr(of_games, "replays_of", lambda game: positions.replays_of(game)[-1:])
    for in_course in (one_move, pictures):
        monkeypatch.setattr(in_course, "middle_of", lambda replay: [ply for ply in replay.plies if by_seat(ply)][:8])
    monkeypatch.setattr(server, "POSITIONS", 2)
    monkeypatch.setattr(server, "CONNECTIONS", 2)
    monkeypatch.setattr(archives, "replays_of", lambda game: positions.replays_of(game)[-ENOUGH_FOR_TWO:])
    monkeypatch.setattr(random_games, "available", lambda budget: AvailableRivals({}, []))


@pytest.fixture
def quick_to_collect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks for garbage among what is new: among all that the tests hold, that takes longer than the turns."""
    monkeypatch.setattr(gc, "collect", partial(gc.collect, 0))


@pytest.mark.long
@pytest.mark.longest
@pytest.mark.usefixtures("quick_to_collect")
@pytest.mark.parametrize("reports", REPORTS.values(), ids=REPORTS)
def test_every_bench_measures_every_game(
    reports: Callable[[int, float], list[Report]], capsys: pytest.CaptureFixture[str]
) -> None:
    found = reports(1, 0.001)
    measured = {name for report in found for name in report.shown}
    assert measured >= set(all_games())
    publish(found, as_json=False)
    table = capsys.readouterr().out
    assert all(game in table for game in all_games())
    publish(found, as_json=True)
    (document,) = json.loads(capsys.readouterr().out)
    assert {each["name"] for each in document["contenders"]} == measured
    assert all(each["median"] > 0 for each in document["contenders"])


def test_hand_made_states_are_possible() -> None:
    for game in all_games().values():
        for name, state in worst_states.BY_HAND.get(game.id, lambda: iter(()))():
            assert not list(game.audit(state)), f"{game.id}: {name}"


def test_a_random_game_is_checked() -> None:
    tally = playouts.play(playouts.Task(0, 0, 1))
    assert tally.plies == tally.shortest == tally.longest
