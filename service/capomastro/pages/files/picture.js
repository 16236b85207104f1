// A picture of the service on a page. It is in a shadow root: there its style can be adopted, which the page's policy would
// refuse inline, and its ids do not clash with others.

import { h } from "./dom.js";

/** @typedef {{text: string, parts: Outline[]}} Outline of a picture in words: a place or a component, and what lies in it */

const SVG = "http://www.w3.org/2000/svg";
/** The text in the bar that names the game and counts moves, draws among them: the page itself says it better. */
const ORIGIN = /<text x="[\d.]+" y="([\d.]+)"(?: font-size="\d+")? class="(end )?on-bar">[^<]*<\/text>/;
const STYLE = /<style[^>]*>([^<]*)<\/style>/g;
/** @type {Map<string, CSSStyleSheet>} by their text: all pictures have the same */
const sheets = new Map();

export class GamePicture extends HTMLElement {
  #shadow = this.attachShadow({ mode: "open" });
  #shown = "";

  /** @param {string} svg as the service draws it */
  show(svg) {
    if (svg === this.#shown) return;
    this.#shadow.adoptedStyleSheets = sheetsOf(svg);
    this.#shadow.replaceChildren(document.importNode(parsed(svg), true));
    this.#shown = svg;
  }
}

/** The styles of a picture, to be adopted. @param {string} svg */
export function sheetsOf(svg) {
  return [...svg.matchAll(STYLE)].map(([, text]) => sheetOf(text));
}

/** A picture without its style: the policy of a page is applied as soon as that is parsed. @param {string} svg */
export function parsed(svg) {
  return new DOMParser().parseFromString(svg.replace(STYLE, ""), "image/svg+xml").documentElement;
}

/** @param {string} text */
function sheetOf(text) {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(`${text}\nsvg { display: block; width: 100%; height: auto; }`);
    sheets.set(text, sheet);
  }
  return sheet;
}

/**
 * A new element for a picture.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{[name: string]: string | number}} [attributes]
 */
export function svgElement(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** What an element of a picture stands for: a place, or a token in its place. @param {SVGGElement} element @returns {{place: string, token?: string}} */
export function spotOf(element) {
  const { token } = element.dataset;
  return { place: element.closest("[data-place]")?.getAttribute("data-place") ?? "", ...(token === undefined ? {} : { token }) };
}

/**
 * How much higher than wide it is.
 * @param {string} svg
 */
export function proportion(svg) {
  const [, width, height] = /viewBox="0 [\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg) ?? ["", "1", "1"];
  return Number(height) / Number(width);
}

/**
 * A picture that does not name its game; where that has a line of its own, above the decision, without that line.
 * @param {string} svg
 */
export function withoutOrigin(svg) {
  const [origin, line, isBeside] = ORIGIN.exec(svg) ?? [];
  const shown = origin ? svg.replace(origin, "") : svg;
  return origin && !isBeside ? shown.replace(/viewBox="0 0 ([\d.]+) ([\d.]+)"/, (_, width, height) => `viewBox="0 ${line} ${width} ${Number(height) - Number(line)}"`) : shown;
}

/**
 * What a picture says in words: its own description, then every place and component with what lies in it.
 * @param {string} svg
 * @returns {{title: string, description: string, parts: Outline[]}}
 */
export function inWords(svg) {
  const drawn = parsed(svg);
  return { title: textOf(drawn, "title"), description: textOf(drawn, "desc"), parts: within(drawn) };
}

/**
 * @param {Element} element
 * @returns {Outline[]}
 */
function within(element) {
  return [...element.children].flatMap((child) => {
    if (child.tagName !== "g") return [];
    const text = textOf(child, "title");
    return text ? [{ text, parts: within(child) }] : within(child);
  });
}

/**
 * @param {Element} element
 * @param {string} tag
 */
function textOf(element, tag) {
  return [...element.children].find((child) => child.tagName === tag)?.textContent ?? "";
}

/**
 * A position in words, to be read.
 * @param {ReturnType<typeof inWords>} words
 */
export function outline({ title, description, parts }) {
  return [title && h("p", {}, h("b", {}, title)), h("p", {}, description), listed(parts)];
}

/** @param {Outline[]} parts @returns {import("./dom.js").Content} */
function listed(parts) {
  return parts.length > 0 && h("ul", {}, parts.map((part) => h("li", {}, part.text, listed(part.parts))));
}

customElements.define("game-picture", GamePicture);
