"""The evening book: what was finished on this device, who won how often, and a file of it to take along."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.pages.conftest import PHONE, Opener
from tests.pages.robot import Robot
from tests.support.recorded import records_folder, replay_of

NAMES = ("Ada", "Bruno", "Cleo", "Dora")
IMPOSSIBLE = {
    "game": "palazzo",
    "schema_version": 1,
    "seats": [
        {"name": " ada", "palaces": [["brick-1-2", "brick-1-3"]]},
        {"name": "Bruno", "palaces": [["marble-2-2"]]},
    ],
}
MODULES = "const from = document.querySelector('[files]').getAttribute('files');"


def game(id: str, record: str, begun: str, **members: Any) -> dict[str, Any]:
    """A recorded game as an entry of a book."""
    document = replay_of(records_folder(id) / f"{record}.json").document
    kept = {name: value for name, value in document.items() if name not in ("result", "totals", "names")}
    names = [*NAMES[: document["players"]]]
    return {"id": record, "begun": begun, "changed": begun, "record": {**kept, "names": names}, **members}


def table(begun: str, document: Any = IMPOSSIBLE) -> dict[str, Any]:
    return {"id": f"table {begun}", "begun": begun, "changed": begun, "scoresheet": document}


SHARED_WIN = game("fifth-avenue", "shared-win", "2025-11-20T19:00:00.000Z")
ENTRIES = [
    table("2025-11-27T21:00:00.000Z"),
    game("carrara", "tie-by-blocks", "2025-11-27T20:00:00.000Z", computers=[1]),
    SHARED_WIN,
    game("campanile", "tie-for-second", "2025-11-13T19:00:00.000Z", unnamed=[3]),
]
BOOK = {"evening_book": 1, "people": {"adele": "Ada"}, "entries": ENTRIES}


def chosen(robot: Robot, path: Path, content: Any) -> None:
    """Imports a file, and waits for what is said of it."""
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    robot.page.locator("input[type=file]").set_input_files(path)
    robot.page.wait_for_function("() => !document.querySelector('evening-book').isReading")


def exported(robot: Robot, path: Path) -> str:
    with robot.page.expect_download() as download:
        robot.tap("Export", exact=True)
    download.value.save_as(path)
    return path.read_text("utf-8")


def figures(robot: Robot) -> dict[str, list[str]]:
    """The table of figures: the cells of each row by its head."""
    rows = robot.page.locator(".figures-table tbody tr").all()
    return {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in rows}


def test_what_is_finished_here_comes_into_the_book_and_goes_and_returns(
    visit: Opener, axe: str, tmp_path: Path
) -> None:
    pad = visit("/score/palazzo", width=320)
    pad.sit_down("Ada", "Bruno")
    pad.tile("brick 1 (1 window)")
    assert pad.result(nothing_of="Bruno") == {"Bruno": 0, "Ada": -5}
    pad.tap("Evening book", role="link")
    pad.page.wait_for_selector(".figures-table")
    assert figures(pad) == {"Bruno": ["1", "1"], "Ada": ["1", "0"]}
    assert pad.complaints(axe) == pad.too_small() == pad.cut_off() == []
    assert pad.sideways() <= 0
    file = exported(pad, tmp_path / "book.json")
    pad.tap("Delete: Palazzo")
    pad.page.locator(".evenings").wait_for(state="detached")
    pad.tap("Undo", exact=True)
    pad.page.wait_for_selector(".figures-table")
    pad.tap("Open: Palazzo", role="link")
    pad.page.wait_for_selector("main.result .places")
    # what is deleted at the pad is no longer in the book
    pad.tap("Menu")
    pad.tap("Delete this table")
    pad.close_dialog()
    pad.page.goto("/book")
    pad.page.wait_for_selector(".evening-book .notes")
    assert pad.text(".lead").startswith("Every table counted")
    chosen(pad, tmp_path / "book.json", file)
    pad.page.reload()
    pad.page.wait_for_selector(".figures-table")


def test_what_was_exported_is_read_back_exactly_and_nothing_twice(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    chosen(robot, tmp_path / "book.json", BOOK)
    assert robot.text(".message.news p") == "4 games added."
    first = exported(robot, tmp_path / "first.json")
    document = json.loads(first)
    results = [entry.pop("result") for entry in document["entries"]]
    assert document == BOOK
    assert results[0] == {"totals": [0, -5], "places": [1, 2], "winners": [0], "possible": False}
    assert results[2]["winners"] == [0, 1]
    chosen(robot, tmp_path / "first.json", first)
    assert robot.text(".message.news p") == "0 games added. Here already: 4 games."
    # elsewhere, and without what the file claims
    other = visit("/book", language="de")
    chosen(other, tmp_path / "lied.json", first.replace('"totals":[0,-5]', '"totals":[500,-5]'))
    with other.page.expect_download() as download:
        other.tap("Exportieren", exact=True)
    download.value.save_as(tmp_path / "second.json")
    assert (tmp_path / "second.json").read_text("utf-8") == first
    # what older versions exported: tables as they were saved, and games one to a line
    pad = visit("/score/palazzo")
    pad.sit_down("Ada", "Bruno")
    pad.tile("brick 1 (1 window)")
    begun = [pad.stored()]
    pad.result(nothing_of="Bruno")
    older = [pad.stored(), {**begun[0], "id": "begun"}]
    chosen(robot, tmp_path / "older.json", older)
    assert robot.text(".message.news p") == "2 games added."
    assert robot.page.get_by_role("heading", name="Not finished").is_visible()
    # a game is the same whatever is noted beside its moves
    played = [entry for entry in (*ENTRIES, game("palazzo", "two-plan", "")) if "record" in entry]
    lines = [json.dumps({**entry["record"], "tags": {"date": "2024-05-01"}}) for entry in played]
    chosen(other, tmp_path / "games.ndjson", "\n".join(lines) + "\n")
    assert other.text(".message.news p") == "1 Partie hinzugefügt. Schon hier: 3 Partien."
    assert other.text(".lead").endswith("seit dem 1. Mai 2024")


def test_a_file_that_is_refused_says_where_and_nothing_is_taken_unasked(
    visit: Opener, axe: str, tmp_path: Path
) -> None:
    robot = visit("/book")
    for content, said in (
        ('{"evening_book": 1,\n"entries": [\n{]}', "Line 3 of this file cannot be read."),
        ('{"a": 1}\n{"b": 2}\n{"c"\n', "Line 3 of this file cannot be read."),
        ({"evening_book": 2, "entries": []}, "This file comes from a newer version of capomastro."),
        ({"evening_book": 1}, "There are no games in this file."),
    ):
        chosen(robot, tmp_path / "wrong.json", content)
        assert robot.text(".message.news p") == said
    wrong = json.loads(json.dumps(BOOK))
    palace, moved, undated, unknown = wrong["entries"]
    palace["scoresheet"]["seats"][0]["palaces"][0][1] = "brick-9-9"
    del moved["record"]["moves"][3]
    undated["begun"] = "one evening"
    unknown["record"]["game"] = "chess"
    wrong["entries"].append({**SHARED_WIN, "id": "fine"})
    chosen(robot, tmp_path / "wrong.json", wrong)
    places = robot.page.locator(".faults code").all_inner_texts()
    assert [place.split("/")[2] for place in places] == ["2", "0", "1", "3"]
    assert places[0] == "/entries/2"
    assert places[1] == "/entries/0/scoresheet/seats/0/palaces/0/1"
    assert places[2].startswith("/entries/1/record/moves/")
    assert "begun is missing or cannot be read." in robot.text(".faults")
    assert robot.complaints(axe) == []
    robot.tap("Take nothing")
    assert robot.page.locator(".evenings").count() == 0
    chosen(robot, tmp_path / "wrong.json", wrong)
    robot.tap("Take the rest: 1 game")
    robot.page.wait_for_selector(".evenings li")
    robot.tap("Undo", exact=True)
    robot.page.locator(".evenings").wait_for(state="detached")


WITHOUT_A_YEAR = ("0001-01-01T00:00:00Z", "0026-01-07T20:00:00Z", "20226-01-07")
"""Dates of years that nobody writes; older versions took them."""
PUT = "async (entries) => {" + MODULES + " await (await import(`${from}/book/shelf.js`)).change({ put: entries }); }"


@pytest.mark.long
def test_dates_that_no_evening_has_are_refused_and_those_taken_before_are_shown(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    entries = [table(date) for date in WITHOUT_A_YEAR]
    chosen(robot, tmp_path / "book.json", {"evening_book": 1, "entries": entries})
    said = "begun is missing or cannot be read."
    assert [said in fault for fault in robot.page.locator(".faults li").all_inner_texts()] == [True] * 3
    robot.tap("Take nothing")
    dated = {**SHARED_WIN["record"], "tags": {"date": "0001-01-01"}}
    chosen(robot, tmp_path / "dated.json", dated)
    assert robot.text(".message.news p") == "1 game added."
    outcome = {"totals": [0, -5], "places": [1, 2], "winners": [0], "possible": False}
    robot.page.evaluate(PUT, [{**entry, "result": outcome} for entry in entries])
    robot.page.reload()
    robot.settle()
    assert robot.page.locator(".evenings li.card").count() == 4
    assert robot.page.locator(".evenings h3").count() == 4


DAMAGED = (
    {"game": "palazzo", "schema_version": 1, "seats": [None, {"name": 5, "palaces": []}]},
    {"game": "palazzo", "players": 1_000_000_000, "moves": []},
    {"game": "palazzo", "players": 5_000_000_000, "moves": []},
)
NOT_TAKEN = "Not all of it can be taken"
GONE = """() => {
  const file = { size: 1, lastModified: 0, text: () => Promise.reject(new Error("it is gone")) };
  return document.querySelector("evening-book").import(file).catch(() => {});
}"""
"""A file that is deleted before it is read."""


def test_a_damaged_document_is_refused_by_the_service(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    for document in DAMAGED:
        chosen(robot, tmp_path / "damaged.json", document)
        assert robot.page.locator("dialog h2").all_inner_texts() == [NOT_TAKEN]
        assert robot.page.locator("dialog code").inner_text().startswith("/")
        robot.close_dialog()
    robot.page.evaluate(GONE)
    assert robot.text(".message.news p") == NOT_TAKEN


def test_what_is_refused_as_a_whole_has_no_line(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    robot.page.route("**/scores", lambda route: route.fulfill(status=413, json={"detail": "It is too long."}))
    chosen(robot, tmp_path / "table.json", IMPOSSIBLE)
    assert robot.page.locator(".faults li").all_inner_texts() == ["/ It is too long."]


def test_names_are_changed_and_two_become_one_person(visit: Opener, axe: str, tmp_path: Path) -> None:
    robot = visit("/book", dark=True)
    other = {**SHARED_WIN, "id": "other", "begun": "2025-11-21T19:00:00.000Z"}
    other["record"] = {**other["record"], "names": ["ADA ", "Mama", "Cleo", "Dora"]}
    chosen(robot, tmp_path / "book.json", {"evening_book": 1, "entries": [other, *ENTRIES]})
    # the impossible table is in no figure, and neither are the computer and who has no name
    before = {
        "Ada": ["4", "1", "2"],
        "Cleo": ["3", "0", "0"],
        "Bruno": ["2", "1", "1"],
        "Dora": ["2", "0", "0"],
        "Mama": ["1", "0", "1"],
    }
    assert figures(robot) == before
    assert robot.text(".scroller + .small") == "Not possible by the rules and in no figure: 1 game."
    robot.tap("Mama", role="link")
    robot.page.wait_for_selector(".latest")
    assert figures(robot) == {"Fifth Avenue": ["1", "0", "1", "5", "5", "5"]}
    assert robot.complaints(axe) == []
    field = robot.page.locator("#new-name")
    robot.tap("Change the name")
    field.fill("cleo")
    robot.page.locator("dialog [type=submit]").click()
    assert "two people" in field.evaluate("(one) => one.validationMessage")
    field.fill("bruno")
    robot.page.locator("dialog [type=submit]").click()
    assert robot.text(".message.news p") == "Mama and Bruno are one person now."
    assert robot.page.locator(".evenings li.card").count() == 5
    robot.tap("Separate: mama")
    robot.tap("Undo", exact=True)
    robot.tap("To the whole book", role="link")
    robot.page.locator(".latest").wait_for(state="detached")
    assert figures(robot)["Bruno"] == ["3", "1", "2"]
    assert robot.page.locator(".evenings li.card", has_text="computer").count() == 1
    robot.tap("Fifth Avenue", exact=True)
    assert figures(robot)["Ada"] == ["2", "0", "2", "5", "5", "5"]
    assert robot.too_small() == []


def test_a_result_becomes_a_picture(visit: Opener, axe: str, tmp_path: Path) -> None:
    robot = visit("/book")
    chosen(robot, tmp_path / "book.json", BOOK)
    robot.tap("Picture: Palazzo")
    picture = robot.page.locator("dialog img")
    picture.wait_for()
    assert picture.evaluate("(one) => one.decode().then(() => one.naturalWidth)") == 1080
    assert picture.get_attribute("alt").startswith("Ada wins. 1. Ada: 0 points; 2. Bruno: −5 points")
    assert robot.complaints(axe) == []
    with robot.page.expect_download() as download:
        robot.tap("Save the picture", role="link")
    download.value.save_as(tmp_path / "result.png")
    assert (tmp_path / "result.png").read_bytes().startswith(b"\x89PNG")


def test_files_are_imported_on_the_page_of_a_person_too(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    chosen(robot, tmp_path / "book.json", {**BOOK, "entries": ENTRIES[1:]})
    robot.tap("Bruno", role="link")
    robot.page.wait_for_selector(".latest")
    robot.tap("Menu")
    (tmp_path / "more.json").write_text(json.dumps(IMPOSSIBLE), "utf-8")
    with robot.page.expect_file_chooser() as chooser:
        robot.page.locator("dialog").get_by_role("button", name="Import", exact=True).click()
    chooser.value.set_files(tmp_path / "more.json")
    robot.page.get_by_text("1 game added.").wait_for()


def test_undo_is_in_sight_wherever_an_evening_is_deleted_and_nothing_jumps(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    chosen(robot, tmp_path / "book.json", BOOK)
    robot.page.get_by_text("4 games added.").wait_for()
    robot.page.reload()
    robot.settle()
    evening = robot.page.locator(".evenings li.card").first
    delete = evening.locator("[aria-label^=Delete]")
    delete.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    top = evening.bounding_box()["y"]
    robot.press(delete)
    undo = robot.button("Undo", exact=True)
    undo.wait_for()
    assert 0 <= undo.bounding_box()["y"] <= PHONE["height"]
    assert evening.bounding_box()["y"] == pytest.approx(top, abs=1)


@pytest.mark.long
def test_the_last_evening_of_the_chosen_game_leaves_those_of_all_games(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    chosen(robot, tmp_path / "book.json", {**BOOK, "entries": ENTRIES[:3]})
    robot.tap("Palazzo", exact=True)
    robot.tap("Delete: Palazzo")
    robot.button("Undo", exact=True).wait_for()  # the book on this device answers later
    assert robot.page.locator(".evenings li.card").count() == 2
    assert robot.page.locator(".chips [aria-pressed=true]").inner_text() == "All games"


@pytest.mark.long
def test_two_windows_lose_no_name(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    chosen(robot, tmp_path / "book.json", {**BOOK, "people": {}})
    other = Robot(robot.page.context.new_page())
    other.page.goto(robot.page.url)
    other.settle()
    for window, before, after in ((robot, "Ada", "Zoe"), (other, "Cleo", "Yves")):
        window.tap(before, role="link")
        window.tap("Change the name")
        window.page.locator("#new-name").fill(after)
        window.page.locator("dialog [type=submit]").click()
        window.page.wait_for_selector(".message.news button")
    robot.tap("Undo", exact=True)
    other.page.goto("/book")
    other.settle()
    assert set(figures(other)) == {"Ada", "Bruno", "Yves", "Dora"}
    other.page.close()


@pytest.mark.long
def test_the_book_is_there_before_the_service_has_answered(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    chosen(robot, tmp_path / "book.json", BOOK)
    robot.page.goto("/score/palazzo")
    robot.settle()
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 1 (1 window)")
    robot.result(nothing_of="Bruno")
    robot.page.wait_for_function("() => document.querySelector('score-pad').table.finished")
    held = robot.held_back("**/scores")
    robot.page.goto("/book")
    robot.settle()
    evenings = robot.page.locator(".evenings li.card")
    assert evenings.count() == 4
    # what comes later moves nothing under a finger
    robot.page.locator("[aria-label^=Delete][aria-label*=Carrara]").hover()
    robot.page.mouse.down()
    held[0].continue_()
    robot.page.wait_for_function("() => document.querySelector('evening-book').entries.length === 5")
    robot.page.mouse.up()
    robot.page.locator(".message.news", has_text="Carrara").wait_for()
    robot.page.locator(".evenings li.card", has_text="Palazzo").nth(1).wait_for()
    assert evenings.count() == 4


@pytest.mark.long
def test_a_picture_that_cannot_be_drawn_is_said_and_two_taps_show_one(visit: Opener, tmp_path: Path) -> None:
    robot = visit("/book")
    chosen(robot, tmp_path / "book.json", BOOK)
    robot.may_lose_the_service = True
    robot.page.route("**/result-picture.js", lambda route: route.abort())
    robot.tap("Picture: Palazzo")
    robot.page.locator("dialog", has_text="The picture cannot be drawn now.").wait_for()
    robot.close_dialog()
    robot.page.unroute_all()
    held = robot.held_back("**/pictures")
    robot.tap("Picture: Palazzo")
    robot.tap("Picture: Palazzo")
    robot.page.wait_for_timeout(0)
    for route in held:
        route.continue_()
    robot.page.locator("dialog img").first.wait_for()
    assert len(held) == robot.page.locator("dialog").count() == 1


def test_a_full_storage_makes_room_with_what_the_book_has(visit: Opener) -> None:
    """First finished tables lose what undo restores; then goes the oldest that is in the book, never what is not."""
    robot = visit("/book")
    kept = robot.page.evaluate(
        "async () => {"
        + MODULES
        + """
          const store = await import(`${from}/store.js`);
          for (const id of ["a", "b", "c", "d"]) {
            const table = store.newTable("palazzo", [id], {}, {});
            store.keep({ ...table, id, changed: id, finished: id !== "c", undo: ["x".repeat(400)] });
          }
          store.setting("booked", JSON.stringify(["b", "d"]));
          const { setItem } = Storage.prototype;
          const size = () => Object.values({ ...localStorage }).join("").length;
          const most = size();
          Storage.prototype.setItem = function (key, value) {
            const needed = size() - (this.getItem(key) ?? "").length + value.length;
            if (needed > most) throw new DOMException("full", "QuotaExceededError");
            setItem.call(this, key, value);
          };
          store.setting("more", "y".repeat(300));
          const first = store.tables().map(({ id, undo }) => id + undo.length);
          store.setting("more", "y".repeat(1300));
          return [first, store.tables().map(({ id, undo }) => id + undo.length), store.isPersistent()];
        }"""
    )
    assert kept == [["d1", "c1", "b1", "a0"], ["d0", "c1", "a0"], True]
