// The picture of a position, to be tapped: what can be chosen is outlined, what is chosen is filled.

import { GamePicture } from "../picture.js";
import { count } from "./choice.js";
import { isAt } from "./targets.js";

/** @typedef {import("./targets.js").Spot} Spot */
/** @typedef {Spot & {element: SVGGElement, title: string}} DrawnSpot a spot and how it is drawn */

const SVG = "http://www.w3.org/2000/svg";
/** Inside the edge: so an outline meets neither the ring around what is new, nor its neighbours, nor a label above. */
const INSET = 1;
const FRAMES = new CSSStyleSheet();
FRAMES.replaceSync(`
  :host { --choice: var(--blue); }
  [data-state] { cursor: pointer; }
  [data-bare] :is(.ring, .ring + path) { display: none; }
  .choice { fill: none; stroke: none; }
  .choice.under { pointer-events: all; }
  .choice.over { pointer-events: none; stroke: var(--choice); stroke-width: 2.5; }
  [data-state=chosen] > .choice.over { fill: var(--choice); fill-opacity: .22; stroke-width: 4.5; }
  [data-pointed] > .choice.over { stroke-width: 6; stroke-dasharray: 8 4; }
  @media (forced-colors: active) { .choice.over { stroke: Highlight; } }
`);

export class GameBoard extends GamePicture {
  /** @type {DrawnSpot[]} */
  spots = [];
  /** @type {(spots: DrawnSpot[]) => void} gets what was tapped, the innermost first */
  onTap = () => {};

  connectedCallback() {
    this.addEventListener("click", (event) => {
      const path = event.composedPath();
      const hit = this.spots.filter(({ element }) => path.includes(element)).sort((one, other) => path.indexOf(one.element) - path.indexOf(other.element));
      if (hit.length) this.onTap(hit);
    });
  }

  /** @param {string} svg */
  show(svg) {
    const before = this.shadowRoot?.firstChild;
    super.show(svg);
    const root = this.shadowRoot;
    if (!root || root.firstChild === before) return;
    root.adoptedStyleSheets.push(FRAMES);
    root.querySelector("#cm-title")?.remove();
    this.spots = [.../** @type {NodeListOf<SVGGElement>} */ (root.querySelectorAll("g[data-token], g[data-place]"))].map((element) => ({
      element,
      place: element.closest("[data-place]")?.getAttribute("data-place") ?? "",
      token: element.dataset.token,
      isPlace: element.dataset.place !== undefined,
      title: element.querySelector(":scope > title")?.textContent ?? "",
    }));
  }

  /** @param {string} target */
  has(target) {
    return this.spots.some((spot) => isAt(spot, target));
  }

  /**
   * The title of what a target lies in.
   * @param {string} target
   */
  containerOf(target) {
    const spot = this.spots.find((one) => isAt(one, target));
    return this.spots.filter((one) => one.isPlace && spot && one.element !== spot.element && one.element.contains(spot.element)).at(-1)?.title ?? "";
  }

  /**
   * Marks what can be tapped, what is chosen, and what the reader points at in a list.
   * @param {ReadonlySet<string>} next
   * @param {readonly string[]} chosen
   * @param {string} [pointed]
   */
  highlight(next, chosen, pointed) {
    const all = [...new Set([...next, ...chosen])];
    const seen = new Map();
    const svg = this.shadowRoot?.firstElementChild;
    svg?.toggleAttribute("data-bare", true); // the size of a thing is without the ring around it
    for (const spot of this.spots) {
      const target = all.find((one) => isAt(spot, one));
      const index = seen.get(target) ?? 0;
      if (target) seen.set(target, index + 1);
      const isChosen = target !== undefined && index < count(chosen, target);
      const state = isChosen ? "chosen" : target !== undefined && next.has(target) ? "next" : undefined;
      frame(spot.element, state, target !== undefined && target === pointed);
    }
    svg?.toggleAttribute("data-bare", false);
  }
}

/**
 * @param {SVGGElement} element
 * @param {string | undefined} state
 * @param {boolean} isPointed
 */
function frame(element, state, isPointed) {
  const before = element.querySelectorAll(":scope > .choice");
  if (element.dataset.state === state && !state === !before.length) return void element.toggleAttribute("data-pointed", isPointed);
  for (const one of before) one.remove();
  if (state) element.dataset.state = state;
  else delete element.dataset.state;
  element.toggleAttribute("data-pointed", isPointed);
  if (!state) return;
  const { x, y, width, height } = element.getBBox();
  for (const kind of ["under", "over"]) {
    const rect = document.createElementNS(SVG, "rect");
    const size = { x: x + INSET, y: y + INSET, width: width - 2 * INSET, height: height - 2 * INSET, rx: 3 };
    for (const [name, value] of Object.entries(size)) rect.setAttribute(name, String(value));
    rect.setAttribute("class", `choice ${kind}`);
    if (kind === "under") element.querySelector(":scope > title")?.after(rect);
    else element.append(rect);
  }
}

customElements.define("game-board", GameBoard);
