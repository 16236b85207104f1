"""The tests. What several of them need is in `support`; the tests of a game are in `games/<game>`."""
