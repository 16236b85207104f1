"""Whatever a scoresheet is refused for, the page reports it where it was entered."""

import json
import re
from functools import cache
from typing import Any

import pytest

from capomastro import pages
from capomastro.games import all_games
from tests.pages.conftest import Opener
from tests.pages.parameters import first_of
from tests.support.documents import as_document
from tests.support.refusals import cases_of, refusals_of, refusing_rules

PLACES = """async (sheets) => {
  const pad = document.querySelector("score-pad");
  const files = new URL(pad.getAttribute("files"), location.href);
  const game = (await import(`${files}/games/${pad.getAttribute("game")}.js`)).default;
  return sheets.map(({ sheet, pointer }) => {
    const names = sheet.seats.map((_, seat) => `Player ${seat + 1}`);
    const { draft, cursor } = game.draftOf(sheet);
    const field = game.fieldOf(pointer, draft);
    const shown = new Set();
    const nothing = () => {};
    const context = {
      game: sheet.game, names, draft, cursor: game.goTo(field, draft, cursor),
      enter: nothing, tell: nothing, finish: nothing, change: nothing,
      lines: names.map(() => []), totals: names.map(() => 0), stale: false, wording: nothing,
      findingsAt: (one) => { shown.add(one); return []; },
    };
    game.picture(context);
    game.pad(context);
    const seat = game.seatOf(field);
    if (seat !== undefined && field === game.tieField(seat)) game.tieForm(context, seat);
    return { pointer, field, shown: shown.has(field), named: game.nameOf(field, names, draft) };
  });
}"""
"""For each finding: its field, and whether the pad shows the finding there after its link was followed."""

WHOLE = ("/seats", "/seats/0", "/towers", "/districts", "/move_medium_marker")
"""Places that concern the whole table, everything of one player, or entries made before the table."""


@cache
def findings(game: str) -> list[dict[str, Any]]:
    """Every place that a finding can have, each with a sheet that has such a finding."""
    given = all_games()[game]
    found = {}
    for broken in cases_of(given):
        if isinstance(broken.subject, given.scoresheet_type):
            for refusal in refusals_of(given, broken):
                found[refusal.rule, refusal.pointer] = {
                    "sheet": as_document(broken.subject),
                    "pointer": refusal.pointer,
                }
    assert {rule for rule, _ in found} <= refusing_rules(given)
    return list(found.values())


@pytest.mark.parametrize("game", first_of(pages.pads()))
def test_every_finding_is_shown_at_the_place_it_links_to(visit: Opener, game: str) -> None:
    robot = visit(f"/score/{game}")
    places = robot.page.evaluate(PLACES, findings(game))
    assert len(places) > 5
    assert [place for place in places if not place["shown"] or not place["named"]] == []
    assert [place for place in places if (place["field"] == "table") != (place["pointer"] in WHOLE)] == []


NAMES = ("Ada", "Bruno", "Cleo", "Dino", "Emma")
NUMBERED = r"\b(seat|posto|asiento|Sitz) \d"
WITH_AN_ARTICLE = rf"(?i:\b(il|al|dal|del|el|the|der|dem) )({'|'.join(NAMES)})\b"
TOLD = """async ([sheets, names]) => {
  const files = document.querySelector("score-pad").getAttribute("files");
  const [{ findingText }, { ask }] = await Promise.all([import(`${files}/parts.js`), import(`${files}/service.js`)]);
  const told = new Set();
  for (const scoresheet of sheets) {
    const { value } = await ask(`/v1/games/${scoresheet.game}/scores`, { scoresheet });
    for (const one of value.errors ?? []) told.add(findingText(one, names));
  }
  return [...told];
}"""
"""What a page says about everything wrong with some scoresheets."""


@pytest.mark.parametrize("language", first_of(["de", "it"]))
def test_findings_name_players_instead_of_seats(visit: Opener, language: str) -> None:
    robot = visit("/score/palazzo", language=language)
    for game in pages.pads():
        sheets = {json.dumps(found["sheet"]): found["sheet"] for found in findings(game)}
        sentences = robot.page.evaluate(TOLD, [list(sheets.values()), NAMES])
        assert len(sentences) > 5
        assert [one for one in sentences if re.search(NUMBERED, one) or re.search(WITH_AN_ARTICLE, one)] == []
        assert any(name in one for one in sentences for name in NAMES) or game == "palazzo"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "40 is more than the 36 that there can be."),
        ("it", "40 è più del massimo possibile, 36."),
        ("es", "40 es más que el máximo posible, 36."),
        ("de", "40 ist mehr als die 36, die es geben kann."),
    ],
)
def test_an_impossible_number_is_reported_in_every_language(visit: Opener, language: str, sentence: str) -> None:
    """The service reports it in English only, as an error of shape."""
    robot = visit("/score/carrara", language=language)
    sheet = {"game": "carrara", "schema_version": 1, "seats": [{"objects": 40}, {}], "unfinished": True}
    assert robot.page.evaluate(TOLD, [[sheet], NAMES]) == [sentence]
