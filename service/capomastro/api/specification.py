"""The specification of the service as it is served."""

import re
from functools import cache
from typing import Any

import yaml

from capomastro import addresses
from capomastro.documents.files import openapi_file
from capomastro.documents.shapes import COMMON

FILE = re.compile(r"(?<=\$ref: )schemas/([a-z-]+)/([a-z-]+)\.json")
"""How `openapi.yaml` refers to the file of a schema: folder and document."""


@cache
def served_specification() -> bytes:
    """`openapi.yaml`, its references to files of schemas made addresses on the server."""
    text = openapi_file().read_text("utf-8")
    return FILE.sub(lambda file: addresses.schema(None if file[1] == COMMON else file[1], file[2]), text).encode()


def decoded_specification() -> Any:
    """The specification as it is served, decoded."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the faster one, where it is built
    return yaml.load(served_specification(), loader)  # noqa: S506 - both are safe
