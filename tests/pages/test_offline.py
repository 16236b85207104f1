"""Without a network: the site of `make site`, served as files alone, and the service's own pages once they are kept."""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import compress, decompress
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from subprocess import Popen
from tempfile import TemporaryFile
from typing import Any

import pytest

from capomastro import pages
from capomastro.api.kit import worker
from tests.pages.conftest import PATIENCE, PHONE, elsewhere
from tests.pages.robot import Robot
from tests.pages.test_replay import opened, unnamed
from tests.pages.test_tables import NAMES, TABLES
from tests.support.documents import as_document
from tests.support.recorded import records_folder, replay_of
from tests.support.serving import await_answer, free_port, served

TOP = Path(__file__).resolve().parents[2]
SITE = TOP / "build" / "site"
MOVES = 40
"""Of a recorded game, which the site judges."""
MOST_BYTES = 9_000_000
"""Size of all that a device fetches, compressed."""
DOCS = TOP / "docs" / "offline.md"


def is_made() -> bool:
    """Whether there is a site, with these pages."""
    index = SITE / "kit.json"
    return index.exists() and json.loads(index.read_text("utf-8"))["edition"] == pages.edition()


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not is_made(), reason="there is no site of this edition: `make site`, with Node, makes it"),
]

KEPT = """async () => {
  const kit = await (await fetch("kit.json")).json();
  const kept = await (await caches.open("capomastro")).keys();
  return kept.length > new Set(kit.files.filter(({ when }) => when !== "asked").map(({ sha256 }) => sha256)).size;
}"""
"""Whether every file is kept, and the list of them."""

BAD_STARTS = """() => {
  const [RealWorker, realTimeout] = [Worker, setTimeout];
  const ways = [() => new RealWorker("/none.js"), () => ({ postMessage() {}, terminate() {} })];
  window.Worker = function (...given) { return ways.length ? ways.pop()() : new RealWorker(...given); };
  window.setTimeout = (act, pause, ...given) => realTimeout(act, ways.length && pause >= 60_000 ? 0 : pause, ...given);
}"""
"""The first thread for the referee says nothing, the second cannot be loaded; what would take a minute takes none."""

UNTIL = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  while (!(CONDITION)) await new Promise((resolve) => setTimeout(resolve, 50));
}"""


@contextmanager
def served_as_files(folder: Path) -> Iterator[tuple[str, Popen[bytes]]]:
    """The address of a folder, and the server, which knows nothing but files."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)]
    address = f"http://localhost:{port}/"
    with TemporaryFile() as log, Popen(command, stdout=log, stderr=log) as server:
        try:
            await_answer(address, server, log)
            yield address, server
        finally:
            server.kill()


@pytest.fixture
def device(browser: Any) -> Iterator[Any]:
    """A browser that has never seen any page; whatever a page throws or asks of another origin makes the test fail."""
    faults: list[str] = []
    context = browser.new_context(viewport=PHONE, locale="en", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)

    def watch(page: Any) -> None:
        page.on("pageerror", lambda error: faults.append(f"thrown: {error}"))
        page.on(
            "request", lambda asked: faults.extend(elsewhere(asked.url, page.url) if page.url != "about:blank" else [])
        )

    context.on("page", watch)
    yield context
    context.close()
    assert not faults


def test_a_site_judges_without_a_server(device: Any) -> None:
    """A table is counted; then, on another page in another language, the beginning of a game is judged."""
    assert json.loads((SITE / "kit.json").read_bytes())["size"] <= MOST_BYTES
    page = device.new_page()
    page.goto((SITE / "index.html").as_uri())
    page.get_by_text("python -m http.server").first.wait_for()
    page.close()
    table = TABLES[0]
    replay = replay_of(records_folder(table.game) / f"{table.record}.json")
    assert replay.result is not None
    robot = Robot(device.new_page())
    with served_as_files(SITE.parent) as (host, server):
        address = f"{host}{SITE.name}/"
        robot.page.goto(address)
        robot.page.locator("[data-kit] [role=status]").wait_for()
        assert robot.page.evaluate(KEPT)
        assert "judged on this device" in robot.text("footer")
        server.kill()
        server.wait()
        robot.page.goto(f"{address}score/palazzo?lang=en")
        robot.settle()
        robot.sit_down(*NAMES)
        table.type_in(robot, as_document(replay.plies[-1].after))
        assert robot.result() == {NAMES[player.seat]: player.total for player in replay.result.players}
        assert robot.text(".judge") == "Judged on this device, without a network."

        robot.page.goto(f"{address}replay?lang=it")
        robot.settle()
        record = unnamed("palazzo")
        begun = {name: value for name, value in record.items() if name not in ("result", "totals")}
        opened(robot, begun | {"moves": record["moves"][:MOVES]})
        assert robot.page.locator("html").get_attribute("lang") == "it"
        assert robot.page.locator(".slip-card").count() == 0, "all moves are legal"


def test_the_pages_of_a_service_go_on_without_it(device: Any) -> None:
    """Kept by a button; a table that is half typed in loses nothing when the service is lost, nor when it is back."""
    robot = Robot(device.new_page())
    with served(CAPOMASTRO_KIT=str(SITE)) as (address, _):
        robot.page.goto(f"{address}/?lang=en")
        robot.tap("Keep for offline use (")
        robot.page.get_by_text("Kept on this device").wait_for()
        robot.page.goto(f"{address}/score/palazzo")
        device.new_cdp_session(robot.page).send("Page.reload", {"ignoreCache": True})
        robot.page.wait_for_function("() => !navigator.serviceWorker.controller")
        robot.settle()
        robot.sit_down("Ada", "Bruno")
        robot.tile("marble 3 (1 window)")
        assert robot.points() == ["−5", "–"]
        assert robot.page.locator(".judge").count() == 0, "the service has judged"
    robot.page.evaluate(BAD_STARTS)
    robot.tile("brick 4 (2 windows)")
    assert robot.points() == ["0", "–"]
    assert robot.text(".judge") == "Judged on this device, without a network."
    robot.page.reload()
    robot.settle()
    assert robot.page.locator(".players .points").all_inner_texts() == ["0", "–"]
    robot.page.goto(f"{address}/docs/http?lang=en")
    assert robot.text("h1") == "This page is not kept on this device"
    with served(PORT=re.sub(r".*:", "", address)):
        robot.page.go_back()
        robot.settle()
        robot.tile("sandstone 5 (1 window)")
        assert robot.points() == ["4", "–"]
        assert robot.page.locator(".judge").count() == 0, "the service judges again"


def renewed(site: Path, page: str) -> None:
    """Makes the next edition of a site, with another mark in a page, as a new upload does."""
    index = json.loads((site / "kit.json").read_text("utf-8"))
    (entry,) = (one for one in index["files"] if one["at"] == page)
    file = site / entry["from"]
    changed = decompress(file.read_bytes()).replace(b"<body ", b"<body data-next ")
    file.unlink()
    file.write_bytes(compress(changed))
    entry |= {"sha256": sha256(changed).hexdigest(), "bytes": file.stat().st_size}
    for name, content in (("kit.json", json.dumps(index).encode()), ("service-worker.js", b"")):
        (site / name).unlink()
        (site / name).write_bytes(content or worker((site / "kit.json").read_bytes(), "./"))


def write_embedding(folder: Path) -> None:
    """A page of somebody else, whose worker is the example in the documentation."""
    (example,) = re.findall(r"```js\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    code = example.replace("<edition>", pages.edition()).replace("./capomastro/", "./club/")
    (folder / "worker.js").write_text(code)
    (folder / "page.js").write_text('new Worker("worker.js", { type: "module" });')
    (folder / "index.html").write_text('<!doctype html><link rel="icon" href="data:,"><script src="page.js"></script>')


def test_another_page_embeds_the_engine_in_ten_lines(device: Any, tmp_path: Path) -> None:
    (tmp_path / "club").symlink_to(SITE)
    write_embedding(tmp_path)
    page = device.new_page()
    with served_as_files(tmp_path) as (host, _), page.expect_console_message(timeout=PATIENCE) as said:
        page.goto(host)
    status, document = (value.json_value() for value in said.value.args)
    assert status == 200
    assert document["state"]["game"] == "palazzo"


def test_a_new_edition_never_takes_over_in_the_middle_of_a_table(device: Any, tmp_path: Path) -> None:
    """Nor does a table wait for the referee, which is most of what is fetched."""
    site = tmp_path / "club"
    copytree(SITE, site, copy_function=os.link)
    slow = site / "engine" / "application.tar.xz"
    slow.unlink()
    os.mkfifo(slow)
    page = device.new_page()
    with served_as_files(tmp_path) as (host, _):
        address = f"{host}club/score/palazzo?lang=en"
        page.goto(address)
        Robot(page).settle()
        Robot(page).sit_down("Ada", "Bruno")
        with slow.open("wb"):  # so far the referee has not arrived
            slow.unlink()  # before those who wait go on: one who came after them would wait for five minutes
        renewed(site, "score/palazzo?lang=en")
        page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")
        page.evaluate(UNTIL.replace("CONDITION", "registration.waiting"))
        page.reload()
        Robot(page).settle()
        assert page.locator(".pad-part").count(), "the table is still open"
        assert not page.locator("[data-next]").count()
        page.goto(f"{host}club/?lang=en")
        page.evaluate(UNTIL.replace("CONDITION", "!registration.waiting"))
        page.goto(address)
        Robot(page).settle()
        assert page.locator(".pad-part").count(), "the table was kept"
        assert page.locator("[data-next]").count()
