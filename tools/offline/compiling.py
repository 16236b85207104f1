"""Compiles modules for the Python that runs it, and removes their sources: `python.mjs` runs it in Pyodide.

The docstrings of others are left out. Our own stay: the specification has them.
"""

import sys
from compileall import compile_dir, compile_file
from functools import partial
from pathlib import Path
from py_compile import PycInvalidationMode

OURS = "capomastro"
AS_IT_IS, WITHOUT_DOCSTRINGS = 0, 2

for folder in map(Path, sys.argv[1:]):
    for part in folder.iterdir():
        level = AS_IT_IS if part.name == OURS else WITHOUT_DOCSTRINGS
        compiles = partial(compile_dir if part.is_dir() else compile_file, part, stripdir=folder, quiet=1, legacy=True)
        if not compiles(optimize=level, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH):
            sys.exit(f"{part} cannot be compiled")
    for source in folder.rglob("*.py"):
        source.unlink()
