"""Clients of the service in other packages, made of the specification, and their tests."""
