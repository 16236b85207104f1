"""Writes the specification anew, `openapi.yaml` to read and `openapi.json` to load: make openapi.

Shapes are those of `schemas/`, gathered into one document (`bundle`). Paths, bodies and problems are what the resources
declare, spelled out for each game so that every body is typed; answers are the types declared there (`answers`).
Examples are what the running code answers (`examples`).
"""
