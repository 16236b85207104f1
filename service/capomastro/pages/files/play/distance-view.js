// The view of a game at a distance: whatever players do there besides moves. They take a place, join, have chance drawn, pass
// the table on, and open the game at the end.

import { download, openDialog } from "../dialogs.js";
import { isolated } from "../direction.js";
import { h } from "../dom.js";
import { icon, mark } from "../icons.js";
import { checkbox } from "../parts.js";
import { LONGEST_LINK, canSeal, newNonce, packed, readable } from "../sealed.js";
import * as store from "../store.js";
import { language, list, pathHere, sentence, t } from "../words.js";
import { SealedTable, created, nameOf, received, seatTransfer, seated, transferred } from "./distance.js";
import { CancelledError, OutdatedError } from "./table.js";

/** @typedef {import("../dom.js").Content} Content */
/** @typedef {import("../sealed.js").Invitation} Invitation */
/** @typedef {import("../sealed.js").Sealed} Sealed */
/** @typedef {import("./distance.js").DistanceGame} DistanceGame */
/** @typedef {import("./distance.js").Arrival} Arrival */
/**
 * What is used of the page.
 * @typedef {object} Page
 * @property {string} game
 * @property {number} working how many things are under way
 * @property {import("./table.js").Ask} ask
 * @property {(act: () => Promise<void>) => Promise<void>} guarded
 * @property {(table: import("./table.js").Table) => Promise<void>} openTable
 * @property {() => void} newGame
 * @property {() => void} show
 */

const FILE = "application/json";

export class DistanceView {
  /** @type {DistanceGame | undefined} a game that has no table yet */
  pending;
  /** What there is to say about what was last received. */
  news = "";
  /** @type {Sealed | undefined} a table that contradicts the saved one */
  contested;
  /** @type {import("../sealed.js").SeatTransfer | undefined} a seat from another device, until its player confirms that it is theirs */
  transfer;
  /** Games that were deleted while the page is open. @type {Map<string, DistanceGame>} */
  #deleted = new Map();
  /** What is typed or pasted. */
  typed = "";
  /** What to pass on, as text; "" until it is packed. */
  packed = "";
  /** What `packed` was made of. */
  #packing = "";
  copied = false;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  // --- actions -------------------------------------------------------------------------------------------------------

  /**
   * A new game with these settings: first, the player here takes a place.
   * @param {Pick<Invitation, "names" | "options"> | undefined} settings
   */
  invite(settings) {
    if (!settings) return;
    const held = document.activeElement;
    const { names, options } = settings;
    const now = new Date().toISOString();
    const nonce = newNonce();
    this.pending = { id: nonce, begun: now, changed: now, finished: false, invitation: { game: this.page.game, names, options, draws: "witnessed", nonce, locks: names.map(() => null) }, seat: null, secret: "" };
    this.clearNews();
    this.page.show();
    restoreFocus(held);
  }

  /** @param {string | Promise<string>} text a link, a copied text, or the text of a file */
  async receive(text) {
    await this.#attempt(async () => this.#show(await received(await text, this.page.game, this.page.ask)));
  }

  /** @param {Arrival} arrival */
  async #show({ saved, news = "", contested, transfer }) {
    this.clearNews();
    Object.assign(this, { news, contested, transfer });
    if (saved) await this.openGame(saved);
    else this.page.show();
  }

  /** Continues a saved game. @param {DistanceGame} saved */
  async openGame(saved) {
    this.pending = saved.table ? undefined : saved;
    if (saved.table) return this.page.openTable(new SealedTable({ ...saved, table: saved.table }, this.page.ask));
    this.page.show();
  }

  /** Clears what was said, typed and copied. */
  clearNews() {
    Object.assign(this, { news: "", contested: undefined, transfer: undefined, typed: "", copied: false });
  }

  /** @param {number} seat */
  async takePlace(seat) {
    const { invitation } = /** @type {DistanceGame} */ (this.pending);
    this.clearNews();
    await this.#attempt(async () => {
      // A new secret would replace the one whose lock the others may already have.
      const here = store.distanceGames.of(invitation.nonce);
      if (here) return this.catchUp(here);
      this.pending = await seated(invitation, seat);
    });
  }

  async create() {
    const saved = /** @type {DistanceGame} */ (this.pending);
    this.clearNews();
    await this.#attempt(async () => {
      const here = store.distanceGames.of(saved.id);
      if (here?.table) return this.catchUp(here);
      return this.openGame(await created(saved, this.page.ask));
    });
  }

  /** Shows a game as another window has left it. @param {DistanceGame} here */
  async catchUp(here) {
    await this.openGame(here);
    this.news = t("play.gone-on");
  }

  /** @param {SealedTable} table @param {() => Promise<void>} act */
  async act(table, act) {
    if (this.page.working) return;
    this.clearNews();
    await this.#attempt(async () => {
      await act();
      await this.page.openTable(table);
    });
  }

  /**
   * Does something that may be refused; then the reason is shown here, not in the bar of the page.
   * @param {() => Promise<void>} act
   */
  async #attempt(act) {
    const held = document.activeElement;
    await this.page.guarded(async () => {
      try {
        await act();
      } catch (reason) {
        if (reason instanceof CancelledError || reason instanceof OutdatedError || !(reason instanceof Error)) throw reason;
        this.news = sentence(reason.message);
      }
    });
    restoreFocus(held);
    if (this.news) document.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }

  /** Takes over a seat from another device. @param {import("../sealed.js").SeatTransfer} seat */
  async acceptTransfer(seat) {
    await this.#attempt(async () => this.#show(await transferred(seat, this.page.ask)));
  }

  /** Offers the file with which a seat moves to another device. @param {DistanceGame} saved */
  openTransfer(saved) {
    openDialog({
      title: t("distance.secret-file"),
      content: () => [h("p", {}, t("distance.secret-file.text")), h("p", {}, h("button", { type: "button", class: "button wide", on: { click: () => download(`${saved.invitation.game}-secret.json`, FILE, seatTransfer(saved)) } }, t("distance.secret-file.save")))],
    });
  }

  /**
   * Opens the share sheet of the system, which not every browser has.
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

  // --- before there is a table ---------------------------------------------------------------------------------------

  /** What is below the form of a new game. @param {() => Pick<Invitation, "names" | "options"> | undefined} settings of the new game; undefined while something is wrong with them */
  setupSection(settings) {
    return h(
      "section",
      { class: "setup distance", key: "far", "aria-labelledby": "far" },
      h("h2", { id: "far" }, t("play.distance.title")),
      h("p", { class: "small" }, t("play.distance.text")),
      canSeal() ? h("p", {}, h("button", { type: "button", class: "button wide", on: { click: () => this.invite(settings()) } }, t("distance.begin"))) : h("p", { class: "notes" }, t("distance.unsafe")),
      this.notice(),
      canSeal() && [h("h3", {}, t("distance.sent")), this.inbox()],
      this.savedGames(),
    );
  }

  /** The saved games at a distance; deleting one can be undone while the page is open. */
  savedGames() {
    const shown = [...new Map([...store.distanceGames.all(), ...this.#deleted.values()].map((saved) => [saved.id, saved])).values()].filter(({ invitation }) => invitation.game === this.page.game);
    const remove = (/** @type {DistanceGame} */ saved) => {
      store.distanceGames.forget(saved.id);
      this.#deleted.set(saved.id, saved);
      this.page.show();
    };
    const restore = (/** @type {DistanceGame} */ saved) => {
      store.distanceGames.keep(saved);
      this.#deleted.delete(saved.id);
      this.page.show();
    };
    const entry = (/** @type {DistanceGame} */ saved) => {
      const { id, finished, invitation } = saved;
      const names = list(invitation.names);
      if (this.#deleted.has(id)) return h("li", { key: id }, h("span", { class: "small" }, t("distance.deleted")), h("button", { type: "button", class: "link", "aria-label": `${t("undo")}: ${names}`, on: { click: () => restore(saved) } }, t("undo")));
      return h(
        "li",
        { key: id },
        h("a", { href: `/play/${this.page.game}?lang=${language}&table=${encodeURIComponent(id)}` }, h("b", {}, names), h("br"), h("span", { class: "small" }, t(finished ? "distance.kept.over" : "distance.kept.under-way"))),
        h("button", { type: "button", class: "link", "aria-label": `${t("delete")}: ${names}`, on: { click: () => remove(saved) } }, t("delete")),
      );
    };
    return shown.length > 0 && [h("h3", {}, t("distance.kept")), h("p", { class: "small" }, t(store.isPersistent() ? "distance.kept.text" : "kept.not")), h("ul", { class: "kept" }, shown.map(entry))];
  }

  /** A game that has no table yet: who plays, and which locks are there. @param {DistanceGame} saved */
  invitation(saved) {
    const { invitation, seat } = saved;
    const open = invitation.locks.flatMap((lock, at) => (lock ? [] : [at]));
    return h(
      "main",
      { class: "wrap setups", key: "invitation" },
      h(
        "section",
        { class: "setup distance", "aria-labelledby": "invitation" },
        h("h2", { id: "invitation", tabindex: -1 }, t("play.distance.title")),
        this.notice(),
        this.places(invitation, seat),
        seat === null ? this.seatChoice(saved, open) : open.length ? h("p", {}, t("distance.invite", { names: list(open.map((at) => invitation.names[at])) })) : this.createButton(),
        seat !== null && this.passOn({ invitation }, `${invitation.game}-invitation.json`, open.length > 0),
      ),
      h(
        "section",
        { class: "setup distance", "aria-labelledby": "sent" },
        h("h2", { id: "sent" }, t("distance.sent")),
        this.inbox(),
        h("p", { class: "small apart" }, seat === null ? t("distance.kept-not") : t("distance.kept-here", { list: t("distance.kept") })),
        h("p", {}, h("button", { type: "button", class: "button wide", on: { click: () => ((this.pending = undefined), this.page.newGame()) } }, t("play.new"))),
      ),
    );
  }

  /**
   * @param {Invitation} invitation
   * @param {number | null} seat
   */
  places({ names, locks, draws }, seat) {
    const given = names.flatMap((name, at) => (locks[at] ? [{ name, at, lock: readable(locks[at]) }] : []));
    return [
      h("ol", { class: "taken" }, names.map((name, at) => h("li", { key: `place${at}` }, mark(at), h("span", {}, h("b", {}, at === seat ? t("distance.you", { name }) : name), " ", h("span", { class: "small" }, t(locks[at] ? "distance.taken" : "distance.free")))))),
      h("p", { class: "small" }, t(`distance.draws.${draws}`)),
      given.length > 0 && h("details", { key: "locks" }, h("summary", {}, t("distance.locks")), h("p", { class: "small" }, t("distance.locks.text")), h("ul", { class: "taken" }, given.map(({ name, at, lock }) => h("li", { key: `lock${at}` }, mark(at, true), h("span", {}, name), h("code", {}, lock))))),
    ];
  }

  /**
   * @param {DistanceGame} saved
   * @param {number[]} open places
   */
  seatChoice({ invitation }, open) {
    const isFirst = invitation.locks.every((lock) => lock === null);
    const atOnce = invitation.draws === "at-once";
    const change = () => {
      this.pending = { .../** @type {DistanceGame} */ (this.pending), invitation: { ...invitation, draws: atOnce ? "witnessed" : "at-once" } };
      this.page.show();
    };
    if (!open.length) return h("p", {}, t("distance.full"));
    return [
      isFirst && checkbox(t("distance.at-once"), atOnce, change),
      h("h3", {}, t("distance.who")),
      h("p", { class: "small" }, t("distance.secret")),
      h("div", { class: "ways" }, open.map((seat) => h("button", { type: "button", key: `take${seat}`, class: "button", on: { click: () => void this.takePlace(seat) } }, mark(seat), invitation.names[seat]))),
    ];
  }

  createButton() {
    return [h("p", {}, t("distance.complete")), h("div", { class: "ways" }, h("button", { type: "button", class: "button main", on: { click: () => void this.create() } }, t("distance.create")))];
  }

  // --- at the table --------------------------------------------------------------------------------------------------

  /**
   * What is beside the picture unless the player here is to move.
   * @param {SealedTable} table
   */
  aside(table) {
    const task = this.task(table);
    const opened = table.saved.opened;
    return h(
      "section",
      { class: "turn waiting distance", key: "waiting", "aria-labelledby": "turn", "aria-busy": this.page.working > 0 },
      h("h2", { id: "turn", tabindex: -1 }, task.marks.map((named) => mark(named)), h("span", {}, task.title)),
      h("p", {}, task.text),
      task.terms,
      task.act && h("div", { class: "ways" }, h("button", { type: "button", class: "button main", on: { click: () => void this.act(table, /** @type {() => Promise<void>} */ (task.act)) } }, task.button)),
      !task.act && this.passOn(opened ? { opened } : { table: table.table }, opened ? `${table.game}-opened.json` : `${table.game}-table.json`),
      !opened && h("details", { key: "sent" }, h("summary", {}, t("distance.sent")), this.inbox()),
    );
  }

  /**
   * @param {SealedTable} table
   * @returns {{title: string, marks: number[], text: string, terms?: Content, act?: () => Promise<void>, button?: string}} `marks`: the seats whose marks precede the title
   */
  task(table) {
    const { waiting, saved } = table;
    const others = either(waiting.seats.map((seat) => nameOf(saved, seat)));
    if (saved.opened) return { title: t("distance.opened"), marks: [], text: t("distance.opened.text") };
    if (!waiting.isOwn) {
      const text = t(`distance.waits.${waiting.for}`, { names: others });
      return table.seat === null ? { title: t("distance.watching"), marks: [], text } : { title: t("distance.pass-on", { names: others }), marks: waiting.seats, text };
    }
    const terms = waiting.for === "join" ? this.places(saved.invitation, table.seat) : undefined;
    const act = waiting.for === "opening" ? () => table.finish() : () => table.proceed();
    return { title: t(`distance.${waiting.for}`), marks: [Number(table.seat)], text: t(`distance.${waiting.for}.text`), terms, act, button: t(`distance.${waiting.for}.do`) };
  }

  // --- passing the table on ------------------------------------------------------------------------------------------

  /** What there is to say about what was last received, with buttons. */
  notice() {
    const { contested, transfer } = this;
    const save = () => {
      const kept = store.distanceGames.all().find(({ id }) => id === contested?.creation.nonce)?.table;
      for (const [name, one] of Object.entries({ kept, contested })) if (one) download(`${this.page.game}-${name}.json`, FILE, JSON.stringify(one));
    };
    return (
      this.news &&
      h("div", { class: "finding", key: "notice", role: "alert" }, h("p", {}, this.news), contested && h("div", { class: "act" }, h("button", { type: "button", on: { click: save } }, t("distance.save-both"))), transfer && h("div", { class: "act" }, h("button", { type: "button", on: { click: () => void this.acceptTransfer(transfer) } }, t("distance.secret-came.use"))))
    );
  }

  /**
   * Buttons to pass something on: as a link, if that is short enough for any channel, else as text; and as a file.
   * @param {Parameters<typeof packed>[0]} what
   * @param {string} file
   * @param {boolean} [isNext] whether this is the next thing to do
   */
  passOn(what, file, isNext = true) {
    void this.pack(what);
    const link = `${location.origin}${pathHere(`/play/${this.page.game}`)}#${this.packed}`;
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

  /** @param {Parameters<typeof packed>[0]} what */
  async pack(what) {
    const packing = JSON.stringify(what);
    if (packing === this.#packing) return;
    this.#packing = packing;
    this.packed = "";
    this.copied = false;
    const text = await packed(what);
    if (packing !== this.#packing) return;
    this.packed = text;
    this.page.show();
  }

  /** Opens the inbox as a dialog, where the page has none. */
  openInbox() {
    const close = openDialog({ title: t("distance.sent"), content: () => [this.inbox(() => close())] });
  }

  /**
   * The form into which players put what they were sent.
   * @param {() => void} [done]
   */
  inbox(done = () => {}) {
    const open = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!this.typed.trim()) return;
      done();
      void this.receive(this.typed);
    };
    const choose = (/** @type {any} */ event) => {
      const file = event.target.files?.[0];
      if (!file) return;
      done();
      void this.receive(file.text());
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
 * Focuses the next thing to do if the focus was lost with the element that had it.
 * @param {Element | null} held the element that had the focus
 */
function restoreFocus(held) {
  if (held === document.body || document.activeElement !== document.body) return;
  /** @type {HTMLElement | null} */ (document.querySelector("#turn, #invitation"))?.focus({ preventScroll: true });
}

/** Names as alternatives: "Ada or Bruno". @param {string[]} names */
function either(names) {
  return new Intl.ListFormat(language, { type: "disjunction" }).format(names.map(isolated));
}
