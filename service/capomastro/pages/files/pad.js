// The score pad: what all games share. What differs is in games/<game>.js.

import { download, openDialog, openQuestion } from "./dialogs.js";
import { isolated } from "./direction.js";
import { betweenTaps, focusHeading, h, holdingFocus, holdingScroll, moveInGroup, patch, updateTabStops } from "./dom.js";
import { icon, mark } from "./icons.js";
import { unpacked } from "./link.js";
import { checkbox, focusNewName, idOf, labelled, message, players, replaced } from "./parts.js";
import { Scorer, rulesOf } from "./service.js";
import { header, openMenu, startLink } from "./shell.js";
import * as store from "./store.js";
import { called, has, keepLanguage, language, list, loadWords, number, t, toldApart } from "./words.js";

/** @typedef {import("./game.js").GamePad} GamePad */
/** @typedef {import("./game.js").Context} Context */
/** @typedef {import("./game.js").Entry} Entry */
/** @typedef {import("./service.js").Finding} Finding */
/** @typedef {{names: string[], options: {[key: string]: boolean}, order: (number | null)[], of?: string}} Setup who plays; `of`: the id of the table that it changes, if any */

const MOST_CHARACTERS = 60;
/** The heading of each view. */
const HEADINGS = { setup: ".setup h2", result: "main h1", pad: "header h1" };
/** How many missing fields are named; the rest is counted. */
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
  /** @type {{say: string, act?: import("./game.js").Act, seat?: number} | undefined} `seat`: at whose form of a tie it is said */
  news;
  newsSeconds = 6;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  newsTimer;
  /** @type {import("./service.js").Scored | undefined} the latest result, shown while the table is impossible */
  last;
  /** @type {import("./service.js").Answer | undefined} the latest answer to the table as finished */
  finalAnswer;
  /** @type {number[]} the seats that are asked for what breaks a tie, until the user is done */
  tieSeats = [];

  async connectedCallback() {
    if (keepLanguage(store.setting)) return;
    this.gameId = this.getAttribute("game") ?? "";
    const [fewest, most] = (this.getAttribute("players") ?? "2-4").split("-").map(Number);
    this.counts = { fewest, most };
    const files = this.getAttribute("files") ?? "";
    const [, module] = await Promise.all([loadWords(files, this.gameId), import(`./games/${this.gameId}.js`)]);
    this.game = module.default;
    this.scorer = new Scorer(this.gameId, () => betweenTaps(() => this.answered()));
    document.addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("popstate", () => void this.route());
    addEventListener("storage", () => this.reread());
    addEventListener("pageshow", (event) => event.persisted && this.reread());
    await this.route();
    void this.loadResultPage();
  }
  /** Its module comes after the first paint. @type {typeof import("./result.js") | undefined} */
  resultPage;

  async loadResultPage() {
    this.resultPage ??= await import("./result.js").catch(() => undefined);
  }
  /** @type {Map<string, import("./service.js").Rule> | undefined} */
  rules;

  /** Fetches the wording of the rules, and the code for QR codes: after the first points, but early, since the service may be lost later. */
  async loadRules() {
    if (this.rules?.size || this.isLoadingRules) return;
    this.isLoadingRules = true;
    void import("./qr.js").catch(() => {});
    this.rules = await rulesOf(this.gameId);
    this.isLoadingRules = false;
    this.show();
  }
  isLoadingRules = false;

  gameId = "";
  counts = { fewest: 2, most: 4 };
  /** @type {Scorer} */
  scorer = /** @type {any} */ (undefined);

  /** Opens what the address names: a table in a link, a saved one, else the latest unfinished one. */
  async route() {
    const hash = location.hash.slice(1);
    const before = this.table?.id;
    /** @type {Setup | undefined} */
    const typed = store.handedOver();
    this.badLink = false;
    this.news = undefined;
    if (hash && hash !== "result" && hash !== "pad") {
      try {
        const sheet = /** @type {any} */ (await unpacked(hash));
        if (sheet?.game !== this.gameId || !Array.isArray(sheet.seats)) throw new Error("another document");
        const names = sheet.seats.map((/** @type {any} */ seat) => cut(String(seat.name ?? "")));
        const { draft, cursor } = this.game.draftOf(sheet);
        const table = store.newTable(this.gameId, names, draft, cursor);
        this.table = { ...table, finished: true, empty: this.withoutEntries(table) };
        this.shared = true;
      } catch {
        this.badLink = true;
        this.shared = false;
      }
    } else {
      this.shared = false;
    }
    if (!this.shared) {
      const linked = new URL(location.href).searchParams.get("table");
      const kept = (linked && store.tableOf(linked)) || (this.table && store.tableOf(this.table.id)) || store.unfinishedTable(this.gameId);
      this.table = kept && kept.game === this.gameId && (!typed || typed.of === kept.id) ? kept : undefined;
    }
    if (typed) this.setup = typed;
    else if (!this.table) this.beginSetup();
    else this.setup = undefined;
    if (this.table && !this.shared) this.updateAddress(this.table.id, hash === "result" && this.isComplete(this.table) ? "result" : "");
    if (this.table?.id !== before) this.scorer.reset();
    this.last = this.table && !this.shared ? lastScored(this.table.id) : undefined;
    this.finalAnswer = undefined;
    this.tieSeats = [];
    this.style.minHeight = "";
    this.ask();
    if (this.isResult) await this.loadResultPage();
    if (this.scorer.fresh) this.answered();
    else this.show();
  }

  /**
   * The address says which table is shown: it is found again on reload, finished or not.
   * @param {string} id of a kept table
   * @param {string} [hash]
   */
  updateAddress(id, hash = "") {
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
    const isReseated = String(kept.names) !== String(this.table?.names);
    this.table = kept;
    if (this.setup && isReseated) this.changePlayers(); // the form was about those who played before
    this.ask();
    this.show();
  }

  get isResult() {
    return !this.setup && (this.shared || (location.hash === "#result" && !!this.table));
  }

  /** The names for sentences. */
  get names() {
    return this.plainNames.map(isolated);
  }

  /** The names as data; equal ones are distinguished by numbers. */
  get plainNames() {
    return toldApart(called(this.table?.names ?? []));
  }

  // --- entries -------------------------------------------------------------------------------------------------------

  /** @param {Entry} entry */
  enter(entry) {
    if (!this.table) return;
    const { say, ...after } = this.game.enter(this.table.draft, this.table.cursor, entry, this.names);
    const before = this.table;
    this.table = store.entered(this.table, after);
    this.news = undefined;
    if (say) this.tell(say, this.table.draft !== before.draft ? { text: t("undo"), go: () => this.undo() } : undefined);
    this.changed();
  }

  undo() {
    if (!this.table?.undo.length) return this.tell(t("undo.nothing"));
    const { names } = this.table;
    this.table = store.undone(this.table);
    this.news = undefined;
    if (this.table.names !== names) this.#forgetScores(this.table.id);
    this.changed();
  }

  /** Drops all points: they are of other players. @param {string} id of the table */
  #forgetScores(id) {
    this.scorer.reset();
    this.last = undefined;
    store.setting(`scored.${id}`, "");
  }

  changed() {
    if (this.table && !this.shared) store.keep(this.table);
    this.ask();
    this.show();
    this.#showChosen();
  }

  /** Scrolls a row that is wider than the window to what is chosen in it. */
  #showChosen() {
    this.querySelector(".table-part [data-row] [aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {string} say @param {import("./game.js").Act} [act] @param {number} [seat] */
  tell(say, act, seat) {
    this.news = { say, act, seat };
    clearTimeout(this.newsTimer);
    this.newsTimer = setTimeout(() => this.endNews(), this.newsSeconds * 1000);
    this.show();
  }

  /** Removes the message, but never while the user is about to tap its button. */
  endNews() {
    const { news } = this;
    betweenTaps(() => {
      if (news !== this.news) return;
      const inUse = this.querySelector(".message.news:hover, .message.news:focus-within");
      if (inUse) this.newsTimer = setTimeout(() => this.endNews(), 1000);
      else this.news = undefined;
      this.show();
    });
  }

  /**
   * Has the table scored: as finished once nothing can be left to type in, or its result has been asked for; else, or if
   * anything is missing, as unfinished.
   */
  ask() {
    if (!this.table) return;
    const { draft, counted } = this.table;
    const sheet = this.game.sheet(draft, this.plainNames);
    const isWhole = () => !this.withoutEntries(/** @type {store.Table} */ (this.table)).length && (this.game.isWhole?.(draft) ?? true);
    const isFinished = !this.game.missingFields(draft).length && (this.isResult || counted || isWhole());
    this.scorer.score(isFinished ? sheet : { ...sheet, unfinished: true });
  }

  answered() {
    const answer = this.scorer.answer;
    const scored = answer?.result ?? answer?.outcomes?.[0]?.result;
    if (scored) this.keepLast(scored);
    if (this.isResult && this.scorer.fresh) this.finalAnswer = answer;
    if (scored?.players.some(({ lines }) => lines.length)) void this.loadRules();
    if (this.isResult && answer) this.askForTieBreak(this.resultPage?.seatsToAsk(this.game, this.context) ?? []);
    if (this.isResult && this.table && answer && this.scorer.fresh && !this.shared) {
      const finished = answer.result && { finished: true, totals: answer.result.players.map((player) => player.total) };
      const done = { ...this.table, counted: true, ...finished };
      if (JSON.stringify(done) !== JSON.stringify(this.table)) store.keep((this.table = done));
    }
    this.show();
  }

  /** For the row of players while the table is impossible or the service is lost, also after a reload. @param {import("./service.js").Scored} scored */
  keepLast(scored) {
    this.last = scored;
    if (this.table && !this.shared) store.setting(`scored.${this.table.id}`, JSON.stringify(scored));
  }

  /** @param {number[]} seats that are asked for what breaks a tie, in addition to those that already are */
  askForTieBreak(seats) {
    this.tieSeats = [...new Set([...this.tieSeats, ...seats])].sort();
  }

  /** What is wrong, as last answered; without that of entries that have changed since. @returns {Finding[]} */
  get findings() {
    const { answer } = this.scorer;
    if (!answer?.findings.length || !this.table) return [];
    const { draft } = this.table;
    const sheet = this.game.sheet(draft, this.plainNames);
    const isUnchanged = (/** @type {string} */ pointer) => JSON.stringify(valueAt(answer.sheet, pointer)) === JSON.stringify(valueAt(sheet, pointer));
    return answer.findings.filter(({ pointer = "" }) => this.game.fieldOf(pointer, draft) === "table" || isUnchanged(pointer));
  }

  /** @returns {Context} */
  get context() {
    const table = /** @type {store.Table} */ (this.table);
    const { draft } = table;
    const lasting = this.last?.players.length === table.names.length ? this.last.players : [];
    return {
      game: this.gameId,
      names: this.names,
      plainNames: this.plainNames,
      draft,
      cursor: table.cursor,
      enter: (entry) => this.enter(entry),
      tell: (say, act) => this.tell(say, act),
      finish: () => this.toResult(),
      change: (field) => void this.toPad(field),
      remove: (field) => {
        const entry = this.isResult ? undefined : this.game.removal?.(field);
        return entry && (() => this.enter(entry));
      },
      lines: table.names.map((_, seat) => lasting[seat]?.lines ?? []),
      totals: table.names.map((_, seat) => lasting[seat]?.total),
      stale: !!this.scorer.lostAt || (!this.scorer.answer?.result && !this.scorer.answer?.outcomes && this.last !== undefined),
      wording: (rule) => this.rules?.get(rule)?.wording,
      findingsAt: (field) => this.findings.filter((one) => this.game.fieldOf(one.pointer ?? "", draft) === field),
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
    const described = `[aria-describedby="${idOf("finding", field)}"]`;
    const at = this.querySelector(`:is(button, input)${described}, ${described} :is(button, input)`) ?? this.querySelector(".pad [aria-pressed=true], .pad button");
    this.#showChosen();
    at?.scrollIntoView({ block: "nearest", inline: "nearest" });
    finding?.scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null} */ (at)?.focus({ preventScroll: !!finding });
  }

  /**
   * The seats without entries that the user has not confirmed to have none.
   * @param {store.Table} table
   */
  withoutEntries({ names, draft, empty = [] }) {
    return [...names.keys()].filter((seat) => !this.game.hasEntries(draft, seat) && !empty.includes(seat));
  }

  /** Whether the result can be shown: it was shown before, or nothing is missing. @param {store.Table} table */
  isComplete(table) {
    return table.finished || (!this.game.missingFields(table.draft).length && !this.withoutEntries(table).length);
  }

  /** Asks once whether there really is nothing to enter for these players. @param {number[]} seats @param {boolean} anyway see `toResult` */
  confirmWithoutEntries(seats, anyway = false) {
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
            this.toResult(anyway);
          },
        },
        { text: t("nothing.type"), act: () => this.goTo(this.game.firstFieldOf(seats[0])) },
      ],
    });
  }

  /**
   * Goes to the result, or to the first entry that is missing or impossible.
   * @param {boolean} [anyway] to the result of an impossible table, too
   */
  toResult(anyway = false) {
    if (!this.table) return;
    const wrong = this.wrongFields().find((field) => !this.isForTie(field));
    if (wrong && !anyway) return this.goTo(wrong);
    const missing = this.game.missingFields(this.table.draft);
    if (missing.length) {
      this.goTo(missing[0]);
      return this.tell(this.missingText(missing));
    }
    const withoutEntries = this.withoutEntries(this.table);
    if (withoutEntries.length) return this.confirmWithoutEntries(withoutEntries, anyway);
    location.hash = "result";
  }

  /** A sentence that names what is missing, or the first of it. @param {string[]} missing fields */
  missingText(missing) {
    const table = /** @type {store.Table} */ (this.table);
    const named = missing.map((field) => this.game.nameOf(field, this.names, table.draft));
    if (named.length <= MOST_MISSING) return t("untyped", { fields: list(named) });
    return t("untyped.more", { fields: named.slice(0, MOST_MISSING).join(", "), more: named.length - MOST_MISSING });
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (document.querySelector("dialog[open]")) return;
    moveInGroup(event);
    if (this.setup || this.isResult || /** @type {HTMLElement} */ (event.target).matches("input, textarea")) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      return this.undo();
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.table) return;
    if ((event.key === "Enter" || event.key === " ") && !/** @type {HTMLElement} */ (event.target).matches("[data-types]")) return;
    const entry = this.game.key(event.key, this.table.draft, this.table.cursor);
    if (!entry) return;
    event.preventDefault();
    this.enter(entry);
  }

  // --- who plays -----------------------------------------------------------------------------------------------------

  beginSetup() {
    const last = store.tables().find((table) => table.game === this.gameId);
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
    const names = this.setup.names.map((name) => cut(name.trim()));
    store.names(this.setup.names.map((name) => name.trim()).filter(Boolean));
    if (of && this.table) {
      const kept = order.length === this.table.names.length && order.every((seat, at) => seat === at);
      const seated = kept ? this.table : store.reseated(this.table, this.game.reseated(this.table.draft, order), this.game.begin(names.length, {}).cursor);
      this.table = { ...seated, names, finished: false, counted: false, empty: reseated(this.table.empty ?? [], order) };
      this.updateAddress(this.table.id, location.hash === "#result" && this.isComplete(this.table) ? "result" : "");
    } else {
      const chosen = Object.fromEntries(this.game.options.map(({ key, players: fits }) => [key, !!options[key] && (!fits || fits.includes(names.length))]));
      const { draft, cursor } = this.game.begin(names.length, chosen);
      this.table = store.newTable(this.gameId, names, draft, cursor);
      this.updateAddress(this.table.id);
    }
    this.setup = undefined;
    this.#forgetScores(this.table.id);
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
    const add = () => {
      change({ names: [...setup.names, ""], order: [...setup.order, null] });
      focusNewName(this);
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
      setup.names.length < this.counts.most && h("div", { class: "go add", key: "add" }, h("button", { type: "button", class: "button", on: { click: add } }, icon("plus"), t("setup.add"))),
      fitting.map(({ key }) => checkbox(t(`${this.gameId}.option.${key}`), !!setup.options[key], () => change({ options: { ...setup.options, [key]: !setup.options[key] } }))),
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
      const draw = () => patch(this, [this.header(), this.bars(), body]);
      if (this.setup) draw();
      else holdingScroll(this, draw);
      updateTabStops(this);
    };
    holdingFocus(this, update);
    if (view && view !== this.view) scrollTo({ top: 0, behavior: "instant" });
    if (view && (view !== this.view || (isAtHeading && !document.activeElement?.matches("h1")))) focusHeading(this.querySelector(HEADINGS[this.view]));
    const title = t(`${this.gameId}.title`);
    document.title = `${this.isResult ? t("result.of", { game: title }) : `${title} · ${t("start.score")}`} · capomastro`;
  }

  header() {
    const title = t(`${this.gameId}.title`);
    const back = this.setup?.of || (this.isResult && !this.shared);
    const wrong = this.wrongFields().length;
    const blocked = wrong > 0 || (this.table ? this.game.missingFields(this.table.draft).length > 0 : true);
    const tools = this.table && !this.setup && !this.isResult;
    return header({
      back: back ? { href: "#pad", label: t("back.pad") } : startLink(),
      title: this.isResult ? t("result.of", { game: title }) : tools && has(`${this.gameId}.short`) ? [h("span", { class: "whole" }, title), h("span", { class: "brief", "aria-hidden": "true" }, t(`${this.gameId}.short`))] : title,
      isHeading: !this.isResult,
      tools: tools && [
        h("button", { type: "button", key: "undo", class: "icon", "aria-label": t("undo"), "aria-disabled": this.table?.undo.length ? undefined : "true", on: { click: () => this.undo() } }, icon("undo")),
        h("button", { type: "button", key: "result", class: blocked ? "button small-one" : "button small-one main", on: { click: () => this.toResult() } }, wrong ? labelled(`${t("result")}: ${t("wrong.places", { places: wrong })}`, icon("warn"), t("result")) : t("result")),
      ],
      menu: () => this.menu(),
    });
  }

  bars() {
    const { lostAt, reachedAt, busy } = this.scorer;
    const time = (/** @type {Date} */ when) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(when);
    const recently = reachedAt && Date.now() - reachedAt.getTime() < 60_000;
    const says = lostAt ? t("gone", { time: time(lostAt) }) : recently ? t("gone.back", { time: time(reachedAt) }) : busy ? t("checking") : store.isPersistent() ? "" : t("kept.not");
    return h("div", { key: "bars", role: "status", class: says ? "bar quiet" : "" }, says && h("div", { class: "wrap" }, icon(lostAt || recently || busy ? "cut" : "warn"), h("p", {}, says)));
  }

  /** Below the pad: how many entries cannot be, the way to the first, and the result all the same. */
  wrongFoot() {
    const places = this.wrongFields().length;
    const { result, outcomes } = this.scorer.answer ?? {};
    return h(
      "div",
      { class: "wrong-foot" },
      h("div", { class: "first" }, h("p", { role: "status" }, places > 0 && [icon("warn"), t("wrong.places", { places })]), places > 0 && h("button", { type: "button", class: "link", on: { click: () => void this.toPad() } }, t("wrong.first"))),
      places > 0 && (result ?? outcomes) && h("button", { type: "button", key: "anyway", class: "button wide", on: { click: () => this.toResult(true) } }, h("span", {}, t("anyway"), h("small", {}, t("anyway.text")))),
    );
  }

  /** Whether the result asks for a field, to break a tie. @param {string} field */
  isForTie(field) {
    return this.names.some((_, seat) => field === this.game.tieField(seat) && this.game.tieForm(this.context, seat));
  }

  wrongFields() {
    const draft = this.table?.draft;
    return [...new Set(this.findings.map((one) => this.game.fieldOf(one.pointer ?? "", draft)))];
  }

  /** Goes to a field, by default to the first that is impossible, in the view that has it; a table in a link is kept first, for it is to be changed. */
  async toPad(field = this.wrongFields()[0]) {
    const isForTie = this.isForTie(field);
    if (this.shared && !isForTie) await this.keepShared();
    if (this.isResult !== isForTie) location.hash = isForTie ? "result" : "pad";
    setTimeout(() => this.goTo(field), 0);
  }

  /** Keeps a table that came in a link, and shows its entries. */
  keepShared() {
    const kept = { .../** @type {store.Table} */ (this.table), finished: false, counted: true };
    this.shared = false;
    store.keep(kept);
    this.table = kept;
    this.updateAddress(kept.id);
    return this.route();
  }

  padView() {
    const context = this.context;
    const { table } = this;
    if (!table) return null;
    const wrong = new Set(this.wrongFields().map((field) => this.game.seatOf(field)).filter((seat) => seat !== undefined));
    const chosen = this.game.common ? undefined : table.cursor.seat;
    const row = { chosen, choose: this.game.common ? undefined : (/** @type {number} */ seat) => this.enter({ type: "choose-seat", seat }), wrong: /** @type {Set<number>} */ (wrong), typed: (/** @type {number} */ seat) => this.game.hasEntries(table.draft, seat) };
    return h(
      "main",
      { class: "wrap layout", key: "pad" },
      h("div", { class: "table-part" }, this.badLink && h("p", { class: "finding", role: "alert" }, t("link.bad")), this.game.hasPlayerRow ? null : players(context, row), h("div", { id: "table", ...(this.game.common ? {} : { role: "tabpanel", "aria-labelledby": `tab-${chosen}` }) }, this.game.picture(context)), this.standing(context)),
      h("div", { class: "pad-part" }, message(this.game.hint(context), this.news), h("div", { class: "pad", "data-docked": "", role: "group", "aria-label": t("pad") }, this.game.pad(context)), this.wrongFoot()),
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
          const typed = this.game.hasEntries(context.draft, seat);
          const total = typed ? context.totals[seat] : undefined;
          const points = total === undefined ? "" : this.sums(context.lines[seat]).map(number).join(" · ");
          return h("li", { key: `s${seat}` }, mark(seat), h("span", {}, name, h("br"), h("span", { class: "small" }, typed ? points : t("nothing-typed"))), h("b", {}, total === undefined ? "–" : number(total)));
        }),
      ),
    );
  }

  /** Points as one adds them up: one figure for all lines of a palace, a tower or a district. @param {import("./service.js").Line[]} lines */
  sums(lines) {
    /** @type {Map<unknown, number>} */
    const sums = new Map();
    for (const line of lines) {
      const group = this.game.inWords(line).group || line;
      sums.set(group, (sums.get(group) ?? 0) + line.points);
    }
    return [...sums.values()];
  }

  resultView() {
    const table = /** @type {store.Table} */ (this.table);
    if (!this.resultPage) return h("main", { class: "wrap result", key: "result" }, h("h1", {}, t("result.waiting")));
    return this.resultPage.result(this.game, this.context, table, this.finalAnswer, {
      shared: this.shared,
      before: this.last,
      tieSeats: this.tieSeats,
      askForTieBreak: (seats) => {
        this.askForTieBreak(seats);
        this.show();
      },
      done: () => this.endTieBreak(),
      leave: (ties) => {
        this.table = { ...table, left: [...(table.left ?? []), ...ties] };
        store.keep(this.table);
        this.toPlaces();
      },
      keep: () => void this.keepShared().then(() => this.toTop()),
      another: () => this.another(),
      news: this.news,
      tell: (say, seat) => this.tell(say, undefined, seat),
      showWrong: this.shared ? undefined : () => void this.toPad(),
    });
  }

  /** All that breaks the tie has to be known, of everybody who is level. */
  endTieBreak() {
    const { draft } = /** @type {store.Table} */ (this.table);
    const missing = this.tieSeats.filter((seat) => !this.game.tieKnown(draft, seat));
    if (!missing.length) return this.toPlaces();
    this.tell(t("untyped", { fields: list(missing.map((seat) => this.game.nameOf(this.game.tieField(seat), this.names, draft))) }), undefined, this.tieSeats.at(-1));
  }

  /** Folds the forms for ties, and shows the places. */
  toPlaces() {
    this.tieSeats = [];
    this.news = undefined;
    this.show();
    const places = /** @type {HTMLElement | null} */ (this.querySelector(".places"));
    places?.scrollIntoView({ block: "center", behavior: "instant" });
    places?.focus({ preventScroll: true });
  }

  /** Scrolls to the beginning of a new view and focuses its first control: the button that led there is gone. */
  toTop() {
    window.scrollTo(0, 0);
    const first = /** @type {HTMLElement | null} */ (this.querySelector("main :is(button, input):not([tabindex='-1'])"));
    first?.focus({ preventScroll: true });
  }

  another() {
    this.updateAddress("");
    this.shared = false;
    this.beginSetup();
    this.table = undefined;
    this.show();
    window.scrollTo(0, 0);
  }

  menu() {
    const table = this.table;
    const own = table && !this.shared && !this.setup;
    const items = [
      own && { text: t("menu.players"), act: () => this.changePlayers() },
      { text: t("menu.new"), act: () => this.another() },
      { text: t("book.title"), href: `/book?lang=${language}` },
      table && { text: t("menu.json"), act: () => download(`${this.gameId}.json`, "application/json", JSON.stringify(this.game.sheet(table.draft, this.plainNames), null, 1)) },
      { text: t("start.rules"), href: `/rules/${this.gameId}?lang=${language}` },
      own && { text: t("menu.delete"), act: () => this.remove(), isDanger: true },
    ];
    openMenu(items, () => store.handOver(this.setup));
  }

  remove() {
    const table = this.table;
    if (!table) return;
    store.forget(table.id);
    this.another();
    openDialog({
      title: t("deleted"),
      content: () => [
        h("p", {}, t("deleted.text", { names: called(table.names).map(isolated).join(", ") })),
        h("p", { class: "pad-foot" }, h("button", { type: "button", class: "button", on: { click: () => this.restore(table) } }, t("undo"))),
      ],
    });
  }

  /** @param {store.Table} table */
  restore(table) {
    store.keep(table);
    document.querySelector("dialog")?.close();
    this.table = table;
    this.updateAddress(table.id);
    this.setup = undefined;
    this.changed();
  }
}

/** A name no longer than the service takes it; no character is cut in half. @param {string} name */
function cut(name) {
  return [...name].slice(0, MOST_CHARACTERS).join("");
}

/**
 * What a JSON Pointer points to; undefined where there is nothing.
 * @param {any} document
 * @param {string} pointer
 */
function valueAt(document, pointer) {
  return pointer.split("/").slice(1).reduce((part, member) => part?.[member], document);
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
 * The last result of a table while it was possible.
 * @param {string} id of a kept table
 * @returns {import("./service.js").Scored | undefined}
 */
function lastScored(id) {
  const kept = store.setting(`scored.${id}`);
  return kept ? JSON.parse(kept) : undefined;
}

customElements.define("score-pad", ScorePad);
