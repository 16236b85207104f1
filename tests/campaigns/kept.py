"""Requests that once found faults: kept as files, repeated by the tests."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.campaigns.asking import Request

FOUND = Path(__file__).with_name("found")
"""What the fuzzer has found wrong, and has been put right."""
SLOW = Path(__file__).with_name("slow")
"""What took longest."""


def keep(folder: Path, about: str, request: Request, **further: Any) -> Path:
    """Writes a request with its findings; both determine the name of the file."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {"about": about, **further, "request": request.document()}
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    words = re.sub(r"[^a-z0-9]+", "-", about.lower()).strip("-")[:60]
    digest = sha256(json.dumps(document["request"], sort_keys=True).encode()).hexdigest()[:8]
    file = folder / f"{words}-{digest}.json"
    file.write_text(text, "utf-8")
    return file


def kept(folder: Path) -> Mapping[str, Request]:
    """All requests that are kept in a folder, by the name of the file."""
    return {
        file.stem: Request.of(json.loads(file.read_text("utf-8"))["request"]) for file in sorted(folder.glob("*.json"))
    }
