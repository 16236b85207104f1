"""The kit that devices keep for use without a network: its files, its service worker, the offer on the start page."""

import json
from gzip import compress
from pathlib import Path

import pytest

from capomastro import pages
from capomastro.api.application import create_app
from capomastro.api.kit import ENGINE_POLICY
from capomastro.settings import SettingError, Settings

WASM = b"\0asm" * 1000
FILES = [
    {"at": "engine/python.wasm", "from": "engine/python.wasm.compressed", "type": "application/wasm"},
    {"at": "?lang=en", "from": "html/start.en.html", "type": "text/html; charset=utf-8"},
]


def written(folder: Path, **index: object) -> str:
    """A folder as `make site` writes it, with two files; its path."""
    for name in ("engine", "html"):
        (folder / name).mkdir()
    (folder / "engine" / "python.wasm.compressed").write_bytes(compress(WASM, mtime=0))
    (folder / "html" / "start.en.html").write_text("<p>Start</p>" * 200)
    (folder / "secret").write_text("not in the kit")
    known = {"edition": pages.edition(), "size": 8_800_000, "files": FILES, **index}
    (folder / "kit.json").write_text(json.dumps(known))
    return str(folder)


def test_a_service_sends_the_kit_and_its_service_worker(tmp_path: Path) -> None:
    client = create_app(Settings(kit=written(tmp_path))).test_client()
    gzip = {"Accept-Encoding": "gzip"}

    wasm = client.get("/offline/engine/python.wasm.compressed", headers=gzip)
    assert (wasm.data, wasm.mimetype) == (compress(WASM, mtime=0), "application/wasm")
    assert "Content-Encoding" not in wasm.headers, "it is compressed in the kit"
    assert client.get("/offline/html/start.en.html", headers=gzip).headers["Content-Encoding"] == "gzip"
    again = client.get("/offline/kit.json", headers={"If-None-Match": client.get("/offline/kit.json").headers["ETag"]})
    assert again.status_code == 304
    for path in ("secret", "engine", "../settings.py", "engine/../secret", "%2e%2e/secret"):
        assert client.get(f"/offline/{path}").status_code == 404

    worker = client.get("/service-worker.js")
    assert worker.text.startswith('self.EDITION = "')
    assert 'self.KIT = "offline/";\n' in worker.text
    assert worker.headers["Cache-Control"] == "no-cache"
    assert 'data-kit="8800000"' in client.get("/", headers={"Accept": "text/html"}).text


def test_without_a_kit_nothing_is_offered() -> None:
    client = create_app(Settings()).test_client()
    assert client.get("/service-worker.js").status_code == 404
    assert 'data-kit="0"' in client.get("/", headers={"Accept": "text/html"}).text


def test_only_the_thread_that_runs_python_may_compile() -> None:
    client = create_app(Settings()).test_client()
    files = f"/pages/{pages.edition()}"
    assert client.get(f"{files}/engine.js").headers["Content-Security-Policy"] == ENGINE_POLICY
    assert "Content-Security-Policy" not in client.get(f"{files}/start.js").headers
    assert "eval" not in client.get("/", headers={"Accept": "text/html"}).headers["Content-Security-Policy"]


@pytest.mark.parametrize(("index", "fault"), [({"edition": "another"}, "other-kit"), (None, "no-kit")])
def test_a_service_does_not_start_with_a_kit_that_does_not_go_with_it(
    tmp_path: Path, index: dict[str, str] | None, fault: str
) -> None:
    folder = str(tmp_path) if index is None else written(tmp_path, **index)
    with pytest.raises(SettingError) as refused:
        create_app(Settings(kit=folder))
    assert refused.value.fault == fault
