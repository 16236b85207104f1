// What happened, in sentences, the latest first; the game can be taken back to before each move.

import { ruleLink } from "../dialogs.js";
import { isolated } from "../direction.js";
import { h } from "../dom.js";
import { gainsOf } from "../gains.js";
import { icon, mark } from "../icons.js";
import { number, sentence, t } from "../words.js";

const SHORT = 12;

/**
 * @param {{seen: import("./table.js").Seen, names: readonly string[], game: string, isWhole: boolean, showAll: () => void, later?: number, goTo?: (ply: number) => void}} told `later`: the last position that was taken back
 */
export function log({ seen, names, game, isWhole, showAll, later, goTo }) {
  const steps = [...seen.steps].reverse();
  if (!steps.length) return null;
  const shown = isWhole ? steps : steps.slice(0, SHORT);
  return h(
    "section",
    { class: "log", key: "log", "aria-labelledby": "log" },
    h("h2", { id: "log" }, t("play.log")),
    goTo && later !== undefined && h("p", {}, h("button", { type: "button", class: "link", on: { click: () => goTo(later) } }, t("play.forward"))),
    h("ol", { reversed: true }, shown.map((step) => entry(step, names, game, goTo))),
    steps.length > shown.length && h("p", {}, h("button", { type: "button", class: "link", on: { click: showAll } }, t("play.log.all", { moves: steps.length }))),
  );
}

/**
 * @param {import("./table.js").Step} step
 * @param {readonly string[]} names
 * @param {string} game
 * @param {((ply: number) => void) | undefined} goTo
 */
function entry({ seat, from, ply, events }, names, game, goTo) {
  const gains = gainsOf(/** @type {any} */ ({ events }));
  return h(
    "li",
    { key: `step${ply}` },
    seat === null ? h("span", {}) : mark(seat, true),
    h(
      "div",
      {},
      seat === null ? h("p", {}, t("play.set-up")) : events.filter(({ billed }) => !billed).map((event) => h("p", {}, sentence(event.text), event.points !== undefined && event.rule && [" ", ruleLink(game, event.rule, t("rule"))])),
      gains.length > 0 && h("p", { class: "gains" }, gains.map(({ seat: whose, points }) => `${isolated(names[whose])} ${points > 0 ? "+" : ""}${number(points)}`).join(" · ")),
    ),
    goTo && seat !== null && h("button", { type: "button", class: "icon", title: t("play.back-to"), "aria-label": `${t("play.back-to")}: ${sentence(events[0]?.text ?? "")}`, on: { click: () => goTo(from) } }, icon("undo")),
  );
}
