// The games that are saved in this browser.

import { download, moment } from "../dialogs.js";
import { h } from "../dom.js";
import * as store from "../store.js";
import { called, language, list, t } from "../words.js";

/** Games that were deleted while the page is open. @type {Map<string, import("./table.js").SavedGame>} */
const deleted = new Map();

/**
 * The list of saved games; deleting one can be undone while the page is open.
 * @param {string} game
 * @param {() => void} changed
 */
export function savedGames(game, changed) {
  const kept = store.plays.all().filter((one) => one.record.game === game);
  const gone = [...deleted.values()].filter((one) => one.record.game === game && !store.plays.of(one.id));
  const shown = [...kept, ...gone].sort((one, other) => other.changed.localeCompare(one.changed));
  const keep = (/** @type {import("./table.js").SavedGame} */ one, /** @type {boolean} */ isKept) => {
    // another window may have gone on with it since the list was shown
    const latest = store.plays.of(one.id) ?? one;
    if (isKept) store.plays.keep(latest);
    else store.plays.forget(one.id);
    deleted.set(one.id, latest);
    changed();
  };
  const entry = (/** @type {import("./table.js").SavedGame} */ one) => {
    const { id, begun, finished, record, unnamed = [] } = one;
    const isGone = gone.includes(one);
    const act = t(isGone ? "undo" : "delete");
    return h(
      "li",
      { key: id },
      isGone
        ? h("span", { class: "small" }, t("play.deleted"))
        : h("a", { href: `/play/${game}?lang=${language}&table=${encodeURIComponent(id)}` }, h("b", {}, moment(begun)), h("br"), h("span", { class: "small" }, t(finished ? "play.over" : "play.under-way", { names: list(called((record.names ?? []).map((name, seat) => (unnamed.includes(seat) ? "" : name)))), plies: record.moves.filter((/** @type {any} */ move) => "seat" in move).length }))),
      h("button", { type: "button", class: "link", "aria-label": `${act}: ${moment(begun)}`, on: { click: () => keep(one, isGone) } }, act),
    );
  };
  return (
    shown.length > 0 &&
    h(
      "section",
      { class: "setup", key: "kept" },
      h("h2", {}, t("play.kept")),
      h("p", { class: "small" }, t(store.isPersistent() ? "play.kept.text" : "kept.not")),
      h("ul", { class: "kept" }, shown.map(entry)),
      kept.length > 0 && h("p", {}, h("button", { type: "button", class: "button wide", on: { click: () => download(`${game}.ndjson`, "application/x-ndjson", kept.map(({ record, begun }) => `${JSON.stringify({ ...record, tags: { date: begun.slice(0, 10), .../** @type {any} */ (record).tags } })}\n`).join("")) } }, t("play.export"))),
    )
  );
}
