// The form of a new game: first how one wants to play, then only what that needs. What was chosen last is chosen again.

import { h } from "../dom.js";
import { icon, mark } from "../icons.js";
import { checkbox, focusNewName, replaced } from "../parts.js";
import * as store from "../store.js";
import { called, capitalized, has, language, list, t, tokenName } from "../words.js";

/** @typedef {import("../dom.js").Content} Content */
/** @typedef {import("./table.js").Kind} Kind */
/** @typedef {"computer" | "screen" | "distance"} Way how one wants to play */
/** @typedef {"random" | "planning"} Level */
/** @typedef {boolean | number | string[]} Value of an option */
/** @typedef {{key: string, default: Value, values?: (boolean | number)[], players: number[]}} Offered an option: one of `values`, or else an order of what is in the default; `players`: for how many it can be chosen */
/** @typedef {{name: string, kind: Kind}} Seat its name is "" if the player is called by a number */
/**
 * What is chosen in the form, in the beginning what was chosen last.
 * @typedef {object} Choices
 * @property {Way} [way]
 * @property {string} [me] the name
 * @property {string[]} [people] at this screen
 * @property {string[]} [others] at a distance, the player here not among them
 * @property {number} [computers]
 * @property {number} [extra] computers that play with the people at this screen
 * @property {Level} [level]
 * @property {"me" | "computer" | "lot"} [first] who begins against the computer
 * @property {"witnessed" | "at-once"} [draws] who draws at a distance: another player, or the service at once
 * @property {string} [seed]
 * @property {{[key: string]: Value}} [options]
 */
/** @typedef {{names: string[], unnamed: number[], kinds: Kind[], options: {[key: string]: Value}, seed: string}} Settings of a game at this screen; `unnamed`: the seats whose players are called by their number */
/** @typedef {ReturnType<typeof setup>} Setup */
/**
 * What is used of the page.
 * @typedef {object} Page
 * @property {string} game
 * @property {string} failed
 * @property {import("./distance-view.js").DistanceView | undefined} distance once it is loaded
 * @property {typeof import("./saved.js") | undefined} saved once it is loaded
 * @property {() => void} show
 * @property {(settings: Settings) => void} begin
 * @property {(wanted: {names: string[], options: {[key: string]: Value}, draws: "witnessed" | "at-once"}, seat: number) => void} invite
 * @property {() => void} wantDistance fetches what players far apart need
 */

const MOST_CHARACTERS = 60;
const MOST_KNOWN = 8;
/** @type {Way[]} */
const WAYS = ["computer", "screen", "distance"];
/** @type {Level[]} */
const LEVELS = ["random", "planning"];
/** @type {("witnessed" | "at-once")[]} */
const DRAWS = ["witnessed", "at-once"];
const REMEMBERED = "setup";

/**
 * @param {Page} page
 * @param {{fewest: number, most: number, options: Offered[], typed?: Choices}} terms `typed`: in this form, before its language was changed
 */
export function setup(page, { fewest, most, options: known, typed }) {
  const { game } = page;
  let { way = "computer", me: name = "", people = ["", ""], others = [""], computers = 1, extra = 0, level = "planning", first = "me", draws = "witnessed", seed = "", options = {} } = typed ?? remembered();
  let here = people.slice(0, most);
  let far = others.slice(0, most - 1);
  computers = Math.min(computers, most - 1);
  /** Whether equal names are reported: not while they are still being typed. */
  let isChecked = false;
  if (here.length < fewest && !extra) here = [...here, ...Array(fewest - here.length).fill("")];

  const trimmed = (/** @type {string} */ typed) => typed.trim().slice(0, MOST_CHARACTERS);
  const service = (/** @type {number} */ many) => Array.from({ length: many }, () => ({ name: "", kind: /** @type {Kind} */ (level) }));
  const person = (/** @type {string} */ typed) => ({ name: trimmed(typed), kind: /** @type {Kind} */ ("person") });
  /** Who sits where; whom a game at a distance was proposed by sits last: so it takes the fewest messages. @returns {Seat[]} */
  const seats = () => {
    if (way === "screen") return [...here.map(person), ...service(extra)];
    if (way === "distance") return [...far.map(person), person(name)];
    const others = service(computers);
    const at = first === "me" ? 0 : first === "computer" ? 1 : Math.floor(Math.random() * (computers + 1));
    return [...others.slice(0, at), person(name), ...others.slice(at)];
  };
  const namesOf = (/** @type {Seat[]} */ there) => called(there.map((seat) => seat.name), there.map(({ kind }) => kind));
  /** The seats with the name of an earlier one. */
  const repeated = (/** @type {string[]} */ names) => {
    const lower = names.map((one) => one.toLocaleLowerCase(language));
    return [...names.keys()].filter((seat) => lower.indexOf(lower[seat]) < seat);
  };
  const count = () => (way === "screen" ? here.length + extra : 1 + (way === "distance" ? far.length : computers));
  const offered = () => known.filter(({ players }) => players.includes(count()));
  const chosen = () => Object.fromEntries(offered().flatMap(({ key }) => (key in options ? [[key, options[key]]] : [])));
  const labelOf = (/** @type {string} */ key) => (has(`${game}.option.${key}`) ? t(`${game}.option.${key}`) : capitalized(t(`option.${key}`)));

  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    isChecked = true;
    const there = seats();
    const names = namesOf(there);
    page.show();
    if (repeated(names).length) return /** @type {HTMLElement | null} */ (document.querySelector(".setup [aria-invalid=true]"))?.focus();
    store.setting(REMEMBERED, JSON.stringify({ way, me: trimmed(name), people: here.map(trimmed), others: far.map(trimmed), computers, level, first, draws }));
    store.names(there.map((seat) => seat.name).filter(Boolean));
    if (way === "distance") return page.invite({ names, options: chosen(), draws }, names.length - 1);
    page.begin({ names, unnamed: [...there.keys()].filter((seat) => !there[seat].name), kinds: there.map(({ kind }) => kind), options: chosen(), seed: seed.trim() || number() });
  };

  // --- its parts -----------------------------------------------------------------------------------------------------

  /** @param {() => void} act @returns {() => void} */
  const then = (act) => () => (act(), page.show());

  /**
   * A row of choices with one chosen.
   * @template {string | number} One
   * @param {string} label
   * @param {string} key
   * @param {{value: One, text: Content, more?: string}[]} choices
   * @param {One} value
   * @param {(value: One) => void} choose
   */
  const row = (label, key, choices, value, choose) =>
    h(
      "div",
      { class: "setting", key, role: "radiogroup", "aria-labelledby": `label-${key}` },
      h("span", { class: "of", id: `label-${key}` }, label),
      h("div", { class: "alternatives" }, choices.map((one) => h("label", { key: String(one.value) }, h("input", { type: "radio", name: key, value: String(one.value), checked: one.value === value, on: { change: then(() => choose(one.value)) } }), h("span", {}, one.text, one.more && h("small", {}, one.more))))),
    );

  const numbers = (/** @type {number} */ least, /** @type {number} */ greatest) => Array.from({ length: greatest - least + 1 }, (_, at) => ({ value: least + at, text: String(least + at) }));

  const ways = () =>
    h(
      "div",
      { class: "intentions", role: "radiogroup", "aria-label": t("play.way"), key: "ways" },
      WAYS.map((one) => h("label", { key: one }, h("input", { type: "radio", name: "way", value: one, checked: one === way, on: { change: () => turnTo(one) } }), h("span", { class: "card" }, h("span", { class: "marks", "aria-hidden": "true" }, MARKS[one]().map((part, at) => (typeof part === "number" ? h("span", { key: `mark${at}` }, mark(part, one !== "computer")) : part))), h("b", {}, t(`play.way.${one}`))))),
    );

  const turnTo = (/** @type {Way} */ one) => {
    way = one;
    isChecked = false;
    if (way === "distance") page.wantDistance();
    page.show();
  };

  /**
   * The field of a name; what is wrong with it below.
   * @param {number} seat
   * @param {string} typed
   * @param {string} label
   * @param {(typed: string) => void} rename
   * @param {string[]} names of all
   * @param {number} [numbered] the seat by which the player is called without a name
   */
  const field = (seat, typed, label, rename, names, numbered = seat) => {
    const wrong = isChecked && repeated(names).includes(seat);
    return [
      h("input", { type: "text", dir: "auto", value: typed, maxlength: MOST_CHARACTERS, autocomplete: "off", "aria-label": label, placeholder: t("player.number", { number: numbered + 1 }), "aria-invalid": wrong ? "true" : undefined, "aria-describedby": wrong ? `same-name-${seat}` : undefined, on: { input: (/** @type {any} */ event) => (rename(event.target.value), page.show()) } }),
      wrong && h("p", { class: "finding", id: `same-name-${seat}` }, t("play.same-name", { name: names[seat] })),
    ];
  };

  const ownName = () => {
    const there = way === "computer" ? [...service(computers), person(name)] : seats();
    const placeholder = way === "computer" ? (first === "computer" ? 1 : 0) : far.length;
    return h("div", { class: "setting", key: "me" }, h("span", { class: "of", "aria-hidden": "true" }, t("play.name")), h("div", { class: "field" }, field(there.length - 1, name, t("play.name"), (typed) => (name = typed), namesOf(there), placeholder)));
  };

  /**
   * Names that can be added and removed.
   * @param {string} key
   * @param {string[]} typed
   * @param {(next: string[]) => void} change
   * @param {{least: number, greatest: number}} number
   */
  const people_ = (key, typed, change, { least, greatest }) => {
    const names = namesOf(seats());
    const add = (/** @type {string} */ one) => (change([...typed, one]), page.show());
    const pick = (/** @type {string} */ one) => {
      const empty = typed.findIndex((other) => !other.trim());
      if (empty < 0) return add(one);
      change(replaced(typed, empty, one));
      page.show();
    };
    const free = store.names().filter((one) => !typed.includes(one) && one !== name && (typed.length < greatest || typed.some((other) => !other.trim())));
    return [
      h(
        "ol",
        { key },
        typed.map((one, seat) =>
          h(
            "li",
            { key: `seat${seat}` },
            mark(seat),
            field(seat, one, t("player.number", { number: seat + 1 }), (next) => change(replaced(typed, seat, next)), names),
            typed.length > least && h("button", { type: "button", class: "icon", "aria-label": t("setup.without", { name: names[seat] }), on: { click: then(() => change(typed.filter((_, at) => at !== seat))) } }, icon("close")),
          ),
        ),
      ),
      free.length > 0 && [h("p", { class: "label", id: "known-names" }, t("setup.known")), h("div", { class: "chips", role: "group", "aria-labelledby": "known-names", "data-group": "" }, free.slice(0, MOST_KNOWN).map((one) => h("button", { type: "button", key: one, on: { click: () => pick(one) } }, one)))],
      typed.length < greatest && h("p", {}, h("button", { type: "button", key: "add", class: "button wide", on: { click: () => (add(""), focusNewName(document)) } }, icon("plus"), t("setup.add"))),
    ];
  };

  const levels = () => row(t("play.level"), "level", LEVELS.map((value) => ({ value, text: t(`play.level.${value}`), more: t(`play.level.${value}.text`) })), level, (value) => (level = value));

  /** @type {{[way in Way]: () => Content}} */
  const rows = {
    computer: () => [
      ownName(),
      row(t("play.computers"), "computers", numbers(Math.max(1, fewest - 1), most - 1), computers, (value) => (computers = value)),
      levels(),
      row(t("play.begins"), "begins", [{ value: /** @type {typeof first} */ ("me"), text: t("play.begins.me") }, { value: "computer", text: t("player.computer") }, { value: "lot", text: t("play.begins.lot") }], first, (value) => (first = value)),
    ],
    screen: () => [
      people_("people", here, (next) => ((here = next), (extra = Math.min(extra, most - here.length))), { least: Math.max(1, fewest - extra), greatest: most - extra }),
      here.length < most && row(t("play.computers"), "extra", numbers(Math.max(0, fewest - here.length), most - here.length), extra, (value) => (extra = value)),
      extra > 0 && levels(),
    ],
    distance: () => [ownName(), h("p", { class: "label" }, t("play.others")), people_("others", far, (next) => (far = next), { least: fewest - 1, greatest: most - 1 }), row(t("play.draws"), "draws", DRAWS.map((value) => ({ value, text: t(`play.draws.${value}`), more: t(`play.draws.${value}.text`) })), draws, (value) => (draws = value)), page.distance?.cannotSeal()],
  };

  /** @param {Offered} option */
  const optionField = ({ key, default: usual, values }) => {
    const value = options[key] ?? usual;
    const choose = (/** @type {Value} */ next) => {
      const { [key]: _, ...rest } = options;
      options = JSON.stringify(next) === JSON.stringify(usual) ? rest : { ...rest, [key]: next };
    };
    if (typeof value === "boolean") return checkbox(labelOf(key), value, then(() => choose(!value)));
    if (typeof value === "number" && values) return row(labelOf(key), key, values.map((one) => ({ value: Number(one), text: String(Number(one) + 1) })), value, choose);
    const order = /** @type {string[]} */ (value);
    const earlier = (/** @type {number} */ at) => [...order.slice(0, Math.max(0, at - 1)), order[at], ...order.slice(Math.max(0, at - 1)).filter((one) => one !== order[at])];
    return h("div", { class: "setting", key, role: "group", "aria-labelledby": `label-${key}` }, h("span", { class: "of", id: `label-${key}` }, labelOf(key)), h("div", { class: "alternatives" }, order.map((one, at) => h("button", { type: "button", key: one, "aria-label": t("play.earlier", { what: nameOf(game, one) }), on: { click: then(() => choose(earlier(at))) } }, nameOf(game, one)))));
  };

  const repeat = () =>
    h(
      "details",
      { class: "repeat", key: "repeat" },
      h("summary", {}, t("play.repeat")),
      h("p", { class: "small", id: "repeat-text" }, t("play.repeat.text")),
      h("input", { type: "text", inputmode: "numeric", value: seed, maxlength: 200, autocomplete: "off", spellcheck: "false", list: "numbers", "aria-label": t("play.repeat.number"), placeholder: t("play.repeat.number"), "aria-describedby": "repeat-text", on: { input: (/** @type {any} */ event) => ((seed = event.target.value), page.show()) } }),
      h("datalist", { id: "numbers" }, store.plays.all().filter(({ record }) => record.game === game).map((kept) => h("option", { key: kept.id, value: kept.seed }, list(namesIn(kept))))),
    );

  const more = () => {
    const differs = [...Object.keys(chosen()).map(labelOf), seed.trim() && way !== "distance" && t("play.repeat")].filter(Boolean);
    const fields = [...offered().map(optionField), way !== "distance" && repeat()].filter(Boolean);
    return fields.length > 0 && h("details", { class: "options", key: "options" }, h("summary", {}, h("b", {}, t("play.options")), " ", h("span", {}, differs.join(", ") || t("play.options.none"))), fields);
  };

  const view = () =>
    h(
      "main",
      { class: "wrap setups", key: "setups" },
      h(
        "form",
        { class: "setup", on: { submit: go } },
        page.failed && h("p", { class: "finding", role: "alert" }, page.failed),
        page.distance?.notice(),
        page.saved?.unfinishedGames(game),
        h("h2", { key: "title" }, t("play.new")),
        ways(),
        h("div", { class: "settings", key: way }, rows[way]()),
        more(),
        h("div", { class: "go" }, h("button", { type: "submit", class: "button main wide" }, way === "distance" ? t("play.invite", { names: list(namesOf(seats()).slice(0, -1)) }) : t("play.begin"))),
      ),
      way === "distance" && page.distance?.inboxSection(),
      page.saved?.savedGames(game, () => page.show()),
    );

  if (way === "distance") page.wantDistance();
  return { view, choices: () => ({ way, me: name, people: here, others: far, computers, extra, level, first, draws, seed, options }) };
}

/** The marks on each way. @type {{[way in Way]: () => (number | string)[]}} */
const MARKS = { computer: () => [0, 1], screen: () => [0, 1, 2], distance: () => [0, "⋯", 3] };

/** @returns {Choices} */
function remembered() {
  try {
    return JSON.parse(store.setting(REMEMBERED) ?? "{}");
  } catch {
    return {};
  }
}

/** The number of a new game: with it, it can be repeated. */
function number() {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}

/** @param {string} game @param {string} token */
function nameOf(game, token) {
  return tokenName(game, token) ?? token.toLocaleUpperCase(language);
}

/** The names of a saved game, in the language of the page. @param {import("./table.js").SavedGame} kept */
export function namesIn({ record, unnamed = [], kinds }) {
  return called((record.names ?? []).map((name, seat) => (unnamed.includes(seat) ? "" : name)), kinds);
}
