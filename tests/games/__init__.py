"""The tests of each game; a folder per game, as in the package."""
