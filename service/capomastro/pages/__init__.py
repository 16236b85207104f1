"""The pages for people: the files for browsers, their languages, and the games that have a score pad.

A page is a client of the service like any other and knows it only by its answers. `api` serves these files, and decides
at which addresses.
"""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

FOLDER = Path(__file__).parent
FILES = FOLDER / "files"
MEDIA_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
LANGUAGES = ("en", "it", "es", "de")
"""The first is for readers who ask for none of these."""


@dataclass(frozen=True)
class File:
    """A file of the pages, ready to be sent."""

    content: bytes
    compressed: bytes
    """The content, compressed with gzip."""
    media_type: str


@cache
def files() -> Mapping[str, File]:
    """Every file by its path, such as "games/….js"."""
    found = sorted(path for path in FILES.rglob("*") if path.suffix in MEDIA_TYPES)
    return {path.relative_to(FILES).as_posix(): file_of(path) for path in found}


def file_of(path: Path) -> File:
    content = path.read_bytes()
    return File(content, gzip.compress(content, 9, mtime=0), MEDIA_TYPES[path.suffix])


@cache
def edition() -> str:
    """A text that changes with any file; as part of their addresses, it lets browsers cache them for ever."""
    digest = sha256()
    for path, file in files().items():
        digest.update(path.encode() + b"\0" + file.content + b"\0")
    return digest.hexdigest()[:12]


def pads() -> list[str]:
    """The ids of the games that have a score pad."""
    return [path.removeprefix("games/").removesuffix(".js") for path in files() if path.startswith("games/")]


def manifest() -> bytes:
    """What a device needs to know to install the pages (a web application manifest); addresses are relative to it.

    A link opens in the window that is there, which may have the table that the link is about.
    """
    files = f"pages/{edition()}"
    icons = [{"src": f"{files}/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in (192, 512)]
    icons.append({"src": f"{files}/mark.svg", "sizes": "any", "type": "image/svg+xml"})
    return json.dumps(
        {
            "name": "capomastro",
            "id": "./",
            "start_url": "./",
            "scope": "./",
            "display": "standalone",
            "launch_handler": {"client_mode": ["navigate-existing", "auto"]},
            "background_color": "#F3EFE6",
            "theme_color": "#F3EFE6",
            "icons": icons,
        }
    ).encode()


@cache
def words(language: str, kind: str = "") -> Mapping[str, str]:
    """The words of the pages in a language, by key; with those of a kind of page."""
    found: dict[str, str] = json.loads(files()[f"words/{language}.json"].content)
    return {**found, **json.loads(files()[f"words/{kind}.{language}.json"].content)} if kind else found


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(template: str, language: str, kind: str = "", **known: Any) -> bytes:
    """A page in a language, as HTML; `kind`: which words it uses in addition to those of all pages.

    Raises:
        KeyError: if the language lacks words that the page uses.
    """
    words_of_page = words(language, kind)
    text = (
        _environment()
        .get_template(template)
        .render(t=words_of_page.__getitem__, language=language, languages=LANGUAGES, **known)
    )
    return text.encode()
