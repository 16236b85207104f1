"""Moves on the command line: judged and played, in a state or a record; and a game played by hand to its end."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from capomastro import adjudicator, archive
from capomastro.documents import shapes
from capomastro.documents.problems import Problem
from capomastro.games import all_games
from capomastro.games.fifth_avenue.components import DISTRICTS
from tests.cli.conftest import Ask
from tests.support.documents import as_document
from tests.support.recorded import label, record_files
from tests.support.shapes import shape_of

AskJson = Callable[..., Any]
GAMES = list(all_games())
PALAZZO = all_games()["palazzo"]
NEW = ("new", "palazzo", "--players", "2", "--seed", "7", "--names", "Ada,Bruno d'Este")
TOO_LITTLE = "0 buy brick-2-1 payment=green-4,certificate-2"


@pytest.fixture
def state(ask_json: AskJson) -> Any:
    """A new game of Palazzo, also in the file state.json."""
    begun = ask_json(*NEW)["state"]
    Path("state.json").write_text(json.dumps(begun), "utf-8")
    return begun


# --- suggestions -----------------------------------------------------------------------------------------------------


def test_a_suggestion_can_be_passed_to_move(ask: Ask, ask_json: AskJson, state: Any) -> None:
    assert ask("suggest", "state.json").stdout == "0 take-money\n"
    answer = ask_json("suggest", "state.json")
    assert answer == as_document(adjudicator.suggestion(PALAZZO, state))
    moved = ask_json("move", "state.json", ask("suggest", "state.json").stdout.strip(), "--seed", "7")
    Path("next.json").write_text(json.dumps(moved), "utf-8")
    assert ask("suggest", "next.json").exit_code == 0


def test_player_and_seed_of_a_suggestion_can_be_chosen(ask: Ask, state: Any) -> None:
    suggested = {ask("suggest", "state.json", "--player", "random", "--seed", str(seed)).stdout for seed in range(20)}
    assert suggested == {"0 take-money\n", "0 build\n"}
    assert ask("suggest", "state.json", "--player", "best").exit_code == 2


def test_chance_and_the_end_have_no_suggestion(ask: Ask, ask_json: AskJson) -> None:
    Path("open.json").write_text(json.dumps(ask_json("new", "palazzo", "--players", "2")), "utf-8")
    refused = ask("suggest", "open.json")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "Chance decides here" in refused.stderr
    assert ask("play", "palazzo", "--players", "2", "--seed", "7", "--record", "whole.json").exit_code == 0
    over = ask("suggest", "whole.json")
    assert (over.exit_code, over.stdout) == (0, "the game is over\n")


# --- verdicts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("move", ["0 build", "Ada build", ' "Ada" build', '{"type": "build", "seat": 0}'])
def test_a_legal_move_in_all_its_forms(ask: Ask, ask_json: AskJson, state: Any, move: str) -> None:
    answer = ask("verdict", "state.json", move)
    assert (answer.exit_code, answer.stdout) == (0, "legal\n")
    assert ask_json("verdict", "state.json", move) == {"legal": True}
    assert ask("verdict", "-", move, given=json.dumps(state)).stdout == "legal\n"


def test_an_illegal_move_is_explained(ask: Ask, ask_json: AskJson, state: Any) -> None:
    answer = ask("verdict", "state.json", '"Bruno d\'Este" build')
    assert answer.exit_code == 1
    assert answer.stdout.splitlines() == [
        "illegal",
        "  decision  Ada (seat 0) decides: choose an action [choose-action]",
        "  move      Bruno d'Este draws two tiles, to buy or to auction",
        "            build: seat 1",
        "  rule      palazzo.turn.seat",
        "  because   seat 0 is to decide, not seat 1",
        "  pointer   /move/seat",
        "  nearest legal moves",
        "    Ada draws two tiles, to buy or to auction  build: seat 0       other seat",
        "    Ada takes money                            take-money: seat 0  other type and seat",
    ]
    expected = as_document(adjudicator.verdict(PALAZZO, state, {"type": "build", "seat": 1}, 1))
    assert ask_json("verdict", "state.json", "1 build", "--nearest", "1") == expected
    none = ask("verdict", "state.json", "1 build", "--nearest", "0")
    assert (none.exit_code, none.stdout.splitlines()[-1]) == (1, "  pointer   /move/seat")
    assert "100" in ask("verdict", "state.json", "1 build", "--nearest", "101").stderr  # the most that HTTP allows


@pytest.mark.parametrize("command", ["verdict", "move"])
@pytest.mark.parametrize(
    ("move", "problem", "message"),
    [
        ("Adda build", "malformed-notation", 'expected a seat, not "Adda"; did you mean "Ada"? (character 1)'),
        ("0 biuld", "malformed-notation", 'expected a type of move, not "biuld"; did you mean "build"? (character 3)'),
        ("", "malformed-notation", "expected a move, not the end of the line (character 1)"),
        ("{", "malformed-json", "JSON"),
        ('{"type": "build"}', "shape", 'the member "seat" is missing'),
        ("0 take-card pink-7", "shape", '"pink-7" is not one of: '),
    ],
)
@pytest.mark.usefixtures("state")
def test_invalid_moves_are_problems(ask: Ask, command: str, move: str, problem: str, message: str) -> None:
    answer = ask(command, "state.json", move)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert message in answer.stderr
    answer = ask(command, "state.json", move, "--json")
    assert answer.exit_code == 2
    assert json.loads(answer.stdout)["problem"] == problem


@pytest.mark.parametrize("names", [7, {}, [7, None], "Ada"])
def test_invalid_names_are_a_problem_of_the_state(ask: Ask, state: Any, names: Any) -> None:
    Path("state.json").write_text(json.dumps({**state, "names": names}), "utf-8")
    for command in ("verdict", "move"):
        answer = ask(command, "state.json", "0 build")
        assert answer.exit_code == 2
        assert answer.stderr.splitlines()[0] == "Does not match its schema: state."


def test_legal_moves_are_printed_as_move_accepts_them(ask: Ask, ask_json: AskJson, state: Any) -> None:
    lines = ask("legal-moves", "state.json", "--notation").stdout.splitlines()[1:]
    assert lines == ["  0 take-money", "  0 build"]
    for line, move in zip(lines, ask_json("legal-moves", "state.json")["moves"], strict=True):
        assert ask_json("move", "state.json", line)["moves"] == [move]
    begun = ask("new", "palazzo", "--players", "2", "--json").stdout
    shown = ask("legal-moves", "-", "--notation", "--limit", "1", given=begun).stdout
    assert shown.splitlines()[1] == "  draw-tile brick-1-1  1/48"


# --- moves -----------------------------------------------------------------------------------------------------------


def test_moves_are_played_and_draws_made(ask: Ask, ask_json: AskJson, state: Any) -> None:
    moves = [{"type": "build", "seat": 0}, {"type": "call-auction", "seat": 0}]
    expected = as_document(adjudicator.transition(PALAZZO, state, moves, "7"))
    arguments = ("move", "state.json", "Ada build", "0 call-auction", "--seed", "7")
    assert ask_json(*arguments) == expected
    shown = ask(*arguments)
    assert shown.exit_code == 0
    assert shown.stdout.splitlines()[:5] == [
        "   13  Ada     build",
        "   14  chance  draw-tile         sandstone-4-2",
        "   15  chance  draw-tile         marble-5-2",
        "   16  Ada     call-auction",
        "",
    ]
    after = Path("after.json")
    after.write_text(json.dumps(expected), "utf-8")
    assert shown.stdout.splitlines()[5].startswith("Palazzo, 2 players, ply 17; ")
    assert ask_json("audit", str(after)) == {"findings": []}


def test_draws_are_moves_too(ask_json: AskJson, state: Any) -> None:
    drawn = ("draw-tile brick-1-1", "draw-tile brick-1-2")
    answer = ask_json("move", "state.json", "0 build", *drawn)
    assert [move.get("tile") for move in answer["moves"]] == [None, "brick-1-1", "brick-1-2"]
    assert answer["state"]["ply"] == state["ply"] + 3
    assert ask_json("move", "state.json")["state"] == state


def test_all_moves_are_played_or_none(ask: Ask, state: Any) -> None:
    answer = ask("move", "state.json", "0 build", TOO_LITTLE, "--seed", "7")
    assert (answer.exit_code, answer.stdout) == (1, "")
    assert answer.stderr.splitlines()[1] == (
        "  /moves/1/payment: the payment is worth 6, the price is 8 [palazzo.buy.price]"
    )
    answer = ask("move", "state.json", "0 build", TOO_LITTLE, "--seed", "7", "--json")
    assert answer.exit_code == 1
    assert json.loads(answer.stdout)["problem"] == "illegal-move"


# --- a game by hand --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("file", ["game.json", "game.capo"])
def test_a_game_is_set_up_and_played_to_its_end_in_a_record(ask: Ask, ask_json: AskJson, game: str, file: str) -> None:
    """All moves of a random game at once, because one by one takes long."""
    arguments = (game, "--players", "2", "--seed", "7", "--names", "Ada,Bruno")
    played = ask_json("play", *arguments)
    begun = ask_json("new", *arguments, "--record", file)
    assert ask("replay", file).stdout.startswith(f"{file}: legal, {begun['state']['ply']} moves; not over")
    lines = [json.dumps(move) for move in played["moves"][begun["state"]["ply"] :]]
    middle = len(lines) // 2
    assert ask("move", file, *lines[:middle], "--record", file).exit_code == 0
    position = ask_json("move", file, *lines[middle:], "--record", file)
    assert position["decision"]["actor"] == "none"
    converted = json.loads(ask("convert", file, "--to", "json").stdout)
    assert {**converted, "result": None} == {**played, "result": None}
    assert converted["result"] == played["result"]
    assert ask("replay", file).stdout.endswith("the claimed result is right\n")


def test_only_an_existing_record_is_continued(ask: Ask, state: Any) -> None:
    answer = ask("move", "state.json", "0 build", "--record", "game.json")
    assert answer.exit_code == 2
    assert "--record needs a record" in answer.stderr
    assert not Path("game.json").exists()


@pytest.mark.parametrize("file", record_files()[::9], ids=label)
def test_a_record_means_its_last_position(ask: Ask, ask_json: AskJson, file: Path) -> None:
    document = json.loads(file.read_bytes())
    document["moves"] = document["moves"][: len(document["moves"]) // 2]
    document.pop("result", None)
    Path("half.json").write_text(json.dumps(document), "utf-8")
    ask("convert", "half.json", "--output", "half.capo")
    replayed = json.loads(ask("replay", "half.json", "--json").stdout)
    Path("state.json").write_text(json.dumps(replayed["state"]), "utf-8")
    for command in (("legal-moves", "--explain"), ("audit",)):
        expected = ask_json(*command, "state.json")
        assert ask_json(*command, "half.json") == ask_json(*command, "half.capo") == expected
    seen = ask_json("view", "state.json", "--seat", "1")
    assert ask_json("view", "half.capo", "--seat", "1", "--position") == seen
    assert ask_json("view", "state.json", "--seat", "1", "--position") == seen


@pytest.mark.parametrize("command", [("legal-moves",), ("audit",), ("view", "--spectator", "--position"), ("move",)])
def test_an_illegal_record_leads_to_no_position(ask: Ask, command: tuple[str, ...]) -> None:
    ask(*NEW, "--record", "game.capo")
    with Path("game.capo").open("a", encoding="utf-8") as file:
        file.write("1 build\n")
    answer = ask(*command, "game.capo")
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.splitlines() == [
        "Move 14 of the record is not legal, so it leads to no position.",
        "  game.capo:22:1: seat 0 is to decide, not seat 1 [palazzo.turn.seat]",
    ]


@pytest.mark.parametrize("first", ["# a comment", "0 build", "Ada build", "draw-tile brick-1-1", "players: 2", ""])
def test_a_record_on_standard_input_is_recognised_whatever_its_first_line(ask: Ask, first: str) -> None:
    text = f"{first}\ngame: palazzo\nplayers: 2\nnames: Ada, Bruno\n" if "players" not in first else None
    answer = ask("replay", "-", given=text or f"{first}\ngame: palazzo\n")
    assert answer.exit_code in (0, 1)
    assert answer.stdout.startswith("-: ")


# --- archives of random games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["games.ndjson", "games.ndjson.gz"])
def test_random_games_make_an_archive(ask: Ask, ask_json: AskJson, file: str) -> None:
    arguments = ("play", "palazzo", "--players", "2", "--seed", "7", "--names", "Ada,Bruno")
    answer = ask(*arguments, "--games", "3", "--record", file)
    assert answer.stdout == f"3 games, seeds 7-1 to 7-3, in {file}.\n"
    content = Path(file).read_bytes()
    lines = (gzip.decompress(content) if file.endswith(".gz") else content).splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["id"] for record in records] == ["7-1", "7-2", "7-3"]
    for number, line in enumerate(lines, 1):
        assert archive.verdict(archive.Line(number, line), archive.Terms()).verdict == "legal"
    second = ask_json("play", "palazzo", "--players", "2", "--seed", "7-2", "--names", "Ada,Bruno")
    assert {**second, "id": "7-2"} == records[1]
    printed = ask(*arguments, "--games", "3", "--json").stdout
    assert printed.encode().splitlines() == lines


def test_an_archive_needs_a_file(ask: Ask) -> None:
    arguments = ("play", "palazzo", "--players", "2", "--games", "2")
    assert "--games needs --record FILE, or --json" in ask(*arguments).stderr
    answer = ask(*arguments, "--record", "no/such/games.ndjson")
    assert answer.exit_code == 2
    assert "cannot be written" in answer.stderr
    assert ask(*arguments[:-1], "0").exit_code == 2


# --- templates and schemas -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_template_is_a_valid_scoresheet_with_all_required_members(ask: Ask, ask_json: AskJson, game: str) -> None:
    for players in all_games()[game].players:
        names = [f"Player {seat}" for seat in range(players)]
        sheet = ask_json("template", game, "--players", str(players), "--names", ",".join(names))
        assert [seat["name"] for seat in sheet["seats"]] == names
        assert shape_of(game, "scoresheet").accepts(sheet)
        bare = ask_json("template", game, "--players", str(players))
        assert [{**seat, "name": name} for seat, name in zip(bare["seats"], names, strict=True)] == sheet["seats"]
        Path("sheet.json").write_text(json.dumps({**sheet, "unfinished": True}), "utf-8")
        scored = ask("score", "sheet.json")
        assert scored.exit_code == 0
        assert all(f"{name}\n" in scored.stdout for name in names)
        if game == "fifth-avenue":
            assert sheet["park_tiles"] == []
            assert tuple(sheet["districts"]) == DISTRICTS
        Path("sheet.json").write_text(json.dumps(sheet), "utf-8")
        assert ask("score", "sheet.json", "--even-if-impossible").exit_code == 0, "something is missing"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--players", "9"), "2 to 4 players, not for 9"),
        (("--players", "2", "--names", "Ada"), "There must be 2 names, one for each player"),
        ((), "Missing option '--players'"),
    ],
)
def test_there_is_no_template_for_other_players(ask: Ask, arguments: tuple[str, ...], message: str) -> None:
    answer = ask("template", "palazzo", *arguments)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert message in answer.stderr


@pytest.mark.parametrize("game", [*GAMES, shapes.COMMON])
def test_a_schema_refers_to_no_other_file(ask: Ask, ask_json: AskJson, game: str) -> None:
    game_id = None if game == shapes.COMMON else game
    listed = ask_json("schema", game)
    assert list(listed) == list(shapes.documents_of(game_id))
    shown = ask("schema", game).stdout
    for document, title in listed.items():
        assert f"{document} " in shown
        assert title in shown
        schema = ask_json("schema", game, document)
        accepts = jsonschema_rs.Draft202012Validator(schema).is_valid
        shape = shape_of(game_id, document)
        for example in schema.get("examples", ()):
            assert accepts(example) == shape.accepts(example) is True
        assert accepts({"nothing": []}) == shape.accepts({"nothing": []})


@pytest.mark.parametrize(("game", "document"), [("palazzo", "nothing"), ("chess", "state"), ("chess", None)])
def test_an_unknown_schema_is_a_problem(ask: Ask, game: str, document: str | None) -> None:
    answer = ask("schema", game, *([document] if document else []))
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert "There is no " in answer.stderr


def test_only_existing_schemas_are_bundled() -> None:
    with pytest.raises(KeyError):
        shapes.bundle("palazzo", "nothing")
    with pytest.raises(Problem):
        adjudicator.scoresheet_template(PALAZZO, 7)
