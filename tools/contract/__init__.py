"""Compares the specification with that of the last release, to find changes that break clients.

`released.json` is the specification of the last release without its prose; `make release` writes it. `announced.toml`
has every breaking change since, with the reason; tests/tools/test_contract.py compares it with what `breaking` finds.
"""
