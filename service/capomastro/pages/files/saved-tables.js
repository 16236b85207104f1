// The tables of the score pads that are saved on this device, as a dialog.

import { download, moment } from "./dialogs.js";
import { isolated } from "./direction.js";
import { h } from "./dom.js";
import * as store from "./store.js";
import { called, language, number, t } from "./words.js";

/**
 * The saved tables, to be opened, exported or deleted; deleting can be undone.
 * @returns {import("./dialogs.js").Dialog}
 */
export function savedTablesDialog() {
  /** @type {Map<string, store.Table>} */
  const deleted = new Map();
  const shown = store.tables();
  return {
    title: t("kept.title"),
    content: () => [
      h("p", { class: "small" }, t(store.isPersistent() ? "kept.text" : "kept.not")),
      shown.length === 0
        ? h("p", {}, t("kept.none"))
        : h(
            "ul",
            { class: "kept" },
            shown.map((table) =>
              h(
                "li",
                { key: table.id },
                deleted.has(table.id)
                  ? h("span", { class: "small" }, t("kept.deleted"))
                  : h(
                      "a",
                      { href: `/score/${table.game}?lang=${language}&table=${encodeURIComponent(table.id)}${table.finished ? "#result" : ""}` },
                      h("b", {}, `${t(`${table.game}.title`)}, ${moment(table.begun)}`),
                      h("br"),
                      h("span", { class: "small" }, standing(table)),
                    ),
                deleted.has(table.id)
                  ? h("button", { type: "button", class: "link", on: { click: () => restore(table) } }, t("undo"))
                  : h("button", { type: "button", class: "link", "aria-label": `${t("delete")}: ${t(`${table.game}.title`)}, ${moment(table.begun)}`, on: { click: () => remove(table) } }, t("delete")),
              ),
            ),
          ),
      shown.length > 0 && h("p", {}, h("button", { type: "button", class: "button wide", on: { click: () => download("capomastro.json", "application/json", JSON.stringify(store.tables(), null, 1)) } }, t("kept.export"))),
    ].filter((one) => one !== false),
  };

  /** @param {store.Table} table */
  function remove(table) {
    store.forget(table.id);
    deleted.set(table.id, table);
  }

  /** @param {store.Table} table */
  function restore(table) {
    store.keep(table);
    deleted.delete(table.id);
  }
}

/** @param {store.Table} table */
function standing(table) {
  const { totals } = table;
  const names = called(table.names).map(isolated);
  return table.finished && totals ? names.map((name, seat) => `${name} ${number(totals[seat])}`).join(", ") : t("start.unfinished", { names: names.join(", ") });
}
