// The verdict on a record, and what is wrong with it: the first illegal move with its rule and remedies, or a wrong result.

import { ruleLink } from "../dialogs.js";
import { h } from "../dom.js";
import { findingText } from "../parts.js";
import { number, sentence, t } from "../words.js";

/**
 * @typedef {object} Judged
 * @property {string} game
 * @property {any} answer of `replays`
 * @property {string[]} names
 * @property {Map<string, import("../service.js").Rule>} rules
 * @property {boolean} isOpen whether what is wrong is unfolded
 * @property {(isOpen: boolean) => void} unfold
 * @property {((position: number, move: any) => void) | undefined} tryMove undefined where nothing can be tried
 * @property {(repair: "skip" | "correct") => void} mend
 */

const CLAIMED = ["line", "total", "place", "winners"];
const RIGHT = ["legal", "unfinished"];

/** @param {Judged} judged */
export function verdictOf(judged) {
  const { answer, isOpen, unfold } = judged;
  const details = wrongIn(judged);
  const plumb = h("svg", { viewBox: "0 0 14 30", "aria-hidden": "true" }, h("path", { d: "M7 0v16", stroke: "currentColor", "stroke-width": 1.6 }), h("path", { d: "M2.5 15h9v4L7 30 2.5 19z", fill: "currentColor" }));
  const words = h("span", { class: "words" }, h("b", {}, t(`replay.verdict.${answer.verdict}`, { number: answer.plies + 1 })), " ", h("span", {}, t(`replay.verdict-text.${answer.verdict}`, { plies: answer.plies, claimed: answer.claimed_result_matches ? t("replay.claim-right") : "" })));
  const isWrong = !RIGHT.includes(answer.verdict);
  if (!details) return h("div", { class: isWrong ? "verdict wrong" : "verdict", key: "verdict", role: "status" }, plumb, words);
  return h(
    "details",
    { class: "verdict wrong", key: "wrong", id: "slip", open: isOpen, on: { toggle: (/** @type {Event} */ event) => unfold(/** @type {HTMLDetailsElement} */ (event.currentTarget ?? event.target).open) } },
    h("summary", {}, plumb, words),
    h("div", { class: "slip-card" }, details),
  );
}

/** @param {Judged} judged */
function wrongIn(judged) {
  if (judged.answer.first_divergence) return slip(judged, judged.answer.first_divergence);
  return judged.answer.verdict === "wrong-result" ? claims(judged) : undefined;
}

/**
 * The first illegal move: the rule, the legal moves nearest to it, and repairs.
 * @param {Judged} judged
 * @param {any} divergence
 */
function slip({ game, names, rules, tryMove, mend }, { index, text, refusal, nearest, nearest_texts: texts }) {
  const rule = rules.get(refusal.rule);
  return [
    h("p", {}, h("strong", {}, findingText(refusal, names))),
    h(
      "dl",
      {},
      h("dt", {}, t("replay.move-recorded")),
      h("dd", {}, sentence(text ?? "")),
      h("dt", {}, t("rule")),
      h("dd", {}, ruleLink(game, refusal.rule, rule?.wording ?? refusal.rule)),
      rule && [h("dt", {}, t("replay.source")), h("dd", {}, h("span", { class: "tag" }, t(`mark.${rule.mark}`)), ` ${rule.source}`)],
    ),
    nearest.length > 0 && [
      h("h2", {}, t("replay.nearest")),
      h(
        "div",
        { class: "near" },
        nearest.map((/** @type {any} */ near, /** @type {number} */ at) => tryMove ? h("button", { type: "button", key: `n${at}`, class: "button", on: { click: () => tryMove(index, near.move) } }, h("span", {}, sentence(texts[at])), h("span", { class: "small no-print" }, t("replay.try"))) : h("p", {}, sentence(texts[at]))),
      ),
    ],
    tryMove && [
      h("h2", { class: "no-print" }, t("replay.repair")),
      h(
        "p",
        { class: "repairs no-print" },
        h("button", { type: "button", class: "button small-one", on: { click: () => mend("correct") } }, t("replay.correct")),
        h("button", { type: "button", class: "button small-one", on: { click: () => mend("skip") } }, t("replay.skip")),
      ),
    ],
  ];
}

/**
 * What is wrong in the claimed result.
 * @param {Judged} judged
 */
function claims({ game, answer, names }) {
  const wrong = (answer.claimed_result_lines ?? []).filter((/** @type {any} */ one) => !one.matches);
  return h(
    "ul",
    {},
    wrong.map((/** @type {any} */ one) => h("li", {}, t("replay.claim", { name: names[one.seat] ?? t("players"), what: t(`replay.what.${CLAIMED.includes(one.what) ? one.what : "other"}`), claimed: figure(one.claimed), computed: figure(one.computed) }), (one.computed?.rule ?? one.claimed?.rule) && [" ", ruleLink(game, one.computed?.rule ?? one.claimed.rule, t("rule"))])),
  );
}

/** A figure of a claimed result, be it a number, a line, or nothing. @param {any} value */
function figure(value) {
  const points = typeof value === "object" && value !== null ? value.points : value;
  return typeof points === "number" ? number(points) : t("replay.nothing");
}
