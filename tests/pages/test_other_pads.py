"""The score pads other than Palazzo's: their immediate messages, and their keys."""

from tests.pages.conftest import Opener
from tests.pages.robot import Robot
from tests.pages.sheets import link_to, sheet_of

PHONE = {"width": 390, "height": 620}
FITS = "() => document.documentElement.scrollHeight <= innerHeight"


def heights(robot: Robot, *numbers: int) -> None:
    for style, height in zip("ABCDE", numbers, strict=True):
        robot.tap_in(f"Tower {style}, height", str(height))


def steps(robot: Robot) -> list[str]:
    return [text.replace("\n", " ") for text in robot.page.locator(".steps button").all_inner_texts()]


def test_campanile_is_typed_in_three_steps_each_on_one_screen(visit: Opener) -> None:
    """Towers that are level are told where it matters; what is not done is said, and nobody is judged in between."""
    robot = visit("/score/campanile")
    robot.page.set_viewport_size(PHONE)
    robot.sit_down("Ada", "Bruno", "Cleo", "Dora")
    pad = robot.page.locator(".pad")
    assert robot.page.evaluate(FITS)
    robot.tap_in("Tower A, height", "more")
    robot.tap_in("Tower A, height", "36")
    robot.tap("Undo")
    robot.tap_in("Tower A, height", "0–23")
    assert steps(robot) == ["1 Heights 0 of 5", "2 Markers –", "3 Intermezzo –"]
    heights(robot, 9, 9, 14, 3, 0)
    assert "Heights done. Now the markers under tower A" in robot.text(".message")
    for seat, size, message in (
        ("Ada", "large", "A and B are level: A stands nearer to the display"),
        ("Ada", "large", "all 1 of this size are placed (large)"),
        ("Bruno", "medium", "A and B are level"),
        ("Bruno", "small", "A and B are level"),
    ):
        before = pad.bounding_box()
        robot.tap(f"{seat}, {size} marker under tower a")
        assert message in robot.text(".message")
        assert pad.bounding_box() == before
    assert robot.page.evaluate(FITS)
    rows = [{"seat": 0, "markers": ["large"]}, {"seat": 1, "markers": ["medium", "small"]}]
    assert robot.stored()["draft"]["towers"]["a"]["rows"] == rows
    assert robot.points() == ["5", "3", "–", "–"]
    assert robot.page.locator(".column .head b").all_inner_texts() == [*"ABCDE"]
    robot.tap("Take the last back")
    robot.tap("Next: tower B", exact=True)
    robot.tap("3 Intermezzo")
    for name, value in (("Ada", 4), ("Ada", 2), ("Ada", 2), ("Bruno", 3), ("Cleo", 1), ("Dora", 1)):
        assert robot.page.locator(".finding").count() == 0
        robot.tap(f"{name}, token {value},")
    assert robot.stored()["draft"]["tokens"] == [[4, 2, 2], [3], [1], [1]]
    robot.scored()
    robot.page.get_by_role("button", name="Bruno, token 2, 0 left").click(force=True)
    assert "gives token 2 only 2 times" in robot.text(".message")
    assert robot.page.evaluate(FITS) or robot.page.locator(".finding").count()
    robot.tap("Ada, token 2, 0 left")
    assert robot.stored()["draft"]["tokens"][0] == [4]
    assert steps(robot) == ["1 Heights done", "2 Markers 1 of 5", "3 Intermezzo 4 of 6"]
    robot.scored()
    robot.press(robot.page.locator(".pad-foot").get_by_role("button", name="Result", exact=True))
    robot.page.locator("main.result .places").wait_for()


def test_heights_are_typed_with_keys_and_the_order_of_level_towers_changed(visit: Opener) -> None:
    robot = visit("/score/campanile", touch=False)
    robot.sit_down("Ada", "Bruno", "Cleo")
    heights(robot, 9, 9, 14, 3, 0)
    robot.tap("1 Heights")
    robot.tap("Move tower A one place further")
    assert robot.stored()["draft"]["order"] == ["b", "a", "c", "d", "e"]
    robot.tap("Tower C, height 14")
    robot.page.keyboard.type("36")
    robot.page.keyboard.press("Enter")
    robot.page.keyboard.type("7")
    towers = robot.stored()["draft"]["towers"]
    assert [towers[style]["height"] for style in "cd"] == [36, 7]


def test_carrara_is_typed_with_digits_and_keeps_sums(visit: Opener) -> None:
    robot = visit("/score/carrara", touch=False)
    robot.sit_down("Ada", "Bruno")
    robot.page.locator(".figures td button").first.focus()
    robot.page.keyboard.type("12+15")
    robot.page.keyboard.press("Enter")
    robot.page.keyboard.type("9")
    assert robot.points() == ["27", "9"]
    assert robot.page.locator(".figures td button .seen").first.inner_text() == "12+15"
    robot.page.keyboard.press("Enter")
    robot.page.keyboard.type("551")
    assert robot.points() == ["38", "9"]
    robot.page.keyboard.press("Backspace")
    assert robot.points() == ["37", "9"]


def test_carrara_leads_to_the_result_once_everything_is_typed_in(visit: Opener) -> None:
    sheet = sheet_of("carrara", "four-plan")
    last = sheet["seats"][-1].pop("coins")
    robot = visit(link_to(sheet))
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.page.get_by_role("button", name=f"{sheet['seats'][-1]['name']}, Coins").click()
    robot.tap("Next: ")
    robot.page.get_by_role("button", name=f"{sheet['seats'][-1]['name']}, Coins").click()
    robot.tap_in("Coins", str(last))
    robot.scored()
    robot.press(robot.page.locator(".pad").get_by_role("button", name="Result", exact=True))
    robot.page.wait_for_selector("main.result .places")


def test_a_number_of_two_digits_tapped_digit_by_digit_changes_no_other_field(visit: Opener) -> None:
    """The second digit would go into the next field; where that is filled in, nobody would notice."""
    sheet = sheet_of("carrara", "four-plan")
    last = len(sheet["seats"]) - 1
    sheet["seats"][last].pop("coins")
    robot = visit(link_to(sheet))
    robot.tap("Keep and change it here")
    robot.page.wait_for_selector(".pad-part")
    robot.page.get_by_role("button", name=f"{sheet['seats'][last]['name']}, Coins").click()
    before = robot.stored()["draft"]["seats"]
    for digit in "11":
        robot.tap_in("Coins", digit)
    assert robot.stored()["draft"]["seats"] == [*before[:last], {**before[last], "coins": "1"}]
    robot.page.get_by_role("button", name=f"{sheet['seats'][last]['name']}, Coins").click()
    robot.tap_in("Coins", "11")
    assert robot.stored()["draft"]["seats"] == [*before[:last], {**before[last], "coins": "11"}]


def test_many_coins_are_typed_with_digits(visit: Opener, axe: str) -> None:
    robot = visit("/score/carrara")
    robot.sit_down("Ada", "Bruno")
    robot.page.get_by_role("button", name="Ada, Coins").click()
    robot.tap_in("Coins", "more")
    for digit in "31":
        robot.tap_in("Digits", digit)
    assert robot.stored()["draft"]["seats"][0]["coins"] == "31"
    assert robot.complaints(axe) == []
    robot.tap("Next: Bruno", exact=True)
    robot.tap_in("Coins", "7")
    assert robot.stored()["draft"]["seats"][1]["coins"] == "7"


def test_a_seventh_building_of_a_cost_is_refused(visit: Opener) -> None:
    robot = visit("/score/carrara")
    robot.sit_down("Ada", "Bruno")
    robot.page.get_by_role("button", name="Ada, Building costs").click()
    for _ in range(7):
        robot.tap("building of cost 5")
    assert "All 6 buildings of cost 5 have been typed in." in robot.text(".message")
    assert robot.stored()["draft"]["seats"][0]["costs"] == [5] * 6


def test_nobody_builds_on_two_lots_of_a_district(visit: Opener) -> None:
    robot = visit("/score/fifth-avenue")
    robot.sit_down("Ada", "Bruno", "Cleo")
    robot.tap("Ada: 2 building")
    robot.page.get_by_role("button", name="Ada: 3 buildings").click(force=True)
    assert "Ada has buildings on orange already." in robot.text(".message")
    assert robot.stored()["draft"]["districts"]["52nd-street-west"] == {"orange": {"owner": 0, "buildings": 2}}


def test_two_players_have_the_dummy_beside_them(visit: Opener) -> None:
    robot = visit("/score/fifth-avenue")
    robot.sit_down("Ada", "Bruno")
    robot.tap("Dummy: 2 building")
    robot.tap("Dummy: 1 building")
    lots = robot.stored()["draft"]["districts"]["52nd-street-west"]
    assert [lot["owner"] for lot in lots.values()] == ["dummy", "dummy"]


def test_lots_on_the_map_are_drawn_completely(visit: Opener) -> None:
    """Two businesses on a lot at the edge, in the language with the longest abbreviations."""
    robot = visit(link_to(sheet_of("fifth-avenue", "four-plan")), language="it", width=360)
    robot.page.locator("main.result .keep").click()
    robot.page.wait_for_selector(".map .district")
    beyond = robot.page.evaluate(
        "() => [...document.querySelectorAll('.map .district svg rect')].filter((one) => {"
        " const box = one.getBBox(), { width, height } = one.ownerSVGElement.viewBox.baseVal;"
        " return box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height; }).length"
    )
    assert robot.page.locator(".map .district svg rect").count() > 10
    assert beyond == 0


def test_another_ring_gives_other_points(visit: Opener) -> None:
    """Buildings on orange, a business on green and one on grey: neighbours only in the ring of one's own board."""
    robot = visit("/score/fifth-avenue")
    robot.sit_down("Ada", "Bruno", "Cleo")
    robot.tap("Ada: 2 building")
    for lot in ("gallery", "empty", "jeweller", "empty"):
        robot.tap_in("What lies on the lot", lot)
    assert robot.points() == ["4", "–", "–"]
    robot.tap("Back to the map")
    robot.tap("52nd Street West")
    robot.tap("Another ring")
    for lot in ("orange", "green", "purple", "brown", "grey"):
        robot.page.get_by_role("group", name="Lots").get_by_role("button", name=lot).click()
    assert robot.points() == ["6", "–", "–"]
    assert "in the order you tapped" in robot.text(".pad")
