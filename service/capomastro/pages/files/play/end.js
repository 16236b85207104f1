// A finished game: who won and why, and every point with its rule.

import { openResultPicture } from "../dialogs.js";
import { isolated } from "../direction.js";
import { h } from "../dom.js";
import { bill, reason, standings, winnerHeading } from "../result.js";
import { ranked } from "../share.js";
import { language, t } from "../words.js";

/**
 * @param {import("../game.js").GamePad} pad says in words what each line of a score is for
 * @param {import("./table.js").Table} table
 */
export function ending(pad, table) {
  const { game, names, result } = table;
  if (!result) return null;
  const showPicture = () => openResultPicture({ game, record: table.record() });
  const context = { game, names: names.map(isolated), draft: undefined };
  return h(
    "section",
    { class: "result", key: "result" },
    winnerHeading(context, result, {}),
    h("p", { class: "why" }, reason(pad, context, result, {})),
    standings(context, result),
    h("p", { class: "pad-foot no-print" }, h("button", { type: "button", class: "button small-one", on: { click: showPicture } }, t("share.picture")), h("a", { class: "button small-one", href: `/book?lang=${language}` }, t("book.title"))),
    h("details", { open: true }, h("summary", {}, t("play.bills")), h("div", { class: "bills" }, ranked(result).map((player) => bill(pad, context, player)))),
  );
}

/**
 * What a viewer knows, with those events of the last step marked that the bills repeat, line by line with the same rule.
 * @param {import("./table.js").Seen} seen
 * @param {import("../service.js").Scored | undefined} result
 * @returns {import("./table.js").Seen}
 */
export function markBilled(seen, result) {
  const rules = result?.players.map(({ lines }) => lines.map(({ rule }) => rule)) ?? [];
  const mark = (/** @type {import("./table.js").Event_} */ event) => ({ ...event, billed: !!event.rule && rules[event.seat ?? -1]?.includes(event.rule) });
  return { ...seen, steps: seen.steps.map((step, at) => (at < seen.steps.length - 1 ? step : { ...step, events: step.events.map(mark) })) };
}
