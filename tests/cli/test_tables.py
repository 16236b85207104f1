"""`table`, `verify-table`, `new-key`, and `replay` of an opened game, by players at separate terminals."""

import errno
import json
import re
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any
from urllib.error import URLError
from urllib.request import Request

import pytest
from click.testing import Result
from msgspec.structs import replace

from capomastro.api.application import create_app
from capomastro.cli import service
from capomastro.cli.service import Service
from capomastro.documents import json_text
from capomastro.documents.languages import current_language, using_language
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import SHARED, catalogue
from capomastro.games import all_games
from capomastro.settings import Settings
from capomastro.tables.documents import opened_table, sealed_table
from capomastro.tables.keys import KeyRing
from capomastro.tables.shares import SECRET, lock_of
from tests.support.documents import as_document
from tests.support.lines import lines_of
from tests.tables.games import played
from tests.tables.players import MASTERS

Ask = Callable[..., Result]
ASK = Service.ask
PLAYERS = ("ada", "bruno")


@pytest.fixture(scope="module")
def client() -> Any:
    return create_app(Settings(log_level="CRITICAL", sealing_keys=MASTERS[0])).test_client()


@pytest.fixture(autouse=True)
def requests(monkeypatch: pytest.MonkeyPatch, client: Any) -> list[str]:
    """The requests to the service, which answers in this process."""
    questions: list[str] = []

    def ask(_: Service, game_id: str, question: str, body: dict[str, Any]) -> Any:
        questions.append(f"{game_id} {question}")
        address = f"/v1/games/{game_id}/{question}"
        headers = {"Content-Type": "application/json", "Accept-Language": current_language()}
        # in a context of its own: a service elsewhere would not change the language here
        response = copy_context().run(client.post, address, data=json_text.encode(body), headers=headers)
        if response.status_code != 200:
            raise service.problem_in(response.get_data(), response.status_code)
        return json_text.decode(response.get_data())

    monkeypatch.setattr(Service, "ask", ask)
    return questions


@pytest.fixture
def created(ask: Ask) -> None:
    """A table of Palazzo in `table.json`, and the secrets of its players."""
    locks = [ask("table", "new-secret", f"{name}.secret").output.strip() for name in PLAYERS]
    options = [part for lock in locks for part in ("--lock", lock)]
    answer = ask("table", "create", "palazzo", "--players", "2", *options, "--output", "table.json")
    assert answer.output == "Waiting for seat 0 to join.\n"


def done(ask: Ask, what: str, name: str, *more: str, file: str = "table.json") -> str:
    answer = ask("table", what, file, *more, "--secret", f"{name}.secret")
    assert answer.exit_code == 0, answer.output
    return answer.output


def begin(ask: Ask) -> None:
    for name in PLAYERS:
        done(ask, "join", name)
    done(ask, "draw", "ada")


def test_a_secret_is_readable_only_by_its_owner_and_never_overwritten(ask: Ask, tmp_path: Path) -> None:
    lock = ask("table", "new-secret", "ada.secret").output.strip()
    secret = (tmp_path / "ada.secret").read_text().strip()
    assert SECRET.match(secret)
    assert lock == lock_of(secret)
    assert stat.S_IMODE((tmp_path / "ada.secret").stat().st_mode) == 0o600
    again = ask("table", "new-secret", "ada.secret")
    assert again.exit_code == 2
    assert (tmp_path / "ada.secret").read_text().strip() == secret


def test_keys_are_generated(ask: Ask) -> None:
    keys = {ask("new-key").output.strip() for _ in range(3)}
    assert len(keys) == 3
    assert len(KeyRing(keys).by_id) == 3


def test_no_command_takes_a_secret_or_a_key_as_an_argument(ask: Ask) -> None:
    for command in ("join", "draw", "move", "show", "open"):
        shown = ask("table", command, "--help").output
        assert "your secret" in " ".join(shown.split())
    assert "--key" not in ask("new-key", "--help").output


def test_a_secret_can_be_typed_at_a_prompt(ask: Ask, created: None, tmp_path: Path) -> None:
    secret = (tmp_path / "ada.secret").read_text()
    answer = ask("table", "join", "table.json", given=secret)
    assert answer.exit_code == 0
    assert "Waiting for seat 1 to join." in answer.output
    assert secret.strip() not in answer.output


def test_two_players_begin_a_game(ask: Ask, created: None) -> None:
    begin(ask)
    assert "closed" in done(ask, "show", "ada")
    assert "0 build" in done(ask, "show", "ada")
    assert done(ask, "move", "ada", "build").splitlines() == [
        "0 build",
        "Waiting for seat 1 to draw.",
    ]
    assert "not-awaited" not in done(ask, "draw", "bruno")
    spectator = ask("table", "show", "table.json", "--spectator")
    assert "closed" not in spectator.output
    assert json.loads(ask("table", "show", "table.json", "--spectator", "--json").output)["decision"]["seat"] == 0


def test_an_older_table_is_refused_before_anything_is_sent(
    ask: Ask, created: None, tmp_path: Path, requests: list[str]
) -> None:
    begin(ask)
    old = (tmp_path / "table.json").read_text()
    done(ask, "move", "ada", "build")
    (tmp_path / "old.json").write_text(old)
    requests.clear()
    for what, more in (("move", ["take-money"]), ("show", [])):
        answer = ask("table", what, "old.json", *more, "--secret", "ada.secret")
        assert answer.exit_code == 2
        assert "does not go on from the one you kept" in answer.stderr
    assert requests == []


def test_a_secret_is_for_one_game(ask: Ask, created: None, tmp_path: Path) -> None:
    done(ask, "join", "ada")
    locks = [
        part for name in PLAYERS for part in ("--lock", lock_of((tmp_path / f"{name}.secret").read_text().strip()))
    ]
    ask("table", "create", "palazzo", "--players", "2", *locks, "--nonce", "2", "--output", "second.json")
    answer = ask("table", "join", "second.json", "--secret", "ada.secret")
    assert answer.exit_code == 2
    assert "kept for another game" in answer.stderr


def test_a_fork_is_found_and_its_seat_named(ask: Ask, created: None, tmp_path: Path) -> None:
    begin(ask)
    old = (tmp_path / "table.json").read_text()
    done(ask, "move", "ada", "build")
    (tmp_path / "old.json").write_text(old)
    (tmp_path / "cheat.secret").write_text((tmp_path / "ada.secret").read_text())
    assert ask("verify-table", "table.json", "old.json", "bruno.secret.table").exit_code == 0
    done(ask, "move", "cheat", "take-money", file="old.json")
    found = ask("verify-table", "table.json", "old.json")
    assert found.exit_code == 1
    assert "seat 0 played line 14 twice" in found.output
    listed = json.loads(ask("verify-table", "table.json", "old.json", "--json").output)
    assert listed == {
        "foreign": [],
        "forks": [{"files": ["table.json", "old.json"], "line": 14, "by": "seat", "seat": 0}],
    }


def test_a_fork_is_found_under_rules_that_the_service_no_longer_knows(
    ask: Ask, created: None, save: Callable[[str, Any], str], tmp_path: Path
) -> None:
    """A player who has played twice is not safe once the service has new rules: it says so of genuine tables only."""
    begin(ask)
    game, keys = all_games()["palazzo"], KeyRing(MASTERS[:1])
    begun = opened_table(game, keys, json.loads((tmp_path / "table.json").read_text()))
    earlier = replace(begun, creation=replace(begun.creation, rules_version=begun.creation.rules_version + 1))
    parted = [replace(earlier, record=f"{begun.record}{move}\n") for move in ("0 build", "0 take-money")]
    files = [
        save(f"{number}.json", as_document(sealed_table(game, keys.sealing, one))) for number, one in enumerate(parted)
    ]
    found = ask("verify-table", *files)
    assert found.exit_code == 1, found.output
    assert "seat 0 played line 14 twice" in found.output


def test_a_table_that_was_altered_is_named(ask: Ask, created: None, tmp_path: Path) -> None:
    table = json.loads((tmp_path / "table.json").read_text())
    (tmp_path / "altered.json").write_text(json.dumps({**table, "record": "0 build\n"}))
    answer = ask("verify-table", "table.json", "altered.json")
    assert answer.exit_code == 1
    assert "altered.json: no key of the service has sealed this table as it stands" in answer.output


@pytest.mark.parametrize("value", [[], {}, {"record": 1}, {"table": {"creation": {}}}])
def test_a_file_that_is_not_a_table_is_reported(ask: Ask, save: Callable[[str, Any], str], value: Any) -> None:
    answer = ask("table", "show", save("none.json", value), "--spectator")
    assert answer.exit_code == 2


@pytest.mark.parametrize(
    ("way", "value"),
    [
        (("creation", "game"), "../../elsewhere"),
        (("creation", "game"), "é\r\nHost: elsewhere"),
        (("creation", "game"), "chess"),
        (("creation", "names"), 5),
        (("creation", "names"), ["Ada"]),
        (("creation", "names"), [{}, {}]),
        (("creation", "locks"), [{}, []]),
        (("creation", "locks"), ["ab" * 32]),
        (("creation", "players"), True),
        (("waiting", "seats"), [7]),
        (("waiting", "seats"), [-1]),
        (("waiting", "seats"), []),
        (("waiting", "for"), "your secret"),
        (("waiting", "for"), []),
        (("record",), "0 build"),
    ],
    ids=str,
)
@pytest.mark.parametrize("command", ["show", "join", "open", "verify"])
def test_a_forged_file_is_not_trusted(
    ask: Ask, created: None, tmp_path: Path, requests: list[str], command: str, way: tuple[str, ...], value: Any
) -> None:
    """Its content decides neither which requests are sent nor where, and a command fails only with a problem."""
    table = json.loads((tmp_path / "table.json").read_text())
    holder = table[way[0]] if len(way) > 1 else table
    holder[way[-1]] = value
    (tmp_path / "table.json").write_text(json.dumps(table))
    requests.clear()
    more = {"show": [], "join": [], "open": ["--output", "done.json"]}.get(command)
    if more is None:
        answer = ask("verify-table", "table.json")
    else:
        answer = ask("table", command, "table.json", *more, "--secret", "ada.secret")
    assert answer.exit_code != 0
    assert not {*requests} - {"palazzo tables/views", "palazzo tables/transitions", "palazzo tables/records"}
    assert not (tmp_path / "ada.secret.table").exists()


def test_a_table_that_the_service_replaced_is_not_kept(
    ask: Ask, created: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operator with all shares could restart with another root: an answer must extend the table that was sent."""
    done(ask, "join", "ada")
    before, honest = (tmp_path / "table.json").read_text(), Service.ask

    def exchanged(service: Service, game: str, question: str, body: dict[str, Any]) -> Any:
        answer = honest(service, game, question, body)
        return {**answer, "table": {**answer["table"], "commitment": "0" * 64}}

    monkeypatch.setattr(Service, "ask", exchanged)
    answer = ask("table", "join", "table.json", "--secret", "bruno.secret")
    assert answer.exit_code == 2
    assert "does not go on from the table that was sent" in answer.stderr
    assert (tmp_path / "table.json").read_text() == before
    assert not (tmp_path / "bruno.secret.table").exists()


def test_joining_players_are_shown_the_terms(ask: Ask, created: None) -> None:
    assert done(ask, "join", "ada").splitlines()[0] == (
        "You join as seat 0: Palazzo, 2 players; draws witnessed; stack_sizes 16, 16, 16; builder 0."
    )


def test_a_table_of_somebody_elses_making_has_no_terms_to_join_on(ask: Ask, created: None, tmp_path: Path) -> None:
    """Nothing in a file is believed before the service has found it genuine, names and options neither."""
    table = json.loads((tmp_path / "table.json").read_text())
    table["creation"]["names"] = ["You have won", "Bruno"]
    (tmp_path / "table.json").write_text(json.dumps(table))
    answer = ask("table", "join", "table.json", "--secret", "ada.secret")
    assert answer.exit_code == 2
    assert "You have won" not in answer.output


def test_joining_out_of_order_is_refused_before_anything_is_sent(ask: Ask, created: None, requests: list[str]) -> None:
    requests.clear()
    answer = ask("table", "join", "table.json", "--secret", "bruno.secret")
    assert answer.exit_code == 2
    assert "Waiting for seat 0 to join" in answer.stderr
    assert requests == []


def test_only_http_addresses_are_accepted(ask: Ask, created: None) -> None:
    answer = ask("table", "join", "table.json", "--secret", "ada.secret", "--service", "file:///etc/passwd")
    assert answer.exit_code == 2


CREATE = ("table", "create", "palazzo", "--players", "1", "--lock", "0" * 64, "--output", "new.json", "--service")


@pytest.mark.parametrize("rest", ["[", "localhost:abc", "exa mple", "ü..x", "localhost/ü", "localhost/a b", ":80"])
def test_an_address_that_is_none_is_told(ask: Ask, monkeypatch: pytest.MonkeyPatch, rest: str) -> None:
    monkeypatch.setattr(Service, "ask", ASK)
    answer = ask(*CREATE, f"http://{rest}")
    assert answer.exit_code == 2
    assert answer.stderr.endswith(" is not the address of a service, such as http://localhost:8000.\n")


NO_HTTP = "No service answers at {address}: the answer is not HTTP, or breaks off."
OTHER = "What answers is not a capomastro service: status {status}."
OTHER_ANSWERS = {
    b"220 smtp.example\r\n": NO_HTTP,
    b"": NO_HTTP,
    b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{": NO_HTTP,
    b"HTTP/1.1 404 Not Found\r\nContent-Length: 99\r\n\r\n{": NO_HTTP,
    b"HTTP/1.1 200 OK\r\n\r\n<html>": OTHER.format(status=200),
    b"HTTP/1.1 200 OK\r\n\r\n{}": OTHER.format(status=200),
    b"HTTP/1.1 200 OK\r\n\r\n[]": OTHER.format(status=200),
    b'HTTP/1.1 200 OK\r\n\r\n{"table": []}': OTHER.format(status=200),
    b'HTTP/1.1 200 OK\r\n\r\n{"table": {}}': OTHER.format(status=200),
    b"HTTP/1.1 404 Not Found\r\n\r\n[]": OTHER.format(status=404),
    b"HTTP/1.1 301 Moved Permanently\r\nLocation: /elsewhere\r\n\r\n": OTHER.format(status=301),
}


@pytest.mark.parametrize(("content", "told"), OTHER_ANSWERS.items())
def test_a_server_that_is_no_service_is_told(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, content: bytes, told: str
) -> None:
    monkeypatch.setattr(Service, "ask", ASK)
    with answering(content) as (address, asked):
        answer = ask(*CREATE, address)
    assert (answer.exit_code, answer.stderr) == (2, told.format(address=address) + "\n")
    assert len(asked) == 1


@contextmanager
def answering(content: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """The address of a server that gives the same answer to every request, and the requests."""
    asked: list[bytes] = []

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            asked.append(self.request.recv(65536))
            self.request.sendall(content)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()


# --- other languages --------------------------------------------------------------------------------------------------

AGREED = {
    "it": "estrazioni davanti a un testimone; tessere per pila 16, 16, 16; cava del maestro costruttore 0",
    "es": "sorteos ante un testigo; losetas por pila 16, 16, 16; cantera del maestro de obras 0",
    "de": "Ziehungen vor Zeugen; Bauteile je Stapel 16, 16, 16; Steinbruch des Baumeisters 0",
}
"""What a player who joins agrees to."""
MOVES = {
    "it": ["Posto 0 prende denaro", "Posto 0 pesca due tessere, per comprare o mettere all’asta"],
    "es": ["Asiento 0 toma dinero", "Asiento 0 roba dos losetas, para comprar o subastar"],
    "de": ["Sitz 0 nimmt Geld", "Sitz 0 zieht zwei Bauteile, zum Kaufen oder Versteigern"],
}
"""The first two legal moves."""


@pytest.mark.parametrize("language", AGREED)
def test_moves_at_a_table_are_told_beside_what_is_typed(ask: Ask, created: None, tmp_path: Path, language: str) -> None:
    def printed(what: str, name: str, *more: str) -> list[str]:
        arguments = ("--language", language, "table", what, "table.json", *more, "--secret", f"{name}.secret")
        return ask(*arguments).output.splitlines()

    assert AGREED[language] in printed("join", "ada")[0]
    printed("join", "bruno")
    assert re.fullmatch(r"[A-Z].+[^ ]  +draw-tile [a-z]+-[0-9]-[0-9]", printed("draw", "ada")[0])
    take, build = MOVES[language]
    assert printed("show", "ada")[-2:] == [f"  {take.ljust(len(build))}  0 take-money", f"  {build}  0 build"]
    (tmp_path / "old.json").write_bytes((tmp_path / "table.json").read_bytes())
    assert printed("move", "ada", "build")[0] == f"{build}  0 build"
    refused = ask("--language", language, "table", "show", "old.json", "--secret", "ada.secret").stderr
    assert refused.split("ada.secret.table")[0] in phrase_in(language, "fork")


def test_documents_do_not_depend_on_the_language(ask: Ask, created: None) -> None:
    begin(ask)
    show = ("table", "show", "table.json", "--secret", "ada.secret", "--json")
    assert ask("--language", "de", *show).output == ask("--language", "en", *show).output


def phrase_in(language: str, key: str) -> str:
    text: str = catalogue(SHARED, language)["details"][key]
    return text


def test_a_service_is_asked_in_the_language_of_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Request] = []

    def answered(request: Request, timeout: float) -> Any:
        sent.append(request)
        raise URLError(ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"))

    monkeypatch.undo()  # the service is asked as it is, over HTTP
    monkeypatch.setattr(service, "post", answered)
    for language, message in (("en", "[Errno 111] Connection refused."), ("it", "[Errno 111] connessione rifiutata.")):
        with using_language(language), pytest.raises(Problem, match=re.escape(message)):
            Service("http://localhost:8000").ask("palazzo", "tables", {})
        assert sent[-1].get_header("Accept-language") == language


def test_the_address_of_a_service_may_end_with_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answered(request: Request, timeout: float) -> Any:
        asked.append(request.full_url)
        raise URLError("nobody is there")

    monkeypatch.undo()  # the service is asked as it is, over HTTP
    monkeypatch.setattr(service, "post", answered)
    for address in ("http://localhost:8000", "http://localhost:8000/v1", "http://localhost:8000/v1/"):
        with pytest.raises(Problem):
            Service(address).ask("palazzo", "tables", {})
    assert asked == ["http://localhost:8000/v1/games/palazzo/tables"] * 3


# --- the end ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(save: Callable[[str, Any], str]) -> dict[str, Any]:
    """A finished game of Palazzo in `opened.json`, a table of it in `kept.json`."""
    found = played("palazzo", 2)
    save("opened.json", found.opened)
    save("kept.json", found.tables[20])
    return found.opened


def test_an_opened_game_is_verified_without_a_service(ask: Ask, opened: dict[str, Any], requests: list[str]) -> None:
    answer = ask("replay", "opened.json", "--table", "kept.json")
    assert answer.exit_code == 0, answer.output
    assert "every draw is that of the seed" in answer.output
    assert ask("replay", "opened.json", "--seed", opened["seed"]).exit_code == 0
    assert requests == []


def test_draws_are_compared_with_the_seed_and_the_promises(
    ask: Ask, opened: dict[str, Any], save: Callable[[str, Any], str]
) -> None:
    wrong = ask("replay", "opened.json", "--seed", "another")
    assert wrong.exit_code == 1
    assert "UNFAIR: move 1 is draw-tile" in wrong.output
    table = played("palazzo", 2).tables[20]
    for name, other, message in (
        ("root.json", {**opened, "root": "0" * 64}, "the root is not the one the table is committed to"),
        ("share.json", {**opened, "shares": [opened["shares"][0]] * 2}, "the share of seat 1 does not fit its lock"),
        ("few.json", {**opened, "shares": opened["shares"][:1]}, "there are not as many shares as locks"),
        ("seed.json", {**opened, "seed": "0" * 64}, "the seed does not follow from the root and the shares"),
    ):
        found = ask("replay", save(name, other), "--table", "kept.json", "--json")
        assert found.exit_code == 1
        assert message in json.loads(found.output)["unfair"]
    save("other.json", {**table, "record": "draw-tile brick-1-1\n"})
    assert (
        "the record does not begin with that of the table"
        in ask("replay", "opened.json", "--table", "other.json").output
    )
    save("other.json", {**table, "creation": {**table["creation"], "names": ["x", "y"]}})
    assert "names: not as agreed" in ask("replay", "opened.json", "--table", "other.json").output
    assert ask("replay", save("bare.json", opened["record"]), "--table", "kept.json").exit_code == 2


def test_a_finished_game_is_opened(ask: Ask, save: Callable[[str, Any], str], tmp_path: Path) -> None:
    found = played("palazzo", 2)
    save("table.json", found.tables[-1])
    (seat,) = found.tables[-1]["waiting"]["seats"]
    (tmp_path / "mine.secret").write_text(found.players[seat].secret)
    answer = ask("table", "open", "table.json", "--output", "done.json", "--secret", "mine.secret")
    assert answer.exit_code == 0, answer.output
    assert json.loads((tmp_path / "done.json").read_text()) == found.opened
    assert ask("replay", "done.json", "--table", "table.json").exit_code == 0


def test_draws_are_printed_with_their_weights(ask: Ask, opened: dict[str, Any]) -> None:
    lines = [json.loads(line) for line in lines_of(ask("replay", "opened.json", "--draws").output)]
    assert lines[0]["ply"] == 0
    assert sum(lines[0]["weights"].values()) == 48
    assert [one["drawn"] for one in lines[:1]] == [opened["record"]["moves"][0]["tile"]]
