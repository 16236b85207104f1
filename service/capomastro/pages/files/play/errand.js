// What is to be done at a table whose players sit far apart, in words and buttons: take a place, join, have chance drawn, pass
// the table on, open the game at the end.

import { download, openDialog } from "../dialogs.js";
import { isolated } from "../direction.js";
import { h } from "../dom.js";
import { icon, mark } from "../icons.js";
import { check } from "../parts.js";
import { LONGEST_LINK, canSeal, newNonce, sent, spoken } from "../sealed.js";
import * as store from "../store.js";
import { language, list, sentence, t } from "../words.js";
import { FarTable, arrived, created, movedHere, nameOf, seated, toBeMoved } from "./distance.js";
import { GoneOn, Left } from "./table.js";

/** @typedef {import("../dom.js").Given} Given */
/** @typedef {import("../sealed.js").Invitation} Invitation */
/** @typedef {import("../sealed.js").Sealed} Sealed */
/** @typedef {import("./distance.js").Far} Far */
/** @typedef {import("./distance.js").Arrival} Arrival */
/**
 * The page, as far as it is asked here.
 * @typedef {object} Page
 * @property {string} game
 * @property {number} working how many things are under way
 * @property {import("./table.js").Ask} asks
 * @property {(act: () => Promise<void>) => Promise<void>} guarded
 * @property {(table: import("./table.js").Table) => Promise<void>} sit
 * @property {() => void} leave
 * @property {() => void} show
 */

const FILE = "application/json";

export class Errands {
  /** @type {Far | undefined} a game that has no table yet */
  far;
  /** What is said of what came last. */
  news = "";
  /** @type {Sealed | undefined} a table that contradicts the one that is kept */
  contested;
  /** @type {import("../sealed.js").Seat | undefined} a seat from another device, until its player says that it is theirs */
  moving;
  /** Games that were deleted while the page is open. @type {Map<string, Far>} */
  #deleted = new Map();
  /** What is typed or pasted. */
  typed = "";
  /** What is to be passed on, as text; "" until it is packed. */
  packed = "";
  /** What `packed` was made of. */
  #packing = "";
  copied = false;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  // --- what happens ----------------------------------------------------------------------------------------------------------

  /**
   * A new game, as it was typed in: the first thing is to say who sits here.
   * @param {Pick<Invitation, "names" | "options"> | undefined} wanted
   */
  invite(wanted) {
    if (!wanted) return;
    const held = document.activeElement;
    const { names, options } = wanted;
    const now = new Date().toISOString();
    const nonce = newNonce();
    this.far = { id: nonce, begun: now, changed: now, finished: false, invitation: { game: this.page.game, names, options, draws: "witnessed", nonce, locks: names.map(() => null) }, seat: null, secret: "" };
    this.fresh();
    this.page.show();
    toHeading(held);
  }

  /** @param {string | Promise<string>} text a link, or what was copied or saved */
  async follow(text) {
    await this.#attempt(async () => this.#take(await arrived(await text, this.page.game, this.page.asks)));
  }

  /** @param {Arrival} arrival */
  async #take({ far, news = "", contested, moving }) {
    this.fresh();
    Object.assign(this, { news, contested, moving });
    if (far) await this.sit(far);
    else this.page.show();
  }

  /** Goes on with a game that is kept. @param {Far} far */
  async sit(far) {
    this.far = far.table ? undefined : far;
    if (far.table) return this.page.sit(new FarTable({ ...far, table: far.table }, this.page.asks));
    this.page.show();
  }

  /** Forgets what was said of what came last. */
  fresh() {
    Object.assign(this, { news: "", contested: undefined, moving: undefined, typed: "", copied: false });
  }

  /** @param {number} seat */
  async takePlace(seat) {
    const { invitation } = /** @type {Far} */ (this.far);
    this.fresh();
    await this.#attempt(async () => {
      // a new secret would take the place of the one whose lock may be with the others already
      const here = store.far.of(invitation.nonce);
      if (here) return this.catchUp(here);
      this.far = await seated(invitation, seat);
    });
  }

  async create() {
    const far = /** @type {Far} */ (this.far);
    this.fresh();
    await this.#attempt(async () => {
      const here = store.far.of(far.id);
      if (here?.table) return this.catchUp(here);
      return this.sit(await created(far, this.page.asks));
    });
  }

  /** Shows a game as another window of this browser has left it. @param {Far} here */
  async catchUp(here) {
    await this.sit(here);
    this.news = t("play.gone-on");
  }

  /** @param {FarTable} table @param {() => Promise<void>} act */
  async act(table, act) {
    if (this.page.working) return;
    this.fresh();
    await this.#attempt(async () => {
      await act();
      await this.page.sit(table);
    });
  }

  /**
   * Does something that may be refused; why is said where the reader is.
   * @param {() => Promise<void>} act
   */
  async #attempt(act) {
    const held = document.activeElement;
    await this.page.guarded(async () => {
      try {
        await act();
      } catch (reason) {
        if (reason instanceof Left || reason instanceof GoneOn || !(reason instanceof Error)) throw reason;
        this.news = sentence(reason.message);
      }
    });
    toHeading(held);
    if (this.news) document.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }

  /** Goes on with a seat from another device. @param {import("../sealed.js").Seat} seat */
  async moveHere(seat) {
    await this.#attempt(async () => this.#take(await movedHere(seat, this.page.asks)));
  }

  /** Asks where the game shall go on, and says what that means. @param {Far} far */
  openMove(far) {
    openDialog({
      title: t("distance.secret-file"),
      content: () => [h("p", {}, t("distance.secret-file.text")), h("p", {}, h("button", { type: "button", class: "button wide", on: { click: () => download(`${far.invitation.game}-secret.json`, FILE, toBeMoved(far)) } }, t("distance.secret-file.save")))],
    });
  }

  /**
   * By the system's sheet, where there is one.
   * @param {string} text
   * @param {boolean} isLink
   */
  async share(text, isLink) {
    await navigator.share(isLink ? { url: text } : { text }).catch(() => {});
  }

  /** @param {string} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = true;
    } catch {
      this.news = t("distance.not-copied");
    }
    this.page.show();
  }

  // --- before there is a table -----------------------------------------------------------------------------------------------

  /** What stands below the form of a new game. @param {() => Pick<Invitation, "names" | "options"> | undefined} wanted who is invited, once that can be said */
  door(wanted) {
    return h(
      "section",
      { class: "setup errand", key: "far", "aria-labelledby": "far" },
      h("h2", { id: "far" }, t("play.distance.title")),
      h("p", { class: "small" }, t("play.distance.text")),
      canSeal() ? h("p", {}, h("button", { type: "button", class: "button wide", on: { click: () => this.invite(wanted()) } }, t("distance.begin"))) : h("p", { class: "notes" }, t("distance.unsafe")),
      this.notice(),
      canSeal() && [h("h3", {}, t("distance.sent")), this.inbox()],
      this.kept(),
    );
  }

  /** The games at a distance that are kept here; deleting one can be undone while the page is open. */
  kept() {
    const shown = [...new Map([...store.far.all(), ...this.#deleted.values()].map((far) => [far.id, far])).values()].filter(({ invitation }) => invitation.game === this.page.game);
    const remove = (/** @type {Far} */ far) => {
      store.far.forget(far.id);
      this.#deleted.set(far.id, far);
      this.page.show();
    };
    const restore = (/** @type {Far} */ far) => {
      store.far.keep(far);
      this.#deleted.delete(far.id);
      this.page.show();
    };
    const entry = (/** @type {Far} */ far) => {
      const { id, finished, invitation } = far;
      const names = list(invitation.names);
      if (this.#deleted.has(id)) return h("li", { key: id }, h("span", { class: "small" }, t("distance.deleted")), h("button", { type: "button", class: "link", "aria-label": `${t("undo")}: ${names}`, on: { click: () => restore(far) } }, t("undo")));
      return h(
        "li",
        { key: id },
        h("a", { href: `/play/${this.page.game}?lang=${language}&table=${encodeURIComponent(id)}` }, h("b", {}, names), h("br"), h("span", { class: "small" }, t(finished ? "distance.kept.over" : "distance.kept.under-way"))),
        h("button", { type: "button", class: "link", "aria-label": `${t("delete")}: ${names}`, on: { click: () => remove(far) } }, t("delete")),
      );
    };
    return shown.length > 0 && [h("h3", {}, t("distance.kept")), h("p", { class: "small" }, t(store.isKept() ? "distance.kept.text" : "kept.not")), h("ul", { class: "kept" }, shown.map(entry))];
  }

  /** A game that has no table yet: who plays, and which locks are there. @param {Far} far */
  invitation(far) {
    const { invitation, seat } = far;
    const open = invitation.locks.flatMap((lock, at) => (lock ? [] : [at]));
    return h(
      "main",
      { class: "wrap door", key: "invitation" },
      h(
        "section",
        { class: "setup errand", "aria-labelledby": "invitation" },
        h("h2", { id: "invitation", tabindex: -1 }, t("play.distance.title")),
        this.notice(),
        this.places(invitation, seat),
        seat === null ? this.choosing(far, open) : open.length ? h("p", {}, t("distance.invite", { names: list(open.map((at) => invitation.names[at])) })) : this.creating(),
        seat !== null && this.passing({ invitation }, `${invitation.game}-invitation.json`, open.length > 0),
      ),
      h(
        "section",
        { class: "setup errand", "aria-labelledby": "sent" },
        h("h2", { id: "sent" }, t("distance.sent")),
        this.inbox(),
        h("p", { class: "small apart" }, seat === null ? t("distance.kept-not") : t("distance.kept-here", { list: t("distance.kept") })),
        h("p", {}, h("button", { type: "button", class: "button wide", on: { click: () => ((this.far = undefined), this.page.leave()) } }, t("play.new"))),
      ),
    );
  }

  /**
   * @param {Invitation} invitation
   * @param {number | null} seat
   */
  places({ names, locks, draws }, seat) {
    const given = names.flatMap((name, at) => (locks[at] ? [{ name, at, lock: spoken(locks[at]) }] : []));
    return [
      h("ol", { class: "taken" }, names.map((name, at) => h("li", { key: `place${at}` }, mark(at), h("span", {}, h("b", {}, at === seat ? t("distance.you", { name }) : name), " ", h("span", { class: "small" }, t(locks[at] ? "distance.taken" : "distance.free")))))),
      h("p", { class: "small" }, t(`distance.draws.${draws}`)),
      given.length > 0 && h("details", { key: "locks" }, h("summary", {}, t("distance.locks")), h("p", { class: "small" }, t("distance.locks.text")), h("ul", { class: "taken" }, given.map(({ name, at, lock }) => h("li", { key: `lock${at}` }, mark(at, true), h("span", {}, name), h("code", {}, lock))))),
    ];
  }

  /**
   * @param {Far} far
   * @param {number[]} open places
   */
  choosing({ invitation }, open) {
    const isFirst = invitation.locks.every((lock) => lock === null);
    const atOnce = invitation.draws === "at-once";
    const change = () => {
      this.far = { .../** @type {Far} */ (this.far), invitation: { ...invitation, draws: atOnce ? "witnessed" : "at-once" } };
      this.page.show();
    };
    if (!open.length) return h("p", {}, t("distance.full"));
    return [
      isFirst && check(t("distance.at-once"), atOnce, change),
      h("h3", {}, t("distance.who")),
      h("p", { class: "small" }, t("distance.secret")),
      h("div", { class: "ways" }, open.map((seat) => h("button", { type: "button", key: `take${seat}`, class: "button", on: { click: () => void this.takePlace(seat) } }, mark(seat), invitation.names[seat]))),
    ];
  }

  creating() {
    return [h("p", {}, t("distance.complete")), h("div", { class: "ways" }, h("button", { type: "button", class: "button main", on: { click: () => void this.create() } }, t("distance.create")))];
  }

  // --- at the table --------------------------------------------------------------------------------------------------------

  /**
   * What stands beside the picture unless a move is asked for here.
   * @param {FarTable} table
   */
  aside(table) {
    const task = this.task(table);
    const opened = table.far.opened;
    return h(
      "section",
      { class: "turn far errand", key: "errand", "aria-labelledby": "turn", "aria-busy": this.page.working > 0 },
      h("h2", { id: "turn", tabindex: -1 }, task.marks.map((named) => mark(named)), h("span", {}, task.title)),
      h("p", {}, task.text),
      task.terms,
      task.act && h("div", { class: "ways" }, h("button", { type: "button", class: "button main", on: { click: () => void this.act(table, /** @type {() => Promise<void>} */ (task.act)) } }, task.button)),
      !task.act && this.passing(opened ? { opened } : { table: table.table }, opened ? `${table.game}-opened.json` : `${table.game}-table.json`),
      !opened && h("details", { key: "sent" }, h("summary", {}, t("distance.sent")), this.inbox()),
    );
  }

  /**
   * @param {FarTable} table
   * @returns {{title: string, marks: number[], text: string, terms?: Given, act?: () => Promise<void>, button?: string}} `marks`: whose stand before the title
   */
  task(table) {
    const { waiting, far } = table;
    const others = either(waiting.seats.map((seat) => nameOf(far, seat)));
    if (far.opened) return { title: t("distance.opened"), marks: [], text: t("distance.opened.text") };
    if (!waiting.isOwn) {
      const text = t(`distance.waits.${waiting.for}`, { names: others });
      return table.seat === null ? { title: t("distance.watching"), marks: [], text } : { title: t("distance.pass-on", { names: others }), marks: waiting.seats, text };
    }
    const terms = waiting.for === "join" ? this.places(far.invitation, table.seat) : undefined;
    const act = waiting.for === "opening" ? () => table.finish() : () => table.go();
    return { title: t(`distance.${waiting.for}`), marks: [Number(table.seat)], text: t(`distance.${waiting.for}.text`), terms, act, button: t(`distance.${waiting.for}.do`) };
  }

  // --- what goes round -------------------------------------------------------------------------------------------------------

  /** What there is to be said of what came last. */
  notice() {
    const { contested, moving } = this;
    const save = () => {
      const kept = store.far.all().find(({ id }) => id === contested?.creation.nonce)?.table;
      for (const [name, one] of Object.entries({ kept, contested })) if (one) download(`${this.page.game}-${name}.json`, FILE, JSON.stringify(one));
    };
    return (
      this.news &&
      h("div", { class: "finding", key: "notice", role: "alert" }, h("p", {}, this.news), contested && h("div", { class: "act" }, h("button", { type: "button", on: { click: save } }, t("distance.save-both"))), moving && h("div", { class: "act" }, h("button", { type: "button", on: { click: () => void this.moveHere(moving) } }, t("distance.secret-came.use"))))
    );
  }

  /**
   * What is to be passed on: a link if it is short enough for any channel, else text; and a file.
   * @param {Parameters<typeof sent>[0]} what
   * @param {string} file
   * @param {boolean} [isNext] whether this is what is to be done next
   */
  passing(what, file, isNext = true) {
    void this.pack(what);
    const link = `${location.origin}/play/${this.page.game}#${this.packed}`;
    const isLink = link.length <= LONGEST_LINK;
    const text = isLink ? link : this.packed;
    const whole = JSON.stringify(Object.values(what)[0]);
    const canShare = "share" in navigator;
    const first = isNext ? "button main" : "button";
    return h(
      "div",
      { class: "passing", key: "passing" },
      h(
        "div",
        { class: "ways" },
        canShare && h("button", { type: "button", key: "share", class: first, disabled: !this.packed, on: { click: () => void this.share(text, isLink) } }, icon("share"), t("distance.share")),
        h("button", { type: "button", key: "copy", class: canShare ? "button" : first, disabled: !this.packed, on: { click: () => void this.copy(text) } }, !canShare && icon("share"), t(isLink ? "distance.copy-link" : "distance.copy-text")),
        h("button", { type: "button", class: "button", on: { click: () => download(file, FILE, whole) } }, t("distance.save")),
      ),
      h("p", { class: "small", role: "status" }, this.copied ? t("distance.copied") : isLink ? "" : t("distance.too-long")),
      h("details", { key: "as-text" }, h("summary", {}, t("distance.as-text")), h("textarea", { readonly: true, rows: 4, "aria-label": t("distance.as-text"), value: text })),
    );
  }

  /** @param {Parameters<typeof sent>[0]} what */
  async pack(what) {
    const packing = JSON.stringify(what);
    if (packing === this.#packing) return;
    this.#packing = packing;
    this.packed = "";
    this.copied = false;
    const packed = await sent(what);
    if (packing !== this.#packing) return;
    this.packed = packed;
    this.page.show();
  }

  /** Opens a place to put in what was sent, where none is on the page. */
  openInbox() {
    const close = openDialog({ title: t("distance.sent"), content: () => [this.inbox(() => close())] });
  }

  /**
   * Where what was sent is put in.
   * @param {() => void} [done]
   */
  inbox(done = () => {}) {
    const open = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!this.typed.trim()) return;
      done();
      void this.follow(this.typed);
    };
    const choose = (/** @type {any} */ event) => {
      const file = event.target.files?.[0];
      if (!file) return;
      done();
      void this.follow(file.text());
      event.target.value = "";
    };
    return h(
      "form",
      { class: "inbox", key: "inbox", on: { submit: open } },
      h("label", { class: "label", for: "received" }, t("distance.received")),
      h("textarea", { id: "received", rows: 2, spellcheck: "false", autocomplete: "off", value: this.typed, on: { input: (/** @type {any} */ event) => (this.typed = event.target.value) } }),
      h("div", { class: "ways" }, h("button", { type: "submit", class: "button" }, t("distance.open-text")), h("label", { class: "button file" }, t("distance.open-file"), h("input", { type: "file", accept: ".json,.txt,application/json,text/plain", on: { change: choose } }))),
    );
  }
}

/**
 * The focus goes to what is to be done next if what had it is gone.
 * @param {Element | null} held what had the focus
 */
function toHeading(held) {
  if (held === document.body || document.activeElement !== document.body) return;
  /** @type {HTMLElement | null} */ (document.querySelector("#turn, #invitation"))?.focus({ preventScroll: true });
}

/** Names of which one is meant: "Ada or Bruno". @param {string[]} names */
function either(names) {
  return new Intl.ListFormat(language, { type: "disjunction" }).format(names.map(isolated));
}
