// A view is a function that describes nodes; `patch` changes the page as little as it can, so that focus, scroll and what is
// being typed survive every update.

import { pieces } from "./direction.js";
import { pathHere } from "./words.js";

/** @typedef {{tag: string, props: {[name: string]: any}, children: Child[], key: string | undefined}} Node_ */
/** @typedef {Node_ | string | null} Child null takes the place of what is not shown now */
/** @typedef {Child | number | undefined | false | readonly any[]} Content what a view returns: nodes, texts, nested lists; false and the like are not shown */
/** @typedef {{of: Child, node: Element | Text | null}} Rendered */

const SVG = "http://www.w3.org/2000/svg";
const TEXT_ONLY = ["option", "textarea", "title", "text"];

/** @type {WeakMap<Element, Rendered[]>} */
const rendered = new WeakMap();
/** @type {WeakMap<Element, {[event: string]: (event: any) => void}>} */
const listeners = new WeakMap();

/**
 * Describes a node. `on` are listeners by event, `style` custom properties and styles by name, `key` what makes it the
 * same node as before among its siblings.
 * @param {string} tag
 * @param {{[name: string]: any} | null} [props]
 * @param {...Content} children
 * @returns {Node_}
 */
export function h(tag, props, ...children) {
  const all = flat(children);
  return { tag, props: props ?? {}, children: TEXT_ONLY.includes(tag) ? all : all.flatMap((child) => (typeof child === "string" ? directed(tag, pieces(child)) : child)), key: props?.key };
}

/**
 * A text in which every second piece has a direction of its own; always one node.
 * @param {string} tag
 * @param {string[]} texts
 * @returns {Child[]}
 */
function directed(tag, texts) {
  if (tag === "bdi") return [texts.join("")];
  const children = texts.map((text, at) => (at % 2 ? { tag: "bdi", props: {}, children: [text], key: undefined } : text || null));
  return texts.length > 2 ? [{ tag: "span", props: {}, children, key: undefined }] : children;
}

/**
 * @param {readonly Content[]} given
 * @returns {Child[]}
 */
function flat(given) {
  return given.flatMap((one) => {
    if (Array.isArray(one)) return flat(one);
    if (one === null || one === undefined || one === false || one === "") return [null];
    return [/** @type {Child} */ (typeof one === "number" ? String(one) : one)];
  });
}

/**
 * Makes the children of `parent` what `next` describes.
 * @param {Element} parent
 * @param {readonly Content[]} next
 */
export function patch(parent, next) {
  const before = rendered.get(parent);
  if (!before) parent.replaceChildren();
  const keyed = new Map();
  /** @type {Rendered[]} */
  const unkeyed = [];
  for (const kept of before ?? []) {
    const key = keyOf(kept.of);
    if (key === undefined) unkeyed.push(kept);
    else keyed.set(key, kept);
  }
  let at = 0;
  const now = flat(next).map((child) => {
    const key = keyOf(child);
    const known = key === undefined ? unkeyed[at++] : keyed.get(key);
    if (child === null) return { of: child, node: null };
    if (known && isSameNode(known.of, child)) {
      update(known, child);
      return { of: child, node: known.node };
    }
    return { of: child, node: created(child, parent) };
  });
  const remaining = new Set(now.map((kept) => kept.node));
  for (const { node } of before ?? []) if (node && !remaining.has(node)) node.remove();
  /** @type {ChildNode | null} */
  let place = parent.firstChild;
  for (const { node } of now) {
    if (!node) continue;
    if (place && node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  rendered.set(parent, now);
}

/** @param {Child} child */
function keyOf(child) {
  return child === null || typeof child === "string" ? undefined : child.key;
}

/**
 * @param {Child} one
 * @param {Child} other
 */
function isSameNode(one, other) {
  if (one === null || other === null) return false;
  if (typeof one === "string" || typeof other === "string") return typeof one === typeof other;
  return one.tag === other.tag && one.key === other.key;
}

/**
 * @param {Node_ | string} child
 * @param {Element} parent
 * @returns {Element | Text}
 */
function created(child, parent) {
  if (typeof child === "string") return document.createTextNode(child);
  const isSvg = child.tag === "svg" || (parent.namespaceURI === SVG && parent.tagName !== "foreignObject");
  const node = isSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  setProps(node, {}, child.props);
  patch(node, child.children);
  choose(node, child.props.value);
  return node;
}

/**
 * @param {Rendered} kept
 * @param {Node_ | string} next
 */
function update(kept, next) {
  if (!(kept.node instanceof Element) || typeof next === "string" || typeof kept.of === "string" || !kept.of) {
    if (kept.node && kept.of !== next) kept.node.textContent = /** @type {string} */ (next);
    return;
  }
  setProps(kept.node, kept.of.props, next.props);
  patch(kept.node, next.children);
  choose(kept.node, next.props.value);
}

/**
 * Chooses an option, once all are there: whatever the user has chosen since, the list shows what holds.
 * @param {Element} node
 * @param {string} [value]
 */
function choose(node, value) {
  if (node instanceof HTMLSelectElement && value !== undefined && node.value !== value) node.value = value;
}

/**
 * @param {Element} node
 * @param {{[name: string]: any}} before
 * @param {{[name: string]: any}} props
 */
function setProps(node, before, props) {
  for (const name of new Set([...Object.keys(before), ...Object.keys(props)])) {
    const value = props[name];
    if (name === "key") continue;
    if (name === "on") listen(node, value ?? {});
    else if (name === "style") setStyles(/** @type {HTMLElement} */ (node), before.style ?? {}, value ?? {});
    else if (name === "value" && node instanceof HTMLSelectElement) continue;
    else if (name === "value" && "value" in node) {
      if (value !== before.value && node.value !== value) node.value = value;
    } else if (value !== before[name]) setAttribute(node, name, value);
  }
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {unknown} value
 */
function setAttribute(node, name, value) {
  if (value === undefined || value === null || (value === false && !name.startsWith("aria-"))) node.removeAttribute(name);
  else if (name === "href" && String(value).startsWith("/")) node.setAttribute(name, pathHere(String(value)));
  else node.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
}

/**
 * @param {HTMLElement} node
 * @param {{[name: string]: string}} before
 * @param {{[name: string]: string}} style
 */
function setStyles(node, before, style) {
  for (const name of new Set([...Object.keys(before), ...Object.keys(style)])) {
    if (style[name] === undefined) node.style.removeProperty(name);
    else if (style[name] !== before[name]) node.style.setProperty(name, style[name]);
  }
}

/**
 * @param {Element} node
 * @param {{[event: string]: (event: any) => void}} wanted
 */
function listen(node, wanted) {
  const known = listeners.get(node) ?? {};
  for (const type of Object.keys(wanted)) {
    if (!(type in known)) node.addEventListener(type, (event) => listeners.get(node)?.[type]?.(event));
  }
  const none = Object.fromEntries(Object.keys(known).map((type) => [type, () => {}]));
  listeners.set(node, { ...none, ...wanted });
}

// --- taps ------------------------------------------------------------------------------------------------------------

/** From the pointer going up to its click, in milliseconds; after a drag there is none. */
const CLICK_AFTER = 50;
/** @type {(() => void)[] | undefined} what waits for the click, from the pointer going down */
let waiting;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let release;
addEventListener("pointerdown", () => (clearTimeout(release), (waiting ??= [])), true);
for (const type of ["pointerup", "pointercancel", "contextmenu"]) addEventListener(type, () => releaseAfter(CLICK_AFTER), true);
addEventListener("click", () => releaseAfter(0), true);

/** @param {number} milliseconds */
function releaseAfter(milliseconds) {
  clearTimeout(release);
  release = setTimeout(released, milliseconds);
}

function released() {
  const acts = waiting ?? [];
  waiting = undefined;
  for (const act of acts) act();
}

/**
 * Does what may move a button, but never between the finger going down on it and its click, which would be lost.
 * @param {() => void} act
 */
export function betweenTaps(act) {
  if (waiting) waiting.push(act);
  else act();
}

// --- scroll anchoring ------------------------------------------------------------------------------------------------

/** @type {EventTarget | null} what was touched last */
let touched = null;
addEventListener("pointerdown", (event) => (touched = event.target), true);
addEventListener("keydown", () => (touched = null), true);

/**
 * Updates what is below `root`. What was touched last, or has the focus, stays where it is in the window: the page scrolls by
 * as much as comes or goes above it; not, if it is gone from what is docked at the end of the window.
 * @param {HTMLElement} root
 * @param {() => void} update
 */
export function holdingScroll(root, update) {
  const held = touched instanceof Element && root.contains(touched) ? touched : document.activeElement;
  /** @type {{one: Element, top: number}[]} */
  const places = [];
  for (let one = held; one && one !== root && root.contains(one) && !one.matches("[data-docked]"); one = one.parentElement) places.push({ one, top: topOf(one) });
  update();
  const place = places.find(({ one }) => root.contains(one));
  if (!place) return;
  scrollBy({ top: topOf(place.one) - place.top, behavior: "instant" });
  const missing = topOf(place.one) - place.top;
  if (missing < 1) return;
  const below = Math.max(0, innerHeight - root.getBoundingClientRect().bottom);
  root.style.minHeight = `${root.offsetHeight + below + missing}px`;
  scrollBy({ top: missing, behavior: "instant" });
}

/** @param {Element} element */
function topOf(element) {
  return element.getBoundingClientRect().top;
}

// --- groups of buttons with one Tab stop and arrows inside ----------------------------------------------------------

/**
 * Gives each group below `root` one Tab stop: the member that was last focused, else the chosen one, else the first.
 * @param {Element} root
 */
export function updateTabStops(root) {
  for (const group of root.querySelectorAll("[data-group]")) {
    const members = membersOf(group);
    const stop =
      members.find((one) => one === document.activeElement) ??
      members.find((one) => one.tabIndex === 0 && one.dataset.stop === "kept") ??
      members.find((one) => one.matches("[aria-selected=true], [aria-pressed=true]")) ??
      members[0];
    for (const one of members) one.tabIndex = one === stop ? 0 : -1;
  }
}

/**
 * Updates what is below `root`. If what had the focus is removed, the focus goes to the first match of `otherwise`; without
 * that, or within a group that remains, to the button that takes its place. Never to a text field: on a phone the keyboard
 * would cover half the page.
 * @param {HTMLElement} root
 * @param {() => void} update
 * @param {string} [otherwise] a selector
 */
export function holdingFocus(root, update, otherwise) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const within = focused?.closest("main") && root.contains(focused) ? focused : null;
  const group = within?.closest("[data-group]");
  /** @type {{part: Element, before: HTMLElement[]}[]} */
  const parts = [];
  for (let part = within?.parentElement; within && part && part !== root; part = part.parentElement) parts.push({ part, before: membersOf(part).slice(0, membersOf(part).indexOf(within)) });
  update();
  if (!within || document.activeElement !== document.body) return;
  within.focus({ preventScroll: true }); // one that was moved has lost it, too
  if (document.activeElement !== document.body) return;
  const instead = group?.isConnected || !otherwise ? parts.filter(({ part }) => root.contains(part)) : [];
  for (const { part, before } of instead) {
    const members = membersOf(part);
    const at = before.filter((one) => one.isConnected).length;
    members[Math.min(at, members.length - 1)]?.focus({ preventScroll: true });
    if (document.activeElement !== document.body) return;
  }
  if (otherwise) /** @type {HTMLElement | null} */ (root.querySelector(otherwise))?.focus();
}

/**
 * Focuses the heading of a new view, so that a screen reader says it.
 * @param {Element | null} heading
 */
export function focusHeading(heading) {
  if (!(heading instanceof HTMLElement)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/**
 * @param {Element} group
 * @returns {HTMLElement[]}
 */
function membersOf(group) {
  return /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button, a[href]")]);
}

/**
 * Arrows, Home and End move the focus in a group, by where its members are on the page.
 * @param {KeyboardEvent} event
 */
export function moveInGroup(event) {
  const from = /** @type {HTMLElement} */ (event.target);
  const group = from.closest?.("[data-group]");
  const ways = /** @type {{[key: string]: [number, number]}} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
  if (!group || from.tagName === "INPUT" || !(event.key in ways || event.key === "Home" || event.key === "End")) return;
  const members = membersOf(group);
  const to = event.key === "Home" ? members[0] : event.key === "End" ? members.at(-1) : nearest(from, members, ways[event.key]);
  event.preventDefault();
  if (!to) return;
  for (const one of members) {
    one.tabIndex = one === to ? 0 : -1;
    one.dataset.stop = one === to ? "kept" : "";
  }
  to.focus();
  if (to.getAttribute("role") === "tab") to.click();
}

/**
 * @param {HTMLElement} from
 * @param {HTMLElement[]} members
 * @param {[number, number]} way
 */
function nearest(from, members, [across, down]) {
  const middle = centre(from);
  const reachable = members
    .map((one) => ({ one, x: centre(one).x - middle.x, y: centre(one).y - middle.y }))
    .filter(({ one, x, y }) => one !== from && (across ? x * across > 4 : y * down > 4))
    .map(({ one, x, y }) => ({ one, far: across ? Math.abs(x) + 3 * Math.abs(y) : Math.abs(y) + 3 * Math.abs(x) }))
    .sort((a, b) => a.far - b.far);
  const index = members.indexOf(from) + across;
  return reachable[0]?.one ?? (across ? members[index] : undefined);
}

/** @param {Element} element */
function centre(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
