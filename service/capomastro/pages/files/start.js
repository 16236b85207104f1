// The start page: unfinished tables and games. The choice of a game: the last one is marked.

import { isolated } from "./direction.js";
import { h, patch } from "./dom.js";
import * as store from "./store.js";
import { called, filled, keepLanguage, language, recentDay, t } from "./words.js";

const MOST_SHOWN = 3;

/** @typedef {{id: string, game: string, begun: string, changed: string, finished: boolean, names: string[], kinds?: string[], page: "score" | "play", says: "unfinished" | "playing" | "turn"}} Unfinished `page`: where it continues; `says`: the attribute with its text */

class StartTables extends HTMLElement {
  /** Shows them before the page is painted, with the words that came with it: nothing below them moves. */
  connectedCallback() {
    if (keepLanguage(store.setting)) return;
    this.show([...store.tables().map((table) => /** @type {Unfinished} */ ({ ...table, page: "score", says: "unfinished" })), ...store.plays.all().map(played), ...store.distanceGames.all().map(atDistance)]);
    const kit = /** @type {HTMLElement | null} */ (document.querySelector("[data-kit]"));
    if (navigator.serviceWorker && (Number(kit?.dataset.kit) || navigator.serviceWorker.controller)) void import("./keep.js");
  }

  /** @param {Unfinished[]} kept */
  show(kept) {
    const latest = kept.filter(({ finished }) => !finished).sort((one, other) => Number(other.says === "turn") - Number(one.says === "turn") || other.changed.localeCompare(one.changed));
    const goOn = this.getAttribute("go-on") ?? "";
    const say = (/** @type {string} */ key, /** @type {{[slot: string]: string | number}} */ slots = {}) => filled(this.getAttribute(key) ?? "", slots);
    patch(
      this,
      latest.slice(0, MOST_SHOWN).map(({ id, game, begun, names, kinds, page, says }) => {
        const title = t(`${game}.title`);
        return h(
          "div",
          { class: "unfinished" },
          h("div", {}, h("b", {}, `${title}, ${recentDay(begun)}`), h("p", { class: "small" }, filled(this.getAttribute(says) ?? "", { names: called(names, kinds, say).map(isolated).join(", ") }))),
          h("a", { class: "button small-one", href: `/${page}/${game}?lang=${language}&table=${encodeURIComponent(id)}`, "aria-label": `${goOn}: ${title}` }, goOn),
        );
      }),
    );
  }
}

/** @param {import("./play/table.js").SavedGame} kept @returns {Unfinished} */
function played({ id, begun, changed, finished, record, kinds, unnamed = [] }) {
  return { id, begun, changed, finished, game: record.game, names: (record.names ?? []).map((name, seat) => (unnamed.includes(seat) ? "" : name)), kinds, page: "play", says: "playing" };
}

/** @param {import("./play/distance.js").DistanceGame} game @returns {Unfinished} */
function atDistance({ id, begun, changed, finished, invitation, seat, table }) {
  const isOwn = seat !== null && table?.waiting.seats.includes(seat);
  return { id, begun, changed, finished, game: invitation.game, names: invitation.names, page: "play", says: isOwn ? "turn" : "playing" };
}

/** Which game to count or play: the one chosen last time is marked. */
class GameChoice extends HTMLElement {
  connectedCallback() {
    if (keepLanguage(store.setting)) return;
    const key = `chosen.${this.getAttribute("purpose")}`;
    const last = this.querySelector(`[data-game="${store.setting(key)}"]`);
    last?.setAttribute("aria-current", "true");
    last?.querySelector("b")?.append(Object.assign(document.createElement("small"), { textContent: this.getAttribute("last") }));
    this.addEventListener("click", ({ target }) => {
      const game = target instanceof Element && target.closest("[data-game]")?.getAttribute("data-game");
      if (game) store.setting(key, game);
    });
  }
}

customElements.define("start-tables", StartTables);
customElements.define("game-choice", GameChoice);
