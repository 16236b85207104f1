"""Taps, scrolls and seconds of typical turns: make campaign NAME=turns

For each game a recorded game is gone on with, against the computer, in a phone's window (390 × 620) with 150 ms of
latency. The moves are those the planning player would make; each is made by tapping what is in sight: a verb, what has
a ring, what lies in the tray, a button. Counted are taps, scrolls (a pill that has to be tapped to see a target) and
targets that lie under something; measured is the time from the tap that plays to the next decision. `most` says how
many taps a move may take. With `--decisions`, all decisions of recorded games are also looked at: nothing that can be
tapped may lie under anything.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from capomastro import pages
from tests.pages.conftest import ARGUMENTS, chromium
from tests.support.serving import served

RECORDS = Path(__file__).resolve().parents[2] / "conformance"
SMALL: Any = {"width": 390, "height": 620}
LATENCY = 150
BEGUN = (0.35, 0.25, 0.15, 0.05)
"""How much of the recorded game has been played when the turns begin, and again whenever the game is over."""
PATIENCE = 60_000

TABLE = "document.querySelector('game-table')"
IDLE = f"() => !!({TABLE}?.isIdle && {TABLE}.seen)"

SIT = f"""async ([record, kinds]) => {{
  const {{ LocalTable }} = await import({TABLE}.files + "/play/table.js");
  await {TABLE}.openTable(LocalTable.fromRecord(record, kinds, "7", {TABLE}.ask));
}}"""

ROBOT = Path(__file__).with_suffix(".js").read_text("utf-8")
PLAY, LOOK = (f"(given) => ({ROBOT}).{name}(given)" for name in ("play", "look"))
QUICK = "(value) => localStorage.setItem('capomastro.play.quick', value)"
UNTIL_OWN = f"""() => {{
  const it = {TABLE};
  if (it.acting === "steps") it.querySelectorAll(".actions button")[1].click();
  return it.isIdle && ["own", "over"].includes(it.acting);
}}"""


def recorded(game: str, name: str = "two-plan") -> dict[str, Any]:
    record: dict[str, Any] = json.loads((RECORDS / game / "records" / f"{name}.json").read_text("utf-8"))
    return {key: value for key, value in record.items() if key not in ("result", "totals", "tags")}


@contextmanager
def phone() -> Iterator[Any]:
    """A page of a running service in a window of a phone."""
    with served() as (address, _), sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        page = browser.new_page(base_url=address, has_touch=True, reduced_motion="reduce")
        page.set_viewport_size(SMALL)
        page.set_default_timeout(PATIENCE)
        yield page
        browser.close()


def sit(page: Any, record: dict[str, Any], ply: int, kinds: list[str]) -> None:
    begins = {
        **record,
        "names": ["Ada", "Computer", "Cleo", "Dora"][: record["players"]],
        "moves": record["moves"][:ply],
    }
    page.evaluate(SIT, [begins, kinds])
    page.wait_for_function(IDLE)


def begun(record: dict[str, Any], part: float) -> int:
    """The ply at which so much of what players chose has been played."""
    chosen = [ply for ply, move in enumerate(record["moves"]) if "seat" in move]
    return chosen[round(part * len(chosen))]


def turns(page: Any, game: str, count: int, is_quick: bool) -> Iterator[list[dict[str, Any]]]:
    """Turns against the computer: for each, its moves with their figures."""
    page.goto(f"/play/{game}")
    page.evaluate(QUICK, "yes" if is_quick else "no")
    page.wait_for_function(f"() => {TABLE}?.setup")
    record = recorded(game)
    tools = page.context.new_cdp_session(page)
    slow = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
    starts = iter(BEGUN)
    sit(page, record, begun(record, next(starts)), ["person", "planning"])
    tools.send("Network.emulateNetworkConditions", slow)
    for _ in range(count):
        turn = list[dict[str, Any]]()
        while not turn or not turn[-1]["hasOthers"]:
            page.wait_for_function(UNTIL_OWN)
            if page.evaluate(f"() => {TABLE}.acting === 'over'"):
                if turn:
                    break
                sit(page, record, begun(record, next(starts)), ["person", "planning"])
                continue
            move = page.evaluate(f"async () => (await {TABLE}.consult('suggestions', {{ seed: '7' }})).move")
            turn.append(page.evaluate(PLAY, [move, is_quick]))
        yield turn
    tools.detach()


def decisions(page: Any, game: str, every: int) -> tuple[int, list[str]]:
    """Looks at decisions of a recorded game; how many, and what lies under something."""
    record = recorded(game)
    page.goto(f"/play/{game}")
    page.wait_for_function(f"() => {TABLE}?.setup")
    seen, covered = 0, list[str]()
    for ply in [ply for ply, move in enumerate(record["moves"]) if "seat" in move][::every]:
        sit(page, record, ply, ["person"] * record["players"])
        if page.evaluate(f"() => {TABLE}.acting") == "hand-over":
            page.locator(".actions button").click()
            page.wait_for_function(IDLE)
        seen += 1
        covered += [f"{game} {ply}: {one}" for one in page.evaluate(LOOK)]
    return seen, covered


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--decisions", type=int, default=0, help="look at every Nth decision of the recorded games")
    parser.add_argument("--game", choices=pages.pads(), action="append")
    wanted = parser.parse_args()
    faults = list[str]()
    with phone() as page:
        for game in wanted.game or pages.pads():
            for is_quick in (False, True):
                all_turns = list(turns(page, game, wanted.turns, is_quick))
                moves = [move for turn in all_turns for move in turn]
                print(f"\n{game}{', quick play' if is_quick else ''}")
                for turn in all_turns:
                    for move in turn:
                        if move["taps"] > move["most"] or move["scrolls"]:
                            print(f"  {move}")
                    taps, most = sum(move["taps"] for move in turn), sum(move["most"] for move in turn)
                    print(f"  {taps:2} taps (at most {most:2}): {', '.join(move['type'] for move in turn)}")
                    if taps > most:
                        faults.append(f"{game}: {taps} taps, not {most}")
                for figure in ("scrolls", "covered"):
                    total = sum(move[figure] for move in moves)
                    print(f"  {figure}: {total}")
                    if total:
                        faults.append(f"{game}: {total} {figure}")
                waits = sorted(move["milliseconds"] for move in moves)
                asked = sum(move["asked"] for move in moves) / len(moves)
                times = f"median {median(waits):.0f} ms, longest {waits[-1]} ms"
                print(f"  to the next decision: {times}, {asked:.1f} requests")
            if wanted.decisions:
                seen, covered = decisions(page, game, wanted.decisions)
                print(f"  decisions of a recorded game: {seen}; under something: {len(covered)}")
                faults += covered
    for fault in faults:
        print(fault)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
