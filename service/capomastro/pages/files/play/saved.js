// The games that are saved in this browser, at this screen and at a distance.

import { download, moment } from "../dialogs.js";
import { h } from "../dom.js";
import * as store from "../store.js";
import { language, list, recentDay, t } from "../words.js";
import { namesIn } from "./setup.js";

/** @typedef {import("./table.js").SavedGame} SavedGame */
/** @typedef {import("./distance.js").DistanceGame} DistanceGame */

/** Games that were deleted while the page is open. @type {Map<string, SavedGame | DistanceGame>} */
const deleted = new Map();
/** So many unfinished games are offered to go on with. */
const MOST = 3;

const isFar = (/** @type {SavedGame | DistanceGame} */ one) => "invitation" in one;
const gameOf = (/** @type {SavedGame | DistanceGame} */ one) => ("invitation" in one ? one.invitation.game : one.record.game);
const allNames = (/** @type {SavedGame | DistanceGame} */ one) => ("invitation" in one ? one.invitation.names : namesIn(one));
const keptIn = (/** @type {SavedGame | DistanceGame} */ one) => /** @type {typeof store.plays & typeof store.distanceGames} */ (/** @type {unknown} */ (isFar(one) ? store.distanceGames : store.plays));
const hrefOf = (/** @type {SavedGame | DistanceGame} */ one) => `/play/${gameOf(one)}?lang=${language}&table=${encodeURIComponent(one.id)}`;
const isOwnTurn = (/** @type {SavedGame | DistanceGame} */ one) => "invitation" in one && one.seat !== null && !!one.table?.waiting.seats.includes(one.seat);

/** The saved games of a game, the latest first. @param {string} game @returns {(SavedGame | DistanceGame)[]} */
function gamesOf(game) {
  return [...store.plays.all(), ...store.distanceGames.all()].filter((one) => gameOf(one) === game).sort((one, other) => other.changed.localeCompare(one.changed));
}

/** Where a game stands. @param {SavedGame | DistanceGame} one */
function standing(one) {
  if (one.finished) return t("play.kept.over");
  if (!("invitation" in one)) return t("play.kept.moves", { plies: one.record.moves.filter((/** @type {any} */ move) => "seat" in move).length });
  if (isOwnTurn(one)) return t("play.kept.turn");
  const waiting = one.table?.waiting.seats ?? one.invitation.locks.flatMap((lock, seat) => (lock ? [] : [seat]));
  return t("play.kept.waiting", { names: list(waiting.map((seat) => one.invitation.names[seat])) });
}

/**
 * The unfinished games, to go on with: those first in which it is the turn of the player here.
 * @param {string} game
 */
export function unfinishedGames(game) {
  const shown = gamesOf(game)
    .filter(({ finished }) => !finished)
    .sort((one, other) => Number(isOwnTurn(other)) - Number(isOwnTurn(one)))
    .slice(0, MOST);
  return shown.map((one) => {
    const names = list(allNames(one));
    return h("div", { class: "unfinished", key: one.id }, h("div", {}, h("b", {}, names), h("p", { class: "small" }, `${t("play.kept.since", { day: recentDay(one.begun) })}, ${standing(one)}`)), h("a", { class: "button small-one", href: hrefOf(one), "aria-label": `${t("play.go-on-with")}: ${names}` }, t("play.go-on-with")));
  });
}

/**
 * The list of saved games, folded; deleting one can be undone while the page is open.
 * @param {string} game
 * @param {() => void} changed
 */
export function savedGames(game, changed) {
  const kept = gamesOf(game);
  const gone = [...deleted.values()].filter((one) => gameOf(one) === game && !keptIn(one).of(one.id));
  const shown = [...kept, ...gone].sort((one, other) => other.changed.localeCompare(one.changed));
  const keep = (/** @type {SavedGame | DistanceGame} */ one, /** @type {boolean} */ isKept) => {
    // another window may have gone on with it since the list was shown
    const latest = keptIn(one).of(one.id) ?? one;
    if (isKept) keptIn(one).keep(/** @type {any} */ (latest));
    else keptIn(one).forget(one.id);
    deleted.set(one.id, latest);
    changed();
  };
  const entry = (/** @type {SavedGame | DistanceGame} */ one) => {
    const isGone = gone.includes(one);
    const act = t(isGone ? "undo" : "delete");
    return h(
      "li",
      { key: one.id },
      isGone
        ? h("span", { class: "small" }, t(isFar(one) ? "play.deleted.secret" : "play.deleted"))
        : h("a", { href: hrefOf(one) }, h("b", {}, moment(one.begun)), h("br"), h("span", { class: "small" }, `${list(allNames(one))}: ${standing(one)}`)),
      h("button", { type: "button", class: "link", "aria-label": `${act}: ${moment(one.begun)}`, on: { click: () => keep(one, isGone) } }, act),
    );
  };
  const records = kept.flatMap((one) => ("record" in one ? [{ ...one.record, tags: { date: one.begun.slice(0, 10), .../** @type {any} */ (one.record).tags } }] : []));
  return (
    shown.length > 0 &&
    h(
      "details",
      { class: "setup", key: "kept" },
      h("summary", {}, t("play.kept")),
      h("p", { class: "small" }, t(store.isPersistent() ? (kept.some(isFar) ? "play.kept.secrets" : "play.kept.text") : "kept.not")),
      h("ul", { class: "kept" }, shown.map(entry)),
      records.length > 0 && h("p", {}, h("button", { type: "button", class: "button wide", on: { click: () => download(`${game}.ndjson`, "application/x-ndjson", records.map((record) => `${JSON.stringify(record)}\n`).join("")) } }, t("play.export"))),
    )
  );
}
