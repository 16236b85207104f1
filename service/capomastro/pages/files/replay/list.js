// The moves of a game as sentences, by turn. The list is built once for each game; a step changes only two entries.

import { h, patch } from "../dom.js";
import { gainsOf, isScored } from "../gains.js";
import { icon, mark } from "../icons.js";
import { number, sentence, t } from "../words.js";

/** @typedef {import("./course.js").MoveWithTexts} MoveWithTexts */
/** @typedef {import("./course.js").Turn} Turn */
/** @typedef {{course: readonly MoveWithTexts[], turns: readonly Turn[], names: readonly string[], slip?: {text: string}, mended: Map<number, any>}} Listed */

const MOST_SENTENCES = 2;
/** The height of a heading that stays above its moves, in pixels. */
const HEADING = 40;
/** The approximate height of a move, for those that are not laid out until they are scrolled to. */
const ENTRY = 58;

/**
 * A move in words: its events, or the move itself if there are none. Scores are left out: they are shown as figures.
 * @param {MoveWithTexts} played
 * @param {number} [most] sentences
 */
export function summaryOf(played, most = MOST_SENTENCES) {
  const events = played.events.filter((event) => !isScored(event));
  const shown = (events.length ? events : [played]).slice(0, most);
  return shown.map((one) => sentence(one.text)).join(" ");
}

export class MoveList extends HTMLElement {
  /** @type {(position: number) => void} */
  go = () => {};
  /** The address of a position, if it has one. @type {(position: number) => string | undefined} */
  linkTo = () => undefined;
  /** An element of its own, which `patch` of the page does not know and leaves alone. */
  #body = document.createElement("div");
  /** @type {HTMLElement[]} by position */
  #entries = [];
  /** @type {HTMLElement | undefined} */
  #current;
  /** @type {HTMLElement | undefined} the entry that Tab leads to */
  #stop;
  /** @type {number | undefined} */
  #position;

  connectedCallback() {
    this.addEventListener("keydown", (event) => this.#pressed(event));
    this.addEventListener("click", (event) => {
      const entry = /** @type {Element} */ (event.target).closest("a");
      if (!entry || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.go(Number(entry.dataset.position));
    });
    for (const kind of ["pointerover", "focusin"]) this.addEventListener(kind, (event) => this.#address(event));
  }

  /** @param {Listed} listed */
  show(listed) {
    this.#current = this.#stop = this.#position = undefined;
    if (!this.#body.parentNode) this.append(this.#body);
    patch(this.#body, [h("ol", { class: "turns" }, listed.turns.map((turn) => this.#turn(listed, turn)), listed.slip && slipEntry(listed))]);
    this.#entries = [];
    for (const entry of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("a"))) this.#entries[Number(entry.dataset.position)] ??= entry;
  }

  /**
   * Marks the move that led to a position, and scrolls the list to it; only once, so that the user can scroll away.
   * @param {number} position
   */
  mark(position) {
    if (position === this.#position) return;
    this.#position = position;
    const entry = this.#entries[position];
    if (this.#current) {
      this.#current.removeAttribute("aria-current");
      this.#current.tabIndex = -1;
    }
    this.#current = entry;
    const stop = entry ?? this.#entries.find((one) => one);
    if (this.#stop) this.#stop.tabIndex = -1;
    if (stop) stop.tabIndex = 0;
    this.#stop = stop;
    if (!entry) return void (this.scrollTop = 0);
    entry.setAttribute("aria-current", "step");
    const shown = this.getBoundingClientRect();
    const own = this.#withSlip(entry);
    if (own.top < shown.top + HEADING) this.scrollTop -= shown.top + HEADING - own.top;
    else if (own.bottom > shown.bottom) this.scrollTop += own.bottom - shown.bottom + HEADING;
  }

  /**
   * The top and bottom of an entry, including the slip, if that comes next.
   * @param {HTMLElement} entry
   */
  #withSlip(entry) {
    const { top, bottom } = entry.getBoundingClientRect();
    const slip = entry === this.#entries.at(-1) ? this.querySelector("[data-slip]") : null;
    return { top, bottom: slip?.getBoundingClientRect().bottom ?? bottom };
  }

  /**
   * @param {Listed} listed
   * @param {Turn} turn
   */
  #turn({ course, names, mended }, turn) {
    const title = turn.seat === null ? t("replay.set-up") : t("replay.turn-of", { number: turn.number, name: names[turn.seat] });
    const entries = course.slice(turn.from, turn.to).map((played, at) => entryOf(played, turn.from + at + 1, mended.get(turn.from + at), names));
    return h("li", { key: `turn-${turn.from}`, style: { "contain-intrinsic-size": `auto ${HEADING + ENTRY * entries.length}px` } }, h("h3", {}, title), h("ol", {}, entries));
  }

  /** An entry gets its link, which contains the whole game, only once it can be used: for all entries it would take megabytes. @param {Event} event */
  #address(event) {
    const entry = /** @type {Element} */ (event.target).closest("a");
    const link = entry && this.linkTo(Number(entry.dataset.position));
    if (link) entry.href = link;
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const from = /** @type {HTMLElement} */ (event.target).closest("a");
    const at = Number(from?.dataset.position);
    const last = this.#entries.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 1, End: last }[event.key];
    if (!from || to === undefined) return;
    event.preventDefault();
    const entry = this.#entries[Math.min(Math.max(to, 1), last)];
    if (!entry) return;
    this.go(Number(entry.dataset.position));
    entry.focus({ preventScroll: true });
  }
}

/**
 * @param {MoveWithTexts} played
 * @param {number} position
 * @param {any} slip that was mended here
 * @param {readonly string[]} names
 */
function entryOf(played, position, slip, names) {
  const seat = played.decision.seat;
  const gains = gainsOf(played);
  const own = gains.length === 1 && gains[0].seat === seat;
  return h(
    "li",
    { class: slip ? "mended" : undefined },
    h(
      "a",
      { href: `#.${position}`, tabindex: -1, "data-position": position, class: seat === undefined ? "chance" : undefined },
      h("span", { class: "ply" }, position),
      seat === undefined ? h("span", {}) : mark(seat),
      h("span", {}, summaryOf(played), slip && h("span", { class: "slip" }, t(`replay.mended.${slip.remedy.action}`, { text: slip.text }))),
      gains.length > 0 && h("span", { class: "gains" }, gains.map((gain) => h("span", {}, !own && mark(gain.seat, true), h("span", { class: "unseen" }, `${names[gain.seat]}: `), signed(gain.points)))),
    ),
  );
}

/** @param {Listed} listed */
function slipEntry({ course, slip }) {
  return h(
    "li",
    { class: "wrong", key: "slip" },
    h(
      "a",
      { href: `#.${course.length}`, tabindex: -1, "data-position": course.length, "data-slip": "" },
      h("span", { class: "ply" }, course.length + 1),
      icon("warn"),
      h("span", {}, sentence(slip?.text ?? ""), " ", h("b", {}, t("replay.not-legal"))),
    ),
  );
}

/** @param {number} points */
export function signed(points) {
  return points > 0 ? `+${points}` : number(points);
}

customElements.define("move-list", MoveList);
