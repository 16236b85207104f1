"""The page to play on: whole games by tapping the picture, hidden hands, undo, and reloads."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import capomastro
from capomastro import Position, Record, pages
from capomastro.engine.decisions import SeatDecision, type_of
from capomastro.games import all_games
from capomastro.games.palazzo.moves import Buy
from tests.pages.conftest import Opener
from tests.pages.robot import KeyboardRobot, Robot, number
from tests.pages.test_serving import imported
from tests.support.documents import as_document
from tests.support.random_positions import random_positions

NAMES = ["Ada", "Bruno", "Cleo", "Dora", "Elio"]
SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
TABLE = "document.querySelector('game-table')"
READY = f"""() => {{
  const page = {TABLE};
  const isAsked = () => page.choices.length || page.needsHandOver || page.table.decision.actor === "none";
  return !page.working && page.seen && isAsked();
}}"""
"""Whether the page waits for its user."""

PLAY_ON = """async ([most, seed]) => {
  const page = document.querySelector("game-table");
  const offered = { picture: 0, sentences: 0, steps: 0, chosen: 0 };
  let state = seed;
  const any = (list) => list[(state = (state * 48271) % 2147483647) % list.length];
  const isOver = () => page.table.decision.actor === "none";
  const ready = () => !page.working && page.seen && (page.choices.length || page.needsHandOver || isOver());
  const wait = async () => {
    for (let tries = 0; !ready(); tries++) {
      if (tries > 30_000 || page.failed) throw new Error(`nothing is asked: ${page.failed} ${page.innerText}`);
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
  };
  const hit = (element) => {
    scrollBy({ top: element.getBoundingClientRect().top - 120, behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    const places = [[0.5, 0.5], [0.2, 0.5], [0.5, 0.2], [0.1, 0.1], [0.5, 0.9], [0.9, 0.5], [0.9, 0.9], [0.03, 0.5]];
    for (const [x, y] of places) {
      const there = element.getRootNode().elementFromPoint(left + x * width, top + y * height);
      if (there?.closest("[data-state]") === element) return there;
    }
    throw new Error(`no pointer reaches ${element.dataset.token ?? element.dataset.place}`);
  };
  const { targetsOf } = await import(`${page.files}/play/targets.js`);
  const missing = () => page.choices.flatMap(({ move }) => targetsOf(page.game, move).filter((target) =>
    !page.board.has(target) && !(move.type === "move-commissioner" && target.endsWith(`/${move.to}`))));
  for (await wait(); !isOver() && offered.steps < most; await wait()) {
    offered.steps++;
    if (missing().length) throw new Error(`not in the picture: ${missing()}`);
    const sentences = [...page.querySelectorAll(".ways button:not([aria-disabled])")];
    const drawn = [...page.querySelector("game-board").shadowRoot.querySelectorAll("[data-state=next]")];
    if (page.needsHandOver && drawn.length) throw new Error("something can be tapped before the device goes on");
    const taps = drawn.length && (!sentences.length || !page.chosen.length || sentences.length > 6);
    if (taps && !(page.chosen.length === 0 && sentences.length && any([0, 0, 0, 1]))) {
      hit(any(drawn)).dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
      offered.picture++;
    } else {
      if (!sentences.length) throw new Error(`nothing can be done: ${page.innerText}`);
      offered.chosen += page.chosen.length ? 1 : 0;
      any(sentences).click();
      offered.sentences++;
    }
  }
  return offered;
}"""
"""Plays on by tapping outlined parts, where a pointer reaches them, and offered sentences, to the end or for
so many steps."""

SHOWN = """() => {
  const page = document.querySelector("game-table");
  const root = page.querySelector("game-board").shadowRoot;
  const alike = ({ dataset }) => Array(Number(dataset.count ?? 1)).fill(dataset.token);
  const tokens = (place) => [...place.querySelectorAll("[data-token]")].flatMap(alike);
  const hands = [...root.querySelectorAll("[data-place$='/hand']")];
  const told = [...page.querySelectorAll(".log li p:not(.gains)")];
  return {
    viewer: page.viewer ?? null, ply: page.table.ply,
    hands: Object.fromEntries(hands.map((place) => [place.dataset.place.split("/")[2], tokens(place)])),
    told: told.map((one) => one.textContent.replace(/ Rule$/, "")),
    everything: page.outerHTML + root.firstChild.outerHTML,
  };
}"""
"""What the page shows now: whose hands, and which sentences."""


UNUSABLE = """(place) => {
  const page = document.querySelector("game-table");
  const lit = new Set(page.choices.flatMap((choice) => choice.targets));
  const there = page.board.spots.filter((spot) => spot.place === place && spot.token);
  return there.map(({ token }) => token).filter((token) => !lit.has(`${place} ${token}`));
}"""
"""The tokens of a place that are in no legal move."""


def sat_down(robot: Robot, *names: str, kinds: dict[int, str] | None = None, seed: str = "7") -> Robot:
    """Begins a game; by default every seat has a person."""
    robot.page.evaluate(
        f"""async (settings) => {{
          const {{ LocalTable }} = await import({TABLE}.files + "/play/table.js");
          const {{ unique }} = await import({TABLE}.files + "/store.js");
          const usual = {{ game: {TABLE}.game, unnamed: [], options: {{}} }};
          const wanted = {{ ...usual, ...settings, seed: settings.seed || unique() }};
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


@pytest.mark.parametrize("game", pages.pads())
def test_a_whole_game_can_be_played_with_the_picture_and_the_buttons(visit: Opener, axe: str, game: str) -> None:
    """It begins against a planning player, and ends from 16 plies before."""
    robot = sat_down(visit(f"/play/{game}", width=1280), "Ada", "Bruno", kinds={1: "planning"})
    offered = robot.page.evaluate(PLAY_ON, [8, 5])
    assert offered["picture"]
    sat_at(robot, [*random_game(game)][-16])
    offered = robot.page.evaluate(PLAY_ON, [1000, 5])
    assert offered["picture"]
    assert is_over(robot)
    replay = Record.from_document(kept(robot)["record"]).replay()
    assert replay.legal
    assert replay.result
    totals = dict(zip(("Ada", "Bruno"), replay.result.totals, strict=True))
    rows = robot.page.locator(".places li").all()
    assert {
        row.locator("[data-name]").inner_text(): number(row.locator(".points").inner_text()) for row in rows
    } == totals
    assert robot.complaints(axe) == []
    assert robot.sideways() <= 0


SEATED = {"palazzo": 3, "campanile": 3, "fifth-avenue": 2}


@pytest.mark.parametrize("game", SEATED)
def test_the_screen_shows_only_what_the_current_viewer_may_know(visit: Opener, game: str) -> None:
    robot = sat_down(visit(f"/play/{game}"), *NAMES[: SEATED[game]])
    page = robot.page
    page.locator(".drawn summary").click()
    viewers = set()
    for step in range(10):
        page.evaluate(PLAY_ON, [1, 11 + step])
        page.wait_for_function(READY)
        shown = page.evaluate(SHOWN)
        assert page.locator(".drawn li").count() > 10
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
        assert set(shown["told"]) - {"The game is set up."} <= possible
        assert not [card for card in closed_cards(record, shown["viewer"]) if f'"{card}"' in shown["everything"]]
    assert None in viewers
    assert len(viewers) > 2


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


def test_a_single_person_is_never_asked_to_pass_the_device(visit: Opener) -> None:
    robot = sat_down(visit("/play/campanile"), "Ada", "Bruno", kinds={1: "random"})
    for _ in range(8):
        robot.page.evaluate(PLAY_ON, [1, 3])
        robot.page.wait_for_function(READY)
        assert robot.page.evaluate(f"() => {TABLE}.viewer") == 0


def test_a_move_is_assembled_by_tapping_and_can_be_started_over(visit: Opener) -> None:
    """With a real pointer, which hits what is visible."""
    robot = visit("/play/campanile", width=1280, touch=False)
    sat_down(robot, "Ada", "Bruno")
    page = robot.page
    assert "move" not in page.evaluate(f"() => {TABLE}.board.shadowRoot.textContent"), "draws are counted as moves"
    robot.tap("I am Ada")
    page.wait_for_function(READY)
    cards = page.locator("game-board [data-place='/seats/0/hand'] > [data-state=next]")
    assert cards.count() == 3
    cards.first.click()
    chosen = page.locator("game-board [data-state=chosen]")
    assert chosen.count() == 1
    assert page.locator(".ways button").count() == 3
    chosen.click()
    assert chosen.count() == 0
    cards.last.click()
    page.get_by_role("button", name="Take back").click()
    assert chosen.count() == 0
    cards.first.click()
    page.keyboard.press("Escape")
    assert chosen.count() == 0
    cards.first.click()
    page.locator(".ways button").nth(1).click()
    page.wait_for_function(READY)
    assert kept(robot)["record"]["moves"][-1]["type"] == "play-card"


def test_a_tap_that_is_not_possible_is_explained_with_its_rule(visit: Opener) -> None:
    robot = sat_down(visit("/play/palazzo", width=1280), "Ada", "Bruno", kinds={1: "random"})
    page = robot.page
    page.locator("game-board [data-place='/supply']").click()
    page.wait_for_selector(".turn .news")
    assert "nothing can be done with it now. The step is: " in robot.text(".turn .news")
    page.locator(".ways").get_by_role("button", name="draws two tiles").click()
    page.wait_for_function(READY)
    unpaid = page.evaluate(UNUSABLE, "/seats/0/hand")
    assert unpaid, "every card pays for something: another seed is needed"
    page.locator(f"game-board [data-place='/seats/0/hand'] > [data-token='{unpaid[0]}']").first.click()
    page.wait_for_selector(".turn .news li")
    assert "no legal move uses it now" in robot.text(".turn .news")
    robot.tap("Rule", role="link")
    page.locator("dialog").wait_for()  # the rule is fetched before it is shown


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
    if page.evaluate(f"() => {TABLE}.needsHandOver"):
        robot.press(page.locator(".ways button"))
        page.wait_for_function(READY)
    return page


def closed_in(position: Position, seat: int) -> list[str]:
    """The cards in a hand that not everybody knows."""
    cards: list[str] = position.document()["seats"][seat]["hand"]["closed"]
    return cards


def in_hand(page: Any, seat: int, card: str) -> Any:
    return page.locator(f"game-board [data-place='/seats/{seat}/hand'] > [data-token='{card}']").first


def test_half_a_payment_is_not_refused_as_if_it_were_complete(visit: Opener) -> None:
    """A tile for 8 and, besides the cards that pay for it, a green 4, which is too little and fits no other card."""
    position = set_up("palazzo").play({"type": "build", "seat": 0}, seed="7")
    assert closed_in(position, 0) == ["blue-5", "certificate-2", "green-4", "red-6"]
    robot = visit("/play/palazzo", width=1280)
    page = sat_at(robot, position)
    in_hand(page, 0, "certificate-2").click()
    in_hand(page, 0, "green-4").click()
    page.wait_for_selector(".turn .news li")
    assert robot.text(".turn .news p") == "Green 4: no legal move uses it now. For example:"
    tried = [" ".join(text.split()) for text in page.locator(".turn .news li").all_inner_texts()]
    buys, mixed = "Ada buys brick 2 (1 window) and pays", "Cards outside groups must be of one currency"
    assert tried == [
        f"{buys} certificate 2 and green 4. The payment is worth 6, the price is 8. Rule",
        f"{buys} certificate 2, green 4 and red 6. {mixed}, these are of red and green. Rule",
    ]
    assert "not known to everybody" not in robot.text(".turn")


def test_a_larger_payment_is_offered_once_its_superfluous_card_is_tapped(visit: Opener) -> None:
    position = next(one for one in random_game("palazzo", seed="52") if superfluous(one))
    card, seat = superfluous(position)[0], position.decision.seat
    assert seat is not None
    robot = visit("/play/palazzo", width=1280)
    page = sat_at(robot, position)
    in_hand(page, seat, card).click()
    page.wait_for_selector(".turn .news")
    assert "this is legal too, though less would do" in robot.text(".turn .news")
    page.locator(".ways button.main").click()
    page.wait_for_function(READY)
    bought = next(move for move in kept(robot)["record"]["moves"][position.ply :] if move["type"] == "buy")
    assert card in bought["payment"]


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
        kinds = {as_document(move)["type"]: move for move in reversed(moves[:3000])}
        wanted = TO_GET_RICH if hand < MANY_CARDS else (*TO_AUCTION, *TO_GET_RICH)
        passed = moves[-1] if position.decision.kind == AUCTIONS[game] else moves[0]
        position = position.play(next((kinds[kind] for kind in wanted if kind in kinds), passed), seed="7")
        held = position.document()["seats"][position.decision.seat or 0]["hand"]
        hand = len(held["open"]) + len(held["closed"])
    return position


@pytest.mark.parametrize("game", AUCTIONS)
def test_with_thousands_of_raises_a_player_can_pass_or_raise_at_once(visit: Opener, game: str) -> None:
    """What is put together is judged with each card, and nothing that is as long as the list of moves is fetched."""
    position = rich(game)
    seat = position.decision.seat
    assert seat is not None
    robot = visit(f"/play/{game}", width=1280)
    asked = list[str]()
    robot.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page = sat_at(robot, position)
    assert asked.count("legal-moves") == 1
    assert len(page.evaluate(CHOICES)) == 2
    name = NAMES[seat]
    assert page.get_by_role("button", name=f"{name} passes.").count() == 1
    robot.tap("Play what is chosen")
    assert robot.text(".turn .news").startswith("Tap what you want to use")
    legal = as_document(max(position.legal_moves[:2000], key=lambda move: len(as_document(move)["cards"])))
    hand = page.locator(f"game-board [data-place='/seats/{seat}/hand']")
    taken = Counter[str]()
    for at, card in enumerate(legal["cards"], 1):
        hand.locator(f"> [data-token='{card}']").nth(taken[card]).click(position={"x": 4, "y": 20})
        taken[card] += 1
        page.wait_for_function(f"() => {TABLE}.judged && {TABLE}.chosen.length === {at}")
        judged = page.evaluate(f"() => {TABLE}.judged.verdict.legal")
        assert judged == position.is_legal({**legal, "cards": sorted(taken.elements())})
        assert bool(page.locator(".turn [role=status] a").count()) == (not judged)
        assert page.get_by_role("button", name=f"{name} passes.").count() == 1
    page.locator(".ways .main").click()
    page.wait_for_function(f"() => {TABLE}.table.ply > {position.ply} && ({READY})()")
    assert sorted(kept(robot)["record"]["moves"][position.ply]["cards"]) == sorted(legal["cards"])
    sat_at(robot, position)
    robot.tap(f"{name} passes.")
    page.wait_for_function(f"() => {TABLE}.table.ply > {position.ply} && ({READY})()")
    assert kept(robot)["record"]["moves"][position.ply] == {"type": "pass", "seat": seat}


def test_what_can_be_made_instead_of_moves_of_many_cards_is_known(visit: Opener) -> None:
    """For each decision with such moves, all that has no parts in the picture."""
    robot = visit("/play/palazzo")
    instead = robot.page.evaluate(f"async () => (await import({TABLE}.files + '/play/targets.js')).MOVES_INSTEAD")
    for game, many in instead.items():
        kinds = [[type_of(kind) for kind in one.rules] for one in seat_decisions(game)]
        for kind, others in many.items():
            assert [sorted(one) for one in kinds if kind in one] == [sorted([kind, *others])]


def seat_decisions(game: str) -> list[SeatDecision[Any]]:
    return [one for one in all_games()[game].decision_at.values() if isinstance(one, SeatDecision)]


def random_game(game: str, seed: str = "7") -> Iterator[Position]:
    return random_positions(game, 2, names=NAMES[:2], seed=seed)


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
    question, record = robot.text(".turn h2"), kept(robot)["record"]
    page.reload()
    page.wait_for_function(READY)
    assert (robot.text(".turn h2"), kept(robot)["record"]) == (question, record)
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
    assert robot.text(".turn h2") == question


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
    before = kept(robot)["record"]
    page.route("**/v1/**", lambda route: route.abort())
    page.evaluate(f"() => void {TABLE}.play({TABLE}.choices[0].move)")
    page.wait_for_selector(".bar.quiet")
    assert "The game waits" in robot.text(".bar")
    assert kept(robot)["record"] == before
    page.unroute("**/v1/**")
    page.evaluate("() => dispatchEvent(new Event('online'))")
    page.wait_for_function(f"() => {TABLE}.table.ply > {len(before['moves'])} && ({READY})()")
    assert page.locator(".bar.quiet").count() == 0


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
LISTED = ".turn .list .chips button"
CHOICES = f"() => {TABLE}.choices.map(({{ text, targets }}) => ({{ text, targets }}))"
LABELS = f"(target) => [{TABLE}.board.containerOf(target), {TABLE}.labelOf(target)]"
MANY_PARTS = {"palazzo": "buy", "carrara": "build", "fifth-avenue": "bid"}
"""Moves that consist of several parts."""


def test_a_game_can_be_played_with_the_keyboard_alone(visit: Opener) -> None:
    """With the list of pieces and places and with the sentences; the focus is never lost."""
    robot, random = visit("/play/campanile", reader=KeyboardRobot, touch=False), Random(7)
    page = robot.page
    robot.press(page.get_by_role("button", name="Begin"))
    page.wait_for_function(READY)
    sat_at(robot, [*random_game("campanile")][-20])
    robot.press(page.locator(".turn summary"))
    pressed = Counter[str]()
    while not is_over(robot):
        kind = "piece" if page.locator(LISTED).count() and not page.locator(".ways button").count() else "sentence"
        if kind == "sentence" and not pressed["piece"] and page.locator(LISTED).count():
            kind = "piece"
        offered = page.locator(LISTED if kind == "piece" else ".ways button")
        robot.press(offered.nth(random.randrange(min(offered.count(), 3))))
        page.wait_for_function(READY)
        page.wait_for_function(FOCUSED)
        pressed[kind] += 1
    assert min(pressed.values()) > 0
    assert "campanile" in page.url
    assert page.evaluate("() => document.activeElement.closest('.winner') !== null")
    replay = Record.from_document(kept(robot)["record"]).replay()
    assert replay.result


@pytest.mark.parametrize("game", MANY_PARTS)
def test_a_move_of_many_parts_can_be_assembled_with_the_keyboard(visit: Opener, game: str) -> None:
    position = next(one for one in random_game(game) if most_parts(one, MANY_PARTS[game]) >= 4)
    robot = visit(f"/play/{game}", reader=KeyboardRobot, touch=False)
    page = sat_at(robot, position)
    robot.press(page.locator(".turn summary"))
    choice = max(page.evaluate(CHOICES), key=lambda one: len(one["targets"]))
    assert len(choice["targets"]) >= 4
    for target in choice["targets"]:
        place, name = page.evaluate(LABELS, target)
        listed = page.locator(".turn .list")
        group = listed.get_by_role("group", name=place, exact=True) if place else listed
        robot.press(group.get_by_role("button", name=name, exact=True).first)
        assert page.evaluate("() => document.activeElement.closest('.turn') !== null"), target
    assert page.evaluate(f"() => {TABLE}.chosen.length") == len(choice["targets"])
    robot.press(page.locator(".ways").get_by_role("button", name=as_printed(choice["text"]), exact=True))
    page.wait_for_function(READY)
    assert kept(robot)["record"]["moves"][position.ply]["type"] == MANY_PARTS[game]
    page.wait_for_function("() => document.activeElement.id === 'turn'")


def most_parts(position: Position, kind: str) -> int:
    """The maximum number of parts of a legal move of that type."""
    moves = [as_document(move) for move in position.legal_moves]
    parts = [
        sum(len(part) if isinstance(part, list) else name not in ("type", "seat") for name, part in move.items())
        for move in moves
        if move["type"] == kind
    ]
    return max(parts, default=0)


def test_every_member_of_a_move_can_be_tapped_or_is_in_its_sentence(visit: Opener) -> None:
    """What the page knows about the games agrees with the schemas of their moves."""
    robot = visit("/play/palazzo")
    targets = robot.page.evaluate(f"async () => (await import(`${{{TABLE}.files}}/play/targets.js`)).TARGETS")
    in_words = {("campanile", "play-card", "floors"), ("fifth-avenue", "build", "buildings")}
    assert set(targets) == set(all_games())
    for game, patterns in targets.items():
        moves = json.loads((SCHEMAS / game / "move.json").read_text("utf-8"))["$defs"]
        ours = {
            type: set(move["properties"]) - {"type", "seat"}
            for type, move in moves.items()
            if "seat" in move["properties"]
        }
        assert set(patterns) <= set(ours)
        for type, members in ours.items():
            slots = {member for pattern in patterns.get(type, []) for member in re.findall(r"\{(\w+)\}", pattern)} - {
                "seat"
            }
            assert slots | {member for one, kind, member in in_words if (one, kind) == (game, type)} == members, (
                game,
                type,
            )


SURROUNDINGS = {"en": (320, False), "it": (390, True), "es": (1280, False), "de": (320, True)}
"""A width and whether it is dark, for each language."""


@pytest.mark.parametrize(("language", "game"), [*zip(SURROUNDINGS, pages.pads(), strict=True)])
def test_every_state_is_accessible(visit: Opener, axe: str, language: str, game: str) -> None:
    """A phone, a narrow one and a wide screen, light and dark, letters twice as large, forced colours."""
    width, dark = SURROUNDINGS[language]
    robot = visit(f"/play/{game}", language=language, dark=dark, width=width)
    page = robot.page
    found = dict[str, list[str]]()
    for state in states(robot, game):
        found[state] = [*robot.complaints(axe), *robot.too_small(), *robot.cut_off()]
        for size in ("200%", ""):
            page.evaluate("(size) => document.documentElement.style.fontSize = size", size)
            found[state] += [f"{size}: {over} pixels too wide" for over in [robot.sideways()] if over > 0]
    assert {state: complaints for state, complaints in found.items() if complaints} == {}
    assert len(found) == 7


def states(robot: Robot, game: str) -> Iterator[str]:
    """Every state of a table, one after the other."""
    page = robot.page
    yield "who plays"
    page.locator(".setup input[type=text]").first.press("Enter")
    page.wait_for_function(READY)
    yield "the device is handed over, or a first decision"
    position = next(one for one in random_game(game) if most_parts(one, MANY_PARTS.get(game, "play-card")) >= 2)
    sat_at(robot, position)
    yield "a decision"
    page.locator(".turn .list summary").click()
    page.locator(".drawn summary").click()
    page.locator(".drawn li").first.wait_for()
    page.emulate_media(forced_colors="active")
    offered = page.evaluate(STROKES, "next")
    page.locator(LISTED).first.click()
    page.locator("game-board [data-state=chosen]").first.wait_for()
    assert page.evaluate(STROKES, "chosen") > offered > 2
    page.emulate_media(forced_colors="none")
    yield "something is chosen"
    page.evaluate(f"async () => {{ const it = {TABLE}; await it.explain([it.board.spots.find({REFUSED})]); }}")
    page.locator(".turn .news").wait_for()
    yield "why not"
    page.locator("header .icon[aria-haspopup]").click()
    page.locator("dialog .menu").wait_for()
    yield "menu"
    robot.close_dialog()
    *_, last = random_game(game)
    sat_at(robot, last)
    page.locator(".result .winner").wait_for()
    yield "the end"


STROKES = """(state) => {
  const root = document.querySelector("game-board").shadowRoot;
  const outlines = [...root.querySelectorAll(`[data-state=${state}] > .choice.over`)];
  return Math.min(...outlines.map((one) => parseFloat(getComputedStyle(one).strokeWidth)));
}"""
"""The thinnest outline among the elements in that state."""
REFUSED = "({ title, element }) => title && !element.dataset.state"
"""Elements without an outline."""


MAXIMUM_BYTES = 88_000
"""Of the page with all that it loads before the first move; its document has another 2 kB."""


def test_the_first_paint_is_small() -> None:
    for language in pages.LANGUAGES:
        needed = imported("play.js") | {
            "style.css",
            "play.css",
            "play/setup.css",
            f"words/{language}.json",
            f"words/play.{language}.json",
        }
        for game in pages.pads():
            named = needed | {f"words/{game}.{language}.json"}
            assert sum(len(pages.files()[path].compressed) for path in named) < MAXIMUM_BYTES, (game, language)
