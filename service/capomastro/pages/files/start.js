// The start page: the tables that are still typed in, and the history of those that were.

import { h, patch } from "./dom.js";
import { keptDialog, openDialog } from "./dialogs.js";
import * as store from "./store.js";
import { keepLanguage, language, loadWords, t } from "./words.js";

const FILES = new URL(".", import.meta.url).pathname.replace(/\/$/, "");

class StartTables extends HTMLElement {
  connectedCallback() {
    if (keepLanguage(store.remembered)) return;
    const kept = store.tables();
    if (!kept.length) return;
    void loadWords(FILES).then(() => {
      this.show(kept.filter((table) => !table.finished).slice(0, 2));
      const opener = /** @type {HTMLElement | null} */ (document.querySelector("[data-open=kept]"));
      if (!opener) return;
      opener.hidden = false;
      opener.addEventListener("click", () => openDialog(keptDialog()));
    });
  }

  /** @param {store.Table[]} unfinished */
  show(unfinished) {
    patch(
      this,
      unfinished.map((table) =>
        h(
          "div",
          { class: "unfinished" },
          h("div", {}, h("b", {}, `${t(`${table.game}.title`)}, ${day(table.begun)}`), h("p", { class: "small" }, t("start.unfinished", { names: table.names.join(", ") }))),
          h("a", { class: "button small-one", href: `/score/${table.game}?lang=${language}`, "aria-label": `${t("start.go-on")}: ${t(`${table.game}.title`)}` }, t("start.go-on")),
        ),
      ),
    );
  }
}

/** @param {string} when */
function day(when) {
  return new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" }).format(new Date(when));
}

customElements.define("start-tables", StartTables);
