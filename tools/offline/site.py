"""Writes the pages as static files with relative addresses, as the service shows them, and the list of all files."""

import json
import re
from collections.abc import Iterator
from gzip import compress
from hashlib import sha256
from html import escape
from itertools import product
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from capomastro import pages
from capomastro.api.application import create_app
from capomastro.api.documentation import documents
from capomastro.api.kit import ENGINE_POLICY, INDEX, WORKER, worker
from capomastro.api.pages import MANIFEST, POLICY, shown_games, titles
from capomastro.api.resources import RESOURCES
from capomastro.games import all_games
from capomastro.settings import Settings

ROOTED = re.compile(r"""( (?:href|src|files)=")/""")
"""Where an address in a page begins at the root of the service."""
META_POLICY = POLICY.partition("; frame-ancestors")[0]
"""What a page can say of itself; who may frame it only a header can say."""
TYPES = {
    **pages.MEDIA_TYPES,
    ".html": "text/html; charset=utf-8",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": MANIFEST,
    ".xz": "application/x-xz",
    ".zip": "application/zip",
}
HERE = Path(__file__).parent
API = "/v1/"
PICTURE = re.compile(r'src="/((?:docs|rules)/[^"]+)"')
NOWHERE = "nowhere"
"""A path at which no page is."""
COMPRESSED = ".compressed"
"""With gzip; the name does not say so, or some hosts would decompress it, and others not."""
WORTH_COMPRESSING = 0.9
"""Size of what is compressed, as a part of what it was."""


def write_site(site: Path) -> None:
    """Writes everything but the engine, which has to be there already."""
    app = create_app(Settings(log_level="ERROR"))
    client = app.test_client()
    files = f"pages/{pages.edition()}"
    for name, content in pages.files().items():
        write(site / files / name, content.content)
    write(site / "manifest.webmanifest", pages.manifest())
    kept, asked = paths(app, "pages"), paths(app, "documentation")
    boot = (HERE / "boot.html").read_text("utf-8").replace("POLICY", META_POLICY)
    for path in kept:
        root = "../" * len(path.split("/")) if path else "./"  # hosts add a slash to the name of a folder
        write(site / path / "index.html", boot.replace("FILES", f"{root}{files}").replace("ROOT", root).encode())
    for path in asked:
        write(site / path / "index.html", with_policy(relative(sent(client, f"/{path}?lang=en"), f"{path}/")))
    write_kit(site, files, client, kept, asked)


def paths(app: Flask, blueprint: str) -> list[str]:
    """The paths of all pages that a part of the service has, without the slash before them."""
    values = {"game": list(all_games()), "name": [document["name"] for document in documents()]}
    found = {""} if blueprint == "pages" else set[str]()
    for rule in app.url_map.iter_rules():
        names = sorted(rule.arguments & values.keys())
        if rule.endpoint.startswith(f"{blueprint}.") and len(names) == len(rule.arguments) and "." not in rule.rule:
            chosen = product(*(values[name] for name in names))
            addresses = (rule.build(dict(zip(names, one, strict=True)), append_unknown=False) for one in chosen)
            found.update(built[1].strip("/") for built in addresses if built)
    return sorted(found)


def sent(client: FlaskClient, address: str, status: int = 200) -> bytes:
    """What the service shows a browser."""
    response = client.get(address, headers={"Accept": "text/html,*/*;q=0.8"})
    assert response.status_code == status, address
    content: bytes = response.data
    return content


def relative(content: bytes, path: str) -> bytes:
    """A page with addresses relative to its own."""
    return ROOTED.sub(rf"\1{'../' * path.count('/') or './'}", content.decode()).encode()


def with_policy(page: bytes) -> bytes:
    """A page that says what it may do, since no header will."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(META_POLICY)}">'
    return page.replace(b'<meta charset="utf-8">', b'<meta charset="utf-8">\n' + meta.encode(), 1)


def write_kit(site: Path, files: str, client: FlaskClient, paths: list[str], asked: list[str]) -> None:
    """Writes every page in every language with its pictures, the list of all that is kept, and the service worker."""
    entries = []
    for language in pages.LANGUAGES:
        shown = {path: sent(client, f"/{path}?lang={language}") for path in (*paths, *asked)}
        shown |= {
            "": made_here("start-here.html", files, language),
            "not-kept": made_here("not-kept.html", files, language),
        }
        shown["no-page"] = sent(client, f"/{NOWHERE}?lang={language}", 404)
        shown["answer"] = (HERE / "answer.html").read_bytes().replace(b"FILES", f"/{files}".encode())
        for path, content in shown.items():
            file = f"html/{path.replace('/', '-') or 'start'}.{language}.html"
            write(site / file, with_policy(relative(content, path)))
            entries.append(entry(site, f"{path}?lang={language}", file, "asked" if path in asked else "page"))
            for picture in PICTURE.findall(content.decode()):
                write(site / picture, sent(client, f"/{picture}"))
    for page in (site / "html").iterdir():
        if page.with_name(f"{page.name}{COMPRESSED}").exists():
            page.unlink()
    entries += [entry(site, name, name) for name in files_below(site, files, "manifest.webmanifest", "rules")]
    entries.append(entry(site, "favicon.ico", f"{files}/mark.svg"))
    entries += [entry(site, name, name, "engine") for name in files_below(site, "engine")]
    kept = {one["from"]: one["bytes"] for one in entries if one["when"] != "asked"}
    index = {
        "edition": pages.edition(),
        "size": sum(kept.values()),
        "languages": pages.LANGUAGES,
        "policies": {"engine": ENGINE_POLICY, "text/html; charset=utf-8": META_POLICY},
        "routes": [one.path.removeprefix("/") for one in RESOURCES if not one.path.startswith(API)],
        "files": entries,
    }
    content = json.dumps(index, indent=1).encode()
    write(site / INDEX, content)
    write(site / WORKER, worker(content, "./"))


def made_here(template: str, files: str, language: str) -> bytes:
    """A page that no service shows: the start page where nothing is sent to one, or that instead of one not kept."""
    known = {"names": titles(language), "kit_size": 0, **shown_games(language)}
    return pages.page(template, language, "offline", files=f"/{files}", **known)


def files_below(site: Path, *places: str) -> Iterator[str]:
    """All files in folders, and single files, by their path."""
    for place in places:
        found = [site / place] if (site / place).is_file() else sorted((site / place).rglob("*"))
        yield from (file.relative_to(site).as_posix() for file in found if file.is_file() and file.name != "index.html")


def entry(site: Path, at: str, file: str, when: str = "page") -> dict[str, Any]:
    """A file of the kit: its address for pages, where it is fetched from, and what it must be.

    It is compressed here, since not every host does that.
    """
    content, fetched = (site / file).read_bytes(), file
    compressed = compress(content, 9, mtime=0)
    if len(compressed) < WORTH_COMPRESSING * len(content):
        fetched += COMPRESSED
        write(site / fetched, compressed)
    return {
        "at": at,
        "from": fetched,
        "bytes": (site / fetched).stat().st_size,
        "sha256": sha256(content).hexdigest(),
        "type": TYPES[(site / file).suffix],
        "when": when,
    }


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
