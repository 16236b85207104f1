"""Benchmarks: what is measured here, and in which units, is defined in README.md beside this file."""
