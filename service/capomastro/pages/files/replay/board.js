// The picture of a position, to be tapped. Where there is room for two, the players are beside the table that all share.

import { GamePicture, spotOf, svgElement } from "../picture.js";
import { t } from "../words.js";

/** @typedef {{place: string, token?: string}} Spot something on the table: a place, or a token in its place */

const OF_A_SEAT = '[data-place^="/seats/"]';
const INSET = 1;
/** Between what a move changed and the edge of what is in sight, in pixels. */
const MARGIN = 12;
/** The same where the page itself scrolls. */
const AROUND = 48;
const SHEET = new CSSStyleSheet();
SHEET.replaceSync(`
  :host { display: grid; grid-template-columns: minmax(0, 1fr); }
  .part { min-width: 0; overflow: auto; }
  :host([split]) { grid-template-columns: repeat(2, minmax(0, 1fr)); height: 100%; }
  :host([split]) .part { max-height: 100%; overscroll-behavior: contain; scrollbar-width: thin; }
  :host(:not([split])) .part { overflow: hidden; }
  .part:focus-visible { outline: 3px solid var(--blue); outline-offset: -3px; }
  [data-chosen] > .choice { fill: var(--blue); fill-opacity: .22; stroke: var(--blue); stroke-width: 4; pointer-events: none; }
  [data-open] > .choice { fill: none; stroke: var(--blue); stroke-width: 2; pointer-events: none; }
  g[data-token], g[data-place] { cursor: pointer; }
  @media (forced-colors: active) { .choice { stroke: Highlight !important; } }
`);

export class ReplayBoard extends GamePicture {
  /** @type {(spots: Spot[]) => void} gets what was tapped, the innermost first */
  onTap = () => {};
  #shown = "";
  #isSplit = false;

  connectedCallback() {
    this.addEventListener("click", (event) => {
      const spots = event.composedPath().flatMap((element) => (element instanceof SVGGElement && (element.dataset.token !== undefined || element.dataset.place !== undefined) ? [spotOf(element)] : []));
      if (spots.length) this.onTap(spots);
    });
  }

  /**
   * @param {string} svg
   * @param {boolean} [isSplit]
   */
  show(svg, isSplit = false) {
    if (svg === this.#shown && isSplit === this.#isSplit) return;
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    const scrolled = [...root.querySelectorAll(".part")].map(({ scrollTop }) => scrollTop);
    if (svg === this.#shown) super.show("<svg xmlns='http://www.w3.org/2000/svg'/>");
    super.show(svg);
    this.#shown = svg;
    this.#isSplit = isSplit;
    this.toggleAttribute("split", isSplit);
    root.adoptedStyleSheets.push(SHEET);
    const drawn = /** @type {SVGSVGElement} */ (root.querySelector("svg"));
    const title = root.querySelector("#cm-title"); // browsers would show it wherever the pointer is
    if (title) {
      drawn.setAttribute("aria-label", title.textContent ?? "");
      drawn.removeAttribute("aria-labelledby");
      title.remove();
    }
    const parts = [drawn, ...(isSplit ? playersOf(drawn) : [])];
    root.replaceChildren(...parts.map(framed));
    for (const [at, part] of [...root.querySelectorAll(".part")].entries()) part.scrollTop = scrolled[at] ?? 0;
    if (isSplit) this.#letScroll();
    if (isSplit) this.#showChange();
  }

  /** A part that is higher than its frame can be scrolled by keys. */
  #letScroll() {
    for (const [at, part] of /** @type {NodeListOf<HTMLElement>} */ (/** @type {ShadowRoot} */ (this.shadowRoot).querySelectorAll(".part")).entries()) {
      if (part.scrollHeight <= part.clientHeight) continue;
      part.tabIndex = 0;
      part.setAttribute("role", "group");
      part.setAttribute("aria-label", t(at ? "players" : "replay.picture"));
    }
  }

  /** Scrolls to what the last move changed, if it is out of sight. */
  #showChange() {
    for (const part of /** @type {ShadowRoot} */ (this.shadowRoot).querySelectorAll(".part")) {
      const ring = part.querySelector(".ring");
      if (!ring) continue;
      const { top, bottom } = part.getBoundingClientRect();
      part.scrollTop += beyond(ring.getBoundingClientRect(), top, bottom, MARGIN);
    }
  }

  /** Scrolls the page so far that something of what the last move changed is in sight. @param {number} below where the sight ends */
  scrollToChange(below) {
    if (this.#isSplit) return;
    const rings = [.../** @type {ShadowRoot} */ (this.shadowRoot).querySelectorAll(".ring")].map((ring) => ring.getBoundingClientRect());
    if (!rings.length || rings.some(({ top, bottom }) => top >= 0 && bottom <= below)) return;
    scrollBy({ top: beyond(rings[0], 0, below, AROUND), behavior: "instant" });
  }

  /**
   * Marks what is chosen, and what can be chosen with it.
   * @param {(spot: Spot) => "chosen" | "open" | undefined} stateOf
   */
  highlight(stateOf) {
    for (const element of /** @type {NodeListOf<SVGGElement>} */ (/** @type {ShadowRoot} */ (this.shadowRoot).querySelectorAll("g[data-token], g[data-place]"))) {
      const state = stateOf(spotOf(element));
      element.querySelector(":scope > .choice")?.remove();
      element.toggleAttribute("data-chosen", state === "chosen");
      element.toggleAttribute("data-open", state === "open");
      if (!state) continue;
      const { x, y, width, height } = element.getBBox();
      element.append(svgElement("rect", { x: x + INSET, y: y + INSET, width: width - 2 * INSET, height: height - 2 * INSET, rx: 3, class: "choice" }));
    }
  }
}

/**
 * How far to scroll until a box is in sight, with a margin; 0 if it is.
 * @param {DOMRect} box
 * @param {number} top where the sight begins
 * @param {number} bottom where it ends
 * @param {number} margin
 */
function beyond(box, top, bottom, margin) {
  if (box.bottom > bottom) return box.bottom - bottom + margin;
  return box.top < top ? box.top - top - margin : 0;
}

/** @param {SVGSVGElement} svg */
function framed(svg) {
  const part = document.createElement("div");
  part.className = "part";
  part.append(svg);
  return part;
}

/**
 * Takes the players, and what is below them, out of a picture.
 * @param {SVGSVGElement} svg
 * @returns {SVGSVGElement[]} a picture of them; none if the players are not below the rest
 */
function playersOf(svg) {
  const all = [...svg.children].filter((one) => one.tagName === "g").at(-1);
  const rows = [...(all?.children ?? [])];
  const first = rows.findIndex((row) => topOf(row) > 0 && row.querySelector(OF_A_SEAT)); // what players have in a place of all is at the top
  if (!all || first < 0) return [];
  const [, width, height] = /^0 0 ([\d.]+) ([\d.]+)$/.exec(svg.getAttribute("viewBox") ?? "") ?? [];
  const below = /** @type {SVGSVGElement} */ (svg.cloneNode(false));
  const group = /** @type {Element} */ (all.cloneNode(false));
  group.append(...rows.slice(first));
  below.append(group);
  const at = topOf(all) + topOf(rows[first]) - 4;
  svg.setAttribute("viewBox", `0 0 ${width} ${at}`);
  svg.setAttribute("height", String(at));
  below.setAttribute("viewBox", `0 ${at} ${width} ${Number(height) - at}`);
  below.setAttribute("height", String(Number(height) - at));
  for (const name of ["role", "aria-label"]) below.removeAttribute(name);
  return [below];
}

/** How far down an element is moved. @param {Element} element */
function topOf(element) {
  return Number(/translate\([\d.]+ ([\d.]+)\)/.exec(element.getAttribute("transform") ?? "")?.[1] ?? 0);
}

customElements.define("replay-board", ReplayBoard);
