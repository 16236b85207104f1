"""Tables of players far apart: each has their own browser, connected only by what they pass on."""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, cycle, pairwise
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.pages.conftest import Opener
from tests.pages.robot import Robot

VECTORS = Path(__file__).resolve().parents[2] / "conformance" / "tables"
TABLE = "document.querySelector('game-table')"
IDLE = f"() => !location.hash && !{TABLE}.working && (!document.querySelector('.passing') || {TABLE}.distance.packed)"
"""Whether the page is idle and the text to pass on is ready."""
PLAY = f"""async (move) => {{
  const it = {TABLE};
  await it.play(move ?? (await it.consult("suggestions", {{ seed: it.table.id }})).move);
}}"""
"""Plays a move, or else the suggested one."""
LONGEST_LINK = 2_000


class Player:
    """A player with their own browser, who gets from others only what `receive` gets."""

    def __init__(self, name: str, robot: Robot) -> None:
        self.name = name
        self.robot = robot
        self.asked: list[str] = []
        robot.page.on("request", lambda request: self.asked.append(f"{request.url} {request.post_data}"))

    @property
    def page(self) -> Any:
        return self.robot.page

    def settled(self) -> None:
        self.page.wait_for_function(IDLE)

    def tap(self, name: str) -> None:
        self.robot.tap(name, exact=True)
        self.settled()

    def can(self, name: str) -> bool:
        return bool(self.robot.button(name, exact=True).count())

    def is_to_move(self) -> bool:
        return bool(self.page.evaluate(f"() => {TABLE}.table?.isWaiting === false"))

    def move(self, type: str) -> None:
        """Plays the only move of this type."""
        self.page.evaluate(f"(move) => {TABLE}.play(move)", {"type": type, "seat": self.kept()["seat"]})
        self.settled()

    def offered_text(self) -> str:
        """What the page offers to pass on, as text to copy."""
        self.settled()
        text: str = self.page.locator(".passing textarea").input_value()
        link = text if text.startswith("http") else f"{self.page.url.partition('?')[0]}#{text}"
        assert (len(link) <= LONGEST_LINK) == (text == link)
        return text

    def saved(self, folder: Path) -> Path:
        """The same as a file."""
        self.page.locator(".passing summary").click()
        with self.page.expect_download() as download:
            self.robot.tap("Save as a file", exact=True)
        file = folder / f"{self.name}.json"
        download.value.save_as(file)
        return file

    def receive(self, text: str) -> None:
        """Follows a link, or puts a text in."""
        if text.startswith("http"):
            self.page.goto(text)
            self.robot.settle()
        else:
            self.paste(text)
        self.settled()

    def paste(self, text: str) -> None:
        if not self.page.locator("#received").is_visible():
            if self.page.locator("summary", has_text="Open what was sent").count():
                self.page.locator("summary", has_text="Open what was sent").click()
            else:
                self.robot.tap("Menu")
                self.robot.tap("Open what was sent to you")
        self.page.locator("#received").fill(text)
        self.robot.tap("Open it", exact=True)
        self.settled()

    def open_file(self, file: Path) -> None:
        self.page.locator("input[type=file]").set_input_files(file)
        self.settled()

    def kept(self) -> dict[str, Any]:
        """The only distance game in this browser."""
        items = self.page.evaluate("() => Object.entries(localStorage)")
        (far,) = [json.loads(value) for key, value in items if key.startswith("capomastro.far.")]
        game: dict[str, Any] = far
        return game

    def message(self) -> str:
        return self.robot.text("[role=alert]")


def at_home(visit: Opener, game: str, *names: str, **how: Any) -> list[Player]:
    """Players with their browsers; the last one has entered the names, and invites the others."""
    players = [Player(name, visit(f"/play/{game}", **how)) for name in names]
    invite_others(players)
    return players


def invite_others(players: list[Player]) -> None:
    """The last player enters the names."""
    *names, own = [player.name for player in players]
    page = players[-1].page
    page.locator(".intentions input").last.check()
    page.locator(".setting .field input").fill(own)
    others = page.locator(".settings ol input")
    for seat, name in enumerate(names):
        if others.count() == seat:
            page.locator(".settings .button.wide").click()
        others.nth(seat).fill(name)
    page.locator("form.setup [type=submit]").click()
    page.locator(".passing").wait_for()


def agreed(players: list[Player]) -> list[str]:
    """Everybody takes their place and joins, until the first can move; returns what was passed on."""
    passed = []
    for player, following in pairwise([*reversed(players), *players[1:], players[0]]):
        passed.append(player.offered_text())
        following.receive(passed[-1])
        if following.can(f"I am {following.name}"):
            following.tap(f"I am {following.name}")
    assert players[0].is_to_move()
    return passed


agreed_before = dict[str, list[tuple[str, dict[str, str]]]]()
"""By service: the address and the storage of each player of the first table that was agreed on."""


def at_an_agreed_table(visit: Opener) -> list[Player]:
    """Ada and Bruno, who have agreed on a game of Palazzo; later tests get what their browsers kept then."""
    players = [Player(name, visit("/play/palazzo")) for name in ("Ada", "Bruno")]
    service = players[0].page.evaluate("() => location.origin")
    if service not in agreed_before:
        invite_others(players)
        agreed(players)
        storage = "() => ({ ...localStorage })"
        agreed_before[service] = [(player.page.url, player.page.evaluate(storage)) for player in players]
        return players
    for player, (address, kept) in zip(players, agreed_before[service], strict=True):
        player.page.evaluate("(kept) => Object.assign(localStorage, kept)", kept)
        player.page.goto(address)
        player.robot.settle()
        player.settled()
    return players


def everything_in(text: str) -> str:
    """What a link or a text contains: itself, unpacked, and its sealed bytes as hexadecimal digits."""
    packed = text.rpartition("#")[2]
    unpacked = zlib.decompress(base64.urlsafe_b64decode(packed[1:] + "==="), -15).decode()
    return f"{text}\n{unpacked}\n{with_sealed_bytes(json.loads(unpacked))}"


def with_sealed_bytes(document: dict[str, Any]) -> str:
    sealed = document.get("sealed", "1.0.").split(".")[2]
    return base64.urlsafe_b64decode(sealed + "===").hex()


def secrets_of(player: Player) -> list[str]:
    """A player's secret in every form it could be sent in."""
    secret = player.kept()["secret"]
    raw = base64.urlsafe_b64decode(secret + "=")
    share = player.page.evaluate(f"async (it) => (await import({TABLE}.files + '/sealed.js')).digest(it)", secret)
    return [secret, raw.hex(), base64.b64encode(raw).decode().rstrip("="), share]


def played(players: list[Player], folder: Path, steps: int, moves: Iterable[dict[str, Any]] = ()) -> list[str]:
    """The awaited player does what the table waits for, then passes it on, by link, text and file in turn.

    So many times at most, or to the end of the game. They play the given moves, then the suggested ones.
    Returns what was passed on.
    """
    passed: list[str] = []
    given = iter(moves)
    ways = cycle(("link", "link", "file"))
    at = players[0]
    for _ in range(steps):
        if at.page.locator(".result").count():
            break
        if at.is_to_move():
            at.page.evaluate(PLAY, next(given, None))
            at.settled()
        else:
            waiting = at.kept()["table"]["waiting"]
            to = players[waiting["seats"][0]]
            passed.append(at.offered_text())
            if next(ways) == "file" and to.page.locator("input[type=file]").count():
                file = at.saved(folder)
                passed.append(at.offered_text())
                to.open_file(file)
            else:
                to.receive(passed[-1])
            at = to
    return passed


LEFT = 6
"""Steps at the end of a game that are taken in the pages."""


def nearly_over(players: list[Player]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The table shortly before the end, after random moves by the secrets in the browsers, without their pages.

    And the moves that end the game: the suggested ones can make it many times as long.
    """
    random, request = Random(7), players[0].page.request
    secrets = [player.kept()["secret"] for player in players]
    tables = [max((player.kept()["table"] for player in players), key=lambda table: len(table["record"]))]
    steps: list[list[dict[str, Any]]] = []
    while tables[-1]["waiting"]["for"] != "opening":
        seat = tables[-1]["waiting"]["seats"][0]
        asked = {"table": tables[-1], "seat": seat, "secret": secrets[seat]}
        moves = []
        if tables[-1]["waiting"]["for"] == "move":
            view = request.post("/v1/games/campanile/tables/views", data={**asked, "legal_moves": 100}).json()
            moves = [random.choice(view["legal_moves"]["moves"])]
        answer = request.post("/v1/games/campanile/tables/transitions", data={**asked, "moves": moves}).json()
        tables.append(answer["table"])
        steps.append(moves)
    return tables[-LEFT - 1], list(chain.from_iterable(steps[-LEFT:]))


@pytest.mark.long
@pytest.mark.longest
def test_a_game_is_played_to_its_end_by_passing_the_table_on(visit: Opener, tmp_path: Path) -> None:
    players = at_home(visit, "campanile", "Ada", "Bruno", "Cleo")
    passed = agreed(players)
    assert len(passed) == 2 * len(players) - 1
    passed += played(players, tmp_path, steps=2 * LEFT)
    nearly, moves = nearly_over(players)
    players[0].paste(json.dumps(nearly))
    passed += played(players, tmp_path, steps=4 * LEFT, moves=moves)
    opener = next(player for player in players if "opened" in player.kept())
    passed.append(opener.offered_text())
    assert opener.robot.text("#turn") == "Opened and checked"
    for player in players:
        if player is not opener:
            player.receive(passed[-1])
            assert player.robot.text("#turn") == "Opened and checked"
            assert player.kept()["opened"] == opener.kept()["opened"] | {"result": player.kept()["opened"]["result"]}
    root = opener.kept()["opened"]["root"]
    on_the_way = [everything_in(text) for text in passed[:-1]]
    for player in players:
        secrets = secrets_of(player)
        assert not [one for one in on_the_way for secret in [*secrets, root] if secret in one]
        assert not [one for one in [passed[-1], *passed] if any(secret in one for secret in secrets[:3])]
        for other in players:
            if other is not player:
                everything = [*other.asked, json.dumps(other.kept() | {"opened": None})]
                assert not [one for one in everything for secret in secrets[:3] if secret in one]


@pytest.mark.long
@pytest.mark.longest
def test_a_table_that_contradicts_the_kept_one_or_is_older_is_refused_with_an_explanation(
    visit: Opener, tmp_path: Path
) -> None:
    ada, bruno = at_home(visit, "palazzo", "Ada", "Bruno")
    *_, joined = agreed([ada, bruno])
    before = ada.page.context.storage_state()
    lines = ada.kept()["table"]["record"].count("\n")
    ada.move("take-money")
    bruno.receive(ada.offered_text())
    assert not bruno.page.locator("[role=alert]").count()

    cheat = Player("Ada", visit(ada.page.url, storage_state=before))
    cheat.settled()
    cheat.move("build")
    kept = bruno.kept()["table"]
    bruno.receive(cheat.offered_text())
    assert bruno.message().startswith(f"Ada has played move {lines + 1} twice")
    assert bruno.kept()["table"] == kept
    with bruno.page.expect_download():
        bruno.robot.tap("Save both tables")
    bruno.receive(joined)
    assert bruno.message().startswith("This is an older table than the one kept here.")
    assert bruno.kept()["table"] == kept

    altered = tmp_path / "altered.json"
    altered.write_text(json.dumps({**kept, "record": kept["record"].replace("take-money", "build")}), "utf-8")
    bruno.open_file(altered)
    assert bruno.message() == "No key of this service has sealed this table as it stands."
    assert bruno.kept()["table"] == kept


@pytest.mark.long
@pytest.mark.longest
def test_a_table_with_other_terms_is_refused_with_an_explanation(visit: Opener, tmp_path: Path) -> None:
    ada, bruno, eve = *at_home(visit, "palazzo", "Ada", "Bruno"), Player("Ada", visit("/play/palazzo"))
    invitation = bruno.offered_text()
    for player in (ada, eve):
        player.receive(invitation)
        player.tap("I am Ada")
    bruno.receive(ada.offered_text())
    bruno.receive(eve.offered_text())
    assert bruno.message().startswith("This is not what was agreed on")
    eve.receive(bruno.offered_text())
    assert eve.message().startswith("This is not what was agreed on")
    eve.paste("https://example.org/")
    assert eve.message().startswith("This is not a table, an invitation or a finished game.")
    stranger = Player("Dora", visit("/play/palazzo"))
    stranger.receive(bruno.offered_text())
    assert stranger.robot.text("#turn") == "You are watching"


SHARING = "navigator.share = async (what) => { window.shared = what; }"
DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "table.json", { type: "application/json" }));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_a_game_moves_to_another_device_and_is_deleted_on_the_first(visit: Opener, tmp_path: Path) -> None:
    """By a file that describes itself in words; only its owner can open it, and never with a wrong secret."""
    ada, bruno, tablet = *at_an_agreed_table(visit), Player("Ada", visit("/play/palazzo"))
    ada.page.evaluate(PLAY)
    ada.settled()
    before = ada.kept()
    ada.robot.tap("Menu")
    with ada.page.expect_download() as download:
        ada.robot.tap("Move to another device of mine")
        assert "anyone who has it sees your hand" in ada.robot.text("dialog[open]")
        ada.robot.tap("Save the file with my secret")
    ada.robot.close_dialog()
    saved = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert saved["secret"] == before["secret"]
    assert saved["secret"] not in ada.offered_text()

    tablet.page.evaluate(DROP, json.dumps({**saved, "secret": bruno.kept()["secret"]}))
    tablet.page.get_by_role("button", name="I saved it: go on here").click()
    tablet.page.locator("[role=alert]", has_text="This is not what was agreed on").wait_for()
    tablet.page.evaluate(DROP, json.dumps(saved))
    tablet.page.locator("[role=alert]", has_text="This file holds the secret of Ada").wait_for()
    assert tablet.page.evaluate("() => !Object.keys(localStorage).some((key) => key.startsWith('capomastro.far.'))")
    tablet.page.get_by_role("button", name="I saved it: go on here").click()
    tablet.page.locator(".passing").wait_for()
    tablet.settled()
    moved = tablet.kept()
    assert {name: moved[name] for name in ("seat", "secret", "table")} == {
        name: before[name] for name in ("seat", "secret", "table")
    }

    tablet.page.evaluate(SHARING)
    tablet.page.evaluate(f"() => {TABLE}.show()")
    tablet.robot.tap("Share", exact=True)
    shared = tablet.page.wait_for_function("() => window.shared").json_value()
    assert shared == {"url": tablet.offered_text()}

    ada.robot.tap("Menu")
    ada.robot.tap("New game")
    ada.page.locator("details.setup summary").click()
    ada.robot.tap("Delete: ")
    assert ada.page.evaluate("() => !Object.keys(localStorage).some((key) => key.startsWith('capomastro.far.'))")
    ada.robot.tap("Undo: ")
    assert ada.kept() == before


def vectors(name: str) -> Iterator[Any]:
    yield from map(json.loads, (VECTORS / f"{name}.ndjson").read_bytes().split(b"\n")[:-1])


def test_secrets_ids_and_forks_are_those_of_the_conformance_kit(visit: Opener) -> None:
    page = visit("/play/palazzo").page
    here = f"(await import({TABLE}.files + '/sealed.js'))"
    for one in vectors("secrets"):
        assert page.evaluate(f"async (it) => {here}.lockOf(it)", one["secret"]) == one["lock"]
    for one in vectors("tables"):
        creation = one["table"]["creation"]
        assert page.evaluate(f"async (it) => {here}.canonical(it)", creation) == one["canonical_creation"]
        assert page.evaluate(f"async (it) => {here}.idOf(it)", creation) == one["table"]["id"]
        sent = page.evaluate(f"async (it) => {here}.unpacked(await {here}.packed({{table: it}}))", one["table"])
        left_out = {name: value for name, value in one["table"].items() if name not in ("id", "state")}
        assert sent == {"compact": left_out}
    for one in vectors("forks"):
        kept, new = one["tables"]
        both = [page.evaluate(f"async (it) => {here}.extendsTable(...it)", pair) for pair in ([kept, new], [new, kept])]
        assert both == one["extends"]
        if one["fork"] != "different games":
            found = page.evaluate(f"async (it) => {here}.fork(...it) ?? null", one["tables"])
            parted = one["fork"] and {"line": one["fork"]["line"] + 1, "seat": one["fork"].get("seat")}
            assert found == parted
        else:
            assert not page.evaluate(f"async (it) => {here}.isSameGame(...it)", one["tables"])
    assert page.evaluate(f"async () => {here}.newSecret()") != page.evaluate(f"async () => {here}.newSecret()")


def test_finished_games_of_the_conformance_kit_are_found_fair_and_unfair(visit: Opener) -> None:
    page = visit("/play/palazzo").page
    page.evaluate(f"async () => void await {TABLE}.loadDistance()")
    judge = (
        f"async ([opened, table]) => (await (await import({TABLE}.files + '/play/distance.js'))"
        f".faultIn(opened, table, {TABLE}.ask)) ?? null"
    )
    for one in vectors("opened"):
        fault = page.evaluate(judge, [one["opened"], one["table"]])
        assert (fault is None) == (one["fault"] is None), one["name"]


def test_a_false_result_of_a_fair_game_is_not_kept(visit: Opener) -> None:
    """The player who passes an opened game on may have written another winner into it: the service counts again."""
    page = visit("/play/palazzo").page
    page.evaluate(f"async () => void await {TABLE}.loadDistance()")
    one = next(
        one for one in vectors("opened") if one["fault"] is None and one["opened"]["record"]["game"] == "palazzo"
    )
    fair = one["opened"]["record"]["result"]
    false = json.loads(json.dumps(one["opened"]))
    false["record"]["result"]["players"][0]["total"] += 50
    opened = page.evaluate(
        f"async ([opened, table]) => {{ const distance = await import({TABLE}.files + '/play/distance.js');"
        f" const ask = {TABLE}.ask;"
        # the service of this test has no key of the kit's
        " const kept = (path, body) => path.endsWith('tables/views') ? {} : ask(path, body);"
        " await distance.received(JSON.stringify(table), 'palazzo', kept);"
        " return (await distance.received(JSON.stringify(opened), 'palazzo', ask)).saved.opened; }",
        [false, {**one["table"], "waiting": {"for": "opening", "seats": [0]}, "state": {}, "sealed": "1.00000000.AA"}],
    )
    assert opened["result"] == fair
    assert opened["record"]["result"] == fair


def test_a_table_survives_a_link(visit: Opener) -> None:
    """Omitted members follow from the rest, in every game and at every stage."""
    page = visit("/play/palazzo").page
    for one in vectors("tables"):
        creation, table = one["table"]["creation"], one["table"]
        again = page.evaluate(
            f"async ([table, address]) => {{ const sealed = await import({TABLE}.files + '/sealed.js');"
            f" const {{state}} = await {TABLE}.ask(address, sealed.withHead(table.creation, table.record),"
            " {sends: 'text/vnd.capomastro.record'}); return state; }",
            [table, f"/v1/games/{creation['game']}/replays"],
        )
        assert again == table["state"], one["name"]


@pytest.mark.long
@pytest.mark.parametrize(("language", "dark"), [("en", False), ("de", True)])
def test_every_step_of_passing_a_table_on_is_accessible(visit: Opener, axe: str, language: str, dark: bool) -> None:
    robot = visit("/play/campanile", language=language, dark=dark, width=320)
    page = robot.page
    page.locator(".intentions input").last.check()
    page.locator(".setup.distance").wait_for()
    complaints(robot, axe, dark)
    page.locator("form.setup [type=submit]").click()
    page.wait_for_function(IDLE)
    assert page.locator(".button.main").count() == 1
    assert not page.locator(".distance code").first.is_visible(), "locks are for those who look for them"
    for summary in page.locator(".distance summary").all():
        summary.click()
    invitation = page.locator(".passing textarea").input_value()
    assert urlsplit(invitation).path == "/play/campanile"
    page.locator("#received").fill("nothing")
    page.locator(".inbox button[type=submit]").click()
    page.locator("[role=alert]").wait_for()
    complaints(robot, axe, dark)
    other = visit(invitation[invitation.index("/play") :], language=language, dark=dark, width=320)
    other.page.wait_for_function(IDLE)
    complaints(other, axe, dark)
    other.page.locator(".ways .button").first.click()
    other.page.wait_for_function(f"() => {TABLE}.table && ({IDLE})()")
    assert [one.get_attribute("class").split()[1] for one in other.page.locator("#turn .mark").all()] == ["player1"]
    complaints(other, axe)


def complaints(robot: Robot, axe: str, is_known: bool = False) -> None:
    """Demands that there are none; axe does not look again at a step that is known but for its colours and words."""
    assert is_known or robot.complaints(axe) == []
    assert robot.too_small() == []
    assert robot.cut_off() == []
    assert robot.sideways() <= 0
