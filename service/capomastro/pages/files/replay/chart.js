// A chart of each player's points over the moves, as steps. Where points were scored, a button says for what.

import { openDialog, ruleLink } from "../dialogs.js";
import { h } from "../dom.js";
import { mark } from "../icons.js";
import { list, number, sentence, t } from "../words.js";

/** @typedef {import("./course.js").Scoring} Scoring */
/** @typedef {{game: string, plies: number, points: number[][], scorings: readonly Scoring[], names: readonly string[], at: number, mistakes: readonly number[], go: (position: number) => void}} Chart */

const WIDTH = 340;
const HEIGHT = 180;
const LEFT = 32;
const RIGHT = 330;
const TOP = 26;
const BOTTOM = 146;
/** The least distance between two buttons: 44 pixels where the chart is smallest. */
const LEAST_DISTANCE = 58;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 4"];
const KINDS = ["solid", "dashed", "dotted", "mixed", "short"];

/** @param {Chart} chart */
export function pointsChart({ game, plies, points, scorings, names, at, mistakes, go }) {
  const all = points.flat();
  const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
  const ticks = ticksOf(least, most);
  const [low, high] = [ticks[0], /** @type {number} */ (ticks.at(-1))];
  const x = (/** @type {number} */ ply) => LEFT + ((RIGHT - LEFT) * ply) / Math.max(plies, 1);
  const y = (/** @type {number} */ value) => BOTTOM - ((BOTTOM - TOP) * (value - low)) / (high - low);
  const [last, here] = [points[plies], points[at]];
  const groups = grouped(scorings, x);
  return h(
    "div",
    { class: "chart card" },
    h(
      "div",
      { class: "plot" },
      h(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("replay.curve", { standing: list(names.map((name, seat) => `${name} ${number(last[seat])}`)) }) },
        h("path", { class: "grid", d: ticks.map((tick) => `M${LEFT} ${y(tick)}H${RIGHT}`).join("") }),
        ticks.map((tick) => h("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, number(tick))),
        h("text", { x: LEFT, y: HEIGHT - 10 }, "0"),
        h("text", { x: RIGHT, y: HEIGHT - 10, "text-anchor": "end" }, t("replay.move", { number: plies })),
        mistakes.map((ply) => h("path", { class: "mistake", d: `M${x(ply)} ${TOP - 6}V${BOTTOM}M${x(ply) - 5} ${TOP - 16}h10l-5 9z` })),
        h("path", { class: "now", d: `M${x(at)} ${TOP - 6}V${BOTTOM}` }),
        names.map((_, seat) => h("path", { class: `steps player${seat}`, "stroke-dasharray": DASHES[seat], d: steps(points, seat, x, y) })),
      ),
      h(
        "div",
        { class: "points", role: "group", "aria-label": t("replay.scores"), "data-group": "" },
        groups.map((group) =>
          h("button", {
            type: "button",
            key: `s${group[0].ply}`,
            title: labelOf(group),
            "aria-label": labelOf(group),
            style: { left: `${(100 * x(group[0].ply)) / WIDTH}%`, top: `${(100 * y(Math.max(...points[group[0].ply]))) / HEIGHT}%` },
            on: { click: () => openScores(game, group, go) },
          }),
        ),
      ),
    ),
    h("ul", { class: "legend" }, names.map((name, seat) => h("li", {}, mark(seat, true), sample(seat), `${name} ${number(here[seat])}`, h("span", { class: "unseen" }, t(`replay.line.${KINDS[seat]}`))))),
  );
}

/** @param {number} seat */
function sample(seat) {
  return h("svg", { class: `sample player${seat}`, viewBox: "0 0 28 6", "aria-hidden": "true" }, h("path", { class: "steps", d: "M0 3H28", "stroke-dasharray": DASHES[seat] }));
}

/**
 * Groups scorings that are so near to each other that they share a button.
 * @param {readonly Scoring[]} scorings
 * @param {(ply: number) => number} x
 */
function grouped(scorings, x) {
  /** @type {Scoring[][]} */
  const groups = [];
  for (const scoring of scorings) {
    const last = groups.at(-1);
    if (last && x(scoring.ply) - x(last[0].ply) < LEAST_DISTANCE) last.push(scoring);
    else groups.push([scoring]);
  }
  return groups;
}

/** @param {readonly Scoring[]} group */
function labelOf(group) {
  const [first, last] = [group[0].ply, group[group.length - 1].ply];
  return first === last ? t("replay.score-at", { number: first }) : t("replay.scores-at", { from: first, to: last });
}

/**
 * @param {string} game
 * @param {readonly Scoring[]} group
 * @param {(position: number) => void} go
 */
function openScores(game, group, go) {
  /** @type {() => void} */
  let close = () => {};
  close = openDialog({
    title: labelOf(group),
    content: () =>
      group.map(({ ply, events }) =>
        h(
          "section",
          { class: "scored", key: `p${ply}` },
          h("h3", {}, t("replay.move", { number: ply }), " ", h("button", { type: "button", class: "link", "aria-label": t("replay.show-move", { number: ply }), on: { click: () => (close(), go(ply)) } }, t("replay.show"))),
          h("ul", {}, events.map((event) => h("li", {}, eventText(game, event)))),
        ),
      ),
  });
}

/**
 * An event as a sentence, with a link to its rule.
 * @param {string} game
 * @param {import("./course.js").Event_} event
 */
export function eventText(game, event) {
  return [h("span", {}, sentence(event.text)), event.rule && [" ", ruleLink(game, event.rule, t("rule"))]];
}

/**
 * @param {number[][]} points
 * @param {number} seat
 * @param {(ply: number) => number} x
 * @param {(points: number) => number} y
 */
function steps(points, seat, x, y) {
  let path = `M${round(x(0))} ${round(y(points[0][seat]))}`;
  for (let ply = 1; ply < points.length; ply++) if (points[ply][seat] !== points[ply - 1][seat]) path += `H${round(x(ply))}V${round(y(points[ply][seat]))}`;
  return `${path}H${round(x(points.length - 1))}`;
}

/**
 * Round numbers from below the least to above the most.
 * @param {number} least
 * @param {number} most
 */
function ticksOf(least, most) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000, 1_000_000].find((one) => (most - least) / one <= 4) ?? most;
  const from = Math.floor(least / step);
  return Array.from({ length: Math.ceil(most / step) - from + 1 }, (_, at) => (from + at) * step);
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
