"""Compares the specification with that of the last release: what would break a client of it.

`released.json` is the specification of the last release without its prose; `make release` writes it. `announced.toml`
has every breaking change since, with the reason; tests/test_contract.py holds it to what `breaking` finds.
"""
