"""The kit: everything that a browser needs to judge without the service, in the folder that `make site` has written.

A browser fetches it once somebody asks for it on the start page, and asks the service first all the same.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response

from capomastro import pages
from capomastro.api.negotiation import compressible, conditional, gzipped
from capomastro.documents.problems import Problem
from capomastro.documents.wordings import phrase
from capomastro.settings import SettingError

FOLDER = "/offline"
WORKER = "service-worker.js"
INDEX = "kit.json"
ENGINE = "engine.js"
ENGINE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""The policy of the thread in which Python runs; pages have no such right."""
GZIP = b"\x1f\x8b"
"""What is compressed in the kit begins so."""


@dataclass(frozen=True)
class Kit:
    """A folder with files for browsers."""

    folder: Path
    index: bytes
    """The list of its files with their digests."""
    files: Mapping[str, str]
    """The media type of each file, by its path."""
    size: int
    """How many bytes a device fetches, compressed."""


def kit_in(folder: str) -> Kit | None:
    """The kit in a folder; None if none is named.

    Raises:
        SettingError: if there is no kit, or one made with other pages than those of this service.
    """
    if not folder:
        return None
    try:
        index = Path(folder, INDEX).read_bytes()
        listed = json.loads(index)
        edition, files, size = listed["edition"], listed["files"], listed["size"]
    except (OSError, ValueError, KeyError) as error:
        raise SettingError("no-kit", variable="CAPOMASTRO_KIT", value=folder) from error
    if edition != pages.edition():
        raise SettingError("other-kit", variable="CAPOMASTRO_KIT", value=folder)
    return Kit(Path(folder), index, {entry["from"]: entry["type"] for entry in files}, size)


def worker(index: bytes, folder: str) -> bytes:
    """The service worker that keeps what an index lists, from a folder relative to its own."""
    edition = sha256(index).hexdigest()[:16]
    return f'self.EDITION = "{edition}"; self.KIT = "{folder}";\n'.encode() + pages.files()[WORKER].content


def add_kit(blueprint: Blueprint, kit: Kit) -> None:
    """Serves the files of a kit, and the service worker that keeps them, which browsers ask for again and again."""
    code = worker(kit.index, f"{FOLDER.removeprefix('/')}/")

    @blueprint.get(f"/{WORKER}")
    def show_worker() -> Response:
        return sent(code, "text/javascript")

    @blueprint.get(f"{FOLDER}/<path:path>")
    def show_file_of_kit(path: str) -> Response:
        if path == INDEX:
            return sent(kit.index, "application/json")
        if path not in kit.files:
            raise Problem("not-found", phrase("no-such-file"))
        return sent((kit.folder / path).read_bytes(), kit.files[path])


def sent(content: bytes, media_type: str) -> Response:
    """A file, which browsers may keep but have to ask for again."""
    is_text = media_type.startswith("text/") or media_type.endswith(("json", "xml"))
    packed = gzipped(content) if is_text and not content.startswith(GZIP) else None
    response = compressible(content, packed, media_type)
    response.cache_control.no_cache = True
    return conditional(response)
