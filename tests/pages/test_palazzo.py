"""The score pad of Palazzo, used as at a table."""

from capomastro.games.palazzo.components import TILES
from tests.pages.conftest import Opener
from tests.pages.robot import Robot

LONG = "Maximiliane-Charlotte von Hohenstein-Wittelsbach"


def outline(robot: Robot, floors: int, windows: int, *, one: bool = False) -> None:
    robot.tap(f"{floors} floor" if floors == 1 else f"{floors} floors", exact=True)
    if one:
        robot.tap("All of one material", role="checkbox")
    robot.tap_in("Windows and doors", str(windows))


def test_the_worked_examples_of_the_rulebook(visit: Opener) -> None:
    """As part of a possible table: one floor −5, two 0, and the four palaces whose points are in the rulebook."""
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno", "Cleo")
    robot.tap("Floors & windows")
    examples = [(1, 2, False, "−5"), (2, 4, False, "0"), (3, 6, False, "6"), (4, 7, True, "13"), (5, 11, False, "17")]
    for floors, windows, one, points in examples:
        outline(robot, floors, windows, one=one)
        robot.scored()
        points_shown = robot.page.locator(".palace:not(.new) .points").last.inner_text().split("\n")[0]
        assert points_shown == points
    robot.tap("Bruno", role="tab")
    outline(robot, 5, 8, one=True)
    assert robot.points() == ["31", "20", "–"]


def test_each_tile_can_be_tapped_as_often_as_it_exists(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    labels = robot.page.locator(".tile").evaluate_all("(tiles) => tiles.map((tile) => tile.textContent)")
    assert len(labels) == len(TILES)
    assert sum(2 if "2 left" in label else 1 for label in labels) == sum(TILES.values())
    robot.tile("marble 3 (1 window)")
    robot.tile("marble 3 (1 window)")
    robot.tile("brick 4 (2 windows)")
    robot.tap("Bruno", role="tab")
    robot.tile("marble 3 (1 window)")
    assert "Marble 3 (1 window) lies here: Ada, palace 1 and Ada, palace 2." in robot.text(".message")
    robot.tile("brick 4 (2 windows)")
    assert "lies here: Ada, palace 2." in robot.text(".message")
    sheet = robot.stored()["draft"]["seats"]
    assert [len(seat["palaces"]) for seat in sheet] == [2, 0]


def test_in_german_everything_fits_on_phones_of_any_width(visit: Opener) -> None:
    robot = visit("/score/palazzo", language="de")
    robot.sit_down("Ada", "Bruno")
    robot.page.locator(".tile").nth(3).click()
    robot.page.locator(".tile").nth(4).click()
    robot.scored()
    for width in (320, 360, 390, 412):
        robot.page.set_viewport_size({"width": width, "height": 620})
        beyond = robot.page.locator(".pad-part").evaluate(
            "(part) => [...part.querySelectorAll('.pad-foot > *')].filter((one) =>"
            " one.getBoundingClientRect().right > part.getBoundingClientRect().right + 1).map((one) => one.innerText)"
        )
        assert (width, beyond, robot.sideways() > 0) == (width, [], False)


def test_a_tile_that_does_not_fit_on_top_begins_a_palace_and_undo_takes_it_back(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 4 (2 windows)")
    robot.tile("brick 2 (2 windows)")
    assert "Floor 2 cannot lie on 4: new palace begun." in robot.text(".message")
    assert robot.page.locator(".palace:not(.new)").count() == 2
    robot.page.locator(".message button").click()
    assert robot.page.locator(".palace:not(.new)").count() == 1
    robot.page.reload()
    robot.settle()
    robot.page.keyboard.press("Control+z")
    assert robot.page.locator(".palace:not(.new)").count() == 0


IN_SIGHT = """(all) => all.filter((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).length"""
"""How many of them a finger can reach."""


def test_all_tiles_are_on_one_screen_and_each_storey_can_be_corrected(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.page.set_viewport_size({"width": 390, "height": 620})
    robot.sit_down("Ada", "Bruno", "Cleo", "Dora")
    tiles = robot.page.locator(".tile")
    grid = robot.page.locator(".tiles").bounding_box()
    for tile in ("brick 1 (1 window)", "brick 3 (2 windows)", "brick 4 (2 windows)", "brick 5 (1 window)"):
        robot.tile(tile)
    robot.scored()
    box = robot.page.locator(".palace svg").first.bounding_box()
    robot.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.6)
    assert robot.text(".message") == "Palace 1, floor 3: tap what lies there instead."
    robot.tile("marble 5 (1 window)")
    assert "Floor 5 is there already." in robot.text(".message")
    robot.tile("marble 2 (2 windows)")
    assert "Marble 2 (2 windows) instead of brick 3 (2 windows)." in robot.text(".message")
    robot.tile("brick 4 (2 windows)")
    robot.tap("Remove floor 4")
    palaces = [["brick-1-1", "marble-2-2", "brick-5-1"]]
    assert robot.stored()["draft"]["seats"][0]["palaces"] == palaces
    robot.tap("Bruno", role="tab")
    robot.tile("sandstone 3 (1 window)")
    robot.tile("marble 2 (2 windows)")
    robot.tap("Move it here")
    seats = robot.stored()["draft"]["seats"]
    assert [seat["palaces"] for seat in seats[:2]] == [[["brick-1-1", "brick-5-1"]], [["marble-2-2", "sandstone-3-1"]]]
    robot.scored()
    assert tiles.evaluate_all(IN_SIGHT) == len(TILES)
    assert robot.page.locator(".tiles").bounding_box() == grid
    assert robot.page.evaluate("() => document.documentElement.scrollHeight") == 620
    robot.tile("marble 2 (2 windows)")
    robot.tap("Remove palace 1")
    assert robot.stored()["draft"]["seats"][1]["palaces"] == []


def test_a_message_disappears_once_it_is_no_longer_true(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    begun = "new palace begun"

    def begin() -> None:
        robot.tile("brick 4 (2 windows)")
        robot.tile("marble 2 (2 windows)")
        assert begun in robot.text(".message")

    begin()
    robot.tap("Bruno", role="tab")
    assert begun not in robot.text(".message")
    robot.tap("Ada", role="tab")
    robot.tile("brick 1 (1 window)")
    assert begun in robot.text(".message")
    robot.tap("Undo")
    assert begun not in robot.text(".message")
    robot.tile("brick 1 (1 window)")
    robot.page.locator(".palace").first.click()
    assert begun not in robot.text(".message")
    robot.tap("Bruno", role="tab")
    robot.tile("sandstone 5 (1 window)")
    robot.tile("sandstone 5 (2 windows)")
    assert begun in robot.text(".message")
    robot.result()
    assert begun not in robot.text("main")


def test_players_without_entries_are_asked_about_once(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno", "Cleo")
    robot.tile("brick 1 (1 window)")
    robot.scored()
    robot.tap("Result")
    assert robot.text("dialog h2") == "Score 0?"
    assert robot.text("dialog p").startswith("Nothing has been entered for Bruno and Cleo.")
    robot.close_dialog()
    assert robot.page.locator(".pad-part").count() == 1
    robot.tap("Result")
    robot.tap("Type it in")
    assert robot.page.locator("[role=tab][aria-selected=true]").inner_text().endswith("Bruno")
    robot.tile("brick 2 (1 window)")
    robot.scored()
    robot.tap("Result")
    assert robot.text("dialog p").startswith("Nothing has been entered for Cleo.")
    robot.tap("Score 0", exact=True)
    robot.page.wait_for_selector("main.result .places")
    robot.page.go_back()
    robot.page.reload()
    robot.settle()
    robot.tap("Ada", role="tab")
    robot.tile("brick 3 (1 window)")
    assert robot.result() == {"Ada": 0, "Cleo": 0, "Bruno": -5}


def test_there_is_no_result_before_the_question_is_answered(visit: Opener) -> None:
    """Neither the address nor going forward to an undone result; for another player the question comes again."""
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 1 (1 window)")
    robot.page.evaluate("() => { location.hash = 'result'; }")
    robot.page.wait_for_function("() => location.hash === ''")
    assert robot.page.locator(".pad-part").count() == 1
    robot.tap("Result")
    robot.tap("Score 0", exact=True)
    robot.page.wait_for_selector("main.result .places")
    robot.page.go_back()
    robot.page.wait_for_selector(".pad-part")
    robot.tap("Menu")
    robot.tap("Players and names")
    robot.sit_down("Ada", "Bruno", "Cleo")
    robot.scored()
    robot.tap("Result")
    assert robot.text("dialog p").startswith("Nothing has been entered for Cleo.")


def test_nothing_is_lost_on_reload(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", LONG)
    robot.tile("brick 1 (1 window)")
    robot.tile("marble 3 (2 windows)")
    robot.tile("sandstone 5 (3 windows)")
    assert robot.points() == ["6", "–"]
    robot.page.reload()
    robot.settle()
    assert robot.points() == ["6", "–"]
    assert robot.page.locator(".player .name").nth(1).inner_text() == LONG


def tie(robot: Robot) -> None:
    """Ada and Cleo have 20 points each, Bruno 6."""
    robot.sit_down("Ada", "Bruno", "Cleo")
    robot.tap("Floors & windows")
    outline(robot, 5, 14)
    robot.tap("Bruno", role="tab")
    outline(robot, 3, 6)
    robot.tap("Cleo", role="tab")
    outline(robot, 5, 8, one=True)


def test_every_line_links_to_its_rule(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    tie(robot)
    robot.result()
    for link in robot.page.locator(".bill a").all():
        link.click()
        robot.page.wait_for_selector("dialog p")
        assert "palace" in robot.text("dialog").lower()
        robot.close_dialog()


def test_a_shared_link_shows_the_same_result_elsewhere_and_saves_nothing(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    tie(robot)
    there = robot.result()
    link = robot.page.evaluate(
        "async () => { const pad = document.querySelector('score-pad');"
        " const { packed } = await import(pad.getAttribute('files') + '/link.js');"
        " return '/score/palazzo#' + (await packed(pad.game.sheet(pad.table.draft, pad.table.names))); }"
    )
    assert len(link) < 400
    other = visit(link)
    other.page.wait_for_selector(".places li")
    assert [other.page.locator(".places li").nth(0).locator(".points").inner_text()] == ["20"]
    assert sorted(there) == ["Ada", "Bruno", "Cleo"]
    assert other.page.evaluate("() => localStorage.getItem('capomastro.tables')") is None
    other.tap("Keep and change it here")
    other.page.wait_for_selector(".pad-part")
    assert other.points() == ["20", "6", "20"]


REFUSED = """async (texts) => {
  const { unpacked } = await import(document.querySelector("score-pad").getAttribute("files") + "/link.js");
  return Promise.all(texts.map((text) => unpacked(text).then(() => false, () => true)));
}"""


def test_a_bad_link_is_reported(visit: Opener) -> None:
    robot = visit("/score/palazzo#dAAAA")
    assert "Your own tables are still here" in robot.text("[role=alert]")
    assert robot.page.evaluate(REFUSED, ["dAAAA", "x", "d____", "d" + "A" * 20_000, "d!"]) == [True] * 5


def test_a_link_that_unpacks_to_too_much_is_not_unpacked(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    huge = robot.page.evaluate(
        "async () => (await import(document.querySelector('score-pad').getAttribute('files') + '/link.js'))"
        ".packed({game: 'palazzo', seats: ['x'.repeat(3_000_000)]})"
    )
    assert len(huge) < 16_000
    other = visit(f"/score/palazzo#{huge}")
    assert "damaged" in other.text("[role=alert]")


def test_typing_continues_without_the_service(visit: Opener) -> None:
    robot = visit("/score/palazzo")
    robot.sit_down("Ada", "Bruno")
    robot.tile("brick 1 (1 window)")
    assert robot.points() == ["−5", "–"]
    robot.may_lose_the_service = True
    robot.page.context.set_offline(True)
    robot.tile("brick 2 (1 window)")
    robot.tile("brick 3 (1 window)")
    robot.page.locator(".bar.quiet", has_text="nothing is lost").wait_for()
    assert robot.page.locator(".players .points.stale").first.inner_text() == "−5"
    assert robot.page.locator(".palace:not(.new)").first.inner_text().count("brick") == 3
    robot.page.context.set_offline(False)
    robot.page.wait_for_function("() => document.querySelector('.players .points').textContent === '6'")
    assert "The connection is back" in robot.text(".bar.quiet")


def test_the_whole_flow_by_keyboard_alone(visit: Opener) -> None:
    robot = visit("/score/palazzo", touch=False)
    keys = robot.page.keyboard

    def tab_to(selector: str) -> None:
        for _ in range(40):
            if robot.page.evaluate("(selector) => !!document.activeElement?.matches(selector)", selector):
                return
            keys.press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    tab_to(".setup input")
    keys.type("Ada")
    tab_to(".setup li:nth-child(2) input")
    keys.type("Bruno")
    keys.press("Enter")
    robot.page.wait_for_selector(".pad-part")
    tab_to(".tile")
    keys.press("Enter")
    keys.press("ArrowRight")
    keys.press("ArrowDown")
    keys.press("Enter")
    assert robot.page.evaluate("() => document.activeElement.textContent").startswith("brick 2 (2 windows)")
    robot.page.locator("body").evaluate("() => document.activeElement.blur()")
    tab_to("[role=tab]")
    keys.press("ArrowRight")
    assert robot.page.locator("[role=tab][aria-selected=true]").inner_text().endswith("Bruno")
    tab_to(".tile")
    keys.press("ArrowRight")
    keys.press("Enter")
    robot.scored()
    for _ in range(40):
        if robot.page.evaluate("() => !!document.activeElement?.matches('header .button')"):
            break
        keys.press("Shift+Tab")
    keys.press("Enter")
    robot.page.wait_for_selector("main.result .places")
    assert robot.text("h1") == "Ada wins"


UNCOVERED = """(tile) => {
  const { left } = tile.querySelector("svg path:last-child").getBoundingClientRect();
  return left - tile.querySelector(".twice").getBoundingClientRect().right;
}"""


def test_the_number_of_equal_tiles_covers_no_window(visit: Opener) -> None:
    robot = visit("/score/palazzo", width=320)
    robot.sit_down("Ada", "Bruno")
    for tile in robot.page.locator(".tile:has(.twice)").all():
        assert tile.evaluate(UNCOVERED) >= 0
