"""The page to play on: whole games by tapping the picture, hidden hands, undo, and reloads."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import capomastro
from capomastro import Position, Record, pages
from capomastro.games.palazzo.moves import Buy
from tests.pages.conftest import Opener
from tests.pages.parameters import with_longest
from tests.pages.robot import KeyboardRobot, Robot, number
from tests.support.documents import as_document
from tests.support.random_positions import random_positions

NAMES = ["Ada", "Bruno", "Cleo", "Dora", "Elio"]
TABLE = "document.querySelector('game-table')"
READY = f"() => !!({TABLE}?.isIdle && {TABLE}.seen)"
"""Whether the page waits for its user."""

PLAY_ON = """async ([most, seed]) => {
  const page = document.querySelector("game-table");
  const done = { picture: 0, tray: 0, actions: 0, steps: 0, moved: [] };
  let state = seed;
  const any = (list) => list[(state = (state * 48271) % 2147483647) % list.length];
  const wait = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    for (let tries = 0; !page.isIdle; tries++) {
      if (tries > 30_000 || page.failed) throw new Error(`nothing is asked: ${page.failed} ${page.innerText}`);
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
  };
  const hit = (key) => {
    for (let tries = 0; !page.board.isInSight(key); tries++) {
      const pills = [...page.board.shadowRoot.querySelectorAll(".pill:not(.whole, [hidden])")];
      if (tries > 9) throw new Error(`nothing leads to ${key}`);
      if (pills.length && tries < 9) pills[tries % pills.length].click();
      else page.board.reveal(key);
    }
    const { x, y } = page.board.pointOf(key);
    const there = page.board.shadowRoot.elementFromPoint(x, y);
    const isFree = document.elementFromPoint(x, y) === page.board && there && !there.closest(".pill");
    if (!isFree) throw new Error(`${key} lies under something`);
    return { there, x, y };
  };
  const isCovered = (one) => {
    one.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = one.getBoundingClientRect();
    return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  const edge = (selector, side) => Math.round(page.querySelector(selector)?.getBoundingClientRect()[side] ?? -1);
  const tops = {};
  const fixed = () => ["header", ".now"].map((one) => edge(one, "top")).join() + edge(".actions", "bottom");
  for (await wait(); page.acting !== "over" && done.steps < most; await wait()) {
    done.steps++;
    if (page.acting === "own") {
      done.moved.push(fixed());
      const choice = `${page.table.ply} ${page.dock.kind?.type ?? page.dock.group?.text}`;
      const top = edge(".dock", "top");
      if ((tops[choice] ??= top) !== top) throw new Error(`the dock moves while somebody chooses: ${choice}`);
    }
    const buttons = [...page.querySelectorAll(".actions button:not([aria-disabled=true])")];
    const covered = [...page.querySelectorAll(".actions button, .tray button")].find(isCovered);
    if (covered) throw new Error(`${covered.innerText || covered.outerHTML} lies under something`);
    const main = buttons.find((one) => one.classList.contains("main"));
    const { can, chosen, docked } = page.acting === "own" ? page.dock.marks : { can: [], chosen: new Set() };
    const ringedOnly = [...can].filter((key) => !docked.has(key));
    const ringed = page.board.shadowRoot.querySelector(".can");
    if (page.acting !== "own" && ringed) throw new Error("something can be tapped before it is asked for");
    const pieces = page.inWords ? ".choices button:not(.pale)" : ".tray .piece:not(.pale, .on)[aria-pressed]";
    if (!page.inWords) for (const key of ringedOnly) hit(key);
    const tray = [...page.querySelectorAll(`${pieces}, .segments button:not(.pale)`)];
    if (main && any([1, 1, 1, 0])) {
      main.click();
      done.actions++;
      continue;
    }
    const next = page.inWords ? [] : ringedOnly.filter((key) => !chosen.has(key));
    const offered = [...next, ...tray, ...buttons];
    if (!offered.length) throw new Error(`nothing can be done: ${page.innerText}`);
    const one = any(offered);
    if (typeof one === "string") {
      const { there, x, y } = hit(one);
      there.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, clientX: x, clientY: y }));
      done.picture++;
    } else {
      one.click();
      done[tray.includes(one) ? "tray" : "actions"]++;
    }
  }
  done.moved = [...new Set(done.moved)];
  return done;
}"""
"""Plays on by tapping rings, what lies in the tray, and buttons, to the end or for so many taps.

Whatever is ringed at any decision, or is a button, must be hit in its middle, once it is in sight; pills lead to it."""

SHOWN = """() => {
  const page = document.querySelector("game-table");
  const root = page.querySelector("game-board").shadowRoot;
  const alike = ({ dataset }) => Array(Number(dataset.count ?? 1)).fill(dataset.token);
  const tokens = (place) => [...place.querySelectorAll("[data-token]")].flatMap(alike);
  const hands = [...root.querySelectorAll("svg:not(.over) [data-place$='/hand']")];
  const told = [...page.querySelectorAll(".happened li p:not(.gains)")];
  return {
    viewer: page.viewer ?? null, ply: page.table.ply,
    hands: Object.fromEntries(hands.map((place) => [place.dataset.place.split("/")[2], tokens(place)])),
    told: told.map((one) => one.textContent.replace(/ Rule$/, "")),
    everything: page.outerHTML + root.firstChild.outerHTML,
  };
}"""
"""What the page shows now: whose hands, and which sentences."""


def sat_down(robot: Robot, *names: str, kinds: dict[int, str] | None = None, seed: str = "7") -> Robot:
    """Begins a game; by default every seat has a person."""
    robot.page.evaluate(
        f"""async (settings) => {{
          const {{ LocalTable }} = await import({TABLE}.files + "/play/table.js");
          const {{ unique }} = await import({TABLE}.files + "/store.js");
          const seed = settings.seed || unique();
          const wanted = {{ game: {TABLE}.game, unnamed: [], options: {{}}, ...settings, seed }};
          await {TABLE}.openTable(await LocalTable.start(wanted, {TABLE}.ask));
        }}""",
        {"names": names, "kinds": [(kinds or {}).get(seat, "person") for seat in range(len(names))], "seed": seed},
    )
    robot.page.wait_for_function(READY)
    return robot


def kept(robot: Robot) -> dict[str, Any]:
    """The record as saved in the browser."""
    table: dict[str, Any] = robot.page.evaluate(
        "(id) => JSON.parse(localStorage.getItem(`capomastro.play.${id}`))",
        robot.page.evaluate(f"() => {TABLE}.table.id"),
    )
    return table


def is_over(robot: Robot) -> bool:
    over: bool = robot.page.evaluate(f"() => {TABLE}.table.decision.actor === 'none'")
    return over


SMALL = {"width": 390, "height": 620}
"""A phone between the bars of its browser."""


@pytest.mark.long
@pytest.mark.parametrize("game", with_longest(pages.pads(), "carrara", "fifth-avenue"))
def test_a_whole_game_can_be_played_with_what_is_in_sight(visit: Opener, game: str) -> None:
    """It begins against a planning player, and ends from the last decision. Nothing moves from its place."""
    robot = visit(f"/play/{game}")
    page = robot.page
    page.set_viewport_size(SMALL)
    sat_down(robot, "Ada", "Bruno", kinds={1: "planning"})
    done = page.evaluate(PLAY_ON, [12, 5])
    assert done["picture"]
    assert len(done["moved"]) == 1, "header, bar and actions keep their place"
    sat_at(robot, before_the_end(game))
    page.evaluate(PLAY_ON, [1000, 3])
    assert is_over(robot)
    replay = Record.from_document(kept(robot)["record"]).replay()
    assert replay.legal
    assert replay.result
    totals = dict(zip(("Ada", "Bruno"), replay.result.totals, strict=True))
    rows = page.locator(".places li").all()
    assert {
        row.locator("[data-name]").inner_text(): number(row.locator(".points").inner_text()) for row in rows
    } == totals
    assert robot.sideways() <= 0
    offered = robot.button("Quick play")
    assert not offered.count()
    page.evaluate(FINISH_THREE)
    robot.press(offered)
    assert page.evaluate(f"() => {TABLE}.isQuick")


FINISH_THREE = f"""async () => {{
  const store = await import({TABLE}.files + "/store.js");
  for (const id of ["1", "2", "3"]) store.plays.keep({{ ...{TABLE}.table.saved, id, finished: true }});
  {TABLE}.show();
}}"""
"""After so many games the page offers quick play."""

SEATED = {"palazzo": 3, "campanile": 3, "fifth-avenue": 2}


@pytest.mark.parametrize("game", SEATED)
def test_the_screen_shows_only_what_the_current_viewer_may_know(visit: Opener, game: str) -> None:
    robot = sat_down(visit(f"/play/{game}"), *NAMES[: SEATED[game]])
    page = robot.page
    robot.tap("In words")
    page.locator(".words summary").last.click()
    viewers = set()
    for step in range(40):
        page.evaluate(PLAY_ON, [1, 11 + step])
        page.wait_for_function(READY)
        shown = page.evaluate(SHOWN)
        assert page.locator(".words li").count() > 10
        viewers.add(shown["viewer"])
        record = {**kept(robot)["record"]}
        assert len(record["moves"]) == shown["ply"]
        seen = Record.from_document(record).position().seen_by(shown["viewer"]).document()
        for seat, tokens in shown["hands"].items():
            hand = seen["seats"][int(seat)]["hand"]
            unknown = sum(hand["unknown"].values())
            assert Counter(tokens) == Counter([*hand["open"], *hand["closed"], *["unknown"] * unknown])
        answer = page.request.post(
            f"/v1/games/{game}/views", data={"record": record, "seat": shown["viewer"], "texts": True}
        ).json()
        possible = {as_printed(one["text"]) for entry in answer["course"] for one in [entry, *entry["events"]]}
        told = {one for one in shown["told"] if not one.startswith("Drawn: ")}
        assert told - {"The game is set up."} <= possible
        assert not [card for card in closed_cards(record, shown["viewer"]) if f'"{card}"' in shown["everything"]]
        if None in viewers and len(viewers) > 2:
            break
    assert None in viewers
    assert len(viewers) > 2


@pytest.mark.long
@pytest.mark.parametrize("way", ["New game", "a link"])
def test_a_hand_is_covered_until_its_player_takes_the_screen_in_the_next_game_too(visit: Opener, way: str) -> None:
    robot = visit("/play/fifth-avenue")
    page = robot.page
    sat_down(robot, "Ada", "Bruno")
    robot.tap("I am Ada")
    page.wait_for_function(READY)
    assert page.locator(".reading").count() == 1
    if way == "New game":
        robot.tap("Menu")
        robot.tap("New game")
    sat_down(robot, "Cleo", "Dora")
    assert page.evaluate(f"() => {TABLE}.acting") == "hand-over"
    assert page.locator(".reading").count() == 0


def closed_cards(record: dict[str, Any], viewer: int | None) -> list[str]:
    """Cards that only others know and that are nowhere visible: the page must not name them."""
    state = Record.from_document(record).position().document()
    seen = json.dumps(Record.from_document(record).position().seen_by(viewer).document())
    closed = [card for seat in state["seats"] for card in seat["hand"]["closed"]]
    return [card for card in closed if f'"{card}"' not in seen]


def as_printed(text: str) -> str:
    """As the pages print a sentence."""
    begun = text[:1].upper() + text[1:]
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."


def test_a_move_is_chosen_by_tapping_and_can_be_started_over(visit: Opener) -> None:
    """With a real pointer, which hits what is visible; and with the keys of the dock."""
    robot = visit("/play/campanile", width=1280, touch=False)
    sat_down(robot, "Ada", "Bruno")
    page = robot.page
    assert robot.text("#turn") == "Ada’s turn"
    robot.tap("I am Ada")
    page.wait_for_function(READY)
    cards, floors = page.locator(".cards button"), page.locator(".segments button")
    pressed, play = page.locator(".cards [aria-pressed=true]"), page.locator(".actions .main")
    assert cards.count() == 3
    assert play.get_attribute("aria-disabled") == "true"
    for undone in (cards.last.click, lambda: page.keyboard.press("Escape"), None):
        cards.last.click()
        page.wait_for_function(READY)
        assert pressed.count() == 1
        if undone:
            undone()
            page.wait_for_function(READY)
            assert pressed.count() == 0
    floors.nth(1).click()
    page.wait_for_function(READY)
    assert kept(robot)["record"]["moves"][-1]["type"] != "play-card", "choosing does not play"
    assert "by 2 floors" in play.inner_text()
    play.click()
    page.wait_for_function(READY)
    *_, played = moves = kept(robot)["record"]["moves"]
    assert (played["type"], played["floors"]) == ("play-card", 2)
    page.evaluate("() => localStorage.setItem('capomastro.play.quick', 'yes')")
    page.evaluate(
        f"async () => {TABLE}.dock.tap({TABLE}.board.spots.find(({{ key }}) => {TABLE}.dock.marks.can.has(key)))"
    )
    page.wait_for_function(f"() => {TABLE}.table.ply > {len(moves)} && ({READY})()")
    page.locator("header").get_by_role("button", name="Undo").click()
    page.wait_for_function(f"() => {TABLE}.table.ply === {len(moves)} && ({READY})()")
    assert kept(robot)["record"]["moves"] == moves, "undo takes back what one tap has played"


def test_a_wide_window_shows_whole_players_beside_the_table(visit: Opener) -> None:
    """The smallest things that can be tapped, blocks, are no reason to cut off the players."""
    page = sat_at(visit("/play/carrara", width=1280, touch=False), set_up("carrara"))
    page.locator(".verbs button[aria-disabled=false]").first.click()
    page.wait_for_function(READY)
    frame = page.evaluate_handle(f"() => {TABLE}.board.shadowRoot.querySelector('.pan')")
    assert page.evaluate(f"() => {TABLE}.dock.marks.can.size")
    assert frame.evaluate("(frame) => frame.scrollWidth <= frame.clientWidth")
    # what is beside the table and below it keeps its distance from the edges
    heading, tray = page.locator(".happened h2"), page.locator(".dock > .tray")
    assert heading.evaluate("(heading) => parseFloat(getComputedStyle(heading).paddingTop)") >= 8
    assert tray.evaluate("(tray) => innerHeight - tray.lastElementChild.getBoundingClientRect().bottom") >= 8


def test_a_tap_that_cannot_be_is_explained_with_its_rule(visit: Opener) -> None:
    """A tile for 8: a green 4 goes with no other card, and green and red cards do not mix."""
    position = set_up("palazzo").play({"type": "build", "seat": 0}, seed="7")
    assert closed_in(position, 0) == ["blue-5", "certificate-2", "green-4", "red-6"]
    robot = visit("/play/palazzo")
    page = sat_at(robot, position)
    tap_spot(page, "/supply")
    pale = page.locator(".cards .pale")
    reasons = {}
    for card in pale.all():
        card.click()
        page.wait_for_selector(".reason a")
        reasons[card.get_attribute("aria-label").split(",")[0]] = robot.text(".reason p")
    assert reasons
    why = ("The payment is worth", "Cards outside groups must be of one currency")
    assert all(text.startswith(why) for text in reasons.values()), reasons
    robot.tap("Rule", role="link")
    page.locator("dialog").wait_for()  # the rule is fetched before it is shown
    robot.close_dialog()
    page.locator(".cards button:not(.pale)").first.click()
    page.wait_for_function(READY)
    assert page.locator(".reason").count() == 0, "a reason stays only until the next tap"
    page.evaluate(f"() => {TABLE}.dock.tap({TABLE}.board.spots.find(({{ place }}) => place === '/riders'))")
    assert robot.text(".reason p").endswith("nothing can be done with it now.")


def tap_spot(page: Any, place: str) -> None:
    """Taps the first thing in a place that can be tapped, with a pointer."""
    at = page.evaluate(
        f"""(place) => {{ const {{ board, dock }} = {TABLE}; const {{ can, chosen }} = dock.marks;
        const key = [...can].find((one) => !chosen.has(one) && one.startsWith(place));
        board.reveal(key); return board.pointOf(key); }}""",
        place,
    )
    page.mouse.click(at["x"], at["y"])
    page.wait_for_function(READY)


def sat_at(robot: Robot, position: Position) -> Any:
    """Goes to a position of a game that two people play, as the one who decides there."""
    page = robot.page
    page.evaluate(
        f"""async (record) => {{
          const {{ LocalTable }} = await import({TABLE}.files + "/play/table.js");
          await {TABLE}.openTable(LocalTable.fromRecord(record, record.names.map(() => "person"), "7", {TABLE}.ask));
        }}""",
        Record.of(position).document(),
    )
    page.wait_for_function(READY)
    if page.evaluate(f"() => {TABLE}.acting") == "hand-over":
        robot.press(page.locator(".actions button"))
        page.wait_for_function(READY)
    return page


def closed_in(position: Position, seat: int) -> list[str]:
    """The cards in a hand that not everybody knows."""
    cards: list[str] = position.document()["seats"][seat]["hand"]["closed"]
    return cards


def set_up(game: str, seed: str = "7") -> Position:
    return capomastro.set_up(game, 2, names=NAMES[:2], seed=seed)


AUCTIONS = {"palazzo": "raise-or-pass", "fifth-avenue": "bid-or-pass"}
TO_GET_RICH = ("take-money", "take-two-cards", "take-card", "take-cards", "score-district")
TO_AUCTION = ("build", "call-auction", "score-district")
MANY_CARDS = 27


def rich(game: str) -> Position:
    """An auction in which there are more than 5,000 raises."""
    position, hand = set_up(game), 0
    while position.decision.kind != AUCTIONS[game] or position.legal_moves.total <= 5_000:
        moves = position.legal_moves
        kinds = {as_document(move)["type"]: move for move in one_of_each_type(moves[:3000])}
        wanted = TO_GET_RICH if hand < MANY_CARDS else (*TO_AUCTION, *TO_GET_RICH)
        passed = moves[-1] if position.decision.kind == AUCTIONS[game] else moves[0]
        position = position.play(next((kinds[kind] for kind in wanted if kind in kinds), passed), seed="7")
        held = position.document()["seats"][position.decision.seat or 0]["hand"]
        hand = len(held["open"]) + len(held["closed"])
    return position


def one_of_each_type(moves: Sequence[Any]) -> list[Any]:
    """The first move of every type."""
    return list({type(move): move for move in reversed(moves)}.values())


TAP_TOKEN = f"""([place, token]) => {{
  const {{ dock, board }} = {TABLE};
  const isMeant = (one) => one.place === place && one.token === token && !dock.chosen.has(one.key);
  return dock.tap(board.spots.find(isMeant));
}}"""
"""Taps the first copy of a token in a place that is not chosen yet."""


@pytest.mark.long
@pytest.mark.parametrize("game", with_longest(AUCTIONS, "fifth-avenue"))
def test_with_thousands_of_raises_a_player_can_pass_or_raise_at_once(visit: Opener, game: str) -> None:
    """Nothing that is as long as the list of moves is fetched; the figure on the button is that of the event."""
    position = rich(game)
    seat = position.decision.seat
    assert seat is not None
    robot = visit(f"/play/{game}")
    page = sat_at(robot, position)
    asked = list[Any]()
    page.on("response", lambda answer: asked.append(answer) if "/v1/" in answer.url else None)
    legal = as_document(max(position.legal_moves[:2000], key=lambda move: len(as_document(move)["cards"])))
    for card in legal["cards"]:
        page.evaluate(TAP_TOKEN, [f"/seats/{seat}/hand", card])
        assert robot.button("Pass", exact=True).is_enabled()
    amounts = {one.name: one.value for one in position.amounts(legal)}
    assert f" {amounts['bid']}\n" in robot.text(".actions .main")
    assert f"= {amounts['bid']}" in robot.text(".sum") or not position.amounts(legal)[0].before
    assert len(asked) <= 2 * len(legal["cards"])
    assert max(len(answer.body()) for answer in asked) < 6_000
    page.locator(".actions .main").click()
    page.wait_for_function(f"() => {TABLE}.table.ply > {position.ply} && ({READY})()")
    record = kept(robot)["record"]
    assert sorted(record["moves"][position.ply]["cards"]) == sorted(legal["cards"])
    raised = Record.from_document({**record, "moves": record["moves"][: position.ply + 1]}).position()
    assert f"{amounts['bid']} in all" in raised.in_words()[-1]
    asked.clear()
    sat_at(robot, position)
    assert sum("/legal-moves" in answer.url for answer in asked) <= 1, "apart from the answer to the move before"
    page.keyboard.press("p")
    page.wait_for_function(f"() => {TABLE}.table.ply > {position.ply} && ({READY})()")
    assert kept(robot)["record"]["moves"][position.ply] == {"type": "pass", "seat": seat}


def test_a_larger_payment_can_be_chosen_although_less_would_do(visit: Opener) -> None:
    position = next(one for one in random_game("palazzo", seed="52") if superfluous(one))
    card, seat = superfluous(position)[0], position.decision.seat
    robot = visit("/play/palazzo")
    page = sat_at(robot, position)
    first = as_document(next(move for move in position.legal_moves if isinstance(move, Buy)))
    for place, tokens in (("/supply", first["tiles"]), (f"/seats/{seat}/hand", [card])):
        for token in tokens:
            page.evaluate(TAP_TOKEN, [place, token])
    page.locator(".actions .main[aria-disabled=false]").click()
    page.wait_for_function(f"() => {TABLE}.table.ply > {position.ply} && ({READY})()")
    assert sorted(kept(robot)["record"]["moves"][position.ply]["payment"]) == sorted([*first["payment"], card])


@cache
def random_game(game: str, seed: str = "7") -> list[Position]:
    return [*random_positions(game, 2, names=NAMES[:2], seed=seed)]


def before_the_end(game: str) -> Position:
    """The last position of a random game in which somebody decides."""
    return random_game(game)[-2]


def superfluous(position: Position) -> list[str]:
    """Cards that can be part of a payment although they are in no listed legal move."""
    buys = [move for move in position.legal_moves if isinstance(move, Buy)]
    if not buys:
        return []
    first, paid = buys[0], {card for move in buys for card in move.payment}
    larger = {
        card: replace(first, payment=tuple(sorted((*first.payment, card))))
        for card in closed_in(position, first.seat)
        if card not in paid
    }
    return [card for card, move in larger.items() if position.is_legal(move)]


def test_any_position_can_be_restored_backwards_and_forwards(visit: Opener) -> None:
    robot = sat_down(visit("/play/carrara"), "Ada", "Bruno")
    page = robot.page
    page.evaluate(PLAY_ON, [12, 3])
    page.wait_for_function(READY)
    record = kept(robot)["record"]
    page.locator("header").get_by_role("button", name="Undo").click()
    page.wait_for_function(f"() => {TABLE}.table.ply < {len(record['moves'])} && ({READY})()")
    shorter = kept(robot)["record"]["moves"]
    assert shorter == record["moves"][: len(shorter)]
    robot.tap("In words")
    page.locator(".log li button").last.click()
    page.wait_for_function(f"() => {TABLE}.table.ply < {len(shorter)} && ({READY})()")
    robot.tap("Forward again")
    page.wait_for_function(f"() => {TABLE}.table.ply === {len(record['moves'])} && ({READY})()")
    assert kept(robot)["record"] == record


def test_games_survive_a_reload_and_several_are_saved(visit: Opener) -> None:
    robot = sat_down(visit("/play/fifth-avenue"), "Ada", "Bruno", kinds={1: "random"})
    page = robot.page
    page.evaluate(PLAY_ON, [5, 3])
    page.wait_for_function(READY)
    question, record = robot.text("#turn"), kept(robot)["record"]
    page.reload()
    page.wait_for_function(READY)
    assert (robot.text("#turn"), kept(robot)["record"]) == (question, record)
    robot.tap("Menu")
    robot.tap("New game")
    page.wait_for_selector("form.setup")
    sat_down(robot, "Cleo", "Dora")
    robot.tap("Menu")
    robot.tap("New game")
    page.locator("details.setup summary").click()
    assert page.locator("ul.kept li").count() == 2
    with page.expect_download() as download:
        robot.tap("Save all as one file")
    lines = Path(download.value.path()).read_bytes().decode().split("\n")[:-1]
    assert [Record.from_document(json.loads(line)).names for line in lines] == [("Cleo", "Dora"), ("Ada", "Bruno")]
    page.goto("/")
    page.locator(".unfinished").first.wait_for()
    unfinished = page.locator(".unfinished p").all_inner_texts()
    assert unfinished == [f"{names}: still being played" for names in ("Cleo, Dora", "Ada, Bruno")]
    page.get_by_role("link", name="Go on").last.click()
    page.wait_for_function(READY)
    assert robot.text("#turn") == question


@pytest.mark.parametrize("moment", ["before it is deleted", "before it is brought back"])
def test_a_game_that_is_brought_back_is_as_another_window_has_left_it(visit: Opener, moment: str) -> None:
    """That window is not noticed before the list is shown anew."""
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno")
    key = robot.page.evaluate(f"() => `capomastro.play.${{{TABLE}.table.id}}`")
    latest = {**kept(robot), "finished": True}
    go_on = "([key, text]) => localStorage.setItem(key, text)"
    robot.tap("Menu")
    robot.tap("New game")
    robot.page.locator("details.setup summary").click()
    delete, undo = (robot.page.get_by_role("button", name=f"{name}: ") for name in ("Delete", "Undo"))
    delete.wait_for()
    if moment == "before it is deleted":
        robot.page.evaluate(go_on, [key, json.dumps(latest)])
        delete.click()
    else:
        delete.click()
        undo.wait_for()
        robot.page.evaluate(go_on, [key, json.dumps(latest)])
    undo.click()
    delete.wait_for()
    assert json.loads(robot.page.evaluate("(key) => localStorage.getItem(key)", key)) == latest


def test_the_game_waits_while_the_service_cannot_be_reached(visit: Opener) -> None:
    robot = sat_down(visit("/play/campanile"), "Ada", "Bruno", kinds={1: "random"})
    robot.may_lose_the_service = True
    page = robot.page
    before, move = kept(robot)["record"], f"{TABLE}.dock.options.moves[0]"
    page.route("**/v1/**", lambda route: route.abort())
    page.evaluate(f"() => void {TABLE}.play({move})")
    page.get_by_text("No connection. The game is kept").wait_for()
    assert kept(robot)["record"] == before
    page.unroute("**/v1/**")
    robot.tap("Try again")
    page.wait_for_function(f"() => {TABLE}.table.ply > {len(before['moves'])} && ({READY})()")
    assert "No connection" not in robot.text(".now")


def test_the_computer_thinks_and_its_turn_is_shown_step_by_step(visit: Opener) -> None:
    """Against the computer nothing is handed over; a move that is still on its way can be taken back."""
    robot = sat_down(visit("/play/fifth-avenue", language="de"), "Ada", "Bruno", kinds={1: "random"})
    page = robot.page
    before = kept(robot)["record"]
    asked = robot.held_back("**/transitions", only_first=True)
    page.evaluate(f"() => void {TABLE}.play({TABLE}.dock.options.moves[0])")
    said = wording("play", "de", "play.thinking").replace("{name}", "Bruno")
    page.get_by_text(said).wait_for()
    robot.tap(wording("play", "de", "play.take-back"))
    page.wait_for_function(READY)
    asked[0].continue_()
    assert page.evaluate(f"() => {TABLE}.acting") == "own"
    assert kept(robot)["record"] == before
    shown = list[str]()
    for turn in range(60):
        page.evaluate(PLAY_ON, [1, 7 + turn])
        page.wait_for_function(READY)
        assert page.evaluate(f"() => [{TABLE}.viewer, {TABLE}.acting !== 'hand-over']") == [0, True]
        if page.evaluate(f"() => {TABLE}.acting") == "steps":
            shown.append(robot.text("#turn"))
            break
    pages = page.evaluate(f"() => {TABLE}.steps.length")
    rings = f"() => [...{TABLE}.board.shadowRoot.querySelectorAll('.can')].length"
    for at in range(1, pages):
        assert page.locator(".actions .main").inner_text() == f"{at} von {pages} ▸"
        assert page.evaluate(rings) == 0
        page.locator(".actions .main").click()
        shown.append(robot.text("#turn"))
    assert len(set(shown)) == pages > 1
    assert all(one.startswith("Bruno") for one in shown)
    page.locator(".actions .main").click()
    page.wait_for_function(f"() => {TABLE}.acting === 'own' && ({READY})()")


@pytest.mark.long
@pytest.mark.parametrize("by", ["pointer", "keys"])
def test_what_plays_can_be_tapped_before_the_service_has_judged_the_choice(visit: Opener, by: str) -> None:
    """The tap waits for the answer, as every other does, and says nothing false."""
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno", kinds={1: "random"})
    page = robot.page
    cards, play = page.locator(".pieces button"), page.locator(".actions .main")
    robot.tap("Take money")
    page.wait_for_function(READY)
    before, asked = kept(robot)["record"], robot.held_back("**/verdicts", only_first=True)
    with page.expect_request("**/verdicts"):
        for card in (cards.nth(0), cards.nth(1)):
            if by == "pointer":
                card.click()
            else:
                card.press("Space")
    if by == "pointer":
        robot.press(play)
    else:
        cards.nth(1).press("Enter")
    assert page.locator(".reason").count() == 0
    asked[0].continue_()
    page.wait_for_function(f"() => {TABLE}.table.ply > {len(before['moves'])} && ({READY})()")


@pytest.mark.long
def test_a_move_beside_the_one_that_leads_takes_what_was_chosen_last(visit: Opener) -> None:
    """Even if the service has not judged that choice yet."""
    stages = ((one, one.document()["stage"]) for one in random_game("palazzo"))
    position = next(one for one, stage in stages if stage["type"] == "place-tile" and len(set(stage["tiles"])) == 2)
    robot = visit("/play/palazzo")
    page = sat_at(robot, position)
    tiles = page.locator(".pieces button")
    last = tiles.nth(1).locator("game-piece").get_attribute("data-key")
    asked = robot.held_back("**/verdicts", only_first=True)
    with page.expect_request("**/verdicts"):
        tiles.nth(0).click()
    tiles.nth(1).click()
    robot.tap("Throw away")
    asked[0].continue_()
    page.wait_for_function(f"() => {TABLE}.table.ply > {position.ply} && ({READY})()")
    thrown = kept(robot)["record"]["moves"][position.ply]
    assert thrown["type"] == "throw-away"
    assert thrown["tile"] in last


TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_a_preview_moves_no_card_from_below_a_finger(visit: Opener) -> None:
    """What is pressed when it comes is what is tapped."""
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno", kinds={1: "random"})
    page, picked = robot.page, f"() => {TABLE}.dock.picks.map(({{ at }}) => at)"
    robot.tap("Take money")
    page.wait_for_function(READY)
    first, second = page.evaluate(f"() => [...{TABLE}.dock.marks.can].slice(0, 2)")

    def point_of(spot: str) -> dict[str, float]:
        """Where it is now: what is chosen may have moved it."""
        page.evaluate(TWO_FRAMES)
        point: dict[str, float] = page.evaluate(f"(key) => {TABLE}.board.pointOf(key)", spot)
        return point

    page.mouse.click(**point_of(first))
    page.wait_for_function(READY)
    chosen = page.evaluate(picked)
    asked = robot.held_back("**/transitions", only_first=True)
    with page.expect_request("**/transitions"):
        page.mouse.click(**point_of(second))
    page.mouse.move(**point_of(second))
    page.mouse.down()
    with page.expect_response("**/transitions"):
        asked[0].continue_()
    page.evaluate(TWO_FRAMES)
    page.mouse.up()
    page.wait_for_function(READY)
    assert page.evaluate(picked) == chosen


def test_enter_in_the_tray_plays_and_chooses_nothing(visit: Opener) -> None:
    """There Enter plays, or says what is missing; on the button that closes the reason it closes that."""
    robot = sat_down(visit("/play/palazzo"), "Ada", "Bruno", kinds={1: "random"})
    robot.tap("Take money")
    robot.page.wait_for_function(READY)
    robot.page.locator(".pieces button").first.press("Enter")
    robot.page.locator(".reason").wait_for()
    assert robot.page.locator(".pieces [aria-pressed=true]").count() == 0
    robot.button("Close", exact=True).press("Enter")
    robot.page.locator(".reason").wait_for(state="detached")


def wording(kind: str, language: str, key: str) -> str:
    words: dict[str, str] = json.loads((pages.FILES / "words" / f"{kind}.{language}.json").read_text("utf-8"))
    return words[key]


def test_a_game_can_be_opened_in_the_viewer_and_continued_from_there(visit: Opener) -> None:
    robot = sat_down(visit("/play/carrara"), "Ada", "Bruno")
    page = robot.page
    page.evaluate(PLAY_ON, [9, 3])
    page.wait_for_function(READY)
    record = kept(robot)["record"]
    robot.tap("Menu")
    robot.tap("Open in the viewer")
    page.wait_for_selector(".viewer")
    page.wait_for_function("() => document.querySelector('replay-viewer').link")
    assert page.evaluate("() => document.querySelector('replay-viewer').record.moves") == record["moves"]
    page.locator(".steer input").fill(str(len(record["moves"]) - 1))
    robot.tap("Menu")
    page.get_by_role("link", name="Play on from here").click()
    page.wait_for_function(READY)
    assert kept(robot)["record"]["moves"][: len(record["moves"]) - 1] == record["moves"][:-1]


# --- without a pointer -----------------------------------------------------------------------------------------------

FOCUSED = "() => document.activeElement !== document.body"
MANY_PARTS = {"palazzo": "buy", "carrara": "build", "fifth-avenue": "bid"}
"""Moves that consist of several parts."""


@pytest.mark.long
@pytest.mark.parametrize("game", with_longest(pages.pads(), "carrara", "fifth-avenue"))
def test_a_game_can_be_played_with_the_keyboard_alone(visit: Opener, game: str) -> None:
    """With the choices in words; the focus is never lost."""
    robot, random = visit(f"/play/{game}?words", reader=KeyboardRobot, touch=False), Random(7)
    page = robot.page
    sat_at(robot, before_the_end(game))
    pressed = Counter[str]()
    while not is_over(robot):
        pressed["turns"] += 1
        assert pressed["turns"] < 150
        play = page.locator(".actions .main:not([aria-disabled=true])")
        listed = page.locator(".choices button:not(.pale):not([aria-checked=true]), .segments button")
        others = page.locator(".actions button:not(.main, [aria-disabled=true])")
        listed_now = listed.count() and not (others.count() and pressed["turns"] % 3 == 0)
        offered = play if play.count() else listed if listed_now else others
        offered = offered if offered.count() else page.locator(".choices button, .segments button")
        one = offered.nth(random.randrange(min(offered.count(), 4)))  # keys lead past all that comes before it
        pressed["listed" if offered is listed else "actions"] += 1
        robot.press(one)
        page.wait_for_function(READY)
        page.wait_for_function(FOCUSED)
    assert pressed["actions"]
    assert page.evaluate("() => document.activeElement.closest('.winner') !== null")
    assert Record.from_document(kept(robot)["record"]).replay().result


def most_parts(position: Position, kind: str) -> int:
    """The maximum number of parts of a legal move of that type."""
    moves = [as_document(move) for move in position.legal_moves]
    parts = [
        sum(len(part) if isinstance(part, list) else name not in ("type", "seat") for name, part in move.items())
        for move in moves
        if move["type"] == kind
    ]
    return max(parts, default=0)


LOOKED_THROUGH = ("who plays", "the device is handed over, or a first decision", "why not", "in words", "the end")
"""The states that axe looks at: "why not" shows what the two before it do, and pads open the same menu."""
SURROUNDINGS = {"en": (320, False), "it": (390, True), "es": (1280, False), "de": (320, True)}
"""A width and whether it is dark, for each language."""


@pytest.mark.long
@pytest.mark.parametrize(("language", "game"), [*zip(SURROUNDINGS, pages.pads(), strict=True)])
def test_every_state_is_accessible(visit: Opener, axe: str, language: str, game: str) -> None:
    """A phone, a narrow one and a wide screen, light and dark, letters twice as large, forced colours."""
    width, dark = SURROUNDINGS[language]
    robot = visit(f"/play/{game}", language=language, dark=dark, width=width)
    page = robot.page
    found = dict[str, list[str]]()
    for state in states(robot, game):
        found[state] = [*robot.too_small(), *robot.cut_off()]
        if state in LOOKED_THROUGH:
            found[state] += robot.complaints(axe)
        for size in ("200%", ""):
            page.evaluate("(size) => document.documentElement.style.fontSize = size", size)
            found[state] += [f"{size}: {over} pixels too wide" for over in [robot.sideways()] if over > 0]
    assert {state: complaints for state, complaints in found.items() if complaints} == {}
    assert len(found) == 8


def states(robot: Robot, game: str) -> Iterator[str]:
    """Every state of a table, one after the other."""
    page = robot.page
    yield "who plays"
    page.locator(".setup input[type=text]").first.press("Enter")
    page.wait_for_function(READY)
    yield "the device is handed over, or a first decision"
    position = next(one for one in random_game(game) if most_parts(one, MANY_PARTS.get(game, "play-card")) >= 2)
    sat_at(robot, position)
    if page.locator(".verbs").count():
        page.locator(".verbs button[aria-disabled=false]").nth(1).click()
        page.wait_for_function(READY)
    yield "a decision"
    page.locator(".cards button:not(.pale), .pieces button:not(.pale)").first.click()
    page.wait_for_function(READY)
    page.emulate_media(forced_colors="active")
    assert page.locator("[aria-pressed=true]").first.evaluate("(it) => getComputedStyle(it).outlineStyle") == "solid"
    page.emulate_media(forced_colors="none")
    yield "something is chosen"
    page.evaluate(f"() => {TABLE}.dock.explainKind({TABLE}.dock.kind)")
    page.locator(".reason").wait_for()
    yield "why not"
    page.locator(".worded-button").click()
    page.locator(".words").wait_for()
    assert page.locator(".reason").is_visible(), "the same state: what was said is still there"
    yield "in words"
    page.locator("header .icon[aria-haspopup]").click()
    page.locator("dialog .menu").wait_for()
    yield "menu"
    robot.close_dialog()
    sat_at(robot, random_game(game)[-1])
    page.locator(".result .winner").wait_for()
    yield "the end"
