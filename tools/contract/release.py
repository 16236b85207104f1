"""The specification of the last release, and the breaking changes announced since."""

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from json import dumps, loads
from pathlib import Path
from typing import NamedTuple

from tools.contract.comparing import Node, breaking, without_prose
from tools.openapi.files import built

HERE = Path(__file__).parent
RELEASED = HERE / "released.json"
ANNOUNCED = HERE / "announced.toml"

NOTHING_ANNOUNCED = """\
# Every breaking change since the specification in released.json, with its reason. A `*` stands for any text.
# What is no longer found is to be removed; `make release` empties the list.
"""


class Announcement(NamedTuple):
    """Breaking changes, as patterns of their sentences, and the reason for them."""

    breaks: tuple[str, ...]
    reason: str


@cache
def announcements() -> tuple[Announcement, ...]:
    changes = tomllib.loads(ANNOUNCED.read_text("utf-8")).get("change", ())
    return tuple(Announcement(tuple(change["breaks"]), change["reason"]) for change in changes)


def is_announced(change: str) -> bool:
    return any(fnmatchcase(change, pattern) for announcement in announcements() for pattern in announcement.breaks)


def specification() -> Node:
    """The current specification."""
    document: Node = loads(built().read_bytes())
    return document


def released() -> Node:
    """The specification of the last release."""
    document: Node = loads(RELEASED.read_bytes())
    return document


def breaking_since_release() -> tuple[str, ...]:
    return breaking(released(), without_prose(specification()))


def as_released() -> dict[Path, str]:
    """The contents of the files of this folder after a release."""
    return {
        RELEASED: dumps(without_prose(specification()), ensure_ascii=False, separators=(",", ":")) + "\n",
        ANNOUNCED: NOTHING_ANNOUNCED,
    }
