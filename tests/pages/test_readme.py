"""The picture of a score pad in the README: a table, typed in; `make generated ONLY=picture` takes it again."""

import os

from tests.pages.conftest import Opener

PICTURE = os.environ.get("CAPOMASTRO_README_PICTURE", "")
"""Where to write the picture. It is not compared: letters differ between machines."""


def test_the_table_in_the_picture_of_the_readme(visit: Opener) -> None:
    robot = visit("/score/palazzo", width=390, device_scale_factor=1.5)
    robot.sit_down("Ada", "Bruno", "Cleo", "Dario")
    for player, tiles in {
        "Ada": ["sandstone 1 (2 windows)", "brick 2 (1 window)", "marble 3 (2 windows)", "brick 5 (2 windows)"],
        "Bruno": ["brick 1 (3 windows)", "brick 3 (2 windows)", "brick 4 (3 windows)"],
        "Cleo": [
            "marble 1 (2 windows)",
            "marble 2 (3 windows)",
            "sandstone 4 (1 window)",
            "sandstone 3 (1 window)",
            "brick 4 (1 window)",
        ],
    }.items():
        robot.tap(player, role="tab")
        for tile in tiles:
            robot.tile(tile)
    assert robot.points() == ["10", "11", "6", "–"]
    if PICTURE:
        robot.page.set_viewport_size({"width": 390, "height": 860})
        robot.page.evaluate("scrollTo(0, 0)")
        robot.page.screenshot(path=PICTURE)
