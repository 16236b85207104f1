"""The tests of The Palaces of Carrara."""
