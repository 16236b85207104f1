"""Where the schemas and the specification lie: in the wheel beside the code, in a checkout at its top."""

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
    looked = " nor ".join(str(candidate) for candidate in candidates)
    raise FileNotFoundError(f"{name} is missing: neither {looked} exists; install the wheel or use a complete checkout")


def schemas_directory() -> Path:
    return _data("schemas")


def openapi_file(form: Literal["yaml", "json"]) -> Path:
    """The specification, as text to read or as JSON."""
    return _data(f"openapi.{form}")
