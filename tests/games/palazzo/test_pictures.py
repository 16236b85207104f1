"""The picture of Palazzo: nothing stands in front of what is to be read."""

import re
from xml.etree import ElementTree as ET

import pytest

from capomastro.adjudicator.pictures import picture_of
from capomastro.documents.languages import languages, using_language
from capomastro.documents.wordings import SHARED
from capomastro.drawing.pictures import LAYOUTS
from capomastro.games.palazzo.components import QUARRIES
from capomastro.games.palazzo.game import GAME
from tests.games.palazzo.table import table
from tests.support.lettering import lettering_of

HALF_A_BUILDER = 9


@pytest.mark.parametrize("language", languages(SHARED))
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("number", range(QUARRIES))
def test_the_builder_does_not_cover_the_number_of_a_quarry(language: str, layout: str, number: int) -> None:
    with using_language(language):
        svg = ET.fromstring(picture_of(GAME, table(builder=number), layout))
    (quarry,) = [element for element in svg.iter() if element.get("data-place") == f"/quarries/{number}"]
    (builder,) = [element for element in quarry.iter() if element.get("data-place") == "/builder"]
    quarry.attrib.pop("transform", None)
    (name,) = lettering_of(quarry)
    moved = re.match(r"translate\((\S+) ", builder.get("transform", ""))
    assert moved
    assert name.right <= float(moved[1]) - HALF_A_BUILDER
