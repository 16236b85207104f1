// The page to play on: the service referees and draws, this page shows the game and asks for moves. play/table.js keeps
// the game, play/choice.js assembles moves, play/targets.js knows where their parts are in the picture.

import { download, ruleLink } from "./dialogs.js";
import { focusHeading, h, holdingFocus, moveInGroup, patch, updateTabStops } from "./dom.js";
import { icon, mark } from "./icons.js";
import { players } from "./parts.js";
import { byNumber, choicesOf, choicesToSay, choicesWith, chosenWith, chosenWithout, count, nextTargets, possibleTargets } from "./play/choice.js";
import { setup } from "./play/setup.js";
import { log } from "./play/log.js";
import { CancelledError, LocalTable, OutdatedError, isServicePlayer, newSteps } from "./play/table.js";
import { POINTS_ON_TABLE, composedMove, isAt } from "./play/targets.js";
import { inWords, outline, proportion, withoutOrigin } from "./picture.js";
import { NOTATION, exchange } from "./service.js";
import { header, openMenu, startLink } from "./shell.js";
import * as store from "./store.js";
import { capitalized, keepLanguage, language, loadWords, sentence, t, tokenName } from "./words.js";
import "./play/board.js";

/** @typedef {import("./play/table.js").Table} Table */
/** @typedef {import("./play/table.js").Seen} Seen */
/** @typedef {import("./play/table.js").Viewer} Viewer */
/** @typedef {import("./play/targets.js").Move} Move */
/** @typedef {import("./play/choice.js").Choice} Choice */
/** @typedef {{move: string, why: string, rule: string}} Try a move as a sentence, and why it is not legal */
/** @typedef {{text: string, rule?: string, tries?: Try[], also?: {move: Move, text: string}}} News what a tap came to: why it is not legal, or a move that is */

/** At most so many moves are all offered as sentences. */
const FEW = 6;
/** How many of the last moves are told beside the next decision; the log has all. */
const LATEST = 3;
/** The wide picture is drawn for 1200 pixels: much smaller, it is illegible. */
const WIDE = "(min-width: 80em)";
const MOST_SECONDS = 30;
const BUSY_AFTER = 400;

class GameTable extends HTMLElement {
  game = "";
  files = "";
  /** @type {Table | undefined} */
  table;
  /** @type {import("./play/setup.js").Setup | undefined} who is to play, before there is a table */
  setup;
  /** Who looks at the screen. @type {Viewer} */
  viewer = null;
  /** @type {Seen | undefined} */
  seen;
  /**
   * The position that is shown. The table may be ahead of it: then what is on the screen belongs together, until all that
   * shows the new position is there.
   * @type {{decision: import("./play/table.js").Decision, derived: any} | undefined}
   */
  shown;
  svg = "";
  /** @type {Choice[]} */
  choices = [];
  /** @type {string[]} targets, in the order in which they were tapped */
  chosen = [];
  /** @type {string | undefined} */
  pointed;
  /** @type {News | undefined} */
  news;
  /** The move that is chosen, judged; only where not all legal moves are listed. @type {{move: Move, verdict: import("./play/table.js").Verdict} | undefined} */
  judged;
  /** How many requests are under way; meanwhile no move is accepted. */
  working = 0;
  /** Whether they take long. */
  slow = false;
  unreachable = false;
  retryNow = () => {};
  failed = "";
  /** Increases whenever something else is opened: what was begun before is dropped. */
  epoch = 0;
  showsList = false;
  showsWords = false;
  showsLog = false;
  /** The view of a finished game. @type {((table: Table) => import("./dom.js").Content) | undefined} */
  ending;
  /** @type {typeof import("./play/end.js").markBilled | undefined} */
  markBilled;

  /** The saved games, once there are any. @type {typeof import("./play/saved.js") | undefined} */
  saved;
  /** For players far apart; loaded when needed. @type {import("./play/distance-view.js").DistanceView | undefined} */
  distance;

  async connectedCallback() {
    if (keepLanguage(store.setting)) return;
    this.game = this.getAttribute("game") ?? "";
    this.files = this.getAttribute("files") ?? "";
    this.showsList = store.setting("play.listed") === "yes";
    this.showsWords = store.setting("play.worded") === "yes";
    document.addEventListener("keydown", (event) => {
      moveInGroup(event);
      if (event.key === "Escape" && this.chosen.length && !document.querySelector("dialog[open]")) this.choose([]);
    });
    matchMedia(WIDE).addEventListener("change", () => this.table && void this.showTo(this.viewer));
    addEventListener("hashchange", () => void this.route());
    addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
    addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void this.receive(file.text());
    });
    await loadWords(this.files, "play", this.game);
    await this.route();
  }

  /** Opens what the address names: a game in a link, or a saved one. */
  async route() {
    const [packed, position] = location.hash.slice(1).split(".");
    if (packed) {
      const { isForTable } = await import("./link.js");
      return isForTable(packed) ? this.receive(packed) : this.continueFrom(packed, Number(position));
    }
    const linked = new URL(location.href).searchParams.get("table") ?? "";
    const distant = store.distanceGames.of(linked);
    if (distant?.invitation.game === this.game) return this.guarded(async () => (await this.loadDistance()).openGame(distant));
    const kept = store.plays.of(linked);
    if (kept?.record.game === this.game) return this.openTable(new LocalTable(kept, this.ask));
    this.newGame();
  }

  /**
   * Continues a recorded game.
   * @param {string} packed
   * @param {number} position
   */
  async continueFrom(packed, position) {
    history.replaceState(null, "", `${location.pathname}${location.search}`);
    try {
      const { unpackedRecord } = await import("./link.js");
      const written = await this.ask(`/v1/games/${this.game}/records`, await unpackedRecord(packed), { sends: NOTATION });
      const record = { ...written, moves: written.moves.slice(0, position >= 0 ? position : undefined) };
      const names = Array.from({ length: record.players }, (_, seat) => record.names?.[seat] ?? t("player.number", { number: seat + 1 }));
      await this.openTable(LocalTable.fromRecord({ ...record, names }, names.map(() => "person"), store.unique(), this.ask));
    } catch (reason) {
      if (reason instanceof CancelledError) return;
      this.newGame();
      this.failed = t("link.bad");
      this.show();
    }
  }

  /**
   * A sealed table, an invitation or an opened game that somebody has sent.
   * @param {string | Promise<string>} sent
   */
  async receive(sent) {
    history.replaceState(null, "", `${location.pathname}${location.search}`);
    const distance = await this.loadDistance();
    if (!this.table && !distance.pending) this.newGame();
    await distance.receive(sent);
  }

  /** Fetches what players far apart need. */
  async loadDistance() {
    if (!this.distance) {
      const [{ DistanceView }] = await this.retrying(() => Promise.all([import("./play/distance-view.js"), loadWords(this.files, "play", "distance", this.game)]).catch(() => undefined));
      this.distance ??= new DistanceView(this);
    }
    return this.distance;
  }

  /** Shows the form of a new game. */
  newGame() {
    this.epoch++;
    if (this.distance) this.distance.pending = undefined;
    this.table = undefined;
    this.failed = "";
    const address = new URL(location.href);
    address.searchParams.delete("table");
    history.replaceState(null, "", address);
    const [fewest, most] = (this.getAttribute("players") ?? "2-4").split("-").map(Number);
    this.setup = setup(this, { fewest, most, options: JSON.parse(this.getAttribute("options") ?? "[]") });
    this.show();
    const isKept = [...store.plays.all().map(({ record }) => record), ...store.distanceGames.all().map(({ invitation }) => invitation)].some(({ game }) => game === this.game);
    if (isKept) void this.guarded(async () => this.setState({ saved: await this.retrying(() => import("./play/saved.js").catch(() => undefined)) }));
  }

  /** @param {import("./play/setup.js").Settings} settings */
  begin = async (settings) => {
    await this.guarded(async () => this.openTable(await LocalTable.start({ game: this.game, ...settings }, this.ask)));
    this.focusTurn();
  };

  /** @type {import("./play/setup.js").Page["invite"]} */
  invite = (wanted, seat) => void this.loadDistance().then((distance) => distance.invite(wanted, seat));

  wantDistance = () => void this.guarded(async () => void (await this.loadDistance()));

  /** @param {Table} table */
  async openTable(table) {
    this.epoch++;
    this.table = table;
    this.setup = undefined;
    this.seen = undefined;
    this.shown = undefined;
    this.failed = "";
    this.showsLog = false;
    const address = new URL(location.href);
    address.searchParams.set("table", table.id);
    history.replaceState(null, "", address);
    this.show();
    await this.guarded(async () => {
      await table.open();
      if (table instanceof LocalTable) table.keep();
      await this.advance();
    });
  }

  // --- the service ---------------------------------------------------------------------------------------------------

  /**
   * What the service answers; retries while it cannot be reached.
   * @type {import("./play/table.js").Ask}
   */
  ask = async (path, body, types = {}) => {
    const { status, value } = await this.retrying(async () => {
      const reply = await exchange(path, types.sends ? String(body) : JSON.stringify(body), types);
      return reply.reached ? reply : undefined;
    });
    if (status === 200) return value;
    throw new Error(String(value?.errors?.[0]?.message ?? value?.detail ?? status));
  };

  /**
   * Tries again after 1, 2, 4 … 30 seconds, and when the browser is online again, until the service answers.
   * @template Answer
   * @param {() => Promise<Answer | undefined>} act undefined if unreachable
   */
  async retrying(act) {
    const { epoch } = this;
    for (let pause = 1; ; pause = Math.min(2 * pause, MOST_SECONDS)) {
      const answer = await act();
      if (epoch !== this.epoch) throw new CancelledError();
      if (answer !== undefined) {
        if (this.unreachable) this.setState({ unreachable: false });
        return answer;
      }
      this.setState({ unreachable: true });
      await new Promise((resolve) => (this.retryNow = until(pause, resolve)));
    }
  }

  /**
   * Does something that needs the service; meanwhile no move is accepted.
   * @param {() => Promise<void>} act
   */
  async guarded(act) {
    this.working++;
    this.failed = "";
    const slow = setTimeout(() => this.setState({ slow: true }), BUSY_AFTER);
    try {
      await act();
    } catch (reason) {
      if (reason instanceof OutdatedError) await this.catchUp();
      else if (!(reason instanceof CancelledError)) this.setState({ failed: t("play.failed", { reason: sentence(reason instanceof Error ? reason.message : String(reason)) }) });
    } finally {
      clearTimeout(slow);
      this.setState({ working: this.working - 1, slow: false });
    }
  }

  /** Shows the game as another window has left it. */
  async catchUp() {
    const id = this.table?.id ?? this.distance?.pending?.id ?? "";
    const distant = store.distanceGames.of(id);
    if (distant) return (await this.loadDistance()).catchUp(distant);
    const kept = store.plays.of(id);
    if (kept) await this.openTable(new LocalTable(kept, this.ask));
    this.setState({ news: { text: t("play.gone-on") } });
  }

  /** @param {Partial<GameTable>} what */
  setState(what) {
    Object.assign(this, what);
    this.show();
  }

  // --- the course of the game ----------------------------------------------------------------------------------------

  get people() {
    return (this.table?.kinds ?? []).flatMap((kind, seat) => (kind === "person" ? [seat] : []));
  }

  /** Whether the device has to be passed on before the game is shown. */
  get needsHandOver() {
    return !this.waitingTable && this.shown?.decision.actor === "seat" && !this.thinking(this.shown.decision) && this.viewer !== this.shown.decision.seat;
  }

  /** The name of the player of the service who decides; "" if it is a person, or chance. @param {import("./play/table.js").Decision} [decision] */
  thinking(decision = this.table?.decision) {
    const seat = decision?.actor === "seat" ? decision.seat : undefined;
    return seat !== undefined && this.table && isServicePlayer(this.table.kinds[seat]) ? this.table.names[seat] : "";
  }

  /** The table, if it waits for anything but a move at this screen. */
  get waitingTable() {
    const { table } = this;
    return table?.isWaiting ? /** @type {import("./play/distance.js").SealedTable} */ (table) : undefined;
  }

  /**
   * Plays for computer players until a person decides or the game is over.
   * @param {Viewer} viewer who has the device
   */
  async advance(viewer = this.viewer) {
    const table = /** @type {Table} */ (this.table);
    while (this.thinking()) await table.play(await table.suggestion());
    const { actor, seat } = table.decision;
    if (table.seat !== undefined && !table.result) return this.showTo(table.seat);
    if (actor === "none") {
      const [{ default: pad }, { ending, markBilled }] = await this.retrying(() => Promise.all([import(`./games/${this.game}.js`), import("./play/end.js")]).catch(() => undefined));
      this.ending = (/** @type {Table} */ over) => ending(pad, over);
      this.markBilled = markBilled;
      return this.showTo(undefined);
    }
    const alone = this.people.length < 2 || !table.hasHidden || viewer === seat;
    await this.showTo(alone ? seat : null);
  }

  /**
   * Shows the game to somebody.
   * @param {Viewer} viewer
   */
  async showTo(viewer) {
    const table = /** @type {Table} */ (this.table);
    const { epoch } = this;
    const seen = await table.seenBy(viewer);
    const svg = withoutOrigin(await table.picture(viewer, matchMedia(WIDE).matches ? "wide" : "narrow"));
    if (epoch !== this.epoch) return;
    Object.assign(this, { viewer, seen, shown: { decision: table.decision, derived: table.derived }, svg, choices: [], chosen: [], pointed: undefined, news: undefined, judged: undefined });
    this.show();
    this.choices = choicesOf(this.game, seen, (target) => this.board?.has(target) ?? false);
    this.show();
  }

  /** @param {Move} move */
  async play(move) {
    if (this.working) return;
    this.distance?.clearNews();
    await this.guarded(async () => {
      await this.table?.play(move);
      await this.advance();
    });
    this.focusTurn();
  }

  /** @param {number} ply */
  async goTo(ply) {
    this.epoch++;
    await this.guarded(async () => {
      await this.table?.goTo?.(ply);
      await this.advance(null);
    });
    this.focusTurn();
  }

  /** The last position at which a person decided; undefined if there is none. */
  get undoable() {
    const { table, seen } = this;
    return table?.goTo ? seen?.steps.findLast(({ seat }) => seat !== null && table.kinds[seat] === "person")?.from : undefined;
  }

  /** Focuses the next question, or the winner, unless the focus is elsewhere. */
  focusTurn() {
    const title = /** @type {HTMLElement | null} */ (this.querySelector("#turn, .winner h1"));
    if (document.activeElement !== document.body && !this.querySelector(".turn")?.contains(document.activeElement)) return;
    focusHeading(title);
  }

  // --- choosing a move -----------------------------------------------------------------------------------------------

  /** @type {import("./play/board.js").GameBoard | null} */
  get board() {
    return this.querySelector("game-board");
  }

  /** @param {string[]} chosen */
  choose(chosen) {
    holdingFocus(this, () => this.setState({ chosen, news: undefined, judged: undefined }), ".list[open] button, .ways button, #turn");
    if (this.seen && !this.seen.complete) void this.judge();
  }

  /** Chooses a target, besides what is chosen and goes with it. @param {string} target */
  chooseAlso(target) {
    this.choose(this.seen?.complete ? chosenWith(this.choices, this.chosen, target) : [...this.chosen, target]);
  }

  /** What can be tapped next. @param {readonly Choice[]} left */
  nextOf(left) {
    return this.seen?.complete === false ? possibleTargets(this.game, this.seen.moves, this.board?.spots ?? [], this.chosen) : nextTargets(left, this.chosen);
  }

  /** @param {import("./play/board.js").DrawnSpot[]} spots what was tapped in the picture, and what it lies in */
  tapped(spots) {
    if (this.working || !this.seen || this.needsHandOver || this.waitingTable || !this.choices.length) return;
    const next = this.nextOf(choicesWith(this.choices, this.chosen));
    const all = new Set(this.choices.flatMap(({ targets }) => targets));
    for (const spot of spots) {
      const target = [...this.chosen, ...next, ...all].find((one) => isAt(spot, one));
      if (!target) continue;
      const alike = this.board?.spots.filter((one) => isAt(one, target)) ?? [];
      const isChosen = alike.indexOf(spot) < count(this.chosen, target);
      const again = alike.length <= count(this.chosen, target) && next.has(target);
      if (isChosen && !again) return this.choose(chosenWithout(this.chosen, target));
      return this.chooseAlso(target);
    }
    void this.explain(spots);
  }

  /** Where not all legal moves are listed: whether what is chosen is one. */
  async judge() {
    const { table, seen, chosen } = this;
    const move = seen && chosen.length && composedMove(this.game, seen.moves, chosen);
    if (!table || !move) return;
    const verdict = await table.verdict(move).catch(() => undefined);
    if (verdict && chosen === this.chosen) this.setState({ judged: { move, verdict } });
  }

  /** @param {import("./play/board.js").DrawnSpot[]} spots */
  async explain(spots) {
    const { table, seen, choices, chosen, epoch } = this;
    if (!table || !seen) return;
    await this.guarded(async () => {
      const { explanation } = await this.retrying(() => import("./play/explain.js").catch(() => undefined));
      const news = await explanation({ table, seen, choices, chosen }, spots, (spot) => this.nameOf(spot));
      if (epoch === this.epoch) this.setState({ news });
    });
  }

  // --- export --------------------------------------------------------------------------------------------------------

  /** Its module is loaded only when needed. @param {"copyLink" | "openInViewer" | "saveNotation"} how */
  async exportGame(how) {
    const exports = await import("./play/export.js").catch(() => undefined);
    if (exports) await exports[how](this);
    else this.setState({ news: { text: t("play.no-link") } });
  }

  menu() {
    const { table, seen } = this;
    openMenu([
      table && { text: t("play.new"), act: () => this.newGame() },
      table && this.undoable !== undefined && { text: t("undo"), act: () => void this.goTo(Number(this.undoable)) },
      table?.isWhole && { text: t("play.view"), act: () => void this.exportGame("openInViewer") },
      table?.isWhole && { text: t("play.link"), act: () => void this.exportGame("copyLink") },
      seen && table && { text: t("play.save-notation"), act: () => void this.exportGame("saveNotation") },
      seen && table && { text: t("play.save-json"), act: () => download(`${this.game}.json`, "application/json", `${JSON.stringify(table.record(), null, 1)}\n`) },
      table?.seat !== undefined && { text: t("distance.sent"), act: () => this.distance?.openInbox() },
      typeof table?.seat === "number" && { text: t("distance.secret-file"), act: () => this.distance?.openTransfer(/** @type {import("./play/distance.js").SealedTable} */ (table).saved) },
      { text: t("book.title"), href: `/book?lang=${language}` },
      { text: t("start.rules"), href: `/rules/${this.game}?lang=${language}` },
    ]);
  }

  // --- views ---------------------------------------------------------------------------------------------------------

  /** @type {"invitation" | "setup" | "table" | undefined} */
  screen;

  show() {
    const { screen } = this;
    this.screen = this.distance?.pending ? "invitation" : this.setup ? "setup" : "table";
    const title = t(`${this.game}.title`);
    const isAwaited = typeof this.table?.seat === "number" && !this.table.isWaiting;
    document.title = `${isAwaited ? `${capitalized(t("play.kept.turn"))} · ` : ""}${title} · ${t("start.play")} · capomastro`;
    const undo = this.undoable !== undefined && h("button", { type: "button", key: "undo", class: "icon", "aria-label": t("undo"), on: { click: () => void this.goTo(Number(this.undoable)) } }, icon("undo"));
    const update = () => {
      patch(this, [header({ back: startLink(), title, tools: undo, menu: () => this.menu() }), this.bar(), this.distance?.pending ? this.distance.invitation(this.distance.pending) : this.setup ? this.setup.view() : this.body()]);
      updateTabStops(this);
    };
    if (this.setup && !this.distance?.pending) holdingFocus(this, update);
    else update();
    if (screen && screen !== this.screen && this.screen !== "table") focusHeading(this.querySelector(".setup h2"));
    const { board } = this;
    if (!board) return;
    board.show(this.svg);
    board.onTap = (spots) => this.tapped(spots);
    this.highlight();
  }

  highlight() {
    const left = this.needsHandOver || this.waitingTable ? [] : choicesWith(this.choices, this.chosen);
    this.board?.highlight(left.length || this.seen?.complete === false ? this.nextOf(left) : new Set(), this.chosen, this.pointed);
  }

  bar() {
    const wrong = this.unreachable || this.setup ? "" : this.failed;
    const says = this.unreachable ? t("play.gone") : wrong || (store.isPersistent() ? "" : t("kept.not"));
    return h("div", { role: "status", key: "bar", class: says ? (wrong ? "bar wrong" : "bar quiet") : "" }, says && h("div", { class: "wrap" }, icon(this.unreachable ? "cut" : "warn"), h("p", {}, says), this.unreachable && h("button", { type: "button", class: "link", on: { click: () => this.retryNow() } }, t("play.again"))));
  }

  body() {
    const { table, seen, shown } = this;
    if (!table || !seen || !shown) {
      return h("main", { class: "wrap playing", key: "waiting" }, h("p", { role: "status" }, this.slow ? this.busyText() : ""), table && this.failed && h("p", {}, h("button", { type: "button", class: "button main", on: { click: () => void this.openTable(table).then(() => this.focusTurn()) } }, t("play.again"))));
    }
    const waiting = this.waitingTable;
    const isOver = shown.decision.actor === "none" && (!waiting || !!table.result);
    return h(
      "main",
      { class: "wrap playing", key: "playing" },
      this.distance?.notice(),
      isOver && [this.ending?.(table), this.finishedActions()],
      !isOver && this.standing(table, seen, shown.derived),
      h("div", { class: "halves", key: "halves" }, this.picture(), waiting ? this.distance?.aside(waiting) : isOver ? null : this.needsHandOver ? this.handOver(table, seen, shown.decision) : this.deciding(table, seen, shown.decision), log({ seen: (isOver && this.markBilled?.(seen, table.result)) || seen, names: table.names, game: this.game, isWhole: this.showsLog, showAll: () => this.setState({ showsLog: true }), later: table.later.at(-1), goTo: table.goTo ? (ply) => void this.goTo(ply) : undefined })),
    );
  }

  /** What takes so long. */
  busyText() {
    const name = this.thinking();
    return name ? t("play.thinking", { name }) : t("checking");
  }

  /** The picture, also in words. */
  picture() {
    const ratio = proportion(this.svg).toFixed(4);
    const toggle = (/** @type {any} */ event) => {
      store.setting("play.worded", event.target.open ? "yes" : "no");
      if (this.showsWords !== event.target.open) this.setState({ showsWords: event.target.open });
    };
    return h(
      "div",
      { class: "drawn", key: "drawn", style: { "--ratio": ratio } },
      h("div", { class: "frame", style: { "aspect-ratio": `1 / ${ratio}` } }, h("game-board", {})),
      h("details", { class: "in-words", open: this.showsWords, on: { toggle } }, h("summary", {}, t("play.words")), this.showsWords && this.svg && outline({ ...inWords(this.svg), title: "" })),
    );
  }

  /**
   * @param {Table} table
   * @param {Seen} seen
   * @param {any} derived
   */
  standing(table, seen, derived) {
    const onTable = POINTS_ON_TABLE[this.game]?.(derived) ?? [];
    const totals = table.names.map((_, seat) => seen.steps.flatMap(({ events }) => events).reduce((sum, event) => sum + (event.seat === seat ? Number(event.points ?? 0) : 0), onTable[seat] ?? 0));
    return players({ names: table.names, totals, stale: false }, { chosen: undefined, wrong: new Set(), typed: () => true });
  }

  finishedActions() {
    return h(
      "p",
      { class: "repairs no-print", key: "parting" },
      h("button", { type: "button", class: "button main", on: { click: () => void this.exportGame("openInViewer") } }, t("play.view")),
      h("button", { type: "button", class: "button", on: { click: () => void this.exportGame("copyLink") } }, t("play.link")),
      h("button", { type: "button", class: "button", on: { click: () => this.newGame() } }, t("play.new")),
      h("span", { class: "small", role: "status" }, this.news?.text ?? ""),
    );
  }

  /**
   * Until the next player has the device, only what everybody knows is shown.
   * @param {Table} table
   * @param {Seen} seen
   * @param {import("./play/table.js").Decision} decision
   */
  handOver(table, seen, decision) {
    const seat = Number(decision.seat);
    const name = table.names[seat];
    return h(
      "section",
      { class: "turn", key: "hand-over", "aria-labelledby": "turn" },
      h("h2", { id: "turn", tabindex: -1 }, mark(seat), t("play.hand-over", { name })),
      this.latest(seen),
      h("div", { role: "status", class: this.news ? "news" : "" }, this.news?.text),
      h("p", {}, t("play.hand-over.text")),
      h("div", { class: "ways" }, h("button", { type: "button", class: "button main", on: { click: () => void this.guarded(() => this.showTo(seat)).then(() => this.focusTurn()) } }, t("play.here", { name }))),
    );
  }

  /** @param {Seen} seen */
  latest(seen) {
    const events = newSteps(seen.steps, this.viewer).slice(-LATEST).flatMap((step) => step.events);
    return events.length > 0 && h("p", { class: "latest" }, events.map((event) => sentence(event.text)).join(" "));
  }

  /**
   * The decision, what is chosen so far, and the moves offered as sentences.
   * @param {Table} table
   * @param {Seen} seen
   * @param {import("./play/table.js").Decision} decision
   */
  deciding(table, seen, decision) {
    const { chosen, news } = this;
    const seat = Number(decision.seat);
    const left = choicesWith(this.choices, chosen);
    const shown = seen.complete ? choicesToSay(left, chosen, FEW) : this.choices.filter(({ targets }) => !targets.length);
    const next = [...this.nextOf(left)];
    const refusal = this.judged?.verdict.refusal;
    const act = (/** @type {Move} */ move, /** @type {string} */ text, /** @type {boolean} */ isOnly) => h("button", { type: "button", key: JSON.stringify(move), class: isOnly ? "button main" : "button", on: { click: () => void this.play(move) } }, text);
    return h(
      "section",
      { class: "turn", key: "turn", "aria-labelledby": "turn", "aria-busy": this.slow },
      h("h2", { id: "turn", tabindex: -1 }, mark(seat), t("play.decides", { name: table.names[seat], decision: t(`decision.${decision.kind}`) })),
      chosen.length === 0 && this.latest(seen),
      h(
        "div",
        { role: "status", class: news ? "news" : "hint" },
        h("p", {}, this.slow ? this.busyText() : (news?.text ?? this.hint(left, shown, next)), news?.rule && [" ", ruleLink(this.game, news.rule, t("rule"))]),
        !news && refusal && h("p", {}, sentence(refusal.message), " ", ruleLink(this.game, refusal.rule, t("rule"))),
        news?.tries && h("ul", {}, news.tries.map(({ move, why, rule }) => h("li", {}, h("b", {}, move), " ", why, " ", ruleLink(this.game, rule, t("rule"))))),
      ),
      chosen.length > 0 &&
        h(
          "div",
          { class: "chips", role: "group", "aria-label": t("play.chosen"), "data-group": "" },
          chosen.map((target, at) => h("button", { type: "button", key: `${target} ${at}`, "aria-label": t("play.without", { what: this.labelOf(target) }), on: { click: () => this.choose(chosen.filter((_, index) => index !== at)) } }, this.labelOf(target), icon("close"))),
        ),
      h("div", { class: "ways moves" }, news?.also && act(news.also.move, news.also.text, true), byNumber(shown).map((group) => (group.label ? this.numbers(group) : act(group.choices[0].move, sentence(group.choices[0].text), shown.length === 1 && (chosen.length > 0 || !next.length) && seen.complete))), !seen.complete && this.chosenMove()),
      next.length > 0 && this.list(next),
    );
  }

  /** The move that is chosen, to be played; or, as long as it is not legal, why not. */
  chosenMove() {
    const { judged } = this;
    if (judged?.verdict.legal) return h("button", { type: "button", key: "chosen", class: "button main", on: { click: () => void this.play(judged.move) } }, sentence(judged.verdict.text ?? ""));
    return h("button", { type: "button", key: "chosen", class: "button", "aria-disabled": "true", on: { click: () => judged ?? this.setState({ news: { text: t("play.incomplete") } }) } }, t("play.judge"));
  }

  /** Moves that differ in a number: a sentence, and below it the numbers. @param {import("./play/choice.js").Group} group */
  numbers({ label, choices, numbers }) {
    const heading = sentence(label);
    return h(
      "div",
      { key: heading, role: "group", "aria-label": heading },
      h("p", { "aria-hidden": "true" }, heading),
      h("div", { class: "row" }, choices.map(({ move, text }, at) => h("button", { type: "button", key: JSON.stringify(move), class: "button", "aria-label": sentence(text), on: { click: () => void this.play(move) } }, numbers[at]))),
    );
  }

  /**
   * @param {readonly Choice[]} left
   * @param {readonly Choice[]} shown
   * @param {string[]} next
   */
  hint(left, shown, next) {
    if (!this.seen?.complete) return t("play.incomplete");
    if (!next.length) return this.chosen.length || shown.length > 1 ? t("play.say") : "";
    return this.chosen.length ? t("play.more", { ways: left.length }) : t("play.tap");
  }

  /** What can be tapped in the picture, as buttons. @param {string[]} next */
  list(next) {
    const groups = new Map();
    for (const target of next) {
      const within = this.board?.containerOf(target) ?? "";
      groups.set(within, [...(groups.get(within) ?? []), target]);
    }
    const point = (/** @type {string | undefined} */ pointed) => {
      this.pointed = pointed;
      this.highlight();
    };
    return h(
      "details",
      { class: "list", key: "list", open: this.showsList, on: { toggle: (/** @type {any} */ event) => store.setting("play.listed", (this.showsList = event.target.open) ? "yes" : "no") } },
      h("summary", {}, t("play.list", { number: next.length })),
      [...groups].map(([within, targets]) =>
        h(
          "div",
          { key: within },
          within && h("p", { class: "label" }, within),
          h("div", { class: "chips", role: "group", "aria-label": within || t("play.list", { number: targets.length }), "data-group": "" }, targets.map((/** @type {string} */ target) => h("button", { type: "button", key: target, on: { click: () => this.chooseAlso(target), focus: () => point(target), blur: () => point(undefined), pointerenter: () => point(target), pointerleave: () => point(undefined) } }, this.labelOf(target)))),
        ),
      ),
    );
  }

  /** @param {string} target */
  labelOf(target) {
    const spot = this.board?.spots.find((one) => isAt(one, target));
    return spot ? this.nameOf(spot) : target;
  }

  /** The name of a spot; for a card in a hand without who knows it, which its title says. @param {import("./play/board.js").DrawnSpot} spot */
  nameOf({ place, token, title }) {
    const name = token && place.endsWith("/hand") && tokenName(this.game, token);
    if (!name) return title;
    const at = title.lastIndexOf(name);
    return at < 0 ? capitalized(name) : title.slice(0, at + name.length);
  }
}

/**
 * Acts after some seconds, but no later than when the browser is online again.
 * @param {number} seconds
 * @param {(now?: any) => void} act
 * @returns {() => void} acts at once
 */
function until(seconds, act) {
  setTimeout(act, 1000 * seconds);
  addEventListener("online", act, { once: true });
  return act;
}

customElements.define("game-table", GameTable);
