"""The replay viewer: a recorded game, position by position, and its first illegal move."""

import gzip
import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from capomastro import pages
from tests.pages.conftest import PATIENCE, Opener
from tests.pages.robot import Robot

NAMES = ["Ada", "Bruno", "Cleo", "Dora", "Elio"]
RECORDS = Path(__file__).resolve().parents[2] / "conformance"
VIEWER = "document.querySelector('replay-viewer')"
DRAWN = f"() => {VIEWER}.pictures.known.has({VIEWER}.at)"
TOKENS = "(picture) => picture.shadowRoot.querySelectorAll('[data-token]').length"
TITLE = "(picture) => picture.shadowRoot.querySelector('title').textContent"
MOST_BYTES_OF_A_PAGE = 3_000_000
MOST_NODES = 9_000
"""Maximum number of nodes of the page with a record of 776 moves."""


@cache
def record_text(game: str, name: str) -> str:
    return (RECORDS / game / "records" / f"{name}.json").read_text("utf-8")


def recorded(game: str, name: str = "three-plan") -> dict[str, Any]:
    """A recorded game whose players have names."""
    record: dict[str, Any] = json.loads(record_text(game, name))
    return {**record, "names": NAMES[: record["players"]]}


def with_slip(record: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The same game of Palazzo with one card less in the payment of a purchase, and the index of this move."""
    slipped = deepcopy(record)
    at, move = next(
        (at, move) for at, move in enumerate(slipped["moves"]) if move["type"] == "buy" and len(move["payment"]) > 1
    )
    move["payment"].pop()
    return slipped, at


def opened(robot: Robot, record: dict[str, Any] | str) -> Robot:
    """Pastes a record, checks it, and waits for its first position."""
    robot.page.locator("#typed").fill(record if isinstance(record, str) else json.dumps(record))
    robot.tap("Check it")
    return shown(robot)


def shown(robot: Robot) -> Robot:
    robot.page.locator(".viewer").wait_for()
    robot.page.wait_for_function(DRAWN)
    return robot


def list_of_moves(robot: Robot) -> str:
    """The list of moves, including those that are not scrolled to."""
    text: str = robot.page.locator("move-list").text_content()
    return text


def position(robot: Robot) -> int:
    at: int = robot.page.evaluate(f"() => {VIEWER}.at")
    return at


def go(robot: Robot, to: int) -> None:
    robot.page.evaluate(f"(to) => {VIEWER}.go(to)", to)
    robot.page.wait_for_function(DRAWN)


def requests_of(robot: Robot) -> list[str]:
    """The requests from now on."""
    requests: list[str] = []
    robot.page.on("request", lambda request: requests.append(request.url))
    return requests


def words(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((pages.FILES / "words" / f"replay.{language}.json").read_text("utf-8"))
    return found


# --- the verdict -----------------------------------------------------------------------------------------------------


def test_a_slip_is_found_and_shown_where_it_happened(visit: Opener) -> None:
    record, at = with_slip(recorded("palazzo"))
    robot = opened(visit("/replay"), record)
    assert robot.text(".verdict b") == f"Not legal at move {at + 1}"
    robot.tap("Show it", role="link")
    assert position(robot) == at
    card = robot.page.locator(".slip-card")
    assert card.locator("h2").inner_text() == f"Move {at + 1} is not legal"
    assert card.evaluate("(card) => document.activeElement === card")
    text = card.inner_text()
    assert f"{NAMES[record['moves'][at]['seat']]} buys" in text
    assert "The payment is worth" in text
    assert card.locator("dd a").inner_text() != "palazzo.buy.price"
    assert card.locator("dd .tag").inner_text() in {"rulebook", "our ruling"}
    assert card.locator(".near button").count() > 0
    wrong = robot.page.locator("move-list .wrong")
    assert wrong.count() == 1
    assert "Not legal." in wrong.text_content()
    card.locator("dd a").click()
    assert robot.page.locator("dialog p").first.inner_text() == card.locator("dd a").inner_text()
    robot.close_dialog()


def test_a_legal_game_and_a_wrong_result_are_reported(visit: Opener) -> None:
    record = recorded("campanile", "two-plan")
    robot = opened(visit("/replay"), record)
    assert robot.text(".verdict b") == "Every move is legal"
    assert "The result is right." in robot.text(".verdict")
    assert robot.page.locator(".slip-card").count() == 0
    right = [player["total"] for player in record.pop("result")["players"]]
    other = opened(visit("/replay"), {**record, "totals": [right[0] + 1, *right[1:]]})
    assert other.text(".verdict b") == "Every move is legal, the result is wrong"
    card = other.text(".slip-card")
    assert f"Ada, in all: recorded {right[0] + 1}, computed {right[0]}." in card
    assert "Bruno" not in card


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_it_uses_the_language_of_the_reader(visit: Opener, language: str) -> None:
    record, at = with_slip(recorded("palazzo"))
    robot = visit("/replay", language=language)
    robot.page.locator("#typed").fill(json.dumps(record))
    robot.page.locator("button[type=submit]").click()
    shown(robot)
    text = words(language)
    assert robot.text(".verdict b") == text["replay.verdict.illegal-move"].replace("{number}", str(at + 1))
    assert robot.page.locator(".turns h3").first.text_content() == text["replay.set-up"]
    assert robot.page.locator(".viewer").get_attribute("aria-label") == text["replay.viewer"]
    heard = list_of_moves(robot) + robot.page.locator("main").inner_text()
    assert [fault for fault in ("seat ", "{", "replay.", "undefined") if fault in heard] == []


# --- opening a game --------------------------------------------------------------------------------------------------


DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "game.capo"));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
}"""


def test_the_same_game_can_be_opened_from_json_notation_gzip_drop_and_link(visit: Opener) -> None:
    record = recorded("palazzo", "nothing-to-sell")
    robot = opened(visit("/replay", permissions=["clipboard-read", "clipboard-write"]), record)
    seen = list_of_moves(robot)
    go(robot, 7)
    robot.page.wait_for_function("() => location.hash.endsWith('.7')")
    link = robot.page.url
    robot.tap("Copy the link to this position")
    robot.page.get_by_text("The link to this position is copied.").wait_for()
    assert robot.page.evaluate("() => navigator.clipboard.readText()") == link
    notation = robot.page.evaluate(f"() => {VIEWER}.notation")
    assert notation.startswith("game: palazzo\n")

    assert list_of_moves(opened(visit("/replay"), notation)) == seen

    by_file = visit("/replay")
    packed = gzip.compress(json.dumps(record).encode())
    by_file.page.locator("input[type=file]").set_input_files(
        {"name": "game.json.gz", "mimeType": "application/gzip", "buffer": packed}
    )
    assert list_of_moves(shown(by_file)) == seen

    by_drop = visit("/replay")
    by_drop.page.evaluate(DROP, notation)
    assert list_of_moves(shown(by_drop)) == seen

    by_link = shown(visit(link[link.index("/replay") :]))
    assert list_of_moves(by_link) == seen
    assert position(by_link) == 7


def test_a_second_game_has_its_own_rules(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo", "nothing-to-sell"))
    robot.page.evaluate(DROP, json.dumps(recorded("carrara")))
    robot.page.wait_for_function(f"() => {VIEWER}.record.game === 'carrara'")
    shown(robot).page.locator(".plot .points button").last.click()
    robot.page.locator("dialog").get_by_role("link", name="Rule").first.click()
    robot.page.get_by_role("dialog", name="Rule", exact=True).get_by_role("link", name="All rules").wait_for()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "This text begins like JSON, but it is not"),
        ("hello", "This is no recorded game"),
        ('{"game": "chess"}', "There is no game “chess” here."),
        ("game: go\n", "There is no game “go” here."),
        ('{"game": "palazzo", "players": 3, "moves": "none"}', "The record cannot be read as it is."),
        ("game: palazzo\nplayers: 3\n\nfly away\n", "The record cannot be read as it is."),
    ],
)
def test_it_explains_why_something_is_not_a_record(visit: Opener, axe: str, text: str, why: str) -> None:
    robot = visit("/replay")
    robot.page.locator("#typed").fill(text)
    robot.tap("Check it")
    robot.page.locator("[role=alert]").wait_for()
    assert why in robot.text("[role=alert]")
    assert robot.page.locator("#typed").input_value() == text
    assert robot.complaints(axe) == []


def test_a_bad_link_is_reported_and_one_that_unpacks_to_too_much_is_not_unpacked(visit: Opener) -> None:
    robot = visit("/replay#nonsense")
    robot.page.locator("[role=alert]").wait_for()
    assert "This link is damaged." in robot.text("[role=alert]")
    files = robot.page.locator("replay-viewer").get_attribute("files")
    ways = robot.page.evaluate(
        """async (files) => {
            const link = await import(files + "/link.js");
            const packed = await link.packedRecord("x".repeat(1_000_000));
            const bomb = "n" + (await link.deflated("x".repeat(2_000_000)));
            const kept = (await link.unpackedRecord(packed)).length;
            const refused = await link.unpackedRecord(bomb).catch((error) => error.message);
            return [kept, await link.packedRecord("x".repeat(2_000_000)) ?? null, refused];
        }""",
        files,
    )
    assert ways == [1_000_000, None, "too large"]


# --- stepping --------------------------------------------------------------------------------------------------------


def test_it_steps_by_move_turn_round_score_and_mistake(visit: Opener) -> None:
    record, slip = with_slip(recorded("palazzo"))
    robot = opened(visit("/replay"), record)
    turns = robot.page.evaluate(f"() => {VIEWER}.line.turns")
    go(robot, 0)
    robot.tap("One move on")
    assert position(robot) == 1
    robot.tap("turn", exact=True)
    robot.tap("One turn on")
    assert position(robot) == turns[1]["from"]
    assert robot.page.locator("move-list [aria-current=step] .ply").text_content() == str(turns[1]["from"])
    robot.tap("round", exact=True)
    robot.tap("One round on")
    assert position(robot) == turns[1 + record["players"]]["from"]
    assert turns[1 + record["players"]]["seat"] == turns[1]["seat"]
    robot.tap("score", exact=True)
    robot.tap("To the next score")
    assert robot.page.get_by_text("Nobody scores after this.").is_visible()
    robot.tap("mistake", exact=True)
    robot.tap("To the next mistake")
    assert position(robot) == slip
    robot.tap("To the start")
    assert position(robot) == 0
    robot.tap("To the end")
    assert position(robot) == slip
    robot.page.get_by_role("slider").fill("5")
    assert position(robot) == 5


def test_scores_are_stepped_to_and_add_up_to_the_result(visit: Opener) -> None:
    record = recorded("carrara")
    robot = opened(visit("/replay"), record)
    totals = [player["total"] for player in record["result"]["players"]]
    assert robot.page.evaluate(f"() => {VIEWER}.line.points.at(-1)") == totals
    legend = [text.split("\n")[0] for text in robot.page.locator(".legend li").all_inner_texts()]
    assert all(text.startswith(f"{name} {total}") for text, name, total in zip(legend, NAMES, totals, strict=False))
    scorings = [scoring["ply"] for scoring in robot.page.evaluate(f"() => {VIEWER}.line.scorings")]
    assert len(scorings) > 2
    robot.tap("score", exact=True)
    for ply in scorings[:3]:
        robot.tap("To the next score")
        assert position(robot) == ply
    points = robot.page.locator(".plot .points button")
    labels = [points.nth(at).get_attribute("aria-label") for at in range(points.count())]
    assert labels[0] in {
        f"Scored at move {scorings[0]}",
        *(f"Scored at moves {scorings[0]} to {to}" for to in scorings),
    }
    points.last.click()
    dialog = robot.page.locator("dialog")
    assert dialog.get_by_role("link", name="Rule").count() > 0
    dialog.get_by_role("button", name=f"Show move {scorings[-1]}").click()
    assert position(robot) == scorings[-1]


def test_every_move_in_the_list_is_a_link_to_the_position_it_leads_to(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo", "nothing-to-sell"))
    robot.page.wait_for_function(f"() => {VIEWER}.link")
    entries = robot.page.locator("move-list a")
    plies = robot.page.evaluate(f"() => {VIEWER}.plies")
    found = entries.evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    assert found == [f"#.{ply}" for ply in range(1, plies + 1)]
    entries.nth(11).hover()
    link = entries.nth(11).get_attribute("href")
    assert link == robot.page.evaluate(f"() => `#${{{VIEWER}.link}}.12`")
    assert position(shown(visit(f"/replay{link}"))) == 12
    entries.nth(11).click(modifiers=["Shift"])
    assert position(robot) == 0
    entries.nth(11).click()
    assert position(robot) == 12
    robot.page.evaluate("() => { location.hash = '#.3'; }")
    robot.page.wait_for_function(f"() => {VIEWER}.at === 3")


def test_keys_step_only_while_the_viewer_has_the_focus(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo"))
    keys = robot.page.keyboard
    robot.page.locator("header .back").focus()
    keys.press("ArrowRight")
    keys.press("End")
    assert position(robot) == 0
    robot.page.locator(".viewer").focus()
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    keys.press("ArrowLeft")
    assert position(robot) == 1
    keys.press("PageDown")
    assert position(robot) == robot.page.evaluate(f"() => {VIEWER}.line.turns[1].from")
    keys.press("End")
    assert position(robot) == 329
    keys.press("Home")
    assert position(robot) == 0
    robot.page.locator("move-list a[tabindex='0']").focus()
    keys.press("ArrowDown")
    assert position(robot) == 2
    keys.press("ArrowUp")
    assert position(robot) == 1
    assert robot.page.evaluate("() => document.activeElement.getAttribute('aria-current')") == "step"


def test_everything_is_reached_by_the_keyboard_alone(visit: Opener) -> None:
    record, _ = with_slip(recorded("palazzo"))
    robot = visit("/replay")
    robot.page.locator("#typed").fill(json.dumps(record))
    robot.page.keyboard.press("Tab")
    robot.page.keyboard.press("Enter")
    shown(robot)
    reached = set()
    for _ in range(60):
        robot.page.keyboard.press("Tab")
        for what in ("closest('section')?.className", "getAttribute('aria-label')"):
            reached.add(robot.page.evaluate(f"() => document.activeElement.{what}"))
    assert {"viewer", "slip-card", "happening", "One move on", "Play", "Position"} <= reached
    assert robot.page.evaluate("() => document.querySelectorAll('move-list a:not([tabindex=\"-1\"])').length") == 1


def test_it_plays_by_itself_to_the_end_and_stops(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo", "nothing-to-sell"))
    last = robot.page.evaluate(f"() => {{ {VIEWER}.pause = 0; return {VIEWER}.plies; }}")
    robot.tap("turn", exact=True)
    robot.tap("Play", exact=True)
    robot.page.wait_for_function(f"() => {VIEWER}.at === {last} && !{VIEWER}.playing")
    robot.button("Play", exact=True).wait_for()


def test_stepping_within_a_page_of_pictures_sends_no_request(visit: Opener) -> None:
    record = recorded("campanile", "five-plan")
    robot = opened(visit("/replay"), record)
    go(robot, 30)
    robot.page.wait_for_function(f"() => [0, 49, 74].every((ply) => {VIEWER}.pictures.known.has(ply))")
    requests = requests_of(robot)
    for _ in range(19):
        robot.tap("One move on")
    assert position(robot) == 49
    for _ in range(24):
        robot.tap("One move back")
    assert position(robot) == 25
    assert [url for url in requests if "/v1/" in url] == []


def test_a_long_record_needs_few_nodes_and_a_step_changes_even_fewer(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("fifth-avenue", "both-phases"))
    assert robot.page.locator("move-list a").count() == 776
    assert robot.page.evaluate("() => document.querySelectorAll('*').length") < MOST_NODES
    changed = robot.page.evaluate(
        f"""async () => {{
            const seen = [];
            const watch = new MutationObserver((records) => seen.push(...records));
            const attributeFilter = ["class", "aria-current", "tabindex"];
            watch.observe(document.querySelector("move-list"), {{subtree: true, childList: true, attributeFilter}});
            {VIEWER}.go(400);
            {VIEWER}.go(401);
            await new Promise((done) => setTimeout(done));
            watch.disconnect();
            return seen.map((record) => record.type);
        }}"""
    )
    assert 2 <= len(changed) <= 8
    assert set(changed) == {"attributes"}


# --- pictures and views ----------------------------------------------------------------------------------------------


def test_the_picture_is_that_of_the_service_and_its_text_says_the_same(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo"))
    go(robot, 100)
    titles = robot.page.locator("game-picture").evaluate(
        "(picture) => [...picture.shadowRoot.querySelectorAll('g > title')].map((title) => title.textContent)"
    )
    assert titles
    filled = robot.page.locator("game-picture").evaluate(
        "(picture) => getComputedStyle(picture.shadowRoot.querySelector('svg')).width"
    )
    assert float(filled.removesuffix("px")) > 300
    robot.tap("Text", exact=True)
    text = robot.page.locator(".in-words li").evaluate_all("(all) => all.map((one) => one.firstChild.textContent)")
    assert text == titles
    assert "Palazzo" in robot.text(".in-words")
    robot.page.reload()
    assert shown(robot).page.locator(".in-words").is_visible()


def test_a_seat_sees_only_what_it_may_know(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo"))
    robot.tap("Text", exact=True)
    go(robot, 40)
    everything = robot.text(".in-words")
    robot.page.get_by_label("Seen by").select_option("Ada")
    robot.page.wait_for_function(f"() => {VIEWER}.seat === 0 && {VIEWER}.pictures.known.has(40)")
    ada = robot.text(".in-words")
    robot.page.get_by_label("Seen by").select_option("a spectator")
    robot.page.wait_for_function(f"() => {VIEWER}.seat === null && {VIEWER}.pictures.known.has(40)")
    spectator = robot.text(".in-words")
    assert len({everything, ada, spectator}) == 3
    robot.page.get_by_label("Seen by").select_option("everybody together")
    robot.page.wait_for_function(f"() => {VIEWER}.seat === undefined && {VIEWER}.pictures.known.has(40)")
    assert robot.text(".in-words") == everything


# --- variations and repair -------------------------------------------------------------------------------------------


def test_a_variation_can_begin_at_any_position_and_leads_back(visit: Opener) -> None:
    robot = opened(visit("/replay"), recorded("palazzo"))
    start = robot.page.evaluate(f"() => {VIEWER}.line.turns[3].from")
    go(robot, start)
    robot.tap("What can be played here?")
    choices = robot.page.locator(".happening .near button")
    choices.first.wait_for()
    before = robot.page.evaluate(f"() => {VIEWER}.line.course[{start}].text")
    other = next(text for text in choices.all_inner_texts() if not text.startswith(before))
    robot.tap(other)
    robot.page.get_by_text(f"Up to move {start} it is the record.").wait_for()
    assert position(robot) == start + 1
    choices.first.wait_for()
    choices.first.click()
    robot.page.wait_for_function(f"() => {VIEWER}.at === {start + 2}")
    assert robot.page.locator("move-list a").count() == start + 2
    robot.tap("Back to the record")
    assert position(robot) == start
    assert robot.page.locator("move-list a").count() == 329


def test_the_nearest_legal_move_can_be_tried_and_repairs_the_record(visit: Opener) -> None:
    record, slip = with_slip(recorded("palazzo"))
    robot = opened(visit("/replay"), record)
    robot.page.locator(".slip-card .near button").first.click()
    robot.page.get_by_text("A variation", exact=True).wait_for()
    assert position(robot) == slip + 1
    robot.tap("Back to the record")
    robot.tap("Correct what breaks a rule")
    robot.page.get_by_text("The record, mended").wait_for()
    assert robot.page.locator("move-list .mended").count() >= 1
    assert robot.page.locator("move-list a").count() > slip
    robot.tap("mistake", exact=True)
    robot.tap("To the start")
    robot.tap("To the next mistake")
    assert position(robot) in robot.page.evaluate(f"() => {VIEWER}.line.mistakes")


# --- export ----------------------------------------------------------------------------------------------------------


def saved(robot: Robot, item: str) -> tuple[str, Path]:
    robot.tap("Menu")
    with robot.page.expect_download() as kept:
        robot.tap(item)
    return kept.value.suggested_filename, Path(kept.value.path())


def test_a_record_can_be_saved_as_json_and_as_notation(visit: Opener) -> None:
    record = recorded("palazzo", "nothing-to-sell")
    robot = opened(visit("/replay"), record)
    robot.page.wait_for_function(f"() => {VIEWER}.link")
    name, path = saved(robot, "Save as JSON")
    assert name == "nothing-to-sell.json"
    assert json.loads(path.read_text("utf-8")) == record
    name, path = saved(robot, "Save as text, one move per line")
    assert name == "nothing-to-sell.capo"
    again = opened(visit("/replay"), path.read_text("utf-8"))
    assert list_of_moves(again) == list_of_moves(robot)


def test_the_saved_page_shows_the_game_from_a_disk_without_network(
    visit: Opener, browser: Any, axe: str, tmp_path: Path
) -> None:
    record, slip = with_slip(recorded("palazzo"))
    robot = opened(visit("/replay"), record)
    go(robot, slip)
    list_there, position_there = list_of_moves(robot), robot.text(".steer .now")
    _, path = saved(robot, "Save as a page that needs no network")
    file = tmp_path / "game.html"
    file.write_bytes(path.read_bytes())
    context = browser.new_context(offline=True, reduced_motion="reduce", viewport={"width": 390, "height": 844})
    faults: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda text: faults.append(text.text) if text.type in ("error", "warning") else None)
    page.on("request", lambda request: faults.append(request.url) if request.url.startswith("http") else None)
    page.goto(file.as_uri())
    alone = Robot(page)
    page.locator(".viewer").wait_for()
    assert alone.text(".verdict b") == f"Not legal at move {slip + 1}"
    assert list_of_moves(alone) == list_there
    alone.tap("To the end")
    assert alone.text(".steer .now") == position_there
    drawn = page.locator("game-picture").evaluate(TOKENS)
    assert drawn > 20
    alone.tap("To the start")
    assert page.locator("game-picture").evaluate(TOKENS) != drawn
    page.locator(".slip-card dd a").click()
    assert page.locator("dialog p").first.inner_text() == page.locator(".slip-card dd a").inner_text()
    alone.close_dialog()
    assert alone.complaints(axe) == []
    context.close()
    assert faults == []


def test_the_saved_page_of_a_long_game_opens_from_a_disk_too(visit: Opener, browser: Any, tmp_path: Path) -> None:
    robot = opened(visit("/replay"), recorded("fifth-avenue", "both-phases"))
    _, path = saved(robot, "Save as a page that needs no network")
    file = tmp_path / "game.html"
    file.write_bytes(path.read_bytes())
    assert len(file.read_bytes()) < MOST_BYTES_OF_A_PAGE
    context = browser.new_context(offline=True, reduced_motion="reduce", viewport={"width": 390, "height": 844})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    page.locator(".viewer").wait_for()
    assert page.locator("move-list a").count() == 776
    alone = Robot(page)
    for button, at in (("To the end", 776), ("One move back", 775), ("To the start", 0)):
        alone.tap(button)
        assert position(alone) == at
        assert page.locator("game-picture").evaluate(TITLE).endswith(f"after move {at}")
    context.close()
    assert faults == []


# --- accessibility ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "dark", "width"),
    [("en", False, 390), ("de", True, 320), ("it", True, 1280)],
)
def test_it_is_accessible(visit: Opener, axe: str, language: str, dark: bool, width: int) -> None:
    robot = visit("/replay", language=language, dark=dark, width=width)
    assert robot.complaints(axe) == []
    assert robot.sideways() <= 0
    record, slip = with_slip(recorded("palazzo"))
    robot.page.locator("#typed").fill(json.dumps(record))
    robot.page.locator("button[type=submit]").click()
    shown(robot)
    go(robot, slip)
    assert robot.complaints(axe) == []
    assert robot.sideways() <= 0
    robot.tap(words(language)["replay.text"], exact=True)
    robot.tap(words(language)["replay.choose"])
    robot.page.locator(".happening .near button").first.wait_for()
    assert robot.complaints(axe) == []
    assert robot.sideways() <= 0


def test_the_points_of_a_finished_game_are_accessible(visit: Opener, axe: str) -> None:
    robot = opened(visit("/replay"), recorded("carrara", "three-plan"))
    go(robot, robot.page.evaluate(f"() => {VIEWER}.plies"))
    assert robot.complaints(axe) == []
    robot.page.locator(".plot .points button").last.click()
    robot.page.locator("dialog").wait_for()
    assert robot.complaints(axe) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_forced_colours_keep_selection_and_owners_visible(visit: Opener, dark: bool) -> None:
    record, slip = with_slip(recorded("palazzo"))
    robot = opened(visit("/replay", dark=dark, forced_colors="active"), record)
    go(robot, slip)
    assert robot.sideways() <= 0
    for chosen in ("move-list [aria-current]", ".by [aria-pressed=true]"):
        width = robot.page.locator(chosen).first.evaluate("(one) => parseFloat(getComputedStyle(one).outlineWidth)")
        assert width >= 2, chosen
    fills = "(all) => all.map((one) => getComputedStyle(one).fill)"
    assert len(set(robot.page.locator(".legend .mark .outline").evaluate_all(fills))) == record["players"]


OPENED = Path(__file__).resolve().parents[2] / "conformance" / "tables" / "opened.ndjson"


def test_an_opened_sealed_game_is_verified_with_a_table_and_without(visit: Opener) -> None:
    """Each fault of the kit is found; if that needs a table, the page says so."""
    robot = visit("/replay")
    for one in map(json.loads, OPENED.read_bytes().split(b"\n")[:-1]):
        robot.page.evaluate("(text) => document.querySelector('replay-viewer').open(text)", json.dumps(one["opened"]))
        robot.page.wait_for_function("() => document.querySelector('replay-viewer').fair")
        if one["fault"] in (None, "seed", "draw"):
            alone = robot.page.locator(".verdict", has_text="Chance was").inner_text()
            assert ("only a table of it shows" in alone) == (one["fault"] is None), (one["name"], alone)
        robot.page.evaluate("() => { document.querySelector('replay-viewer').fair = undefined; }")
        robot.page.evaluate("(text) => document.querySelector('replay-viewer').open(text)", json.dumps(one["table"]))
        robot.page.wait_for_function("() => document.querySelector('replay-viewer').fair")
        fair = robot.page.evaluate("() => document.querySelector('replay-viewer').fair")
        assert fair["isFair"] == (one["fault"] is None), (one["name"], fair)
        heading = "Chance was fair" if fair["isFair"] else "Chance was not fair, or this was altered"
        assert robot.page.locator(".verdict b", has_text=heading).count() == 1
