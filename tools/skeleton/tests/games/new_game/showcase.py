"""What the recorded games of New Game have to show, and how to make them."""

from tests.support.golden import Playthrough
from tests.support.recorded import Property, Recipe

PROPERTIES: dict[str, Property] = {}
"""FILL IN: every way to end, every level of a tie, every number of players; players with a goal go to `players.py`."""

RECIPES: list[Recipe] = []
"""FILL IN: how a record for each is found; then `make generated`."""

PLAYTHROUGHS = [Playthrough("2-players-random", 2)]
