// The picture of the table, to be tapped: what can be tapped is ringed and in sight, or a pill says how much is not and leads
// there. Of a picture it knows only `data-place` and `data-token`.

import { parsed, sheetsOf, spotOf, svgElement } from "../picture.js";
import { t } from "../words.js";

/** @typedef {import("./choosing.js").Spot} Spot */
/** @typedef {Spot & {element: SVGGElement, title: string}} DrawnSpot a spot and how it is drawn */
/** @typedef {{x: number, y: number, width: number, height: number}} Box in units of the picture */
/** @typedef {{can: ReadonlySet<string>, chosen: ReadonlySet<string>, docked: ReadonlySet<string>, showsNew: boolean}} Marks keys of spots; `docked`: of what the tray has, too */
/** @typedef {"up" | "down" | "left" | "right"} Side */

/** No crop is smaller: a text of 11 units is then legible. Larger than the second, cards are no easier to tap. */
const LEAST_SCALE = 1;
const MOST_SCALE = 1.6;
/** So much of the table is seen from above to below, in units, where a window is low. */
const LEAST_HEIGHT = 280;
/** So large, in pixels, a target is easy to tap: nothing is shown larger for that. */
const FINGER = 44;
/** A tap counts for the nearest target within so many pixels. */
const REACH = 24;
/** From this width on, the players' parts stand beside the common table. */
const WIDE = 720;
const GAP = 16;
/** Where the button for the whole picture can be: first where it usually is. */
const CORNERS = ["bottom right", "top right", "bottom left", "top left"];
const WHOLE = "M3 8V3h5M14 3h5v5M19 14v5h-5M8 19H3v-5";
const CLOSER = "M8 3v5H3M19 8h-5V3M14 19v-5h5M3 14h5v5";
/** How high a pill is with the space around it, and half its width. */
const PILL = { height: 52, half: 80 };
/** How large a corner the button covers that shows everything. */
const CORNER = 52;
/** @type {Side[]} */
const SIDES = ["up", "down", "left", "right"];
const ARROWS = { up: "▴", down: "▾", left: "◂", right: "▸" };
const LOOK = new CSSStyleSheet();
LOOK.replaceSync(`
  :host { position: relative; display: block; --choice: var(--blue); }
  .pan { position: absolute; inset: 0; overflow: auto; overscroll-behavior: contain; scrollbar-width: thin; }
  .pan > svg { height: auto; margin-inline: auto; }
  .pan > svg[data-quiet] .ring, .pan > svg[data-quiet] .ring + path, [data-bare] :is(.ring, .ring + path) { display: none; }
  .pan > svg[data-under] { opacity: 0; }
  .pan > svg.over { --new: var(--choice); position: absolute; inset: 0 0 auto; pointer-events: none; }
  .tappable { cursor: pointer; }
  .marks { pointer-events: none; }
  .can { fill: var(--choice); fill-opacity: .06; stroke: var(--choice); stroke-width: 2; }
  .chosen { fill: var(--choice); fill-opacity: .14; stroke: var(--choice); stroke-width: 4; }
  .tick { fill: var(--choice); }
  .tick + path { fill: none; stroke: var(--sheet); stroke-width: 2; }
  .pill { position: absolute; left: 50%; display: flex; align-items: center; min-height: 36px; padding: 0 12px; border: 1.5px solid var(--edge); border-radius: 18px; background: var(--sheet); color: var(--blue); font: 600 .8125rem/1 var(--text); white-space: nowrap; transform: translateX(-50%); cursor: pointer; touch-action: manipulation; }
  .pill::before { content: ""; position: absolute; inset: -6px 0; }
  .pill[hidden] { display: none; }
  .up { top: 8px; }
  .down { bottom: 8px; }
  .whole { left: auto; justify-content: center; width: 36px; padding: 0; border-radius: 6px; color: var(--ink); transform: none; }
  .whole::before { inset: -6px; }
  .whole svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
  .whole.bottom { bottom: 8px; }
  .whole.top { top: 8px; }
  .whole.right { right: 8px; }
  .whole.left { left: 8px; }
  .pill:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px; }
  @media (forced-colors: active) { .can, .chosen { stroke: Highlight; } .chosen { stroke-width: 5; } }
`);

export class GameBoard extends HTMLElement {
  #shadow = this.attachShadow({ mode: "open" });
  #shown = "";
  #pan = document.createElement("div");
  /** @type {SVGSVGElement | undefined} */
  #svg;
  #pills = { up: pill("up"), down: pill("down"), whole: pill("whole bottom right") };
  /** The table as it would be, above the one that can be tapped. @type {SVGSVGElement | undefined} */
  #over;
  #foreseen = "";
  /** Where the pill below leads. @type {Side} */
  #further = "down";
  /** @type {Map<string, Box>} by key, of what can be tapped or is chosen */
  #boxes = new Map();
  /** What can be tapped in the picture only: that has to be in sight. @type {ReadonlySet<string>} */
  #can = new Set();
  /** What the tray has, too. @type {ReadonlySet<string>} */
  #docked = new Set();
  /** What is drawn at each spot, measured at once: each by itself would lay the page out again. @type {Map<SVGGElement, Box> | undefined} */
  #drawn;
  #size = { width: 360, height: 360 };
  #scale = 1;
  #isWide = false;
  /** Whether all is shown at once, however small. */
  #isWhole = false;
  /** @type {DrawnSpot[]} */
  spots = [];
  /** @type {(spot: DrawnSpot | undefined) => void} gets what was tapped: of what can be tapped the nearest, else the innermost */
  onTap = () => {};
  /** Called when everything is drawn anew. */
  onResize = () => {};

  constructor() {
    super();
    this.#pan.className = "pan";
    this.#pan.tabIndex = 0;
    this.#shadow.append(this.#pan, ...Object.values(this.#pills));
    this.#pan.addEventListener("click", (event) => (this.#isWhole ? this.#closer(event) : this.onTap(this.#tapped(event))));
    this.#pan.addEventListener("dblclick", () => this.#toggleWhole());
    this.#pan.addEventListener("scroll", () => this.#count(), { passive: true });
    this.#pills.whole.addEventListener("click", () => this.#toggleWhole());
    this.#pills.up.addEventListener("click", () => this.#scrollTo("up"));
    this.#pills.down.addEventListener("click", () => this.#scrollTo(this.#further));
    new ResizeObserver(() => this.#resize()).observe(this);
  }

  get svg() {
    return this.#svg;
  }

  /** @param {string} svg as the service draws it */
  show(svg) {
    if (svg === this.#shown || !svg) return;
    this.#shown = svg;
    this.#isWide = this.clientWidth >= WIDE;
    const drawn = this.#laidOut(svg);
    const { scrollLeft, scrollTop } = this.#pan;
    this.#shadow.adoptedStyleSheets = [...sheetsOf(svg), LOOK];
    this.#pan.replaceChildren(drawn);
    this.#svg = drawn;
    const { width, height } = drawn.viewBox.baseVal;
    this.#size = { width, height };
    this.#zoom(this.#scale);
    this.#pan.scrollTo(scrollLeft, scrollTop);
    this.spots = spotsIn(drawn);
    this.#drawn = undefined;
    this.#boxes.clear();
    this.#over = undefined;
    this.#foreseen = "";
  }

  /**
   * Shows the table as a move would leave it, unless what is chosen in the picture would no longer be there.
   * @param {string} svg "" shows it as it is
   * @param {readonly string[]} chosen keys of spots
   */
  foresee(svg, chosen) {
    if (svg === this.#foreseen || !this.#svg) return;
    this.#foreseen = svg;
    this.#over?.remove();
    this.#over = undefined;
    const next = svg ? this.#layered(svg) : undefined;
    const there = new Set(next && spotsIn(next).map(({ key }) => key));
    const isWhole = next && chosen.every((key) => there.has(key));
    this.#svg.toggleAttribute("data-under", !!isWhole);
    if (!isWhole) return;
    this.#over = next;
    this.#pan.append(next);
    this.#zoom(this.#scale);
  }

  /** @param {string} svg */
  #layered(svg) {
    const drawn = this.#laidOut(svg);
    drawn.setAttribute("aria-hidden", "true");
    drawn.classList.add("over");
    return drawn;
  }

  /** A picture as it is laid out here. @param {string} svg */
  #laidOut(svg) {
    const drawn = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed(svg), true)));
    drawn.querySelector("#cm-title")?.remove(); // browsers would show it wherever the pointer is
    if (this.#isWide) placeBeside(drawn);
    return drawn;
  }

  /**
   * A copy of what is drawn at a spot, with what it needs to look the same.
   * @param {DrawnSpot} spot
   */
  copyOf({ element }) {
    const copy = svgElement("svg");
    this.#drawn ??= this.#bare(() => new Map(this.spots.map((spot) => [spot.element, spot.element.getBBox()])));
    const { x, y, width, height } = this.#drawn.get(element) ?? element.getBBox();
    copy.setAttribute("class", "cm");
    copy.setAttribute("viewBox", `${x - 1.5} ${y - 1.5} ${width + 3} ${height + 3}`);
    const defs = this.#svg?.querySelector("defs");
    const drawn = /** @type {SVGGElement} */ (element.cloneNode(true));
    drawn.removeAttribute("transform");
    for (const ring of drawn.querySelectorAll(".ring, .ring + path, title")) ring.remove();
    copy.append(...(defs ? [defs.cloneNode(true)] : []), drawn);
    return { copy, sheets: this.#shadow.adoptedStyleSheets.filter((sheet) => sheet !== LOOK) };
  }

  /**
   * Rings what can be tapped and what is chosen; rings around what is new are only there while that is shown.
   * @param {Marks} marks
   */
  mark({ can, chosen, docked, showsNew }) {
    const svg = this.#svg;
    if (!svg) return;
    for (const before of this.#pan.querySelectorAll(".marks")) before.remove();
    svg.toggleAttribute("data-quiet", !showsNew);
    this.#docked = docked;
    this.#can = new Set([...can].filter((key) => !docked.has(key)));
    const layer = this.#over;
    const shown = layer ? new Map(spotsIn(layer).map((spot) => [spot.key, spot])) : undefined;
    const marked = this.spots.filter(({ key }) => can.has(key) || chosen.has(key)).filter(({ key }) => !shown?.size || shown.has(key) || !docked.has(key));
    this.#boxes = this.#bare(() => new Map(marked.map((spot) => [spot.key, this.#boxOf((shown?.get(spot.key) ?? spot).element)])));
    const marks = svgElement("g", { class: "marks" });
    const rings = [...this.#boxes].map(([key, box]) => ring(box, chosen.has(key)));
    const ticks = [...this.#boxes].flatMap(([key, box]) => (chosen.has(key) ? tick(box) : []));
    marks.append(...rings, ...ticks);
    if (shown) marks.prepend(...marked.filter(({ key }) => !shown.has(key)).map(({ element }) => this.#placed(element)));
    (layer ?? svg).append(marks);
    for (const { element, key } of this.spots) element.classList.toggle("tappable", can.has(key) || chosen.has(key));
    this.#count();
  }

  /**
   * Brings what is asked for into sight: what can be tapped in the picture; else where something is going on.
   * @param {boolean} [isCalm] whether nothing moves unless it must
   */
  frame(isCalm = false) {
    const { clientWidth, clientHeight } = this.#pan;
    const svg = this.#svg;
    if (!clientWidth || !svg) return;
    this.#isWhole = false;
    const targets = [...this.#boxes].flatMap(([key, box]) => (this.#can.has(key) ? [box] : []));
    const box = union(targets.length ? targets : this.#boxes.size ? [...this.#boxes.values()] : this.#bare(() => this.#lively().map((element) => this.#boxOf(element))));
    const least = this.#leastScale();
    if (!box) {
      this.#zoom(least);
      return this.#settle();
    }
    const [left, top] = [this.#pan.scrollLeft / this.#scale, this.#pan.scrollTop / this.#scale];
    const isInSight = box.y >= top && box.x >= left && box.y + box.height <= top + (clientHeight - 8) / this.#scale && box.x + box.width <= left + clientWidth / this.#scale;
    if (isCalm && isInSight && Math.abs(this.#scale - least) < 0.01) return this.#settle();
    const small = Math.min(...targets.map(({ width, height }) => Math.max(width, height)));
    // beside the table stand the players, whom a larger table would push out of sight
    const wanted = this.#isWide ? least : Math.min(MOST_SCALE, clientWidth / (box.width + 12), FINGER / small);
    const fitting = Math.max(LEAST_SCALE, (clientHeight - 24) / box.height);
    const scale = !targets.length ? least : box.height * wanted <= clientHeight - 2 * PILL.height ? Math.max(least, wanted) : Math.min(least, fitting);
    this.#zoom(scale);
    // what goes on is shown with as much of the table above it as there is room for, best all; what can be tapped, in the middle
    const start = targets.length ? (clientHeight - box.height * scale) / 2 : Math.min(box.y * scale, clientHeight - box.height * scale - (this.#boxes.size ? 28 : 8));
    const across = box.width * scale < clientWidth - 16 ? Math.max(0, (box.x + box.width) * scale + 8 - clientWidth) : targets.length ? box.x * scale - (clientWidth - box.width * scale) / 2 : 0;
    this.#pan.scrollTo(across, box.y * scale - Math.max(8, start));
    this.#settle();
  }

  /** Whether a spot is in sight, not under a pill. @param {string} key */
  isInSight(key) {
    const box = this.#boxes.get(key);
    return !!box && this.#sideOf(box) === undefined && !this.#coverOf(box);
  }

  /** Scrolls to a spot. @param {string} key */
  reveal(key) {
    const box = this.#boxes.get(key);
    if (!box || this.isInSight(key)) return;
    const { clientWidth, clientHeight } = this.#pan;
    this.#pan.scrollTo((box.x + box.width / 2) * this.#scale - clientWidth / 2, (box.y + box.height / 2) * this.#scale - clientHeight / 2);
    this.#count();
  }

  /**
   * The place in the window where a spot can be tapped.
   * @param {string} key
   */
  pointOf(key) {
    const box = this.#boxes.get(key);
    const matrix = this.#svg?.getScreenCTM();
    if (!box || !matrix) return undefined;
    const { x, y } = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(matrix);
    return { x, y };
  }

  // --- taps ----------------------------------------------------------------------------------------------------------

  /** @param {MouseEvent} event */
  #tapped(event) {
    const path = event.composedPath();
    const hit = this.spots.filter(({ element }) => path.includes(element)).sort((one, other) => path.indexOf(one.element) - path.indexOf(other.element));
    const matrix = this.#svg?.getScreenCTM();
    const at = matrix && new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const far = (/** @type {Box} */ box) => (at ? Math.hypot(outside(at.x, box.x, box.width), outside(at.y, box.y, box.height)) * this.#scale : Infinity);
    const near = [...this.#boxes].map(([key, box]) => ({ key, far: far(box), middle: at ? Math.hypot(at.x - box.x - box.width / 2, at.y - box.y - box.height / 2) : 0, size: box.width * box.height }));
    const direct = near.filter(({ far: distance }) => distance === 0).sort((one, other) => one.size - other.size || one.middle - other.middle)[0];
    const nearest = direct ?? near.filter(({ far: distance }) => distance <= REACH).sort((one, other) => one.far - other.far)[0];
    return this.spots.find(({ key }) => key === nearest?.key) ?? hit[0];
  }

  // --- what is in sight ----------------------------------------------------------------------------------------------

  #leastScale() {
    const { clientWidth, clientHeight } = this.#pan;
    return Math.max(LEAST_SCALE, Math.min(MOST_SCALE, clientWidth / this.#size.width, clientHeight / LEAST_HEIGHT));
  }

  /** @param {number} scale */
  #zoom(scale) {
    this.#scale = scale;
    const svg = this.#svg;
    if (!svg) return;
    svg.style.width = `${this.#size.width * scale}px`;
    svg.style.marginBottom = `${PILL.height}px`;
    if (this.#over) this.#over.style.width = svg.style.width;
  }

  #resize() {
    if (this.#isWide !== this.clientWidth >= WIDE && this.#shown) {
      const shown = this.#shown;
      this.#shown = "";
      this.show(shown);
      this.onResize();
    }
    if (this.#isWhole) this.#fit();
    else this.frame();
  }

  #fit() {
    this.#zoom(Math.min(this.#pan.clientWidth / this.#size.width, (this.#pan.clientHeight - 8) / this.#size.height));
    this.#pan.scrollTo(0, 0);
    this.#settle();
  }

  #toggleWhole() {
    this.#isWhole = !this.#isWhole;
    if (this.#isWhole) this.#fit();
    else this.frame();
  }

  /** Shows what was tapped in the whole picture as large as before. @param {MouseEvent} event */
  #closer(event) {
    const matrix = this.#svg?.getScreenCTM();
    if (!matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    this.#isWhole = false;
    this.#zoom(this.#leastScale());
    this.#pan.scrollTo(x * this.#scale - this.#pan.clientWidth / 2, y * this.#scale - this.#pan.clientHeight / 2);
    this.#settle();
  }

  /** Puts the button that shows everything into the corner where it covers least, and counts. */
  #settle() {
    const { left, right, top, bottom } = this.#pan.getBoundingClientRect();
    const things = [...(this.#svg?.querySelectorAll("text, use, .chisel, [data-token], .can") ?? [])].map((one) => one.getBoundingClientRect());
    const covered = CORNERS.map((corner) => {
      const [x, y] = [corner.includes("right") ? right - CORNER : left, corner.includes("bottom") ? bottom - CORNER : top];
      return things.filter((box) => box.width && box.left < x + CORNER && box.right > x && box.top < y + CORNER && box.bottom > y).length;
    });
    this.#pills.whole.className = `pill whole ${CORNERS[covered.indexOf(Math.min(...covered))]}`;
    this.#count();
  }

  /** The middle of a box in the frame, in pixels. @param {Box} box */
  #middleOf({ x, y, width, height }) {
    const start = Math.max(0, (this.#pan.clientWidth - this.#size.width * this.#scale) / 2);
    return { x: start + (x + width / 2) * this.#scale - this.#pan.scrollLeft, y: (y + height / 2) * this.#scale - this.#pan.scrollTop };
  }

  /** On which side a box is out of sight. @param {Box} box @returns {Side | undefined} */
  #sideOf(box) {
    const { x, y } = this.#middleOf(box);
    const { clientWidth, clientHeight } = this.#pan;
    if (y < 4) return "up";
    if (y > clientHeight - 4) return "down";
    return x < 4 ? "left" : x > clientWidth - 4 ? "right" : undefined;
  }

  /** Under which pill a box is. @param {Box} box @returns {Side | undefined} */
  #coverOf(box) {
    const { x, y } = this.#middleOf(box);
    const { clientWidth, clientHeight } = this.#pan;
    const { up, down, whole } = this.#pills;
    const isCentred = Math.abs(x - clientWidth / 2) < PILL.half;
    const corner = whole.hidden ? "" : whole.className;
    if ((isCentred && !up.hidden && y < PILL.height) || (corner.includes("top") && y < CORNER && (corner.includes("left") ? x < CORNER : x > clientWidth - CORNER))) return "up";
    const isLow = y > clientHeight - PILL.height;
    return isLow && ((isCentred && !down.hidden) || (corner.includes("bottom") && (corner.includes("left") ? x < CORNER : x > clientWidth - CORNER))) ? "down" : undefined;
  }

  /** Says on the pills how much is out of sight or under one of them. */
  #count() {
    const { up, down, whole } = this.#pills;
    whole.hidden = !this.#isWhole && this.#size.height * this.#scale <= this.#pan.clientHeight;
    const label = t(this.#isWhole ? "play.closer" : "play.whole");
    if (whole.title !== label) {
      const icon = svgElement("svg", { viewBox: "0 0 22 22", "aria-hidden": "true" });
      icon.append(svgElement("path", { d: this.#isWhole ? CLOSER : WHOLE }));
      whole.title = label;
      whole.setAttribute("aria-label", label);
      whole.replaceChildren(icon);
    }
    const targets = [...this.#boxes].flatMap(([key, box]) => (this.#can.has(key) ? [box] : []));
    const out = targets.map((box) => this.#sideOf(box));
    up.hidden = this.#isWhole || !out.includes("up");
    down.hidden = this.#isWhole || !out.some((side) => side && side !== "up");
    const sides = targets.map((box, at) => out[at] ?? this.#coverOf(box));
    const counts = Object.fromEntries(SIDES.map((side) => [side, sides.filter((one) => one === side).length]));
    this.#further = SIDES.find((side) => side !== "up" && out.includes(side)) ?? "down";
    up.textContent = `▴ ${t("play.more-above", { number: counts.up })}`;
    down.textContent = `${ARROWS[this.#further]} ${t(this.#further === "down" ? "play.more-below" : "play.more-moves", { number: counts[this.#further] })}`;
  }

  /** @param {Side} way */
  #scrollTo(way) {
    const box = union([...this.#boxes].flatMap(([key, one]) => (this.#can.has(key) && this.#sideOf(one) === way ? [one] : [])));
    if (!box) return;
    const { clientWidth, clientHeight, scrollTop } = this.#pan;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    if (way === "left" || way === "right") {
      this.#pan.scrollTo({ left: (box.x + box.width / 2) * this.#scale - clientWidth / 2, behavior });
      return this.#count();
    }
    const [first, last] = [box.y * this.#scale - PILL.height - 8, (box.y + box.height) * this.#scale - clientHeight + PILL.height + 8];
    this.#pan.scrollTo({ top: way === "down" ? Math.max(scrollTop + 1, Math.min(first, last)) : Math.max(first, last), behavior });
    this.#count();
  }

  /** What is going on: the running row, else what has changed last and is not in the tray. */
  #lively() {
    const running = this.spots.filter(({ place, isPlace }) => isPlace && place.startsWith("/stage")).map(({ element }) => element);
    if (running.length) return running;
    const docked = this.spots.filter(({ key }) => this.#docked.has(key)).map(({ element }) => element);
    const changed = [...(this.#svg?.querySelectorAll(".ring") ?? [])].map((one) => /** @type {SVGGElement} */ (/** @type {unknown} */ (one.parentElement)));
    return changed.filter((one) => !docked.some((element) => element.contains(one) || one.contains(element)));
  }

  // --- boxes ---------------------------------------------------------------------------------------------------------

  /**
   * The size of a thing is without the ring around what is new.
   * @template Measured
   * @param {() => Measured} measure
   */
  #bare(measure) {
    this.#pan.toggleAttribute("data-bare", true);
    const measured = measure();
    this.#pan.toggleAttribute("data-bare", false);
    return measured;
  }

  /** A copy of something that can be tapped, at its place: for where the table as it would be lacks it. @param {SVGGElement} element */
  #placed(element) {
    const { a, b, c, d, e, f } = /** @type {DOMMatrix} */ (this.#svg?.getScreenCTM()?.inverse().multiply(/** @type {DOMMatrix} */ (element.getScreenCTM())));
    const copy = /** @type {SVGGElement} */ (element.cloneNode(true));
    copy.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
    return copy;
  }

  /** @param {SVGGElement} element @returns {Box} */
  #boxOf(element) {
    const { x, y, width, height } = element.getBBox();
    const matrix = element.getScreenCTM();
    const root = this.#svg?.getScreenCTM();
    if (!matrix || !root) return { x, y, width, height };
    const within = root.inverse().multiply(matrix);
    const start = new DOMPoint(x, y).matrixTransform(within);
    const end = new DOMPoint(x + width, y + height).matrixTransform(within);
    return { x: Math.min(start.x, end.x), y: Math.min(start.y, end.y), width: Math.abs(end.x - start.x), height: Math.abs(end.y - start.y) };
  }
}

/** A copy of something in the picture. */
export class GamePiece extends HTMLElement {
  #shadow = this.attachShadow({ mode: "open" });
  #shown = "";

  /**
   * @param {GameBoard} board
   * @param {DrawnSpot} spot
   */
  show(board, spot) {
    const drawn = spot.element.innerHTML;
    if (drawn === this.#shown) return;
    this.#shown = drawn;
    const { copy, sheets } = board.copyOf(spot);
    this.#shadow.adoptedStyleSheets = [...sheets, PIECE];
    this.#shadow.replaceChildren(copy);
  }
}
const PIECE = new CSSStyleSheet();
PIECE.replaceSync(":host { display: block; pointer-events: none; } svg.cm { display: block; width: auto; max-width: 100%; height: 100%; margin: 0 auto; overflow: visible; }");

/** @param {string} kind */
function pill(kind) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `pill ${kind}`;
  button.hidden = true;
  return button;
}

/**
 * Everything that is named in a picture; `key` tells equal tokens of one place apart.
 * @param {SVGSVGElement} svg
 * @returns {DrawnSpot[]}
 */
function spotsIn(svg) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return [.../** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("g[data-token], g[data-place]"))].map((element) => {
    const { place, token } = spotOf(element);
    const name = token === undefined ? place : `${place} ${token}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return { element, place, token, isPlace: element.dataset.place !== undefined, move: element.dataset.move, key: `${name} ${nth}`, title: element.querySelector(":scope > title")?.textContent ?? "" };
  });
}

/**
 * Puts the players' parts beside the common table: two crops of the same picture, at the same scale.
 * @param {SVGSVGElement} svg
 */
function placeBeside(svg) {
  const parts = [.../** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("[data-part]"))];
  const { width } = svg.viewBox.baseVal;
  const ends = { table: 8, players: 8 };
  for (const part of parts) {
    const column = part.dataset.part?.startsWith("/seats") ? "players" : "table";
    const [, y, , height] = (part.dataset.box ?? "").split(" ").map(Number);
    part.setAttribute("transform", `${part.getAttribute("transform") ?? ""} translate(${column === "players" ? width : 0} ${ends[column] - y})`);
    ends[column] += height + GAP;
  }
  if (!parts.length) return;
  const [wide, high] = [2 * width, Math.max(ends.table, ends.players)];
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  svg.setAttribute("width", String(wide));
  svg.setAttribute("height", String(high));
  const ground = svg.querySelector(":scope > rect");
  ground?.setAttribute("width", String(wide));
  ground?.setAttribute("height", String(high));
}

/** @param {number} at @param {number} start @param {number} length */
function outside(at, start, length) {
  return Math.max(0, start - at, at - start - length);
}

/** @param {readonly Box[]} boxes @returns {Box | undefined} */
function union(boxes) {
  if (!boxes.length) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return { x, y, width: Math.max(...boxes.map((box) => box.x + box.width)) - x, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

/** @param {Box} box @param {boolean} isChosen */
function ring({ x, y, width, height }, isChosen) {
  const out = isChosen ? 3 : 2;
  return svgElement("rect", { x: x - out, y: y - out, width: width + 2 * out, height: height + 2 * out, rx: 5, class: isChosen ? "chosen" : "can" });
}

/** @param {Box} box */
function tick({ x, y, width }) {
  return [svgElement("path", { d: `M${x + width - 4} ${y - 5}h11v11h-11z`, class: "tick" }), svgElement("path", { d: `M${x + width - 1.5} ${y + 0.5}l2.5 2.5l4-4.5` })];
}

customElements.define("game-board", GameBoard);
customElements.define("game-piece", GamePiece);
