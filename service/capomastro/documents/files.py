"""Locates the schemas and the specification: next to the code in a wheel, in a checkout at the top and in `build`."""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def _data(name: str, in_checkout: str) -> Path:
    candidates = (_PACKAGE / "_data" / name, _PACKAGE.parents[1] / in_checkout)
    for candidate in candidates:
        if candidate.exists():
            return candidate
    paths = " nor ".join(str(candidate) for candidate in candidates)
    raise FileNotFoundError(
        f"{name} is missing: neither {paths} exists; install the wheel, or run `make generated` in a complete checkout"
    )


def schemas_directory() -> Path:
    return _data("schemas", "schemas")


def documentation_directory() -> Path:
    """The pages of the documentation as HTML, and their pictures."""
    return _data("documentation", "build/documentation")


def openapi_name(game: str | None, *, examples: bool) -> str:
    """The name of the specification of a game (None: of all), with examples or without."""
    return f"openapi{f'.{game}' if game else ''}{'' if examples else '.without-examples'}.json"


def openapi_json(game: str | None = None, *, examples: bool = True) -> Path:
    """The specification for programs, with examples or without; of one game, or of all."""
    return _data("openapi", "build/openapi") / openapi_name(game, examples=examples)


def openapi_yaml() -> Path:
    """The contract for people, which refers to the schemas that the service shows."""
    return _data("openapi", "build/openapi") / "openapi.yaml"
