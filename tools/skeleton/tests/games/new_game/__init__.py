"""The tests of New Game. Those that hold for every game find it by itself, as soon as it has a `GAME`."""
