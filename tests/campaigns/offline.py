"""The site of `make site` with nothing behind it: make campaign NAME=offline (needs Chromium and the site).

A browser opens the site once; then its server is gone. Whole tables are counted, a game of each title is played against
the computer to its end, and every recorded game is judged in Italian and German: what the page says of it, move by
move, is what it says where a service judges.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any

from playwright.sync_api import sync_playwright

from capomastro import Record, pages
from tests.pages.conftest import ARGUMENTS, PATIENCE, PHONE, chromium
from tests.pages.robot import Robot, number
from tests.pages.test_offline import KEPT, SITE, is_made, served_as_files
from tests.pages.test_play import PLAY_ON, is_over, kept, sat_down
from tests.pages.test_replay import list_of_moves, opened, record_text
from tests.pages.test_tables import NAMES, TABLES
from tests.support.documents import as_document
from tests.support.recorded import records_folder, replay_of
from tests.support.serving import served

LANGUAGES = ("it", "de")
DOOR = "document.querySelector('replay-door')"
PLAYERS = ("Ada", "Bruno")
MOST_TAPS = 5_000


def window(browser: Any) -> Robot:
    context = browser.new_context(viewport=PHONE, locale="en", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("pageerror", lambda error: print("thrown:", error))
    return Robot(page)


def visit(robot: Robot, address: str) -> None:
    robot.page.goto(address)
    robot.settle()


def count_tables(robot: Robot, site: str) -> Iterator[str]:
    """What is wrong with the totals of whole tables."""
    for table in TABLES:
        replay = replay_of(records_folder(table.game) / f"{table.record}.json")
        assert replay.result is not None
        visit(robot, f"{site}score/{table.game}?lang=en")
        robot.sit_down(*NAMES)
        table.type_in(robot, as_document(replay.plies[-1].after))
        totals = robot.result()
        if totals != {NAMES[player.seat]: player.total for player in replay.result.players}:
            yield f"{table.game} {table.record}: {totals}"
        yield from by_device(robot)
        robot.page.evaluate("() => localStorage.clear()")


def by_device(robot: Robot) -> Iterator[str]:
    said = robot.text(".judge")
    if said != "Judged on this device, without a network.":
        yield said


def play_games(robot: Robot, site: str) -> Iterator[str]:
    """What is wrong with the ends of games against the computer."""
    for game in pages.pads():
        visit(robot, f"{site}play/{game}?lang=en")
        sat_down(robot, *PLAYERS, kinds={1: "planning"})
        taps = robot.page.evaluate(PLAY_ON, [MOST_TAPS, 5])["steps"]
        record = kept(robot)["record"]
        result = Record.from_document(record).replay().result
        rows = robot.page.locator(".places li").all()
        shown = {row.locator("[data-name]").inner_text(): number(row.locator(".points").inner_text()) for row in rows}
        if not is_over(robot) or not result or shown != dict(zip(PLAYERS, result.totals, strict=True)):
            yield f"{game}: {shown} after {taps} taps"
        yield from by_device(robot)
        print(f"{game}: {taps} taps, {len(record['moves'])} moves, {shown}", flush=True)


def told(robot: Robot, site: str) -> dict[str, str]:
    """What the page says of every recorded game, in each language."""
    found = {}
    for language in LANGUAGES:
        visit(robot, f"{site}replay?lang={language}")
        for game in pages.pads():
            for file in sorted(records_folder(game).glob("*.json")):
                opened(robot, json.loads(record_text(game, file.stem)))
                verdicts = robot.page.locator(".viewer .verdict, .slip-card").all_inner_texts()
                found[f"{language} {game} {file.stem}"] = "\n".join([*verdicts, list_of_moves(robot)])
                robot.page.evaluate(f"() => {DOOR}.close()")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    ArgumentParser(description=__doc__).parse_args(arguments)
    if not is_made():
        print("There is no site of this edition: `make site` makes it.")
        return 1
    faults: list[str] = []
    begun = monotonic()
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        with served() as (service, _):
            expected = told(window(browser), f"{service}/")
        print(f"{len(expected)} records judged by a service, {monotonic() - begun:.0f} s", flush=True)
        robot = window(browser)
        with served_as_files(SITE.parent) as (host, server):
            site = f"{host}{SITE.name}/"
            robot.page.goto(f"{site}?lang=en")
            robot.page.locator("[data-kit] [role=status]").wait_for()
            assert robot.page.evaluate(KEPT)
            server.kill()
            server.wait()
            for check in (count_tables, play_games):
                faults += check(robot, site)
                print(f"{check.__name__}: {len(faults)} faults, {monotonic() - begun:.0f} s", flush=True)
            here = told(robot, site)
        faults += [f"{name} is judged otherwise" for name in expected if here[name] != expected[name]]
        browser.close()
    print(*faults, f"{len(here)} records, {len(faults)} faults, {monotonic() - begun:.0f} s", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    raise SystemExit(main())
