"""The two files that say the same: one to read, one to load."""

from functools import cache

from tools.openapi.specification import specification
from tools.openapi.writing import as_yaml

from capomastro.documents import json_text

HEAD = "# Made by `make openapi` from what the resources declare. Do not edit.\n"


@cache
def written() -> dict[str, str]:
    """The files as they should be, by name."""
    document = specification()
    return {"openapi.yaml": HEAD + as_yaml(document), "openapi.json": json_text.encode(document).decode() + "\n"}
