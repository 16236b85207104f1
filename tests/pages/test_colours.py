"""The colours of the pages, light and dark, have enough contrast."""

import re
from itertools import combinations

import pytest

from capomastro import pages
from tests.support.colours import BLIND, contrast, difference

STYLE = pages.files()["style.css"].content.decode()
ROOTS = re.findall(r":root, :host \{(.*?)\}", STYLE, re.DOTALL)
LIGHT = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", ROOTS[0]))
DARK = {**LIGHT, **dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", ROOTS[1]))}
PLAYERS = [f"player{seat}" for seat in range(5)]
LOTS = ["orange", "lot-green", "purple", "grey", "brown", "colourless"]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_enough_contrast(palette: dict[str, str]) -> None:
    texts = ("ink", "ink2", "blue", "red", "green")
    read = [(text, ground, 4.5) for text in texts for ground in ("paper", "sheet")]
    read += [("ink", "sunk", 4.5), ("ink2", "sunk", 4.5), ("red", "redwash", 4.5), ("ink", "redwash", 4.5)]
    read += [("ink", "bluewash", 4.5), ("green", "greenwash", 4.5), ("on-colour", "orange", 4.5)]
    read += [("on-colour", lot, 4.5) for lot in LOTS] + [("on-player", player, 4.5) for player in PLAYERS]
    read += [("edge", ground, 3.0) for ground in ("paper", "sheet")]
    read += [("window", material, 4.5) for material in ("brick", "sandstone", "marble")]
    poor = {
        (text, ground): contrast(palette[text], palette[ground])
        for text, ground, least in read
        if contrast(palette[text], palette[ground]) < least
    }
    assert poor == {}


@pytest.mark.parametrize("seen", BLIND)
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_everybody_can_tell_players_apart(palette: dict[str, str], seen: str) -> None:
    near = {pair: difference(palette[pair[0]], palette[pair[1]], seen) for pair in combinations(PLAYERS, 2)}
    assert {pair: far for pair, far in near.items() if far < 20} == {}
