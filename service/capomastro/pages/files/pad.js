// The score pad of a game: what all games share. What differs stands in games/<game>.js.

import { download, keptDialog, openDialog, openQuestion } from "./dialogs.js";
import { isolated } from "./direction.js";
import { focusHeading, h, holdingFocus, moveInGroup, patch, steadily, tendGroups } from "./dom.js";
import { icon, mark } from "./icons.js";
import { unpacked } from "./link.js";
import { check, idOf, message, players, replaced } from "./parts.js";
import { result, seatsToAsk } from "./result.js";
import { Scorer, rulesOf } from "./service.js";
import { header, openMenu, toStart } from "./shell.js";
import * as store from "./store.js";
import { has, keepLanguage, language, list, loadWords, number, t } from "./words.js";

/** @typedef {import("./game.js").GamePad} GamePad */
/** @typedef {import("./game.js").Context} Context */
/** @typedef {import("./game.js").Entry} Entry */
/** @typedef {import("./service.js").Finding} Finding */
/** @typedef {{names: string[], options: {[key: string]: boolean}, order: (number | null)[], of?: string}} Setup who plays; `of` an existing table */

const MOST_CHARACTERS = 60;
/** The heading of each view. */
const HEADINGS = { setup: ".setup h2", result: "main h1", pad: "header h1" };
/** So many fields are named when something is missing, or all if there are no more. */
const MOST_MISSING = 5;

class ScorePad extends HTMLElement {
  /** @type {GamePad} */
  game = /** @type {any} */ (undefined);
  /** @type {store.Table | undefined} */
  table;
  /** @type {Setup | undefined} */
  setup;
  /** Whether the table is somebody's link, and not kept here. */
  shared = false;
  badLink = false;
  /** @type {{say: string, undo: boolean} | undefined} */
  news;
  newsSeconds = 6;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  newsTimer;
  /** @type {import("./service.js").Scored | undefined} the latest result, kept while something cannot be */
  last;
  /** @type {import("./service.js").Answer | undefined} the latest to the table as a finished one */
  whole;
  /** @type {number[]} the seats that are asked for what breaks a tie, until their reader is done with it */
  tieSeats = [];

  async connectedCallback() {
    if (keepLanguage(store.remembered)) return;
    this.id_ = this.getAttribute("game") ?? "";
    const [fewest, most] = (this.getAttribute("players") ?? "2-4").split("-").map(Number);
    this.counts = { fewest, most };
    const files = this.getAttribute("files") ?? "";
    const [, module] = await Promise.all([loadWords(files, this.id_), import(`./games/${this.id_}.js`)]);
    this.game = module.default;
    this.scorer = new Scorer(this.id_, () => this.answered());
    document.addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("popstate", () => void this.arrive());
    addEventListener("storage", () => this.reread());
    addEventListener("pageshow", (event) => event.persisted && this.reread());
    await this.arrive();
    if (!this.isResult) setTimeout(() => void this.learnRules(), 800);
  }
  /** @type {Map<string, import("./service.js").Rule> | undefined} */
  rules;

  /** Fetches what rules say: not before the points, but before the service might be gone. */
  async learnRules() {
    if (this.rules?.size) return;
    this.rules = await rulesOf(this.id_);
    this.show();
  }

  id_ = "";
  counts = { fewest: 2, most: 4 };
  /** @type {Scorer} */
  scorer = /** @type {any} */ (undefined);

  /** What the address says: a link with a table in it, a kept table, else the one that is still typed in. */
  async arrive() {
    const hash = location.hash.slice(1);
    const before = this.table?.id;
    this.badLink = false;
    this.news = undefined;
    if (hash && hash !== "result" && hash !== "pad") {
      try {
        const sheet = /** @type {any} */ (await unpacked(hash));
        if (sheet?.game !== this.id_ || !Array.isArray(sheet.seats)) throw new Error("another document");
        const names = sheet.seats.map((/** @type {any} */ seat, /** @type {number} */ at) => String(seat.name ?? t("player.number", { number: at + 1 })).slice(0, MOST_CHARACTERS));
        const { draft, cursor } = this.game.opened(sheet);
        const table = store.begun(this.id_, names, draft, cursor);
        this.table = { ...table, finished: true, empty: this.silent(table) };
        this.shared = true;
      } catch {
        this.badLink = true;
      }
    } else {
      this.shared = false;
    }
    if (!this.shared) {
      const linked = new URL(location.href).searchParams.get("table");
      const kept = (linked && store.tableOf(linked)) || (this.table && store.tableOf(this.table.id)) || store.openTable(this.id_);
      this.table = kept && kept.game === this.id_ ? kept : undefined;
    }
    if (!this.table) this.beginSetup();
    else this.setup = undefined;
    if (this.table && !this.shared) this.address(this.table.id, hash === "result" && this.isComplete(this.table) ? "result" : "");
    if (this.table?.id !== before) this.scorer.forget();
    this.last = this.table && !this.shared ? lastScored(this.table.id) : undefined;
    this.whole = undefined;
    this.tieSeats = [];
    this.style.minHeight = "";
    this.ask();
    if (this.scorer.fresh) this.answered();
    else this.show();
  }

  /**
   * The address says which table is shown: it is found again on reload, finished or not.
   * @param {string} id of a kept table
   * @param {string} [hash]
   */
  address(id, hash = "") {
    const address = new URL(location.href);
    if (id) address.searchParams.set("table", id);
    else address.searchParams.delete("table");
    address.hash = hash;
    history.replaceState(null, "", address);
  }

  /** Another page of this browser may have changed the table, be it while this one was only in the history. */
  reread() {
    const kept = !this.shared && this.table && store.tableOf(this.table.id);
    if (!kept || JSON.stringify(kept) === JSON.stringify(this.table)) return;
    this.table = kept;
    this.ask();
    this.show();
  }

  get isResult() {
    return !this.setup && (this.shared || (location.hash === "#result" && !!this.table));
  }

  /** What the players are called in sentences. */
  get names() {
    return this.written.map(isolated);
  }

  /** The same as data. Wherever it matters who is meant, equal names are told apart. */
  get written() {
    return toldApart(this.table?.names ?? []);
  }

  // --- entries -------------------------------------------------------------------------------------------------------

  /** @param {Entry} entry */
  enter(entry) {
    if (!this.table) return;
    const { say, ...after } = this.game.enter(this.table.draft, this.table.cursor, entry, this.names);
    const before = this.table;
    this.table = store.entered(this.table, after);
    this.news = undefined;
    if (say) this.tell(say, this.table.draft !== before.draft);
    this.changed();
  }

  undo() {
    if (!this.table?.undo.length) return this.tell(t("undo.nothing"), false);
    this.table = store.undone(this.table);
    this.news = undefined;
    this.changed();
  }

  changed() {
    if (this.table && !this.shared) store.keep(this.table);
    this.ask();
    this.show();
    this.querySelector(".table-part [data-row] [aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {string} say @param {boolean} undo */
  tell(say, undo) {
    this.news = { say, undo };
    clearTimeout(this.newsTimer);
    this.newsTimer = setTimeout(() => this.endNews(), this.newsSeconds * 1000);
    this.show();
  }

  /** What was said goes, but never while the reader is about to tap its button. */
  endNews() {
    const inUse = this.querySelector(".message.news:hover, .message.news:focus-within");
    if (inUse) this.newsTimer = setTimeout(() => this.endNews(), 1000);
    else this.news = undefined;
    this.show();
  }

  /** Has the table scored as it is: as that of a finished game once everything is there and the result is looked at. */
  ask() {
    if (!this.table) return;
    const sheet = this.game.sheet(this.table.draft, this.written);
    const whole = this.isResult && !this.game.untyped(this.table.draft).length;
    if (whole) this.scorer.score({ scoresheet: sheet });
    else this.scorer.score({ scoresheet: { ...sheet, unfinished: true } });
  }

  answered() {
    const answer = this.scorer.answer;
    const scored = answer?.result ?? answer?.outcomes?.[0]?.result;
    if (scored) this.keepLast(scored);
    if (this.isResult && this.scorer.fresh) this.whole = answer;
    if (this.isResult) void this.learnRules();
    if (this.isResult && answer) this.askFor(seatsToAsk(this.game, this.context, answer));
    if (this.isResult && this.table && answer?.result && this.scorer.fresh && !this.shared) {
      const totals = answer.result.players.map((player) => player.total);
      const done = { ...this.table, finished: true, totals };
      if (JSON.stringify(done) !== JSON.stringify(this.table)) store.keep((this.table = done));
    }
    this.show();
  }

  /** It stands beside the players while the table cannot be, or while nobody answers, after a reload too. @param {import("./service.js").Scored} scored */
  keepLast(scored) {
    this.last = scored;
    if (this.table && !this.shared) store.remembered(`scored.${this.table.id}`, JSON.stringify(scored));
  }

  /** @param {number[]} seats that are asked for what breaks a tie, besides those that are already */
  askFor(seats) {
    this.tieSeats = [...new Set([...this.tieSeats, ...seats])].sort();
  }

  /** @returns {Finding[]} */
  get findings() {
    return this.scorer.answer?.findings ?? [];
  }

  /** @returns {Context} */
  get context() {
    const table = /** @type {store.Table} */ (this.table);
    const { draft } = table;
    const lasting = this.last?.players.length === table.names.length ? this.last.players : [];
    return {
      game: this.id_,
      names: this.names,
      written: this.written,
      draft,
      cursor: table.cursor,
      enter: (entry) => this.enter(entry),
      tell: (say) => this.tell(say, false),
      finish: () => this.toResult(),
      lines: table.names.map((_, seat) => lasting[seat]?.lines ?? []),
      totals: table.names.map((_, seat) => lasting[seat]?.total),
      stale: !!this.scorer.gone || (!this.scorer.answer?.result && !this.scorer.answer?.outcomes && this.last !== undefined),
      wording: (rule) => this.rules?.get(rule)?.wording,
      found: (field) => this.findings.filter((one) => this.game.fieldOf(one.pointer ?? "", draft) === field),
    };
  }

  /** @param {string} field */
  goTo(field) {
    if (!this.table) return;
    this.table = { ...this.table, cursor: this.game.goTo(field, this.table.draft, this.table.cursor) };
    this.news = undefined;
    if (!this.shared) store.keep(this.table);
    this.show();
    const finding = document.getElementById(idOf("finding", field));
    const at = this.querySelector(`[aria-describedby="${idOf("finding", field)}"]`) ?? this.querySelector(".pad-part [aria-pressed=true], .pad-part button");
    (finding ?? at)?.scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null} */ (at)?.focus({ preventScroll: !!finding });
  }

  /**
   * The players of whom nothing is typed in, though nobody has said that there is nothing.
   * @param {store.Table} table
   */
  silent({ names, draft, empty = [] }) {
    return [...names.keys()].filter((seat) => !this.game.isTyped(draft, seat) && !empty.includes(seat));
  }

  /** Whether the result can be looked at: whatever it needs is typed in, or was looked at already. @param {store.Table} table */
  isComplete(table) {
    return table.finished || (!this.game.untyped(table.draft).length && !this.silent(table).length);
  }

  /** Whether there really is nothing of these players is asked once. @param {number[]} seats */
  askForNothing(seats) {
    const { table } = this;
    if (!table) return;
    const names = list(seats.map((seat) => this.names[seat]));
    openQuestion({
      title: t("nothing.title"),
      text: t("nothing.text", { names }),
      answers: [
        {
          text: t("nothing.zero"),
          act: () => {
            this.table = { ...table, empty: [...(table.empty ?? []), ...seats] };
            store.keep(this.table);
            this.toResult();
          },
        },
        { text: t("nothing.type"), act: () => this.goTo(this.game.beginningOf(seats[0])) },
      ],
    });
  }

  /** To the result; to what is missing or cannot be if there is such a thing. */
  toResult() {
    if (!this.table) return;
    const wrong = this.findings[0];
    if (wrong) return this.goTo(this.game.fieldOf(wrong.pointer ?? "", this.table.draft));
    const untyped = this.game.untyped(this.table.draft);
    if (untyped.length) {
      this.goTo(untyped[0]);
      return this.tell(this.missing(untyped), false);
    }
    const silent = this.silent(this.table);
    if (silent.length) return this.askForNothing(silent);
    location.hash = "result";
  }

  /** What is missing, as a sentence; of much, the first. @param {string[]} untyped fields */
  missing(untyped) {
    const table = /** @type {store.Table} */ (this.table);
    const named = untyped.map((field) => this.game.nameOf(field, this.names, table.draft));
    if (named.length <= MOST_MISSING) return t("untyped", { fields: list(named) });
    return t("untyped.more", { fields: named.slice(0, MOST_MISSING).join(", "), more: named.length - MOST_MISSING });
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (document.querySelector("dialog[open]")) return;
    moveInGroup(event);
    const inField = /** @type {HTMLElement} */ (event.target).matches("input, textarea");
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !inField) {
      event.preventDefault();
      return this.undo();
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || inField || !this.table || this.isResult || this.setup) return;
    if ((event.key === "Enter" || event.key === " ") && !/** @type {HTMLElement} */ (event.target).matches("[data-types]")) return;
    const entry = this.game.key(event.key, this.table.draft, this.table.cursor);
    if (!entry) return;
    event.preventDefault();
    this.enter(entry);
  }

  // --- who plays -----------------------------------------------------------------------------------------------------

  beginSetup() {
    const last = store.tables().find((table) => table.game === this.id_);
    const names = last?.names.slice(0, this.counts.most) ?? ["", ""];
    this.setup = { names, options: {}, order: names.map((_, seat) => seat) };
  }

  changePlayers() {
    if (!this.table) return;
    this.setup = { names: this.table.names, options: {}, order: this.table.names.map((_, seat) => seat), of: this.table.id };
    this.show();
  }

  startTable() {
    if (!this.setup) return;
    const { options, order, of } = this.setup;
    this.news = undefined;
    const names = this.setup.names.map((name, seat) => name.trim().slice(0, MOST_CHARACTERS) || t("player.number", { number: seat + 1 }));
    store.names(this.setup.names.map((name) => name.trim()).filter(Boolean));
    if (of && this.table) {
      const kept = order.length === this.table.names.length && order.every((seat, at) => seat === at);
      const draft = kept ? this.table.draft : this.game.reseated(this.table.draft, order);
      this.table = { ...this.table, names, draft, cursor: kept ? this.table.cursor : this.game.begin(names.length, {}).cursor, undo: kept ? this.table.undo : [], finished: false, empty: reseated(this.table.empty ?? [], order) };
      this.address(this.table.id, location.hash === "#result" && this.isComplete(this.table) ? "result" : "");
    } else {
      const chosen = Object.fromEntries(this.game.options.map(({ key, players: fits }) => [key, !!options[key] && (!fits || fits.includes(names.length))]));
      const { draft, cursor } = this.game.begin(names.length, chosen);
      this.table = store.begun(this.id_, names, draft, cursor);
      this.address(this.table.id);
    }
    this.setup = undefined;
    this.scorer.forget();
    this.last = undefined;
    store.remembered(`scored.${this.table.id}`, "");
    this.shared = false;
    this.style.minHeight = "";
    this.changed();
    this.toTop();
  }

  setupView() {
    const setup = /** @type {Setup} */ (this.setup);
    const change = (/** @type {Partial<Setup>} */ part) => {
      this.setup = { ...setup, ...part };
      this.show();
    };
    const free = store.names().filter((name) => !setup.names.includes(name));
    const rename = (/** @type {number} */ seat, /** @type {string} */ name) => change({ names: replaced(setup.names, seat, name) });
    const pick = (/** @type {string} */ name) => {
      const empty = setup.names.findIndex((one) => !one.trim());
      if (empty >= 0) rename(empty, name);
      else if (setup.names.length < this.counts.most) change({ names: [...setup.names, name], order: [...setup.order, null] });
    };
    const without = (/** @type {number} */ seat) => change({ names: setup.names.filter((_, at) => at !== seat), order: setup.order.filter((_, at) => at !== seat) });
    const fitting = setup.of ? [] : this.game.options.filter(({ players: fits }) => !fits || fits.includes(setup.names.length));
    return h(
      "form",
      {
        class: "setup",
        key: "setup",
        on: {
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.startTable();
          },
        },
      },
      this.badLink && h("p", { class: "finding", role: "alert" }, t("link.bad")),
      h("h2", {}, t("setup.title")),
      h("p", { class: "small" }, t(`setup.text`, this.counts)),
      h(
        "ol",
        {},
        setup.names.map((name, seat) =>
          h(
            "li",
            { key: `seat${seat}` },
            mark(seat),
            h("input", { type: "text", dir: "auto", value: name, maxlength: MOST_CHARACTERS, autocomplete: "off", "aria-label": t("player.number", { number: seat + 1 }), placeholder: t("player.number", { number: seat + 1 }), on: { input: (/** @type {any} */ event) => rename(seat, event.target.value) } }),
            setup.names.length > this.counts.fewest && h("button", { type: "button", class: "icon", "aria-label": t("setup.without", { name: name || t("player.number", { number: seat + 1 }) }), on: { click: () => without(seat) } }, icon("close")),
          ),
        ),
      ),
      free.length > 0 && [h("p", { class: "label", id: "known-names" }, t("setup.known")), h("div", { class: "chips", role: "group", "aria-labelledby": "known-names" }, free.slice(0, 12).map((name) => h("button", { type: "button", key: name, on: { click: () => pick(name) } }, name)))],
      setup.names.length < this.counts.most && h("div", { class: "go add", key: "add" }, h("button", { type: "button", class: "button", on: { click: () => change({ names: [...setup.names, ""], order: [...setup.order, null] }) } }, icon("plus"), t("setup.add"))),
      fitting.map(({ key }) => check(t(`${this.id_}.option.${key}`), !!setup.options[key], () => change({ options: { ...setup.options, [key]: !setup.options[key] } }))),
      h("div", { class: "go" }, h("button", { type: "submit", key: "go", class: "button main" }, t("setup.go"))),
    );
  }

  // --- views ---------------------------------------------------------------------------------------------------------

  /** What was shown last. @type {keyof HEADINGS | undefined} */
  view;

  show() {
    if (!this.game) return;
    const { view } = this;
    this.view = this.setup ? "setup" : this.isResult ? "result" : "pad";
    const isAtHeading = document.activeElement?.matches("h1");
    const body = this.setup ? h("main", { class: "wrap", key: "main" }, this.setupView()) : this.isResult ? this.resultView() : this.padView();
    const update = () => {
      steadily(this, () => patch(this, [this.header(), this.bars(), body]));
      tendGroups(this);
    };
    holdingFocus(this, update);
    if (view && (view !== this.view || (isAtHeading && !document.activeElement?.matches("h1")))) focusHeading(this.querySelector(HEADINGS[this.view]));
    const title = t(`${this.id_}.title`);
    document.title = `${this.isResult ? t("result.of", { game: title }) : `${title} · ${t("start.score")}`} · capomastro`;
  }

  header() {
    const title = t(`${this.id_}.title`);
    const back = this.isResult && !this.shared;
    const blocked = this.findings.length > 0 || (this.table ? this.game.untyped(this.table.draft).length > 0 : true);
    const tools = this.table && !this.setup && !this.isResult;
    return header({
      back: back ? { href: "#pad", label: t("back.pad") } : toStart(),
      title: this.isResult ? t("result.of", { game: title }) : tools && has(`${this.id_}.short`) ? [h("span", { class: "whole" }, title), h("span", { class: "brief", "aria-hidden": "true" }, t(`${this.id_}.short`))] : title,
      isHeading: !this.isResult,
      tools: tools && [
        h("button", { type: "button", key: "undo", class: "icon", "aria-label": t("undo"), "aria-disabled": this.table?.undo.length ? undefined : "true", on: { click: () => this.undo() } }, icon("undo")),
        h("button", { type: "button", key: "result", class: blocked ? "button small-one" : "button small-one main", on: { click: () => this.toResult() } }, t("result")),
      ],
      menu: () => this.menu(),
    });
  }

  bars() {
    const { gone, back, busy } = this.scorer;
    const time = (/** @type {Date} */ when) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(when);
    const recently = back && Date.now() - back.getTime() < 60_000;
    const says = gone ? t("gone", { time: time(gone) }) : recently ? t("gone.back", { time: time(back) }) : busy ? t("checking") : store.isKept() ? "" : t("kept.not");
    const wrong = this.setup || !this.table ? [] : this.fieldsFound();
    return h(
      "div",
      { key: "bars" },
      h("div", { role: "status", class: says ? "bar quiet" : "" }, says && h("div", { class: "wrap" }, icon(gone || recently || busy ? "cut" : "warn"), h("p", {}, says))),
      h(
        "div",
        { role: "status", class: wrong.length ? "bar wrong" : "" },
        wrong.length > 0 &&
          h("div", { class: "wrap" }, icon("warn"), h("p", {}, t("wrong.places", { places: wrong.length })), h("button", { type: "button", class: "link", on: { click: () => this.toFirstWrong() } }, t("wrong.first"))),
      ),
    );
  }

  fieldsFound() {
    const draft = this.table?.draft;
    return [...new Set(this.findings.map((one) => this.game.fieldOf(one.pointer ?? "", draft)))];
  }

  toFirstWrong() {
    if (this.isResult) location.hash = "pad";
    setTimeout(() => this.goTo(this.fieldsFound()[0]), 0);
  }

  padView() {
    const context = this.context;
    const { table } = this;
    if (!table) return null;
    const wrong = new Set(this.fieldsFound().map((field) => this.game.seatOf(field)).filter((seat) => seat !== undefined));
    const chosen = this.game.common ? undefined : table.cursor.seat;
    const row = { chosen, choose: this.game.common ? undefined : (/** @type {number} */ seat) => this.enter({ type: "choose-seat", seat }), wrong: /** @type {Set<number>} */ (wrong), typed: (/** @type {number} */ seat) => this.game.isTyped(table.draft, seat) };
    return h(
      "main",
      { class: "wrap layout", key: "pad" },
      h("div", { class: "table-part" }, this.badLink && h("p", { class: "finding", role: "alert" }, t("link.bad")), this.game.ownRow ? null : players(context, row), h("div", { id: "table", ...(this.game.common ? {} : { role: "tabpanel", "aria-labelledby": `tab-${chosen}` }) }, this.game.picture(context)), this.standing(context)),
      h("div", { class: "pad-part" }, message(this.game.hint(context), this.news, () => this.undo()), h("div", { class: "pad", role: "group", "aria-label": t("pad") }, this.game.pad(context))),
    );
  }

  /** @param {Context} context */
  standing(context) {
    return h(
      "section",
      { class: "standing" },
      h("h2", {}, t("so-far")),
      h(
        "ul",
        {},
        context.names.map((name, seat) => {
          const typed = this.game.isTyped(context.draft, seat);
          const total = typed ? context.totals[seat] : undefined;
          const points = total === undefined ? "" : context.lines[seat].map((line) => number(line.points)).join(" · ");
          return h("li", { key: `s${seat}` }, mark(seat), h("span", {}, name, h("br"), h("span", { class: "small" }, typed ? points : t("nothing-typed"))), h("b", {}, total === undefined ? "–" : number(total)));
        }),
      ),
    );
  }

  resultView() {
    const table = /** @type {store.Table} */ (this.table);
    return result(this.game, this.context, table, this.whole, {
      shared: this.shared,
      before: this.last,
      tieSeats: this.tieSeats,
      askFor: (seats) => {
        this.askFor(seats);
        this.show();
      },
      done: () => {
        this.tieSeats = [];
        this.show();
      },
      keep: () => {
        const kept = { ...table, finished: false };
        this.shared = false;
        store.keep(kept);
        this.table = kept;
        this.address(kept.id);
        void this.arrive().then(() => this.toTop());
      },
      another: () => this.another(),
      news: this.news,
      tell: (say) => this.tell(say, false),
    });
  }

  /** To the beginning of another view: what was tapped to get there is gone. */
  toTop() {
    window.scrollTo(0, 0);
    const first = /** @type {HTMLElement | null} */ (this.querySelector("main :is(button, input):not([tabindex='-1'])"));
    first?.focus({ preventScroll: true });
  }

  another() {
    this.address("");
    this.shared = false;
    this.beginSetup();
    this.table = undefined;
    this.show();
    window.scrollTo(0, 0);
  }

  menu() {
    const table = this.table;
    const own = table && !this.shared && !this.setup;
    openMenu([
      own && { text: t("menu.players"), act: () => this.changePlayers() },
      { text: t("menu.new"), act: () => this.another() },
      { text: t("kept.title"), act: () => openDialog(keptDialog()) },
      table && { text: t("menu.json"), act: () => download(`${this.id_}.json`, "application/json", JSON.stringify(this.game.sheet(table.draft, this.written), null, 1)) },
      { text: t("start.rules"), href: `/rules/${this.id_}?lang=${language}` },
      own && { text: t("menu.delete"), act: () => this.remove() },
    ]);
  }

  remove() {
    const table = this.table;
    if (!table) return;
    store.forget(table.id);
    this.another();
    openDialog({
      title: t("deleted"),
      content: () => [
        h("p", {}, t("deleted.text", { names: table.names.map(isolated).join(", ") })),
        h("p", { class: "pad-foot" }, h("button", { type: "button", class: "button", on: { click: () => this.restore(table) } }, t("undo"))),
      ],
    });
  }

  /** @param {store.Table} table */
  restore(table) {
    store.keep(table);
    document.querySelector("dialog")?.close();
    this.table = table;
    this.address(table.id);
    this.setup = undefined;
    this.changed();
  }
}

/**
 * Names as they are, and of players with the same name, each with their number.
 * @param {string[]} names
 */
function toldApart(names) {
  const folded = names.map((name) => name.toLocaleLowerCase(language));
  return names.map((name, seat) => (folded.filter((one) => one === folded[seat]).length > 1 ? `${name} (${seat + 1})` : name));
}

/**
 * Seats after players have come or gone.
 * @param {number[]} seats
 * @param {(number | null)[]} order the old seats in the new order; null for who is new
 */
function reseated(seats, order) {
  return order.flatMap((before, seat) => (before !== null && seats.includes(before) ? [seat] : []));
}

/**
 * What the service answered last of a table that can be.
 * @param {string} id of a kept table
 * @returns {import("./service.js").Scored | undefined}
 */
function lastScored(id) {
  const kept = store.remembered(`scored.${id}`);
  return kept ? JSON.parse(kept) : undefined;
}

customElements.define("score-pad", ScorePad);
