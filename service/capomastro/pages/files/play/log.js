// What happened, in sentences, the latest first; from each move the game can go on anew.

import { ruleLink } from "../dialogs.js";
import { h } from "../dom.js";
import { gainsOf } from "../gains.js";
import { icon, mark } from "../icons.js";
import { number, sentence, t } from "../words.js";

const SHORT = 12;

/**
 * @param {{seen: import("./table.js").Seen, names: readonly string[], game: string, result?: import("../service.js").Scored, whole: boolean, all: () => void, later?: number, goTo?: (ply: number) => void}} told `later`: the last position that was taken back
 */
export function log({ seen, names, game, result, whole, all, later, goTo }) {
  const steps = [...seen.steps].reverse();
  const billed = result ? linesOf(result) : new Set();
  if (!steps.length) return null;
  const shown = whole ? steps : steps.slice(0, SHORT);
  return h(
    "section",
    { class: "log", key: "log", "aria-labelledby": "log" },
    h("h2", { id: "log" }, t("play.log")),
    goTo && later !== undefined && h("p", {}, h("button", { type: "button", class: "link", on: { click: () => goTo(later) } }, t("play.forward"))),
    h("ol", { reversed: true }, shown.map((step) => entry(step, { names, game, billed: step === steps[0] ? billed : new Set(), goTo }))),
    steps.length > shown.length && h("p", {}, h("button", { type: "button", class: "link", on: { click: all } }, t("play.log.all", { moves: steps.length }))),
  );
}

/**
 * What the bills above the log say: whose points, by which rule.
 * @param {import("../service.js").Scored} result
 */
function linesOf(result) {
  return new Set(result.players.flatMap(({ seat, lines }) => lines.map(({ rule }) => billing(seat, rule))));
}

/**
 * @param {number | null | undefined} seat
 * @param {string | undefined} rule
 */
function billing(seat, rule) {
  return `${seat} ${rule}`;
}

/**
 * @param {import("./table.js").Step} step
 * @param {{names: readonly string[], game: string, billed: ReadonlySet<string>, goTo: ((ply: number) => void) | undefined}} told `billed`: what the bills say, so that it is not said again
 */
function entry({ seat, from, ply, events }, { names, game, billed, goTo }) {
  const gains = gainsOf(/** @type {any} */ ({ events }));
  return h(
    "li",
    { key: `step${ply}` },
    seat === null ? h("span", {}) : mark(seat, true),
    h(
      "div",
      {},
      seat === null ? h("p", {}, t("play.set-up")) : events.filter((event) => !billed.has(billing(event.seat, event.rule))).map((event) => h("p", {}, sentence(event.text), event.points !== undefined && event.rule && [" ", ruleLink(game, event.rule, t("rule"))])),
      gains.length > 0 && h("p", { class: "gains" }, gains.map(({ seat: whose, points }) => `${names[whose]} ${points > 0 ? "+" : ""}${number(points)}`).join(" · ")),
    ),
    goTo && seat !== null && h("button", { type: "button", class: "icon", title: t("play.back-to"), "aria-label": `${t("play.back-to")}: ${sentence(events[0]?.text ?? "")}`, on: { click: () => goTo(from) } }, icon("undo")),
  );
}
