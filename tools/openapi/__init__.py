"""Generates the contract, and builds the specification from it.

`openapi.yaml` is the contract: every declared resource once (`contract`), with the types of its answers (`answers`),
and references to `schemas/`. What generators need follows from it: the schemas in one document (`bundle`), every
resource for each game (`expansion`), with answers of the running code as examples (`examples`).
"""
