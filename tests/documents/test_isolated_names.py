"""Names in Hebrew and Arabic letters: in sentences and pictures they stand apart, so that nothing beside them moves."""

import re
from collections.abc import Iterator
from unicodedata import lookup
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from capomastro import adjudicator
from capomastro.adjudicator.pictures import picture_of
from capomastro.documents.sentences import isolated
from capomastro.drawing import lettering
from capomastro.drawing.pictures import LAYOUTS
from capomastro.engine.game import AnyGame
from capomastro.games import all_games
from capomastro.layout.formatting import printable
from tests.support.documents import as_document
from tests.support.playouts import play_out
from tests.support.recorded import records_folder, replay_of

HEBREW = "דוד המלך 7"
NAMES = (HEBREW, "سلمى", "Cleo", "משה-דב בן-אליעזר הלוי מירושלים", "אבי (2)")
APART = re.compile("\N{FIRST STRONG ISOLATE}[^\N{FIRST STRONG ISOLATE}]*?\N{POP DIRECTIONAL ISOLATE}")
FROM_RIGHT = re.compile("[\u0590-\u06ff]")


def loose(text: str) -> bool:
    """Whether letters from right to left stand in a text without being isolated."""
    return bool(FROM_RIGHT.search(APART.sub("", text)))


def test_only_names_that_turn_the_direction_are_isolated() -> None:
    assert [isolated(name) for name in ("Ada", "Zoë", "Юлия", "")] == ["Ada", "Zoë", "Юлия", ""]
    assert isolated(HEBREW) == f"\N{FIRST STRONG ISOLATE}{HEBREW}\N{POP DIRECTIONAL ISOLATE}"
    turned = "\N{RIGHT-TO-LEFT OVERRIDE}Ada"
    assert isolated(turned) == f"\N{FIRST STRONG ISOLATE}{turned}\N{POP DIRECTIONAL ISOLATE}"


@pytest.mark.parametrize("kind", ["FIRST STRONG", "LEFT-TO-RIGHT", "RIGHT-TO-LEFT", "POP DIRECTIONAL"])
@pytest.mark.parametrize("name", [HEBREW, "Ada"])
def test_what_a_name_isolates_itself_does_not_turn_the_rest_of_the_sentence(name: str, kind: str) -> None:
    unbalanced = name + lookup(f"{kind} ISOLATE")
    assert isolated(unbalanced) == f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"


def test_isolated_names_are_as_wide_and_as_long_as_others_and_stay_isolated_when_cut() -> None:
    name = isolated(NAMES[3])
    assert lettering.width(name) == lettering.width(NAMES[3])
    assert lettering.name(name) == isolated(lettering.name(NAMES[3]))
    assert lettering.cut(name, 100) == isolated(lettering.cut(NAMES[3], 100))
    assert lettering.cut(f"{name}: 7", 100) == isolated(lettering.cut(NAMES[3], 100))
    fitting = isolated("דוד")
    assert lettering.name(fitting) == fitting


def test_the_command_line_prints_isolated_names_as_they_are() -> None:
    assert printable(isolated(HEBREW)) == isolated(HEBREW)


def texts_of(picture: str) -> Iterator[str]:
    return (one.text or "" for one in ET.fromstring(picture).iter())


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_names_in_sentences_are_isolated_and_data_are_as_written(game: AnyGame) -> None:
    record = replay_of(records_folder(game.id) / "two-plan.json").document
    names = list(NAMES[: record["players"]])
    answer = as_document(adjudicator.replay(game, {**record, "names": names}, texts=True))
    texts = [text for one in answer["course"] for text in (one["text"], *(event["text"] for event in one["events"]))]
    assert any(FROM_RIGHT.search(text) for text in texts)
    assert [text for text in texts if loose(text)] == []
    assert answer["state"]["names"] == names


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_names_in_pictures_are_isolated(game: AnyGame, layout: str) -> None:
    players = max(game.players)
    states = [ply.after for ply in play_out(game, players, seed="names")]
    for unnamed in (*states[:: len(states) // 8], states[-1]):
        state = replace(unnamed, names=NAMES[:players])
        texts = list(texts_of(picture_of(game, state, layout)))
        assert any(FROM_RIGHT.search(text) for text in texts)
        assert [text for text in texts if loose(text)] == []
