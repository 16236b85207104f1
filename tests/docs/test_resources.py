"""The table of resources in docs/http.md has every operation of the specification, with all members of its request."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.yaml_reading import read_yaml

TOP = Path(__file__).resolve().parents[2]
PAGE = (TOP / "docs" / "http.md").read_text("utf-8")
ROW = re.compile(r"^\| ((?:`(?:GET|POST) [^`]+`(?:, )?)+) \| (.*) \|$", re.MULTILINE)
TABLE = PAGE.partition("## The specification")[0]
REQUESTS = [(name, text) for names, text in ROW.findall(TABLE) for name in re.findall(r"`([^`]+)`", names)]


@cache
def specification() -> Any:
    return read_yaml((TOP / "openapi.yaml").read_bytes())


def operations() -> dict[str, Any]:
    """The operations of the specification, as the page names them."""
    return {
        f"{method.upper()} {path}": operation
        for path, item in specification()["paths"].items()
        for method, operation in item.items()
        if method in ("get", "post")
    }


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref", "")
    return specification()["components"]["schemas"][reference.rpartition("/")[2]] if reference else schema


def members(schema: dict[str, Any]) -> set[str]:
    """The members of a request, `?` behind those that may be absent; of a union, those of all its parts."""
    whole = resolved(schema)
    required = whole.get("required", ())
    own = {name if name in required else f"{name}?" for name in whole.get("properties", {})}
    return own.union(*map(members, whole.get("oneOf", ())))


def listed(text: str) -> set[str]:
    """The members that a row names before its arrow."""
    return set(re.split(r", | or ", re.sub(r" \([^)]*\)", "", text.partition(" → ")[0])))


def test_every_operation_is_listed() -> None:
    names = [name.replace("…", "/v1/games/{game}") for name, _ in REQUESTS]
    assert sorted(names) == sorted(operations())


@pytest.mark.parametrize(("name", "text"), [pair for pair in REQUESTS if "…" in pair[0] and "POST" in pair[0]])
def test_a_row_has_the_members_of_the_request(name: str, text: str) -> None:
    content = operations()[name.replace("…", "/v1/games/{game}")]["requestBody"]["content"]
    assert listed(text) == members(content["application/json"]["schema"])


def test_the_memory_of_every_post_is_told() -> None:
    """docs/operating.md has the table that `make campaign NAME=memory` prints."""
    page = (TOP / "docs" / "operating.md").read_text("utf-8")
    measured = re.findall(r"^  \| `(/[^`]+)` \|", page, re.MULTILINE)
    assert [f"POST /v1{path}" for path in measured] == [name for name in operations() if name.startswith("POST")]
