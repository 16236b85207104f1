"""Light and dark colours, hatchings, and the style sheet that all pictures share.

The style sheet is constant, so that a Content-Security-Policy can name its hash, or a page can adopt it in a shadow
root. Colours are CSS variables; a `Paint` is the value of a `fill`. Within one kind of thing, no game uses a hatching
twice.
"""

from collections.abc import Mapping

from capomastro.drawing.elements import Svg

COLOURS: Mapping[str, tuple[str, str]] = {
    # paper and ink
    "paper": ("#f3efe6", "#14181e"),
    "sheet": ("#fffdf8", "#1d232b"),
    "back": ("#eae4d7", "#323b46"),
    "ink": ("#1b2431", "#ede8dd"),
    "ink2": ("#535b68", "#a9b0ba"),
    "line": ("#d9d1c1", "#353d48"),
    "bar": ("#1b2431", "#3c4a5c"),
    "on-bar": ("#fffdf8", "#ffffff"),
    "plate": ("#fffdf8", "#14181e"),
    "new": ("#c2006b", "#ff7ab8"),
    # players
    "player0": ("#1a60dc", "#3e9bf0"),
    "player1": ("#b04d06", "#ff8a42"),
    "player2": ("#14603a", "#3be3a6"),
    "player3": ("#8e3199", "#edb0dc"),
    "player4": ("#70717d", "#998a76"),
    "on-player": ("#ffffff", "#14181e"),
    # what is built
    "brick": ("#db9273", "#c07355"),
    "mortar": ("#b4694a", "#8a4a32"),
    "sandstone": ("#e8cc8b", "#be9f5d"),
    "grain": ("#b8924a", "#8a6c34"),
    "marble": ("#edeff1", "#b9bec5"),
    "vein": ("#a9b3bd", "#848e99"),
    "window": ("#1b2431", "#ffe08f"),
    "frame": ("#fffdf8", "#2a2118"),
    "roof": ("#966543", "#6f4a33"),
    "figure": ("#f2cf45", "#f2cf45"),
    # blocks, money, lots
    "white": ("#fdfcf8", "#fdfcf8"),
    "yellow": ("#f2cf55", "#f2cf55"),
    "red": ("#d8705a", "#d8705a"),
    "green": ("#3a8560", "#3a8560"),
    "blue": ("#2c5a9c", "#2c5a9c"),
    "black": ("#2a2d33", "#2a2d33"),
    "orange": ("#e59a45", "#d98f3d"),
    "lot-green": ("#6fae6b", "#63a05f"),
    "purple": ("#a887cb", "#a488c6"),
    "grey": ("#aab1b9", "#9aa2ab"),
    "brown": ("#b08a68", "#ac8765"),
    "road": ("#e5decf", "#28303a"),
    # the stones of five towers: pale, because saturated ones are read as players
    "stone-a": ("#d99a80", "#d99a80"),
    "stone-b": ("#e3cc91", "#e3cc91"),
    "stone-c": ("#b7c4a1", "#b7c4a1"),
    "stone-d": ("#b2c0cd", "#b2c0cd"),
    "stone-e": ("#d6b6c6", "#d6b6c6"),
}
"""Every colour, light and dark."""

DARK_ON_COLOUR = "#14181e"
"""Ink on bands and blocks, whose colours stay much the same in the dark."""


def paint(colour: str) -> str:
    """A colour as a fill."""
    return f"var(--{colour})"


PAPER, SHEET, BACK, INK, INK2, LINE, BAR, ON_BAR, NEW = map(
    paint, ("paper", "sheet", "back", "ink", "ink2", "line", "bar", "on-bar", "new")
)
PLAYERS = tuple(map(paint, ("player0", "player1", "player2", "player3", "player4")))
ON_PLAYER, PLATE, WINDOW, FRAME, ROOF, ROAD, WHITE = map(
    paint, ("on-player", "plate", "window", "frame", "roof", "road", "white")
)


# --- hatchings -------------------------------------------------------------------------------------------------------

DOTS = '<circle cx="1.5" cy="1.5" r="1.1"/><circle cx="4.5" cy="4.5" r="1.1"/>'
VERTICAL = '<path d="M1.5 0V6M4.5 0V6"/>'
DIAGONAL = '<path d="M-1-1L7 7M-1 5L1 7M5-1L7 1"/>'
HORIZONTAL = '<path d="M0 1.5H6M0 4.5H6"/>'
GRID = '<path d="M1.5 0V6M0 1.5H6"/>'


def band(colour: str, strokes: str = "", light: bool = False) -> str:
    """A colour with half-transparent strokes: dark, or light on dark colours."""
    kind = "light" if light else "dark"
    drawn = strokes.replace("<circle", f'<circle class="{kind}-dot"').replace("<path", f'<path class="{kind}-stroke"')
    return pattern(colour, 6, 6, drawn)


def pattern(colour: str, width: int, height: int, drawn: str) -> str:
    ground = f'<rect width="{width}" height="{height}" fill="{paint(colour)}"/>'
    return f'width="{width}" height="{height}" patternUnits="userSpaceOnUse">{ground}{drawn}'


PATTERNS: Mapping[str, str] = {
    "white": band("white"),
    "grey": band("grey"),
    "yellow": band("yellow", DOTS),
    "orange": band("orange", DOTS),
    "red": band("red", VERTICAL),
    "purple": band("purple", VERTICAL),
    "green": band("green", DIAGONAL),
    "lot-green": band("lot-green", DIAGONAL),
    "blue": band("blue", HORIZONTAL, light=True),
    "brown": band("brown", HORIZONTAL),
    "black": band("black", GRID, light=True),
    "brick": pattern("brick", 12, 8, '<path class="mortar" d="M0 .5H12M0 4.5H12M3 .5V4.5M9 4.5V8.5"/>'),
    "sandstone": pattern(
        "sandstone", 8, 8, '<circle class="grain" cx="2" cy="2" r="1"/><circle class="grain" cx="6" cy="6" r="1"/>'
    ),
    "marble": pattern("marble", 20, 20, '<path class="vein" d="M-2 12L12-2M8 22L22 8M2 20l6-7 4 1 7-9"/>'),
    **{f"stone-{style}": band(f"stone-{style}") for style in "abcde"},
}
"""As in heraldry: plain, dots, vertical, diagonal, horizontal, grid; three materials; stones, told apart by windows."""


def hatched(name: str) -> str:
    """A hatching as a fill; `name` is a key of `PATTERNS`. It blurs unless the filled shape has whole coordinates."""
    return f"url(#cm-{name})"


def definitions(markup: str) -> Svg:
    """The definitions of the hatchings that `markup` uses."""
    used, at = set(), 0
    # a single character is found much faster than a pattern is
    while (at := markup.find("#", at) + 1) > 0:
        used.add(markup[at : markup.find(")", at)])
    return Svg("".join([definition for name, definition in DEFINITIONS if name in used]))


DEFINITIONS = [(f"cm-{name}", f'<pattern id="cm-{name}" {drawn}</pattern>') for name, drawn in sorted(PATTERNS.items())]


# --- the style text --------------------------------------------------------------------------------------------------


def variables(shade: int) -> str:
    """The colours of a shade as CSS variables; of the dark ones, only those that differ from the light ones."""
    return ";".join(
        f"--{name}:{shades[shade]}" for name, shades in COLOURS.items() if not shade or shades[0] != shades[1]
    )


STYLE = (
    f"svg.cm{{{variables(0)};"
    'font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;font-size:12px;'
    "font-variant-numeric:tabular-nums}"
    f"@media screen and (prefers-color-scheme:dark){{svg.cm{{{variables(1)}}}}}"
    "@media print{svg.cm{--paper:#fff;--sheet:#fff}}"
    ".cm text{fill:var(--ink)}"
    ".cm .quiet{fill:var(--ink2)}"
    ".cm .bold{font-weight:700}"
    ".cm .middle{text-anchor:middle}"
    ".cm .end{text-anchor:end}"
    ".cm .caption{font-size:11px;font-weight:700;letter-spacing:.6px;fill:var(--ink2)}"
    ".cm .on-bar{fill:var(--on-bar)}"
    ".cm .on-player{fill:var(--on-player)}"
    f".cm .on-colour{{fill:{DARK_ON_COLOUR}}}"
    ".cm .hair{stroke:var(--ink);stroke-width:.8}"
    ".cm .faint{stroke:var(--line);stroke-width:1}"
    ".cm .edge{stroke:var(--ink);stroke-width:1.25}"
    ".cm .strong{stroke:var(--ink);stroke-width:2.2}"
    ".cm .ground{stroke:var(--ink);stroke-width:2.25}"
    ".cm .inverted{stroke:var(--paper);stroke-width:2.2}"
    ".cm .road{stroke:var(--road);stroke-width:20}"
    ".cm .ring{stroke:var(--new);stroke-width:3}"
    ".cm .chisel{stroke:var(--on-player);stroke-width:1.7;stroke-linecap:square}"
    ".cm .frame{stroke:var(--frame);stroke-width:1.6;paint-order:stroke}"
    ".cm .absent{stroke-dasharray:3 2}"
    f".cm .dark-stroke{{stroke:{DARK_ON_COLOUR};stroke-width:1.2;stroke-opacity:.5;fill:none}}"
    f".cm .dark-dot{{fill:{DARK_ON_COLOUR};fill-opacity:.5}}"
    f".cm .dark-line{{stroke:{DARK_ON_COLOUR};stroke-width:1.25}}"
    ".cm .light-stroke{stroke:#fff;stroke-width:1.2;stroke-opacity:.5;fill:none}"
    ".cm .mortar{stroke:var(--mortar);fill:none}"
    ".cm .grain{fill:var(--grain)}"
    ".cm .vein{stroke:var(--vein);stroke-width:1.1;fill:none}"
)
"""Classes set how lines and letters look, never a fill of a shape: a class would beat the attribute `fill`."""
