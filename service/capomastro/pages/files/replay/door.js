// Where a game is opened: those played or opened on this device, a file or a text, and examples.

import { isolated } from "../direction.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import * as store from "../store.js";
import { called, language, number, t } from "../words.js";
import { openedGames } from "./opened.js";

/** @typedef {{file: string, game: string, players: number, plies: number, mistake: boolean}} Example */
/** @typedef {{id: string, changed: string, title: string, status: string, isWrong: boolean, open: () => void}} Row */
/**
 * @typedef {object} Door
 * @property {string} typed
 * @property {boolean} isPasting whether the text is shown
 * @property {boolean} busy
 * @property {import("./source.js").Failure | undefined} failure
 * @property {readonly Example[]} examples
 * @property {(what: {typed?: string, isPasting?: boolean}) => void} change
 * @property {(text: string, id?: string) => void} open `id`: of the game on this device
 * @property {(link: string, id: string) => void} openLink
 * @property {(file: Blob) => void} openFile
 * @property {(example: Example) => void} openExample
 */

const MOST_GAMES = 8;
const RIGHT = ["legal", "unfinished"];
const DAY = 24 * 60 * 60 * 1000;

/** @param {Door} shown */
export function door(shown) {
  const { typed, isPasting, busy, failure, examples, change, open, openFile, openExample } = shown;
  const games = gamesHere(shown);
  const choose = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.files?.[0]) openFile(input.files[0]);
    input.value = "";
  };
  const check = (/** @type {Event} */ event) => {
    event.preventDefault();
    open(/** @type {any} */ (event.target).elements.typed.value);
  };
  return [
    failure && h("div", { class: "finding", role: "alert" }, h("p", {}, h("strong", {}, failure.why)), failure.details.length > 0 && h("ul", {}, failure.details.map((one) => h("li", {}, one)))),
    games.length > 0 && h("section", { key: "here", "aria-labelledby": "here" }, h("h2", { id: "here" }, t("replay.here")), h("ul", { class: "choose" }, games.map(({ id, title, status, isWrong, changed, open: act }) => row(id, h("span", {}, h("span", { class: "title" }, title), " ", h("span", { class: "small" }, h("span", { class: isWrong ? "bad" : undefined }, status), " · ", dayOf(changed))), act)))),
    h(
      "section",
      { key: "elsewhere", "aria-labelledby": "elsewhere" },
      h("h2", { id: "elsewhere" }, t("replay.elsewhere")),
      h(
        "p",
        { class: "go" },
        h("label", { class: "button file" }, t("replay.file"), h("input", { type: "file", accept: ".json,.capo,.gz,application/json,text/plain,application/gzip", on: { change: choose } })),
        h("button", { type: "button", class: "button", "aria-expanded": isPasting, "aria-controls": "pasted", on: { click: () => change({ isPasting: !isPasting }) } }, t("replay.paste-it")),
      ),
      h(
        "form",
        { id: "pasted", hidden: !isPasting, on: { submit: check } },
        h("label", { class: "label", for: "typed" }, t("replay.paste")),
        h("textarea", { id: "typed", rows: 9, spellcheck: "false", autocomplete: "off", placeholder: "game: palazzo\nplayers: 3\n\ndraw-tile brick-1-1\n…", value: typed, on: { input: (/** @type {any} */ event) => change({ typed: event.target.value }) } }),
        h("p", { class: "go" }, h("button", { type: "submit", class: "button main" }, t("replay.go"))),
      ),
      h("p", { class: "small", role: "status" }, busy ? t("checking") : ""),
      h("p", { class: "small drop" }, t("replay.drop")),
    ),
    h("section", { key: "examples", "aria-labelledby": "examples" }, h("h2", { id: "examples" }, t("replay.examples")), h("ul", { class: "choose" }, examples.map((example) => row(example.file, h("span", { class: "pair" }, h("span", { class: "title" }, t(`${example.game}.title`)), " ", example.mistake ? h("span", { class: "small bad" }, t("replay.with-mistake")) : h("span", { class: "small" }, t("replay.moves-and-players", { plies: example.plies, players: example.players }))), () => openExample(example))))),
  ];
}

/**
 * @param {string} key
 * @param {import("../dom.js").Content} content
 * @param {() => void} act
 */
function row(key, content, act) {
  return h("li", { key }, h("button", { type: "button", on: { click: act } }, content, icon("back")));
}

/** @param {Door} door @returns {Row[]} the latest first */
function gamesHere({ open, openLink }) {
  const opened = openedGames.all();
  const played = store.plays.all().filter(({ id, record }) => !opened.some((one) => one.id === id && one.plies >= record.moves.length));
  const known = opened.filter(({ id }) => !played.some((one) => one.id === id));
  const rows = [
    ...known.map(({ id, changed, link, game, names, points, plies, verdict }) => {
      const standing = called(names).map((name, seat) => `${name} ${number(points[seat] ?? 0)}`);
      const status = verdict === "unfinished" ? t("replay.under-way", { plies }) : verdict === "legal" ? t("replay.over", { plies }) : t(`replay.verdict.${verdict}`, { number: plies + 1 });
      return { id, changed, title: t("replay.game-of", { game: t(`${game}.title`), players: inRow(standing) }), status, isWrong: !RIGHT.includes(verdict), open: () => openLink(link, id) };
    }),
    ...played.map(({ id, changed, finished, record, unnamed = [] }) => {
      const names = called((record.names ?? []).map((name, seat) => (unnamed.includes(seat) ? "" : name)));
      const plies = record.moves.length;
      return { id, changed, title: t("replay.game-of", { game: t(`${record.game}.title`), players: inRow(names) }), status: t(finished ? "replay.over" : "replay.under-way", { plies }), isWrong: false, open: () => open(JSON.stringify({ ...record, names }), id) };
    }),
  ];
  return rows.sort((one, other) => other.changed.localeCompare(one.changed)).slice(0, MOST_GAMES);
}

/** @param {string[]} players */
function inRow(players) {
  return players.map(isolated).join(", ");
}

/** A day as people say it: today, its weekday, its date. @param {string} when */
function dayOf(when) {
  const [then, now] = [new Date(when), new Date()];
  if (then.toDateString() === now.toDateString()) return t("replay.today");
  const isNear = now.getTime() - then.getTime() < 6 * DAY;
  return new Intl.DateTimeFormat(language, isNear ? { weekday: "long" } : { day: "numeric", month: "long", ...(then.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }) }).format(then);
}
