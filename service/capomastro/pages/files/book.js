// The evening book: what was played on this device, who won how often, and a file of it to take along.

import { calledIn, gameOf, inOrder, isThere, keyOf, mean, mergedInto, namesIn, persons, renamed, takenBack, together } from "./book/entries.js";
import { MOST_BYTES, UnreadableError, exported } from "./book/file.js";
import { LostError, collected, taken, unfinishedHere } from "./book/intake.js";
import * as shelf from "./book/shelf.js";
import { download, moment, openDialog, openResultPicture } from "./dialogs.js";
import { isolated } from "./direction.js";
import { betweenTaps, focusHeading, h, holdingFocus, holdingScroll, moveInGroup, patch, updateTabStops } from "./dom.js";
import { mark } from "./icons.js";
import { packed, packedRecord } from "./link.js";
import { NOTATION, exchange } from "./service.js";
import { header, openMenu, startLink } from "./shell.js";
import * as store from "./store.js";
import { called, day, keepLanguage, language, list, loadWords, number, pathHere, t, toldApart } from "./words.js";

/** @typedef {import("./book/entries.js").Entry} Entry */
/** @typedef {import("./book/entries.js").Figures} Figures */
/** @typedef {import("./book/entries.js").People} People */
/** @typedef {import("./book/entries.js").Person} Person */
/** @typedef {import("./book/intake.js").Intake} Intake */
/** @typedef {{say: string, undo?: () => Promise<void>}} News */

const PAGE = 40;
const MOST_FAULTS = 5;
const MOST_CHARACTERS = 60;
const LATEST = 12;

class EveningBook extends HTMLElement {
  /** The latest first. @type {Entry[]} */
  entries = [];
  /** @type {People} */
  people = {};
  /** Which game is looked at; "" for all. */
  game = "";
  shown = PAGE;
  lasts = true;
  ready = false;
  /** Whether what was finished last could not be added, for want of the service. */
  isLost = false;
  /** How many finished games of this device the service does not accept. */
  refused = 0;
  /** Whether a file is being read. */
  isReading = false;
  /** @type {News | undefined} */
  news;
  /** How the name of everybody is written, by key. @type {Map<string, string>} */
  spellings = new Map();

  async connectedCallback() {
    if (keepLanguage(store.setting)) return;
    await loadWords(this.getAttribute("files") ?? "", "book");
    document.addEventListener("keydown", moveInGroup);
    addEventListener("hashchange", () => this.turned());
    addEventListener("pageshow", (event) => event.persisted && void this.reread());
    addEventListener("beforeprint", () => this.setState({ shown: Infinity }));
    await this.reread();
  }

  /** Reads the book again, and adds what was finished on this device since. */
  async reread() {
    this.lasts = (await shelf.lasts()) && store.isPersistent();
    this.people = shelf.people();
    if (await shelf.change({ remove: store.forgotten() })) store.setting("forgotten", "[]");
    this.entries = inOrder(await shelf.all());
    this.ready = true;
    this.show();
    try {
      const { entries: fresh, refused } = await collected(this.entries);
      this.refused = refused;
      if (fresh.length && (await shelf.change({ put: fresh }))) this.entries = inOrder(await shelf.all());
      this.isLost = false;
      if (this.lasts) store.setting("booked", JSON.stringify(this.entries.map(({ id }) => id)));
    } catch (error) {
      if (!(error instanceof LostError)) throw error;
      this.isLost = true;
    }
    betweenTaps(() => holdingScroll(this, () => this.show()));
  }

  /** @param {Partial<EveningBook>} what */
  setState(what) {
    Object.assign(this, what);
    this.show();
  }

  /** Another page of the book. */
  turned() {
    this.setState({ news: undefined, shown: PAGE });
    scrollTo({ top: 0, behavior: "instant" });
    focusHeading(this.querySelector("main h1"));
  }

  /** The key of the person whose page is open. */
  get who() {
    return new URLSearchParams(location.hash.slice(1)).get("who") ?? "";
  }

  // --- changes -------------------------------------------------------------------------------------------------------

  /** Deletes an evening, here and from the pads. @param {Entry} entry */
  async discard(entry) {
    const kept = [store.tables(), store.plays.all(), store.distanceGames.all()].map((all) => all.find(({ id }) => id === entry.id));
    const [table, play, apart] = /** @type {any[]} */ (kept);
    if (table) store.forget(entry.id);
    if (play) store.plays.forget(entry.id);
    if (apart) store.distanceGames.forget(entry.id);
    await shelf.change({ remove: [entry.id] });
    const undo = async () => {
      if (table) store.keep(table);
      if (play) store.plays.keep(play);
      if (apart) store.distanceGames.keep(apart);
      await shelf.change({ put: [entry] });
      await this.reread();
    };
    const entries = this.entries.filter(({ id }) => id !== entry.id);
    holdingScroll(this, () => this.setState({ entries, news: { say: t("book.deleted", { game: this.#titleOf(entry) }), undo } }));
  }

  /** Deletes a table that is not finished. @param {store.Table} table */
  forget(table) {
    store.forget(table.id);
    const undo = async () => store.keep(table);
    this.setState({ news: { say: t("book.deleted", { game: `${t(`${table.game}.title`)}, ${moment(table.begun)}` }), undo } });
  }

  async undo() {
    const undo = this.news?.undo;
    this.news = undefined;
    await undo?.();
    this.show();
  }

  /** @param {Person} person @param {string} typed */
  rename(person, typed) {
    const others = persons(this.entries, shelf.people()).find(({ key }) => key === keyOf(typed) && key !== person.key);
    const name = others?.name ?? typed;
    const takeBack = this.changePeople((people) => renamed(people, person.key, name));
    history.replaceState(null, "", `#who=${encodeURIComponent(keyOf(name))}`);
    const undo = async () => {
      takeBack();
      history.replaceState(null, "", `#who=${encodeURIComponent(person.key)}`);
    };
    this.setState({ news: { say: t(others ? "book.merged" : "book.renamed", { before: isolated(person.name), name: isolated(name.trim()) }), undo } });
  }

  /**
   * Changes names: those that are kept, for another window may have changed some.
   * @param {(people: People) => People} change
   * @returns {() => void} what takes back this change alone
   */
  changePeople(change) {
    const before = shelf.people();
    const after = change(before);
    this.people = shelf.people(after);
    return () => (this.people = shelf.people(takenBack(shelf.people(), before, after)));
  }

  // --- files ---------------------------------------------------------------------------------------------------------

  async export() {
    const content = exported([...this.entries, ...(await unfinishedHere())], this.people);
    download(`capomastro-${new Date().toISOString().slice(0, 10)}.json`, "application/json", content);
  }

  /** @param {File | undefined} file */
  async import(file) {
    if (!file) return;
    const isWorking = (/** @type {string} */ say) => this.setState({ news: { say } });
    this.isReading = true;
    isWorking(t("checking"));
    try {
      if (file.size > MOST_BYTES) throw new UnreadableError("book.large");
      const found = await taken(await file.text(), new Date(file.lastModified).toISOString(), this.entries, (done, of) => done % 20 === 0 && isWorking(t("book.checked", { done, of })));
      if (found.faults.length) this.ask(found);
      else await this.accept(found);
    } catch (error) {
      if (error instanceof UnreadableError) this.setState({ news: { say: t(error.key, error.slots) } });
      else if (error instanceof LostError) this.setState({ news: { say: t("book.lost") } });
      else {
        this.setState({ news: { say: t("book.refused") } });
        throw error;
      }
    } finally {
      this.isReading = false;
    }
  }

  /** Tells what is wrong with a file; nothing of it is taken unasked. @param {Intake} found */
  ask(found) {
    const { entries, tables, faults } = found;
    const fine = entries.length + tables.length;
    this.setState({ news: undefined });
    const close = openDialog({
      title: t("book.refused"),
      content: () => [
        h("p", {}, t("book.refused.text", { faults: faults.length })),
        h("ul", { class: "faults" }, faults.slice(0, MOST_FAULTS).map(({ at, message }) => h("li", { key: at }, h("code", {}, at.startsWith("/") ? at : t("book.line", { line: at })), ` ${message}`))),
        ...(faults.length > MOST_FAULTS ? [h("p", { class: "small" }, t("book.more-faults", { more: faults.length - MOST_FAULTS }))] : []),
        h("p", { class: "answers" }, fine > 0 && h("button", { type: "button", class: "button main", on: { click: () => (close(), void this.accept(found)) } }, t("book.take", { games: fine })), h("button", { type: "button", class: "button", on: { click: () => close() } }, t("book.leave"))),
      ],
    });
  }

  /** @param {Intake} found */
  async accept({ entries, tables, known, people }) {
    const before = this.entries.filter(({ id }) => entries.some((one) => one.id === id));
    if (!(await shelf.change({ put: entries }))) return this.setState({ news: { say: t("book.full") } });
    for (const table of tables) store.keep(table);
    const takeBack = this.changePeople((kept) => ({ ...people, ...kept }));
    this.entries = inOrder(await shelf.all());
    const undo = async () => {
      for (const { id } of tables) store.forget(id);
      await shelf.change({ remove: entries.map(({ id }) => id), put: before });
      takeBack();
      await this.reread();
    };
    const added = entries.length + tables.length;
    this.setState({ news: { say: [t("book.added", { games: added }), known ? t("book.known", { games: known }) : ""].filter(Boolean).join(" "), undo: added ? undo : undefined } });
  }

  // --- views ---------------------------------------------------------------------------------------------------------

  show() {
    if (!this.entries.some((entry) => gameOf(entry) === this.game)) this.game = "";
    const all = persons(this.entries, this.people);
    this.spellings = new Map(all.map(({ key, name }) => [key, name]));
    const person = all.find(({ key }) => key === this.who);
    const body = person ? this.personView(person) : this.bookView(all);
    holdingFocus(this, () => {
      patch(this, [this.header(person), h("main", { class: "wrap evening-book", key: "main" }, body, this.fileField())]);
      updateTabStops(this);
    });
    document.title = `${person ? `${person.name} · ` : ""}${t("book.title")} · capomastro`;
  }

  /** @param {Person | undefined} person */
  header(person) {
    return header({
      back: person ? { href: "#", label: t("book.back") } : startLink(),
      title: person ? t("book.title") : "capomastro",
      isHeading: false,
      menu: () =>
        openMenu([
          { text: t("book.import"), act: () => this.chooseFile() },
          { text: t("book.export"), act: () => void this.export() },
          { text: t("share.print"), act: () => print() },
        ]),
    });
  }

  /** What the buttons and the menu open. */
  fileField() {
    return h("input", { key: "file", type: "file", hidden: true, accept: ".json,.ndjson,application/json", on: { change: (/** @type {any} */ event) => void this.import(event.target.files[0]).then(() => (event.target.value = "")) } });
  }

  chooseFile() {
    /** @type {HTMLElement | null} */ (this.querySelector("input[type=file]"))?.click();
  }

  /** What happened, or what is amiss. */
  bars() {
    const { news } = this;
    const says = news?.say ?? (this.isLost ? t("book.waiting") : "");
    return [
      h("div", { key: "news", role: "status", class: says ? "message news no-print" : "" }, says && h("p", {}, says), news?.undo && h("button", { type: "button", on: { click: () => void this.undo() } }, t("undo"))),
      this.ready && !this.lasts && h("p", { key: "kept", class: "small" }, t("kept.not")),
      this.refused > 0 && h("p", { key: "refused", class: "small" }, t("book.not-accepted", { games: this.refused })),
    ];
  }

  /** @param {Person[]} all */
  bookView(all) {
    const games = [...new Set(this.entries.map(gameOf))].sort((a, b) => t(`${a}.title`).localeCompare(t(`${b}.title`)));
    const entries = this.game ? this.entries.filter((entry) => gameOf(entry) === this.game) : this.entries;
    const unfinished = store.tables().filter(({ finished }) => !finished);
    return [
      h("h1", { key: "title" }, t("book.title")),
      h("p", { key: "lead", class: "lead" }, !this.ready ? "" : this.entries.length ? t("book.lead", { games: this.entries.length, people: all.length, day: shortDay(/** @type {Entry} */ (this.entries.at(-1)).begun) }) : t("book.empty")),
      this.bars(),
      h(
        "p",
        { key: "tools", class: "book-tools no-print" },
        h("button", { type: "button", class: "button small-one", on: { click: () => this.chooseFile() } }, t("book.import")),
        this.entries.length + unfinished.length > 0 && h("button", { type: "button", class: "button small-one", on: { click: () => void this.export() } }, t("book.export")),
        this.entries.length > 0 && h("button", { type: "button", class: "button small-one", on: { click: () => print() } }, t("share.print")),
      ),
      unfinished.length > 0 && this.unfinishedView(unfinished),
      games.length > 1 && h("div", { key: "games", class: "chips no-print", role: "group", "aria-label": t("book.games"), "data-group": "" }, ["", ...games].map((game) => h("button", { type: "button", key: `g${game}`, "aria-pressed": this.game === game, on: { click: () => this.setState({ game, shown: PAGE }) } }, game ? t(`${game}.title`) : t("book.all-games")))),
      entries.length > 0 && h("div", { key: "columns", class: "book-columns" }, this.peopleView(persons(entries, this.people)), this.eveningsView(entries)),
      this.ready && h("p", { key: "foot", class: "notes" }, t("book.about")),
    ];
  }

  /** @param {store.Table[]} tables */
  unfinishedView(tables) {
    return h(
      "section",
      { key: "unfinished", class: "no-print" },
      h("h2", {}, t("book.unfinished")),
      h(
        "ul",
        { class: "kept" },
        tables.map((table) => {
          const title = `${t(`${table.game}.title`)}, ${moment(table.begun)}`;
          return h("li", { key: table.id }, h("a", { href: `/score/${table.game}?lang=${language}&table=${encodeURIComponent(table.id)}` }, h("b", {}, title), h("br"), h("span", { class: "small" }, list(called(table.names)))), h("button", { type: "button", class: "link", "aria-label": `${t("delete")}: ${title}`, on: { click: () => this.forget(table) } }, t("delete")));
        }),
      ),
    );
  }

  /** Everybody's figures; of a single game with its points. @param {Person[]} all */
  peopleView(all) {
    const hasPoints = !!this.game;
    return h(
      "section",
      { key: "people" },
      h("h2", { id: "people" }, t("book.people")),
      table(
        "people",
        t("book.name"),
        hasPoints,
        all.map((person) => ({ key: person.key, head: h("a", { href: `#who=${encodeURIComponent(person.key)}` }, isolated(this.spellings.get(person.key) ?? person.name)), figures: person })),
      ),
      this.leftOut(),
    );
  }

  /** That some evenings are in no figure. */
  leftOut(entries = this.entries) {
    const impossible = entries.filter((entry) => !entry.result.possible).length;
    return impossible > 0 && h("p", { class: "small" }, t("book.left-out", { games: impossible }));
  }

  /** @param {Entry[]} entries */
  eveningsView(entries) {
    const shown = entries.slice(0, this.shown);
    const days = [...new Set(shown.map(dayOf))].map((date) => shown.filter((entry) => dayOf(entry) === date));
    return h(
      "section",
      { key: "evenings", class: "evenings" },
      h("h2", {}, t("book.evenings")),
      days.map((those) => [h("h3", { key: dayOf(those[0]) }, day(those[0].begun)), h("ul", { key: `${dayOf(those[0])}-list` }, those.map((entry) => this.entryView(entry)))]),
      entries.length > shown.length && h("p", { key: "more", class: "no-print" }, h("button", { type: "button", class: "button wide", on: { click: () => this.setState({ shown: this.shown + PAGE }) } }, t("book.more", { more: entries.length - shown.length }))),
    );
  }

  /** @param {Entry} entry */
  entryView(entry) {
    const { totals, places, winners, possible } = entry.result;
    const names = this.#namesIn(entry).map(isolated);
    const seats = [...totals.keys()].sort((a, b) => (places[a] ?? 9) - (places[b] ?? 9) || totals[b] - totals[a]);
    const title = this.#titleOf(entry);
    const here = this.#addressHere(entry);
    const open = t("book.open");
    return h(
      "li",
      { key: entry.id, class: "card" },
      h("p", { class: "entry-head" }, h("b", {}, t(`${gameOf(entry)}.title`)), h("span", { class: "small" }, time(entry.begun)), h("span", { class: "tag" }, t(entry.record ? "book.played" : "book.counted")), !possible && h("span", { class: "tag ours" }, t("book.impossible")), !winners && h("span", { class: "tag" }, t("result.undecided"))),
      h(
        "ol",
        { class: "places" },
        seats.map((seat) => h("li", { key: `s${seat}` }, h("span", { class: "place-number" }, places[seat] ?? "–"), mark(seat), h(winners?.includes(seat) ? "b" : "span", {}, names[seat], entry.computers?.includes(seat) && !t("book.computer").toLowerCase().includes(keyOf(names[seat])) && h("span", { class: "small" }, ` ${t("book.computer")}`)), h("span", { class: "points" }, number(totals[seat])))),
      ),
      h(
        "p",
        { class: "entry-acts no-print" },
        here ? h("a", { class: "link", href: here, "aria-label": `${open}: ${title}` }, open) : h("button", { type: "button", class: "link", "aria-label": `${open}: ${title}`, on: { click: () => void this.open(entry) } }, open),
        h("button", { type: "button", class: "link", "aria-label": `${t("share.picture")}: ${title}`, on: { click: () => void this.showPicture(entry) } }, t("share.picture")),
        h("button", { type: "button", class: "link", "aria-label": `${t("delete")}: ${title}`, on: { click: () => void this.discard(entry) } }, t("delete")),
      ),
    );
  }

  /** What everybody is called, by seat. @param {Entry} entry */
  #namesIn(entry) {
    const names = namesIn(entry).map((name) => calledIn(name, this.people));
    return called(names.map((name) => this.spellings.get(keyOf(name)) ?? name));
  }

  /** @param {Entry} entry */
  #titleOf(entry) {
    return `${t(`${gameOf(entry)}.title`)}, ${moment(entry.begun)}`;
  }

  /** Where an evening is open on this device, if it is still there. @param {Entry} entry */
  #addressHere({ id, ...entry }) {
    const query = `?lang=${language}&table=${encodeURIComponent(id)}`;
    if (store.tableOf(id)) return `/score/${gameOf(entry)}${query}#result`;
    if (store.plays.of(id)) return `/play/${gameOf(entry)}${query}`;
    return undefined;
  }

  /** Opens an evening that came from elsewhere: as its link does. @param {Entry} entry */
  async open(entry) {
    if (entry.scoresheet) return location.assign(`${pathHere(`/score/${gameOf(entry)}`)}?lang=${language}#${await packed(entry.scoresheet)}`);
    const reply = await exchange(`/v1/games/${gameOf(entry)}/records`, JSON.stringify({ record: entry.record }), { wants: NOTATION });
    const link = reply.reached && reply.status === 200 && (await packedRecord(String(reply.value)));
    if (link) location.assign(`${pathHere("/replay")}?lang=${language}#${link}.${entry.record.moves.length}`);
    else this.setState({ news: { say: t("book.lost") } });
  }

  /** @param {Entry} entry */
  async showPicture(entry) {
    const { scoresheet, record } = entry;
    const names = toldApart(this.#namesIn(entry));
    const seats = scoresheet?.seats.map((/** @type {any} */ seat, /** @type {number} */ at) => ({ ...seat, name: names[at] }));
    await openResultPicture({ game: gameOf(entry), ...(scoresheet ? { scoresheet: { ...scoresheet, seats } } : { record: { ...record, names } }), note: day(entry.begun) });
  }

  /** @param {Person} person */
  personView(person) {
    const theirs = this.entries.filter((entry) => isThere(entry, person.key, this.people));
    const others = mergedInto(this.people, person.key);
    const games = [...person.games].sort(([a], [b]) => t(`${a}.title`).localeCompare(t(`${b}.title`)));
    return [
      h("h1", { key: `who-${person.key}` }, isolated(person.name)),
      h("p", { key: "lead", class: "lead" }, t("book.person", { played: person.played, won: person.won, shared: person.shared })),
      this.bars(),
      h("p", { key: "tools", class: "book-tools no-print" }, h("button", { type: "button", class: "button small-one", on: { click: () => this.askForName(person) } }, t("book.rename"))),
      others.length > 0 &&
        h(
          "ul",
          { key: "merged", class: "kept no-print" },
          others.map((key) => h("li", { key }, h("span", {}, t("book.also", { name: isolated(key) })), h("button", { type: "button", class: "link", "aria-label": `${t("book.separate")}: ${key}`, on: { click: () => this.separate(key) } }, t("book.separate")))),
        ),
      h(
        "div",
        { key: "columns", class: "book-columns" },
        h(
          "section",
          { key: "figures" },
          h("h2", { id: "figures" }, t("book.by-game")),
          table("figures", t("book.game"), true, games.map(([game, figures]) => ({ key: game, head: t(`${game}.title`), figures }))),
          h("dl", { class: "latest" }, games.map(([game, { points }]) => [h("dt", {}, t("book.latest", { game: t(`${game}.title`) })), h("dd", {}, points.slice(0, LATEST).map(number).join(" · "))])),
          this.leftOut(theirs),
        ),
        this.eveningsView(theirs),
      ),
    ];
  }

  /** @param {string} key */
  separate(key) {
    const takeBack = this.changePeople(({ [key]: _, ...people }) => people);
    this.setState({ news: { say: t("book.separated", { name: isolated(key) }), undo: async () => takeBack() } });
  }

  /** @param {Person} person */
  askForName(person) {
    const others = persons(this.entries, this.people).filter(({ key }) => key !== person.key);
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const field = /** @type {HTMLInputElement} */ (document.getElementById("new-name"));
      const name = field.value.trim();
      const evening = together(this.entries, this.people, person.key, name);
      field.setCustomValidity(!name ? t("book.no-name") : evening ? t("book.together", { name: isolated(name), day: shortDay(evening.begun) }) : "");
      if (!field.reportValidity()) return;
      close();
      this.rename(person, name);
    };
    const close = openDialog({
      title: t("book.rename"),
      content: () => [
        h(
          "form",
          { class: "rename", on: { submit } },
          h("label", { class: "label", for: "new-name" }, t("book.new-name")),
          h("input", { id: "new-name", type: "text", dir: "auto", list: "known-people", value: person.name, maxlength: MOST_CHARACTERS, autocomplete: "off", on: { input: (/** @type {any} */ event) => event.target.setCustomValidity("") } }),
          h("datalist", { id: "known-people" }, others.map((one) => h("option", { value: one.name }))),
          h("p", { class: "small" }, t("book.rename.text")),
          h("p", { class: "answers" }, h("button", { type: "submit", class: "button main" }, t("book.rename"))),
        ),
      ],
    });
  }
}

/**
 * Figures in columns.
 * @param {string} labelledBy
 * @param {string} first the heading of the first column
 * @param {boolean} hasPoints whether all are of one game, so that points can be compared
 * @param {{key: string, head: import("./dom.js").Content, figures: Figures}[]} rows
 */
function table(labelledBy, first, hasPoints, rows) {
  const tenth = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  /** @type {[string, (figures: Figures) => string][]} */
  const columns = [
    [t("book.count"), ({ played }) => number(played)],
    [t("book.won"), ({ won }) => number(won)],
    ...(rows.some(({ figures }) => figures.shared) ? /** @type {[string, (figures: Figures) => string][]} */ ([[t("book.shared"), ({ shared }) => number(shared)]]) : []),
  ];
  if (hasPoints) {
    columns.push([t("book.best"), ({ points }) => number(Math.max(...points))]);
    columns.push([t("book.mean"), ({ points }) => tenth.format(mean(points)).replace("-", "−")]);
    columns.push([t("book.last"), ({ points }) => number(points[0])]);
  }
  return h(
    "div",
    { class: "scroller", role: "region", tabindex: "0", "aria-labelledby": labelledBy },
    h(
      "table",
      { class: "figures-table", "aria-labelledby": labelledBy },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first), columns.map(([head]) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, rows.map(({ key, head, figures }) => h("tr", { key }, h("th", { scope: "row" }, head), columns.map(([, cell]) => h("td", {}, cell(figures)))))),
    ),
  );
}

/** The day, here, on which it began: tells days apart. @param {Entry} entry */
function dayOf({ begun }) {
  return new Date(begun).toDateString();
}

/** @param {string} when */
function shortDay(when) {
  return new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(new Date(when));
}

/** @param {string} when */
function time(when) {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(when));
}

customElements.define("evening-book", EveningBook);
