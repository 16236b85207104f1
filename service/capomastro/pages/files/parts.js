// Parts shared by the score pads and other pages.

import { h } from "./dom.js";
import { ruleLink } from "./dialogs.js";
import { icon, mark } from "./icons.js";
import { capitalized, number, sentence, t } from "./words.js";

/** @typedef {import("./game.js").Context} Context */
/** @typedef {import("./dom.js").Content} Content */
/** @typedef {import("./service.js").Finding} Finding */

/**
 * The row of players with their points so far: tabs, or a scoreboard.
 * @param {Pick<Context, "names" | "totals" | "stale">} context
 * @param {{chosen: number | undefined, choose?: (seat: number) => void, wrong: Set<number>, typed: (seat: number) => boolean}} row
 */
export function players(context, { chosen, choose, wrong, typed }) {
  const { names, totals, stale } = context;
  const members = names.map((name, seat) => {
    const points = typed(seat) && totals[seat] !== undefined ? number(/** @type {number} */ (totals[seat])) : "–";
    const label = [points === "–" && typed(seat) ? name : t(points === "–" ? "player.untyped" : "player.points", { name, points: totals[seat] ?? 0 }), stale && points !== "–" ? t("stale") : "", wrong.has(seat) ? t("player.wrong") : ""].filter(Boolean).join(", ");
    const shown = labelled(label, h("span", { class: "top-row" }, mark(seat), h("span", { class: stale ? "points stale" : "points" }, points), wrong.has(seat) && icon("warn", { class: "warn" })), columnName(name, seat));
    const isChosen = seat === chosen;
    return choose
      ? h("button", { type: "button", role: "tab", key: `t${seat}`, class: "player", id: `tab-${seat}`, title: name, "aria-selected": isChosen, "aria-controls": "table", on: { click: () => choose(seat) } }, shown)
      : h("li", { class: "player", key: `t${seat}`, title: name }, shown);
  });
  return choose ? h("div", { class: "players", role: "tablist", "aria-label": t("players"), "data-group": "" }, members) : h("ul", { class: "players", "aria-label": t("players") }, members);
}

/**
 * What is seen, and what a screen reader says instead; voice control finds it by either.
 * @param {string} words
 * @param {...Content} seen
 */
export function labelled(words, ...seen) {
  return [h("span", { class: "unseen" }, words), h("span", { class: "seen", "aria-hidden": "true" }, seen)];
}

/**
 * The line between picture and pad: a hint at the next entry, or for a while a message.
 * @param {Content} hint
 * @param {{say: string, act?: import("./game.js").Act} | undefined} news
 */
export function message(hint, news) {
  return h(
    "div",
    { class: news ? "message news" : "message" },
    h("p", { role: "status" }, news ? news.say : hint),
    news?.act && h("button", { type: "button", on: { click: news.act.go } }, news.act.text),
  );
}

/**
 * The findings of a field, to be shown where it is typed in, with what can be done about them.
 * @param {Context} context
 * @param {string} field
 * @param {string} [name] of the field
 */
export function findings(context, field, name) {
  const found = context.findingsAt(field);
  if (!found.length) return null;
  const remove = context.remove?.(field);
  return h(
    "div",
    { class: "finding", id: idOf("finding", field), key: `finding-${field}` },
    found.map((one) => h("p", {}, name && h("strong", {}, `${capitalized(name)}: `), findingText(one, context.names))),
    h(
      "div",
      { class: "act" },
      context.change && h("button", { type: "button", on: { click: () => context.change?.(field) } }, t("change")),
      remove && h("button", { type: "button", on: { click: remove } }, t("remove")),
      [...new Set(found.map((one) => one.rule))].map((rule) => rule && ruleLink(context.game, rule, t("rule"))),
    ),
  );
}

/**
 * The attributes of a field that has findings.
 * @param {Context} context
 * @param {string} field
 * @returns {{[name: string]: string}}
 */
export function findingProps(context, field) {
  return context.findingsAt(field).length ? { "aria-invalid": "true", "aria-describedby": idOf("finding", field) } : {};
}

/**
 * @param {string} what
 * @param {string} field
 */
export function idOf(what, field) {
  return `${what}-${field.replace(/\W+/g, "-")}`;
}

/** The message of the service, in English only, about a number that no scoresheet can have. */
const TOO_MANY = /^(\d+) is more than (\d+)$/;

/**
 * A finding as a sentence, and one more that says why where that is known, with names for seats: "the seat 0" is "Ada", as a language says it with names.
 * @param {Finding} finding
 * @param {string[]} names
 */
export function findingText(finding, names) {
  const [, there, most] = TOO_MANY.exec(finding.message) ?? [];
  if (there) return sentence(t("too-many", { there, most }));
  const forms = t("seat.named").split("|").map((form) => form.split("="));
  const named = (/** @type {string} */ text, /** @type {string} */ name, /** @type {number} */ seat) =>
    forms.reduce((renamed, [numbered, own]) => renamed.replaceAll(numbered.replace("{seat}", String(seat)), () => own.replace("{name}", () => name)), text);
  return [finding.message, finding.because].filter((one) => !!one).map((one) => sentence(names.reduceRight(named, /** @type {string} */ (one)))).join(" ");
}

/**
 * @param {string} label
 * @param {boolean} checked
 * @param {() => void} toggle
 */
export function checkbox(label, checked, toggle) {
  return h("button", { type: "button", class: "check", role: "checkbox", "aria-checked": checked, on: { click: toggle } }, h("span", { class: "box" }, icon("check")), label);
}

/**
 * After a player was added: the name is what comes next.
 * @param {ParentNode} root
 */
export function focusNewName(root) {
  /** @type {HTMLElement | null} */ (root.querySelector(".setup ol > li:last-child input"))?.focus();
}

/**
 * A name in a column: where that is narrow, a player without a name is called by a letter and a number.
 * @param {string} name
 * @param {number} seat
 */
export function columnName(name, seat) {
  const isNumbered = name === t("player.number", { number: seat + 1 });
  return h("bdi", { class: "name" }, isNumbered ? [h("span", { class: "whole" }, name), h("span", { class: "brief" }, t("player.brief", { number: seat + 1 }))] : name);
}

/**
 * A list with one item replaced.
 * @template Item
 * @param {readonly Item[]} list
 * @param {number} index
 * @param {Item} item
 * @returns {Item[]}
 */
export function replaced(list, index, item) {
  return list.map((one, at) => (at === index ? item : one));
}
