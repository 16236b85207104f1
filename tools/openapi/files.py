"""The two forms of the specification: one for people, one for programs."""

from functools import cache

from tools.openapi.specification import specification
from tools.openapi.writing import as_yaml

from capomastro.documents import json_text

HEAD = "# Made by `make openapi` from what the resources declare. Do not edit.\n"


@cache
def written() -> dict[str, str]:
    """The expected content of the files, by name."""
    document = specification()
    return {"openapi.yaml": HEAD + as_yaml(document), "openapi.json": json_text.encode(document).decode() + "\n"}
