// A table to play at: the service is the referee and draws, this page shows the game and asks for moves. The game itself
// is behind play/table.js, how a move is put together in play/choice.js, where its parts lie in play/targets.js.

import { download, ruleLink } from "./dialogs.js";
import { focusHeading, h, holdingFocus, moveInGroup, patch, tendGroups } from "./dom.js";
import { icon, mark } from "./icons.js";
import { players } from "./parts.js";
import { byNumber, chosenWith, chosenWithout, count, nextTargets, waysOf, waysToSay, waysWith } from "./play/choice.js";
import { seats } from "./play/door.js";
import { log } from "./play/log.js";
import { GoneOn, Left, LocalTable, isPlayed, newSteps } from "./play/table.js";
import { STANDING, composed, isMeant, movesMeant, targetAt, typesAt } from "./play/targets.js";
import { inWords, outline, proportion, withoutOrigin } from "./picture.js";
import { NOTATION, exchange } from "./service.js";
import { header, openMenu, toStart } from "./shell.js";
import * as store from "./store.js";
import { keepLanguage, language, loadWords, sentence, t, tokenName } from "./words.js";
import "./play/board.js";

/** @typedef {import("./play/table.js").Table} Table */
/** @typedef {import("./play/table.js").Seen} Seen */
/** @typedef {import("./play/table.js").Viewer} Viewer */
/** @typedef {import("./play/targets.js").Move} Move */
/** @typedef {import("./play/choice.js").Way} Way */
/** @typedef {{move: string, why: string, rule: string}} Try a move as a sentence, and why it is not legal */
/** @typedef {{text: string, rule?: string, tries?: Try[], also?: {move: Move, text: string}}} News what is said of a tap: why not, or that it can be all the same */

/** So few moves are all said in words at once. */
const FEW = 6;
/** So many of the last moves are told where the next is decided; all others only in the log. */
const LATEST = 3;
/** The wide picture is drawn for 1200 pixels: much smaller its letters cannot be read. */
const WIDE = "(min-width: 80em)";
const MOST_SECONDS = 30;
const BUSY_AFTER = 400;

class GameTable extends HTMLElement {
  game = "";
  files = "";
  /** @type {Table | undefined} */
  table;
  /** @type {import("./play/door.js").Seats | undefined} who is to play, before there is a table */
  seats;
  /** Whose eyes look at the screen. @type {Viewer} */
  viewer = null;
  /** @type {Seen | undefined} */
  seen;
  svg = "";
  /** @type {Way[]} */
  ways = [];
  /** @type {string[]} targets, in the order in which they were tapped */
  chosen = [];
  /** @type {string | undefined} */
  pointed;
  /** @type {News | undefined} */
  news;
  /** How many things are under way that the service is asked for; meanwhile no move is taken. */
  working = 0;
  /** Whether that takes long. */
  slow = false;
  /** Whether the service cannot be reached now. */
  gone = false;
  /** Asks it again at once. */
  hasten = () => {};
  failed = "";
  /** Whatever was begun for an older turn is dropped. */
  turn = 0;
  listed = false;
  worded = false;
  whole = false;
  /** What is shown of a game that is over. @type {((table: Table) => import("./dom.js").Given) | undefined} */
  ending;
  /** @type {typeof import("./play/end.js").marked | undefined} */
  marked;

  /** The games that are kept here, if there are some. @type {typeof import("./play/kept.js").keptGames | undefined} */
  keptGames;
  /** What is done at a table whose players sit far apart; it comes when there is one. @type {import("./play/errand.js").Errands | undefined} */
  errands;

  async connectedCallback() {
    if (keepLanguage(store.remembered)) return;
    this.game = this.getAttribute("game") ?? "";
    this.files = this.getAttribute("files") ?? "";
    this.listed = store.remembered("play.listed") === "yes";
    this.worded = store.remembered("play.worded") === "yes";
    document.addEventListener("keydown", (event) => {
      moveInGroup(event);
      if (event.key === "Escape" && this.chosen.length && !document.querySelector("dialog[open]")) this.choose([]);
    });
    matchMedia(WIDE).addEventListener("change", () => this.table && void this.look(this.viewer));
    addEventListener("hashchange", () => void this.arrive());
    addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
    addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void this.receive(file.text());
    });
    await loadWords(this.files, "play", this.game);
    await this.arrive();
  }

  /** What the address says: a game in a link, one that is kept, else the latest that is not over. */
  async arrive() {
    const [packed, position] = location.hash.slice(1).split(".");
    if (packed) {
      const { isSent } = await import("./link.js");
      return isSent(packed) ? this.receive(packed) : this.follow(packed, Number(position));
    }
    const linked = new URL(location.href).searchParams.get("table");
    const here = store.plays.all().filter((kept) => kept.record.game === this.game);
    const far = store.far.all().filter(({ invitation }) => invitation.game === this.game);
    const [wanted] = [...here, ...far].filter(({ id }) => id === linked);
    const [latest] = [...here, ...far].filter(({ finished }) => !finished).sort((one, other) => other.changed.localeCompare(one.changed));
    const kept = wanted ?? latest;
    if (kept && "invitation" in kept) return (await this.atDistance()).sit(kept);
    if (kept) return this.sit(new LocalTable(kept, this.asks));
    this.leave();
  }

  /**
   * A game that goes on from a recorded one.
   * @param {string} packed
   * @param {number} position
   */
  async follow(packed, position) {
    history.replaceState(null, "", `${location.pathname}${location.search}`);
    try {
      const { unpackedRecord } = await import("./link.js");
      const written = await this.asks(`/v1/games/${this.game}/records`, await unpackedRecord(packed), { sends: NOTATION });
      const record = { ...written, moves: written.moves.slice(0, position >= 0 ? position : undefined) };
      const names = Array.from({ length: record.players }, (_, seat) => record.names?.[seat] ?? t("player.number", { number: seat + 1 }));
      await this.sit(LocalTable.of({ ...record, names }, names.map(() => "person"), store.unique(), this.asks));
    } catch (reason) {
      if (reason instanceof Left) return;
      this.leave();
      this.failed = t("link.bad");
      this.show();
    }
  }

  /**
   * A table, or what comes before and after one, that somebody has sent.
   * @param {string | Promise<string>} sent
   */
  async receive(sent) {
    history.replaceState(null, "", `${location.pathname}${location.search}`);
    const errands = await this.atDistance();
    if (!this.table && !errands.far) this.leave();
    await errands.follow(sent);
  }

  /** Fetches what is needed when players sit far apart. */
  async atDistance() {
    if (!this.errands) {
      const [{ Errands }] = await this.patiently(() => Promise.all([import("./play/errand.js"), loadWords(this.files, "play", "distance", this.game)]).catch(() => undefined));
      this.errands ??= new Errands(this);
    }
    return this.errands;
  }

  /** Back to the question who plays. */
  leave() {
    this.turn++;
    if (this.errands) this.errands.far = undefined;
    else if (store.far.all().some(({ invitation }) => invitation.game === this.game)) void this.guarded(async () => void (await this.atDistance()));
    this.table = undefined;
    this.failed = "";
    const [fewest, most] = (this.getAttribute("players") ?? "2-4").split("-").map(Number);
    this.seats = seats(this.game, fewest, most);
    this.show();
    if (store.plays.all().some(({ record }) => record.game === this.game)) void this.guarded(async () => this.tell(await this.patiently(() => import("./play/kept.js").catch(() => undefined))));
  }

  /** What is wanted of a new game; undefined while two players have one name, which is then said at the field. */
  wanted() {
    const seats = /** @type {import("./play/door.js").Seats} */ (this.seats);
    if (seats.isReady()) return seats.wanted();
    this.show();
    /** @type {HTMLElement | null} */ (this.querySelector(".setup [aria-invalid=true]"))?.focus();
    return undefined;
  }

  async begin() {
    const wanted = this.wanted();
    if (!wanted) return;
    const { names, kinds, options, seed } = wanted;
    await this.guarded(async () => this.sit(await LocalTable.begun({ game: this.game, names, kinds, options, seed }, this.asks)));
    this.toTurn();
  }

  /** @param {Table} table */
  async sit(table) {
    this.turn++;
    this.table = table;
    this.seats = undefined;
    this.seen = undefined;
    this.failed = "";
    this.whole = false;
    const address = new URL(location.href);
    address.searchParams.set("table", table.id);
    history.replaceState(null, "", address);
    this.show();
    await this.guarded(async () => {
      await table.open();
      if (table instanceof LocalTable) table.keep();
      await this.goOn();
    });
  }

  // --- the service -----------------------------------------------------------------------------------------------------

  /**
   * What the service answers; waits for it while it cannot be reached.
   * @type {import("./play/table.js").Ask}
   */
  asks = async (path, body, types = {}) => {
    const { status, value } = await this.patiently(async () => {
      const reply = await exchange(path, types.sends ? String(body) : JSON.stringify(body), types);
      return reply.reached ? reply : undefined;
    });
    if (status === 200) return value;
    throw new Error(String(value?.errors?.[0]?.message ?? value?.detail ?? status));
  };

  /**
   * While the service cannot be reached it is asked again, after 1, 2, 4 … 30 seconds and when the browser says it is online:
   * the game waits, and loses nothing.
   * @template Answer
   * @param {() => Promise<Answer | undefined>} act undefined if it cannot be reached
   */
  async patiently(act) {
    const { turn } = this;
    for (let pause = 1; ; pause = Math.min(2 * pause, MOST_SECONDS)) {
      const answer = await act();
      if (turn !== this.turn) throw new Left();
      if (answer !== undefined) {
        if (this.gone) this.tell({ gone: false });
        return answer;
      }
      this.tell({ gone: true });
      await new Promise((resolve) => (this.hasten = until(pause, resolve)));
    }
  }

  /**
   * Does something that asks the service; the page takes no move meanwhile.
   * @param {() => Promise<void>} act
   */
  async guarded(act) {
    this.working++;
    this.failed = "";
    const slow = setTimeout(() => this.tell({ slow: true }), BUSY_AFTER);
    try {
      await act();
    } catch (reason) {
      if (reason instanceof GoneOn) await this.catchUp();
      else if (!(reason instanceof Left)) this.tell({ failed: t("play.failed", { reason: sentence(reason instanceof Error ? reason.message : String(reason)) }) });
    } finally {
      clearTimeout(slow);
      this.tell({ working: this.working - 1, slow: false });
    }
  }

  /** Shows the game as another window of this browser has left it. */
  async catchUp() {
    const id = this.table?.id ?? this.errands?.far?.id ?? "";
    const far = store.far.of(id);
    if (far) return (await this.atDistance()).catchUp(far);
    const kept = store.plays.of(id);
    if (kept) await this.sit(new LocalTable(kept, this.asks));
    this.tell({ news: { text: t("play.gone-on") } });
  }

  /** @param {Partial<GameTable>} what */
  tell(what) {
    Object.assign(this, what);
    this.show();
  }

  // --- the course of the game ------------------------------------------------------------------------------------------

  get people() {
    return (this.table?.kinds ?? []).flatMap((kind, seat) => (kind === "person" ? [seat] : []));
  }

  /** Whether the device goes to somebody else before the game is shown. */
  get isHandedOver() {
    const { table } = this;
    return !!table && !this.errand && table.decision.actor === "seat" && this.viewer !== table.decision.seat;
  }

  /** The table, if something else than a move is to be done at it, here or elsewhere. */
  get errand() {
    const { table } = this;
    return table?.isElsewhere ? /** @type {import("./play/distance.js").FarTable} */ (table) : undefined;
  }

  /** Plays for the players of the service, until a person decides or the game is over. */
  async goOn() {
    const table = /** @type {Table} */ (this.table);
    while (table.decision.actor === "seat" && isPlayed(table.kinds[table.decision.seat ?? 0])) {
      await table.play(await table.suggestion());
    }
    const { actor, seat } = table.decision;
    if (table.seat !== undefined && !table.result) return this.look(table.seat);
    if (actor === "none") {
      const [{ default: pad }, { ending, marked }] = await this.patiently(() => Promise.all([import(`./games/${this.game}.js`), import("./play/end.js")]).catch(() => undefined));
      this.ending = (/** @type {Table} */ over) => ending(pad, over);
      this.marked = marked;
      return this.look(undefined);
    }
    const alone = this.people.length < 2 || !table.hides || this.viewer === seat;
    await this.look(alone ? seat : null);
  }

  /**
   * Shows the game to somebody.
   * @param {Viewer} viewer
   */
  async look(viewer) {
    const table = /** @type {Table} */ (this.table);
    const { turn } = this;
    const seen = await table.seenBy(viewer);
    const svg = withoutOrigin(await table.picture(viewer, matchMedia(WIDE).matches ? "wide" : "narrow"));
    if (turn !== this.turn) return;
    Object.assign(this, { viewer, seen, svg, ways: [], chosen: [], pointed: undefined, news: undefined });
    this.show();
    this.ways = waysOf(this.game, seen, (target) => this.board?.has(target) ?? false);
    this.show();
  }

  /** @param {Move} move */
  async play(move) {
    if (this.working) return;
    this.errands?.fresh();
    await this.guarded(async () => {
      await this.table?.play(move);
      await this.goOn();
    });
    this.toTurn();
  }

  /** @param {number} ply */
  async goTo(ply) {
    this.turn++;
    this.viewer = null;
    await this.guarded(async () => {
      await this.table?.goTo?.(ply);
      await this.goOn();
    });
    this.toTurn();
  }

  /** The position at which a person decided last; undefined if there is none before this one. */
  get undoable() {
    const { table, seen } = this;
    return table?.goTo ? seen?.steps.findLast(({ seat }) => seat !== null && table.kinds[seat] === "person")?.from : undefined;
  }

  /** The focus goes to what is asked next, or to who has won, unless the reader is elsewhere. */
  toTurn() {
    const title = /** @type {HTMLElement | null} */ (this.querySelector("#turn, .winner h1"));
    if (document.activeElement !== document.body && !this.querySelector(".turn")?.contains(document.activeElement)) return;
    focusHeading(title);
  }

  // --- choosing a move --------------------------------------------------------------------------------------------------

  /** @type {import("./play/board.js").GameBoard | null} */
  get board() {
    return this.querySelector("game-board");
  }

  /** @param {string[]} chosen */
  choose(chosen) {
    holdingFocus(this, () => this.tell({ chosen, news: undefined }), ".list[open] button, .ways button, #turn");
  }

  /** @param {import("./play/board.js").Drawn[]} spots what was tapped in the picture, and what it lies in */
  tapped(spots) {
    if (this.working || !this.seen || this.isHandedOver || this.errand || !this.ways.length) return;
    const next = nextTargets(waysWith(this.ways, this.chosen), this.chosen);
    const all = new Set(this.ways.flatMap(({ targets }) => targets));
    for (const spot of spots) {
      const target = [...this.chosen, ...next, ...all].find((one) => isMeant(spot, one)) ?? (this.seen.complete ? undefined : targetAt(this.game, this.seen.moves, [spot]));
      if (!target) continue;
      const alike = this.board?.spots.filter((one) => isMeant(one, target)) ?? [];
      const isChosen = alike.indexOf(spot) < count(this.chosen, target);
      const again = alike.length <= count(this.chosen, target) && next.has(target);
      if (isChosen && !again) return this.choose(chosenWithout(this.chosen, target));
      return this.choose(this.seen.complete ? chosenWith(this.ways, this.chosen, target) : [...this.chosen, target]);
    }
    void this.why(spots);
  }

  /** Plays the move that is put together where not all legal ones are listed, or says why it is not legal. */
  async judge() {
    const { table, seen, turn } = this;
    const move = seen && composed(this.game, seen.moves, this.chosen);
    if (!table || !move || this.working) return;
    /** @type {import("./play/table.js").Verdict | undefined} */
    let verdict;
    await this.guarded(async () => void (verdict = await table.verdict(move)));
    if (!verdict || turn !== this.turn) return;
    const { refusal, text = "" } = verdict;
    if (!refusal) return this.play(move);
    this.tell({ news: { text: sentence(text), tries: [{ move: "", why: sentence(refusal.message), rule: refusal.rule }] } });
  }

  /** @param {import("./play/board.js").Drawn[]} spots */
  async why(spots) {
    const { table, seen, turn } = this;
    if (!table) return;
    const likely = [...waysWith(this.ways, this.chosen), ...this.ways].map(({ move }) => move);
    const meant = movesMeant(this.game, likely, this.chosen, spots);
    const what = this.nameOf(meant?.spot ?? spots[0]);
    if (!meant) {
      const kinds = typesAt(this.game, spots, Number(table.decision.seat));
      const other = seen?.unavailable.find(({ type }) => kinds.includes(type));
      return this.tell({ news: { text: other ? t("play.not-now", { what, why: sentence(other.message) }) : t("play.nothing", { what }), rule: other?.rule } });
    }
    await this.guarded(async () => {
      /** @type {Try[]} */
      const tries = [];
      for (const move of meant.moves) {
        const { refusal, text = "" } = await table.verdict(move);
        if (turn !== this.turn) return;
        if (!refusal) return this.tell({ news: { text: t("play.also", { what }), also: { move, text: sentence(text) } } });
        if (tries.every(({ rule }) => rule !== refusal.rule)) tries.push({ move: sentence(text), why: sentence(refusal.message), rule: refusal.rule });
      }
      this.tell({ news: { text: t("play.in-none", { what }), tries } });
    });
  }

  // --- what can be taken away ----------------------------------------------------------------------------------------------

  /** What writes it comes when it is wanted. @param {"copyLink" | "view" | "save"} what */
  async away(what) {
    const ways = await import("./play/away.js").catch(() => undefined);
    if (ways) await ways[what](this);
    else this.tell({ news: { text: t("play.no-link") } });
  }

  menu() {
    const { table, seen } = this;
    openMenu([
      table && { text: t("play.new"), act: () => this.leave() },
      table && this.undoable !== undefined && { text: t("undo"), act: () => void this.goTo(Number(this.undoable)) },
      table?.isWhole && { text: t("play.view"), act: () => void this.away("view") },
      table?.isWhole && { text: t("play.link"), act: () => void this.away("copyLink") },
      seen && table && { text: t("play.save-notation"), act: () => void this.away("save") },
      seen && table && { text: t("play.save-json"), act: () => download(`${this.game}.json`, "application/json", `${JSON.stringify(table.record(), null, 1)}\n`) },
      table?.seat !== undefined && { text: t("distance.sent"), act: () => this.errands?.openInbox() },
      typeof table?.seat === "number" && { text: t("distance.secret-file"), act: () => this.errands?.openMove(/** @type {import("./play/distance.js").FarTable} */ (table).far) },
      { text: t("start.rules"), href: `/rules/${this.game}?lang=${language}` },
    ]);
  }

  // --- what is shown ---------------------------------------------------------------------------------------------------------

  /** What was shown last. @type {"invitation" | "door" | "table" | undefined} */
  view;

  show() {
    const { view } = this;
    this.view = this.errands?.far ? "invitation" : this.seats ? "door" : "table";
    const title = t(`${this.game}.title`);
    document.title = `${title} · ${t("start.play")} · capomastro`;
    const undo = this.undoable !== undefined && h("button", { type: "button", key: "undo", class: "icon", "aria-label": t("undo"), on: { click: () => void this.goTo(Number(this.undoable)) } }, icon("undo"));
    const update = () => {
      patch(this, [header({ back: toStart(), title, tools: undo, menu: () => this.menu() }), this.bar(), this.errands?.far ? this.errands.invitation(this.errands.far) : this.seats ? this.door(this.seats) : this.body()]);
      tendGroups(this);
    };
    if (this.seats && !this.errands?.far) holdingFocus(this, update);
    else update();
    if (view && view !== this.view && this.view !== "table") focusHeading(this.querySelector(".setup h2"));
    const { board } = this;
    if (!board) return;
    board.show(this.svg);
    board.tapped = (spots) => this.tapped(spots);
    this.light();
  }

  light() {
    const left = this.isHandedOver || this.errand ? [] : waysWith(this.ways, this.chosen);
    this.board?.light(nextTargets(left, this.chosen), this.chosen, this.pointed);
  }

  bar() {
    const wrong = this.gone || this.seats ? "" : this.failed;
    const says = this.gone ? t("play.gone") : wrong || (store.isKept() ? "" : t("kept.not"));
    return h("div", { role: "status", key: "bar", class: says ? (wrong ? "bar wrong" : "bar quiet") : "" }, says && h("div", { class: "wrap" }, icon(this.gone ? "cut" : "warn"), h("p", {}, says), this.gone && h("button", { type: "button", class: "link", on: { click: () => this.hasten() } }, t("play.again"))));
  }

  /** @param {import("./play/door.js").Seats} seats_ */
  door(seats_) {
    const go = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.begin();
    };
    return h("main", { class: "wrap door", key: "door" }, h("form", { class: "setup", on: { submit: go } }, this.failed && h("p", { class: "finding", role: "alert" }, this.failed), seats_.form(() => this.show()), h("div", { class: "go" }, seats_.more(() => this.show()), h("button", { type: "submit", class: "button main" }, t("play.begin")))), this.errands ? this.errands.door(() => this.wanted()) : this.far(), this.keptGames?.(this.game, () => this.show()));
  }

  /** What leads to a table whose players sit far apart. */
  far() {
    return h("section", { class: "setup errand", key: "far", "aria-labelledby": "far" }, h("h2", { id: "far" }, t("play.distance.title")), h("p", { class: "small" }, t("play.distance.text")), h("p", {}, h("button", { type: "button", key: "distance", class: "button wide", on: { click: () => void this.guarded(async () => void (await this.atDistance())) } }, t("play.distance"))));
  }

  body() {
    const { table, seen } = this;
    if (!table || !seen) {
      return h("main", { class: "wrap playing", key: "waiting" }, h("p", { role: "status" }, this.slow ? t("checking") : ""), table && this.failed && h("p", {}, h("button", { type: "button", class: "button main", on: { click: () => void this.sit(table).then(() => this.toTurn()) } }, t("play.again"))));
    }
    const { errand } = this;
    const isOver = table.decision.actor === "none" && (!errand || !!table.result);
    return h(
      "main",
      { class: "wrap playing", key: "playing" },
      this.errands?.notice(),
      isOver && [this.ending?.(table), this.parting()],
      !isOver && this.standing(table, seen),
      h("div", { class: "halves", key: "halves" }, this.drawn(), errand ? this.errands?.aside(errand) : isOver ? null : this.isHandedOver ? this.handOver(table, seen) : this.deciding(table, seen), log({ seen: (isOver && this.marked?.(seen, table.result)) || seen, names: table.names, game: this.game, whole: this.whole, all: () => this.tell({ whole: true }), later: table.later.at(-1), goTo: table.goTo ? (ply) => void this.goTo(ply) : undefined })),
    );
  }

  /** The picture, and the same in words. */
  drawn() {
    const ratio = proportion(this.svg).toFixed(4);
    const toggle = (/** @type {any} */ event) => {
      store.remembered("play.worded", event.target.open ? "yes" : "no");
      if (this.worded !== event.target.open) this.tell({ worded: event.target.open });
    };
    return h(
      "div",
      { class: "drawn", key: "drawn", style: { "--ratio": ratio } },
      h("div", { class: "frame", style: { "aspect-ratio": `1 / ${ratio}` } }, h("game-board", {})),
      h("details", { class: "in-words", open: this.worded, on: { toggle } }, h("summary", {}, t("play.words")), this.worded && this.svg && outline({ ...inWords(this.svg), title: "" })),
    );
  }

  /**
   * @param {Table} table
   * @param {Seen} seen
   */
  standing(table, seen) {
    const laid = STANDING[this.game]?.(table.derived) ?? [];
    const totals = table.names.map((_, seat) => seen.steps.flatMap(({ events }) => events).reduce((sum, event) => sum + (event.seat === seat ? Number(event.points ?? 0) : 0), laid[seat] ?? 0));
    return players({ names: table.names, totals, stale: false }, { chosen: undefined, wrong: new Set(), typed: () => true });
  }

  /** What can be done with a game that is over. */
  parting() {
    return h(
      "p",
      { class: "repairs no-print", key: "parting" },
      h("button", { type: "button", class: "button main", on: { click: () => void this.away("view") } }, t("play.view")),
      h("button", { type: "button", class: "button", on: { click: () => void this.away("copyLink") } }, t("play.link")),
      h("button", { type: "button", class: "button", on: { click: () => this.leave() } }, t("play.new")),
      h("span", { class: "small", role: "status" }, this.news?.text ?? ""),
    );
  }

  /**
   * The device goes to somebody else: until they say so, only what everybody knows is shown.
   * @param {Table} table
   * @param {Seen} seen
   */
  handOver(table, seen) {
    const seat = Number(table.decision.seat);
    const name = table.names[seat];
    return h(
      "section",
      { class: "turn", key: "hand-over", "aria-labelledby": "turn" },
      h("h2", { id: "turn", tabindex: -1 }, mark(seat), t("play.hand-over", { name })),
      this.latest(seen),
      h("div", { role: "status", class: this.news ? "news" : "" }, this.news?.text),
      h("p", {}, t("play.hand-over.text")),
      h("div", { class: "ways" }, h("button", { type: "button", class: "button main", on: { click: () => void this.guarded(() => this.look(seat)).then(() => this.toTurn()) } }, t("play.here", { name }))),
    );
  }

  /** @param {Seen} seen */
  latest(seen) {
    const events = newSteps(seen.steps, this.viewer).slice(-LATEST).flatMap((step) => step.events);
    return events.length > 0 && h("p", { class: "latest" }, events.map((event) => sentence(event.text)).join(" "));
  }

  /**
   * What is to be decided, what is chosen so far, and every move that can be said in a sentence.
   * @param {Table} table
   * @param {Seen} seen
   */
  deciding(table, seen) {
    const { chosen, news } = this;
    const seat = Number(table.decision.seat);
    const left = waysWith(this.ways, chosen);
    const shown = waysToSay(left, chosen, FEW);
    const next = [...nextTargets(left, chosen)];
    const act = (/** @type {Move} */ move, /** @type {string} */ text, /** @type {boolean} */ isOnly) => h("button", { type: "button", key: JSON.stringify(move), class: isOnly ? "button main" : "button", on: { click: () => void this.play(move) } }, text);
    return h(
      "section",
      { class: "turn", key: "turn", "aria-labelledby": "turn", "aria-busy": this.slow },
      h("h2", { id: "turn", tabindex: -1 }, mark(seat), t("play.decides", { name: table.names[seat], decision: t(`decision.${table.decision.kind}`) })),
      chosen.length === 0 && this.latest(seen),
      h(
        "div",
        { role: "status", class: news ? "news" : "hint" },
        h("p", {}, this.slow ? t("checking") : (news?.text ?? this.hint(left, shown, next)), news?.rule && [" ", ruleLink(this.game, news.rule, t("rule"))]),
        news?.tries && h("ul", {}, news.tries.map(({ move, why, rule }) => h("li", {}, h("b", {}, move), " ", why, " ", ruleLink(this.game, rule, t("rule"))))),
      ),
      chosen.length > 0 &&
        h(
          "div",
          { class: "chips", role: "group", "aria-label": t("play.chosen"), "data-group": "" },
          chosen.map((target, at) => h("button", { type: "button", key: `${target} ${at}`, "aria-label": t("play.without", { what: this.called(target) }), on: { click: () => this.choose(chosen.filter((_, index) => index !== at)) } }, this.called(target), icon("close"))),
        ),
      h("div", { class: "ways moves" }, news?.also && act(news.also.move, news.also.text, true), byNumber(shown).map((group) => (group.label ? this.numbers(group) : act(group.ways[0].move, sentence(group.ways[0].text), shown.length === 1 && (chosen.length > 0 || !next.length))))),
      !seen.complete && chosen.length > 0 && h("div", { class: "ways" }, h("button", { type: "button", key: "judge", class: "button", on: { click: () => void this.judge() } }, t("play.judge"))),
      next.length > 0 && this.list(next),
    );
  }

  /** Moves of which only a number is still to be chosen: a sentence, and below it the numbers. @param {import("./play/choice.js").Group} group */
  numbers({ label, ways, numbers }) {
    const heading = sentence(label);
    return h(
      "div",
      { key: heading, role: "group", "aria-label": heading },
      h("p", { "aria-hidden": "true" }, heading),
      h("div", { class: "row" }, ways.map(({ move, text }, at) => h("button", { type: "button", key: JSON.stringify(move), class: "button", "aria-label": sentence(text), on: { click: () => void this.play(move) } }, numbers[at]))),
    );
  }

  /**
   * @param {readonly Way[]} left
   * @param {readonly Way[]} shown
   * @param {string[]} next
   */
  hint(left, shown, next) {
    if (!this.seen?.complete) return t("play.incomplete", { ways: this.ways.length });
    if (!next.length) return this.chosen.length || shown.length > 1 ? t("play.say") : "";
    return this.chosen.length ? t("play.more", { ways: left.length }) : t("play.tap");
  }

  /** The same as the picture offers, as buttons. @param {string[]} next */
  list(next) {
    const groups = new Map();
    for (const target of next) {
      const within = this.board?.around(target) ?? "";
      groups.set(within, [...(groups.get(within) ?? []), target]);
    }
    const point = (/** @type {string | undefined} */ pointed) => {
      this.pointed = pointed;
      this.light();
    };
    return h(
      "details",
      { class: "list", key: "list", open: this.listed, on: { toggle: (/** @type {any} */ event) => store.remembered("play.listed", (this.listed = event.target.open) ? "yes" : "no") } },
      h("summary", {}, t("play.list", { number: next.length })),
      [...groups].map(([within, targets]) =>
        h(
          "div",
          { key: within },
          within && h("p", { class: "label" }, within),
          h("div", { class: "chips", role: "group", "aria-label": within || t("play.list", { number: targets.length }), "data-group": "" }, targets.map((/** @type {string} */ target) => h("button", { type: "button", key: target, on: { click: () => this.choose(chosenWith(this.ways, this.chosen, target)), focus: () => point(target), blur: () => point(undefined), pointerenter: () => point(target), pointerleave: () => point(undefined) } }, this.called(target)))),
        ),
      ),
    );
  }

  /** @param {string} target */
  called(target) {
    const spot = this.board?.spots.find((one) => isMeant(one, target));
    return spot ? this.nameOf(spot) : target;
  }

  /** What something on the table is called; of a card in a hand the picture also says who knows it. @param {import("./play/board.js").Drawn} spot */
  nameOf({ place, token, title }) {
    const name = token && place.endsWith("/hand") && tokenName(this.game, token);
    return name ? name.charAt(0).toLocaleUpperCase(language) + name.slice(1) : title;
  }
}

/**
 * Acts after some seconds, but no later than when the browser is online again.
 * @param {number} seconds
 * @param {(now?: any) => void} act
 * @returns {() => void} what acts at once
 */
function until(seconds, act) {
  setTimeout(act, 1000 * seconds);
  addEventListener("online", act, { once: true });
  return act;
}

customElements.define("game-table", GameTable);
