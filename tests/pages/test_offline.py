"""The site of `make site`: served as files alone, in a folder below another, it judges after the server is gone."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

import pytest

from tests.pages.conftest import PATIENCE, PHONE, elsewhere
from tests.pages.robot import Robot
from tests.pages.test_replay_opening import opened, unnamed
from tests.pages.test_tables import NAMES, TABLES
from tests.support.documents import as_document
from tests.support.recorded import records_folder, replay_of
from tests.support.serving import free_port

BUILD = Path(__file__).resolve().parents[2] / "build"
"""The folder above that of the site."""

pytestmark = pytest.mark.skipif(
    not os.environ.get("CAPOMASTRO_TEST_SITE"),
    reason="the site is tested by `make test-site`, which needs Node",
)


KEPT = """async () => {
  const kit = await (await fetch("../kit.json")).json();
  const kept = await (await caches.open("capomastro")).keys();
  return kept.length > new Set(kit.files.map(({ sha256 }) => sha256)).size;
}"""
"""Whether every file is kept, and the list of them."""


@contextmanager
def served_as_files() -> Iterator[tuple[str, Popen[bytes]]]:
    """The address of the site, and the server, which knows nothing but files."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(BUILD)]
    with Popen(command, stdout=DEVNULL, stderr=DEVNULL) as server:
        yield f"http://localhost:{port}/site/", server
        server.kill()


@pytest.fixture
def offline(browser: Any) -> Iterator[Robot]:
    """A device that has just seen one page of the site for the first time; the server is gone."""
    faults: list[str] = []
    with served_as_files() as (address, server):
        context = browser.new_context(viewport=PHONE, locale="en", base_url=address, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"thrown: {error}"))
        page.on("request", lambda asked: faults.extend(elsewhere(asked.url, address)))
        page.goto("rules/palazzo")
        page.locator("main.rules article").first.wait_for()
        page.wait_for_function(KEPT)
        server.kill()
        server.wait()
        yield Robot(page)
        context.close()
    assert not faults


def test_a_site_judges_without_a_server(offline: Robot) -> None:
    """A table is counted; then, on another page in another language, a recorded game is judged."""
    table = TABLES[0]
    replay = replay_of(records_folder(table.game) / f"{table.record}.json")
    assert replay.result is not None
    offline.page.goto("score/palazzo?lang=en")
    offline.settle()
    offline.sit_down(*NAMES)
    table.type_in(offline, as_document(replay.plies[-1].after))
    assert offline.result() == {NAMES[player.seat]: player.total for player in replay.result.players}

    offline.page.goto("replay?lang=it")
    offline.settle()
    opened(offline, unnamed("palazzo"))
    assert offline.page.locator("html").get_attribute("lang") == "it"
    assert offline.page.locator(".slip-card").count() == 0, "the whole game is legal"
