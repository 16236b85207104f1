"""The tests of all games, and a folder for each, as in the package."""
