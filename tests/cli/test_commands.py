"""Every command, for people and in JSON, with its exit codes."""

import json
import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from capomastro import adjudicator, catalogue
from capomastro.cli import random_play
from capomastro.engine import referee
from capomastro.engine.endings import open_results
from capomastro.games import all_games
from capomastro.layout.formatting import WIDTH
from tests.cli.conftest import Ask
from tests.support.conformance import CONFORMANCE
from tests.support.documents import as_document
from tests.support.lines import lines_of
from tests.support.recorded import SPECTATOR, record_files

GAMES = list(all_games())
AskJson = Callable[..., Any]
Save = Callable[[str, Any], str]

PLAY = ("play", "palazzo", "--players", "3", "--seed", "7", "--names", "Ada,Bruno,Cleo")
NEW = ("new", "palazzo", "--players", "3", "--seed", "7")

SHEET: dict[str, Any] = {
    "game": "palazzo",
    "schema_version": 1,
    "seats": [
        {"name": "Ada", "palaces": [["brick-1-2", "brick-3-1", "brick-4-3"]], "hand": ["certificate-2", "red-7"]},
        {"name": "Bruno", "palaces": [{"floors": 5, "windows": 9, "material": "mixed"}]},
        {"name": "Cleo", "palaces": [["sandstone-1-3", "marble-4-3", "brick-5-3"]], "hand": ["blue-3"]},
        {"palaces": [["marble-1-3", "sandstone-2-3", "marble-3-3"]], "hand": []},
    ],
}


@pytest.fixture
def record(ask_json: AskJson) -> dict[str, Any]:
    """A whole game."""
    document: dict[str, Any] = ask_json(*PLAY)
    return document


# --- what there is ---------------------------------------------------------------------------------------------------


def test_help_names_every_command(ask: Ask) -> None:
    shown = ask("--help").output
    commands = ("serve", "games", "rules", "new", "play", "replay", "score", "legal-moves", "audit", "view")
    assert all(f"  {command} " in shown for command in commands)


def test_games_are_listed(ask: Ask, ask_json: AskJson) -> None:
    shown = ask("games")
    assert shown.exit_code == 0
    assert [line.split()[0] for line in shown.stdout.splitlines()] == GAMES
    assert [game["id"] for game in ask_json("games")["games"]] == GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_shown_with_its_decisions_and_options(ask: Ask, ask_json: AskJson, game: str) -> None:
    shown = ask("games", game).stdout
    page = ask_json("games", game)
    assert page == as_document(catalogue.page(adjudicator.game_of(game), {}))
    assert shown.startswith(page["title"])
    for decision in page["decisions"]:
        assert f"  {decision['kind']} " in shown
    for option in page["options"]["schema"]["properties"]:
        assert f"  {option}  [" in shown


def test_rules_are_shown_in_our_words(ask: Ask, ask_json: AskJson) -> None:
    page = ask_json("rules", "palazzo", "palazzo.turn.seat")
    shown = ask("rules", "palazzo", "palazzo.turn.seat")
    assert shown.stdout.splitlines()[0] == page["id"] == "palazzo.turn.seat"
    assert page["wording"] in shown.stdout
    assert len(ask_json("rules", "palazzo")["rules"]) > 10
    assert ask("rules", "palazzo", "palazzo.no.such").exit_code == 2


def test_unknown_games_are_reported(ask: Ask) -> None:
    for arguments in (("games", "chess"), ("rules", "chess"), ("new", "chess", "--players", "2")):
        answer = ask(*arguments)
        assert answer.exit_code == 2
        assert 'There is no game "chess"' in answer.stderr
        assert answer.stdout == ""


# --- new -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_new_sets_up_every_game(ask: Ask, ask_json: AskJson, game: str) -> None:
    arguments = ("new", game, "--players", "3", "--seed", "7", "--names", "Ada, Bruno ,Cleo")
    answer = ask_json(*arguments)
    expected = adjudicator.set_up(adjudicator.game_of(game), 3, ["Ada", "Bruno", "Cleo"], None, "7")
    assert answer == as_document(expected)
    shown = ask(*arguments)
    assert shown.exit_code == 0
    assert all(f"\n{name} (seat {seat})\n" in shown.stdout for seat, name in enumerate(["Ada", "Bruno", "Cleo"]))


def test_new_without_a_seed_leaves_chance_to_move(ask_json: AskJson) -> None:
    answer = ask_json("new", "palazzo", "--players", "2")
    assert (answer["state"]["ply"], answer["decision"]["actor"]) == (0, "chance")


def test_options_are_given_one_by_one_or_all_at_once(ask_json: AskJson) -> None:
    chosen = {"stack_sizes": [5, 20, 23], "builder": 2}
    one_by_one = ask_json(*NEW, "--option", "stack_sizes=[5,20,23]", "--option", "builder=2")
    assert one_by_one["state"]["options"] == chosen
    assert ask_json(*NEW, "--options", json.dumps(chosen)) == one_by_one
    assert (
        ask_json(*NEW, "--options", '{"builder": 3, "stack_sizes": [5, 20, 23]}', "--option", "builder=2") == one_by_one
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--option", "stack_sizes=[4,16,28]"), "/options/stack_sizes/0: "),
        (("--option", "builder=9"), "/options/builder: 9 is more than 3"),
        (("--option", "colour=red"), "/options/colour: "),
        (("--option", "builder"), "NAME=VALUE"),
        (("--options", "[]"), "JSON object"),
        (("--options", "{"), "JSON"),
        (("--names", "Ada,,Cleo"), "1 to 100 characters"),
        (("--names", "Ada"), "one for each player"),
        (("--players", "9"), "Palazzo is for 2 to 4 players, not for 9."),
        (("--players", "many"), "not a valid integer"),
    ],
)
def test_impossible_set_ups_are_explained(ask: Ask, arguments: tuple[str, ...], message: str) -> None:
    answer = ask(*NEW, *arguments)
    assert answer.exit_code == 2
    assert message in answer.stderr
    assert answer.stdout == ""


# --- play and replay -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_random_game_can_be_recorded_and_replayed(ask: Ask, game: str) -> None:
    played = ask("play", game, "--players", "2", "--seed", "7", "--record", "game.json")
    assert played.exit_code == 0
    types = [move["type"] for move in json.loads(Path("game.json").read_text("utf-8"))["moves"]]
    moves = len(types)
    assert f"{moves} moves recorded in game.json." in played.stdout
    lines = played.stdout.splitlines()[1 : moves + 1]
    assert [int(line.split()[0]) for line in lines] == list(range(moves))
    assert all(type in line.split() for line, type in zip(lines, types, strict=True))
    replayed = ask("replay", "game.json")
    assert replayed.exit_code == 0
    assert replayed.stdout.startswith(f"game.json: legal, {moves} moves; ")
    assert replayed.stdout.endswith("the claimed result is right\n")


def test_the_same_seed_plays_the_same_game(ask: Ask, record: dict[str, Any]) -> None:
    assert ask(*PLAY).stdout == ask(*PLAY).stdout
    assert json.loads(ask(*PLAY, "--json").stdout) == record
    assert json.loads(ask(*PLAY, "--seed", "8", "--json").stdout)["moves"] != record["moves"]


def test_without_a_seed_a_seed_is_chosen_that_repeats_the_game(ask: Ask) -> None:
    first = ask("play", "palazzo", "--players", "2").stdout
    seed = first.splitlines()[0].rpartition("seed ")[2]
    assert ask("play", "palazzo", "--players", "2", "--seed", seed).stdout == first


def test_a_record_is_written_with_one_move_per_line(ask: Ask) -> None:
    ask(*PLAY, "--record", "game.json")
    lines = Path("game.json").read_text("utf-8").splitlines()
    moves = json.loads(Path("game.json").read_text("utf-8"))["moves"]
    assert [json.loads(line.rstrip(",")) for line in lines if line.startswith("    {")] == moves


def test_a_record_that_cannot_be_written_is_a_problem(ask: Ask) -> None:
    answer = ask(*PLAY, "--record", "no/such/directory/game.json")
    assert answer.exit_code == 2
    assert "cannot be written: No such file or directory" in answer.stderr


def test_the_first_illegal_move_is_explained(ask: Ask, record: dict[str, Any], save: Save) -> None:
    ply = next(index for index, move in enumerate(record["moves"]) if "seat" in move)
    record["moves"][ply]["seat"] += 1
    answer = ask("replay", save("wrong.json", record))
    assert answer.exit_code == 1
    assert answer.stdout.splitlines() == [
        f"wrong.json: out of turn at ply {ply}, after {ply} legal moves",
        "  decision  Ada (seat 0) decides: choose an action [choose-action]",
        "  move      Bruno takes money",
        "            take-money: seat 1",
        "  rule      palazzo.turn.seat",
        "  because   seat 0 is to decide, not seat 1",
        f"  pointer   /moves/{ply}/seat",
        "  nearest legal moves",
        "    Ada takes money                            take-money: seat 0  other seat",
        "    Ada draws two tiles, to buy or to auction  build: seat 0       other type and seat",
    ]


def test_the_first_illegal_move_in_json(ask: Ask, record: dict[str, Any], save: Save) -> None:
    ply = next(index for index, move in enumerate(record["moves"]) if "seat" in move)
    record["moves"][ply]["seat"] += 1
    answer = ask("replay", save("wrong.json", record), "--json")
    assert answer.exit_code == 1
    (line,) = map(json.loads, lines_of(answer.stdout))
    assert (line["source"], line["line"], line["legal"], line["plies"]) == ("wrong.json", 1, False, ply)
    assert line["first_divergence"]["refusal"]["rule"] == "palazzo.turn.seat"
    assert line["first_divergence"]["refusal"]["pointer"] == f"/moves/{ply}/seat"
    assert [near["move"]["type"] for near in line["first_divergence"]["nearest"]][:2] == ["take-money", "build"]


def test_illegal_chance_shows_the_nearest_outcomes(ask: Ask, record: dict[str, Any], save: Save) -> None:
    record["moves"][1] = record["moves"][0] = {"type": "draw-tile", "tile": "brick-1-1"}
    answer = ask("replay", save("wrong.json", record))
    assert answer.exit_code == 1
    assert answer.stdout.splitlines()[-5:] == [
        "    Brick 1 (2 windows) is drawn  draw-tile: tile brick-1-2  other tile",
        "    Brick 1 (3 windows) is drawn  draw-tile: tile brick-1-3  other tile",
        "    Brick 2 (1 window) is drawn   draw-tile: tile brick-2-1  other tile",
        "    Brick 2 (2 windows) is drawn  draw-tile: tile brick-2-2  other tile",
        "    Brick 2 (3 windows) is drawn  draw-tile: tile brick-2-3  other tile",
    ]


def test_unusable_records_get_a_verdict_in_one_word(ask: Ask, record: dict[str, Any], save: Save) -> None:
    files = [save("other.json", {**record, "rules_version": 9}), save("nothing.json", {}), save("right.json", record)]
    answer = ask("replay", *files, "--json")
    assert answer.exit_code == 2
    lines = [json.loads(line) for line in lines_of(answer.stdout)]
    assert [line["verdict"] for line in lines] == ["other-version", "unusable", "legal"]


def test_a_file_name_that_is_not_utf_8(ask: Ask, record: dict[str, Any]) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    Path(name).write_text(json.dumps(record), "utf-8")
    assert json.loads(ask("replay", name, "--json").stdout)["source"] == "caf\\xe9.json"


def test_no_nearest_moves_for_an_unseen_hand(ask: Ask, save: Save) -> None:
    seen = next(file for file in record_files() if file.stem.endswith(SPECTATOR) and "campanile" in file.parts)
    document = json.loads(seen.read_bytes())
    moves = document["moves"]
    first = next(index for index, move in enumerate(moves) if move["type"] == "play-card")
    answer = ask("replay", save("seen.json", {**document, "moves": moves[:first] + moves[first + 1 :]}))
    assert answer.exit_code == 1
    assert "  no legal move is known: the hand was not seen" in answer.stdout.splitlines()


def test_a_replay_continues_beyond_a_forgotten_move(ask: Ask, record: dict[str, Any], save: Save) -> None:
    ply = next(index for index, move in enumerate(record["moves"]) if move["type"] == "take-money")
    del record["moves"][ply]
    answer = ask("replay", save("wrong.json", record), "--repair", "correct")
    assert answer.exit_code == 1
    lines = answer.stdout.splitlines()
    assert lines[0] == f"wrong.json: a player’s move is missing at ply {ply}, after {ply} legal moves"
    begin = lines.index("  Correcting illegal moves; everything from here on is conditional")
    assert lines[begin + 1].startswith(
        f"    ply {ply}  before “Red 6 is turned up”: Ada takes money  take-money: seat 0 → "
    )
    assert lines[begin + 2].startswith(f"    {len(record['moves']) + 1} moves then")
    skipped = ask("replay", "wrong.json", "--repair", "skip").stdout.splitlines()
    assert "  Leaving out illegal moves; everything from here on is conditional" in skipped
    assert skipped[-1] == "    given up after 100 divergences"


def test_a_wrong_claim_is_found(ask: Ask, record: dict[str, Any], save: Save) -> None:
    answer = ask("replay", save("wrong.json", {**record, "totals": [1, 2, 3]}))
    assert answer.exit_code == 1
    assert "the claimed result is WRONG\n" in answer.stdout
    assert answer.stdout.splitlines()[-1].split() == ["Cleo", "total", "claimed", "3", "computed", "0"]


def test_long_lines_of_a_wrong_claim_stand_one_below_the_other(ask: Ask, save: Save) -> None:
    record = json.loads((CONFORMANCE / "palazzo" / "records" / "three-plan.json").read_text("utf-8"))
    player = record["result"]["players"][1]
    line = next(one for one in player["lines"] if one.get("tiles"))
    line["points"] += 1
    lines = ask("replay", save("wrong.json", record)).stdout.splitlines()[1:]
    assert lines[0].split()[:5] == ["seat", "1", "line", "claimed", "rule"]
    computed = next(one for one in lines if one.split()[0] == "computed")
    assert computed.index("computed") == lines[0].index("claimed")
    assert f"points {line['points']};" in lines[0]
    assert f"points {line['points'] - 1};" in computed
    assert not any("tiles" in one for one in lines), "what is the same in both is left out"
    player["lines"].remove(line)
    missed = ask("replay", save("wrong.json", record)).stdout.splitlines()[1:]
    assert missed[0].split() == ["seat", "1", "line", "claimed", "nothing"]
    assert line["tiles"][-1] in "".join(missed)
    assert max(map(len, [*lines, *missed])) <= WIDTH


def test_an_unfinished_game_is_legal_so_far(ask: Ask, record: dict[str, Any], save: Save) -> None:
    del record["result"]
    answer = ask("replay", save("begun.json", {**record, "moves": record["moves"][:18]}))
    assert answer.exit_code == 0
    assert answer.stdout == "begun.json: legal, 18 moves; not over: chance decides: turn up a card [reveal-card]\n"


def test_a_claimed_result_with_too_many_players_is_reported(ask: Ask, record: dict[str, Any], save: Save) -> None:
    totals = [player["total"] for player in record["result"]["players"]]
    more = save("more.json", {**record, "totals": [*totals, 3]})
    fault = "/totals: has 4 items, 3 needed, one for each player"
    for command in (("replay", more), ("convert", more), ("view", more, "--spectator")):
        answer = ask(*command)
        assert answer.exit_code == 2
        assert answer.stderr.splitlines()[-1] == f"  {fault}", command


def test_a_result_claimed_before_the_end_is_not_called_wrong(ask: Ask, record: dict[str, Any], save: Save) -> None:
    totals = [player["total"] for player in record["result"]["players"]]
    answer = ask("replay", save("cut.json", {**record, "moves": record["moves"][:-1], "totals": totals}))
    assert answer.exit_code == 1
    assert answer.stdout.endswith("; the claimed result is not reached\n")
    assert "not over: " in answer.stdout


def test_many_records_are_judged_and_the_worst_counts(ask: Ask, record: dict[str, Any], save: Save) -> None:
    good = save("good.json", record)
    wrong = save("wrong.json", {**record, "totals": [1, 2, 3]})
    broken = save("broken.json", {**record, "players": "three"})
    assert ask("replay", good, good).exit_code == 0
    assert ask("replay", good, wrong, good).exit_code == 1
    answer = ask("replay", broken, "missing.json", wrong, good, "--json")
    assert answer.exit_code == 2
    lines = [json.loads(line) for line in lines_of(answer.stdout)]
    assert [line["source"] for line in lines] == ["broken.json", "missing.json", "wrong.json", "good.json"]
    assert [line["line"] for line in lines] == [1, 1, 1, 1], "where a record stands is told as in archives"
    assert [line.get("problem") for line in lines] == ["shape", "unreadable", None, None]
    shown = ask("replay", broken, "missing.json", good)
    assert shown.stderr.startswith("broken.json: ")
    assert "\n  /players: must be an integer, not a string\n" in shown.stderr
    assert "missing.json: The file cannot be read: No such file or directory." in shown.stderr
    assert shown.stdout.startswith("good.json: legal")


def test_a_record_of_other_rules_is_judged_by_the_current_ones_on_request(
    ask: Ask, record: dict[str, Any], save: Save
) -> None:
    other = save("other.json", {**record, "rules_version": record["rules_version"] + 1})
    refused = ask("replay", other)
    assert refused.exit_code == 2
    assert "/rules_version" in refused.stderr
    assert ask("replay", other, "--under-current-rules").exit_code == 0


# --- states ----------------------------------------------------------------------------------------------------------


def test_legal_moves_of_an_answer_of_its_state_and_of_standard_input(ask: Ask, save: Save) -> None:
    answer = json.loads(ask(*NEW, "--json").stdout)
    shown = ask("legal-moves", save("answer.json", answer))
    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == ["seat 0 decides: choose an action [choose-action]", "  take-money", "  build"]
    assert ask("legal-moves", save("state.json", answer["state"])).stdout == shown.stdout
    assert ask("legal-moves", "-", given=json.dumps(answer["state"])).stdout == shown.stdout


def test_legal_moves_in_pages(ask: Ask, ask_json: AskJson, save: Save) -> None:
    state = save("state.json", ask_json("new", "palazzo", "--players", "2")["state"])
    page = ask_json("legal-moves", state, "--limit", "40")
    rest = ask_json("legal-moves", state, "--cursor", page["next_cursor"])
    assert (len(page["moves"]), len(rest["moves"]), page["total"]) == (40, 5, 45)
    shown = ask("legal-moves", state, "--limit", "2").stdout.splitlines()
    assert shown[1:4] == [
        "  draw-tile         brick-1-1  1/48",
        "  draw-tile         brick-1-2  1/48",
        "  … 2 of 45 moves",
    ]
    assert shown[4].startswith("  Continue with --cursor ")
    assert ask("legal-moves", state, "--cursor", "7").exit_code == 2


def test_legal_moves_explain_unavailable_kinds(ask: Ask, ask_json: AskJson, save: Save) -> None:
    state = save("state.json", ask_json(*NEW)["state"])
    shown = ask("legal-moves", state, "--explain").stdout
    unavailable = ask_json("legal-moves", state, "--explain")["unavailable"]
    assert [one["type"] for one in unavailable] == ["rebuild-take-out", "rebuild-insert", "rebuild-remove"]
    assert all(f"  not {one['type']}: {one['message']} [{one['rule']}]\n" in shown for one in unavailable)


def test_a_view_hides_other_hands_and_its_moves_are_incomplete(ask: Ask, ask_json: AskJson, save: Save) -> None:
    state = ask_json(*NEW)["state"]
    name = save("state.json", state)
    seen = ask_json("view", name, "--seat", "1")
    assert seen == as_document(adjudicator.view_of_state(adjudicator.game_of("palazzo"), state, 1).state)
    assert seen["seats"][0]["hand"]["unknown"] == {"deck": 4}
    shown = ask("view", name, "--spectator").stdout
    assert shown.count("  hand           unknown deck 4\n") == 3
    incomplete = ask("legal-moves", save("seen.json", seen)).stdout
    assert "The hand has unknown cards" in incomplete


def test_a_view_of_a_record_is_a_record(ask: Ask, record: dict[str, Any], save: Save) -> None:
    seen = ask("view", save("game.json", record), "--spectator")
    document = json.loads(seen.stdout)
    assert {"type": "deal-card", "card": None} in document["moves"]
    assert ask("replay", save("seen.json", document)).exit_code == 0


@pytest.mark.parametrize("arguments", [(), ("--seat", "0", "--spectator"), ("--seat", "3"), ("--seat", "-1")])
def test_a_view_is_of_one_seat_or_of_a_spectator(
    ask: Ask, ask_json: AskJson, save: Save, arguments: tuple[str, ...]
) -> None:
    assert ask("view", save("state.json", ask_json(*NEW)["state"]), *arguments).exit_code == 2


def test_an_audit_lists_every_finding_with_its_place_in_the_file(ask: Ask, ask_json: AskJson, save: Save) -> None:
    answer = ask_json(*NEW)
    good = ask("audit", save("good.json", answer))
    assert (good.exit_code, good.stdout) == (0, "This state is possible.\n")
    assert ask_json("audit", "good.json") == {"findings": []}
    state = {**answer["state"], "riders": 2}
    for document, prefix in ((state, ""), ({"state": state}, "/state")):
        found = ask("audit", save("bad.json", document))
        assert found.exit_code == 1
        assert f"  {prefix}/riders: " in found.stdout
        assert "[palazzo.build.riders-last]" in found.stdout
        findings = ask_json("audit", "bad.json")["findings"]
        assert [finding["rule"] for finding in findings] == ["palazzo.build.riders-last"]
        assert {finding["pointer"] for finding in findings} == {f"{prefix}/riders"}


# --- scores ----------------------------------------------------------------------------------------------------------


def test_a_scoresheet_is_scored_line_by_line(ask: Ask, save: Save) -> None:
    answer = ask("score", save("sheet.json", SHEET))
    assert answer.exit_code == 0
    lines = answer.stdout.splitlines()
    assert lines[:6] == [
        "Ada",
        "  points  for           palace  floors  windows  tiles",
        "       6  windows            0       3        6  brick-1-2, brick-3-1, brick-4-3",
        "       3  one material       0       3        6  brick-1-2, brick-3-1, brick-4-3",
        "  ----------------------------------------------------",
        "       9  in all",
    ]
    assert lines[lines.index("1.  Bruno   15") :][:4] == [
        "1.  Bruno   15",
        "2.  Ada      9",
        "3.  Cleo     9",
        "4.  seat 3   9",
    ]
    assert "Bruno wins." in lines
    assert "  Ada 9, Cleo 3, seat 3 0" in lines
    assert any(line.startswith("Tie: Ada, Cleo and seat 3 have 9 points each. ") for line in lines)


def test_a_scoresheet_in_json_equals_the_answer_of_the_adjudicator(ask_json: AskJson, save: Save) -> None:
    expected = as_document(adjudicator.score_scoresheet(adjudicator.game_of("palazzo"), SHEET))
    assert ask_json("score", save("sheet.json", SHEET)) == expected
    assert ask_json("score", save("request.json", {"scoresheet": SHEET})) == expected


def test_unknown_values_are_reported(ask: Ask, save: Save) -> None:
    bruno = {"name": "Bruno", "palaces": [["brick-2-2"]], "hand": ["red-7"]}
    seats = [{"name": "Ada", "palaces": [["brick-1-2"]]}, bruno]
    answer = ask("score", save("sheet.json", {**SHEET, "seats": seats}))
    assert answer.exit_code == 0
    assert "?.  Ada    -5" in answer.stdout
    assert "?.  Bruno  -5" in answer.stdout
    assert "Who wins is not certain." in answer.stdout
    assert "Not known of Ada: hand." in answer.stdout
    shared = [{**seat, "hand": []} for seat in seats]
    assert "Ada and Bruno share the victory." in ask("score", save("sheet.json", {**SHEET, "seats": shared})).stdout


def test_a_finished_state_is_scored_like_its_record(
    ask: Ask, ask_json: AskJson, record: dict[str, Any], save: Save
) -> None:
    (replayed,) = [json.loads(line) for line in lines_of(ask("replay", save("game.json", record), "--json").stdout)]
    name = save("end.json", replayed["state"])
    assert ask_json("score", name) == {"result": record["result"]}
    assert "Ada\n  points  for " in ask("score", name).stdout


def before_the_last_draws(game: str) -> Any:
    """A state in which only chance is open, of a game that has such states."""
    found = adjudicator.game_of(game)
    for seed in map(str, range(20)):
        start = random_play.start(found, 3, ["Ada", "Bruno", "Cleo"], {})
        for ply in random_play.play_out(found, start, seed):
            if not referee.is_over(found, ply.after) and open_results(found, ply.after) is not None:
                return as_document(ply.after)
    raise AssertionError("none of the games came to such a state")


def test_every_result_is_shown_where_only_chance_is_open(ask: Ask, ask_json: AskJson, save: Save) -> None:
    name = save("state.json", before_the_last_draws("fifth-avenue"))
    outcomes = ask_json("score", name)["outcomes"]
    assert sum(Fraction(outcome["probability"]) for outcome in outcomes) == 1
    shown = ask("score", name)
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    probabilities = [line.split()[2].rstrip(":") for line in lines if line.startswith("With probability ")]
    assert probabilities == [outcome["probability"] for outcome in outcomes]
    chances = [Fraction(line.split()[1]) for line in lines[lines.index("Chances to win or to share the victory") + 1 :]]
    assert len(chances) == 3
    assert sum(chances) >= 1


def test_unscorable_documents_are_explained(ask: Ask, ask_json: AskJson, record: dict[str, Any], save: Save) -> None:
    unfinished = ask("score", save("state.json", ask_json(*NEW)["state"]))
    assert (unfinished.exit_code, unfinished.stdout) == (2, "")
    assert "The game is not over" in unfinished.stderr
    assert "  at /stage\n" in unfinished.stderr
    assert "capomastro replay" in ask("score", save("game.json", record)).stderr
    impossible = {**SHEET, "seats": [*SHEET["seats"][:1], SHEET["seats"][0]]}
    answer = ask("score", save("impossible.json", impossible))
    assert answer.exit_code == 2
    assert answer.stderr.startswith("The scoresheet is impossible.\n")
    assert "[palazzo.components.tiles]" in answer.stderr
    assert ask_json("score", "impossible.json")["problem"] == "impossible-scoresheet"


# --- files -----------------------------------------------------------------------------------------------------------

COMMANDS = [("legal-moves",), ("audit",), ("score",), ("view", "--spectator"), ("replay",)]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "malformed-json"),
        ("{", "malformed-json"),
        ('{"a": NaN}', "malformed-json"),
        ("[" * 10_000, "malformed-json"),
        ("[]", "shape"),
        ("7", "shape"),
        ("{}", "shape"),
        ('{"game": 7}', "shape"),
        ('{"game": "chess"}', "not-found"),
        ('{"game": "palazzo"}', "shape"),
        ('{"state": {"game": "palazzo"}, "scoresheet": [], "record": 7}', "shape"),
        ('{"game": "palazzo", "rules_version": 99}', "other-version"),
    ],
)
def test_files_that_cannot_be_used_are_problems(ask: Ask, command: tuple[str, ...], content: str, problem: str) -> None:
    Path("file.json").write_text(content, "utf-8")
    shown = ask(*command, "file.json")
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert shown.stderr.strip()
    answer = ask(*command, "file.json", "--json")
    assert answer.exit_code == 2
    assert json.loads(answer.stdout)["problem"] == problem


def test_a_list_of_records_is_not_said_to_lack_the_name_of_its_game(
    ask: Ask, record: dict[str, Any], save: Save
) -> None:
    assert "the whole document: must be an object" in ask("replay", save("list.json", [record])).stderr


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_files_are_limited_in_size(ask: Ask, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.setenv("CAPOMASTRO_MAXIMUM_RECORD_BYTES", "1024")
    answer = ask(*command, "-", given=" " * 1025)
    assert answer.exit_code == 2
    assert "more than 1024 bytes" in answer.stderr


def test_control_characters_for_terminals_are_escaped(ask: Ask, save: Save) -> None:
    seats = [{"name": "\x1b[31mRed\u202e", "palaces": []}, {"palaces": []}]
    answer = ask("score", save("sheet.json", {**SHEET, "seats": seats}))
    assert "\x1b" not in answer.output
    assert "\u202e" not in answer.output
    assert "\\u001b[31mRed\\u202e" in answer.stdout


def test_colours_are_for_terminals(ask: Ask, ask_json: AskJson) -> None:
    assert "\x1b" not in ask(*NEW).output + ask("games", "palazzo").output
