"""Benchmarks. README.md in this folder defines the measurements and their units."""
