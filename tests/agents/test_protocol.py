"""The tools as a client of the SDK meets them: in this process, over stdio, and over HTTP."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import capomastro
from capomastro import Record, agents
from capomastro.agents import tools
from capomastro.agents.folder import opened
from capomastro.agents.keys import Keys
from capomastro.agents.tables import Memory, Tables
from capomastro.cli.commands import main as command_line
from capomastro.documents.languages import languages, using_language
from tests.agents.conftest import Converse
from tests.support.documents import as_document
from tests.support.serving import CAPOMASTRO, clean_environment, end

GAMES = [game.id for game in capomastro.all_games()]
SECRET = bytes(32)


@pytest.fixture
def tables() -> Tables:
    """Tables with the same names, keys and draws in every run."""
    return Tables(Keys(SECRET), Memory(), map("table{}".format, "abcdefgh").__next__)


@pytest.mark.parametrize("language", languages(tools.PACKAGE))
def test_what_a_model_reads_before_it_plays_is_short(language: str, tables: Tables, converse: Converse) -> None:
    async def listed(ask: Any) -> tuple[list[Any], str]:
        return (await ask.client.list_tools()).tools, ask.client.instructions

    with using_language(language):
        offered, instructions = converse(tables, listed)
    read = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in offered]
    assert [tool["name"] for tool in read] == list(tools.TOOLS)
    assert len(read) <= 8
    assert len(json.dumps(read, ensure_ascii=False).encode()) + len(instructions.encode()) < 6_000


@pytest.mark.parametrize("game", GAMES)
def test_a_scripted_player_plays_a_whole_game(game: str, tables: Tables, converse: Converse) -> None:
    from tests.agents.clients import KEY, play_on

    async def talk(ask: Any) -> tuple[list[str], str, str]:
        keys = KEY.findall(await ask("new_game", game=game, players=2, names=["Ada", "Bruno"]))
        last = await play_on(ask, keys)
        assert "[" + game in await ask.refused("play", key=keys[0], move=1)
        return keys, last, await ask("score", key=keys[1])

    keys, last, score = converse(tables, talk)
    position = tables.place(keys[0]).position
    assert position.is_over
    assert Record.of(position).replay().legal
    assert score == str(position.seen_by(1).result)
    assert any(last.endswith(str(position.seen_by(seat).result)) for seat in range(2))


def test_whatever_a_client_sends_is_answered(tables: Tables, converse: Converse) -> None:
    """A thousand malformed calls: each is refused with a sentence, and nothing has changed."""
    _, keys = tables.begin(GAMES[0], 2)
    before = tables.place(keys[0]).position
    odd = random.Random(1)
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    near = [
        keys[0][:-1],
        keys[0].upper(),
        f"{keys[0]} ",
        keys[0].replace("-0-", "-1-"),
        f"{GAMES[0]}.",
        "0 pass\n0 pass",
    ]
    texts = [
        "",
        " ",
        ".",
        "{",
        "{}",
        '{"type": 1}',
        "0",
        "-1",
        "９",
        "\x00",
        "\u202e",
        "\ud800",
        "x" * 2_000,
        "[" * 500,
    ]
    documents = [
        [],
        [[]],
        {},
        {"type": "pass"},
        {"type": None, "seat": "0"},
        {"game": GAMES[0]},
        {"a": {"b": [1]}},
        deep,
    ]
    values = [None, True, -1, 0, 2**70, 1.5, float("nan"), "../../x", *near, *texts, *documents]

    async def talk(ask: Any) -> int:
        refused = 0
        for _ in range(1_000):
            name = odd.choice(list(tools.TOOLS))
            known = list(tools.bare_schema(tools.TOOLS[name].arguments)["properties"])
            arguments = {member: odd.choice(values) for member in known if odd.random() < 0.8}
            if "key" in arguments and odd.random() < 0.5:
                arguments["key"] = keys[1]
            if odd.random() < 0.2:
                arguments[odd.choice(["", "seed", "seat", "__class__"])] = odd.choice(values)
            text, is_error = await ask.ask(name, arguments)
            assert text
            refused += is_error
        return refused

    assert converse(tables, talk) > 700
    assert tables.place(keys[0]).position is before


def test_every_kind_of_refusal_says_why(tables: Tables, converse: Converse) -> None:
    """A table of calls, with a part of the text that a model reads."""
    record = Record.of(capomastro.set_up("palazzo", 2, seed=1).play("0 take-money")).document()
    _, (ada, bruno) = tables.begin("palazzo", 2, ["Ada", "Bruno"])
    sheet = {"game": "palazzo", "schema_version": 1, "seats": [{"palaces": []}]}
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("games", {"game": "chess"}, "There is no game"),
        ("new_game", {"game": "palazzo"}, "missing required field `players`"),
        ("new_game", {"game": "palazzo", "players": 5}, "players"),
        ("new_game", {"game": "palazzo", "players": 2, "names": ["Ada"]}, "name"),
        ("new_game", {"game": "palazzo", "players": 2, "options": {"builder": 9}}, "builder"),
        ("look", {"key": bruno.replace("-1-", "-0-")}, "No table has this key"),
        ("look", {"key": ada, "seat": 1}, "unknown field `seat`"),
        ("moves", {"key": bruno}, "You are seat 1. [palazzo.turn.seat]"),
        ("play", {"key": bruno, "move": 1}, "You are seat 1. [palazzo.turn.seat]"),
        ("play", {"key": bruno, "move": "0 build"}, "[palazzo.turn.asker]"),
        ("play", {"key": bruno, "move": "draw-tile marble-1-1"}, "[palazzo.turn.asker]"),
        ("play", {"key": ada, "move": 3}, "numbered from 1 to 2"),
        ("moves", {"key": ada, "first": 3}, "numbered from 1 to 2"),
        ("play", {"key": ada, "move": "pass"}, "[palazzo.turn.step]\nnearest legal moves\n0 take-money"),
        ("play", {"key": ada, "move": "castle"}, "as it is written: 0 take-money"),
        ("play", {"key": ada, "move": "raise red-99"}, "?\nA legal move, as it is written: 0 take-money"),
        ("play", {"key": ada, "move": "take-two-cards red-3"}, "/cards: has 1 item, at least 2 needed\nA legal move"),
        ("play", {"key": bruno, "move": "buy brick-2-1 payment=?"}, "/payment/0: "),
        ("play", {"key": ada, "move": '{"type": '}, "not acceptable JSON"),
        ("play", {"key": ada, "move": {"type": "build", "seat": "Ada"}}, "/seat"),
        ("play", {"key": ada, "move": 1, "ply": 12}, "at ply 13 now"),
        ("rule", {"id": "palazzo.buy.prize"}, "Did you mean “palazzo.buy.price”?"),
        ("score", {}, "either `scoresheet` or `key`"),
        ("score", {"key": ada}, "not over"),
        ("score", {"scoresheet": sheet}, "/seats"),
        ("check", {"record": "?"}, "1:1"),
        ("check", {"record": "?" * 400_000}, "400000 bytes allowed"),
        ("check", {"record": {**record, "rules_version": 99}}, "99"),
    ]

    async def talk(ask: Any) -> list[str]:
        return [await ask.refused(tool, **arguments) for tool, arguments, _ in cases]

    for (tool, arguments, part), text in zip(cases, converse(tables, talk), strict=True):
        assert part in text, (tool, arguments, text)


@pytest.mark.parametrize(("names", "told"), [(["Ada", "Bruno"], "You are Bruno (seat 1)."), (None, "You are seat 1.")])
def test_a_seat_reads_who_it_is(names: list[str] | None, told: str, tables: Tables, converse: Converse) -> None:
    _, keys = tables.begin("palazzo", 2, names)

    async def talk(ask: Any) -> str:
        return str(await ask("look", key=keys[1]))

    assert told in converse(tables, talk).splitlines()


def test_a_move_may_be_json_and_a_record_is_judged(tables: Tables, converse: Converse) -> None:
    from tests.agents.clients import LISTED

    _, (ada, _) = tables.begin("palazzo", 2)
    legal = Record.of(capomastro.set_up("palazzo", 2, seed=1).play("0 take-money", seed=1))
    illegal = legal.text() + "0 buy brick-2-1 payment=red-7\n"

    async def talk(ask: Any) -> list[str]:
        ((_, first), *_) = LISTED.findall(await ask("play", key=ada, move={"type": "take-money", "seat": 0}))
        return [
            await ask("play", key=ada, move=json.dumps(as_document(capomastro.game("palazzo").move(first)))),
            await ask("check", record=legal.text()),
            await ask("check", record=illegal),
            (await ask.client.read_resource(f"capomastro://tables/{ada}.svg")).contents[0].text,
        ]

    played, right, wrong, drawn = converse(tables, talk)
    assert played.startswith("Seat 0 takes ")
    assert right.startswith("legal, ")
    assert "[palazzo.turn.step]" in wrong
    assert drawn.startswith("<svg")


def test_without_the_extra_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(agents, "main", raising=False)
    monkeypatch.setitem(sys.modules, f"{agents.__name__}.main", None)
    answer = CliRunner().invoke(command_line, ["--language", "en", "mcp"])
    assert (answer.exit_code, answer.stderr) == (2, "Error: This needs the MCP SDK: install `capomastro[agents]`.\n")


@contextmanager
def served(*options: str) -> Iterator[str]:
    """The address of a server over HTTP, in a process of its own."""
    command = [*CAPOMASTRO, "mcp", "--http", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=clean_environment()) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            assert said, "it ended at once"
            yield said.split()[-1]
        finally:
            end(process)
    assert process.returncode in (0, -15)


def test_one_client_plays_all_seats_over_stdio(tmp_path: Path, converse: Converse) -> None:
    from mcp import StdioServerParameters

    from tests.agents.clients import KEY, play_on

    async def talk(ask: Any) -> str:
        keys = KEY.findall(await ask("new_game", game="campanile", players=2))
        return await play_on(ask, keys, moves=10)

    arguments = [*CAPOMASTRO[1:], "mcp", "--tables", str(tmp_path)]
    assert "decides" in converse(StdioServerParameters(command=sys.executable, args=arguments), talk)
    (kept,) = tmp_path.glob("*.json")
    assert Record.from_text(kept.read_bytes()).replay().legal


@pytest.mark.long
@pytest.mark.longest
def test_several_clients_share_a_table_of_a_folder_over_http(tmp_path: Path, converse: Converse) -> None:
    from tests.agents.clients import play_on

    with opened(tmp_path) as (folder, secret):
        _, keys = Tables(Keys(secret), folder).begin("campanile", 2)

    async def play(ask: Any) -> str:
        return await play_on(ask, keys, moves=10)

    async def look(ask: Any) -> str:
        return str(await ask("look", key=keys[1]))

    with served("--tables", str(tmp_path)) as address:
        before = converse(address, look, language="it")
        converse(address, play)
        after = converse(address, look)
    assert "Sei posto 1" in before
    (kept,) = tmp_path.glob("*.json")
    assert "You are seat 1" in after
    assert Record.from_text(kept.read_bytes()).replay().legal
