"""The tests of New Game.

The tests of all games discover it as soon as it has a `GAME`.
"""
