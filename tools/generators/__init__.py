"""Tries out what others make of the specification: make generators.

The linters must find nothing. The generators must say nothing, keep every name and leave out no operation; what they
make must compile, and decode. What they cannot do by their own fault stands in `EXCEPTIONS`.
"""
