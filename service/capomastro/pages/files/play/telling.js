// What happened, in sentences: draws that belong together are one sentence.

import { isolated } from "../direction.js";
import { ruleLink } from "../dialogs.js";
import { h } from "../dom.js";
import { gainsOf } from "../gains.js";
import { icon, mark } from "../icons.js";
import { list, number, sentence, t, tokenName } from "../words.js";

/** @typedef {import("./table.js").Step} Step */
/** @typedef {import("./table.js").Event_} Event_ */

/**
 * The sentences of a step: those of its events; several draws of the same kind are one.
 * @param {Step} step
 * @param {string} game
 * @returns {{text: string, event?: Event_}[]}
 */
export function sentencesOf({ moves, events }, game) {
  const draws = moves.filter((move) => !("seat" in move));
  const drawn = draws.map((move) => tokenName(game, String(Object.entries(move).find(([member]) => member !== "type")?.[1])));
  const isMany = draws.length > 1 && draws.every(({ type }) => type === draws[0].type) && drawn.every((name) => name !== undefined);
  if (!isMany) return events.filter(({ billed }) => !billed).map((event) => ({ text: sentence(event.text), event }));
  const drawing = drawEvents(events, draws.length);
  const others = events.filter((event) => !drawing.includes(event) && !event.billed).map((event) => ({ text: sentence(event.text), event }));
  return [...others, { text: t("play.drawn", { things: list(counted(/** @type {string[]} */ (drawn))) }) }];
}

/**
 * The events that tell draws: of the only type that there are as many of as draws.
 * @param {readonly Event_[]} events
 * @param {number} draws
 */
function drawEvents(events, draws) {
  const types = new Set(events.map(({ type }) => type));
  const type = [...types].find((one) => events.filter((event) => event.type === one).length === draws);
  return events.filter((event) => event.type === type);
}

/** Names with their number: "2 × red". @param {readonly string[]} names */
function counted(names) {
  return [...new Set(names)].map((name) => {
    const count = names.filter((one) => one === name).length;
    return count > 1 ? `${count} × ${name}` : name;
  });
}

/** A step in one line. @param {Step} step @param {string} game */
export function told(step, game) {
  return sentencesOf(step, game).map(({ text }) => text).join(" ");
}

const SHORT = 40;

/**
 * What happened, the latest first; the game can be taken back to before each move.
 * @param {{steps: readonly Step[], names: readonly string[], game: string, isWhole: boolean, showAll: () => void, later?: number, goTo?: (ply: number) => void}} course `later`: the last position that was taken back
 */
export function log({ steps: all, names, game, isWhole, showAll, later, goTo }) {
  const steps = [...all].reverse();
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
 * @param {Step} step
 * @param {readonly string[]} names
 * @param {string} game
 * @param {((ply: number) => void) | undefined} goTo
 */
function entry(step, names, game, goTo) {
  const { seat, from, ply, events } = step;
  const gains = gainsOf(/** @type {any} */ ({ events }));
  return h(
    "li",
    { key: `step${ply}` },
    seat === null ? h("span", {}) : mark(seat, true),
    h(
      "div",
      {},
      seat === null ? h("p", {}, t("play.set-up")) : sentencesOf(step, game).map(({ text, event }) => h("p", {}, text, event?.points !== undefined && event.rule && [" ", ruleLink(game, event.rule, t("rule"))])),
      gains.length > 0 && h("p", { class: "gains" }, gains.map(({ seat: whose, points }) => `${isolated(names[whose])} ${points > 0 ? "+" : ""}${number(points)}`).join(" · ")),
    ),
    goTo && seat !== null && h("button", { type: "button", class: "icon", title: t("play.back-to"), "aria-label": `${t("play.back-to")}: ${sentence(events[0]?.text ?? "")}`, on: { click: () => goTo(from) } }, icon("undo")),
  );
}
