// The view of a game at a distance: players take a place, and pass the table on. What nobody has to decide is done at once.

import { download, openDialog } from "../dialogs.js";
import { isolated } from "../direction.js";
import { h } from "../dom.js";
import { icon, mark } from "../icons.js";
import { LONGEST_LINK, canSeal, packed, readable } from "../sealed.js";
import * as store from "../store.js";
import { language, list, pathHere, sentence, t } from "../words.js";
import { SealedTable, attended, invited, nameOf, received, seatTransfer, seated, transferred } from "./distance.js";
import { CancelledError, OutdatedError } from "./table.js";

/** @typedef {import("../dom.js").Content} Content */
/** @typedef {import("../sealed.js").Invitation} Invitation */
/** @typedef {import("../sealed.js").Sealed} Sealed */
/** @typedef {import("./distance.js").DistanceGame} DistanceGame */
/** @typedef {import("./distance.js").Arrival} Arrival */
/** @typedef {{title: string, marks: number[], text: string, isStuck?: boolean}} Task what the table waits for: `marks` of the seats before the title; `isStuck`: what is done by itself failed and can be tried again */
/**
 * What is used of the page.
 * @typedef {object} Page
 * @property {string} game
 * @property {number} working how many things are under way
 * @property {import("./table.js").Table} [table]
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
    addEventListener("storage", () => this.#follow());
    document.addEventListener("visibilitychange", () => this.#follow());
  }

  // --- actions -------------------------------------------------------------------------------------------------------

  /**
   * A new game, in which the player here has a place at once.
   * @param {Pick<Invitation, "names" | "options" | "draws">} wanted
   * @param {number} seat
   */
  async invite(wanted, seat) {
    this.clearNews();
    await this.#attempt(async () => {
      this.pending = await invited({ game: this.page.game, ...wanted }, seat);
    });
  }

  /** @param {string | Promise<string>} text a link, a copied text, or the text of a file */
  async receive(text) {
    await this.#attempt(async () => this.#show(await received(await text, this.page.game, this.page.ask)));
  }

  /** @param {Arrival} arrival */
  async #show({ saved, news = "", contested, transfer }) {
    if (saved) await (news ? this.#showGame(saved) : this.openGame(saved));
    if (!news) return;
    this.clearNews();
    Object.assign(this, { news, contested, transfer });
    this.page.show();
  }

  /**
   * Continues a saved game, as far as nobody has to decide anything.
   * @param {DistanceGame} saved
   */
  async openGame(saved) {
    this.clearNews();
    try {
      await this.#showGame(await attended(saved, this.page.ask));
    } catch (reason) {
      if (reason instanceof CancelledError || reason instanceof OutdatedError || !(reason instanceof Error)) throw reason;
      await this.#showGame(store.distanceGames.of(saved.id) ?? saved);
      this.news = sentence(reason.message);
      this.page.show();
    }
  }

  /**
   * Shows a game as it is saved, even if another tab goes on meanwhile.
   * @param {DistanceGame} saved
   */
  async #showGame(saved) {
    this.pending = saved.table ? undefined : saved;
    if (saved.table) await this.page.openTable(new SealedTable({ ...saved, table: saved.table }, this.page.ask));
    else this.page.show();
    const newer = this.#newer();
    if (newer) await this.#showGame(newer);
  }

  /** The game that is shown, if another tab has gone on with it. */
  #newer() {
    const { table } = this.page;
    const shown = this.pending ?? (table instanceof SealedTable ? table.saved : undefined);
    const latest = shown && store.distanceGames.of(shown.id);
    return latest && latest.changed !== shown.changed ? latest : undefined;
  }

  /**
   * Follows what another tab has done with the game that is shown: a link that was opened there goes on here, too. A tab that
   * nobody sees, and that a link has opened, goes away instead: so there is always one.
   */
  #follow() {
    const newer = this.#newer();
    if (!newer || this.page.working) return;
    if (document.hidden && history.length === 1) return close();
    void this.page.guarded(() => this.catchUp(newer));
  }

  /** Clears what was said, typed and copied. */
  clearNews() {
    Object.assign(this, { news: "", contested: undefined, transfer: undefined, typed: "", copied: false });
  }

  /** @param {number} seat */
  async takePlace(seat) {
    if (this.page.working) return;
    const { invitation } = /** @type {DistanceGame} */ (this.pending);
    this.clearNews();
    await this.#attempt(async () => {
      // A new secret would replace the one whose lock the others may already have.
      const here = store.distanceGames.of(invitation.nonce);
      if (here) return this.catchUp(here);
      await this.openGame(await seated(invitation, seat));
    });
  }

  /** Shows a game as another window has left it. @param {DistanceGame} here */
  async catchUp(here) {
    await this.#showGame(here);
    this.news = t("play.gone-on");
    this.page.show();
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

  /** Why a game at a distance cannot begin here, if it cannot. */
  cannotSeal() {
    return !canSeal() && h("p", { class: "notes" }, t("distance.unsafe"));
  }

  /** For what was sent as a text or a file. */
  inboxSection() {
    return h("section", { class: "setup distance", key: "sent", "aria-label": t("distance.sent") }, canSeal() && this.inboxDetails());
  }

  /** A game that has no table yet: an invitation to be answered, or passed on. @param {DistanceGame} saved */
  invitation(saved) {
    const { invitation, seat } = saved;
    const { names, locks } = invitation;
    const open = locks.flatMap((lock, at) => (lock ? [] : [at]));
    const [next, ...later] = [...open].reverse();
    const isAnswered = seat !== null;
    const title = !isAnswered ? t("distance.invites", { names: list(names.filter((_, at) => locks[at])) }) : open.length ? t("distance.invite", { name: names[next] }) : t("distance.complete");
    return h(
      "main",
      { class: "wrap setups", key: "invitation" },
      h(
        "section",
        { class: "setup distance", "aria-labelledby": "invitation" },
        h("h2", { id: "invitation", tabindex: -1 }, title),
        this.notice(),
        !isAnswered && [h("p", {}, t("distance.secret")), this.seatChoice(names, open)],
        isAnswered && open.length > 0 && [h("p", {}, t("distance.invite.text", { name: names[next] }), later.length > 0 && ` ${t("distance.invite.later", { names: list(later.map((at) => names[at])) })}`), this.passOn({ invitation }, `${invitation.game}-invitation.json`)],
        isAnswered && !open.length && h("div", { class: "ways" }, h("button", { type: "button", class: "button main", on: { click: () => void this.page.guarded(() => this.openGame(saved)) } }, t("play.again"))),
        this.terms(invitation, seat),
        isAnswered && this.inboxDetails(),
      ),
    );
  }

  /**
   * @param {string[]} names
   * @param {number[]} open places
   */
  seatChoice(names, open) {
    if (!canSeal()) return this.cannotSeal();
    if (!open.length) return h("p", {}, t("distance.full"));
    return h("div", { class: "ways" }, open.map((seat) => h("button", { type: "button", key: `take${seat}`, class: open.length > 1 ? "button" : "button main", on: { click: () => void this.takePlace(seat) } }, mark(seat), t("play.here", { name: names[seat] }))));
  }

  /**
   * Who plays, how chance is drawn, and the locks: for those who want to know.
   * @param {Invitation} invitation
   * @param {number | null} seat
   */
  terms({ names, locks, draws }, seat) {
    return h(
      "details",
      { key: "terms" },
      h("summary", {}, t("distance.terms")),
      h("p", { class: "small" }, t(`distance.draws.${draws}`)),
      h("p", { class: "small" }, t("distance.locks.text")),
      h("ul", { class: "taken" }, names.map((name, at) => h("li", { key: `lock${at}` }, mark(at, true), h("span", {}, at === seat ? t("distance.you", { name }) : name), h("code", {}, locks[at] ? readable(String(locks[at])) : "–")))),
    );
  }

  // --- at the table --------------------------------------------------------------------------------------------------

  /**
   * What is beside the picture unless the player here is to move.
   * @param {SealedTable} table
   */
  aside(table) {
    const task = this.task(table);
    const { opened, invitation } = table.saved;
    return h(
      "section",
      { class: "turn waiting distance", key: "waiting", "aria-labelledby": "turn", "aria-busy": this.page.working > 0 },
      h("h2", { id: "turn", tabindex: -1 }, task.marks.map((named) => mark(named)), h("span", {}, task.title)),
      task.text && h("p", {}, task.text),
      task.isStuck ? h("div", { class: "ways" }, h("button", { type: "button", class: "button main", on: { click: () => void this.page.guarded(() => this.openGame(table.saved)) } }, t("play.again"))) : this.passOn(opened ? { opened } : { table: table.table }, opened ? `${table.game}-opened.json` : `${table.game}-table.json`),
      !opened && [this.inboxDetails(), this.terms(invitation, table.seat)],
    );
  }

  /**
   * @param {SealedTable} table
   * @returns {Task}
   */
  task(table) {
    const { waiting, saved } = table;
    const others = either(waiting.seats.map((seat) => nameOf(saved, seat)));
    if (saved.opened) return { title: t("distance.opened"), marks: [], text: t("distance.opened.text") };
    if (waiting.isOwn) return { title: t(`distance.${waiting.for}`), marks: [Number(table.seat)], text: "", isStuck: true };
    if (table.seat === null) return { title: t("distance.watching"), marks: [], text: t(`distance.waits.${waiting.for}`, { names: others }) };
    return { title: t("distance.pass-on", { names: others }), marks: waiting.seats, text: waiting.for !== "opening" ? "" : t(`distance.waits.${waiting.for}`, { names: others }) };
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
   */
  passOn(what, file) {
    void this.pack(what);
    const link = `${location.origin}${pathHere(`/play/${this.page.game}`)}#${this.packed}`;
    const isLink = link.length <= LONGEST_LINK;
    const text = isLink ? link : this.packed;
    const whole = JSON.stringify(Object.values(what)[0]);
    const canShare = "share" in navigator;
    return h(
      "div",
      { class: "passing", key: "passing" },
      h(
        "div",
        { class: "ways" },
        canShare && h("button", { type: "button", key: "share", class: "button main", disabled: !this.packed, on: { click: () => void this.share(text, isLink) } }, icon("share"), t("distance.share")),
        h("button", { type: "button", key: "copy", class: canShare ? "button" : "button main", disabled: !this.packed, on: { click: () => void this.copy(text) } }, !canShare && icon("share"), t(isLink ? "distance.copy-link" : "distance.copy-text")),
      ),
      h("p", { class: "small", role: "status" }, this.copied ? t("distance.copied") : isLink ? "" : t("distance.too-long")),
      h("details", { key: "as-text" }, h("summary", {}, t("distance.as-text")), h("div", { class: "ways" }, h("button", { type: "button", class: "button", on: { click: () => download(file, FILE, whole) } }, t("distance.save"))), h("textarea", { readonly: true, rows: 4, "aria-label": t("distance.as-text"), value: text })),
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

  inboxDetails() {
    return h("details", { key: "sent" }, h("summary", {}, t("distance.sent")), this.inbox());
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
