// The moves of a game in brief, with its variations and notes inside. The list is built once for each tree; a step changes only
// two entries.

import { h, patch } from "../dom.js";
import { gainsOf, isScored } from "../gains.js";
import { icon, mark } from "../icons.js";
import { capitalized, number, sentence, t } from "../words.js";
import { rowsOf, stretchesOf, turnsOf } from "./course.js";
import { labelOf } from "./tree.js";

/** @typedef {import("./course.js").MoveWithTexts} MoveWithTexts */
/** @typedef {import("./course.js").Turn} Turn */
/** @typedef {import("./tree.js").Path} Path */
/** @typedef {import("../dom.js").Content} Content */
/**
 * A line to be listed: the record, or a variation.
 * @typedef {object} Listed
 * @property {Path} path
 * @property {number} ply the position where it begins
 * @property {readonly MoveWithTexts[] | undefined} course in brief, from the set-up on; undefined until it is known
 * @property {string | undefined} slip its first illegal move in words, after its course
 * @property {import("./tree.js").Notes} notes
 * @property {readonly Listed[]} variations
 */

const MOST_SENTENCES = 2;
/** So many draws that follow each other are folded. */
const FOLDED = 2;
/** The height of what stays above the moves while they scroll, in pixels. */
const HEADING = 40;

/**
 * A move in sentences: its events, or the move itself if there are none. Scores are left out: they are shown as figures.
 * @param {MoveWithTexts} played
 * @param {number} [most] sentences
 */
export function summaryOf(played, most = MOST_SENTENCES) {
  return toldEvents(played, most).map((one) => sentence(one.text)).join(" ");
}

/**
 * @param {MoveWithTexts} played
 * @param {number} most
 */
function toldEvents(played, most) {
  const events = played.events.filter((event) => !isScored(event));
  return (events.length ? events : [played]).slice(0, most);
}

export class MoveList extends HTMLElement {
  /** @type {(path: Path, position: number) => void} */
  go = () => {};
  /** Opens what can be done with a variation. @type {(path: Path) => void} */
  openMenu = () => {};
  /** The address of a position, if it has one. @type {(path: Path, position: number) => string | undefined} */
  linkTo = () => undefined;
  /** An element of its own, which `patch` of the page does not know and leaves alone. */
  #body = document.createElement("div");
  /** @type {Map<string, HTMLElement>} by line and position: links, and buttons that unfold draws */
  #entries = new Map();
  /** @type {HTMLElement | undefined} */
  #current;
  /** @type {HTMLElement | undefined} the entry that Tab leads to */
  #stop;
  #position = "";

  connectedCallback() {
    this.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      const button = /** @type {HTMLElement | null} */ (target.closest("button"));
      if (button?.dataset.fold) return this.#unfold(button);
      if (button?.dataset.menu) return this.openMenu(pathIn(button.dataset.menu));
      const entry = target.closest("a");
      if (!entry || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.go(pathIn(entry.dataset.path), Number(entry.dataset.position));
    });
    for (const kind of ["pointerover", "focusin"]) this.addEventListener(kind, (event) => this.#address(event));
  }

  /**
   * @param {Listed} record
   * @param {readonly string[]} names
   */
  show(record, names) {
    this.#current?.removeAttribute("aria-current");
    this.#current = this.#stop = undefined;
    this.#position = "";
    if (!this.#body.parentNode) this.append(this.#body);
    patch(this.#body, [listOf(record, names)]);
    this.#entries.clear();
    for (const fold of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[data-fold]"))) {
      const [from, to] = String(fold.dataset.fold).split("-").map(Number);
      for (let position = from + 1; position <= to; position++) this.#entries.set(`${fold.dataset.path}:${position}`, fold);
    }
    for (const entry of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("a:not([data-slip])"))) if (entry.checkVisibility()) this.#entries.set(`${entry.dataset.path}:${entry.dataset.position}`, entry);
  }

  /**
   * Marks the move that led to a position, and scrolls the list to it; only once, so that the user can scroll away.
   * @param {Path} path
   * @param {number} position
   */
  mark(path, position) {
    const where = `${path.join(".")}:${position}`;
    if (where === this.#position) return;
    this.#position = where;
    const entry = this.#entries.get(where);
    const hadFocus = this.contains(document.activeElement);
    this.#current?.removeAttribute("aria-current");
    this.#current = entry;
    const stop = entry ?? this.#entries.values().next().value;
    if (this.#stop) this.#stop.tabIndex = -1;
    if (stop) stop.tabIndex = 0;
    this.#stop = stop;
    if (!entry) return void (this.scrollTop = 0);
    entry.setAttribute("aria-current", "step");
    if (hadFocus) entry.focus({ preventScroll: true });
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
    const slip = entry.parentElement?.querySelector(":scope > [data-slip]");
    return { top, bottom: slip?.getBoundingClientRect().bottom ?? bottom };
  }

  /** @param {HTMLElement} fold */
  #unfold(fold) {
    const isOpen = fold.getAttribute("aria-expanded") === "true";
    fold.setAttribute("aria-expanded", String(!isOpen));
    const draws = /** @type {HTMLElement} */ (fold.nextElementSibling);
    draws.hidden = isOpen;
    for (const entry of /** @type {NodeListOf<HTMLElement>} */ (draws.querySelectorAll("a"))) this.#entries.set(`${entry.dataset.path}:${entry.dataset.position}`, isOpen ? fold : entry);
    const [path, position] = this.#position.split(":");
    this.#position = "";
    this.mark(pathIn(path), Number(position));
    fold.focus({ preventScroll: true });
  }

  /** An entry gets its link, which contains the whole game, only once it can be used: for all entries it would take megabytes. @param {Event} event */
  #address(event) {
    const entry = /** @type {Element} */ (event.target).closest("a");
    const link = entry && this.linkTo(pathIn(entry.dataset.path), Number(entry.dataset.position));
    if (link) entry.href = link;
  }
}

/** @param {string | undefined} text @returns {number[]} */
function pathIn(text) {
  return text ? text.split(".").map(Number) : [];
}

/**
 * @param {Listed} record
 * @param {readonly string[]} names
 */
function listOf(record, names) {
  const course = record.course ?? [];
  const [first, ...others] = turnsOf(course);
  const setUp = first?.seat === null ? first : undefined;
  const turns = setUp ? others : first ? [first, ...others] : [];
  const inColumns = names.length === 2;
  const opener = turns[0]?.seat ?? 0;
  const rows = rowsOf(turns, names.length);
  const order = inColumns ? [opener, 1 - opener] : [];
  return [
    inColumns && h("p", { class: "columns", key: "columns", "aria-hidden": "true" }, h("span", {}), order.map((seat) => h("span", { key: `c${seat}` }, mark(seat, true), h("span", { class: "name" }, names[seat])))),
    h(
      "ol",
      { class: inColumns ? "rows two" : "rows", key: "rows" },
      beside(record, -1, 0, names),
      setUp && h("li", { class: "row whole", key: "set-up" }, h("span", { class: "ply" }, "0"), h("div", { class: "cell" }, drawsOf(record, setUp.from, setUp.to, t("replay.set-up-of", { draws: setUp.to })))),
      setUp && beside(record, setUp.from, setUp.to, names),
      rows.map((row, at) => {
        const isLast = at === rows.length - 1;
        const [from, to] = [row[0].from, row[row.length - 1].to];
        const cells = row.map((turn, index) => h("div", { class: "cell", key: `t${turn.from}`, style: inColumns && !index && turn.seat !== opener ? { "grid-column": "3" } : {} }, turnOf(record, turn, names), isLast && index === row.length - 1 && slipEntry(record)));
        return [h("li", { class: "row", key: `r${from}` }, h("span", { class: "ply" }, inColumns ? row[0].round : row[0].number), cells), beside(record, from, to, names)];
      }),
      !rows.length && record.slip && h("li", { class: "row whole", key: "slip" }, h("div", { class: "cell" }, slipEntry(record))),
    ),
  ];
}

/**
 * What stands below a row: the notes on its positions, and the variations from them. Those of the last position stand there, too.
 * @param {Listed} line
 * @param {number} from
 * @param {number} to
 * @param {readonly string[]} names
 */
function beside(line, from, to, names) {
  const isLast = to === line.course?.length;
  const notes = Object.keys(line.notes).map(Number).filter((position) => position > from && (position <= to || (isLast && position > to)));
  const variations = line.variations.filter(({ ply }) => ply >= from && (ply < to || (isLast && ply >= to)));
  return (
    notes.length + variations.length > 0 &&
    h(
      "li",
      { class: "beside", key: `b${from}` },
      notes.map((position) => h("p", { class: "note", key: `n${position}` }, line.notes[position])),
      variations.map((variation) => variationOf(variation, names)),
    )
  );
}

/**
 * @param {Listed} variation
 * @param {readonly string[]} names
 * @returns {Content}
 */
function variationOf(variation, names) {
  const { path, ply, course, notes, variations } = variation;
  const label = labelOf(path);
  const turns = course ? turnsOf(course).filter((turn) => turn.to > ply) : [];
  return h(
    "div",
    { class: path.length > 1 ? "variation inner" : "variation", key: `v${label}`, role: "group", "aria-label": t("replay.variation", { label }) },
    h("button", { type: "button", class: "label", "data-menu": path.join("."), "aria-haspopup": "dialog", "aria-label": t("replay.variation-menu", { label }) }, label),
    " ",
    course
      ? turns.map((turn) => {
          const from = Math.max(turn.from, ply);
          return [
            h("span", { class: "turn", key: `t${from}` }, turn.seat !== null && [mark(turn.seat, true), " "], turnOf(variation, { ...turn, from }, names), " "),
            ...Object.keys(notes).map(Number).filter((position) => position > from && position <= turn.to).map((position) => h("em", { class: "note", key: `n${position}` }, notes[position], " ")),
            variations.filter((inner) => inner.ply >= from && (inner.ply < turn.to || (inner.ply >= course.length && turn.to === course.length))).map((inner) => variationOf(inner, names)),
          ];
        })
      : t("checking"),
    course && slipEntry(variation),
  );
}

/**
 * The moves of a turn, one after the other in a line.
 * @param {Listed} line
 * @param {Turn} turn
 * @param {readonly string[]} names
 */
function turnOf(line, turn, names) {
  const course = /** @type {readonly MoveWithTexts[]} */ (line.course);
  const own = h("span", { class: "unseen" }, turn.seat === null ? "" : `${names[turn.seat]}: `);
  // in two columns the head of the column says it
  const who = turn.seat !== null && !line.path.length && h("span", { class: names.length === 2 ? "who in-column" : "who" }, mark(turn.seat, true), " ");
  return [
    who,
    own,
    stretchesOf(course, turn.from, turn.to).map(({ from, to, isChance }) => (isChance && to - from >= FOLDED ? drawsOf(line, from, to, t("replay.draws", { draws: to - from })) : entryOf(line, to, turn.seat, names))),
  ];
}

/**
 * Draws that are folded.
 * @param {Listed} line
 * @param {number} from
 * @param {number} to
 * @param {string} text
 */
function drawsOf(line, from, to, text) {
  const path = line.path.join(".");
  return [
    h("button", { type: "button", class: "fold", key: `f${from}`, tabindex: -1, "aria-expanded": "false", "data-path": path, "data-fold": `${from}-${to}` }, text),
    h("span", { class: "drawn", key: `d${from}`, hidden: true }, Array.from({ length: to - from }, (_, at) => entryOf(line, from + at + 1, undefined, []))),
  ];
}

/**
 * @param {Listed} line
 * @param {number} position
 * @param {number | null | undefined} active whose turn it is
 * @param {readonly string[]} names
 */
function entryOf(line, position, active, names) {
  const played = /** @type {readonly MoveWithTexts[]} */ (line.course)[position - 1];
  const { seat } = played.decision;
  const isOther = seat !== undefined && active !== undefined && seat !== active;
  const gains = names.length ? gainsOf(played) : [];
  const isOwn = gains.length === 1 && gains[0].seat === (seat ?? active);
  const text = toldEvents(played, 1)[0].text;
  return h(
    "a",
    { key: `p${position}`, href: `#.${position}`, tabindex: -1, "data-path": line.path.join("."), "data-position": position, class: seat === undefined ? "chance" : undefined },
    isOther && [mark(seat, true), h("span", { class: "unseen" }, `${names[seat]}: `), " "],
    seat === undefined || isOther ? text : text.charAt(0).toLocaleUpperCase() + text.slice(1),
    gains.length > 0 && h("b", { class: "gains" }, gains.map((gain) => [" ", !isOwn && [mark(gain.seat, true), h("span", { class: "unseen" }, `${names[gain.seat]}: `)], signed(gain.points)])),
  );
}

/** @param {Listed} line */
function slipEntry({ path, course = [], slip }) {
  return (
    slip !== undefined &&
    h("a", { key: "slip", href: `#.${course.length}`, tabindex: -1, class: "wrong", "data-path": path.join("."), "data-position": course.length, "data-slip": "" }, icon("warn"), h("span", {}, capitalized(slip), ": ", h("b", {}, t("replay.not-legal"))))
  );
}

/** @param {number} points */
export function signed(points) {
  return points > 0 ? `+${points}` : number(points);
}

customElements.define("move-list", MoveList);
