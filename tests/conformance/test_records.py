"""The recorded games of the conformance kit: each is legal and gives its result, and together they show everything."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import UNSET

from capomastro.adjudicator import replay as adjudicated
from capomastro.adjudicator import view_of_record
from capomastro.documents.json_text import decode
from capomastro.engine.decisions import SeatDecision
from capomastro.games import all_games
from tests.support.documents import as_document, as_state
from tests.support.playouts import points_in
from tests.support.recorded import SPECTATOR, label, record_files, records_of, replay_of, showcase_of, shown_by

every_record = pytest.mark.parametrize("file", record_files(), ids=label)


def games_with_showcases() -> Iterator[str]:
    return (game.id for game in all_games().values() if showcase_of(game) is not None)


@every_record
def test_a_record_is_legal_gives_its_result_and_shows_what_its_tags_say(file: Path) -> None:
    replay = replay_of(file)
    assert replay.document["id"] == file.stem
    assert replay.document["result"] == as_document(replay.result)
    points = points_in(replay.events)
    assert replay.result is not None
    assert [player.total for player in replay.result.players] == [points[seat] for seat in range(replay.players)]
    for ply in replay.plies:
        assert not list(replay.game.audit(ply.after))
    showcase = showcase_of(replay.game)
    assert showcase is not None
    claimed = replay.document["tags"]["shows"].split("; ")
    assert set(claimed) <= set(shown_by(replay, showcase.SHOWN))


@every_record
def test_a_record_is_judged_as_a_whole_and_its_views_replay_to_views_of_its_end(file: Path) -> None:
    replay = replay_of(file)
    document = decode(file.read_bytes())
    answer = adjudicated(replay.game, document)
    assert answer.legal
    assert answer.plies == len(replay.plies)
    assert answer.claimed_result_matches
    assert answer.first_divergence is UNSET
    assert answer.state == replay.plies[-1].after
    for viewer in (len(replay.plies) % replay.players, None):
        viewed = as_document(view_of_record(replay.game, document, viewer).record)
        answer = adjudicated(replay.game, viewed)
        assert answer.legal
        assert answer.state == replay.game.view(replay.plies[-1].after, viewer)
        assert as_state(replay.game, as_document(answer.state)) == answer.state
        assert replay.result is not None
        assert answer.result is not UNSET
        assert [player.total for player in answer.result.players] == [each.total for each in replay.result.players]


@pytest.mark.parametrize(
    "file", [file for file in record_files() if file.stem.endswith(SPECTATOR)], ids=lambda file: file.stem
)
def test_a_spectators_record_is_the_view_of_the_full_one_and_gives_the_right_score(file: Path) -> None:
    full = replay_of(file.with_stem(file.stem.removesuffix(SPECTATOR)))
    seen = replay_of(file)
    assert as_document(view_of_record(full.game, full.document, None).record)["moves"] == seen.document["moves"]
    assert full.result is not None
    assert seen.result is not None
    assert [player.total for player in seen.result.players] == [player.total for player in full.result.players]
    for mine, true in zip(seen.result.players, full.result.players, strict=True):
        assert mine.place in (None, true.place)
        assert mine.lines == true.lines
    assert seen.result.winners in (None, full.result.winners)


@pytest.mark.parametrize("game_id", list(games_with_showcases()))
def test_the_records_together_show_everything(game_id: str) -> None:
    game = all_games()[game_id]
    showcase = showcase_of(game)
    assert showcase is not None
    shown: set[str] = set()
    for file in records_of(game_id):
        shown |= set(shown_by(replay_of(file), showcase.SHOWN))
    assert set(showcase.SHOWN) - shown == set(), "make a record for each: `make generated`"


@pytest.mark.parametrize("game_id", list(games_with_showcases()))
def test_every_kind_of_move_is_played_in_some_record(game_id: str) -> None:
    game = all_games()[game_id]
    played = {type(ply.move) for file in records_of(game_id) for ply in replay_of(file).plies}
    kinds = {
        kind
        for decision in game.decisions
        for kind in (decision.rules if isinstance(decision, SeatDecision) else [decision.rule.move])
    }
    assert played == kinds
