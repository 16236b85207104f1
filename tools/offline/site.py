"""Writes the pages as static files with relative addresses, as the service shows them, and the list of all files."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from capomastro import pages
from capomastro.api.application import create_app
from capomastro.api.documentation import PICTURES, documents
from capomastro.api.pages import MANIFEST, POLICY
from capomastro.documents.files import documentation_directory
from capomastro.documents.rule_examples import rule_examples
from capomastro.games import all_games
from capomastro.settings import Settings

ROOTED = re.compile(r"""( (?:href|src|files)=")/""")
"""Where an address in a page begins at the root of the service."""
META_POLICY = POLICY.partition("; frame-ancestors")[0]
"""What a page can say of itself; who may frame it only a header can say."""
ENGINE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""The policy of the thread in which Python runs."""
TYPES = {
    **pages.MEDIA_TYPES,
    ".html": "text/html; charset=utf-8",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": MANIFEST,
    ".xz": "application/x-xz",
    ".zip": "application/zip",
}
WORKER = "service-worker.js"


def write_site(site: Path) -> None:
    """Writes everything but the engine, which has to be there already."""
    client = create_app(Settings(log_level="ERROR")).test_client()
    files = f"pages/{pages.edition()}"
    for name, content in pages.files().items():
        write(site / files / name, content.content)
    write(site / "manifest.webmanifest", pages.manifest())
    boot = Path(__file__).with_name("boot.html").read_text("utf-8")
    shown: dict[str, str] = {}
    for path in paths():
        root = "../" * len(path.split("/")) if path else "./"  # hosts add a slash to the name of a folder
        starts = boot.replace("POLICY", META_POLICY).replace("FILES", f"{root}{files}").replace("ROOT", root)
        write(site / path / "index.html", starts.encode())
        for language in pages.LANGUAGES:
            file = f"html/{path.replace('/', '-') or 'start'}.{language}.html"
            write(site / file, with_policy(relative(sent(client, f"/{path}?lang={language}"), path)))
            shown[file] = f"{path}?lang={language}"
    for game in all_games().values():
        for language in pages.LANGUAGES:
            for name in (f"{language}.svg", *(f"{rule}.{language}.svg" for rule in rule_examples(game))):
                picture = f"rules/{game.id}/{name}"
                write(site / picture, sent(client, f"/{picture}"))
    write_kit(site, shown)
    write_documentation(site, client)


def write_documentation(site: Path, client: FlaskClient) -> None:
    """Writes the documentation, which is in English, and not in the kit: it needs the host."""
    names = [f"docs/{document['name']}" for document in documents()]
    for path in ("docs", "docs/reference", *names, *(f"docs/reference/{game}" for game in all_games())):
        write(site / path / "index.html", with_policy(relative(sent(client, f"/{path}?lang=en"), f"{path}/")))
    for picture in documentation_directory().iterdir():
        if picture.suffix in PICTURES:
            write(site / "docs" / picture.name, picture.read_bytes())


def paths() -> Iterator[str]:
    """The paths of all pages of the kit."""
    yield from ("", "replay", "score", "play", "book")
    yield from (f"{page}/{game}" for page in ("score", "play", "rules") for game in all_games())


def sent(client: FlaskClient, address: str) -> bytes:
    """What the service shows a browser."""
    response = client.get(address, headers={"Accept": "text/html,*/*;q=0.8"})
    assert response.status_code == 200, address
    content: bytes = response.data
    return content


def relative(content: bytes, path: str) -> bytes:
    """A page with addresses relative to its own."""
    return ROOTED.sub(rf"\1{'../' * path.count('/') or './'}", content.decode()).encode()


def with_policy(page: bytes) -> bytes:
    """A page that says what it may do, since no header will."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(META_POLICY)}">'
    return page.replace(b'<meta charset="utf-8">', b'<meta charset="utf-8">\n' + meta.encode(), 1)


def write_kit(site: Path, shown: dict[str, str]) -> None:
    """Writes the list of all files with their digests, and the service worker of this edition."""
    boots = {site / path / "index.html" for path in paths()}
    found = sorted(path for path in site.rglob("*") if path.is_file() and path not in boots)
    entries = [entry(path, site, shown) for path in found]
    kit = {
        "languages": pages.LANGUAGES,
        "policies": {"engine": ENGINE_POLICY, "text/html; charset=utf-8": META_POLICY},
        "files": entries,
    }
    content = json.dumps(kit, indent=1).encode()
    write(site / "kit.json", content)
    edition = sha256(content).hexdigest()[:16]
    worker = pages.files()[WORKER].content
    write(site / WORKER, f'self.EDITION = "{edition}";\n'.encode() + worker)


def entry(path: Path, site: Path, shown: dict[str, str]) -> dict[str, Any]:
    """A file of the kit: its address for pages, where it is fetched from, and what it must be."""
    name, content = path.relative_to(site).as_posix(), path.read_bytes()
    return {
        "at": shown.get(name, name),
        "from": name,
        "size": len(content),
        "sha256": sha256(content).hexdigest(),
        "type": TYPES[path.suffix],
        "engine": name.startswith("engine/"),
    }


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
