"""Prints the modules of the library with which Pyodide unpacks an archive, for `engine.py`: `python.mjs` runs it."""

import lzma  # noqa: F401 - what `unpackArchive` imports for a tar in xz
import sys
import tarfile  # noqa: F401

import pyodide._package_loader  # type: ignore[import-not-found]  # noqa: F401

print(*sorted({name.partition(".")[0] for name in sys.modules}))
