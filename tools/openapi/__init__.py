"""Generates the specification, `openapi.yaml` for people and `openapi.json` for programs: make openapi.

Shapes come from `schemas/`, bundled into one document (`bundle`). Paths, bodies and problems come from the declared
resources, expanded for each game so that every body is typed; answers are their declared types (`answers`).
Examples are answers of the running code (`examples`).
"""
