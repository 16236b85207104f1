"""Writes `schemas/` from the types of documents: make generated.

A type, its bounds and its sentences stand in the code: `types` reads them, `sentences` finds the docstrings,
`documents` says which documents there are and where each type has its schema, `writing` lays the files out.
"""
