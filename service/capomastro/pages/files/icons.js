// Icons, and the marks of players.

import { h } from "./dom.js";
import { DUMMY, MASONS_MARKS, MIDDLES, OUTLINES } from "./marks.js";

/** @type {{[name: string]: string}} */
const STROKES = {
  back: "M14 4l-8 7 8 7",
  undo: "M8 5L4 9l4 4M4 9h9a5 5 0 0 1 0 10h-3",
  menu: "M3 6h16M3 11h16M3 16h16",
  warn: "M11 3L2 19h18L11 3M11 9v5M11 16v1",
  share: "M11 14V3M7 7l4-4 4 4M4 11v8h14v-8",
  close: "M5 5l12 12M17 5L5 17",
  check: "M4 11l5 5 9-10",
  backspace: "M8 5h11v12H8l-6-6zM11 8l5 6M16 8l-5 6",
  swap: "M4 8h14l-4-4M18 14H4l4 4",
  plumb: "M11 1v8M8 9h6v5l-3 7-3-7z",
  cut: "M3 19l7-7M12 10l7-7M7 15l2 2M13 9l2 2",
  plus: "M11 4v14M4 11h14",
  first: "M5 4v14M17 4l-9 7 9 7z",
  previous: "M15 4l-9 7 9 7z",
  play: "M6 3l12 8-12 8z",
  pause: "M7 4v14M15 4v14",
  next: "M7 4l9 7-9 7z",
  last: "M17 4v14M5 4l9 7-9 7z",
  boutique: "M11 8V6a2 2 0 1 0-2-2M11 8l9 7H2z",
  gallery: "M3 4h16v14H3zM3 15l5-6 4 4 3-3 4 5",
  jeweller: "M6 4h10l4 5-9 10L2 9zM2 9h18M8 9l3 10 3-10",
  perfumery: "M9 3h4v4H9zM7 9h8l1 2v8H6v-8zM6 14h10",
  empty: "M5 5h12v12H5z",
};

/**
 * @param {string} name
 * @param {{[name: string]: any}} [props]
 */
export function icon(name, props = {}) {
  const drawn = { viewBox: "0 0 22 22", fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return h("svg", { ...drawn, "aria-hidden": "true", ...props }, h("path", { d: STROKES[name] }));
}

/**
 * The mark of a player, hidden from screen readers: a name is beside it.
 * @param {number | "dummy"} seat
 * @param {boolean} [little]
 */
export function mark(seat, little = false) {
  const isPlayer = seat !== "dummy";
  return h(
    "span",
    { class: `mark ${isPlayer ? `player${seat}` : "dummy"}${little ? " little" : ""}`, "aria-hidden": "true" },
    h(
      "svg",
      { viewBox: "-1 -1 26 26" },
      h("path", { class: "outline", d: isPlayer ? OUTLINES[seat] : DUMMY }),
      isPlayer && h("path", { class: "chisel", d: MASONS_MARKS[seat] }),
    ),
  );
}

/**
 * The mark of a player within a drawing, a number in the mason's mark's place.
 * @param {number | "dummy"} seat
 * @param {number} x its middle
 * @param {number} y
 * @param {number} size
 * @param {number | undefined} number
 */
export function numberedMark(seat, x, y, size, number) {
  const isPlayer = seat !== "dummy";
  const middle = y + ((isPlayer ? MIDDLES[seat] : 12) - 12) * (size / 24);
  return h(
    "g",
    { class: `mark-within ${isPlayer ? `player${seat}` : "dummy"}` },
    h("path", { class: "outline", transform: `translate(${x} ${y}) scale(${size / 24}) translate(-12 -12)`, d: isPlayer ? OUTLINES[seat] : DUMMY }),
    h("text", { x, y: middle + 4, "text-anchor": "middle", "font-size": 12, "font-weight": 700 }, number),
  );
}
