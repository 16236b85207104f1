// The rules are text of the page. This finds in them what is typed, and marks the chapter that is being read.

import { h, patch } from "./dom.js";
import { keepLanguage } from "./words.js";
import * as store from "./store.js";

const PAUSE = 150;
/** Where a chapter counts as being read: in the upper third of the window, below the header. */
const READ = "-64px 0px -65% 0px";

class SearchRules extends HTMLElement {
  connectedCallback() {
    if (keepLanguage(store.setting)) return;
    this.#show("");
    const field = /** @type {HTMLInputElement} */ (this.querySelector("input"));
    let timer = 0;
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => this.#find(field.value), PAUSE);
    });
    // a way to what the search hides would lead nowhere
    const reveal = (/** @type {string | undefined} */ hash) => {
      if (!hash || !document.getElementById(hash.slice(1))?.closest("[hidden]")) return false;
      clearTimeout(timer);
      field.value = "";
      this.#find("");
      return true;
    };
    document.addEventListener("click", ({ target }) => reveal(/** @type {Element} */ (target).closest("a")?.hash));
    addEventListener("hashchange", () => reveal(location.hash) && location.replace(location.href));
    addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((folded) => (folded.open = true)));
  }

  /** @param {string} found */
  #show(found) {
    const label = this.getAttribute("label");
    patch(this, [
      h("label", { class: "find" }, h("span", { class: "unseen" }, label), h("input", { type: "search", placeholder: label, enterkeyhint: "search" })),
      h("p", { class: "fine", role: "status" }, found),
    ]);
  }

  /** Shows the rules that have all words of the text, and opens what hides them. @param {string} text */
  #find(text) {
    const words = plain(text).split(/\s+/).filter(Boolean);
    const rules = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("article"))];
    for (const rule of rules) {
      const content = plain(rule.textContent ?? "");
      rule.hidden = !words.every((word) => content.includes(word));
    }
    for (const chapter of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".chapter:not(#decided)"))) {
      chapter.hidden = !chapter.querySelector("article:not([hidden])");
      if (chapter instanceof HTMLDetailsElement) chapter.open = words.length > 0 && !chapter.hidden;
    }
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#minute, #decided"))) part.hidden = words.length > 0;
    const found = rules.filter((rule) => !rule.hidden).length;
    this.#show(words.length ? (this.getAttribute("found") ?? "").replace("{number}", String(found)) : "");
  }
}

/** Without accents and capitals. @param {string} text */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

customElements.define("search-rules", SearchRules);

const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".contents a"))];
const reading = new IntersectionObserver(
  (seen) => {
    const reached = seen.find(({ isIntersecting }) => isIntersecting);
    if (!reached) return;
    for (const link of links) {
      if (link.hash === `#${reached.target.id}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  },
  { rootMargin: READ },
);
for (const part of document.querySelectorAll("#minute, .chapter")) reading.observe(part);
