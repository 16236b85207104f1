// The reference of operations: each can be tried with its example, changed at will. Nothing is sent before somebody asks.

import { h, patch } from "./dom.js";
import { pathHere } from "./words.js";

/** @typedef {{status: string, text: string}} Answered */

class TryOperation extends HTMLElement {
  #place = document.createElement("div");

  connectedCallback() {
    this.append(this.#place);
    patch(this.#place, [h("button", { class: "button small-one", type: "button", on: { click: () => this.#show() } }, this.getAttribute("try"))]);
  }

  /** Fields for what the address and the body take, and below them the answer. @param {Answered} [answered] */
  #show(answered) {
    const type = this.getAttribute("type");
    const example = this.querySelector("[data-example]")?.textContent ?? "";
    const parameters = [.../** @type {NodeListOf<HTMLDataElement>} */ (this.querySelectorAll("data"))];
    patch(this.#place, [
      h(
        "form",
        { class: "trial", key: "form", on: { submit: (/** @type {SubmitEvent} */ event) => this.#ask(event) } },
        parameters.map(({ dataset: { name }, value }) => h("label", { key: name }, name, h("input", { name, value }))),
        type && h("label", { key: "body" }, `${this.getAttribute("body")} (${type})`, h("textarea", { name: "body", spellcheck: "false" }, example)),
        h("button", { class: "button main", type: "submit", key: "send" }, this.getAttribute("send")),
        answered && h("div", { role: "status", key: "answer" }, h("p", {}, answered.status), h("pre", { tabindex: "0" }, h("code", {}, answered.text))),
      ),
    ]);
  }

  /** @param {SubmitEvent} event */
  async #ask(event) {
    event.preventDefault();
    const entered = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const path = (this.getAttribute("path") ?? "").replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${entered.get(name)}`));
    const type = this.getAttribute("type");
    const method = this.getAttribute("method") ?? "GET";
    try {
      if (navigator.serviceWorker?.controller) await import("./offline.js");
      const response = await fetch(pathHere(path), type ? { method, body: `${entered.get("body")}`, headers: { "Content-Type": type } } : { method });
      this.#show({ status: `${response.status} ${response.headers.get("Content-Type") ?? ""}`, text: indented(await response.text()) });
    } catch {
      this.#show({ status: "–", text: "" });
    }
  }
}

/** @param {string} text */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

customElements.define("try-operation", TryOperation);
