"""The tests of Palazzo."""
