"""`capomastro picture` draws what the service draws, and explains what it cannot draw."""

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from capomastro import adjudicator
from capomastro.documents.languages import using_language
from capomastro.games import all_games
from tests.cli.conftest import Ask
from tests.support.documents import as_document
from tests.support.recorded import records_folder, replay_of

Save = Callable[[str, Any], str]
RECORD = records_folder("campanile") / "two-plan.json"
GAME = all_games()["campanile"]
SHEET = {
    "game": "palazzo",
    "schema_version": 1,
    "seats": [{"name": "Ada", "palaces": [["brick-1-2"]]}, {"palaces": []}],
}


def drawn(ask: Ask, *arguments: str) -> ET.Element:
    result = ask(*arguments)
    assert result.exit_code == 0, result.output
    return ET.fromstring(result.stdout)


def recorded() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return document


@pytest.mark.parametrize(("layout", "width"), [("wide", "1200"), ("narrow", "360")])
def test_a_position_of_a_record_is_drawn_for_either_width(ask: Ask, save: Save, layout: str, width: str) -> None:
    file = save("game.json", recorded())
    shown = ask("picture", file, "--ply", "42", "--layout", layout)
    assert shown.stdout.rstrip("\n") == adjudicator.pictures_of_record(GAME, recorded(), layout, ply=42).pictures[0]
    assert ET.fromstring(shown.stdout).get("width") == width
    assert drawn(ask, "picture", file)[0].text == f"Campanile, 2 players, after move {len(recorded()['moves'])}"


def test_seats_and_spectators_see_what_they_may_know(ask: Ask, save: Save) -> None:
    begun = next(index for index, move in enumerate(recorded()["moves"]) if "seat" in move)
    file = save("state.json", as_document(replay_of(RECORD).plies[begun - 1].after))

    def unknown(*arguments: str) -> int:
        return sum(one.get("data-token") == "unknown" for one in drawn(ask, "picture", file, *arguments).iter())

    assert unknown() == 0
    assert 0 < unknown("--seat", "0") < unknown("--spectator")


def test_a_scoresheet_is_drawn(ask: Ask, save: Save) -> None:
    assert "scoresheet" in (drawn(ask, "picture", save("sheet.json", SHEET))[0].text or "")


@pytest.mark.parametrize("language", ["en", "it", "es", "de"])
def test_the_picture_is_in_the_requested_language(ask: Ask, save: Save, language: str) -> None:
    shown = ask("--language", language, "picture", save("game.json", recorded()), "--ply", "42")
    with using_language(language):
        there = adjudicator.pictures_of_record(GAME, recorded(), ply=42).pictures[0]
    assert shown.stdout.rstrip("\n") == there
    assert ET.fromstring(shown.stdout).get("lang") == language


@pytest.mark.parametrize(
    ("document", "arguments", "message"),
    [
        (recorded(), ("--ply", "100000"), "there is no position after ply 100000"),
        (recorded(), ("--seat", "2"), "seat"),
        (recorded(), ("--seat", "0", "--spectator"), "Give either --seat N or --spectator."),
        (recorded(), ("--layout", "tall"), "tall"),
        (SHEET, ("--ply", "1"), "--ply goes only with a record."),
        (SHEET, ("--seat", "0"), "A scoresheet is the same for everybody: leave out"),
        ({"game": "chess"}, (), "chess"),
    ],
)
def test_documents_that_cannot_be_drawn_are_refused(
    ask: Ask, save: Save, document: Any, arguments: tuple[str, ...], message: str
) -> None:
    refused = ask("picture", save("document.json", document), *arguments)
    assert refused.exit_code != 0
    assert not refused.stdout.startswith("<svg")
    assert message in refused.output
