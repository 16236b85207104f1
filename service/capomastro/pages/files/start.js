// The start page: the tables that are still typed in, and the history of those that were.

import { h, patch } from "./dom.js";
import { keptDialog, openDialog } from "./dialogs.js";
import * as store from "./store.js";
import { filled, keepLanguage, language, loadWords, t } from "./words.js";

const FILES = new URL(".", import.meta.url).pathname.replace(/\/$/, "");
const MOST_SHOWN = 2;

class StartTables extends HTMLElement {
  /** Shows the tables before the page is painted, with the words that came with it: nothing below them moves. */
  connectedCallback() {
    if (keepLanguage(store.remembered)) return;
    const kept = store.tables();
    const opener = /** @type {HTMLElement | null} */ (document.querySelector("[data-open=kept]"));
    if (!kept.length || !opener) return;
    this.show(kept.filter((table) => !table.finished).slice(0, MOST_SHOWN));
    opener.hidden = false;
    opener.addEventListener("click", async () => {
      await loadWords(FILES);
      openDialog(keptDialog());
    });
  }

  /** @param {store.Table[]} unfinished */
  show(unfinished) {
    const goOn = this.getAttribute("go-on") ?? "";
    patch(
      this,
      unfinished.map((table) => {
        const title = t(`${table.game}.title`);
        return h(
          "div",
          { class: "unfinished" },
          h("div", {}, h("b", {}, `${title}, ${day(table.begun)}`), h("p", { class: "small" }, filled(this.getAttribute("unfinished") ?? "", { names: table.names.join(", ") }))),
          h("a", { class: "button small-one", href: `/score/${table.game}?lang=${language}&table=${encodeURIComponent(table.id)}`, "aria-label": `${goOn}: ${title}` }, goOn),
        );
      }),
    );
  }
}

/** @param {string} when */
function day(when) {
  return new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" }).format(new Date(when));
}

customElements.define("start-tables", StartTables);
