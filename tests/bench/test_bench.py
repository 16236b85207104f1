"""The benches run and print what they should; no figure is judged, for figures depend on the machine."""

import gc
import json
from collections.abc import Callable
from functools import partial

import pytest
from bench.interleave import Figure, Report, Sample, interleave, publish
from bench.rivals import AvailableRivals

from bench import archives, one_move, pictures, playouts, positions, random_games, replays, server, worst_states
from capomastro.documents import json_text
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from tests.support.setups import Setup

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


@pytest.fixture(autouse=True)
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """As few as make a figure: what is tested is that there is one."""

    def few(game: AnyGame) -> tuple[positions.Position, ...]:
        return positions.middle_of_games(game, 6)

    for module in (server, worst_states):
        monkeypatch.setattr(module, "middle_of_games", few)
    for of_games in (one_move, pictures, replays):
        monkeypatch.setattr(of_games, "replays_of", lambda game: positions.replays_of(game)[-1:])
    monkeypatch.setattr(server, "POSITIONS", 2)
    monkeypatch.setattr(archives, "replays_of", lambda game: positions.replays_of(game)[-ENOUGH_FOR_TWO:])
    monkeypatch.setattr(random_games, "available", lambda budget: AvailableRivals({}, []))


@pytest.fixture
def quick_to_collect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks for garbage among what is new: among all that the tests hold, that takes longer than the turns."""
    monkeypatch.setattr(gc, "collect", partial(gc.collect, 0))


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


def test_half_a_record_is_as_legal_as_the_whole() -> None:
    for game in all_games().values():
        document = positions.replays_of(game)[0].document
        for share in (0.5, 1):
            answer = json_text.decode(replays.replayer(game)(replays.body_of(document, share)))
            assert answer["legal"]
            assert answer["plies"] == int(len(document["moves"]) * share)
            assert answer.get("claimed_result_matches", True)


def test_a_contender_is_compared_with_its_own_reference() -> None:
    samples = {name: (lambda seconds=seconds: Sample(1, seconds)) for name, seconds in {"a": 2.0, "b": 8.0}.items()}
    report = Report(interleave(samples, rounds=1), title="t", figure=Figure.COST, work="call", own={"b": "a"})
    first, second = report.as_json()["contenders"]
    assert "a" not in first["ratios"]
    assert second["ratios"]["a"]["median"] == 4
    assert "÷ its own" in report.text()


# --- random games as a check -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", playouts.every_setup(), ids=str)
def test_a_random_game_of_every_setup_is_checked(setup: Setup) -> None:
    tally = playouts.play(playouts.Task(playouts.every_setup().index(setup), 0, 1))
    assert tally.games == 1
    assert tally.plies == tally.shortest == tally.longest


def test_points_without_an_event_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = all_games()["fifth-avenue"]
    monkeypatch.setattr(game, "final_events", lambda state: [])
    with pytest.raises(RuntimeError, match="the points of the events add up to"):
        playouts.play(first_task(game))


def test_a_finding_of_the_audit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = all_games()["palazzo"]
    monkeypatch.setattr(game, "audit", lambda state: ["wrong"] if state.ply == 30 else [])
    with pytest.raises(RuntimeError, match=r"ply 29: after .* the audit finds"):
        playouts.play(first_task(game))


def first_task(game: AnyGame) -> playouts.Task:
    """One random game with the fewest players and the default options."""
    return playouts.Task([setup.game for setup in playouts.every_setup()].index(game), 0, 1)
