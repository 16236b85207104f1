// The form of a new game: names, who plays at each seat, options, seed.

import { h } from "../dom.js";
import { icon, mark } from "../icons.js";
import { checkbox, focusNewName, replaced } from "../parts.js";
import * as store from "../store.js";
import { capitalized, has, language, t } from "../words.js";
import { OPTIONS } from "./targets.js";

/** @typedef {import("./table.js").Kind} Kind */
/** @typedef {ReturnType<typeof setup>} Setup */

const MOST_CHARACTERS = 60;
const MOST_KNOWN = 12;
/** Computer players. @type {Kind[]} */
const PLAYERS = ["planning", "random"];

/**
 * At first it has the players of the last game.
 * @param {string} game
 * @param {number} fewest
 * @param {number} most
 */
export function setup(game, fewest, most) {
  const last = store.plays.all().find((kept) => kept.record.game === game);
  /** @type {string[]} */
  let names = last?.record.names?.slice(0, most).map((name, seat) => (last.unnamed?.includes(seat) ? "" : name)) ?? ["", ""];
  /** @type {Kind[]} */
  let kinds = last?.kinds.slice(0, most) ?? ["person", "person"];
  /** @type {{[key: string]: boolean | number}} */
  let options = {};
  let seed = "";
  /** Whether equal names are reported: not while they are still being typed. */
  let isChecked = false;
  const nameAt = (/** @type {number} */ seat) => names[seat].trim().slice(0, MOST_CHARACTERS) || t("player.number", { number: seat + 1 });
  const repeats = (/** @type {number} */ seat) => names.slice(0, seat).some((_, before) => nameAt(before).toLocaleLowerCase(language) === nameAt(seat).toLocaleLowerCase(language));
  const isReady = () => (isChecked = true) && !names.some((_, seat) => repeats(seat));
  const labelOf = (/** @type {string} */ key) => (has(`${game}.option.${key}`) ? t(`${game}.option.${key}`) : capitalized(t(`option.${key}`)));
  const offered = () => OPTIONS[game].filter(({ players }) => !players || players.includes(names.length));

  const settings = () => {
    store.names(names.map((name) => name.trim()).filter(Boolean));
    return {
      names: names.map((_, seat) => nameAt(seat)),
      unnamed: [...names.keys()].filter((seat) => !names[seat].trim()),
      kinds,
      options: Object.fromEntries(offered().flatMap(({ key }) => (key in options ? [[key, options[key]]] : []))),
      seed: seed.trim() || store.unique(),
    };
  };

  /** @param {() => void} changed */
  const form = (changed) => {
    const rename = (/** @type {number} */ seat, /** @type {string} */ name) => ((names = replaced(names, seat, name)), changed());
    const pick = (/** @type {string} */ name) => {
      const empty = names.findIndex((one) => !one.trim());
      if (empty >= 0) rename(empty, name);
      else if (names.length < most) add(name);
    };
    const add = (/** @type {string} */ name) => ((names = [...names, name]), (kinds = [...kinds, "person"]), changed());
    const without = (/** @type {number} */ seat) => ((names = names.filter((_, at) => at !== seat)), (kinds = kinds.filter((_, at) => at !== seat)), changed());
    const free = store.names().filter((name) => !names.includes(name));
    const called = (/** @type {number} */ seat) => names[seat] || t("player.number", { number: seat + 1 });
    return [
      h("h2", {}, t("setup.title")),
      h("p", { class: "small" }, t("setup.text", { fewest, most })),
      h(
        "ol",
        {},
        names.map((name, seat) => {
          const wrong = isChecked && repeats(seat);
          return h(
            "li",
            { key: `seat${seat}` },
            mark(seat),
            h("input", { type: "text", dir: "auto", value: name, maxlength: MOST_CHARACTERS, autocomplete: "off", "aria-label": t("player.number", { number: seat + 1 }), placeholder: t("player.number", { number: seat + 1 }), "aria-invalid": wrong ? "true" : undefined, "aria-describedby": wrong ? `same-name-${seat}` : undefined, on: { input: (/** @type {any} */ event) => rename(seat, event.target.value) } }),
            h(
              "select",
              { "aria-label": t("play.kind.of", { name: called(seat) }), on: { change: (/** @type {any} */ event) => ((kinds = replaced(kinds, seat, event.target.value)), changed()) } },
              ["person", ...PLAYERS].map((kind) => h("option", { value: kind, selected: kinds[seat] === kind }, t(`play.kind.${kind}`))),
            ),
            names.length > fewest && h("button", { type: "button", class: "icon", "aria-label": t("setup.without", { name: called(seat) }), on: { click: () => without(seat) } }, icon("close")),
            wrong && h("p", { class: "finding", id: `same-name-${seat}` }, t("play.same-name", { name: nameAt(seat) })),
          );
        }),
      ),
      free.length > 0 && [h("p", { class: "label", id: "known-names" }, t("setup.known")), h("div", { class: "chips", role: "group", "aria-labelledby": "known-names", "data-group": "" }, free.slice(0, MOST_KNOWN).map((name) => h("button", { type: "button", key: name, on: { click: () => pick(name) } }, name)))],
      names.length < most && h("p", {}, h("button", { type: "button", key: "add", class: "button wide", on: { click: () => (add(""), focusNewName(document)) } }, icon("plus"), t("setup.add"))),
    ];
  };

  /** @param {() => void} changed */
  const optionFields = (changed) => {
    const choose = (/** @type {string} */ key, /** @type {boolean | number} */ value) => ((options = { ...options, [key]: value }), changed());
    return [
      offered().map(({ key, values }) =>
        typeof values[0] === "boolean"
          ? checkbox(labelOf(key), options[key] === true, () => choose(key, options[key] !== true))
          : h("label", { class: "option" }, h("span", {}, labelOf(key)), h("select", { on: { change: (/** @type {any} */ event) => choose(key, Number(event.target.value)) } }, values.map((value) => h("option", { value, selected: (options[key] ?? values[0]) === value }, String(value))))),
      ),
      h("details", {}, h("summary", {}, t("play.seed")), h("p", { class: "small", id: "seed-text" }, t("play.seed.text")), h("input", { type: "text", value: seed, maxlength: 200, autocomplete: "off", spellcheck: "false", "aria-label": t("play.seed"), "aria-describedby": "seed-text", on: { input: (/** @type {any} */ event) => (seed = event.target.value) } })),
    ];
  };
  return { form, optionFields, settings, isReady };
}
