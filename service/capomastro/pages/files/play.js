// The page to play on: the service referees and draws, this page shows the table and asks for moves. play/table.js keeps the
// game, play/acting.js says who acts, play/dock.js asks for a move, play/board.js is the picture.

import { download } from "./dialogs.js";
import { betweenTaps, focusHeading, h, holdingFocus, holdingScroll, moveInGroup, patch, updateTabStops } from "./dom.js";
import { icon, mark } from "./icons.js";
import { acting, barOf } from "./play/acting.js";
import { setup } from "./play/setup.js";
import { CancelledError, LocalTable, OutdatedError, newSteps } from "./play/table.js";
import { log, told } from "./play/telling.js";
import { NOTATION, exchange } from "./service.js";
import { header, openMenu, startLink } from "./shell.js";
import * as store from "./store.js";
import { capitalized, keepLanguage, language, loadWords, number, sentence, t } from "./words.js";

/** @typedef {import("./play/table.js").Table} Table */
/** @typedef {import("./play/table.js").Seen} Seen */
/** @typedef {import("./play/table.js").Step} Step */
/** @typedef {import("./play/table.js").Viewer} Viewer */
/** @typedef {import("./play/choosing.js").Move} Move */

const MOST_SECONDS = 30;
const BUSY_AFTER = 400;
/** After so many finished games quick play is offered. */
const OFFERED_AFTER = 3;
/** What one step has changed is ringed for so long. */
const RINGED = 4000;
/** How long a step is shown, if steps go on by themselves. */
const STEP = 1200;

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
   * The decision that is shown. The table may be ahead of it: then what is on the screen belongs together, until all that
   * shows the new position is there.
   * @type {import("./play/table.js").Decision | undefined}
   */
  decision;
  /** What others did since the viewer's last move. @type {Step[]} */
  steps = [];
  /** Which of the steps is shown; undefined once all are seen. @type {number | undefined} */
  at;
  /** Whether a tap has stopped the steps that go on by themselves. */
  isHeld = false;
  /** Until when a single step is ringed. */
  ringedUntil = 0;
  /** Loaded with the first table, as the picture is. */
  dock = /** @type {import("./play/dock.js").Dock} */ (/** @type {unknown} */ (undefined));
  /** How many requests are under way; meanwhile no move is accepted. */
  working = 0;
  /** Increases whenever what is under way no longer counts. */
  round = 0;
  /** What was saved before the move that is on its way: once something else is, that move counts. @type {unknown} */
  savedBefore;
  /** Whether they take long. */
  slow = false;
  unreachable = false;
  retryNow = () => {};
  failed = "";
  /** Something to say once, such as that a link is copied. */
  note = "";
  /** Increases whenever something else is opened: what was begun before is dropped. */
  epoch = 0;
  showsLog = false;
  /** Whether the choices are shown as lists and the table in words. */
  inWords = false;
  /** @type {typeof import("./play/in-words.js").wordsView | undefined} */
  wordsView;
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
    document.addEventListener("keydown", (event) => this.#pressed(event));
    addEventListener("pointerdown", () => (this.isHeld = true));
    addEventListener("hashchange", () => void this.route());
    addEventListener("popstate", () => this.#goBack());
    addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
    addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void this.receive(file.text());
    });
    await loadWords(this.files, "play", this.game);
    if (new URL(location.href).searchParams.has("words") || store.setting("play.words") === "yes") await this.#loadInWords();
    await this.route();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    moveInGroup(event);
    const isElsewhere = event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || /** @type {HTMLElement} */ (event.target).matches?.("input[type=text], textarea, select");
    if (isElsewhere || this.acting !== "own") return;
    if (event.key === "Escape" && this.dock.back()) event.preventDefault();
    if (event.key.toLowerCase() === "p" && this.dock.passing) void this.play(this.dock.passing);
    if (event.key === "Enter" && /** @type {HTMLElement} */ (event.target).closest?.(".tray [data-group]")) {
      event.preventDefault();
      void this.dock.play();
    }
  }

  /** The id of the table that the address names. */
  get linked() {
    return new URL(location.href).searchParams.get("table") ?? "";
  }

  /** Opens what the address names, back in the history. What its fragment has opens when that changes. */
  #goBack() {
    const shown = this.distance?.pending ? undefined : (this.table?.id ?? "");
    if (!location.hash && this.linked !== shown) void this.route();
  }

  /** Opens what the address names: a game in a link, or a saved one. */
  async route() {
    const [packed, position] = location.hash.slice(1).split(".");
    if (packed) {
      const { isForTable } = await import("./link.js");
      return isForTable(packed) ? this.receive(packed) : this.continueFrom(packed, Number(position));
    }
    const { linked } = this;
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
    const distance = await this.loadDistance();
    if (!this.table && !distance.pending) this.newGame();
    const done = distance.receive(sent);
    history.replaceState(null, "", `${location.pathname}${location.search}`);
    await done;
  }

  /** Fetches what players far apart need. */
  async loadDistance() {
    if (!this.distance) {
      const [{ DistanceView }] = await this.retrying(() => Promise.all([import("./play/distance-view.js"), loadWords(this.files, "play", "distance", this.game)]).catch(() => undefined));
      this.distance ??= new DistanceView(this);
    }
    return this.distance;
  }

  /** Drops what is under way, also if no answer ever comes: the page is free for something else. */
  #drop() {
    this.epoch++;
    this.round++;
    Object.assign(this, { working: 0, slow: false, unreachable: false, savedBefore: undefined });
  }

  /** Shows the form of a new game. */
  newGame() {
    this.#drop();
    if (this.distance) this.distance.pending = undefined;
    this.table = undefined;
    this.failed = "";
    const address = new URL(location.href);
    address.searchParams.delete("table");
    history.replaceState(null, "", address);
    const [fewest, most] = (this.getAttribute("players") ?? "2-4").split("-").map(Number);
    this.setup = setup(this, { fewest, most, options: JSON.parse(this.getAttribute("options") ?? "[]"), typed: store.handedOver() });
    this.show();
    const isKept = [...store.plays.all().map(({ record }) => record), ...store.distanceGames.all().map(({ invitation }) => invitation)].some(({ game }) => game === this.game);
    if (isKept) void this.retrying(() => import("./play/saved.js").catch(() => undefined)).then((saved) => betweenTaps(() => this.#showSaved(saved)), () => {});
  }

  /** Shows the saved games in the form, which keeps its place if it is in use. @param {GameTable["saved"]} saved */
  #showSaved(saved) {
    const update = () => this.setState({ saved });
    if (this.querySelector(".setup :focus:not(h2)")) holdingScroll(this, update);
    else update();
  }

  /** @param {import("./play/setup.js").Settings} settings */
  begin = async (settings) => {
    await this.guarded(async () => this.openTable(await LocalTable.start({ game: this.game, ...settings }, this.ask)));
    this.focusTurn();
  };

  /** @type {import("./play/setup.js").Page["invite"]} */
  invite = (wanted, seat) => {
    if (!this.working) void this.guarded(async () => (await this.loadDistance()).invite(wanted, seat));
  };

  wantDistance = () => void this.loadDistance().then(() => this.show(), () => {});

  /** @param {Table} table */
  async openTable(table) {
    this.#drop();
    if (table.id !== this.table?.id) this.viewer = null;
    if (this.distance) this.distance.pending = undefined;
    this.table = table;
    table.onKept = () => this.slow && this.show();
    this.setup = undefined;
    this.seen = undefined;
    this.decision = undefined;
    this.failed = "";
    this.showsLog = false;
    this.dock?.end();
    const address = new URL(location.href);
    address.searchParams.set("table", table.id);
    history.replaceState(null, "", address);
    this.show();
    await this.guarded(async () => {
      const loading = loadDock();
      await table.open(this.people.length === 1 ? this.people[0] : null);
      const [{ Dock }] = (await loading) ?? (await this.retrying(loadDock));
      this.dock ??= new Dock(this);
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
    const { round } = this;
    this.working++;
    this.failed = "";
    const slow = setTimeout(() => round === this.round && this.setState({ slow: true }), BUSY_AFTER);
    try {
      await act();
    } catch (reason) {
      if (reason instanceof OutdatedError) await this.catchUp();
      else if (!(reason instanceof CancelledError)) this.setState({ failed: t("play.failed", { reason: sentence(reason instanceof Error ? reason.message : String(reason)) }) });
    } finally {
      clearTimeout(slow);
      if (round === this.round) this.setState({ working: this.working - 1, slow: false, savedBefore: undefined });
    }
  }

  /** Shows the game as another window has left it. */
  async catchUp() {
    const id = this.table?.id ?? this.distance?.pending?.id ?? "";
    const distant = store.distanceGames.of(id);
    if (distant) return (await this.loadDistance()).catchUp(distant);
    const kept = store.plays.of(id);
    if (kept) await this.openTable(new LocalTable(kept, this.ask));
    this.setState({ note: t("play.gone-on") });
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

  /** The table, if it waits for anything but a move at this screen. */
  get waitingTable() {
    const { table } = this;
    return table?.isWaiting ? /** @type {import("./play/distance.js").SealedTable} */ (table) : undefined;
  }

  /** @returns {import("./play/acting.js").Course | undefined} */
  get course() {
    const { table, decision, viewer, steps, at } = this;
    if (!table || !decision) return undefined;
    const isOver = decision.actor === "none" && (!this.waitingTable || !!table.result);
    return { decision, players: table.kinds, names: table.names, viewer, isOver, isWaiting: !!this.waitingTable && !isOver, isSlow: this.slow, isAsked: this.working > 0, steps, at };
  }

  get acting() {
    const { course } = this;
    return course ? acting(course) : undefined;
  }

  /** Whether the page waits for its user. */
  get isIdle() {
    return !this.working && !this.dock?.isBusy && !!(this.seen || this.setup || this.failed) && this.acting !== "thinking";
  }

  /** Who looks at the screen next. Hands are only covered between people. */
  #nextViewer() {
    const table = /** @type {Table} */ (this.table);
    const { actor, seat } = table.decision;
    if (table.seat !== undefined && !table.result) return table.seat;
    if (actor === "none") return undefined;
    if (this.people.length < 2) return this.people[0] ?? null;
    return !table.hasHidden || this.viewer === seat ? seat : null;
  }

  /** Shows where the game stands, once the table has gone on. */
  async advance() {
    const table = /** @type {Table} */ (this.table);
    if (table.decision.actor === "none") {
      const [{ default: pad }, { ending, markBilled }] = await this.retrying(() => Promise.all([import(`./games/${this.game}.js`), import("./play/end.js")]).catch(() => undefined));
      this.ending = (/** @type {Table} */ over) => ending(pad, over);
      this.markBilled = markBilled;
    }
    await this.showTo(this.#nextViewer());
  }

  /**
   * Shows the game to somebody: first what others did, if it was several steps.
   * @param {Viewer} viewer
   */
  async showTo(viewer) {
    const table = /** @type {Table} */ (this.table);
    const { epoch } = this;
    const seen = await table.seenBy(viewer);
    if (epoch !== this.epoch) return;
    const isMine = typeof viewer === "number" && table.decision.seat === viewer;
    const others = isMine ? newSteps(seen.steps, viewer).filter(({ seat, isForced }) => seat !== viewer || isForced) : [];
    const drawn = others.filter(({ picture }) => picture);
    Object.assign(this, { viewer, seen, decision: table.decision, steps: drawn.length > 1 ? drawn : others.slice(-1), at: drawn.length > 1 ? 0 : undefined, isHeld: false, note: "" });
    this.dock.end();
    this.show();
    this.board?.frame(true);
    if (this.at === undefined) await this.#toTurn();
    else this.#showStep(0);
  }

  /** Shows a step; after the last one, the decision. @param {number} at */
  #showStep(at) {
    if (at >= this.steps.length) return void this.#toTurn();
    this.at = at;
    this.show();
    this.board?.frame(true);
    if (store.setting("play.by-itself") === "yes") setTimeout(() => this.at === at && !this.isHeld && this.#showStep(at + 1), STEP);
  }

  /** Asks the viewer for a move, if it is theirs. */
  async #toTurn() {
    const { epoch } = this;
    this.at = undefined;
    this.ringedUntil = this.steps.length === 1 ? Date.now() + RINGED : 0;
    if (this.ringedUntil) setTimeout(() => this.ringedUntil && this.setState({ ringedUntil: 0 }), RINGED);
    this.show();
    if (this.acting === "own" || (this.working && !this.waitingTable && this.viewer === this.decision?.seat)) {
      const { offered, listed } = /** @type {Table} */ (this.table);
      await this.dock.begin(Number(this.decision?.seat), offered, listed);
      if (epoch !== this.epoch) return;
    }
    this.show();
    this.board?.frame(true);
  }

  /** @param {string} resource @param {{[member: string]: unknown}} about */
  consult = (resource, about) => /** @type {Table} */ (this.table).consult(resource, about);

  /** @param {Move} move @returns {Promise<import("./play/table.js").Foreseen | undefined>} */
  foresee = async (move) => {
    const table = /** @type {Table} */ (this.table);
    const next = await table.foresee?.(move);
    const picture = next?.step.picture;
    if (!next || !picture) return undefined;
    const { derived, step } = next;
    const before = this.#points(table.derived, this.seen?.steps ?? [], move.seat);
    return { picture, points: [before, this.#points(derived, [...(this.seen?.steps ?? []), step], move.seat)], text: step.events.at(-1)?.text ?? "" };
  };

  /** A player's points so far. @param {any} derived @param {readonly Step[]} steps @param {number} seat */
  #points(derived, steps, seat) {
    return steps.flatMap(({ events }) => events).reduce((sum, event) => sum + (event.seat === seat ? Number(event.points ?? 0) : 0), derived.palace_points?.[seat] ?? 0);
  }

  get isQuick() {
    return store.setting("play.quick") === "yes";
  }

  /** @param {Move} move */
  play = async (move) => {
    if (this.working) return;
    this.distance?.clearNews();
    this.savedBefore = this.table?.saved;
    await this.guarded(async () => {
      await this.table?.play(move, store.setting("play.forced") !== "no");
      await this.advance();
    });
    this.focusTurn();
  };

  /** Whether a move is on its way that does not count yet. */
  get canTakeBack() {
    return this.savedBefore !== undefined && this.savedBefore === this.table?.saved;
  }

  /** The answer to what is asked is no longer wanted: the move is not played, unless it counts by now. */
  async takeBack() {
    const { canTakeBack } = this;
    this.#drop();
    await this.guarded(async () => {
      if (canTakeBack) return this.showTo(this.viewer);
      await this.table?.open(this.viewer);
      await this.advance();
    });
    this.focusTurn();
  }

  /** @param {number} ply */
  async goTo(ply) {
    this.#drop();
    if (this.people.length > 1 && this.table?.hasHidden) this.viewer = null;
    await this.guarded(async () => {
      await this.table?.goTo?.(ply);
      await this.advance();
    });
    this.focusTurn();
  }

  /** The last position at which a person chose; undefined if there is none. */
  get undoable() {
    const { table, seen } = this;
    return table?.goTo ? seen?.steps.findLast(({ seat, isForced }) => seat !== null && table.kinds[seat] === "person" && !isForced)?.from : undefined;
  }

  /** Focuses the bar, or the winner, unless the focus is elsewhere. */
  focusTurn() {
    const title = /** @type {HTMLElement | null} */ (this.querySelector("#turn, .winner h1"));
    if (document.activeElement !== document.body && !this.querySelector(".dock")?.contains(document.activeElement)) return;
    focusHeading(title);
  }

  /** @type {import("./play/board.js").GameBoard | null} */
  get board() {
    return this.querySelector("game-board");
  }

  // --- export --------------------------------------------------------------------------------------------------------

  /** Its module is loaded only when needed. @param {"copyLink" | "openInViewer" | "saveNotation"} how */
  async exportGame(how) {
    const exports = await import("./play/export.js").catch(() => undefined);
    if (exports) await exports[how](this);
    else this.setState({ note: t("play.no-link") });
  }

  menu() {
    const { table, seen } = this;
    const items = [
      table && { text: t("play.new"), act: () => this.newGame() },
      table && this.undoable !== undefined && { text: t("undo"), act: () => void this.goTo(Number(this.undoable)) },
      table?.isWhole && { text: t("play.view"), act: () => void this.exportGame("openInViewer") },
      table?.isWhole && { text: t("play.link"), act: () => void this.exportGame("copyLink") },
      seen && table && { text: t("play.save-notation"), act: () => void this.exportGame("saveNotation") },
      seen && table && { text: t("play.save-json"), act: () => download(`${this.game}.json`, "application/json", `${JSON.stringify(table.record(), null, 1)}\n`) },
      table?.seat !== undefined && { text: t("distance.sent"), act: () => this.distance?.openInbox() },
      typeof table?.seat === "number" && { text: t("distance.secret-file"), act: () => this.distance?.openTransfer(/** @type {import("./play/distance.js").SealedTable} */ (table).saved) },
      table && this.#setting("quick", false),
      table && this.#setting("forced", true),
      table && this.#setting("by-itself", false),
      { text: t("book.title"), href: `/book?lang=${language}` },
      { text: t("start.rules"), href: `/rules/${this.game}?lang=${language}` },
    ];
    openMenu(items, () => store.handOver(this.setup?.choices()));
  }

  /**
   * A setting, as an item of the menu.
   * @param {"quick" | "forced" | "by-itself"} name
   * @param {boolean} usual
   */
  #setting(name, usual) {
    const isOn = (store.setting(`play.${name}`) ?? (usual ? "yes" : "no")) === "yes";
    return { text: `${isOn ? "☑" : "☐"} ${t(`play.${name}`)}`, act: () => (store.setting(`play.${name}`, isOn ? "no" : "yes"), this.show()) };
  }

  // --- views ---------------------------------------------------------------------------------------------------------

  /** @type {"invitation" | "setup" | "table" | undefined} */
  screen;

  show() {
    const { screen } = this;
    this.screen = this.distance?.pending ? "invitation" : this.setup ? "setup" : "table";
    if (screen !== this.screen) this.style.minHeight = "";
    const isTable = this.screen === "table";
    const isAwaited = typeof this.table?.seat === "number" && !this.table.isWaiting;
    document.title = `${isAwaited ? `${capitalized(t("play.kept.turn"))} · ` : ""}${t(`${this.game}.title`)} · ${t("start.play")} · capomastro`;
    document.documentElement.classList.toggle("at-table", isTable && !!this.seen && this.acting !== "over");
    const update = () => {
      patch(this, [this.header(), !isTable && this.bar(), this.distance?.pending ? this.distance.invitation(this.distance.pending) : this.setup ? this.setup.view() : this.body()]);
      updateTabStops(this);
    };
    if (isTable) holdingFocus(this, update, "#turn");
    else if (this.setup && !this.distance?.pending) holdingFocus(this, update);
    else update();
    if (screen && screen !== this.screen && this.screen !== "table") focusHeading(this.querySelector(".setup h2"));
    this.#draw();
  }

  /** Draws the table, with what can be tapped, and the copies of what lies on it. */
  #draw() {
    const { board, seen, steps, at } = this;
    if (!board || !seen) return;
    board.show((at === undefined ? undefined : steps[at]?.picture) ?? seen.picture);
    board.onResize = () => this.#draw();
    board.onTap = (spot) => {
      this.ringedUntil = 0;
      if (this.acting === "own" && !this.working) void this.dock.tap(spot);
    };
    const marks = this.acting === "own" ? this.dock.marks : { can: new Set(), chosen: new Set(), docked: new Set() };
    const docked = new Set([...marks.docked, ...board.spots.filter(({ place }) => place === `/seats/${this.viewer}/hand`).map(({ key }) => key)]);
    const kept = [...marks.chosen].filter((key) => this.dock.chosen.has(key) && !docked.has(key));
    board.foresee((this.acting === "own" && this.dock.foreseen?.picture) || "", kept);
    board.mark({ ...marks, docked, showsNew: this.acting === "steps" || (this.ringedUntil > Date.now() && !marks.can.size) });
    for (const piece of /** @type {NodeListOf<import("./play/board.js").GamePiece>} */ (this.querySelectorAll("game-piece"))) {
      const spot = board.spots.find(({ key }) => key === piece.dataset.key);
      if (spot) piece.show(board, spot);
    }
  }

  header() {
    const title = t(`${this.game}.title`);
    const undo = this.undoable !== undefined && h("button", { type: "button", key: "undo", class: "icon", "aria-label": t("undo"), on: { click: () => void this.goTo(Number(this.undoable)) } }, icon("undo"));
    if (this.screen !== "table" || !this.table || !this.seen || !this.decision || this.acting === "over") return header({ back: startLink(), title, tools: undo, menu: () => this.menu() });
    return header({ back: startLink(), title: h("span", { class: "game-title" }, title), tools: [this.standing(this.table, this.seen), undo], menu: () => this.menu() });
  }

  /** Each player's points so far. @param {Table} table @param {Seen} seen */
  standing({ names, derived }, { steps }) {
    const acts = this.at === undefined ? this.decision?.seat : this.steps[this.at]?.seat;
    const points = names.map((_, seat) => this.#points(derived, steps, seat));
    return h(
      "ul",
      { class: `tally of${names.length}`, key: "tally", "aria-label": t("players") },
      names.map((name, seat) => h("li", { key: `s${seat}`, class: seat === acts ? "acts" : "" }, mark(seat), h("span", { class: "unseen" }, t("player.points", { name, points: points[seat] })), h("b", { "aria-hidden": "true" }, number(points[seat])), h("bdi", { class: "who", "aria-hidden": "true" }, name))),
    );
  }

  bar() {
    const wrong = this.unreachable || this.setup ? "" : this.failed;
    const says = this.unreachable ? t("play.gone") : wrong || (store.isPersistent() ? "" : t("kept.not"));
    return h("div", { role: "status", key: "bar", class: says ? (wrong ? "bar wrong" : "bar quiet") : "" }, says && h("div", { class: "wrap" }, icon(this.unreachable ? "cut" : "warn"), h("p", {}, says), this.unreachable && h("button", { type: "button", class: "link", on: { click: () => this.retryNow() } }, t("play.again"))));
  }

  body() {
    const { table, seen, course } = this;
    if (!table || !seen || !course) {
      return h("main", { class: "wrap playing", key: "waiting" }, this.bar(), h("p", { role: "status" }, this.slow ? t("checking") : ""), table && this.failed && h("p", {}, h("button", { type: "button", class: "button main", on: { click: () => void this.openTable(table).then(() => this.focusTurn()) } }, t("play.again"))));
    }
    const state = acting(course);
    const happened = log({ steps: (state === "over" && this.markBilled?.(seen, table.result).steps) || seen.steps, names: table.names, game: this.game, isWhole: this.showsLog, showAll: () => this.setState({ showsLog: true }), later: table.later.at(-1), goTo: table.goTo ? (ply) => void this.goTo(ply) : undefined });
    if (state === "over") {
      return h("main", { class: "wrap playing over", key: "over" }, this.bar(), this.distance?.notice(), this.ending?.(table), this.finishedActions(), this.waitingTable && this.distance?.aside(this.waitingTable), h("div", { class: "drawn", key: "drawn" }, h("game-board", { key: "board" })), happened);
    }
    return h(
      "main",
      { class: `playing ${this.inWords ? "worded" : ""}`, key: "playing" },
      this.turn(course),
      this.docked(state, table, course),
      h("section", { class: "drawn", key: "drawn", "aria-label": t("play.table") }, h("game-board", { key: "board" })),
      this.inWords && this.wordsView ? this.wordsView({ dock: this.dock, isAsked: state === "own", picture: seen.picture, log: happened, show: () => this.show(), play: this.play }) : h("aside", { class: "happened", key: "happened" }, happened),
    );
  }

  /** The bar: what is going on. @param {import("./play/acting.js").Course} course */
  turn(course) {
    const waiting = this.waitingTable;
    const { seat, before, lead, text } = barOf({ ...course, told: (step) => told(step, this.game), won: "", task: waiting && this.distance ? this.distance.task(waiting).title : "", kind: this.dock.chosenKind });
    const isThinking = acting(course) === "thinking" && this.slow;
    const says = this.unreachable ? t("play.gone") : text;
    return h(
      "section",
      { class: "now", key: "now" },
      seat !== undefined && !this.unreachable ? h("span", { class: "plate" }, mark(seat)) : h("span", { class: "plate" }, icon(this.unreachable ? "cut" : "check")),
      h(
        "div",
        { class: acting(course) === "steps" ? "said told" : "said", role: "status" },
        before && !this.unreachable && h("p", { class: "before", key: "before" }, before),
        h("h2", { id: waiting ? "now" : "turn", tabindex: -1, key: "turn", title: says }, lead && !this.unreachable && [h("b", {}, lead), " "], says, isThinking && h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))),
      ),
      this.unreachable ? h("button", { type: "button", key: "again", class: "worded-button", on: { click: () => this.retryNow() } }, t("play.again")) : h("button", { type: "button", key: "words", class: "worded-button", "aria-pressed": this.inWords, on: { click: () => void this.toggleWords() } }, t(this.inWords ? "play.picture" : "play.in-words")),
    );
  }

  /**
   * The dock: what the viewer has, and what can be done.
   * @param {import("./play/acting.js").Acting} state
   * @param {Table} table
   * @param {import("./play/acting.js").Course} course
   */
  docked(state, table, course) {
    const waiting = this.waitingTable;
    const props = { class: "dock", key: "dock", "aria-label": t("play.your-move"), "aria-busy": this.slow };
    const notes = [!store.isPersistent() && h("p", { class: "bar quiet", key: "kept-not" }, t("kept.not")), this.distance?.notice(), this.failed && h("p", { class: "finding", role: "alert", key: "failed" }, this.failed), this.note && h("p", { class: "small", role: "status", key: "note" }, this.note)];
    if (state === "elsewhere" && waiting) return h("section", { ...props, class: "dock far" }, notes, this.distance?.aside(waiting));
    const own = typeof this.viewer === "number" ? h("div", { class: "tray", key: "tray" }, this.dock.line(), this.dock.reading(this.viewer)) : null;
    const act = (/** @type {string} */ text, /** @type {() => void} */ click, isMain = false) => h("button", { type: "button", key: text, class: isMain ? "button main" : "button", on: { click } }, text);
    if (state === "hand-over") {
      const seat = Number(course.decision.seat);
      const name = table.names[seat];
      return h("section", props, notes, h("p", { class: "tray small" }, t("play.hand-over.text")), h("div", { class: "actions" }, act(t("play.here", { name }), () => void this.guarded(() => this.showTo(seat)).then(() => this.focusTurn()), true)));
    }
    if (state === "steps") {
      const at = Number(course.at);
      const next = t("play.step", { at: at + 1, of: course.steps.length });
      return h(
        "section",
        props,
        notes,
        own,
        h(
          "div",
          { class: "actions stepping", key: "stepping", role: "group", "aria-label": t("play.actions") },
          h("button", { type: "button", key: "back", class: "button", "aria-label": t("play.step-back"), "aria-disabled": at === 0, on: { click: () => at > 0 && this.#showStep(at - 1) } }, "◂"),
          act(t("play.to-turn"), () => void this.#toTurn().then(() => this.focusTurn())),
          h("button", { type: "button", key: "next", class: "button main", on: { click: () => this.#showStep(at + 1) } }, `${next} ▸`),
        ),
      );
    }
    if (state === "thinking") return h("section", props, notes, own, h("div", { class: "actions" }, this.canTakeBack && act(t("play.take-back"), () => void this.takeBack())));
    return h("section", props, notes, this.inWords ? h("div", { class: "tray", key: "tray" }, this.dock.line()) : this.dock.tray(), this.dock.actions());
  }

  async #loadInWords() {
    this.wordsView ??= (await this.retrying(() => import("./play/in-words.js").catch(() => undefined))).wordsView;
    this.inWords = true;
  }

  /** Shows the choices as lists and the table in words, or the picture again; the page remembers it. */
  async toggleWords() {
    if (this.inWords) this.inWords = false;
    else await this.#loadInWords();
    store.setting("play.words", this.inWords ? "yes" : "no");
    this.show();
  }

  finishedActions() {
    return h(
      "p",
      { class: "repairs no-print", key: "parting" },
      h("button", { type: "button", class: "button main", on: { click: () => void this.exportGame("openInViewer") } }, t("play.view")),
      h("button", { type: "button", class: "button", on: { click: () => void this.exportGame("copyLink") } }, t("play.link")),
      h("button", { type: "button", class: "button", on: { click: () => this.newGame() } }, t("play.new")),
      store.setting("play.quick") === null && store.plays.all().filter(({ finished }) => finished).length >= OFFERED_AFTER && h("button", { type: "button", class: "button", on: { click: () => (store.setting("play.quick", "yes"), this.show()) } }, t("play.quick")),
      h("span", { class: "small", role: "status" }, this.note),
    );
  }
}

/** Fetches tray and picture: not before there is a table. */
function loadDock() {
  return Promise.all([import("./play/dock.js"), import("./play/board.js")]).catch(() => undefined);
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
