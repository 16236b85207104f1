"""The colours of the pages, light and dark: whatever is read on something stands out from it."""

import re
from itertools import combinations

import pytest

from capomastro import pages

STYLE = pages.files()["style.css"].content.decode()
ROOTS = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
LIGHT = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", ROOTS[0]))
DARK = {**LIGHT, **dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", ROOTS[1]))}
PLAYERS = [f"player{seat}" for seat in range(5)]
LOTS = ["orange", "lot-green", "purple", "grey", "brown", "colourless"]
BLIND = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""How colours are seen, as matrices on linear RGB (Machado, Oliveira and Fernandes 2009, severity 1)."""

Triple = tuple[float, float, float]


def linear(colour: str) -> Triple:
    """Linear RGB, each from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))

    def straight(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return straight(red), straight(green), straight(blue)


def contrast(one: str, other: str) -> float:
    """As WCAG 2 reckons it."""
    weights = (0.2126, 0.7152, 0.0722)
    lights = sorted(sum(w * v for w, v in zip(weights, linear(colour), strict=True)) for colour in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def lab(rgb: Triple) -> Triple:
    """CIE L*a*b*, white D65."""
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    x, y, z = (
        sum(w * v for w, v in zip(row, rgb, strict=True)) / whole for row, whole in zip(to_xyz, white, strict=True)
    )

    def root(value: float) -> float:
        return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116

    return 116 * root(y) - 16, 500 * (root(x) - root(y)), 200 * (root(y) - root(z))


def difference(one: str, other: str, seen: str) -> float:
    """ΔE (1976) as somebody sees it."""

    def through(colour: str) -> Triple:
        rgb = linear(colour)
        red, green, blue = (
            min(max(sum(w * v for w, v in zip(row, rgb, strict=True)), 0.0), 1.0) for row in BLIND[seen]
        )
        return lab((red, green, blue))

    return float(sum((a - b) ** 2 for a, b in zip(through(one), through(other), strict=True)) ** 0.5)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_whatever_is_read_stands_out(palette: dict[str, str]) -> None:
    texts = ("ink", "ink2", "blue", "red", "green")
    read = [(text, ground, 4.5) for text in texts for ground in ("paper", "sheet")]
    read += [("ink", "sunk", 4.5), ("ink2", "sunk", 4.5), ("red", "redwash", 4.5), ("ink", "redwash", 4.5)]
    read += [("ink", "bluewash", 4.5), ("green", "greenwash", 4.5), ("on-colour", "orange", 4.5)]
    read += [("on-colour", lot, 4.5) for lot in LOTS] + [("glyph", player, 4.5) for player in PLAYERS]
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
def test_players_are_told_apart_by_everybody(palette: dict[str, str], seen: str) -> None:
    near = {pair: difference(palette[pair[0]], palette[pair[1]], seen) for pair in combinations(PLAYERS, 2)}
    assert {pair: far for pair, far in near.items() if far < 20} == {}
