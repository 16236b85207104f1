"""Tests the specification with linters and generators: make generators.

The linters must find nothing. The generators must not complain, keep every name and every operation; the code that they
generate must compile, and decode the examples. `EXCEPTIONS` lists faults of the tools themselves.
"""
