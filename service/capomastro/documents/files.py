"""Locates the schemas and the specification: next to the code in a wheel, at the top of a checkout."""

from functools import cache
from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def _data(name: str) -> Path:
    candidates = (_PACKAGE / "_data" / name, _PACKAGE.parents[1] / name)
    for candidate in candidates:
        if candidate.exists():
            return candidate
    paths = " nor ".join(str(candidate) for candidate in candidates)
    raise FileNotFoundError(f"{name} is missing: neither {paths} exists; install the wheel or use a complete checkout")


def schemas_directory() -> Path:
    return _data("schemas")


def openapi_file(form: Literal["yaml", "json"]) -> Path:
    """The specification as YAML or JSON."""
    return _data(f"openapi.{form}")
