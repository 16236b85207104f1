"""Records and scores of the library are judged as by the service."""

import json
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from msgspec import UNSET

import capomastro
from capomastro import IllegalMove, Position, Problem, Record, adjudicator
from capomastro.documents import json_text, notation
from capomastro.engine.chance import as_text
from capomastro.engine.endings import open_results
from capomastro.games import all_games
from tests.cli.conftest import Ask
from tests.support.annotated import ANNOTATED, COMMENTS, PLAIN
from tests.support.documents import as_document
from tests.support.random_positions import random_positions
from tests.support.recorded import SPECTATOR, few_records, label, records_folder
from tests.support.schemas import schema_files

RECORDS = few_records()
every_record = pytest.mark.parametrize("file", RECORDS, ids=label)


@every_record
def test_a_record_survives_conversion_and_is_judged_as_by_the_service(file: Path) -> None:
    document = json_text.decode(file.read_bytes())
    game = all_games()[document["game"]]
    record = Record.from_text(file.read_bytes())
    assert record == Record.from_document(document)
    assert record.document() == document
    assert record.text() == notation.written(game, document)
    assert Record.from_text(record.text()) == record
    for claim in ({}, {"totals": [0] * document["players"]}):
        claimed = {**document, **claim}
        assert Record.from_document(claimed).document() == claimed
        answer = as_document(adjudicator.replay(game, claimed))
        replay = Record.from_document(claimed).replay()
        assert replay.verdict == answer["verdict"]
        assert as_document(replay.state) == answer["state"]
        assert replay.plies == answer["plies"]
        assert replay.claimed_result_matches == answer["claimed_result_matches"]
        assert as_document(replay.result) == answer["result"]
        result = record.position().result
        assert result is not None
        assert result.document() == answer["result"]
        assert result.totals == tuple(player["total"] for player in answer["result"]["players"])
        assert result.winners == (tuple(answer["result"]["winners"]) if "winners" in answer["result"] else None)


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_record_has_the_same_sentences_as_on_the_command_line(ask: Ask, language: str) -> None:
    file = records_folder("palazzo") / "two-plan.json"
    document = {**json_text.decode(file.read_bytes()), "names": ["Ada", "Bruno"]}
    Path("game.json").write_text(json.dumps(document))
    printed = ask("--language", language, "replay", "--tell", "game.json").stdout
    narrative = Record.from_document(document).in_words(language)
    assert printed.startswith(narrative)
    assert len(narrative.splitlines()) > len(document["moves"])


@every_record
def test_an_altered_record_diverges_where_the_service_says(file: Path) -> None:
    document = json_text.decode(file.read_bytes())
    game, random = all_games()[document["game"]], Random(5)
    for index in random.sample(range(len(document["moves"])), 2):
        moves = [*document["moves"][:index], *document["moves"][index + 1 :]]
        answer = as_document(adjudicator.replay(game, {**document, "moves": moves}))
        replay = Record.from_document({**document, "moves": moves}).replay()
        assert (replay.verdict, replay.plies) == (answer["verdict"], answer["plies"])
        assert (replay.first_divergence is UNSET) == ("first_divergence" not in answer) == replay.legal
        if replay.first_divergence is not UNSET:
            first = as_document(replay.first_divergence)
            first["refusal"]["pointer"] = f"/record{first['refusal']['pointer']}"
            assert {name: first[name] for name in answer["first_divergence"]} == answer["first_divergence"]
            assert first["text"]
            with pytest.raises(IllegalMove):
                Record.from_document({**document, "moves": moves}).position()


@pytest.mark.parametrize("repair", ["skip", "correct"])
@pytest.mark.parametrize("file", RECORDS[::3], ids=label)
def test_an_altered_record_is_repaired_as_by_the_service(file: Path, repair: Literal["skip", "correct"]) -> None:
    document = json_text.decode(file.read_bytes())
    game, random = all_games()[document["game"]], Random(file.stem)
    spoilt = set(random.sample(range(len(document["moves"])), 3))
    moves = [move for index, move in enumerate(document["moves"]) if index not in spoilt]
    answer = as_document(adjudicator.replay(game, {**document, "moves": moves}, repair=repair))
    replay = Record.from_document({**document, "moves": moves}).replay(repair)
    assert (replay.lenient is UNSET) == ("lenient" not in answer) == replay.legal
    if replay.lenient is UNSET:
        return
    lenient = as_document(replay.lenient)
    for divergence in lenient["divergences"]:
        divergence["refusal"]["pointer"] = f"/record{divergence['refusal']['pointer']}"
        assert divergence.pop("text")
        assert bool(divergence.pop("remedy_text", "")) == ("move" in divergence["remedy"])
    assert lenient == answer["lenient"]
    repaired = Record.from_document({**document, "moves": moves}).repaired(repair)
    assert as_document(repaired.position().state) == lenient["state"]
    assert str(replay.lenient) in str(replay)


@pytest.mark.parametrize("claimed", ["result", "totals"])
@pytest.mark.parametrize("end", [None, -20])
def test_a_repaired_record_claims_nothing_that_it_does_not_reach(end: int | None, claimed: str) -> None:
    document = json_text.decode((records_folder("palazzo") / "two-plan.json").read_bytes())
    result, moves = document.pop("result"), document["moves"]
    claim = {"result": result, "totals": [player["total"] for player in result["players"]]}[claimed]
    spoilt = {**document, "moves": [*moves[:end], moves[0]], claimed: claim}
    answer = as_document(adjudicator.replay(all_games()["palazzo"], spoilt, repair="skip"))
    repaired = Record.from_document(spoilt).repaired("skip").document()
    assert repaired == answer["lenient"]["record"]
    assert (claimed in repaired) == (end is None)


def test_a_legal_record_is_not_changed_by_repairs() -> None:
    legal = Record.from_text(ANNOTATED + "totals: 8, 8\n")
    assert legal.repaired("correct") == legal
    assert legal.repaired("correct").comments == COMMENTS


def test_a_repair_that_does_not_exist_is_refused() -> None:
    record = Record.of(capomastro.set_up("palazzo", 2, seed=7))
    with pytest.raises(ValueError, match="'guess' is not a valid Repair"):
        record.replay("guess")  # type: ignore[arg-type]


@pytest.mark.parametrize("file", [file for file in RECORDS if file.stem.endswith(SPECTATOR)], ids=label)
def test_a_record_is_seen_as_the_service_shows_it(file: Path) -> None:
    full = json_text.decode((file.parent / (file.stem.removesuffix(SPECTATOR) + ".json")).read_bytes())
    game = all_games()[full["game"]]
    for seat in (0, None):
        answer = as_document(adjudicator.view_of_record(game, full, seat).record)
        assert Record.from_document(full).seen_by(seat).document() == answer
    with pytest.raises(Problem):
        Record.from_document(full).seen_by(9)


@pytest.mark.parametrize("name", ["nobody-above-zero", "shared-win", "tie-for-second", "undecided"])
def test_every_view_of_a_right_claim_is_right_where_unseen_hands_break_a_tie(name: str) -> None:
    record = Record.from_text((records_folder("palazzo") / f"{name}.json").read_bytes())
    for seat in (None, *range(record.players)):
        replay = record.seen_by(seat).replay()
        assert (replay.verdict, replay.claimed_result_matches) == ("legal", True)


def test_a_record_of_a_game_that_was_played_here() -> None:
    begun, *_, position = random_positions("palazzo", 3, names=["Ada", "Bruno", "Cleo"], seed="7")
    middle = begun.play("Ada build", seed=7)
    assert Record.of(middle).replay().verdict == "unfinished"
    assert Record.of(middle).claim is None
    record = Record.of(position, id="evening", tags={"place": "Bologna"})
    assert record.document()["id"] == "evening"
    assert record.document()["tags"] == {"place": "Bologna"}
    assert record.replay().verdict == "legal"
    assert record.position() == position
    positions = list(record.positions())
    assert [one.ply for one in positions] == list(range(position.ply + 1))
    assert positions[-1] == position
    assert str(record.replay()).startswith(f"legal, {position.ply} moves; ")


def test_a_game_with_an_unknown_beginning_has_no_record() -> None:
    position = Position.from_document(capomastro.set_up("palazzo", 2, seed=7).document())
    for one in (position, position.play("0 build", seed=7), position.seen_by(0)):
        with pytest.raises(ValueError, match="was not set up here"):
            Record.of(one)


def test_a_record_of_other_rules_is_accepted_on_request() -> None:
    document = Record.of(capomastro.set_up("palazzo", 2, seed=7)).document()
    other = {**document, "rules_version": 2}
    with pytest.raises(Problem) as raised:
        Record.from_document(other)
    assert raised.value.id == "other-version"
    assert Record.from_document(other, under_current_rules=True).replay().verdict == "unfinished"


def test_a_record_keeps_the_comments_of_its_text() -> None:
    record = Record.from_text(ANNOTATED)
    assert record.comments == COMMENTS
    assert record.replay() == Record.from_text(PLAIN).replay()
    assert Record.from_text(record.text()) == record
    assert record.document() == Record.from_text(PLAIN).document()
    assert record.seen_by(None).comments == {}


def test_a_text_that_is_not_a_record_is_a_problem_with_places() -> None:
    with pytest.raises(Problem) as raised:
        Record.from_text("game: palazzo\nplayers: 2\n\ndraw-tyle brick-1-1\n")
    assert str(raised.value).splitlines()[1] == (
        '  4:1: expected a type of move, not "draw-tyle"; did you mean "draw-tile"?'
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("game: palazzo\nplayers: 2\n\ndraw-tile brick-1-1\ndraw-tile brick-1-l\n", "5:11"),
        ("game: palazzo\nnames: Ada, Ada\nplayers: 2\n", "2:13"),
        ("game: palazzo\nplayers: 2\nrules_version: 2\n", "3:16"),
    ],
)
def test_whatever_is_wrong_in_a_text_has_its_line(text: str, place: str) -> None:
    with pytest.raises(Problem) as raised:
        Record.from_text(text)
    assert str(raised.value).splitlines()[1].startswith(f"  {place}: ")


# --- scores ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", all_games())
def test_a_scoresheet_is_scored_as_by_the_service(game: str, ask: Ask, tmp_path: Path) -> None:
    examples = schema_files()[f"{game}/scoresheet.json"]["examples"]
    for number, sheet in enumerate([*examples, *({**sheet, "unfinished": True} for sheet in examples)]):
        expected = as_document(adjudicator.score_scoresheet(all_games()[game], sheet))
        score = capomastro.score(sheet)
        assert score.result is not None
        assert score.result.document() == expected["result"]
        assert capomastro.score(json.dumps(sheet)) == score
        assert (score.missing is None) == (not sheet.get("unfinished"))
        rules = [finding["rule"] for finding in expected.get("missing", ())]
        assert [finding.rule for finding in score.missing or ()] == rules
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(sheet), "utf-8")
        assert ask("score", str(file)).stdout == f"{score}\n"


def test_an_unfinished_scoresheet_can_leave_chance_open() -> None:
    sheet = {**schema_files()["fifth-avenue/scoresheet.json"]["examples"][0], "unfinished": True}
    sheet["districts"] = {name: lots for name, lots in sheet["districts"].items() if name != "times-square"}
    sheet["under_central_park"] = ["boutique", "boutique", "gallery", "jeweller"]
    del sheet["park_tiles"]
    score = capomastro.score(sheet)
    assert score.result is None
    assert [finding.rule for finding in score.missing or ()] == ["fifth-avenue.map.sheet-districts"]
    told = str(score).splitlines()
    assert [line for line in told if "probability" in line] == [
        "With probability 1/4: tiles boutique ×2, gallery",
        "With probability 1/4: tiles boutique ×2, jeweller",
        "With probability 1/2: tiles boutique, gallery, jeweller",
    ]
    assert told[-2] == "The scoresheet is unfinished."
    assert told[-1].startswith("  /districts/times-square: Times Square is not given")
    assert not [line for line in told if "win" in line]


def test_a_player_without_a_name_is_a_seat_in_every_language() -> None:
    sheet = schema_files()["palazzo/scoresheet.json"]["examples"][0]
    nameless = [{member: seat[member] for member in seat if member != "name"} for seat in sheet["seats"]]
    result = capomastro.score({**sheet, "seats": [{**nameless[0], "name": "Ada"}, *nameless[1:]]}).result
    assert result is not None
    assert result.names == ("Ada", *[None] * (len(nameless) - 1))
    assert "Ada" in result.in_words("it")
    assert "posto 1" in result.in_words("it")
    assert "seat" not in result.in_words("it")


def before_the_last_draws() -> Position:
    """A position in which only chance is open, of a game that has such positions."""
    position, random = capomastro.set_up("fifth-avenue", 3, seed=7), Random(7)
    while open_results(position.game.definition, position.state) is None:
        position = position.play(random.choice(position.legal_moves))
    return position


def test_every_result_is_returned_where_only_chance_is_open() -> None:
    position = before_the_last_draws()
    score = position.score()
    assert score.result is None
    assert sum(outcome.probability for outcome in score.outcomes) == 1
    answer: Any = as_document(adjudicator.score_state(position.game.definition, position.document()))
    found = [(as_text(outcome.probability), outcome.result.document()) for outcome in score.outcomes]
    assert found == [(one["probability"], one["result"]) for one in answer["outcomes"]]
    assert "Chances to win or to share the victory" in str(score)
    assert {score, *score.outcomes} == {position.score(), *position.score().outcomes}
